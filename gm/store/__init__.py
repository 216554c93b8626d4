"""The store: tables, transactions and look-ups. Importing anything of it makes every table known."""

from gm.store import later, people

__all__ = ["later", "people"]
