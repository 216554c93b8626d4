"""The lines for nginx and Caddy: they serve the gallery, and none of the files by which gm knows its own."""

from __future__ import annotations

import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.gallery import MARK, closed_to_others
from tests.gallery.played import Shelf
from tests.gallery.test_site import publish
from tests.mail.transport.conftest import eventually
from tests.mail.transport.dovecot import free_port

SETTINGS = Path(__file__).parents[2] / "deploy" / "web"
SERVED = {"": "text/html", "gallery.css": "text/css", "gallery.js": "javascript", "order.html": "text/html",
          "ground.svg": "image/svg+xml", "games/spring/": "text/html",
          "games/spring/feed.xml": "application/atom+xml"}  # fmt: skip
OWN = (MARK, "games/spring/.files.json")


def nginx(site: Path, work: Path, port: int) -> list[str]:
    own = (SETTINGS / "nginx.conf").read_text(encoding="utf-8").replace("listen 80", f"listen 127.0.0.1:{port}")
    places = "".join(
        f"{kind}_temp_path {work / kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    http = f"include /etc/nginx/mime.types; access_log off; {places} {own.replace('/var/www/gm', str(site))}"
    whole = f"daemon off; pid {work / 'pid'}; error_log {work / 'errors'}; events {{}} http {{ {http} }}"
    (work / "nginx.conf").write_text(whole, encoding="utf-8")
    return ["nginx", "-c", str(work / "nginx.conf")]


def caddy(site: Path, work: Path, port: int) -> list[str]:
    own = (SETTINGS / "Caddyfile").read_text(encoding="utf-8").replace("/var/www/gm", str(site))
    here = own.replace("games.example.org", f"http://127.0.0.1:{port}")
    (work / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{here}", encoding="utf-8")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(work / "Caddyfile")]


@pytest.fixture(params=[nginx, caddy], ids=lambda program: program.__name__)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The gallery of a game, served with our lines."""
    if shutil.which(request.param.__name__) is None:
        pytest.skip(f"{request.param.__name__} is not installed")
    shelf, site, work = Shelf(tmp_path / "home"), tmp_path / "site", tmp_path / "work"
    shelf.play(shelf.started("spring", "standard"), 1)
    publish(shelf, site)
    for path in filter(None, map(closed_to_others, [site] * len(site.parents))):  # nginx reads it as another user
        path.chmod(path.stat().st_mode | 0o011)
    work.mkdir()
    port = free_port()
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(work)}
    with (work / "log").open("wb") as log:
        running = subprocess.Popen(request.param(site, work, port), env=environment, stdout=log, stderr=log)
        try:
            assert eventually(lambda: status(f"http://127.0.0.1:{port}/")[0] == 200), (work / "log").read_text()
            yield f"http://127.0.0.1:{port}/"
        finally:
            running.terminate()
            running.wait()


def status(url: str) -> tuple[int, str]:
    """The status and the type of an answer; 0 for none."""
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.status, answer.headers["Content-Type"]
    except urllib.error.HTTPError as error:
        return error.code, ""
    except OSError:
        return 0, ""


def test_the_gallery_is_served_and_nothing_else(address: str) -> None:
    for path, kind in SERVED.items():
        code, said = status(address + path)
        assert code == 200, path
        assert kind in said, path
    assert [status(address + path)[0] for path in OWN] == [404, 404]
