"""PRACTICE and STANDIN: a game of one's own against stand-in players, and a stand-in for a power without a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from itertools import count
from typing import Any

from gm.board import Power
from gm.chance import Chance
from gm.commands.context import THE_POWER, Context
from gm.commands.declaration import Command, Consent, Help, Policy, Record, Sentences, Stage, Syntax, Who
from gm.commands.roster import refuse_secret, seat_for_master
from gm.errors import NotNow, NotUnderstood
from gm.games.limits import Spent
from gm.games.snapshot import Game, Person, Seat
from gm.mail.message.addresses import token_for
from gm.options import PRACTICE as KIND
from gm.play import practice, private_games, standins
from gm.play.calendar import close_early
from gm.reports import listed, wrap
from gm.store.game_rows import GameState
from gm.variants import Variant, all_variants, find


def act_practice(ctx: Context, args: Mapping[str, Any]) -> None:
    """Begin a practice game of the sender's; of several at a time only the last goes on."""
    variant = _variant(args["variant"])
    power = _power(variant, args["power"])
    create = partial(practice.create, ctx.tx, variant.name, power)
    game, seat = begin_own(ctx, KIND, "You are playing a practice game", create, again=args["again"])
    ctx.sit_down(game, seat)
    ctx.say(f"Your practice game is {game.name} ({variant.title}): you play {seat.power} against stand-in players.")
    ctx.say("The first report follows. Reply to it with your orders and READY; the results come at once.")
    ctx.note("practice", variant=variant.name, power=seat.power)


def _variant(named: str | None) -> Variant:
    found = find(named or "standard")
    if found is None:
        raise NotUnderstood(f"There is no game '{named}'.", f"Write one of: {', '.join(all_variants())}.")
    return found


def _power(variant: Variant, named: str | None) -> Power | None:
    """The power that is asked for. Raises NotUnderstood for one that cannot be played in practice."""
    if named is None:
        return None
    seating = variant.seating
    words = {power.lower(): power for power in seating.powers if power not in seating.secret}
    spellings = {word: power for word, power in _spellings(variant).items() if power in words.values()}
    found = (words | spellings).get(" ".join(named.lower().split()))
    if found is None:
        which = f"Write one of: {', '.join(words.values())}." if words else "Leave it away: your power has a name here."
        raise NotUnderstood(f"'{named}' cannot be played in practice.", which)
    return found


def _spellings(variant: Variant) -> Mapping[str, Power]:
    return variant.language.spellings(variant.opening(variant.seating.powers, Chance(bytes(32))))


_LENGTH = 6


def begin_own(
    ctx: Context, kind: str, had: str, create: Callable[[str, Person], tuple[Game, Seat] | None], *, again: object
) -> tuple[Game, Seat]:
    """A new practice game or sandbox (`kind`), named after the mail that asked for it. The sender has one at a time:
    `again` ends the one that they `had`. Raises NotNow.
    """
    account = ctx.registered()
    running = ctx.tx.games_of(account, GameState.RUNNING, lock=True)
    old = [game for game in running if private_games.is_own(game, kind, account)]
    if old and not again:
        where = ctx.tx.identity.address_of(old[0], old[0].seats_of(account)[0])
        remedy = f"Reply to its last mail, or to {where}. {kind.upper()} NEW ends it and begins another."
        raise NotNow(f"{had} already: {old[0].name}.", remedy)
    ctx.tx.allowance.admit(Spent.GAMES)
    for game in old:
        private_games.end(ctx.tx, game, f"You have begun another {private_games.THINGS[kind]}.", account)
    key = ctx.tx.identity.key  # so the name cannot be guessed, to learn by the time of an answer that there is one
    names = (f"{kind}-{token_for(key, 'own', f'{ctx.key} {number}')[:_LENGTH]}" for number in count())
    return next(made for name in names if (made := create(name, account)) is not None)


def _variants() -> str:
    return wrap(f"Variants: {', '.join(all_variants())}.")


PRACTICE = Command(
    "practice",
    Syntax(
        "PRACTICE [again:NEW] [variant:GAME] [AS power:POWER]",
        ("PRACTICE", "PRACTICE AS power", "PRACTICE variant"),
        sentences=Sentences.UNLESS_WHOLE,
    ),
    Policy(consent=Consent.BINDING, cost=5, spends=(Spent.GAMES,)),
    act_practice,
    Help(
        "learn to play: a game of your own against stand-ins",
        f"""
        The other powers are played by the program, which answers at once: as
        soon as you are READY the results come. Nobody else sees the game. You
        have one at a time; PRACTICE NEW begins another. It ends after
        {practice.YEARS} years, when you RESIGN, or after a week without orders.
        """,
        more=_variants,
    ),
)


def act_standin(ctx: Context, args: Mapping[str, Any]) -> None:
    """Let a stand-in play a power without a player, until somebody takes it over."""
    game, _ = ctx.seated()
    if args["power"] is None:
        vacant = [seat.label for seat in game.vacant if seat not in game.standins]
        raise NotUnderstood("STANDIN needs a power.", f"Without a player: {listed(vacant) or 'none'}.")
    seat = seat_for_master(ctx, game, args["power"])
    refuse_secret(game, seat, "be given to a stand-in")
    if seat.person is not None:
        raise NotNow(f"{seat.power} has a player.", f"EJECT {seat.power} takes it from its player.")
    if seat in game.standins:
        ctx.say(f"A stand-in plays {seat.power} already. DUMMY {seat.power} runs it without one.")
        return
    since = seat.dummy_since.isoformat() if seat.dummy_since is not None else None
    game = standins.seat_standin(ctx.tx, game, seat)
    words = (
        f"A stand-in player plays {seat.power} from now on, until somebody writes TAKEOVER {game.name} AS {seat.power}."
    )
    ctx.say(words)
    ctx.tell_others(game, "a stand-in", (words,), f"standin:{ctx.key}:{seat.id}")
    ctx.note("standin", power=seat.power, undo={"seat": seat.id, "dummy": since})
    close_early(ctx.tx, game)


def _no_standin(ctx: Context, undo: Mapping[str, Any]) -> str:
    """Leave the power without a player. Raises NotNow when no stand-in plays it any longer."""
    game, _ = ctx.seated()
    seat = game.seat(int(undo["seat"]))
    if seat not in game.standins:
        raise NotNow("No stand-in plays that power any longer.")
    since = undo["dummy"]
    standins.unseat_standin(ctx.tx, game, seat, datetime.fromisoformat(since) if since else None)
    return f"{seat.power} is vacant again, and the orders of the stand-in are deleted."


STANDIN = Command(
    "standin",
    Syntax("STANDIN [power:POWER]", ("STANDIN power",), synonyms=("stand in",), loud=("stand in",)),
    Policy(
        Who.MASTER,
        Stage.RUNNING,
        record=Record(undo=_no_standin, changes=THE_POWER),
        cost=5,
        spends=(Spent.MAILS,),
    ),
    act_standin,
    Help(
        "let a stand-in play a power without a player",
        """
        The program orders for it in every phase, from what that power may see,
        until somebody takes it over (TAKEOVER, REPLACE). A gamemaster who does
        not play can still write ORDERS FOR it. With standins=yes (CREATE, SET)
        this happens by itself, and START fills the seats that are left.
        """,
    ),
)
