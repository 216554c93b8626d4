"""What people type who have read no help: each line is carried out, or answered with how to write it."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.server.world import BASE, World, player, reply_to, text_of


def lines_of(mail: EmailMessage) -> str:
    """The text of a mail with its line ends and blanks."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[World, str, str]]:
    """A running game, and by name: the world, a player's or the gamemaster's mail address, and the seat's."""
    world = World(Path(tmp_path_factory.mktemp("typed")), limits=0)
    seats = world.started(options="early=no")
    mailbox = {reply_to(mail): address for address, mails in world.mailboxes.items() for mail in mails}
    return {name: (world, mailbox[address], address) for name, address in seats.items()}


@pytest.mark.parametrize(
    ("who", "line", "said"),
    [
        ("France", "EXTEND one day", "Your vote for EXTEND is counted"),
        ("GM", "EXTEND one day", "The deadline for S1901M is now Sat 28 Nov"),
        ("GM", "DEADLINE next Friday, 6 pm", "The deadline for S1901M is now Fri 27 Nov 2026, 18:00"),
        ("GM", "DEADLINE 24 Dec 18:00 Berlin time", "The deadline for S1901M is now Thu 24 Dec 2026, 17:00 UTC"),
        ("GM", "DEADLINE Thursday", "'Thursday' has no time of day. Write it like"),
        ("GM", "DEADLINE 2026-11-01", "'2026-11-01' is past."),
        ("GM", "DEADLINE 30.2.2027 18:00", "There is no day 30.2.2027."),
        ("GM", "DEADLINE yesterday", "'yesterday' is past."),
        ("GM", "EXTEND -24h", "It is 24 hours earlier than before"),
        ("GM", "ROLLFORWARD F1901M", "'F1901M' is not understood in this ROLLFORWARD command."),
        ("GM", "LOG x", "'x' is not understood in this LOG command."),
        ("GM", "A PAR H", "To order for a power, write ORDERS FOR and its name above the orders."),
        ("GM", "DEADLINE 3/4 18:00", "'3/4' can be two dates. Write "),
        ("France", "TIMEZONE Berlin", "now given in Europe/Berlin"),
        ("France", "TIMEZONE Berln", "Did you mean Europe/Berlin"),
        ("Italy", "ABSENCE 24 Dec", "You are away from Thu 24 Dec 2026"),
        ("Turkey", "ABSENCE December 24 to January 2", "to Sun 3 Jan 2027, 00:00"),
        ("Turkey", "ABSENCE over Christmas", "Write it like 2026-12-24"),
        ("GM", "SET reminder 36h", "reminder=36h"),
        ("GM", "SET press to grey", "press=grey"),
        ("GM", "SET remider 36h", "Did you mean reminder?"),
        ("GM", "SET PASSWORD secret", "There is none here: seats have addresses instead of passwords."),
        ("GM", "SET NMR", "Here: the option nmr=hold"),
        ("GM", "CREATE game", "Write your own word in place of 'game' in CREATE game."),
        ("GM", "INVITE address", "Write your own word in place of 'address'"),
        ("France", "SIGNON Xspring secret standard", "'SIGNON' is a command of other servers. Here: JOIN game."),
        ("France", "set addr boris2@mail.example", "ADDRESS ADD you@example.org"),
        ("France", "SET PREF R[ATF]*", "PREFERENCES powers=E[FGR]A"),
        ("France", "WHOGAME spring", "STATUS game"),
        ("France", "whynot a par-bur", "A Par-Bur order this, if it is what you mean"),
        ("France", "FAKE PRESS TO ITALY", "press is signed here"),
        ("France", "HELP SIGNON", "TAKEOVER game AS power"),
        ("France", "HELP SET PASSWORD", "seats have addresses instead of passwords"),
        ("France", "HELP NO_PRESS", "press=none"),
        ("France", "HISTORY S1901", "No phase of spring has been played yet"),
        ("France", "Orders:\nA PAR-BUR\nF BRE-MAO\nA MAR-SPA", "Your orders are complete."),
        ("France", "My orders:\nA PAR-PIC", "A Par-Pic"),
    ],
)  # fmt: skip
def test_a_line_as_people_type_it(asked: dict[str, tuple[World, str, str]], who: str, line: str, said: str) -> None:
    world, sender, seat = asked[who]
    answer = " ".join(text_of(world.send(sender, seat, line)).split())
    assert said in answer, answer


@pytest.mark.parametrize(
    "line", ["I would like to play Diplomacy. How does this work?", "YES", "", "HELP", "sign me up"]
)
def test_somebody_new_is_told_how_one_plays_and_what_to_join(tmp_path: Path, line: str) -> None:
    world = World(tmp_path)
    world.send("gm@example.net", BASE, "CREATE autumn")
    world.send("gm@example.net", BASE, "CREATE orbit variant=outer-space")
    world.send("gm@example.net", BASE, "CREATE closed admission=invited")
    answer = world.send("ann@example.net", BASE, line)
    text = lines_of(answer)
    assert "How to play by mail" in text
    assert "JOIN autumn\n" in text
    assert "JOIN orbit\n" in text
    assert "closed" not in text
    html = answer.get_body(("html",))
    assert html is not None
    assert "mailto:gm@example.org?subject=JOIN%20autumn&amp;body=JOIN%20autumn" in html.get_content()
    assert len(text.splitlines()) < 70
    joined = text_of(world.send("ann@example.net", BASE, "JOIN autumn"))
    assert "You have a seat" in joined or "autumn" in joined
    assert "How to play" not in text_of(world.send("ann@example.net", BASE, "HELP"))


def test_help_is_by_what_one_wants_to_do(asked: dict[str, tuple[World, str, str]]) -> None:
    world, sender, seat = asked["England"]
    text = lines_of(world.send(sender, seat, "HELP"))
    assert "ORDERS, CLEAR, WAIT, READY" in text
    assert "DEADLINE" not in text
    assert len(text.partition("No orders of England")[0].splitlines()) < 36
    assert "delete your orders of this phase" in text_of(world.send(sender, seat, "HELP COMMANDS"))
    world, sender, seat = asked["GM"]
    assert "DEADLINE" in text_of(world.send(sender, seat, "HELP"))


def test_help_provinces_lists_names_and_codes(asked: dict[str, tuple[World, str, str]]) -> None:
    world, sender, seat = asked["England"]
    text = lines_of(world.send(sender, seat, "HELP PROVINCES"))
    assert "Adr  Adriatic Sea" in text
    assert "Yor  Yorkshire" in text
    assert "Stp/nc, Stp/sc" in text
    assert sum(line.count("  ") > 0 for line in text.splitlines()) > 35


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        *((word, "BUILD F BRE") for word in ("WINTER", "orders please")),
        *((word, "Build: a new unit in Winter") for word in ("BUILD", "builds")),
        ("RETREATS", "Retreat: what a dislodged unit"),
        ("SUPPORT", "Support: a unit lends its strength"),
        *((words, "the last year, after which") for words in ("OPTIONS", "CREATE THE-ALIENS", "CREATE aliens")),
        ("VOTES", "vote for a draw, in secret"),
        ("ZWIEBEL", "HELP COMMANDS lists all topics"),
        ("REDAY", "Did you mean HELP READY?"),
        ("SET PASSWORD", "is a command of other servers"),
    ],
)
def test_help_on_a_word_that_is_no_topic_shows_what_speaks_of_it(
    asked: dict[str, tuple[World, str, str]], words: str, shown: str
) -> None:
    world, sender, seat = asked["England"]
    assert shown in " ".join(text_of(world.send(sender, seat, f"HELP {words}")).split())


def test_a_heading_over_orders_asks_for_no_list(asked: dict[str, tuple[World, str, str]]) -> None:
    world, sender, seat = asked["Austria"]
    answer = text_of(world.send(sender, seat, "My orders:\nA VIE-GAL"))
    assert "A Vie-Gal" in answer
    assert "the newest first" not in answer
    assert "the newest first" in text_of(world.send(sender, seat, "My orders"))


@pytest.mark.parametrize("form", ["F Bre-\nA Mar-\nA Par-\n", "S1901M\nA Par-", "Hello,\n\nF Bre-\nA Mar-\n\nAnn"])
def test_a_form_that_came_back_unfilled_is_said_to_be_so(world: World, seats: dict[str, str], form: str) -> None:
    said = text_of(world.send(player("France"), seats["France"], form))
    assert "The form in your mail is not filled in, so nothing was changed. Complete its lines, such as" in said


@pytest.mark.parametrize(
    ("form", "missing"),
    [
        ("F Bre-\nA Mar-\nA Par-\nREADY", "these parts of your mail were not: 'F Bre-'; 'A Mar-'; 'A Par-'"),
        ("READY\nF Bre-Mao\nA Mar-\nA Par-Pic\n", "this part of your mail was not: 'A Mar-'"),
    ],
)
def test_ready_waits_for_a_form_that_is_not_filled_in(
    world: World, seats: dict[str, str], form: str, missing: str
) -> None:
    said = " ".join(text_of(world.send(player("France"), seats["France"], form)).split())
    assert f"READY was not acted on, because {missing}" in said
    assert "(READY)" not in said
    assert "You are READY" in text_of(world.send(player("France"), seats["France"], "READY"))


@pytest.mark.parametrize("line", ["BROADCAST hello there", "broadcast hello there"])
def test_a_broadcast_on_one_line_is_sent_with_one_tap(world: World, seats: dict[str, str], line: str) -> None:
    asked = world.send(player("France"), seats["France"], line)
    assert "Sent to nobody" in text_of(asked)
    button = f"{line} ENDPRESS"
    assert button in text_of(asked)
    world.send(player("France"), seats["France"], button)
    assert "hello there" in text_of(world.last(player("Germany")))
    assert "ENDPRESS" not in text_of(world.last(player("Germany"))).partition("Reply to this")[0]


def test_a_game_is_created_in_lower_case_and_people_are_invited_to_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.send("gm@example.net", BASE, "create al2 variant=the-aliens\ninvite ann@example.org, bob@example.org")
    assert world.game("al2").variant.name == "the-aliens"
    for friend in ("ann@example.org", "bob@example.org"):
        assert "al2" in str(world.last(friend)["Subject"])


@pytest.mark.parametrize(
    "line", ["create Autumn variant=the zorgs move=2d", "CREATE autumn variant=nosuch", "craete autumn", "GAME autumn"]
)
def test_below_a_game_that_was_not_created_nothing_is_done_in_another(tmp_path: Path, line: str) -> None:
    world = World(tmp_path)
    invite = "INVITE ann@example.org\nHELP INVITE\nSTATUS"
    said = " ".join(text_of(world.send("gm@example.net", BASE, f"CREATE spring\n{line}\n{invite}")).split())
    assert "The game spring (Diplomacy) is ready" in said
    assert f"It is below '{line}', which was not acted on, so it may be meant for another game" in said
    assert "ann@example.org" not in world.mailboxes
    assert "Games with admission=invited admit only invited people" in said, "what is about no game is done"
    assert "spring: forming" not in said
    other = f"CREATE spring2\n{line}\nINVITE ann@example.org\nCREATE winter\nINVITE bob@example.org"
    world.send("gm@example.net", BASE, other)
    assert "ann@example.org" not in world.mailboxes
    assert "winter" in str(world.last("bob@example.org")["Subject"])


@pytest.mark.parametrize("line", ["GAEM twin", "CREATE twin variant=nosuch"])
def test_orders_below_a_game_that_is_not_chosen_are_not_acted_on(
    world: World, seats: dict[str, str], line: str
) -> None:
    said = text_of(world.send(player("France"), seats["France"], f"F BRE-MAO\n{line}\nA PAR-BUR"))
    assert "F Bre-Mao" in said
    assert "A Par-Bur" not in said
    assert f"It is below '{line}'" in said


def test_orders_below_a_refused_command_are_quoted_and_another_command_ends_them(
    world: World, seats: dict[str, str]
) -> None:
    text = "A LVP-YOR\nORDERS FOR FRANCE\nA PAR H\nA MAR H\nSTATUS nosuch\nF EDI-NWG"
    said = text_of(world.send(player("England"), seats["England"], text))
    for line in ("ORDERS FOR FRANCE", "A PAR H", "A MAR H", "STATUS nosuch"):
        assert line in said
    assert "F Edi-Nwg" in said, "her own"


def test_orders_below_a_command_that_is_held_back_or_not_understood_are_quoted(
    world: World, seats: dict[str, str]
) -> None:
    said = text_of(world.send(player("France"), seats["France"], "GAEM twin\nWHATIF\nA PAR-BUR\nA MAR-SPA"))
    for line in ("WHATIF", "A PAR-BUR", "A MAR-SPA"):
        assert line in said
    said = text_of(world.send(player("England"), seats["England"], "ORDERS FOR Nobody\nA LVP-YOR\nF EDI-NWG"))
    for line in ("ORDERS FOR Nobody", "A LVP-YOR", "F EDI-NWG"):
        assert line in said


def test_every_order_that_is_refused_is_quoted(world: World, seats: dict[str, str]) -> None:
    assert seats
    said = text_of(world.send(player("England"), BASE, "F LON-NTH\nF EDI-NWG\nA LVP-YOR"))
    assert "3 lines could not be acted on" in said
    for line in ("F LON-NTH", "F EDI-NWG", "A LVP-YOR"):
        assert line in said


def test_an_address_and_a_day_are_no_attribution(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(player("France"), seats["France"], "DEPUTY Bob <bob@example.net> UNTIL 2026-12-11"))
    assert "bob@example.net is asked to order for France, until Fri 11 Dec 2026" in said


def test_a_question_that_waits_is_shown(world: World, seats: dict[str, str]) -> None:
    world.send(player("France"), seats["France"], "DEPUTY bob@example.net")
    said = text_of(world.send(player("France"), seats["France"], "DEPUTY"))
    assert "You have no deputy yet: bob@example.net was asked and has not answered." in said
    assert "They can answer until Mon 23 Nov 2026" in said
    assert "DEPUTY NONE" in said
    world.pass_time(days=4)
    said = text_of(world.send(player("France"), seats["France"], "DEPUTY"))
    assert "You have no deputy. To ask somebody, write DEPUTY friend@example.org." in said
