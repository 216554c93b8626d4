"""Questions and wishes in people's own words (`gm.parsing.questions`), answered in the same reply.

What only shows something is shown at once. What changes something is offered as a line to be sent with one tap, and so
are the readings of a sentence that may mean more than one thing. A mail that speaks to a player is not asked of gm.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from types import MappingProxyType

from gm.board import Location, standard_board
from gm.commands.context import Context
from gm.commands.help import plays_nothing
from gm.commands.press import refusal
from gm.errors import GmError, NotUnderstood, Temporary
from gm.games.briefs import passage_on
from gm.games.report_inputs import closes_at, progress_shown
from gm.games.snapshot import Game, Seat
from gm.mail.message.addresses import hidden
from gm.orders.legality import may_go_to
from gm.orders.notation import write_unit
from gm.parsing.days import two_days
from gm.parsing.lexicon import Lexicon, fold, shorten
from gm.parsing.likely_commands import likely_command
from gm.parsing.message import CommandLine, Complaint, Talk
from gm.parsing.questions import Wanted, sentences, speaks_of_the_game, wanted
from gm.reading.line import Line, Lines, Origin, Reason, asks_anything, for_reasons, settled
from gm.server.acting import run
from gm.server.telling import speaks_to, to_nobody_here, told_to, what_to_write

_MOST = 3
"""The most questions that are answered in one reply."""
_LIKELIEST = 2


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence, and what it may ask for."""

    text: str
    wants: tuple[Wanted, ...]


def questions_in(ctx: Context, lines: Lines) -> tuple[Lines, tuple[Question, ...]]:
    """The lines, those that ask something settled: as answered, or as asked about where that changes something or is in
    doubt. And the questions.
    """
    talk = [line for line in lines if _is_open_talk(ctx, line)]
    if not talk or any(speaks_to(ctx, line.text) or to_nobody_here(ctx, line.text) for line in talk):
        return lines, ()
    idle = not asks_anything(lines)
    found: dict[str, Question] = {}
    settled_lines = []
    for line in lines:
        own = _asked_in(ctx, line) if _is_open_talk(ctx, line) and len(found) < _MOST else ()
        new = {" ".join(_line_for(ctx, want, one.text) for want in one.wants): one for one in own}
        found |= {key: one for key, one in new.items() if key not in found}
        settled_lines.append(settled(line, _reason(ctx, own)) if own else _passed_over(ctx, line, idle=idle))
    return tuple(settled_lines), tuple(found.values())[:_MOST]


def _is_open_talk(ctx: Context, line: Line) -> bool:
    talk = line.origin is Origin.OWN and isinstance(line.meaning, Talk) and not line.meaning.blank
    return (talk and line.is_for(Reason.PLAIN, Reason.MENTIONS)) or _is_a_word(ctx, line)


def _is_a_word(ctx: Context, line: Line) -> bool:
    """Whether it is the word of a command that needs more, `deadline`: it may be a question about it."""
    alone = isinstance(line.meaning, Complaint) and line.text.strip().isalpha()
    known = alone and ctx.commands.reader.name_of(line.text) is not None
    return known and line.origin is Origin.OWN and line.is_for(Reason.NOT_UNDERSTOOD)


def _passed_over(ctx: Context, line: Line, *, idle: bool) -> Line:
    """The line; talk at a seat that is about the game, or is all that the mail has, as passed over, so that its sender
    is told.
    """
    lexicon = ctx.game.lexicon_of(ctx.seat) if ctx.game is not None and ctx.seat is not None else None
    heads = not idle and line.text.rstrip().endswith(":")
    if lexicon is None or heads or not _is_open_talk(ctx, line) or not line.is_for(Reason.PLAIN):
        return line
    if any(told_to(ctx, text).to for text in sentences(line.text)):
        return line  # it is said of that line that nobody was told
    about = any(speaks_of_the_game(text, partial(_names_power, lexicon)) for text in sentences(line.text))
    alone = idle and len(line.text.split()) > 1
    return settled(line, Reason.PASSED) if about or alone else line


_POINTED = 3


def say_of_passed(ctx: Context, lines: Lines) -> tuple[str, ...]:
    """What the receipt says of lines about the game that nothing was made of; and what may do what they were for."""
    passed = for_reasons(lines, Reason.PASSED)
    likely = _offer_likely(ctx, lines)
    unread = (*passed, *for_reasons(lines, Reason.MENTIONS))
    if unread and not ctx.open_offers and not ctx.answer.parts:
        offer_to_others(ctx, unread)
    if not passed:
        return likely
    texts = [shorten(line.text.strip()) for line in passed]
    rest = f" and {len(texts) - _POINTED} more lines" if len(texts) > _POINTED else ""
    what = f"Passed over, since it is no order or command: {', '.join(map(repr, texts[:_POINTED]))}{rest}."
    what += f" {what_to_write(ctx)}"
    if ctx.game is not None and (said := next(filter(None, (_rules_on(ctx.game, line.text) for line in passed)), "")):
        ctx.show("What the rules say of it", said)
    return (what, *likely)


def _offer_likely(ctx: Context, lines: Lines) -> tuple[str, ...]:
    """Offer the commands that lines which were not acted on may be; what the receipt says of the first of them."""
    said = []
    reasons = (Reason.PLAIN, Reason.PASSED, Reason.NOT_UNDERSTOOD, Reason.NOT_DONE)
    for line in for_reasons(lines, *reasons)[:_MOST_LIKELY]:
        of_order = isinstance(line.meaning, Complaint) and line.meaning.of_order
        talk = isinstance(line.meaning, Talk)
        if line.origin is not Origin.OWN or of_order or (talk and ctx.commands.reader.name_of(line.text) is not None):
            continue  # what begins with a command's own word was found to be talk
        lexicon = ctx.game.lexicon_of(ctx.seat) if ctx.game is not None else None
        command = _mended(line) or _to_do(line) or likely_command(line.text, ctx.commands.reader, lexicon)
        if not command or command.lower() == line.text.strip().lower():
            continue
        ctx.offer(_with_days(ctx, command, line.text), "do this, if it is what you mean")
        if talk:
            first = command.partition(" ")[0]
            said.append(f"{shorten(line.text.strip())!r} is not a command here. Did you mean {first}?")
    return tuple(said[:1])


def _to_do(line: Line) -> str:
    """The one command that its error says to write instead of a line; or the line as press to the gamemaster, if only
    they can do it.
    """
    remedy = line.fate.error.remedy if line.fate is not None and line.fate.error is not None else ""
    if "PRESS TO GM" in remedy:
        return f"PRESS TO GM\n{line.text.strip()}\nENDPRESS"
    found = _WRITE.search(remedy)
    return found["line"] if found is not None else ""


_WRITE = re.compile(r"\bwrite (?P<line>[A-Z]{4,20}(?: [a-z][\w-]{0,40})?)\.$")
_INSTEAD = re.compile(r"(?<!\w)'(?P<wrong>[^']{1,40})'.{0,200} Did you mean (?P<right>[^?(]{1,40})\?", re.DOTALL)


def _mended(line: Line) -> str:
    """The line with the word instead of which its error proposes another; "" if it proposes none."""
    error = line.fate.error if line.fate is not None else None
    found = _INSTEAD.search(f"{error.problem} {error.remedy}") if error is not None else None
    return line.text.strip().replace(found["wrong"], found["right"], 1) if found is not None else ""


_MOST_LIKELY = 5


def _with_days(ctx: Context, command: str, text: str) -> str:
    """An ABSENCE with its days as the command takes them."""
    dated = command.startswith("ABSENCE ") and two_days(text, ctx.now.date()) is not None
    return _line_for(ctx, Wanted.ABSENCE, text) if dated else command


def offer_to_others(ctx: Context, passed: Lines) -> None:
    """Offer to send lines that say nothing to the program to the player they name, or to the gamemaster."""
    if ctx.game is None or ctx.seat is None:
        return
    text = hidden("\n".join(line.text.strip() for line in passed), *ctx.tx.identity.addresses)
    powers = map(ctx.game.lexicon_of(ctx.seat).power, re.findall(r"[^\W\d_]{3,}", text))
    named = list(dict.fromkeys(filter(None, powers)))
    for to in (*(named if len(named) == 1 else ()), "GM"):  # of two, one may be spoken of
        if len(text) <= _LONGEST and refusal(ctx.game, ctx.seat, [to]) is None:
            ctx.offer(f"PRESS TO {to}\n{text}\nENDPRESS", f"send this to {'the gamemaster' if to == 'GM' else to}")
    ctx.offer("RULES", "the rules of this game")
    ctx.offer("HELP ORDERS", "how orders are written")


_LONGEST = 800
"""Longer letters are not offered."""


def _rules_on(game: Game, text: str) -> str:
    return passage_on(text, game.variant) if text.rstrip().endswith("?") else ""


def _asked_in(ctx: Context, line: Line) -> tuple[Question, ...]:
    lexicon = ctx.game.lexicon_of(ctx.seat) if ctx.game is not None else None
    if _is_a_word(ctx, line) and ctx.seat is not None and ctx.seat.moderates:
        return ()
    texts = [f"{line.text.strip()}?"] if _is_a_word(ctx, line) else sentences(line.text)
    texts = [text for text in texts if not told_to(ctx, text).to]
    found = ((text, _wanted(ctx, text, lexicon)) for text in texts)
    possible = ((text, _apart(ctx, text, wants)) for text, wants in found)
    return tuple(Question(text, wants[:_LIKELIEST]) for text, wants in possible if wants)


def _apart(ctx: Context, text: str, wants: Sequence[Wanted]) -> tuple[Wanted, ...]:
    """Those of its readings that are possible here; of several that the same help answers, the first."""
    found: dict[str, Wanted] = {}
    for want in wants:
        if _applies(ctx, want):
            line = _line_for(ctx, want, text)
            found.setdefault(line if line.startswith("HELP ") else want.name, want)
    return tuple(found.values())


def _wanted(ctx: Context, text: str, lexicon: Lexicon | None) -> tuple[Wanted, ...]:
    """What a sentence asks for; a command that it names in capitals is what it is about."""
    found = wanted(text, partial(_names_power, lexicon), partial(_applies, ctx))
    command = _command_in(ctx, text, loud=bool(found))
    return (Wanted.COMMAND,) if command else found


_ASKS = re.compile(
    r"\?\s*$|\b(?:how|what|when|why|i(?:'d| would| want| wish| prefer)|wie|was|wann|ich (?:mochte|möchte)|comment"
    r"|je (?:veux|voudrais|prefere|préfère))\b",
    re.IGNORECASE,
)
_STEM = 5
"""So many letters of a word say which one it is: `prefer`, `registered`."""


def _command_in(ctx: Context, text: str, *, loud: bool) -> str:
    """The title of the command that a question or a wish names; `loud`: only in capitals, among small letters."""
    if text.isupper() or not _ASKS.search(text.replace("’", "'")):
        return ""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if word.isupper() or not loud]
    titles = ctx.commands.by_title
    stems = {title[: _STEM + 1]: title for title in reversed(tuple(titles)) if len(title) > _STEM and not loud}
    named = (word if word in titles else stems.get(word.upper()[: _STEM + 1], "") for word in words)
    return next(filter(None, named), "")


def _names_power(lexicon: Lexicon | None, word: str) -> bool:
    return lexicon is not None and lexicon.power(word) is not None


def _applies(ctx: Context, want: Wanted) -> bool:
    """Whether there is an answer to it here: some questions are asked of a game, others by people without one."""
    if ctx.seat is not None and ctx.game is not None:
        return want in _AT_A_SEAT
    return want in (_OF_ANYBODY if plays_nothing(ctx) else _WITHOUT)  # who plays nothing is greeted


def _reason(ctx: Context, questions: Sequence[Question]) -> Reason:
    sure = all(len(one.wants) == 1 and not _offers(ctx, one.wants[0]) for one in questions)
    return Reason.ANSWERED if sure else Reason.OFFERED


def _offers(ctx: Context, want: Wanted) -> bool:
    return ctx.seat is not None and want in _CHANGES


def answer_questions(ctx: Context, questions: Sequence[Question]) -> tuple[str, ...]:
    """Add the answers to the reply. Returns what it says of what is only offered."""
    return tuple(filter(None, (_answer(ctx, question) for question in questions)))


def _answer(ctx: Context, question: Question) -> str:
    want, *others = question.wants
    line = _line_for(ctx, want, question.text)
    if others:
        for one in question.wants:
            ctx.offer(_line_for(ctx, one, question.text), one.value)
        return f"You asked: {shorten(question.text)!r}. To be sure, choose one of the lines below."
    if _offers(ctx, want):
        ctx.offer(line, want.value)
        return f"{_CHANGES[want][1]} To {want.value}, send {line}."
    if ctx.seat is None or ctx.game is None:
        _show(ctx, line)
    else:
        _say(ctx, ctx.game, ctx.seat, want, question.text)
    return ""


def _say(ctx: Context, game: Game, seat: Seat, want: Wanted, text: str) -> None:
    if (say := _SAID.get(want)) is not None:
        ctx.say(say(ctx, game, seat, text))
    elif (example := _EXAMPLES.get(want)) is not None and game.lexicon.board is standard_board():
        ctx.say(example)
    if want is Wanted.COMMAND or _AT_A_SEAT[want] is not None:
        _show(ctx, _line_for(ctx, want, text))


def _line_for(ctx: Context, want: Wanted, text: str) -> str:
    """The line that does it here."""
    if want is Wanted.COMMAND:
        return f"HELP {_command_in(ctx, text, loud=False)}"
    if want is Wanted.ABSENCE:
        today = ctx.now.date()
        days = two_days(text, today) or (today, today + timedelta(days=7))
        return f"ABSENCE {days[0]:%Y-%m-%d} TO {days[1]:%Y-%m-%d}"
    if want is Wanted.WHY and (place := _place_in(ctx, text)):
        return f"WHY {place}"
    if want is Wanted.LETTERS and ctx.game is not None:
        names = map(ctx.game.lexicon_of(ctx.seat).power, re.findall(r"[^\W\d_]{3,}", text))
        return f"PRESS WITH {next(filter(None, names), 'ALL')}"
    if want is Wanted.RESIGN and ctx.game is not None:
        return f"RESIGN {ctx.game.name}"
    known = _AT_A_SEAT if ctx.seat is not None else _WITHOUT
    return _CHANGES[want][0] if want in _CHANGES else known.get(want) or "STATUS"


def _place_in(ctx: Context, text: str) -> str:
    """The first place that the sentence names, in short; "" if none."""
    if ctx.game is None:
        return ""
    lexicon = ctx.game.lexicon_of(ctx.seat)
    names = lexicon.scan(fold(text).folded).names
    return next((str(one) for one in names if not isinstance(one, NotUnderstood) and one not in lexicon.powers), "")


def _show(ctx: Context, line: str) -> None:
    """Do what a line says that only shows something; if there is nothing to show, say why."""
    lexicon = ctx.game.lexicon_of(ctx.seat) if ctx.game is not None else None
    call = ctx.commands.reader.read(line, lexicon)
    if call is None:
        raise LookupError(f"{line!r} is no command")
    try:
        with ctx.tx.attempt():
            run(ctx, CommandLine(0, line, call.name, call.args))
    except Temporary:
        raise
    except GmError as error:
        ctx.say(f"{error.problem} {error.remedy}".strip())


# ---- what is said


def _deadline(ctx: Context, game: Game, seat: Seat, _text: str) -> str:
    if not game.running or game.phase is None:
        return "The game is not running, so there is no deadline."
    due = closes_at(game, seat)
    if due is None:
        return f"{game.phase.code} has no deadline now."
    if game.in_review and not game.reviews(seat):
        return f"The orders for {game.phase.code} are closed. The results come {ctx.reader().until(due)}."
    return f"The deadline of {game.phase.code} is {ctx.reader().until(due)}."


def _my_orders(ctx: Context, game: Game, seat: Seat, _text: str) -> str:
    given = game.set_of(seat) if game.running else None
    if given is None or not (given.orders or given.complete):
        return f"No orders of yours {'have come' if given is None else 'are in force'} for this phase.{_EARLIER}"
    zone = ctx.tx.identity.zone_of(ctx.person, game)
    at = given.received_at.astimezone(zone)
    return (
        f"Your orders came {at:%a %d %b, %H:%M}; they are below as they count now. MY ORDERS shows earlier ones, too."
        + _EARLIER
    )


_EARLIER = " MY ORDERS and a phase, as in MY ORDERS S1901M, shows what you ordered in it."


def _my_power(_ctx: Context, game: Game, seat: Seat, _text: str) -> str:
    return (
        f"You play {seat.power} in {game.name}." if seat.power else f"This is your {seat.title} address in {game.name}."
    )


def _turnout(_ctx: Context, game: Game, seat: Seat, _text: str) -> str:
    if seat.moderates:
        return "DASHBOARD shows whose orders are in."
    if game.options.shows_progress:
        shown = [(one.power, progress_shown(game, one)) for one in game.listed]
        return " ".join(f"{power}: {said}." for power, said in shown)
    return f"In {game.name} only the gamemaster sees whose orders are in; of yours, see below."


def _who_reads(_ctx: Context, game: Game, _seat: Seat, _text: str) -> str:
    named = [one.person.name for one in game.masters if one.person is not None and not game.names_hidden]
    who = f" ({named[0]})" if named else ""
    return (
        f"Yes: this is the program that runs {game.name}. A person reads what you write to the gamemaster{who}: "
        "PRESS TO GM, your text, ENDPRESS."
    )


def _rules(ctx: Context, game: Game, _seat: Seat, text: str) -> str:
    ctx.offer("RULES", "the rules of this game")
    if said := _rules_on(game, text):
        ctx.show("What the rules say of it", said)
    return f"{game.name} is a game of {game.variant.title}. RULES sends its rules, HELP ORDERS how to order."


def _my_turn(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    return f"All players order at the same time, in secret. {_deadline(ctx, game, seat, text)}"


def _no_orders(_ctx: Context, _game: Game, _seat: Seat, _text: str) -> str:
    return "Units that you do not order hold, dislodged ones disband, and builds are waived."


def _how_to_write(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    lexicon = game.lexicon_of(seat)
    named = (lexicon.power(word) for word in re.findall(r"[^\W\d_]+", text))
    others = (one.power for one in game.players if one.power != seat.power and not game.is_secret(one))
    may = (one for one in (*named, *others, "ALL", "GM") if one and refusal(game, seat, [one]) is None)
    other = next(may, "GM")
    ctx.offer(f"PRESS TO {other}\nyour text\nENDPRESS", f"a letter to {other}")
    return f"To write to {other}, reply with PRESS TO {other} on a line, your text below it, and ENDPRESS below that."


def _near(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """Where the asker's units in the place that is named can go."""
    place = _place_in(ctx, text)
    units = game.phase.position.units_of(seat.power) if game.phase is not None and seat.power else ()
    board = game.lexicon.board
    there = [unit for unit in units if place and board.province(unit.at) == board.province(Location(place))]
    ctx.offer("MAP NAMES", "the map, with the names of its places")
    said = [f"{write_unit(unit)}: {may_go_to(board, unit)}" for unit in there]
    return " ".join(said) or "The map shows what borders what."


_SAID: Mapping[Wanted, Callable[[Context, Game, Seat, str], str]] = MappingProxyType({
    Wanted.DEADLINE: _deadline,
    Wanted.MY_ORDERS: _my_orders,
    Wanted.MY_POWER: _my_power,
    Wanted.TURNOUT: _turnout,
    Wanted.ANYBODY: _who_reads,
    Wanted.RULES: _rules,
    Wanted.HOW_TO_WRITE: _how_to_write,
    Wanted.MY_TURN: _my_turn,
    Wanted.NO_ORDERS: _no_orders,
    Wanted.NEAR: _near,
})  # fmt: skip

_EXAMPLES: Mapping[Wanted, str] = MappingProxyType({
    Wanted.HOW_TO_SUPPORT: "To support a move, write your unit, S, and the move: A MUN S A BER-SIL. To support a unit"
    " where it stays: A MUN S A BER.",
    Wanted.HOW_TO_CONVOY: "For a convoy the fleet gets an order with C, and the army moves: F NTH C A LON-NWY, and"
    " A LON-NWY.",
    Wanted.HOW_TO_RETREAT: "A dislodged unit retreats with - or R and a place, A PAR R GAS, or disbands: A PAR"
    " DISBAND. The form in the report of a retreat phase lists where it can go.",
    Wanted.HOW_TO_BUILD: "In Winter you build with BUILD F BRE or BUILD A PAR, leave a build with WAIVE, and remove"
    " with REMOVE A PAR.",
    Wanted.HOW_TO_ORDER: "An order is a unit, - and a place, one a line: A PAR-BUR. A PAR H holds.",
})  # fmt: skip
"""How it is written, on the board on which these places are; HELP ORDERS says it for each game."""

_AT_A_SEAT: Mapping[Wanted, str | None] = MappingProxyType({
    Wanted.DEADLINE: None,
    Wanted.MY_ORDERS: None,
    Wanted.MY_POWER: None,
    Wanted.PLAYERS: "STATUS",
    Wanted.TURNOUT: None,
    Wanted.CLEAR: None,
    Wanted.HOW_TO_SUPPORT: "HELP ORDERS",
    Wanted.HOW_TO_CONVOY: "HELP ORDERS",
    Wanted.HOW_TO_RETREAT: "HELP ORDERS",
    Wanted.HOW_TO_BUILD: "HELP ORDERS",
    Wanted.HOW_TO_ORDER: "HELP ORDERS",
    Wanted.HOW_TO_WRITE: None,
    Wanted.WHY: "HISTORY",
    Wanted.MAP: "MAP",
    Wanted.POSITION: "POSITION",
    Wanted.RULES: None,
    Wanted.ABSENCE: None,
    Wanted.RESIGN: None,
    Wanted.EXTEND: None,
    Wanted.DRAW: "HELP DRAW",
    Wanted.VOTE_DRAW: None,
    Wanted.MY_TURN: None,
    Wanted.NO_ORDERS: None,
    Wanted.COMMAND: None,
    Wanted.ANYBODY: None,
    Wanted.HELP: "HELP",
    Wanted.NO_MAIL: "HELP STOP",
    Wanted.READY: None,
    Wanted.WAIT: None,
    Wanted.NEAR: None,
    Wanted.LETTERS: "PRESS WITH ALL",
    Wanted.START: "STATUS",
})  # fmt: skip
"""What can be asked at a seat, and the line that shows it, if one does."""

_WITHOUT: Mapping[Wanted, str] = MappingProxyType({
    Wanted.COMMAND: "HELP",
    Wanted.GAMES: "LIST OPEN",
    Wanted.JOIN: "LIST OPEN",
    Wanted.RULES: "HELP",
    Wanted.MY_POWER: "WHOAMI",
    Wanted.DEADLINE: "LIST MINE",
    Wanted.HELP: "HELP",
    Wanted.ANYBODY: "HELP",
    Wanted.HOW_TO_SUPPORT: "HELP ORDERS",
    Wanted.HOW_TO_CONVOY: "HELP ORDERS",
    Wanted.HOW_TO_RETREAT: "HELP ORDERS",
    Wanted.HOW_TO_BUILD: "HELP ORDERS",
    Wanted.HOW_TO_ORDER: "HELP ORDERS",
    Wanted.HOW_TO_WRITE: "HELP PRESS",
    Wanted.PLAYERS: "LIST MINE",
    Wanted.MY_ORDERS: "WHOAMI",
    Wanted.TURNOUT: "LIST MINE",
    Wanted.ABSENCE: "HELP ABSENCE",
    Wanted.RESIGN: "HELP RESIGN",
    Wanted.NO_MAIL: "HELP STOP",
})  # fmt: skip
"""What is asked of the server's own address, and the line that answers it."""
_OF_ANYBODY = (Wanted.COMMAND, Wanted.HOW_TO_ORDER, Wanted.NO_MAIL)

_CHANGES: Mapping[Wanted, tuple[str, str]] = MappingProxyType({
    Wanted.CLEAR: ("CLEAR", "Your orders are as they were: to change one, just send another for its unit."),
    Wanted.ABSENCE: (
        "ABSENCE",
        "If you say when you are away, deadlines move as far as the game allows; DEPUTY lets a friend order for you.",
    ),
    Wanted.RESIGN: ("RESIGN", "You still have your seat. Who leaves makes it vacant, for somebody else."),
    Wanted.VOTE_DRAW: ("DRAW", "You have not voted for a draw yet: it needs the votes of all players."),
    Wanted.EXTEND: ("EXTEND 24h", "The deadline is as it was. From a player EXTEND is a vote; most must agree."),
    Wanted.READY: ("READY", "You are not READY yet."),
    Wanted.WAIT: ("WAIT", "The phase may end before its deadline once all are READY."),
})  # fmt: skip
"""What changes something: the line, and what holds until it is sent."""
