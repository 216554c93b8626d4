"""What gm depends on: the pins and hashes and their description say the same; the check for vulnerabilities fails for
one alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PINS = (ROOT / "deploy" / "requirements.txt").read_text(encoding="utf-8")
PINNED = {canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", PINS, re.MULTILINE)}


def test_every_dependency_is_pinned_within_its_range_with_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = map(Requirement, (*project["dependencies"], *project["optional-dependencies"]["postgresql"]))
    unmet = [str(one) for one in wanted if PINNED.get(canonicalize_name(one.name), "0") not in one.specifier]
    assert not unmet, "run `make pins`"
    entries = re.split(r"^(?=[\w.-]+==)", PINS, flags=re.MULTILINE)[1:]
    assert len(entries) == len(PINNED)
    assert not [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry]


def test_the_description_has_what_is_pinned() -> None:
    described = json.loads((ROOT / "deploy" / "sbom.json").read_text(encoding="utf-8"))
    assert described["bomFormat"] == "CycloneDX"
    assert described["metadata"]["component"]["name"] == "gm-diplomacy"
    found = {canonicalize_name(one["name"]): one["version"] for one in described["components"]}
    assert {name: found[name] for name in found if name in PINNED} == PINNED, "run `make pins`"
    assert found.keys() - PINNED.keys() <= {"pip", "setuptools", "wheel"}


def _package(*found: str) -> dict[str, object]:
    return {"name": "lark", "version": "1.2", "vulns": [{"id": one, "fix_versions": ["1.3"]} for one in found]}


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        ({"dependencies": [_package()]}, 0, "1 packages checked"),
        ({"dependencies": [_package("PYSEC-1")]}, 1, "lark 1.2: PYSEC-1, mended in 1.3"),
        ({"dependencies": [{"name": "lark", "skip_reason": "not found"}]}, 0, "NOT CHECKED"),
        ({"dependencies": [{"name": "lark", "skip_reason": "not found"}, _package("PYSEC-1")]}, 1, "not checked: lark"),
        (None, 0, "NOT CHECKED"),
    ],
)
def test_only_a_vulnerability_fails(tmp_path: Path, answer: object, status: int, words: str) -> None:
    said = audited(tmp_path, f"print({json.dumps(answer)!r})" if answer else "sys.exit('no such host')")
    assert (said.returncode, said.stderr) == (status, "")
    assert words in said.stdout


def audited(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    """What .ci/audit says when this program answers in place of pip-audit."""
    (folder / "audit.py").write_text(f"import sys\n{program}")
    command = [sys.executable, str(ROOT / ".ci" / "audit"), sys.executable, str(folder / "audit.py")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_another_database_is_asked_where_the_first_cannot_be(tmp_path: Path) -> None:
    answer = json.dumps({"dependencies": [_package("PYSEC-1")]})
    said = audited(tmp_path, f"print({answer!r}) if '--vulnerability-service=osv' in sys.argv else sys.exit('no host')")
    assert said.returncode == 1
    assert "PYSEC-1" in said.stdout
    assert "checked for vulnerabilities by osv" in said.stdout


@pytest.mark.parametrize("broken", [False, True])
def test_what_could_not_be_checked_is_said_in_the_last_lines_of_ci(tmp_path: Path, broken: bool) -> None:
    """Run with its steps left out but the last two."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    begin, checks = script.partition('say "mail servers')[0], script[script.index('say "compose.yaml') :]
    (tmp_path / ".ci").mkdir()
    for name, says in (
        ("compose", "ran"),
        ("images", "NOT CHECKED: images"),
        ("audit", "NOT CHECKED for vulnerabilities"),
    ):
        (tmp_path / ".ci" / name).write_text(f"#!/bin/sh\necho {says}\nexit {int(broken and name == 'audit')}\n")
        (tmp_path / ".ci" / name).chmod(0o755)
    (tmp_path / ".ci" / "run").write_text(begin + checks)
    said = subprocess.run(["bash", tmp_path / ".ci" / "run"], capture_output=True, text=True, check=False)
    assert said.returncode == int(broken), said.stderr
    *_, vulnerabilities, last = said.stdout.strip().splitlines()
    assert vulnerabilities == "NOT CHECKED for vulnerabilities"
    assert ("FAILED" if broken else "all passed in 0 s, except for what is named above") in last.replace(" 1 s", " 0 s")
