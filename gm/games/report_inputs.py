"""Rows turned into what reports are made of: the game, its reader, what he holds, what he may see."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial

from gm.board import Power
from gm.games import ServerIdentity
from gm.games.snapshot import Table, orders_by_power, orders_of
from gm.mail.message.addresses import mailto
from gm.mail.message.reply import REPLY_ABOVE
from gm.orders.warnings import warnings_on
from gm.position import Season
from gm.reports.context import GameFacts, HeldOrders, Reader
from gm.store.game_rows import GameRow, PhaseRow, SeatRole, SeatRow
from gm.store.order_rows import OrderSetRow
from gm.store.people import AccountRow
from gm.turn import Turn, turn_from_json
from gm.views import MASTER, Section, View


def game_facts(table: Table, reader: SeatRow | None = None) -> GameFacts:
    """What every reader may know of the game; who holds a secret seat, only its holder and the gamemaster."""
    names = {}
    knows = eyes(table, reader) == MASTER
    for seat in table.players:
        account = table.account_of(seat)
        if seat.power is not None and (knows or seat is reader or not table.is_secret(seat)):
            names[Power(seat.power)] = account.name if account is not None and not table.names_hidden else ""
    window = table.options.window if table.variant.review is not None else None
    return GameFacts(table.game.name, table.variant.title, names, table.variant.adjectives, window)


def eyes(table: Table, seat: SeatRow | None) -> Power | None:
    """Whose view this seat has: its power's, the gamemaster's (MASTER), or the public's (None).

    A gamemaster who plays in his own game sees no more than the public at that seat.
    """
    if seat is None:
        return None
    if seat.role is SeatRole.MASTER:
        return None if any(other.account_id == seat.account_id for other in table.players) else MASTER
    return Power(seat.power) if seat.power is not None else None


def reader_of(
    office: ServerIdentity, account: AccountRow | None, game: GameRow | None = None, seat: SeatRow | None = None
) -> Reader:
    """The reader of a mail: at his seat if he has one, else as somebody who writes to the server itself."""
    seated = game is not None and seat is not None
    address = office.address_of(game, seat) if game is not None and seat is not None else office.server.address
    return Reader(
        power=Power(seat.power) if seated and seat is not None and seat.power is not None else None,
        zone=office.zone_of(account),
        reply_to=address,
        reply_above=REPLY_ABOVE,
        mailto=partial(mailto, address),
        master=seat is not None and seat.role is SeatRole.MASTER,
    )


def view_of(table: Table, seat: SeatRow | None, turn: Turn | None = None) -> View:
    """What the seat may see of the game now. The game must have begun."""
    if table.position is None:
        raise ValueError(f"the game {table.game.name} has not begun")
    return table.variant.view(table.variant, table.position, turn, eyes(table, seat))


def turn_of(table: Table, phase: PhaseRow) -> Turn:
    """The turn of an adjudicated phase, as it is stored."""
    if phase.result is None:
        raise ValueError(f"{phase.code} of {table.game.name} has not been adjudicated")
    game = table.variant
    turn = turn_from_json(phase.result, phase.position, orders_by_power(table, phase), game.language)
    return replace(turn, orders=game.given(turn.before, turn.orders))


def held_orders(
    table: Table, seat: SeatRow, current: OrderSetRow | None, *, replaces: int | None = None, all_in: bool = False
) -> HeldOrders:
    """The orders in force for a seat, seen against what its phase asks for."""
    view, orders = view_of(table, seat), orders_of(table, current)
    return HeldOrders(
        view=view,
        orders=orders,
        warnings=(
            *table.variant.cautions(view.position, Power(seat.power or ""), orders),
            *warnings_on(view.board, orders),
        ),
        number=current.number if current is not None else 0,
        replaces=replaces,
        deadline=closes_at(table, seat),
        early=is_early(table),
        wait=seat.wait,
        all_in=all_in,
    )


def due_at(table: Table) -> datetime | None:
    """The moment of the current deadline: of the orders, or once these are closed for review of the results."""
    return table.deadline.due_at if table.deadline is not None else None


def closes_at(table: Table, seat: SeatRow | None) -> datetime | None:
    """Until when the seat's orders are taken: the reviewing seat's for its window longer, unless it is awaited."""
    due, review = due_at(table), table.variant.review
    if review is None or not table.reviews(seat) or due is None or table.in_review or table.position is None:
        return due
    return due if review.awaited(table.position) else due + table.options.window


def is_early(table: Table) -> bool:
    """Whether a phase may be adjudicated before its deadline."""
    return table.options.early and table.variant.review is None


def chronicle(table: Table) -> tuple[Section, ...]:
    """What is told of secret seats when the game is over."""
    review = table.variant.review
    if review is None:
        return ()
    played = [turn_of(table, phase) for phase in table.line if phase.adjudicated_at is not None]
    return review.chronicle(table.variant, played)


def history(
    table: Table, seat: SeatRow | None = None, *, open_book: bool = True
) -> tuple[tuple[int, dict[Power, int]], ...]:
    """Centres of each power at the end of each game year; the year before the first is the set-up.

    Without `open_book`, as far as the seat may see them.
    """
    power = eyes(table, seat)
    years: dict[int, dict[Power, int]] = {}
    for phase in table.line:
        position = table.position_of(phase)
        shown = position if open_book else table.variant.view(table.variant, position, None, power).position
        year = position.phase.year if position.phase.season is Season.WINTER else position.phase.year - 1
        years[year] = {p: len(shown.centers_of(p)) for p in table.variant.powers(position)}
    return tuple(sorted(years.items()))


def view_after(table: Table, seat: SeatRow | None, turn: Turn) -> View:
    """What the seat may see of a turn and of the position it led to."""
    return table.variant.view(table.variant, turn.after, turn, eyes(table, seat))


def called(table: Table, seat: SeatRow) -> str:
    """Who holds a seat, as everybody may know: a name, `vacant`, `dummy`, or "" where names are hidden."""
    account = table.account_of(seat)
    if account is not None:
        return "" if table.names_hidden or table.is_secret(seat) else account.name
    return "dummy" if seat.dummy_since is not None else "vacant"
