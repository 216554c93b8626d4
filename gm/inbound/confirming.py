"""Quarantined mail and its confirmation: YES releases the mail, NO discards it.

An answer needs the token, which was sent only to the registered address, and must come from an address of that person.
A question can be answered once; a second or late answer changes nothing, and its sender is told why.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType

from gm.commands import COMMANDS
from gm.commands.account import ask_whose
from gm.commands.all_games import named_before, run_by
from gm.commands.context import Context, Mail
from gm.commands.declaration import About
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games import loading
from gm.games.composing import Answering, Envelope
from gm.games.identity import SeatAddress, destination_at
from gm.games.limits import Spent, moment
from gm.games.report_inputs import reader_of
from gm.games.snapshot import Game, Person, addresses_of
from gm.games.transaction import Transaction
from gm.inbound import seat_offers
from gm.inbound.acting import act, act_on_all, chooses, fault_in_turn, seat_in
from gm.inbound.answering import Remarks, answer, last_words, refuse, send_reply, worked_on
from gm.inbound.contents import as_press, message_of, press_to
from gm.inbound.facts import game_named, here, own_game, reached, read_in, sources_of
from gm.inbound.identification import Identified, Standing, carried_by, confirms, names_us, note_proof
from gm.inbound.proof import proof_of, why_doubtful
from gm.inbound.several_games import hand_on, too_long
from gm.inbound.which_phase import ByPhase, Late, kept, lines_by_phase, offer, was_undone
from gm.inbound.wishes.talk import asks_here
from gm.mail.message.addresses import hidden, token_hash
from gm.mail.message.incoming import Message
from gm.mail.message.trace import Authenticity
from gm.parsing.lists import names_in
from gm.parsing.message import CommandLine, Complaint, OrderLine, Talk
from gm.play.questions import ADDRESS, LINES, PRESS, SEAT, WHOLE, YES_NO, Asked, Reply, ask, asking, read_reply
from gm.play.seat_addresses import renew
from gm.reading.line import Line, Lines, Origin, Reason, for_reasons, ordering, reopened, settled
from gm.reading.origin import NOTHING, own_lines
from gm.reports import listed
from gm.reports.game_mails import Notice
from gm.reports.render import render
from gm.store import game_rows, inbox, people, question_rows
from gm.store.inbox import InboxRow, InboxState
from gm.store.question_rows import QuestionRow
from gm.store.senders import came_openly

_DEALT_WITH = ("already dealt with", "That mail has already been dealt with; nothing was changed.")
_ASKED_AGAIN = (
    "asked again",
    "Others have seen the address you wrote to, so it counts no more. You were asked again: answer the newer mail.",
)
_WITHDRAWN = ("withdrawn", "This question was withdrawn by whoever asked it, so there is nothing to answer.")


def confirm(tx: Transaction, message: Message, arrived: InboxRow, row: QuestionRow) -> str:
    """Process an answer to a question. Returns a note for the inbox row of the answer."""
    row = question_rows.take(tx.session, row.id)
    sender = message.author
    person = loading.person_at(tx.session, sender)
    mail = Mail(arrived.id, message, arrived.received_at, secret=True)
    ctx = Context(tx, mail, sender, COMMANDS, actor=person, guesses=arrived.tries < inbox.MAX_TRIES)
    if sender != row.asked and (person is None or person.id != row.account_id):
        return _refuse_answer(ctx, mail)
    failed = _failed(tx, message, arrived)
    own = f"{message.sender_name} {sender} {person.name if person is not None else ''}"
    reply = Reply.UNCLEAR if failed else _answer_of(ctx, mail, row, own)
    over = _over(row, reply) or _late(tx, row, mail)
    if over is not None:
        return _answer_in_vain(ctx, mail, *over)
    if row.scope == SEAT and not failed and seat_offers.acts_on(ctx, mail, reply):
        return seat_offers.process_answer(ctx, mail, row, reply)
    if reply is Reply.NO:
        _close(tx, row, "no", mail)
        _lock_out(tx, row, mail)
        return _reply(ctx, mail, "discarded", "Discarded; nothing was done.")
    possible = row.detail.get("answers", ["yes", "no"])
    if reply.value not in possible and not (reply is Reply.ALWAYS and "yes" in possible):
        words = " or ".join(word.upper() for word in possible if word != Reply.ALWAYS.value)
        return _answer_in_vain(ctx, mail, "not understood", failed or _UNCLEAR.format(words), again=row)
    waiting = inbox.mail_by_id(tx.session, row.inbox_id)
    if row.scope in (WHOLE, PRESS) and (waiting is None or waiting.state is not InboxState.QUARANTINED):
        question_rows.settle(tx.session, row, "no", tx.now)  # the operator dropped it, or another one was answered
        return _answer_in_vain(ctx, mail, *_DEALT_WITH)
    _close(tx, row, "yes", mail)
    if row.scope == ADDRESS:
        return _take_address(ctx, mail, row)
    if reply is Reply.ALWAYS and "stranger" in row.detail and person is not None:
        try:  # only its owner's word makes it an address of another
            ask_whose(ctx, person, str(row.detail["stranger"]), prefer=False)
        except (NotNow, NotPermitted, NotUnderstood) as error:
            ctx.say(error.problem)
    return _act(ctx, mail, row, reply)


def is_over(row: QuestionRow, message: Message, arrived: InboxRow) -> bool:
    """Whether an offer can be answered no more, and a mail to its address says more than YES or NO."""
    over = row.scope == SEAT and not row.can_be_answered(arrived.received_at)
    return over and read_reply(message.text, message.author) is Reply.UNCLEAR


def _answer_of(ctx: Context, mail: Mail, row: QuestionRow, own: str) -> Reply:
    return seat_offers.read_answer(ctx, mail, own) if row.scope == SEAT else read_reply(mail.message.text, own)


_UNCLEAR = "Nothing was done yet. Reply with {} alone, without any other words of your own."
_FAILED = "Your answer failed its domain's own checks (DMARC), so it was not counted: anybody may have written it."
_SENT_ON = (
    "Your answer was not sent to this question, so it was not counted: anybody who was sent it can send it on. "
    "Reply to the question itself."
)


def _failed(tx: Transaction, message: Message, arrived: InboxRow) -> str:
    """Why an answer does not count, whatever it says, "" if it does: its domain disowns it, or what the domain vouches
    for was sent elsewhere, as far as can be known where a field stands twice.
    """
    named = partial(names_us, tx, message, arrived)
    proof = proof_of(message, arrived, tx.identity, named)
    if proof is Authenticity.FAIL:
        return _FAILED
    return _SENT_ON if proof is Authenticity.DOUBTFUL and (message.coverage.flaw or not named()) else ""


def _over(row: QuestionRow, reply: Reply) -> tuple[str, str] | None:
    """Title and text of the reply if the question needs no answer any more."""
    if row.outcome == reply.value:
        return "answered already", f"You have answered {row.outcome.upper()} before, and that counts, once."
    if row.outcome in ("yes", "no"):
        said = f"This question has already been answered with {row.outcome.upper()}; nothing was changed."
        return "answered already", said
    if row.outcome == question_rows.SHOWN:
        return _ASKED_AGAIN
    if row.outcome == question_rows.WITHDRAWN:
        return _WITHDRAWN if row.scope == SEAT else _DEALT_WITH
    return None


def _late(tx: Transaction, row: QuestionRow, mail: Mail) -> tuple[str, str] | None:
    """The same if the answer comes too late."""
    if row.can_be_answered(mail.received_at):
        return None
    _close(tx, row, "late", mail)
    remedy = "LIST OPEN shows the games with a free seat." if row.scope == SEAT else "Send the original mail again."
    return "too late", f"You answered too late, so nothing was done. {remedy}"


def _close(tx: Transaction, row: QuestionRow, outcome: str, mail: Mail) -> None:
    question_rows.settle(tx.session, row, outcome, tx.now)
    state = InboxState.DONE if outcome == "yes" else InboxState.IGNORED
    note = f"confirmed by mail {mail.id}" if outcome == "yes" else f"answered {outcome} by mail {mail.id}"
    inbox.close_quarantined(tx.session, row.inbox_id, state, tx.now, note)


def _lock_out(tx: Transaction, row: QuestionRow, mail: Mail) -> None:
    """Replace the address of a seat to which another person has written, because they know it."""
    denied = inbox.mail_by_id(tx.session, row.inbox_id)
    if row.scope != WHOLE or row.seat_id is None or denied is None or came_openly(denied):
        return
    game, seat = tx.seat_numbered(row.seat_id)
    destination = destination_at(denied.address, tx.identity)
    if isinstance(destination, SeatAddress) and token_hash(destination.token) == tx.identity.token_hash_of(seat):
        renew(tx, game, seat, "Somebody else has written to your seat's secret address.", f"denied:{mail.key}")


def _act(ctx: Context, mail: Mail, row: QuestionRow, reply: Reply) -> str:
    """Act on what was confirmed, in the name of the person who confirmed it: the whole mail, or the lines that
    waited.
    """
    waiting = inbox.mail_by_id(ctx.tx.session, row.inbox_id)
    if waiting is None:
        raise LookupError(f"question {row.id} has lost its mail")
    original = message_of(waiting, ctx.tx.identity)
    if row.seat_id is not None:
        game, seat = ctx.tx.seat_numbered(row.seat_id)
        if not seat.is_of(ctx.person):
            return _reply(ctx, mail, "not done", "Your seat now belongs to somebody else, so nothing was done.")
        ctx.sit_down(game, seat)
    phase = ctx.game.phase if ctx.game is not None else None
    to = press_to(ctx, waiting.address) if row.scope in (WHOLE, PRESS) and reply is not Reply.ORDERS else ()
    orders = not to or reply is Reply.BOTH
    each = row.detail.get("each")
    over = _begun_since(ctx, each) if each is not None else []
    if (row.is_bound and orders and row.phase_id != (phase.id if phase is not None else None)) or over:
        which = f"{'A new' if over else 'The next'} phase{' of ' if over else ''}{listed(over)}"
        said = f"{which} has begun, so nothing was done. Send the original mail again if you still want this."
        return _reply(ctx, mail, "too late", said)
    if reply is Reply.LATE:
        return _keep_late(ctx, mail, row, Mail(waiting.id, original, waiting.received_at))
    original = original.with_forms(row.detail.get("text"))
    shown = "\n".join(original.text.split("\n")[: row.detail.get("shown")])
    sources = NOTHING
    if not orders:
        lines = as_press(shown, to)
    elif row.scope == LINES:
        lines = _only(_of_this_game(ctx, shown), row.detail["lines"])
    else:
        ctx.origin = Mail(waiting.id, original, waiting.received_at)
        sources = sources_of(ctx, original)
        whole = lines_by_phase(ctx, waiting, ctx.game, lambda game: _all(ctx, original, shown, game))
        offer(ctx, whole.late)
        if (note := _to_its_games(ctx, mail, waiting, shown, whole.lines)) is not None:
            return note
        lines = reopened(whole.lines, Reason.WHICH_PHASE)
        lines = _parted(shown, lines, to) if to else lines
    answered = replace(original, message_id=mail.message.message_id, references=mail.message.references)
    ctx.origin = mail = replace(mail, message=answered)
    remarks = Remarks()
    if row.scope == LINES:
        acted = _each_in_its_game(ctx, lines, row.detail.get("games", {}), row.detail.get("phases", {}))
    else:
        acts = partial(act_on_all, ctx, original, sources=sources)
        acted, remarks = worked_on(ctx, original, lines, sources, acts, letter=bool(to))
    note_proof(ctx)
    seated, known = ctx.seat is not None, ctx.person is not None
    standing = Standing.SEATED if seated else Standing.REGISTERED if known else Standing.STRANGER
    return (
        answer(Identified(mail, ctx, standing, Authenticity.PASS), acted, remarks) or f"confirmed mail {row.inbox_id}"
    )


def _to_its_games(ctx: Context, mail: Mail, waiting: InboxRow, shown: str, lines: Lines) -> str | None:
    """Hand a confirmed mail on to the seats whose games it names. Returns a note if it is for nothing else, or if that
    cannot be done, of which its sender is told.
    """
    others, original = for_reasons(lines, Reason.ELSEWHERE), ctx.mail.message if ctx.mail is not None else mail.message
    games = len({line.game for line in others})
    if (error := _unconfirmed(original, shown, games) or too_long(waiting, original, games)) is not None:
        return _reply(ctx, mail, "not done", f"{error.problem} {error.remedy}")
    hand_on(ctx, waiting, others, confirmed=original.author in addresses_of(ctx.person))
    here_too = not others or asks_here(ctx, lines)
    return None if here_too else f"confirmed mail {waiting.id}, which goes to the seats whose games it names"


def _keep_late(ctx: Context, mail: Mail, row: QuestionRow, of: Mail) -> str:
    """Keep orders as late, for the gamemaster, with the time when they came."""
    phase_id, lines = row.detail["late"]
    phase = game_rows.phase_by_id(ctx.tx.session, phase_id)
    if phase is None:
        raise LookupError(f"there is no phase {phase_id}")
    offer(replace(ctx, origin=of), Late(phase, tuple(lines)))
    return _reply(ctx, mail, "kept as late", kept(phase.code))


def _of_this_game(ctx: Context, shown: str) -> Lines:
    """The lines of what was shown; at a seat without what names another game: that waited there, too."""
    lines = own_lines(read_in(ctx, shown, ctx.game), NOTHING)
    here = ("", ctx.game_name.lower())
    return tuple(line for line in lines if ctx.game is None or game_named(ctx, line.meaning) in here)


def _all(ctx: Context, message: Message, shown: str, game: Game | None) -> Lines:
    """The lines of what was shown and confirmed, whoever wrote them first."""
    return here(ctx, message, own_lines(read_in(ctx, shown, game), NOTHING))


def _unconfirmed(message: Message, shown: str, games: int) -> NotNow | None:
    """Why a confirmed mail is not handed on to so many games, which would read all of it: not all of it was shown."""
    if not games or shown == message.text:
        return None
    problem = "Your mail is for several games, and was too long to be shown as a whole. Nothing was done."
    return NotNow(problem, "Send it again in parts, one for each game.")


def _parted(text: str, lines: Lines, to: tuple[str, ...]) -> Lines:
    """The lines of a letter that may be orders or commands, and its other lines as press. What is in doubt is not sent,
    and shown back.
    """
    lines = tuple(line for line in lines if line.number)  # what is below END does not count
    kept = [
        line
        for line in lines
        if not line.is_for(Reason.GREETING, Reason.PLAIN, Reason.UNFILLED) and not _only_mentions(line)
    ]
    written = text.split("\n")
    ends = [*(line.number for line in lines[1:]), len(written) + 1]
    own = {n for line, end in zip(lines, ends, strict=True) if line in kept for n in range(line.number, end)}
    rest = "\n".join(words for number, words in enumerate(written, 1) if number not in own)
    return (*kept, *(as_press(rest, to) if rest.strip() else ()))


def _only_mentions(line: Line) -> bool:
    """Whether it is talk that names places and units, of which negotiation is full, and does not begin like an
    order.
    """
    return isinstance(line.meaning, Talk) and line.is_for(Reason.MENTIONS) and not line.meaning.reason


def _only(lines: Lines, numbers: list[int]) -> Lines:
    """The lines with these numbers."""
    return tuple(line for line in lines if line.number in numbers)


def _each_in_its_game(ctx: Context, lines: Lines, games: Mapping[str, str], phases: Mapping[str, int | None]) -> Lines:
    """Act on lines, each in the game, or the games, that it was confirmed for; those without one in that of the
    question. What several games have come to is said with their names, and at none of their seats. `phases`: those of
    games of which the phase must be the same, None where none was played.
    """
    placed = [(name, line) for line in lines for name in _games_of(line, games)]
    several = len({name for name, _ in placed}) > 1
    where, acted = (ctx.about, ctx.actor), list[Line]()
    for name, some in groupby(placed, itemgetter(0)):
        game = ctx.tx.game_named(name) if name else None
        game = ctx.tx.game(game.id, lock=True) if game is not None else None
        own = sorted(game.seats_of(ctx.person), key=lambda seat: not seat.moderates) if game is not None else []
        if game is not None and own and (ctx.game is None or game.id != ctx.game.id):
            ctx.sit_down(game, own[0])
        said, ctx.answer = ctx.answer.done, replace(ctx.answer, done=())
        over = game is not None and phases.get(name, game.running_phase_id) != game.running_phase_id
        acted += act(ctx, tuple(_settled_if(over, _as_here(ctx, line)) for _, line in some))
        now = (f"{name}: {one}" for one in ctx.answer.done) if several and name else ctx.answer.done
        ctx.answer = replace(ctx.answer, done=(*said, *now))
    if several:
        ctx.about, ctx.actor = where
    return tuple(acted)


def _games_of(line: Line, games: Mapping[str, str]) -> Sequence[str]:
    """The games in which a line is acted on, by its own name for one or by those that it was confirmed for."""
    own = own_game(line.meaning)
    return [own] if own else names_in(games.get(str(line.number), "")) or [""]


def _as_here(ctx: Context, line: Line) -> Line:
    """A line with what it means in the game where it is acted on, which has names of its own."""
    if own_game(line.meaning):
        return line
    with suppress(NotUnderstood):
        call = ctx.commands.reader.read(line.text, ctx.lexicon) if len(line.texts) == 1 and ctx.seat else None
        meaning = CommandLine(line.number, line.text, call.name, call.args) if call is not None else line.meaning
        return replace(line, meaning=meaning, fate=None if call is not None else line.fate)
    return line


def _settled_if(over: bool, line: Line) -> Line:
    """A line; one that is for a phase that is `over` as not done."""
    bound = over and isinstance(line.meaning, CommandLine) and COMMANDS[line.meaning.name].policy.phase_bound
    return settled(line, Reason.NOT_DONE, NotNow(_NEXT_PHASE, "Send it again if you still want it.")) if bound else line


_NEXT_PHASE = "The next phase has begun, so it was not done."


def wait_together(ctx: Context, lines: Lines, proof: Authenticity) -> Lines:
    """The lines of a mail for several games of its sender; where all that is below the names of two or more is to be
    confirmed, this settled as such, so that one question is about it, and it is handed on to no seat.
    """
    below: dict[str, list[Line]] = defaultdict(list)
    for line in for_reasons(lines, Reason.ELSEWHERE):
        below[line.game].append(line)
    waiting = [name for name, own in below.items() if len(below) > 1 and _all_wait(ctx, name, own, proof)]
    if len(waiting) < _SEVERAL:
        return lines
    return tuple(
        settled(line, Reason.DONE if line.is_heading or isinstance(line.meaning, Talk) else Reason.CONFIRM)
        if line.is_for(Reason.ELSEWHERE) and line.game in waiting
        else line
        for line in lines
    )


_SEVERAL = 2
_GREETS = 3
"""So few words below a command greet or sign."""


def _all_wait(ctx: Context, name: str, lines: Sequence[Line], proof: Authenticity) -> bool:
    """Whether each of these lines is a command for a game of the sender's that would be done there, and only after its
    sender has confirmed it.
    """
    acting = seat_in(ctx, name)
    talk = [line for line in lines if isinstance(line.meaning, Talk)]
    deeds = [_as_here(acting, line) for line in lines if line not in talk and not line.is_heading]
    greets = all(len(line.text.split()) <= _GREETS for line in talk)
    if acting.seat is None or acting.game is None or acting.plays(acting.game) or not (deeds and greets):
        return False
    commands = [line.meaning for line in deeds if isinstance(line.meaning, CommandLine) and len(line.texts) == 1]
    waits = (confirms(acting, proof, one) or confirms(acting.tried([one]), proof, None) for one in commands)
    ask_all = len(commands) == len(deeds) and all(waits)
    return ask_all and fault_in_turn(acting, [one.text for one in commands]) is None


def _take_address(ctx: Context, mail: Mail, row: QuestionRow) -> str:
    """Add the confirmed address to the person who named it, and notify their other addresses."""
    tx, account_id = ctx.tx, row.account_id
    if account_id is None:
        raise LookupError(f"question {row.id} has lost its account")
    others = loading.people(tx.session, [account_id])[account_id].addresses
    if people.add_address(tx.session, account_id, row.asked, tx.now) is None and row.asked not in others:
        return _reply(ctx, mail, "not done", f"{row.asked} is already registered for somebody.")
    if row.detail.get("prefer"):
        people.prefer_address(tx.session, account_id, row.asked, tx.now)
    ctx.actor = person = loading.people(tx.session, [account_id])[account_id]
    news = f"{row.asked} is now an address of {person.name}" + (
        ", and mail now goes there." if row.detail.get("prefer") else "."
    )
    ctx.note("address", account=account_id, what="added")
    words = (news, "If you did not ask for this, reply with ADDRESS REMOVE and that address.")
    notice = render(Notice(reader_of(tx.identity, person), "another address", words))
    for other in others:
        tx.post(notice, Envelope(f"address:{ctx.key}:{other}", other, tx.identity.address))
    return _reply(ctx, mail, "done", news)


def _refuse_answer(ctx: Context, mail: Mail) -> str:
    """Refuse an answer that does not come from an address of the person who was asked."""
    words = "Nothing was done: this question was sent to another address. Reply from that address."
    return _answer_in_vain(ctx, mail, "not asked of you", words)


def _answer_in_vain(ctx: Context, mail: Mail, title: str, words: str, again: QuestionRow | None = None) -> str:
    """Reply to an answer that does nothing, a limited number of times: a robot may answer every reply."""
    allowance = ctx.tx.allowance
    if silence := allowance.silence(Spent.ANSWERS, Spent.IDLE):
        return f"{title}; {silence}"
    allowance.charge(Spent.IDLE)
    return _reply(ctx, mail, title, words, again)


def _reply(ctx: Context, mail: Mail, title: str, words: str, again: QuestionRow | None = None) -> str:
    """Send a short reply to the answer, with the buttons of the question if it is asked `again`. Returns the note for
    its inbox row.
    """
    allowance = ctx.tx.allowance
    allowance.charge(Spent.ANSWERS)
    last = last_words(allowance, allowance.settle(ctx.tx.session))
    notice = Notice(reader_of(ctx.tx.identity, ctx.person), title, tuple(filter(None, (words, last))))
    if again is not None:
        notice = asking(ctx.tx, again, ctx.person, title, notice.paragraphs)
    send_reply(ctx, mail, notice, notice.reader.reply_to if again is not None else ctx.tx.identity.address)
    return title


# mail that waits for a confirmation


def quarantine(who: Identified, holder: Person, lines: Lines, instead: tuple[tuple[str, str], ...] = ()) -> str:
    """Ask the person in whose name the mail came to confirm it, or for one of the answers `instead` of YES. Returns a
    note for the inbox row.
    """
    ctx, asked, stranger = who.ctx, holder.reachable, who.standing is Standing.STRANGER_AT_SEAT
    message = (ctx.origin if isinstance(ctx.origin, Mail) else who.mail).message
    add = ("YES ALWAYS", f"the same, and ask {ctx.sender} whether it is an address of yours")
    answers = (("YES", "it is mine: act on it"), add, ("NO", "forget it")) if stranger else YES_NO
    done = ctx.answer.done
    acted_on = " ".join((*done, "Nothing else in it was acted on." if done else "Nothing in it was acted on."))
    text = message.text.split("\n")
    shown = as_shown(text)
    cut = "" if shown == len(text) else f" It is long: YES acts on its first {shown} lines, which are shown, only."
    question = Asked(
        mail_id=who.mail.id,
        scope=WHOLE,
        asked=asked,
        title="Did you write this?",
        reasons=(f"{_doubt(who)} {acted_on}{cut} It says:",),
        lines=without_secrets(ctx, text[:shown]),
        answers=instead or answers,
        person=holder,
        game=ctx.game,
        seat=who.addressed,
        bound_to_phase=is_bound_to_phase(lines),
        detail={"shown": shown, "each": _each_phase(ctx, lines), **as_read(message)}
        | ({"stranger": ctx.sender} if stranger else {}),
        stop="STOP",
    )
    if not ask(ctx.tx, question):
        _tell_that_nobody_is_asked(who, asked)
        return "nobody was asked: rate limit of questions to its player reached"
    return f"{asked} is asked whether it counts: {who.standing.value}, proof {who.proof.value}"


def _doubt(who: Identified) -> str:
    """Why it is not certain that a mail is from the person in whose name it came."""
    where = "the address of your seat" if who.addressed is not None else "this server"
    where = "this server, for your seat" if who.standing is Standing.OPENLY else where
    came = f"A mail from {who.ctx.sender} came to {where}"
    if who.standing is Standing.STRANGER_AT_SEAT:
        return f"{came}, which is not one of your addresses."
    if who.early:
        phase = who.ctx.game is not None and who.ctx.game.running
        when = "a day before the phase that is played now was opened" if phase else "two days before it came"
        return f"{came}, written by its date more than {when}: somebody may have kept it, and sent it again."
    if who.proof is Authenticity.FAIL:
        return f"{came}, but it failed its domain's own checks (DMARC): somebody else may have written it."
    if who.proof is Authenticity.DOUBTFUL:
        return f"{came}. Somebody else may have changed it, or sent it here: {why_doubtful(who.mail.message)}."
    if who.standing is Standing.SHOWN:
        return f"{came} that others have seen: they may have written it, or had your program write it. Use the new one."
    if who.proof is Authenticity.PASS:
        return f"{came}. Anybody's link or invitation can have a mail program write there."
    return f"{came}, without proof (DKIM or SPF) that you wrote it."


def _tell_that_nobody_is_asked(who: Identified, asked: str) -> None:
    """Tell the sender of a mail to another person's seat, once, that its player is not asked about it. The player was
    told by the last question.
    """
    reason = who.ctx.tx.allowance.used_up(Spent.QUESTIONS, asked)
    if who.standing is not Standing.STRANGER_AT_SEAT or reason is None or reason.until is None:
        return
    problem = (
        "You have written to the address of a seat that is not yours, and its player was asked about such mails as"
        f" often as this server allows in {reason.budget.time}. Your mail was set aside."
    )
    remedy = f"If the seat is yours, write from your own address; or send it again after {moment(reason.until)}."
    refuse(who, NotNow(problem, remedy), once=f"unasked:{asked}:{reason.until:%s}:{who.ctx.sender}")


_MOST_LINES, _MOST_LETTERS = 300, 20_000


def as_shown(lines: Sequence[str]) -> int:
    """The number of these lines for which a question has room. A YES applies only to what was shown."""
    letters = 0
    for number, line in enumerate(lines):
        letters += len(line)
        if number >= _MOST_LINES or letters > _MOST_LETTERS:
            return number
    return len(lines)


def without_secrets(ctx: Context, lines: Sequence[str]) -> tuple[str, ...]:
    """Lines as a question shows them: those that are not empty, without secret addresses."""
    return tuple(hidden(line, *ctx.tx.identity.addresses) for line in lines if line.strip())


def as_read(message: Message) -> dict[str, str]:
    """What a question keeps of a mail whose text is not all that was read: an answer is about what was asked."""
    return {"text": message.text} if message.completed else {}


def _all_of(text: Sequence[str], lines: Lines, line: Line) -> Sequence[str]:
    """A line with those that belong to it: options, orders, the text of a press."""
    end = min((other.number for other in lines if other.number > line.number), default=None)
    return text[line.number - 1 : None if end is None else end - 1]


def ask_first(ctx: Context, lines: Lines) -> str:
    """Ask the sender's own address to confirm commands that cannot be undone. Returns sentences for the receipt."""
    waiting = for_reasons(lines, Reason.CONFIRM)
    if not waiting:
        return ""
    these, wait = ("this", "it waits") if len(waiting) == 1 else ("these", "they wait")
    untold = [f"{line.error.problem} {line.error.remedy}" for line in waiting if line.error is not None]
    reason = f"A mail in your name asks for {these}, and {wait} for your confirmation:"
    return _ask_about(ctx, lines, waiting, "Please confirm", " ".join((*untold, reason)))


def ask_which_phase(ctx: Context, lines: Lines, found: ByPhase) -> str:
    """Ask whether lines that may have been meant for a phase before count for the present one, or are kept as late for
    that one. Returns sentences for the receipt.
    """
    before, late = found.meant, found.may_be_late
    if before is None or ctx.game is None or ctx.game.phase is None:
        return ""
    doubtful, now = for_reasons(lines, Reason.WHICH_PHASE), ctx.game.phase.code
    ended = "undone" if was_undone(ctx, before) else "closed"
    what = f"{before.code}, which is {ended}" if before.code != now else f"the first {now}"
    played = "being played again" if before.code == now else "being played now"
    why = f"Your mail may be for {what}, so nothing was done with these lines."
    reason = f"{why} YES uses them for {now}, which is {played}:"
    use, forget = ("YES", f"use them for {now}"), ("NO", "forget them")
    keep = ("LATE", f"they were for {before.code}: keep them as late for the gamemaster")
    answers = (use, keep, forget) if late is not None else (use, forget)
    detail = {"late": (late.phase.id, late.lines)} if late is not None else {}
    what = "your orders" if ordering(doubtful) else listed(line.text.strip() for line in doubtful)
    return _ask_about(ctx, lines, doubtful, f"Use {what} for {now}?", reason, answers, detail)


def _ask_about(
    ctx: Context,
    lines: Lines,
    doubtful: Lines,
    title: str,
    reason: str,
    answers: tuple[tuple[str, str], ...] = YES_NO,
    detail: Mapping[str, object] = MappingProxyType({}),
) -> str:
    """Ask the sender's own address about some of the lines of their mail. Returns what the receipt says about them."""
    if ctx.mail is None:
        return ""
    text = ctx.mail.message.text.split("\n")
    seats, named = reached(ctx, ctx.mail.message), defaultdict[int, list[str]](list)
    for line in doubtful:
        named[line.number].append(line.game or _chosen_for(lines, line, *seats))
    doubtful = tuple({line.number: line for line in doubtful}.values())
    phases = {name: _phase_of(ctx, name) for of in named.values() for name in of if name}
    games = {number: ", ".join(dict.fromkeys(of)) for number, of in named.items()}
    name = ctx.game_name
    here = set(games.values()) <= {"", name}
    shown: list[str] = []
    for at, line in enumerate(doubtful):
        of_another = not here and games[line.number] != (games[doubtful[at - 1].number] if at else "")
        of_another = of_another and not (own_game(line.meaning) and line.is_for(Reason.CONFIRM) and ctx.seat is None)
        more = [*([f"GAME {games[line.number]}"] if of_another else ()), *_all_of(text, lines, line)]
        if as_shown([*shown, *more]) < len(shown) + len(more):
            left = ", ".join(one.text.strip() for one in doubtful[at:])
            asked_for = _ask_about(ctx, lines, doubtful[:at], title, reason, answers, detail) if at else ""
            return f"{asked_for} Not done, since one mail asks for too much: {left}".strip()
        shown += more
    asked = ctx.reached_at
    is_sender = asked == ctx.sender
    question = Asked(
        mail_id=ctx.mail.id,
        scope=LINES,
        asked=asked,
        title=title,
        reasons=(reason,),
        lines=without_secrets(ctx, shown),
        answers=answers,
        person=ctx.person,
        game=ctx.game if here else None,
        seat=ctx.seat if here else None,
        bound_to_phase=is_bound_to_phase(doubtful),
        detail={"lines": list(games), "games": games, "phases": phases, "each": _each_phase(ctx, doubtful)}
        | {**detail, **as_read(ctx.mail.message)},
        answering=Answering(ctx.mail.message.message_id, tuple(ctx.mail.message.references)) if is_sender else None,
    )
    said = ", ".join(dict.fromkeys(line.text.strip().rstrip(".") for line in doubtful))
    if not ask(ctx.tx, question):
        return f"Not done, because too many confirmation mails went to {asked} lately: {said}"
    waits = f"Not done yet: {said}. To confirm, reply with YES to the mail that was sent to {asked}."
    if is_sender:
        ctx.answer = replace(ctx.answer, asked=(*ctx.answer.asked, waits))
    return waits


def _phase_of(ctx: Context, name: str) -> int | None:
    """The phase that is played in a game; None if none is."""
    game = ctx.tx.game_named(name) if name else None
    return game.running_phase_id if game is not None else None


def _chosen_for(lines: Lines, line: Line, *seats: str) -> str:
    """The name of the game that is chosen above a line, otherwise the only one of the `seats` to which its mail goes,
    or "".
    """
    above = (one for one in lines if one.number < line.number and not one.is_for(Reason.ELSEWHERE))
    own = (one.meaning for one in above if one.origin is Origin.OWN and chooses(one))
    named = [str(one.args["game"]).lower() for one in own if isinstance(one, CommandLine)]
    return named[-1] if named else seats[0] if len(seats) == 1 else ""


_NOT_MEANT = None
"""Stands for the phase of a game that the lines leave out."""


def _each_phase(ctx: Context, lines: Lines) -> Mapping[str, int | None] | None:
    """The phase of each game that the sender runs, where a line is for all of them that depends on it, `ALL GAMES:
    PROCESS`, or for those that it names; None where none is.
    """
    commands = (line.meaning for line in lines if line.origin is Origin.OWN and isinstance(line.meaning, CommandLine))
    everywhere = (item for item in commands if About.EVERYWHERE in COMMANDS[item.name].policy.about)
    bound = [item for item in everywhere if any(COMMANDS[name].policy.phase_bound for name, _ in carried_by(item.args))]
    every = _phases_run(ctx) if bound else {}
    meant = {name for item in bound for name in _named_in(str(item.args["line"]), every)}
    return {name: one if name in meant else _NOT_MEANT for name, one in every.items()} if bound else None


def _begun_since(ctx: Context, each: Mapping[str, int | None]) -> list[str]:
    """The games of which another phase is played than when the sender was asked; those that were not meant are none."""
    return [name for name, one in _phases_run(ctx).items() if each.get(name, 0) not in (one, _NOT_MEANT)]


def _named_in(line: str, every: Mapping[str, int]) -> Collection[str]:
    """The games that a line for all games is for; all of them, if that cannot be said."""
    with suppress(NotUnderstood):
        return named_before(line, [*every], (), COMMANDS.reader)[0]
    return every


def _phases_run(ctx: Context) -> Mapping[str, int]:
    return {game.name: phase for game, _ in run_by(ctx) if (phase := game.running_phase_id) is not None}


def is_bound_to_phase(lines: Lines) -> bool:
    """Whether anything in the mail depends on the phase being played; an error now may be an order in another phase."""
    own = [line.meaning for line in lines if line.origin is Origin.OWN]
    bound = (isinstance(item, CommandLine) and COMMANDS[item.name].policy.phase_bound for item in own)
    return any(isinstance(item, OrderLine | Complaint) for item in own) or any(bound)
