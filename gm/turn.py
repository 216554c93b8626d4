"""The result of one adjudicated phase: the value that reports, archives and interfaces read, and its JSON form.

The store keeps a phase's position, its orders, and `turn_to_json`. None of these contains sentences, so that a stored
game can be read by every later version of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gm.board import Power, Province
from gm.judge.outcomes import (
    NO_FACTS,
    Event,
    Outcome,
    event_from_json,
    event_to_json,
    outcome_from_json,
    outcome_to_json,
)
from gm.orders import PLAIN, Language, Order
from gm.position import (
    Dislodged,
    Position,
    dislodged_from_json,
    dislodged_to_json,
    position_from_json,
    position_to_json,
)

__all__ = ["Event"]

VERSION = 1
"""The version of the stored form of turns."""

CENTERS, LAST_YEAR = "centers", "last year"
"""The kinds of victory that every game can have: by `owned` centres, and a draw after the last `year`."""

AGREED, CONCEDED, DECLARED, TERMINATED = "agreed draw", "conceded", "declared", "terminated"
"""The kinds of end that do not follow from the rules: the players agreed to a draw, all others conceded, the gamemaster
declared the result, or ended the game without one.
"""

ELIMINATED = "eliminated"
"""The event that every game can have: `powers` have neither a centre nor a unit left."""


@dataclass(frozen=True, slots=True)
class Victory:
    """The end of a game by its rules. Several winners share it (a draw). `facts` are JSON values."""

    winners: tuple[Power, ...]
    kind: str
    facts: Mapping[str, Any] = field(default_factory=lambda: NO_FACTS)


@dataclass(frozen=True, slots=True)
class SeasonCount:
    """Ownership at the end of a season: the centres that each power gained and lost."""

    gained: Mapping[Power, tuple[Province, ...]] = field(default_factory=dict)
    lost: Mapping[Power, tuple[Province, ...]] = field(default_factory=dict)

    def change(self, power: Power) -> int:
        """By how many centres the power has grown."""
        return len(self.gained.get(power, ())) - len(self.lost.get(power, ()))


@dataclass(frozen=True, slots=True)
class Turn:
    """One phase: the position before it, the orders, their outcomes, and the next position.

    `outcomes` has one for each order and one for each unit without an order. `destroyed` are dislodged units that could
    not retreat. `silent` are the powers that had something to order and sent nothing (NMR). `events` are
    further effects of the rules, such as a power's elimination.
    """

    before: Position
    orders: Mapping[Power, tuple[Order, ...]]
    outcomes: tuple[Outcome, ...]
    after: Position
    destroyed: tuple[Dislodged, ...] = ()
    count: SeasonCount | None = None
    silent: tuple[Power, ...] = ()
    victory: Victory | None = None
    events: tuple[Event, ...] = ()

    @property
    def eliminated(self) -> tuple[Power, ...]:
        """The powers that were eliminated in this phase."""
        return eliminated(self.events)


def ends_game(turn: Turn | None) -> bool:
    """Whether somebody has won with this turn, or a draw or a concession ends the game with it."""
    return turn is not None and turn.victory is not None


def elimination(powers: Iterable[Power]) -> tuple[Event, ...]:
    """The event that these powers are eliminated; no event if there are none."""
    out = list(powers)
    return (Event(ELIMINATED, {"powers": out}),) if out else ()


def eliminated(events: Iterable[Event]) -> tuple[Power, ...]:
    """The powers that are eliminated by these events."""
    return tuple(Power(name) for event in events if event.kind == ELIMINATED for name in event.facts["powers"])


# As JSON


def turn_to_json(turn: Turn, rules: str) -> dict[str, Any]:
    """The JSON value of a turn, without its position and its orders, which are stored separately.

    `rules` names the variant and the edition of its rules. Of the position after the turn only the parts that differ
    from the one before are included.
    """
    before, after = position_to_json(turn.before), position_to_json(turn.after)
    return {
        "v": VERSION,
        "rules": rules,
        "outcomes": [outcome_to_json(outcome) for outcome in turn.outcomes],
        "destroyed": [dislodged_to_json(unit) for unit in turn.destroyed],
        "count": None if turn.count is None else _count_to_json(turn.count),
        "silent": list(turn.silent),
        "events": [event_to_json(event) for event in turn.events],
        "victory": None if turn.victory is None else victory_to_json(turn.victory),
        "after": {part: value for part, value in after.items() if value != before[part]},
    }


def turn_from_json(
    value: Mapping[str, Any],
    before: Mapping[str, Any],
    orders: Mapping[Power, tuple[Order, ...]],
    language: Language = PLAIN,
) -> Turn:
    """The inverse of `turn_to_json`: `before` is the JSON value of the position, `language` that of the game.

    Raises KeyError, TypeError or ValueError for a value that is not a turn, or has another version.
    """
    if value["v"] != VERSION:
        raise ValueError(f"a turn is stored in form {value['v']!r}, and this program reads form {VERSION}")
    kinds = language.kinds
    return Turn(
        before=position_from_json(before, kinds),
        orders=orders,
        outcomes=tuple(outcome_from_json(outcome, language) for outcome in value["outcomes"]),
        after=position_from_json({**before, **value["after"]}, kinds),
        destroyed=tuple(dislodged_from_json(unit, kinds) for unit in value["destroyed"]),
        count=None if value["count"] is None else _count_from_json(value["count"]),
        silent=tuple(map(Power, value["silent"])),
        victory=None if value["victory"] is None else victory_from_json(value["victory"]),
        events=tuple(map(event_from_json, value["events"])),
    )


def victory_to_json(victory: Victory) -> dict[str, Any]:
    """The JSON value of a game's end."""
    return {"winners": list(victory.winners), "kind": victory.kind, "facts": dict(victory.facts)}


def victory_from_json(value: Mapping[str, Any]) -> Victory:
    """The inverse of `victory_to_json`. Raises KeyError or TypeError for anything else."""
    return Victory(tuple(map(Power, value["winners"])), value["kind"], value["facts"])


def _count_to_json(count: SeasonCount) -> dict[str, Any]:
    return {part: {power: list(own) for power, own in getattr(count, part).items()} for part in ("gained", "lost")}


def _count_from_json(value: Mapping[str, Any]) -> SeasonCount:
    return SeasonCount(**{part: _centers_from_json(value[part]) for part in ("gained", "lost")})


def _centers_from_json(value: Mapping[str, Iterable[str]]) -> dict[Power, tuple[Province, ...]]:
    return {Power(power): tuple(map(Province, codes)) for power, codes in value.items()}
