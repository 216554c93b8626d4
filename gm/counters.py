"""Counters of events since the process started, by name and labels, for the metrics page.

What can be queried from the store (queues, bounces) is not counted here.
"""

from __future__ import annotations

import threading
from collections import Counter

Labels = tuple[tuple[str, str], ...]

_lock = threading.Lock()
_counted: Counter[tuple[str, Labels]] = Counter()


def count(name: str, **labels: str) -> None:
    """Count one event. Labels come from fixed lists, never from a mail."""
    with _lock:
        _counted[name, tuple(sorted(labels.items()))] += 1


def counted() -> dict[tuple[str, Labels], int]:
    """All counters."""
    with _lock:
        return dict(_counted)
