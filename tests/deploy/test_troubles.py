"""deploy/README.md names each question that is asked about a server, and alerts.yml only figures that exist."""

from __future__ import annotations

import re
from pathlib import Path

from gm.server.condition import INSPECTIONS, Weight
from gm.server.metrics import COUNTED, figures
from tests.server.test_condition import PROVOKED
from tests.server.world import World

DEPLOY = Path(__file__).parents[2] / "deploy"


def rows() -> dict[str, list[str]]:
    """The table "When something is wrong", by the subject of `gm check`."""
    page = (DEPLOY / "README.md").read_text(encoding="utf-8")
    section = page.split("## When something is wrong\n")[1].split("\n## ")[0]
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:3] == "| `"
    ]
    return {row[0].strip("`"): row[1:] for row in cells[1:] if row[0] != "`gm check` says FIX to"} | {
        cells[0][0].strip("`"): cells[0][1:]
    }


def test_the_table_has_a_row_for_each_question_and_whom_it_stops() -> None:
    stops = {Weight.START: "start", Weight.WORK: "work", Weight.TELL: "-"}
    found = rows()
    assert {one.name: stops[one.weight] for one in INSPECTIONS}.items() <= {
        name: row[0] for name, row in found.items()
    }.items()
    assert all(cell for row in found.values() for cell in row)


def test_what_is_provoked_is_what_the_table_says_one_sees() -> None:
    found = rows()
    for one in PROVOKED:
        seen = re.findall(r"`([^`]+)`", found[one.name][1])
        assert any(one.words in words or words in one.words or one.name == "schema" for words in seen), one.words


def test_alerts_name_figures_that_there_are(world: World) -> None:
    known = {one.name for one in figures(world.service, world.time)} | {*COUNTED, "gm_disk_free_bytes", "up"}
    known.add("gm_backup_age_seconds")  # from the first start on
    rules = (DEPLOY / "alerts.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:gm_[a-z_]+|up)\b(?=[{\s\[])", " ".join(re.findall(r"expr: (.*)", rules))))
    assert len(named) > 8
    assert named <= known
