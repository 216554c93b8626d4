"""The demonstration: correspondents who play a scripted game by real mail against a real server.

They know what any player knows of the server: an address to write to, and the mails that come back. `play` has the
scripts, the correspondents and their notations, and the way to the server and back; `clients` their mail programs.
"""
