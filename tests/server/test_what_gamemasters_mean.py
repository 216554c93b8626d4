"""Gamemasters' sentences, and the lines that are offered for them: all of a wish, or what the line leaves out."""

from __future__ import annotations

import pytest

from tests.server.world import BASE, OPENINGS, World, player, proved, reply_to, text_of

MASTER = "master@example.org"


def master(world: World, text: str, to: str = BASE) -> str:
    """The answer to an authenticated mail of the gamemaster's."""
    return text_of(world.send(MASTER, to, text, headers=proved(MASTER)))


def played(world: World, phases: int = 1) -> str:
    """The gamemaster's address of a game after its first phases, which all spent at home."""
    gm = world.started()["GM"]
    for code in ("S1901M", "F1901M")[:phases]:
        master(world, f"PROCESS {code}", gm)
    return gm


@pytest.mark.parametrize(
    "text",
    [
        "Everybody has to order again: please play S1901M once more, because I had sent out the wrong map.",
        "Please play S1901M again, because I had sent out the wrong map.",
        "I had sent out the wrong map, so please replay spring 1901 from the start.",
        "Please run S1901M again because I had sent out the wrong map",
    ],
)
def test_the_phase_that_is_named_is_played_again_for_the_reason_that_is_given(world: World, text: str) -> None:
    answer = master(world, text, played(world, phases=2))
    assert "send ROLLBACK S1901M / BECAUSE I had sent out the wrong map. Or reply with YES." in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "House rules for spring and twin:\nLetters are answered in time.\nNobody forwards letters.",
            "HOUSE RULES / Letters are answered in time. / Nobody forwards letters. / ENDHOUSERULES",
        ),
        (
            "Announce in spring and twin:\nI am away until Monday.\nMail still works.",
            "OFFICIAL / I am away until Monday. / Mail still works. / ENDOFFICIAL",
        ),
    ],
)
def test_all_that_stands_below_a_heading_for_several_games_goes_to_each(world: World, text: str, line: str) -> None:
    world.started(), world.started("twin")
    world.started("swift")
    assert f"send GAME spring, twin / {line}. Or reply with YES." in master(world, text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Please set up a game called samba, deadlines at 9pm Berlin time", "CREATE samba at=21:00 zone=Europe/Berlin"),
        (
            "I'd like a new game called samba, two days for moves, at 18:00 in New York",
            "CREATE samba move=2d at=18:00 zone=America/New_York",
        ),
        ("spring: from now on the deadlines should be at 18:00 in Berlin", "SET at=18:00 zone=Europe/Berlin"),
        ("spring: please move the deadline to Friday 9pm Berlin time", "DEADLINE Fri 27 Nov 2026 20:00"),
    ],
)
def test_the_zone_of_a_time_is_a_part_of_it(world: World, text: str, line: str) -> None:
    world.started()
    assert f"send {line}. " in master(world, text)


def test_a_zone_that_is_not_known_is_said_to_be_left_out(world: World) -> None:
    world.started()
    assert "It leaves out 'my time'." in master(world, "spring: the deadlines should be at 9pm my time from now on")


@pytest.mark.parametrize(
    "text",
    [
        "I misread an order of Germany in spring: it was A MUN-TYR and not A MUN-RUH. "
        "Please correct S1901M, because it was my mistake.",
        "spring: Please correct S1901M because it was my mistake. Germany's order was A MUN-TYR, not A MUN-RUH",
    ],
)
def test_the_order_that_was_meant_is_corrected_and_not_the_one_that_was_not(world: World, text: str) -> None:
    played(world)
    line = "CORRECT S1901M / ORDERS FOR Germany / A MUN-TYR / BECAUSE it was my mistake"
    assert f"send {line}. Or reply with YES." in master(world, text)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "France has dropped out of spring. Please take the seat away, let a stand-in play it for now, and ask "
            "bob@example.net whether they want it.",
            ("EJECT France / STANDIN France", "REPLACE France WITH bob@example.net"),
        ),
        (
            "spring: Kick France out, put a stand-in there and extend by two days.",
            ("EJECT France / STANDIN France", "EXTEND two days"),
        ),
        (
            "spring: Italy is gone. Eject them, and ask bob@example.net to take the seat over.",
            ("EJECT Italy", "REPLACE Italy WITH bob@example.net"),
        ),
        (
            "spring: Italy asked for two days, so extend. And invite bob@example.net please.",
            ("EXTEND two days", "INVITE bob@example.net"),
        ),
    ],
)
def test_several_wishes_of_a_mail_are_offered_whole_with_one_yes(
    world: World, text: str, lines: tuple[str, str]
) -> None:
    world.started()
    asked = world.send(MASTER, BASE, text, headers=proved(MASTER))
    answer = text_of(asked)
    assert all(f"send {line}." in answer for line in lines)
    assert "Or reply with YES, which does both." in answer
    assert "leaves out" not in answer
    done = world.send(
        MASTER, reply_to(asked), "YES", headers={**proved(MASTER), "In-Reply-To": str(asked["Message-ID"])}
    )
    assert "Your mail was understood." in text_of(done)


def test_a_line_of_several_wishes_that_begins_with_a_command_is_offered_as_a_list_of_commands(world: World) -> None:
    world.started()
    answer = master(world, "spring: EJECT France, let a stand-in play it, and ask bob@example.net whether they want it")
    assert "EJECT France / STANDIN France / REPLACE France WITH bob@example.net do these" in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Please ask joe@example.net whether he'd like to play Turkey in pit, and invite kim@example.net too.",
            "INVITE joe@example.net AS Turkey, kim@example.net",
        ),
        (
            "pit: ask joe@example.net to play Turkey and kim@example.net to play France",
            "INVITE joe@example.net AS Turkey, kim@example.net AS France",
        ),
    ],
)
def test_a_power_is_for_the_guest_beside_whom_it_is_named(world: World, text: str, line: str) -> None:
    master(world, "CREATE pit")
    assert f"send {line}. Or reply with YES." in master(world, text)


@pytest.mark.parametrize(
    "text",
    [
        "How late were France's orders?",
        "What would France's late orders change?",
        "France's orders came after all. How late were they, and what would they change?",
    ],
)
def test_questions_about_late_orders_are_answered(world: World, text: str) -> None:
    seats = world.started()
    master(world, "PROCESS S1901M", seats["GM"])
    world.pass_time(hours=2)
    world.send(player("France"), seats["France"], "S1901M:\n" + OPENINGS["France"])
    answer = master(world, text, seats["GM"])
    assert "Late orders of France: They were received Fri 20 Nov 2026" in answer
    assert "2 hours after the report was sent to that player. What they would change: France: A Par-Bur" in answer
    assert "ACCEPT LATE France" in answer


def test_of_late_orders_who_plays_learns_nothing(world: World) -> None:
    seats = world.started()
    master(world, "PROCESS S1901M", seats["GM"])
    world.send(player("France"), seats["France"], "S1901M:\n" + OPENINGS["France"])
    answer = text_of(world.send(player("Italy"), seats["Italy"], "What would France's late orders change?"))
    assert "A Par-Bur" not in answer
    assert "No late orders wait" in master(world, "Which late orders are there?", world.started("twin")["GM"])


@pytest.mark.parametrize("to", ["GM", BASE])
def test_a_reason_below_a_misspelt_command_is_not_passed_over(world: World, to: str) -> None:
    gm = world.started()["GM"]
    text = "EXTND 24h\nBECAUSE Turkey is ill"
    answer = master(world, text, gm) if to == "GM" else master(world, f"spring: {text}")
    assert "EXTEND 24h / BECAUSE Turkey is ill" in answer
    assert "Passed over" not in answer
