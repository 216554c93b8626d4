"""deploy/shell: the manual page and the completion of shells say what the command line is now."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from gm.cli import COMMANDS, PROGRAMS, parser_of
from tests.cli.manual import FOLDER, files


def test_they_are_what_the_parser_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")  # whatever the terminal
    stored = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert stored == files(), "run `python -m tests.cli.manual`"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_has_every_option_of_every_command(name: str) -> None:
    page = (FOLDER / f"{PROGRAMS[1]}.1").read_text(encoding="utf-8").replace("\\", "")
    assert f"gm {name}" in page
    options = {text for action in parser_of(name)._actions for text in action.option_strings}
    assert not [option for option in options - {"-h", "--help"} if option not in page]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    ("words", "offered"),
    [(("ba",), "backup"), (("init", "--mo"), "--mode"), (("init", "--mode", "l"), "lmtp"), (("mail", "fl"), "flush")],
)
def test_bash_completes(tmp_path: Path, program: str, words: tuple[str, ...], offered: str) -> None:
    for name in PROGRAMS:
        shutil.copy(FOLDER / f"{name}.bash", tmp_path / name)
    line = " ".join(f"'{word}'" for word in (program, *words))
    asked = (
        f"source {tmp_path / program}; complete -p {program} >&2;"
        f" COMP_WORDS=({line}); COMP_CWORD={len(words)}; _shtab_gm; echo ${{COMPREPLY[@]}}"
    )
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    said = subprocess.run([bash, "-c", asked], capture_output=True, text=True, check=True)
    assert said.stdout.split() == [offered], said.stderr
    assert said.stderr.strip().endswith(f" -F _shtab_{PROGRAMS[0]} {program}")
