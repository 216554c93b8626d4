"""The secret addresses of seats: one that others may have seen is replaced at once, its holder is notified, and the old
one counts for nobody else.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from gm.inbound.acceptance import accept, knows
from gm.mail.message.mime import pack
from gm.orders.notation import write
from gm.play.seat_addresses import redact
from gm.store.inbox import ArrivedMail, InboxState
from gm.store.rows import canonical_json
from tests.server.world import BASE, Place, player, proved, reply_to, text_of

FRANCE, ENGLAND, ITALY = (player(power) for power in ("France", "England", "Italy"))
pytestmark = pytest.mark.way_in(number=9)
AT_ANY_LEVEL = pytest.mark.parametrize("level", ["normal"], indirect=True)
"""For what depends on how an address is written; that one is taken out at each level is shown with others."""


def token_in(address: str) -> str:
    return address.partition("@")[0].rpartition(".")[2]


def new_addresses(place: Place, holder: str) -> list[str]:
    """The addresses of which somebody was notified, newest last."""
    told = [mail for mail in place.mailboxes[holder] if "new address" in str(mail["Subject"])]
    return [reply_to(mail) for mail in told]


def orders(place: Place, power: str) -> list[str]:
    game = place.game()
    return sorted(write(order) for seat in game.players if seat.power == power for order in game.orders_of(seat))


def cc(place: Place, sender: str, to: str, text: str, *others: str) -> None:
    place.arrive(sender, to, text, headers={"Cc": ", ".join(others)})
    place.work()


# ---- in press


@AT_ANY_LEVEL
@pytest.mark.parametrize("gap", [" ", "\n", "\n> ", "=\n", "-\n", " \n  ", "\t"])
def test_an_address_that_is_broken_is_taken_out_too(place: Place, gap: str) -> None:
    old = place.seats_of_spring["France"]
    token, wanted = token_in(old), 0
    for place_of_gap in (1, 7, 19):
        broken = token[:place_of_gap] + gap + token[place_of_gap:]
        for leak in (old.replace(token, broken), f"it is {broken}, keep it"):
            assert len(redacted(place, leak)) < len(leak)
            assert token not in re.sub("[^a-z2-7]", "", redacted(place, leak).lower())
            wanted += 1
    place.send(FRANCE, old, f"PRESS TO ITALY\nmine: {old.replace(token, broken)}\nENDPRESS")
    assert "[removed]" in text_of(place.last(ITALY))
    assert len(new_addresses(place, FRANCE)) == 1


SPELT = {
    # how a token is written: in words
    "full-width": lambda token: "".join(chr(ord(c) + 0xFEE0) for c in token),
    "in bold letters of mathematics": lambda token: "".join(
        chr(0x1D7CE + int(c)) if c.isdigit() else chr(0x1D41A + ord(c) - ord("a")) for c in token
    ),
    "one by one": " ".join,
    "one by one, with dots": ".".join,
    "one by one, below each other": "\n".join,
    "in pairs": lambda token: " ".join(token[at : at + 2] for at in range(0, 20, 2)),
    "in threes": lambda token: "-".join(token[at : at + 3] for at in range(0, 20, 3)),
    "in fours": lambda token: " ".join(token[at : at + 4] for at in range(0, 20, 4)),
    "with signs that are not seen": "\u200c".join,
}


@AT_ANY_LEVEL
@pytest.mark.parametrize("way", SPELT)
def test_an_address_that_is_spelt_is_taken_out_too(place: Place, way: str) -> None:
    old = place.seats_of_spring["France"]
    token = token_in(old)
    spelt = SPELT[way](token)
    for leak in (old.replace(token, spelt), f"it is {spelt}, keep it"):
        text = redacted(place, leak)
        assert "[removed]" in text
        assert not set(spelt) - set(token) or spelt[3:9] not in text
    place.send(FRANCE, old, f"PRESS TO ITALY\nHello Italy, shall we talk?\nI like your plan.\nmine: {spelt}\nENDPRESS")
    assert len(new_addresses(place, FRANCE)) == 1


def redacted(place: Place, text: str) -> str:
    with place.service.transaction() as tx, tx.attempt(keep=False):
        return redact(tx, text, "test")[0]


def test_sentences_hide_no_broken_address(place: Place) -> None:
    talk = "\n".join(f"we two meet at a port in my bay on may 2{day} we go to a big sea" for day in range(2, 40))
    token = token_in(place.seats_of_spring["France"])
    assert redacted(place, f"{talk}\n{token[:9]} {token[9:]}\n{talk}") == f"{talk}\n[removed]\n{talk}"


@pytest.mark.parametrize("form", ["{address}", "Reply-To: <{address}>", "{token}", "the word {token}!", "{upper}"])
def test_a_seats_address_in_press_is_taken_out_and_replaced(place: Place, form: str) -> None:
    old = place.seats_of_spring["France"]
    token = token_in(old)
    leak = form.format(address=old, token=token, upper=old.upper())
    receipt = place.send(FRANCE, old, f"PRESS TO ITALY\nFriend,\n{leak}\nyours\nENDPRESS")
    for address in (ITALY, FRANCE):
        for mail in place.mailboxes[address][-2:]:
            assert token not in text_of(mail).lower().replace("gm+spring.[removed]", "")
    press = text_of(place.last(ITALY))
    assert "[removed]" in press
    assert "Friend," in press
    assert "was removed" in text_of(receipt)
    (new,) = new_addresses(place, FRANCE)
    assert reply_to(receipt) == new != old
    assert "Burgundy" in text_of(place.send(FRANCE, new, "A PAR-BUR"))
    place.send(FRANCE, new, f"PRESS TO ITALY\nit was {leak}\nENDPRESS")
    assert token not in text_of(place.last(ITALY)).lower(), "it stays secret"
    assert new_addresses(place, FRANCE) == [new], "and is replaced once"


@AT_ANY_LEVEL
@pytest.mark.parametrize("sign", ["#", "%23"])
def test_a_link_to_the_page_for_orders_is_taken_out_of_press_and_its_address_replaced(place: Place, sign: str) -> None:
    old = place.seats_of_spring["France"]
    packed = pack(canonical_json({"m": f"mailto:{old}", "k": "S1901M"}).encode())
    whole = f"https://games.example.org/order.html#{packed}"
    place.send(FRANCE, old, f"PRESS TO ITALY\nmy map: {whole.replace('#', sign)}\nyours\nENDPRESS")
    press = text_of(place.last(ITALY))
    assert f"my map: https://games.example.org/order.html{sign}[removed] yours" in press
    (new,) = new_addresses(place, FRANCE)
    forged = whole.partition("#")[0] + "#" + pack(b'{"m":"mailto:eve@evil.example"}')
    place.send(FRANCE, new, f"PRESS TO ITALY\nTap here: {forged}\nENDPRESS")
    assert "order.html#[removed]" in text_of(place.last(ITALY)), "also one that leads elsewhere"


@pytest.mark.parametrize("form", ["{address}", "{token}", "gm+{name}.{half} {rest}", "the word {token}!"])
def test_a_digests_address_in_press_is_taken_out(place: Place, form: str) -> None:
    person = next(seat.person for seat in place.seats() if seat.power == "France")
    assert person is not None
    address = place.service.identity.digest_address(person.id, place.time.date() - timedelta(days=3))
    name, token = address.partition("@")[0].partition("+")[2].rpartition(".")[::2]
    leak = form.format(address=address, token=token, name=name, half=token[:10], rest=token[10:])
    place.send(FRANCE, place.seats_of_spring["France"], f"PRESS TO ITALY\nit is {leak}\nENDPRESS")
    press = text_of(place.last(ITALY))
    assert token not in press.replace(" ", "")
    assert "[removed]" in press


def test_somebody_elses_address_in_press(place: Place) -> None:
    seats = place.seats_of_spring
    place.send(FRANCE, seats["France"], f"PRESS TO ALL\nEngland's is {seats['England']}\nENDPRESS")
    assert seats["England"] not in text_of(place.last(ITALY))
    (new,) = new_addresses(place, ENGLAND)
    assert "Burgundy" not in text_of(place.send(ENGLAND, new, "F LON-NTH"))
    assert "North Sea" in text_of(place.send(ENGLAND, new, "STATUS"))


def test_press_without_an_address_keeps_everything(place: Place) -> None:
    word, seats = "abcdefghijklmnopqrst", place.seats_of_spring
    receipt = place.send(FRANCE, seats["France"], f"PRESS TO ITALY\n{word} a@b.example gm@example.org\nENDPRESS")
    assert f"{word} a@b.example gm@example.org" in text_of(place.last(ITALY))
    assert reply_to(receipt) == seats["France"]


def test_a_subject_never_shows_an_address_again(place: Place) -> None:
    seats = place.seats_of_spring
    raw = place.mail(FRANCE, seats["France"], "LIST").replace(b"a mail", f"to {seats['France']}".encode())
    accept(place.service, ArrivedMail("smtp", raw, place.time, (seats["France"],), FRANCE))
    place.work()
    assert seats["France"] not in str(place.last(FRANCE)["Subject"])


# ---- in mail that others receive, or have written


def test_orders_with_a_copy_to_another_player(place: Place) -> None:
    """Their orders count, but the address that the other person has seen does not count for that person."""
    old = place.seats_of_spring["France"]
    cc(place, FRANCE, old, "A PAR-BUR", f"Ivo <{ITALY}>")
    assert orders(place, "France") == ["A Par-Bur"]
    (new,) = new_addresses(place, FRANCE)
    assert new != old
    assert reply_to(place.last(FRANCE)) == new, "the answer comes from the new one"
    told = next(text_of(mail) for mail in place.mailboxes[FRANCE] if "new address" in str(mail["Subject"]))
    assert ITALY in told
    assert token_in(old) not in told
    for sender, headers in ((ITALY, {}), ("thief@evil.example", {}), (ITALY, {"Cc": FRANCE})):
        before = len(place.mailboxes[FRANCE])
        place.arrive(sender, old, "A PAR-PIC", headers=headers)
        place.work()
        assert len(place.mailboxes[FRANCE]) == before, "the holder is not troubled by it"
    assert orders(place, "France") == ["A Par-Bur"]
    assert new_addresses(place, FRANCE) == [new]


def at_old(place: Place, old: str, text: str, **more: object) -> None:
    """France writes to an address that others have seen, which is confirmed at strict: they can link to it."""
    place.arrive(FRANCE, old, text, **more)
    place.work()
    held = place.inbox()[-1].state is InboxState.QUARANTINED
    assert held is (place.service.identity.trust.level == "strict")
    if held:
        place.send(FRANCE, reply_to(place.last(FRANCE)), "YES")


def test_the_old_address_counts_for_its_holder_only(place: Place) -> None:
    old = place.seats_of_spring["France"]
    cc(place, FRANCE, old, "LIST", ITALY)
    assert knows(place.service, old)
    at_old(place, old, "A PAR-BUR")
    assert orders(place, "France") == ["A Par-Bur"]
    with place.forging():  # it is a secret no more, so that it proves nothing
        place.arrive(FRANCE, old, "A PAR-PIC")
        place.work()
    assert place.inbox()[-1].state is InboxState.QUARANTINED
    assert orders(place, "France") == ["A Par-Bur"]
    asked = place.last(FRANCE)
    assert "that others have seen" in text_of(asked)
    place.send(FRANCE, reply_to(asked), "YES")
    assert orders(place, "France") == ["A Par-Pic"]
    place.does("master@example.org", place.seats_of_spring["GM"], "REPLACE FRANCE WITH nina@newcomers.example")
    place.accepts("nina@newcomers.example")
    for sender in (FRANCE, "nina@newcomers.example"):
        place.arrive(sender, old, "A PAR H")
        place.work()
    assert orders(place, "France") == ["A Par-Pic"], "nor for whoever comes after them"


def test_an_older_mail_to_the_old_address_changes_nothing_that_is_newer(place: Place) -> None:
    old = place.seats_of_spring["France"]
    cc(place, FRANCE, old, "LIST", ITALY)
    newer, older = ({"Date": f"Fri, 20 Nov 2026 08:{minute}:00 +0000", "In-Reply-To": ""} for minute in ("50", "40"))
    place.send(FRANCE, new_addresses(place, FRANCE)[-1], "A PAR-BUR", headers=newer)
    at_old(place, old, "A PAR-PIC\nA MAR-SPA", headers=older)
    confirmed = place.service.identity.trust.level == "strict"  # a YES is newer than both
    assert orders(place, "France") == ["A Mar-Spa", "A Par-Pic" if confirmed else "A Par-Bur"]


@pytest.mark.parametrize("copied", [FRANCE, BASE, "operator+x@example.org.evil.example <gm@example.org>"])
def test_copies_to_oneself_and_to_us_show_nothing(place: Place, copied: str) -> None:
    old = place.seats_of_spring["France"]
    cc(place, FRANCE, old, f"A PAR-BUR\n\n> From: {old}\n> A MAR H", copied)
    assert new_addresses(place, FRANCE) == []
    assert orders(place, "France") == ["A Par-Bur"]


def test_a_second_address_of_the_holder_is_not_another(place: Place) -> None:
    place.does(FRANCE, BASE, "ADDRESS ADD ann@home.example")
    place.does("ann@home.example", reply_to(place.last("ann@home.example")), "YES")
    cc(place, FRANCE, place.seats_of_spring["France"], "A PAR-BUR", "ann@home.example")
    assert new_addresses(place, FRANCE) == []


@pytest.mark.parametrize(
    "text",
    [
        "see {address}",
        "> On Friday {address} wrote:\n> A PAR-BUR\n\nLIST",
        "> It was {token:.13}\n> {rest}, I think.\n\nLIST",
        "PRESS TO ALL\n{token}\nENDPRESS",
    ],
)
def test_an_address_in_another_persons_mail(place: Place, text: str) -> None:
    """Another person knows it, so it is no longer secret; but the holder is not told who, because the game may be
    anonymous.
    """
    seats = place.seats_of_spring
    old = seats["France"]
    place.send(ITALY, seats["Italy"], text.format(address=old, token=token_in(old), rest=token_in(old)[13:]))
    (new,) = new_addresses(place, FRANCE)
    assert new != old
    assert all(ITALY not in text_of(mail) for mail in place.mailboxes[FRANCE][-3:])
    assert new_addresses(place, ITALY) == []


UNREAD = {
    # a mail of France's to the server and to Eve, with an address in what our reader does not read
    "a link": "Content-Type: text/html\n\n<p>LIST</p><a href='mailto:{}?body=YES'>YES</a>\n",
    "too many parts": "Content-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nx\n" * 250 + "--b\n\n{}\n--b--\n",
    "by a list": "Precedence: bulk\n\nLIST\n\n> {}\n",
    "by a program": "Auto-Submitted: auto-generated\n\nLIST\n\n> {}\n",
    "to a return path": "Content-Type: text/plain\n\nI saw this: {}\n",
}


def unread(place: Place, how: str, address: str, to: str = BASE) -> None:
    name, at = f"<{len(place.inbox())}@players.example>", f"{place.time:%a, %d %b %Y %H:%M:%S} +0000"
    head = f"From: {FRANCE}\nTo: {to}\nCc: eve@evil.example\nMessage-ID: {name}\nDate: {at}\nMIME-Version: 1.0\n"
    proof = "".join(f"{name}: {value}\n" for name, value in proved(FRANCE).items())
    raw = (proof + head + UNREAD[how].format(address.replace("+", "%2B"))).encode()
    accept(place.service, ArrivedMail("smtp", raw, place.time, (to,), FRANCE))
    place.work()


@AT_ANY_LEVEL
@pytest.mark.parametrize("how", UNREAD)
def test_what_is_not_read_is_seen_all_the_same(place: Place, how: str) -> None:
    old, to = place.seats_of_spring["France"], BASE
    with place.forging():
        place.send(FRANCE, old, "RESIGN spring")
    asked = next(reply_to(mail) for mail in reversed(place.mailboxes[FRANCE]) if "+confirm." in reply_to(mail))
    if how == "to a return path":
        to = str(place.last(FRANCE)["X-Envelope-From"])
    for secret in (old, asked):
        unread(place, how, secret, to)
    assert len(new_addresses(place, FRANCE)) == 1
    place.send(FRANCE, asked, "YES")
    assert "asked again" in text_of(place.last(FRANCE))


@AT_ANY_LEVEL
@pytest.mark.parametrize("how", ["by a list", "by a program"])
def test_a_program_that_shows_each_address_is_told_once_a_day(place: Place, how: str) -> None:
    with place.forging():
        place.send(FRANCE, place.seats_of_spring["France"], "RESIGN spring")
    asked = [mail for mail in place.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    for _ in range(5):
        unread(place, how, address_of(place))
        unread(place, how, reply_to(asked[-1]))
        asked = [mail for mail in place.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    assert len(new_addresses(place, FRANCE)) == 1
    assert len(asked) == 4, "and is asked again three times"


def address_of(place: Place) -> str:
    seat = next(seat for seat in place.seats() if seat.power == "France")
    return place.service.identity.address_of(place.game(), seat)


def test_another_player_who_writes_to_ones_seat(place: Place) -> None:
    old = place.seats_of_spring["France"]
    seen = len(place.mailboxes[FRANCE])
    receipt = place.send(ITALY, old, "A VEN-PIE\nA ROM-VEN")
    assert len(new_addresses(place, FRANCE)) == 1
    assert orders(place, "France") == orders(place, "Italy") == []
    assert not any("VEN" in text_of(mail).upper() for mail in place.mailboxes[FRANCE][seen:])
    assert "another player's seat" in text_of(receipt)
    assert "France" not in text_of(receipt).partition("A VEN-PIE")[0]
    assert reply_to(receipt) == place.seats_of_spring["Italy"]


def test_a_stranger_who_writes_to_ones_seat_is_locked_out_by_a_no(place: Place) -> None:
    old = place.seats_of_spring["France"]
    for text, renewed in (("YES", 0), ("NO", 1)):
        place.arrive("ann@work.example", old, "A PAR-PIC")
        place.work()
        place.send(FRANCE, reply_to(place.last(FRANCE)), text)
        assert len(new_addresses(place, FRANCE)) == renewed
    before = len(place.mailboxes[FRANCE])
    place.arrive("ann@work.example", old, "A PAR-BUR")
    place.work()
    assert len(place.mailboxes[FRANCE]) == before


def test_the_address_of_a_gamemaster_and_of_an_observer(place: Place) -> None:
    place.does("olga@reader.example", BASE, "OBSERVE spring")
    watching = next(reply_to(m) for m in place.mailboxes["olga@reader.example"] if "+spring." in reply_to(m))
    for sender, address in (("master@example.org", place.seats_of_spring["GM"]), ("olga@reader.example", watching)):
        cc(place, sender, address, "STATUS", FRANCE)
        (new,) = new_addresses(place, sender)
        assert "spring" in text_of(place.send(sender, new, "STATUS"))
