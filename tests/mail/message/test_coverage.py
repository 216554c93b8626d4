"""What a proof covers: one reading of a header, and signatures over all that is read."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import getaddresses

import pytest

from gm.mail.message.addresses import only_address
from gm.mail.message.bodies import reading_of
from gm.mail.message.coverage import MOST_SIGNATURES, NO_PROOF, coverage
from gm.mail.message.incoming import read_head, read_message
from gm.mail.message.mime import Limits
from gm.mail.message.shown import NOTHING_SHOWN
from tests.tables import rows

SIGNED = "from:to:cc:subject:date:message-id:in-reply-to:references:mime-version:content-type:content-transfer-encoding"
HEADER = (
    "From: Ann <ann@v.example>\r\nTo: gm@gm.example\r\nSubject: orders\r\nDate: Fri, 20 Nov 2026 09:00:00 +0000\r\n"
    "Message-ID: <1@v.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n"
)


def mail(header: str = HEADER, body: str = "A PAR-BUR\r\n", fields: str = SIGNED, tags: str = "") -> bytes:
    signature = f"DKIM-Signature: v=1; a=rsa-sha256; d=v.example; s=a; h={fields};{tags} bh=x; b=x\r\n"
    return f"{signature}{header}\r\n{body}".encode()


def gap(raw: bytes) -> str:
    return coverage(raw).gap("v.example")


def test_a_signature_of_all_that_is_read_covers_it() -> None:
    assert gap(mail()) == ""


SINGLE = ["From", "Sender", "Reply-To", "To", "Cc", "Date", "Message-ID", "Subject", "In-Reply-To", "References"]
SINGLE += ["MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Content-Disposition", "Content-Language"]


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("written", ["{}: x\r\n", "{}:\r\n x\r\n", "{} : x\r\n", "{}\t: x\r\n"])
def test_a_field_that_stands_twice_voids_every_proof(name: str, written: str) -> None:
    for other in (name.upper(), name.lower()):
        doubled = written.format(other) + f"{name}: y\r\n" + HEADER.replace(f"{name}:", "X-Was:")
        assert coverage(mail(doubled)).flaw, "even SPF"


@pytest.mark.parametrize("name", SINGLE)
def test_a_field_that_is_read_must_be_signed(name: str) -> None:
    header = HEADER if f"{name}:" in HEADER else f"{name}: ann@v.example\r\n{HEADER}"
    kept = ":".join(one for one in SIGNED.split(":") if one != name.lower())
    assert gap(mail(header, fields=kept)) == f"its signature does not cover {name}"
    assert coverage(mail(header, fields=kept)).flaw == "", "SPF is about the whole mail"


@pytest.mark.parametrize("name", SIGNED.split(":"))
def test_a_field_that_decides_must_be_listed_even_where_it_is_absent(name: str) -> None:
    """Otherwise somebody may have removed it: the mail would be another one, or be read in another way."""
    cut = "".join(line for line in HEADER.splitlines(keepends=True) if not line.lower().startswith(f"{name}:"))
    kept = ":".join(one for one in SIGNED.split(":") if one != name)
    assert gap(mail(cut, fields=kept)).lower() == f"its signature does not cover {name}"
    absent = gap(mail(cut))  # when it was signed; what was not dated may have been kept for long
    assert absent == ("its signature does not cover Date" if name == "date" else "")


FLAWS = {
    "NUL": "X: a\0b\r\n",
    "a bare CR": "X: a\rContent-Type: text/html\r\n",
    "two CR": "X: a\r\r\n",
    "an empty line of another kind": "X: a\r\n\r\r\n",
    "a bare LF": "X: a\nContent-Type: text/html\r\n",
    "a line of blanks": "X: a\r\n \t\r\n",
    "a name with a blank": "X : a\r\n",
    "no name": ": a\r\n",
    "a name beyond ASCII": "Content-Typé: text/html\r\n",
    "no colon": "Content-Type text/html\r\n",
    "of a mailbox file": "From ann@v.example Fri Nov 20\r\n",
    "too long": f"X: {'a' * 20_001}\r\n",
}


@pytest.mark.parametrize("name", FLAWS)
def test_a_header_that_can_be_read_in_two_ways_voids_every_proof(name: str) -> None:
    assert coverage(mail(HEADER + FLAWS[name])).flaw
    assert coverage(mail(HEADER + "X: a\r\n b\r\n")).flaw == ""


def test_line_ends_of_one_kind_are_no_flaw() -> None:
    for raw in (mail(), mail().replace(b"\r\n", b"\n"), mail().partition(b"\r\n\r\n")[0] + b"\r\n"):
        assert coverage(raw).flaw == ""


@pytest.mark.parametrize(
    ("written", "sender", "flaw"),
    rows("""
        <ann@v.example> bob@w.example           |               | flaw
        <ann@v.example> bob                     |               | flaw
        <<ann@v.example>>                       |               | flaw
        <ann@v.example> (bob@w.example)         | ann@v.example | flaw
        <ann@v.example> (at work)               | ann@v.example |
        bob@w.example <ann@v.example>           | ann@v.example | flaw
        ann@v.example <ann@v.example>           | ann@v.example |
        Bob < <ann@v.example>                   | ann@v.example | flaw
        "bob@w.example" <ann@v.example>         | ann@v.example | flaw
        "bob＠w.example" <ann@v.example>        | ann@v.example | flaw
        "ann@v.example" <ann@v.example>         | ann@v.example |
        "ANN@v.example" <Ann@v.example>         | ann@v.example |
        "Ann @ work" <ann@v.example>            | ann@v.example | flaw
        =?utf-8?q?bob=40w=2Ee?= <ann@v.example> | ann@v.example | flaw
        =?utf-8?q?Ann?= <ann@v.example>         | ann@v.example |
        =?utf-8?q?bob?=@w.example               | =?utf-8?q?bob?=@w.example | flaw
        Ann, Example <ann@v.example>            | ann@v.example | flaw
        =?utf-8?q?Example,_Ann?= <ann@v.example> | ann@v.example | flaw
        =?utf-8?B?A<bob@w.example>(?=<ann@v.example>,=?utf-8?B?)(?=) | bob@w.example | flaw
        =?utf-8?q?<ann@v.example>?= <bob@w.example> | | flaw
        =?utf-8?q?x:?= <ann@v.example>;         |               | flaw
        ~{A<bob@w.example>(I~}<ann@v.example>(~{)a~}) | bob@w.example | flaw
        +AGEAbg-n@v.example <ann@v.example>     | ann@v.example | flaw
        \\"<bob @w.example>("<ann@v.example>     | ann@v.example | flaw
        ["]<bob @w.example>("<ann@v.example>    | ann@v.example | flaw
        =?utf-8?Q?=3Cbob_=40w.example=3E=28?= <ann@v.example> | ann@v.example | flaw
        =?utf-8?Q?x,?= <"bob"@w.example>("=?utf-8?Q?x,?=<ann@v.example> | | flaw
        "a" bob @w.example <ann@v.example>      | ann@v.example | flaw
        "bob @w.example" <ann@v.example>        | ann@v.example | flaw
        bob.ann@v.example <ann@v.example>       | ann@v.example | flaw
        Ann [work] <ann@v.example>              | ann@v.example | flaw
        Pat <pat.o'neill@v.example>             | pat.o'neill@v.example |
        "'pat@v.example'" <pat@v.example>       | pat@v.example |
        'bob@w.example' <pat@v.example>         | pat@v.example | flaw
        \\"<bob. ann@v.example>(";<ann@v.example> | ann@v.example | flaw
        =?utf-8?Q?=3Cbob._ann=40v.example=3E=28?= <ann@v.example> | ann@v.example | flaw
        "=?utf-8?Q?=22=3Cbob_=40_w.example=3E=28?=" <ann@v.example> | ann@v.example | flaw
        =?utf-8?Q?=3Cbob=40w.example=3E=28?= =?utf-8?B?A?= <ann@v.example> | ann@v.example | flaw
        =?utf-8?Q?=3Cbob=4?= =?utf-8?Q?0w.example=3E=28?= <ann@v.example> | ann@v.example | flaw
        =?IBM1047?Q?=4C=82=96=82?= <ann@v.example> | ann@v.example | flaw
        =?hz-gb-2312?Q?~{=3Cbob=40w.example=3E=28?= <ann@v.example> | ann@v.example | flaw
        =?iso-2022-jp?Q?=1B$B=3Cbob=40w.example=3E=28?= <ann@v.example> | ann@v.example | flaw
        bob. ann@v.example <ann@v.example>      | ann@v.example | flaw
        bob=?utf-8?Q?=40?= (c) w.example (=?iso-2022-jp?Q?=1B$B$)?= <ann@v.example> | ann@v.example | flaw
        =?utf-8?Q?bob=28?= <ann@v.example>      | ann@v.example | flaw
        =?utf-8?Q?bob=22?= <ann@v.example>      | ann@v.example | flaw
        ann@v.example (=?utf-8?Q?x?=)           | ann@v.example | flaw
        =?utf-8?Q?J=C3=B6rg_=28Acme=29?= <ann@v.example> | ann@v.example |
        "'ann@v.example" <ann@v.example>        | ann@v.example | flaw
        "Lee, Ann (Acme)" <ann@v.example>       | ann@v.example |
        Ann Lee (Acme) <ann@v.example>          | ann@v.example |
        "Ann \\"A\\" Lee" <ann@v.example>       | ann@v.example |
        "\\"bob@w (\\") .example (" <ann@v.example> | ann@v.example | flaw
        =?utf-8?B?SsO2cmcgQCBXb3Jr?= <ann@v.example> | ann@v.example | flaw
        "=?UTF-8?Q?J=C3=B6rg?=" <ann@v.example> | ann@v.example |
        =?iso-2022-jp?B?GyRCOzNFREJATzobKEI=?= <ann@v.example> | ann@v.example | flaw
        =?koi8-r?B?4c7OwQ==?= <ann@v.example>   | ann@v.example |
        =?shift_jis?B?g1yDaoFb?= <ann@v.example> | ann@v.example | flaw
        =?iso-2022-jp*ja?B?GyRCOzNFREJATzobKEI=?= <ann@v.example> | ann@v.example | flaw
        =?utf-8?B?Ym9iQHDjgIJvcmcs?= <ann@v.example> | ann@v.example | flaw
        =?utf-8?Q?bob=28=22=29=22?= <ann@v.example> | ann@v.example | flaw
        =?utf-8?Q?=3D=3Futf-8=3FQ=3Fbob=3F=3D?= <ann@v.example> | ann@v.example | flaw
        "ann@v.example\u2003" <ann@v.example>   | ann@v.example | flaw
        "bob@cafe\u0301x.example", <ann@v.example> | ann@v.example | flaw
        "bob@w\u00ad.example", <ann@v.example>  | ann@v.example | flaw
        "Ann (@annlee)" <ann@v.example>         | ann@v.example | flaw
        ann@v.example (Ann Lee)                 | ann@v.example |
        \x1b$B<ann@v.example>\x1b(B <bob@w.example>  |            | flaw
        Jürgen <ann@v.example>                  | ann@v.example |
        Ann <ann@v.example.>                    | ann@v.example | flaw
        =?utf-8?q??= <ann@v.example>            | ann@v.example |
        bob at w.example =?utf-8?q?=2C?= x <ann@v.example> | ann@v.example | flaw
        =?utf-8?q?bob_at_w=2Eexample=5B?= <ann@v.example> | ann@v.example | flaw
        bob (x)AT w . example =?utf-8?q?=2C?= x <ann@v.example> | ann@v.example | flaw
        =?utf-8?Q?M=C3=BCller=2C_J=2EP=2E?= <ann@v.example> | ann@v.example |
        =?utf-8?Q?M=C3=BCller=2C_Dr=2E_Anna?= <ann@v.example> | ann@v.example |
    """),
)
def test_a_from_line_is_one_address_or_proves_nothing(written: str, sender: str, flaw: str) -> None:
    raw = mail(HEADER.replace("Ann <ann@v.example>", written))
    read = read_message(raw, envelope_from=None, recipients=())
    assert (read.sender or "", bool(read.coverage.flaw)) == (sender, bool(flaw))


@pytest.mark.parametrize(
    ("more", "flaw"),
    [
        ("Sender: Bob <bob@v.example>", "Sender"),
        ("Sender: bob", "Sender"),
        ("Sender: Bob <ann@v.example>,", "Sender"),
        ("Resent-From: bob@v.example", "Resent-From"),
        ("Resent-From: ann@v.example\r\nResent-Sender: bob@v.example", "Resent-Sender"),
        ("Resent-From: ann@v.example\r\nResent-From: bob@v.example", "Resent-From"),
        ("Sender: ann@v.example", ""),
        ("Resent-From: Ann <Ann@v.example>", ""),
    ],
)
def test_who_sent_it_for_somebody_else_voids_every_proof(more: str, flaw: str) -> None:
    """A server that lets its customers write anything in From says so in Sender: Exim does."""
    found = coverage(mail(f"{HEADER}{more}\r\n")).flaw
    assert found == (f"its {flaw} is somebody else than its From" if flaw else "")


@pytest.mark.parametrize(
    ("written", "flaw"),
    [
        ('"bob\r\n x" <ann@v.example>', True),
        ("(\r\n bob) <ann@v.example>", True),
        ("(bob) (\r\n ann) <ann@v.example>", True),
        ('"Ann \r\n\t(work)" <ann@v.example>', True),
        ('bob ")" (a\r\n b) <ann@v.example>', True),
        ('"Ann (work)"\r\n (x)\r\n <ann@v.example>', False),
        ('"Ann Lee"\r\n <ann@v.example>', False),
        ("=?utf-8?q?Ann?=\r\n =?utf-8?q?Lee?= (work)\r\n <ann@v.example>", False),
    ],
)
def test_no_line_of_from_ends_within_a_name(written: str, *, flaw: bool) -> None:
    assert bool(coverage(mail(HEADER.replace("Ann <ann@v.example>", written))).flaw) is flaw


@pytest.mark.parametrize(
    ("user", "flaw"),
    [("bob@v.example", True), ("ann@v.example", False), ("@v.example", False), ("@mail.v.example", False)],
)
def test_a_signature_for_somebody_else_does_not_cover_the_author(user: str, *, flaw: bool) -> None:
    signed = mail(HEADER).replace(b"d=v.example;", f"d=v.example; i={user};".encode())
    assert b"i=" in signed
    assert bool(gap(signed)) is flaw


_RAW = "(=?iso-2022-jp?Q?=1B$B0=29bob=40p=28?=) .example (=?iso-2022-jp?Q?=1B$B=28=28?=)"
_LATER = "(=?iso-2022-jp?B?GyRCGxsoQhthKUJvYmJAcCg=?=) .example (=?iso-2022-jp?B?GyRCGxsoQigoG2EpQQ==?=)"
_BESIDE = '(=?iso-2022-jp?B?GyRCMClib2JAcCgbKEI=?=) ") .example ( @"'
_BRACKETS = "=?iso-2022-jp?B?GyRCPHpvZT4wW3gbKEI=?= (])"
_TWO_SETS = "=?iso-2022-jp?B?GyRCPHpvZT4wW3gbKEI=?= =?gbk?B?gV0=?="
_ESCAPING = "=?big5?B?pFw=?="
_PAIRS = ('"=?utf-8?B?Ijx6b2U+Ig==?="', "=?utf-8?B?IlwiIjx6b2U+IiJcIg==?=", "=?utf-8?B?Ijx6b2U+XCI=?=")


@pytest.mark.parametrize("name", [_RAW, _LATER, _BESIDE, _BRACKETS, _TWO_SETS, _ESCAPING, *_PAIRS, "\u3000Ann"])
def test_a_name_of_which_the_bytes_are_an_address_proves_nothing(name: str) -> None:
    """For programs that do not know its set, or read it in another way."""
    raw = mail(HEADER.replace("Ann <ann@v.example>", f"{name} <ann@v.example>"))
    assert read_message(raw, envelope_from=None, recipients=()).coverage.flaw


@pytest.mark.parametrize("name", ["From", "To", "Cc", "Reply-To", "Message-ID", "Date", "Content-Type"])
def test_a_field_that_decides_is_in_utf_8_or_proves_nothing(name: str) -> None:
    other = f"{name}: x\r\n" + "".join(one for one in HEADER.splitlines(keepends=True) if not one.startswith(name))
    for codec, flaw in (("utf-8", False), ("latin-1", True), ("gb18030", True)):
        header, _, rest = mail(other.replace(": x", ": Jürgen <ann@v.example>")).partition(b"\r\n\r\n")
        assert bool(coverage(header.decode().encode(codec) + b"\r\n\r\n" + rest).flaw) is flaw


PIECES = (
    *("<bob@w.example>", "<ann@v.example>", "ann@v.example", "bob@w.example", "Ann", " ", "(", ")", "<", ">", '"', ","),
    *(
        ";",
        ":",
        "\\",
        "@",
        ".",
        "=?utf-8?B?",
        "=?utf-8?Q?",
        "?=",
        "=40",
        "YW5u",
        "~{",
        "~}",
        "A",
        "\x1b$B",
        "\x1b(B",
        "+ADw-",
    ),
)


def _parts(address: str) -> tuple[str, str]:
    local, _, domain = address.lower().rpartition("@")
    return local.replace('"', ""), domain.rstrip(".")


@pytest.mark.parametrize("seed", range(4))
def test_what_proves_somebody_is_read_by_another_program_as_theirs(seed: int) -> None:
    lots, compared = random.Random(seed), 0
    for _ in range(4_000):
        written = "".join(lots.choice(PIECES) for _ in range(lots.randint(1, 9)))
        sender = only_address(written)
        if sender is not None and not coverage(mail(HEADER.replace("Ann <ann@v.example>", written))).flaw:
            named = {_parts(one) for _, one in getaddresses([written]) if "@" in one}
            assert named == {_parts(sender)}, written
            compared += 1
    assert compared > 50


REST = "cc:in-reply-to:references:content-transfer-encoding"


@pytest.mark.parametrize(
    ("fields", "tags", "covers"),
    rows("""
        from                                                      |       | no
        from:to:subject:date:message-id:mime-version              |       | no
        FROM:To:SUBJECT:date:message-id:Mime-Version:content-type |       | yes
        from:to:subject:date:message-id:mime-version:content-type | l=9;  | no
        from:to:subject:date:message-id:mime-version:content-type | l=11; | yes
        from:to:subject:date:message-id:mime-version:content-type | h=to; | no
        from:to:subject:date:message-id:mime-version:content-type | d=w;  | no
        from:from:to:subject:date:message-id:mime-version:content-type | x=1; | yes
    """),
)
def test_lists_of_fields(fields: str, tags: str, covers: str) -> None:
    assert (gap(mail(fields=f"{fields}:{REST}", tags=tags)) == "") is (covers == "yes")


def test_each_signature_of_the_domain_counts_and_no_other() -> None:
    def also(domain: str) -> bytes:
        return f"DKIM-Signature: v=1; d={domain}; h=from; b=x\r\n".encode()

    assert gap(also("m.v.example") + mail())
    assert gap(mail(f"{also('v.example').decode()}{HEADER}"))
    assert gap(also("w.example") + mail()) == ""


FLOWED = "text/plain; format=flowed"
MIXED = 'multipart/mixed; boundary="b"'


@pytest.mark.parametrize(
    ("kind", "body", "covers"),
    [
        ("text/plain", "Dear GM,\r\n\r\nA PAR - BUR\r\n  A MAR-SPA\r\n\r\n> A BRE H\r\n", True),
        ("text/plain", "A PAR-BUR\r\n-- \r\nAnn\r\n", True),
        ("text/plain", "A PAR-BUR\r\n-- \r\nA MAR-GAS\r\n", False),
        ("text/plain", "A PAR-BUR\r\n--\r\nA MAR-GAS\r\n", False),
        (FLOWED, "A PAR-BUR\r\n\r\nEve proposes \r\nA MAR-GAS \r\nbut I will not.\r\n", False),
        (FLOWED, "A PAR-BUR\r\n\r\nEve proposes\r\nA MAR-GAS\r\nbut I will not.\r\n", False),
        (FLOWED, "Good luck all\r\n-- \r\nA MAR H\r\n", False),
        (FLOWED, "A PAR-BUR\r\n", True),
        (MIXED, f"--b\r\nContent-Type: {FLOWED}\r\n\r\n-- \r\nA MAR-SPA\r\n--b--\r\n", False),
        (MIXED, f"--b\r\nContent-Type: {FLOWED}\r\n\r\nA MAR-SPA\r\n--b--\r\n", True),
        ("text/plain", "A PAR-GAS  Army Paris -> Burgundy\r\n", False),
        ("text/plain", "A PAR-GAS\tArmy Paris -> Burgundy\r\n", False),
        ("text/plain", "  A PAR-GAS Army Paris -> Burgundy  \r\n\r\n> A  BRE H\r\n", True),
        (MIXED, "--b\r\nContent-Type: text/plain\r\n\r\nNO  DRAW\r\n--b--\r\n", False),
        (MIXED, "--b\r\nContent-Type: text/plain\r\n\r\nEve says:\r\n\r\nA PAR-BUR\r\n--b--\r\n", True),
        (MIXED, "--b\r\nContent-Type: text/plain\r\n \r\nEve says:\r\n\r\nA PAR-BUR\r\n--b--\r\n", True),
        ("text/html", '<pre>A PAR-BUR\r\n A MAR-SPA</pre><p style="display: none">A BRE H</p>\r\n', True),
    ],
)
def test_a_relaxed_signature_covers_no_blanks(kind: str, body: str, covers: bool) -> None:
    header = HEADER.replace("text/plain", kind)
    assert (gap(mail(header, body, tags=" c=relaxed/relaxed;")) == "") is covers
    for form in ("", " c=relaxed/simple;", " c=relaxed;", " c=simple/simple;"):
        assert gap(mail(header, body, tags=form)) == "", "each blank is signed"


SENT = "From: Eve <eve@x.example>\nSent: Friday, November 20, 2026 9:00 AM\nTo: Ann <ann@v.example>\nSubject: plan\n"
ANOTHERS = {
    "an attribution": "On Fri, Nov 20, 2026 at 9:00 AM Eve <eve@x.example> wrote:\nA MAR-GAS\n",
    "one in German": "Am 20.11.2026 um 09:00 schrieb Eve:\nA MAR-GAS\n",
    "a heading": f"{SENT}\nA MAR-GAS\n",
    "a separator": "----- Original Message -----\nA MAR-GAS\n",
    "our first line": "--- Reply above this line ---\nA MAR-GAS\n",
    "a wrapped quotation": "> What I think is that you should do this\nA MAR-GAS\n> in the end, as we said\n",
    "a clear signature": "-----BEGIN PGP SIGNED MESSAGE-----\n\nA PIC H\n-----BEGIN PGP SIGNATURE-----\nA MAR-GAS\n",
    "a page": '<div class="gmail_quote">A MAR-GAS</div><p style="display: none; color: rgb( 0, 0, 0)">A MAR-GAS</p>\n',
    "a sheet": "<style>.x { color: rgb( 0, 0, 0); background: black }</style><p class=x>A MAR-GAS</p>\n",
}


@pytest.mark.parametrize("many", [2, 3, 12, 40, 301, 2_001])
@pytest.mark.parametrize("name", ANOTHERS)
def test_a_mail_is_read_alike_however_many_blanks_are_in_a_run(name: str, many: int) -> None:
    """What a line is taken for, its length too, is found without runs of blanks, which `relaxed` does not cover."""
    header = HEADER.replace("plain", "html" if ANOTHERS[name].startswith("<") else "plain")
    whole, *each = (
        "\n".join(line.replace(" ", " " * many) if at in places else line for at, line in enumerate(lines))
        for lines in [f"A PAR-BUR\n\n{ANOTHERS[name]}".split("\n")]
        for places in [range(1, len(lines)), *((at,) for at in range(1, len(lines)))]
    )
    texts = [read_message(mail(header, one), envelope_from=None, recipients=()).text for one in (whole, *each)]
    as_written = read_message(mail(header, f"A PAR-BUR\n\n{ANOTHERS[name]}"), envelope_from=None, recipients=()).text
    assert {" ".join(text.split()) for text in texts} == {" ".join(as_written.split())}


WIDE = (
    'From: "Ann, of Lyon" <ann@v.example>\r\nTo: "gm+spring.abc" <gm@gm.example>, Bob <bob@w.example>\r\n'
    "Subject: Re: =?utf-8?q?spring?= orders\r\nDate: Fri, 20 Nov 2026 09:00:00 +0000\r\nMessage-ID: <1@v.example>\r\n"
    "In-Reply-To: <0@gm.example>\r\nReferences: <9@gm.example> <0@gm.example>\r\nMIME-Version: 1.0\r\n"
    "Auto-Submitted: no ; x\r\nContent-Type: {}\r\nContent-Transfer-Encoding: {}\r\n"
)
PART = (
    'Content-Type: text/plain; charset=iso-8859-1; format=flowed\r\nContent-Disposition: inline; filename="a b.txt"\r\n'
)
READ_BY_HEADER = {
    "flowed": (WIDE.format("text/plain; x=1; format=flowed", "8bit"), "Eve proposes \r\nA MAR-GAS \r\nand not I.\r\n"),
    "quoted-printable": (WIDE.format("text/plain; charset=utf-8", "quoted-printable"), "A PAR=20-=\r\n BUR\r\n"),
    "parts": (
        WIDE.format('multipart/mixed; x=1; boundary="b c"', "7bit"),
        f"--b c\r\n{PART}\r\nEve proposes \r\nA MAR-GAS\r\n--b c\r\nContent-Type: text/html\r\n\r\nx\r\n--b c--\r\n",
    ),
}


@pytest.mark.parametrize("name", READ_BY_HEADER)
@pytest.mark.parametrize("blanks", [" " * 2_100, "\r\n" + " " * 501, "\t \t", " " * 21_000], ids=len)
def test_a_mail_is_read_alike_however_many_blanks_are_in_its_header(name: str, blanks: str) -> None:
    """DKIM's `relaxed` collapses them, so anybody can add them to a signed mail: what follows was cut off by that."""

    def read(raw: bytes) -> tuple[object, ...]:
        message = read_message(raw, envelope_from="ann@v.example", recipients=())
        return replace(message, shown=NOTHING_SHOWN, coverage=NO_PROOF), read_head(raw, ()).identity()

    header, body = READ_BY_HEADER[name]
    as_signed, (written, parts) = read(mail(header, body)), (header.splitlines(), PART.splitlines())
    for line in written:
        wider = header.replace(line, line.replace(" ", blanks))
        assert read(mail(wider, body)) == as_signed, line
        cut = "\n" in blanks and line.startswith('From: "')  # within the name
        assert bool(coverage(mail(wider, body)).flaw) is cut
    for line in parts if "\r" not in blanks else ():
        wider = body.replace(line, line.replace(" ", blanks))
        assert read(mail(header, wider))[0] == as_signed[0], line


def test_a_part_whose_header_has_more_than_is_read_is_refused() -> None:
    """It was cut, and what its fields below said was lost."""
    header, body = READ_BY_HEADER["parts"]
    wide = mail(header, body.replace("; format", f";{' ' * 200_000}format"))
    assert read_message(wide, envelope_from=None, recipients=()).refused


def test_to_know_that_it_reads_alike_a_mail_is_read_once_more() -> None:
    """It was read three times more."""
    reading_of.cache_clear()
    raw = mail(tags=" c=relaxed/relaxed;")
    found = read_message(raw, envelope_from="ann@v.example", recipients=())
    assert found.coverage.gap("v.example") == gap(raw) == ""
    assert reading_of.cache_info().misses == 2


def test_what_is_not_read_needs_no_blanks() -> None:
    """It is not acted on."""
    parts = "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n" * 3_000
    flowed = f"Eve proposes {'x' * 600} \r\nA MAR-GAS \r\n"
    for kind, body in ((MIXED, parts), (FLOWED, flowed * (1 + Limits().size // len(flowed)))):
        assert gap(mail(HEADER.replace("text/plain", kind), body, tags=" c=relaxed/relaxed;")) == ""


@pytest.mark.parametrize("at", range(1, 4))
def test_line_ends_of_two_kinds_in_a_header_void_every_proof(at: int) -> None:
    lines = mail().split(b"\r\n")
    mixed = b"\r\n".join(lines[:at]) + b"\n" + b"\r\n".join(lines[at:])
    assert coverage(mixed).flaw == "its header has line ends of two kinds"
    assert gap(mail(body="A PAR-BUR\nA MAR-SPA\r\n")) == "", "in the text they are of no account"


def test_a_part_is_read_alike_with_blanks_in_the_line_that_ends_its_header() -> None:
    """No reading of it is left in which the first paragraph is part of the header."""
    body = "--b\r\nContent-Type: text/plain\r\n{}\r\nEve says:\r\n\r\nA PAR-BUR\r\n--b--\r\n"
    for blanks in ("", " ", "\t\t", "  \t"):
        raw = mail(HEADER.replace("text/plain", MIXED), body.format(blanks))
        assert read_message(raw, envelope_from=None, recipients=()).text == "Eve says:\n\nA PAR-BUR"


def test_of_many_signatures_not_one_counts() -> None:
    other = b"DKIM-Signature: v=1; d=w.example; h=from; b=x\r\n"
    assert gap(other * (MOST_SIGNATURES - 1) + mail()) == ""
    assert gap(other * MOST_SIGNATURES + mail()) == "its signature does not cover anything"
    assert coverage(other * MOST_SIGNATURES + mail()).flaw == "", "SPF may prove it"


def test_nothing_that_tells_it_from_the_same_text_at_another_time() -> None:
    header = HEADER.replace("Date:", "X-Date:").replace("Message-ID:", "X-ID:")
    assert gap(mail(header)) == "its signature does not cover Date"
    assert gap(mail(HEADER.replace("Date:", "X-Date:"))) == "its signature does not cover Date"
    assert gap(mail(HEADER.replace("Message-ID:", "X-ID:"))) == ""


# ---- what is the same mail


BODY = "A PAR - BUR\r\n\r\nIt is late.\r\n"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (BODY.replace(" - ", "  - "), True),
        (BODY.replace(" - ", "\t-  "), True),
        (BODY.replace("\r\n", " \t\r\n"), True),
        (BODY.replace("\r\n", "\n"), True),
        (BODY + " \r\n\r\n", True),
        (BODY.rstrip(), True),
        (BODY.replace("\r\n\r\n", "\r\n"), False),
        (" " + BODY, False),
        (BODY.replace(" - ", "-"), False),
        (BODY.replace("BUR", "GAS"), False),
    ],
)
def test_what_relaxed_canonicalization_lets_pass_is_no_other_mail(other: str, same: bool) -> None:
    def known(body: str, header: str = HEADER) -> tuple[str, ...]:
        return read_head(mail(header, body)).identity("seat", None)

    assert (known(BODY) == known(other)) is same
    unnamed = HEADER.replace("<1@v.example>", "one and two")
    wider = unnamed.replace("and", "\r\n and ").replace("Subject: orders", "Subject:   orders ")
    assert known(BODY, unnamed) == known(BODY, wider), "without a Message-ID that can be read"


@pytest.mark.parametrize("date", ["", "Date:\r\n"])
@pytest.mark.parametrize("name", ["", "Message-ID: one and two\r\n", "Message-ID:\r\n"])
def test_what_nothing_tells_from_another_time_is_not_proved(date: str, name: str) -> None:
    others = [one for one in HEADER.splitlines(keepends=True) if not one.startswith(("Date", "Message-ID"))]
    assert gap(mail("".join((*others, date, name))))
    assert gap(mail("".join((*others, "Date: 40 Nov\r\n", name))))


def test_a_date_that_cannot_be_read_tells_a_mail_from_another_all_the_same() -> None:
    dates = HEADER.replace("Message-ID: <1@v.example>\r\n", "").replace("20 Nov 2026", "{}")
    first, again, other = (read_head(mail(dates.format(day))) for day in ("40 Nov", "40 Nov", "41 Nov"))
    assert first.sent is None
    assert not first.nameless
    assert first.identity("", START) == again.identity("", START + timedelta(days=300)) != other.identity("", START)


START = datetime(2026, 11, 20, 9, tzinfo=UTC)


def test_a_long_mail_with_blanks_added_is_the_same() -> None:
    tail = "x\r\n" * 200_000
    one, other, longer = (read_head(mail(body=f"{begin}{tail}")).body_hash for begin in ("a b", "a  b", "a c"))
    assert one == other != longer
