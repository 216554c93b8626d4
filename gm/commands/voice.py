"""REMARK, HOUSERULES and NOTE: the gamemaster's words above the next report, beside the terms, and to themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands.context import Context
from gm.commands.declaration import About, Command, Help, Policy, Record, Sentences, Stage, Syntax, Text, Who
from gm.commands.press import keep_private, readable, require_room
from gm.games.bounds import Bound
from gm.games.limits import Spent
from gm.games.snapshot import PhasePlayed
from gm.parsing.several_lines import ALL
from gm.play import beginning, calendar
from gm.play.ending import CHANGE, REASON
from gm.reports import behind_colon, quote
from gm.store import records
from gm.store.game_rows import GameState


def act_remark(ctx: Context, args: Mapping[str, Any]) -> None:
    """Keep the gamemaster's words for the next report, which has them above its results; or for the first mail."""
    game, seat = ctx.seated()
    body, _ = readable(ctx, args["body"])
    if game.state is GameState.FORMING or beginning.has_just_begun(ctx.tx, game):
        require_room(ctx, seat, None, body)
        _keep(ctx, None, body, "postal")
        ctx.say("Your words will stand in the first mail of the game, above what its players are to do.")
        return
    code = _remark(ctx, body).code
    said = f"Your words stand {_ABOVE.format(code)}." if calendar.is_adjudicated_now(ctx.tx, game) else _WAITS
    ctx.say(said.format(code))


HELD = "The results are held until you write RELEASE."
UNTIL_RELEASE = ", when you have written RELEASE"
TO_UNDO_ROLLBACK = "To undo this, write ROLLFORWARD."
"""What an answer says that is wrong once the same mail has released them, or has the phase adjudicated."""
_WAITS = "Your words will stand above the next report, that of {}, or in the game's last mail."
_ABOVE = "above the results of {}"


def say_above_report(ctx: Context) -> None:
    """Let the reason for a command that ends a phase stand above its report; of words above it in the same mail, the
    answer says that they do, too.
    """
    _stand(ctx, _ABOVE.format(ctx.seated()[0].code))


def _stand(ctx: Context, where: str) -> None:
    game, _ = ctx.seated()
    ctx.replace_said(_WAITS.format(game.code), f"Your words stand {where}.")
    if ctx.why and game.phase is not None:
        _remark(ctx, f"{ctx.why[:1].upper()}{ctx.why[1:]}.", f"postal {REASON}")
        ctx.say(f"Your reason stands {where}: {ctx.why}.")
        ctx.why = ""


def stands_lower(ctx: Context, why: str) -> None:
    """Let the answer no longer say that a reason stands above the results: it ends what is said there of the phase that
    follows.
    """
    ctx.replace_said(f"Your reason stands {_ABOVE.format(ctx.seated()[0].code)}: {why}.", "")


def say_of_phase(ctx: Context, what: str, phase_id: int, manner: str = CHANGE) -> None:
    """Let what became of a phase, with the actor's reason if there is one, stand above the report of the one with this
    id. The reason is still there to be told.
    """
    _keep(ctx, phase_id, f"{what}: {ctx.why}." if ctx.why else f"{what}.", f"postal {manner}")


def say_in_last_mail(ctx: Context) -> None:
    """The same for a command that ends the game, and so in its last mail."""
    _stand(ctx, "in the game's last mail")


def _remark(ctx: Context, body: str, manner: str = "postal") -> PhasePlayed:
    """Keep words for the next report. Returns its phase. Raises NotNow when there is none, or no room."""
    game, seat = ctx.seated()
    phase = ctx.running(game)
    require_room(ctx, seat, phase.id, body)
    _keep(ctx, phase.id, body, manner)
    return phase


def _keep(ctx: Context, phase_id: int | None, body: str, manner: str) -> None:
    """Keep words for the report of this phase; None: for the first mail."""
    game, seat = ctx.seated()
    records.add_press(
        ctx.tx.session,
        game_id=game.id,
        phase_id=phase_id,
        from_seat_id=seat.id,
        to=(ALL,),
        readers=(one.id for one in game.seats if one.id != seat.id),
        body=body,
        now=ctx.now,
        manner=manner,
    )


REMARK = Command(
    "remark",
    Syntax(examples=("REMARK\nyour text\nENDREMARK",), below=Text("remark")),
    Policy(Who.MASTER, Stage.UNDER_WAY, by_assistants=True, cost=5, spends=(Spent.BYTES,), about=(About.WORDS,)),
    act_remark,
    Help(
        "words above the next report",
        """
        They go to everybody with the results of the phase that is played now,
        also in one mail with RELEASE, PROCESS or TERMINATE, or above DRAW; if
        the game ends, with its last mail; of a game that has not begun, with
        its first. They are public: the gallery shows them. OFFICIAL sends
        something at once.
        """,
    ),
)


def act_house_rules(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set the house rules, which stand among the terms, or delete them."""
    game, seat = ctx.seated()
    text = "\n".join(line.rstrip() for line in args["body"].strip().splitlines()) if "body" in args else None
    Bound.HOUSE_RULES.check(len(text or ""), "Shorten them.")
    before, text = game.house_rules, readable(ctx, text)[0] if text is not None else None
    game = ctx.tx.fold(ctx.seated()[0], house_rules=text)
    now = f"The house rules of {game.name} are now:{behind_colon(text)}" if text else "There are no house rules now."
    words = ("The gamemaster has changed the house rules.", now, "STATUS shows all terms.")
    ctx.tx.tell(game, game.all_but(seat), "house rules", words, f"houserules:{ctx.key}")
    ctx.say(now)
    if before and text is not None:
        ctx.say(f"They replace these:{behind_colon(before)}")
    where = "They stand among the terms in STATUS, the first mail and new invitations. " if text is not None else ""
    ctx.say(f"{where}{'Everybody was notified.' if game.all_but(seat) else ''}".strip())
    ctx.note("house rules", text=text, undo={"text": before})


def _restore_rules(ctx: Context, undo: Mapping[str, Any]) -> str:
    ctx.tx.fold(ctx.seated()[0], house_rules=undo["text"])
    return "The house rules are as they were."


HOUSERULES = Command(
    "houserules",
    Syntax(
        "HOUSE RULES none:NONE",
        ("HOUSE RULES\nyour text\nENDHOUSERULES", "HOUSE RULES NONE"),
        sentences=Sentences.UNLESS_EXACT,
        below=Text("houserules", instead=("none",)),
    ),
    Policy(
        Who.MASTER,
        record=Record(undo=_restore_rules, changes="the house rules"),
        cost=5,
        spends=(Spent.MAILS,),
        about=(About.WORDS,),
    ),
    act_house_rules,
    Help(
        "what else holds in a game, beside its terms",
        """
        They are in STATUS, in invitations and in the first mail, and everybody
        is told of a change.
        """,
    ),
)


def act_note(ctx: Context, args: Mapping[str, Any]) -> None:
    """Keep a note that only its writer can read, or show all."""
    game, seat = ctx.seated()
    whose = {"seat_id": seat.id, "account_id": ctx.known().id}
    if args["list"] is None:
        keep_private(ctx, args["text"])
        ctx.say("Noted. Only you can read it, in DASHBOARD and with NOTE LIST.")
        return
    notes = records.diary_of(ctx.tx.session, **whose)
    if not notes:
        ctx.say("You have no notes. Write NOTE and your text on one line.")
        return
    ctx.show(
        f"Your notes on {game.name}", "\n\n".join(f"{one.written_at:%d %b %Y}\n{quote(one.body)}" for one in notes)
    )


NOTE = Command(
    "note",
    Syntax(
        "NOTE list:LIST | NOTE text:WORDS",
        ("NOTE France was late twice", "NOTE LIST"),
        shorthands={"notes": "LIST"},
        sentences=Sentences.UNLESS_EXACT,
    ),
    Policy(Who.MASTER, by_assistants=True, instead="DIARY keeps a text for yourself.", about=(About.WORDS,)),
    act_note,
    Help("keep a private note", "Nobody else ever reads it. DASHBOARD shows the newest ones."),
)
