"""PRESS TO ... ENDPRESS: letters between players."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gm.board import Power
from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games.deferred_press import UNSIGNED, signature
from gm.games.post import post_to_seat, tell
from gm.games.report_inputs import due_at, game_facts, reader_of
from gm.games.snapshot import Table
from gm.games.token_redaction import redact, replace_addresses
from gm.reports.context import PressMail
from gm.reports.render import render
from gm.store import records
from gm.store.game_rows import SeatRole, SeatRow


def send(scene: Scene, to: Sequence[str] | str, body: str, manner: frozenset[str] = frozenset()) -> None:
    """Deliver a press block from the sender's seat to the powers named, to `ALL` or to the `GM`.

    `grey` press names no sender; `postal` press waits for the next report.
    """
    table, seat = scene.seated()
    to = (to,) if isinstance(to, str) else tuple(to)
    receivers = _receivers(table, seat, to)
    _check_manner(table, seat, manner)
    body, leaked = redact(scene.session, scene.office, body)
    replace_addresses(scene.session, scene.office, leaked, purpose=f"leaked:{scene.mail_id}", now=scene.now)
    row = records.add_press(
        scene.session,
        game_id=table.game.id,
        phase_id=table.phase.id if table.phase is not None else None,
        from_seat_id=seat.id,
        to=to,
        body=body,
        now=scene.now,
        manner=" ".join(sorted(manner)) or None,
    )
    if "postal" not in manner:
        deliver(scene, row.id, receivers, signature(seat, manner), to, body)
    names = ", ".join("all" if name == "ALL" else name for name in to)
    kind = "Your grey press" if "grey" in manner else "Your press"
    done = "goes out with the next report" if "postal" in manner else "was sent"
    scene.say(f"{kind} to {names} {done} ({len(body.split())} words).")
    if leaked:
        scene.say("It held the address of a seat, which was taken out and is void now; its holder is sent a new one.")


def deliver(
    scene: Scene, number: int, receivers: Sequence[SeatRow], sender: str, to: tuple[str, ...], body: str
) -> None:
    """Send the press to each of these seats."""
    table, _ = scene.seated()
    for receiver in receivers:
        mail = PressMail(
            game=game_facts(table),
            reader=reader_of(scene.office, table.account_of(receiver), table.game, receiver),
            sender=sender,
            to=to,
            body=body,
            phase=table.position.phase if table.position is not None else None,
            deadline=due_at(table) if table.running else None,
            unsigned=sender == UNSIGNED,
        )
        purpose = f"press:{number}:{receiver.id}"
        post_to_seat(table, scene.office, receiver, render("player/press", mail), purpose=purpose, now=scene.now)


def _check_manner(table: Table, sender: SeatRow, manner: Collection[str]) -> None:
    """Raises NotPermitted for grey press where it is not allowed, NotNow for postal press without a report to come."""
    if "grey" in manner and table.options.press != "grey":
        raise NotPermitted(f"There is no grey press in {table.game.name}.", "PRESS TO is signed with your power.")
    if "grey" in manner and sender.role is not SeatRole.PLAYER:
        raise NotPermitted("Grey press is for players.", "PRESS TO says who you are.")
    if "postal" in manner and not table.running:
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "PRESS TO is sent at once.")


def official(scene: Scene, body: str) -> None:
    """The gamemaster's word to everybody, marked as such."""
    table, seat = scene.as_master()
    body, leaked = redact(scene.session, scene.office, body)
    replace_addresses(scene.session, scene.office, leaked, purpose=f"leaked:{scene.mail_id}", now=scene.now)
    words = ("The gamemaster announces:", *(part.strip("\n") for part in body.split("\n\n") if part.strip()))
    others = [other for other in table.seats if other.id != seat.id]
    tell(
        table,
        scene.office,
        others,
        "an announcement of the gamemaster",
        words,
        purpose=f"official:{scene.mail_id}:{len(scene.done)}",
        now=scene.now,
    )
    scene.say(f"Your announcement was sent to everybody ({len(body.split())} words).")
    scene.note("official", text=body)


def _receivers(table: Table, sender: SeatRow, to: Sequence[str]) -> list[SeatRow]:
    """The seats a block goes to. Raises NotPermitted where the game has no press, NotUnderstood for unknown names."""
    to_players = any(name != "GM" for name in to)
    if to_players and sender.role is SeatRole.OBSERVER:
        raise NotPermitted("Observers write to the gamemaster only.", "Write PRESS TO GM.")
    if to_players and table.options.press == "none" and sender.role is not SeatRole.MASTER:
        raise NotPermitted(
            f"The game {table.game.name} is played without press.", "PRESS TO GM reaches the gamemaster."
        )
    found: dict[int, SeatRow] = {}
    for name in to:
        if name == "ALL":
            chosen = list(table.seats)
        elif name == "GM":
            chosen = table.masters
        else:
            chosen = [_seat(table, Power(name))]
        found |= {seat.id: seat for seat in chosen if seat.id != sender.id}
    if not found:
        raise NotUnderstood("This press would reach nobody but yourself.", "Name another power, ALL or GM.")
    return list(found.values())


def _seat(table: Table, power: Power) -> SeatRow:
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
    "power. Your address is not shown. PRESS TO ALL BUT power leaves somebody\n"
    "out. GREY PRESS TO is not signed, in games that allow it (see STATUS).\n"
    "POSTAL PRESS TO goes out with the next report.",
)
BROADCAST = Command(
    "broadcast",
    "write to everybody",
    "The same as PRESS TO ALL; also GREY BROADCAST and POSTAL BROADCAST.",
)
OFFICIAL = Command(
    "official",
    "announce something as the gamemaster",
    "Sent to everybody, observers too, and kept in the LOG.",
    for_masters=True,
)
