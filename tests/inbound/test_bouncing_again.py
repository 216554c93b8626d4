"""Mail to somebody bounces again and again: when the gamemaster is told, and what a replayed bounce means."""

from __future__ import annotations

from gm.store import inbox, sent
from tests.server.bounces import FRANCE, MASTER, UNKNOWN, bounce, noted, report, return_path
from tests.server.world import BASE, World, text_of


def test_the_gamemaster_is_notified_once_a_day(world: World, seats: dict[str, str]) -> None:
    for _ in range(3):
        bounce(world, return_path(world, FRANCE), report(FRANCE, "5.1.1", f"550 5.1.1 {len(noted(world))}"))
        world.send(MASTER, seats["GM"], "EXTEND 24h")
    assert sum("bounced" in str(mail["Subject"]) for mail in world.mailboxes[MASTER]) == 1


def told_of_bounces(world: World) -> int:
    return sum("bounced" in str(mail["Subject"]) for mail in world.mailboxes[MASTER])


def bounces(world: World, seats: dict[str, str]) -> None:
    """A new mail to France comes back."""
    world.send(MASTER, seats["GM"], "EXTEND 24h")
    bounce(world, return_path(world, FRANCE), report(FRANCE, "5.1.1", f"550 5.1.1 {world.time} {len(world.inbox())}"))


def test_each_time_that_mail_bounces_anew_is_told_once(world: World, seats: dict[str, str]) -> None:
    bounces(world, seats)
    bounces(world, seats)
    assert told_of_bounces(world) == 1
    world.send(FRANCE, seats["France"], "A PAR-BUR")
    bounces(world, seats)
    bounces(world, seats)
    assert told_of_bounces(world) == 2, "the player has written"
    world.pass_time(minutes=1)
    world.send(MASTER, seats["GM"], "EXTEND 24h")
    world.pass_time(minutes=30)
    bounces(world, seats)
    bounces(world, seats)
    assert told_of_bounces(world) == 3, "a mail has arrived"


def test_who_writes_and_bounces_by_turns_is_told_of_five_times_a_day(world: World, seats: dict[str, str]) -> None:
    for _ in range(8):
        bounces(world, seats)
        world.pass_time(minutes=1)
        world.send(FRANCE, seats["France"], "STATUS")
    assert told_of_bounces(world) == 5


def test_a_replayed_bounce_concerns_the_mail_that_it_came_for_at_the_time_when_it_came(
    world: World, seats: dict[str, str]
) -> None:
    with world.looking() as session:
        concerned = sent.by_message_id(session, str(world.last(FRANCE)["Message-ID"]))
    came = world.time
    rewritten = b"Message-ID: <0100abc@ses.example>\nSubject: x\n\nx\n"
    bounce(world, BASE, report(FRANCE, *UNKNOWN, original=rewritten))
    world.pass_time(minutes=20)
    world.send(MASTER, seats["GM"], "EXTEND 24h")
    mail = world.inbox()[-2]
    with world.database.transaction() as session:
        assert inbox.try_again(session, mail.id)
    world.work()
    assert concerned is not None
    assert [(row.outbox_id, row.at) for row in noted(world)] == [(concerned.id, came)]
    assert f"of mail {concerned.number} to {FRANCE}" in world.inbox()[-2].note
    assert "bounced on Fri 20 Nov 2026, 09:00" in text_of(world.send(FRANCE, seats["France"], "STATUS"))
