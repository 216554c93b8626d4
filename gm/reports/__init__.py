"""From views to mail bodies: every kind of mail as plain text and as HTML, from the same values.

Place: the service fills a value of `gm.reports.context` and calls `render`; nothing here knows the store, the clock or
how mail is packed.
"""

from gm.reports.render import KINDS, Rendered, render

__all__ = ["KINDS", "Rendered", "render"]
