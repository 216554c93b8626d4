"""Asks `gm adjudicate` about a phase, and about the one that follows."""

from __future__ import annotations

import io
import json
from typing import Any

from gm.cli.adjudicate import run


def adjudicated(**question: Any) -> dict[str, Any]:
    """The answer to one phase."""
    output = io.StringIO()
    run([json.dumps(question).encode()], output)
    answer: dict[str, Any] = json.loads(output.getvalue())
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
