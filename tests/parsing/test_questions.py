"""Questions in people's own words, by their parts: English, German, French; and what is none."""

from __future__ import annotations

from datetime import date

import pytest

from gm.parsing.days import spelled, two_days
from gm.parsing.game_names import games_left_out, is_for_all_games
from gm.parsing.likely_commands import moves_deadline
from gm.parsing.questions import Wanted, is_against, is_reason, sentences, wants_to_know, wishes, without_reasons
from gm.parsing.sayings import likely
from tests.parsing.names import LEXICON, READER

ASKED = {
    Wanted.DEADLINE: (
        "When is the deadline?", "Hi, when's the deadline again?", "How much time do I have left?",
        "Wann ist der Abgabetermin?", "Bis wann muss ich abgeben?", "Wie lange habe ich noch Zeit?",
        "How many days do I have left?", "Wie viele Tage habe ich noch?", "Combien de jours me reste-t-il ?",
        "Quand est la date limite ?",
    ),
    Wanted.MY_ORDERS: (
        "What are my orders?", "did you get my orders?", "Have you received my orders?", "Was sind meine Befehle?",
        "Quels sont mes ordres ?",
    ),
    Wanted.TURNOUT: (
        "who has sent their orders?", "Who is still missing?", "Is everyone ready?", "Has France ordered?",
        "Wer hat schon gezogen?", "Wer hat schon Befehle geschickt?",
        "Hat Frankreich schon gezogen?", "Qui a déjà envoyé ses ordres ?",
    ),
    Wanted.PLAYERS: (
        "Who plays France?", "Who is France?", "Who are the other players?",
        "Can you tell me who my opponents are?", "Wer spielt Frankreich?",
        "Qui joue l'Allemagne ?",
    ),
    Wanted.MY_POWER: ("Which country am I?", "Bin ich Frankreich?"),
    Wanted.HOW_TO_BUILD: ("Wie viele muss ich abbauen?",),
    Wanted.HOW_TO_RETREAT: ("My army runs away to Marseilles please",),
    Wanted.RULES: ("Was ist das schwarze Loch?", "C'est quoi, le trou noir ?"),
    Wanted.CLEAR: (
        "please cancel my orders", "Forget my orders please", "Lösche meine Befehle",
        "please take back everything I sent",
        "Annulez mes ordres s'il vous plaît",
    ),
    Wanted.HOW_TO_SUPPORT: (
        "How do I support another unit?", "Wie unterstütze ich eine Einheit?", "Comment soutenir une unité ?",
    ),
    Wanted.HOW_TO_CONVOY: ("how does one convoy an army", "Wie geht ein Konvoi?"),
    Wanted.HOW_TO_RETREAT: ("how do I retreat?", "Where can I retreat to?"),
    Wanted.HOW_TO_BUILD: ("How do I build?", "what can I build?"),
    Wanted.HOW_TO_WRITE: ("How can I write to France?",),
    Wanted.WHY: (
        "why did my army not move?", "Why was my support cut?", "what happened last turn?",
        "Warum ist meine Armee nicht gezogen?", "Pourquoi mon armée n'a pas bougé ?",
    ),
    Wanted.MAP: ("Can I see the map?", "please send me the map", "Kann ich die Karte sehen?"),
    Wanted.POSITION: ("Which pieces are mine?",),
    Wanted.RULES: (
        "What does bounce mean?", "what is this game?", "Where are the rules?", "Was ist das für ein Spiel?",
        "C'est quoi ce jeu ?",
    ),
    Wanted.ABSENCE: (
        "I am away from 5 to 12 December", "I'm on holiday next week", "Ich bin vom 3.12. bis 10.12. verreist",
        "Je suis absent du 3 au 10 décembre", "Ich kann vom 3. bis 10. Dezember nicht spielen",
        "I can't play next week", "Je ne peux pas jouer la semaine prochaine",
    ),
    Wanted.RESIGN: ("I quit", "I want to leave the game", "Ich steige aus", "J'abandonne"),
    Wanted.EXTEND: ("Can I have more time?", "Could we get an extension?"),
    Wanted.DRAW: ("how do we agree on a draw?",),
    Wanted.ANYBODY: ("is anybody there?", "Ist da jemand?", "Il y a quelqu'un ?"),
    Wanted.HELP: ("Help!", "What am I supposed to do now?", "what should I do?", "Was muss ich tun?",
        "Que dois-je faire ?",
        "I don't understand", "Ich verstehe das nicht", "Je ne comprends pas"),
    Wanted.GAMES: ("What games are there?",),
    Wanted.JOIN: ("How do I join?", "Which games can I join?"),
    Wanted.NO_MAIL: ("Unsubscribe",),
}  # fmt: skip


@pytest.mark.parametrize(("want", "text"), [(want, text) for want, texts in ASKED.items() for text in texts])
def test_what_is_asked(want: Wanted, text: str) -> None:
    assert likely(text, LEXICON).kinds[0] == want.name


@pytest.mark.parametrize(
    "text",
    [
        "Thanks a lot!",
        "See you next week",
        "I hope you are well",
        "Will you support me into Belgium?",
        "I will support you into Munich.",
        "Let's agree on a DMZ in the Channel.",
        "What do you think about attacking Germany?",
        "When you have moved, I follow.",
    ],
)
def test_what_asks_nothing_of_a_program(text: str) -> None:
    assert likely(text, LEXICON).kinds[0] in {"PRESS", "CHAT"}


def test_sentences_of_a_line() -> None:
    assert sentences("Hi. When is it due? vom 3.12. bis 10.12.") == ["Hi.", "When is it due?", "vom 3.12. bis 10.12."]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("from 5 December to 12 December", (date(2026, 12, 5), date(2026, 12, 12))),
        ("vom 3.12. bis 10.12. verreist", (date(2026, 12, 3), date(2026, 12, 10))),
        ("du 3 au 10 décembre", (date(2026, 12, 3), date(2026, 12, 10))),
        ("away Dec 24 to Jan 2", (date(2026, 12, 24), date(2027, 1, 2))),
        ("from 2026-12-24 until 2027-01-02", (date(2026, 12, 24), date(2027, 1, 2))),
        ("from 3rd to 99 December", None),
        ("from 30 to 31 February", None),
        ("next week", None),
        ("3 of us", None),
    ],
)
def test_two_days(text: str, days: tuple[date, date] | None) -> None:
    assert two_days(text, date(2026, 11, 20)) == days


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Please move the deadline to Thursday evening, 8pm.", "DEADLINE Thursday 20:00"),
        ("Move all deadlines by three days please, I am ill.", "ALL GAMES: EXTEND three days"),
        ("Could you extend the deadline until Sunday?", "EXTEND UNTIL Sunday"),
        ("Please postpone all my games by 2 days", "ALL GAMES: EXTEND 2 days"),
        ("Set the deadline to 1 Dec 18:00", "DEADLINE 1 Dec 18:00"),
        ("Move your army to Paris in 2 days", ""),
        ("Please move the deadline.", ""),
    ],
)
def test_a_wish_for_another_deadline(text: str, line: str) -> None:
    assert moves_deadline(text) == line
    assert not line or READER.read(line, LEXICON) is not None


@pytest.mark.parametrize(
    ("clause", "reason"),
    [
        ("Cas is ill", True),
        ("cas is ill", True),
        ("because the mail server was down", True),
        ("they are not responding anymore", True),
        ("half of us travel", True),
        ("since eli has resigned", True),
        ("Italy hasn't answered for weeks", True),
        ("weil Anna krank ist", True),
        ("remind those who have not ordered", False),
        ("since Friday", False),
        ("we need two more days", False),
        ("Gus wants out", False),
        ("Italy should be replaced", False),
        ("let bots play Italy", False),
        ("her address is now ann@example.net", False),
    ],
)
def test_what_only_states_something_is_a_reason(clause: str, reason: bool) -> None:
    assert is_reason(clause) is reason


def test_a_reason_is_apart_from_the_wish_that_it_is_for() -> None:
    assert without_reasons("let bots play for Italy since eli has resigned") == "let bots play for Italy"
    assert without_reasons("Cas is ill") == "Cas is ill", "nothing else is said"


@pytest.mark.parametrize(
    ("text", "knows"),
    [
        ("How do I eject somebody?", True),
        ("what happens if I eject Italy?", True),
        ("Should I process early?", True),
        ("who is on the standby list?", True),
        ("can you tell me how to extend", True),
        ("how about two more days?", False),
        ("why don't we extend by a day?", False),
        ("can fay have 12 more hours?", False),
        ("who misses two turns is kicked", False),
        ("What about a day more?", False),
    ],
)
def test_who_wants_to_know_wants_nothing_done(text: str, knows: bool) -> None:
    assert wants_to_know(text) is knows


def test_what_is_adjudicated_again_is_not_what_waits() -> None:
    assert is_against("please adjudicate spring again with it", "GM_PROCESS")
    assert not is_against("please adjudicate spring", "GM_PROCESS")


@pytest.mark.parametrize(
    ("text", "every", "left_out"),
    [
        ("no deadlines in all my games except duel", True, ["duel"]),
        ("in all my games but not in duel and spring", True, ["spring", "duel"]),
        ("extend all but one of the deadlines", True, []),
        ("set everything back to Spring 1901", False, []),
        ("Thank you all for a great game!", False, []),
    ],
)
def test_all_games_are_all_but_those_that_are_left_out(text: str, every: bool, left_out: list[str]) -> None:
    assert is_for_all_games(text) is every
    assert games_left_out(text, ["spring", "duel"]) == left_out


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("no deadlines over Christmas, from 24 Dec to 2 Jan", 1),
        ("keine Fristen an Weihnachten, vom 24.12. bis 2.1.", 1),
        ("keep the clock stopped, from 24 Dec to 2 Jan nobody plays", 2),
        ("remind the late ones, the deadline is Friday", 2),
    ],
)
def test_what_only_tells_when_is_a_part_of_the_wish_before_it(text: str, parts: int) -> None:
    assert len(wishes(text)) == parts


def test_days_are_known_misspelt() -> None:
    assert spelled("to firday 8pm or wendesday, not sunny") == "to friday 8pm or wednesday, not sunny"


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("from Friday till Monday", date(2026, 12, 7)),
        ("from 28 December until Saturday", date(2027, 1, 2)),
        ("Thursday to Wednesday", date(2026, 12, 9)),
    ],
)
def test_a_day_of_the_week_that_ends_a_span_is_the_first_behind_its_beginning(text: str, last: date) -> None:
    days = two_days(text, date(2026, 11, 29))
    assert days is not None
    assert days[1] == last
