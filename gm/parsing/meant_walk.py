"""A walk over the tokens of a sentence, which finds the orders that they give; and those of builds and removals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby, islice, pairwise

from gm import patterns as re
from gm.board import Location, UnitKind
from gm.orders.notation import short
from gm.parsing.meant_lists import NUMBERED
from gm.parsing.meant_words import ENDS, MOST, PLACES, STAYING, WAYS, Mine, Token, Way, number_said

ORDINALS = ("first", "second", "third", "erst", "zweite", "dritte", "premier", "deuxi", "troisi")
NOS = ("no", "nein", "non", "nee")


def ordered_together(orders: Iterable[str]) -> tuple[Way, ...]:
    found = tuple(dict.fromkeys(filter(None, orders)))
    return (found,) if found else ()


_GOES_ON = frozenset(("place", "dash", "to", "support", "convoy", *STAYING))
"""What follows the place of a unit that does something of its own."""
_STAYS = {("hold", "-"): "H", ("asis", "-"): "H", ("disband", "R"): "D"}
"""The order of a unit that stays, by what is said of it and the sign of its moves."""


@dataclass(slots=True)
class Walk:
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
        """Build there, the first of these kinds that may be, on one coast or the other, or remove what stands there."""
        kinds = list(kinds)
        ways = [self.mine.proper(f"BUILD {kind} {place}") for kind in kinds]
        ways += [self.mine.offered(kind, place) for kind in kinds]
        found, at = next(filter(None, (*ways, self.mine.proper(f"REMOVE {place}"))), ""), Location(place.lower())
        coasts = self._other_coasts(at) if not found and self.mine.board.exists(at) else ()
        on = [*filter(None, (self.mine.proper(f"BUILD {kind} {at}") for kind in kinds for at in coasts))]
        self._add(found or next(iter(on), ""))
        for first, other in pairwise(on[:2]):
            self.instead[first] = other

    def _other_coasts(self, at: Location) -> tuple[str, ...]:
        """The coasts of a place but for the one that is named: of `Stp`, both."""
        return tuple(short(coast) for coast in self.mine.board.coasts(self.mine.board.province(at)) if coast != at)

    def otherwise(self, orders: Way) -> tuple[Way, ...]:
        """These orders, each time with the other way of one of which a part was not said."""
        others = self.instead.items()
        return tuple(tuple(other if one == order else one for one in orders) for order, other in others)

    def builds_instead(self, kind: str) -> None:
        """Build this kind where another that is not wanted, or the only other one, is ordered to be built."""
        builds = [one.split() for one in sorted(self.mine.in_force()) if one.lower().startswith("build ")]
        others = [words for words in builds if len(words) > PLACES - 1 and words[1] != kind]
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

    def take(self, token: Token, following: str) -> None:
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

    def _kind(self, token: Token, following: str) -> None:
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

    def _verb(self, token: Token) -> None:
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

    def _of_subject(self, at: Location, token: Token, following: str) -> None:
        """Read a word that may say what this unit does."""
        if token.says == "asis":
            self._stays(token.says)
        elif token.says == "too" and following in ENDS and (deed := self._done_last()):
            self._order(at, deed)
            self.subject = None
        elif token.says == "too" and self.gone is not None and following in ENDS:
            self._goes(at, self.gone[1])
        elif token.says == "follow" and self.gone is not None and following in ENDS:
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
        others += self.otherwise(first)
        return tuple(dict.fromkeys(filter(None, (first, *others))))[:WAYS]

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
        elif self.subject is not None and not self.toward and self._is_mine(at) and following in STAYING:
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

    def _number(self, token: Token, following: str) -> None:
        """A number counts the units behind it where all are in one place, or stands for the place that ends with it:
        `my army on 3 to 5`.
        """
        if following in ("kind", "unit") and len({at for _, at in self.mine.units}) == 1:
            one = self.shared or token.text.startswith(ORDINALS)
            self.times = 1 if one else min(number_said(token.text), len(self.mine.units))
        elif following in ("to", "dash") and len({at for _, at in self.mine.units}) == 1:
            count = 1 if token.text.startswith(ORDINALS) else number_said(token.text)  # `the second to Kiel` is one
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
        ways = [way for way in self._other_coasts(at) if self.mine.proper(f"{short(origin)} {self.sign} {way}")]
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
        order = self.mine.proper(f"{kind}{short(at)} {does}") if does and len(self.found) < MOST else ""
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


def builds_said(said: Sequence[Token], walk: Walk) -> tuple[Way, ...]:
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
        whole = (*found, *(walk.mine.proper("WAIVE") for _ in range(waives)))
        return tuple(dict.fromkeys(way for one in (whole, *walk.otherwise(whole)) for way in ordered_together(one)))[
            :WAYS
        ]
    if any(one.says == "place" for one in said):
        return ()  # nothing can be built there
    if waives:
        return ordered_together([walk.mine.proper("WAIVE")])
    pairs = pairwise((Token(""), *said))  # a letter alone may be an article: `a day for the builds`
    named = (
        one.says == "number" or (one.says == "kind" and not (one.brief and by.says != "build")) for by, one in pairs
    )
    kind = kind if any(named) else ""  # `Thanks!` is none of the last kind
    centers = [short(Location(one)) for one in walk.mine.board.centers][:MOST] if kind else []
    builds = filter(None, (walk.mine.proper(f"BUILD {kind} {at}") for at in centers))
    count = next((number_said(token.text) for token in said if token.says in NUMBERED), 1)
    return tuple(islice(combinations(builds, count), WAYS)) if count else ()


def _waives(clause: Sequence[Token]) -> bool:
    """Whether a clause wants no unit: it says so with a verb, or of building, or says little else. `I have nothing
    against France` and `I hope I am not late` do not.
    """
    says = [one.says for one in clause]
    waives = any(one.says == "waive" and one.text not in _NOTHING for one in clause)
    none = any(one.says == "waive" or one.text in _NONE for one in clause) or says[:1] == ["not"]
    little = none and len(clause) <= _LITTLE
    return waives or ({"kind", "place"}.isdisjoint(says) and ("build" in says or little))


_NOTHING = frozenset(("nothing", "none", "nichts", "rien"))
_NONE = (*NOS, "kein", "keine", "keinen")
_LITTLE = 4


def _build_clauses(said: Sequence[Token]) -> Iterator[list[Token]]:
    """The clauses of builds; what is not to be, behind what is, is one of its own: `F Edi not Lon`."""
    for _, group in groupby(said, key=lambda token: token.says in ENDS):
        clause = list(group)
        says = [one.says for one in clause]
        no = says.index("not") if "not" in says else 0
        parts = (clause[:no], clause[no:]) if "place" in says[:no] and "place" in says[no:] else (clause,)
        yield from map(list, parts)
