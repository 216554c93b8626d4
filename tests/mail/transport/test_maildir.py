"""Delivery into Maildirs."""

from __future__ import annotations

import mailbox
import threading
from pathlib import Path

import pytest

from gm.errors import DeliveryDeferred
from gm.mail.transport.maildir_out import maildir_of
from gm.mail.transport.smtp_out import Sender
from gm.settings import SendSettings

MAIL = b"Subject: report\r\n\r\nA PAR-BUR\r\n.\r\n"


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("ann@example.org", "ann@example.org"),
        (" Ann@Example.ORG ", "ann@example.org"),
        ("ann+spring.1-a_b=c@example.org", "ann+spring.1-a_b=c@example.org"),
        ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
        (".hidden@x", "%2Ehidden@x"),
        ("..", "%2E."),
        (".", "%2E"),
        ("", "%00"),
        ("a/b\\c\x00@x", "a%2Fb%5Cc%00@x"),
        ("zoë@x", "zo%C3%AB@x"),
        ("a%2Fb@x", "a%252fb@x"),
        ("a~b:c;d@x", "a~b%3Ac%3Bd@x"),
    ],
)
def test_a_folder_for_each_address_and_none_outside(tmp_path: Path, address: str, name: str) -> None:
    path = maildir_of(tmp_path, address)
    assert path == tmp_path / name
    assert path.resolve().parent == tmp_path.resolve()


def test_long_addresses_stay_apart(tmp_path: Path) -> None:
    one, two = (maildir_of(tmp_path, "a" * 400 + end) for end in ("@x", "@y"))
    assert one != two
    assert len(one.name) <= 255


def test_a_mail_is_delivered_with_its_envelope_on_top(tmp_path: Path) -> None:
    sender = Sender(SendSettings(tmp_path / "mail"))
    sender.deliver(MAIL, "", "Ann@example.org")
    sender.deliver(MAIL, "gm@example.org", "ann@example.org")
    found = mailbox.Maildir(maildir_of(tmp_path / "mail", "ann@example.org"), create=False)
    assert sorted(message["Return-Path"] for message in found) == ["<>", "<gm@example.org>"]
    message = next(iter(found))
    assert message["Delivered-To"].lower() == "ann@example.org"
    assert message.get_payload() == "A PAR-BUR\n.\n"
    assert len(list((tmp_path / "mail" / "ann@example.org" / "new").iterdir())) == 2
    sender.close()


def test_threads_lose_nothing(tmp_path: Path) -> None:
    sender = Sender(SendSettings(tmp_path))
    threads = [threading.Thread(target=sender.deliver, args=(MAIL, "", "a@b")) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(mailbox.Maildir(maildir_of(tmp_path, "a@b"))) == 20


def test_a_disk_that_cannot_be_written_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("in the way")
    with pytest.raises(DeliveryDeferred, match="cannot be written"):
        Sender(SendSettings(tmp_path / "mail")).deliver(MAIL, "", "a@b")
