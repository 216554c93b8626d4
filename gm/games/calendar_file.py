"""The calendar file that goes with mails about a deadline: one event a game, which moves when the deadline does.

It is an iCalendar object (RFC 5545) with the method PUBLISH or CANCEL (RFC 5546). The event has the same UID in all
files of a game, and a higher SEQUENCE after each change of the deadline, so that calendars replace what they have.
"""

from __future__ import annotations

from datetime import UTC, datetime

from gm.games.identity import ServerIdentity
from gm.games.report_inputs import closes_at
from gm.games.snapshot import Game, Seat
from gm.mail.message.compose import Attachment
from gm.reports import phase_title

NAME = "deadline.ics"


def calendar_file(
    identity: ServerIdentity, game: Game, seat: Seat, revision: int, now: datetime
) -> tuple[Attachment, ...]:
    """The file for the holder of a seat, in a tuple; an empty one if they want none, or there never was a deadline.

    `revision` is `loading.revision` of the game. Without a deadline (paused, over) the event is cancelled.
    """
    if seat.person is None or seat.person.calendar == "none" or not revision or game.phase is None:
        return ()
    due = closes_at(game, seat) if game.running else None
    method = "PUBLISH" if due is not None else "CANCEL"
    content = _written(identity, game, due, revision, now)
    return (Attachment(NAME, "text/calendar", content, (("charset", "utf-8"), ("method", method))),)


def _written(identity: ServerIdentity, game: Game, due: datetime | None, revision: int, now: datetime) -> bytes:
    from icalendar import Calendar, Event  # a tenth of a second, which no mail without a deadline needs

    phase = game.phase.position.phase if game.phase is not None else None
    what = f"{phase_title(phase)} ({phase.code})" if phase is not None else ""
    event = Event()
    event.add("uid", f"{game.name.lower()}.deadline@{identity.host}")
    event.add("sequence", revision)
    event.add("dtstamp", now.astimezone(UTC))
    event.add("dtstart", (due or now).astimezone(UTC))
    event.add("summary", f"{game.name}: {phase.code if phase is not None else ''} deadline")
    event.add("description", f"{what} of {game.name} is adjudicated. Reply to the newest report with your orders.")
    event.add("organizer", f"mailto:{identity.address}")
    event.add("status", "CONFIRMED" if due is not None else "CANCELLED")
    event.add("transp", "TRANSPARENT")
    content = Calendar()
    content.add("version", "2.0")
    content.add("prodid", "-//gm//Diplomacy by mail//EN")
    content.add("method", "PUBLISH" if due is not None else "CANCEL")
    content.add_component(event)
    return bytes(content.to_ical())
