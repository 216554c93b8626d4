"""One mail, from the inbox row to the reply in the outbox, in one transaction.

It was stored by `gm.inbound.acceptance.accept`. `process` parses the mail (`read_message`). `receive` identifies the
sender (`identify`), parses the lines (`gm.parsing.message.parse_message`), acts on each (`gm.inbound.acting.act`) and
puts the reply into the outbox (`gm.inbound.answering.answer`).
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache, partial

from gm.commands import COMMANDS
from gm.commands.context import Beforehand, Context
from gm.commands.declaration import About
from gm.commands.orders import note_sent
from gm.errors import NotPermitted, NotUnderstood, Temporary
from gm.games.identity import Destination, ForOperator, Public, ReturnPath, destination_at
from gm.games.limits import OverLimit, Spent, UsedUp
from gm.games.snapshot import Game
from gm.games.transaction import Transaction
from gm.inbound.acting import act, act_on_all, fault_of
from gm.inbound.answering import allowance_for, answer, answer_together, last_words, refuse, tell_of_trouble, worked_on
from gm.inbound.astray import note_the_way, of_several_authors, to_return_path, with_its_end
from gm.inbound.bounces import Returned, forward, lift_bounces, take_back, which_came_back
from gm.inbound.confirming import ask_first, ask_which_phase, quarantine, wait_together
from gm.inbound.contents import forming_game, likely_game, message_of, orders_of, stops_in
from gm.inbound.digest_replies import in_force, to_question_or_digest
from gm.inbound.disclosing import untold
from gm.inbound.facts import (
    came_to_seat,
    here,
    names_of_games,
    own,
    read,
    read_in,
    sources_of,
    with_forms,
)
from gm.inbound.identification import (
    AT_OWN_SEAT,
    Identified,
    Standing,
    confirms,
    identify,
    is_believed,
    is_of_holder,
    note_proof,
    robot_by,
    standing_by_name,
)
from gm.inbound.plain_answers import agreed_to, line_meant, meant_with_more, whole_subject
from gm.inbound.proof import proof_of
from gm.inbound.replies_to_press import Doubt, ask_back, says_whom, sorted_out
from gm.inbound.set_aside import tell_sender
from gm.inbound.several_games import hand_on, too_long
from gm.inbound.which_phase import ByPhase, lines_by_phase, offer
from gm.inbound.wishes.plain_questions import agreed, is_notice, says_something
from gm.inbound.wishes.talk import asks_here
from gm.mail.message.addresses import without_addresses
from gm.mail.message.compose import can_be_written_to
from gm.mail.message.incoming import BY_SUBJECT, Message
from gm.mail.message.trace import Authenticity
from gm.parsing.game_names import Names
from gm.parsing.message import CommandLine, OrderLine, ParsedMessage, PressBlock
from gm.play.questions import LINES, PRESS, WHOLE
from gm.play.seat_addresses import Showing, renew_seen
from gm.reading.line import Line, Lines, Origin, Reason, asked_about, asks_anything, for_reasons, ordering
from gm.reading.origin import NOTHING, Sources, own_lines
from gm.server import Server
from gm.server.metrics import count
from gm.store import forgetting, inbox, people, question_rows
from gm.store.database import Unusable
from gm.store.inbox import Copies, InboxRow, InboxState
from gm.store.question_rows import UNANSWERED, QuestionRow
from gm.variants import NoSuchEdition

log = logging.getLogger(__name__)

_LONG = 16_000
"""Bytes of a mail that takes so long to read that it is not read while others wait for the database."""
_MOST_ATTEMPTS = 6


class Unprepared(Exception):
    """A mail needs a result that must be made outside the transaction first."""


def receive_next(server: Server) -> bool:
    """Process the oldest waiting mail, once. Returns whether there was one."""
    with server.transaction() as tx:
        waiting = inbox.next_new(tx.session, tx.now)
        if waiting is not None and waiting.state is InboxState.ASIDE:
            tell_of_trouble(tx, waiting)
    if waiting is not None and waiting.state is InboxState.ASIDE:
        tell_sender(server, waiting.id)
    elif waiting is not None:
        process(server, waiting)
    return waiting is not None


def process(server: Server, waiting: InboxRow) -> None:
    """Process a mail that is leased."""
    beforehand = Beforehand()
    try:
        message = message_of(waiting, server.identity)
        if len(waiting.raw) > _LONG:  # what proves it is read, too, and then known
            proof_of(message, waiting, server.identity, lambda: True)
        for tried in range(_MOST_ATTEMPTS):
            last = tried == _MOST_ATTEMPTS - 1  # if the game keeps changing, results are made within the transaction
            if _processed(server, waiting, message, None if last else beforehand):
                break
            beforehand.make()
            count("gm_done_again_total")
    except Temporary as error:
        log.warning("a mail is retried: %s", error, extra={"mail": waiting.id})
        count("gm_failed_total", kind="temporary")
        server.noted(partial(_set_back, server, waiting.id))
    except Unusable:
        raise
    except Exception:  # an error caused by one mail must not stop the next one
        log.exception("a mail failed", extra={"mail": waiting.id})
        count("gm_failed_total", kind="mail")
        _set_back(server, waiting.id, traceback.format_exc())


def _processed(server: Server, mail: InboxRow, message: Message, beforehand: Beforehand | None) -> bool:
    """Process a mail; False, and everything is rolled back, when it must be repeated: with slow results made first, or
    knowing that a budget was used up.
    """
    try:
        with server.transaction() as tx:
            if (copies := inbox.take_copies(tx.session, mail, tx.now)) is not None:
                receive(tx, mail, message, copies, beforehand)
                tx.allowance.settle(tx.session)
                if tx.forgotten:
                    tx.finish()
                    forgetting.forget(tx.session, tx.forgotten)
                if beforehand is not None and beforehand.wanted:
                    raise Unprepared
    except (UsedUp, Unprepared):
        tx.allowance.take_back()
        return False
    if tx.forgotten:
        server.database.scrub()
    return True


def receive(
    tx: Transaction, row: InboxRow, message: Message, copies: Copies = (), beforehand: Beforehand | None = None
) -> tuple[InboxState, str]:
    """Act on one mail and reply to it; `copies` are its others. The transaction is the caller's, who repeats everything
    when `beforehand` has results to make. Returns the row's new state and a note; `tx.lines` has what became of the
    mail's lines. What a copy was answered that could not be read settles none that can be.
    """
    message = with_its_end(tx, message)
    destination, question = in_force(tx, message, row, destination_at(row.address, tx.identity) or Public(""))
    who = cache(partial(identify, tx, message, row, destination))  # most mail of programs needs no sender
    program = isinstance(destination, ReturnPath) or message.automatic not in (None, BY_SUBJECT)
    if message.shown.secrets and not (program and all(map(tx.identity.is_own, message.shown.audience))):
        by_itself = program or message.listed  # the notice may be answered, too, and shown
        showing = Showing(message.shown, message.author, who().ctx.person, who().addressed)
        renew_seen(tx, showing, "" if by_itself else f"shown:{row.id}")
    others = [copy for copy in copies if message.refused or not copy.note.startswith(inbox.NOT_READ)]
    state, note = (
        _copied(tx, others, lambda: not message.refused and who().proof is Authenticity.PASS)
        or _settled(tx, message, row, destination, question)
        or _for_the_games(who(), row, others, beforehand)
    )
    if message.refused and state is not InboxState.IGNORED and not isinstance(destination, ForOperator | ReturnPath):
        state = InboxState.IGNORED if state is InboxState.DONE else state
        note = f"{inbox.NOT_READ}; {note}"
    answered = question is not None and question.outcome != UNANSWERED
    forwarded = isinstance(destination, ForOperator)
    done = program or answered or forwarded or any(map(_has_done, tx.lines))  # and would be done twice
    if state is InboxState.DONE and not done and who().proof is not Authenticity.PASS:
        state = InboxState.UNPROVED
    if state is InboxState.DONE:
        for copy in copies:
            question_rows.withdraw(tx.session, copy.id, tx.now, f"mail {row.id}, another copy of it, was acted on")
    if note or state is not InboxState.DONE:
        inbox.mark(tx.session, row, state, tx.now, note)
    count("gm_worked_on_total", state=state.value)
    what = {"mail": row.id, "message_id": row.message_id, "purpose": type(destination).__name__, "state": state.value}
    log.info("a mail was processed", extra={**what, "octets": len(row.raw), "why": without_addresses(note)})
    return state, note


def _has_done(line: Line) -> bool:
    """Whether a line was acted on that does more than ask."""
    item = line.meaning
    asks = isinstance(item, CommandLine) and (line.is_heading or COMMANDS[item.name].syntax.asks)
    return line.is_for(Reason.DONE) and isinstance(item, CommandLine | PressBlock | OrderLine) and not asks


def _copied(tx: Transaction, copies: Copies, better: Callable[[], bool]) -> tuple[InboxState, str] | None:
    """The row's new state and a note if one of these other copies of the mail was acted on, or was to be forgotten; one
    that has done nothing, for want of a proof, settles none that is `better`.
    """
    answered = filter(inbox.is_answered, copies)
    done = min(answered, key=lambda copy: copy.state is not InboxState.DONE, default=None)
    if done is not None and done.state is InboxState.UNPROVED and better():
        done = None
    if done is not None:
        return _ignored("copy", f"another copy of mail {done.id}, which was answered")
    if not copies:
        return None
    ids = [copy.id for copy in copies]
    refused = question_rows.asked_about(tx.session, ids, WHOLE, LINES, PRESS, refused=True)
    return _ignored("copy", f"another copy of mail {refused}, which was answered with NO") if refused else None


def _settled(
    tx: Transaction, message: Message, row: InboxRow, destination: Destination, question: QuestionRow | None
) -> tuple[InboxState, str] | None:
    """Handle mail to the postmaster, bounces, automatic mail, and answers. Returns the row's new state and a note."""
    if isinstance(destination, ForOperator):
        return forward(tx, message, row)
    returned = which_came_back(tx, message, row.raw, destination, row.received_at)
    replayed = row.note == inbox.REPLAYED
    if returned is not None and not (replayed and returned.found is None):
        return _came_back(tx, message, row, replace(returned, proved=returned.proved or replayed))
    if returned is None and isinstance(destination, ReturnPath):
        return _ignored("void return path", "to an unknown return path")
    if robot := robot_by(tx, message, row, destination):
        return _ignored("robot", robot)
    if message.listed and not replayed and not is_of_holder(tx, message, row, destination):
        return _ignored("list", message.listed)
    if not message.sender:
        answered = of_several_authors(tx, message, row, destination)
        return answered or _ignored("no single sender", "it names no single sender")
    if not can_be_written_to(message.sender):
        return _ignored("unwritable sender", f"{message.sender} cannot be answered: mail servers take no such address")
    return to_question_or_digest(tx, message, row, destination, question)


def _came_back(tx: Transaction, message: Message, row: InboxRow, returned: Returned) -> tuple[InboxState, str]:
    """Handle a bounce, or whatever else came to a return path."""
    answered = to_return_path(tx, message, row, returned.mail) if returned.found is None else None
    return answered or take_back(tx, returned)


def _to_nobody(who: Identified) -> str:
    """Reply to a mail to an address that is no seat's now, or another player's. Returns a note for the inbox row."""
    if who.addressed is not None and who.ctx.game is not None:
        problem = "You wrote to the address of another player's seat. Nothing was done, and they do not see your mail."
        return refuse(who, NotPermitted(problem, who.ctx.where_to_send(who.ctx.game.name)))
    if who.lost is None:
        problem = "The address you wrote to is not a seat's address: it was replaced, or is misspelt."
        problem += " Nothing was done for it."
        remedy = "Reply to the newest mail of your game, or write to the address that this mail comes from."
        return refuse(who, NotUnderstood(problem, remedy))
    game, seat = who.lost
    problem = f"You wrote to {seat.power or 'a seat'} in {game.name}, which is not your seat any more."
    if seat.deputy_of is not None:
        problem = f"You are no longer the deputy of {seat.power} in {game.name}."
    how = who.ctx.where_to_send(game.name)
    if seat.deputy_of is not None and not game.seats_of(who.ctx.person):
        how = f"To order for {seat.power} again, ask its player to send the line DEPUTY {who.ctx.sender}."
    return refuse(who, NotPermitted(f"{problem} Nothing was done.", how))


def _for_the_games(
    who: Identified, row: InboxRow, copies: Copies, beforehand: Beforehand | None
) -> tuple[InboxState, str]:
    """Process a person's mail: act on it and reply, or quarantine it."""
    tx, message = who.ctx.tx, who.mail.message
    may_act = is_believed(tx.identity.trust.level, who.standing, who.proof)
    who.ctx.beforehand = beforehand
    lift_bounces(who)
    note_the_way(who, row)
    tx.allowance = allowance_for(who)
    silent = tx.allowance.used_up(Spent.ANSWERS)
    if silent is not None and who.standing not in AT_OWN_SEAT:
        return _ignored("limits", silent.problem)
    if who.standing is Standing.VOID:
        return (InboxState.DONE, _to_nobody(who)) if may_act else _ignored("forged", "to an unknown seat address")
    sources = sources_of(who.ctx, message)
    message = with_forms(who.ctx, message, sources)
    who = replace(who, mail=replace(who.mail, message=message))
    who.ctx.origin = who.mail
    tx.own_text = message.text
    try:
        lines, sources, doubt = _lines(who, row, sources)
    except NoSuchEdition as error:
        if not may_act:
            return _ignored("game not playable", error.problem)
        return InboxState.DONE, refuse(who, error)
    notice = message.away and not lines.asks and not who.to and row.note != inbox.REPLAYED
    notice = notice and not whole_subject(who.ctx, message, who.ctx.game)  # programs have no subject that is a command
    if notice and not for_reasons(lines.lines, Reason.ELSEWHERE) and is_notice(who.ctx, lines.lines):
        return _ignored("robot", BY_SUBJECT)
    if _is_stopped(who):
        undoing = stops_in(lines.lines, none=True)
        if not undoing or _was_asked(who):
            return _ignored("stopped", f"{who.ctx.sender} does not want answers to mail that it may not have written")
        lines = replace(lines, lines=undoing)
    at_once = may_act and doubt is None and _asks_for_all(who, lines.lines)
    note = _to_other_seats(who, row, lines.lines) if doubt is None and not at_once else None
    if note is not None:
        return InboxState.DONE, note
    if at_once or not may_act:
        said = replace(who, mail=who.ctx.mail or who.mail)  # of a YES to lines that were proposed, these
        return _put_off(said, lines.lines, copies, doubt)
    return _believed(who, lines, sources, doubt, silent)


def _asks_for_all(who: Identified, lines: Lines) -> bool:
    """Whether a mail is for several games of its sender, and at each would have to be confirmed: it is at once, for all
    of them.
    """
    games = {line.game for line in for_reasons(lines, Reason.ELSEWHERE) if not line.is_heading}
    given = (line.meaning for line in lines if line.origin is Origin.OWN)
    commands = (who.ctx.commands[one.name] for one in given if isinstance(one, CommandLine))
    several = len(games) > 1 or any(About.EVERYWHERE in one.policy.about for one in commands)
    openly = who.standing is Standing.REGISTERED and not who.mail.secret
    identity = who.ctx.tx.identity
    return openly and several and not is_believed(identity.trust.level, standing_by_name(identity), who.proof)


def _to_other_seats(who: Identified, row: InboxRow, lines: Lines) -> str | None:
    """Hand a mail on to the sender's seats that it names, at each of which it is decided whether they are believed.
    Returns a note if it has nothing else, or was refused.
    """
    elsewhere = for_reasons(lines, Reason.ELSEWHERE)
    if all(line.is_heading for line in elsewhere) or who.standing is Standing.STRANGER_AT_SEAT:
        return None  # below names of games alone there is nothing to do: that is said here, and at no other seat
    if (error := too_long(row, who.mail.message, len({line.game for line in elsewhere}))) is not None:
        return refuse(who, error)
    hand_on(who.ctx, row, elsewhere)
    return None if asks_here(who.ctx, lines) else "its lines are for other games, to whose seats it goes, too"


def _believed(
    who: Identified, lines: ByPhase, sources: Sources, doubt: Doubt | None, silent: OverLimit | None
) -> tuple[InboxState, str]:
    """Act on a mail, or ask about it. Beyond the limit of answers (`silent`) only orders count."""
    offer(who.ctx, lines.late)
    if lines.crosses and doubt is None and ordering(lines.lines):
        note_sent(who.ctx)
    if silent is not None:
        act(who.ctx, orders_of(lines.lines) if doubt is None else ())
        return InboxState.DONE, f"only the orders were accepted; {answer_together(who, silent)}"
    if doubt is not None:
        who.ctx.tx.lines = asked_about(lines.lines, Reason.PRESS_OR_ORDERS)
        return ask_back(who, lines.lines, doubt)
    return InboxState.DONE, _acted_on(who, lines, sources)


def _lines(who: Identified, row: InboxRow, sources: Sources) -> tuple[ByPhase, Sources, Doubt | None]:
    """What the mail says, what it may quote, and what must be asked about it if it is a reply to press."""
    ctx, message = who.ctx, who.mail.message
    game = likely_game(ctx) or forming_game(ctx, _read(ctx, message.text, None))
    if who.to:
        return sorted_out(who, _own(ctx, message, sources, game), sources)
    lines = lines_by_phase(ctx, row, game, partial(_own, ctx, message, sources))
    if ctx.seat is None and is_believed(ctx.tx.identity.trust.level, who.standing, who.proof):
        lines = replace(lines, lines=wait_together(ctx, lines.lines, who.proof))
    if meant := _meant(ctx, message, lines, game, proposed=sources.proposed):
        ctx.origin = replace(who.mail, message=message.with_forms(meant))
        lines = lines_by_phase(ctx, row, game, partial(_meant_here, ctx, message, meant))
    return lines, sources, None


def _meant_here(ctx: Context, message: Message, meant: str, game: Game | None) -> Lines:
    """The lines for which a mail stands, those for the sender's other seats settled."""
    return here(ctx, message, own_lines(_read(ctx, meant, game), NOTHING))


def _meant(ctx: Context, message: Message, lines: ByPhase, game: Game | None, *, proposed: bool) -> str:
    """The line that a mail without any means, "" if there is none, or if it was not read; of an answer that says more
    than YES, what that is for, and more, if anything is `proposed`.
    """
    if message.refused or not ctx.guesses:
        return ""
    if proposed and not lines.asks and (meant := agreed_to(ctx, message)):
        return meant
    if proposed and (more := meant_with_more(ctx, message, lines.lines)):
        return more
    if lines.asks:
        return ""
    if meant := line_meant(ctx, message) or agreed(ctx, message):
        return meant
    elsewhere = any(not line.is_heading for line in for_reasons(lines.lines, Reason.ELSEWHERE))
    subject = "" if elsewhere or says_something(ctx, lines.lines) else whole_subject(ctx, message, game)
    in_vain = bool(subject and message.text.strip()) and isinstance(fault_of(ctx, subject), NotUnderstood)
    return "" if in_vain else subject  # what is not even a command silences no words below it


def _acted_on(who: Identified, lines: ByPhase, sources: Sources) -> str:
    """Act on a mail and reply, unless it asks for nothing once too often. Returns a note for the inbox row."""
    ctx, allowance = who.ctx, who.ctx.tx.allowance
    whole = who.to and not says_whom(lines.lines)  # it was looked at as a whole
    tells = {} if whole else {"tells": partial(untold, ctx, who.mail.message)}
    confirmed = partial(confirms, ctx, who.proof)

    def act_on(given: Lines) -> Lines:
        return act_on_all(ctx, who.mail.message, given, sources, confirmed, **tells)

    acted, remarks = worked_on(ctx, who.mail.message, lines.lines, sources, act_on, letter=bool(who.to))
    note_proof(ctx)
    asked = asks_anything(acted)
    if not asked and (row := inbox.mail_by_id(ctx.tx.session, who.mail.id)) is not None:
        row.sent_at = None  # it overtakes no older mail of its sender
    waiting = (*remarks.waiting, *filter(None, (ask_first(ctx, acted), ask_which_phase(ctx, acted, lines))))
    remarks = replace(remarks, waiting=waiting)
    idle = not asked and not for_reasons(acted, Reason.MENTIONS, Reason.ANSWERED)
    silent = allowance.used_up(Spent.IDLE) if idle else None
    if silent is not None and not allowance.is_rested(Spent.IDLE):
        return answer_together(who, silent)
    allowance.charge(Spent.ANSWERS)
    if idle:
        allowance.charge(Spent.IDLE)
    seated = ctx.seat is not None and ctx.game is not None and ctx.game.running
    if words := last_words(allowance, allowance.settle(ctx.tx.session), seated=seated):
        remarks = replace(remarks, notes=(*remarks.notes, words))
    count("gm_answered_total", sender=who.standing.name.lower())
    return answer(who, acted, remarks)


_LONG = 20_000
"""The length of a mail's text, in characters, above which it is parsed outside the transaction."""


def _own(ctx: Context, message: Message, sources: Sources, game: Game | None) -> Lines:
    """The lines of the mail's own text with their meaning in the game's present phase."""
    return own(ctx, message, sources, _read(ctx, message.text, game))


def _read(ctx: Context, text: str, game: Game | None) -> ParsedMessage:
    """The lines of a mail, in the game's present phase. Raises Unprepared for a long mail that has not been
    parsed yet.
    """
    seat = ctx.seat
    if ctx.beforehand is None or len(text) < _LONG:
        return read_in(ctx, text, game)
    names: Names = partial(frozenset, names_of_games(ctx)())  # it is parsed where nothing can be looked up
    key = None if game is None else (game.id, game.version, game.phase and game.phase.id, seat and seat.id)
    parsed = ctx.beforehand.of(("read", key), partial(read, text, game, seat, names, at_seat=came_to_seat(ctx)))
    if parsed is None:
        raise Unprepared
    return parsed


def _is_stopped(who: Identified) -> bool:
    """Whether nothing proves that the sender wrote, who does not want answers to such mail."""
    unproved = who.standing in (Standing.REGISTERED, Standing.STRANGER) and who.proof is not Authenticity.PASS
    return unproved and people.UNPROVED in people.blocked(who.ctx.tx.session, (who.ctx.sender,))


def _was_asked(who: Identified) -> bool:
    """Whether the sender has been asked something today."""
    ctx = who.ctx
    asked = ctx.reached_at
    return question_rows.asked_since(ctx.tx.session, asked, ctx.now - timedelta(days=1)) > 0


def _ignored(reason: str, note: str) -> tuple[InboxState, str]:
    count("gm_ignored_total", reason=reason)
    return InboxState.IGNORED, note


def _put_off(who: Identified, lines: Lines, copies: Copies, doubt: Doubt | None = None) -> tuple[InboxState, str]:
    """Quarantine a mail if there is somebody to ask who was not asked about another copy of it. Returns the row's new
    state and a note."""
    if (asked := question_rows.asked_about(who.ctx.tx.session, [copy.id for copy in copies])) is not None:
        return _ignored("copy", f"another copy of mail {asked}, which its sender was asked about")
    holder = who.addressed.person if who.addressed is not None else who.ctx.person
    if holder is None:
        return _ignored("nobody to ask", f"{who.standing.value}, proof {who.proof.value}")
    if who.standing is Standing.REGISTERED and who.proof is Authenticity.NONE:
        act(who.ctx, stops_in(lines, none=False))
    elif who.standing is Standing.STRANGER_AT_SEAT and people.ALL_MAIL in people.blocked(
        who.ctx.tx.session, holder.addresses
    ):
        return InboxState.QUARANTINED, "nobody was asked: its player has written STOP"
    who.ctx.tx.lines = asked_about(lines, Reason.WHO)
    note = quarantine(who, holder, lines, doubt.answers if doubt is not None else ())
    count("gm_quarantined_total", reason=who.standing.name.lower(), proof=who.proof.value)
    return InboxState.QUARANTINED, note


def _set_back(server: Server, mail_id: int, note: str = "") -> None:
    with server.transaction() as tx:
        state = inbox.failed_try(tx.session, mail_id, tx.now, note) if note else None
        if not note:
            inbox.give_back(tx.session, mail_id, tx.now)
        if state is InboxState.ASIDE and (mail := inbox.mail_by_id(tx.session, mail_id)) is not None:
            tell_of_trouble(tx, mail)
    if state is InboxState.ASIDE:
        tell_sender(server, mail_id)
