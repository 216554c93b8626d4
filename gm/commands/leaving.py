"""RESIGN, UNOBSERVE, STOP and FORGET ME: how people leave a game or the server, or stop some of its mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gm.commands.context import Context
from gm.commands.declaration import Command, Consent, Help, Policy, Sentences, Syntax, Who
from gm.commands.roster import seat_named
from gm.errors import NotNow, NotUnderstood
from gm.games.limits import UNPROVED
from gm.games.report_inputs import masters_by_name
from gm.games.snapshot import Game, Seat, holders
from gm.play import admission, deputies, private_games, seats, standby
from gm.reports import with_article
from gm.store import people, retention
from gm.store.game_rows import SeatRole


def act_unobserve(ctx: Context, args: Mapping[str, Any]) -> None:
    """Give up the observer's seat."""
    game = ctx.game_with_seats(args["game"])
    mine = [seat for seat in game.observers if seat.is_of(ctx.person)]
    if not mine:
        raise NotNow(f"You do not observe {game.name}.", "WHOAMI lists your games.")
    if ctx.seat in mine:
        ctx.stand_up()
    for seat in mine:
        game = seats.empty(ctx.tx, game, seat)
    ctx.say(f"You no longer observe {game.name}.")
    ctx.note("unobserve")


UNOBSERVE = Command(
    "unobserve",
    Syntax("UNOBSERVE [game:GAME]", ("UNOBSERVE game",)),
    Policy(),
    act_unobserve,
    Help("end OBSERVE", "Your observer's address becomes void."),
)


def act_resign(ctx: Context, args: Mapping[str, Any]) -> None:
    """Vacate the sender's seat. In a running game the power is in civil disorder until somebody takes over."""
    game, seat = ctx.seated()
    if seat.role is SeatRole.OBSERVER:
        act_unobserve(ctx, {"game": game.name})
        return
    if seat.moderates:
        _remove_gamemaster(ctx, game, seat)
        return
    if args["game"] is None:
        raise NotUnderstood("RESIGN needs the name of the game.", f"To leave for good, write RESIGN {game.name}.")
    ctx.note("resign", power=seat.power)
    ctx.attach(ctx.tx.left_deadline(game, seat))
    ctx.stand_up()
    informed = masters_by_name(game, seat)
    game = seats.vacate(ctx.tx, game, seat)
    asked = seat.id in standby.kept(ctx.tx, game)
    more = (
        "The seat is offered to the next on the standby list." if asked else "Nobody is left on the standby list.",
        f"REPLACE {seat.power or 'power'} WITH address names a new player; DUMMY {seat.power or 'power'} runs it"
        " without one.",
    )
    for masters, who in zip(informed, _called(seat), strict=True):
        words = (f"{who} has resigned.", *more)
        purpose, answers = f"resigned:{ctx.key}", seats.dummies(game, [seat] if game.running else [])
        ctx.tx.tell(game, masters, "a player has resigned", words, purpose, answers=answers)
    seats.announce_vacancy(ctx.tx, game, seat, "has resigned", f"vacant:{ctx.key}:{seat.id}")
    if game.options.practice:
        private_games.end(ctx.tx, ctx.tx.newest(game), "")
    ctx.say(f"You have left {game.name}. Thank you for playing.{_plays_on(game, seat)}")


def _plays_on(game: Game, seat: Seat) -> str:
    """What becomes of the power, and who is told."""
    if seat.power is None or not game.running or game.options.practice:
        return ""
    holds = "is played by a stand-in" if game.options.stands_in(seat.power) else "has no player"
    aside = " No player is told." if game.is_secret(seat) else ""
    return f" {seat.power[:1].upper()}{seat.power[1:]} {holds} until somebody takes the seat.{aside}"


def _called(seat: Seat) -> tuple[str, str]:
    """The holder of a player's seat, for those who may read their name and for those who may not."""
    name, power = seat.person.name if seat.person is not None else "Somebody", seat.power
    return (f"{name} ({power})", f"The player of {power}") if power else (name, "A player")


def _remove_gamemaster(ctx: Context, game: Game, seat: Seat) -> None:
    """Remove a gamemaster, if there is another one; a sandbox ends with the last."""
    others = [one for one, _ in holders(game.masters) if one.id != seat.id]
    if game.options.sandbox and not others:
        ctx.note("resign")
        private_games.end(ctx.tx, game, "You have left it.")
        ctx.say(f"The sandbox {game.name} is over.")
        return
    if not others:
        raise NotNow(f"You are the only gamemaster of {game.name}.", "PROMOTE somebody else before you leave.")
    name, title = ctx.person.name if ctx.person is not None else ctx.sender, with_article(seat.title)
    ctx.note("resign", account=ctx.account_id)
    ctx.stand_up()
    game = seats.empty(ctx.tx, game, seat)
    words = (f"{name} is no longer {title} of {game.name}.",)
    purpose = f"resigned:{ctx.key}"
    ctx.tx.tell(game, others, "a gamemaster has left", words, purpose)
    ctx.say(f"You are no longer {title} of {game.name}.")


RESIGN = Command(
    "resign",
    Syntax(
        "RESIGN (FROM) [game:GAME]",
        ("RESIGN game",),
        synonyms=("withdraw",),
        elsewhere=("quit", "surrender"),
        sentences=Sentences.RARE,
    ),
    Policy(Who.SEATED, consent=Consent.IRREVOCABLE, cost=5, in_sandbox=True),
    act_resign,
    Help(
        "leave a game for good",
        """
        Your seat becomes vacant and its address void. The gamemaster is
        notified, and the seat is offered to the next on the standby list; of a
        secret seat, only a gamemaster who does not play is told.
        """,
    ),
)


def act_stop(ctx: Context, args: Mapping[str, Any]) -> None:
    """Stop mail that the sender does not want: all that others cause, invitations to a game, or a player's press.

    Nobody needs to prove who they are for this, so that it does not end the answers to mail like this one.
    """
    if args["power"] is not None:
        _mute(ctx, args["power"])
        return
    who = ctx.addresses
    if args["what"] == "none":
        _undo_stops(ctx, who)
        return
    game = _asking_game(ctx, args["game"]) if args["game"] is not None else None
    what = people.ALL_MAIL if game is None else f"{people.INVITATIONS} {game.id}"
    certain = ctx.tx.allowance.payer not in UNPROVED
    for email in who:
        people.block(ctx.tx.session, email, what, ctx.now)
        if game is None and certain:
            people.block(ctx.tx.session, email, people.UNPROVED, ctx.now)
    if game is not None:
        seats = game.seats_of(ctx.person)
        leave = (
            f"UNOBSERVE {game.name}" if all(one.role is SeatRole.OBSERVER for one in seats) else f"RESIGN {game.name}"
        )
        still = f" The mail of your seat in it still comes; to leave the game, write {leave}." if seats else ""
        ctx.say(f"You are not invited to {game.name} again.{still} To undo this, write STOP NONE.")
        return
    seats_left = " You still receive the mail of games in which you have a seat." if ctx.person is not None else ""
    answers = (
        "Mail in your name that nothing proves to be yours is not answered any more."
        if certain
        else "Nothing proves that you wrote this, so that mail like it is still answered."
    )
    ctx.say(f"Nobody can have mail sent to you from here any more.{seats_left} {answers} To undo this: STOP NONE.")


def _asking_game(ctx: Context, name: str) -> Game:
    """The game named, also a sandbox that somebody wants to share with the sender. Raises NotUnderstood."""
    game = ctx.tx.game_named(name)
    if game is not None and admission.expects(ctx.tx, game, ctx.person, ctx.sender):
        return game
    return ctx.public_game(name)


def _mute(ctx: Context, power: str) -> None:
    """Stop press to the sender's seat that is signed with this power, whether or not somebody plays it."""
    game, seat = ctx.seated()
    other = seat_named(game, power)
    if other.power is None or other.id == game.principal(seat).id:
        raise NotNow(f"{power} is your own power.", "STOP PRESS FROM and the power whose press you do not want.")
    ctx.tx.fold_seats(game, replace(seat, muted=seat.muted | {other.power}))
    notice = "" if game.is_secret(other) else "; they are told so if they write"
    ctx.say(
        f"You receive no more press from {other.power}{notice}. Press without a signature still comes. To undo this:"
        " STOP NONE."
    )


def _undo_stops(ctx: Context, who: Sequence[str]) -> None:
    """Undo every STOP."""
    people.unblock(ctx.tx.session, who)
    if ctx.seat is not None and ctx.game is not None:
        ctx.tx.fold_seats(ctx.game, replace(ctx.seat, muted=frozenset()))
    ctx.say("Nothing is stopped any more.")


STOP = Command(
    "stop",
    Syntax(
        "STOP | STOP what:ALL | STOP what:NONE | STOP PRESS FROM power:KNOWN_POWER | STOP (GAME) game:GAME",
        ("STOP", "STOP game", "STOP PRESS FROM power", "STOP NONE"),
        elsewhere=("unsubscribe", "block", "mute", "ignore"),
        sentences=Sentences.UNLESS_EXACT,
    ),
    Policy(of_none=Consent.UNASKED),
    act_stop,
    Help(
        "end mail that you do not want",
        """
        STOP ends all mail that other people can have sent to you: invitations
        and questions. If your mail is authenticated or comes to your seat, STOP
        also ends answers to mail that only bears your name. STOP and a game
        ends its invitations. STOP PRESS FROM a power, written to your seat,
        ends the press that is signed with that power, whoever plays it; they
        are told when they write. STOP NONE
        undoes all of these; it may need your confirmation, as anybody can use
        your name. RESIGN leaves a game.
        """,
    ),
)


def act_forget(ctx: Context, args: Mapping[str, Any]) -> None:
    """Vacate all seats of the sender and erase their personal data."""
    del args
    account = ctx.known()
    mine = [(game, seat) for game in ctx.tx.games_of(account, lock=True) for seat in game.seats_of(account)]
    for game, seat in mine:
        _may_go(game, seat)
    ctx.actor = ctx.about = None
    for game, seat in mine:
        _leave(ctx, ctx.tx.newest(game), seat)
    people.erase(ctx.tx.session, account.id, ctx.now)
    retention.forget_questions(ctx.tx.session, account.id, account.addresses, ctx.now)
    ctx.tx.forgotten.update(account.addresses)
    ctx.say("You have left all your games; your name, addresses and preferences are erased. Thank you for playing.")
    ctx.say(
        "The mails that you sent and received are deleted here within minutes, and so are mails to others that contain"
        " an address of yours; this answer is deleted when it has been sent. Others keep what they have received."
    )
    if any(not game.over for game, _ in mine):
        ctx.say("A hash of each of your addresses is kept until these games are over: you get no other power in them.")
    ctx.say("Your orders and press stay part of their games, and so do your diaries, which are published at the end.")


def _may_go(game: Game, seat: Seat) -> None:
    """Raises NotNow for the only gamemaster of a game that is not over."""
    others = [one for one, _ in holders(game.masters) if not one.is_of(seat.person)]
    if seat.role is SeatRole.MASTER and not game.over and not others:
        raise NotNow(f"You are the only gamemaster of {game.name}.", "PROMOTE somebody else, or TERMINATE the game.")


def _leave(ctx: Context, game: Game, seat: Seat) -> None:
    if seat.role is SeatRole.DEPUTY:
        deputies.end(ctx.tx, game, seat, "You have left this server.", "Your deputy has left this server.")
        return
    if seat.role is not SeatRole.PLAYER or not game.running:
        seats.empty(ctx.tx, game, seat)
        return
    informed = masters_by_name(game, seat)
    game = seats.vacate(ctx.tx, game, seat)
    for masters, who in zip(informed, _called(seat), strict=True):
        words = (f"{who} has left this server. The seat is vacant.",)
        purpose, answers = f"forgotten:{ctx.key}:{seat.id}", seats.dummies(game, [seat])
        ctx.tx.tell(game, masters, "a player has resigned", words, purpose, answers=answers)
    purpose = f"vacant:{ctx.key}:{seat.id}"
    seats.announce_vacancy(ctx.tx, game, seat, "has left this server", purpose, named=False)


FORGET_ME = Command(
    "forgetme",
    Syntax("FORGET ME", loud=("forget me",), sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.REGISTERED, consent=Consent.FAR_REACHING, cost=5),
    act_forget,
    Help(
        "leave all your games and delete your account",
        """
        Your seats become vacant, your name is replaced by `somebody`, and your
        addresses and mails are deleted, as are mails to others that contain
        them. Others keep what they have received. Your orders, press and
        diaries stay part of their games; diaries are published when a game
        ends. Of a mail only its Message-ID is kept, so that it is not acted on
        twice; and of your addresses a hash, while a game goes on in which you
        had a seat, so that whoever knows its secrets gets no other one.
        """,
    ),
)
