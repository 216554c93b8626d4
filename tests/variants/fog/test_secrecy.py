"""Games of fog that differ in what others order send France's player the same mails."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from gm import variants
from gm.variants import variant
from tests.server.world import player
from tests.variants.fog.twins import (
    FAR,
    Game,
    Twins,
    alike,
    grown,
    out_of_the_game,
    ready,
    send_the_same_mails,
    with_orders,
)

pytestmark = pytest.mark.long(seconds=110)


ORDERED = {
    "who has ordered": Twins(with_orders(Turkey="", Russia="")),
    "who has ordered in part": Twins(with_orders(Turkey="A CON H", Russia="A WAR H\nF SEV H")),
    "where others went": Twins(FAR),
    "that others met": Twins(with_orders(Turkey="A CON H\nA SMY H\nF ANK-BLA", Russia="A WAR H\nA MOS H\nF SEV-BLA")),
    "what others order for those who are seen": Twins(
        with_orders(Turkey="A CON S A MAR-BUL\nA SMY H\nF ANK C A PAR-BUL")
    ),
    "who is ready, and what others ask": Twins(ready),
    "who is out": Twins(out_of_the_game),
    "who has grown": Twins(grown),
}
"""What others order, have and are."""


@pytest.mark.ruling("FW-4", "FW-5", "FW-7")
@pytest.mark.parametrize("name", ORDERED)
def test_what_others_order_is_in_no_mail(name: str, tmp_path: Path) -> None:
    send_the_same_mails(ORDERED[name], tmp_path)


CROWD = ("Ankara", "Smyrna", "Moscow", "Warsaw", "Tunis", "Naples")
"""Powers out of the sight of Paris."""


def crowded(path: Path, out_of_sight: Mapping[str, str]) -> list[tuple[object, ...]]:
    """A winter and a spring of Chaos in fog, in which the player of Paris, who runs it, asks everything."""
    path.mkdir()
    powers = variant("crowd").seating.powers
    game = Game(path, limits=0, master=player("Paris"), variant="crowd", powers=powers, own="Paris")
    game.begin("early=no grace=12h press=grey progress=yes reminder=3h")
    for number in (0, 1):
        game.curious()
        for power in powers:
            build = f"BUILD A {power}" if number == 0 else f"A {power} H"
            game.order(power, out_of_sight.get(power, build))
        game.curious()
        game.pass_time(days=3)
    assert game.phase() == "F1901M"
    game.curious()
    assert not game.service.wrong
    game.database.dispose()
    return game.seen()


@pytest.mark.ruling("FW-4", "FW-5", "FW-7")
def test_chaos_in_fog_sends_the_same_mails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "_own", ())
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "crowd.toml").write_text('title = "Crowd"\nlike = "chaos"\nsight = "fog"\n')
    variants.include(tmp_path / "games")
    one = crowded(tmp_path / "one", {})
    other = crowded(
        tmp_path / "other",
        dict(
            zip(CROWD, ("BUILD F ANK", "WAIVE", "BUILD F MOS", "A WAR H", "BUILD A TUN\nREADY", "READY"), strict=True)
        ),
    )
    alike(one, other)
