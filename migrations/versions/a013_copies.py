"""Tries that may have delivered a mail are counted, since it must not arrive without end."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a013"
down_revision = "a012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A column; of the mail that waits none is known to have gone."""
    with op.batch_alter_table("outbox") as outbox:
        outbox.add_column(sa.Column("copies", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("outbox") as outbox:
        outbox.alter_column("copies", server_default=None)
