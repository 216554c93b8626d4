"""Mailboxes laid side by side: what several people were written about the same phases.

Place: used by `gm demo` where a script says so; it looks at mails only.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from gm.demo.game import Correspondent
from gm.demo.mailroom import text_of

WIDTH = 46
"""Characters of a column; three of them stand on a wide terminal."""

_BETWEEN = " | "


def side_by_side(people: Sequence[Correspondent], phases: Sequence[str]) -> str:
    """The mails to these people about these phases, a column for each person."""
    lines = []
    for phase in phases:
        columns = [[f"{person.name} ({person.power})", "", *_mails(person, phase)] for person in people]
        rule = "=" * (len(people) * WIDTH + (len(people) - 1) * len(_BETWEEN))
        lines += [rule, phase, rule]
        for row in zip_longest(*columns, fillvalue=""):
            lines.append(_BETWEEN.join(f"{cell:<{WIDTH}}" for cell in row).rstrip())
    return "\n".join(lines)


def _mails(person: Correspondent, phase: str) -> Iterator[str]:
    """The mails about a phase, without the forms to fill in, broken to the column."""
    for mail in person.mails:
        subject = str(mail["Subject"])
        if f"] {phase} results" not in subject and f"] {phase}: orders are closed" not in subject:
            continue
        yield from textwrap.wrap(f"Subject: {subject}", WIDTH)
        yield "-" * WIDTH
        body = text_of(mail).partition("---\n")[2] or text_of(mail)
        for line in body.partition("Your orders for")[0].strip().splitlines():
            stroke = line.strip("-=") == ""
            yield from [line[:WIDTH]] if stroke else textwrap.wrap(line, WIDTH, subsequent_indent="  ") or [""]
        yield ""
        yield ""
