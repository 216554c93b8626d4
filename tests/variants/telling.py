"""A turn in words: its events, its victory and its outcomes, in the words of its game."""

from __future__ import annotations

from gm.judge.outcomes import Outcome
from gm.reports import results
from gm.reports.explain import sentence
from gm.turn import Turn
from gm.variants import Variant
from gm.views import MASTER


def told(game: Variant, turn: Turn) -> tuple[str, ...]:
    """The events, as the gamemaster reads them."""
    return results.events(game.view(game, turn.after, turn, MASTER), turn)


def victory(game: Variant, turn: Turn) -> str:
    """By what the game was won."""
    assert turn.victory is not None
    return game.words.victory(turn.victory)


def explained(game: Variant, turn: Turn, outcome: Outcome) -> str:
    """An outcome in a sentence."""
    return sentence(outcome, game.board(turn.before), game.words)
