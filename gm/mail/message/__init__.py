"""Letters: bytes to a `Letter` and words to bytes again; no network, no database, no clock.

A mail's way in: `reading.read_letter` -> `mime` (parts within limits) -> `plain`, `flowed` or `html` (lines, quotes
marked) -> `reply` (the sender's own words) and `robots` (may it be answered?). The way out: `outgoing.compose`.
`addresses` makes and reads the seats' reply addresses, `mailto` the links in reports.
"""
