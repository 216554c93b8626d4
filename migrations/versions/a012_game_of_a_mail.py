"""A mail that arrived has the name of the game in its address, so that what waits for mail of a game finds it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a012"
down_revision = "a011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A column, which only mail needs that was not acted on yet, and indexes that find what is due at once."""
    op.add_column("inbox", sa.Column("game", sa.Text(), nullable=False, server_default=""))
    connection = op.get_bind()
    waiting = sa.text("SELECT id, address FROM inbox WHERE state IN ('unchecked', 'new') AND address LIKE '%+%.%@%'")
    update = sa.text("UPDATE inbox SET game = :game WHERE id = :id")
    for row in connection.execute(waiting).all():
        game = row.address.rpartition("@")[0].rpartition("+")[2].rpartition(".")[0]
        connection.execute(update, {"id": row.id, "game": game})
    with op.batch_alter_table("inbox") as inbox:
        inbox.alter_column("game", server_default=None)
    op.create_index(op.f("ix_inbox_state_game"), "inbox", ["state", "game"])
    op.create_index(op.f("ix_inbox_state_sender"), "inbox", ["state", "sender"])
    op.drop_index(op.f("ix_deadline_game_id"), "deadline")
    op.create_index(
        op.f("ix_deadline_game_id_done_at_cancelled_due_at"), "deadline", ["game_id", "done_at", "cancelled", "due_at"]
    )
    op.drop_index(op.f("ix_report_queue_done_at"), "report_queue")
    op.create_index(op.f("ix_report_queue_done_at_phase_id"), "report_queue", ["done_at", "phase_id"])
    op.create_index(op.f("ix_outbox_state_urgent_next_try_at"), "outbox", ["state", "urgent", "next_try_at"])
