"""A provider that refuses for a while, in a real SMTP dialogue: everything is kept, people learn of it at once, and all
of it arrives exactly once when the provider is back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gm.mail.transport.smtp_out import Sender, Timeouts
from gm.settings import SendSettings
from gm.store import outbox, sent
from gm.store.outbox import OutboxState
from tests.cli.server import read
from tests.mail.transport.mailserver import HANG_UP, SILENCE, MailServer
from tests.server.world import World, player, text_of

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

MASTER, OPERATOR = "master@example.org", "operator@example.org"
POWERS = ("France", "Italy", "Turkey")


@dataclass
class Provided:
    """A game, and the provider that its mail goes through."""

    world: World
    provider: MailServer
    sender: Sender
    seats: dict[str, str]

    def ask(self) -> None:
        """Three players and the gamemaster ask something; what can be sent is sent."""
        for power in POWERS:
            self.world.arrive(player(power), self.seats[power], "STATUS")
        self.work()

    def work(self) -> None:
        self.world.work(self.sender)

    def arrived(self) -> Counter[str]:
        """How often each mail that was taken came, by its Message-ID."""
        return Counter(str(read(mail.raw)["Message-ID"]) for mail in self.provider.taken)

    def words_to(self, recipient: str) -> str:
        return " ".join(text_of(read(mail.raw)) for mail in self.provider.taken if mail.recipients == (recipient,))

    def stuck(self, domain: str = "") -> bool:
        with self.world.looking() as session:
            return sent.stuck(session, domain) is not None

    def counts(self) -> dict[OutboxState, int]:
        with self.world.looking() as session:
            return outbox.counts(session)

    def recovered(self) -> None:
        """After the provider has taken mail again for a while, each mail has come once, and none is left."""
        self.provider.answers.clear()
        for _ in range(4):
            self.world.pass_time_quietly(hours=5)
            self.work()
        counts = self.counts()
        assert (counts[OutboxState.QUEUED], counts[OutboxState.FAILED]) == (0, 0)
        assert set(self.arrived().values()) == {1}
        for power in POWERS:
            assert self.words_to(player(power)).count("Your mail was understood.") == 1


@pytest.fixture
def provided(tmp_path: Path) -> Iterator[Provided]:
    world = World(tmp_path)
    seats = world.started()
    world.pass_time(minutes=1)
    with MailServer(password="right") as provider:
        settings = SendSettings(tmp_path, kind="smtp", port=provider.port, user="gm", password="right")
        sender = Sender(settings, hostname="gm.example.org", timeouts=Timeouts(5, 0.2))
        yield Provided(world, provider, sender, seats)
        sender.close()


REFUSALS = [
    pytest.param({"RCPT": "550 5.4.5 Daily user sending quota exceeded"}, id="quota at RCPT"),
    pytest.param({"DATA": "550 5.4.5 Daily user sending quota exceeded"}, id="quota at DATA"),
    pytest.param({"MAIL": "550 5.4.5 Daily user sending quota exceeded"}, id="quota at MAIL"),
    pytest.param({"DATA": "554 5.7.1 Message rejected for policy reasons"}, id="policy at DATA"),
    pytest.param({"RCPT": "550 5.7.26 This mail is unauthenticated"}, id="policy at RCPT"),
    pytest.param({"MAIL": "550 5.7.1 Sender address rejected: not owned by user"}, id="sender at MAIL"),
    pytest.param({"RCPT": "554 5.7.1 <x>: Relay access denied"}, id="relay access denied"),
    pytest.param({"MAIL": "530 5.7.0 Authentication required"}, id="another log-in is wanted"),
]


@pytest.mark.parametrize("answers", REFUSALS)
def test_when_all_is_refused_it_is_kept_and_all_are_told(provided: Provided, answers: dict[str, str]) -> None:
    provided.provider.answers.update(answers)
    provided.ask()
    assert provided.provider.taken == []
    assert provided.stuck()
    assert provided.counts()[OutboxState.FAILED] == 0
    connections = provided.provider.connections
    provided.work()
    assert provided.provider.connections == connections, "nothing is tried again before its time"
    provided.recovered()
    for told in (OPERATOR, MASTER):
        assert "refused" in provided.words_to(told), told
    assert not provided.stuck()


def test_a_refused_log_in(provided: Provided) -> None:
    provided.provider.password = "changed"
    provided.ask()
    assert provided.stuck()
    provided.provider.password = "right"
    provided.recovered()


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param({"RCPT": "450 4.7.1 Greylisted, try again in 300 seconds"}, id="greylisting"),
        pytest.param({"DATA": HANG_UP}, id="the connection drops in DATA"),
        pytest.param({"DATA": SILENCE}, id="no answer to DATA"),
        pytest.param({"RCPT": "421 4.3.2 Service shutting down"}, id="it shuts down"),
    ],
)
def test_what_will_pass_by_itself_is_tried_again_in_silence(provided: Provided, answers: dict[str, str]) -> None:
    provided.provider.answers.update(answers)
    provided.ask()
    assert provided.provider.taken == []
    assert not provided.stuck()
    provided.recovered()
    assert provided.words_to(OPERATOR) == ""


def test_a_full_mailbox_concerns_its_owner_only(provided: Provided) -> None:
    provided.provider.answers[f"RCPT {player('France')}"] = "552 5.2.2 The mailbox is full"
    provided.ask()
    assert {mail.recipients for mail in provided.provider.taken} == {(player("Italy"),), (player("Turkey"),)}
    assert not provided.stuck("players.example")
    provided.recovered()


def test_one_destination_that_refuses_holds_up_no_other_and_all_are_told_at_once(provided: Provided) -> None:
    for power in POWERS:
        provided.provider.answers[f"RCPT {player(power)}"] = "550 5.7.1 Your network is on our block list"
    provided.ask()
    assert {mail.recipients for mail in provided.provider.taken} == {(OPERATOR,), (MASTER,)}
    assert "All mail to players.example is refused" in provided.words_to(OPERATOR)
    assert "on our block list" in provided.words_to(MASTER)
    provided.world.arrive(MASTER, provided.seats["GM"], "DASHBOARD")
    provided.work()
    assert "All mail to players.example is refused" in provided.words_to(MASTER)
    provided.recovered()
