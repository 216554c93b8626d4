"""The tables of docs/trust.md, made from what the server does: `python -m tests.server.trust_page`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from gm.commands import COMMANDS
from gm.commands.declaration import Consent
from gm.mail.message.authentication import Authenticity
from gm.server.trust import LEVELS, Standing, counts
from gm.settings import Level
from tests.commands.reference import name_of

PAGE = Path(__file__).parent.parent.parent / "docs" / "trust.md"
LEVELS_IN_ORDER: tuple[Level, ...] = get_args(Level)

_PROOFS = {
    Authenticity.PASS: "authenticated",
    Authenticity.NONE: "not authenticated",
    Authenticity.FAIL: "fails its domain's own checks",
}
_FROM = {
    Standing.SEATED: "the player, to their seat's address",
    Standing.SHOWN: "the player, to an address of their seat that others have seen",
    Standing.REGISTERED: "somebody registered, to the server's address",
    Standing.STRANGER: "somebody unknown, to the server's address",
    Standing.STRANGER_AT_SEAT: "somebody else, to a seat's address",
    Standing.VOID: "anybody, to the void address of a seat",
}
_CONFIRMS = {"never": "done", "unproved": "done if authenticated, else confirmed", "always": "confirmed"}


def tables() -> dict[str, str]:
    """Each table of the page by its name."""
    return {"mails": _table("mail", _mails()), "commands": _table("what a command means", _commands())}


def _mails() -> Iterator[tuple[str, ...]]:
    for standing, who in _FROM.items():
        for proof, said in _PROOFS.items():
            yield f"{who}; {said}", *(_fate(level, standing, proof) for level in LEVELS_IN_ORDER)


def _fate(level: Level, standing: Standing, proof: Authenticity) -> str:
    if not counts(level, standing, proof):
        in_nobodys_name = standing in (Standing.STRANGER, Standing.VOID)
        return "ignored" if in_nobodys_name else "quarantined"
    return "refused, and told why" if standing is Standing.VOID else "acted on"


def _commands() -> Iterator[tuple[str, ...]]:
    for consent in Consent:
        if consent is not Consent.NONE:
            kind = f"*{name_of(consent)}*: {consent.value}: {', '.join(_titles(consent))}"
            yield kind, *(_CONFIRMS[LEVELS[level].confirms[consent]] for level in LEVELS_IN_ORDER)


def _titles(consent: Consent) -> Iterator[str]:
    for command in COMMANDS.values():
        if command.policy.consent is consent:
            yield f"`{command.title}`"
        elif command.policy.of_master is consent:
            yield f"`{command.title}` from the gamemaster"


def _table(what: str, rows: Iterator[tuple[str, ...]]) -> str:
    head = (what, *(f"`{level}`" for level in LEVELS_IN_ORDER))
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, ("---",) * len(head), *rows))


def written() -> dict[str, str]:
    """The tables as they are on the page."""
    page = PAGE.read_text(encoding="utf-8")
    return {name: page.partition(_begin(name))[2].partition(_END)[0] for name in tables()}


_END = "<!-- end -->\n"


def _begin(name: str) -> str:
    return f"<!-- made from the code: {name} -->\n"


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    for name, table in tables().items():
        before, begin, rest = page.partition(_begin(name))
        page = before + begin + table + _END + rest.partition(_END)[2]
    PAGE.write_text(page, encoding="utf-8")
