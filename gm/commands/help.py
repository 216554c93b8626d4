"""HELP, RULES, GAME and END: how the server is used and games are played, and the commands about the mail itself."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

from gm.board import FiniteBoard, standard_board
from gm.commands.all_games import run_by
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Sentences, Syntax
from gm.errors import NotNow, NotUnderstood
from gm.games.snapshot import Game
from gm.maps.scene import on_sheet
from gm.orders.notation import short
from gm.parsing.questions import clauses, meaning_asked
from gm.parsing.sayings import RULING, powers_in
from gm.play.briefs import help_on, paragraphs_on, rules_of, term_on, topics_of
from gm.play.seats import how_to_join, is_full, open_by, players, seats_taken
from gm.reports import behind_colon, wrap
from gm.reports.answers import HelpListing, Welcome
from gm.reports.blocks import Block, Names, Paragraphs, Passage
from gm.reports.bulletins import gazetteer
from gm.reports.reader import Offer, offered
from gm.store import people
from gm.store.game_rows import GameState, SeatRole
from gm.variants import Variant, all_variants, find

_MASTERS = ("GM", "MASTER", "GAMEMASTER")


def act_help(ctx: Context, args: Mapping[str, Any]) -> None:
    """Answer with one topic or with the list of all."""
    word = (args["topic"] or "").upper()
    own = _own_topics(ctx)
    if not word and plays_nothing(ctx):
        ctx.give(welcome(ctx))
    elif not word:
        ctx.give(HelpListing(_subjects(ctx, own), _now(ctx), _examples(ctx)))
    elif word == "COMMANDS":
        ctx.give(HelpListing(_listing(ctx, own)))
    elif word in _MASTERS:
        masters = tuple(_line(command) for command in ctx.commands.values() if command.for_masters)
        ctx.give(HelpListing(masters))
    elif RULING.fullmatch(word):
        _show_ruling(ctx, word)
    elif word in _PLACES:
        ctx.show(f"Help: {word}", _places(ctx.game))
    elif word in own:
        ctx.show(f"Help: {word}", own[word].partition("\n")[2])
    elif (command := _command(ctx, word)) is not None:
        _explain(ctx, command)
    elif here := ctx.commands.translated(word):
        ctx.show(f"Help: {word}", wrap(f"{word} is a command of other servers. {here}"))
    else:
        _show_what_speaks_of(ctx, word, own)


def _show_ruling(ctx: Context, ruling: str) -> None:
    """Answer with what the rules of the seat's game say about a ruling; where they do not have it, with what those of
    other games do, each under its title. Raises NotUnderstood for one that no rules have.
    """
    here = paragraphs_on(ruling, ctx.game.variant) if ctx.game is not None else ()
    found = here or tuple(
        paragraph
        for game in all_variants().values()
        if (said := paragraphs_on(ruling, game))
        for paragraph in (game.title, *said)
    )
    if not found:
        raise NotUnderstood(f"No rules have a ruling {ruling}.", "RULES sends the rules of your game.")
    shown = "\n".join(part.text for part in ctx.answer.parts if isinstance(part, Passage))
    if new := [one for one in found if one not in shown]:  # those of two rulings may be one
        ctx.show(f"Ruling {ruling}", "\n\n".join(new))


_PLACES = ("PROVINCES", "PLACES", "NAMES", "MAP NAMES")
_MOST_GAMES = 5


def _places(game: Game | None) -> list[Block]:
    """The codes and the names of the provinces, by code; without a game those of Diplomacy."""
    board: FiniteBoard = game.lexicon.board if game is not None else standard_board()
    coasts = [short(coast) for each in board.provinces for coast in board.coasts(each) if "/" in coast]
    fleets = [f"Fleets on a coast: {', '.join(coasts)}."] if coasts else []
    picture = ["MAP NAMES sends a picture with all names."] if on_sheet(board) else []
    below = tuple(fleets + picture)
    return [Names(tuple(gazetteer(board))), *([Paragraphs(below)] if below else [])]


def plays_nothing(ctx: Context) -> bool:
    """Whether the mail is from somebody without a seat in any game."""
    return ctx.seat is None and not ctx.tx.games_of(ctx.person)


def welcome(ctx: Context) -> Welcome:
    """For people who play no game: what to do, and the games that they can join."""
    found = ways_in(ctx)[:_MOST_GAMES]
    joins = [(way, about) for way, about, _ in found]
    more = [
        WHAT_IT_IS,
        ("PRACTICE", "a game of your own against the program, which answers at once: to learn it in ten minutes"),
    ]
    more += [("LIST OPEN", "all games with a free seat"), ("HELP COMMANDS", "everything that you can write")]
    more[1:1] = [(f"RULES {found[0][2].name}", "how this game is played")] if found else []
    return Welcome(offered(ctx.reader(), joins), offered(ctx.reader(), more))


WHAT_IT_IS = "HELP DIPLOMACY", "what Diplomacy is, on a page: for newcomers"


def ways_in(ctx: Context, *, named: bool = False) -> list[tuple[str, str, Game]]:
    """The games that the actor can join, and does not run: how, what they are, and the game; first those that the mail
    names (or only these), and those they are invited to.
    """
    text = ctx.mail.message.text if ctx.mail is not None else ""
    words = set(re.findall(r"[\w-]+", text.lower()))
    own = {game.id for game, _ in run_by(ctx)} if ctx.runs_games else set[int]()
    forming = [game for game in ctx.tx.games_in(GameState.FORMING) if game.playable and not is_full(game)]
    wanted = [game for game in forming if (game.name in words or not named) and game.id not in own]
    invited = people.invitations_to(ctx.tx.session, ctx.addresses, [game.id for game in wanted])
    first = sorted(wanted, key=lambda game: (game.name not in words, game.id not in invited))
    ways = ((how_to_join(one, invited[one.id]) if one.id in invited else open_by(one), one) for one in first)
    found = ((way, game) for way, game in ways if way)
    return [(_as_wished(text, way, game), _about(game, invited=game.id in invited), game) for way, game in found]


def _as_wished(text: str, way: str, game: Game) -> str:
    """How to join, with the power that the mail names first, if it names one: `I'd like to play England`. Where players
    name their own, that is the last name in a line that names the game.
    """
    if " AS " in way:
        return way
    wish = next((power for power in powers_in(text, game.lexicon) if power in game.variant.seating.powers), "")
    if game.variant.seating.name is not None:
        line = next((line for line in text.split("\n") if game.name in line.lower()), "")
        known = {game.name, *game.variant.title.lower().split()}
        wish = next((one for one in reversed(_NAME.findall(line)) if one.lower() not in known), "")
    return f"{way} AS {wish}" if wish else way


_NAME = re.compile(r"(?<=[^\W_][ ,:])(?<!\bI )\s*\b([A-ZÄÖÜÉÈ][^\W\d_]{2,})\b")


def _about(game: Game, *, invited: bool) -> str:
    you = "you are invited; " if invited else ""
    return f"{you}{game.variant.title}; {seats_taken(game)}"


def _now(ctx: Context) -> tuple[Offer, ...]:
    """What is likely to be of use to the sender now, at this seat or without one."""
    game, seat = ctx.game, ctx.seat
    if game is None or seat is None:
        lines = [("WHOAMI", "your games, and the addresses of your seats"), ("LIST OPEN", "all games with a free seat")]
    elif game.over:
        lines = [("SUMMARY", "how the game went")]
    elif seat.role is SeatRole.MASTER:
        lines = _for_master(game)
    elif not game.running:
        lines = [WHAT_IT_IS, ("STATUS", "who has joined, and the terms of the game")]
    else:
        orders = [("MY ORDERS", "your orders in force")] if seat.power is not None else []
        names = ("HELP PROVINCES", "the names and codes on the map")
        lines = [*orders, ("STATUS", "who plays, and when the deadline is"), names, WHAT_IT_IS]
    return offered(ctx.reader(), lines)


def _for_master(game: Game) -> list[tuple[str, str]]:
    if game.options.sandbox:
        return [("MAP ORDERS", "the orders that you have sent, drawn"), ("HELP SANDBOX", "what you can do with it")]
    if game.running:
        return [("DASHBOARD", "whose orders are in, and who answers"), ("EXTEND 24h", "a later deadline")]
    if len(game.held) < game.variant.seating.fewest:
        return [("STATUS", seats_taken(game)), ("HELP INVITE", "how to invite players")]
    return [("START", "begin the game: all seats that it needs are taken")]


def _subjects(ctx: Context, own: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The commands by what people want to do: for a gamemaster all, for others those that concern them."""
    master = _is_master(ctx)
    shown = {
        subject: [each.title for each in commands if _concerns(ctx, each)]
        for subject, commands in ctx.commands.by_subject.items()
    }
    of_all = [name for name in topics_of(None) if name in own]
    shown[_OF_ALL] = [*shown.get(_OF_ALL, ()), *of_all]
    shown["This game"] = [name for name in own if name not in of_all]
    listing = tuple((subject, ", ".join(titles)) for subject, titles in shown.items() if titles)
    return listing if master else (*listing, ("HELP GM", "the commands of gamemasters"))


_OF_ALL = "How it works"
"""The subject of the topics that are no commands and concern all games."""
_ORDERS = (("A PAR-BUR", "a move"), ("A MAR S A PAR-BUR", "support for it"), ("F NTH C A LON-NWY", "a convoy"))


def _examples(ctx: Context) -> tuple[tuple[str, str], ...]:
    """Orders as examples, where the board has their places."""
    usual = ctx.game is None or ctx.game.lexicon.board.provinces == standard_board().provinces
    return _ORDERS if usual else ()


def _concerns(ctx: Context, command: Command) -> bool:
    if ctx.game is not None and not command.policy.serves(ctx.game):
        return False
    return command.is_open_to(ctx.seat) or not command.for_masters or command.help.for_all


def _is_master(ctx: Context) -> bool:
    return ctx.at_chair


def _listing(ctx: Context, own: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The topics with a line on each: all topics for a gamemaster, for others those that concern them."""
    master = _is_master(ctx)
    shown = [command for command in ctx.commands.values() if _concerns(ctx, command)]
    listing = [_line(command) for command in shown] + [(name, text.partition("\n")[0]) for name, text in own.items()]
    return tuple(listing if master else [*listing, ("HELP GM", "the commands of gamemasters")])


def _line(command: Command) -> tuple[str, str]:
    return command.title, command.help.summary


def _command(ctx: Context, word: str) -> Command | None:
    """The command with this word, in any of its spellings; of several words the first will do, unless they are another
    server's command.
    """
    first, _, more = word.partition(" ")
    if more and ctx.commands.translated(word) != ctx.commands.translated(first):
        return None
    for said in (word, first):
        if (name := ctx.commands.reader.named(said.lower())) is not None:
            return ctx.commands[name]
    return next((command for command in ctx.commands.values() if word in command.help.words), None)


def _explain(ctx: Context, command: Command) -> None:
    if command.name == "houserules" and ctx.game is not None:
        ctx.say(f"House rules of {ctx.game.name} now:{behind_colon(ctx.game.house_rules or 'none')}")
    ctx.show(f"Help: {command.title.upper()}", _text_of(ctx, command))


def _text_of(ctx: Context, command: Command) -> str:
    """How the command is written and what it does, in this seat's game."""
    usage = "\n".join(f"    {line}" for line in command.syntax.usage)
    return "\n\n".join(filter(None, (usage, command.help.text, command.help.more(), _of_this_game(ctx, command.name))))


def _show_what_speaks_of(ctx: Context, word: str, own: Mapping[str, str]) -> None:
    """Answer about words that are no topic: with what they mean, if they are a term; with the one command that is for
    it, as its line in the list of all says; with how orders are written, if that speaks of it, else with a list of all
    that does. Raises NotUnderstood if nothing does.
    """
    if said := term_on(word):
        _show_term(ctx, word, said)
        return
    if game := _of_a_game(word.lower()):
        hint = f"RULES {game.name} tells the rules of {game.title}; HELP at a seat of it has its own topics."
        raise NotUnderstood(f"There is no help on '{word.lower()}'.", hint)
    rules = rules_of(ctx.game.variant) if ctx.game is not None else None
    shown = [each for each in ctx.commands.values() if _concerns(ctx, each)]
    for_it = [each for each in shown if _speaks_of(word, " ".join(_line(each)), ends="s?\\b")]
    if len(for_it) == 1:
        _explain(ctx, for_it[0])
        return
    found = dict(_line(each) for each in shown if _speaks_of(word, _text_of(ctx, each)))
    found |= {name: text.partition("\n")[0] for name, text in own.items() if _speaks_of(word, text)}
    if rules is not None and _speaks_of(word, rules):
        found["RULES"] = "the rules of this game"
    if len(word) < _SHORTEST or not found:
        near = difflib.get_close_matches(word, (*ctx.commands.by_title, *own), n=1)
        hint = f"Did you mean HELP {near[0]}?" if near else "HELP COMMANDS lists all topics."
        raise NotUnderstood(f"There is no help on '{word.lower()}'.", hint)
    if (orders := ctx.commands["orders"]).title in found:
        _explain(ctx, orders)
    else:
        ctx.give(HelpListing(tuple(found.items())))


def _speaks_of(word: str, text: str, ends: str = "") -> bool:
    """Whether a text has each of these words, with any ending if none is given."""
    stems = (re.escape(one.removesuffix("S")) for one in word.split())
    return all(re.search(rf"\b{stem}{ends}", text, re.IGNORECASE) for stem in stems)


_SHORTEST = 4
"""The fewest letters of a word that texts are searched for."""


def _of_a_game(word: str) -> Variant | None:
    """The variant that has this name, or a topic or a secret power of its own with it."""
    for game in all_variants().values():
        powers = {name.removeprefix("the ").lower() for name in game.seating.secret}
        if word in {game.name, *powers} or (word.isalpha() and help_on(word, game)):
            return game
    return None


def _of_this_game(ctx: Context, topic: str) -> str:
    return help_on(topic, ctx.game.variant) if ctx.game is not None else ""


def _own_topics(ctx: Context) -> dict[str, str]:
    """Topics that are no commands, with their texts, whose first lines are their summaries in the list."""
    found = topics_of(ctx.game.variant if ctx.game is not None else None)
    return {name: text for name, text in found.items() if name.lower() not in ctx.commands}


def _show_term(ctx: Context, word: str, said: str) -> None:
    """Answer with what a term means, and where to read on."""
    orders = ctx.commands["orders"]
    more = " HELP ORDERS shows how it is written." if _speaks_of(word, _text_of(ctx, orders)) else ""
    ctx.show(f"Help: {word}", f"{said}\n\n{wrap(f'HELP TERMS explains the other words.{more}')}")


def explained(ctx: Context, text: str) -> str:
    """The term or the topic without a command of which a question asks what it is; "" if it asks for nothing such."""
    found = meaning_asked(next(iter(clauses(text)), text))
    return found.upper() if term_on(found) or found.upper() in _own_topics(ctx) else ""


HELP = Command(
    "help",
    Syntax("HELP [topic:TOPIC]", synonyms=("?",), asks=True, sentences=Sentences.RARE, name_words=2),
    Policy(),
    act_help,
    Help(
        "explain the commands",
        """
        HELP ORDERS shows how orders are written, HELP PROVINCES the names and
        codes on the map; HELP COMMANDS lists all commands with a line on each,
        HELP GM those of gamemasters. Of people who play no game, HELP explains
        how one plays by mail.

        To confirm what the server asks, reply to its question with YES or NO,
        or tap its link. Yes is also yep, ok, okay, confirm, confirmed, ja, oui,
        sí, sì and sim; beside it only a greeting, thanks and your name may
        stand. Words that mean something else in another language, such as tak,
        y and si, do not count.
        """,
        words=("YES", "NO", "CONFIRM"),
    ),
)


def act_rules(ctx: Context, args: Mapping[str, Any]) -> None:
    """Answer with the rules of this seat's game, of the game named, or of a variant."""
    word = (args["game"] or "").lower()
    games = all_variants()
    if RULING.fullmatch(word.upper()):
        _show_ruling(ctx, word.upper())
        return
    if word and (meant := find(word)) is not None:
        game = _by_the_rulebook_here(ctx, meant)
    elif word or ctx.game is not None:
        try:
            game = ctx.public_game(word or None).variant
        except NotUnderstood:
            raise NotUnderstood(
                f"There is no game '{args['game']}'.", f"Write RULES and one of: {', '.join(games)}."
            ) from None
    else:
        raise NotUnderstood("RULES of which game?", f"Write RULES and one of: {', '.join(games)}.")
    text = rules_of(game)
    if text is None:
        raise NotNow(
            f"The rules of {game.title} are not available here.", "RULES standard sends the rules it is based on."
        )
    ctx.show(f"The rules of {game.title}", text)


def _by_the_rulebook_here(ctx: Context, asked: Variant) -> Variant:
    """The usual rules as they hold in the seat's game, if that is played by them; any other game as it is."""
    here = ctx.game.variant if ctx.game is not None else None
    return asked.with_rulebook(here.rulebook) if asked.name == "standard" and here and here.any_rulebook else asked


RULES = Command(
    "rules",
    Syntax("RULES [game:NAME]", asks=True, sentence_words=frozenset(("the", "of"))),
    Policy(),
    act_rules,
    Help(
        "send the rules of a game",
        """
        RULES alone sends those of your game; RULES standard those of Diplomacy;
        RULES OS-5 what they say of a ruling.
        """,
        words=("VARIANT", "VARIANTS"),
        more=lambda: (
            "The games, and how many play them:\n\n"
            + "\n".join(
                f"    {game.name}  {game.title}, {players(game.seating)} players" for game in all_variants().values()
            )
            + "\n\nCREATE, a name of your own, and variant= with one of these create one."
        ),
    ),
)


# ---- the mail itself


def act_game(ctx: Context, args: Mapping[str, Any]) -> None:
    """Choose the game that the lines below are about. In mail to a seat those for other games are left out before."""
    game = ctx.public_game(args["game"])
    if ctx.seat is None:
        ctx.about = game


def act_end(ctx: Context, args: Mapping[str, Any]) -> None:
    """Do nothing: the mail is not parsed any further."""
    del ctx, args


GAME = Command(
    "game",
    Syntax("GAME game:GAME", ("GAME name",), sentences=Sentences.RARE, ends_orders=True),
    Policy(),
    act_game,
    Help(
        "name the game that the lines below it are about",
        """
        One mail can be for several of your games, at any address of yours or
        the server's own: what is below GAME and a name goes to your seat
        there, which answers; [spring] or spring: EXTEND 24h does the same, and
        so does the name within a command, as in PAUSE spring. Several names,
        as in GAME spring, duel, are for each of them. In
        the answer to a digest the name alone will do, and what is below a line
        that is not understood as a name is asked about.
        """,
    ),
)
END = Command(
    "end",
    Syntax("END", synonyms=("sign off",), sentences=Sentences.UNLESS_EXACT, ends_mail=True),
    Policy(),
    act_end,
    Help("end the mail", "Nothing below it is acted on. SIGNOFF means the same."),
)
