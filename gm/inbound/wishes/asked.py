"""What a text asks for or wishes, clause by clause: each wish once, with what of the text belongs to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile

from gm import patterns as re
from gm.commands.context import Context
from gm.errors import NotUnderstood
from gm.inbound.facts import names_known, names_of_games
from gm.inbound.ordering import ordering_at, orderings_of
from gm.inbound.speech import heads_letter, spoken_to
from gm.inbound.wishes.guesses import (
    OF_ORDERS,
    REPORTS,
    applies,
    guess,
    is_known,
    is_nothing,
    is_question_of_rules,
    message_in,
    message_marked,
    of_absence,
    of_board,
    takes_words,
    tells_whom,
    wanted,
    with_words,
    words_end,
)
from gm.inbound.wishes.lines import (
    changes,
    command_in,
    line_for,
    topic_in,
)
from gm.inbound.wishes.masters_wishes import OF_A_POWER, TAKES_WORDS, because, in_all, is_vague, title_of
from gm.inbound.wishes.new_games import games_run
from gm.inbound.wishes.question_answers import (
    Question,
    completed,
    fits,
    is_done_at_once,
    is_only_explained,
    is_possible,
    is_said,
    way_of,
)
from gm.inbound.wishes.shown import known_people
from gm.parsing.game_names import (
    BEFORE_WORDS,
    about_games,
    games_in,
    games_left_out,
    mention,
    without_added,
    without_game,
)
from gm.parsing.likely_commands import time_in
from gm.parsing.meant_words import says
from gm.parsing.message import Complaint
from gm.parsing.own_sentences import depends, goes_on, has_words
from gm.parsing.questions import (
    OF_IT,
    Wanted,
    begins_because,
    clauses,
    is_reason,
    is_refused,
    is_told,
    meaning_asked,
    only_asks,
    requests,
    says_which,
    sentences,
    speaks_of_others,
    wants_to_know,
    wishes,
    with_reason_bound,
    with_then,
    without_lead,
    wonders,
)
from gm.parsing.questions import asks as is_question
from gm.parsing.sayings import MASTERS, SURE, Likely
from gm.parsing.sentences import names_power
from gm.reading.line import Line, Origin, Reason

MOST_ASKED = 4
"""The most questions that are answered in one reply."""
MOST_AROUND = 4_000
"""So many characters of the other sentences are looked at for what one lacks."""
_MOST_WORDS = 30
"""Longer sentences are not asked of a program."""
_OF_AN_ADDRESS = (Wanted.ADDRESS, Wanted.DEPUTY)
A_NAME = re.compile(r"[\w-]+")


def all_but(ctx: Context, text: str, stay: Collection[str] = ()) -> list[str]:
    """The games that the sender runs, without those that a text about all of them leaves out, and others that stay."""
    every = [game.name for game in games_run(ctx)]
    but = {*games_left_out(text, every), *stay}
    return [name for name in every if name not in but]


def _has_games(ctx: Context, text: str, games: Collection[str]) -> bool:
    """Whether a part of a sentence about these games says which: a list of its own, or all, and these are all."""
    return bool(games_in(text)) or (in_all(ctx, text) and {*games} >= {*all_but(ctx, text)})


SEVERAL = 2


def is_a_word(ctx: Context, line: Line) -> bool:
    """Whether it is the word of a command that needs more, `deadline`: it may be a question about it."""
    alone = isinstance(line.meaning, Complaint) and line.text.strip().isalpha()
    known = alone and ctx.commands.reader.name_of(line.text) is not None
    return known and line.origin is Origin.OWN and line.is_for(Reason.NOT_UNDERSTOOD)


GREETS = 3
"""So few words greet or thank."""


def asked_in(ctx: Context, line: Line, around: str) -> tuple[Question, ...]:
    """What a line asks for surely: the clauses of each of its sentences, or else the sentence, or else all of it."""
    if "\n" in line.text and not message_in(ctx, line.text)[1]:
        question = question_in(ctx, line.text.partition("\n")[0])
        return (replace(question, text=line.text),) if question is not None else ()
    heads = line.text.rstrip().endswith(":") or heads_letter(ctx, line.text)
    if not ctx.runs_games and heads and not wonders(line.text):
        return ()  # it heads what stands below it
    if is_a_word(ctx, line):
        texts = [] if ctx.at_chair else [f"{line.text.strip()}?"]
    else:
        texts = [
            text for text in sentences_here(ctx, line.text) if message_in(ctx, text)[1] or not spoken_to(ctx, text).to
        ]
    ruled, texts = _about_rules(ctx, [*without_hallo(ctx, texts)])
    whole = " ".join(texts)
    sure = (*ruled, *(asked_surely(ctx, texts, around) or (() if ruled else asked_surely(ctx, [whole]))))
    to_others = [
        text for text in sentences_here(ctx, line.text) if ctx.runs_games and ":" in text and text not in texts
    ]
    return tuple(replace(one, beside=(*one.beside, *to_others)) if one is sure[0] else one for one in sure)


def without_hallo(ctx: Context, texts: Sequence[str]) -> Sequence[str]:
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


def is_one_question(ctx: Context, texts: list[str]) -> bool:
    """Whether all of these sentences are one question about the rules."""
    ruled, others = _about_rules(ctx, texts)
    return bool(ruled) and not others


def own_wishes(text: str) -> list[str]:
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


def sentences_here(ctx: Context, text: str) -> list[str]:
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
    if at is None or asked_surely(ctx, [last]) or tells_whom(ctx, last) is not None:
        return [*first, with_words(last, words), *more]
    return [*(with_words(one, words) if n == at else one for n, one in enumerate(first)), *more]  # the last heads them


def asked_surely(ctx: Context, texts: Sequence[str], around: str = "") -> tuple[Question, ...]:
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
        games = games_in(text) or (tuple(all_but(ctx, text)) if ctx.seat is None and in_all(ctx, text) else games)
        head, words = message_in(ctx, text)
        own_games = games if ctx.seat is None else games_in(text)
        parts = own_wishes(head)
        if not words and (own_wish := _own_wish(ctx, parts, text)) != text:
            head = text = own_wish
            parts = own_wishes(head)
        if own_games:
            parts = [part if _has_games(ctx, part, own_games) else about_games(part, own_games) for part in parts]
        deeds = [part for part in parts if not (words and tells_whom(ctx, part))]  # those only lead to the words
        deeds = [part for part in deeds if not (len(parts) > 1 and (begins_because(part) or says_which(part)))]
        if any(map(only_asks, parts)):  # `if my games go on on Monday, when is the deadline?`
            deeds = [part for part in deeds if only_asks(part) or not depends(part)]
        beyond = "" if text in apart else around
        each = [_of_whom(ctx, question_in(ctx, part), text, beyond) if part in deeds else None for part in parts]
        each = [one if one is None or not _says_no(ctx, text, one) else None for one in each]
        if not wonders(text) and any(one is not None and one.want in SAID_BY_ORDERS for one in each):
            each = [] if gives_orders(ctx, text) else each  # it does what it would be told how to do
        each = [] if not ctx.runs_games and _builds_ahead(ctx, text) else each
        asked = without_reasons(ctx, [one for one in each if one is not None])
        own = that_say_more(ctx, asked)
        lost = [one.text for one in asked if one not in own and not _is_within(ctx, one, own)]
        own = [replace(one, beside=(*one.beside, *lost)) for one in own]
        if words:
            own = own if any(one.want in TAKES_WORDS for one in own) else _and_words(ctx, own, head, words)
            at = next((at for at, one in enumerate(own) if one.want in TAKES_WORDS), None)
            texts_ = [with_words(one.text, words) for one in own]
            own = [replace(one, text=texts_[n]) if n == at else one for n, one in enumerate(own)]
        own = _with_the_rest(ctx, own, dict(zip(parts, each, strict=False)), text, () if words else deeds)
        own = _for_its_reason(ctx, own, text)
        created = (replace(one, text=text, beside=()) for one in own if one.want in _CREATES)
        own = [*created][:1] or own  # the sentence is about the new game: its options, its guests
        if not own and parts != [text] and (whole := question_in(ctx, text)) is not None:
            own = [whole]
        for one in own:
            key = one.want, games_in(one.text)
            earlier = found.get(key)
            one = _with_options(ctx, earlier, one)
            heard = earlier is not None and ctx.runs_games and only_states(earlier.text) > only_states(one.text)
            if earlier is None or heard or earlier.text in one.text or _says_more(ctx, one, earlier):
                found[key] = one if text in apart else completed(ctx, one, around)
                used.append(said)
        long = len(text.split()) > GREETS or (ctx.runs_games and goes_on(text))
        unsaid += [text] if not own and (text in apart or long) else []
    kept = without_reasons(ctx, [*found.values()]) if ctx.runs_games else [*found.values()]
    first_, others = next(iter(kept), None), kept[1:]
    told = {text for text in used if any(one.text in text or text in one.text for one in kept)}
    lost = [text for text in (first, *rest) if ctx.runs_games and has_words(text) and text not in told]
    unsaid = [*dict.fromkeys((*unsaid, *lost))]
    return (replace(first_, beside=(*first_.beside, *unsaid)), *others) if first_ is not None else ()


SAID_BY_ORDERS = (*OF_ORDERS, Wanted.NEAR, Wanted.SAME, Wanted.MY_ORDERS)
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
            if (one is None and not time_in(part) and len(part.split()) >= GREETS)
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
        own = () if only_states(clause) or begins_because(clause) else games_named(clause, names)
        if found and own and found[-1][1] and own != found[-1][1]:
            found.append((clause, own))
        elif found:
            found[-1] = f"{found[-1][0]}{text[at:begin]}{clause}", own or found[-1][1]
        else:
            found.append((text[:begin] + clause, own))
        at = begin + len(clause)
    if len(found) < SEVERAL:
        return [text]
    first, names_ = found[0][0], found[0][1]
    head = first[: min(map(first.lower().find, names_), default=0)]
    whole = [(f"{head}{said}" if n and _begins_with(said, own) else said, own) for n, (said, own) in enumerate(found)]
    why = because(text)
    each = [(said if because(said) else _with(said, why), own) for said, own in whole]
    return [said if games_in(said) else _for_games(said, own) for said, own in each]


def _alone(ctx: Context, text: str) -> str:
    """A sentence beside others for several games; one that names some alone as one about them."""
    if without_added(text)[0] != text or games_in(text) or in_all(ctx, text) or only_states(text):
        return text
    own = games_named(text, names_of_games(ctx)())
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


def games_named(clause: str, names: Collection[str]) -> tuple[str, ...]:
    """The games, of these, that a clause names, in a list or alone."""
    return games_in(clause) or tuple(name for name in names if mention(name).search(clause))


def _for_games(text: str, games: Sequence[str]) -> str:
    """A wish for these games that names them alone, as one about them."""
    for name in games:
        text = without_game(text, name)
    return about_games(text, games)


def only_states(text: str) -> bool:
    return is_told(text) or is_reason(text)


def _own_wish(ctx: Context, parts: Sequence[str], text: str) -> str:
    """A sentence without the clauses that tell what others ask for, if its writer surely wants something in another."""
    own = [part for part in parts if not is_told(part)] if ctx.runs_games and len(parts) > 1 else parts
    if len(own) == len(parts):
        return text
    asked = (question_in(ctx, part) for part in own)
    return ", ".join(own) if any(one is not None and changes(ctx, one.want, one.text) for one in asked) else text


def _and_words(ctx: Context, own: list[Question], head: str, words: str) -> list[Question]:
    """The wishes of a sentence that has words for others, with the short one of which these are, `announce: ...`; or
    with the words as what is left out.
    """
    parts = dict.fromkeys((*wishes(head), *clauses(head)))  # `tell Russia and Turkey` is one
    short = (question_in(ctx, part) for part in parts)
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


def that_say_more(ctx: Context, own: list[Question]) -> list[Question]:
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
    asked = [one for line, one in pairs if line == "HELP" or puts_a_question(one.text)]
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


def puts_a_question(text: str) -> bool:
    return text.rstrip().endswith("?")


def of_new_game(ctx: Context, asked: list[Question], text: str) -> list[Question]:
    """The questions; what else a mail says that wants a new game is about that: its options, its guests."""
    made = next((one for one in asked if one.want in _CREATES), None)
    if made is None:
        return asked
    names = names_of_games(ctx)()
    of_new = [one for one in asked if one.want in _OF_A_GAME and not games_named(one.text, names)]
    others = [one for one in asked if one.want not in _OF_A_NEW_GAME and one not in of_new]
    return [replace(made, text=text or made.text, beside=()), *others]


def with_remark(asked: list[Question]) -> list[Question]:
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


def without_reasons(ctx: Context, asked: list[Question]) -> list[Question]:
    """The questions, beside one that wants something done, or asks, without those of clauses that only state why; and a
    cry for help beside others leads to these: `I don't understand, why ...?`
    """
    asked = [one for one in asked if one.want is not Wanted.HELP or not only_states(one.text)] or asked
    used = [line_for(ctx, one.want, one.text) for one in asked if one.want is not Wanted.ADDRESS]
    asked = [one for one in asked if one.want is not Wanted.ADDRESS or not _is_used(one.text, used)]
    if not ctx.runs_games:
        return asked
    texts = [without_game(one.text, ctx.game_name) for one in asked]  # `England in wide has left`
    known = [is_known(ctx, one.text) or wonders(text) for one, text in zip(asked, texts, strict=True)]
    for tells in (only_states, is_told):
        each = zip(asked, texts, known, strict=True)
        wishes_ = [one for one, text, wished in each if wished or not all(map(tells, _parts_of(text)))]
        if any(puts_a_question(one.text) or changes(ctx, one.want, one.text) for one in wishes_):
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


def question_in(ctx: Context, text: str) -> Question | None:
    """What a text surely asks for, if it has a word for that where it needs one; None far down in a very long mail."""
    if ctx.looks.left <= 0:
        return None
    found = ctx.looks.once(ctx.game, (text, _OF_CLAUSES, ctx.seat and ctx.seat.id), 0, lambda: _nearest(ctx, text))
    return found if found is None or is_said(ctx, found.want, text) else None


_OF_CLAUSES = object()
"""That a look is at what a clause surely asks for."""


def _nearest(ctx: Context, text: str) -> Question | None:
    """What a text asks for, if no kind that is answered in another way may be meant. Nothing asks for nothing."""
    if _OF_NUMBERS.fullmatch(text) or _only_names(ctx, text):
        return None
    if (due := of_board(ctx, text) or of_absence(ctx, text)) is not None:
        return Question(text, due)
    found = guess(ctx, text)
    near = [want for want in wanted(found.within(SURE)) if not is_nothing(ctx, want)]
    wants = [want for want in near if want is not None and applies(ctx, want)]
    same = len(wants) == len(near) and len({way_of(ctx, want, text) for want in wants}) == 1
    if (fitting := _fitting(ctx, wants, found, text, same=same)) is not None:
        return Question(text, fitting)
    if not same and Wanted.GM_WHO in near and puts_a_question(text) and known_people(ctx, text):
        return Question(text, Wanted.GM_WHO)
    words = len(text.split())
    known = found.known if words > 1 or text.endswith("?") else found.is_example  # it may be a name below the text
    want = wants[0] if same and known and words <= _MOST_WORDS else None
    if ctx.runs_games and (loud := _in_capitals(ctx, text)) is not None:
        return Question(text, loud)
    if ctx.runs_games and (asked := _by_command(ctx, text)) is not None:
        return Question(text, asked)
    topic = topic_in(ctx, text, loud=want is not None)
    topic = "" if topic and want is not None and line_for(ctx, want, text) == f"HELP {topic}" else topic
    sure_wish = want is not None and want.name.startswith(MASTERS)
    if topic and (topic in text or not sure_wish):  # `how do I end the game` is about more than its END
        return Question(text, Wanted.COMMAND)  # the word it asks about, or whose command it names
    if want is None or (not is_question(text) and (gives_orders(ctx, text) or _tries_orders(ctx, text))):
        return None
    return Question(text, want)


_OF_NUMBERS = re.compile(r"\W*(?:(?:\d+|or|and|oder|und|ou|et)\W*)*", re.IGNORECASE)
"""Numbers ask nothing of their own: `how many centres has England got, 3 or 4?`"""


def _only_names(ctx: Context, text: str) -> bool:
    """Whether words beside a gamemaster's wish only name powers and games: they want what stood before, `X takes over
    Turkey in spring and Italy in duel`, and nothing of their own.
    """
    words = A_NAME.findall(without_added(text)[0].lower()) if ctx.runs_games else []
    named = [word for word in words if names_power(word, ctx.lexicon)]
    games = frozenset(names_known(ctx)) if named else frozenset()
    others = {"in", "of", "for", "and", "also", "too", "the", "as", "well", *games, *named}
    return bool(games.intersection(words)) and others.issuperset(words)


def _fitting(ctx: Context, wants: Sequence[Wanted], found: Likely, text: str, *, same: bool) -> Wanted | None:
    """Of several wishes about as likely the one that fits; beside one to change an option of which a text names none,
    one almost as likely that lacks nothing: `give the players two days each`.
    """
    fitting = _that_fits(ctx, wants, text) if not same else None
    if fitting is not None or wants[:1] != [Wanted.GM_SET] or wonders(text):
        return fitting
    if not is_only_explained(ctx, Question(text, wants[0])):
        return None
    near = [want for want in wanted(found.within(2 * SURE)) if want is not None and applies(ctx, want)]
    return next((want for want in near if fits(ctx, want, text)), None)


def _in_capitals(ctx: Context, text: str) -> Wanted | None:
    """The wish of a clause that begins with its command in capitals and has what it needs, `STANDIN Italy, please`, or
    is a command as it stands.
    """
    alone = len(text.split()) < SEVERAL
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
    if not ctx.at_chair or len(wants) > MOST_ASKED or len(text.split()) > _MOST_WORDS:
        return None
    if is_reason(without_game(text, ctx.game_name)) and not wonders(text):
        return None  # `Austria in spring cannot play any more` may be the reason for any of them
    fitting = [want for want in wants if fits(ctx, want, text)]
    if wants and wants[0] in _TO_PLAYERS and wants[0] not in fitting:
        return None  # who is likeliest to write to somebody wants nothing else of us
    if not fitting and all(want.name.startswith(MASTERS) for want in wants):
        fitting = [want for want in wants if is_possible(ctx, want, text)]
    return fitting[0] if len({line_for(ctx, want, text) for want in fitting}) == 1 else None


def gives_orders(ctx: Context, text: str) -> bool:
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


def reason_of(ctx: Context, questions: Sequence[Question]) -> Reason:
    does = (one for one in questions if changes(ctx, one.want, one.text))
    return Reason.ANSWERED if all(is_done_at_once(ctx, one) for one in does) else Reason.OFFERED
