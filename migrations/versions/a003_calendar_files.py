"""People can do without calendar files."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a003"
down_revision = "a002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One column."""
    with op.batch_alter_table("account") as account:
        account.add_column(sa.Column("calendar", sa.Text(), nullable=True))
