"""What everybody may see (in this game, everything): ships, transmitters, allowances; the form, marks, words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from gm.board import Location, Power, UnitKind
from gm.judge.outcomes import Outcome
from gm.orders import Move, Order
from gm.orders.notation import short, write, write_unit
from gm.orders.possible import NOTHING
from gm.position import PhaseKind, Position, Unit, parse_unit
from gm.turn import Event, Turn, ends_game
from gm.variants import Variant
from gm.variants.standard import STANDARD, words_of
from gm.variants.the_aliens import phases, supply, transmitters, winter
from gm.variants.the_aliens.orders import Bring, Land, Receive, Relay, Send, legal_orders
from gm.variants.the_aliens.state import (
    FILE,
    HOME,
    KINDS,
    LANDING,
    TRANSMITTER,
    State,
    alien_board,
    is_home,
    province_of,
    ships_of,
    starting_units,
    units_on_board,
)
from gm.views import Art, Deed, Emblem, Fate, Mark, Section, UnitShape, View

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
    units={TRANSMITTER: UnitShape("M-20.500 16 0-17 20.500 16z", letters=7, size=16)},
    leap="by transmitter",
    arrival="arrives",
    unarmed="a transmitter moves",
    deeds={Send: Deed("relays"), Receive: Deed("relays"), Bring: Deed("brings")},
)


def _descended(turn: Turn) -> Mapping[Order, Unit]:
    """The army that each ship put ashore, by the ship's list."""
    landed = [(one.order, one.facts.own) for one in turn.outcomes if one.facts.why == phases.LANDED]
    return {
        order: Unit(order.unit.power, UnitKind.ARMY, Location(own["at"]))
        for order, own in landed
        if isinstance(order, Land)
    }


def view(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """Nothing is hidden; the sections show what the standard ones do not."""
    state, phase = State.of(position), position.phase
    seen = STANDARD.view(game, position, turn, seat)
    plain = replace(seen, fates=_FATES, art=ART, site="space with a transmitter")
    if turn is not None and turn.before.phase.kind is LANDING:
        plain = replace(plain, descended=_descended(turn))
    if phase.kind is LANDING:
        return replace(plain, sections=(_ships(state),), hints=_LANDING_HINTS)
    over = ends_game(turn)
    allowances = None if over else _allowances(position, state)
    sections = tuple(filter(None, (_transmitters(position, state), allowances)))
    marks = tuple(Mark(DISH, alien_board().province(p.at), p.power) for p in state.transmitters)
    if seat is None or seat not in state.races:
        return replace(plain, sections=sections, marks=marks)
    form = tuple(_winter_form(position, state, seat)) if phase.kind is PhaseKind.ADJUSTMENT else None
    hints = tuple(_hints(position, state, seat)) if phase.kind is PhaseKind.MOVEMENT else ()
    return replace(plain, sections=sections, marks=marks, form=form, hints=hints)


_FATES = {LANDING: Fate("landed at random", "their landing places were drawn at random")}

_LANDING_HINTS = (
    "A list for each ship: land provinces, the best first, each once, as SHIP 1: PAR, BRE, SPA, PIC. A ship is bumped "
    "by another at or next to its place and tries the next; one that has no choice left is placed at random.",
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
    rows += [("At risk", warning) for warning in _guests(position, state)]
    return Section("Transmitters", tuple(rows)) if rows else None


def _guests(position: Position, state: State) -> Iterator[str]:
    """The units that came by transmitter into the spaces of others' transmitters, and will destroy these (AL-9)."""
    board = alien_board()
    for unit in position.units:
        here = board.province(unit.at)
        hosts = {p.power for p in state.transmitters if province_of(p) == here and p.power != unit.power}
        if here in state.spared and hosts:
            owners = " and ".join(f"{host}'s" for host in sorted(hosts))
            yield f"{unit.power} {write_unit(unit)} destroys {owners} there if it stays another season."


def _allowances(position: Position, state: State) -> Section:
    """For each race, what it has and may have, and what is in its reserve."""
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
    return Section(f"Allowances and reserves until Fall {supply.supply_year(position.phase)}", tuple(rows), headed=True)


# Forms


def _hints(position: Position, state: State, seat: Power) -> Iterator[str]:
    """Other orders that are possible in Spring and Fall."""
    pieces = state.transmitters_of(seat)
    if not pieces:
        return
    reserve, place = supply.units_to_come(position, seat), short(pieces[0].at)
    if reserve > 0:
        kinds = " or ".join(supply.kinds_to_come(position))
        yield f"Reserve: {reserve} ({kinds}). To bring one: A HOME-{place.upper()}, T {place.upper()} (R) HOME."
    if supply.transmitters_to_come(position, seat) > 0:
        yield f"New transmitters: {supply.transmitters_to_come(position, seat)}. To bring one: T {place.upper()} (R) T."


def _winter_form(position: Position, state: State, seat: Power) -> Iterator[str]:
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
        yield from ["REMOVE"] * surplus
    yield from _arrival_lines(position, state, seat)


def _arrival_lines(position: Position, state: State, seat: Power) -> Iterator[str]:
    board = alien_board()
    units, pieces = max(0, supply.units_to_come(position, seat)), max(0, supply.transmitters_to_come(position, seat))
    stay = len(state.transmitters_of(seat)) - supply.surplus_transmitters(position, seat)
    if not stay or not (units or pieces):
        return
    offers = {
        piece.at: dict.fromkeys(order for order in legal_orders(board, position, piece, NOTHING))
        for piece in state.transmitters_of(seat)
    }
    lines = [(at, [write(order) for order in orders if isinstance(order, Bring)]) for at, orders in offers.items()]
    if not any(ways for _, ways in lines):
        return
    yield f"# In reserve: {_counted(units, 'unit')}, {_counted(pieces, 'transmitter')}."
    for at, ways in lines:
        if ways:
            yield f"# {', '.join(ways)}"
            yield f"T {short(at)} (R)"
    yield "# Or WAIVE."


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}" + ("" if number == 1 else "s")


# words


Facts = Mapping[str, Any]


def _unit(text: str) -> Unit:
    return parse_unit(text, KINDS)


def _whose(text: str) -> str:
    """`Alpha A Spa`."""
    unit = _unit(text)
    return f"{unit.power} {write_unit(unit)}"


def _place(code: str) -> str:
    return short(Location(code))


# Landing


def _landed(outcome: Outcome) -> str:
    assert isinstance(outcome.order, Land)
    facts = outcome.facts.own
    tale = f"{write_unit(outcome.order.unit)} lands in {_place(facts['at'])}{' at random' if facts['by_lot'] else ''}"
    bumps = "; ".join(map(_bump, facts["bumps"]))
    return f"{tale}; bumped from {bumps}" if bumps else tale


def _by_lot(outcome: Outcome) -> str:
    """A ship that was bumped from all its choices, or had none, is where nobody sent it (AL-2)."""
    return "placed at random" if outcome.facts.own["by_lot"] else ""


def _bump(bump: Facts) -> str:
    others = (f"{_whose(ship)} {'at' if down else 'for'} {_place(place)}" for ship, place, down in bump["by"])
    return f"{_place(bump['from'])} ({', '.join(others)})"


def _drawn(event: Event, _: View) -> str:
    facts = event.facts
    began = "came to the end of its list" if facts["listed"] else "had no list"
    return f"{_whose(facts['ship'])} {began}; drawn at random: {', '.join(map(_place, facts['places']))}."


# Going by transmitter


def _not_sent(outcome: Outcome) -> str:
    order, facts = outcome.order, outcome.facts.own
    assert isinstance(order, Move)
    origin = order.route[0] if isinstance(order, Relay) else order.unit.at
    lacking = _who_lacks(facts, origin, order.to)
    return f"{write(order)} is void: {_fault(outcome)}{f' ({lacking})' if lacking else ''}"


def _who_lacks(facts: Facts, origin: Location, to: Location) -> str:
    """Who of sender, receiver and unit did not agree (AL-10); "" in turns that do not say so."""
    here, there = short(origin), short(to)
    said = {
        transmitters.SENDER: f"no transmitter in {here} sends to {there}",
        transmitters.RECEIVER: f"no transmitter in {there} receives from {here}",
        transmitters.UNIT: f"no unit was to be sent from {here} to {there}",
    }
    return ", and ".join(said[one] for one in facts.get("lacking", ()))


# Transmitters


def _not_moved(outcome: Outcome) -> str:
    return _with_its_end(outcome, f"{write(outcome.order)} fails: {_fault(outcome)}")


def _no_new(outcome: Outcome) -> str:
    assert isinstance(outcome.order, Bring)
    return _with_its_end(outcome, f"No transmitter arrives in {short(outcome.order.unit.at)}: {_fault(outcome)}")


def _unanswered(outcome: Outcome) -> str:
    order, facts = outcome.order, outcome.facts.own
    assert isinstance(order, Send | Receive)
    way = (order.unit.at, order.to) if isinstance(order, Send) else (order.origin, order.unit.at)
    if isinstance(order, Receive) and is_home(order.origin):
        why = f"no unit came from {HOME.capitalize()} for it"
    else:
        why = _who_lacks(facts, *way) or "not all agreed to it"
    return _with_its_end(outcome, f"{write(order)} is void: {why}")


def _in_vain(outcome: Outcome) -> str:
    return _with_its_end(outcome, f"{write(outcome.order)} had no effect: the unit did not get through")


def _fault(outcome: Outcome) -> str:
    by = outcome.facts.own.get("by", ())
    said: str = FILE.sentences["faults"][outcome.facts.own["fault"]]
    return said.format(by=_whose(by) if isinstance(by, str) else " and ".join(by))


def _with_its_end(outcome: Outcome, said: str) -> str:
    return f"{said}; {_end(outcome)}" if "destroyer" in outcome.facts.own else said


def _end(outcome: Outcome) -> str:
    facts = outcome.facts.own
    return f"{write_unit(_unit(facts['destroyed']))} is destroyed by {_whose(facts['destroyer'])}"


def _destroyed(event: Event, _: View) -> str:
    piece, count = _unit(event.facts["transmitter"]), event.facts["count"]
    lost = f"{count} {write_unit(piece)} were" if count > 1 else f"{write_unit(piece)} was"
    return f"{piece.power}'s {lost} destroyed by {_whose(event.facts['by'])}."


# Arrivals in Winter


def _not_arrived(outcome: Outcome) -> str:
    assert isinstance(outcome.order, Bring)
    return f"{write_unit(outcome.order.arriving)} does not arrive: {_fault(outcome)}"


WORDS = words_of(
    FILE.says(),
    marks={phases.LANDED: _by_lot},
    removals="nearest to a transmitter of its own (AL-13)",
    reasons={
        phases.LANDED: _landed,
        transmitters.NOT_SENT: _not_sent,
        transmitters.NOT_MOVED: _not_moved,
        transmitters.NO_NEW: _no_new,
        transmitters.UNANSWERED: _unanswered,
        transmitters.IN_VAIN: _in_vain,
        transmitters.DESTROYED: _end,
        winter.NOT_ARRIVED: _not_arrived,
    },
    events={phases.DRAWN: _drawn, transmitters.DESTROYED: _destroyed},
)
