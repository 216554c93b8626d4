"""A game keeps the edition of the rules it began with, even if they are amended while it is played."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gm import folder, variants
from gm.errors import NotUnderstood
from gm.options import read_options
from gm.position import Position
from gm.turn import CENTERS, Victory
from gm.variants import NoSuchEdition, Variant, all_variants, variant
from gm.variants.standard import POWERS, STANDARD
from tests.server.world import BASE, World, player, reply_to

MASTER = "master@example.org"


def _three_win(position: Position) -> Victory | None:
    return Victory((POWERS[0],), CENTERS, {"owned": 3})


SECOND = replace(STANDARD, edition=2, title="Diplomacy, amended", victory=_three_win)
"""Victory with three centres: an invented edition, in which every game ends after its first season."""

Amend = Callable[..., None]


@pytest.fixture
def amend(monkeypatch: pytest.MonkeyPatch) -> Amend:
    """Replaces the editions of the standard game by others."""
    others = tuple(game for game in variants.register() if game.name != "standard")

    def amended(*editions: Variant) -> None:
        monkeypatch.setattr(variants, "register", lambda: (*editions, *others))

    return amended


def text(world: World, sender: str, to: str, words: str) -> str:
    """The plain text of an answer."""
    part = world.send(sender, to, words).get_body(("plain",))
    assert part is not None
    return " ".join(str(part.get_content()).split())


def rules_of(world: World, name: str) -> str:
    return world.game(name).options.rules


def test_the_newest_edition_is_begun_and_any_that_is_there_is_found(amend: Amend) -> None:
    assert variant("standard") is STANDARD
    names = list(all_variants())
    amend(SECOND, STANDARD)
    assert list(all_variants()) == names
    assert (variant("standard"), variant("standard/1"), variant("Standard/2")) == (SECOND, STANDARD, SECOND)
    with pytest.raises(NoSuchEdition, match="edition 3 of the rules of Diplomacy, amended"):
        variant("standard/3")
    with pytest.raises(NoSuchEdition, match="edition 1 of the rules of chess, "):
        variant("chess/1")
    with pytest.raises(KeyError):
        variant("chess")


def test_options_keep_the_edition_until_a_variant_is_named(amend: Amend) -> None:
    first = read_options({"move": "2d"})
    assert first.rules == "standard/1"
    amend(STANDARD, SECOND)
    assert read_options({"move": "1d"}, first.texts).variant is not SECOND
    assert read_options({"move": "1d"}, first.texts).rules == "standard/1"
    assert read_options({"variant": "standard"}, first.texts).variant == SECOND
    assert read_options({}).rules == "standard/2"
    assert read_options({"variant": "black-hole"}, first.texts).rules == variant("black-hole").rules
    assert "rules" not in read_options({}).chosen
    with pytest.raises(NotUnderstood):
        read_options({"rules": "standard/1"})


def test_a_game_under_way_keeps_its_rules_and_a_new_one_gets_the_new(world: World, amend: Amend) -> None:
    world.started("old")
    amend(STANDARD, SECOND)
    world.started("newer")
    assert (rules_of(world, "old"), rules_of(world, "newer")) == ("standard/1", "standard/2")
    world.pass_time(days=8)
    assert world.phase("old") == "F1901M"
    assert world.game("newer").state == "finished"
    assert "Austria has won. Austria owns 3 supply centres." in text(world, MASTER, BASE, "SUMMARY newer")
    with world.looking() as session:
        rows = session.connection().exec_driver_sql("select result from phase where result is not null").scalars()
        stored = {(json.loads(row) if isinstance(row, str) else row)["rules"] for row in rows}
    assert stored == {"standard/1", "standard/2"}


def test_an_edition_that_is_gone_is_an_error_of_that_game_alone(world: World, amend: Amend) -> None:
    seats = world.started("old")
    amend(SECOND)
    world.restart()
    created = world.send(MASTER, BASE, "CREATE newer")
    gone = "edition 1 of the rules of Diplomacy, amended, which this server does not have"
    assert gone in text(world, player("France"), seats["France"], "A PAR-BUR")
    assert gone in text(world, player("France"), BASE, "STATUS old")
    assert gone in text(world, MASTER, seats["GM"], "SET move=1d")
    listed = text(world, player("France"), BASE, "LIST")
    assert "old" in listed
    assert "newer" in listed
    for power in POWERS:
        world.send(player(power), BASE, f"JOIN newer AS {power}")
    world.send(MASTER, reply_to(created), "START newer")
    world.pass_time(days=8)
    assert world.game("newer").state == "finished"
    assert world.phase("old") == "S1901M"
    assert any(
        "old could not be adjudicated" in str(mail["Subject"]) for mail in world.mailboxes["operator@example.org"]
    )
    amend(STANDARD, SECOND)
    world.restart()
    world.pass_time(days=1)
    assert world.phase("old") == "F1901M"


def test_the_rules_of_a_game_are_sent_in_its_edition(
    world: World, amend: Amend, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    texts = shutil.copytree(folder("templates"), tmp_path / "templates")
    monkeypatch.setattr("gm.play.briefs.folder", lambda name: tmp_path / name)
    (texts / "rules" / "standard.1.txt").write_text("Eighteen centres win.\n", encoding="utf-8")
    chair = reply_to(world.send(MASTER, BASE, "CREATE kept"))
    amend(STANDARD, SECOND)
    assert "Eighteen centres win." in text(world, MASTER, chair, "RULES")
    assert "Eighteen centres win." not in text(world, MASTER, BASE, "RULES standard")
