"""Mailboxes that cannot be read: the operator is told by mail that mail waits there, and that it is over, once each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from gm.games.transaction import Transaction
from gm.server import Server, episodes
from gm.server.answering import report_trouble
from gm.server.condition import Folder
from gm.store.records import LogRow

LOOKED_AT = timedelta(seconds=30)
PASSES_BY_ITSELF = timedelta(minutes=5)
"""A trouble that is over sooner is nothing to write about: servers restart, and connections are renewed."""

_STUCK, _OVER = "mailbox is not read", "mailbox is read again"


class Mailboxes:
    """Looks at the folders from time to time, as a step."""

    def __init__(self, server: Server, folders: Sequence[Folder]) -> None:
        self._server = server
        self._folders = folders
        self._since: dict[str, datetime] = {}
        self._quiet: set[str] = set()
        """Folders without trouble, of which that is known to be told."""

    def step(self, now: datetime) -> datetime | None:
        """Tell what has lasted, and what is over. Returns when to look again."""
        for folder in self._folders:
            if not folder.trouble:
                self._since.pop(folder.name, None)
                if folder.name not in self._quiet:
                    self._tell_when_over(folder.name)
            elif now - self._since.setdefault(folder.name, now) >= PASSES_BY_ITSELF:
                self._tell(folder)
        return now + LOOKED_AT if self._folders else None

    def _tell(self, folder: Folder) -> None:
        with self._server.transaction() as tx:
            if not episodes.may_be_told(tx, _told(tx, folder.name), _STUCK):
                return
            row = tx.note(_STUCK, folder=folder.name)
            since = self._since[folder.name]
            problem = (
                f"The mailbox {folder.name.removeprefix('imap ')} has not been read since {since:%d %b %H:%M} UTC."
            )
            remedy = (
                "Mail waits there, and counts by the time when it came. Check [imap] and the folders at the provider."
            )
            report_trouble(tx, problem, folder.trouble, f"mailbox:{row.id}", remedy=remedy)
        self._quiet.discard(folder.name)

    def _tell_when_over(self, name: str) -> None:
        with self._server.transaction() as tx:
            told = _told(tx, name)
            if told and told[0].kind == _STUCK:
                row = tx.note(_OVER, folder=name)
                problem = f"The mailbox {name.removeprefix('imap ')} is read again."
                report_trouble(tx, problem, "", f"mailbox:{row.id}", remedy="Nothing is to be done.")
        self._quiet.add(name)


def _told(tx: Transaction, folder: str) -> Sequence[LogRow]:
    """When it was told that this folder cannot be read, or can be again, the newest first."""
    return episodes.said(tx, _STUCK, _OVER, folder=folder)
