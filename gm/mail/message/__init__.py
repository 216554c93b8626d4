"""Messages: bytes to a `Message`, and words to bytes again; no network, no database, no clock.

In: `incoming.read_message` -> `mime` (the header, and the parts within limits) -> `bodies` (which part is the text, and
what could not be read) -> `text`, `html` (lines of text, quotes marked) -> `reply`, `attribution` (the sender's own
words). `auto_reply` recognizes mail that no person wrote, `bounce_report` reads bounces, `trace` what mail servers in
front of us wrote into the header, `coverage` what of a mail a proof is about. Out: `compose`. `addresses` parses and
makes mail addresses, those of the seats too.
"""
