"""The schema of the database: its revision, and the migrations to the newest one."""

from __future__ import annotations

import importlib
import pkgutil
import secrets
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, Table, func, insert, inspect, select, text, update

import gm.store
from gm import folder
from gm.errors import ConfigurationError
from gm.store.about import AboutRow
from gm.store.rows import Base

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK = 0x676D_6D69_6772  # "gmmigr": the number of our advisory lock

REVISION_TABLE = "alembic_version"
"""The table with the revision, which Alembic makes beside those of the migrations."""

_NAMED = 3
_OF_EXTENSIONS = text(
    "SELECT relname FROM pg_class JOIN pg_depend ON objid = pg_class.oid AND classid = CAST('pg_class' AS regclass)"
    " WHERE deptype = 'e'"
)

_UNRELEASED = ("0", "a")
"""How the revisions of databases begin that were never released; no migration leads from them to a later one."""


def configuration() -> Config:
    """Alembic's configuration, without an ini file. `migrations/env.py` expects `connection` in its attributes."""
    from alembic.config import Config  # Alembic takes longer to load than most starts take

    config = Config()
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    return config


def revisions() -> list[str]:
    """The revisions that this program knows, oldest first: their files are named after them."""
    return sorted(path.name.partition("_")[0] for path in (folder("migrations") / "versions").glob("*_*.py"))


def revision(connection: Connection) -> str | None:
    """The database's revision, None if it is empty: if it has no tables at all. Raises ConfigurationError when this
    program does not know the revision, or another program made the tables.
    """
    tables = _tables(connection)
    refuse_tables_of_others(tables)
    if REVISION_TABLE not in tables:
        return None
    found: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    if found is None:
        return None
    known = revisions()
    if found.startswith(_UNRELEASED) or (found == known[-1] and _made_otherwise(connection)):
        raise ConfigurationError(
            f"The database is at revision {found!r}: it was made by a gm from before the first release.",
            "Play its games to the end with the gm that made it, or name another file or database under [database] in"
            " gm.toml, where gm begins anew.",
        )
    if found not in known:
        raise ConfigurationError(
            f"The database is at revision {found!r}, which this program does not know: a newer one has used it.",
            "Install that newer gm again, or restore the backup made before it was installed.",
        )
    return found


def refuse_tables_of_others(tables: Collection[str]) -> None:
    """Raise ConfigurationError for the tables of a database that was made by another program: it has some, and what gm
    makes with its first ones is not among them. Tables that were added beside gm's later do no harm.
    """
    if tables and not {REVISION_TABLE, AboutRow.__tablename__} <= {*tables}:
        raise ConfigurationError(
            "The database has tables of another program"
            f" ({', '.join(sorted(tables)[:_NAMED])}{', ...' * (len(tables) > _NAMED)}), and none of gm.",
            "Name an empty database, or a file that does not exist yet.",
        )


def _tables(connection: Connection) -> set[str]:
    """The tables of the database, without those of PostgreSQL's extensions, which may be there from the beginning."""
    names = {*inspect(connection).get_table_names()}
    if connection.dialect.name == "postgresql":
        names -= {*connection.execute(_OF_EXTENSIONS).scalars()}
    return names


def _made_otherwise(connection: Connection) -> bool:
    """Whether the columns that it was made with are others than this program makes with the same revision."""
    made = connection.scalar(select(AboutRow.made))
    return made is not None and _columns(_of_ours(made)) != _needed()


def is_current(connection: Connection) -> bool:
    """Whether the database is at the newest revision that this program knows."""
    return revision(connection) == revisions()[-1]


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
    """Switch foreign keys off while tables are rebuilt, as SQLite requires, and check them before the commit."""
    with connection.begin():
        if is_current(connection):
            return
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
        from alembic import command

        config = configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        _note_how_it_is_made(connection)


# ---- whether it still is as it was made


_DESCRIBED = {
    "sqlite": text(
        "SELECT 'column ' || t.name || '.' || c.name || ' ' || lower(c.type)"
        " || CASE WHEN c.\"notnull\" THEN ' not null' ELSE '' END"
        " FROM sqlite_master t JOIN pragma_table_xinfo(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'"
        " UNION ALL SELECT type || ' ' || tbl_name || '.' || name FROM sqlite_master WHERE type IN ('index', 'trigger')"
    ),
    "postgresql": text(
        "SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type"
        " || CASE WHEN is_nullable = 'NO' THEN ' not null' ELSE '' END"
        " FROM information_schema.columns WHERE table_schema = current_schema()"
        " UNION ALL SELECT 'index ' || tablename || '.' || indexname FROM pg_indexes"
        " WHERE schemaname = current_schema()"
        " UNION ALL SELECT 'trigger ' || relname || '.' || tgname FROM pg_trigger"
        " JOIN pg_class ON pg_class.oid = tgrelid WHERE NOT tgisinternal"
        " AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
    ),
}


@cache
def every_table() -> Sequence[Table]:
    """All tables of this program, each after those that it refers to."""
    for module in pkgutil.iter_modules(gm.store.__path__):  # each declares its tables when it is imported
        importlib.import_module(f"gm.store.{module.name}")
    return Base.metadata.sorted_tables


@cache
def _needed() -> frozenset[str]:
    return frozenset(f"column {table.name}.{column.name}" for table in every_table() for column in table.columns)


def _columns(described: Iterable[str]) -> set[str]:
    """The columns of a description, without their types."""
    return {" ".join(line.split()[:2]) for line in described if line.startswith("column ")}


def _of_ours(described: Iterable[str]) -> set[str]:
    """What a description says of the tables of this program; others may be beside them."""
    ours = tuple(f"{kind} {table.name}." for kind in ("column", "index", "trigger") for table in every_table())
    return {line for line in described if line.startswith(ours)}


def described(connection: Connection) -> set[str]:
    """The schema as it is: a line for each column, index and trigger of a table of this program."""
    return _of_ours(connection.execute(_DESCRIBED[connection.dialect.name]).scalars())


def _note_how_it_is_made(connection: Connection) -> None:
    made = sorted(described(connection))
    there = connection.execute(select(AboutRow.id)).first()
    if there is not None:
        connection.execute(update(AboutRow).values(made=made))
        return
    new = {"database": secrets.token_hex(8), "key": "", "address": "", "made": made, "backed_up_to": ""}
    connection.execute(insert(AboutRow).values(new))


def altered(connection: Connection) -> list[str]:
    """What is not as it was made, and as this program needs it: what is (missing), and columns and triggers that
    somebody has (added) to a table of ours. Empty if all is right.
    """
    found = described(connection)
    added: list[str] = []
    missing = {*_needed()} - _columns(found)
    if not missing and (made := connection.scalar(select(AboutRow.made))) is not None:
        missing = _of_ours(made) - found
        added = [f"{line} (added)" for line in found - {*made} if not line.startswith("index ")]
    return sorted([*(f"{line}{_MISSING}" for line in missing), *added])


_MISSING = " (missing)"


def lost(wrong: Iterable[str]) -> list[str]:
    """Of what is not as it was made, the columns that are not there, or of another type: what was in them is gone."""
    return [line for line in wrong if line.startswith("column ") and line.endswith(_MISSING)]
