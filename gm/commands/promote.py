"""PROMOTE: who runs a game, as a gamemaster with all rights or as the assistant of one.

What an assistant may do stands in each command's declaration (`Policy.by_assistants`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from gm.commands.context import Context
from gm.commands.declaration import Command, Consent, Help, Policy, Syntax, Who
from gm.commands.roster import reachable
from gm.errors import NotNow, NotPermitted
from gm.games import deputies, loading, seats, sight
from gm.games.limits import Spent
from gm.games.questions import SEAT, Asked, ask
from gm.games.snapshot import TITLES, Game, Person, Seat
from gm.options.table import NONE
from gm.reports import listed, with_article
from gm.store import people, question_rows
from gm.store.game_rows import SeatRole
from gm.store.question_rows import QuestionRow


def act_promote(ctx: Context, args: Mapping[str, Any]) -> None:
    """Add a gamemaster to the present ones, with all rights or as their assistant; or (OFF) end an assistant's time."""
    game, _ = ctx.seated()
    email, how = args["address"], args["how"]
    if how in NONE:
        _end_assistance(ctx, game, email)
        return
    role = SeatRole.ASSISTANT if how else SeatRole.MASTER
    account = reachable(ctx, email) or ctx.tx.register(email, None)
    if role is SeatRole.MASTER and game.running and _players_decide(ctx, game, account):
        _ask_players(ctx, game, account, email)
        return
    game, seat, left = _seated(ctx, game, account, role, email)
    ctx.say(f"{called(account, email)} is now {with_article(seat.title)} of {game.name} too.")
    words = _welcome(game, seat)
    if role is SeatRole.ASSISTANT:
        may = (command.title for command in ctx.commands.values() if command.policy.by_assistants)
        said = f"Reply to this mail with press or {listed(may, 'or')}; the rest is for gamemasters with all rights."
        words = (words[0], said)
        ctx.say(f"PROMOTE {email} gives them all rights, PROMOTE {email} OFF takes these.")
    purpose = f"promoted:{ctx.key}:{seat.id}"
    ctx.tx.tell(game, [seat], f"you are {with_article(seat.title)}", words, purpose)
    _tell_others(ctx, game, account, email, f"is now {with_article(seat.title)}")
    ctx.note("promote", account=account.id, rights="assistant" if role is SeatRole.ASSISTANT else None, left=left)


def _seated(ctx: Context, game: Game, account: Person, role: SeatRole, email: str) -> tuple[Game, Seat, int | None]:
    """Give a person the seat of one who runs the game, in place of what they have, but not of a player's seat; and the
    id of an assistant's that they leave. Raises NotNow.
    """
    left = None
    for one in game.seats_of(account):
        if one.role in (role, SeatRole.MASTER):
            raise NotNow(f"{called(account, email)} is {with_article(one.title)} of {game.name} already.", _DASHBOARD)
        if one.role is SeatRole.ASSISTANT:
            game, left = seats.empty(ctx.tx, game, one), one.id
        if one.role is SeatRole.DEPUTY:
            said = f"is {with_article(TITLES[role])} now."
            game = deputies.end(ctx.tx, game, one, f"{account.name} {said}", f"Your deputy {said}")
    game, seat = ctx.tx.add_seat(game, role, account)
    return game, seat, left


def _welcome(game: Game, seat: Seat) -> tuple[str, str]:
    return (
        f"You are now {with_article(seat.title)} of {game.name}.",
        "Reply to this mail to manage the game; HELP lists the gamemaster's commands.",
    )


# a gamemaster who plays: everybody else who plays must agree


_TIME_TO_AGREE = timedelta(days=3)
_ABOUT = "promote"
"""The detail of a question with the person who is to run the game."""


def _players_decide(ctx: Context, game: Game, account: Person) -> bool:
    """Whether all players are asked: for one of them, and for anybody by a gamemaster who may not know who plays."""
    return not all(game.knows_holder(ctx.seat, seat) for seat in game.players) or sight.plays(ctx.tx, game, account)


def _ask_players(ctx: Context, game: Game, account: Person, email: str) -> None:
    """Ask all players but the one who is to run the game, and the one who asks."""
    if ctx.mail_id is None or ctx.seat is None:
        raise NotPermitted("Players are asked by mail.", "Write this from your gamemaster's address.")
    reasons = (
        f"The gamemaster of {game.name} wants {_who(game, account)} to be a gamemaster, too: to decide on deadlines,"
        f" rollbacks and players. {_what_they_see(game)}",
        "It is done if all other players agree within three days.",
    )
    answers = (("YES", "agree"), ("NO", "do not agree; the gamemaster is not told who"))
    detail = {"game": game.id, _ABOUT: account.id, "by": ctx.seat.id}
    for seat in _deciding(game, account, ctx.seat):
        assert seat.person is not None
        asked = Asked(
            mail_id=ctx.mail_id, scope=SEAT, asked=seat.person.reachable, title="Another gamemaster",
            reasons=reasons, answers=answers, person=seat.person, game=game, detail=detail, within=_TIME_TO_AGREE,
        )  # fmt: skip
        if not ask(ctx.tx, asked):
            raise NotNow("A player has been asked enough for now.", "Try again tomorrow.")
    known = all(game.knows_holder(ctx.seat, seat) for seat in game.players)
    without = f" A player who first gives the power up (RESIGN {game.name}) needs no agreement." if known else ""
    ctx.say(
        f"All other players are asked whether {email} may be a gamemaster, too. It is done when all have said YES"
        f" within three days.{without}"
    )


def _what_they_see(game: Game) -> str:
    """What the players agree to, in words that are true of somebody who plays and of somebody who does not."""
    also = "".join(f", also who is {power}" for power in game.variant.seating.secret)
    return (
        "A gamemaster who plays sees no more than the power that they play; one who does not play, or no longer does,"
        f" sees everybody's orders and press and all that is secret{also}."
    )


def _deciding(game: Game, account: Person, by: Seat) -> list[Seat]:
    return [seat for seat in game.held if not seat.is_of(account) and not seat.is_of(by.person)]


def _who(game: Game, account: Person) -> str:
    """The person, as everybody may know them."""
    if game.names_hidden or any(game.is_secret(seat) for seat in game.seats_of(account)):
        return "somebody who may be one of the players"
    return " ".join([account.name, *(f"({seat.power})" for seat in game.players if seat.is_of(account))])


def is_about(row: QuestionRow) -> bool:
    """Whether a question asks a player to agree."""
    return _ABOUT in row.detail


def agree(ctx: Context, row: QuestionRow) -> None:
    """A player's YES; the last one decides. Raises NotNow if the game is over, or whoever asked has left it."""
    game = ctx.tx.game(int(row.detail["game"]), lock=True)
    by, account_id = game.seat(int(row.detail["by"])), int(row.detail[_ABOUT])
    account = loading.people(ctx.tx.session, [account_id])[account_id]
    if not game.running or by.person is None or not account.addresses:
        raise NotNow("That is not to be decided any more.", "STATUS shows the game.")
    alike = question_rows.alike(ctx.tx.session, row, _ABOUT)
    agreed = {row.account_id, *(one.account_id for one in alike if one.outcome == "yes")}
    if any(seat.person is None or seat.person.id not in agreed for seat in _deciding(game, account, by)):
        ctx.say("You agree. It is done when all other players have agreed.")
        return
    game, seat, left = _seated(ctx, game, account, SeatRole.MASTER, account.reachable)
    purpose = f"promoted:{ctx.key}:{seat.id}"
    ctx.tx.tell(game, [seat], f"you are {with_article(seat.title)}", _welcome(game, seat), purpose)
    words = (f"All players have agreed: {_who(game, account)} is now a gamemaster of {game.name}.",)
    ctx.tx.tell(game, game.all_but(seat), "who runs the game", words, f"runs:{ctx.key}:{account.id}")
    ctx.say(words[0])
    ctx.noted(ctx.tx.note("promote", game, by, account=account.id, left=left))


def refuse(ctx: Context, row: QuestionRow) -> None:
    """A player's NO decides at once; the gamemaster who asked is not told whose it was."""
    game = ctx.tx.game(int(row.detail["game"]))
    for other in question_rows.alike(ctx.tx.session, row, _ABOUT):
        if other.settled_at is None:
            question_rows.settle(ctx.tx.session, other, question_rows.WITHDRAWN, ctx.now)
    by = game.seat(int(row.detail["by"]))
    words = ("The players do not all agree that somebody who may play is a gamemaster, too. Nothing is changed.",)
    ctx.tx.tell(game, [by], "no agreement", words, f"refused:{row.id}")
    ctx.say("You do not agree, so nothing is changed.")


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
        assistant sees to the players and the time: DASHBOARD, DEADLINE, EXTEND,
        PAUSE, RESUME, INVITE, OFFICIAL, REMARK, COMMENT, NOTE and press. What
        changes results, rules, seats or rights, and what is secret, takes a
        gamemaster with all rights; PROMOTE makes an assistant one, and OFF ends
        an assistant's time. A gamemaster who also plays sees only what their
        power sees, one who does not sees everything. For a player of a running
        game, and where you may not know who plays, for anybody, all other
        players are asked to agree.
        """,
    ),
)
