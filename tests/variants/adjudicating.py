"""Asks `gm adjudicate` about a phase, and about the one that follows."""

from __future__ import annotations

import json
from typing import Any

from gm.cli.adjudicate import answer_line


def adjudicated(**question: Any) -> dict[str, Any]:
    """The answer to one phase."""
    answer: dict[str, Any] = json.loads(answer_line(1, json.dumps(question).encode()))
    return answer


def following(answer: dict[str, Any], *orders: str, **question: Any) -> dict[str, Any]:
    """The answer to the phase that follows an answer; `question` is what no answer says, as the variant."""
    return adjudicated(
        **question,
        **answer["next"],
        units=answer["units_after"],
        dislodged=[{key: d[key] for key in ("unit", "from", "convoyed")} for d in answer["dislodged"]],
        contested=answer["contested"],
        centers=answer["centers_after"],
        state=answer["state_after"],
        orders=orders,
    )
