"""A form of ours that is filled in where it stands counts, where that is certain."""

from __future__ import annotations

import pytest

from gm.orders.notation import write
from tests.server.world import World, body_of, player, reply_to, text_of

FRANCE = player("France")


@pytest.fixture
def seat(world: World) -> str:
    return world.started()["France"]


def report_of(world: World) -> list[str]:
    return body_of(world.last(FRANCE)).splitlines()


def orders(world: World) -> list[str]:
    return sorted(write(order) for given in world.game("spring").orders.values() for order in given.orders)


def answer(world: World, seat: str, lines: list[str], cites: str) -> str:
    return text_of(world.send(FRANCE, seat, "\n".join(lines), headers={"In-Reply-To": cites}))


QUOTED = {"F Bre-": "F Bre-Mao", "A Mar-": "A Mar S A Par-Bur", "A Par-": "A Par - Bur"}
WHOLE = ["A Mar S A Par-Bur", "A Par-Bur", "F Bre-Mao"]


@pytest.mark.parametrize(
    ("filled", "kept"),
    [
        (QUOTED, WHOLE),
        ({"A Par-": "A Par-Bur"}, ["A Par-Bur"]),
        ({"A Par-": "A Par-Bur", "A Mar-": "A Mar-"}, ["A Par-Bur"]),
        ({"A Par-": "A Par H"}, ["A Par H"]),
        ({"A Par-": "A Par-Bur or Pic"}, []),
        ({"A Par-": "A Mun-Bur"}, []),
        ({"A Par-": "A Par-Bur\nA Par-Pic"}, []),
    ],
)
@pytest.mark.parametrize("mark", ["> ", ">> ", ""])
def test_a_form_that_is_filled_in_where_it_stands(
    world: World, seat: str, filled: dict[str, str], kept: list[str], mark: str
) -> None:
    """With marks, and in a copy without."""
    cites = str(world.last(FRANCE)["Message-ID"])
    lines = [line for one in report_of(world) for line in filled.get(one, one).split("\n")]
    above = ["", "On Monday, Judge wrote:"] if mark else []
    said = answer(world, seat, [*above, *(f"{mark}{line}" for line in lines)], cites)
    assert orders(world) == kept
    if not kept:
        assert "A Par" in said or "A Mun" in said


@pytest.mark.parametrize(
    ("answers", "kept"),
    [
        ({"F Bre-": "Mao", "A Mar-": "S A Par-Bur", "A Par-": "Bur"}, WHOLE),
        ({"A Par-": "- Bur"}, ["A Par-Bur"]),
        ({"A Par-": "H"}, ["A Par H"]),
        ({"A Par-": "A Par-Bur"}, ["A Par-Bur"]),
        ({"A Par-": "I do not know yet"}, []),
    ],
)
def test_answers_below_the_lines_of_a_form(world: World, seat: str, answers: dict[str, str], kept: list[str]) -> None:
    cites = str(world.last(FRANCE)["Message-ID"])
    lines = [line for one in report_of(world) for line in (f"> {one}", *([answers[one]] if one in answers else ()))]
    answer(world, seat, ["On Monday, Judge wrote:", *lines], cites)
    assert orders(world) == kept


def test_what_looks_like_our_form_in_the_mail_of_a_friend_does_not_count(world: World, seat: str) -> None:
    cites = str(world.last(FRANCE)["Message-ID"])
    for above in ([], ["I think that you should order this, my dear friend:"]):
        quoted = [*above, *QUOTED.values()]
        said = answer(world, seat, ["See below.", "", "On Monday, Bob wrote:", *(f"> {one}" for one in quoted)], cites)
        assert orders(world) == []
        assert "A Par - Bur" in said


def test_the_form_of_an_older_phase_is_asked_about(world: World, seat: str) -> None:
    before, cites = report_of(world), str(world.last(FRANCE)["Message-ID"])
    world.pass_time(days=8)
    said = answer(world, seat, ["On Monday, Judge wrote:", *(f"> {QUOTED.get(one, one)}" for one in before)], cites)
    assert orders(world) == []
    assert "Not done yet: F Bre-Mao, A Mar S A Par-Bur, A Par - Bur." in said
    asked = next(mail for mail in reversed(world.mailboxes[FRANCE]) if "+confirm." in reply_to(mail))
    world.send(FRANCE, reply_to(asked), "YES")
    assert orders(world) == WHOLE


def test_an_answer_is_about_what_was_asked(world: World, seat: str) -> None:
    """Nothing that was filled in counts by the YES to a question in which it does not stand."""
    cites = str(world.last(FRANCE)["Message-ID"])
    lines = ["READY", "On Monday, Judge wrote:", *(f"> {QUOTED.get(one, one)}" for one in report_of(world))]
    world.arrive("elsewhere@example.net", seat, "\n".join(lines), headers={"In-Reply-To": cites})
    world.work()
    asked = world.last(FRANCE)
    assert "F Bre-Mao" not in text_of(asked)
    world.send(FRANCE, reply_to(asked), "YES")
    assert orders(world) == []


UNKNOWN = [
    ["Kutoka: Judge", "Imetumwa: Jumatatu", "Kwa: Pat", "Mada: ripoti"],
    ["+----------------+", "| Sender = Judge |", "+----------------+"],
    ["~~~~~~~~~~ mezua ~~~~~~~~~~"],
    ['{"from": "judge", "sent": "monday"}'],
    ["==> judge, monday 8.11"],
]


@pytest.mark.parametrize("header", UNKNOWN)
def test_below_a_header_that_is_not_known_what_we_wrote_asks_nothing_and_a_friend_s_orders_do_not_count(
    world: World, seat: str, header: list[str]
) -> None:
    cites, report = str(world.last(FRANCE)["Message-ID"]), report_of(world)
    answer(world, seat, ["A Par-Pic", "", *header, "", *report], cites)
    assert orders(world) == ["A Par-Pic"]
    for whole in ([*report[:6], "A Mar-Spa", *report[6:]], [*report, "", "I would play", "A Mar-Spa"]):
        said = answer(world, seat, ["A Par-Pic", "", *header, "", *whole], cites)
        assert orders(world) == ["A Par-Pic"]
        assert "A Mar-Spa" in said
