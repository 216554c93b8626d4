"""Press is answered by replying to it; what may be orders is asked back, and nobody is unmasked."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from gm.orders.notation import write
from gm.settings import TrustSettings
from tests.server.world import BASE, Place, World, body_of, player, reply_to, text_of

MASTER = "master@example.org"


def press(world: World, seats: dict[str, str], sender: str, to: str, text: str = "Shall we?", how: str = "") -> None:
    world.send(player(sender), seats[sender], f"{how}PRESS TO {to}\n{text}\nENDPRESS")


def count(world: World) -> dict[str, int]:
    return {address: len(mails) for address, mails in world.mailboxes.items()}


def heard(world: World, before: dict[str, int]) -> set[str]:
    """Who has got press since."""
    return {
        address.partition("@")[0].capitalize()
        for address, mails in world.mailboxes.items()
        for mail in mails[before.get(address, 0) :]
        if ".to-" in reply_to(mail) and not mail["In-Reply-To"]
    }


@pytest.fixture
def seats(world: World) -> dict[str, str]:
    return world.started()


# ---- the reply is press


def test_a_reply_goes_to_the_writer_and_no_line_of_it_is_an_order(world: World, seats: dict[str, str]) -> None:
    press(world, seats, "France", "Germany, Italy")
    before = count(world)
    said = text_of(
        world.send(player("Germany"), reply_to(world.last(player("Germany"))), "Gladly.\n\nF Bre-Mao\nA Par-Bur?\n")
    )
    assert "Press sent to France." in said
    assert "Not acted on" not in said
    assert heard(world, before) == {"France"}
    assert "Gladly.\n\n    F Bre-Mao\n    A Par-Bur?" in body_of(world.last(player("France")))
    assert not world.game().orders


def test_a_reply_to_all_goes_to_all_who_have_it(world: World, seats: dict[str, str]) -> None:
    press(world, seats, "France", "Germany, Italy")
    letter, before = world.last(player("Germany")), count(world)
    assert "Answer France and Italy" in text_of(letter)
    assert "Press sent to France, Italy." in text_of(world.send(player("Germany"), everybody(letter), "Gladly."))
    assert heard(world, before) == {"France", "Italy"}
    press(world, seats, "France", "ALL")
    before = count(world)
    letter = world.last(player("Germany"))
    assert "Press sent to all." in text_of(world.send(player("Germany"), everybody(letter), "Hm."))
    assert len(heard(world, before)) == 7  # six players and the gamemaster


def everybody(letter: EmailMessage) -> str:
    """The last address to answer at in a press mail."""
    return str(re.findall(r"^Answer .*:\n(\S+)$", body_of(letter), re.MULTILINE)[-1])


def test_a_conversation_is_one_thread_and_the_game_another(world: World, seats: dict[str, str]) -> None:
    opening = world.last(player("Germany"))
    threads = []
    for _ in range(2):
        press(world, seats, "France", "Germany")
        threads.append(world.last(player("Germany")))
        world.send(MASTER, seats["GM"], f"PROCESS {world.phase()}")
    press(world, seats, "France", "ALL")
    other = world.last(player("Germany"))
    assert {str(mail["Subject"]) for mail in threads} == {"[spring] Press with France"}
    assert len({str(mail["References"]) for mail in threads}) == 1
    assert str(other["Subject"]) == "[spring] Press to all"
    assert len({str(mail["References"]) for mail in (opening, other, threads[0])}) == 3


def test_the_reply_to_a_receipt_goes_on_with_the_conversation(world: World, seats: dict[str, str]) -> None:
    press(world, seats, "France", "Germany")
    receipt = world.send(player("Germany"), reply_to(world.last(player("Germany"))), "Gladly.")
    assert "Press sent to France." in text_of(world.send(player("Germany"), reply_to(receipt), "And soon."))


def test_what_is_quoted_and_signatures_are_left_out(world: World, seats: dict[str, str]) -> None:
    press(world, seats, "France", "Germany", "I go A Par-Bur.\nYou go A Mun-Tyr.")
    letter = world.last(player("Germany"))
    quoted = "".join(f"> {line}\n" for line in body_of(letter).splitlines())
    world.send(player("Germany"), reply_to(letter), f"Fine.\n\nOn Sunday France wrote:\n{quoted}\n-- \nHans, Berlin\n")
    body = body_of(world.last(player("France")))
    assert "    Fine.\n\nReply" in body
    assert "Hans" not in body
    assert "A Mun-Tyr" not in body


def test_a_reply_without_text_is_refused(world: World, seats: dict[str, str]) -> None:
    press(world, seats, "France", "Germany")
    assert "no text of its own" in text_of(world.send(player("Germany"), reply_to(world.last(player("Germany"))), "\n"))


def test_who_names_others_between_press_and_endpress_writes_to_them(world: World, seats: dict[str, str]) -> None:
    press(world, seats, "France", "Germany")
    before = count(world)
    world.send(player("Germany"), reply_to(world.last(player("Germany"))), "PRESS TO ITALY\nThey ask me.\nENDPRESS")
    assert heard(world, before) == {"Italy"}


def test_it_works_without_plus_addressing(tmp_path: Path) -> None:
    world = World(tmp_path, plus_addressing=False)
    seats = world.started()
    press(world, seats, "France", "Germany")
    letter = world.last(player("Germany"))
    assert reply_to(letter).endswith("<gm@example.org>")
    for to in (reply_to(letter), BASE):  # the name of the address, or the mail that is cited
        said = world.send(player("Germany"), to, "Gladly.", headers={"In-Reply-To": str(letter["Message-ID"])})
        assert "Press sent to France." in text_of(said)


# ---- or orders?


ORDERS = [
    "GAME winter\nA Par-Bur",
    "Deal!\n\nGAME nosuch\nA Mun-Bur",
    "Deal!\nREADY\nSee you in Tyrolia.",
    "GAME winter\nPRESS TO Italy\nFrance is weak\nENDPRESS",
    "A Mun-Bur\nA Ber-Kie\nF Kie-Den",
    "Deal!\n\nA Mun-Bur\n",
    "Munich - Burgundy",
    "Fleet Kiel moves to the Baltic",
    "The army in Munich should move to the Burgundy",
    "Army from Berlin to the Kiel, please",
    "F Kiel - Holand",
    "F1902M\nA Mun H",
    "Germany:\nA Mun H",
    "PHASE F1901M\nA Mun H",
    "READY",
    "PRESS TO ITALY\nHello\nENDPRESS\nA Mun-Bur",
]


@pytest.mark.parametrize(
    "text",
    [
        "Could you please move Munich to Burgundy, I will be away",
        "Would you kindly order my army in Munich to Burgundy",
    ],
)
def test_who_asks_somebody_to_move_their_own_unit_is_asked_for_whom_that_is(
    world: World, seats: dict[str, str], text: str
) -> None:
    press(world, seats, "France", "Germany")
    before = count(world)
    world.arrive(player("Germany"), reply_to(world.last(player("Germany"))), text)
    world.work()
    assert str(world.last(player("Germany"))["Subject"]) == "Re: [spring] S1901M: Orders, or press to France?"
    assert not heard(world, before)


@pytest.mark.parametrize("text", ORDERS)
def test_what_may_be_orders_is_asked_back(world: World, seats: dict[str, str], text: str) -> None:
    press(world, seats, "France", "Germany")
    before = count(world)
    world.arrive(player("Germany"), reply_to(world.last(player("Germany"))), text)
    world.work()
    asked = world.last(player("Germany"))
    assert str(asked["Subject"]) == "Re: [spring] S1901M: Orders, or press to France?"
    assert not world.game().orders
    assert not heard(world, before)
    assert "Reply with ORDERS or BOTH or PRESS or NO alone" in text_of(
        world.send(player("Germany"), reply_to(asked), "YES")
    )
    assert "Press sent to France." in text_of(world.send(player("Germany"), reply_to(asked), "PRESS"))
    assert heard(world, before) == {"France"}


@pytest.mark.parametrize(
    "text",
    [
        "For the gamemaster only: A Mun-Bur; F Kie-Den",
        "please do not show this to France: I attack with A Mun-Bur",
        "My final orders, gamemaster: army munich goes to burgundy and the fleet in kiel goes to denmark",
        "Moves: Munich to Burgundy, Kiel to Denmark.",
        "A Mun-Bur\n\nAnd then the one in Kiel goes to Denmark, please.",
    ],
)
def test_what_may_order_in_other_words_is_not_offered_in_parts(world: World, seats: dict[str, str], text: str) -> None:
    press(world, seats, "France", "Germany")
    before = count(world)
    world.arrive(player("Germany"), reply_to(world.last(player("Germany"))), text)
    world.work()
    asked = world.last(player("Germany"))
    assert str(asked["Subject"]).lower().endswith("press to france?")
    assert "ORDERS" in text_of(asked)
    assert "BOTH" not in text_of(asked)
    world.send(player("Germany"), reply_to(asked), "BOTH")
    assert not heard(world, before)
    assert "Press sent to France." in text_of(world.send(player("Germany"), reply_to(asked), "PRESS"))


@pytest.mark.parametrize("text", ["Dear Italy,\nFrance is weak", "To: Italy\nFrance is weak", "Italy: France is weak"])
def test_a_letter_to_somebody_else_is_asked_back(world: World, seats: dict[str, str], text: str) -> None:
    press(world, seats, "France", "Germany")
    before = count(world)
    world.arrive(player("Germany"), reply_to(world.last(player("Germany"))), text)
    world.work()
    asked = world.last(player("Germany"))
    assert "speaks to Italy" in text_of(asked)
    assert not heard(world, before)
    world.send(player("Germany"), reply_to(asked), "PRESS")
    assert heard(world, before) == {"France"}


@pytest.mark.parametrize("text", ["Deal!\nEND\nA Mun-Bur", "Deal!\nA Ber-Kie\nEND\nA Mun-Bur"])
def test_what_is_below_end_is_sent_to_nobody(world: World, seats: dict[str, str], text: str) -> None:
    press(world, seats, "France", "Germany")
    world.arrive(player("Germany"), reply_to(world.last(player("Germany"))), text)
    world.work()
    if "Orders, or press" in str(world.last(player("Germany"))["Subject"]):
        world.send(player("Germany"), reply_to(world.last(player("Germany"))), "BOTH")
    letter = text_of(world.last(player("France")))
    assert "Deal!" in letter
    assert "Mun" not in letter
    assert "Ber" not in letter


PRESS = [
    "A Par-Bur\nF Bre-Mao",  # of the other
    "France: A Par-Bur",
    "I can support you with A Mun if you like.",
    "Would you mind A Mun-Tyr?",
    "Ready when you are. Wait for me in Tyrolia.",
    "You take Burgundy, then A Mun-Bur fails as we want it to.",
    "Shall I move Munich to Burgundy?",
    "Yes",
    "No",
    "Hello,\n\nlet us vote for a draw.\nWhat do you say?",
]


@pytest.mark.parametrize("text", PRESS)
def test_what_negotiates_is_sent(world: World, seats: dict[str, str], text: str) -> None:
    press(world, seats, "France", "Germany")
    said = text_of(world.send(player("Germany"), reply_to(world.last(player("Germany"))), text))
    assert "Press sent to France." in said


def test_orders_are_put_in_force_when_their_sender_says_so(world: World, seats: dict[str, str]) -> None:
    address = seats["Germany"]
    press(world, seats, "France", "Germany")
    letter = reply_to(world.last(player("Germany")))
    for answer, said in (("NO", "Discarded"), ("ORDERS", "A Mun-Bur")):
        world.arrive(player("Germany"), letter, "A Mun-Bur")
        world.work()
        asked = reply_to(world.last(player("Germany")))
        assert said in text_of(world.send(player("Germany"), asked, answer))
    assert reply_to(world.send(player("Germany"), address, "STATUS")) == address  # NO locks nobody out


@pytest.mark.parametrize(
    ("text", "ordered", "sent", "kept"),
    [
        ("Deal!\n\nA Mun-Bur\n\nYours, Max", {"A Mun-Bur"}, ["Deal!", "Yours, Max"], ["A Mun-Bur"]),
        (
            "I can support you into Burgundy.\nFleet Kiel moves to the Baltic\nF Ber-Kie?\nAgreed?",
            {"F Kie-Bal"},
            ["I can support you into Burgundy.", "Agreed?"],
            ["Baltic", "F Ber"],
        ),
        ("A Mun-Bur\nA Ber-Kie", {"A Mun-Bur", "A Ber-Kie"}, [], []),
    ],
)
def test_both_parts_the_orders_from_the_press(
    world: World, seats: dict[str, str], text: str, ordered: set[str], sent: list[str], kept: list[str]
) -> None:
    """What is sent has no order in it, and no line that may be one."""
    press(world, seats, "France", "Germany")
    before = count(world)
    world.arrive(player("Germany"), reply_to(world.last(player("Germany"))), text)
    world.work()
    said = text_of(world.send(player("Germany"), reply_to(world.last(player("Germany"))), "BOTH"))
    (given,) = world.game().orders.values()
    assert {write(order) for order in given.orders} == ordered
    assert heard(world, before) == ({"France"} if sent else set())
    letter = text_of(world.last(player("France"))) if sent else ""
    assert all(words in letter for words in sent)
    assert not any(words in letter for words in kept)
    assert ("Press sent to France." in said) == bool(sent)


def test_orders_are_for_the_phase_in_which_they_came_but_press_can_be_sent_later(
    world: World, seats: dict[str, str]
) -> None:
    press(world, seats, "France", "Germany")
    letter, asked = reply_to(world.last(player("Germany"))), []
    for text in ("A Mun-Bur", "A Mun-Tyr"):
        world.arrive(player("Germany"), letter, text)
        world.work()
        asked.append(reply_to(world.last(player("Germany"))))
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert "next phase has begun" in text_of(world.send(player("Germany"), asked[0], "ORDERS"))
    assert "Press sent to France." in text_of(world.send(player("Germany"), asked[1], "PRESS"))


def test_a_subject_that_speaks_of_absence_is_asked_about(world: World, seats: dict[str, str]) -> None:
    press(world, seats, "France", "Germany")
    before = count(world)
    world.arrive(
        player("Germany"),
        reply_to(world.last(player("Germany"))),
        "I am in Spain until Monday.",
        headers={"Subject": "Out of office: Press with France"},
    )
    world.work()
    assert not heard(world, before)
    assert "Press to France?" in str(world.last(player("Germany"))["Subject"])


def test_a_mail_to_the_seat_and_to_a_conversation_is_one_mail(world: World, seats: dict[str, str]) -> None:
    press(world, seats, "France", "Germany")
    letter = reply_to(world.last(player("Germany")))
    both = {"To": f"{seats['Germany']}, {letter}"}
    assert "Press sent to France." in text_of(world.send(player("Germany"), letter, "Gladly.", headers=both))


# ---- nobody is unmasked


def test_grey_press_is_answered_to_all_or_to_nobody(world: World) -> None:
    seats = world.started("grey", "press=grey")
    press(world, seats, "Italy", "FRANCE", how="GREY ")
    letter = world.last(player("France"))
    assert "italy" not in reply_to(letter).lower()
    assert str(letter["Subject"]) == "[grey] Grey press"
    before = count(world)
    world.arrive(player("France"), reply_to(letter), "Who are you?")
    world.work()
    asked = world.last(player("France"))
    assert "its writer alone cannot be answered" in text_of(asked)
    assert not heard(world, before)
    assert "Press sent to all." in text_of(world.send(player("France"), reply_to(asked), "PRESS"))
    assert len(heard(world, before)) == 7


def test_an_observer_is_answered_by_the_gamemaster_alone(world: World, seats: dict[str, str]) -> None:
    eve = "eve@players.example"
    seat = reply_to(world.send(eve, BASE, "OBSERVE spring"))
    world.send(eve, seat, "PRESS TO GM\nMay I join?\nENDPRESS")
    letter = world.last(MASTER)
    said = text_of(world.send(MASTER, reply_to(letter), "Not now."))
    assert "Press sent to an observer." in said
    assert "Not now." in text_of(world.last(eve))
    code = reply_to(letter).partition(".to-")[2].partition(".")[0]
    guessed = seats["France"].replace("spring.", f"spring.to-{code}.")
    assert "Nobody plays the recipient" in text_of(world.send(player("France"), guessed, "Hello."))
    press(world, seats, "France", "ALL")
    assert ".to-" not in reply_to(world.last(eve))


def test_in_a_game_without_press_only_the_gamemaster_is_answered(world: World) -> None:
    seats = world.started("gunboat", "press=none")
    world.send(MASTER, seats["GM"], "PRESS TO ALL\nHave fun.\nENDPRESS")
    letter = world.last(player("France"))
    assert "Answer all" not in text_of(letter)
    assert "Press sent to GM." in text_of(world.send(player("France"), reply_to(letter), "Thanks."))
    guessed = seats["France"].replace("gunboat.", "gunboat.to-italy.")
    assert "without press" in text_of(world.send(player("France"), guessed, "Hello."))


# ---- nor answered by somebody else


def test_a_reply_from_another_address_is_quarantined(world: World, seats: dict[str, str]) -> None:
    press(world, seats, "France", "Germany")
    letter, before = reply_to(world.last(player("Germany"))), count(world)
    world.arrive("thief@example.com", letter, "I attack you.")
    world.work()
    assert not heard(world, before)
    asked = world.last(player("Germany"))
    assert "which is not one of your addresses" in text_of(asked)
    assert "Press sent to France." in text_of(world.send(player("Germany"), reply_to(asked), "YES"))
    world.arrive("thief@example.com", letter, "A Mun H")
    world.work()
    asked = world.last(player("Germany"))
    assert "ORDERS" in text_of(asked)
    assert "Discarded" in text_of(world.send(player("Germany"), reply_to(asked), "NO"))
    assert any("a new address" in str(mail["Subject"]).lower() for mail in world.mailboxes[player("Germany")])


def test_an_unproved_reply_waits_where_proof_is_required(tmp_path: Path) -> None:
    world = Place(tmp_path, trust=TrustSettings(level="strict", authserv_ids=("mx.home",)))
    seats = world.started()
    world.does(player("France"), seats["France"], "PRESS TO Germany\nShall we?\nENDPRESS")
    letter, before = reply_to(world.last(player("Germany"))), count(world)
    with world.forging():
        world.arrive(player("Germany"), letter, "I attack you.")
        world.work()
    assert not heard(world, before)
    asked = reply_to(world.last(player("Germany")))
    assert "Press sent to France." in text_of(world.send(player("Germany"), asked, "YES"))
