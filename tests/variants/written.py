"""The games that long tests play: the standard one, and those with rules of their own.

A game that is a file has the standard rules, but for what is seen in fog; `test_games_of_files.py` shows what its data
change.
"""

from __future__ import annotations

from gm.variants import all_variants

WRITTEN = [name for name, game in all_variants().items() if not game.rules_text or game.veiled]
"""Their names."""
