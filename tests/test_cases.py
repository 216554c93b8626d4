"""Cases that are run in one go: nothing of what each would have said is lost."""

from __future__ import annotations

import pytest

from tests import cases

TESTS = """
import pytest

TABLE = ["one", "two", "three"]

@pytest.fixture(params=[1, 2])
def made(request): return request.param

@pytest.mark.parametrize("word", TABLE)
@pytest.mark.parametrize(("first", "second"), [("o", "t"), ("t", "o")])
def test_words(first, second, word):
    assert word[0] in first + second
    assert word[0] != second, "this is the reason"

@pytest.mark.parametrize("word", TABLE)
def test_all_is_well(word): assert word in TABLE

@pytest.mark.parametrize("word", TABLE)
def test_something_is_missing(word):
    if word == "two": pytest.skip("it is not installed")

@pytest.mark.parametrize("word", TABLE)
def test_in_a_folder(word, tmp_path): assert word

@pytest.mark.parametrize("made", TABLE, indirect=True)
def test_what_is_made_of_it(made): assert made

@pytest.mark.parametrize("word", [*TABLE, pytest.param("four", marks=pytest.mark.xfail)])
def test_one_is_known_to_fail(word): assert word != "four"

def test_of_a_fixture(made): assert made
def test_alone(): assert TABLE
"""
TOGETHER = {"test_words": 6, "test_all_is_well": 3, "test_something_is_missing": 3}
APART = {"test_in_a_folder": 3, "test_what_is_made_of_it": 3, "test_one_is_known_to_fail": 4, "test_of_a_fixture": 2}


class Heard:
    """What was run, and what was said of it."""

    def __init__(self) -> None:
        self.reports: dict[str, pytest.TestReport] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.reports[report.nodeid.rpartition("::")[2]] = report


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pytest.TestReport]:
    folder = tmp_path_factory.mktemp("cases")
    (folder / "test_of_cases.py").write_text(TESTS)
    heard = Heard()
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--import-mode=importlib", "-c", "/dev/null"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_XDIST_WORKER", "gw0")
        pytest.main([*options, "--rootdir", str(folder), str(folder)], plugins=[cases, heard])
    return heard.reports


def test_only_cases_that_ask_for_nothing_else_are_one(heard: dict[str, pytest.TestReport]) -> None:
    assert {name: dict(heard[name].user_properties)["cases"] for name in TOGETHER} == TOGETHER
    for name, number in APART.items():
        assert sum(one.startswith(f"{name}[") for one in heard) == number
    assert len(heard) == len(TOGETHER) + sum(APART.values()) + 1


def test_each_that_fails_is_named_with_the_reason(heard: dict[str, pytest.TestReport]) -> None:
    assert heard["test_words"].failed
    said = heard["test_words"].longreprtext
    assert "3 of 6 cases failed: o-t-two, o-t-three, t-o-one" in said
    for name in ("o-t-two", "o-t-three", "t-o-one"):
        _, _, own = said.partition(f"____ [{name}]")
        own, _, _ = own.partition("____")
        assert "AssertionError: this is the reason" in own
        assert f"assert '{name[4]}' != '{name[4]}'" in own
    assert "in runtest" not in said
    assert "case.obj(" not in said, "where it was is in the test"


def test_of_what_is_skipped_it_is_said_which(heard: dict[str, pytest.TestReport]) -> None:
    assert heard["test_all_is_well"].passed
    assert heard["test_something_is_missing"].skipped
    assert "two: it is not installed" in str(heard["test_something_is_missing"].longrepr)
