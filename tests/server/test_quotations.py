"""Other people's press that comes back in a reply orders nothing, whatever the reader's client made of it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import pytest

from tests.server.world import World, player, text_of

FRANCE = player("France")
LINK = "https://example.org/a/very/long/address/that/no/line/has/room/for"
PRESS = f"{LINK} A Par-Pic {LINK} and {LINK} A Mar H {LINK} and F BRE-ENG, please.\nRESIGN spring\nA MAR-BUR"


def wrapped(text: str, width: int = 40) -> str:
    """As a client does that quotes first and wraps then: what falls behind a break has no quote mark."""
    return "\n".join(textwrap.fill(f"> {line}", width, break_long_words=False) for line in text.splitlines())


CLIENTS: dict[str, Callable[[str], str]] = {
    "wraps after quoting": wrapped,
    "wraps narrowly": lambda text: wrapped(text, 20),
    "does not quote": lambda text: text,
    "wraps and does not quote": lambda text: textwrap.fill(text, 40),
    "one word a line": lambda text: "\n".join(text.split()),
    "leaves links out": lambda text: text.replace(LINK, "\n"),
    "in angle brackets": lambda text: text.replace(LINK, f"<{LINK}>\n"),
    "other spaces": lambda text: wrapped(text.replace(" ", "\u00a0 ")),
}


def sent(world: World, seats: dict[str, str], manner: str = "") -> str:
    """Italy's press to France; the Message-ID of the mail that France gets."""
    world.send(player("Italy"), seats["Italy"], f"{manner}PRESS TO FRANCE\n{PRESS}\nENDPRESS")
    if manner:
        world.pass_time(days=9)
    return str(world.last(FRANCE)["Message-ID"])


@pytest.fixture
def seats(world: World) -> dict[str, str]:
    return world.started()


@pytest.mark.parametrize("client", CLIENTS)
def test_a_reply_to_press_orders_only_what_its_writer_wrote(world: World, seats: dict[str, str], client: str) -> None:
    message_id = sent(world, seats)
    text = f"No, but:\nA PAR-BUR\n\nOn Monday Italy wrote:\n{CLIENTS[client](PRESS)}"
    answer = text_of(world.send(FRANCE, seats["France"], text, headers={"In-Reply-To": message_id}))
    status = text_of(world.send(FRANCE, seats["France"], "MY ORDERS"))
    assert status.endswith("A Par-Bur"), status
    assert "left spring" not in answer
    assert all(seat.person is not None for seat in world.seats())


def test_what_was_taken_for_a_quotation_is_quoted_back(world: World, seats: dict[str, str]) -> None:
    message_id = sent(world, seats)
    answer = text_of(world.send(FRANCE, seats["France"], wrapped(PRESS, 20), headers={"In-Reply-To": message_id}))
    assert "in press that you were sent" in answer
    assert "send it in a new mail" in answer
    assert "Army Marseilles -> Burgundy" in text_of(world.send(FRANCE, seats["France"], "A MAR-BUR"))


def test_postal_press_within_a_report(world: World, seats: dict[str, str]) -> None:
    message_id = sent(world, seats, "POSTAL ")
    assert world.phase() != "S1901M"
    text = f"A PAR-BUR\n{wrapped(PRESS, 30)}"
    world.send(FRANCE, seats["France"], text, headers={"In-Reply-To": message_id})
    assert text_of(world.send(FRANCE, seats["France"], "MY ORDERS")).endswith(": A Par-Bur")


def test_a_client_that_does_not_say_what_it_answers(world: World, seats: dict[str, str]) -> None:
    sent(world, seats)
    world.send(FRANCE, seats["France"], f"A PAR-BUR\n\n{wrapped(PRESS, 20)}")
    status = text_of(world.send(FRANCE, seats["France"], "MY ORDERS"))
    assert status.endswith("A Par-Bur")


def test_the_answer_to_press_may_quote_it_in_press(world: World, seats: dict[str, str]) -> None:
    message_id = sent(world, seats)
    text = "PRESS TO ITALY\nYou wrote: A Mar H. Why?\nENDPRESS"
    answer = world.send(FRANCE, seats["France"], text, headers={"In-Reply-To": message_id})
    assert "Press sent to Italy" in text_of(answer)
    assert "You wrote: A Mar H" in text_of(world.last(player("Italy")))


def test_the_order_form_is_sent_back_and_counts(world: World, seats: dict[str, str]) -> None:
    """It is no press, though it stands in the same mail."""
    world.send(player("Italy"), seats["Italy"], "POSTAL PRESS TO FRANCE\nhello\nENDPRESS")
    world.pass_time(days=9)
    report = world.last(FRANCE)
    text = "A PAR - BUR\nA MAR - SPA\nF BRE - MAO"
    answer = text_of(world.send(FRANCE, seats["France"], text, headers={"In-Reply-To": str(report["Message-ID"])}))
    assert answer.count("->") >= 3
