"""Seat addresses in press: hidden, void at once, replaced; and never in a subject or in somebody else's mail."""

from __future__ import annotations

import pytest

from gm.server.intake import accept
from gm.store.inbox import ArrivedMail
from tests.server.world import World, player, reply_to, text_of

FRANCE = player("France")


@pytest.fixture
def seats(world: World) -> dict[str, str]:
    return world.started()


@pytest.mark.parametrize("form", ["{address}", "Reply-To: <{address}>", "{token}", "the word {token}!", "{upper}"])
def test_a_seats_address_in_press_is_taken_out_and_replaced(world: World, seats: dict[str, str], form: str) -> None:
    old = seats["France"]
    token = old.partition("@")[0].rpartition(".")[2]
    leak = form.format(address=old, token=token, upper=old.upper())
    receipt = world.send(FRANCE, old, f"PRESS TO ITALY\nFriend,\n{leak}\nyours\nENDPRESS")
    for address in (player("Italy"), FRANCE):
        for mail in world.mailboxes[address][-2:]:
            assert token not in text_of(mail).lower().replace("gm+spring.[removed]", "")
    press = text_of(world.last(player("Italy")))
    assert "[removed]" in press
    assert "Friend," in press
    new = reply_to(receipt)
    assert new != old
    assert "void" in text_of(receipt)
    assert any("new address" in str(mail["Subject"]) for mail in world.mailboxes[FRANCE])
    assert "is not a seat's address" in text_of(world.send(FRANCE, old, "A PAR-BUR"))
    assert "Burgundy" in text_of(world.send(FRANCE, new, "A PAR-BUR"))


def test_somebody_elses_address_in_press(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], f"PRESS TO ALL\nEngland's is {seats['England']}\nENDPRESS")
    assert seats["England"] not in text_of(world.last(player("Italy")))
    new = next(m for m in world.mailboxes[player("England")] if "new address" in str(m["Subject"]))
    assert "Burgundy" not in text_of(world.send(player("England"), reply_to(new), "F LON-NTH"))
    assert "North Sea" in text_of(world.send(player("England"), reply_to(new), "STATUS"))


def test_press_without_an_address_keeps_everything(world: World, seats: dict[str, str]) -> None:
    word = "abcdefghijklmnopqrst"
    receipt = world.send(FRANCE, seats["France"], f"PRESS TO ITALY\n{word} a@b.example gm@example.org\nENDPRESS")
    assert f"{word} a@b.example gm@example.org" in text_of(world.last(player("Italy")))
    assert reply_to(receipt) == seats["France"]


def test_a_subject_never_shows_an_address_again(world: World, seats: dict[str, str]) -> None:
    raw = world.mail(FRANCE, seats["France"], "LIST").replace(b"a mail", f"to {seats['France']}".encode())
    accept(world.service, ArrivedMail("smtp", raw, world.time, (seats["France"],), FRANCE))
    world.work()
    assert seats["France"] not in str(world.last(FRANCE)["Subject"])
    assert "[removed]" in str(world.last(FRANCE)["Subject"])
