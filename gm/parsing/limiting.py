"""What people write below commands and orders that limits, doubts or withdraws them: `only if nobody objects`, `or is
that too early?`, `just a draft`.
"""

from __future__ import annotations

from gm import patterns as re
from gm.parsing.questions import begins_because, sentences, without_courtesies

_WITHDRAWS = re.compile(
    r"\b(?:(?:just|only|nur|am|['’]m) ){1,3}+(?:kidding|joking|testing (?:you|it|this)|trying (?:it|this) out)\b"
    r"|\b(?:(?:just|only|this is|these are|(?:that|it)(?: is| was|['’]s)|das (?:ist|war)|nur|c['’](?:est|était)"
    r"|ce ne sont que|but|juste) ){1,3}+(?:an? |eine? |une? |des )?"
    r"(?:drafts?|examples?|jokes?|tests?|entwurf|beispiele?|scherz|witz|exemples?|brouillons?|blague)\b"
    r"|\b(?:don['’]?t|do not|never) (?:yet )?(?:send|enter|use|count|submit|process|do|store|record)"
    r"(?: (?:it|them|these|those|this|that|any of (?:it|them|this)))?"
    r"(?= (?:yet|before|until|please|now)\b|\W*\Z|[,.;!])"
    r"|\b(?:bitte )?(?:noch )?nicht (?:eintragen|zählen|werten|senden|schicken|abschicken|absenden)\b"
    r"|\b(?:forget|ignore|disregard|scrap|scratch) (?:(?:all|about) )?(?:that|all|everything|these|them|the above)\b"
    r"(?=\W*\Z|[,.;!])"
    r"|\b(?:actually|no|oh)[, ]+(?:don['’]?t|do not)(?=\W*\Z|[,.;!])|\bbut i (?:won['’]?t|will not)(?=\W*\Z|[,.;!])"
    r"|\bne (?:tenez|tiens) pas compte\b|\bje plaisante\b|\b(?:ist|war) nur spa(?:ß|ss)\b",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"[\W_]*(?:(?:hm+|oh|well|ah)\b\W*)*(?:"
    r"if(?! (?:you|anybody|anyone|there))\b|unless|once\b(?! (?:more|again))|(?:as soon as|when)\b(?![^\n]*\?)"
    r"|only (?:if|when|after)\b"
    r"|but (?:only|not|if|please (?:do not|don['’]?t)|give|wait)|or\b|not\b(?! to worry)|maybe|perhaps|tomorrow|tonight"
    r"|(?:before|after|from|until|for (?:the )?next|next (?:phase|turn|round|season))\b"
    r"|(?-i:is|was|ist|war|est)\b(?![^\n]*\?)|(?:should|shall) (?:i|we)\b"
    r"|what (?:do you think|would)\b|do you think|(?:i['’]m |i am )?not sure|better (?:not|keep|leave|on)"
    r"|(?:please )?(?:don['’]?t|do not)\b(?! worry| forget| hesitate)|that is the plan"
    r"|(?:aber )?(?:nur |erst )?(?:wenn|falls)\b|oder\b|erst\b|vielleicht|nicht\b|noch nicht|morgen\b|soll ich"
    r"|(?:mais )?(?:seulement )?si\b|ou\b|pas\b|peut-être|sauf\b|demain\b)",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"\b(?:let me think|too (?:early|late|soon|long|short)|(?:rather|better) (?:leave|not|keep|wait)"
    r"|against (?:it|that|this)|changed my mind|not (?:yet|really)|second thoughts?"
    r"|i['’](?:ll| will) (?:confirm|decide)|aber nur)\b",
    re.IGNORECASE,
)


def withdraws(text: str) -> bool:
    """Whether words say that what stands above them is not meant, or not yet: `these are only a draft`."""
    return _WITHDRAWS.search(text) is not None


def limits(text: str) -> bool:
    """Whether words directly below a command limit or doubt it, and do not say why it is given: `if nobody objects`,
    `or should I wait?`, `???`
    """
    first, *_ = sentences(text) or [text]
    if begins_because(first):
        return False
    bare = not any(map(str.isalnum, text)) and "?" in text
    return bare or _LIMITS.match(without_courtesies(first)) is not None or _DOUBTS.search(text) is not None


def takes_up(text: str) -> bool:
    """Whether a paragraph takes up what stands above it to limit it: `But only if nobody objects.`"""
    return limits(text) and _TAKES_UP.match(text) is not None


_TAKES_UP = re.compile(r"\W*(?:but|only|unless|aber|nur|mais|seulement)\b", re.IGNORECASE)


def doubts(question: str) -> bool:
    """Whether a question behind orders asks whether they are right: `or should I hold?`, `is it wise?`"""
    return _WHETHER_RIGHT.match(question) is not None


_WHETHER_RIGHT = re.compile(
    r"\W*(?:(?:or|oder|ou)\b|(?:should|shall)(?:n['’]?t)? (?:i|we|it|they)\b|soll(?:en|te)? (?:ich|wir)\b"
    r"|(?:is|isn['’]?t|was|would) (?:it|that|this|he)(?: be)? (?:an? |really |so |too )?\w+(?: idea| move| thing)?\W*\Z"
    r"|(?:ist|wäre) (?:das|es) (?:\w+ )?\w+\W*\Z|(?:est-ce|c['’]est) (?:\w+ )?\w+\W*\Z)",
    re.IGNORECASE,
)
