"""Orders that a sentence may be meant to give, however it is worded: by its places, its kinds of unit and a few words.

What is found here is never acted on. It is offered to the writer, who sends it with one tap, so it may be wrong, but
each order is one that the game allows now: of several readings that is what tells which is meant. And it is offered
only if it uses all places, kinds of unit and verbs of its sentence (`Meant.unused`): what was lost might change it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import combinations, groupby, islice, pairwise, takewhile, zip_longest

from gm import patterns as re
from gm.board import FiniteBoard, Location, UnitKind
from gm.orders.notation import short
from gm.parsing.grammar import verbs
from gm.parsing.lexicon import FIRST_FAULT, FIRST_PLACE, FIRST_POWER, Lexicon, Scan, fold
from gm.parsing.meant_lists import NUMBERED, Lists, Word
from gm.parsing.sayings import knows
from gm.parsing.small_talk import FUNCTION_WORDS
from gm.position import PhaseKind

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
_MOST = 60
"""The most orders that are tried for a sentence, tokens of it that are looked at, and units."""
_SEARCHES = 8
"""The most words of a sentence that may be misspelt names: each takes a search through all."""
_WAYS = 3
"""The most ways of ordering that are offered."""
_PLACES = 3
_ALONE = 2


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
class _Token:
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
def _says(word: str) -> str:
    said = (says for says, words in _WORDS.items() if _is_among(word, words.split()))
    return next(said, "") or ("nth" if _number_of(word) else _misspelt(word))


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


def _number_of(word: str) -> int:
    """The number that a word is; 0 for none."""
    return next((number for number, names in enumerate(_NUMBERS, 1) if _is_among(word, names)), 0)


def _is_among(word: str, words: Iterable[str]) -> bool:
    return any(word == one or (one[-1] == "*" and word.startswith(one[:-1])) for one in words)


def says(text: str, what: str) -> bool:
    """Whether a word of the text says this: `not`, `you`."""
    text = _THE_REST.sub("the rest", text[:_LONGEST])
    return any(_says(word) == what for word in _WORD.findall(fold(text).folded))


def orders_by(text: str, lexicon: Lexicon) -> bool:
    """Whether a text without a place speaks of units, or says nothing but what units do."""
    words = [one for one in _WORD.findall(fold(_ELIDED.sub("", text[:_LONGEST])).folded) if len(one) > 1]
    kinds = {name for kind in lexicon.language.kinds.units for name in (*kind.names, kind.word)}
    said = {*map(_says, words)} | ({"kind"} if not kinds.isdisjoint(words) else set())
    every = not said.isdisjoint(("all", "it")) and not said.isdisjoint(("hold", "stir"))
    alone = "" not in said and not said.isdisjoint(("hold", "stir", "to"))
    return every or alone or not said.isdisjoint(_OF_UNITS)


_OF_UNITS = frozenset((
    "kind", "army", "fleet", "unit", "rest", "support", "convoy", "disband", "build", "waive", "asis", "same", "cancel",
    "instead",
))  # fmt: skip


def keeps_orders(text: str) -> bool:
    """Whether a text says that orders stay as they are, and nothing else: `everything as written`."""
    found = _AS_BEFORE.match(text[:_LONGEST].strip())
    return found is not None and not text.strip()[found.end() :].strip(" .,;!")


def keeps_rest(text: str) -> bool:
    """Whether a text says that the rest stays as it is, or is well so, and nothing else: `The rest is fine.`"""
    text = text[:_LONGEST]
    for words, said in _AS_IT_IS:
        text = words.sub(said, text)
    found = _WORD.findall(fold(text).folded)
    others = (one for one in found if _says(one) not in _KEPT and one not in FUNCTION_WORDS)
    return any(_says(one) == "rest" for one in found) and _FINE.issuperset(others)


_KEPT = frozenset(("rest", "asis", "same", "hold", "it", "all"))
_FINE = frozenset(
    re.findall(
        r"\w+",
        "fine ok okay good great right correct perfect alright well so too orders order and but as"
        " gut passt prima richtig ist sind befehle zuge meine meiner der aber und wie"
        " est sont bien bon va parfait ca comme ordres mes tout mais et de"
        " two three four zwei drei vier beiden deux trois moves zug units armies fleets armeen flotten die den das"
        " unverandert bleiben bleibt les",
    )
)
"""What is said of orders that nobody wants to change."""
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Meant:
    """What a sentence may mean."""

    ways: tuple[Way, ...]
    """The ways of ordering, the likeliest first."""
    said: tuple[_Token, ...]
    beside: Way = ()
    """Orders of it that later ones replace, and places of which it says that others than these do something."""
    back: Way = ()
    """Orders of the sentences before that it takes back; in a phase of builds, places that it says are not meant."""
    slips: Mapping[str, Location] = field(default_factory=dict)
    """The places that are misspelt in it, by its words."""
    again: Way = ()
    """Places where a unit that goes away is to go, too."""

    def names_any_of(self, mine: Mine) -> bool:
        """Whether it names a unit, by its place or kind, or all."""
        here = mine.board.province
        own = {here(at) for _, at in mine.units}
        return any(one.says in _UNITS or (one.at is not None and here(one.at) in own) for one in self.said)

    def unused(self, orders: Sequence[str]) -> tuple[str, ...]:
        """The places, kinds of unit and verbs of the sentence that none of these orders has: to support or convoy so
        many times as it says so.
        """
        words = [frozenset(re.findall(r"[^\W_]+", order.casefold())) for order in (*orders, *self.beside)]
        every = frozenset().union(*words)
        named = ((one.text if one.at is None else short(one.at).partition("/")[0], one) for one in self.said)
        missing = [word for word, one in named if one.says in _NAMED and not one.brief and word.casefold() not in every]
        for verb, letter in _LETTERS.items():
            said = [token.text for token in self.said if token.says == verb]
            missing += said[sum(letter in one for one in words) :]
        missing += [one.text for one in self.said if one.says == "each"]  # who does what was not found
        missing += self.again
        counted = (one.text for one, other in pairwise(self.said) if (one.says, other.says) in _COUNTED)
        return (*dict.fromkeys((*missing, *(one for one in counted if _count(one) > len(orders)))),)


_NAMED = ("place", "kind", "lost")
_UNITS = ("kind", "unit", "all", "rest")
_LETTERS = {"support": "s", "convoy": "c"}
_COUNTED = {("number", "unit"), ("number", "kind"), ("nth", "unit"), ("nth", "kind")}


def _count(text: str) -> int:
    return _number_of(text) or int(text)


def meant(texts: Iterable[str], lexicon: Lexicon, phase: PhaseKind, mine: Mine) -> Iterator[Meant]:
    """What the sentences of a mail may mean, one after the other: `the other fleet` is another than those before."""
    tries = iter(range(_MOST))
    allowed = mine.proper
    mine = replace(
        mine,
        units=mine.units[:_MOST],
        proper=lambda order: allowed(order) if next(tries, None) is not None else "",
    )
    listing = next((d.listing for d in lexicon.language.dialects if d.listing and d.listing.phase is phase), None)
    lists = None
    if listing is not None:
        lists = Lists(listing, mine.in_force(), mine.proposed, _number_of, declined=mine.declined)
    walk = _Walk(mine, "R" if phase is PhaseKind.RETREAT else "-")
    for number, text in enumerate(texts):
        words = _found_again(_tokens(text, lexicon, mine), lexicon, mine)
        tokens = [*_as_ordered([*_by_number(list(words), mine)], mine)]
        tokens = [] if _asks_for_help(tokens, mine) else tokens
        clauses = _without_asides(tokens, begun=number > 0)
        ordered = _with_who_convoys(_units_first(_without_others(clauses, mine), mine))
        ordered = _verbs_first(_as_carried(_without_stay(ordered), mine))
        said = tuple(_paired([*ordered]))
        meant_at = {one.at for one in said}
        said = tuple(_without_clauses(said, _OF_MOVES if phase is PhaseKind.ADJUSTMENT else ("build",)))
        listed = lists.told((one.as_word for one in said), (one.as_word for one in tokens)) if lists is not None else ()
        ways = _together(map(mine.proper, listed)) if lists is not None else _WAYS_OF[phase](said, walk)
        whole = (
            mine.among(text)
            if len(said) == len(tokens) and not any(one.says in ("not", "corrects", "waive") for one in said)
            else ()
        )
        whole = whole if _one_for_each(whole, mine) else ()  # `Munich supports Kiel, Munich holds`
        parted = phase is PhaseKind.ADJUSTMENT or listing is not None  # `par a, mar f` has `a, mar`
        if whole and len(whole) >= len(ways[0] if ways else ()) + parted:
            ways = (whole,)
            walk.knows(whole)
        if lists is not None and ways:
            lists.knows(ways[0])
        said = tuple(one for one in said if one.at is None or _is_of_board(one.at, mine))
        moves = phase is PhaseKind.MOVEMENT and listing is None
        other, before = _exchanged(tokens, mine) if moves and not ways else ((), ())
        ways = (other,) if other else ways or (_each_to_one(tokens, mine) if moves else ())
        found = (*before, *(order for _, order in walk.found[walk.before_this :]), *map(short, walk.spared), *walk.back)
        places = tuple(token for token in said if token.says == "place")
        not_at = (*walk.spared, *(one.at for one in tokens if one.at is not None and one.at not in meant_at))
        back = tuple(map(short, not_at)) if phase is PhaseKind.ADJUSTMENT else tuple(walk.back)
        slips = {one.text: one.at for one in tokens if one.slip and one.at is not None}
        yield Meant(ways, said if moves else places, found, back, slips, tuple(map(short, walk.again)))


def _asks_for_help(tokens: Sequence[_Token], mine: Mine) -> bool:
    """Whether a sentence wants help from somebody, `support me in Galicia`: it names no unit of the writer's."""
    said = {one.says for one in tokens}
    own = {mine.board.province(at) for _, at in mine.units}
    places = (mine.board.province(one.at) for one in tokens if one.at is not None)
    return "you" in said and not said.isdisjoint(_LETTERS) and "kind" not in said and own.isdisjoint(places)


def _one_for_each(orders: Way, mine: Mine) -> bool:
    """Whether no unit has more than one of these orders."""
    units = Counter(f"{kind} {short(at)}" for kind, at in mine.units)
    given = (sum(bool(re.match(rf"{re.escape(one)}(?![\w/])", order)) for order in orders) for one in units)
    return all(times <= most for times, most in zip(given, units.values(), strict=True))


def nearest(text: str, lexicon: Lexicon, phase: PhaseKind, mine: Mine) -> tuple[Way, ...]:
    """Orders of one unit each that a sentence may mean of which no reading uses all names: that the units it names, or
    else all of the kinds it names, go to its other places; or that they hold, if it names no other.
    """
    tokens, here = list(_tokens(text, lexicon, mine)), mine.board.province
    places = {here(one.at): one.at for one in tokens if one.at is not None}
    kinds = {one.text for one in tokens if one.says == "kind" and not one.brief}
    if phase is PhaseKind.ADJUSTMENT:
        return tuple((order,) for way in _builds(tokens, _Walk(mine, "")) for order in way)[:_NEAREST]
    if phase is not PhaseKind.MOVEMENT:
        return ()
    units = dict.fromkeys(mine.units)
    named = [(kind, at) for kind, at in units if here(at) in places]
    able = named or [(kind, at) for kind, at in units if str(kind) in kinds] or [*units]
    goals = [at for place, at in places.items() if all(here(at) != place for _, at in named)]
    says_ = {one.says for one in tokens}
    stays = ["H"] if named and _GOING.isdisjoint(says_) else []
    helps = [letter for verb, letter in _LETTERS.items() if verb in says_]
    moves = [f"- {short(at)}" for at in goals]
    does = [f"{letter} {short(at)} {move}" for letter in helps for _, at in able for move in (*moves, "")]
    does = does or moves or stays
    ways = dict.fromkeys(mine.proper(f"{kind} {short(at)} {deed}") for deed in does for kind, at in able)
    return tuple(_with_carried(order, mine) for order in islice(filter(None, ways), _NEAREST))


def _with_carried(order: str, mine: Mine) -> Way:
    """An order; that of a convoy with the move of the writer's own army, without which it does nothing."""
    _, _, move = order.partition(" C ")
    moves = mine.proper(move) if move else ""
    return (order, moves) if moves else (order,)


_NEAREST = 4
_GOING = frozenset(("to", "dash", "stir", "lost"))
"""What says that a unit does not stay where it is."""


def _is_of_board(at: Location, mine: Mine) -> bool:
    """Whether a place is there for all, and not another one for each writer."""
    return mine.board.exists(Location(mine.board.province(at)))


def _walked(said: Sequence[_Token], walk: _Walk) -> tuple[Way, ...]:
    walk.begins()
    numbers, places = (sum(one.says in kinds for one in said) for kinds in (("number", "nth"), ("place",)))
    walk.shared = numbers == 1 and places > 1
    around = zip((_Token(""), *said), said, (*said[1:], _Token("stop")), strict=False)
    does = [one for before, one, after in around if not _stands(before, one, after, walk.mine)]
    does = _with_place_first(does, walk.mine)
    for at, token in enumerate(does, 1):
        says = (one.says for one in (*does[at:], _Token("stop")) if one.says or token.says != "place")
        walk.take(token, next(says))  # behind a place, words that say nothing do not: `Munich goes to`
    return walk.ways(alone=len(said) <= _ALONE, either=any(token.says == "or" for token in said))


def _with_place_first(said: Sequence[_Token], mine: Mine) -> list[_Token]:
    """The tokens, where a kind of unit stays at a place and one of it stands there, with that before what it does: `the
    army stays in Venice` is about one army.
    """
    found, there = list(said), {(str(kind), mine.board.province(at)) for kind, at in mine.units}
    say = [at for at, one in enumerate(found) if one.says]
    for kind, hold, place in zip(say, say[1:], say[2:], strict=False):
        at, says = found[place].at, (found[kind].says, found[hold].says)
        if at is not None and says == ("kind", "hold") and (found[kind].text, mine.board.province(at)) in there:
            found[hold], found[place] = found[place], found[hold]
    return found


def _stands(before: _Token, token: _Token, after: _Token, mine: Mine) -> bool:
    """Whether a word behind a kind of unit, or behind that it stays, tells where: `army in Venice`."""
    here = mine.board.province
    away = after.at is not None and here(after.at) not in {here(at) for _, at in mine.units}
    return before.says in ("kind", "hold") and token.text in _STANDS_IN and not away


def _built(said: Sequence[_Token], walk: _Walk) -> tuple[Way, ...]:
    return _builds(said, walk)


_WAYS_OF: defaultdict[PhaseKind, Callable[[Sequence[_Token], _Walk], tuple[Way, ...]]] = defaultdict(
    lambda: lambda _said, _walk: (),
    {PhaseKind.MOVEMENT: _walked, PhaseKind.RETREAT: _walked, PhaseKind.ADJUSTMENT: _built},
)


def _clauses(tokens: Iterable[_Token]) -> Iterator[list[_Token]]:
    """The tokens between stops and commas, and these, in their order."""
    yield from (list(group) for _, group in groupby(tokens, key=lambda token: token.says in ("stop", "comma")))


def _without_asides(tokens: Sequence[_Token], *, begun: bool) -> Iterator[_Token]:
    """The tokens without what orders nothing: that something stays the same, a reason, `instead of Munich`, `not to
    Munich` and `no, wait`. `begun`: something was said before them.
    """
    clauses = groupby(_but_joined([*_corrected(tokens)]), key=lambda token: token.says in ("stop", "comma"))
    for number, (ends, group) in enumerate(clauses):
        clause = list(takewhile(lambda one: one.says != "reason", group))
        said = [token.says for token in clause]
        no = 1 + (said[1:2] == ["hold"])  # `no wait, ...`
        if (number or begun) and [*said[:1], *said[no : no + 1]] == ["not", "place"] and clause[0].text in _NO:
            yield _Token("corrects")  # `no, Venice holds`
            clause, said = clause[no:], said[no:]
        if (but := next((at for at, one in enumerate(clause) if one.text in _BUT), None)) and "not" in said[:but]:
            clause[said.index("not") : but + 1] = []  # `not to Munich but to Kiel`
            said = [token.says for token in clause]
        clause, said = clause[: (ends_at := _denied_at(said))], said[:ends_at]
        instead = next((at for at, one in enumerate(clause[1:], 1) if _is_instead(clause[at - 1], one)), None)
        if instead is not None:
            place = said.index("place", instead) if "place" in said[instead:] else len(said)
            clause[instead - 1 : _end_of_order(said, place + 1)] = []
        elif not ends and ((no := _is_no(clause)) or _is_same(said) or _takes_back(said)):
            yield from [_Token("corrects")] if no else []
            continue
        still = {"not", "stir"}.issubset(said)  # what does not move holds
        means = {"cancel": "hold", "stir": "hold" if still else "", "not": "" if still else "not"}
        yield from (replace(one, says=means.get(one.says, one.says)) for one in clause)


def _but_joined(tokens: Sequence[_Token]) -> Iterator[_Token]:
    """The tokens without a comma before what is ordered instead of what is not: `not to support, sondern ...`."""
    for one, after in zip_longest(tokens, tokens[1:]):
        if one.says != "comma" or after is None or after.text != "sondern":
            yield one


def _denied_at(said: Sequence[str]) -> int:
    """Where a clause has said where a unit goes, and begins to say where not: `Paris to Picardy not Burgundy`."""
    at = next((len(said) - count for count in (2, 3) if said[-count : -count + 1] == ["not"]), len(said))
    named = sum(one in ("place", "kind") for one in said[:at])
    return at if said[-1:] == ["place"] and named > 1 else len(said)


def _end_of_order(said: Sequence[str], at: int) -> int:
    """Where an order ends of which this is behind the unit: `Mar-Spa`, `Mar s Par-Bur`."""
    while at + 1 < len(said) and said[at] in _DOES:
        to = at + 1 + (said[at + 1] == "kind")
        if said[to : to + 1] != ["place"]:
            break
        at = to + 1
    return at


_DOES = frozenset(("dash", "to", "support", "convoy"))


def _exchanged(tokens: Sequence[_Token], mine: Mine) -> tuple[Way, Way]:
    """Of a sentence that names two places, in neither of which is a unit of the writer's, the orders in force that name
    one of them, with the other: `Belgium instead of Holland`. And these orders as they are.
    """
    places = [*dict.fromkeys(mine.board.province(one.at) for one in tokens if one.at is not None)]
    own = {mine.board.province(at) for _, at in mine.units}
    if len(places) != _PAIR or not own.isdisjoint(places) or any(one.says in ("you", "not") for one in tokens):
        return (), ()
    one, other = (short(Location(place)) for place in places)
    to = {one: other, other: one}
    does = [(f"{kind} {short(at)}", mine.does(at)) for kind, at in mine.units]
    pattern = re.compile(rf"\b(?:{re.escape(one)}|{re.escape(other)})\b(?:/\w+)?")
    new = [(unit, now, pattern.sub(lambda found: to[found[0].partition("/")[0]], now)) for unit, now in does]
    ways = [(unit, now, mine.proper(f"{unit} {then}")) for unit, now, then in new if then != now]
    return tuple(way for _, _, way in ways if way), tuple(f"{unit} {now}" for unit, now, way in ways if way)


_PAIR = 2


def _each_to_one(tokens: Sequence[_Token], mine: Mine) -> tuple[Way, ...]:
    """Of a sentence that only lists places, `Nth Nwg Yor`, the orders by which a unit goes to each: all the ways, if
    these are few.
    """
    clauses = (list(group) for _, group in groupby(tokens, key=lambda token: token.says in _ENDS))
    listed = [clause for clause in clauses if any(one.says == "place" for one in clause)]
    goals = [one.at for clause in listed for one in clause if one.at is not None]
    if not _PAIR <= len(goals) <= len(mine.units) or any(one.says != "place" for clause in listed for one in clause):
        return ()
    ways: list[tuple[frozenset[int], Way]] = [(frozenset(), ())]
    for goal in goals:
        moves = ((n, mine.proper(f"{kind} {short(at)} - {short(goal)}")) for n, (kind, at) in enumerate(mine.units))
        able = [(number, move) for number, move in moves if move]
        ways = [(taken | {n}, (*way, move)) for taken, way in ways for n, move in able if n not in taken][:_MOST]
    return tuple(way for _, way in ways) if len(ways) <= _WAYS else ()


def _by_number(tokens: Sequence[_Token], mine: Mine) -> Iterator[_Token]:
    """The tokens; the first, of orders in force, is the unit that has it as they are shown: `change the second to
    hold`. Where places are named, it may be the first of these.
    """
    counts = any(one.text.startswith(_ORDINALS) for one in tokens) and all(one.at is None for one in tokens)
    ordered = [at for _, at in mine.units if mine.does(at)] if counts else []
    following = [*tokens[1:], _Token("stop")]
    for before, token, after in zip((_Token(""), *tokens), tokens, following, strict=False):
        if after.says == "kind" or after.text in _COUNTED_BESIDE:  # `for the first time`
            yield token
            continue
        number = _number_of(token.text) if token.says == "nth" and token.text.startswith(_ORDINALS) else 0
        if 0 < number <= len(ordered):
            at = ordered[number - 1]
            yield _Token("place", short(at), at)
        elif not (ordered and token.text == "one" and before.text.startswith(_ORDINALS)):
            yield token


_COUNTED_BESIDE = frozenset((
    "time", "game", "year", "turn", "phase", "season", "round", "player", "impression", "jahr", "mal", "spiel", "runde",
))  # fmt: skip
"""What is counted and is no order."""
_ORDINALS = ("first", "second", "third", "erst", "zweite", "dritte", "premier", "deuxi", "troisi")


def _as_ordered(tokens: Sequence[_Token], mine: Mine) -> Iterator[_Token]:
    """The tokens; that the rest stays, where units have orders, says that these orders do: they are for no unit to
    hold that has another.
    """
    have = [bool(mine.does(at)) for _, at in mine.units]
    own = {mine.board.province(at) for _, at in mine.units}
    for clause in _clauses(tokens):
        said = [one.says for one in clause]
        given = all(have) or ("kind" not in said and any(have))  # `the other fleet stays` is of one without an order
        unmoved = {"not", "stir"}.issubset(said) and (_DEEDS - {"not"}).isdisjoint(said)  # `le reste bouge pas`
        if given and "rest" in said and (unmoved or _DEEDS.isdisjoint(said)):
            yield _Token("asis")  # `the rest is fine`
            continue
        places = {mine.board.province(one.at) for one in clause if one.at is not None}
        ordered = any(mine.does(one.at) for one in clause if one.at is not None)
        if "same" in said and ordered and places <= own and _DEEDS_OF_OTHERS.isdisjoint(said):
            yield from (replace(one, says=_AS_GIVEN.get(one.says, one.says)) for one in clause)
            continue  # `Kiel and Berlin unchanged`
        stays = given and "rest" in said and said.count("hold") == 1
        yield from (
            replace(one, says="asis") if stays and one.says == "hold" and one.text.startswith(_REMAINS) else one
            for one in clause
        )


_DEEDS = frozenset((*_DOES, "hold", "place", "disband", "cancel", "not", "too", "except", "same"))
_DEEDS_OF_OTHERS = _DEEDS - {"hold", "place", "same"}
_AS_GIVEN = {"same": "asis", "hold": ""}
_REMAINS = ("stand", "stay", "remain", "bleib", "rest", "blijf", "queda")


def _corrected(tokens: Sequence[_Token]) -> Iterator[_Token]:
    """The tokens; a `no` behind an order, before another one, begins a clause: `Ank-Con wait no Ank-Bla`."""
    for at, one in enumerate(tokens):
        before = [token.says for token in tokens[:at] if token.says not in ("", "hold")]
        after = [token.says for token in tokens[at + 1 : at + 4] if token.says not in ("", "hold")]
        if one.text in _NO and (before[-3:], after[:2]) in _AGAIN:
            yield from (_Token("comma"), _Token("corrects"), _Token("comma"))
        else:
            yield one


_AGAIN = (
    (["place", "dash", "place"], ["place", "dash"]),
    (["kind", "place"], ["kind", "place"]),
)
"""What an order ends with, and what the one begins with that corrects it."""


def _without_others(tokens: Iterable[_Token], mine: Mine) -> Iterator[_Token]:
    """The tokens without clauses that have nothing happen where no unit of the writer's is: `Portugal can wait`."""
    own = {mine.board.province(at) for _, at in mine.units}
    for clause in _clauses(tokens):
        if not (clause := _of_cancelled(clause, mine)):
            continue
        places = [mine.board.province(one.at) for one in clause if one.at is not None]
        waits = {one.says for one in clause} == {"place", "hold", ""} and len(places) == 1
        yield from () if (waits and places[0] not in own) or _tells_where(clause) else clause


def _of_cancelled(clause: list[_Token], mine: Mine) -> list[_Token]:
    """A clause; of one that only takes back where a unit goes, `scrap Burgundy`, that this unit holds, if one is
    ordered there.
    """
    places = [one.at for one in clause if one.at is not None]
    own = {mine.board.province(at) for _, at in mine.units}
    only = len(places) == 1 and {"place", "hold", ""}.issuperset(one.says for one in clause)
    if not only or mine.board.province(places[0]) in own or not any(_says(one.text) == "cancel" for one in clause):
        return clause
    goes = [at for _, at in mine.units if mine.does(at) == f"- {short(places[0])}"]
    goes += [at for _, at in mine.units if mine.does(at) == f"-{short(places[0])}"]
    return [_Token("place", short(at), at) if one.at else one for at in goes[:1] for one in clause]


def _tells_where(clause: Sequence[_Token]) -> bool:
    """Whether a clause says where units are, and nothing of what they do: `my fleets are now in Nth and Nwg`."""
    says = {one.says for one in clause}
    leads = (one.text for one in clause if one.says == "to")
    return (
        "place" in says
        and _ONLY_WHERE.issuperset(says)
        and _STANDS_IN.issuperset(leads)
        and any(one.says == "" and one.text in _IS for one in clause)
    )


_ONLY_WHERE = frozenset(("place", "kind", "unit", "to", "all", "end", "you", "number", ""))
_IS = frozenset(("is", "are", "was", "were", "am", "ist", "sind", "bin", "war", "waren", "est", "sont", "suis", "esta"))


def _paired(said: Sequence[_Token]) -> Sequence[_Token]:
    """The tokens; of `A and B go to C and D respectively`, A to C and B to D."""
    places = [one for one in said if one.says == "place"]
    half, odd = divmod(len(places), 2)
    plain = {"place", "to", "dash", "end", "comma", "stop", "each", ""}.issuperset(one.says for one in said)
    if odd or not plain or not any(one.says == "each" for one in said):
        return said
    pairs = zip(places[:half], places[half:], strict=True)
    return [token for one, other in pairs for token in (one, _Token("dash"), other, _Token("stop"))]


def _units_first(tokens: Iterable[_Token], mine: Mine) -> Iterator[_Token]:
    """The tokens; a goal that stands before the unit that goes there behind it: `to Kiel with the Berlin army`; and no
    `with` before a unit that goes somewhere: `mit Berlin nach Kiel`.
    """
    own = {mine.board.province(at) for _, at in mine.units}
    for clause in _clauses(tokens):
        said = [one for one in clause if one.says]
        following = zip(said, [one.says for one in said[1:]], [one.says for one in said[2:]], strict=False)
        goes = [one for one, *behind in following if one.says == "with" and behind == ["place", "to"]]
        clause = [one for one in clause if one not in goes] if goes else clause
        said = [one for one in said if one not in goes]
        goal = said[:3] if [one.says for one in said[:3]] == ["to", "place", "with"] else []
        units = [one.at for one in said[len(goal) :] if one.at is not None and mine.board.province(one.at) in own]
        yield from (*said[len(goal) :], *goal[:2]) if goal and len(units) == 1 else clause


def _with_who_convoys(tokens: Iterable[_Token]) -> Iterator[_Token]:
    """The tokens; a unit that goes `by convoy of the Ionian fleet` is convoyed by it."""
    for clause in _clauses(tokens):
        said = [one.says for one in clause]
        at = next((at for at, two in enumerate(pairwise(said)) if two == ("with", "convoy")), 0)
        if at and [one for one in said[at + 2 :] if one not in ("", "kind", "with")] == ["place"]:
            clause.insert(said.index("place") + 1, clause.pop(at + 1))
        yield from clause


def _without_stay(tokens: Iterable[_Token]) -> Iterator[_Token]:
    """The tokens; a unit that stays and supports does the latter: `Marseilles stays where it is and helps Paris`."""
    waiting: list[_Token] = []
    for token in tokens:
        if token.says == "hold" or (waiting and (not token.says or (token.says == "end" and token.text not in _STOPS))):
            waiting.append(token)
            continue
        if token.says != "support":
            yield from waiting
        waiting = []
        yield token
    yield from waiting


_STOPS = (".", ";", ":", "!", "?")


def _verbs_first(tokens: Iterable[_Token]) -> Iterator[_Token]:
    """The tokens; a verb at the end of its clause where it would stand in English: `Ruhr soll Kiel unterstützen`, `ich
    will Schweden angreifen`.
    """
    for clause in _clauses(_by_convoy(tokens)):
        said = [one.says for one in clause]
        places = [at for at, one in enumerate(said) if one == "place"]
        verb = next((at for at in range(len(said) - 1, -1, -1) if said[at] in _VERBS_AND_GOALS), 0)
        if said[verb : verb + 1] == ["to"] and places:
            clause.insert(places[-1], clause.pop(verb))
        elif len(places) > 1 and said[verb] == "convoy" and verb > places[-1] and "from" in said[places[0] : places[1]]:
            by = said.index("from", places[0])
            clause[by] = replace(clause[by], says="with")  # `Yor wird von Nth nach Nwy übergesetzt`
            clause.insert(by, clause.pop(verb))
        elif len(places) > 1 and said[verb] in _LETTERS and _is_of_first(said, places, verb):
            clause.insert(places[0] + 1, clause.pop(verb))
        yield from clause


def _as_carried(tokens: Iterable[_Token], mine: Mine) -> Iterator[_Token]:
    """The tokens; an army that a fleet carries somewhere goes there: `Yorkshire is carried to Norway by the fleet`."""
    armies = {mine.board.province(at) for kind, at in mine.units if kind == UnitKind.ARMY}
    for clause in _clauses(tokens):
        said = [one.says for one in clause]
        at = said.index("convoy") if "convoy" in said else len(said)
        before = [mine.board.province(one.at) for one in clause[:at] if one.at is not None]
        away = "place" in said[at:] and said[at + 1] != "with"
        if away and before and armies.issuperset(before[-1:]) and "with" not in said[:at]:
            clause[at] = _Token("" if "with" in said[at:] else "ferried", clause[at].text)
        yield from clause


def _by_convoy(tokens: Iterable[_Token]) -> Iterator[_Token]:
    """The tokens; `per Konvoi` says how a unit goes, and who convoys it is not said there."""
    before = _Token("")
    for token in tokens:
        by = (before.says, token.says) == ("with", "convoy")
        if before.says == "with" and not by:
            yield before
        if token.says != "with":
            yield _Token("ferried", token.text) if by else token
        before = token
    if before.says == "with":
        yield before


def _is_of_first(said: Sequence[str], places: Sequence[int], verb: int) -> bool:
    """Whether a verb behind these places may be what the unit does that is named first."""
    leads = _LEADS.isdisjoint(said[places[0] : places[1]]) and "with" not in said[places[1] : verb]
    return leads and said.count(said[verb]) == 1


_AS_DASH = (":", "/")
"""What may stand between a unit's place and where it goes: `Fleet in Kiel: Denmark`, `par/bur`."""
_VERBS = frozenset(("support", "convoy", "to"))
_VERBS_AND_GOALS = _VERBS | {"place", "lost"}
_LEADS = frozenset(("to", "dash", "with", "from", "end"))


def _is_same(said: Sequence[str]) -> bool:
    if "asis" in said:
        return "place" not in said
    if "place same place" in " ".join(said):  # `Kiel before Berlin`
        return False
    return "same" in said and ("place" not in said or {"same", "place", "kind", ""}.issuperset(said))


def _takes_back(said: Sequence[str]) -> bool:
    if "cancel" in said:
        return not {"place", "kind"}.intersection(said)  # a unit whose order is taken back holds
    return said[:1] == ["not"] and said.count("place") < 2 and {"", "hold", "it", "to", "place"}.issuperset(said[1:])


def _is_no(clause: Sequence[_Token]) -> bool:
    """Whether a clause says no to what was said before: `no, wait`, `oh no`."""
    said = {one.says for one in clause}
    alone = len(clause) <= _FEW and "not" in said and {"not", "hold", ""}.issuperset(said)
    return said == {"not"} or (alone and any(one.text in _NO for one in clause))


_FEW = 2


def _is_instead(before: _Token, token: _Token) -> bool:
    return before.says == "instead" and (token.text in _OF or before.text not in ("instead", "rather"))


_OF = ("of", "than")
_BUT = ("but", "sondern", "mais")
_NO = ("no", "nein", "non", "nee")
_STANDS_IN = frozenset(("in", "on", "en", "auf"))


_OF_MOVES = ("hold", "support", "convoy")


def _without_clauses(tokens: Sequence[_Token], verbs: Sequence[str]) -> Iterator[_Token]:
    """The tokens without the clauses of orders for another phase."""
    for clause in _clauses(tokens):
        yield from () if any(token.says in verbs for token in clause) else clause


def _together(orders: Iterable[str]) -> tuple[Way, ...]:
    found = tuple(dict.fromkeys(filter(None, orders)))
    return (found,) if found else ()


# ---- what a sentence is made of


def _tokens(text: str, lexicon: Lexicon, mine: Mine) -> Iterator[_Token]:
    scan = lexicon.scan(fold(_without_articles(text, lexicon)).folded)
    found = [*_without_the(list(islice(_TOKEN.finditer(_legible(scan)), _MOST)))]
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
            joins = word or (after == "name" and before in _LETTERS)
            written = scan.pieces[2 * (ord(one.group()) - FIRST_PLACE) + 1].strip() if named else ""
            says = _says(written) if joins and not _is_built_in(named, mine) else ""
            named = [_of_own(token, written, lexicon, mine) for token in named] if after == "dash" else named
            yield from [_Token(says)] if says else named  # `par la flotte` is not Paris
        elif one.lastgroup == "word" and (kind := _kind_begun(one.group(), kinds)):
            yield _Token("kind", kind)
        elif one.lastgroup == "word" and (joined := _joined(one.group(), lexicon, kinds)):
            yield from joined
        elif one.lastgroup == "word":
            beside = "dash" in (before, after) or before in ("kind", "name") or "to" in (before, after)
            near = beside and _may_be_misspelt(one.group()) and next(searches, None) is not None
            goal = next(_named(found[number + 1].group(), scan.names), None) if roles[number + 2] == "name" else None
            initials = _begins(one.group(), mine, goal) if after == "dash" else None
            initials = initials or (_by_part(one.group(), lexicon, mine) if near and role == "" else None)
            to = one.group() == _TO and after == "name" and before not in _LETTERS and roles[number + 2] not in _LEADS
            if to and not _is_of(mine, _named(found[number].group(), scan.names)):
                yield _Token("to", _TO)  # `va a Tunisi`
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
            goes = own or (one.group() == ":" and roles[number + 2] not in _LEADS)
            yield _Token("dash") if goes else _Token(role, one.group())
        elif (role, before, after) == ("dash", "name", "kind") and roles[number + 2] != "name":
            yield _Token("")  # `die Ruhr-Armee`
        else:
            yield _Token(role, one.group())


def _may_be_misspelt(word: str) -> bool:
    """Whether a word says nothing by itself, so that it is worth a search."""
    return len(word) >= _PLACES and word not in FUNCTION_WORDS and not _says(word)


def _found_again(tokens: Iterable[_Token], lexicon: Lexicon, mine: Mine) -> Iterator[_Token]:
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
            yield _Token("place", token.text, names[near[0]], slip=True) if near else token
            continue
        if token.at is not None and mine.board.province(token.at) in own:
            last = next(at for _, at in mine.units if mine.board.province(at) == mine.board.province(token.at))
        yield token


_ALIKE_IN_REACH = 0.6


def _is_built_in(named: Sequence[_Token], mine: Mine) -> bool:
    """Whether something can be built in the place that is named: then its code is no word, `mar par armies`."""
    places = [short(one.at) for one in named if one.at is not None]
    return any(mine.proper(f"BUILD {kind} {at}") for at in places for kind in ("A", "F"))


def _of_own(token: _Token, written: str, lexicon: Lexicon, mine: Mine) -> _Token:
    """A place where no unit of the writer's is, by the beginning of its name; or the only one of their units, of whose
    place the name begins so, too: `A Liv-Wal`.
    """
    here = mine.board.province
    own = {here(at) for _, at in mine.units}
    begun = {at for _, at in lexicon.beginning(written) if here(at) in own} if len(written) <= _PIECE else set()
    if token.at is None or here(token.at) in own or len({*map(here, begun)}) != 1:
        return token
    at = next(unit for _, unit in mine.units if here(unit) in {*map(here, begun)})
    return _Token("place", short(at), at)


def _without_the(found: Sequence[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The pieces of a text without the articles of goals, `into the Atlantic`, and without what leads to a verb and no
    goal: `I want to change Brest`.
    """
    for at, one in enumerate(found):
        leads = at > 0 and _says(found[at - 1].group()) == "to" and at + 1 < len(found)
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
    return begun.pop() if len(begun) == 1 and not _says(word) else ""


_PIECE = 4


def _joined(word: str, lexicon: Lexicon, kinds: Mapping[str, UnitKind]) -> tuple[_Token, ...]:
    """The kind and the place of a unit that are written together, `amar`."""
    kind, at = kinds.get(word[:1]), lexicon.places.get(word[1:])
    if len(word) != _PIECE or kind is None or at is None or knows(word) or word in FUNCTION_WORDS or _says(word):
        return ()
    return _Token("kind", str(kind)), _Token("place", short(at), at)


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
    says = _says(word)
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
    for words, said in _AS_IT_IS:
        text = words.sub(said, text)
    text = without_comments(_OF_COAST.sub(" ", _ELIDED.sub("", text)))
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
    return both or bool(_says(found[0])) or _begins_with_name(found["noun"], lexicon)


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
_AS_BEFORE = re.compile(
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
    r"|(?<=[,;] )war(?=[ ](?:nur|nicht|ja|so|eine?|der|die|das|es|sehr|schon|auch|leider|wohl|doch|ich|mein)\b)"
)
"""A German `war` in small letters, which is no place: behind a word that leads to none, before another."""
_AS_IT_IS = (
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
    (_AS_BEFORE, "unchanged,"),
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
_ELIDED = re.compile(r"\b[ldj]['’](?=\w)|(?<=\w)['’]s\b", re.IGNORECASE)


def _begins_with_name(text: str, lexicon: Lexicon) -> bool:
    return ord(lexicon.scan(fold(text).folded).form[0]) >= FIRST_PLACE


def _legible(scan: Scan) -> str:
    """The form, in which names of nothing are as they were written: `my fleet on 6` names no place `on 6`."""
    signs = iter(sign for sign in scan.form if ord(sign) >= FIRST_PLACE)
    written = list(scan.pieces)
    for at, sign in zip(range(1, len(written), 2), signs, strict=True):
        written[at] = written[at] if ord(sign) >= FIRST_FAULT else sign
    return "".join(written)


def _named(sign: str, names: Sequence[object]) -> Iterator[_Token]:
    if ord(sign) < FIRST_POWER:
        name = str(names[ord(sign) - FIRST_PLACE])
        yield _Token("place", name, Location(name))


def _word(
    word: str, lexicon: Lexicon, begins: Location | None, *, near: bool, dashed: bool, kinds: dict[str, UnitKind]
) -> _Token:
    if begins is not None:
        return _Token("place", word, begins)
    if dashed and len(word) == 1 and word not in kinds:
        return _Token("", word)  # the letter of a place, in `M-H`
    says = _says(word) or ("deed" if is_deed(word, lexicon) else "")
    if word in kinds or says in ("army", "fleet"):
        kind = kinds.get(word) or kinds.get(says)
        return _Token("kind", str(kind), many=word[-1] in "sn", brief=len(word) == 1) if kind else _Token("")
    if says or not near or len(word) < _PLACES or word in FUNCTION_WORDS or (knows(word) and not dashed):
        return _Token(says, word)
    code = lexicon.nearest_place(word).partition(" ")[0]
    at = lexicon.places.get(code.lower())
    spelt = len(word) == _PLACES or lexicon.resembles_place(word) or bool(lexicon.beginning(word))
    alike = at is not None and (dashed or (spelt and code[0].lower() == word[0]))  # `in den Rücken` is not Munich
    return _Token("place", word, at, slip=True) if alike else _Token("", word)


_TO = "a"
_GENERAL, _MOST_ALIKE = 5, 3


def _is_of(mine: Mine, named: Iterator[_Token]) -> bool:
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
    if len(word) < _GENERAL or _says(word):
        return None
    found = {at for name, at in lexicon.places.items() if word in re.split(r"[^a-z]+", name)}
    if 1 < len(found) <= _MOST_ALIKE:
        moves = ((at, f"{kind} {short(place)} - {short(at)}") for at in sorted(found) for kind, place in mine.units)
        found = {at for at, move in moves if mine.proper(move)}
    return found.pop() if len(found) == 1 else None


def is_deed(word: str, lexicon: Lexicon) -> bool:
    """Whether a word is what only units of this game do."""
    return any(re.fullmatch(pattern, word) for pattern in verbs(lexicon.language.dialects))


def _begins(word: str, mine: Mine, goal: _Token | None) -> Location | None:
    """The place of a unit of the writer's of which this is the first letter, or two; of several the only one from which
    the goal can be reached: `L-NTH`, `M-Bur`.
    """
    alike = {at: kind for kind, at in mine.units if str(at).lower().startswith(word) and len(word) < _PLACES}
    if len(alike) > 1 and goal is not None and goal.at is not None:
        to = short(goal.at)
        alike = {at: kind for at, kind in alike.items() if mine.proper(f"{kind} {short(at)} - {to}")}
    return next(iter(alike)) if len(alike) == 1 else None


# ---- movement and retreats


_ENDS = frozenset(("stop", "comma", "end"))
_STAYING = frozenset(("hold", "asis", "disband"))
_GOES_ON = frozenset(("place", "dash", "to", "support", "convoy", *_STAYING))
"""What follows the place of a unit that does something of its own."""
_STAYS = {("hold", "-"): "H", ("asis", "-"): "H", ("disband", "R"): "D"}
"""The order of a unit that stays, by what is said of it and the sign of its moves."""


@dataclass(slots=True)
class _Walk:
    """Where a sentence is when it is read from left to right: of which unit it speaks, and what it has said."""

    mine: Mine
    sign: str
    found: list[tuple[int, str]] = field(default_factory=list)
    """The number of the unit, -1 for one that has an order already, and the order."""
    kind: str = ""
    subject: Location | None = None
    before: list[Location] = field(default_factory=list)
    """Units that were named without an order: `Mun and Ber hold`."""
    supported: list[Location] | None = None
    """Where what is supported or convoyed stands, and goes."""
    helps: str = "S"
    gone: tuple[Location, Location] | None = None
    """Whence and where the last unit goes."""
    aid: str = ""
    """S or C if that of a unit was said for which others then do it: `supported by Rom`, `convoy it with Lon`."""
    helper: Location | None = None
    """Who does it for a unit whose goal comes later: `Edi is taken by Nwg to Nwy`."""
    by: bool = False
    """Who does what was said before comes next: `convoy it with Lon`, `go to Nth with Lon`."""
    everyone: str = ""
    held: str = ""
    """A verb that was said before any unit."""
    toward: bool = False
    negated: bool = False
    last: Location | None = None
    """The unit that `it` is."""
    corrects: bool = False
    """Whether it was said that what was said is not so: `Bre to Eng... no, Mao`."""
    spared: set[Location] = field(default_factory=set)
    """Of what all do, who does not."""
    unwanted: set[str] = field(default_factory=set)
    """The kinds of unit that are not to be built."""
    excepts: bool = False
    all_hold: bool = False
    """Whether it was said that all of a kind hold, so that exceptions may follow."""
    either: bool = False
    """Whether another goal of the last unit may follow."""
    all_help: bool = False
    """Whether all units do what is said of helping."""
    many: bool = False
    """Whether several units of the kind are spoken of."""
    times: int = 0
    """How many are, if that is said and all are in one place."""
    shared: bool = False
    """Whether they go to several places: `all three armies: Berlin, Kiel and Holland`."""
    deed: str = ""
    """What units of this game alone do, and one does, or is to do."""
    doing: bool = False
    """Whether that was said before any unit of the sentence."""
    named: set[Location] = field(default_factory=set)
    """Of which units it was spoken: they are not among the rest."""
    before_this: int = 0
    """How many orders were found in the sentences before."""
    back: list[str] = field(default_factory=list)
    """Orders that this sentence takes back."""
    again: list[Location] = field(default_factory=list)
    """Whence the last unit goes, said where it goes: `to the Channel, and back to Brest`."""
    kinds_at: dict[Location, str] = field(default_factory=dict)
    """Which of several units in one place is spoken of: `the second of them in Paris`."""
    of_kind: str = ""
    """The kind that was named last, also of those that follow it: `the armies in Paris and Munich`."""
    instead: dict[str, str] = field(default_factory=dict)
    """Orders of which a part was not said, the coast or who convoys, and the same with another."""

    def begins(self) -> None:
        """Another sentence begins."""
        self.before_this, self.spared, self.back, self.again = len(self.found), set(), [], []

    @property
    def kinds(self) -> Collection[str]:
        """The kinds of unit that may be built where none is named."""
        return dict.fromkeys(str(one) for one, _ in self.mine.units) or ("A", "F")

    def builds(self, place: str, kinds: Iterable[str]) -> None:
        """Build there, the first of these kinds that may be, or remove what stands there."""
        kinds = list(kinds)
        ways = [self.mine.proper(f"BUILD {kind} {place}") for kind in kinds]
        ways += [self.mine.offered(kind, place) for kind in kinds]
        self._add(next(filter(None, (*ways, self.mine.proper(f"REMOVE {place}"))), ""))

    def builds_instead(self, kind: str) -> None:
        """Build this kind where another that is not wanted, or the only other one, is ordered to be built."""
        builds = [one.split() for one in sorted(self.mine.in_force()) if one.lower().startswith("build ")]
        others = [words for words in builds if len(words) > _PLACES - 1 and words[1] != kind]
        found = [words for words in others if not self.unwanted or words[1] in self.unwanted]
        if len(found) == 1:
            self.builds(found[0][-1], [kind])
            self.spared.update(at for at in map(Location, found[0][-1:]) if self.mine.board.exists(at))

    def takes_back(self) -> None:
        """The last order is not to be."""
        for _, order in self.found[-1:]:
            self.back.append(order)
            self.found.pop()
            self.before_this = min(self.before_this, len(self.found))

    def knows(self, orders: Way) -> None:
        """Take these orders for what the sentence says."""
        del self.found[self.before_this :]
        for order in orders:
            self._add(order)

    def take(self, token: _Token, following: str) -> None:
        """Read the next token; `following` is what the one after it says."""
        match token.says:
            case "place" if token.at is not None:
                self._place(token.at, following)
            case "number" | "nth":
                self._number(token, following)
            case "kind":
                self._kind(token, following)
            case "hold" | "disband" | "waive" | "deed":
                self._verb(token)
            case "stop" | "comma" | "end" | "or":
                self._ends(token.says)
            case "it" if following not in ("place", "kind", "all", "rest") and not self.by:
                self._refers()
            case _ if self.subject is not None:
                self._of_subject(self.subject, token, following)
            case _:
                self._mark(token.says, following)

    def _kind(self, token: _Token, following: str) -> None:
        if self.excepts and following != "place":
            self._spare_kind(token.text)
            return
        if self.supported:
            self._close_support()
        self.kind, self.many = token.text, token.many
        self.of_kind = token.text
        if self.held and self.everyone:
            self._stays(self.held)
            self.held = self.everyone = ""

    def _verb(self, token: _Token) -> None:
        if token.says == "deed" and self.everyone and not (self.before or self.subject):
            for kind, at in self.mine.units:
                if at not in self.named:
                    self._rest(kind, at, token.text)
        elif token.says == "deed":
            self.deed, self.doing = token.text, not self._do(token.text)
        elif self.supported and self.all_help:
            held = self.supported[0]
            self._close_support()
            self._order(held, self._stay("hold"))
        else:
            self._stays("hold" if token.says == "waive" else token.says)

    def _do(self, word: str) -> bool:
        """The units named so far do what this word says; whether there are any."""
        named = [at for at in (*self.before, self.subject) if at is not None]
        named = [at for at in named if self._done(at, word) or self._is_mine(at)]
        if named:
            self.before.clear()
            self.subject = None
        return bool(named)

    def _done(self, at: Location, word: str) -> bool:
        """Whether what this word says can be ordered at a place, of the unit there or of none; that is ordered."""
        self.named.add(at)
        if self._is_mine(at) and self._order(at, word):
            return True
        order = self.mine.proper(f"{word} {short(at)}")
        self._add(order)
        return bool(order)

    def _of_subject(self, at: Location, token: _Token, following: str) -> None:
        """Read a word that may say what this unit does."""
        if token.says == "asis":
            self._stays(token.says)
        elif token.says == "too" and following in _ENDS and (deed := self._done_last()):
            self._order(at, deed)
            self.subject = None
        elif token.says == "too" and self.gone is not None and following in _ENDS:
            self._goes(at, self.gone[1])
        elif token.says == "follow" and self.gone is not None and following in _ENDS:
            self._goes(at, self.gone[0])
        elif token.says == "too" and self.deed:
            self._do(self.deed)
        elif token.says == "" and self.toward:
            self._completed(at, token.text[:1])
        else:
            self._mark(token.says, following)

    def _mark(self, says: str, following: str) -> None:
        """Keep what a word says of those that follow."""
        self.toward = self.toward or says in ("dash", "to")
        self.negated = self.negated or says == "not"
        self.corrects = self.corrects or says == "corrects"
        self.aid = "C" if says == "ferried" else self.aid
        if says == "too" and self.kind and self.gone and self.subject is None:  # `and the other kind too`
            self._add(self.mine.proper(f"{self.kind} {short(self.gone[0])} {self.sign} {short(self.gone[1])}"))
        self.by = self.by or says == "with" or (says == "from" and self._named_goal())
        if says in ("dash", "to") and self.by and self.kind and (self.subject is not None or self.gone is not None):
            self.helper, self.aid, self.by, self.kind = self._only(), "C", False, ""  # `goes by boat to Tunis`
        self.negated = self.negated or (says == "except" and self.sign == "R")
        self.excepts = self.excepts or (says == "except" and bool(self.everyone or self.spared or self.all_hold))
        if says in ("support", "convoy"):
            self.all_help = self.everyone == "all" and self.subject is None and not self.found
            if self.subject is None and following != "with":
                self.subject = self._only()
            if (self.subject is not None or self.all_help) and following != "with":
                self.supported, self.helps = [], says[0].upper()
            else:
                self.aid = says[0].upper()
        if says in ("all", "rest"):
            self.everyone = says
            self.kind = "" if says == "rest" else self.kind
            if self.held and following != "kind":
                self._stays(self.held)

    def ways(self, *, alone: bool, either: bool) -> tuple[Way, ...]:
        """The orders, the last for each unit; of `either` one or the other, the first, and the others as ways of their
        own. One unit `alone` holds.
        """
        unordered = [at for at in (*self.before, self.subject) if at is not None]
        self._ends("stop")
        if alone and len(self.found) == self.before_this and len(unordered) == 1:
            self._order(unordered[0], self._stay("hold"))
        own, others = dict[int, str](), list[Way]()
        for number, order in self.found[self.before_this :]:
            if either and number in own:
                others.append((order,))
            else:
                own[number] = order
        first = tuple(own.values())
        others += [tuple(other if one == order else one for one in first) for order, other in self.instead.items()]
        return tuple(dict.fromkeys(filter(None, (first, *others))))[:_WAYS]

    def _named_goal(self) -> bool:
        """Whether the place that was named last is where a unit may go: `Galicia from Vienna`."""
        return self.subject is not None and not self._is_mine(self.subject)

    def _refers(self) -> None:
        """The unit of which was spoken last is spoken of."""
        if self.subject is None and self.supported is None:
            self.subject = self.last

    def _only(self) -> Location | None:
        """The only unit of the kind that was named, of those without an order if there are any."""
        if not self.kind:
            return None
        ordered = dict(self.found)
        of_kind = [(n in ordered, at) for n, (kind, at) in enumerate(self.mine.units) if str(kind) == self.kind]
        free = [at for has, at in of_kind if not has]
        found = free or ([] if self.everyone else [at for _, at in of_kind])
        return found[0] if len(found) == 1 else None

    def _place(self, at: Location, following: str) -> None:
        if self.excepts and self._is_mine(at):
            self._spare(at)
        elif self._does_deed(following) and (self._done(at, self.deed) or self._is_mine(at)):
            pass
        elif self.supported is not None:
            self.supported.append(at)
            if len(self.supported) > 1:
                self._close_support()
        else:
            self._names(at, following)
        self.last = self.subject or self.last
        self.toward = self.by = self.excepts = False

    def _does_deed(self, following: str) -> bool:
        """Whether what units of this game alone do was said before a place, which is no goal and goes nowhere."""
        return self.doing and following not in _GOES_ON and not (self.toward and self.subject is not None)

    def _names(self, at: Location, following: str) -> None:
        """A place that is neither excepted nor what is supported."""
        if self.by and self.aid and self.gone:
            self._aided(at, self.gone)
        elif self.by and self.gone and self.subject is None and self._is_mine(at):
            self.aid = "C"  # `A Yor-Bel with the boat in Nth`
            self._aided(at, self.gone)
        elif self.by and self.aid and self.subject is not None and not self.toward:
            self.helper = at
        elif self.held and not self.toward and following not in ("dash", "to", "follow"):
            self._order(at, self._stay(self.held))
        elif self.by and self.subject is not None and self._is_mine(at) and not self._is_mine(self.subject):
            self._goes(at, self.subject)
        elif self.subject is not None and not self.toward and self._is_mine(at) and following in _STAYING:
            self.before.append(self.subject)  # `Ber Mun hold`
            self.subject = at
        elif self.subject is not None and (self.toward or following != "dash" or not self._is_mine(at)):
            self._goes(self.subject, at)
        elif self.corrects and self.gone and not self._is_mine(at):
            self._goes(self.gone[0], at)
        elif self._may_go_to(at, following):
            self._somebody_goes(at)
        else:
            self.kinds_at[at] = self.of_kind
            self.subject, self.kind = at, ""
            self.named.add(at)

    def _spare(self, at: Location) -> None:
        """All do it except this one."""
        self.spared.add(at)
        all_do = [(number, order) for number, order in self.found if number >= 0 and self.mine.units[number][1] == at]
        self.found = [one for one in self.found if one not in all_do]
        self.subject = at

    def _spare_kind(self, kind: str) -> None:
        """All do it except those of this kind; what is said next is said of the only one."""
        alike = [at for one, at in self.mine.units if str(one) == kind]
        for at in alike:
            self._spare(at)
        self.excepts, self.subject = False, alike[0] if len(alike) == 1 else None
        self.last = self.subject or self.last

    def _may_go_to(self, at: Location, following: str) -> bool:
        """Whether a place named before any unit is where one goes: that is said, or the units are all in one place."""
        if self._is_mine(at):
            return self.toward and following not in ("dash", "to", "hold", "asis", "support")
        return self.toward or len({place for _, place in self.mine.units}) == 1

    def _number(self, token: _Token, following: str) -> None:
        """A number counts the units behind it where all are in one place, or stands for the place that ends with it:
        `my army on 3 to 5`.
        """
        if following in ("kind", "unit") and len({at for _, at in self.mine.units}) == 1:
            one = self.shared or token.text.startswith(_ORDINALS)
            self.times = 1 if one else min(_count(token.text), len(self.mine.units))
        elif following in ("to", "dash") and len({at for _, at in self.mine.units}) == 1:
            count = 1 if token.text.startswith(_ORDINALS) else _count(token.text)  # `the second to Kiel` is one
            self.times, self.toward = min(count, len(self.mine.units)), True  # `2 to Kiel`
        elif token.says == "number":
            self._numbered(token.text)

    def _numbered(self, text: str) -> None:
        mine = [at for _, at in self.mine.units if str(at)[1:] == text]
        near = Location(f"{str(self.subject)[:1]}{text}")
        goes = self.toward or near not in {at for _, at in self.mine.units}
        if self.subject is not None and str(self.subject)[1:].isalnum() and goes and self.mine.board.exists(near):
            self._place(near, "")
        elif mine:
            self.toward = False
            self._place(mine[0], "hold" if self.subject is not None else "")
        elif self.found and not self.subject and text.isdigit():
            again = self.found[-1][1]
            for _ in range(min(int(text), len(self.mine.units)) - 1):
                self._add(again)

    def _completed(self, origin: Location, letter: str) -> None:
        """A place whose code has the unit's own first letter, by its other one."""
        to = short(Location(f"{str(origin)[0]}{letter}"))
        if len(str(origin)) == len(to) and self.mine.proper(f"{short(origin)} {self.sign} {to}"):
            self._goes(origin, Location(f"{str(origin)[0]}{letter}"))
            self.toward = False

    def _goes(self, origin: Location, at: Location) -> None:
        if not self.negated:
            if not self._order(origin, f"{self.sign} {short(at)}"):
                self._goes_to_coast(origin, at)
            self.gone, self.subject, self.last = (origin, at), None, origin
            if self.helper is None and self.aid == "C" and not self.by:
                self._find_helper(origin, self.gone)
            if self.helper is not None:
                self._aided(self.helper, self.gone)
            self.before.clear()
        self.negated = False

    def _find_helper(self, origin: Location, moved: tuple[Location, Location]) -> None:
        """The first unit that can convoy a move convoys it, or the next one instead: `convoy Yor-Nwy`."""
        written = " - ".join(map(short, moved))
        every = ((at, self.mine.proper(f"{short(at)} C {written}")) for at in self._others(origin))
        able = [(at, order) for at, order in every if order]
        self.helper = able[0][0] if able else None
        self.instead |= {one: other for (_, one), (_, other) in pairwise(able[:2])}

    def _goes_to_coast(self, origin: Location, at: Location) -> None:
        coasts = (short(coast) for coast in self.mine.board.coasts(self.mine.board.province(at)) if coast != at)
        ways = [way for way in coasts if self.mine.proper(f"{short(origin)} {self.sign} {way}")]
        for way in ways[:1]:
            self._order(origin, f"{self.sign} {way}")
        for way in ways[1:2]:
            self.instead[self.found[-1][1]] = self.mine.proper(f"{short(origin)} {self.sign} {way}")

    def _aided(self, by: Location, moved: tuple[Location, Location]) -> None:
        self._order(by, f"{self.aid} " + " - ".join(map(short, moved)))
        self.helper, self.aid = None, ""

    def _somebody_goes(self, at: Location) -> None:
        """The only unit without an order, of the kind that was named, that can go there."""
        if self.negated:
            return
        if self.either and self.gone and not self._is_mine(at):
            self._goes(self.gone[0], at)  # `Mos to Lvn or to Ukr`
            return
        if self.gone and not self.kind and self.mine.board.province(at) == self.mine.board.province(self.gone[0]):
            self.again.append(at)
            return
        ways = dict.fromkeys(
            order
            for number, (kind, origin) in enumerate(self.mine.units)
            if self.kind in ("", str(kind)) and number not in dict(self.found)
            if (order := self.mine.proper(f"{kind} {short(origin)} {self.sign} {short(at)}"))
        )
        if len(ways) == 1:
            for _ in range(max(self.times, 1)):
                self._add(next(iter(ways)))
            self.times = 0
            self.last = self.mine.units[self.found[-1][0]][1]
            self.gone = (self.last, at)
        elif len(ways) > 1:
            self.subject = at  # `to Norway with the army`

    def _stays(self, verb: str) -> None:
        named = [at for at in (*self.before, self.subject) if at is not None and at not in self.spared]
        if self.negated:
            return
        for at in named:
            self._order(at, (self.mine.does(at) if verb == "asis" else "") or self._stay(verb))
        if self.everyone or (self.kind and not named):
            others = self.spared | (self.named if self.everyone == "rest" else set())
            of_kind = [unit for unit in self.mine.units if self.kind in ("", str(unit[0])) and unit[1] not in others]
            one = self._only() if self.kind and not self.many and self.everyone != "all" else None
            for kind, at in of_kind:
                if one in (None, at):
                    self._rest(kind, at, self._stay(verb))
            self.all_hold = True
        elif not named:
            self.held = verb
        self.subject, self.kind, self.toward = None, "", False
        self.before.clear()

    def _stay(self, verb: str) -> str:
        return _STAYS.get((verb, self.sign), "")

    def _rest(self, kind: UnitKind, at: Location, does: str) -> None:
        """An order for a unit that has none."""
        alike = [n for n, unit in enumerate(self.mine.units) if unit == (kind, at)]
        if does and not all(n in dict(self.found) for n in alike):
            self._add(self.mine.proper(f"{kind} {short(at)} {does}"))

    def _ends(self, sign: str) -> None:
        self._close_support()
        if self.by and self.kind and self.gone and (helper := self._only()) is not None:
            self.aid = self.aid or "C"
            self._aided(helper, self.gone)
        if self.subject is not None and self.by and self.kind and not self._is_mine(self.subject):
            self._somebody_goes(self.subject)  # `take Norway with the army`
        elif self.subject is not None:
            self.before.append(self.subject)
        self.subject = None
        self.toward = self.by = False
        self.either = sign == "or"
        self.corrects = self.corrects and sign == "comma"
        self.of_kind = self.of_kind if self.many and sign == "end" else ""
        if sign == "or" and self.sign == "R":
            self.subject = self.last  # `to the Ruhr, or to Munich`
        if sign == "stop":
            if self.held and not self.found and len(self.mine.units) == 1:
                self._rest(*self.mine.units[0], self._stay(self.held))
            self.before.clear()
            self.held = self.everyone = self.kind = ""
            self.all_hold = self.doing = False
        self.negated = False

    def _close_support(self) -> None:
        if self.supported == []:
            self.supported.extend(self._stayed_last() or self.gone or ())
        if self.supported and self.all_help:
            self.subject, self.everyone, self.all_help = None, "", False
            for at in self._others(self.supported[0]):
                self._order(at, f"{self.helps} {' - '.join(map(short, self.supported))}")
        if self.supported and self.subject is not None and not self.negated:
            what = " - ".join(map(short, self.supported))
            alone = len(self.supported) == 1
            moves = alone and self._help_as_ordered(self.subject, self.supported[0])
            if not moves and not self._order(self.subject, f"{self.helps} {what}"):
                self._help_otherwise(self.subject, self.supported)
            if len(self.supported) > 1:
                self.gone = self.supported[0], self.supported[1]
            if self.helps == "C" and len(self.supported) > 1 and self._is_mine(self.supported[0]):
                self._goes(*self.supported)
            self.subject = None
        self.supported = None

    def _done_last(self) -> str:
        """What the last unit does that was ordered, as another may do it, too; "" if it goes somewhere."""
        found = re.search(r" (H|[SC] .*)", self.found[-1][1]) if self.found else None
        return found[1] if found is not None else ""

    def _stayed_last(self) -> tuple[Location, ...]:
        """Where the last unit that was ordered is, if it stays there."""
        number, order = self.found[-1] if self.found else (-1, "")
        return (self.mine.units[number][1],) if number >= 0 and order.endswith(" H") else ()

    def _others(self, unit: Location) -> list[Location]:
        return [at for at in dict.fromkeys(at for _, at in self.mine.units) if at != unit]

    def _help_otherwise(self, by: Location, places: Sequence[Location]) -> None:
        """Help to an empty place is help to each other unit that can go there; help to a move that none can get may be
        help to the one before it, `Par-Bur, Mar s Bre-Mao`.
        """
        to = places[0]
        if len(places) > 1 and self.gone and self._is_mine(to):
            moved = " - ".join(map(short, self.gone))
            if self._order(by, f"{self.helps} {moved}"):
                self._goes(to, places[1])
        for at in self._others(by) if len(places) == 1 else ():
            if self.mine.proper(f"{short(at)} {self.sign} {short(to)}"):
                self._order(by, f"{self.helps} {short(at)} - {short(to)}")

    def _help_as_ordered(self, by: Location, unit: Location) -> bool:
        """Help to a unit of one's own that goes away is help to its move: `Par-Bur, Mar s Par`. Whether it is."""
        if self.sign != "-" or not self._is_mine(unit):
            return False
        told = [order for _, order in self.found if re.match(rf"[A-Z]+ {re.escape(short(unit))}[- ]", order)]
        last = told[-1] if told else f"A {short(unit)}{self.mine.does(unit)}"
        move = re.match(r"[A-Z]+ (\S+-\S+)", last)
        return move is not None and self._order(by, f"{self.helps} {move[1]}")

    def _order(self, at: Location, does: str) -> bool:
        """Add what a unit does there, if it is allowed; whether it is."""
        kind = self.kinds_at.get(at, "")
        kind = f"{kind} " if kind and len([one for one, place in self.mine.units if place == at]) > 1 else ""
        order = self.mine.proper(f"{kind}{short(at)} {does}") if does and len(self.found) < _MOST else ""
        self._add(order)
        return bool(order)

    def _add(self, order: str) -> None:
        if not order:
            return
        begins = [f"{kind} {short(place)}" for kind, place in self.mine.units]
        taken = dict(self.found)
        fit = [n for n, unit in enumerate(begins) if re.match(rf"{re.escape(unit)}(?![\w/])", order)]
        self.found.append((next((n for n in fit if n not in taken), fit[0] if fit else -1), order))

    def _is_mine(self, at: Location) -> bool:
        here = self.mine.board.province
        return any(here(place) == here(at) for _, place in self.mine.units)


# ---- builds and removals


def _builds(said: Sequence[_Token], walk: _Walk) -> tuple[Way, ...]:
    """Builds of the kinds and places named, removals of the units named, or the places for a kind named alone: of
    several, `2 armies`, so many together. A clause builds on its own: in it the first kind belongs to the first place,
    on either side of it; without one, that of the clause before. Where nothing is to be is spared, and `no, wait` takes
    back the last.
    """
    walk.begins()
    kind, waives = walk.kind, 0  # `I got two fleets! One in Kiel`
    for clause in _build_clauses(said):
        asked = [one.says for one in clause]
        kinds, places = ([one for one in clause if one.says == says] for says in ("kind", "place"))
        kinds = [one for one in kinds if not one.brief] or kinds  # `a new fleet`
        if "corrects" in asked:
            walk.takes_back()
        elif {"not", "waive"}.isdisjoint(asked):
            for number, place in enumerate(places):
                own = kinds[min(number, len(kinds) - 1)].text if kinds else ""
                if place.at is not None:
                    walk.builds(short(place.at), [own] if own else filter(None, (kind, *walk.kinds)))
            if kinds and not places and (walk.unwanted or "it" in asked):
                walk.builds_instead(kinds[-1].text)
            kind = walk.kind = kinds[-1].text if kinds else kind
        else:
            walk.spared.update(place.at for place in places if place.at is not None)
            walk.unwanted |= {one.text for one in kinds if not places}
            kind = walk.kind = kinds[-1].text if kinds and places else kind  # `no army in Vienna, one in Trieste`
            waives += _waives(clause)
    built = [order for _, order in walk.found[walk.before_this :]]
    found = [*{order.split()[-1].partition("/")[0]: order for order in built}.values()]  # the last one at each place
    if found or walk.spared:
        return _together((*found, *(walk.mine.proper("WAIVE") for _ in range(waives))))
    if waives:
        return _together([walk.mine.proper("WAIVE")])
    pairs = pairwise((_Token(""), *said))  # a letter alone may be an article: `a day for the builds`
    named = (
        one.says == "number" or (one.says == "kind" and not (one.brief and by.says != "build")) for by, one in pairs
    )
    kind = kind if any(named) else ""  # `Thanks!` is none of the last kind
    centers = [short(Location(one)) for one in walk.mine.board.centers][:_MOST] if kind else []
    builds = filter(None, (walk.mine.proper(f"BUILD {kind} {at}") for at in centers))
    count = next((_count(token.text) for token in said if token.says in NUMBERED), 1)
    return tuple(islice(combinations(builds, count), _WAYS)) if count else ()


def _waives(clause: Sequence[_Token]) -> bool:
    """Whether a clause wants no unit: it says so with a verb, or of building, or says little else. `I have nothing
    against France` and `I hope I am not late` do not.
    """
    says = [one.says for one in clause]
    waives = any(one.says == "waive" and one.text not in _NOTHING for one in clause)
    none = any(one.says == "waive" or one.text in _NONE for one in clause) or says[:1] == ["not"]
    little = none and len(clause) <= _LITTLE
    return waives or ({"kind", "place"}.isdisjoint(says) and ("build" in says or little))


_NOTHING = frozenset(("nothing", "none", "nichts", "rien"))
_NONE = (*_NO, "kein", "keine", "keinen")
_LITTLE = 4


def _build_clauses(said: Sequence[_Token]) -> Iterator[list[_Token]]:
    """The clauses of builds; what is not to be, behind what is, is one of its own: `F Edi not Lon`."""
    for _, group in groupby(said, key=lambda token: token.says in _ENDS):
        clause = list(group)
        says = [one.says for one in clause]
        no = says.index("not") if "not" in says else 0
        parts = (clause[:no], clause[no:]) if "place" in says[:no] and "place" in says[no:] else (clause,)
        yield from map(list, parts)
