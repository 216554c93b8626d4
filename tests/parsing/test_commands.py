"""Commands of players and gamemasters, as they are written, and sentences that only begin like one."""

from __future__ import annotations

import re
from typing import Any

import pytest

from gm.errors import NotUnderstood
from gm.parsing.command_syntax import Guest, Text
from gm.parsing.message import CommandLine
from tests.parsing.names import LEXICON, MOVEMENT, READER, parse_message, unit

_BOB = Guest("bob@c.org", "Bob Bee", "France")
_TWO, _TORN = (Guest("b@c.org", "Bee Bob"), Guest("a@c.org", "Ann Lee")), (Guest("b@c.org", "Bob"), Guest("x@c.org"))
_OWN = (Guest("a@c.org", power="France"), Guest("b@c.org"), Guest("d@c.org", "Dee", "Russia"))
_THREE = tuple(map(Guest, ("a@c.org", "b@c.org", "d@c.org")))


def _created(game: str, options: dict[str, str], *, like: str | None = None, variant: str | None = None) -> Any:
    return {"game": game, "like": like, "variant": variant, "options": options}


COMMANDS: list[tuple[str, str, dict[str, Any]]] = [
    ("ACCEPT LATE", "acceptlate", {"power": None}),
    ("ACCEPT LATE ORDERS OF FRANCE", "acceptlate", {"power": "FRANCE"}),
    ("accept late France", "acceptlate", {"power": "France"}),
    ("REGISTER Ann Example", "register", {"name": "Ann Example"}),
    ("register  Ann   Example.", "register", {"name": "Ann Example"}),
    ("Register Will May", "register", {"name": "Will May"}),
    ("REGISTER: José Ñandú", "register", {"name": "José Ñandú"}),
    ("TIMEZONE Europe/Berlin", "timezone", {"zone": "Europe/Berlin"}),
    ("time zone Europe/Berlin", "timezone", {"zone": "Europe/Berlin"}),
    ("SET ZONE America/New_York", "timezone", {"zone": "America/New_York"}),
    ("JOIN spring", "join", {"game": "spring", "power": None}),
    ("JOIN spring AS FRANCE", "join", {"game": "spring", "power": "France"}),
    ("join spring as france, please", "join", {"game": "spring", "power": "France"}),
    ("JOIN spring french", "join", {"game": "spring", "power": "France"}),
    ("JOIN space AS The Krell", "join", {"game": "space", "power": "The Krell"}),
    ("STATUS", "status", {"game": None}),
    ("status spring.", "status", {"game": "spring"}),
    ("LIST", "list", {"state": None, "after": None}),
    ("list games", "list", {"state": None, "after": None}),
    ("LIST FINISHED", "list", {"state": "finished", "after": None}),
    ("HELP", "help", {"topic": None}),
    ("help press", "help", {"topic": "press"}),
    ("? orders", "help", {"topic": "orders"}),
    ("RESIGN", "resign", {"game": None}),
    ("RESIGN spring", "resign", {"game": "spring"}),
    ("Withdraw from spring", "resign", {"game": "spring"}),
    ("CLEAR", "clear", {"order": None}),
    ("clear orders", "clear", {"order": None}),
    ("WAIT", "wait", {}),
    ("SET WAIT", "wait", {}),
    ("READY", "ready", {"phase": None}),
    ("Ready!", "ready", {"phase": None}),
    ("READY f1901m", "ready", {"phase": "F1901M"}),
    ("NOWAIT", "ready", {"phase": None}),
    ("SET NOWAIT", "ready", {"phase": None}),
    ("GAME spring", "game", {"game": "spring"}),
    ("Game: spring", "game", {"game": "spring"}),
    ("START", "start", {"game": None}),
    ("START spring", "start", {"game": "spring"}),
    ("DEADLINE 2026-12-01 18:00", "deadline", {"game": None, "when": "2026-12-01 18:00"}),
    ("DEADLINE spring 2026-12-01 18:00 UTC", "deadline", {"game": "spring", "when": "2026-12-01 18:00 UTC"}),
    ("deadline friday at 18:00", "deadline", {"game": None, "when": "friday at 18:00"}),
    ("SET DEADLINE spring tomorrow", "deadline", {"game": "spring", "when": "tomorrow"}),
    ("EXTEND 24h", "extend", {"game": None, "by": "24h"}),
    ("EXTEND BY 24h", "extend", {"game": None, "by": "24h"}),
    ("EXTEND spring BY 2 days", "extend", {"game": "spring", "by": "2 days"}),
    ("extend until friday", "extend", {"game": None, "by": "until friday"}),
    ("EXTEND spring UNTIL 2026-12-01 18:00", "extend", {"game": "spring", "by": "UNTIL 2026-12-01 18:00"}),
    ("PROCESS", "process", {"game": None, "phase": None}),
    ("PROCESS f1901m", "process", {"game": None, "phase": "F1901M"}),
    ("PROCESS spring", "process", {"game": "spring", "phase": None}),
    ("PROCESS spring F1901M", "process", {"game": "spring", "phase": "F1901M"}),
    ("REPLACE FRANCE WITH New@Example.org", "replace", {"game": None, "power": "France", "address": "new@example.org"}),
    ("replace spring france by <b@c.org>", "replace", {"game": "spring", "power": "France", "address": "b@c.org"}),
    ("CREATE spring", "create", _created("spring", {}, like=None)),
    *[
        (line, "create", _created("winter", options, variant=variant))
        for line, variant, options in [
            ("CREATE winter standard", "standard", {}),
            ("CREATE winter Black Hole with press=none", "black-hole", {"press": "none"}),
            ("create winter quantum space, move=2d", "quantum-space", {"move": "2d"}),
        ]
    ],
    ("CREATE winter LIKE spring move=1d", "create", _created("winter", {"move": "1d"}, like="spring")),
    (
        'CREATE spring WITH variant=standard, zone=Europe/Berlin days=mon,wed,fri at=18:00 title="A fine game"',
        "create",
        {
            "game": "spring",
            "like": None,
            "variant": None,
            "options": {"variant": "standard", "zone": "Europe/Berlin", "days": "mon,wed,fri"}
            | {"at": "18:00", "title": "A fine game"},
        },
    ),
    ("CREATE GAME club adjust = 1d", "create", _created("club", {"adjust": "1d"}, like=None)),
    ("SET zone=Europe/Berlin", "set", {"options": {"zone": "Europe/Berlin"}, "words": None}),
    ("SET draw=listed concede = no", "set", {"options": {"draw": "listed", "concede": "no"}, "words": None}),
    ("No extend", "extend", {"game": None, "by": "NO"}),
    ("PROCESS fall 1901", "process", {"game": None, "phase": "F1901M"}),
    ("HISTORY spring fall 1901 retreats", "history", {"game": "spring", "phases": "F1901R"}),
    ("HISTORY spring", "history", {"game": "spring", "phases": None}),
    ("MAP S3001L", "map", {"game": None, "phases": "S3001L", "what": None}),
    ("WHY F1901M A PAR-BUR", "why", {"phase": "F1901M", "order": "A PAR-BUR"}),
    ("ABSENCE OFF", "absence", {"none": "off", "days": None}),
    *[
        (line, "schedule", {"none": None, "when": when, "line": "PROCESS"})
        for line, when in {
            "SCHEDULE fri 18:00 PROCESS": "fri 18:00",
            "schedule in two days PROCESS": "in two days",
            "SCHEDULE 1 Dec 18:00 CET PROCESS": "1 Dec 18:00 CET",
            "SCHEDULE tomorrow at 6 pm, PROCESS": "tomorrow at 6 pm,",
            "SCHEDULE Friday 18:00 Europe/Berlin PROCESS": "Friday 18:00 Europe/Berlin",
        }.items()
    ],
    ("SCHEDULE", "schedule", {"none": None, "when": None, "line": None}),
    ("status spring?", "status", {"game": "spring"}),
    ("REVEAL A SMY", "reveal", {"me": None, "unit": unit("A smy")}),
    ("REVEAL ME", "reveal", {"me": "me", "unit": None}),
    ("SET reminder 24h", "set", {"options": {}, "words": "reminder 24h"}),
    ("SET move=2d grace=12h", "set", {"options": {"move": "2d", "grace": "12h"}, "words": None}),
    ("PREFERENCES", "preferences", {"options": {}, "initials": None}),
    ("PREFERENCE F[ER]*", "preferences", {"options": {}, "initials": "F[ER]*"}),
    ("SET PREFERENCE powers=F[ER]*", "preferences", {"options": {"powers": "F[ER]*"}, "initials": None}),
    ("ADDRESS", "address", {"what": None, "address": None}),
    ("ADDRESS b@c.org", "address", {"what": None, "address": "b@c.org"}),
    ("address add <b@c.org>", "address", {"what": "add", "address": "b@c.org"}),
    ("REMOVE ADDRESS b@c.org", "address", {"what": "remove", "address": "b@c.org"}),
    ("SET ADDRESS b@c.org", "address", {"what": None, "address": "b@c.org"}),
    ("FORGET ME", "forgetme", {}),
    ("WHOAMI", "whoami", {}),
    ("Who am I?", "whoami", {}),
    ("OBSERVE spring", "observe", {"game": "spring"}),
    ("watch spring", "observe", {"game": "spring"}),
    ("UNOBSERVE spring", "unobserve", {"game": "spring"}),
    ("STOP", "stop", {"what": None, "power": None, "game": None}),
    ("STOP ALL", "stop", {"what": "all", "power": None, "game": None}),
    ("STOP NONE", "stop", {"what": "none", "power": None, "game": None}),
    ("STOP GAME spring", "stop", {"what": None, "power": None, "game": "spring"}),
    ("STOP PRESS FROM FRANCE", "stop", {"what": None, "power": "France", "game": None}),
    ("TAKEOVER spring AS Italy", "takeover", {"game": "spring", "power": "Italy"}),
    ("TAKE OVER spring", "takeover", {"game": "spring", "power": None}),
    ("STANDBY spring OFF", "standby", {"game": "spring", "list": "off"}),
    ("MY ORDERS", "myorders", {"phases": None}),
    ("my orders?", "myorders", {"phases": None}),
    ("ABSENCE 2026-12-24 to 2027-01-02", "absence", {"none": None, "days": "2026-12-24 to 2027-01-02"}),
    ("SET ABSENCE 24.12.2026", "absence", {"none": None, "days": "24.12.2026"}),
    ("NO ABSENCE", "absence", {"none": "no", "days": None}),
    ("DRAW", "draw", {"powers": None}),
    ("draw France, Italy", "draw", {"powers": "France, Italy"}),
    ("SET NODRAW", "draw", {"powers": "NO"}),
    ("No draw", "draw", {"powers": "NO"}),
    ("CONCEDE TO France", "concede", {"power": "France"}),
    ("HISTORY spring ALL", "history", {"game": "spring", "phases": "ALL"}),
    ("history 1901", "history", {"game": None, "phases": "1901"}),
    ("MAP", "map", {"game": None, "phases": None, "what": None}),
    ("map F1901M please", "map", {"game": None, "phases": "F1901M", "what": None}),
    ("MAP spring F1901R", "map", {"game": "spring", "phases": "F1901R", "what": None}),
    ("WHY A PAR-BUR?", "why", {"phase": None, "order": "A PAR-BUR"}),
    ("why a par-bur", "why", {"phase": None, "order": "a par-bur"}),
    ("RULES", "rules", {"game": None}),
    ("SUMMARY spring", "summary", {"game": "spring"}),
    ("position?", "position", {"game": None}),
    ("POSITION spring", "position", {"game": "spring"}),
    ("INVITE b@c.org AS France", "invite", {"guests": (Guest("b@c.org", power="France"),)}),
    ("INVITE Bob Bee <Bob@c.org> as France", "invite", {"guests": (_BOB,)}),
    ("INVITE a@c.org, b@c.org; d@c.org", "invite", {"guests": _THREE}),
    ("INVITE a@c.org b@c.org and d@c.org", "invite", {"guests": _THREE}),
    ('INVITE "Bee, Bob" <b@c.org>, Ann Lee <a@c.org>', "invite", {"guests": _TWO}),
    ("INVITE Bee, Bob <b@c.org>; x@c.org", "invite", {"guests": _TORN}),
    ("INVITE b@c.org <b@c.org>", "invite", {"guests": (Guest("b@c.org"),)}),
    ("INVITE a@c.org AS FRANCE, b@c.org, Dee <d@c.org> AS Russia", "invite", {"guests": _OWN}),
    ("INVITE a@c.org as France and b@c.org; Dee <d@c.org> as Russia", "invite", {"guests": _OWN}),
    ("DASHBOARD", "dashboard", {}),
    ("PAUSE", "pause", {"vote": None, "until": None, "span": None}),
    ("PAUSE NO", "pause", {"vote": "no", "until": None, "span": None}),
    ("Resume.", "resume", {"vote": None}),
    ("PREVIEW", "preview", {"phase": None}),
    ("ROLLBACK TO F1901M", "rollback", {"phase": "F1901M"}),
    ("roll forward", "rollforward", {}),
    ("EJECT France", "eject", {"power": "France"}),
    ("DUMMY France", "dummy", {"power": "France"}),
    ("PROMOTE b@c.org", "promote", {"address": "b@c.org", "how": None}),
    ("PROMOTE b@c.org AS ASSISTANT", "promote", {"address": "b@c.org", "how": "assistant"}),
    ("PROMOTE b@c.org OFF", "promote", {"address": "b@c.org", "how": "off"}),
    ("COMMENT A friendly game for us all", "comment", {"text": "A friendly game for us all"}),
    ("REVEAL", "reveal", {"me": None, "unit": None}),
    ("TERMINATE spring", "terminate", {"game": "spring"}),
    ("SCHEDULE Friday 18:00: PROCESS", "schedule", {"none": None, "when": "Friday 18:00", "line": "PROCESS"}),
    ("LOG 50", "log", {"number": 50}),
    ("UNDO", "undo", {}),
    ("DIARY LIST", "diary", {"list": "list"}),
    ("ALIAS", "alias", {"alias": None}),
    ("Alias Refuge = Q31415", "alias", {"alias": "Refuge = Q31415"}),
    ("WHATIF", "whatif", {"words": None}),
    ("Orders for France:", "ordersfor", {"power": "France"}),
    ("PHASE FALL 1903 MOVEMENT", "phase", {"code": "F1903M", "none": None}),
    ("PHASE f1903m", "phase", {"code": "F1903M", "none": None}),
    ("PHASE WINTER 1903", "phase", {"code": "W1903A", "none": None}),
    ("PHASE ANY RETREATS", "phase", {"code": "R", "none": None}),
    ("PHASE Autumn 1903 retreats NONE", "phase", {"code": "F1903R", "none": "none"}),
    ("END", "end", {}),
    ("SIGNOFF", "end", {}),
    ("  \u200eSTATUS\u00a0spring ", "status", {"game": "spring"}),
]  # fmt: skip


@pytest.mark.parametrize(("line", "name", "args"), COMMANDS, ids=[line for line, _, _ in COMMANDS])
def test_a_command(line: str, name: str, args: dict[str, Any]) -> None:
    command = READER.read(line, LEXICON)
    assert command is not None
    assert (command.name, dict(command.args)) == (name, args)


MEANT = {"power": "France", "game": "spring", "address": "ann@example.org"}
EXAMPLES = [
    (re.sub(r"\b(power|game|address)\b", lambda word: MEANT[word[0]], example), name)
    for name, syntax in READER.syntaxes.items()
    for example in syntax.shown
    if syntax.form and not (isinstance(syntax.below, Text) and "\n" in example)
]
"""Every line that people are shown, of every command; what begins a text is none of its own."""


@pytest.mark.parametrize(("example", "name"), EXAMPLES)
def test_what_is_shown_is_understood(example: str, name: str) -> None:
    command = READER.read(example.split("\n")[0], LEXICON)
    assert command is not None
    assert command.name == name


def test_every_command_is_tried() -> None:
    tried = {name for _, name, _ in COMMANDS} | {name for _, name in EXAMPLES}
    assert tried == {name for name, syntax in READER.syntaxes.items() if syntax.form}


def test_without_a_game_a_power_is_kept_as_written() -> None:
    command = READER.read("JOIN spring AS Auerbach", None)
    assert command is not None
    assert command.args["power"] == "Auerbach"
    command = READER.read("REPLACE spring FRANCE WITH a@b.org", None)
    assert command is not None
    assert command.args == {"game": "spring", "power": "FRANCE", "address": "a@b.org"}


@pytest.mark.parametrize(
    "line",
    [
        "What if Germany attacks Munich",
        "What if you attack me?",
        "If you help me I will help you",
        "Draw? Never.",
        "Draw your own conclusions",
        "Pause for thought",
        "Why did you attack me, Germany?",
        "Why did you do that",
        "Rules are rules",
        "My orders follow.",
        "My orders for Spring:",
        "Orders for Spring 1901:",
        "History will judge us",
        "Set up your fleets",
        "Log in and see",
        "Phase one is over",
        "Stand by me",
        "Forget me not",
        "Schedule a talk with Italy, and soon",
        "Forget me.",
        "Take over from here",
        "Comment on the last turn",
        "Concede that I was right",
        "Observe that Munich is empty",
        "Resume as before",
        "Reveal nothing to Turkey",
        "Help me out here, Germany",
        "Join me against Turkey",
        "Wait for my signal",
        "Ready when you are",
        "List of my demands:",
        "Status of the alliance",
        "Game over",
        "Start with Munich, if you can",
        "Resign? Never!",
        "Resign?",
        "Clear as mud, I know",
        "Process of elimination",
        "Extend my greetings to the king",
        "End of the season",
        "Hello there",
        "Hello",
        "Regards,",
        "Clearly,",
        "Regards, Bob",
        "ANN",
        "ANN EXAMPLE",
        "??",
        "A Par-Bur",
        "",
        "Press to France was slow",
        "No drawing of conclusions",
        "No pauses, I hope",
        "No extension for me",
    ],
)
def test_a_sentence_is_no_command(line: str) -> None:
    assert READER.read(line, LEXICON) is None


@pytest.mark.parametrize(
    ("line", "suggested"),
    [
        ("JION spring", "JOIN"),
        ("jion spring", "JOIN"),
        ("STATSU", "STATUS"),
        ("REGISTR Ann Example", "REGISTER"),
        ("RESING", "RESIGN"),
        ("KICK France", "EJECT"),
        ("DELAY 24h", "EXTEND"),
        ("ADJUDICATE", "PROCESS"),
    ],
)
def test_an_unknown_command_is_answered_with_the_nearest(line: str, suggested: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        READER.read(line, LEXICON)
    assert f"Did you mean {suggested}?" in caught.value.remedy


@pytest.mark.parametrize(("line", "here"), [("SIGNON spring", "JOIN game"), ("PURGE spring", "none here")])
def test_a_command_of_another_judge_is_translated(line: str, here: str) -> None:
    with pytest.raises(NotUnderstood, match="of other servers") as caught:
        READER.read(line, LEXICON)
    assert here in caught.value.remedy
    assert READER.read(line.lower(), LEXICON) is None
    assert repr(line.split()[0]) in caught.value.problem


@pytest.mark.parametrize(
    "line",
    [
        "JOIN",
        "REGISTER",
        "TIMEZONE",
        "GAME",
        "GAME spring autumn",
        "CREATE",
        "CREATE spring variant",
        "DEADLINE",
        "DEADLINE spring",
        "EXTEND spring",
        "PROCESS spring F1901M soon",
        "REPLACE",
        "REPLACE FRANCE",
        "REPLACE FRANCE WITH",
        "REPLACE FRANCE WITH nobody",
        "STATUS spring autumn",
        "LIST powers",
        "RESIGN spring autumn",
        "WAIT for France",
        "PHASE two",
        "DASHBOARD soon",
        "PREFERENCES text",
    ],
)
def test_an_incomplete_command_is_answered_with_its_form(line: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        READER.read(line, LEXICON)
    assert READER.syntaxes[line.split()[0].lower()].written in caught.value.remedy
    assert caught.value.column


def test_create_takes_the_lines_below_it() -> None:
    text = "CREATE spring variant=standard\nPress: white\nzone = Europe/Berlin\nmove: 3 days\n\nSTATUS"
    create, status = parse_message(text, LEXICON, MOVEMENT).items
    assert isinstance(create, CommandLine)
    assert create.args["options"] == {
        "variant": "standard",
        "press": "white",
        "zone": "Europe/Berlin",
        "move": "3 days",
    }
    assert isinstance(status, CommandLine)


def test_end_after_create_ends_its_options_and_not_the_mail() -> None:
    items = parse_message("CREATE spring\npress: white\nEND\nSTATUS\nEND\nRESIGN", LEXICON, MOVEMENT).items
    assert [item.name for item in items if isinstance(item, CommandLine)] == ["create", "status", "end"]
