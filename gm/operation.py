"""What an operator names: the parts of a server, and mails by their numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """What a server does; on PostgreSQL several servers can share it out."""

    INTAKE = "intake"
    """Takes mail by SMTP, LMTP or IMAP, authenticates its senders and acts on it."""
    DEADLINES = "deadlines"
    """Adjudicates, reminds, carries out what is scheduled, and deletes what is old."""
    REPORTS = "reports"
    """Writes reports and digests, and the gallery."""
    DELIVERY = "delivery"
    """Sends mail."""


EVERY_PART = frozenset(Part)

OURS = "S"
"""The beginning of the numbers of mails of ours."""


@dataclass(frozen=True, slots=True)
class MailNumber:
    """The number of a mail that arrived, as 12, or of a mail of ours, as S12."""

    id: int
    ours: bool

    @classmethod
    def of(cls, text: str) -> MailNumber | None:
        """The number as it is written; None for what is none."""
        found = re.fullmatch(rf"({OURS})?([0-9]{{1,18}})", text, re.IGNORECASE)
        return cls(int(found[2]), bool(found[1])) if found is not None else None

    def __str__(self) -> str:
        return f"{OURS if self.ours else ''}{self.id}"
