"""Games as files for other programs: read back by programs that are not ours, or by their published grammars."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bench.environment import PYTHON, peer_python
from gm.board import Power
from gm.cli import main
from gm.cli.verify import replay
from gm.errors import NotNow
from gm.gallery.order_page import order_page
from gm.games.report_inputs import game_facts
from gm.games.snapshot import Game
from gm.play.export import NoChronicle, chronicle_from_json, exported, is_standard, seen_turns
from gm.reports.interchange import njudge_history
from gm.turn import AGREED, CENTERS, CONCEDED, TERMINATED, Victory
from tests.gallery.played import Shelf
from tests.server.world import World, player, text_of

pytestmark = pytest.mark.long

READER = Path(__file__).parents[2] / "bench/reader.py"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """A standard game of ten years that is over, and one that is running."""
    shelf = Shelf(tmp_path_factory.mktemp("exports"))
    shelf.play(shelf.started("long", "standard", last="1910"), 60, seed=7)
    shelf.play(shelf.started("short", "standard"), 3)
    return shelf


def export(shelf: Shelf, name: str, form: str) -> str:
    """What everybody gets."""
    with shelf.server.reading() as tx:
        game = tx.game_named(name)
        assert game is not None
        return exported(tx.session, game, None, form).content.decode()


# ---- our own form


def test_a_whole_game_can_be_verified_from_its_export(shelf: Shelf, the_seven: Shelf) -> None:
    with the_seven.server.reading() as tx:
        over = [game.name for game in tx.games_in() if game.over]
    for where, name in ((shelf, "long"), *((the_seven, name) for name in over)):
        value = json.loads(export(where, name, "json"))
        assert (value["form"], value["version"], value["seen_by"]) == ("gm game", 1, "all")
        faults = [
            fault for one in replay(chronicle_from_json(value), bytes.fromhex(value["seed"])) for fault in one.faults
        ]
        assert not [fault for fault in faults if "dealt" not in fault.lower()], name


def test_a_game_of_players_who_stay_anonymous_is_verified_without_its_dealing(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "home")
    for name, anonymous in (("hidden", "always"), ("shown", "yes")):
        shelf.play(shelf.started(name, "standard", last="1901", anonymous=anonymous), 9)
    value = json.loads(export(shelf, "hidden", "json"))
    assert value["dealing"] is None
    assert json.loads(export(shelf, "shown", "json"))["dealing"]["wishes"]
    found = list(replay(chronicle_from_json(value), bytes.fromhex(value["seed"])))
    assert not [fault for one in found for fault in one.faults]
    assert "not published, because their players stay anonymous" in " ".join(one.title for one in found)


def test_a_part_says_so_and_is_not_verified(shelf: Shelf) -> None:
    value = json.loads(export(shelf, "short", "json"))
    assert value["seen_by"] == "nobody"
    assert "seed" not in value
    assert [phase["result"] is None for phase in value["phases"]] == [False, False, False, True]
    with pytest.raises(NoChronicle, match="not over"):
        chronicle_from_json(value)


def test_the_document_describes_every_key(the_seven: Shelf) -> None:
    document = (Path(__file__).parents[2] / "docs/export.md").read_text(encoding="utf-8")
    with the_seven.server.reading() as tx:
        names = [game.name for game in tx.games_in() if game.phase is not None]
    for name in names:
        value = json.loads(export(the_seven, name, "json"))
        phase = value["phases"][0]
        for keys in (value, phase, phase["position"], phase["result"]):
            assert not [key for key in keys if f"`{key}`" not in document]


# ---- the package diplomacy


def test_the_package_diplomacy_reads_it_and_its_judge_agrees(shelf: Shelf, tmp_path: Path) -> None:
    """Every phase of a long game, adjudicated by their judge from the file, leads to our next position."""
    required = os.environ.get("GM_REQUIRE_SERVERS", "") not in ("", "0")
    python = peer_python() if required or PYTHON.exists() else None
    if python is None:
        pytest.skip("bench/.venv does not have the package diplomacy; `make bench` installs it")
    saved = json.loads(export(shelf, "long", "diplomacy"))
    (tmp_path / "game.json").write_text(json.dumps(saved))
    done = subprocess.run([str(python), str(READER), str(tmp_path / "game.json")], capture_output=True, check=True)
    again = json.loads(done.stdout)
    assert len(again) == len(saved["phases"]) - 1 > 20
    for theirs, ours in zip(again, saved["phases"][1:], strict=True):
        assert not theirs["refused"], theirs["name"]
        for part in ("units", "centers"):
            assert theirs[part] == {power: sorted(own) for power, own in ours["state"][part].items()}, theirs["name"]


# ---- njudge, by the grammar that jDip's importer documents

HEAD = re.compile(r":: Judge: (\S+)  Game: (\S+)  Variant: (\S+)")
SUBJECT = re.compile(r"Subject: \S+ - ([A-Z]\d{4}[A-Z]) Results")
RESULTS = re.compile(r"(Movement|Retreat|Adjustment) results for (\w+) of (\d{4})\.")
UNIT = r"(?:Army|Fleet) [A-Z][\w\- ]+?(?: \((?:north|south|east) coast\))?"
PLACE = r"[A-Z][\w\- ]+?(?: \((?:north|south|east) coast\))?"
MARKS = r"(?:  \(\*(?:bounce|cut|void|no convoy|dislodged|destroyed)(?:, dislodged)?\*\))?"
MOVE = re.compile(
    rf"(\w+): ({UNIT})(?: DISBAND\.|(?: HOLD|(?: -> {PLACE})+| SUPPORT (?:\w+ )?{UNIT}(?: -> {PLACE})?"
    rf"| CONVOY (?:\w+ )?{UNIT} -> {PLACE})\.{MARKS})"
)
WINTER = re.compile(
    rf"\w+: (?:Builds an? |Removes the |Defaults, removing the )(?:army|fleet) in {PLACE}\.|\w+: Build waived\."
)
DRIVEN = re.compile(
    rf"The \w+ (?:Army|Fleet) in (?:the )?{PLACE} "
    rf"(?:can retreat to {PLACE}(?: or {PLACE})*|with no valid retreats was destroyed)\."
)
OWNED = re.compile(r"(\w+): ((?:[A-Z][\w ]+)(?:, [A-Z][\w ]+)*)\.")
COUNT = re.compile(r"(\w+): (\d+) Supply centers, (\d+) Units: (?:Builds|Removes) (\d+) units\.")
NEXT = re.compile(
    r"The next phase of '\S+' will be (Movement|Retreats|Adjustments) for (\w+) of (\d{4})\.|The game is over\."
    r"|The game was (?:won by|conceded to|declared a draw between) [\w, ]+\."
)


def blocks(text: str) -> list[list[str]]:
    """The paragraphs of one phase."""
    return [part.splitlines() for part in text.strip().split("\n\n")]


@pytest.mark.parametrize("name", ["long", "short"])
def test_the_history_has_the_form_that_jdip_reads(shelf: Shelf, name: str) -> None:
    text = export(shelf, name, "njudge")
    head = HEAD.match(text)
    assert head is not None
    assert (head[2], head[3]) == (name, "Standard")
    phases = re.split(r"^Date: .*\n", text, flags=re.MULTILINE)[1:]
    with shelf.server.reading() as tx:
        game = tx.game_named(name)
        assert game is not None
        value = json.loads(exported(tx.session, game, None, "json").content)
    assert len(phases) == len(value["phases"]) - 1
    for words, stored in zip(phases, value["phases"], strict=False):
        check_phase(words, stored, game)
    assert phases[-1].strip().endswith("The game is over." if game.over else ".")


@pytest.mark.parametrize(
    ("victory", "last"),
    [
        (Victory((Power("France"),), CENTERS), "The game was won by France.\nThe game is over.\n"),
        (Victory((Power("France"),), CONCEDED), "The game was conceded to France.\nThe game is over.\n"),
        (
            Victory((Power("England"), Power("Italy"), Power("Turkey")), AGREED),
            "The game was declared a draw between England, Italy and Turkey.\nThe game is over.\n",
        ),
        (Victory((), TERMINATED), "Army Smyrna -> Constantinople.\n\nThe game is over.\n"),
    ],
)
def test_the_history_ends_with_the_result(shelf: Shelf, victory: Victory, last: str) -> None:
    with shelf.server.reading() as tx:
        game = tx.game_named("short")
        assert game is not None
        played = seen_turns(tx.session, game, None)
        assert njudge_history(game_facts(game), played, over=True, victory=victory).endswith(last)
        assert njudge_history(game_facts(game), (), over=True, victory=victory).endswith("The game is over.\n")


def check_phase(text: str, stored: Mapping[str, Any], game: Game) -> None:
    """Every line has a form of the grammar, and they tell the stored phase."""
    subject, heading, orders, *rest = blocks(text)
    assert SUBJECT.fullmatch(subject[0])
    kind = RESULTS.match(heading[0])
    assert kind is not None, heading
    pattern = WINTER if kind[1] == "Adjustment" else MOVE
    assert not [line for line in orders if not pattern.fullmatch(line)], orders
    if kind[1] == "Adjustment":
        places = [("Defaults" in line, line.partition(":")[0]) for line in orders]
        assert places == sorted(places)
    if kind[1] == "Movement":
        told = sorted(f"{found[1]} {found[2].split()[0][0]}" for line in orders if (found := MOVE.match(line)))
        assert told == sorted(" ".join(unit.split()[:2]) for unit in stored["position"]["units"])
    while rest:
        title, *_ = rest.pop(0)
        if title == "The following units were dislodged:":
            assert all(DRIVEN.fullmatch(line) for line in rest.pop(0))
        elif title == "Ownership of supply centers:":
            owned = {found[1]: found[2] for line in rest.pop(0) if (found := OWNED.fullmatch(line))}
            counted = {found[1]: found for line in rest.pop(0) if (found := COUNT.fullmatch(line))}
            centers = {**stored["position"]["centers"], **stored["result"]["after"].get("centers", {})}
            assert {power: len(names.split(", ")) for power, names in owned.items()} == {
                power: len(own) for power, own in centers.items()
            }
            assert owned.keys() <= counted.keys()
        else:
            assert NEXT.fullmatch(title), title


# ---- who gets what, and how


def test_every_form_of_every_game(the_seven: Shelf) -> None:
    with the_seven.server.reading() as tx:
        for game in (game for game in tx.games_in() if game.phase is not None):
            for form in ("json", "njudge"):
                assert exported(tx.session, game, None, form).content
            assert is_standard(game) is (game.variant.name == "standard")
            if is_standard(game):
                assert exported(tx.session, game, None, "diplomacy").content
            else:
                with pytest.raises(NotNow, match="does not know"):
                    exported(tx.session, game, None, "diplomacy")


def test_by_mail(world: World) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], "PRESS TO ENGLAND\nsecretly\nENDPRESS\nA PAR-BUR")
    world.send(player("Italy"), seats["Italy"], "A VEN H")
    world.pass_time(days=8)
    wanted = {"EXPORT": "spring.json", "EXPORT NJUDGE": "spring.txt"}
    wanted["EXPORT spring diplomacy"] = "spring.diplomacy.json"
    for order, name in wanted.items():
        answer = world.send(player("France"), seats["France"], order)
        (file,) = answer.iter_attachments()
        assert file.get_filename() == name
        assert "It holds what you may see" in text_of(answer)
    for order in ("EXPORT SVG", "EXPORT spring png", "EXPORT PNG spring"):
        files = world.send(player("France"), seats["France"], order).iter_attachments()
        assert [file.get_filename() for file in files] == ["spring-S1901M.svg", "spring-S1901M.png"]
    (file,) = world.send(player("Italy"), seats["Italy"], "EXPORT JSON spring").iter_attachments()
    value = json.loads(file.get_content())
    assert value["seen_by"] == "Italy"
    assert value["phases"][0]["result"]["outcomes"]
    assert "secretly" not in json.dumps(value)
    assert value["phases"][1]["position"]["phase"] == "movement"
    world.send(player("Italy"), seats["Italy"], "A VEN H\nA ROM-APU")
    (file,) = world.send(player("Italy"), seats["Italy"], "EXPORT").iter_attachments()
    assert [order["order"] for order in json.loads(file.get_content())["phases"][1]["orders"]["Italy"]] == [
        "hold",
        "move",
    ]
    (file,) = world.send(player("France"), seats["France"], "EXPORT").iter_attachments()
    assert not json.loads(file.get_content())["phases"][1]["orders"].get("Italy")


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--home", str(tmp_path / "home")]) == 0
    shelf = Shelf(tmp_path / "home")
    shelf.play(shelf.started("spring", "standard"), 2)
    shelf.database.dispose()
    home = ["--home", str(tmp_path / "home")]
    for form, begins in (("png", b"\x89PNG"), ("svg", b"<svg"), ("json", b'{"'), ("njudge", b":: Judge")):
        file = tmp_path / f"it.{form}"
        assert main(["export", "spring", *home, "--form", form, "--to", str(file)]) == 0
        assert file.read_bytes().lstrip().startswith(begins)
    first = tmp_path / "first.svg"
    assert main(["export", "spring", *home, "--form", "svg", "--phase", "s1901m", "--to", str(first)]) == 0
    assert "Spring 1901" in first.read_text(encoding="utf-8")
    assert main(["export", "spring", *home, "--power", "france", "--to", str(first)]) == 0
    assert json.loads(first.read_text(encoding="utf-8"))["seen_by"] == "France"
    for place, why in ((tmp_path / "missing" / "it.json", "No such file or directory"), (tmp_path, "Is a directory")):
        capsys.readouterr()
        assert main(["export", "spring", *home, "--to", str(place)]) == 1
        assert f"'{place}' cannot be written ({why})." in capsys.readouterr().err
    for wrong in (["autumn"], ["spring", "--power", "Krell"], ["spring", "--form", "svg", "--phase", "F1999M"]):
        assert main(["export", *wrong, *home]) == 1
    capsys.readouterr()
    assert main(["export", "spring", *home, "--phase", "S1901M"]) == 1
    assert "--form json has every phase. --phase is for --form svg or png." in capsys.readouterr().err
    assert main(["publish", *home, "--to", str(tmp_path / "site")]) == 0
    assert "1 game, " in capsys.readouterr().out
    assert main(["publish", *home]) == 1
    assert "No folder is named" in capsys.readouterr().err


def test_the_page_for_orders_is_written_alone_and_needs_no_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "order.html"
    assert main(["publish", "--order-page", str(page)]) == 0
    assert page.stat().st_mode & 0o777 == 0o644, "whatever the umask of this process is"
    assert "order_page under [gallery]" in capsys.readouterr().out
    assert page.read_text(encoding="utf-8") == order_page()
    assert list(tmp_path.iterdir()) == [page]
    assert main(["publish", "--order-page", str(tmp_path / "missing" / "order.html")]) == 1
    assert "cannot be written (No such file or directory)" in capsys.readouterr().err
