"""The phase for which a mail counts, whenever it is processed; and which of two mails is the newer one."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime

import pytest

from gm.errors import DeliveryDeferred
from gm.inbound.acceptance import accept
from gm.orders.notation import write
from gm.settings import Level, TrustSettings
from gm.store.inbox import ArrivedMail
from tests.server.kept import kept
from tests.server.world import World, player, proved, reply_to, text_of

FRANCE, MASTER = player("France"), "master@example.org"
UNCITED = {"In-Reply-To": ""}
"""A mail that was begun anew, as from an address book."""
PROVED = proved("@players.example")
PROVED_MASTER = proved("@example.org")


@pytest.fixture
def level(some_level: Level) -> Level:
    """For which phase a mail counts does not depend on it."""
    return some_level


@pytest.fixture
def world(world_at_level: World) -> World:
    return world_at_level


def late(world: World, to: str, text: str, sent: datetime, *, sender: str = FRANCE, **headers: str) -> EmailMessage:
    """Deliver a mail now that a relay of ours received at another time. Returns its sender's newest mail then."""
    proof = PROVED_MASTER if sender == MASTER else PROVED
    raw = world.mail(sender, to, text, headers={**proof, **UNCITED, **headers})
    assert accept(world.service, ArrivedMail("imap", raw, sent, (to,), sender))
    world.work()
    return next(mail for mail in reversed(world.mailboxes[sender]) if mail["In-Reply-To"])


def questions(world: World, who: str = FRANCE) -> list[EmailMessage]:
    """The questions among the newest mails of somebody."""
    return [mail for mail in world.mailboxes[who][-3:] if "+confirm." in reply_to(mail)]


def orders(world: World, power: str = "France") -> list[str]:
    seat = next(seat for seat in world.game().players if seat.power == power)
    return [write(order) for order in world.game().orders_of(seat)]


@kept
def process(world: World, seats: dict[str, str]) -> None:
    """The gamemaster closes the phase."""
    phase = world.game().phase
    world.arrive(MASTER, seats["GM"], "PROCESS", headers=PROVED_MASTER)
    world.work()
    for asked in questions(world, MASTER)[-1:]:  # a strict server asks before every PROCESS
        if world.game().phase == phase:
            world.send(MASTER, reply_to(asked), "YES", headers=PROVED_MASTER)


def told(world: World, who: str = FRANCE) -> str:
    return text_of(world.last(who))


# ---- read late


@pytest.mark.way_in(number=1)
def test_orders_that_are_read_after_their_phase_are_refused_and_quoted(world: World, seats: dict[str, str]) -> None:
    sent = world.time + timedelta(hours=1)
    world.pass_time(hours=2)
    process(world, seats)
    world.pass_time(hours=3)
    answer = text_of(late(world, seats["France"], "A PAR-BUR\nREADY\nPRESS TO GM\nhello\nENDPRESS", sent))
    assert "too late: S1901M is over" in answer
    assert "A PAR-BUR" in answer
    assert "answer this mail with it" in answer
    assert orders(world) == []
    assert "hello" in told(world, MASTER), "what is of no phase is done"


def test_they_are_quoted_though_the_phase_now_is_of_another_kind(world: World, seats: dict[str, str]) -> None:
    for _ in range(2):
        process(world, seats)
        world.pass_time(hours=2)
    sent = world.time - timedelta(hours=1)
    assert world.phase() == "S1902M"
    process(world, seats)
    answer = text_of(late(world, seats["France"], "A PAR-BUR", sent))
    assert "S1902M is over" in answer


def test_what_was_sent_after_the_report_counts(world: World, seats: dict[str, str]) -> None:
    process(world, seats)
    world.pass_time(hours=2)
    assert "Army Paris -> Burgundy" in text_of(late(world, seats["France"], "A PAR-BUR", world.time))


def test_a_mail_that_cites_the_new_phase_is_for_it_whatever_the_clocks_say(world: World, seats: dict[str, str]) -> None:
    sent = world.time + timedelta(minutes=1)
    world.pass_time(hours=1)
    process(world, seats)
    report = str(world.last(FRANCE)["Message-ID"])
    answer = late(world, seats["France"], "A PAR-BUR", sent, **{"In-Reply-To": "", "References": report})
    assert "Army Paris -> Burgundy" in text_of(answer)
    assert orders(world) == ["A Par-Bur"]


@pytest.mark.way_in(number=1)
def test_new_orders_in_answer_to_an_old_mail_count(world: World, seats: dict[str, str]) -> None:
    opening = str(world.last(FRANCE)["Message-ID"])
    process(world, seats)
    world.pass_time(hours=5)
    answer = late(world, seats["France"], "A PAR-BUR", world.time, **{"In-Reply-To": opening})
    assert "Army Paris -> Burgundy" in text_of(answer)


def test_before_the_report_was_sent_nobody_could_know_the_phase(world: World, seats: dict[str, str]) -> None:
    """The report was in the outbox for an hour: mail received in that time was for the phase before."""

    class Down:
        def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
            raise DeliveryDeferred("the mail server is down")

    process_at = world.time + timedelta(minutes=10)
    world.time = process_at
    raw = world.mail(MASTER, seats["GM"], "PROCESS S1901M", headers=PROVED_MASTER)
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="open"))
    accept(world.service, ArrivedMail("smtp", raw, world.time, (seats["GM"],), MASTER))
    world.work(Down())
    assert world.phase() == "F1901M"
    world.time += timedelta(minutes=50)
    answer = late(world, seats["France"], "A PAR-BUR", world.time - timedelta(minutes=1))
    assert "S1901M is over" in text_of(answer)


# ---- mails that cross


def test_an_order_that_may_be_for_the_phase_before_is_asked_about(world: World, seats: dict[str, str]) -> None:
    process(world, seats)
    world.pass_time(minutes=20)
    late(world, seats["France"], "A PAR-BUR\nA MAR-SPA\nPRESS TO GM\nhello\nENDPRESS", world.time)
    (asked,) = questions(world)
    assert "Use your orders for F1901M?" in str(asked["Subject"])
    said = text_of(asked).replace("| ", "")
    assert "may be for S1901M, which is closed, so nothing was done with these lines." in said
    assert "YES uses them for F1901M, which is being played now: A PAR-BUR A MAR-SPA" in said
    assert orders(world) == []
    assert "hello" in told(world, MASTER)
    world.send(FRANCE, reply_to(asked), "YES", headers=PROVED)
    assert set(orders(world)) == {"A Mar-Spa", "A Par-Bur"}


@pytest.mark.parametrize("line", ["READY", "WAIT", "CLEAR", "DRAW"])
def test_so_is_a_command_of_a_phase(world: World, seats: dict[str, str], line: str) -> None:
    process(world, seats)
    world.pass_time(minutes=20)
    late(world, seats["France"], line, world.time)
    (asked,) = questions(world)
    assert f"Use {line} for F1901M?" in str(asked["Subject"])


@pytest.mark.parametrize("text", ["READY F1901M", "A PAR-BUR\nREADY F1901M", "FALL 1901:\nA PAR-BUR\nREADY"])
def test_ready_is_for_the_phase_that_its_mail_names(world: World, seats: dict[str, str], text: str) -> None:
    process(world, seats)
    world.pass_time(minutes=20)
    before = len(world.mailboxes[FRANCE])
    late(world, seats["France"], text, world.time)
    assert questions(world) == []
    assert len(world.mailboxes[FRANCE]) == before + 1
    assert orders(world) == (["A Par-Bur"] if "PAR" in text else [])
    seat = next(one for one in world.game().players if one.power == "France")
    assert world.game().has_ordered(seat, incomplete_too=False)


def test_ready_for_a_phase_that_is_over_is_not_said_of_the_next(world: World, seats: dict[str, str]) -> None:
    process(world, seats)
    world.pass_time(minutes=20)
    assert "S1901M is not being played." in text_of(late(world, seats["France"], "READY S1901M", world.time))


@pytest.mark.way_in(number=3)
def test_a_second_process_in_flight_does_not_close_the_next_phase(world: World, seats: dict[str, str]) -> None:
    process(world, seats)
    world.pass_time(minutes=1)
    late(world, seats["GM"], "PROCESS", world.time, sender=MASTER)
    assert world.phase() == "F1901M"
    assert "for F1901M?" in str(questions(world, MASTER)[-1]["Subject"])


NONSENSE = ["A PAR-XYZ", "A BER-POR", "A SMY H H"]
"""Lines of France that are possible in no phase."""


@pytest.mark.way_in(number=1)
@pytest.mark.parametrize("wrong", NONSENSE)
def test_a_line_that_never_makes_sense_decides_nothing(world: World, seats: dict[str, str], wrong: str) -> None:
    opening = str(world.last(FRANCE)["Message-ID"])
    process(world, seats)
    world.pass_time(minutes=5)
    answer = text_of(late(world, seats["France"], f"A MAR-SPA\n{wrong}\nREADY", world.time, References=opening))
    assert orders(world) == []
    assert wrong in answer
    (asked,) = questions(world)
    said = text_of(asked).replace("| ", "")
    assert "A MAR-SPA READY" in said.replace("\n", " ")
    assert wrong not in said


@pytest.mark.parametrize("wrong", NONSENSE)
def test_alone_it_is_told_what_is_wrong_with_it(world: World, seats: dict[str, str], wrong: str) -> None:
    process(world, seats)
    world.pass_time(minutes=5)
    assert "too late" not in text_of(late(world, seats["France"], wrong, world.time))


@pytest.mark.parametrize("beside", ["", "\nA MAR-XYZ"])
def test_an_order_that_makes_sense_only_now_counts(world: World, seats: dict[str, str], beside: str) -> None:
    """Whether or not a line beside it never makes sense."""
    world.send(FRANCE, seats["France"], "A PAR-BUR", headers=PROVED)
    process(world, seats)
    world.pass_time(minutes=5)
    late(world, seats["France"], f"A BUR-MUN{beside}", world.time)
    assert orders(world) == ["A Bur-Mun"]


def test_an_order_that_made_sense_only_then_is_refused(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], "A PAR-BUR", headers=PROVED)
    process(world, seats)
    world.pass_time(minutes=5)
    assert "S1901M is over" in text_of(late(world, seats["France"], "A PAR-PIC", world.time))


@pytest.mark.parametrize("hours", [1, 7])
def test_later_it_counts(world: World, seats: dict[str, str], hours: int) -> None:
    process(world, seats)
    world.pass_time(hours=hours)
    late(world, seats["France"], "A PAR-BUR", world.time)
    assert orders(world) == ["A Par-Bur"]


@pytest.mark.parametrize(("ago", "asked"), [(timedelta(days=9), True), (timedelta(hours=30), False)])
@pytest.mark.parametrize("text", ["A PAR-GAS", "A PAR-BUR\nA MAR-SPA", "EXTEND 24h", "F1901M:\nA PAR-GAS"])
def test_a_mail_that_is_dated_before_the_phase_was_opened_is_asked_about(
    world: World, seats: dict[str, str], text: str, ago: timedelta, asked: bool
) -> None:
    """Somebody to whom it was shown may send it again, or for the first time: also what is possible only now."""
    process(world, seats)
    world.pass_time(hours=7)
    raw = world.mail(FRANCE, seats["France"], text, headers={**PROVED, **UNCITED, **dated(world.time - ago)})
    assert accept(world.service, ArrivedMail("imap", raw, world.time, (seats["France"],), FRANCE))
    world.work()
    question = next((mail for mail in questions(world) if "Did you write this?" in str(mail["Subject"])), None)
    assert (question is not None) is asked
    if question is not None:
        assert "somebody may have kept it, and sent it again" in text_of(question)
        assert not orders(world)
        world.send(FRANCE, reply_to(question), "YES", headers=PROVED)
    assert bool(orders(world)) is (text != "EXTEND 24h")


def test_one_at_anothers_seat_is_shown_to_nobody(world: World, seats: dict[str, str]) -> None:
    """It is certain who wrote it, though not when it was meant."""
    process(world, seats)
    world.pass_time(hours=7)
    before = {who: len(mails) for who, mails in world.mailboxes.items()}
    old = dated(world.time - timedelta(days=9))
    raw = world.mail(FRANCE, seats["Germany"], "A PAR-GAS", headers={**PROVED, **UNCITED, **old})
    assert accept(world.service, ArrivedMail("imap", raw, world.time, (seats["Germany"],), FRANCE))
    world.work()
    germany = player("Germany")
    assert not any("GAS" in text_of(mail) for mail in world.mailboxes[germany][before[germany] :])


def test_a_heading_decides_first(world: World, seats: dict[str, str]) -> None:
    process(world, seats)
    world.pass_time(minutes=5)
    early = world.time - timedelta(minutes=30)
    late(world, seats["France"], "F1901M:\nA PAR-BUR", early)
    assert orders(world) == ["A Par-Bur"]
    assert "S1901M is over" in text_of(late(world, seats["France"], "S1901M:\nA MAR-SPA", world.time))
    late(world, seats["GM"], "PROCESS F1901M", world.time, sender=MASTER)
    asked = questions(world, MASTER)
    if world.phase() == "F1901M":  # a strict server asks before every PROCESS
        world.send(MASTER, reply_to(asked[-1]), "YES", headers=PROVED_MASTER)
    assert world.phase() == "S1902M"


@pytest.mark.way_in(number=1)
@pytest.mark.parametrize("crossing", [True, False])
def test_builds_among_moves_that_are_too_late_count(world: World, seats: dict[str, str], crossing: bool) -> None:
    world.send(FRANCE, seats["France"], "A MAR-SPA\nA PAR-BUR\nF BRE-MAO", headers=PROVED)
    process(world, seats)
    world.send(FRANCE, seats["France"], "A SPA-POR", headers=PROVED)
    sent = world.time + timedelta(minutes=1)
    world.pass_time(hours=2)
    process(world, seats)
    assert world.phase() == "W1901A"
    if crossing:
        sent = world.time + timedelta(minutes=1)
        world.time = sent
    answer = text_of(late(world, seats["France"], "A BUR H\nWAIT\nBUILD A PAR", sent))
    assert "Line 1: A BUR H Line 2: WAIT This came too late: F1901M is over" in answer
    assert "Build Army Paris" in answer
    assert not questions(world)


def test_what_is_impossible_now_is_not_asked_about(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], "A PAR-BUR", headers=PROVED)
    process(world, seats)
    world.pass_time(minutes=5)
    answer = text_of(late(world, seats["France"], "A PAR-PIC\nA MAR-SPA", world.time))
    assert "S1901M is over" in answer
    (asked,) = questions(world)
    assert "A MAR-SPA" in text_of(asked)
    assert "A PAR-PIC" not in text_of(asked)


def test_a_question_about_a_phase_says_its_deadline(world: World, seats: dict[str, str]) -> None:
    process(world, seats)
    world.send(MASTER, seats["GM"], "DEADLINE in 30h", headers=PROVED_MASTER)
    due = world.game().due_at
    assert due is not None
    world.pass_time(minutes=2)
    late(world, seats["France"], "A PAR-BUR", world.time)
    (asked,) = questions(world)
    assert f"{due:%d %b %Y, %H:%M}" in text_of(asked)


# ---- the game was set back, or the seat changed hands


@pytest.mark.way_in(number=3)
def test_orders_in_flight_when_the_game_is_set_back(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], "A PAR-BUR", headers=PROVED)
    process(world, seats)
    world.pass_time(hours=2)
    sent = world.time - timedelta(minutes=1)
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M", headers=PROVED_MASTER)
    assert world.phase() == "S1901M"
    world.pass_time(minutes=2)
    refused = text_of(late(world, seats["France"], "A BUR-MUN", sent))
    assert "This was for F1901M, which was undone: S1901M is being played again." in refused
    late(world, seats["France"], "F BRE-MAO", world.time)
    assert "may be for F1901M, which is undone" in text_of(questions(world)[-1])
    assert orders(world) == ["A Par-Bur"], "the orders of the first time"
    world.send(FRANCE, seats["France"], "A PAR-PIC", headers=PROVED)
    assert orders(world) == ["A Par-Pic"]


@pytest.mark.way_in(number=3)
@pytest.mark.parametrize("wrong", [*NONSENSE, "A PAR-GAS"])
def test_an_answer_to_an_undone_report_with_a_line_that_made_no_sense_then(
    world: World, seats: dict[str, str], wrong: str
) -> None:
    world.send(FRANCE, seats["France"], "A PAR-BUR", headers=PROVED)
    process(world, seats)
    report = str(world.last(FRANCE)["Message-ID"])
    world.pass_time(hours=2)
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M", headers=PROVED_MASTER)
    world.pass_time(minutes=2)
    late(world, seats["France"], f"F BRE-MAO\n{wrong}", world.time, References=report)
    assert "may be for F1901M, which is undone" in text_of(questions(world)[-1])
    assert orders(world) == ["A Par-Bur"]


def test_orders_for_the_first_playing_are_not_for_the_second(world: World, seats: dict[str, str]) -> None:
    sent = world.time + timedelta(minutes=5)
    world.pass_time(hours=1)
    process(world, seats)
    world.pass_time(hours=2)
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M", headers=PROVED_MASTER)
    assert "before S1901M began to be played again" in text_of(late(world, seats["France"], "A PAR-BUR", sent))
    assert orders(world) == []


@pytest.mark.parametrize("command", ["ROLLFORWARD", "UNDO"])
def test_a_reply_to_the_report_after_a_rollback_was_undone(world: World, seats: dict[str, str], command: str) -> None:
    """The next phase is numbered after the abandoned one; the report that opens it still says so."""
    world.send(FRANCE, seats["France"], "A MAR-SPA\nA PAR-BUR\nF BRE-MAO", headers=PROVED)
    for text in ("PROCESS S1901M", "ROLLBACK S1901M", command, "PROCESS F1901M"):
        world.pass_time(minutes=90)
        world.arrive(MASTER, seats["GM"], text, headers=PROVED_MASTER)
        world.work()
        if asked := questions(world, MASTER)[-1:]:  # a strict server asks first
            world.arrive(MASTER, reply_to(asked[0]), "YES", headers=PROVED_MASTER)
            world.work()
    assert world.phase() == "W1901A"
    world.pass_time(minutes=90)
    answer = text_of(world.send(FRANCE, seats["France"], "BUILD A PAR", headers=PROVED))
    assert "too late" not in answer
    assert "Build A Par" in str(orders(world)) or world.phase() == "S1902M"


@pytest.mark.way_in(number=3)
def test_orders_of_whoever_held_the_seat_before(world: World, seats: dict[str, str]) -> None:
    sent = world.time + timedelta(minutes=5)
    world.pass_time(hours=1)
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="open", authserv_ids=("mx.home",)))
    world.send(MASTER, seats["GM"], "REPLACE FRANCE WITH new@players.example", headers=PROVED_MASTER)
    world.accepts("new@players.example")
    assert "not your seat any more" in text_of(late(world, seats["France"], "A PAR-BUR", sent))
    assert orders(world) == []


# ---- which is the newer one


def dated(moment: datetime) -> dict[str, str]:
    return {"Date": format_datetime(moment)}


@pytest.mark.way_in(number=2)
def test_an_older_mail_that_comes_later_changes_only_what_the_newer_one_left_open(
    world: World, seats: dict[str, str]
) -> None:
    first, second = world.time + timedelta(minutes=1), world.time + timedelta(minutes=9)
    world.pass_time(minutes=10)
    late(world, seats["France"], "A PAR-PIC", world.time, **dated(second))
    answer = text_of(late(world, seats["France"], "A PAR-BUR\nA MAR-SPA\nCLEAR", world.time, **dated(first)))
    assert set(orders(world)) == {"A Par-Pic", "A Mar-Spa"}
    assert answer.count("older than one of yours, of 20 Nov 09:09 UTC") == 1
    assert "Line 1:" in answer


def test_a_mail_that_asks_for_nothing_is_no_newer_one(world: World, seats: dict[str, str]) -> None:
    late(world, seats["France"], "A PAR-PIC", world.time, **dated(world.time))
    world.pass_time(minutes=10)
    for minutes, text in ((1, "I am away."), (5, "A PAR-BUR")):
        late(world, seats["France"], text, world.time, **dated(world.time - timedelta(minutes=minutes)))
    assert orders(world) == ["A Par-Bur"]


def test_what_cites_the_answer_to_the_newer_one_is_newer_whatever_its_date(world: World, seats: dict[str, str]) -> None:
    second = world.time + timedelta(minutes=9)
    world.pass_time(minutes=10)
    cites = {"In-Reply-To": str(late(world, seats["France"], "A PAR-PIC", world.time, **dated(second))["Message-ID"])}
    late(world, seats["France"], "A PAR-BUR", world.time, **dated(second - timedelta(days=400)), **cites)
    assert orders(world) == ["A Par-Bur"]


def test_a_date_in_the_future_makes_no_mail_newer_than_the_moment_it_came(world: World, seats: dict[str, str]) -> None:
    late(world, seats["France"], "A PAR-PIC", world.time, **dated(world.time + timedelta(days=900)))
    world.pass_time(minutes=10)
    late(world, seats["France"], "A PAR-BUR", world.time, **dated(world.time))
    assert orders(world) == ["A Par-Bur"]


def test_without_a_date_what_comes_later_is_newer(world: World, seats: dict[str, str]) -> None:
    late(world, seats["France"], "A PAR-PIC", world.time, **dated(world.time))
    late(world, seats["France"], "A PAR-BUR", world.time, Date="long ago")
    assert orders(world) == ["A Par-Bur"]


@pytest.mark.parametrize(("text", "asked"), [("ORDERS FOR FRANCE\nA PAR-BUR", False), ("PROCESS", True)])
@pytest.mark.parametrize("ended", ["PROCESS S1901M", "PROCESS S1901M\nROLLBACK S1901M"])
def test_who_ended_the_phase_is_asked_about_what_cannot_be_undone_only(
    world: World, seats: dict[str, str], text: str, ended: str, *, asked: bool
) -> None:
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="open", authserv_ids=("mx.home",)))
    for line in ended.split("\n"):
        world.pass_time(hours=2)
        world.send(MASTER, seats["GM"], line, headers=PROVED_MASTER)
    world.pass_time(minutes=10)
    world.send(MASTER, seats["GM"], text, headers={**PROVED_MASTER, **UNCITED})
    assert bool(questions(world, MASTER)) == asked


# ---- late orders that are possible again


def test_no_late_order_is_for_the_next_phase_unasked(world: World, seats: dict[str, str]) -> None:
    """Whatever of the sender's points to the closed phase; a heading decides, otherwise they say it."""
    opening = world.last(FRANCE)
    process(world, seats)
    world.pass_time(hours=5)
    report = {"In-Reply-To": str(world.last(FRANCE)["Message-ID"])}
    pointing: list[tuple[str, dict[str, str]]] = [
        ("Sorry that I am late, these are for spring:\nA PAR-BUR", report),
        ("I missed the deadline. Can these still count?\nA PAR-BUR", report),
        ("A PAR-BUR", {"In-Reply-To": str(opening["Message-ID"]), "Subject": f"Re: {opening['Subject']}"}),
        ("A PAR-BUR", {"Subject": "S1901M orders France"}),
    ]
    for text, headers in pointing:
        world.mailboxes[MASTER].clear()
        late(world, seats["France"], text, world.time, **headers)
        (asked,) = questions(world)
        assert "they were for S1901M: keep them as late" in text_of(asked)
        world.send(FRANCE, reply_to(asked), "LATE", headers=PROVED)
        assert "The gamemaster can still let it count for S1901M".lower() in told(world).lower()
        assert ["Late orders of France" in str(mail["Subject"]) for mail in world.mailboxes[MASTER]] == [True]
        assert orders(world) == []
    world.mailboxes[MASTER].clear()
    assert "can still let it count" in text_of(late(world, seats["France"], "PHASE S1901M\nA PAR-BUR", world.time))
    assert len(world.mailboxes[MASTER]) == 1
    late(world, seats["France"], "These are for fall:\nA PAR-BUR", world.time, **report)
    assert orders(world) == ["A Par-Bur"]


def test_what_stands_below_rollback_is_for_the_phase_that_it_names_however_young_the_next_is(world: World) -> None:
    seats = world.started(options="move=2d early=no")
    world.pass_time(days=7, minutes=30)
    assert world.phase() == "F1901M"
    raw = "Rollback S1901M\nBECAUSE a mail was lost\nORDERS FOR GERMANY\nA Mun-Bur\nPROCESS S1901M"
    said = text_of(world.send("master@example.org", seats["GM"], raw, headers=proved("master@example.org")))
    assert "S1901M is played again" in said
    assert "S1901M is adjudicated now" in said
    assert "too late" not in said
