"""What is said in answer to questions that people ask in their own words: each of the game as the asker may see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from zoneinfo import ZoneInfo

from gm import patterns as re
from gm.board import Location, Province, UnitKind
from gm.commands.context import Context, Meant
from gm.commands.dashboard import known_of, who_is_away
from gm.commands.press import refusal
from gm.commands.status import state_words
from gm.commands.voting import answers_to
from gm.errors import GmError, Temporary
from gm.games.report_inputs import closes_at, phases_leading_to, progress_shown, view_of
from gm.games.snapshot import Game, Seat, holders
from gm.inbound import late_sets
from gm.inbound.acting import run
from gm.inbound.facts import items_in, places_in
from gm.inbound.ordering import Ordering, ordering_at
from gm.inbound.speech import named_in, offer_press
from gm.inbound.wishes.askable import CHANGES
from gm.inbound.wishes.guesses import OF_WRITER, absence_as_corrected, powers_named, powers_of, rulings_in
from gm.inbound.wishes.lines import TAKES_ABSENCE_BACK, kinds_said, orders_named
from gm.inbound.wishes.reach import reach_of_others, starts_and_goals
from gm.inbound.wishes.said_of_turns import attackers, silent_before
from gm.maps.legend import SIGNS_IN_WORDS
from gm.options.table import BY_NAME
from gm.orders.legality import may_go_to
from gm.orders.notation import short, write_unit
from gm.parsing.days import days_away
from gm.parsing.game_names import (
    without_game,
)
from gm.parsing.headings import one_phase
from gm.parsing.lexicon import fold
from gm.parsing.meant_words import says
from gm.parsing.message import CommandLine
from gm.parsing.options_meant import option_asked
from gm.parsing.questions import (
    A_PHASE,
    Wanted,
    clauses,
    is_refused,
    sentences,
)
from gm.parsing.several_lines import ALL, GM
from gm.parsing.zones import Place, place_in
from gm.play import ballots, beginning
from gm.play.briefs import brief_of, paragraphs_on
from gm.play.rules_asked import rulings_near
from gm.play.seats import ends_early, terms
from gm.position import PhaseKind, Unit
from gm.reports import counted, listed
from gm.reports.blocks import Paragraphs
from gm.reports.results import MANY_POWERS, scores
from gm.store.game_rows import order_set_history


def command_of(ctx: Context, line: str) -> CommandLine | None:
    """The only command of a line, with what stands below it."""
    items = items_in(ctx, line.split("\n"))
    return items[0] if len(items) == 1 and isinstance(items[0], CommandLine) else None


def unordered(ctx: Context) -> list[str]:
    """The asker's units without an order."""
    ordering = ordering_at(ctx.game, ctx.seat)
    ordered = set(map(ordering.unit_of, ordering.in_force())) if ordering is not None else set()
    units = ordering.mine.units if ordering is not None and ordering.kind is not PhaseKind.ADJUSTMENT else ()
    return [unit for unit in (f"{kind} {short(at)}" for kind, at in units) if unit not in ordered]


def show_line(ctx: Context, line: str) -> None:
    """Do what a line says that only shows something; if there is nothing to show, say why. Not shown is a page of
    help that the answer offers in a line already: the same mail has done what it explains.
    """
    if line.startswith("HELP ") and line in dict(ctx.open_offers):
        return
    command = command_of(ctx, line)
    if command is None:
        raise LookupError(f"{line!r} is no command")
    try:
        with ctx.tx.attempt():
            run(ctx, command)
    except Temporary:
        raise
    except GmError as error:
        ctx.say(f"{error.problem} {error.remedy}".strip())


def _deadline(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """The deadline, by the clocks of a place that the mail names, if it names one."""
    if not game.running:
        return "The game is not running, so there is no deadline."
    due = closes_at(game, seat)
    if due is None:
        return f"{game.code} has no deadline now."
    place = clocks_of(ctx, game, ctx.mail.message.text if ctx.mail is not None else text)
    until = (replace(ctx.reader(), zone=ZoneInfo(place.zone)) if place.zone else ctx.reader()).until(due)
    if game.closed_to(seat):
        return f"The orders for {game.code} are closed. The results come {until}."
    said = f"The deadline of {game.code} is {until}."
    return f"{said} {_NO_ZONE.format(place.name)}" if place.name and not place.zone else said


_NO_ZONE = (
    "The time zone of {} is not known here: TIMEZONE and a city of it, as in TIMEZONE New York, shows all times in it."
)
_TELLS_TIME = re.compile(
    r"\b(?:times?|when|deadlines?|due|o['’]?clock|hours?|clock|zone|uhr\w*|\w*zeit\w*|wann|frist\w*|heures?|quand|d[ée]lai"
    r"|live|living|based|i['’]?m|i am|wohn\w*|sitze|lebe|ich bin|habite|je suis|chuis)\b",
    re.IGNORECASE,
)
"""A sentence in which a place of the board may be one by whose clocks the time is told, or where its writer lives."""


def clocks_of(ctx: Context, game: Game, text: str) -> Place:
    """The place whose time a text asks for: no power, nor one of the board whose zone is not known."""
    lexicon = game.lexicon_of(ctx.seat)

    def full_name(name: str) -> str:
        at = lexicon.places.get(fold(name).folded)
        return game.lexicon.board.full_name(at) if at is not None else name

    found = place_in(text, full_name)
    name = fold(found.name).folded
    of_board = lexicon.power(name) is not None or name in lexicon.places
    meant = bool(found.zone) and any(_TELLS_TIME.search(one) for one in sentences(text) if found.name in one)
    return Place("", "") if of_board and not meant else found


def _phase_named(game: Game, text: str) -> str | None:
    """The code of the phase that a text names, `S1901M` or `spring of 1901`; None if it names none."""
    named = A_PHASE.search(text)
    return one_phase(named[0].lower().replace(" of ", " "), game.variant.language.kinds) if named is not None else None


def _my_orders(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    code = _phase_named(game, text)
    if code not in (None, game.code):
        show_line(ctx, f"MY ORDERS {code}")
        return ""
    given = game.set_of(seat) if game.running else None
    if given is None or not given.says_something:
        return f"No orders of yours {'have come' if given is None else 'are in force'} for this phase.{_EARLIER}"
    zone = ctx.tx.identity.zone_of(ctx.person, game)
    at = given.received_at.astimezone(zone)
    return (
        f"Your orders came {at:%a %d %b, %H:%M}; they are below as they count now. MY ORDERS shows earlier ones, too."
        + _EARLIER
    )


_EARLIER = " MY ORDERS and a phase, as in MY ORDERS S1901M, shows what you ordered in it."


def _not_cleared(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """Why nothing is to be deleted, or which of several orders may be."""
    ordering = ordering_at(game, seat)
    given = sorted(ordering.in_force()) if ordering is not None else []
    for order in orders_named(ctx, text) or given:
        ctx.offer(f"CLEAR {order}", THAT_ORDER, Meant.MAYBE)
    if given:
        return "Your orders are as they were. Which one is to be deleted? CLEAR and an order deletes that one."
    return f"There is nothing to delete: no orders of yours have come for {game.code}."


THAT_ORDER = "delete that order"


def _same(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    return f"Orders are for one phase: those of an earlier one are not used again. {_my_orders(ctx, game, seat, text)}"


def _faster(ctx: Context, game: Game, _seat: Seat, text: str) -> str:
    offer_press(ctx, GM, text.strip())
    return f"{ends_early(game)} Shorter deadlines are for the gamemaster to set, with whom you can speak: PRESS TO GM."


def _replay(ctx: Context, _game: Game, seat: Seat, text: str) -> str:
    """Who can have a phase played again; to a player, with the mail as what to write to them."""
    if seat.moderates:
        return "ROLLBACK and a phase sets the game back to it; HELP ROLLBACK says how."
    offer_press(ctx, GM, ctx.mail.message.text.strip() if ctx.mail is not None else text)
    return "Only the gamemaster can set the game back, so that a phase is played again. To ask for it: PRESS TO GM."


_PHASES_AHEAD = 6


def _stops(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """What becomes of the power of somebody who does not order any more, or leaves; who asks for themselves may ask the
    gamemaster.
    """
    if not seat.moderates and OF_WRITER.search(text):
        offer_press(ctx, GM, ctx.mail.message.text.strip() if ctx.mail is not None else text, proposed=False)
    of = dict(terms(game))
    said = [f"Of a power whose orders are missing: {of['Missing']}." if "Missing" in of else ""]
    said += [f"Of one without a player: {of['Vacant']}." if "Vacant" in of else ""]
    who = "You can" if seat.moderates else "The gamemaster can"
    gives = f"{who} give the seat of somebody who leaves, or stays silent, to somebody else."
    return " ".join(filter(None, (*said, gives, "HELP REPLACE says how." if seat.moderates else _LEAVES)))


_LEAVES = "RESIGN gives one's own up."


def _signs(ctx: Context, _game: Game, _seat: Seat, _text: str) -> str:
    ctx.offer("MAP NAMES", "the map, with the names of its places")
    return SIGNS_IN_WORDS


def _attacked(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    ctx.offer("HISTORY", Wanted.HISTORY.value)
    return reach_of_others(game, seat, text) or attackers(ctx, game)


def _advice(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """That the server gives no advice, and what can be done: by the units that a text names, or else by those without
    an order.
    """
    ctx.offer("HELP WHATIF", Wanted.TRY.value)
    none = "gm plays no side, so it gives no advice; WHATIF tries orders out without sending them."
    ordering = ordering_at(game, seat)
    if ordering is None:
        return none
    if ordering.kind is not PhaseKind.MOVEMENT:
        return f"{none} {what_is_possible(ctx, ordering, text)}"
    board, named = game.lexicon.board, set(places_in(ctx, text))
    own = dict.fromkeys(ordering.phase.position.units_of(seat.power) if seat.power is not None else ())
    here = [unit for unit in own if board.province(unit.at) in {board.province(Location(one)) for one in named}]
    idle = set(unordered(ctx))
    first = (here or [unit for unit in own if write_unit(unit) in idle] or [*own])[:_FEW_PLACES]
    return " ".join((none, *filter(None, (_goals(game, ordering, unit) for unit in first))))


def _codes(_ctx: Context, game: Game, _seat: Seat, text: str) -> str:
    """The phases of which a text has the codes, or the present one, in words."""
    kinds = game.lexicon.language.kinds
    codes = filter(None, (one_phase(word, kinds) for word in re.findall(r"[^\W_]+", text)))
    phases = [kinds.phase_from_code(code) for code in dict.fromkeys(codes)] or [game.written_for]
    return " ".join(f"{phase.code} is {phase}: the season, the year, and what is ordered then." for phase in phases)


_OF_NEW_UNITS = re.compile(r"\b(?:new units?|units? as|builds?|built)\b", re.IGNORECASE)
"""What a game's own differences say of how units come."""


def _winter(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """When the next builds are, by the calendar of the game; when they are now, what the seat may build."""
    builds = (
        "Units are built in Winter, by those who then have more centres than units; centres are counted after Fall."
    )
    builds = " ".join(one for one in brief_of(game.variant) if _OF_NEW_UNITS.search(one)) or builds
    if not game.running:
        return builds
    phase = game.present.position.phase
    for _ in range(_PHASES_AHEAD):
        if phase.kind is PhaseKind.ADJUSTMENT:
            break
        phase = next(iter(game.variant.after_season(phase)), phase)
    if phase.kind is not PhaseKind.ADJUSTMENT:
        return builds
    if phase != game.present.position.phase:
        return f"{builds} The next time is in {phase.code}. {own_places(game, seat)} {_not_yet_own(game, seat)}".strip()
    ordering = ordering_at(game, seat)
    own = what_is_possible(ctx, ordering, text) if ordering is not None else "You have nothing to build or to remove."
    return f"{builds} That is now, {phase.code}. {own}"


def _victory(ctx: Context, game: Game, seat: Seat, _text: str) -> str:
    ctx.offer("RULES", "how one wins")
    goal = game.variant.goal
    who = "A power wins with" if ":" not in goal else "One wins with"
    return f"{who} {goal}. The number of turns is not fixed. {own_places(game, seat)}".strip()


def _votes(ctx: Context, game: Game, seat: Seat, _text: str) -> str:
    """The motions on time that are open, with what votes on them; votes for a draw are not shown."""
    found = [answers_to(kind, value) for kind, value in ballots.open_motions(ctx.tx, game)]
    lines = [line for both in found for line in both] if seat.power is not None else []
    for line in (*lines, *(("DRAW", "NO DRAW") if seat.power is not None else ())):
        ctx.offer(line, "vote so", Meant.MAYBE)
    asked = listed([yes for yes, _ in found])
    motions = f"The players vote on {asked}." if found else "No vote on more time or a pause is open."
    return f"{motions} Votes for a draw or to concede are secret: gm says of one only that all agreed."


def _my_power(_ctx: Context, game: Game, seat: Seat, _text: str) -> str:
    return (
        f"You play {seat.power} in {game.name}." if seat.power else f"This is your {seat.title} address in {game.name}."
    )


def _players(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """Who plays the powers that are named, or who plays each; STATUS says it where it is hidden, or a long list."""
    if known := known_people(ctx, text):
        return " ".join(known)
    named = dict.fromkeys(powers_named(game, seat, text))
    held = [one for one in game.held if not game.is_secret(one)]
    if game.names_hidden or len(held) > MANY_POWERS:
        show_line(ctx, "STATUS")
        return ""
    ctx.offer("STATUS", "the players and the position")
    asked = [one for one in held if one.power in named] or held
    played = [f"{one.power} is played by {one.name}." for one in asked if one.power]
    names = listed([one.name for one in held]) or "nobody yet"
    return " ".join(played) or f"These have joined {game.name}: {names}."


def known_people(ctx: Context, text: str) -> list[str]:
    """What a gamemaster may know of the people whom a text names, a sentence or more for each."""
    words = re.findall(r"[^\s,;:?!()<>]+", text.casefold())
    return known_of(ctx, {word.rstrip(".").removesuffix("'s") for word in words}) if ctx.at_chair else []


def _who(ctx: Context, game: Game, _seat: Seat, text: str) -> str:
    """What is known of the people whom the text names, or who is away; otherwise the desk."""
    if not (said := who_in_words(ctx, game, text)):
        show_line(ctx, "DASHBOARD")
    return said


def who_in_words(ctx: Context, game: Game, text: str) -> str:
    """What a gamemaster may know of the people whom the text names, or who is away, if it asks for either."""
    return " ".join(known_people(ctx, text)) or (who_is_away(ctx, game) if _ABSENT.search(text) else "")


_ABSENT = re.compile(
    r"\b(?:away|absent|absences?|on (?:holidays?|vacation|leave)|abwesend|verreist|im urlaub|absente?s?)\b",
    re.IGNORECASE,
)


def _late_sets(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """When the late orders came that wait to be accepted, of the powers that a text names or of all, and what they
    would change.
    """
    if is_refused(text, Wanted.GM_ACCEPT_LATE.name):
        return "Nothing is needed for that: orders that come late count only if you accept them."
    found = late_sets.waiting(ctx, game, set(powers_of(ctx, text)))
    for power in found:
        ctx.offer(f"ACCEPT LATE {power}", Wanted.GM_ACCEPT_LATE.value, Meant.MAYBE)
    said = " ".join(f"Late orders of {power}: {when} {what}" for power, (when, what) in found.items())
    if not said and any(powers_of(ctx, text)):
        return f"No late orders of theirs wait to be accepted. {_when_sent(ctx, game, seat, text)}"
    return said or "No late orders wait to be accepted. When some come, you get a mail that says so."


def _when_sent(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """When the sets of orders came for the phase that a gamemaster names, or the present one, of the powers that a text
    names or of all.
    """
    code, session = _phase_named(game, text), ctx.tx.session
    phases = [one for one in phases_leading_to(session, game) if code in (None, one.code)]
    if not phases or ctx.plays(game):
        return "To who plays it is not shown when orders came." if phases else f"{code} was not played."
    zone, powers = ctx.tx.identity.zone_of(ctx.person, game), {*powers_of(ctx, text)}
    known = [one for one in game.players if game.knows_duties(seat, one) and not game.is_secret(one)]
    found = []
    for one in (one for one in known if not powers or one.label in powers):
        sent = [row for row in order_set_history(session, phases[-1].id, one.id) if row.sent]
        each = listed([f"{row.received_at.astimezone(zone):%a %d %b, %H:%M}" for row in sent])
        found.append(f"{one.label}: {each or 'none came'}.")
    return " ".join((f"Orders for {phases[-1].code} came, by your clock:", *found))


def _start(ctx: Context, game: Game, _seat: Seat, _text: str) -> str:
    ctx.offer("STATUS", "who has joined, and how it is played")
    if game.running:
        return f"{game.name} has begun: {game.present.code} is being played."
    return f"{state_words(game)} {beginning.when(game)} you get the first report."


def _centres(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """How the game ended, what the asker has, and the powers by their centres; of places that a text names whose they
    are, and whether they are centres.
    """
    state = "Nobody has won yet." if game.running else state_words(game)
    if game.position is None:
        return state
    ctx.offer("POSITION", "the position")
    named = [*dict.fromkeys(game.lexicon.board.province(Location(one)) for one in places_in(ctx, text))][:_FEW_PLACES]
    if game.running and named:
        return " ".join(_whose(game, seat, place) for place in named)
    ctx.offer("RULES", "how one wins")
    return f"{state} {own_places(game, seat)} {scores(view_of(game, seat), None)}".strip()


def _whose(game: Game, seat: Seat, place: Province) -> str:
    """Whether a place is a centre, and whose, and whose unit is there."""
    board, code = game.lexicon.board, short(Location(place))
    is_one = "is a supply centre" if place in board.centers else "is no supply centre"
    return f"{code} ({board.full_name(Location(place))}) {is_one}. {held_by(game, seat, place)}".strip()


def own_places(game: Game, seat: Seat) -> str:
    """The centres and the units of the seat's power in a sentence."""
    if seat.power is None or game.position is None:
        return ""
    position = view_of(game, seat).position
    centres, units = position.centers_of(seat.power), listed([write_unit(one) for one in position.units_of(seat.power)])
    return f"You have {counted(len(centres), 'supply centre')}, and {f'these units: {units}' if units else 'no units'}."


def _not_yet_own(game: Game, seat: Seat) -> str:
    """Which centres that the seat's power does not own its units are in, and which of its own others are in."""
    if seat.power is None or game.position is None:
        return ""
    view = view_of(game, seat)
    own, centres = seat.power, view.position.centers
    there = {view.board.province(unit.at): unit.power for unit in view.position.units}
    near = [(short(Location(at)), there[at], centres.get(at)) for at in view.board.centers if at in there]
    gained = [code for code, power, owner in near if power == own != owner]
    lost = [code for code, power, owner in near if power != own == owner]
    said = f"Units of yours are in {listed(gained)}, which you do not own yet." if gained else ""
    return f"{said} {f'Units of others are in {listed(lost)}, which you own.' if lost else ''}".strip()


_FEW_PLACES = 4


def _position(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """Who is where the text says, or the whole position."""
    board = game.lexicon.board
    named = dict.fromkeys(board.province(Location(place)) for place in places_in(ctx, text))
    if named and len(named) <= _FEW_PLACES:
        ctx.offer("POSITION", Wanted.POSITION.value)
        return " ".join(held_by(game, seat, place) for place in named)
    show_line(ctx, "POSITION")
    return own_places(game, seat)


def _turnout(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    if said := silent_before(ctx, game, text):
        return said
    if seat.moderates:
        return "DASHBOARD shows whose orders are in, unless you play or that is hidden in this game."
    if game.shows_progress:
        shown = [(one.power, progress_shown(game, one)) for one in game.players]
        return " ".join(f"{power}: {said}." for power, said in shown)
    return (
        f"In the game {game.name} no player sees whose orders are in, nor a gamemaster who plays; of yours, see below."
    )


def _who_reads(_ctx: Context, game: Game, _seat: Seat, _text: str) -> str:
    named = [] if game.names_hidden else [person.name for _, person in holders(game.masters)]
    who = f" ({named[0]})" if named else ""
    return (
        f"Yes: this is the program that runs {game.name}. A person reads what you write to the gamemaster{who}: "
        "PRESS TO GM, your text, ENDPRESS."
    )


def _who_sees(_ctx: Context, game: Game, _seat: Seat, _text: str) -> str:
    secret = listed([str(power) for power in sorted(game.variant.seating.secret)])
    but = f" but {secret}, who is shown those of the units that are {secret}'s at the deadline," if secret else ""
    return (
        f"No other player{but} sees your orders before the phase is adjudicated; then reports show them, to whoever may"
        " see them in this game. A gamemaster who does not play can see them before, one who plays cannot."
    )


def _rules(ctx: Context, game: Game, _seat: Seat, text: str) -> str:
    """What the rules say of what is asked about, or what is different in this game."""
    ctx.offer("RULES", "the rules of this game")
    if _SETTINGS.search(text) is not None:
        show_line(ctx, "STATUS")
        return ""
    near = () if game.variant.brief else rulings_near(text, game.variant, _SO_NEAR)
    if rulings := rulings_in(ctx, text)[:_MOST_RULINGS] or near:
        shown = {paragraphs_on(ruling, game.variant): ruling for ruling in reversed(rulings)}  # each paragraph once
        for ruling in reversed(shown.values()):
            show_line(ctx, f"HELP {ruling}")
        return ""
    if game.variant.brief:
        ctx.show("What is different in this game", [Paragraphs(brief_of(game.variant))])
    return f"{game.name} is a game of {game.variant.title}. RULES sends its rules, HELP ORDERS how to order."


_MOST_RULINGS = 2
_SO_NEAR = 0.2
"""What shares so much with a ruling may be answered by it (Okapi BM25)."""
_SETTINGS = re.compile(r"\b(?:settings?|options|terms|configuration|einstellungen|optionen|réglages)\b", re.IGNORECASE)
"""What asks for the options of a game, which STATUS shows."""


def _option(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    asked = map(option_asked, (without_game(text, game.name), *clauses(text)))
    if name := next(filter(None, asked), ""):
        return option_is(game, seat, name)
    show_line(ctx, "STATUS")
    return ""


def option_is(game: Game, seat: Seat, name: str) -> str:
    """How an option is set, and what that means."""
    option = BY_NAME[name]
    value = game.options.texts.get(option.name, option.default_in(game.variant))
    said = f"{game.name} has {option.name}={value}." if value is not None else f"{game.name} has no {option.name}."
    change = seat.moderates and value is not None and option.is_open_in(game.variant)
    how = f" To change it, write SET {option.name}= and another value." if change else ""
    return f"{said} {option.name}: {option.meaning.rstrip('.')}.{how}"


def _away(ctx: Context, _game: Game, _seat: Seat, text: str) -> str:
    days = days_away(text, ctx.now.date())
    if days is None:
        return ""
    begins, ends = days
    ctx.offer(f"SET holidays=+{begins}..{ends}", "make these days holidays, for all")
    said = "Only a player can enter an absence, so nothing was changed."
    return f"{said} They write ABSENCE {begins} TO {ends}, and the deadline waits as far as absence= allows."


def _my_turn(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    if not game.running:
        return f"There is nothing to do now. {state_words(game)}"
    return f"All players order at the same time, in secret. {_deadline(ctx, game, seat, text)}"


def _no_orders(_ctx: Context, game: Game, seat: Seat, _text: str) -> str:
    of_game = dict(terms(game)).get("Missing", "")
    usual = "Units that you do not order hold, dislodged ones disband, and builds are waived."
    fates = view_of(game, seat).fates if game.running else {}
    if game.running and (fate := fates.get(game.present.position.phase.kind)) is not None:
        usual = f"Now what you do not order is {fate.unit}."
    return f"{usual} If nothing comes from you in this game: {of_game}." if of_game else usual


def _late(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    due = _deadline(ctx, game, seat, text)
    return (
        f"{due} Orders count if they come by then; you can change them as often as you like. Later ones count only"
        " if the gamemaster accepts them."
    )


def _absence(ctx: Context, _game: Game, _seat: Seat, text: str) -> str:
    if TAKES_ABSENCE_BACK.search(text):
        return "ABSENCE lists your absences."
    said = ctx.mail is not None and days_away(ctx.mail.message.text, ctx.now.date()) is not None
    if said or absence_as_corrected(ctx, text) is not None:
        return CHANGES[Wanted.ABSENCE][1]  # which days is said in the mail
    return f"From which day to which? Write both, as in ABSENCE 24 December TO 2 January. {CHANGES[Wanted.ABSENCE][1]}"


def _in_mail(ctx: Context, game: Game, seat: Seat, text: str) -> tuple[str, ...]:
    """Whom a text names, or otherwise the one whom its mail names: `who plays Turkey? I write to them`."""
    named = dict.fromkeys(named_in(game, seat, text))
    others = dict.fromkeys(named_in(game, seat, ctx.mail.message.text)) if ctx.mail is not None else {}
    return (*named, *(others if len(others) == 1 else ()))


def _how_to_write(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """To whom the text names; if it has no names, to anybody. Who names somebody means not everybody: `how do I write
    to Austria without the others noticing?`
    """
    named = tuple(one for one in dict.fromkeys(_in_mail(ctx, game, seat, text)) if one != ALL)
    to = ", ".join(named) or "a power"
    if named and (refused := offer_press(ctx, to, "")) is not None:
        others = (str(one.power) for one in game.players if one.power != seat.power and not game.is_secret(one))
        may = [one for one in others if refusal(game, seat, [one]) is None]
        instead = f"You can write to {listed(may, 'or')}, as with PRESS TO {may[0]}." if may else ""
        return " ".join(filter(None, (refused.problem, refused.remedy, instead)))
    ctx.offer("HELP PRESS", "how press is written")
    how = f"To write to {to}, reply with PRESS TO {to} on a line, your text below it, and ENDPRESS below that."
    return how if named else f"{how} PRESS TO {GM} is for the gamemaster, PRESS TO {ALL} for everybody."


_GOES = re.compile(
    r"\b(?:can|could|may|go|move|reach|kann|könnte|darf|zieh\w*|fahr\w*|peut|puis|aller|puede|può|kan)\b", re.IGNORECASE
)
"""What asks for the goals of a unit, and not what a place is."""


def _near(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """Whether the asker's units that are named, by place or kind, can go to the other places that are, or else where
    they can go; of places alone their names and borders; in a retreat, what can be ordered.
    """
    ordering = ordering_at(game, seat)
    if ordering is not None and ordering.kind is PhaseKind.RETREAT:
        return f"{what_is_possible(ctx, ordering, text)} Who retreats nowhere disbands."
    if of_others := reach_of_others(game, seat, text):
        ctx.offer("POSITION", Wanted.POSITION.value)
        return of_others
    found = next(ordering.readings([text])) if ordering is not None else None
    if ordering is not None and found is not None and found.ways and found.named and not found.unused:
        if {*map(ordering.unit_of, found.ways[0])} <= {*map(ordering.unit_of, ordering.in_force())}:
            ctx.offer("\n".join(found.ways[0]), "order this instead", Meant.NO)  # who asks may want to change it
        if any(says(text, verb) for verb in ("support", "convoy")):
            return f"This can be ordered: {' / '.join(found.ways[0])}."
    board = game.lexicon.board
    named = dict.fromkeys(board.province(Location(place)) for place in places_in(ctx, text))
    units = game.phase.position.units_of(seat.power) if game.phase is not None and seat.power else ()
    of_kind = [unit for unit in units if says(text, unit.kind.word)]
    own = {board.province(unit.at) for unit in of_kind or units}
    starts, goals = starts_and_goals(game.lexicon_of(seat), text, named, own)
    there = [unit for unit in of_kind or units if board.province(unit.at) in starts] or of_kind
    ctx.offer("MAP NAMES", "the map, with the names of its places")
    if there and goals and ordering is not None and ordering.kind is PhaseKind.MOVEMENT:
        return " ".join(_whether(ordering, unit, place) for unit in there for place in goals)
    goals_of = [_goals(game, ordering, unit) for unit in there] if of_kind or _GOES.search(text) else []
    if said := " ".join(filter(None, goals_of)):
        return said
    near = ((unit, map(board.province, board.neighbours(unit.kind, unit.at))) for unit in units)
    able = [write_unit(unit) for unit, places in near if not named.keys().isdisjoint(places)]
    can = f"{listed(able)} can go there in one move." if able else ""
    said = " ".join(_described(game, seat, place) for place in named)
    if not said and ordering is not None and ordering.kind is PhaseKind.MOVEMENT:
        said = " ".join(_goals(game, ordering, unit) for unit in dict.fromkeys(units[:_MOST_UNITS]))
    return f"{said} {can}".strip() or "The map shows what borders what."


_MOST_UNITS = 6
_CONVOYED = "With a convoy it can go to {}, too."
_FARTHER = "It can be brought to {}, too: HELP ORDERS says how."


def _goals(game: Game, ordering: Ordering | None, unit: Unit) -> str:
    """Where a unit can go; "" if it can go nowhere."""
    goes, farther = may_go_to(game.lexicon.board, unit), ""
    if ordering is not None and (over := ordering.farther(unit)):
        fleets = any(one.kind is UnitKind.FLEET for one in view_of(game, ordering.seat).position.units)
        farther = (_CONVOYED if fleets else _FARTHER).format(listed(over, "or"))
    said = " ".join(filter(None, (goes, farther)))
    return f"{write_unit(unit)}: {said}" if said else ""


def what_is_possible(ctx: Context, ordering: Ordering, text: str) -> str:
    """What can be ordered in a phase of retreats or builds, at the places that a text names if it names others than the
    unit's own; and offers it.
    """
    board, own = ordering.phase.board, {str(at) for _, at in ordering.mine.units}
    asked = [one for one in places_in(ctx, text) if ordering.kind is not PhaseKind.RETREAT or one not in own]
    named = {board.province(Location(one)) for one in asked}
    kinds = kinds_said(ctx.game, text) if ctx.game is not None else []
    ways = [way for way in ordering.possible if not named or named & {board.province(at) for at in _ends_in(ctx, way)}]
    if ordering.due and kinds:
        ways = [way for way in ways if not {*kinds}.isdisjoint(way.split())]
    for way in ways or ordering.possible:
        ctx.offer(way, "order this", Meant.MAYBE if len(ways) == 1 else Meant.NO)
    count = f"You may build {counted(ordering.due, 'unit')}." if ordering.due else ""
    vain = " ".join(map(partial(_why_not_built, ordering, kinds), sorted(named))) if named and not ways else ""
    one_of = "" if ordering.due and ordering.due > 1 and len(ways) != 1 else "one of "
    can = f"You can order {one_of}these: {', '.join(ways or ordering.possible)}." if ordering.possible else ""
    return " ".join(filter(None, (vain, count, can)))


def _why_not_built(ordering: Ordering, kinds: Sequence[str], place: Province) -> str:
    """Why nothing can be done at a place in a phase of retreats or builds; of builds, with a unit of these kinds."""
    tries = (f"BUILD {kind} {short(Location(place))}" for kind in kinds or ("A",)) if ordering.due else ()
    fault = next(filter(None, map(ordering.fault_of, tries)), None)
    return f"Not there ({short(Location(place))})." if fault is None else fault.problem


def _ends_in(ctx: Context, order: str) -> list[Location]:
    """The place that stands last in an order."""
    return [Location(one) for one in places_in(ctx, order)[-1:]]


def _whether(ordering: Ordering, unit: Unit, to: Province) -> str:
    """Whether a unit can be ordered to a place now, and why not."""
    fault = ordering.fault_of(f"{write_unit(unit)} - {short(Location(to))}")
    return str(fault) if fault is not None else f"{write_unit(unit)} can go to {short(Location(to))}."


def _described(game: Game, seat: Seat, place: Province) -> str:
    """What a place is called, what it borders, and who is there, as far as the seat sees it."""
    board = game.lexicon.board
    sites = (Location(place), *board.coasts(place))
    near = (to for kind in game.lexicon.language.kinds.units for at in sites for to in board.neighbours(kind, at))
    beside = sorted(short(Location(one)) for one in dict.fromkeys(map(board.province, near)))
    borders = f", which borders {listed(beside)}" if beside else ""
    name = f"{short(Location(place))} is {board.full_name(Location(place))}{borders}."
    return f"{name} {held_by(game, seat, place)}".strip()


def held_by(game: Game, seat: Seat, place: Province) -> str:
    """Whose unit is in a place, and whose centre it is, as far as the seat sees it."""
    if game.position is None:
        return ""
    view = view_of(game, seat)
    board, position = game.lexicon.board, view.position
    code = short(Location(place))
    if place in view.unseen:
        return f"You do not see {code}."
    units = [unit for unit in position.units if short(Location(board.province(unit.at))) == code]
    named = Counter((unit.power, write_unit(unit)) for unit in units)
    there = [f"{power}: {f'{times} ' if times > 1 else ''}{unit}" for (power, unit), times in named.items()]
    seen = f"In {code} is {listed(there) if there else 'no unit'}."
    owner = position.centers.get(place) if place in board.centers else None
    whose = f"{owner}'s" if owner else "nobody's"
    held = {unit.power for unit in units} - {owner}
    counted = " Centres are counted after Fall: whoever has a unit in it then owns it." if held else ""
    return f"{seen} The centre is {whose}.{counted}" if place in board.centers else seen


def _orders_in_short(_ctx: Context, game: Game, seat: Seat, _text: str) -> str:
    """The orders of a seat that are in force, in a sentence."""
    ordering = ordering_at(game, seat)
    given = sorted(ordering.in_force()) if ordering is not None else []
    return f"Your orders for {game.code} are {listed(given)}." if given else f"No orders of yours for {game.code} yet."


OF_A_SEAT: Mapping[Wanted, Callable[[Context, Game, Seat, str], str]] = MappingProxyType(
    {
        Wanted.MY_ORDERS: _orders_in_short,
        Wanted.MY_POWER: _my_power,
        Wanted.CENTRES: _centres,
        Wanted.VICTORY: _victory,
        Wanted.MY_TURN: _my_turn,
    }
)
"""What is answered at the server's address for each of few games, where the question names none."""
SAID: Mapping[Wanted, Callable[[Context, Game, Seat, str], str]] = MappingProxyType({
    Wanted.DEADLINE: _deadline,
    Wanted.MY_ORDERS: _my_orders,
    Wanted.MY_POWER: _my_power,
    Wanted.PLAYERS: _players,
    Wanted.GM_WHO: _who,
    Wanted.GM_LATE: _late_sets,
    Wanted.GM_SENT: _when_sent,
    Wanted.TURNOUT: _turnout,
    Wanted.ANYBODY: _who_reads,
    Wanted.WHO_SEES: _who_sees,
    Wanted.RULES: _rules,
    Wanted.OPTION: _option,
    Wanted.AWAY: _away,
    Wanted.START: _start,
    Wanted.CENTRES: _centres,
    Wanted.POSITION: _position,
    Wanted.HOW_TO_WRITE: _how_to_write,
    Wanted.MY_TURN: _my_turn,
    Wanted.NO_ORDERS: _no_orders,
    Wanted.NEAR: _near,
    Wanted.LATE: _late,
    Wanted.ABSENCE: _absence,
    Wanted.CLEAR: _not_cleared,
    Wanted.SAME: _same,
    Wanted.SIGNS: _signs,
    Wanted.STOPS: _stops,
    Wanted.REPLAY: _replay,
    Wanted.FASTER: _faster,
    Wanted.WINTER: _winter,
    Wanted.VICTORY: _victory,
    Wanted.VOTES: _votes,
    Wanted.CODES: _codes,
    Wanted.ATTACKED: _attacked,
    Wanted.ADVICE: _advice,
})  # fmt: skip
