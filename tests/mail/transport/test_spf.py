"""SPF (RFC 7208): what comes out for each kind of record, by section of the RFC; the DNS is a table here."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gm.mail.message.trace import HandedOver
from gm.mail.transport.lookups import LookupFailed, Lookups
from gm.mail.transport.spf import authorization
from tests.tables import rows
from tests.timing import cost

ZONE = rows(f"""
    post.example          | A    | 192.0.2.10
    post.example          | AAAA | 2001:db8::10
    post.example          | MX   | 10 in.post.example.
    in.post.example       | A    | 192.0.2.20
    in.post.example       | AAAA | 2001:db8::20
    30.2.0.192.in-addr.arpa | PTR  | Out.Post.Example.
    30.2.0.192.in-addr.arpa | PTR  | liar.example.
    out.post.example      | A    | 192.0.2.30
    liar.example          | A    | 192.0.2.99
    31.2.0.192.in-addr.arpa | PTR  | down.example.
    31.2.0.192.in-addr.arpa | PTR  | out31.post.example.
    out31.post.example    | A    | 192.0.2.31
    0.3.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa | PTR  | six.post.example.
    six.post.example      | AAAA | 2001:db8::30
    passes.example        | TXT  | v=spf1 +all
    fails.example         | TXT  | v=spf1 -all
    wrong.example         | TXT  | v=spf1 moo
    twice.example         | TXT  | v=spf1 +all
    twice.example         | TXT  | v=spf1 -all
    beside.example        | TXT  | something else
    beside.example        | TXT  | v=spf1 -all
    loop.example          | TXT  | v=spf1 include:loop.example
    up.example            | TXT  | V=SPF1 +ALL
    later.example         | TXT  | v=spf10 +all
    192.0.2.10.on.example | A    | 127.0.0.2
    ann.at.example        | A    | 127.0.0.2
    em.10.2.0.192.in-addr.example | A | 127.0.0.2
    out.post.example.named.example | A | 127.0.0.2
    many.example          | TXT  | v=spf1 {"a:post.example " * 10}-all
    toomany.example       | TXT  | v=spf1 {"a:post.example " * 11}+all
    void.example          | TXT  | v=spf1 a:n1.example a:n2.example -all
    toovoid.example       | TXT  | v=spf1 a:n1.example a:n2.example a:n3.example +all
""")  # fmt: skip


def records(name: str, kind: str) -> Sequence[str]:
    if name.startswith("down"):
        raise LookupFailed("no answer")
    return tuple(what for at, of, what in ZONE if (at.lower(), of) == (name.lower().rstrip("."), kind))


def result(record: str, peer: str, sender: str = "ann@here.example", helo: str = "mx.here.example") -> str:
    def found(name: str, kind: str) -> Sequence[str]:
        return (record,) if (name, kind) == ("here.example", "TXT") and record else records(name, kind)

    return authorization(HandedOver(peer, helo, sender), Lookups(found))


RECORDS = rows("""
    3 records, 4.5 which one       |                                        | 192.0.2.10   | none
    4.5 another text               | hello                                  | 192.0.2.10   | none
    4.5 a later version            | v=spf10 +all                           | 192.0.2.10   | none
    4.5 in capitals                | V=SPF1 -ALL                            | 192.0.2.10   | fail
    4.6.1 two blanks, one behind   | v=spf1  +all                           | 192.0.2.10   | pass
    4.6.1 an unknown mechanism     | v=spf1 all:moo                         | 192.0.2.10   | permerror
    4.6.1 wrong beyond the match   | v=spf1 +all moo:cow                    | 192.0.2.10   | permerror
    4.6.2 softfail                 | v=spf1 ~all                            | 192.0.2.10   | softfail
    4.6.2 neutral                  | v=spf1 ?all                            | 192.0.2.10   | neutral
    4.7 nothing matches            | v=spf1 ip4:198.51.100.1                | 192.0.2.10   | neutral
    5.1 all                        | v=spf1 -all +ip4:192.0.2.10            | 192.0.2.10   | fail
    5.2 include passes             | v=spf1 include:passes.example -all     | 192.0.2.10   | pass
    5.2 include fails              | v=spf1 include:fails.example ~all      | 192.0.2.10   | softfail
    5.2 include has none           | v=spf1 include:nothing.example +all    | 192.0.2.10   | permerror
    5.2 include is wrong           | v=spf1 include:wrong.example +all      | 192.0.2.10   | permerror
    5.2 include does not answer    | v=spf1 include:down.example +all       | 192.0.2.10   | temperror
    5.2 two records                | v=spf1 include:twice.example +all      | 192.0.2.10   | permerror
    5.2 another text beside it     | v=spf1 include:beside.example +all     | 192.0.2.10   | pass
    5.3 a                          | v=spf1 a:post.example -all             | 192.0.2.10   | pass
    5.3 a, another machine         | v=spf1 a:post.example -all             | 192.0.2.11   | fail
    5.3 a with a network           | v=spf1 a:post.example/28 -all          | 192.0.2.11   | pass
    5.3 a, IPv6                    | v=spf1 a:post.example -all             | 2001:db8::10 | pass
    5.3 a with both networks       | v=spf1 a:post.example/24//64 -all      | 2001:db8::99 | pass
    5.3 too long a network         | v=spf1 a:post.example/33 -all          | 192.0.2.10   | permerror
    5.3 a name that is none        | v=spf1 a:-all -all                     | 192.0.2.10   | permerror
    5.3 a does not answer          | v=spf1 a:down.example +all             | 192.0.2.10   | temperror
    5.4 mx                         | v=spf1 mx:post.example -all            | 192.0.2.20   | pass
    5.4 mx, IPv6                   | v=spf1 mx:post.example -all            | 2001:db8::20 | pass
    5.4 mx, another machine        | v=spf1 mx:post.example -all            | 192.0.2.10   | fail
    5.5 ptr                        | v=spf1 ptr:post.example -all           | 192.0.2.30   | pass
    5.5 ptr, letters of any case   | v=spf1 ptr:POST.example -all           | 192.0.2.30   | pass
    5.5 ptr, IPv6                  | v=spf1 ptr:post.example -all           | 2001:db8::30 | pass
    5.5 ptr does not lead back     | v=spf1 ptr:liar.example -all           | 192.0.2.30   | fail
    5.5 ptr, no name               | v=spf1 ptr:post.example -all           | 192.0.2.10   | fail
    5.5 ptr, part of a label       | v=spf1 ptr:ost.example -all            | 192.0.2.30   | fail
    5.5 one name does not answer   | v=spf1 ptr:post.example -all           | 192.0.2.31   | pass
    5.6 ip4                        | v=spf1 ip4:192.0.2.10 -all             | 192.0.2.10   | pass
    5.6 ip4, a network             | v=spf1 ip4:192.0.2.0/27 -all           | 192.0.2.33   | fail
    5.6 ip4, wrong                 | v=spf1 ip4:192.0.2 -all                | 192.0.2.10   | permerror
    5.6 ip6                        | v=spf1 ip6:2001:db8::/120 -all         | 2001:db8::10 | pass
    5.6 ip6, wrong                 | v=spf1 ip6:2001:db8 -all               | 192.0.2.10   | permerror
    5.6 IPv4 in IPv6               | v=spf1 ip4:192.0.2.10 -all             | ::ffff:c000:20a | pass
    5.7 exists                     | v=spf1 exists:%{i}.on.example -all     | 192.0.2.10   | pass
    5.7 exists not                 | v=spf1 exists:%{i}.on.example -all     | 192.0.2.11   | fail
    6.1 redirect                   | v=spf1 redirect=passes.example         | 192.0.2.10   | pass
    6.1 redirect to nothing        | v=spf1 redirect=nothing.example        | 192.0.2.10   | permerror
    6.1 redirect and all           | v=spf1 -all redirect=passes.example    | 192.0.2.10   | fail
    6.1 redirect twice             | v=spf1 redirect=a.example redirect=b.example | 192.0.2.10 | permerror
    6.2 an explanation is no matter | v=spf1 exp=down.example -all          | 192.0.2.10   | fail
    6 an unknown modifier          | v=spf1 moo=cow -all                    | 192.0.2.10   | fail
    7.2 the local part             | v=spf1 exists:%{l}.at.example -all     | 192.0.2.11   | pass
    7.2 reversed, and by its parts | v=spf1 exists:em.%{ir}.%{v}.example -all | 192.0.2.10 | pass
    7.2 the name of the machine    | v=spf1 exists:%{p}.named.example -all  | 192.0.2.30   | pass
    7.1 an unknown macro           | v=spf1 exists:%{q}.example +all        | 192.0.2.10   | permerror
    7.1 no parts of it             | v=spf1 exists:%{i0}.on.example +all    | 192.0.2.10   | permerror
    7.1 no parts of it, reversed   | v=spf1 exists:%{D00R}.on.example +all  | 192.0.2.10   | permerror
    7.1 one part, with a zero      | v=spf1 exists:%{i}.on.%{d01} -all      | 192.0.2.10   | pass
    7.1 more parts than there are  | v=spf1 exists:%{i10}.on.example -all   | 192.0.2.10   | pass
    7.1 letters behind it          | v=spf1 exists:%{ix}.on.example +all    | 192.0.2.10   | permerror
    7.1 in the wrong order         | v=spf1 exists:%{i-r}.on.example +all   | 192.0.2.10   | permerror
    7.1 wrong beyond the match     | v=spf1 +all exists:%{i0}.on.example    | 192.0.2.10   | permerror
    7.1 a lone percent sign        | v=spf1 exists:5%.example +all          | 192.0.2.10   | permerror
    4.6.4 ten look-ups             | v=spf1 redirect=many.example           | 192.0.2.77   | permerror
    4.6.4 ten look-ups in all      | v=spf1 include:loop.example +all       | 192.0.2.10   | permerror
    4.6.4 eleven look-ups          | v=spf1 redirect=toomany.example        | 192.0.2.77   | permerror
    4.6.4 two for nothing          | v=spf1 redirect=void.example           | 192.0.2.10   | fail
    4.6.4 three for nothing        | v=spf1 redirect=toovoid.example        | 192.0.2.10   | permerror
    2.6.7 no address               | v=spf1 +all                            | no address   | permerror
""")


@pytest.mark.parametrize(("what", "record", "peer", "expected"), RECORDS)
def test_a_record_permits_a_machine_or_not(what: str, record: str, peer: str, expected: str) -> None:
    assert result(record, peer) == expected, what


SENDERS = rows("""
    ann@many.example     | mx.y.example   | 192.0.2.10 | pass
    @fails.example       | mx.y.example   | 192.0.2.10 | fail
    ann@up.example       | mx.y.example   | 192.0.2.10 | pass
    ann@later.example    | mx.y.example   | 192.0.2.10 | none
    ann@down.example     | mx.y.example   | 192.0.2.10 | temperror
    ann@a..example       | mx.y.example   | 192.0.2.10 | none
    ann@[192.0.2.10]     | passes.example | 192.0.2.10 | none
    no address           | passes.example | 192.0.2.10 | none
    ann lee@fails.example | mx.y.example  | 192.0.2.10 | fail
    a@b@fails.example    | mx.y.example   | 192.0.2.10 | none
    ann@PASSES.example   | mx.y.example   | 192.0.2.10 | pass
                         | passes.example | 192.0.2.10 | pass
                         | fails.example  | 192.0.2.10 | fail
                         | [192.0.2.10]   | 192.0.2.10 | none
                         | localhost      | 192.0.2.10 | none
""")


@pytest.mark.parametrize(("sender", "helo", "peer", "expected"), SENDERS)
def test_the_senders_domain_is_asked_or_for_a_null_sender_the_name_at_helo(
    sender: str, helo: str, peer: str, expected: str
) -> None:
    assert result("", peer, sender, helo) == expected


COSTLY = ["exists:{}.example", "exists:%{{lr-}}{}.example", "a:{} -all", "{}", "exp={} +all"]


@pytest.mark.parametrize("form", COSTLY)
@pytest.mark.parametrize("repeated", ["%{i}", "%{lr-}", "%_", "%", "%{i", "a.", "a:x.example ", "x=y ", "1"])
def test_no_record_costs_more_than_its_length(form: str, repeated: str) -> None:
    """Macros in a record of 64 kB took minutes, and a number of 5,000 figures was an error that was not caught."""

    def checked(length: int) -> str:
        record = "v=spf1 " + form.format(repeated * (length // len(repeated)))
        return result(record, "192.0.2.9", f"{'a-' * 100}@here.example", "h" * 10_000)

    assert cost(lambda: checked(60_000), lambda: checked(3_500), 20) < 20
    assert checked(60_000) == "none"


@pytest.mark.parametrize("sender", [f"{'a-' * 200}@here.example", f"ann@{'a.' * 130}example"])
def test_an_envelope_sender_that_is_too_long_is_not_asked_about(sender: str) -> None:
    assert result("v=spf1 +all", "192.0.2.9", sender) == "none"
