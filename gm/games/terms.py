"""How a game is played, said for its players: the options in words."""

from __future__ import annotations

from gm.clock import DAY_NAMES, EVERY_DAY, ClockRule
from gm.games.report_inputs import is_early
from gm.games.snapshot import Game
from gm.reports.words import counted, listed, span


def terms(game: Game) -> tuple[tuple[str, str], ...]:
    """What everybody in the game should know, as (subject, words)."""
    options = game.options
    rule = options.clock
    said = [
        ("Rules", f"the {game.variant.rulebook.name} rulebook"),
        ("Press", _PRESS[options.press]),
        ("Powers", _powers(game)),
        (
            "Time",
            f"{span(rule.movement)} for movement, {span(rule.retreat)} for retreats, "
            f"{span(rule.adjustment)} for Winter; {span(options.first)} for the first phase",
        ),
        ("Deadlines", _when(rule)),
        (
            "Early",
            "as soon as all orders are in, unless somebody says WAIT"
            if is_early(game)
            else "never before the deadline",
        ),
    ]
    said += [
        (choice.name.capitalize(), f"{options.texts.get(choice.name, choice.default)} ({choice.meaning})")
        for choice in game.variant.choices
    ]
    if game.variant.review is not None:
        said.append(("Results", f"{span(options.window)} after the deadline, always"))
    if rule.reminder is not None:
        said.append(("Reminder", f"{span(rule.reminder)} before the deadline, if orders are missing"))
    said.append(("Missing", _missing(game)))
    if rule.absence is not None:
        said.append(("Absence", f"a deadline moves out of players' absences, by {span(rule.absence)} at most"))
    if options.anonymous != "no":
        end = " until the game is over" if options.anonymous == "yes" else ""
        said.append(("Players", f"known by their powers only{end}"))
    if options.motions != "none":
        said.append(("More time", f"EXTEND, PAUSE and RESUME, when {_MOTIONS[options.motions]} agree"))
    said.append(("Draws", _DRAWS[options.draw] + (", and the game may be conceded" if options.concede else "")))
    said += [(name, text) for name, text in (("Win", options.texts.get("win")), ("Last", options.texts.get("last")))
             if text not in (None, "default", "none")]  # fmt: skip
    return tuple(said)


_PRESS = {
    "white": "signed with the power",
    "grey": "signed with the power or, as GREY PRESS, unsigned",
    "none": "none between players",
}
_NMR = {
    "hold": "units without orders hold",
    "disorder": "units without orders hold, and who misses two phases running loses their seat",
    "wait": "the phase waits",
    "random": "orders are drawn by lot",
}
_MOTIONS = {"majority": "most players", "all": "all players"}
_DRAWS = {"dias": "all survivors share a draw", "listed": "a draw is shared by those it lists", "none": "no draws"}


def _missing(game: Game) -> str:
    """What becomes of missing orders. Where a seat may alter orders nothing waits for them: they are drawn by lot."""
    if game.variant.review is not None:
        return _NMR["random"]
    grace = game.options.clock.grace
    return (f"{span(grace)} after the deadline missing orders still count; then " if grace else "") + _NMR[
        game.options.nmr
    ]


def _powers(game: Game) -> str:
    if game.variant.seating.name is not None:
        return "as their players have named them"
    return "by lot" if game.options.powers_at_random else "as wished, else by lot"


def seats_taken(game: Game) -> str:
    """How full the game is: `3 of 7 seats are taken`, `3 seats are taken, 2 are needed`."""
    seating, taken = game.variant.seating, len(game.held)
    if seating.most is None:
        verb = "is" if taken == 1 else "are"
        needed = f", at least {seating.fewest} are needed" if taken < seating.fewest else ""
        return f"{counted(taken, 'seat')} {verb} taken{needed}"
    wanted = f"{seating.most}" if seating.fewest == seating.most else f"{seating.fewest} to {seating.most}"
    return f"{taken} of {wanted} seats are taken"


def _when(rule: ClockRule) -> str:
    time = f"at {rule.at:%H:%M}" if rule.at is not None else "at any time of day"
    days = "on any day"
    if rule.days != EVERY_DAY:
        days = "on " + listed(DAY_NAMES[day].capitalize() for day in sorted(rule.days))
    but = ", but not on holidays (" + ", ".join(f"{a} to {b}" for a, b in rule.holidays) + ")" if rule.holidays else ""
    return f"{time}, {days}{but}, in the zone {rule.zone.key}"
