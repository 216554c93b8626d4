"""What the Alien's own maps show beside those of everybody: a mask on what is truly the Alien's."""

from __future__ import annotations

from gm.art import Emblem
from gm.maps.colours import INK

_MASK = (
    '<path d="M0-8.500C7-8.500 9-3.500 8 .5 7 5 3 8.500 0 8.500-3 8.500-7 5-8 .5-9-3.500-7-8.500 0-8.500z"'
    ' fill="#7fb069" stroke="{ink}" stroke-width="1.200"/>'
    '<path d="M-5.500-2.500C-3.500-2-1.800-.5-1.500 2-3.800 2-5.500.5-5.500-2.500z'
    'M5.500-2.500C3.500-2 1.800-.5 1.500 2 3.800 2 5.500.5 5.500-2.500z" fill="{ink}"/>'
)

MASK = Emblem(meaning="the Alien's", sign=_MASK, sample=f'<g transform="translate(18 0)">{_MASK.format(ink=INK)}</g>')
