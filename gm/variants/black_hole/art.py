"""What the maps of this game show beside the standard ones: the dark where a province was."""

from __future__ import annotations

from gm.art import Emblem, Surface

BLACK_HOLE = Emblem(
    ground=Surface(
        paint="url(#hole)",
        defs=(
            '<radialGradient id="hole"><stop offset="0" stop-color="#000"/><stop offset=".42" stop-color="#05030a"/>'
            '<stop offset=".55" stop-color="#7d5bd1"/><stop offset=".62" stop-color="#3a2273"/>'
            '<stop offset="1" stop-color="#15101f"/></radialGradient>'
        ),
        tone="dark",
    )
)
