"""Gamemasters' commands that wait for their time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One table."""
    op.create_table(
        "scheduled",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("inbox_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_scheduled_game_id"),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name="fk_scheduled_inbox_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_scheduled_seat_id"),
        sa.PrimaryKeyConstraint("id", name="pk_scheduled"),
    )
    op.create_index("ix_scheduled_game_id", "scheduled", ["game_id"])
