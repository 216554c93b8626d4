"""Assistant gamemasters: they see to the players and the time; results, rules, seats and secrets are not theirs."""

from __future__ import annotations

import re

import pytest

from gm.commands import COMMANDS
from gm.commands.declaration import Who
from gm.variants.standard import POWERS
from tests.server.kept import kept
from tests.server.world import BASE, OPENINGS, World, player, reply_to, text_of

MASTER, HELPER = "master@example.org", "helper@example.org"


@kept
def helped(world: World, options: str = "") -> dict[str, str]:
    """A game with an assistant, whose address is the seat `helper`."""
    seats = world.started("spring", options)
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER} AS ASSISTANT")
    return {**seats, "helper": reply_to(world.last(HELPER))}


def assistant(world: World, seats: dict[str, str], text: str) -> str:
    return text_of(world.send(HELPER, seats["helper"], text))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("EXTEND 24h", "The deadline for S1901M is now Sat 28 Nov 2026"),
        ("DEADLINE in 24h", "The deadline for S1901M is now Sat 21 Nov 2026"),
        ("PAUSE", "The game is paused. Everybody was notified."),
        ("PAUSE\nRESUME", "The game is resumed"),
        ("INVITE eve@elsewhere.example", "eve@elsewhere.example is invited to spring."),
        ("OFFICIAL\nFriday.\nENDOFFICIAL", "Your announcement was sent to everybody."),
        ("COMMENT Fridays", "LIST and STATUS now say of spring: Fridays"),
        ("DASHBOARD", "Dashboard of spring"),
        ("PRESS TO France\nYour orders, please.\nENDPRESS", "Press sent to France."),
        ("BROADCAST\nHello.\nENDPRESS", "Press sent to all."),
    ],
)
def test_everyday_jobs_are_an_assistants(world: World, text: str, answer: str) -> None:
    assert answer in assistant(world, helped(world, "press=none"), text)


@pytest.mark.parametrize(
    "text",
    [
        "PROCESS S1901M", "PREVIEW", "RELEASE", "ROLLBACK S1901M", "ROLLFORWARD", "TERMINATE spring", "UNSTART spring",
        "START", "SET grace=12h", "EJECT France", "DUMMY France", "STANDIN France", "MUSTER", "LOG", "UNDO", "REVEAL",
        "ORDERS FOR France\nA PAR-BUR", "REPLACE France WITH eve@elsewhere.example", "DENY eve@elsewhere.example",
        "PROMOTE eve@elsewhere.example", f"PROMOTE {HELPER}", "ACCEPT LATE", "SCHEDULE in 24h: PROCESS", "READY",
        "DRAW France", "A PAR-BUR",
    ],
)  # fmt: skip
def test_what_changes_the_game_is_not(world: World, text: str) -> None:
    seats = helped(world)
    before = world.game().version
    said = assistant(world, seats, text)
    assert "You are an assistant gamemaster of spring; that takes a gamemaster with all rights." in said
    assert "You can write PREVIEW" not in said
    assert "DASHBOARD" in said
    assert world.game().version == before


def test_the_declarations_say_which() -> None:
    theirs = {command.title for command in COMMANDS.values() if command.policy.by_assistants}
    assert theirs == {
        "DASHBOARD", "DEADLINE", "EXTEND", "PAUSE", "RESUME", "INVITE", "OFFICIAL", "COMMENT", "REMARK", "NOTE",
        "REMIND",
    }  # fmt: skip
    help_of = COMMANDS["promote"].help.text
    assert [title for title in theirs if title not in help_of] == []
    assert {COMMANDS[title.lower()].policy.who for title in theirs} == {Who.MASTER, Who.PARTICIPANT}


def test_an_assistant_is_told_what_is_theirs_and_all_see_who_it_is(world: World) -> None:
    seats = helped(world)
    welcome = world.last(HELPER)
    assert "You are an assistant gamemaster" in str(welcome["Subject"])
    assert "DASHBOARD, DEADLINE" in text_of(welcome) or "EXTEND, PAUSE" in text_of(welcome)
    named = "(assistant gamemaster)"
    assert named in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert named in text_of(world.send(player("Italy"), seats["Italy"], "STATUS"))
    assert "assistant gamemaster (running)" in text_of(world.send(HELPER, BASE, "WHOAMI"))
    listing = assistant(world, seats, "HELP COMMANDS")
    assert "DASHBOARD" in listing
    assert "ROLLBACK" not in listing


def test_press_to_the_gamemaster_reaches_the_assistant_too(world: World) -> None:
    seats = helped(world)
    world.send(player("Italy"), seats["Italy"], "PRESS TO GM\nI am away on Friday.\nENDPRESS")
    assert all("I am away on Friday." in text_of(world.last(one)) for one in (MASTER, HELPER))


def test_an_assistant_can_be_given_all_rights_or_none(world: World) -> None:
    seats = helped(world)
    assert "an assistant gamemaster of spring already" in text_of(
        world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER} AS ASSISTANT")
    )
    assert "is now a gamemaster of spring" in text_of(world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER}"))
    full = reply_to(world.last(HELPER))
    assert "trial adjudication" in text_of(world.send(HELPER, full, "PREVIEW"))
    assert "a gamemaster of spring already" in text_of(
        world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER} AS ASSISTANT")
    )
    assert "no assistant gamemaster" in text_of(world.send(MASTER, seats["GM"], f"PROMOTE {HELPER} OFF"))


def test_the_others_who_run_the_game_are_told_of_everybody_who_does(world: World) -> None:
    """By their name or, of somebody who has given none, by the address that the gamemaster wrote."""
    seats = helped(world)
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')} AS ASSISTANT")
    world.agreed()
    told = (HELPER, player("Italy"))
    said = text_of(world.promotes(MASTER, seats["GM"], "PROMOTE hal@example.org"))
    assert "They have said YES: Hal is now a gamemaster of spring." in said
    assert "has decided: Hal is now a gamemaster of spring." in text_of(world.last(HELPER))
    assert "hal@example.org" not in text_of(world.last(player("Italy"))), "one who plays sees no addresses"
    assert [str(world.last(one)["Subject"]) for one in told] == ["[spring] Who runs the game"] * 2
    world.send(MASTER, seats["GM"], f"PROMOTE {HELPER} OFF")
    for one in ("hal@example.org", player("Italy")):
        assert "is no longer an assistant gamemaster of spring." in text_of(world.last(one))
    before = len(world.mailboxes[HELPER])
    world.promotes("hal@example.org", reply_to(world.last("hal@example.org")), f"PROMOTE {player('Italy')}")
    world.agreed()
    assert "Pat Italy (Italy) is now a gamemaster of spring." in text_of(world.last(MASTER))
    assert len(world.mailboxes[HELPER]) == before, "no longer theirs"


def test_an_assistants_time_ends(world: World) -> None:
    seats = helped(world)
    world.send(MASTER, seats["GM"], f"PROMOTE {HELPER} OFF")
    assert "You are no longer an assistant gamemaster of spring." in text_of(world.last(HELPER))
    assert "Dashboard" not in assistant(world, seats, "DASHBOARD")
    seats = {**seats, **helped_again(world, seats)}
    assistant(world, seats, "RESIGN spring")
    assert "is no longer an assistant gamemaster of spring." in text_of(world.last(MASTER))
    assert "only gamemaster" in text_of(world.send(MASTER, seats["GM"], "RESIGN spring"))


def helped_again(world: World, seats: dict[str, str]) -> dict[str, str]:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER} AS ASSISTANT")
    return {"helper": reply_to(world.last(HELPER))}


def test_gamemasters_and_assistants_answer_each_others_press(world: World) -> None:
    seats = helped(world)
    world.promotes(MASTER, seats["GM"], "PROMOTE carl@example.org")
    assistant(world, seats, "PRESS TO GM\nExtend to Friday?\nENDPRESS")
    mail, others = world.last(MASTER), len(world.mailboxes["carl@example.org"])
    name = re.fullmatch(r"\[spring\] Press with (.+ \(assistant gamemaster\))", str(mail["Subject"]))
    assert name is not None
    assert f"Press from {name[1]} to GM" in text_of(mail)
    assert f"Reply to this mail to answer {name[1]}." in text_of(mail)
    assert f"sent to {name[1]}" in text_of(world.send(MASTER, reply_to(mail), "Yes, please do."))
    answer = world.last(HELPER)
    assert "Yes, please do." in text_of(answer)
    assert re.fullmatch(r"\[spring\] Press with .+ \(gamemaster\)", str(answer["Subject"]))
    assert len(world.mailboxes["carl@example.org"]) == others, "the answer is for who wrote"
    world.send(HELPER, reply_to(answer), "Done.")
    assert "Done." in text_of(world.last(MASTER))


def test_an_assistant_sees_who_has_ordered_and_not_what(world: World) -> None:
    seats = helped(world, "release=gm")
    world.send(player("France"), seats["France"], OPENINGS["France"])
    said = assistant(world, seats, "DASHBOARD\nSTATUS")
    assert "France Orders: complete" in said
    assert "PRESS TO Italy" in said
    assert "ORDERS FOR" not in said
    assert "PROCESS" not in said
    assert "Burgundy" not in said
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert "Orders are closed" in str(world.last(HELPER)["Subject"])
    everything = "\n".join(text_of(mail) for mail in world.mailboxes[HELPER])
    assert "Burgundy" not in everything
    assert "RELEASE" not in assistant(world, seats, "DASHBOARD")


def test_an_assistant_who_plays_sees_what_players_see(world: World) -> None:
    seats = world.started("spring")
    world.send(player("France"), seats["France"], OPENINGS["France"])
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')} AS ASSISTANT")
    world.agreed()
    own = reply_to(world.last(player("Italy")))
    said = text_of(world.send(player("Italy"), own, "DASHBOARD\nSTATUS"))
    assert "complete" not in said
    assert player("France") not in said
    assert "The deadline for S1901M is now" in text_of(world.send(player("Italy"), seats["Italy"], "DEADLINE in 24h"))


@pytest.mark.parametrize(
    "line", ["PAUSE", "OFFICIAL\nFriday.\nENDOFFICIAL", "DUMMY Turkey", "EXTEND 24h", "ROLLBACK S1901M"]
)
@pytest.mark.parametrize("rights", ["", " AS ASSISTANT"])
def test_who_runs_the_game_and_plays_is_told_once(world: World, line: str, rights: str) -> None:
    """At the seat of the power, from which the gamemaster's commands work too."""
    seats = world.started("spring", "early=no release=gm")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')}{rights}")
    world.agreed()
    if line.startswith("ROLLBACK"):
        world.pass_time(days=8)
    before = len(world.mailboxes[player("Italy")])
    world.send(MASTER, seats["GM"], line)
    (told,) = world.mailboxes[player("Italy")][before:]
    assert reply_to(told) == seats["Italy"]


def test_who_runs_the_game_and_plays_is_not_told_what_they_did(world: World) -> None:
    seats = world.started("spring")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')} AS ASSISTANT")
    world.agreed()
    before = len(world.mailboxes[player("Italy")])
    world.send(player("Italy"), seats["Italy"], "EXTEND 24h")
    assert len(world.mailboxes[player("Italy")]) == before + 1, "the answer"


def test_all_who_run_the_game_are_told_once_who_joins_and_takes_over(world: World) -> None:
    created = reply_to(world.send(MASTER, BASE, "CREATE spring"))
    world.promotes(MASTER, created, f"PROMOTE {HELPER} AS ASSISTANT")
    for power in POWERS:
        world.send(player(power), BASE, f"JOIN spring AS {power}")
    assert "Pat Turkey has joined and would like to play Turkey." in text_of(world.last(HELPER))
    assert "START spring" in text_of(world.last(MASTER))
    assert "START" not in text_of(world.last(HELPER)), "an assistant cannot"
    world.send(MASTER, created, "START spring")
    world.send(MASTER, created, "EJECT Turkey")
    before = {one: len(world.mailboxes[one]) for one in (MASTER, HELPER)}
    world.send("bob@players.example", BASE, "TAKEOVER spring")
    for one, number in before.items():
        (told,) = world.mailboxes[one][number:]
        assert "Bob has taken over" in text_of(told)


@pytest.mark.ruling("FW-4")
@pytest.mark.parametrize(("variant", "told"), [("fog", False), ("standard", True)])
def test_an_assistant_is_not_told_whose_orders_are_in_where_that_is_hidden(
    world: World, variant: str, told: bool
) -> None:
    seats = helped(world, f"variant={variant}")
    asked = "DASHBOARD\nSTATUS\nWho has not ordered yet?"
    before = assistant(world, seats, asked)
    world.pass_time(minutes=5)
    world.send(player("France"), seats["France"], OPENINGS["France"])
    assert (assistant(world, seats, asked) != before) == told
    assert "complete" in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))


def test_who_may_not_know_who_plays_names_no_assistant(world: World) -> None:
    """Assistants see it."""
    italy = player("Italy")
    seats = world.started("masks", "anonymous=yes")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {italy}")
    world.agreed()
    own = reply_to(world.last(italy))
    said = text_of(world.send(italy, own, f"PROMOTE {HELPER} AS ASSISTANT"))
    assert "Assistants see who plays in masks, which whoever names them may not know." in said
    assert HELPER not in world.mailboxes
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER} AS ASSISTANT")
    assert "assistant" in text_of(world.last(HELPER))
    world.send(MASTER, seats["GM"], "PROCESS")
    told = "Somebody who does not play helps to run it, and may know who plays."
    watcher = reply_to(world.send("w@example.org", BASE, "OBSERVE masks"))
    assert watcher
    assert told in text_of(world.last("w@example.org"))


@pytest.mark.parametrize("options", ["", "anonymous=yes"])
def test_players_agree_to_an_assistant_who_plays_and_gets_what_they_write_to_the_gamemaster(
    world: World, options: str
) -> None:
    seats = world.started("spring", options)
    said = text_of(world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')} AS ASSISTANT"))
    assert "may be an assistant gamemaster, too" in said
    asked = " ".join(text_of(world.last(player("France"))).split())
    assert "gets what players write to the GM" in asked
    before = len(world.mailboxes[player("Italy")])
    world.send(player("Germany"), seats["Germany"], "PRESS TO GM\nMay I stab Italy?\nENDPRESS")
    assert len(world.mailboxes[player("Italy")]) == before
    world.agreed()
    assert [seat.person.name for seat in world.seats() if seat.title == "assistant gamemaster" and seat.person]
    told = " ".join(text_of(mail) for mail in world.mailboxes[player("Germany")])
    assert "is now an assistant gamemaster of spring" in told


@pytest.mark.parametrize("now", ["grey", "white"])
def test_an_assistant_does_not_see_who_wrote_unsigned_press(world: World, now: str) -> None:
    """When each player last wrote tells it, also once press must be signed; a gamemaster who does not play may know."""
    seats = helped(world, "press=grey")
    world.pass_time(hours=30)
    world.send(player("Germany"), seats["Germany"], "GREY PRESS TO ALL\nthe king is dead\nENDPRESS")
    when = f"{world.time:%a %d %b %H:%M}"
    world.send(MASTER, seats["GM"], f"SET press={now}")
    for question in ("DASHBOARD", "When was Germany last heard?"):
        assert when not in assistant(world, seats, question)
    assert when in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
