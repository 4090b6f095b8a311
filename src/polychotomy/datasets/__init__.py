"""The papers' simulated problems, and tables read from files."""

from polychotomy.datasets.tables import Table, read_table

__all__ = [
    "Table",
    "read_table",
]
