"""Questions and wishes in people's own words (`gm.parsing.sayings`), answered in the same reply.

What only shows something is shown at once, if it is sure; in a mail that asks for nothing else also if it is only the
likeliest, with others as offers. What changes something is offered as a line to be sent with one tap. Other words are
passed over, and said to be (`gm.inbound.wishes.passed_over`). A mail that speaks to a player is not asked of gm.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise, takewhile

from gm import patterns as re
from gm.commands import COMMANDS
from gm.commands.context import Context
from gm.commands.help import plays_nothing
from gm.errors import NotUnderstood
from gm.games.questions import ASSENT, accepts, beside_yes, drops
from gm.inbound.acting import at_seats
from gm.inbound.facts import OF_THE_SERVER, is_commanded, names_known, names_of_games, places_in
from gm.inbound.limited import not_meant
from gm.inbound.ordering import MOST_MEANT, ordering_at, orderings_of
from gm.inbound.plain_answers import proposing, taken
from gm.inbound.speech import speaks, spoken_to
from gm.inbound.wishes.guesses import (
    OF_ORDERS,
    OF_WRITER,
    REPORTS,
    applies,
    guess,
    is_known,
    is_nothing,
    is_question_of_rules,
    kinds_of_clauses,
    message_in,
    message_marked,
    of_absence,
    of_board,
    powers_named,
    says_to_others,
    takes_words,
    tells_whom,
    wanted,
    with_words,
    words_end,
)
from gm.inbound.wishes.lines import (
    as_corrected,
    changes,
    command_in,
    game_of_mail,
    line_for,
    topic_in,
    without_somebody,
)
from gm.inbound.wishes.masters_wishes import (
    OF_A_POWER,
    TAKES_WORDS,
    because,
    games_run,
    in_all,
    is_vague,
    title_of,
)
from gm.inbound.wishes.question_answers import (
    MOST_SEATS,
    Question,
    asks_of_something,
    chair_of,
    completed,
    fits,
    is_done_at_once,
    is_only_explained,
    is_possible,
    is_said,
    way_of,
)
from gm.inbound.wishes.shown import OF_A_SEAT, known_people
from gm.mail.message.incoming import Message
from gm.mail.message.voices import heads_orders, takes_back
from gm.parsing.game_names import (
    BEFORE_WORDS,
    about_games,
    are_others,
    but_for_games,
    games_in,
    games_left_out,
    in_lists,
    mention,
    plain,
    spared,
    stays,
    without_added,
    without_game,
)
from gm.parsing.likely_commands import time_in
from gm.parsing.meant import says
from gm.parsing.message import CommandLine, Complaint, PressBlock, Talk
from gm.parsing.own_sentences import depends, goes_on, has_words
from gm.parsing.questions import (
    OF_IT,
    Wanted,
    asks_beside,
    begins_because,
    clauses,
    is_reason,
    is_refused,
    is_told,
    meaning_asked,
    only_asks,
    points_back,
    requests,
    sentences,
    speaks_of_others,
    wants_to_know,
    wishes,
    with_reason_bound,
    with_then,
    without_lead,
    without_telling_why,
    wonders,
)
from gm.parsing.questions import asks as is_question
from gm.parsing.sayings import LIKELY, MASTERS, SURE, Likely
from gm.parsing.sentences import names_power
from gm.reading.line import Line, Lines, Origin, Reason, asks_anything, line_of, said_so, settled
from gm.store.game_rows import GameState
from gm.time_words import with_units

_MOST = 4
"""The most questions that are answered in one reply."""
MOST_LINES = 40
"""So many lines of a mail's talk are looked at for questions: who asks, does so early."""
LEAST_ASKED = 2
"""So many words ask something by themselves: `How?` is about what stands before it."""
_MOST_CLAUSES = 80
"""So many clauses of it: each is guessed at."""
_MOST_AROUND = 4_000
"""So many characters of the other sentences are looked at for what one lacks."""
_MOST_WORDS = 30
"""Longer sentences are not asked of a program."""
_OTHERS = 3
"""So many of the next likeliest are offered beside an answer that is not sure."""


def questions_in(ctx: Context, lines: Lines, instead_of: Sequence[str] = ()) -> tuple[Lines, tuple[Question, ...]]:
    """The lines, those that ask something settled: as answered, or as asked about where that changes something or is in
    doubt. And the questions. `instead_of`: lines that were proposed, and are not wanted so: `No, only as an assistant`.
    """
    if not ctx.guesses:
        return with_talk_passed(ctx, lines), ()
    lines, taken = _taken_back(ctx, lines)
    instead_of = (*instead_of, *taken)
    idle, quiet = not asks_anything(lines), is_commanded(ctx, lines)
    near, far = _first_of_talk(ctx, _without_headings(ctx, _unwrapped(ctx, _unsigned(ctx, lines))))
    near = near if idle else tuple(_greeted(ctx, line) for line in near)
    near = _with_lists(ctx, _with_games(ctx, _with_corrections(ctx, _with_units(ctx, near))))
    near = tuple(_without_telling_why(ctx, line) for line in near)
    around = " ".join(line.text.strip() for line in near if _is_open_talk(ctx, line))[:_MOST_AROUND]
    near = tuple(part for line in near for part in _parts(ctx, line))
    corrected = _corrected(ctx, instead_of, around)
    own_words = around
    around = " ".join((*instead_of, around)) if ctx.runs_games else around  # what gm proposed is not the player's
    letter = next((at for at, line in enumerate((*near, *far)) if _heads_letter(ctx, line)), None)
    if letter is not None:  # what stands above it is not for the other player
        near, far = (*near, *far)[:letter], (*near, *far)[letter:]
    found: dict[tuple[Wanted, str], Question] = {}
    settled_lines = []
    talk = [line for line in near if _is_open_talk(ctx, line)] if ctx.runs_games else []
    certain = any(_asked_in(ctx, line, around, idle=False) for line in talk)
    asking = any(wonders(line.text) for line in near if _is_open_talk(ctx, line))
    for line in near:
        looks = _is_open_talk(ctx, line) and len(found) < _MOST
        states = (asking or len(near) > 1) and is_reason(line.text) and not wonders(line.text)
        guesses = (idle and not certain and not states) or _is_question(line.text)
        guesses = guesses and not (found and points_back(line.text))
        own = _asked_in(ctx, line, around, idle=guesses) if looks else ()
        own = (_of_chair(ctx, line, around, own) if looks else ()) or own
        own = (_of_seats(ctx, line, around, own) if looks else ()) or own
        own = own if idle else tuple(one for one in own if not _only_tells(ctx, one))
        own = tuple(one for one in own if not _only_states_it(ctx, one)) if asking and not ctx.runs_games else own
        replaced = [one for one in own if _is_replaced(ctx, one, around)]
        line = settled(line, Reason.OFFERED) if replaced and not _gives_orders(ctx, line.text) else line
        own = tuple(one for one in own if one not in replaced)
        own = tuple(_beside_commands(ctx, line, own)) if quiet else own
        new = {(one.want, f"{one.game}{line_for(ctx, one.want, one.text)}"): one for one in own}
        found |= {key: one for key, one in new.items() if key not in found}
        own = own or (corrected if _is_open_talk(ctx, line) else ())
        said_ = settled(line, Reason.ANSWERED if quiet else _reason(ctx, own)) if own else None
        silent = quiet and not requests(line.text)
        settled_lines.append(said_ or (line if silent else _passed_over(ctx, line, idle=idle)))
    found = found or {(one.want, ""): one for one in corrected}
    if ctx.runs_games and not quiet:
        offers = any(changes(ctx, one.want, one.text) for one in found.values())
        settled_lines = [_said_beside(line) if offers or says_to_others(line.text) else line for line in settled_lines]
    passed = far
    if letter is None:
        passed = tuple(settled(line, Reason.PASSED) if _is_for_nobody(ctx, line, idle=idle) else line for line in far)
    more = ctx.runs_games and any(line.is_for(Reason.PASSED) and _may_want(ctx, line.text) for line in settled_lines)
    found = {key: replace(one, partly=one.partly or more or _is_for_later(one)) for key, one in found.items()}
    asked = _with_remark(_of_new_game(ctx, _without_reasons(ctx, list(found.values())), own_words))
    settled_lines = [replace(line, text=plain(line.text)) for line in settled_lines]
    return (*settled_lines, *passed), tuple(_that_say_more(ctx, asked) if ctx.runs_games else asked)[:_MOST]


def _is_for_later(question: Question) -> bool:
    """Whether what is done at once is wanted at a time to come: `from next week on write to new@example.org`."""
    return question.want in _AT_ONCE and _LATER.search(question.text) is not None


_OF_AN_ADDRESS = (Wanted.ADDRESS, Wanted.DEPUTY)
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
    asked = _surely(ctx, [one for one in _said_in(ctx, lines) if requests(one) or wonders(one)])
    return any(one.want is not Wanted.ABSENCE for one in asked)


def _says_days(ctx: Context, lines: Lines) -> bool:
    """Whether a sentence surely says on which days its writer is away: more than the subject `absence`."""
    asked = _surely(ctx, [*_said_in(ctx, lines)]) if ctx.guesses else ()
    return any(one.want is Wanted.ABSENCE and " TO " in line_for(ctx, one.want, one.text) for one in asked)


def is_notice(ctx: Context, lines: Lines) -> bool:
    """Whether a mail whose subject speaks of absence is a program's, as far as can be seen: it asks for nothing, and
    does not speak of games, to which somebody known has sent it.
    """
    said = [*_said_in(ctx, lines)] if ctx.person is not None else []
    asks_us = any(_OF_GAMES.search(one) or (_is_question(one) and requests(one)) for one in said)
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
    return wants or (ctx.runs_games and any(_is_about(ctx, one) for one in _said_in(ctx, lines)))


def _said_in(ctx: Context, lines: Lines) -> Iterator[str]:
    """The sentences of a mail's first lines that are talk and have no fate yet."""
    yield from (one for line in lines[:MOST_LINES] if _is_open_talk(ctx, line) for one in sentences(line.text))


_AS_MASTER = re.compile(
    r"\b(?:(?:and|also|now|then|but) ){0,4}(?:speaking |writing )?(?:as|in my role as|from) (?:the |your |its |a )?"
    r"(?:gm|game ?master|moderator|host|spielleiter\w*)\b(?: of [\w-]+)?[ ,:;.!\u2013-]*+",
    re.IGNORECASE,
)


def _without_telling_why(ctx: Context, line: Line) -> Line:
    """A gamemaster's line that says why something is to be done, without the sentence that asks to tell the players:
    whatever has a reason tells them.
    """
    if not (ctx.runs_games and line.is_talk and _is_open_talk(ctx, line) and because(line.text)):
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
    wanted_ = _asked_in(chair, replace(line, text=text), around, idle=False)
    masters = (one for one in wanted_ if changes(chair, one.want, one.text))
    return tuple(replace(one, as_master=True) for one in masters if said is not None or _is_of_masters(one))


def _of_seats(ctx: Context, line: Line, around: str, own: Sequence[Question]) -> tuple[Question, ...]:
    """What a player's line at the server's address asks of the few games that they play: of those with the places that
    it names, if it names some.
    """
    served = any(one.want.name in OF_THE_SERVER or one.want in OF_A_SEAT for one in own) or game_of_mail(ctx)
    if ctx.seat is not None or ctx.runs_games or served or not _is_question(line.text):
        return ()
    seats = [at for at in at_seats(ctx) if at.game is not None and at.game.running][:MOST_SEATS]
    seats = [at for at in seats if places_in(at, line.text)] or seats
    asked = ((at.game_name, one) for at in seats for one in _asked_in(at, line, around, idle=False))
    return tuple(replace(one, game=name) for name, one in asked if not changes(ctx, one.want, one.text))


def _is_of_masters(question: Question) -> bool:
    """Whether a wish is one that only who runs a game can have."""
    command = COMMANDS.by_title.get(title_of(question.want))
    return command is not None and command.for_master


def _beside_commands(ctx: Context, line: Line, own: Sequence[Question]) -> Iterator[Question]:
    """What is left of what a line asks for beside commands that do something: its questions, and its wishes as such
    that are only said. What heads a text or a command, and what only tells something, explains these.
    """
    if line.text.rstrip().endswith(":"):
        return
    parts = clauses(line.text)
    states = not (requests(line.text) or any(map(depends, parts))) and any(map(_only_states, parts))
    for one in own:
        asked = wonders(one.text) or wants_to_know(one.text)
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
    if not _is_open_talk(ctx, line) or _asks(ctx, line):
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
    whole = _BETWEEN.join(line.text if _is_open_talk(ctx, line) else "" for line in lines)
    texts = with_units(whole).split(_BETWEEN)
    return tuple(replace(line, text=text or line.text) for line, text in zip(lines, texts, strict=True))


def _with_corrections(ctx: Context, lines: Lines) -> Lines:
    """The lines, a gamemaster's talk without the powers, addresses and times that are said better further on."""
    talk = [ctx.runs_games and _is_open_talk(ctx, line) and not message_in(ctx, line.text)[1] for line in lines]
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
    if len(names) < _SEVERAL:
        return lines
    texts = [in_lists(line.text, names) if _is_open_talk(ctx, line) else "" for line in lines]
    staying = [clause for text in texts for clause in clauses(text) if stays(clause)]
    over = ctx.tx.names_of_games(ctx.known(), GameState.FINISHED, GameState.ABORTED) if staying else ()
    kept = {clause: spared(clause, {*names, *over}) for clause in staying}
    stay = {name for own in kept.values() for name in own}
    named = {name for text in texts for name in _NAMED.findall(text.lower())}.intersection(names)
    about: Sequence[str] = ()
    found = []
    for line, whole in zip(lines, texts, strict=True):
        text = whole
        for clause in (clause for clause, own in kept.items() if own or are_others(clause)):
            text = _LOOSE.sub("", text.replace(clause, "")).rstrip(" ;,")
        wish, but = but_for_games(text, names)
        if {*but, *stay} == named and (ctx.seat is None or ctx.game_name in but) and not in_all(ctx, text):
            about = _all_but(ctx, "", named) if named else about
            text = about_games(wish, about) if named and wish else text
        elif in_all(ctx, text) and not games_in(text):
            about = _all_but(ctx, text, stay)
            text = about_games(text, about) if stay or _goes_on_behind(ctx, text, names) else text
        elif text and games_in(text):
            about, text = games_in(text), wish
        elif text and about and ctx.seat is None and frozenset(names).isdisjoint(_NAMED.findall(text.lower())):
            text = about_games(text, about)
        found.append(replace(line, text=text) if text else line)
    return tuple(found)


_NAMED = re.compile(r"[\w-]+")
_LOOSE = re.compile(r"[,;][ ]*+(?=[.;,!?])|(?<=[.;!?])(?:[ ]*+[.;,!])++")
"""The signs behind a clause that was taken out."""


def _all_but(ctx: Context, text: str, stay: Collection[str] = ()) -> list[str]:
    """The games that the sender runs, without those that a text about all of them leaves out, and others that stay."""
    every = [game.name for game in games_run(ctx)]
    but = {*games_left_out(text, every), *stay}
    return [name for name in every if name not in but]


def _goes_on_behind(ctx: Context, text: str, names: Collection[str]) -> bool:
    """Whether a sentence wants more behind what is for all games, and names none, of these, for that."""
    *before, last = wishes(text)
    named = frozenset(names).intersection(_NAMED.findall(last.lower()))
    return any(in_all(ctx, one) for one in before) and not in_all(ctx, last) and not named


def _has_games(ctx: Context, text: str, games: Collection[str]) -> bool:
    """Whether a part of a sentence about these games says which: a list of its own, or all, and these are all."""
    return bool(games_in(text)) or (in_all(ctx, text) and {*games} >= {*_all_but(ctx, text)})


def agreed(ctx: Context, message: Message) -> str:
    """The only lines that a mail of ours proposes, if its answer only agrees, `Good, then let it count`, or is YES with
    more words, which surely wish the same and name no time, power or address of their own: `Yes, let them go now.`
    """
    if only_agrees(" ".join(message.text.split())) and (mail := proposing(ctx, message)) is not None:
        return taken(ctx, mail, mail.proposes[0]) if len(mail.proposes) == 1 else ""
    said = beside_yes(message.text, message.sender_name) if accepts(message.text, message.sender_name) else ()
    mail = proposing(ctx, message) if len(said) == 1 else None
    if mail is None or len(mail.proposes) != 1:
        return ""
    way = mail.proposes[0]
    wish = _YES_THEN.sub("", said[0])
    wants = [want for want in wanted(guess(ctx, wish).within(LIKELY)) if want is not None]
    lines = [line_for(ctx, want, wish) for want in wants if f"\n{way}".count(f"\n{title_of(want)}") == 1]
    return taken(ctx, mail, way) if lines and {*lines[0].split()} <= {*way.split()} else ""


_LEADS = (
    rf"(?:(?:{ASSENT}|good|fine|great|perfect|right|agreed|sure|well|alright|all right|looks good|very well"
    r"|exactly|thanks|thank you)\b[ ,.!:-]*)"
)
_AGREES = re.compile(
    rf"{_LEADS}*+(?:(?:then|so|now|please|and|just|do)\b[ ,]*)*"
    r"(?:(?:let|have) (?:it|them|that|this)(?: all)? (?:count|go|stand|be|happen|be so)"
    r"|do (?:it|that|so|this)|do|make it so"
    r"|go ahead(?: with (?:it|that|this))?|(?:carry|send|put) (?:it|them|that|this) (?:out|through)"
    r"|(?:it|they|that) (?:may|can|shall|should) (?:count|go|stand))"
    r"(?: (?:then|now|please|so|out|for everybody|for all))*[ .!]*",
    re.IGNORECASE,
)
_ASSENTS = re.compile(rf"{_LEADS}+", re.IGNORECASE)


def only_agrees(text: str) -> bool:
    """Whether each clause of a text assents, says to go ahead, or states something that denies nothing, and one says to
    go ahead after an assent: `Yes, that is what I wanted, let it count please`.
    """
    parts = clauses(text)
    goes = [one for one in parts if _AGREES.fullmatch(one)]
    others = (one for one in parts if one not in goes and not _ASSENTS.fullmatch(one))
    states = all(is_reason(one) and not says(one, "not") for one in others)
    return bool(goes) and _ASSENTS.match(text) is not None and states


_YES_THEN = re.compile(rf"\A\W*+{ASSENT}\b\W*+(?:and|please)?\s*", re.IGNORECASE)


def _asks(ctx: Context, line: Line) -> bool:
    """Whether a gamemaster's line surely wants something of the program, and may have words for others behind it."""
    return ctx.at_chair and bool(message_in(ctx, line.text)[1]) and bool(_surely(ctx, _sentences(ctx, line.text)))


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
        if line.fate is not None or not isinstance(meant, CommandLine | PressBlock) or not _is_open_talk(ctx, below):
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


def _unwrapped(ctx: Context, lines: Lines) -> Lines:
    """The lines, a sentence that a mail program broke in one again; the line with its end is settled."""
    found: list[Line] = []
    for line in lines:
        above = next((one for one in reversed(found) if not one.is_for(Reason.GREETING)), None)
        if above is not None and _goes_on_in(ctx, above, line):
            found[found.index(above)] = said_so(above, f"{above.text.rstrip()} {line.text.strip()}")
            line = settled(line, Reason.GREETING)
        found.append(line)
    return tuple(found)


def _goes_on_in(ctx: Context, above: Line, below: Line) -> bool:
    """Whether a line is the rest of the one above, which is as long as programs make lines."""
    talk = all(_is_open_talk(ctx, one) and isinstance(one.meaning, Talk) for one in (above, below))
    long = len(above.text) >= _WRAPPED and (above.text.rstrip()[-1:].isalnum() or above.text.rstrip().endswith(","))
    return talk and long and below.text.lstrip()[:1].islower() and not _is_item(below)


_WRAPPED = 55
"""So long is a line that a mail program has broken."""


def _without_headings(ctx: Context, lines: Lines) -> Lines:
    """The lines, a sentence with a colon above a command settled as its heading: `before that I want to ask all:`."""
    found: list[Line] = []
    below = None
    for line in reversed(lines):
        found += reversed([*_without_heading(ctx, line, below)])
        below = below if line.is_for(Reason.GREETING) else line
    return tuple(reversed(found))


def _without_heading(ctx: Context, line: Line, below: Line | None) -> Iterator[Line]:
    heads = below is not None and isinstance(below.meaning, CommandLine)
    if not (line.is_talk and _is_open_talk(ctx, line)):
        yield line
        return
    *before, last = sentences(line.text) or [""]
    text = line.text
    if heads and line.is_for(Reason.PLAIN) and last.endswith(":") and not wonders(last):
        text = " ".join(before)
        yield replace(settled(line, Reason.GREETING), text=last)
    if text:
        yield said_so(line, text)


def _unsigned(ctx: Context, lines: Lines) -> Lines:
    """The lines, the salutation at the head of a mail with more settled as a greeting, `Hallo,`, and so are the name at
    its end, and the words that take leave above it: `Bis bald`.
    """
    own = [at for at, line in enumerate(lines) if line.origin is Origin.OWN and line.text.strip()]
    if len(own) < _SEVERAL:
        return lines
    ends = own[:1] if _salutes(ctx, lines[own[0]]) else []
    if _signs(ctx, lines[own[-1]]):
        ends += own[-2:] if len(own) > _SEVERAL and _takes_leave(ctx, lines[own[-2]]) else own[-1:]
    return tuple(settled(line, Reason.GREETING) if at in ends else line for at, line in enumerate(lines))


def _salutes(ctx: Context, line: Line) -> bool:
    """Whether a line above others is a few words with a comma behind them, or is one word: `Hallo,`, `Moin!`."""
    text = line.text.strip()
    few = len(text.split()) <= _GREETS and (text.endswith(",") or text.rstrip("!").isalpha())
    return few and line.is_talk and _is_open_talk(ctx, line) and not speaks(ctx, text)


def _takes_leave(ctx: Context, line: Line) -> bool:
    """Whether a line above a name is short, and asks nothing and surely wants no one thing, in whatever language."""
    few = len(line.text.split()) <= _GREETS and "?" not in line.text
    return few and _is_open_talk(ctx, line) and len(guess(ctx, line.text).within(LIKELY)) > 1


def _signs(ctx: Context, line: Line) -> bool:
    """Whether a line of talk may be no more than a name: the sender's, or else a few words with capitals or behind a
    dash, and no example of anything, nor a place.
    """
    words = _NAME.findall(line.text)
    dashed = _DASHED.match(line.text) is not None and not _names_place(ctx, line.text)
    line = settled(line, Reason.PLAIN) if dashed and line.is_for(Reason.MENTIONS) else line
    named = 0 < len(words) <= _NAMES and (dashed or all(map(str.istitle, words))) and "?" not in line.text
    named = named and line.is_for(Reason.PLAIN) and _is_open_talk(ctx, line)
    return named and (_is_name(ctx, line.text) or not guess(ctx, line.text).is_example)


_NAMES = 3
_DASHED = re.compile(r"\s*[-~\u2013\u2014]")


def _first_of_talk(ctx: Context, lines: Lines) -> tuple[Lines, Lines]:
    """The lines of which the talk is looked at for questions, and those below them; from one with too many clauses."""
    talk, seen = 0, 0
    for at, line in enumerate(lines):
        if _is_open_talk(ctx, line):
            talk, seen = talk + 1, seen + len(clauses(line.text))
            if talk > MOST_LINES or seen > _MOST_CLAUSES:
                return lines[:at], lines[at:]
    return lines, ()


def with_talk_passed(ctx: Context, lines: Lines) -> Lines:
    """The lines, whose talk is passed over as a whole, without a look at what it may ask."""
    return tuple(settled(line, Reason.PASSED) if _is_open_talk(ctx, line) else line for line in lines)


def _with_lists(ctx: Context, lines: Lines) -> Lines:
    """The lines; what heads a list, or a text for others, with what stands in it, if it surely wants something:
    `invite these:`, `put this above the next report:`. The lines below it are settled as parts of it.
    """
    found: list[Line] = []
    for at, line in enumerate(lines):
        own, about_them = without_added(line.text.rstrip())
        heads = _is_open_talk(ctx, line) and own.endswith(":")
        words = [*takewhile(partial(_may_be_words, ctx), lines[at + 1 :])] if heads and ctx.runs_games else []
        below = [*takewhile(lambda one: _is_open_talk(ctx, one) and _is_item(one), words)]
        text = "\n".join(plain(one.text).rstrip() for one in words).strip()
        told_below = text and (message_in(ctx, f"{own}\n{text}")[1] or _heads_words(ctx, own))
        below = words if told_below else below
        heads = heads and bool(below)
        if heads and ctx.runs_games and isinstance(line.meaning, Talk) and (told_below or _wants_surely(ctx, own)):
            items = "\n".join((own, *(plain(one.text).strip() for one in below)))
            text = with_words(about_them(own.rstrip(" :")), text) if told_below else about_them(items)
            parts = (settled(one, Reason.OFFERED) for one in below)
            rest = lines[at + 1 + len(below) :]
            return (*found, said_so(line, text), *parts, *rest)
        found.append(line)
    return tuple(found)


def _wants_surely(ctx: Context, text: str) -> bool:
    return _question(ctx, text, SURE) is not None


def _heads_words(ctx: Context, text: str) -> bool:
    """Whether what a line surely wants takes the words that stand below it."""
    return any(one.want in TAKES_WORDS for one in _surely(ctx, [text.rstrip(" :")]))


def _may_be_words(ctx: Context, line: Line) -> bool:
    return line.origin is Origin.OWN and (_is_open_talk(ctx, line) or not line.text.strip())


def _is_item(line: Line) -> bool:
    """Whether it is a line of a list: marked as one, or with an address."""
    return "@" in line.text or _MARKED.match(line.text) is not None


_MARKED = re.compile(r"\s*(?:[-*+\u2022\u2013]|\d{1,2}[.)])\s+\S")


def _parts(ctx: Context, line: Line) -> Lines:
    """The line; or each of its sentences as one, if one surely asks for something and another does not, or one asks
    and another may order: no question swallows what stands beside it, and none is swallowed.
    """
    talk = line.meaning
    if not isinstance(talk, Talk) or not _is_open_talk(ctx, line):
        return (line,)
    texts = [part for text in _without_hallo(ctx, _sentences(ctx, line.text)) for part in _orders_apart(ctx, text)]
    if len(texts) < _SEVERAL or len(texts) > _MOST or speaks(ctx, line.text) or _is_one_question(ctx, texts):
        return (line,)
    sure = [bool(_surely(ctx, [text])) for text in texts]
    asking = [text for text in texts if wonders(text)]
    asked = any(len(text.split()) >= LEAST_ASKED for text in asking)
    orders = any(text not in asking and (_names_place(ctx, text) or _gives_orders(ctx, text)) for text in texts)
    one_wish = ctx.runs_games and not asking and any(map(goes_on, texts[1:]))
    if (_alike(sure) or one_wish) and not (orders and asked):
        return (line,)
    parts = (replace(talk, text=text, mentions_board=_mentions(ctx, talk, text)) for text in texts)
    return tuple(replace(line, text=part.text, meaning=part, fate=line_of(part).fate) for part in parts)


def _orders_apart(ctx: Context, text: str) -> Iterator[str]:
    """The parts of a player's sentence in which clauses order and others surely want something else; or the sentence:
    `Mos to War, can both move at once?`
    """
    parts = _own_wishes(text) if not ctx.runs_games and ordering_at(ctx.game, ctx.seat) is not None else []
    asked = [len(parts) > 1 and _asks_apart(ctx, part) for part in parts]
    orders = any(asked) and any(not one and _gives_orders(ctx, part) for one, part in zip(asked, parts, strict=True))
    begin = end = 0
    for n, part in enumerate(parts if orders else []):
        at = max(text.find(part, end), end)
        if n and asked[n] != asked[n - 1]:
            yield text[begin:at].rstrip(" ,;-")
            begin = at
        end = at + len(part)
    yield text[begin:]


def _asks_apart(ctx: Context, part: str) -> bool:
    """Whether a clause asks, or surely wants something that orders do not say, and gives none."""
    wants = asks_beside(part) or any(one.want not in (*_SAID_BY_ORDERS, Wanted.CLEAR) for one in _surely(ctx, [part]))
    return wants and not (_gives_orders(ctx, part) and not part.rstrip().endswith("?"))


def _mentions(ctx: Context, talk: Talk, text: str) -> bool:
    """Whether a sentence of talk that may be an order is what may be one."""
    return talk.mentions_board and (ordering_at(ctx.game, ctx.seat) is None or _names_place(ctx, text))


def _names_place(ctx: Context, text: str) -> bool:
    ordering = ordering_at(ctx.game, ctx.seat)
    return ordering is not None and ordering.names_place(text)


def _alike(each: Sequence[bool]) -> bool:
    return all(each) or not any(each)


_SEVERAL = 2


def _greeted(ctx: Context, line: Line) -> Line:
    """The line; a greeting, or the sender's name below it, settled as such: it is looked at no more."""
    if not line.is_for(Reason.PLAIN) or not _is_open_talk(ctx, line):
        return line
    greets = _is_name(ctx, line.text) or _only_greets(ctx, line.text)
    return settled(line, Reason.GREETING) if greets else line


def _is_name(ctx: Context, text: str) -> bool:
    """Whether these are words of the sender's name as their mail has it."""
    words = _NAME.findall(text.casefold())
    name = ctx.mail.message.sender_name if ctx.mail is not None else ""
    return bool(words) and frozenset(words).issubset(_NAME.findall(name.casefold()))


_NAME = re.compile(r"\w+")


def only_chats(ctx: Context, lines: Lines) -> bool:
    """Whether a mail to a seat has nothing but thanks, greetings and names."""
    own = [line for line in lines if line.origin is Origin.OWN and line.text.strip()]
    talk = bool(own) and ctx.seat is not None and all(line.is_for(Reason.PLAIN, Reason.GREETING) for line in own)
    return talk and all(line.is_for(Reason.GREETING) or _only_greets(ctx, line.text) for line in own)


def _only_greets(ctx: Context, text: str) -> bool:
    found = guess(ctx, text)
    thanks = found.known and found.within(SURE) == ("CHAT",) and not speaks(ctx, text)
    return thanks and not (ctx.runs_games and says_to_others(text))


def _is_open_talk(ctx: Context, line: Line) -> bool:
    return (line.is_talk and line.is_for(Reason.PLAIN, Reason.MENTIONS)) or _is_a_word(ctx, line)


def _is_a_word(ctx: Context, line: Line) -> bool:
    """Whether it is the word of a command that needs more, `deadline`: it may be a question about it."""
    alone = isinstance(line.meaning, Complaint) and line.text.strip().isalpha()
    known = alone and ctx.commands.reader.name_of(line.text) is not None
    return known and line.origin is Origin.OWN and line.is_for(Reason.NOT_UNDERSTOOD)


def _passed_over(ctx: Context, line: Line, *, idle: bool) -> Line:
    """The line; talk at a seat that is about the game, or is all that the mail has, as passed over, so that its sender
    is told.
    """
    if not _is_for_nobody(ctx, line, idle=idle):
        return line
    alone = idle and len(line.text.split()) > 1 and guess(ctx, line.text).within(SURE) != ("CHAT",)
    return settled(line, Reason.PASSED) if alone or any(map(partial(_is_about, ctx), sentences(line.text))) else line


def _said_beside(line: Line) -> Line:
    """The line; a sentence beside what is offered to a gamemaster as passed over, so that it is named: it may be meant
    for others.
    """
    says = isinstance(line.meaning, Talk) and len(line.text.split()) > _GREETS and line.is_for(Reason.PLAIN)
    return settled(line, Reason.PASSED) if says else line


_GREETS = 3
"""So few words greet or thank."""


def _may_want(ctx: Context, text: str) -> bool:
    """Whether a sentence that was passed over may want more: it asks for something, or names an address, a time or a
    power, and does not only say why.
    """
    text = without_game(text, ctx.game_name)
    if is_reason(text) or is_told(text):
        return False
    named = ctx.game is not None and any(powers_named(ctx.game, ctx.seat, text))
    told = message_marked(text) or says_to_others(text)
    return told or requests(text) or "@" in text or bool(time_in(text)) or named


def _is_for_nobody(ctx: Context, line: Line, *, idle: bool) -> bool:
    """Whether a line is talk at a seat without an addressee (of other talk the receipt says that it was not sent)."""
    text = line.text.rstrip()
    called = text.endswith("!") and len(text.split()) <= _GREETS
    heads = not idle and not wonders(text) and (text.endswith(":") or called or heads_orders(text))
    if plays_nothing(ctx) or heads or not _is_open_talk(ctx, line) or not line.is_for(Reason.PLAIN):
        return False
    return not speaks(ctx, line.text)


def _is_about(ctx: Context, sentence: str) -> bool:
    """Whether a sentence asks something, or is likelier to want anything than to be a greeting."""
    found = guess(ctx, sentence)
    return sentence.rstrip().endswith("?") or (found.known and found.kinds[0] != "CHAT")


def _asked_in(ctx: Context, line: Line, around: str, *, idle: bool) -> tuple[Question, ...]:
    """What a line asks for surely: the clauses of each of its sentences, or else the sentence, or else all of it; or in
    an idle mail what is likeliest.
    """
    if "\n" in line.text and not message_in(ctx, line.text)[1]:
        question = _question(ctx, line.text.partition("\n")[0], SURE)
        return (replace(question, text=line.text),) if question is not None else ()
    if not ctx.runs_games and line.text.rstrip().endswith(":") and not wonders(line.text):
        return ()  # it heads what stands below it
    if _is_a_word(ctx, line):
        texts = [] if ctx.at_chair else [f"{line.text.strip()}?"]
    else:
        texts = [text for text in _sentences(ctx, line.text) if message_in(ctx, text)[1] or not spoken_to(ctx, text).to]
    ruled, texts = _about_rules(ctx, [*_without_hallo(ctx, texts)])
    whole = " ".join(texts)
    sure = (*ruled, *(_surely(ctx, texts, around) or (() if ruled else _surely(ctx, [whole]))))
    to_others = [text for text in _sentences(ctx, line.text) if ctx.runs_games and ":" in text and text not in texts]
    sure = tuple(replace(one, beside=(*one.beside, *to_others)) if one is sure[0] else one for one in sure)
    guesses = idle and not sure and (ctx.seat is not None or not plays_nothing(ctx))  # others are greeted
    likeliest = _question(ctx, whole, LIKELY) if guesses else None
    return (likeliest,) if likeliest is not None else sure


def _without_hallo(ctx: Context, texts: Sequence[str]) -> Sequence[str]:
    """These sentences without the word that greets before the others, which alone asks whether anybody is there."""
    first, *others = texts or [""]
    greets = bool(others) and first.rstrip("!., ").isalpha() and guess(ctx, first).kinds[0] in _GREETINGS
    return others if greets else texts


_GREETINGS = ("CHAT", Wanted.ANYBODY.name)


def _about_rules(ctx: Context, texts: list[str]) -> tuple[tuple[Question, ...], list[str]]:
    """A player's question about the rules, which is all of a sentence, and with it what leads to it and what asks more
    of the same: `can they come up at sea, and is my fleet lost? How likely is it?` And the other sentences.
    """
    asked = [n for n, one in enumerate(texts) if not ctx.runs_games and is_question_of_rules(ctx, one)]
    if not asked:
        return (), texts
    first, behind = asked[0], asked[-1] + 1
    more = [*takewhile(lambda one: wonders(one) and OF_IT.search(one), texts[behind:])]
    leads = [n for n in range(first) if not (wonders(texts[n]) or requests(texts[n]))]
    of_it = {*asked, *leads, *range(behind, behind + len(more))}
    others = [one for n, one in enumerate(texts) if n not in of_it]
    return (Question(" ".join(texts[n] for n in asked), Wanted.RULES),), others


def _is_one_question(ctx: Context, texts: list[str]) -> bool:
    """Whether all of these sentences are one question about the rules."""
    ruled, others = _about_rules(ctx, texts)
    return bool(ruled) and not others


def _own_wishes(text: str) -> list[str]:
    """The clauses of a sentence that may want something each: not what it says for what, `so that they cannot stop it`,
    nor, behind a question what something is, whether it must be done, as the answer says that: `what is this
    ready thing, do I have to do it?`
    """
    first, *others = wishes(without_lead(text))
    idle = _FOR_WHAT if not meaning_asked(first) else _FOR_WHAT_OR_NEEDED
    return [first, *(one for one in others if idle.match(one) is None)]


_FOR_WHAT = re.compile(
    r"(?:and )?(?:so that|in order (?:that|to)|damit|sodass|so dass|pour que|afin qu\w)\b", re.IGNORECASE
)
_FOR_WHAT_OR_NEEDED = re.compile(
    rf"{_FOR_WHAT.pattern}|(?:and |und |et )?(?:(?:do|must|should) i|(?:muss|soll) ich|dois-je|est-ce que je dois)\b",
    re.IGNORECASE,
)


def _sentences(ctx: Context, text: str) -> list[str]:
    """The sentences of a line; words for others are a part of the one that stands before them, or of one that takes
    such: `End it. My last words to all: thank you`.
    """
    head, words = message_in(ctx, text)
    if not words:
        if not ctx.runs_games:
            return sentences(text)
        said, about_them = without_added(text)
        return [about_them(with_reason_bound(one)) for one in sentences(with_then(said))]
    end = words_end(ctx, words)
    words, more = words[:end].rstrip(), sentences(words[end:])
    *first, last = sentences(head) or [""]
    at = next((at for at, one in enumerate(first) if takes_words(ctx, one)), None)
    if at is None or _surely(ctx, [last]) or tells_whom(ctx, last) is not None:
        return [*first, with_words(last, words), *more]
    return [*(with_words(one, words) if n == at else one for n, one in enumerate(first)), *more]  # the last heads them


def _surely(ctx: Context, texts: Sequence[str], around: str = "") -> tuple[Question, ...]:
    """What texts ask for surely; what a sentence lacks that its line must have is looked for in the text `around`."""
    found: dict[tuple[Wanted, Sequence[str]], Question] = {}
    games = games_in(texts[-1]) if texts else ()
    each_games = _for_own_games(ctx, texts)
    apart = {part for parts in each_games if len(parts) > 1 for part in parts}
    first, *rest = [part for parts in each_games for part in parts] or [""]
    unsaid = [text for text in rest if ctx.runs_games and depends(text)]
    used = list[str]()
    for said in (first, *(text for text in rest if text not in unsaid)):
        text = said
        games = games_in(text) or (tuple(_all_but(ctx, text)) if ctx.seat is None and in_all(ctx, text) else games)
        head, words = message_in(ctx, text)
        own_games = games if ctx.seat is None else games_in(text)
        parts = _own_wishes(head)
        if not words and (own_wish := _own_wish(ctx, parts, text)) != text:
            head = text = own_wish
            parts = _own_wishes(head)
        if own_games:
            parts = [part if _has_games(ctx, part, own_games) else about_games(part, own_games) for part in parts]
        deeds = [part for part in parts if not (words and tells_whom(ctx, part))]  # those only lead to the words
        deeds = [part for part in deeds if not (ctx.runs_games and len(parts) > 1 and begins_because(part))]
        if any(map(only_asks, parts)):  # `if my games go on on Monday, when is the deadline?`
            deeds = [part for part in deeds if only_asks(part) or not depends(part)]
        beyond = "" if text in apart else around
        each = [_of_whom(ctx, _question(ctx, part, SURE), text, beyond) if part in deeds else None for part in parts]
        each = [one if one is None or not _says_no(ctx, text, one) else None for one in each]
        if not wonders(text) and any(one is not None and one.want in _SAID_BY_ORDERS for one in each):
            each = [] if _gives_orders(ctx, text) else each  # it does what it would be told how to do
        each = [] if not ctx.runs_games and _builds_ahead(ctx, text) else each
        asked = _without_reasons(ctx, [one for one in each if one is not None])
        own = _that_say_more(ctx, asked)
        lost = [one.text for one in asked if one not in own and not _is_within(ctx, one, own)]
        own = [replace(one, beside=(*one.beside, *lost)) for one in own]
        if words:
            own = own if any(one.want in TAKES_WORDS for one in own) else _and_words(ctx, own, head, words)
            at = next((at for at, one in enumerate(own) if one.want in TAKES_WORDS), None)
            texts_ = [with_words(one.text, words) for one in own]
            own = [replace(one, text=texts_[n]) if n == at else one for n, one in enumerate(own)]
        own = _with_the_rest(ctx, own, dict(zip(parts, each, strict=False)), text, () if words else deeds)
        own = _for_its_reason(ctx, own, text)
        own = [*own, *_asked_besides(ctx, own, parts, each)]
        created = (replace(one, text=text, beside=()) for one in own if one.want in _CREATES)
        own = [*created][:1] or own  # the sentence is about the new game: its options, its guests
        if not own and len(parts) > 1 and (whole := _question(ctx, text, SURE)) is not None:
            own = [whole]
        for one in own:
            key = one.want, games_in(one.text)
            earlier = found.get(key)
            one = _with_options(ctx, earlier, one)
            heard = earlier is not None and ctx.runs_games and _only_states(earlier.text) > _only_states(one.text)
            if earlier is None or heard or earlier.text in one.text or _says_more(ctx, one, earlier):
                found[key] = one if text in apart else completed(ctx, one, around)
                used.append(said)
        long = len(text.split()) > _GREETS or (ctx.runs_games and goes_on(text))
        unsaid += [text] if not own and (text in apart or long) else []
    first_, *others = found.values() or [None]
    lost = [text for text in (first, *rest) if ctx.runs_games and has_words(text) and text not in used]
    unsaid = [*dict.fromkeys((*unsaid, *lost))]
    return (replace(first_, beside=(*first_.beside, *unsaid)), *others) if first_ is not None else ()


_SAID_BY_ORDERS = (*OF_ORDERS, Wanted.NEAR, Wanted.SAME, Wanted.MY_ORDERS)
"""What words that give orders seem to ask."""


def _with_the_rest(
    ctx: Context, own: list[Question], each: Mapping[str, Question | None], text: str, deeds: Collection[str]
) -> list[Question]:
    """The wishes of a sentence, the first with the clauses of which nothing was made, of those that may be deeds; one
    wish is that of the whole sentence. It is as it was, if none may be: it has words for others.
    """
    kinds = {one.want for one in own}
    several = len(each) > 1 and bool(deeds)
    if several and len(kinds - {Wanted.COMMAND}) == 1 == len(kinds) and not _only_apart(ctx, own, text):
        beside = tuple(
            part
            for part, one in each.items()
            if (one is None and not time_in(part) and len(part.split()) >= _GREETS)
            or (one is not None and _adds_nothing(ctx, one, text))
        )
        return [replace(own[0], text=text, beside=(*own[0].beside, *beside))]
    if several and ctx.runs_games and len(own) > 1:
        lost = tuple(part for part, one in each.items() if one is None and part in deeds)
        return [replace(own[0], beside=(*own[0].beside, *lost)), *own[1:]]
    return own


def _with_options(ctx: Context, earlier: Question | None, one: Question) -> Question:
    """A wish for options with those of an earlier sentence, if it wants others: one line sets them all."""
    if earlier is None or one.want is not Wanted.GM_SET:
        return one
    both = replace(one, text=f"{earlier.text} {one.text}", beside=(*earlier.beside, *one.beside))
    lines = [line_for(ctx, one.want, text) for text in (both.text, earlier.text, one.text)]
    return both if all(line.startswith("SET ") for line in lines) and len({*lines}) == len(lines) else one


def _asked_besides(
    ctx: Context, own: Sequence[Question], parts: Sequence[str], each: Sequence[Question | None]
) -> Iterator[Question]:
    """What the clauses of a player's sentence ask, beside what it surely asks, of which it is not sure what: the
    likeliest, of which that is said.
    """
    unsure = (part for part, one in zip(parts, each, strict=True) if one is None)
    for part in unsure if own and not ctx.runs_games else ():
        if asks_of_something(part) and not points_back(part):
            likeliest = _question(ctx, part, LIKELY)
            if likeliest is not None and likeliest.want not in {other.want for other in own}:
                yield likeliest


def _for_own_games(ctx: Context, texts: Sequence[str]) -> list[list[str]]:
    """Each sentence as sentences for the games that it names: what is said of some is for no others."""
    found = [_by_games(ctx, text) for text in texts]
    beside = ctx.runs_games and ctx.seat is None and any(map(games_in, texts))
    return [[_alone(ctx, part) for part in parts] for parts in found] if beside else found


def _by_games(ctx: Context, text: str) -> list[str]:
    """A sentence that names several games in one list and others beside it, as a sentence for the games of each clause.
    One that begins with its games has the words that stand before the first ones: `give spring and duel two days,
    autumn one`.
    """
    if not ctx.runs_games or without_added(text)[0] != text or not games_in(text) or in_all(ctx, text):
        return [text]
    names = names_of_games(ctx)()
    found: list[tuple[str, tuple[str, ...]]] = []
    at = 0
    for clause in clauses(text):
        begin = text.index(clause, at)
        own = () if _only_states(clause) or begins_because(clause) else _named_in(clause, names)
        if found and own and found[-1][1] and own != found[-1][1]:
            found.append((clause, own))
        elif found:
            found[-1] = f"{found[-1][0]}{text[at:begin]}{clause}", own or found[-1][1]
        else:
            found.append((text[:begin] + clause, own))
        at = begin + len(clause)
    if len(found) < _SEVERAL:
        return [text]
    first, names_ = found[0][0], found[0][1]
    head = first[: min(map(first.lower().find, names_), default=0)]
    whole = [(f"{head}{said}" if n and _begins_with(said, own) else said, own) for n, (said, own) in enumerate(found)]
    why = because(text)
    each = [(said if because(said) else _with(said, why), own) for said, own in whole]
    return [said if games_in(said) else _for_games(said, own) for said, own in each]


def _alone(ctx: Context, text: str) -> str:
    """A sentence beside others for several games; one that names some alone as one about them."""
    if without_added(text)[0] != text or games_in(text) or in_all(ctx, text) or _only_states(text):
        return text
    own = _named_in(text, names_of_games(ctx)())
    return _for_games(text, own) if own else text


def _begins_with(text: str, games: Sequence[str]) -> bool:
    return _LEADS_ON.sub("", text).lower().startswith(tuple(games))


_LEADS_ON = re.compile(r"\A\W*(?:(?:and|but|also|then|for)\b\W*)*", re.IGNORECASE)


def _for_its_reason(ctx: Context, own: list[Question], text: str) -> list[Question]:
    """The wishes of a sentence that says why, each with the reason."""
    why = because(text) if ctx.runs_games else ""
    return [one if not why or because(one.text) else replace(one, text=_with(one.text, why)) for one in own]


def _with(text: str, why: str) -> str:
    head, about_them = without_added(text)
    return about_them(f"{head}, because {why}") if why and not message_marked(head) else text


def _named_in(clause: str, names: Collection[str]) -> tuple[str, ...]:
    """The games, of these, that a clause names, in a list or alone."""
    return games_in(clause) or tuple(name for name in names if mention(name).search(clause))


def _for_games(text: str, games: Sequence[str]) -> str:
    """A wish for these games that names them alone, as one about them."""
    for name in games:
        text = without_game(text, name)
    return about_games(text, games)


def _only_states(text: str) -> bool:
    return is_told(text) or is_reason(text)


def _own_wish(ctx: Context, parts: Sequence[str], text: str) -> str:
    """A sentence without the clauses that tell what others ask for, if its writer surely wants something in another."""
    own = [part for part in parts if not is_told(part)] if ctx.runs_games and len(parts) > 1 else parts
    if len(own) == len(parts):
        return text
    asked = (_question(ctx, part, SURE) for part in own)
    return ", ".join(own) if any(one is not None and changes(ctx, one.want, one.text) for one in asked) else text


def _and_words(ctx: Context, own: list[Question], head: str, words: str) -> list[Question]:
    """The wishes of a sentence that has words for others, with the short one of which these are, `announce: ...`; or
    with the words as what is left out.
    """
    parts = dict.fromkeys((*wishes(head), *clauses(head)))  # `tell Russia and Turkey` is one
    short = (_question(ctx, part, SURE) for part in parts)
    heads = next((one for one in short if one is not None and one.want in TAKES_WORDS), None)
    last = wishes(head)[-1]
    told = tells_whom(ctx, last) if heads is None else None
    heads = Question(last, told) if told is not None else heads
    games = games_in(own[0].text) if own else ()
    heads = replace(heads, text=about_games(heads.text, games)) if heads is not None and games else heads
    if heads is not None:
        return [heads, *own]
    return [replace(one, beside=(*one.beside, words)) if n == 0 else one for n, one in enumerate(own)]


def _says_no(ctx: Context, text: str, question: Question) -> bool:
    """Whether a sentence begins with NO, or a clause of it refuses that, and its wish is made of nothing that it names:
    `No, too late is too late`.
    """
    refuses = _NO.match(text) is not None or any(is_refused(part, question.want.name) for part in clauses(text))
    if not (ctx.runs_games and refuses and changes(ctx, question.want, question.text)):
        return False
    line = line_for(ctx, question.want, question.text)
    return line == line_for(ctx, question.want, title_of(question.want))


_NO = re.compile(r"\W*(?:no|nope|nein|non)\b[,.! ]", re.IGNORECASE)


def _adds_nothing(ctx: Context, part: Question, text: str) -> bool:
    """Whether the line of a sentence of several clauses is the same without this one, which says more than its wish."""
    if not ctx.runs_games or part.text not in text or is_reason(part.text):
        return False
    whole = line_for(ctx, part.want, text)
    alone = line_for(ctx, part.want, part.text)
    return alone != whole == line_for(ctx, part.want, text.replace(part.text, ""))


def _only_apart(ctx: Context, own: Sequence[Question], text: str) -> bool:
    """Whether clauses say what the line of their wish needs, each for itself, and the sentence as a whole does not."""
    vague = f"HELP {title_of(own[0].want)}"
    return line_for(ctx, own[0].want, text) == vague and any(line_for(ctx, one.want, one.text) != vague for one in own)


_CREATES = (Wanted.CREATE, Wanted.GM_CREATE)


def _that_say_more(ctx: Context, own: list[Question]) -> list[Question]:
    """The questions, without one whose line another's says, too: that wants some time beside a certain one, or the
    orders that a correction has.
    """
    pairs = [(line_for(ctx, one.want, one.text), one) for one in own]
    untimed = [one for line, one in pairs if is_vague(line, one.text)]
    clear = {one.want for _, one in pairs if one not in untimed}
    vague = [one for one in untimed if ctx.runs_games or one.want in clear]
    pairs = [(line, one) for line, one in pairs if one not in vague]
    if not ctx.runs_games or not any(changes(ctx, one.want, one.text) for _, one in pairs):
        return [one for _, one in pairs] or own
    asked = [one for line, one in pairs if line == "HELP" or _is_question(one.text)]
    helps = [one for line, one in pairs if line.partition(" ")[0] == "HELP" and one not in asked]
    said = [one for _, one in pairs if one not in helps]
    kept = {games_in(one.text) for one in said}
    wished = [one for one in helps if requests(one.text) or ":" in one.text or is_known(ctx, one.text)]
    unsaid = tuple(one.text for one in helps if one in wished or games_in(one.text) not in kept)
    unsaid += tuple(one.text for one in vague if goes_on(one.text))
    said = [replace(one, beside=(*one.beside, *unsaid)) if n == 0 else one for n, one in enumerate(said)]
    each: dict[str, Question] = {}
    for one in [one for one in said if not _is_within(ctx, one, own)] or own:
        line = line_for(ctx, one.want, one.text)
        same = each.get(line, one)  # two wishes with one line are one, with what both leave out
        each[line] = replace(same, beside=(*same.beside, *(one.beside if same is not one else ())))
    return [*each.values()]


def _is_within(ctx: Context, one: Question, others: Sequence[Question]) -> bool:
    """Whether the line of a question is a part of another's, invites nobody but who is asked to take a seat, or writes
    to all what another writes to those whom it names.
    """
    line, lines = line_for(ctx, one.want, one.text), [line_for(ctx, other.want, other.text) for other in others]
    asked = {word for other in lines if other.startswith("REPLACE ") for word in other.split() if "@" in word}
    if line.startswith("INVITE ") and asked.issuperset(line.removeprefix("INVITE ").split(", ")):
        return True
    given = [other.removeprefix("REPLACE ").partition(" WITH ")[0] for other in lines if other.startswith("REPLACE ")]
    if any(line.endswith(f"STANDIN {power}") for power in given) and not _STANDS_IN.search(one.text):
        return True
    if line == Wanted.GM_PREVIEW.name.removeprefix(MASTERS) and any(other.startswith("CORRECT ") for other in lines):
        return True  # which shows what would come of it
    letters = [other.split("\n")[1:-1] for other in lines if other.startswith("PRESS TO ")]
    if line.startswith("OFFICIAL\n") and line.split("\n")[1:-1] in letters:
        return True
    return any(line != other and f"\n{line}\n" in f"\n{other}\n" for other in lines)


_STANDS_IN = re.compile(
    r"\b(?:stand\w*|bots?|computer|program|machine|ai|until|meanwhile|bis|jusqu\w*)\b", re.IGNORECASE
)
"""What says that the program is to play for somebody who comes."""


def _is_question(text: str) -> bool:
    return text.rstrip().endswith("?")


def _of_new_game(ctx: Context, asked: list[Question], text: str) -> list[Question]:
    """The questions; what else a mail says that wants a new game is about that: its options, its guests."""
    made = next((one for one in asked if one.want in _CREATES), None)
    if made is None or made.others:  # that it wants one is only guessed
        return asked
    names = names_of_games(ctx)()
    of_new = [one for one in asked if one.want in _OF_A_GAME and not _named_in(one.text, names)]
    others = [one for one in asked if one.want not in _OF_A_NEW_GAME and one not in of_new and not one.others]
    return [replace(made, text=text or made.text, beside=()), *others]


def _with_remark(asked: list[Question]) -> list[Question]:
    """The questions; words that are to stand above the next report are those of what reports at once, if it has none:
    `end it. A few words for all: thank you`.
    """
    remark = next((one for one in asked if one.want is Wanted.GM_REMARK and message_marked(one.text)), None)
    report = next((one for one in asked if one.want in REPORTS and not message_marked(one.text)), None)
    if remark is None or report is None:
        return asked
    words = with_words(report.text, remark.text.partition(BEFORE_WORDS)[2])
    return [replace(one, text=words) if one is report else one for one in asked if one is not remark]


_OF_A_NEW_GAME = frozenset((
    *_CREATES, Wanted.GM_SET, Wanted.GM_INVITE, Wanted.GM_DEADLINE, Wanted.GM_EXTEND, Wanted.GM_START,
    Wanted.GM_PROMOTE, Wanted.GM_REPLACE,
))  # fmt: skip
"""What is wanted of a game that is made in the same mail, and of no other."""
_OF_A_GAME = frozenset((Wanted.GM_STANDIN, Wanted.GM_DUMMY, Wanted.GM_PAUSE))
"""What is, too, if it names no other."""


def _without_reasons(ctx: Context, asked: list[Question]) -> list[Question]:
    """The questions, beside one that wants something done, or asks, without those of clauses that only state why; and a
    cry for help beside others leads to these: `I don't understand, why ...?`
    """
    asked = [one for one in asked if one.want is not Wanted.HELP or not _only_states(one.text)] or asked
    used = [line_for(ctx, one.want, one.text) for one in asked if one.want is not Wanted.ADDRESS]
    asked = [one for one in asked if one.want is not Wanted.ADDRESS or not _is_used(one.text, used)]
    if not ctx.runs_games:
        return asked
    texts = [without_game(one.text, ctx.game_name) for one in asked]  # `England in wide has left`
    known = [is_known(ctx, one.text) or wonders(text) for one, text in zip(asked, texts, strict=True)]
    for tells in (_only_states, is_told):
        each = zip(asked, texts, known, strict=True)
        wishes_ = [one for one, text, wished in each if wished or not all(map(tells, _parts_of(text)))]
        if any(_is_question(one.text) or changes(ctx, one.want, one.text) for one in wishes_):
            return wishes_
    return asked


def _is_used(text: str, lines: Sequence[str]) -> bool:
    """Whether the address that a text names is of a line for something else: who is asked there is another."""
    return any("@" in word and word.strip(".,;") in line for word in text.split() for line in lines)


def _parts_of(text: str) -> list[str]:
    """The clauses of a text that may say something: no single words, which belong to what stands before them."""
    return [one for one in clauses(text) if len(one.split()) > 1] or [text]


def _says_more(ctx: Context, one: Question, other: Question) -> bool:
    """Whether a question says what its line needs, or has words for others, and another with the same wish does not."""
    if message_in(ctx, one.text)[1] and not message_in(ctx, other.text)[1]:
        return True
    return _lacks(ctx, other) and not _lacks(ctx, one)


def _lacks(ctx: Context, one: Question) -> bool:
    """Whether a question does not say what its line needs."""
    line = line_for(ctx, one.want, one.text)
    return line == f"HELP {title_of(one.want)}" or is_vague(line, one.text)


def _of_whom(ctx: Context, question: Question | None, sentence: str, around: str) -> Question | None:
    """The question of a clause; one about somebody whom only the rest of its sentence names, or of its mail, with that:
    `Italy is out. Ask ida@example.org to take over`.
    """
    if question is None or question.want in TAKES_WORDS:
        return question
    if not ctx.runs_games:  # `I get a new address, x@y.org: can you send it there?`
        return completed(ctx, question, sentence) if question.want in _OF_AN_ADDRESS else question
    question = completed(ctx, question, sentence) if speaks_of_others(question.text) else question
    return completed(ctx, question, around)


def _question(ctx: Context, text: str, margin: float) -> Question | None:
    """What a text asks for, if it has a word for that where it needs one."""
    found = _nearest(ctx, text, margin)
    return found if found is None or is_said(ctx, found.want, text) else None


def _nearest(ctx: Context, text: str, margin: float) -> Question | None:
    """What a text asks for, if no kind that is answered in another way is as likely but for this margin; and if it is
    not sure, what else it may ask for. Nothing asks for nothing.
    """
    if _OF_NUMBERS.fullmatch(text) or _only_names(ctx, text):
        return None
    if (due := of_board(ctx, text) or of_absence(ctx, text)) is not None:
        return Question(text, due)
    found = guess(ctx, text)
    near = [want for want in wanted(found.within(margin)) if not is_nothing(ctx, want)]
    wants = [want for want in near if want is not None and applies(ctx, want)]
    same = len(wants) == len(near) and len({way_of(ctx, want, text) for want in wants}) == 1
    if (fitting := _fitting(ctx, wants, found, text, same=same, margin=margin)) is not None:
        return Question(text, fitting)
    asks_who = Wanted.GM_WHO in near and margin < SURE and _is_question(text)
    if not same and asks_who and known_people(ctx, text):
        return Question(text, Wanted.GM_WHO)
    words = len(text.split())
    known = found.known if words > 1 or text.endswith("?") else found.is_example  # it may be a name below the text
    want = wants[0] if same and known and words <= _MOST_WORDS else None
    if ctx.runs_games and (loud := _in_capitals(ctx, text)) is not None:
        return Question(text, loud)
    if ctx.runs_games and (asked := _by_command(ctx, text)) is not None:
        return Question(text, asked)
    topic = topic_in(ctx, text, loud=want is not None)
    sure_wish = want is not None and margin == SURE and want.name.startswith(MASTERS)
    if topic and (topic in text or not sure_wish):  # `how do I end the game` is about more than its END
        return Question(text, Wanted.COMMAND)  # the word it asks about, or whose command it names
    if want is None or (margin < SURE and changes(ctx, want, text)):
        return None
    if not is_question(text) and (_gives_orders(ctx, text) or _tries_orders(ctx, text)):
        return None
    others = filter(None, wanted((*kinds_of_clauses(ctx, text), *found.within(SURE)[1:])))
    return Question(text, want, tuple(dict.fromkeys(others))[:_OTHERS] if margin < SURE else ())


_OF_NUMBERS = re.compile(r"\W*(?:(?:\d+|or|and|oder|und|ou|et)\W*)*", re.IGNORECASE)
"""Numbers ask nothing of their own: `how many centres has England got, 3 or 4?`"""


def _only_names(ctx: Context, text: str) -> bool:
    """Whether words beside a gamemaster's wish only name powers and games: they want what stood before, `X takes over
    Turkey in spring and Italy in duel`, and nothing of their own.
    """
    words = _NAMED.findall(without_added(text)[0].lower()) if ctx.runs_games else []
    named = [word for word in words if names_power(word, ctx.lexicon)]
    games = frozenset(names_known(ctx)) if named else frozenset()
    others = {"in", "of", "for", "and", "also", "too", "the", "as", "well", *games, *named}
    return bool(games.intersection(words)) and others.issuperset(words)


def _fitting(
    ctx: Context, wants: Sequence[Wanted], found: Likely, text: str, *, same: bool, margin: float
) -> Wanted | None:
    """Of several wishes about as likely the one that fits; beside one to change an option of which a text names none,
    one almost as likely that lacks nothing: `give the players two days each`.
    """
    fitting = _that_fits(ctx, wants, text) if not same else None
    if fitting is not None or margin < SURE or wants[:1] != [Wanted.GM_SET] or wonders(text):
        return fitting
    if not is_only_explained(ctx, Question(text, wants[0])):
        return None
    near = [want for want in wanted(found.within(2 * SURE)) if want is not None and applies(ctx, want)]
    return next((want for want in near if fits(ctx, want, text)), None)


def _in_capitals(ctx: Context, text: str) -> Wanted | None:
    """The wish of a clause that begins with its command in capitals and has what it needs, `STANDIN Italy, please`, or
    is a command as it stands.
    """
    alone = len(text.split()) < _SEVERAL
    text = _LEADS_ON.sub("", text)
    first, *_ = text.split() or [""]
    title = first.strip(".,;:!") if first.isupper() else ""
    with suppress(NotUnderstood):
        call = ctx.commands.reader.read(text.strip(), ctx.lexicon) if not (alone or title) else None
        title = ctx.commands[call.name].title if call is not None else title
    want = Wanted.__members__.get(f"{MASTERS}{title.replace(' ', '_')}")
    return want if want is not None and not line_for(ctx, want, text).startswith("HELP ") else None


def _by_command(ctx: Context, text: str) -> Wanted | None:
    """The wish whose command a request names, if it has what that needs: `could you invite kim@example.org?`"""
    title = command_in(ctx, text, loud=False) or _FIRST.sub(r"\1", text).upper()
    want = Wanted.__members__.get(f"{MASTERS}{title.replace(' ', '_')}") if title else None
    if want is None or wants_to_know(text):
        return None
    return want if fits(ctx, want, text) or (want in OF_A_POWER and speaks_of_others(text)) else None


_FIRST = re.compile(
    r"\A\W*+(?:(?:and|then|also|please|pls|now|so|just)\b\W*+)*+([^\W\d_]+).*", re.IGNORECASE | re.DOTALL
)
"""The word with which a request begins: `please eject Italy`."""


_TO_PLAYERS = (Wanted.GM_PRESS, Wanted.GM_BROADCAST)


def _that_fits(ctx: Context, wants: Sequence[Wanted], text: str) -> Wanted | None:
    """Of a few wishes of a gamemaster that are about as likely the only one whose line has every name, address, time
    and option of the sentence, and would be done; or, if all do something, the only one that would be done.
    """
    if not ctx.at_chair or len(wants) > _MOST or len(text.split()) > _MOST_WORDS:
        return None
    if is_reason(without_game(text, ctx.game_name)) and not wonders(text):
        return None  # `Austria in spring cannot play any more` may be the reason for any of them
    fitting = [want for want in wants if fits(ctx, want, text)]
    if wants and wants[0] in _TO_PLAYERS and wants[0] not in fitting:
        return None  # who is likeliest to write to somebody wants nothing else of us
    if not fitting and all(want.name.startswith(MASTERS) for want in wants):
        fitting = [want for want in wants if is_possible(ctx, want, text)]
    return fitting[0] if len({line_for(ctx, want, text) for want in fitting}) == 1 else None


def _gives_orders(ctx: Context, text: str) -> bool:
    """Whether a text gives orders at the seat, or at the server's address in a game that it names."""
    if ctx.seat is None and any(mention(name).search(text) for name in names_known(ctx)):
        played = ctx.looks.once(None, orderings_of, 1, lambda: [*orderings_of(ctx)])
        named = ((without_game(text, game.name), one) for game, one in played if mention(game.name).search(text))
        return any(one is not None and one.gives(said) for said, one in named)
    ordering = ordering_at(ctx.game, ctx.seat) if ctx.game is not None and ctx.seat is not None else None
    if ordering is None or ordering.gives(text):
        return ordering is not None
    return not wonders(text) and (ordering.helps(text) or _builds_ahead(ctx, text))


def _builds_ahead(ctx: Context, text: str) -> bool:
    """Whether a sentence orders builds for when they are due."""
    ordering = ordering_at(ctx.game, ctx.seat) if says(text, "build") else None
    return ordering is not None and not wonders(text) and bool(ordering.builds_ahead(text)[1])


def _tries_orders(ctx: Context, text: str) -> bool:
    """Whether a text has an order in notation that is not allowed now: `make that Nwg-Bar`."""
    ordering = ordering_at(ctx.game, ctx.seat) if "-" in text else None
    return ordering is not None and any(ordering.faults_among(text))


def _reason(ctx: Context, questions: Sequence[Question]) -> Reason:
    does = (one for one in questions if changes(ctx, one.want, one.text))
    return Reason.ANSWERED if all(is_done_at_once(ctx, one) for one in does) else Reason.OFFERED
