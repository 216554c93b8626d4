"""...It Came from Outer Space!: empires beam their armies from orbit to an empty Europe (OS-1 to OS-17).

What differs from the standard game: `state` (names and codes of empires, the board with its orbits, set-up, what the
position stores), `orders` (beaming, colonizing), `phases` (adjudication, the end of a season, builds and removals).
This module has what a seat may see, with the words, and the value itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

from gm.board import FiniteBoard, Location, Power, UnitKind
from gm.judge.outcomes import Outcome
from gm.orders.notation import short, write, write_unit
from gm.position import PhaseKind, Position, Unit, parse_unit
from gm.turn import Event, Turn
from gm.variants import Variant
from gm.variants.outer_space.orders import LANGUAGE, WHOLE_LIST, Colonize, legal_orders, merge, surplus, understand
from gm.variants.outer_space.phases import (
    COLONIZED,
    DISSOLVED,
    NOT_COLONIZED,
    end_of_season,
    needs,
    removals,
    resolve,
    victory,
)
from gm.variants.outer_space.state import (
    FILE,
    ROOM,
    OrbitBoard,
    board_of,
    codes_of,
    colonies_of,
    eliminated,
    empires_of,
    in_orbit,
    name_empire,
    opening,
)
from gm.variants.standard import STANDARD, game_of, seating, words_of
from gm.views import Art, Deed, Emblem, Mark, Section, Surface, View

COLONY = Emblem(
    meaning="colony",
    sign=(
        '<path d="M-12-8V8" stroke="{ink}" stroke-width="1.600"/>'
        '<path d="M-12-8H12L8.500-2.500 12 3H-12z" fill="{strong}" stroke="{ink}" stroke-width=".9"/>'
        '<text class="tag" font-size="10.500" x="-1.500" y="1.200" fill="{letters}">{tag}</text>'
    ),
    sample=(
        '<rect y="-12" width="36" height="24" fill="#f5efdf"/>'
        '<path d="M0 0 12-12M0 12 24-12M12 12 36-12M24 12 36 0" stroke="#777" stroke-width="3" opacity=".6"/>'
        '<path d="M8-10V11" stroke="#22262b" stroke-width="1.800"/><path d="M8-10H32L27-4 32 3H8z" fill="#777"/>'
    ),
    ground=Surface(striped=True),
)

ART = Art(
    arrival="beams down",
    departure="beams up",
    aboard="army in orbit",
    deeds={Colonize: Deed("colonizes", attrgetter("target"))},
)


def view(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """Nothing is hidden: everybody sees colonies and armies in orbit."""
    seen = STANDARD.view(game, position, turn, seat)
    colonies = colonies_of(position)
    return replace(
        seen,
        sections=_sections(game.board(position), position),
        hints=_hints(board_of(position), position, seat),
        marks=tuple(Mark(COLONY, province, power) for province, power in sorted(colonies.items())),
        site="colonized centre",
        art=ART,
        lists=dict.fromkeys(board_of(position).orbits.values(), WHOLE_LIST),
    )


def _sections(board: FiniteBoard, position: Position) -> tuple[Section, ...]:
    colonies: dict[Power, list[str]] = {}
    for province, power in sorted(colonies_of(position).items()):
        colonies.setdefault(power, []).append(board.full_name(Location(province)))
    rows = tuple((power, ", ".join(sorted(colonies[power]))) for power in sorted(colonies))
    return (
        Section("Colonies", rows or (("Nobody has a colony.",),)),
        Section("Spacecraft in orbit", tuple(_spacecraft(position))),
    )


def _spacecraft(position: Position) -> list[tuple[str, ...]]:
    """The spacecraft by number of armies on board, with the empires' codes."""
    codes, out = codes_of(position), eliminated(position)
    crews = {power: sum(map(in_orbit, position.units_of(power))) for power in codes if power not in out}
    rows: list[tuple[str, ...]] = []
    for number in range(ROOM, -1, -1):
        names = [f"{power} ({codes[power].upper()})" for power, crew in crews.items() if crew == number]
        if names:
            word = "Empty" if not number else f"{number} {'army' if number == 1 else 'armies'}"
            rows.append((word, ", ".join(names)))
    return rows


def _hints(board: OrbitBoard, position: Position, seat: Power | None) -> tuple[str, ...]:
    """Orders that are possible besides moves, with a unit of the seat's own as the example."""
    if seat is None or position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    units = position.units_of(seat)
    hints = ["From orbit: A Orb- and a land province; or A Orb H."] if any(map(in_orbit, units)) else []
    ground = next((unit for unit in units if board.colonizable(unit)), None)
    if ground is not None:
        hints.append(f"To colonize: {', '.join(_colonizing(board, ground))}.")
    army = next((unit for unit in units if unit.kind is UnitKind.ARMY and not in_orbit(unit)), None)
    return (*hints, f"To beam up: {write_unit(army)}-Orb.") if army is not None else tuple(hints)


def _colonizing(board: OrbitBoard, unit: Unit) -> list[str]:
    """Two lines at most that order the unit to colonize: where it is, if that can be colonized, and elsewhere."""
    name, here = write_unit(unit), board.province(unit.at)
    open_to_it = board.colonizable(unit)
    lines = [f"{name} COL (where it is)"] if here in open_to_it else []
    return lines + [f"{name} COL {short(Location(to))}" for to in open_to_it[-1:] if to != here]


# words


# Reasons


def _fails(outcome: Outcome) -> str:
    return f"{write(outcome.order)} fails: {_in_the_way(outcome.facts.own)}"


def _in_the_way(facts: Mapping[str, Any]) -> str:
    if "occupant" in facts:
        return f"{facts['occupant']} stands there"
    return f"{' and '.join(facts['rivals'])} tried for it too"


# Events


def _colonized(event: Event, view: View) -> str:
    empire = event.facts["empire"]
    places = (
        view.board.full_name(Location(province)) + _since(owner, empire) for province, owner in event.facts["provinces"]
    )
    again = ", but has no centre: neutral again at once (OS-14)" if event.facts.get("neutral") else ""
    return f"{empire} colonizes {', '.join(places)}{again}."


def _since(owner: str | None, empire: str) -> str:
    """The former owner of the colony, if there was one."""
    if owner is None:
        return ""
    return " (its colony already)" if owner == empire else f" (until now {owner}'s)"


def _not_colonized(event: Event, view: View) -> str:
    place = view.board.full_name(Location(event.facts["province"]))
    return f"{event.facts['empire']} does not colonize {place}: {_in_the_way(event.facts)}."


def _dissolved(event: Event, view: View) -> str:
    facts = event.facts
    units = Counter(write_unit(parse_unit(text)) for text in facts["units"])
    gone = ", ".join(f"{number} {name}" if number > 1 else name for name, number in units.items())
    places = sorted(view.board.full_name(Location(at)) for at in facts["colonies"])
    neutral = f"; neutral again: {', '.join(places)}" if places else ""
    return f"{facts['empire']} has no centre after Fall and is out; disbanded: {gone}{neutral} (OS-14)."


WORDS = words_of(
    FILE,
    eliminated="without a centre",
    removals="units on the ground first, farthest from an own centre that is a colony (OS-13)",
    reasons={NOT_COLONIZED: _fails},
    events={COLONIZED: _colonized, NOT_COLONIZED: _not_colonized, DISSOLVED: _dissolved},
)

# The game


OUTER_SPACE = replace(
    game_of(FILE),
    seating=replace(seating(FILE), name=name_empire),
    words=WORDS,
    language=LANGUAGE,
    opening=opening,
    powers=empires_of,
    board=board_of,
    needs=needs,
    understand=understand,
    merge=merge,
    surplus=surplus,
    legal_orders=legal_orders,
    resolve=resolve,
    removals=removals,
    end_of_season=end_of_season,
    victory=victory,
    view=view,
)
