"""Mail providers: their servers, and how much mail they let one account send, as they say themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Provider:
    """`imap` and `smtp` are hosts, with TLS from the start at ports 993 and 465 (`starttls`: at port 587).

    `per_day` and `per_hour` are the most mails that an account may send in any 24 hours and any hour, each to one
    recipient, as gm sends them; 0: it names none. `source` is its own page about that.
    """

    imap: str
    smtp: str
    source: str
    per_day: int = 0
    per_hour: int = 0
    starttls: bool = False
    domains: tuple[str, ...] = ()
    """The domains of its own mailboxes."""
    asks_leave: bool = False
    """Whether it takes no password but wants `gm oauth2`."""


PROVIDERS: Mapping[str, Provider] = {
    "gmail": Provider(
        "imap.gmail.com",
        "smtp.gmail.com",
        "https://support.google.com/mail/answer/22839",
        per_day=500,
        domains=("gmail.com", "googlemail.com"),
    ),
    "google-workspace": Provider(
        "imap.gmail.com",
        "smtp.gmail.com",
        "https://support.google.com/a/answer/166852",
        per_day=2000,
        asks_leave=True,
    ),
    "microsoft-365": Provider(
        "outlook.office365.com",
        "smtp.office365.com",
        "https://learn.microsoft.com/office365/servicedescriptions/exchange-online-service-description/"
        "exchange-online-limits#sending-limits-1",
        per_day=10_000,
        per_hour=1800,  # 30 a minute
        starttls=True,
        asks_leave=True,
    ),
    "fastmail": Provider(
        "imap.fastmail.com",
        "smtp.fastmail.com",
        "https://www.fastmail.com/help/account/limits.html",  # by plan: set per_day to that of yours
        domains=("fastmail.com", "fastmail.fm"),
    ),
}
