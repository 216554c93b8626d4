"""The adjudicator: positions and orders in, a resolution out. Pure; knows no variant, no text, no clock.

An edition of the rules is a `Rulebook`, with a field for each question that the editions answer differently (DATC
section 4); nothing else in the judge knows an edition. A variant that differs in one point replaces a field of an
edition: `replace(RULEBOOK_1971, self_dislodgement=True)`.

Where each rule is (`module.function`):

    the editions' disputed questions           gm.judge.Rulebook; RULEBOOK_1971, RULEBOOK_2000, RULEBOOK_2023
    a later order replaces an earlier          phase.give_orders
    an order that can never succeed            phase.is_possible, phase.is_possible_move
    support matches what is done; coasts       phase.match_supports
    convoy orders match; routes                decisions.match_convoys, decisions.ordered_routes
    convoy to an adjacent province, intent     decisions.way_to_adjacent, decisions.intends_convoy
    1971: attack on a convoying fleet          decisions.note_immune_support
    head-to-head battle                        decisions.meet_head_to_head, decisions.Decisions.is_head_to_head
    a move succeeds, bounces                   decisions.Decisions.move_succeeds
    attack, hold, prevent strength             decisions.Decisions.attack_strength, hold_strength, prevent_strength
    defend strength                            decisions.Decisions.supported
    self-dislodgement, own support             decisions.Decisions.attack_strength
    cutting support                            decisions.Decisions.cuts
    several routes, disrupted convoys          decisions.Decisions.convoy_holds
    spaces that hold several units             decisions.Decisions.has_room
    circular movement                          cycles.resolve_circular_movement
    convoy paradox, Szykman                    cycles.resolve_convoys
    contested provinces, attacker's origin     movement.Outcomes.contested, movement.Outcomes.dislodged
    retreats                                   retreats_and_adjustments.resolve_retreats; where to: gm.orders.possible
    builds, waives, removals                   retreats_and_adjustments.resolve_adjustments
    removals by default                        retreats_and_adjustments.removal_order
    results, reasons and strengths             outcomes.Outcome; in words: gm.reports.explain
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType


class RouteRule(Enum):
    """What happens to a convoy with several routes when one is disrupted (ST-1, DATC 4.A.1)."""

    ANY = "the army arrives if one route holds"
    EVERY = "the army stays if one ordered route is disrupted"


class ParadoxRule(Enum):
    """Which support a convoyed army does not cut, so that no paradox arises (ST-2, DATC 4.A.2).

    Paradoxes that this rule does not resolve are resolved by Szykman's: the armies whose convoys cause the paradox do
    not move.
    """

    SZYKMAN = "no rule but Szykman's"
    ATTACK_ON_CONVOY = "a convoyed army does not cut support to an attack on a fleet that convoys it"


class AdjacentRule(Enum):
    """When an army that could walk goes by convoy (ST-3, DATC 4.A.3)."""

    OPPOSITE = "when the unit in the target moves the opposite way and the convoy is not disrupted"
    INTENT = "when its power showed the intent: `via convoy`, or an own fleet's possible convoy order"


class RemovalRule(Enum):
    """To which centres distance is counted for removals by default (ST-6, DATC 4.D.8)."""

    HOME = "from the own home centres; fleets as fleets move, armies over land and sea"
    OWNED = "from the nearest centre owned, any unit over land and sea"


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Answers to the disputed questions (rules ST-1 to ST-6)."""

    name: str
    routes: RouteRule
    paradox: ParadoxRule
    adjacent: AdjacentRule
    land_fallback: bool
    """An army that was meant to go by convoy walks when no fleet was ordered to convoy it (ST-3)."""
    removals: RemovalRule
    self_dislodgement: bool = False
    """A power may dislodge its own units and support such attacks (ST-4; forbidden by all three editions)."""
    waiving: bool = True
    """A power may build fewer units than it is due (ST-5)."""


RULEBOOK_1971 = Rulebook(
    name="1971",
    routes=RouteRule.EVERY,
    paradox=ParadoxRule.ATTACK_ON_CONVOY,
    adjacent=AdjacentRule.OPPOSITE,
    land_fallback=True,
    removals=RemovalRule.HOME,
)
RULEBOOK_2000 = replace(
    RULEBOOK_1971, name="2000", routes=RouteRule.ANY, paradox=ParadoxRule.SZYKMAN, adjacent=AdjacentRule.INTENT
)
RULEBOOK_2023 = replace(RULEBOOK_2000, name="2023", land_fallback=False, removals=RemovalRule.OWNED)
RULEBOOKS: Mapping[str, Rulebook] = MappingProxyType(
    {book.name: book for book in (RULEBOOK_1971, RULEBOOK_2000, RULEBOOK_2023)}
)
