"""The parts of a server, by which an operator names them."""

from __future__ import annotations

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
