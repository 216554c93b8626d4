"""What wakes the service: arriving mail, the next due moment, and once a minute in case of doubt.

APScheduler keeps the time and does nothing but wake; what is to be done stands in rows. Two threads work: the desk
(receive, adjudicate, report) and the courier (send), so that a slow mail server holds up nobody's orders.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler

from gm.errors import Temporary
from gm.server import Server
from gm.server.delivery import Delivers, send_due
from gm.server.work import receive_all, work
from gm.store.agenda import next_wake

log = logging.getLogger(__name__)

MAIL_FIRST = timedelta(minutes=1)
"""How long deadlines wait at the start for the mailbox to be read, so that mail sent in time counts."""

_SOONEST = timedelta(seconds=1)


class Worker(threading.Thread):
    """A thread that does its round whenever it is woken, and survives whatever a round meets."""

    def __init__(self, name: str, round_of_work: Callable[[], object]) -> None:
        super().__init__(name=name, daemon=True)
        self._round = round_of_work
        self._awake = threading.Event()
        self._stopping = False

    def wake(self) -> None:
        """Do a round now, or another one after the present one."""
        self._awake.set()

    def stop(self) -> None:
        """Finish the present round and end."""
        self._stopping = True
        self._awake.set()
        if self.is_alive():
            self.join()

    def run(self) -> None:
        while True:
            self._awake.wait()
            self._awake.clear()
            if self._stopping:
                return
            try:
                self._round()
            except Temporary as error:
                log.warning("%s: %s", self.name, error)
            except Exception:
                log.exception("%s: a round failed", self.name)


class Scheduler:
    """Runs the service until stopped.

    `mail_is_in` says whether mail that came while the server was away has been taken in; until then, or for a minute,
    no deadline is met.
    """

    def __init__(
        self,
        service: Server,
        sender: Delivers,
        *,
        poll_seconds: int = 60,
        mail_is_in: Callable[[], bool] = lambda: True,
    ) -> None:
        self._service = service
        self._sender = sender
        self._mail_is_in = mail_is_in
        self._desk = Worker("desk", self._work)
        self._courier = Worker("courier", self._send)
        self._clock = BackgroundScheduler(
            timezone=UTC, job_defaults={"coalesce": True, "misfire_grace_time": None, "max_instances": 1}
        )
        self._poll_seconds = poll_seconds
        self._started_at = datetime.now(UTC)

    def start(self) -> None:
        """Begin to work, and do at once whatever waits."""
        self._started_at = datetime.now(UTC)
        self._desk.start()
        self._courier.start()
        self._clock.add_job(self.wake, "interval", seconds=self._poll_seconds, id="every minute")
        self._clock.start()
        self.wake()

    def stop(self) -> None:
        """End after the present piece of work."""
        if self._clock.running:
            self._clock.shutdown(wait=False)
        self._desk.stop()
        self._courier.stop()

    def wake(self) -> None:
        """There may be something to do: mail has arrived, or a moment has come."""
        self._desk.wake()
        self._courier.wake()

    def _work(self) -> None:
        if self._may_meet_deadlines():
            work(self._service, between=self._courier.wake)
        else:
            receive_all(self._service)
        self._courier.wake()
        self._wake_again()

    def _send(self) -> None:
        while send_due(self._service, self._sender):
            pass

    def _may_meet_deadlines(self) -> bool:
        return self._mail_is_in() or datetime.now(UTC) - self._started_at > MAIL_FIRST

    def _wake_again(self) -> None:
        """Ask the clock to wake us at the next due moment."""
        with self._service.database.reading() as session:
            moment = next_wake(session)
        if moment is not None and self._clock.running:
            wait = max(moment - self._service.now(), _SOONEST)
            self._clock.add_job(
                self.wake, "date", run_date=datetime.now(UTC) + wait, id="next due moment", replace_existing=True
            )
