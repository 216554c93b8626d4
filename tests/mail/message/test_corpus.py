"""Replies as mail programs make them: what their senders wrote, and what must not be acted on.

Each `corpus/*.eml` is a raw message in the manner of the program it is named for; `corpus/expected.toml` is the table.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from gm.mail.message.incoming import read_message

CORPUS = Path(__file__).parent / "corpus"
EXPECTED = tomllib.loads((CORPUS / "expected.toml").read_text(encoding="utf-8"))


def test_every_mail_is_in_the_table() -> None:
    assert {path.stem for path in CORPUS.glob("*.eml")} == set(EXPECTED)


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_own_words(name: str, line_end: bytes) -> None:
    raw = (CORPUS / f"{name}.eml").read_bytes().replace(b"\n", line_end)
    mail = read_message(raw, envelope_from="ann@example.org", recipients=["gm@gm.example.org"])
    assert mail.text == EXPECTED[name]["own"]
    assert mail.faults == ()
    assert mail.automatic is None
    assert mail.sender == "ann@example.org"
    assert mail.message_id.startswith(f"<{name}.")


@pytest.mark.parametrize("name", [name for name, expected in EXPECTED.items() if expected["never"]])
def test_what_is_quoted_is_kept_apart(name: str) -> None:
    raw = (CORPUS / f"{name}.eml").read_bytes()
    mail = read_message(raw, envelope_from="ann@example.org", recipients=[])
    own = mail.text.splitlines()
    for line in EXPECTED[name]["never"]:
        assert line not in own
        if name != "webmail-list-items":  # its line is hidden by a style, so that nobody saw it
            assert line in mail.quoted
