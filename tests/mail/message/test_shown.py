"""What a mail shows to others: tokens anywhere in its bytes, however they are encoded, and nothing of its envelope."""

from __future__ import annotations

import binascii
import re
from base64 import b64encode, encodebytes
from email.message import EmailMessage
from urllib.parse import quote

import pytest

from gm.mail.message.incoming import read_message
from gm.mail.message.packed import pack
from gm.mail.message.shown import Shown

TOKEN = "ab2defghijklmnopqrst"
ADDRESS = f"gm+spring.{TOKEN}@example.org"
LINK = f"<a href='mailto:{quote(ADDRESS)}?body=YES'>YES</a>"
PAGE = "https://example.org/order.html#" + pack(b'{"m":"mailto:%s"}' % ADDRESS.encode())
HEAD = "From: ann@players.example\nTo: gm@example.org\nCc: eve@evil.example\n"


def plain(text: str, encoding: str = "7bit") -> bytes:
    head = f"{HEAD}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n"
    return (head + text).encode()


def mixed(*parts: str) -> bytes:
    return (f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n" + "".join(f"--b\n{one}\n" for one in parts)).encode()


def shown_in(raw: bytes) -> Shown:
    return read_message(raw, envelope_from=None, recipients=()).shown


def attached() -> bytes:
    inner, outer = EmailMessage(), EmailMessage()
    inner["Reply-To"] = ADDRESS
    inner.set_content("Did you write this?")
    outer["Cc"] = "eve@evil.example"
    outer.set_content("see")
    outer.add_attachment(inner.as_bytes(), maintype="application", subtype="octet-stream", filename="mail.eml")
    return outer.as_bytes()


SHOWING = {
    "text": plain(f"see {ADDRESS}"),
    "the token alone": plain(f"it is {TOKEN}."),
    "broken over quoted lines": plain(f"> {ADDRESS[:20]}\n> {ADDRESS[20:]}"),
    "beyond the quoted lines that are read": plain("> x\n" * 3_000 + f"> {ADDRESS}"),
    "quoted-printable": plain(f"<a href=3D{TOKEN[:9]}=\n{TOKEN[9:]}>", "quoted-printable"),
    "packed in a link": plain(PAGE),
    "packed in a link that is broken": plain("\n> ".join(re.findall(".{1,30}", f"see {PAGE}"))),
    "base64": plain(encodebytes(f"Guten Tag, ich schreibe an {ADDRESS}.\n".encode()).decode(), "base64"),
    "base64 in UTF-16": plain(encodebytes(f"to {ADDRESS}".encode("utf-16")).decode(), "base64"),
    "the target of a link": mixed(f"Content-Type: text/html\n\n{LINK}"),
    "entities": mixed("Content-Type: text/html\n\n" + "".join(f"&#{ord(one)};" for one in ADDRESS)),
    "an element within": mixed(
        f"Content-Type: text/html\n\n{TOKEN[:9]}<wbr>{TOKEN[9:15]}<!-- x --><b>{TOKEN[15:]}</b>"
    ),
    "base64 with blanks": plain(
        encodebytes(f"Guten Tag, ich schreibe an {ADDRESS}.\n".encode() * 3).decode().replace("\n", " \n"), "base64"
    ),
    "another character set": mixed(
        "Content-Type: text/plain; charset=utf-7\n\n"
        + "".join(f"+{b64encode(one.encode('utf-16-be')).decode().rstrip('=')}-" for one in ADDRESS)
    ),
    "a comment in HTML": mixed(f"Content-Type: text/html\n\n<!-- {ADDRESS} -->"),
    "a mail that is attached": mixed(f"Content-Type: message/rfc822\n\nReply-To: {ADDRESS}\n\nx"),
    "the same as a file": attached(),
    "base64 within base64": plain(encodebytes(encodebytes(ADDRESS.encode() * 9)).decode(), "base64"),
    "above all parts": f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n{ADDRESS}\n--b\n\nx\n".encode(),
    "in too many parts": mixed(*["\nx"] * 300, f"\n{ADDRESS}"),
    "in a mail that is too large": plain("x" * 1_100_000 + f"\n{ADDRESS}"),
    "a field": f"X-Topic: {ADDRESS}\n{HEAD}\nx".encode(),
    "encoded words": f"Subject: =?utf-8?q?to_{TOKEN[:9]}?=\n =?utf-8?q?{TOKEN[9:]}_x?=\n{HEAD}\nx".encode(),
    "an encoded word in base64": f"Subject: =?utf-8?B?{b64encode(ADDRESS.encode()).decode()}?=\n{HEAD}\nx".encode(),
    "words in base64": "Subject: {}\n {}\n{}\nx".format(
        *(f"=?utf-8?B?{b64encode(part.encode()).decode()}?=" for part in (f"to {TOKEN[:7]}", TOKEN[7:])), HEAD
    ).encode(),
    "To, above what was added on the way": f"To: {ADDRESS}\nReceived: by x\n{HEAD}\nx".encode(),
    "a digest": plain(f"mailto:gm%2Bdigest.12.739000.{TOKEN}%40example.org"),
}


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
@pytest.mark.parametrize("how", SHOWING)
def test_a_token_is_shown_wherever_it_is(how: str, ends: bytes) -> None:
    found = shown_in(SHOWING[how].replace(b"\n", ends))
    assert ("digest.12.739000" if how == "a digest" else "", TOKEN) in found.tokens
    assert "eve@evil.example" in found.audience


@pytest.mark.parametrize(
    "field", [f"Delivered-To: {ADDRESS}", f"Received: by mx for\n <{ADDRESS}>", f"X-Any-Other: {ADDRESS}"]
)
def test_what_was_added_on_the_way_is_seen_by_us_alone(field: str) -> None:
    assert not shown_in(f"{field}\nReceived: by x for <{ADDRESS}>\n{HEAD}\nA PAR-BUR".encode()).secrets


@pytest.mark.parametrize("word", ["a!!!", "ab=cdefgh", "=", "a", "\xff\xfe", "=====", f"{TOKEN[:7]}="])
def test_no_encoded_word_is_too_odd(word: str) -> None:
    raw = f"Subject: =?utf-8?B?{word}?= {ADDRESS}\n{HEAD}\nx".encode("latin-1")
    assert ("", TOKEN) in shown_in(raw).tokens


def test_a_message_id_of_ours_is_a_way_to_a_seat() -> None:
    name = binascii.hexlify(b"0123456789abcdef").decode()
    raw = f"References: <a@b.example>\n <{name}@example.org>\n{HEAD}\n> Message-ID: <{name[::-1]}@example.org>".encode()
    assert shown_in(raw).message_ids == (f"<{name}@example.org>", f"<{name[::-1]}@example.org>")
