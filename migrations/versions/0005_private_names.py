"""Names that players give to places for themselves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One table."""
    op.create_table(
        "private_name",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_private_name_seat_id"),
        sa.PrimaryKeyConstraint("id", name="pk_private_name"),
        sa.UniqueConstraint("seat_id", "name", name="uq_private_name_seat_id_name"),
    )


def downgrade() -> None:
    """Take it off again."""
    op.drop_table("private_name")
