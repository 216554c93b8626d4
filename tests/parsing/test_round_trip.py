"""What `gm.orders.notation` writes, the grammar parses back to the same order."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from gm import orders
from gm.board import Location, Power, UnitKind, standard_board
from gm.orders import Order, UnitName, WrittenOrder
from gm.orders.notation import code, short, write
from gm.parsing.orders import one_order, parse_orders
from gm.position import PhaseKind, Unit
from tests.judge.scenes import renamed
from tests.parsing.names import ADJUSTMENT, LEXICON, PHASES

BOARD = standard_board()
PLACES = st.sampled_from([*BOARD.provinces, *(coast for p in BOARD.provinces for coast in BOARD.coasts(p))])
UNITS = st.builds(Unit, st.just(Power("France")), st.sampled_from((UnitKind.ARMY, UnitKind.FLEET)), PLACES)
ROUTES = st.lists(PLACES, max_size=3).map(tuple)
SAID = st.booleans()
ORDERS: st.SearchStrategy[Order] = st.one_of(
    st.builds(orders.Hold, UNITS),
    st.builds(lambda unit, to, by, said: orders.Move(unit, to, bool(by) or said, by), UNITS, PLACES, ROUTES, SAID),
    st.builds(orders.Support, UNITS, UNITS, st.none() | PLACES),
    st.builds(orders.Convoy, UNITS, UNITS, PLACES),
    st.builds(orders.Retreat, UNITS, PLACES),
    st.builds(orders.Disband, UNITS),
    st.builds(orders.Build, UNITS),
    st.just(orders.Waive[Unit]()),
)  # fmt: skip


def named(unit: Unit) -> UnitName:
    return UnitName(Location(unit.at), unit.kind)


def written(order: Order) -> WrittenOrder:
    """The order as its owner writes it."""
    found: WrittenOrder = orders.Waive() if isinstance(order, orders.Declaration) else renamed(order, named)
    return found


@given(ORDERS, st.sampled_from([code, short, BOARD.full_name]))
def test_an_order_written_is_read_back(order: Order, place: object) -> None:
    text = write(order, place)  # type: ignore[arg-type]
    assert parse_orders(text, LEXICON, ADJUSTMENT) == [(None, written(order))]


WORDS = "A F Par Bur Bre Eng Lon Paris army fleet to S H C and via convoy hold supports retreats D build remove waive"
BETWEEN = st.sampled_from([" ", " ", "-", "/"])


@given(st.sampled_from(PHASES), st.lists(st.tuples(st.sampled_from([*WORDS.split(), "France"]), BETWEEN), min_size=1))
@example(ADJUSTMENT, [("build", " "), ("A", " "), ("Par", " ")])
@example(ADJUSTMENT, [("France", " "), ("A", " "), ("Par", "-"), ("Bur", " ")])
@example(ADJUSTMENT, [("A", " "), ("Par", "-"), ("Bur", " "), ("army", " "), ("Paris", " "), ("to", " "), ("Bur", " ")])
def test_one_order_is_the_same_behind_its_power(phase: PhaseKind, said: list[tuple[str, str]]) -> None:
    words = "".join(part for pair in said for part in pair)[:-1]
    order = one_order(words, LEXICON, phase)
    assert order is None or parse_orders(f"France: {words}", LEXICON, phase) == [("France", order)]


@given(ORDERS, st.sampled_from([code, short]))
def test_nearly_all_are_one_order(order: Order, place: object) -> None:
    text = write(order, place)  # type: ignore[arg-type]
    assert one_order(text, LEXICON, ADJUSTMENT) == written(order)


@given(
    st.lists(ORDERS, min_size=1, max_size=6),
    st.sampled_from([", ", "; ", ". ", " and ", " then ", " / ", " & ", " | "]),
)
@example([orders.Waive(), orders.Waive()], " and ")
@example([orders.Waive(), orders.Waive()], " / ")
def test_and_so_are_several_on_a_line(several: list[Order], separator: str) -> None:
    text = separator.join(write(order) for order in several)
    assert parse_orders(text, LEXICON, ADJUSTMENT) == [(None, written(order)) for order in several]


@given(st.lists(ORDERS, min_size=1, max_size=6))
def test_even_without_separators(several: list[Order]) -> None:
    text = " ".join(write(order) for order in several)
    assert parse_orders(text, LEXICON, ADJUSTMENT) == [(None, written(order)) for order in several]
