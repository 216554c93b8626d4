"""Views to draw: the opening, a Fall with everything that can happen, the phases after it, and what a game may add."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

from gm.advance import advance
from gm.board import Location, Power, Province, UnitKind
from gm.chance import Chance
from gm.judge.outcomes import Outcome, Result
from gm.orders import Move
from gm.position import Phase, PhaseKind, Position, Season, Unit
from gm.turn import Turn
from gm.variants.standard import STANDARD
from gm.views import Emblem, Mark, Surface, View
from tests.reports.scenes import order, position

CHANCE = Chance(b"maps are drawn by no lot")

UNITS = {
    "Austria": "A vie, A bud, A tri, F adr",
    "England": "F nth, F nwg, F eng, A yor, F lon, A edi",
    "France": "A par, A bur, A mar, F bre, F mao, A spa",
    "Germany": "A mun, A ruh, A kie, F den, A ber, F hol",
    "Italy": "A ven, A rom, F ion, F tys, A tun",
    "Russia": "A war, A mos, F sev, F stp/sc, A lvn, A rum",
    "Turkey": "A con, A bul, F bla, F aeg, A smy",
}
CENTERS = {
    "Austria": "vie bud tri",
    "England": "lon edi lvp nwy",
    "France": "par mar bre spa por",
    "Germany": "mun kie ber den hol",
    "Italy": "ven rom nap tun",
    "Russia": "war mos sev stp rum",
    "Turkey": "con smy ank bul",
}
FALL_ORDERS = {
    "Austria": ["A vie-tyr", "A bud-ser", "A tri S A bud-ser", "F adr-tri"],
    "England": ["F nth C A yor-bel", "A yor-bel", "F eng S A yor-bel", "F nwg-bar", "F lon S F nth", "A edi H"],
    "France": ["A par-pic", "A bur-mun", "A mar S A bur", "F bre-eng", "F mao S F bre-eng", "A spa-por"],
    "Germany": ["A mun-bur", "A ruh S A mun-bur", "A kie S A ber-mun", "A ber-mun", "F den-ska", "F hol S A ruh-bel"],
    "Italy": ["A ven-tyr", "A rom-ven", "F ion C A tun-gre", "A tun-gre", "F tys-wes"],
    "Russia": ["A war-gal", "A mos-ukr", "F sev-bla", "F stp/sc-bot"],
    "Turkey": ["A con-bul", "A bul-rum", "F bla S A bul-rum", "F aeg-gre", "A smy-con"],
}
RETREATS = {"England": ["F eng R iri"], "France": ["A bur D"]}
WINTER_UNITS = {
    "Austria": "A ser, F adr",
    "England": "F nth, A yor, A edi, F nwy, A wal",
    "Germany": "A mun, F hol",
    "Russia": "A war, F sev",
}
WINTER_CENTERS = {
    "Austria": "vie bud tri ser",
    "England": "lon edi nwy",
    "Germany": "mun kie ber hol",
    "Russia": "stp sev war",
}
WINTER_ORDERS = {
    "Austria": ["build A vie", "build F tri"],
    "England": ["A wal D"],
    "Germany": ["build F ber"],
    "Russia": ["build F stp/nc"],
}


def played(before: Position, orders: Mapping[str, Iterable[str]]) -> Turn:
    """A phase adjudicated."""
    given = {Power(power): tuple(order(before, power, text) for text in texts) for power, texts in orders.items()}
    return advance(STANDARD, before, given, CHANCE)


def seen(turn: Turn) -> View:
    """A turn as everybody sees it."""
    return STANDARD.view(STANDARD, turn.after, turn, None)


@cache
def opening() -> View:
    """Spring 1901, no orders yet."""
    return STANDARD.view(STANDARD, STANDARD.opening(STANDARD.seating.powers, CHANCE), None, None)


@cache
def fall() -> Turn:
    """Every kind of order, with every kind of outcome."""
    return played(position("F1903M", UNITS, CENTERS), FALL_ORDERS)


@cache
def retreats() -> Turn:
    """One unit retreats and one is disbanded."""
    return played(fall().after, RETREATS)


@cache
def winter() -> Turn:
    """Builds, a removal that was ordered and a removal by default."""
    return played(position("W1903A", WINTER_UNITS, WINTER_CENTERS), WINTER_ORDERS)


@cache
def destroyed() -> Turn:
    """A dislodged unit that cannot retreat."""
    units = {"Austria": "A pie, A tyr", "Italy": "A ven", "Turkey": "A apu, A rom, A tus, F adr, A tri"}
    orders = {"Austria": ["A pie-ven", "A tyr S A pie-ven"]}
    return played(position("F1901M", units, {"Italy": "ven"}), orders)


# What a game may add

VOID = Emblem(
    ground=Surface(paint="url(#v)", defs='<linearGradient id="v"><stop offset="0"/></linearGradient>', tone="dark")
)
CLAIM = Emblem("claim", '<path d="M0 0H9V9z" fill="{strong}"/><text>{tag}</text>', "<path/>", Surface(striped=True))
GATE = Emblem("gate", '<circle r="6" stroke="{edge}" fill="{letters}"/>', "<circle/>")


class Holed:
    """The standard board without some of its provinces."""

    def __init__(self, gone: Iterable[str]) -> None:
        whole = opening().board
        self.provinces = tuple(p for p in whole.provinces if p not in gone)
        self.centers = tuple(p for p in whole.centers if p not in gone)
        self._whole = whole

    def __getattr__(self, name: str) -> object:
        return getattr(self._whole, name)


def voids() -> View:
    """Three provinces are no more."""
    gone = ("par", "ion", "ukr")
    view = opening()
    standing = tuple(unit for unit in view.position.units if unit.at not in gone)
    return replace(
        view,
        board=Holed(gone),  # type: ignore[arg-type]
        position=replace(view.position, units=standing),
        marks=tuple(Mark(VOID, Province(code)) for code in gone),
    )


@dataclass(frozen=True)
class Leap(Move[Unit]):
    """A move that crosses no border, between the sheet and beyond or between two places on the sheet."""

    crosses_border: ClassVar[bool] = False


def claims(count: int) -> View:
    """Powers with a centre each and armies beyond the sheet; each has one move onto it that succeeds, all
    others fail.
    """
    view = opening()
    land = [p for p in view.board.provinces if view.board.terrain(p).value != "sea"]
    powers = tuple(Power(f"Power {number:02}") for number in range(count))
    standing, before, outcomes, marks = [], [], [], []
    for number, power in enumerate(powers):
        beyond, place = Location(f"far.p{number:02}"), Location(land[number % len(land)])
        away, down = Unit(power, UnitKind.ARMY, beyond), Unit(power, UnitKind.ARMY, place)
        before += [away, away]
        standing += [away, away if number % 2 else down]
        outcomes.append(Outcome(Leap(away, place), Result.BOUNCES if number % 2 else Result.SUCCEEDS))
        marks.append(Mark(CLAIM, Province(place), power))
    after = Position(Phase(1901, Season.FALL, PhaseKind.MOVEMENT), tuple(standing), {})
    earlier = replace(after, phase=Phase(1901, Season.SPRING, PhaseKind.MOVEMENT), units=tuple(before))
    turn = Turn(earlier, {}, tuple(outcomes), after)
    return View(None, view.board, powers, after, {}, {}, view.words, turn, marks=tuple(marks))


def gates() -> View:
    """An army moves from gate to gate; two powers have gates in one province, and a claim in another."""
    view = opening()
    one, two = Power("Alpha"), Power("Beta")
    there, sent = Unit(one, UnitKind.ARMY, Location("gre")), Unit(one, UnitKind.ARMY, Location("mar"))
    after = Position(Phase(1901, Season.FALL, PhaseKind.MOVEMENT), (there,), {})
    before = replace(after, phase=Phase(1901, Season.SPRING, PhaseKind.MOVEMENT), units=(sent,))
    turn = Turn(before, {}, (Outcome(Leap(sent, there.at), Result.SUCCEEDS),), after)
    marks = (
        *(Mark(GATE, Province("gre"), power) for power in (one, two)),
        Mark(GATE, Province("mar"), one),
        Mark(CLAIM, Province("mar"), two),
    )
    return View(None, view.board, (one, two), after, {}, {}, view.words, turn, marks=marks)
