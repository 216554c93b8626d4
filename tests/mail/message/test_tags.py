"""Tags of signatures: what two programs may read in two ways is no signature."""

from __future__ import annotations

import pytest

from gm.mail.message.mime import Headers
from gm.mail.message.tags import entries_of, instance_of, tags_of
from gm.mail.message.trace import sealed_results

SEAL = "i=1; a=rsa-sha256; cv=none; d=list.example; s=k; b=Zm9v"


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("d=list.example; s=k", {"d": "list.example", "s": "k"}),
        (" d = list.example ;\r\n\ts=k;\r\n", {"d": "list.example", "s": "k"}),
        ("h=from : to :\r\n date; b=Zm 9v=; x_1=odd words", {"h": "from:to:date", "b": "Zm9v=", "x_1": "oddwords"}),
        ("d=", {"d": ""}),
        ("h=from:content- type", None),
        ("h=from:content-\r\n type", None),
        ("d=list.example; d=evil.example", None),
        ("D=list.example; d=evil.example", None),
        ("d=list.example; \x1fd=evil.example", None),
        ("d\x1f=list.example; d=evil.example", None),
        ("d=list.example\x0b; e=evil.example", None),
        ("\xa0d=list.example", None),
        ("d=list.exаmple", None),
        ("d=list. example", None),
        ("d=list.example; s", None),
        ("d=list.example;; s=k", None),
        ("d=list.example; 1s=k", None),
        ("", None),
    ],
)  # fmt: skip
def test_there_is_no_second_opinion_of_tags(written: str, tags: dict[str, str] | None) -> None:
    assert tags_of(written) == tags


def test_a_domain_writes_its_records_as_it_likes() -> None:
    assert entries_of("V=DMARC1; P = reject ;p=none;;") == {"v": "DMARC1", "p": "reject", "": ""}


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("arc-authentication-results", "i=1; mx.list.example; dmarc=pass", 1),
        ("arc-authentication-results", " i = 12 ;mx.list.example", 12),
        ("arc-authentication-results", "mx.list.example; i=1; dmarc=pass", 0),
        ("arc-authentication-results", "I=1; mx.list.example", 0),
        ("arc-seal", SEAL, 1),
        ("arc-seal", "a=rsa-sha256; i=2", 2),
        ("arc-seal", "I=1; " + SEAL, 0),
        ("arc-seal", "i=123; d=list.example", 0),
        ("arc-seal", "i=one; d=list.example", 0),
        ("arc-seal", "d=list.example", 0),
    ],
)
def test_the_set_of_a_field(name: str, value: str, number: int) -> None:
    assert instance_of(name, value) == number


@pytest.mark.parametrize(
    ("seal", "believed"),
    [
        (SEAL, True),
        (SEAL.replace("d=list", "d=evil"), False),
        (SEAL.replace("d=list", "D=list.example; d=evil"), False),
        (SEAL.replace("d=list", "d\x1f=list.example; d=evil"), False),
        (SEAL.replace("i=1", "I=2; i=1"), False),
    ],
)
def test_who_sealed_a_mail_is_read_as_its_verifier_reads_it(seal: str, believed: bool) -> None:
    said = "i=1; mx.list.example; dmarc=pass header.from=writer.example"
    headers = Headers.parse(f"ARC-Seal: {seal}\nARC-Authentication-Results: {said}".encode())
    assert bool(sealed_results(headers)) is believed
