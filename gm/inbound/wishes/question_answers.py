"""The answers to questions and wishes in people's own words (`gm.inbound.wishes.plain_questions`).

What only shows something is shown at once; what changes something is offered as a line to be sent with one tap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from types import MappingProxyType

from gm import patterns as re
from gm.board import Location, UnitKind, standard_board
from gm.commands import COMMANDS
from gm.commands.context import Context, Meant
from gm.commands.dashboard import show_desk
from gm.commands.declaration import Consent
from gm.commands.help import plays_nothing, ways_in, welcome
from gm.errors import GmError, NotUnderstood
from gm.games.report_inputs import early_by, goes_on_in, view_of
from gm.games.snapshot import Game, Seat
from gm.inbound.acting import at_seats, fault_in_turn, fault_of, in_games
from gm.inbound.facts import names_of_games, places_in
from gm.inbound.ordering import ordering_at
from gm.inbound.wishes.askable import AT_A_SEAT, CHANGES, EXAMPLES, NO_ABSENCE, OF_PHASE, OPPOSITE, PLAIN
from gm.inbound.wishes.guesses import (
    A_DRAW,
    REMINDS,
    SAYS,
    SIGNS,
    guess,
    is_known,
    powers_named,
    tells_whom,
    wanted,
)
from gm.inbound.wishes.lines import SHORTEST, changes, has_parts, line_for, proposal_for
from gm.inbound.wishes.masters_wishes import (
    FOR_THE_NEXT,
    OF_ALL,
    STANDBY,
    WITH_THE_NEXT,
    denies_order,
    orders_told,
    title_of,
)
from gm.inbound.wishes.said_of_turns import deeds_of
from gm.inbound.wishes.shown import (
    OF_A_SEAT,
    SAID,
    THAT_ORDER,
    clocks_of,
    command_of,
    held_by,
    option_is,
    own_places,
    show_line,
    unordered,
    what_is_possible,
    who_in_words,
)
from gm.inbound.wishes.times_wished import times_left_out
from gm.options.table import BY_NAME
from gm.orders.notation import short
from gm.parsing.game_names import (
    BEFORE_WORDS,
    games_left_out,
    plain,
    without_game,
)
from gm.parsing.lexicon import shorten
from gm.parsing.likely_commands import time_in
from gm.parsing.message import CommandLine
from gm.parsing.options_meant import option_asked, options_in
from gm.parsing.own_sentences import depends, goes_on
from gm.parsing.questions import (
    Wanted,
    asks,
    clauses,
    is_reason,
    is_told,
    only_asks,
    points_back,
    requests,
    sentences,
    wishes,
    wonders,
)
from gm.parsing.sayings import LIKELY, MASTERS, SURE, is_a_name
from gm.parsing.small_talk import FUNCTION_WORDS, PROSE
from gm.play.questions import drops
from gm.position import PhaseKind
from gm.reading.line import Lines, Origin, Reason, for_reasons
from gm.reports import listed
from gm.store.game_rows import GameState


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence, and what it asks for."""

    text: str
    want: Wanted
    beside: tuple[str, ...] = ()
    """What the sentence says beside it, of which nothing was made."""
    as_master: bool = False
    """Whether somebody who also plays wants it as the gamemaster."""
    games: tuple[str, ...] = ()
    """The games in which it is asked, if not where the mail came; its text names none."""
    quiet: bool = False
    """Whether it stands beside commands that do something, and is only said if these are done."""
    partly: bool = False
    """Whether its mail may want more than was understood, so that YES would do half of it."""


def answer_questions(
    ctx: Context, questions: Sequence[Question], acted: Lines
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Add the answers to the reply. Returns what it says of what is only offered, of what is only explained, and of
    what stands beside commands that were done, of the lines that were `acted` on.
    """
    settled_ = for_reasons(acted, Reason.DONE, Reason.ELSEWHERE, Reason.CONFIRM)  # what waits is asked about once
    done = [one.text for one in settled_ if one.origin is Origin.OWN]
    if ctx.answer.changed is not None and not unordered(ctx):  # `I start again`, above orders for all units
        questions = [one for one in questions if one.want is not Wanted.CLEAR]
    if any(one.want is Wanted.GM_DRAW for one in questions):  # which ends the game
        questions = [one for one in questions if one.want is not Wanted.GM_TERMINATE]
    quiet = [one for one in questions if one.quiet and done]
    here = [one.text for one in settled_ if isinstance(one.meaning, CommandLine) and not one.is_for(Reason.ELSEWHERE)]
    questions = [one for one in questions if one not in quiet and not _is_done_already(ctx, one, here)]
    lines = [line_for(ctx, one.want, one.text) for one in questions if changes(ctx, one.want, one.text)]
    said = [one for question in questions for one in _answers(ctx, question, lines)]
    own = (one for one in acted if one.is_talk and one.origin is Origin.OWN and not one.is_for(Reason.ELSEWHERE))
    wishes_here = [one for one in questions if not one.games]
    missing = [one for question in wishes_here for one in _missing(ctx, question)]
    left = (*missing, *(one for question in questions for one in question.beside))
    lost = _times_lost(ctx, questions, " ".join(one.text for one in own), left)
    said += [f"Of {listed(map(repr, lost))} nothing was made."] if lost else []
    if lost or missing or any(one.partly for one in questions):  # YES would do half of what is wanted
        said += [_NO_YES] if any(one.meant is not Meant.NO for one in ctx.answer.offers) else []
        ctx.answer = replace(ctx.answer, offers=tuple(one._replace(meant=Meant.NO) for one in ctx.answer.offers))
    wishes_ = (one for one in wishes_here if is_only_explained(ctx, one) or _is_shown_how(ctx, one))
    explained = [
        f"Nothing was changed. {line_for(ctx, one.want, one.text)} says how to {one.want.value}." for one in wishes_
    ]
    explained += filter(None, (_unanswered(ctx, questions),))
    beside = dict.fromkeys(_quietly(ctx, one, done) for one in quiet)
    return tuple(filter(None, said)), tuple(explained), tuple(filter(None, beside))


def _answers(ctx: Context, question: Question, offered: Sequence[str]) -> list[str]:
    """Answer a question where it is asked, as `_answer` does: in each of its games, or for all of them in one table."""
    at = chair_of(ctx) if question.as_master else None
    seats = [at] if at is not None else [one for one in at_seats(ctx) if one.game_name in question.games]
    if len(seats) > 1 and not any(one.game and _is_said(one, one.game, question) for one in seats):
        show_desk(ctx, question.games)
        seats = [one for one in seats if not one.at_chair]
        if not seats:
            return []
    if not seats:
        return [_answer(ctx, question, offered)]
    before, said, told = ctx.answer.done, list[str](), dict[str, list[str]]()
    for one in seats:
        one.answer = replace(ctx.answer, done=())
        said.append(_answer(one, question, offered))
        told.setdefault(" ".join(one.answer.done), []).append(one.game_name)
        offers = ctx.answer.offers if len(seats) > 1 else one.answer.offers  # a line that names no game is for one
        ctx.answer = replace(one.answer, done=before, offers=offers)
    each = (f"{listed(names)}: {words}" if question.games else words for words, names in told.items() if words)
    ctx.answer = replace(ctx.answer, done=(*before, *each))
    return said


def _is_said(ctx: Context, game: Game, question: Question) -> bool:
    """Whether an answer in a game is more than the table of several games says."""
    if question.want is Wanted.GM_WHO:
        return bool(who_in_words(ctx, game, question.text))
    return question.want not in (Wanted.GM_DASHBOARD, Wanted.DEADLINE)


def _times_lost(ctx: Context, questions: Sequence[Question], talk: str, left: Sequence[str]) -> list[str]:
    """The times that a gamemaster's talk names and that no line has which it is offered; but for those in what is said
    to be left out.
    """
    offered = [one.line for one in ctx.answer.offers]
    if not (ctx.runs_games and offered and any(has_parts(ctx, one.want) for one in questions)):
        return []
    lost = times_left_out(talk, offered, ctx.now.date())
    return [one for one in dict.fromkeys(lost) if not any(one in said for said in left)]


def _is_done_already(ctx: Context, question: Question, done: Sequence[str]) -> bool:
    """Whether a wish is for what a command of the same mail has done: `RESIGN`, above why."""
    if not done or not changes(ctx, question.want, question.text):
        return False
    line = line_for(ctx, question.want, question.text)
    return any(_is_same_deed(ctx, line, one) for one in done)


def no_command(quoted: str) -> str:
    """What is said of words beside commands that were done, which are none themselves."""
    return f"No command, so nothing more was done for it: {quoted}."


def _quietly(ctx: Context, question: Question, done: Sequence[str]) -> str:
    """What is said of a wish beside commands that were done: how it is written, without a question; "" for one whose
    kind these have done already, and for one that would be refused.
    """
    line = line_for(ctx, question.want, question.text)
    deed = line.removeprefix("HELP ")
    if tied := next((one for one in clauses(question.text) if depends(one)), ""):
        left = question.text[question.text.find(tied) :] or tied
        return f"{no_command(repr(shorten(plain(left))))}{_NOTHING_WAITS}"
    if is_reason(question.text) and not requests(question.text):
        return ""  # it explains what was done
    same = [one for one in done if _is_same_deed(ctx, deed, one)]
    if same and not (_is_another(ctx, deed, same) and [*times_left_out(question.text, (), ctx.now.date())]):
        return ""
    if fault_of(ctx, line) is not None:
        return ""
    what = no_command(repr(shorten(plain(question.text.partition(BEFORE_WORDS)[0]))))
    if _missing(ctx, question):
        return what
    if line != deed:
        return f"{what} {line} says how to {question.want.value}."
    ctx.offer(line, question.want.value)
    return f"{what} If you want that, too: {line.replace(_NEXT, ' / ')}"


def _is_same_deed(ctx: Context, line: str, done: str) -> bool:
    """Whether a line is for the same kind of thing as one that was done: the same command, one that changes the same,
    or one that is for much the same, in the same game and for the same power.
    """
    one, other = (_deed_of(ctx, text) for text in (line, done))
    if one is None or other is None:
        return False
    mine, theirs = (COMMANDS[each].policy for each in (one[0], other[0]))
    kind = one[0] == other[0] or "" != mine.record.changes == theirs.record.changes or {*mine.about} & {*theirs.about}
    return bool(kind) and all(not a or not b or a & b for a, b in zip(one[1:], other[1:], strict=True))


_NOTHING_WAITS = " No command waits for what may happen; SCHEDULE and a time in front of one has it done then."


def _is_another(ctx: Context, line: str, done: Sequence[str]) -> bool:
    """Whether a line is another command than those that were done for much the same: EXTEND beside PAUSE."""
    return ctx.commands.reader.name_of(line) not in map(ctx.commands.reader.name_of, done)


def _deed_of(ctx: Context, text: str) -> tuple[str, frozenset[str], frozenset[str]] | None:
    """The command of a text, with the games and the powers that it names."""
    rest = OF_ALL.sub("", text.partition("\n")[2] if text.startswith("GAME ") else text)
    name = ctx.commands.reader.name_of(rest)
    if name is None:
        return None
    words = frozenset(word.lower() for word in re.findall(r"[\w-]+", text))
    powers = frozenset(powers_named(ctx.game, ctx.seat, rest)) if ctx.game is not None else frozenset[str]()
    return name, words.intersection(names_of_games(ctx)()), powers


def chair_of(ctx: Context) -> Context | None:
    """The context of a player's mail at the seat from which they run the game, if they do."""
    game, seat = ctx.game, ctx.seat
    if game is None or seat is None or seat.moderates:
        return None
    chair = next((one for one in game.moderators if one.is_of(ctx.person)), None)
    return replace(ctx, actor=chair) if chair is not None else None


def how_to_accept(ctx: Context) -> tuple[str, ...]:
    """What is said of YES once all lines are offered: nothing, where it could stand for one of several."""
    if len(ctx.proposes) != 1:
        return ()
    sure = len({one.line for one in ctx.answer.offers if one.meant is Meant.SURELY})
    if not sure:  # it is for what stands beside the wishes, not for these
        return (f"Reply with YES to send {shorten(ctx.proposes[0].replace(_NEXT, ' / '))!r}.",)
    which = f", which does {'both' if sure == _TWO else 'all'}" if sure > 1 else ""
    return (f"Or reply with YES{which}.",)


_NEXT, _TWO = "\n", 2
_NO_YES = "A mere YES does none of this, since your mail says more; if it is all that you want, send it."


def _answer(ctx: Context, question: Question, offered: Sequence[str]) -> str:
    """Answer a question, or offer its line; returns what is said of that. `offered`: the lines for all of the mail."""
    names_one = question.want is Wanted.CREATE and ctx.seat is None and ways_in(ctx, named=True)
    want = Wanted.JOIN if names_one else question.want  # a game that forms already
    line = line_for(ctx, want, question.text)
    if changes(ctx, want, question.text):
        return _offer(ctx, question, want, line, offered)
    if line == _ALL_MINE and want is not Wanted.GM_DASHBOARD and (said := _asked_where(ctx, question)):
        return said
    if question.want in PLAIN:
        ctx.say(PLAIN[question.want])
    elif ctx.seat is None or ctx.game is None:
        return "" if _answer_in_each(ctx, want, question.text) else _answer_at_the_server(ctx, want, line)
    else:
        _say(ctx, ctx.game, ctx.seat, want, question.text)
    for said in _beside(ctx, question):
        ctx.say(said)
    return ""


def _offer(ctx: Context, question: Question, want: Wanted, line: str, offered: Sequence[str]) -> str:
    """Offer the line for a wish, or do what is harmless; returns what is said of it."""
    if asked := _sets_what_is_asked(ctx, want, line, question.text) or _never_ends_early(ctx, want):
        ctx.say(asked)
        return ""
    if want in _ASKED_OF and _only_asks_how_it_is(question.text) and ctx.game is not None and ctx.seat is not None:
        _say(ctx, ctx.game, ctx.seat, _ASKED_OF[want], question.text)
        return ""
    if _is_dropped(ctx):
        return "Nothing was done, as you say."
    so_far = CHANGES[want][1] if want in CHANGES and line != NO_ABSENCE else "Nothing was changed yet."
    aim = THAT_ORDER if want is Wanted.CLEAR and line != CHANGES[want][0] else _aim(want, line)
    whole = f"GAME {ctx.game_name}\n{line}" if question.as_master else line
    sends = f"{so_far} To {aim}, send {whole.rstrip('.').replace(_NEXT, ' / ')}.{_left_out(ctx, question, offered)}"
    if want is Wanted.READY and (idle := unordered(ctx)):
        have = "has" if len(idle) == 1 else "have"
        return f"You are not READY: {listed(idle)} {have} no order yet. Send the orders, with READY below them."
    if (fault := _fault_behind(ctx, line, offered)) is not None:
        if isinstance(fault, NotUnderstood):  # it is no command: nothing is to be sent
            ctx.offer(f"HELP {title_of(want)}", _aim(want, line))
            return (
                f"{so_far} This was not understood as a wish to {aim}: HELP {title_of(want)} shows how it is written."
            )
        return f"{sends} Now it would be refused: {fault}"
    if is_done_at_once(ctx, question):
        show_line(ctx, line)
        return _left_out(ctx, question, offered).strip()
    aim += _until(ctx, want, question.text)
    if (other := OPPOSITE.get(whole)) is not None:
        ctx.withdraw(other)  # what is said last counts
    ctx.offer(whole, aim, Meant.NO if want is Wanted.CLEAR and _says_more(ctx, question) else Meant.SURELY)
    return sends


def _is_dropped(ctx: Context) -> bool:
    """Whether the mail takes back below its first sentence what it says: `end it. Actually no, leave it`."""
    lines = ctx.mail.message.text.split("\n") if ctx.mail is not None else []
    said = [one for line in lines for one in sentences(line)]
    return any(map(drops, said[1:]))


def _unanswered(ctx: Context, questions: Sequence[Question]) -> str:
    """What is said of what is asked beside questions, and of which nothing was made; a gamemaster's wishes say that
    themselves.
    """
    texts = {question.text for question in questions}
    beside = dict.fromkeys(one for question in questions for one in question.beside if one not in texts)
    own = (one for one in beside if asks_of_something(one) or requests(one) or is_known(ctx, one))
    own = (one for one in own if places_in(ctx, one) or not points_back(one))
    left = [repr(shorten(one)) for one in own]
    wished = ctx.runs_games and any(changes(ctx, one.want, one.text) for one in questions)
    return "" if wished or not left else f"Not answered, since it was not understood: {listed(left)}."


def asks_of_something(clause: str) -> bool:
    """Whether a clause asks with a word of its own: `is that ok?` asks about what stands before it."""
    return wonders(clause) and not PROSE.issuperset(re.findall(r"\w+", clause.lower()))


def _sets_what_is_asked(ctx: Context, want: Wanted, line: str, text: str) -> str:
    """How the option is set now that a line would set, for a question that only asks about it; "" for a wish."""
    if want is not Wanted.GM_SET or not (_IS_IT_SO.match(text) and only_asks(text)):
        return ""
    if ctx.game is None or ctx.seat is None:
        return ""
    found = _ONE_SET.fullmatch(line)
    if found is None:
        name = option_asked(text) if line == "HELP SET" else ""
        return option_is(ctx.game, ctx.seat, name) if name else ""
    ctx.offer(line, want.value, Meant.NO)
    return option_is(ctx.game, ctx.seat, found["name"])


def _only_asks_how_it_is(text: str) -> bool:
    """Whether a text asks who, or whether something is so, and wants nothing to be done."""
    return only_asks(text) and any(_IS_IT_SO.match(one) or _WHO.match(one) for one in clauses(text))


_ASKED_OF: Mapping[Wanted, Wanted] = MappingProxyType(
    {Wanted.GM_EXTEND: Wanted.DEADLINE, Wanted.GM_DEADLINE: Wanted.DEADLINE, Wanted.GM_REMIND: Wanted.GM_DASHBOARD}
)
"""What is asked with the words of a wish: `is the deadline still Wednesday?`, `who has not ordered yet?`"""
_WHO = re.compile(r"\W*(?:(?:and|but|so)\b\W*)?(?:who|whose|which)\b", re.IGNORECASE)


def _never_ends_early(ctx: Context, want: Wanted) -> str:
    """What is said of READY and WAIT in a game in which no phase ends before its deadline; "" in others."""
    if want not in (Wanted.READY, Wanted.WAIT) or ctx.game is None or early_by(ctx.game) != "no":
        return ""
    return f"In {ctx.game.name} no phase ends before its deadline: you can change your orders until then."


_ONE_SET = re.compile(r"SET (?P<name>[a-z]+)=\S+")
_IS_IT_SO = re.compile(
    r"\W*(?:(?:and|but|so|und|et)\b\W*)*(?:is|are|may|does|do|did|has|have|ist|sind|darf|d[uü]rfen|gibt|est-ce)\b",
    re.IGNORECASE,
)
"""The beginning of a question how something is: `can we` and `could it` may wish that it were so."""


def _aim(want: Wanted, line: str) -> str:
    """What a line is for: one that only sets an option is for that, whatever wish it serves."""
    if line.startswith("TIMEZONE "):
        return "see all times by the clocks there"
    if line == NO_ABSENCE:
        return "take back that you are away"
    if line.endswith("MUSTER OFF"):
        return "cancel the roll call"
    sets = _SETS.match(OF_ALL.sub("", line)) is not None and _NEXT not in line
    return (Wanted.GM_SET if sets else want).value


def _fault_behind(ctx: Context, line: str, offered: Sequence[str]) -> GmError | None:
    """Why a line would not be done, neither alone nor behind those before it for the same mail."""
    before = offered[: offered.index(line)] if line in offered else ()
    fault = fault_of(ctx, line)
    return fault_in_turn(ctx, (*before, line)) if fault is not None and before and "\n" not in line else fault


def _until(ctx: Context, want: Wanted, text: str) -> str:
    """The deadline that a wish for more time comes to."""
    until = proposal_for(ctx, want, text).until if has_parts(ctx, want) else ""
    return f", until {until}" if until else ""


def is_only_explained(ctx: Context, question: Question) -> bool:
    """Whether a wish of a gamemaster lacks what its line needs, so that it is only shown how that is written."""
    shows = question.want.name.startswith(MASTERS) and line_for(ctx, question.want, question.text).startswith("HELP ")
    return shows and not asks(question.text)


def _is_shown_how(ctx: Context, question: Question) -> bool:
    """Whether a player's wish lacks what its line needs, so that it is only shown how that is written."""
    wishes_it = requests(question.text) or not wonders(question.text)
    return question.want in _TO_WRITE and wishes_it and line_for(ctx, question.want, question.text).startswith("HELP ")


_TO_WRITE = (Wanted.ADDRESS, Wanted.DEPUTY, Wanted.NAME)


def is_done_at_once(ctx: Context, question: Question) -> bool:
    """Whether a wish is carried out without an offer: it is harmless, and its sentence asks for it to be done by a word
    of its own, since what is only guessed at is asked about.
    """
    line = line_for(ctx, question.want, question.text)
    if only_asks(question.text) or not _is_harmless(ctx, line):
        return False
    if question.want is not Wanted.GM_REMIND:
        return True  # on trial
    if any(time_in(one) for one in _missing(ctx, question)):
        return False
    own = [one for one in wishes(question.text) if not is_reason(without_game(one, ctx.game_name))]
    asked = any(question.want in wanted(guess(ctx, one).within(LIKELY)) for one in own)  # `End it: nobody has ordered`
    return asked and REMINDS.search(question.text) is not None


_SAID_SO: Mapping[Wanted, re.Pattern[str]] = MappingProxyType(
    {
        Wanted.RESIGN: re.compile(
            r"\b(?:resign|quit|leav(?!\w* .{1,30}\balone\b)|left|stop|out\b|drop|withdr|remov|replac|abandon"
            r"|surrender|sub\b|last turn|bye\b"
            r"|any ?more|any longer|for good|giv|hand|lay down|done with|whoever|some(?:body|one)|enough|back\b"
            r"|(?:can|do)(?:not|n['’]?t) (?:go on|keep|want|enjoy)|no (?:longer|time|fun|reason)"
            r"|steig|aufh|hör|aufgeb|geb|raus|ersatz|ersetz|nehmt|streich|lust|ohne mich|letzter zug"
            r"|endgültig|schaffe|nicht mehr (?:mit|weiter)|anderen für|arr[êe]t|quitt|retir|remplac|jou|envie|temps"
            r"|dej|rend|stoppen|geef)",
            re.IGNORECASE,
        ),
        Wanted.WAIT: re.compile(
            r"\b(?:(?<!need to )(?<!have to )wait|final|ready|early|before|until|hurry|rush|warte|endgültig|fertig|früh"
            r"|attend|définiti|prêt)",
            re.IGNORECASE,
        ),
        Wanted.CLEAR: re.compile(
            r"\b(?:cancel|delet|clear|withdraw|forget|scrap|scratch|drop|undo|ignor|disregard|remov|tak|revoke|wip|eras|void"
            r"|start|reset|empty|nothing|lösch|streich|vergiss|zurück|annul|efface|oubli|supprim|borr|olvid"
            r"|wis|verwijder|none|no orders|any order)",
            re.IGNORECASE,
        ),
        Wanted.GM_DRAW: re.compile(rf"{A_DRAW.pattern}|\bdrawn|\bagree|\bshare", re.IGNORECASE),
        Wanted.GM_TERMINATE: re.compile(
            r"\b(?:end|terminat|abort|cancel|abandon|stop|close|clos|finish|over|quit|dead|delete|scrap|break|done|dissolv|fold"
            r"|beende|abbrech|abgebroch|schluss|aus\b|vorbei|termin|arr[êe]t|fini|annul|acab|cancel)",
            re.IGNORECASE,
        ),
        Wanted.GM_START: re.compile(
            r"\b(?:start|begin|beg[au]n|go\b|launch|kick|open|ready|los\b|commenc|anf[aä]ng|beginn|d[ée]but|d[ée]marr|comienz)",
            re.IGNORECASE,
        ),
        Wanted.GM_MUSTER: re.compile(
            r"\b(?:there|here|alive|ask|check|roll|muster|awake|respond|answer|sign|interest|activ|present"
            r"|play|confirm|want|still|on board"
            r"|da\b|noch|abfrag|meld|dabei|pr[ée]sent|l[àa]\b)",
            re.IGNORECASE,
        ),
    }
)
"""A word without which a sentence is no wish for what ends a game, or may cost all their seats, however near it is."""


def is_said(ctx: Context, want: Wanted, text: str) -> bool:
    """Whether a text has a word for what it is taken to want, where the command for that needs one."""
    if want not in _SAID_SO or _SAID_SO[want].search(text) is not None:
        return True
    return not line_for(ctx, want, text).startswith(title_of(want))


def _is_harmless(ctx: Context, line: str) -> bool:
    """Whether what a line does needs no question, although it is more than to show something."""
    command = command_of(ctx, OF_ALL.sub("", line))
    return command is not None and ctx.commands[command.name].policy.harmless


def _beside(ctx: Context, question: Question) -> tuple[str, ...]:
    """What is said behind an answer: who is in a place that the question names though the answer is of none."""
    if question.want not in _OF_NO_PLACE or ctx.game is None or ctx.seat is None or not ctx.game.running:
        return ()
    text = question.text
    if question.want is Wanted.DEADLINE and (clocks := clocks_of(ctx, ctx.game, text)).zone:
        text = text.replace(clocks.name, "")
    return tuple(_of_places(ctx, ctx.game, ctx.seat, text, ctx.answer.done))


_OF_NO_PLACE = (Wanted.LATE, Wanted.DEADLINE, Wanted.MY_ORDERS, Wanted.MY_TURN, Wanted.TURNOUT, Wanted.CENTRES)
"""What is asked of no place: if one is named it may have been misread."""


def _of_places(ctx: Context, game: Game, seat: Seat, text: str, so_far: Sequence[str]) -> Iterator[str]:
    """Who is in the places that a question names, of which nothing is said so far."""
    board, known = game.lexicon.board, " ".join(so_far)
    names = " ".join(word for word in text.split() if is_a_name(word.strip(SIGNS)))
    named = dict.fromkeys(board.province(Location(place)) for place in places_in(ctx, names))
    units = view_of(game, seat).position.units if named else ()
    taken = {board.province(unit.at) for unit in units}
    for place in islice(named, _TWO):
        told = re.search(rf"\b{re.escape(short(Location(place)))}\b", known) is not None
        if not told and place in taken:
            yield held_by(game, seat, place)


def _says_more(ctx: Context, question: Question) -> bool:
    """Whether the mail has words beside a sentence: then YES might be meant for these, and deletes nothing."""
    written = ctx.mail.message.text if ctx.mail is not None else ""
    return len(re.findall(r"\w+", written)) > len(re.findall(r"\w+", question.text))


def _answer_in_each(ctx: Context, want: Wanted, text: str) -> bool:
    """Answer a question about a seat for each of the few games that its writer plays; whether it is one, and there are
    any.
    """
    if want not in OF_A_SEAT or ctx.seat is not None:
        return False
    seats = [(one.game, one.seat) for one in at_seats(ctx) if one.game is not None and one.seat is not None]
    playing = [(game, seat) for game, seat in seats if game.running and not seat.moderates][:MOST_SEATS]
    for game, seat in playing:
        ctx.say(f"{game.name}: {OF_A_SEAT[want](ctx, game, seat, text)}")
    return bool(playing)


MOST_SEATS = 4


def _answer_at_the_server(ctx: Context, want: Wanted, line: str) -> str:
    ways = ways_in(ctx, named=True) if ctx.seat is None and want in _COMING_IN else []
    if ways:
        for way, about, _ in ways:
            ctx.offer(way, about, Meant.SURELY if len(ways) == 1 else Meant.MAYBE)
        return f"Nothing was done yet. To join {ways[0][2].name}, send {ways[0][0]}."
    comes_in = ctx.seat is None and plays_nothing(ctx)
    if want is Wanted.ANYBODY:
        ctx.say(_A_PROGRAM)
    if not (comes_in and line == _OPEN):
        show_line(ctx, line)
    if comes_in and (line == _OPEN or want is Wanted.NEWCOMER):
        ctx.give(welcome(ctx))
    return ""


_A_PROGRAM = (
    "Yes: this is a program, which reads every mail and answers it. What you write to the gamemaster of a game with"
    " PRESS TO GM, a person reads."
)
_COMING_IN = (Wanted.JOIN, Wanted.GAMES)
_OPEN = "LIST OPEN"


def fits(ctx: Context, want: Wanted, text: str) -> bool:
    """Whether a gamemaster's line for a wish has something that the sentence names, leaves out nothing, and would be
    done.
    """
    if ctx.looks.left <= 0 or not want.name.startswith(MASTERS) or not changes(ctx, want, text):
        return False
    proposal = proposal_for(ctx, want, text)
    whole = not proposal.left_out and all(option in proposal.line for option in options_in(text))
    return proposal.says_it and whole and fault_of(ctx, proposal.line) is None


def is_possible(ctx: Context, want: Wanted, text: str) -> bool:
    """Whether a gamemaster's line for a wish does something that can be taken back, and would be done now."""
    command = COMMANDS.by_title.get(title_of(want)) if want.name.startswith(MASTERS) and ctx.looks.left > 0 else None
    mild = command is not None and command.policy.consent is Consent.NONE and changes(ctx, want, text)
    return mild and fault_of(ctx, line_for(ctx, want, text)) is None


_ALL_MINE = "DASHBOARD"
"""What is shown where no game is named, of a wish for one."""


def _asked_where(ctx: Context, question: Question) -> str:
    """What is said of a wish for a game where none is named: its line is offered for each in which it would be done."""
    want, text = question.want, question.text
    if ctx.seat is not None:
        return ""
    if over := _named_as_over(ctx):
        code = goes_on_in(ctx.tx.session, over)
        if not code:
            return f"Nothing was changed: {over.name} is over."
        ctx.offer(f"GAME {over.name}\nROLLBACK {code}", "have it go on", Meant.MAYBE)
        return f"Nothing was changed: {over.name} is over. ROLLBACK {code} has it go on."

    def line(acting: Context) -> str:
        return line_for(acting, want, text) if changes(acting, want, text) else ""

    ways = [f"GAME {acting.game_name}\n{found}" for acting, found in in_games(ctx, line)]
    for way in ways:
        ctx.offer(way, want.value, Meant.SURELY if len(ways) == 1 else Meant.MAYBE)
    same = {way.partition(_NEXT)[2] for way in ways}
    if len(ways) > 1 and len(same) == 1 and _NEXT not in (one := same.pop()):
        names = [way.partition(_NEXT)[0].removeprefix("GAME ") for way in ways]
        ctx.offer(f"ALL GAMES {', '.join(names)}: {one}", f"{want.value}, in each of these")
    if len(ways) == 1:
        return f"Nothing was changed yet. To {want.value}, send {ways[0].replace(_NEXT, ' / ')}."
    return f"Nothing was changed yet. In which game are you to {want.value}? Send one of these." if ways else ""


def _named_as_over(ctx: Context) -> Game | None:
    """The only game that is over, of those that the sender runs, that the mail names."""
    if ctx.mail is None or ctx.person is None:
        return None
    names = ctx.tx.names_of_games(ctx.person, GameState.FINISHED, GameState.ABORTED)
    named = names.intersection(re.findall(r"[\w-]+", ctx.mail.message.text.lower()))
    game = ctx.tx.game_named(*named) if len(named) == 1 else None
    runs = game is not None and any(seat.moderates for seat in game.seats_of(ctx.person))
    return game if runs else None


def _left_out(ctx: Context, question: Question, offered: Sequence[str]) -> str:
    """What a gamemaster's line means, and what the sentence says that neither it nor what else is offered has."""
    missing = _missing(ctx, question, offered)
    if not _has_masters_line(ctx, question.want):
        return ""
    out = f" It leaves out {listed([repr(shorten(one)) for one in missing])}." if missing else ""
    if any(one.lower().startswith(_IF) for one in missing):
        out += _NOTHING_WAITS
    return f"{proposal_for(ctx, question.want, question.text).means}{out}"


_IF = ("if ", "unless ", "provided ", "falls ", "wenn ", "sofern ", "si ")
"""What a condition begins with."""


def _has_masters_line(ctx: Context, want: Wanted) -> bool:
    """Whether the line for a wish has parts of the sentence, and its writer runs games, or would by it."""
    return has_parts(ctx, want) and (ctx.runs_games or want is Wanted.CREATE)


_BUT = "ALL GAMES BUT "


def _missing(ctx: Context, question: Question, others: Sequence[str] = ()) -> list[str]:
    """What a sentence says that the line which a gamemaster is offered for it has not, nor any of the `others`, but for
    why it is wanted.
    """
    if not _has_masters_line(ctx, question.want):
        return []
    proposal = proposal_for(ctx, question.want, question.text)
    offered = [proposal.line, *others, *(one.line for one in ctx.answer.offers)]
    parts = (part for one in clauses(question.text) for part in _BEFORE_IF.split(one))
    conditions = [one for one in (*parts, *proposal.left_out) if depends(one)]
    beside = [part for one in question.beside for part in _apart_from(ctx, question.text, one)]
    conditions += (one for one in beside if goes_on(one) and not denies_order(ctx, one))
    unset = (one for one in clauses(question.text) if _is_unset(one, proposal.line))
    said = (*conditions, *proposal.left_out, *beside, *unset)
    unsaid = dict.fromkeys(plain(one.partition(BEFORE_WORDS)[0]) for one in said)
    missing = [one for one in unsaid if not any(one in text for text in (*offered, *conditions) if text != one)]
    names = [game.name for game in ctx.own_games] if proposal.line.startswith(_BUT) else []
    missing = [one for one in missing if not games_left_out(one, names)]
    if any(f"\n{_END}" in line for line in offered):  # the words for others are offered
        missing = [one for one in missing if tells_whom(ctx, one) is None]
    if proposal.line.startswith(FOR_THE_NEXT):
        missing = [one for one in missing if not WITH_THE_NEXT.search(one)]
    power = _ORDERS_OF.search(proposal.line)
    if power is not None:
        missing = [one for one in missing if not orders_told(ctx, Wanted.GM_CORRECT, one, [power[1]])]
    done = (one for one in missing if _only_explains(ctx, one) or _is_in(ctx, one, proposal.line))
    done_ = {*done, *(one for one in missing if _fulfils(ctx, question, proposal.line, one))}
    return [one for one in missing if one in conditions or one not in done_]


def _apart_from(ctx: Context, wish: str, sentence: str) -> Sequence[str]:
    """What of a sentence stands beside a wish: of one that has it and denies an order, the other clauses."""
    parts = clauses(sentence)
    others = [one for one in parts if one not in wish]
    denies = any(denies_order(ctx, one) for one in others)
    return others if denies and len(others) < len(parts) else [sentence]


_ORDERS_OF = re.compile(r"^ORDERS FOR (.+)$", re.MULTILINE)
_BEFORE_IF = re.compile(r"\s(?=(?:if|unless|provided|falls|sofern)\b(?! (?:not|so|possible|you)\b))", re.IGNORECASE)
"""Where a condition begins within a clause: `as a draw if neither objects`."""


def completed(ctx: Context, question: Question, around: str) -> Question:
    """The question, with the text around it if only that has what its line needs; an invitation to a seat that only
    that names as what it is: `France has left. Ask bob@example.net whether he wants it`.
    """
    invites = question.want is Wanted.GM_INVITE and _REFERS.search(question.text) is not None
    if invites and line_for(ctx, question.want, around).startswith("REPLACE "):
        return replace(question, text=around, want=Wanted.GM_REPLACE)
    lacks = line_for(ctx, question.want, question.text).startswith("HELP ") if around else False
    return replace(question, text=around) if lacks and changes(ctx, question.want, around) else question


_REFERS = re.compile(
    r"\b(?:it|them|there|(?:the|that|this|their|his|her) (?:seat|place|power|country)|instead)\b", re.I
)
"""What stands for a seat that was named."""


def _only_explains(ctx: Context, clause: str) -> bool:
    clause = without_game(clause, ctx.game_name)  # `Russia in mist wrote that ...`
    says_no_more = is_reason(clause) or is_told(clause) or denies_order(ctx, clause)
    return says_no_more or _SEE_TO_IT.fullmatch(clause) is not None


_SEE_TO_IT = re.compile(
    r"\W*(?:(?:and|so|then|please|kindly|just|now|can you|could you|bitte)\b\W*)*"
    r"(?:do|end|finish|settle|change|correct|fix|update|adjust|arrange|enter|note|handle|see to|take care of|ändere?"
    r"|korrigiere?)"
    r" (?:it|that|this|all (?:of )?(?:it|that|this)|das)"
    r"(?:\W+(?:accordingly|please|then|now|so|for (?:me|us)|bitte))*\W*",
    re.IGNORECASE,
)
"""What only points back at the wish beside it."""
_ADDRESSES = re.compile(r"(?<![^\s,;:<>()])[^\s,;:<>()@]++@[\w-]++(?:\.[\w-]++)*+")


def _is_in(ctx: Context, clause: str, line: str) -> bool:
    """Whether what a clause surely wants is among what the lines of a proposal do: `throw them out` in EJECT Italy."""
    clause = without_game(clause, ctx.game_name)
    words, titles_ = set(re.findall(r"\w+", clause.lower())), set(re.findall(r"\b[a-z]+\b", line.lower()))
    heads = {"with", *map(str.lower, SAYS.findall(clause))} if f"\n{_END}" in line else set()
    words -= _THEY_ARE_ASKED if "@" in line else set()
    if words <= FUNCTION_WORDS | titles_ | heads or (STANDBY.search(clause) and "eject" in titles_):
        return True
    if any(one in line for one in options_in(clause)):
        return True
    if (whose := _ADDRESSES.findall(clause)) and all(one in line for one in whose) and not time_in(clause):
        return True  # `from now on they use rome@example.org`
    if ":" in clause or len(clause.split()) < SHORTEST or _is_unset(clause, line):
        return False
    kinds = guess(ctx, clause).within(LIKELY)
    deeds = [title_of(want) for want in wanted(kinds) if want is not None and want.name.startswith(MASTERS)]
    vague = len(clause.split()) == SHORTEST  # `cancel it`
    alone = len(deeds) == len(kinds) if vague else len(deeds) == len(kinds) == 1
    return alone and any(f"{one} ".startswith(f"{deed} ") for deed in deeds for one in line.split("\n"))


_THEY_ARE_ASKED = frozenset(("please", "ask", "him", "her", "them"))
"""What goes without saying of whoever gets a seat, or helps: `please ask her`."""


def _fulfils(ctx: Context, question: Question, line: str, clause: str) -> bool:
    """Whether a clause without any time or name of its own has another name for the wish that the line for the whole
    text fulfils: `no deadlines over Christmas, that is from 24 December to 1 January`.
    """
    text = question.text
    named = ctx.game is not None and any(powers_named(ctx.game, ctx.seat, clause))
    if named or "@" in clause or re.search(r"\d", clause) or clause not in plain(text):
        return False
    wants = [want for want in wanted(guess(ctx, clause).within(SURE)) if want is not None]
    return question.want not in wants and any(line_for(ctx, want, text) == line for want in wants)


def _is_unset(clause: str, line: str) -> bool:
    """Whether a clause without any figure names an option that a line does not set, and has none of those it sets."""
    words = {*re.findall(r"[a-z]+", clause.lower())}.difference(PROSE, re.findall(r"[a-z]+", line.lower()))
    words -= {"deadlines"} if any(one in line for one in ("days=", " at=")) else set()  # on which days, and when
    unset = any(f"{name}=" not in line for name in words.intersection(BY_NAME))
    given = re.search(r"\d", clause) is not None or any(one in line for one in options_in(clause))
    return unset and not given and _SETS.search(line) is not None


_SETS = re.compile(r"\bSET [a-z]")
_END = "END"
"""What the last line of words for others begins with."""


def _has_these_places(game: Game) -> bool:
    """Whether the places of the examples are on the game's board; where somebody is at home makes no difference."""
    return game.lexicon.board.provinces == standard_board().provinces


def _example(game: Game, seat: Seat, want: Wanted) -> str:
    """How it is written, with units and places of the seat's own where it has such; "" where the examples of the
    standard board mean nothing.
    """
    if want not in EXAMPLES or not _has_these_places(game):
        return ""
    board = game.lexicon.board
    homes = [Location(one) for one in sorted(board.centers) if seat.power is not None and board.home(one) == seat.power]
    ports = [short(at) for at in homes if board.may_stand(UnitKind.FLEET, at)]
    if want is Wanted.HOW_TO_BUILD and homes and ports:
        army = next((short(at) for at in homes if short(at) != ports[0]), ports[0])
        return EXAMPLES[want].replace("F BRE", f"F {ports[0]}").replace("A PAR", f"A {army}")
    ordering = ordering_at(game, seat)
    if want is Wanted.HOW_TO_ORDER and ordering is not None and (own := ordering.in_example()):
        return f"An order is a unit, and what it does, one a line: {own}"
    return EXAMPLES[want]


def way_of(ctx: Context, want: Wanted, text: str) -> str:
    """How it is answered: different questions may have the same answer."""
    return want.name if want in SAID else line_for(ctx, want, text)


_OF_A_TURN = (Wanted.WHY, Wanted.HISTORY)


def _say(ctx: Context, game: Game, seat: Seat, want: Wanted, text: str) -> None:
    ordering = ordering_at(game, seat)
    if ordering is not None and OF_PHASE.get(want) is ordering.kind:
        ctx.say(what_is_possible(ctx, ordering, text) or EXAMPLES[want])
        return
    if game.running and OF_PHASE.get(want) is PhaseKind.ADJUSTMENT is game.present.position.phase.kind:
        ctx.say(f"Now you have nothing to build or remove. {own_places(game, seat)}".strip())
    if (say := SAID.get(want)) is not None:
        if said := say(ctx, game, seat, text):
            ctx.say(said)
    elif example := _example(game, seat, want):
        ctx.say(example)
        if want is not Wanted.HOW_TO_ORDER and not seat.moderates:
            ctx.offer("HELP ORDERS", Wanted.HOW_TO_ORDER.value)
            return
    if want in (Wanted.MAP, Wanted.POSITION) and game.position is not None and view_of(game, seat).unseen:
        ctx.say("In this game you see only a part of the board: the rest is hidden from you.")
    if want in _OF_A_TURN and not seat.moderates and (said := deeds_of(ctx, game, powers_named(game, seat, text))):
        ctx.say(said)
    of_masters = want.name.startswith(MASTERS) and want not in SAID
    if want is Wanted.COMMAND or of_masters or AT_A_SEAT.get(want) is not None:
        show_line(ctx, line_for(ctx, want, text))


def show_games(ctx: Context) -> None:
    """Show at the server's address the games of somebody of whose mail nothing was made: that they run, or play."""
    if not plays_nothing(ctx):
        show_line(ctx, "DASHBOARD" if ctx.runs_games else "LIST MINE")
