"""Bringing the schema up to date with Alembic, from the migrations that the installation carries.

Every start-up asks for it. Processes that start together take turns: on SQLite by the write lock, on PostgreSQL by an
advisory lock, both held from before the revision is read until the new one is committed.
"""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, func, select

from gm.errors import ConfigurationError
from gm.files import folder

_LOCK = 0x676D_6D69_6772  # "gmmigr": the number of our advisory lock

_UNRELEASED = frozenset(f"{number:04}" for number in range(1, 7))
"""Revisions of databases made before the first release, which no migration leads on from."""


def configuration() -> Config:
    """Alembic's configuration, without an ini file; `migrations/env.py` wants `connection` in its attributes."""
    config = Config()
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    return config


def revision(connection: Connection) -> str | None:
    """The database's revision, None for an empty one. Raises ConfigurationError when this program does not know it."""
    found = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(configuration()).walk_revisions()}
    if found in _UNRELEASED:
        raise ConfigurationError(
            f"The database is at revision {found!r}: it was made by a gm from before the first release.",
            "Play its games to the end with the gm that made it, or name another file or database under [database] in"
            " gm.toml, where gm begins anew.",
        )
    if found is not None and found not in known:
        raise ConfigurationError(
            f"The database is at revision {found!r}, which this program does not know: a newer one has used it.",
            "Install that newer gm again, or restore the backup made before it was installed.",
        )
    return found


def is_current(connection: Connection) -> bool:
    """Whether the database is at the newest revision that this program knows."""
    return revision(connection) == ScriptDirectory.from_config(configuration()).get_current_head()


def upgrade(engine: Engine) -> None:
    """Upgrade to the newest revision in one transaction. Raises ConfigurationError for a newer database."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            _upgrade_sqlite(connection)
        else:
            with connection.begin():
                connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
                _upgrade(connection)


def _upgrade_sqlite(connection: Connection) -> None:
    """Foreign keys rest while tables are rebuilt, as SQLite wants it, and are checked before the commit."""
    driver = connection.connection.cursor()
    driver.execute("PRAGMA foreign_keys = OFF")
    try:
        with connection.begin():
            _upgrade(connection)
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            if broken:
                raise RuntimeError(f"the migration would leave {len(broken)} rows without what they refer to")
    finally:
        driver.execute("PRAGMA foreign_keys = ON")
        driver.close()


def _upgrade(connection: Connection) -> None:
    if not is_current(connection):
        config = configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
