"""What players do by mail apart from orders: queries, joining by preference, taking over, all kinds of press,
trials.
"""

from __future__ import annotations

import pytest

from gm.store.game_rows import SeatRole
from gm.variants.standard import POWERS
from tests.machine.test_deadlines import order_all
from tests.server.world import BASE, OPENINGS, World, player, reply_to, text_of
from tests.tables import table

MASTER = "master@example.org"


def says(world: World, seats: dict[str, str], power: str, text: str) -> str:
    return text_of(world.send(player(power), seats[power], text))


# ---- reading


def test_history_why_and_summary_tell_what_was_played(world: World, seats: dict[str, str]) -> None:
    assert "No phase of spring has been played" in says(world, seats, "Italy", "HISTORY")
    assert "No phase of spring has been adjudicated." in says(world, seats, "Italy", "WHY A VEN H")
    order_all(world, seats)
    said = says(world, seats, "Italy", "HISTORY 1901")
    assert "Army Vienna -> Galicia. (*bounce*)" in said
    assert "spring, S1901M" in said
    assert "No phase 'F1901M' was played" in says(world, seats, "Italy", "HISTORY F1901M")
    why = says(world, seats, "Italy", "WHY A VIE-GAL")
    assert "(*bounce*)" in why
    assert "War" in why
    assert "(*bounce*)" in says(world, seats, "Italy", "why S1901M vie")
    assert "1900 3 3 3 3 3 4 3" in says(world, seats, "Italy", "SUMMARY")
    stranger = text_of(world.send("new@reader.example", BASE, "HISTORY spring S1901M"))
    assert "Army Vienna -> Galicia" in stranger


def test_the_rules_come_by_mail(world: World, seats: dict[str, str]) -> None:
    assert "Support is cut" in says(world, seats, "Italy", "RULES")
    assert "Support is cut" in text_of(world.send("new@reader.example", BASE, "RULES standard"))
    assert "Write RULES and one of" in text_of(world.send("new@reader.example", BASE, "RULES chess"))


@pytest.mark.parametrize(
    ("book", "says_it", "leaves_out"),
    [
        ("1971", "any fleet of a chain that was ordered is dislodged", "Szykman"),
        ("2000", "If no fleet is ordered to carry it, it goes by land", "over land and sea alike"),
        ("2023", "over land and sea alike", "from its home centres"),
    ],
)
def test_rules_are_those_of_the_game_s_rulebook(world: World, book: str, says_it: str, leaves_out: str) -> None:
    seats = world.started("old", options=f"rulebook={book}")
    for asked in ("RULES", "RULES standard"):
        said = says(world, seats, "Italy", asked)
        assert says_it in said
        assert leaves_out not in said
    newest = " ".join(text_of(world.send("new@reader.example", BASE, "RULES standard")).split())
    assert "over land and sea alike" in newest
    assert "from its home centres" not in newest


def test_text_only_mails_for_those_who_want_them(world: World, seats: dict[str, str]) -> None:
    assert world.last(player("Italy")).get_body(("html",)) is not None
    said = says(world, seats, "Italy", "PREFERENCES mail=text maps=none")
    assert "mail=text" in said
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert world.last(player("Italy")).get_body(("html",)) is None
    assert "is not a preference" in says(world, seats, "Italy", "PREFERENCES mail=pdf")


def test_whoami_tells_the_addresses_of_all_seats(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(player("Italy"), BASE, "WHOAMI"))
    assert seats["Italy"] in said
    assert "not registered" in text_of(world.send("new@reader.example", BASE, "WHOAMI"))


def test_the_list_says_what_games_need(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, BASE, "CREATE summer press=none")
    says(world, seats, "Italy", "RESIGN spring")
    said = text_of(world.send("new@reader.example", BASE, "LIST"))
    assert "vacant: Italy (TAKEOVER spring)" in said
    assert "0 of 7 seats are taken, JOIN summer, no press" in said
    assert "spring" not in text_of(world.send("new@reader.example", BASE, "LIST FORMING"))


def test_who_asks_for_it_is_forgotten(world: World, seats: dict[str, str]) -> None:
    assert "only gamemaster of spring" in text_of(world.send(MASTER, seats["GM"], "FORGET ME"))
    assert "are erased" in says(world, seats, "Italy", "FORGET ME")
    assert "has left this server" in text_of(world.last(MASTER))
    assert "not registered" in text_of(world.send(player("Italy"), BASE, "WHOAMI"))
    assert "Italy vacant" in " ".join(text_of(world.send(MASTER, seats["GM"], "SUMMARY")).split())


# ---- joining


def test_lists_of_wishes_are_met_as_far_as_they_go(world: World) -> None:
    created = world.send(MASTER, BASE, "CREATE spring")
    wishes = ["France", "France, Italy", "[FI]R*", "G*", "AUSTRIA and ENGLAND", "T", "*"]
    for number, wish in enumerate(wishes):
        said = text_of(world.send(f"p{number}@players.example", BASE, f"JOIN spring AS {wish}"))
        assert "You asked to play" in said
    world.send(MASTER, reply_to(created), "START spring")
    dealt = [seat.power for seat in world.seats() if seat.role is SeatRole.PLAYER]
    assert dealt == ["France", "Italy", "Russia", "Germany", "Austria", "Turkey", "England"]


def test_a_wish_for_no_power_takes_no_seat(world: World) -> None:
    world.send(MASTER, BASE, "CREATE spring")
    assert "is not a power in this game" in text_of(
        world.send("ann@players.example", BASE, "JOIN spring AS Narnia, France")
    )
    assert len(world.seats()) == 1


def test_preferences_are_the_wish_of_who_names_none(world: World) -> None:
    world.send(MASTER, BASE, "CREATE spring")
    world.send("ann@players.example", BASE, "PREFERENCES powers=T*")
    assert "Turkey" in text_of(world.send("ann@players.example", BASE, "JOIN spring"))


def test_the_standby_list_is_asked_in_order(world: World, seats: dict[str, str]) -> None:
    for name in ("one", "two"):
        world.send(f"{name}@players.example", BASE, "STANDBY spring")
    says(world, seats, "Italy", "RESIGN spring")
    assert "TAKEOVER spring AS Italy" in text_of(world.last("one@players.example"))
    assert "TAKEOVER" not in text_of(world.last("two@players.example"))
    world.pass_time(hours=49)
    assert "TAKEOVER spring AS Italy" in text_of(world.last("two@players.example"))
    assert "reserved for a player" in text_of(world.send("one@players.example", BASE, "TAKEOVER spring"))
    assert "You play Italy" in text_of(world.send("two@players.example", BASE, "TAKEOVER spring"))


def test_who_declines_passes_the_question_on(world: World, seats: dict[str, str]) -> None:
    for name in ("one", "two"):
        world.send(f"{name}@players.example", BASE, "STANDBY spring")
    says(world, seats, "Italy", "RESIGN spring")
    world.send("one@players.example", BASE, "STANDBY spring OFF")
    assert "TAKEOVER spring AS Italy" in text_of(world.last("two@players.example"))


# ---- press


def test_grey_press_names_nobody_and_only_where_it_is_allowed(world: World) -> None:
    seats = world.started("grey", "press=grey")
    world.send(player("Italy"), seats["Italy"], "GREY PRESS TO FRANCE\nBeware of Germany.\nENDPRESS")
    letter = world.last(player("France"))
    assert "Press from somebody" in text_of(letter)
    assert "PRESS TO SOMEBODY" not in text_of(letter)
    for part in (str(letter["Subject"]), text_of(letter), str(letter["From"])):
        assert "Italy" not in part.replace("PRESS TO", "")
    white = world.started("white")
    said = text_of(world.send(player("Italy"), white["Italy"], "PRESS GREY TO ALL\nBoo.\nENDPRESS"))
    assert "There is no grey press" in said


def test_no_more_postal_press_waits_than_one_letter_may_have(world: World, seats: dict[str, str]) -> None:
    """A report has all of it, and must not grow until mail servers refuse it."""
    letter = "\n".join(["We hold the line this year."] * 600)
    text = f"POSTAL PRESS TO France\n{letter}\nENDPRESS"
    england = player("England")
    assert "will be sent with the next report" in text_of(world.send(england, seats["England"], text))
    refused = text_of(world.send(england, seats["England"], text))
    assert "would make 33,598 characters for the next report; one seat has 30,000 at most." in refused
    assert "Press sent to France" in text_of(world.send(england, seats["England"], text.replace("POSTAL ", "")))


def test_postal_press_comes_with_the_report(world: World, seats: dict[str, str]) -> None:
    before = len(world.mailboxes[player("France")])
    said = says(world, seats, "Italy", "POSTAL PRESS TO ALL BUT TURKEY\nSee you in Fall.\nENDPRESS")
    assert "will be sent with the next report" in said
    assert len(world.mailboxes[player("France")]) == before
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert "See you in Fall." in text_of(world.last(player("France")))
    assert "Press from Italy" in text_of(world.last(player("France")))
    assert "See you in Fall." not in text_of(world.last(player("Turkey")))


def test_a_diary_is_open_when_the_game_is_over(world: World, seats: dict[str, str]) -> None:
    says(world, seats, "Italy", "DIARY\nFrance trusts me.\nENDDIARY")
    assert "France trusts me." in says(world, seats, "Italy", "DIARY LIST")
    for who, address in ((player("France"), seats["France"]), (MASTER, seats["GM"])):
        assert "trusts me" not in text_of(world.send(who, address, "SUMMARY"))
    world.send(MASTER, seats["GM"], "DRAW spring")
    assert "France trusts me." in text_of(world.send(player("France"), seats["France"], "SUMMARY"))


# ---- orders


ODD = [
    ("A PAR-BUR\nA MAR S A PAR-GAS", "you support a move that you did not order"),
    ("A PAR-BUR\nA MAR-BUR", "go to the same place"),
    ("A PAR-PIC\nF BRE-PIC", "go to the same place"),
    ("A MAR H\nA PAR-GAS\nF BRE H", ""),
]


@pytest.mark.parametrize(("orders", "warning"), ODD)
def test_odd_orders_are_taken_with_a_warning(world: World, seats: dict[str, str], orders: str, warning: str) -> None:
    said = says(world, seats, "France", orders)
    assert "could not be acted on" not in said
    assert warning in said
    if not warning:
        assert "same place" not in said


def test_a_coast_filled_in_is_reported(world: World, seats: dict[str, str]) -> None:
    says(world, seats, "France", "F BRE-MAO\nA PAR H\nA MAR H")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert "coast" in says(world, seats, "France", "F MAO-SPA")
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    says(world, seats, "France", "F BRE-GAS")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert "we chose Spa/nc" in says(world, seats, "France", "F GAS-SPA")


def test_my_orders_of_a_phase_that_was_played(world: World, seats: dict[str, str]) -> None:
    says(world, seats, "France", "A PAR-PIC")
    says(world, seats, "France", "A PAR-BUR\nA MAR-SPA")
    says(world, seats, "Italy", "A VEN-PIE")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    said = says(world, seats, "France", "A BUR-MUN\nMY ORDERS S1901M")
    assert "spring, S1901M: orders of France" in said
    assert "A Par-Bur A Mar-Spa" in said.split("spring, S1901M: orders of France")[1]
    assert "Ven-Pie" not in said
    assert "Par-Pic" not in said, "what did not count"
    for words in ("LAST", "of Spring 1901", "1901", "ALL"):
        assert "A Par-Bur A Mar-Spa" in says(world, seats, "France", f"MY ORDERS {words}"), words
    assert "You sent no orders for this phase." in says(world, seats, "Germany", "MY ORDERS S1901M")
    assert "A Bur-Mun" in says(world, seats, "France", "MY ORDERS F1901M")
    assert "No phase 'F1905M' was played" in says(world, seats, "France", "MY ORDERS F1905M")
    assert "MY ORDERS S1901M, shows what you ordered in it" in says(world, seats, "Germany", "where are my orders?")


@table("""
    lines                             | said
    My orders S1901M; A BUR-RUH       | S1901M is over
    MY ORDERS S1901M; ; A BUR-RUH     | S1901M is over
    My orders S1902M; A BUR-RUH       | Stored for S1902M: A BUR-RUH
    """)
def test_my_orders_and_a_phase_above_an_order_is_a_heading(world: World, lines: str, said: str) -> None:
    seats = world.started()
    says(world, seats, "France", "A PAR-BUR")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert said in says(world, seats, "France", "\n".join(map(str.strip, lines.split(";"))))
    assert not world.game().orders


def test_a_trial_is_private_and_changes_nothing(world: World, seats: dict[str, str]) -> None:
    says(world, seats, "France", OPENINGS["France"])
    said = says(world, seats, "France", "WHATIF\nGermany: A MUN-BUR\nA BER-MUN")
    assert "France: Army Paris -> Burgundy. (*bounce*)" in said
    assert "Germany: Army Berlin -> Munich" in said
    assert "trial adjudication; nothing is changed" in said
    assert "#1" in says(world, seats, "France", "MY ORDERS")
    assert "nothing to order" not in says(world, seats, "Germany", "STATUS")
    assert "no orders" in says(world, seats, "Germany", "MY ORDERS")


LATER = """\
PHASE F1901M
IF Germany A BUR THEN A PIC-BEL
IF EMPTY BUR
  A PIC-BUR
  F MAO H
ELSE
  F MAO-POR
ENDIF
F MAO-SPA/SC
ENDPHASE
A PAR-PIC
F BRE-MAO
A MAR-SPA
"""


def test_orders_for_a_later_phase_are_used_as_its_position_says(world: World, seats: dict[str, str]) -> None:
    said = says(world, seats, "France", LATER)
    assert "for F1901M are stored" in said
    assert "not acted on" not in said.lower()
    assert "A Par-Pic" in said, "what stands below ENDPHASE is for now"
    assert "IF Germany A BUR THEN A PIC-BEL" in says(world, seats, "France", "MY ORDERS")
    order_all(world, seats, but="France")
    assert world.phase() == "F1901M"
    assert "Your stored orders for F1901M are in force: A Pic-Bur, F Mao H" in text_of(world.last(player("France")))
    mine = says(world, seats, "France", "MY ORDERS")
    assert "#1" in mine
    assert "A Pic-Bur" in mine
    assert "F Mao H" in mine
    assert "A Pic-Bel" not in mine.split("PHASE F1901M")[0]


def test_the_answer_to_my_orders_sent_back_changes_nothing(world: World, seats: dict[str, str]) -> None:
    for text in ("A PAR-BUR\nF BRE-MAO\nA MAR H", "CLEAR", "A PAR-PIC\nPHASE RETREATS\nA PAR-GAS\nENDPHASE"):
        says(world, seats, "France", text)
    body = world.send(player("France"), seats["France"], "MY ORDERS").get_body(("plain",))
    assert body is not None
    shown = str(body.get_content())
    listed = shown[shown.index("#3, ") :]
    said = says(world, seats, "France", listed)
    assert "Not acted on" not in said
    assert "Not read as orders" not in said
    again = world.send(player("France"), seats["France"], "MY ORDERS").get_body(("plain",))
    assert again is not None
    assert "UTC: A Par-Pic #" in " ".join(str(again.get_content()).split())
    assert "    A Par-Bur" not in str(again.get_content())
    assert str(again.get_content()).count("A PAR-GAS") == 1


def test_stored_orders_that_cannot_be_used_are_told_with_the_reason(world: World, seats: dict[str, str]) -> None:
    kept = "PHASE F1901M\nA BUR-MUN\nA PIC-LON\nF MAO-SPA/SC\nENDPHASE\nPHASE F1901R\nA BUR-PAR\nENDPHASE"
    says(world, seats, "France", kept)
    order_all(world, seats, but="France")
    says(world, seats, "France", "A PAR-BUR\nA MAR H\nF BRE-MAO")
    assert world.phase() == "F1901M"
    report = text_of(world.last(player("France")))
    assert "Your stored orders for F1901M are in force: A Bur-Mun, F Mao-Spa/sc" in report
    assert "Of your stored orders for F1901M, 'A PIC-LON' cannot be used: There is no unit in Pic" in report
    assert "cannot be used" not in text_of(world.last(player("Germany")))
    form = report.partition("Your orders for F1901M")[2]
    assert "A Mar-" in form
    assert "A Bur-" not in form, "a stored order is in force"
    assert "F Mao-" not in form
    mine = says(world, seats, "France", "MY ORDERS")
    assert "Stored for this phase, and not possible: # A PIC-LON: There is no unit in Pic" in mine
    assert "PHASE F1901R A BUR-PAR ENDPHASE" in mine
    world.pass_time(days=4)
    assert world.phase() == "W1901A"
    report = text_of(world.last(player("France")))
    assert "F1901R was not played, so that your stored orders for it were not used." in report
    mine = says(world, seats, "France", "MY ORDERS")
    for gone in ("F1901M", "F1901R", "PIC-LON"):
        assert gone not in mine


def test_when_none_of_the_stored_orders_is_possible_that_is_told_too(world: World, seats: dict[str, str]) -> None:
    says(world, seats, "France", "PHASE F1901M\nA PIC-LON\nENDPHASE")
    order_all(world, seats)
    report = text_of(world.last(player("France")))
    assert "are in force" not in report
    assert "'A PIC-LON' cannot be used" in report


def test_a_place_whose_code_begins_a_powers_name_is_a_place(world: World, seats: dict[str, str]) -> None:
    says(world, seats, "France", "PHASE F1901M\nIF EMPTY ENG THEN A BUR H\nIF England F ENG THEN A BUR-PIC\nENDPHASE")
    order_all(world, seats, but="England")
    says(world, seats, "England", "F LON-ENG\nF EDI H\nA LVP H")
    assert world.phase() == "F1901M"
    assert "are in force: A Bur-Pic" in text_of(world.last(player("France")))
    assert "F Lon-Eng moves" in says(world, seats, "France", "WHY S1901M F LON-ENG")
    assert "F Lon-Eng moves" in says(world, seats, "France", "WHY S1901M ENG"), "where nobody began, who went there"


def _to_the_builds_of_france(world: World, seats: dict[str, str]) -> None:
    order_all(world, seats)
    for power in POWERS:
        world.send(player(power), seats[power], "F MAO-POR\nA SPA H\nA BUR H" if power == "France" else "WAIT")
    world.pass_time(days=4)
    assert world.phase() == "W1901A"


def test_an_offered_build_is_offered_alone_since_it_joins_those_in_force(world: World, seats: dict[str, str]) -> None:
    _to_the_builds_of_france(world, seats)
    says(world, seats, "France", "BUILD F BRE")
    assert "Build A Mar order this" in says(world, seats, "France", "Please build an army in Marseilles for me")
    assert "Build A Bre order this" in says(world, seats, "France", "Please build an army in Brest for me")
    says(world, seats, "France", "BUILD F BRE\nBUILD A MAR")
    assert "Build A Par order this" in says(world, seats, "France", "Please build an army in Paris for me")


def test_a_ranking_of_builds_is_taken_as_far_as_it_goes(world: World, seats: dict[str, str]) -> None:
    kept = says(world, seats, "France", "PHASE BUILDS\nBUILD F PAR\nBUILD F BRE\nBUILD A PAR\nBUILD A MAR")
    assert "every adjustment phase" in kept
    _to_the_builds_of_france(world, seats)
    mine = says(world, seats, "France", "MY ORDERS").split("PHASE BUILDS")[0]
    assert "Build F Bre Build A Par" in mine


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("PHASE S1901M\nA PAR H", "is not a later phase"),
        ("PHASE F1903M\nIF MOON SHINES THEN A PAR H", "is not a condition"),
        ("PHASE F1903M\nIF A BUR\nA PAR H", "has no ENDIF"),
        ("PHASE F1903M\nA PRA-BUR", "could not be acted on"),
        ("PHASE F1903M", "There are no orders"),
        ("PHASE SOMEDAY\nA PAR H", "'SOMEDAY' is not understood in this PHASE command"),
    ],
)
def test_what_cannot_be_kept_is_said_and_is_no_order_of_now(
    world: World, seats: dict[str, str], text: str, answer: str
) -> None:
    assert answer in says(world, seats, "France", text)
    assert "You have sent no orders" in says(world, seats, "France", "MY ORDERS")
