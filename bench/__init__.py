"""How long the judge takes: `make bench`. Standing apart from the package and its tests; nothing imports it."""
