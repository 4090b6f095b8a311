"""How often a column that gives the target away is named, and one that does not.

    python benchmarks/leaks.py --data DIR

writes docs/results/leaks.md. In each data set of DIR (the last column is the class) a column is
planted that was written down after the outcome, with a share of rows in which it is wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from polychotomy.core.numbers import join
from polychotomy.tables.column_notes import note_columns
from stamps import stamps

PAGE = Path(__file__).parents[1] / "docs" / "results" / "leaks.md"
WRONG = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3)
ROWS = 1000
Plant = Callable[[np.random.Generator, np.ndarray, int], pd.Series]


def a_code(rng: np.random.Generator, y: np.ndarray, _: int) -> pd.Series:
    """A value for each class."""
    return pd.Series([f"code {one}" for one in y])


def texts_of_one(rng: np.random.Generator, y: np.ndarray, one: int) -> pd.Series:
    """Two texts of one class, three of the others."""
    other, own = rng.choice(["A", "B", "C"], len(y)), rng.choice(["X", "Y"], len(y))
    return pd.Series(np.where(y == one, own, other))


def filled_in(rng: np.random.Generator, y: np.ndarray, one: int) -> pd.Series:
    """A number that is there for one class alone."""
    return pd.Series(rng.exponential(size=len(y))).where(y == one)


PLANTS: dict[str, Plant] = {
    "a code with a value for each class": a_code,
    "two texts for one class": texts_of_one,
    "a number filled in for one class": filled_in,
}


def is_named(plant: Plant, y: np.ndarray, wrong: float, rng: np.random.Generator) -> bool:
    """Whether it is named as giving the target, or a class of it, away."""
    shares = np.bincount(y) / len(y)
    one = int(np.abs(shares - 0.2).argmin())  # a class of about a fifth of the rows
    seen = np.where(rng.random(len(y)) < wrong, rng.permutation(y), y)
    notes = note_columns(pd.DataFrame({"planted": plant(rng, seen, one)}), y, "class")
    return any(note.kind == "leak" for note in notes)


def read(folder: Path) -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    tables = {}
    for path in sorted(folder.glob("*.csv.gz")):
        frame = pd.read_csv(path)
        y = pd.factorize(frame.pop(frame.columns[-1]))[0]
        tables[path.name.removesuffix(".csv.gz")] = frame, y
    return tables


def page(tables: dict[str, tuple[pd.DataFrame, np.ndarray]]) -> str:
    lines = [f"| of another row in | {' | '.join(PLANTS)} |", "| --- " * (1 + len(PLANTS)) + "|"]
    for wrong in WRONG:
        cells = []
        for name, plant in PLANTS.items():
            rng = np.random.default_rng([int(100 * wrong), len(name)])
            samples = [rng.permutation(y)[:ROWS] for _, y in tables.values()]
            kept = [pd.factorize(y)[0] for y in samples]
            cells.append(f"{np.mean([is_named(plant, y, wrong, rng) for y in kept]):.0%}")
        lines.append(f"| {wrong:.0%} of rows | {' | '.join(cells)} |")
    found: dict[str, list[str]] = {"target": [], "class": []}
    for name, (X, y) in tables.items():
        for note in note_columns(X, y, "class"):
            if note.kind == "leak":
                listed = note.rpartition("): ")[2]
                found["target" if note.leaks else "class"].append(f"{listed} of {name}")
    return TEXT.format(
        stamps=stamps(("tables/column_notes.py",)), rows="\n".join(lines), tables=len(tables),
        most=ROWS, columns=f"{sum(X.shape[1] for X, _ in tables.values()):,}",
        target=join(found["target"]), some=join(found["class"]),
    )  # fmt: skip


TEXT = """{stamps}

# Columns that give the target away

How often is such a column named before the first fit? In each of {tables} data sets (at most {most}
rows) a column is planted that was written down after the outcome, and for a share of the rows it
is that of a row drawn at random. Shares of the data sets in which it is named:

{rows}

What is named otherwise, of the {columns} columns that these data sets have by themselves: as giving
the target away, {target}; as giving a class of it away, {some}.
Nobody but the owner of a table can know which of them are known when a prediction is wanted; so it
is asked.

A column of numbers with many values, such as the target with noise added, is not named: so is the
width of an iris's petals. Where the verdict is there, it says which columns matter most.

```
python benchmarks/leaks.py --data DIR
```
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    PAGE.write_text(page(read(parser.parse_args().data)), encoding="utf-8")


if __name__ == "__main__":
    main()
