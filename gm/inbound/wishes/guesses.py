"""What a sentence wants, here and now: the likeliest kind of `gm.parsing.sayings`, by the game and the seat."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from types import MappingProxyType

from gm import patterns as re
from gm.board import Location, Power
from gm.commands.context import Context
from gm.commands.help import plays_nothing
from gm.games.snapshot import Game, Seat
from gm.inbound.facts import places_in
from gm.inbound.ordering import ordering_at
from gm.inbound.plain_answers import proposed_to
from gm.inbound.speech import with_powers
from gm.inbound.wishes.askable import AT_A_SEAT, OF_PHASE, OF_PLACES, OF_STRANGERS, WITHOUT
from gm.inbound.wishes.masters_wishes import TAKES_WORDS, plays_it
from gm.inbound.wishes.new_games import LIKE
from gm.inbound.wishes.times_wished import is_of_mail
from gm.parsing.days import days_away, is_span, names_end, with_end
from gm.parsing.game_names import (
    BEFORE_WORDS,
    games_in,
    mention,
    without_game,
    without_games,
)
from gm.parsing.meant import keeps_orders, keeps_rest
from gm.parsing.meant_words import says
from gm.parsing.options_meant import option_asked, options_in
from gm.parsing.questions import (
    WANTS_TIME,
    Wanted,
    asked_directly,
    clauses,
    is_against,
    is_of_another,
    is_reason,
    is_refused,
    meaning_asked,
    only_asks,
    requests,
    sentences,
    speaks_of_others,
    unframed,
    wishes,
    wonders,
)
from gm.parsing.sayings import LIKELY, MASTERS, RULING, SURE, Likely, likely, powers_in
from gm.parsing.several_lines import GM
from gm.parsing.zones import place_in
from gm.play.briefs import rulings_of
from gm.play.rules_asked import rulings_asked, rulings_surely_asked
from gm.position import PhaseKind


def applies(ctx: Context, want: Wanted) -> bool:
    """Whether there is an answer to it here: some questions are asked of a game, others by people without one."""
    if is_nothing(ctx, want):
        return False
    if ctx.seat is not None and ctx.game is not None:
        joins = want is not Wanted.JOIN or not ctx.game.running
        return joins and (want in AT_A_SEAT or want.name.startswith(MASTERS))
    if ctx.runs_games and want.name.startswith(MASTERS):
        return True
    return want in (OF_STRANGERS if plays_nothing(ctx) else WITHOUT)  # who plays nothing is greeted


def of_board(ctx: Context, text: str) -> Wanted | None:
    """What a question of the rules asks of the board as it is: what can be built or removed, or where a dislodged unit
    can go, in such a phase; or what is asked of places, if it names one and only a ruling is likelier; or how an option
    is set. None for another.
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
    near = [Wanted.__members__.get(kind) for kind in bare.within(LIKELY)]
    of_places = bool(places) and only_asks(text) and near[0] in OF_PLACES and {*near} <= {*OF_PLACES, *OF_ORDERS}
    if of_places and not found.is_example and found.behind[bare.kinds[0]] < _FAR_BEHIND:
        return near[0]
    if near[0] in OF_PHASE and OF_PHASE[near[0]] is ordering.kind:
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
    """What a gamemaster wants who says on which days a player is away, and no more, or asks who is; None for another
    sentence.
    """
    if ctx.at_chair and _WHO_IS_AWAY.match(text) is not None and OF_WRITER.search(text) is None:
        return Wanted.GM_WHO
    named = ctx.at_chair and not wonders(text) and (any(powers_of(ctx, text)) or speaks_of_others(text))
    away = named and _IS_AWAY.search(text) is not None and days_away(text, ctx.now.date()) is not None
    return Wanted.AWAY if away else None


_WHO_IS_AWAY = re.compile(
    r"\W*(?:(?:and|so|also)\W+)*(?:is|are|who(?:['’]s)?|which|any(?:body|one)?)\b.{0,60}"
    r"\b(?:away|absent|on (?:holidays?|vacation|leave))(?: (?:now|today|this week|next week|at the moment))?[ ?!.]*\Z",
    re.IGNORECASE,
)
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
    sets = any(one.startswith("reminder=") for one in options) if REMINDS.search(wish) else bool(options)
    not_new |= {Wanted.GM_REMIND.name} if sets else set()  # `six hours of grace for those who are late`
    not_new |= {want.name for want, words in _HAS_WORDS.items() if not words.search(wish)}  # `please ask her`
    not_new |= _OF_DRAWS if not (A_DRAW if _votes_on_time(ctx) else _A_VOTE).search(wish) else set()
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
    message = ctx.mail.message if ctx.mail is not None else None
    return message is not None and ctx.looks.once(None, _OF_TIME, 0, lambda: _OF_TIME.search(message.text) is not None)


_OF_DRAWS = {want.name for want in (Wanted.VOTE_DRAW, Wanted.NO_DRAW, Wanted.DRAW)}
A_DRAW = re.compile(r"\b(?:draw|drew|dias|tie|remis|unentsch|null|nul\b|empat|tablas|paregg|patta|peace|end)", re.I)
_A_VOTE = re.compile(rf"{A_DRAW.pattern}|\b(?:vot|ballot|shar|split|agree|propos|stimm|teil|partag|accept)", re.I)
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
    begin = at = len(wish) - len(wish.lstrip(SIGNS))
    while (found := _LEAD.match(wish, at)) is not None:
        at = found.end()
    return (wish[at:] if at > begin else wish) or text


SIGNS = f"{string.punctuation.replace('_', '')}{string.whitespace}\u2013\u2014\u2026"
_LEAD = re.compile(
    r"(?:no|nein|non|hm+|oh|oops|ok|okay|actually|sorry|well|and|also|then|but|fine|yes|wait|hi)\b[,.! ]++"
    r"(?=\S{1,60} \S)",
    re.IGNORECASE,
)
"""A word that leads to a wish of two words or more."""
_NOTHING = Likely({"CHAT": 0.0}, known=False)
"""What a text wants that is looked at no more."""
OF_A_LINE = 4
"""What a line costs that is made of a sentence, where a look at a sentence costs one."""


def _guess(ctx: Context, text: str) -> Likely:
    """What a text wants, or what it asks about where the words that ask leave that open; never what it is against.
    Nothing, of one that is far down in a mail of very many.
    """
    if ctx.looks.left <= 0:
        return _NOTHING
    return ctx.looks.once(ctx.game, (text, ctx.seat and ctx.seat.id), 1, lambda: _guessed(ctx, text))


_A_NAME = 2


def _by_words(ctx: Context, text: str) -> Likely | None:
    """What a text wants by words of its own, whatever else it resembles: what orders stay, what mail is wanted, on
    which days its writer is away.
    """
    if keeps_orders(text) and ctx.mail is not None and keeps_orders(ctx.mail.message.text):
        return Likely({(Wanted.MY_ORDERS if has_orders(ctx) else Wanted.SAME).name: 0.0}, known=True)
    if keeps_rest(text) or keeps_orders(text):
        return _NOTHING
    if not ctx.runs_games and is_of_mail(text):
        return Likely({Wanted.SETTINGS.name: 0.0}, known=True)
    alone = ctx.seat is not None and not ctx.runs_games and is_span(text)
    if alone or (names_end(text) and absence_as_corrected(ctx, text) is not None):
        return Likely({Wanted.ABSENCE.name: 0.0}, known=True)
    return None


def _guessed(ctx: Context, text: str) -> Likely:
    if (plain := _by_words(ctx, text)) is not None:
        return plain
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
    return (
        sentence.rstrip().endswith("?")
        and len(wishes(sentence)) > 1
        and bool(rulings_by_words(ctx, sentence, surely=True))
    )


def _rulings_asked(ctx: Context, text: str, found: Likely) -> tuple[str, ...]:
    """The rulings that a question is about by the words of the game's rules, if it is not far surer about one thing;
    where the only such words name places, it is about these.
    """
    return rulings_by_words(ctx, text, surely=True) if len(found.within(2 * SURE)) > 1 else ()


def rulings_by_words(ctx: Context, text: str, *, surely: bool) -> tuple[str, ...]:
    """The rulings that a question is about, or may be about, by words of the game's rules that name no places."""
    if ctx.game is None or not only_asks(text):
        return ()
    apart = [word for word in text.split() if places_in(ctx, word)]
    find = rulings_surely_asked if surely else rulings_asked
    return find(text, ctx.game.variant, " ".join(apart))


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
    if ctx.runs_games and colon and SAYS.search(wishes(head)[-1]):  # `they agree: end it, with the remark: ...`
        head, words = message_in(ctx, rest)
        return (f"{lead}, {head}", words) if words else (text, "")
    found = _TOLD.match(_told_last(ctx, text)) if ctx.runs_games else None
    if found is None or (games_in(found["words"]) and not without_games(found["words"]).strip(SIGNS)):
        return text, ""  # `in these: spring, duel`
    head = without_games(found["head"]) if games_in(found["head"]) else found["head"]
    *before, last = wishes(head)
    kinds = TAKES_WORDS if SAYS.search(last) else TAKES_WORDS.difference(REPORTS)
    takes = any(kinds.issuperset(wanted(_guess(ctx, part).within(SURE))) for part in (head, _bare(head), last))
    own = SAYS.search(head) is None and _wants_surely(ctx, found["words"])
    if own and requests(found["words"]):
        return text, ""  # `we had a rule that I want here: please give everybody twelve hours of grace`
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
    found = _TELL_WHOM.fullmatch((without_games(clause) if games_in(clause) else clause).strip(SIGNS))
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
SAYS = re.compile(
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


def rulings_in(ctx: Context, text: str) -> tuple[str, ...]:
    """The rulings that a text may be about, the likeliest first."""
    return tuple(filter(RULING.fullmatch, guess(ctx, text).within(SURE)))


def kinds_of_clauses(ctx: Context, text: str) -> Iterator[str]:
    """What each clause of a text wants that wants one thing, if there are several clauses."""
    parts = wishes(text)
    near = (guess(ctx, part).within(LIKELY) for part in (parts if len(parts) > 1 else ()))
    return (first for first, *others in near if not others)


def has_orders(ctx: Context) -> bool:
    """Whether orders of the asker's are in force, or stand in the same mail."""
    ordering = ordering_at(ctx.game, ctx.seat)
    if ordering is None or ctx.mail is None:
        return False
    return bool(ordering.in_force()) or ordering.gives(ctx.mail.message.text)


REMINDS = re.compile(
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
    Wanted.GM_REMIND: re.compile(f"{REMINDS.pattern}|{_OF_ORDERS.pattern}", re.IGNORECASE),
    Wanted.GM_EJECT: re.compile(
        r"\b(?:eject|kick|remov|throw|expel|dismiss|sack|ban|exclu|out|quit|left|leav|resign|drop|gone|vaca|seat|away"
        r"|lost|longer|any ?more|abandon|replac|disappear|vanish|silent|dead|stop|retir|nmr|rid|g(?:ive|ave)[ns]? up"
        r"|raus|entfern|ausschl|weg|aufge|verlass|ausgestieg|aussteig|hinaus|vir[eé]|parti|quitt|echa|fuera|dej)",
        re.IGNORECASE,
    ),
    Wanted.GM_PAUSE: re.compile(
        r"\b(?:paus|pauze|break|breather|stop|halt|freez|frozen|on hold|hold (?:the|it|everything|on)|suspen|clock"
        r"|stand\w* still|rest\b|holidays?|vacation|on ice|interrupt|time ?out|no (?:processing|play)|wait|until"
        r"|till?\b|unterbr|anhalt|aussetz|einfrier|ruh|stilleggen|ferien|urlaub|arr[êe]t|gel|parar|sospend|vacances|tr[êe]ve)",
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


def absence_as_corrected(ctx: Context, text: str) -> tuple[date, date] | None:
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
OF_WRITER = re.compile(
    r"\b(?:i|my|mine|we|our|us|ich|meine?[rnms]?|mich|wir|unser\w{0,2}|uns|je|mon|ma|mes|notre|nos|nous)\b|\bj['’]",
    re.IGNORECASE,
)


def powers_of(ctx: Context, text: str) -> list[Power]:
    """The powers that a text names, also by their players."""
    return [*dict.fromkeys(powers_named(ctx.game, ctx.seat, _by_power(ctx, text)))] if ctx.game is not None else []


def powers_named(game: Game, seat: Seat | None, text: str) -> Iterator[Power]:
    """The powers that words of a text name."""
    return powers_in(text, game.lexicon_of(seat))
