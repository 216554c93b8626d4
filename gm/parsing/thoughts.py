"""What a mail says of what was thought, was to be, or will not be: no order stands in it."""

from __future__ import annotations

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
