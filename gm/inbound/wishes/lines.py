"""The line that does what a sentence wants at this seat, or at the server's address, with its places and days."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gm import patterns as re
from gm.board import Location
from gm.commands.context import Context
from gm.commands.help import explained, plays_nothing
from gm.games.snapshot import Game
from gm.inbound.facts import names_of_games, places_in
from gm.inbound.ordering import ordering_at
from gm.inbound.wishes.askable import (
    AT_A_SEAT,
    CHANGES,
    NO_ABSENCE,
    OF_A_GAME,
    OF_A_PERSON,
    OF_STRANGERS,
    SHOWS,
    WITHOUT,
)
from gm.inbound.wishes.guesses import (
    OF_A_LINE,
    OF_WRITER,
    absence_as_corrected,
    has_orders,
    message_in,
    powers_named,
    powers_of,
    rulings_in,
)
from gm.inbound.wishes.masters_wishes import OF_ALL, OF_PLAYERS, SOME_TIME_SAID, Proposal, line_of, title_of
from gm.inbound.wishes.masters_wishes import changes as does_more
from gm.inbound.wishes.said_of_turns import own_move_to
from gm.mail.message.voices import said_instead, takes_back
from gm.parsing.days import days_away
from gm.parsing.game_names import (
    games_in,
    plain,
    without_games,
)
from gm.parsing.likely_commands import time_in
from gm.parsing.meant_words import says
from gm.parsing.questions import (
    JOINT,
    Wanted,
    clauses,
    is_reason,
    meaning_asked,
    unframed,
    wants_to_know,
    without_reasons,
)
from gm.parsing.sayings import MASTERS
from gm.parsing.sentences import may_tell_time
from gm.parsing.several_lines import ALL
from gm.reports import listed
from gm.store.game_rows import GameState


def changes(ctx: Context, want: Wanted, text: str) -> bool:
    """Whether the line for it is only offered, since it does more than show something."""
    if has_parts(ctx, want):
        return does_more(line_for(ctx, want, text))
    if want is Wanted.CLEAR and not has_orders(ctx):
        return False
    return want in CHANGES and not line_for(ctx, want, text).startswith("HELP ")


SHORTEST = 2
"""So many words are a clause of its own."""


def line_for(ctx: Context, want: Wanted, text: str) -> str:
    """The line that does it here."""
    if want is Wanted.COMMAND:
        return f"HELP {topic_in(ctx, text, loud=False)}"
    if has_parts(ctx, want):
        return proposal_for(ctx, want, text).line
    if want is Wanted.ABSENCE:
        if TAKES_ABSENCE_BACK.search(text):
            return NO_ABSENCE
        days = absence_as_corrected(ctx, text) or days_away(text, ctx.now.date())
        return "HELP ABSENCE" if days is None else f"ABSENCE {days[0]:%Y-%m-%d} TO {days[1]:%Y-%m-%d}"
    if want is Wanted.RULES and (rulings := rulings_in(ctx, text)):
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


def _spoken_of(ctx: Context, text: str) -> str:
    """Which of the sender's games a text speaks of by its name or by what it is, `the fog game`, or as the other of
    two; "" if that is not certain.
    """
    games = [game for game in ctx.own_games if game.plays(ctx.person)]
    words = re.findall(r"[\w-]+", text.lower())
    named = [game.name for game in games if game.name in words or _is_called(game, words)]
    others = [game.name for game in games if game.name != ctx.game_name]
    if not named and len(games) == 1 + len(others) and len(others) == 1 and _THE_OTHER.search(text):
        return others[0]
    return named[0] if len(named) == 1 else ""


def _is_called(game: Game, words: Sequence[str]) -> bool:
    """Whether words call a game by what it is, `the Diplomacy game`."""
    kinds = {word.lower().rstrip("s") for word in re.findall(r"[^\W\d_]{4,}", game.variant.title)}
    return any(one.rstrip("s") in kinds and two in ("one", "game") for one, two in pairwise(words))


_THE_OTHER = re.compile(r"\b(?:the|my|this) other (?:one|game)\b", re.IGNORECASE)
TAKES_ABSENCE_BACK = re.compile(
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


def _usual_line(ctx: Context, want: Wanted) -> str:
    known = AT_A_SEAT if ctx.seat is not None else WITHOUT
    return CHANGES[want][0] if want in CHANGES else known.get(want) or SHOWS.get(want, "STATUS")


def _line_of_games(ctx: Context, want: Wanted, text: str) -> str:
    """The line for what is asked about the games of the server, or about one that is named; "" for other questions."""
    if want is Wanted.GAMES and not plays_nothing(ctx):
        return "LIST MINE" if _OWN_GAMES.search(text) else "LIST"
    if ctx.seat is None and want in OF_A_GAME and (named := _game_named(ctx, text) or game_of_mail(ctx)):
        return f"{OF_A_GAME[want]} {named}"
    return OF_STRANGERS.get(want, "") if ctx.seat is None and plays_nothing(ctx) else ""


_OWN_GAMES = re.compile(
    r"\b(?:my|our|meine?\w?|unsere?|mes|nos|mis|mie|(?:do|am|are|have) (?:i|we)|i(?:['\u2019]m| am| play)"
    r"|(?:spiele|bin|habe) ich|ich (?:spiele|bin)|je (?:joue|suis)|juego|gioco)\b",
    re.IGNORECASE,
)


def _clears(ctx: Context, text: str) -> str:
    """The line that deletes the one order of the asker's that a text names, never all; HELP if it names another number
    of them.
    """
    named = orders_named(ctx, text)
    return f"CLEAR {named[0]}" if len(named) == 1 else "HELP CLEAR"


def _names_orders(ctx: Context, text: str) -> bool:
    """Whether a text names some of the asker's orders: a place, or a kind of unit."""
    return bool(places_in(ctx, text) or (ctx.game is not None and kinds_said(ctx.game, text)))


def kinds_said(game: Game, text: str) -> list[str]:
    return [str(kind) for kind in game.lexicon.language.kinds.units if says(text, kind.word)]


def orders_named(ctx: Context, text: str) -> list[str]:
    """The orders in force of the asker's of which a text names all places, or else those that begin in one of them; if
    it names none, those for units of the kinds that it names.
    """
    ordering = ordering_at(ctx.game, ctx.seat)
    if ordering is None or ctx.game is None:
        return []
    if not places_in(ctx, text):
        kinds = kinds_said(ctx.game, text)
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


def proposal_for(ctx: Context, want: Wanted, text: str) -> Proposal:
    key = (want, text, ctx.seat and ctx.seat.id)
    return ctx.looks.once(ctx.game, key, OF_A_LINE, lambda: _proposed(ctx, want, text))


def _proposed(ctx: Context, want: Wanted, text: str) -> Proposal:
    games = games_in(text)
    text, words = message_in(ctx, text)
    if want is Wanted.GM_HOUSE_RULES and words and ctx.game is not None and ctx.game.house_rules and _ADDS.search(text):
        words = f"{ctx.game.house_rules}\n{words}"
    text, words = plain(without_games(text) if games else text), plain(words)
    named = powers_of(ctx, text)
    found = line_of(ctx, want, text, named, words, games)
    if does_more(found.line) and wants_to_know(text) and not (want is Wanted.GM_MUSTER and not _HOW.search(text)):
        return Proposal(f"HELP {title_of(want)}")
    wish = without_reasons(text)
    of_wish = powers_of(ctx, wish)
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


def as_corrected(ctx: Context, text: str) -> str:
    """A text without the powers, addresses and times that its writer says better further on: `give Italy, sorry,
    Austria two days, or rather three`.
    """
    for found in JOINT.finditer(text):
        before, after = text[: found.start()], text[found.end() :]
        said = len(before.split()) >= SHORTEST  # `no, make that Friday` corrects nothing that stands there
        if said and takes_back(after) and not any(map(is_reason, clauses(said_instead(after))[:1])):
            if SOME_TIME_SAID.search(time_in(after)):
                before = " ".join(one for one in before.split() if not may_tell_time(one.strip(".,;:!?").lower()))
            return f"{without_somebody(ctx, before, after)} {as_corrected(ctx, said_instead(after))}"
    return text


def without_somebody(ctx: Context, line: str, text: str) -> str:
    """A line without its powers, if a text names others, and without its addresses, if that has others."""
    powers = set(powers_of(ctx, line)) if powers_of(ctx, text) else set()
    return " ".join(word for word in line.split() if word not in powers and not ("@" in word and "@" in text))


def has_parts(ctx: Context, want: Wanted) -> bool:
    """Whether its line has parts of the sentence."""
    at_seat = ctx.seat is not None or want in OF_A_PERSON
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
