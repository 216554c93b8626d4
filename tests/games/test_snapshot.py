"""What is computed from a game's fields alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import FrozenInstanceError, replace
from datetime import datetime

import pytest

from gm.board import Location, Power
from gm.games.report_inputs import early_by, is_draft
from gm.games.snapshot import Game, OrderSet, Person, Seat
from gm.options import PRACTICE
from gm.orders import Hold, Order
from gm.store.game_rows import GameState, SeatRole
from tests.games.people import NOW, changed, forming, options, person, running


def holds(game: Game, power: str, units: int = 99) -> tuple[Order, ...]:
    assert game.position is not None
    return tuple(Hold(unit) for unit in game.position.units_of(Power(power))[:units])


def with_orders(game: Game, *powers: str, units: int = 99, at: datetime = NOW) -> Game:
    """The game in which these powers' units hold, or this number of each power's."""
    for power in powers:
        seat = game.seat_of(Power(power))
        assert seat is not None
        given = game.next_set(seat, holds(game, power, units), at, 7)
        game = replace(game, orders={**game.orders, seat.id: given})
    return game


ALL = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def test_nothing_of_it_can_be_set() -> None:
    with pytest.raises(FrozenInstanceError):
        running().comment = "x"  # type: ignore[misc]


def test_who_sits_where() -> None:
    game = running()
    assert [seat.power for seat in game.players] == list(ALL)
    assert [seat.power for seat in game.masters] == [None]
    assert game.seat_of(Power("France")) == game.seat(3)
    assert game.seats_of(person(3)) == (game.seat(3),)
    assert game.plays(person(3))
    assert not game.plays(person(99))
    assert not game.plays(None)
    assert game.all_but(game.seat(3), None) == tuple(seat for seat in game.seats if seat.id != 3)


def test_vacant_seats_and_dummies() -> None:
    game = changed(changed(running(), "Italy", person=None), "Turkey", person=None, dummy_since=NOW)
    assert [seat.power for seat in game.vacant] == ["Italy"]
    assert len(game.held) == 5
    assert len(game.voters) == 5
    assert [seat.power for seat in game.missing] == ["Austria", "England", "France", "Germany", "Italy", "Russia"]


def test_who_is_out_of_the_game_has_no_vote() -> None:
    game = out(running(), "Italy")
    assert "Italy" not in [seat.power for seat in game.voters]
    assert "Italy" not in game.duties


def test_a_set_follows_the_one_in_force_and_knows_whether_it_is_complete() -> None:
    game = with_orders(running(), "France", units=2)
    first = game.orders[3]
    assert (first.number, first.complete, first.mail_id) == (1, False, 7)
    game = with_orders(game, "France")
    assert (game.orders[3].number, game.orders[3].complete) == (2, True)
    assert game.orders_of(game.seat(3)) == holds(game, "France")
    assert game.orders_of(game.seat(4)) == ()
    assert dict(game.orders_by_power) == {"France": holds(game, "France")}


def test_all_orders_are_in_when_they_are_complete_and_nobody_waits() -> None:
    game = with_orders(running(), *ALL[:-1])
    assert not game.all_orders_are_in
    assert [seat.power for seat in game.missing] == ["Turkey"]
    assert not with_orders(game, "Turkey", units=1).all_orders_are_in
    game = with_orders(game, "Turkey")
    assert game.all_orders_are_in
    assert not changed(game, "Italy", wait=True).all_orders_are_in


def test_in_grace_any_orders_will_do_and_nobody_is_waited_for() -> None:
    game = changed(with_orders(running(), *ALL, units=1), "Italy", wait=True)
    assert game.phase is not None
    late = replace(game, phase=replace(game.phase, passed_at=NOW))
    assert (game.in_grace, game.all_orders_are_in) == (False, False)
    assert (late.in_grace, late.all_orders_are_in) == (True, True)


def out(game: Game, power: str) -> Game:
    """The game without the units and centres of a power."""
    assert game.phase is not None
    position = game.phase.position
    gone = replace(
        position,
        units=tuple(unit for unit in position.units if unit.power != power),
        centers={at: owner for at, owner in position.centers.items() if owner != power},
    )
    return replace(game, phase=replace(game.phase, position=gone))


def ready(game: Game, *powers: str) -> Game:
    for power in powers:
        seat = game.seat_of(Power(power))
        assert seat is not None
        game = replace(game, orders={**game.orders, seat.id: OrderSet(1, (), True, NOW, 7)})
    return game


@pytest.mark.ruling("FW-4")
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("given", [{}, {"nmr": "wait"}, {"early": "orders"}, {"standins": "yes"}])
@pytest.mark.parametrize("vacant", [(), ("Turkey",), ("Italy", "Russia")])
@pytest.mark.parametrize("sent", [ALL, ALL[:-1], ("France",), ()])
def test_in_fog_nothing_waits_or_ends_by_what_others_have_to_order(
    late: bool, given: dict[str, str], vacant: tuple[str, ...], sent: tuple[str, ...]
) -> None:
    game = ready(running("fog", **given), *(power for power in sent if power not in vacant))
    for power in vacant:
        game = changed(game, power, person=None)
    assert game.phase is not None
    game = replace(game, phase=replace(game.phase, passed_at=NOW if late else None))
    other = out(game, "Turkey")
    assert (other.missing, other.all_orders_are_in) == (game.missing, game.all_orders_are_in)
    assert [is_draft(other, seat) for seat in other.held] == [is_draft(game, seat) for seat in game.held]
    kept = given.get("nmr") == "wait" and bool(vacant)
    assert game.all_orders_are_in == (set(sent) | set(vacant) == set(ALL) and not kept)
    assert early_by(game) == "all"


def test_in_practice_fog_hides_nothing() -> None:
    game = out(running("fog", standins="yes"), "Turkey")
    practice = replace(game, options=replace(game.options, texts={**game.options.texts, PRACTICE: "yes"}))
    assert [seat.power for seat in practice.held if not practice.is_awaited(seat)] == ["Turkey"]
    assert early_by(practice) == "ready"


def test_nobody_has_duties_before_and_after_the_game() -> None:
    assert running().duties
    assert not replace(running(), state=GameState.FINISHED).duties
    assert not forming().duties


@pytest.mark.parametrize(
    ("anonymous", "state", "hidden"),
    [
        ("no", GameState.RUNNING, False),
        ("yes", GameState.RUNNING, True),
        ("yes", GameState.FINISHED, False),
        ("always", GameState.FINISHED, True),
    ],
)
def test_whether_names_are_hidden(anonymous: str, state: GameState, hidden: bool) -> None:
    assert replace(running(anonymous=anonymous), state=state).names_hidden is hidden


def test_a_name_of_ones_own_is_known_in_ones_own_lexicon_only() -> None:
    game = changed(running(), "France", names=(("the gate", Location("gib")),))
    game = changed(game, "Italy", names=(("home", Location("rom")),))
    assert game.lexicon_of(game.seat(5)).place("home") == "rom"
    assert game.lexicon_of(game.seat(3), (("nest", Location("par")),)).place("nest") == "par"
    with pytest.raises(Exception, match="not a place"):
        game.lexicon.place("home")
    assert game.lexicon is game.lexicon_of(game.seat(1)), "built once for all who have no names of their own"


def test_another_variant_has_other_names_at_once() -> None:
    game = forming()
    assert game.lexicon.power("the Alien") is None
    game = replace(game, options=options(variant="among-us"))
    assert game.lexicon.power("the Alien") in game.powers


def test_mail_goes_to_the_first_address_that_it_reaches() -> None:
    both = ("new@players.example", "old@players.example")
    assert Person(1, "Ann", addresses=both).reachable == both[0]
    assert Person(1, "Ann", addresses=both, dead=frozenset(both[:1])).reachable == both[1]
    assert Person(1, "Ann", addresses=both, dead=frozenset(both)).reachable == both[0]


def test_what_is_known_of_a_person_is_changed_at_every_seat() -> None:
    game = changed(running(), "Italy", person=person(3))
    renamed = game.with_person(replace(person(3), name="Ann"))
    assert [seat.person.name for seat in renamed.seats if seat.person and seat.person.id == 3] == ["Ann", "Ann"]
    assert game.with_person(person(42)) is game


def test_duties_are_found_once_for_a_phase() -> None:
    game = running()
    assert game.duties is replace(game, comment="another").duties


def test_order_sets_are_equal_by_value() -> None:
    game = running()
    assert OrderSet(1, holds(game, "Italy"), True, NOW) == OrderSet(1, holds(running(), "Italy"), True, NOW)
    assert running() == running()


READERS = ("nobody", "player", "observer", "assistant", "assistant who plays", "gamemaster", "gamemaster who plays")
NO_PLAYER, MASTER = ("assistant", "gamemaster"), ("gamemaster",)


@pytest.mark.parametrize(
    ("given", "power", "knows", "duties", "holder", "orders"),
    [
        ({}, "France", NO_PLAYER, NO_PLAYER, READERS, MASTER),
        ({"progress": "yes"}, "France", NO_PLAYER, READERS, READERS, MASTER),
        ({"anonymous": "yes"}, "France", NO_PLAYER, NO_PLAYER, NO_PLAYER, MASTER),
        ({"variant": "fog", "progress": "yes"}, "France", NO_PLAYER, MASTER, READERS, MASTER),
        ({"variant": "among-us"}, "France", NO_PLAYER, MASTER, READERS, MASTER),
        ({"variant": "among-us"}, "the Alien", MASTER, MASTER, MASTER, MASTER),
    ],
)
def test_who_may_know_what_of_a_seat(
    given: dict[str, str],
    power: str,
    knows: Sequence[str],
    duties: Sequence[str],
    holder: Sequence[str],
    orders: Sequence[str],
) -> None:
    """Of a seat that is not the reader's; whoever plays, in whatever other seat they ask, is no more than a player."""
    game = running(**given)
    seat, (master,), italy = game.seat_of(Power(power)), game.masters, game.seat_of(Power("Italy"))
    assert seat is not None
    assert italy is not None
    readers = {
        "nobody": None,
        "player": italy,
        "observer": replace(master, id=91, role=SeatRole.OBSERVER, person=person(91)),
        "assistant": replace(master, id=92, role=SeatRole.ASSISTANT, person=person(92)),
        "assistant who plays": replace(master, id=93, role=SeatRole.ASSISTANT, person=italy.person),
        "gamemaster": master,
        "gamemaster who plays": replace(master, id=94, person=italy.person),
    }
    game = replace(game, seats=(*game.seats, *(one for one in readers.values() if one and one.id > 90)))

    def asked(question: Callable[[Seat | None, Seat], bool]) -> Sequence[str]:
        return tuple(name for name, reader in readers.items() if question(reader, seat))

    found = (asked(game.knows), asked(game.knows_duties), asked(game.knows_holder), asked(game.may_order_for))
    assert found == (knows, duties, holder, orders)
    assert game.knows_holder(seat, seat)
    assert game.may_order_for(seat, seat)
    all_masters = (master.id,) if power == "the Alien" else (master.id, 94)
    assert tuple(one.id for one in game.masters_of(seat)) == all_masters
    deputy = replace(seat, id=95, role=SeatRole.DEPUTY, deputy_of=seat.id, person=person(95))
    game = replace(game, seats=(*game.seats, deputy))
    assert game.may_order_for(deputy, seat)
    assert not game.may_order_for(deputy, italy)


def test_who_sits_in_a_game_with_a_secret_seat_is_not_known_before_it_is_dealt() -> None:
    game = running("among-us")
    before = replace(game, state=GameState.FORMING)
    seats = [seat for seat in game.players if seat.power == "France"]
    for one in game.masters:
        assert [game.knows_holder(one, seat) for seat in seats] == [True]
        assert [before.knows_holder(one, seat) for seat in seats] == [False]
