"""DKIM and DMARC: what we sign others can verify, and what others sign we judge; the DNS is a table of these tests."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import dkim
import pytest

from gm.errors import ConfigurationError
from gm.mail.message.authentication import Authenticity, authenticity
from gm.mail.message.incoming import read_message
from gm.mail.transport.dkim import LookupFailed, Signer, Verifier
from gm.mail.transport.smtp_out import Sender
from gm.settings import SendSettings
from tests.mail.transport.conftest import Inbox, Listen
from tests.mail.transport.mailserver import MailServer
from tests.mail.transport.peer import Peer
from tests.timing import cost

OURS = "gm.gm.example"
MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: gm@gm.example\r\nSubject: orders\r\nDate: Fri, 20 Nov 2026 09:00:00 +0000\r\n"
    b"Message-ID: <1@example.org>\r\n\r\nA PAR-BUR\r\n"
)


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An RSA key as `openssl genrsa` writes it."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    path = tmp_path_factory.mktemp("dkim") / "dkim.pem"
    subprocess.run([openssl, "genrsa", "-out", str(path), "1024"], check=True, capture_output=True)
    return path


@dataclass
class Dns:
    """TXT records by name."""

    records: dict[str, str] = field(default_factory=dict)
    down: bool = False
    asked: list[str] = field(default_factory=list)

    def __call__(self, name: str) -> Sequence[str]:
        self.asked.append(name)
        if self.down:
            raise LookupFailed("no answer")
        return (self.records[name],) if name in self.records else ()


@pytest.fixture
def dns(key: Path) -> Dns:
    """example.org publishes a key and wants proof; m.example.org and example.com publish a key."""
    records = {}
    for domain in ("example.org", "m.example.org", "example.com", "xexample.org"):
        name, record = Signer(domain, "a", key).record
        records[name] = record
    return Dns({**records, "_dmarc.example.org": "v=DMARC1; p=reject"})


def found(raw: bytes, dns: Dns, peer: str = "192.0.2.1") -> Authenticity:
    """What the server makes of a mail that came by SMTP."""
    mail = read_message(Verifier(OURS, txt=dns).stamp(raw, peer), envelope_from="x@y.example", recipients=())
    return authenticity(mail.authentication_results, {OURS}, mail.sender or "")


def signed(key: Path, domain: str = "example.org", raw: bytes = MAIL) -> bytes:
    return Signer(domain, "a", key).sign(raw)


def signed_otherwise(key: Path, **how: object) -> bytes:
    """Signed as we never would."""
    signature: bytes = dkim.sign(MAIL, b"a", b"example.org", key.read_bytes(), **how)
    return signature + MAIL


PASS, FAIL, NONE = Authenticity.PASS, Authenticity.FAIL, Authenticity.NONE


def test_what_we_sign_passes(key: Path, dns: Dns) -> None:
    assert found(signed(key), dns) is PASS


def test_a_subdomains_signature_counts_unless_the_policy_is_strict(key: Path, dns: Dns) -> None:
    raw = signed(key, "m.example.org")
    assert found(raw, dns) is PASS
    dns.records["_dmarc.example.org"] = "v=DMARC1; p=reject; adkim=s"
    assert found(raw, dns) is FAIL


def test_an_international_domain_is_looked_up_by_its_ascii_name(key: Path, dns: Dns) -> None:
    name, record = Signer("bücher.example", "a", key).record
    assert name == "a._domainkey.xn--bcher-kva.example"
    dns.records |= {name: record, "_dmarc.xn--bcher-kva.example": "v=DMARC1; p=reject"}
    raw = MAIL.replace(b"@example.org>", "@Bücher.example>".encode(), 1)
    assert found(raw, dns) is FAIL
    assert found(signed(key, "bücher.example", raw), dns) is PASS


@pytest.mark.parametrize("domain", ["example.com", "xexample.org"])
def test_another_domains_signature_proves_nothing(key: Path, dns: Dns, domain: str) -> None:
    assert found(signed(key, domain), dns) is FAIL
    dns.records["_dmarc.example.org"] = "v=DMARC1; p=none"
    assert found(signed(key, domain), dns) is NONE


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("v=DMARC1; p=reject", FAIL), ("v=DMARC1;p=quarantine", FAIL), ("v=DMARC1; p=none", NONE), ("", NONE)],
)
def test_mail_without_a_signature_goes_by_the_policy(dns: Dns, policy: str, expected: Authenticity) -> None:
    dns.records["_dmarc.example.org"] = policy
    assert found(MAIL, dns) is expected


def test_the_policy_of_the_domain_above_holds_for_subdomains(dns: Dns) -> None:
    raw = MAIL.replace(b"ann@example.org", b"ann@deep.sub.example.org")
    assert found(raw, dns) is FAIL
    dns.records["_dmarc.example.org"] = "v=DMARC1; p=reject; sp=none"
    assert found(raw, dns) is NONE


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"A PAR-BUR", b"A PAR-GAS"), (b"From: Ann <ann@", b"From: Ann <bob@"), (b"Subject: orders", b"Subject: other")],
)
def test_a_changed_mail_fails(key: Path, dns: Dns, old: bytes, new: bytes) -> None:
    assert found(signed(key).replace(old, new), dns) is FAIL


def test_a_second_sender_added_above_is_no_sender(key: Path, dns: Dns) -> None:
    assert found(b"From: bob@example.org\r\n" + signed(key), dns) is NONE


def test_a_signature_of_part_of_the_body_is_no_pass(key: Path, dns: Dns) -> None:
    raw = signed_otherwise(key, length=True)
    assert b"l=" in raw.partition(b"From:")[0]
    assert found(raw + b"A MAR-SPA\r\n", dns) is FAIL
    assert found(raw, dns) is FAIL


def test_a_signature_that_leaves_the_sender_out_is_no_pass(key: Path, dns: Dns) -> None:
    raw = signed(key).replace(b"h=from : from : to", b"h=to", 1)
    assert b"h=to" in raw
    assert found(raw, dns) is FAIL


def test_name_servers_that_do_not_answer_prove_nothing_against_anybody(key: Path, dns: Dns) -> None:
    dns.down = True
    assert found(signed(key), dns) is NONE


def test_a_withdrawn_key_fails(key: Path, dns: Dns) -> None:
    del dns.records["a._domainkey.example.org"]
    assert found(signed(key), dns) is FAIL


@pytest.mark.parametrize(
    "forged",
    [
        b"Authentication-Results: gm.gm.example; dmarc=pass header.from=example.org\r\n",
        b"authentication-results:\r\n\tGM.gm.example;\r\n dmarc=pass header.from=example.org\r\n",
        b"Authentication-Results : gm.gm.example; dkim=pass header.d=example.org\r\n",
    ],
)
@pytest.mark.parametrize("peer", ["192.0.2.1", "127.0.0.1"])
def test_nobody_else_writes_in_our_name(dns: Dns, forged: bytes, peer: str) -> None:
    assert found(forged + MAIL, dns, peer) is not PASS
    assert found(MAIL.replace(b"\r\nTo:", b"\r\n" + forged + b"To:"), dns, peer) is not PASS


def test_mail_from_this_machine_is_left_alone(key: Path, dns: Dns) -> None:
    assert Verifier(OURS, txt=dns).stamp(MAIL, "127.0.0.1") == MAIL
    assert Verifier(OURS, txt=dns).stamp(MAIL, "::1") == MAIL
    assert dns.asked == []
    assert b"dmarc=fail" in Verifier(OURS, everybody=True, txt=dns).stamp(MAIL, "127.0.0.1")


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"\r\n", b"\x00\xff\r\n\r\n", b"no header at all", b"From: \xff\xfe@\r\n\r\n", MAIL[:40],
        b"DKIM-Signature: " + b"=;" * 5000 + b"\r\n" + MAIL,
        b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=a; h=from; bh=!!; b=!!\r\n" + MAIL,
        b"DKIM-Signature: v=1; d=\xc3\xa4.example; s=../a; h=from\r\n" * 50 + MAIL,
        b" folded first\r\n" + MAIL,
    ],
)  # fmt: skip
def test_hostile_mail_is_stamped_all_the_same(dns: Dns, raw: bytes) -> None:
    stamped = Verifier(OURS, txt=dns).stamp(raw, "192.0.2.1")
    assert stamped.startswith(b"Authentication-Results: gm.gm.example; ")
    assert b"pass" not in stamped.partition(b"\r\n")[0]


SIZE = 900_000
SLOW = {
    "blanks in the body": lambda head: head + b"\r\n" + b" " * SIZE,
    "runs of blanks": lambda head: head + b"\r\n" + (b" " * 199 + b"x") * (SIZE // 200),
    "blanks in a field": lambda head: b"X: " + b" " * SIZE + b"\r\n" + head + b"\r\nx",
    "a line that is no field": lambda head: b"x" * SIZE + b"\r\n" + head + b"\r\nx",
    "many lines that are no fields": lambda head: b"x\r\n" * (SIZE // 3) + head + b"\r\nx",
    "many fields": lambda head: b"X: y\r\n" * 30_000 + head + b"\r\nx",
    "many empty lines": lambda head: head + b"\r\n" * (SIZE // 2),
    "blanks in a signature": lambda head: b"DKIM-Signature: v=1; h=from" + b" " * SIZE + b"; b=!\r\n" + head + b"\r\nx",
    "a signature without end": lambda head: b"DKIM-Signature: " + b"a" * SIZE + b"\r\n" + head + b"\r\nx",
    "folds in a signature": lambda head: b"DKIM-Signature: b=" + b"\r\n " * (SIZE // 3) + b"!\r\n" + head + b"\r\nx",
    "forged fields": lambda head: b"Authentication-Results: gm.gm.example; x\r\n" * (SIZE // 41) + head + b"\r\nx",
}


@pytest.mark.parametrize("name", SLOW)
def test_hostile_mail_costs_little_more_than_honest_mail(key: Path, dns: Dns, name: str) -> None:
    """Each with a signature whose key is published, so that it is verified as far as that goes."""
    verifier = Verifier(OURS, txt=dns)
    honest = signed(key, raw=MAIL + b"A PIC-BEL and so forth, until the line is fifty long\r\n" * (SIZE // 54))
    raw = SLOW[name](signed(key).partition(b"\r\n\r\n")[0] + b"\r\n")
    assert cost(partial(verifier.stamp, raw, "192.0.2.1"), partial(verifier.stamp, honest, "192.0.2.1"), enough=15) < 15


def test_the_listener_stamps_what_it_takes(listen: Listen, mail_inbox: Inbox, key: Path, dns: Dns) -> None:
    listener = listen(stamp=Verifier(OURS, everybody=True, txt=dns).stamp)
    with Peer(listener.port) as peer:
        peer.greet()
        peer.begin("gm@example.org")
        assert peer.post(signed(key) + b".\r\n").startswith("250")
    (mail,) = mail_inbox.mails()
    assert b"dkim=pass header.d=example.org" in mail.raw.partition(b"\r\n")[0]
    assert mail.message_id == "<1@example.org>"


def test_the_sender_signs_each_mail(key: Path, dns: Dns, tmp_path: Path) -> None:
    with MailServer() as server:
        settings = SendSettings(tmp_path, kind="smtp", port=server.port)
        sender = Sender(settings, signer=Signer("example.org", "a", key))
        sender.deliver(MAIL, "ann@example.org", "bob@example.com")
        sender.close()
    (taken,) = server.taken
    assert found(taken.raw, dns) is PASS


def test_a_key_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "dkim.pem").write_text("hello")
    with pytest.raises(ConfigurationError, match="openssl genrsa"):
        Signer("example.org", "a", tmp_path / "dkim.pem")
    with pytest.raises(ConfigurationError, match="cannot be used for signing"):
        Signer("example.org", "a", tmp_path / "missing.pem")
