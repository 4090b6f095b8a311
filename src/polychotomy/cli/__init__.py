"""The command line: one room a command, one library call each.

Only typer is imported before a command runs, so that ``--help`` is instant.
"""

from polychotomy.cli.commands import app, main

__all__ = ["app", "main"]
