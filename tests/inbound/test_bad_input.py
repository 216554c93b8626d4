"""Bad input, from bytes to receipt: what is refused is quoted with what to send instead, the rest counts, nothing
crashes.

Each case is a mail from France to its seat; the table says what the reply contains and which orders are then in force.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from gm.inbound.acceptance import accept
from gm.store.inbox import ANSWERED, NOT_READ, ArrivedMail, InboxState
from tests.server.world import BASE, World, player, text_of

FRANCE = player("France")
BURGUNDY, PICARDY = "Army Paris -> Burgundy", "Army Paris -> Picardy"


@dataclass(frozen=True)
class Case:
    """`content` is the header lines below From, To and Message-ID and the body, in bytes."""

    content: bytes
    says: tuple[str, ...] = ()
    orders: str | None = BURGUNDY
    """What the reply shows as the order in force for Paris; None if there is none."""


def plain(body: str | bytes, charset: str = "utf-8", *fields: str) -> bytes:
    head = "\r\n".join([f"Content-Type: text/plain; charset={charset}", *fields])
    return head.encode() + b"\r\n\r\n" + (body.encode() if isinstance(body, str) else body).replace(b"\n", b"\r\n")


def parts(kind: str, *bodies: tuple[str, str | bytes]) -> bytes:
    pieces = b"".join(
        b"--b\r\n" + head.encode() + b"\r\n\r\n" + (body.encode() if isinstance(body, str) else body) + b"\r\n"
        for head, body in bodies
    )
    return f"Content-Type: multipart/{kind}; boundary=b\r\n\r\n".encode() + pieces + b"--b--\r\n"


def nested(levels: int) -> bytes:
    inner = "".join(f"--b{n}\r\nContent-Type: multipart/mixed; boundary=b{n + 1}\r\n\r\n" for n in range(levels))
    return (f"Content-Type: multipart/mixed; boundary=b0\r\n\r\n{inner}--b{levels}\r\n\r\nA PAR-BUR\r\n").encode()


TEXT, PAGE = "Content-Type: text/plain", "Content-Type: text/html"
ATTACHED = "Content-Type: application/octet-stream; name=map.png\r\nContent-Disposition: attachment"
INSTEAD = "plain text mail"

CASES: dict[str, Case] = {
    "a thousand nested parts": Case(nested(1000), ("more than 50 deep", INSTEAD), None),
    "a flood of parts": Case(parts("mixed", *[(TEXT, "x")] * 3000), ("more than 200 parts", INSTEAD), None),
    "an open boundary": Case(b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nA PAR-BUR\r\n"),
    "no boundary": Case(b"Content-Type: multipart/mixed\r\n\r\nA PAR-BUR\r\n"),
    "an unknown charset": Case(plain("A PAR-BUR", "x-martian")),
    "a charset that lies": Case(plain("Grüße\nA PAR-BUR".encode("latin-1"), "utf-8")),
    "a charset that is a codec": Case(plain("A PAR-BUR", "rot13")),
    "a line that cannot be decoded": Case(
        plain(b"A PAR-BUR\nA MAR-\x81\x8d\x8f", "utf-8"), ("could not be read, and was left out", "write it again")
    ),
    "UTF-16 that says so": Case(plain("A PAR-BUR".encode("utf-16-be"), "utf-16-be")),
    "NULs": Case(plain(b"\0\0A PAR-BUR\0\n")),
    "bare carriage returns": Case(b"Content-Type: text/plain\r\n\r\nhello\rA PAR-BUR\r\n"),
    "marks of direction": Case(plain("\u202eA PAR-BUR\u202c\u200b\ufeff")),
    "soft hyphens and spaces of every width": Case(plain("A\u00a0PAR\u2009-\u2009BUR\u00ad")),
    "dashes, minus and arrows": Case(plain("A PAR \u2013 BUR")),
    "an arrow": Case(plain("A PAR \u2192 BUR")),
    "full-width letters": Case(plain("\uff21 \uff30\uff21\uff32-\uff22\uff35\uff32")),
    "Cyrillic letters that look Latin": Case(plain("\u0410 PAR-BUR\nA MAR H")),
    "ten thousand lines": Case(plain("A PAR-BUR\n" * 10_000), ("more than 1,000 lines",), None),
    "one line of a hundred thousand": Case(plain("A PAR-BUR" + " x" * 50_000), (), None),
    "a kilobyte of combining marks": Case(plain("A PAR-BUR\n\nz" + "\u0301" * 1000)),
    "empty text beside HTML": Case(parts("alternative", (TEXT, " \r\n"), (PAGE, "<p>A PAR-BUR</p>"))),
    "HTML that is not closed": Case(b"Content-Type: text/html\r\n\r\n<div><b><p>A PAR-BUR"),
    "an order in a table": Case(b"Content-Type: text/html\r\n\r\n<table><tr><td>A PAR</td><td>-BUR</td></tr></table>"),
    "a script": Case(b"Content-Type: text/html\r\n\r\n<script>A PAR-GAS</script><p>A PAR-BUR</p><!-- A PAR-PIC -->"),
    "base64": Case(
        b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(b"A PAR-BUR\n")
    ),
    "base64 with rubbish in it": Case(
        b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n!!" + base64.encodebytes(b"A PAR-BUR\n")
    ),
    "quoted-printable with soft breaks": Case(
        plain("A PAR=\n-BUR=20", "utf-8", "Content-Transfer-Encoding: quoted-printable")
    ),
    "flowed text": Case(plain("Hello \nthere\n\nA PAR-BUR", "utf-8; format=flowed")),
    "winmail.dat": Case(
        parts("mixed", ("Content-Type: application/ms-tnef; name=winmail.dat", b"\x78\x9f\x3e\x22")),
        ("winmail.dat", INSTEAD),
        None,
    ),
    "attachments only": Case(parts("mixed", (ATTACHED, b"\x89PNG" * 1000)), ("map.png", INSTEAD), None),
    "an attachment beside the text": Case(parts("mixed", (TEXT, "A PAR-BUR"), (ATTACHED, b"\x89PNG" * 1000))),
    "encrypted with PGP": Case(
        plain("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----"), ("encrypted (PGP)", INSTEAD), None
    ),
    "encrypted with S/MIME": Case(
        b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\r\n\r\nMIAG\r\n",
        ("encrypted (S/MIME)", INSTEAD),
        None,
    ),
    "a fragment": Case(
        b"Content-Type: message/partial; id=x; number=1; total=2\r\n\r\nA PAR-BUR\r\n", ("fragments", INSTEAD), None
    ),
    "larger than a megabyte": Case(
        plain("A PAR-BUR\n" + "x" * 60 + "\n" + "y" * 1_000_000), ("at most 1,000,000", INSTEAD), None
    ),
    "an attachment of 25 MB, as IMAP gives its beginning": Case(
        parts("mixed", (TEXT, "A PAR-BUR"), (ATTACHED, b"x" * 25_000_000))[:1_000_001], ("at most 1,000,000",), None
    ),
    "a header of a quarter megabyte": Case(b"X-Long: " + b"x" * 250_000 + b"\r\n\r\nA PAR-BUR\r\n", ("header",), None),
    "no body": Case(b"\r\n", (), None),
    "orders in a quotation only": Case(plain("> A PAR-GAS\n\nsee above"), (), None),
    "orders below a signature line": Case(plain("A PAR-BUR\n-- \nA PAR-GAS")),
    "a future date": Case(plain("A PAR-BUR", "utf-8", "Date: Fri, 31 Dec 9999 23:59:59 +0000")),
    "a date that is none": Case(plain("A PAR-BUR", "utf-8", "Date: yesterday, about noon")),
    "two thousand brackets": Case(plain("A PAR-BUR", "utf-8", "Cc: " + "<" * 2000, "References: " + "<" * 2000)),
    "a subject that breaks lines": Case(
        plain("A PAR-BUR", "utf-8", "Subject: =?utf-8?q?x=0D=0ABcc:_all@evil.example=0D=0A?=")
    ),
    "a subject of NULs and surrogates": Case(
        plain("A PAR-BUR", "utf-8", "Subject: =?utf-8?b?AADtoIA=?= =?utf-16?q?=D8=00?=")
    ),
    "a reply address of somebody else": Case(plain("A PAR-BUR", "utf-8", "Reply-To: thief@evil.example")),
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, dict[str, str]]]:
    """One game for all cases; each begins with CLEAR."""
    world = World(tmp_path_factory.mktemp("bad"), limits=0)
    yield world, world.started()
    world.database.dispose()


def post(world: World, to: str, raw: bytes, envelope: str | None = FRANCE) -> list[EmailMessage]:
    """Deliver a mail. Returns the replies to it."""
    before = len(world.mailboxes.get(FRANCE, []))
    assert accept(world.service, ArrivedMail("imap", raw, world.time, (to,), envelope))
    world.work()
    return [mail for mail in world.mailboxes.get(FRANCE, [])[before:] if mail["In-Reply-To"]]


@pytest.mark.parametrize("name", CASES)
def test_to_the_receipt(begun: tuple[World, dict[str, str]], name: str) -> None:
    world, seats = begun
    world.time = world.time.replace(microsecond=0)
    world.send(FRANCE, seats["France"], "CLEAR")
    case = CASES[name]
    head = f"From: {FRANCE}\r\nTo: {seats['France']}\r\nMessage-ID: <{abs(hash(name))}@bad.example>\r\n"
    (answer,) = post(world, seats["France"], head.encode() + case.content)
    said = text_of(answer)
    for words in case.says:
        assert words in said
    assert (case.orders in said) if case.orders else (BURGUNDY not in said and PICARDY not in said)
    assert "Gascony" not in text_of(world.send(FRANCE, seats["France"], "STATUS"))
    assert answer["Bcc"] is None
    assert answer["To"] == FRANCE
    row = world.inbox()[-2]
    unread = row.note.startswith(NOT_READ)
    assert row.state in ((InboxState.IGNORED,) if unread else ANSWERED)
    assert not (unread and case.orders)


IDENTITIES: dict[str, Callable[[str], str]] = {
    "empty": lambda to: f"From: {FRANCE}\r\nTo: {to}\r\nMessage-ID: <>\r\n",
    "none": lambda to: f"From: {FRANCE}\r\nTo: {to}\r\n",
    "a megabyte's worth": lambda to: f"From: {FRANCE}\r\nTo: {to}\r\nMessage-ID: <{'x' * 5000}@bad.example>\r\n",
    "two": lambda to: f"From: {FRANCE}\r\nTo: {to}\r\nMessage-ID: <a@b.c>\r\nMessage-ID: <d@e.f>\r\n",
    "with brackets in it": lambda to: f"From: {FRANCE}\r\nTo: {to}\r\nMessage-ID: <<a>@[b>\r\n",
}


@pytest.mark.parametrize("name", IDENTITIES)
def test_odd_message_ids_are_acted_on_and_answered_once(begun: tuple[World, dict[str, str]], name: str) -> None:
    world, seats = begun
    raw = (IDENTITIES[name](seats["France"]) + f"\r\nA PAR-BUR\r\n{name}\r\n").encode()
    answers = post(world, seats["France"], raw)
    assert len([one for one in answers if BURGUNDY in text_of(one)]) <= 1
    assert not accept(world.service, ArrivedMail("smtp", raw, world.time, (seats["France"],), FRANCE)), "twice"
    assert world.inbox()[-1].state is InboxState.DONE


@pytest.mark.parametrize(
    "sender",
    [
        "a@[1.2.3.4", "<>", "", f"{FRANCE}, thief@evil.example", f"{FRANCE} <thief@evil.example>",
        f'"{FRANCE}" <thief@evil.example>', f"thief@evil.example ({FRANCE})", "(" * 2000, f"<{FRANCE}",
        f"=?utf-8?q?=3C{FRANCE.replace('@', '=40')}=3E?= <thief@evil.example>", f"<{FRANCE}> <thief@evil.example>",
        f'"{FRANCE}"@evil.example', "thief@evil..example", "thief@-evil.example", '"a thief"@evil.example',
        f"{FRANCE}\x00@evil.example", "gä@players.example", f"{FRANCE}\r\nFrom: thief@evil.example",
    ],
)  # fmt: skip
def test_a_sender_who_is_not_plainly_the_holder_does_nothing(begun: tuple[World, dict[str, str]], sender: str) -> None:
    world, seats = begun
    raw = (
        f"From: {sender}\r\nTo: {seats['France']}\r\nMessage-ID: <{abs(hash(sender))}@odd.example>\r\n\r\nA PAR-GAS\r\n"
    )
    answers = post(world, seats["France"], raw.encode(), "x@odd.example")
    assert all("Nothing in it was acted on." in text_of(answer) for answer in answers)
    assert answers or world.inbox()[-1].state in (InboxState.IGNORED, InboxState.QUARANTINED)
    assert "Gascony" not in text_of(world.send(FRANCE, seats["France"], "STATUS"))


ROBOTS = (
    "Auto-Submitted: auto-replied", "Auto-Submitted: AUTO-GENERATED (vacation)", "Precedence: bulk", "Precedence: JUNK",
    "X-Autoreply: yes",
    "Subject: Out of Office: Re: S1901M", "Subject: Automatische Antwort: Re: S1901M", "X-Gm-Loop: gm@example.org",
    "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
)  # fmt: skip


@pytest.mark.parametrize("field", ROBOTS)
def test_an_absence_notice_that_quotes_old_orders_is_nothing(begun: tuple[World, dict[str, str]], field: str) -> None:
    world, seats = begun
    raw = f"From: {FRANCE}\r\nTo: {seats['France']}\r\nMessage-ID: <{abs(hash(field))}@out.example>\r\n{field}\r\n\r\n"
    assert post(world, seats["France"], (raw + "I am away.\r\nA PAR-GAS\r\n").encode()) == []
    assert world.inbox()[-1].state is InboxState.IGNORED


def test_a_stranger_is_answered_ten_times_an_hour(tmp_path: Path) -> None:
    world = World(tmp_path)
    for number in range(15):
        world.arrive("stranger@flood.example", BASE, f"HELP\n{number}")
    world.work()
    assert len(world.mailboxes["stranger@flood.example"]) == 10
    world.pass_time(hours=1, minutes=1)
    world.send("stranger@flood.example", BASE, "HELP")
    world.database.dispose()
