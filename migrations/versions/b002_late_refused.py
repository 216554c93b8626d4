"""Late orders that a gamemaster has refused."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b002"
down_revision = "b001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Those that wait have not been refused."""
    with op.batch_alter_table("late_orders") as batch_op:
        batch_op.add_column(sa.Column("refused_at", sa.DateTime(timezone=True), nullable=True))
