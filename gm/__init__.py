"""gm: a gamemaster server for Diplomacy played by e-mail.

The packages are layers, each of which imports only from those before it (README.md has the whole list, and
`tests/test_house.py` checks it): the pure rules (`board` to `views`), then `mail.message`, `parsing`, `reports`,
`store`, `games`, `commands`, `server`, `mail.transport`, `cli`.
"""

__version__ = "0.1.0"
