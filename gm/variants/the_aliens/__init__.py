"""The Aliens: ships land in Europe with armies and matter transmitters, and the races fight for it (rulings AL-1 to
AL-15).

What differs from the standard game: `state` (the board, what the position stores, allowances), `orders` and
`understanding` (what can be ordered, and what it means), `phases` (the landing and the seasons), `transmitters`,
`winter`, `view` (with the words). This module has the seats, the set-up, the warnings in a receipt, and the value
itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gm.board import Location, Power, Province, Travel
from gm.chance import Chance
from gm.orders import Move, Order, unit_of
from gm.position import Position, Unit
from gm.variants import Choice
from gm.variants.game_file import NAME
from gm.variants.standard import game_of, seating
from gm.variants.the_aliens import language, orders, phases, supply, understanding, view
from gm.variants.the_aliens.orders import Arrive, Bring, Receive, Send
from gm.variants.the_aliens.state import (
    FILE,
    LANDING,
    SAYS,
    TRANSMITTER,
    State,
    alien_board,
    is_home,
    power_code,
    province_of,
    ships_each,
    starting_units,
)

# Set-up


def name_race(text: str, taken: Sequence[Power]) -> Power:
    """The name of a race as its player wrote it. Raises NotUnderstood for a name that is not allowed."""
    name, places = " ".join(text.split()), alien_board().aliases
    in_latin = power_code(name).isascii() and NAME.fullmatch(name) is not None
    FILE.naming.checked(name, taken, places=places, code=power_code, form=lambda _: in_latin)
    return Power(name[0].upper() + name[1:])


def opening(powers: Sequence[Power], _chance: Chance | None = None) -> Position:
    """Winter 2050: every ship is aloft, and all centres are neutral (AL-1). The position says which races' army in
    reserve has not come, so that losses in 2051 are not replaced (AL-4).
    """
    waiting = frozenset(powers) if starting_units(len(powers)) > ships_each(len(powers)) else None
    return Position(
        phase=replace(FILE.begins, kind=LANDING),
        units=(),
        centers={},
        extra=State(tuple(powers), waiting=waiting).to_json(),
    )


# Warnings in the receipt


def cautions(position: Position, power: Power, orders: Sequence[Order]) -> tuple[str, ...]:
    """A sentence for each order that lacks something."""
    return (
        *_surplus(position, power, orders),
        *_reserves(orders),
        *_links(position, power, orders),
        *_passengers(position, power, orders),
    )


def _surplus(position: Position, power: Power, orders: Sequence[Order]) -> Iterator[str]:
    """More arrivals than are allowed, or more than one by the same transmitter."""
    brought = [order for order in orders if isinstance(order, Bring)]
    units = sum(isinstance(order, Arrive) for order in orders)
    units += sum(order.arriving.kind is not TRANSMITTER for order in brought)
    reserve = max(0, supply.units_to_come(position, power))
    if units > reserve:
        yield SAYS.note("too many units", units=units, reserve=reserve)
    if sum(o.arriving.kind is TRANSMITTER for o in brought) > max(0, supply.transmitters_to_come(position, power)):
        yield SAYS.note("too many transmitters")
    there = Counter(State.of(position).transmitters_of(power))
    for piece, count in Counter(order.unit for order in brought).items():
        if count > there[piece]:
            yield SAYS.note("one a season", piece=piece, count=count)


def _reserves(orders: Sequence[Order]) -> Iterator[str]:
    """Arrivals without a receiver, more arrivals than receivers, and receivers without an arrival."""
    board = alien_board()
    ready = Counter(o.unit.at for o in orders if isinstance(o, Receive) and is_home(o.origin))
    brought = Counter(Location(board.province(order.to)) for order in orders if isinstance(order, Arrive))
    for at, count in brought.items():
        if not ready[at]:
            yield SAYS.note("not received", at=at)
        elif count > ready[at]:
            yield SAYS.note("several to one", count=count, at=at)
    for at in ready - brought:
        yield SAYS.note("waits", at=at, more=bool(brought[at]))


def _links(position: Position, power: Power, orders: Sequence[Order]) -> Iterator[str]:
    """Transmitters whose partner is not ordered to do its part; for another race's partner that is not known yet."""
    every = [order for order in orders if isinstance(order, Send | Receive)]
    for order in every:
        here, there = order.unit.at, order.to if isinstance(order, Send) else order.origin
        if is_home(there) or any(_answers(other, order) for other in every):
            continue
        whose = _whose(position, power, orders, Province(there))
        yield SAYS.note("needs", order=order, there=there, here=here, sends=isinstance(order, Send), whose=whose)


def _answers(one: Send[Unit] | Receive[Unit], other: Send[Unit] | Receive[Unit]) -> bool:
    if isinstance(one, Send) and isinstance(other, Receive):
        return one.unit.at == other.origin and one.to == other.unit.at
    return isinstance(one, Receive) and isinstance(other, Send) and _answers(other, one)


def _whose(position: Position, power: Power, orders: Sequence[Order], there: Province) -> str:
    """Why the partner is missing: it is the race's own and has another order, or it is another race's."""
    owners = dict.fromkeys(piece.power for piece in State.of(position).transmitters_in(there))
    pieces = ((order, unit_of(order)) for order in orders)
    own = [order for order, unit in pieces if unit and unit.kind is TRANSMITTER and province_of(unit) == there]
    kind = "others' part" if power not in owners else "ordered otherwise" if own else "not ordered"
    return SAYS.note(kind, orders=own, owners=owners)


def _passengers(position: Position, power: Power, orders: Sequence[Order]) -> Iterator[str]:
    """A sender whose own unit in the space has another order; a unit that could only be sent, without a sender."""
    board = alien_board()
    moves: dict[Province, Any] = {}
    for order in orders:
        unit = unit_of(order)
        if unit is not None and unit.kind is not TRANSMITTER:
            moves[board.province(unit.at)] = order
    for order in orders:
        if isinstance(order, Send):
            own = moves.get(province_of(order.unit))
            if own is not None and not (type(own) is Move and board.province(own.to) == Province(order.to)):
                yield SAYS.note("passenger", order=order, own=own)
    sent = {(province_of(o.unit), Province(o.to)) for o in orders if isinstance(o, Send)}
    mine = {province_of(piece) for piece in State.of(position).transmitters_of(power)}
    for here, order in moves.items():
        if type(order) is not Move or order.via_convoy or is_home(order.unit.at) or here not in mine:
            continue
        link = (here, board.province(order.to))
        if not board.may_step(order.unit.kind, order.unit.at, order.to) and link not in sent and not _by_sea(order):
            yield SAYS.note("by transmitter only", order=order, here=here, to=link[1])


def _by_sea(order: Move[Unit]) -> bool:
    """Whether the unit might be convoyed: an army from coast to coast."""
    board = alien_board()
    return order.unit.kind.travel is Travel.LAND and all(
        board.coasts(board.province(at)) for at in (order.unit.at, order.to)
    )


# The game


RELAY = Choice(
    "relay",
    "whether a unit may step to a transmitter and go on by it",
    {
        "no": lambda game: game,
        "yes": lambda game: replace(
            game,
            understand=partial(understanding.understand, relays=True),
            legal_orders=partial(orders.legal_orders, relays=True),
        ),
    },
)

THE_ALIENS = replace(
    game_of(FILE),
    seating=replace(seating(FILE), name=name_race),
    words=view.WORDS,
    language=language.LANGUAGE,
    opening=opening,
    powers=lambda position: State.of(position).races,
    board=lambda _: alien_board(),
    needs=orders.needs,
    duty=orders.duty,
    understand=understanding.understand,
    merge=orders.merge,
    legal_orders=orders.legal_orders,
    resolve=phases.resolve,
    end_of_season=phases.end_of_season,
    view=view.view,
    pieces=orders.pieces,
    cautions=cautions,
    offered=orders.offered,
    choices=(RELAY,),
)
