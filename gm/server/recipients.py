"""Whose mail belongs here: asked at RCPT, so that everything else is refused before it is sent (RFC 5321 3.3)."""

from __future__ import annotations

from gm.mail.message.addresses import CONFIRM, RETURN, parse_seat_address, token_hash
from gm.server import Server
from gm.server.postmaster import is_for_operator
from gm.store import game_rows, outbox, question_rows


def knows(service: Server, recipient: str) -> bool:
    """Whether mail for this address is taken: the server's own, each seat's, each question's, each return path of a
    mail that was sent, and the postmaster's."""
    base = service.office.server.address
    if recipient.lower() == base.lower() or is_for_operator(service.office, recipient):
        return True
    named = parse_seat_address(recipient, base)
    if named is None:
        return False
    with service.database.reading() as session:
        if named[0] == CONFIRM:
            return question_rows.by_token_hash(session, token_hash(named[1])) is not None
        if named[0] == RETURN:
            return outbox.by_return_path(session, recipient) is not None
        return game_rows.seat_by_token_hash(session, token_hash(named[1])) is not None
