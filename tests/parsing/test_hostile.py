"""Whatever is sent, parsing ends soon and raises only NotUnderstood."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gm.errors import NotUnderstood
from gm.parsing.message import Complaint
from gm.parsing.orders import parse_orders
from gm.position import PhaseKind
from tests.parsing.names import LEXICON, MOVEMENT, PHASES, parse_message
from tests.timing import cost

pytestmark = pytest.mark.long

LETTERS = ("\x00", "\ud800", "\u200b", "\ue000", "\uf000", "\U000f0000", "\u0301", "½", "ﬁ", "İ")
PIECES = """a f par bur stp /sc (sc) nc - -> s c h r d b via convoy to build remove waive england: eng , ; . and ( ) #
// * > press endpress all gm join create = : end status extend"""
WORDS = st.sampled_from([*PIECES.split(), *LETTERS])
TEXTS = st.one_of(
    st.text(st.characters(), max_size=60),
    st.lists(WORDS, max_size=30).map(" ".join),
    st.lists(WORDS, max_size=30).map("".join),
    st.lists(WORDS | st.just("\n"), max_size=60).map(" ".join),
)


def fault_of(line: str, phase: PhaseKind) -> NotUnderstood | None:
    try:
        assert parse_orders(line, LEXICON, phase)
    except NotUnderstood as error:
        return error
    return None


@given(TEXTS, st.sampled_from(PHASES))
@example("\ue000 h", PhaseKind.MOVEMENT)
@example("a \ue001-\ue000", PhaseKind.MOVEMENT)
def test_a_line_is_read_or_not_understood(text: str, phase: PhaseKind) -> None:
    error = fault_of(text, phase)
    if error is not None:
        assert error.problem
        assert error.column is not None
        assert 1 <= error.column <= len(text) + 1
        str(error).encode()  # a complaint can be mailed


@given(TEXTS, st.sampled_from(PHASES), st.booleans())
def test_a_message_is_always_read(text: str, phase: PhaseKind, known: bool) -> None:
    message = parse_message(text, LEXICON if known else None, phase if known else None)
    for item in message.items:
        assert item.line >= 1
        if isinstance(item, Complaint):
            str(item.error).encode()


LONG = 100_000
LINES = [
    "A Par-Bur, " * (LONG // 11),
    "par bur, " * (LONG // 9),
    "A Pars-Bur, " * (LONG // 12),
    "A Par S " * (LONG // 8),
    "A Par-Bur-" * (LONG // 10),
    "A Par" + " " * LONG + "-Bur",
    "A Par" + " " * LONG,
    "north " * (LONG // 6),
    "north" + " " * LONG,
    "(" * LONG,
    "()" * (LONG // 2),
    "((a)" * (LONG // 4),
    "-" * LONG,
    "." * LONG,
    "st. " * (LONG // 4),
    "A" * LONG,
    "a " * (LONG // 2),
    "\x00" * LONG,
    "\ud800" * LONG,
    "\u0301" * LONG,
    "é" * LONG,
    "England: " * (LONG // 9),
    "via " * (LONG // 4),
    "m " * (LONG // 2),
    "JOIN " + "x " * (LONG // 2),
    "STATUS" + " " * LONG + "x",
    "STATUS" + " please" * (LONG // 7),
    "CREATE x " + "a=b " * (LONG // 4),
    "CREATE x " + 'a="' * (LONG // 3),
    "CREATE x a=" + "b," * (LONG // 2),
    "PRESS TO " + "France, " * (LONG // 8),
    "PRESS TO FRANCE: " + "x " * (LONG // 2),
    "pres to x\n" * (LONG // 10),
    "press to france was\n" * (LONG // 20),
    "PRESS TO FRANCE\n" * (LONG // 16),
    "CREATE x\n" + "a: b\n" * (LONG // 5),
    "A Pars-Bur\nhello\n" * (LONG // 17),
    "hello Munich\n" * (LONG // 13),
    "\n" * LONG,
    "CREATE x\na: b" + " " * LONG + "c",
    "CREATE x\na" + " " * LONG + ": c",
    "PRESS TO FRANCE\nx" + " " * LONG + "y\nENDPRESS",
    "PRESS TO " + "a" * LONG + "\nENDPRESS",
    "A Par (" + "via " * (LONG // 4),
    "a pars" + "x" * LONG + "-bur",
    "1. " * (LONG // 3),
    ("A Pars-Bur, " * 330 + "\n") * (LONG // 4000),
]


def read(text: str) -> None:
    for line in (text, text[:3999]):
        assert len(str(fault_of(line, MOVEMENT))) < 1000
    parse_message(text, LEXICON, MOVEMENT)


def talk() -> None:
    read("I think that we should talk about the south soon.\n" * (LONG // 50))


@pytest.mark.parametrize("text", LINES, ids=[line[:14].encode("unicode_escape").decode() for line in LINES])
def test_a_hundred_kilobytes_cost_little_more_than_as_much_talk(text: str) -> None:
    assert cost(lambda: read(text), talk, enough=8) < 8
