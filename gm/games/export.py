"""A game written down so that everything in it can be worked out again: what was ordered, dealt, drawn and came of it.

It is what `gm verify` goes by: taken from the store, or read from a file that was published after the game. It names no
person and no address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from gm.board import Power
from gm.errors import GmError
from gm.games.power_preferences import Wishes
from gm.games.snapshot import Table, orders_by_power
from gm.options import GameOptions
from gm.orders import Order
from gm.orders.codec import order_from_json, order_to_json
from gm.orders.language import Language
from gm.position import Position, position_from_json, position_to_json
from gm.store import game_rows, records
from gm.store.game_rows import GameState, PhaseRow
from gm.variants import Variant


class NoChronicle(GmError):
    """What was given is not the history of a game."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A phase: its position, the orders in force, for whom these were drawn by lot, and what was kept of its result.

    `result` is None for a phase that was not adjudicated: the last.
    """

    code: str
    position: Position
    orders: Mapping[Power, tuple[Order, ...]]
    by_lot: tuple[Power, ...]
    result: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Dealing:
    """How the powers were dealt: what each player wished for, and what he got, in the order in which they joined."""

    wishes: tuple[Wishes, ...]
    dealt: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A game. `powers` are those it began with, `commitment` is the SHA-256 of its seed, in hexadecimal figures."""

    name: str
    options: Mapping[str, str]
    commitment: str
    powers: tuple[Power, ...]
    dealing: Dealing | None
    entries: tuple[Entry, ...]

    @property
    def game(self) -> Variant:
        """The rules that were played."""
        return GameOptions(self.options).variant


# From the store

OVER = (GameState.FINISHED, GameState.ABORTED)


def table_of_finished(session: Session, name: str) -> Table:
    """The table of a game that is over. Raises NoChronicle for any other: the seed of a running game is secret."""
    game = game_rows.game_by_name(session, name)
    if game is None:
        known = ", ".join(game.name for game in game_rows.games(session, *OVER)) or "none yet"
        raise NoChronicle(f"There is no game {name!r}.", f"Games that are over: {known}.")
    if game.state not in OVER:
        raise NoChronicle(f"The game {game.name} is {game.state}.", "Its seed is secret until the game is over.")
    return Table(session, game)


def chronicle_of(table: Table) -> Chronicle:
    """The game at the table, as far as it has been played; phases that were rolled back are left out."""
    events = records.log_of(table.session, table.game.id)
    lots = {event.detail["number"]: event.detail["by_lot"] for event in events if "by_lot" in event.detail}
    line = game_rows.line_of(table.session, table.game)
    start = next((event.detail for event in events if event.kind == "start"), {})
    seats: Mapping[str, int] = start.get("powers", {})
    return Chronicle(
        name=table.game.name,
        options=dict(table.options.texts),
        commitment=table.chance.commitment,
        powers=tuple(map(Power, sorted(seats, key=lambda power: seats[power]))),
        dealing=_dealing_from_json(start) if "dealt" in start else None,
        entries=tuple(_entry(table, phase, lots.get(phase.number, ())) for phase in line),
    )


def _entry(table: Table, phase: PhaseRow, by_lot: tuple[str, ...]) -> Entry:
    return Entry(
        code=phase.code,
        position=table.position_of(phase),
        orders=orders_by_power(table, phase) if phase.result is not None else {},
        by_lot=tuple(map(Power, by_lot)),
        result=phase.result,
    )


# As JSON


def chronicle_to_json(chronicle: Chronicle) -> dict[str, Any]:
    """The JSON value of a game."""
    dealing = chronicle.dealing
    return {
        "game": chronicle.name,
        "options": dict(chronicle.options),
        "commitment": chronicle.commitment,
        "powers": list(chronicle.powers),
        "dealing": None if dealing is None else {"wishes": dealing.wishes, "dealt": dealing.dealt},
        "phases": [
            {
                "phase": entry.code,
                "position": position_to_json(entry.position),
                "orders": {power: [order_to_json(order) for order in own] for power, own in entry.orders.items()},
                "by_lot": list(entry.by_lot),
                "result": entry.result,
            }
            for entry in chronicle.entries
        ],
    }


def chronicle_from_json(value: Any) -> Chronicle:
    """The inverse of `chronicle_to_json`. Raises NoChronicle for anything else."""
    try:
        options = GameOptions(value["options"])
        return Chronicle(
            name=str(value["game"]),
            options=options.texts,
            commitment=str(value["commitment"]),
            powers=tuple(map(Power, value["powers"])),
            dealing=_dealing_from_json(value["dealing"]) if value["dealing"] is not None else None,
            entries=tuple(_entry_from_json(entry, options.variant.language) for entry in value["phases"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NoChronicle(
            f"This is not the history of a game: {error!r}.", "Write one with `gm verify GAME --export FILE`."
        ) from None


def _dealing_from_json(value: Mapping[str, Any]) -> Dealing:
    wishes = tuple(tuple(tuple(map(Power, group)) for group in groups) for groups in value["wishes"])
    return Dealing(wishes, tuple(map(Power, value["dealt"])))


def _entry_from_json(value: Mapping[str, Any], language: Language) -> Entry:
    orders = {
        Power(power): tuple(order_from_json(order, language) for order in own) for power, own in value["orders"].items()
    }
    return Entry(
        code=str(value["phase"]),
        position=position_from_json(value["position"], language.kinds),
        orders=orders,
        by_lot=tuple(map(Power, value["by_lot"])),
        result=value["result"],
    )
