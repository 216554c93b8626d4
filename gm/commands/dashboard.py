"""DASHBOARD: all that a gamemaster wants to know at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.passages import show
from gm.commands.scene import Scene
from gm.commands.whoami import turnout_words
from gm.games.post import unreachable
from gm.games.report_inputs import called
from gm.games.snapshot import Table
from gm.reports.words import columns, full_moment, wrap
from gm.store import agenda, people, question_rows
from gm.store.game_rows import SeatRow
from gm.store.order_rows import OrderSetRow


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Who has ordered, who is late or cannot be reached, what falls due, what waits."""
    del args
    table, _ = scene.as_master()
    zone = scene.office.zone_of(scene.account)
    text = [f"{table.variant.title}, {table.game.state}" + (f", {table.phase.code}" if table.phase is not None else "")]
    if table.paused:
        text.append("The clock stands (RESUME sets it going).")
    text += [
        f"{deadline.kind.capitalize()}: {full_moment(deadline.due_at, zone)}"
        for deadline in agenda.open_deadlines(scene.session, table.game.id)
    ]
    text += ["", columns([("Power", "Orders", "Turnout", "Player"), *_rows(scene, table)])]
    text += _waiting(scene, table)
    show(scene, f"Dashboard of {table.game.name}", "\n".join(text))


def _rows(scene: Scene, table: Table) -> list[tuple[str, ...]]:
    sets = table.order_sets()
    came = people.turnout_of(scene.session, list(table.accounts))
    gone = unreachable(table)
    rows: list[tuple[str, ...]] = []
    for seat in table.players:
        account = table.account_of(seat)
        who = called(table, seat) or (account.name if account is not None and not scene.plays(table) else "-")
        if account is not None and not scene.plays(table):
            who += f" <{people.addresses_of(scene.session, account.id)[0]}>"
        who += f" ({gone[seat.id]})" if seat.id in gone else ""
        turnout = turnout_words(came[account.id]) if account is not None else ""
        progress = "" if scene.plays(table) else progress_of(table, seat, sets.get(seat.id))
        rows.append((seat.power or seat.wish or "-", progress, turnout, who))
    return rows


def progress_of(table: Table, seat: SeatRow, given: OrderSetRow | None) -> str:
    """How far a seat's orders are, in a word or two, for the gamemaster."""
    if not table.running or seat.power not in table.duties:
        return "nothing to order" if table.running else ""
    word = "none" if given is None or not given.orders else "complete" if given.complete else "incomplete"
    late = ", late" if table.in_grace and word == "none" else ""
    return f"{word}{late}, waits" if seat.wait else word + late


def _waiting(scene: Scene, table: Table) -> list[str]:
    """Votes, stand-bys, invitations, absences, and mails that wait for a confirmation."""
    lines = []
    standing_by = people.standbys_of(scene.session, table.game.id)
    if standing_by:
        names = {one.id: one.name for one in people.accounts_by_id(scene.session, [s.account_id for s in standing_by])}
        lines.append("Standing by: " + ", ".join(names[entry.account_id] for entry in standing_by))
    invited = people.invitations_of(scene.session, table.game.id)
    if invited:
        lines.append("Invited: " + ", ".join(one.email for one in invited))
    for away in people.absences_of(scene.session, list(table.accounts), scene.now):
        who = table.accounts[away.account_id].name if not table.names_hidden else "a player"
        lines.append(f"Absent: {who}, {away.begins:%d %b %H:%M} to {away.ends:%d %b %H:%M} UTC")
    waiting = question_rows.waiting_for(scene.session, [seat.id for seat in table.seats])
    if waiting:
        lines.append(f"Mails quarantined until their sender confirms them: {waiting}")
    return ["", *(wrap(line, 0, 4) for line in lines)] if lines else []


COMMAND = Command(
    "dashboard",
    "see who has ordered, what falls due and what waits",
    "A gamemaster who plays is not shown who has ordered.",
    act,
    for_masters=True,
)
