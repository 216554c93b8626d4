"""The lines for what people want in their own words: with the power, the address and the time of the sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from itertools import dropwhile, takewhile
from types import MappingProxyType
from typing import NamedTuple
from zoneinfo import ZoneInfo

from gm import patterns as re
from gm.board import Power
from gm.clock import COUNTS, parse_duration, parse_when, with_sure_days
from gm.commands import COMMANDS
from gm.commands.context import Context
from gm.commands.dashboard import vacant_one
from gm.commands.record import late_of
from gm.commands.setup import with_lengths
from gm.commands.timing import later_than_due, moment_of, moved_by
from gm.errors import GmError, NotUnderstood
from gm.feasts import with_dates, without_feasts
from gm.games import loading
from gm.games.report_inputs import goes_on_in, position_of, to_play_again
from gm.games.snapshot import holders
from gm.inbound.acting import fault_of, faults_in
from gm.inbound.facts import names_of_games, places_in
from gm.inbound.ordering import Ordering
from gm.inbound.wishes.new_games import A_NAME, games_made, games_run, guests_in, power_here, unmade
from gm.inbound.wishes.times_wished import (
    A_DEADLINE,
    CLOCK,
    WEEKDAY,
    clock_in,
    hours_in,
    hours_until,
    is_moment,
    is_span,
    of_mail,
    time_of,
)
from gm.mail.message.addresses import parse_address
from gm.parsing.days import A_DATE, begins_on, last_day, listed_days, two_days
from gm.parsing.game_names import games_left_out, is_for_all_games, plain, without_added
from gm.parsing.likely_commands import OF_DAY, time_in
from gm.parsing.options_meant import options_in, without_week
from gm.parsing.questions import (
    A_PHASE,
    Wanted,
    begins_because,
    clauses,
    is_reason,
    is_told,
    is_too_much,
    loosed,
    seasons_in,
    sentences,
    without_because,
    without_reasons,
)
from gm.parsing.sayings import MASTERS, knows, powers_in
from gm.parsing.zones import place_in, zone_in
from gm.play import admission
from gm.play.beginning import wanting
from gm.reports import full_moment
from gm.store import sights
from gm.store.game_rows import GameState, PhaseRow

SOME_TIME = "EXTEND 24h"
"""What is offered for a wish for more time that does not say how much."""
_ABOVE = "REMARK\n{words}\nENDREMARK\n"
_LINES: Mapping[Wanted, tuple[str, ...]] = MappingProxyType({
    Wanted.GM_EXTEND: (
        "EXTEND -{less}", "EXTEND {span}", "DEADLINE {due}", "EXTEND UNTIL {moment}", "SET {holidays}{days}",
        "EXTEND UNTIL {day}", "EXTEND {hours}", SOME_TIME,
    ),
    Wanted.GM_DEADLINE: (
        "SET {standing}", "EXTEND -{less}", "EXTEND {span}", "DEADLINE {due}", "EXTEND UNTIL {weekday}",
        "DEADLINE {when}", "DEADLINE {day}",
    ),
    Wanted.GM_PROCESS: ("SET {early}", f"{_ABOVE}PROCESS {{phase}}", "PROCESS {phase}", "PROCESS"),
    Wanted.GM_DASHBOARD: ("DASHBOARD",),
    Wanted.GM_REMIND: ("PRESS TO {powers}\nYour orders are due.\nENDPRESS", "REMIND"),
    Wanted.GM_PAUSE: (
        "SET {holidays}{listed}", "SET {holidays}{days}", "SCHEDULE {begins}: PAUSE",
        "PAUSE UNTIL {moment}", "PAUSE UNTIL {day}", "PAUSE UNTIL {over}", "PAUSE",
    ),
    Wanted.GM_SET: ("SET {settings}", "SET {holidays}{off}"),
    Wanted.GM_RESUME: ("RESUME",),
    Wanted.GM_RELEASE: (f"{_ABOVE}RELEASE {{phase}}", "RELEASE {phase}", "RELEASE"),
    Wanted.GM_PREVIEW: ("PREVIEW",),
    Wanted.GM_REPLACE: (
        "EJECT {relieved}", "{replaced}",
        "INVITE {each}", "INVITE {address} AS {free}", "INVITE {asked}", "REPLACE {power} WITH {address}",
    ),
    Wanted.GM_INVITE: ("REPLACE {seat} WITH {address}", "INVITE {guests}"),
    Wanted.GM_EJECT: ("EJECT {power}",),
    Wanted.GM_DENY: ("DENY {address}", "DENY {theirs}"),
    Wanted.GM_DUMMY: ("DUMMY {power}",),
    Wanted.GM_STANDIN: ("EJECT {player}\nSTANDIN {player}", "STANDIN {power}", "SET {bots}"),
    Wanted.GM_ACCEPT_LATE: ("ACCEPT LATE {power}", "ACCEPT LATE {late}", "ACCEPT LATE"),
    Wanted.GM_ROLLBACK: (
        "{forward}", "ROLLBACK {last}\nBECAUSE {words}", "ROLLBACK {last}\nBECAUSE {reason}", "ROLLBACK {last}",
    ),
    Wanted.GM_UNDO: ("{forward}", "ROLLBACK {ended}", "UNDO"),
    Wanted.GM_TERMINATE: (f"{_ABOVE}TERMINATE {{game}}", "TERMINATE {game}"),
    Wanted.GM_DRAW: (
        f"{_ABOVE}DRAW {{game}} {{powers}}", "DRAW {game} {powers}", f"{_ABOVE}DRAW {{game}}", "DRAW {game}"
    ),
    Wanted.GM_START: ("SET {standins}\nSTART", "SET {options}", "START"),
    Wanted.GM_UNSTART: ("UNSTART {game}",),
    Wanted.GM_MUSTER: ("MUSTER {cancelled}", "MUSTER {moment}", "MUSTER in {span}", "MUSTER"),
    Wanted.GM_PROMOTE: ("PROMOTE {released} OFF", "PROMOTE {assistant} AS ASSISTANT", "PROMOTE {address}"),
    Wanted.GM_CORRECT: (
        "CORRECT {last}\nORDERS FOR {power}\n{orders}\nBECAUSE {reason}",
        "CORRECT {last}\nORDERS FOR {power}\n{orders}",
    ),
    Wanted.GM_ORDERS_FOR: (
        "CORRECT {closed}\nORDERS FOR {power}\n{orders}\nBECAUSE {reason}",
        "CORRECT {closed}\nORDERS FOR {power}\n{orders}",
        "CORRECT {played}\nORDERS FOR {power}\n{orders}\nBECAUSE {reason}",
        "CORRECT {played}\nORDERS FOR {power}\n{orders}",
        "ORDERS FOR {power}\n{orders}\nBECAUSE {reason}",
        "ORDERS FOR {power}\n{orders}",
    ),
    Wanted.GM_REMARK: ("REMARK\n{words}\nENDREMARK",),
    Wanted.GM_HOUSE_RULES: ("HOUSE RULES\n{words}\nENDHOUSERULES",),
    Wanted.GM_NOTE: ("NOTE {words}", "NOTE {kept}"),
    Wanted.GM_BROADCAST: ("OFFICIAL\n{words}\nENDOFFICIAL",),
    Wanted.GM_PRESS: ("PRESS TO {powers}\n{words}\nENDPRESS",),
    Wanted.GM_SCHEDULE: ("SCHEDULE {nothing}", "SCHEDULE {moment}: {planned}", "SCHEDULE"),
    Wanted.GM_REVEAL: ("REVEAL",),
    Wanted.GM_LOG: ("LOG",),
    Wanted.GM_EXPORT: ("EXPORT",),
    Wanted.GM_WHO: ("DASHBOARD",),
    Wanted.GM_LATE: ("DASHBOARD",),
    Wanted.GM_SENT: ("DASHBOARD",),
    Wanted.GM_CREATE: ("{made}",),
    Wanted.CREATE: ("{made}",),
    Wanted.MAP: ("MAP {drawn}", "MAP {played}", "MAP"),
    Wanted.EXTEND: ("EXTEND UNTIL {later}", "EXTEND {hours}", SOME_TIME),
    Wanted.ADDRESS: ("ADDRESS {address}",),
    Wanted.DEPUTY: ("DEPUTY {address} {days}", "DEPUTY {address} UNTIL {day}", "DEPUTY {address}"),
    Wanted.NAME: ("REGISTER {name}", "HELP REGISTER"),
    Wanted.CONCEDE: ("CONCEDE TO {victor}", "HELP CONCEDE"),
    Wanted.SETTINGS: ("PREFERENCES {mail}", "TIMEZONE {place}", "HELP PREFERENCES"),
})  # fmt: skip
"""The first of which all parts are in the sentence, and which is read without a fault, is the line; otherwise HELP."""
OF_ALL = re.compile(r"\AALL GAMES[^:\n]*: ")
"""What stands before a command for several games."""
_SHOWS = frozenset(("HELP", "MAP", "DASHBOARD", "PREVIEW", "LOG", "EXPORT"))
_ALL_OF_THEM = re.compile(
    r"\beverything\b|\beverywhere\b|\bthem all\b|\ball (?:of )?my players\b"
    r"|\b(?:in|for|of) (?:them )?(?:all|both)(?: of them)?\b[ .!?]*$",
    re.I,
)
"""What means all games where no game is named."""
_SO_MANY = re.compile(
    rf"\ball (?:of )?(?:my |the )?({'|'.join(COUNTS)}|\d{{1,2}})(?= ?(?:\Z|[.,;!?]|(?:now|here|please|today)\b))", re.I
)
"""The same, if it is as many as there are: `I end all three.`"""
_ASSISTS = re.compile(
    r"\b(?:assist\w*|help(?:s|er|ing)?|looks? after|deputy|(?:not|never|cannot|without) (?:see|read|know)\w*"
    r"|assistent\w*|helfer\w*|hilft|aide\w*)\b",
    re.I,
)
_BACK = re.compile(r"\b(?:back|again|return\w*|zurück|wieder|de nouveau|revient)\b", re.IGNORECASE)
"""What is to be as it was before: a power is given back to who had it."""
_OFF = re.compile(
    r"\b(?:cancel|unschedul\w+|remove|delete|drop|forget|clear|stop|end|no longer|not any ?more|off"
    r"|take .{0,20}(?:away|off|back|out)|(?:don't|do not)(?! play\b)|annule\w*|lösch\w*|streich\w*|weg)\b",
    re.I,
)
"""What takes something away."""
STANDBY = re.compile(r"\bstand-?by\b", re.IGNORECASE)
"""Whose next is asked when somebody loses a seat."""
_KEPT = re.compile(r"\b(?:show|list|read|see|what|which|my notes|all)\b", re.IGNORECASE)
"""What asks for the notes that there are."""
_EARLIER = re.compile(
    r"\b(?:earlier|sooner|already|forward|back to|früher|vor(?:ziehen|verlegen)|plus tôt|avanc\w+)\b", re.I
)
_LENGTH = r"(?:days?|hours?|h|weeks?)"
_LESS = re.compile(
    rf"\b(?:shorten\w*|reduc\w+|cut|take \S+ (?:\S+ )?{_LENGTH} (?:back|away|off)|{_LENGTH} (?:less|back|shorter)"
    r"|less (?:time|long)|earlier|sooner|kürze\w*|verkürz\w*|weniger|früher|raccourci\w*|de moins|plus tôt)\b",
    re.IGNORECASE,
)
"""What wants less time."""
_FORWARD = re.compile(
    r"\b(?:cancel|undo|revoke|reverse|withdraw|take back|rückgängig|annule)\w*\b[^.;!?]{0,30}"
    r"\b(?:roll\w*[ -]?back|set.?back)",
    re.I,
)
"""What takes a rollback back."""
_PROCESSES = re.compile(r"\b(?:process|adjudicat|auswert|résol|résou)", re.I)
SOME_TIME_SAID = re.compile(r"\d|day|week|hour|tonight|morrow|noon", re.I)
"""What is in words that tell a time, of those that may."""
_AN_ORDER = (
    r"\b(?:[AF] [A-Z]{3}(?:/[A-Z]{2})?"
    r"(?: ?- ?[A-Z]{3}(?:/[A-Z]{2})?| H\b| [SC] [AF] [A-Z]{3}(?: ?- ?[A-Z]{3})?)|[A-Z]{3} ?- ?[A-Z]{3}\b)"
)
_ORDER = re.compile(_AN_ORDER, re.I)
"""An order in notation."""
_NOT = "not|never|instead of|rather than"
_DENIED = re.compile(rf"\b(?:{_NOT}|no) (?:to |an? |the )?{_AN_ORDER}", re.I)
"""One that is said to be wrong."""


def denies_order(ctx: Context, clause: str) -> bool:
    """Whether a clause only says which order was not meant: `not A MUN-RUH`, `and not to Munich`."""
    said = clause.strip(" .,;!")
    place = _NOT_THERE.fullmatch(said)
    return _DENIED.fullmatch(said) is not None or (place is not None and len(places_in(ctx, place["where"])) == 1)


_NOT_THERE = re.compile(
    rf"(?:and |but )?(?:{_NOT}) (?:(?:to|in|into|towards) )?(?:the )?"
    r"(?P<where>[\w.']++(?: [\w.']++){0,3}+)",
    re.IGNORECASE,
)


_WINS = re.compile(r"\b(?:wins?|won|winner|victory|sieg\w*|gewinn\w*|gagn\w*|victoire|vainqueur)\b", re.IGNORECASE)
"""What says that one power wins: alone none draws."""
_PART = re.compile(r"\{(\w+)\}")
_BECAUSE = re.compile(r"\A\W*(?:(?:and|but)\b\W*)?(?:because|since|as|for)\b|\A\W*(?:and|but)\b", re.IGNORECASE)
_DRAWN = (
    (
        "ORDERS",
        re.compile(
            r"\b(?:(?:my|own|our|mes|meine[rn]?) (?:own |current )?(?:orders?|moves?|befehle|züge|ordres)"
            r"|(?:i|we) (?:have |had |just )*(?:ordered|sent))\b",
            re.IGNORECASE,
        ),
    ),
    ("NAMES", re.compile(r"\b(?:names?|namen|noms)\b", re.IGNORECASE)),
)
"""What a map can show beside the position, by the words for it."""
_CONCEDES = re.compile(
    r"\b(?:conced\w+|surrender\w*|capitulat\w+|kapitul\w+|ergeben?|abandon\w*|(?:me|nous) rend\w*|rind\w+)\b"
    r"(?! that\b)|\bgive up (?:to|against)\b|\baufgeben\b",
    re.IGNORECASE,
)


def _last_of_each(orders: Sequence[str]) -> Collection[str]:
    """These orders, of several for one unit the last: `not A VIE-GAL, it is A VIE-TRI`."""
    return {_UNIT.split(order.upper(), maxsplit=2)[1]: order for order in orders}.values()


def orders_told(ctx: Context, want: Wanted, text: str, powers: Sequence[str]) -> str:
    """The orders for a power's units that a wish tells in words, `her army in Munich should go to Tyrolia`, in the
    phase that was adjudicated last, or is held.
    """
    game = ctx.game
    if want not in (Wanted.GM_CORRECT, Wanted.GM_ORDERS_FOR) or game is None or len(powers) != 1 or ctx.plays(game):
        return ""
    phase = _last_played(ctx, text)
    if phase is None or game.phase is None:
        return ""
    then = replace(game, phase=replace(game.phase, position=position_of(game, phase)))
    seat = then.seat_of(Power(powers[0]))
    if seat is None or seat.power is None or seat.power not in then.duties:
        return ""
    told = [one for one in clauses(text)[:_MOST_TOLD] if not is_reason(one)]
    found = Ordering(then, seat, then.present, seat.power).readings(told)
    ways = [one.ways[0] for one in found if one.ways and one.named and not one.unused]
    return "\n".join(order for way in ways for order in way)


_MOST_TOLD = 12
_UNIT = re.compile(r"(?:[AF] )?([A-Z]{3}(?:/[A-Z]{2})?)")


def _planned(ctx: Context, text: str) -> str:
    """The command in a text that can be scheduled, as it is written there: `schedule EXTEND 24h for Friday 8am`. It is
    looked for in as many words as a long sentence has: each may begin it, and each may be its last.
    """
    words = text.split(maxsplit=_SENTENCE)[:_SENTENCE]
    said = " ".join(words)
    for at in range(len(words)):
        name = ctx.commands.reader.name_of(" ".join(words[at:]))
        if name is not None and (ctx.commands[name].policy.schedulable or words[at].isupper()):
            ways = (" ".join(words[at:end]) for end in range(len(words), at, -1))
            timed = (way for way in ways if OF_DAY.search(time_in(said.replace(way, "", 1))))
            read = (way for way in timed if _is_read(ctx, way))
            return next((way for way in read if not isinstance(fault_of(ctx, way), NotUnderstood)), "")
    return ""


_SENTENCE = 40
OF_PLAYERS = frozenset(want for want in _LINES if not want.name.startswith(MASTERS))
"""Those of them that players have, too."""


def changes(line: str) -> bool:
    """Whether a line for a wish does more than show something, in one game or several."""
    line = OF_ALL.sub("", line)
    return line.partition(" ")[0] not in _SHOWS and line not in ("SCHEDULE", "NOTE LIST")


TAKES_WORDS = frozenset(want for want, lines in _LINES.items() if any("{words}" in line for line in lines))
"""The wishes of which the line can have words for others, which stand behind a colon."""
OF_A_POWER = frozenset(want for want, lines in _LINES.items() if any("{power}" in line for line in lines))
"""The wishes about one power, which the text around a clause may name: `Italy is gone. Eject them`."""
_TIMES = frozenset(
    (
        "later",
        "begins",
        "when",
        "moment",
        "span",
        "due",
        "weekday",
        "day",
        "days",
        "listed",
        "off",
        "clock",
        "hours",
        "less",
        "over",
        "options",
        "settings",
        "made",
    )
)
_SAID = _TIMES.union(
    ["power", "player", "address", "asked", "guests", "theirs", "assistant", "released", "words", "orders"]
)
"""The parts that are in a sentence only if it names them."""
_NAMED_THEMSELVES = frozenset(want for want, lines in _LINES.items() if any("{game}" in line for line in lines))
"""The wishes whose line has the name of its game."""


class Proposal(NamedTuple):
    """The line for a wish, what the sentence says that is not in it, and what is to be known of it, as a sentence."""

    line: str
    left_out: tuple[str, ...] = ()
    means: str = ""
    says_it: bool = False
    """Whether it has something that the sentence names: a power, an address, a time, an option, or words for others."""
    until: str = ""
    """The deadline that a length of time comes to."""


def line_of(
    ctx: Context, want: Wanted, text: str, powers: Sequence[str], words: str = "", games: Sequence[str] = ()
) -> Proposal:
    """The line that does it, in all games if the text says so; of what needs more than the sentence has, how it is
    written. At the server's own address, where no game is named, it shows the games. `powers`: those that the sentence
    names; `words`: those behind its colon; `games`: the games for which it is.
    """
    several = bool(games) or in_all(ctx, text)
    if several and not games and want in _NAMED_THEMSELVES:
        games = [game.name for game in games_run(ctx)]
        games = [name for name in games if name not in games_left_out(text, games)]
    name = ctx.game_name or next(iter(games), "")
    found = _in_a_game(ctx, want, text, powers, words, name, several=several or ctx.seat is None)
    if _is_for_the_next(ctx, text) and found.line.startswith(_FOR_A_PHASE):
        found = Proposal(f"{FOR_THE_NEXT}{found.line}", found.left_out, says_it=found.says_it)
    line = found.line
    if not want.name.startswith(MASTERS) or line.startswith("HELP ") or not (several or ctx.seat is None):
        return found
    if not several or line == "DASHBOARD":
        return Proposal("DASHBOARD")
    every = [game.name for game in games_run(ctx)]
    but = [] if games else games_left_out(text, every)
    wanted_ = games or [name for name in every if name not in but]
    if refusing := _refusing(ctx, line, wanted_):
        games = [name for name in wanted_ if name not in refusing]
        said = (f" {name} is left out: {problem}" for name, problem in refusing.items())
        found, but = found._replace(means=f"{found.means}{''.join(said)}"), []
    names = ", ".join(games or (name for name in every if name not in but))
    all_games = f"ALL GAMES BUT {', '.join(but)}" if but else "ALL GAMES"
    all_games = f"ALL GAMES {names}" if games and {*games} != {*every} else all_games
    if games and games[0] in line.split():  # its own name is a part of it: DRAW spring
        own = re.compile(rf"(?<= ){re.escape(games[0])}\b")
        each = (f"GAME {name}\n{own.sub(name, line)}" for name in games)
        return found._replace(line="\n".join(each))
    of_one_line = "\n" not in line.partition("\nBECAUSE ")[0]
    return found._replace(line=f"{all_games}: {line}" if of_one_line else f"GAME {names}\n{line}")


_MOST_TRIED = 20


def _refusing(ctx: Context, line: str, names: Sequence[str]) -> dict[str, str]:
    """The games in which a line would be refused that is done in others of these, and why: their results wait, say."""
    tried = names[:_MOST_TRIED] if len(names) > 1 and "\n" not in line and changes(line) else ()
    faults = faults_in(ctx, line, tried)
    refusing = {name: error.problem for name, error in faults.items() if error is not None}
    return refusing if len(refusing) < len(faults) else {}


def in_all(ctx: Context, text: str) -> bool:
    """Whether a wish is for all games of its sender: at a seat, `everything` is all of its game."""
    counted = _SO_MANY.search(text)
    if counted is not None and len(games_run(ctx)) == int(COUNTS.get(counted[1].lower(), counted[1])):
        return True
    return is_for_all_games(text) or (ctx.seat is None and _ALL_OF_THEM.search(text) is not None)


def _in_a_game(
    ctx: Context, want: Wanted, text: str, powers: Sequence[str], words: str, name: str, *, several: bool
) -> Proposal:
    written, text = text, _dated(ctx, text)  # a reason keeps the names of its feasts
    planned = _planned(ctx, text) if want is Wanted.GM_SCHEDULE else ""
    wish = without_reasons(text.replace(planned, "", 1) if planned else text)
    timed = wish if time_in(wish) else text  # `Italy is away until Sunday, so extend by a day`
    zone, timed, unread = zone_in(A_PHASE.sub("", timed), names_of_games(ctx)())
    time_said, today = time_in(timed), ctx.now.date()
    day, days, clock = last_day(timed, today), two_days(timed, today), clock_in(timed)
    theirs = _address_of(ctx, powers[0]) if len(powers) == 1 else ""
    if want is Wanted.GM_REPLACE:  # by somebody else than the player, and than who is to stand by
        address = _address_in(" ".join(one for one in clauses(text) if not STANDBY.search(one)), (theirs,))
        address = address or (theirs if theirs and _BACK.search(text) and not _has_player(ctx, powers[0]) else "")
    else:
        address = _address_in(text)
    options, guests = [*options_in(_as_wanted(text))], _guests(ctx, text, powers)
    due = None if several else _due(ctx, time_said, text, zone)
    here = f" {zone}" if zone and OF_DAY.search(time_said) else ""
    weekday = f"{time_said}{here}" if WEEKDAY.match(time_said) and not A_DATE.search(time_said) else ""
    dated = f"{due.astimezone(ctx.game.options.clock.zone):%a %d %b %Y %H:%M}" if due and ctx.game else ""
    parts = {
        "power": powers[0] if len(powers) == 1 else vacant_one(ctx) if want is Wanted.GM_REPLACE and not powers else "",
        "powers": ", ".join(powers) if want is not Wanted.GM_DRAW or len(powers) != 1 or _WINS.search(text) else "",
        "game": name,
        "player": powers[0] if len(powers) == 1 and _has_player(ctx, powers[0]) else "",
        "free": powers[0] if len(powers) == 1 and _is_free(ctx, powers[0]) else "",
        "address": address,
        "replaced": _each_asked(text, powers, theirs) if want is Wanted.GM_REPLACE and not _is_forming(ctx) else "",
        "asked": address if _is_forming(ctx) and not powers else "",
        "late": ", ".join(late_of(ctx, ctx.game)) if want is Wanted.GM_ACCEPT_LATE and ctx.game is not None else "",
        "guests": ", ".join(guests),
        "seat": powers[0] if len(powers) == 1 and ctx.game is not None and ctx.game.running else "",
        "each": ", ".join(guests) if len(guests) > 1 and _is_forming(ctx) else "",
        "theirs": theirs,
        "assistant": address if want is Wanted.GM_PROMOTE and _ASSISTS.search(_whole(ctx, text)) else "",
        "released": address if _OFF.search(text) else "",
        "cancelled": "OFF" if _OFF.search(text) else "",
        "words": words,
        "reason": ", ".join(_BECAUSE.sub("", one).strip(" .!") for one in _reasons(written)),
        "orders": "\n".join(_last_of_each(_ORDER.findall(_DENIED.sub("", text))))
        or orders_told(ctx, want, text, powers),
        "nothing": "NONE" if _OFF.search(text) else "",
        "planned": planned or ("PROCESS" if _PROCESSES.search(text) else ""),
        "phase": ctx.game.code if ctx.game is not None and ctx.game.running else "",
        "when": "" if time_said.isdigit() else f"{time_said}{here}",
        "moment": f"{time_said}{here}" if OF_DAY.search(time_said) and is_moment(ctx, time_said) else "",
        "due": dated,
        "later": dated if hours_until(ctx, due) else "",
        "weekday": "" if _EARLIER.search(text) else weekday,
        "span": time_said.removeprefix("+") if is_span(time_said) else "",
        "over": f"{(ctx.now + parse_duration(time_said.removeprefix('+'))).date()}" if is_span(time_said) else "",
        "options": " ".join(options),
        "early": next((one for one in options if one.startswith("early=")), ""),
        "drawn": next((what for what, asked in _DRAWN if asked.search(text)), ""),
        "kept": "LIST" if _KEPT.search(text) else "",
        "standins": "standins=yes" if "standins=yes" in options else "",
        "relieved": powers[0] if "@" not in text and STANDBY.search(text) and len(powers) == 1 else "",
        "bots": next((one for one in options if one.startswith("standins=") and not plays_it(ctx, text)), ""),
        "closed": ctx.game.code if ctx.game is not None and ctx.game.withheld else "",
        "begins": _begins(timed, time_said, today),
        "day": day.isoformat() if day is not None else "",
        "holidays": _holidays(ctx, text, several=several),
        "days": f"{days[0]}..{days[1]}" if days is not None else "",
        "listed": ",".join(map(str, listed_days(text, today))),
        "clock": time_of(clock) if clock is not None else "",
        "zone": zone,
        "place": place_in(text).zone,
        "forward": "ROLLFORWARD" if _FORWARD.search(text) else "",
        "last": _last_phase(ctx, text),
        "ended": goes_on_in(ctx.tx.session, ctx.game) if ctx.game is not None else "",
        "played": _last_phase(ctx, text) if A_PHASE.search(text) else "",
        "made": games_made(ctx, text),
        "name": next(
            (named[1].strip() for named in (one.search(text) for one in _NAMES) if named), _name_beside(ctx, want)
        ),
        "hours": hours_in(text) or hours_until(ctx, due),
        "less": hours_in(text) if _LESS.search(text) else "",
        "mail": " ".join(of_mail(text, clock)),
        "victor": powers[0] if len(powers) == 1 and _CONCEDES.search(text) and not places_in(ctx, text) else "",
    }
    of_play = without_week(text) != text
    parts["off"] = "" if of_play or OF_DAY.search(time_said) else parts["day"]
    if A_DEADLINE.search(plain(text)):  # its day is never a holiday
        parts |= {"days": "", "listed": "", "off": ""}
    spared = "" if of_play else parts["listed"] or parts["days"]
    daily = of_play or not (weekday or parts["day"])  # `Sunday noon` is one deadline's
    at = [f"at={parts['clock']}", *([f"zone={zone}"] if zone else ())] if clock is not None and daily else ()
    parts["settings"] = " ".join((*([f"{parts['holidays']}{spared}"] if spared else ()), *options, *at))
    parts["standing"] = parts["settings"] if of_play else ""
    known = (form for form in _LINES.get(want, ()) if all(parts[part] for part in _PART.findall(form)))
    form = next((form for form in known if _is_read(ctx, form.format(**parts))), "")
    if not form:
        return Proposal(f"HELP {title_of(want)}")
    line, used = form.format(**parts), _TIMES.intersection(_PART.findall(form))
    untimed = time_said if not used and time_in(wish) and SOME_TIME_SAID.search(time_said) else ""
    if untimed and parts["moment"] and (not parts["clock"] or parts["clock"] not in line) and _can_wait(ctx, line):
        line, untimed = f"SCHEDULE {parts['moment']}: {line}", ""
    line = _with_reason(line, written)
    elsewhere = unread or ("" if "due" in used else zone)
    whole = "" if used or want not in _LASTING else _until_when(wish)
    said = (*powers, *filter(None, (address, words, untimed, elsewhere, whole)))
    said += tuple(unmade(ctx, text, parts["made"])) if "{made}" in form else ()
    means = moved_by(ctx.game, due) if ctx.game is not None and due is not None and "due" in used else ""
    means = means or ("" if several else _lengths_of(ctx, line))
    left_out = tuple(one for one in said if one not in line) if changes(line) else ()
    until = "" if several else _comes_to(ctx, line)
    return Proposal(line, left_out, means, says_it=bool(_SAID.intersection(_PART.findall(form))), until=until)


def _begins(text: str, time_said: str, today: date) -> str:
    """When something is to begin of which a text tells the only day: at its time of day, or else with the day."""
    day = None if _UNTIL.search(text) else begins_on(text, today)
    return "" if day is None else time_said if clock_in(text) else f"{day} 00:00"


def _can_wait(ctx: Context, line: str) -> bool:
    """Whether a line for a wish can be scheduled: a time beside what takes none is when that is to be done."""
    name = ctx.commands.reader.name_of(line) if "\n" not in line else None
    return name is not None and ctx.commands[name].policy.schedulable


def _is_for_the_next(ctx: Context, text: str) -> bool:
    """Whether a wish is for the phase after the present one, by its own words or those that begin its sentence."""
    led = (WITH_THE_NEXT.match(one) for one in sentences(_whole(ctx, text)) if text.strip(" .!") in one)
    return WITH_THE_NEXT.search(text) is not None or any(led)


FOR_THE_NEXT = "SCHEDULE next phase: "
WITH_THE_NEXT = re.compile(
    r"\b(?:as soon as|once|when|after) (?:the |this )?(?:(?:next|following|coming) )?"
    r"(?:results?|report|adjudication|processing|phase|turn|season)\b"
    r"|\b(?:for|in|with|at|until|deadline of) the (?:next|following|coming)"
    r" (?:phase|turn|season|round|results?|report)\b",
    re.IGNORECASE,
)
"""What is to be done with the phase after the present one."""
_FOR_A_PHASE = ("EXTEND ", "DEADLINE ", "PAUSE")
"""How lines begin whose time is that of a phase: they can be for the next one."""


def plays_it(ctx: Context, wish: str) -> bool:
    """Whether the program is to play one power of a running game: that sets no option of all."""
    running = ctx.game is not None and ctx.game.running
    return running and _PLAYS_IT.search(wish) is not None


_PLAYS_IT = re.compile(
    r"\b(?:computer|program|machine|ai|bot)\b.{0,40}\b(?:it|them|her|him|until|for)\b", re.IGNORECASE
)


def _each_asked(text: str, powers: Sequence[str], theirs: str) -> str:
    """A line for each of several people who are asked to take one power over, `a@x.org and b@x.org`; "" for others."""
    asked = [one.partition(" ")[0] for one in guests_in(text) if not one.startswith(f"{theirs} ") and one != theirs]
    several = len(powers) == 1 and len(asked) > 1
    return "\n".join(f"REPLACE {powers[0]} WITH {one}" for one in asked) if several else ""


def _as_wanted(text: str) -> str:
    """A text without the clauses that say that something is too much or too little: `four days are too many`."""
    parts = [one for one in clauses(text) if not is_too_much(one)]
    return ", ".join(parts) if parts and len(parts) < len(clauses(text)) else text


def _dated(ctx: Context, text: str) -> str:
    """A wish with the dates of the feasts that it names, if its sentence does not say these: `over Christmas, that is
    from 24 December to 1 January`; it does not where it begins or ends with one, `from Christmas Eve to 2 January`.
    """
    whole = _whole(ctx, text)
    sentence = next((one for line in whole.split("\n") for one in sentences(line) if text in one), text)
    today = ctx.now.date()
    text, sentence = with_sure_days(text, today), with_sure_days(sentence, today)
    if _THEN.search(text) and last_day(text, today) is None and (named := two_days(whole, today)) is not None:
        return _THEN.sub(f"from {named[0]} to {named[1]}", text)
    left = without_feasts(sentence)
    lacks_one = _BEGINS.search(left) is not None and two_days(left, today) is None
    return with_dates(text, today) if lacks_one or last_day(left, today) is None else text


def _whole(ctx: Context, text: str) -> str:
    """The mail of which a text is a part."""
    return ctx.mail.message.text if ctx.mail is not None else text


_THEN = re.compile(
    r"\b(?:(?:from|as of) (?:then|that day)(?: on)?|(?:for|during|over|in) (?:that|this|the same) (?:time|period|span)"
    r"|meanwhile|ab dann|von da an|solange)\b",
    re.IGNORECASE,
)
"""What means days that another sentence names."""
_BEGINS = re.compile(r"\b(?:from|between|von|vom|du)\b", re.IGNORECASE)
"""What is before the first of two days."""
_LASTING = (Wanted.GM_PAUSE, Wanted.GM_EXTEND, Wanted.GM_DEADLINE)


def _until_when(text: str) -> str:
    """What a wish says of how long it is to last, if it is not for its writer to say when that is over."""
    return found[0].strip() if (found := _UNTIL.search(text)) is not None else ""


_UNTIL = re.compile(
    r"\b(?:until|till|through|over (?:the|my|this|our)|bis|jusqu['’]\w+)\b"
    r"(?! (?:(?:further|your|my|new) (?:notice|order|word)|(?:i|we|ich|wir|je) |auf weiteres|nouvel ordre))"
    r"[^.,;:!?]{2,40}",
    re.IGNORECASE,
)


def _with_reason(line: str, text: str) -> str:
    """A line of one command that can say why, with the reason that a text gives behind BECAUSE."""
    name = COMMANDS.reader.name_of(line) if "\n" not in line and not is_vague(line, text) else None
    why = because(text) if name is not None and COMMANDS[name].says_why else ""
    return f"{line}\nBECAUSE {why}" if why else line


def is_vague(line: str, text: str) -> bool:
    """Whether a line gives some time to a wish that does not say how much."""
    return OF_ALL.sub("", line) == SOME_TIME and not time_in(text)


def because(text: str) -> str:
    """The reason that a text gives behind `because`, with what it states beside that, or before `so`; "" if it gives
    none.
    """
    parts = clauses(without_added(text)[0])
    begin = next((at for at, one in enumerate(parts) if begins_because(one)), len(parts))
    so = next((at for at, one in enumerate(parts) if _SO.match(one)), 0) if begin == len(parts) else 0
    stated = [*takewhile(lambda one: is_reason(one) and not is_told(one), reversed(parts[:so]))]
    begin = so - len(stated) if stated else begin
    more = takewhile(lambda one: is_reason(one) or _GOES_ON.match(one), parts[begin + 1 :])
    said = [without_because(plain(one)).strip(" .!") for one in (*parts[begin : begin + 1], *more)]
    return loosed(" and ".join(said))


_SO = re.compile(
    r"(?:and )?(?:so|therefore|hence|also|deshalb|donc)\b(?! (?:that|far|long|much|many|is|are|do)\b)", re.I
)
_GOES_ON = re.compile(
    r"(?:can(?:not|'t|’t)?|could|will|won['’]t|have|has|had|am|is|are|was|were|must|did|does)\b(?! (?:you|i|we)\b)",
    re.IGNORECASE,
)
"""What goes on with what was said of somebody: `because I am ill and cannot write`."""


def _comes_to(ctx: Context, line: str) -> str:
    """The deadline that there would be after a line that moves it by a length of time, or to a moment; "" of another,
    or if that is not known.
    """
    game, (title, _, when) = ctx.game, line.partition("\n")[0].partition(" ")
    if game is None or game.due_at is None or title not in ("EXTEND", "DEADLINE"):
        return ""
    with suppress(NotUnderstood):
        zone = game.options.clock.zone
        due = game.due_at + parse_duration(when) if title == "EXTEND" else parse_when(when, ctx.now, zone)
        return full_moment(due, zone)
    return ""


def _lengths_of(ctx: Context, line: str) -> str:
    """What the lengths of time come to that a line adds to or takes from, as a sentence; "" if it does not."""
    given = dict(_A_CHANGE.findall(line)) if ctx.game is not None else {}
    with suppress(NotUnderstood):
        found = with_lengths(given, ctx.game) if ctx.game is not None and given else {}
        return f" That makes {', '.join(f'{name}={text}' for name, text in found.items())}." if found else ""
    return ""


_A_CHANGE = re.compile(r" (\w+)=([+-]\d+[hdw])")


def _reasons(text: str) -> list[str]:
    """The clauses of a text that say why: those from BECAUSE on, or else all that only state something, no order."""
    stated = [one for one in clauses(text) if is_reason(one) and not _ORDER.search(one)]
    return [*dropwhile(lambda one: not _BECAUSE.match(one), stated)] or stated


_NAMES = (
    re.compile(
        r"\b(?i:it(?:'s| is)|(?:call|list|show|name) me(?: as)?|names?n?(?: to| is| ist| in| ändern| bitte)+"
        r"|(?:appear|be (?:shown|listed|known|called)|erscheinen)(?: (?:as|als))?|als"
        r"|hei(?:ß|ss)e|m'appelle|est|llamo|dass (?:da|dort|hier))"
        r"(?i:[ ]+übrigens|:)?((?:[ ]+[^\W\d_a-z][\w'-]+){1,4})"
    ),
    re.compile(
        r"\b(?:call|name) me ([^\W\d_][\w'-]+)(?= (?:instead|please|from now|in (?:the|this)|here)\b|\W*\Z)",
        re.IGNORECASE,
    ),
)
"""What is before a person's name, which has capitals, `it's Emma Smith`, or is surely one: `call me em instead`."""


def _name_beside(ctx: Context, want: Wanted) -> str:
    """The name of a person that is all that another sentence of a mail about theirs says: `... put my name there? Nora
    Whitfield.`; "" if none is, or the one that they have.
    """
    text = ctx.mail.message.text if want is Wanted.NAME and ctx.mail is not None else ""
    bare = (one.strip(" .!\t") for line in text.splitlines() for one in sentences(line))
    named = (one for one in bare if _ONLY_NAME.fullmatch(one) and not any(knows(word, _COMMON) for word in one.split()))
    return next((one for one in named if one != ctx.known().name), "")


_ONLY_NAME = re.compile(r"[^\W\d_a-z][\w'-]+(?:[ ][^\W\d_a-z][\w'-]+){1,3}")
_COMMON = 3
"""A word of fewer examples may be a name, too."""


def title_of(want: Wanted) -> str:
    """The title of the command that does it."""
    return want.name.removeprefix(MASTERS).replace("_", " ")


def _is_read(ctx: Context, line: str) -> bool:
    with suppress(NotUnderstood):
        return "\n" in line or ctx.commands.reader.read(line, ctx.lexicon) is not None
    return False


def _holidays(ctx: Context, text: str, *, several: bool) -> str:
    """The beginning of the option by which days become holidays, or are none any more."""
    if not _has_holidays(ctx, several=several):
        return "" if _OFF.search(text) else "holidays="
    return "holidays=-" if _OFF.search(text) or _NO_HOLIDAY.search(text) else "holidays=+"


_NO_HOLIDAY = re.compile(
    r"\b(?:no|not an?) (?:more )?holidays?\b|\b(?:fine|okay|ok|possible|allowed|normal)\b"
    r"|\b(?:can|could|do|will|may|we) (?:still |also )?play\b"
    r"|\bkeine? (?:ferien|feiertage?)\b"
    r"|\b(?:is|are) (?:an? )?(?:game|work\w*|normal) days?\b",
    re.IGNORECASE,
)
"""What says of days that they are no holidays."""


def _has_holidays(ctx: Context, *, several: bool) -> bool:
    """Whether the game of the mail has holidays, or any that its sender runs: others are added to them."""
    games = games_run(ctx) if several or ctx.game is None else [ctx.game]
    return any(game.options.clock.holidays for game in games)


def _due(ctx: Context, time_said: str, text: str, zone: str) -> datetime | None:
    """The deadline that a sentence means in the game of the mail, on the clocks of a zone that it names: a day of the
    week is the first after the deadline, but where an earlier one is wanted the first from now.
    """
    game, when = ctx.game, time_said.removeprefix("next ")
    if game is None or not (game.running or _is_forming(ctx)):
        return None
    if not when or is_span(time_said) or time_said.isdigit():
        return None
    if game.due_at is not None and CLOCK.fullmatch(when):
        when = f"{game.due_at.astimezone(ZoneInfo(zone) if zone else game.options.clock.zone):%d %b %Y} {when}"
    when = f"{when} {zone}".strip()
    with suppress(GmError):
        return moment_of(game, when, ctx.now) if _EARLIER.search(text) else later_than_due(game, when, ctx.now)
    return None


def _has_player(ctx: Context, power: str) -> bool:
    """Whether somebody plays the power, as far as the writer of the mail may know: a secret one always."""
    game = ctx.game
    seat = game.seat_of(Power(power)) if game is not None else None
    return game is not None and seat is not None and (seat.person is not None or not game.knows_holder(ctx.seat, seat))


def _is_forming(ctx: Context) -> bool:
    return ctx.game is not None and ctx.game.state is GameState.FORMING


def _is_free(ctx: Context, power: str) -> bool:
    """Whether the game has not begun, and the power is not known to be wanted: somebody is invited to it."""
    return ctx.game is not None and ctx.game.state is GameState.FORMING and not wanting(ctx.game, Power(power))


def _last_phase(ctx: Context, text: str) -> str:
    """The code of the phase that was played last, as of `_last_played`; "" before any was."""
    phase = _last_played(ctx, text)
    return phase.code if phase is not None else ""


def _last_played(ctx: Context, text: str) -> PhaseRow | None:
    """The phase that was played last, of those of the season that a text names or that have a code of it."""
    played = to_play_again(ctx.tx.session, ctx.game) if ctx.game is not None else []
    words, seasons = {*A_NAME.findall(text.casefold())}, seasons_in(text)
    named = [one for one in played if one.code.casefold() in words or one.code[0] in seasons]
    return next(reversed(named or played), None)


def _address_of(ctx: Context, power: str) -> str:
    """The address of whoever plays the power, for a gamemaster who may know all players."""
    game, seat = ctx.game, ctx.seat
    if game is None or seat is None or not admission.knows_the_invited(game, seat):
        return ""
    them = [seat for seat in game.players if seat.power == power] if game.running else wanting(game, power)
    found = [person for _, person in holders(them)]
    if not found and len(them) == 1 and (left := sights.last_of(ctx.tx.session, them[0].id)) is not None:
        found = list(loading.people(ctx.tx.session, [left]).values())
    return found[0].addresses[0] if len(found) == 1 and found[0].addresses else ""


def _guests(ctx: Context, text: str, powers: Sequence[str]) -> Sequence[str]:
    """The mail addresses in a text, each with the power that is named with it: the only one with the only power."""
    power = power_here(ctx)
    found = [*guests_in(text, power, known=ctx.lexicon is not None)]
    alone = len(found) == 1 and " AS " not in found[0] and len(powers) == 1
    if alone or ctx.lexicon is None:
        return [f"{one} AS {powers[0]}" for one in found] if alone else found
    own = (([*guests_in(part, power, known=True)], [*powers_in(part, ctx.lexicon)]) for part in clauses(text))
    named = {guests[0]: named[0] for guests, named in own if len(guests) == len(named) == 1}
    return [f"{one} AS {named[one]}" if one in named and " AS " not in one else one for one in found]


def _address_in(text: str, known: Collection[str] = ()) -> str:
    """The first mail address in a text but for `known` ones, "" if there is none."""
    words = (re.sub(r"['’]s?\Z", "", word.strip(",;:.()<>")) for word in text.split() if "@" in word)
    found = map(parse_address, words)
    return next((one.address for one in found if one is not None and one.address not in known), "")
