"""Absences, turnout, stand-by lists, invitations, orders for later, diaries; pauses, rollbacks, manners of press.

Every new column may be empty: a row written before has nothing to say there.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Six tables and ten columns; no row is changed."""
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("begins", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends", sa.DateTime(timezone=True), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("cancelled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_absence_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_absence"),
    )
    op.create_index("ix_absence_account_id", "absence", ["account_id"])

    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("power", sa.Text(), nullable=True),
        sa.Column("invited_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_invitation_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_invitation"),
        sa.UniqueConstraint("game_id", "email", name="uq_invitation_game_id_email"),
    )
    op.create_table(
        "diary",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_diary_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_diary_seat_id"),
        sa.PrimaryKeyConstraint("id", name="pk_diary"),
    )
    op.create_index("ix_diary_seat_id", "diary", ["seat_id"])

    op.create_table(
        "later_orders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("cancelled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_later_orders_seat_id"),
        sa.PrimaryKeyConstraint("id", name="pk_later_orders"),
    )
    op.create_index("ix_later_orders_seat_id", "later_orders", ["seat_id"])

    op.create_table(
        "standby",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("listed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("asked_seat_id", sa.Integer(), nullable=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_standby_account_id"),
        sa.ForeignKeyConstraint(["asked_seat_id"], ["seat.id"], name="fk_standby_asked_seat_id"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_standby_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_standby"),
        sa.UniqueConstraint("game_id", "account_id", name="uq_standby_game_id_account_id"),
    )
    op.create_table(
        "turnout",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("came", sa.Text(), nullable=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_turnout_account_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_turnout_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_turnout_seat_id"),
        sa.PrimaryKeyConstraint("id", name="pk_turnout"),
        sa.UniqueConstraint("phase_id", "seat_id", name="uq_turnout_phase_id_seat_id"),
    )
    op.create_index("ix_turnout_account_id", "turnout", ["account_id"])

    op.add_column("account", sa.Column("maps", sa.Text(), nullable=True))
    op.add_column("account", sa.Column("remind", sa.Text(), nullable=True))
    op.add_column("account", sa.Column("wishes", sa.Text(), nullable=True))

    op.add_column("game", sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("game", sa.Column("left", sa.Integer(), nullable=True))
    op.add_column("game", sa.Column("comment", sa.Text(), nullable=True))

    op.add_column("phase", sa.Column("follows", sa.Integer(), nullable=True))

    op.add_column("press", sa.Column("manner", sa.Text(), nullable=True))

    op.add_column("seat", sa.Column("dummy_since", sa.DateTime(timezone=True), nullable=True))
