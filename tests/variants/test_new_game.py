"""A game defined here, with a kind of unit, a season and a kind of phase that no other game has: nothing in gm is
changed.

Wings fly over every border, by land and by sea, in all movement phases, and in a summer phase that only they have.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, partial
from itertools import chain

import pytest

from gm import variants
from gm.advance import advance
from gm.board import FiniteBoard, Location, Power, TableBoard, Travel, UnitKind, standard_table
from gm.chance import Chance
from gm.commands import COMMANDS
from gm.errors import Ambiguous, GmError, IllegalOrder
from gm.judge.outcomes import Result
from gm.maps.picture import figure
from gm.maps.scene import scene
from gm.orders import Order, WrittenOrder, order_from_json, order_to_json
from gm.orders.notation import write
from gm.orders.possible import NOTHING, Duty, Need, legal_builds
from gm.parsing.command_lines import CommandReader
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.parsing.message import Complaint, parse_message
from gm.parsing.orders import parse_orders
from gm.position import (
    STANDARD_KINDS,
    Kinds,
    Phase,
    PhaseKind,
    Position,
    Season,
    parse_unit,
    position_from_json,
    position_to_json,
)
from gm.reports.answers import Receipt
from gm.reports.bulletins import Bulletin
from gm.reports.game_mails import PhaseReport
from gm.reports.reader import GameFacts, Reader
from gm.reports.render import render
from gm.reports.standing_orders import StandingOrders
from gm.turn import Turn
from gm.variants import Variant
from gm.variants.standard import POWERS, STANDARD
from gm.views import Art, Fate, UnitShape, View
from tests.server.world import World, player, text_of

# ---- the game: what its package in gm/variants would hold

WING = UnitKind("W", "wing", Travel.OWN)
SUMMER = Season("summer", "U")
FLIGHT = PhaseKind(
    "flight",
    "flights",
    letter="G",
    words=("flights",),
    deed="where the wing flies",
    order="a flight such as W {place}-{other}",
)
KINDS = Kinds(
    units=(*STANDARD_KINDS.units, WING),
    seasons=(Season.SPRING, SUMMER, Season.FALL, Season.WINTER),
    phases=(*STANDARD_KINDS.phases, FLIGHT),
    firsts=(*STANDARD_KINDS.firsts, (SUMMER, FLIGHT)),
)
SHAPE = UnitShape("M-12-8 0 10 12-8 0-2z", letters=2, size=11)


class Sky(TableBoard):
    """Europe, where wings cross every border, whichever other kinds can cross it."""

    def may_stand(self, kind: UnitKind, at: Location) -> bool:
        return self.exists(at) and "/" not in at if kind is WING else super().may_stand(kind, at)

    def may_step(self, kind: UnitKind, origin: Location, target: Location) -> bool:
        return target in self.neighbours(kind, origin)

    def neighbours(self, kind: UnitKind, at: Location) -> tuple[Location, ...]:
        if kind is not WING:
            return super().neighbours(kind, at)
        by_sea = (super(Sky, self).neighbours(UnitKind.FLEET, coast) for coast in self.coasts(self.province(at)))
        every = chain(super().neighbours(UnitKind.ARMY, at), *by_sea)
        return tuple(sorted({Location(self.province(to)) for to in every}))


@cache
def sky() -> Sky:
    return Sky("sky", standard_table())


def opening(powers: Iterable[Power], chance: Chance) -> Position:
    """As in the standard game, but with wings in Brest and Munich."""
    del powers
    start = STANDARD.opening(POWERS, chance)
    return replace(start, units=tuple(replace(u, kind=WING) if u.at in ("bre", "mun") else u for u in start.units))


def duty(game: Variant, position: Position, power: Power) -> Duty | None:
    """In summer an order for each wing."""
    if position.phase.kind is not FLIGHT:
        return STANDARD.duty(game, position, power)
    wings = tuple(unit for unit in position.units_of(power) if unit.kind is WING)
    return Duty(wings, things="flights") if wings else None


def needs(board: FiniteBoard, position: Position, power: Power) -> Need:
    """Wings can be built too."""
    return replace(STANDARD.needs(board, position, power), kinds=KINDS.units)


def understand(
    board: FiniteBoard, position: Position, power: Power, written: WrittenOrder, need: Need = NOTHING
) -> Order:
    order = STANDARD.understand(board, position, power, written, need)
    if position.phase.kind is FLIGHT and getattr(order, "unit", None) not in position.units_of(power):
        raise IllegalOrder("Only wings fly in summer.")
    if position.phase.kind is FLIGHT and order.unit.kind is not WING:  # type: ignore[union-attr]
        raise IllegalOrder("Only wings fly in summer.", "Your other units rest.")
    return order


def after_season(phase: Phase) -> tuple[Phase, ...]:
    """Spring is followed by summer, in which wings fly; without wings, by Fall."""
    if phase.season is Season.SPRING:
        return (Phase(phase.year, SUMMER, FLIGHT), Phase(phase.year, Season.FALL, PhaseKind.MOVEMENT))
    if phase.season is SUMMER:
        return (Phase(phase.year, Season.FALL, PhaseKind.MOVEMENT),)
    return STANDARD.after_season(phase)


def view(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    fates = {FLIGHT: Fate("grounded", "their wings stayed on the ground")}
    return replace(STANDARD.view(game, position, turn, seat), art=Art(units={WING: SHAPE}), fates=fates)


GAME = replace(
    STANDARD,
    name="sky",
    title="Wings over Europe",
    language=replace(STANDARD.language, kinds=KINDS),
    board=lambda _: sky(),
    opening=opening,
    duty=duty,
    needs=needs,
    understand=understand,
    after_season=after_season,
    view=view,
)

# ---- played through every package of gm

CHANCE = Chance(bytes(32))
FRANCE, GERMANY = Power("France"), Power("Germany")
FACTS = GameFacts("sky", GAME.title, {}, GAME.adjectives)


def lexicon(position: Position) -> Lexicon:
    spellings = tuple(sorted(GAME.language.spellings(position).items()))
    return lexicon_of(GAME.board(position), GAME.powers(position), GAME.language, spellings)


def ordered(position: Position, power: Power, line: str) -> tuple[Order, ...]:
    """A line as the power means it; every order is kept in the store and read back."""
    board, need = GAME.board(position), GAME.needs(GAME.board(position), position, power)
    written = parse_orders(line, lexicon(position), position.phase.kind)
    orders = [GAME.understand(board, position, power, order, need) for _, order in written]
    stored = json.dumps([order_to_json(order) for order in orders])
    return tuple(order_from_json(value, GAME.language) for value in json.loads(stored))


def play(position: Position, **lines: str) -> Turn:
    """A phase, from a position that has been in the store."""
    stored = json.loads(json.dumps(position_to_json(position)))
    position = position_from_json(stored, GAME.language.kinds)
    return advance(GAME, position, {Power(p): ordered(position, Power(p), line) for p, line in lines.items()}, CHANCE)


def start() -> Position:
    return GAME.opening(POWERS, CHANCE)


def spring() -> Turn:
    return play(start(), France="W BRE-ENG, a mar - spa, A Par H", Germany="wing mun-ruh", England="F LON-ENG")


def summer() -> Turn:
    return play(spring().after, France="W BRE-ENG", Germany="W RUH-HOL")


def winter() -> Position:
    """After a Fall in which France holds Spain with an army, and the Channel with its wing."""
    return play(summer().after, France="W ENG H, A SPA H, A PAR-BUR", Germany="W HOL-RUH").after


def test_a_new_kind_of_unit_is_written_understood_and_judged() -> None:
    turn = spring()
    fought = next(o for o in turn.outcomes if str(o.order.unit) == "England F lon")  # type: ignore[union-attr]
    assert fought.result is Result.BOUNCES
    assert {str(unit) for unit in turn.after.units_of(FRANCE)} == {"France W bre", "France A spa", "France A par"}
    assert write(ordered(start(), FRANCE, "Wing Brest to English Channel")[0]) == "W Bre-Eng"
    with pytest.raises(IllegalOrder, match="W Bre cannot go to Con: it is not adjacent for a wing"):
        ordered(start(), FRANCE, "W BRE-CON")
    with pytest.raises(IllegalOrder, match="There is no fleet in Bre; the unit there is W Bre"):
        ordered(start(), FRANCE, "F BRE-ENG")


def test_a_new_season_has_its_own_phase_and_code() -> None:
    after = spring().after
    assert after.phase.code == "U1901G"
    assert str(after.phase) == "Summer 1901 flight"
    assert KINDS.phase_from_code("U1901G") == after.phase
    assert {p: [str(unit) for unit in d.units] for p, d in GAME.duties(after).items()} == {
        FRANCE: ["France W bre"],
        GERMANY: ["Germany W ruh"],
    }
    with pytest.raises(IllegalOrder, match="Only wings fly"):
        ordered(after, FRANCE, "A SPA-POR")
    turn = summer()
    assert turn.after.phase.code == "F1901M"
    assert {"France W eng", "Germany W hol"} <= {str(unit) for unit in turn.after.units}


def test_complaints_know_the_kind_and_the_phase() -> None:
    said = parse_message("W BRE", lexicon(start()), summer().before.phase).items
    assert isinstance(said[0], Complaint)
    assert "Expected where the wing flies" in str(said[0].error)
    with pytest.raises(GmError, match="a flight such as W PAR-BUR"):
        parse_orders("wobble", lexicon(start()), FLIGHT)
    standard = lexicon_of(STANDARD.board(start()), POWERS)
    with pytest.raises(GmError):
        parse_orders("W PAR-BUR", standard, PhaseKind.MOVEMENT)


def test_wings_are_built_like_other_units() -> None:
    where = winter()
    need = GAME.needs(GAME.board(where), where, FRANCE)
    assert need.count > 0
    assert "Build W Bre" in map(write, legal_builds(GAME.board(where), FRANCE, need))
    built = play(where, France="BUILD W BRE")
    assert parse_unit("France W bre", KINDS) in built.after.units
    with pytest.raises(Ambiguous, match="Build A Bre, Build F Bre or Build W Bre"):
        ordered(where, FRANCE, "BUILD BRE")


def test_reports_and_receipts_tell_of_it() -> None:
    turn = summer()
    seen = GAME.view(GAME, turn.after, turn, FRANCE)
    report = render(PhaseReport(Reader(FRANCE), seen, Bulletin(FACTS, seen.common)))
    assert report.subject.startswith("[sky] F1901M: U1901G results")
    assert "Flight results for Summer of 1901" in report.text
    assert "Wing Brest -> English Channel" in report.text
    assert "W Eng-" in report.text
    silent = play(spring().after, Germany="W RUH-HOL")
    seen = GAME.view(GAME, silent.after, silent, FRANCE)
    told = render(PhaseReport(Reader(FRANCE), seen, Bulletin(FACTS, seen.common)))
    assert "You sent no orders, so their wings stayed on the ground." in " ".join(told.text.split())
    held = StandingOrders(FACTS, Reader(FRANCE), GAME.view(GAME, spring().after, None, FRANCE), ())
    receipt = render(Receipt(Reader(FRANCE), "Re: sky", FACTS, held))
    assert "Without an order, so grounded:" in receipt.text
    assert "Wing Brest" in receipt.text


def test_maps_show_it_in_its_own_shape() -> None:
    turn = summer()
    drawn = scene(GAME.view(GAME, turn.after, turn, None))
    assert [sign.shape for sign in drawn.units].count(SHAPE) == 2
    assert drawn.title == "Summer 1901: flights"
    map_of_it = figure(GAME.view(GAME, turn.after, turn, None))
    assert map_of_it is not None
    assert SHAPE.path in map_of_it.svg()
    assert map_of_it.png.startswith(b"\x89PNG")


# ---- by mail: no list of seasons or kinds is anywhere but in the game


MASTER = "master@example.org"


@pytest.fixture
def seats(world: World, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A game that has begun, on a server whose register has it: the address of each player, and of the gamemaster."""
    others = variants.register()
    monkeypatch.setattr(variants, "register", lambda: (*others, GAME))
    monkeypatch.setattr(COMMANDS, "reader", CommandReader({name: each.syntax for name, each in COMMANDS.items()}))
    return world.started(options="variant=sky")


def flown(world: World, seats: dict[str, str]) -> None:
    """Spring and summer of 1901, each with a flight of France."""
    for line in ("W BRE-ENG", "W ENG-NTH"):
        world.send(player("France"), seats["France"], line)
        world.send(MASTER, seats["GM"], "PROCESS")


def test_phases_of_a_new_season_are_named_in_commands(world: World, seats: dict[str, str]) -> None:
    flown(world, seats)
    assert world.phase() == "F1901M"
    france = partial(world.send, player("France"), seats["France"])
    for name in ("U1901G", "Summer 1901", "flight of Summer 1901"):
        assert "Wing English Channel -> North Sea" in text_of(france(f"HISTORY {name}")), name
    assert "W Eng-Nth moves" in text_of(france("WHY U1901G W ENG-NTH"))
    assert "S1901M" in text_of(france("HISTORY S1901M"))
    again = text_of(world.send(MASTER, seats["GM"], "ROLLBACK U1901G"))
    assert world.phase() == "U1901G", again
    assert "processed" in text_of(world.send(MASTER, seats["GM"], "PROCESS U1901G")) or world.phase() == "F1901M"


def test_orders_are_sent_ahead_for_a_new_season(world: World, seats: dict[str, str]) -> None:
    france = partial(world.send, player("France"), seats["France"])
    said = text_of(france("PHASE U1901G\nIF W Eng\nW ENG-NTH\nELSE\nW BRE-PIC\nENDIF\nENDPHASE"))
    assert "orders for U1901G are stored" in said
    said = text_of(france("W BRE-ENG\n\nSummer 1902: W BRE-PIC"))
    assert "U1902G" in said
    assert "every flight phase" in text_of(france("PHASE FLIGHTS\nW ENG H\nENDPHASE"))
    world.send(MASTER, seats["GM"], "PROCESS")
    assert "W Eng-Nth" in text_of(france("MY ORDERS"))
    late = text_of(france("PHASE S1901M\nW BRE-ENG\nENDPHASE"))
    assert "S1901M is over, and U1901G is being played." in late
    assert "It is kept: the gamemaster can still let it count for S1901M" in late


def test_a_heading_names_a_new_season(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], "PROCESS")
    france = partial(world.send, player("France"), seats["France"])
    for heading in ("Summer 1901:", "U1901G:", "Summer 1901 flights:"):
        assert "W Bre-Pic" in text_of(france(f"{heading}\nW BRE-PIC")), heading
    assert "S1901M" in text_of(france("Spring 1901: W BRE-ENG"))
    assert "W Bre-Pic" in text_of(france("MY ORDERS"))
