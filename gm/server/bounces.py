"""Bounces: mail of ours that did not arrive, recorded by address and retried at the person's other address; and mail
for the operator.

Delivery fails in three ways: the next mail server rejects the mail, all retries fail for days, or a bounce arrives.
All three are handled here, and every failure is reported.
"""

from __future__ import annotations

import logging

from gm.games import loading
from gm.games.limits import Payer, Spent
from gm.games.snapshot import Person
from gm.games.transaction import Envelope, Transaction
from gm.mail.message.authentication import Authenticity
from gm.mail.message.automatic import LOOP_HEADER, Bounce, our_message_ids, read_bounce
from gm.mail.message.compose import Attachment
from gm.mail.message.incoming import Message
from gm.reports.render import Rendered
from gm.server.answering import report_trouble
from gm.server.destination import Destination, ForOperator, ReturnPath, destination_at
from gm.server.trust import Identified, Standing
from gm.store import outbox
from gm.store.game_rows import GameState
from gm.store.inbox import InboxRow, InboxState
from gm.store.outbox import OutboxRow

log = logging.getLogger(__name__)

ELSEWHERE = ">"
"""Separates a mail's purpose from the other address it was sent to as well."""


def which_came_back(tx: Transaction, message: Message, raw: bytes, destination: Destination) -> OutboxRow | None:
    """The mail of ours that this one is a bounce of, by the return path it came to, or by the Message-ID in it if it is
    automatic."""
    if isinstance(destination, ReturnPath):
        return outbox.by_return_path(tx.session, destination.address)
    if message.automatic is not None:
        for message_id in our_message_ids(raw):
            if (mail := outbox.by_message_id(tx.session, message_id)) is not None:
                return mail
    return None


def take_back(tx: Transaction, raw: bytes, mail: OutboxRow) -> str:
    """Process a bounce of `mail`. Returns a note for the inbox row."""
    found = read_bounce(raw)
    if found is None:
        return f"not a bounce, though it came to the return path of mail {mail.id}"
    note_failure(tx, mail, found)
    return f"{'hard' if found.hard else 'soft'} bounce of mail {mail.id} to {mail.recipient}: {found.words}"


def note_failure(tx: Transaction, mail: OutboxRow, found: Bounce) -> None:
    """Record a failed mail; for a hard failure, retry it at another address and notify the gamemasters."""
    row = outbox.add_bounce(
        tx.session,
        recipient=mail.recipient,
        outbox_id=mail.id,
        hard=found.hard,
        status=found.status,
        words=found.words,
        now=tx.now,
    )
    if row is None:
        return
    log.warning("a mail bounced", extra={"mail": mail.id, "hard": row.hard, "status": found.status})
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
    again = outbox.Queued(
        purpose, other, tx.identity.return_path(purpose), mail.message_id, mail.raw, mail.seat_id, mail.phase_id
    )
    outbox.queue_all(tx.session, [again], tx.now)
    return other


def _tell(tx: Transaction, person: Person, email: str, words: str, *, elsewhere: bool) -> None:
    """Notify the gamemasters of the person's games, once a day for an address; the operator, if there are no others."""
    problem = f"Mail to {person.name} bounced."
    detail = f'Their mail server said: "{words}".'
    remedy = "It was sent to their other address." if elsewhere else "STATUS shows this until they write again."
    day = f"{tx.now:%Y-%m-%d}"
    for game in tx.games_of(person, GameState.FORMING, GameState.RUNNING):
        masters = [master for master in game.masters if not master.is_of(person)]
        for seat in game.seats_of(person):
            who = f"{person.name} ({seat.power})" if seat.power else person.name
            said = (f"Mail to {who} bounced. {detail}", remedy)
            told = [master for master in game.masters_of(seat) if master in masters]
            tx.tell(game, told, "mail bounced", said, f"returned:{game.id}:{email}:{day}")
        if all(master.person is None for master in masters):
            report_trouble(tx, problem, f"{email}: {words}", f"returned:{email}:{day}")


def heard_from(who: Identified) -> None:
    """Forget failures of an address that writes to us: it works."""
    known = who.standing in (Standing.SEATED, Standing.SHOWN, Standing.REGISTERED)
    person = who.ctx.person
    if known and person is not None and who.proof is not Authenticity.FAIL and who.ctx.sender in person.bounced:
        outbox.forgive_bounces(who.ctx.tx.session, who.ctx.sender, who.ctx.now)
        who.ctx.tx.reread(person)


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
