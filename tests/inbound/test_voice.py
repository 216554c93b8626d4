"""REMARK, HOUSE RULES and NOTE: whom the gamemaster's words reach, and when."""

from __future__ import annotations

import pytest

from gm.commands import COMMANDS
from gm.mail.message.reply import own_words
from gm.mail.message.text import plain_lines
from gm.parsing.command_syntax import Text
from gm.variants.standard import POWERS
from tests.server.world import BASE, World, body_of, player, reply_to, text_of

MASTER = "master@example.org"
FRANCE = player("France")


@pytest.mark.parametrize("above", [True, False], ids=["beforehand", "with RELEASE"])
def test_a_remark_stands_once_above_the_next_report(world: World, above: bool) -> None:
    seats = world.started(options="release=gm")
    remark, going = "REMARK\nA lively beginning.\nENDREMARK", "RELEASE S1901M"
    if above:
        world.send(MASTER, seats["GM"], remark)
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    world.send(MASTER, seats["GM"], going if above else f"{going}\n{remark}")
    report = text_of(world.last(FRANCE))
    assert report.count("A lively beginning.") == 1
    assert report.index("The gamemaster writes: A lively beginning.") < report.index("Reply with France's orders")
    world.send(MASTER, seats["GM"], "PROCESS F1901M\nRELEASE F1901M")
    assert "A lively beginning." not in text_of(world.last(FRANCE))


@pytest.mark.parametrize("ending", ["TERMINATE spring\n{}", "{}\nDRAW spring France"])
def test_the_last_mail_has_the_gamemasters_words_standings_and_names(world: World, ending: str) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], ending.format("REMARK\nThank you all.\nENDREMARK"))
    said = text_of(world.last(FRANCE))
    assert "The gamemaster writes: Thank you all." in said
    assert "Russia 4 Pat Russia" in said


@pytest.mark.parametrize("ending", ["PROCESS S1901M", "TERMINATE spring"])
def test_words_and_a_reason_have_a_heading_each(world: World, ending: str) -> None:
    seats = world.started()
    words = "REMARK\nThank you all.\nENDREMARK\nREMARK\nWell played.\nENDREMARK"
    world.send(MASTER, seats["GM"], f"{words}\n{ending}\nBECAUSE all agree")
    said = text_of(world.last(FRANCE))
    assert "The gamemaster writes: Thank you all. Well played. The gamemaster's reason: All agree." in said


@pytest.mark.parametrize(
    ("ending", "where"),
    [
        ("TERMINATE spring\nBECAUSE all agree", "Your reason stands in the game's last mail: all agree."),
        ("DRAW spring France", "The game is over: France."),
    ],
)
def test_an_answer_says_of_words_where_they_stand_when_the_game_is_over(world: World, ending: str, where: str) -> None:
    answer = world.send(MASTER, world.started()["GM"], f"REMARK\nThank you all.\nENDREMARK\n{ending}")
    said = text_of(answer)
    assert " is over" in str(answer["Subject"])
    assert "Your words stand in the game's last mail." in said
    assert where in said
    assert "next report" not in said
    assert "results" not in said


def test_house_rules_stand_among_the_terms_and_everybody_is_told(world: World) -> None:
    seats = world.started()
    said = text_of(world.send(MASTER, seats["GM"], "HOUSE RULES\nNo mail\nat night.\nENDHOUSERULES"))
    assert "The house rules of spring are now: No mail at night." in said
    assert "No mail at night." in text_of(world.last(FRANCE))
    assert "House rules No mail at night." in text_of(world.send(FRANCE, seats["France"], "STATUS"))
    world.send(MASTER, seats["GM"], "INVITE zed@z.example")
    assert "House rules No mail at night." in text_of(world.last("zed@z.example"))
    assert "There are no house rules now." in text_of(world.send(MASTER, seats["GM"], "HOUSE RULES NONE"))
    assert "No mail" not in text_of(world.send(FRANCE, seats["France"], "STATUS"))
    world.send(MASTER, seats["GM"], "UNDO")
    assert "No mail at night." in text_of(world.send(FRANCE, seats["France"], "STATUS"))
    for length, answer in (
        (2001, "house rules; one game has 2,000"),
        (2000, "The house rules of spring are now: aa"),
    ):
        assert answer in text_of(world.send(MASTER, seats["GM"], f"HOUSE RULES\n{'a' * length}\nENDHOUSERULES"))


TEXTS = [
    "Whoever misses two deadlines is replaced.\nPress is polite, whatever is in it.\nPress can be grey.",
    "Hello all.\nHouse rules stay the same.\nPress to Germany was slow this week.\nRemarks are welcome.",
]


def test_house_rules_keep_their_lines(world: World) -> None:
    seats, rules = world.started(), "Whoever is late twice is replaced.\nNo mail:\n\n- at night\n- on Sundays"
    answer = world.send(MASTER, seats["GM"], f"HOUSE RULES\n{rules}\nENDHOUSERULES")
    for mail in (answer, world.last(FRANCE), world.send(MASTER, seats["GM"], "HELP HOUSE RULES")):
        assert f"now:\n{rules}" in body_of(mail)
    status = world.send(FRANCE, seats["France"], "STATUS")
    assert f"House rules  {rules}".replace("\n", f"\n{' ' * 13}").replace(f"{' ' * 13}\n", "\n") in body_of(status)
    page = status.get_body(("html",))
    assert page is not None
    assert "replaced.<br>No mail:<br><br>- at night<br>- on Sundays" in str(page.get_content())
    assert f"They replace these:\n{rules}" in body_of(world.send(MASTER, seats["GM"], "HOUSE RULES\nA.\nENDHOUSERULES"))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("kind", ["HOUSE RULES", "OFFICIAL", "REMARK"])
def test_a_sentence_in_a_text_begins_no_other(world: World, kind: str, text: str) -> None:
    seats = world.started()
    before = {address: len(mails) for address, mails in world.mailboxes.items()}
    said = text_of(world.send(MASTER, seats["GM"], f"{kind}\n{text}\nEND{kind.replace(' ', '')}"))
    assert "Your mail was understood" in said
    assert "Press sent" not in said
    if kind == "OFFICIAL":
        germany = world.mailboxes[player("Germany")][before[player("Germany")] :]
        assert [all(line in text_of(mail) for line in text.split("\n")) for mail in germany] == [True]


def test_a_header_in_a_text_begins_another(world: World) -> None:
    seats = world.started()
    said = text_of(world.send(MASTER, seats["GM"], "OFFICIAL\nHello all.\nPRESS TO GERMANY\nsecret\nENDPRESS"))
    assert "begins a text that has no ENDOFFICIAL" in said
    assert "Press sent to Germany" in said


def test_nobody_else_ever_reads_a_note(world: World) -> None:
    seats = world.started()
    world.promotes(MASTER, seats["GM"], "PROMOTE helper@example.org")
    helper = str(world.last("helper@example.org")["Reply-To"])
    assert "You have no notes." in text_of(world.send(MASTER, seats["GM"], "NOTES"))
    world.send(MASTER, seats["GM"], "NOTE France was late twice")
    assert "France was late twice" in text_of(world.send(MASTER, seats["GM"], "NOTES"))
    assert "Your note of 20 Nov: France was late twice" in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert "late twice" not in text_of(world.send("helper@example.org", helper, "DASHBOARD\nLOG"))
    world.send(FRANCE, seats["France"], "DIARY\nA quiet year.\nENDDIARY")
    world.send(MASTER, seats["GM"], "TERMINATE spring")
    said = text_of(world.send(FRANCE, BASE, "SUMMARY spring"))
    assert "A quiet year." in said
    assert "late twice" not in said


@pytest.mark.parametrize("name", [one.name for one in COMMANDS.values() if isinstance(one.syntax.below, Text)])
def test_a_quotation_within_a_text_is_its_writers(name: str) -> None:
    """Every text of a mail is kept whole, with what it quotes."""
    kind = COMMANDS[name].syntax.below.kind  # type: ignore[union-attr]
    head = {"press": "PRESS TO France", "broadcast": "BROADCAST", "houserules": "HOUSE RULES"}.get(name, name.upper())
    assert (
        "> so it was"
        in own_words(list(plain_lines(f"{head}\nIt says:\n> so it was\nand so on\nEND{kind.upper()}\n"))).text
    )


REASON = "The reason: the server was down"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("EXTEND 24h\nSET grace=6h", "The reason for both"),
        ("EXTEND 24h\nORDERS FOR FRANCE\nA PAR-BUR\n\nSET grace=6h", "The reason for both"),
        ("EXTEND 24h\nDEADLINE 1 Dec 18:00\nSET grace=6h", "The reason for all of this"),
        ("EXTEND 24h\n\nSET grace=6h", "(was none). The reason"),
        ("EXTEND 24h\nREMIND\nSET grace=6h", "The reason for both"),
        ("EXTEND 24h\nBECAUSE of me\nSET grace=6h", "(was none). The reason"),
        ("EXTEND 24h\nORDERS FOR FRANCE\nA PAR-BUR", ""),
    ],
)
def test_a_reason_is_for_the_commands_that_stand_directly_above_it(world: World, lines: str, told: str) -> None:
    """Which share it, and tell it once; the reason for a power's orders is for its player alone."""
    seats = world.started()
    answer = text_of(world.send(MASTER, seats["GM"], f"{lines}\nBECAUSE the server was down"))
    mails = [text_of(one) for one in world.mailboxes[player("Italy")]]
    assert sum(one.count("the server was down") for one in mails) == bool(told)
    assert not told or any(f"{told}: the server was down." in one for one in mails)
    assert answer.count("players get your reason: the server was down") == bool(told)
    assert "Nobody was told" not in answer
    mine = [one for one in map(text_of, world.mailboxes[FRANCE]) if "has ordered for France. The reason:" in one]
    assert len(mine) == lines.count("ORDERS FOR")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("BECAUSE the server was down\nEXTEND 24h", True),
        ("GAME spring\nBECAUSE the server was down\nEXTEND 24h", True),
        ("BECAUSE the server was down\nEXTEND 24h\nBECAUSE I say so", False),
        ("BECAUSE the server was down\n\nEXTEND 24h", False),
    ],
)
def test_a_reason_that_is_for_no_command_above_it_is_for_the_one_below(world: World, text: str, told: bool) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], text)
    assert (REASON in text_of(world.last(FRANCE))) == told


@pytest.mark.parametrize("line", ["EJECT Italy", "DUMMY Italy"])
def test_who_loses_a_seat_and_all_others_are_told_why(world: World, line: str) -> None:
    seats = world.started()
    mail = world.send(MASTER, seats["GM"], f"{line}\nBECAUSE the server was down")
    assert "reason" not in str(mail["Subject"]), "it says what was done"
    assert "All players get your reason: the server was down." in text_of(mail)
    assert REASON in text_of(world.last(player("Italy")))
    assert REASON in text_of(world.last(FRANCE))


def test_a_reason_that_one_of_them_cannot_tell_was_told_all_the_same(world: World) -> None:
    seats = world.started()
    due = f"{world.game().due_at:%d %b %H:%M}"
    answer = text_of(world.send(MASTER, seats["GM"], f"SET grace=6h\nDEADLINE {due}\nBECAUSE the server was down"))
    assert "Nobody was told" not in answer
    assert REASON in text_of(world.last(FRANCE))
    alone = text_of(world.send(MASTER, seats["GM"], f"DEADLINE {due}\nBECAUSE the server was down"))
    assert "Nobody was told your reason: the server was down." in alone


def test_a_remark_of_a_game_that_has_not_begun_stands_in_its_first_mail_alone(world: World) -> None:
    master = reply_to(world.send(MASTER, BASE, "CREATE spring"))
    said = text_of(world.send(MASTER, master, "REMARK\nDeadlines are at six.\nENDREMARK"))
    assert "Your words will stand in the first mail of the game" in said
    for power in POWERS:
        world.send(player(power), BASE, f"JOIN spring AS {power}")
    world.send(MASTER, master, "START")
    opening = text_of(world.last(FRANCE))
    assert opening.count("The gamemaster writes: Deadlines are at six.") == 1
    assert opening.index("Deadlines are at six.") < opening.index("Reply with France's orders")
    world.send(MASTER, master, "PROCESS S1901M")
    assert "Deadlines are at six." not in text_of(world.last(FRANCE))


def test_a_remark_below_start_stands_in_the_first_mail_as_long_as_that_is_not_written(world: World) -> None:
    master = reply_to(world.send(MASTER, BASE, "CREATE spring"))
    for power in POWERS:
        world.send(player(power), BASE, f"JOIN spring AS {power}")
    world.send(MASTER, master, "START\nREMARK\nDeadlines are at six.\nENDREMARK")
    assert "The gamemaster writes: Deadlines are at six." in text_of(world.last(FRANCE))
    world.send(MASTER, master, "PROCESS S1901M")
    assert "Deadlines are at six." not in text_of(world.last(FRANCE))


def test_house_rules_of_a_game_that_nobody_has_joined_are_told_to_nobody(world: World) -> None:
    master = reply_to(world.send(MASTER, BASE, "CREATE spring"))
    said = text_of(world.send(MASTER, master, "HOUSE RULES\nBe kind.\nENDHOUSERULES"))
    assert "The house rules of spring are now: Be kind." in said
    assert "Everybody was notified." not in said
