"""Seats: assigning and vacating them, power preferences, dealing; and the terms of a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import chain

from gm.board import Power
from gm.chance import Chance
from gm.clock import DAY_NAMES, EVERY_DAY, ClockRule
from gm.errors import NotNow, NotUnderstood
from gm.games.report_inputs import early_by, is_draft
from gm.games.snapshot import Game, Person, Seat, holders
from gm.games.transaction import Transaction
from gm.play import deputies, press_rules, standby, standins
from gm.play.seat_addresses import void
from gm.reports import counted, listed, span
from gm.reports.reader import ENDS, Answers, by_ready
from gm.store import game_rows
from gm.store.game_rows import GameState, SeatRole
from gm.variants import Seating

_EARLY = {
    **by_ready("when {who} have said READY"),
    "orders": "as soon as all orders are in, unless somebody replies WAIT",
    "no": "never before the deadline",
}

NAMES = (
    *("Krell", "Altair", "Deneb", "Mira", "Rigel", "Spica", "Vega", "Procyon", "Castor", "Sirius", "Hadar", "Tarazed"),
    *("Fomalhaut", "Bellatrix", "Zaurak", "Gienah", "Izar", "Naos"),
)
"""What powers are called whose players name none, where players name their powers."""


_OTHERS_NOW = "The seat is no longer that of the player for whom you have ordered."


def hold(tx: Transaction, game: Game, seat: Seat, person: Person) -> Game:
    """Give the seat to this person, with a new address. Who plays waits for no other seat; but whoever takes a secret
    one stays on the standby list, as others see it, and is passed over when a seat is offered.
    """
    if seat.role is SeatRole.PLAYER and not game.is_secret(seat):
        standby.leave(tx, game, person)
    game = deputies.dismiss(tx, game, seat, _OTHERS_NOW)
    held = replace(void(tx, game, seat), person=person, joined_at=tx.now, wait=is_draft(game, seat), dummy_since=None)
    return tx.fold_seats(game, replace(held, muted=frozenset(), names=()))


def add(tx: Transaction, game: Game, person: Person) -> tuple[Game, Seat]:
    """Give this person a new seat of a player."""
    standby.leave(tx, game, person)
    return tx.add_seat(game, SeatRole.PLAYER, person)


def give(tx: Transaction, game: Game, seat: Seat, person: Person) -> Game:
    """Give a running game's seat to this person; orders that a player sent stay in force, those for later phases do
    not, nor those of a stand-in, which have no person.
    """
    game = hold(tx, standins.withdraw_orders(tx, game, seat), seat, person)
    game_rows.cancel_preorders(tx.session, seat.id, tx.now)
    if game.running:
        tx.owe(game, [seat], f"welcome:{game.seat(seat.id).serial}")
        if game.in_review and game.reviews(seat):
            tx.owe(game, [seat], f"review:{game.seat(seat.id).serial}")
    return game


def vacate(tx: Transaction, game: Game, seat: Seat) -> Game:
    """Vacate the seat and offer it to the standby list, unless it is secret who holds it."""
    game = empty(tx, game, seat)
    if game.running and not game.is_secret(seat):
        standby.ask(tx, game, game.seat(seat.id))
    return game


def empty(tx: Transaction, game: Game, seat: Seat) -> Game:
    """Vacate the seat and void its address; orders, READY and WAIT for this phase stay."""
    game = deputies.dismiss(tx, game, seat, _OTHERS_NOW)
    game_rows.cancel_preorders(tx.session, seat.id, tx.now)
    number = game.phase.number if game.phase is not None else None
    left = replace(void(tx, game, seat), person=None, joined_at=None, left_in=number, names=())
    return tx.fold_seats(game, left)


def announce(tx: Transaction, game: Game, seat: Seat, purpose: str, knowing: Sequence[Seat] = ()) -> None:
    """Notify everybody else that the power has a new player, by name unless players are anonymous; never of a secret
    seat. Those in `told` know it."""
    if game.is_secret(seat):
        return
    hidden = game.names_hidden or seat.person is None
    who = "Somebody else" if hidden else seat.name
    words = (f"{who} now plays {seat.power}.",)
    tx.tell(game, game.all_but(seat, *knowing), "a new player", words, purpose)


def announce_vacancy(
    tx: Transaction, game: Game, seat: Seat, happened: str, purpose: str, *, named: bool = True, why: str = ""
) -> None:
    """Tell everybody but the gamemasters, who are told more, what happened to the player who held the seat; never of a
    secret seat. `named`: their name may be told where names are not hidden; `why`: a sentence with the reason.
    """
    if game.is_secret(seat) or not game.running:
        return
    name = f", {seat.name}," if seat.name and named and not game.names_hidden else ""
    holds = "is played by a stand-in" if game.options.stands_in(seat.label) else "has no player"
    words = f"The player of {seat.power}{name} {happened}; {seat.power} {holds} until somebody takes it over."
    words = " ".join(filter(None, (words, why)))
    tx.tell(game, game.all_but(seat, *game.masters), f"{seat.power} has no player", (words,), purpose)


def dummies(game: Game, empty: Iterable[Seat]) -> Answers:
    """What a gamemaster can answer to go on without players for these seats."""
    named = (seat.power for seat in empty if seat.power is not None and not game.is_secret(seat))
    return tuple((f"DUMMY {power}", "go on without a player") for power in named)


def tell_of_loss(tx: Transaction, game: Game, seat: Seat, why: str, purpose: str) -> None:
    """Tell a player who is about to lose their seat why, and how to return."""
    back = ((f"TAKEOVER {game.name} AS {seat.power}", "return, if nobody else has taken it"),)
    tx.dismiss(game, seat, "you have lost your seat", (why,), purpose, back)


def way_on(game: Game) -> str:
    """What somebody from whom the gamemaster has taken a seat can do: whom to ask, and where there is another."""
    ask = f"To ask its gamemaster why, write OBSERVE {game.name}, and PRESS TO GM in reply"
    return f"{ask}; LIST OPEN shows the games with a free seat."


# dealing


def deal(seating: Seating, wishes: Sequence[Wishes], chance: Chance) -> tuple[Power, ...]:
    """A power for each player, in the order of `wishes` (no preferences: an empty tuple): of those who have any, that
    in which they joined.

    In that order each player gets the power they like best among those left; players without preferences get the rest
    at random. A power whose player is secret always gets one, whatever stand-ins play: otherwise the number of players
    would tell whether it has.
    """
    left = list(seating.powers)
    dealt: dict[int, Power] = {}
    for number, groups in enumerate(wishes):
        liked = next((found for group in groups if (found := [power for power in group if power in left])), [])
        if liked:
            dealt[number] = chance.choose(liked, "wish", number)
            left.remove(dealt[number])
    if dealt and len(dealt) == len(wishes) and not seating.secret.isdisjoint(left):
        left.append(dealt.pop(chance.choose(sorted(dealt), "secret")))
    waiting = [number for number in range(len(wishes)) if number not in dealt]
    drawn = chance.shuffled(left, "powers")
    open_ones = [power for power in drawn if power not in seating.secret]
    spare = open_ones[len(open_ones) - (len(left) - len(waiting)) :]
    dealt |= dict(zip(waiting, (power for power in drawn if power not in spare), strict=False))
    return tuple(dealt[number] for number in sorted(dealt))


def how_powers_are_dealt(game: Game, power: str | None) -> tuple[str, ...]:
    """What becomes of the wish for a power, in a game that deals them."""
    if power is None or game.running or not game.variant.seating.powers:
        return ()
    if game.options.powers_at_random:
        return ("The powers of this game are dealt at random, whatever anybody asks for.",)
    other = next(one for one in game.powers if one != power)
    return (
        f"YES asks for {power}: of all who ask for a power, the first to join gets it. You can ask for another one:"
        f" reply JOIN {game.name} AS {other}, for example.",
    )


# power preferences


Wishes = tuple[tuple[Power, ...], ...]
"""Groups of powers, favourite first; those in one group are equal choices."""


def read_wishes(text: str, powers: Sequence[Power], named: Callable[[str], Power | None]) -> Wishes:
    """The groups in a list: names with commas, or initials, with `or` between equal choices or `[...]` around them, and
    `*` for all others.
    Raises NotUnderstood.
    """
    groups: list[tuple[Power, ...]] = []
    for bracketed, plain in re.findall(r"\[([^\[\]]*)\]|([^,\[\]]+)", text):
        if bracketed:
            groups.append(tuple(power for part in _parts(bracketed) for power in _named(part, powers, named)))
        else:
            for part in _parts(plain):
                choices = [_named(one.strip(), powers, named) for one in _EITHER.split(part)]
                groups += [tuple(chain(*choices))] if len(choices) > 1 else [(power,) for power in choices[0]]
    taken: list[Power] = []
    wishes: list[tuple[Power, ...]] = []
    for group in groups:
        rest = _OTHERS in group
        fresh = tuple(dict.fromkeys(p for p in (powers if rest else group) if p not in taken))
        taken += fresh
        wishes += [fresh] if fresh else []
    if not wishes:
        raise _unknown(text, powers)
    return tuple(wishes)


_OTHERS = Power("*")
_EITHER = re.compile(r"\bor\b|/", re.IGNORECASE)


def _parts(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?i),|\b(?:and|then)\b|>|(\*)", text) if part and part.strip()]


def _named(part: str, powers: Sequence[Power], named: Callable[[str], Power | None]) -> tuple[Power, ...]:
    if part == _OTHERS:
        return (_OTHERS,)
    power = named(part)
    if power in powers:
        return (Power(str(power)),)
    initials = {power[0].upper(): power for power in powers}
    letters = part.upper().replace(" ", "")
    if len(initials) < len(powers) or not letters or not set(letters) <= set(initials):
        raise _unknown(part, powers)
    return tuple(initials[letter] for letter in letters)


def one_of(powers: Collection[str]) -> str:
    """What is said where a power is to be named; where players name them as they join, there are none before."""
    return f"Write one of: {', '.join(powers)}." if powers else "Its players name them when they join; leave it out."


def _unknown(text: str, powers: Sequence[Power]) -> NotUnderstood:
    near = get_close_matches(text.strip().title(), powers, 1)
    remedy = f"Did you mean {near[0]}?" if near else one_of(powers)
    return NotUnderstood(f"'{text.strip()}' is not a power in this game.", remedy)


# terms


def terms(game: Game) -> tuple[tuple[str, str], ...]:
    """The terms of the game for its players, as (subject, words)."""
    options = game.options
    rule = options.clock
    said = [
        ("Rules", f"the {game.variant.rulebook.name} rulebook"),
        ("Press", "; ".join((_PRESS[options.press], *press_rules.said(game)))),
        ("Powers", _powers(game)),
        ("Victory", game.variant.goal),
        *_time(game),
    ]
    said += [
        (choice.name.capitalize(), f"{options.texts.get(choice.name, choice.default)} ({choice.meaning})")
        for choice in game.variant.choices
    ]
    if game.variant.review is not None:
        said.append(("Results", f"{span(options.window)} after the deadline, always"))
    if rule.reminders and options.timed:
        said.append(
            ("Reminder", f"{listed(map(span, rule.reminders), 'and again')} before the deadline, if orders are missing")
        )
    if game.state is GameState.FORMING and (begins := begins_when(game)):
        said.append(("Start", begins))
    if options.extensions and options.timed:
        times = counted(options.extensions, "deadline")
        missed = "" if game.waits_for_all else " or by missing them"
        said.append(("Extensions", f"each player can move {times} by a day, with EXTEND{missed}"))
    if options.timed:
        said.append(("No orders", _missing(game)))
    if rule.absence is not None and options.timed:
        said.append(("Absence", f"deadlines move for players' absences, by {span(rule.absence)} at most"))
    if options.anonymous != "no":
        end = " until the game is over" if options.anonymous == "yes" else ""
        said.append(("Players", f"anonymous{end}"))
    if options.stands_in("all"):
        said.append(("Vacant", "stand-in players, which the program plays, until somebody takes over"))
    if options.motions != "none":
        motions = "EXTEND, PAUSE and RESUME" if options.timed else "PAUSE and RESUME"
        said.append(("More time", f"{motions}, when {_MOTIONS[options.motions]} agree"))
    said.append(("Draws", _DRAWS[options.draw] + (", and players can concede the game" if options.concede else "")))
    seen = "all players see whose orders are in" if options.shows_progress and not game.hides_duties else None
    others = (("Progress", seen), ("Last", options.texts.get("last")))
    said += [(name, text) for name, text in others if text not in (None, "default", "none")]
    said += [("House rules", game.house_rules)] if game.house_rules else []
    return tuple(said)


def _time(game: Game) -> Iterator[tuple[str, str]]:
    """The terms of the game's deadlines, if it has any, and of phases that end without or before one."""
    options, rule, early = game.options, game.options.clock, early_by(game)
    if options.release == "gm":
        yield "Results", "the gamemaster sees them first, and releases them"
    if not options.timed:
        yield "Deadlines", f"none: {ENDS[early]}"
        return
    yield (
        "Time",
        f"{span(rule.movement)} for movement, {span(rule.retreat)} for retreats, "
        f"{span(rule.adjustment)} for Winter; {span(options.first)} for the first phase",
    )
    yield "Deadlines", _when(rule)
    yield "Early", _EARLY[early]


def ends_early(game: Game) -> str:
    """When a phase is adjudicated before its deadline, as a sentence."""
    how = _EARLY[early_by(game)]
    when = how.removeprefix("never ")
    return f"A phase is {'adjudicated' if when == how else 'never adjudicated'} {when}."


_PRESS = {
    "white": "white: signed with the power",
    "grey": "white and grey: signed with the power or, as GREY PRESS, unsigned",
    "none": "none between players",
}
_COSTS = ", and missing two phases in a row costs you your seat"
_NMR = {
    "hold": "units without orders hold",
    "disorder": f"units without orders hold{_COSTS}",
    "wait": "the phase waits",
    "random": "random orders",
}
_MOTIONS = {"majority": "most players", "all": "all players"}
_DRAWS = {
    "dias": "DIAS: all survivors share a draw",
    "listed": "a draw is shared by those it lists",
    "none": "no draws",
}


def dummies_fate(game: Game) -> str:
    """What the units of a dummy do without orders from the gamemaster."""
    return "its orders are random" if game.variant.review is not None else "its units hold"


def _missing(game: Game) -> str:
    """The rule for missing orders. If a seat may change orders, the game never waits, and missing orders are random."""
    if game.variant.review is not None:
        return _NMR["random"] + (_COSTS if game.options.nmr == "disorder" else "")
    grace = game.options.clock.grace
    return (f"late orders are accepted for {span(grace)} after the deadline; then " if grace else "") + _NMR[
        game.options.nmr
    ]


def _powers(game: Game) -> str:
    if game.variant.seating.name is not None:
        return "named by their players"
    return "at random" if game.options.powers_at_random else "by preference, otherwise at random"


def open_by(game: Game) -> str:
    """How anybody takes part in it now: `JOIN Mars`, `TAKEOVER Mars`; "" if by invitation only, or not at all.

    Where players name their powers, AS and a name may follow.
    """
    if game.over or not game.playable or game.options.by_invitation:
        return ""
    if game.state is GameState.FORMING:
        return f"JOIN {game.name}" if not is_full(game) else ""
    if game.vacant:
        return f"TAKEOVER {game.name}"
    return f"JOIN {game.name}" if game.variant.seating.late is not None else ""


def how_to_join(game: Game, power: str | None) -> str:
    """What somebody writes who is invited to play this power, or (None) any: `JOIN Mars AS France`."""
    entering = "JOIN" if game.state is GameState.FORMING or game.variant.seating.late is not None else "TAKEOVER"
    return f"{entering} {game.name}" + (f" AS {power}" if power else "")


def enough(game: Game) -> int:
    """With how many players a game begins by itself; 0 if its gamemaster begins it."""
    if game.options.start == "full":
        return game.variant.seating.most or game.variant.seating.fewest
    return int(game.options.start) if game.options.start != "gm" else 0


def begins_when(game: Game) -> str:
    """When a game begins by itself: `as soon as all seats are taken`; "" if its gamemaster begins it."""
    seats = "all" if game.options.start == "full" else enough(game)
    return f"as soon as {seats} seats are taken" if seats else ""


def is_full(game: Game) -> bool:
    """Whether no more players can join before the start."""
    most = game.variant.seating.most
    return most is not None and len(game.held) >= most


def require_free(game: Game, power: str | None) -> None:
    """Raises NotNow for a power that cannot be had by joining the game."""
    if power is None:
        return
    full, vacant = game.state is GameState.FORMING and is_full(game), {seat.id for seat in game.vacant}
    taken = {seat.power for seat in game.players if seat.id not in vacant}
    free = [] if full else [one for one in game.powers if one not in taken]
    if power not in free:
        remedy = f"Free: {listed(free)}." if free else f"All seats of {game.name} are taken."
        raise NotNow(f"{power} is not free.", remedy)


def seats_taken(game: Game) -> str:
    """How full the game is: `3 of 7 seats are taken`, `3 seats are taken, for 2 to 13 players`."""
    seating, taken = game.variant.seating, len(game.held)
    verb = "is" if taken == 1 else "are"
    if seating.most is None:
        needed = f", at least {seating.fewest} are needed" if taken < seating.fewest else ""
        return f"{counted(taken, 'seat')} {verb} taken{needed}"
    if seating.fewest != seating.most:
        return f"{counted(taken, 'seat')} {verb} taken, for {players(seating)} players"
    return f"{taken} of {seating.most} seats {verb} taken"


def players(seating: Seating) -> str:
    """How many can play: `7`, `2 to 13`, `2 or more`."""
    if seating.most is None:
        return f"{seating.fewest} or more"
    return f"{seating.most}" if seating.fewest == seating.most else f"{seating.fewest} to {seating.most}"


def conditions(game: Game) -> list[str]:
    """What a person looking for a game wants to know first: `no press`, `anonymous`."""
    options = game.options
    press = "no press" if options.press == "none" else f"{options.press} press"
    if rules := press_rules.said(game):
        press = f"{press} ({'; '.join(rules)})"
    said = [press] if options.anonymous == "no" else [press, "anonymous"]
    said += [] if options.timed else ["no deadlines"]
    return said if options.on_time is None else [*said, f"orders on time in {options.on_time} of 100 phases"]


def _when(rule: ClockRule) -> str:
    time = f"at {rule.at:%H:%M}" if rule.at is not None else "at any time of day"
    days = "on any day"
    if rule.days != EVERY_DAY:
        days = "on " + listed(DAY_NAMES[day].capitalize() for day in sorted(rule.days))
    free = ", ".join(
        f"{first:%d %b %Y}" if first == last else f"{first:%d %b} to {last:%d %b %Y}" for first, last in rule.holidays
    )
    but = f", but not on holidays ({free})" if free else ""
    return f"{time}, {days}{but}, in the zone {rule.zone.key}"


_MAY_PLAY = (
    "Who runs the game may play, too, as any power, and then sees no more than that power and what is written to the"
    " GM; if they do not play, they may know who does."
)
"""Of a game in which names are hidden and a seat is secret: whoever is seen to play no other power may have that."""


def who_runs_and_plays(game: Game, seat: Seat) -> tuple[str, ...]:
    """A sentence about each other person who runs the game and plays, by name where everybody may know it."""
    others = [person for one, person in holders(game.moderators) if not one.is_of(seat.person)]
    if game.options.private or not others:
        return ()
    if game.names_hidden and any(map(game.is_secret, game.players)):
        return (_MAY_PLAY,)
    playing = [person for person in others if game.plays_openly(person)]
    who = sorted(f"{person.name}, who runs the game," for person in playing)
    watching = [one for one in game.moderators if one.person is not None and not game.plays_openly(one.person)]
    secret = [one.power for one in game.players if game.is_secret(one) and not one.is_of(seat.person)]
    secret = secret if len(playing) < len(others) else []  # the others may have it, whoever has
    if game.names_hidden:
        who = ["Somebody who runs the game"] if playing else []
    return (
        *(f"{one} plays, too, and sees no more of it than their power and what is written to the GM." for one in who),
        *(
            ["Somebody who does not play helps to run it, and may know who plays."]
            if game.names_hidden and who and watching
            else ()
        ),
        *(
            f"The gamemaster may be playing {power}; then they see what {power} sees, and mail to the GM, and no more."
            for power in secret
        ),
    )
