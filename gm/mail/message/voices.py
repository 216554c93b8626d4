"""Words among a sender's orders that may be another's, or announce such.

No list of the programs, forums and chats out of which people copy is whole. But what was copied, or is introduced by
hand, mostly stands in signs of quotation or greets the sender by name, tells who and when, or speaks of proposing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain, takewhile

from gm import patterns as re
from gm.mail.message.attribution import LABELLED, WROTE
from gm.mail.message.attribution_parts import (
    COLONS,
    SOMEBODY,
    Parts,
    beside_moment,
    is_small,
    tells_day,
    tells_only_when,
    without_accents,
)
from gm.mail.message.marks import is_open, is_quote_mark
from gm.mail.message.phrases import TABLES, choice
from gm.mail.message.text import in_own_letters

_IDEA = r"['’]s (?:idea|plan|proposal|suggestion|mail|message|note|voice|post)"
PROPOSED = re.compile(rf"(?<!\w)(?:{choice('proposed')})|{choice('proposed_unspaced')}|{_IDEA}", re.IGNORECASE)
_QUOTE_TAG = r"\[/?(?:quote|cite|code|zitat|citation)\b.*\]"
_ENCLOSED = re.compile(rf"{_QUOTE_TAG}|<.*>.*|\|.*\||```.*|\{{\{{.*", re.DOTALL | re.IGNORECASE)
_RULED = re.compile(r"([-=_*~#<>])\1\1.*[^\W\d_].*\1\1|(?:[^\w\s]|_)(?:\s?(?:[^\w\s]|_)){5,}")
_CUT = re.compile(r"[\W_]*?(?:(?:[8%][<>]|[<>][8%])(?!\w)|[\u2700-\u2704\u20b0])")
"""A line along which something was cut out, with scissors."""
_GARBLED = re.compile(
    r"\?{3}|\ufffd|[\u00c3\u00d0\u00d1][\u0080-\u00bf]|[\u00c0-\u00ff]{4}|=\?[\w-]{1,40}\?"
    r"|(?:(?:[%=]|\\[xuU]|&#x?)[0-9A-Fa-f]{2,6};?){2}|&#\d{2,7};"
)
"""Letters of a wrong set, or still encoded: in a header, as bytes, as numbers of characters."""
_POSTED = re.compile(r"@\S.*|\[[^\[\]]{1,40}\] .+")
"""A line of a chat or a network with the name of who wrote it."""
_FILE = re.compile(r"\w\.(?:pdf|docx?|txt|eml|msg|html?)(?!\w)", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d_]{2,}")
_WORD = re.compile(r"[^\W\d_]+")
_FRAMED = re.compile(r"([-‐-―─=*_~#])\1")
_CAPITALS = re.compile(r"(?<!\w)[^\W\d_a-z][^\W\d_]+")
_COUNTED = re.compile(r"([^\W\d_]+) (?:1\d{3}|\d)\W{0,3}")
"""A season with its year, or a part with its number, in any language: `Deel 1:`."""
_OF_A_PHASE = re.compile(r"(?<![:.\d])1\d{3} [^\W\d_]+")
_SOME_DAY = re.compile(r"\d{1,4} ?[年月日년월일]|(?<![:.\d])\d\d?(?:\.? [^\W\d_]+|[./-]\d\d?(?!\d))")
"""A day of a month, with or without its year."""
_NAMES = re.compile(r"(?<!\w)([^\W\d_a-z][^\W\d_]+)[,.]? (?:(?:v[ao]n|d[aei]|del|af|al|bin) )?([^\W\d_a-z][^\W\d_]+)")
_SENT_BY = rf"(?i:{'|'.join((*TABLES['fields']['from'], *TABLES['beside_names']))})"
_FROM = re.compile(rf"\W?{_SENT_BY}\s+[^\W\d_a-z][^\W\d_]+(?:\s[^\W\d_]+)?\W?")
_SENT = re.compile(rf"(?:[^\W\d_]+ ){{1,2}}{_SENT_BY} [^\W\d_a-z]")
_CAPITAL = r"[^\W\d_a-z][^\W\d_]*+"
_HEADING = re.compile(
    rf"([-‐-―─=*_~#])\1*+ ?(?P<framed>[^\W\d_].*?)(?<!\1) ?\1++|[\[(<{{\"“„«] ?(?P<marked>[^\W\d_].*)[\])>}}\"”“»]"
    rf"|(?P<led>.+?) ?[{''.join(COLONS)}‐-―─-]|[‐-―─~] ?(?P<signed>[^\W\d_]+)"
    rf"|(?i:{choice('forward_marks')})(?:[:：]|(?= {_SENT_BY} )) (?P<handed>.+)"
    rf"|(?P<sent>(?:[^\W\d_]+ ){{0,2}}{_SENT_BY}:? {_CAPITAL}.*)"
    rf"|(?P<named>{_CAPITAL}(?:[., ]{{1,2}}{_CAPITAL})*+(?:,? \d.*)?)"
    r"|@ ?(?P<called>[^\W\d_]+)"
    rf"|[^\w\s!?]{{1,6}} ?(?P<listed>{_CAPITAL}(?:[., ]{{1,2}}{_CAPITAL})*+)[^\w\s,.!?]{{0,6}}"
)
"""A line between dashes or brackets, with a colon or dash at its end, signed with one name, of a forward, or a name,
which may have signs before it.
"""
_BESIDE = ",(\u3001\u060c\uff0c\uff08"
"""What stands between a name and when or where its bearer wrote."""
_FROM_WHOM = re.compile(rf"(?:(?<!\w){_SENT_BY}:? |^)([^\W\d_]{{2,}})(?=[^\w{_BESIDE}]*([^\W\d_]*))")
_HEADING_WORDS = 4
_FEW_WORDS = 3
"""The most words of a sentence that begins with a name, and is none of one's own."""
_FEWEST_LINES = 2
_PREPOSITIONS = frozenset((*TABLES["fields"]["from"], *TABLES["beside_names"], *TABLES["fields"]["to"]))
_HEADINGS = frozenset(TABLES["headings"])
_UNSPACED_HEADINGS = re.compile("|".join(sorted(one for one in _HEADINGS if one == one.upper())))
"""Those of scripts without capitals, some of which have no blanks between words."""
_BEGINNINGS = tuple(one.removesuffix("-") for one in _HEADINGS if one.endswith("-"))
_COMPOUND = re.compile("|".join(sorted(one for one in _BEGINNINGS if len(one) > len("plan"))))
"""What such a word may end with: `Zugbefehle`."""
_DAYS = frozenset(_WORD.findall(without_accents(" ".join(TABLES["days"]))))
_OF_MOMENTS = frozenset((*TABLES["greetings"], *TABLES["calendar"], *_DAYS))
_GREETINGS = frozenset(TABLES["greetings"])
_UNSPACED_GREETINGS = re.compile("|".join(without_accents(one) for one in TABLES["greetings"] if one == one.upper()))
POWERS = frozenset((*TABLES["powers"], *chain.from_iterable(TABLES["powers"].values())))
PEOPLE = frozenset((*TABLES["people"], *TABLES["people_or_words"], *POWERS))
_ONLY_NAMES = frozenset(TABLES["people"])
_APART = re.compile(r"\s{2,}|[<>\u2039\u203a\u2190\u2192|\u00b7\u2022()\[\]{}]|\s[-\u2010-\u2015\u2500/]\s")
"""What stands between the parts of a title."""
_MOST_BESIDE = 6
"""The most words beside a moment in the heading of a message: a name, a day of the week, what a program adds."""
_FEW_BESIDE = 3
"""The same beside a day."""
_BESIDE_ADDRESS = 2
"""The same without a moment, an address or a number among them."""
_NICK = re.compile(r"[^\W\d_]{2,}(?:_|\d\w)")
_PHASED = re.compile(r"[^\W\d_]?\d")
"""The code of a phase, or a number in its words: `S1901M`, `v2`, `1st`."""
_IDEOGRAPHS_BEGIN = "\u2e80"
"""Below it a single letter is no name."""
_PRONOUNS = re.compile(r" ?[(\[][^\W\d_]+(?:/[^\W\d_]+)+[)\]]")
"""Those that somebody wants to be spoken of by, behind their name: `(he/him)`."""
_TOKEN = re.compile(rf"{SOMEBODY}|(?<!\w)[\d_]*+[^\W\d_]\w*+")
_SIGNATURE = re.compile(r"[-‐-―─~/]{1,3} ?([^\W\d_][^:!?]{0,40})|[(\[]([^\W\d_][^:!?()]{0,40})[)\]]")
_TAKEN_BACK = re.compile(rf"\W*+(?:[^\W\d_]{{1,3}}\W++)?(?:{choice('taken_back')})", re.IGNORECASE)
_DENIED = rf"(?<!\w)(?:{choice('denied')})"
_PUT_ASIDE = rf"(?<!\w)(?:{choice('denied', 'put_aside')})(?!\w)"
_DENIES = re.compile(
    rf"{_DENIED}(?:\s+(?:do|use|play|order|send))?\s+(?:{choice('denied_ones', 'denied_below')})(?!\w)"
    rf"|{_PUT_ASIDE},?\s+(?:{choice('denied_below')})(?!\w)",
    re.IGNORECASE,
)
"""Words that deny what is the sender's own, or put aside what is below; and those at the end of a line."""
_ENDS_DENIED = re.compile(rf"{_PUT_ASIDE}\W*$", re.IGNORECASE)
_DENIES_UNSPACED = re.compile(choice("denied_unspaced"))
_DENIES_SHORTLY = re.compile(_PUT_ASIDE, re.IGNORECASE)
_CLAUSE = re.compile(r"[,;.!?(\u2013\u2014]")
_MENTIONED = re.compile(r"[^\w\s@]{0,3}@ ?([^\W_][\w.-]*)[^\w@]*(?:\s|$)")
_SPOKEN = (*",.!?", *"\u060c\u061f\u06d4\u0964\u3001\u3002\uff01\uff0c\uff1f")
_GREETED = re.compile(r"(?:[^\W\d_]+ ){0,2}[^\W\d_]+ ?([,!:\uff1a])")
_SHORT = 60
"""The longest line that is signed or speaks to somebody by name."""
_LONGEST = 300


def is_anothers(text: str, sender: str, others: str, is_word: Callable[[str], bool]) -> bool:
    """Whether a line has the signs of a quotation or of scissors, is the moment of a chat, tells who and when and
    little else, or greets `sender`, a display name, or by one of their `others`.
    """
    text = _collapsed(text)
    if tells_who_and_when(text, f"{sender} {others}", is_word) or _tells_only_when(text):
        return True
    if _ENCLOSED.fullmatch(text) or sum(map(is_quote_mark, text)) % 2 == 1 or is_open(text):
        return True
    return _CUT.match(text) is not None or _greets_one(text, sender, others)


def closes_anothers(text: str, sender: str, is_word: Callable[[str], bool], *, apart: bool) -> bool:
    """Whether a line may be that of a moment in a chat which stands below what somebody wrote: `Read 8:12 PM`. Where it
    is `apart` from that, it has no name.
    """
    rest, timed, _ = beside_moment(without_accents(_collapsed(text)))
    words = {*map(_small, _tokens(rest))} - _DAYS
    if not timed or (apart and not (len(words) <= 1 and all(map(is_word, words)))):
        return False
    return _tells_only_when(text) or tells_who_and_when(text, sender, is_word)


def _tells_only_when(text: str) -> bool:
    """Whether a line is a moment, which may have words for days: `Today 8:11 PM`."""
    text = _collapsed(text)
    rest, timed, _ = beside_moment(without_accents(text))
    by_words = timed and _DAYS.issuperset(map(_small, _tokens(rest)))
    return not text.endswith(COLONS) and (by_words or tells_only_when(text))


def tells_who_and_when(text: str, sender: str, is_word: Callable[[str], bool], *, orders: bool = False) -> bool:
    """Whether a line tells of a moment, and of somebody who is not `sender`, and little else, in whatever letters:
    `anna 20:11`, `[20:11] england:`, `田中、昨日`. Somebody is an address, a number of a telephone, or a word that
    `is_word` does not know; or any one word beside an hour without a colon behind it. A line that `orders` something
    is as long as that makes it, and tells of an hour.
    """
    text, own = _collapsed(text), words_in(without_accents(sender))
    text = _PRONOUNS.sub("", text)
    rest, timed, dated = beside_moment(WROTE.sub(" ", without_accents(text)))
    tokens = _tokens(rest)
    words = [one for one in map(_small, tokens) if one not in _DAYS]
    most, dated = _MOST_BESIDE if timed else _FEW_BESIDE, dated or len(words) < len(tokens)
    if SOMEBODY in rest:
        return len(words) <= (most if timed or dated else _BESIDE_ADDRESS) and own.isdisjoint(_listed(text))
    moment = timed or (dated and not orders)
    if not moment or (len(words) > most and not orders) or _is_counted(text) or _heads_own(text):
        return False
    if Parts(text, WROTE).of_own or not _GREETINGS.isdisjoint(words[:1]):
        return False
    if timed and len(words) == 1 and not text.endswith(COLONS):
        return words[0] not in own | _OF_MOMENTS and not _PHASED.match(words[0])
    return any(_small(word) not in own and _is_somebodys(word, is_word) for word in tokens)


def _tokens(text: str) -> list[str]:
    """The words of a text, of which one of a single letter is none but in scripts of such."""
    return [word for word in _TOKEN.findall(text) if len(word) > 1 or word > _IDEOGRAPHS_BEGIN]


def _is_somebodys(written: str, is_word: Callable[[str], bool]) -> bool:
    """Whether a word may be a name: of people or a power, or not known; one that is another word, too, with a capital
    letter.
    """
    word = _small(written)
    known = word in _OF_MOMENTS or is_word(word) or _PHASED.match(word)
    named = word in (PEOPLE if written[0].isupper() else _ONLY_NAMES | POWERS)
    return not known or named or _NICK.match(word) is not None


def _greets_one(text: str, sender: str, others: str) -> bool:
    """Whether a line is a greeting of this sender: it ends with a name of theirs, or begins with such as a chat
    addresses somebody: `@ann`. One with a colon may be a heading of theirs.
    """
    if (mentioned := _MENTIONED.match(text)) is not None:
        return not words_in(mentioned[1]).isdisjoint(words_in(f"{sender} {others}"))
    if (greeted := _GREETED.fullmatch(text)) is None:
        return False
    headed = greeted[1] in COLONS
    names, words = words_in(sender if headed else f"{sender} {others}"), _listed(text)
    if headed and ({*words[:1]} <= _PREPOSITIONS or _heads_own(text)):
        return False
    if len(words) == 1:
        return not headed and words[0] in words_in(sender)
    return [word in names for word in words][-2:] == [False, True]


def shows_header(lines: Sequence[str], sender: str, is_word: Callable[[str], bool]) -> bool:
    """Whether the last of these lines, two or more, are of a label and a value each, one of which is an address of
    somebody else's or another's name: the header of a mail, in any language.
    """
    labelled = takewhile(bool, map(LABELLED.fullmatch, map(_collapsed, reversed(lines))))
    values = [found[1] for found in labelled if found is not None]
    if len(values) < _FEWEST_LINES:
        return False
    addressed = (Parts(one, WROTE).address and words_in(sender).isdisjoint(_listed(one)) for one in values)
    return any(addressed) or any(heads_anothers(f"{one}:", sender, is_word) for one in values)


def announces_anothers(text: str) -> bool:
    """Whether a line that ends with a colon says that what follows is what somebody else sent, said or proposed."""
    text = _collapsed(text)
    return text.endswith(COLONS) and PROPOSED.search(text) is not None and not Parts(text, WROTE).writer


def heads_anothers(text: str, sender: str, is_word: Callable[[str], bool]) -> bool:
    """Whether a line has the form of an introduction and begins with a name that is none of `sender`'s, or says that it
    is from one: `Bea:`, `-- Bea's letter --`, `[Bea]`, `# Bea`, `Bea Long`, `Fwd from Bea`; or has another's full name,
    or before a colon one beside a day or an hour. A name begins with a capital letter, stands alone, or is in a script
    without capitals and beside other words. It is no word that `is_word` knows, unless people have that name as well
    (`Will:`), nor one above people's own orders in any language (`Ordini:`), nor beside a small one that is not known
    either: `Invio ordini:`; nor beside the sender's own, `Captain Ann reporting:`. So does any other short line before
    a colon that has nothing that people write above their own, and a word that is not known. A word with a year of a
    game or one digit is none: `Deel 1:`.
    """
    text, own = _collapsed(text), words_in(without_accents(sender))
    if _is_counted(text):
        return False
    if _tells_of(text, own, is_word) or _says_nothing_known(text, own, is_word):
        return True
    found = _HEADING.fullmatch(WROTE.sub(":", text))
    heading = next(filter(None, found.groups()[1:]), "") if found is not None else ""
    words = _listed(heading)
    most = _HEADING_WORDS + (2 if _SENT.match(heading) else 0)  # `Press from Italy to Austria:`
    if len(words) > most or Parts(heading, WROTE).of_own:
        return False
    if found is not None and found["framed"] and _FRAMED.match(text) and not _is_own(heading, own):
        return True
    alone = len(words) == 1 and (text.endswith(COLONS) or text.startswith("@"))
    of_two = not {*_BESIDE}.isdisjoint(heading) and not _UNSPACED_HEADINGS.search(text)
    found_names = _FROM_WHOM.findall(heading)
    names = (one for one in found_names if one[0][0].isupper() or (alone if one[0].islower() else of_two))
    others = ((name, beside) for name, beside in names if own.isdisjoint((_small(name), _small(beside))))
    return any(_is_a_name(name, beside, is_word) for name, beside in others)


def names_somebody(text: str, sender: str, is_word: Callable[[str], bool]) -> bool:
    """Whether a short line, which greets nobody nor speaks in the first person or of orders, has somebody's name apart
    from its other words, as a title has: `< Messages    Anna`, `Anna (online)`, `Anna: typing`. Or among words that are
    known, a name that is no other word: behind them, `What Anna wants`, or before two at most, `Anna asks`; people name
    other powers so above their own orders.
    """
    line, own, parts = _collapsed(text), words_in(without_accents(sender)), Parts(_collapsed(text), WROTE)
    words = [word for word in _tokens(beside_moment(without_accents(line))[0]) if not _PHASED.match(word)]
    if not 0 < len(words) <= _MOST_BESIDE or len(line) > _SHORT or _is_spoken(line) or _is_counted(line):
        return False
    if parts.writer or parts.addressed or _is_own(line, own) or begins_with_greeting(line):
        return False
    head, _, said = line.partition(": ")
    parted = (*map(str.strip, _APART.split(in_own_letters(text))), head if said and head.isalpha() else "")
    apart = [one for one in parted if one and not is_small(one[0])]
    if line not in apart and any(heads_anothers(f"{one}:", sender, is_word) for one in apart):
        return True
    nicks = {word for word in words if _NICK.match(word)}
    named = [word in nicks or not is_small(word[0]) for word in words]
    names = [at for at, word in enumerate(words) if named[at] and _is_only_a_name(_small(word), is_word)]
    sure = any(words[at] in nicks or _small(words[at]) in _ONLY_NAMES for at in names)
    sure = sure or all(is_word(word) for at, word in enumerate(words) if at not in names)
    return sure and any(at or len(words) <= _FEW_WORDS for at in names)


def _is_only_a_name(word: str, is_word: Callable[[str], bool]) -> bool:
    """Whether a word in small letters is a name of somebody but a power, and no other word."""
    return word in _ONLY_NAMES or not (word in POWERS or is_word(word))


def _says_nothing_known(text: str, own: frozenset[str], is_word: Callable[[str], bool]) -> bool:
    """Whether a short line before a colon has none of the words above people's own orders, nor a name of theirs, and
    has one that is not known: in a script without capitals, with a capital, or among others that are not known either.
    """
    heading = without_accents(text).rstrip("".join(COLONS) + " ")
    words = _WORD.findall(heading)
    if not (text.endswith(COLONS) and 0 < len(words) <= _HEADING_WORDS and len(heading) <= _SHORT):
        return False
    if Parts(text, WROTE).of_own or _is_own(text, own):
        return False
    unknown = [word for word in words if word.lower() in PEOPLE or not is_word(word)]
    return any(not is_small(word[0]) for word in unknown) or len(unknown) == len(words)


def _is_own(heading: str, own: frozenset[str]) -> bool:
    """Whether a heading has a word that people write above orders of their own, or of these names of theirs."""
    plain, words = without_accents(heading).lower(), _listed(heading)
    named = any(one in plain for one in own if one == one.upper())
    return (
        named
        or begins_with_greeting(heading)
        or _heads_own(heading)
        or not (own.isdisjoint(words) and _OF_MOMENTS.isdisjoint(words))
    )


def _heads_own(text: str) -> bool:
    """Whether a text has a word that people write above orders of their own, in any language."""
    return any(map(_is_of_headings, _listed(text))) or _UNSPACED_HEADINGS.search(text) is not None


def speaks_of_own_orders(text: str) -> bool:
    """Whether a line is short and speaks of orders as the sender's own: `here are my orders`."""
    return _heads_own(text) and _is_own_sentence(text)


def _is_own_sentence(text: str) -> bool:
    return len(text) <= _SHORT and Parts(text, WROTE).of_own


def is_heading(text: str) -> bool:
    """Whether a line has no other words than those above people's own orders: `Final orders`."""
    words = _listed(text)
    return 1 < len(words) <= _HEADING_WORDS and "?" not in text and all(map(_is_of_headings, words))


def heads_orders(text: str) -> bool:
    """Whether a line is a heading of the sender's own orders: of few words, one of which is such, or with which it
    speaks of orders as its own: `Printemps 1901`, `please find my orders below`.
    """
    text = _collapsed(text)
    few = len(text.split()) <= _HEADING_WORDS
    return (_is_counted(text) or (_heads_own(text) and (few or _is_own_sentence(text)))) and not denies(text)


def denies(text: str) -> bool:
    """Whether a short line that heads something, which no whole sentence does, nor what points upwards, says that this
    is not to be done, or not the sender's: `not my orders:`, `instead of`, `rejected:`.
    """
    text = _collapsed(text)
    if len(text) > _SHORT or text.startswith("^") or text.endswith((".", "!", "?")) or changes_mind(text):
        return False
    headed = text.endswith(COLONS)
    if _DENIES.search(text) or _ENDS_DENIED.search(text) or (headed and _DENIES_UNSPACED.search(text)):
        return True
    *_, clause = _CLAUSE.split(text)
    few = headed and len(clause.split()) <= _FEW_WORDS and not _heads_own(clause)
    return few and _DENIES_SHORTLY.search(clause) is not None


def _is_counted(text: str) -> bool:
    """Whether a line is a word that is no name of people, and a year of a game or one digit."""
    found = _COUNTED.fullmatch(text)
    return found is not None and found[1].lower() not in PEOPLE


def signs_anothers(text: str, sender: str, is_word: Callable[[str], bool]) -> bool:
    """Whether a line is the signature of somebody else, a name behind a dash or between brackets: `— Bea`, `(Bea)`."""
    found = _SIGNATURE.fullmatch(_collapsed(text))
    name = next(filter(None, found.groups()), "") if found is not None else ""
    if "@" in name:
        return words_in(sender).isdisjoint(_listed(name))
    letters, initials = {*map(str.lower, _WORD.findall(name))}, {word[0] for word in words_in(sender)}
    if not letters or is_small(name[0]) or letters <= initials:
        return False
    return heads_anothers(f"{name}:", sender, is_word)


def changes_mind(text: str) -> bool:
    """Whether a short line says at its beginning that its writer takes back what is above it: `no, sorry:`."""
    return len(text) <= _SHORT and takes_back(text) and _ENDS_DENIED.search(without_accents(_collapsed(text))) is None


def takes_back(text: str) -> bool:
    """Whether words begin with such as take back what was said before them: `Sorry, I meant Austria`."""
    return _TAKEN_BACK.match(without_accents(_collapsed(text))) is not None


def said_instead(text: str) -> str:
    """What stands behind words that take something back; all of it, if there are none."""
    text = _collapsed(text)
    found = _TAKEN_BACK.match(without_accents(text))
    return text[found.end() :] if found is not None else text


def _is_of_headings(word: str) -> bool:
    """Whether such a word is this one, in small letters."""
    return word in _HEADINGS or word.startswith(_BEGINNINGS) or _COMPOUND.search(word) is not None


def is_of_orders_or_moments(word: str) -> bool:
    """Whether it is such a word, or one that greets or is of a calendar, which no name of a person is."""
    return word in _OF_MOMENTS or _is_of_headings(word)


def names_of(power: str) -> str:
    """The names of a power in other languages."""
    return " ".join(TABLES["powers"].get(power.lower(), ()))


def _tells_of(text: str, own: frozenset[str], is_word: Callable[[str], bool]) -> bool:
    """Whether a line that does not sound like one's own nor speaks of orders has another's full name and is short, or
    before a colon one beside a day or an hour, or garbled letters: `Summary for Ben Long`, `Quoth Ben, 8:11:`.
    """
    parts = Parts(text, WROTE)
    if parts.of_own or _heads_own(text):
        return False
    text = without_accents(text)
    if parts.ended and _GARBLED.search(text):
        return True
    timeless = _OF_A_PHASE.sub(" ", text)
    rest = _SOME_DAY.sub(" ", timeless)
    if parts.ended and (parts.when or rest != timeless):
        names = [one for one in _CAPITALS.findall(rest) if one.lower() not in own]
    elif parts.ended or (len(text) <= _SHORT and not begins_with_greeting(text)):
        names = [first for first, second in _NAMES.findall(rest) if own.isdisjoint((first.lower(), second.lower()))]
    else:
        names = []
    return any(not is_small(one[0]) and _is_a_name(one, "", is_word) for one in names)


def is_a_day(text: str) -> bool:
    """Whether a line is nothing but a day, and perhaps an hour."""
    text = _collapsed(text)
    return tells_day(text) and _NAME.search(_SOME_DAY.sub(" ", text)) is None


def begins_with_greeting(text: str) -> bool:
    """Whether a text begins with a word that greets or thanks, or of orders or a calendar."""
    unspaced = _UNSPACED_GREETINGS.match(without_accents(text)) is not None
    return unspaced or any(map(is_of_orders_or_moments, _listed(text)[:1]))


def _is_spoken(text: str) -> bool:
    """Whether a line ends as speech does, and no title: with a comma or a question; in a script without capitals, where
    any greeting could be a name, with any mark of a sentence.
    """
    return text.endswith(_SPOKEN if text.lower() == text.upper() else (",", "?"))


def _is_a_name(name: str, beside: str, is_word: Callable[[str], bool]) -> bool:
    """Whether a word at the beginning of a heading names a person. Such is of people, or not known; nor does it speak
    of orders, as an adjective before that word, or a word of no known language before a small one: `Invio ordini`.
    """
    known = name.lower() in PEOPLE
    if not known and (is_of_orders_or_moments(_small(name)) or is_word(name)):
        return False
    if _is_of_headings(beside.lower()):
        return beside.istitle() and name.endswith("s")  # `Bens Befehle`
    return known or not beside.islower() or is_word(beside)


def may_be_anothers(text: str, sender: str, *, place: bool) -> bool:
    """Whether a line below something that `sender` asks for may be another's, or introduce such: it tells who or when,
    is a rule, garbled or signed, or speaks of a proposal; or is a name, unless that is of a `place` on the board.
    """
    text = _collapsed(text)
    parts = Parts(text, WROTE)
    if _POSTED.fullmatch(text) or parts.address or parts.when or (parts.verb and not parts.writer):
        return True
    if not place and (_FROM.fullmatch(text) or (len(text) <= _SHORT and _NAMES.search(text))):
        return True
    if len(text) <= _SHORT and not words_in(sender).isdisjoint(_listed(text)):
        return True
    if _RULED.fullmatch(text) or _GARBLED.search(text):
        return True
    return _FILE.search(text) is not None or PROPOSED.search(text) is not None


def _collapsed(text: str) -> str:
    return " ".join(in_own_letters(text[:_LONGEST]).split())


@lru_cache(maxsize=64)  # the sender's names, for each line
def words_in(text: str) -> frozenset[str]:
    return frozenset(_listed(text))


def _listed(text: str) -> list[str]:
    return [*map(_small, _NAME.findall(text))]


def _small(word: str) -> str:
    """A word in small letters; a dotted capital of Turkish has no dot beside it then."""
    return word.lower().replace("\u0307", "")
