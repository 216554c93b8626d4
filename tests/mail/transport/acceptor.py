"""A process that takes mail into a database until it is killed; it is run with a database and a port."""

from __future__ import annotations

import sys
import threading

from gm.mail.transport.listener import Listener
from gm.settings import ListenSettings
from gm.store import inbox
from gm.store.database import Database
from tests.mail.transport.conftest import knows

database = Database(sys.argv[1])


def accept(mail: inbox.ArrivedMail) -> None:
    with database.transaction() as session:
        inbox.accept(session, mail)


if __name__ == "__main__":
    with Listener(ListenSettings(port=int(sys.argv[2])), accept, knows):
        threading.Event().wait()
