"""The script of `gm demo black-hole`: every order is legal, and the draws are those that the script expects."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

from gm.advance import advance
from gm.board import Power
from gm.chance import Chance
from gm.cli.demo_command import GAME as NAME
from gm.demo import load_script
from gm.games.identity import ServerIdentity
from gm.options import read_options
from gm.settings import ServerSettings
from gm.variants.standard import POWERS
from tests.variants.black_hole.scenes import understood
from tests.variants.telling import explained, told


def test_the_scripted_game(tmp_path: Path) -> None:
    script = load_script("black-hole")
    game = read_options({"variant": script.variant, **dict([script.options.split("=")])}).variant
    server = ServerSettings("gm@example.org", zone=ZoneInfo("UTC"), rehearsal_seed=bytes.fromhex(script.rehearsal_seed))
    chance = Chance(bytes.fromhex(ServerIdentity(server, b"k" * 32).new_seed(NAME)), NAME)
    position = game.opening(POWERS, chance)
    news: list[str] = []
    said: set[str] = set()
    turn = None
    while turn is None or turn.victory is None:
        code = position.phase.code
        sets = script.orders.get(code, {})
        given = {Power(p): tuple(understood(position, f"{p}: {line}")[1] for line in own) for p, own in sets.items()}
        missing = {power for power, duty in game.duties(position).items() if not duty.met_by(given.get(power, ()))}
        assert missing == ({"Russia"} if script.silent(code) else set())
        turn = advance(game, position, given, chance)
        news += told(game, turn)
        said |= {explained(game, turn, outcome) for outcome in turn.outcomes}
        position = turn.after
    assert [line.partition(",")[0] for line in news if "becomes" in line] == [
        *("Spain", "Serbia", "Trieste", "Gascony", "The Adriatic Sea", "Greece"),
    ]
    assert "Without an order, the server retreated it by bearings from the middle of Berlin (BH-5)." in said
    assert any("France announces that" in line for line in news)
    assert set(turn.victory.winners) == set(POWERS)
    assert position.phase.code == "W1903A"
