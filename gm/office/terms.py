"""How a game is played, said for its players: the options in words."""

from __future__ import annotations

from gm.clock import DAY_NAMES, EVERY_DAY, ClockRule, parse_duration
from gm.office.table import Table
from gm.reports.words import counted, listed, span


def terms(table: Table) -> tuple[tuple[str, str], ...]:
    """What everybody at the table should know, as (subject, words)."""
    options = table.options
    rule = options.clock
    said = [
        ("Rules", f"the {table.variant.rulebook.name} rulebook"),
        ("Press", "signed with the power" if options.press else "none between players"),
        ("Powers", "by lot" if options.powers_at_random else "as wished, else by lot"),
        (
            "Time",
            f"{span(rule.movement)} for movement, {span(rule.retreat)} for retreats, "
            f"{span(rule.adjustment)} for Winter; {span(parse_duration(options.texts['first']))} for the first phase",
        ),
        ("Deadlines", _when(rule)),
        (
            "Early",
            "as soon as all orders are in, unless somebody says WAIT" if options.early else "never before the deadline",
        ),
    ]
    if rule.reminder is not None:
        said.append(("Reminder", f"{span(rule.reminder)} before the deadline, if orders are missing"))
    return tuple(said)


def seats_taken(table: Table) -> str:
    """How full the table is: `3 of 7 seats are taken`, `3 seats are taken, 2 are needed`."""
    seating = table.variant.seating
    if seating.most is None:
        verb = "is" if table.taken == 1 else "are"
        return f"{counted(table.taken, 'seat')} {verb} taken, at least {seating.fewest} are needed"
    wanted = f"{seating.most}" if seating.fewest == seating.most else f"{seating.fewest} to {seating.most}"
    return f"{table.taken} of {wanted} seats are taken"


def _when(rule: ClockRule) -> str:
    time = f"at {rule.at:%H:%M}" if rule.at is not None else "at any time of day"
    days = "on any day"
    if rule.days != EVERY_DAY:
        days = "on " + listed(DAY_NAMES[day].capitalize() for day in sorted(rule.days))
    return f"{time}, {days}, in the zone {rule.zone.key}"
