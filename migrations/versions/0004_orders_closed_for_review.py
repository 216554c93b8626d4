"""When the orders of a phase were closed, in a game in which a seat may alter them before they are adjudicated.

Empty in every row there is: no such game was played before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One column."""
    op.add_column("phase", sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True))
