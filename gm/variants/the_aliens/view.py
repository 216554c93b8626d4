"""What everybody may see, which is all of it: ships, transmitters, allowances; the form, and marks for the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gm.art import Art, Emblem, UnitShape
from gm.board import Location, Power
from gm.orders import Order
from gm.orders.notation import short, write_unit
from gm.position import PhaseKind, Position
from gm.turn import Turn
from gm.variants.base import Variant
from gm.variants.standard import STANDARD
from gm.variants.the_aliens.orders import Arrive, Bring, Receive, Send
from gm.variants.the_aliens.state import (
    LANDING,
    TRANSMITTER,
    State,
    alien_board,
    is_free,
    province_of,
    ships_of,
    starting_units,
    units_on_board,
)
from gm.variants.the_aliens.supply import Supply, kinds_to_come, supply_year
from gm.views import Fate, Mark, Section, View

DISH = Emblem(
    meaning="transmitter",
    sign=(
        '<path d="M-5 8 0-3 5 8z" fill="{strong}" stroke="{ink}" stroke-width="1"/>'
        '<path d="M-8-7.500A9 9 0 0 0-8 2M8-7.500A9 9 0 0 1 8 2M-4.500-5.500A5 5 0 0 0-4.500 0M4.500-5.500A5 5 0 0 1'
        ' 4.500 0" fill="none" stroke="{edge}" stroke-width="1.600"/><circle cy="-3.500" r="2.200" fill="{ink}"/>'
    ),
    sample=(
        '<g transform="translate(18 0)"><path d="M-6 10 0-4 6 10z" fill="#777"/>'
        '<path d="M-9-10A10 10 0 0 0-9 2M9-10A10 10 0 0 1 9 2" fill="none" stroke="#777" stroke-width="2"/></g>'
    ),
)

ART = Art(
    units={TRANSMITTER: UnitShape("M-11 11.500 0-12 11 11.500z", letters=5, size=13)},
    leap="by transmitter",
    arrival="arrives",
    unarmed="a transmitter moves",
)


def view(supply: Supply, game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """Nothing is hidden; the sections tell what the standard ones do not."""
    state, phase = State.of(position), position.phase
    seen = STANDARD.view(game, position, turn, seat)
    plain = replace(seen, fates=_FATES, art=ART, site="space with a transmitter")
    if turn is not None and turn.before.phase.kind is LANDING:
        plain = replace(plain, descended=turn.after.units)
    if phase.kind is LANDING:
        return replace(plain, sections=(_ships(state),), hints=_LANDING_HINTS)
    over = turn is not None and turn.victory is not None
    allowances = None if over else _allowances(supply, position, state)
    sections = tuple(filter(None, (_transmitters(position, state), allowances)))
    marks = tuple(Mark(DISH, alien_board().province(p.at), p.power) for p in state.transmitters)
    if seat is None or seat not in state.races:
        return replace(plain, sections=sections, marks=marks)
    form = tuple(_winter_form(supply, position, state, seat)) if phase.kind is PhaseKind.ADJUSTMENT else None
    hints = tuple(_hints(supply, position, state, seat)) if phase.kind is PhaseKind.MOVEMENT else ()
    return replace(plain, sections=sections, marks=marks, form=form, hints=hints)


_FATES = {LANDING: Fate("landed by lot", "their landing places were drawn by lot")}

_LANDING_HINTS = (
    "A list for each ship: land provinces, the best first, each once, as SHIP 1: PAR, BRE, SPA, PIC. A ship is bumped "
    "by another at or next to its place and tries the next; one that has no choice left is placed by lot.",
)


# Sections


def _ships(state: State) -> Section:
    reserve = starting_units(len(state.races)) - len(ships_of(state, state.races[0]))
    more = ", one army in reserve" if reserve else ""
    return Section(
        "Ships aloft", tuple((race, ", ".join(map(write_unit, ships_of(state, race))) + more) for race in state.races)
    )


def _transmitters(position: Position, state: State) -> Section | None:
    rows: list[tuple[str, ...]] = []
    for race in state.races:
        counts = Counter(state.transmitters_of(race))
        if counts:
            named = (
                f"{count} {write_unit(piece)}" if count > 1 else write_unit(piece) for piece, count in counts.items()
            )
            rows.append((race, ", ".join(named)))
    rows += [("", warning) for warning in _guests(position, state)]
    return Section("Transmitters", tuple(rows)) if rows else None


def _guests(position: Position, state: State) -> Iterator[str]:
    """The units that came by transmitter to others' transmitters, and will destroy them (AL-9)."""
    board = alien_board()
    for unit in position.units:
        here = board.province(unit.at)
        hosts = {p.power for p in state.transmitters if province_of(p) == here and p.power != unit.power}
        if here in state.spared and hosts:
            owners = " and ".join(f"{host}'s" for host in sorted(hosts))
            yield f"{unit.power} {write_unit(unit)} destroys {owners} there if it stays another season."


def _allowances(supply: Supply, position: Position, state: State) -> Section:
    """What each race has and may have, and so what is in its reserve."""
    rows = [("Race", "Units", "allowed", "in reserve", "Transmitters", "allowed")]
    for race in state.races:
        own = len(state.transmitters_of(race))
        if not (units_on_board(position, race) or own or position.centers_of(race)):
            continue
        rows.append(
            (
                race,
                f"{units_on_board(position, race):2}",
                f"{supply.units_allowed(position, race):2}",
                f"{max(0, supply.units_to_come(position, race)):2}",
                f"{own:2}",
                f"{supply.transmitters_allowed(position, race):2}",
            )
        )
    return Section(f"Allowances and reserves until Fall {supply_year(position.phase)}", tuple(rows))


# Forms


def _hints(supply: Supply, position: Position, state: State, seat: Power) -> Iterator[str]:
    """What else may be ordered in Spring and Fall."""
    pieces = state.transmitters_of(seat)
    if not pieces:
        return
    reserve, place = supply.units_to_come(position, seat), short(pieces[0].at)
    if reserve > 0:
        kinds = " or ".join(kinds_to_come(position))
        yield f"Reserve: {reserve} ({kinds}). To bring one: A HOME-{place.upper()}, T {place.upper()} (R) HOME."
    if supply.transmitters_to_come(position, seat) > 0:
        yield f"New transmitters: {supply.transmitters_to_come(position, seat)}. To bring one: T {place.upper()} (R) T."


def _winter_form(supply: Supply, position: Position, state: State, seat: Power) -> Iterator[str]:
    """Removals, and what each transmitter could bring."""
    board = alien_board()
    found = supply.leaving(board, position, seat)
    if found.bound:
        yield f"# Removed for certain: {', '.join(map(write_unit, found.bound))}"
    if found.choice:
        yield f"# Remove {found.rest} of: {', '.join(map(write_unit, found.choice))}"
    yield from ["REMOVE"] * found.rest
    surplus = supply.surplus_transmitters(position, seat)
    if surplus:
        yield f"# Give up {surplus} of: {', '.join(map(write_unit, state.transmitters_of(seat)))}"
        yield from ["REMOVE T"] * surplus
    yield from _arrival_lines(supply, position, state, seat)


def _arrival_lines(supply: Supply, position: Position, state: State, seat: Power) -> Iterator[str]:
    units, pieces = max(0, supply.units_to_come(position, seat)), max(0, supply.transmitters_to_come(position, seat))
    offers = [
        at
        for at in dict.fromkeys(p.at for p in state.transmitters_of(seat))
        if pieces or (units and is_free(position, at))
    ]
    if not offers:
        return
    first = short(offers[0])
    ways = [f"T {first} (R) {kind} {first}" for kind in kinds_to_come(position)] if units else []
    ways += [f"T {first} (R) T"] if pieces else []
    yield f"# In reserve: {_counted(units, 'unit')}, {_counted(pieces, 'transmitter')}."
    yield f"# Write {', '.join(ways)} or WAIVE."
    yield from (f"T {short(at)} (R)" for at in offers)


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}" + ("" if number == 1 else "s")


# Cautions


def cautions(supply: Supply, position: Position, power: Power, orders: Sequence[Order]) -> tuple[str, ...]:
    """Orders that are legal and lack what they need from the race's own transmitters."""
    return tuple(_cautions(supply, position, power, orders))


def _cautions(supply: Supply, position: Position, power: Power, orders: Sequence[Order]) -> Iterator[str]:
    board = alien_board()
    arrivals = [order for order in orders if isinstance(order, Arrive)]
    homes = Counter(o.unit.at for o in orders if isinstance(o, Receive) and o.origin.startswith("home"))
    brought = Counter(board.province(order.to) for order in arrivals)
    reserve = max(0, supply.units_to_come(position, power))
    if len(arrivals) > reserve:
        yield f"You ordered {len(arrivals)} arrivals and have {reserve} in reserve; the first given come."
    for place in brought:
        name = short(Location(place))
        if not homes[Location(place)]:
            yield f"Nothing receives what comes to {name}: T {name} (R) Home is missing."
    for at in homes:
        if not brought[board.province(at)]:
            yield f"T {short(at)} (R) Home waits for a unit: A Home-{short(at)} is missing."
    new = [o for o in orders if isinstance(o, Bring) and o.arriving.kind is TRANSMITTER]
    if len(new) > max(0, supply.transmitters_to_come(position, power)):
        yield "You ordered more new transmitters than you may have; the first given come."
    for order in orders:
        if isinstance(order, Send) and not any(
            isinstance(o, Receive) and o.unit.at == order.to and o.origin == order.unit.at for o in orders
        ):
            here, there = short(order.unit.at), short(order.to)
            yield f"T {here} (S) {there} needs T {there} (R) {here}, which is not among your orders."
