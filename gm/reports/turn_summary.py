"""One turn summarized in a few lines of text, for HISTORY, PREVIEW, WHATIF and SUMMARY."""

from __future__ import annotations

from collections.abc import Mapping

from gm.board import Power
from gm.reports.centers import center_changes, eliminations
from gm.reports.longhand import Longhand
from gm.reports.results import dislodgements, events, results, silence, victory
from gm.reports.words import columns, wrap
from gm.views import View


def turn_text(view: View, adjectives: Mapping[Power, str]) -> str:
    """Orders with marks and reasons, what was dislodged, what changed hands. Raises ValueError without a turn."""
    turn = view.turn
    if turn is None:
        raise ValueError("there is no turn to summarize")
    words = Longhand(view.board, adjectives, turn.before.phase.kind)
    lines = [wrap(silence(view, turn))] if turn.silent else []
    for power in results(view, turn, words):
        for line in power.lines:
            mark = f"  (*{line.mark}*)" if line.mark else ""
            lines.append(wrap(f"{power.power}: {line.order}.{mark}", 0, 8))
            lines += [wrap(line.reason, 4)] if line.reason else []
    lines += [
        wrap(sentence, 0, 4) for sentence in (*dislodgements(view, turn, words), *center_changes(view, turn.count))
    ]
    ending = (eliminations(turn), victory(turn, view.words), *events(view, turn))
    lines += [wrap(sentence, 0, 4) for sentence in ending if sentence]
    return "\n".join(lines)


def years_text(years: tuple[tuple[int, Mapping[Power, int]], ...], powers: tuple[Power, ...]) -> str:
    """Centres of each power year by year."""
    head = ("Year", *(power[:3] for power in powers))
    rows = [(str(year), *(str(counts.get(power, 0) or "-") for power in powers)) for year, counts in years]
    return columns([head, *rows])
