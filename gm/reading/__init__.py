"""What the lines of a mail are, and what becomes of each: pure functions above bytes and grammar.

A mail's lines are told apart by whose words they are (`origin`, `ours`), by what they say (`gm.parsing.message`), and
by what they are about (`target`). Every line ends in exactly one fate with one reason (`line`): acted on, asked about,
refused, shown back, talk, or ours. Nothing here knows a session, a context or what a command does.
"""
