"""What must be known of a mail before its lines are read: what it may quote, and where else it goes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import zip_longest

from gm.board import Location, Power, Province
from gm.commands import COMMANDS
from gm.commands.all_games import named_before, run_by
from gm.commands.all_powers import pieces_of
from gm.commands.context import Context
from gm.commands.declaration import About, Orders
from gm.commands.press import deferred_press
from gm.errors import NotUnderstood
from gm.games.identity import DigestAddress, SeatAddress, ServerIdentity, destination_at
from gm.games.loading import seats_at
from gm.games.snapshot import Game, Person, Seat
from gm.inbound.contents import message_of
from gm.mail.message.addresses import token_hash
from gm.mail.message.attribution import WROTE, subject_apart
from gm.mail.message.incoming import Message
from gm.parsing.aliases import read_name
from gm.parsing.command_lines import CommandReader
from gm.parsing.game_names import (
    Names,
    about_games,
    asks_of_all_games,
    but_for_games,
    each_named,
    games_in,
    in_lists,
    in_this_game,
    is_for_all_games,
    is_otherwise,
    mention,
    no_names,
    plain,
    says_both,
    spared,
    with_those_too,
    without_game,
)
from gm.parsing.lexicon import Lexicon, fold, shorten
from gm.parsing.lists import names_in
from gm.parsing.meant_words import without_stp
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, ParsedMessage, PressBlock, Talk, parse_message
from gm.parsing.own_sentences import goes_on, joined, stands_alone
from gm.parsing.questions import clauses, is_asking, is_opening, only_asks, sentences
from gm.parsing.sayings import SURE, knows, likely, powers_in
from gm.play.ending import remarks
from gm.reading.forms import ItemsIn, answered, filled_in
from gm.reading.line import Line, Lines, Origin, Reason, line_of, said_so
from gm.reading.origin import Sources, other_lines, own_lines
from gm.reading.ours import Ours, words_of
from gm.reading.target import ABOVE, OF_SEVERAL, of_digest, placed
from gm.store import inbox, records, sent
from gm.store.game_rows import GameState
from gm.store.records import PressRow
from gm.store.sent import Cited

_NEWEST = 20
"""How many of a game's newest press messages are considered when a mail does not say what it answers."""
_MAILS = 4
"""The number of our mails that are compared with an incoming one: of those that it cites, and of the newest."""
_READERS = 10
"""For how many readers of a gamemaster's game they are compared."""
_LONGEST = 300_000
"""Octets of mails that are read again for one mail, to see what our answers repeat."""
_FORMS = 20
"""How many mails about the phase being played, which have forms for it."""
_PHASES = 3
"""On how many of a game's last phases the reports are compared, too."""
_TELL_OF_A_PHASE = ("opening", "welcome", "report")
_SHOWN = 5


def listed(lines: Sequence[str]) -> str:
    """These lines, quoted, and how many more there are."""
    shown = "; ".join(repr(shorten(line.strip())) for line in lines[:_SHOWN])
    return f"{shown} and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else shown


# ---- what it says


def read(
    text: str, game: Game | None, seat: Seat | None = None, games: Names = no_names, *, at_seat: bool = True
) -> ParsedMessage:
    """The mail's lines, read with the names of the seat's game, the aliases that the mail itself defines, and the names
    of the sender's `games`; `at_seat`: it was sent to a seat.
    """
    reader = COMMANDS.reader
    if game is None:
        return parse_message(text, None, None, reader, games=games)
    now, own = game.written_for, pieces_of(game, seat)
    parsed = parse_message(text, game.lexicon_of(seat), now, reader, own, games, at_seat=at_seat)
    words = [item.args["alias"] for item in parsed.items if isinstance(item, CommandLine) and item.args.get("alias")]
    also = _names_given(words, game.lexicon)
    lexicon = game.lexicon_of(seat, also)
    return parse_message(text, lexicon, now, reader, own, games, at_seat=at_seat) if also else parsed


def read_in(ctx: Context, text: str, game: Game | None) -> ParsedMessage:
    """The lines of a text as those of the mail in this game."""
    return read(text, game, ctx.seat, partial(names_known, ctx), at_seat=came_to_seat(ctx))


def items_in(ctx: Context, lines: Sequence[str]) -> Sequence[Item]:
    """What lines that are not acted on are to this game."""
    if not lines:
        return ()
    game = ctx.game
    lexicon, now = (game.lexicon_of(ctx.seat), game.written_for) if game is not None else (None, None)
    return parse_message("\n".join(lines), lexicon, now, ctx.commands.reader).items


def _known_items(ctx: Context) -> ItemsIn:
    """What finds what lines are to this game, each run of them once while the game is as it is."""
    known: dict[object, Sequence[Item]] = {}

    def find(lines: Sequence[str]) -> Sequence[Item]:
        game, seat = ctx.game, ctx.seat
        key = (game and (game.id, game.version), seat and seat.id, *lines)
        if key not in known:
            known[key] = items_in(ctx, lines)
        return known[key]

    return find


def asking(
    lines: Sequence[str], games: Iterable[Game | None], reader: CommandReader, *, talk: bool = True
) -> tuple[str, ...]:
    """Those of these lines that are more than talk in one of these games; with `talk`, or that may be meant so."""
    found = dict[str, None]()
    for game in games if lines else ():
        lexicon, phase = (game.lexicon, game.written_for) if game is not None else (None, None)
        items = parse_message("\n".join(lines), lexicon, phase, reader).items
        said = (item for item in items if not isinstance(item, Talk) or (talk and item.mentions_board))
        found |= {text.strip(): None for item in said for text in line_of(item).texts}
    return tuple(found)


# ---- whose lines they are


def with_forms(ctx: Context, message: Message, sources: Sources) -> Message:
    """The mail; what its sender has filled in where a form of ours is quoted is of the own text, above the rest."""
    items = sources.items_in
    text = answered(message.text, message.beneath, sources.forms, items) if message.beneath else message.text
    new = sources.ours.not_ours(message.quoted) if ctx.seat is not None and message.quoted else ()
    asks = any(not isinstance(item, Talk) for item in items([message.quoted[at] for at in new]))
    filled = filled_in(message.quoted, new, sources.forms, items) if asks else ()
    lines = [message.quoted[at] for at in filled if not sources.has_press(message.quoted[at])]
    return message.with_forms("\n".join([*lines, "", text]).rstrip() if lines else text)


def own(ctx: Context, message: Message, sources: Sources, parsed: ParsedMessage) -> Lines:
    """The lines of the mail's own text, those that are quoted among them and those for other games settled."""
    return here(ctx, message, own_lines(parsed, sources))


def here(ctx: Context, message: Message, lines: Lines) -> Lines:
    """The lines, those for other games than the seat's settled."""
    game, identity = ctx.game, ctx.tx.identity
    lines = _as_one_wish(ctx, lines if ctx.runs_games else tuple(_as_question(ctx, line) for line in lines))
    lines = _with_reasons_below(lines) if ctx.runs_games else lines
    spoken = is_commanded(ctx, lines)
    if ctx.runs_games:
        lines = tuple(_with_those_too(ctx, line) for line in _of_both(ctx, tuple(_below_all(ctx, lines))))
    lines = tuple(part for line in lines for part in _each_asked(ctx, line))
    asked = (_of_each_game(ctx, line) if not spoken or is_asking(line.text) else (line,) for line in lines)
    lines = tuple(part for parts in asked for part in parts)
    named = partial(_named_by_command if spoken else game_named, ctx)
    if ctx.seat is None or game is None:
        return placed(lines, ABOVE, partial(_handed_on, ctx), named, OF_NO_GAME, OF_A_SEAT)
    if not identity.answers_digest(message.recipients):
        return placed(lines, game.name.lower(), partial(_goes_to, ctx, message), named, OF_NO_GAME, OF_A_SEAT)
    games = playable_games(ctx)
    asks = partial(asking, games=games, reader=ctx.commands.reader)
    names = _all_games(ctx)
    handed_on = _is_handed_on(message, identity)
    return of_digest(lines, game.name.lower(), names, asks, named, OF_NO_GAME, OF_A_SEAT, handed_on=handed_on)


OF_NO_GAME = frozenset(name for name, command in COMMANDS.items() if command.for_persons and command.is_deed)
"""The commands that are for a person, or for several games by themselves."""
OF_A_SEAT = frozenset(name for name, command in COMMANDS.items() if command.policy.needs_seat)
"""The commands for which one needs a seat."""


def _as_question(ctx: Context, line: Line) -> Line:
    """The line; of somebody who runs no game, what only a gamemaster may give, and asks something or has words of any
    kind, as talk: `comment gagner` is French. What is in capitals is a command.
    """
    command = line.meaning
    if not (line.origin is Origin.OWN and line.fate is None and isinstance(command, CommandLine)):
        return line
    if ctx.commands.reader.is_loud(line.text):
        return line
    theirs = COMMANDS[command.name]
    said = theirs.for_masters and (only_asks(line.text) or About.WORDS in theirs.policy.about)
    return line_of(Talk(line.number, line.text, mentions_board=False)) if said else line


def _as_one_wish(ctx: Context, lines: Lines) -> Lines:
    """The lines; where a sentence says nothing of its own behind a command that is written as one, in the same
    paragraph, so that it may belong to that, such commands with the sentences behind them as wishes, about all of which
    their sender is asked.
    """
    if not any(_is_spoken(ctx, line) for line in lines):
        return lines
    paragraphs, names = list[list[Line]](), names_known(ctx)
    for line in lines:
        if paragraphs and line.number <= paragraphs[-1][-1].written[-1][0] + 1:
            paragraphs[-1].append(line)
        else:
            paragraphs.append([line])
    return tuple(line for paragraph in paragraphs for line in _one_wish(ctx, tuple(paragraph), names))


def _with_reasons_below(lines: Lines) -> Lines:
    """The lines, a sentence with the reason below it as one: `Please pause the game` / `BECAUSE I am away`."""
    found = list[Line]()
    for line in lines:
        above = found[-1] if found else None
        if above is not None and above.is_talk and line.is_talk and _LEADS_TO_REASON.match(line.text):
            joined_ = f"{above.text.rstrip(' .,!')}, {_LEADS_TO_REASON.sub('because', line.text.strip())}"
            found[-1] = line_of(Talk(above.number, joined_, mentions_board=False))
        else:
            found.append(line)
    return tuple(found)


_LEADS_TO_REASON = re.compile(r"because\b", re.IGNORECASE)


def _one_wish(ctx: Context, lines: Lines, names: Collection[str]) -> Lines:
    """The lines of a paragraph."""
    spoken = [line for line in lines if _is_spoken(ctx, line)]
    talk = [line for line in lines[lines.index(spoken[0]) :] if line.is_talk] if spoken else []
    belong = [line for line in talk[:_MOST_CLAUSES] if not (stands_alone(line.text, names) or _heads(line))]
    written = any(_AS_WRITTEN.search(line.text) for line in spoken)  # its writer writes commands
    if not belong or (written and not any(goes_on(line.text) or _AND.match(line.text) for line in belong)):
        return lines
    found = list[Line]()
    wish = None
    for line in lines:
        if line in spoken or (line in belong and wish is not None):
            texts = [found.pop().text, *line.texts] if line in belong else [_loud(ctx, line.text), *line.texts[1:]]
            wish = line_of(Talk(line.number, joined(texts), mentions_board=False))
        else:
            wish = None
        found.append(wish or line)
    return tuple(found)


def _heads(line: Line) -> bool:
    """Whether it only leads to what stands below it: `please begin:`"""
    return line.text.rstrip().endswith(":")


def _loud(ctx: Context, text: str) -> str:
    """A command with its word in capitals, by which it is known to be wanted."""
    title = ctx.commands[ctx.commands.reader.name_of(text) or "help"].title
    at = text.lower().find(title.lower())
    return f"{text[:at]}{title}{text[at + len(title) :]}" if at >= 0 else text


def _is_spoken(ctx: Context, line: Line) -> bool:
    """Whether a line is a command that does something and is written like a sentence, not in capitals."""
    command, reader = line.meaning, ctx.commands.reader
    mine = ctx.runs_games or (isinstance(command, CommandLine) and command.name == "create")
    if not (mine and line.origin is Origin.OWN and line.fate is None and isinstance(command, CommandLine)):
        return False
    meant = COMMANDS[command.name]
    apart = isinstance(meant.syntax.below, Orders) or About.WORDS in meant.policy.about or meant.syntax.asks
    apart = apart or command.name in ("game", "end")
    return not (apart or reader.is_loud(command.text)) and reader.name_of(command.text) is not None


_AS_WRITTEN = re.compile(r"\w=\S|<[^\s<>@]++@[^\s<>@]++>")
"""What a command has that is written as one: an option with its value, an address in brackets."""


def _below_all(ctx: Context, lines: Lines) -> Iterator[Line]:
    """The lines; `ALL GAMES:` or `ALL GAMES BUT duel:` alone above commands as the heading of these games; and below
    lines for some of them what ALL GAMES does as that in each, so that each has its lines in the order written.
    """
    headed = False
    for line, after in zip_longest(lines, lines[1:]):
        command = line.meaning if isinstance(line.meaning, CommandLine) else None
        headed = headed or (command is not None and command.name == "game")
        if headed and command is not None and command.name == "allgames":
            yield from _in_each(ctx, line, command)
            continue
        if isinstance(line.meaning, Complaint) and (several := _SEVERAL.fullmatch(line.text.strip(" *_:"))):
            names = ", ".join(names_in(several["names"]))  # those that there are, and which is none
            yield line_of(CommandLine(line.number, line.text, "game", {"game": names}))
            continue
        found = _ALL_ABOVE.fullmatch(line.text.strip(" *_:")) if line.is_talk else None
        if found is None or after is None or not isinstance(after.meaning, CommandLine | PressBlock):
            yield line
            continue
        games = _all_of([game.name for game, _ in run_by(ctx)], found["which"].strip(" ,")) or names_in(found["which"])
        yield line_of(CommandLine(line.number, line.text, "game", {"game": ", ".join(games)})) if games else line


def _in_each(ctx: Context, line: Line, command: CommandLine) -> Lines:
    """The heading of the games of ALL GAMES, and its command; the line, if it cannot be given so. A game that another
    line of the mail has ended meanwhile may be named, too.
    """
    run = [game.name for game, _ in run_by(ctx)]
    over = [name for name in _all_games(ctx) if name not in run]
    with suppress(NotUnderstood):
        named, text = named_before(str(command.args["line"]), [*run, *over], (), ctx.commands.reader)
        games = [name for name in named if name in run] or named
        call = ctx.commands.reader.read(text, None)
        if call is not None and games:
            heading = CommandLine(line.number, line.text, "game", {"game": ", ".join(games)})
            return line_of(heading), line_of(replace(command, name=call.name, args=call.args, text=text))
    return (line,)


def _all_of(run: Sequence[str], which: str) -> Sequence[str]:
    """Those of the games that somebody runs which stand behind ALL GAMES: all, these, or all BUT these; none if one of
    them is not theirs.
    """
    if not which:
        return run
    with suppress(NotUnderstood):
        games, rest = named_before(f"{which}:", run, (), COMMANDS.reader)
        return () if rest else games
    return ()


_SEVERAL = re.compile(r"games?[ :]++(?P<names>[\w-]++(?:(?:[ ]*+[,&]|[ ]++and\b)[ ]*+[\w-]++)++)", re.IGNORECASE)
_ALL_ABOVE = re.compile(r"(?:in )?all (?:my |the )?games(?P<which>[\w ,-]{0,200}+)", re.IGNORECASE)


def _with_those_too(ctx: Context, line: Line) -> Line:
    """A line of talk that wants the same in several games, about all of them; one that wants something `here` and
    something in another game, with the name of this one.
    """
    talk = line.meaning
    if line.origin is not Origin.OWN or not isinstance(talk, Talk):
        return line
    names = names_known(ctx)
    text = with_those_too(in_this_game(talk.text, partial(_came_to, ctx), names), names)
    return said_so(line, text) if text != talk.text else line


def _of_both(ctx: Context, lines: Lines) -> Iterator[Line]:
    """The lines; talk that says BOTH, and names no games, as about the two that were named last above it."""
    above = tuple[str, ...]()
    names = names_known(ctx) if any(line.is_talk and says_both(line.text) for line in lines) else ()
    for line in lines:
        talk = line.is_talk and line.origin is Origin.OWN
        own = each_named(line.text, names) if talk or isinstance(line.meaning, CommandLine) else ()
        both = talk and not own and len(above) == _TWO and says_both(line.text)
        yield said_so(line, about_games(line.text, above)) if both else line
        above = own or above


_TWO = 2


def _came_to(ctx: Context) -> str:
    """The name of the game to a seat in which the sender sent the mail, "" if that was not one game."""
    message = ctx.mail.message if ctx.mail is not None else None
    if message is None or not _is_handed_on(message, ctx.tx.identity):
        return ctx.game_name
    first, *more = [name for name in reached(ctx, message) if name != ctx.game_name.lower()] or [""]
    return first if not more else ""


def is_commanded(ctx: Context, lines: Iterable[Line]) -> bool:
    """Whether a mail of somebody who runs games has commands that do something here: then its sentences explain these,
    and what they may mean beside is only said.
    """
    return has_deeds(ctx, (line for line in lines if not line.is_for(Reason.ELSEWHERE)))


def has_deeds(ctx: Context, lines: Iterable[Line]) -> bool:
    """Whether some of these lines of somebody who runs games are commands that do something."""
    return ctx.runs_games and any(line.origin is Origin.OWN and is_deed(ctx, line.meaning) for line in lines)


def is_deed(ctx: Context, item: Item | None) -> bool:
    """Whether an item of a mail is a command that does something, or a text to be sent."""
    if isinstance(item, CommandLine):
        return ctx.commands.reader.name_of(item.text) is not None and COMMANDS[item.name].is_deed
    return isinstance(item, PressBlock)


def _named_by_command(ctx: Context, item: Item | None) -> str:
    """The game that a line names, if it is a command or a question."""
    return "" if isinstance(item, Talk) and not is_asking(item.text) else game_named(ctx, item)


def own_game(item: Item | None) -> str:
    """The game that a command names itself; "" for others."""
    return str(item.args.get("game") or "").lower() if isinstance(item, CommandLine) else ""


def game_named(ctx: Context, item: Item | None) -> str:
    """The game that a command names itself, if one needs a seat there to give it, and it is clear which: the sender's
    only one, or the gamemaster's, whose command it is; or that a sentence of who runs it names. It is for that game.
    """
    if isinstance(item, Talk | OrderLine) or (isinstance(item, Complaint) and item.of_order):
        return _talked_of(ctx, item.text) or _of_only_game(
            ctx, item
        )  # at a seat orders may be read in what was talk where it came
    if not isinstance(item, CommandLine) or not COMMANDS[item.name].policy.needs_seat or item.name == "game":
        return ""
    name = own_game(item)
    game = ctx.tx.game_named(name) if name else None
    seats = game.seats_of(ctx.person) if game is not None else ()
    return name if len(seats) == 1 or (seats and COMMANDS[item.name].of_chair) else ""


def _talked_of(ctx: Context, text: str) -> str:
    """The only game that a sentence names of somebody who runs it, or where it is proved, at the server's address, of
    somebody who plays it; "" if none: a season or place is none, and a game that it leaves out is not meant. A question
    about several, or all, is OF_SEVERAL; a wish for several, or for all but those that it names, is for none alone.
    """
    names = ctx.runs_games or _is_at_home(ctx) or ctx.by_name  # where they play it was handed on from where they run it
    if not names:
        return ""
    key = (_TALKED_OF, text, ctx.seat and ctx.seat.id)
    return str(ctx.looks.once(ctx.game, key, 0, lambda: _found_in(ctx, text)))


_TALKED_OF, _NAMES = object(), object()
_A_SENTENCE = 4
"""Fewer words that name a game may be a heading."""


def _is_at_home(ctx: Context) -> bool:
    """Whether a mail came to the server's address, and it is certain who wrote it, or nobody else could."""
    return ctx.seat is None and ctx.mail is not None and (ctx.mail.proved or ctx.tx.identity.among_friends)


def _of_only_game(ctx: Context, item: Item) -> str:
    """The game of somebody who runs none that is surely meant by a sentence to the server's address: the only one, or
    the only one that the subject names, or with most of the powers and of the writer's units that it names. It asks for
    nothing that is answered there, and names no game.
    """
    home = isinstance(item, Talk) and not ctx.runs_games and (_is_at_home(ctx) or ctx.by_name)
    games = playable_games(ctx) if home else ()
    if not games or games_in(item.text) or is_for_all_games(item.text):
        return ""
    subject = re.findall(r"[\w-]+", ctx.mail.message.subject.lower()) if ctx.mail is not None else ()
    headed = [game for game in games if game.name.lower() in subject]
    game = (headed or games)[0] if len(headed or games) == 1 else _knowing_most(ctx, games[:_MOST_RUN], item.text)
    if game is None or not game.running:
        return ""
    found = likely(item.text, game.lexicon)
    return game.name.lower() if found.known and OF_THE_SERVER.isdisjoint(found.within(SURE)) else ""


def _knowing_most(ctx: Context, games: Sequence[Game], text: str) -> Game | None:
    """The only one of a player's games which has most of the powers, and of the player's units, that a text names."""
    known = [len({*powers_in(text, game.lexicon), *_units_in(game, ctx.person, text)}) for game in games]
    most = max(known)
    return games[known.index(most)] if known.count(most) == 1 else None


def _units_in(game: Game, person: Person | None, text: str) -> Iterator[Location]:
    """The places of a person's units that a text names."""
    powers = {seat.power for seat in game.seats_of(person)} if game.phase is not None else set[Power | None]()
    own = {unit.at for unit in game.phase.position.units if unit.power in powers} if game.phase is not None else set()
    names = game.lexicon.scan(fold(text).folded).names if own else ()
    yield from own.intersection(names)


OF_THE_SERVER = frozenset((
    "ACCOUNT", "ADDRESS", "ANYBODY", "CHAT", "COMMAND", "COST", "CREATE", "GAMES", "GM_CREATE", "HELP", "JOIN",
    "LANGUAGE", "MY_POWER", "NAME", "NEWCOMER", "NO_MAIL", "SETTINGS", "STANDBY", "VARIANTS", "WATCH",
))  # fmt: skip
"""The kinds of wishes (`gm.parsing.sayings`) that need no game."""


def names_known(ctx: Context) -> Collection[str]:
    """The names of the sender's games that are not over, when the mail is read."""
    return ctx.looks.once(ctx.game, _NAMES, 0, names_of_games(ctx))


def _found_in(ctx: Context, text: str) -> str:
    here, names = ctx.game_name, names_known(ctx)
    asks = ctx.runs_games and is_asking(text)
    if asks and asks_of_all_games(text):
        return OF_SEVERAL if {game.name for game, _ in run_by(ctx)} - {here} else ""
    if games_in(text) or is_for_all_games(text):
        return ""
    if not any(word.lower() in names for word in _MAY_BE_A_GAME.findall(text)):
        return _of_powers(ctx, text)
    wish = " ".join(one for one in clauses(but_for_games(text, names)[0]) if not spared(one, names))
    words = {word.lower() for word in _MAY_BE_A_GAME.findall(wish)}
    mine = sorted(words.intersection(names))
    sure = mine if ctx.by_name else (here, *games_in(in_lists(text, names)))  # where it came, it named games
    named = [one for one in mine if one in sure or not is_otherwise(one, ctx.lexicon)]
    games = filter(None, map(ctx.tx.game_named, named))
    seats = ((one.name, one.seats_of(ctx.person)) for one in games)
    of_players = len(text.split()) >= _A_SENTENCE and (_is_at_home(ctx) or ctx.by_name)
    mine = [name for name, own in seats if any(seat.moderates or of_players for seat in own)]
    if len(mine) > 1:
        return OF_SEVERAL if asks else ""
    return "".join(mine)


def _of_powers(ctx: Context, text: str) -> str:
    """At the server's address the only game that somebody runs which has all powers that a sentence names."""
    games = [game for game, _ in run_by(ctx)] if ctx.runs_games and (ctx.seat is None or ctx.by_name) else []
    named = {game.name: {*powers_in(text, game.lexicon)} for game in games[:_MOST_RUN]}
    most = max(named.values(), key=len, default=set())
    having = [name for name, powers in named.items() if powers >= most]
    return having[0].lower() if len(having) == 1 and len(named) > 1 else ""


_MOST_RUN = 12
_MAY_BE_A_GAME = re.compile(
    r"(?<![\w-])(?!(?:spring|summer|fall|autumn|winter) (?:turn|season|phase|move|order|round|result|retreat)s?\b)"
    r"[\w-]{2,40}(?![\w-])(?![ ]\d{4}\b)",
    re.IGNORECASE,
)
"""A word; with a year or a turn behind it, it is a season."""


def _each_asked(ctx: Context, line: Line) -> Lines:
    """The line; of sentences that only ask, some of which name a game, or one of which asks and each names one, each as
    a line: it is for the game that it names.
    """
    said = sentences(line.text) if ctx.runs_games and line.is_talk else []
    games = {one: _talked_of(ctx, one) for one in said} if len(said) > 1 else {}
    asked = [one for one in games if is_asking(one)]
    apart = len(asked) == len(said) or all(games.values())
    return tuple(said_so(line, one) for one in said) if apart and any(games[one] for one in asked) else (line,)


def _of_each_game(ctx: Context, line: Line) -> Lines:
    """The line; of a sentence each clause of which is for another game, the clauses: `postpone spring to Monday, autumn
    to Tuesday`. One that begins with its game has the words that stand before the first one's.
    """
    talk = line.meaning
    if line.origin is not Origin.OWN or not isinstance(talk, Talk) or not ctx.runs_games:
        return (line,)
    parts = [*map(plain, _by_game(ctx, in_lists(talk.text, names_known(ctx))))]
    wanted = [part for part in parts if not _GOES_ON.fullmatch(part)]
    if len(wanted) == 1 < len(parts):  # `pause duel, spring goes on`
        return (said_so(line, wanted[0].strip(" ,;")),)
    parts = wanted or parts
    names = [_talked_of(ctx, part) for part in parts] if len(parts) > 1 else [""]
    parts = [_AND.sub("", part) for part in parts]
    cut = [mention(name).split(part, maxsplit=1) for name, part in zip(names, parts, strict=False)]
    if not all(names) or len({*names}) < len(parts) or any(len(one) == 1 for one in cut):
        return (line,)
    (head, behind), *rest = cut
    if any(not _A_WORD.search(before) and not (_A_WORD.search(after) and behind.strip()) for before, after in rest):
        return (line,)
    texts = (part if _A_WORD.search(before) else f"{head}{part}" for part, (before, _) in zip(parts, cut, strict=True))
    return tuple(said_so(line, text) for text in texts)


def _by_game(ctx: Context, text: str) -> list[str]:
    """The clauses of a text, those that name no game with the one before them; or the first that does."""
    found: list[str] = []
    at = 0
    parts = clauses(text)
    for clause in parts if len(parts) <= _MOST_CLAUSES else (text,):
        begin = text.index(clause, at)
        if found and (not _talked_of(ctx, clause) or not _talked_of(ctx, found[-1])):
            found[-1] += text[at:begin] + clause
        else:
            found.append(clause)
        at = begin + len(clause)
    return found


_MOST_CLAUSES = 24
"""A text of more is for no game by its clauses."""
_A_WORD = re.compile(r"[^\W_]")
_GOES_ON = re.compile(
    r"\W*(?:(?:and|but|while|only|und|aber|et) )*(?:the game )?[\w-]{2,40}"
    r"(?:(?:, | and )(?:[\w-]{2,40}|(?:all )?(?:the )?others?(?: games?)?)){0,4} (?:just |simply |still |all )?"
    r"(?:go(?:es)? on|continues?|carr(?:y|ies) on|plays? on|runs? on|stays?(?: as (?:it is|they are))?|läuft weiter)"
    r"(?: normally| as (?:usual|before|planned))?\W*",
    re.IGNORECASE,
)
"""What says of a game that it is not concerned."""
_AND = re.compile(r"\A\W*(?:and|also|then|und|et)\b\W*", re.IGNORECASE)
"""What joins a clause to the one before it."""


def others(ctx: Context, message: Message, sources: Sources) -> Lines:
    """What else in the mail may be meant."""
    return other_lines(message, sources, ctx.commands.reader.texts.end_in)


def playable_games(ctx: Context) -> tuple[Game, ...]:
    """The sender's games that are not over."""
    games = ctx.tx.games_of(ctx.person, GameState.FORMING, GameState.RUNNING)
    return tuple(game for game in games if game.playable)


def names_of_games(ctx: Context) -> Names:
    """What finds the names of the sender's games that are not over, once: a mail is read before it is acted on."""
    person = ctx.person
    if person is None:
        return no_names
    return cache(lambda: ctx.tx.names_of_games(person, GameState.FORMING, GameState.RUNNING))


def came_to_seat(ctx: Context) -> bool:
    """Whether the mail was sent to a seat: not to the server's address, or as an answer to a digest."""
    message, identity = ctx.mail.message if ctx.mail is not None else None, ctx.tx.identity
    if message is None or not identity.answers_digest(message.recipients):
        return ctx.seat is not None
    seats = [one for one in message.recipients if isinstance(destination_at(one, identity), SeatAddress)]
    return len(seats) > 1


def _is_handed_on(message: Message, identity: ServerIdentity) -> bool:
    """Whether the mail was handed on from another seat or the server's address: not by an answer to a digest."""
    came = [destination_at(address, identity) for address in message.recipients]
    return len(came) > len([one for one in came if isinstance(one, DigestAddress)]) + 1


def came_alone(ctx: Context) -> bool:
    """Whether the mail was sent to where it is read, and has come to no other seat, nor from one."""
    return ctx.mail is not None and len(ctx.mail.message.recipients) == 1


def _handed_on(ctx: Context) -> Collection[str]:
    """The names of the games to the sender's seats in which lines of a mail are handed on."""
    person = ctx.person
    digest = person is not None and ctx.tx.identity.digest_address(person.id, ctx.now.date())
    return _all_games(ctx) if digest else ()


def _goes_to(ctx: Context, message: Message) -> Collection[str]:
    """The names of the games to whose seats a mail to one of them goes as well."""
    return {*reached(ctx, message), *_handed_on(ctx)}


def _all_games(ctx: Context) -> frozenset[str]:
    """The names of the sender's games, also of those that are over: another line of the mail may have ended one."""
    return ctx.tx.names_of_games(ctx.person) if ctx.person is not None else frozenset()


def reached(ctx: Context, message: Message) -> Collection[str]:
    """The names of the games to whose seats the mail goes by itself."""
    tx, addresses = ctx.tx, {*message.recipients, *message.addressed_to}
    found = (destination_at(address, tx.identity) for address in addresses)
    hashes = [token_hash(one.token) for one in found if isinstance(one, SeatAddress)]
    return {tx.game(game_id).name.lower() for _, game_id, _ in seats_at(tx.session, hashes)}


# ---- what it may quote


def sources_of(ctx: Context, message: Message) -> Sources:
    """What a mail may quote: the press to its seat that it answers, and our mails (`_ours`)."""
    session, game, seat = ctx.tx.session, ctx.game, ctx.seat
    cited = message.cited(*ctx.tx.identity.hosts)
    found = sent.cited(session, cited) if cited else ()
    items = _known_items(ctx)
    written = _written_by(ctx, _addresses(ctx))
    ours = _ours(ctx, found, items, written)
    proposed = any(one.proposes for one in found[:1])
    if game is None or seat is None:
        return Sources(ours=ours, items_in=items, proposed=proposed)
    now = game.phase
    forms_sent = partial(sent.told_of, session, seat.id, now.id, now.opened_at, _FORMS) if now is not None else tuple
    forms = Ours(forms_sent, written=written)
    purposes = [one.purpose for one in found]
    press = _numbered(purposes, "press")
    letters = records.press_with_ids(session, game.id, press) if press else ()
    if cited:
        texts = [row.body for row in letters if row.from_seat_id != seat.id]
        texts += _deferred(ctx, game, seat, _numbered(purposes, "report"))
        if any(purpose.startswith("official:") for purpose in purposes):
            texts += (row.body for row in records.newest_announced(session, game.id, _NEWEST))
    elif message.quoted or message.doubtful or _answers(message):
        texts = [row.body for row in records.newest_words(session, game.id, seat.id, _NEWEST)]
    else:
        texts = []
    if texts or cited or message.quoted:
        texts += filter(None, (game.comment, game.house_rules))  # they are in many of our mails
    writers = tuple(filter(None, (_writer(game, row) for row in letters)))
    said = tuple(f" {words_of(text)} " for text in texts)
    units = frozenset[Province]() if ctx.tx.identity.answers_digest(message.recipients) else pieces_of(game, seat)
    is_word = partial(_is_word, ctx.lexicon if game.playable else None, seat.power, partial(names_known, ctx))
    known = (ctx.person.name, ctx.person.signature or "") if ctx.person is not None else ()
    names = " ".join((ctx.sender.partition("@")[0], *known))
    name, beneath = message.sender_name, message.beneath
    power, since = seat.power or "", _dealt_since(game, letters)
    return Sources(
        said,
        ours,
        forms,
        writers,
        name,
        names,
        game.name.lower(),
        units,
        items,
        is_word,
        beneath,
        power,
        since,
        message.of_page,
        _alike(game, seat),
        message.quoted,
        proposed,
    )


def _alike(game: Game, seat: Seat) -> frozenset[str]:
    """The places in which the power of a seat has several units, as its orders name them: `orb`, not `orb.kre`."""
    units = game.position.units_of(seat.power) if game.position is not None and seat.power is not None else ()
    counted = Counter(re.split(r"[/.]", unit.at)[0] for unit in units)
    return frozenset(place for place, count in counted.items() if count > 1)


def _is_word(lexicon: Lexicon | None, own: Power | None, games: Names, word: str) -> bool:
    """Whether a word is no name of another: it names a place, one of the sender's `games`, or no power but their `own`,
    or is in an example.
    """
    if lexicon is not None and (power := lexicon.power(word)) is not None:
        return own in (power, None)
    folded = fold(word).folded
    if (
        knows(word)
        or is_opening(word)
        or (lexicon is not None and lexicon.has_in_names(folded))
        or word.lower() in games()
    ):
        return True
    return lexicon is not None and len(folded) >= _SPELT and lexicon.resembles_place(folded)  # `Burgunday holds`


_SPELT = 7
"""The fewest letters of a word that may be a misspelt place; shorter ones may be somebody's name."""


def _ours(ctx: Context, found: Sequence[Cited], items_in: ItemsIn, written: Callable[[str], str]) -> Ours:
    """The mails of ours that a mail of theirs may quote: those to its `_readers` that it cites, of those `found`,
    and the newest; and the reports of the last phases. `written`: what they wrote themselves (`Ours`).
    """
    session, mine = ctx.tx.session, _addresses(ctx)
    most = _MAILS * min(max(len(_readers(ctx)), 1), _READERS)
    named = [one for one in found if one.recipient in mine][:most]

    def asks(lines: Sequence[str]) -> bool:
        return any(not isinstance(item, Talk) for item in items_in(lines))

    def fetch() -> Sequence[bytes]:
        newest = sent.newest_to_each(session, mine, most)
        return tuple(dict.fromkeys((*(one.raw for one in named), *newest, *_reports(ctx))))

    return Ours(fetch, Ours(lambda: [one.raw for one in named]) if named else None, asks, written)


def _written_by(ctx: Context, addresses: Collection[str]) -> Callable[[str], str]:
    """What was written from these addresses in the mail with a Message-ID, as words: its sender's own words, and lines
    that were left out. Each is read once, and nothing more when `_LONGEST` octets have been read.
    """
    left = _LONGEST

    @cache
    def written(message_id: str) -> str:
        nonlocal left
        rows = inbox.from_with_id(ctx.tx.session, addresses, message_id, left)
        left = max(0, left - sum(len(row.raw) for row in rows))
        mails = (message_of(row, ctx.tx.identity) for row in rows)
        texts = (text for one in mails for text in (one.text, *one.left_out, *one.apart))
        return f" {' '.join(map(words_of, texts))} "

    return written


def _answers(message: Message) -> bool:
    """Whether a mail that cites none may answer one, by its subject (`Re: ...`) or a line that says who wrote."""
    if subject_apart(message.subject)[0]:
        return True
    return any(line.rstrip().endswith(":") and WROTE.search(line[:300]) for line in message.text.split("\n"))


def _readers(ctx: Context) -> list[Person]:
    """Whose mails of ours a mail may quote: its sender's and, if that is a gamemaster who may know what they say, those
    of all in the game. What becomes of a line that is quoted tells whether one of these mails has it.
    """
    game, own = ctx.game, ctx.seat
    seats = filter(partial(game.knows, own), game.seats) if game is not None and own in game.masters else ()
    people = (ctx.person, *(seat.person for seat in seats))
    return list({person.id: person for person in people if person is not None}.values())


def _addresses(ctx: Context) -> list[str]:
    """The addresses of these."""
    return [address for person in _readers(ctx) for address in person.addresses] or [ctx.sender]


def _reports(ctx: Context) -> Sequence[bytes]:
    """The mails that told the seat of the last phases: they are answered for days, beside any number of receipts."""
    if ctx.game is None or ctx.seat is None:
        return ()
    return sent.reports_to(ctx.tx.session, ctx.game.id, ctx.seat.id, _TELL_OF_A_PHASE, _PHASES)


def _numbered(purposes: Iterable[str], kind: str) -> list[int]:
    """The numbers in the purposes of this kind."""
    parts = (purpose.split(":") for purpose in purposes)
    return [int(one[1]) for one in parts if one[0] == kind and len(one) > 1 and one[1].isdecimal()]


def _dealt_since(game: Game, letters: Sequence[PressRow]) -> bool:
    """Whether there are letters, and all were written before the powers of the game were dealt. Where players name
    theirs, they keep them.
    """
    dealt = game.playable and game.phase is not None and bool(game.variant.seating.powers)
    return dealt and bool(letters) and all(row.phase_id is None for row in letters)


def _writer(game: Game, row: PressRow) -> str:
    """Whom a mail answers that cites this press: anonymous press has no name; "" for a player who wrote before
    the game began, whose power now that would tell.
    """
    seat = game.seat(row.from_seat_id)
    if "grey" in row.manners:
        return "ALL"
    if seat.moderates:
        return "GM"
    return str(seat.power or "") if row.phase_id is not None else ""


def _deferred(ctx: Context, game: Game, seat: Seat, phases: Iterable[int]) -> Iterable[str]:
    """The press that these phases' reports brought to the seat."""
    for phase_id in phases:
        written = records.press_of(ctx.tx.session, game.id, phase_id)
        yield from (text for _, text in (*remarks(written, game), *deferred_press(written, game, seat)))


def _names_given(lines: Iterable[str], lexicon: Lexicon) -> tuple[tuple[str, Location], ...]:
    """The names that these lines define, without faulty lines: a mail may use a name that it has just defined."""
    given: dict[str, Location] = {}
    for words in lines:
        try:
            name, place = read_name(words, lexicon)
        except NotUnderstood:
            continue
        if place is not None:
            given[name] = place
    return tuple(sorted(given.items()))


_CODE = 3
"""The letters of a code: in small letters it may be a word."""


def places_in(ctx: Context, text: str) -> list[str]:
    """The places that a sentence names, in short."""
    if ctx.game is None:
        return []
    lexicon, text = ctx.game.lexicon_of(ctx.seat), without_stp(without_game(text, ctx.game_name))
    words = " ".join(word for word in re.split(r"\s+", text) if not word.islower() or len(word) > _CODE)
    for said in (words, text):  # `von den Armeen in Venedig` has one place
        names = lexicon.scan(fold(said).folded).names
        if found := [str(one) for one in names if not isinstance(one, NotUnderstood) and one not in lexicon.powers]:
            return found
    return []
