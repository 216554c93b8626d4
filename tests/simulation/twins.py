"""Twin worlds: one seed is played twice, with one difference that somebody keeps secret, and nobody else's mail may
tell the one from the other by a byte.

The secret is what the last player of a game orders in its first phase or a later one, before the deadline and in the
time for review after it (in the game with an Alien that is the Alien, who overrides the others' orders then; with black
holes it is an exemption besides), or that player's name in an anonymous game, and everything that `hidden` has.
Everybody asks for everything that there is to ask, and the gallery is published.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from difflib import unified_diff
from typing import Any

from tests.simulation.hidden import KEEPER
from tests.simulation.people import Secret
from tests.simulation.promises import Promise, check
from tests.simulation.schedule import Event, Outcome, Sent, made_from, play
from tests.simulation.ways import Ways

STEPS = 12


def events_of_twins(seed: int, steps: int = STEPS) -> list[Event]:
    """The events of both worlds, of which the one with the secret is the first."""
    when = 400 if seed % 4 < 2 else 90_000  # in the first phase, or in a later one
    events = [Event(when, "secret", seed), Event(0, "hidden", seed), *made_from(seed, steps, faults=False, pause=300)]
    return [replace(event, place=place) for place, event in enumerate(events)]


def twins(
    seed: int,
    events: Sequence[Event],
    new_url: Callable[[], str] = str,
    **how: Any,
) -> Outcome:
    """What anybody was sent differently in the twin worlds of a seed, in which these events happen, played like `how`.
    Of odd seeds the secret is a name. Each world has a database of its own at a `new_url`, "" for a SQLite file."""
    ways, began = Ways(listens=True, level="open"), time.process_time()
    found = Outcome(seed, Counter({"pairs of twin worlds": 1}), of_twins=True)
    worlds = list[Outcome]()
    secrets = [Secret(choice, of_name=bool(seed % 2)) for choice in (0, 1)]
    for secret in secrets:
        twin: Any = {"secret": secret, "ways": ways, "keep": True, "games": 1, "at_rest": timedelta(hours=30)}
        worlds.append(play(seed, events, new_url(), **twin, **how))
        if worlds[-1].broken:
            found.broken, found.where, found.at = worlds[-1].broken, worlds[-1].where, worlds[-1].at
            break
    else:
        check(found.counts, Promise.TWINS)
        found.broken = _difference(secrets, worlds)
        public = (_public(secret, world, _told_later(secrets)) for secret, world in zip(secrets, worlds, strict=True))
        found.told_apart = _told_apart(*public)
    found.seconds = time.process_time() - began
    return found


def _difference(secrets: Sequence[Secret], worlds: Sequence[Outcome]) -> str:
    if worlds[0].sent == worlds[1].sent:
        return "the twins are alike: their secret changed nothing"
    one, other = (_public(secret, world, _told_later(secrets)) for secret, world in zip(secrets, worlds, strict=True))
    return difference(one, other, "depends on a secret")


def _told_apart(one: Sequence[Sent], other: Sequence[Sent]) -> frozenset[str]:
    """The lines that somebody is sent in only one of the worlds."""
    first, second = ({(to, line) for _, to, raw in sent for line in _lines(raw)} for sent in (one, other))
    return frozenset(line for _, line in first ^ second)


def _lines(raw: bytes) -> list[str]:
    return raw.decode("utf-8", "replace").splitlines()


def difference(first: Sequence[Sent], second: Sequence[Sent], words: str) -> str:
    """The first mail that differs, with these words, and the lines in which it does."""
    for (purpose, recipient, raw), (_, _, unlike) in zip(first, second, strict=False):
        if raw != unlike:
            return "\n".join(
                (
                    f"{purpose} to {recipient} {words}:",
                    *(f"    {line}" for line in _lines(raw) if line.startswith(("Message-ID:", "Subject:"))),
                    *unified_diff(_lines(raw), _lines(unlike), lineterm="", n=1),
                )
            )
    return "" if len(first) == len(second) else f"{len(first)} mails and {len(second)} mails"


def alike(sqlite: Outcome, postgresql: Outcome) -> str:
    """What anybody is sent differently by a server with the other database."""
    return difference(sqlite.sent, postgresql.sent, "differs on PostgreSQL")


def _told_later(secrets: Sequence[Secret]) -> dict[str, int] | None:
    """In a game of fog, the first phase of which a player may know something else in the one world than in the other,
    by address; those who never do are left out. None for other games, where everybody knows of the secret's phase."""
    if not secrets[0].sights:
        return None
    found = dict[str, int]()
    for address, phases in secrets[0].sights.items():
        other = secrets[1].sights.get(address, {})
        unlike = [phase for phase in sorted({*phases, *other}) if phases.get(phase) != other.get(phase)]
        found |= {address: unlike[0]} if unlike else {}
    return found


def _public(secret: Secret, world: Outcome, later: dict[str, int] | None) -> list[Sent]:
    """What everybody but the keeper of the secret, their deputies and the gamemasters was sent, up to the end of the
    secret, which in fog is another for each (`later`); friends, whom a player asks in person to be the deputy, are told
    by whom they are asked."""
    found, knowing = list[Sent](), {secret.keeper, *secret.acquainted.get(secret.keeper, ())}
    for purpose, recipient, raw in world.sent:
        if later is None and secret.phase and purpose.startswith(f"report:{secret.phase}:"):
            break
        if later is not None and recipient in later and purpose.startswith(f"report:{later[recipient]}:"):
            knowing.add(recipient)
        knows = recipient in knowing or (secret.of_name and recipient.endswith("@friends.sim"))
        if not knows and not recipient.endswith(("@gm.sim", f"@{KEEPER}")):
            found.append((purpose, recipient, raw))
    return sorted(found, key=lambda sent: sent[1]) + secret.published  # nobody sees in what order others are written to
