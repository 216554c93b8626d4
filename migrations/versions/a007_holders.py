"""A lease says which server holds it, so that it ends with that server."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a007"
down_revision = "a006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A column in each table of work."""
    for table in ("inbox", "outbox", "report_queue", "way_in"):
        op.add_column(table, sa.Column("leased_by", sa.Integer(), nullable=True))
