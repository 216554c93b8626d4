"""From the signature to the deed: what the listener's own look at DKIM is worth to a strict server."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.mail.transport.dkim import Signer, Verifier
from gm.server.intake import accept
from gm.settings import TrustSettings
from gm.store.inbox import ArrivedMail, InboxState
from tests.server.test_trust import begun, question, world_of
from tests.server.world import World, player, text_of

FRANCE = player("France")


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[World]:
    world = world_of(tmp_path, "strict")
    yield world
    world.database.dispose()


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Signer:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    path = tmp_path_factory.mktemp("dkim") / "dkim.pem"
    subprocess.run([openssl, "genrsa", "-out", str(path), "1024"], check=True, capture_output=True)
    return Signer("players.example", "a", path)


def arrive(world: World, signer: Signer, raw: bytes, to: str, source: str = "smtp") -> None:
    """The mail comes from another machine, whose domain publishes its key and wants proof."""
    name, record = signer.record
    records = {name: [record], "_dmarc.players.example": ["v=DMARC1; p=reject"]}
    verifier = Verifier(world.service.identity.authserv_id, txt=lambda asked: records.get(asked, []))
    stamped = verifier.stamp(raw, "192.0.2.7") if source == "smtp" else raw
    assert accept(world.service, ArrivedMail(source, stamped, world.time, (to,), FRANCE))
    world.work()


def test_signed_mail_is_acted_on(strict: World, signer: Signer) -> None:
    seats = begun(strict)
    raw = strict.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n")
    arrive(strict, signer, signer.sign(raw), seats["France"])
    assert strict.inbox()[-1].state is InboxState.DONE
    assert "Army Paris -> Burgundy" in text_of(strict.last(FRANCE))


def test_unsigned_mail_is_asked_about(strict: World, signer: Signer) -> None:
    seats = begun(strict)
    raw = strict.mail(FRANCE, seats["France"], "A PAR-BUR").replace(b"\n", b"\r\n")
    arrive(strict, signer, raw, seats["France"])
    assert strict.inbox()[-1].state is InboxState.QUARANTINED
    assert "failed its domain's own checks" in text_of(question(strict, FRANCE))


@pytest.mark.parametrize(("source", "verify"), [("imap", "remote"), ("lmtp", "remote"), ("smtp", "none")])
def test_our_name_is_believed_only_where_we_wrote_it(strict: World, signer: Signer, source: str, verify: str) -> None:
    """A header in our name that somebody else wrote, on a way in where we never look at senders ourselves."""
    object.__setattr__(strict.service.identity, "trust", TrustSettings(level="strict", verify=verify))  # type: ignore[arg-type]
    seats = begun(strict)
    ours = strict.service.identity.authserv_id
    headers = {"Authentication-Results": f"{ours}; dmarc=pass header.from=players.example"}
    raw = strict.mail(FRANCE, seats["France"], "A PAR-BUR", headers=headers)
    assert accept(strict.service, ArrivedMail(source, raw, strict.time, (seats["France"],), FRANCE))
    strict.work()
    assert strict.inbox()[-1].state is InboxState.QUARANTINED
    assert "without proof" in text_of(question(strict, FRANCE))
