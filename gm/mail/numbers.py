"""The numbers of mails, by which an operator names them."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
