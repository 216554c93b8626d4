"""The answers to questions and wishes in people's own words (`gm.inbound.wishes.plain_questions`).

What only shows something is shown at once; what changes something is offered as a line to be sent with one tap.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import islice, pairwise
from types import MappingProxyType
from zoneinfo import ZoneInfo

from gm import patterns as re
from gm.board import Location, Power, Province, UnitKind, standard_board
from gm.commands import COMMANDS
from gm.commands.context import Answer, Context, Meant
from gm.commands.dashboard import known_of
from gm.commands.declaration import Consent
from gm.commands.help import WHAT_IT_IS, explained, plays_nothing, ways_in, welcome
from gm.commands.press import refusal
from gm.commands.status import state_words
from gm.commands.voting import answers_to
from gm.errors import GmError, NotUnderstood, Temporary
from gm.games import ballots, beginning
from gm.games.briefs import brief_of, paragraphs_on, rulings_of
from gm.games.questions import drops
from gm.games.report_inputs import closes_at, early_by, goes_on_in, phases_leading_to, progress_shown, view_of
from gm.games.rules_asked import rulings_asked, rulings_near
from gm.games.seats import ends_early, terms
from gm.games.snapshot import Game, Seat, holders
from gm.inbound import late_sets
from gm.inbound.acting import at_seats, fault_in_turn, fault_of, in_games, run
from gm.inbound.facts import items_in, names_of_games, places_in
from gm.inbound.ordering import Ordering, ordering_at
from gm.inbound.plain_answers import proposed_to
from gm.inbound.speech import named_in, offer_press, with_powers
from gm.inbound.wishes.masters_wishes import (
    FOR_THE_NEXT,
    LIKE,
    OF_ALL,
    OF_PLAYERS,
    SOME_TIME_SAID,
    STANDBY,
    TAKES_WORDS,
    WITH_THE_NEXT,
    Proposal,
    denies_order,
    line_of,
    orders_told,
    plays_it,
    times_left_out,
    title_of,
)
from gm.inbound.wishes.masters_wishes import changes as does_more
from gm.inbound.wishes.reach import reach_of_others, starts_and_goals
from gm.inbound.wishes.said_of_turns import attackers, deeds_of, own_move_to, silent_before
from gm.mail.message.voices import said_instead, takes_back
from gm.maps.legend import SIGNS_IN_WORDS
from gm.options.table import BY_NAME
from gm.orders.legality import may_go_to
from gm.orders.notation import short, write_unit
from gm.parsing.days import days_away, is_span, names_end, with_end
from gm.parsing.game_names import (
    BEFORE_WORDS,
    games_in,
    games_left_out,
    mention,
    plain,
    without_game,
    without_games,
)
from gm.parsing.headings import one_phase
from gm.parsing.lexicon import fold, shorten
from gm.parsing.likely_commands import time_in
from gm.parsing.meant import keeps_orders, keeps_rest, says
from gm.parsing.message import CommandLine
from gm.parsing.options_meant import option_asked, options_in
from gm.parsing.own_sentences import depends, goes_on
from gm.parsing.questions import (
    A_PHASE,
    JOINT,
    WANTS_TIME,
    Wanted,
    asked_directly,
    asks,
    clauses,
    is_against,
    is_of_another,
    is_reason,
    is_refused,
    is_told,
    meaning_asked,
    only_asks,
    points_back,
    requests,
    sentences,
    speaks_of_others,
    unframed,
    wants_to_know,
    wishes,
    without_reasons,
    wonders,
)
from gm.parsing.sayings import LIKELY, MASTERS, RULING, SURE, Likely, is_a_name, likely, powers_in
from gm.parsing.sentences import may_tell_time
from gm.parsing.several_lines import ALL, GM
from gm.parsing.small_talk import FUNCTION_WORDS, PROSE
from gm.parsing.zones import Place, place_in
from gm.position import PhaseKind, Unit
from gm.reading.line import Lines, Origin, Reason, for_reasons
from gm.reports import counted, listed
from gm.reports.blocks import Paragraphs
from gm.reports.results import MANY_POWERS, scores
from gm.store.game_rows import GameState, order_set_history


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence, and what it asks for."""

    text: str
    want: Wanted
    others: tuple[Wanted, ...] = ()
    """What it may ask for instead."""
    beside: tuple[str, ...] = ()
    """What the sentence says beside it, of which nothing was made."""
    as_master: bool = False
    """Whether somebody who also plays wants it as the gamemaster."""
    game: str = ""
    """The game in which it is asked, of a mail that came to the server's address."""
    quiet: bool = False
    """Whether it stands beside commands that do something, and is only said if these are done."""
    partly: bool = False
    """Whether its mail may want more than was understood, so that YES would do half of it."""


def applies(ctx: Context, want: Wanted) -> bool:
    """Whether there is an answer to it here: some questions are asked of a game, others by people without one."""
    if is_nothing(ctx, want):
        return False
    if ctx.seat is not None and ctx.game is not None:
        joins = want is not Wanted.JOIN or not ctx.game.running
        return joins and (want in _AT_A_SEAT or want.name.startswith(MASTERS))
    if ctx.runs_games and want.name.startswith(MASTERS):
        return True
    return want in (_OF_STRANGERS if plays_nothing(ctx) else _WITHOUT)  # who plays nothing is greeted


def of_board(ctx: Context, text: str) -> Wanted | None:
    """What a question of the rules asks of the board as it is: what can be built or removed, or where a dislodged unit
    can go, in such a phase; or who is in a place that it names, if only a ruling is likelier; or how an option is set.
    None for another.
    """
    if not wonders(text):
        return None
    if ctx.game is not None and ctx.seat is not None and option_asked(without_game(text, ctx.game_name)):
        return Wanted.OPTION
    ordering = ordering_at(ctx.game, ctx.seat)
    if ordering is None:
        return Wanted.HOW_TO_BUILD if _builds_now(ctx) and says(text, "build") else None
    found, places = guess(ctx, text), places_in(ctx, text)
    bare = found.without(lambda kind: RULING.fullmatch(kind) is not None)
    near = [Wanted.__members__.get(kind) for kind in bare.within(SURE)]
    if (
        places
        and not found.is_example
        and RULING.fullmatch(found.kinds[0])
        and found.behind[bare.kinds[0]] < _FAR_BEHIND
        and len(near) == 1
        and near[0] in _OF_PLACES
    ):
        return near[0]
    of_rules = any(RULING.fullmatch(kind) or Wanted.__members__.get(kind) in _OF_RULES for kind in found.within(LIKELY))
    if not of_rules or ordering.kind is PhaseKind.MOVEMENT:
        return None
    if ordering.kind is PhaseKind.ADJUSTMENT:
        builds = (near[0] is Wanted.NEAR and not places) or any(says(text, deed) for deed in ("build", "disband"))
        return Wanted.HOW_TO_BUILD if builds else None
    if ordering.kind is not PhaseKind.RETREAT:
        return None
    board, own = ordering.phase.board, [at for _, at in ordering.mine.units]
    named = {board.province(Location(one)) for one in places}
    return Wanted.NEAR if not named or named.intersection(map(board.province, own)) else None


def of_absence(ctx: Context, text: str) -> Wanted | None:
    """What a gamemaster wants who says on which days a player is away, and no more; None for another sentence."""
    named = ctx.at_chair and not wonders(text) and (any(_powers_of(ctx, text)) or speaks_of_others(text))
    away = named and _IS_AWAY.search(text) is not None and days_away(text, ctx.now.date()) is not None
    return Wanted.AWAY if away else None


_IS_AWAY = re.compile(
    r"\b(?:is|are|will be|goes|ist|sind|wird|est|sera)\b.{0,20}\b(?:away|on (?:holidays?|vacation|leave)|travell?ing"
    r"|absente?|offline|abroad|verreist|im urlaub|abwesend|en vacances)\b",
    re.IGNORECASE,
)
_FAR_BEHIND = 2 * SURE
"""What is less likely than a ruling by so much is not asked instead of it: `can France see my army in Munich?`"""


def _builds_now(ctx: Context) -> bool:
    """Whether a player writes in a phase of builds."""
    plays = ctx.seat is not None and ctx.seat.power is not None and not ctx.seat.moderates
    return (
        plays
        and ctx.game is not None
        and ctx.game.running
        and ctx.game.present.position.phase.kind is PhaseKind.ADJUSTMENT
    )


OF_ORDERS = (
    Wanted.HOW_TO_ORDER,
    Wanted.HOW_TO_SUPPORT,
    Wanted.HOW_TO_CONVOY,
    Wanted.HOW_TO_RETREAT,
    Wanted.HOW_TO_BUILD,
)
"""How something is ordered."""
_OF_RULES = (*OF_ORDERS, Wanted.NO_ORDERS, Wanted.STOPS, Wanted.NEAR, Wanted.RULES)
"""What is asked of the rules, or of what can be done."""


def is_nothing(ctx: Context, want: Wanted | None) -> bool:
    """Whether its writer cannot mean it: who runs games and plays in none has no deadlines that wait for them, and who
    says when they are away wants nothing to be sooner.
    """
    if want is Wanted.FASTER and ctx.mail is not None:
        return days_away(ctx.mail.message.text, ctx.now.date()) is not None
    away = want is Wanted.ABSENCE and ctx.runs_games
    return away and not any(game.plays(ctx.person) for game in ctx.own_games)


def guess(ctx: Context, text: str) -> Likely:
    """What a text is likeliest to want of those who may write it here; words for others do not count, nor, if that
    makes it surer, in which of one's games it is wanted.
    """
    head = message_in(ctx, text)[0]
    head = _DEADLINES.sub("deadline", without_games(head)) if games_in(head) else head
    wish = _bare(without_game(_by_power(ctx, head), ctx.game_name)) if ctx.runs_games else head
    there_is = ctx.game_name and mention(ctx.game_name).search(head) and not LIKE.search(head)
    not_new = frozenset(_MAKES if there_is else ())  # what is about a game that there is makes none
    options = [*options_in(wish)] if ctx.runs_games and not plays_it(ctx, wish) else []
    sets = any(one.startswith("reminder=") for one in options) if _REMINDS.search(wish) else bool(options)
    not_new |= {Wanted.GM_REMIND.name} if sets else set()  # `six hours of grace for those who are late`
    not_new |= {want.name for want, words in _HAS_WORDS.items() if not words.search(wish)}  # `please ask her`
    not_new |= _OF_DRAWS if not (_A_DRAW if _votes_on_time(ctx) else _A_VOTE).search(wish) else set()
    found = _guess(ctx, wish).without(not_new.__contains__)
    if sets and not found.within(SURE):
        return Likely({Wanted.GM_SET.name: 0.0}, known=True)
    if wish == head or len(found.within(SURE)) == 1:
        return found
    whole = _guess(ctx, head).without(not_new.__contains__)
    both = set(whole.within(SURE)).intersection(found.within(SURE))
    return whole.without(lambda kind: kind not in both) if len(both) == 1 else whole


def is_known(ctx: Context, text: str) -> bool:
    """Whether a text is known, as an example of something that its writer may want here."""
    found = guess(ctx, text)
    want = Wanted.__members__.get(found.kinds[0]) if found.is_example else None
    return want is not None and applies(ctx, want)


def _votes_on_time(ctx: Context) -> bool:
    """Whether a mail speaks of what players vote on beside draws."""
    return ctx.mail is not None and _OF_TIME.search(ctx.mail.message.text) is not None


_OF_DRAWS = {want.name for want in (Wanted.VOTE_DRAW, Wanted.NO_DRAW, Wanted.DRAW)}
_A_DRAW = re.compile(r"\b(?:draw|drew|dias|tie|remis|unentsch|null|nul\b|empat|tablas|paregg|patta|peace|end)", re.I)
_A_VOTE = re.compile(rf"{_A_DRAW.pattern}|\b(?:vot|ballot|shar|split|agree|propos|stimm|teil|partag|accept)", re.I)
_OF_TIME = re.compile(r"\b(?:paus|break|holiday|vacation|exten|more time|urlaub|ferien|verläng|vacances|délai)", re.I)
_MAKES = ("CREATE", f"{MASTERS}CREATE")
_DEADLINES = re.compile(r"\bdeadlines\b", re.IGNORECASE)
"""Those of several games: one in each."""


def _by_power(ctx: Context, text: str) -> str:
    """A text, in a gamemaster's with the powers in place of their players' names."""
    if not ctx.at_chair or ctx.game is None or ctx.seat is None:
        return text
    return with_powers(ctx.game, ctx.seat, text)


def _other_than_writer(ctx: Context) -> bool | None:
    """Whether a gamemaster's mail is about somebody else, whom it names; None where a sentence itself must say so."""
    if ctx.game is None or ctx.mail is None or not ctx.at_chair or ctx.plays(ctx.game):
        return None
    text = ctx.mail.message.text
    named = next(powers_named(ctx.game, ctx.seat, _by_power(ctx, text)), None)
    return named is not None or speaks_of_others(text)


_IN_ALL_GAMES = re.compile(
    r"\b(?:(?:in|for|of|from) )?(?:all|both|every|each|any) (?:of )?(?:my |the |our )?games?\b"
    r"(?:,? (?:except|but|without|apart from)(?: not)?(?: for| in)?(?: the)? [\w-]+(?:(?:, | and )[\w-]+){0,9})?",
    re.I,
)


def _bare(text: str) -> str:
    """A wish without what leads to it and the games for which it is: `No, and please extend it in all my games`."""
    wish = _IN_ALL_GAMES.sub("", text)
    begin = at = len(wish) - len(wish.lstrip(_SIGNS))
    while (found := _LEAD.match(wish, at)) is not None:
        at = found.end()
    return (wish[at:] if at > begin else wish) or text


_SIGNS = f"{string.punctuation.replace('_', '')}{string.whitespace}\u2013\u2014\u2026"
_LEAD = re.compile(
    r"(?:no|nein|non|hm+|oh|oops|ok|okay|actually|sorry|well|and|also|then|but|fine|yes|wait|hi)\b[,.! ]++"
    r"(?=\S{1,60} \S)",
    re.IGNORECASE,
)
"""A word that leads to a wish of two words or more."""


_NOTHING = Likely({"CHAT": 0.0}, known=False)
"""What a text wants that is looked at no more."""
_OF_A_LINE = 4
"""What a line costs that is made of a sentence, where a look at a sentence costs one."""


def _guess(ctx: Context, text: str) -> Likely:
    """What a text wants, or what it asks about where the words that ask leave that open; never what it is against.
    Nothing, of one that is far down in a mail of very many.
    """
    if ctx.looks.left <= 0:
        return _NOTHING
    return ctx.looks.once(ctx.game, (text, ctx.seat and ctx.seat.id), 1, lambda: _guessed(ctx, text))


_A_NAME = 2


def _guessed(ctx: Context, text: str) -> Likely:
    if keeps_orders(text) and ctx.mail is not None and keeps_orders(ctx.mail.message.text):
        return Likely({(Wanted.MY_ORDERS if _has_orders(ctx) else Wanted.SAME).name: 0.0}, known=True)
    if keeps_rest(text) or keeps_orders(text):
        return _NOTHING
    alone = ctx.seat is not None and not ctx.runs_games and is_span(text)
    if alone or (names_end(text) and _absence_as_corrected(ctx, text) is not None):
        return Likely({Wanted.ABSENCE.name: 0.0}, known=True)
    rulings = rulings_of(ctx.game.variant) if ctx.game is not None else ()
    word = meaning_asked(next(iter(clauses(text)), text))
    if 0 < len(word.split()) <= _A_NAME:  # however it asks what an order word of the game is
        meaning = likely(f"what does {word} mean", ctx.lexicon, moderates=ctx.runs_games, rulings=rulings)
        if meaning.is_example and RULING.fullmatch(meaning.kinds[0]):
            return meaning
    found = likely(text, ctx.lexicon, moderates=ctx.runs_games, rulings=rulings, wary=not ctx.runs_games)
    if asked := _rulings_asked(ctx, text, found):
        return Likely(dict.fromkeys(asked, 0.0), known=True)
    for about in dict.fromkeys((asked_directly(text), unframed(text))):
        if len(found.within(SURE)) > 1 and about not in ("", text):
            bare = likely(about, ctx.lexicon, moderates=ctx.runs_games, rulings=rulings)
            found = bare if bare.known and len(bare.within(SURE)) < len(found.within(SURE)) else found
    if (refused := next((kind for kind in found.within(_NEAR) if is_refused(text, kind)), None)) is not None:
        own = not ctx.runs_games and OF_WRITER.search(text) is not None
        return _REFUSED.get(refused, _NOT_WANTED if own else _TO_SOMEBODY)
    other = ctx.looks.once(ctx.game, (_OTHERS, ctx.seat and ctx.seat.id), 0, lambda: _other_than_writer(ctx))
    beside = _about_places(ctx, text)
    return found.without(lambda kind: kind in beside or is_against(text, kind) or is_of_another(text, kind, other))


def _about_places(ctx: Context, text: str) -> frozenset[str]:
    """The kinds of which a text is none for the places that it names: who wants the clocks of one wants no more time,
    and `call q42 gate` names nobody.
    """
    clocks = place_in(text).zone and not any(map(str.isdigit, text))
    named = places_in(ctx, text) and OF_WRITER.search(text) is None
    return frozenset((*(WANTS_TIME if clocks else ()), *((Wanted.NAME.name,) if named else ())))


def is_question_of_rules(ctx: Context, sentence: str) -> bool:
    """Whether a sentence of several clauses asks about the rules that only this game has, by words of theirs."""
    if ctx.game is None or not ctx.game.variant.brief:
        return False
    return sentence.rstrip().endswith("?") and len(wishes(sentence)) > 1 and bool(_rulings_by_words(ctx, sentence))


def _rulings_asked(ctx: Context, text: str, found: Likely) -> tuple[str, ...]:
    """The rulings that a question is about by the words of the game's rules, if it is not far surer about one thing;
    where the only such words name places, it is about these.
    """
    return _rulings_by_words(ctx, text) if len(found.within(2 * SURE)) > 1 else ()


def _rulings_by_words(ctx: Context, text: str) -> tuple[str, ...]:
    if ctx.game is None or not only_asks(text):
        return ()
    apart = [word for word in text.split() if places_in(ctx, word)]
    return rulings_asked(text, ctx.game.variant, " ".join(apart))


_OTHERS = object()
"""That a look is at the whole mail: whom it is about."""
_NEAR = 20.0
"""What is less likely than the likeliest by so much is not what a text refuses."""
_TO_SOMEBODY = Likely({GM: 0.0}, known=True)
"""What nothing is to be done for: it is for the gamemaster to know."""
_NOT_WANTED = Likely({"CHAT": 0.0}, known=True)
"""What a player wants who says that something is not wanted."""
_REFUSED = {
    Wanted.VOTE_DRAW.name: Likely({Wanted.NO_DRAW.name: 0.0}, known=True),
    Wanted.GM_ACCEPT_LATE.name: Likely({Wanted.GM_LATE.name: 0.0}, known=True),
}
"""What somebody wants who refuses a thing."""


def message_in(ctx: Context, text: str) -> tuple[str, str]:
    """A text of somebody who runs games without the words for others that stand behind a colon, and these: `publish the
    results with the remark: sorry for the delay`; "" if there are none.
    """
    if BEFORE_WORDS in text:
        head, _, words = text.partition(BEFORE_WORDS)
        return head, words
    lead, _, rest = text.partition(": ")
    head, colon, _ = rest.partition(": ")
    if ctx.runs_games and colon and _SAYS.search(wishes(head)[-1]):  # `they agree: end it, with the remark: ...`
        head, words = message_in(ctx, rest)
        return (f"{lead}, {head}", words) if words else (text, "")
    found = _TOLD.match(_told_last(ctx, text)) if ctx.runs_games else None
    if found is None or (games_in(found["words"]) and not without_games(found["words"]).strip(_SIGNS)):
        return text, ""  # `in these: spring, duel`
    head = without_games(found["head"]) if games_in(found["head"]) else found["head"]
    *before, last = wishes(head)
    kinds = TAKES_WORDS if _SAYS.search(last) else TAKES_WORDS.difference(REPORTS)
    takes = any(kinds.issuperset(wanted(_guess(ctx, part).within(SURE))) for part in (head, _bare(head), last))
    own = _SAYS.search(head) is None and _wants_surely(ctx, found["words"])
    sentences_ = _are_sentences(ctx, found["words"]) and not own
    takes = takes or (sentences_ and any(takes_words(ctx, part) for part in (*before, last)))
    takes = takes or (says_to_others(found[0]) and bool(before)) or tells_whom(ctx, last) is not None
    if not takes:
        return text, ""
    quoted = _QUOTED.fullmatch(found["words"].strip())
    if quoted is not None:
        return f"{found['head']} {quoted['rest']}".rstrip(), quoted["words"]
    return found["head"], found["words"].strip()


def tells_whom(ctx: Context, clause: str) -> Wanted | None:
    """The wish of a clause that only says whom the words behind it are for: `tell them: ...`, `write to Italy: ...`."""
    clause = without_game(_IN_ALL_GAMES.sub("", clause), ctx.game_name)
    found = _TELL_WHOM.fullmatch((without_games(clause) if games_in(clause) else clause).strip(_SIGNS))
    if found is None:
        return None
    if ctx.game is not None and any(powers_named(ctx.game, ctx.seat, found["whom"])):
        return Wanted.GM_PRESS
    if _OF_ALL_PLAYERS.fullmatch(found["whom"]):
        return Wanted.GM_BROADCAST
    return Wanted.GM_PRESS if found["tells"] and _OF_THE_WRITER.fullmatch(found["whom"]) is None else None


_OF_THE_WRITER = re.compile(r"(?:me|us|mir|uns|moi|nous)\b.*", re.IGNORECASE)
_TELL_WHOM = re.compile(
    r"\W*(?:(?:and|then|also|please|und|bitte|et) ){0,3}"
    r"(?:(?P<tells>tell|inform|say to|write to)|let|write|sage?|schreibe?|dis à) "
    r"(?P<whom>[\w ,]{1,60}?)(?: (?:know|why|(?:the|my|our) reasons?|this|the following|warum|pourquoi)){0,2}",
    re.IGNORECASE,
)
"""`why` is what the words behind it say: `and tell everybody why: ...`."""
_THE_PLAYERS = r"(?:all )?(?:the|its|their|these|those|my|our) (?:players|others)"
_OF_ALL_PLAYERS = re.compile(
    rf"(?:them|all|both|the (?:two|three)|every(?:one|body)|{_THE_PLAYERS}|alle|tous)"
    r"(?: (?:of them|players|all|both))?",
    re.IGNORECASE,
)


def _told_last(ctx: Context, text: str) -> str:
    """A text with what it tells somebody, beside a wish, behind a colon at its end: `extend by a day and tell all: I am
    away`, for `tell all that I am away, and extend by a day`.
    """
    if (put := _PUT_THAT.fullmatch(text)) is not None:
        return f"{put['head']}: {put['words']}"
    found = _TOLD_THAT.search(text)
    if found is None or ":" in text:
        return text
    tell = without_game(found["tell"] or found["plainly"], ctx.game_name)
    words, wish = text[found.end() :].strip(), text[: found.start()].strip(" ,;")
    parts = (words[joint.end() :] for joint in _AND.finditer(words))
    rest = next((part for part in parts if _wants_surely(ctx, part)), "")
    if wish and not rest and _ABOUT_MYSELF.match(wish) and all(map(is_reason, clauses(wish))):
        return f"{tell}: {wish}. {words[:1].upper()}{words[1:]}"
    wish = rest.rstrip(". ") or wish
    words = words.removesuffix(rest)
    words = words[: joint.start()] if rest and (joint := _AT_END.search(words)) is not None else words
    if not wish:
        runs = ctx.seat is None or ctx.seat.moderates
        said = without_game(found[0].removesuffix("that ").rstrip(), ctx.game_name)
        return f"{said}: {words}" if found["says"] or runs else text
    return f"{wish} and {tell}: {words}"


_ABOUT_MYSELF = re.compile(r"(?:i|we|ich|wir|je|nous)\b", re.IGNORECASE)
"""What begins a statement about oneself, which whoever is told what follows is told, too."""
_PUT_THAT = re.compile(
    r"(?P<words>[^:]{8,400}?)[,;.]? (?:and |please )*"
    r"(?P<head>put (?:that|this|it) (?:in|into|above|among|over|with)\b[^:,;]{4,60})",
    re.IGNORECASE | re.DOTALL,
)
"""Words that stand before what is to be done with them: `no letters on Sundays, put that into the house rules`."""
_TOLD_THAT = re.compile(
    r"(?:\b(?:and|also|then|please)[ ]){0,4}\b(?P<tell>(?:tell|inform|let)(?:[ ][^\s:;.!?]++){1,8}?"
    r"|(?P<says>announce|comment|remark|note|mention|write|say|add)(?:[ ][^\s:;.!?]++){0,8}?)"
    r"(?:[ ]know)?[ ]that[ ]"
    r"|(?:\b(?:and|also|then|please)[ ]){0,4}\b(?P<plainly>(?:tell|inform)[ ]"
    rf"(?:them|every(?:one|body)|all(?: of them| players)?|{_THE_PLAYERS}|both))[ ]"
    r"(?=(?:the|i|we|it|there|our|my|this|they|nobody|everybody|no)[ ])",
    re.IGNORECASE,
)
_AND = re.compile(r"[,;.][ ](?:(?:and|also|then)[ ]){0,3}", re.IGNORECASE)
_AT_END = re.compile(r"[,;.][ ](?:(?:and|also|then)[ ]){0,3}\Z", re.IGNORECASE)
_QUOTED = re.compile(r"[\"\u201c\u201e](?P<words>[^\"\u201c\u201d]+)[\"\u201c\u201d](?P<rest>.*)", re.DOTALL)
"""Words for others in quotation marks, behind which a sentence may go on."""


def _are_sentences(ctx: Context, words: str) -> bool:
    """Whether words are more than a list of powers or of games."""
    named = ctx.game is not None and any(powers_named(ctx.game, ctx.seat, words))
    return len(words.split()) > _FEW and not named and not games_in(words)


_FEW = 3


def with_words(text: str, words: str) -> str:
    """A wish that has these words for others, whatever it says of them."""
    return f"{text}{BEFORE_WORDS}{words}"


def message_marked(text: str) -> bool:
    """Whether a wish has words for others, as `with_words` gives them."""
    return BEFORE_WORDS in text


def takes_words(ctx: Context, clause: str) -> bool:
    """Whether a clause surely wants something that can have words for others."""
    return TAKES_WORDS.issuperset(wanted(_guess(ctx, clause).within(SURE)))


def words_end(ctx: Context, words: str) -> int:
    """Where words for others end, because a sentence behind them is a wish of its own: `well played. And extend by a
    day`.
    """
    end = 0
    for n, one in enumerate(sentences(words)):
        end = words.index(one, end)
        lead = _LEADS_ON.match(one)
        if n and lead is not None and _wants_surely(ctx, one[lead.end() :]):
            return end
        end += len(one)
    return len(words)


_LEADS_ON = re.compile(r"(?:(?:and|then|also|please|besides|und|dann|bitte|et|puis)\b[ ,]*)++", re.IGNORECASE)


def _wants_surely(ctx: Context, words: str) -> bool:
    """Whether words begin with a wish of their own: `let's go: start it please, ...`."""
    first = clauses(words)[:1]
    if first and _FOR_ME.match(first[0]):
        return True
    kinds = _guess(ctx, _bare(without_game(first[0], ctx.game_name))).within(SURE) if first else ()
    return bool(kinds) and all(kind.startswith(MASTERS) and kind not in _TALKS for kind in kinds)


_FOR_ME = re.compile(r"(?:please )?(?:send|give|show|mail) me\b(?! (?:your|their|them)\b)", re.IGNORECASE)
"""What is to be done for the sender, and is no part of words for others."""
_TALKS = frozenset((Wanted.GM_PRESS.name, Wanted.GM_BROADCAST.name))


def says_to_others(text: str) -> bool:
    """Whether a text has words for others behind a colon, `say: thank you all`, whatever they are to stand above."""
    found = _TOLD.match(text)
    return found is not None and _TELLS.match(wishes(found["head"])[-1]) is not None


_TELLS = re.compile(
    r"(?:(?:and|then|also|please|und|bitte|et) ){0,3}(?:tell|write|say|inform|let|add|thank|sage?|schreibe?|dis|dites)"
    r"\b(?! (?:me|us|mir|uns)\b)",
    re.I,
)
REPORTS = (Wanted.GM_DRAW, Wanted.GM_PROCESS, Wanted.GM_RELEASE, Wanted.GM_ROLLBACK, Wanted.GM_TERMINATE)
"""What is done with words above it, if the sentence says that words follow: `a draw: France and Italy` has none."""
_SAYS = re.compile(
    r"\b(?:remark\w*|thank|words?|notes?|comment\w*|message|says?|saying|tell\w*|inform\w*|announc\w*|write|add\w*|explain\w*"
    r"|reason|text|line|bemerk\w*|worte\w*|sag\w*|schreib\w*|mots?|remarque|dis|dites)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"(?P<head>(?:(?!\s[-\u2013\u2014]+\s)[^:\n]){3,160})(?::\s+|\s[-\u2013\u2014]+\s+)(?P<words>\S.*)", re.DOTALL
)


def wanted(kinds: Iterable[str]) -> Iterator[Wanted | None]:
    """What each of the kinds of the examples' file asks for; None for what is answered in another way."""
    return (Wanted.RULES if RULING.fullmatch(kind) else Wanted.__members__.get(kind) for kind in kinds)


def _rulings(ctx: Context, text: str) -> tuple[str, ...]:
    """The rulings that a text may be about, the likeliest first."""
    return tuple(filter(RULING.fullmatch, guess(ctx, text).within(SURE)))


def kinds_of_clauses(ctx: Context, text: str) -> Iterator[str]:
    """What each clause of a text wants that wants one thing, if there are several clauses."""
    parts = wishes(text)
    near = (guess(ctx, part).within(LIKELY) for part in (parts if len(parts) > 1 else ()))
    return (first for first, *others in near if not others)


def changes(ctx: Context, want: Wanted, text: str) -> bool:
    """Whether the line for it is only offered, since it does more than show something."""
    if _has_parts(ctx, want):
        return does_more(line_for(ctx, want, text))
    if want is Wanted.CLEAR and not _has_orders(ctx):
        return False
    return want in _CHANGES and not line_for(ctx, want, text).startswith("HELP ")


def _has_orders(ctx: Context) -> bool:
    """Whether orders of the asker's are in force, or stand in the same mail."""
    ordering = ordering_at(ctx.game, ctx.seat)
    if ordering is None or ctx.mail is None:
        return False
    return bool(ordering.in_force()) or ordering.gives(ctx.mail.message.text)


def answer_questions(
    ctx: Context, questions: Sequence[Question], acted: Lines
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Add the answers to the reply. Returns what it says of what is only offered, of what is only explained, and of
    what stands beside commands that were done, of the lines that were `acted` on.
    """
    settled_ = for_reasons(acted, Reason.DONE, Reason.ELSEWHERE, Reason.CONFIRM)  # what waits is asked about once
    done = [one.text for one in settled_ if one.origin is Origin.OWN]
    if ctx.answer.changed is not None and not _unordered(ctx):  # `I start again`, above orders for all units
        questions = [one for one in questions if one.want is not Wanted.CLEAR]
    if any(one.want is Wanted.GM_DRAW for one in questions):  # which ends the game
        questions = [one for one in questions if one.want is not Wanted.GM_TERMINATE]
    quiet = [one for one in questions if one.quiet and done]
    here = [one.text for one in settled_ if isinstance(one.meaning, CommandLine) and not one.is_for(Reason.ELSEWHERE)]
    questions = [one for one in questions if one not in quiet and not _is_done_already(ctx, one, here)]
    lines = [line_for(ctx, one.want, one.text) for one in questions if changes(ctx, one.want, one.text)]
    said = [_answer_at(ctx, _seat_of(ctx, question), question, lines) for question in questions]
    own = (one for one in acted if one.is_talk and one.origin is Origin.OWN and not one.is_for(Reason.ELSEWHERE))
    missing = [one for question in questions for one in _missing(ctx, question)]
    left = (*missing, *(one for question in questions for one in question.beside))
    lost = _times_lost(ctx, questions, " ".join(one.text for one in own), left)
    said += [f"Of {listed(map(repr, lost))} nothing was made."] if lost else []
    if lost or missing or any(one.partly for one in questions):  # YES would do half of what is wanted
        said += [_NO_YES] if any(one.meant is not Meant.NO for one in ctx.answer.offers) else []
        ctx.answer = replace(ctx.answer, offers=tuple(one._replace(meant=Meant.NO) for one in ctx.answer.offers))
    wishes_ = (one for one in questions if is_only_explained(ctx, one) or _is_shown_how(ctx, one))
    explained = [
        f"Nothing was changed. {line_for(ctx, one.want, one.text)} says how to {one.want.value}." for one in wishes_
    ]
    explained += filter(None, (_unanswered(ctx, questions),))
    beside = dict.fromkeys(_quietly(ctx, one, done) for one in quiet)
    return tuple(filter(None, said)), tuple(explained), tuple(filter(None, beside))


def _answer_at(ctx: Context, at: Context, question: Question, offered: Sequence[str]) -> str:
    """Answer a question at the seat at which it is asked, as `_answer` does; elsewhere with the name of the game."""
    if at is ctx:
        return _answer(ctx, question, offered)
    at.answer = replace(ctx.answer, done=())
    said = _answer(at, question, offered)
    new = at.answer.done
    named = (f"{question.game}: {new[0]}", *new[1:]) if question.game and new else new
    ctx.answer = replace(at.answer, done=(*ctx.answer.done, *named))
    return said


def _seat_of(ctx: Context, question: Question) -> Context:
    """The context of the seat at which a question is asked."""
    if question.as_master:
        return chair_of(ctx) or ctx
    return next((at for at in at_seats(ctx) if at.game_name == question.game), ctx) if question.game else ctx


def _times_lost(ctx: Context, questions: Sequence[Question], talk: str, left: Sequence[str]) -> list[str]:
    """The times that a gamemaster's talk names and that no line has which it is offered; but for those in what is said
    to be left out.
    """
    offered = [one.line for one in ctx.answer.offers]
    if not (ctx.runs_games and offered and any(_has_parts(ctx, one.want) for one in questions)):
        return []
    lost = times_left_out(talk, offered, ctx.now.date())
    return [one for one in dict.fromkeys(lost) if not any(one in said for said in left)]


def _is_done_already(ctx: Context, question: Question, done: Sequence[str]) -> bool:
    """Whether a wish is for what a command of the same mail has done: `RESIGN`, above why."""
    if not done or not changes(ctx, question.want, question.text):
        return False
    line = line_for(ctx, question.want, question.text)
    return any(_is_same_deed(ctx, line, one) for one in done)


def _quietly(ctx: Context, question: Question, done: Sequence[str]) -> str:
    """What is said of a wish beside commands that were done: how it is written, without a question; "" for one whose
    kind these have done already, and for one that would be refused.
    """
    line = line_for(ctx, question.want, question.text)
    deed = line.removeprefix("HELP ")
    if tied := next((one for one in clauses(question.text) if depends(one)), ""):
        left = question.text[question.text.find(tied) :] or tied
        return f"Not a command, so not carried out: {shorten(plain(left))!r}.{_NOTHING_WAITS}"
    same = [one for one in done if _is_same_deed(ctx, deed, one)]
    if same and not (_is_another(ctx, deed, same) and [*times_left_out(question.text, (), ctx.now.date())]):
        return ""
    if fault_of(ctx, line) is not None:
        return ""
    what = f"Not a command, so not carried out: {shorten(plain(question.text.partition(BEFORE_WORDS)[0]))!r}."
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
    if question.others and _is_left_open(ctx, question):
        return ""
    before = ctx.answer
    if question.want in _PLAIN:
        ctx.say(_PLAIN[question.want])
    elif ctx.seat is None or ctx.game is None:
        said = "" if _answer_in_each(ctx, want, question.text) else _answer_at_the_server(ctx, want, line)
        _only_name_pages(ctx, before, question, line)
        return said
    else:
        _say(ctx, ctx.game, ctx.seat, want, question.text)
    _only_name_pages(ctx, before, question, line)
    for said in _beside(ctx, question):
        ctx.say(said)
    return ""


def _only_name_pages(ctx: Context, before: Answer, question: Question, line: str) -> None:
    """Take back a long page that a question brought which was only guessed at, and offer the line that shows it."""
    new = [getattr(part, "text", "") for part in ctx.answer.parts if part not in before.parts]
    if question.others and sum(len(text.splitlines()) for text in new) > _LONGEST_GUESSED:
        ctx.answer = replace(ctx.answer, parts=before.parts, attachments=before.attachments)
        ctx.offer(line, question.want.value)


_LONGEST_GUESSED = 20
"""A page of more lines is shown only to who surely asks for it."""


def _offer(ctx: Context, question: Question, want: Wanted, line: str, offered: Sequence[str]) -> str:
    """Offer the line for a wish, or do what is harmless; returns what is said of it."""
    if asked := _sets_what_is_asked(ctx, want, line, question.text) or _never_ends_early(ctx, want):
        ctx.say(asked)
        return ""
    if _is_dropped(ctx):
        return "Nothing was done, as you say."
    so_far = _CHANGES[want][1] if want in _CHANGES and line != NO_ABSENCE else "Nothing was changed yet."
    aim = _THAT_ORDER if want is Wanted.CLEAR and line != _CHANGES[want][0] else _aim(want, line)
    whole = f"GAME {ctx.game_name}\n{line}" if question.as_master else line
    sends = f"{so_far} To {aim}, send {whole.rstrip('.').replace(_NEXT, ' / ')}.{_left_out(ctx, question, offered)}"
    if want is Wanted.READY and (idle := _unordered(ctx)):
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
        _show(ctx, line)
        return _left_out(ctx, question, offered).strip()
    aim += _until(ctx, want, question.text)
    if (other := OPPOSITE.get(whole)) is not None:
        ctx.withdraw(other)  # what is said last counts
    ctx.offer(whole, aim, Meant.NO if want is Wanted.CLEAR and _says_more(ctx, question) else Meant.SURELY)
    return sends


OPPOSITE = {"DRAW": "NO DRAW", "NO DRAW": "DRAW", "READY": "WAIT", "WAIT": "READY"}
"""What undoes another line: no YES does both."""


def _is_dropped(ctx: Context) -> bool:
    """Whether the mail takes back below its first sentence what it says: `end it. Actually no, leave it`."""
    lines = ctx.mail.message.text.split("\n") if ctx.mail is not None else []
    said = [one for line in lines for one in sentences(line)]
    return any(map(drops, said[1:]))


def _unanswered(ctx: Context, questions: Sequence[Question]) -> str:
    """What is said of what a player asks beside questions, and of which nothing was made."""
    texts = {question.text for question in questions}
    beside = dict.fromkeys(one for question in questions for one in question.beside if one not in texts)
    own = (one for one in beside if asks_of_something(one) or requests(one) or is_known(ctx, one))
    own = (one for one in own if places_in(ctx, one) or not points_back(one))
    left = [repr(shorten(one)) for one in own]
    return "" if ctx.runs_games or not left else f"Not answered, since it was not understood: {listed(left)}."


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
        return _option_is(ctx.game, ctx.seat, name) if name else ""
    ctx.offer(line, want.value, Meant.NO)
    return _option_is(ctx.game, ctx.seat, found["name"])


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
    until = _proposal(ctx, want, text).until if _has_parts(ctx, want) else ""
    return f", until {until}" if until else ""


def _is_left_open(ctx: Context, question: Question) -> bool:
    """Say of a question in doubt that it is, and offer what else it may ask; whether that is all the answer."""
    asked = shorten(plain(question.text))
    ctx.answer = replace(ctx.answer, guessed=True)
    if _offers_pages(ctx, question):
        ctx.say(f"{asked!r} was not understood for certain, so nothing was answered. What it may ask for is below.")
        return True
    ctx.say(f"{asked!r} was taken to ask for this: {question.want.value}.")
    others = [one for one in question.others if not is_grave(ctx, one, question.text)]
    offer_lines(ctx, others, question.text, meant=Meant.NO)
    return False


def _offers_pages(ctx: Context, question: Question) -> bool:
    """Whether somebody who runs the game is told that their question was not understood for certain, and offered the
    two likeliest pages: they would act on a guess, for everybody. A fact of the game, in a sentence, says itself what
    it answers.
    """
    game, seat = ctx.game, ctx.seat
    if game is None or seat is None or not seat.moderates or not asks(question.text):
        return False
    if question.want in _SAID and _in_short(ctx, game, seat, question.want, question.text):
        return False
    return bool(offer_lines(ctx, (question.want, *question.others), question.text, most=_TWO))


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
    own = [one for one in wishes(question.text) if not is_reason(without_game(one, ctx.game_name))]
    asked = any(question.want in wanted(guess(ctx, one).within(LIKELY)) for one in own)  # `End it: nobody has ordered`
    return asked and _REMINDS.search(question.text) is not None


_REMINDS = re.compile(
    r"\b(?:remind|nudge|chase|poke|prod|erinner|mahn|rappel|relanc|recuerd|ricord|herinner)\w*", re.IGNORECASE
)


_OF_ORDERS = re.compile(
    r"\b(?:orders?|ordered|late|missing|lack\w*|owe|silent|slow\w*|moves?|deadline|befehl\w*|fehl\w*|ordres?|retard\w*)\b",
    re.IGNORECASE,
)
"""What a reminder is about."""
_HAS_WORDS: Mapping[Wanted, re.Pattern[str]] = MappingProxyType({
    Wanted.CONCEDE: re.compile(
        r"\b(?:conced|concession|surrender|give[ns]? up|lost\b|won\b|wins?\b|winner|victor|beaten|yield|kapitul|aufg"
        r"|ergeb|geschlagen|gewonnen|gewinn|sieg|abandon|rend[erst]|gagn|vainqu|victoire|rind|gan[aó]|hat verloren)",
        re.IGNORECASE,
    ),
    Wanted.GM_REMIND: re.compile(f"{_REMINDS.pattern}|{_OF_ORDERS.pattern}", re.IGNORECASE),
    Wanted.GM_EJECT: re.compile(
        r"\b(?:eject|kick|remov|throw|expel|dismiss|sack|ban|exclu|out|quit|left|leav|resign|drop|gone|vaca|seat|away"
        r"|lost|longer|any ?more|abandon|replac|disappear|vanish|silent|dead|stop|retir|nmr|rid|g(?:ive|ave)[ns]? up"
        r"|raus|entfern|ausschl|weg|aufge|verlass|ausgestieg|aussteig|hinaus|vir[eé]|parti|quitt|echa|fuera|dej)",
        re.IGNORECASE,
    ),
    Wanted.GM_DUMMY: re.compile(
        r"\b(?:dummy|disorder|nobody|no ?one|no player|without|empty|hold|vacant|leer|unbesetzt|ohne|personne|sans)",
        re.IGNORECASE,
    ),
    Wanted.GM_STANDIN: re.compile(
        r"\b(?:stand|program|computer|bots?\b|machine|software|server|dummy|vertret|ersatz|rempla|suppl|random|disorder)",
        re.IGNORECASE,
    ),
})  # fmt: skip
"""A word that must be in a wish for what cannot be taken for said in passing; without one it is not guessed at."""


_SAID_SO: Mapping[Wanted, re.Pattern[str]] = MappingProxyType(
    {
        Wanted.RESIGN: re.compile(
            r"\b(?:resign|quit|leav|left|stop|out\b|drop|withdr|remov|replac|abandon|surrender|sub\b|last turn|bye\b"
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
        Wanted.GM_DRAW: re.compile(rf"{_A_DRAW.pattern}|\bdrawn|\bagree|\bshare", re.IGNORECASE),
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
    command = _command_of(ctx, OF_ALL.sub("", line))
    return command is not None and ctx.commands[command.name].policy.harmless


def _command_of(ctx: Context, line: str) -> CommandLine | None:
    """The only command of a line, with what stands below it."""
    items = items_in(ctx, line.split("\n"))
    return items[0] if len(items) == 1 and isinstance(items[0], CommandLine) else None


def _beside(ctx: Context, question: Question) -> tuple[str, ...]:
    """What is said behind an answer: what else a question in doubt may ask, and who is in a place that it names though
    the answer is of none.
    """
    if question.others:
        return answers_in_short(ctx, question.others, question.text)
    if question.want not in _OF_NO_PLACE or ctx.game is None or ctx.seat is None or not ctx.game.running:
        return ()
    text = question.text
    if question.want is Wanted.DEADLINE and (clocks := _clocks_of(ctx, ctx.game, text)).zone:
        text = text.replace(clocks.name, "")
    return tuple(_of_places(ctx, ctx.game, ctx.seat, text, ctx.answer.done))


def answers_in_short(ctx: Context, wants: Iterable[Wanted], text: str) -> tuple[str, ...]:
    """What a text in doubt asks for if it asks for one of these, the likeliest first: each answer in a sentence or two,
    as far as there are such, and no more than two; and what is known of the places that the text names.
    """
    game, seat = ctx.game, ctx.seat
    if game is None or seat is None or not game.running:
        return ()
    likeliest = [want for want in dict.fromkeys(wants) if applies(ctx, want)]
    if places_in(ctx, text):
        likeliest.sort(key=lambda want: want not in _OF_PLACES)
    short_ones = ((want, _in_short(ctx, game, seat, want, text)) for want in likeliest)
    new = ((want, words) for want, words in short_ones if words and all(words not in one for one in ctx.answer.done))
    said = tuple(islice((f"If it asks {_about(want)}: {words}" for want, words in new), _TWO))
    return (*said, *_of_places(ctx, game, seat, text, (*ctx.answer.done, *said)))


_OF_NO_PLACE = (Wanted.LATE, Wanted.DEADLINE, Wanted.MY_ORDERS, Wanted.MY_TURN, Wanted.TURNOUT, Wanted.CENTRES)
"""What is asked of no place: if one is named it may have been misread."""
_OF_PLACES = (Wanted.POSITION, Wanted.NEAR, Wanted.WHY, Wanted.HISTORY, Wanted.ATTACKED)
"""What is asked of a place or a unit, if one is named."""


def _of_places(ctx: Context, game: Game, seat: Seat, text: str, so_far: Sequence[str]) -> Iterator[str]:
    """Who is in the places that a question names, of which nothing is said so far."""
    board, known = game.lexicon.board, " ".join(so_far)
    names = " ".join(word for word in text.split() if is_a_name(word.strip(_SIGNS)))
    named = dict.fromkeys(board.province(Location(place)) for place in places_in(ctx, names))
    units = view_of(game, seat).position.units if named else ()
    taken = {board.province(unit.at) for unit in units}
    for place in islice(named, _TWO):
        told = re.search(rf"\b{re.escape(short(Location(place)))}\b", known) is not None
        if not told and place in taken:
            yield _held_by(game, seat, place)


def _about(want: Wanted) -> str:
    """What a question asks, behind that word."""
    return want.value if _QUESTION_WORD.match(want.value) else f"for this, {want.value}"


_QUESTION_WORD = re.compile(r"(?:who|what|when|where|which|how|whether|whose)\b")


def _in_short(ctx: Context, game: Game, seat: Seat, want: Wanted, text: str) -> str:
    """The answer to a question where it is a sentence or two; "" where it shows more, or changes something."""
    if changes(ctx, want, text):
        return ""
    before, ordering = ctx.answer, ordering_at(game, seat)
    if ordering is not None and _OF_PHASE.get(want) is ordering.kind:
        found = _possible(ctx, ordering, text)
    elif want in _OF_A_TURN:
        found = deeds_of(ctx, game, [seat.power]) if seat.power is not None else ""
    elif want in _PLAIN or want not in _SAID:
        found = _PLAIN.get(want) or _example(game, seat, want)
    else:
        found = _SAID[want](ctx, game, seat, text)
        found = "" if ctx.answer.parts != before.parts else found
    ctx.answer = before  # what it offers is beside the answer
    return found if len(found) <= _SHORT_ANSWER else ""


_SHORT_ANSWER = 300


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
        _show(ctx, line)
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
    proposal = _proposal(ctx, want, text)
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
    return f"{_proposal(ctx, question.want, question.text).means}{out}"


_IF = ("if ", "unless ", "provided ", "falls ", "wenn ", "sofern ", "si ")
"""What a condition begins with."""


def _has_masters_line(ctx: Context, want: Wanted) -> bool:
    """Whether the line for a wish has parts of the sentence, and its writer runs games, or would by it."""
    return _has_parts(ctx, want) and (ctx.runs_games or want is Wanted.CREATE)


_BUT = "ALL GAMES BUT "


def _missing(ctx: Context, question: Question, others: Sequence[str] = ()) -> list[str]:
    """What a sentence says that the line which a gamemaster is offered for it has not, nor any of the `others`, but for
    why it is wanted.
    """
    if not _has_masters_line(ctx, question.want):
        return []
    proposal = _proposal(ctx, question.want, question.text)
    offered = [proposal.line, *others, *(one.line for one in ctx.answer.offers)]
    parts = (part for one in clauses(question.text) for part in _BEFORE_IF.split(one))
    conditions = [one for one in (*parts, *proposal.left_out) if depends(one)]
    conditions += filter(goes_on, question.beside)
    unset = (one for one in clauses(question.text) if _is_unset(one, proposal.line))
    said = (*conditions, *proposal.left_out, *question.beside, *unset)
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
    says_no_more = is_reason(clause) or is_told(clause) or denies_order(clause)
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
    heads = {"with", *map(str.lower, _SAYS.findall(clause))} if f"\n{_END}" in line else set()
    words -= _THEY_ARE_ASKED if "@" in line else set()
    if words <= FUNCTION_WORDS | titles_ | heads or (STANDBY.search(clause) and "eject" in titles_):
        return True
    if any(one in line for one in options_in(clause)):
        return True
    if (whose := _ADDRESSES.findall(clause)) and all(one in line for one in whose) and not time_in(clause):
        return True  # `from now on they use rome@example.org`
    if ":" in clause or len(clause.split()) < _SHORTEST or _is_unset(clause, line):
        return False
    kinds = guess(ctx, clause).within(LIKELY)
    deeds = [title_of(want) for want in wanted(kinds) if want is not None and want.name.startswith(MASTERS)]
    vague = len(clause.split()) == _SHORTEST  # `cancel it`
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
_SHORTEST = 2
"""So many words are a clause of its own."""


_END = "END"
"""What the last line of words for others begins with."""


def _unordered(ctx: Context) -> list[str]:
    """The asker's units without an order."""
    ordering = ordering_at(ctx.game, ctx.seat)
    ordered = set(map(ordering.unit_of, ordering.in_force())) if ordering is not None else set()
    units = ordering.mine.units if ordering is not None and ordering.kind is not PhaseKind.ADJUSTMENT else ()
    return [unit for unit in (f"{kind} {short(at)}" for kind, at in units) if unit not in ordered]


def is_grave(ctx: Context, want: Wanted, text: str) -> bool:
    """Whether the line for a wish does what cannot be taken back."""
    name = ctx.commands.reader.name_of(line_for(ctx, want, text))
    return name is not None and ctx.commands[name].policy.consent not in (Consent.NONE, Consent.BINDING)


def offer_lines(
    ctx: Context, wants: Iterable[Wanted], text: str, most: int | None = None, meant: Meant = Meant.MAYBE
) -> tuple[str, ...]:
    """Offer a line for each thing that can be asked for here, the same line once, no more than `most`; `meant`: how
    sure that is. Returns the lines.
    """
    found: dict[str, str] = {}
    for want in wants:
        if applies(ctx, want):
            hidden = want is Wanted.TURNOUT and ctx.game is not None and not ctx.game.shows_progress
            found.setdefault(line_for(ctx, want, text), Wanted.PLAYERS.value if hidden else want.value)
    possible = tuple(islice((line for line in found if fault_of(ctx, line) is None), most))
    for line in possible:
        ctx.offer(line, _A_RULING if RULING.search(line) else found[line], meant)
    return possible


_A_RULING = "what the rules say of it"


def _has_these_places(game: Game) -> bool:
    """Whether the places of the examples are on the game's board; where somebody is at home makes no difference."""
    return game.lexicon.board.provinces == standard_board().provinces


def _example(game: Game, seat: Seat, want: Wanted) -> str:
    """How it is written, with units and places of the seat's own where it has such; "" where the examples of the
    standard board mean nothing.
    """
    if want not in _EXAMPLES or not _has_these_places(game):
        return ""
    board = game.lexicon.board
    homes = [Location(one) for one in sorted(board.centers) if seat.power is not None and board.home(one) == seat.power]
    ports = [short(at) for at in homes if board.may_stand(UnitKind.FLEET, at)]
    if want is Wanted.HOW_TO_BUILD and homes and ports:
        army = next((short(at) for at in homes if short(at) != ports[0]), ports[0])
        return _EXAMPLES[want].replace("F BRE", f"F {ports[0]}").replace("A PAR", f"A {army}")
    ordering = ordering_at(game, seat)
    if want is Wanted.HOW_TO_ORDER and ordering is not None and (own := ordering.in_example()):
        return f"An order is a unit, and what it does, one a line: {own}"
    return _EXAMPLES[want]


def way_of(ctx: Context, want: Wanted, text: str) -> str:
    """How it is answered: different questions may have the same answer."""
    return want.name if want in _SAID else line_for(ctx, want, text)


_OF_A_TURN = (Wanted.WHY, Wanted.HISTORY)


def _say(ctx: Context, game: Game, seat: Seat, want: Wanted, text: str) -> None:
    ordering = ordering_at(game, seat)
    if ordering is not None and _OF_PHASE.get(want) is ordering.kind:
        ctx.say(_possible(ctx, ordering, text) or _EXAMPLES[want])
        return
    if game.running and _OF_PHASE.get(want) is PhaseKind.ADJUSTMENT is game.present.position.phase.kind:
        ctx.say(f"Now you have nothing to build or remove. {_own(game, seat)}".strip())
    if (say := _SAID.get(want)) is not None:
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
    of_masters = want.name.startswith(MASTERS) and want not in _SAID
    if want is Wanted.COMMAND or of_masters or _AT_A_SEAT.get(want) is not None:
        _show(ctx, line_for(ctx, want, text))


def line_for(ctx: Context, want: Wanted, text: str) -> str:
    """The line that does it here."""
    if want is Wanted.COMMAND:
        return f"HELP {topic_in(ctx, text, loud=False)}"
    if _has_parts(ctx, want):
        return _proposal(ctx, want, text).line
    if want is Wanted.ABSENCE:
        if _NO_ABSENCE.search(text):
            return NO_ABSENCE
        days = _absence_as_corrected(ctx, text) or days_away(text, ctx.now.date())
        return "HELP ABSENCE" if days is None else f"ABSENCE {days[0]:%Y-%m-%d} TO {days[1]:%Y-%m-%d}"
    if want is Wanted.RULES and (rulings := _rulings(ctx, text)):
        return f"HELP {rulings[0]}"
    if want is Wanted.WHY and (places := places_in(ctx, text)):
        return f"WHY {_whose_result(ctx, text, places)}"
    if want is Wanted.CLEAR and _names_orders(ctx, text):
        return _clears(ctx, text)
    if want is Wanted.LETTERS and ctx.game is not None:
        return f"PRESS WITH {next(powers_named(ctx.game, ctx.seat, text), ALL)}"
    if want is Wanted.RESIGN and ctx.game is not None:
        return f"RESIGN {_spoken_of(ctx, text) or ctx.game.name}"
    return _line_of_games(ctx, want, text) or _usual_line(ctx, want)


def _absence_as_corrected(ctx: Context, text: str) -> tuple[date, date] | None:
    """The days of an absence that the mail answers which proposed it, with that end which this sentence, or else the
    answer, says anew; None if it says none.
    """
    message = ctx.mail.message if ctx.mail is not None else None
    offered = message and next(filter(None, map(_OF_DAYS.fullmatch, proposed_to(ctx, message))), None)
    if message is None or not offered:
        return None
    days = date.fromisoformat(offered[1]), date.fromisoformat(offered[2])
    return next(filter(None, (with_end(one, days, ctx.now.date()) for one in (text, message.text[:_SHORT]))), None)


_SHORT = 600
_OF_DAYS = re.compile(r"ABSENCE (\d{4}-\d\d-\d\d) TO (\d{4}-\d\d-\d\d)")


def _spoken_of(ctx: Context, text: str) -> str:
    """Which of the sender's games a text speaks of by its name or by what it is, `the fog game`, or as the other of
    two; "" if that is not certain.
    """
    games = [game for game in ctx.own_games if game.plays(ctx.person)]
    words = re.findall(r"[\w-]+", text.lower())
    named = [game.name for game in games if game.name in words or _is_called(game, words)]
    others = [game.name for game in games if game.name != ctx.game_name]
    if not named and len(games) == _TWO and len(others) == 1 and _THE_OTHER.search(text):
        return others[0]
    return named[0] if len(named) == 1 else ""


def _is_called(game: Game, words: Sequence[str]) -> bool:
    """Whether words call a game by what it is, `the Diplomacy game`."""
    kinds = {word.lower().rstrip("s") for word in re.findall(r"[^\W\d_]{4,}", game.variant.title)}
    return any(one.rstrip("s") in kinds and two in ("one", "game") for one, two in pairwise(words))


_THE_OTHER = re.compile(r"\b(?:the|my|this) other (?:one|game)\b", re.IGNORECASE)
NO_ABSENCE = "ABSENCE NONE"
_NO_ABSENCE = re.compile(
    r"\b(?:cancel|delete|remove|drop|forget|scrap|take|no|not|end|clear|withdraw|lösch\w*|streich\w*|annule\w*|supprime\w*)\b"
    r"[^.;!?]{0,30}\b(?:absences?|abwesenheit\w*)\b"
    r"|\b(?:trip|holidays?|vacation|travel\w*|reise|urlaub|voyage)(?:['’]s| is| was| has been| are)?"
    r" (?:been )?(?:cancelled|canceled|off|called off|abgesagt|annulé\w*|storniert)\b"
    r"|\b(?:i['’]?m|i am|i(?:['’]ll| will| shall) be) (?:back|around|here|at home|home|there)\b[^.;!?]{0,30}"
    r"\bafter all\b"
    r"|\b(?:undo|take back|cancel|forget)\b[^.;!?]{0,30}\baway\b"
    r"|\b(?:not|n['’]t)(?: be)? (?:away|gone)\b[^.;!?]{0,20}\bafter all"
    r"|\bdoch (?:da|hier|nicht weg|zu ?hause)\b|\blà finalement",
    re.IGNORECASE,
)
"""What takes an absence back: `my trip is cancelled`, `take my absence out`."""


def _whose_result(ctx: Context, text: str, places: Sequence[str]) -> str:
    """Of which order a question wants the result explained: of a place alone that its writer's own unit did not reach
    that of this unit, otherwise that of the unit in the first place: `why did my army not come into Trieste?`
    """
    own = OF_WRITER.search(text) is not None and len({*places}) == 1 and ctx.game is not None
    return (own_move_to(ctx, ctx.game, Location(places[0])) if own and ctx.game is not None else "") or places[0]


OF_WRITER = re.compile(
    r"\b(?:i|my|mine|we|our|us|ich|meine?[rnms]?|mich|wir|unser\w{0,2}|uns|je|mon|ma|mes|notre|nos|nous)\b|\bj['’]",
    re.IGNORECASE,
)


def _usual_line(ctx: Context, want: Wanted) -> str:
    known = _AT_A_SEAT if ctx.seat is not None else _WITHOUT
    return _CHANGES[want][0] if want in _CHANGES else known.get(want) or _SHOWS.get(want, "STATUS")


def _line_of_games(ctx: Context, want: Wanted, text: str) -> str:
    """The line for what is asked about the games of the server, or about one that is named; "" for other questions."""
    if want is Wanted.GAMES and not plays_nothing(ctx):
        return "LIST MINE" if _OWN_GAMES.search(text) else "LIST"
    if ctx.seat is None and want in _OF_A_GAME and (named := _game_named(ctx, text) or game_of_mail(ctx)):
        return f"{_OF_A_GAME[want]} {named}"
    return _OF_STRANGERS.get(want, "") if ctx.seat is None and plays_nothing(ctx) else ""


_OWN_GAMES = re.compile(
    r"\b(?:my|our|meine?\w?|unsere?|mes|nos|mis|mie|(?:do|am|are|have) (?:i|we)|i(?:['\u2019]m| am| play)"
    r"|(?:spiele|bin|habe) ich|ich (?:spiele|bin)|je (?:joue|suis)|juego|gioco)\b",
    re.IGNORECASE,
)


def _clears(ctx: Context, text: str) -> str:
    """The line that deletes the one order of the asker's that a text names, never all; HELP if it names another number
    of them.
    """
    named = _orders_named(ctx, text)
    return f"CLEAR {named[0]}" if len(named) == 1 else "HELP CLEAR"


def _names_orders(ctx: Context, text: str) -> bool:
    """Whether a text names some of the asker's orders: a place, or a kind of unit."""
    return bool(places_in(ctx, text) or (ctx.game is not None and _kinds_said(ctx.game, text)))


def _kinds_said(game: Game, text: str) -> list[str]:
    return [str(kind) for kind in game.lexicon.language.kinds.units if says(text, kind.word)]


def _orders_named(ctx: Context, text: str) -> list[str]:
    """The orders in force of the asker's of which a text names all places, or else those that begin in one of them; if
    it names none, those for units of the kinds that it names.
    """
    ordering = ordering_at(ctx.game, ctx.seat)
    if ordering is None or ctx.game is None:
        return []
    if not places_in(ctx, text):
        kinds = _kinds_said(ctx.game, text)
        return [one for one in sorted(ordering.in_force()) if not {*kinds}.isdisjoint(one.split())]
    province, named = ordering.phase.board.province, places_in(ctx, text)
    here = {province(Location(one)) for one in named}
    places = {one: [province(Location(at)) for at in places_in(ctx, one)] for one in sorted(ordering.in_force())}
    whole = [one for one, of_order in places.items() if of_order and here.issuperset(of_order)]
    return whole or [one for one, of_order in places.items() if here.intersection(of_order[:1])]


def game_of_mail(ctx: Context) -> str:
    """The one of the writer's own games that the mail names, if it names one only; "" otherwise."""
    names = names_of_games(ctx)() if ctx.mail is not None else ()
    words = frozenset(re.findall(r"[\w-]+", ctx.mail.message.text.lower())) if ctx.mail is not None else frozenset()
    named = [one for one in names if one in words]
    return named[0] if len(named) == 1 else ""


def _game_named(ctx: Context, text: str) -> str:
    """The name of the game, known to everybody and not over, that a text names; "" if there is none."""
    games = map(ctx.tx.game_named, dict.fromkeys(re.findall(r"[\w-]+", text.lower())))
    going = (game for game in games if game is not None and game.state in (GameState.FORMING, GameState.RUNNING))
    return next((game.name for game in going if game.is_known_to(None)), "")


def _proposal(ctx: Context, want: Wanted, text: str) -> Proposal:
    key = (want, text, ctx.seat and ctx.seat.id)
    return ctx.looks.once(ctx.game, key, _OF_A_LINE, lambda: _proposed(ctx, want, text))


def _proposed(ctx: Context, want: Wanted, text: str) -> Proposal:
    games = games_in(text)
    text, words = message_in(ctx, text)
    if want is Wanted.GM_HOUSE_RULES and words and ctx.game is not None and ctx.game.house_rules and _ADDS.search(text):
        words = f"{ctx.game.house_rules}\n{words}"
    text, words = plain(without_games(text) if games else text), plain(words)
    named = _powers_of(ctx, text)
    found = line_of(ctx, want, text, named, words, games)
    if does_more(found.line) and wants_to_know(text) and not (want is Wanted.GM_MUSTER and not _HOW.search(text)):
        return Proposal(f"HELP {title_of(want)}")
    wish = without_reasons(text)
    of_wish = _powers_of(ctx, wish)
    unsaid = [one for one in found.left_out if one in of_wish or (one not in named and (one in wish or one == words))]
    whose = [one for one in unsaid if one in named] if _FOR_ALL.match(OF_ALL.sub("", found.line)) else []
    means = f"{found.means} That is for all powers, not for {listed(whose)} alone." if whose else found.means
    return found._replace(left_out=tuple(one for one in unsaid if one not in whose), means=means)


_HOW = re.compile(r"\b(?:how|when|what|wie|wann|was|comment|quand)\b", re.IGNORECASE)
"""What asks about a command. `Who is still with us?` asks the players, as the roll call does."""
_FOR_ALL = re.compile(r"(?:EXTEND|DEADLINE)\b")
"""What moves the deadline of all powers, whoever it is moved for."""
_ADDS = re.compile(r"\b(?:add\w*|also|another|further|more|new|as well|too|auch|dazu|ajoute\w*|aussi)\b", re.IGNORECASE)
"""What leaves the house rules that there are as they are."""


def _powers_of(ctx: Context, text: str) -> list[Power]:
    """The powers that a text names, also by their players."""
    return [*dict.fromkeys(powers_named(ctx.game, ctx.seat, _by_power(ctx, text)))] if ctx.game is not None else []


def as_corrected(ctx: Context, text: str) -> str:
    """A text without the powers, addresses and times that its writer says better further on: `give Italy, sorry,
    Austria two days, or rather three`.
    """
    for found in JOINT.finditer(text):
        before, after = text[: found.start()], text[found.end() :]
        said = len(before.split()) >= _SHORTEST  # `no, make that Friday` corrects nothing that stands there
        if said and takes_back(after) and not any(map(is_reason, clauses(said_instead(after))[:1])):
            if SOME_TIME_SAID.search(time_in(after)):
                before = " ".join(one for one in before.split() if not may_tell_time(one.strip(".,;:!?").lower()))
            return f"{without_somebody(ctx, before, after)} {as_corrected(ctx, said_instead(after))}"
    return text


def without_somebody(ctx: Context, line: str, text: str) -> str:
    """A line without its powers, if a text names others, and without its addresses, if that has others."""
    powers = set(_powers_of(ctx, line)) if _powers_of(ctx, text) else set()
    return " ".join(word for word in line.split() if word not in powers and not ("@" in word and "@" in text))


_OF_A_PERSON = (Wanted.SETTINGS, Wanted.NAME, Wanted.ADDRESS)
"""What is the same for all seats, and is done at the server's address, too."""


def _has_parts(ctx: Context, want: Wanted) -> bool:
    """Whether its line has parts of the sentence."""
    at_seat = ctx.seat is not None or want in _OF_A_PERSON
    return want.name.startswith(MASTERS) or want is Wanted.CREATE or (at_seat and want in OF_PLAYERS)


_ASKS = re.compile(
    r"\?\s*$|\b(?:how|what|when|why|i(?:'d| would| want| wish| prefer)|wie|was|wann|ich (?:mochte|möchte)|comment"
    r"|je (?:veux|voudrais|prefere|préfère))\b",
    re.IGNORECASE,
)
_STEM = 5
"""So many letters of a word say which one it is: `prefer`, `registered`."""
_EARLY = 5
"""A command's word in small letters is among the first so many words: `I'd like to register`."""
_SUBJECTS = frozenset(
    ("comment", "orders", "map", "draw", "press", "status", "position", "history", "rules", "help", "game")
)
"""Such words that say as often what a question is about, for which there are examples."""


def topic_in(ctx: Context, text: str, *, loud: bool) -> str:
    """What HELP explains that a question is about: the term whose meaning it asks for, or the command that it names."""
    asked = meaning_asked(next(iter(clauses(text)), text))
    known = asked.lower() not in _SUBJECTS and " " not in asked and asked.upper() in ctx.commands.by_title
    return explained(ctx, text) or (asked.upper() if known else command_in(ctx, text, loud=loud))


def command_in(ctx: Context, text: str, *, loud: bool) -> str:
    """The title of the command that a question or a wish names; `loud`: only in capitals, among small letters."""
    if text.isupper() or not _ASKS.search(text.replace("’", "'")):
        return ""
    words = re.findall(r"[^\W\d_]+", re.sub(r"['’]s\b", "", text))
    orders = ctx.game is not None and bool(places_in(ctx, text))  # `can you forget the move of Paris` is about that
    small = () if loud or orders else (word for word in words[:_EARLY] if word not in _SUBJECTS)
    masters = ctx.seat is None or ctx.seat.moderates
    asked = unframed(text) if ctx.runs_games and wants_to_know(text) else text
    how = re.findall(r"[^\W\d_]+", asked)[:1] if asked != text else []
    words = [*map(str.upper, how), *filter(str.isupper, words), *small]
    titles = {
        title: one
        for title, one in ctx.commands.by_title.items()
        if masters or not (one.for_masters or (" " in title and title.lower() not in text.lower()))
    }
    stems = {title[: _STEM + 1]: title for title in reversed(tuple(titles)) if len(title) > _STEM and not loud}
    named = (word if word in titles else stems.get(word.upper()[: _STEM + 1], "") for word in words)
    return next(filter(None, named), "")


def powers_named(game: Game, seat: Seat | None, text: str) -> Iterator[Power]:
    """The powers that words of a text name."""
    return powers_in(text, game.lexicon_of(seat))


def show_games(ctx: Context) -> None:
    """Show at the server's address the games of somebody of whose mail nothing was made: that they run, or play."""
    if not plays_nothing(ctx):
        _show(ctx, "DASHBOARD" if ctx.runs_games else "LIST MINE")


def _show(ctx: Context, line: str) -> None:
    """Do what a line says that only shows something; if there is nothing to show, say why."""
    command = _command_of(ctx, line)
    if command is None:
        raise LookupError(f"{line!r} is no command")
    try:
        with ctx.tx.attempt():
            run(ctx, command)
    except Temporary:
        raise
    except GmError as error:
        ctx.say(f"{error.problem} {error.remedy}".strip())


# ---- what is said


def _deadline(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """The deadline, by the clocks of a place that the mail names, if it names one."""
    if not game.running:
        return "The game is not running, so there is no deadline."
    due = closes_at(game, seat)
    if due is None:
        return f"{game.code} has no deadline now."
    place = _clocks_of(ctx, game, ctx.mail.message.text if ctx.mail is not None else text)
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


def _clocks_of(ctx: Context, game: Game, text: str) -> Place:
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
        _show(ctx, f"MY ORDERS {code}")
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
    for order in _orders_named(ctx, text) or given:
        ctx.offer(f"CLEAR {order}", _THAT_ORDER, Meant.MAYBE)
    if given:
        return "Your orders are as they were. Which one is to be deleted? CLEAR and an order deletes that one."
    return f"There is nothing to delete: no orders of yours have come for {game.code}."


_THAT_ORDER = "delete that order"


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
        return f"{none} {_possible(ctx, ordering, text)}"
    board, named = game.lexicon.board, set(places_in(ctx, text))
    own = dict.fromkeys(ordering.phase.position.units_of(seat.power) if seat.power is not None else ())
    here = [unit for unit in own if board.province(unit.at) in {board.province(Location(one)) for one in named}]
    idle = set(_unordered(ctx))
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
        return f"{builds} The next time is in {phase.code}. {_own(game, seat)} {_not_yet_own(game, seat)}".strip()
    ordering = ordering_at(game, seat)
    own = _possible(ctx, ordering, text) if ordering is not None else "You have nothing to build or to remove."
    return f"{builds} That is now, {phase.code}. {own}"


def _victory(ctx: Context, game: Game, seat: Seat, _text: str) -> str:
    ctx.offer("RULES", "how one wins")
    goal = game.variant.goal
    who = "A power wins with" if ":" not in goal else "One wins with"
    return f"{who} {goal}. The number of turns is not fixed. {_own(game, seat)}".strip()


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
        _show(ctx, "STATUS")
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


def _who(ctx: Context, _game: Game, _seat: Seat, text: str) -> str:
    """What a gamemaster may know of the people whom the text names; otherwise the desk."""
    if known := known_people(ctx, text):
        return " ".join(known)
    _show(ctx, "DASHBOARD")
    return ""


def _late_sets(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """When the late orders came that wait to be accepted, of the powers that a text names or of all, and what they
    would change.
    """
    if is_refused(text, Wanted.GM_ACCEPT_LATE.name):
        return "Nothing is needed for that: orders that come late count only if you accept them."
    found = late_sets.waiting(ctx, game, set(_powers_of(ctx, text)))
    for power in found:
        ctx.offer(f"ACCEPT LATE {power}", Wanted.GM_ACCEPT_LATE.value, Meant.MAYBE)
    said = " ".join(f"Late orders of {power}: {when} {what}" for power, (when, what) in found.items())
    if not said and any(_powers_of(ctx, text)):
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
    zone, powers = ctx.tx.identity.zone_of(ctx.person, game), {*_powers_of(ctx, text)}
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
    return f"{state} {_own(game, seat)} {scores(view_of(game, seat), None)}".strip()


def _whose(game: Game, seat: Seat, place: Province) -> str:
    """Whether a place is a centre, and whose, and whose unit is there."""
    board, code = game.lexicon.board, short(Location(place))
    is_one = "is a supply centre" if place in board.centers else "is no supply centre"
    return f"{code} ({board.full_name(Location(place))}) {is_one}. {_held_by(game, seat, place)}".strip()


def _own(game: Game, seat: Seat) -> str:
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
        return " ".join(_held_by(game, seat, place) for place in named)
    _show(ctx, "POSITION")
    return _own(game, seat)


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
        _show(ctx, "STATUS")
        return ""
    near = () if game.variant.brief else rulings_near(text, game.variant, _SO_NEAR)
    if rulings := _rulings(ctx, text)[:_TWO] or near:
        shown = {paragraphs_on(ruling, game.variant): ruling for ruling in reversed(rulings)}  # each paragraph once
        for ruling in reversed(shown.values()):
            _show(ctx, f"HELP {ruling}")
        return ""
    if game.variant.brief:
        ctx.show("What is different in this game", [Paragraphs(brief_of(game.variant))])
    return f"{game.name} is a game of {game.variant.title}. RULES sends its rules, HELP ORDERS how to order."


_SO_NEAR = 0.2
"""What shares so much with a ruling may be answered by it (Okapi BM25)."""
_SETTINGS = re.compile(r"\b(?:settings?|options|terms|configuration|einstellungen|optionen|réglages)\b", re.IGNORECASE)
"""What asks for the options of a game, which STATUS shows."""


def _option(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    asked = map(option_asked, (without_game(text, game.name), *clauses(text)))
    if name := next(filter(None, asked), ""):
        return _option_is(game, seat, name)
    _show(ctx, "STATUS")
    return ""


def _option_is(game: Game, seat: Seat, name: str) -> str:
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
    if _NO_ABSENCE.search(text):
        return "ABSENCE lists your absences."
    said = ctx.mail is not None and days_away(ctx.mail.message.text, ctx.now.date()) is not None
    if said or _absence_as_corrected(ctx, text) is not None:
        return _CHANGES[Wanted.ABSENCE][1]  # which days is said in the mail
    return f"From which day to which? Write both, as in ABSENCE 24 December TO 2 January. {_CHANGES[Wanted.ABSENCE][1]}"


def _in_mail(ctx: Context, game: Game, seat: Seat, text: str) -> tuple[str, ...]:
    """Whom a text names, or otherwise the one whom its mail names: `who plays Turkey? I write to them`."""
    named = dict.fromkeys(named_in(game, seat, text))
    others = dict.fromkeys(named_in(game, seat, ctx.mail.message.text)) if ctx.mail is not None else {}
    return (*named, *(others if len(others) == 1 else ()))


def _how_to_write(ctx: Context, game: Game, seat: Seat, text: str) -> str:
    """To whom the text names; if it has no names, to anybody."""
    named = tuple(dict.fromkeys(_in_mail(ctx, game, seat, text)))
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
        return f"{_possible(ctx, ordering, text)} Who retreats nowhere disbands."
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


def _possible(ctx: Context, ordering: Ordering, text: str) -> str:
    """What can be ordered in a phase of retreats or builds, at the places that a text names if it names others than the
    unit's own; and offers it.
    """
    board, own = ordering.phase.board, {str(at) for _, at in ordering.mine.units}
    asked = [one for one in places_in(ctx, text) if ordering.kind is not PhaseKind.RETREAT or one not in own]
    named = {board.province(Location(one)) for one in asked}
    kinds = _kinds_said(ctx.game, text) if ctx.game is not None else []
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
    return f"{name} {_held_by(game, seat, place)}".strip()


def _held_by(game: Game, seat: Seat, place: Province) -> str:
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
_SAID: Mapping[Wanted, Callable[[Context, Game, Seat, str], str]] = MappingProxyType({
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

_OF_PHASE = {Wanted.HOW_TO_RETREAT: PhaseKind.RETREAT, Wanted.HOW_TO_BUILD: PhaseKind.ADJUSTMENT}
"""The phase in which what is asked about can be ordered."""

_EXAMPLES: Mapping[Wanted, str] = MappingProxyType({
    Wanted.HOW_TO_SUPPORT: "To support a move, write your unit, S, and the move: A MUN S A BER-SIL. To support a unit"
    " where it stays: A MUN S A BER.",
    Wanted.HOW_TO_CONVOY: "For a convoy the fleet gets an order with C, and the army moves: F NTH C A LON-NWY, and"
    " A LON-NWY.",
    Wanted.HOW_TO_RETREAT: "A dislodged unit retreats with - or R and a place, A PAR R GAS, or disbands: A PAR"
    " DISBAND. The form in the report of a retreat phase lists where it can go.",
    Wanted.HOW_TO_BUILD: "In Winter you build with BUILD F BRE or BUILD A PAR, as many units as you have centres more"
    " than units; WAIVE leaves a build. With fewer centres than units you remove with REMOVE A PAR.",
    Wanted.HOW_TO_ORDER: "An order is a unit, - and a place, one a line: A PAR-BUR. A PAR H holds.",
})  # fmt: skip
"""How it is written, on the board on which these places are; HELP ORDERS says it for each game."""

_AT_A_SEAT: Mapping[Wanted, str | None] = MappingProxyType({
    Wanted.DEADLINE: None,
    Wanted.MY_ORDERS: None,
    Wanted.MY_POWER: None,
    Wanted.PLAYERS: None,
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
    Wanted.POSITION: None,
    Wanted.CENTRES: None,
    Wanted.GAMES: "LIST OPEN",
    Wanted.JOIN: "HELP JOIN",
    Wanted.RULES: None,
    Wanted.OPTION: None,
    Wanted.AWAY: None,
    Wanted.ABSENCE: None,
    Wanted.RESIGN: None,
    Wanted.EXTEND: None,
    Wanted.DRAW: "HELP DRAW",
    Wanted.VOTE_DRAW: None,
    Wanted.NO_DRAW: None,
    Wanted.VOTES: None,
    Wanted.MY_TURN: None,
    Wanted.NO_ORDERS: None,
    Wanted.COMMAND: None,
    Wanted.ANYBODY: None,
    Wanted.WHO_SEES: None,
    Wanted.HELP: "HELP",
    Wanted.NEWCOMER: WHAT_IT_IS[0],
    Wanted.NO_MAIL: "HELP STOP",
    Wanted.READY: None,
    Wanted.WAIT: None,
    Wanted.NEAR: None,
    Wanted.LETTERS: "PRESS WITH ALL",
    Wanted.START: None,
    Wanted.ADDRESS: "HELP ADDRESS",
    Wanted.SETTINGS: "HELP PREFERENCES",
    Wanted.DEPUTY: "HELP DEPUTY",
    Wanted.TRY: "HELP WHATIF",
    Wanted.HISTORY: "HISTORY",
    Wanted.CONCEDE: "HELP CONCEDE",
    Wanted.PAUSE: "HELP PAUSE",
    Wanted.LATE: None,
    Wanted.SAME: None,
    Wanted.SIGNS: None,
    Wanted.STOPS: None,
    Wanted.REPLAY: None,
    Wanted.FASTER: None,
    Wanted.WINTER: None,
    Wanted.VICTORY: None,
    Wanted.VARIANTS: "HELP VARIANTS",
    Wanted.WATCH: "HELP OBSERVE",
    Wanted.COST: None,
    Wanted.WHAT_READY: "HELP READY",
    Wanted.CODES: None,
    Wanted.ATTACKED: None,
    Wanted.ADVICE: None,
    Wanted.NAME: "HELP REGISTER",
    Wanted.LANGUAGE: None,
    Wanted.ACCOUNT: None,
    Wanted.PROMISES: None,
    Wanted.SEEN: None,
    Wanted.CREATE: "HELP CREATE",
})  # fmt: skip
"""What can be asked at a seat, and the line that shows it, if one does."""

_SHOWS: Mapping[Wanted, str] = MappingProxyType({
    Wanted.MY_ORDERS: "MY ORDERS",
    Wanted.SAME: "MY ORDERS",
    Wanted.RULES: "RULES",
    Wanted.POSITION: "POSITION",
    Wanted.CENTRES: "POSITION",
    Wanted.HOW_TO_WRITE: "HELP PRESS",
    Wanted.NEAR: "MAP NAMES",
    Wanted.NO_ORDERS: "HELP ORDERS",
    Wanted.ANYBODY: "HELP",
    Wanted.WHO_SEES: "HELP ORDERS",
    Wanted.ATTACKED: "HISTORY",
    Wanted.ADVICE: "HELP WHATIF",
})  # fmt: skip
"""The lines that show what is said in a sentence where it is asked for sure."""

_WITHOUT: Mapping[Wanted, str] = MappingProxyType({
    Wanted.COMMAND: "HELP",
    Wanted.NAME: "HELP REGISTER",
    Wanted.PROMISES: "HELP PRESS",
    Wanted.SEEN: "HELP REGISTER",
    Wanted.GAMES: "LIST OPEN",
    Wanted.JOIN: "LIST OPEN",
    Wanted.RULES: "HELP",
    Wanted.MY_POWER: "WHOAMI",
    Wanted.DEADLINE: "LIST MINE",
    Wanted.HELP: "HELP",
    Wanted.NEWCOMER: WHAT_IT_IS[0],
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
    Wanted.SETTINGS: "HELP PREFERENCES",
    Wanted.ADDRESS: "HELP ADDRESS",
    Wanted.VARIANTS: "HELP VARIANTS",
    Wanted.WATCH: "HELP OBSERVE",
    Wanted.COST: "LIST OPEN",
    Wanted.VICTORY: "HELP VARIANTS",
    Wanted.START: "LIST MINE",
    Wanted.CREATE: "HELP CREATE",
    Wanted.STANDBY: "HELP STANDBY",
    Wanted.DEPUTY: "HELP DEPUTY",
    Wanted.EXTEND: "HELP EXTEND",
    Wanted.PAUSE: "HELP PAUSE",
    Wanted.CLEAR: "HELP CLEAR",
})  # fmt: skip
"""What is asked of the server's own address, and the line that answers it."""
_OF_STRANGERS: Mapping[Wanted, str] = MappingProxyType({
    **dict.fromkeys((Wanted.COMMAND, Wanted.NO_MAIL, Wanted.HOW_TO_ORDER, Wanted.HOW_TO_SUPPORT), ""),
    **dict.fromkeys((Wanted.HOW_TO_CONVOY, Wanted.HOW_TO_RETREAT, Wanted.HOW_TO_BUILD, Wanted.HOW_TO_WRITE), ""),
    **dict.fromkeys((Wanted.VARIANTS, Wanted.WATCH, Wanted.COST, Wanted.NEWCOMER), ""),
    Wanted.VICTORY: "HELP ST-11",
    Wanted.PLAYERS: "LIST OPEN",
    Wanted.START: "LIST OPEN",
    **dict.fromkeys((Wanted.CREATE, Wanted.STANDBY), ""),
})  # fmt: skip
"""What those who play nothing can ask, and the line that answers it, "" for the same as for others; a game that they
name is shown.
"""
_OF_A_GAME = {Wanted.PLAYERS: "STATUS", Wanted.START: "STATUS", Wanted.STANDBY: "STANDBY"}
_PLAIN: Mapping[Wanted, str] = MappingProxyType({
    Wanted.COST: "It costs nothing. How long a phase lasts is set for each game, often two or three days, so that a"
    " game of seven takes some months, and one of two some weeks; PRACTICE plays one with you at once.",
    Wanted.LANGUAGE: "These mails are in English only. Orders, and many questions, can be in German, French, Spanish,"
    " Italian or Dutch, too.",
    Wanted.ACCOUNT: "There is nothing to log in to, and no password: all is sent and done by mail. Each seat has an"
    " address of its own, which only its player knows; what you send there from your own address is yours. STATUS and"
    " MAP show the game at any time.",
    Wanted.PROMISES: "Players may tell each other what they like, true or not, or nothing. No promise binds anybody:"
    " only orders count. What you write to some players comes to these and to no other player.",
    Wanted.SEEN: "The other players see your name, and in a game without names not even that; never your address. A"
    " gamemaster who does not play sees both. REGISTER and a name changes yours.",
})  # fmt: skip
"""What is said wherever it is asked."""

_CHANGES: Mapping[Wanted, tuple[str, str]] = MappingProxyType({
    Wanted.CLEAR: ("CLEAR", "Your orders are as they were: to change one, just send another for its unit."),
    Wanted.ABSENCE: (
        "ABSENCE",
        "If you say when you are away, deadlines move as far as the game allows; DEPUTY lets a friend order for you.",
    ),
    Wanted.RESIGN: ("RESIGN", "You still have your seat. Who leaves makes it vacant, for somebody else."),
    Wanted.VOTE_DRAW: ("DRAW", "You have not voted for a draw yet: it needs the votes of all players."),
    Wanted.NO_DRAW: ("NO DRAW", "A draw needs the votes of all players, so without yours there is none."),
    Wanted.EXTEND: ("EXTEND 24h", "The deadline is as it was. From a player EXTEND is a vote; most must agree."),
    Wanted.READY: ("READY", "You are not READY yet."),
    Wanted.STANDBY: ("HELP STANDBY", "You are on no standby list yet."),
    Wanted.WAIT: ("WAIT", "The phase may end before its deadline once all are READY."),
})  # fmt: skip
"""What changes something: the line, and what holds until it is sent."""
