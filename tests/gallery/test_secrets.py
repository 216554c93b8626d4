"""Nothing in the site depends on what is secret: other secrets give the same bytes, and no secret is among them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from sqlalchemy import select, update

from gm.board import Location, Power
from gm.gallery import opened, publish_game, publish_index, site_facts, stamps
from gm.games.snapshot import Game
from gm.orders import Hold, Order
from gm.play.export import exported
from gm.position import PhaseKind, Season
from gm.store import records
from gm.store.game_rows import GameRow, GameState, SeatRole, SeatRow, new_version
from gm.store.people import AccountRow, AddressRow
from gm.variants.among_us.orders import Adopt
from gm.variants.among_us.state import ALIEN
from gm.variants.black_hole.orders import Exempt
from gm.variants.standard import POWERS
from tests.gallery.played import Hidden, Shelf, add_press

Given = Mapping[Power, tuple[Order, ...]]


def published(shelf: Shelf, folder: Path) -> dict[str, bytes]:
    """The files of the site, as they are written into an empty folder."""
    with opened(folder, site_facts(shelf.server)) as site:
        for number in stamps(shelf.server):
            publish_game(shelf.server, site, number)
        publish_index(shelf.server, site)
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def taken_away(shelf: Shelf, *powers: str) -> dict[str, bytes]:
    """What everybody gets who asks for a game as a file, and what the players of these powers get."""
    with shelf.server.reading() as tx:
        return {
            f"{game.name} {power} {form}": exported(tx.session, game, game.seat_of(Power(power)), form).content
            for game in tx.games_in()
            for form in ("json", "njudge")
            for power in ("", *powers)
            if game.phase is not None
        }


def holding(game: Game) -> dict[Power, tuple[Order, ...]]:
    """Everybody stands."""
    assert game.position is not None
    return {power: tuple(map(Hold, game.position.units_of(power))) for power in POWERS}


def adopting(at: str) -> Hidden:
    """What the Alien alone orders."""

    def hidden(game: Game, _: Given) -> Given:
        assert game.position is not None
        unit = next(unit for unit in game.position.units if unit.at == at)
        first = game.position.phase.season is Season.SPRING
        return holding(game) | ({ALIEN: (Adopt(unit),)} if first else {})

    return hidden


def exempting(center: str) -> Hidden:
    """France's secret choice."""

    def hidden(game: Game, _: Given) -> Given:
        given = holding(game)
        assert game.position is not None
        if game.position.phase.code == "S1901M":
            given[Power("France")] += (Exempt(Power("France"), center=Location(center)),)
        return given if game.position.phase.kind is PhaseKind.MOVEMENT else {}

    return hidden


@pytest.mark.parametrize(
    ("variant", "one", "other"),
    [("among-us", adopting("smy"), adopting("bre")), ("black-hole", exempting("mar"), exempting("par"))],
    ids=["the unit that is adopted", "the centre that is exempt"],
)
def test_games_that_differ_in_what_is_hidden_have_the_same_pages(
    tmp_path: Path, variant: str, one: Hidden, other: Hidden
) -> None:
    sites = []
    for name, hidden in (("one", one), ("other", other)):
        shelf = Shelf(tmp_path / name)
        number = shelf.started("secret", variant)
        shelf.play(number, 2, hidden=hidden)
        sites.append(published(shelf, tmp_path / f"{name}-site") | taken_away(shelf, "Italy", "Germany"))
        with shelf.server.reading() as tx:
            sites[-1]["hidden"] = repr(tx.game(number).position).encode()
    assert sites[0].pop("hidden") != sites[1].pop("hidden")
    assert sites[0] == sites[1]


@pytest.mark.parametrize(("variant", "last", "players"), [("standard", "1901", 7), ("the-aliens", "2051", 3)])
def test_who_joined_when_and_asked_for_what_is_never_told_of_players_who_stay_anonymous(
    tmp_path: Path, variant: str, last: str, players: int
) -> None:
    """Not even when the game is over, and whether powers are dealt or named by their players."""
    sites = []
    for name, joined in (("one", range(players)), ("other", [2, 0, *range(players - 1, 2, -1), 1])):
        shelf = Shelf(tmp_path / name)
        number = shelf.started("secret", variant, joined, last=last, anonymous="always")
        shelf.play(number, 9)
        sites.append(published(shelf, tmp_path / f"{name}-site") | taken_away(shelf))
        with shelf.server.reading() as tx:
            assert tx.game(number).over
            sites[-1]["joined"] = repr(
                [seat.power for seat in tx.game(number).seats if seat.power is not None]
            ).encode()
    assert sites[0].pop("joined") != sites[1].pop("joined")
    assert sites[0] == sites[1]


def test_pages_do_not_depend_on_anything_else_that_is_secret(tmp_path: Path) -> None:
    """Names in a gunboat game, the player of a secret seat, addresses, private press and diaries, orders that are not
    adjudicated, preferences, seeds: each is changed in the store, and not one byte of the site changes.
    """
    shelf = Shelf(tmp_path / "home")
    gunboat = shelf.started("gunboat", "standard", anonymous="yes")
    shelf.play(gunboat, 2)
    among = shelf.started("among", "among-us")
    shelf.play(among, 2)
    before = published(shelf, tmp_path / "before") | _without_commitment(taken_away(shelf))
    with shelf.database.transaction() as session:
        for row in session.scalars(select(AccountRow).join(SeatRow).where(SeatRow.game_id == gunboat)):
            row.name = "Jane Roe"
        secret = session.scalars(select(SeatRow).where(SeatRow.power == ALIEN)).one()
        session.get_one(AccountRow, secret.account_id).name = "Xeno Morph"
        for address in session.scalars(select(AddressRow)):
            address.email = f"new{address.id}@elsewhere.example"
        for seat in session.scalars(select(SeatRow)):
            seat.wish, seat.wait, seat.names = "France", not seat.wait, {"home": "par"}
        session.execute(update(GameRow).values(seed="0123456789abcdef" * 4, version=new_version()))
    with shelf.server.transaction() as tx:
        for number in (gunboat, among):
            game = tx.game(number, lock=True)
            assert game.position is not None
            add_press(tx, game, "a private word", to="France")
            add_press(tx, game, "for the next report", manner="postal")
            writer = game.players[0]
            assert writer.person is not None
            entry = {"seat_id": writer.id, "account_id": writer.person.id}
            records.add_diary_entry(tx.session, **entry, phase_id=None, body="dear diary", now=tx.now)
            stand = {one.id: tuple(map(Hold, game.position.units_of(one.power))) for one in game.players if one.power}
            sets = {one.id: game.next_set(one, stand[one.id], tx.now, None) for one in game.players if one.id in stand}
            tx.put_orders(game, sets)
    after = published(shelf, tmp_path / "after") | _without_commitment(taken_away(shelf))
    assert after == before


def _without_commitment(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files without the commitment to the seed, which was published with the first mail."""
    return {name: re.sub(rb'"commitment":"[0-9a-f]{64}"', b"", content) for name, content in files.items()}


def test_what_is_secret_in_each_game_is_not_in_the_bytes(tmp_path: Path, the_seven: Shelf) -> None:
    files = published(the_seven, tmp_path / "site")
    every = b"\n".join(files.values())
    assert b"secret.example" not in every, "no address of a person"
    assert b"ann@" not in every, "nor one in press"
    assert b"[address]" in every
    assert b"Peace to all." in every, "press to all is public"
    with the_seven.server.reading() as tx:
        games = tx.games_in()
        for game in games:
            folder = f"games/{game.name}/"
            own = b"\n".join(content for name, content in files.items() if name.startswith(folder))
            assert (game.seed.encode() in own) is (game.over and game.phase is not None), game.name
            hidden = [seat for seat in game.players if game.names_hidden or game.is_secret(seat)]
            assert not [seat for seat in hidden if seat.person and f">{seat.person.name}<".encode() in own], game.name
            if game.variant.review is not None and not game.over:
                assert b"hosts" not in own.lower()
                assert str(game.variant.review.seat).encode() not in own.split(b"How it is played")[0]
    master = {seat.person.name.encode() for game in games for seat in game.seats
              if seat.person is not None and seat.role is SeatRole.MASTER}  # fmt: skip
    assert not [name for name in master if name in every]


@pytest.mark.parametrize("state", [GameState.FINISHED, GameState.ABORTED])
@pytest.mark.parametrize(("anonymous", "told"), [("yes", True), ("always", False)])
def test_names_that_are_hidden_until_the_end_are_shown_however_it_ended(
    tmp_path: Path, state: GameState, anonymous: str, told: bool
) -> None:
    shelf = Shelf(tmp_path / "home")
    number = shelf.started("secret", "standard", anonymous=anonymous)
    shelf.play(number, 1)
    assert b"Pat Aus Player" not in b"".join(published(shelf, tmp_path / "site").values())
    with shelf.server.transaction() as tx:
        tx.fold(tx.game(number, lock=True), state=state)
    assert (b"Pat Aus Player" in published(shelf, tmp_path / "site")["games/secret/index.html"]) is told


def test_a_secret_is_told_when_the_game_is_over_and_not_before(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "home")
    number = shelf.started("secret", "among-us")
    shelf.play(number, 1)
    running = published(shelf, tmp_path / "site")
    assert b"Pat the Player" not in b"".join(running.values())
    with shelf.server.transaction() as tx:
        tx.fold(tx.game(number, lock=True), state=GameState.FINISHED)
    over = published(shelf, tmp_path / "site")
    assert b"Pat the Player" in over["games/secret/index.html"]
    assert over["games/secret/S1901M.html"] == running["games/secret/S1901M.html"], "the phase itself stays as it was"
    assert "games/secret/secret.json" in over.keys() - running.keys()
