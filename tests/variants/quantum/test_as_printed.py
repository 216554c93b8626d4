"""The orders of the games' own texts, sent by mail exactly as they are printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.world import World, player, text_of
from tests.variants.quantum.test_by_mail import founded


@pytest.mark.ruling("QS-4", "QS-6")
@pytest.mark.parametrize(
    ("variant", "planet", "lines"),
    [
        ("quantum-space", "Auerbach", (("Auerbach 6 to Auerbach Orbit (A6-AO)", "F A6-AO"), ("AO-A7", "F AO-A7"))),
        ("quantum-space", "Auerbach", (("A6-AO", "F A6-AO"), ("Auerbach Orbit to Auerbach 7", "F AO-A7"))),
        ("quantum-space-3001", "Octagon", (("OOrbit-O2", "F OO-O2"), ("O2-OOrbit", "F O2-OO"))),
    ],
)
def test_up_and_down_again(tmp_path: Path, variant: str, planet: str, lines: tuple[tuple[str, str], ...]) -> None:
    world = World(tmp_path)
    seats = founded(world, (planet, "Zeno"), variant)
    if variant == "quantum-space":
        world.pass_time(days=8)
    for line, order in lines:
        said = text_of(world.send(player(planet), seats[planet], line))
        assert order in said, said
        assert "Not acted on" not in said
        world.pass_time(days=8)
    world.database.dispose()
