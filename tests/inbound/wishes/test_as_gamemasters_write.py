"""What gamemasters write in their own way: it is done as it is meant, once, and the answer says what became of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from gm.commands import COMMANDS
from gm.parsing.command_lines import CommandReader
from gm.parsing.game_names import heading_in
from gm.settings import Level, TrustSettings
from gm.store.inbox import InboxState
from tests.server.world import BASE, World, player, proved, reply_to, text_of

MASTER = "master@example.org"


def master(world: World, text: str, to: str = BASE) -> str:
    """The answer to an authenticated mail of the gamemaster's."""
    return text_of(world.send(MASTER, to, text, headers=proved(MASTER)))


def replied(world: World, asked: EmailMessage, said: str) -> str:
    """The answer to an authenticated reply of the gamemaster's to a mail."""
    cites = {**proved(MASTER), "In-Reply-To": str(asked["Message-ID"])}
    return text_of(world.send(MASTER, reply_to(asked), said, headers=cites))


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
    assert "ordered for France. The reason: by phone. Orders now" in text_of(world.last(player("France")))
    assert "for all of spring, not for France alone" in master(world, "EXTEND FRANCE 24h", gm)
    assert "not understood" not in master(world, "YES", gm)
    assert "All seats are taken, so they can only wait for one; REPLACE" in master(world, "INVITE bob@example.net", gm)
    assert "is asked whether" in master(world, "REPLACE France WITH bob@example.net", gm)
    assert "was asked already" in master(world, "REPLACE France WITH bob@example.net", gm)
    assert "bob@example.net is asked to play it" in master(world, "DASHBOARD", gm)
    assert "was asked already" in master(world, "PROMOTE eve@example.net\nPROMOTE eve@example.net", gm)
    assert "it would be over by then" in master(world, "SCHEDULE 15 Dec 12:00: PROCESS", gm)
    assert "for Mon 23 Nov" in master(world, "SCHEDULE 23 Nov 12:00: PROCESS", gm)
    assert "already" in master(world, "SCHEDULE 23 Nov 12:00: PROCESS", gm)
    assert "already. Nobody was notified" in master(world, "DEADLINE 27 Nov 18:00", gm)
    before = len(world.mailboxes[MASTER])
    assert "is paused" in master(world, "PAUSE", gm)
    assert len(world.mailboxes[MASTER]) == before + 1, "who does it is not notified of it"
    assert "twin: RESUME" in master(world, "CREATE twin\nALL GAMES: RESUME")
    assert "You run no game 'swift'" in master(world, "ALL GAMES BUT swift: PAUSE")
    master(world, "twin: SET standins=yes\ntwin: START")
    assert world.game("twin").options.texts["standins"] == "yes"
    assert "The game is over: France and Italy" in master(world, "DRAW spring France, Italy")


def test_a_delayed_answer_names_each_mail_and_another_game_does_not_wait(world: World) -> None:
    seats, twin = world.started(), world.started("twin")
    world.pass_time(hours=2)
    for number in range(7):
        world.arrive(MASTER, seats["GM"], f"Hello gm,\n\nI wonder about the sheep, number {number}")
    for _ in range(2):
        world.arrive(MASTER, seats["GM"], "Hello gm,\n\nwhat about goats")
    world.work()
    world.send(MASTER, twin["GM"], "I wonder about the goats")
    world.pass_time(minutes=11)
    together = text_of(world.last(MASTER))
    assert "Your mail of Fri 20 Nov 11:00 UTC: 'I wonder about the sheep, number 5'. Your mail of" in together
    assert "number 6'." in together
    assert together.count("about goats") == 1, "what says the same is named once"


def test_a_no_that_goes_on_says_what_is_wanted_instead(world: World) -> None:
    gm = world.started()["GM"]
    asked = world.send(MASTER, gm, "make olga@example.net a gamemaster, too", headers=proved(MASTER))
    assert "send PROMOTE olga@example.net." in text_of(asked)
    cites = {**proved(MASTER), "In-Reply-To": str(asked["Message-ID"])}
    answer = text_of(world.send(MASTER, gm, "No, only as an assistant", headers=cites))
    assert "PROMOTE olga@example.net AS ASSISTANT" in answer
    assert "problem with your mail" not in text_of(world.send(MASTER, gm, "No.", headers=cites))


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
    said = " ".join(master(world, "please put a holiday from 24 Dec to 2 Jan in all my games").split())
    assert "ALL GAMES: SET holidays=2026-12-24..2027-01-02" in said
    assert "EXTEND UNTIL" not in said
    assert "2026-12-24..2027-01-02" in master(world, "ALL GAMES: SET holidays=2026-12-24..2027-01-02")


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("the-aliens standins=yes", "players name their powers here, so no stand-in can take a seat"),
        ("the-aliens", "players name their powers here, so no stand-in can take a seat"),
        ("standard standins=yes", "1 more must JOIN before START winter begins it; stand-ins play the rest."),
        ("standard", "7 more must JOIN before START winter begins it; or SET standins=yes"),
    ],
)
def test_start_says_what_is_still_needed_and_never_what_is_so_already(world: World, game: str, said: str) -> None:
    assert said in master(world, f"CREATE winter {game}\nSTART winter")


def test_whether_somebody_has_answered_is_said_by_the_desk_and_a_remark_is_no_letter(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "REMARK\nWelcome.\nENDREMARK", gm)
    master(world, "EJECT France\nREPLACE France WITH hal@example.net", gm)
    said = master(world, "Has hal answered yet?", gm)
    assert "hal@example.net is asked to play it" in said
    assert "Welcome." not in said
    assert "From you to all, with the report" in master(world, "PRESS WITH ALL", gm)


def test_the_desk_says_who_is_asked_to_run_the_game(world: World) -> None:
    gm = world.started()["GM"]
    assert "without an answer yet: zed@example.net" in master(world, "PROMOTE zed@example.net\nDASHBOARD", gm)


def test_what_each_game_shows_has_no_empty_line_above_it(world: World) -> None:
    world.started()
    world.started("twin")
    said = master(world, "ALL GAMES: LOG 3")
    assert "Log of spring" in said
    assert not {"spring:", "twin:"} & set(said.split())


@pytest.mark.parametrize(
    ("topic", "said"), [("ACCEPT", "ACCEPT LATE"), ("VARIANTS", "fleet-rome"), ("VARIANT", "1898")]
)
def test_help_knows_what_gamemasters_call_it(world: World, topic: str, said: str) -> None:
    assert said in master(world, f"HELP {topic}")


def test_who_plays_in_a_game_of_mine_can_be_asked_to_more_of_them_than_a_stranger(world: World) -> None:
    world.started()
    person, stranger = player("France"), "bob@example.net"
    said = [
        master(world, f"CREATE game{number} standard\nINVITE {person}\nINVITE {stranger}")
        for number in ("one", "two", "three", "four", "five", "six", "seven")
    ]
    assert all(f"{person} is invited" in one for one in said)
    assert [f"{stranger} is invited" in one for one in said] == [True] * 6 + [False]


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("turn on grey press", "send SET press=grey."),
        ("tell Italy: come back tonight", "send PRESS TO Italy / come back tonight / ENDPRESS. Or reply with YES."),
        ("retreats in 12 hours and builds in one day from now on", "send SET retreat=12h adjust=1d."),
        (
            "process it now and tell them: sorry for the delay",
            "REMARK / sorry for the delay / ENDREMARK / PROCESS",
        ),
        (
            "House rules: Be kind. No lies about deadlines.",
            "House rules: Be kind. No lies about deadlines. / ENDHOUSERULES",
        ),
        ("private note: France was late twice", "send NOTE France was late twice."),
        ("pause it for two weeks, half of us travel", "PAUSE UNTIL 2026-12-04. Or reply with YES."),
        (
            "Extend by 1 day, and tell them it's because of the move",
            "EXTEND 1 day / BECAUSE the move. Or reply with YES.",
        ),
        (
            "give us until Sunday because of the power cut, and tell them so",
            "DEADLINE Sun 29 Nov 2026 09:00 / BECAUSE the power cut. It is 2 days later",
        ),
        ("pause it until 4 December, 10 am, because I am ill", "PAUSE UNTIL 4 December 10 am / BECAUSE I am ill. Or"),
        (
            "tell all players that promises bind nobody here, and send me the log",
            "OFFICIAL / promises bind nobody here / ENDOFFICIAL. Or reply with YES.",
        ),
        (
            "I am away from 3 to 6 December, tell all players that I shall answer after that",
            "OFFICIAL / I am away from 3 to 6 December. I shall answer after that / ENDOFFICIAL. Or",
        ),
        (
            "All want a draw: end it as a draw between France and Italy, with the remark: well played, thank you",
            "REMARK / well played, thank you / ENDREMARK / DRAW spring France, Italy. Or reply with YES.",
        ),
        (
            "terminate the game and thank everybody in the last mail: it was fun to run",
            "it was fun to run / ENDREMARK / TERMINATE",
        ),
        ("remind everybody and tell them the deadline is firm", "OFFICIAL / the deadline is firm / ENDOFFICIAL. Or"),
        (
            "I would like Nora (nora@desk.example) to be my assistant, please ask her",
            "send PROMOTE nora@desk.example AS ASSISTANT. Or reply with YES.",
        ),
        (
            "Four days for a move are too many, two days are enough from the next turn on."
            " And please allow six hours of grace for those who are late.",
            "send SET move=2d grace=6h. Or reply with YES.",
        ),
        (
            "France and Germany insult each other. Please write to both of them: be polite",
            "PRESS TO France, Germany / be polite / ENDPRESS. Or reply with YES.",
        ),
        (
            "She now writes from fay2@post.example, so please let that address have England",
            "send REPLACE England WITH fay2@post.example. Or reply with YES.",
        ),
        ("make hal@x.example my deputy gamemaster, but he may not see the orders", "hal@x.example AS ASSISTANT. Or"),
        ("resume, I am back", "send RESUME."),
        ("in this game phases should always last until the deadline", "send SET early=no. Or"),
        (
            "if Italy doesn't order by tonight, put a bot on it",
            'It leaves out "if Italy doesn\'t order by tonight".',
        ),
        ("revoke eve@example.net's invitation", "send DENY eve@example.net. Or"),
        ("cancel the pause", "To go on with the game, send RESUME."),
        ("move the deadline to monday", "DEADLINE Mon 30 Nov 2026 09:00. It is 3 days later than before"),
        (
            "it is too late, move it forward to wednesday 9 in the evening",
            "Wed 25 Nov 2026 21:00. It is 36 hours earlier",
        ),
        ("push the deadline by a day", "send EXTEND a day."),
        ("allow 6 hours grace and remind them 12 hours before the deadline", "send SET grace=6h reminder=12h."),
        ("take 23 december out of the holidays again", "Help: SET"),
        ("what is scheduled?", "Scheduled in spring"),
        ("bob@example.net will help me. Make him my assistant", "send PROMOTE bob@example.net AS ASSISTANT."),
        (
            "please remove Germany and ban bob@example.net",
            "send DENY bob@example.net. Or reply with YES, which does both.",
        ),
        ("please invite lou@example.net, if she likes", "INVITE lou@example.net"),
        ("REMARK Happy Easter to all", "REMARK Happy Easter to all / ENDREMARK"),
        (
            "end it as a draw of France and Italy. Thank you all, it was great!",
            "Read as an explanation, so nothing more was",
        ),
        ("DEPUTY FOR England anna@example.net", "Who orders for a power is for its player to name"),
    ],
)
def test_what_is_offered_carries_all_that_was_said_or_says_what_it_leaves_out(
    world: World, text: str, offered: str
) -> None:
    gm = world.started()["GM"]
    assert offered in master(world, text, gm)


def test_what_is_wished_in_several_clauses_is_done_by_one_yes(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "please remove Germany and ban bob@example.net", gm)
    assert "Germany is vacant" in master(world, "yes", gm)
    bob = "bob@example.net"
    assert "does not admit you" in text_of(world.send(bob, BASE, "TAKEOVER spring AS Germany", headers=proved(bob)))


def test_words_above_the_last_report_come_before_what_ends_the_game(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "close spring without a result. Remark: sorry folks, I have no time any more", gm)
    assert "The game is over" in master(world, "yes", gm)
    assert "sorry folks, I have no time any more" in text_of(world.last(player("France")))


def test_a_game_can_be_made_like_the_last_one(world: World) -> None:
    world.started()
    master(world, "CREATE winter press=none")
    master(world, "CREATE maple LIKE last move=1d")
    assert {"press": "none", "move": "1d"}.items() <= world.game("maple").options.texts.items()


def test_a_create_keeps_the_options_in_words_or_names_what_it_leaves_out(world: World) -> None:
    world.started()
    assert "CREATE maple like spring move=2d" in master(world, "CREATE maple like spring but 2 days for the moves")
    assert "leaves out 'but with more fun'" in master(world, "CREATE maple like spring but with more fun")


def test_holidays_are_added_to_those_that_there_are(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "SET holidays=24 Dec - 2 Jan", gm)
    assert "send SET holidays=+2027-01-06." in master(world, "also no deadline on 6 January", gm)
    assert "holidays=2026-12-24..2027-01-02,2027-01-06" in master(world, "yes", gm)


def test_a_line_for_all_games_is_tried_in_each_and_games_that_are_over_can_be_left_out(world: World) -> None:
    seats = world.started()
    world.started("twin")
    master(world, "TERMINATE twin", seats["GM"])
    world.send(MASTER, BASE, "TERMINATE twin", headers=proved(MASTER))
    assert "Now it would be refused: No results" in master(world, "release the results in all my games")
    assert "2 days later" in master(world, "ALL GAMES BUT twin: EXTEND 48h")


def test_an_answer_is_headed_by_what_the_mail_has_come_to(world: World) -> None:
    gm = world.started()["GM"]
    answer = world.send(MASTER, gm, "REMARK\nThanks.\nENDREMARK\nDRAW spring France, Italy", headers=proved(MASTER))
    assert "The game is over: France and Italy" in str(answer["Subject"])


def test_a_reminder_goes_to_those_whose_orders_are_missing_and_tells_no_more_than_it_may(world: World) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], "A PAR-BUR\nA MAR-SPA\nF BRE-MAO")
    said = " ".join(master(world, "REMIND", seats["GM"]).split())
    assert "A reminder goes to Austria, England, Germany, Italy, Russia and Turkey." in said
    assert "reminder" in str(world.last(player("Italy"))["Subject"])
    assert "reminder" not in str(world.last(player("France"))["Subject"])
    before = len(world.mailboxes[player("Italy")])
    master(world, "please remind all the late players in all my games\n", seats["GM"])
    master(world, "ALL GAMES: REMIND")
    assert len(world.mailboxes[player("Italy")]) == before, "not twice within an hour"


def test_a_command_without_its_game_is_offered_where_it_would_be_done(world: World) -> None:
    world.started()
    master(world, "CREATE winter")
    said = master(world, "EXTEND 2 days")
    assert "GAME spring / EXTEND 2 days" in said
    assert "GAME winter" not in said
    assert "GAME winter / TERMINATE winter" in master(world, "TERMINATE")
    assert "GAME winter" not in master(world, "NOTE spring: all is well")
    assert "is now Sun 29 Nov" in master(world, "GAME spring\nEXTEND 2 days")
    wished = master(world, "please give everybody two more days")
    assert "send GAME spring / EXTEND two days" in " ".join(wished.split())


def test_several_commands_in_one_line_and_a_list_below_a_wish_are_offered_together(world: World) -> None:
    gm = world.started()["GM"]
    assert "EJECT Italy / STANDIN Italy" in master(world, "EJECT Italy, they stopped writing. STANDIN Italy", gm)
    assert "is vacant" in master(world, "EJECT Italy", gm)
    assert "DENY italy@players.example" in master(world, "DENY Italy", gm)
    chair = name_of_seat(world, "CREATE winter")
    listed = "invite these:\n- uma@example.net (Turkey)\n- vic@example.net\n- wes@example.org, Austria"
    said = " ".join(master(world, listed, chair).split())
    assert "INVITE uma@example.net AS Turkey, vic@example.net, wes@example.org AS Austria" in said


def test_before_the_game_begins_who_wants_a_power_can_be_sent_away(world: World) -> None:
    chair = name_of_seat(world, "CREATE winter")
    world.send("ann@example.net", BASE, "JOIN winter AS Italy", headers=proved("ann@example.net"))
    said = master(world, "EJECT Italy", chair)
    assert "Ann has lost the seat in winter, and is told" in said
    assert "DENY ann@example.net" in said
    assert "has taken your seat" in text_of(world.last("ann@example.net"))
    assert "nobody wants Italy" in master(world, "EJECT Italy", chair)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SET holidays=-26 Dec", "holidays=2026-12-24..2026-12-25,2026-12-27"),
        ("no holidays on 26 Dec", "SET holidays=-2026-12-26"),
        ("Dec 27 we can play though", "SET holidays=-2026-12-27"),
        ("PROMOTE ina@example.net AS ASISTANT", "PROMOTE ina@example.net AS ASSISTANT do this"),
        ("DEADLINE 28.11. 18 Uhr", "is now Sat 28 Nov 2026, 18:00"),
        ("DEADLINE 28 Nov 6 in the evening", "is now Sat 28 Nov 2026, 18:00"),
        ("EXTEND by 12 hours more", "12 hours later than before"),
        ("France asked me for more time. Give everybody till Monday 8 pm", "send DEADLINE Mon 30 Nov 2026 20:00"),
        ("ORDERS FOR France\nall units hold", "now in force: F Bre H, A Mar H, A Par H"),
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


@pytest.mark.parametrize("level", ["open", "strict"])
def test_yes_at_the_servers_address_does_what_is_proposed_for_games_there(world: World, level: Level) -> None:
    world.started()
    world.started("twin")
    object.__setattr__(world.service.identity, "trust", replace(world.service.identity.trust, level=level))
    asked = world.send(MASTER, BASE, "please tell all players in every game: back on Monday", headers=proved(MASTER))
    assert "GAME spring, twin / OFFICIAL" in " ".join(text_of(asked).split())
    before = len(world.mailboxes[MASTER])
    for _ in range(2):
        world.arrive(
            MASTER, reply_to(asked), "YES", headers={**proved(MASTER), "In-Reply-To": str(asked["Message-ID"])}
        )
        world.work()
    (*asked_again,) = (one for one in world.mailboxes[MASTER][before:] if "Did you write this" in str(one["Subject"]))
    assert len(asked_again) == (2 if level == "strict" else 0), "once for each YES, not for each game"
    for one in asked_again:
        world.arrive(MASTER, reply_to(one), "YES", headers=proved(MASTER))
        world.work()
    told = [text_of(mail) for mail in world.mailboxes[player("France")]]
    assert sum("back on Monday" in text for text in told) == 2, "once in each game"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no, make that 22:00", "send DEADLINE Fri 27 Nov 2026 22:00"),
        ("let it run at 9pm from now on", "send SET at=21:00"),
        ("forbid anonymous letters, signed ones only", "send SET press=white"),
        ("change press in spring to none", "send SET press=none"),
        ("spring: send the results only when I say so", "send SET release=gm"),
        ("let it be adjudicated as soon as all have orders", "send SET early=orders"),
        ("a week per move from now on", "send SET move=1w"),
        ("Kick out Austria from spring, they don't answer", "send EJECT Austria."),
        ("Show me spring's map", "The map of spring"),
        ("Extend by one day, then remind Germany", "Or reply with YES, which does both. EXTEND one day"),
        ("who is germany's player and are they reliable?", "Pat Germany <germany@players.example> plays Germany."),
        ("a json export please", "is attached as a file"),
        ("make a copy called maple with 1 day retreats", "CREATE maple LIKE last retreat=1d"),
        ("Italy is gone. STANDIN Italy, please", "send EJECT Italy / STANDIN Italy"),
        ("desk", "Dashboard of spring"),
        ("Tell Russia and Turkey only: be polite", "send PRESS TO Russia, Turkey / be polite / ENDPRESS"),
        ("tell everybody in spring that insults are against our house rules", "send OFFICIAL / insults are against"),
        ("I want to see each result before they go out", "send SET release=gm"),
        ("The new mailbox of Germany is ida@example.org. She goes on playing.", "send REPLACE Germany WITH ida@ex"),
        ("which house rules do we have?", "House rules of spring now: none"),
        ("which houserules are there, and is press allowed?", "spring has press=grey"),
        ("ORDERS FOR Italy: A VEN-TYR; F NAP-ION", "Orders of Italy now in force: A Ven-Tyr, F Nap-Ion."),
        ("SET press=none BECAUSE of the quarrel", "All players get your reason: the quarrel."),
        ("no deadlines from Christmas Eve to January 2nd, please", "send SET holidays=2026-12-24..2027-01-02."),
        ("no deadlines from 24 December to New Year's Day", "send SET holidays=2026-12-24..2027-01-01."),
        ("no deadlines over Christmas, that is from 24 December to 1 January", "holidays=2026-12-24..2027-01-01."),
        ("PROCESS BECAUSE all are in", "Your reason stands above the results of S1901M: all are in."),
    ],
)
def test_what_a_gamemaster_says_in_passing_has_its_line(world: World, text: str, said: str) -> None:
    gm = world.started(options="press=grey early=orders")["GM"]
    assert said in " ".join(master(world, text, gm).split())


def test_orders_for_a_power_in_a_sentence_that_names_the_game_are_answered_at_its_seat(world: World) -> None:
    """At the server's address the sentence is talk; in the game it has orders."""
    world.started()
    world.send(MASTER, BASE, "In spring Italy's orders are: A Rom-Ven, F Nap-Ion", headers=proved(MASTER))
    assert "ORDERS FOR Italy / A Rom-Ven / F Nap-Ion order this" in text_of(world.mailboxes[MASTER][-1]).replace(
        "\n", " "
    )


def test_who_is_only_asked_to_play_is_known_too_and_the_vacant_power_need_not_be_named(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "REPLACE Italy WITH zac@example.net", gm)
    assert "zac@example.net is asked to play Italy, and has not answered." in " ".join(
        master(world, "has zac said yes?", gm).split()
    )
    asked = master(world, "zac can't. Ask yves@example.net instead", gm)
    assert "REPLACE Italy WITH yves@example.net" in asked


@pytest.mark.parametrize(
    "text",
    [
        "Cas has lost his mailbox. His new address is cas@example.net",
        "The player of England has lost their mailbox.\nThe new address is cas@example.net",
        f"Cas Crane no longer reads {player('England')}, their address is now cas@example.net",
        "Cas has a new mailbox, please use cas@example.net from now on.",
    ],
)
def test_words_about_somebody_else_propose_nothing_for_their_writers_account(world: World, text: str) -> None:
    """A player's name stands for the power, for a gamemaster who may know it."""
    gm = world.started()["GM"]
    world.send(player("England"), BASE, "REGISTER Cas Crane")
    said = master(world, text, gm)
    assert "REPLACE England WITH cas@example.net" in said
    assert "ADDRESS cas" not in said
    assert "ADDRESS gus@example.net" in master(world, "My address has changed to gus@example.net", gm)


def test_a_players_name_is_none_for_a_gamemaster_who_may_not_know_it(world: World) -> None:
    gm = world.started(options="anonymous=yes")["GM"]
    world.send(player("England"), BASE, "REGISTER Cas Crane")
    assert "PRESS TO England" in master(world, "Please remind Cas", gm)
    world.send(MASTER, BASE, "CREATE duel variant=france-austria anonymous=yes", headers=proved(MASTER))
    duel = reply_to(world.last(MASTER))
    for who, power in ((MASTER, "France"), (player("England"), "Austria")):
        world.send(who, BASE, f"JOIN duel AS {power}", headers=proved(who))
    world.send(MASTER, duel, "START duel", headers=proved(MASTER))
    assert "Austria" not in master(world, "Cas has lost his mailbox. His new address is cas@example.net", duel)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("It has begun too early. Please take the start back.", "UNSTART spring"),
        ("Please take back the start of spring", "UNSTART spring"),
        ("Please let the game go on, they both have time after all.", "RESUME"),
        ("Please go on with the game", "RESUME"),
    ],
)
def test_the_words_that_explain_a_command_are_understood_as_it(world: World, text: str, line: str) -> None:
    assert f"send {line}" in master(world, text, world.started()["GM"])


def test_a_wish_that_only_gets_help_is_not_said_to_be_understood(world: World) -> None:
    said = master(world, "Give the seat of somebody to someone", world.started()["GM"])
    assert "Nothing was changed. HELP REPLACE says how" in said
    assert "Your mail was understood" not in said


def test_a_subject_that_names_no_game_silences_no_words_below_it(world: World) -> None:
    headers = proved(MASTER) | {"Subject": "Game night"}
    gm = world.started()["GM"]
    assert "EXTEND two days" in text_of(world.send(MASTER, gm, "Please give everybody two more days", headers=headers))


def test_a_subject_that_says_less_than_the_wish_below_it_is_no_command(world: World) -> None:
    gm, headers = world.started()["GM"], proved(MASTER) | {"Subject": "extend"}
    said = text_of(world.send(MASTER, gm, "Please give both of them two more days.", headers=headers))
    assert "send EXTEND two days" in said


@pytest.mark.parametrize(
    ("subject", "text", "said"),
    [
        ("pause", "Pause until Wednesday evening at 8; we go on then.", "PAUSE UNTIL"),
        ("at", "From now on the deadlines should be at 10pm instead of 7pm.", "SET at=22:00"),
        ("process", "The deadline should be Monday evening at 8.", "send DEADLINE Mon"),
    ],
)
def test_a_word_in_a_subject_is_not_done_in_place_of_the_wish_below_it(
    world: World, subject: str, text: str, said: str
) -> None:
    gm = world.started()["GM"]
    before = world.game().phase
    assert said in text_of(world.send(MASTER, gm, text, headers=proved(MASTER) | {"Subject": subject}))
    assert world.game().phase == before


def test_why_a_game_ends_stands_in_its_last_mail(world: World) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], "TERMINATE spring BECAUSE nobody plays any more")
    last = text_of(world.last(player("France")))
    assert "The gamemaster's reason: Nobody plays any more." in last


def test_what_a_gamemaster_who_plays_cannot_do_names_the_way_on(world: World) -> None:
    master(world, "CREATE duel variant=france-austria early=orders")
    for who, power in ((MASTER, "France"), (player("Austria"), "Austria")):
        world.send(who, BASE, f"JOIN duel AS {power}", headers=proved(who))
    master(world, "START duel")
    master(world, "PROCESS duel")
    for line in ("CORRECT S1901M\nORDERS FOR FRANCE\nA PAR-BUR", "ACCEPT LATE"):
        assert "ROLLBACK and the phase has everybody order anew." in master(world, f"GAME duel\n{line}")


@pytest.mark.parametrize(
    ("text", "offered", "never"),
    [
        ("Please extend by a day, Cas is ill", "send EXTEND a day.", "EJECT"),
        (
            "Please remove Italy, they are not responding anymore, and give everybody 2 days more",
            "send EXTEND 2 days. Or reply with YES, which does both.",
            "PROCESS S1901M have",
        ),
        ("Stop the clock, there's a quarrel between Austria and England", "send PAUSE. Or", "leaves out"),
        ("How do I eject somebody?", "Help: EJECT", "nothing was changed"),
        ("how can I eject Italy?", "Help: EJECT", "send EJECT"),
        ("How do I end the game?", "Help: TERMINATE", "Help: END"),
        ("What happens if I pause the game?", "Help: PAUSE", "send PAUSE"),
        ("Can players see the other's orders before the deadline?", "No other player sees your orders", "Help: SET"),
        ("Set everything back to Spring 1901 so that all can order again", "ROLLBACK", "ALL GAMES"),
        (
            "They agreed on a draw: France, Italy and Turkey share it",
            "DRAW spring France, Italy, Turkey",
            "REMARK",
        ),
        ("could you invite kim (kim@example.net) to take russia?", "REPLACE Russia WITH kim@example.net", "Help:"),
        ("can Russia have 12 more hours?", "for all powers, not for Russia alone", "EJECT"),
        ("let bob@example.net be assistant gm, I am away", "PROMOTE bob@example.net AS ASSISTANT", "PRESS TO"),
        ("I want to see the results myself before they go out", "SET release=gm", "Help: SET"),
        ("move the deadline to firday 8pm", "DEADLINE Fri", "Thu"),
    ],
)
def test_a_reason_or_a_question_is_no_wish(world: World, text: str, offered: str, never: str) -> None:
    gm = world.started()["GM"]
    world.send(player("France"), BASE, "REGISTER Cas Crane")
    said = master(world, text, gm)
    assert offered in said
    assert never not in said


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Can you set up another standard game with 48 hours?", "CREATE game-standard variant=standard move=48h"),
        (
            "I'd like to run a game of Black Hole, please call it dark. Deadlines every three days, retreats and builds"
            " one day each.\nThe players are Hanna <hanna@example.net>, hugo@example.net.",
            "CREATE dark variant=black-hole retreat=1d adjust=1d move=3d INVITE hanna@example.net, hugo@example.net",
        ),
        (
            "two more games please: a Quantum Space called quant, and The Aliens, call that one krell. Both with 2 days"
            " for each move. Ask quinn@example.net for the first, and kim@example.net for the second.",
            "CREATE quant variant=quantum-space move=2d INVITE quinn@example.net"
            " CREATE krell variant=the-aliens move=2d INVITE kim@example.net",
        ),
    ],
)
def test_what_a_mail_says_beside_a_new_game_is_about_that_one(world: World, text: str, lines: str) -> None:
    world.started()
    said = master(world, text).replace(" / ", " ")
    assert f"send {lines}." in said
    assert "SET" not in said


def test_a_no_with_a_name_means_that_one_instead(world: World) -> None:
    gm = world.started()["GM"]
    asked = world.send(MASTER, gm, "kick italy", headers=proved(MASTER))
    cites = {**proved(MASTER), "In-Reply-To": str(asked["Message-ID"])}
    assert "send EJECT Turkey." in text_of(world.send(MASTER, gm, "No, I meant Turkey", headers=cites))


def test_the_name_of_a_game_says_which_of_the_ways_is_meant(world: World) -> None:
    world.started()
    world.started("twin")
    asked = world.send(MASTER, BASE, "extend by two days", headers=proved(MASTER))
    cites = {**proved(MASTER), "In-Reply-To": str(asked["Message-ID"])}
    before = world.game().due_at
    world.arrive(MASTER, reply_to(asked), "twin please", headers=cites)
    world.work()
    assert "2 days later" in text_of(world.last(MASTER))
    assert world.game().due_at == before
    assert world.game("twin").due_at != before


def test_yes_to_what_stands_beside_the_desk_does_it(world: World) -> None:
    """The answer that shows all games comes from the address of a digest."""
    world.started()
    asked = world.send(MASTER, BASE, "DASHBOARD\nplease create a fog game called haze", headers=proved(MASTER))
    assert "CREATE haze variant=fog" in text_of(asked)
    world.arrive(MASTER, reply_to(asked), "YES", headers={**proved(MASTER), "In-Reply-To": str(asked["Message-ID"])})
    world.work()
    assert world.game("haze").variant.name == "fog"


def test_all_games_but_one_are_all_but_that(world: World) -> None:
    world.started()
    world.started("twin")
    world.started("duel")
    said = master(world, "no deadlines from 24 dec to 2 jan in all my games except duel")
    assert "ALL GAMES BUT duel: SET holidays=2026-12-24..2027-01-02" in said


def test_each_of_several_games_gets_its_own_clauses_with_their_reasons(world: World) -> None:
    world.started()
    world.started("twin")
    world.arrive(
        MASTER,
        BASE,
        "In spring let bots play for Italy since their player has resigned; in twin extend by 24h",
        headers=proved(MASTER),
    )
    world.work()
    spring, twin = (
        next(text_of(mail) for mail in reversed(world.mailboxes[MASTER]) if f"[{name}]" in str(mail["Subject"]))
        for name in ("spring", "twin")
    )
    assert "STANDIN Italy" in spring
    assert "EXTEND 24h" in twin


def test_a_draw_names_who_shares_it_and_loses_no_words_for_the_others(world: World) -> None:
    gm = world.started("danube")["GM"]
    world.started("duel")
    ends = "danube ends as a draw between France, Italy and Turkey"
    for to in (BASE, gm):
        said = master(world, f"They have all agreed: {ends}. Thank you all for a great game!", to)
        assert "send DRAW danube France, Italy, Turkey." in said
        assert "Read as an explanation, so nothing more was done for it: 'Thank you all for a great game!'" in said
    said = master(world, f"{ends}, say: thank you all for a great game!", gm)
    assert "send REMARK / thank you all for a great game! / ENDREMARK / DRAW danube France, Italy, Turkey." in said
    said = master(world, "DRAW danube France, Italy, Turkey\nsay: Thank you all for a great game!", gm)
    assert "The game is over: France, Italy and Turkey." in said
    assert "so nothing more was done for it: 'say: Thank you all for a great game!'" in said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Please pause all my games except duel", "PAUSE"),
        ("all my games except duel get two more days please", "EXTEND two days"),
        (
            "no deadlines over christmas in all my games except duel, from 24 Dec to 2 Jan",
            "SET holidays=2026-12-24..2027-01-02",
        ),
    ],
)
def test_what_is_for_all_games_but_one_is_not_done_in_that_one(world: World, text: str, line: str) -> None:
    for name in ("danube", "duel", "spring"):
        world.started(name)
    said = master(world, text)
    assert f"send ALL GAMES BUT duel: {line}. Or reply with YES. ALL GAMES BUT duel: {line}" in said
    assert "GAME duel" not in said
    before = {name: world.game(name).version for name in ("danube", "duel", "spring")}
    master(world, "YES")
    assert [name for name, version in before.items() if world.game(name).version != version] == ["danube", "spring"]


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        (
            "They agreed on a draw between France and Italy, so please end it, and put these words into the last mail:"
            "\n\nThank you all, it was great!\nSee you soon.",
            "REMARK / Thank you all, it was great! / See you soon. / ENDREMARK / DRAW spring France, Italy. Or",
        ),
        ("Add this to the house rules please:\nTwo late phases and you are out.", "HOUSE RULES / Be nice. / Two late"),
        ('Please announce: "Happy new year!" and give them a day more.', "OFFICIAL / Happy new year! / ENDOFFICIAL"),
        ("Please eject Italy, she never wrote", "send EJECT Italy."),
        ("three days for movement, one day for retreats and builds please", "SET move=3d retreat=1d adjust=1d."),
    ],
)
def test_what_stands_below_a_colon_is_the_text(world: World, text: str, offered: str) -> None:
    gm = world.started()["GM"]
    master(world, "HOUSE RULES\nBe nice.\nENDHOUSERULES", gm)
    answer = master(world, text, gm)
    assert offered in answer
    assert "Passed over" not in answer


def test_house_rules_that_replace_others_show_these(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "HOUSE RULES\nBe nice.\nENDHOUSERULES", gm)
    assert "They replace these: Be nice." in master(world, "HOUSE RULES\nBe on time.\nENDHOUSERULES", gm)


def test_what_only_tells_asks_nothing(world: World) -> None:
    gm = world.started()["GM"]
    orders = "Ines rang me up. Here are her orders:\n\nORDERS FOR ITALY\nA VEN H\nBECAUSE her mail is broken"
    answer = world.send(MASTER, gm, orders, headers=proved(MASTER))
    assert "Orders of Italy now in force: A Ven H" in text_of(answer)
    assert "Nothing was changed" not in text_of(answer)
    assert "your answer is needed" not in str(answer["Subject"])


def test_the_reason_of_a_rollback_goes_to_everybody(world: World) -> None:
    gm = world.started()["GM"]
    world.pass_time(days=7, hours=1)
    answer = master(world, "ROLLBACK S1901M\nBECAUSE the map was wrong", gm)
    assert "All players get your reason: the map was wrong." in answer
    assert "HELP CORRECT" not in answer
    assert "S1901M is played again. The reason: the map was wrong." in text_of(world.last(player("France")))


def test_late_orders_are_accepted_and_the_results_released_by_one_mail(world: World) -> None:
    seats = world.started(options="release=gm")
    world.pass_time(days=7, hours=1)
    world.send(player("France"), seats["France"], "A PAR-BUR", headers=proved(player("France")))
    before = len(world.mailboxes[player("Italy")])
    answer = master(world, "ACCEPT LATE France\nRELEASE S1901M", seats["GM"])
    assert "with the late orders of France" in answer
    assert "Everybody gets a corrected report" not in answer
    assert "The results of S1901M go to everybody now" in answer
    (report,) = world.mailboxes[player("Italy")][before:]
    assert "Paris -> Burgundy" in text_of(report)


def test_a_command_and_the_words_behind_it_are_one_question(world: World) -> None:
    gm = world.started()["GM"]
    answer = master(world, "Please replace Italy by ines@example.net. And tell all: welcome Ines, all of you!", gm)
    assert "send REPLACE Italy WITH ines@example.net." in answer
    assert "send OFFICIAL / welcome Ines, all of you! / ENDOFFICIAL." in answer
    assert "Or reply with YES, which does both." in answer


def test_holidays_are_a_list_with_blanks(world: World) -> None:
    gm = world.started()["GM"]
    assert "holidays=2026-12-04,2026-12-24..2027-01-03" in master(world, "SET holidays=4 Dec, 24 Dec - 3 Jan", gm)


def test_at_their_own_seat_a_gamemaster_writes_as_such_and_a_player_keeps_the_time(world: World) -> None:
    world.started()
    master(world, "CREATE twin variant=france-austria early=orders")
    for who, power in ((MASTER, "France"), (player("Austria"), "Austria")):
        world.send(who, BASE, f"JOIN twin AS {power}", headers=proved(who))
    master(world, "GAME twin\nSTART")
    seat = next(reply_to(one) for one in reversed(world.mailboxes[MASTER]) if "you are France" in str(one["Subject"]))
    answer = master(world, "A PAR-BUR\nAnd as gamemaster: move the deadline to Thursday 21:00 please.", seat)
    assert "GAME twin / DEADLINE Thu 03 Dec 2026 21:00" in answer
    assert "EXTEND 24h" not in answer
    assert "is now Thu 3 Dec 2026, 21:00" in master(world, "YES", seat)
    assert "send GAME twin / EJECT Austria" in master(world, "Please eject Austria, she never wrote.", seat)
    said = master(world, "Could we have until Friday 21:00?", seat)
    assert "send EXTEND UNTIL Fri 04 Dec 2026 21:00." in said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("extend everything by 24h, except duel", "ALL GAMES BUT duel: EXTEND 24h"),
        ("24 hours more please, but not in duel", "ALL GAMES mist, twin: EXTEND 24 hours"),
        ("leave duel alone, and pause the others until Monday", "ALL GAMES mist, twin: PAUSE UNTIL 2026-11-23"),
        ("pause mist and twin but not duel", "ALL GAMES mist, twin: PAUSE"),
    ],
)
def test_a_game_that_a_wish_leaves_out_is_never_the_one_that_it_is_for(world: World, text: str, line: str) -> None:
    for name in ("duel", "mist", "twin"):
        world.started(name)
    before = len(world.mailboxes[MASTER])
    said = " ".join(master(world, text).split())
    assert f"send {line}. Or reply with YES." in said
    assert len(world.mailboxes[MASTER]) == before + 1, "one wish is one question"


def test_a_time_for_each_game_in_one_sentence_is_a_question_in_each(world: World) -> None:
    world.started("duel"), world.started("mist")
    before = len(world.mailboxes[MASTER])
    world.arrive(MASTER, BASE, "Extend duel by 12 hours and mist by 24 hours.", headers=proved(MASTER))
    world.work()
    said = {text_of(mail) for mail in world.mailboxes[MASTER][before:]}
    assert len([text for text in said if "send EXTEND 12 hours." in text]) == 1
    assert len([text for text in said if "send EXTEND 24 hours." in text]) == 1


def test_an_answer_of_names_of_games_takes_what_was_offered_in_each(world: World) -> None:
    world.started("duel"), world.started("mist"), world.started("twin")
    asked = world.send(MASTER, BASE, "more time please", headers=proved(MASTER))
    before = len(world.mailboxes[MASTER])
    cites = {**proved(MASTER), "In-Reply-To": str(asked["Message-ID"])}
    world.arrive(MASTER, BASE, "in duel and mist", headers=cites)
    world.work()
    found = [text_of(mail) for mail in world.mailboxes[MASTER][before:]]
    assert ["24 hours later than before" in text for text in found] == [True, True]


@pytest.mark.parametrize("text", ["in duel and mist", "duel, mist", "GAME duel\nGAME mist"])
@pytest.mark.parametrize("at_seat", [False, True])
def test_names_of_games_alone_are_answered_once(world: World, text: str, *, at_seat: bool) -> None:
    gm = world.started("duel")["GM"]
    world.started("mist")
    before = len(world.mailboxes[MASTER])
    assert "so nothing was changed" in master(world, text, gm if at_seat else BASE)
    assert len(world.mailboxes[MASTER]) == before + 1


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Italy is out, replace her by ida@example.net", ["REPLACE Italy WITH ida@example.net"]),
        (
            "Austria dropped out, please replace him with otto@example.net and give everybody two more days",
            ["REPLACE Austria WITH otto@example.net", "EXTEND two days"],
        ),
        (
            "give everyone one more day and tell them: exam week",
            ["OFFICIAL / exam week / ENDOFFICIAL", "EXTEND one day"],
        ),
        (
            "Two days more please, and write to Italy: you are always late.",
            ["PRESS TO Italy / you are always late. / ENDPRESS", "EXTEND Two days"],
        ),
    ],
)
def test_a_wish_takes_whom_and_what_words_its_sentence_names(world: World, text: str, lines: list[str]) -> None:
    gm = world.started()["GM"]
    said = " ".join(master(world, text, gm).split())
    assert [line for line in lines if f"send {line}." not in said] == []
    assert said.count("send ") - said.count("you can send ") == len(lines)
    assert "EJECT" not in said
    assert "leaves out" not in said


def test_each_game_is_copied_under_its_own_name(world: World) -> None:
    world.started("duel"), world.started("mist")
    before = len(world.mailboxes[MASTER])
    text = "copy duel as lake with the same people, and mist as pond, 3 days a move"
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    said = " ".join(" ".join(text_of(mail).split()) for mail in world.mailboxes[MASTER][before:])
    assert "send CREATE lake LIKE duel." in said
    assert "send CREATE pond LIKE mist move=3d." in said
    assert "SET" not in said


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("EXTND 24h", "EXTEND 24h do this"),
        ("SET retrat=12h", "SET retreat=12h do this"),
        ("TERMINAT spring", "TERMINATE spring do this"),
        ("EJECT Italy and STANDIN Italy until somebody is found", "EJECT Italy / STANDIN Italy do these"),
        ("EJECTT Turkey", "EJECT Turkey do this"),
        ("SET nmr=dissorder", "SET nmr=disorder do this"),
        ("OFFICAL\nHappy new year!\nENDOFFICIAL", "OFFICIAL / Happy new year! / ENDOFFICIAL do this"),
    ],
)
def test_the_only_thing_that_a_line_may_mean_is_done_by_yes(world: World, text: str, does: str) -> None:
    gm = world.started()["GM"]
    assert f"Reply with YES to do this: {does}" in master(world, text, gm)
    assert "Your mail was understood" in master(world, "YES", gm)


@pytest.mark.parametrize(
    ("text", "does", "done"),
    [
        ("PAUES twin until 2 Jan", "GAME twin / PAUSE until 2 Jan", ("twin",)),
        ("SET twin standins=yes, then EXTEND twin 24h", "GAME twin / SET standins=yes / EXTEND twin 24h", ("twin",)),
        (
            "EXTND spring and twin by 24h",
            "GAME spring, twin / EXTEND by 24h",
            ("spring", "twin"),
        ),
        ("NOTE Italy in twin was late", "GAME twin / NOTE Italy was late", ()),
    ],
)
def test_a_slip_at_the_servers_address_is_mended_for_the_games_that_it_names(
    world: World, text: str, does: str, done: tuple[str, ...]
) -> None:
    games = ("spring", "twin")
    for name in games:
        world.started(name)
    said = master(world, text)
    assert f"Reply with YES to do this: {does} do" in said
    before = {name: world.game(name).version for name in games}
    world.arrive(MASTER, BASE, "YES", headers=proved(MASTER))
    world.work()
    assert tuple(name for name in games if world.game(name).version != before[name]) == done


def test_options_and_headings_in_one_line_are_for_the_games_that_they_name(world: World) -> None:
    for name in ("danube", "twin", "duel"):
        world.started(name)
    world.arrive(MASTER, BASE, "SET grace=12h nmr=disorder in danube and twin", headers=proved(MASTER))
    world.arrive(MASTER, BASE, "danube: SET holidays=+6 Jan, twin: SET holidays=+6 Jan", headers=proved(MASTER))
    world.arrive(MASTER, BASE, "danube and twin: one day more. duel: PAUSE", headers=proved(MASTER))
    world.work()
    options = [world.game(name).options.texts for name in ("danube", "twin", "duel")]
    assert [one["grace"] for one in options] == ["12h", "12h", "none"]
    assert [one["holidays"] for one in options] == ["2027-01-06", "2027-01-06", "none"]
    assert sum("To give more time, send EXTEND one day" in text_of(mail) for mail in world.mailboxes[MASTER]) == 2
    assert world.game("duel").due_at is None


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("Give everybody 12 hours of grace", "send SET grace=12h. Or reply with YES."),
        ("Italy's player asked for three days. I give 24 hours.", "send EXTEND 24 hours. Or reply with YES."),
        ("give Italy until Sunday noon", "That is for all powers, not for Italy alone. Or reply with YES."),
        (
            "Tell all players that I'm away until Sunday, and extend the deadline by three days.",
            "ENDOFFICIAL. Nothing was changed yet. To give more time, send EXTEND three days. Or reply with YES, which",
        ),
        (
            "Extend by two days and tell Italy: this is the last time",
            "send EXTEND two days. Or reply with YES, which does both.",
        ),
        (
            "End it as a draw of France and Italy, with the words: thank you all",
            "REMARK / thank you all / ENDREMARK / DRAW spring France, Italy. Or reply with YES.",
        ),
        (
            "Austria has dropped out. Please extend by 72h and ask bob@example.net to take over.",
            "send REPLACE Austria WITH bob@example.net. Or reply with YES, which does both.",
        ),
    ],
)
def test_yes_does_all_that_a_sentence_wishes(world: World, text: str, offered: str) -> None:
    gm = world.started()["GM"]
    assert offered in master(world, text, gm)


def test_a_wish_to_correct_has_its_reason(world: World) -> None:
    gm = world.started()["GM"]
    world.pass_time(days=7, hours=1)
    said = master(world, "Please correct S1901M: Germany ordered A MUN-TYR, their mail got lost.", gm)
    assert "On trial; nothing is changed yet." in said
    assert "Reply with YES to do this: CORRECT S1901M NOW / Germany: A Mun-Tyr / BECAUSE" in said
    assert "their mail got lost correct it for everybody" in said


def test_a_thing_to_be_shown_of_several_games_is_shown_of_each(world: World) -> None:
    for name in ("spring", "twin", "duel"):
        world.started(name)
    said = master(world, "show me the log of spring and twin please")
    assert "Log of spring" in said
    assert "Log of twin" in said
    assert "Log of duel" not in said


def test_a_heading_takes_as_many_games_as_a_gamemaster_runs() -> None:
    names = [f"game{number}" for number in range(30)]
    found = heading_in(f"{', '.join(names)}: PAUSE", "", lambda: names, COMMANDS.reader, None)
    assert found is not None
    assert found.name == ", ".join(names)


def test_a_correction_with_a_slip_is_offered_as_a_whole(world: World) -> None:
    gm = world.started()["GM"]
    world.pass_time(days=7, hours=1)
    said = master(world, "CORECT S1901M NOW\nGermany: A MUN-TYR\nBECAUSE it was clear", gm)
    assert "CORRECT S1901M NOW / Germany: A MUN-TYR / BECAUSE it was clear do this" in said
    assert "ORDERS FOR Germany / A MUN-TYR do this" not in said
    assert "adjudicated again with these orders" in master(world, "YES", gm)


def test_what_leaves_out_a_name_is_no_yes(world: World) -> None:
    master(world, "CREATE winter")
    said = master(world, "Invite cy@example.net, dan@example.net (as Austria or Italy) to winter")
    assert "leaves out" in said
    assert "YES" not in said


def test_each_of_several_confirmed_games_does_its_own_line(tmp_path: Path) -> None:
    world = World(tmp_path, trust=TrustSettings(level="normal", authserv_ids=("mx.home",)))
    for name in ("spring", "twin"):
        world.started(name)
    world.arrive(MASTER, BASE, "PROMOTE bob@example.net AS ASSISTANT in spring and twin", headers=proved(MASTER))
    world.work()
    asked = [mail for mail in world.mailboxes[MASTER] if "Please confirm" in str(mail["Subject"])]
    (answer,) = [text_of(world.send(MASTER, reply_to(mail), "YES", headers=proved(MASTER))) for mail in asked]
    assert all(f"{name}: bob@example.net is asked to be an assistant" in answer for name in ("spring", "twin"))
    assert "Not acted on" not in answer
    world.database.dispose()


@pytest.mark.parametrize(
    "text",
    [
        "How is the game going, who has not sent orders?",
        "Is all well, who has not ordered yet?",
        "Is everything fine, and who has not sent orders?",
        "ok so who has not sent orders",
        "Should I remind those who have not ordered?",
    ],
)
def test_a_question_sends_no_reminder(world: World, text: str) -> None:
    gm = world.started()["GM"]
    before = len(world.mailboxes[player("France")])
    assert "A reminder goes to" not in master(world, text, gm)
    assert len(world.mailboxes[player("France")]) == before


def test_a_second_reminder_within_the_hour_says_what_happened(world: World) -> None:
    gm = world.started()["GM"]
    assert "A reminder goes to Austria, England" in master(world, "REMIND", gm)
    before = len(world.mailboxes[player("France")])
    world.pass_time(minutes=20)
    said = master(world, "REMIND", gm)
    assert "A reminder goes to" not in said
    assert "Nobody was reminded again: a reminder went to Austria, England" in said
    assert len(world.mailboxes[player("France")]) == before
    world.pass_time(hours=1)
    assert "A reminder goes to Austria, England" in master(world, "REMIND", gm)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("EXTEND 12h\nBECAUSE the server was down.", "UTC). The reason: the server was down."),
        ("EXTEND 12h because the server was down", "UTC). The reason: the server was down."),
        ("DEADLINE 28 Nov 18:00, because I am away", "The reason: I am away."),
        ("PAUSE\nBECAUSE it is summer", "The reason: it is summer."),
        ("DUMMY Italy\nBECAUSE nobody wants it", "The reason: nobody wants it."),
    ],
)
def test_all_who_are_told_are_told_why(world: World, text: str, said: str) -> None:
    gm = world.started()["GM"]
    assert "All players get your reason: " in master(world, text, gm)
    assert said in text_of(world.last(player("France")))


def test_a_reason_below_commands_in_a_row_is_that_of_each_below_the_name_of_a_game_too(world: World) -> None:
    world.started()
    said = master(world, "GAME spring\nEJECT Italy\nREPLACE Italy WITH lou@example.net\nBECAUSE of her exams")
    assert "All players get your reason: her exams." in said
    assert "The reason: her exams." in text_of(world.last(player("Italy")))
    assert "The reason: her exams." in text_of(world.last(player("France")))
    assert "The reason: her exams." in text_of(world.last("lou@example.net"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("REMIND\nBECAUSE it is late", "Nobody was told your reason: it is late."),
        ("INVITE lou@example.net because we need somebody", "Who is asked gets your reason: we need somebody."),
        ("PROMOTE ida@example.net AS ASSISTANT\nBECAUSE I am away", "Who is asked gets your reason: I am away."),
        ("NOTE Bob is slow because of his job", "Noted."),
    ],
)
def test_a_reason_for_any_command_has_a_fate(world: World, text: str, said: str) -> None:
    assert said in master(world, text, world.started()["GM"])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Eve and Fay, who are fast, both play now, so let's bring the deadline forward to tomorrow 18:00.",
            "DEADLINE Sat 21 Nov 2026 18:00\nBECAUSE Eve and Fay, who are fast, both play now",
        ),
        (
            "Austria and England are quick, so please shorten the movement phases to 2 days",
            "SET move=2d\nBECAUSE Austria and England are quick",
        ),
        (
            "Italy's laptop broke and his phone is lost, so give everybody one more day",
            "EXTEND one day\nBECAUSE Italy's laptop broke and his phone is lost",
        ),
    ],
)
def test_what_stands_before_so_is_the_reason_as_a_whole_and_no_deed(world: World, text: str, line: str) -> None:
    answer = world.send(MASTER, world.started()["GM"], text, headers=proved(MASTER))
    assert line.replace("\n", " / ") in text_of(answer)
    assert not any(word in text_of(answer) for word in ("EJECT", "leaves out"))
    assert "Or reply with YES." in text_of(answer)


@pytest.mark.parametrize("text", ["PAUSE UNTIL 14 Dec", "Please pause until 14 December."])
def test_the_subject_says_which_game_is_meant_where_the_mail_does_not(world: World, text: str) -> None:
    world.started()
    world.started("autumn")
    answer = world.send(MASTER, BASE, text, headers={**proved(MASTER), "Subject": "the Autumn game"})
    assert [f"GAME {name}" in text_of(answer) for name in ("autumn", "spring")] == [True, False]
    world.send(MASTER, reply_to(answer), "YES", headers=proved(MASTER))
    assert (bool(world.game("autumn").paused), bool(world.game("spring").paused)) == (True, False)


def test_a_reason_that_nobody_is_told_is_said_to_be(world: World) -> None:
    seats = world.started()
    said = text_of(world.send(player("France"), seats["France"], "EXTEND 24h\nBECAUSE I am away"))
    assert "Nobody was told your reason: I am away." in said
    assert "I am away" not in text_of(world.last(player("England")))


def test_a_sentence_that_names_a_game_heads_what_stands_below_it(world: World) -> None:
    for name in ("spring", "twin"):
        world.started(name)
    said = master(world, "House rules for twin:\nNo more than two letters a day.\nBe kind.")
    assert "HOUSE RULES / No more than two letters a day. / Be kind. / ENDHOUSERULES" in said
    master(world, "YES", reply_to(world.last(MASTER)))
    assert world.game("twin").house_rules == "No more than two letters a day.\nBe kind."
    assert not world.game("spring").house_rules


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("schedule EXTEND 24h for Thursday 8am", "SCHEDULE Thursday 8am: EXTEND 24h"),
        ("Please schedule EXTEND UNTIL Saturday for tonight at 9.", "SCHEDULE today 21:00: EXTEND UNTIL Saturday"),
        ("EXTEND UNTL Monday 20:00", "EXTEND UNTIL Monday 20:00"),
        ("EXTEND 2 days, thanks for your patience", "EXTEND 2 days"),
        ("DEADLIN 30.11. 20:00\nBECAUSE Turkey is ill", "DEADLINE 30.11. 20:00 / BECAUSE Turkey is ill"),
        ("Italy is on holiday until Sunday, so extend by 3 days, please.", "EXTEND 3 days"),
        ("Please announce that the map was wrong, it is mended.", "OFFICIAL / the map was wrong, it is mended. / END"),
        ("EJECT Italy, they stopped writing. STANDIN Italy", "EJECT Italy / STANDIN Italy"),
    ],
)
def test_as_much_as_can_be_done_is_done_by_yes(world: World, text: str, way: str) -> None:
    gm = world.started(options="standins=yes")["GM"]
    said = master(world, text, gm)
    assert way in said
    assert "YES" in said


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("PRESS TO France in spring: are you well?", "GAME spring / PRESS TO France: are you well? / ENDPRESS"),
        ("send me my desk every day at 7 in the morning", "PREFERENCES desk=07:00"),
        ("CREATE kite move=2d, and invite ann@example.net and ben@example.net",
         "CREATE kite move=2d / INVITE ann@example.net, ben@example.net"),
        ("please set up a new game named winter, two days for the moves, one day for everything else",
         "CREATE winter move=2d retreat=1d adjust=1d"),
    ],
)  # fmt: skip
def test_at_the_servers_address_too(world: World, text: str, way: str) -> None:
    world.started()
    said = master(world, text)
    assert way in said
    assert "YES" in said


def test_of_two_orders_for_a_unit_the_last_is_meant(world: World) -> None:
    gm = world.started()["GM"]
    world.pass_time(days=7, hours=1)
    said = master(
        world, "The order A VIE-GAL was misread, it should have been A VIE-TRI. Correct S1901M for Austria.", gm
    )
    assert "CORRECT S1901M NOW / Austria: A Vie-Tri / BECAUSE" in said


def test_a_rollback_is_taken_back(world: World) -> None:
    gm = world.started()["GM"]
    world.pass_time(days=7, hours=1)
    master(world, "ROLLBACK S1901M", gm)
    assert "ROLLFORWARD" in master(world, "please undo that rollback", gm)
    assert "back in F1901M" in master(world, "YES", gm)


@pytest.mark.parametrize("text", ["Where can Austria build?", "how do players see results"])
def test_a_question_in_doubt_gets_the_two_likeliest_pages_and_no_guess(world: World, text: str) -> None:
    gm = world.started()["GM"]
    world.send(MASTER, gm, text)
    said = " ".join(text_of(world.last(MASTER)).split())
    assert f"Not answered, since it was not understood: {text!r}." in said
    assert "Help:" not in said


@pytest.mark.parametrize("minutes", [1, 59])
def test_an_hour_between_reminders_is_sixty_minutes_wherever_it_begins(world: World, minutes: int) -> None:
    gm = world.started()["GM"]
    world.pass_time(minutes=59 - world.time.minute)
    master(world, "REMIND", gm)
    world.pass_time(minutes=minutes)
    assert "Nobody was reminded again" in master(world, "REMIND", gm)
    world.pass_time(minutes=61 - minutes)
    assert "A reminder goes to" in master(world, "REMIND", gm)


def test_who_was_reminded_before_the_deadline_is_not_reminded_again_within_the_hour(world: World) -> None:
    gm = world.started()["GM"]
    due = world.game("spring").due_at
    assert due is not None
    world.pass_time(minutes=(due - world.time).total_seconds() // 60 - 24 * 60 + 5)
    assert "reminder" in str(world.last(player("France"))["Subject"])
    assert "Nobody was reminded again" in master(world, "REMIND", gm)


def test_each_of_several_games_asks_about_its_own_line(tmp_path: Path) -> None:
    world = World(tmp_path, trust=TrustSettings(level="normal", authserv_ids=("mx.home",)))
    for name in ("spring", "twin", "third"):
        world.started(name)
    text = "GAME third\nREMARK\nHello\nENDREMARK\nPROCESS S1901M\nGAME spring, twin\nPROCESS S1901M"
    before = len(world.mailboxes[MASTER])
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    asked = [mail for mail in world.mailboxes[MASTER][before:] if "confirm" in str(mail["Subject"])]
    assert sorted(str(mail["Subject"]).partition("]")[0] for mail in asked) == ["Please confirm", "Re: [third"]
    assert "GAME spring, twin PROCESS S1901M" in text_of(asked[-1] if "third" in str(asked[0]["Subject"]) else asked[0])
    answers = [text_of(world.send(MASTER, reply_to(mail), "YES", headers=proved(MASTER))) for mail in asked]
    assert all("S1901M is adjudicated now" in one for one in answers)
    assert {world.game(name).code for name in ("spring", "twin", "third")} == {"F1901M"}
    world.database.dispose()


@pytest.mark.parametrize("time", ["24:30", "20:75", "25:99", "13:00pm", "99:99", "17 pm", "0 am"])
@pytest.mark.parametrize(
    "text", ["From now on the deadline is at {}.", "Please move it to Friday {}", "Remind me at {}", "My digest at {}?"]
)
def test_what_is_no_time_of_the_day_is_answered(world: World, text: str, time: str) -> None:
    gm = world.started()["GM"]
    assert master(world, text.format(time), gm)
    assert world.inbox()[-1].state is InboxState.DONE


def test_options_below_a_command_may_stand_in_one_line(world: World) -> None:
    said = master(world, "CREATE koala variant=standard\nat=9pm zone=Europe/Berlin, press=none\nmove=3d")
    assert "Not acted on" not in said
    chosen = world.game("koala").options.chosen
    assert [chosen[name] for name in ("at", "zone", "press", "move")] == ["9pm", "Europe/Berlin", "none", "3d"]


@pytest.mark.parametrize(
    "words", ["\u5df4\u9ece, ;, eject, half a day, ", "half a day, eject, schedule at 18:00 extend, "]
)
def test_what_may_be_planned_costs_the_length_of_a_mail(
    world: World, seats: dict[str, str], monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """Four times the words cost four times the letters in which a command is looked for, not sixteen times."""
    looked, name_of, counts = [0], CommandReader.name_of, list[int]()

    def counted(reader: CommandReader, line: str) -> str | None:
        looked[0] += len(line)
        return name_of(reader, line)

    monkeypatch.setattr(CommandReader, "name_of", counted)
    line = (words * 80)[:1_900]
    for number in (2, 8):
        looked[0] = 0
        world.send(MASTER, seats["GM"], "\n".join(f"{line[at:]}{at}" for at in range(number)))
        counts.append(looked[0])
    assert counts[1] <= 7 * counts[0]


@pytest.mark.parametrize("text", ["Please extend all my games by two days.", "Which of all the games is open?"])
def test_who_runs_no_game_and_speaks_of_all_is_answered(world: World, text: str) -> None:
    assert world.send("stranger@example.net", BASE, text, headers=proved("stranger@example.net"))


@pytest.mark.parametrize(
    ("wish", "subject"),
    [
        ("please adjudicate the phase now", "Re: [spring] S1901M is adjudicated now, with the orders that are in"),
        ("please end the game now, nobody plays any more", "Re: [spring] The game spring is over"),
    ],
)
def test_the_subject_of_an_answer_is_its_own_and_not_that_of_the_question(
    world: World, wish: str, subject: str
) -> None:
    gm = world.started()["GM"]
    asked = world.send(MASTER, gm, wish, headers=proved(MASTER))
    assert str(asked["Subject"]) == "Re: [spring] S1901M: your answer is needed"
    headers = proved(MASTER) | {"Subject": str(asked["Subject"])}
    assert str(world.send(MASTER, gm, "YES", headers=headers)["Subject"]) == subject


def test_several_games_are_made_in_the_order_of_their_lines(world: World) -> None:
    text = "CREATE winter move=2d\nCREATE autumn\nCREATE zebra"
    answer = world.send(MASTER, BASE, text, headers=proved(MASTER))
    said = text_of(answer)
    heads = [f"{what} {name}" for name in ("winter", "autumn", "zebra") for what in ("The game", "Manage")]
    assert [said.count(one) for one in heads] == [1, 1, 1, 1, 2, 1]
    assert sorted(heads, key=said.index) == heads
    assert "The game zebra is forming: 0 of 7 seats are taken." in said
    assert str(answer["Subject"]) == "Re: winter, autumn and zebra are ready"


def test_the_games_of_a_mail_answer_in_the_order_of_its_lines(world: World) -> None:
    names = ["zebra", "autumn", "moon"]
    world.send(MASTER, BASE, "\n".join(f"CREATE {name}" for name in names), headers=proved(MASTER))
    world.arrive(MASTER, BASE, "\n".join(f"GAME {name}\nSTATUS" for name in names), headers=proved(MASTER))
    world.work()
    assert [str(mail["Subject"]) for mail in world.mailboxes[MASTER][-3:]] == [f"Re: [{name}] done" for name in names]


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("Everybody gets three days more. And remind them 48 hours and 12 hours before the deadline", "three days"),
        ("Send the results to me first from now on, and give them 36 hours for the retreats until 3 March", "3 March"),
        ("Please correct the result accordingly and tell everybody that the mail came late", "correct the result"),
    ],
)
def test_what_is_named_and_in_no_line_is_said_and_no_yes_does_the_rest(world: World, text: str, lost: str) -> None:
    answer = master(world, text, world.started()["GM"])
    assert lost in answer
    assert ("Or reply with YES" in answer) is not bool(lost)


@pytest.mark.parametrize("text", ["please ask her", "tell them so", "send them to the players", "be kind to them"])
def test_nobody_is_reminded_but_by_a_word_for_it(world: World, text: str) -> None:
    seats = world.started()
    before = len(world.mailboxes[player("Italy")])
    master(world, text, seats["GM"])
    assert len(world.mailboxes[player("Italy")]) == before


@pytest.mark.parametrize(
    ("wish", "said", "never"),
    [
        (
            "I think we should end this game now.\nActually no, leave it.",
            "Nothing was done, as you say.",
            "TERMINATE spring",
        ),
        ("Please extend by two days. No wait, forget it.", "", "EXTEND 48h"),
        (
            "France and her opponents have agreed to end it in a draw, please close it.",
            "DRAW spring",
            "DRAW spring France",
        ),
    ],
)
def test_what_is_taken_back_and_what_one_power_cannot_have_is_not_offered(
    world: World, wish: str, said: str, never: str
) -> None:
    chair = world.started(options="early=no")["GM"]
    answer = text_of(world.send("master@example.org", chair, wish))
    assert said in answer
    assert never not in answer


def test_commands_in_small_letters_below_a_greeting_that_heads_them_are_done_in_each_game(world: World) -> None:
    for name in ("spring", "autumn"):
        master(world, f"CREATE {name} standins=yes", BASE)
    world.arrive(
        MASTER,
        BASE,
        "please begin:\n\nGAME spring\nset press=grey\nSTART\n\nGAME autumn\nset press=grey\nset move=2d\nSTART",
        headers=proved(MASTER),
    )
    world.work()
    options = [world.game(name).options.texts for name in ("spring", "autumn")]
    assert [one["press"] for one in options] == ["grey", "grey"]
    assert options[1]["move"] == "2d"


def test_a_sentence_that_limits_a_command_in_small_letters_is_waited_for(world: World) -> None:
    gm = world.started()["GM"]
    assert "send SET grace=12h" in master(world, "set grace=12h\nbut only if nobody objects", gm)
    said = master(world, "extend 24h\n\nbut only if nobody objects", gm)
    assert "EXTEND was not acted on, because beside it is 'but only if nobody objects'" in said
    assert "Reply with YES to do this: extend 24h" in said
    assert world.game().options.texts["grace"] == "none"


def test_a_greeting_above_the_games_of_a_mail_asks_for_nothing_once_it_is_confirmed(world: World) -> None:
    for name in ("spring", "autumn"):
        master(world, f"CREATE {name}", BASE)
    world.arrive(MASTER, BASE, "Hello gm, please,\n\nspring: NOTE Bob is ill\nautumn: NOTE Ann is away")
    world.work()
    asked = world.last(MASTER)
    before = len(world.mailboxes[MASTER])
    world.arrive(MASTER, reply_to(asked), "YES", headers={"In-Reply-To": str(asked["Message-ID"])})
    world.work()
    subjects = [str(one["Subject"]) for one in world.mailboxes[MASTER][before:]]
    assert sorted(subjects) == ["Re: [autumn] Noted", "Re: [spring] Noted"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Please remind those who have not sent orders at 6 pm Berlin time.", "SCHEDULE 6 pm Europe/Berlin: REMIND"),
        ("Please remind all who have not ordered on Wednesday at noon.", "SCHEDULE Wednesday at noon: REMIND"),
        ("Turkey rang me: he gives up. Please end the game as a win for Austria.", "DRAW spring Austria"),
        ("Hello, all orders are in, so please adjudicate right now.", "PROCESS S1901M / BECAUSE all orders are in"),
    ],
)
def test_what_is_wanted_later_for_one_power_or_for_a_reason_is_in_the_line(world: World, text: str, line: str) -> None:
    before = sum(map(len, world.mailboxes.values()))
    seats = world.started()
    sent = sum(map(len, world.mailboxes.values())) - before
    assert f"send {line}" in master(world, text, seats["GM"])
    assert sum(map(len, world.mailboxes.values())) - before == sent + 1  # nobody was written to but who asked


def test_what_a_mail_releases_waits_no_more_in_its_dashboard(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "SET release=gm", gm)
    master(world, "PROCESS S1901M", gm)
    assert "have waited since" in master(world, "DASHBOARD", gm)
    answer = master(world, "RELEASE S1901M\nDASHBOARD", gm)
    assert answer.count("The results of S1901M go to everybody now.") == 2
    assert "have waited since" not in answer


IN_SMALL_LETTERS = [
    ("Hans was on the train, I'll let that pass. Ida has nobody to complain about.\n\nextend 24h\n"
     "BECAUSE it is only fair\nset grace=6h\n\nKind regards\nAda", ["your reason: it is only fair", "grace=6h"]),
    ("ok, same here\nextend 6h\nbecause first turn, everybody gets one free\nnote mike was late",
     ["your reason: first turn, everybody gets one free", "Noted."]),
    ("carl missed twice now, house rule\nreplace italy with walt@mail.example\nbecause he missed two\n\n"
     "press to italy\nrules are rules\nendpress", ["walt@mail.example is asked", "Press sent to Italy"]),
    ("pete is not answering any of my texts, so\neject italy\nstandin italy\nnote pete is out",
     ["Italy is vacant", "A stand-in player plays Italy", "Noted."]),
    ("NOTE Franz told me\nnote Emil asked for Russia\nset grace=6h", ["Noted. Only you", "grace=6h"]),
    ("are they all still there?\nMuster\nBECAUSE nobody has written\ncomment a quiet game, onlookers are welcome",
     ["must say by", "your reason: nobody has written", "now say of spring: a quiet game, onlookers are welcome"]),
    ("extend 24h\n\nIf anybody minds, tell me.", ["24 hours later than before"]),
    ("good game, all of you\nremark\nthanks for playing\nendremark\ndraw spring Italy", ["The game is over: Italy"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), IN_SMALL_LETTERS)
def test_commands_in_small_letters_are_done_beside_what_explains_them(world: World, text: str, said: list[str]) -> None:
    answer = master(world, text, world.started()["GM"])
    for one in said:
        assert one in answer
    assert "Nothing was changed yet" not in answer


def test_every_note_in_small_letters_is_kept(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "ORDERS FOR FRANCE\nA Par-Bur\nBECAUSE you told me by phone\nNote his mailbox is broken", gm)
    master(world, "NOTE Franz told me\nnote Emil asked for Russia", gm)
    notes = master(world, "note list", gm)
    for one in ("his mailbox is broken", "Franz told me", "Emil asked for Russia"):
        assert one in notes


def test_a_time_alone_above_a_command_is_not_passed_over(world: World) -> None:
    answer = master(world, "Tomorrow at noon, please:\nprocess", world.started()["GM"])
    assert "PROCESS was not acted on, because beside it is 'Tomorrow at noon, please:'" in answer
    assert world.phase() == "S1901M"


def test_a_reason_below_commands_for_several_games_is_for_each(world: World) -> None:
    for name in ("spring", "autumn"):
        world.started(name)
    world.arrive(MASTER, BASE, "spring: extend 24h\nautumn: extend 24h\nbecause all need it", headers=proved(MASTER))
    world.work()
    for name in ("spring", "autumn"):
        (told,) = (one for one in world.mailboxes[player("France")] if f"[{name}] New deadline" in str(one["Subject"]))
        assert "The reason: all need it." in text_of(told)


def test_a_note_may_name_its_game_behind_its_word(world: World) -> None:
    world.started()
    assert "Noted." in master(world, "NOTE spring: Ann is away")
    assert "Ann is away" in master(world, "spring: NOTE LIST")


def answered(world: World, text: str) -> str:
    """The answer to a reply to the gamemaster's newest mail, some minutes later."""
    newest = world.last(MASTER)
    world.pass_time(minutes=3)
    headers = {**proved(MASTER), "In-Reply-To": str(newest["Message-ID"])}
    before = len(world.mailboxes[MASTER])
    world.arrive(MASTER, reply_to(newest), text, headers=headers)
    world.work()
    return " ".join(text_of(one) for one in world.mailboxes[MASTER][before:])


def test_a_later_yes_to_a_thing_for_several_games_and_words_to_all_does_both(world: World) -> None:
    for name in ("spring", "autumn"):
        world.started(name)
    offered = master(world, "Please give spring and autumn two more days, and tell their players that I am ill.")
    assert "Or reply with YES, which does both." in offered
    world.pass_time(minutes=3)
    answered(world, "Yes, both please.\nBest regards,\nAda")
    told = [str(one["Subject"]) for one in world.mailboxes[player("France")]]
    for name in ("spring", "autumn"):
        assert f"[{name}] An announcement of the gamemaster" in told
        assert f"[{name}] New deadline" in told


@pytest.mark.parametrize("yes", ["Good, then let it count. And please one day more, since both need it:", "Yes."])
def test_commands_below_a_yes_are_done_with_what_it_agrees_to(world: World, yes: str) -> None:
    gm = world.started(options="early=no")["GM"]
    master(world, "PROCESS S1901M", gm)
    assert "On trial" in master(world, "CORRECT S1901M\nItaly: A Ven-Tri\nBECAUSE I forgot it", gm)
    said = answered(world, f"{yes}\n\nEXTEND 24h\nbecause the spring was corrected")
    assert "S1901M is adjudicated again" in said
    assert "EXTEND 24h is for the phase after S1901M" in said


def test_what_is_written_again_below_a_yes_is_done_once(world: World) -> None:
    gm = world.started()["GM"]
    due = world.game().due_at
    assert due is not None
    master(world, "Please give everybody a day more, and set the grace period to 12 hours.", gm)
    answered(world, "Yes, please.\n\nEXTEND 24h\nBECAUSE the server was down\nNOTE done")
    game = world.game()
    assert game.due_at is not None
    assert (game.due_at - due).days == 1
    assert game.options.texts["grace"] == "12h"


@pytest.mark.parametrize("name", ["Master Wagner", "Master"])
def test_a_name_below_a_yes_says_no_more(world: World, name: str) -> None:
    gm = world.started()["GM"]
    master(world, "Please give everybody a day more.", gm)
    assert "24 hours later than before" in answered(world, f"Yes\n\n{name}")


def test_what_asks_is_answered_with_what_the_mail_has_changed(world: World) -> None:
    answer = master(world, "preview\nORDERS FOR FRANCE\nA Par-Bur", world.started()["GM"])
    assert "Army Paris -> Burgundy" in answer


def test_the_hour_of_the_desk_is_in_the_zone_that_all_games_have(world: World) -> None:
    master(world, "CREATE donau zone=Europe/Vienna")
    answer = master(world, "PREFERENCES desk=07:00")
    assert "Your time zone is that of your games now, Europe/Vienna" in answer
    assert "07:00 CET (06:00 UTC)" in answer
    assert "08:00 CST (14:00 UTC)" in master(world, "preferences desk=8am zone=America/Chicago")
    assert "zone=game" in master(world, "PREFERENCES zone=game")


@pytest.mark.parametrize(("text", "due"), [("12/9", "Wed 9 Dec"), ("12/10 9pm", "Thu 10 Dec")])
def test_a_day_in_slashes_is_none_that_is_half_a_year_behind_another(world: World, text: str, due: str) -> None:
    assert due in master(world, f"EXTEND UNTIL {text}", world.started()["GM"])


def test_what_late_orders_change_in_held_results_is_told_before_they_are_released(world: World) -> None:
    seats = world.started(options="release=gm")
    master(world, "PROCESS S1901M", seats["GM"])
    world.send(player("Italy"), seats["Italy"], "S1901M:\nA VEN-PIE")
    said = text_of(world.last(MASTER))
    assert "What they would change: Italy: A Ven-Pie" in said
    answer = master(world, "correct s1901m now\nFrance: A Par-Bur\nBECAUSE it was lost\n\nrelease s1901m", seats["GM"])
    assert "The results of S1901M go to everybody now." in answer
    assert "until you write RELEASE" not in answer


@pytest.mark.parametrize("ended", ["remark\nA short war.\nendremark\ndraw duel", "draw duel France\nbecause all agree"])
def test_all_games_but_one_that_the_same_mail_ends_are_the_others(world: World, ended: str) -> None:
    for name in ("duel", "spring", "autumn"):
        world.started(name)
    mail = f"Duel ends today:\n\ngame duel\n{ended}\n\nall games but duel: extend 24h\nbecause it snows\n\nCiao\nCarla"
    world.arrive(MASTER, BASE, mail, headers=proved(MASTER))
    world.work()
    assert world.game("duel").over
    for name in ("spring", "autumn"):
        (told,) = (one for one in world.mailboxes[player("France")] if f"[{name}] New deadline" in str(one["Subject"]))
        assert "The reason: it snows." in text_of(told)


def test_all_games_in_small_letters_take_a_command_with_as(world: World) -> None:
    for name in ("spring", "autumn"):
        world.started(name)
    text = "all games spring, autumn: promote fabio@posta.example as assistant\n\nGAME spring\nnote nine"
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    said = " ".join(text_of(one) for one in world.mailboxes[MASTER])
    for name in ("spring", "autumn"):
        assert f"fabio@posta.example is asked to be an assistant gamemaster of {name}" in said
    assert "Noted." in said


def test_a_greeting_above_all_games_in_a_reply_to_the_dashboard_loses_nothing(world: World) -> None:
    for name in ("spring", "autumn"):
        world.started(name)
    master(world, "DASHBOARD")
    said = answered(world, "Good morning,\n\nall games spring, autumn: extend 24h\nbecause it snows\n\nCarla")
    assert said.count("24 hours later than before") == 2


@pytest.mark.parametrize(
    "below", ["note C", "game spring\nnote C", "Nobody needs to wait, so one thing more.\n\nnote C"]
)
def test_a_yes_below_a_greeting_counts_beside_commands(world: World, below: str) -> None:
    gm = world.started(options="early=no")["GM"]
    master(world, "PROCESS S1901M", gm)
    master(world, "CORRECT S1901M\nItaly: A Ven-Tri\nBECAUSE I forgot it", gm)
    said = answered(world, f"Dear gamemaster,\n\nYes.\n\n{below}\n\nKind regards\nTom")
    assert "S1901M is adjudicated again" in said
    assert "Noted." in said


def test_a_reason_is_shared_past_a_command_that_is_not_read(world: World) -> None:
    answer = master(world, "extend 24h\nreplace Austria with nobody\nbecause Eve left", world.started()["GM"])
    assert "All players get your reason: Eve left." in answer
    assert "could not be acted on" in answer


def test_a_reason_in_a_commands_own_line_is_for_that_command_alone(world: World) -> None:
    gm = world.started()["GM"]
    world.started("autumn")
    before = len(world.mailboxes[player("France")])
    text = "spring: process s1901m\nautumn: extend 24h because the lists are new"
    world.arrive(MASTER, gm, text, headers=proved(MASTER))
    world.work()
    told = [
        str(one["Subject"]) for one in world.mailboxes[player("France")][before:] if "lists are new" in text_of(one)
    ]
    assert [subject.partition("]")[0] for subject in told] == ["[autumn"]


def test_a_reason_below_draw_stands_in_the_last_mail(world: World) -> None:
    answer = master(world, "draw spring France, Austria\nbecause both have asked for it", world.started()["GM"])
    assert "Your reason stands in the game's last mail: both have asked for it." in answer
    assert "The gamemaster's reason: Both have asked for it." in text_of(world.last(player("Italy")))


def test_each_of_two_changes_in_several_games_is_told(world: World) -> None:
    for name in ("spring", "autumn"):
        world.started(name)
    master(world, "ALL GAMES BUT autumn: SET holidays=24 Dec - 2 Jan\nALL GAMES: SET holidays=+8 Dec")
    told = next(one for one in world.mailboxes[player("France")] if "[spring] New options" in str(one["Subject"]))
    assert "holidays=2026-12-24..2027-01-02 (was none)" in text_of(told)
    assert "holidays=2026-12-08,2026-12-24..2027-01-02 (was 2026-12-24..2027-01-02)" in text_of(told)


def test_a_reason_that_was_told_in_a_game_is_not_said_to_be_lost(world: World) -> None:
    world.started()
    master(world, "ALL GAMES: PAUSE")
    due = "ALL GAMES spring: DEADLINE 2026-11-30 18:00"
    answer = master(world, f"ALL GAMES: RESUME\n{due}\n{due}\nBECAUSE tomorrow is a holiday")
    assert "All players get your reason: tomorrow is a holiday." in answer
    assert "Nobody was told" not in answer


def test_a_rollback_whose_phase_is_adjudicated_in_the_same_mail_is_not_said_to_be_undone(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "PROCESS S1901M", gm)
    answer = master(world, "ROLLBACK S1901M\nBECAUSE a mail was lost\nORDERS FOR ITALY\nA VEN-TRI\nPROCESS S1901M", gm)
    assert "S1901M is played again" in answer
    assert "ROLLFORWARD" not in answer


def test_an_explanation_above_the_commands_of_another_game_is_not_answered(world: World) -> None:
    world.started()
    before = len(world.mailboxes[MASTER])
    text = "They look fine. Please let them go, with these words:\n\ngame spring\nremark\nHi.\nendremark\nextend 24h"
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    assert [str(one["Subject"]) for one in world.mailboxes[MASTER][before:]] == ["Re: [spring] S1901M: done"]


def test_all_games_below_a_game_in_a_reply_to_the_desk_reaches_every_game(world: World) -> None:
    for name in ("spring", "autumn"):
        world.started(name)
    master(world, "DASHBOARD")
    said = answered(
        world, "spring: note b\n\nthey all want it\n\nall games: set reminder=48h,6h\nbecause it snows\n\nSam"
    )
    assert said.count("The game's options are now: reminder=48h,6h.") == 2


def test_a_question_that_names_its_games_is_answered_for_these(world: World) -> None:
    seats = {name: world.started(name)["GM"] for name in ("peaks", "rockies", "duel")}
    before = len(world.mailboxes[MASTER])
    world.arrive(
        MASTER, seats["duel"], "set grace=2h\n\nwho has not ordered in peaks and rockies?", headers=proved(MASTER)
    )
    world.work()
    (said,) = (text_of(one) for one in world.mailboxes[MASTER][before:])
    for name in ("peaks", "rockies"):
        assert f"{name} S1901M" in said
    assert "duel S1901M" not in said
    world.arrive(MASTER, BASE, "peaks: set grace=3h\n\nany idea who hasn't ordered in rockies?", headers=proved(MASTER))
    world.work()
    assert "Dashboard of rockies" in text_of(world.last(MASTER))


def test_preview_may_name_its_phase(world: World) -> None:
    gm = world.started()["GM"]
    assert "trial adjudication" in master(world, "set grace=2h\n\npreview s1901m", gm)
    assert "F1901M is not being played" in master(world, "PREVIEW F1901M", gm)


def test_a_name_with_a_comma_below_dashes_is_no_misspelt_command(world: World) -> None:
    answer = master(world, "set grace=2h\n\n--\nDora, Hamburg-Altona", world.started()["GM"])
    assert "options are now: grace=2h" in answer
    assert "not a command" not in answer


def test_a_reminder_that_is_set_at_another_time_holds_for_the_phase_that_is_played(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "set reminder=36h", gm)
    before = len(world.mailboxes[player("France")])
    world.pass_time(days=5, hours=13)
    (reminder,) = world.mailboxes[player("France")][before + 1 - 1 :][-1:]
    assert "reminder" in str(reminder["Subject"]).lower()


def test_a_question_above_the_commands_for_a_game_is_not_said_to_be_a_mail_of_nothing(world: World) -> None:
    world.started()
    before = len(world.mailboxes[MASTER])
    world.arrive(
        MASTER, BASE, "hi, did ivy get her reminder?\n\nspring: dashboard\nspring: log", headers=proved(MASTER)
    )
    world.work()
    said = [text_of(one) for one in world.mailboxes[MASTER][before:]]
    assert not any("no order or command" in one for one in said)


def test_several_can_be_asked_for_a_power_on_one_line_each_with_the_reason(world: World) -> None:
    gm = world.started()["GM"]
    answer = master(world, "replace Austria with quentin@example.net, rose@example.net\nbecause Eve left", gm)
    for address in ("quentin@example.net", "rose@example.net"):
        assert f"{address} is asked whether they want to play Austria" in answer
        assert "The reason: Eve left." in text_of(world.last(address))


def test_a_note_may_begin_with_the_name_of_another_game_and_a_season_is_none(world: World) -> None:
    seats = {name: world.started(name)["GM"] for name in ("spring", "strait")}
    world.arrive(MASTER, seats["spring"], "note strait Lee may be slow\nnote spring was slow", headers=proved(MASTER))
    world.work()
    assert "Lee may be slow" in master(world, "note list", seats["strait"])
    assert "spring was slow" in master(world, "note list", seats["spring"])


@pytest.mark.parametrize(
    "heading", ["And please in mist", "but then for mist, please:", "And in mist I would like this", "mist please"]
)
@pytest.mark.parametrize("at_seat", [True, False])
def test_a_line_that_leads_to_commands_with_the_name_of_a_game_is_its_heading(
    world: World, heading: str, at_seat: bool
) -> None:
    gm = world.started()["GM"]
    world.started("mist")
    answer = world.send(MASTER, gm if at_seat else BASE, f"{heading}\nEXTEND 24h", headers=proved(MASTER))
    assert "[mist]" in str(answer["Subject"])
    assert "is now" in text_of(answer)
    spring, mist = world.game("spring").due_at, world.game("mist").due_at
    assert spring is not None
    assert mist == spring + timedelta(hours=24)


@pytest.mark.parametrize("said", ["In mist all is well.\nEXTEND 24h", "In mist all is well\n\nEXTEND 24h"])
def test_a_sentence_about_another_game_is_no_heading(world: World, said: str) -> None:
    gm = world.started()["GM"]
    world.started("mist")
    assert "[spring]" in str(world.send(MASTER, gm, said, headers=proved(MASTER))["Subject"])


def test_words_above_a_command_that_names_the_only_game_of_a_mail_are_for_that_game(world: World) -> None:
    world.started()
    world.started("mist")
    master(world, "NOTE they agreed at dinner\nREMARK\nA friendly one.\nENDREMARK\nDRAW mist France, Austria")
    assert "A friendly one." in text_of(world.last(player("France")))
    assert "agreed at dinner" in master(world, "GAME mist\nNOTE LIST")


@pytest.mark.parametrize(
    "said",
    [
        "yes\nbecause pia called me in time\nnote deneb phoned",
        "Yes, because his mail got lost\nsorry about the mess",
        "Yes, let it count this once, he is new here.\nnote he phoned",
        "Yes, please. Master",
    ],
)
def test_a_yes_with_its_reason_an_apology_or_a_name_behind_it_does_all_that_is_offered(world: World, said: str) -> None:
    gm = world.started()["GM"]
    master(world, "PROCESS S1901M", gm)
    asked = world.send(MASTER, gm, "CORRECT S1901M\nFrance: A PAR-BUR\nBECAUSE I misheard", headers=proved(MASTER))
    assert "S1901M is adjudicated again" in replied(world, asked, said)
    assert "A Bur" in text_of(world.last(player("France")))


def test_a_reason_in_the_line_of_several_games_is_for_each(world: World) -> None:
    world.started()
    world.started("mist")
    world.arrive(MASTER, BASE, "mist, spring: extend 3h because of the storm tonight", headers=proved(MASTER))
    world.work()
    told = [text_of(one) for one in world.mailboxes[player("France")][-2:]]
    assert all("The reason: the storm tonight" in one for one in told)


@pytest.mark.parametrize(
    ("wish", "line"),
    [
        ("Please pause the game on 4 December, I am away then.", "SCHEDULE 2026-12-04 00:00: PAUSE"),
        ("Please pause the game tomorrow at 18:00.", "SCHEDULE tomorrow 18:00: PAUSE"),
        ("Please pause the game until 4 December.", "PAUSE UNTIL 2026-12-04"),
        (
            "Please tell all that I am away from 4 December to 7 December, and pause the game from then on.",
            "SET holidays=2026-12-04..2026-12-07",
        ),
    ],
)
def test_what_is_paused_from_a_day_on_waits_for_it(world: World, wish: str, line: str) -> None:
    assert line in master(world, wish, world.started()["GM"])


@pytest.mark.parametrize("denied", [", and not to Trieste", " and not A VEN-TRI", ", not to Trieste"])
def test_the_order_that_was_not_meant_is_not_left_out_of_a_correction(world: World, denied: str) -> None:
    gm = world.started()["GM"]
    master(world, "PROCESS S1901M", gm)
    wish = f"Please correct S1901M: Italy ordered A VEN-TYR{denied}, since her mail said so and I have misread it."
    answer = master(world, wish, gm)
    assert "Italy: A Ven-Tyr / BECAUSE her mail said so, I have misread it" in " / ".join(answer.split("\n"))
    assert "leaves out" not in answer


def test_an_invitation_below_what_ends_a_phase_tells_of_none_that_is_over(world: World) -> None:
    gm = world.started()["GM"]
    world.arrive(MASTER, gm, "PROCESS S1901M\nREPLACE Italy WITH nina@example.net", headers=proved(MASTER))
    world.work()
    asked = text_of(world.last("nina@example.net"))
    assert "S1901M is being adjudicated." in asked
    assert "Italy has" not in asked


@pytest.mark.parametrize("written", ["for Saturday noon: remind", "in spring for Saturday 12:00: REMIND"])
def test_what_is_scheduled_for_a_time_is_scheduled(world: World, written: str) -> None:
    answer = master(world, f"schedule {written}", world.started()["GM"])
    assert "Scheduled for Sat 21 Nov 2026, 12:00 UTC: " in answer


def _asked(world: World, text: str, to: str = BASE) -> list[tuple[str, str]]:
    """The subjects and texts of all answers to a gamemaster's mail."""
    before = len(world.mailboxes[MASTER])
    world.arrive(MASTER, to, text, headers=proved(MASTER))
    world.work()
    return [(str(one["Subject"]), text_of(one)) for one in world.mailboxes[MASTER][before:]]


_SEVERAL = ("kiel", "sylt", "amrum", "foehr")


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("GAME kiel\nnote Gerda is in hospital\n\nAnd who has not ordered yet in sylt and amrum?", {"sylt", "amrum"}),
        ("foehr: note Otto asked\n\nwho has not ordered yet in kiel and in amrum?", {"kiel", "amrum"}),
        (
            "GAME kiel\nnote a\nGAME sylt\nnote b\n\nand please tell me when the next deadlines are in all my games.",
            {*_SEVERAL},
        ),
        ("when are the deadlines in my games?", {*_SEVERAL}),
    ],
)
def test_a_question_about_several_games_is_answered_once_for_these_whatever_stands_beside_it(
    world: World, text: str, games: set[str]
) -> None:
    for name in _SEVERAL:
        world.started(name)
    tables = [said for _, said in _asked(world, text) if "Your games as gamemaster" in said]
    assert len(tables) == 1
    assert {name for name in _SEVERAL if f"{name} S1901M" in tables[0]} == games


def test_a_question_about_several_games_in_a_reply_to_the_desk_is_answered(world: World) -> None:
    for name in _SEVERAL:
        world.started(name)
    master(world, "DASHBOARD")
    text = "kiel: note a\n\nsylt: note b\n\nand who has not ordered in amrum and foehr?"
    said = _asked(world, text, reply_to(world.last(MASTER)))
    assert sum("Noted." in one for _, one in said) == 2
    (table,) = (one for _, one in said if "Your games as gamemaster" in one)
    assert {name for name in _SEVERAL if f"{name} S1901M" in table} == {"amrum", "foehr"}


@pytest.mark.parametrize("at_seat", [False, True])
def test_each_of_several_questions_is_answered_in_the_games_that_it_names(world: World, *, at_seat: bool) -> None:
    seats = {name: world.started(name)["GM"] for name in _SEVERAL}
    master(world, "SCHEDULE Friday 18:00: PROCESS", seats["foehr"])
    world.arrive(player("France"), BASE, "ABSENCE 2026-12-01 TO 2026-12-05", headers=proved(player("France")))
    world.work()
    to = seats["kiel"] if at_seat else BASE
    said = _asked(world, "who is late or missing in sylt and amrum? And what is scheduled in foehr?", to)
    assert any("sylt S1901M" in one and "amrum S1901M" in one and "kiel S1901M" not in one for _, one in said)
    assert any("Scheduled in foehr" in one and "PROCESS" in one for _, one in said)
    ((_, both),) = _asked(world, "when are the deadlines in my games and who is away?", to)
    assert "kiel S1901M" in both
    assert "Games of this server" not in both
    assert "Away: France: Tue 1 Dec to Sat 5 Dec" in both
    ((_, left),) = _asked(world, "is the moon green in kiel and sylt, and who is away?", to)
    assert "Away: France" in left
    assert "Not answered, since it was not understood: 'is the moon green in kiel and sylt'" in left
    ((_, planned),) = _asked(world, "is anything scheduled in sylt or foehr?", to)
    assert "Scheduled in sylt" in planned
    assert "Scheduled in foehr" in planned


@pytest.mark.parametrize(
    "text", ["pause kiel and sylt, and who is late in foehr?", "pause kiel and sylt. Who is late in amrum and foehr?"]
)
def test_a_question_about_games_swallows_no_wish_beside_it(world: World, text: str) -> None:
    for name in _SEVERAL:
        world.started(name)
    said = " ".join(one for _, one in _asked(world, text))
    assert "send ALL GAMES kiel, sylt: PAUSE" in said
    assert "foehr" in said


def test_what_is_scheduled_can_be_asked_before_the_game_begins(world: World) -> None:
    made = world.send(MASTER, BASE, "CREATE maple", headers=proved(MASTER))
    assert "Scheduled in maple" in master(world, "what is scheduled?", reply_to(made))
    assert "has not begun" in master(world, "SCHEDULE Friday 18:00: PROCESS", reply_to(made))


def test_the_desk_names_the_invited_who_have_not_answered(world: World) -> None:
    world.started()
    master(world, "CREATE maple")
    master(world, "GAME maple\nINVITE gus@example.net")
    said = master(world, "who hasn't said yes yet in my games?")
    assert "maple: 0 of 7 seats are taken. Invited: gus@example.net." in said


@pytest.mark.parametrize(
    "text", ["yes\nand remind them in both", "Yes, do.\nAnd please remind all players in both games."]
)
def test_both_is_the_two_games_that_were_named_above_it(world: World, text: str) -> None:
    for name in _SEVERAL:
        world.started(name)
    asked = world.send(MASTER, BASE, "give kiel and sylt a day more", headers=proved(MASTER))
    headers = {**proved(MASTER), "In-Reply-To": str(asked["Message-ID"]), "Subject": f"Re: {asked['Subject']}"}
    said = text_of(world.send(MASTER, reply_to(asked), text, headers=headers))
    assert "kiel: The deadline" in said
    assert "ALL GAMES kiel, sylt: REMIND" in said


def test_a_game_like_another_has_its_house_rules_and_says_so(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "HOUSE RULES\nBe kind to each other.\nENDHOUSERULES", gm)
    said = master(world, "CREATE autumn LIKE spring")
    assert "Its house rules are those of spring: Be kind to each other." in said
    assert world.game("autumn").house_rules == "Be kind to each other."
    assert world.game("autumn").phase is None


def test_a_correction_that_lacks_its_reason_takes_that_of_the_answer(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "PROCESS S1901M", gm)
    asked = world.send(MASTER, gm, "CORRECT S1901M\nFrance: A PAR-BUR", headers=proved(MASTER))
    assert "Reply with YES and BECAUSE with your reason below it" in text_of(asked)
    said = "Yes, let it count.\nbecause I misread the hand, so the fault is mine and not Austria's"
    assert "adjudicated again" in replied(world, asked, said)
    assert "I misread the hand, so the fault is mine and not Austria's" in text_of(world.last(player("France")))
    asked = world.send(MASTER, gm, "CORRECT S1901M\nFrance: A PAR-GAS", headers=proved(MASTER))
    assert "needs your reason" in replied(world, asked, "Yes")


def test_one_power_alone_is_reminded(world: World) -> None:
    gm = world.started()["GM"]
    assert "A reminder goes to Italy." in master(world, "remind italy", gm)
    assert "reminder" in str(world.last(player("Italy"))["Subject"])
    assert "reminder" not in str(world.last(player("France"))["Subject"])
    world.send(player("France"), reply_to(world.last(player("France"))), "A PAR-BUR\nF BRE-MAO\nA MAR S A PAR-BUR")
    assert "These orders are in" in master(world, "REMIND France", gm)


def test_a_pause_gets_another_end(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "PAUSE UNTIL 24 Nov 12:00", gm)
    assert "It goes on Sat 28 Nov 2026, 12:00 UTC" in master(world, "PAUSE UNTIL 28 Nov 12:00", gm)
    assert "The pause lasts until Sat 28 Nov 2026, 12:00 UTC." in text_of(world.last(player("France")))
    world.pass_time(days=5)
    assert world.game("spring").paused
    world.pass_time(days=4)
    assert not world.game("spring").paused


def test_undo_of_a_dummy_gives_the_power_back_and_none_is_one_by_the_mail_that_deals(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "DUMMY Italy", gm)
    assert "Italy has its player back" in master(world, "UNDO", gm)
    chair = reply_to(world.send(MASTER, BASE, "CREATE duel variant=france-austria", headers=proved(MASTER)))
    for power in ("France", "Austria"):
        world.send(player(power), BASE, f"JOIN duel AS {power}")
    answer = master(world, "START\nDUMMY France", chair)
    assert "The powers were dealt just now, and France has a player." in answer


@pytest.mark.parametrize("text", ["And is the deadline still Wednesday evening?", "note x\n\nIs the deadline Friday?"])
def test_a_question_how_it_is_is_no_wish(world: World, text: str) -> None:
    answer = master(world, text, world.started()["GM"])
    assert "The deadline of S1901M is Fri 27 Nov 2026, 09:00 UTC" in answer
    assert "Reply with YES" not in answer


def test_a_pause_below_release_is_in_the_report_and_where_the_game_is_shown(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "SET release=gm\nPROCESS S1901M", gm)
    world.arrive(MASTER, gm, "RELEASE S1901M\nPAUSE UNTIL 30 Nov 18:00\nBECAUSE of a journey", headers=proved(MASTER))
    world.work()
    report = text_of(world.last(player("France")))
    assert "The game is paused until Mon 30 Nov 2026, 18:00 UTC: a journey" in report
    assert "No deadline is set" not in report
    assert not any("is paused" in str(one["Subject"]) for one in world.mailboxes[player("France")])
    assert "no deadline until Mon 30 Nov 2026, 18:00 UTC" in master(world, "STATUS", gm)
    assert "paused until Mon 30 Nov" in master(world, "DASHBOARD")


def test_what_takes_words_is_noted_in_all_games_also_below_others(world: World) -> None:
    world.started()
    world.started("mist")
    world.arrive(MASTER, BASE, "mist: EXTEND 24h\n\nall games: note Sven is told by phone", headers=proved(MASTER))
    world.work()
    for name in ("spring", "mist"):
        assert "Sven is told by phone" in master(world, f"GAME {name}\nNOTE LIST")


def test_a_line_above_a_text_only_heads_it(world: World) -> None:
    world.started()
    world.started("mist")
    text = "House rules for all my games:\n\nall games: house rules\nBe friendly.\nendhouserules"
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    assert [world.game(name).house_rules for name in ("spring", "mist")] == ["Be friendly."] * 2


def test_a_yes_below_a_greeting_counts_with_commands_below_it(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "PROCESS S1901M", gm)
    asked = world.send(MASTER, gm, "CORRECT S1901M\nFrance: A PAR-BUR\nBECAUSE I misheard", headers=proved(MASTER))
    said = "Good evening,\n\ngood, then let it count.\n\nAnd now that Fall has come, the letters end:\n\nSET press=none"
    answer = replied(world, asked, said)
    assert "S1901M is adjudicated again" in answer
    assert "press=none" in answer


def test_a_command_that_is_refused_is_not_offered_with_its_options_in_another_order(world: World) -> None:
    options = "anonymous=yes nmr=disorder grace=none early=orders reminder=3h press=white draw=listed ballots=standing"
    answer = text_of(world.send("gina@elsewhere.example", BASE, f"CREATE dusk variant=fog move=1d at=18:00 {options}"))
    assert "nmr=disorder does not apply" in answer
    assert "Reply with YES" not in answer
