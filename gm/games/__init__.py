"""Games: a game as an immutable snapshot, the transaction that changes it, and the data for mails about it.

Functions that write expect a transaction that the caller has opened.
"""
