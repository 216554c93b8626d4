"""The log and the metrics page: lines that machines read, figures that add up, and no secret in either."""

from __future__ import annotations

import json
import logging
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.cli.logs import Json, KeyValue, hide_tokens
from gm.errors import ConfigurationError, Temporary, log_failure
from tests.cli.server import Running, player
from tests.tables import table
from tests.timing import HANGING


def line(message: str, *args: object, **extra: object) -> str:
    record = logging.makeLogRecord(
        {"name": "gm.test", "levelname": "INFO", "msg": message, "args": args, "created": 1_795_000_000.5, **extra}
    )
    return KeyValue().format(record)


def test_a_line() -> None:
    said = line("a mail was %s", "worked on", mail=7, state="done", words='two "words"')
    assert said == (
        "time=2026-11-18T11:06:40.500Z level=info at=gm.test"
        ' event="a mail was worked on" mail=7 state=done words="two \\"words\\""'
    )


_UNSEEN = "\x1b[2J\x9b1A\x07\x00\x7f\u2028\u2029\x85\x0b\x0c\u202e\u200b\ud800"


def test_nobody_can_inject_lines() -> None:
    assert "\n" not in line("from %s", 'x"\nlevel=error event=forged')


@pytest.mark.parametrize("words", [f"a {_UNSEEN}", _UNSEEN])
def test_nobody_can_move_the_cursor_of_who_reads_the_log(words: str) -> None:
    said = line("from %s", words, name=words, helo=words)
    assert said.isprintable()
    assert said.count("\\x1b[2J\\x9b1A\\x07\\x00\\x7f\\u2028\\u2029\\x85\\x0b\\x0c\\u202e\\u200b\\ud800") == 3


def test_a_line_of_json_says_the_same_and_moves_no_cursor() -> None:
    try:
        raise ValueError(f"550 {_UNSEEN}\nlevel=error")
    except ValueError as error:
        failed = (ValueError, error, error.__traceback__)
    parts = {"name": "gm.test", "levelname": "INFO", "created": 1_795_000_000.5, "exc_info": failed}
    words = f"{_UNSEEN} gm+spring.abcdefghijklmnopqrst@example.org"
    said = Json().format(logging.makeLogRecord({**parts, "msg": "from %s", "args": (words,), "mail": 7}))
    assert said.isprintable()
    found = json.loads(said)
    assert found.pop("traceback").endswith("level=error")
    event = f"from {_UNSEEN} gm+spring.[hidden]@example.org"
    assert found == {"time": "2026-11-18T11:06:40.500Z", "level": "info", "at": "gm.test", "event": event, "mail": 7}


def test_nor_by_a_traceback() -> None:
    try:
        raise ValueError(f"550 {_UNSEEN}\nlevel=error")
    except ValueError as error:
        said = line("failed", exc_info=(ValueError, error, error.__traceback__))
    assert all(one.isprintable() for one in said.split("\n"))
    assert "\\x1b[2J" in said
    assert all(one.startswith("  | ") for one in said.split("\n")[1:])


def test_a_traceback_follows_set_in() -> None:
    try:
        raise ValueError("gm+spring.abcdefghijklmnopqrst@example.org")
    except ValueError as error:
        said = line("failed", exc_info=(ValueError, error, error.__traceback__))
    assert said.splitlines()[1] == "  | Traceback (most recent call last):"
    assert "gm+spring.[hidden]@example.org" in said
    assert "abcdefghijklmnopqrst" not in said


@table("""
    words                                               | hidden
    gm+spring.abcdefghijklmnopqrst@example.org          | gm+spring.[hidden]@example.org
    mailto:gm+spring.abcdefghijklmnopqrst%40example.org | mailto:gm+spring.[hidden]%40example.org
    GM+Spring.ABCDEFGHIJKLMNOPQRST@example.org          | GM+Spring.[hidden]@example.org
    gm+test@example.org                                 | gm+test@example.org
""")
def test_tokens(words: str, hidden: str) -> None:
    assert hide_tokens(words) == hidden


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with Running(tmp_path / "server", GM_METRICS_PORT="0") as running:
        yield running


def page(server: Running, path: str = "/metrics") -> str:
    """The page, at the port that the server wrote into its log."""
    server.wait_for(lambda: "the metrics page is served" in server.log())
    found = re.search(r'event="the metrics page is served" port=(\d+)', server.log())
    assert found, server.log()
    with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}{path}", timeout=HANGING) as answer:
        return str(answer.read().decode())


def figures(server: Running) -> dict[str, float]:
    lines = [line.rpartition(" ") for line in page(server).splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


@pytest.mark.long
def test_figures_add_up_and_nothing_says_a_secret(server: Running) -> None:
    seat = server.started()["France"]
    server.ask(player("France"), seat, "A PAR-BUR")
    server.wait_for(lambda: figures(server)['gm_outbox_mails{state="queued"}'] == 0)
    now = figures(server)
    assert now['gm_received_total{new="true",source="smtp"}'] == 10
    assert now['gm_inbox_mails{state="done"}'] == 10
    assert now['gm_answered_total{sender="seated"}'] == 2
    assert now["gm_deadlines_overdue"] == 0
    token = seat.partition("@")[0].rpartition(".")[2]
    said = server.log() + page(server)
    assert token not in said
    assert "PAR" not in said
    with pytest.raises(urllib.error.HTTPError):
        page(server, "/secrets")


def test_refusals_are_counted_by_their_code(server: Running) -> None:
    import smtplib

    with smtplib.SMTP("127.0.0.1", server.port, timeout=HANGING) as smtp:
        smtp.ehlo()
        smtp.mail("a@example.org")
        assert smtp.rcpt("nobody@example.org")[0] == 550
        assert smtp.docmd("BREW", "coffee")[0] == 500
    now = figures(server)
    assert now['gm_refused_total{code="550 5.1.1"}'] == 1


def test_what_the_operator_can_mend_is_a_line_said_once_and_a_bug_a_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    errors = (
        Temporary("It is full.", "Make room."),
        ConfigurationError("It is damaged."),
        ValueError("no such bishop"),
    )
    for again in range(3):
        for error in errors[: 2 if again else 3]:
            log_failure(logging.getLogger("gm.test"), error, "%s: a round failed", f"desk{again or ''}")
    found = [(one.levelname, one.getMessage(), bool(one.exc_info)) for one in caplog.records]
    assert found == [
        ("WARNING", "desk: a round failed: It is full. Make room.", False),
        ("ERROR", "desk: a round failed: It is damaged.", False),
        ("ERROR", "desk: a round failed", True),
    ]
