"""Orders that contradict those above them, below other words, may be another's, whatever introduces them."""

from __future__ import annotations

import pytest

from gm.commands import COMMANDS
from gm.parsing.message import parse_message
from gm.reading.line import Reason, for_reasons
from gm.reading.origin import NOTHING, own_lines
from tests.reading.test_whole_mails import game

OWN = "A PAR-PIC\nF BRE-MAO"
THEIRS = "A MAR-BUR\nF BRE-ENG\nA PAR-GAS"


def fates(text: str) -> tuple[list[str], list[str]]:
    """The lines of a mail that are acted on, and those that are in doubt."""
    lexicon, now = game("standard")
    lines = own_lines(parse_message(text, lexicon, now, COMMANDS.reader), NOTHING)
    doubt = for_reasons(lines, Reason.QUOTED)
    return [line.text.strip() for line in lines if line.fate is None], [line.text.strip() for line in doubt]


@pytest.mark.parametrize(
    "between",
    [
        "нР: лЮПХЪ\nнРОПЮБКЕМН: 20 МНЪАПЪ 2026 Ц. 8:11\nйНЛС: юММЮ\nрЕЛЮ: RE: УНД\n\nHi, I would play",  # KOI8-R
        "20 МНЪАПЪ 2026 Ц., 8:11, лЮПХЪ йСГМЕЖНБЮ МЮОХЯЮКЮ:\n",
        "20 ?????? 2026 ?., 8:11, ????? ????????? ????????:\n",
        "??: ?????\n??????????: 20 ?????? 2026 ?. 8:11\n????: ????\n????: RE: ???\n",
        "Mia Long\n8:11 AM",
        "mia wrote: \u2191Fri Nov 20, 2026 8:11 am",
        '[quote="mia"]',
        'FYI, this is what Mia sent me:\n\n"Hi, I would play',
        "Mia mailed me this yesterday:\n---",
        "Mia Long invited you to:\n\nWhen: Friday, November 20, 2026 8:11 AM-9:00 AM.\nWhere: Teams\n\n*~*~*~*~*",
        "and if Mia is right",
    ],
)
def test_what_contradicts_orders_above_other_words_is_in_doubt_with_all_below_these(between: str) -> None:
    assert fates(f"{OWN}\n\n{between}\n{THEIRS}\nREADY") == (OWN.split("\n"), [*THEIRS.split("\n"), "READY"])


@pytest.mark.parametrize(
    "text",
    [
        "A PAR-BUR\nA PAR-PIC",
        "Hello\nA PAR-BUR\n\nA PAR-PIC\nthanks",
        "A PAR-BUR\nWAIT\nA PAR-PIC",
        "A PAR-PIC\nthe same again:\nPAR-PIC\nREADY",
        "A PAR-PIC\nand for the fleet\nF BRE-ENG\nREADY",
        "A PAR-PIC\nA PAR-BURR\nA PAR-GAS",
        "A PAR-PIC\nlater:\nF1901M:\nA PAR-GAS",
        "A PAR-PIC\nand there\nGAME autumn\nA PAR-GAS",
        "F STP/SC-BOT\nfrom the south:\nF STP/SC-BOT",
    ],
)
def test_what_follows_at_once_contradicts_nothing_or_is_for_another_phase_or_game_counts(text: str) -> None:
    acted, doubt = fates(text)
    assert acted[-1] in text.split("\n")[-2:]
    assert not doubt


def test_a_unit_is_known_by_its_province_and_its_last_order_counts() -> None:
    assert fates("F STP/SC-BOT\nor not\nF STP H") == (["F STP/SC-BOT"], ["F STP H"])
    assert fates("so\nA PAR-PIC\nA PAR-BUR\nMia:\nA PAR-PIC") == (["A PAR-PIC", "A PAR-BUR"], ["A PAR-PIC"])
