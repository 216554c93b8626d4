"""The games that are files: their starts, what RULES and mails say of them, and that they are played like any other."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest

from gm import variants
from gm.board import Power, Province, standard_board
from gm.chance import Chance
from gm.cli import load, main
from gm.cli.variant import played, start_of
from gm.cli.verify import replay
from gm.commands import COMMANDS
from gm.errors import ConfigurationError
from gm.maps.glyphs import liveries
from gm.maps.scene import liveries_of
from gm.play.briefs import rules_of
from gm.play.export import chronicle_of
from gm.position import Position, position_to_json
from gm.store.game_rows import GameState
from gm.turn import Turn
from gm.variants import Variant, all_variants, from_files, game_file, variant
from gm.variants.standard import FILE, POWERS, STANDARD
from tests.server.world import BASE, World, name_of, reply_to, text_of
from tests.variants import games_page
from tests.variants.adjudicating import adjudicated
from tests.variants.written import WRITTEN

OF_FILES = [game.name for game in from_files.games() if game.name != "standard"]
HOMES = {str(side.power): "/".join(sorted(side.homes)) for side in FILE.sides}
STARTS = {str(side.power): ", ".join(sorted(f"{unit.kind} {unit.at}" for unit in side.units)) for side in FILE.sides}


def start(name: str) -> Position:
    game = variant(name)
    return game.opening(game.seating.powers, Chance(bytes(32)))


@dataclass(frozen=True)
class Facts:
    """What a game's file must say: units by power, owned centres where these are not the homes, the first phase, and
    where one builds.
    """

    name: str
    units: dict[str, str]
    owned: dict[str, str]
    begins: str = "S1901M"
    site: str = "home centre"


MORE = {
    "Lowland": "A hol, A ruh, F bel",
    "Norway": "A swe, F den, F nwy",
    "Spain": "A spa, F por, F tun",
    "Balkan": "A bul, A ser, F gre, F rum",
}
ONE_EACH = {"Austria": "A tri", "England": "F edi", "France": "A bre", "Germany": "A kie", "Italy": "A nap"}
ONE_EACH |= {"Russia": "A stp", "Turkey": "A smy"}
OF_ONE_CENTRE = {standard_board().full_name(at): str(at) for at in standard_board().centers}  # type: ignore[arg-type]


def of(starts: dict[str, str], *powers: str) -> dict[str, str]:
    return {power: starts[power] for power in powers}


@pytest.mark.parametrize(
    "case",
    [
        Facts("standard", STARTS, HOMES),
        Facts("france-austria", of(STARTS, "Austria", "France"), of(HOMES, "Austria", "France")),
        Facts("germany-italy", of(STARTS, "Germany", "Italy"), of(HOMES, "Germany", "Italy")),
        Facts(
            "england-turkey",
            {"England": "A lon, F eng, F nth", "Turkey": STARTS["Turkey"]},
            of(HOMES, "England", "Turkey"),
        ),
        Facts("fleet-rome", STARTS | {"Italy": "A ven, F nap, F rom"}, HOMES),
        Facts(
            "crowded",
            STARTS | MORE,
            HOMES
            | {"Lowland": "bel/hol", "Norway": "den/nwy/swe", "Spain": "por/spa/tun", "Balkan": "bul/gre/rum/ser"},
        ),
        Facts("build-anywhere", STARTS, HOMES, site="own centre"),
        Facts("fog", STARTS, HOMES),
        Facts("1898", ONE_EACH, {power: unit[2:] for power, unit in ONE_EACH.items()}, "S1899M", "own centre"),
        Facts("chaos", dict.fromkeys(OF_ONE_CENTRE, ""), OF_ONE_CENTRE, "W1900A", "own centre"),
    ],
)
@pytest.mark.ruling("SB-1", "SB-3")
def test_a_game_begins_as_its_file_says(case: Facts) -> None:
    game, now = variant(case.name), start(case.name)
    powers = list(map(str, game.seating.powers))
    assert sorted(powers) == sorted(case.units)
    assert {p: ", ".join(sorted(f"{u.kind} {u.at}" for u in now.units_of(Power(p)))) for p in powers} == case.units
    assert {p: "/".join(sorted(now.centers_of(Power(p)))) for p in powers} == case.owned
    assert now.phase.code == case.begins
    assert game.view(game, now, None, None).site == case.site
    assert game.victory(owning(now, 17)) is None
    assert game.victory(owning(now, 18)) is not None
    board = game.board(now)
    assert {board.home(province) for province in board.centers} - {None} == set(game.seating.powers)


def owning(position: Position, number: int) -> Position:
    """The position in which one power owns so many centres, and nobody any other."""
    first = next(iter(position.centers.values()))
    return replace(position, centers=dict.fromkeys(standard_board().centers[:number], first))


def test_the_table_is_whole() -> None:
    assert len(OF_FILES) == 9
    assert set(OF_FILES).isdisjoint(set(WRITTEN) - {"fog"})
    assert {"standard", *OF_FILES} == {game.name for game in from_files.games()}
    files = [game_file.DATA / f"{name}.toml" for name in {"standard", *OF_FILES}]
    assert max(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= 60


def test_the_file_of_the_standard_game_changes_nothing() -> None:
    assert variant("standard") is STANDARD
    assert STANDARD.board(start("standard")) is standard_board()
    assert {str(power): look.colour for power, look in STANDARD.looks.items()} == {
        str(power): livery.strong for power, livery in liveries(POWERS).items()
    }


@pytest.mark.ruling("SB-2")
def test_who_owns_no_home_centre_builds_where_the_game_says_anywhere() -> None:
    """By `gm adjudicate`: in Denmark with Build Anywhere, nowhere by the standard rules."""
    winter = {"year": 1901, "season": "winter", "phase": "adjustment", "units": ["France A spa"]}
    asked = {**winter, "centers": {"France": ["spa", "den"], "Germany": ["par"]}, "orders": ["France: BUILD F DEN"]}
    assert "France F den" in adjudicated(variant="build-anywhere", **asked)["units_after"]
    assert adjudicated(variant="standard", **asked)["units_after"] == ["France A spa"]
    assert "France F den" in adjudicated(variant="1898", **asked)["units_after"]


@cache
def games_played() -> dict[str, list[Turn]]:
    return {name: list(played(variant(name))) for name in OF_FILES}


@pytest.mark.parametrize("name", OF_FILES)
def test_stand_ins_play_it(name: str) -> None:
    """Ten seasons: nobody is silent, units and centres are those of the game's powers, and some change hands."""
    game, turns = variant(name), games_played()[name]
    powers = set(game.seating.powers)
    for turn in turns:
        assert {unit.power for unit in turn.after.units} | set(turn.after.centers.values()) <= powers
        assert not turn.silent
    assert turns[-1].after.centers != turns[0].before.centers
    asked = {**position_to_json(turns[0].before), "variant": name, "orders": []}
    assert adjudicated(**asked)["next"]["year"] in (1899, 1901)


@pytest.mark.parametrize("name", OF_FILES)
def test_its_map_has_the_colours_of_its_powers(name: str) -> None:
    """Those of the standard game for its nations, and no two alike; every unit has letters that no other power has."""
    game = variant(name)
    colours = liveries_of(game.view(game, start(name), None, None))
    usual = liveries(POWERS)
    assert all(livery.strong == usual[power].strong for power, livery in colours.items() if power in usual)
    assert len({livery.strong for livery in colours.values()}) == len(colours)
    assert len({livery.tag for livery in colours.values()}) == len(colours)


def test_the_start_is_drawn() -> None:
    assert start_of(variant("crowded")).startswith(b"\x89PNG")
    assert start_of(variant("crowded")) != start_of(variant("standard"))


@pytest.mark.parametrize("name", OF_FILES)
def test_what_is_different_is_told(name: str) -> None:
    game = variant(name)
    brief, rules = game.brief, rules_of(game) or ""
    assert brief
    assert all(one in " ".join(rules.split()) for one in brief)
    assert all(len(line) <= 72 for line in rules.splitlines())
    assert all(f"\n{power}: " in rules for power in game.seating.powers)
    assert "18 centres has won" in rules


def test_the_page_of_all_games_is_made_from_their_files() -> None:
    assert games_page.PAGE.read_text(encoding="utf-8") == games_page.page().rstrip("\n") + "\n"
    readme = (games_page.PAGE.parents[1] / "README.md").read_text(encoding="utf-8")
    assert [name for name in all_variants() if f"`{name}`" not in readme] == []


def test_one_of_two_powers_by_mail(world: World) -> None:
    """Created, joined, played and won like any other; the export can be checked."""
    master, ann, bob = "master@example.org", "ann@example.org", "bob@example.org"
    chair = reply_to(world.send(master, BASE, "CREATE duel variant=france-austria win=4"))
    assert "France against Austria, forming, 0 of 2" in text_of(world.send(ann, BASE, "LIST OPEN"))
    told = text_of(world.send(ann, BASE, "JOIN duel AS France"))
    assert "All other supply centres belong to nobody at first, and can be taken (SB-1)." in told
    seats = {ann: reply_to(world.last(ann)), bob: reply_to(world.send(bob, BASE, "JOIN duel"))}
    world.send(master, chair, "START duel")
    opening = text_of(world.last(ann))
    assert "Austria" in opening
    assert "Germany" not in opening
    assert "could not be acted on" in text_of(world.send(ann, seats[ann], "PRESS TO ENGLAND\nHello\nENDPRESS"))
    assert "To support a move, write" in text_of(world.send(ann, seats[ann], "How do I support a move?"))
    orders = {"S1901M": "A MAR-SPA\nF BRE-MAO\nA PAR-BUR\nREADY", "F1901M": "F MAO-POR\nA SPA H\nA BUR-MUN\nREADY"}
    for phase, lines in orders.items():
        assert world.phase("duel") == phase
        assert "not acted on" not in text_of(world.send(ann, seats[ann], lines))
        world.send(master, chair, "PROCESS")
    over = world.game("duel")
    assert over.state is GameState.FINISHED
    assert "France owns 6 supply centres" in text_of(world.last(bob))
    with world.looking() as session:
        chronicle = chronicle_of(session, over)
    assert not [fault for finding in replay(chronicle, bytes.fromhex(over.seed)) for fault in finding.faults]


def test_practice_with_names_that_are_places(world: World) -> None:
    """In a game of one centre each a power is named like its place: both are understood."""
    ann = "ann@example.org"
    text_of(world.send(ann, BASE, "PRACTICE chaos AS Paris"))
    report = world.last(ann)
    assert world.game(name_of(report)).variant.name == "chaos"
    said = text_of(world.send(ann, reply_to(report), "Paris: BUILD A PARIS\nREADY"))
    assert "not acted on" not in said, said
    report = world.last(ann)
    assert "S1901M" in str(report["Subject"])
    said = text_of(world.send(ann, reply_to(report), "Paris: A Paris - Burgundy\nREADY"))
    assert "A Par-Bur" in said, said
    rules = text_of(world.send(ann, reply_to(report), "RULES\n\nHELP PRACTICE\n\nMAP"))
    assert "Nobody has a unit at the start." in rules
    assert all(name in rules for name in all_variants())


# ---- files of one's own


PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


def example_of_a_file() -> str:
    """The game that the page shows whole."""
    return dedent(PAGE.partition("variants/two-kingdoms.toml`:\n")[2].partition("\nPlayers write")[0])


RIGHT = """
title = "Two Kingdoms"
like = "crowded"
win = 12
begins = "Fall 1900"

[powers.France]

[powers.Lowland]
units = "F Belgium, F Spain/nc"
colour = "#112233"
letter = "LL"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(variants, "_own", ())
    (tmp_path / "variants").mkdir()
    return tmp_path / "variants"


def include(folder: Path, **files: str) -> Variant:
    for name, text in files.items():
        (folder / f"{name.replace('_', '-')}.toml").write_text(text, encoding="utf-8")
    variants.include(folder)
    return variant(next(iter(files)).replace("_", "-"))


def test_an_operators_own_game(folder: Path, world: World) -> None:
    game = include(folder, two_kingdoms=RIGHT, again='title = "Again"\nlike = "two-kingdoms"\nbuild = "anywhere"')
    now = start("two-kingdoms")
    assert {str(unit) for unit in now.units if unit.power == "Lowland"} == {"Lowland F bel", "Lowland F spa/nc"}
    assert now.phase.code == "F1900M"
    assert set(now.centers_of(Power("Lowland"))) == {Province("bel"), Province("hol")}
    livery = liveries_of(game.view(game, now, None, None))[Power("Lowland")]
    assert (livery.strong, livery.tag) == ("#112233", "LL")
    assert start("again").units == now.units
    variants.include(folder)
    assert "Two Kingdoms" in text_of(world.send("ann@example.org", BASE, "PRACTICE two-kingdoms"))
    assert "two-kingdoms" in text_of(world.send("ann@example.org", BASE, "HELP PRACTICE"))


def test_the_example_of_the_page_is_a_game(folder: Path) -> None:
    game = include(folder, two_kingdoms=example_of_a_file())
    assert game.brief[-1] == "The fleet in the Channel is there to be fought for."
    assert {str(unit) for unit in start("two-kingdoms").units_of(Power("Norway"))} == {
        *("Norway F nwy", "Norway F den", "Norway A swe")
    }
    fields = {*game_file.FIELDS["game"], *game_file.FIELDS["power"]} - {"powers"}
    assert not [field for field in fields if f"\n| `{field}` |" not in PAGE]
    more = {*game_file.FIELDS["code"], *game_file.FIELDS["naming"], *game_file.FIELDS["seat"]} - {
        "naming",
        "numbers",
        "words",
        "sentences",
        "signs",
    }
    assert not [field for field in more if f"`{field}`" not in PAGE]
    assert all(f"\n| `[{heading}]` |" in PAGE for heading in ("naming", "numbers", "naming.words"))
    assert all(f"`[sentences.{of}]`" in PAGE for of in game_file.FIELDS["sentences"])


def test_the_settings_name_the_folder(folder: Path) -> None:
    home = folder.parent
    (home / "gm.toml").write_text('[server]\naddress = "gm@example.org"\n[games]\nfolder = "variants"\n')
    (home / "gm.key").write_text("ab" * 32)
    (folder / "two-kingdoms.toml").write_text(RIGHT, encoding="utf-8")
    assert load(home, {}).games == folder
    assert variant("two-kingdoms").title == "Two Kingdoms"
    (folder / "two-kingdoms.toml").write_text(RIGHT.replace("12", "99"), encoding="utf-8")
    with pytest.raises(ConfigurationError, match="line 4, win: 99 is too large"):
        load(home, {})


def test_whoever_has_as_many_centres_as_another_has_not_won(folder: Path) -> None:
    (folder / "two-kingdoms.toml").write_text(RIGHT, encoding="utf-8")
    (game,) = from_files.games_in(folder)
    assert "Whoever owns 12 centres, and more than anybody else, has won." in game.brief
    position = game.opening(game.seating.powers, Chance(bytes(32)))
    centers = sorted(game.board(position).centers)
    france, lowland = game.seating.powers
    for of_france, won in ((12, False), (13, True)):
        owned = {center: france if at < of_france else lowland for at, center in enumerate(centers[: of_france + 12])}
        victory = game.victory(replace(position, centers=owned))
        assert (victory is not None and victory.winners == (france,)) is won


def test_a_power_that_cannot_build_is_named(folder: Path) -> None:
    text = 'title = "Mine"\n[powers.Alpha]\nunits = "A Bur"\n[powers.Beta]\nunits = "A Mun, A Ber"\nhomes = "Mun"\n'
    (folder / "mine.toml").write_text(text + 'owns = "Mun, Ber"\n', encoding="utf-8")
    (game,) = from_files.games_in(folder)
    assert "Centres: Alpha: no home. Beta: home Mun; owns Ber, Mun." in game.brief
    assert "Without a home centre, Alpha cannot build." in game.brief
    (folder / "mine.toml").write_text(f'build = "anywhere"\n{text}', encoding="utf-8")
    assert "cannot build" not in "".join(from_files.games_in(folder)[0].brief)


@pytest.mark.parametrize("sight", ["", 'sight = "fog"\n'])
def test_it_is_checked(folder: Path, capsys: pytest.CaptureFixture[str], sight: str) -> None:
    (folder / "two-kingdoms.toml").write_text(f"{sight}{RIGHT}", encoding="utf-8")
    assert main(["variant", "check", str(folder / "two-kingdoms.toml")]) == 0
    said = capsys.readouterr().out
    assert "is a game: Two Kingdoms, for 2 players." in said
    assert "Only France and Lowland play." in said
    assert ("With two players a secret of this kind is kept less well" in said) == bool(sight)
    assert re.search(r"After Fall 1901: France \d+, Lowland \d+\.", said)
    assert (folder / "two-kingdoms.png").read_bytes().startswith(b"\x89PNG")


MISTAKES = {
    'title = "X"\n= 3': ["is not TOML", "line 2"],
    "title = Two Kingdoms\nwin = 12 centres\nbegin = 1": [
        *("line 1, title: this is not TOML", "line 2, win: this is not TOML", "line 3, begin: there is no such field"),
    ],
    "x = " + "[" * 20_000: ["line 1: it has more than 4,000 characters"],
    'title = "Mine"\n' + "x = [\n" + "[" * 3_000: ["line 3: headings or brackets are within each other too often"],
    'title = "Mine"\n[powers.' + "a." * 1_500 + "a]": ["line 2: headings or brackets are within each other too often"],
    "win = " + "9" * 5_000: ["line 1: it has more than 4,000 characters"],
    "a = 1\n" * 5_000: ["line 2, a: this is not TOML"],
    'title = "Mine"\nlike = "standard"\n' + "".join(f"k{one} = 1\n" for one in range(3_000)): [
        "And 2500 more mistakes."
    ],
    'title = "Mine"\n[[powers]]\nx = 1': ["line 2, powers: "],
    'title = "Mine"\nlike = 1901-01-01': ["line 2, like: 1901-01-01 is no text"],
    'title = "Mine"\nlike = "standard"\n[powers.Etoile]\nunits = "A Par"\n[powers."Étoile"]\nunits = "A Bre"': [
        "line 5, names of Étoile: Etoile is called 'etoile' already"
    ],
    'title = "Mine"\nlike = "standard"\nsight = "fog"\n[powers.Unseen]\nunits = "A Par"\n[powers.Italy]': [
        "line 4, Unseen: 'unseen' already has a meaning"
    ],
    'title = "Mine"\nlike = "standard"\n[powers.France]\n[powers.Italy]\nadjective = "Army"': [
        "line 4, Italy: 'army' already has a meaning"
    ],
    'like = "standard"': ["line 1", "title is missing", "Fleet Rome"],
    'title = "Mine"\nlike = "standerd"': ["line 2, like: there is no game 'standerd'", "one of", "standard"],
    'title = "Mine"\nlike = "mine"': ["line 2, like: there is no game 'mine'", "one of 1898, build-anywhere, chaos"],
    'title = "Mine"\nlike = "standard"\nbiuld = "home"': ["line 3, biuld", "did you mean build?"],
    'title = "Mine"\nlike = "standard"\nwin = "18"': ["line 3, win: '18' is a text, in quotes", "such as 18"],
    'title = "Mine"\nlike = "standard"\nwin = 4': ["line 3, win: nobody can win with 4", "from 5"],
    'title = "Mine"\nlike = "standard"\nwin = 35': ["35 is too large", "to 34"],
    'title = "Mine"\nlike = "standard"\nedition = 0': ["line 3, edition: 0 is too small", "from 1 to 999"],
    f'title = "Mine"\nlike = "standard"\nedition = {"9" * 3_900}': [
        "line 3, edition: it is too large",
        "from 1 to 999",
    ],
    'title = "Mine"\nlike = "standard"\nwin = -9223372036854775807': ["line 3, win: it is too small", "from 1 to 34"],
    'title = "Mine"\nlike = "standard"\nbegins = "Spring 0"': ["line 3, begins: 0 is too small"],
    'title = "Mine"\nlike = "standard"\nbegins = "Spring 9001"': ["line 3, begins: 9001 is too large"],
    'title = "Mine"\nlike = "standard"\nbegins = "Summer 1901"': ["line 3, begins", '"Spring 1901"'],
    'title = "Mine"\nlike = "standard"\nbuild = "sea"': ["line 3, build: 'sea'", '"home" or "anywhere"'],
    'title = "Mine"\nlike = "standard"\nwin = true': ["line 3, win: True is neither a number nor a text"],
    'title = "Mine"\nlike = "standard"\nabout = "' + "word " * 601 + '"': ["line 3, about: it has 3,005 characters"],
    'title = "Mine"\nlike = "standard"\nabout = """\nna\u00efve = 3\n"""\nbogus = 1': [
        "line 6, bogus: there is no such"
    ],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\ncolour = "#AA0000"\n[powers.France]\ncolour = "#aa0000"': [
        "line 6, colour of France: Italy has the colour #aa0000 already"
    ],
    'title = "Mine"\npowers = 3': ["line 2, powers: 3 is a number"],
    'title = "Mine"\nlike = "black-hole"': ["line 2, like: Black Hole Diplomacy I has rules of its own"],
    'title = "Mine"\nlike = "standard"\nrules = "own"': ["line 3, rules: there is no such field", "or code (docs/"],
    'title = "Mine"\nlike = "standard"\n[powers.France]': ["line 3, powers: there are too few"],
    'title = "Mine"\nlike = "standard"\n[powers.France]\n[powers.Spain]': [
        "line 4, Spain",
        "no unit and owns no centre",
    ],
    'title = "Mine"\nlike = "standard"\n[powers.France]\nunits = "A Pariss, X Bre, F StP"\n[powers.Italy]': [
        *("line 4, units of France: 'Pariss' is not a place on the board", "did you mean paris?"),
        *("'X Bre' begins with no kind of unit", "no fleet can be at 'StP'; write stp/nc or stp/sc"),
    ],
    'title = "Mine"\nlike = "standard"\n[powers.France]\nunits = "F Bre/sc, F Mun"\n[powers.Italy]': [
        *("'Bre/sc' is not a coast of Brest", "no fleet can be at 'Mun'"),
    ],
    'title = "Mine"\nlike = "standard"\n[powers.France]\nhomes = "Bur"\n[powers.Italy]': [
        "'Bur' is not a supply centre"
    ],
    'title = "Mine"\nlike = "standard"\n[powers.France]\nowns = "Rom"\n[powers.Italy]': [
        "line 4, owns of France: Italy owns Rome already"
    ],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\n[powers.France]\nunits = "A Par, A Paris"': [
        "line 5, units of France: France stands in Paris already"
    ],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\n[powers.France]\nnames = "italian"': [
        "line 5, names of France: Italy is called 'italian' already"
    ],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\ncolour = "#AA0000"\n[powers.France]\ncolour = "#a9050a"': [
        "line 6, colour of France: it looks like that of Italy (#aa0000)"
    ],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\ncolour = "#f4efdf"\n[powers.France]\ncolour = "#dae9f3"': [
        *(
            "line 4, colour of Italy: it looks like that of the map's land",
            "line 6, colour of France: it looks like that of the map's land",
        ),
    ],
    'title = "chaos"\nlike = "standard"': ["'chaos' is the title of chaos, too"],
    'title = "Mine"\nlike = "standard"\nwin = 12.5': ["line 3, win: 12.5 is not a whole number"],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\n[powers.France]\ncolour = "blue"\nletter = "LONG"': [
        *("line 5, colour of France", '"#5cb6e8"', "line 6, letter of France", "one to three letters"),
    ],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\n[powers."1"]\n': ["line 4, 1: '1' cannot be the name"],
    'title = "Mine"\nlike = "standard"\nabout = """\nwin = 3\n"""\nwin = 2': ["line 6, win: nobody can win with 2"],
    'title = "Mine"\nlike = "standard"\npowers.Italy.units = "A Bur"\npowers.France = 3': ["line 4, France: 3 is not"],
    'title = "Mi\\u001bne"\nlike = "standard"': ["line 1, title: 'Mi\\x1bne' has characters that cannot be seen"],
    'title = "Mi\\u202ene"\nlike = "standard"': ["line 1, title: 'Mi\\u202ene' has characters"],
    'title = "Mine"\nlike = "standard"\nabout = """\nOne\n\nTwo\\u0007\n"""': ["line 3, about:"],
    'title = "Mine"\nlike = "standard"\n"wi\\u001bn" = 3': ["line 3, 'wi\\x1bn': there is no such field"],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\n[powers.ALL]\nunits = "A Par"\n[powers.GM]\nunits = "A Bre"': [
        *("line 4, ALL: 'all' already has a meaning", "line 6, GM: 'gm' already has"),
    ],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\nnames = "fleet"\n[powers.Orders]\nowns = "Ber"': [
        *("line 4, names of Italy: 'fleet' already has a meaning", "line 5, Orders: 'orders' already"),
    ],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\nwin = 12\n[powers.France]\nunits = "A Par"': [
        "line 4, win of Italy: it does not stand here. Expected it above the first [powers.NAME]"
    ],
    'title = "Mine"\nlike = "standard"\nunits = "A Par"': [
        "line 3, units: it does not stand here. Expected it below the"
    ],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\nnames = "france"\n[powers.France]': [
        "line 4, names of Italy: France is called 'france' already"
    ],
    'title = "Mine"\nlike = "standard"\n[powers.Italy]\n[powers.France]\nhomes = "Rom"': [
        "line 5, homes of France: Italy is at home in Rome already"
    ],
    'title = "Mine"\nlike = "standard"\n[powers.St Petersburg]': ['[powers."TWO WORDS"]'],
    'title = \u201cMine\u201d\nlike = "standard"': ["line 1, title: this is not TOML", "'straight'"],
    'title = "T"\nlike = "standard"': ["of 2 to 60 characters"],
    'title = "Mine"\nlike = "standard"\ntriggers = "fog"\nmap = "world"': ["line 3, triggers", "line 4, map"],
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_told_with_its_line_and_what_was_expected(folder: Path, text: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        include(folder, mine=text)
    told = str(caught.value)
    assert not [words for words in MISTAKES[text] if words not in told], told
    assert "Rome already" not in told or told.count("already") == 1, "what follows from a mistake is none"
    assert "mine.toml" in str(caught.value)
    assert "mine" not in all_variants()


MISTAKES_BESIDE_CODE = {
    'rules = "mine"': ["line 2, rules: 'mine' is not understood", '"own"'],
    "[numbers]\nroom = '3'": ["line 3, room: '3' is a text, in quotes", "a number from 1 to 999"],
    "[numbers]\nroom = 1000": ["line 3, room: 1000 is too large"],
    "[naming]\nfewest = 0\nmost = 1000": ["line 3, fewest: 0 is too small", "line 4, most: 1000"],
    "[naming]\nlength = '9 to 2'": ["line 3, length: 9 to 2 is no length"],
    "[naming]\nlength = '2 to 41'": ["line 3, length: 41 is too large"],
    "[naming]\nlength = 'long'": ["line 3, length: 'long' is not understood", '"2 to 20"'],
    "[naming]\nunits = 'A 1, W 2, F (3)'": ["'W 2' begins with no kind of unit; '(3)' is not understood"],
    "[naming]\nfewest = 2\n[naming.words]\nnames = 3": ["line 5, names of words: 3 is a number", "with blanks between"],
    '[powers.Italy]\nseat = "none"\n[powers.France]': ["line 3, seat of Italy: 'none' is", '"secret" or "nobody"'],
    "[sentences.notes]\nfar = '{to:shrt} is far'": ["line 3, far of notes: 'shrt' is no way to spell a fact"],
    "[sentences.events]\ngone = '{unit is gone'": ["line 3, gone of events: expected '}'", "facts in braces"],
    "[sentences.refusals]\nfar = []\nnear = ['{0}']": ["line 3, far of refusals: []", "line 4, near", "'0' is no fact"],
    "[signs.dish]\nsgin = '<path/>'\nground.striped = 1": ["line 3, sgin of dish", "line 4, striped of ground: 1 is a"],
    "[signs]\ndish = '<path/>'": ["line 3, dish: '<path/>' is", "a heading [signs.dish]"],
}


@pytest.mark.parametrize("text", MISTAKES_BESIDE_CODE)
def test_a_mistake_in_the_data_of_a_package_is_told_in_the_same_way(text: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        game_file.read("mine", f'title = "Mine"\n{text}', "mine.toml", like=game_file.packaged, code=True)
    missing = [words for words in MISTAKES_BESIDE_CODE[text] if words not in str(caught.value)]
    assert not missing, str(caught.value)


def test_each_file_is_another_edition_and_each_game_has_a_title_of_its_own(folder: Path) -> None:
    for other, named, problem in (
        ("mine.1", "mine", "mine.1.toml and mine.toml both are edition 1 of mine"),
        ("mine.2", "mine", "edition 1 of mine, and not 2"),
        ("mine.x", "mine", "edition 1 of mine, and not x"),
        ("other", "mine", "'Two Kingdoms' is the title of mine, too"),
    ):
        for name in (other, named):
            (folder / f"{name}.toml").write_text(RIGHT, encoding="utf-8")
        with pytest.raises(ConfigurationError, match=problem):
            variants.include(folder)
        for name in (other, named):
            (folder / f"{name}.toml").unlink()


def test_files_that_cannot_be_games(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, problem in {"black-hole": "there is a game black-hole already", "My_Game": "cannot be the name"}.items():
        (folder / f"{name}.toml").write_text(RIGHT, encoding="utf-8")
        with pytest.raises(ConfigurationError, match=problem):
            variants.include(folder)
        (folder / f"{name}.toml").unlink()
    (folder / "bad.toml").write_bytes(b"title = '\xff'")
    with pytest.raises(ConfigurationError, match=r"bad\.toml cannot be read"):
        variants.include(folder)
    (folder / "bad.toml").write_text("#" * 100_001, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"bad\.toml has more than 100,000 bytes"):
        variants.include(folder)
    (folder / "bad.toml").unlink()
    os.mkfifo(folder / "bad.toml")
    with pytest.raises(ConfigurationError, match=r"bad\.toml is not a file"):
        variants.include(folder)
    (folder / "bad.toml").unlink()
    with pytest.raises(ConfigurationError, match="cannot be read"):
        variants.include(folder / "none")
    assert main(["variant", "check", str(folder / "none.toml")]) == 1
    assert "There is no file" in capsys.readouterr().err


@pytest.mark.parametrize("games", [2, 300])
@pytest.mark.parametrize("last", ["standard", "g0"])
def test_games_that_are_like_each_other(folder: Path, games: int, last: str) -> None:
    for number in range(games):
        like = f"g{number + 1}" if number < games - 1 else last
        (folder / f"g{number}.toml").write_text(f'title = "Game {number}"\nlike = "{like}"', encoding="utf-8")
    if (games, last) == (2, "standard"):
        variants.include(folder)
        return
    with pytest.raises(ConfigurationError, match=r"there is no game 'g0' that is a file|are each like the next"):
        variants.include(folder)


def test_no_power_has_the_name_of_a_command(folder: Path) -> None:
    words = {word for name in COMMANDS for word in name.split()}
    powers = f'[powers.Italy]\n[powers.France]\nnames = "{", ".join(words)}"'
    with pytest.raises(ConfigurationError) as caught:
        include(folder, mine=f'title = "Mine"\nlike = "standard"\n{powers}')
    assert not [word for word in words if f"{word!r} already has a meaning in mails" not in str(caught.value)]


def test_what_follows_from_a_mistake_is_no_mistake(folder: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        include(folder, mine='title = "Mine"\n[powers.Italy]\nunits = "A Stockholm"\n[powers.France]\nunits = "A Par"')
    assert str(caught.value).count(", line ") == 1


def test_other_homes_and_centres_are_said(folder: Path) -> None:
    powers = '[powers.Italy]\nhomes = "Ven, Rom, Tun"\n[powers.France]\nowns = "Par, Bel"'
    game = include(folder, mine=f'title = "Mine"\nlike = "standard"\n{powers}')
    said = "Centres: Italy: home Rom, Tun, Ven. France: home Bre, Mar, Par; owns Bel, Par."
    assert said in game.brief


def test_no_two_powers_have_the_same_letter(folder: Path) -> None:
    powers = '[powers.Italy]\nletter = "x"\n[powers.France]\nletter = "X"'
    with pytest.raises(ConfigurationError, match="line 6, letter of France: Italy has the letter X already"):
        include(folder, mine=f'title = "Mine"\nlike = "standard"\n{powers}')


@pytest.mark.parametrize(
    "name",
    ["Turkey and Austria", "All Powers", "all but Austria", "A Par", "F-Bre", "Game Master", "the GM", "Ready Now"],
)
def test_no_power_s_name_reads_as_a_list_an_order_or_a_command(folder: Path, name: str) -> None:
    """Press to it, or orders for it, would be somebody else's."""
    with pytest.raises(ConfigurationError, match="already has a meaning in mails"):
        include(folder, mine=f'title = "Mine"\nlike = "standard"\n[powers.Italy]\n[powers."{name}"]')
    include(
        folder, mine='title = "Mine"\nlike = "standard"\n[powers.Italy]\n[powers."O\'Neill of Norway"]\nunits = "F Nwy"'
    )


def test_an_older_edition_stays(folder: Path) -> None:
    second = f"edition = 2\n{RIGHT}".replace("win = 12", "win = 13")
    for name, text in {"two.1": RIGHT, "two": second}.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    variants.include(folder)
    assert variant("two").rules.startswith("two/2/")
    assert "Whoever owns 12" in variant("two/1").rules_text
    assert json.dumps(position_to_json(start("two")))


def test_a_game_under_way_is_never_played_by_other_rules(folder: Path, world: World) -> None:
    """The file, or one that it is like, is changed without another edition: the game waits until it is back."""
    ann, like = "ann@example.org", 'title = "Again"\nlike = "two-kingdoms"'
    include(folder, two_kingdoms=RIGHT, again=like)
    text_of(world.send(ann, BASE, "PRACTICE again"))
    seat, phase = reply_to(world.last(ann)), "F1900M"
    rules = world.game(name_of(world.last(ann))).options.rules
    assert rules.startswith("again/1/")
    for old, new in {"win = 12": "win = 13", "F Belgium": "A Belgium", "Fall 1900": "Fall 1901"}.items():
        include(folder, two_kingdoms=RIGHT.replace(old, new), again=like)
        world.restart()
        said = text_of(world.send(ann, seat, "STATUS"))
        assert "The file of Again was changed" in said, said
        assert "as again.1.toml, and write edition = 2 into the changed one" in " ".join(said.split())
    second = RIGHT.replace("win = 12", "win = 13").replace("#112233", "#223311").replace("Lowland", "Netherlands")
    include(folder, two_kingdoms=second, again=f"edition = 2\n{like}", **{"again.1": like})
    world.restart()
    assert "was changed" in text_of(world.send(ann, seat, "STATUS")), "the older edition is like the changed file"
    (folder / "again.1.toml").unlink()
    include(folder, two_kingdoms=RIGHT.replace("#112233", "#223311").replace("Two", "Our"), again=like)
    world.restart()
    assert "Status of" in text_of(world.send(ann, seat, "STATUS"))
    assert phase in str(world.last(ann)["Subject"])
