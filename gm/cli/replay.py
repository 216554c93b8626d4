"""A game worked out again from its seed: every draw made anew, every phase adjudicated anew, and what does not agree.

Place: beside `gm.cli.verify`, which asks for it and tells what was found.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from gm.advance import advance
from gm.chance import Chance, T
from gm.games.export import Chronicle, Entry
from gm.games.missing_orders import orders_by_lot
from gm.games.seats import deal
from gm.orders.codec import order_from_json
from gm.orders.notation import attributed
from gm.position import Position, position_to_json
from gm.turn import turn_to_json
from gm.variants import Variant


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: the draws it took, as sentences, and what did not agree."""

    title: str
    draws: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


class Witness(Chance):
    """Chance that remembers its draws, as far as there was anything to draw."""

    def __init__(self, seed: bytes, game: str) -> None:
        super().__init__(seed, game)
        self._made: dict[str, str] = {}

    def below(self, bound: int, *purpose: object) -> int:
        number = super().below(bound, *purpose)
        if bound > 1:
            self._made["/".join(map(str, purpose))] = f"number {number} of 0 to {bound - 1}"
        return number

    def choose(self, candidates: Sequence[T], *purpose: object) -> T:
        chosen = super().choose(candidates, *purpose)
        if len(candidates) > 1:
            self._made["/".join(map(str, purpose))] += f", {chosen}"
        return chosen

    def told(self) -> tuple[str, ...]:
        """The draws since this was last asked, each with its purpose; one that was made twice is told once."""
        made = tuple(f"{purpose}: {drawn}" for purpose, drawn in self._made.items())
        self._made.clear()
        return made


def replay(chronicle: Chronicle, seed: bytes) -> Iterator[Finding]:
    """Work out the game again, part by part."""
    chance = Witness(seed, chronicle.name)
    kept = chance.commitment == chronicle.commitment
    yield Finding("Seed", faults=() if kept else (f"Its SHA-256 is {chance.commitment}, not {chronicle.commitment}.",))
    yield _powers(chronicle, chance)
    if chronicle.entries:
        yield _opening(chronicle, chance)
    followers = (*chronicle.entries[1:], None)
    for entry, after in zip(chronicle.entries, followers, strict=True):
        if entry.result is not None:
            yield _phase(chronicle, entry, after, chance)


def _powers(chronicle: Chronicle, chance: Witness) -> Finding:
    dealing, seating = chronicle.dealing, chronicle.game.seating
    if not seating.powers:
        return Finding("Powers, named by their players")
    if dealing is None:
        return Finding("Powers", faults=("How they were dealt was not kept.",))
    again = deal(seating.powers, dealing.wishes, chance)
    faults = () if again == dealing.dealt else (f"Dealt: {', '.join(dealing.dealt)}; drawn again: {', '.join(again)}.",)
    return Finding("Powers", chance.told(), faults)


def _opening(chronicle: Chronicle, chance: Witness) -> Finding:
    again = chronicle.game.opening(chronicle.powers, chance)
    differences = _differences_of(chronicle, chronicle.entries[0], again, chance)
    return Finding("Opening", chance.told(), tuple(differences))


def _phase(chronicle: Chronicle, entry: Entry, after: Entry | None, chance: Witness) -> Finding:
    """A phase adjudicated again: orders drawn by lot, the position that followed, and what was kept of the result."""
    game, before = chronicle.game, entry.position
    faults = [
        f"The orders of {power} are not those that are drawn for it."
        for power in entry.by_lot
        if tuple(orders_by_lot(game, before, power, chance)) != tuple(entry.orders.get(power, ()))
    ]
    turn = advance(game, before, entry.orders, chance)
    if after is not None:
        faults += _differences_of(chronicle, after, turn.after, chance)
    again = json.loads(json.dumps(turn_to_json(turn, game.rules)))
    faults += _differences_of_results(game, entry.result, again)
    return Finding(entry.code, chance.told(), tuple(faults))


def _differences_of_results(game: Variant, kept: Any, again: Mapping[str, Any]) -> Iterator[str]:
    """What was kept of a turn and comes out otherwise: order by order, then everything beside the orders."""
    outcomes = kept.get("outcomes") if isinstance(kept, Mapping) else None
    if not isinstance(outcomes, list) or kept.get("v") != again["v"]:
        yield f"Its result is kept in another form than this program's, which is form {again['v']}."
        return
    for one, other in zip_longest(outcomes, again["outcomes"]):
        if one != other:
            was, comes_out = _brief(one, other), _brief(other, one)
            order = _order_of(game, one if other is None else other)
            yield f"The outcome of {order} is kept as {was}; adjudicated again it is {comes_out}."
    for part in sorted((kept.keys() | again.keys()) - {"outcomes"}):
        if kept.get(part) != again.get(part):
            was, comes_out = _brief(kept.get(part), again.get(part)), _brief(again.get(part), kept.get(part))
            yield f"The result has {part} {was}; adjudicated again it is {comes_out}."


def _order_of(game: Variant, outcome: Any) -> str:
    """The order of an outcome as interfaces write it; the value itself where it is none."""
    try:
        return attributed(order_from_json(outcome["order"], game.language))
    except (KeyError, TypeError, ValueError):
        return json.dumps(outcome)


def _differences_of(chronicle: Chronicle, entry: Entry, again: Position, chance: Witness) -> list[str]:
    """What of a kept position comes out otherwise. It is kept with those who joined in the phase, and where its orders
    were closed for review as it was then; of a phase that was not adjudicated the orders are not known.
    """
    late, review = chronicle.game.seating.late, chronicle.game.review
    kept = entry.position if late is None else late.unlisted(entry.position)
    found = list(_differences(kept, again))
    if found and review is not None and entry.result is None:
        return list(_differences(review.reopen(kept), again))
    if found and review is not None:
        return list(_differences(kept, review.close(chronicle.game, again, entry.orders, chance)))
    return found


def _differences(kept: Position, again: Position) -> Iterator[str]:
    """What of a position comes out otherwise, part by part."""
    one, other = position_to_json(kept), position_to_json(again)
    for part, value in one.items():
        if value != other[part]:
            was, comes_out = _brief(value, other[part]), _brief(other[part], value)
            yield f"The position has {part} {was}; worked out again it is {comes_out}."


def _brief(value: Any, beside: Any) -> str:
    """A value in a sentence; of lists and mappings what the other has not."""
    if isinstance(value, dict) and isinstance(beside, dict):
        value = {key: held for key, held in value.items() if beside.get(key) != held}
    elif isinstance(value, list) and isinstance(beside, list):
        value = [held for held in value if held not in beside]
    return json.dumps(value)
