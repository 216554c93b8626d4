"""Seat addresses and mailto links."""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from gm.mail.message.addresses import (
    LONGEST_LINK,
    longest_game_name,
    mailto,
    parse_seat_address,
    seat_address,
    seat_token,
    token_hash,
)

KEY = b"k" * 32
BASE = "gm@gm.example.org"
TOKEN = seat_token(KEY, 7, 0)


def test_tokens_differ_by_key_seat_and_serial() -> None:
    tokens = {seat_token(KEY, 7, 0), seat_token(KEY, 7, 1), seat_token(KEY, 70, 0), seat_token(b"other", 7, 0)}
    assert len(tokens) == 4
    assert seat_token(KEY, 7, 0) == TOKEN
    assert len(TOKEN) == 20
    assert TOKEN.islower()


def test_the_hash_does_not_depend_on_case() -> None:
    assert token_hash(TOKEN.upper()) == token_hash(TOKEN) != token_hash(seat_token(KEY, 7, 1))
    assert TOKEN not in token_hash(TOKEN)


@pytest.mark.parametrize("game", ["spring", "Spring", "long-game_2.b"])
def test_a_seat_address_is_read_back_whatever_its_case(game: str) -> None:
    address = seat_address(BASE, game, TOKEN)
    for written in (address, address.upper(), f" <{address}> "):
        assert parse_seat_address(written, BASE) == (game.lower(), TOKEN)
    assert len(address.partition("@")[0]) <= 64


@pytest.mark.parametrize(
    "address",
    [
        "gm@gm.example.org",
        f"gm+spring.{TOKEN}@other.example.org",
        f"mg+spring.{TOKEN}@gm.example.org",
        f"gm+spring.{TOKEN}x@gm.example.org",
        f"gm+spring.{TOKEN[:-1]}@gm.example.org",
        f"gm+spring.{TOKEN[:-1]}1@gm.example.org",
        f"gm+{TOKEN}@gm.example.org",
        f"gm+.{TOKEN}@gm.example.org",
        f"gm+a b.{TOKEN}@gm.example.org",
        "",
    ],
)
def test_other_addresses_are_no_seats(address: str) -> None:
    assert parse_seat_address(address, BASE) is None


def test_a_base_address_may_have_a_plus_itself() -> None:
    base = "user+judge@example.org"
    assert parse_seat_address(seat_address(base, "spring", TOKEN), base) == ("spring", TOKEN)


def test_names_that_make_no_address() -> None:
    assert len(seat_address(BASE, "a" * longest_game_name(BASE), TOKEN).partition("@")[0]) == 64
    for game in ("a" * (longest_game_name(BASE) + 1), "", "a b", "a@b", "spring.", "été"):
        with pytest.raises(ValueError, match="no address"):
            seat_address(BASE, game, TOKEN)


def test_mailto_says_plus_and_newline_as_every_program_reads_them() -> None:
    link = mailto("gm+spring.x@gm.example.org", "Re: 50% & more?", "A PAR-BUR\nF Brest + é\n")
    assert link == (
        "mailto:gm%2Bspring.x@gm.example.org?subject=Re%3A%2050%25%20%26%20more%3F"
        "&body=A%20PAR-BUR%0D%0AF%20Brest%20%2B%20%C3%A9"
    )
    parts = urlsplit(link)
    assert unquote(parts.path) == "gm+spring.x@gm.example.org"
    assert parse_qs(parts.query)["body"] == ["A PAR-BUR\r\nF Brest + é"]


def test_mailto_leaves_out_whole_fields_rather_than_half_an_order() -> None:
    assert mailto(BASE) == f"mailto:{BASE}"
    assert mailto(BASE, "s", "x" * LONGEST_LINK) == f"mailto:{BASE}?subject=s"
    assert mailto(BASE, "s" * LONGEST_LINK, "x") == f"mailto:{BASE}"
    room = LONGEST_LINK - len(mailto(BASE, "s", "x")) + 1
    assert len(mailto(BASE, "s", "x" * room)) == LONGEST_LINK
