"""The gallery: a static site of the games as everybody may see them.

`public` says what everybody may know of a game, `maps` and `charts` draw it, `pages` render it, `site` keeps the files
on disk. Nothing here sees more than the view of nobody, and no page depends on anything else.
"""
