"""A game of fog by mail, to its end: stand-ins play all but one power; then everything is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.cli.verify import replay
from gm.gallery import Site, publish_game, publish_index, site_facts
from gm.play.export import chronicle_of
from gm.store.game_rows import GameState
from tests.server.world import BASE, World, reply_to, text_of

pytestmark = pytest.mark.long

MASTER, ANN, WATCHER = "master@example.org", "ann@example.org", "watcher@example.org"
LONGEST = 60


def published(world: World, folder: Path) -> dict[str, str]:
    """The pages of the game and the page of all games."""
    site = Site(folder, site_facts(world.service))
    publish_game(world.service, site, world.game().id)
    publish_index(world.service, site)
    return {path.name: path.read_text() for path in folder.rglob("*.html")}


@pytest.mark.ruling("FW-4", "FW-6", "FW-7")
def test_a_game_is_played_to_its_end_and_opened(world: World, tmp_path: Path) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=fog standins=yes win=8 move=3d"))
    seat = reply_to(world.send(ANN, BASE, "JOIN spring AS France"))
    watching = reply_to(world.send(WATCHER, BASE, "OBSERVE spring"))
    world.send(MASTER, chair, "START spring")
    site = tmp_path / "site"
    site.mkdir()
    for number in range(LONGEST):
        if world.game().state is GameState.FINISHED:
            break
        if number == 3:
            _check_veiled(world, seat, watching, published(world, site))
        world.send(MASTER, chair, "PROCESS")
    game = world.game()
    assert game.state is GameState.FINISHED, game.phase
    assert game.victory is not None
    for person in (ANN, WATCHER):
        report = text_of(world.last(person))
        assert f"{game.victory.winners[0]} has won" in report
        assert all(f"{power} " in report for power in game.powers)
    history = [text_of(world.send(who, to, "HISTORY ALL")) for who, to in ((ANN, seat), (WATCHER, watching))]
    for power in game.powers:
        assert all(f"{power}: " in told for told in history)
    assert all("out of sight" not in told for told in history)
    mail = world.send(WATCHER, watching, "MAP S1901M")
    assert [part for part in mail.walk() if part.get_content_type() == "image/png"]
    opened = published(world, site)["S1901M.html"]
    assert "<svg" in opened
    assert "Turkey" in opened
    with world.looking() as session:
        chronicle = chronicle_of(session, game)
    assert not [fault for finding in replay(chronicle, bytes.fromhex(game.seed)) for fault in finding.faults]


def _check_veiled(world: World, seat: str, watching: str, pages: dict[str, str]) -> None:
    """While it runs nobody sees a whole board, and who plays no power sees none."""
    for page in (pages["S1901M.html"], pages["F1901M.html"]):
        assert 'class="map"' not in page
        assert "Army" not in page
        assert "Fleet" not in page
    standings = pages["index.html"]
    assert "Standings" not in standings or '<td class="number">0</td>' not in standings
    for question in ("POSITION", "HISTORY ALL", "MAP", "EXPORT", "SUMMARY"):
        told = world.send(WATCHER, watching, question)
        assert not [part for part in told.walk() if part.get_content_type() == "image/png"]
        said = text_of(told)
        assert "Army" not in said
        assert "A Con" not in said
    own = text_of(world.send(ANN, seat, "HISTORY ALL"))
    assert "France: " in own
    assert "Turkey: " not in own
