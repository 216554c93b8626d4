"""A player who is away can have a deputy, with a seat of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a006"
down_revision = "a005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two columns."""
    with op.batch_alter_table("seat") as seat:
        seat.add_column(sa.Column("deputy_of", sa.Integer(), nullable=True))
        seat.add_column(sa.Column("until", sa.DateTime(timezone=True), nullable=True))
        seat.create_foreign_key("fk_seat_deputy_of", "seat", ["deputy_of"], ["id"])
