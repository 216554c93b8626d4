"""What the pages say: how one takes part, what is due, how it ended; and what is drawn."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gm.board import Power
from gm.cli.verify import replay
from gm.gallery.drawings import chart_of
from gm.gallery.public import PublicGame
from gm.games import report_inputs
from gm.maps.glyphs import liveries
from gm.play import calendar
from gm.play.export import chronicle_from_json, record_of
from gm.play.pictures import map_files
from gm.play.seats import vacate
from gm.reports.results import Years
from gm.store import game_rows, records
from gm.store.game_rows import GameState
from gm.turn import AGREED, TERMINATED, Victory
from tests.gallery.played import Shelf, add_press
from tests.gallery.test_site import publish

ATOM = "{http://www.w3.org/2005/Atom}"


def words(path: Path) -> str:
    """What a page says, without its elements."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", path.read_text(encoding="utf-8"))).split())


FORMING: tuple[tuple[str, dict[str, str], int | None, str], ...] = (
    ("standard", {}, 3, "White press. To play, write JOIN spring to gm@example.org ."),
    ("standard", {"press": "none", "anonymous": "yes"}, 3, "No press, anonymous. To play, write JOIN spring to"),
    ("standard", {}, None, "It is full."),
    ("outer-space", {}, 1, "JOIN spring to gm@example.org ."),
    ("the-aliens", {"admission": "invited"}, 1, "By invitation: its gamemaster invites the players."),
)


@pytest.mark.parametrize(("variant", "given", "players", "said"), FORMING)
def test_a_game_that_forms_says_how_one_takes_part(
    tmp_path: Path, variant: str, given: dict[str, str], players: int | None, said: str
) -> None:
    shelf = Shelf(tmp_path / "home")
    shelf.forming("spring", variant, players, **given)
    publish(shelf, tmp_path / "site")
    for page in ("index.html", "games/spring/index.html"):
        assert said.replace(" .", ".").replace(" ,", ",") in words(tmp_path / "site" / page)


@pytest.mark.parametrize(
    ("admission", "said"), [("open", "To play, write TAKEOVER spring to"), ("invited", "By invitation")]
)
def test_a_running_game_says_which_seats_are_vacant_and_what_is_due(tmp_path: Path, admission: str, said: str) -> None:
    shelf = Shelf(tmp_path / "home")
    number = shelf.started("spring", "standard", admission=admission)
    with shelf.server.transaction() as tx:
        game = tx.game(number, lock=True)
        for seat in game.players[1:3]:
            game = vacate(tx, game, seat)
    publish(shelf, tmp_path / "site")
    for page in ("index.html", "games/spring/index.html"):
        assert f"Vacant: England, France. {said}" in words(tmp_path / "site" / page)
        assert "Spring 1901 movement is due" in words(tmp_path / "site" / page)


@pytest.mark.parametrize(
    ("state", "victory", "said"),
    [
        (GameState.ABORTED, Victory((), TERMINATED), "without a result"),
        (GameState.FINISHED, Victory((Power("France"), Power("Turkey")), AGREED), "A draw of France, Turkey."),
    ],
)
def test_the_feed_tells_the_end_of_a_game(
    shelf: Shelf, tmp_path: Path, state: GameState, victory: Victory, said: str
) -> None:
    publish(shelf, tmp_path / "site")
    feed = tmp_path / "site/games/spring/feed.xml"
    before = ElementTree.parse(feed).getroot()
    shelf.now += timedelta(hours=1)
    with shelf.server.transaction() as tx:
        game = calendar.end_game(tx, tx.game(1, lock=True), state, victory, "over")
        game_rows.mark_game(tx.session, game.id, stopped_at=tx.now)
    publish(shelf, tmp_path / "site")
    after = ElementTree.parse(feed).getroot()
    entries = after.findall(f"{ATOM}entry")
    assert after.findtext(f"{ATOM}updated") == "2026-11-22T10:00:00Z" != before.findtext(f"{ATOM}updated")
    assert entries[0].findtext(f"{ATOM}title") == "The game is over"
    assert said in (entries[0].findtext(f"{ATOM}content") or "")
    assert len(entries) == len(before.findall(f"{ATOM}entry")) + 1


def test_the_ids_of_a_feed_tell_nothing_of_other_games(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "home")
    shelf.play(shelf.started("other", "standard"), 1)
    shelf.play(shelf.started("spring", "standard"), 2)
    publish(shelf, tmp_path / "site")
    feed = ElementTree.parse(tmp_path / "site/games/spring/feed.xml").getroot()
    ids = [(one.findtext(f"{ATOM}id") or "").rpartition("/")[2] for one in feed.findall(f"{ATOM}entry")]
    assert ids == ["2", "1"]


def test_a_game_that_ends_with_a_phase_has_no_other_end_in_its_feed(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "home")
    shelf.play(shelf.started("spring", "standard", last="1901"), 5)
    publish(shelf, tmp_path / "site")
    assert "The game is over</title>" not in (tmp_path / "site/games/spring/feed.xml").read_text(encoding="utf-8")


def test_diaries_are_published_when_the_game_is_over(shelf: Shelf, tmp_path: Path) -> None:
    with shelf.server.transaction() as tx:
        game = tx.game(1, lock=True)
        writer = game.seat_of(Power("France"))
        assert writer is not None
        assert writer.person is not None
        assert game.phase is not None
        body = "Burgundy was a lie. Tell ann@secret.example."
        whose = {"seat_id": writer.id, "account_id": writer.person.id}
        records.add_diary_entry(tx.session, **whose, phase_id=game.phase.id, body=body, now=tx.now)
    page = tmp_path / "site/games/spring/index.html"
    publish(shelf, tmp_path / "site")
    assert "Diaries" not in words(page)
    with shelf.server.transaction() as tx:
        game = tx.game(1, lock=True)
        calendar.end_game(tx, game, GameState.FINISHED, Victory(game.powers, AGREED), "over")
    publish(shelf, tmp_path / "site")
    assert "Burgundy was a lie. Tell [address]" in words(page)
    assert re.search(r"Diaries France, \w+ 190\d \w+ Burgundy", words(page))


def test_a_game_of_one_phase_leads_to_it_once(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "home")
    shelf.play(shelf.started("spring", "standard"), 1)
    publish(shelf, tmp_path / "site")
    assert "First:" not in words(tmp_path / "site/games/spring/index.html")


# ---- what is drawn


def test_lines_of_the_chart_are_at_their_values(tmp_path: Path) -> None:
    """Where equal they lie side by side, around the value; those at nothing are at the axis and above it."""
    names = {
        "Austria": (3, 5, 18), "France": (3, 5, 0), "Italy": (3, 2, 0), "Russia": (4, 4, 4), "Turkey": (1, 1, 0)
    }  # fmt: skip
    powers = [Power(name) for name in names]
    history: Years = tuple((1900 + n, {power: names[power][n] for power in powers}) for n in range(3))
    chart = chart_of(history, liveries(powers))
    heights = {line.power: [float(point.split()[1]) for point in line.path[1:].split("L")] for line in chart.lines}
    axis = {text: y for y, text in chart.levels}
    top, bottom = axis["18"], axis["0"]

    def level(centers: int) -> float:
        return bottom - (bottom - top) * centers / 18

    assert heights[Power("Austria")][2] == pytest.approx(level(18), abs=0.1)
    assert heights[Power("Russia")] == [pytest.approx(level(4), abs=0.1)] * 3
    assert heights[Power("Turkey")][:2] == [pytest.approx(level(1), abs=0.1)] * 2
    assert sum(heights[Power(one)][0] for one in ("Austria", "France", "Italy")) / 3 == pytest.approx(level(3), abs=0.1)
    assert sorted(heights[Power(one)][2] for one in ("France", "Italy", "Turkey")) == [bottom - 4, bottom - 2, bottom]
    lowest = max(line.label[1] for line in chart.lines)
    assert lowest + 5 < chart.height - 10 - 10, "no name touches the years below or the frame"
    assert chart.years[0][1] == "1902"


@pytest.mark.parametrize("game", ["the-quantum-space-game", "the-quantum-space-3001-game"])
def test_texts_of_star_charts_keep_their_places(the_seven: Shelf, tmp_path: Path, game: str) -> None:
    """A page may have no styles, so it has attributes that mean the same."""
    publish(the_seven, tmp_path / "site")
    page = (tmp_path / "site/games" / game / "index.html").read_text(encoding="utf-8")
    board = page[page.index('<svg class="board') : page.index("</svg>", page.index('<svg class="board'))]
    texts = re.findall(r"<text [^>]*>", board)
    assert len(texts) > 20
    assert all(re.search(r'text-anchor="(?:start|middle|end)"', text) for text in texts)


@pytest.mark.parametrize("game", ["the-quantum-space-game", "the-quantum-space-3001-game"])
def test_texts_of_star_charts_fit_in_any_font(the_seven: Shelf, game: str) -> None:
    """An exported chart says how wide its texts are: a browser without our font may have a wider one."""
    with the_seven.server.reading() as tx:
        found = next(one for one in tx.games_in() if one.name == game)
        view = PublicGame(tx.session, found, "gm@example.org").view
        assert view is not None
        chart = map_files(found, "last", view)[0].content.decode()
    width = float(re.findall(r'viewBox="0 0 ([\d.]+)', chart)[0])
    texts = re.findall(r"<text ([^>]*)>([^<]*)", chart)
    assert len(texts) > 20
    for attributes, text in texts:
        across = float(re.findall(r'textLength="([\d.]+)" lengthAdjust="spacingAndGlyphs"', attributes)[0])
        if "anchor:start" in attributes:
            assert 24 + across < width, text
    for pill, across in re.findall(
        r'<rect [^>]*width="([\d.]+)" height="22"[^>]*/><text [^>]*textLength="([\d.]+)"', chart
    ):
        assert float(across) + 4 < float(pill)


def test_a_game_that_is_over_does_not_change_when_an_account_is_deleted(tmp_path: Path) -> None:
    """Otherwise games that end at different times would tell together who played where."""
    shelf = Shelf(tmp_path / "home")
    numbers = [shelf.started(name, "standard", anonymous=how) for name, how in (("always", "always"), ("shown", "no"))]
    for number in numbers:
        shelf.play(number, 1)
        with shelf.server.transaction() as tx:
            calendar.end_game(tx, tx.game(number, lock=True), GameState.ABORTED, Victory((), TERMINATED), "over")
    publish(shelf, tmp_path / "site")
    before = words(tmp_path / "site/games/shown/index.html")
    for number in numbers:
        with shelf.server.transaction() as tx:
            game = tx.game(number, lock=True)
            left = game.seat_of(Power("Italy"))
            assert left is not None
            vacate(tx, game, left)
    written = publish(shelf, tmp_path / "site")
    assert not [name for name in written if name.startswith("games/always/")]
    page = tmp_path / "site/games/shown/index.html"
    assert words(page) == before.replace("Italy Pat Ita Player", "Italy –")


def test_what_was_said_in_a_phase_that_was_rolled_back_stays(tmp_path: Path) -> None:
    """With the open phase until its own is played again, and then with that; the export says the same."""
    shelf = Shelf(tmp_path / "home")
    number = shelf.started("spring", "standard")

    def told(text: str) -> None:
        shelf.now += timedelta(hours=1)
        with shelf.server.transaction() as tx:
            game = tx.game(number, lock=True)
            add_press(tx, game, f"Press {text}")
            add_press(tx, game, f"Held {text}", manner="postal")
            records.announce(tx.session, game.id, f"Official {text}", tx.now)
        shelf.now += timedelta(hours=1)

    def again(code: str) -> None:
        with shelf.server.transaction() as tx:
            game = tx.game(number, lock=True)
            (wanted,) = [phase for phase in report_inputs.adjudicated(tx.session, game) if phase.code == code]
            calendar.play_again(tx, game, wanted, report_inputs.sets_in_force(tx.session, game, wanted), None)

    def shown() -> dict[str, str]:
        publish(shelf, tmp_path / "site")
        with shelf.server.reading() as tx:
            game = tx.game(number)
            phases = {one["text"]: one["phase"] for one in record_of(tx.session, game)["told"]}
            now = str(game.phase and game.phase.code)
        site = tmp_path / "site/games/spring"
        pages = {path.stem.replace("index", now): words(path) for path in site.glob("*.html")}
        found = {text: next((code for code, page in pages.items() if f"Press {text}" in page), "") for text in texts}
        assert found == {text: phases[f"Official {text}"] for text in texts}
        assert all(f"Official {text}" in pages[code] for text, code in found.items())
        assert not any("Held in Fall" in page for page in pages.values()), "its report was never sent"
        return found

    texts = ["in Spring", "in Fall"]
    told("in Spring")
    shelf.play(number, 1)
    told("in Fall")
    assert shown() == {"in Spring": "S1901M", "in Fall": "F1901M"}
    again("S1901M")
    assert shown() == {"in Spring": "S1901M", "in Fall": "S1901M"}
    texts.append("once more")
    told("once more")
    assert shown() == {"in Spring": "S1901M", "in Fall": "S1901M", "once more": "S1901M"}
    shelf.play(number, 1)
    assert shown() == {"in Spring": "S1901M", "in Fall": "F1901M", "once more": "S1901M"}
    with shelf.server.transaction() as tx:
        first = tx.game(number).phase
    again("S1901M")
    with shelf.server.transaction() as tx:
        assert first is not None
        left = game_rows.phase_by_id(tx.session, first.id)
        assert left is not None
        calendar.return_to(tx, tx.game(number, lock=True), left)
    texts.append("after all")
    told("after all")
    assert shown()["after all"] == "F1901M", "the rollback was undone"


@pytest.mark.parametrize("kind", ["terminate", "end"])
def test_a_game_that_ends_in_its_first_phase_has_its_seed_and_its_record(tmp_path: Path, kind: str) -> None:
    shelf = Shelf(tmp_path / "home")
    number = shelf.started("spring", "standard")
    publish(shelf, tmp_path / "site")
    site = tmp_path / "site/games/spring"
    assert "gm verify" not in words(site / "index.html")
    with shelf.server.transaction() as tx:
        game = tx.game(number, lock=True)
        state = {"terminate": GameState.ABORTED, "end": GameState.FINISHED}[kind]
        calendar.end_game(tx, game, state, Victory((), TERMINATED), "over")
    publish(shelf, tmp_path / "site")
    assert f"gm verify --seed {game.seed}" in words(site / "index.html")
    value = json.loads((site / "spring.json").read_text(encoding="utf-8"))
    found = list(replay(chronicle_from_json(value), bytes.fromhex(game.seed)))
    assert not [fault for one in found for fault in one.faults]
