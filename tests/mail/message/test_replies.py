"""Replies of many mail programs: exactly what their senders wrote is read, and nothing that they quote."""

from __future__ import annotations

import pytest

from tests.mail.message.messages import read
from tests.mail.message.replies import PROGRAMS, Program, replies


def test_there_are_enough_of_them() -> None:
    assert len(PROGRAMS) >= 60
    assert sum(len(list(replies(program))) for program in PROGRAMS) >= 400


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_what_the_sender_wrote(program: Program) -> None:
    for reply in replies(program):
        mail = read(reply.raw)
        own = tuple(line for line in mail.text.splitlines() if line.strip())
        assert own == reply.own, reply.name
        assert mail.automatic is None
        assert mail.faults == ()
