"""The tables of docs/trust.md, made from what the server does: `python -m tests.server.trust_page`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from gm.commands import COMMANDS
from gm.commands.declaration import Consent, Who
from gm.games.limits import BUDGETS, Payer, Per, Spent
from gm.inbound.answering import payer_of
from gm.inbound.identification import AT_OWN_SEAT, LEVELS, Standing, is_believed, must_ask
from gm.mail.message.coverage import DECISIVE, coverage, title
from gm.mail.message.trace import Authenticity, authenticity
from gm.settings import Level
from tests.commands.reference import name_of

PAGE = Path(__file__).parent.parent.parent / "docs" / "trust.md"
LEVELS_IN_ORDER: tuple[Level, ...] = get_args(Level)

_PROOFS = {
    Authenticity.PASS: "authenticated",
    Authenticity.NONE: "not authenticated",
    Authenticity.FAIL: "fails its domain's own checks",
    Authenticity.DOUBTFUL: "authenticated, but not all of its text",
}
_FROM = {
    Standing.SEATED: "the player, to their seat's address",
    Standing.SHOWN: "the player, to an address of their seat that others have seen",
    Standing.OPENLY: "the player, to the server's address, below `GAME` and their game's name",
    Standing.REGISTERED: "somebody registered, to the server's address",
    Standing.STRANGER: "somebody unknown, to the server's address",
    Standing.STRANGER_AT_SEAT: "somebody else, to a seat's address",
    Standing.VOID: "anybody, to the void address of a seat",
}
_LEVELS = tuple(f"`{level}`" for level in LEVELS_IN_ORDER)
_SENDER = "ann@players.example"
_SEALED = "mx.example; dkim=pass header.d=players.example"
_RESULTS = {
    "DMARC passes for the sender's domain": "dmarc=pass header.from=players.example",
    "DMARC passes, and no domain is named": "dmarc=pass",
    "DMARC fails, whatever else passes": "dkim=pass header.d=players.example; dmarc=fail header.from=players.example",
    "a DKIM signature of the sender's domain": "dkim=pass header.d=players.example",
    "a DKIM signature of a subdomain of it, or of the domain above": "dkim=pass header.d=mail.players.example",
    "a DKIM signature of another domain": "dkim=pass header.d=elsewhere.example",
    "SPF for the sender's domain": "spf=pass smtp.mailfrom=bounces@players.example",
    "SPF for another domain": "spf=pass smtp.mailfrom=bounces@elsewhere.example",
    "DKIM or SPF fails, and nothing passes": "dkim=fail header.d=players.example",
    "DKIM or SPF fails, and DMARC finds no policy": "dkim=fail header.d=players.example; dmarc=none",
    "DMARC passes, but what it rests on does not cover what is read (below)": (
        "dkim=policy header.d=players.example; dmarc=policy header.from=players.example"
    ),
    "a mailing list changed it, and a trusted server had found it good before and sealed that (ARC)": (
        "arc=pass; dkim=fail header.d=players.example"
    ),
    "the DNS does not answer in a quarter of an hour": "dkim=temperror; spf=temperror; dmarc=temperror",
    "nothing": "none",
}
SIGNED_BY = {  # by signatures in public archives of 2025 and 2026; Outlook's without a year, Proton's of 2023 and 2024
    "Gmail, until June 2026": (
        "content-transfer-encoding:mime-version:references:in-reply-to:message-id:date:subject:cc:to:from:reply-to"
    ),
    "Gmail": (
        "content-transfer-encoding:content-type:mime-version:references:in-reply-to:message-id:date:subject:cc:to:from"
        ":reply-to"
    ),
    "Outlook": "from:date:subject:message-id:content-type:mime-version:x-ms-exchange-senderadcheck",
    "iCloud": "from:date:subject:mime-version:content-type:message-id:to:x-icloud-hme",
    "Yahoo": "from:to:cc:subject:date:in-reply-to:references:reply-to",
    "Fastmail": (
        "cc:content-transfer-encoding:content-type:date:from:in-reply-to:message-id:mime-version:references:reply-to"
        ":subject:to"
    ),
    "Proton": "date:to:from:cc:subject:message-id:in-reply-to:references:reply-to:feedback-id",
    "GMX": (
        "x-ui-sender-class:mime-version:message-id:from:to:cc:subject:content-type:date:in-reply-to:references"
        ":content-transfer-encoding:reply-to"
    ),
    "mailbox.org": (
        "from:reply-to:subject:date:message-id:to:cc:mime-version:content-type:content-transfer-encoding:in-reply-to"
        ":references"
    ),
}
_REPLY = (
    "From: x@players.example\r\n"
    + "".join(f"{name}: x\r\n" for name in ("To", "Subject", "Message-ID", "In-Reply-To"))
    + "Date: Fri, 20 Nov 2026 09:00:00 +0000\r\nReferences: x\r\nMIME-Version: 1.0\r\n"
    + "Content-Type: text/plain\r\nContent-Transfer-Encoding: 7bit\r\n\r\nx"
)
_COUNTED = (Spent.WORK, Spent.MAILS, Spent.ANSWERS)
_CONFIRMS = {
    "never": "done",
    "unproved": "done if authenticated, else confirmed",
    "in public": "done if authenticated and at a seat's address, else confirmed",
    "always": "confirmed",
}


def tables() -> dict[str, str]:
    """Each table of the page by its name."""
    return {
        "results": _table(("what a trusted server has found out", "the mail is"), _results()),
        "mails": _table(("mail", *_LEVELS), _mails()),
        "commands": _table(("what a command means", *_LEVELS), _commands()),
        "providers": _table(("provider", "sent directly", "forwarded by somebody", "not signed"), _providers()),
        "limits": _table(("mail", *(f"{spent.value} an hour" for spent in _COUNTED)), _limits()),
        "thief": _table(("who it is, and what they want", *_LEVELS), _thefts()),
    }


def _results() -> Iterator[tuple[str, ...]]:
    for said, results in _RESULTS.items():
        yield said, _PROOFS[authenticity([f"mx.example; {results}"], {"mx.example"}, _SENDER, _SEALED)]
    for said, server in (
        ("the same, from any other server, or where the sender can have written it (below)", "mx.evil.example"),
    ):
        yield said, _PROOFS[authenticity([f"{server}; dmarc=pass"], {"mx.example"}, _SENDER)]


def _mails() -> Iterator[tuple[str, ...]]:
    for standing, who in _FROM.items():
        for proof, said in _PROOFS.items():
            yield f"{who}; {said}", *(_fate(level, standing, proof) for level in LEVELS_IN_ORDER)


def _fate(level: Level, standing: Standing, proof: Authenticity) -> str:
    if not is_believed(level, standing, proof):
        in_nobodys_name = standing in (Standing.STRANGER, Standing.VOID)
        return "ignored" if in_nobodys_name else "quarantined"
    return "refused, with the reason" if standing is Standing.VOID else "acted on"


def _commands() -> Iterator[tuple[str, ...]]:
    for consent in Consent:
        if consent is not Consent.NONE:
            kind = f"*{name_of(consent)}*: {consent.value}: {', '.join(_titles(consent))}"
            yield kind, *(_CONFIRMS[LEVELS[level].confirms[consent]] for level in LEVELS_IN_ORDER)


def _titles(consent: Consent) -> Iterator[str]:
    for command in COMMANDS.values():
        if command.policy.consent is consent:
            yield f"`{command.title}`" + ("" if command.policy.of_vacant is None else " of a power that has a player")
        elif command.policy.of_master is consent:
            yield f"`{command.title}` from the gamemaster"
        elif command.policy.of_none is consent:
            yield f"`{command.title} NONE`"
        elif command.policy.of_unseated is consent:
            yield f"`{command.title}` to the server's own address"


def _providers() -> Iterator[tuple[str, ...]]:
    """What becomes of a reply from the mail providers: with SPF, and with their signature alone."""
    for name, fields in SIGNED_BY.items():
        found = coverage(f"DKIM-Signature: d=players.example; h={fields}; b=x\r\n{_REPLY}".encode())
        gaps = (found.flaw, found.gap("players.example"))
        fates = ("asked about" if gap else "authenticated" for gap in gaps)
        open_to_change = ", ".join(f"`{title(one)}`" for one in sorted(DECISIVE.difference(fields.split(":"))))
        yield name, *fates, open_to_change


def _limits() -> Iterator[tuple[str, ...]]:
    for standing, who in _FROM.items():
        registered = standing in (*AT_OWN_SEAT, Standing.REGISTERED)
        for proof, said in _PROOFS.items():
            if all(_fate(level, standing, proof) != "ignored" for level in LEVELS):
                payer = payer_of(standing, proof, known=registered)
                yield f"{who}; {said}", *(f"{_an_hour(payer, spent):,}" for spent in _COUNTED)


def _an_hour(payer: Payer, spent: Spent) -> int:
    budgets = (one for one in BUDGETS if one.of is spent and one.per in (Per.SENDER, Per.SEAT) and payer in one.whose)
    return next(one.amount for one in budgets if one.time == "an hour")


_SOMEBODY = {
    "forges your From line, and reads nothing": (Standing.REGISTERED, Authenticity.NONE, False),
    "forges it, and has seen an address of your seat that was replaced": (Standing.SHOWN, Authenticity.NONE, False),
    "forges it, and knows your seat's address without anybody knowing": (Standing.SEATED, Authenticity.NONE, False),
    "reads your mail and sends from your address": (Standing.SEATED, Authenticity.PASS, True),
}
_WITHOUT_SEAT = (Who.ANYBODY, Who.REGISTERED)


def _thefts() -> Iterator[tuple[str, ...]]:
    """What each can have done, by what a command means, at each level."""
    for who, (standing, proof, answers) in _SOMEBODY.items():
        for consent in Consent:
            what = "order, and write press" if consent is Consent.NONE else f"do what is {name_of(consent)}"
            seatless = any(c.policy.consent is consent and c.policy.who in _WITHOUT_SEAT for c in COMMANDS.values())
            named = standing is Standing.REGISTERED and (consent is Consent.NONE or not seatless)
            by = Standing.OPENLY if named else standing
            cells = []
            for level in LEVELS_IN_ORDER:
                asked = LEVELS[level].confirms[consent]
                free = is_believed(level, by, proof) and not must_ask(asked, proof, public=by is not Standing.SEATED)
                cells.append("yes" if free else "yes, by answering the question" if answers else "no, you are asked")
            yield f"{who}: {what}", *cells


def _table(head: Sequence[str], rows: Iterator[tuple[str, ...]]) -> str:
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
