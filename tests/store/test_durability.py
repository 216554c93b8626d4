"""An accepted mail is never lost: the process dies immediately after its commit, and the row is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from sqlalchemy import select

from gm.store import inbox
from gm.store.database import Database
from gm.store.inbox import InboxRow

pytestmark = pytest.mark.long

PROGRAM = """
import sys
from tests.store.setting import arrived
from gm.store import inbox
from gm.store.database import Database

database = Database(sys.argv[1])
with database.transaction() as session:
    inbox.accept(session, arrived(1))
with database.transaction() as session:
    inbox.accept(session, arrived(2))
    session.flush()
    print("one is committed, one is not", flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_killed_process_loses_nothing_that_was_committed_and_leaves_no_lock(database: Database) -> None:
    url = database.url.render_as_string(hide_password=False)
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == b"one is committed, one is not\n"
    finally:
        child.kill()
        child.communicate()
    assert child.returncode == -signal.SIGKILL
    with database.transaction() as session:
        assert session.scalars(select(InboxRow.message_id)).all() == ["<1@example.org>"]
        assert inbox.next_new(session, session.scalars(select(InboxRow.received_at)).one()) is not None
