"""Authentication-Results: which servers are trusted, and what their results say about the sender (RFC 8601)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from authres import AuthenticationResultsHeader, AuthResError
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.mail.message.trace import Authenticity, aligned, authenticity, read_results
from tests.tables import rows
from tests.timing import cost

PASS, FAIL, NONE, DOUBTFUL = Authenticity.PASS, Authenticity.FAIL, Authenticity.NONE, Authenticity.DOUBTFUL
SENDER = "ann@example.org"

CASES = [
    (name, header, Authenticity(found))
    for name, header, found in rows("""
    dmarc passes | mx.home; dmarc=pass header.from=example.org | pass
    dmarc passes for a subdomain | mx.home; dmarc=pass header.from=mail.example.org | pass
    dmarc passes for nobody named | mx.home; dmarc=pass | none
    dmarc passes for nobody named, dkim too | mx.home; dmarc=pass; dkim=pass header.d=example.org | pass
    dmarc passes for somebody else | mx.home; dmarc=pass header.from=example.com | none
    dmarc fails, dkim of another domain passes | mx.home; dkim=pass header.d=evil.example; dmarc=fail | fail
    dmarc fails under p=none | mx.home; dmarc=fail (p=NONE sp=NONE dis=NONE) header.from=example.org | fail
    a guess of Microsoft's | mx.home; dmarc=bestguesspass action=none header.from=example.org | pass
    dkim passes | mx.home; dkim=pass header.d=example.org header.s=a header.b=Xyz | pass
    dkim passes by its identity | mx.home; dkim=pass header.i="@example.org" | pass
    dkim passes for a mail provider only | mx.home; dkim=pass header.d=provider.example | none
    spf passes | mx.home; spf=pass (sender is ok) smtp.mailfrom=ann@example.org | pass
    spf of another domain | mx.home; spf=pass smtp.mailfrom=bounce.example | none
    dkim fails, spf passes | mx.home; dkim=fail header.d=example.org; spf=pass smtp.mailfrom=example.org | pass
    dkim fails | mx.home; dkim=fail (body hash did not verify) header.d=example.org | fail
    dkim fails under no policy | mx.home; dkim=fail header.d=example.org; spf=none; dmarc=none | none
    spf fails | mx.home; spf=fail smtp.mailfrom=example.org | fail
    spf fails softly | mx.home; spf=softfail smtp.mailfrom=example.org | none
    nothing was found | mx.home 1; none | none
    an error for now | mx.home; dkim=temperror; dmarc=temperror | none
    pass in a comment | mx.home; dkim=none (dmarc=pass header.from=example.org; dkim=pass header.d=example.org) | none
    the id in a comment | (mx.home) evil.example; dmarc=pass header.from=example.org | none
    a server not configured | mx.elsewhere; dmarc=pass header.from=example.org | none
    capitals | MX.Home; DMARC=PASS header.from=Example.ORG | pass
    a version behind the method | mx.home; dkim/1=pass header.d=example.org | pass
    a quoted id | "mx.home"; dmarc=pass header.from=example.org | pass
    an id in two halves, the first quoted | "mx."home; dmarc=pass header.from=example.org | none
    an id in two halves, the second quoted | mx."home"; dmarc=pass header.from=example.org | none
    an id with a comment within | mx.(x)home; dmarc=pass header.from=example.org | none
    an id with a word behind it | mx.home evil; dmarc=pass header.from=example.org | doubtful
    no id | dmarc=pass header.from=example.org; dkim=pass header.d=example.org | none
    another version | mx.home 2; dmarc=pass header.from=example.org | doubtful
    a result in a quoted string | mx.home; spf=none smtp.mailfrom="x; dmarc=pass header.from=example.org" | none
    a comment that does not end | mx.home; dmarc=pass header.from=example.org ( | doubtful
    a quoted string that does not end | mx.home; dmarc=pass header.from=example.org; x=" | doubtful
    a parenthesis too many | mx.home; dmarc=pass header.from=example.org ) | doubtful
    a reason that holds a property | mx.home; dkim=pass reason="header.d=example.org" header.d=evil.example | none
    words behind a pass | mx.home; dkim=pass header.d=example.org and more | none
    words that are no result | mx.home; x y; dkim=pass header.d=example.org | none
    words behind a failure | mx.home; dmarc=fail header.from=example.org and more | fail
    two signers named | mx.home; dkim=pass header.d=evil.example header.d=example.org | none
    the identity of another than the signer | mx.home; dkim=pass header.d=evil.example header.i=@example.org | none
    a sender with a blank, quoted | mx.home; spf=pass smtp.mailfrom="a b"@example.org | pass
    our mark in it | mx.home; dmarc=pass header.from=example.org\ue000 | doubtful
    a comment at once behind the value | mx.home; dmarc=pass(p=REJECT) header.from=example.org; | pass
    blanks around the signs | mx.home ; dkim = pass header . d = example.org | pass
    base64 with its signs | mx.home; dkim=pass header.d=example.org header.b=a/b+c== | pass
    """)
] + [
    (
        "dkim fails under no policy, spf passes for a forwarder",
        "mx.home; dkim=fail header.d=example.org;"
        " spf=pass smtp.mailfrom=list.example; dmarc=none header.from=example.org",
        NONE,
    ),
    ("nothing at all", "", NONE),
    (
        "a result in a quoted string with an escaped mark",
        r'mx.home; spf=none smtp.mailfrom="\"; dmarc=pass header.from=example.org; \""@evil.example',
        NONE,
    ),
    (
        "a result behind an escaped parenthesis",
        r"mx.home; spf=none (\); dmarc=pass header.from=example.org) smtp.mailfrom=evil.example",
        NONE,
    ),
    (
        "a result in comments many deep",
        f"mx.home; spf=none {'(' * 9}; dmarc=pass header.from=example.org {')' * 9}",
        NONE,
    ),
]


@pytest.mark.parametrize(("header", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_one_header(header: str, expected: Authenticity) -> None:
    assert authenticity([header], {"mx.home"}, SENDER) is expected


def test_only_the_topmost_counts_and_only_from_a_configured_server() -> None:
    true, forged = "mx.home; dmarc=fail", "mx.home; dmarc=pass header.from=example.org"
    assert authenticity([true, forged], {"mx.home"}, SENDER) is FAIL
    assert authenticity(["mx.other; dmarc=pass", true, forged], {"mx.home"}, SENDER) is NONE
    assert authenticity(["mx.other; none", forged], {"mx.home"}, SENDER) is NONE, "below a stranger's anybody wrote it"


def test_without_a_configured_server_nothing_is_believed() -> None:
    assert authenticity(["mx.home; dmarc=fail"], (), SENDER) is NONE


def test_properties_are_read() -> None:
    name, (result,) = read_results('mx.home; dkim=pass (2048-bit key; (nested)) header.d=a.example header.b="ab"')
    assert (name, result.method, result.properties["header.d"]) == ("mx.home", "dkim", "a.example")


def read_by_authres(value: str) -> tuple[str, list[tuple[str, str, dict[str, str]]]] | None:
    """What an independent parser makes of it; None when it refuses it. It knows neither a semicolon too many, nor
    Microsoft's `action=none`, nor a blank within a property's name, which RFC 8601 allows; we read them all."""
    value = re.sub(r"\saction\s*=\s*none\b", " ", value)
    value = re.sub(r";(?:\s*;)*", ";", value)
    value = re.sub(r";\s*\Z", "", value)
    try:
        found = AuthenticationResultsHeader.parse(f"Authentication-Results: {value}")
    except AuthResError:
        return None
    results = []
    for result in found.results:
        named = [(f"{one.type}.{one.name}".lower(), one.value) for one in result.properties]
        properties = {key: unescaped(text).lower() for key, text in named}
        results.append((result.method.lower(), result.result.lower(), properties))
    return str(found.authserv_id).lower(), results


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


BLANK = st.sampled_from([" ", "  ", " (x) ", " (a (b) ;c=pass) ", r" (\)) "])
ATOM = st.sampled_from(["mx.home", "evil.example", "example.org", "a-b", "x1"])
QUOTED = st.sampled_from(['"mx.home"', '"a; dmarc=pass"', r'"\""', '"x y"', '"header.d=example.org"'])
METHOD = st.sampled_from(["dkim", "spf", "dmarc", "auth"])
VALUE = st.sampled_from(["pass", "fail", "none", "softfail"])
TEXT = st.one_of(ATOM, ATOM.map("@{}".format), ATOM.map("ann@{}".format))
NAME = st.sampled_from(["header.d", "header.i", "header.from", "smtp.mailfrom"])


@st.composite
def well_formed(draw: st.DrawFn) -> str:
    """A value by the grammar of RFC 8601, 2.2."""
    value = draw(ATOM) + draw(st.sampled_from(["", " 1"]))
    for _ in range(draw(st.integers(1, 3))):
        gap = draw(st.sampled_from(["", " ", "(c)"]))
        value += f"{gap};{draw(BLANK)}{draw(METHOD)}={draw(VALUE)}"
        if draw(st.booleans()):
            value += f"{draw(BLANK)}reason={draw(st.one_of(ATOM, QUOTED))}"
        names = draw(st.lists(NAME, max_size=3, unique=True))
        for name in names:  # the other parser knows a quoted string at the end of a result only
            value += f"{draw(BLANK)}{name}={draw(QUOTED if name is names[-1] and draw(st.booleans()) else TEXT)}"
    return value


@given(well_formed())
def test_what_is_well_formed_is_read_as_an_independent_parser_reads_it(value: str) -> None:
    name, results = read_results(value)
    assert (name, [(one.method, one.value, dict(one.properties)) for one in results]) == read_by_authres(value)


PIECES = ["mx.home", "evil.example", ";", "; ", '"', "\\", "(", ")", " ", "=", ".", "@", "/", "1", "reason", "\t"]
PIECES += ["dmarc=pass", " header.from=example.org", "dkim=pass", " header.d=example.org", "spf=fail", " action=none"]


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.booleans())
def test_whatever_passes_here_passes_an_independent_parser(tail: str, led: bool) -> None:
    value = f"mx.home{tail}; dmarc=pass header.from=example.org" if led else tail
    if authenticity([value], {"mx.home"}, SENDER) is PASS:
        name, results = read_by_authres(value) or ("", [])
        assert name == "mx.home"
        assert [one for one in results if one[1] == "pass"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("a.org", "a.org", True), ("a.org.", "A.org", True), ("m.a.org", "a.org", True), ("a.org", "m.a.org", True),
     ("xa.org", "a.org", False), ("org", "a.org", False), ("", "", False), ("a.org.evil", "a.org", False),
     ("a.co.uk", "b.co.uk", False), ("a.co.uk", "co.uk", False), ("m.a.co.uk", "a.co.uk", True),
     ("evil.eu.org", "eu.org", False), ("x.github.io", "github.io", False), ("m.a.github.io", "a.github.io", True),
     ("co.uk", "co.uk", True), ("b.a.org", "c.a.org", True), ("b.a.co.uk", "c.b.co.uk", False),
     ("m.a.example", "a.example", True)],
)  # fmt: skip
def test_alignment(one: str, other: str, same: bool) -> None:
    assert aligned(one, other) is same


@pytest.mark.parametrize("piece", ["(", "((", ";", "dkim=pass;", "a=b (", '"', "x.y="])
def test_a_hostile_header_costs_little_more_than_an_honest_one(piece: str) -> None:
    def read(value: str) -> Callable[[], object]:
        headers = [f"mx.other;{value}"] * 5 + [f"mx.home;{value}"]
        return lambda: authenticity(headers, {"mx.home"}, SENDER)

    assert cost(read(piece * 20_000), read(" dkim=pass header.d=a.example;" * 20_000), enough=10) < 10


@pytest.mark.parametrize(
    ("sender", "expected"),
    [
        ("x@evil.example", FAIL),
        ("a(b@evil.example", DOUBTFUL),
        ('a"b@evil.example', DOUBTFUL),
        ("a\\b@evil.example", DOUBTFUL),
        ("a\x1b$Bb@evil.example", DOUBTFUL),
        ("ä@evil.example", DOUBTFUL),
    ],
)
def test_what_a_trusted_server_wrote_and_cannot_be_read_is_in_doubt(sender: str, expected: Authenticity) -> None:
    """Some write the sender of the envelope as it came, which can hide what stands behind it."""
    said = f"mx.home; spf=pass smtp.mailfrom={sender}; dmarc=fail header.from=writer.example"
    assert authenticity([said], {"mx.home"}, "ann@writer.example") is expected
    assert authenticity([said], {"mx.other"}, "ann@writer.example") is NONE
