"""REPLACE, EJECT, DUMMY, ORDERS FOR, PROMOTE and REVEAL: who holds the seats of a game, by its gamemaster's word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gm.board import Power
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Orders, Policy, Record, Sentences, Stage, Syntax, Who
from gm.commands.orders import ORDERS
from gm.commands.setup import change
from gm.errors import NotNow, NotPermitted, NotUnderstood, Temporary
from gm.games import seats
from gm.games.deadlines import close_early
from gm.games.post import tell
from gm.games.report_inputs import called
from gm.games.snapshot import Table, orders_of
from gm.mail.message.compose import can_be_written_to
from gm.orders import UnitName
from gm.orders.notation import write
from gm.parsing.message import Complaint, OrderLine, parse_message
from gm.store import game_rows, people
from gm.store.game_rows import SeatRole, SeatRow
from gm.store.people import AccountRow


def act_replace(ctx: Context, args: Mapping[str, Any]) -> None:
    """Give the power's seat to another address, with a new reply address; orders already sent stay in force."""
    table, _ = ctx.seated()
    seat = seat_named(table, args["power"])
    account = _account_at(ctx, args["address"])
    if any(other.account_id == account.id for other in table.players):
        raise NotNow(f"{args['address']} plays in {table.game.name} already.", "One person plays one power.")
    _say_goodbye(ctx, table, seat)
    seats.give(table, ctx.office, seat, account, ctx.now)
    ctx.say(f"{account.name} <{args['address']}> plays {seat.power} from now on and is sent the position.")
    purpose = f"replaced:{ctx.mail_id}:{seat.id}"
    seats.announce(table, ctx.office, seat, account, purpose=purpose, now=ctx.now)
    ctx.note("replace", power=seat.power, address=args["address"])


def seat_named(table: Table, power: str) -> SeatRow:
    """The seat of a power, by any of its names. Raises NotUnderstood."""
    known = table.lexicon.power(power) or power
    seat = next((seat for seat in table.players if (seat.power or "").lower() == known.lower()), None)
    if seat is None:
        raise NotUnderstood(f"'{power}' is no power of this game.", f"Write one of: {', '.join(table.powers)}.")
    return seat


def _account_at(ctx: Context, email: str) -> AccountRow:
    """Whoever has this address; somebody new is registered. Raises NotUnderstood for one that nobody can have."""
    if not can_be_written_to(email):
        raise NotUnderstood(f"'{email}' is not a mail address.", "Write it like name@example.org.")
    if ctx.office.is_own(email):
        raise NotUnderstood(f"{email} is an address of this server.", "Name the address of a person.")
    known = people.account_by_address(ctx.session, email)
    if known is not None:
        return known
    made = people.create_account(
        ctx.session, email=email, name=email.partition("@")[0], now=ctx.now, zone=ctx.office.server.zone.key
    )
    if made is None:
        raise Temporary(f"{email} is being registered by another mail of the same moment.")
    return made


def _say_goodbye(ctx: Context, table: Table, seat: SeatRow) -> None:
    paragraphs = (
        f"The gamemaster has given {Power(seat.power or '')} to another player.",
        "Thank you for having played.",
    )
    tell(
        table,
        ctx.office,
        [seat],
        "you are replaced",
        paragraphs,
        purpose=f"goodbye:{ctx.mail_id}:{seat.id}",
        now=ctx.now,
    )


REPLACE = Command(
    "replace",
    Syntax(
        "REPLACE game,power:SEAT WITH|BY address:ADDRESS", ("REPLACE power WITH address",), sentences=Sentences.RARE
    ),
    Policy(Who.MASTER, Stage.RUNNING, irrevocable=True, cost=5),
    act_replace,
    Help(
        "give a power to another player",
        "The new player is sent the position and the address of the seat; the\n"
        "old address is void. Orders already sent stay in force until changed.",
    ),
)


def act_eject(ctx: Context, args: Mapping[str, Any]) -> None:
    """Take a power from its player; whoever stands by is asked."""
    table, seat = _seat(ctx, "EJECT", args["power"])
    if seat.account_id is None:
        raise NotNow(f"{seat.power} has no player.", f"REPLACE {seat.power} WITH address gives it one.")
    _take(ctx, table, seat)
    asked = seats.kept_for(table, seat, ctx.now) is not None
    ctx.say(f"{seat.power} is vacant." + (" The next on the stand-by list is asked." if asked else ""))
    ctx.note("eject", power=seat.power)


def act_dummy(ctx: Context, args: Mapping[str, Any]) -> None:
    """Leave a power to nobody: its units hold unless the gamemaster orders for it."""
    table, seat = _seat(ctx, "DUMMY", args["power"])
    if seat.dummy_since is not None:
        raise NotNow(f"{seat.power} is a dummy already.", f"REPLACE {seat.power} WITH address gives it a player.")
    seat.dummy_since = ctx.now
    if seat.account_id is not None:
        _take(ctx, table, seat)
    table.session.flush()
    table.forget()
    ctx.say(f"{seat.power} is a dummy. ORDERS FOR {seat.power} orders its units; else they hold.")
    words = (f"{seat.power} has no player from now on; its units hold.",)
    others = [other for other in table.seats if other is not ctx.seat]
    tell(table, ctx.office, others, "a dummy", words, purpose=f"dummy:{ctx.mail_id}:{seat.id}", now=ctx.now)
    ctx.note("dummy", power=seat.power, undo={"seat": seat.id})
    close_early(table, ctx.now)


def _seat(ctx: Context, word: str, power: str | None) -> tuple[Table, SeatRow]:
    table, _ = ctx.seated()
    if power is None:
        raise NotUnderstood(f"{word} needs a power.", f"Write {word} and one of: {', '.join(table.powers)}.")
    return table, seat_named(table, power)


def _take(ctx: Context, table: Table, seat: SeatRow) -> None:
    """Say goodbye and empty the seat."""
    words = (f"The gamemaster has taken {seat.power} from you. The address of your seat is void.",)
    tell(
        table,
        ctx.office,
        [seat],
        "you have left the game",
        words,
        purpose=f"ejected:{ctx.mail_id}:{seat.id}",
        now=ctx.now,
    )
    if seat.dummy_since is None:
        seats.vacate(table, ctx.office, seat, ctx.now)
    else:
        seats.empty(table, ctx.office, seat, ctx.now)


def _no_dummy(ctx: Context, undo: Mapping[str, Any]) -> str:
    """The power is vacant again. Raises NotNow when it is no dummy any more."""
    table, _ = ctx.seated()
    seat = game_rows.seat_by_id(ctx.session, int(undo["seat"]))
    if seat is None or seat.dummy_since is None or seat.role is not SeatRole.PLAYER:
        raise NotNow("That power is no dummy any more.")
    seat.dummy_since = None
    table.forget()
    return f"{seat.power} is vacant and may be taken over."


EJECT = Command(
    "eject",
    Syntax("EJECT [power:POWER]", ("EJECT power",), elsewhere=("kick", "vacate")),
    Policy(Who.MASTER, Stage.RUNNING, irrevocable=True, cost=5),
    act_eject,
    Help(
        "take a power from its player",
        "The seat becomes vacant and the next on the stand-by list is asked;\nTAKEOVER and REPLACE fill it too.",
    ),
)
DUMMY = Command(
    "dummy",
    Syntax("DUMMY [power:POWER]", ("DUMMY power",)),
    Policy(Who.MASTER, Stage.RUNNING, record=Record(undo=_no_dummy), cost=5),
    act_dummy,
    Help(
        "leave a power to nobody",
        "Its units hold unless you order for it (ORDERS FOR). It holds nobody\n"
        "up, has no vote, and nobody is asked to take it over.",
    ),
)


def act_orders_for(ctx: Context, args: Mapping[str, Any]) -> None:
    """Put the orders below the line in force for the power; as a player's heading over their own it is only that."""
    table, seat = ctx.seated()
    if seat.role is SeatRole.MASTER and ctx.plays(table):
        raise NotPermitted("You play in this game, so you may see only what your power sees.")
    target = seat_named(table, args["power"])
    if target.id != seat.id:
        ctx.as_master()
    lines = _lines(ctx, args["below"])
    if not lines and seat.role is SeatRole.MASTER:
        raise NotUnderstood("There are no orders below this line.", "Write them below it, one a line.")
    if not lines:
        return
    acting = replace(ctx, seat=target, changed=None)
    ORDERS.run(acting, {"lines": lines})
    if target.id == seat.id:
        ctx.changed = acting.changed or ctx.changed
    elif acting.changed is not None:
        given = table.order_sets().get(target.id)
        said = ", ".join(write(order) for order in orders_of(table, given))
        ctx.say(f"Orders of {target.power} now in force: {said}.")
        words = (f"The gamemaster has ordered for {target.power}. In force are now: {said}.",)
        purpose = f"ordered:{ctx.mail_id}:{target.id}:{given.number if given is not None else 0}"
        tell(table, ctx.office, [target], "orders for you", words, purpose=purpose, now=ctx.now)
        ctx.note("orders for", power=target.power, orders=said)


def _lines(ctx: Context, below: tuple[tuple[int, str], ...]) -> list[OrderLine]:
    """The order lines of the block. Raises what was not understood in it."""
    table, _ = ctx.seated()
    if table.position is None:
        return []
    parsed = parse_message("\n".join(text for _, text in below), table.lexicon, table.position.phase.kind)
    for item in parsed.items:
        if isinstance(item, Complaint):
            raise item.error
    return [replace(item, line=below[item.line - 1][0]) for item in parsed.items if isinstance(item, OrderLine)]


ORDERS_FOR = Command(
    "ordersfor",
    Syntax(
        "ORDERS FOR power:KNOWN_POWER",
        ("ORDERS FOR power\nthe orders",),
        synonyms=("order for",),
        elsewhere=("become",),
        sentences=Sentences.UNLESS_EXACT,
        below=Orders(to_gap=True),
    ),
    Policy(Who.PARTICIPANT, Stage.RUNNING, record=Record(from_players=True)),
    act_orders_for,
    Help(
        "order for a power, as its gamemaster",
        "The orders stand below the line, up to an empty line. They join those\n"
        "the player has sent, who is sent a copy.",
        for_masters=True,
    ),
)


def act_reveal(ctx: Context, args: Mapping[str, Any]) -> None:
    """Tell everybody who plays what, in a game that hid it; or what a secret seat has to show."""
    if args["me"] or args["unit"]:
        _show(ctx, args["unit"])
        return
    table, _ = ctx.as_master()
    if not table.names_hidden:
        raise NotNow(f"The names of the players of {table.game.name} are known.", "STATUS shows them.")
    change(table, {**table.game.options, "anonymous": "no"})
    said = ", ".join(f"{seat.power or 'a player'}: {called(table, seat)}" for seat in table.players)
    others = [seat for seat in table.seats if seat is not ctx.seat]
    words = ("The gamemaster has revealed the players.", f"{said}.")
    tell(table, ctx.office, others, "the players", words, purpose=f"reveal:{ctx.mail_id}", now=ctx.now)
    ctx.say(f"Everybody is told: {said}.")
    ctx.note("reveal")


def _show(ctx: Context, unit: UnitName | None) -> None:
    """Somebody in a secret seat shows who they are, or a unit that they control."""
    table, seat = ctx.as_player()
    ctx.running(table)
    review = table.variant.review
    if review is None or table.position is None or not table.reviews(seat):
        raise NotPermitted("You hide nothing that could be revealed.", "PRESS TO ALL tells everybody what you like.")
    who = str(seat.power)
    if unit is None:
        said = f"{who[:1].upper()}{who[1:]} is revealed: {ctx.registered().name} plays it."
    else:
        said = review.reveal(table.position, unit)
    others = [other for other in table.seats if other is not seat]
    purpose = f"reveal:{ctx.mail_id}:{len(ctx.done)}"
    tell(table, ctx.office, others, "something is revealed", (said,), purpose=purpose, now=ctx.now)
    ctx.say(f"Everybody is told: {said}")
    ctx.note("reveal", words=said)


REVEAL = Command(
    "reveal",
    Syntax(
        "REVEAL | REVEAL me:ME | REVEAL unit:UNIT",
        ("REVEAL", "REVEAL ME", "REVEAL A SMY"),
        sentences=Sentences.UNLESS_EXACT,
    ),
    Policy(Who.PARTICIPANT, irrevocable=True, schedulable=True, cost=5),
    act_reveal,
    Help(
        "name the players of an anonymous game; or show what you hide",
        "The gamemaster's REVEAL tells everybody who plays what. Whoever holds a\n"
        "secret seat is named with REVEAL ME, a unit shown with REVEAL A SMY.",
    ),
)


def act_promote(ctx: Context, args: Mapping[str, Any]) -> None:
    """A gamemaster's seat for somebody else, beside the present ones."""
    table, _ = ctx.seated()
    account = _account_at(ctx, args["address"])
    if any(seat.account_id == account.id for seat in table.masters):
        raise NotNow(f"{account.name} is a gamemaster of {table.game.name} already.", "DASHBOARD shows who plays.")
    seat = game_rows.add_seat(ctx.session, table.game.id, SeatRole.MASTER, account_id=account.id, joined_at=ctx.now)
    ctx.office.renew_token(seat)
    table.forget()
    ctx.say(f"{account.name} is a gamemaster of {table.game.name} beside you.")
    words = (
        f"You are a gamemaster of {table.game.name} from now on.",
        "Answer this mail to command the game; HELP lists the gamemaster's commands.",
    )
    purpose = f"promoted:{ctx.mail_id}:{seat.id}"
    tell(table, ctx.office, [seat], "you are a gamemaster", words, purpose=purpose, now=ctx.now)
    ctx.note("promote", account=account.name)


PROMOTE = Command(
    "promote",
    Syntax("PROMOTE address:ADDRESS", elsewhere=("comaster",)),
    Policy(Who.MASTER, irrevocable=True, cost=5),
    act_promote,
    Help(
        "make somebody a gamemaster beside you",
        "A game may have several, each with an address of their own. One who also\n"
        "plays is shown no more than their power sees.",
    ),
)
