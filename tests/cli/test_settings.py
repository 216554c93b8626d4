"""Settings: what the file and the environment may say, and how a mistake is answered."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gm.errors import ConfigurationError
from gm.settings import ClockSettings, ListenSettings, load
from gm.settings.providers import PROVIDERS
from gm.settings.section import Secret

MINIMAL = '[server]\naddress = "GM@Example.org"\n'
IMAP = '[imap]\nhost = "imap.example.org"\nuser = "gm"\n'
KEY = "0f" * 32


def home(folder: Path, text: str = MINIMAL, key: str = KEY) -> Path:
    (folder / "gm.toml").write_text(text, encoding="utf-8")
    (folder / "gm.key").write_text(key, encoding="utf-8")
    return folder


def test_what_is_not_said_has_a_default_that_works_alone(tmp_path: Path) -> None:
    settings = load(home(tmp_path), {})
    assert settings.home == tmp_path
    assert settings.server.address == "gm@example.org"
    assert settings.server.gamemasters == ("*",)
    assert settings.key == bytes.fromhex(KEY)
    assert settings.database.url == f"sqlite:///{tmp_path}/gm.sqlite3"
    assert settings.listen == ListenSettings("smtp", "127.0.0.1", 2525, 1_000_000)
    assert settings.imap is None
    assert (settings.send.kind, settings.send.maildir) == ("maildir", tmp_path / "mail")
    assert settings.clock == ClockSettings("adjudicate", 60, 24)
    assert settings.secret_files == (tmp_path / "gm.toml", tmp_path / "gm.key")


def test_the_page_for_orders_is_an_address_of_the_web_or_none(tmp_path: Path) -> None:
    assert load(home(tmp_path), {}).order_page == ""
    for page in ("https://games.example.org/order.html", "http://localhost:8000/~gm/order.html?v=1"):
        settings = load(home(tmp_path, f'{MINIMAL}[gallery]\norder_page = "{page}"\n'), {})
        assert settings.order_page == page
        assert settings.gallery is None, "a copy of the page elsewhere will do"


def test_a_mailbox_takes_the_place_of_the_listener_unless_both_are_named(tmp_path: Path) -> None:
    mailbox = IMAP + 'password = "secret"\n'
    assert load(home(tmp_path, MINIMAL + mailbox), {}).listen is None
    assert load(home(tmp_path, MINIMAL + mailbox + "[listen]\n"), {}).listen is not None


@pytest.mark.parametrize(("tls", "imap", "smtp"), [("implicit", 993, 465), ("starttls", 143, 587)])
def test_the_port_follows_the_encryption(tmp_path: Path, tls: str, imap: int, smtp: int) -> None:
    text = f'{MINIMAL}{IMAP}password = "x"\ntls = "{tls}"\n[send]\nkind = "smtp"\ntls = "{tls}"\n'
    settings = load(home(tmp_path, text), {})
    assert settings.imap is not None
    assert (settings.imap.port, settings.send.port) == (imap, smtp)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("sqlite:///games/one.db", "sqlite:///{home}/games/one.db"),
        ("sqlite:////var/lib/gm.db", "sqlite:////var/lib/gm.db"),
        ("postgresql://gm:pw@db/gm", "postgresql+psycopg://gm:pw@db/gm"),
    ],
)
def test_database_urls(tmp_path: Path, given: str, url: str) -> None:
    settings = load(home(tmp_path, f'{MINIMAL}[database]\nurl = "{given}"\n'), {})
    assert settings.database.url == url.format(home=tmp_path)


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    environment = {
        "GM_LISTEN_PORT": "2600",
        "GM_SERVER_GAMEMASTERS": "ann@example.org, Bob@example.org",
        "GM_SERVER_ZONE": "Europe/Berlin",
        "GM_HOME": "elsewhere",
        "GM_REQUIRE_SERVERS": "1",
    }
    settings = load(home(tmp_path, MINIMAL + "[listen]\nport = 2500\n"), environment)
    assert settings.listen is not None
    assert settings.listen.port == 2600
    assert settings.server.gamemasters == ("ann@example.org", "bob@example.org")
    assert settings.server.zone == ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize("way", ['password = "s3cret"', 'password_file = "pw"', 'password_command = "cat pw"'])
def test_a_password_comes_from_the_file_itself_another_file_or_a_command(tmp_path: Path, way: str) -> None:
    (tmp_path / "pw").write_text("s3cret\nanother line\n", encoding="utf-8")
    settings = load(home(tmp_path, MINIMAL + IMAP + way), {})
    assert settings.imap is not None
    assert settings.imap.password == "s3cret"
    assert ((tmp_path / "pw") in settings.secret_files) is ("file" in way)


def test_secrets_do_not_show_when_settings_are_printed(tmp_path: Path) -> None:
    text = MINIMAL + IMAP + 'password = "s3cret"\n[database]\nurl = "postgresql://gm:s3cret@db/gm"\n'
    shown = repr(load(home(tmp_path, text), {}))
    assert "s3cret" not in shown
    assert KEY not in shown
    assert repr(bytes.fromhex(KEY)) not in shown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[server]\nadress = "gm@example.org"', ["gm.toml, [server] adress", "'adress'", "Did you mean 'address'?"]),
        ('[sever]\naddress = "gm@example.org"', ["'sever'", "Did you mean 'server'?"]),
        ('address = "gm@example.org"', ["'address'", "Known are server, database"]),
        ("server = 3", ["server = 3", "[server]"]),
        ("[server]\n", ["[server] address is missing", "GM_SERVER_ADDRESS"]),
        ('[server]\naddress = "gm+x@example.org"', ["[server] address = 'gm+x@example.org'", "without + ? & # %"]),
        ('[server]\naddress = "example.org"', ["'example.org'", "gm@example.org"]),
        (MINIMAL + 'operator = "nobody"', ["operator = 'nobody'", "mail address"]),
        (MINIMAL + 'zone = "Mars/Base"', ["zone = 'Mars/Base'", "Europe/Berlin"]),
        (MINIMAL + 'gamemasters = ["*", "ann"]', ["gamemasters", "'ann'", '"*"']),
        (MINIMAL + "gamemasters = 3", ["gamemasters = 3", "list"]),
        (MINIMAL + "name = 3", ["name = 3", "text in quotes"]),
        (MINIMAL + '[listen]\nport = "2525"', ["[listen] port = '2525'", "whole number from 0 to 65535"]),
        (MINIMAL + "[listen]\nport = 70000", ["port = 70000", "65535"]),
        (MINIMAL + "[listen]\nport = true", ["port = True", "whole number"]),
        (MINIMAL + '[listen]\nprotocol = "pop3"', ["protocol = 'pop3'", "'smtp' or 'lmtp'"]),
        (MINIMAL + "[listen]\nmax_size = 10", ["max_size = 10", "10000"]),
        (MINIMAL + '[database]\nurl = "mysql://root:pw@db/gm"', ["url", "(hidden)", "postgresql://"]),
        (MINIMAL + '[database]\nurl = "sqlite://"', ["url", "sqlite:///FILE"]),
        (MINIMAL + IMAP, ["[imap] password is missing", "GM_IMAP_PASSWORD"]),
        (MINIMAL + IMAP + 'password = "a"\npassword_file = "b"', ["password_file", "only one of"]),
        (MINIMAL + IMAP + 'password_file = "absent"', ["password_file = 'absent'", "No such file"]),
        (MINIMAL + IMAP + 'password_command = "false"', ["password_command = 'false'", "exit status 1"]),
        (MINIMAL + IMAP + 'password = "a"\ntls = "none"', ['tls = "none"', "'imap.example.org'", "unencrypted"]),
        (MINIMAL + '[send]\nkind = "smtp"\nuser = "gm"', ["[send] password is missing"]),
        (MINIMAL + '[send]\nkind = "smtp"\npassword = "x"', ["[send] user is missing"]),
        (MINIMAL + '[clock]\ncatch_up = "never"', ["catch_up = 'never'", "'adjudicate' or 'extend'"]),
        (MINIMAL + '[trust]\nlevel = "blind"', ["level = 'blind'", "'open' or 'normal' or 'strict'"]),
        (MINIMAL + '[trust]\nverify = "some"', ["verify = 'some'", "'remote' or 'all' or 'none'"]),
        (MINIMAL + '[trust]\nauthserv_ids = "mx.home"\nconfirm_days = 0', ["confirm_days = 0", "from 1 to 30"]),
        (MINIMAL + '[gallery]\none_click = "https://x.example/unsubscribe"', ["[gallery] one_click", "[metrics]"]),
        (
            MINIMAL + '[metrics]\n[gallery]\none_click = "/unsubscribe"',
            ["one_click", "https://games.example.org/unsub"],
        ),
        (MINIMAL + '[listen]\ntls_certificate = "absent.pem"', ["'absent.pem'", "an existing file"]),
        (MINIMAL + '[listen]\ntls_certificate = "gm.key"', ["[listen] tls_key is missing", "or neither"]),
        (MINIMAL + '[send]\ndkim_selector = "a"', ["[send] dkim_key is missing", "or neither"]),
        (MINIMAL + IMAP + 'password = "a"\noauth2_file = "b"', ["oauth2_file", "only one of"]),
        (MINIMAL + IMAP + 'oauth2_file = "a"\noauth2_command = "b"', ["oauth2_command", "only one of"]),
        (MINIMAL + IMAP + 'oauth2_file = "a"\ntls = "none"', ['tls = "none"', "unencrypted"]),
        *(
            (
                MINIMAL + f"[gallery]\norder_page = '{page}'",
                ["[gallery] order_page = ", "https://games.example.org/order.html"],
            )
            for page in (
                "order.html",
                "ftp://example.org/order.html",
                "https://",
                "https://example.org/a b",
                "https://a/#b",
                "https://a//b.org/order.html",
                'https://a/"',
            )
        ),
        (MINIMAL + "[metrics]\nport = -1", ["port = -1", "whole number"]),
        ("[server\n", ["is not TOML", "line 1"]),
    ],
)
def test_a_mistake_is_quoted_with_its_place_and_what_was_expected(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(home(tmp_path, text), {})
    for word in words:
        assert word in str(caught.value)
    assert str(tmp_path / "gm.toml") in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"GM_LISTEN_PROT": "1"}, ["environment, GM_LISTEN_PROT", "Did you mean 'port'?"]),
        ({"GM_LISTEN_PORT": "many"}, ["environment, GM_LISTEN_PORT = 'many'", "whole number"]),
    ],
)
def test_a_mistake_in_the_environment(tmp_path: Path, environment: dict[str, str], words: list[str]) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(home(tmp_path), environment)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(("key", "words"), [("not hex", "hexadecimal"), ("0f0f", "holds 2 bytes")])
def test_a_bad_key_is_refused(tmp_path: Path, key: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        load(home(tmp_path, key=key), {})


def test_no_server_here(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="gm init"):
        load(tmp_path, {})
    (tmp_path / "gm.toml").write_text(MINIMAL, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"gm\.key.*No such file"):
        load(tmp_path, {})


def test_how_the_mail_side_is_set(tmp_path: Path) -> None:
    text = (
        MINIMAL + '[trust]\nlevel = "strict"\nauthserv_ids = ["MX.Google.com"]\nverify = "all"\n'
        '[listen]\ntls_certificate = "gm.key"\ntls_key = "gm.key"\n[metrics]\n'
        '[send]\nkind = "smtp"\nuser = "gm"\noauth2_command = "echo token"\ndkim_selector = "a"\ndkim_key = "gm.key"\n'
    )
    settings = load(home(tmp_path, text), {"GM_TRUST_CONFIRM_DAYS": "7"})
    assert (settings.trust.level, settings.trust.authserv_ids) == ("strict", ("mx.google.com",))
    assert (settings.trust.verify, settings.trust.confirm_days) == ("all", 7)
    assert settings.metrics is not None
    assert settings.metrics.port == 9464
    assert isinstance(settings.send.oauth2, Secret)
    assert settings.send.oauth2.read() == "token"
    assert settings.send.dkim_key == tmp_path / "gm.key"
    assert settings.listen is not None
    assert settings.listen.tls_key == tmp_path / "gm.key"


@pytest.mark.parametrize(
    ("lines", "limits", "way"),
    [
        ('provider = "gmail"', (0, 500), ("smtp.gmail.com", 465, "implicit")),
        ('provider = "gmail"\nper_hour = 50\nper_day = 400', (50, 400), ("smtp.gmail.com", 465, "implicit")),
        ('provider = "microsoft-365"', (1800, 10_000), ("smtp.office365.com", 587, "starttls")),
        (
            'provider = "google-workspace"\nhost = "relay.example.org"',
            (0, 2000),
            ("relay.example.org", 465, "implicit"),
        ),
        ("", (0, 0), ("127.0.0.1", 25, "none")),
    ],
)
def test_a_provider_has_limits_and_servers(
    tmp_path: Path, lines: str, limits: tuple[int, int], way: tuple[str, int, str]
) -> None:
    send = load(home(tmp_path, f'{MINIMAL}[send]\nkind = "smtp"\n{lines}\n'), {}).send
    assert (send.per_hour, send.per_day) == limits
    assert (send.host, send.port, send.tls) == way


def test_an_unknown_provider_is_told_which_are_known(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"'gmial'.*'gmail' or 'google-workspace'"):
        load(home(tmp_path, f'{MINIMAL}[send]\nprovider = "gmial"\n'), {})


def test_the_page_has_every_provider_with_its_limits_and_where_it_says_so() -> None:
    page = (Path(__file__).parents[2] / "docs/operating/mail.md").read_text(encoding="utf-8")
    for name, one in PROVIDERS.items():
        day, hour = (f"{most:,}" if most else "-" for most in (one.per_day, one.per_hour))
        assert f"| `{name}` | {day} | {hour} | <{one.source}> |" in page


def test_of_a_server_without_a_word_on_it_senders_are_believed_normally(tmp_path: Path) -> None:
    settings = load(home(tmp_path), {})
    assert (settings.trust.level, settings.trust.authserv_ids, settings.trust.verify) == ("normal", (), "remote")
    assert settings.metrics is None
