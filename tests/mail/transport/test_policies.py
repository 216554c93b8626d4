"""DMARC (RFC 7489, RFC 9989): what comes out for mail from a domain, by its record and that of its organization, and by
who vouches for the mail.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from gm.mail.message.trace import HandedOver
from gm.mail.transport.dmarc import Verifier
from gm.mail.transport.lookups import LookupFailed
from gm.mail.transport.signing import Signer
from tests.tables import rows

HOME = "192.0.2.1"

# From | who vouches: d= of a signature, or @ and the domain of the envelope | record of the domain of From | record of
# its organization | what comes out. Records are written without "v=DMARC1; ", or whole behind "!"; & is between two.
# By the RFC an envelope of another domain of the organization vouches, too: here it is `policy`, since whoever hands a
# mail on may have one (docs/trust.md).
POLICIES = rows("""
    3.1.1 the same domain        | us.example     | us.example     | p=reject           |                | pass
    3.1.1 the domain above       | a.us.example   | us.example     | p=reject           | p=reject       | pass
    3.1.1 a domain below         | us.example     | a.us.example   | p=reject           |                | pass
    3.1.1 a domain beside it     | a.us.example   | b.us.example   | p=reject           | p=reject       | pass
    3.1.1 two below              | x.a.us.example | y.b.us.example |                    | p=reject       | pass
    3.1.1 another organization   | us.example     | them.example   | p=reject           |                | fail
    3.1.1 the same ending        | us.example     | xus.example    | p=reject           |                | fail
    3.1.1 a public suffix        | a.co.uk        | b.co.uk        | p=reject           |                | fail
    3.1.1 a private one          | a.github.io    | b.github.io    | p=reject           |                | fail
    3.1.1 strict, the same       | us.example     | us.example     | p=reject; adkim=s  |                | pass
    3.1.1 strict, the domain above | a.us.example   | us.example     | p=reject; adkim=s  | p=reject       | fail
    3.1.1 strict above, not here | a.us.example   | us.example     | p=reject           | p=reject; adkim=s | pass
    3.1.1 strict above, none here | a.us.example   | us.example     |                    | p=reject; adkim=s | fail
    3.1.1 strict for the other   | a.us.example   | us.example     | p=reject; aspf=s   |                | pass
    3.1.1 an unknown alignment   | a.us.example   | us.example     | p=reject; adkim=x  |                | pass
    3.1.2 the envelope           | us.example     | @us.example    | p=reject           |                | pass
    3.1.2 the envelope above     | a.us.example   | @us.example    | p=reject           | p=reject       | policy
    3.1.2 the envelope beside it | a.us.example   | @b.us.example  | p=reject           |                | policy
    3.1.2 another envelope       | us.example     | @them.example  | p=reject           |                | fail
    3.1.2 strict, envelope above | a.us.example   | @us.example    | p=reject; aspf=s   |                | fail
    3.1.2 strict for the other   | a.us.example   | @us.example    | p=reject; adkim=s  |                | policy
    6.3 reject                   | us.example     |                | p=reject           |                | fail
    6.3 quarantine               | us.example     |                | p=quarantine       |                | fail
    6.3 none                     | us.example     |                | p=none             |                | none
    6.3 letters of any case      | us.example     |                | P=Reject           |                | fail
    6.3 blanks                   | us.example     |                | !v = DMARC1 ;  p = reject ; |                | fail
    6.3 an unknown tag           | us.example     |                | moo=cow; p=reject  |                | fail
    6.3 for domains below        | a.us.example   |                |                    | p=none; sp=reject | fail
    6.3 less for domains below   | a.us.example   |                |                    | p=reject; sp=none | none
    6.3 not for itself           | us.example     |                | p=none; sp=reject  |                | none
    6.3 the nearer record        | a.us.example   |                | p=none             | p=reject       | none
    6.3 pct=0                    | us.example     |                | p=reject; pct=0    |                | none
    6.3 pct=0, passes            | us.example     | us.example     | p=reject; pct=0    |                | pass
    6.3 pct=10                   | us.example     |                | p=reject; pct=10   |                | fail
    6.3 pct=100                  | us.example     |                | p=reject; pct=100  |                | fail
    6.3 no percentage            | us.example     |                | p=reject; pct=x    |                | fail
    6.6.3 no record              | us.example     |                |                    |                | none
    6.6.3 no record, signed      | us.example     | us.example     |                    |                | pass
    6.6.3 another text beside it | us.example     |                | !hello & p=reject  |                | fail
    6.6.3 two records            | us.example     |                | p=reject & p=reject |                | none
    6.6.3 two here, one above    | a.us.example   |                | p=reject & p=reject | p=reject       | none
    6.6.3 two records, signed    | us.example     | us.example     | p=reject & p=none  |                | pass
    6.6.3 the version is not first | us.example     |                | !p=reject; v=DMARC1 |                | none
    6.6.3 a later version        | us.example     |                | !v=DMARC10; p=reject |                | none
    6.6.3 version in small letters | us.example     |                | !v=dmarc1; p=reject |                | none
    6.6.3 no request             | us.example     |                | rua=mailto:a@us.example |                | none
    6.6.3 an unknown request     | us.example     |                | p=refuse           |                | none
    6.6.3 an unknown one below   | us.example     |                | p=reject; sp=refuse |                | none
    6.6.3 no answer              | down.example   |                |                    |                | temperror
    9989 tested                  | us.example     |                | p=reject; t=y      |                | none
    9989 not tested              | us.example     |                | p=reject; t=n      |                | fail
    9989 nothing at that name    | gone.us.example |                |                    | p=none; np=reject | fail
    9989 something at that name  | a.us.example   |                |                    | p=none; np=reject | none
    9989 less for what is not    | gone.us.example |                |                    | p=reject; np=none | none
    9989 np before sp | gone.us.example | | | p=none; sp=none; np=reject | fail
    9989 sp where there is no np | gone.us.example |                |                    | p=none; sp=reject | fail
""")


def published(records: str) -> tuple[str, ...]:
    """The TXT records at a name."""
    written = records.split(" & ") if records else []
    return tuple(one[1:] if one.startswith("!") else f"v=DMARC1; {one}" for one in written)


def found(
    key: Path, sender: str, voucher: str, here: str, above: str, *, spf: str = "v=spf1 ip4:192.0.2.1 -all"
) -> str:
    envelope = voucher.removeprefix("@") if voucher.startswith("@") else "bounces.example"
    organization = sender.partition(".")[2] if above else ""
    texts: dict[str, tuple[str, ...]] = {
        f"_dmarc.{organization}": published(above),
        f"_dmarc.{sender}": published(here),
        envelope: (spf,),
    }
    raw = f"From: ann@{sender}\r\nTo: gm@gm.example\r\nDate: Fri, 20 Nov 2026 09:00:00 +0000\r\n\r\nx\r\n".encode()
    if voucher and not voucher.startswith("@"):
        signer = Signer(voucher, "k", key)
        texts[signer.record[0]] = (signer.record[1],)
        raw = signer.sign(raw)

    def records(name: str, kind: str) -> Sequence[str]:
        if name == "_dmarc.down.example":
            raise LookupFailed("no answer")
        if kind != "TXT":
            return () if name.startswith("gone.") or kind != "MX" else ("10 mx.us.example",)
        return texts.get(name, ())

    value = Verifier("gm", records=records).find(raw, HandedOver(HOME, "mx.example", f"ann@{envelope}")).value
    return value.rpartition("dmarc=")[2].split()[0]


@pytest.mark.parametrize(("what", "sender", "voucher", "here", "above", "expected"), POLICIES)
def test_a_policy_applies_to_mail_that_nobody_of_its_organization_vouches_for(
    key: Path, what: str, sender: str, voucher: str, here: str, above: str, expected: str
) -> None:
    assert found(key, sender, voucher, here, above) == expected, what


def test_a_machine_that_the_envelopes_domain_forbids_vouches_for_nothing(key: Path) -> None:
    assert found(key, "us.example", "@us.example", "p=reject", "", spf="v=spf1 -all") == "fail"


@pytest.mark.parametrize(
    ("at", "expected"),
    [("c.us.example", "fail"), ("b.c.us.example", "fail"), ("x.example", "none"), ("example", "none")],
)
def test_a_record_between_the_domain_and_its_organization_is_found(at: str, expected: str) -> None:
    """As RFC 9989 walks the tree; RFC 7489 asks at both ends alone."""
    texts = {f"_dmarc.{at}": "v=DMARC1; p=reject"}
    raw = b"From: ann@a.b.c.us.example\r\n\r\nA PAR-BUR\r\n"
    verifier = Verifier("gm", records=lambda name, kind: (texts[name],) if name in texts and kind == "TXT" else ())
    value = verifier.find(raw, HandedOver(HOME, "mx.example", "x@bounces.example")).value
    assert f"dmarc={expected}" in value


def test_a_long_name_costs_few_lookups() -> None:
    asked: list[str] = []
    raw = f"From: ann@{'a.' * 40}us.example\r\n\r\nA PAR-BUR\r\n".encode()
    Verifier("gm", records=lambda name, kind: asked.append(name) or ()).find(raw, HandedOver(HOME, "mx", "x@y.example"))  # type: ignore[func-returns-value]
    places = [one for one in asked if one.startswith("_dmarc.")]
    assert len(places) == 8
    assert places[1:3] == ["_dmarc.us.example", "_dmarc.a.us.example"]
