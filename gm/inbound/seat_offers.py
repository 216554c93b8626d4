"""Answers of people who were asked to play (`gm.play.questions.SEAT`).

YES takes the seat, also with a kind word or a question beside it (`gm.play.questions.accepts`), and NO tells the
gamemaster. Anything else that is a command (`JOIN spring AS Italy`, `STOP spring`) is acted on as if it had been sent
to our own address, for that is where such a mail seems to come from.
"""

from __future__ import annotations

from collections.abc import Callable

from gm.commands import COMMANDS, deputy, invitations, promote
from gm.commands.context import Context, Mail
from gm.commands.declaration import Consent
from gm.errors import GmError, NotNow, Temporary
from gm.games.limits import Spent
from gm.inbound.acting import act
from gm.inbound.answering import answer, refuse
from gm.inbound.facts import listed, read, sources_of
from gm.inbound.identification import Identified, Standing, consents_of, note_proof
from gm.mail.message.trace import Authenticity
from gm.parsing.message import CommandLine, Item
from gm.play.questions import Reply, accepts, beside_yes, read_reply
from gm.reading.line import Lines, Reason, commands, settled
from gm.reading.origin import NOTHING, own_lines
from gm.store import question_rows
from gm.store.question_rows import QuestionRow


def read_answer(ctx: Context, mail: Mail, own: str) -> Reply:
    """What the answer of this sender (their names) says: YES also with other words, and beside commands that are about
    no game, such as REGISTER.
    """
    given = _commands(ctx, mail)
    if any("GAME" in COMMANDS[one.name].syntax.types for one in commands(given)):
        return read_reply(mail.message.text, own)
    theirs = {line.number for line in given}
    lines = enumerate(mail.message.text.split("\n"), start=1)
    text = "\n".join(line for number, line in lines if number not in theirs)
    reply = read_reply(text, own)
    if reply is Reply.UNCLEAR and accepts(text, own):
        said = beside_yes(text, own)
        ctx.say(f"Your YES counts; what you wrote beside it went to nobody: {listed(said)}.")
        return Reply.YES
    return reply


def acts_on(ctx: Context, mail: Mail, reply: Reply) -> bool:
    """Whether the answer does anything: YES or NO, or commands that need no further question."""
    return bool(_commands(ctx, mail)) if reply is Reply.UNCLEAR else True


def _commands(ctx: Context, mail: Mail) -> Lines:
    """The sender's own commands, without those in lines of our mail that stand below them."""
    lines = own_lines(read(mail.message.text, None), sources_of(ctx, mail.message))
    return tuple(line for line in lines if line.fate is None and _is_harmless(ctx, line.meaning))


def _is_harmless(ctx: Context, item: Item | None) -> bool:
    return isinstance(item, CommandLine) and _HARMLESS.issuperset(consents_of(ctx, item))


def _act(ctx: Context, lines: Lines) -> Lines:
    """Act on harmless commands; what turns out to do more is refused."""
    acted = act(ctx, lines, lambda command: command is None and not _HARMLESS.issuperset(ctx.answer.brings))
    return tuple(settled(one, Reason.NOT_DONE, _NOT_HERE) if one.is_for(Reason.CONFIRM) else one for one in acted)


_NOT_HERE = NotNow("That was not done, because it would have to be confirmed.", "Send it to your address in its game.")
_HARMLESS = frozenset({Consent.NONE, Consent.BINDING})


def process_answer(ctx: Context, mail: Mail, row: QuestionRow, reply: Reply) -> str:
    """Act on the answer and reply to it. Returns the note for its inbox row."""
    if silence := ctx.tx.allowance.silence(Spent.ANSWERS):
        return silence
    if reply is Reply.UNCLEAR:
        return _replied(ctx, mail, _act(ctx, _commands(ctx, mail)), "commands in answer to an offer")
    if reply is Reply.NO:
        question_rows.settle(ctx.tx.session, row, "no", ctx.now)
        _decline(ctx, row)
        return _replied(ctx, mail, (), "declined")
    beside = _act(ctx, _commands(ctx, mail))  # first, for REGISTER is to name whoever joins
    try:
        with ctx.tx.attempt():
            line = _accepted(ctx, row)
    except Temporary:
        raise
    except GmError as error:
        if not beside:
            return refuse(_identified(ctx, mail), error) or "could not be accepted"
        ctx.say(f"Your YES could not be acted on: {error.problem} {error.remedy}")
        return _replied(ctx, mail, beside, "could not be accepted")
    acted = act(ctx, own_lines(read(line, None), NOTHING)) if line else ()
    if not any(one.holds for one in acted):  # otherwise they can try again
        question_rows.settle(ctx.tx.session, row, "yes", ctx.now)
    return _replied(ctx, mail, (*beside, *acted), "accepted")


def _accepted(ctx: Context, row: QuestionRow) -> str:
    """Carry out a YES. Returns a line to be acted on, or ""."""
    ctx.called = str(row.detail.get("called") or "")
    for asks, carry_out in _BY_QUESTION:
        if asks(row):
            carry_out(ctx, row)
            return ""
    return invitations.accept(ctx, row)


_BY_QUESTION: tuple[tuple[Callable[[QuestionRow], bool], Callable[[Context, QuestionRow], None]], ...] = (
    (promote.is_about, promote.agree),
    (promote.offers_rights, promote.serve),
    (invitations.for_deputy, deputy.serve),
)


def _decline(ctx: Context, row: QuestionRow) -> None:
    if promote.is_about(row):
        promote.refuse(ctx, row)
    else:
        invitations.decline(ctx, row)


def _replied(ctx: Context, mail: Mail, acted: Lines, note: str) -> str:
    ctx.tx.allowance.charge(Spent.ANSWERS)
    note_proof(ctx)
    return answer(_identified(ctx, mail), acted) or note


def _identified(ctx: Context, mail: Mail) -> Identified:
    standing = Standing.SEATED if ctx.seat is not None else Standing.REGISTERED
    standing = standing if ctx.person is not None else Standing.STRANGER
    return Identified(mail, ctx, standing, Authenticity.PASS)
