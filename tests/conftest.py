"""What holds for all tests: no skipping where the servers must be there, and the long run of the property tests."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = [
    "tests.browser",
    "tests.certificates",
    "tests.databases",
    "tests.worlds",
]  # what tests ask for: `browser`, `database`, `world`, `seats` ...
if os.environ.get("GM_ROWS"):
    pytest_plugins.append("tests.reading.mails")

settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile(
    "fuzz", deadline=None, max_examples=3000, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("default")

_LONG = (
    "simulation/test_simulation",
    "server/test_limits",
    "deploy/test_read_late",
    "gallery/test_browser",
    "demo/test_demo",
    "cli/test_machines",
    "variants/test_sent_back",
    "mail/message/test_hostile",
    "deploy/test_docs",
    "server/test_handover",
    "server/test_ready",
    "server/test_which_phase",
    "server/test_accept_late",
    "variants/the_aliens/test_by_mail",
    "server/test_deputies",
    "cli/test_questions",
    "parsing/test_hostile",
    "rules/test_elimination",
    "reports/test_browser",
    "cli/test_move",
    "server/test_every_game",
)
"""The modules that take longest: they come first, so that none is left for one processor at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest."""
    place = {f"tests/{name}.py": number for number, name in enumerate(_LONG)}
    items.sort(key=lambda item: place.get(item.nodeid.partition("::")[0], len(place)))


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
