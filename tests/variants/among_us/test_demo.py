"""`gm demo among-us`: the Alien takes over Turkey, and three mailboxes are laid side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.cli import main
from gm.cli.demo_command import COLUMN
from gm.demo import load_script

pytestmark = pytest.mark.long


def test_the_takeover_of_turkey_is_shown_from_three_mailboxes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "demo"
    assert main(["demo", "among-us", "--home", str(home)]) == 0
    said = capsys.readouterr().out
    for code in load_script("among-us").orders:
        assert f"{code}  " in said
    assert "the Alien orders Build A Smy" in said
    table = "Anna Berger (Austria)" + said.partition("Anna Berger (Austria)")[2].partition("mails were sent")[0]
    austria, turkey, alien = (
        "\n".join(line[start : start + COLUMN].strip() for line in table.splitlines())
        for start in (0, COLUMN + 3, 2 * (COLUMN + 3))
    )
    assert "Turkey: Build Army Smyrna." in austria
    assert "What you control" in alien
    assert "eliminated" in turkey
    assert "must remove one unit" in " ".join(turkey.split())
    assert "eliminated" not in austria
    assert "control" not in austria + turkey
    assert "Traceback" not in (home / "gm.log").read_text()
