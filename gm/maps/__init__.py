"""Maps: from what a seat may see to a scene, from the scene to SVG, from SVG to PNG.

Place: beside the reports. A map is made from a `View` alone; it knows no variant, no store and no clock.
"""
