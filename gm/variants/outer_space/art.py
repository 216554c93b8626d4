"""What the maps of this game show beside the standard ones: flags and stripes of colonies, beams to and from orbit."""

from __future__ import annotations

from gm.art import Art, Emblem, Surface

COLONY = Emblem(
    meaning="colony",
    sign=(
        '<path d="M-12-8V8" stroke="{ink}" stroke-width="1.600"/>'
        '<path d="M-12-8H12L8.500-2.500 12 3H-12z" fill="{strong}" stroke="{ink}" stroke-width=".9"/>'
        '<text class="tag" font-size="10.500" x="-1.500" y="1.200" fill="{letters}">{tag}</text>'
    ),
    sample=('<path d="M8-10V11" stroke="#22262b" stroke-width="1.800"/><path d="M8-10H32L27-4 32 3H8z" fill="#777"/>'),
    ground=Surface(striped=True),
)

ART = Art(leap="beams")
