"""How far a mail is believed: what its proof is worth, and what must be confirmed by reply, by the operator's level.

    level    a mail at a seat from     one whose           one without      what cannot be        JOIN, CREATE,
             an unknown address        proof fails         any proof        undone (GRAVE)        TAKEOVER
    open     quarantined               quarantined         acted on         done                  done
    normal   quarantined               quarantined         acted on         confirmed, unproved   done
    strict   quarantined               quarantined         quarantined      confirmed             confirmed, unproved

Proof is a DKIM signature or SPF or DMARC result that speaks for the domain of the From line, as a trusted server in
front of us or our own listener found it. "Unproved" is every mail without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from gm.games import ServerIdentity
from gm.mail.message.authentication import Authenticity, authenticity
from gm.mail.message.incoming import Message
from gm.parsing.message import CommandLine
from gm.settings import Level

Confirms = Literal["never", "unproved", "always"]

GRAVE = frozenset(
    {"forgetme", "resign", "replace", "process", "address", "eject", "promote", "reveal", "terminate", "forget"}
)
"""Commands that cannot be undone, or that give a seat into other hands."""
JOINING = frozenset({"join", "create", "takeover"})
"""Commands that bind whoever is named as their sender."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What one level asks for."""

    quarantines_unproved: bool
    grave: Confirms
    joining: Confirms


LEVELS: Mapping[Level, Rules] = MappingProxyType(
    {
        "open": Rules(False, "never", "never"),
        "normal": Rules(False, "unproved", "never"),
        "strict": Rules(True, "always", "unproved"),
    }
)


def proof_of(letter: Message, source: str, office: ServerIdentity) -> Authenticity:
    """What is known of the sender; the listener's own findings are believed of mail that came by SMTP only."""
    trusted = set(office.trust.authserv_ids)
    if source == "smtp" and office.trust.verify != "none":
        trusted.add(office.authserv_id)
    return authenticity(letter.authentication_results, trusted, letter.sender or "")


def must_be_confirmed(office: ServerIdentity, proof: Authenticity) -> bool:
    """Whether a mail in the name of somebody we know is quarantined until they confirm it."""
    unproved = proof is Authenticity.NONE and LEVELS[office.trust.level].quarantines_unproved
    return proof is Authenticity.FAIL or unproved


def confirms(office: ServerIdentity, proof: Authenticity, item: CommandLine) -> bool:
    """Whether a command is done only after its sender confirmed it."""
    rules = LEVELS[office.trust.level]
    name = item.command.name
    asked = rules.grave if _is_grave(item) else rules.joining if name in JOINING else "never"
    return asked == "always" or (asked == "unproved" and proof is not Authenticity.PASS)


def _is_grave(item: CommandLine) -> bool:
    """Whether a command cannot be undone, or keeps one for later that cannot."""
    if item.command.name != "schedule":
        return item.command.name in GRAVE
    kept = str(item.command.args.get("words", "")).rpartition(": ")[2].split()
    return bool(kept) and kept[0].lower() in GRAVE
