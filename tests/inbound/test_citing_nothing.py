"""What new mails quote, which cite none of ours: old reports, old receipts, press."""

from __future__ import annotations

import pytest

from tests.server.world import OPENINGS, World, body_of, player, text_of

FRANCE = player("France")

HEADER = "From: Diplomacy gamemaster\nSent: Saturday\nTo: x\nSubject: y\n\n"


@pytest.mark.parametrize("own", ["", "A MAR-SPA\n\n"])
@pytest.mark.parametrize("changed", ["", "A PAR-PIC"])
def test_an_old_report_is_known_in_a_new_mail(world: World, seats: dict[str, str], own: str, changed: str) -> None:
    world.send(player("Austria"), seats["Austria"], "A VIE-GAL")
    world.pass_time(days=9)
    report = body_of(world.last(FRANCE))
    assert "Army Vienna -> Galicia" in report
    for _ in range(9):
        world.send(FRANCE, seats["France"], "STATUS")
    answer = text_of(
        world.send(FRANCE, seats["France"], f"{own}{HEADER}{report}\n{changed}", headers={"In-Reply-To": ""})
    )
    assert "Army Vienna" not in answer
    assert ("Not acted on, since these lines" in answer) is bool(changed)
    assert changed in answer


@pytest.mark.parametrize("gap", ["  ", "\u00a0 ", " "])
@pytest.mark.parametrize("begins", ["Your mail was understood", "Orders of France", "F Bre-Mao"])
def test_an_old_receipt_is_known_in_a_new_mail(world: World, seats: dict[str, str], begins: str, gap: str) -> None:
    receipt = body_of(world.send(FRANCE, seats["France"], OPENINGS["France"]))
    for order in ("A PAR-PIC\nA MAR-BUR\nF BRE-ENG", "F BRE-PIC", "A PAR-BRE", "F BRE-GAS", "F BRE-ENG", "A MAR H"):
        world.send(FRANCE, seats["France"], order)
    old = receipt[receipt.index(begins) :].replace("  ", gap)
    answer = text_of(world.send(FRANCE, seats["France"], f"A MAR-PIE\n\n{old}", headers={"In-Reply-To": ""}))
    now = text_of(world.send(FRANCE, seats["France"], "MY ORDERS"))
    assert all(order in now for order in ("A Mar-Pie", "A Par-Bre", "F Bre-Eng"))
    assert "between quoted lines of a mail of ours" in answer


@pytest.mark.parametrize(("subject", "above"), [("Re: press", ""), ("Hello", "You wrote:\n")])
def test_press_quoted_without_marks_by_a_mail_that_cites_none_is_not_acted_on(
    world: World, seats: dict[str, str], subject: str, above: str
) -> None:
    world.send(FRANCE, seats["France"], "PRESS TO GM\nSET grace=7h\nCOMMENT pwned\nENDPRESS")
    headers = {"In-Reply-To": "", "Subject": subject}
    text = f"{above}SET grace=7h\nCOMMENT pwned\n\nI will not do that.\n"
    answer = text_of(world.send("master@example.org", seats["GM"], text, headers=headers))
    assert "quoted from press that you were sent, so nothing was done" in answer
    assert "pwned" not in text_of(world.send(FRANCE, seats["France"], "STATUS"))
