"""Who has known a seat's secrets is kept, and press is stopped by the name under which it is shown."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "a009"
down_revision = "a008"
branch_labels = None
depends_on = None

_KNOWN = """
    INSERT INTO sight (who, seat_id, phase_id)
    SELECT DISTINCT 'account ' || s.account_id, s.seat_id, g.current_phase_id
    FROM shown_address s JOIN seat ON seat.id = s.seat_id JOIN game g ON g.id = seat.game_id
    WHERE seat.role IN ('player', 'deputy') AND g.current_phase_id IS NOT NULL
"""
"""Who has had an address of a seat, as if they had given it up now."""


def upgrade() -> None:
    """A table; and instead of the accounts whose press is stopped, the powers that they play."""
    op.create_table(
        "sight",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name=op.f("fk_sight_phase_id")),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name=op.f("fk_sight_seat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sight")),
        sa.UniqueConstraint("who", "seat_id", "phase_id", name=op.f("uq_sight_who_seat_id_phase_id")),
    )
    op.create_index(op.f("ix_sight_seat_id"), "sight", ["seat_id"])
    op.execute(_KNOWN)
    connection = op.get_bind()
    rows = connection.execute(sa.text("SELECT id, game_id, account_id, power, muted FROM seat")).all()
    powers = {(row.game_id, row.account_id): row.power for row in rows if row.power is not None}
    for row in rows:
        muted = json.loads(row.muted) if isinstance(row.muted, str) else row.muted
        if muted:
            names = sorted({powers[row.game_id, one] for one in muted if (row.game_id, one) in powers})
            statement = sa.text("UPDATE seat SET muted = :names WHERE id = :key")
            connection.execute(statement, {"names": json.dumps(names), "key": row.id})
