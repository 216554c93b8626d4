"""docs/operating/troubles.md: each row of its table is made to happen, and alerts.yml names what there is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gm.cli
from gm.cli.check import findings
from gm.cli.serve import RunningServer
from gm.errors import ConfigurationError
from gm.server.condition import INSPECTIONS, Finding, Weight
from gm.server.metrics import COUNTED, figures
from gm.settings import load
from tests.databases import fresh_postgresql
from tests.deploy.troubles import TROUBLES, Failure, Site, new_site
from tests.server.world import World

DEPLOY = Path(__file__).parents[2] / "deploy"
CODE = re.compile(r"`([^`]+)`")
STOPS = {Weight.START: "start", Weight.WORK: "work", Weight.TELL: "-"}


def rows() -> dict[str, list[str]]:
    """The table's cells, by what `gm check` says FIX to: whom it stops, what one sees, what to run, and the games."""
    page = (DEPLOY.parent / "docs/operating/troubles.md").read_text(encoding="utf-8")
    section = page.split("\n## ")[0]
    lines = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in section.splitlines() if "|" in line]
    return {line[0].strip("`| "): line[1:] for line in lines[2:]}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, key: Path) -> Iterator[Site]:
    def postgresql() -> str:
        named = ("postgresql_server", "migrated_postgresql")
        return fresh_postgresql(*(request.getfixturevalue(name) for name in named))

    yield from new_site(tmp_path / "home", monkeypatch, postgresql, key)


def said(site: Site, name: str) -> list[Finding]:
    """What `gm check` says of one subject, and that something is to be done."""
    found = findings(site.home, mail=name == "a mail")
    return [one for one in found if one.subject == name and one.remedy]


def pieces(cell: str) -> list[str]:
    """What a cell says to do: commands and settings, and what stands between semicolons and commas."""
    plain = [part.strip(" `.") for part in re.split(r"[;:,(]", cell.replace(" or ", ";"))]
    return [part.lower() for part in (*CODE.findall(cell), *plain) if len(part) > 5]


@pytest.mark.parametrize("failure", TROUBLES, ids=lambda one: f"{one.name}: {one.seen}")
def test_what_is_wrong_is_said_with_what_to_run(failure: Failure, site: Site) -> None:
    stops, _, run, games = rows()[failure.name]
    failure.happens(site)
    [found] = (one for one in said(site, failure.name) if failure.seen in one.words)
    assert any(words in found.remedy.lower() for words in pieces(run)), (found.remedy, run)
    assert games
    if stops == "start":
        with pytest.raises(ConfigurationError) as refused:
            RunningServer(load(site.home)).start()
        assert failure.seen in str(refused.value)


def test_each_row_happens_and_what_happens_has_a_row() -> None:
    seen = {(name, words) for name, row in rows().items() for words in CODE.findall(row[1])}
    assert seen == {(one.name, one.seen) for one in TROUBLES}


def test_each_row_says_whom_it_stops() -> None:
    lightest_first = sorted(INSPECTIONS, key=lambda one: one.weight, reverse=True)
    weights = {one.name: STOPS[one.weight] for one in lightest_first}
    of_the_table = {name: row[0] for name, row in rows().items()}
    assert of_the_table == dict.fromkeys(of_the_table, "-") | weights | {"configuration": "start", "listener": "start"}


def subjects() -> Iterator[str]:
    """What `gm check` may say FIX or note to, by its sources: the first argument of each finding that has a remedy."""
    for name in ("check", "check_files", "mail_trial"):
        source = Path(gm.cli.__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding"):
                continue
            if len(node.args) == 3 and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)


def test_each_subject_of_a_check_has_a_row() -> None:
    assert {*subjects(), *(one.name for one in INSPECTIONS)} == {*rows()}


def test_alerts_name_figures_that_there_are(world: World) -> None:
    known = {one.name for one in figures(world.service, world.time)} | {*COUNTED, "gm_disk_free_bytes", "up"}
    known.add("gm_backup_age_seconds")  # from the first start on
    rules = (DEPLOY / "alerts.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:gm_[a-z_]+|up)\b(?=[{\s\[])", " ".join(re.findall(r"expr: (.*)", rules))))
    assert len(named) > 8
    assert named <= known
