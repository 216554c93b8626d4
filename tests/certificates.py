"""Certificates of a mail server, as openssl makes them."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Certificate:
    """A certificate for localhost and 127.0.0.1, signed by itself."""

    chain: Path
    key: Path

    def renewed(self, folder: Path, days: int) -> Certificate:
        """One in another folder with the same key, for so many days from now."""
        chain, key = folder / "chain.pem", folder / "key.pem"
        shutil.copy(self.key, key)
        key.chmod(0o600)
        openssl("x509", "-in", self.chain, "-signkey", key, "-days", days, "-out", chain)
        return Certificate(chain, key)


def openssl(*arguments: object) -> None:
    """Run openssl; the test is skipped where it is not installed."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def new_certificate(folder: Path) -> Certificate:
    """A certificate that is valid for two days, in a folder."""
    made = Certificate(folder / "chain.pem", folder / "key.pem")
    openssl(
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
        *("-keyout", made.key, "-out", made.chain, "-days", "2", "-subj", "/CN=localhost"),
        *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
    )
    return made


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """One for all tests, which change nothing of it."""
    return new_certificate(tmp_path_factory.mktemp("certificate"))
