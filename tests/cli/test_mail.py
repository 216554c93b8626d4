"""`gm mail`: what an operator sees of mails that were set aside, and what they can do about them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gm.cli import main
from gm.store import inbox, outbox
from gm.store.database import Database
from gm.store.inbox import ArrivedMail, InboxState
from gm.store.outbox import OutboxState
from gm.store.presence import Presence
from tests.databases import migrated_sqlite
from tests.server.bounces import FRANCE, UNKNOWN, report
from tests.store.setting import claimed

NOW = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
RAW = b"From: Ann <ann@example.org>\r\nSubject: my orders\r\nMessage-ID: <1@example.org>\r\n\r\nA PAR-BUR\r\n"


@pytest.fixture
def home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["init", "--home", str(tmp_path)]) == 0
    capsys.readouterr()
    return tmp_path


@pytest.fixture
def database(home: Path) -> Database:
    """The server's database, with one mail set aside and one that could not be sent."""
    (home / "gm.sqlite3").write_bytes(migrated_sqlite())
    database = Database(f"sqlite:///{home / 'gm.sqlite3'}")
    with database.transaction() as session:
        mail = inbox.accept(session, ArrivedMail("smtp", RAW, NOW, ("gm@localhost",), "Envelope@Example.org"))
        assert mail is not None
        inbox.mark(session, mail, InboxState.ASIDE, NOW, "Traceback (most recent call last):\nZeroDivisionError: oh")
        outbox.queue_all(session, [outbox.Queued("p", "bob@example.org", "", "", b"x")], NOW)
        outbox.mark_failed(session, 1, NOW, outbox.Failure("550 no", jitter=0, final=True))
    return database


def state(database: Database) -> InboxState:
    with database.reading() as session:
        mail = inbox.mail_by_id(session, 1)
        assert mail is not None
        return mail.state


def run(home: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["mail", words[0], "--home", str(home), *words[1:]])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_they_are_listed(home: Path, database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(home, capsys, "show")
    aside, failed = out.splitlines()
    assert "1  aside       2026-11-20 18:00  Envelope@Example.org  ZeroDivisionError: oh" in aside
    assert "failed" in failed
    assert "bob@example.org  550 no" in failed


def test_one_is_shown_with_its_words_and_the_reason(
    home: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(home, capsys, "show", "1")
    for words in ("ann@example.org", "my orders", "    A PAR-BUR", "ZeroDivisionError: oh", "18:00:00 UTC by smtp"):
        assert words in out


def test_its_bytes_are_shown_as_they_came(home: Path, database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(home, capsys, "show", "--raw", "1") == (0, RAW.decode(), "")


ESCAPE = "\x1b]0;owned\x07\x9b2J\u202e"


def test_a_terminal_escape_is_shown_as_text(home: Path, database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever of a mail is shown: its addresses, its words, why it was set aside, what another server said."""
    raw = f"From: a{ESCAPE}@x.org\nSubject: s{ESCAPE}\nMessage-ID: <2@x.org>\n\nA PAR-BUR{ESCAPE}\n".encode()
    with database.transaction() as session:
        arrived = ArrivedMail("smtp", raw, NOW, (f"gm{ESCAPE}@localhost",), f"ann{ESCAPE}@x.org")
        mail = inbox.accept(session, arrived)
        assert mail is not None
        inbox.mark(session, mail, InboxState.ASIDE, NOW, f"ValueError: {ESCAPE}")
        outbox.queue_all(session, [outbox.Queued("q", "b@x.org", "", "", b"x")], NOW)
        outbox.mark_failed(session, 2, NOW, outbox.Failure(f"550 {ESCAPE}", jitter=0, final=True))
    for words in (("show",), ("show", str(mail.id)), ("show", "99")):
        _, out, error = run(home, capsys, *words)
        assert all(letter.isprintable() or letter in "\n\t" for letter in out + error)
    assert "\\x1b]0;owned\\x07\\x9b2J\\u202e" in run(home, capsys, "show")[1]


def test_replayed_it_is_new_again(home: Path, database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    presence = Presence(database)
    assert run(home, capsys, "replay", "1")[:2] == (
        0,
        "Mail 1: it will be processed again soon: a server is running.\n",
    )
    presence.close()
    assert state(database) is InboxState.NEW
    assert "as soon as the server runs" in run(home, capsys, "replay", "S1")[1]
    status, _, error = run(home, capsys, "replay", "1")
    assert status == 1
    assert "There is no mail 1 that is set aside, quarantined or ignored." in error


def test_dropped_it_is_closed(home: Path, database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    for number in ("1", "S1"):
        assert run(home, capsys, "drop", number)[0] == 0
        status, _, error = run(home, capsys, "drop", number)
        assert status == 1
        assert f"There is no mail {number} that" in error
    assert state(database) is InboxState.DROPPED
    assert run(home, capsys, "show")[1].startswith("No mail is set aside")
    with database.reading() as session:
        assert claimed(session, NOW + timedelta(days=1)) == []
    for number in ("1", "S1"):
        assert run(home, capsys, "replay", number)[0] == 0, "the operator may change their mind"
        assert "dropped" not in run(home, capsys, "show", number)[1].splitlines()[0]


def test_what_could_not_be_sent_is_sent_again(
    home: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(home, capsys, "replay", "s1")
    assert status == 0
    assert "it will be sent again" in out
    with database.reading() as session:
        assert outbox.counts(session)[OutboxState.QUEUED] == 1


def test_a_number_that_is_none(home: Path, database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    for what in ("show", "replay", "drop"):
        for number in ("99", "S99"):
            status, _, error = run(home, capsys, what, number)
            assert status == 1
            assert f"There is no mail {number}" in error
            assert "`gm mail show` lists them" in error
        with pytest.raises(SystemExit):
            main(["mail", what, "--home", str(home), "out1"])
        assert "no number of a mail, such as 12 or S12" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["show", "replay", "drop"])
def test_a_number_of_the_other_kind_is_named(
    home: Path, database: Database, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    with database.transaction() as session:
        outbox.queue_all(session, [outbox.Queued("q", "b@x.org", "", "", b"x")], NOW)
    _, _, error = run(home, capsys, what, "2")
    assert "There is no mail 2" in error
    assert "S2 is one of ours: `gm mail show S2`." in error
    with database.transaction() as session:
        for name in (b"a", b"b"):
            inbox.accept(session, ArrivedMail("smtp", RAW.replace(b"<1@", b"<" + name + b"@"), NOW))
    _, _, error = run(home, capsys, what, "S3")
    assert "3 arrived: `gm mail show 3`." in error


def test_a_mail_of_ours_is_shown_with_its_reason_and_its_tries(
    home: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = b"Subject: [spring] S1901M\n\nwords\n"
    with database.transaction() as session:
        outbox.queue_all(session, [outbox.Queued("q", "b@x.org", "", "", raw)], NOW)
        claimed(session, NOW)
        outbox.mark_failed(session, 2, NOW, outbox.Failure("450 4.7.1 Greylisted", jitter=0))
    assert "    S2  queued      2026-11-20 18:00  to b@x.org" in run(home, capsys, "show")[1]
    _, out, _ = run(home, capsys, "show", "S2")
    said = ("S2, queued, 32 bytes, 1 attempts", "b@x.org", "[spring] S1901M", "18:01:00 UTC", "450 4.7.1 Greylisted")
    assert [words for words in said if words not in out] == []
    assert run(home, capsys, "show", "--raw", "S2") == (0, raw.decode(), "")
    assert run(home, capsys, "drop", "S2")[0] == 0
    assert "S2, dropped" in run(home, capsys, "show", "S2")[1]


def test_of_a_bounce_is_shown_what_it_says(home: Path, database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    with database.transaction() as session:
        mail = inbox.accept(session, ArrivedMail("smtp", report(FRANCE, *UNKNOWN), NOW, (), ""))
        assert mail is not None
    _, out, _ = run(home, capsys, "show", str(mail.id))
    assert "report:      user unknown 5.1.1: 550 5.1.1 No such user" in out
    assert f"about:       {FRANCE}" in out
    assert "Please write orders" not in out


@pytest.fixture
def ignored(database: Database) -> None:
    with database.transaction() as session:
        mail = inbox.mail_by_id(session, 1)
        assert mail is not None
        inbox.mark(session, mail, InboxState.IGNORED, NOW, "Precedence: bulk")


@pytest.mark.usefixtures("ignored")
def test_ignored_mails_are_listed_and_can_be_replayed(
    home: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(home, capsys, "show")
    assert "1  ignored     2026-11-20 18:00  Envelope@Example.org  Precedence: bulk" in out
    assert run(home, capsys, "replay", "1")[0] == 0
    assert state(database) is InboxState.NEW


@pytest.mark.parametrize(
    ("words", "there"),
    [
        (("--from", "ann@example.org"), True),
        (("--id", "<1@example.org>"), True),
        (("--id", "1@example.org", "--from", "ANN@example.org"), True),
        (("--from", "envelope@example.ORG"), True),
        (("--from", "bob@example.org"), False),
        (("--id", "2@example.org"), False),
    ],
)
@pytest.mark.usefixtures("database")
def test_mails_are_found_by_sender_and_message_id(
    home: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], there: bool
) -> None:
    status, out, _ = run(home, capsys, "show", *words)
    assert (status == 0) is there
    assert ("Envelope@Example.org" in out) is there


def test_flush_makes_what_waits_due_at_once(home: Path, database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    now = datetime.now(UTC)
    with database.transaction() as session:
        outbox.queue_all(session, [outbox.Queued("q", "bob@x.org", "", "", b"x")], now)
        [mail] = claimed(session, now)
        outbox.mark_failed(session, mail.id, now, outbox.Failure("421 later", jitter=0.0))
    for domain, said in (("y.org", "0 mails to y.org"), ("x.org", "1 mail to x.org")):
        assert main(["mail", "flush", domain, "--home", str(home)]) == 0
        assert said in capsys.readouterr().out
    with database.reading() as session:
        assert (outbox.wakes_at(session) or now) <= datetime.now(UTC)


def test_what_was_refused_for_now_is_shown(home: Path, database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    with database.transaction() as session:
        mails = [outbox.Queued(f"w{number}", f"w{number}@x.org", "", "", b"x") for number in range(22)]
        outbox.queue_all(session, [*mails, outbox.Queued("new", "new@x.org", "", "", b"x")], NOW)
        for mail in claimed(session, NOW, 22):
            outbox.mark_failed(session, mail.id, NOW, outbox.Failure("450 4.7.1 Greylisted", jitter=0.0))
    _, out, _ = run(home, capsys, "show")
    waiting = [line for line in out.splitlines() if "queued" in line]
    assert "queued      2026-11-20 18:00  to w0@x.org  next try 2026-11-20 18:01: 450 4.7.1 Greylisted" in waiting[0]
    assert len(waiting) == 20
    assert "2 more mails were refused for now" in out
    assert "new@x.org" not in out


def test_a_mail_that_is_under_way_for_long_is_shown(
    home: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    now = datetime.now(UTC)
    with database.transaction() as session:
        outbox.queue_all(session, [outbox.Queued("q", "carol@example.org", "", "", b"x")], now)
        claimed(session, now)
    assert "under way" not in run(home, capsys, "show")[1]
    with database.transaction() as session:
        outbox.queue_all(session, [outbox.Queued("r", "dave@example.org", "", "", b"x")], now - timedelta(minutes=3))
        claimed(session, now - timedelta(minutes=2))
    (line,) = [line for line in run(home, capsys, "show")[1].splitlines() if "under way" in line]
    assert "to dave@example.org" in line
    assert main(["check", "--home", str(home)]) in (0, 1)
    assert "1 mail under way for more than a minute, the first to dave@example.org" in capsys.readouterr().out


def test_one_is_explained_line_by_line(home: Path, database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(home, capsys, "explain", "1")
    assert status == 0
    said, _, head, row = out.splitlines()
    assert said == "mail 1, if it came now: unproved"
    assert head.split() == ["line", "origin", "meaning", "target", "fate", "reason", "text"]
    assert row.split(maxsplit=6) == ["1", "own", "talk", "-", "TALK", "plain", "A PAR-BUR"]
    assert state(database) is InboxState.ASIDE, "nothing is done"


@pytest.mark.parametrize("number", ["S1", "7"])
def test_what_did_not_arrive_is_not_explained(
    home: Path, database: Database, capsys: pytest.CaptureFixture[str], number: str
) -> None:
    status, _, err = run(home, capsys, "explain", number)
    assert status == 1
    assert f"There is no mail {number} that arrived." in err


def test_what_somebody_was_written_and_what_the_relay_said(
    home: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--to`, `--from` and `--game`: subject, purpose, when it was sent, and the relay's name for it."""
    with database.transaction() as session:
        for number, game in ((1, "spring"), (2, "autumn")):
            reply = f"Reply-To: gm+{game}.{'a2' * 13}@localhost\r\n"
            raw = f"Subject: {game}: Spring 1901\r\n{reply}\r\nHi\r\n".encode()
            mail = outbox.Queued(f"report:{number}", "ann@example.org", "", f"<{number}@localhost>", raw)
            outbox.queue_all(session, [mail], NOW)
        assert outbox.mark_sent(session, 2, NOW, "250 2.0.0 Ok: queued as 4bFq2X1") is not None
    status, out, _ = run(home, capsys, "show", "--to", "Ann@Example.org")
    assert status == 0
    assert "S2  sent        2026-11-20 18:00  to ann@example.org  sent 18:00:00" in out
    assert "the relay said: 250 2.0.0 Ok: queued as 4bFq2X1\n" in out
    assert "spring: Spring 1901  (report)" in out
    assert "S3  queued      2026-11-20 18:00  to ann@example.org  waits to be sent" in out
    assert "Envelope" not in out
    assert "relay said:  250" in run(home, capsys, "show", "S2")[1]
    _, out, _ = run(home, capsys, "show", "--game", "spring")
    assert ("S2" in out, "S3" in out) == (True, False)
    _, out, _ = run(home, capsys, "show", "--from", "ann@example.org")
    assert ("my orders" in out, "S2" in out) == (True, False)
    assert run(home, capsys, "show", "--to", "nobody@example.org")[:2] == (1, "There is no such mail.\n")
