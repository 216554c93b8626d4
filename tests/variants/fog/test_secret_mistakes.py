"""Games of fog that differ in whose orders were wrong, late, corrected or played again: France's mails are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.variants.fog.twins import (
    MASTER,
    TURKISH,
    Twins,
    again,
    all_ready,
    corrected,
    send_the_same_mails,
    too_late,
    unused,
    used,
)

pytestmark = pytest.mark.long(seconds=100)


WRONG = {
    "what is corrected": Twins(corrected("Turkey: A SMY-ARM"), corrected("Italy: F NAP-TYS"), master=MASTER),
    "what is played again": Twins(again(Turkey="A SMY-ARM"), again()),
    "orders that cannot be used": Twins(unused, used, times="early=no grace=12h reminder=3h", late=2),
    "orders that cannot be used, where one has extensions": Twins(unused, used, options="extensions=1", late=2),
    "READY beside orders that cannot be used": Twins(
        all_ready(unused, f"{TURKISH}\nREADY"), all_ready(used, TURKISH), times="early=ready nmr=hold reminder=3h"
    ),
    "whose orders came too late": Twins(too_late("Turkey", "A SMY-ARM"), too_late("Italy", "F NAP-TYS"), master=MASTER),
}
"""What was not right, and whose it was."""


@pytest.mark.ruling("FW-4", "FW-5", "FW-7")
@pytest.mark.parametrize("name", WRONG)
def test_whose_mistake_it_was_is_in_no_mail(name: str, tmp_path: Path) -> None:
    send_the_same_mails(WRONG[name], tmp_path)
