"""`gm verify`: games that were played by mail, worked out again; and whatever was altered afterwards is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from gm.chance import Chance
from gm.cli import main
from gm.cli.init import write
from gm.orders.notation import write_unit
from gm.play.export import chronicle_of, chronicle_to_json, finished_game
from gm.reports import explain, in_groups
from gm.store.game_rows import GameRow
from gm.store.outbox import OutboxRow
from gm.variants import variant
from tests.server.world import BASE, World, player, reply_to, text_of

pytestmark = pytest.mark.long

GAME = "maelstrom"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    write(tmp_path, address=BASE, mode="alone", port=2525)
    world = World(tmp_path)
    yield world
    world.database.dispose()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The seed and the history of a game that was played."""
    world = World(tmp_path_factory.mktemp("played"))
    seed = played(world, "variant=black-hole")
    with world.looking() as session:
        chronicle = chronicle_of(session, finished_game(session, GAME))
    world.database.dispose()
    return seed, json.dumps(chronicle_to_json(chronicle))


def played(world: World, options: str) -> str:
    """A game of one year, which ends as a draw; its seed."""
    seats = world.started(GAME, f"last=1901 {options}")
    if "black-hole" in options:
        world.send(player("France"), seats["France"], "EXEMPT MAR\nA PAR-BUR")
    for _ in range(2):
        world.send("master@example.org", seats["GM"], f"PROCESS {GAME} {world.phase(GAME)}")
    return world.game(GAME).seed


def verify(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit status, and what was said."""
    capsys.readouterr()
    status = main(["verify", *arguments])
    said = capsys.readouterr()
    return status, said.out + said.err


@pytest.mark.ruling("BH-2")
@pytest.mark.parametrize("options", ["variant=black-hole", "variant=black-hole nmr=random powers=random", "nmr=random"])
def test_bh_2_a_game_is_checked_from_the_store(world: World, capsys: pytest.CaptureFixture[str], options: str) -> None:
    seed = played(world, options)
    status, said = verify(capsys, GAME, "--home", str(world.path))
    assert status == 0, said
    assert "WRONG" not in said
    assert "Commitment, as 8 first mails have it" in said
    assert "2 phases were adjudicated again" in said
    assert seed in said
    assert ("S1901/hole: number" in said) is ("black-hole" in options)
    assert ("missing/S1901M/" in said) is ("nmr=random" in options)
    assert ("powers/7: number" in said) is ("powers=random" in options)


@pytest.mark.ruling("BH-2")
def test_bh_2_the_draws_listed_are_those_of_the_seed(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    chance = Chance(bytes.fromhex(played(world, "variant=black-hole")), GAME)
    _, said = verify(capsys, GAME, "--home", str(world.path))
    assert f"S1901/hole: number {chance.below(75, 'S1901', 'hole')} of 0 to 74, " in said
    assert f"S1901/exempt/Russia: number {chance.below(4, 'S1901', 'exempt', 'Russia')} of 0 to 3, " in said
    assert "S1901/exempt/France" not in said, "Marseilles was named"


@pytest.mark.ruling("BH-2")
def test_bh_2_its_players_check_it_from_its_history(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = played(world, "variant=black-hole")
    path = tmp_path / "history.json"
    status, said = verify(capsys, GAME, "--home", str(world.path), "--export", str(path))
    assert status == 0
    assert f"gm verify --seed {seed} --history history.json" in said
    text = path.read_text()
    assert "@" not in text, "it names nobody"
    commitment = Chance(bytes.fromhex(seed)).commitment
    status, said = verify(capsys, "--seed", seed, "--history", str(path), "--commitment", commitment)
    assert status == 0, said
    assert "Everything agrees" in said
    status, said = verify(capsys, "--seed", seed, "--history", str(path), "--commitment", "00" * 32)
    assert status == 1
    assert "WRONG Commitment as given" in said


def other_hole(history: Any) -> None:
    """Another province vanishes in Spring."""
    holes = history["phases"][1]["position"]["state"]["holes"]
    (gone,) = holes
    holes.clear()
    holes["syr" if gone != "syr" else "arm"] = "S1901"


def other_exemption(history: Any) -> None:
    """Russia's exemption is another than was drawn."""
    exempt = history["phases"][1]["position"]["state"]["exempt"]
    exempt["Russia"] = "sev" if exempt["Russia"] != "sev" else "mos"


def other_orders(history: Any) -> None:
    """Orders are changed afterwards."""
    history["phases"][0]["orders"]["France"].pop()


def other_unit(history: Any) -> None:
    """A unit begins elsewhere."""
    history["phases"][0]["position"]["units"][0] = "Austria A boh"


def other_result(history: Any) -> None:
    """Store a result that did not happen."""
    history["phases"][0]["result"]["outcomes"][0]["result"] = "bounces"


def other_facts(history: Any) -> None:
    """Store that the unit was opposed by another."""
    history["phases"][0]["result"]["outcomes"][0]["against"] = [["Turkey A con", 1]]


def one_outcome_less(history: Any) -> None:
    """An outcome is left out."""
    history["phases"][0]["result"]["outcomes"].pop()


def other_event(history: Any) -> None:
    """Store that the hole was drawn from fewer provinces."""
    history["phases"][0]["result"]["events"][0]["facts"]["candidates"] -= 1


def other_count(history: Any) -> None:
    """Store that a centre was gained."""
    history["phases"][1]["result"]["count"]["gained"]["Turkey"] = ["bul"]


def other_rules(history: Any) -> None:
    """Store that the phase was adjudicated by other rules."""
    history["phases"][0]["result"]["rules"] = "black-hole/7"


def other_form(history: Any) -> None:
    """The result is in no form that we know."""
    history["phases"][0]["result"]["v"] = 7


def other_powers(history: Any) -> None:
    """The first two players change places."""
    dealt = history["dealing"]["dealt"]
    dealt[0], dealt[1] = dealt[1], dealt[0]


@pytest.mark.ruling("BH-2")
@pytest.mark.parametrize(
    ("alter", "where", "what"),
    [
        (other_hole, "WRONG S1901M", "The position has state"),
        (other_exemption, "WRONG S1901M", "The position has state"),
        (other_orders, "WRONG S1901M", "The stored outcome of France: "),
        (other_unit, "WRONG Opening", "The position has units"),
        (
            other_result,
            "WRONG S1901M",
            'The stored outcome of France: A par-bur is {"result": "bounces"}; adjudicated again it is '
            '{"result": "succeeds"}.',
        ),
        (
            other_facts,
            "WRONG S1901M",
            'France: A par-bur is {"against": [["Turkey A con", 1]]}; adjudicated again it is {}.',
        ),
        (one_outcome_less, "WRONG S1901M", "The stored outcome of Turkey: A smy H is null;"),
        (other_event, "WRONG S1901M", "The result has events"),
        (other_count, "WRONG F1901M", "The result has count"),
        (other_rules, "WRONG S1901M", 'The result has rules "black-hole/7"; adjudicated again it is "black-hole/1".'),
        (other_form, "WRONG S1901M", "Its result is stored in another format than this program's"),
        (other_powers, "WRONG Powers", "Dealt: "),
    ],
)
def test_bh_2_whatever_was_altered_is_found(
    written: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    alter: Callable[[Any], None],
    where: str,
    what: str,
) -> None:
    seed, text = written
    history = json.loads(text)
    alter(history)
    path = tmp_path / "history.json"
    path.write_text(json.dumps(history))
    status, said = verify(capsys, "--seed", seed, "--history", str(path))
    assert status == 1
    assert where in said
    assert what in said
    assert "do NOT agree" in said


@pytest.mark.ruling("BH-2")
def test_bh_2_a_new_wording_makes_no_difference(
    written: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that was stored before a sentence was reworded is still what was played."""
    seed, text = written
    path = tmp_path / "history.json"
    path.write_text(text)
    monkeypatch.setattr(explain, "_hold", lambda outcome, order: f"{write_unit(order.unit)} stays")
    words: Any = variant("black-hole").words
    for kinds in (words.reasons, words.events, words.victories):
        for kind in kinds:
            monkeypatch.setitem(kinds, kind, lambda *_: "in other words")
    status, said = verify(capsys, "--seed", seed, "--history", str(path))
    assert status == 0, said
    assert "2 phases were adjudicated again" in said


@pytest.mark.ruling("BH-2")
def test_bh_2_another_seed_is_found_out(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Even if the operator changes it in the database: the first mails have the commitment to the true one."""
    played(world, "variant=black-hole")
    with world.database.transaction() as session:
        session.execute(update(GameRow).values(seed="ab" * 32))
    status, said = verify(capsys, GAME, "--home", str(world.path))
    assert status == 1
    assert "8 of 8 first mails have another commitment" in said
    assert "WRONG S1901M" in said


def test_phases_that_were_rolled_back_are_left_out(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    seats = world.started(GAME, "last=1901 variant=black-hole nmr=random")
    for line in ("PROCESS {game} S1901M", "ROLLBACK S1901M", "PROCESS {game} S1901M", "PROCESS {game} {phase}"):
        world.send("master@example.org", seats["GM"], line.format(game=GAME, phase=world.phase(GAME)))
    while world.phase(GAME)[0] != "W":
        world.send("master@example.org", seats["GM"], f"PROCESS {GAME} {world.phase(GAME)}")
    status, said = verify(capsys, GAME, "--home", str(world.path))
    assert status == 0, said
    assert said.count("ok    S1901M") == 1


@pytest.mark.ruling("QS-12")
def test_who_joined_late_joined_what_is_adjudicated_again(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Two in one phase, whose codes depend on who came first."""
    created = world.send("master@example.org", BASE, f"CREATE {GAME} variant=quantum-space-3001 last=3001")
    for planet in ("Auerbach", "Berenike"):
        world.send(player(planet), BASE, f"JOIN {GAME} AS {planet}")
    world.send("master@example.org", reply_to(created), f"START {GAME}")
    for planet in ("Nova", "Nemesis"):
        world.send(player(planet), BASE, f"JOIN {GAME} AS {planet}")
    for _ in range(2):
        world.pass_time(days=8)
    status, said = verify(capsys, GAME, "--home", str(world.path))
    assert status == 0, said
    assert "2 phases were adjudicated again" in said


def test_first_mails_that_are_not_kept_are_asked_for(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    played(world, "variant=black-hole")
    with world.database.transaction() as session:
        session.execute(update(OutboxRow).values(purpose=OutboxRow.purpose + "-old"))
    status, said = verify(capsys, GAME, "--home", str(world.path))
    assert status == 0
    assert "Commitment; compare it with the game's first mail:" in said


def test_what_cannot_be_checked_is_reported(world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world.started(GAME, "variant=black-hole")
    home = ("--home", str(world.path))
    for arguments, told in (
        ((GAME, *home), "Its seed is secret until the game is over."),
        (("nowhere", *home), "There is no game 'nowhere'. Games that are over: none yet."),
        ((*home,), "No game is named"),
        (("--history", str(tmp_path / "none.json"), "--seed", "ab" * 32), "cannot be read"),
        (("--history", str(tmp_path / "none.json")), "To verify a history, give its seed"),
        (("--history", str(tmp_path / "gm.toml"), "--seed", "ab" * 32), "is not the history of a game"),
        (("--history", str(tmp_path / "gm.toml"), "--seed", "abc"), "is not the history of a game"),
    ):
        status, said = verify(capsys, *arguments)
        assert status == 1
        assert told in said
    assert world.game(GAME).seed not in capsys.readouterr().out


@pytest.mark.parametrize("ends", ["PROCESS", "TERMINATE"])
def test_a_published_seed_is_not_used_again(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str], ends: str
) -> None:
    """The game was over, and its seed is public: a resumed game draws from a new one, with a new commitment."""
    seats = world.started(GAME, "last=1901")
    master = "master@example.org"
    world.send(master, seats["GM"], f"PROCESS {GAME} S1901M")
    over = "PROCESS" if ends == "PROCESS" else f"TERMINATE {GAME}"
    world.send(master, seats["GM"], over)
    told = world.game(GAME).seed
    assert in_groups(told) in text_of(world.send(master, seats["GM"], "SUMMARY"))
    answer = text_of(world.send(master, seats["GM"], "ROLLBACK S1901M"))
    resumed = world.game(GAME)
    assert resumed.seed != told
    assert in_groups(resumed.chance.commitment) in answer
    assert in_groups(resumed.chance.commitment) in text_of(world.last(player("Turkey")))
    assert "was over before" in text_of(world.send(master, seats["GM"], "ROLLFORWARD"))
    assert "cannot be undone" in text_of(world.send(master, seats["GM"], "UNDO"))
    assert in_groups(resumed.seed) not in text_of(world.send(master, seats["GM"], "SUMMARY"))
    for phase in ("S1901M", "F1901M"):
        world.send(master, seats["GM"], f"PROCESS {phase}")
    summary = text_of(world.send(master, seats["GM"], "SUMMARY"))
    assert in_groups(resumed.seed) in summary
    assert in_groups(told) in summary
    path = tmp_path / "history.json"
    assert verify(capsys, GAME, "--home", str(world.path), "--export", str(path))[0] == 0
    first = Chance(bytes.fromhex(told)).commitment
    status, said = verify(capsys, "--seed", resumed.seed, "--history", str(path), "--commitment", first)
    assert status == 0, said
    assert verify(capsys, "--seed", told, "--history", str(path))[0] == 1


def test_a_game_that_was_rolled_back_after_its_end_is_checked_with_each_of_its_seeds(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was played before the phase that is played again came from the first seed."""
    seats = world.started(GAME, "last=1901")
    for line in ("PROCESS", "PROCESS", "ROLLBACK F1901M", "PROCESS"):
        world.send("master@example.org", seats["GM"], line)
    with world.looking() as session:
        chronicle = chronicle_of(session, finished_game(session, GAME))
    assert [entry.seed for entry in chronicle.entries if entry.result is not None] == [0, 1]
    assert verify(capsys, GAME, "--home", str(world.path))[0] == 0


def test_a_sandbox_is_checked_from_where_it_began(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """Its powers were never dealt, and it has no opening of its own."""
    seats = world.started(GAME)
    world.send("master@example.org", seats["GM"], f"PROCESS {GAME} {world.phase(GAME)}")
    world.send(player("France"), seats["France"], "SANDBOX")
    with world.looking() as session:
        name = session.scalars(select(GameRow.name).where(GameRow.name != GAME)).one()
    sandbox = world.last(player("France"))
    world.send(player("France"), str(sandbox["Reply-To"]), "A PAR-BUR\nREADY")
    world.pass_time(days=8)  # then it ends
    status, said = verify(capsys, name, "--home", str(world.path))
    assert status == 0, said
    assert "Sandbox: its powers were not dealt" in said
