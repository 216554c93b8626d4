"""How the server of a run is set up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from gm.settings import (
    ClockSettings,
    DatabaseSettings,
    ImapSettings,
    ListenSettings,
    SendSettings,
    ServerSettings,
    Settings,
    TrustSettings,
)
from tests.simulation.network import SPAM

BASE = "gm@sim.example"
OPERATOR = "operator@ops.example"
AUTHSERV = "mx.sim"


@dataclass(frozen=True, slots=True)
class Ways:
    """How the server of a run is set up; `dies`: it dies as it starts, or soon after; `spam`: it reads that folder
    too; `can`: what the mailbox can do; `drift`: how far the second machine's clock is ahead; `poll_seconds`: how often
    it looks there.
    """

    listens: bool = True
    polls: bool = False
    level: Any = "normal"
    plus_addressing: bool = True
    catch_up: Any = "adjudicate"
    keep_days: int = 0
    machines: int = 1
    protocol: Any = "smtp"
    dies: bool = False
    spam: bool = False
    can: frozenset[str] = frozenset({"MOVE", "IDLE", "UIDPLUS"})
    verify: Any = "remote"
    drift: timedelta = timedelta()
    poll_seconds: int = 300


def settings_of(ways: Ways, home: Path, url: str, seed: int, number: int) -> Settings:
    """The settings of one of the servers, by its number, with its database at `url`."""
    return Settings(
        home=home,
        server=ServerSettings(
            address=BASE,
            operator=OPERATOR,
            zone=ZoneInfo("UTC"),
            plus_addressing=ways.plus_addressing,
            keep_days=ways.keep_days,
            rehearsal_seed=b"simulated seed %6d" % seed,
        ),
        key=b"k" * 32,
        database=DatabaseSettings(url),
        send=SendSettings(maildir=home / "mail", kind="smtp", host="relay.sim", connections=2),
        listen=ListenSettings(protocol=ways.protocol, port=2525 + number) if ways.listens else None,
        imap=_imap(ways) if ways.polls else None,
        clock=ClockSettings(catch_up=ways.catch_up, poll_seconds=6 * 3600),
        trust=TrustSettings(level=ways.level, authserv_ids=(AUTHSERV,), verify=ways.verify),
    )


def _imap(ways: Ways) -> ImapSettings:
    how: Any = {"spam_folder": SPAM if ways.spam else None, "poll_seconds": ways.poll_seconds}
    return ImapSettings("imap.sim", BASE, "secret", tls="none", **how)
