"""What holds for all tests: where they write, which of them take long, no skipping where the servers must be there, and
the long run of the property tests."""

from __future__ import annotations

import gc
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

pytest_plugins = [
    "tests.browser",
    "tests.cases",
    "tests.certificates",
    "tests.databases",
    "tests.worlds",
]  # what tests ask for: `browser`, `database`, `world`, `seats` ...; and how `cases` are run
if os.environ.get("GM_ROWS"):
    pytest_plugins.append("tests.reading.mails")

settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile(
    "fuzz", deadline=None, max_examples=3000, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("default")

_ROOM = 4 << 30
"""Bytes: what all tests together may write before it is deleted is far less."""


def pytest_configure() -> None:
    """What tests write stays in memory where there is room for it: the disk is what they would wait for longest."""
    memory = Path("/dev/shm")
    if not os.environ.get("TMPDIR") and memory.is_dir() and shutil.disk_usage(memory).free > _ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(memory)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Modules of which nothing was asked for are not even imported: most are of one tier or the other as a whole."""
    elsewhere = _ELSEWHERE.get(config.option.markexpr)
    if elsewhere is None or not collection_path.name.startswith("test_"):
        return None
    return elsewhere(collection_path.read_text("utf-8"))


_ELSEWHERE: dict[str, Callable[[str], bool]] = {
    "long": lambda module: "mark.long" not in module,
    "not long": lambda module: re.search(r"^pytestmark = .*mark\.long", module, re.MULTILINE) is not None,
}
"""What is asked for, and whether all tests of a module are of the other tier."""


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """What is collected is no garbage: to search it again and again meanwhile found nothing."""
    gc.disable()
    try:
        _import_a_share(session.config)
        return (yield)
    finally:
        gc.enable()


def _import_a_share(config: pytest.Config) -> None:
    """Each worker imports some of the modules before all: pytest writes them anew for what `assert` says, which takes
    half a minute in a fresh checkout, and finds what another worker has written.
    """
    if sys.dont_write_bytecode or "PYTEST_XDIST_WORKER" not in os.environ:
        return
    first, step = (int(os.environ[name].strip("gw")) for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"))
    found = [path for given in config.args for path in sorted(Path(given.partition("::")[0]).rglob("test_*.py"))]
    for path in [path for path in found if not pytest_ignore_collect(path, config)][first::step]:
        with suppress(Exception, pytest.skip.Exception):  # it is said when it is collected
            import_module(".".join(path.resolve().relative_to(config.rootpath).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the modules that take longest, so that none of them is left for one processor at the end."""
    items.sort(key=_seconds, reverse=True)


def _seconds(item: pytest.Item) -> int:
    """About how long the test's module takes, where it says so."""
    long = item.get_closest_marker("long")
    return long.kwargs.get("seconds", 0) if long else 0


def pytest_collection_finish() -> None:
    """What was collected stays to the end: to search it for garbage again and again takes a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """What a module has left behind goes with it: files and connections that nobody closed, too. What stays, is kept
    for other modules, and not searched again: that was an eighth of a second each time.
    """
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A worker tells the result of a test, and what else went wrong; not also that it begins, was set up, was torn down
    and is over, which takes a fifth of the time of a short one.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


_REQUIRED = os.environ.get("GM_REQUIRE_SERVERS", "") not in ("", "0")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With GM_REQUIRE_SERVERS=1 a skipped test is a failed one: nothing may be missing there."""
    report = yield
    _fail_if_required(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for whole modules."""
    report = yield
    _fail_if_required(report)
    return report


def _fail_if_required(report: Any) -> None:
    if _REQUIRED and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"GM_REQUIRE_SERVERS is set, yet this was skipped: {reason}"
