"""SpamAssassin, without network: what gm sends has no content or form that it knows from unwanted mail.

Where it is not installed the test is skipped with a line that says so (and fails where GM_REQUIRE_SERVERS=1).
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from tests.mail.transport.dovecot import find_server
from tests.server.world import BASE, World, player

pytestmark = pytest.mark.long

MASTER, NEWCOMER, FRANCE = "master@example.org", "new@example.net", player("France")
OF_A_PLAYER = (
    *("A PAR-BUR\nA MAR S A PAR-BUR\nF BRE-MAO", "A PAR-BRUGUNDY\nF BRE-MOS", "Army Paris moves to Burgundy, please"),
    *("HELP", "HELP ORDERS", "RULES", "STATUS", "LIST", "POSITION", "MAP", "MY ORDERS", "WHY BUR", "SUMMARY"),
    *("HISTORY", "WHATIF\nA PAR-BUR", "DRAW", "PREFERENCES", "WHOAMI", "EXPORT", "ABSENCE 2 Jan to 9 Jan"),
    *("PRESS TO Germany\nHello there! Shall we both stay out of Burgundy?\nENDPRESS", "How many centres do I need?"),
)
OF_A_STRANGER = ("HELP", "LIST", "REGISTER Ann", "SANDBOX try", "PRACTICE ex", "I would like to play", "LIST OPEN")
OF_A_GAMEMASTER = (
    *("DASHBOARD", "INVITE eve@example.net", "REMIND", "DEADLINE +1d", "LOG", "PREVIEW", "SETTINGS", "WHO"),
    *("BROADCAST\nThe deadline is a day later.\nENDBROADCAST", "EJECT Italy", "STANDIN Italy"),
)
WAY = {"HTML_MESSAGE", "RCVD_ILLEGAL_IP", "NO_RECEIVED", "NO_RELAYS", "ALL_TRUSTED"}
"""Rules about the way of a mail, which is none here, and that it has a part in HTML."""
UNWANTED = b"From: x@example.org\r\nDate: Fri, 20 Nov 2026 09:00:00 +0000\r\nSubject: hi\r\n\r\nBuy viagra now!!!\r\n"


@dataclass
class Posting(World):
    """A server whose mails are kept as they leave."""

    sent: list[tuple[str, bytes]] = field(default_factory=list)

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
        self.sent.append((envelope_from, raw))
        super().deliver(raw, envelope_from, recipient)

    def say(self, sender: str, to: str, text: str) -> None:
        self.arrive(sender, to, text)
        self.work()


def kinds(folder: Path) -> dict[str, bytes]:
    """The first mail of each subject, but for its numbers, of two years of a game, with the field that a relay adds."""
    folder.mkdir()
    world = Posting(folder, limits=0)
    seats = world.begin_here(options="press=grey move=3d progress=yes reminder=12h")
    for text in OF_A_PLAYER:
        world.say(FRANCE, seats["France"], text)
    for text in OF_A_STRANGER:
        world.say(NEWCOMER, BASE, text)
    for text in OF_A_GAMEMASTER:
        world.say(MASTER, seats["GM"], text)
    world.say(FRANCE, BASE, "PREFERENCES digest=daily")
    world.say(NEWCOMER, seats["France"], "A PAR-GAS")
    for _ in range(8):
        world.pass_time(days=2.5)
    world.say(FRANCE, seats["France"], "RESIGN")
    world.say(MASTER, seats["GM"], "TERMINATE")
    found: dict[str, bytes] = {}
    for sender, raw in world.sent:
        ours = re.search(rb"^Subject: (.*)", raw, re.MULTILINE)
        date = re.search(rb"^Date: (.*)\r", raw, re.MULTILINE)
        assert ours is not None
        assert date is not None
        came = (
            f"Return-Path: <{sender}>\r\nReceived: from mx.example.org (mx.example.org [203.0.113.25]) by mx.other.net "
        )
        came += f"with ESMTPS id 4XyZab1cdE; {parsedate_to_datetime(date[1].decode()):%a, %d %b %Y %H:%M:%S +0000}\r\n"
        found.setdefault(re.sub(r"\d+", "9", ours[1].decode()), came.encode() + raw)
    return found


def rules_met(mails: Iterable[bytes], home: Path) -> dict[str, set[str]]:
    """By the subject of each mail, the names of the rules that it meets."""
    letters = (mail.replace(b"\r\n", b"\n").replace(b"\nFrom ", b"\n>From ") for mail in mails)
    box = b"".join(b"From gm Fri Nov 20 09:00:00 2026\n" + letter + b"\n" for letter in letters)
    command = (find_server("spamassassin"), "--local", "--mbox", "--test-mode")
    ran = subprocess.run(command, input=box, capture_output=True, check=True, env={**os.environ, "HOME": str(home)})
    said = "".join(
        re.findall(r"^(?:X-Spam-Status|Subject|\s).*\n", ran.stdout.decode("utf-8", "replace"), re.MULTILINE)
    )
    found = re.findall(r"^X-Spam-Status: [^:]*?tests=([\w,\s]*?)\sautolearn[^:]*?^Subject: (.*)", said, re.MULTILINE)
    return {subject: set("".join(names.split()).split(",")) for names, subject in found}


def test_no_rule_of_content_or_form_is_met(tmp_path: Path) -> None:
    mails = kinds(tmp_path / "world")
    met = rules_met((*mails.values(), UNWANTED), tmp_path)
    assert met.pop("hi") - WAY, "it looks for them"
    assert len(met) > 30
    assert {subject: rules - WAY for subject, rules in met.items() if rules - WAY} == {}
