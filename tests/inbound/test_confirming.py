"""The protocol of a confirmation: what counts as a yes, what the question shows, who may answer; and what each level
asks.
"""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

import pytest

from gm.commands import COMMANDS
from gm.inbound.acceptance import accept
from gm.orders.notation import write
from gm.play.questions import Reply, accepts, read_reply
from gm.settings import Level, TrustSettings
from gm.store.inbox import ArrivedMail, InboxState
from tests.server.world import BASE, Place, World, player, proved, reply_to, text_of

FRANCE, MASTER, STRANGER = player("France"), "master@example.org", "ann@work.example"
PROVED = proved("@players.example")
PROVED_MASTER = proved("@example.org")
EVERY: tuple[Level, ...] = ("open", "normal", "strict")


@pytest.fixture
def world(world_at_level: World) -> World:
    return world_at_level


def comes(world: World, sender: str, to: str, text: str, **headers: str) -> list[EmailMessage]:
    """Deliver a mail. Returns the questions to its sender, and to France, that it causes."""
    before = {address: len(world.mailboxes.get(address, [])) for address in (sender, FRANCE)}
    world.arrive(sender, to, text, headers=headers)
    world.work()
    fresh = [mail for address, seen in before.items() for mail in world.mailboxes.get(address, [])[seen:]]
    return [mail for mail in fresh if "+confirm." in reply_to(mail)]


def orders(world: World) -> list[str]:
    game = world.game()
    return sorted(write(order) for seat in game.players for order in game.orders_of(seat))


# ---- what a yes is


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("YES", Reply.YES),
        ("yes.", Reply.YES),
        ("\n\n  Ok!\n\nBest regards\nAnn", Reply.YES),
        ("*Yes*\n\nSent from my telephone", Reply.YES),
        ("Sí", Reply.YES),
        ("Oui !", Reply.YES),
        ("YES ALWAYS", Reply.ALWAYS),
        ("yes, always.\n\nAnn", Reply.ALWAYS),
        ("NO", Reply.NO),
        ("No, not me!", Reply.NO),
        ("nein danke", Reply.NO),
        ("Ok, who is this? I never asked for that. NO!", Reply.UNCLEAR),
        ("Ok,\nwho is this? I never asked for that.", Reply.UNCLEAR),
        ("Tak, men nej.", Reply.UNCLEAR),
        ("Tak", Reply.UNCLEAR),
        ("Y", Reply.UNCLEAR),
        ("Si.", Reply.UNCLEAR),
        ("Sì", Reply.YES),
        ("Confirm? No!", Reply.UNCLEAR),
        ("Y a-t-il un problème ?", Reply.UNCLEAR),
        ("YES\n\nNo, wait", Reply.UNCLEAR),
        ("YES\n\nActually no, I did not write it.", Reply.UNCLEAR),
        ("YES\n\nnot me", Reply.UNCLEAR),
        ("YES\n\nNO", Reply.UNCLEAR),
        ("Hi,\n\nyes\n\nThanks!\nAnn Lee", Reply.YES),
        ("Yes?", Reply.UNCLEAR),
        ("Yes thanks", Reply.YES),
        ("Yes, thanks!", Reply.YES),
        ("Oui, merci.", Reply.YES),
        ("Ja, danke!\nViele Grüße\nAnn", Reply.YES),
        ("Sí, gracias\nUn saludo", Reply.YES),
        ("Sim. Obrigada!", Reply.YES),
        ("Yes always, thank you", Reply.ALWAYS),
        ("Thanks", Reply.UNCLEAR),
        ("Merci", Reply.UNCLEAR),
        ("Tak\nAnn", Reply.UNCLEAR),
        ("Yes thanks, but no", Reply.UNCLEAR),
        ("Yes, thanks for nothing", Reply.UNCLEAR),
        ("Ok danke\nBob", Reply.UNCLEAR),
        ("Nein, danke", Reply.NO),
        ("yesterday", Reply.UNCLEAR),
        ("What is this?", Reply.UNCLEAR),
        ("", Reply.UNCLEAR),
        ("Yes please", Reply.YES),
        ("YES, please. Thank you!", Reply.YES),
        ("Ja, bitte.", Reply.YES),
        ("Yes\n\nBest regards\nTom Taylor\nTel. 123", Reply.YES),
        ("Yes\n\nThanks\nTom Taylor, University of Oslo\nhttps://tom.example", Reply.YES),
        ("Yes\n\nBest regards\nNot Me", Reply.UNCLEAR),
        ("Yes\n\nBest regards\nwho wrote this", Reply.UNCLEAR),
        ("YES, please. Who else plays?", Reply.UNCLEAR),
    ],
)
def test_what_an_answer_says(text: str, expected: Reply) -> None:
    assert read_reply(text, "Ann Lee ann@work.example") is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("YES, please. Who else plays?", True),
        ("Yes, gladly! See you there.", True),
        ("yes please\n\nWhen does it begin?\nTom", True),
        ("Yes!\nI look forward to it.\n\nBest regards\nTom", True),
        ("Ja, gerne. Wer spielt mit?", True),
        ("Yes but not this week", False),
        ("Yes, if I can play France", False),
        ("Yes. But only as France.", False),
        ("Yes, please.\nActually no.", False),
        ("yes or no?", False),
        ("Yes? Who is this?", False),
        ("Yes, I don't want this", False),
        ("Ok, who is this? I never asked for that. NO!", False),
        ("Yesterday, please.", False),
        ("Thanks. Yes!", False),
    ],
)
def test_an_offer_is_accepted_in_a_sentence(text: str, expected: bool) -> None:
    assert accepts(text, "Tom") is expected


@pytest.mark.parametrize("text", ["Ok, who is this? I never asked for that. NO!", "Tak!", "Confirm? No!"])
@pytest.mark.way_in(number=4)
def test_a_sentence_is_no_yes(world: World, seats: dict[str, str], text: str) -> None:
    (asked,) = comes(world, STRANGER, seats["France"], "A PAR-BUR")
    comes(world, FRANCE, reply_to(asked), text, **PROVED)
    assert "YES or NO alone" in text_of(world.last(FRANCE))
    assert orders(world) == []
    comes(world, FRANCE, reply_to(asked), "Yes.\n\nFrance", **PROVED)
    assert orders(world) == ["A Par-Bur"]


@pytest.mark.way_in(number=4)
def test_a_yes_is_signed_with_the_registered_name(place: Place) -> None:
    """Also when the From line has no name."""
    (asked,) = comes(place, STRANGER, place.seats_of_spring["France"], "A PAR-BUR")
    bare = place.mail(FRANCE, reply_to(asked), "YES\nPat France").replace(b"From: Pat France <", b"From: <")
    accept(place.service, ArrivedMail("smtp", bare, place.time, (parseaddr(reply_to(asked))[1],), FRANCE))
    place.work()
    assert orders(place) == ["A Par-Bur"]
    assert b"From: <" in bare


def test_the_last_reply_to_an_unclear_answer_says_so(place: Place) -> None:
    (asked,) = comes(place, STRANGER, place.seats_of_spring["France"], "A PAR-BUR")
    before = len(place.mailboxes[FRANCE])
    for _ in range(8):
        comes(place, FRANCE, reply_to(asked), "What is this?")
    replies = [text_of(mail) for mail in place.mailboxes[FRANCE][before:]]
    assert len(replies) == 5
    assert ["is not replied to again before" in reply for reply in replies] == [False] * 4 + [True]
    assert "A YES or NO alone still counts" in replies[-1]
    comes(place, FRANCE, reply_to(asked), "YES")
    assert orders(place) == ["A Par-Bur"]


def test_a_yes_that_fails_its_domains_checks_is_none(world: World, seats: dict[str, str]) -> None:
    failed = {"Authentication-Results": "mx.home; dmarc=fail header.from=players.example"}
    (asked,) = comes(world, STRANGER, seats["France"], "A PAR-BUR")
    comes(world, FRANCE, reply_to(asked), "YES", **failed)
    assert "was not counted" in text_of(world.last(FRANCE))
    assert orders(world) == []
    comes(world, FRANCE, reply_to(asked), "YES", **PROVED)
    assert orders(world) == ["A Par-Bur"]


@pytest.mark.parametrize(
    "robot", [{"Auto-Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"X-Autoreply": "yes"}], ids=str
)
@pytest.mark.way_in(number=4)
def test_a_robot_cannot_answer(world: World, seats: dict[str, str], robot: dict[str, str]) -> None:
    (asked,) = comes(world, STRANGER, seats["France"], "A PAR-BUR")
    assert asked["Auto-Submitted"] == "auto-generated"
    for _ in range(3):
        assert comes(world, FRANCE, reply_to(asked), "YES", **PROVED, **robot) == []
        assert world.inbox()[-1].state is InboxState.IGNORED
    assert orders(world) == []


# ---- what the question shows


def test_each_line_that_is_confirmed_counts_for_the_game_above_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    text = "CREATE fennel germany-italy\nINVITE g@example.net, i@example.net\n\nCREATE ginger\nINVITE a@example.net"
    (asked,) = comes(world, MASTER, BASE, text)
    shown = "GAME fennel INVITE g@example.net, i@example.net GAME ginger INVITE a@example.net"
    assert shown in " ".join(text_of(asked).split())
    world.send(MASTER, reply_to(asked), "YES")
    games = {name: str(world.last(f"{name}@example.net")["Subject"]) for name in "gia"}
    assert {name: subject[: subject.index("]")] for name, subject in games.items()} == {
        "g": "[fennel",
        "i": "[fennel",
        "a": "[ginger",
    }


def test_what_is_below_a_game_that_waits_waits_with_it(tmp_path: Path) -> None:
    """One YES makes the game, invites and takes a seat, in the order written."""
    world = World(tmp_path, trust=TrustSettings(level="normal", authserv_ids=("mx.home",)))
    who = "bob@nowhere.example"
    (asked,) = comes(world, who, BASE, "CREATE duel germany-italy\nINVITE ann@example.net\nJOIN duel AS Italy")
    shown = " ".join(text_of(asked).split())
    assert all(line in shown for line in ("CREATE duel germany-italy", "INVITE ann@example.net", "JOIN duel AS Italy"))
    comes(world, who, reply_to(asked), "YES")
    assert "Bob invites you to duel" in text_of(world.last("ann@example.net"))
    assert "You asked to play Italy" in text_of(world.last(who)) + "".join(map(text_of, world.mailboxes[who]))


@pytest.mark.way_in(number=4)
def test_the_question_shows_every_line_that_a_yes_acts_on(world: World, seats: dict[str, str]) -> None:
    talk = "\n".join(f"This is line {number}." for number in range(60))
    (asked,) = comes(world, STRANGER, seats["France"], f"{talk}\nA PAR-BUR\nPRESS TO ALL\n{'deep ' * 90}\nENDPRESS")
    shown = text_of(asked)
    assert "This is line 59." in shown
    assert "A PAR-BUR" in shown
    assert shown.count("deep") == 90


@pytest.mark.way_in(number=4)
def test_nothing_is_acted_on_that_was_not_shown(world: World, seats: dict[str, str]) -> None:
    talk = "\n".join("Word " * 20 for _ in range(250))
    (asked,) = comes(world, STRANGER, seats["France"], f"A MAR-SPA\n{talk}\nA PAR-BUR")
    assert "A PAR-BUR" not in text_of(asked)
    assert "YES acts on its first" in text_of(asked)
    comes(world, FRANCE, reply_to(asked), "YES", **PROVED)
    assert orders(world) == ["A Mar-Spa"]


def test_it_shows_what_belongs_to_a_command(world: World) -> None:
    created = comes(world, MASTER, BASE, "CREATE autumn\nmove: 2d\npress: none\n\nBest regards", **PROVED_MASTER)
    if not created:
        created = comes(world, "other@nowhere.example", BASE, "CREATE winter\nmove: 2d\npress: none\n\nBye")
    if created:  # at `open` nobody is asked
        assert all(words in text_of(created[0]) for words in ("move: 2d", "press: none"))
        assert "Bye" not in text_of(created[0])


# ---- what each level asks first


def waits(world: World, to: str, text: str, sender: str, **headers: str) -> bool:
    """Whether a mail only asks for information."""
    questions = comes(world, sender, to, text, **headers)
    return bool(questions)


UNPROVED_FIRST = {"open": False, "normal": True, "strict": True}


@pytest.mark.parametrize(
    "line",
    ["TIMEZONE Asia/Tokyo", "PREFERENCES mail=text", "REGISTER Anne Other", "OBSERVE spring", "STANDBY spring",
     "CREATE autumn"],
)  # fmt: skip
@pytest.mark.way_in(number=5)
def test_what_commits_its_sender(world: World, seats: dict[str, str], level: Level, line: str) -> None:
    """The public address has no holder; only this mail can prove who sent it."""
    del seats
    for name in ("ann", "bob"):
        comes(world, f"{name}@players.example", BASE, f"REGISTER {name} Example", **PROVED)
    assert waits(world, BASE, line, "ann@players.example") is UNPROVED_FIRST[level]
    assert waits(world, BASE, line.replace("autumn", "winter"), "bob@players.example", **PROVED) is False


@pytest.mark.way_in(number=5)
def test_joining_takes_no_seat_before_the_yes(world: World, level: Level) -> None:
    comes(world, MASTER, BASE, "CREATE spring", **PROVED_MASTER)
    for number in range(7):
        asked = comes(world, f"forged{number}@players.example", BASE, "JOIN spring")
        assert bool(asked) is UNPROVED_FIRST[level]
    assert len(world.game().players) == (7 if level == "open" else 0)


def test_somebody_new_may_say_who_they_are(world: World, level: Level) -> None:
    assert waits(world, BASE, "REGISTER Ann Example", "ann@players.example") is False
    assert "Ann Example" in text_of(world.last("ann@players.example"))
    assert waits(world, BASE, "REGISTER Bob Example", "ann@players.example") is UNPROVED_FIRST[level]


@pytest.mark.parametrize("line", ["ADDRESS thief@evil.example", "ADDRESS ADD thief@evil.example", "FORGET ME"])
@pytest.mark.parametrize("at", ["seat", "public"])
@pytest.mark.way_in(number=5)
def test_one_forged_mail_moves_or_erases_nobody(world: World, seats: dict[str, str], line: str, at: str) -> None:
    assert waits(world, seats["France"] if at == "seat" else BASE, line, FRANCE)
    assert "thief@evil.example" not in world.mailboxes
    assert any(seat.person is not None for seat in world.seats() if seat.power == "France")


def test_who_is_proved_is_asked_at_strict_only(world: World, seats: dict[str, str], level: Level) -> None:
    assert waits(world, seats["France"], "ADDRESS new@players.example", FRANCE, **PROVED) is (level == "strict")
    assert ("new@players.example" in world.mailboxes) is (level != "strict")


@pytest.mark.parametrize("line", ["INVITE who@elsewhere.example", "REPLACE FRANCE WITH who@elsewhere.example"])
@pytest.mark.way_in(number=5)
def test_no_mail_is_sent_in_another_persons_name(world: World, seats: dict[str, str], line: str) -> None:
    assert waits(world, seats["GM"], line, MASTER)
    assert "who@elsewhere.example" not in world.mailboxes


def test_looking_needs_no_yes(world: World, seats: dict[str, str], level: Level) -> None:
    for line in ("ADDRESS", "PREFERENCES", "WHOAMI", "STATUS", "HELP"):
        assert waits(world, BASE, line, FRANCE) is (level == "strict"), "a strict server quarantines the mail"
        assert waits(world, seats["France"], line, FRANCE, **PROVED) is False


@pytest.mark.parametrize("line", ["SCHEDULE in 2h: COMMENT soon", "DUMMY FRANCE", "DRAW spring", "EXTEND 24h"])
@pytest.mark.way_in(number=5)
def test_a_strict_server_does_nothing_unproved(world: World, seats: dict[str, str], level: Level, line: str) -> None:
    expected = {"open": False, "normal": line in ("DRAW spring", "DUMMY FRANCE"), "strict": True}
    assert waits(world, seats["GM"], line, MASTER) is expected[level]


@pytest.mark.way_in(number=5)
def test_a_live_players_seat_is_taken_only_after_a_yes(place: Place, level: Level) -> None:
    gm = place.seats_of_spring["GM"]
    asked = {"open": 0, "normal": 0, "strict": 1}[level]
    assert len(comes(place, MASTER, gm, "DUMMY FRANCE")) == asked, "authenticated"
    with place.forging():
        (asked_first,) = [None] if level == "open" else comes(place, MASTER, gm, "DUMMY TURKEY")
    if asked_first is not None:
        assert "You have left" not in str(place.last(player("Turkey"))["Subject"])
        place.send(MASTER, reply_to(asked_first), "YES")
        assert next(seat for seat in place.seats() if seat.power == "Turkey").dummy_since is not None
        undone = text_of(place.does(MASTER, gm, "UNDO"))
        assert "Turkey has its player back." in undone
        for asked_again in comes(place, MASTER, gm, "EJECT TURKEY"):
            place.send(MASTER, reply_to(asked_again), "YES")
        assert comes(place, MASTER, gm, "DUMMY TURKEY") == [], "it is nobody's"
        assert "Turkey is vacant and can be taken over." in text_of(place.does(MASTER, gm, "UNDO"))


@pytest.mark.way_in(number=1)
@pytest.mark.parametrize("written", ["A MAR-SPA", "PRESS TO ALL\nHello\nENDPRESS\nA MAR-SPA", "READY"])
def test_a_question_about_orders_ends_with_its_phase(place: Place, written: str) -> None:
    """Just after the last phase the orders are doubtful: the question is of the present phase all the same."""
    address = place.seats_of_spring["France"]
    place.does(FRANCE, address, "HELP", headers={"Cc": "friend@elsewhere.example"})
    place.pass_time(days=8)
    assert place.phase() == "F1901M"
    with place.forging():
        (asked,) = comes(place, FRANCE, address, written, **{"In-Reply-To": ""})
    place.does(MASTER, place.seats_of_spring["GM"], "PROCESS F1901M")
    phase = place.phase()
    assert phase != "F1901M"
    said = text_of(place.send(FRANCE, reply_to(asked), "YES"))
    assert "The next phase has begun, so nothing was done" in said
    assert orders(place) == []


@pytest.mark.way_in(number=1)
def test_a_yes_does_not_carry_late_orders_over(place: Place) -> None:
    """The mail was received in a phase that was over when its sender was asked about it."""
    place.pass_time(days=8)
    address = place.seats_of_spring["France"]
    place.does(FRANCE, address, "HELP", headers={"Cc": "friend@elsewhere.example"})
    with place.forging():
        raw = place.mail(FRANCE, address, "A MAR-SPA", headers={"In-Reply-To": ""})
    mail = ArrivedMail("smtp", raw, place.time - timedelta(days=1, hours=1), (parseaddr(address)[1],), FRANCE)
    accept(place.service, mail)
    place.work()
    asked = place.last(FRANCE)
    assert "Did you write this?" in str(asked["Subject"])
    said = text_of(place.send(FRANCE, reply_to(asked), "YES"))
    assert "This came too late: S1901M is over" in said
    assert orders(place) == []


def test_a_command_of_each_kind_says_what_it_means() -> None:
    """Commands that could harm somebody else declare their consent; a new command that could must be added to this
    list.
    """
    found = {command.title: command.policy.consent.name for command in COMMANDS.values()}
    assert {title for title, consent in found.items() if consent == "FAR_REACHING"} == {
        "ADDRESS", "FORGET ME", "REPLACE", "PROMOTE", "DEPUTY",
    }  # fmt: skip
    assert {title for title, consent in found.items() if consent == "UNASKED"} == {"INVITE"}
    assert {title for title, consent in found.items() if consent == "BINDING"} == {
        "JOIN", "TAKEOVER", "STANDBY", "OBSERVE", "REGISTER", "TIMEZONE", "PREFERENCES", "CREATE",
        "PRACTICE", "SANDBOX",
    }  # fmt: skip


def test_a_second_yes_of_the_same_moment_is_told_that_the_first_counts(world: World) -> None:
    with world.trusting():
        seat = reply_to(world.send("master@example.org", BASE, "CREATE club"))
        world.send("master@example.org", seat, "INVITE ann@example.net")
    asked = reply_to(world.last("ann@example.net"))
    for _ in range(2):
        world.arrive("ann@example.net", asked, "YES")
    world.work()
    said = [text_of(mail) for mail in world.mailboxes["ann@example.net"][1:]]
    assert sum("You have a seat in club" in one for one in said) == 1
    assert sum("You have answered YES before, and that counts, once" in one for one in said) == 1
    assert len(world.game("club").held) == 1


@pytest.mark.parametrize(
    ("to", "words"),
    [(BASE, "CREATE duel variant=france-austria"), (BASE, "PRACTICE"), ("GM", "INVITE ann@friends.example")],
)
def test_what_only_waits_for_its_sender_is_answered_by_the_question(tmp_path: Path, to: str, words: str) -> None:
    """Where no server in front proves mail, much is asked: one mail each time, in reply to the mail."""
    world = World(tmp_path, trust=TrustSettings(level="normal"))
    master = "master@example.org"
    seats = world.started()
    before = len(world.mailboxes[master])
    world.arrive(master, seats.get(to, to), words)
    world.work()
    (asked,) = world.mailboxes[master][before:]
    assert asked["In-Reply-To"]
    assert "Please confirm" in str(asked["Subject"])
    assert words in text_of(asked)
    assert "was done yet" not in text_of(asked)
    assert "Please confirm" not in str(world.send(master, reply_to(asked), "YES")["Subject"])
    world.database.dispose()


def test_who_has_orders_learns_where_they_stand_though_all_else_waits(tmp_path: Path) -> None:
    world = World(tmp_path, trust=TrustSettings(level="normal"))
    seats = world.started()
    assert "No orders of France" in text_of(world.send(player("France"), seats["France"], "RESIGN spring"))
    world.database.dispose()
