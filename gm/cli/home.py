"""The option by which a subcommand is told which server it works for.

Place: shared by the subcommands that have a server.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path


def add_home(parser: argparse.ArgumentParser) -> None:
    """Add `--home FOLDER`; `home` of the parsed arguments is an absolute path."""
    parser.add_argument(
        "--home",
        type=lambda text: Path(text).expanduser().absolute(),
        default=Path(os.environ.get("GM_HOME") or ".").expanduser().absolute(),
        metavar="FOLDER",
        help="the server's folder, where gm.toml lies (default: $GM_HOME, else the current folder)",
    )
