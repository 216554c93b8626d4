"""The replies of mail programs (`tests.mail.message.replies`) at a seat of a real game, and the mails of docs/sessions;
`python -m tests.reading.replies` writes their golden files.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Collection, Mapping
from contextlib import suppress
from email.utils import parseaddr
from pathlib import Path

from gm.games.identity import destinations
from gm.inbound import intake
from gm.inbound.contents import message_of
from gm.inbound.explain import Explained
from gm.store import inbox
from gm.store.inbox import ArrivedMail
from tests.mail.message.replies import PROGRAMS, replies
from tests.reading.recorder import Golden, digest, recording, written
from tests.server.kept import is_playing
from tests.server.sessions import PAGES
from tests.server.world import World, player

REPLIES, SESSIONS = Golden("replies"), Golden("sessions")
REST = "the others, by digest"
_IN_FULL = ("ours, above", "another's, an edited line", "ours, between", "another's, a word above")
"""The replies of each program that are shown; of the others a digest is kept."""


class _Undone(Exception):
    """What a mail did is rolled back."""


def receive(world: World, raw: bytes, to: str, sender: str) -> Explained:
    """What becomes of a mail; nothing of it stays."""
    with recording() as found, suppress(_Undone), world.service.transaction() as tx:
        arrived = ArrivedMail("smtp", raw, world.time, (to,), sender)
        (destination, *_) = destinations(arrived.head, tx.identity, tx.session)
        stored = inbox.accept(tx.session, arrived, destination.address)
        assert stored is not None
        row = inbox.take(tx.session, stored.id)
        assert row is not None
        intake.receive(tx, row, message_of(row, tx.identity), inbox.take_copies(tx.session, row, tx.now) or ())
        raise _Undone
    (one,) = found
    return one


def of_replies(wanted: Collection[str] | None = None) -> dict[str, str]:
    """What becomes of each reply, or of those with these names, by its name: each is written to France's seat, in a
    game that has just begun.
    """
    france = player("France")
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), limits=0)
        seat = parseaddr(world.started()["France"])[1]
        found = {}
        for program in PROGRAMS:
            for reply in replies(program):
                if wanted is not None and reply.name not in wanted:
                    continue
                raw = reply.raw.replace(b"From: ann@example.org\nTo: gm@gm.example.org\n", _header(france, seat), 1)
                found[reply.name] = written(receive(world, raw, seat, france))
        world.database.dispose()
    return found


def _header(sender: str, to: str) -> bytes:
    return f"From: {sender}\nTo: {to}\n".encode()


def shortened(found: Mapping[str, str]) -> dict[str, str]:
    """Some of these in full, the others as digests."""
    shown = {name: text for name, text in found.items() if name.partition(", ")[2] in _IN_FULL}
    others = "".join(f"{digest(text, 16)} {name}\n" for name, text in found.items() if name not in shown)
    return {**shown, REST: others}


def of_sessions() -> dict[str, str]:
    """What becomes of each mail of docs/sessions, by page and number, from where its kept beginning ends."""
    found = dict[str, str]()
    for name, play in PAGES.items():
        with tempfile.TemporaryDirectory() as folder, recording(is_playing) as mails:
            play(Path(folder)).world.database.dispose()
        found |= {f"{name} {number}": written(one) for number, one in enumerate(mails, 1)}
    return found


if __name__ == "__main__":
    REPLIES.write(shortened(of_replies()))
    SESSIONS.write(of_sessions())
    for golden in (REPLIES, SESSIONS):
        sys.stdout.write(f"{golden.path.name}: {golden.path.stat().st_size:,} bytes\n")
