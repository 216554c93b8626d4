"""The adjudicator: positions and orders in, a resolution out. Pure; knows no variant, no text, no clock.

Where each rule is (`module.function`):

    the editions' disputed questions           rulebook.Rulebook; the values RULEBOOK_1971, RULEBOOK_2000, RULEBOOK_2023
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
    retreats                                   retreats.resolve_retreats; where to: gm.orders.possible
    builds, waives, removals                   adjustments.resolve_adjustments; by default: adjustments.removal_order
    results, reasons and strengths             outcomes.Outcome; in words: gm.reports.explain
"""
