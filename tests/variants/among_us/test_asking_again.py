"""Queries and orders of the Alien while orders are closed, trials, and phases played again (AU-11, AU-17)."""

from __future__ import annotations

import pytest

from gm.cli.verify import replay
from gm.play.export import chronicle_of
from gm.variants.among_us.state import ALIEN, Layer
from tests.server.kept import kept
from tests.server.world import BASE, reply_to, text_of
from tests.variants.among_us.mails import MASTER, SEED, Game


@kept
def close_orders(game: Game) -> None:
    """To T."""
    game.pass_time(days=3)


@kept
def to_the_end(game: Game) -> None:
    """Past T to T+W."""
    close_orders(game)
    game.pass_time(hours=24)


def confirmed(game: Game, line: str) -> None:
    """The gamemaster's command, confirmed with YES if necessary."""
    answer = game.say(MASTER, game.seats["GM"], line)
    if "YES" in text_of(answer):
        game.say(MASTER, reply_to(answer), "YES")


@pytest.mark.ruling("AU-17")
def test_in_the_window_the_alien_can_ask_again_and_a_successor_is_told(game: Game) -> None:
    assert "orders of your hosts" not in text_of(game.order(ALIEN, "ADOPT A SMY\nSTATUS\nMY ORDERS")).lower()
    game.hosts_order()
    close_orders(game)
    for question in ("STATUS", "MY ORDERS", "HISTORY"):
        said = text_of(game.order(ALIEN, question))
        assert "S1901M: the orders of your hosts" in said
        assert "Turkish A Smy A Smy-Con" in said
        assert "A Con-Bul" not in said
        for other in ("Turkey", "France"):
            assert "orders of your hosts" not in text_of(game.order(other, question))
    confirmed(game, "REPLACE the Alien WITH new@example.org")
    game.accepts("new@example.org")
    assert any("orders are closed" in str(mail["Subject"]) for mail in game.mailboxes["new@example.org"])
    last = game.last("new@example.org")
    assert "A Smy-Arm" in text_of(game.say("new@example.org", reply_to(last), "A SMY-ARM"))


@pytest.mark.ruling("AU-4")
def test_the_alien_may_write_the_nationality(game: Game) -> None:
    """As the review prints it; the name of another nation, or one's own unit under another's name, is refused."""
    game.order(ALIEN, "ADOPT A SMY")
    game.hosts_order()
    close_orders(game)
    for line, order in (("Turkey: A SMY-ARM", "A Smy-Arm"), ("Turkish A Smy-Ank", "A Smy-Ank"),
                        ("the Alien: A SMY H", "A Smy H"), ("Turkish A Smy", "A Smy")):  # fmt: skip
        assert order in text_of(game.order(ALIEN, line)), line
    assert "A Smy is of Turkey, not of France" in text_of(game.order(ALIEN, "France: A SMY-ARM"))
    assert "not yours" in text_of(game.order(ALIEN, "Turkey: A CON-BUL"))


@pytest.mark.ruling("AU-2")
@pytest.mark.parametrize("option", ["grace=12h", "nmr=wait", "nmr=hold", "early=yes", "rulebook=2023"])
def test_options_that_do_not_apply_are_refused(game: Game, option: str) -> None:
    said = text_of(game.say(MASTER, BASE, f"CREATE other variant=among-us {option}"))
    assert f"{option} does not apply to There Are Aliens Among Us" in said
    assert "does not apply" in text_of(game.say(MASTER, game.seats["GM"], f"SET {option}"))
    assert "does not apply" not in text_of(game.say(MASTER, game.seats["GM"], "SET grace=none early=no nmr=disorder"))
    assert "is ready" in text_of(game.say(MASTER, BASE, f"CREATE plain {option}"))


@pytest.mark.ruling("AU-16")
def test_whatif_tells_nothing_of_the_truth_and_nothing_false(game: Game) -> None:
    """Nothing is drawn and no count is revealed; the Alien's own trial includes what the Alien controls."""
    game.order(ALIEN, "ADOPT A SMY")
    said = text_of(game.order("Turkey", "WHATIF\nA SMY-ARM, A CON-BUL\nFrance: A PAR-BUR"))
    assert "trial adjudication" in said
    assert "Italy: Army Rome HOLD." in said, "who is supposed to order nothing stands"
    game.hosts_order()
    to_the_end(game)
    for power in ("Turkey", "France"):
        said = text_of(game.order(power, "WHATIF\nTurkey: A BUL-GRE, A CON H"))
        assert "The Alien owns" not in said
        assert "at random" not in said.partition("Without an order")[0]
    assert "Army Constantinople -> Smyrna" in text_of(game.order(ALIEN, "WHATIF\nA CON-SMY"))


@pytest.mark.ruling("AU-16")
def test_whatif_in_winter_goes_by_what_the_seat_may_see(game: Game) -> None:
    """Truly Turkey has one build and no site in Smyrna, which is the Alien's; publicly it has two."""
    game.order(ALIEN, "ADOPT A SMY")
    game.order("Turkey", "A CON-BUL\nA SMY-CON\nF ANK-BLA")
    to_the_end(game)
    game.order("Turkey", "A BUL-GRE\nA CON-BUL\nF BLA H")
    to_the_end(game)
    assert game.phase() == "W1901A"
    for power, orders in (("Turkey", "BUILD A SMY\nBUILD F ANK"), ("France", "Turkey: BUILD A SMY, BUILD F ANK")):
        said = text_of(game.order(power, f"WHATIF\n{orders}"))
        assert "Turkey: Build Army Smyrna. Turkey: Build Fleet Ankara." in said
        assert "Alien" not in said
    said = text_of(game.order(ALIEN, "WHATIF\nBUILD A SMY"))
    assert "Turkey: Build Army Smyrna." in said
    assert game.phase() == "W1901A", "nothing has changed"
    assert "Build" not in text_of(game.order("Turkey", "MY ORDERS")).partition("spring,")[0]


@pytest.mark.ruling("AU-1", "AU-4")
@pytest.mark.parametrize("adopted", ["F EDI", ""])
def test_after_a_rollback_a_new_adoption_drops_the_orders_of_the_old_one(game: Game, adopted: str) -> None:
    if adopted:
        game.order(ALIEN, f"ADOPT {adopted}")
    game.hosts_order()
    close_orders(game)
    (province,) = Layer.of(game.position()).units
    assert "H" in text_of(game.order(ALIEN, f"{province} H"))
    game.pass_time(hours=24)
    game.say(MASTER, game.seats["GM"], "ROLLBACK S1901M")
    other = "A MOS" if province != "mos" else "A WAR"
    said = text_of(game.order(ALIEN, f"ADOPT {other}"))
    assert f"Adopt {other.title()}" in said
    assert f"{province.title()} H" not in said.partition("Orders of the Alien")[2]
    to_the_end(game)
    assert Layer.of(game.position()).hosts == ("Russia",)


@pytest.mark.ruling("AU-1", "AU-11")
@pytest.mark.parametrize("ends", ["before", "in the window", "rolled back"])
def test_a_game_that_ends_or_is_set_back_in_the_adopting_spring_is_worked_out_again(game: Game, ends: str) -> None:
    game.order(ALIEN, "ADOPT A SMY")
    game.hosts_order()
    if ends != "before":
        close_orders(game)
    if ends == "rolled back":
        game.pass_time(hours=24)
        game.say(MASTER, game.seats["GM"], "ROLLBACK S1901M")
        assert "A Arm" not in text_of(game.order(ALIEN, "A SMY-ARM"))
        game.order(ALIEN, "CLEAR\nADOPT F BRE")
        to_the_end(game)
        assert Layer.of(game.position()).hosts == ("France",)
    confirmed(game, "TERMINATE spring")
    with game.looking() as session:
        found = chronicle_of(session, game.game())
    findings = list(replay(found, bytes.fromhex(SEED)))
    assert not [(finding.title, finding.faults) for finding in findings if finding.faults]
