"""Limits by mail: what one mail may cause and, at every level of trust, one sender and all strangers together. An
exceeded limit is reported once, and no player is blocked by other people's mail.
"""

from __future__ import annotations

from email.message import EmailMessage
from importlib import import_module
from time import process_time

import pytest

from bench.deadlines import statements
from gm.inbound.acceptance import accept
from gm.store.inbox import ArrivedMail, InboxState
from tests.server.world import BASE, Place, player, reply_to, text_of

pytestmark = pytest.mark.long(seconds=50)

MASTER, FRANCE = "master@example.org", player("France")


AT_ONE_LEVEL = pytest.mark.parametrize("level", ["normal"])
"""What becomes of a mail that is believed is the same at all levels."""


def flood(place: Place, sender: str, to: str, text: str, number: int) -> None:
    """Mails that anybody could have written."""
    with place.forging():
        for one in range(number):
            place.arrive(sender, to, f"{text}\n\n{one}")
            place.work()


# ---- one mail


@pytest.mark.way_in(number=13)
@AT_ONE_LEVEL
def test_a_mail_of_many_commands_is_answered_within_bounds(place: Place) -> None:
    """Bytes sent: at most the budget of one mail and one more reply, whatever is received."""
    seats = place.seats_of_spring
    place.pass_time(days=9)
    before = len(place.mailboxes[FRANCE])
    asked = "\n".join(f"{what} {phase}" for what in ("MAP", "HISTORY") for phase in ("", "S1901M", "ALL")) + "\n"
    answer = place.send(FRANCE, seats["France"], asked * 40)
    assert len(place.mailboxes[FRANCE]) == before + 1
    assert len(answer.as_bytes()) < 6_000_000
    words = text_of(answer)
    assert words.count("one mail may not cause more") == 1
    assert "Send the rest in another mail" in words


@pytest.mark.way_in(number=13)
@AT_ONE_LEVEL
def test_the_same_map_is_sent_once(place: Place) -> None:
    seats = place.seats_of_spring
    answer = place.send(FRANCE, seats["France"], "MAP\n" * 80)
    assert len(list(answer.iter_attachments())) == 2


@pytest.mark.way_in(number=13)
@AT_ONE_LEVEL
def test_press_from_one_mail_reaches_a_limited_number(place: Place) -> None:
    seats = place.seats_of_spring
    before = sum(map(len, place.mailboxes.values()))
    answer = text_of(place.send(FRANCE, seats["France"], "PRESS TO ALL\nhello\nENDPRESS\n" * 60))
    assert sum(map(len, place.mailboxes.values())) - before <= 160 + 7 + 1
    assert answer.count("one mail may not cause more") == 1
    assert "from " in answer


@pytest.mark.way_in(number=13)
@AT_ONE_LEVEL
def test_a_text_for_others_has_a_longest(place: Place) -> None:
    before = sum(map(len, place.mailboxes.values()))
    for word in ("PRESS TO ALL", "DIARY"):
        end = f"END{word.split()[0]}"
        answer = text_of(place.send(FRANCE, place.seats_of_spring["France"], f"{word}\n{TALK * 400}\n{end}"))
        assert "one text has 30,000 at most" in answer
        assert len(answer) < 1_000
    assert sum(map(len, place.mailboxes.values())) == before + 2


@AT_ONE_LEVEL
def test_a_long_line_that_is_no_order_is_quoted_in_part(place: Place) -> None:
    answer = text_of(place.send(FRANCE, place.seats_of_spring["France"], "I think Paris " * 10_000))
    assert "I think Paris" in answer
    assert len(answer) < 1_200


@AT_ONE_LEVEL
def test_orders_count_whatever_else_a_mail_asks_for(place: Place) -> None:
    seats = place.seats_of_spring
    answer = text_of(place.send(FRANCE, seats["France"], "PRESS TO ALL\nhello\nENDPRESS\n" * 100 + "A PAR-BUR"))
    assert "Army Paris -> Burgundy" in answer


def test_as_much_of_a_mail_is_done_as_is_allowed(place: Place) -> None:
    flood(place, "who@strangers.example", BASE, "MAP spring", 2)
    flood(place, "who@strangers.example", BASE, "MAP spring\n" * 12, 1)
    answer = text_of(place.last("who@strangers.example"))
    assert "2 lines could not be acted on" in answer or "with 2 lines" in answer
    assert place.mailboxes["who@strangers.example"][-1].is_multipart()


# ---- one sender


@pytest.mark.way_in(number=14)
@AT_ONE_LEVEL
def test_press_of_an_hour(place: Place) -> None:
    seats = place.seats_of_spring
    before = len(place.mailboxes[player("Italy")])
    for _ in range(4):
        answer = text_of(place.send(FRANCE, seats["France"], "PRESS TO ALL\nhello\nENDPRESS\n" * 20))
    assert "as many mails to others as this server allows in an hour" in answer
    assert answer.count("as this server allows") == 1
    assert len(place.mailboxes[player("Italy")]) - before <= 60
    assert "Press sent" in text_of(place.send(player("Italy"), seats["Italy"], "PRESS TO ALL\nhello\nENDPRESS"))
    place.pass_time_quietly(minutes=61)
    assert "Press sent" in text_of(place.send(FRANCE, seats["France"], "PRESS TO ALL\nhello\nENDPRESS"))


@pytest.mark.way_in(number=14)
@AT_ONE_LEVEL
def test_new_games(place: Place) -> None:
    answer = text_of(place.send(MASTER, BASE, "\n".join(f"CREATE game{number}" for number in range(22))))
    assert "as many new games as this server allows in a day" in answer
    assert answer.count("is ready") == 15
    again = text_of(place.send(MASTER, BASE, "CREATE another"))
    assert "as many new games as this server allows in a day" in again
    place.time = place.time.replace(day=place.time.day + 1)
    place.pass_time_quietly(hours=1)
    answer = text_of(place.send(MASTER, BASE, "\n".join(f"CREATE more{number}" for number in range(22))))
    assert "one gamemaster has 20 at most" in answer


@pytest.mark.way_in(number=14)
@AT_ONE_LEVEL
def test_invitations_to_strangers(place: Place) -> None:
    """1,900 mails with the sender's text were once sent because of one mail."""
    created = place.send(MASTER, BASE, "CREATE summer")
    everybody = [f"INVITE p{number}@strangers.example" for number in range(200)]
    answer = text_of(place.send(MASTER, reply_to(created), "\n".join(everybody)))
    invited = [address for address in place.mailboxes if address.endswith("@strangers.example")]
    assert len(invited) == 24
    assert answer.count("one mail may not cause more") == 1
    for start in range(1, 5):
        place.send(MASTER, reply_to(created), "\n".join(everybody[start * 30 :]))
    invited = [address for address in place.mailboxes if address.endswith("@strangers.example")]
    assert len(invited) == 60


@pytest.mark.way_in(number=14)
@AT_ONE_LEVEL
def test_the_seats_of_a_person_have_one_budget(place: Place) -> None:
    """Three games once sent 180 strangers mail in a day; from each of a person's addresses counts alike."""
    chairs = [reply_to(place.send(MASTER, BASE, f"CREATE summer{number}")) for number in range(3)]
    second = "master@home.example"
    place.does(MASTER, BASE, f"ADDRESS ADD {second}")
    place.accepts(second)
    for turn, chair in enumerate(chairs * 2):
        lines = "\n".join(f"INVITE p{turn}x{number}@strangers.example" for number in range(24))
        answer = text_of(place.send((MASTER, second)[turn % 2], chair, lines))
    invited = [address for address in place.mailboxes if address.endswith("@strangers.example")]
    assert len(invited) == 59, "and the second address, which was asked"
    assert "as many mails to people who did not ask for them as this server allows in a day" in answer
    assert "Army Paris -> Burgundy" in text_of(place.send(FRANCE, place.seats_of_spring["France"], "A PAR-BUR"))


@pytest.mark.way_in(number=17)
@AT_ONE_LEVEL
def test_nobody_is_invited_again_and_again(place: Place) -> None:
    for number in range(8):
        master = f"gm{number}@example{number}.org"
        created = place.send(master, BASE, f"CREATE game{number}")
        answers = [text_of(place.send(master, reply_to(created), "INVITE eve@strangers.example")) for _ in range(2)]
        assert "was invited already" in answers[1] or "one recipient" in answers[1]
        place.send(master, reply_to(created), f"INVITE eve+{number}@strangers.example")
    assert sum(len(mails) for address, mails in place.mailboxes.items() if address.startswith("eve")) == 6


@pytest.mark.way_in(number=14)
@AT_ONE_LEVEL
def test_addresses_that_differ_in_their_tag_have_one_budget(place: Place) -> None:
    for number in range(4):
        master = f"master+{number}@example.org"
        chair = reply_to(place.send(master, BASE, f"CREATE summer{number}"))
        lines = "\n".join(f"INVITE p{number}x{guest}@strangers.example" for guest in range(24))
        place.send(master, chair, lines)
    assert len([address for address in place.mailboxes if address.endswith("@strangers.example")]) == 60


# ---- strangers and those whose names they use


@pytest.mark.way_in(number=15)
def test_forged_mails_do_not_use_up_the_answers_of_whom_they_name(place: Place) -> None:
    """Ten receipts at a seat once blocked the public address: a gamemaster's CREATE was carried out and never
    answered.
    """
    seats = place.seats_of_spring
    flood(place, MASTER, BASE, "LIST", 15)
    flood(place, FRANCE, BASE, "LIST", 5)
    assert "is ready" in text_of(place.send(MASTER, BASE, "CREATE autumn"))
    assert "Army Paris -> Burgundy" in text_of(place.send(FRANCE, seats["France"], "A PAR-BUR"))
    for _ in range(12):
        place.send(MASTER, seats["GM"], "MY ORDERS")
    assert "spring" in text_of(place.send(FRANCE, BASE, "LIST"))


def test_nothing_is_done_that_is_not_answered(place: Place) -> None:
    """Mail that is not authenticated: the last reply says so, and later mails are ignored."""
    flood(place, "who@strangers.example", BASE, "LIST", 1)
    place.pass_time_quietly(minutes=22)
    flood(place, "who@strangers.example", BASE, "LIST", 11)
    answers = place.mailboxes["who@strangers.example"]
    assert len(answers) == 10
    assert "This is the last answer before" in text_of(answers[-1])
    assert "last answer" not in text_of(answers[-2])
    assert "before Fri 20 Nov 10:00 UTC" in text_of(answers[-1]), "an hour after the first"
    flood(place, "who@strangers.example", BASE, "CREATE ours", 1)
    assert "ours" not in text_of(place.send(MASTER, BASE, "LIST"))


@pytest.mark.way_in(number=15)
def test_a_flood_of_strangers_does_not_use_up_a_holders_questions(place: Place) -> None:
    seats = place.seats_of_spring
    flood(place, "thief@evil.example", seats["France"], "A PAR-BUR", 15)
    asked = [mail for mail in place.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    assert len(asked) == 10
    assert [mail.state for mail in place.inbox()][-15:] == [InboxState.QUARANTINED] * 15, "none is thrown away"
    place.arrive("ann@work.example", seats["France"], "A PAR-PIC")
    place.work()
    question = place.last(FRANCE)
    assert "ann@work.example" in text_of(question)
    assert "Army Paris -> Picardy" in text_of(place.send(FRANCE, reply_to(question), "YES"))


def answers_to_a_robot(place: Place, times: int, text: str) -> list[EmailMessage]:
    """The answers to so many mails, numbered, from a program at the seat of France."""
    before = len(place.mailboxes[FRANCE])
    for number in range(times):
        place.arrive(FRANCE, place.seats_of_spring["France"], text.format(number))
        place.work()
    return place.mailboxes[FRANCE][before:]


@pytest.mark.way_in(number=16)
@AT_ONE_LEVEL
def test_a_robot_at_a_seat_is_left_alone(place: Place) -> None:
    """A program that replies to every reply and does not mark its mail as automatic."""
    seats = place.seats_of_spring
    before = len(place.mailboxes[FRANCE])
    answers = answers_to_a_robot(place, 12, "I am away until Monday. Your mail of {} is read then.")
    assert len(answers) == 5
    assert "are answered together, once in ten minutes" in text_of(answers[-1])
    place.pass_time(minutes=10)
    assert len(place.mailboxes[FRANCE]) == before + 6, "the other seven are answered in one"
    together = place.last(FRANCE)
    assert "the last ones are answered in one" in text_of(together)
    assert "3 units without an order" in together["Subject"]
    assert "Army Paris -> Burgundy" in text_of(place.send(FRANCE, seats["France"], "A PAR-BUR"))


@AT_ONE_LEVEL
def test_after_a_burst_a_mail_now_and_then_is_answered_by_itself(place: Place) -> None:
    answers_to_a_robot(place, 14, "What a lovely morning it is, number {}.")
    for number in range(8):
        place.pass_time(hours=2)
        (answer,) = answers_to_a_robot(place, 1, f"It is raining here{' again' * number}.")
        assert "answered in one" not in text_of(answer)
    assert len(answers_to_a_robot(place, 9, "And now {}.")) == 0, "a new burst is answered together"


@pytest.mark.way_in(number=16)
@AT_ONE_LEVEL
def test_a_robot_that_writes_commands_stops_too_and_its_orders_count(place: Place) -> None:
    seats = place.seats_of_spring
    before = len(place.mailboxes[FRANCE])
    answers = answers_to_a_robot(place, 65, "WHOAMI\nmail {}")
    assert len(answers) == 60
    assert "Orders to your seat still count" in text_of(answers[-1])
    place.arrive(FRANCE, seats["France"], "A PAR-BUR\nPRESS TO ITALY\nhello\nENDPRESS")
    place.work()
    assert len(place.mailboxes[FRANCE]) == before + 60
    place.pass_time(minutes=61)
    assert len(place.mailboxes[FRANCE]) == before + 61, "all since then are answered in one"
    status = text_of(place.send(FRANCE, seats["France"], "STATUS"))
    assert "Army Paris -> Burgundy" in status
    assert "hello" not in text_of(place.last(player("Italy")))


@pytest.mark.way_in(number=16)
def test_a_robot_that_answers_a_question_is_left_alone(place: Place) -> None:
    """It says nothing of being one. The question can still be answered."""
    seats = place.seats_of_spring
    place.arrive("ann@work.example", seats["France"], "A PAR-BUR")
    place.work()
    question, before = reply_to(place.last(FRANCE)), len(place.mailboxes[FRANCE])
    for sender in (FRANCE, "eve@evil.example"):
        for number in range(12):
            place.arrive(sender, question, f"I am away until Monday. Your mail of {number} is read then.")
            place.work()
    assert len(place.mailboxes[FRANCE]) - before == 6, "five answers, and the question at an address eve does not know"
    assert len(place.mailboxes["eve@evil.example"]) == 3
    question = reply_to(place.last(FRANCE))
    assert "Army Paris -> Burgundy" in text_of(place.send(FRANCE, question, "YES"))
    for number in range(5):
        place.arrive(FRANCE, question, f"YES\n\n{number}")
        place.work()
    assert len(place.mailboxes[FRANCE]) - before == 7, "nor is it answered after that"


@pytest.mark.way_in(number=15)
def test_the_last_question_says_that_it_is_the_last(place: Place) -> None:
    """Mail that would be asked about is not passed over without a word once there were too many questions."""
    flood(place, FRANCE, BASE, "FORGET ME", 12)
    asked = [text_of(mail) for mail in place.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    assert len(asked) == 10
    assert ["This is the last question before" in one for one in asked] == [False] * 9 + [True]


# ---- nobody waits for what takes long


def drawn_while(place: Place, monkeypatch: pytest.MonkeyPatch, where: str) -> list[bool]:
    """Whether other mail was accepted each time that this function was called."""
    module, _, name = where.rpartition(".")
    original, seen = getattr(import_module(module), name), []

    def watched(*args: object, **named: object) -> object:
        raw = place.mail(player("Italy"), BASE, "LIST")
        seen.append(accept(place.service, ArrivedMail("smtp", raw, place.time, (BASE,), player("Italy"))))
        return original(*args, **named)

    monkeypatch.setattr(where, watched)
    return seen


@pytest.mark.way_in(number=13)
@AT_ONE_LEVEL
def test_a_map_is_drawn_while_other_mail_is_accepted(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = drawn_while(place, monkeypatch, "gm.commands.history.map_files")
    answer = place.send(FRANCE, place.seats_of_spring["France"], "MAP\nA PAR-BUR\nPRESS TO ITALY\nhello\nENDPRESS\nMAP")
    assert seen == [True]
    assert len(list(answer.iter_attachments())) == 2
    assert "Army Paris -> Burgundy" in text_of(answer)
    assert [text_of(mail).count("hello") for mail in place.mailboxes[player("Italy")][-2:]].count(1) == 1, "done once"


@AT_ONE_LEVEL
def test_a_long_mail_is_read_while_other_mail_is_accepted(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = drawn_while(place, monkeypatch, "gm.inbound.intake.read")
    talk = "I think that Paris is worth a mass, and that we should all live there.\n" * 900
    answer = text_of(place.send(FRANCE, place.seats_of_spring["France"], f"A PAR-BUR\n{talk}"))
    assert seen == [True]
    assert "Army Paris -> Burgundy" in answer


# ---- a megabyte


MEGABYTE = 985_000
TALK = "I think that we should all be friends and live there for ever and a day, and eat. "
LONG = 512
"""Characters in a line of which a mail of a megabyte has as many as one sender may write."""
WORST = {
    "orders": "A Par S A Mar-Bur " * (LONG // 18),
    "mistakes": "A PRA-BUR",
    "talk of places": "I think Paris " * (LONG // 14),
    "commands": "MAP",
    "trials": "WHATIF",
    "press": f"PRESS TO ALL\n{TALK * 6}\nENDPRESS",
    "press that is too long": f"PRESS TO ALL\n{TALK * 11_000}\nENDPRESS",
    "press to many": f"PRESS TO {'France, ' * 60_000}\nhello\nENDPRESS",
    "votes": "EXTEND 24h",
    "press without an end": "PRESS TO ALL",
    "quotes": "> A PAR-BUR",
    "absences": "ABSENCE 2027-01-01",
    "names": f"REGISTER {'x' * LONG}",
    "one long line of orders": "A PAR-BUR " * 97_000,
    "one long line of places": "Par " * 245_000,
    "one long line of conditions": "IF A PAR " * 105_000,
    "one long word": "A" * MEGABYTE,
    "parentheses": "(" * MEGABYTE,
    "NUL": "\0" * MEGABYTE,
}


DEAREST = frozenset(("orders", "talk of places", "commands", "press", "votes", "absences"))
"""Of these every line takes long, so that a fifth is sent: what a line costs, and what one mail may cause at most, is
the same. That nothing grows faster than the mail is seen with the others."""


def megabyte(line: str, parts: int = 1) -> str:
    """A text of a megabyte, or one of so many parts: so many of these lines as a sender may write, and a quotation."""
    text = f"{line}\n" * max(1, min(1_900 // (line.count("\n") + 1), MEGABYTE // (len(line) + 1)) // parts)
    quoted = f"> {TALK}\n"
    return text + quoted * ((MEGABYTE // parts - len(text)) // len(quoted))


def time_of(place: Place, text: str) -> float:
    """The processor time that a mail of this text takes, from France to its seat."""
    seat = place.seats_of_spring["France"]
    raw = place.mail(FRANCE, seat, "TEXT").replace(b"TEXT", text.encode())
    assert accept(place.service, ArrivedMail("smtp", raw, place.time, (seat,), FRANCE))
    begun = process_time()
    place.work()
    return process_time() - begun


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[int, float]:
    """The processor time of a megabyte in which nothing is asked for, and of a fifth, by the number of parts."""
    used = {}
    for parts in (1, 5):
        place = Place(tmp_path_factory.mktemp("plain"))
        place.seats_of_spring = place.started()
        used[parts] = time_of(place, megabyte(TALK * (LONG // len(TALK)), parts))
        place.database.dispose()
    return used


@pytest.mark.way_in(number=13)
@AT_ONE_LEVEL
@pytest.mark.parametrize("what", WORST)
def test_what_a_megabyte_can_cause(place: Place, plain: dict[int, float], what: str) -> None:
    """Bytes out for each byte in, mails out, statements and processor time, whatever the mail contains."""
    parts = 5 if what in DEAREST else 1
    text = megabyte(WORST[what], parts)
    assert 0.95 * MEGABYTE < parts * len(text) < 1_000_000
    before = {address: len(mails) for address, mails in place.mailboxes.items()}
    with statements(place.database) as seen:
        used = time_of(place, text)
    new = [mail for address, mails in place.mailboxes.items() for mail in mails[before.get(address, 0) :]]
    assert 1 <= len(new) <= 160 + 7 + 1
    assert sum(len(mail.as_bytes()) for mail in new) <= 6 * len(text)
    assert len(seen) <= 2_200  # 12 for each of at most 168 mails and its delivery
    assert used <= 4 * plain[parts]
