"""To whom a line or a sentence speaks, and what it would say to them: `Dear Italy, ...`, `tell Italy that I agree`,
`an alle: hallo`, `ask F: ok?`

Nothing is sent for it: it is offered to the writer as press.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from gm import patterns as re
from gm.errors import NotUnderstood
from gm.parsing.lexicon import Lexicon, Script, fold
from gm.parsing.meant_words import says
from gm.parsing.questions import asks, requests
from gm.parsing.several_lines import (
    ALL,
    EVERYBODY,
    GM,
    GM_WORDS,
    MANNERS,
    named_beside_powers,
    nobody,
    recipients_named,
)

_SAYING = (
    "tell|ask|inform|write|say|message|msg|mail|pr|press|presse|schick|schicke|sende|envoie|envoyez|envoyer|send|forward|fwd|reply|answer|let|sage?"
    "|sagt|sagen|frage?|fragen|schreibe?|schreiben|antworte?|antworten|antwort|nachricht|richte|informiere"
    "|(?:pass|hand)(?: (?:this|it|that|these words|the following|the message))?(?: (?:on|along|over))?(?=[ ]to[ ])"
    "|pass on|relay|convey|give(?=[ ][^:]{1,40}:)|dis|dire"
    "|dites|demandez?|demander|ecrire|ecris|ecrivez|reponds|repondez|reponse|transmets|transmettez|transmettre"
    "|faites suivre|fais suivre|faire suivre|faites passer|fais passer|leite|leiten|ubermittle|ubermitteln|uebermittle"
    "|pvt|private|pm|dm"
)
_TO = (
    "to|an|a|en|for|fuer|fur|pour|the|den|dem|der|die|la|le|les|au|aux|para|al|el|los|las|per|il|lo|alla|allo|ai"
    "|voor|aan|de|het|ao|o|till|til|dla|2|4"
)
_ALONE = (
    r"(?:,?[ ](?:alone|only|privately|in private|private|in confidence|from me|for me|please|pls|and (?:nobody|no one)"
    r" else|nobody else|no one else|allein|nur|vertraulich|privat|von mir|sonst niemand\w*|und sonst niemand\w*|bitte"
    r"|seulement|uniquement|en prive|de ma part|et personne d'autre|personne d'autre|stp|svp))"
)
"""What stands behind the readers of a letter."""
_GREETING = (
    "dear|hello|hi|hey|lieber?|liebes|hallo|geehrter?|werter?|verehrter?|geschatzter?|chere?s?|bonjour|salut|hola|estimad[oa]|querid[oa]"
    "|caro|cara|ciao|gentile|egregio|buongiorno|salve|beste|geachte|hoi|dag|prezad[oa]|kara|kaere|hei"
)
_OWNED = "my|the|your|his|her|their|mein|meine|die|der|ihr|ihre|ma|mon|la|le|sa|son"
_NOT_OWNED = "".join(rf"(?<!\b{word} )" for word in _OWNED.split("|"))
"""`did my message to Italy arrive` speaks of one that was sent."""
_LATER = r"ausrichten|mitteilen|weitersagen|bescheid\b|wissen(?= lass|,)|know\b|(?:sagen|mit|aus)(?=,? dass\b)"
_JOINT = (
    r"[ ]{0,3}[,&+/][ ]{0,3}"
    r"|[ ]{1,3}(?:and|und|et)[ ]{1,3}(?:(?:to|an|a)[ ]{1,3})?(?:l'|(?:the|la|le|les|den|die)[ ]{1,3})?"
)
_ROLES = "|".join(sorted((name for name in GM_WORDS | EVERYBODY if " " in name), key=len, reverse=True))
_ALL = "|".join(sorted(EVERYBODY, key=len, reverse=True))
_NAME = rf"(?:(?:{_ROLES})\b|[^\W\d_]{{1,20}}(?![\w.+-]{{0,40}}@))"
_NAMES = rf"(?P<names>{_NAME}(?:(?:{_JOINT}){_NAME}){{0,6}})"
_ALSO = "press|message|msg|mail|please|bitte|this|that|it|das|ce|cette|dies|cela|ca|following|folgendes"
_BROADCAST = "broadcast"
_MANNER = rf"(?P<manner>(?:(?:{'|'.join(MANNERS)})[ ]{{1,3}}){{0,3}})"
_BEGINNING = 3


_SPEAKS_ON = (
    r"(?:ur?|you(?:['’]?re)?|your|we|i|wanna|want|let['’]?s|shall|would|can|could|will|how|what|why|thanks|thx"
    r"|du|ihr|wir|ich|wollen|lass|danke|tu|vous|on|nous|je|merci)\b"
)
"""How words go on to whom they greet without a comma: `hey Zorg ur in Paris`."""


class _Way(NamedTuple):
    """A way to speak to `names`, which may be so many `letters`, initials (`ask me` does not speak to GM and England).
    The text for them begins at `text`, behind whom it names in full, or else behind the last name that anybody has.
    """

    pattern: re.Pattern[str]
    letters: int = 0
    heads: bool = False
    greets: bool = False
    asked: bool = False
    """Whether a question that is no request may have it, too, and speaks to nobody then."""


_WAYS = (
    _Way(re.compile(rf"(?<!.){_MANNER}(?P<names>{_BROADCAST})[ ](?!to[ ])(?P<text>)")),
    _Way(
        re.compile(
            rf"(?<![^;])[ ]{{0,3}}(?:p\.?s\.?:?[ ]+)?(?:(?:and|und|et)[ ]+)?(?:(?:only|just|nur|seulement)[ ])?"
            rf"(?:(?:please|bitte|{_GREETING}|ok|{_OWNED}"
            rf"|(?:can|could|would|will) you(?: please)?)[ ,]+)?{_MANNER}"
            rf"(?:(?:{_SAYING}|note|letter)[ ]{{1,3}})?(?:(?:{_ALSO}|{_TO})[ ]{{1,3}}){{0,4}}(?:l')?{_NAMES}"
            r"(?:[ ]?\([^()]{1,30}\))?"
            rf"{_ALONE}{{0,3}}"
            r"(?:[ ](?:this|the following|my|a|diese|folgende|ce)(?:[ ](?:message|note|letter|words|nachricht))?)?"
            r"[ ]{0,3}:[ ]{0,3}(?P<text>)"
        ),
        letters=2,
        heads=True,
    ),
    _Way(
        re.compile(
            r"(?<!.)\W{0,3}(?P<manner>)(?:(?:and|now|und|nun|et)[ ])?"
            r"(?:this|the following|das|dies|folgendes|ceci|cela)"
            r"(?:[ ](?:one|letter|message|note|here|hier|brief))?[ ](?:is|goes|ist|geht|est|va)"
            r"(?:[ ](?:only|just|meant|nur|seulement))?[ ](?:for|to|an|fur|pour|a)[ ]{1,3}"
            r"(?:(?:the|die|den|la|l')[ ]?)?"
            rf"{_NAMES}{_ALONE}{{0,2}}[ ]{{0,3}}[.!:]?[ ]{{0,3}}$(?P<text>)"
        ),
        heads=True,
    ),
    _Way(
        re.compile(
            rf"(?<!.)\W{{0,3}}{_MANNER}(?:(?:to|an|a)[ ]?:|(?:to|an|aan)\b)[ ]{{0,3}}{_NAMES}"
            r"(?:[ ](?:please|pls|plz|bitte|svp))?[ ]{0,3}[.!]?$(?P<text>)"
        ),
        heads=True,
    ),
    _Way(
        re.compile(
            rf"(?<!.)\W{{0,3}}{_MANNER}(?:to|an|a|aan|for|fur|pour|para)[ ]{{1,3}}(?:(?:the|die)[ ])?(?P<names>{_ALL})"
            r"[ ]{0,3}[.!]?$(?P<text>)"
        ),
        heads=True,
    ),
    _Way(
        re.compile(
            rf"(?<!.)\W{{0,3}}(?P<text>){_MANNER}(?:{_GREETING})[ ]{{1,3}}(?:to|an|a)[ ]{{1,3}}(?P<names>{_ALL})"
            r"[ ]{0,3}(?:[,.!]|$)"
        ),
        heads=True,
    ),
    _Way(
        re.compile(
            rf"(?<!.)\W{{0,3}}(?P<text>){_MANNER}(?:{_GREETING}|to|an|for)[ ]{{1,3}}(?:the[ ])?{_NAMES}"
            r"(?:[ ](?P<surname>[^\W\d_]{1,20}))?[ ]{0,3}(?:[,.!]|$)"
        ),
        letters=1,
        heads=True,
        greets=True,
    ),
    _Way(
        re.compile(
            rf"(?<!.)\W{{0,3}}(?P<text>){_MANNER}(?:{_GREETING})[ ]{{1,3}}(?P<names>{_NAME})[ ]{{1,3}}"
            rf"(?={_SPEAKS_ON})"
        ),
        heads=True,
        greets=True,
    ),
    _Way(
        re.compile(
            rf"{_MANNER}(?:@[ ]?|(?:\b(?:please|bitte)[ ,]{{1,3}})?{_NOT_OWNED}\b(?:{_SAYING})[ ]{{1,3}})"
            rf"(?:(?:{_ALSO}|{_TO})[ ]{{1,3}}){{0,4}}(?:l')?{_NAMES}\b"
        ),
        letters=1,
    ),
    _Way(
        re.compile(
            rf"(?<!.)\W{{0,3}}{_MANNER}(?:(?:please|bitte|can|could|you)[ ,]{{1,3}}){{0,3}}(?:{_SAYING})[ ]{{1,3}}"
            rf"(?:[a-z']{{1,20}}[ ]{{1,3}}){{1,4}}{_NAMES}[ ]{{1,3}}(?:that|dass|que)\b(?P<text>)"
        ),
        greets=True,
    ),
    _Way(
        re.compile(rf"(?<![^ ]){_MANNER}{_NAMES}[ ]{{1,3}}(?:[a-z]+[ ]{{1,3}}){{0,3}}(?:{_LATER})(?P<text>)"),
        asked=True,
    ),
)
_HOW = re.compile(
    r"\b(?:how|wie|comment|(?:do|did|have|can|could|may|must|shall|should) (?:i|we|one)|(?:kann|darf|muss|soll) ich"
    r"|(?:dois|puis|peux)-je)\b"
)
_NOT = re.compile(r"\b(?:don'?t|do not|not|never|nobody|nicht|nie|niemand\w*|ne|n'|pas|jamais|personne)\b")
_NOT_TOLD = re.compile(
    rf"{_NOT.pattern}.{{0,16}}\b(?:{_SAYING}|know|sagen?|erzahl\w*|verrat\w*|show)\b"
    r"|\b(?:unter uns|entre nous|between (?:us|ourselves|you and me)|secret\w*|geheim\w*|confiden\w*|vertraulich\w*)\b"
)
_JUST_BEFORE = 16
"""So many characters before words to somebody may forbid them: `don't ever tell Germany`."""
_THAT = re.compile(
    r"(?:['’]s player\b)?"
    r"[ ,]{0,5}(?:(?:(?:other )?players|others|spielern?|joueurs|only|alone|that|dass?|que|know|bitte|please"
    r"|ausrichten|mitteilen|aus|mit|wissen|lassen|bescheid|geben|sagen"
    r"|and say|to|privately|in private|personally|again|for me)\b[ ,]{0,5}){0,5}:?[ ]{0,5}"
)
_NOTHING = re.compile(r"(?:nothing|nichts|rien|nada|niente|niets|not a word|kein wort)\b", re.IGNORECASE)
_IN_QUOTES = re.compile(r"[\"“„«](?P<words>[^\"“”„«»]+)[\"“”»].*", re.DOTALL)
"""Words for somebody that are in quotes: what stands behind these is not for them."""
_STOPS = re.compile(r"[ ]{0,3}[.!?]|(?<=[ ])(?:and|und|et)\b", re.IGNORECASE)
"""The end of a sentence, or what joins on another, right behind those whom it names."""
_REFERS = re.compile(r"\b(?:that|it|this|das|dies|es|ce|cela|ca)\b")
_TOLD_THAT = re.compile(r"\b(?:that|dass?|que)\b")
_EVERYBODY = EVERYBODY | {
    _BROADCAST,
    "global",
    "public",
    "chat",
    "friends",
    "freunde",
    "amis",
    "mitspieler",
    "colleagues",
}
_TO_A_NAME = re.compile(r"\W{0,3}(?:to|an|a)[ ]{1,3}(?P<name>[a-z]{2,30}):")


class Addressed(NamedTuple):
    """Whom a sentence speaks to, as press names them, the text for them, and what it says before it speaks to them.

    `opening` is what press with that text begins with, and its last character stands before the end, too. A line
    that `heads` a letter speaks for those below it. `error` is about a name that no power or player here has.
    """

    to: tuple[str, ...]
    text: str
    before: str
    opening: str = ""
    heads: bool = False
    error: NotUnderstood | None = None


_NO_PEOPLE: Mapping[str, str] = {}


def addressed(sentence: str, lexicon: Lexicon, people: Mapping[str, str] = _NO_PEOPLE) -> Addressed:
    """To whom a line or a sentence speaks; no recipients if it speaks to no player of the game. `people`: the power of
    each player whose name may be known, by that name in small letters.
    """
    found = _spoken(sentence, lexicon, people)
    head, colon, _ = fold(sentence).folded.partition(":")
    to = _headed(f"{head}:", lexicon, people) if colon and not found.heads else ()
    words = sentence.partition(":")[2].strip()
    if not to or (words and found.to):
        return found
    return Addressed(to, _unquoted(words), "", f"PRESS TO {', '.join(to)}\n", heads=True)


def _spoken(sentence: str, lexicon: Lexicon, people: Mapping[str, str]) -> Addressed:
    script = fold(sentence)
    text = script.folded
    for way in _WAYS:
        for found in _each(way.pattern, text):
            just_before = max(0, found.start() - _JUST_BEFORE)
            how = _HOW.search(text, 0, found.start()) or _NOT.search(text, just_before, found.start())
            if how or _ALL_BUT_SOME.search(text, 0, found.end()):
                break  # `how do I write to Turkey?`, and `don't tell Turkey`, say nothing to Turkey
            if way.asked and asks(sentence):
                break  # `does France know where my fleet is?`
            to, end = _named(found["names"], lexicon, people, letters=way.letters, greets=way.greets)
            if surname := found.groupdict().get("surname"):
                to = tuple(filter(None, (people.get(f"{found['names']} {surname}"),)))
            whole = "text" in found.re.groupindex
            to = () if _is_unit(text, found, lexicon) else to
            if not to or (whole and end < len(found["names"])) or (way.greets and not set(to) <= set(lexicon.powers)):
                continue
            begin = found.end("text") if whole else found.start("names") + end
            said = _THAT.match(text, begin) if not way.heads or way.greets else None
            begins = script.column(said.end() if said else begin) - 1
            if not whole and _STOPS.match(sentence, begins):
                if _REFERS.search(found[0]) and sentence[begins:].strip(" .!?"):
                    continue  # `send that to Russia. And I am done.`
                begins += len(sentence[begins:]) - len(sentence[begins:].lstrip(" .!?"))
            press = f"{found['manner']}PRESS TO {', '.join(to)}\n"
            opening = sentence[:begins] if found["names"] == _BROADCAST else press
            before = sentence[: script.column(found.start()) - 1].strip()
            asked = said is not None and _TOLD_THAT.search(said[0]) is not None and requests(sentence)
            told = sentence[begins:].strip().rstrip("? " if asked else "")  # `could you tell Italy that I agree?`
            told = _unquoted(told)
            if not way.heads and ((whole and not told.strip(" .,!?")) or _NOTHING.match(told)):
                continue  # `as you and France know.`, `tell France nothing`
            return Addressed(to, told, before, opening, way.heads and not before)
    return Addressed((), "", sentence, error=_astray(script, lexicon))


def _unquoted(words: str) -> str:
    """Of words that begin in quotes those that are in them."""
    quoted = _IN_QUOTES.fullmatch(words)
    return quoted["words"] if quoted is not None else words


def _is_unit(text: str, found: re.Match[str], lexicon: Lexicon) -> bool:
    """Whether the letter of a power is that of a unit, with its place behind it: `let F London hold`."""
    letter = len(found["names"]) == 1
    return letter and bool(lexicon.place_names_in(" ".join(text[found.end("names") :].split()[:2])))


def _headed(text: str, lexicon: Lexicon, people: Mapping[str, str]) -> tuple[str, ...]:
    """Whom a line of few words heads a letter to, that says so in another way: `please send this letter to France:`,
    `forward to Russia, only Russia:`
    """
    if _HEADS_LETTER.fullmatch(text) is None or _HOW.search(text) or _NOT.search(text) or _ALL_BUT_SOME.search(text):
        return ()
    names = (_named(word, lexicon, people, letters=0, greets=False)[0] for word in _A_WORD.findall(text))
    return tuple(dict.fromkeys(one for each in names for one in each))


_HEADS_LETTER = re.compile(
    r"(?!(?:many )?(?:thanks?|thx|danke|merci)\b)"
    rf"(?=(?:(?:please|bitte|only|nur)[ ]+){{0,2}}(?:to|an|for|fur|pour)[ ]"
    rf"|.*\b(?:{_SAYING}|letter|note|message|words|lines|brief|lettre|mot|weiter)\b)"
    r"(?!.*\b(?:orders?|moves?|befehle?|ordres?|zuge)\b)"
    r"[^.?!:]{4,100}:[ ]*"
)


def _each(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """All that a pattern finds in a text, also within what it found: `kannst du Italien` names nobody by `du`."""
    at = 0
    while (found := pattern.search(text, at)) is not None:
        yield found
        at = found.start() + 1


def reached_by(name: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Whom a name reaches: in PRESS TO, or at the beginning of a line that speaks to somebody."""
    return (*recipients_named(fold(name).folded, lexicon), *addressed(f"{name}: x", lexicon).to)


def opened_to(lines: Sequence[str], lexicon: Lexicon, people: Mapping[str, str] = _NO_PEOPLE) -> Iterator[str]:
    """The powers, or GM, to whom a letter, or what is below a gap in it, speaks by naming them first: `Italy, ...`,
    `Good morning Italy!`, `For Italy's eyes only:`, `Tell Italy that ...`; and those after an `@`.
    """
    at_gap = True
    for number, line in enumerate(lines):
        text = fold(line).folded
        names = [found["name"] for found in _AT.finditer(text)]
        opening = _OPENING.match(_ROLE.sub("gm", text)) if at_gap else None
        if opening is not None and (opening["rest"] or any(map(str.strip, lines[number + 1 :]))):
            words = _A_WORD.findall(opening["words"])
            colon = opening["stop"] == ":" and len(words) <= _OPENS
            greets = _GREETED.match(text) is not None and named_beside_powers(words[-1]) == GM
            few = _OPENS if greets else _GREETS
            names += words if colon else words[-1:] if len(words) <= few else []
        named = (lexicon.power(name) or _role(name) or people.get(name) for name in names if len(name) > 1)
        yield from filter(None, named)
        spoken = addressed(line, lexicon, people)
        if spoken.heads or (at_gap and not spoken.before):
            yield from spoken.to
        at_gap = _A_WORD.search(text) is None


def called(text: str, lexicon: Lexicon, people: Mapping[str, str]) -> tuple[str, ...]:
    """Whom a text calls by name, or ALL if it greets them: those of `opened_to`, `..., Turkey?`, and `France you are
    next`. Whom it only speaks of, it does not call.
    """
    folded = fold(text).folded
    found = _LAST.search(folded) or (_FIRST.match(folded) if says(text, "you") else None)
    names = (lexicon.power(found["name"]) or people.get(found["name"]),) if found is not None else ()
    everybody = (greeted := _TO_ALL.match(folded)) is not None and greeted["name"] in _EVERYBODY
    to = (*opened_to(text.split("\n"), lexicon, people), *filter(None, names), *([ALL] if everybody else []))
    return tuple(dict.fromkeys(to))


def calls_another(text: str, to: Sequence[str], lexicon: Lexicon, people: Mapping[str, str] = _NO_PEOPLE) -> bool:
    """Whether words for these speak to somebody else, too, or say whom they are not for: `... and Germany that I want
    peace`, `P.S. for Russia: ...`, `but not France`.
    """
    named = (named for found in _CALLS.finditer(fold(text).folded) for named in found.groupdict().items() if named[1])
    who = ((kind, lexicon.power(name) or people.get(name)) for kind, name in named)
    return any(one is not None and (kind == "excepted" or str(one) not in to) for kind, one in who)


_ALL_BUT_SOME = re.compile(
    r"\b(?:everyone|everybody|all|alle|tous|toutes)\b[^:,.]{0,20}\b(?:but|except|apart from|ausser|sauf|excepte)\b"
)
"""To whom press is written in its own way, as PRESS TO ALL BUT."""
_A_READER = r"(?:l'|the |la |le |les |den |die |der |das )?"
_CALLS = re.compile(
    rf"\b(?:{_GREETING})[ ]{_A_READER}"
    r"(?:[a-z]{2,20}[ ]\((?P<called>[a-z]{2,30})\)|(?P<greeted>[a-z]{2,30})(?=[ ]?[,:!]))"
    r"|(?<![^\n.!?;:])[^\w\n]{0,4}+"
    rf"(?:(?:ps|p\.? ?s\.?|and|und|et|just between us|{_GREETING}|to|for|an|fur|fuer|pour|aux?)\b\W{{0,4}}+){{0,4}}+"
    rf"{_A_READER}(?P<headed>[a-z]{{2,30}})\b[ ]?(?:[,:!]|[\u2013-][ ])"
    rf"|\b(?:(?:forward|pass|send) (?:this|it|that)(?: on)? to|(?:one|this|that|it) (?:to|for)|{_SAYING})[ ](?:to )?"
    rf"{_A_READER}(?P<told>[a-z]{{2,30}})\b"
    rf"|\b(?:and|und|et)[ ](?:to |an |a |en )?{_A_READER}(?P<too>[a-z]{{2,30}})[ ,]{{1,2}}(?:that|dass?|que)\b"
    rf"|\b(?:except|but|not|nicht|ausser|sauf|pas|or)[ ](?:for )?{_A_READER}"
    r"(?P<excepted>[a-z]{2,30})[ ]?(?=[:,]|(?:that|dass?|que)\b)"
)
_TO_ALL = re.compile(rf"\W*(?:{_GREETING}|good [a-z]{{3,9}})[ ](?P<name>[a-z]{{3,20}})\b")


_LAST = re.compile(rf"[,!][ ]*(?:(?:{_GREETING})[ ]+)?(?P<name>[^\W\d_]{{2,30}})[ ]*[?.!]*$")
_FIRST = re.compile(
    r"\W*(?P<name>[^\W\d_]{2,30})\b(?! (?:also |just |now |only |never |always |still |even )?"
    r"(?:wrote|writes|said|says|told|tells|has|is|was|wants|thinks|did|does|moved|moves|attacked|attacks|sent|offers?(?:ed)?"
    r"|asked|asks|promised|seems|hat|ist|war|sagt|schrieb|a|est)\b)"
)
"""A name with which a sentence begins, but of somebody of whom it speaks."""


def _role(name: str) -> str | None:
    return GM if named_beside_powers(name) == GM else None


_AT = re.compile(r"(?<!\w)@[ ]?(?P<name>[^\W\d_]{2,30})\b(?!\.\w)")
_ROLE = re.compile(rf"\b(?:{_ROLES})\b")
_GREETED = re.compile(rf"[\W_]{{0,8}}(?:sehr|good|guten?|my|mon|mein|mi|mio|{_GREETING})\b")
_A_WORD = re.compile(r"[^\W_]+")
_OPENING = re.compile(
    r"[\W_]{0,8}(?P<words>[^\n,:;!)\]>\u2013\u2014-]{1,80})(?P<stop>[,:;!)\]>\u2013\u2014-]|$)\W*(?P<rest>\w?)"
)
"""The words with which a letter begins, up to the first sign, and what is behind that."""
_GREETS, _OPENS = 3, 6
"""So many words may speak to somebody who is the last of them; and so many before a colon, or to the gamemaster after a
greeting.
"""


def points_at_words(text: str, found: Addressed) -> bool:
    """Whether a sentence to somebody has no words for them but those that it speaks of: `schick das an Frankreich`."""
    return bool(found.to) and not found.text.strip(" .,!") and _REFERS.search(fold(text).folded) is not None


def forbids(text: str) -> bool:
    """Whether a text says that something is not to be told: `don't tell Turkey`, `between us`."""
    return _NOT_TOLD.search(fold(text).folded) is not None


def _astray(script: Script, lexicon: Lexicon) -> NotUnderstood | None:
    """The error about whom a line is for, `To Borg:`, where that is no place either."""
    found = _TO_A_NAME.match(script.folded)
    column = script.column(found.start("name")) if found else 0
    name = script.words(*found.span("name")) if found else ""
    if name[:1].isupper() and name.lower() not in lexicon.places:
        return nobody(name, column, lexicon)
    return None


_I = "i"


def _named(
    names: str, lexicon: Lexicon, people: Mapping[str, str], *, letters: int, greets: bool
) -> tuple[tuple[str, ...], int]:
    """The recipients named first in a list, and where the last of them ends. So many `letters` may be initials; but `I`
    is its writer where nobody is greeted, `tell you I am away`.
    """
    to: dict[str, None] = {}
    end = at = 0
    for name in re.split(_JOINT, names):
        at = names.index(name, at)
        found = (ALL,) if name in _EVERYBODY else recipients_named(name, lexicon)
        initials = lexicon.power(name) is None and (len(name) < _BEGINNING or len(found) > 1)
        alone = name == _I and letters == 1 and not greets
        means_me = lexicon.power(name) is None and (alone or says(name, "you"))  # `schick mir`
        found = found if not means_me and (not initials or len(name) <= letters) else ()
        found = found or _begun(name, lexicon) or _declined(name, lexicon) or tuple(filter(None, (people.get(name),)))
        if not found:
            break
        to |= dict.fromkeys(found)
        at = end = at + len(name)
    return tuple(to), end


def _begun(name: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The power of which this is the beginning of its name, if it is of no other's: `Eng`."""
    powers = [str(power) for power in lexicon.powers if fold(power).folded.startswith(name)]
    return tuple(powers) if len(name) >= _BEGINNING and len(powers) == 1 else ()


def _declined(name: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The power of whose people this is the name, as it stands in a sentence: `den Franzosen`, `aux Russes`."""
    bare = (name.removesuffix(ending) for ending in ("s", "n", "en") if name.endswith(ending))
    powers = (lexicon.power(one) for one in bare if len(one) >= _PEOPLE)
    return (*map(str, islice(filter(None, powers), 1)),)


_PEOPLE = 4
