"""How our mail behaves: threads, lists, return paths, the postmaster's mail, and which recipients are accepted."""

from __future__ import annotations

from email.message import EmailMessage
from urllib.parse import parse_qs, unquote

import pytest

from gm.inbound.acceptance import accept, knows
from gm.store import inbox
from gm.store.inbox import ArrivedMail, InboxState
from tests.inbound.test_trust import question
from tests.server.bounces import OPERATOR
from tests.server.world import BASE, World, player, proved, reply_to, text_of

FRANCE, MASTER = player("France"), "master@example.org"


def test_everything_about_a_game_is_one_conversation(world: World, seats: dict[str, str]) -> None:
    opening = world.last(FRANCE)
    world.send(MASTER, seats["GM"], "EXTEND 24h")
    news = world.last(FRANCE)
    assert opening["References"] == news["References"]
    assert opening["List-Id"] == news["List-Id"]
    assert "spring.example.org" in str(news["List-Id"])
    other = world.started("autumn")
    assert world.last(FRANCE)["References"] != news["References"]
    assert other["France"] != seats["France"]


def test_a_receipt_hangs_below_the_mail_it_answers(world: World, seats: dict[str, str]) -> None:
    opening = world.last(FRANCE)
    headers = {"In-Reply-To": opening["Message-ID"], "References": f"{opening['References']} {opening['Message-ID']}"}
    receipt = world.send(FRANCE, seats["France"], "A PAR-BUR", headers=headers, message_id="<mine@players.example>")
    assert receipt["In-Reply-To"] == "<mine@players.example>"
    thread = str(receipt["References"]).split()
    assert thread == [opening["References"], opening["Message-ID"], "<mine@players.example>"]


def test_every_mail_we_send_is_marked_as_automatic(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], "STATUS")
    for mails in world.mailboxes.values():
        for mail in mails:
            assert mail["Auto-Submitted"] in ("auto-replied", "auto-generated")
            assert mail["X-Auto-Response-Suppress"] == "All"
            assert mail["X-Gm-Loop"]


def test_our_own_mail_that_comes_back_is_nothing(world: World, seats: dict[str, str]) -> None:
    """Two servers that write to each other, or a forwarding that leads back to ours."""
    raw = world.last(FRANCE).as_bytes()
    accept(world.service, ArrivedMail("smtp", raw, world.time, (seats["France"],), FRANCE))
    world.work()
    assert world.inbox()[-1].state is InboxState.IGNORED


def test_observers_can_unsubscribe_with_one_mail(world: World, seats: dict[str, str]) -> None:
    world.send("watcher@example.net", BASE, "OBSERVE spring")
    world.send(MASTER, seats["GM"], "OFFICIAL\nHello all\nENDOFFICIAL")
    mail = world.last("watcher@example.net")
    link = str(mail["List-Unsubscribe"])
    assert link.startswith("<mailto:gm%2Bspring.")
    assert "UNOBSERVE%20spring" in link
    answer = world.send("watcher@example.net", reply_to(mail), "UNOBSERVE spring")
    assert "no longer observe" in text_of(answer)


@pytest.mark.parametrize("address", ["postmaster@example.org", "Abuse@Example.org", "postmaster"])
def test_the_postmasters_mail_goes_to_the_operator(world: World, address: str) -> None:
    world.arrive("somebody@example.net", address, "Your server sends me strange mail.\nJOIN spring")
    world.work()
    forwarded = world.last("operator@example.org")
    assert "a mail" in str(forwarded["Subject"])
    (attached,) = forwarded.iter_attachments()
    assert b"strange mail" in attached.get_content()
    assert forwarded["X-Envelope-From"] == "<>"
    assert "somebody@example.net" not in world.mailboxes


def test_without_an_operator_the_postmasters_mail_is_set_aside(world: World) -> None:
    server = world.service.identity.settings
    object.__setattr__(server, "operator", None)
    world.arrive("somebody@example.net", "postmaster@example.org", "hello")
    world.work()
    assert world.inbox()[-1].state is InboxState.ASIDE
    assert "no operator" in world.inbox()[-1].note


def test_the_operator_is_not_flooded(world: World) -> None:
    for number in range(35):
        world.arrive("somebody@example.net", "abuse@example.org", f"spam {number}")
    world.work()
    assert len(world.mailboxes["operator@example.org"]) == 30
    assert world.inbox()[-1].state is InboxState.ASIDE


def test_whose_mail_is_taken(world: World, seats: dict[str, str]) -> None:
    world.arrive("thief@evil.example", seats["France"], "A PAR-GAS")
    world.work()
    asked = question(world, FRANCE)
    return_path = str(asked["X-Envelope-From"])
    for known in (BASE, BASE.upper(), seats["France"], reply_to(asked), return_path, "postmaster@example.org"):
        assert knows(world.service, known), known
    a = "a" * 20
    for unknown in (
        f"gm+spring.{a}@example.org", f"gm+confirm.{a}@example.org", f"gm+return.{a}@example.org", "bob@example.org",
        "gm@example.com", "gm+spring@example.org", "", "@", "postmaster@example.com", seats["France"] + ".evil",
    ):  # fmt: skip
        assert not knows(world.service, unknown), unknown


@pytest.mark.parametrize("name", ["confirm", "return"])
def test_names_of_our_own_addresses_are_no_games(world: World, name: str) -> None:
    assert "cannot be a game's name" in text_of(world.send(MASTER, BASE, f"CREATE {name}"))


@pytest.mark.parametrize("sender", ["zoë@players.example", "postmaster@lees.example"])
def test_people_with_unusual_addresses_are_answered(world: World, sender: str) -> None:
    raw = f"From: {sender}\nTo: {BASE}\nMessage-ID: <1@lees.example>\n\nHELP\n".encode()
    accept(world.service, ArrivedMail("smtp", raw, world.time, (BASE,), sender))
    world.work()
    assert "HELP" in text_of(world.last(sender))
    assert world.last(sender)["To"] == sender


@pytest.mark.parametrize("text", ["A PAR-BUR", "GAME spring\nA PAR-BUR"])
def test_an_ignored_mail_that_is_replayed_is_a_persons(world: World, seats: dict[str, str], text: str) -> None:
    """Whatever its header says, and also where it is handed on to: the operator has seen it."""
    france = player("France")
    to, proof = (BASE, proved(france)) if "GAME" in text else (seats["France"], {})
    before = len(world.mailboxes[france])
    world.arrive(france, to, text, headers={"Precedence": "bulk", **proof})
    world.work()
    assert world.inbox()[-1].state is InboxState.IGNORED
    assert len(world.mailboxes[france]) == before
    with world.database.transaction() as session:
        assert inbox.try_again(session, world.inbox()[-1].id)
    world.work()
    assert "A Par-Bur" in text_of(world.last(france))


def unsubscribe(mail: EmailMessage) -> str:
    """The line that the mail's List-Unsubscribe sends."""
    link = str(mail["List-Unsubscribe"]).strip("<>")
    assert link.startswith("mailto:")
    return parse_qs(link.partition("?")[2])["body"][0]


def sent_as_it_stands(world: World, who: str, mail: EmailMessage) -> EmailMessage:
    """The answer to the mail that a reader's program sends for List-Unsubscribe."""
    to = unquote(str(mail["List-Unsubscribe"]).removeprefix("<mailto:").partition("?")[0])
    return world.send(who, to, unsubscribe(mail))


def test_whatever_answers_nothing_offers_its_end(world: World, seats: dict[str, str]) -> None:
    """Also what nobody can play without."""
    world.send(FRANCE, seats["France"], "DEPUTY friend@example.org")
    world.accepts("friend@example.org")
    world.send(MASTER, seats["GM"], "PRESS TO ALL\nHello\nENDPRESS\nOFFICIAL\nNews\nENDOFFICIAL")
    world.send(MASTER, seats["GM"], "INVITE guest@example.org")
    world.send("watcher@example.net", BASE, "OBSERVE spring")
    world.send(player("England"), seats["England"], "GREY PRESS TO FRANCE\nHello\nENDPRESS\nPRESS TO GM\nHi\nENDPRESS")
    world.pass_time(days=6, hours=1)
    world.pass_time(days=2)
    world.send(FRANCE, BASE, "ADDRESS ADD second@france.example")
    world.send(MASTER, seats["GM"], "TERMINATE spring")
    mails = [(who, mail) for who, mails in world.mailboxes.items() if who != OPERATOR for mail in mails]
    assert len({str(mail["Subject"]) for _, mail in mails}) >= 20
    alike = (mail for _, mail in mails if bool(mail["List-Unsubscribe"]) is bool(mail["In-Reply-To"]))
    assert not [str(mail["Subject"]) for mail in alike]
    offered = {unsubscribe(mail) for _, mail in mails if mail["List-Unsubscribe"]}
    press = {one for one in offered if one.startswith("STOP PRESS FROM ")}
    ends = {"PREFERENCES remind=none", "UNOBSERVE spring", "STOP spring", "STOP"}
    assert offered - press <= ends
    assert ends - offered <= {"STOP"}
    assert all(mail["List-Unsubscribe"] is None for mail in world.mailboxes.get(OPERATOR, []))


def test_who_unsubscribes_from_results_keeps_the_seat_and_reads_how_to_leave(
    world: World, seats: dict[str, str]
) -> None:
    world.pass_time(days=8)
    report = next(mail for mail in reversed(world.mailboxes[FRANCE]) if "results" in str(mail["Subject"]).lower())
    assert "to leave the game, write RESIGN spring" in text_of(sent_as_it_stands(world, FRANCE, report))
    assert next(seat for seat in world.seats() if seat.power == "France").person is not None


def test_press_offers_the_end_of_what_its_power_writes(world: World, seats: dict[str, str]) -> None:
    england = player("England")
    world.send(england, seats["England"], "PRESS TO ALL\nHello\nENDPRESS")
    press = world.last(FRANCE)
    assert unsubscribe(press) == "STOP PRESS FROM England"
    answer = sent_as_it_stands(world, FRANCE, press)
    assert answer["List-Unsubscribe"] is None, "who has just written"
    assert "no more press from England" in text_of(answer)
    before = len(world.mailboxes[FRANCE])
    world.send(england, seats["England"], "PRESS TO ALL\nHello again\nENDPRESS")
    assert len(world.mailboxes[FRANCE]) == before


def test_reminders_can_be_ended(world: World, seats: dict[str, str]) -> None:
    def reminders() -> int:
        return sum("reminder" in str(mail["Subject"]) for mail in world.mailboxes[FRANCE])

    world.pass_time(days=6, hours=1)
    sent_as_it_stands(world, FRANCE, world.last(FRANCE))
    before = reminders()
    world.pass_time(days=10)
    assert (before, reminders()) == (1, 1)


@pytest.mark.parametrize(
    ("text", "subject", "cites"),
    [
        ("unsubscribe", "Re: [spring]", True),
        ("Bitte abbestellen.\n\n> old", "Re: [spring]", True),
        ("", "unsubscribe", False),
        ("Unsubscribe", "x", False),
    ],
)
def test_unsubscribe_alone_does_what_the_mail_that_it_answers_offers(
    world: World, seats: dict[str, str], text: str, subject: str, cites: bool
) -> None:
    world.send("watcher@x.example", BASE, "OBSERVE spring")
    world.send(MASTER, seats["GM"], "INVITE guest@x.example")
    for who, done in (("watcher@x.example", "no longer observe"), ("guest@x.example", "not invited to spring again")):
        mail = next(one for one in reversed(world.mailboxes[who]) if one["List-Unsubscribe"])
        headers = {"Subject": subject, "In-Reply-To": str(mail["Message-ID"]) if cites else ""}
        assert done in text_of(world.send(who, reply_to(mail), text, headers=headers))


@pytest.mark.parametrize(
    ("text", "subject", "cited"),
    [
        ("unsubscribe", "Re: [spring]", "theirs"),
        ("unsubscribe", "Re: [spring]", "nothing of ours"),
        ("", "Re: unsubscribe", ""),
        ("I do not want to unsubscribe from anything", "x", ""),
    ],
)
def test_unsubscribe_ends_nothing_that_another_gets_nor_in_other_words(
    world: World, seats: dict[str, str], text: str, subject: str, cited: str
) -> None:
    world.send("eve@x.example", BASE, "OBSERVE spring")
    world.send("watcher@x.example", BASE, "OBSERVE spring")
    theirs = {"theirs": str(world.last("eve@x.example")["Message-ID"]), "": ""}
    headers = {"Subject": subject, "In-Reply-To": theirs.get(cited, "<1@example.org>")}
    told = text_of(world.send("watcher@x.example", reply_to(world.last("watcher@x.example")), text, headers=headers))
    assert "no longer observe" not in told


def test_offers_of_seats_can_be_ended(world: World, seats: dict[str, str]) -> None:
    world.send("stan@example.org", BASE, "STANDBY spring")
    world.send(FRANCE, seats["France"], "RESIGN spring")
    offer = world.last("stan@example.org")
    assert "TAKEOVER spring AS France" in text_of(offer)
    sent_as_it_stands(world, "stan@example.org", offer)
    before = len(world.mailboxes["stan@example.org"])
    world.send(player("Italy"), seats["Italy"], "RESIGN spring")
    assert len(world.mailboxes["stan@example.org"]) == before


def test_an_address_that_never_wrote_can_end_questions_to_it(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, BASE, "ADDRESS ADD eve@strangers.example")
    sent_as_it_stands(world, "eve@strangers.example", question(world, "eve@strangers.example"))
    before = len(world.mailboxes["eve@strangers.example"])
    assert "does not want mail like this" in text_of(world.send(MASTER, BASE, "ADDRESS ADD eve@strangers.example"))
    assert len(world.mailboxes["eve@strangers.example"]) == before


def test_who_is_asked_about_a_mail_in_their_name_can_end_such_questions(world: World, seats: dict[str, str]) -> None:
    world.arrive("eve@strangers.example", seats["France"], "A PAR-BUR")
    world.work()
    asked = question(world, FRANCE)
    assert "Did you write this?" in str(asked["Subject"]) + text_of(asked)
    assert unsubscribe(asked) == "STOP"


def test_somebody_without_a_seat_can_end_mail_about_a_game(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], "EJECT France")
    assert unsubscribe(world.last(FRANCE)) == "STOP spring"
