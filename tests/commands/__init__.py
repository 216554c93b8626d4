"""Tests of gm.commands: the declarations, and what follows from them. What commands do is tested in tests/server."""
