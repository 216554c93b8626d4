"""Which parts of a mail are its text: those with a name that are shown in their place; and what is said of others."""

from __future__ import annotations

import base64

import pytest

from gm.mail.message.charset import decode_text
from gm.mail.message.incoming import Message
from gm.mail.message.text import clean_text
from tests.mail.message.messages import message, multipart, read

ORDER = "A PIC-BEL"


NAMED = {
    "a disposition": "Content-Disposition: inline; filename=orders.txt",
    "a name": "Content-Type: text/plain; name=orders.txt",
    "both": 'Content-Type: text/plain; name="ATT00001.txt"\nContent-Disposition: inline; filename="ATT00001.txt"',
}


@pytest.mark.parametrize("name", NAMED)
def test_a_text_with_a_name_that_is_shown_in_its_place_is_asked_about(name: str) -> None:
    picture = ("Content-Type: image/png; name=map.png\nContent-Disposition: inline; filename=map.png", "x")
    mail = read(message(*reversed(multipart("mixed", ("", ORDER), picture, (NAMED[name], "A PAR-BUR")))))
    assert mail.text.split("\n") == [ORDER], "a friend may have written it"
    assert (mail.quoted, mail.doubtful, mail.faults) == (("A PAR-BUR",), ("A PAR-BUR",), ())
    alone = read(message(*reversed(multipart("mixed", (NAMED[name], ORDER)))))
    assert (alone.text, alone.faults) == (ORDER, ())


@pytest.mark.parametrize("kind", ["plain", "html"])
@pytest.mark.parametrize("shown", ["attachment", "inline"])
def test_the_disposition_of_the_whole_mail_decides_nothing(kind: str, shown: str) -> None:
    """No provider signs it, so whoever sends a mail on can add or remove it."""
    mail = read(message(ORDER, f"text/{kind}", f"Content-Disposition: {shown}; filename=orders.txt"))
    assert (mail.text, mail.faults) == (ORDER, ())


@pytest.mark.parametrize(
    "header",
    [
        "Content-Disposition: attachment; filename=orders.txt",
        "Content-Type: text/html\nContent-Disposition: inline; filename=orders.html",
        "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=orders.TXT",
        "Content-Type: application/rtf; name=orders.rtf",
        "Content-Type: application/pdf; name=orders.pdf",
    ],
)
def test_a_document_beside_text_is_told_not_to_be_read(header: str) -> None:
    mail = read(message(*reversed(multipart("mixed", ("", ORDER), (header, "A PAR-BUR")))))
    assert mail.text == ORDER
    assert "Not read, since it is attached: orders." in " ".join(mail.faults)


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("\uf0b7 A Par-Bur", "\u00b7 A Par-Bur"),
        ("\uf0a7 A BRE\uf0e0MAO", "\u00a7 A BRE\u00e0MAO"),
        ("a\u180eb\ufff9c\U000e0041d\ufffee\uffff f\U0001ffff", "abcde f"),
        ("a\u00adb\u034fc\u115fd\u3164e\u2065f", "abcdef"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", None),
        ("\U0001f468\u200d\U0001f469 \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", None),
    ],
    ids=[
        "a bullet of Symbol",
        "an arrow of Wingdings",
        "noncharacters and tags",
        "fillers",
        "the flag of England",
        "joiners",
    ],
)
def test_characters_that_are_not_seen_are_left_out_and_others_are_as_seen(written: str, seen: str | None) -> None:
    assert clean_text(written) == (seen or written)


def test_so_is_a_mail_that_is_attached() -> None:
    header = "Content-Type: message/rfc822\nContent-Disposition: attachment; filename=orders.eml"
    mail = read(message(*reversed(multipart("mixed", ("", ORDER), (header, "Subject: x\n\nA PAR-BUR")))))
    assert mail.text == ORDER
    assert "Not read, since it is attached: orders.eml (message/rfc822)." in " ".join(mail.faults)


@pytest.mark.parametrize(("text", "in_which"), [("A PIC-BEL", "HTML"), ("See below", "plain text")])
def test_what_only_the_other_part_says_is_kept_apart(text: str, in_which: str) -> None:
    page = ("Content-Type: text/html", "<p>A PAR-BUR</p><p>F BRE-MAO</p>")
    if in_which == "HTML":
        text += "\nF BRE-MAO\nx\ny\nz\nA MAR-SPA"
    mail = read(message(*reversed(multipart("alternative", ("", text), page))))
    assert mail.apart_in == in_which
    assert mail.apart == (("A PAR-BUR",) if in_which == "HTML" else ("See below",))
    assert not set(mail.apart) & set(mail.quoted)


ORDERS = "A Mar-Pie\nA Par-Bur\nF Bre-Mao\n"
MARK = "\ufeff"


@pytest.mark.parametrize("declared", ["utf-8", "utf-16", "us-ascii", "iso-8859-1", "unknown"])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-8"])
def test_a_byte_order_mark_says_how_a_text_is_decoded(declared: str, codec: str) -> None:
    assert decode_text((MARK + ORDERS).encode(codec), declared).removeprefix(MARK) == ORDERS


@pytest.mark.parametrize("text", [ORDERS, "\u041f\u0430\u0440\u0438\u0436 - \u041c\u044e\u043d\n", "\u5df4\u9ece"])
def test_utf_16_without_a_mark_is_big_endian(text: str) -> None:
    assert decode_text(text.encode("utf-16-be"), "utf-16") == text


def test_unless_only_the_other_way_makes_sense() -> None:
    assert decode_text(ORDERS.encode("utf-16-le"), "utf-16") == ORDERS


@pytest.mark.parametrize("said", ["7bit", "8bit", "x-unknown"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_base64_is_decoded_whatever_the_header_says(said: str, codec: str) -> None:
    coded = base64.encodebytes(ORDERS.encode(codec)).decode()
    assert read(message(coded, "text/plain", f"Content-Transfer-Encoding: {said}")).text.split() == ORDERS.split()


@pytest.mark.parametrize("text", ["DISBANDPARIS", "READY", "SUPERCALIFRAGILISTIC", "STATUS\nHELP", "QUJDREVGR0hJSktM"])
def test_words_are_not_taken_for_base64(text: str) -> None:
    assert read(message(text)).text == text


def apple(plain: str, *pages: str) -> Message:
    """A mail of a program that puts a picture between two pages."""
    picture = ("Content-Type: image/png; name=map.png\nContent-Disposition: inline", "x")
    first, *rest = ((("Content-Type: text/html"), page) for page in pages)
    kind, body = multipart("mixed", first, picture, *rest)
    return read(
        message(
            *reversed(multipart("alternative", ("Content-Type: text/plain", plain), (f"Content-Type: {kind}", body)))
        )
    )


def test_all_pages_of_an_alternative_count() -> None:
    struck = apple("A Mar-Pie\nA Par-Pic\nREADY", "<p>A Mar-Pie</p>", "<p><s>A Par-Pic</s></p><p><s>READY</s></p>")
    assert (struck.text, struck.left_out) == ("A Mar-Pie", ("A Par-Pic", "READY"))
    assert apple("READY", "<p>READY</p>", "<p>A Par-Bur</p>").text.split("\n") == ["READY", "A Par-Bur"]
    more = apple("A Mar-Pie\nA Par-Bur", "<p>A Mar-Pie</p><p>A Par-Bur</p>", "<p>F Bre-Mao</p>")
    assert (more.text.count("\n"), more.apart, more.apart_in) == (1, ("F Bre-Mao",), "HTML")


@pytest.mark.parametrize(
    ("above", "below", "outside"),
    [
        ("", "", ()),
        ("This is a multi-part message in MIME format.\n", "", ("This is a multi-part message in MIME format.",)),
        ("A Par-Bur\n", "", ("A Par-Bur",)),
        ("", "A Par-Bur\nF Bre-Mao\n", ("A Par-Bur", "F Bre-Mao")),
        ("A Par-Bur\n\n", "\nF Bre-Mao", ("A Par-Bur", "F Bre-Mao")),
    ],
)
def test_what_is_outside_the_parts_is_kept_apart(above: str, below: str, outside: tuple[str, ...]) -> None:
    kind, body = multipart("mixed", ("Content-Type: text/plain", "A Mar-Pie"))
    mail = read(message(above + body + below, kind))
    assert (mail.text, mail.apart) == ("A Mar-Pie", outside)


@pytest.mark.parametrize(
    ("written", "text", "quoted"),
    [
        ("Hello\n>From January on\nI move", "Hello\nFrom January on\nI move", ()),
        ("Thanks!\n\n>From Kiel to Denmark.\n\nA\n>From Munich\n>Yours, Anna", "Thanks!", None),
        ("Yes\n\n> A PAR-BUR\n>From Paris\n> A MAR-SPA", "Yes", ("A PAR-BUR", "From Paris", "A MAR-SPA")),
    ],
)
@pytest.mark.parametrize("kind", ["plain", "plain; format=flowed"])
def test_what_was_put_before_a_line_on_its_way_makes_no_quote_of_it(
    kind: str, written: str, text: str, quoted: tuple[str, ...] | None
) -> None:
    mail = read(message(written, f"text/{kind}"))
    assert mail.text.strip().partition("\n\n")[0] == text
    assert "From Kiel" not in mail.text
    assert quoted is None or mail.quoted == quoted
