"""Questions and wishes in people's own words (`gm.parsing.questions`), answered in the same reply.

What only shows something is shown at once. What changes something is offered as a line to be sent with one tap, and so
are the readings of a sentence that may mean more than one thing. A mail that speaks to a player is not asked of gm.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from gm.commands.context import Context
from gm.parsing.lexicon import Lexicon
from gm.parsing.message import Complaint, Talk
from gm.parsing.questions import Wanted, sentences, speaks_of_the_game, wanted
from gm.reading.line import Line, Lines, Origin, Reason, asks_anything, settled
from gm.server.question_answers import Question, applies, changes, command_in, line_for
from gm.server.speech import speaks, spoken_to

_MOST = 3
"""The most questions that are answered in one reply."""
_LIKELIEST = 2


def questions_in(ctx: Context, lines: Lines) -> tuple[Lines, tuple[Question, ...]]:
    """The lines, those that ask something settled: as answered, or as asked about where that changes something or is in
    doubt. And the questions.
    """
    talk = [line for line in lines if _is_open_talk(ctx, line)]
    letters = (spoken_to(ctx, line.text) for line in talk)
    if not talk or any(one.heads or one.error for one in letters):
        return lines, ()
    idle = not asks_anything(lines)
    found: dict[str, Question] = {}
    settled_lines = []
    for line in lines:
        own = _asked_in(ctx, line) if _is_open_talk(ctx, line) and len(found) < _MOST else ()
        new = {" ".join(line_for(ctx, want, one.text) for want in one.wants): one for one in own}
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
    if speaks(ctx, line.text):
        return line  # it is said of that line that nobody was told
    about = any(speaks_of_the_game(text, partial(_names_power, lexicon)) for text in sentences(line.text))
    alone = idle and len(line.text.split()) > 1
    return settled(line, Reason.PASSED) if about or alone else line


def _asked_in(ctx: Context, line: Line) -> tuple[Question, ...]:
    lexicon = ctx.game.lexicon_of(ctx.seat) if ctx.game is not None else None
    if _is_a_word(ctx, line) and ctx.seat is not None and ctx.seat.moderates:
        return ()
    texts = [f"{line.text.strip()}?"] if _is_a_word(ctx, line) else sentences(line.text)
    texts = [text for text in texts if not spoken_to(ctx, text).to]
    found = ((text, _wanted(ctx, text, lexicon)) for text in texts)
    possible = ((text, _apart(ctx, text, wants)) for text, wants in found)
    return tuple(Question(text, wants[:_LIKELIEST]) for text, wants in possible if wants)


def _apart(ctx: Context, text: str, wants: Sequence[Wanted]) -> tuple[Wanted, ...]:
    """Those of its readings that are possible here; of several that the same help answers, the first."""
    found: dict[str, Wanted] = {}
    for want in wants:
        if applies(ctx, want):
            line = line_for(ctx, want, text)
            found.setdefault(line if line.startswith("HELP ") else want.name, want)
    return tuple(found.values())


def _wanted(ctx: Context, text: str, lexicon: Lexicon | None) -> tuple[Wanted, ...]:
    """What a sentence asks for; a command that it names in capitals is what it is about."""
    found = wanted(text, partial(_names_power, lexicon), partial(applies, ctx))
    command = command_in(ctx, text, loud=bool(found))
    return (Wanted.COMMAND,) if command else found


def _names_power(lexicon: Lexicon | None, word: str) -> bool:
    return lexicon is not None and lexicon.power(word) is not None


def _reason(ctx: Context, questions: Sequence[Question]) -> Reason:
    sure = all(len(one.wants) == 1 and not changes(ctx, one.wants[0]) for one in questions)
    return Reason.ANSWERED if sure else Reason.OFFERED
