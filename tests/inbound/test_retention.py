"""What is deleted: by FORGET ME, by `gm forget` and `gm tidy`, and by a running server after a time."""

from __future__ import annotations

import json
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import select, text

from gm.cli import main
from gm.inbound.acceptance import accept
from gm.machine.steps import Tidying
from gm.settings import Level, TrustSettings
from gm.store import forgetting, outbox, retention
from gm.store.database import Database
from gm.store.inbox import ArrivedMail, InboxRow, InboxState
from gm.store.outbox import OutboxRow, OutboxState
from gm.store.people import AddressRow
from gm.store.records import LogRow
from tests.inbound.test_trust import question
from tests.server.world import BASE, World, player, proved, reply_to, text_of

FRANCE, MASTER = player("France"), "master@example.org"


def everything(database: Database) -> str:
    """All that the database holds, as one text."""
    with database.engine.connect() as connection:
        tables = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars().all()
        rows = [row for name in tables for row in connection.execute(text(f'SELECT * FROM "{name}"')).all()]
    return " ".join(
        value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value) for row in rows for value in row
    ).lower()


def on_disk(folder: Path) -> bytes:
    """The database's files as they are, with the write-ahead log, in lower case."""
    return b"".join(file.read_bytes() for file in sorted(folder.glob("gm.sqlite3*"))).lower()


def test_events_hold_nobodys_address_or_name(world: World) -> None:
    seats = world.started()
    world.promotes(MASTER, seats["GM"], "INVITE new@example.org\nPROMOTE second@example.org")
    world.send(MASTER, seats["GM"], "REPLACE Italy WITH heir@example.org")
    world.accepts("heir@example.org")
    world.send(FRANCE, seats["France"], "REGISTER Marianne Dupont")
    with world.looking() as session:
        events = json.dumps([event.detail for event in session.scalars(select(LogRow))])
    assert "@" not in events
    for name in ("Marianne", "Pat", "Heir", "second"):
        assert name.lower() not in events.lower()
    log = text_of(world.send(MASTER, seats["GM"], "LOG"))
    assert "replace (Heir, power Italy)" in log
    assert "(Marianne Dupont" in log


@pytest.mark.way_in(number=12)
def test_who_is_forgotten_leaves_no_address_and_no_name(tmp_path: Path, level: Level) -> None:
    world = World(tmp_path, trust=TrustSettings(level="open"))
    seats = world.started()
    world.send(FRANCE, seats["France"], "REGISTER Marianne Dupont\nA PAR-BUR")
    object.__setattr__(world.service.identity, "trust", TrustSettings(level=level, authserv_ids=("mx.home",)))
    passed = proved("@players.example")
    world.arrive("thief@evil.example", seats["France"], "A PAR-PIC")
    world.work()
    assert FRANCE.encode() in on_disk(tmp_path)
    assert b"marianne" in on_disk(tmp_path)
    answer = world.send(FRANCE, seats["France"], "FORGET ME", headers=passed)
    assert "diaries" in text_of(world.last(FRANCE)) or level == "strict"
    if "asks you to confirm" in text_of(answer) or "Not done yet" in text_of(answer):
        world.send(FRANCE, reply_to(question(world, FRANCE)), "YES", headers=passed)
    assert "erased" in text_of(world.last(FRANCE))
    world.tidy()
    held = everything(world.database)
    assert "bur" in held, "the orders stay part of their game"
    assert FRANCE.encode() not in on_disk(tmp_path)
    assert b"marianne" not in on_disk(tmp_path)
    world.database.dispose()


def test_old_mails_lose_their_content_and_are_known_again(world: World) -> None:
    seats = world.started()
    raw = world.mail(FRANCE, seats["France"], "A PAR-BUR", message_id="<again@players.example>")
    mail = ArrivedMail("smtp", raw, world.time, (seats["France"],), FRANCE)
    assert accept(world.service, mail)
    world.work()
    world.arrive("stranger@evil.example", seats["France"], "A PAR-GAS")
    world.work()
    step = Tidying(world.service, 30)
    assert step.step(world.time + timedelta(days=1)) == world.time + timedelta(days=2), "nothing is old"
    later = world.time + timedelta(days=40)
    assert step.step(later) == later
    assert step.step(later) == later + timedelta(days=1)
    kept = [mail for mail in world.inbox() if mail.raw]
    assert [mail.state for mail in kept] == [InboxState.QUARANTINED]
    with world.looking() as session:
        sent = session.scalars(select(OutboxRow).where(OutboxRow.state == OutboxState.SENT)).all()
    assert sent
    assert not [mail for mail in sent if mail.raw or mail.recipient or "@" in mail.purpose]
    assert not accept(world.service, mail), "the same mail once more"
    assert "A Par-Bur" in text_of(world.send(FRANCE, seats["France"], "MY ORDERS"))


def test_the_operators_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home"
    assert main(["init", "--home", str(home)]) == 0
    world = World(home)
    world.started()
    world.send("reader@example.org", BASE, "LIST")
    world.database.dispose()
    assert main(["forget", "--home", str(home), FRANCE]) == 0
    assert "is forgotten" in capsys.readouterr().out
    assert [seat.power for seat in world.seats() if seat.person is None] == ["France"]
    assert main(["forget", "--home", str(home), "reader@example.org"]) == 0
    assert "Nobody is registered" in capsys.readouterr().out
    assert main(["forget", "--home", str(home), "reader@example.org"]) == 1
    assert "nothing was deleted" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["forget", "--home", str(home), "nonsense"])
    assert main(["forget", "--home", str(home), MASTER]) == 1
    assert "only gamemaster" in capsys.readouterr().err
    assert main(["tidy", "--home", str(home)]) == 1
    assert "keep_days" in capsys.readouterr().err
    assert main(["tidy", "--home", str(home), "--days", "36500"]) == 0
    assert "0 mails" in capsys.readouterr().out
    world.database.dispose()


def test_mail_of_somebody_never_registered_is_forgotten_too(world: World) -> None:
    world.send("curious@example.org", BASE, "LIST")
    assert "curious@example.org" in everything(world.database)
    with world.database.transaction() as session:
        forgetting.forget(session, {"curious@example.org"})
    assert Tidying(world.service, 0).forget() == 2
    assert "curious@example.org" not in everything(world.database)


def test_old_mails_that_were_given_up_lose_their_content_too(world: World) -> None:
    world.started()
    with world.database.transaction() as session:
        outbox.queue_all(session, [outbox.Queued("p", "bob@example.org", "", "", b"x")], world.time)
        mail = outbox.claim_next(session, world.time)
        assert mail is not None
        outbox.mark_failed(session, mail.id, world.time, outbox.Failure("550 no", jitter=0.0, final=True))
    with world.database.transaction() as session:
        assert [one.recipient for one in outbox.failed(session)] == ["bob@example.org"]
        retention.thin(session, world.time)
        assert session.get_one(OutboxRow, mail.id).raw == b"x"
        retention.thin(session, world.time + timedelta(seconds=1))
    with world.looking() as session:
        assert session.get_one(OutboxRow, mail.id).raw == b""
        assert outbox.failed(session) == [], "there is nothing to show of it"


@pytest.mark.parametrize("address", ["e@players.example", "france@players.exam", "france@players.example.org"])
def test_nothing_of_others_is_deleted_for_a_word_that_their_mails_have(world: World, address: str) -> None:
    """Neither for a name, which people choose, nor for an address that is a part of another one."""
    world.started()
    world.work()
    with world.looking() as session:
        before = session.scalars(select(OutboxRow.id).where(OutboxRow.raw != b"")).all()
    assert before
    with world.trusting():
        world.send(address, BASE, "REGISTER Date")
        world.send(address, BASE, "FORGET ME")
    world.tidy()
    with world.looking() as session:
        left = session.scalars(select(OutboxRow.id).where(OutboxRow.raw != b"")).all()
        assert not session.scalars(select(AddressRow).where(AddressRow.email == address)).all()
    assert set(before) <= set(left)


def test_a_mail_about_which_somebody_else_is_asked_is_kept(world: World) -> None:
    world.started()
    quoted = "On Mon, Evil <evil@evil.example> wrote:\n> hello"
    world.arrive(FRANCE, BASE, f"ADDRESS ADD new@players.example\n\n{quoted}")
    world.work()
    with world.trusting():
        world.send("evil@evil.example", BASE, "REGISTER Evil")
        world.send("evil@evil.example", BASE, "FORGET ME")
    world.tidy()
    for address in (FRANCE, "new@players.example"):
        world.arrive(address, reply_to(world.last(address)), "YES")
        world.work()
    assert "new@players.example is now an address" in " ".join(text_of(mail) for mail in world.mailboxes[FRANCE])


@pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64"])
def test_an_address_is_found_however_a_mail_writes_it(world: World, encoding: str) -> None:
    """In another case, broken over two lines, or encoded."""
    said = EmailMessage()
    said["From"], said["To"], said["Subject"], said["Message-ID"] = MASTER, BASE, "hello", "<said@example.org>"
    said.set_content("I think that you mean " + "very " * 8 + FRANCE.title() + " of Paris.", cte=encoding)
    with world.trusting():
        world.send(FRANCE, BASE, "REGISTER Marianne")
    assert accept(world.service, ArrivedMail("smtp", said.as_bytes(), world.time, (BASE,), MASTER))
    world.work()
    with world.trusting():
        world.send(FRANCE, BASE, "FORGET ME")
    world.tidy()
    with world.looking() as session:
        (mail,) = session.scalars(select(InboxRow).where(InboxRow.message_id == "<said@example.org>"))
        assert mail.raw == b""


def test_forgetting_takes_no_longer_with_many_mails(world: World) -> None:
    """Mails are looked at some at a time: the transaction of FORGET ME reads none, and what stops goes on later."""
    with world.trusting():
        world.send(FRANCE, BASE, "REGISTER Marianne")
    texts = [f"Subject: x\n\n{FRANCE if one % 2 else 'Somebody'} is here".encode() for one in range(350)]
    many = [outbox.Queued(f"p{one}", MASTER, "", "", raw) for one, raw in enumerate(texts)]
    with world.database.transaction() as session:
        outbox.queue_all(session, many, world.time)
    world.work()
    with world.trusting():
        world.send(FRANCE, BASE, "FORGET ME")

    def left() -> int:
        with world.looking() as session:
            return sum(FRANCE.encode() in raw for raw in session.scalars(select(OutboxRow.raw)))

    before, step = left(), Tidying(world.service, 0)
    assert before >= 175
    assert step.step(world.time) == world.time, "there is more to be done"
    assert 0 < left() < before
    world.tidy()
    assert left() == 0
    with world.looking() as session:
        assert not session.scalars(select(forgetting.ForgottenRow)).all()
