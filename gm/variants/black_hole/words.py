"""How this game tells of black holes, exempt centres and retreats by bearings."""

from __future__ import annotations

from dataclasses import replace

from gm.board import Location, Power, Province
from gm.board.table import TableBoard
from gm.judge.outcomes import Outcome
from gm.position import parse_unit
from gm.turn import Event, Victory
from gm.variants.black_hole.orders import Drift, Exempt
from gm.variants.black_hole.phases import (
    ANNOUNCED,
    ANNOUNCEMENT,
    BY_BEARINGS,
    EXEMPTED,
    HOLE,
    MORE_THAN_HALF,
    NO_HOLE,
    NOT_OPEN,
    NOTHING_LEFT,
)
from gm.variants.black_hole.state import hole_board, spoken
from gm.variants.standard import ADJECTIVES, STANDARD
from gm.views import View


def _whole_board() -> TableBoard:
    """The board with every province still there: it names those that are gone too."""
    return hole_board(frozenset())


# Reasons


def _by_bearings(outcome: Outcome) -> str:
    assert isinstance(outcome.order, Drift)
    here = _whole_board().full_name(Location(_whole_board().province(outcome.order.unit.at)))
    return f"Without an order, the server retreated it by bearings from the middle of {here} (BH-5)"


def _announced(_: Outcome) -> str:
    return "Everybody is told"


def _exempted(outcome: Outcome) -> str:
    return f"{_center(outcome)} is now exempt from black holes"


def _not_open(outcome: Outcome) -> str:
    return f"{_center(outcome)} cannot be exempted now"


def _center(outcome: Outcome) -> str:
    assert isinstance(outcome.order, Exempt)
    return _whole_board().full_name(outcome.order.center)


# Events


def _hole(event: Event, view: View) -> str:
    """What vanished, and what was lost with it; of a trial that it is made up."""
    gone, owner = Province(event.facts["province"]), event.facts["owner"]
    units = [parse_unit(text) for text in event.facts["units"]]
    lost = [f"the {ADJECTIVES[unit.power]} {unit.kind.word} there is annihilated" for unit in units]
    if _whole_board().is_center(gone):
        whose = ADJECTIVES[Power(owner)] if owner is not None else "unowned"
        lost.append(f"the {whose} supply centre is gone for good")
    place, losses = spoken(_whole_board(), gone), " and ".join(lost) or "nothing else was lost with it"
    number = event.facts["candidates"]
    made_up = "Made up for this trial (the game draws its own): " if view.trial else ""
    return f"{made_up}{place[:1].upper()}{place[1:]}, drawn from {number} provinces, becomes a black hole; {losses}."


def _no_hole(_: Event, __: View) -> str:
    return "No black hole appears: every province that is left is exempt."


def _announcement(event: Event, _: View) -> str:
    center = _whole_board().full_name(Location(event.facts["center"]))
    return f"{event.facts['power']} announces that its exempt home centre is {center}."


# Victories


def _nothing_left(_: Victory) -> str:
    return "Nothing is left on the board, and nobody has won."


def _more_than_half(victory: Victory) -> str:
    (units, of_units), (centers, of_centers) = victory.facts["units"], victory.facts["centers"]
    return (
        f"{victory.winners[0]} has {units} of the {of_units} units on the board and owns {centers} of the {of_centers} "
        "supply centres still in being."
    )


WORDS = replace(
    STANDARD.words,
    reasons={BY_BEARINGS: _by_bearings, ANNOUNCED: _announced, EXEMPTED: _exempted, NOT_OPEN: _not_open},
    events={HOLE: _hole, NO_HOLE: _no_hole, ANNOUNCEMENT: _announcement},
    victories={**STANDARD.words.victories, NOTHING_LEFT: _nothing_left, MORE_THAN_HALF: _more_than_half},
)
