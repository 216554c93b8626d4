"""Turns to report on: small positions with everything that a report must be able to show, adjudicated by the judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from urllib.parse import quote
from zoneinfo import ZoneInfo

from gm.advance import advance
from gm.board import Location, Power, Province
from gm.chance import Chance
from gm.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from gm.position import Phase, PhaseKind, Position, Season, Unit, parse_unit
from gm.reports.reader import GameFacts, Reader
from gm.turn import Turn
from gm.variants.standard import STANDARD
from gm.views import View

BERLIN = ZoneInfo("Europe/Berlin")
DUE = datetime(2030, 12, 3, 17, 0, tzinfo=UTC)
GAME = GameFacts("spring", STANDARD.title, {p: f"{p[:3]} Player" for p in STANDARD.seating.powers}, STANDARD.adjectives)


def mailto(subject: str, body: str) -> str:
    """A link as the service makes them."""
    lines = body.replace("\n", "\r\n")
    return f"mailto:gm%2Bspring.abc@example.org?subject={quote(subject)}&body={quote(lines)}"


def reader(power: str | None) -> Reader:
    """A reader in Berlin."""
    return Reader(
        Power(power) if power is not None else None,
        BERLIN,
        "gm+spring.abc@example.org",
        "--- Reply above this line ---",
        mailto,
    )


def position(phase: str, units: Mapping[str, str], centers: Mapping[str, str]) -> Position:
    """`position("S1901M", {"France": "A par, F bre"}, {"France": "par bre"})`."""
    season = {"S": Season.SPRING, "F": Season.FALL, "W": Season.WINTER}[phase[0]]
    kind = {"M": PhaseKind.MOVEMENT, "R": PhaseKind.RETREAT, "A": PhaseKind.ADJUSTMENT}[phase[-1]]
    return Position(
        phase=Phase(int(phase[1:-1]), season, kind),
        units=tuple(parse_unit(f"{power} {unit}") for power, text in units.items() for unit in text.split(", ")),
        centers={Province(code): Power(power) for power, text in centers.items() for code in text.split()},
    )


def order(where: Position, power: str, text: str) -> Order:
    """An order in canonical codes: `A par-bur`, `A par S A mar-bur`, `F nth C A lon-nwy`, `build A par`, `waive`."""
    if text == "waive":
        return Waive(Power(power))
    head, _, rest = text.partition(" ")
    if head == "build":
        return Build(parse_unit(f"{power} {rest}"))
    subject, _, doing = rest.replace("-", " - ", 1).partition(" ")
    unit = parse_unit(f"{power} {head} {subject}")
    verb, _, words = doing.partition(" ")
    match verb:
        case "-":
            target = Location(words.removesuffix(" via"))
            return Move(unit, target, via_convoy=words.endswith(" via"))
        case "R":
            return Retreat(unit, Location(words))
        case "D":
            return Disband(unit)
        case "H":
            return Hold(unit)
    kind_and_place, _, to = words.replace(" - ", "-").partition("-")
    other = _unit_at(where, kind_and_place)
    if verb == "C":
        return Convoy(unit, other, Location(to))
    return Support(unit, other, Location(to) if to else None)


def _unit_at(where: Position, text: str) -> Unit:
    kind, at = text.split()
    return next(unit for unit in where.units if unit.at == at and unit.kind == kind)


@dataclass(frozen=True)
class Scene:
    """A position and the orders given in it."""

    before: Position
    orders: Mapping[str, str]

    def turn(self) -> Turn:
        """The turn as adjudicated."""
        given = {
            Power(power): [order(self.before, power, line) for line in text.split(", ")]
            for power, text in self.orders.items()
        }
        return advance(STANDARD, self.before, given, Chance(bytes(32)))

    def view(self, power: str | None) -> View:
        """What the power sees of it."""
        turn = self.turn()
        return STANDARD.view(STANDARD, turn.after, turn, Power(power) if power is not None else None)


SPRING = Scene(
    position(
        "S1903M",
        {
            "Austria": "A vie, A bud, F tri",
            "England": "F nth, F eng, A lon, A edi",
            "France": "A par, A mar, F mao, F bre",
            "Germany": "A mun, A ruh, A bur, F hol",
            "Italy": "A ven, A tyr, F ion",
            "Russia": "A war, A gal, F stp/sc, A sev",
            "Turkey": "A con, F bla, A bul",
        },
        {
            "Austria": "vie bud tri",
            "England": "lon lvp edi nwy",
            "France": "par mar bre por",
            "Germany": "mun ber kie hol",
            "Italy": "ven rom nap",
            "Russia": "mos war sev stp",
            "Turkey": "con smy ank bul",
        },
    ),
    MappingProxyType(
        {
            "Austria": "A vie-boh, A bud S A vie-gal, F tri-bud",
            "England": "A lon-bel, F eng C A lon-bel, F nth S A lon-bel, A edi-nwy via",
            "France": "A par-bur, A mar S A par-bur, F mao-eng, F bre S F mao-eng",
            "Germany": "A bur-par, A mun-tyr, A ruh S A bur, F hol-nth",
            "Italy": "A ven-tri, A tyr S A ven-tri",
            "Russia": "A gal-vie, A war-gal, F stp/sc-bot, A sev-ank",
        }
    ),
)
"""Bounces, cut and void supports, a disrupted convoy, dislodgements, and Turkey silent."""

RETREATS = Scene(SPRING.turn().after, MappingProxyType({"England": "F eng R iri"}))
"""One retreat ordered, one not."""

FALL = Scene(
    position(
        "F1904M",
        {
            "Austria": "A ser, A bud",
            "England": "F nth, A nwy, F lon, F bel",
            "France": "A par, A mar, F spa/sc",
            "Germany": "A ber",
            "Italy": "A tri, A vie, F ion, A rom",
            "Russia": "A mos, A war, A mun, F swe, F den",
            "Turkey": "A bul, F gre, A con",
        },
        {
            "Austria": "vie bud ser tri",
            "England": "lon lvp edi bel",
            "France": "par mar bre por",
            "Germany": "ber kie mun",
            "Italy": "ven rom nap tun",
            "Russia": "mos war sev stp swe",
            "Turkey": "con smy ank bul",
        },
    ),
    MappingProxyType(
        {
            "Austria": "A bud H, A ser-alb",
            "England": "F nth-hol, A nwy H, F lon-nth, F bel H",
            "France": "A par-pic, A mar H, F spa/sc H",
            "Germany": "A ber-sil",
            "Italy": "A tri H, A vie H, F ion-aeg, A rom H",
            "Russia": "A mun-kie, A war-sil, A mos-war, F den-bal, F swe-den",
            "Turkey": "A bul-ser, F gre H, A con H",
        }
    ),
)
"""Centres change hands in Fall; builds and removals follow."""

WINTER = Scene(
    FALL.turn().after,
    MappingProxyType({"England": "build A lvp, waive", "France": "build F bre, build A par, build A mar"}),
)
"""Builds, a waived build, a surplus one, removals by default."""

LAST_STAND = Scene(
    position(
        "F1908M",
        {"Germany": "A ber", "Turkey": "A mun, A sil, F bal, A pru, A kie", "England": "F nth"},
        {"Germany": "ber", "Turkey": "con smy ank bul", "England": "lon lvp edi"},
    ),
    MappingProxyType(
        {"Germany": "A ber H", "Turkey": "A mun-ber, A sil S A mun-ber, F bal S A mun-ber, A pru H, A kie H"}
    ),
)
"""A power loses its last unit and its last centre; England is silent."""

VICTORY = Scene(
    position(
        "F1910M",
        {"France": "A mun, A ruh, F bre", "Germany": "A ber, F kie", "Turkey": "A ser"},
        {
            "France": "par mar bre por spa bel hol lon lvp edi nwy swe den ven rom nap tun",
            "Germany": "ber kie mun",
            "Turkey": "con smy ank bul rum gre ser bud sev vie tri mos war stp",
        },
    ),
    MappingProxyType({"France": "A mun H, A ruh-hol, F bre-eng", "Germany": "A ber H, F kie H", "Turkey": "A ser H"}),
)
"""France takes its eighteenth centre."""
