"""Lines that a mail has in common with our own mails cost no more than their length, however often both repeat them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from email.message import EmailMessage
from functools import cache

import pytest

from gm.commands import COMMANDS
from gm.parsing.message import Item, parse_message
from gm.reading.forms import answered, filled_in
from gm.reading.ours import Ours, words_of
from tests.reading.attacks import is_linear
from tests.reading.test_whole_mails import game

LINE = " ".join(["we"] * 4)
ASKED: dict[str, Callable[[Ours, Sequence[str]], object]] = {
    "pasted": lambda ours, lines: ours.pasted([*map(words_of, lines)], range(len(lines))),
    "not ours": lambda ours, lines: ours.not_ours(lines),
    "a form": lambda ours, lines: ours.has_form(lines),
    "the beginning of a line": lambda ours, lines: ours.begun(" ".join(lines)),
}


def mail(text: str) -> bytes:
    sent = EmailMessage()
    sent.set_content(text)
    return sent.as_bytes()


@pytest.mark.parametrize("own", ["in one line", "in lines", "in other lines"])
@pytest.mark.parametrize("asked", ASKED)
def test_what_both_repeat_costs_no_more_than_its_length(asked: str, own: str) -> None:
    def text(length: int) -> str:
        return "\n".join([LINE] * (length // len(LINE)))

    def run(text: str) -> object:
        ours = {
            "in one line": text.replace("\n", " "),
            "in lines": text,
            "in other lines": text.replace("\n", "\n\nwe "),
        }
        raw = mail(ours[own])
        return ASKED[asked](Ours(lambda: [raw, raw + b"\nwe four\n"]), text.split("\n"))

    assert is_linear(run, text)


FORM = "Write your orders in place of these lines, please:"


def items(lines: Sequence[str]) -> Sequence[Item]:
    return [item for line in lines for item in read(line)]


@cache
def read(line: str) -> Sequence[Item]:
    lexicon, now = game("standard")
    return parse_message(line, lexicon, now, COMMANDS.reader).items


@pytest.mark.parametrize("ends", ["-Bur", " -", " 7"])
def test_a_form_that_is_filled_in_again_and_again_costs_no_more_than_its_length(ends: str) -> None:
    ours = Ours(lambda: [mail(f"{FORM}\nA Par-\nA Par -")])

    def text(length: int) -> str:
        return "\n".join([FORM, *([f"A Par{ends}"] * (length // 10))])

    def filled(text: str) -> object:
        lines = text.split("\n")
        return filled_in(lines, range(1, len(lines)), ours, items)

    assert is_linear(filled, text)
    assert is_linear(lambda text: answered(text, [("A Par -", one) for one in text.split("\n")], ours, items), text)


def test_each_line_is_compared_once_with_each_mail_of_ours() -> None:
    compared: list[str] = []

    class Counting(Ours):
        def _says(self, mail: object, words: str) -> bool:
            compared.append(words)
            return super()._says(mail, words)  # type: ignore[arg-type]

    texts = [f"this is what we say for the {number} time" for number in range(12)]
    ours = Counting(lambda: [mail(text) for text in texts])
    first, last, known = ours.pasted([*map(words_of, texts), *["something else that nobody says"] * 3], range(15))
    assert (first, last) == (0, 12)
    assert known >= {*map(words_of, texts)}
    assert len(compared) == 12 * 15


def test_each_mail_that_ours_answer_is_read_once_and_only_the_last_of_them() -> None:
    asked: list[str] = []
    ids = [f"<{number}@a.example>" for number in range(20)]
    raw = (
        b"References: "
        + b" ".join(one.encode() for one in ids)
        + b"\nIn-Reply-To: <last@a.example>\n\nwe say that here\n"
    )

    def written(message_id: str) -> str:
        asked.append(message_id)
        return ""

    ours = Ours(lambda: [raw, raw + b"and more\n"], written=written)
    assert ours.has_form(["we say that here"])
    assert asked == ["<last@a.example>", *ids[:2]]
