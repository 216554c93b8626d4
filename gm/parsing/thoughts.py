"""What a mail says of what was thought, was to be, will not be, or was written by mistake: no order stands in it."""

from __future__ import annotations

from typing import NamedTuple

from gm import patterns as re

_A_THOUGHT = re.compile(
    r"\b(?:\w+ )?(?:(?:was|were)(?: first| originally| actually| really)? (?:going|about|planning|tempted) to"
    r"|(?:had )?(?:first|originally) (?:planned|wanted|thought|meant|intended)\b"
    r"|had (?:planned|wanted|thought|meant|intended)\b|thought (?:of|about)\b)"
    r"|\b(?:ich wollte|wollte ich|wir wollten|ich hatte|wir hatten) (?:erst|eigentlich|zuerst|zunächst|ja)\b"
    r"|\b(?:je|j['’]) ?(?:voulais|pensais|allais) (?:d['’]abord|au début)\b",
    re.IGNORECASE,
)
"""The beginning of what somebody thought of first."""
_DECIDED = re.compile(r"\b(?:so|therefore|darum|deshalb|daher|donc)\b(?! (?:that|dass)\b)[ ,:]*(?=\w)", re.IGNORECASE)
_INSTEAD_OF_IT = re.compile(r"\b(?:but|aber|mais|however)\b(?! (?:then|dann|puis)\b)[ ,:]*", re.IGNORECASE)
_WAS_TO = re.compile(r"\b(?:was|were)\b", re.IGNORECASE)
_WILL_NOT = re.compile(
    r"\b(?:i|we|ich|wir|je|nous) (?:won['’]?t|will not|would never|(?:am|are) not going to|do(?: not|n['’]?t) want to"
    r"|will (?:sicher )?nicht|werden? (?:sicher )?nicht|ne (?:vais|veux) pas)\b[^.;!?,]*"
    r"|\A[^.;,!?]{1,60}(?:[-\u2013] ?not ?!|\?\? never\b).*",
    re.IGNORECASE,
)
_BUT_THEN = re.compile(r"\b(?:but|aber|mais) (?:then|dann|puis)\b", re.IGNORECASE)


_PURPOSE = re.compile(
    r"(?<![ ,])[ ,]++(?:where|so(?: that)?|in order that|damit|wo|où|pour qu[e'’] ?)\s?\b"
    r"(?:it|they|he|she|i|we|es|sie|er|ich|wir|il|elle|on)"
    r"(?:['’]ll|\s(?:can|could|will|may|might|would|shall|kann|könn\w{1,3}|wird|peut|pourra\w{0,3}))\b"
    r"[^,.;!?]{0,200}+(?=[.!?]{0,3}\Z)",
    re.IGNORECASE,
)


def without_purpose(text: str) -> str:
    """A sentence without what it says last of what is to come of it: `Liverpool to Yorkshire, where it can wait for a
    boat in the autumn`.
    """
    return _PURPOSE.sub("", text)


def without_thoughts(text: str) -> str:
    """A sentence without what its writer had thought of first, and did not choose: `I was going to hold in Munich, but
    then France would come, so Munich goes to Burgundy`; nor what they say they will not do.
    """
    text = _WILL_NOT.sub("", text)
    found = _A_THOUGHT.search(text)
    if found is None:
        return text
    rest = text[found.end() :]
    if not (ends := [*_DECIDED.finditer(rest)][-1:] or [*_INSTEAD_OF_IT.finditer(rest)][:1]):
        over = _BUT_THEN.search(rest) is not None or _WAS_TO.search(found[0]) is not None
        return text[: found.start()] if over else text
    return f"{text[: found.start()]}{rest[ends[0].end() :]}"


class Mistake(NamedTuple):
    """What somebody says they wrote, and what they meant: `I wrote Den and meant Bel`."""

    before: str
    wrong: str
    right: str


_I = r"(?:i|we|ich|wir|je|j['’]ai)"
_MISTAKE = re.compile(
    rf"\b{_I}\b[^.;!?]{{0,25}}?\b(?:wrote|written|said|typed|put|told you|sent|ordered|schrieb|geschrieben|gesagt|écrit"
    r"|mis|dit)\b(?: (?:you|down|to you|in|dir|ihnen)\b){0,2}(?:,? (?:that|dass|que)\b)?[ ,:]*"
    r"(?P<wrong>[^.;!?]{1,120}?)[ ,.;:-]{0,3}\b(?:(?:and|but|und|aber|mais|et|when|instead|rather)\b[ ,]*)?"
    rf"(?:(?:what |was )?{_I}\b[^.;!?]{{0,15}}?"
    r"\b(?:meant|mean|(?:should|ought to) have (?:written|said|put)|meinte|wollte|voulais(?: dire)?)\b"
    r"|(?:it|that|this|es|das) (?:should|ought to|must|was (?:meant|supposed) to|sollte) (?:have been|be|read|say))"
    r"(?: (?:is|was|ist|war|to (?:say|write|put|go to)))?[ ,:\"'“]*(?P<right>[^,;.!?]{2,60})",
    re.IGNORECASE,
)


def mistake_in(text: str) -> Mistake | None:
    """What a sentence says was written by mistake, and what was meant; None if it says nothing of it. Why it was stands
    behind that, and orders nothing.
    """
    found = _MISTAKE.search(text)
    return Mistake(text[: found.start()], found["wrong"], found["right"]) if found is not None else None
