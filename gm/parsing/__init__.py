"""Text to orders and commands: what a player wrote becomes typed values here, or a complaint in plain words.

`message` reads a whole mail: `command_lines` a line that is a command, by the forms of `command_syntax`; `text_blocks`
press and small talk; `headings` and `orders` lines of orders. A line of orders is normalized by `folding`; `lexicon`
finds its names, and `grammar` parses it by the files in `grammars/` and makes the orders. `complaints` words the
errors. Nothing here knows a position: whether an order is possible is decided in `gm.orders.legality`.
"""
