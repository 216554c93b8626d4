"""The end of mail by one click (RFC 8058): what a mail program posts is read as the mail that the same header
(List-Unsubscribe) asks of other programs, and so has the same answer. It is proved by where it is posted, since no
question may stand between: only the mail to its reader has that address, and all that it does is its one line.
"""

from __future__ import annotations

from email.utils import format_datetime

from gm.games.composing import end_of
from gm.inbound.acceptance import accept
from gm.server import Server
from gm.store import sent
from gm.store.inbox import CLICK, ArrivedMail

POSTED = b"List-Unsubscribe=One-Click"
"""What is posted (RFC 8058, 3.1), as a form or as a part of one."""
_IN_PARTS = b'name="List-Unsubscribe"'


_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>End this mail</title><p>No more mail of this kind? You will get one that says what has ended.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>End this mail</button></form>
"""


def page(server: Server, path: str) -> str | None:
    """The page that a person who opens such an address sees, with a button that posts what a mail program would; None
    if the path is of no mail of ours. To look at it changes nothing (RFC 8058, 1): programs open links before people.
    """
    return _PAGE if server.identity.clicked(path.rpartition("/")[2]) is not None else None


def unsubscribe(server: Server, path: str, posted: bytes) -> bool:
    """Accept as a mail what was posted to this path of the address for one click. Posted again, it is the same mail.
    False for a path of which no mail that is kept has been sent, or if something else was posted.
    """
    message_id = server.identity.clicked(path.rpartition("/")[2])
    if message_id is None or not (POSTED in posted or _IN_PARTS in posted):
        return False
    with server.database.transaction() as session:
        row = sent.by_message_id(session, message_id)
        recipient, date, end = (row.recipient, row.created_at, end_of(row.raw)) if row else ("", None, None)
    if date is None or end is None:
        return False
    head = (
        f"From: {recipient}\nTo: {end.to}\nSubject: unsubscribe\nDate: {format_datetime(date)}\n"
        f"Message-ID: {message_id.replace('<', '<one-click.')}\nIn-Reply-To: {message_id}\n"
    )
    raw = f"{head}Content-Type: text/plain; charset=utf-8\n\n{end.line}\n".encode()
    accept(server, ArrivedMail(CLICK, raw, server.now(), (end.to,), recipient))
    return True
