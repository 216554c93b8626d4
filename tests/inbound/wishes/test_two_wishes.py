"""Two things that a mail wants, each of which is answered if it is wanted alone: neither is lost beside the other, and
nothing is lost in what people write around a wish.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gm import folder
from gm.commands.context import Context
from gm.inbound import answering
from gm.inbound.wishes.plain_questions import questions_in
from gm.inbound.wishes.question_answers import Question
from gm.reading.line import Lines
from tests.server.world import World, player, text_of

ENGLAND = player("England")
ORDERS = "F LON-WAL\nF EDI-CLY\nA LVP-CLY"
_NAMES = {"@place": "Norway", "@power": "France", "@number": "2", "@name": "Bob"}
_LEFT_TO_OTHERS = {
    "ORDER",
    "PRESS",
    "CHAT",
    "GM",
    "LATE",
    "JOIN",
    "GAMES",
    "START",
    "NEWCOMER",
    "NAME",
    "ACCOUNT",
    "HELP",
}
"""What is no wish at a seat, or which, as a cry for help, leads to what stands beside it."""
_LONGEST = 90


@dataclass
class Seat:
    """England's seat, and what the mails sent there were found to want."""

    world: World
    address: str
    found: list[tuple[Question, ...]] = field(default_factory=list)

    def wants(self, text: str) -> tuple[list[Question], str]:
        """What a mail wants, surely or perhaps, and its answer."""
        self.found.clear()
        answer = " ".join(text_of(self.world.send(ENGLAND, self.address, text)).split())
        return [one for asked in self.found for one in asked], answer

    def surely(self, text: str) -> str:
        """The only kind that a text surely wants alone; "" if there is none."""
        asked, _ = self.wants(text)
        return asked[0].want.name if len(asked) == 1 else ""


@pytest.fixture
def seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seat]:
    world = World(tmp_path, limits=0)
    seat = Seat(world, world.started(options="early=no")["England"])

    def heard(ctx: Context, lines: Lines, instead_of: Sequence[str] = ()) -> tuple[Lines, tuple[Question, ...]]:
        lines, asked = questions_in(ctx, lines, instead_of)
        seat.found.append(asked)
        return lines, asked

    monkeypatch.setattr(answering, "questions_in", heard)
    world.send(ENGLAND, seat.address, ORDERS)
    yield seat
    world.database.dispose()


def _sayings() -> dict[str, list[str]]:
    """The examples of what players want at a seat, with names in them."""
    found: dict[str, list[str]] = defaultdict(list)
    for part in (folder("grammars") / "sayings.txt").read_text(encoding="utf-8").split("== ")[1:]:
        heading, *lines = part.splitlines()
        kind = heading.split()[0]
        if kind not in _LEFT_TO_OTHERS and not kind.startswith("GM_"):
            found[kind] += filter(None, map(_with_names, lines))
    return found


def _with_names(saying: str) -> str:
    for sign, name in _NAMES.items():
        saying = saying.replace(sign, name)
    several = any(f"{sign} " in saying for sign in ".?!")
    return "" if several or len(saying) > _LONGEST else saying.rstrip(".?! ")


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


JOINED: tuple[Callable[[str, str], str], ...] = (
    lambda one, two: f"{one}. {_begun(two)}",
    lambda one, two: f"{one}. Also, {two}",
    lambda one, two: f"{one}, and {two}",
    lambda one, two: f"{one}\n{_begun(two)}",
    lambda one, two: f"Hi,\n\n{_begun(one)}. {_begun(two)}\n\nThanks, Nina",
    lambda one, two: f"{one}. btw {two}",
    lambda one, two: f"{one} and also {two}",
)


def _pairs(seat: Seat, chance: random.Random, count: int) -> Iterator[tuple[str, str, str, str]]:
    sayings = _sayings()
    while count:
        one, two = (chance.choice(sayings[kind]) for kind in chance.sample(sorted(sayings), 2))
        kinds = seat.surely(one), seat.surely(two)
        if all(kinds) and kinds[0] != kinds[1]:
            count -= 1
            yield one, two, *kinds


def test_of_two_wishes_each_is_answered_or_named(seat: Seat) -> None:
    """Of sixty pairs, each joined as people join sentences. A bound that may only fall."""
    chance = random.Random(7)
    lost = []
    for number, (one, two, *kinds) in enumerate(_pairs(seat, chance, 60)):
        text = JOINED[number % len(JOINED)](one, two)
        asked, answer = seat.wants(text)
        heard = {each.want.name for each in asked}
        named = [said[:16].lower() in answer.lower() for said in (one, two)]
        lost += [text for kind, said in zip(kinds, named, strict=True) if kind not in heard and not said]
        seat.world.send(ENGLAND, seat.address, ORDERS)
    assert len(lost) <= 3, lost


AROUND: tuple[Callable[[str], str], ...] = (
    lambda said: f"Hello,\n\n{_begun(said)}.\n\nKind regards,\nNina Smith",
    lambda said: f"Dear gamemaster, {said}",
    lambda said: f"{said} Thanks in advance!",
    lambda said: f"hi there! {said}",
    lambda said: f"Sorry to bother you, but {said}",
    lambda said: f"Quick question - {said}",
    lambda said: f"Excuse me, {said}?",
    lambda said: f"I hope you had a nice weekend. {_begun(said)}",
    lambda said: f"{said} :-)",
    lambda said: f"Guten Tag,\n{_begun(said)}\nViele Grüße\nNina",
    lambda said: f"Unfortunately I have lost your mail. {_begun(said)}",
    lambda said: f"{said}\n\nSent from my iPhone",
)


def test_what_stands_around_a_wish_changes_nothing(seat: Seat) -> None:
    chance, sayings, other = random.Random(7), _sayings(), []
    for number in range(72):
        said = chance.choice(sayings[chance.choice(sorted(sayings))])
        kind = seat.surely(said)
        asked, _ = seat.wants(AROUND[number % len(AROUND)](said))
        heard = {each.want.name for each in asked}
        other += [said] if kind and kind not in heard else []
    assert not other


GIVEN = ("Army Liverpool to Yorkshire", "lvp yor", "The army in Liverpool goes to Yorkshire", "A Lvp-Yor")


@pytest.mark.parametrize("order", GIVEN)
def test_orders_and_a_question_in_one_line_are_both_dealt_with(seat: Seat, order: str) -> None:
    for said in ("when is the deadline", "who plays Italy", "what do the circles mean", "is my address secret"):
        kind = seat.surely(said)
        for text in (
            f"{order}. {_begun(said)}?",
            f"{order}. Btw {said}",
            f"{_begun(said)}?\n{order}",
            f"{order}, and {said}?",
        ):
            asked, answer = seat.wants(text)
            assert kind in {one.want.name for one in asked}, text
            assert "A Lvp-Yor" in answer, text
            seat.world.send(ENGLAND, seat.address, ORDERS)
