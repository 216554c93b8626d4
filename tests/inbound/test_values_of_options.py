"""Values of options that no game can have, refused with the reason; and ways to write others."""

from __future__ import annotations

import pytest

from gm.errors import NotUnderstood
from gm.options import read_options
from tests.server.world import BASE, World, text_of

MASTER = "master@example.org"


@pytest.mark.parametrize(
    ("variant", "least"), [("standard", 5), ("among-us", 5), ("black-hole", 5), ("outer-space", 2)]
)
def test_no_game_is_won_by_what_a_power_begins_with(variant: str, least: int) -> None:
    assert read_options({"variant": variant, "win": str(least)}).value("win") == least
    if least > 2:
        with pytest.raises(NotUnderstood, match="its least number that nobody begins with is 5"):
            read_options({"variant": variant, "win": str(least - 1)})


def test_a_share_of_orders_in_time_may_be_written_in_per_cent(world: World) -> None:
    said = text_of(world.send(MASTER, BASE, "CREATE prompt ontime=90%"))
    assert "ontime=90%" in said
    assert world.game("prompt").options.on_time == 90
    assert "90 of 100 phases" in text_of(world.send("eve@example.net", BASE, "LIST"))
