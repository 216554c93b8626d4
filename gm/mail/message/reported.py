"""What a mail server in front reports (RFC 8601), and how much of it is believed.

Servers quote: the sender of the envelope, the name in the greeting, a recipient, a record in the DNS, the tags of a
signature. Some do so as it came, and then the words of a stranger can be read as results, by us or by the next program
that believes them; some cut what is long, break words, or take a letter for a domain. So of signatures nothing is
believed: they are in the mail, and are verified here. Who sent the mail is not in it. That is believed where SPF passed
for the sender of the envelope, whom no quotation changes, and where no field says anything else of SPF, in comments
either: whatever is quoted, the checker's own result stands there, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import chain

from gm.mail.message.trace import Result, aligned, read_results, sent_by

_SAYS_SPF = re.compile(r"\bspf\s*+=\s*+(\w++)", re.IGNORECASE)
_GUESSED = re.compile(r"(?<!\w)best guess(?!\w)", re.IGNORECASE)
_CHECKED = re.compile(r"\s*+pass\s*+(?:\([^()]*+\)\s*+)?identity=mailfrom(?:;|\Z)", re.IGNORECASE)
"""The beginning of such a field about the sender of the envelope: words of the checker."""
_CHECKED_SENDER = re.compile(r"\benvelope-from\s*+=\s*+([^\s;]*+)", re.IGNORECASE)


def supported_by_spf(
    fields: Sequence[str], trusted: Collection[str], checks: Sequence[str], senders: Sequence[str], author: str
) -> bool:
    """Whether SPF supports that a mail is from this author, by the Authentication-Results and Received-SPF (`checks`)
    that only our own servers can have written, of the first those of `trusted` names, and by these senders of the
    envelope; without one nothing does. A guess, for a domain that has published nothing, says nothing.
    """
    read = [found for name, found in map(read_results, fields) if name in trusted]
    results = list(chain.from_iterable(read))
    guessed = any(map(_GUESSED.search, (*fields, *checks)))
    spf = [one for one in results if one.method == "spf"]
    led = any(_quotes(one) for found in read for one in _before_spf(found))
    of_envelope = all(_is_about(one, author) for one in spf)
    checked = all(_CHECKED.match(one) and _names_alone(one, author) for one in checks)
    words = (word.lower() for value in fields for word in _SAYS_SPF.findall(value))
    passed = all(word == "pass" for word in (*words, *(one.value for one in spf)))
    sent = bool(senders) and all(sent_by(author, one) for one in senders)
    escaped = any("\\" in value for value in (*fields, *checks))  # as somebody else has done it, and who knows why
    return sent and of_envelope and passed and bool(spf or checks) and checked and not (guessed or led or escaped)


def _before_spf(found: Sequence[Result]) -> Sequence[Result]:
    """What a field says before SPF, if it says that."""
    at = next((at for at, one in enumerate(found) if one.method == "spf"), 0)
    return found[:at]


def _quotes(one: Result) -> bool:
    """Whether a result may repeat what a stranger has said while sending, and which has not passed the check: behind
    that, SPF may be their own words. Whoever has logged in chooses words, too.
    """
    return (one.value != "pass" or one.method == "auth") and any(map(_SAID.match, one.properties))


_SAID = re.compile(r"smtp\.(?!(?:remote-ip|version)\Z)")


def _is_about(one: Result, author: str) -> bool:
    """Whether a result of SPF is about this author as the sender of the envelope, or about the domain."""
    named = one.properties.get("smtp.mailfrom", "")
    first = next(iter(one.properties), "") == "smtp.mailfrom"
    return first and (sent_by(author, named) if "@" in named else aligned(named, author.rpartition("@")[2]))


def _names_alone(check: str, author: str) -> bool:
    """Whether every sender of the envelope that such a field names is this author, and it names one: what gm is told
    may be another, which a server on the way has written.
    """
    named = _CHECKED_SENDER.findall(check)
    return bool(named) and all(sent_by(author, one.strip('"<>')) for one in named)
