"""compose.yaml and what it builds, without Docker: the files follow their specifications, what they name is there, and
the entry points run as plain processes with the environment that compose.yaml gives them."""

from __future__ import annotations

import os
import queue
import re
import shutil
import signal
import smtplib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from compose_spec import PyCompose

from gm.mail.transport.listener import Listener
from gm.settings import ListenSettings
from gm.store.inbox import ArrivedMail
from tests.cli.server import new_mail, read, text_of
from tests.databases import fresh_postgresql
from tests.mail.transport.dovecot import find_server, free_port, remove, wait_for_port
from tests.mail.transport.postfix import _MASTER
from tests.timing import HANGING

DEPLOY = Path(__file__).parents[2] / "deploy"
DOCKER = DEPLOY / "docker"
CHOSEN = {"GM_ADDRESS": "gm@example.org", "GM_PASSWORD": "s3cret", "MAIL_HOST": "mail.example.org"}
PLAYER = "ann@example.com"


def compose(environment: Mapping[str, str] = CHOSEN) -> dict[str, Any]:
    """compose.yaml with its variables put in, checked against the Compose Specification."""

    def value(found: re.Match[str]) -> str:
        given = environment.get(found[1], "")
        if not given and found[2].startswith(":?"):
            raise KeyError(f"{found[1]}: {found[2][2:]}")
        return given or found[2].removeprefix(":-")

    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    read: dict[str, Any] = PyCompose.from_yaml(re.sub(r"\$\{(\w+)(:[^}]*)?\}", value, text)).to_dict()
    return read


def environment_of(service: str) -> dict[str, str]:
    given: dict[str, str] = compose()["services"][service]["environment"]
    return {key: str(value) for key, value in given.items()}


def test_what_has_no_default_is_asked_for() -> None:
    assert set(compose()["services"]) == {"gm", "db", "postfix"}
    for name in CHOSEN:
        with pytest.raises(KeyError, match=name):
            compose({key: value for key, value in CHOSEN.items() if key != name})


def test_what_the_images_are_built_from_is_there() -> None:
    for service in ("gm", "postfix"):
        build = compose()["services"][service]["build"]
        context = (DEPLOY / build["context"]).resolve()
        recipe = (context / build["dockerfile"]).read_text(encoding="utf-8")
        copied = re.findall(r"^COPY (?:--chmod=\d+ )?([^\s-]\S*) ", recipe, re.MULTILINE)
        assert copied
        assert not [name for name in copied if not (context / name).exists()]
        [entry] = re.findall(r'ENTRYPOINT \["([\w-]+)"\]', recipe)
        assert os.access(DOCKER / entry, os.X_OK)


def test_the_packages_that_are_installed_exist() -> None:
    apt = shutil.which("apt-cache")
    if apt is None:
        pytest.skip("apt-cache is not installed: this is no Debian")
    [line] = re.findall(r"--no-install-recommends (.*?) \\", (DOCKER / "Dockerfile.postfix").read_text())
    said = subprocess.run([apt, "policy", *line.split()], capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^(\S+):$", said, re.MULTILINE) == line.split()
    assert "Candidate: (none)" not in said


class Site:
    """gm, Postfix and PostgreSQL as compose.yaml runs them; what leaves by Postfix is in `left`."""

    def __init__(self, folder: Path, database: str, relayhost: int) -> None:
        self.folder = folder
        self.smtp, lmtp = free_port(), free_port()
        own = {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"], "/usr/sbin"])}
        own["PYTHONPATH"] = str(DEPLOY.parent)
        gm = environment_of("gm")
        assert (gm["GM_DATABASE_URL"], gm["GM_SEND_HOST"]) == ("postgresql://gm:s3cret@db/gm", "postfix")
        moved = {"GM_DATABASE_URL": database, "GM_SEND_HOST": "127.0.0.1", "GM_SEND_PORT": str(self.smtp)}
        self.gm = {**own, **gm, **moved, "GM_LISTEN_PORT": str(lmtp), "GM_HOME": str(folder / "gm")}
        self.postfix = {**own, **environment_of("postfix"), "MAIL_CONFIG": str(folder)}
        self.postfix |= {"GM_LISTENS": f"127.0.0.1:{lmtp}", "RELAYHOST": f"[127.0.0.1]:{relayhost}"}
        self.lmtp = lmtp
        own_lines = f"queue_directory = {folder}/queue\ndata_directory = {folder}/data\ninet_interfaces = 127.0.0.1\n"
        more = "inet_protocols = ipv4\nsmtpd_authorized_xclient_hosts = 127.0.0.0/8\n"
        main = (DOCKER / "main.cf").read_text(encoding="utf-8")
        (folder / "main.cf").write_text(main + own_lines + more, encoding="utf-8")
        (folder / "master.cf").write_text(f"{_MASTER.format(port=self.smtp)}smtp unix - - n - - smtp\n")
        (folder / "queue").mkdir()

    @contextmanager
    def running(self, entry: str, environment: Mapping[str, str], port: int, *arguments: str) -> Iterator[None]:
        log = self.folder / f"{entry}.log"
        with log.open("ab") as written:
            command = [str(DOCKER / entry), *arguments]
            process = subprocess.Popen(command, env=dict(environment), stdout=written, stderr=written)
            try:
                wait_for_port(port, process)
                yield
            except AssertionError as error:
                raise AssertionError(f"{error}\n{log.read_text()}") from error
            finally:
                process.terminate()
                assert process.wait(HANGING) in (0, -signal.SIGTERM), log.read_text()


@pytest.fixture
def site(postgresql_server: str) -> Iterator[tuple[Site, queue.Queue[ArrivedMail]]]:
    find_server("postfix")
    if os.geteuid() != 0:
        pytest.skip("Postfix can be started by root only")
    left: queue.Queue[ArrivedMail] = queue.Queue()
    folder = Path(tempfile.mkdtemp(prefix="gm-compose-"))
    folder.chmod(0o755)
    with ExitStack() as stack:
        stack.callback(remove, folder)
        world = stack.enter_context(Listener(ListenSettings(port=0), accept=left.put, knows=lambda _: True))
        there = Site(folder, fresh_postgresql(postgresql_server, "template1"), world.port)
        stack.enter_context(there.running("postfix-start", there.postfix, there.smtp))
        with there.running("gm-start", there.gm, there.lmtp, "serve"):
            pass
        key = (folder / "gm" / "gm.key").read_bytes()
        stack.enter_context(there.running("gm-start", there.gm, there.lmtp, "serve"))
        assert (folder / "gm" / "gm.key").read_bytes() == key, "the second start changes nothing"
        yield there, left


def test_a_mail_is_answered_and_nothing_is_relayed_for_strangers(site: tuple[Site, queue.Queue[ArrivedMail]]) -> None:
    there, left = site
    mail = new_mail(PLAYER, "gm@example.org", "REGISTER Ann Example")
    with smtplib.SMTP("127.0.0.1", there.smtp, timeout=HANGING) as smtp:
        smtp.docmd("XCLIENT ADDR=198.51.100.7")
        assert not smtp.send_message(mail)
    answer = read(left.get(timeout=HANGING).raw)
    assert answer["In-Reply-To"] == mail["Message-ID"]
    assert "Ann Example" in text_of(answer)

    gm, strangers = environment_of("postfix")["GM_HOST"], ("198.51.100.7", "172.30.25.1")
    for address, recipient, code in (
        *((stranger, "bob@elsewhere.example", 454) for stranger in strangers),
        *((stranger, "somebody@example.org", 550) for stranger in strangers),
        (gm, "bob@elsewhere.example", 250),
    ):
        with smtplib.SMTP("127.0.0.1", there.smtp, timeout=HANGING) as smtp:
            smtp.docmd(f"XCLIENT ADDR={address}")
            smtp.ehlo()
            smtp.mail(PLAYER)
            assert smtp.rcpt(recipient)[0] in (code, 554 if code == 454 else code), (address, recipient)

    said = subprocess.run(
        [sys.executable, "-m", "gm", "check"], env=there.gm, capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stdout
    assert "is reachable and up to date" in said.stdout
