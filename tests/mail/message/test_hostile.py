"""Bodies that are made to be slow: none takes many times as long as an ordinary one of that size. What grows with the
square of the size takes thousands of times as long already at a tenth of the megabyte that is accepted.
"""

from __future__ import annotations

import pytest

from gm.mail.message.incoming import read_message
from tests.mail.message.messages import HTML, PLAIN, message
from tests.timing import cost

pytestmark = pytest.mark.long

SIZE = 99_000
FLOWED = f"{PLAIN}; format=flowed"


def filled(pattern: str) -> str:
    return (pattern * (SIZE // len(pattern.encode()) + 1))[: SIZE * len(pattern) // len(pattern.encode())]


def boundaries(levels: int) -> str:
    return "".join(f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n" for n in range(levels))


HONEST = message(filled("A PIC-BEL and so forth, until the line is fifty long\n"), PLAIN)  # as many lines as may be
MOST = 6.0
"""The most times the cost of the ordinary body, or of one of as many octets where there are more."""

BODIES = {
    "quote marks in one line": (PLAIN, filled(">")),
    "quote marks in many lines": (PLAIN, filled(">" * 60 + "x\n")),
    "newlines": (PLAIN, filled("\n")),
    "one line": (PLAIN, filled("x")),
    "attributions": (PLAIN, filled("On Mon, 1 Jan 2024 at 10:00 X <a@b.c> wrote\n")),
    "attributions that end": (PLAIN, filled("On Monday, the first of many such days, he wrote:\n")),
    "quotations of nobody": (PLAIN, filled("Quoting 1 @ " + "a" * 40 + "\n") + ":"),
    "header fields": (PLAIN, filled("From: someone at somewhere on the wide world\n")),
    "dashes": (PLAIN, filled("-" * 250 + "\n")),
    "words above what may be signatures": (PLAIN, filled("hi\n")[: SIZE // 2] + filled("--\nx\n")[: SIZE // 2]),
    "separators": (PLAIN, filled("-----Original Message----- x" + "x" * 30 + "\n")),
    "addresses": (PLAIN, filled("1<a@b" * 50 + "\n")),
    "press never ended": (PLAIN, filled("PRESS TO ALL " + "a" * 40 + "\n")),
    "telephones": (PLAIN, filled("sent from " * 18 + "\n")),
    "stars": (PLAIN, filled("*" * 190 + "\n")),
    "combining marks": (PLAIN, filled("a" + "\u0301\u0316" * 30 + "\n")),
    "marks of direction": (PLAIN, filled("\u202e")),
    "flowed": (FLOWED, filled("a" * 50 + " \n")),
    "flowed quotes": (FLOWED, filled(">")),
    "armour": (PLAIN, "-----BEGIN PGP SIGNED MESSAGE-----\n" + filled("- " * 30 + "\n")),
    "open elements": (HTML, filled("<div>")),
    "as many open elements as may be": (HTML, "<div>" * 19_000 + filled("x ")[:SIZE]),
    "open formatting": (HTML, "".join(f"<font color={n}><p>" for n in range(9_900))),
    "blockquotes": (HTML, "<blockquote>" * 9_900 + "</blockquote>" * 9_900),
    "blockquotes closed wrongly": (HTML, "<blockquote>" * 9_900 + "</div>" * 9_900),
    "wrappers": (HTML, "<div class=gmail_quote>x<br>" * 9_900),
    "hidden": (HTML, "<p hidden>x" * 19_000),
    "angle brackets": (HTML, filled("<")),
    "attributes": (HTML, f"<div {filled('a=1 ')}>"),
    "open quotation marks": (HTML, filled("<p '" + '"' * 100)),
    "open comments": (HTML, filled("<!--" + "a" * 60)),
    "open style": (HTML, filled("<style>" + "a" * 60)),
    "entities": (HTML, filled("&a")),
    "one number": (HTML, "&#" + filled("1")),
    "spaces": (HTML, "<p>" + filled("\n \t")),
    "many parts": ("multipart/mixed; boundary=b", filled("--b\n\nx\n")),
    "many parts with many lines": ("multipart/mixed; boundary=b", ("--b\n\n" + "\n" * 4_900) * 199),
    "deep and long": (
        "multipart/mixed; boundary=b0",
        boundaries(49) + "--b49\n\n" + filled("x" * 60 + "\n")[: SIZE - 9_000],
    ),
    "too deep": ("multipart/mixed; boundary=b0", boundaries(10_000)),
    "parameters": ("text/plain; " + 'a="' * 6_000, "x"),
}
FIELDS = {
    "many fields": "\n".join(["X: y"] * 38_000),
    "encoded words never ended": "Subject: " + "=?a?q?" * 30_000,
    "addresses": "Cc: " + '"a" <a@b>, (c) ' * 12_000,
    "quoted local parts": "From: <" + '"<' * 90_000,
    "comments within comments": "To: " + "(()" * 60_000,
    "escaped quotation marks": "To: " + '<"\\"' * 40_000,
    "brackets": "Cc: " + "(" * 90_000 + "\nReferences: " + "<" * 90_000,
    "backslashes": "Cc: " + '"\\' * 90_000,
    "reply after reply": "Subject: " + "auto " * 30_000,
}


def read(raw: bytes) -> None:
    mail = read_message(raw, envelope_from="ann@example.org", recipients=())
    assert not any("could not be read (" in fault for fault in mail.faults)


def read_honest() -> None:
    read(HONEST)


def cost_of(raw: bytes) -> float:
    """Of reading, compared with the honest body, as if that were as long."""
    longer = max(1.0, len(raw) / len(HONEST))
    return cost(lambda: read(raw), read_honest, MOST * longer) / longer


@pytest.mark.parametrize("name", BODIES)
def test_bodies(name: str) -> None:
    content_type, body = BODIES[name]
    assert cost_of(message(body, content_type)) < MOST


@pytest.mark.parametrize("name", FIELDS)
def test_headers(name: str) -> None:
    assert cost_of(message("x", PLAIN, FIELDS[name])) < MOST
