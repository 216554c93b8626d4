"""One mail, from the inbox row to the answer in the outbox, in one transaction.

The way of a mail: a transport hands its bytes to `accept`; `receive_next` takes up the row; `receive` has it read
(`gm.mail.message.incoming.read_message`), finds out who it is (`identify`), has its lines read
(`gm.parsing.message.parse_message`), acts on each (`gm.server.acting.act`) and puts the answer into the outbox
(`gm.server.answering.answer`).
"""

from __future__ import annotations

import logging
import traceback
from datetime import datetime
from functools import partial

from sqlalchemy.orm import Session

from gm.commands.scene import Scene
from gm.counters import count
from gm.errors import Temporary
from gm.games import ServerIdentity
from gm.games.snapshot import Table
from gm.mail.message.authentication import Authenticity
from gm.mail.message.compose import can_be_written_to
from gm.mail.message.incoming import Message, read_message
from gm.parsing.message import ParsedMessage
from gm.server import Server
from gm.server.acting import act
from gm.server.answering import answer, refuse, tell_of_trouble
from gm.server.bounces import heard_from, returned_mail, take_back
from gm.server.confirming import confirm, question_at
from gm.server.identify import Identified, Standing, identify
from gm.server.parse_body import read
from gm.server.postmaster import forward, is_for_operator
from gm.server.quarantine import ask_first, quarantine
from gm.server.trust import confirms, must_be_confirmed
from gm.store import game_rows, inbox
from gm.store.game_rows import GameState
from gm.store.inbox import ArrivedMail, InboxRow, InboxState
from gm.store.outbox import OutboxRow
from gm.store.question_rows import QuestionRow
from gm.variants import NoSuchEdition

log = logging.getLogger(__name__)


def accept(service: Server, mail: ArrivedMail) -> bool:
    """Keep a mail that has arrived; only when this has returned may it be acknowledged. False: it was here already."""
    with service.database.transaction() as session:
        new = inbox.accept(session, mail) is not None
    count("gm_received_total", source=mail.source, new=str(new).lower())
    return new


def receive_next(service: Server) -> bool:
    """Work on the oldest mail that waits, once. Returns whether there was one."""
    now = service.now()
    with service.database.transaction() as session:
        for lost in inbox.set_aside_exhausted(session, now):
            tell_of_trouble(session, service.office, lost, now)
        waiting = inbox.next_new(session, now)
    if waiting is None:
        return False
    try:
        with service.database.transaction() as session:
            mail = inbox.take(session, waiting.id)
            if mail is not None:
                receive(session, service.office, mail, service)
    except Temporary as error:
        log.warning("a mail is tried again: %s", error, extra={"mail": waiting.id})
        count("gm_failed_total", kind="temporary")
        with service.database.transaction() as session:
            inbox.give_back(session, waiting.id, now, inbox.LEASE)
    except Exception:  # whatever a mail does to us, the next one is worked on
        log.exception("a mail failed", extra={"mail": waiting.id})
        count("gm_failed_total", kind="mail")
        _set_back(service, waiting.id, traceback.format_exc())
    return True


def receive(session: Session, office: ServerIdentity, mail: InboxRow, service: Server) -> None:
    """Act on one mail and answer it. The transaction is the caller's."""
    now = service.now()
    letter = read_message(mail.raw, envelope_from=mail.envelope_from, recipients=mail.recipients)
    state, note = _not_for_the_games(session, office, letter, mail, now) or _for_the_games(
        session, office, letter, mail, now
    )
    inbox.mark(session, mail, state, now, note)
    count("gm_worked_on_total", state=state.value)
    log.info("a mail was worked on", extra={"mail": mail.id, "state": state.value, "octets": len(mail.raw)})


def _not_for_the_games(
    session: Session, office: ServerIdentity, letter: Message, mail: InboxRow, now: datetime
) -> tuple[InboxState, str] | None:
    """The postmaster's mail, bounces, robots and answers to questions: what becomes of the row, with a note."""
    if any(is_for_operator(office, address) for address in letter.recipients):
        return forward(session, office, letter, mail, now)
    ours = returned_mail(session, office, letter, mail.raw)
    if isinstance(ours, OutboxRow):
        return InboxState.DONE, take_back(session, office, mail.raw, ours, now)
    if ours is not None:
        return _ignored("void return path", "to a return path that is none of ours")
    if letter.automatic:
        return _ignored("robot", letter.automatic)
    if not letter.sender:
        return _ignored("no single sender", "it names no single sender")
    if not can_be_written_to(letter.sender):
        return _ignored("unwritable sender", f"{letter.sender} cannot be answered: the address is not plain letters")
    question = question_at(session, office, letter)
    if isinstance(question, QuestionRow):
        return InboxState.DONE, confirm(session, office, letter, mail, question)
    return None


def _for_the_games(
    session: Session, office: ServerIdentity, letter: Message, mail: InboxRow, now: datetime
) -> tuple[InboxState, str]:
    """A person's mail: acted on and answered, or quarantined."""
    who = identify(session, office, letter, mail, now)
    heard_from(who)
    try:
        parsed = read(letter.text, who.scene.table or _likely_table(who.scene))
    except NoSuchEdition as error:
        if not _counts(who):
            return _ignored("game not playable", error.problem)
        return InboxState.DONE, refuse(who, error)
    if not _counts(who):
        return _put_off(who, parsed)
    outcome = act(who.scene, parsed, partial(confirms, office, who.proof))
    outcome.waiting = ask_first(who.scene, outcome.deferred)
    note = answer(who, outcome)
    count("gm_answered_total", sender=who.standing.name.lower())
    return InboxState.DONE, note


def _ignored(reason: str, note: str) -> tuple[InboxState, str]:
    count("gm_ignored_total", reason=reason)
    return InboxState.IGNORED, note


def _counts(who: Identified) -> bool:
    """Whether a mail may be acted on now; if not, it is quarantined for the person in whose name it came."""
    match who.standing:
        case Standing.STRANGER_AT_SEAT:
            return False
        case Standing.SEATED | Standing.REGISTERED:
            return not must_be_confirmed(who.scene.office, who.proof)
    return who.proof is not Authenticity.FAIL


def _put_off(who: Identified, parsed: ParsedMessage) -> tuple[InboxState, str]:
    """Quarantine a mail if there is somebody to ask; what becomes of its row, with a note."""
    scene = who.scene
    holder = scene.account
    if who.standing is Standing.STRANGER_AT_SEAT and scene.table is not None and scene.seat is not None:
        holder = scene.table.account_of(scene.seat)
    if holder is None:
        return _ignored("nobody to ask", f"{who.standing.value}, proof {who.proof.value}")
    note = quarantine(who, holder, parsed)
    if not note:
        return _ignored("asked too often", "its holder was asked too often within the hour")
    count("gm_quarantined_total", reason=who.standing.name.lower(), proof=who.proof.value)
    return InboxState.QUARANTINED, note


def _likely_table(scene: Scene) -> Table | None:
    """For mail to the server's own address: the sender's newest running game, so that orders are known for what they
    are and he can be told where to send them."""
    if scene.account is None:
        return None
    mine = game_rows.seats_of_account(scene.session, scene.account.id, GameState.RUNNING)
    tables = (Table(scene.session, game) for game, _ in reversed(mine))
    return next((table for table in tables if table.playable), None)


def _set_back(service: Server, mail_id: int, note: str) -> None:
    now = service.now()
    with service.database.transaction() as session:
        if inbox.failed_try(session, mail_id, now, note) is InboxState.ASIDE:
            mail = inbox.mail_by_id(session, mail_id)
            if mail is not None:
                tell_of_trouble(session, service.office, mail, now)
