"""When a mail was received, by the fields that our own servers wrote into it; and what a forger can make of it."""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime, timedelta

import pytest

from gm.mail.message.mime import Headers
from gm.mail.message.trace import LOOPBACK, Relays

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
        ([hop(f"[{RELAY}] ({STRANGER}:4711)", "12:00:00"), LIE], RELAY, at("12:00:00")),
        ([hop(f"x;Fri,20Nov2026 (x [{STRANGER}])", "12:00:00"), LIE], RELAY, ACCEPTED),
        ([hop(OUTSIDE, "12:00:00").rstrip() + "\r\n ; Fri, 20 Nov 2026 09:00:00 +0000\r\n"], RELAY, ACCEPTED),
        ([hop("mx.example.org", "12:00:00"), LIE], RELAY, at("12:00:00")),
        ([hop("mx.example.org with LMTP", "12:00:00"), LIE], RELAY, at("12:00:00")),
        ([hop(f"mx1 (mx1 [{RELAY}])", "12:20:00", by="a").replace(" +0000", ""), LIE], RELAY, ACCEPTED),
        ([hop(f"mx1 (mx1 [{RELAY}])", "12:20:00", by="a").replace("+0000", "-0000"), LIE], RELAY, ACCEPTED),
        ([hop(f"mx1 (mx1 [{RELAY}])", "12:20:00").replace("Nov", "Foo"), LIE], RELAY, ACCEPTED),
        ([hop(f"mx1 (mx1 [{RELAY}])", "99:20:00"), LIE], RELAY, ACCEPTED),
        (["Received:\r\n", LIE], RELAY, ACCEPTED),
    ],
    ids=[
        "handed over by a stranger", "by nobody", "no trace", "a clock that is fast", "a name like our address",
        "a name with a by in it", "an address with a port", "a name with a semicolon", "a line behind the field",
        "no address", "a name with LMTP in it", "no zone", "an unknown zone", "no month", "no time", "empty",
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
