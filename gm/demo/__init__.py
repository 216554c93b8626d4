"""The demonstration: correspondents who play a scripted game by real mail against a real server.

They know of the server what any player knows: an address to write to and the mails that come back. Place: above the
server, below the command line.
"""
