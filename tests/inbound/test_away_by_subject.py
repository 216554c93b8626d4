"""A subject that speaks of absence is a program's only where the mail wants nothing."""

from __future__ import annotations

import pytest

from tests.server.world import BASE, World, player, proved, text_of

ITALY = player("Italy")
MASTER = "master@example.org"
NOTICE = (
    "Thank you for your message. I am out of the office until 7 December. "
    "For urgent matters please contact ann@example.org."
)


@pytest.mark.parametrize(
    ("subject", "text", "said"),
    [
        ("away", "I'm away next week, please wait for me.", "WAIT"),
        ("On holiday", "Can I have two more days?", "EXTEND 48h"),
        ("Abwesend", "When is the deadline?", "The deadline of S1901M"),
    ],
)
def test_who_wants_something_of_a_seat_is_answered(world: World, subject: str, text: str, said: str) -> None:
    seats = world.started()
    answer = world.send(ITALY, seats["Italy"], text, headers={**proved(ITALY), "Subject": subject})
    assert said in text_of(answer)


def test_a_gamemaster_who_is_away_is_answered_at_the_server(world: World) -> None:
    world.started()
    text = "I'm away next week. Please pause spring until I'm back on 7 December."
    world.arrive(MASTER, BASE, text, headers={**proved(MASTER), "Subject": "away"})
    world.work()
    assert "PAUSE UNTIL 2026-12-07" in text_of(world.last(MASTER))


@pytest.mark.parametrize("subject", ["urlaub", "away", "On holiday"])
def test_who_speaks_of_games_is_a_person_and_answered(world: World, subject: str) -> None:
    world.started()
    text = "Bin vom 12. bis 19. Dezember skifahren, no mail up there. Pls hold all my games until im back."
    world.arrive(ITALY, BASE, text, headers={**proved(ITALY), "Subject": subject})
    world.work()
    assert "ABSENCE 2026-12-12 TO 2026-12-19" in text_of(world.last(ITALY))


@pytest.mark.parametrize("subject", ["away", "Out of office", "Abwesenheitsnotiz"])
def test_a_notice_of_absence_is_not_answered(world: World, subject: str) -> None:
    seats = world.started()
    for to in (seats["Italy"], BASE):
        before = len(world.mailboxes[ITALY])
        world.arrive(ITALY, to, NOTICE, headers={**proved(ITALY), "Subject": subject})
        world.work()
        assert len(world.mailboxes[ITALY]) == before


@pytest.mark.parametrize("subject", ["absence", "Vacation"])
@pytest.mark.parametrize("text", ["I'm away from 12 to 20 December.", "Je pars au ski du 12 au 20 décembre."])
def test_a_subject_that_is_a_command_leaves_the_days_below_it(world: World, subject: str, text: str) -> None:
    for to in (world.started()["Italy"], BASE):
        world.arrive(ITALY, to, text, headers={**proved(ITALY), "Subject": subject, "In-Reply-To": ""})
        world.work()
        assert "ABSENCE 2026-12-12 TO 2026-12-20" in text_of(world.last(ITALY))


def test_a_subject_that_is_no_command_of_any_use_silences_no_words_below_it(world: World) -> None:
    world.started()
    text = "Je pars au ski du 12 au 20 décembre. Est-ce que les délais peuvent attendre mon retour ?"
    world.arrive(ITALY, BASE, text, headers={**proved(ITALY), "Subject": "absence de Noel"})
    world.work()
    assert "ABSENCE 2026-12-12 TO 2026-12-20" in text_of(world.last(ITALY))
