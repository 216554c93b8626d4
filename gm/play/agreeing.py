"""Whether an answer agrees to what was proposed, in as many words as may be: by what each of its clauses does."""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import Enum, auto

from gm.clock import COUNTS
from gm.parsing.courtesies import ASSENT, DO_IT, GLADLY, GREETING, PLEASE, THANKS
from gm.parsing.questions import clauses, is_reason
from gm.play.questions import APPROVING, doubtful, own_lines, says_no


class Part(Enum):
    """What a clause of an answer does."""

    ASSENTS = auto()
    """It says yes."""
    GOES = auto()
    """It says to go ahead: `please put them down like that`."""
    APPROVES = auto()
    """It says that what is proposed is right: `that is precisely what I had in mind`."""
    NEUTRAL = auto()
    """It only thanks, is sorry, or names what is proposed: `just Wilfred`."""
    STATES = auto()
    """It says something else, which denies and limits nothing: `I have checked it twice`."""
    OTHER = auto()


def _words_in(text: str) -> frozenset[str]:
    """The words of a text, `dont` as one."""
    return frozenset(re.findall(r"[^\W_]+", text.lower().replace("’", "").replace("'", "")))


def agrees(text: str, sender: str, about: Collection[str]) -> frozenset[Part]:
    """What the clauses of an answer do that agrees; none if any of them may do something else: deny, doubt, limit, ask
    or wish. `about`: the words of what is proposed, which it may name.
    """
    said = " ".join(own_lines(text, sender))
    if "?" in said:
        return frozenset()
    if _THANKS_FOR.search(said) and _ONLY_HEARD.match(said):
        return frozenset()  # `OK, thanks for explaining`
    parts = frozenset(_part_of(_BUT_YES.sub("", one), about) for one in clauses(said))
    points = parts & {Part.GOES, Part.APPROVES}  # at what is proposed, if there is no statement that may be meant
    says_so = Part.ASSENTS in parts or len(points) > (Part.STATES in parts)
    does = Part.OTHER not in parts and says_so
    return parts if does else frozenset()


def _part_of(clause: str, about: Collection[str]) -> Part:
    words = _words_in(_BOTH.sub("both", _THAT_ONE.sub("that", clause.lower())))
    lead = _LEADS.match(clause)
    neutral = words <= _WELL.union(_AHEAD, about)
    if _THANKS.fullmatch(clause):
        return Part.NEUTRAL
    if _LETS_BE.search(clause) or _DEPENDS.match(clause):
        return Part.OTHER
    if _SENDS_TO_ALL.search(clause) and "all" not in about:
        return Part.OTHER
    if neutral and _goes_ahead(words):
        return Part.GOES
    if _POLITE.fullmatch(clause) or (neutral and lead):
        return Part.ASSENTS
    if neutral and (not words.isdisjoint(_GOOD) or _IT_IS.search(clause)):
        return Part.APPROVES
    if neutral and not words.isdisjoint(about):
        return Part.NEUTRAL
    bare = clause[lead.end() :] if lead else clause
    rest = _SORRY.sub("", bare)
    if doubtful(rest) or _BETHINKS.search(bare) or says_no(bare) or words & (_COUNTS - {*about}):
        return Part.OTHER
    if rest != bare or _THANKS_FOR.match(bare.strip(" ,.!")):
        return Part.NEUTRAL
    return Part.STATES if is_reason(bare) or _INTENDS.match(bare) else Part.OTHER


def _goes_ahead(words: Collection[str]) -> bool:
    """Whether the words of a clause have a verb for what is to be done, and one that points to that."""
    return not _DO.isdisjoint(words) and not _IT.isdisjoint(words)


_FOR_IT = (
    r"(?: for (?:(?:your|the|all|all the) )?(?:patience|help|understanding|trouble|kindness|time|work|that|this|it"
    r"|everything|asking))?"
)
_KIND = rf"{THANKS}{_FOR_IT}|{GREETING}"
_THANKS = re.compile(rf"\A\W*+(?:(?:{_KIND})(?!\w)[\W_]*+)++", re.IGNORECASE)
_POLITE = re.compile(rf"\A\W*+(?:(?:{ASSENT}|{GLADLY}|{PLEASE}|{DO_IT}|{_KIND})(?!\w)[\W_]*+)++", re.IGNORECASE)
_IT_IS = re.compile(r"\w it is[ .!]{0,3}\Z", re.IGNORECASE)
_BOTH = re.compile(r"\b(?:les deux|die beiden)\b")
_THAT_ONE = re.compile(r"\b(?:that|this|the|right|good) one\b")
_LEADS = re.compile(rf"\A\W*+(?:{ASSENT}(?!\w)[\W_]*+)++(?=\w)", re.IGNORECASE)
_THANKS_FOR = re.compile(rf"(?<!\w){THANKS} (?:for|für|pour|de)\b", re.IGNORECASE)
_ONLY_HEARD = re.compile(r"\A\W*+(?:ok|okay|alright|all right|good|great|fine|right)\b\W*", re.IGNORECASE)
_BUT_YES = re.compile(rf"\A\W*+(?:but|aber|mais) (?={ASSENT}(?!\w))", re.IGNORECASE)
_SORRY = re.compile(r"\A\W*+(?:so |very |oh )*sorry (?:for|about|to) (?!say\b|tell\b)", re.IGNORECASE)
_INTENDS = re.compile(
    r"\A\W*+(?:(?:i|we)(?:['’]ll| will| shall) (?!not\b)"
    r"|(?:he|she|they|we|all|everybody)(?: all| both| have| has)* agreed\b)",
    re.IGNORECASE,
)
_LETS_BE = re.compile(
    r"\b(?:leave|keep|hold|stop|drop) (?:it|that|this|them)\b|\blet (?:it|that|them) be\b(?! (?:so|done|sent))",
    re.IGNORECASE,
)
_DEPENDS = re.compile(
    r"\A\W*+(?:as soon as|as long as|once|after|before|until|when|provided|unless|assuming|if|sobald|solange"
    r"|dès que)\b",
    re.IGNORECASE,
)
_SENDS_TO_ALL = re.compile(r"\bsend \w+ to (?:all|everybody|everyone|the others)\b", re.IGNORECASE)
_BETHINKS = re.compile(
    r"\b(?:wonder\w*|guess\w*|suppos\w*|consider\w*|doubt\w*|saw|seen?|notic\w*|hear\w*|receiv\w*|got|get\w*|hop\w+"
    r"|read (?:it|that|this|your)|ask\w*|order\w*|resign\w*|frag\w*|gesehen|gelesen|bekommen|vu|lu|reçu)\b",
    re.IGNORECASE,
)
"""What thinks of something, says only that a mail has come, or may want something else."""
_DO = _words_in(
    "do send put enter take write make order let have ask change strike set pass forward carry go note record add use"
    " apply play submit count file tell mail post deliver register book mach machen schick schicke schicken send sende"
    " nimm trag trage eintragen übernimm fais faites envoie envoyez mets mettez prends note"
)
_IT = _words_in(
    "it that this them these those both all everything him her so ahead es das die sie ihn beides alle ça ca cela le"
    " les tout"
)
_AHEAD = _DO.union(
    _IT,
    _words_in(
        "please pls plz bitte svp then so now just do yes kindly you can may could would off down out in up through"
        " like as is are stand stands exactly for me us to the with by your mine my way words proposed written"
        " wrote said suggested ones be happen thanks thank and also told offered list there here dann so jetzt mir uns"
        " ein ab raus tel telle telles quel comme"
    ),
)
"""The words of a clause that says to go ahead: `please send it off just as it stands`."""
_GOOD = _words_in(
    "right fine good correct perfect perfectly richtig gut juste bon bonne exactly precisely understood meant want"
    " wanted wish wished mind plenty enough lovely best ideal great nice nicely sure okay agree agreed stimmt passt"
    " genau parfait suffit reicht nett genug certain sûr sûre sicher"
)
_COUNTS = _words_in(f"{' '.join(COUNTS)} zwei drei vier fünf deux trois quatre cinq") - {"a", "an"}
_WELL = (APPROVING - _COUNTS).union(
    _GOOD,
    _words_in(
        "had in my me i be would will sounds looks seems more than on asked for je suis absolument bin ganz quite"
        " rather words address name thing"
    ),
)
"""The words of a clause that approves."""
