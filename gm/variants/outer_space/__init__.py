"""...It Came from Outer Space!: empires beam their armies from orbit to an empty Europe (OS-1 to OS-17).

What differs from the standard game: `state` (names and codes of empires, the board with its orbits, set-up, what the
position stores), `orders` (beaming, colonizing), `phases` (adjudication, the end of a season, builds and removals).
This module has what a seat may see, with the words, and the value itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

from gm.board import FiniteBoard, Location, Power, UnitKind
from gm.orders.notation import write_unit
from gm.position import PhaseKind, Position, Unit, parse_unit
from gm.turn import Event, Turn
from gm.variants import Variant
from gm.variants.outer_space import orders, phases, state
from gm.variants.outer_space.orders import WHOLE_LIST, Colonize
from gm.variants.outer_space.state import FILE, ROOM, SAYS, OrbitBoard, board_of, in_orbit
from gm.variants.standard import STANDARD, game_of, seating, words_of
from gm.views import Art, Deed, Mark, Section, View

ART = Art(
    arrival="beams down",
    departure="beams up",
    aboard="army in orbit",
    deeds={Colonize: Deed("colonizes", attrgetter("target"))},
)


def view(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """Nothing is hidden: everybody sees colonies and armies in orbit."""
    seen = STANDARD.view(game, position, turn, seat)
    colonies = state.colonies_of(position)
    return replace(
        seen,
        sections=_sections(game.board(position), position),
        hints=tuple(_hints(board_of(position), position, seat)),
        marks=tuple(Mark(FILE.signs["colony"], province, power) for province, power in sorted(colonies.items())),
        site="colonized centre",
        art=ART,
        lists=dict.fromkeys(board_of(position).orbits.values(), WHOLE_LIST),
    )


def _sections(board: FiniteBoard, position: Position) -> tuple[Section, ...]:
    colonies: dict[Power, list[str]] = {}
    for province, power in sorted(state.colonies_of(position).items()):
        colonies.setdefault(power, []).append(board.full_name(Location(province)))
    rows = tuple((power, ", ".join(sorted(colonies[power]))) for power in sorted(colonies))
    return (
        Section("Colonies", rows or (("Nobody has a colony.",),)),
        Section("Spacecraft in orbit", tuple(_spacecraft(position))),
    )


def _spacecraft(position: Position) -> list[tuple[str, ...]]:
    """The spacecraft by number of armies on board, with the empires' codes."""
    codes, out = state.codes_of(position), state.eliminated(position)
    crews = {power: sum(map(in_orbit, position.units_of(power))) for power in codes if power not in out}
    rows: list[tuple[str, ...]] = []
    for number in range(ROOM, -1, -1):
        names = [f"{power} ({codes[power].upper()})" for power, crew in crews.items() if crew == number]
        if names:
            rows.append((SAYS.note("crew" if number else "no crew", number=number), ", ".join(names)))
    return rows


def _hints(board: OrbitBoard, position: Position, seat: Power | None) -> Iterator[str]:
    """Orders that are possible besides moves, with a unit of the seat's own as the example."""
    if seat is None or position.phase.kind is not PhaseKind.MOVEMENT:
        return
    units = position.units_of(seat)
    if any(map(in_orbit, units)):
        yield SAYS.note("from orbit")
    ground = next((unit for unit in units if board.colonizable(unit)), None)
    if ground is not None:
        yield SAYS.note("colonize", lines=list(_colonizing(board, ground)))
    army = next((unit for unit in units if unit.kind is UnitKind.ARMY and not in_orbit(unit)), None)
    if army is not None:
        yield SAYS.note("beam up", unit=army)


def _colonizing(board: OrbitBoard, unit: Unit) -> Iterator[str]:
    """Two lines at most that order the unit to colonize: where it is, if that can be colonized, and elsewhere."""
    here, places = board.province(unit.at), board.colonizable(unit)
    if here in places:
        yield SAYS.note("here", unit=unit)
    if places[-1] != here:
        yield SAYS.note("there", unit=unit, to=places[-1])


# words


def _colonized(event: Event, _: View) -> str:
    empire = event.facts["empire"]
    whose = {None: "nobody's", empire: "its own"}
    former = ((place, owner, whose.get(owner, "another's")) for place, owner in event.facts["provinces"])
    places = (SAYS.note(kind, place=place, owner=owner) for place, owner, kind in former)
    return SAYS.note(
        "colonized in vain" if event.facts.get("neutral") else phases.COLONIZED, empire=empire, places=places
    )


def _in_the_way(facts: Mapping[str, Any]) -> str:
    return SAYS.note("occupied" if "occupant" in facts else "rivals", **facts)


def _dissolved(event: Event, view: View) -> str:
    facts = event.facts
    units = Counter(write_unit(parse_unit(text)) for text in facts["units"])
    gone = (f"{number} {name}" if number > 1 else name for name, number in units.items())
    places = sorted(view.board.full_name(Location(at)) for at in facts["colonies"])
    neutral = SAYS.note("neutral", places=places) if places else ""
    return SAYS.note(phases.DISSOLVED, empire=facts["empire"], gone=gone, neutral=neutral)


WORDS = words_of(
    SAYS,
    eliminated="without a centre",
    removals="units on the ground first, farthest from an own centre that is a colony (OS-13)",
    reasons={phases.NOT_COLONIZED: lambda one: SAYS.note("fails", order=one.order, fault=_in_the_way(one.facts.own))},
    events={
        phases.COLONIZED: _colonized,
        phases.NOT_COLONIZED: lambda one, _: SAYS.note(phases.NOT_COLONIZED, **one.facts, fault=_in_the_way(one.facts)),
        phases.DISSOLVED: _dissolved,
    },
)

# The game


OUTER_SPACE = replace(
    game_of(FILE),
    seating=replace(seating(FILE), name=state.name_empire),
    words=WORDS,
    language=orders.LANGUAGE,
    opening=state.opening,
    powers=state.empires_of,
    board=board_of,
    needs=phases.needs,
    understand=orders.understand,
    merge=orders.merge,
    surplus=orders.surplus,
    legal_orders=orders.legal_orders,
    resolve=phases.resolve,
    removals=phases.removals,
    end_of_season=phases.end_of_season,
    victory=phases.victory,
    view=view,
)
