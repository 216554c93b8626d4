"""The calendar file that goes with mails about a deadline: one event a game, which moves when the deadline does.

It is an iCalendar object (RFC 5545) with the method PUBLISH or CANCEL (RFC 5546). The event has the same UID in all
files of a game, and a higher SEQUENCE after each change of the deadline, so that calendars replace what they have.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from gm.games.identity import ServerIdentity
from gm.games.report_inputs import closes_at
from gm.games.snapshot import Game, Seat
from gm.mail.message.compose import Attachment
from gm.reports import phase_title

NAME = "deadline.ics"

_HOW = "Reply to the newest report with your orders."


def calendar_file(
    identity: ServerIdentity, game: Game, seat: Seat, revision: int, now: datetime, *, leaves: bool = False
) -> tuple[Attachment, ...]:
    """The file for the holder of a seat, in a tuple; an empty one if they want none, or there never was a deadline.

    `revision` is `loading.revision` of the game. Without a deadline (paused, over), and for somebody who `leaves`, the
    event is cancelled.
    """
    if seat.person is None or seat.person.calendar == "none" or not revision or game.phase is None:
        return ()
    if game.options.sandbox:
        return ()
    phase, how = game.phase.position.phase, f" {_HOW}" if seat.power in game.duties else ""
    event = _Event(
        uid=f"{game.name.lower()}.deadline@{identity.host}",
        revision=revision + 1 if leaves else revision,  # newer than what they have, older than the next deadline
        due=closes_at(game, seat) if game.running and not leaves else None,
        now=now,
        summary=f"{game.name}: {phase.code} deadline",
        description=f"{phase_title(phase)} ({phase.code}) of {game.name} is adjudicated.{how}",
        organizer=f"mailto:{identity.address}",
    )
    form = (("charset", "utf-8"), ("method", event.method))
    return (Attachment(NAME, "text/calendar", _written(event), form),)


class _Event(NamedTuple):
    uid: str
    revision: int
    due: datetime | None
    now: datetime
    summary: str
    description: str
    organizer: str

    @property
    def method(self) -> str:
        """What calendars do with it."""
        return "CANCEL" if self.due is None else "PUBLISH"


@lru_cache(maxsize=16)
def _written(one: _Event) -> bytes:
    """The file, which is the same for nearly everybody in a game."""
    from icalendar import Calendar, Event  # a tenth of a second, which no mail without a deadline needs

    event = Event()
    event.add("uid", one.uid)
    event.add("sequence", one.revision)
    event.add("dtstamp", one.now.astimezone(UTC))
    event.add("dtstart", (one.due or one.now).astimezone(UTC))
    event.add("summary", one.summary)
    event.add("description", one.description)
    event.add("organizer", one.organizer)
    event.add("status", "CANCELLED" if one.due is None else "CONFIRMED")
    event.add("transp", "TRANSPARENT")
    content = Calendar()
    content.add("version", "2.0")
    content.add("prodid", "-//gm//Diplomacy by mail//EN")
    content.add("method", one.method)
    content.add_component(event)
    return bytes(content.to_ical())
