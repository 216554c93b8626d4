"""Every command line in README.md, CONTRIBUTING.md, docs/ and deploy/ is run: here, or by what `ELSEWHERE` names; every
`gm ...` in a sentence is one that gm understands; and every link leads somewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from gm.cli import COMMANDS, parser_of
from tests.cli.server import MASTER, Running
from tests.mail.transport.dovecot import find_server
from tests.processes import Process, streams_to
from tests.timing import HANGING
from tests.variants.test_games_of_files import example_of_a_file

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "deploy/README.md",
    *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("docs/*.md"))),
    *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("docs/operating/*.md"))),
)

ELSEWHERE = (
    (r"make (demo|test|check)\b|pipx install", ".ci/run runs it"),
    (r"make \w+|python -m (bench|tests)\b", "takes minutes or hours; that it is there is tested below"),
    (r"\.ci/run", "it runs this test"),
    (r"\.ci/audit", "tests/deploy/test_dependencies.py"),
    (r"\.ci/images", "takes minutes; what the images run, tests/deploy/test_compose.py runs without them"),
    (r"docker compose", "no Docker here: tests/deploy/test_compose.py runs the entry points"),
    (r"apt |systemctl|systemd-|install -[dD]|/opt/gm/bin/pip|python3 -m venv|cp |cat postfix"
     r"|runuser -u gm -- /opt/gm/bin/gm (init|check)",
     "docs/recipes/ does this and is followed by tests/deploy/test_recipes.py"),
    (r"editor ", "a person does that"),
    (r"python3 -m http\.server", "serves until it is stopped; tests/deploy/test_web.py serves the gallery"),
    (r"runuser -u gm -- /opt/gm/bin/gm (restore|move --(address|key))", "tests/cli/test_keeping.py, test_rekeying.py"),
    (r".*postgresql://", "tests/cli/test_move.py moves to a real PostgreSQL"),
)  # fmt: skip
_KNOWN = re.compile(
    r"(gm|make|pipx|swaks|ls|python3?|docker|apt|install|systemctl|systemd-\w+|runuser|editor|cp|cat|\.ci/\w+|/opt/\S+)"
    r"\s"
)


def command_lines() -> Iterator[tuple[str, str]]:
    """The pages and the command lines in their blocks, without the remarks."""
    for page in PAGES:
        for line in (ROOT / page).read_text(encoding="utf-8").splitlines():
            if line.startswith("    ") and _KNOWN.match(f"{line.strip()} "):
                yield page, re.split(r"\s{2,}#|\s#\s", line.strip())[0].strip()


def is_elsewhere(command: str) -> bool:
    return any(re.match(pattern, command) for pattern, _ in ELSEWHERE)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the server `games`, which runs and has the game spring, that is over."""
    folder = tmp_path_factory.mktemp("machine")
    with Running(folder / "games") as server:
        seats = server.started("spring")
        server.ask(MASTER, seats["GM"], "PROCESS S1901M")
        server.ask(MASTER, seats["GM"], "TERMINATE spring")
        server.wait_for(lambda: bool(seeds(folder)))
        (folder / "port").write_text(str(server.port))
        (folder / "variants").mkdir()
        (folder / "variants/two-kingdoms.toml").write_text(example_of_a_file(), encoding="utf-8")
        yield folder


def as_here(command: str, machine: Path, number: int) -> str:
    """The command with the places of this machine."""
    (seed,) = seeds(machine)
    command = (
        command.removeprefix("runuser -u gm -- ")
        .replace("/opt/gm/bin/gm", "gm")
        .replace("/var/lib/gm-new", f"new{number}")
    )
    command = command.replace("/var/lib/gm/", "").replace("/var/lib/gm", "games")
    command = command.replace("--server 127.0.0.1:2525", f"--server 127.0.0.1:{(machine / 'port').read_text()}")
    if command.startswith("gm init"):
        command = command.replace("games", f"fresh{number}")
    if command.startswith("gm serve"):
        command = "gm check --home games"  # it runs already
    return command.replace("1f3a...", seed)


def ran(command: str, machine: Path) -> tuple[int, str]:
    """The exit status of a command, and all that it says."""
    with TemporaryFile() as said:
        words = shlex.split(command)
        streams = streams_to(said)
        if words[0] == "gm":
            status = Process(*words, folder=machine, streams=streams).wait(HANGING)
        else:
            nothing, out, error = streams
            status = subprocess.run(
                ["bash", "-c", command], cwd=machine, stdin=nothing, stdout=out, stderr=error, check=False
            ).returncode
        said.seek(0)
        return status, said.read().decode()


def seeds(machine: Path) -> list[str]:
    """The seed of the game, once it is told."""
    groups = re.findall(r"\b(?:[0-9a-f]{16}\s+){3}[0-9a-f]{16}\b", shown(machine).replace("=\n", ""))
    told = {"".join(one.split()) for one in groups}
    return [one for one in told if sha256(bytes.fromhex(one)).hexdigest() in told]


def shown(machine: Path) -> str:
    """All mails to the gamemaster, the last of which tells the seed."""
    return "".join(path.read_text() for path in sorted((machine / "games" / "mail" / MASTER / "new").glob("*")))


def test_every_command_line_of_gm_in_a_block_does_what_it_should(machine: Path) -> None:
    lines = [command for _, command in command_lines() if not is_elsewhere(command)]
    assert sum(line.startswith("gm ") for line in lines) >= 12
    find_server("swaks")
    commands = {as_here(line, machine, number): line for number, line in enumerate(lines)}  # each once
    for command, line in commands.items():
        status, said = ran(command, machine)
        assert status == 0, f"{line}\n{command}\n{said}"


def test_what_is_run_elsewhere_is_there() -> None:
    for target in {found for _, line in command_lines() for found in re.findall(r"^make (\w+)", line)}:
        said = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
        assert said.returncode == 0, said.stderr
    patterns = [pattern for pattern, _ in ELSEWHERE]
    lines = [line for _, line in command_lines()]
    unused = [pattern for pattern in patterns if not any(re.match(pattern, line) for line in lines)]
    assert not unused


def spoken() -> Iterator[tuple[str, str]]:
    """The commands of gm within sentences, and those that the scripts of this project run."""
    for page in PAGES:
        text = re.sub(r"^ {4}.*$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
        for found in re.findall(r"`gm ([a-z][^`]*)`", text):
            yield page, " ".join(found.split())
    for script in ("Makefile", ".ci/run"):
        text = (ROOT / script).read_text(encoding="utf-8")
        for found in re.findall(r"(?:venv/bin|\$\(BIN\))/gm ([a-z][^|\n]*)", text):
            yield script, found.strip()


@pytest.mark.parametrize(("page", "command"), sorted(set(spoken())))
def test_every_command_in_a_sentence_is_understood(page: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, *words = shlex.split(
        command.replace("...", "x").replace("ADDRESS", "ann@example.org").replace("<script>", "standard")
    )
    assert name in COMMANDS, page
    if not words:
        return
    try:
        parser_of(name).parse_args(words)
    except SystemExit as ended:
        said = capsys.readouterr().err
        lacks = "arguments are required" in said or "expected one argument" in said  # only the name of it is meant
        if ended.code != 0 and not lacks:
            pytest.fail(f"{page}: {said}")


def links() -> Iterator[tuple[str, str]]:
    """The files to which pages lead."""
    for page in (*PAGES, *(f"docs/recipes/{path.name}" for path in ROOT.glob("docs/recipes/*.md"))):
        for found in re.findall(r"\]\(([^)#:]+)[^)]*\)", (ROOT / page).read_text(encoding="utf-8")):
            if found not in ("http", "https"):
                yield page, found


def test_every_link_leads_somewhere() -> None:
    assert not [(page, to) for page, to in links() if not (ROOT / page).parent.joinpath(to).exists()]


def test_the_readme_leads_to_a_page_for_everybody() -> None:
    led = {to for page, to in links() if page == "README.md"}
    assert {"docs/playing.md", "docs/gamemaster.md", "deploy/README.md", "docs/adding-a-game.md"} <= led
