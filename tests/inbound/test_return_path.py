"""What comes to a return path: bounces of the mails that were sent with it, automatic replies, what people write there,
and bounces of mails that are not ours.
"""

from __future__ import annotations

import pytest

from gm.inbound.acceptance import accept
from gm.store import inbox
from gm.store.inbox import ArrivedMail, InboxState
from tests.server.bounces import FRANCE, UNKNOWN, bounce, noted, report, return_path
from tests.server.world import BASE, World, player, text_of
from tests.tables import table


def test_every_recipient_has_a_return_path_for_each_game(world: World, seats: dict[str, str]) -> None:
    paths = {return_path(world, player(power)) for power in ("France", "Italy", "Turkey")}
    assert len(paths) == 3
    assert all(path.startswith("gm+return.") and path.endswith("@example.org") for path in paths)
    before = return_path(world, FRANCE)
    world.send(FRANCE, seats["France"], "STATUS")
    assert return_path(world, FRANCE) == before, "one that is greylisted is known the next time"
    world.send(FRANCE, BASE, "LIST")
    assert return_path(world, FRANCE) != before


def test_an_absence_notice_to_the_return_path_is_neither_bounce_nor_mail(world: World, seats: dict[str, str]) -> None:
    notice = world.mail(FRANCE, BASE, "A PAR-BUR\nI am on holiday.", headers={"Auto-Submitted": "auto-replied"})
    bounce(world, return_path(world, FRANCE), notice)
    assert noted(world) == []
    assert world.inbox()[-1].state is InboxState.IGNORED
    assert "Burgundy" not in text_of(world.send(FRANCE, seats["France"], "STATUS"))


def test_a_forged_return_path_does_nothing(world: World, seats: dict[str, str]) -> None:
    bounce(world, f"gm+return.{'a' * 20}@example.org", report(FRANCE, *UNKNOWN))
    assert noted(world) == []
    assert world.inbox()[-1].state is InboxState.IGNORED


def test_whatever_comes_to_a_return_path_is_a_bounce(world: World, seats: dict[str, str]) -> None:
    bounce(world, return_path(world, FRANCE), b"From: <>\nSubject: xyzzy\nMessage-ID: <1@mx>\n\nplugh\n")
    assert [(row.recipient, row.hard, row.reason) for row in noted(world)] == [(FRANCE, False, "unknown")]
    assert world.inbox()[-1].state is InboxState.IGNORED, "it is listed, because nobody has read it"


@pytest.mark.parametrize(
    ("sender", "header"),
    [(FRANCE, "X-Nothing: x"), ("assistant@players.example", "Auto-Submitted: auto-replied")],
    ids=["its recipient's own words", "an automatic reply from elsewhere"],
)
def test_what_is_no_bounce_at_a_return_path(world: World, seats: dict[str, str], sender: str, header: str) -> None:
    raw = f"From: <{sender}>\nSubject: xyzzy\nMessage-ID: <1@mx>\n{header}\n\nplugh\n".encode()
    bounce(world, return_path(world, FRANCE), raw)
    assert noted(world) == []


@pytest.mark.parametrize("sender", [FRANCE, player("Italy"), "somebody@elsewhere.example"])
@pytest.mark.parametrize("subject", ["My plans", "Bounce in Galicia: it could not be done, 550 5.1.1 user unknown"])
def test_a_person_s_mail_to_a_return_path_is_listed_and_answered_when_replayed(
    world: World, seats: dict[str, str], sender: str, subject: str
) -> None:
    path = return_path(world, FRANCE)
    words = subject if "elsewhere" not in sender else "It bounced in Galicia."
    raw = f"From: <{sender}>\nTo: <{path}>\nSubject: {words}\nMessage-ID: <1@x>\n\n{words}\n".encode()
    answers = len(world.mailboxes.get(sender, []))
    assert accept(world.service, ArrivedMail("smtp", raw, world.time, (path,), sender))
    world.work()
    mail = world.inbox()[-1]
    assert noted(world) == []
    assert (mail.state, len(world.mailboxes.get(sender, []))) == (InboxState.IGNORED, answers)
    assert "not a bounce, though it came to the return path" in mail.note
    with world.database.transaction() as session:
        assert inbox.try_again(session, mail.id)
    world.work()
    assert noted(world) == []
    assert "is not a seat's address" in text_of(world.last(sender))


FOREIGN = b"Message-ID: <dsnfoo@mx.example.org>\nSubject: Undelivered\n\nx\n"


@table("""
    recipient                   | returned     | state   | hard
    mailer-daemon@mx.elsewhere  | foreign      | ignored | -
    france@elsewhere.example    | own subject  | ignored | -
    france                      | foreign      | done    | yes
    france                      | id only      | done    | yes
    Italy                       | foreign      | ignored | -
    france                      | own subject  | done    | yes
    france                      | own seat     | done    | yes
    france                      | Italy's seat | done    | no
    france@elsewhere.example    | own name     | done    | no
    mailer-daemon@mx.elsewhere  | nested       | ignored | -
""")
def test_what_a_bounce_of_a_foreign_mail_proves(
    world: World, seats: dict[str, str], recipient: str, returned: str, state: str, hard: str
) -> None:
    news = world.last(FRANCE)
    own = f"Message-ID: {news['Message-ID']}\n".encode()
    original = {
        "foreign": FOREIGN,
        "id only": b"Message-ID: <0100018@email.ses.example>\n\n",
        "own subject": FOREIGN.replace(b"Undelivered", str(news["Subject"]).encode()),
        "own seat": FOREIGN.replace(b"Subject", f"Reply-To: <{seats['France']}>\nSubject".encode()),
        "Italy's seat": FOREIGN.replace(b"Subject", f"Reply-To: <{seats['Italy']}>\nSubject".encode()),
        "own name": own + b"\nx\n",
        "nested": FOREIGN + own,
    }
    named = player(recipient) if "@" not in recipient else recipient
    bounce(world, return_path(world, FRANCE), report(named, *UNKNOWN, original=original[returned]))
    mail = world.inbox()[-1]
    assert mail.state == state, mail.note
    assert [(row.recipient, row.hard) for row in noted(world)] == ([(FRANCE, hard == "yes")] if hard != "-" else [])
