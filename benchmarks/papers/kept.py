"""Results of settling runs: a CSV file that grows as they come, so that a later call goes on.

The files lie in docs/results beside the pages, so that every cell can be recounted from them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic

import numpy as np

from polychotomy.reproduction.cells import Cell, Place, compare_numbers
from polychotomy.reproduction.means import mean_and_error

RESULTS = Path(__file__).parents[2] / "docs" / "results"

Key = tuple[str, ...]


class Kept:
    """Rows of a file; its first columns are keys. Groups: rows alike but for the last key."""

    def __init__(self, path: Path, keys: Iterable[str], values: Iterable[str]) -> None:
        self.path, self.keys, self.values = path, tuple(keys), tuple(values)
        if not path.exists():
            path.write_text(",".join((*self.keys, *self.values)) + "\n", encoding="utf-8")
        with path.open(newline="", encoding="utf-8") as file:
            self.rows = {
                tuple(row[key] for key in self.keys): [float(row[value]) for value in self.values]
                for row in csv.DictReader(file)
            }
        self.groups: dict[Key, list[list[float]]] = {}
        for key, own in self.rows.items():
            self.groups.setdefault(key[:-1], []).append(own)

    def put(self, key: Key, values: Iterable[float]) -> None:
        """Append a row, numbers with ten digits."""
        texts = [f"{value:.10g}" for value in values]
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow([*key, *texts])
        self.rows[key] = [float(text) for text in texts]
        self.groups.setdefault(key[:-1], []).append(self.rows[key])

    def run(
        self,
        tasks: Iterable[tuple[list[Key], Callable[[], Iterable[Iterable[float]]]]],
        minutes: float,
    ) -> None:
        """Run tasks, each of some rows, whose rows are not yet there, until the time is spent."""
        end = monotonic() + 60 * minutes
        for keys, task in tasks:
            if monotonic() > end:
                return
            if not all(key in self.rows for key in keys):
                for key, values in zip(keys, task(), strict=True):
                    self.put(key, values)


def read_again(cell: Cell, values: Iterable[float], printed_runs: int) -> Cell:
    """Put what another reading gave in place of ours, with its own verdict."""
    scores = np.asarray(list(values))
    mean, error = mean_and_error(scores)
    own = 0.0 if np.isnan(cell.printed_error) else cell.printed_error
    return compare_numbers(
        Place(cell.table, cell.row, cell.column),
        printed=float(cell.printed),
        printed_error=cell.printed_error,
        ours=mean,
        ours_error=error,
        decimals=cell.decimals,
        runs=len(scores),
        largest_error=own * np.sqrt(printed_runs) / 2,
        scale=cell.scale,
    )


def write_between(path: Path, lines: Iterable[str]) -> None:
    """Put lines after the mark of a page, in place of what stands there."""
    before, mark, _ = path.read_text(encoding="utf-8").partition("<!-- tables -->\n")
    path.write_text(before + mark + "\n" + "\n".join(lines) + "\n", encoding="utf-8")


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Lines of a table in Markdown, and an empty one."""
    head = list(header)
    lines = [f"| {' | '.join(head)} |", "| --- " * len(head) + "|"]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]
