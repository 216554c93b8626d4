"""Values packed into links: found in any text, wherever a line breaks them, and nothing else taken for one."""

from __future__ import annotations

import random
import string

import pytest

from gm.mail.message.mime import pack, packed_in, without_packed

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


def test_of_a_value_that_is_cut_the_beginning_is_found() -> None:
    packed = pack(VALUE.encode())
    for length in range(28, len(packed)):
        (found,) = packed_in(f"#{packed[:length]}")
        assert VALUE.startswith(found.text)
        assert without_packed(f"#{packed[:length]}") == "#[removed]"


def test_what_unpacks_to_much_more_is_read_as_far_as_a_link_goes() -> None:
    (found,) = packed_in(pack(b"{" + b" " * 1_000_000))
    assert 16 < len(found.text) < 50_000


def test_other_long_words_are_none() -> None:
    words = random.Random(1)
    text = " ".join("".join(words.choices(LETTERS, k=words.randint(24, 90))) for _ in range(5_000))
    assert without_packed(text) == text
    assert list(packed_in(pack(b"no object"))) == []
