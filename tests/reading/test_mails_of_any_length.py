"""A whole mail, from its octets to what its lines ask for, costs no more than its length: in time and in memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from itertools import pairwise

import pytest

from gm.commands import COMMANDS
from gm.mail.message.incoming import read_message
from gm.parsing.message import parse_message
from tests.reading.test_whole_mails import game
from tests.timing import cost

HEAD = b"From: Ann <ann@example.net>\nTo: gm@example.org\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nMessage-ID: <a@b>\n"
HTML, QUOTED = b"Content-Type: text/html\n", b"Content-Transfer-Encoding: quoted-printable\n"
PARTS = b'Content-Type: multipart/mixed; boundary="x"\n'
MORE = 2.25
"""How much more each octet of a longer mail may cost than one of a shorter; for the square it is 4 and 16 times."""
SPARE = 128 * 1024
"""Octets that a mail of any length may need besides."""

SHAPES = {
    "orders": (b"", b"A Par - Bur\n", b""),
    "what is no order": (b"", b"I may go there, or else not.\n", b""),
    "one line of blanks": (b"", b" ", b"x"),
    "empty lines": (b"", b"\n", b""),
    "quotations in quotations": (b"", b"> ", b"A Par - Bur"),
    "quoted lines": (b"", b"> A Par - Bur\n", b"READY"),
    "soft line breaks": (QUOTED, b"A Par=\n", b""),
    "escapes": (QUOTED, b"=3D", b""),
    "elements in elements": (HTML, b"<div>", b"A Par - Bur"),
    "elements that are not closed": (HTML, b"<", b""),
    "paragraphs": (HTML, b"<p>A Par - Bur</p>\n", b""),
    "entities": (HTML, b"&amp;", b""),
    "comments": (HTML, b"<!-- -", b""),
    "parts": (PARTS, b"--x\n\nA Par - Bur\n", b"--x--\n"),
    "delimiters without parts": (PARTS, b"--", b""),
    "references": (b"References:", b" <a@b>", None),
    "addresses": (b"Cc:", b" ann@example.net,", None),
    "comments in an address": (b"Cc: ", b"(", None),
    "lines of a header": (b"X-A: b", b"\nX-A: b", None),
    "a folded subject": (b"Subject:", b"\n =?utf-8?q?A_Par?=", None),
    "conditions": (b"", b"IF A Par   THEN   \n", b""),
    "commands": (b"", b"STATUS spring\n", b""),
    "a name of press": (b"", b"PRESS TO France, ", b"\nx\nENDPRESS"),
}
"""What stands before, again and again, and at the end; None: in the header."""


def mail(shape: str, size: int) -> bytes:
    before, again, end = SHAPES[shape]
    repeated = again * (size // len(again))
    return HEAD + before + repeated + b"\n\nA Par - Bur\n" if end is None else HEAD + before + b"\n" + repeated + end


def reading(raw: bytes) -> Callable[[], object]:
    lexicon, now = game("standard")

    def read() -> object:
        message = read_message(raw, envelope_from=None, recipients=())
        return parse_message(message.text, lexicon, now, COMMANDS.reader)

    return read


def peak(run: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def sizes(shape: str) -> tuple[int, ...]:
    """In octets; what repeats whole lines takes longest, and is read a line at a time: fewer."""
    return (2_000, 4_000, 8_000) if b"\n" in SHAPES[shape][1] else (2_000, 8_000, 128_000)


@pytest.mark.parametrize("shape", SHAPES)
def test_time(shape: str) -> None:
    runs = [(size, reading(mail(shape, size))) for size in sizes(shape)]
    for (short, first), (long, then) in pairwise(runs):
        first(), then()
        assert cost(then, first, MORE * long / short) <= MORE * long / short, f"{short} and {long} octets"


@pytest.mark.parametrize("shape", SHAPES)
def test_memory(shape: str) -> None:
    peaks = [(size, peak(reading(mail(shape, size)))) for size in sizes(shape)]
    for (short, first), (long, then) in pairwise(peaks):
        assert then <= SPARE + MORE * long / short * first, f"{short} and {long} octets"
