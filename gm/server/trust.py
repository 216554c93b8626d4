"""How far a mail is believed: what its proof is worth, and what must be confirmed by reply, by the operator's level.

    level    a mail at a seat from     one whose           one without      what cannot be        what binds its
             an unknown address        proof fails         any proof        undone                sender
    open     quarantined               quarantined         acted on         done                  done
    normal   quarantined               quarantined         acted on         confirmed, unproved   done
    strict   quarantined               quarantined         quarantined      confirmed             confirmed, unproved

Proof is a DKIM signature or SPF or DMARC result that speaks for the domain of the From line, as a trusted server in
front of us or our own listener found it. "Unproved" is every mail without it. Which command cannot be undone, and
which binds its sender, is said where it is declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from gm.commands.declaration import Command
from gm.commands.registry import COMMANDS
from gm.games import ServerIdentity
from gm.mail.message.authentication import Authenticity, authenticity
from gm.mail.message.incoming import Message
from gm.parsing.message import CommandLine
from gm.settings import Level

Confirms = Literal["never", "unproved", "always"]


@dataclass(frozen=True, slots=True)
class Rules:
    """What one level asks for."""

    quarantines_unproved: bool
    irrevocable: Confirms
    binding: Confirms


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
    policies = [command.policy for command in _meant(item)]
    asked = [rules.irrevocable for policy in policies if policy.irrevocable]
    asked += [rules.binding for policy in policies if policy.binding]
    return "always" in asked or ("unproved" in asked and proof is not Authenticity.PASS)


def _meant(item: CommandLine) -> list[Command]:
    """The command itself, and one that it keeps for later."""
    kept = COMMANDS.reader.name_of(str(item.args.get("line") or ""))
    return [COMMANDS[name] for name in (item.name, kept) if name is not None]
