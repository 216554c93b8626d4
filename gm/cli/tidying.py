"""`gm tidy` and `gm forget`: what the operator does so that no more is kept of people than is needed.

Both work on the database, beside a running server or without one.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from gm.cli import add_home
from gm.commands.context import Context, Operator
from gm.commands.leaving import act_forget
from gm.commands.registry import COMMANDS
from gm.errors import ConfigurationError, GmError
from gm.games import loading
from gm.games.identity import ServerIdentity
from gm.mail.message.addresses import parse_address
from gm.server import Server
from gm.server.steps import Tidying
from gm.settings import load
from gm.store import retention
from gm.store.database import Database


def tidy(argv: Sequence[str]) -> int:
    """Thin old mails now."""
    parser = argparse.ArgumentParser(
        prog="gm tidy",
        description="Delete the content of mails that were dealt with or sent long ago. The server does it daily.",
    )
    add_home(parser)
    parser.add_argument("--days", type=int, help="keep mails for so many days (default: keep_days in gm.toml)")
    given = parser.parse_args(argv)
    days = load(given.home).server.keep_days if given.days is None else given.days
    if days < 1:
        raise ConfigurationError(
            "Nothing says how long mails are kept.", "Set keep_days under [server] in gm.toml, or give --days 180."
        )
    server = _server(given.home)
    try:
        total, step = 0, Tidying(server, days)
        while number := step.thin(server.now()):
            total += number
    finally:
        server.database.dispose()
    print(f"{total} mails older than {days} days were thinned.")
    return 0


def forget(argv: Sequence[str]) -> int:
    """Forget the person who has an address, as FORGET ME does, or the address alone."""
    parser = argparse.ArgumentParser(
        prog="gm forget",
        description="Vacate a person's seats and delete their name, addresses and mails, as FORGET ME does.",
    )
    add_home(parser)
    parser.add_argument("address", help="any mail address of the person")
    given = parser.parse_args(argv)
    mailbox = parse_address(given.address)
    if mailbox is None:
        raise ConfigurationError(f"{given.address!r} is not a mail address.", "Write it like name@example.org.")
    server = _server(given.home)
    try:
        with server.transaction() as tx:
            person = loading.person_at(tx.session, mailbox.address)
            if person is not None:
                ctx = Context(tx, Operator(f"forget-{person.id}"), mailbox.address, COMMANDS, actor=person)
                act_forget(ctx, {})
            number = retention.forget(tx.session, {mailbox.address})
    except GmError as error:
        raise ConfigurationError(error.problem, error.remedy) from error
    finally:
        server.database.dispose()
    if person is None:
        print(f"Nobody is registered with {mailbox.address}; {number} mails were thinned.")
    else:
        print(f"{person.name} <{mailbox.address}> is forgotten. Seats are vacant, and their mails are thinned.")
    return 0


def _server(home: Path) -> Server:
    settings = load(home)
    return Server(Database(settings.database.url), ServerIdentity(settings.server, settings.key, settings.trust))
