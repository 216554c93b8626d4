"""ALL GAMES: one command in all games that its sender runs; it says in which of them it could not be done."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from gm.commands.context import Answer, Context
from gm.commands.declaration import About, Command, Help, Policy, Sentences, Syntax, Who
from gm.errors import GmError, NotNow, NotUnderstood, Temporary
from gm.games.snapshot import Game, Seat
from gm.parsing.command_lines import CommandReader
from gm.parsing.lists import names_in
from gm.parsing.message import Below
from gm.reports import listed
from gm.reports.answers import RefusedLine
from gm.store.game_rows import GameState

_BUT = re.compile(r"\s*+(?:but|except|without)(?:\s+for)?\s+", re.IGNORECASE)
_FORM = "Write ALL GAMES: EXTEND 72h, or ALL GAMES spring, autumn: EXTEND 72h."


def run_by(ctx: Context, *, lock: bool = False) -> list[tuple[Game, Seat]]:
    """The games of the sender's that are not over and that they run, each with their gamemaster's seat."""
    every = ctx.tx.games_of(ctx.known(), GameState.FORMING, GameState.RUNNING, lock=lock)
    games = sorted((game for game in every if game.playable and not game.options.private), key=lambda game: game.name)
    return [(game, seat) for game in games for seat in game.moderators if seat.is_of(ctx.person)]


def act_all_games(ctx: Context, args: Mapping[str, Any]) -> None:
    """Carry out the command in each game, completely or not at all; the same refusal of several is said once."""
    mine = run_by(ctx, lock=True)
    over = [game.name for game in ctx.tx.games_of(ctx.known(), GameState.FINISHED, GameState.ABORTED)]
    names, line = named_before(str(args["line"]), [game.name for game, _ in mine], over, ctx.commands.reader)
    if not mine:
        raise NotNow("You are not the gamemaster of any game that is not over.", "HELP CREATE says how to make one.")
    below: Below = args.get("below", ())
    spelled = () if line == args["line"].strip() or _BUT.match(args["line"]) else names  # it is for these by name
    if _check(ctx, line, names).says_why:
        ctx.why = ""  # each game is told
    refused: dict[tuple[str, str], list[str]] = {}
    for game, seat in mine:
        name = {"game": game.name} if game.name in spelled else {}
        if game.name in names and (error := _in_one(ctx, ctx.tx.newest(game), seat, line, below, name)) is not None:
            refused.setdefault(_of_any(error, game), []).append(game.name)
    for (problem, remedy), where in refused.items():
        ctx.refuse([RefusedLine(0, f"{', '.join(where)}: {line}", problem, remedy)])


def named_before(
    text: str, every: Sequence[str], over: Sequence[str], reader: CommandReader
) -> tuple[Sequence[str], str]:
    """The games that are named before a colon, all `but` those, some of which may be `over`, or every one where nothing
    stands there; and the command, which may have a colon of its own. Raises NotUnderstood for a game that is none of
    these.
    """
    head, colon, line = text.partition(":")
    but = _BUT.match(f"{head} ")
    if but is None and (not colon or reader.name_of(text.strip()) is not None):
        return every, text.strip()
    named = [name.lower() for part in names_in(head[but.end() if but else 0 :]) for name in part.split()]
    names = named if but is None else [name for name in named if name not in over or name in every]
    unknown = [name for name in names if name not in every]
    if unknown or not named or not colon:
        raise NotUnderstood(*_unknown(unknown, every))
    return names if but is None else [name for name in every if name not in names], line.strip()


def _unknown(unknown: Sequence[str], every: Sequence[str]) -> tuple[str, str]:
    """What is wrong with a list of games of which these are unknown, or that names none; and what would be right."""
    runs = f"You run {listed(every)}. {_FORM}"
    if not unknown:
        return "No game is named before the colon.", runs
    near = get_close_matches(unknown[0], every, 1)
    meant = f"Did you mean {near[0]}? " if near and len(unknown) == 1 else ""
    quoted = listed([f"'{name}'" for name in unknown])
    return f"You run no game {quoted} that is not over.", f"{meant}{runs}"


def _check(ctx: Context, line: str, names: Sequence[str]) -> Command:
    """The command of a line. Raises NotUnderstood for one that is none on one line for the game where it is given."""
    try:
        call = ctx.commands.reader.read(line, None)
    except NotUnderstood as error:
        raise NotUnderstood(error.problem, error.remedy) from None  # its column is that of the inner line
    name = ctx.commands.reader.name_of(line)
    command = ctx.commands[name] if name is not None else None
    if command is not None and command.syntax.below is not None:
        one, several = next(iter(names), "spring"), ", ".join(names)
        each = f"GAME {several} for all of these, or GAME {one} for one" if len(names) > 1 else f"GAME {one}"
        how = f"Write a line {each}, and below it {command.syntax.written}."
        raise NotUnderstood(f"{command.title} has lines below it, and ALL GAMES takes one line. Nothing was done.", how)
    of_game = call is not None and "game" in call.args and call.args["game"] is None
    if command is None or call is None or not (command.policy.needs_seat or of_game):
        how = "It can be any command of one line for one game; what has lines below it goes below GAME spring, autumn."
        raise NotUnderstood(f"'{line}' is not a command for several games.", f"{_FORM} {how}")
    return command


def _of_any(error: GmError, game: Game) -> tuple[str, str]:
    """What an error says, in words that are the same for every game."""
    own = re.compile(rf"(?:the game )?(?<![\w-]){re.escape(game.name)}(?![\w-])", re.IGNORECASE)
    problem = own.sub("it", error.problem)
    begins = re.compile(rf"(?:^|(?<=[.!?] )){own.pattern}", re.IGNORECASE)
    return problem[:1].upper() + problem[1:], own.sub("game", begins.sub("It", error.remedy))


def _in_one(ctx: Context, game: Game, seat: Seat, line: str, below: Below, name: Mapping[str, str]) -> GmError | None:
    """Carry the line out in a game, with its name where that was written. Returns why it could not be."""
    acting = replace(ctx, actor=seat, about=game, answer=Answer())
    try:
        with ctx.tx.attempt():
            call = ctx.commands.reader.read(line, game.lexicon_of(seat))
            assert call is not None
            own = {key: name.get(key) if value is None else value for key, value in call.args.items()}
            ctx.commands[call.name].run(acting, {**own, "below": below})
    except Temporary:
        raise
    except GmError as error:
        return error
    if acting.answer.done or not acting.answer.parts:
        ctx.say(f"{game.name}: {' '.join(acting.answer.done)}".strip())
    for part in acting.answer.parts:
        ctx.give(part)
    ctx.bring(*acting.answer.brings)
    return None


ALL_GAMES = Command(
    "allgames",
    Syntax(
        "ALL GAMES line:WORDS",
        ("ALL GAMES: EXTEND 72h", "ALL GAMES spring, autumn: PAUSE"),
        sentences=Sentences.RARE,
        sentence_words=frozenset(
            ("until", "on", "before", "after", "for", "from", "no", "by", "to", "but", "as", "with", "without")
        ),
    ),
    Policy(Who.REGISTERED, cost=5, about=(About.EVERYWHERE,)),
    act_all_games,
    Help(
        "do something in all games that you run",
        """
        Write any command of one line for one game behind it, such as EXTEND,
        SET, START or LOG, at any address of ours. It is carried out in each of
        your games, or in those that you name before a colon, or in all others:
        ALL GAMES BUT spring: EXTEND 72h. The answer says in which it could not
        be done, and why. A line BECAUSE and the reason below it tells the
        players of each. What has other lines below it, such as OFFICIAL, may
        stand there, too, or below GAME spring, autumn.
        """,
        for_masters=True,
    ),
)
