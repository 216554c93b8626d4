"""Authentication-Results: whose are believed, and what they say of the sender (RFC 8601)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gm.mail.message.authentication import Authenticity, aligned, authenticity, read_results
from tests.timing import cost

PASS, FAIL, NONE = Authenticity.PASS, Authenticity.FAIL, Authenticity.NONE
SENDER = "ann@example.org"

CASES = [
    ("dmarc passes", "mx.home; dmarc=pass header.from=example.org", PASS),
    ("dmarc passes for a subdomain", "mx.home; dmarc=pass header.from=mail.example.org", PASS),
    ("dmarc passes for somebody else", "mx.home; dmarc=pass header.from=example.com", NONE),
    ("dmarc fails, dkim of another domain passes", "mx.home; dkim=pass header.d=evil.example; dmarc=fail", FAIL),
    ("dmarc fails under p=none", "mx.home; dmarc=fail (p=NONE sp=NONE dis=NONE) header.from=example.org", FAIL),
    ("a guess of Microsoft's", "mx.home; dmarc=bestguesspass action=none header.from=example.org", PASS),
    ("dkim passes", "mx.home; dkim=pass header.d=example.org header.s=a header.b=Xyz", PASS),
    ("dkim passes by its identity", 'mx.home; dkim=pass header.i="@example.org"', PASS),
    ("dkim passes for a mail provider only", "mx.home; dkim=pass header.d=provider.example", NONE),
    ("spf passes", "mx.home; spf=pass (sender is ok) smtp.mailfrom=ann@example.org", PASS),
    ("spf of another domain", "mx.home; spf=pass smtp.mailfrom=bounce.example", NONE),
    ("dkim fails, spf passes", "mx.home; dkim=fail header.d=example.org; spf=pass smtp.mailfrom=example.org", PASS),
    ("dkim fails", "mx.home; dkim=fail (body hash did not verify) header.d=example.org", FAIL),
    ("spf fails", "mx.home; spf=fail smtp.mailfrom=example.org", FAIL),
    ("spf fails softly", "mx.home; spf=softfail smtp.mailfrom=example.org", NONE),
    ("nothing was found", "mx.home 1; none", NONE),
    ("an error for now", "mx.home; dkim=temperror; dmarc=temperror", NONE),
    (
        "pass in a comment",
        "mx.home; dkim=none (dmarc=pass header.from=example.org; dkim=pass header.d=example.org)",
        NONE,
    ),
    ("the id in a comment", "(mx.home) evil.example; dmarc=pass header.from=example.org", NONE),
    ("a server not configured", "mx.elsewhere; dmarc=pass header.from=example.org", NONE),
    ("capitals", "MX.Home; DMARC=PASS header.from=Example.ORG", PASS),
    ("a version behind the method", "mx.home; dkim/1=pass header.d=example.org", PASS),
    ("nothing at all", "", NONE),
]


@pytest.mark.parametrize(("header", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_one_header(header: str, expected: Authenticity) -> None:
    assert authenticity([header], {"mx.home"}, SENDER) is expected


def test_only_the_topmost_of_the_configured_server_counts() -> None:
    true, forged = "mx.home; dmarc=fail", "mx.home; dmarc=pass header.from=example.org"
    assert authenticity([true, forged], {"mx.home"}, SENDER) is FAIL
    assert authenticity(["mx.other; dmarc=pass", true, forged], {"mx.home"}, SENDER) is FAIL


def test_without_a_configured_server_nothing_is_believed() -> None:
    assert authenticity(["mx.home; dmarc=fail"], (), SENDER) is NONE


def test_properties_are_read() -> None:
    name, (result,) = read_results('mx.home; dkim=pass (2048-bit key; (nested)) header.d=a.example header.b="ab"')
    assert (name, result.method, result.properties["header.d"]) == ("mx.home", "dkim", "a.example")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("a.org", "a.org", True), ("a.org.", "A.org", True), ("m.a.org", "a.org", True), ("a.org", "m.a.org", True),
     ("xa.org", "a.org", False), ("org", "a.org", False), ("", "", False), ("a.org.evil", "a.org", False)],
)  # fmt: skip
def test_alignment(one: str, other: str, same: bool) -> None:
    assert aligned(one, other) is same


@pytest.mark.parametrize("piece", ["(", "((", ";", "dkim=pass;", "a=b (", '"', "x.y="])
def test_a_hostile_header_costs_little_more_than_an_honest_one(piece: str) -> None:
    def read(value: str) -> Callable[[], object]:
        headers = [f"mx.other;{value}"] * 5 + [f"mx.home;{value}"]
        return lambda: authenticity(headers, {"mx.home"}, SENDER)

    assert cost(read(piece * 20_000), read(" dkim=pass header.d=a.example;" * 20_000), enough=10) < 10
