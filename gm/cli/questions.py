"""What `gm init` asks at a terminal: where the server's mail comes from and how it leaves, as changes to `gm.toml`."""

from __future__ import annotations

import getpass
import smtplib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from gm.settings.providers import PROVIDERS, Provider
from gm.settings.section import TLS, is_loopback, own_address, persons_address, port_number

T = TypeVar("T")

_WAYS = {
    "1": ("alone", "It has no address yet: to try gm on this machine"),
    "2": ("lmtp", "Postfix on this machine has it, and delivers to gm"),
    "3": ("imap", "It is a mailbox, on this machine or at a provider"),
}
_IMPLICIT = {993, 465}
_OTHERS = {143, 25, 587}
"""The usual ports, of which it is known whether TLS is spoken there from the start."""
_SECONDS = 5.0
SECRET = "mail.password"  # noqa: S105
"""The name of the file with the password."""


@dataclass
class Answers:
    """What was answered: `changes` by section and key of `gm.toml`; `password` of the mailbox, "" without one."""

    address: str
    mode: str
    port: int
    plus: bool = True
    password: str = ""
    changes: dict[tuple[str, str], str | int] = field(default_factory=dict)
    asks_leave: bool = False


def ask_all() -> Answers:
    """Ask everything. Raises EOFError at the end of the input."""
    address = ask("The mail address of the server", "gm@localhost", own_address)
    print("How does mail for it arrive?")
    for number, (_, words) in _WAYS.items():
        print(f"  {number}  {words}")
    mode = ask("Which", "1", lambda text: _one_of(text, tuple(_WAYS)) and _WAYS[text][0])
    usual = {"alone": 2525, "lmtp": 2424}.get(mode, 0)
    answers = Answers(address, mode, ask("The port at which gm listens", str(usual), port_number) if usual else 2525)
    if mode == "imap":
        _mailbox(answers)
    operator = ask("Your own address, for mail about problems (empty: none is sent)", "", _person)
    if operator:
        answers.changes["server", "operator"] = operator
    return answers


def ask(question: str, default: str, meaning: Callable[[str], T]) -> T:
    """What was answered, Enter meaning the default; an answer that `meaning` refuses (ValueError) is asked again."""
    while True:
        given = input(f"{question}{f' [{default}]' if default else ''}: ").strip() or default
        try:
            return meaning(given)
        except ValueError as error:
            print(f"  {error}")


def _mailbox(answers: Answers) -> None:
    name = ask("The provider: " + ", ".join((*PROVIDERS, "other")), _guess(answers.address), _provider)
    provider = PROVIDERS.get(name)
    host = answers.address.partition("@")[2]
    if provider is None:
        servers = dict(_servers(host))
    else:
        servers = dict(_of_provider(name, provider))
        answers.asks_leave = provider.asks_leave
    answers.changes |= servers
    user = ask("The user name", answers.address, _something)
    logs_in = servers.get(("send", "tls")) != "none" or _offers_log_in(
        str(servers["send", "host"]), servers["send", "port"]
    )
    answers.changes |= {("imap", "user"): user, ("send", "user"): user if logs_in else ""}
    if not answers.asks_leave:
        hint = " (at Gmail and Fastmail an app password)" if provider else ""
        answers.changes |= {("imap", "password_file"): SECRET, ("send", "password_file"): SECRET if logs_in else ""}
        answers.password = ask_unseen(f"The password{hint}; it is not shown: ")
    answers.plus = ask(f"Does mail for {_with_plus(answers.address)} arrive there too (yes or no)", "yes", yes)


def _with_plus(address: str) -> str:
    """An address of the kind that seats get: `gm+test@example.org`."""
    return address.replace("@", "+test@", 1)


def ask_unseen(question: str) -> str:
    """What was typed unseen, and not nothing."""
    while not (given := getpass.getpass(question)):
        pass
    return given


def _of_provider(name: str, provider: Provider) -> Iterator[tuple[tuple[str, str], str | int]]:
    yield ("imap", "host"), provider.imap
    yield ("send", "provider"), name
    yield ("send", "host"), provider.smtp
    if provider.starttls:
        yield from ((("send", "tls"), "starttls"), (("send", "port"), 587))


def _servers(domain: str) -> Iterator[tuple[tuple[str, str], str | int]]:
    for section, what, usual in (("imap", "IMAP", "993"), ("send", "SMTP", "465")):
        server = ask(f"The {what} server", f"{what.lower()}.{domain}", _something)
        port = ask("Its port", usual, port_number)
        usual_tls = "implicit" if port in _IMPLICIT else "none" if is_loopback(server) else "starttls"
        known = port in _IMPLICIT or port in _OTHERS
        tls = usual_tls if known else ask(f"Its encryption ({', '.join(TLS)})", usual_tls, _tls)
        yield from (((section, "host"), server), ((section, "port"), port), ((section, "tls"), tls))


def _offers_log_in(host: str, port: str | int) -> bool:
    """Whether the SMTP server on this machine has AUTH; one that is not reached is taken to."""
    try:
        with smtplib.SMTP(host, int(port), timeout=_SECONDS) as server:
            return server.ehlo()[0] >= 300 or server.has_extn("auth")
    except (OSError, smtplib.SMTPException):
        return True


def _guess(address: str) -> str:
    domain = address.partition("@")[2]
    return next((name for name, one in PROVIDERS.items() if domain in one.domains), "other")


# what an answer means


def _person(text: str) -> str:
    return persons_address(text) if text else ""


def _provider(text: str) -> str:
    return _one_of(text.lower(), (*PROVIDERS, "other"))


def _one_of(text: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise ValueError(f"{text!r} is none of {', '.join(known)}.")
    return text


def _tls(text: str) -> str:
    return _one_of(text.lower(), TLS)


def _something(text: str) -> str:
    if not text:
        raise ValueError("Something is needed here.")
    return text


_YES: Mapping[str, bool] = {"yes": True, "y": True, "no": False, "n": False}


def yes(text: str) -> bool:
    """Whether it means yes. Raises ValueError for what is neither."""
    return _YES[_one_of(text.lower(), tuple(_YES))]
