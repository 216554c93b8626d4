"""Text to orders and commands: what a player wrote becomes typed values here, or an error message in plain words.

`message` parses a whole mail. `command_lines` parses a line that is a command, by the forms of `command_syntax`;
`several_lines` parses press, `small_talk` recognizes small talk, and `headings` and `orders` parse lines of orders. A
line of orders is folded and its names are found by `lexicon`, and `grammar` parses it with the files in `grammars/`,
makes the orders, and words the errors. Nothing here knows a position: whether an order is possible is decided in
`gm.orders.legality`.
"""
