"""The language of this game: how orders of transmitters, reserves and ships are written.

What a line names again beside a transmitter's part (`T KIE (S) A KIE-GRE`) is kept for `understanding`, which compares
it with the board.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Generic

from gm.board import Location, Power, UnitKind
from gm.orders import ComputedNames, Dialect, Hold, Language, Listing, Move, U, UnitName, Waive
from gm.orders.notation import PRIVATE
from gm.position import PhaseKind
from gm.variants.standard import nations
from gm.variants.the_aliens.orders import Arrive, Bring, Land, Receive, Relay, Reserve, Send, Transmit
from gm.variants.the_aliens.state import HOME, KINDS, LANDING, SHIP, TRANSMITTER, State

NO_NUMBER = "?"
"""The number of a ship that is named without a number."""


def _ship(number: str | None, *sites: Location) -> Land[UnitName]:
    return Land(UnitName(Location(str(number or NO_NUMBER)), SHIP), sites)


_NTH = ("first", "second", "third", "fourth")


def _nth_ship(nth: str, *sites: Location) -> Land[UnitName]:
    """`first ship to Paris`, `2nd ship: Kie`."""
    word = nth.rpartition(" ")[2]
    return _ship(str(_NTH.index(word) + 1) if word in _NTH else re.sub(r"\D", "", word), *sites)


@dataclass(frozen=True)
class Sending(Send[U], Generic[U]):
    """`T KIE (S) A KIE-GRE`: what is sent is named. Understood as a Send, and never stored."""

    sent: U


@dataclass(frozen=True)
class Receiving(Receive[U], Generic[U]):
    """`T GRE (R) A KIE-GRE`: what is received is named, or (`to`) where its move ends. Understood as a Receive, and
    never stored.
    """

    sent: U
    to: Location | None = None


def _send_to(unit: UnitName, receiver: UnitName) -> Send[UnitName]:
    """`T KIE (S) T GRE`; `T KIE (S) A GRE`: the army in Kiel to Greece."""
    named = receiver.kind is not TRANSMITTER
    return Sending(unit, receiver.at, replace(receiver, at=unit.at)) if named else Send(unit, receiver.at)


def _receive_of(unit: UnitName, power: Power, kind: UnitKind | None, at: Location) -> Hold[UnitName]:
    """`T GRE (R) Krell A KIE`."""
    named = UnitName(at, kind, power)
    return Bring(unit, named) if kind is not None else Receiving(unit, at, named)


def _led_send(unit: UnitName, *way: Location | UnitName) -> Send[UnitName]:
    """`T/S KIE-GRE`: the letters say that the transmitter is meant; a kind or power named is the unit's (AL-10)."""
    there = way[-1]
    if isinstance(there, UnitName):
        return _send_to(_piece(unit), there)
    plain = unit.power is None and unit.kind in (None, TRANSMITTER)
    return Send(_piece(unit), there) if plain else Sending(_piece(unit), there, unit)


def _led_receive(unit: UnitName, *way: Location | UnitName) -> Receive[UnitName]:
    """`T/R GRE-KIE`, `T/R GRE A KIE`."""
    there = way[-1]
    if isinstance(there, UnitName):
        return Receiving(_piece(unit), there.at, there)
    return Receive(_piece(unit), there)


def _piece(named: UnitName) -> UnitName:
    """The transmitter where the unit is named."""
    return named if named.kind is TRANSMITTER else UnitName(named.at, TRANSMITTER)


_SHIP_WORD = r"(?:my )?(?:(?:space)?ships?|spacecraft)"

DIALECT = Dialect(
    "the_aliens",
    {
        "send": Send,
        "send_to": _send_to,
        "send_unit": lambda unit, sent, *way: Sending(unit, way[-1], sent),
        "receive": Receive,
        "receive_unit": lambda unit, sent, *way: Receiving(unit, (sent.at, *way)[-2], sent, way[-1]),  # or of a relay
        "send_along": lambda unit, *way: Sending(unit, way[-1], UnitName(way[0])),  # T KIE (S) KIE-GRE
        "receive_along": lambda unit, *way: Receiving(unit, way[-2], UnitName(way[0]), way[-1]),
        "led_send": _led_send,
        "led_receive": _led_receive,
        "receive_of": _receive_of,
        "bring": lambda unit, kind, at: Bring(unit, UnitName(at or unit.at, kind)),
        "ship": _ship,
        "nth_ship": _nth_ship,
        "nothing_more": Waive,
        "sent": Move,
    },
    brackets=("s", "r"),
    slashed=r"\bt(?:ransmitters?)?[ ]{1,4}+[^\W\d_][^,;/&]{0,40}?(?P<slash>/)[ ]{0,4}[sr](?=[ ])",
    whole=rf"[ ]*{_SHIP_WORD}\b",
    listing=Listing(
        LANDING,
        "SHIP",
        rf"{_SHIP_WORD}[ ]*+(?:no\.? ?|# ?)?\d*(?: ?(?<=[ ])(?:landing )?(?:list|places)(?: is| are)?)?[ ]*+:?",
    ),
    blank=rf"(?:{_SHIP_WORD}[ ]*+\d*[ :]*+){{1,2}}|t[ ]++(?:[^ ][ ]*+|(?<=[ ]{{2}}))(?:\([ ]*+r[ ]*+\)|-)",
    expected={
        PhaseKind.ADJUSTMENT: (
            "what arrives, by which transmitter, such as T {place} (R) A {place}; or REMOVE",
            "an order such as T {place} (R) A {place}, REMOVE T {place} or WAIVE",
        )
    },
)


_HOMES = ComputedNames(rf"{HOME}\{PRIVATE}[^\W_]+", lambda _: HOME)
"""The star systems by the codes that interfaces write, `home.alpha`; whose it is the order says."""

LANGUAGE = Language(
    kinds=KINDS,
    dialects=(DIALECT,),
    computed=lambda _: (_HOMES,),
    spellings=lambda position: nations(State.of(position).races),
    orders=(Land, Send, Receive, Bring, Reserve, Arrive, Relay, Transmit),
)
