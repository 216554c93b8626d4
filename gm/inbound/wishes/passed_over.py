"""Lines that nothing was made of: what the receipt says of them, and what may do what they were for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from itertools import groupby, islice
from operator import itemgetter

from gm.commands.context import Context, Meant
from gm.errors import NotUnderstood
from gm.feasts import with_dates
from gm.inbound.acting import fault_in_turn, fault_of, in_games, seat_in
from gm.inbound.facts import game_named, is_commanded, items_in, names_of_games, places_in
from gm.inbound.ordering import ordering_at
from gm.inbound.speech import offer_press, people_in, speaks
from gm.inbound.telling import stands_in, what_to_write
from gm.inbound.wishes.askable import CHANGES
from gm.inbound.wishes.guesses import applies, guess, kinds_of_clauses, rulings_by_words, wanted
from gm.inbound.wishes.lines import changes, line_for
from gm.inbound.wishes.masters_wishes import is_vague
from gm.inbound.wishes.question_answers import Question, completed, no_command
from gm.inbound.wishes.talk import MOST_LINES
from gm.mail.message.addresses import hidden
from gm.parsing.addressed import called, forbids
from gm.parsing.command_lines import CommandReader
from gm.parsing.command_syntax import Text
from gm.parsing.days import two_days
from gm.parsing.game_names import Names, about_games, games_in, in_lists, without_game, without_games
from gm.parsing.lexicon import shorten
from gm.parsing.likely_commands import likely_command, moves_deadline
from gm.parsing.meant_words import says
from gm.parsing.message import CommandLine, Complaint, PressBlock, Talk, reason_apart
from gm.parsing.options_meant import options_in
from gm.parsing.questions import Wanted, as_written, asks, clauses, is_reason, points_back, requests, wonders
from gm.parsing.sayings import MASTERS, RULING, SURE
from gm.parsing.several_lines import GM
from gm.parsing.small_talk import FUNCTION_WORDS
from gm.reading.line import Line, Lines, Origin, Reason, for_reasons

_POINTED = 3


def say_of_passed(ctx: Context, lines: Lines) -> tuple[str, ...]:
    """What the receipt says of lines about the game that nothing was made of; and what may do what they were for."""
    asked = [line for line in for_reasons(lines, Reason.MENTIONS) if ctx.seat is not None and asks(line.text)]
    quiet = is_commanded(ctx, lines)
    likely = _offer_likely(ctx, lines) if ctx.guesses else ()
    offered = [way for way, _ in ctx.open_offers]
    passed = [line for line in (*for_reasons(lines, Reason.PASSED), *asked) if not stands_in(line, offered)]
    if ctx.guesses and not ctx.at_chair:
        passed = [line for line in passed if not speaks(ctx, line.text)]  # it is said to be sent to nobody
    unread = (*passed, *(line for line in for_reasons(lines, Reason.MENTIONS) if line not in asked))
    beside = quiet or for_reasons(lines, Reason.ANSWERED)
    alone = not (beside or ctx.open_offers or ctx.answer.parts)
    to_whom = _offer_to_others(ctx, unread[:MOST_LINES]) if ctx.guesses and unread and alone else ()
    missed = [line for line in passed if wonders(line.text)]
    passed = [line for line in passed if line not in missed]
    missed = [line for line in missed if not beside or not points_back(line.text) or places_in(ctx, line.text)]
    if missed:
        to_whom = (f"Not answered, since it was not understood: {_quoted(missed)}.", *to_whom)
    if not passed:
        return (*to_whom, *likely)
    if quiet and explains(ctx, lines, passed):
        return (*to_whom, *likely)  # beside commands sentences explain
    if explains(ctx, lines, passed) and not (to_whom or likely):
        return (f"Read as an explanation, so nothing more was done for it: {_quoted(passed)}.",)
    if quiet:
        return (no_command(_quoted(passed)), *likely)
    what = f"Passed over, since it is no order or command: {_quoted(passed)}."
    made = ctx.answer.done or ctx.answer.parts or ctx.answer.changed
    what += f" {what_to_write(ctx)}" if ctx.seat is not None and not made else ""
    return (what, *to_whom, *likely)


def _quoted(lines: Sequence[Line]) -> str:
    rest = f" and {len(lines) - _POINTED} more lines" if len(lines) > _POINTED else ""
    return ", ".join(repr(shorten(as_written(line.text.strip()))) for line in lines[:_POINTED]) + rest


def explains(ctx: Context, lines: Lines, some: Sequence[Line]) -> bool:
    """Whether some lines of somebody who runs games only tell something, beside others of which something was made."""
    made = is_commanded(ctx, lines) or any(not way.startswith("HELP ") for way in ctx.proposes)
    made = made or bool(ctx.answer.done or ctx.answer.parts)
    telling = (not (asks(line.text) or requests(line.text) or _YES.match(line.text)) for line in some)
    return ctx.runs_games and made and all(telling)


_YES = re.compile(r"\W*(?:yes|yep|yup|yeah|ja|oui)\b", re.IGNORECASE)
"""What answers something begins with it, and explains nothing, also where nothing was offered."""


def _offer_likely(ctx: Context, lines: Lines) -> tuple[str, ...]:
    """Offer the commands that lines which were not acted on may be; what the receipt says of the first of them."""
    said = []
    of_talk = () if is_commanded(ctx, lines) else (Reason.PLAIN, Reason.PASSED, Reason.MENTIONS)
    reasons = (*of_talk, Reason.NOT_UNDERSTOOD, Reason.NOT_DONE)
    below = 0
    for line in for_reasons(lines, *reasons)[:_MOST_LIKELY]:
        if line.number <= below or _offer_in_games(ctx, line) or _offer_several(ctx, line):
            continue
        if not _may_be_command(ctx, line):
            continue
        if below := _offer_with_below(ctx, line):
            continue
        acting, heading, line = _placed(ctx, line)
        command = _likeliest(ctx, acting, line)
        if not command:
            continue
        whole = _whole(acting, _spelled(acting, command, line.text.strip()), line.text)
        read = any(isinstance(one, CommandLine | Complaint) for one in items_in(acting, whole.split("\n")[:1]))
        as_written = "".join(whole.split()).lower() == "".join(line.text.split()).lower()
        if not read or as_written or (whole != command and fault_of(acting, whole) is not None):
            continue  # a sentence: `HERE is what I want to do`; or what was written, and could not be done
        left_out = _left_out(whole, with_dates(line.text, ctx.now.date())) if ctx.runs_games else ""
        way = f"{heading}{whole}" if heading else _below_games(ctx, whole)
        if left_out and line.text.split()[0].upper() == whole:
            continue  # of the command nothing but its name was read
        names = any(one.isupper() or one.isdigit() or one == "@" for one in left_out)
        in_words = whole.startswith("CREATE ") and "," in line.text
        left_out = left_out if names or not in_words else ""  # options stand for other words
        ctx.offer(way, "do this, if it is what you mean", Meant.NO if names else Meant.MAYBE)
        if left_out:
            said.append(f"{shorten(whole)!r} leaves out {shorten(left_out)!r}.")
        elif isinstance(line.meaning, Talk):
            first = command if command.startswith("HELP ") else command.partition(" ")[0]
            said.append(f"{shorten(line.text.strip())!r} is not a command here. Did you mean {first}?")
    return tuple(said[:1])


def _may_be_command(ctx: Context, line: Line) -> bool:
    """Whether a line may be meant as a command: it is the sender's own, and neither an order nor certainly talk."""
    headed = _begins_wish(ctx, line.text) is not None or _HEADED.match(line.text) is not None
    of_order = isinstance(line.meaning, Complaint) and line.meaning.of_order and not headed
    ended = isinstance(line.error, NotUnderstood) and line.error.mended  # it is offered with its end already
    talk = isinstance(line.meaning, Talk) and ctx.commands.reader.name_of(line.text) is not None
    talk = talk and not _with_reason(ctx, line.text)
    return line.origin is Origin.OWN and not (of_order or ended or talk)


def _likeliest(ctx: Context, acting: Context, line: Line) -> str:
    """The command that a line most likely is, where it would be done; "" if there is none."""
    wish = moves_deadline(line.text) if acting.seat is None or acting.seat.moderates else ""
    quiet = acting.at_chair and not line.text.split()[0].isupper()  # `stop for now` names no game `for`
    misread = isinstance(line.meaning, Complaint) or quiet
    is_tried = isinstance(line.meaning, Complaint) and line.meaning.of_order
    mended = "" if is_tried else _mended(ctx, line) or _to_do(line) or _as_set(acting, line)
    likeliest = mended or (_as_wished(acting, line.text) if misread else "")
    games = names_of_games(ctx)
    likely = partial(likely_command, line.text, ctx.commands.reader, acting.lexicon, games)
    command = wish or likeliest or likely(partial(_is_understood, acting)) or _with_reason(acting, line.text)
    if not command or not _is_theirs(acting, command):
        return ""
    command = command if acting is ctx else _in_game(command, acting)
    if asks(line.text):
        command = f"HELP {command.split()[0].removeprefix('HELP ')}"  # how it is done
    heads = ctx.commands.reader.name_of(command) == "game" and "\n" not in command  # it does nothing by itself
    return command if not heads and fault_of(acting, command) is None else ""


def _with_reason(acting: Context, text: str) -> str:
    """The command with which a line begins, if it would be done: what is behind the comma says why."""
    first, *others = clauses(text) or [""]
    word, _, rest = first.partition(" ")
    whole = others and rest and acting.commands.reader.name_of(first) is not None and not wonders(text)
    return f"{word.upper()} {rest}" if whole and fault_of(acting, first) is None else ""


def _offer_with_below(ctx: Context, line: Line) -> int:
    """Offer a line that is almost a command with what belongs below it, its text or orders, or the reason. Returns the
    number of the last line of these, 0 if it has none below.
    """
    head = _mended(ctx, line)
    reader = ctx.commands.reader
    name = reader.name_of(head) if head and ctx.runs_games else None
    if name is None or ctx.mail is None:
        return 0
    rest = ctx.mail.message.text.split("\n")[line.number :]
    last = _lines_of(reader, name, rest)
    if not last:
        return 0
    own = hidden("\n".join((head, *rest[:last])).strip(), *ctx.tx.identity.addresses)
    ctx.offer(own, "do this, if it is what you mean", Meant.MAYBE)
    return line.number + last


def _lines_of(reader: CommandReader, name: str, rest: Sequence[str]) -> int:
    """How many of the lines below a command belong to it."""
    kind = reader.syntaxes[name].below
    if kind is None:
        return int(reader.syntaxes[name].says_why and bool(reason_apart([*enumerate(rest[:1])])[0]))
    is_text = isinstance(kind, Text)
    ends = (at for at, one in enumerate(rest, 1) if reader.texts.end_in((one,)) or not (is_text or one.strip()))
    return next(ends, 0 if is_text else len(rest))


def _left_out(line: str, text: str) -> str:
    """The rest of a text that begins with a line made of it; or the words of it, but for the first, that this has not,
    not even spelled in another way.
    """
    if text.strip().startswith(line):
        return text.strip()[len(line) :].strip(" ,;.!")
    known = _A_WORD.findall(line.lower())
    words = _A_WORD.findall(text)[1:]
    mine = (one for one in words if one.lower() not in FUNCTION_WORDS and one.lower() not in known)
    left = [one for one in mine if not get_close_matches(one.lower().strip(".:"), known, 1, _SPELLED)]
    return " ".join(left) if left and not {*map(str.lower, left)} <= _COURTESIES else ""


_A_WORD = re.compile(r"[\w@.:-]+")
_SPELLED = 0.7
_COURTESIES = frozenset(("please", "pls", "thanks", "thank", "bitte", "merci"))
_HEADED = re.compile(r"\s*[^\W\d_]{3,12}:")


def _apart(ctx: Context, line: str, games: Names) -> tuple[str, str]:
    """The game that a line is for, "" if it names none, and the line as it is read there."""
    reader = ctx.commands.reader
    name, rest = reader.apart(line, ctx.lexicon, games)
    with suppress(NotUnderstood):
        call = reader.read(line, ctx.lexicon) if not name else None
        at_seat = call is not None and ctx.commands[call.name].policy.needs_seat
        return (str(call.args.get("game") or ""), line) if call is not None and at_seat else (name, rest)
    return name, rest


def _placed(ctx: Context, line: Line) -> tuple[Context, str, Line]:
    """The context for a line, what heads it, and the line: at the server's address, of one that names a game of the
    sender's or a list of them, those of their seat there, without the names.
    """
    names = names_of_games(ctx)() if ctx.seat is None else ()
    words = {word.lower() for word in re.findall(r"[\w-]+", line.text)}.intersection(names)
    listed = in_lists(line.text, names) if len(words) > 1 else ""
    games = games_in(listed) if listed else tuple(words)
    name = ctx.commands.reader.name_of(line.text)
    own = name is not None and not ctx.commands[name].policy.needs_seat
    if own or not games or {*games} != words:
        return ctx, "", line
    rest = without_games(listed) if listed else without_game(line.text, games[0])
    return seat_in(ctx, games[0]), f"GAME {', '.join(games)}\n", replace(line, text=rest)


def _offer_in_games(ctx: Context, line: Line) -> bool:
    """Offer a command without the name of its game for each of the sender's games in which it would be done. Returns
    whether there is any.
    """
    if not isinstance(line.meaning, CommandLine) or not line.is_for(Reason.NOT_DONE) or ctx.seat is not None:
        return False
    text, every = "\n".join(line.texts), _EVERY.fullmatch(str(line.meaning.args.get("game") or ""))
    text = " ".join(word for word in text.split(" ") if not _EVERY.fullmatch(word)) if every is not None else text
    ways = {acting.game_name: text for acting, text in in_games(ctx, partial(_in_game, text))}
    if every is not None and len(ways) > 1 and "\n" not in text:
        ctx.offer(f"ALL GAMES {', '.join(ways)}: {text}", "do it in each of these", Meant.MAYBE)
    named = set(re.findall(r"[\w-]+", line.text.lower())).intersection(ways)
    texts = {ways[name] for name in named}
    together = [f"GAME {', '.join(sorted(named))}\n{texts.pop()}"] if len(texts) == 1 else []
    for way in together or [f"GAME {name}\n{ways[name]}" for name in named or ways]:
        ctx.offer(way, "do it there", Meant.MAYBE)
    return bool(ways)


_EVERY = re.compile(r"both|all|every(?:thing|where)?|them", re.IGNORECASE)
"""What stands for several games where the name of one would stand."""


def _in_game(text: str, acting: Context) -> str:
    """A line as it is done in a game: some commands are done only with its name, `TERMINATE spring`; "" if neither is a
    command there.
    """
    text = without_game(text, acting.game_name)
    ways = (text, f"{text} {acting.game_name}")
    read = [way for way in ways if "\n" in way or _is_command(acting, way)]
    return next((way for way in read if "\n" in way or fault_of(acting, way) is None), next(iter(read), ""))


def _is_command(acting: Context, line: str) -> bool:
    with suppress(NotUnderstood):
        return acting.commands.reader.read(line, acting.lexicon) is not None
    return False


def _offer_several(ctx: Context, line: Line) -> bool:
    """Offer the commands and wishes of a gamemaster's line that has several and begins with a command, together:
    `EJECT Italy, they stopped writing. STANDIN Italy`. Returns whether it has.
    """
    reader = ctx.commands.reader
    parts = clauses(line.text) if ctx.runs_games else []
    if not _SEVERAL <= len(parts) <= _MOST_OF_ONE or reader.name_of(parts[0]) in (None, "create"):
        return False  # all behind CREATE is about that game
    games, may_be_done = names_of_games(ctx), partial(_is_understood, ctx)
    read = partial(likely_command, reader=reader, lexicon=ctx.lexicon, games=games, may_be_done=may_be_done)
    parts, ways = _with_wishes(
        line.text, parts, lambda one: read(_THEN.sub("", one)) or _as_wished(ctx, one, line.text, shows=True)
    )
    ways = ["" if is_vague(way, part) or is_reason(part) else way for way, part in zip(ways, parts, strict=True)]
    found = [way for way, part in zip(ways, parts, strict=True) if way or part.split()[0].isupper()]
    whole = len(ways[0].split()) == len(clauses(parts[0])[0].split())
    if len(found) < _SEVERAL or not (whole and all(found)) or fault_of(ctx, found[0]) is not None:
        return False
    found = [
        *dict.fromkeys(one for way in found for one in way.split("\n"))
    ]  # `EJECT Italy`, `EJECT Italy\nSTANDIN Italy`
    found[1:] = [_until_done(ctx, found[:at], way) for at, way in enumerate(found) if at]
    ctx.offer(_below_games(ctx, "\n".join(found)), "do these", Meant.MAYBE)
    return True


def _is_understood(ctx: Context, line: str) -> bool:
    """Whether all that a line says is understood, also if it would not be done now."""
    return not isinstance(fault_of(ctx, line), NotUnderstood)


def _with_wishes(text: str, parts: Sequence[str], read: Callable[[str], str]) -> tuple[list[str], list[str]]:
    """The clauses of a text that want something, each with those behind it that want nothing by themselves, `invite ann
    and bob`, and their lines.
    """
    found, ways, at = list[str](), list[str](), 0
    for part in parts:
        at = text.index(part, at)
        begin, at = at, at + len(part)
        way = read(part)
        if way or not found or part.split()[0].isupper():
            found.append(part)
            ways.append(way)
        else:
            found[-1] = text[text.rindex(found[-1], 0, begin) : at]
            ways[-1] = read(found[-1]) or ways[-1]
    return found, ways


def _until_done(ctx: Context, before: Sequence[str], way: str) -> str:
    """As much of a line as would be done behind those before it, of two words or more; all of it, if none would."""
    words = way.split()
    ways = (" ".join(words[:length]) for length in range(len(words), 1, -1))
    return next((one for one in ways if fault_in_turn(ctx, (*before, one)) is None), way)


def _below_games(ctx: Context, text: str) -> str:
    """Lines at the server's address, those that name a game within a command below its name: there YES is handed on."""
    if ctx.seat is not None:
        return text
    reader, games = ctx.commands.reader, names_of_games(ctx)
    each = (one for line in text.split("\n") for one in reader.one_each(line, ctx.lexicon, games) or (line,))
    apart = (_apart(ctx, one, games) for one in each)
    blocks = [(game, "\n".join(line for _, line in lines)) for game, lines in groupby(apart, key=itemgetter(0))]
    same = [(", ".join(game for game, _ in some), lines) for lines, some in groupby(blocks, key=itemgetter(1))]
    return "\n".join(f"GAME {games}\n{lines}" if games else lines for games, lines in same)


_THEN = re.compile(r"(?:then|and|also|please|dann|puis)\b[ ,]*", re.IGNORECASE)


_SEVERAL, _MOST_OF_ONE = 2, 10


def _spelled(ctx: Context, command: str, text: str) -> str:
    """The line with the words of the command's own that are misspelt in it behind what was read: `AS ASISTANT`."""
    name = ctx.commands.reader.name_of(command.partition("\n")[0])
    if name is None or not text.startswith(command) or text == command:
        return command
    own = re.findall(r"[A-Z]{2,}", ctx.commands[name].syntax.form)
    words = [(*get_close_matches(word.upper(), own, 1, 0.8), word)[0] for word in text[len(command) :].split()]
    line = " ".join((command, *words))
    with suppress(NotUnderstood):
        return line if ctx.commands.reader.read(line, ctx.lexicon) and fault_of(ctx, line) is None else command
    return command


def _is_theirs(ctx: Context, line: str) -> bool:
    """Whether a line is no command that only gamemasters have, or comes from one."""
    name = ctx.commands.reader.name_of(line.partition("\n")[0])
    masters = ctx.seat is None or ctx.seat.moderates
    return masters or name is None or not ctx.commands[name].for_masters


def _to_do(line: Line) -> str:
    """The one command that its error says to write instead of a line; or the line as press to the gamemaster, if only
    they can do it.
    """
    remedy = line.error.remedy if line.error is not None else ""
    if isinstance(line.meaning, PressBlock):
        return ""  # words for one are for no other
    if "PRESS TO GM" in remedy:
        return f"PRESS TO GM\n{line.text.strip()}\nENDPRESS"
    if len(line.texts) == 1 and _ENDS.search(remedy) and ":" in line.text:
        return f"{line.text.strip()}\nENDPRESS"
    found = _WRITE.search(remedy)
    return found["line"] if found is not None else ""


def _as_set(acting: Context, line: Line) -> str:
    """A gamemaster's line of options alone as SET: `nmr=disorder and grace=6h`; "" for any other."""
    text = f"SET {line.text.strip()}"
    alone = acting.at_chair and "=" in text and isinstance(line.meaning, Complaint)
    return text if alone and acting.commands.reader.name_of(line.text) is None and _is_understood(acting, text) else ""


_ENDS = re.compile(r"\bwith a line ENDPRESS after its text\b")
_WRITE = re.compile(r"\bwrite (?P<line>[A-Z]{4,20}(?: [a-z][\w-]{0,40})?)\.$")
_INSTEAD = re.compile(r"(?<!\w)'(?P<wrong>[^']{1,40})'.{0,200} Did you mean (?P<right>[^?(]{1,40})\?", re.DOTALL)


def _mended(ctx: Context, line: Line) -> str:
    """The line with the word instead of which its error proposes another; "" if it proposes none."""
    error = line.error
    found = _INSTEAD.search(f"{error.problem} {error.remedy}") if error is not None else None
    if found is not None:
        return line.text.strip().replace(found["wrong"], found["right"], 1)
    game = line.meaning.args.get("game") if isinstance(line.meaning, CommandLine) and error is not None else None
    syntax = ctx.commands[line.meaning.name].syntax if isinstance(line.meaning, CommandLine) and game else None
    own = (*syntax.keywords, *syntax.sentence_words) if syntax is not None else ()
    near = get_close_matches(str(game).lower(), own, 1, _SPELLED) if game else []
    return re.sub(rf"\b{re.escape(str(game))}\b", near[0].upper(), line.text.strip(), flags=re.I) if near else ""


_MOST_LIKELY = 5


def _whole(ctx: Context, command: str, text: str) -> str:
    """An ABSENCE with its days as the command takes them, or a CREATE with the options that follow in words."""
    if command.startswith("CREATE "):
        made = line_for(ctx, Wanted.CREATE, text) if "," in text else ""
        if made.startswith(command):
            return made
        options = [one for one in options_in(text) if one.partition("=")[0] not in command]
        return " ".join((command, *dict.fromkeys(options)))
    dated = command.startswith("ABSENCE ") and two_days(text, ctx.now.date()) is not None
    return line_for(ctx, Wanted.ABSENCE, text) if dated else command


def _as_wished(ctx: Context, text: str, around: str = "", *, shows: bool = False) -> str:
    """The command of those who run games, or create one, that a text surely wants, with what it has for that, or else
    the text `around` it; `shows`: also one that changes nothing, but for HELP.
    """
    want, *others = [one] if (one := _begins_wish(ctx, text)) is not None else wanted(guess(ctx, text).within(SURE))
    of_masters = want is Wanted.CREATE or (want is not None and want.name.startswith(MASTERS))
    if others or want is None or not of_masters or not (shows or changes(ctx, want, text)):
        return ""
    named = want in (Wanted.CREATE, Wanted.GM_CREATE) and text.lstrip().startswith("CREATE ")
    own = likely_command(text, ctx.commands.reader, ctx.lexicon) if named else ""  # with the game's name as written
    name = game_named(ctx, Talk(0, text, mentions_board=False)) if ctx.seat is None else ""
    asked = completed(ctx, Question(about_games(text, [name]) if name in names_of_games(ctx)() else text, want), around)
    found = own or line_for(ctx, asked.want, asked.text)
    return "" if found.startswith("HELP ") and around else found


def _begins_wish(ctx: Context, text: str) -> Wanted | None:
    """The wish of somebody who runs games with the command of which a text begins, and that takes orders."""
    name = ctx.commands.reader.name_of(text) if ctx.runs_games else None
    return _WITH_ORDERS.get(name or "")


_WITH_ORDERS = {"correct": Wanted.GM_CORRECT, "ordersfor": Wanted.GM_ORDERS_FOR}


def _offer_to_others(ctx: Context, passed: Lines) -> tuple[str, ...]:
    """Offer pages about what lines are likeliest to ask, and to send them to whom they call by name, or to the
    gamemaster: these first if they are likeliest to speak to a player. Returns how to send them, if it is not known to
    whom.
    """
    text = "\n".join(line.text.strip() for line in passed)
    kinds = guess(ctx, text).within(_FAR)[:_LIKELIEST]
    if kinds == ("CHAT",) or ctx.seat is None:
        return ()
    if ctx.game is None or ctx.at_chair:
        _offer_pages(ctx, text, kinds)
        return ()
    ordering = ordering_at(ctx.game, ctx.seat)
    secret = forbids(text) or (ordering is not None and ordering.gives(text))
    named = () if secret else called(text, ctx.game.lexicon_of(ctx.seat), people_in(ctx.game))
    to_player = kinds[0] in {"PRESS", GM}
    to_nobody = kinds[0] == "PRESS" and not named
    to = () if to_nobody and says(text, "you") else tuple(dict.fromkeys((*named, GM)))
    for first in (to_player, not to_player):
        if first:
            for one in reversed(to) if kinds[0] == GM else to:
                offer_press(ctx, one, text, proposed=one != GM or kinds[0] == GM)
        else:
            _offer_pages(ctx, text, kinds)
    return (_TO_WHOM,) if to_nobody else ()


_TO_WHOM = "To send it to a player, write PRESS TO and the power above it, and ENDPRESS below it."


def _offer_pages(ctx: Context, text: str, kinds: Sequence[str]) -> None:
    """Offer what would show the two things that a text is likeliest to ask, first the ruling that words of the game's
    rules lead to, or else the rules, or what it is known to want; YES sends none of it.
    """
    wants = [want for want in wanted((*kinds_of_clauses(ctx, text), *kinds)) if want is not None and applies(ctx, want)]
    if not guess(ctx, text).is_example:
        wants = [want for want in wants if want not in CHANGES and not changes(ctx, want, text)]
    pages = {f"HELP {one}": _A_RULING for one in rulings_by_words(ctx, text, surely=False)[:1]}
    pages |= {line_for(ctx, want, text): _shown_by(ctx, want).value for want in wants}
    for line in [*islice((one for one in pages if fault_of(ctx, one) is None), _PAGES)] or ["RULES"]:
        ctx.offer(line, _A_RULING if RULING.search(line) else pages.get(line, "the rules of this game"), Meant.NO)


def _shown_by(ctx: Context, want: Wanted) -> Wanted:
    """What the page for a question shows here: not who has ordered, where that is hidden."""
    hidden = want is Wanted.TURNOUT and ctx.game is not None and not ctx.game.shows_progress
    return Wanted.PLAYERS if hidden else want


_PAGES = 2
_A_RULING = "what the rules say of it"
_LIKELIEST = 3
_FAR = 30.0
"""What is less likely than the likeliest by so much is not offered (`sayings.Likely`)."""
