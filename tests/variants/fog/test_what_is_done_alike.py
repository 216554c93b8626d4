"""In fog it makes no difference to what is done with a mail what its sender's units, which are not seen, could use."""

from __future__ import annotations

from datetime import timedelta
from email.utils import format_datetime

import pytest

from tests.server.world import BASE, START, World, player, text_of

HELPER, MASTER = "helper@example.org", "master@example.org"
TURKEY = player("Turkey")


def begun(world: World, options: str = "") -> dict[str, str]:
    return world.started(options=f"variant=fog early=no nmr=hold first=3d move=3d reminder=none {options}")


def with_turkish(world: World, *units: str) -> None:
    """The only units of Turkey's are these from now on."""
    with world.altering() as row:
        others = [one for one in row.position["units"] if not one.startswith("Turkey")]
        row.position = row.position | {"units": sorted((*others, *(f"Turkey {one}" for one in units)))}


@pytest.mark.ruling("FW-4")
@pytest.mark.parametrize("units", [("A con", "A smy"), ()], ids=["has units", "has nothing to order"])
def test_an_extension_is_used_by_whoever_has_one(world: World, units: tuple[str, ...]) -> None:
    seats = begun(world, "extensions=1")
    with_turkish(world, *units)
    due = world.game().due_at
    assert due is not None
    assert "The deadline is now" in text_of(world.send(TURKEY, seats["Turkey"], "EXTEND"))
    assert world.game().due_at == due + timedelta(days=1)
    assert "A player has used an extension" in text_of(world.last(player("France")))


@pytest.mark.ruling("FW-4")
@pytest.mark.parametrize(
    ("smyrna", "answered"),
    [("smy", "see what another mail asks"), ("arm", "1 line not acted on"), ("con", "1 line not acted on")],
)
def test_orders_that_cross_a_report_count_as_sent_alike(world: World, smyrna: str, answered: str) -> None:
    """Whether they are asked about depends on what they could be."""
    seats = begun(world, "grace=12h")
    with_turkish(world, f"A {smyrna}")
    report = world.last(TURKEY)
    assert "S1901M" in str(report["Subject"])
    world.pass_time(days=3)
    world.pass_time(hours=12)
    assert world.phase() == "F1901M"
    at = {"In-Reply-To": str(report["Message-ID"]), "Date": format_datetime(START + timedelta(days=3, hours=3))}
    said = world.send(TURKEY, seats["Turkey"], "A SMY H", headers=at)
    assert answered in str(said["Subject"])
    game = world.game()
    assert "Turkey" not in [seat.power for seat in game.missing]


@pytest.mark.ruling("FW-4")
@pytest.mark.parametrize(("variant", "knows"), [("fog", False), ("standard", True)])
def test_an_assistant_learns_no_turnout_that_tells_who_has_ordered(world: World, variant: str, knows: bool) -> None:
    seats = world.started(options=f"variant={variant} early=no nmr=hold first=3d move=3d reminder=none")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER} AS ASSISTANT")
    world.pass_time(days=3)
    world.send(TURKEY, seats["Turkey"], "RESIGN spring")
    world.send(TURKEY, BASE, "TAKEOVER spring AS Turkey")
    told = {who: text_of(world.last(who)) for who in (MASTER, HELPER)}
    assert all("has taken over Turkey." in said for said in told.values())
    assert ["1 missed of 1" in said for said in told.values()] == [True, knows]
