"""What a receipt says of lines below END and of encoded files; and mail whose subject says that its sender is away."""

from __future__ import annotations

from email.utils import parseaddr

import pytest

from gm.inbound.acceptance import accept
from gm.store.inbox import ArrivedMail
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
        (FRANCE, "", "I am away.", {}),
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


@pytest.mark.parametrize(
    ("authors", "sender", "answered"),
    [
        (f"Ann <ann@ng.example>, France <{FRANCE}>", FRANCE, True),
        (f"Ann <ann@ng.example>, France <{FRANCE}>", "ann@ng.example", True),
        ("Ann <ann@ng.example>, Eve <eve@evil.example>", FRANCE, True),
        ("Ann <ann@ng.example>, Eve <eve@evil.example>", "eve@evil.example", False),
    ],
)
def test_mail_of_several_authors_is_answered_to_the_player(
    world: World, seats: dict[str, str], authors: str, sender: str, answered: bool
) -> None:
    raw = world.mail(FRANCE, seats["France"], "A PAR-BUR", headers={"From": authors})
    before = {address: len(box) for address, box in world.mailboxes.items()}
    assert accept(world.service, ArrivedMail("smtp", raw, world.time, (seats["France"],), sender))
    world.work()
    fresh = [address for address, box in world.mailboxes.items() for _ in box[before.get(address, 0) :]]
    assert fresh == [FRANCE] * answered
    if answered:
        assert "without exactly one address" in text_of(world.last(FRANCE))
    assert "A Par" not in text_of(world.send(FRANCE, seats["France"], "MY ORDERS"))


def test_the_same_author_twice_is_one(world: World, seats: dict[str, str]) -> None:
    raw = world.mail(FRANCE, seats["France"], "A PAR-BUR")
    (line,) = [line for line in raw.splitlines(keepends=True) if line.startswith(b"From:")]
    assert accept(world.service, ArrivedMail("smtp", line + raw, world.time, (seats["France"],), FRANCE))
    world.work()
    assert "A Par-Bur Army" in text_of(world.last(FRANCE))


@pytest.mark.parametrize(
    ("sender", "text", "headers", "answered"),
    [
        (FRANCE, "A PAR-BUR", {}, True),
        (FRANCE, "STATUS", {}, True),
        (FRANCE, "I am away.", {}, False),
        (FRANCE, "I am away. You wrote:\n\n> A PAR-BUR", {}, False),
        (FRANCE, "A PAR-BUR", {"Auto-Submitted": "auto-replied"}, False),
        (FRANCE, "A PAR-BUR", {"Subject": "Ich bin im Urlaub"}, False),
        ("eve@evil.example", "A PAR-BUR", {}, False),
    ],
)
def test_a_players_orders_to_a_return_path_are_answered_with_the_right_address(
    world: World, seats: dict[str, str], sender: str, text: str, headers: dict[str, str], answered: bool
) -> None:
    path = parseaddr(str(world.last(FRANCE)["X-Envelope-From"]))[1]
    before = len(world.mailboxes[FRANCE])
    world.arrive(sender, path, text, headers=headers)
    world.work()
    assert len(world.mailboxes[FRANCE]) == before + answered
    assert not world.mailboxes.get("eve@evil.example")
    if answered:
        answer = world.last(FRANCE)
        assert "only for mail that cannot be delivered" in text_of(answer)
        assert seats["France"] in str(answer["Reply-To"])


@pytest.mark.parametrize("line", ["А Рar-Bur", "А Par-Bur", "А Пар-Бур", "А Par - Вur", "Α Par-Bur"])
def test_an_order_in_letters_that_look_or_sound_alike_is_read(world: World, seats: dict[str, str], line: str) -> None:
    assert "A Par-Bur Army" in text_of(world.send(FRANCE, seats["France"], line))


@pytest.mark.parametrize("line", ["А Par-Вurx", "А Paris to Бургундия"])
def test_what_is_none_then_is_said_to_have_such_letters(world: World, seats: dict[str, str], line: str) -> None:
    answer = text_of(world.send(FRANCE, seats["France"], f"{line}\nF BRE-MAO"))
    assert "has letters that are not Latin" in answer


def test_talk_in_such_letters_is_talk(world: World, seats: dict[str, str]) -> None:
    assert "Latin" not in text_of(
        world.send(FRANCE, seats["France"], "Привет, вот мои приказы.\nF BRE-MAO\nС уважением")
    )


@pytest.mark.parametrize(("line", "place"), [("A Par-Pci", "Pic (Picardy)"), ("A Mra-Spa", "Mar (Marseilles)")])
def test_two_letters_in_the_wrong_order_are_the_first_guess(
    world: World, seats: dict[str, str], line: str, place: str
) -> None:
    assert f"Did you mean {place}?" in text_of(world.send(FRANCE, seats["France"], line))


@pytest.mark.parametrize("subject", ["Re: [spring] S1901M: orders complete A Par-Pic", "A Par-Pic"])
def test_an_order_in_the_subject_of_an_empty_mail_is_quoted_back(
    world: World, seats: dict[str, str], subject: str
) -> None:
    answer = text_of(world.send(FRANCE, seats["France"], "", headers={"Subject": subject}))
    assert "Write this in the body of the mail, one line for each: A Par-Pic" in answer


def test_more_quoted_orders_than_are_listed_are_counted(world: World, seats: dict[str, str]) -> None:
    places = ["Pic", "Bur", "Gas", "Bel", "Ruh", "Mun", "Pie", "Tyr", "Ven", "Tri", "Vie", "Bud", "Gal", "War"]
    quoted = "\n".join(f"> A Par-{place}" for place in places)
    answer = text_of(world.send(FRANCE, seats["France"], f"WAIT\n\nOn Monday Italy wrote:\n{quoted}"))
    assert "A Par-Tri and 4 more" in answer
    assert "A Par-Vie" not in answer
