"""All there is to do now, in the order that is fair: mail that has arrived counts before a deadline that has passed."""

from __future__ import annotations

from collections.abc import Callable

from gm.server import Server
from gm.server.deadlines import close_next
from gm.server.intake import receive_next
from gm.server.reports import write_next
from gm.store import question_rows


def work(service: Server, between: Callable[[], object] = lambda: None) -> int:
    """Receive, adjudicate and report until nothing is left to do now. Returns how many pieces of work were done.

    `between` is called after each piece, so that what it put into the outbox can be sent meanwhile.
    """
    done = 0
    while any(step(service) for step in (receive_next, close_next, write_next)):
        done += 1
        between()
    expire_questions(service)  # last, so that an answer that came in time counts
    return done


def expire_questions(service: Server) -> None:
    """Close the mails that nobody confirmed in time."""
    with service.database.reading() as session:
        if not question_rows.open_questions(session):
            return
    with service.database.transaction() as session:
        question_rows.expire(session, service.now())


def receive_all(service: Server) -> None:
    """Only take in what has arrived, as long as deadlines must wait."""
    while receive_next(service):
        pass
