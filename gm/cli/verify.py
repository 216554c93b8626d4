"""`gm verify`: repeats every random draw of a finished game from its seed, and adjudicates every phase again (BH-2).

gm verify spring                                 a game of this server
gm verify spring --export spring.json            export its history, for its players
gm verify --seed 1f3a... --history spring.json   a game from its published history, without a server
"""

from __future__ import annotations

import argparse
import email
import email.policy
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from itertools import zip_longest
from pathlib import Path
from typing import Any

from gm.advance import advance
from gm.chance import Witness
from gm.cli import load
from gm.errors import ConfigurationError
from gm.options import GameOptions
from gm.orders import order_from_json
from gm.orders.notation import attributed
from gm.play.export import (
    Chronicle,
    Entry,
    NoChronicle,
    chronicle_from_json,
    chronicle_of,
    finished_game,
    first_mails,
    record_of,
)
from gm.play.missing_orders import random_orders
from gm.play.seats import deal
from gm.position import Position, position_to_json
from gm.store.copying import opened
from gm.turn import turn_to_json
from gm.variants import Variant


def main(given: argparse.Namespace) -> int:
    """Verify a game; 1 when something does not agree."""
    if given.history is not None:
        if given.seed is None or given.game is not None:
            raise ConfigurationError("To verify a history, give its seed.", "gm verify --seed HEX --history FILE")
        return _tell(_read(given.history), _seed(given.seed), given.commitment, None)
    if given.game is None:
        raise ConfigurationError("No game is named.", "gm verify GAME, or gm verify --seed HEX --history FILE")
    with opened(load(given.home).database.url) as database, database.reading() as session:
        game = finished_game(session, given.game)
        chronicle, seed = chronicle_of(session, game), bytes.fromhex(game.seed)
        record = record_of(session, game)
        published = _published(first_mails(session, game), chronicle.first_commitment)
    if given.export is not None:
        text = json.dumps(record, indent=1, ensure_ascii=False)
        given.export.write_text(text + "\n", encoding="utf-8")
        print(f"{given.export} has the history of {chronicle.name}. Anybody who has gm can verify it with\n")
        print(f"    gm verify --seed {seed.hex()} --history {given.export.name}\n")
    return _tell(chronicle, seed if given.seed is None else _seed(given.seed), given.commitment, published)


# What is checked


def _published(raws: Sequence[bytes], commitment: str) -> tuple[int, int]:
    """How many of the first mails are stored, and how many of them contain the commitment."""
    return len(raws), sum(commitment in "".join(_words(raw).split()) for raw in raws)


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
        raise ConfigurationError(f"{text!r} is not a seed.", "It is in the game's last mail: 64 hexadecimal digits.")
    return seed


# The report


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
    print(f"\n{phases} phases were adjudicated again and {draws} draws repeated.", end=" ")
    print(f"{wrong} things do NOT agree." if wrong else "Everything agrees with the game as played.")
    return 1 if wrong else 0


def _commitment(chronicle: Chronicle, given: str | None, published: tuple[int, int] | None) -> Finding:
    """Whether the commitment is the one that was published before the game began."""
    if given is not None:
        same = "".join(given.split()).lower() == chronicle.first_commitment
        faults = () if same else (f"It is {chronicle.first_commitment}, not {given}.",)
        return Finding("Commitment as given", faults=faults)
    if GameOptions(chronicle.options).sandbox:
        return Finding(f"Commitment; no mail of a sandbox has it: {chronicle.first_commitment}")
    if published is None or not published[0]:
        return Finding(f"Commitment; compare it with the game's first mail: {chronicle.first_commitment}")
    kept, right = published
    faults = () if kept == right else (f"{kept - right} of {kept} first mails have another commitment.",)
    return Finding(f"Commitment, as {right} first mails have it", faults=faults)


# playing again


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: its draws, as sentences, and what did not agree."""

    title: str
    draws: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def replay(chronicle: Chronicle, seed: bytes) -> Iterator[Finding]:
    """Replay the game, part by part. `seed` is the last one; earlier seeds are in the chronicle."""
    seeds = [*map(bytes.fromhex, chronicle.told_seeds), seed]
    chances = [Witness(one, chronicle.name) for one in seeds]
    last = chances[-1].commitment
    kept = last == chronicle.commitment
    yield Finding("Seed", faults=() if kept else (f"Its SHA-256 is {last}, not {chronicle.commitment}.",))
    if GameOptions(chronicle.options).sandbox:
        yield Finding("Sandbox: its powers were not dealt, and it began at a position of another game")
    else:
        yield _powers(chronicle, chances[0])
        if chronicle.entries:
            yield _opening(chronicle, chances[0])
    followers = (*chronicle.entries[1:], None)
    for entry, after in zip(chronicle.entries, followers, strict=True):
        if entry.result is not None:
            yield _phase(chronicle, entry, after, chances[min(entry.seed, len(chances) - 1)])


def _powers(chronicle: Chronicle, chance: Witness) -> Finding:
    dealing, seating = chronicle.dealing, chronicle.game.seating
    if not seating.powers:
        return Finding("Powers, named by their players")
    if dealing is None and chronicle.options.get("anonymous") == "always":
        return Finding("Powers; how they were dealt is not published, because their players stay anonymous")
    if dealing is None:
        return Finding("Powers", faults=("How they were dealt is not recorded.",))
    again = deal(seating, dealing.wishes, chance)
    faults = () if again == dealing.dealt else (f"Dealt: {', '.join(dealing.dealt)}; drawn again: {', '.join(again)}.",)
    return Finding("Powers", chance.revealed(), faults)


def _opening(chronicle: Chronicle, chance: Witness) -> Finding:
    again = chronicle.game.opening(chronicle.powers, chance)
    differences = _differences_of(chronicle, chronicle.entries[0], again, chance)
    return Finding("Opening", chance.revealed(), tuple(differences))


def _phase(chronicle: Chronicle, entry: Entry, after: Entry | None, chance: Witness) -> Finding:
    """A phase adjudicated again: its random orders, the position after it, and its stored result."""
    game, before = chronicle.game, entry.position
    faults = [
        f"The orders of {power} are not the random orders drawn for it."
        for power in entry.by_lot
        if tuple(random_orders(game, before, power, chance)) != tuple(entry.orders.get(power, ()))
    ]
    turn = advance(game, before, entry.orders, chance)
    if after is not None:
        faults += _differences_of(chronicle, after, turn.after, chance)
    again = json.loads(json.dumps(turn_to_json(turn, game.rules)))
    faults += _differences_of_results(game, entry.result, again)
    return Finding(entry.code, chance.revealed(), tuple(faults))


def _differences_of_results(game: Variant, kept: Any, again: Mapping[str, Any]) -> Iterator[str]:
    """The differences between a stored turn and its replay: order by order, then everything else."""
    outcomes = kept.get("outcomes") if isinstance(kept, Mapping) else None
    if not isinstance(outcomes, list) or kept.get("v") != again["v"]:
        yield f"Its result is stored in another format than this program's format {again['v']}."
        return
    for one, other in zip_longest(outcomes, again["outcomes"]):
        if one != other:
            was, comes_out = _brief(one, other), _brief(other, one)
            order = _order_of(game, one if other is None else other)
            yield f"The stored outcome of {order} is {was}; adjudicated again it is {comes_out}."
    for part in sorted((kept.keys() | again.keys()) - {"outcomes"}):
        if kept.get(part) != again.get(part):
            was, comes_out = _brief(kept.get(part), again.get(part)), _brief(again.get(part), kept.get(part))
            yield f"The result has {part} {was}; adjudicated again it is {comes_out}."


def _order_of(game: Variant, outcome: Any) -> str:
    """The order of an outcome as written by interfaces; the value itself if it is not an order."""
    try:
        return attributed(order_from_json(outcome["order"], game.language))
    except (KeyError, TypeError, ValueError):
        return json.dumps(outcome)


def _differences_of(chronicle: Chronicle, entry: Entry, again: Position, chance: Witness) -> list[str]:
    """The differences between a stored position and its replay. The stored one includes players who joined in the phase
    and, if its orders were closed for review, the changes made then; of a phase that was not adjudicated the orders are
    unknown.
    """
    late, review = chronicle.game.seating.late, chronicle.game.review
    kept = entry.position if late is None else late.unlisted(entry.position)
    if review is not None:  # what was revealed in the phase is in the stored one
        kept, again = review.conceal(kept), review.conceal(again)
    found = list(_differences(kept, again))
    if found and review is not None and entry.result is None:
        return list(_differences(review.reopen(kept), again))
    if found and review is not None:
        return list(_differences(kept, review.close(chronicle.game, again, entry.orders, chance)))
    return found


def _differences(kept: Position, again: Position) -> Iterator[str]:
    """The differences between two positions, part by part."""
    one, other = position_to_json(kept), position_to_json(again)
    for part, value in one.items():
        if value != other[part]:
            was, comes_out = _brief(value, other[part]), _brief(other[part], value)
            yield f"The position has {part} {was}; adjudicated again it is {comes_out}."


def _brief(value: Any, beside: Any) -> str:
    """A value in a sentence; for lists and mappings, what the other does not have."""
    if isinstance(value, dict) and isinstance(beside, dict):
        value = {key: held for key, held in value.items() if beside.get(key) != held}
    elif isinstance(value, list) and isinstance(beside, list):
        value = [held for held in value if held not in beside]
    return json.dumps(value)
