"""All that is made of a turn for one power, as bytes: mails, maps, files, answers to orders, what stand-ins do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from random import Random

from gm import standins
from gm.advance import advance
from gm.board import Location, Power, UnitKind
from gm.errors import GmError
from gm.games.turn_file import TurnFile
from gm.maps.picture import figure, svg
from gm.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, UnitName, Waive, WrittenOrder
from gm.orders.notation import write
from gm.orders.order_sets import warnings_on
from gm.orders.possible import legal_orders
from gm.play.missing_orders import random_orders
from gm.position import Unit
from gm.reports.blocks import position_blocks, text_of, turn_text
from gm.reports.bulletins import Bulletin
from gm.reports.forms import order_form
from gm.reports.game_mails import PhaseReport
from gm.reports.interchange import Played, njudge_history, saved_game
from gm.reports.reader import GameFacts, Reader
from gm.reports.render import render
from gm.store.rows import canonical_json
from gm.turn import Turn
from gm.views import View
from tests.variants.fog.knowing import BOARD, CHANCE, FOG

FACTS = GameFacts("fogged", FOG.title, dict.fromkeys(FOG.seating.powers, "Player"), FOG.adjectives)
AT = datetime(2030, 1, 1, tzinfo=UTC)


def shown(turn: Turn, power: Power, dice: Random) -> Iterator[tuple[str, bytes]]:
    """What the power is shown of a turn and of the position after it, and what it is answered then."""
    told, now = FOG.view(FOG, turn.after, turn, power), FOG.view(FOG, turn.after, None, power)
    mail = render(PhaseReport(Reader(power), told, Bulletin(FACTS, told.common), deadline=AT))
    yield "report", f"{mail.subject}\n{mail.text}\n{mail.html}".encode()
    yield "results", turn_text(told, FOG.adjectives).encode()
    yield "file", canonical_json(TurnFile("fogged", FOG.title, FOG.rules, told).value).encode()
    for name, view in (("map", told), ("map now", now)):
        found = figure(view)
        yield name, svg(found.picture).encode() if found is not None else b""
    yield "position", text_of(position_blocks(now)).encode()
    played = [Played(told, AT)]
    yield "history", njudge_history(FACTS, played, over=False).encode()
    yield "saved", canonical_json(saved_game(FACTS, played, now, over=False)).encode()
    yield "form", "\n".join(order_form(now, power)).encode()
    for name, made in _orders(turn, now, power, dice):
        yield name, made.encode()


def _orders(turn: Turn, now: View, power: Power, dice: Random) -> Iterator[tuple[str, str]]:
    """What is answered to lines of all kinds, sensible and not; what is drawn for a power, what a stand-in orders, and
    what comes of it by WHATIF.
    """
    yield "answers", "\n".join(_answer(turn, power, written) for written in _lines(now, power, dice))
    drawn = random_orders(FOG, turn.after, power, CHANCE) if power in now.duties else []
    yield "drawn", "\n".join(map(write, drawn))
    own = standins.orders_of(FOG, now, CHANCE)
    yield "stand-in", "\n".join(map(write, own))
    yield "warnings", "\n".join(warnings_on(now.board, now.position.units, own))
    yield "choices", "\n".join(write(one) for unit in now.position.units_of(power) for one in _choices(now, unit))
    trial = advance(FOG, now.position, {power: tuple(own)}, CHANCE)
    yield "what if", turn_text(FOG.view(FOG, trial.after, trial, power), FOG.adjectives)


def _choices(now: View, unit: Unit) -> Sequence[Order]:
    return legal_orders(now.board, now.position, unit)


def _answer(turn: Turn, power: Power, written: WrittenOrder) -> str:
    try:
        return (
            f"{write(FOG.order_of(turn.after, power, None, written))} {FOG.order_of(turn.after, power, None, written)}"
        )
    except GmError as error:
        return f"{error.problem} {error.remedy}"


def _lines(now: View, power: Power, dice: Random) -> Iterator[WrittenOrder]:
    own = [*now.position.units_of(power), *(one.unit for one in now.position.dislodged_of(power))]
    places = [UnitName(unit.at) for unit in own] or [UnitName(Location("par"))]
    every = [at for at in BOARD.aliases.values() if dice.random() < 0.5]
    kinds, powers = (None, UnitKind.ARMY, UnitKind.FLEET), (None, *FOG.seating.powers)
    for _ in range(60):
        unit, other = dice.choice(places), UnitName(dice.choice(every), dice.choice(kinds), dice.choice(powers))
        unit = dice.choice([unit, unit, unit, other])
        to = dice.choice(every)
        lines: tuple[WrittenOrder, ...] = (
            Hold(unit),
            Move(unit, to),
            Move(unit, to, via_convoy=True, route=(dice.choice(every),)),
            Support(unit, other),
            Support(unit, other, to),
            Convoy(unit, other, to),
            Retreat(unit, to),
            Disband(unit),
            Build(unit),
            Waive(),
        )
        yield dice.choice(lines)
