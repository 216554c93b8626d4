"""Values packed into links: found in any text, wherever a line breaks them, and nothing else taken for one."""

from __future__ import annotations

import base64
import json
import random
import string
import zlib
from urllib.parse import quote

import pytest

from gm.mail.message.mime import pack, packed_in, without_packed
from tests.reading.attacks import is_linear

VALUE = '{"m":"mailto:gm+spring.ab2defghijklmnopqrst@example.org","t":"spring"}'
LETTERS = string.ascii_letters + string.digits + "-_"


@pytest.mark.parametrize("width", [5, 24, 30, 61, 64, 76, 998])
@pytest.mark.parametrize("between", ["\n", "\r\n", "\n> ", " \n"])
def test_a_value_is_found_in_lines_of_any_width(width: int, between: str) -> None:
    packed = pack(VALUE.encode())
    first, rest = packed[:24], packed[24:]
    written = between.join([first, *(rest[at : at + width] for at in range(0, len(rest), width))])
    text = f"see #{written}\nSee you tomorrow\n"
    (found,) = packed_in(text)
    assert found.text == VALUE
    assert without_packed(text) == "see #[removed]\nSee you tomorrow\n"


URL = "https://games.example.org/order.html#"
WAYS = (
    lambda link: link,
    lambda link: link.replace("#", "%23"),
    lambda link: f"https://front.example/?url={quote(link, safe='')}&data=05",
    lambda link: f"https://front.example/?url={quote(quote(link, safe=''), safe='')}&data=05",
    lambda link: quote(link, safe="").replace("-", "%2D").replace("_", "%5f"),
    lambda link: quote(quote(link, safe="").replace("-", "%2d").replace("_", "%5F"), safe=""),
    lambda link: quote(link, safe="").replace("-", "-2D").replace("_", "-5F").replace("%", "-") + "&d=DwMF",
    lambda link: link.replace("#", "*") + "__;Iw!!abc$",
    lambda link: f"({link.partition('#')[2]})",
)
"""How programs write a link that they change, so that whoever follows it goes through a server of theirs."""


@pytest.mark.parametrize("way", range(len(WAYS)))
def test_a_value_is_found_however_its_link_is_written(way: int) -> None:
    dice = random.Random(way)
    for length in (0, 40, 3_000):
        said = json.dumps({"m": VALUE, "more": dice.choices(LETTERS, k=length)})
        text = f"see {WAYS[way](URL + pack(said.encode()))} there"
        (found,) = packed_in(text)
        assert found.text == said
        left = without_packed(text)
        assert len(left) < 140
        assert left.endswith(" there")


def test_of_a_value_that_is_cut_the_beginning_is_found() -> None:
    packed = pack(VALUE.encode())
    for length in range(28, len(packed)):
        (found,) = packed_in(f"#{packed[:length]}")
        assert VALUE.startswith(found.text)
        assert without_packed(f"#{packed[:length]}") == "#[removed]"


def test_what_unpacks_to_much_more_is_read_as_far_as_a_link_goes() -> None:
    (found,) = packed_in(pack(b"{" + b" " * 1_000_000))
    assert 16 < len(found.text) < 50_000


def test_many_lines_cost_what_their_letters_cost() -> None:
    """What unpacks to much at first, in lines of four letters."""

    def lines(length: int) -> str:
        many = zlib.compressobj(9)
        begin = many.compress(b"{" + b"a" * 14 * length) + many.flush(zlib.Z_FULL_FLUSH)
        stored = b"".join(b"\0\1\0\376\377b" for _ in range(length // 10))
        letters = base64.urlsafe_b64encode(begin + stored).decode()[: length * 4 // 5]
        return "\n".join((letters[:24], *(letters[at : at + 4] for at in range(24, len(letters), 4))))

    (found,) = packed_in(lines(8_000))
    assert len(found.text) > 50_000
    assert is_linear(lambda text: list(packed_in(text)), lambda length: lines(16 * length))


def test_beginnings_of_none_cost_what_their_letters_cost() -> None:
    assert is_linear(lambda text: list(packed_in(text)), lambda length: "23eNp8" * (length // 6 + 1))
    empty = base64.urlsafe_b64encode(b"\x78\xda" + b"\0\0\0\xff\xff" * 200).decode().rstrip("=")
    assert is_linear(lambda text: list(packed_in(text)), lambda length: empty * (length // 1_000))


def test_other_long_words_are_none() -> None:
    words = random.Random(1)
    text = " ".join("".join(words.choices(LETTERS, k=words.randint(24, 90))) for _ in range(5_000))
    assert without_packed(text) == text
    assert list(packed_in(pack(b"no object"))) == []
