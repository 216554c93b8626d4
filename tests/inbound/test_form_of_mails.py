"""The form of every mail that a game sends, as the programs and filters of its readers need it."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from tests.inbound.test_one_click import AT, FORM
from tests.server.world import OPENINGS, World, player

_LONGEST_LINE = 76  # RFC 2045, 6.7 and 6.8
_LARGEST_PAGE = 100_000  # octets; Gmail cuts what is longer than 102 kB


def _faults(mail: EmailMessage) -> set[str]:
    """What a reader's program, or a filter, would take amiss."""
    found = {
        "lines of a part": any(
            len(line) > _LONGEST_LINE
            for part in mail.walk()
            if part["Content-Transfer-Encoding"] in ("quoted-printable", "base64")
            for line in str(part.get_payload()).splitlines()
        )
    }
    text, page = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text is not None
    lines = text.get_content().splitlines()
    found["lines of text"] = any(len(line) > _LONGEST_LINE or "mailto:" in line for line in lines)
    html = page.get_content() if page is not None else ""
    found["page too large"] = len(html.encode()) > _LARGEST_PAGE
    pictures = re.findall(r"<img\b[^>]*>", html)
    found["picture without width"] = any(not re.search(r' width="\d+"', one) for one in pictures)
    if not mail["In-Reply-To"]:
        found["no one click"] = mail["List-Unsubscribe-Post"] != FORM.decode() or AT not in mail["List-Unsubscribe"]
    return {fault for fault, is_there in found.items() if is_there}


@pytest.mark.long
def test_every_mail_of_a_game(world: World, seats: dict[str, str]) -> None:
    object.__setattr__(world.service.identity, "click_address", AT)
    before = {who: len(mails) for who, mails in world.mailboxes.items()}
    long = "Long lines, one after another. " * 9
    world.send(player("Italy"), seats["Italy"], f"PRESS TO ALL\n{long}\nENDPRESS")
    world.send(player("France"), seats["France"], f"{OPENINGS['France']}\nHELP\nSTATUS\nMAP\nHISTORY\nA PAR-XYZ")
    world.send("master@example.org", seats["GM"], "DASHBOARD\nOFFICIAL\nNews\nENDOFFICIAL\nPROCESS")
    world.pass_time(days=6, hours=1)
    mails = [mail for who, mails in world.mailboxes.items() for mail in mails[before.get(who, 0) :]]
    mails = [mail for mail in mails if mail["To"] != "operator@example.org"]
    assert {(str(mail["Subject"]), *found) for mail in mails if (found := _faults(mail))} == set()
    assert any("<img" in str(page.get_content()) for mail in mails if (page := mail.get_body(("html",))) is not None)
