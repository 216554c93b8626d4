"""What is said of lines that look like orders and are none, or are not acted on."""

from __future__ import annotations

from gm.cut import LONGEST
from gm.errors import NotUnderstood
from gm.parsing.lexicon import shorten

CONDITIONS = (
    "if",
    "unless",
    "provided",
    "providing",
    "assuming",
    "falls",
    "wenn",
    "sofern",
    "si",
    "pourvu",
    "in case",
    "depending",
    "as long as",
    "au cas",
    "selon",
    "je nachdem",
    "solange",
)
"""Words that make what is said depend on something."""
UNCONDITIONAL = (
    "Send the order alone, if you mean it in any case; only orders for a later phase can have conditions, see HELP"
    " PHASE."
)


def conditional(text: str) -> NotUnderstood:
    return NotUnderstood(
        f"{shorten(text.strip())!r} depends on a condition that was not read, so it was ignored.",
        UNCONDITIONAL,
        column=1,
    )


def unlike(text: str) -> NotUnderstood:
    return NotUnderstood(
        f"{shorten(text.strip())!r} is not a complete order.", "HELP ORDERS shows how they are written."
    )


def foreign(text: str) -> NotUnderstood:
    return NotUnderstood(
        f"{shorten(text.strip())!r} has letters that are not Latin, though they may look so.",
        "Write it with Latin letters.",
    )


def mixed(text: str) -> NotUnderstood:
    return NotUnderstood(
        f"{shorten(text.strip())!r} has an order among other words, so it was ignored.",
        "Write the order on a line of its own; a comment can follow it in brackets.",
        column=1,
    )


def hopeless(text: str, lines: int) -> NotUnderstood:
    problem = f"{lines} lines were not understood, so reading stopped at {shorten(text.strip())!r}."
    return NotUnderstood(problem, "Send only your orders, one a line.", column=1)


def too_long(text: str) -> NotUnderstood:
    return NotUnderstood(
        f"The line that begins {shorten(text.strip())!r} is too long, so nothing in it was read.",
        f"Write one order or command a line; a line may have {LONGEST:,} characters.",
        column=1,
    )
