"""Draft the next migration from what differs between the models and the migrations so far; for developers.

Run `python migrations/draft.py "what changes and why"`, then read the file it writes: a draft sees neither triggers nor
what becomes of rows.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from alembic import command
from alembic.script import ScriptDirectory

from gm.store.database import Database
from gm.store.schema import configuration


def draft(message: str) -> Path:
    """Write the next version file and return where it lies."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/draft.sqlite3")
        database.migrate()
        config = configuration()
        number = len(list(ScriptDirectory.from_config(config).walk_revisions())) + 1
        with database.engine.connect() as connection:
            config.attributes["connection"] = connection
            script = command.revision(config, message, autogenerate=True, rev_id=f"b{number:03}")
        database.dispose()
    if script is None or isinstance(script, list):
        raise RuntimeError("Alembic wrote no single version file")
    return Path(script.path)


if __name__ == "__main__":
    sys.stdout.write(f"{draft(sys.argv[1])}\n")
