"""Games: one as an immutable snapshot, what changes it, and what mails about it are made of.

Above the store, the mails and the reports; below commands and server. Everything that writes works in a transaction
that somebody else opened.
"""
