"""A command as one value: what its form is compiled to, who may give it, and when."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gm.board import Power
from gm.commands.context import Context, Operator
from gm.commands.declaration import Command, Commands, Consent, Help, Policy, Sentences, Stage, Syntax, Who
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games.snapshot import Seat
from gm.parsing.command_syntax import command_parser
from gm.store.game_rows import GameState, SeatRole
from tests.games.people import NOW, person, running
from tests.parsing.names import LEXICON


def hail(ctx: Context, args: Any) -> None:
    ctx.say(f"Hail {args['power']}.")


PING = Command(
    "ping",
    Syntax("PING [power:POWER]", synonyms=("hail to",), elsewhere=("greet",)),
    Policy(Who.PLAYER, Stage.RUNNING, consent=Consent.IRREVOCABLE),
    hail,
    Help("say hello", "To nobody, or to a power."),
)


@pytest.mark.parametrize("line", ["PING France", "ping france, please", "Hail to the French".replace("the ", "")])
def test_a_declaration_is_all_that_the_reader_needs(line: str) -> None:
    call = Commands({"": [PING]}).reader.read(line, LEXICON)
    assert call is not None
    assert (call.name, dict(call.args)) == ("ping", {"power": "France"})


@pytest.mark.parametrize(
    ("line", "remedy"),
    [("PIGN France", "Did you mean PING? It is written: PING, or PING power."), ("GREET France", "Did you mean PING?")],
)
def test_its_complaints_follow_from_it(line: str, remedy: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        Commands({"": [PING]}).reader.read(line, LEXICON)
    assert remedy in caught.value.remedy


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("PING", ("PING",)),
        ("PING game:GAME [AS power:POWER]", ("PING game", "PING game AS power")),
        ("PING (ALL) [game:GAME] [words:WORDS]", ("PING", "PING words", "PING game", "PING game words")),
        ("PING | PING off:OFF|NO | PING TO|FOR game,power:SEAT", ("PING", "PING OFF", "PING TO power")),
        ("PING PONG power:POWER", ("PING PONG power",)),
    ],
)
def test_a_form_shows_how_it_is_written(form: str, shown: tuple[str, ...]) -> None:
    assert Syntax(form).shown == shown
    assert Syntax(form).written == ", or ".join(shown)


@pytest.mark.parametrize("form", ["PING power", "PING <power:POWER>", "PING power:NOTHING_OF_THE_KIND:"])
def test_what_is_no_form_is_refused_when_the_parser_is_built(form: str) -> None:
    with pytest.raises(ValueError, match="nothing that a command's form can have"):
        command_parser({"ping": Syntax(form)})


def test_the_column_of_a_mistake_is_that_of_the_line() -> None:
    ping = Command("ping", Syntax("PING game:GAME [AS power:POWER]"), Policy(), hail, PING.help)
    reader = Commands({"": [ping]}).reader
    with pytest.raises(NotUnderstood) as caught:
        reader.read("  PING spring nobody", LEXICON)
    assert caught.value.column == 15


@pytest.mark.parametrize(
    ("sentences", "line", "read"),
    [
        (Sentences.RARE, "ping it", None),
        (Sentences.RARE, "ping now", "a command"),
        (Sentences.RARE, "PING it", "a command"),
        (Sentences.COMMON, "ping now", None),
        (Sentences.COMMON, "ping one two three four five six seven eight", None),
        (Sentences.COMMON, "ping france", "a command"),
        (Sentences.COMMON, "PING now", "a command"),
        (Sentences.UNLESS_WHOLE, "ping nine", None),
        (Sentences.UNLESS_WHOLE, "PING nine", "a mistake"),
        (Sentences.UNLESS_EXACT, "PING nine", None),
    ],
)
def test_a_command_line_is_distinguished_from_a_sentence(sentences: Sentences, line: str, read: str | None) -> None:
    free = sentences in (Sentences.RARE, Sentences.COMMON)
    syntax = Syntax("PING words:WORDS" if free else "PING", sentences=sentences)
    reader = Commands({"": [Command("ping", syntax, Policy(), hail, PING.help)]}).reader
    if read == "a mistake":
        with pytest.raises(NotUnderstood):
            reader.read(line, LEXICON)
    else:
        assert (reader.read(line, LEXICON) is not None) is (read is not None)


def context(role: SeatRole | None, state: GameState = GameState.RUNNING, *, plays: bool = False) -> Context:
    """A mail to a seat with this role; None: to the server, from a stranger."""
    ann, ben = person(1, "Ann"), person(2, "Ben")
    players = (Seat(2, SeatRole.PLAYER, Power("France"), ann if plays else ben),)
    game = replace(running(), state=state)
    seat = Seat(1, role, person=ann) if role is not None else None
    game = replace(game, seats=players if seat is None else (seat, *players))
    tx: Any = SimpleNamespace(newest=lambda game: game, games_of=lambda _: [], now=NOW)
    return Context(
        tx, Operator("test"), "ann@example.org", Commands({"": [PING]}), seat, game if seat is not None else None
    )


PLAYER, MASTER, OBSERVER = SeatRole.PLAYER, SeatRole.MASTER, SeatRole.OBSERVER


@pytest.mark.parametrize(
    ("who", "permitted"),
    [
        (Who.ANYBODY, {None, PLAYER, MASTER, OBSERVER}),
        (Who.REGISTERED, {PLAYER, MASTER, OBSERVER}),
        (Who.PERSON, {PLAYER, MASTER, OBSERVER}),
        (Who.SEATED, {PLAYER, MASTER, OBSERVER}),
        (Who.PARTICIPANT, {PLAYER, MASTER}),
        (Who.PLAYER, {PLAYER}),
        (Who.MASTER, {MASTER}),
        (Who.NEUTRAL_MASTER, {MASTER}),
    ],
)
def test_who_may_give_it(who: Who, permitted: set[SeatRole | None]) -> None:
    for role in (None, PLAYER, MASTER, OBSERVER):
        ctx = context(role)
        if role in permitted:
            Policy(who).check(ctx, None)
        else:
            with pytest.raises(NotPermitted):
                Policy(who).check(ctx, None)


def test_a_gamemaster_who_plays_is_not_neutral() -> None:
    Policy(Who.MASTER).check(context(MASTER, plays=True), None)
    with pytest.raises(NotPermitted, match="You play in this game"):
        Policy(Who.NEUTRAL_MASTER).check(context(MASTER, plays=True), None)


def test_the_name_of_another_game_is_refused() -> None:
    Policy(Who.PLAYER).check(context(PLAYER), "Spring")
    ctx = context(PLAYER)
    with pytest.raises(NotPermitted, match="not in 'autumn'"):
        Policy(Who.PLAYER).check(ctx, "autumn")


@pytest.mark.parametrize(
    ("stage", "states"),
    [
        (Stage.ANY, set(GameState)),
        (Stage.UNDER_WAY, {GameState.FORMING, GameState.RUNNING}),
        (Stage.RUNNING, {GameState.RUNNING}),
    ],
)
def test_when_it_may_be_given(stage: Stage, states: set[GameState]) -> None:
    for state in GameState:
        if state in states:
            Policy(Who.PLAYER, stage).check(context(PLAYER, state), None)
        else:
            with pytest.raises(NotNow):
                Policy(Who.PLAYER, stage).check(context(PLAYER, state), None)


def test_it_is_carried_out_for_those_who_may_only() -> None:
    ctx = context(PLAYER)
    PING.run(ctx, {"power": "France"})
    assert ctx.answer.done == ("Hail France.",)
    with pytest.raises(NotPermitted):
        PING.run(context(OBSERVER), {"power": "France"})
