"""DEPUTY: somebody whom a player chooses orders for the power while the player is away (`gm.play.deputies`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from gm.clock import parse_days_off
from gm.commands.context import Context
from gm.commands.declaration import Command, Consent, Help, Policy, Sentences, Stage, Syntax, Who
from gm.commands.invitations import Offer, ask_to_join
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games import loading, names
from gm.games.limits import Spent
from gm.games.snapshot import Game, Person, Seat
from gm.mail.message.compose import can_be_written_to
from gm.play import admission, deputies, seats, sight, standby
from gm.store import people
from gm.store.game_rows import SeatRole
from gm.store.question_rows import QuestionRow

_TIME_TO_ANSWER = timedelta(days=3)


def act_deputy(ctx: Context, args: Mapping[str, Any]) -> None:
    """Ask somebody to be the player's deputy; or show, or end, what there is."""
    game, seat = ctx.seated()
    if args["named"]:
        how = "DEPUTY is for the power of your seat. Write DEPUTY, the address, and UNTIL with a day if it is to end."
        raise NotUnderstood(f"'FOR {args['named']}' is more than DEPUTY needs.", how)
    if seat.role is SeatRole.DEPUTY:
        _of_deputy(ctx, game, seat, ending=args["what"] is not None, asking=args["address"] is not None)
    elif args["what"] is not None:
        _end(ctx, game, seat)
    elif args["address"] is None:
        _show(ctx, game, seat)
    else:
        _ask(ctx, game, seat, str(args["address"]), args["days"])


def _of_deputy(ctx: Context, game: Game, seat: Seat, *, ending: bool, asking: bool) -> None:
    """What a deputy writes."""
    if asking:
        raise NotPermitted("A deputy has no deputy.", f"The player of {seat.power} can name another one.")
    if not ending:
        ctx.say(f"You are the deputy of {seat.power}, {deputies.when(ctx.tx, game, seat, ctx.person)}.")
        return
    ctx.stand_up()
    deputies.end(ctx.tx, game, seat, "You have given it up.", "Your deputy has given it up.")
    ctx.say(f"You no longer order for {seat.power} in {game.name}.")


def _end(ctx: Context, game: Game, seat: Seat) -> None:
    """End it, and take back what is asked."""
    asked = deputies.withdraw(ctx.tx, game, seat)
    had = game.deputies_of(seat)
    if not had and not asked:
        raise NotNow("You have no deputy.", f"Write {DEPUTY.syntax.shown[0]}.")
    deputies.dismiss(ctx.tx, game, seat, "The player orders for the power again.", "You have ended it.")
    ctx.say(f"You have no deputy any more{'' if had else '; the question to them is void'}.")
    ctx.note("deputy")


def _show(ctx: Context, game: Game, seat: Seat) -> None:
    shown = game.deputies_of(seat)
    for one in shown:
        name = one.name
        ctx.say(f"Your deputy for {seat.power}: {name}, {deputies.when(ctx.tx, game, one, ctx.person)}.")
        ctx.offer("DEPUTY NONE", "end this")
    if shown:
        return
    asked = [row for row in deputies.asked(ctx.tx, game, seat) if row.expires_at > ctx.now]
    for row in asked:
        until = ctx.reader().until(row.expires_at)
        ctx.say(f"You have no deputy yet: {row.asked} was asked and has not answered. They can answer until {until}.")
        ctx.offer("DEPUTY NONE", "take the question back")
    if not asked:
        ctx.say(f"You have no deputy. To ask somebody, write {DEPUTY.syntax.shown[0]}.")


def _ask(ctx: Context, game: Game, seat: Seat, email: str, days: str | None) -> None:
    """Ask somebody, in place of whoever was asked before."""
    if game.is_secret(seat):
        raise NotPermitted("Nobody may learn who plays this power, so it can have no deputy.", "EXTEND asks for time.")
    if game.options.private:
        raise NotPermitted(f"{game.name} is a game of your own and waits for you.", "There is nothing to arrange.")
    begins, ends = _span(ctx, game, days)
    friend = _friend(ctx, email)
    _refuse_known(game, seat, friend, email)
    deputies.withdraw(ctx.tx, game, seat)
    who = ctx.known()
    reasons = _reasons(ctx, game, seat, _while(ctx, game, begins, ends, friend))
    offer = Offer(email, friend, "a power to order for", reasons, _YES, _TIME_TO_ANSWER, who.name)
    ask_to_join(
        ctx,
        game,
        offer,
        what="be your deputy",
        silent=_has_another(ctx, game, seat, friend, email),
        deputy_of=seat.id,
        holder=who.id,
        begins=begins and begins.isoformat(),
        ends=ends and ends.isoformat(),
    )
    time = _while(ctx, game, begins, ends, who)
    ctx.say(
        f"{email} is asked to order for {seat.power}{time}. You are told when they accept or"
        " decline; if you hear nothing for three days, ask somebody else."
    )
    ctx.note("deputy")


_YES = ("YES", "be the deputy")


def _friend(ctx: Context, email: str) -> Person | None:
    """The person with this address, if they are registered, who may be written to. Raises a GmError."""
    if not can_be_written_to(email) or ctx.tx.identity.is_own(email):
        raise NotUnderstood(f"'{email}' is no address of a person.", "Write it like friend@example.org.")
    if email in ctx.known().addresses:
        raise NotUnderstood(f"{email} is your own address.", "Name somebody else's.")
    ctx.reach(email, f"{people.INVITATIONS} {ctx.seated()[0].id}")
    return loading.person_at(ctx.tx.session, email)


def _refuse_known(game: Game, seat: Seat, friend: Person | None, email: str) -> None:
    """Raises NotNow for somebody of whom everybody may know that they play in the game, or run it."""
    for other in game.seats_of(friend):
        hidden = game.names_hidden or game.is_secret(other) or other.role in (SeatRole.OBSERVER, SeatRole.DEPUTY)
        if other.moderates or not hidden:
            does = "runs" if other.moderates else "plays in"
            raise NotNow(f"{email} {does} {game.name}.", f"A deputy for {seat.power} must be somebody else.")


def _has_another(ctx: Context, game: Game, seat: Seat, friend: Person | None, email: str) -> bool:
    """Whether somebody plays another power, or has known its secrets: they are not even asked, or they would learn who
    plays this one."""
    if any(one.role is SeatRole.PLAYER for one in game.seats_of(friend)):
        return True
    return sight.in_the_way(ctx.tx, game, friend, seat, email) is not None


def _span(ctx: Context, game: Game, days: str | None) -> tuple[datetime | None, datetime | None]:
    """From when until when, None for now and for a time not known: the days named, or those of the next absence."""
    if days is None:
        away = people.absences_of(ctx.tx.session, [ctx.known().id], ctx.now)
        begins, ends = (away[0].begins, away[0].ends) if away else (None, None)
    else:
        begins, ends = parse_days_off(days, ctx.now, ctx.tx.identity.zone_of(ctx.person, game))
    return (begins if begins is not None and begins > ctx.now else None), ends


def _while(ctx: Context, game: Game, begins: datetime | None, ends: datetime | None, reader: Person | None) -> str:
    said = deputies.span(ctx.tx, game, begins, ends, reader)
    return f", {said}" if said else ""


def _reasons(ctx: Context, game: Game, seat: Seat, time: str) -> tuple[str, ...]:
    """What the friend is told before they answer, of the `time` in their own zone."""
    return (
        f"{ctx.known().name} ({ctx.sender}) asks you to order for {seat.power} in {game.name}, a game of"
        f" {game.variant.title} by mail, while they are away{time}.",
        "With YES you get the position, the map and an address of your own for the orders, then the reports, the"
        " reminders and the press of the power. Its player and the gamemaster are told your name, and the player gets a"
        " copy of all that you send. You may play no other power of the game.",
        f"To be asked for it no more, reply STOP {game.name}; HELP explains how one plays by mail.",
    )


# the answer of the person who was asked


def serve(ctx: Context, row: QuestionRow) -> None:
    """Carry out a YES. Raises NotNow if the player or the answer's writer cannot have or be a deputy any more."""
    game = ctx.tx.game(int(row.detail["game"]), lock=True)
    player = game.seat(int(row.detail["deputy_of"]))
    begins, ends = (datetime.fromisoformat(at) if (at := row.detail[name]) else None for name in ("begins", "ends"))
    if not game.running or player.account_id != row.detail["holder"]:
        raise NotNow(f"Whoever asked you does not play in {game.name} any more.", "LIST OPEN shows other games.")
    if ends is not None and ends <= ctx.now:
        raise NotNow("The time for which you were asked is over.")
    account = ctx.registered()
    if any(seat.moderates or seat.role is SeatRole.PLAYER for seat in game.seats_of(account)):
        raise NotNow(f"You have a seat of your own in {game.name}.", "A person can order for only one power in a game.")
    admission.check(ctx.tx, game, (ctx.sender, *account.addresses))
    sight.require_none(ctx.tx, game, account, player, ctx.sender)
    names.require_own(game, account)
    standby.leave(ctx.tx, game, account)
    for watched in game.observers:
        game = seats.empty(ctx.tx, game, watched) if watched.is_of(account) else game
    game, seat = deputies.appoint(ctx.tx, game, player, account, begins if begins and begins > ctx.now else None, ends)
    deputies.announce(ctx.tx, game, seat, row.asked)
    ctx.say(f"You are the deputy of {seat.power} in {game.name}, {deputies.when(ctx.tx, game, seat, account)}.")
    if not seat.serves(ctx.now):
        ctx.say("When it begins you get a mail with the position and the address for orders.")
        return
    ctx.sit_down(game, seat)
    ctx.note("deputy", account=account.id)
    ctx.say("A mail with the position follows; reply to it with orders.")
    ctx.say(f"Your address there: {ctx.tx.identity.address_of(game, seat)}")


DEPUTY = Command(
    "deputy",
    Syntax(
        "DEPUTY | DEPUTY what:NONE|NO|OFF | DEPUTY address:ADDRESS [days:SPAN] | DEPUTY FOR named:WORDS",
        (
            "DEPUTY friend@example.org",
            "DEPUTY friend@example.org UNTIL 24 December",
            "DEPUTY friend@example.org 24 Dec TO 2 Jan",
            "DEPUTY",
            "DEPUTY NONE",
        ),
        shorthands={"no deputy": "NONE"},
        elsewhere=("sitter", "proxy"),
        after_set=True,
        sentences=Sentences.RARE,
    ),
    Policy(
        Who.PLAYER,
        Stage.RUNNING,
        consent=Consent.FAR_REACHING,
        bare=Consent.NONE,
        of_none=Consent.NONE,
        by_deputies=True,
        cost=5,
        spends=(Spent.MAILS, Spent.FIRST),
        instead="Who orders for a power is for its player to name, from the seat of the power. A gamemaster can write"
        " ORDERS FOR it, or REPLACE the player.",
    ),
    act_deputy,
    Help(
        "let a friend order for your power while you are away",
        """
        Your friend is asked first, and has a mail address of their own for
        your power. Until the day you name, or to the end of your ABSENCE, or
        until DEPUTY NONE, they get your reports, reminders and press, and can
        send orders, READY, WAIT, CLEAR and press for you, but not vote, resign
        or see your address. You get a copy of all they send, and can go on
        ordering: of each unit the later order counts. Their press is signed
        with your power, "by a deputy"; nobody but you and the gamemaster is
        told their name. Deadlines do not move for the absence of a player who
        has a deputy. It ends, too, if the seat changes hands. The friend must
        have no part in the game, and secret seats can have no deputy.
        """,
    ),
)
