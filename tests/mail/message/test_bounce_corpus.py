"""The reader of bounces against those of more than sixty programs, generated from their formats."""

from __future__ import annotations

from collections import Counter

import pytest

from gm.mail.message.bounce_report import read_bounce
from tests.mail.message.bounces import TO, samples


@pytest.mark.parametrize("mailed", [(), (TO,)])
def test_every_bounce_of_every_program_is_read_as_it_is_meant(mailed: tuple[str, ...]) -> None:
    all_samples = list(samples())
    assert len(all_samples) >= 400
    assert len({sample.program for sample in all_samples}) >= 60
    found = [(sample, read_bounce(sample.raw, mailed)) for sample in all_samples]
    unread = Counter(sample.program for sample, bounce in found if bounce is None)
    assert not unread
    wrong = [
        (sample.program, sample.reply, bounce.reason, bounce.status)
        for sample, bounce in found
        if bounce is not None and bounce.hard is not sample.hard
    ]
    assert not wrong
    strangers = [sample.program for sample, bounce in found if bounce is not None and TO not in bounce.recipients]
    assert not strangers
