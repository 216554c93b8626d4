"""The adjudicator: positions and orders in, a resolution out. Pure; knows no variant, no text, no clock."""
