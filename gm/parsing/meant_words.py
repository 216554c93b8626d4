"""The words of a sentence that may give orders, as tokens: places, kinds of unit, verbs and what else tells more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice

from gm import patterns as re
from gm.board import FiniteBoard, Location, UnitKind
from gm.orders.notation import short
from gm.parsing.grammar import verbs
from gm.parsing.lexicon import FIRST_FAULT, FIRST_PLACE, FIRST_POWER, Lexicon, Scan, fold
from gm.parsing.meant_lists import Word
from gm.parsing.sayings import knows
from gm.parsing.small_talk import FUNCTION_WORDS

Proper = Callable[[str], str]
"""An order as it is written properly; "" for what is none, or is not allowed now."""
Way = tuple[str, ...]
"""Orders to be sent together, one for each unit."""
_WORDS = {
    "hold": "h hold holds holding keep keeps stand stands std stay stays remain remains wait waits sits rests chill*"
    " halt halten haelt behalt* bleib bleibe bleibt bleiben warten warte wartet tient tenir tiennent reste"
    " restent rester garde steh* mantiene* mantener"
    " queda* quedan permanece* resta* tiene* tenere ferma* fermo blijf* blijft wacht",
    "support": "s sup supp support supports supported supporting help helps backs defend* aide* hilf* helf* unterstutz*"
    " stutz* unterstuetz* souten* soutien* appuie appuyer apoya* apoyo sostiene* sostenere appoggia* appoggio"
    " steun* ondersteun*"
    " cover covers covering deck* couvre couvrir cubre* cubrir copre coprire",
    "convoy": "c convoy* conv cvy transport* carry carries carrying carried taken ferry ferried bring brought gebracht"
    " shipped ubersetz* ubergesetz*"
    " konvoi* konvoy* geleit* beforder* befoerder* convoi* convoie* trasport* convogli* konvoo* vervoer*",
    "from": "from aus von desde dalla van vanuit",
    "with": "with by via using through mit durch per avec par",
    "disband": "d dsb dis disb disband* remove* destroy* delete kill abbau* auflos* aufloes* aufgel* entfern* dissou*"
    " retirer"
    " supprime* detru* elimina* retira* rimuov* sciogli* verwijder*",
    "asis": "asis",
    "same": "same unchanged ordered before unverandert* unveraendert* gleich bisher* gehabt befohlen meme inchange*"
    " avant",
    "cancel": "cancel* withdraw* revoke* scrap* scratch* forget"
    " stornier* vergiss vergesst annul* oublie* anular* olvida*",
    "except": "except besides but ausser sauf excepte hormis",
    "instead": "instead anstatt statt anstelle lieu rather",
    "reason": "because since weil denn parce car puisque porque perche omdat",
    "stir": "move moves moved moving"
    " return returns retourn* revient reviens rentre* torna*"
    " part parte partent aille budge* bouge* bewege* bewegt ziehen zieht mueve* muove* muovono beweeg*",
    "follow": "follow follows following folgt folgen nachruck* remplace remplacer suit replaces sigue segue",
    "it": "it that this which who das es dies dabei damit diese* la le les cela ca celui qui",
    "build": "build builds building bld baue bauen baut aufbau* constru* costruisc* costruire bouw*",
    "waive": "waive* pass passe nothing none verzicht* nichts renonc* rien",
    "not": "not don't dont won't wont cannot can't cant never no nee nein nicht kein keine keinen"
    " pas jamais non niet geen",
    "all": "all every everything everyone everybody each alles alle allen tout tous toutes both nmr todo todos todas"
    " tutto tutti tutte allemaal",
    "rest": "rest remaining other others remainder ubrige* uebrige* andere* autres otros otras demas"
    " altri altre overige*",
    "unit": "unit* einheit* unite* unidad* unita eenhe*",
    "you": "me mich mir moi you you're you'll you'd you've your yours we we're we'll us our ours let's du dich dir"
    " dein* ihr euch euer* wir uns unser* vous votre vos nous notre nos tu te toi ton ti tuy* tua tuoi tue noi nostr*"
    " voi nosotros nuestr* vosotros vuestr* usted* jij jou jouw jullie wij ons onze",
    "or": "or else otherwise oder sonst ansonsten ou sinon",
    "end": "and then und dann et puis plus y e ed luego poi",
    "too": "too also likewise auch ebenso ebenfalls aussi egalement tambien anche ook",
    "to": "to into in ins zum zur towards toward nach vers en au aux dans onto on auf"
    " takes attack* invade* angreif* angriff greif*"
    " attaqu*"
    " hacia verso naar ataca* attacca* aanval*",
    "each": "respectively respectivement jeweils beziehungsweise bzw respectivamente",
    "army": "boot* army armys armies armee* armees troop* tank* soldier* truppe* soldat* ejercito* armata armate"
    " esercito eserciti leger legers",
    "fleet": "boat* fleet* flotte* navy bateau* flota* flotta vloot vloten armada*",
}
"""Words by what they say. `*` stands for the rest of one."""
_NUMBERS = tuple(
    tuple(names.split())
    for names in (
        "one first eins ein eine einen erste* un une premier*",
        "two twice second zwei zweimal zweite* deux deuxieme",
        "three third drei dritte* trois troisieme",
    )
)
_TOKEN = re.compile(
    r"(?P<name>[\ue000-\uf8ff])|(?P<dash>[-=]+>?|>|→)|(?P<word>[a-z]+(?:'[a-z]+)?)|(?P<number>\d{1,3})"
    r"|(?P<times>\*)|(?P<stop>[.;!?]+)|(?P<comma>[,&/+:]+)"
)
MOST = 60
"""The most orders that are tried for a sentence, tokens of it that are looked at, and units."""
_SEARCHES = 8
"""The most words of a sentence that may be misspelt names: each takes a search through all."""
WAYS = 3
"""The most ways of ordering that are offered."""
PLACES = 3
ALONE = 2


def _none(_text: str) -> Way:
    return ()


def _nothing(_at: Location) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Mine:
    """What the writer has to order: the units, and whether `proper` allows an order."""

    units: tuple[tuple[UnitKind, Location], ...]
    board: FiniteBoard
    proper: Proper
    among: Callable[[str], Way] = _none
    """The orders in notation that a text has among other words."""
    does: Callable[[Location], str] = _nothing
    """What a unit there is ordered to do, without its name; "" if nothing."""
    offers: Way = ()
    """What may be ordered beside what must be, where that is no build: units that arrive."""
    in_force: Callable[[], Collection[str]] = tuple
    """The orders that count now."""
    proposed: Way = ()
    """Those that were proposed to the writer, where the mail answers that."""
    declined: bool = False
    """Whether it says NO to them."""

    def offered(self, kind: str, place: str) -> str:
        """The order by which a unit of this kind comes to a place; "" if there is none."""
        ends = f"{kind} {place}"
        return next((one for one in self.offers if re.search(rf"\b{re.escape(ends)}(?![\w/])", one)), "")


@dataclass(frozen=True, slots=True)
class Token:
    says: str
    text: str = ""
    at: Location | None = None
    many: bool = False
    """Whether it is a kind of unit in the plural."""
    brief: bool = False
    """Whether it is a kind of unit as its letter, which may be an article."""
    slip: bool = False
    """Whether it is a place that is misspelt in the text."""

    @property
    def as_word(self) -> Word:
        """Without what only orders for units need."""
        return Word(self.says, self.text, self.at)


@lru_cache(maxsize=512)
def said_by(word: str) -> str:
    said = (says for says, words in _WORDS.items() if _is_among(word, words.split()))
    return next(said, "") or ("nth" if number_of(word) else _misspelt(word))


def _misspelt(word: str) -> str:
    """What a word says of which this is a slip, `suport`; "" for a word that may be one of its own."""
    if len(word) < _SHORTEST or word in FUNCTION_WORDS or knows(word, _COMMON):
        return ""
    alike = get_close_matches(word, _LONG, 1, _ALIKE)
    return _LONG[alike[0]] if alike else ""


_SHORTEST, _ALIKE = 5, 0.86
_COMMON = 3
"""So many examples have a word that is no slip."""
_LONG = {
    f"{word.rstrip('*')}{end}": says
    for says in ("hold", "support", "convoy", "except", "disband", "build")
    for word in _WORDS[says].split()
    for end in ("", "s")
    if len(word) >= _SHORTEST
}


def number_of(word: str) -> int:
    """The number that a word is; 0 for none."""
    return next((number for number, names in enumerate(_NUMBERS, 1) if _is_among(word, names)), 0)


def _is_among(word: str, words: Iterable[str]) -> bool:
    return any(word == one or (one[-1] == "*" and word.startswith(one[:-1])) for one in words)


def says(text: str, what: str) -> bool:
    """Whether a word of the text says this: `not`, `you`."""
    text = _THE_REST.sub("the rest", text[:LONGEST])
    return any(said_by(word) == what for word in WORD.findall(fold(text).folded))


WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
LONGEST = 2_000
LETTERS = {"support": "s", "convoy": "c"}


def number_said(text: str) -> int:
    return number_of(text) or int(text)


_AS_DASH = (":", "/")
"""What may stand between a unit's place and where it goes: `Fleet in Kiel: Denmark`, `par/bur`."""
LEADS = frozenset(("to", "dash", "with", "from", "end"))


def tokens_of(text: str, lexicon: Lexicon, mine: Mine) -> Iterator[Token]:
    scan = lexicon.scan(fold(_without_articles(text, lexicon)).folded)
    found = [*_without_the(list(islice(_TOKEN.finditer(_legible(scan)), MOST)))]
    searches = iter(range(_SEARCHES))
    kinds = {name: kind for kind in lexicon.language.kinds.units for name in (*kind.names, kind.word)}
    if not any(one.listing for one in lexicon.language.dialects):  # what lands is no fleet
        kinds |= dict.fromkeys(_VESSELS, kinds["fleet"]) if "fleet" in kinds else {}
    roles = ["", *(_role(one, kinds) for one in found), "", ""]
    for number, one in enumerate(found, 1):
        before, role, after = roles[number - 1 : number + 2]
        if role == "name":
            named = list(_named(one.group(), scan.names))
            word = after == "it" or (after == "kind" and len(found[number].group()) > 1)  # `par f` builds in Paris
            joins = word or (after == "name" and before in LETTERS)
            written = scan.pieces[2 * (ord(one.group()) - FIRST_PLACE) + 1].strip() if named else ""
            says = said_by(written) if joins and not _is_built_in(named, mine) else ""
            named = [_of_own(token, written, lexicon, mine) for token in named] if after == "dash" else named
            yield from [Token(says)] if says else named  # `par la flotte` is not Paris
        elif one.lastgroup == "word" and (kind := _kind_begun(one.group(), kinds)):
            yield Token("kind", kind)
        elif one.lastgroup == "word" and (joined := _joined(one.group(), lexicon, kinds)):
            yield from joined
        elif one.lastgroup == "word":
            beside = "dash" in (before, after) or before in ("kind", "name") or "to" in (before, after)
            near = beside and _may_be_misspelt(one.group()) and next(searches, None) is not None
            goal = next(_named(found[number + 1].group(), scan.names), None) if roles[number + 2] == "name" else None
            initials = _begins(one.group(), mine, goal) if after == "dash" else None
            initials = initials or (_by_part(one.group(), lexicon, mine) if near and role == "" else None)
            to = one.group() == _TO and after == "name" and before not in LETTERS and roles[number + 2] not in LEADS
            if to and not _is_of(mine, _named(found[number].group(), scan.names)):
                yield Token("to", _TO)  # `va a Tunisi`
                continue
            holds = one.group() == "h" and before == "dash" and roles[number - 2] == "name"  # `mar-h`
            dashed = "dash" in (before, after) and not holds
            read = _word(one.group(), lexicon, initials, near=near, dashed=dashed, kinds=kinds)
            word_before = found[number - 2].group() if number > 1 else ""
            lost = read.says == "" and _is_lost(one.group(), before, word_before, after)
            yield replace(read, says="lost") if lost else read
        elif role == "comma" and before == "name" and one.group() in _AS_DASH:
            here, there = (_named(each.group(), scan.names) for each in (found[number - 2], found[number % len(found)]))
            own = one.group() == "/" and after == "name" and _is_of(mine, here) and not _is_of(mine, there)
            goes = own or (one.group() == ":" and roles[number + 2] not in LEADS)
            yield Token("dash") if goes else Token(role, one.group())
        elif (role, before, after) == ("dash", "name", "kind") and roles[number + 2] != "name":
            yield Token("")  # `die Ruhr-Armee`
        else:
            yield Token(role, one.group())


def _may_be_misspelt(word: str) -> bool:
    """Whether a word says nothing by itself, so that it is worth a search."""
    return len(word) >= PLACES and word not in FUNCTION_WORDS and not said_by(word)


def found_again(tokens: Iterable[Token], lexicon: Lexicon, mine: Mine) -> Iterator[Token]:
    """The tokens; of a word that stands where a goal does, and is no name, the nearest one of where the unit can go
    that was named last.
    """
    last: Location | None = None
    for token in tokens:
        own = {mine.board.province(at) for _, at in mine.units}
        if token.says == "lost" and last is not None:
            kinds = [kind for kind, at in mine.units if at == last]
            reach = {mine.board.province(to) for kind in kinds for to in mine.board.neighbours(kind, last)}
            names = {name: at for name, at in lexicon.places.items() if mine.board.province(at) in reach}
            near = get_close_matches(token.text, names, 1, _ALIKE_IN_REACH)
            yield Token("place", token.text, names[near[0]], slip=True) if near else token
            continue
        if token.at is not None and mine.board.province(token.at) in own:
            last = next(at for _, at in mine.units if mine.board.province(at) == mine.board.province(token.at))
        yield token


_ALIKE_IN_REACH = 0.6


def _is_built_in(named: Sequence[Token], mine: Mine) -> bool:
    """Whether something can be built in the place that is named: then its code is no word, `mar par armies`."""
    places = [short(one.at) for one in named if one.at is not None]
    return any(mine.proper(f"BUILD {kind} {at}") for at in places for kind in ("A", "F"))


def _of_own(token: Token, written: str, lexicon: Lexicon, mine: Mine) -> Token:
    """A place where no unit of the writer's is, by the beginning of its name; or the only one of their units, of whose
    place the name begins so, too: `A Liv-Wal`.
    """
    here = mine.board.province
    own = {here(at) for _, at in mine.units}
    begun = {at for _, at in lexicon.beginning(written) if here(at) in own} if len(written) <= _PIECE else set()
    if token.at is None or here(token.at) in own or len({*map(here, begun)}) != 1:
        return token
    at = next(unit for _, unit in mine.units if here(unit) in {*map(here, begun)})
    return Token("place", short(at), at)


def _without_the(found: Sequence[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The pieces of a text without the articles of goals, `into the Atlantic`, and without what leads to a verb and no
    goal: `I want to change Brest`.
    """
    for at, one in enumerate(found):
        leads = at > 0 and said_by(found[at - 1].group()) == "to" and at + 1 < len(found)
        to_do = one.group() == "to" and at + 1 < len(found) and found[at + 1].group() in _TO_DO
        if not (to_do or (leads and one.group() in _THE)):
            yield one


_TO_DO = frozenset(
    re.findall(
        r"\S+",
        "add ask be cancel change consider correct delete discuss do edit fix forget give have keep know "
        "leave let make mention modify order remove rethink revise say see send swap talk tell think undo "
        "update use withdraw",
    )
)
"""What is done to a unit or its order, and is no move."""
_THE = frozenset(("the", "den", "die", "das", "dem", "la", "le", "les", "el", "il", "lo", "de", "het"))


def _kind_begun(word: str, kinds: dict[str, UnitKind]) -> str:
    """The kind of unit whose name alone begins so, `transm`; "" for none."""
    longer = (name for name in kinds if name.startswith(word) and name != word)
    begun = {str(kinds[name]) for name in longer} if len(word) >= _PIECE else set()
    return begun.pop() if len(begun) == 1 and not said_by(word) else ""


_PIECE = 4


def _joined(word: str, lexicon: Lexicon, kinds: Mapping[str, UnitKind]) -> tuple[Token, ...]:
    """The kind and the place of a unit that are written together, `amar`."""
    kind, at = kinds.get(word[:1]), lexicon.places.get(word[1:])
    if len(word) != _PIECE or kind is None or at is None or knows(word) or word in FUNCTION_WORDS or said_by(word):
        return ()
    return Token("kind", str(kind)), Token("place", short(at), at)


def _is_lost(word: str, before: str, word_before: str, after: str) -> bool:
    """Whether an unknown word stands where a goal does, `nach Madrid`, or what one unit does to another."""
    goal = before == "dash" or (before == "to" and word_before in _GOALS)
    return (goal or before == after == "name") and not knows(word) and word not in FUNCTION_WORDS


_GOALS = frozenset(("to", "nach", "vers", "toward", "towards", "hacia", "verso", "naar"))


def _role(found: re.Match[str], kinds: Collection[str]) -> str:
    """What a token is, by its form; a word, by what it says."""
    word = found.group()
    if found.lastgroup != "word":
        return "power" if found.lastgroup == "name" and ord(word) >= FIRST_POWER else found.lastgroup or ""
    says = said_by(word)
    return "kind" if word in kinds or says in ("army", "fleet") else says


_VESSELS = (
    *("vessel", "vessels", "schiff", "schiffe", "navire", "navires", "vaisseau", "barco", "nave"),
    "schip",
)
_ARTICLE = re.compile(
    r"(?<![->=])(?<![->=] )(?<![^\W_])[a-z]{3}(?=[ ](?P<noun>[^\W\d_a-z][^\W\d_]{2,20}(?:[ ][^\W\d_]{1,20})?))"
)


def _without_articles(text: str, lexicon: Lexicon) -> str:
    """The text without short words in small letters right before a noun that is no name: `in den Rücken`."""
    text = with_coasts(without_stp(text))
    for words, said in AS_IT_IS:
        text = words.sub(said, text)
    text = without_comments(_OF_COAST.sub(" ", ELIDED.sub("", text)))
    return _ARTICLE.sub(lambda one: one[0] if _is_no_article(one, lexicon) else "", text)


def without_stp(text: str) -> str:
    """A French sentence without `stp`, s'il te plaît, at its beginning or end, where nothing leads to a place."""
    return _STP.sub(" ", text).strip() if _FRENCH.search(text) else text


_FRENCH = re.compile(
    r"\b(?:le|les?|une?|va|vont|mon|mes|pour|dans|est|tient|reste|soutient|arm[ée]e|flotte|ordres?|tu|je|peux)\b", re.I
)
_LEAD_TO_PLACE = ("à", "a", "f", "de", "en", "s", "c", "vers", "et", "contre", "dans", "sur")
_LEADS_TO_PLACE = "".join(rf"(?<!\b{word})" for word in _LEAD_TO_PLACE)
_STP = re.compile(rf"\A\s*stp(?=[ ,])|{_LEADS_TO_PLACE}(?<![-=>/,])[ ,]{{1,3}}stp(?=\W*\Z)")


def with_coasts(text: str) -> str:
    """A text with its coasts as orders have them: `Spain/sc` for `Spain, south coast` or `die Südküste von Spanien`."""
    for words, said in _ON_A_COAST:
        text = words.sub(said, text)
    return text


def without_comments(text: str) -> str:
    """The text without several words in brackets."""
    return _COMMENT.sub("", text)


def _is_no_article(found: re.Match[str], lexicon: Lexicon) -> bool:
    """Whether a short word says something, or a name begins with it, `mer Noire`, or with the noun behind it."""
    pieces = lexicon.scan(fold(f"{found[0]} {found['noun']}").folded).pieces
    both = len(pieces) > 1 and not pieces[0] and len(pieces[1]) > len(found[0])
    return both or bool(said_by(found[0])) or _begins_with_name(found["noun"], lexicon)


_SHORT_ORDINALS = {"1st": "first", "2nd": "second", "3rd": "third"}
_THE_REST = re.compile(
    r"\b(?:tout )?le reste\b|\bevery(?:thing|body|one) else\b|\balles andere\b"
    r"|\b(?:alle?|diejenigen),? die (?:noch |bisher )?keine\w? (?:befehle?|order\w*|zug) haben\b,?"
    r"|\b(?:all|those|every\w*|the ones|units) (?:units )?(?:without|(?:with|that have|who have) no) (?:an )?orders?\b"
    r"(?: yet)?"
    r"|\bceux qui n'ont pas (?:encore )?d'ordres?\b",
    re.IGNORECASE,
)
"""What means the units without an order."""
_ALL_ORDERS = (
    r"(?:everything|(?:all|the|my)(?: (?:of )?(?:the |my )?(?:other )?(?:orders|moves|units|others?|rest))?|same"
    r"|alles|alle anderen|(?:die )?anderen|(?:alle |meine )?(?:befehle|züge)|der rest|tout|mes ordres|les autres)"
)
_UNCHANGED = (
    r"(?:(?:the )?same|unchanged|(?:exactly |just )?(?:like|as) (?:(?:i|you|we|it|they|already) )?(?:have |had |has )?"
    r"(?:written|wrote|said|ordered|orders|proposed|understood|is|are|was|were|before|sent|planned|now)"
    r"|(?:genau )?so|wie (?:\w+ )?(?:geschrieben|gesagt|vorgeschlagen|befohlen|vorher|bisher|gehabt|zuvor|geplant|ist)"
    r"|dabei|gleich|unver[aä]ndert|comme (?:\w+ )?(?:[eé]crit|dit|avant|pr[eé]vu|propos[eé])|pareil|inchang[eé]e?s?)"
)
_REMAINING = r"(?:please|bitte|stays?|remains?|is|are|keep|leave|soll\w*|bleib\w*|lass\w*|rest\w*|else|genau|reste\w*)"
_BUT_FOR = (
    r"(?:except|but|apart from|other than|only|save|plus|and|nur|aber|au(?:ß|ss)er|bis auf|und|sauf|mais|et)"
    r"(?: (?:for|that|dass))?"
)
AS_BEFORE = re.compile(
    rf"\b(?:(?:please|bitte|i|ich|je|keep|leave|garde|lass\w*|bleib\w*) ){{0,3}}+"
    rf"{_ALL_ORDERS}(?:,? {_REMAINING}){{0,3}}+ {_UNCHANGED}"
    rf"(?: (?:lassen|bleiben|as|before|last time)){{0,2}}+,?(?: {_BUT_FOR})?(?= |[.,;!]|\Z)"
    rf"|\b{_ALL_ORDERS} (?:stays?|remains?|bleib\w*|reste\w*),?"
    r" (?:except|but|apart from|au(?:ß|ss)er|bis auf|sauf)(?: for)?"
    rf"|\b(?:keep|leave) {_ALL_ORDERS}(?:,? {_BUT_FOR}|(?=[ ]*+(?:[.,;!]|\Z)))"
    r"|\bas (?:you|i) (?:have )?(?:said|wrote|written|proposed|understood)(?=,? (?:but|except|only)\b|\Z)"
    r"|\bsteht (?:jetzt )?alles (?:da|drin)\b",
    re.IGNORECASE,
)
"""That orders stay as they are, before what is said of others: `everything as written, but London holds`."""
_LEADS_TO_WAR = (
    "und",
    "and",
    "von",
    "aus",
    "in",
    "to",
    "army",
    "armee",
    "from",
    "nach",
    "support",
    "supports",
    "stützt",
)
_WAS = re.compile(
    rf"(?<=[^\W\d_]{{2}} ){''.join(f'(?<!{word} )' for word in _LEADS_TO_WAR)}\bwar\b"
    r"(?! ?[-=>/.,;!]|[ ](?:[shc]\b|to\b|nach\b|hold|h[aä]lt|bleibt)|\Z)"
    r"|(?:\A|(?<=[.!?,;] ))[Ww]ar"
    r"(?=[ ](?:nur|nicht|ja|so|eine?|der|die|das|es|sehr|schon|auch|leider|wohl|doch|ich|mein)\b)"
)
"""A German `war` in small letters, which is no place: behind a word that leads to none, before another."""
AS_IT_IS = (
    (_THE_REST, "the rest"),
    (re.compile(r"\bstay(?:s|ing)? in (?:the|this) game\b|\bbleib\w* in (?:der|dieser) partie\b", re.IGNORECASE), ""),
    (re.compile(r"\bit(?:['’]s| is) (?=(?:the|my)\b)|\bc['’]est (?=(?:la|le|ma|mon)\b)", re.IGNORECASE), ""),
    (re.compile(r"\b(?:the )?(?:middle|mid|cent(?:re|er)) of (?:the )?|\bdie Mitte (?:des|vom) ", re.IGNORECASE), ""),
    (
        re.compile(
            r",?(?: -+)? (?:(?:no|nein|non|nee)[, ]{1,2}(?:wait|hang on|hold on|warte|moment|attends)"
            r"|or (?:rather|better)|oder (?:besser|eher|lieber)|ou (?:plut[oô]t|mieux))\b[ ,.:!-]{1,4}(?=\w)",
            re.IGNORECASE,
        ),
        ", no, ",
    ),
    (
        re.compile(
            r"\b(?:(?:just )?as (?:(?:they|it|that) (?:was|were)|before|planned)"
            r"|wie (?:vorher|bisher|zuvor|geplant|gehabt)|comme (?:avant|pr[eé]vu))\b",
            re.IGNORECASE,
        ),
        "unchanged",
    ),
    (AS_BEFORE, "unchanged,"),
    (
        re.compile(
            r"\b(?:may|can|should|shall|will|must|to) (?:just )?(?:rest|sit|wait)\b|\b(?:do|does|doing) nothing\b"
            r"|\b(?:sits?|stays?) tight\b|\bdigs? in\b",
            re.IGNORECASE,
        ),
        "hold",
    ),
    (
        re.compile(r"\brather ((?:to )?[^\W\d_]{3,15}) than ([^\W\d_]{3,15})\b", re.IGNORECASE),
        r"\1 instead of \2",
    ),
    (
        re.compile(
            r"\b(?:just )?as (?:(?:they|it|that) (?:are|is|stands?)|is|now)\b"
            r"|\b(?:stays?|remains?) as ordered\b|\bkeeps? (?:its|their|the) orders?\b|\bbeh[aä]lt seinen befehl\b",
            re.IGNORECASE,
        ),
        "asis",
    ),
    (
        re.compile(
            r"\bwhere (?:they|it|he|she) (?:are|is|stands?)\b|\bwo (?:sie|er|es) (?:sind|ist|steht|stehen)\b"
            r"|\bo[uù] (?:elle|il)s? (?:est|sont)\b",
            re.IGNORECASE,
        ),
        "stay",
    ),
    (
        re.compile(
            r"\b(?:(?:from|against|vor|vom|du|contre) (?:(?:the|dem|le) )?)?(?:\w+ (?:hole|loch)|trous? noirs?)\b"
            r"|\b(?:from|against|vor|vom|du|contre) (?:the |dem |le )?(?:hole|loch|trou)\b",
            re.IGNORECASE,
        ),
        "",
    ),
    (re.compile(r"\b([^\W\d_]{3,20}) (?:to be|should be|soll) (?:safe|protected|sicher)\b", re.I), r"save \1"),
    (
        re.compile(
            r"\b(?:support|help)(?:s|ing)? (?:it|this|that|him|them) (?:from|with|by)\b"
            r"|\bunterst[uü]tz\w* (?:sie|es|das|ihn) (?:aus|von|mit)\b|\b(?:la|le) soutien\w* (?:depuis|de|avec|par)\b",
            re.IGNORECASE,
        ),
        "supported by",
    ),
    (
        re.compile(
            r"\b(?:support|help|aid)s? (?:nobody|no ?one|nothing|anybody|anyone)\b(?: (?:and|but))?"
            r"|\b(?:hilft|unterst[uü]tzt) (?:niemand\w*|keine[mn])\b(?: und)?",
            re.IGNORECASE,
        ),
        "",
    ),
    (re.compile(r"\bkeep (\w+(?: \w+)?) safe\b", re.IGNORECASE), r"save \1"),
    (re.compile(r"\bstay(s?) put\b", re.IGNORECASE), r"stay\1"),
    (re.compile(r"\b(in|auf|an|gegen|durch|von|f[uü]r|[uü]ber) den (?=\w)|\b(nach) den (?=[A-ZÄÖÜ])"), r"\1\2 "),
    (
        re.compile(
            r"\bw/[ ]?(?=\w)|\bpar (?=(?:(?:un )?convoi|personne|la|le|les|ma|mon|mes|une?|cette)\b|l['’])",
            re.IGNORECASE,
        ),
        "with ",
    ),
    (re.compile(r"\b(?:disregard|ignore|forget)\b(?=[^.;,]{1,60}+,[ ]?I meant\b)", re.IGNORECASE), ""),
    (re.compile(r"(?<=,[ ])(?:I meant|ich meinte|je voulais dire)(?=[ ][A-ZÄÖÜ])"), "no"),
    *((re.compile(rf"\b{number}\b", re.IGNORECASE), word) for number, word in _SHORT_ORDINALS.items()),
    (re.compile(r"\br[uü]ck\w* nach(?=[ ]*(?:[.,;!]|und\b|$))", re.IGNORECASE), "folgt"),
    (re.compile(r"\bden (?=(?:erst|zweit|dritt|letzt|ander|beid)\w*\b)"), ""),
    (re.compile(r"\bbis auf (?=(?:der|die|das|den|mein\w*|A|F)\b)"), "except "),
    (_WAS, ""),
    (re.compile(r"\boff (?:the )?(?:board|map)\b|\botb\b|\bvom brett\b|\bhors du plateau\b", re.IGNORECASE), "disband"),
)
"""Phrases, each with what says that in a word or without what would be taken for a name."""
_ON_A_COAST = (
    (re.compile(r"\b(?:an|auf) die (?=(?:nord|s[uü]d|ost|west)k[uü]ste v)|\bsur la (?=c[oô]te \w+ d)", re.I), "to "),
    *(
        way
        for fr, de, en, coast in (
            ("nord", "nord", "north", "/nc"),
            ("sud", "s[uü]d", "south", "/sc"),
            ("est", "ost", "east", "/ec"),
            ("ouest", "west", "west", "/wc"),
        )
        for names in (rf"(?:c[oô]te {fr}|{de}k[uü]ste|{en}(?:ern)?(?: |-)coast)",)
        for way in (
            (
                re.compile(
                    rf"\b(?:the |die |la )?{names} (?:of|von|del?|d['’]) ?(?:l['’]|la )?((?:st[. ]+)?\w+)", re.I
                ),
                rf"\1{coast}",
            ),
            (
                re.compile(
                    rf"(?:,?[ ](?:und zwar |et ce |namely )?(?:an der |sur la |(?:on|at) (?:the |its ))?|['’]s )"
                    rf"\(?{names}\b\)?",
                    re.IGNORECASE,
                ),
                coast,
            ),
        )
    ),
    (re.compile(r"\b(flotte|fleet|f)(/[nsew]c)\b", re.IGNORECASE), r"\2 \1"),
)
"""The words for a coast, in front of a province, behind it or in brackets, each with the short form behind it."""
_OF_COAST = re.compile(
    r",?[ ](?:namely[ ])?on[ ](?:the|its)[ ](?=(?:north|south|east|west)(?:ern)?[ ]coast\b)", re.IGNORECASE
)
_COMMENT = re.compile(r"[ ]?\([^() ]{0,40}+[ ][^()]{0,80}+\)")
ELIDED = re.compile(r"\b[ldj]['’](?=\w)|(?<=\w)['’]s\b", re.IGNORECASE)


def _begins_with_name(text: str, lexicon: Lexicon) -> bool:
    return ord(lexicon.scan(fold(text).folded).form[0]) >= FIRST_PLACE


def _legible(scan: Scan) -> str:
    """The form, in which names of nothing are as they were written: `my fleet on 6` names no place `on 6`."""
    signs = iter(sign for sign in scan.form if ord(sign) >= FIRST_PLACE)
    written = list(scan.pieces)
    for at, sign in zip(range(1, len(written), 2), signs, strict=True):
        written[at] = written[at] if ord(sign) >= FIRST_FAULT else sign
    return "".join(written)


def _named(sign: str, names: Sequence[object]) -> Iterator[Token]:
    if ord(sign) < FIRST_POWER:
        name = str(names[ord(sign) - FIRST_PLACE])
        yield Token("place", name, Location(name))


def _word(
    word: str, lexicon: Lexicon, begins: Location | None, *, near: bool, dashed: bool, kinds: dict[str, UnitKind]
) -> Token:
    if begins is not None:
        return Token("place", word, begins)
    if dashed and len(word) == 1 and word not in kinds:
        return Token("", word)  # the letter of a place, in `M-H`
    says = said_by(word) or ("deed" if is_deed(word, lexicon) else "")
    if word in kinds or says in ("army", "fleet"):
        kind = kinds.get(word) or kinds.get(says)
        return Token("kind", str(kind), many=word[-1] in "sn", brief=len(word) == 1) if kind else Token("")
    if says or not near or len(word) < PLACES or word in FUNCTION_WORDS or (knows(word) and not dashed):
        return Token(says, word)
    code = lexicon.nearest_place(word).partition(" ")[0]
    at = lexicon.places.get(code.lower())
    spelt = len(word) == PLACES or lexicon.resembles_place(word) or bool(lexicon.beginning(word))
    alike = at is not None and (dashed or (spelt and code[0].lower() == word[0]))  # `in den Rücken` is not Munich
    return Token("place", word, at, slip=True) if alike else Token("", word)


_TO = "a"
_GENERAL, _MOST_ALIKE = 5, 3


def _is_of(mine: Mine, named: Iterator[Token]) -> bool:
    """Whether a unit of the writer's is in the place that is named, or can be built there."""
    at = next((one.at for one in named), None)
    if at is None:
        return False
    return mine.board.province(at) in {mine.board.province(place) for _, place in mine.units} or bool(
        mine.proper(f"BUILD {_TO} {short(at)}")
    )


def _by_part(word: str, lexicon: Lexicon, mine: Mine) -> Location | None:
    """The place of whose name a word is a part, of a few the only one that a unit of the writer's can reach: `out into
    the Atlantic`.
    """
    if len(word) < _GENERAL or said_by(word):
        return None
    found = {at for name, at in lexicon.places.items() if word in re.split(r"[^a-z]+", name)}
    if 1 < len(found) <= _MOST_ALIKE:
        moves = ((at, f"{kind} {short(place)} - {short(at)}") for at in sorted(found) for kind, place in mine.units)
        found = {at for at, move in moves if mine.proper(move)}
    return found.pop() if len(found) == 1 else None


def is_deed(word: str, lexicon: Lexicon) -> bool:
    """Whether a word is what only units of this game do."""
    return any(re.fullmatch(pattern, word) for pattern in verbs(lexicon.language.dialects))


def _begins(word: str, mine: Mine, goal: Token | None) -> Location | None:
    """The place of a unit of the writer's of which this is the first letter, or two; of several the only one from which
    the goal can be reached: `L-NTH`, `M-Bur`.
    """
    alike = {at: kind for kind, at in mine.units if str(at).lower().startswith(word) and len(word) < PLACES}
    if len(alike) > 1 and goal is not None and goal.at is not None:
        to = short(goal.at)
        alike = {at: kind for at, kind in alike.items() if mine.proper(f"{kind} {short(at)} - {to}")}
    return next(iter(alike)) if len(alike) == 1 else None


ENDS = frozenset(("stop", "comma", "end"))
STAYING = frozenset(("hold", "asis", "disband"))
