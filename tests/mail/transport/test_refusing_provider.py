"""A provider that refuses for a while, in a real SMTP dialogue: everything is kept, people learn of it at once, and all
of it arrives exactly once when the provider is back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from gm.machine.delivery import note_cap
from gm.mail.transport.smtp_out import Sender, Timeouts
from gm.settings import SendSettings
from gm.store import outbox, refusals
from gm.store.outbox import GIVE_UP_AFTER, OutboxState
from gm.store.sent import BounceRow
from tests.cli.server import read
from tests.mail.transport.mailserver import HANG_UP, SILENCE, MailServer
from tests.server.world import World, player, text_of

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")]

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

    def renew(self) -> None:
        """Another sender: to the one before, the route may be shut for some seconds yet."""
        self.sender.close()
        settings = SendSettings(Path(), kind="smtp", port=self.provider.port, user="gm", password="right")
        self.sender = Sender(settings, timeouts=Timeouts(5, 0.2))

    def arrived(self) -> Counter[str]:
        """How often each mail that was taken came, by its Message-ID."""
        return Counter(str(read(mail.raw)["Message-ID"]) for mail in self.provider.taken)

    def words_to(self, recipient: str) -> str:
        return " ".join(text_of(read(mail.raw)) for mail in self.provider.taken if mail.recipients == (recipient,))

    def go_on(self) -> None:
        """Let some minutes pass, in which all is tried again."""
        self.world.pass_time_quietly(minutes=3)
        self.work()

    def stuck(self, domain: str = "") -> bool:
        with self.world.looking() as session:
            return refusals.stuck(session, domain) is not None

    def counts(self) -> dict[OutboxState, int]:
        with self.world.looking() as session:
            return outbox.counts(session)

    def bounced(self) -> list[str]:
        with self.world.looking() as session:
            return list(session.scalars(select(BounceRow.recipient).where(BounceRow.hard)))

    def recovered(self) -> None:
        """After the provider has taken mail again for a while, each mail has come once, and none is left."""
        for power in POWERS:
            self.recovered_of(player(power), 1)

    def recovered_of(self, address: str, number: int) -> None:
        """The same, where this number of receipts was for this address."""
        self.provider.answers.clear()
        for _ in range(4):
            self.world.pass_time_quietly(hours=5)
            self.work()
        counts = self.counts()
        assert (counts[OutboxState.QUEUED], counts[OutboxState.FAILED]) == (0, 0)
        assert set(self.arrived().values()) == {1}
        assert self.words_to(address).count("Your mail was understood.") == number


@pytest.fixture
def provided(tmp_path: Path) -> Iterator[Provided]:
    world = World(tmp_path)
    seats = world.started()
    world.pass_time(minutes=1)
    with MailServer(password="right") as provider:
        settings = SendSettings(tmp_path, kind="smtp", port=provider.port, user="gm", password="right")
        note = partial(note_cap, world.service)
        sender = Sender(settings, hostname="gm.example.org", timeouts=Timeouts(5, 0.2), note=note)
        found = Provided(world, provider, sender, seats)
        yield found
        found.sender.close()


REFUSALS = [
    pytest.param({"RCPT": "550 5.4.5 Daily user sending quota exceeded"}, id="quota at RCPT"),
    pytest.param({"DATA": "550 5.4.5 Daily user sending quota exceeded"}, id="quota at DATA"),
    pytest.param({"MAIL": "550 5.4.5 Daily user sending quota exceeded"}, id="quota at MAIL"),
    pytest.param({"DATA": "554 5.7.1 Message rejected for policy reasons"}, id="policy at DATA"),
    pytest.param({"RCPT": "550 5.7.26 This mail is unauthenticated"}, id="policy at RCPT"),
    pytest.param({"MAIL": "550 5.7.1 Sender address rejected: not owned by user"}, id="sender at MAIL"),
    pytest.param({"RCPT": "554 5.7.1 <x>: Relay access denied"}, id="relay access denied"),
    pytest.param({"RCPT": "550 5.1.1 <x>: User unknown in local recipient table"}, id="it knows nobody"),
    pytest.param({"RCPT": "550 5.1.2 Host unknown"}, id="it knows no host"),
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
    provided.go_on()
    provided.recovered()
    for told in (OPERATOR, MASTER):
        assert "refused" in provided.words_to(told), told
        assert "bounced" not in provided.words_to(told), told
    assert provided.bounced() == []
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


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param({"RCPT": "450 4.7.1 Greylisted, try again in 300 seconds"}, id="450 at RCPT"),
        pytest.param({"DATA": "452 4.2.2 Full"}, id="452 at the end"),
        pytest.param({"RCPT": "550 4.2.1 Mailbox disabled"}, id="550 4.2.1"),
        pytest.param({"DATA": HANG_UP}, id="the connection drops in DATA"),
    ],
)
def test_what_takes_nothing_for_hours_is_told_once_whatever_it_says(
    provided: Provided, answers: dict[str, str]
) -> None:
    provided.provider.answers.update(answers)
    provided.ask()
    for _ in range(10):
        provided.world.pass_time_quietly(hours=2)
        provided.work()
    assert provided.stuck()
    provided.recovered()
    told = [str(read(mail.raw)["Subject"]) for mail in provided.provider.taken if mail.recipients == (OPERATOR,)]
    assert [subject.split(":")[1].strip(" .") for subject in told] == ["All mail is refused", "Mail is accepted again"]
    assert provided.bounced() == []


def test_a_full_mailbox_concerns_its_owner_only(provided: Provided) -> None:
    provided.provider.answers[f"RCPT {player('France')}"] = "552 5.2.2 The mailbox is full"
    provided.ask()
    assert {mail.recipients for mail in provided.provider.taken} == {(player("Italy"),), (player("Turkey"),)}
    assert not provided.stuck("players.example")
    provided.recovered()


def test_one_destination_that_refuses_holds_up_no_other_and_all_are_told(provided: Provided) -> None:
    for power in POWERS:
        provided.provider.answers[f"RCPT {player(power)}"] = "550 5.7.1 Your network is on our block list"
    provided.ask()
    provided.go_on()
    assert {mail.recipients for mail in provided.provider.taken} == {(OPERATOR,), (MASTER,)}
    assert "All mail to players.example is refused" in provided.words_to(OPERATOR)
    assert "on our block list" in provided.words_to(MASTER)
    provided.world.arrive(MASTER, provided.seats["GM"], "DASHBOARD")
    provided.work()
    assert "All mail to players.example is refused" in provided.words_to(MASTER)
    provided.recovered()


NOBODY = "550 5.1.1 <x>: User unknown in local recipient table"


def test_an_address_is_dead_that_is_refused_as_unknown_by_a_relay_that_takes_others(provided: Provided) -> None:
    provided.provider.answers[f"RCPT {player('France')}"] = NOBODY
    provided.ask()
    assert provided.bounced() == [player("France")]
    assert "Pat France (France) bounced" in provided.words_to(MASTER)
    assert not provided.stuck()


@pytest.mark.parametrize("first", ["France", "GM"])
def test_who_is_known_after_all_is_not_dead_and_nobody_is_told(provided: Provided, first: str) -> None:
    """A relay that knew nobody for some seconds, in which it refused less than three addresses."""
    for address in (player("France"), MASTER):
        provided.provider.answers[f"RCPT {address}"] = NOBODY
    provided.provider.answers[f"RCPT {OPERATOR}"] = "450 4.7.1 Greylisted"
    provided.world.arrive(player("France"), provided.seats["France"], "STATUS")
    provided.work()
    assert player("France") in provided.bounced()
    provided.provider.answers.clear()
    provided.world.pass_time_quietly(seconds=20)
    sender = MASTER if first == "GM" else player(first)
    provided.world.arrive(sender, provided.seats[first], "STATUS")
    provided.work()
    assert provided.bounced() == []
    provided.recovered_of(player("France"), 1 + (first == "France"))
    assert provided.bounced() == []
    for told in (OPERATOR, MASTER):
        assert "Mail to Pat" not in provided.words_to(told), told


def test_several_dead_addresses_one_after_another_are_dead_when_another_is_accepted(provided: Provided) -> None:
    for power in POWERS:
        provided.provider.answers[f"RCPT {player(power)}"] = NOBODY
    provided.provider.answers[f"RCPT {MASTER}"] = "450 4.7.1 Greylisted"
    provided.provider.answers[f"RCPT {OPERATOR}"] = "450 4.7.1 Greylisted"
    provided.ask()
    assert provided.bounced() == []
    assert provided.stuck()
    provided.world.arrive(player("Austria"), provided.seats["Austria"], "STATUS")
    provided.work()
    assert set(provided.bounced()) == {player(power) for power in POWERS}
    assert not provided.stuck()


def test_nobody_is_dead_while_nothing_was_accepted_for_long(provided: Provided) -> None:
    provided.world.pass_time_quietly(hours=2)
    provided.provider.answers[f"RCPT {player('France')}"] = NOBODY
    provided.world.arrive(player("France"), provided.seats["France"], "STATUS")
    provided.work()
    assert provided.bounced() == []
    assert provided.counts()[OutboxState.QUEUED] == 1


def test_a_domain_whose_every_address_is_unknown_is_not_dead_because_others_are_accepted(provided: Provided) -> None:
    for power in POWERS:
        provided.provider.answers[f"RCPT {player(power)}"] = NOBODY
    provided.ask()
    provided.go_on()
    assert {mail.recipients for mail in provided.provider.taken} == {(OPERATOR,), (MASTER,)}
    assert provided.bounced() == []
    assert provided.stuck("players.example")
    assert "All mail to players.example is refused" in provided.words_to(OPERATOR)
    provided.recovered()


def test_what_was_given_up_because_all_was_refused_is_sent_by_a_flush(provided: Provided) -> None:
    provided.provider.answers["RCPT"] = NOBODY
    provided.ask()
    for _ in range(3):
        provided.world.pass_time_quietly(hours=GIVE_UP_AFTER // timedelta(hours=2))
        provided.work()
    counts = provided.counts()
    assert counts[OutboxState.FAILED] >= len(POWERS)
    assert provided.bounced() == []
    provided.provider.answers.clear()
    with provided.world.database.transaction() as session:
        flushed = refusals.flush(session, provided.world.time)
    assert flushed == counts[OutboxState.FAILED] + counts[OutboxState.QUEUED]
    provided.work()
    provided.recovered()
