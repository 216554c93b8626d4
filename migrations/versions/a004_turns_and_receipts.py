"""People can do without turns as JSON, and have their orders drawn in receipts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a004"
down_revision = "a003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two columns."""
    with op.batch_alter_table("account") as account:
        account.add_column(sa.Column("json", sa.Text(), nullable=True))
        account.add_column(sa.Column("receipts", sa.Text(), nullable=True))
