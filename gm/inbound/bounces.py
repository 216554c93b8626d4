"""Bounces: mail of ours that did not arrive, recorded by address, sent again, or sent to the person's other address;
and mail for the operator.

Delivery fails in three ways: the next mail server rejects the mail, all retries fail for days, or a bounce arrives.
All three are handled here, and every failure is reported. A bounce counts only if it is proved: by the return path,
by the Message-ID of our mail, or by an address of ours that only its recipient knows.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from gm.commands.invitations import not_reached
from gm.commands.promote import is_about
from gm.errors import Temporary
from gm.games import loading
from gm.games.composing import Envelope
from gm.games.identity import Destination, ForOperator, ReturnPath, SeatAddress, destination_at
from gm.games.limits import Payer, Spent
from gm.games.snapshot import Person
from gm.games.transaction import Transaction
from gm.inbound.answering import report_trouble
from gm.inbound.identification import AT_OWN_SEAT, Identified, Standing
from gm.mail.message.addresses import seat_addresses_in, token_hash
from gm.mail.message.bounce_report import (
    ABOUT_US,
    AUTH_FAILURE,
    NO_FAILURE,
    Bounce,
    Reason,
    our_message_ids,
    read_bounce,
    returned_fields,
    without_addresses,
)
from gm.mail.message.compose import Attachment
from gm.mail.message.incoming import LOOP_HEADER, Message, answers_itself
from gm.mail.message.mime import Headers, message_ids
from gm.mail.message.trace import Authenticity
from gm.play.questions import ASKED, SEAT
from gm.reports import full_moment
from gm.reports.render import Rendered
from gm.store import mail_files, outbox, refusals, sent
from gm.store.game_rows import GameState
from gm.store.inbox import InboxRow, InboxState
from gm.store.outbox import OutboxRow, OutboxState, Trouble
from gm.store.question_rows import QuestionRow

log = logging.getLogger(__name__)

ELSEWHERE = ">"
"""Separates a mail's purpose from the other address it was sent to as well."""

_RETURNED = "returned:"
"""The beginning of the purpose of a notice that mail bounced; the address follows."""

_UNREADABLE = "It could not be read."
_LONGEST_SEARCHED = 100_000  # octets
_MOST_ADDRESSES = 20
_MOST_SUBJECTS = 20
_PARTS = 16
"""Mails that bounced together are sent again at this many different times."""


@dataclass(frozen=True, slots=True)
class Returned:
    """What came back, and the mail of ours that it is about; no bounce if `found` is None. `proved`: only somebody who
    has had that mail could have written it, or the operator has seen it and vouches for it by replaying it. `certain`:
    the mail that it returns is ours; otherwise it makes no address dead. `came`: when, which is long before a replay.
    """

    mail: OutboxRow
    found: Bounce | None
    came: datetime
    proved: bool = True
    certain: bool = True


def which_came_back(
    tx: Transaction, message: Message, raw: bytes, destination: Destination, came: datetime
) -> Returned | None:
    """The mail of ours that this one is a bounce of: by the return path to which it was sent; if it is automatic, by a
    Message-ID in it, or by the address that it says could not be reached, for services that rewrite both.
    """
    named = our_message_ids(raw)
    if isinstance(destination, ReturnPath):
        mail = sent.by_return_path(tx.session, destination.address, named, came)
        return _at_return_path(tx, message, raw, mail, came) if mail is not None else None
    if message.automatic is None and message.listed is None:
        return None
    found = _read(tx, raw)
    recipients = found.recipients if found is not None else ()
    for message_id in named:
        if (mail := sent.by_message_id(tx.session, message_id, recipients)) is not None:
            found = _read(tx, raw, mail.recipient)
            certain = not tx.identity.settings.plus_addressing  # with it, the return path is what nobody else knows
            return Returned(mail, None if _answers_for(mail, message, found) else found, came, certain=certain)
    for recipient in recipients:
        if (mail := sent.newest_to(tx.session, recipient, came, outbox.GIVE_UP_AFTER)) is not None:
            theirs = _read(tx, raw, mail.recipient)
            return Returned(mail, theirs, came, proved=_cites(tx, raw, mail.recipient))
    return None


def _read(tx: Transaction, raw: bytes, *mailed: str) -> Bounce | None:
    """What a mail reports about these addresses (`read_bounce`). If the address that failed is one of ours, the mail
    came back to us, by a forwarder or in a loop: that is for the operator, and nobody's address is dead.
    """
    found = read_bounce(raw, mailed)
    if found is None or found.informal or found.reason in (*NO_FAILURE, Reason.COMPLAINT):
        return found
    ours = any(destination_at(one, tx.identity) is not None for one in found.recipients)
    return replace(found, reason=Reason.SYSTEM) if ours else found


def _at_return_path(tx: Transaction, message: Message, raw: bytes, mail: OutboxRow, came: datetime) -> Returned:
    """What a mail to the return path of this one says of it. A bounce whose returned mail has a Message-ID that is not
    ours (some servers write their own) counts if it names this recipient, and for certain unless it cites another.
    """
    found = _read(tx, raw, mail.recipient)
    if _is_of_person(tx, message, found) or _answers_for(mail, message, found):
        return Returned(mail, None, came)
    found = found or _unreadable(message, raw, mail)
    fields = returned_fields(raw)
    name = next(iter(message_ids(fields.first("message-id"))), mail.message_id)
    if found is None or name in (mail.message_id, _named(tx, mail.envelope_from, name)):
        return Returned(mail, found, came)
    names_them = mail.recipient in found.recipients
    certain = _is_of_ours(tx, fields, mail.recipient) or (names_them and not _cited(tx, fields))
    return Returned(mail, found, came, proved=names_them or not found.recipients, certain=certain)


def _is_of_person(tx: Transaction, message: Message, found: Bounce | None) -> bool:
    """Whether a person has written a mail to a return path: nothing marks it as automatic, and no reason can be read in
    it, or its sender is known. Players write of bounces, too.
    """
    if message.automatic is not None:
        return False
    if found is None or (found.reason is Reason.UNKNOWN and not found.status):
        return True
    return message.sender is not None and loading.person_at(tx.session, message.sender) is not None


def _answers_for(mail: OutboxRow, message: Message, found: Bounce | None) -> bool:
    """Whether the address that a mail of ours went to says in words that it did not arrive: then it did."""
    return found is not None and found.informal and message.sender == mail.recipient


def _named(tx: Transaction, return_path: str, message_id: str) -> str:
    """The Message-ID of a mail with this return path: this one if there is such a mail."""
    mail = sent.by_return_path(tx.session, return_path, [message_id])
    return mail.message_id if mail is not None else ""


def _is_of_ours(tx: Transaction, fields: Headers, recipient: str) -> bool:
    """Whether the fields of a returned mail are those of a mail of ours to this recipient: by its subject, or by an
    address that only they know.
    """
    mails = sent.newest_to_each(tx.session, [recipient], _MOST_SUBJECTS)
    subjects = {Headers.of(mail).text("subject") for mail in mails}
    if fields.text("subject") in subjects - {""}:
        return True
    return any(_cites(tx, address.encode(), recipient) for address in _cited(tx, fields))


def _cited(tx: Transaction, fields: Headers) -> Sequence[str]:
    """The addresses of ours, of seats or return paths, to which a returned mail says that answers go."""
    text = "\n".join(fields.first(name) for name in ("reply-to", "return-path"))
    return seat_addresses_in(text, *tx.identity.addresses)


def _cites(tx: Transaction, raw: bytes, recipient: str) -> bool:
    """Whether a mail contains an address of ours that only this recipient knows: of their seat, or of a return path of
    theirs.
    """
    person = loading.person_at(tx.session, recipient)
    text = raw[:_LONGEST_SEARCHED].decode("ascii", "replace")
    for address in seat_addresses_in(text, *tx.identity.addresses)[:_MOST_ADDRESSES]:
        match destination_at(address, tx.identity):
            case SeatAddress(_, token) if person is not None and _has_seat(tx, person, token):
                return True
            case ReturnPath(path):
                mail = sent.by_return_path(tx.session, path)
                if mail is not None and mail.recipient == recipient:
                    return True
    return False


def _has_seat(tx: Transaction, person: Person, token: str) -> bool:
    """Whether the person holds the seat with this token."""
    theirs = {seat.id for game in tx.games_of(person) for seat in game.seats_of(person)}
    return any(seat_id in theirs for _, _, seat_id in loading.seats_at(tx.session, [token_hash(token)]))


def _unreadable(message: Message, raw: bytes, mail: OutboxRow) -> Bounce | None:
    """Whatever programs send to a return path is a bounce, unless it is an automatic reply or its recipient's."""
    own = message.sender == mail.recipient or answers_itself(Headers.of(raw))
    return None if own else Bounce(Reason.UNKNOWN, "", _UNREADABLE)


def take_back(tx: Transaction, returned: Returned) -> tuple[InboxState, str]:
    """Process a bounce. Returns the inbox row's new state, with a note. Raises Temporary while its mail is being sent.

    One that nothing proves, or that is none, is listed with the ignored mails and has no other effect. One that cannot
    be read is recorded, and listed there too.
    """
    mail, found = returned.mail, returned.found
    about = f"mail {mail.number} to {mail.recipient or 'somebody (thinned)'}"
    if found is None:
        return InboxState.IGNORED, f"not a bounce, though it came to the return path of {about}"
    summary = f"{about}: {found.reason}, {found.words}"
    if found.reason in NO_FAILURE or not mail.raw:
        return InboxState.DONE, summary
    if not returned.proved:
        return InboxState.IGNORED, f"it says that it is a bounce, without proof, of {summary}"
    if found.reason is Reason.COMPLAINT:
        _pass_on(tx, mail, found)
        return InboxState.DONE, summary
    if mail.state is OutboxState.QUEUED and (mail.leased_until or tx.now) > tx.now:
        raise Temporary(f"A bounce of mail {mail.number} waits while that mail is being sent.")
    trouble = Trouble.REFUSED if found.reason in ABOUT_US else Trouble.DEFERRED
    state = None
    if found.reason is not Reason.UNKNOWN or found.status:
        failure = outbox.Failure(found.words, mail.id % _PARTS / _PARTS, not found.passing, trouble)
        state = outbox.mark_returned(tx.session, mail.id, tx.now, failure)
    hard = (found.hard and returned.certain) or (found.passing and is_lost(state, trouble))
    note_failure(tx, mail, found, state or mail.state, hard=hard, at=returned.came)
    listed = InboxState.IGNORED if found.words == _UNREADABLE else InboxState.DONE
    return listed, f"{'hard' if hard else 'soft'} bounce of {summary}"


def is_lost(state: OutboxState | None, trouble: Trouble) -> bool:
    """Whether a mail that was tried for days, and is in this state now, never arrives; one that was refused because of
    us may arrive elsewhere.
    """
    return state is OutboxState.FAILED and trouble is Trouble.DEFERRED


def note_failure(
    tx: Transaction, mail: OutboxRow, found: Bounce, state: OutboxState, *, hard: bool, at: datetime
) -> None:
    """Record a mail that failed at that time, which is in this state now; for a hard failure, retry it at another
    address and notify the gamemasters. If it was refused because of us or of the mail, notify the operator.
    """
    row = sent.add_bounce(tx.session, (mail.id, mail.recipient), found, at, hard=hard, uncounted=ABOUT_US)
    next_step = _next_step(mail, state)
    if found.reason in ABOUT_US and (row is not None or state is OutboxState.FAILED):
        problem = f"Mail to {mail.recipient} failed ({found.reason})."
        purpose = f"refused:{mail.domain}:{found.reason}:{state}:{tx.now:%Y-%m-%d}"
        report_trouble(tx, problem, found.words, purpose, remedy=next_step)
    if row is None:
        return
    log.warning("a mail bounced", extra={"mail": mail.id, "hard": row.hard, "reason": row.reason, "status": row.status})
    if row.hard:
        _tell_who_asked(tx, mail, found)
    person = loading.person_at(tx.session, mail.recipient)
    if person is None:
        return
    person = tx.reread(person)
    if row.hard:
        elsewhere = _try_elsewhere(tx, person, mail)
        remedy = "It was sent to their other address." if elsewhere else "STATUS shows this until they write again."
        words = f'Their mail server said: "{without_addresses(found.words)}".'
        spell = sent.spell_of(tx.session, row)
        purpose = f"{_RETURNED}{mail.recipient}:{spell}:{tx.now:%Y-%m-%d}"
        if spell is not None and _tell(tx, person, mail, _News("mail bounced", "bounced", words, remedy), purpose):
            problem, detail = f"Mail to {person.name} bounced.", f"{mail.recipient}: {found.words}"
            report_trouble(tx, problem, detail, purpose, remedy=remedy if elsewhere else next_step)


def _is_an_offer(question: QuestionRow) -> bool:
    """Whether it offers a seat, and waits for an answer; who is asked to agree to something is not told to others."""
    return question.scope == SEAT and question.settled_at is None and not is_about(question)


def _tell_who_asked(tx: Transaction, mail: OutboxRow, found: Bounce) -> None:
    """Tell the gamemaster who asked somebody to play that the question did not arrive."""
    number = mail.purpose.removeprefix(ASKED)
    question = tx.session.get(QuestionRow, int(number)) if number.isdecimal() else None
    if question is not None and _is_an_offer(question):
        not_reached(tx, question, f'Their mail server said: "{without_addresses(found.words)}".')


def not_dead(tx: Transaction, recipients: Sequence[str]) -> None:
    """Take back that these addresses are dead, as far as no notice was sent yet."""
    every = list(recipients)
    for recipient in every:  # a notice that is withdrawn may have been refused, too, so that it grows
        every += [one for one in refusals.withdraw(tx.session, f"{_RETURNED}{recipient}:") if one not in every]
        if (person := loading.person_at(tx.session, recipient)) is not None:
            tx.reread(person)


def _next_step(mail: OutboxRow, state: OutboxState) -> str:
    """What happens now to a mail that was refused, for the operator."""
    if state is OutboxState.QUEUED:
        until = mail.created_at + outbox.GIVE_UP_AFTER
        return f"It is kept, and sent again until {until:%d %b %H:%M} UTC; see `gm mail show`."
    if state is OutboxState.SENT:
        return "It may have arrived, since the bounce does not say what failed; it is not sent again."
    return f"It is not sent again by itself; `gm mail replay {mail.number}` sends it."


def _pass_on(tx: Transaction, mail: OutboxRow, found: Bounce) -> None:
    """Notify the operator, and the gamemasters if it was marked as spam, of a complaint about a mail that arrived."""
    purpose = f"complaint:{mail.recipient}:{found.words}:{tx.now:%Y-%m-%d}"
    if found.words == AUTH_FAILURE:
        problem = (
            f"The mail server of {mail.recipient} reports that a mail from here failed its checks (SPF, DKIM, DMARC)."
        )
        report_trouble(tx, problem, found.words, purpose, remedy="Check the server's DNS records and its DKIM key.")
        return
    remedy = "It was delivered. Many such reports make a provider refuse all mail: ask them to mark it as wanted."
    report_trouble(tx, f"A mail to {mail.recipient} was marked as spam.", found.words, purpose, remedy=remedy)
    person = loading.person_at(tx.session, mail.recipient)
    if person is not None:
        words = f"They, or their mail provider, sent a {without_addresses(found.words)}."
        _tell(tx, person, mail, _News("mail marked as spam", "was marked as spam", words, "It was delivered."), purpose)


def _try_elsewhere(tx: Transaction, person: Person, mail: OutboxRow) -> str | None:
    """Send the same mail to another address of the same person. Returns that address."""
    first_purpose, *elsewhere = mail.purpose.split(ELSEWHERE)
    tried = {mail.recipient, *elsewhere, *person.dead}
    other = next((email for email in person.addresses if email not in tried), None)
    if other is None:
        return None
    purpose = ELSEWHERE.join((first_purpose, *elsewhere, other))
    game = tx.seat_numbered(mail.seat_id)[0].name if mail.seat_id is not None else None
    path = tx.identity.return_path(other, game)
    who = (mail.seat_id, mail.phase_id, mail.urgent)
    files = tuple(mail_files.of(tx.session, mail.message_id))
    again = outbox.Queued(
        *(purpose, other, path, mail.message_id, mail.raw, *who, files),
        proposes=tuple(mail.proposes),
        vouched=mail.vouched,
    )
    outbox.queue_all(tx.session, [again], tx.now)
    return other


@dataclass(frozen=True, slots=True)
class _News:
    """What happened to a person's mail: the notice's title, the verb after "Mail to Ann", more words, and what
    follows."""

    title: str
    happened: str
    words: str
    remedy: str


def _tell(tx: Transaction, person: Person, mail: OutboxRow, news: _News, purpose: str) -> bool:
    """Notify the gamemasters of the game that the mail was of, or else of all the person's games, once for each
    purpose: other games' mails show whose orders are in. Returns whether of some game no gamemaster can be notified.
    """
    alone = False
    for game in tx.games_of(person, GameState.FORMING, GameState.RUNNING):
        if mail.seat_id is not None and mail.seat_id not in {seat.id for seat in game.seats}:
            continue
        for seat in game.seats_of(person):
            others = [one for one in game.masters if not one.is_of(person)]
            masters = [one for one in others if game.knows_arrival(one, seat)]
            role = f"deputy of {seat.power}" if seat.deputy_of is not None else seat.power
            who = f"{person.name} ({role})" if role else person.name
            said = (f"Mail to {who} {news.happened}. {news.words}", news.remedy)
            tx.tell(game, masters, news.title, said, f"{purpose}:{game.id}")
            alone = alone or all(master.person is None for master in others)
    return alone


def lift_bounces(who: Identified) -> None:
    """Send mail again to an address from which mail arrives; and tell it that mail to it bounced, and may be
    missing.
    """
    known = who.standing in (*AT_OWN_SEAT, Standing.REGISTERED)
    person, tx = who.ctx.person, who.ctx.tx
    if known and person is not None and who.proof is not Authenticity.FAIL and who.ctx.sender in person.bounced:
        lost = sent.bounced_lately(tx.session, [who.ctx.sender], tx.now, ABOUT_US).get(who.ctx.sender)
        if lost is not None:
            who.ctx.say(
                f"Mail that we sent you bounced on {full_moment(lost.at, tx.identity.zone_of(person))} ({lost.reason}),"
                " so you may have missed some. STATUS and HISTORY show what has happened."
            )
        sent.forgive_bounces(tx.session, who.ctx.sender, who.ctx.now)
        tx.reread(person)


# mail to the postmaster


def forward(tx: Transaction, message: Message, row: InboxRow) -> tuple[InboxState, str]:
    """Forward the mail to the operator. Returns the inbox row's new state, with a note."""
    operator = tx.identity.settings.operator
    if operator is None or isinstance(destination_at(operator, tx.identity), ForOperator):
        return InboxState.ASIDE, "for the postmaster, and [server] names no operator"
    if LOOP_HEADER.encode() in row.raw[:50_000]:
        return InboxState.IGNORED, "our own mail bounced"
    if not tx.allowance_of(Payer.SERVER).take(tx.session, Spent.NOTICES):
        return InboxState.ASIDE, "for the postmaster; rate limit of forwarded mail reached"
    came = f"This mail came to {row.address} from {message.sender or 'an unknown sender'}. It is attached unchanged."
    envelope = Envelope(f"postmaster:{row.id}", operator, reply_to=None, to_stranger=True)
    attached = Attachment("mail.eml", "application/octet-stream", row.raw)
    tx.post(Rendered(f"To {row.address}: {message.subject}", came, ""), envelope, (attached,))
    return InboxState.DONE, f"forwarded to {operator}"
