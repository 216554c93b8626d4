"""What signs a mail at its end, and what does not."""

from __future__ import annotations

import pytest

from gm.parsing.signing import signature_begins, without_signature

SIGNED = [
    *("lg felix", "lg f", "f", "F.", "felix hofer", "Felix", "Fel", "fh", "Felix x", "Liebe Grüße", "Cheers, F"),
    *("lg\nfelix", "Viele Grüße\nF. Hofer", "mfg sepp", "thanks, felix", "merci f", "-- f", "bises"),
]
NOT_SIGNED = [
    *("y", "n", "thanks", "who is felix?", "felix moves to Burgundy", "F Lon-Nth", "best move: Par-Bur", "ok"),
    *("call me at 5", "danke für alles", "best for Italy", "lg: 5"),
]


@pytest.mark.parametrize("below", SIGNED)
def test_a_name_a_part_of_it_or_words_of_leave_sign(below: str) -> None:
    assert signature_begins(["hold all", "", *below.split("\n")], "Felix Hofer felix.hofer", "england") == 2
    assert signature_begins(below.split("\n"), "Felix Hofer") >= 1, "not all that a mail says"


@pytest.mark.parametrize("below", NOT_SIGNED)
def test_an_answer_or_a_sentence_does_not(below: str) -> None:
    assert signature_begins(["hold all", below], "Felix Hofer", "england") == 2


def test_a_letter_that_is_an_answer_signs_only_as_an_initial() -> None:
    assert signature_begins(["hold all", "n"], "Nora Whitfield") == 1


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Alles hält. lg f", "Alles hält."),
        ("Is that so? best regards, Ann", "Is that so?"),
        ("the options, best first", ""),
        ("hi there, lg", "hi there"),
    ],
)
def test_behind_a_sentence_only_words_of_leave_sign(text: str, rest: str) -> None:
    assert without_signature(text) == (rest or text)
