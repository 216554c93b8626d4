"""Whether a server that starts is the only one at its database: then every lease on its rows is stale.

A server that was killed leaves mails leased for minutes, since another server might be working on them. Every server
has a shared lock on a file beside the SQLite database; who gets it exclusively for a moment is alone. The system takes
the lock from a process that dies. Servers that share a PostgreSQL do not ask, and wait until the leases end.

Place: asked once by `gm.cli.serve`, before it works.
"""

from __future__ import annotations

import fcntl
import os

from gm.store.database import Database
from gm.store.rows import end_leases


class Presence:
    """A server's presence at its database, from `__init__` until `close`. Ends all leases when it is alone."""

    def __init__(self, database: Database) -> None:
        self._lock: int | None = None
        if not database.is_sqlite:
            return
        self._lock = os.open(f"{database.url.database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        else:
            with database.transaction() as session:
                end_leases(session)
        fcntl.flock(self._lock, fcntl.LOCK_SH)

    def close(self) -> None:
        """The server works no more."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
