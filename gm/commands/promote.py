"""PROMOTE: who runs a game, as a gamemaster with all rights or as the assistant of one.

What an assistant may do stands in each command's declaration (`Policy.by_assistants`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands.context import Context
from gm.commands.declaration import Command, Consent, Help, Policy, Syntax, Who
from gm.commands.roster import reachable
from gm.errors import NotNow
from gm.games import deputies, loading, seats
from gm.games.limits import Spent
from gm.games.snapshot import TITLES, Game, Person
from gm.options.table import NONE
from gm.reports import listed, with_article
from gm.store import people
from gm.store.game_rows import SeatRole


def act_promote(ctx: Context, args: Mapping[str, Any]) -> None:
    """Add a gamemaster to the present ones, with all rights or as their assistant; or (OFF) end an assistant's time."""
    game, _ = ctx.seated()
    email, how = args["address"], args["how"]
    if how in NONE:
        _end_assistance(ctx, game, email)
        return
    role = SeatRole.ASSISTANT if how else SeatRole.MASTER
    account, left = reachable(ctx, email) or ctx.tx.register(email, None), None
    for one in game.seats_of(account):
        if one.role in (role, SeatRole.MASTER):
            raise NotNow(f"{called(account, email)} is {with_article(one.title)} of {game.name} already.", _DASHBOARD)
        if one.role is SeatRole.ASSISTANT:
            game, left = seats.empty(ctx.tx, game, one), one.id
        if one.role is SeatRole.DEPUTY:
            said = f"is {with_article(TITLES[role])} now."
            game = deputies.end(ctx.tx, game, one, f"{account.name} {said}", f"Your deputy {said}")
    game, seat = ctx.tx.add_seat(game, role, account)
    ctx.say(f"{called(account, email)} is now {with_article(seat.title)} of {game.name} too.")
    words = (
        f"You are now {with_article(seat.title)} of {game.name}.",
        "Reply to this mail to manage the game; HELP lists the gamemaster's commands.",
    )
    if role is SeatRole.ASSISTANT:
        may = (command.title for command in ctx.commands.values() if command.policy.by_assistants)
        said = f"Reply to this mail with press or {listed(may, 'or')}; the rest is for gamemasters with all rights."
        words = (words[0], said)
        ctx.say(f"PROMOTE {email} gives them all rights, PROMOTE {email} OFF takes these.")
    purpose = f"promoted:{ctx.key}:{seat.id}"
    ctx.tx.tell(game, [seat], f"you are {with_article(seat.title)}", words, purpose)
    _tell_others(ctx, game, account, email, f"is now {with_article(seat.title)}")
    ctx.note("promote", account=account.id, rights="assistant" if role is SeatRole.ASSISTANT else None, left=left)


def _tell_others(ctx: Context, game: Game, person: Person, email: str, becomes: str) -> None:
    """Tell the others who run the game what somebody has become; the address only those who may know addresses."""
    for one in game.moderators:
        if one.person is None or one.is_of(ctx.person) or one.is_of(person):
            continue
        who = person.name if game.plays(one.person) else called(person, email)
        words = (f"{ctx.known().name} has decided: {who} {becomes} of {game.name}.", _DASHBOARD)
        ctx.tx.tell(game, [one], "who runs the game", words, f"runs:{ctx.key}:{person.id}")


def called(person: Person, email: str = "") -> str:
    """The name or, of somebody who has given none, the address by which they were named, or to which their mail goes:
    for those who run the game and do not play.
    """
    unnamed = person.name == people.unnamed(person.id) and person.addresses
    return (email or person.reachable) if unnamed else person.name


_DASHBOARD = "DASHBOARD shows who runs the game, and who plays."


def _end_assistance(ctx: Context, game: Game, email: str) -> None:
    """Take the seat of an assistant. Raises NotNow for somebody who is none."""
    person = loading.person_at(ctx.tx.session, email)
    seat = next((one for one in game.seats_of(person) if one.role is SeatRole.ASSISTANT), None)
    if seat is None or person is None:
        raise NotNow(f"{email} is no assistant gamemaster of {game.name}; others leave with RESIGN.", _DASHBOARD)
    words = (f"You are no longer {with_article(seat.title)} of {game.name}.", "Thank you for your help.")
    ctx.tx.dismiss(game, seat, "your help is ended", words, f"released:{ctx.key}:{seat.id}")
    game = seats.empty(ctx.tx, game, seat)
    ctx.say(f"{called(person, email)} is no longer {with_article(seat.title)} of {game.name}.")
    _tell_others(ctx, game, person, email, f"is no longer {with_article(seat.title)}")
    ctx.note("promote", account=person.id, off=True, left=seat.id)


PROMOTE = Command(
    "promote",
    Syntax(
        "PROMOTE address:ADDRESS [(AS) how:ASSISTANT|OFF|NO|NONE]",
        ("PROMOTE address", "PROMOTE address AS ASSISTANT", "PROMOTE address OFF"),
        elsewhere=("comaster",),
    ),
    Policy(Who.MASTER, consent=Consent.FAR_REACHING, cost=5, spends=(Spent.FIRST,)),
    act_promote,
    Help(
        "add a gamemaster, with all rights or as an assistant",
        """
        A game can have several, each with a seat address of their own. An
        assistant sees to the players and the time: DASHBOARD, DEADLINE,
        EXTEND, PAUSE, RESUME, INVITE, OFFICIAL, COMMENT and press. What
        changes results, rules, seats or rights, and what is secret, takes a
        gamemaster with all rights; PROMOTE makes an assistant one, and OFF
        ends an assistant's time. A gamemaster who also plays sees only what
        their power sees.
        """,
    ),
)
