"""PROMOTE: who runs a game, as a gamemaster with all rights or as the assistant of one.

What an assistant may do stands in each command's declaration (`Policy.by_assistants`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from gm.commands.context import Context
from gm.commands.declaration import Command, Consent, Help, Policy, Syntax, Who
from gm.commands.invitations import Offer, ask_to_join, asker, is_asked
from gm.commands.roster import reachable
from gm.errors import NotNow, NotPermitted
from gm.games import loading
from gm.games.bounds import Bound
from gm.games.limits import Spent
from gm.games.snapshot import TITLES, Game, Person, Seat
from gm.options.table import NONE
from gm.play import admission, deputies, seats, sight
from gm.play.questions import SEAT, Asked, ask
from gm.reports import listed, with_article
from gm.store import people, question_rows
from gm.store.game_rows import SeatRole
from gm.store.question_rows import QuestionRow


def act_promote(ctx: Context, args: Mapping[str, Any]) -> None:
    """Ask somebody to be a gamemaster beside the present ones, with all rights or as their assistant; who assists
    already has all rights at once. Or (OFF) end an assistant's time.
    """
    game, by = ctx.seated()
    email, how = args["address"], args["how"]
    if how in NONE:
        _end_assistance(ctx, game, email)
        return
    role = SeatRole.ASSISTANT if how else SeatRole.MASTER
    _require_sight(game, by, role)
    account = reachable(ctx, email)
    runs = [seat for seat in game.seats_of(account) if seat.moderates and game.knows_holder(by, seat)]
    if account is None or not runs:
        _ask(ctx, game, email, account, role)
        return
    _require_higher(role, runs, game, called(account, email))
    _go_on(ctx, game, by, account, role, email)


def _ask(ctx: Context, game: Game, email: str, account: Person | None, role: SeatRole) -> None:
    """Ask somebody to run the game. The answer is the same whoever has this address."""
    title = with_article(TITLES[role])
    if is_asked(ctx, game, email, what := f"be {title} of {game.name}"):
        ctx.say(f"{email} was asked already to {what}, and has not answered yet.")
        return
    reasons = (
        f"{asker(ctx, game)} asks you to be {title} of {game.name}, a game of {game.variant.title} by mail.",
        f"With YES you get an address for that, and everybody in the game can see your name. {_MAY[role]}",
        f"To be asked for it no more, reply STOP {game.name}; HELP explains how one plays by mail.",
    )
    _withdraw(ctx, game, email)
    offer = Offer(email, account, "a game to run", reasons, ("YES", f"be {title}"), _TIME_TO_ANSWER)
    ask_to_join(ctx, game, offer, what=what, role=role.value)
    ctx.say(f"{email} is asked to be {title} of {game.name}. You are told when they accept or decline.")


def _withdraw(ctx: Context, game: Game, email: str) -> bool:
    """Take back what this address was asked before, and what players were asked about its person. Returns whether
    anything was.
    """
    rows = question_rows.open_of(ctx.tx.session, SEAT, game.id)
    person = loading.person_at(ctx.tx.session, email)
    whom = None if person is None else person.id
    asked = [row for row in rows if offers_rights(row) and row.asked == email]
    asked += [row for row in rows if is_about(row) and row.detail[_ABOUT] == whom]
    for row in asked:
        question_rows.settle(ctx.tx.session, row, question_rows.WITHDRAWN, ctx.now)
    return bool(asked)


_TIME_TO_ANSWER = timedelta(days=3)
_MAY = {
    SeatRole.MASTER: "You then decide on deadlines, rollbacks and players, and see all that is secret unless you play.",
    SeatRole.ASSISTANT: "You then see to the players and the time; orders and other secrets are not shown to you.",
}


def offers_rights(row: QuestionRow) -> bool:
    """Whether a question asks somebody to run a game."""
    return "role" in row.detail


def serve(ctx: Context, row: QuestionRow) -> None:
    """The YES of somebody who was asked. Raises NotNow or NotPermitted if they cannot run the game any more."""
    game = ctx.tx.game(int(row.detail["game"]), lock=True)
    by = game.seat(int(row.detail["by"]))
    _go_on(ctx, game, by, ctx.registered(), SeatRole(row.detail["role"]), row.asked)


def _go_on(ctx: Context, game: Game, by: Seat, account: Person, role: SeatRole, email: str) -> None:
    """Have somebody run the game who wants to, or ask the players first where they decide."""
    _check(ctx, game, by, account, role, email)
    if sight.players_decide(ctx.tx, game, by, account, role):
        _ask_players(ctx, game, by, account, role, email)
        return
    game, seat = _begin(ctx, game, by, account, role)
    title = with_article(seat.title)
    _tell_others(ctx, game, by, account, email, f"is now {title}")
    who = "You are" if seat.is_of(ctx.person) else f"{called(account, email)} is"
    ctx.say(f"{who} now {title} of {game.name}.")


def _check(ctx: Context, game: Game, by: Seat, account: Person, role: SeatRole, email: str) -> None:
    """Everything that must be true when somebody is asked, says YES, or has the players' agreement. Raises NotNow if
    whoever asked does not run the game any more, or who was asked has left or runs it already, and NotPermitted for
    somebody who is kept out.
    """
    if by.person is None or not account.addresses:
        raise NotNow(f"Whoever asked you does not run {game.name} any more.", "LIST shows other games.")
    admission.check(ctx.tx, game, (email, *account.addresses))
    try:
        sight.require_no_other_account(ctx.tx, game, account, email)
    except NotNow:
        if ctx.person is not None and ctx.person.id == account.id:
            raise
        raise NotNow(f"{called(account, email)} cannot be that in {game.name}.", _DASHBOARD) from None
    _require_sight(game, by, role)
    _require_higher(role, game.seats_of(account), game, called(account, email))
    run = {seat.person.id for seat in game.moderators if seat.person is not None}
    Bound.MODERATORS.check(len({*run, account.id}), "PROMOTE you@example.org OFF ends an assistant's time.")


def _begin(ctx: Context, game: Game, by: Seat, account: Person, role: SeatRole) -> tuple[Game, Seat]:
    """Let them run the game, welcome them, and note it."""
    game, seat, left = _seated(ctx, game, account, role)
    _welcome(ctx, game, seat)
    rights = "assistant" if role is SeatRole.ASSISTANT else None
    ctx.noted(ctx.tx.note("promote", game, by, account=account.id, rights=rights, left=left))
    return game, seat


def _require_sight(game: Game, by: Seat, role: SeatRole) -> None:
    """Raises NotPermitted where an assistant would see who plays, and whoever names them may not."""
    unknown = any(not game.knows_holder(by, seat) for seat in game.players if not game.is_secret(seat))
    if role is SeatRole.ASSISTANT and unknown and not game.undealt:
        how = "PROMOTE without AS ASSISTANT asks the players whether somebody may be a gamemaster, too."
        raise NotPermitted(f"Assistants see who plays in {game.name}, which whoever names them may not know.", how)


def _require_higher(role: SeatRole, runs: Iterable[Seat], game: Game, who: str) -> None:
    """Raises NotNow for somebody who runs the game with such rights, or with more."""
    for seat in runs:
        if seat.role in (role, SeatRole.MASTER):
            raise NotNow(f"{who} is {with_article(seat.title)} of {game.name} already.", _DASHBOARD)


def _seated(ctx: Context, game: Game, account: Person, role: SeatRole) -> tuple[Game, Seat, int | None]:
    """Give a person the seat of one who runs the game, in place of what they have, but not of a player's seat; and the
    id of an assistant's that they leave.
    """
    left = None
    for one in game.seats_of(account):
        if one.role is SeatRole.ASSISTANT:
            game, left = seats.empty(ctx.tx, game, one), one.id
        if one.role is SeatRole.DEPUTY:
            said = f"is {with_article(TITLES[role])} now."
            game = deputies.end(ctx.tx, game, one, f"{account.name} {said}", f"Your deputy {said}")
    game, seat = ctx.tx.add_seat(game, role, account)
    return game, seat, left


def _welcome(ctx: Context, game: Game, seat: Seat) -> None:
    how = "Reply to this mail to manage the game; HELP lists the gamemaster's commands."
    if seat.role is SeatRole.ASSISTANT:
        every = (command.title for command in ctx.commands.values() if command.policy.by_assistants)
        how = f"Reply to this mail with press or {listed(every, 'or')}; the rest is for gamemasters with all rights."
    title = with_article(seat.title)
    words = (f"You are now {title} of {game.name}.", how)
    ctx.tx.tell(game, [seat], f"you are {title}", words, f"promoted:{ctx.key}:{seat.id}")


# a gamemaster who plays: everybody else who plays must agree


_ABOUT = "promote"
"""The detail of a question with the person who is to run the game."""


_RIGHTS = "rights"
"""The detail with the role that they are to have."""


def _ask_players(ctx: Context, game: Game, by: Seat, account: Person, role: SeatRole, email: str) -> None:
    """Ask the players whether somebody may run the game."""
    if ctx.mail_id is None:
        raise NotPermitted("Players are asked by mail.", "Write this from your gamemaster's address.")
    title = with_article(TITLES[role])
    reasons = (
        f"The gamemaster of {game.name} wants {_who(game, account)} to be {title}, too. {_what_they_see(game, role)}",
        "It is done if all who are asked agree within three days.",
    )
    answers = (("YES", "agree"), ("NO", "do not agree; the gamemaster is not told who"))
    detail = {"game": game.id, _ABOUT: account.id, _RIGHTS: role.value, "by": by.id}
    for seat in _deciding(game, account, by):
        assert seat.person is not None
        asked = Asked(
            mail_id=ctx.mail_id, scope=SEAT, asked=seat.person.reachable, title="Another gamemaster",
            reasons=reasons, answers=answers, person=seat.person, game=game, detail=detail, within=_TIME_TO_ANSWER,
            of_players=True,
        )  # fmt: skip
        ask(ctx.tx, asked)
    known = not game.plays(by.person) and not game.hides_holders
    without = f" A player who first gives the power up (RESIGN {game.name}) needs no agreement." if known else ""
    said = (
        f"The players are asked whether {email} may be {title}, too. It is done when all have said YES"
        f" within three days.{without}"
    )
    ctx.say(said)
    if not by.is_of(ctx.person):
        ctx.tx.tell(game, [by], "another gamemaster", ("They want to.", said), f"asked:{ctx.key}:{account.id}")


def _what_they_see(game: Game, role: SeatRole) -> str:
    """What the players agree to, in words that are true of somebody who plays and of somebody who does not."""
    if role is SeatRole.ASSISTANT:
        return (
            "An assistant sees to the players and the time, and gets what players write to the GM; orders and other"
            " press only of a power that they play."
        )
    also = "".join(f", also who is {power}" for power in game.variant.seating.secret)
    return (
        "They then decide on deadlines, rollbacks and players. A gamemaster who plays sees no more than the"
        " power that they play and what is written to the GM; one who does not play, or no longer does,"
        f" sees everybody's orders and press and all that is secret{also}."
    )


def _deciding(game: Game, account: Person, by: Seat) -> list[Seat]:
    """The players who are asked: not whom it is about, unless who is left out would tell where they sit; none at a
    secret seat, since what waits for an answer would tell whether it has a player.
    """
    asked = (seat for seat in game.held if not game.is_secret(seat))
    return [seat for seat in asked if game.hides_holders or not (seat.is_of(account) or seat.is_of(by.person))]


def _who(game: Game, account: Person) -> str:
    """The person, as everybody may know them: where a seat is secret, who has no other may have that one."""
    known = any(game.knows_holder(None, seat) for seat in game.seats_of(account) if seat.role is SeatRole.PLAYER)
    if not known and game.hides_holders:
        return "somebody who may be one of the players"
    return " ".join([account.name, *(f"({seat.power})" for seat in game.players if seat.is_of(account))])


def is_about(row: QuestionRow) -> bool:
    """Whether a question asks a player to agree."""
    return _ABOUT in row.detail


def _decides(ctx: Context, row: QuestionRow) -> tuple[Game, Seat, Person, SeatRole]:
    """The game, the seat of whoever asked, and who is to run the game in which role, if that is still to be decided, by
    whoever answers. Raises NotNow.
    """
    role = SeatRole(row.detail[_RIGHTS])
    game = ctx.tx.game(int(row.detail["game"]), lock=True)
    by, account_id = game.seat(int(row.detail["by"])), int(row.detail[_ABOUT])
    account = loading.people(ctx.tx.session, [account_id])[account_id]
    try:
        _check(ctx, game, by, account, role, account.reachable if account.addresses else "")
    except (NotNow, NotPermitted):  # why is not for a player to know
        raise NotNow("That is not to be decided any more.", "STATUS shows the game.") from None
    if not any(seat.account_id == row.account_id for seat in _deciding(game, account, by)):
        raise NotNow(f"You do not play in {game.name} any more, so others decide.", "LIST shows other games.")
    return game, by, account, role


def agree(ctx: Context, row: QuestionRow) -> None:
    """A player's YES; the last one decides. Raises NotNow."""
    game, by, account, role = _decides(ctx, row)
    alike = question_rows.alike(ctx.tx.session, row, _ABOUT)
    agreed = {row.account_id, *(one.account_id for one in alike if one.outcome == "yes")}
    if any(seat.account_id not in agreed for seat in _deciding(game, account, by)):
        ctx.say("You agree. It is done when all who were asked have agreed.")
        return
    game, seat = _begin(ctx, game, by, account, role)
    words = (f"All players have agreed: {_who(game, account)} is now {with_article(seat.title)} of {game.name}.",)
    ctx.tx.tell(game, game.all_but(seat), "who runs the game", words, f"runs:{ctx.key}:{account.id}")
    ctx.say(words[0])


def refuse(ctx: Context, row: QuestionRow) -> None:
    """A player's NO decides at once; the gamemaster who asked is not told whose it was."""
    try:
        game, by, *_ = _decides(ctx, row)
    except NotNow as gone:
        ctx.say(f"{gone.problem} {gone.remedy}")
        return
    for other in question_rows.alike(ctx.tx.session, row, _ABOUT):
        if other.settled_at is None:
            question_rows.settle(ctx.tx.session, other, question_rows.WITHDRAWN, ctx.now)
    words = ("The players do not all agree that somebody who may play is a gamemaster, too. Nothing is changed.",)
    ctx.tx.tell(game, [by], "no agreement", words, f"refused:{row.id}")
    ctx.say("You do not agree, so nothing is changed.")


def _tell_others(ctx: Context, game: Game, by: Seat, person: Person, email: str, becomes: str) -> None:
    """Tell the others who run the game what somebody has become; the address only those who may know addresses."""
    for one in game.moderators:
        if one.person is None or one.is_of(ctx.person) or one.is_of(person):
            continue
        who = person.name if game.plays(one.person) else called(person, email)
        why = "They have said YES" if one is by or by.person is None else f"{by.person.name} has decided"
        words = (f"{why}: {who} {becomes} of {game.name}.", _DASHBOARD)
        ctx.tx.tell(game, [one], "who runs the game", words, f"runs:{ctx.key}:{person.id}")


def called(person: Person, email: str = "") -> str:
    """The name or, of somebody who has given none, the address by which they were named, or to which their mail goes:
    for those who run the game and do not play.
    """
    unnamed = people.is_unnamed(person.name) and person.addresses
    return (email or person.reachable) if unnamed else person.name


_DASHBOARD = "DASHBOARD shows who runs the game, and who plays."


def _end_assistance(ctx: Context, game: Game, email: str) -> None:
    """Take the seat of an assistant, or back what somebody was asked. Raises NotNow for somebody who is neither."""
    if _withdraw(ctx, game, email):
        ctx.say(f"{email} is not asked any more.")
        return
    person = loading.person_at(ctx.tx.session, email)
    seat = next((one for one in game.seats_of(person) if one.role is SeatRole.ASSISTANT), None)
    if seat is None or person is None:
        raise NotNow(f"{email} is no assistant gamemaster of {game.name}; others leave with RESIGN.", _DASHBOARD)
    words = (f"You are no longer {with_article(seat.title)} of {game.name}.", "Thank you for your help.")
    ctx.tx.dismiss(game, seat, "your help is ended", words, f"released:{ctx.key}:{seat.id}")
    game = seats.empty(ctx.tx, game, seat)
    ctx.say(f"{called(person, email)} is no longer {with_article(seat.title)} of {game.name}.")
    _tell_others(ctx, game, ctx.seated()[1], person, email, f"is no longer {with_article(seat.title)}")
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
        "ask somebody to be a gamemaster too, or an assistant",
        """
        They are asked first; with their YES they have a seat address of their
        own. A game can have several gamemasters. An assistant sees to the
        players and the time: DASHBOARD, DEADLINE, EXTEND, PAUSE, RESUME,
        INVITE, OFFICIAL, REMARK, COMMENT, NOTE, REMIND and press. What changes
        results, rules, seats or rights, and what is secret, takes a gamemaster
        with all rights; PROMOTE makes an assistant one at once, and OFF ends an
        assistant's time, or asks no more. A gamemaster who also plays sees what
        their power sees and what is written to the GM, one who does not sees
        everything. In a game that has ever begun the players are then asked to
        agree: for a player; for anybody where it is hidden who has some seat;
        and where you play, for anybody who is no assistant. In one that has
        not, all are told when it begins. Who may not know who plays names no
        assistant, who would see it.
        """,
    ),
)
