"""Orders for the present phase have no conditions: what depends on one is refused."""

from __future__ import annotations

from gm.parsing.message import Complaint, OrderLine
from gm.position import PhaseKind
from tests.parsing.names import LEXICON, parse_message
from tests.tables import table

CONDITIONAL = """
    mail                                                        | acted_on                | refused
    IF A Ber-Mun / THEN A Par-Pic                               |                         | THEN A Par-Pic
    IF A Ber-Mun / / THEN A Par-Pic / F Bre-Mao                 | F Bre-Mao               | THEN A Par-Pic
    if a bur / A Mar-Bur / else / A Mar-Spa / endif / F Bre-Mao | F Bre-Mao               | A Mar-Bur, A Mar-Spa
    If you ask me / A Par-Bur / then A Mar-Spa                  | A Par-Bur, then A Mar-Spa |
    F Bre-Mao / then A Mar-Spa                                  | F Bre-Mao, then A Mar-Spa |
    F Bre-Mao / A Par-Bur (if they agree)                      | F Bre-Mao               | A Par-Bur (if they agree)
    A Par-Bur # unless I am away                                |                         | A Par-Bur # unless I am away
    A Par-Bur (falls es geht)                             |                         | A Par-Bur (falls es geht)
    A Par-Bur (si Munich tient)                        |                         | A Par-Bur (si Munich tient)
    Thanks (and tell me if it is late)                          |                         |
    A Par-Bur (to keep Germany out)                             | A Par-Bur (to keep Germany out) |
"""


@table(CONDITIONAL)
def test_orders_below_a_condition_are_not_acted_on_without_it(mail: str, acted_on: str, refused: str) -> None:
    text = "\n".join(line.strip() for line in mail.split("/"))
    items = parse_message(text, LEXICON, PhaseKind.MOVEMENT).items
    assert ", ".join(item.text for item in items if isinstance(item, OrderLine)) == acted_on
    complaints = [item for item in items if isinstance(item, Complaint) and "a condition" in item.error.problem]
    assert ", ".join(item.text for item in complaints) == refused
