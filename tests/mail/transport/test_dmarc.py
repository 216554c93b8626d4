"""DKIM, SPF, ARC and DMARC: others can verify what we sign, and we verify what others sign; the DNS is a table here."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from textwrap import dedent

import dkim
import pytest

from gm.errors import ConfigurationError
from gm.mail.message.coverage import DECISIVE
from gm.mail.message.incoming import read_message
from gm.mail.message.trace import Authenticity, HandedOver, Relays, authenticity
from gm.mail.transport import is_loopback
from gm.mail.transport.dmarc import LookupFailed, Signer, Verifier
from gm.mail.transport.signatures import is_fit
from gm.mail.transport.smtp_out import Sender
from gm.settings import SendSettings
from tests.mail.transport.conftest import Inbox, Listen
from tests.mail.transport.mailserver import MailServer
from tests.mail.transport.peer import Peer
from tests.tables import rows
from tests.timing import cost

OURS = "gm.gm.example"
MAIL = (
    b"From: Ann <ann@example.org>\r\nTo: gm@gm.example\r\nSubject: orders\r\nDate: Fri, 20 Nov 2026 09:00:00 +0000\r\n"
    b"Message-ID: <1@example.org>\r\n\r\nA PAR-BUR\r\n"
)


@dataclass
class Dns:
    """TXT records by name, and the others by name and type."""

    records: dict[str, str] = field(default_factory=dict)
    others: dict[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    down: bool = False

    def __call__(self, name: str, kind: str) -> Sequence[str]:
        if self.down:
            raise LookupFailed("no answer")
        if kind != "TXT":
            return self.others.get((name, kind), ())
        return (self.records[name],) if name in self.records else ()


@pytest.fixture
def dns(key: Path) -> Dns:
    """example.org publishes a key and requires authentication; m.example.org and example.com publish a key."""
    records = {}
    for domain in ("example.org", "m.example.org", "example.com", "xexample.org"):
        name, record = Signer(domain, "a", key).record
        records[name] = record
    return Dns({**records, "_dmarc.example.org": "v=DMARC1; p=reject"})


CAME = HandedOver("192.0.2.1", "mx.y.example", "x@y.example")


def found(raw: bytes, dns: Dns, came: HandedOver = CAME, sealers: frozenset[str] = frozenset()) -> Authenticity:
    """The server's results for a mail that came by SMTP."""
    sender = read_message(raw, envelope_from=came.envelope_from, recipients=()).sender
    verifier = Verifier(OURS, sealers, dns, is_ours=lambda address: address.endswith("@gm.example"))
    return authenticity([verifier.find(raw, came).value], {OURS}, sender or "")


def signed(key: Path, domain: str = "example.org", raw: bytes = MAIL) -> bytes:
    return Signer(domain, "a", key).sign(raw)


def signed_otherwise(key: Path, **how: object) -> bytes:
    """Signed as we never would."""
    signature: bytes = dkim.sign(MAIL, b"a", b"example.org", key.read_bytes(), **how)
    return signature + MAIL


PASS, FAIL, NONE, DOUBTFUL = Authenticity.PASS, Authenticity.FAIL, Authenticity.NONE, Authenticity.DOUBTFUL


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


@pytest.mark.parametrize(
    ("sender", "why"),
    [
        ("ann@localhost", "the domain of its sender cannot be looked up"),
        ("Ann <ann@vm>", "the domain of its sender cannot be looked up"),
        ("ann@example.org, bea@example.org", "no single sender"),
        ("nobody", "no single sender"),
    ],
)
def test_a_sender_whom_no_policy_is_about_is_told_from_several(sender: str, why: str, dns: Dns) -> None:
    results = Verifier(OURS, frozenset(), dns).find(f"From: {sender}\r\n\r\nx\r\n".encode(), CAME).value
    assert f"dmarc=permerror ({why})" in results


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


def test_a_signature_of_a_number_of_octets_passes_where_these_are_all(key: Path, dns: Dns) -> None:
    raw = signed_otherwise(key, length=True, include_headers=[name.encode() for name in DECISIVE])
    assert b"l=" in raw.partition(b"From:")[0]
    assert found(raw + b"A MAR-SPA\r\n", dns) is DOUBTFUL
    assert found(raw + b"\r\n\r\n", dns) is PASS, "nothing was added"
    assert found(raw, dns) is PASS
    assert found(raw.replace(b"BUR", b"GAS"), dns) is FAIL


def test_a_genuine_signature_is_found_below_many_of_others(key: Path, dns: Dns) -> None:
    other = signed(key, "example.net").partition(b"From:")[0]
    assert found(other * 9 + signed(key), dns) is PASS
    forged = signed(key).partition(b"From:")[0].replace(b"s=a;", b"s=z;")
    assert found(forged * 5 + signed(key), dns) is FAIL, "only some of the domain are looked at"


def test_a_signature_that_leaves_the_sender_out_is_no_pass(key: Path, dns: Dns) -> None:
    raw = re.sub(rb"h=[^;]+;", b"h=to;", signed(key), count=1)
    assert found(raw, dns) is FAIL


def test_name_servers_that_do_not_answer_prove_nothing_against_anybody(key: Path, dns: Dns) -> None:
    dns.down = True
    assert found(signed(key), dns) is NONE


def test_a_withdrawn_key_fails(key: Path, dns: Dns) -> None:
    del dns.records["a._domainkey.example.org"]
    assert found(signed(key), dns) is FAIL


def test_which_machines_are_this_one() -> None:
    assert not Relays().hold("64:ff9b::7f00:1"), "nothing is translated to it"
    assert [is_loopback(peer) for peer in ("127.0.0.1", "::1", "", "192.0.2.1", "2001:db8::1")] == [
        *(True, True, True, False, False)
    ]


# ---- keys


def der(tag: int, content: bytes) -> bytes:
    length = len(content)
    octets = bytes([length]) if length < 128 else bytes([0x82, length >> 8, length & 255])
    return bytes([tag]) + octets + content


def record_of(modulus: int, exponent: int) -> str:
    """A key record with these numbers, in the form of RFC 8017, A.1.1, that verifiers take as well."""
    numbers = (number.to_bytes(number.bit_length() // 8 + 1, "big") for number in (modulus, exponent))
    return f"v=DKIM1; p={base64.b64encode(der(0x30, b''.join(der(2, one) for one in numbers))).decode()}"


@pytest.mark.parametrize(
    ("bits", "exponent", "fit"),
    [(1024, 3, True), (2048, 65537, True), (4096, 65537, True), (4097, 65537, False), (16_384, 65537, False),
     (2048, 65539, False), (2048, 2**2000 + 1, False), (2048, 1, False), (2048, 0, False), (2048, 65536, False)],
)  # fmt: skip
def test_keys_that_cost_too_much_are_refused_before_any_arithmetic(
    key: Path, dns: Dns, monkeypatch: pytest.MonkeyPatch, bits: int, exponent: int, fit: bool
) -> None:
    record = record_of((1 << bits) - 1, exponent)
    assert is_fit(record) is fit
    reckoned: list[int] = []

    def reckon(message: bytes, public: dict[str, int], length: int) -> bytes:
        reckoned.append(public["modulus"].bit_length())
        return b"\0" * length

    monkeypatch.setattr(dkim.crypto, "rsa_encrypt", reckon)
    dns.records["a._domainkey.example.org"] = record
    value = Verifier(OURS, records=dns).find(signed(key), CAME).value
    assert ("dkim=policy" in value) is not fit
    assert bool(reckoned) is fit


@pytest.mark.parametrize(("old", "new"), [("p=", "p=*"), ("p=", "P=; p="), ("p=", "K=x; k=rsa; p="), ("p=", "p= ")])
def test_what_a_key_costs_is_known_of_what_is_verified(old: str, new: str) -> None:
    """By the reader and the decoder that dkimpy has."""
    record = record_of((1 << 16_000) - 1, 65537).replace(old, new)
    assert not is_fit(record)


def test_a_key_as_long_as_a_mail_is_none(key: Path, dns: Dns) -> None:
    dns.records["a._domainkey.example.org"] = "v=DKIM1; p=" + "A" * 900_000
    assert "dkim=fail" in Verifier(OURS, records=dns).find(signed(key), CAME).value


# ---- SPF


def came_from(peer: str, envelope_from: str = "ann@example.org") -> HandedOver:
    return HandedOver(peer, "mx.example.org", envelope_from)


SPF = rows("""
    v=spf1 ip4:192.0.2.0/24 -all                    | 192.0.2.1        | pass
    v=spf1 ip4:192.0.2.0/24 -all                    | 198.51.100.1     | fail
    v=spf1 a mx -all                                | 192.0.2.7        | pass
    v=spf1 mx -all                                  | 192.0.2.9        | pass
    v=spf1 include:provider.example -all            | 203.0.113.5      | pass
    v=spf1 redirect=provider.example                | 203.0.113.5      | pass
    v=spf1 ip6:2001:db8::/32 -all                   | 2001:db8::25     | pass
    v=spf1 ip4:192.0.2.0/24 -all                    | ::ffff:192.0.2.1 | pass
    v=spf1 include:example.org -all                 | 192.0.2.1        | fail
    v=spf1 exists:%{ir}.%{l1r-}.sp.example.org -all | 192.0.2.1        | fail
    v=spf1 +all moo(                                | 192.0.2.1        | fail
    v=spf1 ip4:192.0.2.0/24 -all                    | no address       | fail
""")


@pytest.mark.parametrize(("record", "peer", "expected"), SPF)
def test_the_envelope_senders_domain_says_which_machines_send_for_it(
    dns: Dns, record: str, peer: str, expected: str
) -> None:
    dns.records |= {"example.org": record, "provider.example": "v=spf1 ip4:203.0.113.0/24 -all"}
    dns.others |= {("example.org", "A"): ["192.0.2.7"], ("example.org", "MX"): ["10 mx.example.org."]}
    dns.others |= {("mx.example.org.", "A"): ["192.0.2.9"], ("mx.example.org", "A"): ["192.0.2.9"]}
    assert found(MAIL, dns, came_from(peer)) is Authenticity(expected)


def test_the_envelope_of_another_domain_proves_nothing(dns: Dns) -> None:
    dns.records["y.example"] = "v=spf1 +all"
    assert found(MAIL, dns) is FAIL


def test_alignment_of_the_envelope_is_strict_where_the_policy_is(dns: Dns) -> None:
    dns.records["m.example.org"] = "v=spf1 +all"
    came = came_from("192.0.2.1", "ann@m.example.org")
    assert found(MAIL, dns, came) is DOUBTFUL, "who hands a mail on may have such an address"
    dns.records["_dmarc.example.org"] = "v=DMARC1; p=reject; aspf=s"
    assert found(MAIL, dns, came) is FAIL


@pytest.mark.parametrize("policy", ["p=none; aspf=s; adkim=s", "p=reject; t=y; aspf=s; adkim=s"])
def test_who_is_excluded_or_hands_on_proves_nothing_where_no_refusal_is_asked_for(
    key: Path, dns: Dns, policy: str
) -> None:
    dns.records |= {"m.example.org": "v=spf1 +all", "_dmarc.example.org": f"v=DMARC1; {policy}"}
    assert found(MAIL, dns, came_from("192.0.2.1", "ann@m.example.org")) is NONE
    assert found(signed(key, "m.example.org"), dns) is NONE
    assert found(signed(key), dns) is PASS


def test_the_sender_and_its_domain_alone_prove_while_the_policy_is_not_answered(key: Path, dns: Dns) -> None:
    def records(name: str, kind: str) -> Sequence[str]:
        if name.startswith("_dmarc."):
            raise LookupFailed("no answer")
        return dns(name, kind)

    dns.records["example.org"] = "v=spf1 +all"
    for sender, proved in (("ann@example.org", True), ("SRS0=x=y=w.example=eve@example.org", False)):
        value = Verifier(OURS, records=records).find(MAIL, came_from("192.0.2.1", sender)).value
        assert (authenticity([value], {OURS}, "ann@example.org") is PASS) is proved
    for signer, proved in (("example.org", True), ("m.example.org", False)):
        value = Verifier(OURS, records=records).find(signed(key, signer), CAME).value
        assert (authenticity([value], {OURS}, "ann@example.org") is PASS) is proved


@pytest.mark.parametrize(
    ("field", "proved"),
    rows("""
        Delivered-To: eve@example.org                                                          | no
        Delivered-To: Ann@example.org                                                          | yes
        Delivered-To: gm+spring.x@gm.example                                                   | yes
        X-Gm-Original-To: <eve@example.org>                                                    | no
        X-Forwarded-For: eve@example.org gm@gm.example                                         | no
        X-Forwarded-For: 203.0.113.8                                                           | yes
        X-Original-To: eve                                                                     | yes
        X-Loop: eve@example.org                                                                | no
        X-MS-Exchange-Inbox-Rules-Loop: eve@example.org                                        | no
        X-MS-Exchange-ForwardingLoop: eve@example.org;3b1                                      | no
        Reply-To: ann@home.example                                                             | yes
        In-Reply-To: <2@gm.example>                                                            | yes
        Disposition-Notification-To: ann@example.org                                           | yes
        Received: from e ([203.0.113.9]) by mx.example.org with ESMTP id 4F for <eve@example.org>; Fri  | no
        Received: from a ([203.0.113.9]) by mx.example.org with ESMTPSA for <gm+x.y@gm.example>; Fri    | yes
        Received: from e by mx.example.org with ESMTP id 4F for <"eve+;"@example.org>; Fri, 20 Nov 2026 | no
        Received: from e by mx.example.org with ESMTP id 4F for <"eve+ ann@example.org "@example.org>; F | no
        Received: from e by mx.example.org with ESMTP id 4F for <ann@example.org> <eve@example.org>; Fri | no
        Received: from e by mx.example.org with ESMTP id 4F for <ann@example.org>,<eve@example.org>; Fri | no
        Received: from e by mx.example.org with ESMTP id 4F for <eve>; Fri, 20 Nov 2026                  | no
        Received: from e by mx.example.org with ESMTPSA id 4F; Fri, 20 Nov 2026                          | yes
        X-Received: by 2002:a05:6a00 with SMTP id 4F for <eve@example.org>; Fri                | no
        Delivered-To: "eve+ "@example.org                                                      | no
        X-Sieve-Redirected-From: eve@example.org                                               | no
        X-Yahoo-Forwarded: from eve@example.org to gm@gm.example                               | no
        X-Auto-Forwarded: eve@example.org                                                      | no
        Original-Recipient: rfc822;eve@example.org                                             | no
        X-Envelope-From: <ann@example.org>                                                     | yes
        Received-SPF: softfail (mx.example.org: 203.0.113.8 is not among them)                 | no
        X-Received-SPF: (x) fail                                                               | no
        Received-SPF: pass (of the submission)                                                 | yes
        Authentication-Results: mx.example.org; spf=fail smtp.mailfrom=ann@example.org         | no
        Authentication-Results-Original: mx.example.org; dkim=none; spf/1 (x) = (y) fail       | no
        X-Original-Authentication-Results: mx.example.org; dmarc=fail                          | no
        Authentication-Results-Old: mx.example.org; dmarc=fail                                 | no
        Authentication-Results: p; dkim=pass header.i=(@e; spf=fail smtp.helo=x).example       | no
        Authentication-Results: mx.example.org; spf=pass (SPF authorized) smtp.mailfrom=a@b.c  | no
        Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=ann@example.org         | yes
        Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=example.org             | yes
        ARC-Authentication-Results: i=1; mx.example.org; spf=pass smtp.mailfrom=evil.example   | no
        Received-SPF: pass (x) envelope-from="eve@evil.example"; helo=x                        | no
        X-SPF-Result: fail                                                                     | no
        Received: from e by mx.example.org with ESMTP id 4F for <eve+\xa0ann@example.org>; Fri | no
        Received: from e by mx.example.org with ESMTP id 4F for <eve+\u3000ann@example.org>; F | no
        Received: from e by mx.example.org with ESMTP id 4F FOR <eve@example.org>; Fri         | no
        Received: from e by mx.example.org (for <eve@example.org>) id 4F; Fri                  | no
        Received: from e by mx.example.org id 4F (envelope-to eve@example.org); Fri            | no
        Received: from e by mx.example.org id 4F for eve; Fri                                  | no
        Received: from e by mx.example.org id 4F for <ann@example.org> (eve@example.org); Fri  | no
        Received: from e by mx.example.org id 4F for <an\uff4e@example.org>; Fri               | no
        Received: from for.example.org ([203.0.113.9]) by mx.example.org with ESMTPA id 4F; Fri, 20 Nov | yes
        Received: from a by mx.example.org with esmtpa id 4F for ann@example.org; Fri, 20 Nov 2026 (CET) | yes
        Delivered-To: eve+\xa0ann@example.org                                                  | no
        Delivered-To: eve- ann@example.org                                                     | no
        Delivered-To: eve-,ann@example.org                                                     | no
        Delivered-To: eve-(ann@example.org                                                     | no
        Delivered-To: =?utf-8?q?eve=40example=2Eorg?=                                          | no
        Delivered-To: eve\uff20example.org                                                     | no
        Delivered-To: <ann@example.org>, gm@gm.example                                         | yes
        Received: from a by mx.example.org for <gm+x@gm.example> with ESMTPSA id (envelope-from <ann@example.org>) | yes
        Received: from a by mx.example.org for <gm+x@gm.example> with ESMTPSA (envelope-to eve@example.org) | no
        Received: from J\xfcrgen-PC ([203.0.113.5]) by mx.example.org with ESMTPA id 4F; Fri, 20 Nov 2026 | yes
        Disposition-Notification-To: Ann Smith <ann@example.org>                               | yes
        X-Forwarded-Encrypted: i=1; AJvYcCWlO1ncuv71E=@gm.example                             | yes
        X-BeenThere: eve@example.org                                                           | no
        X-Fwd-Account: eve@example.org                                                         | no
        X-User: eve@example.org                                                                | no
        X-Authenticated-User: eve@example.org                                                  | no
        X-Authenticated-User: ann@example.org                                                  | yes
        X-Authenticated-User: ann                                                              | yes
        X-AuthUser: eve@evil.example                                                           | no
        X-Auth-ID: eve@evil.example                                                            | no
        X-SECURESERVER-ACCT: eve@evil.example                                                  | no
        X-WebMail-UserID: eve@evil.example                                                     | no
        X-Originating-Account: eve@evil.example                                                | no
        X-Login: eve@evil.example                                                              | no
        X-SASL-Name: eve@evil.example                                                          | no
        X-Mail-From: eve@evil.example                                                          | no
        Return-Path: <eve@evil.example>                                                        | no
        Return-Path: <prvs=0123abc=ann@example.org>                                            | yes
        X-Authenticated-Sender: host1.example.org: eve@example.org                             | no
        X-Authenticated-Sender: host1.example.org: ann@example.org                             | yes
        X-Authenticated-Sender: eve+\xa0ann@example.org                                        | no
        X-Get-Message-Sender-Via: host1.example.org: redirect/forwarder owner eve@example.org -> gm@gm.example | no
        Authentication-Results: garm; auth=pass (GARM-1) smtp.auth=eve@evil.example            | no
        Authentication-Results: garm; auth=pass (GARM-1) smtp.auth=ann@example.org             | yes
        User-Agent: Mozilla Thunderbird                                                        | yes
        Received: from x (account eve@evil.example HELO x) by mx.example.org (CommuniGate Pro) with ESMTPSA; F | no
        Received: from x (AUTH: LOGIN eve@evil.example, TLS) by mx.example.org with esmtpsa; F  | no
        Received: from x ([203.0.113.9]) by mx.example.org with esmtpsa (ID eve@example.org); F | no
        Received: from x ([203.0.113.9]) by mx.example.org with esmtpsa (ID ann@example.org); F | yes
        Received: from x (user=eve@evil.example mech=PLAIN) by mx.example.org with ESMTPSA; F   | no
        Received: from x ([203.0.113.9]) by mx.example.org (via HTTP proxy) with ESMTPS; F      | no
        Received: from x ([203.0.113.9]) by mx.example.org with local-esmtps; F                 | no
        Received: from 10.0.0.1 (203.0.113.9:4711) by mx.example.org with ESMTPS; F             | no
        Received: from 10.0.0.1 (203.000.113.009) by mx.example.org with ESMTPS; F              | no
        Received: from x (203.0.113.9) by A.mail.protection.outlook.com (10.0.0.1) with Microsoft SMTP Server; F | no
        Received: from x ([203.0.113.9]) by mx.example.org with ESMTPS id 4F; Fri, 20 Nov 2026   | no
        Received: from x ([203.0.113.9] with ESMTPSA) by mx.example.org with ESMTPS id 4F; Fri   | no
        Received: from by ([203.0.113.9]) by mx.example.org (x with ESMTPSx) id 4F; Fri          | no
        Received: from x ([203.0.113.9])                                                         | no
        Received: from [10.0.0.1] ([203.0.113.9]) by mx.example.org with ESMTP; Fri              | no
        Received: from mx ([10.0.0.1]) by mx.example.org with ESMTP id 4F; Fri, 20 Nov 2026      | yes
        Received: from mx (unknown [127.0.0.2]) by mx.example.org (Postfix) with ESMTPS; Fri     | yes
        Received: (qmail 4 invoked by uid 89); Fri, 20 Nov 2026                                  | yes
        Received: by mx.example.org with SMTP id 4F; Fri, 20 Nov 2026                            | yes
        Received: from x ([fe80::1]) by x ([fe80::1%5]) with mapi id 15.20.4; Fri, 20 Nov 2026   | yes
        Received: from x (203.0.113.9) by A.PROD.OUTLOOK.COM (2603:10a6::2) with Microsoft SMTP Server id 15; F | yes
        Received: from A.PROD.OUTLOOK.COM (203.0.113.9) by y (2603:10a6::2) with Microsoft SMTP Server id 15; F | no
        Received: from x (203.0.113.9) by y (192.0.2.7) with ESMTP; Fri, 20 Nov 2026 by A.outlook.com with ESMTPA | no
        Received: from x ([203.0.113.9]) (Client CN "a by b with ESMTPSA;") by mx.example.org with ESMTPS; F | no
        Received: from x ([203.0.113.9]) (Client CN "a by b.prod.outlook.com ;") by mx.example.org with ESMTPS; F | no
        Received: from x ([203.0.113.9] ident=x) by b with ESMTPSA;() by mx.example.org with ESMTPS; F | no
        Received: from x ([203.0.113.9] ident=x) by b with ESMTPSA () by mx.example.org with ESMTPS; F | no
        Received: from x ([203.0.113.9] ident=(x) by mx.example.org with ESMTPSA; F              | no
        Received: from x ([203.0.113.9] ident=x)) by mx.example.org with ESMTPSA; F              | no
        Received: from x ([203.0.113.9]) (y (z)) by mx.example.org (a) with ESMTPSA; F (CET)     | yes
        Received: from x ([203.0.113.9]) by mx.example.org (with local) with ESMTPS; F           | no
        Received: from x.example by mx.example.org; Fri, 20 Nov 2026 09:00:00 +0000              | no
        Received: from evil by mx.example.org (203.0.113.9) (MDaemon PRO v20.0.3) with ESMTPS id md5; Fri | no
        Received: from mx.example.org by mx.example.org (MDaemon PRO v20.0.3) with ESMTP id md5; F | no
        Received: from [10.0.0.1] by mx.example.org (MDaemon PRO v20.0.3) with ESMTPS id md5; F  | no
        Received: from by mx.example.org; Fri, 20 Nov 2026 09:00:00 +0000                        | no
        Received: from [10.0.0.1] (helo=x) by mx.example.org with esmtp (Exim 4.98) id 1; F      | yes
        Received: from [10.0.0.1] (helo=x) by mx.example.org with esmtp id 1 for <eve>; F        | no
        Received: from [10.0.0.1] (helo=x) by mx.example.org with esmtp id 1 for <gm@gm.example>; F | yes
        Received: from [10.0.0.1] (port=4711 helo=x) by mx.example.org with esmtps id 1; Fri     | yes
        Received: from [203.0.113.9] (helo=10.0.0.1) by mx.example.org with esmtps id 1; Fri     | no
        Received: from x (203.0.113.9) by y (203.0.113.8) with Microsoft SMTP Server id 15; Fri  | no
        Received: from [203.0.113.9] ([203.0.113.9]) by web-mail.example.org (via HTTP); Fri     | yes
        Received: from g.mail.example.org by s.mail.example.org with HTTP; Fri, 20 Nov 2026      | yes
        Received: from localhost by mx.example.org with UTF8LMTP id 4F; Fri, 20 Nov 2026         | yes
        Authentication-Results: dkim=none (message not signed) header.d=none;dmarc=none        | yes
        ARC-Authentication-Results: i=1; mx.example.org 1; spf=neutral; dmarc=none; dkim=none  | no
        ARC-Authentication-Results: i=1; mx.example.org 1; spf=none; dmarc=none; dkim=none     | yes
        ARC-Authentication-Results: i=1; mx.example.org 1; spf=pass; dmarc=pass; dkim=pass     | yes
    """),
)
def test_a_sender_of_the_envelope_proves_no_mail_that_was_handed_on(
    key: Path, dns: Dns, field: str, proved: str
) -> None:
    """A provider may take what comes from elsewhere in a customer's name, and hand it on as it is for another one."""
    dns.records["example.org"] = "v=spf1 ip4:192.0.2.1 -all"
    came = came_from("192.0.2.1", "ann@example.org")
    assert found(MAIL, dns, came) is PASS
    field = re.sub(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4})", lambda one: chr(int(one[0][2:], 16)), field)
    mail = f"{field}\r\n".encode() + MAIL
    assert found(mail, dns, came) is (PASS if proved == "yes" else DOUBTFUL)
    assert found(f"{field}\r\n".encode() + signed(key), dns, came) is PASS, "the author's own signature covers it"


DIRECTLY = {
    "Gmail's page": """
        Received: by mail-ed1-f54.google.com with SMTP id 4fb4d7f45d1cf-5c9; Fri, 20 Nov 2026 01:00:00 -0800 (PST)
        X-Received: by 2002:a05:6402:430f:b0:5c9 with SMTP id m15; Fri, 20 Nov 2026 00:59:59 -0800 (PST)
        """,
    "a program by Gmail's SMTP": """
        Received: from [192.168.1.3] (p5b00.dip0.t-ipconnect.de. [203.0.113.7]) by smtp.gmail.com with ESMTPSA id f9
         for <gm@gm.example> (version=TLS1_3 cipher=TLS_AES_128_GCM_SHA256 bits=128/128); Fri, 20 Nov 2026
        """,
    "Outlook": """
        Received: from AM0PR10MB0001.EURPRD10.PROD.OUTLOOK.COM (2603:10a6:208:d2::12) by
         DB8PR10MB0002.EURPRD10.PROD.OUTLOOK.COM (2603:10a6:10:31f::7) with Microsoft SMTP Server (version=TLS1_2,
         cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.20.8158.24; Fri, 20 Nov 2026 09:00:00 +0000
        Received: from AM0PR10MB0001.EURPRD10.PROD.OUTLOOK.COM ([fe80::1234:5678:9abc:def0]) by
         AM0PR10MB0001.EURPRD10.PROD.OUTLOOK.COM ([fe80::1234:5678:9abc:def0%4]) with mapi id 15.20.8158.023; Fri, 20
        X-MS-Exchange-SenderADCheck: 1
        """,
    "a program by Outlook's SMTP": """
        Received: from [192.168.1.5] (203.0.113.7) by AM3PR05CA0149.eurprd05.prod.outlook.com (2603:10a6:207:3::27)
         with Microsoft SMTP Server (version=TLS1_2) id 15.20.4173.20 via Frontend Transport; Fri, 20 Nov 2026
        """,
    "iCloud": """
        Received: from outbound.pv.icloud.com (unknown [127.0.0.2]) by p00-icloudmta-asmtp-us-west-1a (Postfix)
         with ESMTPS id 1; Fri, 20 Nov 2026 09:00:00 +0000 (UTC)
        Received: from smtpclient.apple (pv50p00im-dlb-asmtp-mailmevip.me.com [17.56.9.10]) by outbound (Postfix)
         with ESMTPSA id 2; Fri, 20 Nov 2026 09:00:00 +0000 (UTC)
        """,
    "Yahoo": """
        Received: from sonic.gate.mail.ne1.yahoo.com by sonic302.consmr.mail.ne1.yahoo.com with HTTP; Fri, 20 Nov 2026
        """,
    "a program by Yahoo's SMTP": """
        Received: by hermes--production-bf1-5 (Yahoo Inc. Hermes SMTP Server) with ESMTPA ID 9f; Fri, 20 Nov 2026
        """,
    "Fastmail": """
        Received: from phl-compute-06.internal (phl-compute-06.internal [10.202.2.46]) by mailfout.phl.internal
         (Postfix) with ESMTP id 1; Fri, 20 Nov 2026 04:00:00 -0500 (EST)
        Received: by mailuser.phl.internal (Postfix, from userid 501) id 2; Fri, 20 Nov 2026 04:00:00 -0500 (EST)
        Received: from phl-imap-02 ([10.202.2.81]) by phl-compute-06.internal (MEProxy); Fri, 20 Nov 2026 04:00:00 -0500
        """,
    "GMX": """
        Received: from [203.0.113.7] ([203.0.113.7]) by web-mail.gmx.net (3c-app-gmx-bs16.server.lan [172.19.170.68])
         (via HTTP); Fri, 20 Nov 2026 10:00:00 +0100
        """,
    "a program by GMX's SMTP": """
        Received: from client.hidden.invalid by mail.gmx.net (mrgmx104 [212.227.17.168]) with ESMTPSA (Nemesis) id 1M
         for <gm@gm.example>; Fri, 20 Nov 2026 10:00:00 +0100
        """,
    "mailbox.org": """
        Received: from smtp202.mailbox.org (smtp202.mailbox.org [10.196.197.202]) (using TLSv1.3 with cipher
         TLS_AES_256_GCM_SHA384 (256/256 bits)) (No client certificate requested) by mout-p-202.mailbox.org (Postfix)
         with ESMTPS id 4c; Fri, 20 Nov 2026 10:00:00 +0100 (CET)
        """,
    "GMX's app": """
        Received: from [203.0.113.7] ([203.0.113.7]) by msvc-mesg-gmx005 (via HTTP); Fri, 20 Nov 2026 10:00:00 +0100
        """,
    "Proton": """
        Received: from mail.protonmail.ch by mail.protonmail.ch; Fri, 20 Nov 2026 10:00:00 +0100
        """,
    "a provider that names who had logged in": """
        Received: from player1.ha.ovh.net (unknown [10.109.156.1]) by mo1.mail-out.ovh.net (Postfix) with ESMTP id 1;
        Received: from ann (p5b.isp [203.0.113.7]) (Authenticated sender: ann@example.org) by player1.ha.ovh.net
         (Postfix) with ESMTPSA id 2; Fri, 20 Nov 2026 10:00:00 +0100
        X-OVh-ClientIp: 203.0.113.7
        """,
    "Exim, and a program": """
        Received: from [203.0.113.7] (port=5 helo=[192.168.1.5]) by sub1.freenet.de with esmtpsa (ID ann@example.org)
         (TLSv1.3:X:128) (port 587) (Exim 4.94 #2) id 1; Fri, 20 Nov 2026 10:00:00 +0100
        """,
    "Exchange": """
        Received: from EX01.corp.example (10.0.0.5) by EX02.corp.example (10.0.0.6) with Microsoft SMTP Server id 15;
         Fri, 20 Nov 2026 10:00:00 +0100
        Received: from EX01.corp.example ([fe80::1]) by EX01.corp.example ([fe80::1%7]) with mapi id 15.02.1; Fri
        """,
    "Exim, and a script": """
        Received: from ann by host.example.org with local (Exim 4.98) (envelope-from <ann@example.org>) id 1; Fri
        X-Authenticated-Sender: host.example.org: ann@example.org
        """,
}


@pytest.mark.parametrize("provider", DIRECTLY)
def test_what_servers_write_of_a_mail_that_its_author_has_sent_directly_is_believed(dns: Dns, provider: str) -> None:
    dns.records["example.org"] = "v=spf1 ip4:192.0.2.1 -all"
    trace = dedent(DIRECTLY[provider]).strip().replace("\n", "\r\n")
    assert found(f"{trace}\r\n".encode() + MAIL, dns, came_from("192.0.2.1", "ann@example.org")) is PASS


@pytest.mark.parametrize(
    "envelope_from", ["x", "a@b@c.org", "x@[192.0.2.1]", "\ud800@c.org", "x" * 5_000, '"a@b"@c.org']
)
def test_an_envelope_sender_without_a_domain_is_skipped(dns: Dns, envelope_from: str) -> None:
    assert "spf=" not in Verifier(OURS, records=dns).find(MAIL, came_from("192.0.2.1", envelope_from)).value


@pytest.mark.parametrize("sign", sorted(set(map(chr, range(33, 127))) - {":"}))
def test_no_character_of_a_mail_changes_what_is_written_about_it(key: Path, dns: Dns, sign: str) -> None:
    """A field's name can have any of these, and says what a proof leaves open."""
    field = f"Content-{sign}x: y\r\n".encode()
    assert found(field + signed(key), dns) is DOUBTFUL
    assert found(field * 2 + signed(key), dns) is DOUBTFUL


def test_for_a_null_envelope_sender_the_name_at_helo_is_asked(dns: Dns) -> None:
    dns.records["mx.example.org"] = "v=spf1 ip4:192.0.2.1 -all"
    value = Verifier(OURS, records=dns).find(MAIL, came_from("192.0.2.1", "")).value
    assert "spf=policy smtp.helo=mx.example.org; dmarc=policy" in value, "it is not its author's address"


# ---- ARC


BY_SPF = "spf=pass smtp.mailfrom=ann@example.org; dmarc=pass header.from=example.org"
BY_DKIM = "dkim=pass header.d=example.org; dmarc=pass header.from=example.org"


def forwarded(
    key: Path, server: str = "mx.list.example", sealer: str = "list.example", said: str = BY_DKIM, mail: bytes = b""
) -> bytes:
    """A mail that a list has changed and sealed, with what its server had found out about the sender before; without
    another `mail` one with the sender's own signature. The seal covers all that is read, and that signature.
    """
    raw = (mail or signed(key)).replace(b"Subject: orders", b"Subject: [list] orders")
    raw = f"Authentication-Results: {server}; {said}\r\n".encode() + raw
    seal = dkim.ARC(raw)
    seal.should_not_sign.discard(b"dkim-signature")  # RFC 8617, 4.1.2: it should
    all_that_is_read = [name.encode() for name in (*sorted(DECISIVE), "dkim-signature")]
    lines = seal.sign(b"a", sealer.encode(), key.read_bytes(), server.encode(), include_headers=all_that_is_read)
    return b"".join(lines) + raw


@pytest.fixture
def listed(dns: Dns, key: Path) -> Dns:
    for domain in ("list.example", "evil.example"):
        name, record = Signer(domain, "a", key).record
        dns.records[name] = record
    return dns


TRUSTED = frozenset({"mx.list.example"})


def test_what_a_trusted_server_sealed_is_asked_about(key: Path, listed: Dns) -> None:
    """It proves nothing: the server may have quoted what somebody else had written."""
    assert found(forwarded(key), listed, sealers=TRUSTED) is DOUBTFUL
    assert found(forwarded(key, said=BY_SPF), listed, sealers=TRUSTED) is DOUBTFUL
    assert found(forwarded(key), listed) is FAIL, "only the servers that the operator names"
    assert found(forwarded(key).replace(b"PAR-BUR", b"PAR-GAS"), listed, sealers=TRUSTED) is FAIL, "changed since"
    assert found(forwarded(key, said="dmarc=fail header.from=example.org"), listed, sealers=TRUSTED) is FAIL
    assert found(forwarded(key, said="dmarc=pass header.from=other.example"), listed, sealers=TRUSTED) is FAIL
    assert found(forwarded(key, sealer="evil.example"), listed, sealers=TRUSTED) is FAIL, "in another's name"


SAID = [BY_DKIM, BY_SPF, "dkim=pass header.d=example.org", f"{BY_DKIM}; dkim=pass header.d=evil.org"]
SIGNATURE = b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=b; h=from; bh=eA==; b=eA==\r\n"


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("signatures", [0, 1, 2, 3])
def test_no_seal_proves_a_mail(key: Path, listed: Dns, said: str, signatures: int) -> None:
    raw = forwarded(key, said=said, mail=SIGNATURE * signatures + MAIL)
    assert found(raw, listed, sealers=TRUSTED) is DOUBTFUL


def test_a_seal_makes_nothing_of_what_nobody_refuses(key: Path, listed: Dns) -> None:
    listed.records["_dmarc.example.org"] = "v=DMARC1; p=none"
    assert found(forwarded(key), listed, sealers=TRUSTED) is NONE
    assert found(signed(key), listed, sealers=TRUSTED) is PASS


def test_what_a_server_in_front_verified_of_a_seal_is_asked_about(key: Path) -> None:
    front = b"Authentication-Results: mx.home; arc=pass (i=1); dmarc=fail header.from=example.org\r\n"
    trusted = {"mx.home", "mx.list.example"}

    def judged(raw: bytes, servers: set[str]) -> Authenticity:
        mail = read_message(raw, envelope_from="x@list.example", recipients=())
        return authenticity(mail.authentication_results, servers, mail.sender or "", mail.sealed)

    assert judged(front + forwarded(key), trusted) is DOUBTFUL
    assert judged(front.replace(b"arc=pass", b"arc=fail") + forwarded(key), trusted) is FAIL
    assert judged(front + forwarded(key), {"mx.home"}) is FAIL
    assert judged(front + forwarded(key, sealer="evil.example"), trusted) is FAIL
    twice = forwarded(key).replace(b"ARC-Seal:", b"ARC-Seal: i=1; d=list.example\r\nARC-Seal:", 1)
    assert judged(front + twice, trusted) is FAIL


# ---- when the DNS does not answer


def test_a_check_that_the_dns_defers_says_so(key: Path, dns: Dns) -> None:
    verifier = Verifier(OURS, records=dns)
    assert not verifier.find(signed(key), CAME).deferred
    assert not verifier.find(MAIL, CAME).deferred
    dns.down = True
    assert verifier.find(signed(key), CAME).deferred
    assert verifier.find(MAIL, CAME).deferred


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
def test_of_hostile_mail_something_is_found_out_all_the_same(dns: Dns, raw: bytes) -> None:
    value = Verifier(OURS, frozenset({"mx.home"}), dns).find(raw, CAME).value
    assert value.startswith("gm.gm.example; ")
    assert "pass" not in value


SIZE = 300_000
SLOW: dict[str, Callable[[bytes], bytes]] = {
    "blanks in the body": lambda head: head + b"\r\n" + b" " * SIZE,
    "runs of blanks": lambda head: head + b"\r\n" + (b" " * 199 + b"x") * (SIZE // 200),
    "blanks in a field": lambda head: b"X: " + b" " * SIZE + b"\r\n" + head + b"\r\nx",
    "a line that is no field": lambda head: b"x" * SIZE + b"\r\n" + head + b"\r\nx",
    "many lines that are no fields": lambda head: b"x\r\n" * (SIZE // 3) + head + b"\r\nx",
    "many fields": lambda head: b"X: y\r\n" * (SIZE // 30) + head + b"\r\nx",
    "many empty lines": lambda head: head + b"\r\n" * (SIZE // 2),
    "blanks in a signature": lambda head: b"DKIM-Signature: v=1; h=from" + b" " * SIZE + b"; b=!\r\n" + head + b"\r\nx",
    "a signature without end": lambda head: b"DKIM-Signature: " + b"a" * SIZE + b"\r\n" + head + b"\r\nx",
    "folds in a signature": lambda head: b"DKIM-Signature: b=" + b"\r\n " * (SIZE // 3) + b"!\r\n" + head + b"\r\nx",
    "forged fields": lambda head: b"Authentication-Results: gm.gm.example; x\r\n" * (SIZE // 41) + head + b"\r\nx",
}


def test_hostile_mail_costs_little_more_than_honest_mail(key: Path, dns: Dns) -> None:
    """Each with a signature whose key is published, so that it can be verified."""
    verifier = Verifier(OURS, frozenset({"mx.home"}), dns)
    lines = b"A PIC-BEL and so forth, until the line is fifty long\r\n" * (SIZE // 54)
    honest = partial(verifier.find, signed(key, raw=MAIL + lines), CAME)
    head = signed(key).partition(b"\r\n\r\n")[0] + b"\r\n"
    for name, hostile in SLOW.items():
        assert cost(partial(verifier.find, hostile(head), CAME), honest, enough=15) < 15, name


def test_the_listener_says_who_handed_a_mail_over_where_that_is_asked(listen: Listen, mail_inbox: Inbox) -> None:
    for checked in (True, False):
        listener = listen(checks=lambda peer, checked=checked: peer == "127.0.0.1" and checked)
        with Peer(listener.port) as peer:
            peer.greet()
            peer.begin("gm@example.org")
            assert peer.post(MAIL.replace(b"<1@", b"<%d@" % checked) + b".\r\n").startswith("250")
    first, second = mail_inbox.mails()
    assert (first.peer, second.peer) == ("127.0.0.1", None)
    assert first.helo


def test_the_sender_signs_each_mail(key: Path, dns: Dns, tmp_path: Path) -> None:
    with MailServer() as server:
        settings = SendSettings(tmp_path, kind="smtp", port=server.port)
        sender = Sender(settings, signer=Signer("example.org", "a", key))
        sender.deliver(MAIL, "ann@example.org", "bob@example.com")
        sender.close()
    (taken,) = server.taken
    assert found(taken.raw, dns) is PASS


def test_an_invalid_key_is_reported(tmp_path: Path) -> None:
    (tmp_path / "dkim.pem").write_text("hello")
    with pytest.raises(ConfigurationError, match="openssl genrsa"):
        Signer("example.org", "a", tmp_path / "dkim.pem")
    with pytest.raises(ConfigurationError, match="cannot be used for signing"):
        Signer("example.org", "a", tmp_path / "missing.pem")


UNANSWERED = rows("""
    example.org   | a._domainkey.example.org   | x@y.example   | temperror
    m.example.org | a._domainkey.m.example.org | x@y.example   | temperror
    example.com   | a._domainkey.example.com   | x@y.example   | fail
                  | example.org                | x@example.org | temperror
                  | y.example                  | x@y.example   | fail
    example.org   | example.org                | x@example.org | pass
""")
"""Whose signature a mail has, about what the DNS does not answer, and its envelope sender."""


@pytest.mark.parametrize(("signer", "down", "envelope", "expected"), UNANSWERED)
def test_what_the_dns_does_not_answer_is_no_failure(
    key: Path, dns: Dns, signer: str, down: str, envelope: str, expected: str
) -> None:
    def records(name: str, kind: str) -> Sequence[str]:
        if name == down:
            raise LookupFailed("no answer")
        return dns(name, kind)

    raw = signed(key, signer) if signer else MAIL
    found = Verifier(OURS, records=records).find(raw, HandedOver("192.0.2.1", "mx.y.example", envelope))
    assert f"dmarc={expected} " in found.value
    assert found.deferred is (expected == "temperror"), "it is tried again"
    assert (authenticity([found.value], {OURS}, "ann@example.org") is FAIL) is (expected == "fail")


def test_a_seal_whose_key_is_not_answered_is_no_failure(key: Path, dns: Dns) -> None:
    def records(name: str, kind: str) -> Sequence[str]:
        if name == "a._domainkey.list.example":
            raise LookupFailed("no answer")
        return dns(name, kind)

    value = Verifier(OURS, frozenset({"mx.list.example"}), records).find(forwarded(key), CAME).value
    assert "arc=temperror; dmarc=temperror " in value


def test_what_others_may_make_slow_is_not_looked_up(key: Path, dns: Dns) -> None:
    """It vouches for nothing here, and who forges senders could hold up the checks of everybody's mail by it."""
    asked = list[str]()

    def records(name: str, kind: str) -> Sequence[str]:
        asked.append(name)
        return dns(name, kind)

    raw = signed(key, "example.com", signed(key))
    Verifier(OURS, records=records).find(raw, HandedOver("192.0.2.1", "mx.y.example", "x@y.example"))
    assert list(dict.fromkeys(asked)) == ["_dmarc.example.org", "a._domainkey.example.org"]


def test_a_seal_that_is_not_genuine_has_nobody_elses_dns_asked(key: Path, dns: Dns) -> None:
    asked = list[str]()

    def records(name: str, kind: str) -> Sequence[str]:
        asked.append(name)
        return dns(name, kind)

    raw = forwarded(key).replace(b"d=list.example", b"d=slow.example", 1)
    Verifier(OURS, frozenset({"mx.list.example"}), records).find(raw, CAME)
    assert not [name for name in asked if "slow" in name]
