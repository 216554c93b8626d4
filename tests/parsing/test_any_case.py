"""Commands in lower case that have words of sentences are understood or complained of; sentences are neither."""

from __future__ import annotations

import pytest

from gm.errors import NotUnderstood
from gm.parsing.lexicon import Lexicon
from tests.parsing.names import LEXICON, READER

IN_LOWER_CASE: list[tuple[str, dict[str, object]]] = [
    ("create al2 variant=the-aliens", {"game": "al2", "options": {"variant": "the-aliens"}}),
    ("create x variant=among-us", {"game": "x", "options": {"variant": "among-us"}}),
    ('create x title="one for all of us"', {"game": "x", "options": {"title": "one for all of us"}}),
    ("create among-us", {"game": "among-us"}),
    ("status the-aliens", {"game": "the-aliens"}),
    ("join zorp as the krell", {"game": "zorp", "power": "the krell"}),
    ("takeover zorp as the krell, please", {"game": "zorp", "power": "the krell"}),
    ("absence today to 5 dec", {"days": "today to 5 dec"}),
    ("absence on 5 dec", {"days": "on 5 dec"}),
    ("absence tomorrow", {"days": "tomorrow"}),
    ("pause until monday", {"until": "monday"}),
    ("muster by tomorrow", {"by": "tomorrow"}),
    ("deputy yan@example.org until 5 december", {"address": "yan@example.org", "days": "until 5 december"}),
    ("promote x@example.org as assistant", {"address": "x@example.org", "how": "assistant"}),
    ("concede to the alien", {"power": "the alien"}),
    ("draw france, italy, russia, turkey, austria, germany and england", {}),
]


@pytest.mark.parametrize("lexicon", [LEXICON, None])
@pytest.mark.parametrize(("line", "args"), IN_LOWER_CASE)
def test_a_command_in_lower_case_may_have_words_of_sentences(
    lexicon: Lexicon | None, line: str, args: dict[str, object]
) -> None:
    for written in (line, line.upper()):
        call = READER.read(written, lexicon)
        assert call is not None
        assert {name: fold_case(call.args[name]) for name in args} == args


def fold_case(value: object) -> object:
    """An argument without regard to case."""
    if isinstance(value, dict):
        return {key: str(each).lower() for key, each in value.items()}
    return value.lower() if isinstance(value, str) else value


def test_an_invitation_in_lower_case_is_as_long_as_it_likes() -> None:
    call = READER.read("invite ann@example.org as france, bob@example.org and carol@example.org", None)
    assert call is not None
    assert [(one.email, one.power) for one in call.args["guests"]] == [
        ("ann@example.org", "france"),
        ("bob@example.org", None),
        ("carol@example.org", None),
    ]


@pytest.mark.parametrize("lexicon", [LEXICON, None])
@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("promote x@example.org as an assistant", "PROMOTE address AS ASSISTANT"),
        ("invite my friend bob@example.org to the game", "is not a mail address"),
        ("sandbox with a friend, bob@example.org", "SANDBOX"),
        ("dashbord", "Did you mean DASHBOARD?"),
        ("Dashbord", "Did you mean DASHBOARD?"),
        ("untstart", "Did you mean UNSTART?"),
        ("unpause", "Did you mean RESUME?"),
    ],
)
def test_what_only_a_command_has_is_complained_of(lexicon: Lexicon | None, line: str, shown: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        READER.read(line, lexicon)
    assert shown in str(caught.value)


@pytest.mark.parametrize("lexicon", [LEXICON, None])
@pytest.mark.parametrize(
    "line",
    """
draw the line there
wait until tomorrow
wait until monday, then
ready as ever
press on
join us in the north
join me as the leader
join us against the germans
join the fun
join the french
join france as the third
holiday tomorrow
holiday today!
vacation is over
absence makes the heart grow fonder
pause for thought
pause until we know more
resume until you hear from me
my orders until monday are the same
extend my thanks to the king until monday
deadline on friday was missed
start with the french
create no trouble
set on it
invite us all
address me as you like
replace the french with the germans
observe that the fleet is gone
concede to the inevitable
deny it as long as you can
paused
Regards
Thanks
Richard
already
clearly
resigned
invited
started
observed
""".strip().split("\n"),
)
def test_a_sentence_that_begins_with_a_command_is_none(lexicon: Lexicon | None, line: str) -> None:
    assert READER.read(line, lexicon) is None
