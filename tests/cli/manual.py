"""The manual page and the completion of shells, made from the parser: `python -m tests.cli.manual`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

import shtab
from argparse_manpage.manpage import Manpage

from gm import __version__
from gm.cli import PROGRAMS, whole_parser

FOLDER = Path(__file__).parent.parent.parent / "deploy" / "shell"
_SHORT, _LONG = PROGRAMS


def files() -> Mapping[str, str]:
    """The text of each file in deploy/shell."""
    parser = whole_parser()
    parser.prog = _SHORT
    bash, zsh = shtab.complete(parser, "bash"), shtab.complete(parser, "zsh")
    return {
        f"{_LONG}.1": _page(),
        f"{_SHORT}.1": f".so man1/{_LONG}.1\n",
        f"{_SHORT}.bash": f"{bash.rstrip()} {_LONG}\n",
        f"{_LONG}.bash": f'. "${{BASH_SOURCE[0]%/*}}/{_SHORT}"\n',  # installed without .bash
        f"_{_SHORT}": zsh.replace(f"#compdef {_SHORT}\n", f"#compdef {_SHORT} {_LONG}\n", 1),
    }


def _page() -> str:
    data = {"project_name": _LONG, "version": __version__, "date": "undated", "manual_title": "gm"}
    with mock.patch.dict(os.environ, COLUMNS="100", NO_COLOR="1"):
        return str(Manpage(whole_parser(), data)).replace("undated", "", 1).rstrip() + "\n"


if __name__ == "__main__":
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
