"""compose.yaml and what it builds, without Docker: the files follow their specifications, what they name is there, and
the entry points run as plain processes with the environment that compose.yaml gives them."""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import signal
import smtplib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from compose_spec import PyCompose

from gm.cli import command_lines
from gm.mail.transport.listener import Listener
from gm.settings import ListenSettings
from gm.store.inbox import ArrivedMail
from tests.cli.server import new_mail, read, text_of
from tests.databases import fresh_postgresql
from tests.mail.transport.conftest import eventually
from tests.mail.transport.dovecot import find_server, free_port, remove, wait_for_port
from tests.mail.transport.postfix import _MASTER
from tests.server.world import reply_to
from tests.timing import HANGING

pytestmark = pytest.mark.long(seconds=20)

DEPLOY = Path(__file__).parents[2] / "deploy"
DOCKER = DEPLOY / "docker"
CHOSEN = {"GM_ADDRESS": "gm@example.org", "GM_PASSWORD": "s3cret", "MAIL_HOST": "mail.example.org"}
CHOSEN |= {"GM_OPERATOR": "op@elsewhere.example"}
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


def service(name: str) -> dict[str, Any]:
    """A service with what it has of the one that it extends, merged as the specification says of mappings."""
    own: dict[str, Any] = compose()["services"][name]
    if "extends" not in own:
        return own
    base = service(own.pop("extends")["service"])
    return base | {key: base[key] | own[key] if isinstance(base.get(key), dict) else own[key] for key in own}


def environment_of(name: str) -> dict[str, str]:
    return {key: str(value) for key, value in service(name)["environment"].items()}


def command_of(name: str) -> list[str]:
    """The words with which a service starts: of compose.yaml, or else of the image."""
    recipe = recipe_of(name)
    [entry], command = (json.loads(_last(rf"^{word} (\[.*\])$", recipe) or "[]") for word in ("ENTRYPOINT", "CMD"))
    return [str(DOCKER / entry), *service(name).get("command", command)]


def recipe_of(name: str) -> str:
    build = service(name)["build"]
    recipe: str = ((DEPLOY / build["context"]).resolve() / build["dockerfile"]).read_text(encoding="utf-8")
    return recipe


def _last(pattern: str, text: str) -> str:
    return next(reversed(re.findall(pattern, text, re.MULTILINE)), "")


def addresses() -> dict[str, str]:
    """The address of each service that has a fixed one."""
    networks = {name: service(name).get("networks") or {} for name in compose()["services"]}
    return {name: found["default"]["ipv4_address"] for name, found in networks.items() if "default" in found}


GM = ("gm", "gm2")
"""The services that are servers of gm."""


def test_what_has_no_default_is_asked_for() -> None:
    assert set(compose()["services"]) == {*GM, "db", "postfix"}
    for name in CHOSEN:
        with pytest.raises(KeyError, match=name):
            compose({key: value for key, value in CHOSEN.items() if key != name})


def test_what_the_images_are_built_from_is_there() -> None:
    for name in (*GM, "postfix"):
        context, recipe = (DEPLOY / service(name)["build"]["context"]).resolve(), recipe_of(name)
        copied = re.findall(r"^COPY (?:--chmod=\d+ )?([^\s-]\S*) ", recipe, re.MULTILINE)
        assert copied
        assert not [name for name in copied if not (context / name).exists()]
        assert os.access(command_of(name)[0], os.X_OK)


def test_the_servers_share_what_they_must_and_postfix_knows_them() -> None:
    one, two = (service(name) for name in GM)
    assert one["volumes"] == two["volumes"]
    assert environment_of("gm") == environment_of("gm2")
    assert two["depends_on"]["gm"]["condition"] == "service_healthy", "one makes the folder and upgrades the database"
    at = addresses()
    assert environment_of("postfix")["GM_HOSTS"].split() == [at[name] for name in GM]
    assert environment_of("gm")["GM_TRUST_RELAYS"].split(",")[-1] == at["postfix"]


def test_backups_are_made_daily_outside_what_they_are_of() -> None:
    page = (DEPLOY / "README.md").read_text(encoding="utf-8")
    [line] = re.findall(r"^    30 3 \* \* \* root docker compose .* exec -T gm gm (backup .*)$", page, re.MULTILINE)
    given = command_lines.backup().parse_args(line.split()[1:])
    mounted = dict(reversed(one.split(":")) for one in service("gm")["volumes"])
    where = mounted[given.file.rstrip("/")]
    assert where.startswith("./")
    assert given.keep
    [owner] = set(re.findall(r"install -d -o (\d+) -g \d+ -m 0700 " + where[2:], (DEPLOY / "compose.yaml").read_text()))
    assert f"--uid {owner} " in recipe_of("gm")


def test_the_metrics_can_be_reached_where_the_page_says() -> None:
    page = (DEPLOY.parent / "docs/operating/several-servers.md").read_text(encoding="utf-8")
    targets = {f"{addresses()[name]}:{environment_of(name)['GM_METRICS_PORT']}" for name in GM}
    assert {*re.findall(r"172\.[\d.]+:\d+", page)} == targets
    assert environment_of("gm")["GM_METRICS_HOST"] == "0.0.0.0"


def test_the_packages_that_are_installed_exist() -> None:
    apt = shutil.which("apt-cache")
    if apt is None:
        pytest.skip("apt-cache is not installed: this is no Debian")
    [line] = re.findall(r"--no-install-recommends (.*?) \\", (DOCKER / "Dockerfile.postfix").read_text())
    said = subprocess.run([apt, "policy", *line.split()], capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^(\S+):$", said, re.MULTILINE) == line.split()
    assert "Candidate: (none)" not in said


Left: TypeAlias = "queue.Queue[ArrivedMail]"


class Site:
    """Both servers of gm, Postfix and PostgreSQL as compose.yaml runs them; what leaves by Postfix is in `left`."""

    def __init__(self, folder: Path, database: str, relayhost: int) -> None:
        self.folder, self.smtp = folder, free_port()
        self.lmtp, self._pages = ({name: free_port() for name in GM} for _ in range(2))
        own = {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"], "/usr/sbin"])}
        own["PYTHONPATH"] = str(DEPLOY.parent)
        moved = {"GM_DATABASE_URL": database, "GM_SEND_HOST": "127.0.0.1", "GM_SEND_PORT": str(self.smtp)}
        moved["GM_HOME"] = str(folder / "gm")
        self.gm = {}
        for name in GM:
            given = environment_of(name)
            assert (given["GM_DATABASE_URL"], given["GM_SEND_HOST"]) == ("postgresql://gm:s3cret@db/gm", "postfix")
            ports = {"GM_LISTEN_PORT": str(self.lmtp[name]), "GM_METRICS_PORT": str(self._pages[name])}
            self.gm[name] = {**own, **given, **moved, **ports}
        self.postfix = {**own, **environment_of("postfix"), "MAIL_CONFIG": str(folder)}
        self.postfix["GM_LISTENS"] = " ".join(f"[127.0.0.1]:{port}" for port in self.lmtp.values())
        self.postfix["RELAYHOST"] = f"[127.0.0.1]:{relayhost}"
        own_lines = f"queue_directory = {folder}/queue\ndata_directory = {folder}/data\ninet_interfaces = 127.0.0.1\n"
        more = "inet_protocols = ipv4\nsmtpd_authorized_xclient_hosts = 127.0.0.0/8\n"
        main = (DOCKER / "main.cf").read_text(encoding="utf-8")
        (folder / "main.cf").write_text(main + own_lines + more, encoding="utf-8")
        (folder / "master.cf").write_text(f"{_MASTER.format(port=self.smtp)}smtp unix - - n - - smtp\n")
        (folder / "queue").mkdir()

    @contextmanager
    def running(self, name: str) -> Iterator[None]:
        """A service, from when it is ready until it has been stopped."""
        environment, port = (self.postfix, self.smtp) if name == "postfix" else (self.gm[name], self.lmtp[name])
        log = self.folder / f"{name}.log"
        with log.open("ab") as written:
            process = subprocess.Popen(command_of(name), env=environment, stdout=written, stderr=written)
            try:
                wait_for_port(port, process)
                if name in GM:
                    assert eventually(partial(self.is_healthy, name))
                yield
            except AssertionError as error:
                raise AssertionError(f"{error}\n{log.read_text()}") from error
            finally:
                process.terminate()
                assert process.wait(HANGING) in (0, -signal.SIGTERM), log.read_text()
                if name == "postfix":  # which is no first process here, and has left its master behind
                    subprocess.run(["postfix", "stop"], env=environment, capture_output=True, check=False)

    def is_healthy(self, name: str) -> bool:
        """What Docker would find."""
        given = environment_of(name)["GM_METRICS_PORT"]
        kind, *words = (
            str(word).replace(given, str(self._pages[name])) for word in service(name)["healthcheck"]["test"]
        )
        assert kind == "CMD"
        return subprocess.run(words, env=self.gm[name], capture_output=True, check=False).returncode == 0

    def post(self, text: str, read: EmailMessage | None = None) -> EmailMessage:
        """A player's mail, that comes to Postfix from elsewhere; a reply to what they have `read`, or a new one."""
        mail = new_mail(PLAYER, reply_to(read) if read is not None else "gm@example.org", text)
        if read is not None:
            mail["In-Reply-To"] = read["Message-ID"]
        with smtplib.SMTP("127.0.0.1", self.smtp, timeout=HANGING) as smtp:
            smtp.docmd("XCLIENT ADDR=198.51.100.7")
            assert not smtp.send_message(mail)
        return mail


@pytest.fixture
def site(postgresql_server: str) -> Iterator[tuple[Site, Left]]:
    find_server("postfix")
    if os.geteuid() != 0:
        pytest.skip("Postfix can be started by root only")
    left: Left = queue.Queue()
    folder = Path(tempfile.mkdtemp(prefix="gm-compose-"))
    folder.chmod(0o755)
    with ExitStack() as stack:
        stack.callback(remove, folder)
        world = stack.enter_context(Listener(ListenSettings(port=0), accept=left.put, knows=lambda _: True))
        there = Site(folder, fresh_postgresql(postgresql_server, "template1"), world.port)
        stack.enter_context(there.running("postfix"))
        yield there, left


def sent(left: Left, wanted: Callable[[EmailMessage], bool]) -> EmailMessage:
    """The next such mail that leaves."""
    while not wanted(found := read(left.get(timeout=HANGING).raw)):
        pass
    return found


def answer(left: Left, mail: EmailMessage) -> EmailMessage:
    """What is sent for this mail."""
    return sent(left, lambda found: found["In-Reply-To"] == mail["Message-ID"])


def phase_passes(there: Site, left: Left, report: EmailMessage, code: str) -> EmailMessage:
    """The only player is ready, so that the phase is due, and gets the report."""
    answer(left, there.post("READY", report))
    return sent(left, lambda mail: f"{code} results" in str(mail["Subject"]))


def test_mail_and_a_deadline_pass_while_either_server_is_away(site: tuple[Site, Left]) -> None:
    there, left = site
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(there.running("gm"))
        second.enter_context(there.running("gm2"))
        key = (there.folder / "gm" / "gm.key").read_bytes()
        assert "Ann Example" in text_of(answer(left, there.post("REGISTER Ann Example")))
        check = [sys.executable, "-m", "gm", "check"]
        said = subprocess.run(check, env=there.gm["gm2"], capture_output=True, text=True, check=False)
        assert (said.returncode, "every part is run" in said.stdout) == (0, True), said.stdout
        there.post("PRACTICE AS France")
        asked = sent(left, lambda mail: "+confirm." in reply_to(mail))
        there.post("YES", asked)
        opening = sent(left, lambda mail: "S1901M" in str(mail["Subject"]))

        first.close()
        assert not there.is_healthy("gm")
        assert there.is_healthy("gm2")
        report = phase_passes(there, left, opening, "S1901M")  # no deadline waits for the server that has gone

        first.enter_context(there.running("gm"))
        second.close()
        assert "F1901M" in text_of(answer(left, there.post("STATUS", report)))
        assert (there.folder / "gm" / "gm.key").read_bytes() == key, "the second start changes nothing"


def test_nothing_is_relayed_for_strangers(site: tuple[Site, Left]) -> None:
    there, _ = site
    gm, strangers = addresses()["gm2"], ("198.51.100.7", "172.30.25.1")
    for address, recipient, code in (
        *((stranger, "bob@elsewhere.example", 454) for stranger in strangers),
        *((stranger, "somebody@example.org", 550) for stranger in strangers),
        (strangers[0], "postmaster@example.org", 250),
        (strangers[0], "abuse@example.org", 250),
        (gm, "bob@elsewhere.example", 250),
    ):
        with smtplib.SMTP("127.0.0.1", there.smtp, timeout=HANGING) as smtp:
            smtp.docmd(f"XCLIENT ADDR={address}")
            smtp.ehlo()
            smtp.mail(PLAYER)
            assert smtp.rcpt(recipient)[0] in (code, 554 if code == 454 else code), (address, recipient)
