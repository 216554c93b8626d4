"""Questions and wishes in people's own words (`gm.parsing.sayings`), answered in the same reply.

Only what is sure is answered: what shows something is shown at once, and what changes something is offered as a line to
be sent with one tap. Other words are passed over, and said to be (`gm.inbound.wishes.passed_over`). A mail that speaks
to a player is not asked of gm.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from gm import patterns as re
from gm.commands import COMMANDS
from gm.commands.context import Context
from gm.inbound.acting import at_seats, seat_in
from gm.inbound.facts import OF_THE_SERVER, is_commanded, names_of_games, places_in
from gm.inbound.limited import not_meant
from gm.inbound.ordering import MOST_MEANT, ordering_at
from gm.inbound.plain_answers import proposing, taken
from gm.inbound.speech import spoken_to
from gm.inbound.wishes.asked import (
    A_NAME,
    MOST_AROUND,
    MOST_ASKED,
    SEVERAL,
    all_but,
    asked_in,
    asked_surely,
    games_named,
    gives_orders,
    of_new_game,
    only_states,
    own_wishes,
    puts_a_question,
    reason_of,
    sentences_here,
    that_say_more,
    with_remark,
    without_reasons,
)
from gm.inbound.wishes.guesses import (
    OF_WRITER,
    guess,
    is_known,
    message_in,
    says_to_others,
    wanted,
)
from gm.inbound.wishes.lines import (
    as_corrected,
    changes,
    game_of_mail,
    line_for,
    without_somebody,
)
from gm.inbound.wishes.masters_wishes import because, in_all, title_of
from gm.inbound.wishes.question_answers import (
    MOST_SEATS,
    Question,
    chair_of,
    is_only_explained,
)
from gm.inbound.wishes.shown import OF_A_SEAT
from gm.inbound.wishes.talk import (
    MOST_LINES,
    first_of_talk,
    greeting_settled,
    is_about,
    is_for_nobody,
    is_open_talk,
    may_want,
    parts_of_talk,
    passed_over,
    said_beside,
    unsigned,
    unwrapped,
    with_lists,
    with_talk_passed,
    without_headings,
)
from gm.mail.message.incoming import Message
from gm.mail.message.voices import takes_back
from gm.parsing.courtesies import ASSENT
from gm.parsing.game_names import (
    about_games,
    are_others,
    asks_of_all_games,
    but_for_games,
    games_in,
    games_left_out,
    in_lists,
    plain,
    spared,
    stays,
    without_all_games,
    without_game,
    without_games,
)
from gm.parsing.meant_words import says
from gm.parsing.message import CommandLine, PressBlock
from gm.parsing.own_sentences import depends
from gm.parsing.questions import (
    Wanted,
    clauses,
    is_asking,
    is_reason,
    is_told,
    requests,
    sentences,
    wants_to_know,
    wishes,
    without_telling_why,
    wonders,
)
from gm.parsing.sayings import LIKELY, MASTERS
from gm.play.questions import accepts, beside_yes, drops
from gm.reading.line import Line, Lines, Reason, asks_anything, said_so, settled
from gm.store.game_rows import GameState
from gm.time_words import with_units


def questions_in(ctx: Context, lines: Lines, instead_of: Sequence[str] = ()) -> tuple[Lines, tuple[Question, ...]]:
    """The lines, those that ask something settled: as answered, or as asked about where that changes something or is in
    doubt. And the questions. `instead_of`: lines that were proposed, and are not wanted so: `No, only as an assistant`.
    """
    if not ctx.guesses:
        return with_talk_passed(ctx, lines), ()
    lines, taken = _taken_back(ctx, lines)
    instead_of = (*instead_of, *taken)
    idle, quiet = not asks_anything(lines), is_commanded(ctx, lines)
    near, far = first_of_talk(ctx, without_headings(ctx, unwrapped(ctx, unsigned(ctx, lines))))
    near = near if idle else tuple(greeting_settled(ctx, line) for line in near)
    near = with_lists(ctx, _with_games(ctx, _with_corrections(ctx, _with_units(ctx, near))))
    near = tuple(_without_telling_why(ctx, line) for line in near)
    around = " ".join(line.text.strip() for line in near if is_open_talk(ctx, line))[:MOST_AROUND]
    near = tuple(part for line in near for part in parts_of_talk(ctx, line))
    corrected = _corrected(ctx, instead_of, around)
    own_words = around
    around = " ".join((*instead_of, around)) if ctx.runs_games else around  # what gm proposed is not the player's
    letter = next((at for at, line in enumerate((*near, *far)) if _heads_letter(ctx, line)), None)
    if letter is not None:  # what stands above it is not for the other player
        near, far = (*near, *far)[:letter], (*near, *far)[letter:]
    found: dict[tuple[Wanted, str], Question] = {}
    settled_lines = []
    asking = any(wonders(line.text) for line in near if is_open_talk(ctx, line))
    for line in near:
        looks = is_open_talk(ctx, line) and len(found) < MOST_ASKED
        own = asked_in(ctx, line, around) if looks else ()
        own = (_of_chair(ctx, line, around, own) if looks else ()) or own
        own = (_of_seats(ctx, line, around, own) if looks else ()) or own
        own = (_of_several(ctx, line, own) if looks else ()) or own
        own = own if idle else tuple(one for one in own if not _only_tells(ctx, one))
        own = tuple(one for one in own if not _only_states_it(ctx, one)) if asking and not ctx.runs_games else own
        replaced = [one for one in own if _is_replaced(ctx, one, around)]
        line = settled(line, Reason.OFFERED) if replaced and not gives_orders(ctx, line.text) else line
        own = tuple(one for one in own if one not in replaced)
        own = tuple(_beside_commands(ctx, line, own)) if quiet else own
        new = {(one.want, f"{one.games}{line_for(ctx, one.want, one.text)}"): one for one in own}
        found |= {key: one for key, one in new.items() if key not in found}
        own = own or (corrected if is_open_talk(ctx, line) else ())
        said_ = settled(line, Reason.ANSWERED if quiet else reason_of(ctx, own)) if own else None
        silent = quiet and not (requests(line.text) or _GOES_ON.match(line.text))
        settled_lines.append(said_ or (line if silent else passed_over(ctx, line, idle=idle)))
    if found and not ctx.runs_games:
        settled_lines = [settled(line, Reason.ANSWERED) if _says_why(ctx, line) else line for line in settled_lines]
    if ctx.runs_games and any(_GRANTS_NOTHING.search(line.text) for line in near if is_open_talk(ctx, line)):
        found = {key: one for key, one in found.items() if not changes(ctx, one.want, one.text)}
    found = found or {(one.want, ""): one for one in corrected}
    if ctx.runs_games and not quiet:
        offers = any(changes(ctx, one.want, one.text) for one in found.values())
        settled_lines = [said_beside(line) if offers or says_to_others(line.text) else line for line in settled_lines]
    passed = far
    if letter is None:
        passed = tuple(settled(line, Reason.PASSED) if is_for_nobody(ctx, line, idle=idle) else line for line in far)
    more = ctx.runs_games and any(line.is_for(Reason.PASSED) and may_want(ctx, line.text) for line in settled_lines)
    found = {key: replace(one, partly=one.partly or more or _is_for_later(one)) for key, one in found.items()}
    of_games = [one for one in found.values() if one.games]
    asked = [one for one in found.values() if one not in of_games]
    asked = with_remark(of_new_game(ctx, without_reasons(ctx, asked), own_words))
    settled_lines = [replace(line, text=plain(line.text)) for line in settled_lines]
    asked = that_say_more(ctx, asked) if ctx.runs_games else asked
    return (*settled_lines, *passed), (*of_games, *asked)[:MOST_ASKED]


_GOES_ON = re.compile(r"\W*(?:and|also|plus|und|auch|et|aussi)\b", re.IGNORECASE)
"""What goes on with what stands before it: `And the sixth of January as well`."""


_GRANTS_NOTHING = re.compile(
    r"\b(?:they|he|she|nobody|no one)(?:['’]ll| will| shall| do| does)*(?: not)? gets? (?:none|nothing|any) of"
    r" (?:that|it|this)\b|\bi (?:won['’]?t|will not|shall not) (?:do|give|grant|allow) (?:any|none|anything) of\b",
    re.IGNORECASE,
)
"""What refuses all that others want: `England wants a draw, Turkey a week. They get none of that.`"""


def _says_why(ctx: Context, line: Line) -> bool:
    """Whether a player's line beside what is answered only states something, and is near to no wish: it says why."""
    states = line.is_for(Reason.PASSED) and is_reason(line.text) and not wonders(line.text)
    near = wanted(guess(ctx, line.text).within(LIKELY)) if states else ()
    return states and not any(want is not None and changes(ctx, want, line.text) for want in near)


def _is_for_later(question: Question) -> bool:
    """Whether what is done at once is wanted at a time to come: `from next week on write to new@example.org`."""
    return question.want in _AT_ONCE and _LATER.search(question.text) is not None


_AT_ONCE = (Wanted.ADDRESS, Wanted.RESIGN, Wanted.NAME)
_MONTHS = "jan|feb|mar|m[äa]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]"
_LATER = re.compile(
    r"\b(?:soon|bald|bientôt|next (?:week|month|year)"
    r"|(?:from|as of|until|till|after) (?:then|tomorrow|the \d|\d|mon|tue|wed|thu|fri|sat|sun)"
    r"|n[äa]chsten? (?:woche|monat)|ab (?:dem|morgen|\d|mo|di|mi|do|fr|sa|so)"
    rf"|(?:ab|from|as of|in|à partir de) (?:{_MONTHS})|la semaine prochaine|à partir)",
    re.IGNORECASE,
)


def wants_something(ctx: Context, lines: Lines) -> bool:
    """Whether a sentence surely asks something of the program, or for something: an absence notice asks for nothing."""
    if not ctx.guesses:
        return False
    asked = asked_surely(ctx, [one for one in _said_in(ctx, lines) if requests(one) or wonders(one)])
    return any(one.want is not Wanted.ABSENCE for one in asked)


def _says_days(ctx: Context, lines: Lines) -> bool:
    """Whether a sentence surely says on which days its writer is away: more than the subject `absence`."""
    asked = asked_surely(ctx, [*_said_in(ctx, lines)]) if ctx.guesses else ()
    return any(one.want is Wanted.ABSENCE and " TO " in line_for(ctx, one.want, one.text) for one in asked)


def is_notice(ctx: Context, lines: Lines) -> bool:
    """Whether a mail whose subject speaks of absence is a program's, as far as can be seen: it asks for nothing, and
    does not speak of games, to which somebody known has sent it.
    """
    said = [*_said_in(ctx, lines)] if ctx.person is not None else []
    asks_us = any(_OF_GAMES.search(one) or (puts_a_question(one) and requests(one)) for one in said)
    return not (asks_us or wants_something(ctx, lines))


_OF_GAMES = re.compile(
    r"\b(?:games?|diplomacy|deadlines?|game ?masters?|spielleit\w*|partien?|spiele?n?|parties?|partidas?)\b",
    re.IGNORECASE,
)


def says_something(ctx: Context, lines: Lines) -> bool:
    """Whether a mail has words of its own that want something: then its subject is about them. Who runs games may
    begin or end one by a word, so whatever may be a wish is.
    """
    wants = wants_something(ctx, lines) or _says_days(ctx, lines)
    return wants or (ctx.runs_games and any(is_about(ctx, one) for one in _said_in(ctx, lines)))


def _said_in(ctx: Context, lines: Lines) -> Iterator[str]:
    """The sentences of a mail's first lines that are talk and have no fate yet."""
    yield from (one for line in lines[:MOST_LINES] if is_open_talk(ctx, line) for one in sentences(line.text))


_AS_MASTER = re.compile(
    r"\b(?:(?:and|also|now|then|but) ){0,4}(?:speaking |writing )?(?:as|in my role as|from) (?:the |your |its |a )?"
    r"(?:gm|game ?master|moderator|host|spielleiter\w*)\b(?: of [\w-]+)?[ ,:;.!\u2013-]*+",
    re.IGNORECASE,
)


def _without_telling_why(ctx: Context, line: Line) -> Line:
    """A gamemaster's line that says why something is to be done, without the sentence that asks to tell the players:
    whatever has a reason tells them.
    """
    if not (ctx.runs_games and line.is_talk and is_open_talk(ctx, line) and because(line.text)):
        return line
    said = without_telling_why(line.text).strip()
    text = " ".join(one for one in sentences(said) if _TELLS_OF_IT.fullmatch(one) is None)
    return said_so(line, text) if text else line


_TELLS_OF_IT = re.compile(
    r"\W*+(?:(?:and|please|also)\b\W*+)*+(?:tell|inform|notify|let)\b(?: the)?"
    r" (?:them|everybody|everyone|all|players|others)(?: (?:all|players|of them))?"
    r"(?: (?:know|why|so|that|this|about it|the reason))*+\W*+",
    re.IGNORECASE,
)


def _of_chair(ctx: Context, line: Line, around: str, own: Sequence[Question]) -> tuple[Question, ...]:
    """What somebody who plays and runs a game wants as its gamemaster, at the seat where they play: what they say that
    they write as such, or what only they can want.
    """
    chair = chair_of(ctx)
    said = _AS_MASTER.search(line.text)
    if chair is None or (own and said is None):
        return ()
    text = (
        f"{line.text[: said.start()]} {line.text[said.end() :]}".strip(" ,;:-\u2013") if said is not None else line.text
    )
    wanted_ = asked_in(chair, replace(line, text=text), around)
    masters = (one for one in wanted_ if changes(chair, one.want, one.text))
    return tuple(replace(one, as_master=True) for one in masters if said is not None or _is_of_masters(one))


def _of_seats(ctx: Context, line: Line, around: str, own: Sequence[Question]) -> tuple[Question, ...]:
    """What a player's line at the server's address asks of the few games that they play: of those with the places that
    it names, if it names some.
    """
    served = any(one.want.name in OF_THE_SERVER or one.want in OF_A_SEAT for one in own) or game_of_mail(ctx)
    if ctx.seat is not None or ctx.runs_games or served or not puts_a_question(line.text):
        return ()
    seats = [at for at in at_seats(ctx) if at.game is not None and at.game.running][:MOST_SEATS]
    seats = [at for at in seats if places_in(at, line.text)] or seats
    asked = ((at.game_name, one) for at in seats for one in asked_in(at, line, around))
    return tuple(replace(one, games=(name,)) for name, one in asked if not changes(ctx, one.want, one.text))


def _of_several(ctx: Context, line: Line, own: Sequence[Question]) -> tuple[Question, ...]:
    """What a line asks about several games of who runs them: each clause is read at the seats of the games that it
    names, or of those that were named before it; at the server's address of all, where only a gamemaster's facts are
    asked, and no game is named. Beside it is what was understood neither there nor here; what it wishes stays.
    """
    names = names_of_games(ctx)() if ctx.runs_games and is_asking(line.text) else ()
    text = in_lists(_OR.sub(" and ", line.text), names) if len(names) >= SEVERAL else ""
    parts = [part for one in sentences_here(ctx, text) for part in own_wishes(one)] if text else []
    named = [_games_of(part, names) for part in parts]
    of_all = ctx.seat is None and bool(own) and all(one.want.name.startswith(MASTERS) for one in own)
    about = next(filter(None, named), tuple(all_but(ctx, "")) if of_all else ())
    if {*about, *(name for one in named for name in one)} <= {ctx.game_name}:
        return ()
    found, left = dict[tuple[Wanted, str], Question](), list[str]()
    for part, games in zip(parts, named, strict=True):
        about = games or about
        asked = [one for name in about for one in _asked_in_game(ctx, line, part, about, name)]
        asked = [one for one in asked if one.want.name.startswith(MASTERS)] or asked  # of a game that they only play
        asked = asked or [*asked_surely(ctx, [part])]
        for one in asked:
            if changes(ctx, one.want, one.text):
                continue
            same = found.get((one.want, one.text), replace(one, games=()))
            found[one.want, one.text] = replace(one, games=(*same.games, *one.games))
        left += [] if asked else [plain(part)]
    kept = [one for one in own if changes(ctx, one.want, one.text)]
    return (*kept, *(replace(one, beside=() if kept else tuple(left)) for one in found.values()))


_OR = re.compile(r" (?:or|oder|ou) ", re.IGNORECASE)


def _games_of(text: str, names: Collection[str]) -> tuple[str, ...]:
    """The games, of these, that a clause of a question names, or all but those that it leaves out."""
    every = set(names).difference(games_left_out(text, [*names])) if asks_of_all_games(plain(text)) else ()
    return tuple(sorted(every)) or games_named(text, names)


def _asked_in_game(ctx: Context, line: Line, text: str, games: Sequence[str], name: str) -> Iterator[Question]:
    """What a clause about these games asks in one of them, where it need not name it."""
    at, said = seat_in(ctx, name), without_all_games(without_games(text))
    for game in games:
        said = without_game(said, game)
    asked = asked_in(at, replace(line, text=_ENDS.sub("", said)), "") if at is not ctx else ()
    for one in asked:
        if one.want.name not in OF_THE_SERVER and not changes(at, one.want, one.text):
            yield replace(one, games=(at.game_name,))


_ENDS = re.compile(r"(?<![ ,;])[ ,;]++(?=[?!.]*+\Z)")


def _is_of_masters(question: Question) -> bool:
    """Whether a wish is one that only who runs a game can have."""
    command = COMMANDS.by_title.get(title_of(question.want))
    return command is not None and command.for_master


def _beside_commands(ctx: Context, line: Line, own: Sequence[Question]) -> Iterator[Question]:
    """What is left of what a line asks for beside commands that do something: its questions, what it wants to be shown,
    and its other wishes as such that are only said. What heads a text or a command, and what only tells something,
    explains these.
    """
    if line.text.rstrip().endswith(":"):
        return
    parts = clauses(line.text)
    states = not (requests(line.text) or any(map(depends, parts))) and any(map(only_states, parts))
    for one in own:
        asked = wonders(one.text) or wants_to_know(one.text) or requests(one.text)
        if (changes(ctx, one.want, one.text) and not states) or (requests(one.text) and is_only_explained(ctx, one)):
            yield replace(one, quiet=True)
        elif asked:
            yield one


def _only_tells(ctx: Context, question: Question) -> bool:
    """Whether a sentence beside commands or orders only tells something, of which nothing could be made but to explain
    a command: `here are her orders:`.
    """
    return is_only_explained(ctx, question) and not requests(question.text)


def _only_states_it(ctx: Context, question: Question) -> bool:
    """Whether a player's words beside a question only tell something, and nothing of their writer, of which at most an
    answer would be made: `but until Sunday still here`.
    """
    asks = any(says_so(question.text) for says_so in (wonders, requests, wants_to_know, OF_WRITER.search))
    asks = asks or is_known(ctx, question.text)
    return not asks and len(question.text.split()) > _FEW_WORDS and not changes(ctx, question.want, question.text)


_FEW_WORDS = 3
"""So few words beside a question may be one, too: `and the deadline`."""


def _heads_letter(ctx: Context, line: Line) -> bool:
    """Whether a line heads words for another player, or for somebody whom nobody here is."""
    if not is_open_talk(ctx, line) or _asks(ctx, line):
        return False
    found = spoken_to(ctx, line.text)
    return found.heads or found.error is not None


def _is_replaced(ctx: Context, question: Question, around: str) -> bool:
    """Whether a wish to delete orders only leads to others in their place: `scratch that, make it an army`."""
    line, ordering = line_for(ctx, question.want, question.text), ordering_at(ctx.game, ctx.seat)
    if question.want is not Wanted.CLEAR or ordering is None:
        return False
    own = next((one for one in sentences(around) if question.text in one), question.text)
    said = around if says(question.text, "it") else own
    parts = [part for part in clauses(said)[:MOST_MEANT] if not says(part, "cancel")]
    ways = [found.ways[0] for part in parts for found in ordering.readings([part]) if found.ways and found.named]
    units = {ordering.unit_of(order) for way in ways for order in way}
    return bool(units) and (line == Wanted.CLEAR.name or ordering.unit_of(line.removeprefix("CLEAR ")) in units)


def _with_units(ctx: Context, lines: Lines) -> Lines:
    """The lines, in a gamemaster's talk each length of time with its unit, which may stand in a line above."""
    if not (ctx.runs_games and lines):
        return lines
    whole = _BETWEEN.join(line.text if is_open_talk(ctx, line) else "" for line in lines)
    texts = with_units(whole).split(_BETWEEN)
    return tuple(replace(line, text=text or line.text) for line, text in zip(lines, texts, strict=True))


def _with_corrections(ctx: Context, lines: Lines) -> Lines:
    """The lines, a gamemaster's talk without the powers, addresses and times that are said better further on."""
    talk = [ctx.runs_games and is_open_talk(ctx, line) and not message_in(ctx, line.text)[1] for line in lines]
    return tuple(
        replace(line, text=as_corrected(ctx, line.text)) if mine else line
        for line, mine in zip(lines, talk, strict=True)
    )


_BETWEEN = "\n\x1f"
"""What parts lines, each of which may have several that go on below each other, and stands in none."""


def _with_games(ctx: Context, lines: Lines) -> Lines:
    """The lines of somebody who runs several games: a list of games is one value, which is read before what is wanted
    of them; a clause that says that games stay as they are is none of the wishes, and takes these out of `all`; and
    what names no game is, at the server's address, about those that were named before it.
    """
    names = names_of_games(ctx)() if ctx.runs_games else ()
    if len(names) < SEVERAL:
        return lines
    texts = [in_lists(line.text, names) if is_open_talk(ctx, line) else "" for line in lines]
    staying = [clause for text in texts for clause in clauses(text) if stays(clause)]
    over = ctx.tx.names_of_games(ctx.known(), GameState.FINISHED, GameState.ABORTED) if staying else ()
    kept = {clause: spared(clause, {*names, *over}) for clause in staying}
    stay = {name for own in kept.values() for name in own}
    named = {name for text in texts for name in A_NAME.findall(text.lower())}.intersection(names)
    about: Sequence[str] = ()
    found = []
    for line, whole in zip(lines, texts, strict=True):
        text = whole
        for clause in (clause for clause, own in kept.items() if own or are_others(clause)):
            text = _LOOSE.sub("", text.replace(clause, "")).rstrip(" ;,")
        wish, but = but_for_games(text, names)
        if {*but, *stay} == named and (ctx.seat is None or ctx.game_name in but) and not in_all(ctx, text):
            about = all_but(ctx, "", named) if named else about
            text = about_games(wish, about) if named and wish else text
        elif in_all(ctx, text) and not games_in(text):
            about = all_but(ctx, text, stay)
            text = about_games(text, about) if stay or _goes_on_behind(ctx, text, names) else text
        elif text and games_in(text):
            about, text = games_in(text), wish
        elif text and about and ctx.seat is None and frozenset(names).isdisjoint(A_NAME.findall(text.lower())):
            text = about_games(text, about)
        found.append(replace(line, text=text) if text else line)
    return tuple(found)


_LOOSE = re.compile(r"[,;][ ]*+(?=[.;,!?])|(?<=[.;!?])(?:[ ]*+[.;,!])++")
"""The signs behind a clause that was taken out."""


def _goes_on_behind(ctx: Context, text: str, names: Collection[str]) -> bool:
    """Whether a sentence wants more behind what is for all games, and names none, of these, for that."""
    *before, last = wishes(text)
    named = frozenset(names).intersection(A_NAME.findall(last.lower()))
    return any(in_all(ctx, one) for one in before) and not in_all(ctx, last) and not named


def agreed(ctx: Context, message: Message) -> str:
    """The only lines that a mail of ours proposes, if its answer is YES with more words, which surely wish the same and
    name no time, power or address of their own: `Yes, let them go now.`
    """
    said = beside_yes(message.text, message.sender_name) if accepts(message.text, message.sender_name) else ()
    mail = proposing(ctx, message) if len(said) == 1 else None
    if mail is None or len(mail.proposes) != 1:
        return ""
    way = mail.proposes[0]
    wish = _YES_THEN.sub("", said[0])
    wants = [want for want in wanted(guess(ctx, wish).within(LIKELY)) if want is not None]
    lines = [line_for(ctx, want, wish) for want in wants if f"\n{way}".count(f"\n{title_of(want)}") == 1]
    return taken(ctx, mail, way) if lines and {*lines[0].split()} <= {*way.split()} else ""


_YES_THEN = re.compile(rf"\A\W*+{ASSENT}\b\W*+(?:and|please)?\s*", re.IGNORECASE)


def _asks(ctx: Context, line: Line) -> bool:
    """Whether a gamemaster's line surely wants something of the program, and may have words for others behind it."""
    return (
        ctx.at_chair and bool(message_in(ctx, line.text)[1]) and bool(asked_surely(ctx, sentences_here(ctx, line.text)))
    )


def _corrected(ctx: Context, instead_of: Sequence[str], text: str) -> tuple[Question, ...]:
    """The wish of a gamemaster of which a line was proposed, with what a text says of it: the power, the time."""
    found = []
    for line in instead_of if ctx.runs_games else ():
        name = ctx.commands.reader.name_of(line)
        title = ctx.commands[name].title if name is not None else line.split()[0]
        want = Wanted.__members__.get(f"{MASTERS}{title.replace(' ', '_')}")
        said = with_units(f"{line} {text}")
        bare = f"{title} {said.removeprefix(line).strip()}"  # `no, one day is enough`
        wholes = dict.fromkeys((f"{without_somebody(ctx, line, text)} {text}", said, bare))
        before = (line, line_for(ctx, want, line)) if want else ()
        fits_ = (one for one in wholes if want and changes(ctx, want, one) and line_for(ctx, want, one) not in before)
        if want is not None and (whole := next(fits_, "")):
            found.append(Question(whole, want))
    return tuple(found)


def _taken_back(ctx: Context, lines: Lines) -> tuple[Lines, tuple[str, ...]]:
    """The lines, a command settled as not done if the words below it say that it is not meant, or not so: `No, make
    that three days`; and these commands.
    """
    found, taken = list(lines), []
    for at, (line, below) in enumerate(pairwise(lines)):
        meant = line.meaning
        if line.fate is not None or not isinstance(meant, CommandLine | PressBlock) or not is_open_talk(ctx, below):
            continue
        command = ctx.commands[meant.name if isinstance(meant, CommandLine) else meant.kind]
        text = line.text.strip()
        dropped = drops(below.text)
        if command.syntax.asks or not (dropped or takes_back(below.text)):
            continue
        if dropped or _forbids(below.text) or _corrected(ctx, (text,), below.text):
            found[at] = not_meant(ctx, line, below.text)
            taken.append(text)
    return tuple(found), tuple(taken)


_NONE_OF = re.compile(r"\b(?:no|kein\w*|pas de|aucun\w*) (?!wait\b)\w+", re.IGNORECASE)


def _forbids(text: str) -> bool:
    """Whether a clause says not to do something, and does not only tell something: `not yet`, `do not`, `wait`; what
    there is none of, `no time`, tells something.
    """
    own = (_NONE_OF.sub("", one) for one in clauses(text) if not is_reason(one) and not is_told(one))
    return any(says(one, "not") or says(one, "hold") or says(one, "cancel") for one in own)
