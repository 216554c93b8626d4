"""HELP, RULES, GAME and END: how the server is used and games are played, and the commands about the mail itself."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from gm import folder
from gm.board import Location
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Sentences, Syntax
from gm.errors import NotNow, NotUnderstood
from gm.games.seats import open_by, seats_taken
from gm.games.snapshot import Game
from gm.orders.notation import short
from gm.reports import WIDTH, wrap
from gm.reports.answers import HelpListing, Offer, Welcome
from gm.reports.reader import mailto
from gm.store.game_rows import GameState, SeatRole
from gm.variants import all_variants

_MASTERS = ("GM", "MASTER", "GAMEMASTER")


def act_help(ctx: Context, args: Mapping[str, Any]) -> None:
    """Answer with one topic or with the list of all."""
    word = (args["topic"] or "").upper()
    own = _own_topics(ctx)
    if not word and plays_nothing(ctx):
        ctx.give(welcome(ctx))
    elif not word:
        ctx.give(HelpListing(_subjects(ctx, own)))
    elif word == "COMMANDS":
        ctx.give(HelpListing(_listing(ctx, own)))
    elif word in _MASTERS:
        masters = tuple(_line(command) for command in ctx.commands.values() if command.for_masters)
        ctx.give(HelpListing(masters))
    elif word in _PLACES and ctx.game is not None:
        ctx.show(f"Help: {word}", _places(ctx.game))
    elif word in own:
        ctx.show(f"Help: {word}", own[word].partition("\n")[2])
    elif ctx.commands.reader.named(word.lower()) is None and (here := ctx.commands.translated(word)):
        ctx.show(f"Help: {word}", wrap(f"{word} is a command of other servers. {here}"))
    else:
        command = _topic(ctx, word, own)
        usage = "\n".join(f"    {line}" for line in command.syntax.usage)
        parts = (usage, command.help.text, _of_this_game(ctx, command.name))
        ctx.show(f"Help: {command.title.upper()}", "\n\n".join(filter(None, parts)))


_PLACES = ("PROVINCES", "PLACES", "NAMES")
_MOST_GAMES = 5


def _places(game: Game) -> str:
    """The names of the provinces and their codes, by name, in as many columns as the width holds."""
    board = game.lexicon.board
    cells = sorted((board.full_name(Location(each)), short(Location(each))) for each in board.provinces)
    width = max(len(name) for name, _ in cells) + 7
    across = max(1, (WIDTH + 2) // width)
    down = -(-len(cells) // across)
    rows = (cells[row::down] for row in range(down))
    listed = ("".join(f"{code:<5}{name:<{width - 5}}" for name, code in row).rstrip() for row in rows)
    coasts = [short(coast) for each in board.provinces for coast in board.coasts(each) if "/" in coast]
    return "\n".join((*listed, "", wrap(f"Fleets on a coast: {', '.join(coasts)}.") if coasts else ""))


def plays_nothing(ctx: Context) -> bool:
    """Whether the mail is from somebody without a seat in any game."""
    return ctx.seat is None and (ctx.person is None or not ctx.tx.games_of(ctx.person))


def welcome(ctx: Context) -> Welcome:
    """For people who play no game: what to do, and the games that they can join."""
    reader = ctx.reader()
    forming = [game for game in ctx.tx.games_in(GameState.FORMING) if open_by(game)]
    joins = [(open_by(game), f"{game.variant.title}; {seats_taken(game)}") for game in forming[:_MOST_GAMES]]
    first = forming[0].name if forming else ""
    more = [
        ("LIST", "all games"),
        (f"RULES {first}", "how this game is played") if first else ("HELP JOIN", "how one joins"),
        ("HELP COMMANDS", "everything that you can write"),
    ]
    games, others = (
        tuple(Offer(words, does, mailto(reader, words, f"{words}\n\n\n")) for words, does in offers)
        for offers in (joins, more)
    )
    return Welcome(games, others)


def _subjects(ctx: Context, own: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The commands by what people want to do: for a gamemaster all, for others those that concern them."""
    master = _is_master(ctx)
    shown = {
        subject: [each.title for each in commands if master or not each.for_masters or each.help.for_all]
        for subject, commands in ctx.commands.by_subject.items()
    } | {"This game": list(own)}
    listing = tuple((subject, ", ".join(titles)) for subject, titles in shown.items() if titles)
    return listing if master else (*listing, ("HELP GM", "the commands of gamemasters"))


def _is_master(ctx: Context) -> bool:
    return ctx.seat is not None and ctx.seat.role is SeatRole.MASTER


def _listing(ctx: Context, own: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The topics with a line on each: all topics for a gamemaster, for others those that concern them."""
    master = _is_master(ctx)
    shown = [command for command in ctx.commands.values() if master or not command.for_masters or command.help.for_all]
    listing = [_line(command) for command in shown] + [(name, text.partition("\n")[0]) for name, text in own.items()]
    return tuple(listing if master else [*listing, ("HELP GM", "the commands of gamemasters")])


def _line(command: Command) -> tuple[str, str]:
    return command.title, command.help.summary


def _topic(ctx: Context, word: str, own: Mapping[str, str]) -> Command:
    """The command with this word, in any of its spellings. Raises NotUnderstood."""
    if (name := ctx.commands.reader.named(word.lower())) is not None:
        return ctx.commands[name]
    found = next((command for command in ctx.commands.values() if word in command.help.words), None)
    if found is None:
        near = difflib.get_close_matches(word, (*ctx.commands.by_title, *own), n=1)
        hint = f"Did you mean HELP {near[0]}?" if near else "Write HELP to list all topics."
        raise NotUnderstood(f"There is no help on '{word.lower()}'.", hint)
    return found


def _of_this_game(ctx: Context, topic: str) -> str:
    """What the variant of this seat's game adds to a topic: `templates/help/<variant>/<topic>.txt`, if it exists."""
    if ctx.game is None:
        return ""
    path = folder("templates") / "help" / ctx.game.variant.name / f"{topic}.txt"
    return path.read_text(encoding="utf-8").rstrip() if path.exists() else ""


def _own_topics(ctx: Context) -> dict[str, str]:
    """Topics that only the variant of this seat's game has: the other files in its folder.

    The first line of a text is its summary in the list.
    """
    if ctx.game is None:
        return {}
    place = folder("templates") / "help" / ctx.game.variant.name
    texts = {path.stem.upper(): path for path in sorted(place.glob("*.txt"))}
    return {
        word: path.read_text(encoding="utf-8").rstrip()
        for word, path in texts.items()
        if word.lower() not in ctx.commands
    }


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
    if word in games:
        game = games[word]
    elif word or ctx.game is not None:
        try:
            game = ctx.public_game(word or None).variant
        except NotUnderstood:
            raise NotUnderstood(
                f"There is no game '{args['game']}'.", f"Write RULES and one of: {', '.join(games)}."
            ) from None
    else:
        raise NotUnderstood("RULES of which game?", f"Write RULES and one of: {', '.join(games)}.")
    texts = folder("templates") / "rules"
    path = texts / f"{game.name}.{game.edition}.txt"  # an edition that has been replaced
    path = path if path.is_file() else texts / f"{game.name}.txt"
    if not path.is_file():
        raise NotNow(
            f"The rules of {game.title} are not available here.", "RULES standard sends the rules it is based on."
        )
    ctx.show(f"The rules of {game.title}", path.read_text(encoding="utf-8"))


RULES = Command(
    "rules",
    Syntax("RULES [game:GAME]", asks=True),
    Policy(),
    act_rules,
    Help("send the rules of a game", "RULES alone sends those of your game; RULES standard those of Diplomacy."),
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
    Syntax("GAME game:GAME", ("GAME name",), sentences=Sentences.RARE),
    Policy(),
    act_game,
    Help(
        "name the game that the lines below it are about",
        """
        Needed only in mail to the server's own address and in one mail to
        several of your seats; lines for another game do not count at a seat.
        """,
    ),
)
END = Command(
    "end",
    Syntax("END", synonyms=("sign off",), sentences=Sentences.RARE, ends_mail=True),
    Policy(),
    act_end,
    Help("end the mail", "Nothing below it is acted on. SIGNOFF means the same."),
)
