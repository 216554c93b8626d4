"""For which phase a mail counts, whenever it is read; and which of two mails is the newer one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from gm.errors import DeliveryDeferred
from gm.orders.notation import write
from gm.server.intake import accept
from gm.settings import Level, TrustSettings
from gm.store.inbox import ArrivedMail
from tests.server.world import World, player, reply_to, text_of

FRANCE, MASTER = player("France"), "master@example.org"
UNCITED = {"In-Reply-To": ""}
"""A mail that was begun anew, as from an address book."""
PROVED = {"Authentication-Results": "mx.home; dmarc=pass header.from=players.example"}
PROVED_MASTER = {"Authentication-Results": "mx.home; dmarc=pass header.from=example.org"}


@pytest.fixture(params=["open", "normal", "strict"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """A world of each level; what is decided here is decided alike at all."""
    level: Level = request.param
    world = World(tmp_path, trust=TrustSettings(level=level, authserv_ids=("mx.home",)))
    yield world
    world.database.dispose()


@pytest.fixture
def seats(world: World) -> dict[str, str]:
    trust = world.service.identity.trust
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="open"))
    seats = world.started()
    object.__setattr__(world.service.identity, "trust", trust)
    return seats


def late(world: World, to: str, text: str, sent: datetime, *, sender: str = FRANCE, **headers: str) -> EmailMessage:
    """A mail arrives now that was received at another time by a relay of ours. The newest mail of its sender then."""
    proof = PROVED_MASTER if sender == MASTER else PROVED
    raw = world.mail(sender, to, text, headers={**proof, **UNCITED, **headers})
    assert accept(world.service, ArrivedMail("imap", raw, sent, (to,), sender))
    world.work()
    return next(mail for mail in reversed(world.mailboxes[sender]) if mail["In-Reply-To"])


def questions(world: World, who: str = FRANCE) -> list[EmailMessage]:
    """The questions among the newest mails of somebody."""
    return [mail for mail in world.mailboxes[who][-3:] if "+confirm." in reply_to(mail)]


def orders(world: World, power: str = "France") -> list[str]:
    game = world.game()
    seat = next(seat for seat in game.players if seat.power == power)
    return [write(order) for order in game.orders_of(seat)]


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


def test_whoever_cites_the_new_phase_means_it_whatever_the_clocks_say(world: World, seats: dict[str, str]) -> None:
    sent = world.time + timedelta(minutes=1)
    world.pass_time(hours=1)
    process(world, seats)
    report = str(world.last(FRANCE)["Message-ID"])
    answer = late(world, seats["France"], "A PAR-BUR", sent, **{"In-Reply-To": "", "References": report})
    assert "Army Paris -> Burgundy" in text_of(answer)
    assert orders(world) == ["A Par-Bur"]


def test_new_orders_in_answer_to_an_old_mail_count(world: World, seats: dict[str, str]) -> None:
    opening = str(world.last(FRANCE)["Message-ID"])
    process(world, seats)
    world.pass_time(hours=5)
    answer = late(world, seats["France"], "A PAR-BUR", world.time, **{"In-Reply-To": opening})
    assert "Army Paris -> Burgundy" in text_of(answer)


def test_before_the_report_was_sent_nobody_could_know_the_phase(world: World, seats: dict[str, str]) -> None:
    """The report lay in the outbox for an hour: what came meanwhile was for the phase before."""

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
    assert "Meant for S1901M" in str(asked["Subject"])
    assert "YES uses them for F1901M: A PAR-BUR A MAR-SPA" in text_of(asked).replace("| ", "")
    assert orders(world) == []
    assert "hello" in told(world, MASTER)
    world.send(FRANCE, reply_to(asked), "YES", headers=PROVED)
    assert set(orders(world)) == {"A Mar-Spa", "A Par-Bur"}


@pytest.mark.parametrize("line", ["READY", "WAIT", "CLEAR", "DRAW"])
def test_so_is_a_command_of_a_phase(world: World, seats: dict[str, str], line: str) -> None:
    process(world, seats)
    world.pass_time(minutes=20)
    late(world, seats["France"], line, world.time)
    assert len(questions(world)) == 1


def test_a_second_process_in_flight_does_not_close_the_next_phase(world: World, seats: dict[str, str]) -> None:
    process(world, seats)
    world.pass_time(minutes=1)
    late(world, seats["GM"], "PROCESS", world.time, sender=MASTER)
    assert world.phase() == "F1901M"
    assert "Meant for S1901M" in str(questions(world, MASTER)[-1]["Subject"])


def test_an_order_that_makes_sense_only_now_counts(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], "A PAR-BUR", headers=PROVED)
    process(world, seats)
    world.pass_time(minutes=5)
    late(world, seats["France"], "A BUR-MUN", world.time)
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


# ---- received in time, read too late


def late_for_s1901m(world: World, seats: dict[str, str], text: str, *, minutes: float = 5) -> EmailMessage:
    """The phase is closed by the gamemaster, and then a mail is read that was received so many minutes after the
    beginning of the phase."""
    received = world.time + timedelta(minutes=minutes)
    world.pass_time(hours=1)
    process(world, seats)
    world.pass_time(hours=2)
    return late(world, seats["France"], text, received)


def offers(world: World, who: str = MASTER) -> list[EmailMessage]:
    return [mail for mail in world.mailboxes[who] if "Late orders" in str(mail["Subject"])]


def accept_late(world: World, seats: dict[str, str], text: str = "ACCEPT LATE FRANCE") -> None:
    """The gamemaster writes it, and confirms it where a strict server asks."""
    world.arrive(MASTER, seats["GM"], text, headers=PROVED_MASTER)
    world.work()
    if asked := questions(world, MASTER)[-1:]:
        world.arrive(MASTER, reply_to(asked[0]), "YES", headers=PROVED_MASTER)
        world.work()


def test_a_gamemaster_lets_late_orders_count(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], "A MAR-SPA", headers=PROVED)
    answer = text_of(late_for_s1901m(world, seats, "A PAR-BUR"))
    assert "S1901M is over" in answer
    assert "the gamemaster can still let it count for S1901M" in answer
    (offer,) = offers(world)
    assert "orders of France for S1901M was received Fri 20 Nov 2026, 09:05 UTC" in text_of(offer)
    link = f"mailto:{reply_to(offer).replace('+', '%2B')}?"
    assert link in str(offer.get_body(("html",)))
    assert "ACCEPT%20LATE%20France" in text_of(offer)
    accept_late(world, seats)
    assert world.phase() == "F1901M"
    game = world.game()
    assert game.position is not None
    assert {"bur", "spa", "bre"} == {str(unit.at) for unit in game.position.units if unit.power == "France"}
    assert "has accepted orders of France for S1901M" in text_of(world.mailboxes[player("Italy")][-2])
    accept_late(world, seats)
    assert "No late orders of France wait" in " ".join(text_of(mail) for mail in world.mailboxes[MASTER][-2:])


def test_all_late_orders_are_accepted_at_once(world: World, seats: dict[str, str]) -> None:
    late_for_s1901m(world, seats, "A PAR-BUR")
    late(world, seats["France"], "A MAR-SPA", world.time - timedelta(hours=2, minutes=30))
    accept_late(world, seats, "ACCEPT LATE")
    game = world.game()
    assert game.position is not None
    assert {"bur", "spa"} < {str(unit.at) for unit in game.position.units if unit.power == "France"}


@pytest.mark.parametrize(
    "text", ["A PAR-LON", "READY", "hello there"], ids=["impossible", "no orders", "nothing of the game"]
)
def test_what_holds_no_order_is_not_offered(world: World, seats: dict[str, str], text: str) -> None:
    late_for_s1901m(world, seats, text)
    assert not offers(world)


def test_what_came_after_the_announced_deadline_is_not_offered(world: World, seats: dict[str, str]) -> None:
    due = world.game().due_at
    assert due is not None
    world.time = due + timedelta(seconds=1)
    world.work()
    assert world.phase() == "F1901M"
    late(world, seats["France"], "A PAR-BUR", due)
    assert len(offers(world)) == 1
    world.pass_time(hours=2)
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="open", authserv_ids=("mx.home",)))
    late(world, seats["France"], "S1901M:\nA PAR-BUR", due + timedelta(seconds=2))
    assert len(offers(world)) == 1


def test_whoever_knows_the_result_cannot_have_it_played_again(world: World, seats: dict[str, str]) -> None:
    process(world, seats)
    world.pass_time(hours=2)
    answer = late(world, seats["France"], "S1901M:\nA PAR-BUR", world.time)
    assert "S1901M is over" in text_of(answer)
    assert not offers(world)


def test_a_gamemaster_who_plays_is_not_asked(world: World, seats: dict[str, str]) -> None:
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="open", authserv_ids=("mx.home",)))
    world.send(MASTER, seats["GM"], f"REPLACE ITALY WITH {MASTER}", headers=PROVED_MASTER)
    late_for_s1901m(world, seats, "A PAR-BUR", minutes=10)
    assert not offers(world)
    world.arrive(MASTER, seats["GM"], "ACCEPT LATE", headers=PROVED_MASTER)
    world.work()
    assert world.phase() == "F1901M"


def test_late_orders_of_a_phase_long_past_are_for_rollback(world: World, seats: dict[str, str]) -> None:
    late_for_s1901m(world, seats, "A PAR-BUR")
    process(world, seats)
    accept_late(world, seats)
    assert world.phase() == "S1902M"
    assert "write ROLLBACK S1901M" in " ".join(text_of(mail) for mail in world.mailboxes[MASTER][-3:])


def test_orders_in_flight_when_all_orders_were_in(world: World, seats: dict[str, str]) -> None:
    """A change of mind that was sent before the last orders came counts; one that was sent after them is late."""
    world.pass_time(minutes=30)
    for power, seat in seats.items():
        if power not in ("GM", "Italy"):
            world.send(player(power), seat, "READY", headers=PROVED)
    world.pass_time(minutes=30)
    last = world.time
    world.send(player("Italy"), seats["Italy"], "READY", headers=PROVED)
    assert world.phase() == "F1901M"
    world.pass_time(hours=2)
    late(world, seats["France"], "A PAR-BUR", last - timedelta(minutes=1))
    assert len(offers(world)) == 1
    accept_late(world, seats)
    game = world.game()
    assert game.position is not None
    assert game.position.phase.code == "F1901M"
    assert "bur" in {str(unit.at) for unit in game.position.units if unit.power == "France"}


# ---- one tap


def test_a_question_is_answered_with_one_tap(world: World, seats: dict[str, str]) -> None:
    """Each answer is a link to a mail that is ready to be sent, and a telephone's signature below it does no harm."""
    process(world, seats)
    world.pass_time(minutes=20)
    late(world, seats["France"], "A PAR-BUR", world.time)
    (asked,) = questions(world)
    html = asked.get_body(("html",))
    assert html is not None
    links = re.findall(r'href="(mailto:[^"]*)"', html.get_content())
    text = asked.get_body(("plain",))
    assert text is not None
    assert [unescape(link) for link in links] == re.findall(r"<(mailto:[^>]*)>", text.get_content())
    address, _, query = unescape(links[0]).removeprefix("mailto:").partition("?")
    fields = {name: unquote(value) for name, _, value in (part.partition("=") for part in query.split("&"))}
    assert unquote(address) == reply_to(asked)
    assert fields["subject"] == asked["Subject"]
    world.send(FRANCE, unquote(address), fields["body"] + "Sent from my telephone", headers={**PROVED, **UNCITED})
    assert orders(world) == ["A Par-Bur"]


# ---- the game was set back, or the seat changed hands


def test_orders_in_flight_when_the_game_is_set_back(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], "A PAR-BUR", headers=PROVED)
    process(world, seats)
    world.pass_time(hours=2)
    sent = world.time - timedelta(minutes=1)
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M", headers=PROVED_MASTER)
    assert world.phase() == "S1901M"
    world.pass_time(minutes=2)
    assert "F1901M is over" in text_of(late(world, seats["France"], "A BUR-MUN", sent))
    late(world, seats["France"], "F BRE-MAO", world.time)
    assert "Meant for F1901M" in str(questions(world)[-1]["Subject"])
    assert orders(world) == ["A Par-Bur"], "the orders of the first time"
    world.send(FRANCE, seats["France"], "A PAR-PIC", headers=PROVED)
    assert orders(world) == ["A Par-Pic"]


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
    """The phase that follows is numbered after the abandoned one; the report that opens it says so all the same."""
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


def test_orders_of_whoever_held_the_seat_before(world: World, seats: dict[str, str]) -> None:
    sent = world.time + timedelta(minutes=5)
    world.pass_time(hours=1)
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="open", authserv_ids=("mx.home",)))
    world.send(MASTER, seats["GM"], "REPLACE FRANCE WITH new@players.example", headers=PROVED_MASTER)
    assert "not a seat's address" in text_of(late(world, seats["France"], "A PAR-BUR", sent))
    assert orders(world) == []


# ---- which is the newer one


def dated(moment: datetime) -> dict[str, str]:
    return {"Date": format_datetime(moment)}


def test_an_older_mail_that_comes_later_changes_only_what_the_newer_one_left_open(
    world: World, seats: dict[str, str]
) -> None:
    first, second = world.time + timedelta(minutes=1), world.time + timedelta(minutes=9)
    world.pass_time(minutes=10)
    late(world, seats["France"], "A PAR-PIC", world.time, **dated(second))
    answer = text_of(late(world, seats["France"], "A PAR-BUR\nA MAR-SPA\nCLEAR", world.time, **dated(first)))
    assert set(orders(world)) == {"A Par-Pic", "A Mar-Spa"}
    assert answer.count("older than one of yours, of 20 Nov 09:09 UTC") == 2


def test_what_cites_the_answer_to_the_newer_one_is_newer_whatever_its_date(world: World, seats: dict[str, str]) -> None:
    second = world.time + timedelta(minutes=9)
    world.pass_time(minutes=10)
    receipt = late(world, seats["France"], "A PAR-PIC", world.time, **dated(second))
    cites = {"In-Reply-To": str(receipt["Message-ID"])}
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
