"""From views to mail bodies: every kind of mail as plain text and as HTML, from the same values.

The server fills a context (`game_mails`, `answers`) and calls `render.render`; nothing here knows the store, the clock
or the format of mails. What many readers share is a separate part (`bulletins`), rendered once. `explain` words
outcomes, without a template.
"""
