"""The peer's environment: `bench/.venv`, made when it is first wanted. Without it the benchmark has our times only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PEER = "diplomacy==1.1.2"
FOLDER = Path(__file__).parent / ".venv"
PYTHON = FOLDER / "bin" / "python"


def peer_python() -> Path | None:
    """The Python that has the peer, made if need be; None, with the reason said, if that fails."""
    if _has_peer():
        return PYTHON
    print(f"Installing {PEER} in {FOLDER} ...", file=sys.stderr)
    for command in (
        [sys.executable, "-m", "venv", str(FOLDER)],
        [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PEER],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"It could not be installed: {done.stderr.strip() or done.stdout.strip()}", file=sys.stderr)
            return None
    return PYTHON if _has_peer() else None


def _has_peer() -> bool:
    if not PYTHON.exists():
        return False
    return subprocess.run([str(PYTHON), "-c", "import diplomacy"], capture_output=True, check=False).returncode == 0
