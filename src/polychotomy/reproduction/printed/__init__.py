"""The papers' printed tables, as data files, and their reader.

Each file has a row for each printed cell. Where the paper or its scan is known to be wrong, the
column ``note`` says how.
"""

from __future__ import annotations

import csv
from importlib.resources import files

from polychotomy.core.exceptions import InvalidInput

TABLES = ("ht98", "m24", "mst09", "t96", "ya06_table1", "ya06_table2", "ya06_table3")


def read_printed(table: str) -> list[dict[str, str]]:
    """Read a printed table: a dictionary for each cell, all values as printed.

    Parameters
    ----------
    table : {"ht98", "m24", "mst09", "t96", "ya06_table1", "ya06_table2", "ya06_table3"}

    Examples
    --------
    >>> read_printed("ya06_table1")[2]
    {'data': 'balance', 'learner': 'LGC', 'mean': '4.10', 'sd': '1.59', 'note': ''}
    """
    if table not in TABLES:
        raise InvalidInput(f"there is no printed table {table!r}; there are: {', '.join(TABLES)}.")
    text = files(__package__).joinpath(f"{table}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
