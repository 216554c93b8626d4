"""From views to mail bodies: every kind of mail as plain text and as HTML, from the same values.

Place: the service fills a value of `gm.reports.context` and calls `gm.reports.render.render`; nothing here knows the
store, the clock or how mail is packed. `explain` puts outcomes into words, and needs no template.
"""
