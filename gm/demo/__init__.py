"""The demonstration: correspondents who play a scripted game by real mail against a real server.

They know only what any player knows: an address to write to, and the mails that come back. `play` has the scripts, the
correspondents with their order styles, and the connection to the server; `clients` imitates their mail programs.
"""
