"""Lists of places in order of preference, as sentences tell or change them: `in the first Paris, then Brest`, `Kiel
before Berlin`, `Denmark at the end of the second`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from gm.board import Location
from gm.orders import Listing
from gm.orders.notation import short

NUMBERED = frozenset(("number", "nth"))
"""What a word says that is a number, `two`, or an ordinal."""
_AGAINST = ("not", "instead")
_WITHOUT = frozenset(("without", "minus", "ohne", "sans", "sin", "senza", "zonder"))
_ADDS = frozenset(("add", "append", "include", "plus", "also", "ajoute", "encore", "auch", "noch", "dazu"))
_CHOICES = frozenset(("choice", "choices", "option", "place", "wahl", "stelle", "choix"))
_BEFORE = frozenset(("before", "vor", "avant", "antes"))
_AFTER = frozenset(("after", "behind", "hinter", "apres", "despues"))
_LAST = frozenset(("last", "end", "zuletzt", "ende", "dernier", "fin"))
_FIRST = frozenset(("first", "front", "top", "zuerst", "premier"))
_ENDS = frozenset(("comma", "end", "stop"))
_A_LIST = re.compile(r"[A-Z]+ (?P<number>\d+): (?P<places>.+)")
_TWO = 2


class Word(NamedTuple):
    """A word or a sign of a sentence: what it says, and the place that it names."""

    says: str
    text: str
    at: Location | None


_NO_WORD, _STOP = Word("", "", None), Word("stop", "", None)


class Lists:
    """The lists of a seat, as they are after each sentence of a mail."""

    def __init__(
        self,
        listing: Listing,
        in_force: Collection[str],
        proposed: Collection[str],
        number_of: Callable[[str], int],
        *,
        declined: bool,
    ) -> None:
        """With those in force, and those that were proposed to the writer of the mail, who speaks of these: where they
        were declined, of those in force first.
        """
        self._listing, self._number_of = listing, number_of
        self._recent = _by_number(proposed)
        known = _by_number(in_force)
        self._held = {**self._recent, **known} if declined else {**known, **self._recent}

    def knows(self, orders: Collection[str]) -> None:
        """A sentence has told these: the next speaks of them."""
        self._recent = _by_number(orders) or self._recent
        self._held |= self._recent

    def told(self, words: Iterable[Word], every: Iterable[Word]) -> Iterator[str]:
        """The list for each number that a sentence has, or for the one of which it speaks: with the places behind it,
        or with those before the only one; without what it is said to be without; and with those of the list before if
        some are added to it, taken out, or put elsewhere in it. `every`: also the words that order nothing.
        """
        said = self._without_ranks([*words])
        counted = [other for one, other in pairwise((_NO_WORD, *said)) if {one.says, other.says} - NUMBERED]
        numbers = [self._number_of(one.text) or int(one.text) for one in counted if one.says in NUMBERED]
        only = numbers[0] if len({*numbers}) == 1 else 0
        found = self._exchanged(every, only) or self._moved(said, only) or self._listed(counted, numbers)
        for number, places in found.items():
            if places and places != self._held.get(number):
                yield f"{self._listing.word} {number}: {', '.join(places)}"

    def _without_ranks(self, words: Sequence[Word]) -> list[Word]:
        """The words, an ordinal before `choice` as a mere word, and one behind a place where a list is numbered or only
        that place is named: it says where in the list that is, `Norway first, then Sweden`.
        """
        around = zip((_NO_WORD, *words), words, (*words[1:], _STOP), strict=False)
        ranks = [
            word.says == "nth" and (end.text in _CHOICES or (one.says == "place" and end.says in _ENDS))
            for one, word, end in around
        ]
        others = sum(word.says in NUMBERED for word in words) > sum(ranks)
        ranked = others or sum(word.says == "place" for word in words) == 1
        return [word._replace(says="") if rank and ranked else word for word, rank in zip(words, ranks, strict=True)]

    def _listed(self, words: Sequence[Word], numbers: list[int]) -> Mapping[int, list[str]]:
        """The places that a sentence lists, by the numbers of their lists."""
        number, out, said = numbers[0] if len({*numbers}) == 1 else 0, False, False
        places, less = defaultdict[int, list[str]](list), defaultdict[int, list[str]](list)
        usual = next(iter(self._recent)) if len(self._recent) == 1 else 1
        for word, following in pairwise((*words, _STOP)):  # `the second one` is the second
            if word.says in NUMBERED:
                number = numbers.pop(0)
            elif self._listing.word.lower() in word.text and following.says not in NUMBERED:
                number += not numbers
            elif word.says == "place" and word.at is not None:
                (less if out else places)[number or usual].append(short(word.at))
                said = True
            elif word.says != "comma" or said:
                out, said = word.says in ("not", "except", "corrects") or word.text in _WITHOUT, False
        adds = any(word.text in _ADDS for word in words)
        found = dict[int, list[str]]()
        for each in dict.fromkeys((*places, *less)):
            before, named = self._held.get(each, []), places[each]
            named = [*before, *named] if adds or not named else named
            found[each] = [at for at, _ in groupby(named) if at not in less[each]]
        return found

    def _exchanged(self, words: Iterable[Word], number: int) -> Mapping[int, list[str]]:
        """The list in which a sentence has one place instead of another, `Spain instead of Brest`, `Spain, not Brest`;
        none if it does not.
        """
        kept = [word for word in words if word.says in ("place", *_AGAINST) or word.text in _WITHOUT]
        places = [short(word.at) for word in kept if word.at is not None]
        if len(places) != _TWO or len(kept) != len(places) + 1 or kept[-1].at is None:
            return {}
        new, old = places if kept[0].at is not None else reversed(places)
        each = self._list_with(old, number)
        here = self._held.get(each, ())
        return {each: [new if one == old else one for one in here]} if each and new not in here else {}

    def _moved(self, words: Sequence[Word], number: int) -> Mapping[int, list[str]]:
        """The list in which a sentence puts a place before or behind another, first or last; none if it does not."""
        places = [short(word.at) for word in words if word.says == "place" and word.at is not None]
        if len(places) == _TWO:
            sides = [word for word in words if word.says == "place" or word.text in _BEFORE | _AFTER]
            at = next((n for n, word in enumerate(sides) if word.says != "place"), _TWO)
            moved, anchor = places if at == 1 else reversed(places)
            each = self._list_with(anchor, number) if at < _TWO else 0
            rest = [one for one in self._held.get(each, ()) if one != moved]
            to = rest.index(anchor) + (sides[at].text in _AFTER) if each else 0
        elif len(places) == 1:
            moved, texts = places[0], {word.text for word in words if word.says not in NUMBERED}
            rank = max((self._number_of(word.text) for word in words if not word.says), default=0)
            told = rank or texts & (_LAST | _FIRST | _CHOICES)
            each = self._list_with(moved, number, every=True) if told else 0
            rest = [one for one in self._held.get(each, ()) if one != moved]
            to = max(rank - 1, 0) if rank or texts & _FIRST else len(rest)
        else:
            return {}
        return {each: [*rest[:to], moved, *rest[to:]]} if each else {}

    def _list_with(self, place: str, number: int, *, every: bool = False) -> int:
        """The number of the list that has a place, of those the one that was spoken of last; 0 if none is known. With
        `every` also one that has it not: the one that is numbered, spoken of, or the only one.
        """
        lists = sorted(self._held, key=lambda one: one not in self._recent)
        having = [one for one in lists if place in self._held[one] and number in (0, one)]
        others = [number] if number in self._held else [*self._recent] or lists
        return having[0] if having else others[0] if every and len(others) == 1 else 0


def _by_number(orders: Iterable[str]) -> dict[int, list[str]]:
    found = (_A_LIST.fullmatch(order) for order in orders)
    return {int(one["number"]): one["places"].split(", ") for one in found if one is not None}
