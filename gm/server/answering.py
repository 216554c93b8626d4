"""The one answer to a mail, and the mails to others that its arrival calls for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy.orm import Session

from gm.commands.scene import Scene
from gm.errors import GmError, NotUnderstood
from gm.games import ServerIdentity
from gm.games.post import Answering, post, tell
from gm.games.report_inputs import game_facts, held_orders, reader_of
from gm.games.snapshot import Table
from gm.mail.message.addresses import hidden
from gm.mail.message.authentication import Authenticity
from gm.parsing.message import OrderLine, parse_message
from gm.reports.context import HeldOrders, Receipt, Refusal, Trouble
from gm.reports.render import Rendered, render
from gm.server.acting import Acted
from gm.server.identify import Identified, Standing
from gm.store import outbox
from gm.store.inbox import InboxRow

UNTRUSTED_ANSWERS_AN_HOUR = 10
"""How many answers an address gets that has proved nothing (backscatter, loops); other mail is not counted."""

_QUOTED_SHOWN = 10


def answer(who: Identified, acted: Acted) -> str:
    """Put the receipt into the outbox. Returns a note for the inbox row, empty when all is ordinary."""
    scene = who.scene
    if who.standing is Standing.VOID_SEAT:
        problem = "The address you wrote to belongs to no seat: it was renewed, or has a letter wrong."
        remedy = f"Answer the newest mail of your game, or write to {scene.office.server.address}."
        return refuse(who, NotUnderstood(problem, remedy))
    return _reply(who, partial(_receipt, scene, acted))


def refuse(who: Identified, error: GmError) -> str:
    """Answer that nothing at all could be done, and why. Returns a note as `answer` does."""
    return _reply(who, partial(_refusal, who.scene, error))


def _reply(who: Identified, written: Callable[[], Rendered]) -> str:
    scene = who.scene
    trusted = who.proof is Authenticity.PASS or (scene.seat is not None and who.standing is Standing.SEATED)
    if not trusted and _answered_enough(scene):
        return "not answered: this address had its answers for this hour"
    rendered = written()
    game, seat = (scene.table.game, scene.seat) if scene.table is not None else (None, None)
    account = scene.account
    post(
        scene.session,
        scene.office,
        rendered if account is None or account.html else Rendered(rendered.subject, rendered.text, ""),
        purpose=f"receipt:{scene.mail_id}",
        recipient=scene.sender,
        now=scene.now,
        reply_to=scene.office.address_of(game, seat)
        if game is not None and seat is not None
        else scene.office.server.address,
        answering=Answering(scene.letter.message_id, tuple(scene.letter.references)),
        game=game.name if game is not None else None,
        to_stranger=who.standing is Standing.STRANGER and account is None,
        attachments=tuple(scene.attachments),
    )
    return ""


def _receipt(scene: Scene, acted: Acted) -> Rendered:
    table = scene.table
    reader = reader_of(scene.office, scene.account, table.game if table is not None else None, scene.seat)
    receipt = Receipt(
        reader=reader,
        subject=hidden(scene.letter.subject, scene.office.server.address),
        game=game_facts(table) if table is not None else None,
        held=_held(scene),
        done=(*scene.done, *([acted.waiting] if acted.waiting else [])),
        refused=tuple(acted.refused),
        talk=tuple(acted.talk),
        quoted=_orders_among(scene, scene.letter.doubtful if acted.asked else scene.letter.quoted),
        faults=tuple(scene.letter.faults),
        parts=tuple(scene.parts),
    )
    return render("player/receipt", receipt)


def _held(scene: Scene) -> HeldOrders | None:
    """The sender's orders as they stand after all he asked for, if his mail changed them."""
    table, seat, changed = scene.table, scene.seat, scene.changed
    if changed is None or table is None or seat is None:
        return None
    current = table.order_sets().get(seat.id)
    return held_orders(table, seat, current, replaces=changed.replaces, all_in=changed.all_in)


def _orders_among(scene: Scene, lines: Sequence[str]) -> tuple[str, ...]:
    """Those of the lines that were not acted on that would be orders, in case they were meant.

    Asked of doubtful lines always, and of all quoted text when a mail asked for nothing else.
    """
    table = scene.table
    if table is None or table.position is None:
        return ()
    parsed = parse_message("\n".join(lines), table.lexicon, table.position.phase.kind)
    return tuple(item.text for item in parsed.items if isinstance(item, OrderLine))[:_QUOTED_SHOWN]


def _refusal(scene: Scene, error: GmError) -> Rendered:
    reader, subject = reader_of(scene.office, scene.account), hidden(scene.letter.subject, scene.office.server.address)
    return render("player/refusal", Refusal(reader, error.problem, error.remedy, subject))


def _answered_enough(scene: Scene) -> bool:
    hour_ago = scene.now - timedelta(hours=1)
    answers = outbox.sent_since(scene.session, scene.sender, hour_ago, "receipt:")
    return answers >= UNTRUSTED_ANSWERS_AN_HOUR


def tell_of_trouble(session: Session, office: ServerIdentity, mail: InboxRow, now: datetime) -> None:
    """Tell the operator of a mail that was set aside, with what is known of the failure."""
    report_trouble(
        session,
        office,
        f"Mail {mail.id} from {mail.envelope_from or 'an unknown sender'} could not be worked on and was set aside.",
        mail.note,
        purpose=f"trouble:mail:{mail.id}",
        now=now,
    )


def report_trouble(
    session: Session,
    office: ServerIdentity,
    problem: str,
    detail: str,
    *,
    purpose: str,
    now: datetime,
    table: Table | None = None,
) -> None:
    """Tell the operator, if there is one; and the gamemasters of the game concerned, without the technical part."""
    if office.server.operator:
        trouble = Trouble(
            reader_of(office, None), problem, "Nothing is lost; see `gm check` and `gm mail show`.", detail
        )
        rendered = render("gm/trouble", trouble)
        post(
            session,
            office,
            rendered,
            purpose=purpose,
            recipient=office.server.operator,
            now=now,
            reply_to=office.server.address,
        )
    if table is not None and table.playable:
        tell(table, office, table.masters, "trouble", (problem, "The operator is told."), purpose=purpose, now=now)
