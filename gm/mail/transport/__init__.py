"""The transports: how mail comes in (SMTP, LMTP, IMAP) and how it goes out (SMTP, Maildir).

Place: above the service, which it never calls by name. What a transport takes in it hands, as bytes with an envelope,
to an `accept` function that commits them to the inbox; what goes out is handed to it as bytes. Nothing here reads what
a message says, which is for `gm.mail.message`; but the listener looks at signatures, and the sender signs. The wall
clock may be read here, since the time of receipt is made here.
"""
