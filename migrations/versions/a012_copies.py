"""Tries that may have delivered a mail are counted, since it must not arrive without end."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a012"
down_revision = "a011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A column, for mail that waits, too."""
    op.add_column("outbox", sa.Column("copies", sa.Integer(), nullable=False, server_default="0"))
