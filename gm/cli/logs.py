"""The log of `gm serve`: lines of keys and values, without secrets."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

from gm.mail.message.addresses import TOKEN_LENGTH

_TOKEN = re.compile(rf"(\+[a-z0-9._-]{{1,60}}\.)[a-z2-7]{{{TOKEN_LENGTH}}}(?=@|%40|\b)", re.IGNORECASE)
_PLAIN = re.compile(r"[^\s\"=\\]+")
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


def _pairs(record: logging.LogRecord) -> dict[str, object]:
    """What a line says: when, how grave, where, what, and each extra of it."""
    moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    pairs: dict[str, object] = {
        "time": moment.replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "at": record.name,
        "event": record.getMessage(),
    }
    return pairs | {key: value for key, value in vars(record).items() if key not in _USUAL}


class Json(logging.Formatter):
    """The same as `KeyValue` says, as a JSON object a line; a traceback is in `traceback`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        pairs = _pairs(record)
        if record.exc_info:
            pairs["traceback"] = self.formatException(record.exc_info)
        return hide_tokens(json.dumps(pairs, default=str))


class KeyValue(logging.Formatter):
    """`time=2026-11-20T09:00:00.123Z level=info at=gm.serve event="gm is running"`, and each extra after it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, followed by the traceback if there is one, each line with a bar in front."""
        pairs = _pairs(record)
        lines = [" ".join(f"{key}={_value(value)}" for key, value in pairs.items())]
        if record.exc_info:
            lines += [f"  | {_shown(line)}" for line in self.formatException(record.exc_info).splitlines()]
        return hide_tokens("\n".join(lines))


def hide_tokens(words: str) -> str:
    """The text without the secret part of the addresses of seats, questions and return paths."""
    return _TOKEN.sub(r"\1[hidden]", words)


def _value(value: object) -> str:
    words = str(value)
    if _PLAIN.fullmatch(words) and words.isprintable():
        return words
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_shown(escaped)}"'


def _shown(words: str) -> str:
    """The text with everything escaped that is not seen, ends a line, or moves a terminal's cursor: words of strangers
    stand in the log, too.
    """
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in words)


FORMS = {"logfmt": KeyValue, "json": Json}
"""The forms of the log, by the names that the settings have for them."""


def set_up(level: int, form: str = "logfmt") -> None:
    """Log what is of this level, or above it, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(FORMS[form]())
    logging.basicConfig(level=level, handlers=[handler])
    for talkative in ("apscheduler", "asyncio", "alembic.runtime.plugins"):
        logging.getLogger(talkative).setLevel(logging.WARNING)
