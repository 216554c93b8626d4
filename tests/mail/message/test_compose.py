"""The mail we send: read back by the standard library and by our own reader, and safe against text that others
wrote.
"""

from __future__ import annotations

import email
import email.policy
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.mail.message.compose import Attachment, Outgoing, can_be_written_to, compose, compose_apart, joined
from gm.mail.message.reply import REPLY_ABOVE
from tests.mail.message.messages import read

MAIL = Outgoing(
    sender="gm@gm.example.org",
    sender_name="Judge of spring",
    to="ann@example.org",
    subject="spring: Spring 1901 movement",
    text=f"{REPLY_ABOVE}\n\nA Par-Bur bounced.\n-- \nJudge\n",
    message_id="<report.7@gm.example.org>",
    date=datetime(2026, 2, 2, 8, 0, tzinfo=UTC),
)


def changed(**fields: Any) -> Outgoing:
    return replace(MAIL, **fields)


def parsed(mail: Outgoing) -> EmailMessage:
    raw = compose(mail)
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert b"\r" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert raw.isascii()
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def body(message: EmailMessage, kind: str = "plain") -> str:
    part = message.get_body((kind,))
    assert isinstance(part, EmailMessage)
    return str(part.get_content()).replace("\r\n", "\n")


@settings(max_examples=200)
@given(st.text("a =.é—\t", max_size=400))
def test_lines_in_quoted_printable_have_at_most_76_characters(text: str) -> None:
    raw = compose(replace(MAIL, text=f"é{text}\n"))
    assert max(map(len, raw.partition(b"\r\n\r\n")[2].split(b"\r\n"))) <= 76
    assert body(parsed(replace(MAIL, text=f"é{text}\n"))) == f"é{text}\n"


def test_a_report() -> None:
    message = parsed(
        replace(
            MAIL,
            html="<p>A Par-Bur <b>bounced</b></p>",
            reply_to="gm+spring.abc@gm.example.org",
            references=("<a@gm>", "<b@gm>"),
            in_reply_to="<b@gm>",
            list_id="spring.gm.example.org",
            list_name="Game spring",
            list_unsubscribe="mailto:gm@gm.example.org?subject=leave",
        )
    )
    expected = {
        "From": "Judge of spring <gm@gm.example.org>",
        "To": "ann@example.org",
        "Reply-To": "Judge of spring <gm+spring.abc@gm.example.org>",
        "Subject": "spring: Spring 1901 movement",
        "Date": "Mon, 02 Feb 2026 08:00:00 +0000",
        "Message-ID": "<report.7@gm.example.org>",
        "In-Reply-To": "<b@gm>",
        "References": "<a@gm> <b@gm>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-Gm-Loop": "gm@gm.example.org",
        "List-Id": '"Game spring" <spring.gm.example.org>',
        "List-Unsubscribe": "<mailto:gm@gm.example.org?subject=leave>",
    }
    assert {name: str(message[name]) for name in expected} == expected
    assert message.get_content_type() == "multipart/alternative"
    assert body(message) == MAIL.text
    assert body(message, "html") == "<p>A Par-Bur <b>bounced</b></p>\n"


def test_our_own_reader_recognizes_our_mail() -> None:
    mail = read(compose(MAIL))
    assert mail.automatic == "our own mail bounced"
    assert mail.text == ""
    assert "A Par-Bur bounced." in mail.quoted


TEXTS = {
    "ascii": "A PAR-BUR\n",
    "other scripts": "Zürich – Łódź – Привет – 上海\n",
    "long lines": "word " * 500 + "end\n",
    "one long word": "x" * 3_000 + "\n",
    "long and not ascii": "é" * 3_000 + "\n",
    "spaces at the ends": "A  \n-- \nx\t\n",
    "dots and From": ".\n..\nFrom me\n",
    "blank": "\n",
    "equals": "=41 = ==\n" + "é\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_arrives_as_it_was_written(name: str) -> None:
    message = parsed(replace(MAIL, text=TEXTS[name], html=TEXTS[name]))
    assert body(message) == TEXTS[name]
    assert body(message, "html") == TEXTS[name]


def test_line_ends_and_controls_in_text_are_made_harmless() -> None:
    assert body(parsed(replace(MAIL, text="a\r\nb\rc\x00\x07\ud800d\n\n\n"))) == "a\nb\ncd\n"


EVIL = "x\r\nBcc: evil@example.org\n\nbody\u2028y\x00\x0bz"


@pytest.mark.parametrize("field", ["subject", "sender_name", "list_name"])
def test_nothing_injects_a_header(field: str) -> None:
    message = parsed(changed(list_id="spring.gm.example.org", **{field: EVIL}))
    assert message["Bcc"] is None
    assert body(message) == MAIL.text


@pytest.mark.parametrize("field", ["sender", "to", "reply_to", "message_id", "list_id", "list_unsubscribe"])
@pytest.mark.parametrize("value", [EVIL, "a@b\r\nBcc: x@y", "", "<a b@c>", "a@b, c@d"])
def test_what_must_be_an_address_or_identifier_is_refused_otherwise(field: str, value: str) -> None:
    if value == "" and field in ("reply_to", "list_id", "list_unsubscribe"):
        assert parsed(changed(**{field: value}))[field.replace("_", "-")] is None
        return
    with pytest.raises(ValueError, match="is no"):
        compose(changed(**{field: value}))


def test_references_of_others_are_dropped_when_they_are_none() -> None:
    message = parsed(replace(MAIL, in_reply_to="<a b>\r\nBcc: x@y", references=("rubbish", "<ok@x>", EVIL)))
    assert message["In-Reply-To"] is None
    assert message["References"] == "<ok@x>"
    assert message["Bcc"] is None


def test_long_threads_keep_their_beginning_and_their_end() -> None:
    thread = tuple(f"<{number}.{'x' * 90}@example.org>" for number in range(50))
    message = parsed(replace(MAIL, references=thread, in_reply_to=thread[-1]))
    assert str(message["References"]).split() == [thread[0], *thread[-19:]]
    assert message["In-Reply-To"] == thread[-1]
    assert b"=?" not in compose(replace(MAIL, references=thread, message_id=thread[3]))


def test_the_date_must_be_aware() -> None:
    with pytest.raises(ValueError, match="aware"):
        compose(replace(MAIL, date=datetime(2026, 1, 1)))  # noqa: DTZ001


def test_attachments_and_pictures() -> None:
    files = (
        Attachment("map.png", "image/png", b"\x89PNG", content_id="<map@gm>"),
        Attachment("dead\r\nline/é.ics", "text/calendar", b"BEGIN", (("method", "PUBLISH"),)),
    )
    message = parsed(replace(MAIL, html='<img src="cid:map@gm">', attachments=files))
    parts = {part.get_content_type(): part for part in message.walk()}
    assert list(parts) == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "text/calendar",
    ]
    assert parts["image/png"]["Content-ID"] == "<map@gm>"
    assert parts["image/png"].get_content_disposition() == "inline"
    assert parts["image/png"].get_payload(decode=True) == b"\x89PNG"
    assert parts["text/calendar"].get_filename() == "dead line_é.ics"
    assert parts["text/calendar"].get_param("method") == "PUBLISH"
    with pytest.raises(ValueError, match="content type"):
        compose(replace(MAIL, attachments=(Attachment("x", "text/x\r\nBcc: x", b""),)))


@pytest.mark.parametrize(
    "name", ["map.png", 'say "x".txt', "back\\slash.txt", "a; b=c.txt", "ü; é.txt", "long-" * 30 + ".txt"]
)
def test_a_file_keeps_its_name_and_its_identifier(name: str) -> None:
    identifier = f"<{'x' * 80}@gm.example>"
    file = Attachment(name, "text/plain", b"x", (("charset", "utf-8"),), identifier)
    (part,) = (one for one in parsed(replace(MAIL, html="x", attachments=(file,))).walk() if one.get_filename())
    assert (part.get_filename(), part["Content-ID"]) == (name, identifier)
    assert part.get_content_charset() == "utf-8"


@settings(deadline=None, max_examples=100)
@given(st.text(), st.text(), st.text())
def test_any_words_make_a_mail(subject: str, name: str, text: str) -> None:
    message = parsed(replace(MAIL, subject=subject, sender_name=name, text=text, html=text))
    assert set(message.keys()) == set(parsed(replace(MAIL, html="x")).keys())
    assert str(message["From"].addresses[0].addr_spec) == MAIL.sender


@pytest.mark.parametrize(
    ("address", "can"),
    [("ann@example.org", True), ("ann@gäste.example", True), ("gä@example.org", True), ("", False), ("a@b@c", False),
     ("a b@c.example", False), ("a@" + "x" * 70 + ".é", False), ("a\x00@b.example", False)],
)  # fmt: skip
def test_who_can_be_written_to(address: str, can: bool) -> None:
    assert can_be_written_to(address) is can


def test_a_local_part_outside_ascii_is_written_as_it_is() -> None:
    """RFC 6532: such a mail goes to servers with SMTPUTF8 only, whose headers are UTF-8."""
    raw = compose(replace(MAIL, to="zoë@bücher.example"))
    assert "\r\nTo: zoë@xn--bcher-kva.example\r\n" in raw.decode()
    assert compose(replace(MAIL, to="zoe@bücher.example")).isascii()


def test_an_international_domain_is_written_in_ascii() -> None:
    assert b"To: ann@xn--gste-loa.example\r\n" in compose(replace(MAIL, to="ann@gäste.example"))


@pytest.mark.parametrize(
    "subject",
    [
        "[demo] W1903A results: reply with your S1904M orders by Mon 23 Nov 06:41 UTC",
        "[demo] Ergebnisse für Frühling 1903: schicke deine Befehle für F1903M bis Montag, 23. November",
        "short",
    ],
)
def test_a_subject_begins_on_its_own_line_and_reads_the_same(subject: str) -> None:
    assert b"Subject: " + subject.split()[0].encode() in compose(changed(subject=subject))
    assert parsed(changed(subject=subject))["Subject"] == subject


def test_large_files_stand_apart_until_the_mail_is_sent() -> None:
    small, large = Attachment("a.txt", "text/plain", b"small"), Attachment("m.png", "image/png", b"large" * 1000)
    mail = replace(MAIL, attachments=(small, large, replace(large, content=b"other" * 1000)))
    composed = compose_apart(mail)
    assert composed.files == (b"large" * 1000, b"other" * 1000)
    assert len(composed.raw) < 4000
    assert joined(composed.raw, mail.message_id, composed.files) == compose(mail)
    assert b64encode(b"other" * 1000)[:60] in compose(mail)
