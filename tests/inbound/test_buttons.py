"""Whatever a mail asks can be answered with one tap: its links open mails that do what they say."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.inbound.test_first_contact import buttons
from tests.server.sessions import links
from tests.server.world import BASE, OPENINGS, World, body_of, player, reply_to, text_of

MASTER, ITALY, FRANCE = "master@example.org", player("Italy"), player("France")


def all_but_italy(world: World, seats: dict[str, str]) -> None:
    for power, orders in OPENINGS.items():
        if power != "Italy":
            world.send(player(power), seats[power], orders)


def asked(world: World, seats: dict[str, str], line: str) -> EmailMessage:
    """England asks for a vote; France is asked."""
    world.send(player("England"), seats["England"], line)
    return world.last(FRANCE)


def late(world: World, seats: dict[str, str]) -> EmailMessage:
    all_but_italy(world, seats)
    world.pass_time(days=7, minutes=1)
    return world.last(ITALY)


def late_twice(world: World, seats: dict[str, str]) -> None:
    all_but_italy(world, seats)
    world.pass_time(days=7, minutes=1)
    for power in OPENINGS:
        if power != "Italy":
            world.send(player(power), seats[power], "READY")
    world.pass_time(days=3, minutes=1)


def lost(world: World, seats: dict[str, str], of: str) -> EmailMessage:
    late_twice(world, seats)
    titles = {ITALY: "lost your seat", MASTER: "A seat is vacant"}
    return next(mail for mail in reversed(world.mailboxes[of]) if titles[of] in str(mail["Subject"]))


def resigned(world: World, seats: dict[str, str]) -> EmailMessage:
    world.send(ITALY, seats["Italy"], "RESIGN spring")
    return next(mail for mail in reversed(world.mailboxes[MASTER]) if "resigned" in str(mail["Subject"]))


def ordered(world: World, seats: dict[str, str], after: str = "") -> EmailMessage:
    answer = world.send(FRANCE, seats["France"], OPENINGS["France"])
    return world.send(FRANCE, seats["France"], after) if after else answer


ALWAYS = ("STATUS", "MY ORDERS", "MAP", "HELP ORDERS", "HELP")
"""What each reply at a seat offers at its end."""
Asks = Callable[[World, dict[str, str]], EmailMessage]

CASES: dict[str, tuple[str, Asks, list[str], str]] = {
    "more time": (
        "",
        lambda world, seats: asked(world, seats, "EXTEND 24h"),
        ["EXTEND UNTIL 2026-11-28 09:00 UTC", "EXTEND NO"],
        "vote for EXTEND is",
    ),
    "a pause": (
        "",
        lambda world, seats: asked(world, seats, "PAUSE"),
        ["PAUSE", "PAUSE NO"],
        "vote for PAUSE is counted",
    ),
    "late orders": ("grace=12h", late, ["Open these lines in a new mail"], "2 units without an order"),
    "late orders are waited for": ("nmr=wait", late, ["Open these lines in a new mail"], "2 units without an order"),
    "an extension": (
        "extensions=2 reminder=none",
        late,
        ["EXTEND", "Open these lines in a new mail"],
        "You have no extensions left",
    ),
    "a lost seat": (
        "nmr=disorder",
        lambda world, seats: lost(world, seats, ITALY),
        ["TAKEOVER spring AS Italy"],
        "You play Italy in",
    ),
    "a vacant seat": (
        "nmr=disorder",
        lambda world, seats: lost(world, seats, MASTER),
        ["DUMMY Italy"],
        "Italy is a dummy",
    ),
    "who resigned": ("", resigned, ["DUMMY Italy"], "Italy is a dummy"),
    "complete orders": ("early=ready", ordered, ["READY"], "You are READY"),
    "ready": (
        "early=ready",
        lambda world, seats: ordered(world, seats, "READY"),
        ["WAIT"],
        "will not be adjudicated before",
    ),
    "waiting": ("early=ready", lambda world, seats: ordered(world, seats, "WAIT"), ["READY"], "You are READY"),
    "complete orders may wait": ("", ordered, ["WAIT"], "will not be adjudicated before"),
    "a draw": ("", lambda world, seats: ordered(world, seats, "DRAW"), ["NO DRAW", "WAIT"], "vote against a draw"),
    "a concession": (
        "",
        lambda world, seats: ordered(world, seats, "CONCEDE TO Italy"),
        ["NO CONCEDE", "WAIT"],
        "You do not concede",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_answer_is_one_tap(name: str, tmp_path: Path) -> None:
    options, play, words, said = CASES[name]
    world = World(tmp_path)
    mail = play(world, world.started(options=options))
    found = {word: opens for word, opens in buttons(mail).items() if word not in ALWAYS}
    assert list(found) == words
    assert all(f"    {word}\n" in body_of(mail) for word in words if "lines" not in word), "the text has the words, too"
    who = next(address for address, mails in world.mailboxes.items() if mail in mails)
    address, line = next(iter(found.values()))
    answer = world.send(who, address, line.replace("F Nap-", "F Nap-Ion"))
    assert said in text_of(answer)


def test_the_gamemaster_of_a_game_that_waits_goes_on_with_one_tap(tmp_path: Path) -> None:
    world = World(tmp_path)
    seats = world.started(options="nmr=wait")
    late(world, seats)
    found = buttons(world.last(MASTER))
    assert list(found) == ["DUMMY Italy"]
    world.send(MASTER, *found["DUMMY Italy"])
    assert world.phase() == "F1901M"


def test_a_button_of_a_stranger_goes_to_the_server(tmp_path: Path) -> None:
    world = World(tmp_path)
    mail = lost(world, world.started(options="nmr=disorder"), ITALY)
    assert reply_to(mail) == BASE


def next_phase(world: World, seats: dict[str, str]) -> EmailMessage:
    """S1901M is played with all orders, and F1901M begins. Returns France's receipt of its orders for F1901M."""
    for power, orders in OPENINGS.items():
        world.send(player(power), seats[power], f"{orders}\nREADY")
    assert world.phase() == "F1901M"
    return world.send(FRANCE, seats["France"], "A BUR H\nA SPA H\nF MAO H")


def test_a_button_says_which_phase_it_is_for(tmp_path: Path) -> None:
    """The mail that it opens cites nothing; just after a phase has begun others are asked which one they are for."""
    world = World(tmp_path)
    seats = world.started(options="early=ready")
    before = world.send(FRANCE, seats["France"], OPENINGS["France"])
    (address, subject, line) = links(before)["READY"]
    receipt = next_phase(world, seats)
    now = links(receipt)["READY"]
    answer = world.send(FRANCE, now[0], now[2], headers={"Subject": now[1], "In-Reply-To": ""})
    assert "You are READY" in text_of(answer)
    world.pass_time(days=1)
    world.send(FRANCE, seats["France"], "WAIT")
    given = {"Subject": subject, "In-Reply-To": ""}
    world.arrive(FRANCE, address, line, headers=given)
    world.work()
    assert any("may be for S1901M, which is closed" in text_of(mail) for mail in world.mailboxes[FRANCE][-2:])


def test_a_button_of_a_phase_that_was_played_twice_says_nothing(tmp_path: Path) -> None:
    world = World(tmp_path)
    seats = world.started(options="early=ready")
    next_phase(world, seats)
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    world.pass_time(hours=2)
    given = {"Subject": "[spring] S1901M France", "In-Reply-To": ""}
    answer = world.send(FRANCE, seats["France"], "A PAR-PIC", headers=given)
    assert "A Par-Pic" in text_of(answer)


def test_answers_to_buttons_are_in_the_thread_of_the_game(tmp_path: Path) -> None:
    world = World(tmp_path)
    seats = world.started(options="early=ready")
    report = world.last(FRANCE)
    (address, subject, _) = links(report)["Write my orders"]
    answer = world.send(FRANCE, address, OPENINGS["France"], headers={"Subject": subject, "In-Reply-To": ""})
    assert str(answer["References"]).split()[0] == str(report["References"])
    assert seats["France"]


def test_press_without_its_end_is_sent_with_one_tap(world: World, seats: dict[str, str]) -> None:
    """To those named in it, also from a plain mail of several lines, without the orders below it, and not if it has
    orders in it.
    """
    answer = world.send(FRANCE, seats["France"], "PRESS TO ITALY\nShall we?\nA PAR H\nYours")
    assert "has no ENDPRESS" in text_of(answer)
    assert not [word for word in buttons(answer) if "PRESS" in word]
    answer = world.send(FRANCE, seats["France"], "PRESS TO ITALY\nShall we?\nYours\n\nA PAR H")
    assert [link[-1].split() for words, link in buttons(answer).items() if "PRESS" in words] == [
        ["PRESS", "TO", "ITALY", "Shall", "we?", "Yours", "ENDPRESS"]
    ]
    assert "A PAR H" in buttons(answer)
    answer = world.send(FRANCE, seats["France"], "PRESS TO ITALY\nShall we?\nYours, France")
    ((words, (_, body)),) = [(words, link[-2:]) for words, link in buttons(answer).items() if "PRESS" in words]
    assert words == "PRESS TO ITALY / Shall we? / Yours, France / ENDPRESS"
    assert body.split() == ["PRESS", "TO", "ITALY", "Shall", "we?", "Yours,", "France", "ENDPRESS"]
    before = len(world.mailboxes[ITALY])
    world.send(FRANCE, seats["France"], body)
    assert len(world.mailboxes[ITALY]) == before + 1
    assert "Yours, France" in text_of(world.last(ITALY))


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("F BRE-MAO\nMia Long\n8:11 AM\nA PAR-PIC", "A PAR-PIC"),
        ("Bea Long:\nA PAR-PIC", "A PAR-PIC"),
        ("F BRE-MAO\n-- \nAnn\nA PAR-PIC", "A PAR-PIC"),
        ("F BRE-MAO\n\n> A PAR-PIC", ""),
        ("F BRE-MAO\n-- \nAnn\n" + "A PAR-PIC\n" * 200, ""),
    ],
)
def test_what_may_be_the_senders_own_is_sent_with_one_tap(
    world: World, seats: dict[str, str], text: str, sent: str
) -> None:
    """Not what is another's, nor more than a link can hold."""
    answer = world.send(FRANCE, seats["France"], text)
    assert "A PAR-PIC" in body_of(answer)
    assert "A Par-Pic" not in body_of(answer)
    opens = buttons(answer).get("They are mine: send them")
    assert (opens[1].replace("\r\n", "\n").strip() if opens else "") == sent
    if opens:
        assert "A Par-Pic" in text_of(world.send(FRANCE, opens[0], opens[1]))
    if "answer YES" in text_of(answer):
        world.send(FRANCE, seats["France"], "F BRE H")
        cites = {"In-Reply-To": str(answer["Message-ID"])}
        assert "A Par-Pic" in text_of(world.send(FRANCE, seats["France"], "Yes", headers=cites))


def test_the_first_page_tells_how_press_ends(world: World) -> None:
    assert "ENDPRESS" in text_of(world.send("new@example.net", BASE, "Hello, how does this work?"))


@pytest.mark.parametrize(
    ("line", "words", "said"),
    [
        ("EXTEND 24h", "Yes", "vote for EXTEND is counted"),
        ("EXTEND 24h", "Yes, please.\n\nFrance", "vote for EXTEND is counted"),
        ("EXTEND 24h", "Yes, fine with me", "vote for EXTEND is counted"),
        ("EXTEND 24h", "Fine with me!", "vote for EXTEND is counted"),
        ("EXTEND 24h", "No, sorry", "vote against EXTEND"),
        ("PAUSE", "ok", "vote for PAUSE is counted"),
        ("PAUSE", "NO", "vote against PAUSE"),
    ],
)
def test_yes_answers_the_vote_whose_mail_it_cites(
    line: str, words: str, said: str, world: World, seats: dict[str, str]
) -> None:
    mail = asked(world, seats, line)
    answer = world.send(FRANCE, seats["France"], words, headers={"In-Reply-To": str(mail["Message-ID"])})
    assert said in text_of(answer)


@pytest.mark.parametrize(
    "words", ["Fine with me if it helps", "Fine with me, but not longer", "Yes, but not longer\nFrance"]
)
def test_what_is_no_plain_yes_to_a_vote_is_not_counted_and_says_so(
    world: World, seats: dict[str, str], words: str
) -> None:
    mail = asked(world, seats, "EXTEND 24h")
    answer = text_of(world.send(FRANCE, seats["France"], words, headers={"In-Reply-To": str(mail["Message-ID"])}))
    assert "Your answer was not counted, since it is neither YES nor NO alone." in answer
    assert "Write EXTEND UNTIL 2026-11-28 09:00 UTC or EXTEND NO." in answer


@pytest.mark.parametrize(
    ("withdrawn", "words", "said"),
    [
        (False, "YES", "4 players must agree; 2 so far."),
        (True, "YES", "EXTEND UNTIL 2026-12-27 09:00 UTC or EXTEND NO"),
        (True, "NO", "EXTEND UNTIL 2026-12-27 09:00 UTC or EXTEND NO"),
    ],
)
def test_yes_is_for_what_its_mail_showed(
    world: World, seats: dict[str, str], words: str, said: str, *, withdrawn: bool
) -> None:
    due, mail = world.game().due_at, asked(world, seats, "EXTEND 24h")
    for power in ("Austria", "Germany", "Turkey"):
        world.send(player(power), seats[power], "EXTEND 30d")
    if withdrawn:
        world.send(player("England"), seats["England"], "NO EXTEND")
    cites = {"In-Reply-To": str(mail["Message-ID"])}
    assert said in " ".join(text_of(world.send(FRANCE, seats["France"], words, headers=cites)).split())
    assert world.game().due_at == due


def test_yes_to_no_vote_is_told_what_to_write(world: World, seats: dict[str, str]) -> None:
    report = world.last(FRANCE)
    cites = {"In-Reply-To": str(report["Message-ID"])}
    assert "Nothing waits for your answer." in text_of(world.send(FRANCE, seats["France"], "Yes", headers=cites))
    mail = asked(world, seats, "EXTEND 24h")
    answer = text_of(world.send(FRANCE, seats["France"], "Yes", headers=cites))
    assert "To vote, write EXTEND UNTIL 2026-11-28 09:00 UTC or EXTEND NO." in answer
    cites = {"In-Reply-To": str(mail["Message-ID"])}
    world.send(MASTER, seats["GM"], "PROCESS")
    world.pass_time(minutes=1)
    assert "Nothing waits for your answer" in text_of(world.send(FRANCE, seats["France"], "Yes", headers=cites))


def test_yes_to_the_roll_call_is_here(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], "MUSTER")
    call = next(mail for mail in reversed(world.mailboxes[FRANCE]) if "there?" in str(mail["Subject"]))
    cites = {"In-Reply-To": str(call["Message-ID"])}
    assert "France is there" in text_of(world.send(FRANCE, seats["France"], "Yes", headers=cites))


@pytest.mark.parametrize(
    ("others", "words", "said"),
    [
        ("DRAW", "{orders}\nDRAW", "You vote for a draw of all survivors. The game is over"),
        ("DRAW", "WAIT\n{orders}\nDRAW", "The game is over"),
        ("CONCEDE TO FRANCE", "{orders}\nCONCEDE TO FRANCE", "You concede the game to France. The game is over"),
        ("CONCEDE TO FRANCE", "DRAW\nCONCEDE TO FRANCE", "The game is over"),
    ],
)
def test_nothing_of_a_game_that_the_mail_has_ended_is_offered(world: World, others: str, words: str, said: str) -> None:
    seats = world.started(options="early=ready")
    for power in set(OPENINGS) - {"France", "Turkey"}:
        world.send(player(power), seats[power], others)
    if others == "DRAW":
        world.send(player("France"), seats["France"], others)
    answer = text_of(world.send(player("Turkey"), seats["Turkey"], words.format(orders=OPENINGS["Turkey"])))
    assert said in answer
    assert "mailto:" not in answer
    assert "You can change them" not in answer
    assert "if all others do" not in answer


def test_what_is_offered_of_a_phase_that_goes_on_stays_offered(world: World) -> None:
    seats = world.started(options="early=ready")
    answer = text_of(world.send(player("Turkey"), seats["Turkey"], "DRAW\nCONCEDE TO FRANCE"))
    assert "take your vote back" in answer
    assert "if all others do" in answer
