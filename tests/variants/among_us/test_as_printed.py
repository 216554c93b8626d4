"""The orders of the game's own examples, sent by mail exactly as they are printed."""

from __future__ import annotations

import pytest

from gm.variants.among_us.state import ALIEN
from tests.server.world import text_of
from tests.variants.among_us.mails import Game, address
from tests.variants.among_us.scenes import aliens, units

pytestmark = pytest.mark.long


def to_the_end(game: Game, days: int = 3) -> None:
    game.pass_time(days=days)
    game.pass_time(hours=24)


def in_force(game: Game, power: str, line: str) -> str:
    """What the receipt says of a line, which is refused in no part."""
    said = text_of(game.order(power, line))
    assert "Not acted on" not in said
    return said


@pytest.mark.ruling("AU-4", "AU-8")
def test_turkey_in_1901(game: Game) -> None:
    """The Alien controls A(Smy), does not change the moves, and changes the build orders, which came with those of
    Autumn.
    """
    game.order(ALIEN, "ADOPT A(Smy)")
    said = in_force(game, "Turkey", "TURKEY (S01) A(Con)-Bul; A(Smy)-Con; F(Ank)-BLA;")
    assert all(order in said for order in ("A Con-Bul", "A Smy-Con", "F Ank-Bla"))
    game.order("Austria", "AUSTRIA (S01) A(Bud)-Ser")
    to_the_end(game)
    said = in_force(game, "Turkey", "TURKEY (A01) A(Bul)-Gre; A(Con)-Bul; F(BLA)Std.; Build A(Con), F(Ank).")
    assert all(order in said for order in ("A Bul-Gre", "A Con-Bul", "F Bla H"))
    said = in_force(game, "Austria", "AUSTRIA (A01) A(Ser)-Gre")
    to_the_end(game)
    assert game.phase() == "W1901A"
    said = text_of(game.order("Turkey", "MY ORDERS"))
    assert "UTC: Build F Ank" in said, "kept for the Winter"
    assert "not possible: # Build A Con: You cannot build in Con: there is a unit in it." in said
    game.pass_time(days=1)
    assert "Turkey Build F Ank" in game.words(ALIEN)
    in_force(game, ALIEN, "Build A(Smy)")
    game.pass_time(hours=24)
    turkish = {unit for unit in units(game.position()) if unit.startswith("Turkey")}
    assert turkish == {"Turkey A smy", "Turkey A con", "Turkey A bul", "Turkey F bla"}
    assert aliens(game.position()) == ({"smy", "con"}, {"smy", "con"})
    assert "Turkey: Build Army Smyrna." in text_of(game.last(address("Austria")))


@pytest.mark.ruling("AU-3", "AU-4")
def test_every_row_of_the_review_can_be_sent_back(game: Game) -> None:
    """`Turkish A Smy  A Smy-Con`: the unit stands before its order, and in Winter the country."""
    game.order(ALIEN, "ADOPT A SMY")
    game.hosts_order()
    to_the_end(game)
    game.order("Turkey", "A BUL-GRE\nA CON-SMY\nF BLA H\nBuild A Smy, Build F Ank")
    game.pass_time(days=3)
    for answer in ("A CON-BUL", "A CON H", ""):
        rows = _rows(game, "Turkish ")
        assert rows
        assert "Not read" not in in_force(game, ALIEN, "\n".join(rows))
        if answer:
            in_force(game, ALIEN, answer)
            assert "your order; the host's: A Con-Smy" in "".join(_rows(game, "Turkish "))
    game.pass_time(days=1)
    assert game.phase() == "W1901A"
    game.pass_time(days=1)
    (row,) = _rows(game, "Turkey ")
    said = text_of(game.order(ALIEN, row))
    assert "was not understood" not in said
    assert "among other words" not in said


def _rows(game: Game, begin: str) -> list[str]:
    """The rows of the review that begin so, as MY ORDERS prints them."""
    part = game.order(ALIEN, "MY ORDERS").get_body(("plain",))
    assert part is not None
    return [line for line in part.get_content().splitlines() if line.startswith(begin)]
