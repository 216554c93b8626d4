"""What gamemasters write in their own way: it is done as it is meant, once, and the answer says what became of it."""

from __future__ import annotations

import pytest

from tests.server.world import BASE, World, player, proved, reply_to, text_of

MASTER = "master@example.org"


def master(world: World, text: str, to: str = BASE) -> str:
    """The answer to an authenticated mail of the gamemaster's."""
    return text_of(world.send(MASTER, to, text, headers=proved(MASTER)))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("CREATE winter.fog", {"variant": "fog"}),
        ("CREATE winter.fleet_rome", {"variant": "fleet-rome"}),
        ("CREATE winter.1898", {"variant": "1898"}),
        ("CREATE winter 1898 standins=yes", {"variant": "1898", "standins": "yes"}),
        ("CREATE winter standard with stand-ins", {"variant": "standard", "standins": "yes"}),
        ("CREATE winter fog with standins and no press", {"variant": "fog", "standins": "yes", "press": "none"}),
        ("CREATE winter move=2d without press", {"move": "2d", "press": "none"}),
    ],
)
def test_a_game_is_made_with_options_in_words(world: World, text: str, options: dict[str, str]) -> None:
    master(world, text)
    assert options.items() <= world.game("winter").options.texts.items()


def test_addresses_below_create_and_invite_are_invited_and_not_twice(world: World) -> None:
    said = master(world, "CREATE winter\nmove=2d\nann@example.net AS France\n- Eve <eve@example.net>")
    assert "ann@example.net is invited to winter as France" in said
    again = master(world, "GAME winter\nINVITE\neve@example.net\n* bob@example.net")
    assert "eve@example.net was invited already" in again
    assert "bob@example.net is invited" in again
    assert [len(world.mailboxes[f"{name}@example.net"]) for name in ("ann", "eve", "bob")] == [1, 1, 1]
    world.pass_time(days=15)
    assert "eve@example.net is invited" in master(world, "GAME winter\nINVITE eve@example.net")


def test_a_running_game_gives_its_lines_one_meaning_each(world: World) -> None:
    gm = world.started(options="at=18:00")["GM"]

    assert "is now Mon 30 Nov" in master(world, "EXTEND UNTIL Monday 20:00", gm)
    assert "is before the deadline" in master(world, "EXTEND UNTIL 23 Nov 20:00", gm)
    assert "is now Fri 27 Nov" in master(world, "DEADLINE 27 Nov 18:00", gm)
    assert "gets your reason: by phone" in master(world, "BECOME FRANCE\nA PAR-BUR\nBECAUSE by phone.", gm)
    assert "ordered for France, because by phone. Orders now" in text_of(world.last(player("France")))
    assert "for all of spring, not for France alone" in master(world, "EXTEND FRANCE 24h", gm)
    assert "taken to ask" not in master(world, "YES", gm)
    assert "All seats are taken, so they can only wait for one; REPLACE" in master(world, "INVITE bob@example.net", gm)
    assert "is asked whether" in master(world, "REPLACE France WITH bob@example.net", gm)
    assert "was asked already" in master(world, "REPLACE France WITH bob@example.net", gm)
    assert "bob@example.net is asked to play it" in master(world, "DASHBOARD", gm)
    assert "was asked already" in master(world, "PROMOTE eve@example.net\nPROMOTE eve@example.net", gm)
    assert "it would be over by then" in master(world, "SCHEDULE 15 Dec 12:00: PROCESS", gm)
    assert "On Mon 23 Nov" in master(world, "SCHEDULE 23 Nov 12:00: PROCESS", gm)
    assert "already" in master(world, "SCHEDULE 23 Nov 12:00: PROCESS", gm)
    assert "already. Nobody was notified" in master(world, "DEADLINE 27 Nov 18:00", gm)
    before = len(world.mailboxes[MASTER])
    assert "is paused" in master(world, "PAUSE", gm)
    assert len(world.mailboxes[MASTER]) == before + 1, "who does it is not notified of it"
    assert "twin: RESUME" in master(world, "CREATE twin\nALL GAMES: RESUME")
    assert "You run no game swift" in master(world, "ALL GAMES BUT swift: PAUSE")
    master(world, "twin: SET standins=yes\ntwin: START")
    assert world.game("twin").options.texts["standins"] == "yes"
    assert "The game is over: France and Italy" in master(world, "DRAW spring France, Italy")


def test_a_delayed_answer_names_each_mail_and_another_game_does_not_wait(world: World) -> None:
    seats, twin = world.started(), world.started("twin")
    world.pass_time(hours=2)
    for number in range(7):
        world.arrive(MASTER, seats["GM"], f"I wonder about the sheep, number {number}")
    world.work()
    world.send(MASTER, twin["GM"], "I wonder about the goats")
    world.pass_time(minutes=11)
    together = text_of(world.last(MASTER))
    assert "number 5'. Your mail of" in together
    assert "number 6'." in together


@pytest.mark.parametrize("asks", ["REPLACE ITALY WITH master@example.org", "INVITE master@example.org"])
def test_who_cannot_play_is_refused_at_once_and_not_by_the_yes(world: World, asks: str) -> None:
    gm = world.started()["GM"]
    before = len(world.mailboxes[MASTER])
    answer = master(world, asks, gm)
    assert "You run spring without playing" in answer
    assert "is asked whether" not in answer
    assert len(world.mailboxes[MASTER]) == before + 1, "nobody is asked what they cannot answer"


@pytest.mark.parametrize(
    ("text", "moved"),
    [("DEADLINE Monday 09:00", "4 days earlier than before"), ("EXTEND 48h", "2 days later than before")],
)
def test_who_moves_a_deadline_and_all_players_read_by_how_much(world: World, text: str, moved: str) -> None:
    gm = world.started()["GM"]
    assert moved in master(world, text, gm)
    assert moved in " ".join(text_of(world.last(player("France"))).split())


def test_a_holiday_in_own_words_is_offered_as_holidays(world: World) -> None:
    world.started()
    listed = "invite these:\n- uma@example.net (Turkey)\n- vic@example.net\n- wes@example.org, Austria"
    said = " ".join(master(world, listed, chair).split())
    assert "INVITE uma@example.net AS Turkey, vic@example.net, wes@example.org AS Austria" in said


def test_before_the_game_begins_who_wants_a_power_can_be_sent_away(world: World) -> None:
    chair = name_of_seat(world, "CREATE winter")
    world.send("ann@example.net", BASE, "JOIN winter AS Italy", headers=proved("ann@example.net"))
    said = master(world, "EJECT Italy", chair)
    assert "Ann has lost the seat in winter, and is told" in said
    assert "DENY ann@example.net" in said
    assert "has given your seat away" in text_of(world.last("ann@example.net"))
    assert "nobody wants Italy" in master(world, "EJECT Italy", chair)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SET holidays=-26 Dec", "holidays=2026-12-24..2026-12-25,2026-12-27"),
        ("no holidays on 26 Dec", "SET holidays=-2026-12-26"),
        ("DEADLINE 28.11. 18 Uhr", "is now Sat 28 Nov 2026, 18:00"),
        ("DEADLINE 28 Nov 6 in the evening", "is now Sat 28 Nov 2026, 18:00"),
        ("EXTEND by 12 hours more", "12 hours later than before"),
        (
            "France asked me for more time. Give everybody till Monday evening, 8 pm",
            "send DEADLINE Mon 30 Nov 2026 20:00",
        ),
        ("ORDERS FOR France\nall units hold", "now in force: A Par H, A Mar H, F Bre H"),
        ("tell Italy privately that I need their orders", "PRESS TO Italy / I need their orders / ENDPRESS"),
        ("who is pat italy?", "Pat Italy <italy@players.example> plays Italy. Orders: none."),
    ],
)
def test_what_is_nearly_right_is_done_or_offered(world: World, text: str, said: str) -> None:
    gm = world.started(options="holidays=2026-12-24..2026-12-27 early=orders")["GM"]
    assert said in " ".join(master(world, text, gm).split())


def name_of_seat(world: World, text: str) -> str:
    """The gamemaster's address in a game that this creates."""
    return reply_to(world.send(MASTER, BASE, text, headers=proved(MASTER)))
