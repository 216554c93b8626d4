"""READY makes orders binding, so it is acted on only if everything else in its mail was."""

from __future__ import annotations

from datetime import timedelta
from email.utils import parseaddr

import pytest

from gm.inbound.acceptance import accept
from gm.inbound.intake import receive_next
from gm.store.inbox import ArrivedMail
from tests.machine.test_deadlines import order_all
from tests.mail.message.messages import message, multipart
from tests.server.kept import kept
from tests.server.world import OPENINGS, World, body_of, player, quotation_of, text_of

FRANCE = player("France")
NOT_FINAL = {
    # a mail of France's with READY, and what its receipt names as the reason why that is not acted on
    "changed in a quotation": ("READY\n\n> A Mar-Gas", "A Mar-Gas"),
    "changed in a quotation, and not understood": ("READY\n\n> A Mar-Gasx", "A Mar-Gasx"),
    "changed in a quotation without marks": (
        "READY\n\n-----Original Message-----\nFrom: gm\nSubject: orders\n\nA Mar-Gas",
        "A Mar-Gas",
    ),
    "changed among lines of ours": ("READY\n\n{ours}", "A Mar-Gas"),
    "below a signature": ("READY\n-- \nA Mar-Gas", "A Mar-Gas"),
    "impossible": ("A MAR-LON\nREADY", "A MAR-LON"),
    "impossible, below it": ("READY\nA MAR-LON", "A MAR-LON"),
    "not understood": ("A MAR-GASX\nREADY", "A MAR-GASX"),
    "not understood, below it": ("READY\nA MAR-GASX", "A MAR-GASX"),
    "like an order": ("READY\nA MAR will", "A MAR will"),
    "not decoded": ("READY\nA MAR-GAS\ufffd", "A MAR-GAS\ufffd"),
    "not decoded, and like no order": ("READY\nA M\ufffd ar-\ufffdPie", "A M\ufffd ar-\ufffdPie"),
    "among other words": ("also F Bre-Mao\nREADY", "also F Bre-Mao"),
    "in prose": ("READY\nmaybe F Bre-Mao", "maybe F Bre-Mao"),
    "in another language": ("La flota Brest hacia Mao\nREADY", "La flota Brest hacia Mao"),
    "a place that it mentions": ("READY\nSee you in Munich!", "See you in Munich!"),
    "taken back": ("READY\nWAIT", "below it is WAIT"),
    "orders deleted below it": ("READY\nCLEAR", "below it is CLEAR"),
}


@kept
def ready_of_all_but_france(world: World) -> dict[str, str]:
    seats = world.started("draft", "early=ready")
    for power, lines in OPENINGS.items():
        world.send(player(power), seats[power], lines if power == "France" else f"{lines}\nREADY")
    return seats


@pytest.mark.parametrize("line", ["HISTORY F1907M", "WHY F1907M A PAR-BUR", "STATUS nowhere"])
def test_a_question_that_is_refused_is_no_missing_order(world: World, line: str) -> None:
    seats = ready_of_all_but_france(world)
    answer = text_of(world.send(FRANCE, seats["France"], f"{line}\nREADY"))
    assert "1 line could not be acted on" in answer
    assert "READY was not acted on" not in answer
    assert world.phase("draft") == "F1901M"


@pytest.mark.parametrize("name", NOT_FINAL)
def test_ready_binds_nothing_while_another_line_was_not_acted_on(world: World, name: str) -> None:
    seats = ready_of_all_but_france(world)
    text, why = NOT_FINAL[name]
    ours = quotation_of(world.last(FRANCE)).replace("A Mar-Spa  ", "A Mar-Gas  ")
    answer = text_of(world.send(FRANCE, seats["France"], text.replace("{ours}", ours)))
    assert "READY was not acted on, because" in answer
    assert why in answer.partition("READY was not acted on, because")[2]
    assert world.phase("draft") == "S1901M"


@pytest.mark.parametrize(
    "text", ["READY", "A MAR-GAS\nREADY", "READY\nA MAR-GAS", "READY\n\n{ours}", "READY\nSee you soon!"]
)
def test_ready_binds_when_all_else_was_acted_on(world: World, text: str) -> None:
    seats = ready_of_all_but_france(world)
    ours = "\n".join(f"> {line}" for line in body_of(world.last(FRANCE)).splitlines())
    answer = text_of(world.send(FRANCE, seats["France"], text.replace("{ours}", ours)))
    assert "the phase is adjudicated now" in answer
    assert "reply WAIT" not in answer
    assert world.phase("draft") == "F1901M"


def sent_raw(world: World, seats: dict[str, str], raw: bytes) -> str:
    """The answer to a mail of France's."""
    assert accept(world.service, ArrivedMail("smtp", raw, world.time, (parseaddr(seats["France"])[1],), FRANCE))
    world.work()
    return text_of(next(mail for mail in reversed(world.mailboxes[FRANCE]) if mail["In-Reply-To"] == "<1@example.org>"))


ATTACHED = {
    # the header lines of what is attached to a mail with READY, and whether that can hold orders
    "a text": ("Content-Type: text/plain; name=orders.txt\nContent-Disposition: attachment", True),
    "a text of no type": ("Content-Type: application/octet-stream; name=orders.txt", True),
    "a file of no type": ("Content-Type: application/octet-stream\nContent-Disposition: attachment", True),
    "a page": ("Content-Type: text/html\nContent-Disposition: attachment; filename=orders.htm", True),
    "a document": ("Content-Type: application/msword; name=orders.doc", True),
    "a table": ("Content-Type: text/csv; name=orders.csv", True),
    "Outlook's container": ("Content-Type: application/ms-tnef; name=winmail.dat", True),
    "Outlook's container by its name": ("Content-Type: application/octet-stream; name=winmail.dat", True),
    "a mail": ("Content-Type: message/rfc822", True),
    "a picture": ("Content-Type: image/png; name=map.png", False),
    "a picture by its name": ("Content-Type: application/octet-stream; name=Map.PNG", False),
    "a visiting card": ("Content-Type: text/vcard; name=fran.vcf", False),
    "an old visiting card": ("Content-Type: text/x-vcard; name=fran.vcf", False),
    "an invitation": ("Content-Type: text/calendar; method=REQUEST", False),
    "a signature": ("Content-Type: application/pkcs7-signature; name=smime.p7s", False),
    "a signature by its name": ("Content-Type: application/octet-stream; name=signature.asc", False),
    "a key": ("Content-Type: application/pgp-keys; name=key.asc", False),
}


@pytest.mark.parametrize("name", ATTACHED)
def test_ready_waits_for_what_is_attached_if_that_can_hold_orders(world: World, name: str) -> None:
    seats = ready_of_all_but_france(world)
    header, holds = ATTACHED[name]
    kind, body = multipart("mixed", ("Content-Type: text/plain", "READY"), (header, "A PAR-PIC"))
    answer = sent_raw(world, seats, message(body, kind, sender=FRANCE))
    assert ("Not read, since it is attached:" in answer) is holds
    assert ("READY was not acted on, because" in answer) is holds
    assert world.phase("draft") == ("S1901M" if holds else "F1901M")


@pytest.mark.parametrize(
    ("text", "binds"), [("This is a multi-part message in MIME format.", True), ("A PAR-PIC", False)]
)
def test_ready_waits_for_what_is_outside_the_parts(world: World, text: str, binds: bool) -> None:
    seats = ready_of_all_but_france(world)
    kind, body = multipart("mixed", ("Content-Type: text/plain", "READY"))
    answer = sent_raw(world, seats, message(f"{body}{text}\n", kind, sender=FRANCE))
    assert ("text outside the parts of your mail says something else" in answer) is not binds
    assert world.phase("draft") == ("F1901M" if binds else "S1901M")


@pytest.mark.parametrize("mark", ["> ", "", "＞ "])
@pytest.mark.parametrize(
    "head", ["", "-----Original Message-----\nFrom: gm\nSubject: spring\n\n", "On Friday Judge wrote:\n"]
)
def test_ready_above_a_form_that_was_filled_in_the_quotation(world: World, mark: str, head: str) -> None:
    seats = world.started("draft", "early=ready")
    form = body_of(world.last(FRANCE))
    for power, lines in OPENINGS.items():
        if power != "France":
            world.send(player(power), seats[power], f"{lines}\nREADY")
    filled = form
    for begun in ("A Mar-Spa", "A Par-Bur", "F Bre-Mao"):
        filled = filled.replace(f"\n{begun[:6]}\n", f"\n{begun}\n")
    text = f"READY\n\n{head}" + "\n".join(mark + line for line in filled.splitlines())
    answer = text_of(world.send(FRANCE, seats["France"], text))
    acted_on = "A Par-Bur Army" in answer
    assert acted_on is (world.phase("draft") == "F1901M")
    assert acted_on or "READY was not acted on, because" in answer


def test_what_is_incomplete_is_adjudicated_without_an_offer_to_wait(world: World) -> None:
    seats = ready_of_all_but_france(world)
    world.send(FRANCE, seats["France"], "CLEAR")
    answer = text_of(world.send(FRANCE, seats["France"], "A PAR-BUR\nREADY"))
    assert "the phase is adjudicated now" in answer
    assert "reply WAIT" not in answer
    assert "You can still" not in answer


@pytest.mark.parametrize("marked", [True, False])
def test_ready_binds_when_what_was_not_acted_on_is_corrected_above_the_receipt_that_says_so(
    world: World, marked: bool
) -> None:
    seats = ready_of_all_but_france(world)
    receipt = world.send(FRANCE, seats["France"], "A MAR-GASX\nA Mar-Spa now, or later?\nREADY")
    assert "READY was not acted on" in text_of(receipt)
    lines = body_of(receipt).splitlines()
    quoted = "\n".join(f"> {line}" for line in lines) if marked else quotation_of(receipt)
    answer = text_of(world.send(FRANCE, seats["France"], f"A MAR-GAS\nREADY\n\n{quoted}"))
    assert "the phase is adjudicated now" in answer
    assert world.phase("draft") == "F1901M"


@pytest.mark.parametrize("words", ["WAIT", "CLEAR", "CLEAR\nA PAR H"])
def test_what_came_with_the_last_orders_and_takes_some_back_keeps_the_phase_open(
    world: World, seats: dict[str, str], words: str
) -> None:
    due = world.game("spring").due_at
    order_all(world, seats, but="Italy")
    world.arrive(player("Italy"), seats["Italy"], OPENINGS["Italy"] + "\nREADY")
    world.arrive(player("France"), seats["France"], words)
    world.work()
    assert world.phase() == "S1901M"
    assert world.game("spring").due_at == due
    told = text_of(world.last(player("Germany")))
    assert "All orders for S1901M were in, but a mail that had come before the last of them takes orders back" in told
    assert "The deadline is" in told
    world.send(FRANCE, seats["France"], f"{OPENINGS['France']}\nREADY")
    assert world.phase() == "F1901M"


def test_wait_that_came_later_than_the_phase_was_closed_is_too_late(world: World, seats: dict[str, str]) -> None:
    order_all(world, seats, but="Italy")
    world.arrive(player("Italy"), seats["Italy"], OPENINGS["Italy"] + "\nREADY")
    receive_next(world.service)
    world.time += timedelta(seconds=1)
    world.arrive(player("France"), seats["France"], "WAIT")
    world.work()
    assert world.phase() == "F1901M"
    said = " ".join(text_of(mail) for mail in world.mailboxes[player("France")][-2:])
    assert "WAIT came too late: the phase is being adjudicated. Its report follows." in said
    assert "will not be adjudicated" not in said


@pytest.mark.parametrize(
    ("early", "said"),
    [
        ("ready", "You said READY: when all who have orders to give have said it, the phase is adjudicated at once."),
        ("orders", "The phase is adjudicated as soon as all orders are in"),
        ("no", "You are READY: in this game the phase ends at its deadline"),
    ],
)
def test_ready_says_when_the_phase_ends_in_this_game(world: World, early: str, said: str) -> None:
    seats = world.started(options=f"early={early}")
    answer = " ".join(text_of(world.send(player("France"), seats["France"], "A PAR-BUR\nREADY")).split())
    assert said in answer


def test_the_receipt_says_once_what_ready_does(world: World) -> None:
    seats = world.started(options="early=ready")
    answer = text_of(world.send(player("France"), seats["France"], "A PAR-BUR\nREADY"))
    assert answer.count("orders complete (READY)") == 1
    assert "Your orders are complete" not in answer
    assert "count as complete" not in answer
    assert "when all who have orders to give" in answer
    for power in OPENINGS:
        if power not in ("France", "Turkey"):
            world.send(player(power), seats[power], "READY")
    last = text_of(world.send(player("Turkey"), seats["Turkey"], f"{OPENINGS['Turkey']}\nREADY"))
    assert last.count("the phase is adjudicated now") == 1


def test_one_mail_with_ready_is_one_set(world: World) -> None:
    seats = world.started(options="early=ready")
    answer = text_of(world.send(player("France"), seats["France"], "A PAR-BUR\nREADY"))
    assert "replaces" not in answer
    shown = text_of(world.send(player("France"), seats["France"], "MY ORDERS"))
    assert shown.count("A Par-Bur") == 1
    assert "replaced" not in shown


@pytest.mark.parametrize("early", ["ready", "orders"])
def test_there_is_nothing_to_wait_for_while_the_game_is_paused(world: World, early: str) -> None:
    seats = world.started(options=f"early={early}")
    world.send("master@example.org", seats["GM"], "PAUSE")
    for text in (f"{OPENINGS['France']}\nREADY", OPENINGS["France"], "READY"):
        answer = text_of(world.send(player("France"), seats["France"], text))
        assert "WAIT" not in answer
        assert "until the deadline" not in answer
    world.send("master@example.org", seats["GM"], "RESUME")
    assert "WAIT" in text_of(world.send(player("France"), seats["France"], OPENINGS["France"]))
