"""Tests of gm.commands: the declarations, and what is derived from them. The effects of commands are tested in
tests/server.
"""
