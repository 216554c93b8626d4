"""The whole way: swaks to Postfix, to a plus-address, by IMAP to `gm serve`, the answer by Postfix into a mailbox.

The IMAP server is stopped and started again under way, and mail to an unknown address bounces.
"""

from __future__ import annotations

import email
import email.policy
import sqlite3
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage

import pytest

from gm.mail.transport.listener import Listener
from gm.settings import ListenSettings
from tests.cli.server import Running, text_of
from tests.mail.transport.conftest import eventually
from tests.mail.transport.dovecot import PASSWORD, USER, Dovecot
from tests.mail.transport.postfix import LMTP_DOMAIN, PLAYER, Postfix
from tests.server.world import reply_to

pytestmark = pytest.mark.long

MASTER = "master@example.com"
GONE = "gone@example.com"
FORGOTTEN = f"forgotten@{LMTP_DOMAIN}"


class Site:
    """Dovecot, Postfix and a server between them."""

    def __init__(self, dovecot: Dovecot, postfix: Postfix, server: Running) -> None:
        self.dovecot = dovecot
        self.postfix = postfix
        self.server = server

    def mails(self, user: str) -> list[EmailMessage]:
        """What a person's mail program shows."""
        found = []
        with self.dovecot.client(user) as client:
            client.select("INBOX", readonly=True)
            for number in client.search(None, "ALL")[1][0].split():
                (_, raw), *_ = client.fetch(number.decode(), "(BODY.PEEK[])")[1]  # type: ignore[misc]
                message = email.message_from_bytes(raw, policy=email.policy.default)  # type: ignore[arg-type]
                assert isinstance(message, EmailMessage)
                found.append(message)
        return found

    def bounces(self) -> list[tuple[str, int, str]]:
        """What came back, as the server has noted it."""
        with sqlite3.connect(self.server.home / "gm.sqlite3", timeout=10) as database:
            return list(database.execute("SELECT recipient, hard, status FROM bounce"))

    def asked(self, user: str, to: str, subject: str, body: str) -> EmailMessage:
        """Let swaks send a mail, and wait for the answer to it."""
        key = self.postfix.swaks(user, to, subject, body)

        def answers() -> list[EmailMessage]:
            return [mail for mail in self.mails(user) if mail["In-Reply-To"] == key]

        assert eventually(lambda: bool(answers())), self.server.log()
        return answers()[0]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    nobody = Listener(ListenSettings(protocol="lmtp", port=0), accept=lambda mail: None, knows=lambda address: False)
    with (
        nobody,
        Dovecot() as dovecot,
        Postfix(dovecot, users=(USER, PLAYER, MASTER), lmtp_port=nobody.port) as postfix,
    ):
        settings = {
            "SERVER_ADDRESS": USER,
            **{"IMAP_HOST": "127.0.0.1", "IMAP_PORT": str(dovecot.port), "IMAP_TLS": "none"},
            **{"IMAP_USER": USER, "IMAP_PASSWORD": PASSWORD},
            **{"SEND_KIND": "smtp", "SEND_HOST": "127.0.0.1", "SEND_PORT": str(postfix.port)},
        }
        environment = {f"GM_{key}": value for key, value in settings.items()}
        with Running(tmp_path_factory.mktemp("whole") / "server", **environment) as server:
            yield Site(dovecot, postfix, server)


def test_nothing_is_lost_and_nothing_doubled_while_the_imap_server_comes_and_goes(site: Site) -> None:
    gamemaster = reply_to(site.asked(MASTER, USER, "create", "CREATE spring"))
    seat = reply_to(site.asked(PLAYER, USER, "join", "JOIN spring AS France"))
    assert seat.startswith("gm+spring.")
    assert seat.endswith("@example.org")

    site.dovecot.stop()
    # Postfix delivers into the mailbox while nobody can look into it
    wanted = {site.postfix.swaks(PLAYER, seat, f"away {number}", "STATUS") for number in range(5)}
    site.dovecot.start()
    for number in range(10):
        wanted.add(site.postfix.swaks(PLAYER, seat, f"again {number}", "STATUS"))
        if number in (3, 7):
            site.dovecot.stop()
            site.dovecot.start()
    assert len(wanted) == 15
    assert eventually(lambda: wanted <= {str(mail["In-Reply-To"]) for mail in site.mails(PLAYER)}), site.server.log()
    site.asked(MASTER, gamemaster, "the last one", "STATUS")

    answered = Counter(str(mail["In-Reply-To"]) for mail in site.mails(PLAYER))
    assert {key: answered[key] for key in wanted} == dict.fromkeys(wanted, 1)
    assert eventually(lambda: site.dovecot.subjects() == []), "all mail is moved out of the inbox"
    assert len(site.dovecot.subjects("Done")) == 18
    with sqlite3.connect(site.server.home / "gm.sqlite3") as database:
        states = Counter(state for (state,) in database.execute("SELECT state FROM inbox"))
    assert states["done"] + states["unproved"] == 18


def test_a_player_who_is_gone_is_seen_by_the_gamemaster(site: Site) -> None:
    gamemaster = reply_to(site.asked(MASTER, USER, "create summer", "CREATE summer"))
    site.postfix.swaks(GONE, USER, "join", "JOIN summer")  # Postfix refuses the answer: there is no such mailbox

    def told() -> list[EmailMessage]:
        return [mail for mail in site.mails(MASTER) if mail["Subject"] == "[summer] Mail bounced"]

    assert eventually(lambda: bool(told())), site.server.log()
    assert "5.1.1" in " ".join(text_of(told()[0]).split())
    assert "mail bounces" in " ".join(text_of(site.asked(MASTER, gamemaster, "who", "STATUS")).split())


def test_a_bounce_comes_home_to_the_mail_it_is_about(site: Site) -> None:
    """Postfix takes the mail and finds out only then that the next mail server knows no such address."""
    site.asked(MASTER, USER, "create autumn", "CREATE autumn")
    site.postfix.swaks(FORGOTTEN, USER, "join", "JOIN autumn")
    assert eventually(lambda: FORGOTTEN in {recipient for recipient, *_ in site.bounces()}), site.server.log()
    assert (FORGOTTEN, 1, "5.1.1") in site.bounces()

    def told() -> list[EmailMessage]:
        return [mail for mail in site.mails(MASTER) if mail["Subject"] == "[autumn] Mail bounced"]

    assert eventually(lambda: bool(told())), site.server.log()
    assert "There is no such address here" in " ".join(text_of(told()[0]).split())
