"""Bounces: delivery reports as mail servers write them, other formats, and mails that only look like bounces."""

from __future__ import annotations

from functools import partial

import pytest

from gm.mail.message.automatic import our_message_ids, read_bounce, refused
from tests.server.bounces import in_own_words, report
from tests.timing import cost

ANN = "ann@example.org"

STATUSES = [
    ("5.1.1", "550 5.1.1 User unknown", True),
    ("5.1.10", "recipient address has null MX", True),
    ("5.0.0", "550 no", True),
    ("5.2.1", "mailbox disabled", True),
    ("5.2.2", "552 quota exceeded", False),
    ("5.2.3", "message too large", False),
    ("5.3.4", "552 message size exceeds limit", False),
    ("5.4.4", "no route to host", False),
    ("5.7.1", "554 5.7.1 spam message rejected", False),
    ("4.4.7", "delivery time expired", False),
    ("4.2.2", "mailbox full", False),
]


@pytest.mark.parametrize(("status", "words", "hard"), STATUSES, ids=[status for status, *_ in STATUSES])
def test_a_report_by_its_status(status: str, words: str, hard: bool) -> None:
    found = read_bounce(report(ANN, status, words))
    assert found is not None
    assert (found.hard, found.status, found.words) == (hard, status, words)


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_line_ends(line_end: bytes) -> None:
    assert read_bounce(report(ANN, "5.1.1", "no").replace(b"\n", line_end)) is not None


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed", "expanded", ""])
def test_what_is_no_failure(action: str) -> None:
    assert read_bounce(report(ANN, "2.0.0", "fine", action=action)) is None


def test_of_several_recipients_the_one_that_failed() -> None:
    raw = report(ANN, "2.0.0", "fine", action="delivered").replace(
        b"smtp; fine\n", b"smtp; fine\n\nFinal-Recipient: rfc822; x\nAction: failed\nStatus: 5.1.1\n"
    )
    found = read_bounce(raw)
    assert found is not None
    assert (found.hard, found.status) == (True, "5.1.1")


def test_servers_that_do_not_keep_to_the_standard() -> None:
    found = read_bounce(in_own_words(ANN))
    assert found is not None
    assert (found.hard, found.status) == (True, "5.1.1")


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"\n\n", b"Subject: Out of office\n\nI am away until Monday. 5.1.1 is my office.\n",
        b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n--b--\n",
        b"Content-Type: multipart/report\n\nx", b"Content-Type: message/delivery-status\n\nAction: failed\xff\n"[:40],
    ],
)  # fmt: skip
def test_what_is_no_bounce(raw: bytes) -> None:
    assert read_bounce(raw) is None


@pytest.mark.parametrize(
    ("words", "hard", "status"),
    [("550 5.1.1 no such user", True, "5.1.1"), ("552 5.2.2 full", False, "5.2.2"), ("550 no", True, ""),
     ("554 5.7.1 rejected as spam", False, "5.7.1"), ("", True, "")],
)  # fmt: skip
def test_refused_at_once(words: str, hard: bool, status: str) -> None:
    found = refused(words)
    assert (found.hard, found.status) == (hard, status)


def test_the_mail_that_came_back_is_known_by_its_message_id() -> None:
    ours = f"<{'0123456789abcdef' * 2}@gm.example.org>"
    raw = report(ANN, "5.1.1", "no", original=f"Message-ID: {ours}\nReferences: <x@y> {ours}\n\nx\n".encode())
    assert our_message_ids(raw) == (ours,)
    assert our_message_ids(f"Message-ID: {ours}\n\nnothing of ours\n".encode()) == ()


@pytest.mark.parametrize("piece", [b"Action: failed\n\n", b"<a@b.example>:\n", b"\n", b"--b\n", b"550 5.1.1 <a@b.c>\n"])
def test_a_hostile_one_costs_little_more_than_an_honest_mail(piece: bytes) -> None:
    honest = b"Subject: Re: results\n\n" + b"A PIC-BEL and so forth, until the line is fifty long\n" * 17_000
    head = b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
    for raw in (
        head + piece * (900_000 // len(piece)),
        b"Subject: failure notice\n\n" + piece * (900_000 // len(piece)),
    ):
        assert cost(partial(read_bounce, raw), partial(read_bounce, honest), enough=25) < 25
