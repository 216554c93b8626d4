"""Every row of docs/commands.md, done: each command of the reference, and each line that the tables for people from
other judges give, is sent to a real server, is accepted, and is answered with what it did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from gm.commands import COMMANDS
from gm.parsing.message import CommandLine
from tests.commands import reference
from tests.inbound.test_which_phase import late
from tests.parsing.names import LEXICON, MOVEMENT, parse_message
from tests.server.kept import kept
from tests.server.world import BASE, World, player, proved, text_of

MASTER, EVE = "master@example.org", "eve@elsewhere.example"
UNDERSTOOD = "--- Reply above this line --- Your mail was understood. "

ROWS: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "orders": ("Italy", "A VEN-TYR", "S1901M: 2 units without an order. Orders of Italy for S1901M (set #1)", ()),
    "clear": (
        "Italy",
        "CLEAR",
        "S1901M: no orders yet. Your orders for this phase are deleted.",
        ("Italy: A VEN-TYR",),
    ),
    "wait": ("Italy", "WAIT", "The phase will not be adjudicated before its deadline.", ()),
    "ready": ("Italy", "READY", "S1901M: orders complete (READY).", ()),
    "myorders": ("Italy", "MY ORDERS", "spring, S1901M: orders of Italy, the newest first", ()),
    "phase": ("Italy", "PHASE F1901M\nA VEN H\nENDPHASE", "One order for F1901M is stored.", ()),
    "whatif": ("Italy", "WHATIF\nA VEN-TYR", "spring, S1901M: trial adjudication; nothing is changed", ()),
    "sandbox": ("Italy", "SANDBOX", "Your sandbox is sandbox-", ()),
    "press": ("Italy", "PRESS TO France, Austria\nHello.\nENDPRESS", "Press sent to France, Austria.", ()),
    "broadcast": ("Italy", "BROADCAST\nHello.\nENDPRESS", "Press sent to all.", ()),
    "diary": ("Italy", "DIARY\nA quiet day.\nENDDIARY", "Added to your diary.", ()),
    "presswith": (
        *("Italy", "PRESS WITH France", "Your press with France in spring"),
        ("Italy: PRESS TO France\nHello.\nENDPRESS",),
    ),
    "status": ("Italy", "STATUS", "Status of spring (Diplomacy)", ()),
    "position": ("Italy", "POSITION", "spring, S1901M: the position", ()),
    "list": ("eve", "LIST", "Games of this server", ()),
    "summary": ("Italy", "SUMMARY", "Summary of spring", ()),
    "history": ("Italy", "HISTORY", "spring, S1901M", ("GM: PROCESS S1901M",)),
    "map": ("Italy", "MAP", "The map of spring, S1901M, is attached", ()),
    "export": ("Italy", "EXPORT", "The game spring is attached as a file.", ()),
    "correct": (
        "GM",
        "CORRECT S1901M\nItaly: A VEN-TYR\nBECAUSE it was lost",
        "On trial; nothing is changed yet.",
        ("GM: PROCESS S1901M",),
    ),
    "allgames": ("GM", "ALL GAMES: EXTEND 24h", "spring:", ()),
    "why": ("Italy", "WHY A VEN-TYR", "spring, S1901M: why", ("Italy: A VEN-TYR", "GM: PROCESS S1901M")),
    "practice": ("eve", "PRACTICE", "Your practice game is practice-", ()),
    "join": ("eve", "JOIN club", "You have a seat in club (Diplomacy).", ("GM: CREATE club",)),
    "takeover": ("eve", "TAKEOVER spring", "You play Turkey in spring.", ("GM: EJECT Turkey",)),
    "standby": ("eve", "STANDBY spring", "You are on the standby list of spring;", ()),
    "here": ("Italy", "HERE", "Thank you, Italy is there.", ("GM: MUSTER",)),
    "observe": ("eve", "OBSERVE spring", "You observe spring and will receive its reports.", ()),
    "unobserve": ("eve", "UNOBSERVE spring", "You no longer observe spring.", ("eve: OBSERVE spring",)),
    "resign": ("Italy", "RESIGN spring", "You have left spring.", ()),
    "stop": ("eve", "STOP spring", "You are not invited to spring again.", ()),
    "forgetme": ("Italy", "FORGET ME", "You have left all your games; your name, addresses", ()),
    "extend": ("GM", "EXTEND 24h", "The deadline for S1901M is now Sat 28 Nov 2026, 09:00 UTC", ()),
    "pause": ("GM", "PAUSE", "The game is paused. Everybody was notified.", ()),
    "resume": ("GM", "RESUME", "The game is resumed. The deadline is Fri 27 Nov 2026", ("GM: PAUSE",)),
    "absence": ("Italy", "ABSENCE 2026-12-24 TO 2027-01-02", "You are away from Thu 24 Dec 2026, 00:00 UTC to", ()),
    "deputy": ("Italy", f"DEPUTY {EVE}", f"{EVE} is asked to order for Italy.", ()),
    "draw": ("Italy", "DRAW", "You vote for a draw of Austria, England", ()),
    "concede": ("Italy", "CONCEDE TO France", "You concede the game to France, if all others do.", ()),
    "register": ("eve", "REGISTER Eve Example", f"You are registered as Eve Example <{EVE}>.", ()),
    "whoami": ("Italy", "WHOAMI", "Who you are here", ()),
    "address": ("Italy", "ADDRESS", "Your addresses: italy@players.example (mail goes there).", ()),
    "timezone": ("Italy", "TIMEZONE Europe/Rome", "Times in your mails are now given in Europe/Rome;", ()),
    "preferences": ("Italy", "PREFERENCES mail=text", "Your preferences: mail=text (text only)", ()),
    "alias": ("Italy", "ALIAS Home = Rome", "Home now means Rom in your orders.", ()),
    "help": ("eve", "HELP", "How to play by mail", ()),
    "rules": ("Italy", "RULES", "The rules of Diplomacy", ()),
    "game": ("Italy@server", "GAME spring\nSTATUS", "Status of spring (Diplomacy)", ()),
    "end": ("Italy", "STATUS\nEND\nSee you on Friday, Pat", "Status of spring (Diplomacy)", ()),
    "reveal": ("GM", "REVEAL", "Sent to everybody: Austria: Pat Austria,", ()),
    "preview": ("GM", "PREVIEW", "spring, S1901M: trial adjudication with the orders received so far", ()),
    "official": ("GM", "OFFICIAL\nFriday.\nENDOFFICIAL", "Your announcement was sent to everybody.", ()),
    "remark": (
        "GM",
        "REMARK\nWell played.\nENDREMARK",
        "Your words will stand above the next report, that of S1901M, or in the game's last mail.",
        (),
    ),
    "houserules": ("GM", "HOUSE RULES\nBe kind.\nENDHOUSERULES", "The house rules of spring are now: Be kind.", ()),
    "note": ("GM", "NOTE France was late", "Noted. Only you can read it", ()),
    "remind": ("GM", "REMIND", "A reminder goes to", ()),
    "dashboard": ("GM", "DASHBOARD", "Dashboard of spring", ()),
    "standin": ("GM", "STANDIN Turkey", "A stand-in player plays Turkey from now on", ("GM: EJECT Turkey",)),
    "deadline": ("GM", "DEADLINE in 24h", "The deadline for S1901M is now Sat 21 Nov 2026, 09:00 UTC", ()),
    "process": ("GM", "PROCESS S1901M", "S1901M is adjudicated now, with the orders that are in.", ()),
    "release": (
        *("GM", "RELEASE S1901M", "The results of S1901M go to everybody now."),
        ("GM: SET release=gm", "GM: PROCESS S1901M"),
    ),
    "terminate": ("GM", "TERMINATE spring", "The game spring is over.", ()),
    "create": ("eve", "CREATE winter LIKE spring", "The game winter (Diplomacy) is ready", ()),
    "start": ("GM", "START spring", "The game spring has begun.", ("GM: UNSTART spring",)),
    "unstart": ("GM", "UNSTART spring", "The start of spring is taken back: it is forming again.", ()),
    "set": ("GM", "SET move=2d grace=12h", "The game's options are now: move=2d, grace=12h.", ()),
    "comment": ("GM", "COMMENT Fridays", "LIST and STATUS now say of spring: Fridays", ()),
    "invite": ("GM", f"INVITE {EVE}", f"{EVE} is invited to spring.", ()),
    "deny": ("GM", f"DENY {EVE}", f"{EVE} is not admitted to spring,", ()),
    "replace": ("GM", f"REPLACE Turkey WITH {EVE}", f"{EVE} is asked whether they want to play Turkey,", ()),
    "muster": ("GM", "MUSTER", "Seven players must say by Sun 22 Nov 2026", ()),
    "eject": ("GM", "EJECT Turkey", "Turkey is vacant.", ()),
    "dummy": ("GM", "DUMMY Turkey", "Turkey is a dummy: its units hold", ()),
    "ordersfor": ("GM", "ORDERS FOR Italy\nA VEN-TYR", "Orders of Italy now in force: A Ven-Tyr.", ()),
    "promote": ("GM", f"PROMOTE {EVE}", f"{EVE} is asked to be a gamemaster of spring.", ()),
    "log": ("GM", "LOG", "Log of spring, the newest first", ()),
    "undo": ("GM", "UNDO", "PAUSE is undone. The deadline is as it was.", ("GM: PAUSE",)),
    "rollback": ("GM", "ROLLBACK S1901M", "S1901M is played again", ("GM: PROCESS S1901M",)),
    "rollforward": (
        *("GM", "ROLLFORWARD", "The game is back in F1901M"),
        ("GM: PROCESS S1901M", "GM: ROLLBACK S1901M"),
    ),
    "acceptlate": ("GM", "ACCEPT LATE", "S1901M is adjudicated again, with the late orders of France (", ("late",)),
    "refuselate": ("GM", "REFUSE LATE", "The late orders of France for S1901M do not count", ("late",)),
    "schedule": ("GM", "SCHEDULE in 24h: PROCESS", "Scheduled for Sat 21 Nov 2026, 09:00 UTC: PROCESS", ()),
}
"""Who sends what, the beginning of the answer, and what was sent before, by the name of the command."""

LINES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "INVITE friend@example.org AS power": ("GM", "INVITE friend@example.org AS Turkey", ("GM: EJECT Turkey",)),
    "DIARY LIST": ("Italy", "DIARY LIST", ("Italy: DIARY\nA quiet day.\nENDDIARY",)),
    "END": ("Italy", "STATUS\nEND", ()),
    "SIGNOFF": ("Italy", "STATUS\nSIGNOFF", ()),
    "GAME name": ("Italy@server", "GAME spring\nSTATUS", ()),
    "HISTORY F1901M": ("Italy", "HISTORY F1901M", ("GM: PROCESS S1901M", "GM: PROCESS F1901M")),
    "PROCESS F1901M": ("GM", "PROCESS F1901M", ("GM: PROCESS S1901M",)),
    "ROLLBACK F1901M": ("GM", "ROLLBACK F1901M", ("GM: PROCESS S1901M", "GM: PROCESS F1901M")),
    "JOIN game": ("eve", "JOIN club", ("GM: CREATE club",)),
    "JOIN game AS E[FGR]A": ("eve", "JOIN club AS E[FGR]A", ("GM: CREATE club",)),
    "PREFERENCES powers=E[FGR]A": ("Italy", "PREFERENCES powers=E[FGR]A", ()),
    "SET admission=invited": ("GM", "SET admission=invited", ("GM: UNSTART spring",)),
    "PHASE F1903M": ("Italy", "PHASE F1903M\nA VEN H", ()),
    "PHASE RETREATS": ("Italy", "PHASE RETREATS\nA VEN-PIE", ()),
    "PHASE BUILDS": ("Italy", "PHASE BUILDS\nBUILD A ROM", ()),
    "ORDERS FOR power": ("GM", "ORDERS FOR Italy\nA VEN H", ()),
    "window=24h": ("eve", "CREATE winter variant=among-us window=24h", ()),
    "start=5": ("eve", "CREATE winter variant=outer-space start=5", ()),
    "ADDRESS REMOVE you@example.org": (
        *("Italy", "ADDRESS REMOVE italy@second.example"),
        ("Italy: ADDRESS ADD italy@second.example", "confirm: italy@second.example"),
    ),
}
"""The lines of other rows that need something below them or before: who sends what, after what."""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path, limits=0)
    yield world
    world.database.dispose()


def needed(text: str) -> str:
    """The options of a game in which the line can be acted on."""
    words = text.split()
    hidden = "anonymous=yes" if words[0] == "REVEAL" else ""
    return "press=grey" if words[0] == "GREY" else "draw=listed" if "DRAW" in words else hidden


def done(world: World, seats: dict[str, str], who: str, text: str) -> str:
    """The answer to a mail of Italy's player or the gamemaster to their seat, or of somebody to the server."""
    if who == "confirm":
        return text_of(world.accepts(text))
    if who == "late":
        received = world.time + timedelta(minutes=5)
        world.pass_time(hours=1)
        done(world, seats, "GM", "PROCESS S1901M")
        world.pass_time(hours=2)
        return text_of(late(world, seats["France"], "A PAR-BUR", received))
    name, _, public = who.partition("@")
    sender = {"GM": MASTER, "eve": EVE}.get(name, player(name))
    to = BASE if public or name == "eve" or text.startswith("CREATE") else seats[name]
    return text_of(world.send(sender, to, text, headers=proved(sender) if to is BASE else {}))


@kept
def prepared(world: World, options: str, before: tuple[str, ...]) -> dict[str, str]:
    """The seats of a game with these options, in which these mails were sent."""
    seats = world.started("spring", options)
    for mail in before:
        who, _, words = mail.partition(": ")
        done(world, seats, who, words)
    return seats


def test_every_command_has_its_row_here() -> None:
    assert set(ROWS) == set(COMMANDS)
    page = reference.PAGE.read_text(encoding="utf-8")
    assert set(LINES) <= set(reference.ours(page))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_of_the_reference_is_done(world: World, name: str) -> None:
    who, text, answer, before = ROWS[name]
    seats = prepared(world, needed(text), before)
    assert done(world, seats, who, text).startswith(f"{UNDERSTOOD}{answer}")


def _written(code: str) -> tuple[str, str, tuple[str, ...]]:
    """Who sends this line of a row, the whole mail, and what is sent before."""
    if code in LINES:
        return LINES[code]
    if re.fullmatch(r"[a-z]+=\S+", code):
        return "eve", f"CREATE winter {code}", ()
    text = code.replace("power", "Turkey").replace("game", "spring").replace("autumn", "spring")
    text = text.replace("CREATE spring", "CREATE winter").replace("other@", "eve@")
    if "PRESS TO" in code or code in ("BROADCAST", "DIARY", "OFFICIAL"):
        block = code.split()[0] if code in ("DIARY", "OFFICIAL") else "PRESS"
        return "GM" if code == "OFFICIAL" else "Italy", f"{text}\nHello.\nEND{block}", ()
    (item,) = parse_message(text, LEXICON, MOVEMENT).items
    assert isinstance(item, CommandLine)
    who, _, _, before = ROWS[item.name]
    return who, text, before


CODES = reference.ours(reference.PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("code", [code for code in CODES if code not in ("IF", "ELSE", "ENDIF")])
def test_a_line_for_people_from_other_judges_is_done(world: World, code: str) -> None:
    who, text, before = _written(code)
    seats = prepared(world, needed(text), before)
    assert done(world, seats, who, text).startswith(UNDERSTOOD)
