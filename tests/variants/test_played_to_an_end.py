"""The games that are data, played to an end by real mail: a server, and a correspondent for each power who orders
what a stand-in would, by SMTP and Maildirs. Then everything that is made from the finished game, and from its file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from gm.chance import Chance
from gm.cli import init, main
from gm.cli.demo_command import ADDRESS, GAME, serving
from gm.demo import Correspondent, Mailroom, Play, Script, is_over, text_of
from gm.maps.scene import liveries_of
from gm.variants import Variant, from_files
from tests.demo import script as scripts
from tests.mail.transport.dovecot import free_port
from tests.variants.adjudicating import adjudicated

pytestmark = pytest.mark.long(seconds=80)

USUALLY = (4, 7)
ENDS = {
    **{"1898": (6, 5), "crowded": (6, 6), "chaos": (5, 3)},
    **{"france-austria": (1, 18), "germany-italy": (2, 18), "england-turkey": (3, 18)},
}
"""The seed of the stand-ins, and how many centres win: all are over after seven or nine phases with a
retreat and a winter, but for the games of two, which have no retreat, and are over after eleven."""


@pytest.mark.parametrize("game", from_files.games(), ids=lambda game: game.name)
def test_a_game_that_is_data(game: Variant, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home, port = tmp_path / "home", free_port()
    script = scripts.script_of(game.name, *ENDS.get(game.name, USUALLY))
    init.write(home, address=ADDRESS, mode="alone", port=port)
    mailroom, told = Mailroom(port, home / "mail"), list[str]()
    play = Play(script, mailroom, ADDRESS, told.append)
    with serving(home, port):
        play.run(GAME)
        asked(Play(script, mailroom, ADDRESS, told.append), game)
        mailroom.close()
    everybody_has_the_results(play, script, told, len(game.seating.powers))
    capsys.readouterr()
    whole = tmp_path / "whole.json"
    assert main(["verify", GAME, "--home", str(home), "--export", str(whole)]) == 0
    assert "Everything agrees" in capsys.readouterr().out
    exported(home, game, script, capsys)
    judged_alone(json.loads(whole.read_text(encoding="utf-8"))["phases"], script)
    published(home, game, tmp_path / "site")
    assert "Traceback" not in (home / "gm.log").read_text(encoding="utf-8")


def asked(play: Play, game: Variant) -> None:
    """What somebody without a seat can ask about the game."""
    zoe = Correspondent("Zoe Reader", "zoe@mail.example")
    listed = text_of(play.ask(zoe, ADDRESS, "LIST FINISHED"))
    assert game.title in listed, listed
    assert game.title.upper() in text_of(play.ask(zoe, ADDRESS, f"RULES {game.name}")).upper()
    report = play.ask(zoe, ADDRESS, f"PRACTICE {game.name}")
    assert f"({game.title})" in text_of(report)
    helped = text_of(play.ask(zoe, ADDRESS, "HELP PRACTICE"))
    assert game.name in helped


def everybody_has_the_results(play: Play, script: Script, told: list[str], powers: int) -> None:
    """Every phase was ordered and reported, and the last report of each says who has won."""
    assert len(play.people) == powers
    assert [code for code in script.orders if not any(line.startswith(f"{code}  ") for line in told)] == []
    endings = {str(mail["Subject"]) for one in play.people for mail in one.mails if is_over(str(mail["Subject"]))}
    (ending,) = endings
    assert all(any(str(mail["Subject"]) == ending for mail in one.mails) for one in play.people)


def exported(home: Path, game: Variant, script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    """The history for other programs has every phase, and the map of the start the colours of all powers."""
    assert main(["export", GAME, "--home", str(home), "--form", "njudge"]) == 0
    history = capsys.readouterr().out
    assert history.count("Subject:") >= len(script.orders)
    first = next(iter(script.orders))
    assert main(["export", GAME, "--home", str(home), "--form", "svg", "--phase", first]) == 0
    drawn = capsys.readouterr().out
    start = game.opening(game.seating.powers, Chance(bytes(32)))
    colours = liveries_of(game.view(game, start, None, None))
    assert [power for power in game.seating.powers if colours[power].strong not in drawn.lower()] == []


def judged_alone(phases: Sequence[Mapping[str, Any]], script: Script) -> None:
    """`gm adjudicate` leads from the first phase to the second."""
    given = script.orders[phases[0]["phase"]]
    lines = [f"{power}: {line}" for power, own in given.items() for line in own]
    answer = adjudicated(**phases[0]["position"], variant=script.variant, orders=lines)
    assert answer["units_after"] == phases[1]["position"]["units"]
    assert answer["centers_after"] == phases[1]["position"]["centers"]


def published(home: Path, game: Variant, site: Path) -> None:
    """The gallery has a page for the game, with its title and every power."""
    assert main(["publish", "--home", str(home), "--to", str(site)]) == 0
    page = (site / "games" / GAME / "index.html").read_text(encoding="utf-8")
    assert game.title in page
    assert [power for power in game.seating.powers if power not in page] == []
