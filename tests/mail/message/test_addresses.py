"""Addresses and address lists as programs write them; seat addresses and mailto links."""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.mail.message.addresses import (
    LONGEST_LINK,
    addresses_in,
    longest_game_name,
    mailto,
    only_mailbox,
    parse_address,
    parse_list,
    parse_seat_address,
    seat_address,
    seat_token,
    token_hash,
)

KEY = b"k" * 32
BASE = "gm@gm.example.org"
TOKEN = seat_token(KEY, 7, 0)

SINGLE: dict[str, tuple[str, str | None]] = {
    # name: what is written, the address
    "plain": ("ann@example.org", "ann@example.org"),
    "in brackets": (" <ann@example.org> ", "ann@example.org"),
    "case": ("Ann.Lee@Example.ORG", "ann.lee@example.org"),
    "plus": ("ann+games@example.org", "ann+games@example.org"),
    "all that an atom may hold": ("!#$%&'*+-/=?^_`{|}~@example.org", "!#$%&'*+-/=?^_`{|}~@example.org"),
    "a name without dots": ("gm@localhost", "gm@localhost"),
    "a dot at the end of the domain": ("ann@example.org.", "ann@example.org"),
    "needless quotation marks": ('"ann.lee"@example.org', "ann.lee@example.org"),
    "a space": ('"ann lee"@example.org', '"ann lee"@example.org'),
    "an at sign": ('"ann@home"@example.org', '"ann@home"@example.org'),
    "escaped marks": (r'"a\"n\\n"@example.org', r'"a\"n\\n"@example.org'),
    "two dots, as some carriers allow": ("john..doe@example.org", '"john..doe"@example.org'),
    "two dots in marks": ('"john..doe"@example.org', '"john..doe"@example.org'),
    "a dot at the end": ("john.@example.org", '"john."@example.org'),
    "international domain": ("ann@Bücher.example", "ann@xn--bcher-kva.example"),
    "the same domain in ASCII": ("ann@XN--BCHER-KVA.example", "ann@xn--bcher-kva.example"),
    "a domain whose letters IDNA 2003 lost": ("ann@straße.example", "ann@xn--strae-oqa.example"),
    "a full stop of East Asia": ("ann@例え。jp", "ann@xn--r8jz45g.jp"),
    "an accent sent apart": ("ann@bu\u0308cher.example", "ann@xn--bcher-kva.example"),
    "international local part": ("Zoë@example.org", "zoë@example.org"),
    "no domain that could be": ("ann@\u2764\u200d.example", "ann@\u2764\u200d.example"),
    "a domain that cannot be": ("ann@a..b", "ann@a..b"),
    "nothing": ("", None),
    "only a name": ("ann", None),
    "no local part": ("@example.org", None),
    "an empty local part": ('""@example.org', None),
    "no domain": ("ann@", None),
    "two at signs": ("ann@home@example.org", None),
    "a space that is not quoted": ("ann lee@example.org", None),
    "an address literal": ("ann@[192.0.2.1]", None),
    "an unclosed literal": ("a@[1.2.3.4", None),
    "a source route": ("<@relay.example:ann@example.org>", None),
    "with a display name": ("Ann <ann@example.org>", None),
    "two": ("ann@example.org, bob@example.org", None),
    "a new line": ("ann@example.org\r\nBcc: bob@example.org", None),
    "a NUL": ("ann\0@example.org", None),
    "a long local part": ("a" * 65 + "@example.org", None),
    "a long domain": ("a@" + "b" * 254, None),
}


@pytest.mark.parametrize("name", SINGLE)
def test_one_address(name: str) -> None:
    written, address = SINGLE[name]
    found = parse_address(written)
    assert (found.address if found is not None else None) == address


@pytest.mark.parametrize(
    ("address", "writable", "international"),
    [
        ("ann@example.org", True, False),
        ("gm@localhost", True, False),
        ("ann@bücher.example", True, False),
        ("john..doe@example.org", True, False),
        ("zoë@example.org", True, True),
        ("zoë@bücher.example", True, True),
        ('"ann lee"@example.org', False, False),
        ("ann@a..b", False, False),
        ("ann@-a.example", False, False),
        ("ann@a_b.example", False, False),
        ("ann@" + "x" * 64 + ".example", False, False),
    ],
)
def test_which_can_be_written_to(address: str, writable: bool, international: bool) -> None:
    """RFC 6531: what is not ASCII before the @ needs servers that offer SMTPUTF8, all the way."""
    found = parse_address(address)
    assert found is not None
    assert (found.writable, found.international) == (writable, international)


LISTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "one": ("ann@example.org", ("ann@example.org",)),
    "two": ("ann@example.org, Bob <bob@example.org>", ("ann@example.org", "bob@example.org")),
    "the same twice": ("ann@example.org, Ann <ANN@example.org>", ("ann@example.org",)),
    "semicolons": ("ann@example.org; bob@example.org", ("ann@example.org", "bob@example.org")),
    "a comma in a quoted name": ('"Lee, Ann" <ann@example.org>, bob@x.org', ("ann@example.org", "bob@x.org")),
    "an address in a quoted name": ('"eve@x.org" <ann@example.org>', ("ann@example.org",)),
    "an address in a plain name": ("eve@x.org <ann@example.org>", ("ann@example.org",)),
    "a quoted local part": ('Ann <"ann, lee"@example.org>, bob@x.org', ('"ann, lee"@example.org', "bob@x.org")),
    "a bracket in a quoted local part": ('<"a>b"@example.org>', ('"a>b"@example.org',)),
    "a comment": ("ann@example.org (eve@x.org, Ann), bob@x.org", ("ann@example.org", "bob@x.org")),
    "comments within comments": ("(a (b (c) <eve@x.org>)) ann@example.org", ("ann@example.org",)),
    "an escaped parenthesis": (r"(a \) <eve@x.org>) ann@example.org", ("ann@example.org",)),
    "an encoded comma that is not encoded": ("=?utf-8?q?Lee,_Ann?= <ann@example.org>", ("ann@example.org",)),
    "a group": ("Players: ann@example.org, Bob <bob@x.org>;", ("ann@example.org", "bob@x.org")),
    "a group and another": ("Players: ann@example.org;, bob@x.org", ("ann@example.org", "bob@x.org")),
    "an empty group": ("undisclosed-recipients:;", ()),
    "brackets without a comma": ("<ann@example.org> <bob@x.org>", ("ann@example.org", "bob@x.org")),
    "empty items": (",, ann@example.org,;", ("ann@example.org",)),
    "what is no address": ("Ann, ann@example.org, <>, x@[192.0.2.1]", ("ann@example.org",)),
    "an open quotation mark": ('bob@x.org, "Ann <ann@example.org>', ("bob@x.org",)),
    "an open comment": ("( <ann@example.org>", ("ann@example.org",)),
    "an open bracket": ("<ann@example.org, bob@x.org", ("bob@x.org",)),
    "nothing": ("", ()),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_addresses(name: str) -> None:
    written, addresses = LISTS[name]
    assert addresses_in(written) == addresses


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ann <a@b>", "Ann"),
        ("<a@b>", ""),
        ("a@b", ""),
        ('"Lee, Ann" <a@b>', "Lee, Ann"),
        (r'"Ann \"Ace\" Lee" <a@b>', 'Ann "Ace" Lee'),
        ('Ann "Ace" Lee <a@b>', 'Ann "Ace" Lee'),
        ("=?utf-8?q?Zo=C3=AB?= Lee <a@b>", "Zoë Lee"),
        ("=?utf-8?q?Lee,_Ann?= <a@b>", "Lee, Ann"),
        ("a@b (Ann Lee)", "Ann Lee"),
        ("Ann (at home) <a@b>", "Ann"),
        ("Ann\x00\r\n Lee <a@b>", "Ann Lee"),
    ],
)
def test_the_display_name(written: str, name: str) -> None:
    found = only_mailbox(written)
    assert found is not None
    assert (found.address, found.name) == ("a@b", name)


@given(st.text(alphabet=st.sampled_from('ab@.,;:<>()[]"\\=?q \tü\u200d\ud800'), max_size=40))
def test_whatever_is_read_is_read_again_as_the_same(value: str) -> None:
    for mailbox in parse_list(value):
        assert mailbox.name.isprintable()
        again = parse_address(mailbox.address)
        assert again is not None
        assert (again.local, again.domain) == (mailbox.local, mailbox.domain)
        assert addresses_in(f"Ann <{mailbox.address}>, bob@x.org")[0] == mailbox.address


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
