"""Where a command acts: for whom, in which game, and why. Only a mail counts as a mail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from gm.commands import COMMANDS
from gm.commands.context import Context, Mail, Operator, Origin, Scheduled, Trial
from gm.errors import NotPermitted
from gm.games.transaction import Transaction
from gm.store.game_rows import SeatRole
from gm.store.outbox import OutboxRow
from gm.store.records import LogRow
from tests.server.world import World, player, text_of

MASTER = "master@example.org"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    world.started()
    yield world
    world.database.dispose()


def at_seat(tx: Transaction, role: SeatRole, origin: Origin) -> Context:
    """A context in which somebody with this role acts."""
    game = tx.game(1, lock=True)
    seat = next(seat for seat in game.seats if seat.role is role)
    return Context(tx, origin, MASTER, COMMANDS, actor=seat, about=game)


def purposes(world: World) -> list[str]:
    with world.looking() as session:
        return list(session.scalars(select(OutboxRow.purpose).order_by(OutboxRow.id)))


def test_no_two_origins_have_the_same_key() -> None:
    message: Any = None
    mail = Mail(7, message, World.time)
    origins: list[Origin] = [mail, Scheduled(7), Operator("7"), Trial(mail), Trial(Scheduled(7))]
    assert len({origin.key for origin in origins}) == len(origins)
    assert mail.key == "7"


@pytest.mark.parametrize("origin", [Scheduled(3), Operator("rescue"), Trial(Operator("rescue"))])
def test_what_no_mail_asks_for_is_no_mail(world: World, origin: Origin) -> None:
    with world.service.transaction() as tx:
        ctx = at_seat(tx, SeatRole.MASTER, origin)
        assert (ctx.mail, ctx.mail_id, ctx.received_at) == (None, None, tx.now)
        with pytest.raises(NotPermitted, match="by mail"):
            COMMANDS["address"].run(ctx, {"address": "new@example.org", "what": "add"})


def test_the_operator_may_do_what_a_gamemaster_may(world: World) -> None:
    with world.service.transaction() as tx:
        ctx = at_seat(tx, SeatRole.MASTER, Operator("stop"))
        COMMANDS["pause"].run(ctx, {"vote": None, "until": None, "span": None})
        assert ctx.answer.done == ("The game is paused. Everybody was notified.",)
        assert ctx.game is not None
        assert ctx.game.paused, "the context knows the newest snapshot"
    assert world.game().paused
    assert [purpose for purpose in purposes(world) if "stop" in purpose] == [
        f"pause:operator-stop:{seat.id}" for seat in world.seats()
    ]
    world.work()
    assert "the game is paused" in str(world.last(player("France"))["Subject"]).lower()


def test_orders_that_no_mail_brought_are_in_force(world: World) -> None:
    from gm.orders import Hold

    with world.service.transaction() as tx:
        ctx = at_seat(tx, SeatRole.PLAYER, Operator("order"))
        game, seat = ctx.seated()
        assert game.position is not None
        assert seat.power is not None
        holds = tuple(Hold(unit) for unit in game.position.units_of(seat.power))
        tx.put_orders(game, {seat.id: game.next_set(seat, holds, ctx.received_at, ctx.mail_id)})
    (given,) = world.game().orders.values()
    assert (given.complete, given.mail_id) == (True, None)


def test_what_is_only_tried_leaves_nothing(world: World) -> None:
    before, told = world.game(), purposes(world)
    with world.looking() as session:
        noted = session.scalar(select(func.count()).select_from(LogRow))
    with world.service.transaction() as tx:
        ctx = at_seat(tx, SeatRole.MASTER, Operator("try"))
        for name, args in (
            ("pause", {"vote": None, "until": None, "span": None}),
            ("comment", {"text": "a try"}),
            ("eject", {"power": "France"}),
        ):
            with tx.attempt(keep=False):
                COMMANDS[name].run(replace(ctx, origin=Trial(ctx.origin)), args)
        assert ctx.answer.done == ()
        assert ctx.game == before
    assert (world.game(), purposes(world)) == (before, told)
    with world.looking() as session:
        assert session.scalar(select(func.count()).select_from(LogRow)) == noted


def test_a_line_that_fails_leaves_the_others(world: World) -> None:
    """Each line sees the effects of those before it, except of lines that failed."""
    gm = next(seat for seat in world.seats() if seat.role is SeatRole.MASTER)
    to = world.service.identity.address_of(world.game(), gm)
    said = text_of(world.send(MASTER, to, "COMMENT one\nPAUSE\nPAUSE\nEJECT Atlantis\nRESUME\nCOMMENT two"))
    assert "is already paused" in said
    assert "Atlantis" in said
    game = world.game()
    assert (game.comment, game.paused) == ("two", False)
