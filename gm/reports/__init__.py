"""From views to mail bodies: every kind of mail as plain text and as HTML, from the same values.

Place: the server fills a context (`game_mails`, `answers`) and calls `render.render`; nothing here knows the store, the
clock or how mail is packed. What many readers have alike is a part of its own (`bulletins`), rendered once. `explain`
puts outcomes into words, and needs no template.
"""
