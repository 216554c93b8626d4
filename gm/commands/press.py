"""PRESS TO ... ENDPRESS: letters between players."""

from __future__ import annotations

from collections.abc import Sequence

from gm.board import Power
from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotPermitted, NotUnderstood
from gm.office.facts import due_at, game_facts, reader_of
from gm.office.leaks import redact, replace_addresses
from gm.office.post import post_to_seat
from gm.office.table import Table
from gm.reports.context import PressMail
from gm.reports.render import render
from gm.store import records
from gm.store.tables import Seat, SeatRole


def send(scene: Scene, to: Sequence[str] | str, body: str) -> None:
    """Deliver a press block from the sender's seat to the powers named, to `ALL` or to the `GM`."""
    table, seat = scene.seated()
    to = (to,) if isinstance(to, str) else tuple(to)
    receivers = _receivers(table, seat, to)
    body, leaked = redact(scene.session, scene.office, body)
    replace_addresses(scene.session, scene.office, leaked, purpose=f"leaked:{scene.mail_id}", now=scene.now)
    sender = "GM" if seat.role is SeatRole.MASTER else seat.power or "a player"
    row = records.add_press(
        scene.session,
        game_id=table.game.id,
        phase_id=table.phase.id if table.phase is not None else None,
        from_seat_id=seat.id,
        to=to,
        body=body,
        now=scene.now,
    )
    for receiver in receivers:
        mail = PressMail(
            game=game_facts(table),
            reader=reader_of(scene.office, table.account_of(receiver), table.game, receiver),
            sender=sender,
            to=to,
            body=body,
            phase=table.position.phase if table.position is not None else None,
            deadline=due_at(table) if table.running else None,
        )
        purpose = f"press:{row.id}:{receiver.id}"
        post_to_seat(table, scene.office, receiver, render("player/press", mail), purpose=purpose, now=scene.now)
    names = ", ".join("all" if name == "ALL" else name for name in to)
    scene.say(f"Your press to {names} was sent ({len(body.split())} words).")
    if leaked:
        scene.say("It held the address of a seat, which was taken out and is void now; its holder is sent a new one.")


def _receivers(table: Table, sender: Seat, to: Sequence[str]) -> list[Seat]:
    """The seats a block goes to. Raises NotPermitted where the game has no press, NotUnderstood for unknown names."""
    to_players = any(name != "GM" for name in to)
    if to_players and not table.options.press and sender.role is not SeatRole.MASTER:
        raise NotPermitted(
            f"The game {table.game.name} is played without press.", "PRESS TO GM reaches the gamemaster."
        )
    found: dict[int, Seat] = {}
    for name in to:
        if name == "ALL":
            chosen = [*table.players, *table.masters]
        elif name == "GM":
            chosen = table.masters
        else:
            chosen = [_seat(table, Power(name))]
        found |= {seat.id: seat for seat in chosen if seat.id != sender.id}
    if not found:
        raise NotUnderstood("This press would reach nobody but yourself.", "Name another power, ALL or GM.")
    return list(found.values())


def _seat(table: Table, power: Power) -> Seat:
    seat = table.seat_of(power)
    if seat is None:
        raise NotUnderstood(f"Nobody plays '{power}' in {table.game.name}.", "Name powers of this game, ALL or GM.")
    if seat.account_id is None:
        raise NotUnderstood(f"The seat of {power} is vacant.", "PRESS TO GM reaches the gamemaster.")
    return seat


COMMAND = Command(
    "press",
    "write to other players, to ALL or to the GM",
    "The text between the two lines is sent as it stands, signed with your\n"
    "power. Your address is not shown. BROADCAST means PRESS TO ALL.",
)
