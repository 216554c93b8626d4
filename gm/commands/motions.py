"""Motions of the players for more time: EXTEND, PAUSE and RESUME as votes. Not a command."""

from __future__ import annotations

from gm.commands.draw import may_vote
from gm.commands.scene import Scene
from gm.errors import NotNow, NotPermitted
from gm.games import ballots
from gm.games.post import tell
from gm.store.game_rows import SeatRole, SeatRow


def move_for(scene: Scene, kind: str, words: str, what: str, value: str = "yes") -> str | None:
    """Vote on a motion of this kind: for `value`, for what is proposed (YES), or against it (NO).

    Returns the motion once it is carried. `what` finishes the sentence "A player asks ...".
    """
    table, seat = scene.as_player()
    may_vote(table, seat)
    if table.options.motions == "none":
        raise NotPermitted(
            f"In {table.game.name} the gamemaster alone decides on time.", "PRESS TO GM asks him for more."
        )
    proposed = ballots.proposal(table, kind)
    if words.strip().lower() == "no":
        ballots.cast(table, seat, kind, ballots.NO, scene.now)
        scene.say(f"You vote against {kind.upper()}.")
        return None
    if words.strip().lower() == "yes" and kind == "extend":
        if proposed is None:
            raise NotNow("Nobody has asked for more time in this phase.", "Write EXTEND 24h to ask for it.")
        value = proposed
    ballots.cast(table, seat, kind, value, scene.now)
    scene.note("motion", on=kind, value=value)
    carried = ballots.carried(table, kind)
    if carried is not None:
        ballots.spend(table, kind, scene.now)
        scene.say("With your vote the motion is carried.")
        return carried
    count = sum(vote == value for vote in ballots.votes(table, kind).values())
    scene.say(f"Your vote is noted. {ballots.needed(table)} players must agree; {count} so far.")
    if count == 1:
        _announce(scene, seat, kind, what)
    return None


def _announce(scene: Scene, seat: SeatRow, kind: str, what: str) -> None:
    """Tell the others that somebody asks; not who."""
    table, _ = scene.as_player()
    others = [other for other in table.voters if other.id != seat.id]
    if others[0].role is not SeatRole.PLAYER:
        return
    word = kind.upper()
    paragraphs = (
        f"A player asks {what}.",
        f"To agree, answer {word}{' YES' if kind == 'extend' else ''}; to be counted against it, {word} NO."
        f" {ballots.needed(table)} players must agree.",
    )
    tell(
        table,
        scene.office,
        others,
        f"a vote: {word}",
        paragraphs,
        purpose=f"motion:{kind}:{scene.mail_id}",
        now=scene.now,
    )
