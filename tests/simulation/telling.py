"""What reports say: the deadline in the reader's zone, the reader's units and centres, what became of their orders, and
the turn as JSON; held to what is stored. Every method raises Broken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from typing import Any
from zoneinfo import ZoneInfo

from gm.games import report_inputs
from gm.games.snapshot import Game, Seat
from gm.games.turn_file import seen_turn
from gm.orders.notation import write_unit
from gm.position import Position
from gm.store.game_rows import PhaseRow
from tests.simulation.faults import Broken
from tests.simulation.people import People
from tests.simulation.promises import Promise
from tests.simulation.rows import moment, value
from tests.simulation.world import Got, World

_TOLD = ("report", "opening")
_DUE = re.compile(
    r"^ +\w{3} \d+ \w{3} \d{4}, (\d\d:\d\d) \S+?(?: \((?:\w{3} \d+ \w{3} )?(\d\d:\d\d) UTC\))?(?:,|$)", re.MULTILINE
)
"""A deadline on a line of its own: the time of day there, and in UTC if that differs."""
_BLOCK = re.compile(r"^(?P<power>\S[^:\n]*): [^\n]*(?:\n +[^\n]*)*", re.MULTILINE)
"""An order with its result, and the lines that explain it."""
_BOUNCES = re.compile(r"\(\*[^)]*\bbounce")
_OF_A_MOVEMENT = ("move", "hold", "support", "convoy")


class Telling:
    """Looks at each report when it is queued, and at its file when it arrives."""

    def __init__(self, world: World, people: People) -> None:
        self.world, self.people = world, people
        world.observers.append(self.arrived)

    def queued(self, row: Any, raw: bytes) -> None:
        """A mail of ours that is new."""
        kind, *about = row.purpose.split(":")
        if kind not in _TOLD or row.phase_id is None or not about[-1].isdecimal() or ">" in row.purpose:
            return
        game, seat = self._reader(int(about[-1]))
        body: Any = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
        text = "\n".join(body.get_content().splitlines())
        self._deadline(row, game, seat, text)
        position = self.people.position(game, row.phase_id)
        if position is not None and seat.power is not None:
            self._position(row, seat, position, text)
        seating = game.variant.seating
        by_power = seating.powers and not seating.secret and game.variant.review is None
        if kind == "report" and seat.power is not None and by_power:
            self._results(row, int(about[-2]), str(seat.power), text)

    def _reader(self, seat_id: int) -> tuple[Game, Seat]:
        name = self.world.rows("SELECT g.name FROM game g JOIN seat s ON s.game_id = g.id WHERE s.id = :s", s=seat_id)
        game = self.world.game(name[0].name)
        return game, game.seat(seat_id)

    def _deadline(self, row: Any, game: Game, seat: Seat, text: str) -> None:
        """It is one of the deadlines that were set for the phase, in the reader's zone or the game's."""
        found = _DUE.search(text)
        if found is None or game.reviews(seat) or game.options.sandbox:
            return
        known = self.world.rows(
            "SELECT due_at FROM deadline WHERE phase_id = :p AND kind IN ('adjudicate', 'review')", p=row.phase_id
        )
        zones = {game.options.clock.zone, ZoneInfo(seat.person.zone) if seat.person and seat.person.zone else None}
        times = [moment(one.due_at) for one in known]
        self.world.checks(Promise.TOLD_DEADLINE)
        for due in times:
            for zone in filter(None, zones):
                if (f"{due.astimezone(zone):%H:%M}", found[2] or f"{due:%H:%M}") == (found[1], f"{due:%H:%M}"):
                    return
        raise Broken(
            f"{row.purpose} to {row.recipient} says '{found[0].strip()}', and phase {row.phase_id} is due {times}"
        )

    def _position(self, row: Any, seat: Seat, position: Position, text: str) -> None:
        """It has each unit of the reader's, and names those that are to retreat."""
        power, (above, heading, below) = seat.power, text.partition("Position for ")
        if power is None:
            return
        listed = " ".join(below.split())
        self.world.checks(Promise.POSITION, bool(heading))
        for unit in position.units_of(power) if heading else ():
            if write_unit(unit) not in listed:
                raise Broken(f"{row.purpose} to {row.recipient} does not have {write_unit(unit)} of {power}")
        for dislodged in position.dislodged_of(power):
            if write_unit(dislodged.unit) not in " ".join(above.split()):
                raise Broken(f"{row.purpose} to {row.recipient} does not ask where {write_unit(dislodged.unit)} goes")
        counted = re.search(rf"^{re.escape(power)} +(\d+) ", text.partition("Power    Centres  Units")[2], re.MULTILINE)
        if counted is not None and int(counted[1]) != len(position.centers_of(power)):
            raise Broken(f"{row.purpose} to {row.recipient} gives {power} {counted[1]} centres")

    def _results(self, row: Any, phase: int, power: str, text: str) -> None:
        """It has a line for each order of the reader's, with a mark if the unit bounced."""
        stored = self.world.rows("SELECT result FROM phase WHERE id = :p", p=phase)[0].result
        every = (one for one in value(stored)["outcomes"] if one["order"]["order"] in _OF_A_MOVEMENT)
        own = [one for one in every if str(one["order"]["unit"]).startswith(f"{power} ")]
        if not own:
            return
        self.world.checks(Promise.RESULTS)
        blocks = [found[0] for found in _BLOCK.finditer(text) if found["power"] == power]
        bounced = sum(one["result"] == "bounces" for one in own)
        said = sum(_BOUNCES.search(block) is not None for block in blocks)
        if len(blocks) < len(own) or said != bounced:
            raise Broken(
                f"{row.purpose} to {row.recipient} has {len(blocks)} orders of {power}, {said} of which bounced, not"
                f" {len(own)} and {bounced}"
            )

    # ---- the file

    def arrived(self, got: Got, raw: bytes) -> None:
        """The file with the turn has what the seat may see of it as it is stored."""
        kind, *about = got.purpose.partition(">")[0].split(":")
        if kind != "report" or b"application/json" not in raw or not about[-1].isdecimal():
            return
        game, seat = self._reader(int(about[-1]))
        for file in _files(raw):
            self._file(got, game, seat, int(about[-2]), file)

    def _file(self, got: Got, game: Game, seat: Seat, phase: int, file: Any) -> None:
        self.world.count("turns as JSON")
        with self.world.database.reading() as session:
            played = session.get(PhaseRow, phase)
            if played is None or played.result is None:
                return
            turn = report_inputs.turn_of(session, game, played)
        self.world.checks(Promise.FILE)
        seen = report_inputs.view_after(game, seat, turn).common.turn
        if seen is None or {name: file[name] for name in ("phase", "position", "orders", "result")} != json.loads(
            json.dumps(seen_turn(seen, game.variant.rules))
        ):
            raise Broken(f"the file of {got.purpose} to {got.recipient} is not the turn that the seat may see")


def _files(raw: bytes) -> Iterator[Any]:
    """The JSON files of a mail."""
    for part in message_from_bytes(raw, policy=policy.default).walk():
        if part.get_content_type() == "application/json":
            yield json.loads(part.get_payload(decode=True))  # type: ignore[arg-type]
