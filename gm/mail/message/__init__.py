"""Messages: bytes to a `Message`, and words to bytes again; no network, no database, no clock.

In: `incoming.read_message` -> `headers`, `mime` (the parts, within limits) -> `bodies` (which part counts) ->
`charsets`, `html`, `lines` (lines of text, quotes marked) -> `reply`, `attribution` (the sender's own words);
`faults` says what could not be read. `auto_reply` says whether a mail may be answered, `authentication` what a mail
server found out about its sender, `bounce_report` which mail of ours it brings back. Out: `compose`. `addresses`
reads and makes mail addresses, those of the seats too.
"""
