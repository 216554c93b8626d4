"""The one place where a line is cut and collapsed before any pattern or parser sees it.

Patterns and parsers are tested to be linear; this bounds what they cost when one is not, and what they keep. The text
of a mail stays as it was written: press is carried whole, and what was cut off is quoted back as too long.
"""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST = 2_000
"""The most characters of a line that are matched and parsed."""
LONGEST_RUN = 64
"""The most blanks, and the most signs and blanks, that follow each other in such a line. The second column of our
mails, whose place says that a line was broken, is indented by less.
"""

_BLANKS = re.compile(rf"\s{{{LONGEST_RUN + 1},}}")
_SIGNS = re.compile(rf"[\W_]{{{LONGEST_RUN + 1},}}")
_TWO_COLUMNS = "  "


class Cut(NamedTuple):
    """A line as it may be matched and parsed, and what is left over beyond `LONGEST` characters ("" for nearly all)."""

    text: str
    rest: str = ""


def cut(line: str) -> Cut:
    """Collapse the long runs in a line, and cut it at `LONGEST` characters. A line without either comes back as it is.

    A run of blanks becomes two, so that columns stay apart. A run of signs, with or without blanks among them, keeps
    both ends: the dash of an order before it, the arrow behind it. Letters and digits are all kept, so the line says
    what it said. Takes time in proportion to the line's length.
    """
    short = _SIGNS.sub(_ends, _BLANKS.sub(_TWO_COLUMNS, line))
    return Cut(short[:LONGEST], short[LONGEST:])


def _ends(run: re.Match[str]) -> str:
    half = LONGEST_RUN // 2
    return run[0][:half] + run[0][-half:]
