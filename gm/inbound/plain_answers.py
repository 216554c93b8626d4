"""Mails that say in other places than on a line of their own what they ask for: YES or NO in reply to a mail of ours
that asks players of a game something, or proposes lines, which counts as these lines; and a subject that is a command.

Questions with an address of their own are answered elsewhere (`gm.inbound.confirming`); a vote is not one of them,
since it is asked in the thread of the game, where orders are answers, too.
"""

from __future__ import annotations

import re
from calendar import day_name, month_name
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from functools import reduce
from itertools import chain

from gm.board import Location
from gm.clock import COUNTS
from gm.commands.context import Context, Meant
from gm.commands.correcting import YOUR_WORDS
from gm.commands.declaration import Consent
from gm.commands.voting import answers_to, mail_on
from gm.games.snapshot import Game
from gm.inbound.facts import came_alone, items_in, names_of_games, places_in, read
from gm.inbound.identification import consents_of
from gm.inbound.ordering import ordering_at
from gm.inbound.overtaking import overtaken
from gm.inbound.speech import people_in
from gm.mail.message.attribution import subject_apart
from gm.mail.message.incoming import Message
from gm.parsing.command_syntax import SAYS_WHY
from gm.parsing.courtesies import ASSENT, PLEASE
from gm.parsing.lexicon import fold
from gm.parsing.lists import names_in
from gm.parsing.message import CommandLine, Item, OrderLine, PressBlock
from gm.parsing.questions import clauses, sentences, without_because
from gm.parsing.sayings import greets_surely, powers_in
from gm.play import ballots, roll_call
from gm.play.agreeing import Part, agrees, without_reason
from gm.play.questions import (
    Assent,
    Reply,
    assent_in,
    assents_briefly,
    doubtful,
    drops,
    is_pick,
    named_with_yes,
    picked,
    read_reply,
    says_only_yes,
    takes_all,
    takes_back,
    turns,
)
from gm.play.questions import own_lines as without_greeting
from gm.reading.line import Line, Lines, Origin
from gm.reading.origin import NOTHING, own_lines
from gm.reading.ours import Ours
from gm.store import question_rows, sent
from gm.store.game_rows import SeatRole
from gm.store.outbox import OutboxRow


def line_meant(ctx: Context, message: Message) -> str:
    """The lines that the whole of a mail stands for: YES to the only way that the newest mail of ours proposes which it
    cites, once; YES or NO to the vote, or to the call of MUSTER, that such a mail asks for; "" if there are none.
    """
    if (chosen := _of_game(ctx, message)) is not None:
        return taken(ctx, *chosen)
    if (picked_way := _picked_by_name(ctx, message)) is not None:
        return taken(ctx, *picked_way)
    reply = _said(ctx, message)
    if reply is None:
        return _present(ctx, message)
    if (mail := proposing(ctx, message)) is not None:
        way, *others = mail.proposes
        if others or reply is Reply.NO:
            return ""
        return taken(ctx, mail, way)
    asked = _asked(ctx, message, (*_VOTES, "late"))
    return "".join(asked[:1] if reply is Reply.YES else asked[1:])


def agreed_to(ctx: Context, message: Message) -> str:
    """The only lines that a mail of ours proposes, if its answer agrees in as many words as may be; to what cannot be
    taken back with a YES, or by saying to go ahead.
    """
    mail = proposing(ctx, message) if ctx.person is not None and _is_own(message.text) else None
    if mail is None or len(mail.proposes) != 1:
        return ""
    way, own = mail.proposes[0], _names_of(ctx, message)
    about = _words_of(f"{_in_words(ctx, [way])} {_in_days(way)}")
    parts = agrees(
        message.text, own, about, _words_of(" ".join(map(ctx.commands.reader.title, ctx.commands))) - _NO_DEED
    )
    if not parts:
        return ""
    ordering = ordering_at(ctx.game, ctx.seat)
    if Part.YES not in parts and ordering is not None and ordering.gives(message.text):
        return ""  # `rest hold` orders of its own
    sure = Part.YES in parts or can_be_set_right(ctx, way)
    said = " ".join(map(without_reason, sentences(message.text)))
    if ctx.lexicon is not None and not about.issuperset(str(one).lower() for one in powers_in(said, ctx.lexicon)):
        return ""
    ends = {place for line in way.split("\n") for place in places_in(ctx, line)[-1:]}  # `Vienna it is` says where to
    return taken(ctx, mail, way) if sure and ends.issuperset(places_in(ctx, said)) else ""


_NO_DEED = frozenset(("all", "for", "as", "me", "to", "off", "list", "my", "with", "here", "orders", "way"))
"""The words of titles that name no deed."""


def _in_days(way: str) -> str:
    """The days that a line has, in words: `one day` of 24h, `Sunday` of Sun."""
    days = {f"{int(hours) // 24}" for hours in _HOURS.findall(way)}
    counted = (word for word, count in COUNTS.items() if count in days)
    named = (name for name in (*day_name, *month_name) if name and re.search(rf"\b{name[:3]}\b", way))
    return " ".join((*counted, *named))


_HOURS = re.compile(r"\b(\d{2,3})h\b")


def _picked_by_name(ctx: Context, message: Message) -> tuple[OutboxRow, str] | None:
    """The mail that a mail answers, and of the several ways that it proposes the one of which the answer says in its
    first words that it is the one; what else it says must be that another of these is not: `only the letter, the order
    I have already sent`.
    """
    first, *others = clauses(message.text) if ctx.person is not None and _is_own(message.text) else [""]
    if len(others) >= _MOST_PARTS or _IS_NOT.search(first) or _SAYS_WHICH.search(first) is None:
        return None
    if (mail := proposing(ctx, message)) is None:
        return None
    said = {way: _in_words(ctx, [way]) for way in _apart(ctx, mail.proposes)}
    named = named_with_yes(_by_powers(ctx, first), said)
    if len(said) < _MOST_WITH_NO or len(named) != 1:
        return None
    about = {word for way, words in said.items() if way != named[0] for word in _words_of(words)}
    about -= _words_of(said[named[0]])
    spoken = (about & _words_of(_by_powers(ctx, one)) for one in others)
    return (mail, named[0]) if all(_IS_NOT.search(one) and any(spoken) for one in others) else None


def _is_own(text: str) -> bool:
    """Whether an answer is neither empty, nor a question, nor begins with words that are quoted."""
    return text.strip()[:1] not in ("", *_QUOTES) and "?" not in text


def _words_of(text: str) -> set[str]:
    return {*re.findall(r"[^\W_]+", text.lower())}


_QUOTES = "\"'“„«‹‘"
_MOST_PARTS = 3
_SAYS_WHICH = re.compile(rf"\b(?:only|just|nur|seulement|juste|{PLEASE})\b|\A\W*{ASSENT}(?!\w)", re.IGNORECASE)
_IS_NOT = re.compile(
    r"n['’]t\b|\b(?:not?|never|nicht|nein|nie|kein\w*|pas|non|already|schon|déjà|later|später)\b", re.IGNORECASE
)
"""What says that something is not the one that is taken."""


def _apart(ctx: Context, ways: Sequence[str]) -> Sequence[str]:
    """What a mail proposes, each command apart of several that a YES does together; orders are one thing."""
    several = len(ways) == 1 and "ENDPRESS" not in ways[0] and not ways[0].startswith("GAME ")
    return [text for _, text in _commands_of(ctx, ways[0])] if several and not _are_orders(ctx, ways[0]) else ways


def _commands_of(ctx: Context, way: str) -> Iterator[tuple[Item, str]]:
    """The commands of a way, and each one's lines, with what stands below it."""
    lines, items = way.split("\n"), items_in(ctx, way.split("\n"))
    ends = [item.line for item in items[1:]] + [len(lines) + 1]
    for item, end in zip(items, ends, strict=True):
        yield item, "\n".join(lines[item.line - 1 : end - 1])


def _by_powers(ctx: Context, text: str) -> str:
    """A text with the powers as the game calls them, also for the players' names that it shows."""
    if ctx.game is None or ctx.seat is None:
        return text
    lexicon, people = ctx.game.lexicon_of(ctx.seat), people_in(ctx.game)
    named = ((word, lexicon.power(word) or people.get(fold(word).folded)) for word in re.findall(r"[^\W\d_]{4,}", text))
    return reduce(lambda said, one: said.replace(one[0], one[1] or one[0]), named, text)


def _present(ctx: Context, message: Message) -> str:
    """What says that somebody is there who answers the call of MUSTER in words, with all else that they write: if a
    sentence says so, and none denies it.
    """
    if ctx.seat is None or _asked(ctx, message) != ("HERE",) or not message.text.strip():
        return ""
    said = assent_in(message.text, _names_of(ctx, message))
    more = said.more if said is not None else message.text
    present = said is not None or any(_THERE.fullmatch(one) for one in sentences(more))
    if not present or message.away or _DENIED.search(more):
        return ""
    return "HERE" if all(map(_only_present, sentences(more))) else f"HERE\n{more}"


_DENIED = re.compile(r"n['’]t\b|\b(?:not?|never|nicht|kein\w*|resign|quit|leave|leaving|pas|plus)\b", re.IGNORECASE)


def _only_present(text: str) -> bool:
    return _THERE.fullmatch(text) is not None or greets_surely(text)


_THERE = re.compile(
    r"\W*+(?:(?:yes|yep|yeah|ja|oui"
    r"|i(?:['’]m| am)|we(?:['’]re| are)|ich bin|bin|je suis|sorry|of course|still|noch|here|da"
    r"|there|dabei|in|present|alive|playing|around|with you|ready|là|toujours|natürlich|immer|and|und)\b\W*+)++",
    re.IGNORECASE,
)
"""Nothing but that its writer is there."""


def meant_with_more(ctx: Context, message: Message, lines: Lines) -> str:
    """The only lines that a mail of ours proposes, and below them what its answer says beside a YES: it is read as if
    it had been written there. "" for any other answer, for what another mail cannot set right, and for one of whose
    lines some may be another's. What the sentence of the YES says, too, is for what is only proposed as orders, and if
    that turns the YES, orders and nothing else: `yes, but the fleet holds`.
    """
    own = [line for line in lines if line.text.strip()]
    talks = bool(own) and not isinstance(own[0].meaning, OrderLine | CommandLine)
    talks = talks and own[0].text.strip()[0] not in _QUOTES
    if not talks or ctx.person is None or any(line.origin is not Origin.OWN for line in own):
        return ""
    if (mail := proposing(ctx, message)) is None:
        return ""
    if (rest := _above_commands(ctx, message, own, mail)) is not None:
        return rest
    assent = assent_in(message.text, _names_of(ctx, message), _in_words(ctx, mail.proposes))
    if assent is None or (said := _chosen(ctx, assent, mail.proposes)) == "":
        return ""
    if any(_orders_otherwise(ctx, one, said) for one in assent.yes):
        return ""
    if len(mail.proposes) > 1 and not assent.turned and all(map(greets_surely, sentences(assent.more))):
        return taken(ctx, mail, said)  # named, and nothing else
    if not can_be_set_right(ctx, said, ready=all(map(says_only_yes, assent.yes))):
        return ""
    assent = _without_description(ctx, assent, said)
    more = assent.more if _fits(ctx, assent, said) else _in_notation(ctx, assent.more, said)
    if not more and assent.more:
        return ""
    way = taken(ctx, mail, said)
    ctx.accepts = False  # what is below it was offered by nobody
    return f"{way}\n{_WITHOUT_TURN.sub('', more) if assent.turned else more}"


def _without_description(ctx: Context, assent: Assent, lines: str) -> Assent:
    """An answer that picks some lines, without what only tells which these are: `the first, Greece with support`."""
    told = places_in(ctx, assent.close) if any(map(is_pick, assent.yes)) and "?" not in assent.close else []
    if assent.turned or not told or not {*places_in(ctx, lines)}.issuperset(told):
        return assent
    return assent._replace(close="", more=assent.more.replace(assent.close, "", 1).strip(" .,"))


def _in_notation(ctx: Context, more: str, lines: str) -> str:
    """What stands beside a YES to orders, `but don't forget Marseilles, that goes to Spain`, as orders: if each of its
    sentences gives one in the only way there is, and says nothing else.
    """
    ordering = ordering_at(ctx.game, ctx.seat) if _are_orders(ctx, lines) else None
    texts = [_FORGETS.sub("", _WITHOUT_TURN.sub("", one)) for one in sentences(more)]
    certain = ordering is not None and not ordering.has_lists and "?" not in more  # a list is changed by its places
    found = [*ordering.readings(texts)] if ordering is not None and certain else []
    whole = all(len(one.ways) == 1 and one.named and not (one.unused or one.aside or one.back) for one in found)
    return "\n".join(order for one in found for order in one.ways[0]) if whole and found else ""


_FORGETS = re.compile(
    r"\A\W*(?:(?:and|und|et) )?(?:please )?(?:(?:do not|don['’]?t|never) forget|vergiss(?: bitte)?(?: nicht)?"
    r"|n['’]oublie(?:z)? pas)\b\W*",
    re.IGNORECASE,
)


def _above_commands(ctx: Context, message: Message, lines: Sequence[Line], mail: OutboxRow) -> str | None:
    """What is proposed, and below it all that stands below a sentence which agrees, if there are commands: `Yes. And
    then out with it:`; of what is proposed not what these commands do themselves. None where there are none.
    """
    sender = _names_of(ctx, message)
    said_at_all, written = {*without_greeting(message.text, sender)}, message.text.split("\n")
    own = [line for line in lines if not line.is_talk or written[line.number - 1].strip() in said_at_all]
    named = [line.meaning.name for line in own[1:] if isinstance(line.meaning, CommandLine)]
    if not (named or any(isinstance(line.meaning, PressBlock) for line in own[1:])):
        return None
    about = _in_words(ctx, mail.proposes)
    agreeing, *leading = sentences(own[0].text)
    agreeing = without_reason(agreeing)
    found = assent_in(agreeing, sender, about)
    way = mail.proposes[0] if len(mail.proposes) == 1 else ""
    if found is not None and len(found.more.split()) <= _FEW_WORDS:
        way = "" if found.turned else _chosen(ctx, found, mail.proposes)
    elif not agrees(agreeing, sender, _words_of(about)):
        way = ""
    said = (*leading, *(line.text for line in own[1:] if line.is_talk))
    if not way or any("?" in one for one in leading) or any(turns(one) or takes_back(one) for one in said):
        return None
    kept = _without_commands(ctx, taken(ctx, mail, way), named)
    ctx.accepts = False  # what is below it was offered by nobody
    left = [" ".join(leading)] if leading and not leading[-1].endswith(":") else []
    return "\n".join((*kept, *left, *written[own[0].number :]))


def _without_commands(ctx: Context, way: str, names: Collection[str]) -> Sequence[str]:
    """The lines of a way without the commands of these names and what stands below them."""
    own = _commands_of(ctx, way)
    return [text for item, text in own if not (isinstance(item, CommandLine) and item.name in names)]


_FEW_WORDS = 6


def _chosen(ctx: Context, assent: Assent, ways: Sequence[str]) -> str:
    """What an answer takes of the ways that a mail proposes: the only one, those that it picks, or lines that it picks
    of orders; all, if it says so. "" if that is not certain.
    """
    lines = "\n".join(ways)
    pool = ways if len(ways) > 1 or not _are_orders(ctx, lines) else lines.split("\n")
    picks = [[*picked(one, pool)] for one in assent.yes if is_pick(one)]
    if picks:
        return "\n".join(dict.fromkeys(chain.from_iterable(picks))) if all(picks) else ""
    apart = _apart(ctx, ways)
    said = {way: _in_words(ctx, [way]) for way in apart if len(apart) > 1}
    if named := [*dict.fromkeys(way for one in assent.yes for way in named_with_yes(one, said))]:
        if doubtful(assent.more) or any(map(_IS_NOT.search, assent.yes)):
            return ""  # `the draw, no`
        return "\n".join(named) if len(named) == 1 or not ctx.are_alternatives(named) else ""
    every = any(map(takes_all, assent.yes)) and not ctx.are_alternatives(ways)
    known = places_in(ctx, lines) if "\n" not in lines else []
    others = any(place not in known for one in assent.yes for place in places_in(ctx, one))
    return lines if not others and (len(ways) == 1 or every) else ""


def amended(ctx: Context, message: Message) -> Sequence[str]:
    """The orders of the only way that a mail proposes, which what its answer orders changes, unless it says NO."""
    ways = proposed_to(ctx, message)
    return ways[0].split("\n") if _only_orders(ctx, ways) and not declines(ctx, message) else ()


def left_open(ctx: Context, message: Message) -> Sequence[str]:
    """The orders of the only way that one of the last mails to the seat proposes, if the mail answers no proposal:
    what it orders is put beside them.
    """
    if ctx.seat is None or proposed_to(ctx, message) or _said(ctx, message) is Reply.NO:
        return ()
    mail = sent.proposed_at(ctx.tx.session, ctx.seat.id, _since(ctx), ctx.addresses, most=_MOST_OPEN)
    mail = _if_open(ctx, mail)
    return mail.proposes[0].split("\n") if mail is not None and _only_orders(ctx, mail.proposes) else ()


_MOST_OPEN = 3
"""Of so many of the last mails to a seat one may still be answered by what changes its orders."""


def _only_orders(ctx: Context, ways: Sequence[str]) -> bool:
    return len(ways) == 1 and _are_orders(ctx, ways[0])


def _in_words(ctx: Context, ways: Sequence[str]) -> str:
    """What is proposed, in all words for it: of one order the names of its places, too, and what it does; of several
    only what heads each list, since `Paris holds` may be none of them.
    """
    return " ".join(_way_in_words(ctx, way) for way in ways)


def _way_in_words(ctx: Context, lines: str) -> str:
    if ctx.game is None or not _are_orders(ctx, lines):
        title = next((one for one in _WORDS_OF if lines.startswith(one)), "")
        named = lines.partition("\n")[0] if lines.startswith("PRESS") else lines  # a letter may say anything
        return f"{named} {_WORDS_OF.get(title, '')}"
    if "\n" in lines:
        heads = (line.partition(":")[0] for line in lines.split("\n") if ":" in line)
        return " ".join((*heads, _WORDS_OF_ORDERS))
    names = (ctx.game.lexicon.board.full_name(Location(one.lower())) for one in places_in(ctx, lines))
    deeds = (words for sign, words in _DEEDS.items() if sign in f"{lines} ")
    return " ".join((lines, *names, *deeds, _WORDS_OF_ORDERS))


_WORDS_OF_ORDERS = "order orders move moves befehl befehle zug züge zuege ordre ordres coup coups"
_WORDS_OF = {
    "EXTEND": "extend extension extra more time day days longer verlängerung verlängern mehr zeit tag tage délai",
    "ABSENCE": "away absence holiday holidays vacation leave abwesenheit abwesend weg urlaub absent vacances",
    "PRESS": "press letter message note brief nachricht lettre message",
    "BROADCAST": "press letter message brief nachricht lettre",
    "DEPUTY": "deputy friend vertreter vertretung freund",
    "READY": "ready final done fertig endgültig prêt",
    "JOIN": "join game seat partie platz spiel",
    "RESIGN": "resign leave quit aussteigen aufhören",
    "TIMEZONE": "timezone zone time zeitzone zeit",
    "DRAW": "draw vote remis unentschieden nulle",
    "CLEAR": "clear delete strike cancel remove erase wipe order orders all löschen streichen weg effacer",
    "PROCESS": "process adjudicate close run resolve",
    "TERMINATE": "terminate end close game",
    "REPLACE": "replace ask give seat",
    "EJECT": "eject kick remove throw seat",
    "PAUSE": "pause stop clock",
    "REMIND": "remind nudge reminder",
}
"""What else people call what a line does."""
_DEEDS = {
    " H ": "hold holds holding stay stays",
    "-": "move moves go goes to",
    " S ": "support supports helps",
    "Build": "build builds",
}


def proposed_to(ctx: Context, message: Message) -> Sequence[str]:
    """What a mail of ours proposes that a mail answers."""
    mail = proposing(ctx, message) if ctx.person is not None else None
    return mail.proposes if mail is not None else ()


def _are_orders(ctx: Context, lines: str) -> bool:
    return all(isinstance(one, OrderLine) for one in items_in(ctx, lines.split("\n")))


def _fits(ctx: Context, assent: Assent, lines: str) -> bool:
    """Whether what an answer says beside its YES leaves what was proposed as it is, or puts orders beside orders."""
    if _orders_otherwise(ctx, assent.close, lines):
        return False
    if not assent.turned and (assent.joined or not assent.close):
        return True
    said = assent.close or assent.more
    if not _are_orders(ctx, lines) or (assent.turned and assent.more != said):
        return False
    found = items_in(ctx, [_WITHOUT_TURN.sub("", said)])
    return not assent.turned or (len(found) == 1 and isinstance(found[0], OrderLine))


def _orders_otherwise(ctx: Context, said: str, lines: str) -> bool:
    """Whether the words of a YES to orders, which are none as they stand, say something else of a unit of these."""
    ordering = ordering_at(ctx.game, ctx.seat) if said and _are_orders(ctx, lines) else None
    if ordering is None or all(isinstance(one, OrderLine) for one in items_in(ctx, [said.strip(" .!")])):
        return False
    given = lines.split("\n")
    units, named = {place for line in given for place in places_in(ctx, line)[:1]}, {*places_in(ctx, said)}
    noted = (order for one in clauses(said) for order in ordering.mine.among(one))
    other = any(order not in given and not units.isdisjoint(places_in(ctx, order)[:1]) for order in noted)
    return other or (not units.isdisjoint(named) and not named <= {*places_in(ctx, lines)})


_WITHOUT_TURN = re.compile(
    r"\A\W*(?:but|only|except|apart from|almost|nearly|aber|nur|fast|beinahe|bis auf|au(?:ß|ss)er|sauf|mais|presque"
    r"|ma|pero)\b\W*(?:(?:for|that)\b\W*)?"
    r"|(?<![ ,])[ ,]++instead[ .!]*+\Z",
    re.IGNORECASE,
)
"""What makes another order of what stands behind a YES."""


def _of_game(ctx: Context, message: Message) -> tuple[OutboxRow, str] | None:
    """The mail that a mail answers, and of the ways that it proposes the only one in the game whose name is all that
    the answer says; or all, if it says so, and they are the same in each of several games.
    """
    text = message.text.lower()
    first, _, rest = text.strip().partition(",")
    text = first if rest and _EVERY.issuperset(re.findall(r"[\w-]+", first)) and _AS_SAID.fullmatch(rest) else text
    words = [word for word in re.findall(r"[\w-]+", text) if word not in _BESIDE_A_GAME]
    if words and _EVERY.issuperset(words) and ctx.person is not None:
        mail = proposing(ctx, message)
        same = mail is not None and len({way.partition("\n")[2] for way in mail.proposes}) == 1
        each = all(way.startswith("GAME ") for way in mail.proposes) if mail is not None else False
        return (mail, "\n".join(mail.proposes)) if mail is not None and same and each else None
    if len(words) > 1 and (mail := proposing(ctx, message) if ctx.person is not None else None) is not None:
        named = {*words} - {"and"}
        ways = [way for way in mail.proposes if way.partition("\n")[0].lower().removeprefix("game ") in named]
        handed_on = ctx.seat is not None and named.issubset(names_of_games(ctx)())  # each seat takes its own way
        return (mail, "\n".join(ways)) if ways and (handed_on or len(ways) == len(named)) else None
    if len(words) != 1 or ctx.person is None or (mail := proposing(ctx, message)) is None:
        return None
    ways = [way for way in mail.proposes if way.lower().startswith(f"game {words[0]}\n")]
    return (mail, ways[0]) if len(ways) == 1 else None


_AS_SAID = re.compile(r" ?(?:as i (?:said|wrote|asked)|please|thanks?|thank you|of course)[ .!]*")
_EVERY = frozenset(("all", "both", "every", "each", "everywhere", "of", "them", "games", "my", "one"))
_BESIDE_A_GAME = frozenset(("in", "for", "the", "game", "please", "pls", "yes", "only", "just", "i", "mean", "meant"))


def taken(ctx: Context, mail: OutboxRow, way: str) -> str:
    """What of the lines that a mail proposes is for the place where its answer came, and proposed no more: at a seat
    to which the answer goes beside others what is below the name of its game; elsewhere all of it.
    """
    ctx.accepts = mail.vouched and not _has_gone_on(ctx, mail)
    way = _with_words(ctx, way)
    blocks = [f"GAME {block}" for block in f"\n{way}".split("\nGAME ")[1:]]
    if not blocks:
        mail.proposes = []
        return way
    if ctx.seat is None:
        return way
    own, left = list[str](), list[str]()
    for block in blocks:
        heading, _, lines = block.partition("\n")
        names = names_in(heading.removeprefix("GAME ")) or [heading.removeprefix("GAME ")]
        others = [name for name in names if name != ctx.game_name]
        own += [f"GAME {ctx.game_name}\n{lines}"] if len(others) < len(names) else []
        left += [f"GAME {', '.join(others)}\n{lines}"] if others else []
    mail.proposes = ["\n".join(left)] if left else []
    return "\n".join((*own, *(left if came_alone(ctx) else ())))


def _with_words(ctx: Context, way: str) -> str:
    """The lines of an offer with the reason that its answer gives, where its own is missing; if there is none, without
    it: the command says then that it needs one.
    """
    if YOUR_WORDS not in way or ctx.mail is None:
        return way
    said = " ".join(without_greeting(ctx.mail.message.text, _names_of(ctx, ctx.mail.message)))
    _, *reason = SAYS_WHY.split(said, maxsplit=1)
    why = next(iter(sentences(without_because("".join(reason)))), "").rstrip(" .!")
    return way.replace(YOUR_WORDS, why) if why else way.replace(f"\nBECAUSE {YOUR_WORDS}", "")


_MOST_WORDS, _MOST_WITH_NO = 4, 2
"""Of so many words is an answer without a question; and a NO to what is proposed."""
_LIKE_ORDERS = re.compile(r"^[^\w\n]*(?:a|f|army|fleet)[ ]+\w\w\w", re.IGNORECASE | re.MULTILINE)


def whole_subject(ctx: Context, message: Message, game: Game | None) -> str:
    """The subject of a mail without any line for the program, if as a whole it is a command or an order, JOIN spring,
    or if it is all that the mail has, and no subject of ours. That of an answer is that of the mail which it answers,
    and that of a mail whose lines may be orders is about them (`my orders`): "" for these.
    """
    answers, subject = subject_apart(message.subject)
    if answers or message.references or message.in_reply_to or _LIKE_ORDERS.search(message.text):
        return ""
    if ctx.seat is not None and not message.text.strip() and not subject.lstrip().startswith("["):
        return subject
    said = own_lines(read(subject, game, ctx.seat), NOTHING)
    whole = len(said) == 1 and said[0].fate is None and isinstance(said[0].meaning, CommandLine | OrderLine)
    whole = whole and not (said[0].is_heading and message.text.strip())  # a heading alone silences no words below it
    return subject if whole else ""


def proposing(ctx: Context, message: Message) -> OutboxRow | None:
    """The newest mail to the sender that is cited, if it proposes lines, not long ago, for the phase being played."""
    cited = _answered(ctx, message)
    return _if_open(ctx, sent.proposed(ctx.tx.session, cited, ctx.addresses) if cited else None)


def _if_open(ctx: Context, mail: OutboxRow | None) -> OutboxRow | None:
    over = mail is None or mail.created_at < _since(ctx) or _phase_of(mail) not in (None, _phase(ctx))
    over = over or (mail is not None and _offers_orders(ctx, mail) and _has_gone_on(ctx, mail))
    return None if over or (mail is not None and overtaken(ctx, mail)) else mail


def _has_gone_on(ctx: Context, mail: OutboxRow) -> bool:
    """Whether a phase of a game of the sender's has begun since an offer that is for several: what it would do then is
    not what it was meant to.
    """
    games = ctx.own_games if ctx.person is not None else ()
    began = (game.phase.opened_at for game in games if game.running and game.phase is not None)
    return _phase_of(mail) is None and any(at > mail.created_at for at in began)


def _phase_of(mail: OutboxRow) -> int | None:
    """The phase that an offer is for; None for one that names its games, each with a phase of its own."""
    return None if any(way.startswith("GAME ") for way in mail.proposes) else mail.phase_id


def _offers_orders(ctx: Context, mail: OutboxRow) -> bool:
    """Whether what is offered begins with orders, below the name of a game."""
    firsts = (way.partition("\n")[2] if way.startswith("GAME ") else way for way in mail.proposes)
    return any(ctx.commands.reader.name_of(one.partition("\n")[0]) is None for one in firsts)


def _since(ctx: Context) -> datetime:
    return ctx.now - timedelta(days=ctx.tx.identity.trust.confirm_days)


def _left_open(ctx: Context, message: Message) -> OutboxRow | None:
    """The newest mail to the seat that still proposes lines, for an answer that cites no mail at all."""
    if ctx.seat is None or message.in_reply_to is not None or message.references:
        return None
    return _if_open(ctx, sent.proposed_at(ctx.tx.session, ctx.seat.id, _since(ctx), ctx.addresses))


_MOST_COMPARED = 8
"""The newest of our mails in a thread, of which an answer quotes one; to read them costs their length."""


def _answered(ctx: Context, message: Message) -> Sequence[str]:
    """The Message-IDs of ours that a mail cites, if it answers one of ours: not where it answers another mail in that
    thread, or its last line stands below the quotation of one. A YES there is to what another person has asked.
    """
    cited = message.cited(*ctx.tx.identity.hosts)
    if message.in_reply_to not in (None, *cited):
        return ()
    ours = Ours(lambda: [one.raw for one in sent.cited(ctx.tx.session, cited, _MOST_COMPARED)])
    return cited if not message.below or (cited and ours.has_form((message.below,))) else ()


def _phase(ctx: Context) -> int | None:
    return ctx.game.running_phase_id if ctx.game is not None else None


_VOTES = "motion", "muster"


def _asked(ctx: Context, message: Message, kinds: Collection[str] = _VOTES) -> tuple[str, ...]:
    """The lines that answer the newest mail of these kinds that a mail cites: about a vote, a call of MUSTER, or `late`
    orders, which a gamemaster accepts or refuses. They are for what it showed, and there are none for a vote that is
    not open any more.
    """
    cited = _answered(ctx, message)
    purposes = sent.purposes_of(ctx.tx.session, cited) if cited and ctx.game is not None else ()
    asked = next((one for one in purposes if one.partition(":")[0] in kinds), "")
    kind, _, about = asked.partition(":")
    if kind == "muster":
        return ("HERE",)
    if kind == "late":
        power = about.partition(":")[0]
        return f"ACCEPT LATE {power}", f"REFUSE LATE {power}"
    return next((answers_to(*one) for one in _open(ctx) if asked.startswith(mail_on(*one))), ())


def can_be_set_right(ctx: Context, lines: str, *, ready: bool = False) -> bool:
    """Whether another mail can set right what lines do: orders, and commands that need no consent, also for what they
    bring about, and are not final but where READY may be among them.
    """
    items = items_in(ctx, lines.split("\n"))
    commands = [one for one in items if isinstance(one, CommandLine)]
    harmless = all({Consent.NONE}.issuperset(consents_of(ctx, one)) for one in commands)
    final = any(ctx.commands[one.name].policy.final for one in commands)
    harmless = harmless and not (commands and ctx.tried(commands).answer.brings)
    return harmless and (ready or not final) and all(isinstance(one, CommandLine | OrderLine) for one in items)


def is_answer(ctx: Context, message: Message) -> bool:
    """Whether a mail is no more than YES or NO, so that it is not searched for anything else."""
    words, most = len(message.text.split()), _MOST_WITH_NO if ctx.runs_games else _MOST_WORDS
    if words > most or _said(ctx, message) is None:
        return _agrees_to_nothing(ctx, message)
    return words <= _MOST_WITH_NO or not declines(ctx, message)  # `No, Monday please.`


def _agrees_to_nothing(ctx: Context, message: Message) -> bool:
    """Whether a player agrees, in as many words as may be, while nothing waits for that: `Yes, just as I meant it.`"""
    game, seat = ctx.game, ctx.seat
    if game is None or seat is None or seat.role is not SeatRole.PLAYER or not game.running:
        return False
    if len(message.text.split()) > _MOST_AGREEING or _HAS_YES.search(message.text) is None or not _is_own(message.text):
        return False
    sender = _names_of(ctx, message)
    if not (assents_briefly(message.text, sender) or Part.YES in agrees(message.text, sender, ())):
        return False
    return not (any(_open(ctx)) or _asked(ctx, message)) and proposing(ctx, message) is None


_MOST_AGREEING = 30
_HAS_YES = re.compile(rf"(?<!\w)(?:{ASSENT}|y|j|o)(?!\w)", re.IGNORECASE)


def declines(ctx: Context, message: Message) -> bool:
    """Whether a mail begins with a NO to what a mail of ours proposes."""
    return bool(declined(ctx, message))


def declined(ctx: Context, message: Message) -> Sequence[str]:
    """What a mail of ours proposes to which a mail begins with a NO."""
    return proposed_to(ctx, message) if _said(ctx, message) is Reply.NO else ()


def _offer_again(ctx: Context, mail: OutboxRow) -> None:
    """Offer what a mail has offered, but for days away where others are offered now; what nobody was proved to have
    asked for stays so.
    """
    ctx.vouched = ctx.vouched and mail.vouched
    other_days = any(way.startswith(_DAYS) for way, _ in ctx.open_offers)
    for way in mail.proposes:
        if not (other_days and way.startswith(_DAYS)):
            ctx.offer(way, "", Meant.MAYBE)


_DAYS = "ABSENCE 20"


def answers_nothing(ctx: Context, message: Message, *, read: bool = False) -> tuple[str, ...]:
    """What the receipt says of a mail without any line for the program that answers a question, or seems to. `read`: it
    asks for something of its own, so that it is no answer to a vote.
    """
    if (late := _late_for(ctx, message)) is not None:
        offered, why = late
        _offer_again(ctx, offered)
        return (f"Nothing was done yet: {why}. Reply with YES to this mail.",)
    reply = _said(ctx, message)
    if reply is None and assents_briefly(message.text) and (mail := proposing(ctx, message)) is not None:
        _offer_again(ctx, mail)
        return ("Nothing was done yet: what is proposed is not done on a single letter. Reply with YES.",)
    known = reply is None and ctx.person is not None
    more = known and assent_in(message.text, _names_of(ctx, message)) is not None
    if more and (mail := proposing(ctx, message)) is not None:
        _offer_again(ctx, mail)
        return ("Nothing was done yet, since your mail says more than YES. YES alone does what stands below.",)
    if reply is None and _agrees_to_nothing(ctx, message):
        reply = Reply.YES
    if reply is None:
        asked = _asked(ctx, message) if ctx.seat is not None and message.text.strip() and not read else ()
        how = " or ".join(asked)
        return (f"Your answer was not counted, since it is neither YES nor NO alone. Write {how}.",) if asked else ()
    if (mail := proposing(ctx, message)) is not None:
        if reply is Reply.NO:
            ctx.say("Nothing was done, as you say.")
            return ()
        _offer_again(ctx, mail)
        return ("Nothing was done yet: your YES may be for each of these. Send the one that you mean.",)
    if reply is Reply.YES and (mail := _left_open(ctx, message)) is not None:
        _offer_again(ctx, mail)
        return ("Nothing was done yet: your YES answers no mail. If it is for this, reply with YES to this one.",)
    if reply is Reply.YES and (waits := question_rows.waiting_at(ctx.tx.session, ctx.addresses, ctx.now)):
        return (f"Nothing was done yet: what you were asked waits in the mail {waits!r}. Reply with YES to that one.",)
    return _nothing_is_open(ctx, message, reply)


def _nothing_is_open(ctx: Context, message: Message, reply: Reply) -> tuple[str, ...]:
    """What is said to a YES or NO that answers no question; and to a NO to the call of MUSTER."""
    if reply is Reply.NO and (said := _is_not_there(ctx, message)):
        return (said,)
    votes = [" or ".join(answers_to(*one)) for one in _open(ctx)]
    goes_on = reply is Reply.NO and len(message.text.split()) > _MOST_WITH_NO and ctx.runs_games
    if not votes and (goes_on or (reply is Reply.NO and len(message.text.split()) > _MOST_WORDS)):
        return ()  # `No deadlines on weekends please.`
    if not votes and ctx.seat is not None and ctx.seat.role is SeatRole.PLAYER and ctx.game is not None:
        given = ctx.game.running and ctx.game.orders_of(ctx.seat)
        more = "; your orders count as they stand" if given else ""
        ctx.say(f"Nothing waits for your answer{more}.")
        return ()
    how = f"To vote, write {', or '.join(votes)}." if votes else "HELP shows what you can write."
    return (f"Your {reply.value.upper()} answers no question that is open, so nothing was done. {how}",)


def _is_not_there(ctx: Context, message: Message) -> str:
    """What is said to who answers the call of MUSTER with NO, which gives up no seat before its time."""
    game, seat = ctx.game, ctx.seat
    if game is None or seat is None or _asked(ctx, message) != ("HERE",):
        return ""
    if all(one.id != seat.id for one in roll_call.unanswered(ctx.tx, game)):
        return f"Nothing was changed: you play {seat.power}. RESIGN {game.name} gives the seat up."
    ctx.offer(f"RESIGN {game.name}", "give the seat up now")
    ctx.offer("HERE", "keep it")
    return f"Nothing was changed yet: you lose the seat of {seat.power} when the time to answer is over."


def _late_for(ctx: Context, message: Message) -> tuple[OutboxRow, str] | None:
    """The mail to which an answer says YES too late, if what it proposes can still be done; and why it is too late."""
    if ctx.person is None or not says_only_yes(" ".join(message.text.split())):
        return None
    cited = _answered(ctx, message)
    mail = sent.proposed(ctx.tx.session, cited, ctx.addresses) if cited else None
    if mail is None or mail.phase_id not in (None, _phase(ctx)):
        return None
    days = ctx.tx.identity.trust.confirm_days
    late = f"that was offered more than {days} days ago" if mail.created_at < _since(ctx) else overtaken(ctx, mail)
    return (mail, late) if late else None


def _said(ctx: Context, message: Message) -> Reply | None:
    """What a mail of somebody known answers; to the server's own address, only to a mail that proposes something."""
    if ctx.person is None:
        return None
    own = _names_of(ctx, message)
    if assents_briefly(message.text, own):
        mail = proposing(ctx, message)
        return Reply.YES if mail is not None and all(can_be_set_right(ctx, way) for way in mail.proposes) else None
    reply = read_reply(message.text, own)
    if reply is Reply.UNCLEAR and drops(message.text) and proposing(ctx, message) is not None:
        return Reply.NO
    if reply not in (Reply.YES, Reply.NO):
        return None
    return reply if ctx.seat is not None or proposing(ctx, message) is not None else None


def _names_of(ctx: Context, message: Message) -> str:
    """What the sender is called, in a mail and here."""
    return f"{message.sender_name} {ctx.sender} {ctx.known().name}"


def _open(ctx: Context) -> Iterator[tuple[str, str]]:
    return ballots.open_motions(ctx.tx, ctx.game) if ctx.game is not None else iter(())
