"""CREATE, START, SET and COMMENT: how gamemasters create, start and change games."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from gm.clock import dated, days_joined, parse_duration, parse_holidays, write_duration, write_spans
from gm.commands.context import Context
from gm.commands.declaration import About, Command, Consent, Help, Policy, Record, Sentences, Stage, Syntax, Who
from gm.commands.timing import set_back
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games.bounds import Bound
from gm.games.limits import Spent
from gm.games.snapshot import Game, Person
from gm.mail.message.addresses import RESERVED, longest_game_name
from gm.options import GameOptions, read_options
from gm.options.table import NONE, OPTIONS, OTHER_NAMES, choices_of, did_you_mean, known_options
from gm.parsing.command_syntax import single
from gm.parsing.sentences import options_listed
from gm.parsing.several_lines import recipients_named
from gm.play import admission, beginning, calendar, private_games, sight, standins
from gm.play.seats import players, seats_taken
from gm.reports import behind_colon
from gm.store import game_rows
from gm.store.game_rows import GameState, SeatRole
from gm.variants import all_variants

_NAME = re.compile(r"[a-z][a-z0-9-]*[a-z0-9]")


def act_create(ctx: Context, args: Mapping[str, Any]) -> None:
    """Create the game and the gamemaster's seat; the receipt contains the address of that seat."""
    name = str(args["game"]).lower()
    if not ctx.tx.identity.may_create(ctx.sender):
        raise NotPermitted(f"{ctx.sender} may not create games here.", "Ask the operator of this server.")
    longest = min(30, longest_game_name(ctx.tx.identity.address))
    taken = ctx.tx.game_named(name)
    hidden = taken is not None and not admission.may_know_of(ctx.tx, taken, ctx.person, ctx.sender)
    if not _NAME.fullmatch(name) or len(name) > longest or name in RESERVED or _is_of_own_games(name) or hidden:
        raise NotUnderstood(
            f"'{args['game']}' cannot be a game's name.",
            f"Choose another: 2 to {longest} letters, digits and hyphens, beginning with a letter.",
        )
    named = {"variant": args["variant"]} if args["variant"] else {}
    model = _model(ctx, args["like"])
    options = _options(ctx, model, _dated(ctx, single((*named.items(), *args["options"].items()))))
    account = ctx.registered()
    _may_run_another(ctx, account)
    game = ctx.tx.create_game(name, options)
    if game is None:
        raise NotNow(f"There is a game '{name}' already.", "Choose another name; LIST lists the games.")
    if _means_something(ctx, game):
        other = f"game-{name}"[:longest].rstrip("-")
        raise NotUnderstood(f"'{name}' has a meaning in commands.", f"Choose another name, such as {other}.")
    game, seat = ctx.tx.add_seat(game, SeatRole.MASTER, account)
    rules = model.house_rules if model is not None else None
    game = ctx.tx.fold(game, house_rules=rules) if rules else game
    ctx.sit_down(game, seat)
    address = ctx.tx.identity.address_of(game, seat)
    ctx.say(f"The game {name} ({options.variant.title}) is ready. You are its gamemaster.", first=True)
    ctx.answer = replace(ctx.answer, made=(*ctx.answer.made, name))
    ctx.say(f"Manage {name} by writing to your gamemaster's address: {address}")
    ctx.say(f"It is for {players(options.variant.seating)} players. To ask people, write INVITE and their addresses.")
    ctx.say(f"Others join by sending JOIN {name} to {ctx.tx.identity.address}.")
    ctx.say(f"When all have joined, START {name} begins it." if options.start == "gm" else beginning.when(game))
    _say_idle(ctx, options)
    ctx.say(f"Its main options: {', '.join(_shown(options, args['options']))}.")
    if model is not None and rules:
        ctx.say(f"Its house rules are those of {model.name}:{behind_colon(rules)}")
    ctx.offer_last(f"JOIN {name}", "play in it yourself")
    ctx.offer_last(f"STATUS {name}", "who has joined, and how it is played")
    ctx.offer_last("HELP CREATE", "all options")
    ctx.offer_last("HELP SET", "how to change them")
    ctx.note("create", options=dict(options.texts))


_MAIN = ("press", "move", "at", "early", "nmr")
"""The options that change most how a game is played."""


def _shown(options: GameOptions, given: Collection[str]) -> Iterator[str]:
    """The main options of a new game, those given, and whatever else is not as it would be without a word."""
    usual = read_options({"variant": options.texts["variant"]}).texts
    for key, text in options.chosen.items():
        if key != "variant" and (key in (*_MAIN, *given) or text != usual[key]):
            yield f"{key}={text}"


def _is_of_own_games(name: str) -> bool:
    """Whether it could be the name of a sandbox or practice game, of which others are not to know."""
    return name.partition("-")[0] in private_games.THINGS


def _means_something(ctx: Context, game: Game) -> bool:
    """Whether the name of a game could be read as something else: a command or a word of one, a recipient of press, a
    power, a phase, a time, or one of the kinds of games.
    """
    name, reader = game.name, ctx.commands.reader
    words = {word for command in ctx.commands.values() for word in command.syntax.keywords}
    if name in (*words, *NONE, *all_variants()) or reader.named(name) is not None:
        return True
    read = (reader.read(line, game.lexicon) for line in (f"HISTORY {name}", f"DEADLINE {name} 24h"))
    return len(recipients_named(name, game.lexicon)) == 1 or any(
        one is None or one.args["game"] != name for one in read
    )


def _model(ctx: Context, like: str | None) -> Game | None:
    """The game that a new one is to be like."""
    if like is None:
        return None
    return (_newest(ctx) if like.lower() == "last" else None) or ctx.public_game(like)


def _options(ctx: Context, model: Game | None, given: Mapping[str, str]) -> GameOptions:
    """The options of a new game: as given, for the rest as in the game that it is to be like, by today's rules."""
    if model is None:
        return read_options(given)
    texts = {**model.options.for_another, "start": beginning.chosen_start(ctx.tx, model)}
    return read_options(given, read_options(texts).texts)


def _newest(ctx: Context) -> Game | None:
    """The newest game that the actor has run."""
    mine = [game for game in ctx.tx.games_of(ctx.person) if game.playable and not game.options.private]
    run = [game for game in mine if any(seat.is_of(ctx.person) for seat in game.masters)]
    return max(run, key=lambda game: game.id, default=None)


def _say_idle(ctx: Context, options: GameOptions) -> None:
    """Say which options do nothing beside others, or in their game."""
    for sentence in options.idle:
        ctx.say(sentence)


def _dated(ctx: Context, given: Mapping[str, str]) -> dict[str, str]:
    """Options as they are written, with the years of their days, which the next to come have."""
    dates = {key: dated(text.lstrip("+-"), ctx.now.date()) for key, text in given.items() if key == "holidays"}
    return {**given, **dates}


def _may_run_another(ctx: Context, account: Person) -> None:
    """Raises NotNow for a person who runs too many games, OverLimit for one who has created too many."""
    mine = ctx.tx.games_of(account, GameState.FORMING, GameState.RUNNING)
    runs = sum(any(seat.is_of(account) for seat in game.masters) for game in mine)
    Bound.GAMES.check(runs + 1, "TERMINATE ends one of them.")
    ctx.tx.allowance.admit(Spent.GAMES)


def _described(name: str, meaning: str, default: str) -> str:
    """A line of HELP about an option."""
    said, indent = f"{meaning} [{default}]", " " * 12
    return textwrap.fill(said, 72, initial_indent=f"  {name:<9} ", subsequent_indent=indent, break_on_hyphens=False)


def _own() -> Iterator[str]:
    """The lines about options that only some games have, each once, with the default of each of these games."""
    defaults: dict[tuple[str, str], dict[str, str]] = {}
    for game in all_variants().values():
        for option in choices_of(game).values():
            defaults.setdefault((option.name, option.meaning), {})[game.name] = option.default
    for (name, meaning), by_game in defaults.items():
        yield _described(name, meaning, ", ".join(f"{default} in {game}" for game, default in by_game.items()))


_LINES = "\n".join((*(_described(one.name, one.meaning, one.default) for one in OPTIONS), *_own()))

CREATE = Command(
    "create",
    Syntax(
        "CREATE (GAME) game:GAME LIKE like:GAME (WITH) [options:OPTIONS]"
        " | CREATE (GAME) game:GAME [variant:VARIANT] (WITH) [options:OPTIONS]",
        (
            "CREATE game",
            "CREATE game standard",
            "CREATE game move=2d at=18:00 zone=Europe/Berlin days=mon-fri",
            "CREATE game LIKE autumn",
        ),
        sentences=Sentences.RARE,
        people_below="INVITE",
    ),
    Policy(consent=Consent.BINDING, cost=5, spends=(Spent.GAMES,), about=(About.ENTERING,)),
    act_create,
    Help(
        "make a new game and be its gamemaster",
        f"Options, with their defaults:\n{_LINES}\n\n"
        "You can also write them below CREATE, one a line. CREATE winter LIKE\n"
        "autumn takes them from another game, where no others are given, and its\n"
        "house rules. The reply gives you your gamemaster's address. INVITE, or\n"
        "addresses alone, one a line, below CREATE ask players at once:\n"
        "ann@example.org AS France.\n"
        "With start=full the game begins when all have come.",
        for_masters=True,
        for_all=True,
        words=("OPTIONS",),
    ),
)


def act_start(ctx: Context, args: Mapping[str, Any]) -> None:
    """Start a game whose seats are all taken, and queue the opening report for everybody."""
    del args
    game, _ = ctx.seated()
    if game.state is not GameState.FORMING:
        raise NotNow(f"The game {game.name} is {game.state}.", "Only a forming game can be started.")
    if needed := beginning.what_start_needs(game):
        raise NotNow(f"In {game.name} {seats_taken(game)}.", needed)
    ctx.say(beginning.begin(ctx.tx, game, ctx.seat))
    ctx.withdraw(f"START {game.name}")


START = Command(
    "start",
    Syntax(
        "START (GAME) [game:GAME]",
        sentences=Sentences.RARE,
    ),
    Policy(
        Who.MASTER,
        whole=True,
        record=Record(details=("powers", "wishes", "dealt", "opened"), opposite="UNSTART {game}"),
        cost=5,
        about=(About.ENTERING,),
    ),
    act_start,
    Help(
        "begin a game whose powers are all taken",
        """
        Deals the powers, sets the first deadline and sends everybody the
        opening report. With standins=yes one player is enough: stand-ins play
        the powers that are left, but where players name theirs. Until a
        phase is over, UNSTART takes it back.
        """,
    ),
)


def act_unstart(ctx: Context, args: Mapping[str, Any]) -> None:
    """Let a game that was started too early form again."""
    if args["game"] is None:
        name = ctx.seated()[0].name
        raise NotUnderstood("UNSTART needs the name of the game.", f"To take its start back, write UNSTART {name}.")
    game, seat = ctx.seated()
    ctx.running(game)
    calendar.check_open(game, seat)
    if beginning.has_been_played(ctx.tx, game):
        raise NotNow(
            f"A phase of {game.name} has been played, so its start cannot be taken back.",
            f"ROLLBACK plays a phase again; TERMINATE {game.name} and CREATE other LIKE {game.name} begin anew.",
        )
    if any(map(game.is_secret, game.players)) and not game.names_hidden:
        raise NotNow(
            f"The start of {game.name} is not taken back: everybody has read who plays, so that another deal would show"
            " who has the secret seat.",
            f"TERMINATE {game.name} and CREATE other LIKE {game.name} begin anew.",
        )
    start = game.options.start
    game = beginning.take_back(ctx.tx, game, f"unstart:{ctx.key}")
    ctx.say(f"The start of {game.name} is taken back: it is forming again. Everybody was notified.")
    ctx.say(f"{seats_taken(game).capitalize()}. {beginning.how_it_begins(game)}")
    game_rows.mark_game(ctx.tx.session, game.id, start_before=start)
    ctx.note("unstart", start=start if start != "gm" else None)


UNSTART = Command(
    "unstart",
    Syntax("UNSTART (GAME) [game:GAME]", ("UNSTART game",), sentences=Sentences.RARE),
    Policy(
        Who.MASTER,
        Stage.RUNNING,
        consent=Consent.IRREVOCABLE,
        record=Record(opposite="START {game}"),
        cost=5,
        spends=(Spent.MAILS,),
    ),
    act_unstart,
    Help(
        "take the start of a game back",
        """
        Before its first adjudication a game can form again, to let others
        join or to change its options. Players keep their seats and addresses;
        orders, votes and deputies are void, and powers are dealt anew by the
        same seed. It then waits for START, whatever start= said. Whoever has
        run it without playing, or gives or gave their seat up, knows what was
        seen there, and gets one when the first phase has been adjudicated.
        A game with a secret seat in which names are shown never forms again,
        nor hides them.
        """,
    ),
)


_FIXED_ONCE_JOINED = frozenset(("variant",))
_FIXED_ONCE_BEGUN = frozenset(("variant", "rulebook", "powers", "first", "admission", "win", "last", "start"))


def act_set(ctx: Context, args: Mapping[str, Any]) -> None:
    """Change options, except those that are fixed in a game under way."""
    game, _ = ctx.seated()
    options = args["options"] or _in_words(ctx, args["words"] or "")
    given = _dated(ctx, {str(key).lower(): str(text) for key, text in options.items()})
    there = ctx.commands.translated(f"SET {args['words']}") if args["words"] else ""
    before = dict(read_options({}, game.options.texts).texts)
    given = _beside(with_lengths(given, game), str(options.get("holidays", "")), before["holidays"])
    if given.get("variant", before["variant"]).strip().lower() != before["variant"]:
        _check(game, {"variant": given["variant"]})
    try:
        options = read_options(given, before)
    except NotUnderstood as error:
        raise NotUnderstood(error.problem, there or error.remedy) from None
    changed = {key: options.texts[key] for key in given if options.texts[key] != before.get(key)}
    if dict(options.texts) == before:
        ctx.say(f"Nothing is changed: {', '.join(f'{key}={before[key]}' for key in given)} was so already.")
        return
    changed = changed or given  # a newer edition of the same rules
    game = _set(ctx, game, options, changed)
    ctx.say("The game's options are now: " + ", ".join(f"{key}={options.texts[key]}" for key in given) + ".")
    ctx.say("They replace " + ", ".join(f"{key}={before.get(key, 'the default')}" for key in changed) + ".")
    undo: Mapping[str, Any] = {}
    if "holidays" in changed:
        game, undo = _out_of_holidays(ctx, game)
    _say_idle(ctx, options)
    said = ", ".join(f"{key}={text} (was {before.get(key, 'the default')})" for key, text in changed.items())
    words = (f"The gamemaster has changed the options of the game: {said}.", "STATUS shows all terms.")
    ctx.tell_others(game, "new options", words, f"set:{ctx.key}:{len(ctx.answer.done)}")
    was = {key: before.get(key) for key, text in {**before, **options.texts}.items() if before.get(key) != text}
    ctx.note("set", options=changed, undo={"options": was, **undo})
    _begin_if_due(ctx, game)


def with_lengths(given: Mapping[str, str], game: Game) -> dict[str, str]:
    """The options, a length of time that is to be added to the one there is, or taken from it, as what that comes to:
    `SET move=+1d`. Raises NotUnderstood if nothing would be left.
    """
    found = {}
    for key, text in given.items():
        there = game.options.value(key) if key in game.options.texts else None
        if text[:1] in ("+", "-") and isinstance(there, timedelta):
            by = parse_duration(text[1:])
            length = there + by if text[0] == "+" else there - by
            if length <= timedelta(0):
                raise NotUnderstood(
                    f"{key}={game.options.texts[key]} now, so {text} would leave nothing.", "Write less."
                )
            found[key] = write_duration(length)
    return {**given, **found}


def _beside(given: dict[str, str], holidays: str, before: str) -> dict[str, str]:
    """The options, with the holidays that there are already beside such as are to be added, `SET holidays=+6 Jan`, or
    without those that are to be taken out of them, `SET holidays=-26 Dec`. Raises NotUnderstood.
    """
    there = parse_holidays("" if before.lower() in NONE else before)
    if holidays.startswith("-"):
        left = days_joined(there, parse_holidays(given["holidays"]))
    elif holidays.startswith("+"):
        left = days_joined([*there, *parse_holidays(given["holidays"])])
    else:
        return given
    return {**given, "holidays": write_spans(left) or "none"}


def _begin_if_due(ctx: Context, game: Game) -> None:
    """Begin the game if what `start` asks for is there already."""
    if beginning.begins_by_itself(ctx.tx, game):
        ctx.say(beginning.begin(ctx.tx, game))


def _out_of_holidays(ctx: Context, game: Game) -> tuple[Game, Mapping[str, Any]]:
    """The game with its deadline after the new holidays, and what sets it back; the answer says what became of it."""
    if game.due_at is None or game.phase is None:
        return game, {}
    if not game.options.clock.in_holidays(game.due_at):
        ctx.say(f"The deadline of {game.phase.code} stays: {ctx.reader().until(game.due_at)}.")
        return game, {}
    due = game.options.clock.on_allowed_day(game.due_at)
    ctx.say(f"The deadline of {game.phase.code} was in the holidays and is now {ctx.reader().until(due)}.")
    moved = {"due": game.due_at.isoformat(), "set": due.isoformat()}
    return calendar.set_deadline(ctx.tx, game, due), moved


def _in_words(ctx: Context, words: str) -> Mapping[str, str]:
    """One option without an equals sign: `reminder 24h`, `press to none`; or several with commas between them. Raises
    NotUnderstood.
    """
    if not words:
        raise NotUnderstood("SET needs an option and its value.", "Write SET move=2d grace=12h.")
    if "=" in (listed := options_listed(words)):
        return single((name.lower(), value) for name, _, value in (one.partition("=") for one in listed.split()))
    name, _, text = words.partition(" ")
    name = OTHER_NAMES.get(name.lower(), name)
    known = known_options(ctx.seated()[0].options.variant)
    if name.lower() in known and text.strip():
        return {name.lower(): re.sub(r"^(?:to|is) ", "", text.strip(), flags=re.IGNORECASE)}
    if there := ctx.commands.translated(f"SET {words}"):
        raise NotUnderstood(f"SET {words} is a command of other servers.", there)
    raise NotUnderstood(f"'{words}' is no option with its value.", did_you_mean(name, known))


def _check(game: Game, changed: Mapping[str, str]) -> None:
    """Raises NotNow for an option that can no longer be changed."""
    fixed = _FIXED_ONCE_BEGUN if game.running else _FIXED_ONCE_JOINED if game.held else frozenset()
    if wrong := sorted(changed.keys() & fixed):
        rest = " ".join(f"{key}={text}" for key, text in changed.items() if key not in wrong)
        how = f"No option of this line was changed. The rest alone: SET {rest}." if rest else "It stays as it is."
        raise NotNow(f"{', '.join(wrong)} can no longer be changed.", how)
    unread = game.undealt and game.options.anonymous == "no"
    if "anonymous" in changed and game.held and not unread:
        if game.options.anonymous != "no":
            raise NotNow("Players joined on the promise to stay anonymous.", "If they agree, name them with REVEAL.")
        raise NotNow(
            f"Names of players of {game.name} have been read: hidden now, they would be known to some only.",
            f"CREATE other LIKE {game.name} anonymous=yes begins another game.",
        )


def _set(ctx: Context, game: Game, options: GameOptions, changed: Mapping[str, str]) -> Game:
    """The game with these options, of which these are changed. Raises NotNow when one of them no longer can be."""
    _check(game, changed)
    return change(ctx, game, options)


def change(ctx: Context, game: Game, options: GameOptions) -> Game:
    """The game with new options; the present deadline does not change, unless it comes or goes by `deadlines`.

    Raises NotNow where names would be shown from which somebody who plays it finds out what is secret.
    """
    if game.running and options.anonymous != game.options.anonymous:
        sight.require_no_elimination(ctx.tx, replace(game, options=options))
    phase = replace(game.phase, rules=options.variant) if game.phase is not None else None
    changed = standins.give_orders(ctx.tx, ctx.tx.fold(game, options=options, phase=phase))
    if game.running and not game.paused and options.timed != game.options.timed:
        changed = calendar.start_clock(ctx.tx, changed)
    elif game.running and not game.paused and options.texts["reminder"] != game.options.texts["reminder"]:
        calendar.renew_reminders(ctx.tx, changed)
    return changed if options.early == game.options.early else calendar.forget_wait(ctx.tx, changed)


def act_comment(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set the gamemaster's comment, or delete it."""
    game, _ = ctx.seated()
    text = " ".join(args["text"].split())
    Bound.COMMENT.check(len(text), "Shorten it.")
    before, comment = game.comment, None if text.upper() == "NONE" else text
    ctx.tx.fold(game, comment=comment)
    ctx.say(f"LIST and STATUS now say of {game.name}: {comment or '(nothing)'}")
    ctx.note("comment", text=comment, undo={"text": before})


def _unset(ctx: Context, undo: Mapping[str, Any]) -> str:
    game, _ = ctx.seated()
    now, was = game.options.texts, undo["options"]
    options = GameOptions({key: text for key, text in {**now, **was}.items() if text is not None})
    _begin_if_due(ctx, _set(ctx, game, options, {key: text for key, text in was.items() if now.get(key) != text}))
    again = f"The options are as they were: {', '.join(f'{key}={options.texts[key]}' for key in was)}."
    if "due" not in undo:
        return again
    try:
        return f"{again} {set_back(ctx, undo)}"
    except NotNow as error:
        return f"{again} The deadline is not. {error.problem} {error.remedy}"


def _uncomment(ctx: Context, undo: Mapping[str, Any]) -> str:
    game, _ = ctx.seated()
    ctx.tx.fold(game, comment=undo["text"])
    return "The comment is as it was."


SET = Command(
    "set",
    Syntax(
        "SET [options:OPTIONS] | SET words:WORDS",
        ("SET move=2d grace=12h", "SET days=mon-fri at=20:00 progress=yes"),
        sentences=Sentences.RARE,
    ),
    Policy(
        Who.MASTER,
        Stage.UNDER_WAY,
        of_later=Consent.IRREVOCABLE,
        schedulable=True,
        record=Record(undo=_unset, changes="the options"),
        cost=5,
        spends=(Spent.MAILS,),
        instead="PREFERENCES sets what is yours; HELP SET PASSWORD and the like translate other servers' words.",
        about=(About.ENTERING,),
    ),
    act_set,
    Help(
        "change the options of a game",
        """
        Written as in CREATE, on the line or below it, one option a line; HELP
        CREATE says what each is for. Holidays: SET holidays=24 Dec - 2 Jan;
        SET holidays=+6 Jan adds to them, SET holidays=-26 Dec takes days out;
        so SET move=+1d makes the moves a day longer than they are.
        Everybody is told what has changed.
        In a running game you cannot change the rules of play, such as variant
        or win, nor first. The present deadline stays, but goes with
        deadlines=none.
        """,
    ),
)
COMMENT = Command(
    "comment",
    Syntax("COMMENT text:WORDS", ("COMMENT text", "COMMENT NONE"), after_set=True, sentences=Sentences.UNLESS_EXACT),
    Policy(
        Who.MASTER,
        by_assistants=True,
        schedulable=True,
        record=Record(undo=_uncomment, changes="the comment", untold=True),
        about=(About.WORDS,),
    ),
    act_comment,
    Help(
        "a line about the game for LIST and STATUS",
        "Who looks for a game reads it, too. COMMENT NONE removes it.",
    ),
)
