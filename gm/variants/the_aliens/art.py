"""What the maps of this game show beside the standard ones: transmitters, ships, units from home."""

from __future__ import annotations

from gm.art import Art, Emblem, UnitShape
from gm.variants.the_aliens.board import TRANSMITTER

DISH = Emblem(
    meaning="transmitter",
    sign=(
        '<path d="M-5 8 0-3 5 8z" fill="{strong}" stroke="{ink}" stroke-width="1"/>'
        '<path d="M-8-7.500A9 9 0 0 0-8 2M8-7.500A9 9 0 0 1 8 2M-4.500-5.500A5 5 0 0 0-4.500 0M4.500-5.500A5 5 0 0 1'
        ' 4.500 0" fill="none" stroke="{edge}" stroke-width="1.600"/><circle cy="-3.500" r="2.200" fill="{ink}"/>'
    ),
    sample=(
        '<g transform="translate(18 0)"><path d="M-6 10 0-4 6 10z" fill="#777"/>'
        '<path d="M-9-10A10 10 0 0 0-9 2M9-10A10 10 0 0 1 9 2" fill="none" stroke="#777" stroke-width="2"/></g>'
    ),
)

ART = Art(units={TRANSMITTER: UnitShape("M-11 11.500 0-12 11 11.500z", letters=5, size=13)}, leap="beams")
