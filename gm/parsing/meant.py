"""Orders that a sentence may be meant to give, however it is worded: by its places, its kinds of unit and a few words.

What is found here is never acted on. It is offered to the writer, who sends it with one tap, so it may be wrong, but
each order is one that the game allows now: of several readings that is what tells which is meant. And it is offered
only if it uses all places, kinds of unit and verbs of its sentence (`Meant.unused`): what was lost might change it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice, pairwise, takewhile, zip_longest

from gm import patterns as re
from gm.board import Location, UnitKind
from gm.orders.notation import short
from gm.parsing.lexicon import Lexicon, fold
from gm.parsing.meant_lists import Lists
from gm.parsing.meant_walk import NOS, ORDINALS, Walk, builds_said, ordered_together
from gm.parsing.meant_words import (
    ALONE,
    AS_BEFORE,
    AS_IT_IS,
    ELIDED,
    ENDS,
    LEADS,
    LETTERS,
    LONGEST,
    MOST,
    WAYS,
    WORD,
    Mine,
    Token,
    Way,
    found_again,
    number_of,
    number_said,
    said_by,
    tokens_of,
)
from gm.parsing.small_talk import FUNCTION_WORDS
from gm.position import PhaseKind


def orders_by(text: str, lexicon: Lexicon) -> bool:
    """Whether a text without a place speaks of units, or says nothing but what units do."""
    words = [one for one in WORD.findall(fold(ELIDED.sub("", text[:LONGEST])).folded) if len(one) > 1]
    kinds = {name for kind in lexicon.language.kinds.units for name in (*kind.names, kind.word)}
    said = {*map(said_by, words)} | ({"kind"} if not kinds.isdisjoint(words) else set())
    every = not said.isdisjoint(("all", "it")) and not said.isdisjoint(("hold", "stir"))
    alone = "" not in said and not said.isdisjoint(("hold", "stir", "to"))
    return every or alone or not said.isdisjoint(_OF_UNITS)


_OF_UNITS = frozenset((
    "kind", "army", "fleet", "unit", "rest", "support", "convoy", "disband", "build", "waive", "asis", "same", "cancel",
    "instead",
))  # fmt: skip


def keeps_orders(text: str) -> bool:
    """Whether a text says that orders stay as they are, and nothing else: `everything as written`."""
    found = AS_BEFORE.match(text[:LONGEST].strip())
    return found is not None and not text.strip()[found.end() :].strip(" .,;!")


def keeps_rest(text: str) -> bool:
    """Whether a text says that the rest stays as it is, or is well so, and nothing else: `The rest is fine.`"""
    text = text[:LONGEST]
    for words, said in AS_IT_IS:
        text = words.sub(said, text)
    found = WORD.findall(fold(text).folded)
    others = (one for one in found if said_by(one) not in _KEPT and one not in FUNCTION_WORDS)
    return any(said_by(one) == "rest" for one in found) and _FINE.issuperset(others)


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


@dataclass(frozen=True, slots=True)
class Meant:
    """What a sentence may mean."""

    ways: tuple[Way, ...]
    """The ways of ordering, the likeliest first."""
    said: tuple[Token, ...]
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
        for verb, letter in LETTERS.items():
            said = [token.text for token in self.said if token.says == verb]
            missing += said[sum(letter in one for one in words) :]
        missing += [one.text for one in self.said if one.says == "each"]  # who does what was not found
        missing += self.again
        counted = (one.text for one, other in pairwise(self.said) if (one.says, other.says) in _COUNTED)
        return (*dict.fromkeys((*missing, *(one for one in counted if number_said(one) > len(orders)))),)


_NAMED = ("place", "kind", "lost")
_UNITS = ("kind", "unit", "all", "rest")
_COUNTED = {("number", "unit"), ("number", "kind"), ("nth", "unit"), ("nth", "kind")}


def meant(texts: Iterable[str], lexicon: Lexicon, phase: PhaseKind, mine: Mine) -> Iterator[Meant]:
    """What the sentences of a mail may mean, one after the other: `the other fleet` is another than those before."""
    tries = iter(range(MOST))
    allowed = mine.proper
    mine = replace(
        mine,
        units=mine.units[:MOST],
        proper=lambda order: allowed(order) if next(tries, None) is not None else "",
    )
    listing = next((d.listing for d in lexicon.language.dialects if d.listing and d.listing.phase is phase), None)
    lists = None
    if listing is not None:
        lists = Lists(listing, mine.in_force(), mine.proposed, number_of, declined=mine.declined)
    walk = Walk(mine, "R" if phase is PhaseKind.RETREAT else "-")
    for number, text in enumerate(texts):
        words = found_again(tokens_of(text, lexicon, mine), lexicon, mine)
        tokens = [*_as_ordered([*_by_number(list(words), mine)], mine)]
        tokens = [] if _asks_for_help(tokens, mine) else tokens
        clauses = _without_asides(tokens, begun=number > 0)
        ordered = _with_who_convoys(_units_first(_without_others(clauses, mine), mine))
        ordered = _verbs_first(_as_carried(_without_stay(ordered), mine))
        said = tuple(_paired([*ordered]))
        meant_at = {one.at for one in said}
        said = tuple(_without_clauses(said, _OF_MOVES if phase is PhaseKind.ADJUSTMENT else ("build",)))
        listed = lists.told((one.as_word for one in said), (one.as_word for one in tokens)) if lists is not None else ()
        ways = ordered_together(map(mine.proper, listed)) if lists is not None else _WAYS_OF[phase](said, walk)
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


def _asks_for_help(tokens: Sequence[Token], mine: Mine) -> bool:
    """Whether a sentence wants help from somebody, `support me in Galicia`: it names no unit of the writer's."""
    said = {one.says for one in tokens}
    own = {mine.board.province(at) for _, at in mine.units}
    places = (mine.board.province(one.at) for one in tokens if one.at is not None)
    return "you" in said and not said.isdisjoint(LETTERS) and "kind" not in said and own.isdisjoint(places)


def _one_for_each(orders: Way, mine: Mine) -> bool:
    """Whether no unit has more than one of these orders."""
    units = Counter(f"{kind} {short(at)}" for kind, at in mine.units)
    given = (sum(bool(re.match(rf"{re.escape(one)}(?![\w/])", order)) for order in orders) for one in units)
    return all(times <= most for times, most in zip(given, units.values(), strict=True))


def nearest(text: str, lexicon: Lexicon, phase: PhaseKind, mine: Mine) -> tuple[Way, ...]:
    """Orders of one unit each that a sentence may mean of which no reading uses all names: that the units it names, or
    else all of the kinds it names, go to its other places; or that they hold, if it names no other.
    """
    tokens, here = list(tokens_of(text, lexicon, mine)), mine.board.province
    places = {here(one.at): one.at for one in tokens if one.at is not None}
    kinds = {one.text for one in tokens if one.says == "kind" and not one.brief}
    if phase is PhaseKind.ADJUSTMENT:
        return tuple((order,) for way in builds_said(tokens, Walk(mine, "")) for order in way)[:_NEAREST]
    if phase is not PhaseKind.MOVEMENT:
        return ()
    units = dict.fromkeys(mine.units)
    named = [(kind, at) for kind, at in units if here(at) in places]
    says_ = {one.says for one in tokens}
    goes = not _GOING.isdisjoint(says_) or not says_.isdisjoint(LETTERS)
    able = named or ([one for one in units if str(one[0]) in kinds] or [*units] if goes else [])
    goals = [at for place, at in places.items() if all(here(at) != place for _, at in named)]
    stays = ["H"] if named and not goes else []
    helps = [letter for verb, letter in LETTERS.items() if verb in says_]
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


def _walked(said: Sequence[Token], walk: Walk) -> tuple[Way, ...]:
    walk.begins()
    numbers, places = (sum(one.says in kinds for one in said) for kinds in (("number", "nth"), ("place",)))
    walk.shared = numbers == 1 and places > 1
    around = zip((Token(""), *said), said, (*said[1:], Token("stop")), strict=False)
    does = [one for before, one, after in around if not _stands(before, one, after, walk.mine)]
    does = _with_place_first(does, walk.mine)
    for at, token in enumerate(does, 1):
        says = (one.says for one in (*does[at:], Token("stop")) if one.says or token.says != "place")
        walk.take(token, next(says))  # behind a place, words that say nothing do not: `Munich goes to`
    return walk.ways(alone=len(said) <= ALONE, either=any(token.says == "or" for token in said))


def _with_place_first(said: Sequence[Token], mine: Mine) -> list[Token]:
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


def _stands(before: Token, token: Token, after: Token, mine: Mine) -> bool:
    """Whether a word behind a kind of unit, or behind that it stays, tells where: `army in Venice`."""
    here = mine.board.province
    away = after.at is not None and here(after.at) not in {here(at) for _, at in mine.units}
    return before.says in ("kind", "hold") and token.text in _STANDS_IN and not away


def _built(said: Sequence[Token], walk: Walk) -> tuple[Way, ...]:
    return builds_said(said, walk)


_WAYS_OF: defaultdict[PhaseKind, Callable[[Sequence[Token], Walk], tuple[Way, ...]]] = defaultdict(
    lambda: lambda _said, _walk: (),
    {PhaseKind.MOVEMENT: _walked, PhaseKind.RETREAT: _walked, PhaseKind.ADJUSTMENT: _built},
)


def _clauses(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """The tokens between stops and commas, and these, in their order."""
    yield from (list(group) for _, group in groupby(tokens, key=lambda token: token.says in ("stop", "comma")))


def _without_asides(tokens: Sequence[Token], *, begun: bool) -> Iterator[Token]:
    """The tokens without what orders nothing: that something stays the same, a reason, `instead of Munich`, `not to
    Munich` and `no, wait`. `begun`: something was said before them.
    """
    clauses = groupby(_but_joined([*_corrected(tokens)]), key=lambda token: token.says in ("stop", "comma"))
    for number, (ends, group) in enumerate(clauses):
        clause = list(takewhile(lambda one: one.says != "reason", group))
        said = [token.says for token in clause]
        no = 1 + (said[1:2] == ["hold"])  # `no wait, ...`
        if (number or begun) and [*said[:1], *said[no : no + 1]] == ["not", "place"] and clause[0].text in NOS:
            yield Token("corrects")  # `no, Venice holds`
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
            yield from [Token("corrects")] if no else []
            continue
        still = {"not", "stir"}.issubset(said)  # what does not move holds
        means = {"cancel": "hold", "stir": "hold" if still else "", "not": "" if still else "not"}
        yield from (replace(one, says=means.get(one.says, one.says)) for one in clause)


def _but_joined(tokens: Sequence[Token]) -> Iterator[Token]:
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


def _exchanged(tokens: Sequence[Token], mine: Mine) -> tuple[Way, Way]:
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


def _each_to_one(tokens: Sequence[Token], mine: Mine) -> tuple[Way, ...]:
    """Of a sentence that only lists places, `Nth Nwg Yor`, the orders by which a unit goes to each: all the ways, if
    these are few.
    """
    clauses = (list(group) for _, group in groupby(tokens, key=lambda token: token.says in ENDS))
    listed = [clause for clause in clauses if any(one.says == "place" for one in clause)]
    goals = [one.at for clause in listed for one in clause if one.at is not None]
    if not _PAIR <= len(goals) <= len(mine.units) or any(one.says != "place" for clause in listed for one in clause):
        return ()
    ways: list[tuple[frozenset[int], Way]] = [(frozenset(), ())]
    for goal in goals:
        moves = ((n, mine.proper(f"{kind} {short(at)} - {short(goal)}")) for n, (kind, at) in enumerate(mine.units))
        able = [(number, move) for number, move in moves if move]
        ways = [(taken | {n}, (*way, move)) for taken, way in ways for n, move in able if n not in taken][:MOST]
    return tuple(way for _, way in ways) if len(ways) <= WAYS else ()


def _by_number(tokens: Sequence[Token], mine: Mine) -> Iterator[Token]:
    """The tokens; the first, of orders in force, is the unit that has it as they are shown: `change the second to
    hold`. Where places are named, it may be the first of these.
    """
    counts = any(one.text.startswith(ORDINALS) for one in tokens) and all(one.at is None for one in tokens)
    ordered = [at for _, at in mine.units if mine.does(at)] if counts else []
    following = [*tokens[1:], Token("stop")]
    for before, token, after in zip((Token(""), *tokens), tokens, following, strict=False):
        if after.says == "kind" or after.text in _COUNTED_BESIDE:  # `for the first time`
            yield token
            continue
        number = number_of(token.text) if token.says == "nth" and token.text.startswith(ORDINALS) else 0
        if 0 < number <= len(ordered):
            at = ordered[number - 1]
            yield Token("place", short(at), at)
        elif not (ordered and token.text == "one" and before.text.startswith(ORDINALS)):
            yield token


_COUNTED_BESIDE = frozenset((
    "time", "game", "year", "turn", "phase", "season", "round", "player", "impression", "jahr", "mal", "spiel", "runde",
))  # fmt: skip
"""What is counted and is no order."""


def _as_ordered(tokens: Sequence[Token], mine: Mine) -> Iterator[Token]:
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
            yield Token("asis")  # `the rest is fine`
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


def _corrected(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens; a `no` behind an order, before another one, begins a clause: `Ank-Con wait no Ank-Bla`."""
    for at, one in enumerate(tokens):
        before = [token.says for token in tokens[:at] if token.says not in ("", "hold")]
        after = [token.says for token in tokens[at + 1 : at + 4] if token.says not in ("", "hold")]
        if one.text in NOS and (before[-3:], after[:2]) in _AGAIN:
            yield from (Token("comma"), Token("corrects"), Token("comma"))
        else:
            yield one


_AGAIN = (
    (["place", "dash", "place"], ["place", "dash"]),
    (["kind", "place"], ["kind", "place"]),
)
"""What an order ends with, and what the one begins with that corrects it."""


def _without_others(tokens: Iterable[Token], mine: Mine) -> Iterator[Token]:
    """The tokens without clauses that have nothing happen where no unit of the writer's is: `Portugal can wait`."""
    own = {mine.board.province(at) for _, at in mine.units}
    for clause in _clauses(tokens):
        if not (clause := _of_cancelled(clause, mine)):
            continue
        places = [mine.board.province(one.at) for one in clause if one.at is not None]
        waits = {one.says for one in clause} == {"place", "hold", ""} and len(places) == 1
        yield from () if (waits and places[0] not in own) or _tells_where(clause) else clause


def _of_cancelled(clause: list[Token], mine: Mine) -> list[Token]:
    """A clause; of one that only takes back where a unit goes, `scrap Burgundy`, that this unit holds, if one is
    ordered there.
    """
    places = [one.at for one in clause if one.at is not None]
    own = {mine.board.province(at) for _, at in mine.units}
    only = len(places) == 1 and {"place", "hold", ""}.issuperset(one.says for one in clause)
    if not only or mine.board.province(places[0]) in own or not any(said_by(one.text) == "cancel" for one in clause):
        return clause
    goes = [at for _, at in mine.units if mine.does(at) == f"- {short(places[0])}"]
    goes += [at for _, at in mine.units if mine.does(at) == f"-{short(places[0])}"]
    return [Token("place", short(at), at) if one.at else one for at in goes[:1] for one in clause]


def _tells_where(clause: Sequence[Token]) -> bool:
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


def _paired(said: Sequence[Token]) -> Sequence[Token]:
    """The tokens; of `A and B go to C and D respectively`, A to C and B to D."""
    places = [one for one in said if one.says == "place"]
    half, odd = divmod(len(places), 2)
    plain = {"place", "to", "dash", "end", "comma", "stop", "each", ""}.issuperset(one.says for one in said)
    if odd or not plain or not any(one.says == "each" for one in said):
        return said
    pairs = zip(places[:half], places[half:], strict=True)
    return [token for one, other in pairs for token in (one, Token("dash"), other, Token("stop"))]


def _units_first(tokens: Iterable[Token], mine: Mine) -> Iterator[Token]:
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


def _with_who_convoys(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens; a unit that goes `by convoy of the Ionian fleet` is convoyed by it."""
    for clause in _clauses(tokens):
        said = [one.says for one in clause]
        at = next((at for at, two in enumerate(pairwise(said)) if two == ("with", "convoy")), 0)
        if at and [one for one in said[at + 2 :] if one not in ("", "kind", "with")] == ["place"]:
            clause.insert(said.index("place") + 1, clause.pop(at + 1))
        yield from clause


def _without_stay(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens; a unit that stays and supports does the latter: `Marseilles stays where it is and helps Paris`."""
    waiting: list[Token] = []
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


def _verbs_first(tokens: Iterable[Token]) -> Iterator[Token]:
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
        elif len(places) > 1 and said[verb] in LETTERS and _is_of_first(said, places, verb):
            clause.insert(places[0] + 1, clause.pop(verb))
        yield from clause


def _as_carried(tokens: Iterable[Token], mine: Mine) -> Iterator[Token]:
    """The tokens; an army that a fleet carries somewhere goes there: `Yorkshire is carried to Norway by the fleet`."""
    armies = {mine.board.province(at) for kind, at in mine.units if kind == UnitKind.ARMY}
    for clause in _clauses(tokens):
        said = [one.says for one in clause]
        at = said.index("convoy") if "convoy" in said else len(said)
        before = [mine.board.province(one.at) for one in clause[:at] if one.at is not None]
        away = "place" in said[at:] and said[at + 1] != "with"
        if away and before and armies.issuperset(before[-1:]) and "with" not in said[:at]:
            clause[at] = Token("" if "with" in said[at:] else "ferried", clause[at].text)
        yield from clause


def _by_convoy(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens; `per Konvoi` says how a unit goes, and who convoys it is not said there."""
    before = Token("")
    for token in tokens:
        by = (before.says, token.says) == ("with", "convoy")
        if before.says == "with" and not by:
            yield before
        if token.says != "with":
            yield Token("ferried", token.text) if by else token
        before = token
    if before.says == "with":
        yield before


def _is_of_first(said: Sequence[str], places: Sequence[int], verb: int) -> bool:
    """Whether a verb behind these places may be what the unit does that is named first."""
    leads = LEADS.isdisjoint(said[places[0] : places[1]]) and "with" not in said[places[1] : verb]
    return leads and said.count(said[verb]) == 1


_VERBS = frozenset(("support", "convoy", "to"))
_VERBS_AND_GOALS = _VERBS | {"place", "lost"}


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


def _is_no(clause: Sequence[Token]) -> bool:
    """Whether a clause says no to what was said before: `no, wait`, `oh no`."""
    said = {one.says for one in clause}
    alone = len(clause) <= _FEW and "not" in said and {"not", "hold", ""}.issuperset(said)
    return said == {"not"} or (alone and any(one.text in NOS for one in clause))


_FEW = 2


def _is_instead(before: Token, token: Token) -> bool:
    return before.says == "instead" and (token.text in _OF or before.text not in ("instead", "rather"))


_OF = ("of", "than")
_BUT = ("but", "sondern", "mais")
_STANDS_IN = frozenset(("in", "on", "en", "auf"))
_OF_MOVES = ("hold", "support", "convoy")


def _without_clauses(tokens: Sequence[Token], verbs: Sequence[str]) -> Iterator[Token]:
    """The tokens without the clauses of orders for another phase."""
    for clause in _clauses(tokens):
        yield from () if any(token.says in verbs for token in clause) else clause
