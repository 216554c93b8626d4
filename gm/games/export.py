"""The export of a finished game: its orders, dealing, draws and results, so that all of it can be verified.

`gm verify` reads it from the store, or from a file published after the game. It contains no person's name and no
address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from gm.board import Power
from gm.chance import Chance
from gm.errors import GmError
from gm.games import loading
from gm.games.report_inputs import orders_by_power, phases_leading_to, position_of
from gm.games.seats import Wishes
from gm.games.snapshot import Game
from gm.options import GameOptions
from gm.orders import Language, Order, order_from_json, order_to_json
from gm.position import Position, position_from_json, position_to_json
from gm.store import outbox, records
from gm.store.game_rows import GameState, PhaseRow
from gm.variants import Variant


class NoChronicle(GmError):
    """The input is not the history of a game."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A phase: its position, the orders in force, the powers with random orders, and its stored result.

    `result` is None for a phase that was not adjudicated: the last one. `seed` is the number of the game's seed, from
    0.
    """

    code: str
    position: Position
    orders: Mapping[Power, tuple[Order, ...]]
    by_lot: tuple[Power, ...]
    result: Mapping[str, Any] | None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Dealing:
    """How the powers were dealt: each player's preferences and power, in the order of joining."""

    wishes: tuple[Wishes, ...]
    dealt: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A game. `powers` are those at the beginning, `commitment` is the SHA-256 of its seed, in hexadecimal.

    `told_seeds` are earlier seeds, published each time the game was over and then resumed.
    """

    name: str
    options: Mapping[str, str]
    commitment: str
    powers: tuple[Power, ...]
    dealing: Dealing | None
    entries: tuple[Entry, ...]
    told_seeds: tuple[str, ...] = ()

    @property
    def first_commitment(self) -> str:
        """The commitment in the first mail."""
        return Chance(bytes.fromhex(self.told_seeds[0])).commitment if self.told_seeds else self.commitment

    @property
    def game(self) -> Variant:
        """The rules of the game."""
        return GameOptions(self.options).variant


# From the store

OVER = (GameState.FINISHED, GameState.ABORTED)


def finished_game(session: Session, name: str) -> Game:
    """A finished game. Raises NoChronicle for any other: the seed of a running game is secret."""
    game = next(iter(loading.load(session, loading.BY_NAME, {"name": name.lower()})), None)
    if game is None:
        known = loading.load(session, loading.IN_STATES, {"states": OVER})
        names = ", ".join(one.name for one in known) or "none yet"
        raise NoChronicle(f"There is no game {name!r}.", f"Games that are over: {names}.")
    if not game.over:
        raise NoChronicle(f"The game {game.name} is {game.state}.", "Its seed is secret until the game is over.")
    return game


def first_mails(session: Session, game: Game) -> list[bytes]:
    """The opening mails of the game that are still stored."""
    line = phases_leading_to(session, game)
    raws = [outbox.raw_of(session, f"opening:{line[0].id}:{seat.id}") for seat in game.seats] if line else []
    return [raw for raw in raws if raw is not None]


def chronicle_of(session: Session, game: Game) -> Chronicle:
    """The game as played so far; phases that were rolled back are not included."""
    events = records.log_of(session, game.id)
    lots = {event.detail["number"]: event.detail["by_lot"] for event in events if "by_lot" in event.detail}
    start = next((event.detail for event in events if event.kind == "start"), {})
    seats: Mapping[str, int] = start.get("powers", {})
    return Chronicle(
        name=game.name,
        options=dict(game.options.texts),
        commitment=game.chance.commitment,
        powers=tuple(map(Power, sorted(seats, key=lambda power: seats[power]))),
        dealing=_dealing_from_json(start) if "dealt" in start else None,
        entries=tuple(
            _entry(session, game, phase, lots.get(phase.number, ())) for phase in phases_leading_to(session, game)
        ),
        told_seeds=game.told_seeds,
    )


def _entry(session: Session, game: Game, phase: PhaseRow, by_lot: tuple[str, ...]) -> Entry:
    return Entry(
        code=phase.code,
        position=position_of(game, phase),
        orders=orders_by_power(session, game, phase) if phase.result is not None else {},
        by_lot=tuple(map(Power, by_lot)),
        result=phase.result,
        seed=phase.seed_number,
    )


# As JSON


def chronicle_to_json(chronicle: Chronicle) -> dict[str, Any]:
    """The JSON value of a game."""
    dealing = chronicle.dealing
    return {
        "game": chronicle.name,
        "options": dict(chronicle.options),
        "commitment": chronicle.commitment,
        "told_seeds": list(chronicle.told_seeds),
        "powers": list(chronicle.powers),
        "dealing": None if dealing is None else {"wishes": dealing.wishes, "dealt": dealing.dealt},
        "phases": [
            {
                "phase": entry.code,
                "position": position_to_json(entry.position),
                "orders": {power: [order_to_json(order) for order in own] for power, own in entry.orders.items()},
                "by_lot": list(entry.by_lot),
                "result": entry.result,
                "seed": entry.seed,
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
            told_seeds=tuple(bytes.fromhex(seed).hex() for seed in value.get("told_seeds", ())),
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
        seed=int(value.get("seed", 0)),
    )
