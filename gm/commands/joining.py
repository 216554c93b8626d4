"""JOIN, TAKEOVER, STANDBY and OBSERVE: how people come to their seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.board import Power
from gm.commands.account import turnout_words
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Sentences, Syntax
from gm.commands.roster import seat_named
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games import seats
from gm.games.post import tell
from gm.games.power_preferences import read_wishes
from gm.games.snapshot import Table
from gm.games.terms import seats_taken
from gm.position import position_to_json
from gm.reports.words import listed
from gm.store import agenda, game_rows, people
from gm.store.game_rows import GameState, SeatRole, SeatRow
from gm.store.people import AccountRow


def act_join(ctx: Context, args: Mapping[str, Any]) -> None:
    """Give the sender a seat; the answer brings its address."""
    table = ctx.public_table(args["game"])
    if table.running and table.variant.seating.late is not None:
        _come_in(ctx, Table(ctx.session, game_rows.lock_game(ctx.session, table.game.id)), args["power"])
        return
    if table.game.state is not GameState.FORMING:
        remedy = "LIST shows the games that are forming."
        if table.running and table.vacant:
            remedy = f"TAKEOVER {table.game.name} takes a vacant seat."
        elif table.running:
            remedy = f"STANDBY {table.game.name} puts you on its list for vacant seats. {remedy}"
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", remedy)
    wanted = args["power"]
    if wanted is not None and table.variant.seating.name is None:
        read_wishes(wanted, table.variant.seating.powers, table.lexicon.power)
    check_admission(ctx, table)
    account = ctx.registered()
    mine = next((seat for seat in table.players if seat.account_id == account.id), None)
    news = f"You have your seat in {table.game.name} already."
    if mine is None:
        mine = _take_seat(ctx, table, account.id)
        news = f"You have a seat in {table.game.name} ({table.variant.title})."
    wish = _name(table, mine, wanted if wanted is not None or mine.wish else _liked(table, account))
    ctx.seat, ctx.table = mine, Table(ctx.session, table.game)
    ctx.say(news + (f" {wish}" if wish else ""))
    ctx.say(f"Write to your own address from now on: {ctx.office.address_of(table.game, mine)}")
    _tell_master(ctx, ctx.table, account, mine.power or mine.wish)
    ctx.note("join", power=mine.power or mine.wish)


def _come_in(ctx: Context, table: Table, wanted: str | None) -> None:
    """Give the sender a seat in a running game: they come in with the next report, and order in the turn after it."""
    late, phase, position = table.variant.seating.late, table.phase, table.position
    if late is None or phase is None or position is None:
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "LIST shows the games that are forming.")
    check_admission(ctx, table)
    account = ctx.registered()
    seat = next((seat for seat in table.players if seat.account_id == account.id), None)
    if seat is not None and seat.power in (*table.variant.powers(position), *late.enlisted(position)):
        raise NotNow(
            f"You play {seat.power} in {table.game.name} already.", "WHOAMI tells you the address of your seat."
        )
    if seat is None:
        seat = game_rows.add_seat(ctx.session, table.game.id, SeatRole.PLAYER, account_id=account.id, joined_at=ctx.now)
        ctx.office.renew_token(seat)
    _name(table, seat, wanted)
    phase.position = position_to_json(late.enlist(position, Power(seat.power or "")))
    ctx.seat, ctx.table = seat, Table(ctx.session, table.game)
    ctx.say(f"You have a seat in {table.game.name} ({table.variant.title}). You play {seat.power}.")
    ctx.say(
        f"You come into the game when {phase.code} is adjudicated: its report announces you, and in the turn after it "
        "you give your first orders."
    )
    ctx.say(f"Write to your own address from now on: {ctx.office.address_of(table.game, seat)}")
    _tell_master(ctx, ctx.table, account, seat.power)
    ctx.note("join", power=seat.power, phase=phase.code)


def _take_seat(ctx: Context, table: Table, account_id: int) -> SeatRow:
    """A vacated seat, or a new one while there is room."""
    vacant = game_rows.vacant_seats(ctx.session, table.game.id)
    if vacant:
        seat = vacant[0]
        game_rows.replace_holder(ctx.session, seat, account_id, ctx.now)
    elif table.variant.seating.most is None or len(table.players) < table.variant.seating.most:
        seat = game_rows.add_seat(ctx.session, table.game.id, SeatRole.PLAYER, account_id=account_id, joined_at=ctx.now)
    else:
        raise NotNow(
            f"All {table.variant.seating.most} seats of {table.game.name} are taken.", "LIST shows other games."
        )
    ctx.office.renew_token(seat)
    return seat


def _name(table: Table, seat: SeatRow, text: str | None) -> str:
    """Note the power wished for, or name the power where players do so. Returns what to say of it."""
    seating = table.variant.seating
    if seating.name is not None:
        taken = [Power(other.power) for other in table.players if other.power is not None and other.id != seat.id]
        if text is None and seat.power is None:
            raise NotUnderstood(
                "In this game you name your own power.", f"Write JOIN {table.game.name} AS and the name."
            )
        if text is not None:
            seat.power = seating.name(text, taken)
        return f"You play {seat.power}."
    if text is None:
        return ""
    wishes = read_wishes(text, seating.powers, table.lexicon.power)
    seat.wish = wishes[0][0] if len(wishes) == 1 == len(wishes[0]) else text
    order = ", then ".join(" or ".join(group) for group in wishes)
    return f"You asked to play {order}."


def _liked(table: Table, account: AccountRow) -> str | None:
    """What somebody likes to play by their PREFERENCES, where it makes sense in this game."""
    if account.wishes is None or table.variant.seating.name is not None:
        return None
    try:
        read_wishes(account.wishes, table.variant.seating.powers, table.lexicon.power)
    except NotUnderstood:
        return None
    return account.wishes


def check_admission(ctx: Context, table: Table) -> None:
    """Raises NotPermitted for somebody who is not invited to a game that asks for it."""
    if not table.options.by_invitation:
        return
    mine = people.addresses_of(ctx.session, ctx.account.id) if ctx.account is not None else ()
    if people.invitation_of(ctx.session, table.game.id, (ctx.sender, *mine)) is None:
        raise NotPermitted(f"{table.game.name} is for invited players only.", "Ask its gamemaster for an invitation.")


def _tell_master(ctx: Context, table: Table, account: AccountRow, power: str | None) -> None:
    came = people.turnout_of(ctx.session, [account.id])[account.id]
    enough = table.taken >= table.variant.seating.fewest and not table.running
    ready = f" START {table.game.name} begins the game." if enough else ""
    paragraphs = (
        f"{account.name} has joined"
        + (f" and asks for {power}." if power else ".")
        + f" Turnout: {turnout_words(came)}.",
        f"{seats_taken(table).capitalize()}.{ready}",
    )
    purpose = f"joined:{ctx.mail_id}"
    tell(table, ctx.office, table.masters, "a player has joined", paragraphs, purpose=purpose, now=ctx.now)


JOIN = Command(
    "join",
    Syntax(
        "JOIN game:GAME [(AS) power:WISHES]",
        ("JOIN game", "JOIN game AS power", "JOIN game AS power, power, power"),
        elsewhere=("signon", "apply"),
        sentences=Sentences.RARE,
    ),
    Policy(binding=True, cost=5),
    act_join,
    Help(
        "take a seat in a game that is forming",
        "The answer brings the address of your seat: whatever you write to it,\n"
        "from the address you joined with, counts as yours. Powers are given as\n"
        "wished for where that is possible, else by lot. You may name several,\n"
        "the dearest first: France, Italy, or initials: F[ER]* (France, then\n"
        "England or Russia, then any). Where players name their powers, name\n"
        "yours. Some games may be joined when they are running. RESIGN gives the\n"
        "seat back.",
    ),
)


def act_takeover(ctx: Context, args: Mapping[str, Any]) -> None:
    """Give the sender a vacant seat; they are sent the position and the address of their seat."""
    table = ctx.public_table(args["game"])
    if not table.running:
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "JOIN takes a seat in a game that forms.")
    _not_in_it(ctx, table)
    seat = _free(ctx, table, args["power"])
    asked = seats.kept_for(table, seat, ctx.now)
    if asked is None or ctx.account is None or asked.account_id != ctx.account.id:
        check_admission(ctx, table)
    account = ctx.registered()
    seats.give(table, ctx.office, seat, account, ctx.now)
    ctx.seat, ctx.table = seat, Table(ctx.session, table.game)
    ctx.say(f"You play {seat.power} in {table.game.name}. The position is sent to you.")
    ctx.say(f"Write to your own address from now on: {ctx.office.address_of(table.game, seat)}")
    came = people.turnout_of(ctx.session, [account.id])[account.id]
    words = (f"{account.name} has taken over {seat.power}. Turnout: {turnout_words(came)}.",)
    tell(table, ctx.office, table.masters, "a seat is taken", words, purpose=f"taken:{ctx.mail_id}", now=ctx.now)
    seats.announce(table, ctx.office, seat, account, purpose=f"takeover:{ctx.mail_id}", now=ctx.now)
    ctx.note("takeover", power=seat.power)


def _not_in_it(ctx: Context, table: Table) -> None:
    if ctx.account is not None and any(seat.account_id == ctx.account.id for seat in table.players):
        raise NotNow(f"You play in {table.game.name} already.", "One person plays one power.")


def _free(ctx: Context, table: Table, power: str | None) -> SeatRow:
    """The vacant seat that is meant, and that is kept for nobody else. Raises NotNow, NotUnderstood."""
    mine = ctx.account.id if ctx.account is not None else None
    free = [
        seat
        for seat in table.vacant
        if (asked := seats.kept_for(table, seat, ctx.now)) is None or asked.account_id == mine
    ]
    if not free:
        kept = " The vacant one is kept for somebody who was asked first." if table.vacant else ""
        raise NotNow(f"No seat of {table.game.name} is free.{kept}", f"STANDBY {table.game.name} puts you on its list.")
    if power is None:
        return free[0]
    seat = seat_named(table, power)
    if seat not in free:
        names = listed(one.power or "" for one in free)
        raise NotNow(f"{seat.power} is not free.", f"Free: {names}.")
    return seat


def act_standby(ctx: Context, args: Mapping[str, Any]) -> None:
    """Put the sender on the list of those who are asked when a seat falls vacant, or take them off."""
    table = ctx.public_table(args["game"])
    entry = people.standby_of(ctx.session, table.game.id, ctx.account.id) if ctx.account is not None else None
    if args["list"] not in (None, "on"):
        if entry is None:
            raise NotNow(f"You are not on the stand-by list of {table.game.name}.", "WHOAMI shows your seats.")
        asked_for = next((seat for seat in table.vacant if seat.id == entry.asked_seat_id), None)
        people.remove_standby(ctx.session, entry)
        if asked_for is not None:
            seats.ask_standby(table, ctx.office, asked_for, ctx.now)
        ctx.say(f"You are off the stand-by list of {table.game.name}.")
        return
    if table.game.state not in (GameState.FORMING, GameState.RUNNING):
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "LIST shows other games.")
    _not_in_it(ctx, table)
    check_admission(ctx, table)
    account = ctx.registered()
    people.add_standby(ctx.session, table.game.id, account.id, ctx.now)
    ahead = [one for one in people.standbys_of(ctx.session, table.game.id) if one.account_id != account.id]
    ctx.say(f"You stand by for {table.game.name}, with {len(ahead)} before you. You are asked when a seat is vacant.")
    free = [seat for seat in table.vacant if seats.kept_for(table, seat, ctx.now) is None] if table.running else []
    if free:
        ctx.say(f"{listed(seat.power or '' for seat in free)} may be taken now: TAKEOVER {table.game.name}.")
    ctx.note("standby")


TAKEOVER = Command(
    "takeover",
    Syntax(
        "TAKEOVER game:GAME [(AS) power:POWER]",
        ("TAKEOVER game", "TAKEOVER game AS power"),
        synonyms=("take over",),
        loud=("take over",),
    ),
    Policy(binding=True, cost=5),
    act_takeover,
    Help(
        "take a vacant seat in a running game",
        "You are sent the position and your seat's address. Orders that the\n"
        "player before you sent stay in force until you change them.",
    ),
)
STANDBY = Command(
    "standby",
    Syntax(
        "STANDBY game:GAME [list:ON|OFF|NO|NONE]",
        ("STANDBY game", "STANDBY game OFF"),
        synonyms=("stand by",),
        elsewhere=("sub", "substitute"),
        loud=("stand by",),
    ),
    Policy(),
    act_standby,
    Help(
        "be asked when a seat of a game falls vacant",
        "Those on the list are asked in turn, and the seat is kept for each for\n"
        "48 hours. STANDBY game OFF takes you off the list.",
    ),
)


def act_observe(ctx: Context, args: Mapping[str, Any]) -> None:
    """An observer's seat: its holder is sent what everybody may see."""
    table = ctx.public_table(args["game"])
    if table.game.state not in (GameState.FORMING, GameState.RUNNING):
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "SUMMARY and HISTORY tell how it went.")
    account = ctx.registered()
    if any(seat.account_id == account.id for seat in table.seats):
        raise NotNow(f"You have a seat in {table.game.name} already.", "WHOAMI shows its address.")
    left = next((seat for seat in table.observers if seat.account_id is None), None)
    if left is not None:
        seat = left
        game_rows.replace_holder(ctx.session, seat, account.id, ctx.now)
    else:
        seat = game_rows.add_seat(
            ctx.session, table.game.id, SeatRole.OBSERVER, account_id=account.id, joined_at=ctx.now
        )
    ctx.office.renew_token(seat)
    table.forget()
    if table.phase is not None and table.running:
        agenda.owe_reports(ctx.session, table.phase.id, [seat.id], f"welcome:{seat.serial}", ctx.now)
    ctx.seat, ctx.table = seat, Table(ctx.session, table.game)
    ctx.say(f"You observe {table.game.name}: its reports are sent to you. UNOBSERVE {table.game.name} ends that.")
    ctx.note("observe")


OBSERVE = Command(
    "observe",
    Syntax("OBSERVE game:GAME", synonyms=("watch",), elsewhere=("monitor",)),
    Policy(cost=5),
    act_observe,
    Help(
        "be sent the reports of a game that you do not play",
        "You are sent what everybody may see, and press to ALL. Also written\nWATCH.",
    ),
)
