"""What becomes of each line of many mails is what the golden files say.

After a change that is meant, `python -m tests.reading.replies` writes those of this test anew; read what has changed.
"""

from __future__ import annotations

import os

import pytest

from tests.reading.replies import REPLIES, REST, SESSIONS, of_replies, of_sessions, shortened

pytestmark = pytest.mark.long

_EACH = 3
"""Of the replies that are shown in full every third is looked at, and all others with GM_GOLDEN=check."""
_ALL = os.environ.get("GM_GOLDEN", "") == "check"


def test_the_replies_of_mail_programs() -> None:
    golden = REPLIES.read()
    if _ALL:
        assert shortened(of_replies()) == golden
        return
    shown = [name for name in golden if name != REST][::_EACH]
    assert of_replies(shown) == {name: golden[name] for name in shown}


def test_the_mails_of_the_sessions() -> None:
    assert of_sessions() == SESSIONS.read()
