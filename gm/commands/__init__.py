"""The commands of players and gamemasters, by subject; each is one value, a `gm.commands.declaration.Command`.

`gm.commands.registry` lists them. A command acts in a `gm.commands.context.Context`, inside the transaction of the mail
that holds it.
"""
