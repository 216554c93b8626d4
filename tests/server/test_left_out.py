"""What a receipt says of lines below END and of encoded files; and mail whose subject says that its sender is away."""

from __future__ import annotations

import pytest

from tests.server.world import BASE, World, player, text_of

FRANCE = player("France")


@pytest.mark.parametrize("end", ["END", "End.", "SIGNOFF"])
def test_orders_below_the_end_are_listed(world: World, seats: dict[str, str], end: str) -> None:
    answer = text_of(world.send(FRANCE, seats["France"], f"A PAR-BUR\n{end}\nF BRE-MAO\nREADY\nYours, Pat"))
    assert "Send it again without END if you mean it: 'F BRE-MAO'; 'READY'." in answer
    assert "2 units without an order" in answer


def test_a_signature_below_the_end_is_not(world: World, seats: dict[str, str]) -> None:
    assert "END" not in text_of(world.send(FRANCE, seats["France"], "A PAR-BUR\nEND\nYours, Pat\nParis"))


def test_orders_go_on_below_what_is_encoded(world: World, seats: dict[str, str]) -> None:
    text = "A PAR-BUR\nbegin 644 map.txt\n#0V%T\n`\nend\nF BRE-MAO\nA MAR-SPA"
    answer = text_of(world.send(FRANCE, seats["France"], text))
    assert "Not read, since it is attached: map.txt" in answer
    assert answer.count("->") == 3


SUBJECTS = ["Vacation: orders for S1901M", "Auto: orders", "Out of Office", "Autoreply", "Abwesenheitsnotiz: Zug"]


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("text", ["A PAR-BUR\nF BRE-MAO", "STATUS", "A PAR-BURX"])
def test_a_player_is_answered_whatever_the_subject(
    world: World, seats: dict[str, str], subject: str, text: str
) -> None:
    answer = text_of(world.send(FRANCE, seats["France"], text, headers={"Subject": subject}))
    assert "Bur" in answer or "Status of spring" in answer


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize(
    ("sender", "to", "text", "headers"),
    [
        (FRANCE, "France", "I am away.", {}),
        (FRANCE, "France", "I am away.\n\n> A PAR-BUR", {}),
        (FRANCE, "France", "A PAR-BUR", {"Auto-Submitted": "auto-replied"}),
        (FRANCE, "", "A PAR-BUR", {}),
        ("eve@evil.example", "France", "A PAR-BUR", {}),
    ],
    ids=["no orders", "quoted", "by its header", "to the server", "of a stranger"],
)
def test_an_absence_notice_is_not(
    world: World, seats: dict[str, str], subject: str, sender: str, to: str, text: str, headers: dict[str, str]
) -> None:
    world.arrive(sender, seats.get(to, BASE), text, headers={"Subject": subject, **headers})
    world.work()
    assert world.inbox()[-1].state.value == "ignored"
