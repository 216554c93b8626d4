"""Who sits where: a seat given to somebody, taken from somebody, and offered to those who stand by."""

from __future__ import annotations

from datetime import datetime, timedelta

from gm.board import Power
from gm.games import ServerIdentity
from gm.games.post import tell, write_to
from gm.games.snapshot import Table
from gm.store import agenda, game_rows, order_rows, people
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import SeatRow
from gm.store.people import AccountRow, StandbyRow

TIME_TO_ANSWER = timedelta(hours=48)
"""How long a seat is kept for somebody on the stand-by list who was asked."""


def give(table: Table, office: ServerIdentity, seat: SeatRow, account: AccountRow, now: datetime) -> None:
    """The seat is this person's, with a new address; orders already sent stay in force, those for later do not."""
    game_rows.replace_holder(table.session, seat, account.id, now)
    seat.dummy_since = None
    office.renew_token(seat)
    order_rows.cancel_preorders(table.session, seat.id, now)
    entry = people.standby_of(table.session, table.game.id, account.id)
    if entry is not None:
        people.remove_standby(table.session, entry)
    table.forget()
    if table.phase is not None and table.running:
        agenda.owe_reports(table.session, table.phase.id, [seat.id], f"welcome:{seat.serial}", now)


def vacate(table: Table, office: ServerIdentity, seat: SeatRow, now: datetime) -> None:
    """Nobody holds the seat any more; whoever stands by for it is asked."""
    empty(table, office, seat, now)
    if table.running:
        ask_standby(table, office, seat, now)


def empty(table: Table, office: ServerIdentity, seat: SeatRow, now: datetime) -> None:
    """Nobody holds the seat any more, and its address is void; orders for this phase stay."""
    game_rows.vacate_seat(table.session, seat)
    office.renew_token(seat)
    order_rows.cancel_preorders(table.session, seat.id, now)
    table.session.flush()
    table.forget()


def ask_standby(table: Table, office: ServerIdentity, seat: SeatRow, now: datetime) -> bool:
    """Ask the next on the list who was not asked for a seat yet. Returns whether there was one."""
    for entry in people.standbys_of(table.session, table.game.id):
        if entry.asked_seat_id is not None or any(one.account_id == entry.account_id for one in table.players):
            continue
        found = {account.id: account for account in people.accounts_by_id(table.session, [entry.account_id])}
        entry.asked_seat_id, entry.asked_at = seat.id, now
        if table.phase is not None:
            until = now + TIME_TO_ANSWER
            agenda.add_deadline(table.session, table.game.id, table.phase.id, DeadlineKind.STANDBY, until)
        words = (
            f"{Power(seat.power or '')} in {table.game.name} ({table.variant.title}) has no player any more, and you"
            " are the next on its stand-by list.",
            f"To take it, answer: TAKEOVER {table.game.name} AS {seat.power}",
            f"It is kept for you for {int(TIME_TO_ANSWER.total_seconds() // 3600)} hours. If you do not want it,"
            f" answer: STANDBY {table.game.name} OFF",
        )
        write_to(
            table.session,
            office,
            found[entry.account_id],
            "a seat for you",
            words,
            purpose=f"standby:{entry.id}:{seat.id}:{seat.serial}",
            now=now,
            table=table,
        )
        return True
    return False


def kept_for(table: Table, seat: SeatRow, now: datetime) -> StandbyRow | None:
    """Who on the stand-by list has been asked for the seat and still has time to answer."""
    for entry in people.standbys_of(table.session, table.game.id):
        if entry.asked_seat_id == seat.id and entry.asked_at is not None and entry.asked_at + TIME_TO_ANSWER > now:
            return entry
    return None


def no_answer(table: Table, office: ServerIdentity, now: datetime) -> None:
    """Those whose time to answer is over leave the list, and the next ones are asked."""
    for entry in people.standbys_of(table.session, table.game.id):
        if entry.asked_at is not None and entry.asked_at + TIME_TO_ANSWER <= now:
            seat = game_rows.seat_by_id(table.session, entry.asked_seat_id or 0)
            people.remove_standby(table.session, entry)
            if seat is not None and seat.account_id is None and seat.dummy_since is None:
                ask_standby(table, office, seat, now)


def announce(
    table: Table, office: ServerIdentity, seat: SeatRow, account: AccountRow, *, purpose: str, now: datetime
) -> None:
    """Tell everybody else that the power has a new player; his name where names are known."""
    others = [other for other in table.seats if other.id != seat.id]
    who = "Somebody else" if table.names_hidden or table.is_secret(seat) else account.name
    tell(table, office, others, "a new player", (f"{who} plays {seat.power} from now on.",), purpose=purpose, now=now)
