"""What twin worlds hide besides orders and names: games that are not listed, sandboxes and practice games, who is
registered here, who has written grey press, and whether a secret seat has a player. Both worlds have the same rows, of
which others may not know what they are; then everybody asks for them by every name that they have in one of the worlds.
"""

from __future__ import annotations

import itertools
import random
import tempfile
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from gm.board import Power
from gm.gallery import MARK, Site, publish_game, publish_index, site_facts
from gm.games.report_inputs import adjudicated, turn_of
from gm.games.snapshot import Game, Seat
from tests.simulation.people import People, calm
from tests.simulation.ways import BASE
from tests.variants.fog.knowing import known

KEEPER = "secrets.sim"
"""Where those are who have what is hidden."""
_BY_NAME = (
    *("STATUS {}", "MAP {}", "POSITION {}", "HISTORY {}", "HISTORY {} ALL", "SUMMARY {}", "EXPORT {}", "RULES {}"),
    *("OBSERVE {}", "JOIN {}", "JOIN {} AS France", "TAKEOVER {}", "STANDBY {}", "STANDBY {} OFF", "STOP {}"),
    *("UNOBSERVE {}", "SANDBOX {}", "CREATE mine LIKE {}", "WHY {} A PAR"),
)
_OF_PEOPLE = ("ADDRESS ADD {}", "INVITE {}", "REPLACE France WITH {}", "STOP FROM {}", "SANDBOX WITH {}")
_OF_ALL = ("LIST", "LIST ALL", "LIST FORMING", "HELP", "CREATE standard", "A XYZ-ABC")


def hide(people: People, rng: random.Random) -> None:
    """Hide everything, let everybody ask for it, once more after those who have it have done something, and let the
    gallery be published.
    """
    kept, game = people.secret, people.world.game(people.games[0])
    if kept is None or game.phase is None:
        return
    choice, number = kept.choice, rng.randrange(1 << 40)
    _write(people, f"chair@{KEEPER}", BASE, f"CREATE hidden{choice} listed=no")
    _write(people, f"known{choice}@{KEEPER}", BASE, "REGISTER Somebody Known")
    for place, words in enumerate(("SANDBOX standard", "PRACTICE")):
        _write(people, f"own{place ^ choice}@{KEEPER}", BASE, words if choice == 0 else ("PRACTICE", "SANDBOX")[place])
    for minutes, act in ((5, _ask), (10, _grey), (15, _stop), (20, _grey), (25, _leave), (30, _publish)):
        people.world.later(timedelta(minutes=minutes), partial(act, people, random.Random(number + minutes)))


def note_sights(people: People) -> None:
    """Note what everybody may know of the phases of a game in fog, after which the secret is no secret to some."""
    if people.secret is None or not people.games:
        return
    world, game = people.world, people.world.game(people.games[0])
    if not game.variant.veiled:
        return
    machine = world.machines[0]
    with machine.server.service.database.reading() as session:
        turns = {row.id: turn_of(session, game, row) for row in adjudicated(session, game)}
    for seat in game.held:
        told = {phase: repr(known(turn, Power(seat.power or ""))) for phase, turn in turns.items()}
        people.secret.sights[people.holder(seat)] = told


def _write(people: People, sender: str, to: str, words: str, **about: Any) -> None:
    people.write("hidden", sender, to, words, calm(), asks=False, **about)


def _says(people: People, game: Game, seat: Seat, words: str) -> None:
    got = people.last_of(people.holder(seat), game.name)
    if got is not None:
        _write(people, people.holder(seat), got.reply_to, words, cites=got, game=game.name, seat=seat.id)


def _ask(people: People, rng: random.Random) -> None:
    del rng
    game, told = people.world.game(people.games[0]), itertools.count(people.world.number())
    rows = people.world.rows("SELECT name FROM game WHERE name LIKE 'sandbox-%' OR name LIKE 'practice-%'")
    numbers = sorted({row.name.split("-")[1] for row in rows})
    names = ["hidden0", "hidden1", *(f"{kind}-{number}" for kind in ("sandbox", "practice") for number in numbers)]
    for name in names:
        stranger = f"curious{next(told)}@strangers.sim"
        _write(people, stranger, BASE, "\n".join(line.format(name) for line in _BY_NAME))
        if not name.startswith("hidden"):  # that such a name is not free is all that is told
            _write(people, stranger, BASE, f"CREATE {name}")
    for number in (0, 1):
        _says(people, game, game.players[0], "\n".join(line.format(f"hidden{number}") for line in _BY_NAME))
        lines = "\n".join(line.format(f"known{number}@{KEEPER}") for line in _OF_PEOPLE)
        _write(people, f"curious{next(told)}@strangers.sim", BASE, f"REGISTER Curious\n{lines}")
        _says(people, game, game.players[0], lines)
    _write(people, f"curious{next(told)}@strangers.sim", BASE, "\n".join(_OF_ALL))


def _grey(people: People, rng: random.Random) -> None:
    """One of the two last players writes grey press to the first, the other asks for something."""
    game, kept = people.world.game(people.games[0]), people.secret
    if kept is None or len(game.players) < 4:
        return
    said = rng.random()
    for place, seat in enumerate(game.players[-2:]):
        kept.acquainted.setdefault(kept.keeper, set()).add(people.holder(seat))
        letter = f"GREY PRESS TO {game.players[0].power}\nGuess who says {said}.\nENDPRESS"
        _says(people, game, seat, letter if place == kept.choice else "WHOAMI")


def _stop(people: People, rng: random.Random) -> None:
    """The first player stops press from the last, and asks what there was."""
    del rng
    game = people.world.game(people.games[0])
    _says(people, game, game.players[0], f"STOP PRESS FROM {game.players[-1].power}\nPRESS WITH ALL")


def _leave(people: People, rng: random.Random) -> None:
    """In one of the worlds a secret seat loses its player."""
    del rng
    game, kept = people.world.game(people.games[0]), people.secret
    if kept is None or kept.of_name:
        return
    for seat in filter(game.is_secret, game.players):
        _says(people, game, seat, f"RESIGN {game.name}" if kept.choice else "WHOAMI")
        _stop(people, calm())


def _publish(people: People, rng: random.Random) -> None:
    """The whole gallery, as one more thing that everybody is sent; not when everybody may know what was ordered."""
    del rng
    world, kept = people.world, people.secret
    machine = next((machine for machine in world.machines if machine.up), None)
    if kept is None or machine is None or kept.phase not in (0, world.game(people.games[0]).phase_id):
        return
    server = machine.server.service
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site = Site(folder, site_facts(server))
        for row in world.rows("SELECT id FROM game ORDER BY id"):
            publish_game(server, site, row.id)
        publish_index(server, site)
        files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MARK)
        kept.published += [("gallery", str(path.relative_to(folder)), path.read_bytes()) for path in files]
