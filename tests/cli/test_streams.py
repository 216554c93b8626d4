"""Streams of lines: answered in order and at once, by one process or by several."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import pytest

from gm.cli import streams
from gm.cli.streams import FEW, answers


def told(number: int, line: bytes) -> str:
    """The number and the line, and the process if it is asked for."""
    return f"{number} {os.getpid()}" if line.startswith(b"who") else f"{number} {line!r}"


@contextmanager
def talk(jobs: int) -> Iterator[Callable[[bytes], list[str]]]:
    """What writes to the stream, which stays open, and returns an answer for each line that it has ended."""
    source, sink = os.pipe()
    with os.fdopen(source, "rb") as reading, os.fdopen(sink, "wb", buffering=0) as writing:
        said = answers(reading, told, jobs)

        def ask(text: bytes) -> list[str]:
            writing.write(text)
            return list(islice(said, text.count(b"\n")))

        with closing(said):
            yield ask


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("size", [1, 7, 1 << 16])
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n\n",
        b"one",
        b"one\ntwo\n",
        b"one\n\n  \nfour, which is longer than a read\nfive",
        b"with\rreturns\r\nand \x0b\x85\xe2\x80\xa8 in them\n",
    ],
)
def test_each_line_is_answered_with_its_number(
    text: bytes, size: int, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a file is read line by line; blank lines are counted, and have no answer."""
    monkeypatch.setattr(streams, "SIZE", size)
    file = tmp_path / "lines"
    file.write_bytes(text)
    with file.open("rb") as source:
        said = list(answers(source, told, jobs))
    with file.open("rb") as source:
        assert said == [told(number, line) for number, line in enumerate(source, 1) if line.strip()]


def test_whoever_waits_for_an_answer_gets_it() -> None:
    """Before, between and after lines that other processes answer, and while the next line has only begun."""
    with talk(2) as ask:
        for text in (b"1\n", b"2\n", b"many\n" * 50 + b"beg", b"un\n", b"many\n" * 50):
            assert len(ask(text)) == text.count(b"\n")
        assert ask(b"last\n") == [told(104, b"last\n")]


def test_only_many_lines_are_for_other_processes() -> None:
    """And only after the first, with which this process loads what they then have."""
    many = FEW + 1
    with talk(2) as ask:
        for count, here in ((many, True), (FEW, True), (many, False), (1, True)):
            processes = {answer.split()[1] for answer in ask(b"who\n" * count)}
            assert (processes == {str(os.getpid())}) is here


def test_one_job_is_this_process() -> None:
    with talk(1) as ask:
        for _ in range(2):
            assert {answer.split()[1] for answer in ask(b"who\n" * 100)} == {str(os.getpid())}


def test_no_more_is_read_than_can_be_worked_on(tmp_path: Path) -> None:
    """Memory does not grow with the input: it waits where it is until answers were taken."""
    file = tmp_path / "lines"
    file.write_bytes(b"a line\n" * 500_000)
    with file.open("rb") as source, closing(answers(source, told, 2)) as said:
        assert next(said)
        assert os.lseek(source.fileno(), 0, os.SEEK_CUR) == streams.SIZE
        assert sum(1 for _ in islice(said, 20_000)) == 20_000
        assert os.lseek(source.fileno(), 0, os.SEEK_CUR) <= 10 * streams.SIZE
