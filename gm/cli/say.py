"""`gm say`: sends one mail to a server on this machine and shows the answer; for trying things out."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from gm.cli import add_home
from gm.demo.clients import Draft, terminal
from gm.demo.play import Mailroom, text_of
from gm.errors import ConfigurationError
from gm.settings import load


def main(argv: Sequence[str]) -> int:
    """Send the words given (or standard input) and print the answer."""
    parser = argparse.ArgumentParser(prog="gm say", description="Send one mail to your own server and show the answer.")
    add_home(parser)
    parser.add_argument("--from", dest="sender", required=True, metavar="ADDRESS", help="your address")
    parser.add_argument("--to", metavar="ADDRESS", help="a seat's reply address (default: the server's own)")
    parser.add_argument("--wait", type=float, default=10.0, metavar="SECONDS", help="how long to wait (default: 10)")
    parser.add_argument("words", nargs="*", help="the mail's lines (default: standard input)")
    given = parser.parse_args(argv)
    settings = load(given.home)
    if settings.listen is None or settings.listen.protocol != "smtp" or settings.send.kind != "maildir":
        raise ConfigurationError(
            "`gm say` needs a server that listens for SMTP and delivers into Maildirs.",
            "Use your mail program with this one.",
        )
    words = "\n".join(given.words) if given.words else sys.stdin.read()
    mailroom = Mailroom(settings.listen.port, settings.send.maildir)
    mailroom.collect(given.sender)
    try:
        to = given.to or settings.server.address
        mailroom.post(terminal(Draft(given.sender, given.sender, to, "by hand", words, datetime.now(UTC))))
    except OSError as error:
        raise ConfigurationError(
            f"The server does not accept the mail ({error}).", f"Run `gm serve --home {given.home}` first."
        ) from error
    return 0 if _show_answers(mailroom, given.sender, given.wait) else 1


def _show_answers(mailroom: Mailroom, address: str, seconds: float) -> bool:
    """Print incoming mail until the answer has arrived. False when it has not in that time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for mail in mailroom.collect(address):
            print(f"Subject: {mail['Subject']}\nReply-To: {mail['Reply-To']}\n\n{text_of(mail)}")
            if mail["In-Reply-To"]:
                return True
        time.sleep(0.05)
    print(f"No answer arrived within {seconds:.0f} seconds.", file=sys.stderr)
    return False
