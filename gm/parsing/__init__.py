"""Text to orders and commands: what a player wrote becomes typed values here, or a complaint in plain words.

`letter` reads a whole mail: `commands` a line that is a command, `press` a block of press, `orders` a line of orders.
A line of orders is folded by `script`; `lexicon` finds its names, `grammar` (by the files in `grammars/`) its form, and
`making` makes the orders. `complaints` says what was wrong, and `prose` tells talk from orders that went wrong. Nothing
here knows a position: whether an order is possible is the business of `gm.orders.legality`.
"""
