"""What several tests begin with is played once in a process, and copied by the others."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from copy import copy
from dataclasses import fields
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from gm import variants
from gm.games.identity import ServerIdentity

if TYPE_CHECKING:
    from tests.server.world import World

_World = TypeVar("_World", bound="World")
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")

_MOST = 100
_led_to: dict[tuple[object, ...], tuple[bytes, dict[str, Any], Any]] = {}
"""By function, arguments and state: the database, the other fields of the world, and what was returned; those that were
asked for last are the last."""


_playing: list[object] = []


def is_playing() -> bool:
    """Whether what others copy is being played."""
    return bool(_playing)


def kept(play: Callable[Concatenate[_World, _Given], _Result]) -> Callable[Concatenate[_World, _Given], _Result]:
    """What mails have led to once, from the same state of the same kind of world, is copied from then on.

    It is for what is played before a test shows anything; what a test is about is played by the test.
    """

    @wraps(play)
    def played(world: _World, /, *given: _Given.args, **more: _Given.kwargs) -> _Result:
        if world.database.engine.url.database != str(_file(world)):
            return play(world, *given, **more)
        key = (play, repr(given), repr(more), *_state(world))
        if (found := _led_to.pop(key, None)) is None:
            _playing.append(play)
            try:
                result = play(world, *given, **more)
            finally:
                _playing.pop()
            found = _database(world), _copied(_others(world)), copy(result)
        else:
            world.database.dispose()
            for each in world.path.glob("gm.sqlite3*"):
                each.unlink()
            _file(world).write_bytes(found[0])
            vars(world).update(_copied(found[1]))
            result = copy(found[2])
        _led_to[key] = found
        if len(_led_to) > _MOST:
            del _led_to[next(iter(_led_to))]
        return result

    return played


def _file(world: World) -> Path:
    return world.path / "gm.sqlite3"


def _database(world: World) -> bytes:
    """A copy of the database as it is now."""
    with closing(sqlite3.connect(_file(world))) as live, closing(sqlite3.connect(":memory:")) as copied:
        live.backup(copied)
        return copied.serialize()


def _others(world: World) -> dict[str, Any]:
    """The world's fields."""
    return {one.name: getattr(world, one.name) for one in fields(world) if one.name != "path"}


def _copied(values: dict[str, Any]) -> dict[str, Any]:
    """Copies of these fields, and of the lists and dictionaries in them."""
    return {
        name: {inner: copy(one) for inner, one in value.items()} if type(value) is dict else copy(value)
        for name, value in values.items()
    }


def _state(world: World) -> tuple[object, ...]:
    """All on which it depends what a mail does; of everybody's mails their number, for the database has sent them."""
    own = {name: len(value) if isinstance(value, list) else value for name, value in _others(world).items()}
    own["mailboxes"] = {address: len(mails) for address, mails in world.mailboxes.items()}
    rules = tuple(game.rules for game in variants.register())
    chance = ServerIdentity.new_seed  # which tests replace
    trust = repr(world.service.identity.trust)
    return type(world), repr(own), trust, rules, chance, sha256(_database(world)).digest()
