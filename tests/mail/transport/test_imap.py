"""The IMAP poller against a real Dovecot: nothing lost, nothing twice, whatever happens to the connection."""

from __future__ import annotations

import contextlib
import os
import ssl
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError
from sqlalchemy import select

from gm.machine.mailboxes import CopiedMails
from gm.mail.transport import SETTLING, utc_now
from gm.mail.transport.imap import FIRST_PAUSE, LONGEST_PAUSE, SETTLING_POLLS, SETTLING_SECONDS, ImapPoller, Pauses
from gm.store.inbox import ArrivedMail
from gm.store.mail_servers import CopiedRow
from tests.certificates import Certificate
from tests.mail.transport.conftest import Inbox, eventually
from tests.mail.transport.dovecot import CAPABILITIES, PASSWORD, USER, Dovecot
from tests.mail.transport.polling import Poll, Polling, mail
from tests.mail.transport.proxy import Proxy

pytestmark = pytest.mark.long(seconds=80)


def test_what_lay_there_is_taken_in_order_and_moved_unread(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    for number in range(3):
        dovecot.drop(mail(f"mail {number}"))
    began = datetime.now(UTC)
    poll(dovecot.settings())
    mail_inbox.wait_for(3)
    assert mail_inbox.subjects() == ["mail 0", "mail 1", "mail 2"]
    first = mail_inbox.mails()[0]
    assert (first.source, first.envelope_from, first.recipients) == ("imap", None, [])
    assert first.raw == mail("mail 0")
    assert began - timedelta(seconds=1) <= first.received_at <= datetime.now(UTC)  # the server counts whole seconds
    assert (first.imap_account, first.imap_folder, first.imap_uid) == (f"{USER}@127.0.0.1", "INBOX", 1)
    assert eventually(lambda: dovecot.subjects() == [])
    assert dovecot.subjects("Done") == ["mail 0", "mail 1", "mail 2"]
    with dovecot.client() as client:
        client.select("Done", readonly=True)
        assert client.search(None, "SEEN")[1] == [b""]


def test_it_tells_until_when_the_folder_is_drained(dovecot: Dovecot, mail_inbox: Inbox) -> None:
    for number in range(20):
        dovecot.drop(mail(f"mail {number}"))
    mail_inbox.broken = True
    with Polling(dovecot.settings(), mail_inbox.accept) as poller:
        begun = utc_now()
        time.sleep(0.5)
        assert poller.drained(begun) is None
        mail_inbox.broken = False
        assert eventually(lambda: (poller.drained(begun) or begun - timedelta(days=1)) >= begun - SETTLING)
        assert len(mail_inbox.results) == 20


def test_idle_brings_new_mail_long_before_the_next_poll(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    dovecot.drop(mail("before"))
    poll(dovecot.settings())
    mail_inbox.wait_for(1)
    for number in range(2, 5):
        dovecot.drop(mail(f"mail {number}"))
        mail_inbox.wait_for(number)
    assert eventually(lambda: len(dovecot.subjects("Done")) == 4)


def test_mail_in_a_burst_is_never_left_lying(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    """Arrivals between two commands are reported in the response to either, and not again in IDLE."""
    poll(dovecot.settings())
    for number in range(60):
        dovecot.drop(mail(f"mail {number}"))
        time.sleep(0.011)
    mail_inbox.wait_for(60)
    assert mail_inbox.results == ["stored"] * 60


def test_mail_in_the_moment_of_the_connection_is_never_left_lying(
    dovecot: Dovecot, mail_inbox: Inbox, poll: Poll
) -> None:
    """Dovecot itself overlooks, now and then, a mail that arrives while it scans; see SETTLING_POLLS."""
    users = [f"gm{number}@example.org" for number in range(15)]
    proxies = []
    with contextlib.ExitStack() as stack:
        for number, user in enumerate(users):
            dovecot.make_maildir(user)

            def overhear(said: bytes, user: str = user, pause: float = number / 3000) -> None:
                if b"SELECT" in said:
                    threading.Timer(pause, dovecot.drop, (mail(user), user)).start()

            proxies.append(stack.enter_context(Proxy(dovecot.port, overhear)))
            poll(dovecot.settings(user=user, port=proxies[-1].port))
            time.sleep(0.05)
        mail_inbox.wait_for(15)
        assert sorted(mail_inbox.subjects()) == sorted(users)


def test_more_than_one_chunk(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    for number in range(120):
        dovecot.drop(mail(f"mail {number}"))
    poll(dovecot.settings())
    mail_inbox.wait_for(120)
    assert mail_inbox.subjects() == [f"mail {number}" for number in range(120)]


@pytest.mark.parametrize(
    ("missing", "left_marked"),
    [([], ["keep"]), (["MOVE"], ["keep"]), (["MOVE", "UIDPLUS"], ["keep", "mail"])],
    ids=["move", "uidplus", "neither"],
)
def test_ways_to_put_away(mail_inbox: Inbox, poll: Poll, missing: list[str], left_marked: list[str]) -> None:
    """Without MOVE and UIDPLUS a copy is made and the mail marked; what others marked as deleted is never removed."""
    able = " ".join(word for word in CAPABILITIES.split() if word not in missing)
    with Dovecot(capabilities=able) as dovecot:
        dovecot.drop(mail("keep"))
        with dovecot.client() as client:
            client.select("INBOX")
            client.store("1", "+FLAGS", "(\\Deleted)")
            client.unselect()
        dovecot.drop(mail("mail"))
        poll(dovecot.settings(poll_seconds=1))
        mail_inbox.wait_for(1)
        assert eventually(lambda: dovecot.subjects() == [])
        time.sleep(1.2)  # the next poll finds nothing to do
        assert mail_inbox.results == ["stored"]
        assert dovecot.subjects("Done") == ["mail"]
        with dovecot.client() as client:
            client.select("INBOX", readonly=True)
            assert len(client.search(None, "DELETED")[1][0].split()) == len(left_marked)


def test_without_idle_it_polls(mail_inbox: Inbox, poll: Poll) -> None:
    with Dovecot(capabilities="IMAP4rev1 UIDPLUS MOVE") as dovecot:
        poll(dovecot.settings(poll_seconds=1))
        for number in range(1, 4):  # each in the middle of the work on the one before
            dovecot.drop(mail(f"mail {number}"))
            mail_inbox.wait_for(number)


def test_the_server_stopped_and_started_again(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    poll(dovecot.settings())
    dovecot.drop(mail("before"))
    mail_inbox.wait_for(1)
    for number in range(2):
        dovecot.stop()
        dovecot.drop(mail(f"while down {number}"))
        time.sleep(0.2)
        dovecot.start()
        mail_inbox.wait_for(2 * number + 2)
        dovecot.drop(mail(f"after {number}"))
        mail_inbox.wait_for(2 * number + 3)
    assert mail_inbox.results == ["stored"] * 5
    assert mail_inbox.subjects() == ["before", "while down 0", "after 0", "while down 1", "after 1"]
    assert eventually(lambda: dovecot.subjects() == [])


def before_and_after(dovecot: Dovecot, mail_inbox: Inbox, trouble: Callable[[], None]) -> None:
    """A mail comes before the trouble and one after it; both are taken in."""
    dovecot.drop(mail("before"))
    mail_inbox.wait_for(1)
    time.sleep(0.3)
    trouble()
    dovecot.drop(mail("after"))
    mail_inbox.wait_for(2)


def test_a_connection_cut_without_a_word_is_noticed(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    """idle_check answers with nothing at once, for ever, on a connection that was closed."""
    with Proxy(dovecot.port) as proxy:
        poll(dovecot.settings(port=proxy.port))
        before_and_after(dovecot, mail_inbox, proxy.cut)
        assert proxy.connections == 2


def test_a_connection_gone_dead_is_noticed_when_idle_is_renewed(
    dovecot: Dovecot, mail_inbox: Inbox, poll: Poll
) -> None:
    with Proxy(dovecot.port) as proxy:
        poll(dovecot.settings(port=proxy.port, poll_seconds=1), read_seconds=0.5)
        before_and_after(dovecot, mail_inbox, proxy.freeze)


def test_a_poll_is_a_step_and_says_when_to_look_again(dovecot: Dovecot, mail_inbox: Inbox) -> None:
    """By hand, without threads and waiting; the mail is in the inbox when the step returns."""
    poller = ImapPoller(dovecot.settings(poll_seconds=300), mail_inbox.accept, threading.Event())
    now = utc_now()
    dovecot.drop(mail("before"))
    assert poller.step(now) == now + timedelta(seconds=SETTLING_SECONDS)
    assert mail_inbox.subjects() == ["before"]
    for _ in range(SETTLING_POLLS):
        assert poller.step(now) == now + timedelta(seconds=SETTLING_SECONDS)
    assert poller.step(now) == now + timedelta(seconds=300)
    dovecot.drop(mail("after"))
    poller.step(now)
    assert mail_inbox.subjects() == ["before", "after"]
    mail_inbox.broken = True
    dovecot.drop(mail("stubborn"))
    again = poller.step(now)
    assert now + timedelta(seconds=FIRST_PAUSE / 2) <= again <= now + timedelta(seconds=FIRST_PAUSE)
    mail_inbox.broken = False
    poller.step(again)
    assert mail_inbox.subjects() == ["before", "after", "stubborn"]
    poller.close()


class Killed(BaseException):
    """Like a SIGKILL: nothing catches it."""


def die_after_accept(dovecot: Dovecot, mail_inbox: Inbox) -> None:
    """Take a mail in, and be killed before it is moved."""

    def accept(arrived: ArrivedMail) -> None:
        mail_inbox.accept(arrived)
        raise Killed

    poller = ImapPoller(dovecot.settings(), accept, threading.Event())
    with pytest.raises(Killed):
        poller.step(utc_now())
    poller.close()


def test_killed_after_accept_and_before_the_move(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    dovecot.drop(mail("orders"))
    die_after_accept(dovecot, mail_inbox)
    assert dovecot.subjects() == ["orders"]
    poll(dovecot.settings())
    mail_inbox.wait_for(2)
    assert mail_inbox.results == ["stored", "duplicate"]
    assert eventually(lambda: dovecot.subjects("Done") == ["orders"])
    assert dovecot.subjects() == []
    assert len(mail_inbox.mails()) == 1


def test_a_new_uidvalidity_changes_nothing(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    """The server forgot its numbering: what was taken in is known by its content, and a new UID 1 is a new mail."""
    dovecot.drop(mail("old"))
    die_after_accept(dovecot, mail_inbox)
    first = poll(dovecot.settings())
    assert eventually(lambda: dovecot.subjects() == [])
    first.stop()
    dovecot.forget_numbers()
    dovecot.drop(mail("new"))
    dovecot.drop(mail("old"))
    poll(dovecot.settings())
    mail_inbox.wait_for(4)
    assert mail_inbox.results == ["stored", "duplicate", "stored", "duplicate"]
    old, new = mail_inbox.mails()
    assert (old.imap_uid, new.imap_uid) == (1, 1)
    assert old.imap_uidvalidity != new.imap_uidvalidity


def test_a_mail_that_cannot_be_stored_stays_and_holds_up_no_other(
    dovecot: Dovecot, mail_inbox: Inbox, poll: Poll
) -> None:
    tries = 0

    def accept(arrived: ArrivedMail) -> None:
        nonlocal tries
        if b"stubborn" in arrived.raw:
            tries += 1
            if tries < 3:
                raise OSError("no room")
        mail_inbox.accept(arrived)

    dovecot.drop(mail("stubborn"))
    dovecot.drop(mail("easy"))
    poll(dovecot.settings(), accept)
    mail_inbox.wait_for(2)
    assert mail_inbox.subjects() == ["easy", "stubborn"]
    assert tries == 3
    assert eventually(lambda: dovecot.subjects() == [])


def test_a_mail_that_cannot_be_moved_is_not_taken_in_again(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    poll(dovecot.settings())
    dovecot.drop(mail("first"))
    assert eventually(lambda: dovecot.subjects("Done") == ["first"])
    with dovecot.read_only("Done"):
        dovecot.drop(mail("second"))
        dovecot.drop(mail("third"))
        mail_inbox.wait_for(3)
        time.sleep(1.5)  # it has tried again
        assert dovecot.subjects() == ["second", "third"]
    assert eventually(lambda: dovecot.subjects() == [])
    assert mail_inbox.results == ["stored"] * 3


@pytest.mark.parametrize("missing", [["MOVE"], ["MOVE", "UIDPLUS"]])
@pytest.mark.parametrize("broken", [IMAPClientError("NO not allowed"), IMAPClientAbortError("gone")])
def test_what_cannot_be_marked_is_copied_once_also_over_a_restart(
    mail_inbox: Inbox, poll: Poll, missing: list[str], broken: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked = [0]

    def refused(*_: object, **__: object) -> None:
        marked[0] += 1
        raise broken

    capabilities = " ".join(word for word in CAPABILITIES.split() if word not in missing)
    with Dovecot(capabilities=capabilities) as dovecot:
        dovecot.drop(mail("first"))
        for _ in range(2):
            marked[0] = 0
            with monkeypatch.context() as patched:
                patched.setattr(IMAPClient, "add_flags", refused)
                polling = poll(dovecot.settings(poll_seconds=1), copies=CopiedMails(mail_inbox.database))
                assert eventually(lambda: marked[0] >= 2)
                polling.stop()
        assert dovecot.subjects() == dovecot.subjects("Done") == ["first"]
        dovecot.drop(mail("second"))
        poll(dovecot.settings(poll_seconds=1), copies=CopiedMails(mail_inbox.database))
        assert eventually(lambda: dovecot.subjects() == [])
        assert dovecot.subjects("Done") == ["first", "second"]
        assert mail_inbox.results.count("stored") == 2
        with mail_inbox.database.reading() as session:
            assert session.scalars(select(CopiedRow.uid)).all() == []


@pytest.mark.parametrize("missing", [[], ["MOVE"]])
@pytest.mark.parametrize("how", ["renamed", "deleted", "deleted, and one within it left"])
def test_the_folder_for_processed_mail_is_made_again(
    mail_inbox: Inbox, poll: Poll, missing: list[str], how: str
) -> None:
    capabilities = " ".join(word for word in CAPABILITIES.split() if word not in missing)
    with Dovecot(capabilities=capabilities) as dovecot:
        dovecot.drop(mail("before"))
        poll(dovecot.settings(poll_seconds=1))
        assert eventually(lambda: dovecot.subjects("Done") == ["before"])
        with dovecot.client() as client:
            if how.endswith("left"):
                assert client.create("Done.within")[0] == "OK"
            assert (client.rename("Done", "Kept") if how == "renamed" else client.delete("Done"))[0] == "OK"
        dovecot.drop(mail("after"))
        mail_inbox.wait_for(2)
        assert eventually(lambda: dovecot.subjects() == [])
        assert dovecot.subjects("Done") == ["after"]


def test_a_mail_is_taken_whole_with_what_servers_have_added_and_of_one_too_large_no_more_than_that(
    dovecot: Dovecot, mail_inbox: Inbox, poll: Poll
) -> None:
    exact = mail("exact", "x" * (20_000 - len(mail("exact", ""))))
    traced = exact.replace(b"\r\n\r\n", b"\r\n" + b"X-Spam-Status: No\r\n" * 300 + b"\r\n", 1)
    dovecot.drop(traced)
    dovecot.drop(mail("large", "many words\r\n" * 100_000))
    poll(dovecot.settings(), max_size=20_000)
    mail_inbox.wait_for(2)
    assert [len(row.raw) for row in mail_inbox.mails()] == [len(traced), 20_000 + 65_536]
    assert mail_inbox.subjects() == ["exact", "large"]
    assert eventually(lambda: dovecot.subjects("Done") == ["exact", "large"])


def test_a_copy_of_a_mail_that_is_too_large_is_known_though_its_header_is_another(
    dovecot: Dovecot, mail_inbox: Inbox, poll: Poll
) -> None:
    """Of both only a part was fetched, and not the same."""
    large = mail("large", "".join(f"line {number}\r\n" for number in range(120_000)))
    for raw in (large, b"X-Spam-Status: No\r\n" + large, large.replace(b"line 9\r", b"line 0\r")):
        dovecot.drop(raw)
    poll(dovecot.settings())
    mail_inbox.wait_for(3)
    assert [row.copy for row in mail_inbox.mails()] == [0, 1, 0]


def test_two_pollers_on_one_mailbox(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    for number in range(30):
        dovecot.drop(mail(f"mail {number}"))
    for _ in range(2):
        poll(dovecot.settings())
    assert eventually(lambda: dovecot.subjects() == [])
    assert sorted(mail_inbox.subjects()) == sorted(f"mail {number}" for number in range(30))


def test_a_wrong_password_is_said_and_never_shown(
    dovecot: Dovecot, mail_inbox: Inbox, poll: Poll, caplog: pytest.LogCaptureFixture
) -> None:
    poll(dovecot.settings(password="wrong-" + PASSWORD))
    assert eventually(lambda: "log-in was refused" in caplog.text)
    assert PASSWORD not in caplog.text


def test_a_server_that_is_not_there_is_waited_for(mail_inbox: Inbox, poll: Poll, dovecot: Dovecot) -> None:
    assert dovecot.subjects() == []
    dovecot.stop()
    poll(dovecot.settings())
    time.sleep(0.2)
    dovecot.start()
    dovecot.drop(mail("late"))
    mail_inbox.wait_for(1)


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
def test_tls(mail_inbox: Inbox, poll: Poll, certificate: Certificate, tls: str) -> None:
    context = ssl.create_default_context(cafile=str(certificate.chain))
    with Dovecot(certificate=certificate.chain, key=certificate.key) as dovecot:
        port = dovecot.tls_port if tls == "implicit" else dovecot.port
        poll(dovecot.settings(tls=tls, port=port), tls=context)
        dovecot.drop(mail("first"))
        mail_inbox.wait_for(1)
        dovecot.drop(mail("second"))
        mail_inbox.wait_for(2)


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
def test_an_unknown_certificate_is_refused_before_the_password_is_sent(
    mail_inbox: Inbox, poll: Poll, certificate: Certificate, tls: str, caplog: pytest.LogCaptureFixture
) -> None:
    with Dovecot(certificate=certificate.chain, key=certificate.key) as dovecot:
        port = dovecot.tls_port if tls == "implicit" else dovecot.port
        poll(dovecot.settings(tls=tls, port=port, user="careful@example.org"))
        assert eventually(lambda: "CERTIFICATE_VERIFY_FAILED" in caplog.text)
        assert "careful" not in dovecot.log()


def test_pauses_grow_and_begin_again() -> None:
    pauses = Pauses()
    spans = [pauses.after_failure() for _ in range(12)]
    assert all(FIRST_PAUSE / 2 <= span <= LONGEST_PAUSE for span in spans)
    assert spans[-1] >= LONGEST_PAUSE / 2
    assert len(set(spans)) == len(spans)
    assert pauses.after_failure(least=1000) == 1000
    pauses.after_success()
    assert pauses.after_failure() <= FIRST_PAUSE


def test_the_fixture_leaves_nothing_behind() -> None:
    with Dovecot() as dovecot:
        home = dovecot.home
    assert not os.path.lexists(home)
