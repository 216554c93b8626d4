"""gm: a gamemaster server for Diplomacy played by e-mail.

The packages stand in one order, and imports run down it only (`tests/test_house.py` holds them to that):
the pure rules (`board` to `views`), then `mail.message`, `parsing`, `reports`, `store`, `games`, `commands`, `server`,
`mail.transport`, `cli`.
"""

__version__ = "0.1.0"
