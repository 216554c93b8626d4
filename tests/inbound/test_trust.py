"""Who sent it: what is quarantined, what must be confirmed, what a yes does and when it is too late; by level
of trust.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from gm.cli import init
from gm.commands import COMMANDS
from gm.commands.declaration import About
from gm.games import loading
from gm.inbound.acceptance import accept
from gm.settings import Level, TrustSettings, load
from gm.store import inbox, records, senders
from gm.store.inbox import ArrivedMail, InboxState
from gm.store.rows import Base
from gm.variants.standard import POWERS
from tests.server.world import BASE, World, player, proved, reply_to, text_of

FRANCE = player("France")
MASTER = "master@example.org"
PASSED = proved("@players.example")
UNPROVED = {"Authentication-Results": "mx.home; none"}
FAILED = {"Authentication-Results": "mx.home; dmarc=fail header.from=players.example"}


def world_of(path: Path, level: Level, *authserv_ids: str) -> World:
    """A world with this `level`, which trusts these servers."""
    return World(path, trust=TrustSettings(level=level, authserv_ids=authserv_ids))


def begun(world: World) -> dict[str, str]:
    """The game's seats; it was started while all mail was authenticated."""
    trust = world.service.identity.trust
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="open"))
    seats = world.started()
    object.__setattr__(world.service.identity, "trust", trust)
    return seats


@pytest.fixture
def normal(tmp_path: Path) -> Iterator[World]:
    world = world_of(tmp_path, "normal", "mx.home")
    yield world
    world.database.dispose()


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[World]:
    world = world_of(tmp_path, "strict", "mx.home")
    yield world
    world.database.dispose()


def questions(world: World, address: str) -> list[EmailMessage]:
    """What somebody was asked."""
    return [mail for mail in world.mailboxes.get(address, []) if "+confirm." in reply_to(mail)]


def question(world: World, address: str) -> EmailMessage:
    """The newest question that somebody was asked."""
    asked = questions(world, address)
    assert asked, f"{address} was asked nothing"
    return asked[-1]


def orders_in(world: World, seats: dict[str, str], power: str = "France", **more: object) -> str:
    return text_of(world.send(player(power), seats[power], "STATUS", **more))


# ---- a mail that is held


def test_a_strangers_orders_count_once_the_holder_says_yes(normal: World) -> None:
    seats = begun(normal)
    normal.arrive("ann@work.example", seats["France"], "A PAR-BUR")
    normal.work()
    assert "ann@work.example" not in normal.mailboxes
    assert normal.inbox()[-1].state is InboxState.QUARANTINED
    asked = question(normal, FRANCE)
    assert "ann@work.example" in text_of(asked)
    assert "A PAR-BUR" in text_of(asked)
    assert "Army Paris -> Burgundy" not in orders_in(normal, seats)
    answer = text_of(normal.send(FRANCE, reply_to(asked), "yes\n\n> Did you write this?"))
    assert "Army Paris -> Burgundy" in answer
    assert "Army Paris -> Burgundy" in orders_in(normal, seats)
    assert [mail.state for mail in normal.inbox() if mail.envelope_from == "ann@work.example"] == [InboxState.DONE]


def test_who_wants_no_html_is_asked_in_plain_text_and_answered_so(normal: World) -> None:
    seats = begun(normal)
    normal.send(FRANCE, seats["France"], "PREFERENCES mail=text", headers=PASSED)
    normal.arrive("ann@work.example", seats["France"], "A PAR-BUR")
    normal.work()
    asked = question(normal, FRANCE)
    answer = normal.send(FRANCE, reply_to(asked), "perhaps")
    assert "Nothing was done yet" in text_of(answer)
    assert [mail.get_body(("html",)) for mail in (asked, answer)] == [None, None]


def test_always_adds_the_address_when_it_says_so_itself(normal: World) -> None:
    seats = begun(normal)
    normal.arrive("ann@work.example", seats["France"], "A PAR-BUR")
    normal.work()
    assert "Burgundy" in text_of(normal.send(FRANCE, reply_to(question(normal, FRANCE)), "YES ALWAYS"))
    with normal.database.reading() as session:
        assert loading.person_at(session, "ann@work.example") is None
    normal.send("ann@work.example", reply_to(question(normal, "ann@work.example")), "YES")
    assert "Army Paris -> Picardy" in text_of(normal.send("ann@work.example", seats["France"], "A PAR-PIC"))


def test_no_forgets_it(normal: World) -> None:
    seats = begun(normal)
    normal.arrive("thief@evil.example", seats["France"], "A PAR-GAS")
    normal.work()
    assert "Discarded" in text_of(normal.send(FRANCE, reply_to(question(normal, FRANCE)), "No, not me!"))
    assert "Gascony" not in orders_in(normal, seats, headers=PASSED)
    assert normal.inbox()[-3].state is InboxState.IGNORED


def test_a_question_is_answered_once(normal: World) -> None:
    seats = begun(normal)
    normal.arrive("ann@work.example", seats["France"], "A PAR-BUR")
    normal.work()
    asked = question(normal, FRANCE)
    normal.send(FRANCE, reply_to(asked), "YES")
    normal.send(FRANCE, seats["France"], "A PAR-PIC")
    assert "You have answered YES before, and that counts, once." in text_of(
        normal.send(FRANCE, reply_to(asked), "YES")
    )
    assert "Army Paris -> Picardy" in orders_in(normal, seats)


def test_a_question_expires(normal: World) -> None:
    seats = begun(normal)
    normal.send(MASTER, seats["GM"], "EXTEND 30 days", headers=PASSED_MASTER)
    normal.arrive("ann@work.example", seats["France"], "A PAR-BUR")
    normal.work()
    normal.pass_time(days=3, minutes=1)
    assert "too late" in text_of(normal.send(FRANCE, reply_to(question(normal, FRANCE)), "YES"))
    assert "Army Paris -> Burgundy" not in orders_in(normal, seats)


PASSED_MASTER = proved("@example.org")


def test_an_answer_that_is_neither_yes_nor_no_leaves_the_question_open(normal: World) -> None:
    seats = begun(normal)
    normal.arrive("ann@work.example", seats["France"], "A PAR-BUR")
    normal.work()
    asked = question(normal, FRANCE)
    assert "Reply with YES or NO" in text_of(normal.send(FRANCE, reply_to(asked), "What is this?"))
    assert "Burgundy" in text_of(normal.send(FRANCE, reply_to(asked), "YES"))


@pytest.mark.parametrize("who", ["ann@work.example", player("Germany")])
def test_only_the_person_who_was_asked_can_answer(normal: World, who: str) -> None:
    seats = begun(normal)
    normal.arrive("ann@work.example", seats["France"], "A PAR-BUR")
    normal.work()
    assert "sent to another address" in text_of(normal.send(who, reply_to(question(normal, FRANCE)), "YES"))
    assert "Army Paris -> Burgundy" not in orders_in(normal, seats)


EVE = "eve@evil.example"


@pytest.mark.parametrize(
    ("writes", "copy", "told"),
    [
        (FRANCE, EVE, f"A mail of yours also went to {EVE}"),
        (EVE, None, "in a mail of somebody else"),
        (player("Germany"), FRANCE, "in a mail of somebody else"),
    ],
)
def test_an_answer_address_that_others_know_is_replaced(
    strict: World, writes: str, copy: str | None, told: str
) -> None:
    seats = begun(strict)
    strict.arrive(FRANCE, seats["France"], "A PAR-BUR")
    strict.work()
    known = reply_to(question(strict, FRANCE))
    strict.arrive(writes, known, "I did not write this! Who was that?", headers={"Cc": copy} if copy else {})
    strict.work()
    again = question(strict, FRANCE)
    assert reply_to(again) != known
    assert str(again["Subject"]).startswith("Re: [spring] S1901M: Did you write this?")
    assert told in text_of(again)
    for forged in ("YES", "YES ALWAYS", "NO"):
        assert "answer the newer mail" in text_of(strict.send(FRANCE, known, forged))
    assert "Army Paris -> Burgundy" in text_of(strict.send(FRANCE, reply_to(again), "YES"))


@pytest.mark.parametrize(
    "others",
    [
        {"Cc": "eve@[203.0.113.5]"},
        {"Cc": '"eve  x"@evil.example'},
        {"Cc": "<@relay.example:eve@evil.example>"},
        {"Cc": "<eve@evil.example> Eve"},
        {"Cc": "eve@evil.example (hello"},
        {"Cc": '"Eve <eve@evil.example>'},
        {"Cc": f"{'e' * 70}@evil.example"},
        {"Cc": "eve\uff20evil.example"},
        {"Cc": ", ".join([*(f"gm+a{n}@example.org" for n in range(101)), EVE])},
        {"Bcc": EVE},
        {"Resent-To": EVE},
        {"Resent-Cc": EVE},
    ],
)
def test_whoever_may_be_named_as_a_recipient_is_another(strict: World, others: dict[str, str]) -> None:
    seats = begun(strict)
    strict.arrive(FRANCE, seats["France"], "A PAR-BUR")
    strict.work()
    known = reply_to(question(strict, FRANCE))
    raw = strict.mail(FRANCE, known, "What is this?")
    named = "".join(f"{name}: {value}\r\n" for name, value in others.items()).encode()
    accept(strict.service, ArrivedMail("smtp", named + raw, strict.time, (known,), FRANCE))
    strict.work()
    assert reply_to(question(strict, FRANCE)) != known


@pytest.mark.parametrize(
    "to", ['"Master, The" <{}>', "spring: {};", "{} (the game)", "<{}>", f"{{}}, Ann <{FRANCE}>", "{}, <>"]
)
def test_our_own_address_in_any_form_shows_it_to_nobody(strict: World, to: str) -> None:
    seats = begun(strict)
    strict.arrive(FRANCE, seats["France"], "A PAR-BUR")
    strict.work()
    known = reply_to(question(strict, FRANCE))
    strict.arrive(FRANCE, known, "What is this?", headers={"To": to.format(known)})
    strict.work()
    assert "Army Paris -> Burgundy" in text_of(strict.send(FRANCE, known, "YES"))


def test_a_command_in_the_subject_is_shown_before_it_counts(strict: World) -> None:
    seats = begun(strict)
    strict.arrive(FRANCE, seats["France"], "", headers={"Subject": "RESIGN spring", "In-Reply-To": ""})
    strict.work()
    asked = question(strict, FRANCE)
    assert "RESIGN spring" in text_of(asked)
    strict.send(FRANCE, reply_to(asked), "YES")
    assert next(seat for seat in strict.game().players if seat.power == "France").person is None


def test_orders_confirmed_after_the_phase_are_not_given_to_the_next(normal: World) -> None:
    seats = begun(normal)
    normal.arrive("ann@work.example", seats["France"], "A PAR-BUR")
    normal.work()
    normal.send(MASTER, seats["GM"], "PROCESS", headers=PASSED_MASTER)
    assert normal.phase() == "F1901M"
    assert "next phase has begun" in text_of(normal.send(FRANCE, reply_to(question(normal, FRANCE)), "YES"))
    assert "Army Paris -> Burgundy" not in orders_in(normal, seats)


def test_after_ten_questions_in_an_hour_no_more_are_asked(normal: World) -> None:
    seats = begun(normal)
    for number in range(12):
        normal.arrive("thief@evil.example", seats["France"], f"A PAR-BUR\n{number}")
    normal.work()
    asked = [mail for mail in normal.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    assert len(asked) == 10


@pytest.mark.parametrize("what", [inbox.drop, lambda session, number, now: inbox.try_again(session, number)])
def test_what_the_operator_did_meanwhile_stands(normal: World, what: Callable[[Session, int, datetime], bool]) -> None:
    """A dropped mail is not acted on; a replayed one is asked about again, and both answers together act once."""
    seats = begun(normal)
    normal.arrive("ann@work.example", seats["France"], "PRESS TO ALL\nhello\nENDPRESS")
    normal.work()
    first = question(normal, FRANCE)
    with normal.database.transaction() as session:
        assert what(session, normal.inbox()[-1].id, normal.time)
    normal.work()
    replayed = question(normal, FRANCE) is not first
    answers = [text_of(normal.send(FRANCE, reply_to(first), "YES"))]
    if replayed:
        answers.append(text_of(normal.send(FRANCE, reply_to(question(normal, FRANCE)), "YES")))
    assert "already been dealt with" in answers[-1]
    with normal.looking() as session:
        assert len(records.press_of(session, normal.game().id)) == int(replayed)


# ---- proof


def test_a_mail_whose_proof_fails_is_held_at_every_level(normal: World) -> None:
    seats = begun(normal)
    normal.arrive(FRANCE, seats["France"], "A PAR-BUR", headers=FAILED)
    normal.work()
    asked = question(normal, FRANCE)
    assert "failed its domain's own checks" in text_of(asked)
    assert "was not counted" in text_of(normal.send(FRANCE, reply_to(asked), "YES", headers=FAILED))
    assert "Burgundy" in text_of(normal.send(FRANCE, reply_to(asked), "YES"))


def test_a_server_that_is_not_configured_is_not_believed(tmp_path: Path) -> None:
    world = world_of(tmp_path, "normal")
    seats = begun(world)
    assert "Burgundy" in text_of(world.send(FRANCE, seats["France"], "A PAR-BUR", headers=FAILED))
    world.database.dispose()


def test_a_stranger_whose_proof_fails_is_not_answered(normal: World) -> None:
    normal.arrive("who@players.example", BASE, "HELP", headers=FAILED)
    normal.work()
    assert "who@players.example" not in normal.mailboxes


def test_a_strict_server_holds_what_nothing_proves(strict: World) -> None:
    seats = begun(strict)
    strict.arrive(FRANCE, seats["France"], "A PAR-BUR")
    strict.work()
    assert "without proof" in text_of(question(strict, FRANCE))
    assert "Burgundy" in text_of(strict.send(FRANCE, seats["France"], "A PAR-BUR", headers=PASSED))


# ---- what cannot be undone


@pytest.mark.parametrize("headers", [{}, PASSED], ids=["unproved", "proved"])
def test_resigning(normal: World, headers: dict[str, str]) -> None:
    seats = begun(normal)
    answer = text_of(normal.send(FRANCE, seats["France"], "A PAR-BUR\nRESIGN spring", headers=headers))
    vacant = [seat.power for seat in normal.seats() if seat.person is None]
    if headers:
        assert vacant == ["France"]
        return
    assert vacant == []
    assert "Not done yet: RESIGN spring" in answer
    assert "Army Paris -> Burgundy" in answer
    assert "left spring" in text_of(normal.send(FRANCE, reply_to(question(normal, FRANCE)), "YES"))
    assert [seat.power for seat in normal.seats() if seat.person is None] == ["France"]


def test_an_impossible_command_is_refused_at_once_without_a_question(normal: World) -> None:
    seats = begun(normal)
    answer = text_of(normal.send(FRANCE, seats["France"], "PROCESS"))
    assert "Only the gamemaster" in answer
    assert not [mail for mail in normal.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]


def test_the_gamemasters_process_is_confirmed_and_done_once(normal: World) -> None:
    seats = begun(normal)
    normal.send(MASTER, seats["GM"], "PROCESS")
    assert normal.phase() == "S1901M"
    asked = question(normal, MASTER)
    normal.send(MASTER, reply_to(asked), "YES")
    assert normal.phase() == "F1901M"
    normal.send(MASTER, reply_to(asked), "YES")
    assert normal.phase() == "F1901M"


def test_forget_me_is_confirmed_first(normal: World) -> None:
    seats = begun(normal)
    normal.send(FRANCE, seats["France"], "FORGET ME")
    assert FRANCE in text_of(normal.send(FRANCE, BASE, "ADDRESS", headers=PASSED))
    assert "erased" in text_of(normal.send(FRANCE, reply_to(question(normal, FRANCE)), "YES"))
    assert [seat.power for seat in normal.seats() if seat.person is None] == ["France"]


def test_what_is_kept_for_later_is_confirmed_as_if_it_were_done_now(normal: World) -> None:
    seats = begun(normal)
    normal.send(MASTER, seats["GM"], "SCHEDULE in 2h: PROCESS")
    normal.pass_time(hours=3)
    assert normal.phase() == "S1901M", "nobody confirmed it"
    assert "in 5h" not in text_of(normal.send(MASTER, seats["GM"], "SCHEDULE in 5h: COMMENT soon"))
    normal.send(MASTER, seats["GM"], "SCHEDULE in 4h: PROCESS")
    normal.send(MASTER, reply_to(question(normal, MASTER)), "YES")
    normal.pass_time(hours=5)
    assert normal.phase() == "F1901M"


@pytest.mark.parametrize(
    "line",
    [
        "SCHEDULE in 1h: please PROCESS",
        "ALL GAMES: PROCESS S1901M",
        "ALL GAMES: SCHEDULE in 1h: PROCESS",
        "ALL GAMES spring: SCHEDULE in 1h: PROCESS",
    ],
)
def test_a_command_within_another_asks_as_it_does_alone(normal: World, line: str) -> None:
    normal.send(MASTER, begun(normal)["GM"], line)
    assert question(normal, MASTER)
    normal.pass_time(hours=2)
    assert normal.phase() == "S1901M"


@pytest.mark.parametrize(
    "line",
    [
        "ALL GAMES: PROCESS S1901M",
        "all games spring : please process s1901m",
        "ALL GAMES spring: EJECT France",
        "ALL GAMES: DRAW spring",
        "ALL GAMES: SCHEDULE in 1h: PROCESS S1901M",
        "ALL GAMES: DEADLINE in 5 minutes",
        "all games pause",
    ],
)
@pytest.mark.parametrize("level", ["open", "normal"])
def test_several_games_need_from_the_servers_address_as_much_as_each_by_its_name(
    world: World, line: str, level: Level
) -> None:
    """Otherwise whoever writes a gamemaster's address in From ends the phases of all their games with one line."""
    begun(world)
    object.__setattr__(world.service.identity, "trust", TrustSettings(level=level))
    before = text_of(world.send(MASTER, BASE, "STATUS spring", headers=PASSED_MASTER))
    world.arrive(MASTER, BASE, line)
    world.work()
    assert question(world, MASTER)
    assert text_of(world.send(MASTER, BASE, "STATUS spring", headers=PASSED_MASTER)) == before


WAYS = {"unproved": UNPROVED, "by name": PASSED_MASTER}
"""How a mail of a gamemaster comes that is believed, and may not do what cannot be undone: to their secret address, and
to the address that everybody knows.
"""


def asks(world: World, seat: str, way: str, line: str, *before: str) -> bool:
    """Whether a gamemaster is asked about a line behind these that were surely theirs, and nothing is done before."""
    with world.trusting():
        for each in before:
            world.send(MASTER, seat, each)
    was, asked = world.game(), len(questions(world, MASTER))
    to, text = (seat, line) if way == "unproved" else (BASE, f"GAME spring\n{line}")
    world.send(MASTER, to, text, headers=WAYS[way])
    if len(questions(world, MASTER)) == asked:
        return False
    assert replace(world.game(), version=was.version) == was
    return True


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("before", "asked"),
    [
        (["EJECT France"], True),
        (["SCHEDULE in 5h: PROCESS", "SCHEDULE NONE"], True),
        (["SCHEDULE in 5h: DEADLINE in 2 minutes", "SCHEDULE NONE"], True),
        (["SCHEDULE in 5h: PAUSE", "SCHEDULE NONE"], False),
        (["SCHEDULE in 5h: PROCESS"], False),
        (["COMMENT Fridays"], False),
        (["PAUSE"], False),
        (["PAUSE", "RESUME"], False),
        (["EXTEND 24h"], False),
        (["SET press=none"], False),
        (["DEADLINE in 50 minutes", "DEADLINE in 48h"], True),
        (["SET move=10m", "SET move=48h"], True),
    ],
)
def test_undo_needs_what_the_command_does_that_it_takes_back(
    normal: World, way: str, before: list[str], *, asked: bool
) -> None:
    seat = begun(normal)["GM"]
    assert asks(normal, seat, way, "UNDO", *before) is asked
    assert not asked or asks(normal, seat, way, "ALL GAMES: UNDO")


def test_what_is_undone_by_yes(normal: World) -> None:
    assert asks(normal, begun(normal)["GM"], "unproved", "UNDO", "EJECT France")
    assert "EJECT is undone" in text_of(normal.send(MASTER, reply_to(question(normal, MASTER)), "YES"))
    assert all(seat.person is not None for seat in normal.game().players)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("DEADLINE in 2 minutes", True),
        ("DEADLINE in 23 hours", True),
        ("DEADLINE in 2 days", False),
        ("DEADLINE in 90h", False),
        ("ALL GAMES: DEADLINE in 2 minutes", True),
        ("spring: DEADLINE in 2 minutes", True),
        ("ALL GAMES: DEADLINE in 2 days", False),
        ("SCHEDULE in 2h: DEADLINE in 2 minutes", True),
        ("SCHEDULE in 2 minutes: RESUME", True),
        ("SCHEDULE in 2h: SET move=1m", True),
        ("SCHEDULE in 2h: EXTEND 24h", False),
        ("ALL GAMES: SCHEDULE in 2h: DEADLINE in 2 minutes", True),
        ("SET move=1m", True),
        ("SET retreat=5m", True),
        ("SET move=2d", False),
        ("SET early=no", False),
        ("SET press=none", False),
        ("EXTEND 1 minute", False),
        ("PAUSE", False),
    ],
)
def test_what_ends_a_phase_within_the_day_is_asked_about_as_process_is(
    normal: World, way: str, line: str, *, asked: bool
) -> None:
    assert asks(normal, begun(normal)["GM"], way, line) is asked


@pytest.mark.parametrize(
    ("before", "line", "asked"),
    [
        (["DEADLINE in 30 minutes"], "DEADLINE in 40 minutes", False),
        (["DEADLINE in 30 minutes"], "DEADLINE in 20 minutes", True),
        (["DEADLINE in 30 minutes", "PAUSE"], "RESUME", True),
        (["PAUSE"], "RESUME", False),
        (["PROCESS S1901M", "DEADLINE in 30 minutes", "ROLLBACK S1901M"], "ROLLFORWARD", True),
        (["PROCESS S1901M", "DEADLINE in 30 minutes", "ROLLBACK S1901M"], "UNDO", True),
        (["PROCESS S1901M"], "ROLLBACK S1901M", False),
        (["PROCESS S1901M", "DRAW spring"], "ROLLBACK S1901M", True),
        (["SET early=ready"], "SET early=orders", True),
        (["DEADLINE in 30 minutes", "SET nmr=wait"], "SET nmr=hold", True),
        (["DEADLINE in 90h", "SET nmr=wait"], "SET nmr=hold", False),
        (["DEADLINE in 30 minutes", "SET grace=48h"], "SET grace=none", True),
        (["DEADLINE in 30 minutes", "SET grace=48h"], "SET grace=24h", False),
        (["ORDERS FOR France\nA PAR-PIC", "DEADLINE in 30 minutes"], "ORDERS FOR France\nA PAR-BUR", True),
        (["DEADLINE in 30 minutes"], "ORDERS FOR France\nA PAR-BUR", False),
        (["ORDERS FOR France\nA PAR-PIC"], "ORDERS FOR France\nA PAR-BUR", False),
        (["PROCESS S1901M", "ROLLBACK S1901M"], "ROLLFORWARD", False),
        (["PROCESS S1901M", "ROLLBACK S1901M", "ORDERS FOR France\nA PAR-PIC"], "ROLLFORWARD", True),
        (["PROCESS S1901M", "ROLLBACK S1901M"], "UNDO", False),
        (["SET early=orders"], "SET early=ready", False),
        (["SET early=no"], "UNDO", True),
        (["PROCESS S1901M"], "CORRECT S1901M\nFrance: A PAR-BUR\nBECAUSE a slip", False),
        (["PROCESS S1901M"], "CORRECT S1901M NOW\nFrance: A PAR-BUR\nBECAUSE a slip", True),
    ],
)
def test_it_is_what_a_line_brings_about_and_not_its_word(
    normal: World, before: list[str], line: str, *, asked: bool
) -> None:
    assert asks(normal, begun(normal)["GM"], "unproved", line, *before) is asked


@pytest.mark.parametrize(("level", "asked"), [("normal", False), ("strict", True)])
def test_yes_to_what_was_offered_is_the_confirmation(tmp_path: Path, level: Level, *, asked: bool) -> None:
    """Whoever cites the mail with the offer has read it, and no link can; but the answer has its own proof."""
    world = world_of(tmp_path, level, "mx.home")
    for name in ("amber", "duel"):
        world.send(MASTER, BASE, f"CREATE {name}", headers=proved(MASTER))
    wish = "Please make jo@desk.example an assistant in amber and duel."

    def questions(yes: str, headers: dict[str, str]) -> tuple[int, int]:
        world.arrive(MASTER, BASE, wish, headers={**proved(MASTER), "In-Reply-To": ""})
        world.work()
        cites = {"In-Reply-To": str(world.last(MASTER)["Message-ID"])}
        before = len(world.mailboxes[MASTER]), len(world.mailboxes.get("jo@desk.example", ()))
        world.arrive(MASTER, BASE, yes, headers={**headers, **cites})
        world.work()
        new = ["+confirm." in reply_to(mail) for mail in world.mailboxes[MASTER][before[0] :]]
        return sum(new), len(world.mailboxes.get("jo@desk.example", ())) - before[1]

    assert questions("YES", UNPROVED) == (1, 0)
    assert questions("YES", proved(MASTER)) == ((1, 0) if asked else (0, 2))
    world.database.dispose()


@pytest.mark.parametrize("line", ["ADRESS ADD eve@evil.example", "FORGETT ME"])
def test_yes_to_what_a_mail_without_proof_led_to_is_no_confirmation(normal: World, line: str) -> None:
    """Whoever forges a mail with a slip has its victim offered what was meant; it is asked about in their name."""
    begun(normal)
    normal.arrive(FRANCE, BASE, line, headers={**UNPROVED, "In-Reply-To": ""})
    normal.work()
    offer = normal.last(FRANCE)
    assert "Reply with YES" in text_of(offer)
    normal.arrive(FRANCE, BASE, "YES", headers={**PASSED, "In-Reply-To": str(offer["Message-ID"])})
    normal.work()
    assert "A mail in your name asks for this" in text_of(question(normal, FRANCE))
    assert "eve@evil.example" not in normal.mailboxes


def test_what_is_offered_again_is_no_more_proved_than_before(normal: World) -> None:
    """One letter has it offered again: YES to that is the confirmation of nothing that a forged mail has led to."""
    begun(normal)
    normal.arrive(FRANCE, BASE, "ADRESS ADD eve@evil.example", headers={**UNPROVED, "In-Reply-To": ""})
    normal.work()
    for answer in ("y", "YES"):
        offer = normal.last(FRANCE)
        normal.arrive(FRANCE, BASE, answer, headers={**PASSED, "In-Reply-To": str(offer["Message-ID"])})
        normal.work()
    assert "A mail in your name asks for this" in text_of(question(normal, FRANCE))
    assert "eve@evil.example" not in normal.mailboxes


def test_an_offer_for_several_games_is_for_the_phases_that_there_were(normal: World) -> None:
    """Whoever sends the last orders ends the phase that it was about, and YES would end the next one."""
    seats = {name: normal.started(name, "early=no") for name in ("amber", "duel")}

    def offered(sender: str, wish: str) -> dict[str, str]:
        normal.arrive(sender, BASE, wish, headers={**proved(sender), "In-Reply-To": ""})
        normal.work()
        return {**proved(sender), "In-Reply-To": str(normal.last(sender)["Message-ID"])}

    master = offered(MASTER, "Please process the turn in amber and duel: everybody has sent orders")
    player_ = offered(FRANCE, "A PAR-BUR")
    normal.pass_time(minutes=5)
    normal.send(MASTER, seats["amber"]["GM"], "PROCESS S1901M", headers=proved(MASTER))
    normal.pass_time(minutes=5)
    for sender, answer, cites in ((MASTER, "YES", master), (FRANCE, "amber", player_)):
        normal.arrive(sender, BASE, answer, headers=cites)
    normal.work()
    assert "+confirm." in reply_to(normal.last(MASTER)), "it is asked about, as if it were written now"
    assert (normal.phase("amber"), normal.phase("duel")) == ("F1901M", "S1901M")
    assert not any(normal.game("amber").orders_of(seat) for seat in normal.game("amber").players)


def test_what_stands_below_a_yes_was_offered_by_nobody(normal: World) -> None:
    for name in ("amber", "duel"):
        normal.started(name)
    normal.arrive(MASTER, BASE, "extend both games by one day", headers={**proved(MASTER), "In-Reply-To": ""})
    normal.work()
    cites = {**proved(MASTER), "In-Reply-To": str(normal.last(MASTER)["Message-ID"])}
    normal.arrive(MASTER, BASE, "YES\nADDRESS ADD eve@evil.example", headers=cites)
    normal.work()
    assert "eve@evil.example" not in normal.mailboxes


def test_a_question_from_before_the_game_is_not_answered_in_it(normal: World) -> None:
    """What was asked while no phase was played is for none that begins later, at the seat and by the game's name."""
    created = normal.send(MASTER, BASE, "CREATE spring", headers=proved(MASTER))
    seat = reply_to(created)
    for power in POWERS:
        normal.send(player(power), BASE, f"JOIN spring AS {power}", headers=proved(player(power)))
    for address, line in ((seat, "PROCESS"), (BASE, "spring: PROCESS")):
        normal.arrive(MASTER, address, line)
    normal.work()
    asked = [reply_to(mail) for mail in normal.mailboxes[MASTER] if "+confirm." in reply_to(mail)]
    normal.send(MASTER, seat, "START spring", headers=proved(MASTER))
    assert normal.phase() == "S1901M"
    for address in asked:
        normal.arrive(MASTER, address, "YES")
    normal.work()
    assert asked
    assert normal.phase() == "S1901M"


def test_a_deadline_that_is_near_is_set_by_yes_or_at_once_where_nothing_is_asked(normal: World) -> None:
    seat = begun(normal)["GM"]
    assert asks(normal, seat, "unproved", "DEADLINE in 5 minutes")
    assert "The deadline for S1901M is now" in text_of(normal.send(MASTER, reply_to(question(normal, MASTER)), "YES"))
    normal.send(MASTER, seat, "DEADLINE in 4 minutes", headers=PASSED_MASTER)
    normal.pass_time(minutes=4)
    assert normal.phase() == "F1901M"


@pytest.mark.long
@pytest.mark.parametrize("sender", [MASTER, FRANCE])
@pytest.mark.parametrize(
    "form",
    [
        "GAME spring\n{}",
        "spring: {}",
        "ALL GAMES: {}",
        "all games please {}",
        "ALL GAMES spring: SCHEDULE in 1h: {}",
        "SCHEDULE in 1h: ALL GAMES: {}",
    ],
)
def test_no_command_changes_a_game_by_mail_without_proof_to_the_address_that_everybody_knows(
    tmp_path: Path, form: str, sender: str
) -> None:
    """Also at `open`, and however the game is named; each command as the first of its examples."""
    world = world_of(tmp_path, "open", "mx.home")
    begun(world)

    def rows() -> dict[str, list[object]]:
        tables = ("game", "seat", "phase", "order_set", "deadline", "press", "vote", "preorder")
        with world.looking() as session:
            return {
                name: [tuple(row) for row in session.execute(select(Base.metadata.tables[name]))] for name in tables
            }

    before = rows()
    for command in COMMANDS.values():
        if command.policy.needs_seat or About.EVERYWHERE in command.policy.about:
            with world.database.transaction() as session:
                session.execute(delete(senders.SpendingRow))
            world.arrive(sender, BASE, form.format([*command.syntax.examples, command.title][0]))
            world.work()
            assert rows() == before, command.name
    world.database.dispose()


def test_what_a_gamemaster_does_in_all_games_is_asked_at_their_seat_as_a_player_too(normal: World) -> None:
    begun(normal)
    with normal.trusting():
        seat = reply_to(normal.send(MASTER, BASE, "CREATE other variant=france-austria early=orders"))
        normal.send(player("Italy"), BASE, "CREATE third variant=france-austria early=orders")
        played = reply_to(normal.send(MASTER, BASE, "JOIN third AS France"))
    for to in (seat, played):
        normal.send(MASTER, to, "ALL GAMES: DRAW spring")
        assert question(normal, MASTER)
    assert normal.game("spring").running


def test_a_command_for_several_games_is_done_by_yes(world: World) -> None:
    begun(world)
    world.arrive(MASTER, BASE, "ALL GAMES: PROCESS S1901M")
    world.work()
    world.send(MASTER, reply_to(question(world, MASTER)), "YES")
    assert world.phase() == "F1901M"


def test_a_strict_server_confirms_joining(strict: World) -> None:
    strict.send(MASTER, BASE, "CREATE spring", headers=PASSED_MASTER)
    strict.send("ann@players.example", BASE, "JOIN spring AS France")
    assert [seat.role.value for seat in strict.seats()] == ["master"]
    answer = strict.send("ann@players.example", reply_to(question(strict, "ann@players.example")), "YES")
    assert reply_to(answer).startswith("gm+spring.")
    assert [seat.role.value for seat in strict.seats()] == ["master", "player"]


# ---- several addresses


def test_a_new_address_is_asked_itself_and_then_mail_goes_there(world: World) -> None:
    seats = world.started()
    answer = text_of(world.send(FRANCE, seats["France"], "ADDRESS new@france.example"))
    assert "new@france.example. Reply to it with YES" in answer
    assert "registered" in text_of(world.send("new@france.example", BASE, "ADDRESS"))
    world.send("new@france.example", reply_to(question(world, "new@france.example")), "YES")
    assert "mail now goes there" in text_of(world.last(FRANCE))
    world.send(MASTER, seats["GM"], "EXTEND 24h")
    assert "moved the deadline" in text_of(world.last("new@france.example"))
    assert "Burgundy" in text_of(world.send(FRANCE, seats["France"], "A PAR-BUR"))
    listing = text_of(world.send("new@france.example", BASE, "ADDRESS"))
    assert f"new@france.example (mail goes there), {FRANCE}" in listing


def test_an_added_address_may_write_and_gets_no_mail(world: World) -> None:
    seats = world.started()
    world.send(FRANCE, BASE, "ADDRESS ADD second@france.example")
    world.send("second@france.example", reply_to(question(world, "second@france.example")), "YES")
    assert "Burgundy" in text_of(world.send("second@france.example", seats["France"], "A PAR-BUR"))
    before = len(world.mailboxes["second@france.example"])
    world.send(MASTER, seats["GM"], "EXTEND 24h")
    assert len(world.mailboxes["second@france.example"]) == before


def test_an_address_of_somebody_else_cannot_be_taken(world: World) -> None:
    world.started()
    world.send(FRANCE, BASE, f"ADDRESS ADD {player('Italy')}")
    assert "already registered for somebody" in text_of(world.accepts(player("Italy")))
    assert world.game().people.keys() == {seat.person.id for seat in world.seats() if seat.person}


def test_nobody_but_its_owner_learns_whether_an_address_is_registered(world: World) -> None:
    seats, asked = world.started(), (player("Italy"), "stranger@elsewhere.example")
    said = [text_of(world.send(FRANCE, seats["France"], f"ADDRESS ADD {one}")).replace(one, "X") for one in asked]
    assert said[0] == said[1]
    assert "is registered here already" in text_of(world.last(player("Italy")))
    assert "registered" not in text_of(world.last("stranger@elsewhere.example"))


def test_a_removed_address_is_a_strangers(world: World) -> None:
    seats = world.started()
    world.send(FRANCE, BASE, "ADDRESS new@france.example")
    world.send("new@france.example", reply_to(question(world, "new@france.example")), "YES")
    world.send("new@france.example", BASE, f"ADDRESS REMOVE {FRANCE}")
    world.arrive(FRANCE, seats["France"], "A PAR-BUR")
    world.work()
    assert world.inbox()[-1].state is InboxState.QUARANTINED
    assert "only address" in text_of(world.send("new@france.example", BASE, "ADDRESS REMOVE new@france.example"))


# ---- whose words a proved mail has

EVE = "eve@evil.example"
_CALENDAR = (
    'Content-Type: multipart/alternative; boundary="b"',
    f"--b\nContent-Type: text/plain\n\nADDRESS ADD {EVE}\n--b\n"
    "Content-Type: text/calendar; method={}\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n--b--\n",
)


@pytest.mark.parametrize("subject", ["unsubscribe", f"ADDRESS ADD {EVE}"])
def test_what_a_link_can_have_a_program_write_is_no_address_for_a_thief(normal: World, subject: str) -> None:
    seats = begun(normal)
    body = "This message was automatically generated.\n"
    text = "" if subject.startswith("ADDRESS") else f"ADDRESS ADD {EVE}\n\n"
    normal.arrive(FRANCE, BASE, text + body, headers={**PASSED, "Subject": subject, "In-Reply-To": ""})
    normal.work()
    assert EVE not in normal.mailboxes
    asked = question(normal, FRANCE)
    assert f"ADDRESS ADD {EVE}" in text_of(asked)
    normal.arrive(FRANCE, reply_to(asked), "YES", headers=PASSED)
    normal.work()
    assert EVE in normal.mailboxes, "which is asked, too"
    answer = text_of(normal.send(FRANCE, seats["France"], "ADDRESS ADD kim@players.example", headers=PASSED))
    assert "kim@players.example" in normal.mailboxes, answer


@pytest.mark.parametrize(("method", "acted"), [("REPLY", False), ("counter", False), ("PUBLISH", True)])
def test_what_a_calendar_answers_is_nobodys_command(normal: World, method: str, acted: bool) -> None:
    seats = begun(normal)
    head, body = _CALENDAR
    kind = head.partition(": ")[2]
    raw = normal.mail(FRANCE, seats["France"], "x", headers={**PASSED, "Content-Type": ""})
    lines = [line for line in raw.partition(b"\n\n")[0].split(b"\n") if not line.lower().startswith((b"content-",))]
    raw = b"\n".join([*lines, f"Content-Type: {kind}".encode(), b"", body.format(method).encode()])
    before = len(normal.mailboxes[FRANCE])
    assert accept(normal.service, ArrivedMail("smtp", raw, normal.time, (seats["France"],), FRANCE))
    normal.work()
    assert (len(normal.mailboxes[FRANCE]) > before) is acted


@pytest.mark.parametrize("level", ["open", "normal", "strict"])
@pytest.mark.parametrize("proved", [True, False])
@pytest.mark.parametrize("more", ["", "\nPRESS TO ENGLAND\nI attack you\nENDPRESS"])
def test_below_its_name_a_seat_needs_what_an_address_that_others_know_needs(
    tmp_path: Path, level: Level, more: str, *, proved: bool
) -> None:
    """Whoever forged a From line, and knew the name of a game, ordered for its player and wrote press in their name."""
    world = world_of(tmp_path, level, "mx.home")
    seats = begun(world)
    headers = {**(PASSED if proved else UNPROVED), "In-Reply-To": ""}
    acted = proved and level != "strict"
    world.arrive(FRANCE, BASE, f"GAME spring\nA PAR-BUR\nREADY{more}", headers=headers)
    world.work()
    assert ("Burgundy" in orders_in(world, seats, headers=PASSED)) is acted
    if not acted:
        asked = question(world, FRANCE)
        assert f"A mail from {FRANCE} came to this server, for your seat" in text_of(asked)
        assert ("can have a mail program write there" in text_of(asked)) is proved
        assert "Army Paris -> Burgundy" in text_of(world.send(FRANCE, reply_to(asked), "YES", headers=PASSED))
    world.database.dispose()


def test_a_no_to_what_names_a_seat_replaces_no_address(normal: World) -> None:
    """Nobody has shown that they know it."""
    seats = begun(normal)
    normal.arrive(FRANCE, BASE, "GAME spring\nA PAR-BUR", headers={**UNPROVED, "In-Reply-To": ""})
    normal.work()
    assert "Discarded" in text_of(normal.send(FRANCE, reply_to(question(normal, FRANCE)), "NO", headers=PASSED))
    assert "Discarded" in text_of(normal.last(FRANCE)), "and no mail has a new address"
    assert "Burgundy" not in orders_in(normal, seats, headers=PASSED)


@pytest.mark.parametrize("kind", ["image/png", "application/octet-stream", "text/calendar", "message/rfc822"])
@pytest.mark.parametrize("text", ["GAME spring\nA PAR-BUR", "RESIGN spring", "ABSENCE 2027-01-01 TO 2027-01-09"])
@pytest.mark.parametrize("level", ["open", "normal"])
def test_a_copy_without_proof_that_reads_as_nothing_settles_none_with_it(
    tmp_path: Path, level: Level, text: str, kind: str
) -> None:
    """Whoever got a Cc sent it first as something that has no text, and the player's own mail was a copy of it."""
    world = world_of(tmp_path, level, "mx.home")
    begun(world)
    raw = world.mail(FRANCE, BASE, text, headers={**PASSED, "In-Reply-To": ""})
    forged = raw.replace(b"text/plain", kind.encode(), 1).replace(b"Authentication-Results", b"X-Results", 1)
    for copy in (forged, raw):
        accept(world.service, ArrivedMail("smtp", copy, world.time, (BASE,), FRANCE))
        world.work()
    assert [mail.state for mail in world.inbox() if mail.raw == forged] == [InboxState.UNPROVED]
    assert InboxState.DONE in [mail.state for mail in world.inbox() if mail.raw == raw]
    world.database.dispose()


TAKES = ("ADDRESS ADD eve@evil.example", "FORGET ME", "DEPUTY eve@evil.example")
"""What an account or a seat is taken with."""
BEFORE = ("", "GAME spring\n", "JOIN hers\n", "SANDBOX standard\n")
"""What makes a mail to everybody's address look like one to a seat."""


def linked(world: World, to: str, text: str, recipient: str = "") -> None:
    """A link has the program of France's player write a mail."""
    raw = world.mail(FRANCE, to, text, headers={**PASSED, "In-Reply-To": ""})
    accept(world.service, ArrivedMail("smtp", raw, world.time, (recipient or to,), FRANCE))
    world.work()


@pytest.mark.parametrize("plus", [True, False])
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("line", TAKES)
def test_a_link_to_everybodys_address_takes_nothing(tmp_path: Path, line: str, before: str, *, plus: bool) -> None:
    world = World(tmp_path, trust=TrustSettings(level="normal", authserv_ids=("mx.home",)), plus_addressing=plus)
    begun(world)
    world.arrive(EVE, BASE, "CREATE hers", headers=proved("@evil.example"))
    world.work()
    linked(world, BASE if plus else "box17@provider.example", before + line, BASE)
    france = next(seat for seat in world.seats() if seat.power == "France").person
    assert france is not None
    assert france.addresses == (FRANCE,)
    assert not [seat for seat in world.seats() if seat.deputy_of is not None]
    if line == TAKES[0]:
        assert line in text_of(question(world, FRANCE))


@pytest.mark.parametrize("level", ["normal", "strict"])
@pytest.mark.parametrize("line", [*TAKES, "A PAR-GAS"])
def test_a_link_to_an_address_that_others_have_seen_is_worth_no_more(tmp_path: Path, level: Level, line: str) -> None:
    world = world_of(tmp_path, level, "mx.home")
    seats = begun(world)
    world.arrive(FRANCE, seats["France"], "A MAR-SPA", headers={**PASSED, "Cc": EVE})
    world.work()
    linked(world, seats["France"], line)
    france = next(seat for seat in world.seats() if seat.power == "France").person
    assert france is not None
    assert france.addresses == (FRANCE,)
    if line in TAKES or level == "strict":
        assert line in text_of(question(world, FRANCE))


@pytest.mark.parametrize("line", ["JOIN autumn AS Italy", "REGISTER Evil", "STOP ALL", "TIMEZONE Asia/Tokyo"])
@pytest.mark.parametrize("answer", ["NO", "YES", "Who plays?"])
def test_the_address_of_an_offer_proves_nothing_when_it_was_answered_or_seen(
    strict: World, line: str, answer: str
) -> None:
    by_master = {**PASSED_MASTER, "In-Reply-To": ""}
    begun(strict)
    strict.arrive(MASTER, BASE, "CREATE autumn", headers=by_master)
    strict.work()
    strict.arrive(MASTER, reply_to(strict.last(MASTER)), f"INVITE {FRANCE}", headers=by_master)
    strict.work()
    offer = reply_to(question(strict, FRANCE))
    strict.arrive(FRANCE, offer, answer, headers={**PASSED, "Cc": EVE if answer.endswith("?") else ""})
    strict.work()
    before = strict.last(FRANCE)
    strict.arrive(FRANCE, offer, line)
    strict.work()
    assert strict.inbox()[-1].state is InboxState.QUARANTINED
    assert strict.last(FRANCE) is not before


def offered(world: World) -> str:
    """The address for the answer of spring's gamemaster, who is invited to autumn."""
    begun(world)
    with world.trusting():
        autumn = reply_to(world.send(FRANCE, BASE, "CREATE autumn"))
        world.send(FRANCE, autumn, f"INVITE {MASTER}")
    return reply_to(question(world, MASTER))


@pytest.mark.parametrize(
    ("line", "said"), [("COMMENT soon", "Send this to your seat's address"), ("PROCESS", "Nothing was done yet")]
)
def test_at_the_address_of_an_offer_a_kept_command_counts_as_what_it_does(normal: World, line: str, said: str) -> None:
    assert said in text_of(normal.send(MASTER, offered(normal), f"SCHEDULE spring in 2h: {line}"))


@pytest.mark.parametrize("line", ["DEADLINE in 2 minutes", "SET move=1m"])
def test_at_the_address_of_an_offer_nothing_is_brought_about_that_would_be_confirmed(normal: World, line: str) -> None:
    offer = offered(normal)
    before = normal.game("spring")
    assert "it would have to be confirmed" in text_of(normal.send(MASTER, offer, f"ALL GAMES: {line}"))
    assert replace(normal.game("spring"), version=before.version) == before


def test_an_answer_to_an_offer_is_in_time_by_when_it_came(strict: World) -> None:
    offer = offered(strict)
    strict.pass_time(days=13, hours=23)
    strict.arrive(MASTER, offer, "JOIN autumn AS Italy")
    strict.pass_time_quietly(hours=2)
    strict.work()
    assert "You asked to play Italy" in text_of(strict.last(MASTER))


@pytest.mark.parametrize(
    ("before", "days", "line", "asked"),
    [
        (["EJECT Italy"], 0, "UNDO", True),
        (["COMMENT hello"], 0, "UNDO", False),
        (["EXTEND 24h"], 0, "UNDO", False),
        (["EXTEND 24h"], 6.5, "UNDO", True),
        (["SCHEDULE in 48h: PROCESS", "SCHEDULE NONE"], 0, "UNDO", True),
        (["SCHEDULE in 48h: PROCESS"], 0, "UNDO", False),
        ([], 0, "DEADLINE in 2h", True),
        ([], 0, "DEADLINE in 96h", False),
        ([], 6.5, "DEADLINE in 20h", False),
        ([], 0, "SCHEDULE in 48h: DEADLINE in 49h", True),
        ([], 0, "ALL GAMES: DEADLINE in 2h", True),
        (["EJECT Italy"], 0, "ALL GAMES: UNDO", True),
    ],
)
def test_a_command_needs_as_much_as_what_it_brings_about(
    normal: World, before: list[str], days: float, line: str, *, asked: bool
) -> None:
    """UNDO as much as what it takes back; a deadline that leaves no time to set it right, as much as PROCESS."""
    begun(normal)
    chair = reply_to(normal.last(MASTER))
    for one in before:
        normal.send(MASTER, chair, one, headers=PASSED_MASTER)
    normal.pass_time(days=days)
    normal.arrive(MASTER, chair, line)
    normal.work()
    assert any("+confirm." in reply_to(mail) for mail in normal.mailboxes[MASTER]) is asked, text_of(
        normal.last(MASTER)
    )


def test_what_is_brought_about_is_done_by_yes(normal: World) -> None:
    begun(normal)
    chair = reply_to(normal.last(MASTER))
    normal.send(MASTER, chair, "EJECT Italy", headers=PASSED_MASTER)
    normal.arrive(MASTER, chair, "UNDO")
    normal.work()
    assert "EJECT is undone" in text_of(normal.send(MASTER, reply_to(question(normal, MASTER)), "YES"))


def test_where_nobody_else_can_write_whoever_names_a_game_of_theirs_is_believed(tmp_path: Path) -> None:
    init.write(tmp_path, address=BASE, mode="alone", port=2525)
    settings = load(tmp_path)
    assert settings.among_friends
    assert not replace(settings, trust=TrustSettings(level="normal")).among_friends
    assert not replace(settings, send=replace(settings.send, kind="smtp")).among_friends
    (tmp_path / "server").mkdir()
    server = World(tmp_path / "server", trust=TrustSettings(level="open"))
    server.started()
    line = "GAME spring\nEXTEND 24h"
    server.arrive(MASTER, BASE, line)
    server.work()
    assert "Did you write this" in str(server.last(MASTER)["Subject"])
    server.service = replace(server.service, identity=replace(server.service.identity, among_friends=True))
    assert "24 hours later than before" in text_of(server.send(MASTER, BASE, line))
    server.database.dispose()
