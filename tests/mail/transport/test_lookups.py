"""Look-ups in the DNS: what the resolver answers, as records or as no answer, and how much of it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace

import dns.name
import dns.resolver
import pytest

from gm.mail.transport import lookups
from gm.mail.transport.lookups import ALL_SECONDS, LONGEST_RECORD, LookupFailed, Lookups, dns_records, is_domain


@pytest.fixture
def resolver(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], None]:
    """Makes the machine's resolver answer this, or raise it."""

    def answer(what: object) -> None:
        def resolve(*_args: object, **_options: object) -> object:
            if isinstance(what, Exception):
                raise what
            return what

        monkeypatch.setattr(dns.resolver, "resolve", resolve)

    return answer


@pytest.mark.parametrize(
    "none", [dns.resolver.NXDOMAIN, dns.resolver.YXDOMAIN, dns.name.LabelTooLong, dns.name.EmptyLabel]
)
def test_a_name_without_records_has_none(resolver: Callable[[object], None], none: type[Exception]) -> None:
    resolver(none())
    assert dns_records("a.example", "TXT") == ()


def test_records_are_text_and_the_strings_of_one_are_joined(resolver: Callable[[object], None]) -> None:
    resolver([SimpleNamespace(strings=(b"v=spf1 ", b"-all")), SimpleNamespace(strings=(b"\xff",))])
    assert dns_records("a.example", "TXT") == ("v=spf1 -all", "\ufffd")
    resolver([SimpleNamespace(to_text=lambda: "10 mx.a.example.")])
    assert dns_records("a.example", "MX") == ("10 mx.a.example.",)


def test_no_answer_says_which_servers_gave_none(resolver: Callable[[object], None]) -> None:
    errors = [("192.0.2.53", False, 53, "timed out.", None)] * 2
    of_none: Callable[..., Exception] = dns.resolver.LifetimeTimeout
    resolver(of_none(timeout=5, errors=errors))
    with pytest.raises(LookupFailed, match=r"^192\.0\.2\.53: timed out$"):
        dns_records("a.example", "TXT")
    without_servers: Callable[..., Exception] = dns.resolver.NoResolverConfiguration
    resolver(without_servers("no name servers"))
    with pytest.raises(LookupFailed, match="no name servers"):
        dns_records("a.example", "TXT")


@pytest.mark.parametrize(("length", "read"), [(LONGEST_RECORD, True), (LONGEST_RECORD + 1, False)])
def test_a_longer_record_is_none(length: int, read: bool) -> None:
    asked = list[tuple[str, str]]()

    def records(name: str, kind: str) -> Sequence[str]:
        asked.append((name, kind))
        return "x" * length, "y"

    assert (len(Lookups(records)("a.example.")) == 2) is read
    assert asked == [("a.example", "TXT")]


def test_all_look_ups_of_a_mail_have_a_time_together(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(monotonic=lambda: 100.0)
    monkeypatch.setattr(lookups, "time", clock)
    of_a_mail = Lookups(lambda _name, _kind: ("x",))
    clock.monotonic = lambda: 100 + ALL_SECONDS
    assert of_a_mail("a.example") == ["x"]
    clock.monotonic = lambda: 100.5 + ALL_SECONDS
    for number in (1, 2):
        with pytest.raises(LookupFailed, match="too many slow look-ups"):
            of_a_mail("a.example")
        assert of_a_mail.failures == number


@pytest.mark.parametrize(("name", "looked_up"), [("a." * 125 + "org", True), ("a." * 126 + "org", False), ("a", False)])
def test_which_names_can_be_looked_up(name: str, looked_up: bool) -> None:
    assert is_domain(name) is looked_up
