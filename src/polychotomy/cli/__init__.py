"""The command line: one library call for each command.

Only typer is imported before a command runs, so that ``--help`` is instant.
"""

from polychotomy.cli.commands import app, main

__all__ = ["app", "main"]
