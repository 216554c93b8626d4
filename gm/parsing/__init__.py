"""Text to orders and commands: what a player wrote becomes typed values here, or a complaint in plain words.

`letter` reads a whole mail, `orders` one line of orders, `commands` and `press` the rest. `lexicon` holds the names of one
board and its powers; the grammars lie in the folder `grammars` and are built by `grammar`. Nothing here knows a position:
whether an order is possible is the business of `gm.orders.legality`.
"""
