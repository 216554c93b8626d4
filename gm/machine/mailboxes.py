"""Mailboxes in which mail is left lying: the operator is told by mail what becomes of it, and that it is over, once
each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product

from gm.inbound.answering import report_trouble
from gm.server import Server, episodes
from gm.server.condition import Folder
from gm.store import mail_servers, troubles
from gm.store.database import Database
from gm.store.inbox import ImapKey

LOOKED_AT = timedelta(seconds=30)
PASSES_BY_ITSELF = timedelta(minutes=5)
"""A trouble that is over sooner is nothing to write about: servers restart, and connections are renewed."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of trouble, by whether mail is taken in spite of it, and what the operator is told of its begin and its
    end.
    """

    taken: bool
    name: str
    problem: str
    remedy: str
    over: str


_KINDS = (
    _Kind(
        taken=False,
        name="mailbox is not read",
        problem="The mailbox {folder} has not been read since {since:%d %b %H:%M} UTC.",
        remedy="Mail waits there, and counts by the time when it came. Check [imap] and the folders at the provider.",
        over="The mailbox {folder} is read again.",
    ),
    _Kind(
        taken=True,
        name="mail is not moved away",
        problem="Mail in the mailbox {folder} is acted on, and since {since:%d %b %H:%M} UTC cannot be moved away.",
        remedy="None is lost, and none is acted on twice. Check done_folder in [imap] and that folder at the provider.",
        over="Mail in the mailbox {folder} is moved away again.",
    ),
)


class Mailboxes:
    """Looks at the folders from time to time, as a step."""

    def __init__(self, server: Server, folders: Sequence[Folder]) -> None:
        self._server = server
        self._folders = folders
        self._since: dict[tuple[str, _Kind], datetime] = {}
        self._quiet: set[tuple[str, _Kind]] = set()
        """Folders without a trouble, of which that is known to be told."""

    def step(self, now: datetime) -> datetime | None:
        """Tell what has lasted, and what is over. Returns when to look again."""
        for folder, kind in product(self._folders, _KINDS):
            place = folder.name, kind
            if folder.trouble and folder.taken is kind.taken:
                if now - self._since.setdefault(place, now) >= PASSES_BY_ITSELF:
                    self._tell(folder, kind)
                continue
            self._since.pop(place, None)
            if not folder.trouble and place not in self._quiet:
                self._tell_when_over(folder.name, kind)
        return now + LOOKED_AT if self._folders else None

    def _tell(self, folder: Folder, kind: _Kind) -> None:
        with self._server.transaction() as tx:
            if not episodes.may_be_told(tx, troubles.last(tx.session, kind.name, folder.name)):
                return
            since = self._since[folder.name, kind]
            row = troubles.begin(tx.session, kind.name, folder.name, since, tx.now)
            problem = kind.problem.format(folder=_plain(folder.name), since=since)
            report_trouble(tx, problem, folder.trouble, f"mailbox:{row.id}", remedy=kind.remedy)
        self._quiet.discard((folder.name, kind))

    def _tell_when_over(self, name: str, kind: _Kind) -> None:
        with self._server.transaction() as tx:
            row = troubles.last(tx.session, kind.name, name)
            if row is not None and row.over_at is None:
                row.over_at = tx.now
                problem = kind.over.format(folder=_plain(name))
                report_trouble(tx, problem, "", f"mailbox:{row.id}:over", remedy="Nothing is to be done.")
        self._quiet.add((name, kind))


class CopiedMails:
    """Keeps, over restarts, which mails lie in two folders (`gm.mail.transport.imap.Copies`)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, account: str, folder: str, uidvalidity: int) -> set[int]:
        """The UIDs of those in a folder."""
        with self._database.reading() as session:
            return mail_servers.copied(session, account, folder, uidvalidity)

    def note(self, key: ImapKey, *, copied: bool) -> None:
        """Note that a mail is one of them, or is no more."""
        with self._database.transaction() as session:
            mail_servers.note_copied(session, key, copied=copied)


def _plain(name: str) -> str:
    return name.removeprefix("imap ")
