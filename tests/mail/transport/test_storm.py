"""A small storm; `python -m tests.mail.transport.storm` is the full one."""

from __future__ import annotations

from pathlib import Path

from tests.mail.transport.storm import Storm


def test_mails_of_every_sort_while_the_server_is_killed(tmp_path: Path) -> None:
    outcome = Storm(tmp_path / "server", mails=150, kills=3, seed=1901).run()
    assert outcome.faults == [], str(outcome)
    assert outcome.kills == 3
    assert outcome.tries > outcome.posted, "no mail was posted a second time"
