"""A relay that misbehaves for ten minutes, in fifteen ways, in a real SMTP dialogue: no mail is lost and none comes
twice but where the relay took it and did not say so; an operator who is told of it is told as often that it is over.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.mail.transport.smtp_out import Sender, Timeouts
from gm.settings import SendSettings
from tests.mail.transport.mailserver import HANG_UP, TAKEN
from tests.mail.transport.test_refusing_provider import OPERATOR, POWERS, Provided, provided
from tests.server.world import player

__all__ = ["provided"]  # the fixture

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

NO_REPLY = "25 ok"
UNSAID = (TAKEN, NO_REPLY)

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
    "it takes a mail and what it says is no reply": ("DATA", NO_REPLY),
}


@pytest.mark.parametrize(("verb", "answer"), WAYS.values(), ids=WAYS)
def test_nothing_is_lost_or_sent_twice_and_who_is_told_is_told_when_it_is_over(
    provided: Provided, tmp_path: Path, verb: str, answer: str
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
    provided.sender.close()
    provided.sender = Sender(
        SendSettings(tmp_path, kind="smtp", port=provider.port, user="gm", password="right"), timeouts=Timeouts(5, 0.2)
    )  # to the other, the route is shut for some seconds yet
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
