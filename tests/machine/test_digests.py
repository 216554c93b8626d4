"""Digests: one mail a day for many games, which can be answered for all of them.

It is long because all of it plays in one world, which takes long to begin.
"""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from gm.machine import digests
from gm.orders.notation import write
from tests.server.kept import kept
from tests.server.world import BASE, OPENINGS, World, body_of, player, reply_to, text_of

FRANCE = player("France")


@kept
def in_two_games(world: World) -> dict[str, str]:
    """France plays in spring and in twin, and has asked for a digest; the seats."""
    seats = {"spring": world.begin_here()["France"], "twin": world.begin_here("twin")["France"]}
    world.send(FRANCE, BASE, "PREFERENCES digest=07:00")
    world.mailboxes = {FRANCE: []}
    return seats


Begun = tuple[World, dict[str, str]]


@pytest.fixture
def begun(tmp_path: Path) -> Begun:
    """That world, before any mail has come."""
    world = World(tmp_path)
    return world, in_two_games(world)


@pytest.fixture
def world(begun: Begun) -> World:
    return begun[0]


@pytest.fixture
def seats(begun: Begun) -> dict[str, str]:
    return begun[1]


@kept
def news(world: World) -> EmailMessage:
    """The digest of the next morning, about press from England in both games."""
    for name in ("spring", "twin"):
        press(world, name, "England", f"hello in {name}")
    assert world.mailboxes[FRANCE] == []
    world.pass_time(hours=22)
    (digest,) = world.mailboxes[FRANCE]
    return digest


def press(world: World, name: str, power: str, text: str) -> None:
    seat = next(seat for seat in world.seats(name) if seat.power == power)
    address = world.service.identity.address_of(world.game(name), seat)
    world.send(player(power), address, f"PRESS TO France\n{text}\nENDPRESS")


def orders(world: World, name: str) -> list[str]:
    return sorted(write(order) for given in world.game(name).orders.values() for order in given.orders)


def answers(world: World, digest: EmailMessage, text: str, **more: object) -> list[EmailMessage]:
    """What comes after an answer to the digest."""
    before = len(world.mailboxes[FRANCE])
    world.arrive(FRANCE, reply_to(digest), text, **more)
    world.work()
    return world.mailboxes[FRANCE][before:]


def plain(mail: EmailMessage) -> str:
    return " ".join(text_of(mail).split())


def test_press_in_two_games_comes_in_one_mail_in_the_morning(world: World) -> None:
    digest = news(world)
    said = plain(digest)
    assert str(digest["Subject"]) == "Your games: spring and twin"
    assert "GAME spring =====" in said
    assert "GAME twin =====" in said
    assert "hello in spring" in said
    assert "hello in twin" in said
    assert "spring: France. Spring 1901 movement (S1901M) is due" in said
    assert "Reply to this mail to answer England" not in said
    assert "+digest." in reply_to(digest)
    assert "PREFERENCES%20digest%3Dnone" in digest["List-Unsubscribe"]


@pytest.mark.parametrize(
    ("text", "spring", "twin", "receipts"),
    [
        ("GAME spring\nF BRE-MAO\nGAME twin\nA PAR-GAS", ["F Bre-Mao"], ["A Par-Gas"], 2),
        ("Hello,\n\ngame Twin\nA PAR-GAS\n\nBest", [], ["A Par-Gas"], 1),
        ("F BRE-MAO\nGAME twin\nA PAR-GAS", [], ["A Par-Gas"], 2),
        ("GAME spring, twin\nA PAR-GAS", ["A Par-Gas"], ["A Par-Gas"], 2),
        ("spring:\nF BRE-MAO\ntwin:\nA PAR-GAS", ["F Bre-Mao"], ["A Par-Gas"], 2),
        ("READY", [], [], 1),
        ("GAME sprng\nA PAR-BUR", [], [], 1),
        ("> GAME spring\n> ===\n> France.\nF BRE-MAO\n> GAME twin\n> ===\nA PAR-GAS", ["F Bre-Mao"], ["A Par-Gas"], 2),
        ("> GAME spring\n>     GAME twin\n> more\nF BRE-MAO", ["F Bre-Mao"], [], 1),
        ("> *GAME spring*\n> France.\nF BRE-MAO\n> *GAME twin*\n> F.\nA PAR-GAS", ["F Bre-Mao"], ["A Par-Gas"], 2),
        (
            "> GAME spring\n> ===\n> France.\nF BRE-MAO\n> GAME twin\n> ===\n> the end\n\nCheers, Ann",
            ["F Bre-Mao"],
            [],
            1,
        ),
        ("Thank you!", [], [], 1),
    ],
)
def test_an_answer_counts_for_the_games_that_it_names(
    world: World, text: str, spring: list[str], twin: list[str], receipts: int
) -> None:
    found = answers(world, news(world), text)
    assert (orders(world, "spring"), orders(world, "twin")) == (spring, twin)
    assert len(found) == receipts, [plain(mail) for mail in found]


@pytest.mark.parametrize(
    "heading",
    [
        "twin (France)",
        "twin - France",
        "GAME twin (France)",
        "GAME spring -2",
        "GANE twin",
        "GANE sprng",
    ],
)
@pytest.mark.parametrize("above", ["", "PHASE F1901M\nA PAR-PIC\n"])
def test_what_is_below_a_heading_that_is_not_understood_is_for_no_game(world: World, heading: str, above: str) -> None:
    text = f"GAME spring\nF BRE-MAO\n{above}\n{heading}\nA PAR-GAS\nREADY\nGAME twin\nF BRE-ENG"
    found = answers(world, news(world), text)
    (asked,) = (mail for mail in found if "Which game do you mean?" in plain(mail))
    assert (orders(world, "spring"), orders(world, "twin")) == (["F Bre-Mao"], ["F Bre-Eng"])
    said = plain(asked)
    assert f"'{heading}' names no game of yours as a heading does, and nothing below it was used" in said
    assert "'A PAR-GAS'; 'READY'" in said
    assert "For twin" in said
    assert len(found) == 3


@pytest.mark.parametrize(
    "heading", ["twin", "Twin:", "*GAME twin*", "**twin**", "game\u00a0twin", "[twin]", "GAME twin:", "And for twin:"]
)
def test_the_name_of_a_game_alone_on_a_line_is_a_heading(world: World, heading: str) -> None:
    answers(world, news(world), f"GAME spring\nF BRE-MAO\n\n{heading}\nA PAR-GAS\n")
    assert (orders(world, "spring"), orders(world, "twin")) == (["F Bre-Mao"], ["A Par-Gas"])


@pytest.mark.parametrize("line", ["Spring 1901:", "Good luck in this game!", "The game is going well for me", "Spring"])
def test_what_names_no_other_game_closes_no_section(world: World, line: str) -> None:
    answers(world, news(world), f"GAME spring\n{line}\nF BRE-MAO")
    assert orders(world, "spring") == ["F Bre-Mao"]


@pytest.mark.parametrize(
    ("text", "ready"),
    [
        ("GAME twin\nA PAR-GAS\nREADY", True),
        ("Hello,\n\nGAME twin\nA PAR-GAS\nREADY\n\nGAME spring\nthanks", True),
        ("F BRE-MAO\nGAME twin\nA PAR-GAS\nREADY", False),
        ("GAME sprng\nF BRE-MAO\nGAME twin\nA PAR-GAS\nREADY", False),
        ("GAME spring\nF BRE-MAO\nGANE spring\nA MAR H\nGAME twin\nA PAR-GAS\nREADY", False),
    ],
)
def test_ready_waits_while_lines_of_the_answer_are_for_no_game(world: World, text: str, ready: bool) -> None:
    found = answers(world, news(world), text)
    (given,) = world.game("twin").orders.values()
    assert given.complete is ready
    assert any("READY was not acted on" in plain(mail) for mail in found) is not ready


def test_an_answer_that_names_no_game_is_asked_for_which(world: World, seats: dict[str, str]) -> None:
    (asked,) = answers(world, news(world), "READY")
    said = plain(asked)
    assert "this names no game, so it was not used: 'READY'" in said
    assert "For spring" in said
    for address in seats.values():
        assert address in text_of(asked).replace("=\n", "")
    answers(world, asked, "GAME twin\n" + OPENINGS["France"])
    assert len(orders(world, "twin")) == 3


def test_the_digest_of_one_game_needs_no_name(world: World) -> None:
    press(world, "spring", "England", "one")
    press(world, "spring", "Italy", "two")
    world.pass_time(hours=22)
    (digest,) = world.mailboxes[FRANCE]
    answers(world, digest, "A PAR-BUR")
    assert (orders(world, "spring"), orders(world, "twin")) == (["A Par-Bur"], [])


def test_a_mail_that_waits_alone_is_sent_as_it_is(world: World) -> None:
    press(world, "spring", "England", "hello")
    world.pass_time(hours=22)
    (mail,) = world.mailboxes[FRANCE]
    assert ".to-england." in reply_to(mail)


def test_what_one_mail_cannot_have_goes_with_the_next_digest(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "MOST_TEXT", 10_000)
    for number in range(6):
        press(world, "spring", "England", f"letter {number} " + "and so on " * 200)
    world.pass_time(hours=22)
    mails = world.mailboxes[FRANCE]
    assert len(mails) > 1
    texts = [text_of(mail) for mail in mails]
    assert [sum(f"letter {number} " in text for text in texts) for number in range(6)] == [1] * 6


def test_what_is_due_before_the_digest_comes_at_once_with_all_that_waits_of_its_game(world: World) -> None:
    press(world, "spring", "England", "one")
    press(world, "twin", "England", "two")
    master = next(seat for seat in world.seats() if seat.role == "master")
    address = world.service.identity.address_of(world.game(), master)
    with world.trusting():
        world.send("master@example.org", address, "DEADLINE in 20h")
    (digest,) = world.mailboxes[FRANCE]
    assert "one" in plain(digest)
    assert "GAME twin" not in plain(digest)
    world.pass_time(hours=22)
    assert "two" in plain(world.mailboxes[FRANCE][-1])


@pytest.mark.parametrize("change", ["none", "09:30"])
def test_nothing_is_lost_when_the_digest_changes(world: World, change: str) -> None:
    for name in ("spring", "twin"):
        press(world, name, "England", f"hello in {name}")
    with world.trusting():
        said = plain(world.send(FRANCE, BASE, f"PREFERENCES digest={change}"))
    assert "What waited for your digest is sent now." in said
    mails = world.mailboxes[FRANCE]
    assert sum("hello in spring" in plain(mail) and "hello in twin" in plain(mail) for mail in mails) == 1


def spoken(world: World, name: str, role: str, text: str) -> EmailMessage:
    """The answer to a mail of the gamemaster, or of another player."""
    seat = next(seat for seat in world.seats(name) if role in (seat.role, seat.power))
    assert seat.person is not None
    address = world.service.identity.address_of(world.game(name), seat)
    return world.send(seat.person.addresses[0], address, text)


@kept
def played(world: World, name: str) -> None:
    """The first phase of a game, with everybody's orders."""
    for power, text in OPENINGS.items():
        spoken(world, name, power, text)
    world.mailboxes[FRANCE].clear()


@pytest.mark.parametrize("steps", [["EXTEND 24h"], ["EXTEND 24h", "EXTEND 48h"], ["PAUSE", "RESUME"], ["PAUSE"]])
def test_a_digest_says_the_deadline_as_it_is(world: World, steps: list[str]) -> None:
    played(world, "spring")
    press(world, "spring", "England", "hello")
    before = world.game().due_at
    for step in steps:
        world.pass_time(hours=2)
        spoken(world, "spring", "master", step)
    press(world, "twin", "England", "hello in twin")
    world.pass_time(hours=20)
    (digest,) = world.mailboxes[FRANCE]
    said, due = plain(digest), world.game().due_at
    assert before is not None
    now = re.sub(r"than before \([^)]*\)", "", said)
    assert before == due or f"{before:%a} {before.day} {before:%b %Y}, {before:%H:%M}" not in now
    assert "This was written before" not in said
    assert ("The game is paused" in said) == (steps == ["PAUSE"])
    assert said.count("moved the deadline") == (1 if "EXTEND 24h" in steps else 0)
    (file,) = [part for part in digest.walk() if part.get_content_type() == "text/calendar"]
    assert file.get_param("method") == ("CANCEL" if due is None else "PUBLISH")
    if due is not None:
        assert f"{due:%a} {due.day} {due:%b %Y}, {due:%H:%M} UTC" in said
        assert f"DTSTART:{due:%Y%m%dT%H%M%SZ}" in str(file.get_content())


def test_an_extension_that_another_change_follows_is_left_out(world: World) -> None:
    for game in ("spring", "twin"):
        spoken(world, game, "master", "SET extensions=2")
        played(world, game)
    world.mailboxes[FRANCE].clear()
    spoken(world, "spring", "England", "EXTEND")
    spoken(world, "spring", "master", "EXTEND 48h")
    press(world, "twin", "England", "hello in twin")
    world.pass_time(hours=24)
    said = " ".join(plain(mail) for mail in world.mailboxes[FRANCE])
    assert "hello in twin" in said
    assert said.count("A player has used an extension") == 0
    assert said.count("moved the deadline") == 1


def test_a_report_that_waits_alone_says_the_deadline_as_it_is(world: World) -> None:
    played(world, "spring")
    spoken(world, "spring", "France", "ABSENCE 2026-11-22 TO 2026-11-30")
    due = world.game().due_at
    assert due is not None
    world.mailboxes[FRANCE].clear()
    world.pass_time(hours=22)
    (mail,) = world.mailboxes[FRANCE]
    assert f"{due:%a} {due.day} {due:%b %Y}, {due:%H:%M} UTC" in plain(mail)


def test_a_reply_counts_for_the_phase_that_the_digest_told_of(world: World) -> None:
    played(world, "spring")
    digest = news(world)
    assert "GAME spring A Bur-" in plain(digest).replace("> ", "")
    spoken(world, "spring", "master", "PROCESS")
    (late,) = answers(world, digest, "GAME spring\nA BUR-MUN")
    assert "F1901M is over" in plain(late)
    assert orders(world, "spring") == []


def test_what_is_undone_before_the_digest_is_said_to_be(world: World) -> None:
    played(world, "spring")
    spoken(world, "spring", "master", "ROLLBACK S1901M")
    digest = news(world)
    said = plain(digest)
    assert "This was written before S1901M began." in said
    assert "S1901M" in said
    receipt, *_ = answers(world, digest, "GAME spring\nA PAR-PIC")
    assert "Orders of France for S1901M" in plain(receipt)


def test_a_seat_that_was_lost_has_news_and_no_address(world: World) -> None:
    for name in ("spring", "twin"):
        press(world, name, "England", f"hello in {name}")
    spoken(world, "spring", "master", "EJECT France")
    world.mailboxes[FRANCE].clear()
    world.pass_time(hours=22)
    (digest,) = world.mailboxes[FRANCE]
    assert "spring: This is not your seat any more" in plain(digest)
    assert "GAME spring =" not in plain(digest)
    (asked,) = answers(world, digest, "GAME spring\nA PAR-BUR")
    assert "What is below GAME spring was not used" in plain(asked)


def test_reminders_of_orders_that_are_in_are_left_out(world: World) -> None:
    with world.trusting():
        spoken(world, "spring", "master", "SET reminder=60h")
        spoken(world, "spring", "master", "DEADLINE in 72h")
    world.pass_time(hours=21)
    spoken(world, "spring", "France", OPENINGS["France"])
    world.pass_time(hours=23)
    said = plain(world.mailboxes[FRANCE][-1])
    assert "reminder=60h" in said
    assert "No orders for France" not in said.replace("no orders", "No orders")


def test_others_cannot_answer_a_digest(world: World) -> None:
    digest = news(world)
    world.arrive(player("England"), reply_to(digest), "GAME spring\nA PAR-BUR")
    world.work()
    assert orders(world, "spring") == []
    assert "somebody else" in plain(world.last(player("England")))
    (refused,) = answers(world, digest, "GAME spring\nA PAR-BUR")
    assert "Others have seen the address" in plain(refused)


@pytest.mark.parametrize("days", [59, 62])
def test_a_digest_can_be_answered_for_two_months(world: World, days: int) -> None:
    digest = news(world)
    spoken(world, "twin", "master", "PAUSE")
    world.pass_time_quietly(days=days)
    world.arrive(FRANCE, reply_to(digest), "GAME twin\nA PAR-BUR")
    world.work()
    assert orders(world, "twin") == (["A Par-Bur"] if days < 60 else [])


def test_a_heading_in_press_names_no_game(world: World) -> None:
    press(world, "twin", "England", "GAME spring\nA PAR H")
    press(world, "spring", "England", "hello")
    world.pass_time(hours=22)
    (digest,) = world.mailboxes[FRANCE]
    answers(world, digest, "GAME twin\nA PAR-GAS\nGAME spring\nA PAR-BUR\nA MAR H")
    assert orders(world, "twin") == ["A Par-Gas"]
    assert orders(world, "spring") == ["A Mar H", "A Par-Bur"]


@pytest.mark.parametrize("line", ["GAME twin", "*GAME twin*", "game Twin"])
def test_press_in_a_digest_has_no_line_like_a_heading(world: World, line: str) -> None:
    press(world, "spring", "England", f"Look:\n\n{line}\n=========\n\nLet us draw")
    press(world, "twin", "England", "hello")
    world.pass_time(hours=22)
    (digest,) = world.mailboxes[FRANCE]
    shown = [one.strip() for one in body_of(digest).splitlines()]
    end = shown.index("Let us draw")
    quoted = [f"> {one}".rstrip() for one in shown]
    answers(world, digest, "\n".join([*quoted[: end + 1], "", "F BRE-MAO", "", *quoted[end + 1 :]]))
    assert (orders(world, "spring"), orders(world, "twin")) == (["F Bre-Mao"], [])


def test_orders_among_lines_quoted_without_marks_are_asked_about(world: World) -> None:
    digest = news(world)
    head = "_" * 32 + f"\nFrom: gm <{reply_to(digest)}>\nSent: Monday\nTo: {FRANCE}\nSubject: {digest['Subject']}\n\n"
    quoted = body_of(digest).replace("\r\n", "\n").replace("GAME twin\n=", "GAME twin\nA PAR-GAS\n=", 1)
    (asked,) = answers(world, digest, head + quoted)
    assert "among the quoted lines of the digest, and was not used: 'A PAR-GAS'" in plain(asked)
    (nothing,) = answers(world, digest, head + body_of(digest).replace("\r\n", "\n"))
    assert "so nothing was changed" in plain(nothing)


def test_two_answers_at_once_are_both_acted_on(world: World) -> None:
    digest = news(world)
    for text in ("GAME spring\nA PAR-BUR", "GAME spring\nF BRE-MAO\nGAME twin\nF BRE-ENG"):
        world.arrive(FRANCE, reply_to(digest), text)
    world.work()
    assert (orders(world, "spring"), orders(world, "twin")) == (["A Par-Bur", "F Bre-Mao"], ["F Bre-Eng"])


def test_the_same_answer_twice_is_acted_on_once(world: World) -> None:
    digest = news(world)
    before = len(world.mailboxes[FRANCE])
    for _ in range(2):
        world.arrive(FRANCE, reply_to(digest), "GAME spring\nA PAR-BUR", message_id="<one@players.example>")
        world.work()
    assert len(world.mailboxes[FRANCE]) == before + 1


def test_whoever_is_forgotten_gets_no_digest(world: World) -> None:
    for name in ("spring", "twin"):
        press(world, name, "England", f"hello in {name}")
    with world.trusting():
        world.send(FRANCE, BASE, "FORGET ME")
    world.mailboxes[FRANCE].clear()
    world.pass_time(hours=22)
    assert world.mailboxes[FRANCE] == []


def test_what_names_somebody_who_is_forgotten_is_not_lost(world: World) -> None:
    for name in ("spring", "twin"):
        press(world, name, "England", f"Hello from Pat England in {name}")
    with world.trusting():
        world.send(player("England"), BASE, "FORGET ME")
    world.pass_time(hours=22)
    said = " ".join(plain(mail) for mail in world.mailboxes[FRANCE])
    assert "in spring" in said
    assert "in twin" in said


def test_without_plus_addressing_a_digest_is_answered_too(tmp_path: Path) -> None:
    world = World(tmp_path, plus_addressing=False)
    world.begin_here()
    world.begin_here("twin")
    world.send(FRANCE, BASE, "PREFERENCES digest=07:00")
    world.mailboxes[FRANCE].clear()
    for name in ("spring", "twin"):
        press(world, name, "England", f"hello in {name}")
    world.pass_time(hours=22)
    (digest,) = world.mailboxes[FRANCE]
    answers(world, digest, "GAME spring\nF BRE-MAO\nGAME twin\nA PAR-GAS")
    assert (orders(world, "spring"), orders(world, "twin")) == (["F Bre-Mao"], ["A Par-Gas"])
