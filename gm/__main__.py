"""`python -m gm`: the same as the command `gm`."""

from __future__ import annotations

import sys

from gm.cli import main

if __name__ == "__main__":
    sys.exit(main())
