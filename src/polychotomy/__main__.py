"""Run the command line with ``python -m polychotomy``."""

from __future__ import annotations

from polychotomy.cli import main

if __name__ == "__main__":
    main()
