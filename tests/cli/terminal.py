"""A program at a real terminal (a pty): what it shows is read, and its questions are answered by pressing keys."""

from __future__ import annotations

import codecs
import os
import pty
import select
import subprocess
import termios
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from tests.processes import Process
from tests.timing import HANGING

SIZE = (100, 120)
"""Lines and columns: a mail is seen without paging."""


class Terminal:
    """A program, which `start` starts at a terminal (a file descriptor); `shown` is all that it has written."""

    def __init__(self, start: Callable[[int], subprocess.Popen[bytes] | Process]) -> None:
        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, SIZE)
        self._process = start(theirs)
        os.close(theirs)
        self.shown = ""
        self._read = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def press(self, keys: str, after: str) -> None:
        """Press these keys once this is shown, behind what was waited for before."""
        while after not in self.shown[self._read :]:
            assert self._more(), f"{after!r} was not shown:\n{self.shown}"
        self._read = self.shown.index(after, self._read) + len(after)
        os.write(self._ours, keys.encode())

    def answer(self, question: str, words: str) -> None:
        """Wait for the question, and type the answer."""
        self.press(f"{words}\n", after=question)

    def hang_up(self) -> None:
        """Type ^D, the end of all input."""
        os.write(self._ours, b"\x04")

    def end(self, answers: Sequence[tuple[str, str]] = ()) -> int:
        """Answer these questions, and wait for the end; the exit status."""
        for question, words in answers:
            self.answer(question, words)
        while self._more():
            pass
        return self._process.wait(HANGING)

    def _more(self) -> bool:
        waiting = select.poll()  # select() itself takes no descriptor above 1,023
        waiting.register(self._ours, select.POLLIN)
        assert waiting.poll(2 * HANGING * 1000), self.shown
        try:
            read = os.read(self._ours, 4096)
        except OSError:  # Linux: the other end is closed
            return False
        self.shown += self._decoder.decode(read).replace("\r\n", "\n")
        return bool(read)


def gm_at_a_terminal(*arguments: str, cwd: Path, environment: dict[str, str] | None = None) -> Terminal:
    """`gm` with these arguments."""
    own = os.environ | (environment or {})
    return Terminal(
        lambda terminal: Process(
            *("gm", *arguments), environment=own, folder=cwd, streams=(terminal,) * 3, session=True
        )
    )


def program_at_a_terminal(*command: str, cwd: Path, environment: dict[str, str]) -> Terminal:
    """Any other program."""
    own = os.environ | environment
    return Terminal(
        lambda terminal: subprocess.Popen(
            command, stdin=terminal, stdout=terminal, stderr=terminal, cwd=cwd, start_new_session=True, env=own
        )
    )
