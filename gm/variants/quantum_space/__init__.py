"""Quantum Space (1975) and Quantum Space: 3001 (1989): planets, and endless quantum space between them.

What differs from the standard game: `space` (the board), `state` (names and codes of planets, set-up, newcomers),
`orders` (how places are written, what is understood and refused), `army_fleets` and `decks` (those of 3001), `phases`
(adjudication, Winter, victory), `art` (the star chart). This module has what a seat may see, with the words, and the
values of both games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from gm.board import Location, Power, UnitKind
from gm.judge import RULEBOOK_1971
from gm.orders import Convoy, Disband, Move, Order
from gm.orders.notation import short
from gm.orders.possible import ByIdentity
from gm.position import PhaseKind, Position, Unit
from gm.turn import Turn
from gm.variants import Choice, LateEntry, Variant
from gm.variants.game_file import GameFile
from gm.variants.quantum_space import army_fleets, art, phases, state
from gm.variants.quantum_space import orders as plain
from gm.variants.quantum_space.army_fleets import Embark, Land, landing_places, legal_orders, may_embark, unit_at
from gm.variants.quantum_space.space import orbit_above
from gm.variants.quantum_space.state import ARMY_FLEET, FILE, FILE_3001, SAYS, board_of
from gm.variants.standard import STANDARD, game_of, seating, words_of
from gm.views import Neighbourhood, Section, View

TOLD = 40
"""If there are more planets than this, a mail mentions only those that concern its reader, and at most this many."""


def view(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """Nothing is hidden; if there are very many planets, mails mention only those that concern the seat."""
    seen = STANDARD.view(game, position, turn, seat)
    seen = replace(seen, sections=_of_all(ByIdentity(position), seen.powers), hints=_hints(position), art=art.ART)
    return replace(seen, near=_near(seen)) if len(seen.powers) > TOLD else seen


def _near(seen: View) -> Neighbourhood:
    """The planets that concern the seat; for a reader without a power, those on the chart."""
    board = board_of(seen.position)
    if seen.seat in board.planets.codes:
        powers = tuple(power for power, much in state.weightiest(seen, board, TOLD) if much >= state.CONCERN)
    else:
        powers = state.near(seen, board)
    return Neighbourhood(powers, _sections(seen.position, powers))


@lru_cache(maxsize=4)
def _of_all(position: ByIdentity[Position], powers: tuple[Power, ...]) -> tuple[Section, ...]:
    """The sections of a game without `near`, which all readers share."""
    return _sections(position.value, powers)


def _sections(position: Position, shown: Sequence[Power]) -> tuple[Section, ...]:
    codes = state.planets_of(position).codes
    listed = ", ".join(f"{power} ({codes[power].upper()})" for power in shown if power in codes)
    number = SAYS.note("all" if len(shown) >= len(codes) else "some", shown=len(shown), every=len(codes))
    return (Section("Planets", ((number, listed),)),)


def _hints(position: Position) -> tuple[str, ...]:
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    return (SAYS.note("quantum spaces", last="9" * int(position.extra.get("digits", state.MOST_DIGITS))),)


def view_3001(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """As in 1975, with hints for those who can board a fleet or land; at the end, what became of newcomers."""
    seen = view(game, position, turn, seat)
    if turn is not None and turn.victory is not None and (late := state.enlisted(position)):
        own = (SAYS.note("you did not come in"),) if seat in late else ()
        rows = tuple((power, SAYS.note("did not come in")) for power in late)
        return replace(seen, sections=(*seen.sections, Section("Newcomers", rows)), private=(*seen.private, *own))
    if position.phase.kind is not PhaseKind.MOVEMENT or seat is None:
        return seen
    return replace(seen, hints=(*seen.hints, *hints(position, seat)))


def hints(position: Position, power: Power) -> tuple[str, ...]:
    """For the form: orders of the power's units that the standard game does not have."""
    board = board_of(position)
    said = []
    for unit in position.units_of(power):
        fleet = unit_at(board, position, orbit_above(unit.at)) if unit.kind is UnitKind.ARMY else None
        if fleet is not None and may_embark(Embark(unit, fleet)):
            said.append(SAYS.note("boards", unit=unit, fleet=fleet))
        elif unit.kind is ARMY_FLEET and (places := landing_places(unit.at)):
            said.append(SAYS.note("lands", unit=unit, to=places[0]))
    return (SAYS.note("also", orders=said[:3]),) if said else ()


def cautions(position: Position, _power: Power, given: Sequence[Order]) -> tuple[str, ...]:
    """Orders that can only fail beside the others: second boardings, landings without an army aboard or far from where
    the ship is ordered to be, and convoys by a fleet that is boarded.
    """
    boarded: dict[Unit, Embark[Unit]] = {}
    for order in given:
        if isinstance(order, Embark):
            boarded.setdefault(order.fleet, order)
    bound = {order.unit.at: order.to for order in given if type(order) is Move}
    ships = {unit.at for unit in position.units if unit.kind is ARMY_FLEET} | {unit.at for unit in boarded}
    said = []
    for order in given:
        if isinstance(order, Embark) and boarded[order.fleet] is not order:
            said.append(SAYS.note("boards first", order=order, first=boarded[order.fleet].unit))
        if isinstance(order, Land) and order.unit.at not in ships:
            said.append(SAYS.note("needs an army", order=order))
        elif isinstance(order, Land) and not any(order.to in landing_places(at) for at in _ways(bound, order.unit.at)):
            where = ", nor to ".join(map(short, _ways(bound, order.unit.at)))
            said.append(SAYS.note("not next to", order=order, where=where))
        if isinstance(order, Convoy) and order.unit in boarded:
            said.append(SAYS.note("cannot convoy", unit=order.unit))
        if isinstance(order, Disband) and order.unit.kind is UnitKind.FLEET and order.unit.at in ships:
            army = Disband(replace(order.unit, kind=UnitKind.ARMY))
            if army not in given[: given.index(order)]:
                said.append(SAYS.note("army goes first", order=order, army=army))
    return tuple(said)


def _ways(bound: Mapping[Location, Location], at: Location) -> tuple[Location, ...]:
    """Where a ship is, and where it is ordered to go: its army may land next to either (QS-13c)."""
    return tuple(dict.fromkeys((at, bound.get(at, at))))


# The games


def _choice(file: GameFile) -> Choice:
    """The numbers of digits that a gamemaster may allow, highest first (QS-5)."""
    every = range(file.numbers["digits"], 0, -1)
    openings = {digits: partial(state.opening, file, digits=digits) for digits in every}
    ways = {str(digits): partial(replace, opening=opened) for digits, opened in openings.items()}
    return Choice("digits", "how many digits the numbers of quantum spaces may have", ways)


QUANTUM_SPACE = replace(
    game_of(FILE),
    rulebook=RULEBOOK_1971,
    any_rulebook=False,
    seating=replace(seating(FILE), name=state.name_planet),
    language=plain.LANGUAGE,
    opening=partial(state.opening, FILE, digits=state.MOST_DIGITS),
    powers=state.powers_of,
    board=board_of,
    understand=plain.understand,
    offered=plain.offered,
    removals=phases.removals,
    victory=phases.victory_1975,
    goal="more than half of all units, and more than half of all supply centres",
    view=view,
    choices=(_choice(FILE),),
)

QUANTUM_SPACE_3001 = replace(
    QUANTUM_SPACE,
    name=FILE_3001.name,
    title=FILE_3001.title,
    brief=FILE_3001.about,
    rulebook=replace(RULEBOOK_1971, name="1976"),
    seating=replace(QUANTUM_SPACE.seating, late=LateEntry(state.enlist, state.enlisted, state.unlisted, state.arrive)),
    words=words_of(FILE_3001.says()),
    language=army_fleets.LANGUAGE,
    opening=partial(state.opening, FILE_3001, digits=FILE_3001.numbers["digits"]),
    understand=army_fleets.understand,
    offered=army_fleets.offered,
    legal_orders=legal_orders,
    resolve=phases.resolve_3001,
    victory=phases.victory_3001,
    goal=f"more than half of all supply centres, or {FILE_3001.win}, after a Fall",
    view=view_3001,
    cautions=cautions,
    choices=(_choice(FILE_3001),),
)
