"""Metrics for the operator: mails received, refused, ignored, answered, sent and bounced, and the age of the queues;
and for a supervisor whether this server lives (no thread hangs) and is ready (its database can be used, too).

Events are counted in this process; what can be queried from the store (queues, bounces) is not. The page is in the
text form of Prometheus. No label holds an address, a game or anything of a mail.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from gm import __version__
from gm.errors import ConfigurationError, GmError, log_failure
from gm.operation import EVERY_PART, Part
from gm.server import Server
from gm.server.condition import INSPECTIONS, LATE, Weight, inspected, problem
from gm.settings import MetricsSettings
from gm.store import inbox, mail_servers, outbox, question_rows
from gm.store.about import about
from gm.store.agenda import deadlines_due, games_by_state, next_work
from gm.store.presence import parts_run
from gm.store.sent import bounce_counts

log = logging.getLogger(__name__)

Labels = tuple[tuple[str, str], ...]

_lock = threading.Lock()
_counted: Counter[tuple[str, Labels]] = Counter()


def count(name: str, **labels: str) -> None:
    """Count one event. Labels come from fixed lists, never from a mail."""
    with _lock:
        _counted[name, tuple(sorted(labels.items()))] += 1


def _events() -> dict[tuple[str, Labels], int]:
    with _lock:
        return dict(_counted)


COUNTED = {
    "gm_received_total": "Mails received, by transport.",
    "gm_refused_total": "Commands and mails refused by the listener, by reply code.",
    "gm_ignored_total": "Mails neither acted on nor answered, by reason.",
    "gm_worked_on_total": "Mails processed, by their final state.",
    "gm_answered_total": "Mails answered, by the sender's standing.",
    "gm_quarantined_total": "Mails quarantined until they are confirmed, by reason.",
    "gm_failed_total": "Failures that are retried, by kind.",
    "gm_sent_total": "Delivery attempts, by result.",
    "gm_send_refused_total": "Mails of ours that were refused, by the class of the reply (4xx, 5xx) and the reason.",
}
"""The counters of this process, and their meanings."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One family: its name, kind, meaning, and a value for each set of labels."""

    name: str
    kind: str
    meaning: str
    values: tuple[tuple[dict[str, str], float], ...] = field(default=())


def figures(service: Server, now: datetime) -> Iterator[Figure]:
    """All of them, as they are now."""
    counts = _events()
    for name, meaning in COUNTED.items():
        values = tuple((dict(labels), value) for (counted, labels), value in sorted(counts.items()) if counted == name)
        yield Figure(name, "counter", meaning, values)
    yield from _of_process()
    if service.home is not None:
        yield _single("gm_disk_free_bytes", "Room left for the server's folder.", shutil.disk_usage(service.home).free)
    found = dict.fromkeys((one.name for one in INSPECTIONS), 0)
    found |= {one.name: 1 for one, finding in inspected(service.asked()) if finding.is_problem}
    yield _gauge("gm_problem", "What `gm check` says FIX to, by its subject.", "subject", found.items())
    with suppress(GmError):  # a database that cannot be asked is one of the problems
        yield from tuple(_stored(service, now))


def _stored(service: Server, now: datetime) -> Iterator[Figure]:
    """What the database says: mails, questions, deadlines, games, the last backup, who runs what."""
    with service.database.reading() as session:
        received, sent, returned = inbox.counts(session), outbox.counts(session), bounce_counts(session)
        oldest, age = inbox.oldest_new(session), outbox.queue_age(session, now)
        overdue, work = len(deadlines_due(session, now - LATE)), next_work(session)
        refused = outbox.refused_for_now(session, 1)[0]
        questions = question_rows.open_questions(session)
        games, row, caps = games_by_state(session), about(session), mail_servers.caps(session, now)
    yield _gauge("gm_games", "Games, by state.", "state", games.items())
    if row is not None and (since := row.backed_up_at or row.claimed_at) is not None:
        words = "Age of the last backup; before the first, how long the server has been without one."
        yield _single("gm_backup_age_seconds", words, _age(now, since))
    yield _gauge("gm_inbox_mails", "Mails in the inbox, by state.", "state", received.items())
    yield _gauge("gm_outbox_mails", "Mails in the outbox, by state.", "state", sent.items())
    kinds = [("hard" if hard else "soft", number) for hard, number in returned.items()]
    yield Figure("gm_bounces_total", "counter", "Bounces.", _by("kind", kinds))
    yield _single("gm_inbox_age_seconds", "Age of the oldest mail that waits to be processed.", _age(now, oldest))
    yield _single("gm_outbox_age_seconds", "Age of the oldest mail that waits to be sent.", _seconds(age))
    yield _single("gm_questions_open", "Questions that wait for an answer.", questions)
    yield _single("gm_deadlines_overdue", "Deadlines more than ten minutes late.", overdue)
    yield _single("gm_outbox_refused", "Mails that were refused and will be tried again.", refused)
    words = "What the mail server takes at most, as it has shown; no line for what it has not."
    yield _gauge("gm_mail_server_cap", words, "of", [(cap.kind, cap.most) for cap in caps])
    report = min(filter(None, (work.report, work.digest)), default=None)
    waits = [_age(now, oldest), _age(now, work.deadline), _age(now, report), _seconds(age)]
    yield _gauge(
        "gm_waiting_seconds", "How long the oldest work has waited, by part.", "part", zip(Part, waits, strict=True)
    )
    run = _run(service)
    running = [(part, int(part in run)) for part in Part]
    yield _gauge("gm_part_run", "Whether any server runs this part.", "part", running)


_STARTED = time.monotonic()
_PAGE = os.sysconf("SC_PAGE_SIZE")


def _of_process() -> Iterator[Figure]:
    """What this process is, and what it uses. Helpers are processes of their own, and not in it."""
    yield _gauge("gm_info", "The version of gm.", "version", [(__version__, 1)])
    yield _single("gm_uptime_seconds", "How long this server has run.", time.monotonic() - _STARTED)
    yield Figure("process_cpu_seconds_total", "counter", "Processor time used.", (({}, time.process_time()),))
    with suppress(OSError):  # elsewhere than on Linux nothing says so
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        yield _single("process_resident_memory_bytes", "Memory used.", pages * _PAGE)


def _run(service: Server) -> frozenset[Part]:
    """The parts that any server runs; on SQLite the one does everything."""
    return EVERY_PART if service.database.is_sqlite else parts_run(service.database)


def text(found: Iterable[Figure]) -> str:
    """The page (text/plain; version=0.0.4)."""
    lines = []
    for figure in found:
        lines += [f"# HELP {figure.name} {figure.meaning}", f"# TYPE {figure.name} {figure.kind}"]
        for labels, value in figure.values:
            named = ",".join(f'{key}="{word}"' for key, word in labels.items())
            lines.append(f"{figure.name}{{{named}}} {value:.12g}" if named else f"{figure.name} {value:.12g}")
    return "\n".join(lines) + "\n"


def _by(label: str, values: Iterable[tuple[str, float]]) -> tuple[tuple[dict[str, str], float], ...]:
    return tuple(({label: str(word)}, number) for word, number in values)


def _gauge(name: str, meaning: str, label: str, values: Iterable[tuple[str, float]]) -> Figure:
    return Figure(name, "gauge", meaning, _by(label, values))


def _single(name: str, meaning: str, value: float) -> Figure:
    return Figure(name, "gauge", meaning, (({}, value),))


def _age(now: datetime, since: datetime | None) -> float:
    return max((now - since).total_seconds(), 0.0) if since is not None else 0.0


def _seconds(length: timedelta | None) -> float:
    return max(length.total_seconds(), 0.0) if length is not None else 0.0


# the pages


def _live(hanging: Callable[[], Sequence[str]]) -> str:
    """Raises NotReady when a thread hangs or has died."""
    if hung := hanging():
        raise NotReady(f"These hang: {', '.join(hung)}.")
    return "live\n"


def _ready(service: Server, hanging: Callable[[], Sequence[str]]) -> str:
    """Raises NotReady when that is so or this server cannot work, with what to do. Names the parts that no server runs:
    that is no fault of this server, which others may rely on.
    """
    _live(hanging)
    asked = service.asked()
    if found := problem(asked, Weight.WORK):
        raise NotReady(f"{found.words} {found.remedy}")
    if not service.database.is_current():
        raise NotReady("The database is not that of this version of gm: start the server again, which upgrades it.")
    run = _run(service)
    left_out = [part for part in Part if run and part not in run]
    return "ready\n" + (f"Nobody runs: {', '.join(left_out)}.\n" if left_out else "")


class NotReady(Exception):
    """Why this server cannot work, in a sentence."""


NAME = b"Server: gm"
"""By this the page is known to `gm check`."""


_FIGURES = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
_BUTTON = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
}
"""No other site shows the page with the button, or learns its address."""
_MOST_POSTED = 1000  # bytes
_ENDED = b"You will get a mail that says what has ended.\n"
_NOT_ENDED = b"No mail is ended here: reply to it with STOP.\n"


def _ended(request: BaseHTTPRequestHandler, clicked: Callable[[str, bytes], bool]) -> tuple[int, bytes]:
    """What is answered to what was posted: a status and a text."""
    length = request.headers.get("Content-Length", "")
    posted = request.rfile.read(min(int(length), _MOST_POSTED)) if length.isdecimal() else b""
    try:
        return (200, _ENDED) if clicked(request.path, posted) else (404, _NOT_ENDED)
    except Exception as error:
        log_failure(log, error, "what was posted to %s is not stored", request.path)
        return 503, b"Try again later.\n"


def _answer(request: BaseHTTPRequestHandler, status: int, page: bytes, header: Mapping[str, str] = _FIGURES) -> None:
    request.send_response(status)
    for name, value in {**header, "Content-Length": str(len(page))}.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(page)


def _button(page: str | None) -> tuple[int, bytes, Mapping[str, str]]:
    """What is answered to whoever opens an address for one click, of which there is this page."""
    return (404, _NOT_ENDED, _FIGURES) if page is None else (200, page.encode(), _BUTTON)


class _Pages(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002
        """Log what went wrong with one reader: in a line, if it went away."""
        error = sys.exc_info()[1]
        if isinstance(error, OSError):
            log.info("a reader of the metrics page hung up", extra={"reason": error.strerror or type(error).__name__})
        else:
            log.error("the metrics page failed", exc_info=error)


class MetricsPage:
    """A context manager that serves the pages; `port` is the port it listens on. `hanging` names what hangs. `clicked`
    ends mail by one click, if what was posted to a path does, and `opened` is the HTML of the page that posts it.
    """

    def __init__(
        self,
        settings: MetricsSettings,
        service: Server,
        hanging: Callable[[], Sequence[str]] = tuple,
        clicked: Callable[[str, bytes], bool] = lambda _path, _posted: False,
        opened: Callable[[str], str | None] = lambda _path: None,
    ) -> None:
        def metrics() -> str:
            return text(figures(service, service.now()))

        pages: dict[str, Callable[[], str]] = {"/": metrics, "/metrics": metrics, "/live": partial(_live, hanging)}
        pages["/ready"] = partial(_ready, service, hanging)

        class Handler(BaseHTTPRequestHandler):
            timeout = 10

            def version_string(self) -> str:
                return NAME.decode().partition(": ")[2]

            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                made = pages.get(path)
                if made is None:
                    _answer(self, *_button(opened(path)))
                    return
                try:
                    status, page = 200, made().encode()
                except NotReady as error:
                    status, page = 503, f"{error}\n".encode()
                except Exception as error:
                    log_failure(log, error, "the page %s failed", self.path)
                    self.send_error(503)
                    return
                _answer(self, status, page)

            def do_POST(self) -> None:
                """End mail by one click (RFC 8058)."""
                _answer(self, *_ended(self, clicked))

            def log_message(self, format: str, *args: object) -> None:
                log.debug(format, *args)

        self._settings, self._handler = settings, Handler
        self.port = settings.port

    def __enter__(self) -> MetricsPage:
        where = self._settings
        try:
            self._server = _Pages((where.host, where.port), self._handler)
        except OSError as error:
            raise ConfigurationError(
                f"{where.host} port {where.port} cannot be used ({error.strerror or error}).",
                "Stop the program that uses it, or change [metrics].",
            ) from error
        self.port = self._server.server_address[1]
        log.info("the metrics page is served", extra={"port": self.port})
        threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
