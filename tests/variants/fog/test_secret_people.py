"""Games of fog that differ in what others arrange, or are run in another way, send France's player the same mails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.variants.fog.twins import (
    FAR,
    MASTER,
    WATCHER,
    Twins,
    arranged,
    grown,
    in_digests,
    in_practice,
    leaving,
    nothing,
    send_the_same_mails,
)

pytestmark = pytest.mark.long(seconds=80)


ARRANGED = {
    "what others write and arrange": Twins(arranged, readers=(WATCHER,)),  # an assistant sees who has a deputy
    "results that wait for a gamemaster who plays": Twins(grown, options="release=gm", after="RELEASE"),
    "results that wait for one who does not": Twins(FAR, options="release=gm", master=MASTER, after="RELEASE"),
    "what those have who leave": Twins(leaving(grown), leaving(nothing)),
    "a practice game": Twins(in_practice(grown), in_practice(nothing)),
    "digests": Twins(in_digests(FAR), in_digests(nothing)),
}
"""What others arrange, and who runs a game how."""


@pytest.mark.ruling("FW-4", "FW-5", "FW-7")
@pytest.mark.parametrize("name", ARRANGED)
def test_what_others_arrange_is_in_no_mail(name: str, tmp_path: Path) -> None:
    send_the_same_mails(ARRANGED[name], tmp_path)
