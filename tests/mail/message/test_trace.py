"""When a mail was received, by the fields that our own servers wrote into it; and what a forger can make of it."""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime, timedelta

import pytest

from gm.mail.message.mime import Headers
from gm.mail.message.trace import LOOPBACK, Relays
from tests.tables import lines

ACCEPTED = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
OURS = Relays((*LOOPBACK, ipaddress.ip_network("192.0.2.0/28"), ipaddress.ip_network("2001:db8::7")))
RELAY, STRANGER = "192.0.2.1", "203.0.113.9"
WITHIN = timedelta(seconds=1, microseconds=-1)


def at(clock: str) -> datetime:
    """This time of day, as exactly as a field says it: until the end of the second."""
    hour, minute, second = map(int, clock.split(":"))
    return datetime(2026, 11, 20, hour, minute, second, tzinfo=UTC) + WITHIN


def hop(source: str, clock: str, *, by: str = "mx.example.org", protocol: str = "ESMTPS") -> str:
    """A field as Postfix writes it."""
    said = f"from {source}\r\n\t" if source else ""
    return (
        f"Received: {said}by {by} (Postfix) with {protocol} id 4XyZ12\r\n"
        f"\tfor <gm+spring.k3v9@example.org>; Fri, 20 Nov 2026 {clock} +0000 (UTC)\r\n"
    )


def mail(*trace: str) -> bytes:
    return ("Return-Path: <ann@example.com>\r\n" + "".join(trace) + "From: ann@example.com\r\n\r\nA PAR-BUR").encode()


OUTSIDE = f"mail.example.com (mail.example.com [{STRANGER}])"
LIE = hop(f"mx.example.org (mx.example.org [{RELAY}])", "09:00:00")


@pytest.mark.parametrize(
    ("trace", "peer", "expected"),
    [
        ([hop(OUTSIDE, "12:00:00"), LIE], "127.0.0.1", at("12:00:00")),
        ([hop(OUTSIDE, "12:00:00"), LIE], None, at("12:00:00")),
        ([hop(OUTSIDE, "12:00:00"), LIE], "::ffff:127.0.0.1", at("12:00:00")),
        (
            [hop(f"mx1 (mx1 [{RELAY}])", "12:20:00", by="mx2"), hop(OUTSIDE, "12:10:00"), LIE],
            "192.0.2.2",
            at("12:10:00"),
        ),
        ([hop("mx1 (mx1 [IPv6:2001:db8::7])", "12:20:00"), hop(OUTSIDE, "12:10:00"), LIE], RELAY, at("12:10:00")),
        ([hop("localhost (localhost [127.0.0.1])", "12:20:00"), hop(OUTSIDE, "12:10:00")], RELAY, at("12:10:00")),
        ([hop("mx.example.org", "12:20:00", protocol="LMTP"), hop(OUTSIDE, "12:10:00")], None, at("12:10:00")),
        ([hop("", "12:20:00"), LIE], "127.0.0.1", at("12:20:00")),
    ],
    ids=[
        "Postfix on this machine", "a mailbox", "the address as IPv6", "two relays", "by IPv6", "a filter in between",
        "a socket", "written on the relay",
    ],
)  # fmt: skip
def test_the_lowest_field_of_our_own_servers_says_when(trace: list[str], peer: str | None, expected: datetime) -> None:
    assert OURS.received(mail(*trace), ACCEPTED, peer) == expected


@pytest.mark.parametrize(
    ("trace", "peer", "expected"),
    [
        ([LIE], STRANGER, ACCEPTED),
        ([LIE], "", ACCEPTED),
        ([], "127.0.0.1", ACCEPTED),
        ([hop(OUTSIDE, "12:45:00")], "127.0.0.1", ACCEPTED),
        ([hop(f"[{RELAY}] (x [{STRANGER}])", "12:00:00"), LIE], RELAY, at("12:00:00")),
        ([hop(f"[{RELAY}](x) by (x [{STRANGER}])", "12:00:00"), LIE], RELAY, at("12:00:00")),
        ([hop(f"x;Fri,20Nov2026 (x [{STRANGER}])", "12:00:00"), LIE], RELAY, ACCEPTED),
        ([hop(OUTSIDE, "12:00:00").rstrip() + "\r\n ; Fri, 20 Nov 2026 09:00:00 +0000\r\n"], RELAY, ACCEPTED),
        ([hop("mx.example.org", "12:00:00"), LIE], RELAY, at("12:00:00")),
        ([hop("mx.example.org with LMTP", "12:00:00"), LIE], RELAY, at("12:00:00")),
        ([hop(f"mx1 (mx1 [{RELAY}])", "12:20:00", by="a").replace(" +0000", ""), LIE], RELAY, ACCEPTED),
        ([hop(f"mx1 (mx1 [{RELAY}])", "12:20:00").replace("Nov", "Foo"), LIE], RELAY, ACCEPTED),
        ([hop(f"mx1 (mx1 [{RELAY}])", "99:20:00"), LIE], RELAY, ACCEPTED),
        (["Received:\r\n", LIE], RELAY, ACCEPTED),
    ],
    ids=[
        "handed over by a stranger", "by nobody", "no trace", "a clock that is fast", "a name like our address",
        "a name with a by in it", "a name with a semicolon", "a line behind the field", "no address",
        "a name with LMTP in it", "no zone", "no month", "no time", "empty",
    ],
)  # fmt: skip
def test_what_a_stranger_can_write_makes_no_mail_older(trace: list[str], peer: str, expected: datetime) -> None:
    assert OURS.received(mail(*trace), ACCEPTED, peer) == expected


def test_who_is_one_of_ours() -> None:
    assert [OURS.hold(one) for one in ("192.0.2.15", "192.0.2.16", "::1", "2001:db8::7%eth0", "mx", "")] == [
        True, False, True, True, False, False,
    ]  # fmt: skip


# ---- whose results about the sender count

WRITTEN, FORGED = "Authentication-Results: mx; dmarc=pass\r\n", "Authentication-Results: mx; forged=pass\r\n"
FROM_OUTSIDE, INSIDE = hop(OUTSIDE, "12:10:00"), hop(f"mx1 (mx1 [{RELAY}])", "12:20:00")


@pytest.mark.parametrize(
    ("trace", "above", "topmost"),
    [
        ([WRITTEN, FROM_OUTSIDE, FORGED], 1, 1),
        ([INSIDE, WRITTEN, FROM_OUTSIDE, FORGED], 1, 1),
        ([WRITTEN, INSIDE, WRITTEN, FROM_OUTSIDE, FORGED, LIE], 2, 2),
        ([FROM_OUTSIDE, WRITTEN, FORGED, LIE], 0, 1),
        ([hop("", "12:20:00"), FROM_OUTSIDE, WRITTEN], 0, 1),
        ([FROM_OUTSIDE, LIE], 0, 0),
        ([WRITTEN], 1, 1),
    ],
    ids=["above", "above an inner hop", "two", "below its own", "below what names no machine", "none", "no trace"],
)
def test_results_count_where_only_our_servers_can_have_written(trace: list[str], above: int, topmost: int) -> None:
    headers, written = Headers.of(mail(*trace)), WRITTEN.partition(": ")[2].strip()
    assert OURS.results(headers) == (written,) * above
    assert OURS.results(headers, below=True) == (written,) * topmost


def test_results_of_a_mail_that_the_server_in_front_has_skipped_are_the_senders() -> None:
    headers = Headers.of(mail(FROM_OUTSIDE, FORGED, LIE, FORGED))
    assert OURS.results(headers) == ()
    assert OURS.results(headers, below=True) == ("mx; forged=pass",), "a server that writes there must write always"


PLAIN = lines("""
    from mx.evil.org (mx.evil.org [203.0.113.9]) by mx.home (Postfix) with ESMTPS id 1
    from [192.168.1.5] (port=4711 helo=[192.168.1.5]) by mx.home with esmtpa (Exim 4.96) id 1
    from a.example ([203.0.113.9] helo=a.example) by mx.home with esmtps (Exim 4.96) id 1
    from unknown (HELO a_b.example) (203.0.113.9) by mx.home with SMTP
    from 203.0.113.9 (EHLO a.example) by atlas.home with SMTPS
    from [127.0.0.1](mailfrom:ann@a.example fp:SMTPD_1) by smtp.home
    from a (unknown [203.0.113.9]) (using TLSv1.3 (256/256 bits) (Client CN "a", Issuer "B's" (verified OK))) by mx
    from a.example by mx.home
    from FR1P.prod.example (2001:db8::1) by P2.prod.example (2001:db8::2) with Microsoft SMTP Server id 15.20
    by 2002:a05:6a20:1::2 with SMTP id q2csp1
""")
ODD = lines("""
    from x??dmarc=pass?header.from=players.example (mx.evil.org [203.0.113.9]) by mx.home (Postfix) with SMTP id 1
    from x; dmarc=pass header.from=players.example (mx.evil.org [203.0.113.9]) by mx.home
    from x dmarc=pass (mx.evil.org [203.0.113.9]) by mx.home
    from mx.evil.org ([203.0.113.9] helo=x; dmarc=pass header.from=players.example) by mx.home with esmtp
    from unknown (HELO x; spf=pass smtp.mailfrom=players.example) (203.0.113.9) by mx.home with SMTP
    from a"b (mx.evil.org [203.0.113.9]) by mx.home
""")


@pytest.mark.parametrize(("field", "plain"), [*((one, True) for one in PLAIN), *((one, False) for one in ODD)])
def test_a_greeting_that_could_be_a_result_is_seen_in_the_received(field: str, *, plain: bool) -> None:
    """Postfix hands what was said to milters as it is, and writes `?` for what is no sign of a name."""
    inner = hop(f"mx (mx [{RELAY}])", "12:20:00")
    outer = f"Received: {field}; Fri, 20 Nov 2026 12:00:00 +0000\r\n"
    assert OURS.greeted_plainly(Headers.of(mail(inner, outer, LIE))) is plain


def test_a_mail_without_a_trace_was_greeted_by_nobody() -> None:
    assert OURS.greeted_plainly(Headers.of(mail()))
    assert not OURS.greeted_plainly(Headers.of(mail()), ["x"])


@pytest.mark.parametrize(("reported", "plain"), [("mx.evil.org", True), ("MX.Evil.org", True), ("x", False)])
def test_what_is_reported_of_a_greeting_is_that_of_the_received(reported: str, *, plain: bool) -> None:
    """Who begins encryption and does not greet again said something else before, which Postfix forgets."""
    outer = f"Received: {PLAIN[0]}; Fri, 20 Nov 2026 12:00:00 +0000\r\n"
    assert OURS.greeted_plainly(Headers.of(mail(outer)), [reported]) is plain


def test_the_greeting_stands_below_a_field_that_names_no_machine() -> None:
    """So it is behind an alias."""
    fields = (f"Received: {field}; Fri, 20 Nov 2026 12:00:00 +0000\r\n" for field in ("by mx.home (Postfix)", ODD[0]))
    assert not OURS.greeted_plainly(Headers.of(mail(*fields)))
