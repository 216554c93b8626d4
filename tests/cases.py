"""Cases of one test that ask for nothing but their values are run in one go by the workers of a parallel run.

A case of its own is set up, torn down and reported to the process that prints, which takes longer than most of them. A
failure names every case that failed, each with where and why. One process alone (`pytest FILE`) runs each by itself.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import pytest
from _pytest._code.code import ExceptionInfo, TerminalRepr

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

APART = {"skip", "skipif", "xfail", "usefixtures", "filterwarnings"}
"""What says more of a case than its values."""


class Failed(AssertionError):
    """Of some cases, by their names, what was wrong."""

    def __init__(self, failures: dict[str, ExceptionInfo[BaseException]], of: int) -> None:
        super().__init__(f"{len(failures)} of {of} cases failed: {', '.join(failures)}")
        self.failures = failures


class Cases(pytest.Item):
    """Several cases of one test."""

    def __init__(self, cases: list[pytest.Function], **more: Any) -> None:
        super().__init__(**more)
        self.cases = cases
        self.own_markers = cases[0].own_markers
        self.keywords.update(cases[0].keywords)
        self.user_properties.append(("cases", len(cases)))

    def runtest(self) -> None:
        failures: dict[str, ExceptionInfo[BaseException]] = {}
        skipped: dict[str, str] = {}
        for case in self.cases:
            try:
                case.obj(**case.callspec.params)
            except pytest.skip.Exception as why:
                skipped[case.callspec.id] = str(why)
            except (Exception, pytest.fail.Exception) as error:
                failures[case.callspec.id] = ExceptionInfo.from_exception(error)
        if failures:
            raise Failed(failures, len(self.cases))
        if skipped:
            pytest.skip("; ".join(f"{name}: {why}" for name, why in skipped.items()))

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        if not isinstance(excinfo.value, Failed):
            return super().repr_failure(excinfo, style)
        parts = [
            f"____ [{name}]\n{self._repr_failure_py(_below(error), 'long' if style == 'auto' else style)}"
            for name, error in excinfo.value.failures.items()
        ]
        return "\n".join([str(excinfo.value), *parts])

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        return (*self.cases[0].reportinfo()[:2], self.name)


def _below(error: ExceptionInfo[BaseException]) -> ExceptionInfo[BaseException]:
    """What happened in the test, without who called it."""
    error.traceback = error.traceback.filter(lambda entry: entry.path != Path(__file__))
    return error


def together(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """The items, those of one test that can be run in one go as one."""
    for name, several in itertools.groupby(items, _test):
        cases = list(several)
        functions = [case for case in cases if _has_all(case)]
        if functions == cases and len(cases) > 1 and (module := functions[0].parent):
            yield Cases.from_parent(module, name=name[1], cases=functions)
        else:
            yield from cases


def _test(item: pytest.Item) -> tuple[object, str]:
    """The test of which this is a case: where it is, and its name."""
    return item.parent, getattr(item, "originalname", None) or item.name


def _has_all(item: pytest.Item) -> TypeGuard[pytest.Function]:
    """Whether the test's parameters are all that it asks for."""
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return False
    if item.cls or hasattr(item.obj, "hypothesis") or any(item.get_closest_marker(mark) for mark in APART):
        return False
    given = [mark for mark in item.iter_markers("parametrize") if not mark.kwargs.get("indirect")]
    names = {name for mark in given for name in _names(mark.args[0])}
    return set(item.fixturenames) == names == set(item.callspec.params)


def _names(given: str | Iterable[str]) -> Iterable[str]:
    """The names of parameters, as they are given to `parametrize`."""
    return given.replace(",", " ").split() if isinstance(given, str) else given


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In a worker: what was chosen, by names and marks, is put together."""
    if "PYTEST_XDIST_WORKER" in os.environ and not config.option.collectonly:
        items[:] = together(items)


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """How many cases there were, where that is another number than that of the tests."""
    passed = [report for report in terminalreporter.getreports("passed") if getattr(report, "when", "") == "call"]
    cases = [dict(report.user_properties).get("cases", 1) for report in passed]
    if sum(cases) > len(cases):
        terminalreporter.write_line(f"{sum(cases)} cases in {len(cases)} tests passed")
