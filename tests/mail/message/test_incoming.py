"""Bytes to messages: limits, charsets, headers, and the messages about mail without readable text."""

from __future__ import annotations

import base64
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.mail.message.incoming import Limits, read_head, read_message
from gm.mail.message.mime import Headers
from tests.mail.message.messages import HTML, PLAIN, message, multipart, read
from tests.reading.attacks import is_linear
from tests.tables import rows

ORDER = "A PIC-BEL"


def test_the_fields_of_a_message() -> None:
    raw = (
        b'From: =?utf-8?q?Ann_=C3=84xample?= <Ann@Example.ORG>\r\nTo: "Judge, the" <gm@gm.example.org>\r\n'
        b"Cc: gm+spring.abc@gm.example.org,\r\n other@example.org\r\nDelivered-To: box@gm.example.org\r\n"
        b"Subject: =?utf-8?q?Re=3A_Z=C3=BCge?=\r\n =?utf-8?q?_f=C3=BCr_1901?=\r\nMessage-ID: <Abc@example.org>\r\n"
        b"In-Reply-To: <report@gm> \r\nReferences: <one@gm>\r\n\t<report@gm>\r\n"
        b"Authentication-Results: mx.example.org; dkim=pass\r\nAuthentication-Results: evil; dkim=pass\r\n"
        b"\r\nA PIC-BEL\r\n"
    )
    mail = read_message(raw, envelope_from=None, recipients=())
    assert (mail.sender, mail.sender_name) == ("ann@example.org", "Ann Äxample")
    assert mail.recipients == (
        "gm@gm.example.org",
        "gm+spring.abc@gm.example.org",
        "other@example.org",
        "box@gm.example.org",
    )
    assert mail.subject == "Re: Züge für 1901"
    assert mail.message_id == "<Abc@example.org>"
    assert mail.in_reply_to == "<report@gm>"
    assert mail.references == ("<one@gm>", "<report@gm>")
    assert mail.authentication_results == ("mx.example.org; dkim=pass", "evil; dkim=pass")
    assert (mail.text, mail.faults, mail.automatic) == (ORDER, (), None)


def test_the_envelope_names_the_recipients() -> None:
    mail = read_message(message(ORDER), envelope_from="a@b", recipients=["<GM+Spring.x@gm.example.org>"])
    assert mail.recipients == ("gm+spring.x@gm.example.org",)


SENDERS: dict[str, tuple[str, str | None]] = {
    name: (written, sender or None)
    for name, written, sender in rows("""
        bare | ann@example.org | ann@example.org
        name | Ann <ann@example.org> | ann@example.org
        comment | ann@example.org (Ann <bob@example.org>) | ann@example.org
        an address for a name | "bob@example.org" <ann@example.org> | ann@example.org
        an unquoted address for a name | bob@example.org <ann@example.org> | ann@example.org
        comma in a quoted name | "Example, Ann" <ann@example.org> | ann@example.org
        encoded comma | =?utf-8?q?Example=2C_Ann_=3Cbob=40example=2Eorg=3E?= <ann@example.org> | ann@example.org
        two | ann@example.org, bob@example.org |
        two angles | <ann@example.org> <bob@example.org> |
        angle and bare | bob@example.org, Ann <ann@example.org> |
        open quote | "Ann <ann@example.org> |
        literal | a@[1.2.3.4 |
        group | Players: ann@example.org; |
        comments in a comment | ann@example.org (x (y) <bob@example.org>) | ann@example.org
        an open comment | ann@example.org (x <bob@example.org> |
        an open comment in the name | Ann (x <bob@example.org> |
        a zero-width space | a\u200bnn@example.org |
        a soft hyphen in the domain | Ann <ann@exa\u00admple.org> |
        a mark of direction | Ann <\u200eann@example.org> |
        a zero-width joiner | Ann <a\u200dnn@example.org> | a\u200dnn@example.org
        a control character in quotes | "a\x01nn"@example.org |
        a blank in quotes | " ann"@example.org |
        a full-width letter | ann@\uff45xample.org |
        the sign for kelvin | \u212aate@example.org |
        a comma in the name | Example, Ann <ann@example.org> | ann@example.org
        a name behind | Ann <ann@example.org>, Example | ann@example.org
        a dot before the at sign, quoted | Ann <"ann."@example.org> | "ann."@example.org
        a dot before the at sign | ann.@example.org | "ann."@example.org
        the same twice | <ann@example.org>, <ann@example.org> |
    """)
} | {
    "brackets": ("<" * 2_000, None),
    "empty": ("", None),
    "comments many deep": (f"ann@example.org {'(x ' * 9}<bob@example.org>{')' * 9}", "ann@example.org"),
    "an escaped parenthesis": (r"ann@example.org (\) <bob@example.org>)", "ann@example.org"),
    "commas and semicolons": ("Dr. Example; Ann, M. A. (x) <ann@example.org>, ", "ann@example.org"),
}


@pytest.mark.parametrize("name", SENDERS)
def test_the_sender_is_the_only_address_of_the_only_from_line(name: str) -> None:
    written, sender = SENDERS[name]
    mail = read(message(ORDER, PLAIN, sender=written))
    assert mail.sender == sender
    assert bool(mail.faults) == (sender is None)


def test_two_from_lines_name_nobody() -> None:
    mail = read(message(ORDER, PLAIN, "From: bob@example.org"))
    assert mail.sender is None
    assert "several From lines" in mail.faults[0]


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("a\x00b\rBcc: x@y", "a b Bcc: x@y"),
        ("=?utf-8?b?YQ0KQmNjOiB4?=", "a Bcc: x"),
        ("=?utf-8?q?=E2=80=AEevil?=", "evil"),
        ("=?x-none?q?caf=E9?=", "café"),
        ("=?utf-8?b?!!!?= x", None),
        ("=?a?q?" * 3_000, None),
        ("x" * 5_000, "x" * 500),
    ],
)
def test_subjects_are_one_clean_line(subject: str, expected: str | None) -> None:
    found = read(message(ORDER, PLAIN, f"Subject: {subject}")).subject
    assert found.isprintable()
    assert expected is None or found == expected


def test_a_missing_message_id_is_made_and_the_same_for_the_same_mail() -> None:
    raw = message(ORDER, PLAIN, "Date: Mon, 2 Feb 2026 10:00:00 +0000").replace(b"Message-ID: <1@example.org>\n", b"")
    later = raw.replace(b"10:00:00", b"11:00:00")
    assert read(raw).message_id == read(raw.replace(b"\n", b"\r\n")).message_id != read(later).message_id
    assert read(raw).message_id == read_head(raw).identity().message_id
    assert read(raw.replace(b"Date:", b"Message-ID: <>\nDate:")).message_id.endswith("@made.invalid>")


def test_the_hash_is_of_the_body_whatever_the_line_ends() -> None:
    one = message("A PIC-BEL\n")
    assert read_head(one).body_hash == read_head(one.replace(b"\n", b"\r\n") + b"\r\n").body_hash
    assert read_head(one).body_hash == read_head(message("A PIC-BEL\n", PLAIN, "Received: later")).body_hash
    assert read_head(one).body_hash != read_head(message("A PIC-BUR\n")).body_hash


CHARSETS = {
    # name: declared, bytes, text
    "utf-8": ("utf-8", "A MÜN – BUR".encode(), "A MÜN – BUR"),
    "latin-1 that is windows": ("iso-8859-1", "A MÜN – BUR".encode("cp1252"), "A MÜN – BUR"),
    "utf-8 that is windows": ("utf-8", "A MÜN H".encode("cp1252"), "A MÜN H"),
    "ascii that is utf-8": ("us-ascii", "A MÜN H".encode(), "A MÜN H"),
    "unknown": ("x-klingon", "A MÜN H".encode(), "A MÜN H"),
    "unknown and windows": ("unknown-8bit", "A MÜN H".encode("cp1252"), "A MÜN H"),
    "no charset": ('"', "A MÜN H".encode(), "A MÜN H"),
    "a codec that is none of mail": ("rot13", b"A MUN H", "A MUN H"),
    "a slow codec": ("punycode", b"A MUN H-xyz", "A MUN H-xyz"),
    "utf-16": ("utf-16", "A MÜN H".encode("utf-16"), "A MÜN H"),
    "utf-16 that is ascii": ("utf-16", b"A MUN-BER\nF BRE-MAO\n", "A MUN-BER\nF BRE-MAO"),
    "utf-32 that is ascii": ("utf-32le", b"A MUN-BER  \n", "A MUN-BER"),
    "ebcdic": ("cp500", "A MUN H".encode("cp500"), "A MUN H"),
    "ebcdic that is ascii": ("cp037", b"A MUN H", "A MUN H"),
    "koi8": ("koi8-r", "А ПАР".encode("koi8-r"), "А ПАР"),
    "gb": ("gb2312", "上海 €".encode("gb18030"), "上海 €"),
    "latin-2": ("iso-8859-2", "Łódź".encode("iso-8859-2"), "Łódź"),
    "shift-jis with windows signs": ("shift_jis", "①".encode("cp932"), "①"),
}


@pytest.mark.parametrize("name", CHARSETS)
def test_charsets(name: str) -> None:
    declared, written, text = CHARSETS[name]
    mail = read(message(written, f"text/plain; charset={declared}"))
    assert mail.text == text
    assert mail.faults == ()


def test_a_line_that_cannot_be_decoded_is_refused_by_name_and_the_others_count() -> None:
    mail = read(message("A PIC-BEL é\n".encode() + b"A M\xfcN H\nF BRE-MAO\n"))
    assert mail.text == "A PIC-BEL é\nF BRE-MAO"
    assert "A M\ufffdN H" in mail.faults[0]


def test_many_such_lines_are_counted() -> None:
    faults = read(message("é\n".encode() + b"A M\xfcN H\n" * 15)).faults
    assert len(faults) == 11
    assert "5 more lines" in faults[-1]


def test_encrypted_press_is_press() -> None:
    text = "PRESS TO ITALY\n-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\nENDPRESS"
    mail = read(message(text))
    assert (mail.text, mail.faults) == (text, ())


ENCODINGS = {
    "base64": base64.encodebytes(b"A PIC-BEL\n").decode(),
    "base64 with rubbish": "QSBQ\n!! SUMt\nQkVM",
    "base64 cut off": base64.b64encode(b"A PIC-BEL!!").decode()[:-3],
    "quoted-printable": "A PIC=2DB=\nEL",
    "8bit": "A PIC-BEL",
    "unheard-of": "A PIC-BEL",
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_transfer_encodings(name: str) -> None:
    mail = read(message(ENCODINGS[name], PLAIN, f"Content-Transfer-Encoding: {name.split()[0]}"))
    assert mail.text.rstrip("!") == ORDER


PLAIN_PART = "Content-Type: text/plain"
ATTACHED = 'Content-Type: application/pdf\nContent-Disposition: attachment; filename="orders.pdf"'
UNREAD = {
    # name: content type and body, words the fault must hold
    "attachment only": (multipart("mixed", (ATTACHED, "x")), "orders.pdf"),
    "text attached": (multipart("mixed", ("Content-Disposition: attachment; filename=o.txt", ORDER)), "o.txt"),
    "winmail": (multipart("mixed", ("Content-Type: application/ms-tnef; name=winmail.dat", "x")), "winmail.dat"),
    "smime": (("application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", "x"), "encrypted (S/MIME)"),
    "smime opaque": (("application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "x"), "smime.p7m"),
    "pgp": (
        multipart("encrypted", ("Content-Type: application/pgp-encrypted", "Version: 1"), (ATTACHED, "x")),
        "encrypted (PGP)",
    ),
    "pgp inline": ((PLAIN, "-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----"), "encrypted (PGP)"),
    "fragment": (("message/partial; id=x; number=1", ORDER), "fragments"),
    "forwarded as attachment": (
        multipart("mixed", ("Content-Type: message/rfc822", f"From: b\n\n{ORDER}")),
        "message/rfc822",
    ),
    "picture": (("image/png", "x"), "image/png"),
}


@pytest.mark.parametrize("name", UNREAD)
def test_what_holds_no_text_is_named_with_what_to_send_instead(name: str) -> None:
    (content_type, body), named = UNREAD[name]
    mail = read(message(body, content_type))
    assert mail.text == ""
    assert len(mail.faults) == 1
    assert named in mail.faults[0]
    assert "plain text mail" in mail.faults[0]


def test_attachments_beside_text_are_named_and_no_fault() -> None:
    photo = 'Content-Type: image/jpeg\nContent-Disposition: attachment; filename="me.jpg"'
    content_type, body = multipart("mixed", ("Content-Type: text/plain", ORDER), (photo, "x"))
    mail = read(message(body, content_type))
    assert (mail.text, mail.faults, mail.attachments) == (ORDER, (), ("me.jpg (image/jpeg)",))


_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize("own", ["", " \n\n", "-- \nAnn"])
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("application/pdf", "orders.pdf"),
        (_WORD, "orders.docx"),
        ("application/msword", "o.doc"),
        ("image/png", "o.png"),
    ],
)
def test_a_reply_whose_orders_are_in_a_file_is_told_so(kind: str, name: str, own: str) -> None:
    """Its body holds a signature or nothing at all, above the quotation."""
    quoted = f"{own}\n\nOn Fri, Nov 20, 2026 Judge wrote:\n> A PIC-BEL\n"
    attached = f"Content-Type: {kind}\nContent-Disposition: attachment; filename={name}"
    content_type, body = multipart("mixed", (PLAIN_PART, quoted), (attached, "x"))
    mail = read(message(body, content_type))
    assert mail.text.strip() == ""
    assert f"only: {name} ({kind[:40]}" in " ".join(mail.faults)
    assert "Attachments are not read" in " ".join(mail.faults)


def test_a_picture_of_the_mail_that_is_quoted_is_not_the_sender_s() -> None:
    quoted = "\n\nOn Fri, Nov 20, 2026 Judge wrote:\n> A PIC-BEL\n"
    content_type, body = multipart("related", (PLAIN_PART, quoted), ("Content-Type: image/png; name=map.png", "x"))
    mail = read(message(body, content_type))
    assert (mail.text.strip(), mail.faults) == ("", ())


_REPLY = "Content-Type: text/calendar; method=REPLY"
_INVITED = "BEGIN:VEVENT\nDESCRIPTION:To join:\\n A MAR\\-S\n PA\\, now\nEND:VEVENT"
CALENDARS = {
    "own words beside it": ("mixed", ("Content-Type: text/plain", f"{ORDER}\n"), (_REPLY, _INVITED)),
    "below it": ("mixed", (_REPLY, _INVITED), ("Content-Type: text/plain", f"{ORDER}\n")),
    "its words above": ("mixed", ("Content-Type: text/plain", f"A MAR-SPA\n{ORDER}\n"), (_REPLY, _INVITED)),
    "its words only": ("mixed", ("Content-Type: text/plain", "A MAR-SPA, now\n"), (_REPLY, _INVITED)),
    "an alternative": ("alternative", ("Content-Type: text/plain", f"{ORDER}\n"), (_REPLY, _INVITED)),
    "an invitation": ("mixed", ("Content-Type: text/plain", "A MAR-SPA\n"), ("Content-Type: text/calendar", _INVITED)),
}


@pytest.mark.parametrize(
    ("name", "text", "quoted"),
    [
        ("own words beside it", ORDER, ()),
        ("below it", ORDER, ()),
        ("its words above", ORDER, ("A MAR-SPA",)),
        ("its words only", "", ("A MAR-SPA, now",)),
        ("an alternative", "", ()),
        ("an invitation", "A MAR-SPA", ()),
    ],
)
def test_a_calendars_answer_is_a_robots_only_without_words_of_the_senders(
    name: str, text: str, quoted: tuple[str, ...]
) -> None:
    content_type, body = multipart(*CALENDARS[name])
    mail = read(message(body, content_type))
    assert (mail.text, mail.quoted, mail.automatic is None) == (text, quoted, bool(text))


STRUCTURES = {
    "blank text beside html": multipart(
        "alternative", ("Content-Type: text/plain", " \n"), ("Content-Type: text/html", ORDER)
    ),
    "html first": multipart("alternative", ("Content-Type: text/html", "no"), ("Content-Type: text/plain", ORDER)),
    "quote only beside html": multipart(
        "alternative", ("Content-Type: text/plain", "> A"), ("Content-Type: text/html", ORDER)
    ),
    "related": multipart("related", ("Content-Type: text/html", f"<p>{ORDER}"), ("Content-Type: image/png", "x")),
    "part without header": multipart("mixed", ("", ORDER)),
    "calendar beside": multipart(
        "alternative", ("Content-Type: text/plain", ORDER), ("Content-Type: text/calendar", "x")
    ),
    "no boundary": ("multipart/mixed", ORDER),
    "boundary that never comes": ("multipart/mixed; boundary=x", ORDER),
    "last boundary missing": ("multipart/mixed; boundary=x", f"pre\n--x\n\n{ORDER}"),
    "boundary within a longer one": ("multipart/mixed; boundary=x", f"--x\n\n{ORDER}\n--x--\n--xy\n\nno"),
    "nonsense type": ("nonsense", ORDER),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_the_text_is_found(name: str) -> None:
    content_type, body = STRUCTURES[name]
    mail = read(message(body, content_type))
    assert (mail.text, mail.faults) == (ORDER, ())


def test_texts_around_a_part_are_all_read() -> None:
    content_type, body = multipart("mixed", ("", ORDER), ("Content-Type: image/png", "x"), ("", "F BRE-MAO"))
    assert read(message(body, content_type)).text == f"{ORDER}\n\nF BRE-MAO", "of two blocks"


def nested(depth: int) -> tuple[str, str]:
    """A text within this many multiparts."""
    inner: tuple[str, str] = (PLAIN, ORDER)
    for level in range(depth):
        boundary = f"b{level}"
        inner = (
            f"multipart/mixed; boundary={boundary}",
            f"--{boundary}\nContent-Type: {inner[0]}\n\n{inner[1]}\n--{boundary}--",
        )
    return inner


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        (message("x" * 1_000_001), "1,000,000"),
        (message("x", PLAIN, "X: " + "x" * 200_000), "header"),
        (message(nested(51)[1], nested(51)[0]), "50 deep"),
        (message(nested(1_000)[1], nested(1_000)[0]), "50 deep"),
        (message("--b\n\nx\n" * 201, "multipart/mixed; boundary=b"), "200 parts"),
        (message("--b\n\nx\n" * 100_000, "multipart/mixed; boundary=b"), "200 parts"),
        (message("\n" * 20_001), "20,000 lines"),
        (message("A PIC-BEL\n" * 1_001), "1,000 lines of your own"),
        (message("<br>" * 20_001, HTML), "20,000 tags"),
        (message("&amp;" * 100_001, HTML), "character references"),
    ],
)
def test_beyond_the_limits_nothing_is_read_and_it_is_said(raw: bytes, named: str) -> None:
    mail = read(raw)
    assert mail.text == ""
    assert named in mail.faults[0]
    assert mail.sender == "ann@example.org"


def test_within_the_limits_all_is_read() -> None:
    content_type, body = nested(50)
    assert read(message(body, content_type)).text == ORDER
    parts = multipart("mixed", *[("", "x")] * 199)
    assert read(message(parts[1], parts[0])).text.count("x") == 199
    assert read(message("x" * 900), limits=Limits(size=1_100)).text == "x" * 900


def test_quoted_lines_are_kept_within_reason() -> None:
    mail = read(message("A PIC-BEL\n" + "> A PIC-PAR\n" * 15_000))
    assert mail.text == ORDER
    assert len(mail.quoted) == 2_000


def test_an_unexpected_error_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("gm.mail.message.incoming.reading_of", fails)
    mail = read(message(ORDER))
    assert "RecursionError" in mail.faults[0]
    assert mail.sender == "ann@example.org"


CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.eml"))
BROKEN = st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(CORPUS), st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.2), BROKEN), max_size=5))
def test_no_bytes_at_all_raise(path: Path, wounds: list[tuple[float, float, bytes]]) -> None:
    raw = path.read_bytes()
    for place, length, bytes_instead in wounds:
        at = int(place * len(raw))
        raw = raw[:at] + bytes_instead + raw[at + int(length * len(raw)) :]
    mail = read(raw, envelope_from=None)
    assert not any("could not be read (" in fault for fault in mail.faults)
    assert "\ufffd" not in mail.text
    assert not set(mail.text) & set("\r\0\u2028\u202e")
    assert mail.message_id.startswith("<")


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=500))
def test_any_bytes_make_a_message(raw: bytes) -> None:
    assert not any("could not be read (" in fault for fault in read(raw, envelope_from=None).faults)


@pytest.mark.parametrize("sign", [";", '\\";'])
def test_parameters_cost_what_their_length_costs(sign: str) -> None:
    def read(value: str) -> object:
        return Headers.parse(f"Content-Type: {value}\n".encode()).parameters("content-type")

    numbers = count()  # what was read once is remembered

    def read_many(value: str) -> None:
        for _ in range(4):
            read(f"{next(numbers)}{value}")

    assert is_linear(read_many, lambda length: 'text/plain; name="' + sign * length)
    assert read('text/plain; name="a;b\\";c"; x=y') == ("text/plain", {"name": 'a;b";c', "x": "y"})
