"""A relay that misbehaves for ten minutes, in sixteen ways, in a real SMTP dialogue: no mail is lost and none comes
twice but where the relay took it and did not say so; an operator who is told of it is told as often that it is over.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from gm.errors import WayOutFailed
from gm.store import mail_servers
from gm.store.mail_servers import Kind
from gm.store.outbox import OutboxState
from tests.cli.server import read
from tests.mail.transport.mailserver import HANG_UP, TAKEN, TAKEN_AND_GONE
from tests.mail.transport.test_refusing_provider import OPERATOR, POWERS, Provided, provided
from tests.server.world import player, text_of

__all__ = ["provided"]  # the fixture

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

NO_REPLY = "25 ok"
UNSAID = (TAKEN, TAKEN_AND_GONE, NO_REPLY)

WAYS = {
    "it is away": ("away", ""),
    "it shuts down at MAIL": ("MAIL", "421 4.3.2 shutting down"),
    "it is busy at MAIL": ("MAIL", "451 4.3.0 try again"),
    "it is gone at MAIL": ("MAIL", HANG_UP),
    "it shuts down at RCPT": ("RCPT", "421 4.3.2 shutting down"),
    "it shuts down at DATA": ("DATA", "421 4.3.2 shutting down"),
    "it is busy at RCPT": ("RCPT", "452 4.5.3 too many recipients"),
    "it refuses at RCPT": ("RCPT", "550 5.4.5 quota exceeded"),
    "it is gone at RCPT": ("RCPT", HANG_UP),
    "it is busy at DATA": ("DATA", "451 4.3.0 try again"),
    "it refuses at DATA": ("DATA", "554 5.7.1 rejected for policy reasons"),
    "it is gone at DATA": ("DATA", HANG_UP),
    "it takes a mail and says so oddly": ("DATA", "252 taken, I think"),
    "it takes a mail and is gone": ("DATA", TAKEN),
    "it takes a mail and shuts down": ("DATA", TAKEN_AND_GONE),
    "it takes a mail and what it says is no reply": ("DATA", NO_REPLY),
}


@pytest.mark.parametrize(("verb", "answer"), WAYS.values(), ids=WAYS)
def test_nothing_is_lost_or_sent_twice_and_who_is_told_is_told_when_it_is_over(
    provided: Provided, verb: str, answer: str
) -> None:
    provider = provided.provider
    if verb == "away":
        provider.stop()
    else:
        provider.answers[verb] = answer
    provided.ask()
    for _ in range(3):
        provided.go_on()
    if verb == "away":
        provider.start()
    provider.answers.clear()
    provided.renew()
    for _ in range(4):
        provided.world.pass_time_quietly(hours=5)
        provided.work()
    times = provided.arrived()
    assert len(times) >= len(POWERS)
    assert max(times.values()) <= (2 if answer in UNSAID else 1)
    for power in POWERS:
        assert provided.words_to(player(power)).count("Your mail was understood.") == 1 + (answer in UNSAID)
    said = " ".join(provided.words_to(OPERATOR).split())
    told, over = (said.count(words) for words in ("It is kept, and tried again", "accepted again"))
    assert told == over, "whoever is told of it is told when it is over"
    assert told <= 1, "the operator is told once, of the widest that is refused"


CAPS = ("451 4.7.1 too many messages in this session", "452 4.5.3 too many recipients", "421 4.7.0 too many messages")


@pytest.mark.parametrize("said", CAPS)
@pytest.mark.parametrize("verb", ["MAIL", "RCPT"])
def test_a_relay_that_takes_two_mails_a_connection_refuses_nobody_and_nobody_is_told(
    provided: Provided, verb: str, said: str
) -> None:
    provided.provider.each, provided.provider.answers[f"{verb} then"] = 2, said
    for _ in range(3):
        provided.ask()
        provided.go_on()
    assert provided.counts()[OutboxState.QUEUED] == 0
    assert set(provided.arrived().values()) == {1}
    assert provided.words_to(OPERATOR) == ""
    with provided.world.looking() as session:
        [cap] = mail_servers.caps(session, provided.world.time)
    assert (cap.kind, cap.most, cap.words) == (Kind.MAILS, 2, said)


@dataclass
class Slow:
    """Takes so many mails, and defers all others."""

    left: int = 0
    taken: list[str] = field(default_factory=list)

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> str:
        if not self.left:
            raise WayOutFailed("451 4.7.1 too fast")
        self.left -= 1
        self.taken.append(text_of(read(raw)))
        return "250 OK"


def test_a_relay_that_takes_one_mail_a_minute_is_told_of_to_nobody(provided: Provided) -> None:
    """Those that wait are old when they are refused again, but others are accepted meanwhile."""
    slow = Slow()
    for _ in range(15):
        provided.world.pass_time_quietly(seconds=5)
        for power in POWERS:
            provided.world.arrive(player(power), provided.seats[power], "STATUS")
        provided.world.work(slow)
        provided.world.pass_time_quietly(seconds=62)
        slow.left = 1
        provided.world.work(slow)
    slow.left = 100
    provided.world.pass_time_quietly(minutes=3)
    provided.world.work(slow)
    assert len(slow.taken) >= 15
    assert not [words for words in slow.taken if "It is kept, and tried again" in " ".join(words.split())]


@pytest.mark.parametrize("answer", UNSAID)
def test_what_was_taken_and_not_confirmed_comes_three_times_in_a_day(provided: Provided, answer: str) -> None:
    provided.provider.answers["DATA"] = answer
    provided.ask()
    for _ in range(40):
        provided.world.pass_time_quietly(minutes=30)
        provided.work()
    assert max(provided.arrived().values()) == 3
    assert provided.stuck(), "the operator is told"


def test_a_mail_that_alone_is_never_confirmed_is_given_up_and_the_operator_told_how_to_send_it(
    provided: Provided,
) -> None:
    provided.provider.answers[f"DATA {player('France')}"] = NO_REPLY
    provided.ask()
    for _ in range(8):
        provided.world.pass_time_quietly(hours=1)
        provided.work()
    assert max(provided.arrived().values()) == 3
    said = " ".join(provided.words_to(OPERATOR).split())
    assert said.count("Mail to france@players.example failed (no confirmation).") == 1
    assert "broke after the whole mail was sent" in said
    assert "`gm mail replay S" in said
    assert provided.bounced() == []
