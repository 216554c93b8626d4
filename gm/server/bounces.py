"""Mail of ours that did not arrive: noted by address, tried at the person's other address, and told the gamemaster.

A mail comes back in three ways: the next mail server refuses it, it was tried for days in vain, or a bounce arrives.
All three end here, so that none ends in silence.
"""

from __future__ import annotations

import logging
from datetime import datetime

from sqlalchemy.orm import Session

from gm.games import ServerIdentity
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.mail.message.addresses import RETURN, parse_seat_address
from gm.mail.message.authentication import Authenticity
from gm.mail.message.bounce_report import Bounce, our_message_ids, read_bounce
from gm.mail.message.incoming import Message
from gm.server.answering import report_trouble
from gm.server.identify import Identified, Standing
from gm.store import game_rows, outbox, people
from gm.store.game_rows import GameState
from gm.store.outbox import OutboxRow
from gm.store.people import AccountRow

log = logging.getLogger(__name__)

ELSEWHERE = ">"
"""Divides a mail's purpose from the other address it was sent to as well."""


def returned_mail(session: Session, office: ServerIdentity, letter: Message, raw: bytes) -> OutboxRow | str | None:
    """The mail of ours that this one brings back, by the return path it came to, or by the Message-ID it holds when it
    is a robot's. "" when it came to a return path that is none of ours, None for any other mail."""
    for address in letter.recipients:
        named = parse_seat_address(address, office.server.address)
        if named is not None and named[0] == RETURN:
            return outbox.by_return_path(session, address) or ""
    if letter.automatic is not None:
        for message_id in our_message_ids(raw):
            if (mail := outbox.by_message_id(session, message_id)) is not None:
                return mail
    return None


def take_back(session: Session, office: ServerIdentity, raw: bytes, mail: OutboxRow, now: datetime) -> str:
    """Take in a bounce of `mail`. Returns a note for the inbox row."""
    found = read_bounce(raw)
    if found is None:
        return f"not a bounce, though it came to the return path of mail {mail.id}"
    note_failure(session, office, mail, found, now)
    return f"{'hard' if found.hard else 'soft'} bounce of mail {mail.id} to {mail.recipient}: {found.words}"


def note_failure(session: Session, office: ServerIdentity, mail: OutboxRow, found: Bounce, now: datetime) -> None:
    """A mail did not arrive: note it, and for a hard failure try elsewhere and tell whom it concerns."""
    row = outbox.add_bounce(
        session,
        recipient=mail.recipient,
        outbox_id=mail.id,
        hard=found.hard,
        status=found.status,
        words=found.words,
        now=now,
    )
    if row is None:
        return
    log.warning("a mail bounced", extra={"mail": mail.id, "hard": row.hard, "status": found.status})
    account = people.account_by_address(session, mail.recipient)
    if account is not None and row.hard:
        other = _try_elsewhere(session, office, account, mail, now)
        _tell(session, office, account, mail.recipient, found.words, other, now)


def _try_elsewhere(
    session: Session, office: ServerIdentity, account: AccountRow, mail: OutboxRow, now: datetime
) -> str | None:
    """Send the same mail to another address of the same person. Returns that address."""
    emails = people.addresses_of(session, account.id)
    first_purpose, *elsewhere = mail.purpose.split(ELSEWHERE)
    tried = {mail.recipient, *elsewhere, *outbox.dead_addresses(session, emails)}
    other = next((email for email in emails if email not in tried), None)
    if other is None:
        return None
    purpose = ELSEWHERE.join((first_purpose, *elsewhere, other))
    outbox.queue(
        session,
        purpose=purpose,
        recipient=other,
        raw=mail.raw,
        envelope_from=office.return_path(purpose),
        message_id=mail.message_id,
        now=now,
    )
    return other


def _tell(
    session: Session,
    office: ServerIdentity,
    account: AccountRow,
    email: str,
    words: str,
    other: str | None,
    now: datetime,
) -> None:
    """Tell the gamemasters of the person's games, once a day for an address; the operator, if he is one himself."""
    problem = f"Mail to {account.name} came back."
    detail = f'The mail server of his address said: "{words}".'
    remedy = "It is sent to another address of his." if other else "STATUS shows it until he is heard from again."
    for game, seat in game_rows.seats_of_account(session, account.id, GameState.FORMING, GameState.RUNNING):
        table = Table(session, game)
        masters = [master for master in table.masters if master.account_id not in (None, account.id)]
        who = f"{account.name} ({seat.power})" if seat.power else account.name
        tell(
            table,
            office,
            masters,
            "mail came back",
            (f"Mail to {who} came back. {detail}", remedy),
            purpose=f"returned:{game.id}:{email}:{now:%Y-%m-%d}",
            now=now,
        )
        if not masters:
            report_trouble(
                session, office, problem, f"{email}: {words}", purpose=f"returned:{email}:{now:%Y-%m-%d}", now=now
            )


def heard_from(who: Identified) -> None:
    """Whoever writes to us has a living address."""
    known = who.standing in (Standing.SEATED, Standing.REGISTERED)
    if known and who.proof is not Authenticity.FAIL:
        outbox.forgive_bounces(who.scene.session, who.scene.sender, who.scene.now)
