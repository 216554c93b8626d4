"""The export of a game as JSON: whole when it is over, so that all of it can be verified; before, what a seat may see.

`gm verify` reads a whole one from the store, or from a file published after the game. An export contains no person's
name and no address. docs/export.md describes the form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.orm import Session

from gm.board import Power
from gm.chance import Chance
from gm.errors import GmError, NotNow
from gm.games import loading
from gm.games.report_inputs import (
    Announcement,
    adjudicated,
    announcements,
    game_facts,
    orders_by_power,
    phases_leading_to,
    position_of,
    turn_of,
    view_of,
    viewpoint_of,
)
from gm.games.snapshot import Game, Seat
from gm.games.turn_file import seen_turn
from gm.mail.message.compose import Attachment
from gm.options import GameOptions
from gm.orders import Language, Order, order_from_json, order_to_json
from gm.play.seats import Wishes
from gm.position import STANDARD_KINDS, Position, position_from_json, position_to_json
from gm.reports.interchange import Played, njudge_history, saved_game
from gm.store import outbox, records
from gm.store.game_rows import GameState, PhaseRow
from gm.store.rows import canonical_json
from gm.turn import victory_to_json
from gm.variants import Variant, variant
from gm.views import MASTER


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
    """How the powers were dealt: each player's preferences and power, in the order of dealing."""

    wishes: tuple[Wishes, ...]
    dealt: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A game. `powers` are those at the beginning, `commitment` is the SHA-256 of its seed, in hexadecimal.

    `told_seeds` are earlier seeds, published each time the game was over and then resumed. `dealing` is None in
    what is published of a game whose players stay anonymous.
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
        names = ", ".join(one.name for one in known if one.is_known_to(None)) or "none yet"
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
    return Chronicle(
        name=game.name,
        options=dict(game.options.texts),
        commitment=game.chance.commitment,
        powers=_opened(game, start),
        dealing=_dealing_from_json(start) if "dealt" in start else None,
        entries=tuple(
            _entry(session, game, phase, lots.get(phase.number, ())) for phase in phases_leading_to(session, game)
        ),
        told_seeds=game.told_seeds,
    )


def _opened(game: Game, start: Mapping[str, Any]) -> tuple[Power, ...]:
    """The powers at the beginning, in the order in which the opening was made: the game's own or, where players name
    them, as the log has it.
    """
    return game.variant.seating.powers or tuple(map(Power, start.get("opened", ())))


def _entry(session: Session, game: Game, phase: PhaseRow, by_lot: tuple[str, ...]) -> Entry:
    return Entry(
        code=phase.code,
        position=position_of(game, phase),
        orders=orders_by_power(session, game, phase) if phase.result is not None else {},
        by_lot=tuple(map(Power, by_lot)),
        result=phase.result,
        seed=phase.seed_number,
    )


# Of any game, for whoever asks


FORM, VERSION = "gm game", 1
"""The name and the version of the JSON form (docs/export.md)."""

ALL = "all"
"""Who may see a whole export: everybody, because the game is over."""


def is_standard(game: Game) -> bool:
    """Whether the game has no board, units, seasons and orders but those of the standard game."""
    language = game.variant.language
    return game.variant.board is variant("standard").board and language.kinds is STANDARD_KINDS and not language.orders


def seen_turns(session: Session, game: Game, seat: Seat | None) -> list[Played]:
    """The turns of a game as the seat may see them (None: everybody); when it is over, all of them whole."""
    eyes = MASTER if game.over else viewpoint_of(game, seat)
    return [
        Played(game.variant.view(game.variant, turn.after, turn, eyes), phase.adjudicated_at)
        for phase in adjudicated(session, game)
        if phase.adjudicated_at is not None and (turn := turn_of(session, game, phase))
    ]


def record_of(session: Session, game: Game, seat: Seat | None = None) -> dict[str, Any]:
    """The JSON value of a game: whole when it is over, otherwise as the seat may see it (None: everybody)."""
    if game.over:
        parts = {"seen_by": ALL, "seed": game.seed, **chronicle_to_json(_published(session, game))}
    else:
        parts = {"seen_by": str(viewpoint_of(game, seat) or "nobody"), **_seen(session, game, seat)}
    victory = None if game.victory is None else victory_to_json(game.victory)
    about = {"form": FORM, "version": VERSION, "title": game.variant.title, "state": str(game.state)}
    announced = [_announced(one) for one in announcements(session, game)]
    return {**about, "rules": game.variant.rules, "victory": victory, "told": announced, **parts}


def _announced(one: Announcement) -> dict[str, Any]:
    return {"phase": one.phase and one.phase.code, "kind": one.kind, "by": one.by, "text": one.text}


def _published(session: Session, game: Game) -> Chronicle:
    """The game without what tells of its players if they stay anonymous: what they asked for, and in what order they
    joined.
    """
    chronicle = chronicle_of(session, game)
    return replace(chronicle, dealing=None) if game.names_hidden else chronicle


def _seen(session: Session, game: Game, seat: Seat | None) -> dict[str, Any]:
    """What the seat may see, in the form of a whole game; the last phase is the one that is played now."""
    turns = seen_turns(session, game, seat)
    phases = [{**seen_turn(one.turn, game.variant.rules), "by_lot": [], "seed": 0} for one in turns]
    now = view_of(game, seat)
    own = {seat.power: list(map(order_to_json, game.orders_of(seat)))} if seat is not None and seat.power else {}
    last = {"phase": now.position.phase.code, "position": position_to_json(now.position), "orders": own}
    return {
        "game": game.name,
        "options": dict(game.options.texts),
        "commitment": game.chance.commitment,
        "told_seeds": list(game.told_seeds),
        "powers": list(now.powers),
        "dealing": None,
        "phases": [*phases, {**last, "by_lot": [], "result": None, "seed": 0}],
    }


def exported(session: Session, game: Game, seat: Seat | None, form: str) -> Attachment:
    """The file of a game as json, njudge or diplomacy. Raises NotNow if the game cannot be written in that form."""
    if form == "json":
        return _file(f"{game.name}.json", "application/json", canonical_json(record_of(session, game, seat)))
    if form == "diplomacy" and not is_standard(game):
        raise NotNow(f"The package diplomacy does not know {game.variant.title}.", "EXPORT JSON has all of it.")
    facts, played = game_facts(game), seen_turns(session, game, seat)
    if form == "njudge":
        text = njudge_history(facts, played, over=game.over, victory=game.victory)
        return _file(f"{game.name}.txt", "text/plain", text)
    value = saved_game(facts, played, view_of(game, seat), over=game.over)
    return _file(f"{game.name}.diplomacy.json", "application/json", canonical_json(value))


def _file(name: str, kind: str, text: str) -> Attachment:
    return Attachment(name, kind, f"{text}\n".encode(), (("charset", "utf-8"),) if kind == "text/plain" else ())


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
        if value.get("seen_by", ALL) != ALL:
            raise NoChronicle("This is a part of a game that was not over.", "Export it again when it is.")
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
