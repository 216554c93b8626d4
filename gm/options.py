"""The options of a game, as the gamemaster writes them in CREATE: read, checked, described, and kept as JSON text.

Each option is one `Option`: its default, what it means, and the reader that accepts or refuses a text. What is stored
is the text itself, so that a game reads the same in its database, in its mails and in CREATE.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gm.clock import ClockRule, parse_days, parse_duration, parse_time, parse_zone
from gm.errors import NotUnderstood
from gm.judge.rulebook import RULEBOOKS, Rulebook
from gm.variants import Variant, all_variants, variant


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `read` raises NotUnderstood for a text that it does not accept."""

    name: str
    default: str
    meaning: str
    read: Callable[[str], object]


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in words:
            raise NotUnderstood(f"'{text}' is not one of its values.", f"Write one of: {', '.join(words)}.")
        return text.lower()

    return read


def _optional(reader: Callable[[str], object]) -> Callable[[str], object]:
    return lambda text: None if text.lower() in ("none", "no", "off", "") else reader(text)


OPTIONS: tuple[Option, ...] = (
    Option("variant", "standard", "the game that is played", lambda text: _one_of(*all_variants())(text)),
    Option("rulebook", "default", "1971, 2000 or 2023; default: the variant's own", _one_of("default", *RULEBOOKS)),
    Option("press", "white", "white (signed) or none", _one_of("white", "none")),
    Option("powers", "preferred", "how powers are dealt: preferred (as asked for in JOIN) or random",
           _one_of("preferred", "random")),
    Option("zone", "UTC", "the time zone of the deadlines", parse_zone),
    Option("first", "7d", "time for the first phase", parse_duration),
    Option("move", "3d", "time for a movement phase, at least", parse_duration),
    Option("retreat", "1d", "time for a retreat phase, at least", parse_duration),
    Option("adjust", "1d", "time for a Winter adjustment phase, at least", parse_duration),
    Option("at", "none", "time of day at which deadlines fall, such as 18:00", _optional(parse_time)),
    Option("days", "all", "days of the week on which deadlines fall, such as mon-fri", parse_days),
    Option("reminder", "24h", "how long before a deadline those without orders are reminded; or none",
           _optional(parse_duration)),
    Option("early", "yes", "whether a phase is adjudicated as soon as every order is in and nobody waits",
           _one_of("yes", "no")),
)  # fmt: skip

_BY_NAME = {option.name: option for option in OPTIONS}


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options of a game as values. `texts` holds every option's text, defaults included."""

    texts: Mapping[str, str]

    @property
    def variant(self) -> Variant:
        """The variant, with the rulebook that the game has chosen."""
        game = variant(self.texts["variant"].lower())
        return game if self.rulebook is None else game.with_rulebook(self.rulebook)

    @property
    def rulebook(self) -> Rulebook | None:
        """The rulebook chosen, or None for the variant's own."""
        return RULEBOOKS.get(self.texts["rulebook"])

    @property
    def press(self) -> bool:
        """Whether players may write to one another."""
        return self.texts["press"].lower() != "none"

    @property
    def early(self) -> bool:
        """Whether a phase is adjudicated as soon as all orders are in."""
        return self.texts["early"].lower() == "yes"

    @property
    def powers_at_random(self) -> bool:
        """Whether powers are drawn without regard to wishes."""
        return self.texts["powers"].lower() == "random"

    @property
    def clock(self) -> ClockRule:
        """The rule of the deadlines."""
        texts = self.texts
        return ClockRule(
            zone=parse_zone(texts["zone"]),
            movement=parse_duration(texts["move"]),
            retreat=parse_duration(texts["retreat"]),
            adjustment=parse_duration(texts["adjust"]),
            at=None if _BY_NAME["at"].read(texts["at"]) is None else parse_time(texts["at"]),
            days=parse_days(texts["days"]),
            reminder=None
            if _BY_NAME["reminder"].read(texts["reminder"]) is None
            else parse_duration(texts["reminder"]),
        )


def read_options(given: Mapping[str, str]) -> GameOptions:
    """Check options as the gamemaster wrote them; fill in the defaults. Raises NotUnderstood for the first bad one."""
    texts = {option.name: option.default for option in OPTIONS}
    for name, text in given.items():
        option = _BY_NAME.get(name.lower())
        if option is None:
            raise NotUnderstood(f"There is no option '{name}'.", _did_you_mean(name))
        try:
            option.read(text.strip())
        except NotUnderstood as error:
            raise NotUnderstood(f"{option.name}={text}: {error.problem}", error.remedy) from None
        texts[option.name] = text.strip()
    return GameOptions(texts)


def _did_you_mean(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), _BY_NAME, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    return f"{hint}The options are {', '.join(_BY_NAME)}."
