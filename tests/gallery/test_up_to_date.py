"""The server keeps the site up to date: with what is public, within a minute, and with nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from gm.board import Location
from gm.gallery import SOON, Gallery, Site, opened, site_facts
from gm.gallery.public import PublicGame
from gm.games.snapshot import Game
from gm.games.transaction import Transaction
from gm.machine.steps import drain
from gm.orders import Hold
from gm.play import ballots, calendar
from gm.play.seats import vacate
from gm.store import records
from gm.store.game_rows import GameState
from gm.turn import AGREED, TERMINATED, Victory
from tests.gallery.played import Shelf, add_press
from tests.gallery.test_site import publish


def test_the_server_publishes_what_has_changed(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    step = Gallery(shelf.server, folder)
    assert drain([step], shelf.server.now) == shelf.now + SOON
    assert (folder / "games/spring/F1901M.html").is_file()
    assert publish(shelf, folder) == set(), "it is the same as from the command line"
    shelf.play(1, 1)
    drain([step], shelf.server.now)
    assert publish(shelf, folder) == set()
    with opened(folder, site_facts(shelf.server)):
        shelf.play(1, 1)
        assert drain([step], shelf.server.now) == shelf.now + SOON, "an operator publishes: later"
    shelf.now += SOON
    drain([step], shelf.server.now)
    assert publish(shelf, folder) == set()


def test_games_are_looked_at_at_whole_minutes_however_long_it_took(shelf: Shelf, tmp_path: Path) -> None:
    step = Gallery(shelf.server, tmp_path / "site")
    minute = shelf.now.replace(second=0, microsecond=0)
    for second in (0, 12.5, 59.9):
        shelf.now = minute + timedelta(seconds=second)
        assert drain([step], shelf.server.now) == minute + SOON


def announced(tx: Transaction, game: Game) -> None:
    """Press to all."""
    add_press(tx, game, "Something new for everybody")


def declared(tx: Transaction, game: Game) -> None:
    """The gamemaster has told everybody something."""
    records.announce(tx.session, game.id, "A word from the gamemaster", tx.now)


def renamed(tx: Transaction, game: Game) -> None:
    """A player has a new name."""
    person = game.players[0].person
    assert person is not None
    tx.change_person(person, name="Somebody New")


def vacated(tx: Transaction, game: Game) -> None:
    """A player has left."""
    vacate(tx, game, game.players[0])


def paused(tx: Transaction, game: Game) -> None:
    """There is no deadline for now."""
    tx.fold(game, paused_at=tx.now)


def put_off(tx: Transaction, game: Game) -> None:
    """The deadline has moved."""
    calendar.set_deadline(tx, game, tx.now + timedelta(days=30))


def remarked(tx: Transaction, game: Game) -> None:
    """The gamemaster has a line in LIST."""
    tx.fold(game, comment="Something new")


def stopped(tx: Transaction, game: Game) -> None:
    """It is over, without a result."""
    calendar.end_game(tx, game, GameState.ABORTED, Victory((), TERMINATED), "over")


def drawn(tx: Transaction, game: Game) -> None:
    """It is over, with a draw."""
    calendar.end_game(tx, game, GameState.FINISHED, Victory(game.powers[:2], AGREED), "over")


Act = Callable[[Transaction, Game], None]
PUBLIC: tuple[Act, ...] = (announced, declared, renamed, vacated, paused, put_off, remarked, stopped, drawn)


def act(shelf: Shelf, done: Act) -> None:
    with shelf.server.transaction() as tx:
        done(tx, tx.game(1, lock=True))


@pytest.mark.parametrize("done", PUBLIC, ids=lambda done: done.__name__)
def test_what_everybody_may_know_is_shown_within_a_minute(shelf: Shelf, tmp_path: Path, done: Act) -> None:
    folder = tmp_path / "site"
    step = Gallery(shelf.server, folder)
    drain([step], shelf.server.now)
    act(shelf, done)
    shelf.now += SOON
    index = (folder / "games/spring/index.html").read_bytes()
    drain([step], shelf.server.now)
    assert (folder / "games/spring/index.html").read_bytes() != index
    assert publish(shelf, folder) == set()


def ordered(tx: Transaction, game: Game) -> None:
    """Orders, which nobody else may know of."""
    assert game.position is not None
    seat = game.players[1]
    assert seat.power is not None
    tx.put_orders(
        game, {seat.id: game.next_set(seat, tuple(map(Hold, game.position.units_of(seat.power))), tx.now, None)}
    )


def whispered(tx: Transaction, game: Game) -> None:
    """Press to one player, and press to all that waits for the report."""
    add_press(tx, game, "a private word", to="France")
    add_press(tx, game, "for the next report", manner="postal")


def noted(tx: Transaction, game: Game) -> None:
    """A vote, a name for a place, an entry in the log."""
    seat = game.players[1]
    ballots.cast(tx, game, seat, ballots.DRAW, ballots.ALL)
    tx.fold_seats(game, replace(seat, wait=not seat.wait, names=(("home", Location("par")),)))
    tx.note("ballot", game, seat)


@pytest.mark.parametrize("secret", [ordered, whispered, noted], ids=lambda done: done.__name__)
@pytest.mark.parametrize("overlooked", [False, True])
def test_nothing_is_written_because_of_what_is_secret(
    shelf: Shelf, tmp_path: Path, secret: Act, overlooked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever watches the files cannot tell that a secret act took place, not even where something public was
    overlooked and is still to be written.
    """
    if overlooked:
        monkeypatch.setattr(PublicGame, "version", "always the same")
    folder = tmp_path / "site"
    step = Gallery(shelf.server, folder)
    drain([step], shelf.server.now)
    files = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    if overlooked:
        act(shelf, announced)
    act(shelf, secret)
    shelf.now += SOON
    drain([step], shelf.server.now)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == files


@pytest.mark.parametrize(("done", "manner"), [(stopped, None), (drawn, None), (stopped, "postal")])
def test_press_of_the_phase_in_which_a_game_ends_stays(
    shelf: Shelf, tmp_path: Path, done: Act, manner: str | None
) -> None:
    """Except what waited for a report that is never sent."""
    with shelf.server.transaction() as tx:
        add_press(tx, tx.game(1), "Farewell to all", manner=manner)
    act(shelf, done)
    publish(shelf, tmp_path / "site")
    page = (tmp_path / "site/games/spring/index.html").read_text(encoding="utf-8")
    assert ("Farewell to all" in page) is (manner is None)


def test_a_damaged_page_is_repaired(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    step = Gallery(shelf.server, folder)
    drain([step], shelf.server.now)
    whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for repair in (lambda: publish(shelf, folder), lambda: drain([step], shelf.server.now)):
        for path in folder.rglob("*.html"):
            path.write_text("garbage")
        shelf.now += timedelta(hours=1)
        repair()
        assert {path: path.read_bytes() for path in whole} == whole


def test_a_folder_that_cannot_be_written_is_reported_once(
    shelf: Shelf, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "site"
    folder.write_text("a file")
    step = Gallery(shelf.server, folder)
    for _ in range(3):
        assert drain([step], shelf.server.now) == shelf.now + SOON
        shelf.now += SOON
    (record,) = caplog.records
    assert "cannot be written" in record.getMessage()
    assert record.exc_info is None
    folder.unlink()
    drain([step], shelf.server.now)
    assert publish(shelf, folder) == set(), "as soon as it can be written"


def test_one_game_that_cannot_be_shown_does_not_stop_the_others(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.play(shelf.started("autumn", "standard"), 1)
    whole = Site.publish

    def broken(self: Site, game: PublicGame) -> None:
        if game.name == "spring":
            raise ZeroDivisionError
        whole(self, game)

    monkeypatch.setattr(Site, "publish", broken)
    step = Gallery(shelf.server, tmp_path / "site")
    assert drain([step], shelf.server.now) == shelf.now + SOON
    assert (tmp_path / "site/games/autumn/S1901M.html").is_file()
    assert (tmp_path / "site/index.html").is_file()
    monkeypatch.setattr(Site, "publish", whole)
    shelf.now += SOON
    drain([step], shelf.server.now)
    assert (tmp_path / "site/games/spring/index.html").is_file(), "it is tried again"
