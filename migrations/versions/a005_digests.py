"""People can have one mail a day for all their games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a005"
down_revision = "a004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One column."""
    with op.batch_alter_table("account") as account:
        account.add_column(sa.Column("digest", sa.Text(), nullable=True))
