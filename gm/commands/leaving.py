"""RESIGN, UNOBSERVE and FORGET ME: how people leave a game, or the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Sentences, Syntax, Who
from gm.errors import NotNow, NotUnderstood
from gm.games import seats
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.store import game_rows, people
from gm.store.game_rows import GameState, SeatRole, SeatRow
from gm.store.people import AccountRow


def act_unobserve(ctx: Context, args: Mapping[str, Any]) -> None:
    """Give the observer's seat up."""
    table = ctx.public_table(args["game"])
    account = ctx.account
    mine = [seat for seat in table.observers if account is not None and seat.account_id == account.id]
    if not mine:
        raise NotNow(f"You do not observe {table.game.name}.", "WHOAMI shows the games in which you have a seat.")
    for seat in mine:
        game_rows.vacate_seat(ctx.session, seat)
        ctx.office.renew_token(seat)
    table.forget()
    if ctx.seat in mine:
        ctx.seat = None
    ctx.say(f"You no longer observe {table.game.name}.")
    ctx.note("unobserve")


UNOBSERVE = Command(
    "unobserve",
    Syntax("UNOBSERVE [game:GAME]", ("UNOBSERVE game",)),
    Policy(),
    act_unobserve,
    Help("end OBSERVE", "Your observer's address becomes void."),
)


def act_resign(ctx: Context, args: Mapping[str, Any]) -> None:
    """Vacate the sender's seat. In a running game the power stays, in civil disorder until somebody takes it."""
    table, seat = ctx.seated()
    if seat.role is SeatRole.OBSERVER:
        act_unobserve(ctx, {"game": table.game.name})
        return
    if seat.role is SeatRole.MASTER:
        _leave_the_chair(ctx, table, seat)
        return
    if args["game"] is None:
        raise NotUnderstood("RESIGN needs the name of the game.", f"To leave for good write RESIGN {table.game.name}.")
    name = ctx.account.name if ctx.account is not None else ctx.sender
    who = f"{name} ({seat.power})" if seat.power else name
    ctx.note("resign", power=seat.power)
    ctx.seat = None
    seats.vacate(table, ctx.office, seat, ctx.now)
    asked = seats.kept_for(table, seat, ctx.now) is not None
    tell(
        table,
        ctx.office,
        table.masters,
        "a player has resigned",
        (
            f"{who} has resigned.",
            "The next on the stand-by list is asked to take the seat." if asked else "Nobody stands by for the seat.",
            f"REPLACE {seat.power or 'power'} WITH address puts somebody in it; DUMMY {seat.power or 'power'} leaves it"
            " to nobody.",
        ),
        purpose=f"resigned:{ctx.mail_id}",
        now=ctx.now,
    )
    ctx.say(f"You have left {table.game.name}. Thank you for playing.")


def _leave_the_chair(ctx: Context, table: Table, seat: SeatRow) -> None:
    """A gamemaster goes, if another one stays."""
    others = [one for one in table.masters if one.id != seat.id and one.account_id is not None]
    if not others:
        raise NotNow(f"You are the only gamemaster of {table.game.name}.", "PROMOTE somebody else before you leave.")
    name = ctx.account.name if ctx.account is not None else ctx.sender
    ctx.note("resign", account=name)
    seats.empty(table, ctx.office, seat, ctx.now)
    ctx.seat = None
    words = (f"{name} is no longer a gamemaster of {table.game.name}.",)
    purpose = f"resigned:{ctx.mail_id}"
    tell(table, ctx.office, others, "a gamemaster has left", words, purpose=purpose, now=ctx.now)
    ctx.say(f"You are no longer a gamemaster of {table.game.name}.")


RESIGN = Command(
    "resign",
    Syntax(
        "RESIGN (FROM) [game:GAME]",
        ("RESIGN game",),
        synonyms=("withdraw",),
        elsewhere=("quit", "surrender"),
        sentences=Sentences.RARE,
    ),
    Policy(Who.SEATED, irrevocable=True, cost=5),
    act_resign,
    Help(
        "leave a game for good",
        "Your seat becomes vacant and its address is void. The gamemaster is\n"
        "told, and the next on the stand-by list is asked to take over.",
    ),
)


def act_forget(ctx: Context, args: Mapping[str, Any]) -> None:
    """Empty all seats of the sender and erase what is known of them."""
    del args
    account = ctx.known()
    mine = game_rows.seats_of_account(ctx.session, account.id)
    tables = [(Table(ctx.session, game_rows.lock_game(ctx.session, game.id)), seat) for game, seat in mine]
    for table, seat in tables:
        _may_go(table, seat)
    for table, seat in tables:
        _leave(ctx, table, seat, account)
    for entry in people.standby_entries_of(ctx.session, account.id):
        people.remove_standby(ctx.session, entry)
    for absence in people.absences_of(ctx.session, [account.id], ctx.now):
        absence.cancelled_at = ctx.now
    people.erase(ctx.session, account)
    ctx.seat = ctx.table = ctx.account = None
    ctx.say("Your seats are given up; your name, addresses and preferences are erased. Thank you for playing.")
    ctx.say("Mails that were exchanged stay in the server's books until its operator clears them.")


def _may_go(table: Table, seat: SeatRow) -> None:
    """Raises NotNow for the only gamemaster of a game that is not over."""
    alive = table.game.state in (GameState.FORMING, GameState.RUNNING)
    others = [one for one in table.masters if one.id != seat.id and one.account_id not in (None, seat.account_id)]
    if seat.role is SeatRole.MASTER and alive and not others:
        raise NotNow(
            f"You are the only gamemaster of {table.game.name}.", "PROMOTE somebody else, or TERMINATE the game."
        )


def _leave(ctx: Context, table: Table, seat: SeatRow, account: AccountRow) -> None:
    if seat.role is not SeatRole.PLAYER or not table.running:
        seats.empty(table, ctx.office, seat, ctx.now)
        return
    seats.vacate(table, ctx.office, seat, ctx.now)
    words = (f"{account.name} ({seat.power}) has left this server. The seat is vacant.",)
    purpose = f"forgotten:{ctx.mail_id}:{seat.id}"
    tell(table, ctx.office, table.masters, "a player has resigned", words, purpose=purpose, now=ctx.now)


FORGET_ME = Command(
    "forgetme",
    Syntax("FORGET ME", loud=("forget me",), sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.REGISTERED, irrevocable=True, cost=5),
    act_forget,
    Help(
        "leave all your games, and be erased from this server",
        "Your seats become vacant, your name reads `somebody`, your addresses are\n"
        "deleted. What you ordered and wrote in games stays with them.",
    ),
)
