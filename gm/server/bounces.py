"""Bounces: mail of ours that did not arrive, recorded by address and retried at the person's other address; and mail
for the operator.

Delivery fails in three ways: the next mail server rejects the mail, all retries fail for days, or a bounce arrives.
All three are handled here, and every failure is reported.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from gm.games import loading
from gm.games.limits import Payer, Spent
from gm.games.seats import masters_by_name
from gm.games.snapshot import Person
from gm.games.transaction import Envelope, Transaction
from gm.mail.message.addresses import seat_addresses_in, token_hash
from gm.mail.message.bounce_report import (
    NO_FAILURE,
    OURS,
    Bounce,
    Reason,
    our_message_ids,
    read_bounce,
    without_addresses,
)
from gm.mail.message.compose import Attachment
from gm.mail.message.incoming import LOOP_HEADER, Message, answers_itself
from gm.mail.message.mime import Headers, split_header, with_newlines
from gm.mail.message.trace import Authenticity
from gm.reports import full_moment
from gm.reports.render import Rendered
from gm.server.answering import report_trouble
from gm.server.destination import Destination, ForOperator, ReturnPath, SeatAddress, destination_at
from gm.server.trust import Identified, Standing
from gm.store import bounce_rows, outbox
from gm.store.game_rows import GameState
from gm.store.inbox import InboxRow, InboxState
from gm.store.outbox import OutboxRow

log = logging.getLogger(__name__)

ELSEWHERE = ">"
"""Separates a mail's purpose from the other address it was sent to as well."""

ABOUT_US = frozenset({*OURS, Reason.COMPLAINT, Reason.NETWORK, Reason.SYSTEM})
"""Reasons that say nothing about an address, however often they occur."""

_LONGEST_SEARCHED = 100_000  # octets
_MOST_ADDRESSES = 20


@dataclass(frozen=True, slots=True)
class Returned:
    """A bounce and the mail of ours that it is about. `proved`: only somebody who has had that mail could have written
    it.
    """

    mail: OutboxRow
    found: Bounce | None
    proved: bool = True


def which_came_back(tx: Transaction, message: Message, raw: bytes, destination: Destination) -> Returned | None:
    """The mail of ours that this one is a bounce of: by the return path to which it was sent; if it is automatic, by a
    Message-ID in it, or by the address that it says could not be reached, for services that rewrite both.
    """
    named = our_message_ids(raw)
    if isinstance(destination, ReturnPath):
        mail = outbox.by_return_path(tx.session, destination.address, named)
        return Returned(mail, read_bounce(raw) or _unreadable(message, raw, mail)) if mail is not None else None
    if message.automatic is None and message.listed is None:
        return None
    for message_id in named:
        if (mail := outbox.by_message_id(tx.session, message_id)) is not None:
            return Returned(mail, read_bounce(raw))
    found = read_bounce(raw)
    for recipient in found.recipients if found is not None else ():
        if (mail := outbox.newest_to(tx.session, recipient, tx.now - outbox.GIVE_UP_AFTER)) is not None:
            return Returned(mail, found, proved=_cites_us(tx, raw))
    return None


def _cites_us(tx: Transaction, raw: bytes) -> bool:
    """Whether a mail contains an address of ours that only its recipient knows."""
    text = raw[:_LONGEST_SEARCHED].decode("ascii", "replace")
    for address in seat_addresses_in(text, tx.identity.address)[:_MOST_ADDRESSES]:
        match destination_at(address, tx.identity):
            case SeatAddress(_, token) if loading.seats_at(tx.session, [token_hash(token)]):
                return True
            case ReturnPath(path) if outbox.by_return_path(tx.session, path) is not None:
                return True
    return False


def _unreadable(message: Message, raw: bytes, mail: OutboxRow) -> Bounce | None:
    """Whatever comes to a return path is a bounce, unless it is an automatic reply or its recipient's own words."""
    own = message.sender == mail.recipient or answers_itself(Headers.parse(split_header(with_newlines(raw))[0]))
    return None if own else Bounce(Reason.UNKNOWN, "", "It could not be read.")


def take_back(tx: Transaction, returned: Returned) -> str:
    """Process a bounce. Returns a note for the inbox row."""
    mail, found = returned.mail, returned.found
    if found is None:
        return f"not a bounce, though it came to the return path of mail {mail.id}"
    if found.reason in NO_FAILURE:
        return f"mail {mail.id} to {mail.recipient}: {found.reason}"
    hard = found.hard and (returned.proved or tx.identity.trust.level == "open")
    note_failure(tx, mail, found, hard=hard)
    return f"{'hard' if hard else 'soft'} bounce of mail {mail.id} to {mail.recipient}: {found.reason}, {found.words}"


def note_failure(tx: Transaction, mail: OutboxRow, found: Bounce, *, hard: bool) -> None:
    """Record a failed mail; for a hard failure, retry it at another address and notify the gamemasters. If it was
    refused because of us or of the mail, notify the operator.
    """
    row = bounce_rows.add_bounce(tx.session, (mail.id, mail.recipient), found, tx.now, hard=hard, uncounted=ABOUT_US)
    if row is None:
        return
    log.warning("a mail bounced", extra={"mail": mail.id, "hard": row.hard, "reason": row.reason, "status": row.status})
    if found.reason in ABOUT_US:
        problem = f"Mail to {mail.recipient} was refused ({found.reason})."
        report_trouble(tx, problem, found.words, f"refused:{mail.domain}:{found.reason}:{tx.now:%Y-%m-%d}")
    person = loading.person_at(tx.session, mail.recipient)
    if person is not None and row.hard:
        elsewhere = _try_elsewhere(tx, person, mail)
        _tell(tx, person, mail.recipient, found.words, elsewhere=elsewhere is not None)


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
    told = (mail.seat_id, mail.phase_id, mail.urgent)
    again = outbox.Queued(purpose, other, path, mail.message_id, mail.raw, *told)
    outbox.queue_all(tx.session, [again], tx.now)
    return other


def _tell(tx: Transaction, person: Person, email: str, words: str, *, elsewhere: bool) -> None:
    """Notify the gamemasters of the person's games, once a day for an address; the operator, if there are no others."""
    problem = f"Mail to {person.name} bounced."
    detail = f'Their mail server said: "{without_addresses(words)}".'
    remedy = "It was sent to their other address." if elsewhere else "STATUS shows this until they write again."
    day = f"{tx.now:%Y-%m-%d}"
    for game in tx.games_of(person, GameState.FORMING, GameState.RUNNING):
        masters = [master for master in game.masters if not master.is_of(person)]
        for seat in game.seats_of(person):
            who = f"{person.name} ({seat.power})" if seat.power else person.name
            words_for = (f"Mail to {who} bounced. {detail}", f"Mail to {seat.power or 'a player'} bounced.")
            for told, said in zip(masters_by_name(game, seat), words_for, strict=True):
                others = [master for master in told if master in masters]
                tx.tell(game, others, "mail bounced", (said, remedy), f"returned:{game.id}:{email}:{day}")
        if all(master.person is None for master in masters):
            report_trouble(tx, problem, f"{email}: {words}", f"returned:{email}:{day}")


def lift_bounces(who: Identified) -> None:
    """Send mail again to an address from which mail arrives; and tell it that mail to it bounced, and may be
    missing.
    """
    known = who.standing in (Standing.SEATED, Standing.SHOWN, Standing.REGISTERED)
    person, tx = who.ctx.person, who.ctx.tx
    if known and person is not None and who.proof is not Authenticity.FAIL and who.ctx.sender in person.bounced:
        lost = bounce_rows.bounced_lately(tx.session, [who.ctx.sender], tx.now, ABOUT_US).get(who.ctx.sender)
        if lost is not None:
            who.ctx.say(
                f"Mail that we sent you bounced on {full_moment(lost.at, tx.identity.zone_of(person))} ({lost.reason}),"
                " so you may have missed some. STATUS and HISTORY show what has happened."
            )
        bounce_rows.forgive_bounces(tx.session, who.ctx.sender, who.ctx.now)
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
