"""What one person can keep, or make others receive, has a bound, however long it takes to come together."""

from __future__ import annotations

import pytest

from gm.games.bounds import Bound
from gm.inbound import meant_orders, speech
from gm.inbound.ordering import Ordering
from tests.server.world import BASE, World, player, text_of

MASTER = "master@example.org"
TEXT = "We hold the line this year.\n" * 600


def refused(world: World, bound: Bound, sender: str, to: str, text: str) -> bool:
    return f"{bound.of} has {bound.most:,} at most" in text_of(world.send(sender, to, text)).replace("\n", " ")


def test_what_a_gamemaster_says_above_a_report_has_a_bound(world: World) -> None:
    seats = world.started()
    text = f"REMARK\n{TEXT}ENDREMARK"
    asked = [refused(world, Bound.WAITING, MASTER, seats["GM"], text) for _ in range(2)]
    assert asked == [False, True]


@pytest.mark.parametrize("chair", [False, True])
def test_a_diary_and_notes_have_a_bound_in_each_phase(
    world: World, monkeypatch: pytest.MonkeyPatch, *, chair: bool
) -> None:
    seats = world.started()
    who, to = (MASTER, seats["GM"]) if chair else (player("France"), seats["France"])
    monkeypatch.setattr(Bound.DIARY, "most", 30)
    text = "NOTE So far so good, I think." if chair else "DIARY\nSo far so good, I think.\nENDDIARY"
    assert [refused(world, Bound.DIARY, who, to, text) for _ in range(2)] == [False, True]
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert not refused(world, Bound.DIARY, who, to, text)


@pytest.mark.parametrize(("bound", "text"), [(Bound.OBSERVERS, "OBSERVE spring"), (Bound.STANDBY, "STANDBY spring")])
def test_so_many_people_wait_for_a_game_or_read_it(
    world: World, monkeypatch: pytest.MonkeyPatch, bound: Bound, text: str
) -> None:
    world.started()
    monkeypatch.setattr(bound, "most", 1)
    found = []
    for name in ("ann", "bob"):
        world.send(f"{name}@watching.example", BASE, f"REGISTER {name.title()} Watcher")
        found.append(refused(world, bound, f"{name}@watching.example", BASE, text))
    assert found == [False, True]


def test_so_many_people_run_a_game(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = world.started()
    monkeypatch.setattr(Bound.MODERATORS, "most", 2)
    for name in ("ann", "bob"):
        world.promotes(MASTER, seats["GM"], f"PROMOTE {name}@helping.example")
    assert len(world.game().moderators) == 2


@pytest.mark.parametrize("line", ["so, so, so {}?", "Par, Bur, Mar, Spa {}?"])
def test_what_a_mail_may_mean_is_looked_for_in_so_many_lines(
    world: World, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """Each line takes as long as a hundred orders do, so a letter of a thousand would hold up everybody's mail."""
    seats, heard = world.started(), list[str]()
    asks = meant_orders._only_asks

    def listens(text: str, at: Ordering) -> bool:
        heard.append(text)
        return asks(text, at)

    monkeypatch.setattr(meant_orders, "_only_asks", listens)
    world.send(player("France"), seats["France"], "\n".join(map(line.format, range(300))))
    assert len(heard) <= speech.MOST_HEARD
