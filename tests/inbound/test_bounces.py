"""Bounces: whose mail it was, whether the bounce is hard or soft, who is notified, and where mail goes instead.

Long because every way in which mail is refused ends in the same few notices, which are counted here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path

import pytest

from gm.errors import DeliveryDeferred, DeliveryRefused, GmError, SenderRefused, WayOutFailed
from gm.inbound.acceptance import accept, first_of_mailbox, is_for_us, knows
from gm.server.metrics import figures, text
from gm.settings import TrustSettings
from gm.store import inbox, outbox, refusals, sent
from gm.store.inbox import ArrivedMail, InboxState
from gm.store.outbox import OutboxState
from tests.inbound.test_trust import question
from tests.server.bounces import (
    FRANCE,
    MASTER,
    OPERATOR,
    UNKNOWN,
    bounce,
    counts,
    in_own_words,
    noted,
    read_by,
    report,
    return_path,
)
from tests.server.world import BASE, POLICY, World, player, reply_to, text_of


@pytest.mark.parametrize(
    ("make", "hard"),
    [
        (lambda: report(FRANCE, *UNKNOWN), True),
        (lambda: report(FRANCE, "5.7.1", "550 5.7.1 Message content rejected"), False),
        (lambda: report(FRANCE, "5.2.2", "552 5.2.2 Mailbox full"), False),
        (lambda: report(FRANCE, "4.4.7", "delivery time expired"), False),
        (lambda: in_own_words(FRANCE), True),
    ],
    ids=["no such user", "content", "mailbox full", "given up after days", "qmail's own words"],
)
def test_kinds(world: World, seats: dict[str, str], make: Callable[[], bytes], hard: bool) -> None:
    bounce(world, return_path(world, FRANCE), make())
    assert [(row.recipient, row.hard) for row in noted(world)] == [(FRANCE, hard)]
    assert world.inbox()[-1].note.startswith("hard bounce of" if hard else "soft bounce of")
    assert ("bounced" in text_of(world.last(MASTER))) is hard


def test_an_address_that_writes_itself_is_not_dead_whatever_it_says(world: World, seats: dict[str, str]) -> None:
    raw = in_own_words("bob@club.example").replace(b"MAILER-DAEMON@mx.players.example", FRANCE.encode(), 1)
    bounce(world, return_path(world, FRANCE), b"Auto-Submitted: auto-generated\n" + raw)
    assert noted(world) == []


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed"])
def test_a_report_that_is_no_failure_is_none(world: World, seats: dict[str, str], action: str) -> None:
    bounce(world, return_path(world, FRANCE), report(FRANCE, "4.4.1", "still trying", action=action))
    assert noted(world) == []


def test_the_gamemaster_sees_it_in_status_until_the_player_writes(world: World, seats: dict[str, str]) -> None:
    bounce(world, return_path(world, FRANCE), report(FRANCE, *UNKNOWN))
    told = text_of(world.last(MASTER))
    assert "Mail to Pat France (France) bounced" in told
    assert "No such user" in told
    assert FRANCE not in told, "a gamemaster sees names, not addresses"
    assert "mail bounces" in text_of(world.send(MASTER, seats["GM"], "STATUS"))
    assert "mail bounces" not in text_of(world.send(player("Italy"), seats["Italy"], "STATUS"))
    world.send(FRANCE, seats["France"], "A PAR-BUR")
    assert "mail bounces" not in text_of(world.send(MASTER, seats["GM"], "STATUS"))


def test_the_same_mail_goes_to_the_other_address(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, BASE, "ADDRESS ADD second@france.example")
    world.send("second@france.example", reply_to(question(world, "second@france.example")), "YES")
    world.send(MASTER, seats["GM"], "EXTEND 24h")
    news = world.last(FRANCE)
    bounce(world, str(news["X-Envelope-From"]), report(FRANCE, *UNKNOWN))
    other = world.last("second@france.example")
    assert other["Message-ID"] == news["Message-ID"]
    assert text_of(other) == text_of(news)
    assert other["X-Envelope-From"] != news["X-Envelope-From"]
    assert "sent to their other address" in text_of(world.last(MASTER))
    world.send(MASTER, seats["GM"], "EXTEND 48h")
    assert "moved" in text_of(world.last("second@france.example")), "the next mail goes there at once"
    bounce(world, str(other["X-Envelope-From"]), report("second@france.example", *UNKNOWN))
    assert {row.recipient for row in noted(world)} == {FRANCE, "second@france.example"}


def test_five_soft_bounces_in_a_week_are_a_hard_one(world: World, seats: dict[str, str]) -> None:
    for number in range(5):
        world.send(MASTER, seats["GM"], "EXTEND 24h")
        bounce(world, return_path(world, FRANCE), report(FRANCE, "5.2.2", f"552 5.2.2 full {number}"))
    assert [row.hard for row in noted(world)] == [True, False, False, False, False]


def test_a_bounce_by_its_message_id_where_the_plus_was_lost(world: World, seats: dict[str, str]) -> None:
    original = f"Message-ID: {world.last(FRANCE)['Message-ID']}\nSubject: x\n\nx\n".encode()
    bounce(world, BASE, report(FRANCE, *UNKNOWN, original=original))
    assert [row.hard for row in noted(world)] == [False], "who has a copy of an answer to it knows the Message-ID, too"


def test_a_bounce_names_the_mail_by_its_message_id(world: World, seats: dict[str, str]) -> None:
    older = world.last(FRANCE)
    world.send(MASTER, seats["GM"], "EXTEND 24h")
    original = f"Message-ID: {older['Message-ID']}\nSubject: x\n\nx\n".encode()
    bounce(world, return_path(world, FRANCE), report(FRANCE, *UNKNOWN, original=original))
    with world.looking() as session:
        named = sent.by_message_id(session, str(older["Message-ID"]))
    assert [row.outbox_id for row in noted(world)] == [named and named.id]


REWRITTEN = b"Message-ID: <0100abc@ses.example>\nSubject: x\n\nx\n"


def test_a_bounce_by_its_recipient_where_message_id_and_envelope_were_rewritten(
    world: World, seats: dict[str, str]
) -> None:
    cited = REWRITTEN.replace(b"Subject", f"Reply-To: <{seats['France']}>\nSubject".encode())
    bounce(world, BASE, report(FRANCE, *UNKNOWN, original=cited))
    assert [(row.recipient, row.hard) for row in noted(world)] == [(FRANCE, True)]


@pytest.mark.parametrize("way", ["by return path", "by an address that it cites"])
def test_a_bounce_of_what_was_sent_before_the_server_moved_counts(
    world: World, seats: dict[str, str], way: str
) -> None:
    identity = world.service.identity
    settings = replace(identity.settings, address="gm@new.example.net", also=(BASE,))
    world.service = replace(world.service, identity=replace(identity, settings=settings))
    to = return_path(world, FRANCE) if way == "by return path" else BASE
    assert knows(world.service, to)
    cited = REWRITTEN.replace(b"Subject", f"Reply-To: <{seats['France']}>\nSubject".encode())
    bounce(world, to, report(FRANCE, *UNKNOWN, original=cited))
    assert [(row.recipient, row.hard) for row in noted(world)] == [(FRANCE, True)]


def test_who_proves_nothing_cannot_have_an_address_taken_for_dead(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.started()
    world.trust = TrustSettings(level="normal")
    world.restart()
    bounce(world, BASE, report(FRANCE, *UNKNOWN, original=REWRITTEN))
    assert noted(world) == []


@pytest.mark.parametrize("forged", ["nothing of ours", "the seat of another", "the return path of another"])
@pytest.mark.parametrize("words", [UNKNOWN, ("5.7.1", "550 5.7.1 spam")])
def test_a_bounce_that_only_names_a_recipient_is_listed_and_no_more(
    world: World, seats: dict[str, str], forged: str, words: tuple[str, str]
) -> None:
    cited = {
        "nothing of ours": "x",
        "the seat of another": seats["Italy"],
        "the return path of another": return_path(world, player("Italy")),
    }
    original = REWRITTEN.replace(b"Subject", f"Reply-To: <{cited[forged]}>\nSubject".encode())
    operator = len(world.mailboxes.get(OPERATOR, []))
    bounce(world, BASE, report(FRANCE, *words, original=original))
    assert noted(world) == []
    assert counts(world) == (0, 0)
    assert len(world.mailboxes.get(OPERATOR, [])) == operator
    mail = world.inbox()[-1]
    assert mail.state is InboxState.IGNORED
    assert "it says that it is a bounce, without proof, of mail" in mail.note
    assert FRANCE in mail.note
    with world.database.transaction() as session:
        assert inbox.try_again(session, mail.id)
    world.work()
    assert [row.recipient for row in noted(world)] == [FRANCE], "the operator vouches for it"


def test_the_dashboard_names_a_player_whose_mail_is_refused(world: World, seats: dict[str, str]) -> None:
    world.arrive(FRANCE, seats["France"], "STATUS")
    send_all(world, DeliveryRefused("550 5.7.1 Not from you"))
    for asked in ("DASHBOARD", "STATUS"):
        assert "mail is refused, and tried again" in text_of(world.send(MASTER, seats["GM"], asked))
    assert "is refused" not in text_of(world.send(player("Italy"), seats["Italy"], "STATUS"))
    world.pass_time(minutes=2)
    assert "is refused" not in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))


def test_a_bounce_that_cites_a_return_path_of_its_recipient_counts(world: World, seats: dict[str, str]) -> None:
    original = REWRITTEN.replace(b"Subject", f"Return-Path: <{return_path(world, FRANCE)}>\nSubject".encode())
    bounce(world, BASE, report(FRANCE, *UNKNOWN, original=original))
    assert [(row.recipient, row.hard) for row in noted(world)] == [(FRANCE, True)]


def test_what_was_refused_for_our_sake_never_makes_an_address_dead(world: World, seats: dict[str, str]) -> None:
    for number in range(6):
        world.send(MASTER, seats["GM"], "EXTEND 24h")
        bounce(world, return_path(world, FRANCE), report(FRANCE, "5.7.1", f"550 5.7.1 spam {number}"))
    assert [row.hard for row in noted(world)] == [False] * 6
    assert "spam 0" in text_of(world.last("operator@example.org"))


def test_a_player_s_next_mail_does_not_hide_that_mail_bounced(world: World, seats: dict[str, str]) -> None:
    bounce(world, return_path(world, FRANCE), report(FRANCE, *UNKNOWN))
    answer = text_of(world.send(FRANCE, seats["France"], "A PAR-BUR"))
    assert "bounced on" in answer
    assert "user unknown" in answer
    assert "mail bounced on 20 Nov" in text_of(world.send(MASTER, seats["GM"], "STATUS"))
    assert "mail bounced on 20 Nov" in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    world.time += timedelta(days=8)
    assert "mail bounced" not in text_of(world.send(MASTER, seats["GM"], "STATUS"))


# what the next server refuses


class Refusing:
    """A mail server that accepts all mail except one person's."""

    def __init__(self, world: World, error: Exception) -> None:
        self._world = world
        self._error = error

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
        if recipient == FRANCE:
            raise self._error
        self._world.deliver(raw, envelope_from, recipient)


def send_all(world: World, error: Exception) -> None:
    """Send everything that is due to that mail server."""
    world.work(Refusing(world, error))


def test_a_refusal_at_once_ends_like_a_bounce(world: World, seats: dict[str, str]) -> None:
    world.arrive(MASTER, seats["GM"], "PRESS TO FRANCE\nhello\nENDPRESS")
    send_all(world, DeliveryRefused(f"'{FRANCE}' was refused: 550 5.1.1 No such user"))
    assert [(row.recipient, row.hard) for row in noted(world)] == [(FRANCE, True)]
    assert "bounced" in text_of(world.last(MASTER))


def test_a_gamemaster_reads_of_an_operator_only_if_there_is_one(world: World, seats: dict[str, str]) -> None:
    settings = world.service.identity.settings
    for operator, said in ((OPERATOR, True), (None, False)):
        object.__setattr__(world.service.identity, "settings", replace(settings, operator=operator))
        world.pass_time(days=2)
        for _ in range(3):
            world.arrive(FRANCE, seats["France"], "STATUS")
        for _ in range(2):
            send_all(world, DeliveryRefused("550 5.7.1 Relay access denied"))
            world.pass_time_quietly(minutes=3)
        notice = text_of(world.last(MASTER))
        assert "Mail to players of this game is refused" in notice
        assert ("The operator was notified." in notice) is said
        world.pass_time(minutes=2)


@pytest.mark.parametrize(
    ("error", "event", "reason"),
    [
        (DeliveryRefused("550 5.7.1 Relay access denied"), "a mail is rejected", "relaying refused"),
        (DeliveryDeferred("450 4.7.1 Greylisted"), "a mail is deferred", "deferred"),
        (SenderRefused("530 5.7.0 Log in"), "a mail is deferred", "refused"),
        (WayOutFailed("No connection."), "a mail is deferred", "unreachable"),
    ],
)
def test_the_log_says_of_each_refusal_the_same_words_the_reason_and_the_reply(
    world: World, seats: dict[str, str], error: GmError, event: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    world.arrive(FRANCE, seats["France"], "STATUS")
    with caplog.at_level("INFO"):
        send_all(world, error)
    said = {(one.getMessage(), vars(one).get("reason"), vars(one).get("reply")) for one in caplog.records}
    assert (event, reason, str(error)) in said


@pytest.mark.parametrize(
    ("words", "outcome"), [("550 5.1.1 No such user", "refused"), ("550 5.7.1 Relay access denied", "kept")]
)
def test_refusals_are_counted_by_what_becomes_of_the_mail(
    world: World, seats: dict[str, str], words: str, outcome: str
) -> None:
    def counted() -> Counter[str]:
        lines = text(figures(world.service, world.time)).splitlines()
        return Counter(
            {line.split('"')[1]: int(line.split()[-1]) for line in lines if line.startswith("gm_sent_total{")}
        )

    before = counted()
    world.arrive(FRANCE, seats["France"], "STATUS")
    send_all(world, DeliveryRefused(words))
    assert (counted() - before)[outcome] == 1


@pytest.mark.parametrize(
    ("words", "refuses"),
    [
        ("550 5.7.1 Relay access denied", True),
        ("552 5.2.2 The mailbox is full", False),
        ("550 5.2.1 This account is suspended", False),
    ],
)
def test_a_domain_refuses_mail_only_for_our_sake(
    world: World, seats: dict[str, str], words: str, refuses: bool
) -> None:
    world.pass_time(minutes=1)
    for _ in range(3):
        world.arrive(FRANCE, seats["France"], "STATUS")
    send_all(world, DeliveryRefused(words))
    with world.looking() as session:
        assert (refusals.stuck(session, "players.example") is not None) is refuses


KEPT = [
    "550 5.4.5 Daily user sending quota exceeded",
    "550 5.7.1 Our system has detected that this message is likely unsolicited mail",
    "552 5.2.2 The email account that you tried to reach is over quota",
    "554 5.7.1 <france@players.example>: Relay access denied",
    "550 5.7.26 This mail is unauthenticated",
    "554 5.6.0 Malformed",
    "501 5.5.4 Invalid arguments",
    "503 Bad sequence of commands",
    "550 5.1.1 Daily limit exceeded",
    "550 5.1.1 too many recipients this hour, policy",
    "550 5.1.1 blocked",
    "550 Requested action not taken: mailbox unavailable",
    "550 mailbox unavailable",
]


@pytest.mark.parametrize("words", KEPT)
def test_what_is_not_the_address_s_fault_is_kept_and_tried_again(
    world: World, seats: dict[str, str], words: str
) -> None:
    world.arrive(FRANCE, seats["France"], "STATUS")
    send_all(world, DeliveryRefused(f"'{FRANCE}' was refused: {words}"))
    assert noted(world) == []
    before = len(world.mailboxes[FRANCE])
    world.pass_time(minutes=2)
    assert len(world.mailboxes[FRANCE]) == before + 1


def test_when_everything_is_refused_for_minutes_all_are_told(world: World, seats: dict[str, str]) -> None:
    world.pass_time(minutes=1)
    for _ in range(3):
        world.arrive(FRANCE, seats["France"], "STATUS")
    refusal = DeliveryRefused("550 5.7.1 Relay access denied")
    send_all(world, refusal)
    world.pass_time_quietly(seconds=90)
    send_all(world, refusal)
    assert read_by(world, OPERATOR) == "", "not for seconds"
    world.pass_time_quietly(seconds=120)
    send_all(world, refusal)
    for told in ("operator@example.org", MASTER):
        assert "Relay access denied" in text_of(world.last(told)), told
    assert "All mail to players.example is refused" in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert noted(world) == []
    world.pass_time(minutes=5)
    assert "is refused" not in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))


def test_that_mail_is_refused_is_said_once_with_true_counts(
    world: World, seats: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    def said() -> tuple[int, ...]:
        logged = sum(one.levelname == "ERROR" for one in caplog.records)
        told = (sum("is refused" in text_of(one) for one in world.mailboxes.get(who, [])) for who in (OPERATOR, MASTER))
        return logged, *told

    refusal = DeliveryRefused("550 5.7.1 Relay access denied")
    world.pass_time(minutes=1)
    for _ in range(4):
        world.arrive(FRANCE, seats["France"], "STATUS")
    send_all(world, refusal)
    world.pass_time_quietly(minutes=3)
    send_all(world, refusal)
    assert said() == (1, 1, 1)
    assert "All mail to players.example is refused: 4 of 4 mails" in read_by(world, OPERATOR)
    world.arrive(player("Italy"), seats["Italy"], "STATUS")
    for hours in range(6):
        world.pass_time_quietly(hours=hours)
        send_all(world, refusal)
    assert said() == (1, 1, 1), "as long as it lasts"
    dashboard = text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert "Refused: 4 of 5 mails to players.example that were tried since" in dashboard, "Italy's has arrived"
    world.pass_time(hours=5)
    assert "efused" not in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))


def test_the_end_is_told_and_another_time_is_told_three_times_a_day(world: World, seats: dict[str, str]) -> None:
    def told(words: str) -> tuple[int, ...]:
        return tuple(sum(words in text_of(one) for one in world.mailboxes.get(who, [])) for who in (OPERATOR, MASTER))

    refusal = DeliveryRefused("550 5.7.1 Relay access denied")
    for number in range(1, 6):
        world.pass_time(minutes=1)
        for _ in range(3):
            world.arrive(FRANCE, seats["France"], "STATUS")
        send_all(world, refusal)
        world.pass_time_quietly(minutes=3)
        send_all(world, refusal)
        counted = min(number, 3)
        assert told("is refused") == (counted, counted)
        assert told("accepted again") == (min(number - 1, 3),) * 2
        world.pass_time(minutes=10)
        assert told("accepted again") == (counted, counted)
    assert "Refused since 20 Nov 09:01 UTC, and sent now: 3 mails." in read_by(world, OPERATOR)
    world.pass_time(days=1)
    for _ in range(3):
        world.arrive(FRANCE, seats["France"], "STATUS")
    send_all(world, refusal)
    world.pass_time_quietly(minutes=3)
    send_all(world, refusal)
    assert told("is refused") == (4, 4)


@pytest.mark.parametrize("flushed", [False, True])
def test_the_end_is_told_once_as_soon_as_each_mail_was_tried_again(
    world: World, seats: dict[str, str], flushed: bool
) -> None:
    """Each waits for as long again as the trouble has lasted, at most, if nobody has all mail tried at once."""

    def told(words: str) -> int:
        return sum(words in " ".join(text_of(one).split()) for one in world.mailboxes.get(OPERATOR, []))

    for _ in range(3):
        world.arrive(FRANCE, seats["France"], "STATUS")
    for _ in range(16):
        send_all(world, DeliveryRefused("550 5.7.1 Relay access denied"))
        world.pass_time_quietly(minutes=1)
    assert (told("kept, and tried again"), told("accepted again")) == (1, 0)
    if flushed:
        with world.service.database.transaction() as session:
            outbox.flush(session, world.time)
        world.work()
    for _ in range(0 if flushed else 17):
        world.pass_time(minutes=1)
    assert (told("kept, and tried again"), told("accepted again")) == (1, 1)
    world.pass_time(hours=5)
    assert (told("kept, and tried again"), told("accepted again")) == (1, 1)


def test_days_in_vain_end_like_a_bounce(world: World, seats: dict[str, str]) -> None:
    world.arrive(FRANCE, seats["France"], "STATUS")
    for _ in range(40):
        send_all(world, DeliveryDeferred("The connection to mx.players.example broke."))
        world.pass_time_quietly(hours=4)
    with world.looking() as session:
        assert outbox.counts(session)[OutboxState.FAILED] >= 1
    assert (FRANCE, True) in [(row.recipient, row.hard) for row in noted(world)]


def test_mail_from_the_spam_folder_is_read_and_its_sender_told(world: World, seats: dict[str, str]) -> None:
    raw = world.mail(FRANCE, seats["France"], "A PAR-BUR")
    assert is_for_us(world.service, raw)
    assert not is_for_us(world.service, world.mail(FRANCE, BASE, "buy this"))
    assert not is_for_us(world.service, world.mail(FRANCE, "gm+spring.aaaaaaaaaaaaaaaa@example.org", "A PAR-BUR"))
    accept(world.service, ArrivedMail("spam", raw, world.time, (seats["France"],), FRANCE))
    world.work()
    answer = text_of(world.last(FRANCE))
    assert "Army Paris -> Burgundy" in answer
    assert "in the spam folder" in answer


def test_a_mailbox_begins_where_it_was_when_the_server_looked_first(world: World) -> None:
    place = ("gm@imap", "INBOX")
    assert first_of_mailbox(world.service, *place, 7, 3001, keep=False) == 3001
    assert [first_of_mailbox(world.service, *place, 7, uidnext) for uidnext in (3001, 3005)] == [3001, 3001]
    assert first_of_mailbox(world.service, *place, 8, 50) == 1, "numbered anew"
    assert first_of_mailbox(world.service, "gm@imap", "Junk", 7, 90) == 90


def test_the_beginning_is_told_before_the_end_or_neither(world: World, seats: dict[str, str]) -> None:
    """All mail is deferred for hours, and the first that is accepted then is another's."""
    taken = list[tuple[str, str]]()

    class Relay:
        takes = False

        def deliver(self, raw: bytes, _sender: str, recipient: str) -> str:
            if not self.takes:
                raise DeliveryDeferred("450 4.7.1 later")
            taken.append((recipient, text_of(message_from_bytes(raw, policy=POLICY))))
            return "250 ok"

    relay = Relay()
    for power in ("France", "Italy", "Turkey", "Russia"):
        world.arrive(player(power), seats[power], "STATUS")
    for _ in range(20):
        world.work(relay)
        world.time += timedelta(minutes=30)
    relay.takes = True
    world.arrive("stranger@else.example", BASE, "HELP")
    world.work(relay)
    assert [to for to, _ in taken][:1] == ["stranger@else.example"]
    assert not any("accepted again" in text for _, text in taken), "the others still wait"
    for _ in range(20):
        world.time += timedelta(minutes=30)
        world.work(relay)
    for who in (OPERATOR, MASTER):
        told = [" ".join(text.split()) for to, text in taken if to == who]
        begin = [number for number, text in enumerate(told) if "kept, and tried again" in text]
        end = [number for number, text in enumerate(told) if "accepted again" in text]
        assert len(begin) == len(end) == 1, who
        assert begin < end, who


HOST = "host@example.net"


def test_mail_that_is_lost_is_a_matter_of_its_own_game(world: World, seats: dict[str, str]) -> None:
    """Other games' gamemasters do not read that a reminder came back, which shows whose orders are missing."""
    chair = reply_to(world.send(HOST, BASE, "CREATE autumn"))
    seat = reply_to(world.send(FRANCE, BASE, "JOIN autumn"))
    world.pass_time(days=6)
    assert "reminder" in str(world.last(FRANCE)["Subject"])
    bounce(world, str(world.last(FRANCE)["X-Envelope-From"]), report(FRANCE, *UNKNOWN))
    assert "bounced" in text_of(world.last(MASTER))
    assert "bounced" not in text_of(world.last(HOST))
    assert "bounces" not in text_of(world.send(HOST, chair, "DASHBOARD\nSTATUS"))
    assert "mail bounces" in text_of(world.send(MASTER, seats["GM"], "STATUS"))
    world.send(FRANCE, seat, "WHOAMI")
    world.send(HOST, chair, "PRESS TO ALL\nWelcome.\nENDPRESS")
    bounce(world, str(world.last(FRANCE)["X-Envelope-From"]), report(FRANCE, UNKNOWN[0], "550 5.1.1 Unknown"))
    assert "bounced" in text_of(world.last(HOST))
    assert "mail bounces" in text_of(world.send(HOST, chair, "DASHBOARD"))


@pytest.mark.ruling("FW-4", "FW-7")
def test_in_fog_who_may_not_know_duties_reads_of_no_mail_that_is_lost(world: World) -> None:
    seats = world.started("foggy", "variant=fog")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HOST} AS ASSISTANT")
    helper = reply_to(world.last(HOST))
    world.pass_time(days=6)
    assert "reminder" in str(world.last(FRANCE)["Subject"])
    bounce(world, str(world.last(FRANCE)["X-Envelope-From"]), report(FRANCE, *UNKNOWN))
    assert "bounced" in text_of(world.last(MASTER))
    assert "mail bounces" in text_of(world.send(MASTER, seats["GM"], "STATUS"))
    said = [text_of(world.send(HOST, helper, line)) for line in ("STATUS", "DASHBOARD")]
    said += [text_of(world.send(HOST, BASE, "DASHBOARD"))]
    assert not [one for one in said if "bounce" in one or "mail fails" in one]


def test_a_gamemaster_who_plays_reads_of_no_deputy_whose_mail_is_lost(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], f"DEPUTY {HOST}")
    world.accepts(HOST)
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')}")
    world.send(MASTER, seats["GM"], "EXTEND 24h")
    read = len(world.mailboxes[player("Italy")])
    bounce(world, str(world.last(HOST)["X-Envelope-From"]), report(HOST, *UNKNOWN))
    assert "(deputy of France) bounced" in text_of(world.last(MASTER))
    assert not any("deputy of France" in text_of(mail) for mail in world.mailboxes[player("Italy")][read:])


@pytest.mark.parametrize("ours", [BASE, "gm+spring.aaaaaaaaaaaaaaaa@example.org", "postmaster@example.org"])
@pytest.mark.parametrize("original", [f"Original-Recipient: rfc822; {FRANCE}\n", ""], ids=["forwarded", "unsaid"])
def test_an_address_of_ours_that_failed_is_the_operator_s_trouble(
    world: World, seats: dict[str, str], ours: str, original: str
) -> None:
    raw = report(ours, "5.4.6", f"554 5.4.6 <{ours}>: mail loop / user unknown")
    bounce(world, return_path(world, FRANCE), raw.replace(b"Final-Recipient", f"{original}Final-Recipient".encode()))
    assert [(row.recipient, row.hard, row.reason) for row in noted(world)] == [(FRANCE, False, "system")]
    assert "mail loop" in read_by(world, OPERATOR)
    assert "bounced" not in read_by(world, MASTER)


@pytest.mark.parametrize("sender", ["Spam Arrest <noreply@players.example>", "Boxbe <postmaster@players.example>"])
@pytest.mark.parametrize("subject", ["Re: not delivered yet: verify", "Mail rejected until you confirm", "Verify"])
def test_a_challenge_is_no_bounce_and_nothing_is_sent_again(
    world: World, seats: dict[str, str], sender: str, subject: str
) -> None:
    before, operator = len(world.mailboxes[FRANCE]), read_by(world, OPERATOR)
    lines = (
        f"From: {sender}",
        f"Subject: {subject}",
        "Message-ID: <challenge@players.example>",
        "Auto-Submitted: auto-replied",
        "",
        f"Your message to <{FRANCE}> has NOT been delivered yet. It is the first mail from {BASE}",
        "that I get. Click https://verify.example/x, or it is rejected (550) in 7 days.",
        "",
        f"Message-ID: {world.last(FRANCE)['Message-ID']}",
    )
    bounce(world, return_path(world, FRANCE), "\n".join(lines).encode())
    world.pass_time(hours=5)
    assert noted(world) == []
    assert len(world.mailboxes[FRANCE]) == before
    assert read_by(world, OPERATOR) == operator


def test_mail_that_came_back_because_of_us_is_sent_again_slowly(world: World, seats: dict[str, str]) -> None:
    """Each try makes another bounce at a provider that refuses our domain."""
    world.pass_time(minutes=10)
    before, tries = len(world.mailboxes[FRANCE]), list[int]()
    world.send(MASTER, seats["GM"], "EXTEND 24h")
    for number in range(26 * 3):
        if len(world.mailboxes[FRANCE]) > before:
            came = world.mailboxes[FRANCE].pop()
            raw = report(FRANCE, "5.7.1", f"550 5.7.1 {number}: domain example.org is blocked")
            bounce(world, str(came["X-Envelope-From"]), raw)
            tries.append(number)
        world.pass_time(minutes=20)
    assert tries[0] == 0
    assert len(tries) <= 4
