"""What an answer to a question says: YES, NO, or neither.

A YES counts only if nothing else was written, because a text that begins with yes may end with no. A greeting, thanks
and a signature are nothing else; the signature is the sender's own name.
"""

from __future__ import annotations

import re
from enum import Enum

_YES = re.compile(
    r"[\s*_\"']*(?:yes|yep|ok|okay|confirm(?:ed)?|ja|oui|s[íì]|sim)(?P<always>[\s,]+always)?[\s*_\"'.!]*",
    re.IGNORECASE,
)
"""No word that means something else in a language of these lists: tak is yes in Polish and thanks in Danish, y is and
in Spanish, si without an accent is if in Spanish and French."""
_NO = re.compile(r"\W*(?:no|n|nope|nein|non|nee|nej|nie|reject|cancel)\b", re.IGNORECASE)


_POLITE = re.compile(
    r"(?:hi|hello|hallo|dear)(?:[ ,]+(?:gm|all|there|server|gamemaster))?[,.!]?"
    r"|(?:many )?thanks?(?: you)?(?: (?:a lot|very much))?[,.!]?|danke|merci"
    r"|--|(?:(?:best|kind|warm) )?(?:regards|wishes)[,.!]?"
    r"|(?:best|cheers|bye|yours|sincerely)[,.!]?|sent from my (?:telephone|phone|mobile|iphone|ipad|android)[.!]?",
    re.IGNORECASE,
)


class Reply(Enum):
    """What an answer to a question says."""

    YES = "yes"
    ALWAYS = "yes always"
    NO = "no"
    UNCLEAR = "unclear"


def _words(line: str) -> list[str]:
    return re.findall(r"[^\W_]+", line.lower()) or [line]


def read_reply(text: str, sender: str = "") -> Reply:
    """Parse an answer of this sender (their name and address). YES must be the only word beside a greeting, thanks and
    a signature, because what begins with yes may end with no. Any answer that begins with NO means NO.
    """
    own = frozenset(re.findall(r"[^\W_]+", sender.lower()))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = [line for line in lines if not _POLITE.fullmatch(line) and not own.issuperset(_words(line))]
    if said and _NO.match(said[0]):
        return Reply.NO
    yes = _YES.fullmatch(said[0]) if len(said) == 1 else None
    if yes is None:
        return Reply.UNCLEAR
    return Reply.ALWAYS if yes["always"] else Reply.YES
