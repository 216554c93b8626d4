"""The turn of a report as JSON, for programs: what its reader may see of it, and nothing else.

docs/export.md describes the form, and docs/turn.schema.json is its JSON Schema.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gm.games.snapshot import Game, Person
from gm.mail.message.compose import Attachment
from gm.orders import order_to_json
from gm.position import position_to_json
from gm.store.rows import canonical_json
from gm.turn import Turn, turn_to_json
from gm.views import View

FORM, VERSION = "gm turn", 1
"""The name and the version of the JSON form."""


def seen_turn(turn: Turn, rules: str) -> dict[str, Any]:
    """A turn of a view, in the form of the phases of an export. Who else knows of an event is left out."""
    public = replace(turn, events=tuple(replace(event, to=None) for event in turn.events))
    return {
        "phase": turn.before.phase.code,
        "position": position_to_json(turn.before),
        "orders": {power: [order_to_json(order) for order in own] for power, own in turn.orders.items()},
        "result": turn_to_json(public, rules),
    }


@dataclass(frozen=True)
class TurnFile:
    """The file with the turn of a `View.common`, written when the first mail wants it. `game` is the game's name."""

    game: str
    title: str
    rules: str
    view: View

    @cached_property
    def file(self) -> Attachment:
        """The file that comes along."""
        value = self.value
        return Attachment(
            f"{self.game}-{value['phase']}.json", "application/json", f"{canonical_json(value)}\n".encode()
        )

    @property
    def value(self) -> dict[str, Any]:
        """The JSON value."""
        view = self.view
        if view.turn is None:
            raise ValueError("only a view of a turn is written")
        return {
            "form": FORM,
            "version": VERSION,
            "game": self.game,
            "title": self.title,
            "rules": self.rules,
            "powers": list(view.powers),
            **seen_turn(view.turn, self.rules),
            "next": {"phase": view.position.phase.code, "position": position_to_json(view.position)},
        }


def turn_file(game: Game, view: View) -> TurnFile | None:
    """The file of a report; None in a game with so many powers that the report tells of a few only."""
    return TurnFile(game.name, game.variant.title, game.variant.rules, view.common) if view.near is None else None


def wants_turn(person: Person | None) -> bool:
    """Whether this person wants turns as JSON in their reports."""
    return person is not None and person.json == "yes"
