"""What happened since the process started, counted by name and labels; shown on the metrics page.

Place: below everything that counts. What rows can tell (queues, bounces) is not counted here but asked of the store.
"""

from __future__ import annotations

import threading
from collections import Counter

Labels = tuple[tuple[str, str], ...]

_lock = threading.Lock()
_counted: Counter[tuple[str, Labels]] = Counter()


def count(name: str, **labels: str) -> None:
    """One more. Labels come from closed lists, never from a mail."""
    with _lock:
        _counted[name, tuple(sorted(labels.items()))] += 1


def counted() -> dict[tuple[str, Labels], int]:
    """Everything counted so far."""
    with _lock:
        return dict(_counted)
