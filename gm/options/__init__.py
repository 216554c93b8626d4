"""The options of a game, as the gamemaster writes them in CREATE: parsed, checked, described, and stored as JSON text.

The text itself is stored, so that an option looks the same in the database, in mails and in CREATE.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

from gm.clock import ClockRule
from gm.errors import NotUnderstood
from gm.judge import RULEBOOKS, Rulebook
from gm.options.table import BY_NAME, did_you_mean, known_options
from gm.position import Position, Season
from gm.turn import LAST_YEAR, Victory
from gm.variants import Variant, all_variants, find, variant

T = TypeVar("T")

STANDINS, PRACTICE, SANDBOX = "standins", "practice", "sandbox"
"""The key of an option, which STANDIN changes to the powers that it names; and the marks of practice games and of
sandboxes; a sandbox's is the account of its maker."""
RULES = "rules"
"""The key of the edition of the rules, stored with the options; it is not an option, because it cannot be chosen."""


class _Value(Generic[T]):
    """What an option means in a game, `made` of the value of its text."""

    def __init__(self, name: str, made: Callable[[Any], T]) -> None:
        self._name, self._made = name, made

    def __get__(self, options: GameOptions, _: type) -> T:
        return self._made(options.value(self._name))


def _itself(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class GameOptions:
    """The options of a game as values. `texts` has the text of every option that the game has, including defaults.

    The key `rules` in it is the edition of the variant's rules that is used: `standard/1`.
    """

    texts: Mapping[str, str]

    press = _Value("press", str)
    """How players may write to each other: `white`, `grey` or `none`."""
    partners = _Value("partners", str)
    """Whom players may write to in private: `all` or `neighbours`."""
    quiet = _Value[tuple[str, ...]]("quiet", lambda phases: phases or ())
    """The phases without press between players: `retreats`, `builds`."""
    anonymous = _Value("anonymous", str)
    """Whether the players' names are hidden: `no`, `yes` until the end, or `always`."""
    start = _Value("start", str)
    """With how many players the game begins by itself, in digits: or `full`, or `gm` if a gamemaster begins it."""
    nmr = _Value("nmr", str)
    """What happens when orders are missing: `hold`, `disorder`, `wait` or `random`."""
    motions = _Value("motions", str)
    """How many players must agree to more time: `majority`, `all` or `none` (there is no vote)."""
    draw = _Value("draw", str)
    """Which kinds of draw are possible: `dias`, `listed` or `none`."""
    timed = _Value("deadlines", "yes".__eq__)
    """Whether phases have deadlines; otherwise they end when all have ordered, or when the gamemaster decides."""
    release = _Value("release", str)
    """Whether results go out at once, `auto`, or when the gamemaster has released them, `gm`."""
    early = _Value("early", str)
    """When a phase is adjudicated before its deadline: `ready`, `orders` or `no` (never)."""
    by_invitation = _Value("admission", "invited".__eq__)
    """Whether only invited people may join."""
    listed = _Value("listed", "yes".__eq__)
    """Whether everybody is shown the game in lists."""
    concede = _Value("concede", "yes".__eq__)
    """Whether players may concede the game."""
    standing_ballots = _Value("ballots", "standing".__eq__)
    """Whether a vote stays in force until it is withdrawn."""
    powers_at_random = _Value("powers", "random".__eq__)
    """Whether powers are assigned at random, without regard to preferences."""
    shows_progress = _Value("progress", "yes".__eq__)
    """Whether all players see whose orders are in."""
    on_time = _Value[int | None]("ontime", _itself)
    """In how many of 100 phases a person who joins must have sent orders in time; None if that is not asked."""
    window = _Value[timedelta]("window", _itself)
    """The time after the deadline in which one seat may still change orders before they are adjudicated."""
    first = _Value[timedelta]("first", _itself)
    """The time for the first phase."""
    extensions = _Value("extensions", lambda number: int(number or 0))
    """How many deadlines each player may move."""

    @property
    def lengths(self) -> tuple[timedelta, ...]:
        """How long each kind of phase lasts, the first, and the time after a deadline; without deadlines for ever."""
        clock = self.clock
        lengths = (clock.movement, clock.retreat, clock.adjustment, self.first, self.window)
        return lengths if self.timed else (timedelta.max,) * len(lengths)

    @property
    def rules(self) -> str:
        """The variant and the edition of its rules, which does not change while the game lasts."""
        return self.texts.get(RULES, f"{self.texts['variant'].lower()}/1")

    @property
    def chosen(self) -> Mapping[str, str]:
        """The texts of the options that this game leaves open. Raises NoSuchEdition."""
        game = variant(self.rules)
        known = known_options(game)
        return {name: text for name, text in self.texts.items() if name in known and known[name].is_open_in(game)}

    @property
    def variant(self) -> Variant:
        """The variant, with the rulebook chosen for this game. Raises NoSuchEdition."""
        game = variant(self.rules)
        game = game if self.rulebook is None else game.with_rulebook(self.rulebook)
        game = game.with_choices(self.texts)
        win, last = self.value("win"), self.value("last")
        if win is None and last is None:
            return game
        enough = f"{win} supply centres, and more than anybody else"
        goal = game.goal if win is None else "; ".join(filter(None, (enough, game.limits.also)))
        return replace(game, victory=partial(_victory, game, win, last), goal=goal)

    def value(self, name: str) -> Any:
        """The value of an option; the default for an option that was added after the game was created."""
        return BY_NAME[name].read(self.texts.get(name, BY_NAME[name].default))

    @property
    def rulebook(self) -> Rulebook | None:
        """The rulebook chosen, or None for the variant's own."""
        return RULEBOOKS.get(str(self.value("rulebook")))

    @property
    def for_another(self) -> Mapping[str, str]:
        """The texts for a game made like this one, by the newest edition of the rules."""
        own = {PRACTICE, SANDBOX, RULES, *([STANDINS] if self.texts.get(STANDINS) not in ("yes", "no") else [])}
        return {name: text for name, text in self.texts.items() if name not in own}

    def stands_in(self, power: str) -> bool:
        """Whether a stand-in plays this power while it has no player."""
        return not {"yes", power.lower()}.isdisjoint(self.texts.get(STANDINS, "no").lower().split(","))

    @property
    def practice(self) -> bool:
        """Whether it is a practice game, of one person against stand-ins."""
        return PRACTICE in self.texts

    @property
    def sandbox(self) -> bool:
        """Whether it is a sandbox, whose gamemasters order for all powers."""
        return SANDBOX in self.texts

    @property
    def private(self) -> bool:
        """Whether only those who are in it may see it."""
        return self.practice or self.sandbox

    @property
    def idle(self) -> tuple[str, ...]:
        """What is said of options that do nothing: `With press=none, partners=neighbours does nothing.`"""
        no_press = "With press=none" if self.press == "none" else ""
        secret = "Since the game keeps secret who has ordered" if self.variant.hides_duties else ""
        rules = (
            ("partners", self.partners != "all", no_press),
            ("quiet", bool(self.quiet), no_press),
            ("progress", self.shows_progress, secret),
        )
        return tuple(f"{why}, {name}={self.texts[name]} does nothing." for name, chosen, why in rules if chosen and why)

    @cached_property
    def clock(self) -> ClockRule:
        """The rule that sets the deadlines."""
        value = self.value
        return ClockRule(
            zone=value("zone"),
            movement=value("move"),
            retreat=value("retreat"),
            adjustment=value("adjust"),
            at=value("at"),
            days=value("days"),
            reminders=value("reminder") or (),
            grace=value("grace"),
            holidays=value("holidays") or (),
            absence=value("absence"),
        )


def _victory(game: Variant, win: int | None, last: int | None, position: Position) -> Victory | None:
    """The game's own victory, or a victory by `win` centres, or the draw after the year `last`."""
    found = game.victory(position) if win is None else game.limits.victory(game, position, win)
    if found is None and last is not None and position.phase.year >= last and position.phase.season is Season.FALL:
        return Victory(game.limits.survivors(game, position), LAST_YEAR, {"year": position.phase.year})
    return found


def read_options(given: Mapping[str, str], before: Mapping[str, str] | None = None) -> GameOptions:
    """Check the options that the gamemaster wrote; all others keep their values from `before`, or their defaults.

    If a variant is named, the newest edition of its rules is used, and what was left at the other game's defaults gets
    this one's; otherwise the edition is that of `before`. Raises NotUnderstood for the first bad option, or the first
    that does not apply to the game.
    """
    named = {name.lower(): text.strip() for name, text in given.items()}
    if (meant := find(named.get("variant", ""))) is not None:
        named["variant"] = meant.name
    texts = dict(before or {})
    if "variant" in named or RULES not in texts:
        title = named.get("variant", texts.get("variant", BY_NAME["variant"].default)).lower()
        if title not in all_variants():
            BY_NAME["variant"].checked(variant("standard"), title)
        game = all_variants()[title]
        texts = _moved({name: text for name, text in texts.items() if name not in named}, game)
    else:
        game = variant(texts[RULES])
    known = known_options(game)
    for name in given:
        option, text = known.get(name.lower()), named[name.lower()]
        if option is None:
            raise NotUnderstood(f"There is no option '{name}'.", did_you_mean(name, known))
        texts[option.name] = option.checked(game, text)
    defaults = {name: default for name, option in known.items() if (default := option.default_in(game)) is not None}
    return GameOptions(defaults | texts | {RULES: game.rules})


def _moved(texts: Mapping[str, str], game: Variant) -> dict[str, str]:
    """The options of another game, without its defaults, for this game. Raises NotUnderstood for one that does not
    apply to it.
    """
    if RULES not in texts:
        return dict(texts)
    old, kept, known = variant(texts[RULES]), {}, known_options(game)
    for name, option in known_options(old).items():
        if name in known and name in texts and texts[name] != option.default_in(old):
            kept[name] = known[name].checked(game, texts[name])
    return kept
