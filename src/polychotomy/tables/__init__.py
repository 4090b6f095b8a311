"""Tables as people have them: reading, dates, labels, notes on columns and rows."""

from polychotomy.tables.reading import Table, read_table

__all__ = ["Table", "read_table"]
