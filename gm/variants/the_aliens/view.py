"""What everybody may see (in this game, everything): ships, transmitters, allowances; the form, marks, words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gm.board import Location, Power, UnitKind
from gm.judge.outcomes import Outcome
from gm.orders import Move, unit_of
from gm.orders.notation import short
from gm.orders.possible import NOTHING
from gm.position import PhaseKind, Position, Unit, parse_unit
from gm.turn import Event, Turn, ends_game
from gm.variants import Variant
from gm.variants.standard import STANDARD, words_of
from gm.variants.the_aliens import phases, supply, transmitters
from gm.variants.the_aliens.orders import Bring, Receive, Relay, Send, legal_orders
from gm.variants.the_aliens.state import (
    FILE,
    KINDS,
    LANDING,
    SAYS,
    TRANSMITTER,
    State,
    alien_board,
    is_home,
    ships_of,
    starting_units,
    units_on_board,
)
from gm.views import Art, Deed, Fate, Mark, Section, UnitShape, View

ART = Art(
    units={TRANSMITTER: UnitShape("M-20.500 16 0-17 20.500 16z", letters=7, size=16)},
    leap="by transmitter",
    arrival="arrives",
    unarmed="a transmitter moves",
    deeds={
        Send: Deed("relays", lambda order: order.to),
        Receive: Deed("relays", lambda order: order.origin),
        Bring: Deed("brings"),
    },
)


def view(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """Nothing is hidden; the sections show what the standard ones do not."""
    state, phase = State.of(position), position.phase
    seen = STANDARD.view(game, position, turn, seat)
    plain = replace(seen, fates=_FATES, art=ART, site="space with a transmitter")
    if turn is not None and turn.before.phase.kind is LANDING:
        landed = {one.order: one.facts.own["at"] for one in turn.outcomes if one.facts.why == phases.LANDED}
        armies = {
            order: Unit(ship.power, UnitKind.ARMY, at) for order, at in landed.items() if (ship := unit_of(order))
        }
        plain = replace(plain, descended=armies)  # what each ship put ashore
    if phase.kind is LANDING:
        return replace(plain, sections=(_ships(state),), hints=(SAYS.note("landing"),))
    over = ends_game(turn)
    allowances = None if over else _allowances(position, state)
    sections = tuple(filter(None, (_transmitters(position, state), allowances)))
    marks = tuple(Mark(FILE.signs["transmitter"], alien_board().province(p.at), p.power) for p in state.transmitters)
    if seat is None or seat not in state.races:
        return replace(plain, sections=sections, marks=marks)
    form = tuple(_winter_form(position, state, seat)) if phase.kind is PhaseKind.ADJUSTMENT else None
    hints = tuple(_hints(position, state, seat)) if phase.kind is PhaseKind.MOVEMENT else ()
    return replace(plain, sections=sections, marks=marks, form=form, hints=hints)


_FATES = {LANDING: Fate(SAYS.note("fate"), SAYS.note("fate of all"))}


# Sections


def _ships(state: State) -> Section:
    reserve = starting_units(len(state.races)) - len(ships_of(state, state.races[0]))
    rows = ((race, SAYS.note("ships", ships=ships_of(state, race), reserve=reserve)) for race in state.races)
    return Section("Ships aloft", tuple(rows))


def _transmitters(position: Position, state: State) -> Section | None:
    rows: list[tuple[str, ...]] = []
    for race in state.races:
        counts = Counter(state.transmitters_of(race))
        if counts:
            rows.append((race, ", ".join(_several(piece, count) for piece, count in counts.items())))
    rows += [("At risk", warning) for warning in _guests(position, state)]
    return Section("Transmitters", tuple(rows)) if rows else None


def _several(piece: Unit, count: int) -> str:
    return SAYS.note("several" if count > 1 else "one", piece=piece, count=count)


def _guests(position: Position, state: State) -> Iterator[str]:
    """The units that came by transmitter into the spaces of others' transmitters, and will destroy these (AL-9)."""
    board = alien_board()
    for unit in position.units:
        here = board.province(unit.at)
        hosts = sorted({piece.power for piece in state.transmitters_in(here)} - {unit.power})
        if here in state.spared and hosts:
            yield SAYS.note("at risk", unit=unit, owners=[SAYS.note("owner", host=host) for host in hosts])


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
    place, kinds = short(pieces[0].at).upper(), supply.kinds_to_come(position)
    for kind, number in {
        "reserve": supply.units_to_come(position, seat),
        "new transmitters": supply.transmitters_to_come(position, seat),
    }.items():
        if number > 0:
            yield SAYS.note(kind, number=number, kinds=kinds, place=place)


def _winter_form(position: Position, state: State, seat: Power) -> Iterator[str]:
    """Removals, and what each transmitter could bring."""
    board = alien_board()
    found = supply.leaving(board, position, seat)
    if found.bound:
        yield SAYS.note("bound to go", units=found.bound)
    if found.choice:
        yield SAYS.note("remove", number=found.rest, units=found.choice)
    yield from ["REMOVE"] * found.rest
    surplus = supply.surplus_transmitters(position, seat)
    if surplus:
        yield SAYS.note("give up", number=surplus, units=state.transmitters_of(seat))
        yield from ["REMOVE"] * surplus
    yield from _arrival_lines(position, state, seat)


def _arrival_lines(position: Position, state: State, seat: Power) -> Iterator[str]:
    board = alien_board()
    units, pieces = max(0, supply.units_to_come(position, seat)), max(0, supply.transmitters_to_come(position, seat))
    stay = len(state.transmitters_of(seat)) - supply.surplus_transmitters(position, seat)
    if not stay or not (units or pieces):
        return
    lines: list[str] = []
    for piece in dict.fromkeys(state.transmitters_of(seat)):
        ways = dict.fromkeys(one for one in legal_orders(board, position, piece, NOTHING) if isinstance(one, Bring))
        lines += [SAYS.note("ways", ways=ways), SAYS.note("arrives", piece=piece)] if ways else []
    if lines:
        counts = {"units": units, "pieces": pieces, "some_units": units or "no", "some_pieces": pieces or "no"}
        yield from (SAYS.note("in reserve", **counts), *lines, SAYS.note("or waive"))


# words


def _landed(outcome: Outcome) -> str:
    facts = outcome.facts.own
    bumps = "; ".join(map(_bump, facts["bumps"]))
    tale = SAYS.note("landed", order=outcome.order, at=facts["at"], by_lot=facts["by_lot"])
    return SAYS.note("bumped", tale=tale, bumps=bumps) if bumps else tale


def _bump(bump: Mapping[str, Any]) -> str:
    others = (SAYS.note("bumper", ship=ship, down=down, at=place) for ship, place, down in bump["by"])
    return SAYS.note("bump", at=bump["from"], others=others)


def _not_sent(outcome: Outcome) -> str:
    order = outcome.order
    assert isinstance(order, Move)
    lacking = _who_lacks(outcome, order.route[0] if isinstance(order, Relay) else order.unit.at, order.to)
    said = _OF_FILE[transmitters.NOT_SENT](outcome)
    return f"{said} ({lacking})" if lacking else said


def _who_lacks(outcome: Outcome, here: Location, there: Location) -> str:
    """Who of sender, receiver and unit did not agree (AL-10); "" in turns that do not say so."""
    lacking = outcome.facts.own.get("lacking", ())
    return ", and ".join(SAYS.note(f"lacking {one}", here=here, there=there) for one in lacking)


def _unanswered(outcome: Outcome) -> str:
    order = outcome.order
    assert isinstance(order, Send | Receive)
    way = (order.unit.at, order.to) if isinstance(order, Send) else (order.origin, order.unit.at)
    if isinstance(order, Receive) and is_home(order.origin):
        why = SAYS.note("none came")
    else:
        why = _who_lacks(outcome, *way) or SAYS.note("not all agreed")
    return SAYS.note("void", order=order, why=why)


def _with_its_end(said: Callable[[Outcome], str], outcome: Outcome) -> str:
    """What is said of a transmitter's order, and that it was destroyed, if it was."""
    facts = outcome.facts.own
    return SAYS.note("and destroyed", said=said(outcome), **facts) if "destroyer" in facts else said(outcome)


def _destroyed(event: Event, _: View) -> str:
    facts = event.facts
    piece = parse_unit(facts["transmitter"], KINDS)
    return SAYS.note("lost", whose=piece.power, lost=_several(piece, facts["count"]), **facts)


_OF_FILE = words_of(SAYS).reasons
WORDS = words_of(
    SAYS,
    marks={phases.LANDED: lambda one: SAYS.note("by lot") if one.facts.own["by_lot"] else ""},
    removals="nearest to a transmitter of its own (AL-13)",
    reasons={
        phases.LANDED: _landed,
        transmitters.NOT_SENT: _not_sent,
        transmitters.UNANSWERED: partial(_with_its_end, _unanswered),
        **{
            kind: partial(_with_its_end, _OF_FILE[kind])
            for kind in (transmitters.NOT_MOVED, transmitters.NO_NEW, transmitters.IN_VAIN)
        },
    },
    events={transmitters.DESTROYED: _destroyed},
)
