"""Lines of a stream, answered in order: at once while they come one by one, by several processes while many wait."""

from __future__ import annotations

import io
import os
import select
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Answer = Callable[[int, bytes], str]
"""Makes the answer to a line from its number, counted from 1; one that can be pickled."""

SIZE = 1 << 16
"""The bytes that are read at once: what a pipe holds, twenty phases of a full board."""
FEW = 4
"""So many lines, or fewer, are answered sooner here than by another process."""


class Batch(NamedTuple):
    """Whole lines that follow each other, with the number of the first."""

    number: int
    lines: Sequence[bytes]


class Lines:
    """The lines of a source that has a file descriptor and of which nothing has been read."""

    def __init__(self, source: BinaryIO) -> None:
        self._file = source.fileno()
        self._number = 1
        self._begun: list[bytes] = []
        """The pieces of a line whose end has not been read."""

    def are_ready(self) -> bool:
        """Whether something, or the end, can be read without waiting."""
        return bool(select.select([self._file], [], [], 0)[0])

    def read(self) -> Batch | None:
        """The lines that end in what comes next, which may be none; None at the end of the source."""
        text = os.read(self._file, SIZE)
        whole, end, rest = text.rpartition(b"\n")
        lines: list[bytes] = []
        if end or not text:
            lines = io.BytesIO(b"".join((*self._begun, whole, end))).readlines()
            self._begun.clear()
        if rest:
            self._begun.append(rest)
        batch = Batch(self._number, lines)
        self._number += len(lines)
        return batch if text or lines else None


def answers(source: BinaryIO, answer: Answer, jobs: int) -> Generator[str]:
    """The answers to all lines, in order, each as soon as it is there: none waits for lines that have not come.

    Blank lines have none. What comes first is answered in this process, so that little input needs no other, and the
    others begin with what this one has loaded. They have at most a few batches each, so memory does not grow.
    """
    lines, asked = Lines(source), deque["Future[list[str]]"]()
    begun = False
    with ExitStack() as stack:
        pool: Executor | None = None
        while True:
            if asked and (len(asked) > 2 * jobs or not lines.are_ready()):
                yield from asked.popleft().result()
            elif (batch := lines.read()) is None:
                break
            elif asked or (begun and jobs > 1 and len(batch.lines) > FEW):
                pool = pool or stack.enter_context(_processes(jobs))
                asked.append(pool.submit(_all_answers, answer, batch))
            else:
                yield from _each_answer(answer, batch)
                begun = begun or bool(batch.lines)
        for each in asked:
            yield from each.result()


def _processes(jobs: int) -> Executor:
    from concurrent.futures import ProcessPoolExecutor  # takes longer to import than a phase to adjudicate

    return ProcessPoolExecutor(jobs)


def _each_answer(answer: Answer, batch: Batch) -> Iterator[str]:
    return (answer(number, line) for number, line in enumerate(batch.lines, batch.number) if line.strip())


def _all_answers(answer: Answer, batch: Batch) -> list[str]:
    return list(_each_answer(answer, batch))
