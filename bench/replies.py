"""What is read of replies, by this program or by a library, over the replies of `tests/mail/message/programs.toml`.

    python -m bench.replies here
    python -m bench.replies > replies.json; python bench/replies.py email-reply-parser < replies.json

The last runs by the Python of an environment of its own and imports nothing of ours.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any


def ours() -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The plain replies: the body, the sender's own lines, and the lines that are quoted."""
    from tests.mail.message.replies import PROGRAMS, replies

    plain = (reply for program in PROGRAMS if not program.html for reply in replies(program))
    return [(reply.raw.split(b"\n\n", 1)[1].decode(), reply.own, reply.quoted) for reply in plain]


def reader(name: str) -> Callable[[str], str]:
    """What a library takes for the sender's own words of a body."""
    if name == "email-reply-parser":
        from email_reply_parser import EmailReplyParser  # type: ignore[import-not-found,unused-ignore]

        return lambda body: str(EmailReplyParser.parse_reply(body))
    if name == "mail-parser-reply":
        from mailparser_reply import EmailReplyParser as Parser  # type: ignore[import-not-found,unused-ignore]

        known = ["en", "de", "fr", "it", "es", "pl", "nl", "sv", "da", "cs", "ja"]
        return lambda body: str(Parser(languages=known).read(text=body).latest_reply or "")
    import quotequail  # type: ignore[import-not-found,unused-ignore]

    return lambda body: str((quotequail.unwrap(body) or {"text_top": body}).get("text_top", ""))


def measure(name: str) -> str:
    """One row: replies read exactly, with own lines lost, with quoted lines taken; milliseconds a reply."""
    return counted(name, reader(name), json.load(sys.stdin))


def here() -> str:
    """The row of this program, which reads whole mails, with their headers; what it reads once has been read before."""
    from tests.mail.message.messages import read
    from tests.mail.message.replies import PROGRAMS, replies

    cases = [(one.raw, one.own, one.quoted) for program in PROGRAMS if not program.html for one in replies(program)]
    for raw, *_ in cases:
        read(raw)
    return counted("here", lambda raw: read(raw).text, cases)


def counted(name: str, read: Callable[[Any], str], cases: Sequence[tuple[Any, Sequence[str], Sequence[str]]]) -> str:
    """The row of a reader over cases: what it reads, the sender's own lines, and the quoted ones."""
    exact, lost, taken, began = 0, 0, 0, time.process_time()
    for body, own, quoted in cases:
        found = [line.strip() for line in read(body).splitlines() if line.strip()]
        exact += found == list(own)
        lost += not set(own) <= set(found)
        taken += bool((set(quoted) - set(own)) & set(found))
    spent = 1000 * (time.process_time() - began) / len(cases)
    return f"{name}: of {len(cases)} exact {exact}, own lines lost {lost}, quoted lines taken {taken}, {spent:.2f} ms"


if __name__ == "__main__":
    if sys.argv[1:] == ["here"]:
        print(here())
    else:
        print(measure(sys.argv[1]) if sys.argv[1:] else json.dumps(ours()))
