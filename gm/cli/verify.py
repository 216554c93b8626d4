"""`gm verify`: every draw of a finished game made again from its seed, and every phase adjudicated again (BH-2).

gm verify spring                                 a game of this server
gm verify spring --export spring.json            write its history down, for its players
gm verify --seed 1f3a... --history spring.json   a game from its published history, without a server
"""

from __future__ import annotations

import argparse
import email
import email.policy
import json
from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from gm.cli import add_home
from gm.cli.replay import Finding, replay
from gm.errors import ConfigurationError
from gm.games.export import (
    Chronicle,
    NoChronicle,
    chronicle_from_json,
    chronicle_of,
    chronicle_to_json,
    table_of_finished,
)
from gm.games.snapshot import Table
from gm.settings import load
from gm.store import game_rows, outbox
from gm.store.database import Database


def main(argv: Sequence[str]) -> int:
    """Check a game; 1 when something does not agree."""
    given = _parser().parse_args(argv)
    if given.history is not None:
        if given.seed is None or given.game is not None:
            raise ConfigurationError("A history is checked against a seed.", "gm verify --seed HEX --history FILE")
        return _tell(_read(given.history), _seed(given.seed), given.commitment, None)
    if given.game is None:
        raise ConfigurationError("No game is named.", "gm verify GAME, or gm verify --seed HEX --history FILE")
    database = Database(load(given.home).database.url)
    try:
        with database.reading() as session:
            table = table_of_finished(session, given.game)
            chronicle, seed = chronicle_of(table), bytes.fromhex(table.game.seed)
            published = _published(table)
    finally:
        database.dispose()
    if given.export is not None:
        text = json.dumps(chronicle_to_json(chronicle), indent=1, ensure_ascii=False)
        given.export.write_text(text + "\n", encoding="utf-8")
        print(f"{given.export} has the history of {chronicle.name}. It is checked, by anybody who has gm, with\n")
        print(f"    gm verify --seed {seed.hex()} --history {given.export.name}\n")
    return _tell(chronicle, seed if given.seed is None else _seed(given.seed), given.commitment, published)


# What is checked


def _published(table: Table) -> tuple[int, int]:
    """How many of the first mails were kept, and in how many of them the commitment stands."""
    line = game_rows.line_of(table.session, table.game)
    raws = [outbox.raw_of(table.session, f"opening:{line[0].id}:{seat.id}") for seat in table.seats] if line else []
    kept = [raw for raw in raws if raw is not None]
    return len(kept), sum(table.chance.commitment in _words(raw) for raw in kept)


def _words(raw: bytes) -> str:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    body = message.get_body(("plain",)) if isinstance(message, EmailMessage) else None
    return str(body.get_content()) if body is not None else ""


def _read(path: Path) -> Chronicle:
    try:
        value: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{str(path)!r} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise NoChronicle(f"{str(path)!r} is not the history of a game: {error}.") from None
    return chronicle_from_json(value)


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) < 16:
        raise ConfigurationError(
            f"{text!r} is not a seed.", "It stands in the game's last mail, in hexadecimal figures: 64 of them."
        )
    return seed


# What is told


def _tell(chronicle: Chronicle, seed: bytes, commitment: str | None, published: tuple[int, int] | None) -> int:
    print(f"The game {chronicle.name} ({chronicle.game.title}), seed {seed.hex()}\n")
    findings = [_commitment(chronicle, commitment, published), *replay(chronicle, seed)]
    for finding in findings:
        print(f"{'WRONG' if finding.faults else 'ok':<6}{finding.title}")
        for line in (*finding.draws, *finding.faults):
            print(f"          {line}")
    wrong = sum(bool(finding.faults) for finding in findings)
    draws = sum(len(finding.draws) for finding in findings)
    phases = sum(entry.result is not None for entry in chronicle.entries)
    print(f"\n{phases} phases were adjudicated again and {draws} draws made again.", end=" ")
    print(f"{wrong} things do NOT agree." if wrong else "All of it agrees with what was played.")
    return 1 if wrong else 0


def _commitment(chronicle: Chronicle, given: str | None, published: tuple[int, int] | None) -> Finding:
    """Whether the commitment is the one that was published before the game began."""
    if given is not None:
        same = given.strip().lower() == chronicle.commitment
        return Finding("Commitment as given", faults=() if same else (f"It is {chronicle.commitment}, not {given}.",))
    if published is None or not published[0]:
        return Finding(f"Commitment; compare it with the game's first mail: {chronicle.commitment}")
    kept, right = published
    faults = () if kept == right else (f"{kept - right} of {kept} first mails have another commitment.",)
    return Finding(f"Commitment, as {right} first mails have it", faults=faults)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gm verify",
        description="Make every draw of a finished game again from its seed, and adjudicate every phase again.",
    )
    add_home(parser)
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game of this server that is over")
    parser.add_argument("--export", type=Path, metavar="FILE", help="write its history down as JSON, for its players")
    parser.add_argument("--history", type=Path, metavar="FILE", help="check this history, without a server")
    parser.add_argument("--seed", metavar="HEX", help="the seed, from the game's last mail")
    parser.add_argument("--commitment", metavar="HEX", help="the commitment, from the game's first mail")
    return parser
