"""UNDO: a gamemaster takes back what they did last, unless somebody else has changed the same since. To undo is to do
the opposite now, with the same rights and checks: what would be refused if it was written is refused to UNDO, and what
would be confirmed first is confirmed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Record, Sentences, Syntax, Undo, Who
from gm.errors import NotNow
from gm.games import report_inputs
from gm.games.snapshot import Game
from gm.store import records
from gm.store.records import ActionRow

_ROLLBACK = "To play a phase again, use ROLLBACK."
_NO_FURTHER = "UNDO goes no further back; what was before it is changed by its own command, which LOG names."


def act_undo(ctx: Context, args: Mapping[str, Any]) -> None:
    """Undo the sender's last action as a gamemaster of this game, if possible."""
    del args
    game, _ = ctx.seated()
    if game.over:
        code = report_inputs.goes_on_in(ctx.tx.session, game)
        how = f"ROLLBACK {code} has it go on." if code else "CREATE makes another one."
        raise NotNow(f"{game.name} is over, which UNDO does not undo.", how)
    done, since = _last(ctx, game)
    title = done.command.upper()
    policy = ctx.commands.by_title[title].policy
    record = policy.record
    if record.undo is None or "undo" not in done.detail:
        how = _ROLLBACK if policy.phase_bound else f"HELP {title} says what else changes it."
        if record.opposite and not done.detail.get("off"):
            how = f"{record.opposite.format(game=game.name)} takes it back."
        raise NotNow(f"What you did last, {title}, cannot be undone.", f"{how} {_NO_FURTHER}")
    if (other := next((one for one in since if _changes_the_same(ctx, one, done)), None)) is not None:
        raise NotNow(
            f"{_who(game, other)} changed {record.changes} with {other.command.upper()} after your {title}.",
            f"What holds now stays; STATUS shows it. {_NO_FURTHER}",
        )
    ctx.bring(policy.consent_of(ctx, done.detail))
    said = _taken_back(ctx, ctx.commands.by_title[title], record.undo, done.detail["undo"])
    ctx.say(f"{title} is undone. {said}")
    words = (" ".join(filter(None, (f"The gamemaster has undone the last command ({title}).", ctx.said_why))), said)
    game = ctx.tx.newest(game)
    recipients = [one for one in game.all_but(ctx.answered) if one.moderates or not record.untold]
    if recipients:
        ctx.note_told("Who is told gets")
    ctx.tx.tell(game, recipients, "a command is undone", words, f"undo:{done.log_id}")
    ctx.note("undo", of=done.log_id)
    done.undone = True


def _taken_back(ctx: Context, command: Command, undo: Undo, detail: Mapping[str, Any]) -> str:
    """Undo this command, if it could be given now. Raises NotNow, with the command and what to do instead."""
    try:
        command.policy.check(ctx, None)
        return undo(ctx, detail)
    except NotNow as error:
        how = error.remedy or f"HELP {command.title} says what else changes it."
        raise NotNow(
            f"Your last command, {command.title}, cannot be undone: {error.problem}", f"{how} {_NO_FURTHER}"
        ) from None


def _last(ctx: Context, game: Game) -> tuple[ActionRow, list[ActionRow]]:
    """What the sender did last as a gamemaster and has not been undone; and what others did since, the newest first.
    Raises NotNow when there is nothing.
    """
    mine = {seat.id for seat in game.moderators if seat.is_of(ctx.person)}
    since: list[ActionRow] = []
    for done in records.actions(ctx.tx.session, game.id):
        if done.undone:
            continue
        if done.seat_id in mine:
            return done, since
        since.append(done)
    raise NotNow("There is nothing to undo in this phase that you did.", _ROLLBACK)


def _changes_the_same(ctx: Context, one: ActionRow, other: ActionRow) -> bool:
    """Whether two commands changed the same thing, of the same power if each is about one."""
    first, second = (ctx.commands.by_title[done.command.upper()].policy.record.changes for done in (one, other))
    return bool(first) and first == second and one.detail.get("power") == other.detail.get("power")


def _who(game: Game, done: ActionRow) -> str:
    """Who did something, as their fellow gamemasters know them; players voted, which is secret."""
    seat = next((one for one in game.seats if one.id == done.seat_id), None)
    if seat is None or not seat.moderates:
        return "The players" if seat is not None else "The server"
    return seat.holder if seat.person is not None else "Another gamemaster"


UNDO = Command(
    "undo",
    Syntax("UNDO", sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.MASTER, record=Record(quiet=True), cost=5, instead="New orders replace yours, CLEAR deletes them."),
    act_undo,
    Help(
        "undo the last thing you did",
        """
        Works for DEADLINE, EXTEND, PAUSE, RESUME, SET, COMMENT, EJECT, DUMMY,
        SCHEDULE and ROLLBACK within the same phase, and for what moves the
        deadline until orders are closed. Repeat it to undo what was before;
        it goes no further back than what it refuses to undo. Change that, and
        what was before it, with the command by which it was done (LOG). What
        another gamemaster or an assistant did is not undone, nor what they
        have changed since. Where the command is confirmed first, so is UNDO.
        """,
    ),
)
