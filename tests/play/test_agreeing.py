"""What agrees to what was proposed, in as many words as may be, and what may do something else."""

from __future__ import annotations

import pytest

from gm.play.agreeing import Part, agrees

DEEDS = {"resign", "press", "clear"}
ABOUT = {"24h", "extend", "extension", "time", "day", "days", "one", "1"}


@pytest.mark.parametrize(
    "text",
    [
        "Yes, that is what I wanted, let it count please.",
        "Good, it is as they said, go ahead.",
        "Fine, do that.",
        "Yes, that is precisely what I had in mind, please put them down like that.",
        "It is rather long, I know, but yes, send it to him as it is.",
        "Yes, please send it off just as it stands.",
        "One day is plenty, yes, please ask them.",
        "One day it is, thank you for your patience.",
        "Yes, I have checked it twice with my glasses on.",
        "Yes, strike them all out, I shall write again after breakfast.",
        "oui les deux comme \u00e7a",
        "ja das ist nett genug, send it",
        "24h is good merci",
        "Yes, those words will do nicely. Sorry to everyone.",
    ],
)
def test_it_agrees(text: str) -> None:
    assert agrees(text, "Ann Example", ABOUT, DEEDS)


@pytest.mark.parametrize(
    "text",
    [
        "Yes, let it count, but not yet.",
        "Yes, it is not what I wanted, let it count.",
        "Let it count, Italy?",
        "Yes please, if the others agree.",
        "Yes, two days is plenty.",
        "Yes, I saw that.",
        "Yes, I think so.",
        "Yes, I got your mail.",
        "Yes, send it tomorrow.",
        "Yes, send it to Germany.",
        "Leave it as it is.",
        "I have checked it twice.",
        "Thank you, I know.",
        "Yes. And when is the deadline?",
        "Yes, and please tell Italy that I come.",
        "Yes, I resign.",
        "Only one day.",
        "Yes, as soon as Germany agrees.",
        "Yes, let it be.",
        "Yes, send it to all.",
        "Leave it.",
        "Cancel that.",
        "Right, I had forgotten that game.",
        "I come in war. Send that to Italy.",
        "My wife is ill. Write that down.",
        "OK, thanks for explaining.",
    ],
)
def test_it_may_do_something_else(text: str) -> None:
    assert not agrees(text, "Ann Example", ABOUT, DEEDS)


def test_a_statement_beside_it_is_told_apart() -> None:
    assert agrees("Yes. Time is the problem, not the game.", "", ABOUT) == {Part.YES, Part.AGREES, Part.BESIDE}
    assert agrees("That is right, thanks.", "", ABOUT) == {Part.AGREES}
    assert agrees("Please send it off.", "", ABOUT) == {Part.YES, Part.AGREES}
