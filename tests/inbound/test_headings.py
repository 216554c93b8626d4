"""A heading in a mail decides for which phase its orders are; printed orders of published games are accepted
unchanged.
"""

from __future__ import annotations

import pytest

from tests.server.world import World, player, text_of

FRANCE, TURKEY = player("France"), player("Turkey")


@pytest.fixture
def seats(world: World) -> dict[str, str]:
    return world.started(options="early=no")


def orders_of(world: World, power: str) -> set[str]:
    from gm.orders.notation import write

    game = world.game()
    seat = next(seat for seat in game.seats if seat.power == power)
    return {write(order) for order in game.orders_of(seat)}


def test_orders_under_the_heading_of_this_phase_are_orders(world: World, seats: dict[str, str]) -> None:
    answer = text_of(world.send(FRANCE, seats["France"], "Spring 1901: A Par-Bur, A(Mar)-Spa\n\nS1901M\n\nF(Bre)-MAO"))
    assert orders_of(world, "France") == {"A Par-Bur", "A Mar-Spa", "F Bre-Mao"}
    assert "not understood" not in answer


def test_orders_under_a_later_heading_wait_for_their_phase(world: World, seats: dict[str, str]) -> None:
    text = "A Par-Bur\nA Mar H\nF Bre H\n\nFall 1901:\n\nA Bur-Mun\nA Mar-Spa"
    answer = text_of(world.send(FRANCE, seats["France"], text))
    assert "Stored for F1901M: A Bur-Mun; A Mar-Spa." in answer
    assert orders_of(world, "France") == {"A Par-Bur", "A Mar H", "F Bre H"}
    world.pass_time(days=30)
    assert world.phase() == "F1901M"
    assert orders_of(world, "France") == {"A Bur-Mun", "A Mar-Spa"}


def test_orders_under_a_past_heading_are_refused_and_quoted(world: World, seats: dict[str, str]) -> None:
    world.pass_time(days=30)
    answer = text_of(world.send(FRANCE, seats["France"], "Spring 1901: A Par-Bur\n\nA Mar H"))
    assert "Spring 1901: A Par-Bur" in answer
    assert "S1901M is over, and F1901M is being played." in answer
    assert orders_of(world, "France") == {"A Mar H"}


def test_orders_ahead_of_another_power_are_refused(world: World, seats: dict[str, str]) -> None:
    answer = text_of(world.send(FRANCE, seats["France"], "Fall 1901: Germany: A Mun-Bur"))
    assert "You play France, not Germany." in answer
    assert "Kept" not in answer


def test_the_turkish_example_as_it_is_printed(world: World, seats: dict[str, str]) -> None:
    spring = "TURKEY (S01) A(Con)-Bul; A(Smy)-Con; F(Ank)-BLA;"
    world.send(TURKEY, seats["Turkey"], spring)
    assert orders_of(world, "Turkey") == {"A Con-Bul", "A Smy-Con", "F Ank-Bla"}
    world.pass_time(days=30)
    autumn = "TURKEY (A01) A(Bul)-Gre; A(Con)-Bul; F(BLA)Std.; Build A(Con), F(Ank)."
    answer = text_of(world.send(TURKEY, seats["Turkey"], autumn))
    assert orders_of(world, "Turkey") == {"A Bul-Gre", "A Con-Bul", "F Bla H"}
    assert "Stored for W1901A: Build A Con; Build F Ank." in answer
    world.send(player("Austria"), seats["Austria"], "AUSTRIA (A01) A(Ser)-Gre")
    world.pass_time(days=30)
    assert world.phase() == "W1901A"
    assert orders_of(world, "Turkey") == {"Build A Con", "Build F Ank"}


def test_builds_among_the_moves_of_a_spring_are_refused(world: World, seats: dict[str, str]) -> None:
    answer = text_of(world.send(TURKEY, seats["Turkey"], "A Con-Bul; Build A(Smy)"))
    assert "Kept" not in answer
    assert orders_of(world, "Turkey") == {"A Con-Bul"}


def test_a_whole_year_in_one_mail(world: World, seats: dict[str, str]) -> None:
    text = (
        "France: Spring 1901: A Par-Bur, A Mar-Spa. Fall 1901: A Spa-Por, A Bur-Bel. Winter 1901: Build F Mar, A Par."
    )
    answer = text_of(world.send(FRANCE, seats["France"], text))
    assert "Stored for F1901M" in answer
    assert "Stored for W1901A: Build F Mar, A Par." in answer
    assert ".." not in answer
    world.pass_time(days=30)
    assert orders_of(world, "France") == {"A Spa-Por", "A Bur-Bel"}
    world.pass_time(days=30)
    assert orders_of(world, "France") == {"Build F Mar", "Build A Par"}


@pytest.mark.parametrize("heading", ["Summer 1901:", "SPRING 1901:", "Spring 1901 moves:"])
def test_a_heading_of_this_phase_is_no_command(world: World, seats: dict[str, str], heading: str) -> None:
    answer = text_of(world.send(FRANCE, seats["France"], f"{heading}\n\nA PAR-BUR"))
    assert "is not a command here" not in answer
    assert orders_of(world, "France") == {"A Par-Bur"}


@pytest.mark.parametrize("heading", ["Summer 1901 retreats:", "Autumn 1901:", "FALL 1901", "Winter 1901:"])
def test_a_heading_of_another_phase_is_no_command(world: World, seats: dict[str, str], heading: str) -> None:
    answer = text_of(world.send(FRANCE, seats["France"], f"{heading}\n\nA PAR-BUR"))
    assert "is not a command here" not in answer
    assert not orders_of(world, "France")


def test_later_orders_replace_those_for_the_same_units_alone(world: World, seats: dict[str, str]) -> None:
    """As in the present phase; a list of builds is one ranking, so another replaces it, which is said."""
    world.send(
        FRANCE, seats["France"], "F1901M: A Bur-Mun, A Mar-Spa\nF1901M: F Mao-Por\nW1901A: Build A Par, Build F Bre"
    )
    answer = text_of(world.send(FRANCE, seats["France"], "F1901M: F Mao-Spa/sc"))
    assert "Stored for F1901M: F Mao-Spa/sc; A Bur-Mun; A Mar-Spa." in answer
    answer = text_of(world.send(FRANCE, seats["France"], "F1901M: A Bur-Nowhere\nF1901M: A Mar H"))
    assert "Stored for F1901M: A Mar H; F Mao-Spa/sc; A Bur-Mun." in answer
    assert "These replace what was stored for W1901A before: Build A Par, Build F Bre." in text_of(
        world.send(FRANCE, seats["France"], "W1901A: Build F Mar")
    )
