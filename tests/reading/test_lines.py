"""One line, one fate: of any mail every own line has exactly one, and what the mail did follows from them."""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

import gm
from gm import patterns
from gm.inbound.explain import explain
from gm.orders.notation import write
from gm.parsing import message, orders
from gm.reading.line import Kind
from gm.reading.rows import Row
from tests.reading.recorder import wrong
from tests.server.world import World, body_of, player, reply_to

FRANCE = player("France")
PIECES = (
    *("A Par-Bur", "A Mar S A Par-Bur", "F Bre-Mao", "F Bre - Mid Atlantic", "A Par-Mos", "A Par-Brgndy", "a par h"),
    *("Fleet Brest to the English Channel", "Army from Paris to Picardy", "The army in Marseilles holds", "A Par-"),
    *("READY", "STATUS", "WAIT", "HELP ORDERS", "HISTORY F1907M", "MAP", "CLEAR", "JOIN", "DRAW YES"),
    *("Hello there,", "I wonder about Burgundy.", "Shall we talk about A Mun?", "Tell Germany that I come", "Ann"),
    *("GAME spring", "GAME autumn", "PHASE F1901M", "END", "ENDPHASE", "# A Par-Gas", "-- ", "IF A Bur", "F1901M:"),
    *(
        "PRESS TO ITALY\nHello Italy\nA Mun-Bur\nENDPRESS",
        "PRESS TO ITALY",
        "BROADCAST Hi all ENDPRESS",
        "PRES TO ITALY",
    ),
    *(
        "> A Par-Gas",
        "> we said so",
        "On Monday, Bob wrote:\n> F Bre-Gas\n> and more",
        "",
        "",
        "\u00fcber Burgund",
        "x" * 2_100,
    ),
)
"""What mails are made of, in any order."""


def mail(seed: int, report: str) -> str:
    """A mail that nobody would write, always the same for a seed."""
    lots = random.Random(seed)
    text = "\n".join(lots.choice(PIECES) for _ in range(lots.randint(1, 9)))
    if lots.random() < 0.3:
        lines = report.splitlines()
        begin = lots.randrange(len(lines))
        copied = lines[begin : begin + lots.randint(1, 12)]
        text += "\n" + "\n".join(lots.choice(("", "> ")) + line for line in copied)
    return text


@pytest.mark.parametrize("part", range(6))
def test_every_own_line_has_one_fate(world: World, seats: dict[str, str], part: int) -> None:
    report = body_of(world.last(FRANCE))
    for seed in range(part * 20, part * 20 + 20):
        world.arrive(FRANCE, seats["France"], mail(seed, report))
        found = explain(world.service, world.inbox()[-1].id)
        assert found is not None
        numbers = Counter(row.number for row in found.rows if row.number is not None)
        assert set(numbers.values()) <= {1}, seed
        assert not [*silent(found.rows)], seed
        assert not [*wrong(found.rows)], seed


def silent(rows: tuple[Row, ...]) -> list[Row]:
    """The orders and commands that are neither done, nor asked about, refused or shown back."""
    asking = ("order", "command", "press", "complaint")
    return [row for row in rows if row.meaning in asking and row.fate is Kind.TALK and row.origin == "own"]


@pytest.mark.parametrize("seed", range(200, 230))
def test_the_orders_in_force_are_those_that_were_acted_on(world: World, seats: dict[str, str], seed: int) -> None:
    """Without CLEAR, and as the last order for each unit counts: no order is in force that no line asked for."""
    text = mail(seed, body_of(world.last(FRANCE))).replace("CLEAR", "")
    world.arrive(FRANCE, seats["France"], text)
    found = explain(world.service, world.inbox()[-1].id)
    assert found is not None
    world.work()
    given = [write(order) for one in world.game().orders.values() for order in one.orders]
    acted = any(row.fate in (Kind.ACT, Kind.REFUSE) and row.meaning == "order" for row in found.rows)
    assert acted or not given


# ---- how much runs for one mail


def counted(world: World, to: str, text: str) -> tuple[set[str], Counter[str]]:
    """The files of gm that run while a mail is processed and answered, and how often some functions are called."""
    files, calls = set[str](), Counter[str]()
    root = str(Path(gm.__file__).parent)
    watched = {message.parse_message.__code__: "parse_message", orders._read.__code__: "read a line"}

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(root):
            files.add(frame.f_code.co_filename)
            calls[watched.get(frame.f_code, "")] += 1

    world.arrive(FRANCE, to, text)
    sys.setprofile(called)
    try:
        world.work()
    finally:
        sys.setprofile(None)
    return files, calls


def test_what_runs_for_an_order_mail(world: World, seats: dict[str, str]) -> None:
    patterns.compile_all()  # as a server does
    counted(world, seats["France"], "A Par-Gas")  # what is read once in a process has been read
    files, calls = counted(world, seats["France"], "A Par-Bur\nF Bre-Mao\nA Mar-Spa")
    assert len(files) <= 91  # a bound that may only fall
    assert calls["parse_message"] == 1
    assert calls["read a line"] == 3


def test_of_a_reply_that_quotes_a_receipt_only_what_is_not_ours_is_parsed(world: World, seats: dict[str, str]) -> None:
    receipt = world.send(FRANCE, seats["France"], "A Par-Bur")
    quoted = "\n".join(f"> {line}" for line in body_of(receipt).splitlines())
    _, calls = counted(world, reply_to(receipt), f"F Bre-Mao\nREADY\n\nOn Monday, gm wrote:\n{quoted}")
    assert calls["parse_message"] == 2  # the own words, and what is quoted and not ours: the attribution
    assert calls["read a line"] == 2


def test_a_line_of_a_letter_is_parsed_once(world: World, seats: dict[str, str]) -> None:
    """What is beside a line is looked at with it only if the parser could have gone on there."""
    letter = "\n".join(
        f"As for {number}, I hope that Italy leaves Trieste alone, and that nobody moves to\n"
        f"Galicia before year {number}; then my army in Burgundy can wait for you."
        for number in range(60)
    )
    _, calls = counted(world, seats["France"], letter)
    assert calls["read a line"] <= 120 + 95  # 95 for what the first ten sentences may be meant to order
