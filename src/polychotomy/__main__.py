"""Run the command line with ``python -m polychotomy``."""

from polychotomy.cli import main

if __name__ == "__main__":
    main()
