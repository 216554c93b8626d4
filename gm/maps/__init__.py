"""Maps: from what a seat may see (a `View`) to a scene, from the scene to SVG, from SVG to PNG.

A map is made from a `View` alone; this package knows no variant, no store and no clock.
"""
