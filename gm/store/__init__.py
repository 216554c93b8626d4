"""The store: tables, transactions and look-ups. Importing anything of it makes every table known."""

from gm.store import people, preorders

__all__ = ["people", "preorders"]
