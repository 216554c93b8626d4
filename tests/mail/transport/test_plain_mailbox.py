"""A whole game over a real Dovecot whose mailbox has one address only; players reply with three programs.

Gmail keeps the name of the address, Outlook drops it, Apple Mail writes the name from its address book.
"""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

from gm.variants.standard import POWERS
from tests.cli.server import MASTER, Running, new_mail, player, text_of
from tests.mail.transport.dovecot import PASSWORD, USER, Dovecot

BOOK = f"The Judge <{USER}>"


def gmail(mail: EmailMessage, sender: str, words: str) -> EmailMessage:
    """HTML beside the text, the quotation below an attribution, the recipient as Reply-To has it."""
    quoted = "".join(f"<div>{line}</div>" for line in text_of(mail).splitlines())
    reply = _reply(mail, sender, str(mail["Reply-To"]))
    intro = f"On Fri, Nov 20, 2026 at 10:00 AM Diplomacy gamemaster <{USER}> wrote:"
    reply.set_content(f"{words}\n\n{intro}\n\n" + "".join(f"> {line}\n" for line in text_of(mail).splitlines()))
    own = words.replace("\n", "<br>")
    reply.add_alternative(
        f'<div dir="ltr">{own}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{intro}<br></div>'
        f'<blockquote class="gmail_quote">{quoted}</blockquote></div>',
        subtype="html",
    )
    return reply


def outlook(mail: EmailMessage, sender: str, words: str) -> EmailMessage:
    """A header block above an unmarked quotation, and only the bare address."""
    reply = _reply(mail, sender, USER)
    head = f"From: Diplomacy gamemaster <{USER}>\nSent: Friday, November 20, 2026 10:00 AM\nTo: {sender}\nSubject: x"
    reply.set_content(f"{words}\n\n________________________________\n{head}\n\n{text_of(mail)}")
    return reply


def apple(mail: EmailMessage, sender: str, words: str) -> EmailMessage:
    """The name that the address book has for the address."""
    reply = _reply(mail, sender, BOOK)
    quoted = "".join(f"> {line}\n" for line in text_of(mail).splitlines())
    reply.set_content(f"{words}\n\n> On 20 Nov 2026, at 10:00, Diplomacy gamemaster <{USER}> wrote:\n> \n{quoted}")
    return reply


def _reply(mail: EmailMessage, sender: str, to: str) -> EmailMessage:
    reply = new_mail(sender, to, "")
    reply.replace_header("Subject", f"Re: {mail['Subject']}")
    reply["In-Reply-To"] = mail["Message-ID"]
    reply["References"] = f"{mail['References'] or ''} {mail['Message-ID']}".strip()
    return reply


PROGRAMS: tuple[Callable[[EmailMessage, str, str], EmailMessage], ...] = (gmail, outlook, apple)
ORDERS = {
    **{"Austria": "A VIE-BUD", "England": "F LON-NTH", "France": "A PAR-BUR", "Germany": "A MUN-RUH"},
    **{"Italy": "A ROM-VEN", "Russia": "A MOS-UKR", "Turkey": "A CON-BUL"},
}


def test_a_game_with_a_mailbox_that_knows_no_plus(tmp_path: Path) -> None:
    with Dovecot() as dovecot:
        settings = {
            **{"SERVER_ADDRESS": USER, "SERVER_PLUS_ADDRESSING": "false", "TRUST_LEVEL": "open"},
            **{"IMAP_HOST": "127.0.0.1", "IMAP_PORT": str(dovecot.port), "IMAP_TLS": "none"},
            **{"IMAP_USER": USER, "IMAP_PASSWORD": PASSWORD},
        }
        with Running(tmp_path / "server", **{f"GM_{key}": value for key, value in settings.items()}) as server:

            def send(*mails: EmailMessage) -> list[EmailMessage]:
                """What each of these mails is answered; the mailbox takes those to its one address."""
                for mail in mails:
                    assert parseaddr(str(mail["To"]))[1] == USER
                    dovecot.drop(mail.as_bytes().replace(b"\n", b"\r\n"))
                keys = [(parseaddr(str(mail["From"]))[1], str(mail["Message-ID"])) for mail in mails]
                server.wait_for(lambda: all(server.answers(*key) for key in keys))
                return [server.answers(*key)[0] for key in keys]

            server.wait_for(lambda: "connected" in server.log())
            (created,) = send(new_mail(MASTER, USER, "REGISTER Max Master\nCREATE spring"))
            send(*(new_mail(player(power), USER, f"JOIN spring AS {power}") for power in POWERS))
            send(outlook(created, MASTER, "START spring"))
            server.wait_for(lambda: all(len(server.mails(player(power))) > 1 for power in POWERS))

            reports = {power: server.mails(player(power))[-1] for power in POWERS}
            program = {power: PROGRAMS[number % len(PROGRAMS)] for number, power in enumerate(POWERS)}
            received = send(*(program[one](reports[one], player(one), ORDERS[one]) for one in POWERS))
            for power, answer in zip(POWERS, received, strict=True):
                assert "could not be acted on" not in text_of(answer), (power, program[power])
                assert "Your orders" in text_of(answer), (power, text_of(answer))
            send(gmail(created, MASTER, "PROCESS S1901M"))
            server.wait_for(lambda: all("F1901M" in str(server.mails(player(one))[-1]["Subject"]) for one in POWERS))
            assert "Army Vienna -> Budapest" in text_of(server.mails(player("France"))[-1])

            send(*(program[one](server.mails(player(one))[-1], player(one), "DRAW") for one in POWERS))
            server.wait_for(
                lambda: any(mail["Subject"] == "[spring] The game is over" for mail in server.mails(MASTER))
            )
            assert dovecot.subjects() == []
