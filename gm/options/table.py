"""The options of a game as one table: the default of each, its meaning, how its text is read, and the games to which it
does not apply.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from gm.board import Power
from gm.chance import Chance
from gm.clock import parse_days, parse_duration, parse_holidays, parse_leads, parse_time, parse_zone
from gm.errors import NotUnderstood
from gm.judge import RULEBOOKS
from gm.position import Season
from gm.variants import Variant, all_variants


class Bound(NamedTuple):
    """What a game leaves open of an option: the only possible `values`, the first of which is its default there, and
    why. No values: the option does not exist in that game.
    """

    values: tuple[str, ...]
    why: str


def _free(_: Variant) -> Bound | None:
    return None


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `read` raises NotUnderstood for a text that it does not accept; `bound` says what a game leaves open
    of it, None for everything. `least` and `most` are the numbers between which it makes sense in a game, and what they
    are.
    """

    name: str
    default: str
    meaning: str
    read: Callable[[str], object]
    bound: Callable[[Variant], Bound | None] = _free
    least: tuple[Callable[[Variant], int], str] | None = None
    most: tuple[Callable[[Variant], int], str] | None = None

    def default_in(self, game: Variant) -> str | None:
        """Its default in this game; None if the game does not have it."""
        bound = self.bound(game)
        return self.default if bound is None else next(iter(bound.values), None)

    def is_open_in(self, game: Variant) -> bool:
        """Whether there is anything to choose in this game."""
        bound = self.bound(game)
        return bound is None or len(bound.values) > 1

    def checked(self, game: Variant, text: str) -> str:
        """The text as it is kept: a length of time with its unit. Raises NotUnderstood for one that it does not accept,
        or that does not apply to this game.
        """
        try:
            value = self.read(text)
        except NotUnderstood as error:
            raise NotUnderstood(f"{self.name}={text}: {error.problem}", error.remedy) from None
        bound = self.bound(game)
        if bound is not None and all(self.read(one) != value for one in bound.values):
            possible = " or ".join(f"{self.name}={one}" for one in bound.values)
            remedy = f"Leave it away, or write {possible}." if bound.values else "Leave it away."
            raise NotUnderstood(f"{self.name}={text} does not apply to {game.title}: {bound.why}.", remedy)
        if self.least is not None and isinstance(value, int) and value < (least := self.least[0](game)):
            why = f"its {self.least[1]} is {least}"
            raise NotUnderstood(f"{self.name}={text} does not apply to {game.title}: {why}.", "Write a higher number.")
        if self.most is not None and isinstance(value, int) and value > (most := self.most[0](game)):
            why = f"its {self.most[1]} is {most}"
            raise NotUnderstood(f"{self.name}={text} does not apply to {game.title}: {why}.", "Write a lower number.")
        return f"{text}h" if isinstance(value, timedelta) and text.isdigit() else text


# What some games do not leave open


_MOST_CENTERS, _MOST_PLAYERS = 500, 1000


def _window(game: Variant) -> Bound | None:
    return None if game.review is not None else Bound((), "no seat changes orders after the deadline")


def _dealing(game: Variant) -> Bound | None:
    return None if game.seating.powers else Bound((), "its players name their own powers")


def _if_reviewed(why: str, *values: str) -> Callable[[Variant], Bound | None]:
    """A bound of games in which one seat reviews the others' orders: no delay and no haste may tell anything."""
    bound = Bound(values, f"{why}, so that timing tells nothing")
    return lambda game: None if game.review is None else bound


def _first_year(game: Variant) -> int:
    """The first year that has a Fall; a game that begins in Winter plays it in the next one."""
    powers = game.seating.powers or tuple(Power(f"Power {letter}") for letter in "ABCDEFG"[: game.seating.fewest])
    phase = game.opening(powers, Chance(bytes(32))).phase
    return phase.year + (phase.season is Season.WINTER)


def _centers(game: Variant) -> int:
    """The number of supply centres; of a game whose board grows with its players, more than it can have."""
    if not game.seating.powers:
        return _MOST_CENTERS
    return len(game.board(game.opening(game.seating.powers, Chance(bytes(32)))).centers)


def _enough_to_win(game: Variant) -> int:
    """One more centre than any power begins with, where powers begin with some."""
    powers = game.seating.powers
    opening = game.opening(powers, Chance(bytes(32))) if powers else None
    return 1 + max((len(opening.centers_of(power)) for power in powers), default=0) if opening is not None else 1


def _missing(game: Variant) -> Bound | None:
    """What silence may cost: nothing that would tell whether there was something to order."""
    if game.veiled:
        return Bound(("hold", "wait", "random"), "a lost seat would tell that its power had something to order")
    return _if_reviewed("nothing waits for orders, and missing ones are drawn", "random", "disorder")(game)


def _rulebook(game: Variant) -> Bound | None:
    return None if game.any_rulebook else Bound(("default",), f"its rules build on the {game.rulebook.name} rulebook")


def _one_of(*words: str, **others: str) -> Callable[[str], str]:
    """Reads one of these words, or another word for one of them."""

    def read(text: str) -> str:
        word = others.get(text.lower(), text.lower())
        if word not in words:
            near = difflib.get_close_matches(word, words, n=1)
            hint = f"Did you mean {near[0]}? " if near else ""
            raise NotUnderstood(f"'{text}' is not a possible value.", f"{hint}Write one of: {', '.join(words)}.")
        return word

    return read


def _number(text: str, least: int, most: int) -> int:
    if not text.strip().isdecimal() or not least <= int(text) <= most:
        raise NotUnderstood(f"'{text}' is not a number from {least} to {most}.", "Write it in digits.")
    return int(text)


NONE = ("none", "no", "off", "never")
"""The words for nothing, wherever a value may be left out."""


def _optional(reader: Callable[[str], object]) -> Callable[[str], object]:
    return lambda text: None if text.lower() in ("", *NONE) else reader(text)


def _start(text: str) -> int | str:
    return text.lower() if text.lower() in ("gm", "full") else _number(text, 1, _MOST_PLAYERS)


def _quiet(text: str) -> tuple[str, ...]:
    read = _one_of("retreats", "builds", retreat="retreats", build="builds", adjustments="builds", winter="builds")
    return tuple(sorted({read(part.strip()) for part in text.split(",")}, reverse=True))


OPTIONS: tuple[Option, ...] = (
    Option("variant", "standard", "which game to play", lambda text: _one_of(*all_variants())(text)),
    Option("rulebook", "default", "1971, 2000 or 2023; default: the variant's own", _one_of("default", *RULEBOOKS),
           _rulebook),
    Option("press", "white", "white (signed), grey (may be sent unsigned) or none",
           _one_of("white", "grey", "none")),
    Option("partners", "all", "whom players may write to in private: all, or neighbours (powers with a unit that could "
           "meet one of theirs in one move)", _one_of("all", "neighbours", neighbors="neighbours")),
    Option("quiet", "none", "phases without press between players: retreats, builds, or retreats,builds; or none",
           _optional(_quiet)),
    Option("anonymous", "no", "whether players are hidden behind their powers: no, yes (until the end) or always",
           _one_of("no", "yes", "always")),
    Option("admission", "open", "who may join: open (everybody) or invited", _one_of("open", "invited")),
    Option("listed", "yes", "whether LIST and the gallery show the game to everybody: yes, or no (only those "
           "who are in it, and those who are asked to play, know of it)",
           _one_of("yes", "no")),
    Option("start", "gm", "how the game begins: gm (when the gamemaster writes START), full (as soon as all seats are "
           "taken that it needs), or a number of players, such as 5", _start,
           least=(lambda game: game.seating.fewest, "least number of players"),
           most=(lambda game: game.seating.most or _MOST_PLAYERS, "greatest number of players")),
    Option("ontime", "none", "of 100 phases, in how many who joins must have sent orders in time (asked of nobody with "
           "fewer than five phases, or who is invited), such as 80; or none",
           _optional(lambda text: _number(text.removesuffix("%").rstrip(), 1, 100))),
    Option("powers", "preferred", "how powers are dealt: preferred (by the players' preferences) or random",
           _one_of("preferred", "random"), _dealing),
    Option("deadlines", "yes", "yes (as the options below say) or none (a phase ends when all have ordered, as early "
           "says, or when the gamemaster writes PROCESS)", _one_of("yes", "none", no="none", off="none", never="none"),
           _if_reviewed("the orders are closed at the deadline", "yes")),
    Option("zone", "UTC", "the time zone of the deadlines", parse_zone),
    Option("first", "7d", "time for the first phase", parse_duration),
    Option("move", "3d", "time for a movement phase, at least", parse_duration),
    Option("retreat", "1d", "time for a retreat phase, at least", parse_duration),
    Option("adjust", "1d", "time for a Winter adjustment phase, at least", parse_duration),
    Option("at", "none", "time of day at which deadlines fall, such as 18:00", _optional(parse_time)),
    Option("days", "all", "days of the week on which deadlines fall, such as mon-fri", parse_days),
    Option("reminder", "24h", "how long before a deadline those without orders are reminded, such as 48h,6h; or none",
           _optional(parse_leads)),
    Option("grace", "none", "time after a deadline in which late orders are accepted; or none",
           _optional(parse_duration), _if_reviewed("the orders are closed at the deadline", "none")),
    Option("extensions", "none", "how many deadlines each player may move by a day: with EXTEND, or (not in fog) by "
           "missing one; or none",
           _optional(lambda text: _number(text, 1, 20)), _if_reviewed("the orders are closed at the deadline", "none")),
    Option("nmr", "hold", "what happens if orders are still missing: hold (units hold), disorder (units hold, and "
           "missing two phases in a row costs the seat), wait (the phase waits) or random (random orders)",
           _one_of("hold", "disorder", "wait", "random"),
           _missing),
    Option("holidays", "none", "dates without deadlines, such as 2026-12-24..2027-01-02,2027-05-01; or none",
           _optional(parse_holidays)),
    Option("absence", "14d", "how far a deadline may move for a player's ABSENCE; or none",
           _optional(parse_duration)),
    Option("motions", "majority", "how many players must agree to EXTEND, PAUSE or RESUME: majority, all; or none "
           "(only the gamemaster decides)", _one_of("majority", "all", "none")),
    Option("draw", "dias", "draws: dias (all survivors share), listed (those named) or none",
           _one_of("dias", "listed", "none")),
    Option("concede", "yes", "whether players may concede the game to one of them", _one_of("yes", "no")),
    Option("ballots", "phase", "how long votes on draws and concessions count: phase (one phase) or standing",
           _one_of("phase", "standing")),
    Option("win", "default", "supply centres needed to win, and more than anybody else; default: the variant's own",
           lambda text: None if text.lower() == "default" else _number(text, 1, _MOST_CENTERS),
           least=(_enough_to_win, "least number that nobody begins with"),
           most=(_centers, "number of supply centres")),
    Option("last", "none", "the last year, after which the survivors draw; or none",
           _optional(lambda text: _number(text, 1, 99999)), least=(_first_year, "first year")),
    Option("window", "24h", "time after the deadline for a seat that may change orders, in games that have one",
           parse_duration, _window),
    Option("early", "ready", "when a phase is adjudicated before its deadline: ready (when all who have orders to give "
           "have said READY), orders (as soon as all orders are in and nobody has said WAIT) or no (never); where it "
           "is hidden who has something to order, with ready and orders alike when all players have said READY",
           _one_of("ready", "orders", "no", yes="orders"),
           _if_reviewed("results always come when the window is over", "no")),
    Option("progress", "no", "whether all players see whose orders are in: no (only the gamemaster) or yes",
           _one_of("no", "yes"), _if_reviewed("nobody may see who has ordered", "no")),
    Option("release", "auto", "when results go out: auto (at once) or gm (the gamemaster sees them first, and writes "
           "RELEASE)", _one_of("auto", "gm"), _if_reviewed("the results come when the window is over", "auto")),
    Option("standins", "no", "whether stand-in players play powers without a player: yes or no (their units hold)",
           _one_of("no", "yes")),
)  # fmt: skip

BY_NAME = {option.name: option for option in OPTIONS}
OTHER_NAMES = {
    other: name
    for name, others in {
        "move": "moves movement movements turn turns",
        "retreat": "retreats",
        "adjust": "build builds winter adjustment adjustments",
        "reminder": "reminders",
        "holidays": "holiday",
        "zone": "timezone tz",
        "anonymous": "anon names",
        "standins": "standin stand-ins",
    }.items()
    for other in others.split()
}
"""What people call an option that has another name."""


def known_options(game: Variant) -> dict[str, Option]:
    """Every option by name, with those that only this game has."""
    return BY_NAME | choices_of(game)


def choices_of(game: Variant) -> dict[str, Option]:
    """The options that only this variant has."""
    return {
        choice.name: Option(choice.name, choice.default, choice.meaning, _one_of(*choice.ways))
        for choice in game.choices
    }


def did_you_mean(name: str, known: Mapping[str, Option]) -> str:
    """The remedy for an unknown option: the nearest name, and all names."""
    near = difflib.get_close_matches(name.lower(), known, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    return f"{hint}The options are {', '.join(known)}."
