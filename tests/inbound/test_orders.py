"""Order mails and their receipts."""

from __future__ import annotations

import pytest

from gm.orders.notation import write
from tests.server.world import BASE, World, player, text_of
from tests.tables import table

FRANCE = player("France")


def test_each_order_is_confirmed_as_understood(world: World, seats: dict[str, str]) -> None:
    text = text_of(
        world.send(FRANCE, seats["France"], "Hello,\n\nA Paris - Burgundy\nf bre-mao\nA MAR S A PAR-BUR\n\nCheers")
    )
    for order in ("A Par-Bur", "F Bre-Mao", "A Mar S A Par-Bur"):
        assert order in text


def test_a_unit_without_an_order_is_named(world: World, seats: dict[str, str]) -> None:
    text = text_of(world.send(FRANCE, seats["France"], "A PAR-BUR"))
    assert "F Bre" in text
    assert "A Mar" in text


def test_a_bad_line_is_quoted_with_its_reason_and_the_others_count(world: World, seats: dict[str, str]) -> None:
    text = text_of(world.send(FRANCE, seats["France"], "A PAR-BUR\nA MAR-LON\nF BRE-MAOO\n"))
    for words in ("A Par-Bur", "A MAR-LON", "F BRE-MAOO", "Mao"):  # the last is the nearest name
        assert words in text


def test_a_later_order_replaces_one_unit_and_sets_are_numbered(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], "A PAR-BUR\nA MAR-SPA\nF BRE-MAO")
    text = text_of(world.send(FRANCE, seats["France"], "A PAR-PIC"))
    assert "A Par-Pic" in text
    assert "A Mar-Spa" in text
    assert "A Par-Bur" not in text
    assert "#2" in text


def test_quoted_orders_are_never_acted_on(world: World, seats: dict[str, str]) -> None:
    body = "A PAR-BUR\n\nOn Monday gm wrote:\n> A MAR-SPA\n> F BRE-MAO\n"
    text = text_of(world.send(FRANCE, seats["France"], body))
    held = text_of(world.send(FRANCE, seats["France"], "STATUS"))
    assert "A Par-Bur" in text
    assert "A Mar-Spa" not in held


def test_orders_for_another_power_are_refused(world: World, seats: dict[str, str]) -> None:
    text = text_of(world.send(FRANCE, seats["France"], "A MUN-BUR\nGermany: F KIE-DEN"))
    assert "A MUN-BUR" in text
    held = text_of(world.send(player("Germany"), seats["Germany"], "STATUS"))
    assert "Den" not in held.split("Your orders")[-1] or "F Kie-Den" not in held


def test_orders_to_the_servers_own_address_are_not_taken_but_shown_the_way(world: World, seats: dict[str, str]) -> None:
    text = text_of(world.send(FRANCE, BASE, "A PAR-BUR"))
    assert seats["France"] in text
    assert "A Par-Bur" not in text_of(world.send(FRANCE, seats["France"], "STATUS"))


def test_a_strangers_mail_to_a_seat_has_no_effect_and_its_holder_is_notified(
    world: World, seats: dict[str, str]
) -> None:
    world.arrive("thief@evil.example", seats["France"], "A PAR-GAS")
    world.work()
    assert "thief@evil.example" not in world.mailboxes
    assert "thief@evil.example" in text_of(world.last(FRANCE))
    assert "A Par-Gas" not in text_of(world.send(FRANCE, seats["France"], "STATUS"))


def test_the_same_mail_twice_is_acted_on_and_answered_once(world: World, seats: dict[str, str]) -> None:
    before = len(world.mailboxes[FRANCE])
    assert world.arrive(FRANCE, seats["France"], "A PAR-BUR", message_id="<same@players.example>")
    assert not world.arrive(FRANCE, seats["France"], "A PAR-BUR", message_id="<same@players.example>")
    world.work()
    assert len(world.mailboxes[FRANCE]) == before + 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List-Id": "<friends.example.org>"},
        {"X-Auto-Response-Suppress": "All", "Auto-Submitted": "auto-generated"},
    ],
)
def test_robots_are_neither_answered_nor_acted_on(world: World, seats: dict[str, str], headers: dict[str, str]) -> None:
    before = len(world.mailboxes[FRANCE])
    world.arrive(FRANCE, seats["France"], "A PAR-BUR", headers=headers)
    world.work()
    assert len(world.mailboxes[FRANCE]) == before
    assert "A Par-Bur" not in text_of(world.send(FRANCE, seats["France"], "STATUS"))


def test_clear_takes_all_back(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], "A PAR-BUR\nA MAR-SPA\nF BRE-MAO")
    world.send(FRANCE, seats["France"], "CLEAR")
    assert "A Par-Bur" not in text_of(world.send(FRANCE, seats["France"], "STATUS"))


@pytest.mark.parametrize(
    ("line", "left", "said"),
    [
        ("CLEAR A PAR-BUR", {"A Mar-Spa", "F Bre-Mao"}, "No longer ordered: A Par-Bur."),
        ("Clear a paris to burgundy", {"A Mar-Spa", "F Bre-Mao"}, "No longer ordered: A Par-Bur."),
        ("CLEAR A Par", {"A Mar-Spa", "F Bre-Mao"}, "No longer ordered: A Par-Bur."),
        ("CLEAR A PAR-BUR, F BRE-MAO", {"A Mar-Spa"}, "No longer ordered: A Par-Bur, F Bre-Mao."),
        ("CLEAR A PAR-PIC", {"A Mar-Spa", "A Par-Bur", "F Bre-Mao"}, "'A PAR-PIC' is not among your orders."),
        ("CLEAR A PAR-BUR, A MAR-GAS", {"A Mar-Spa", "A Par-Bur", "F Bre-Mao"}, "is not among your orders."),
        ("CLEAR the way", {"A Mar-Spa", "A Par-Bur", "F Bre-Mao"}, "'the way' is not among your orders."),
        ("CLEAR ORDERS", set(), "Your orders for this phase are deleted."),
    ],
)
def test_one_order_is_taken_back(world: World, seats: dict[str, str], line: str, left: set[str], said: str) -> None:
    world.send(FRANCE, seats["France"], "A PAR-BUR\nA MAR-SPA\nF BRE-MAO")
    assert said in " ".join(text_of(world.send(FRANCE, seats["France"], line)).split())
    given = world.game("spring").orders.values()
    assert {write(order) for one in given for order in one.orders} == left


@pytest.mark.parametrize("variant", ["standard", "fog"])
@pytest.mark.parametrize("line", ["CLEAR A PAR-BUR", "CLEAR A PAR-PIC"])
def test_whoever_takes_an_order_back_is_ready_no_more_whether_it_was_given_or_not(
    world: World, variant: str, line: str
) -> None:
    """In fog the end of the phase would tell the others."""
    seats = world.started(options=f"variant={variant} early=ready")
    for power, address in seats.items():
        if power not in ("GM", "Italy"):
            world.send(player(power), address, "READY" if power != "France" else "A PAR-BUR\nREADY")
    world.send(FRANCE, seats["France"], line)
    world.send(player("Italy"), seats["Italy"], "READY")
    assert world.phase() == "S1901M"
    world.send(FRANCE, seats["France"], "READY")
    assert world.phase() == "F1901M"


def test_orders_after_the_deadline_are_refused(world: World, seats: dict[str, str]) -> None:
    world.time = world.time.replace(year=2027)
    world.arrive(FRANCE, seats["France"], "A PAR-BUR")
    world.work()
    answers = [m for m in world.mailboxes[FRANCE] if m["In-Reply-To"]]
    assert "after the deadline" in text_of(answers[-1])


def test_an_odd_line_is_quoted_although_the_set_is_complete(world: World, seats: dict[str, str]) -> None:
    text = "A PAR-BUR\nA MAR-SPA\nF BRE-MAO\nF Nort Sea - Holand\nF Bre-Eng-Bel\nBre, or perhaps not"
    answer = text_of(world.send(FRANCE, seats["France"], text))
    assert "Bre, or perhaps not" in answer
    assert "Did you mean Nth (North Sea)?" in answer
    assert "F Bre-Eng-Bel is more than one move" in answer


def test_nothing_below_a_command_is_passed_over(world: World, seats: dict[str, str]) -> None:
    answer = text_of(world.send(FRANCE, seats["France"], "PHASE F1901M\nA BUR-MUN, A MARZ-SPA\nA Mar H\nENDPHASE"))
    assert "'MARZ' in 'A BUR-MUN, A MARZ-SPA' was not understood" in answer
    assert "order for F1901M is stored" in answer
    answer = text_of(world.send(FRANCE, seats["France"], "WHATIF\nA PAR-BUR\nA Paris is lovely"))
    assert "A Paris is lovely This is no order." in answer
    master = world.send("master@example.org", seats["GM"], "ORDERS FOR FRANCE\nA Par-Bur\nA Paris is lovely")
    assert "A Paris is lovely This is no order." in text_of(master)


def test_a_question_asked_many_times_is_answered_once(world: World, seats: dict[str, str]) -> None:
    text = text_of(world.send(FRANCE, seats["France"], "STATUS\n" * 120))
    assert text.count("Status of spring") == 1
    assert "119 more lines say the same as line 1 (STATUS)." in text


def test_a_question_is_answered_again_when_something_was_done_between(world: World, seats: dict[str, str]) -> None:
    text = text_of(world.send(FRANCE, seats["France"], "STATUS\nHELP\nSTATUS\nWAIT\nSTATUS\nHELP READY\nHELP WAIT"))
    assert text.count("Status of spring") == 2
    assert "1 more line says the same as line 1 (STATUS)." in text
    assert text.count("more line") == 1


@table("""
    subject                    | quoted
    A Par-Bur, F Bre-Mao       | A Par-Bur, F Bre-Mao
    Re: [spring] A Par-Bur     | A Par-Bur
    AW: Spring 1901: A Par-Bur | Spring 1901: A Par-Bur
    STATUS                     | STATUS
""")
def test_orders_in_the_subject_are_quoted_back(world: World, seats: dict[str, str], subject: str, quoted: str) -> None:
    text = text_of(world.send(FRANCE, seats["France"], "\n", headers={"Subject": subject}))
    assert f"in the body of the mail, one line for each: {quoted}" in text
    assert not world.game().orders


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("Re: [spring] S1901M: 1 unit without an order", "Thanks"),
        ("Re: [spring] S1901M: orders complete", ""),
        ("[spring] Spring 1901 movement: results", ""),
        ("A Par-Bur", "A Par-Pic"),
        ("Status", "Hello, what happened to Germany?"),
    ],
)
def test_other_subjects_are_passed_over(world: World, seats: dict[str, str], subject: str, body: str) -> None:
    assert "A subject is not read" not in text_of(
        world.send(FRANCE, seats["France"], f"{body}\n", headers={"Subject": subject})
    )
