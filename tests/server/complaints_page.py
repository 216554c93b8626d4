"""docs/complaints.md: odd orders and commands, and what the server answers; `python -m tests.server.complaints_page`
writes it.

Each is played by mail, England's in Spring 1901 unless it says otherwise, on 20 November 2026.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.server.world import World, body_of, player

PAGE = Path(__file__).parent.parent.parent / "docs" / "complaints.md"
MASTER = "master@example.org"

ORDERS = r"""
F Nort Sea - Holand
F Nth-Eng-Bel
F Lon-Nth-Eng
F Lon-Eng-Bre-Mao
F Lno-Nth
F London-> Norwegain Sea
F Lon to the North Sea
fleet london moves to north sea
F Lon move Nth
move F Lon to Nth
hold F Lon
all hold
F Lon -->Nth
F Lon x Nth
F Lon/Edi-Nth
F Lon-Nth?
F Lon
F Edi S
F Edi S F Lon
F Edi S A Mun-Kie
F Edi S Germany
F Lon-Norway
A Lon-Nth
F Lvp-Iri
A Paris-Bur
A Lvp-Yor-Lon
A Lvp via Nth to Nwy
A Lvp-Nwy via convoy
F Nth C A Lvp-Nwy
Build A Lon
Retreat F Lon-Yor
F Lon Disband
F Lon-Eng, A Lvp-Wal
f lon-eng a lvp-wal
My orders:\nF Lon-Nth\nF Edi-Nwg\nA Lvp-Yor
-> Nth
F ? - Nth
F LonNth
I order F Lon-Nth
If France attacks, F Lon-Eng
"""

COMMANDS = r"""
EXTEND one day
EXTEND by 24h
EXTEND until Friday
HELP SIGNON
SIGNON France spring
HELP SIGNOFF
HELP PRESSS
TIMEZONE Berlin
TIMEZONE New York
TIMEZONE Germany
TIMEZONE PST
TIMEZONE UTC+2
TIMEZONE Atlantis
SET ZONE Berlin
ABSENCE 24 Dec
ABSENCE 24 Dec to 27 Dec
ABSENCE 24.12. - 27.12.
ABSENCE tomorrow
ABSENCE 5/6
ABSENCE 1 Jan 2020
ABSENCE 24-27 Dec
ABSENCE Christmas
ABSENT 24 Dec
VACATION 24 Dec
CREATE game
JOIN
JOIN spring
OBSERVE spring
RESIGN
QUIT
UNSUBSCRIBE
WHOIS ann
WHO
INFO
GAMES
LIST GAMES
LAST TURN
RESULTS
SEND MAP
GET dip.rules
VOTE DRAW
SET DRAW
CONCEDE
SET CONCEDE
SET WAIT
WAIT please
READY!
PROCESS
DEADLINE Friday
UNDO
CANCEL
WHAT IF
PRESS FRANCE hello
PRESS TO FRANCE\nhello
BROADCAST hello
MESSAGE France
DIARY
PREFERENCE FET
SET PASSWORD x
SET PREFERENCE FET
VERSION
LOG
READY\nI saw Paris in spring.
"""

HISTORY = r"""
HISTORY S1901
HISTORY S1901M
HISTORY spring 1901
HISTORY 1905
HISTORY last
"""

_CUT = re.compile(
    r"\n(?:Without an order|Your orders for|Reply with|The deadline is|No orders of \S+ for \S+ yet|You can also).*",
    re.DOTALL,
)
_LONGEST = 330


def cases(lines: str) -> list[str]:
    """The texts in such a list."""
    return [line.replace("\\n", "\n") for line in lines.strip().split("\n")]


def answers(texts: Iterable[str], *before: str) -> list[tuple[str, str]]:
    """Each text with the answer to it, in a game of its own, in which the gamemaster has written something before."""
    found = []
    for text in texts:
        with tempfile.TemporaryDirectory() as path:
            world = World(Path(path), limits=0)
            seats = world.started()
            for line in before:
                world.send(MASTER, seats["GM"], line)
            found.append((text, _plain(body_of(world.send(player("England"), seats["England"], text)))))
            world.database.dispose()
    return found


def _plain(body: str) -> str:
    """The beginning of a receipt in one line, without what it always has, what it quotes, and its buttons."""
    body = body.replace("--- Reply above this line ---", "")
    body = re.sub(r"\n-{3,}\n", "\n", body)
    body = re.sub(r"Not acted on\n|Line \d+:\n(?: {4}.*\n)+", "", body)
    body = re.sub(r"\n {4}\S.*(?:\n {8}\S.*)+", "", body)
    words = " ".join(_CUT.sub("", body).split())
    words = re.sub(r" ?[SFW]\d{4}[MRA]: no orders yet\.", "", words)
    words = re.sub(r"\d+ lines? could not be acted on, see below(?:; everything else was accepted)?\. ?", "", words)
    return words if len(words) <= _LONGEST else words[:_LONGEST].rpartition(" ")[0] + " ..."


def written() -> str:
    """The page."""
    parts = [
        "# Odd orders and commands, and the answers\n\n"
        "Each was sent to a game, and answered as it says here, shortened."
        " `python -m tests.server.complaints_page` writes this page, and a test compares it.\n"
    ]
    for title, found in (
        ("Orders, by England in Spring 1901", answers(cases(ORDERS))),
        ("Commands, by a player", answers(cases(COMMANDS))),
        ("Commands, after a phase was played", answers(cases(HISTORY), "PROCESS S1901M")),
    ):
        rows = (f"| `{text.replace(chr(10), ' / ').replace('|', '/')}` | {_cell(said)} |" for text, said in found)
        parts.append(f"## {title}\n\n| written | answered |\n| --- | --- |\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "/").replace("<", "&lt;").replace("*", "\\*")


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
