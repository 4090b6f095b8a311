"""What judging a table costs, beside a plain cross-validation of three models.

::

    python -m benchmarks.any_table

judges tables of several sizes by the command that users give, and cross-validates histogram
gradient boosting, logistic regression and a random forest of scikit-learn by five folds on the same
table, one after the other, each in a process of its own. Processor seconds of the process and of
all that it started, and their ratio, are written to docs/results/any_table.md. ``--table NAME``
measures one of them anew and leaves the other rows as they were.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine, make_classification

RESULTS = Path(__file__).parent.parent / "docs" / "results"

THREE = """
import sys, pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
table = pd.read_csv(sys.argv[1])
X, y = table.drop(columns="y"), table["y"]
for one in (HistGradientBoostingClassifier(), RandomForestClassifier(),
            make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))):
    folds = list(StratifiedKFold(5).split(X, y))[: int(sys.argv[2])]
    cross_val_score(one, X, y, cv=folds)
"""


class Cost(NamedTuple):
    """Processor seconds and the largest memory, in MB, of a command and all that it started."""

    seconds: float
    megabytes: float
    last_line: str


def generated(rows: int, columns: int, classes: int) -> pd.DataFrame:
    """A table of numbers, most of them of use."""
    X, y = make_classification(
        rows,
        columns,
        n_informative=min(columns, max(10, int(np.log2(classes)) + 3)),
        n_redundant=0,
        n_classes=classes,
        n_clusters_per_class=1,
        class_sep=1.5,
        random_state=0,
    )
    return pd.DataFrame(X.round(4)).add_prefix("x").assign(y=y)


def wine() -> pd.DataFrame:
    return load_wine(as_frame=True).frame.rename(columns={"target": "y"})


TABLES: dict[str, Callable[[], pd.DataFrame]] = {
    "wine, 178 rows": wine,
    "1,000 × 25, 3 classes": lambda: generated(1_000, 25, 3),
    "10,000 × 25, 3 classes": lambda: generated(10_000, 25, 3),
    "28,000 × 6, 18 classes": lambda: generated(28_000, 6, 18),
    "2,000 × 5,000, 3 classes": lambda: generated(2_000, 5_000, 3),
    "200 classes × 50 rows": lambda: generated(10_000, 25, 200),
    "100,000 × 25, 3 classes": lambda: generated(100_000, 25, 3),
    "1,000,000 × 25, 3 classes": lambda: generated(1_000_000, 25, 3),
}


DEAR = ("2,000 × 5,000, 3 classes", "200 classes × 50 rows", "1,000,000 × 25, 3 classes")
"""Tables on which a single fit of the three takes minutes: one fold of each is measured."""


def measure(command: list[str], folder: Path) -> Cost:
    """Run a command and take down what it costs."""
    script = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
        "own = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(own.ru_utime + own.ru_stime, own.ru_maxrss / 1024)\n"
        "print((done.stdout.splitlines() or done.stderr.splitlines()[-1:] or [''])[0])\n"
    )
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script, *command],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=True,
    )
    numbers, last = done.stdout.splitlines()[:2]
    seconds, megabytes = map(float, numbers.split())
    return Cost(seconds, megabytes, last)


def compare(name: str) -> tuple[Cost, Cost]:
    """The cost of judging a table, and of cross-validating the three models on it."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        TABLES[name]().to_csv(folder / "table.csv", index=False)
        judge = [sys.executable, "-m", "polychotomy", "judge", "table.csv", "--target", "y"]
        ours = measure([*judge, "--jobs", "1"], folder)
        folds = 1 if name in DEAR else 5
        theirs = measure([sys.executable, "-c", THREE, "table.csv", str(folds)], folder)
    return ours, theirs._replace(seconds=theirs.seconds * 5 / folds)


def row(name: str) -> str:
    ours, theirs = compare(name)
    return (
        f"| {name} | {ours.seconds:.0f} | {'×' * (name in DEAR)}{theirs.seconds:.0f} | "
        f"{ours.seconds / theirs.seconds:.2g} | {ours.megabytes:.0f} | {theirs.megabytes:.0f} | "
        f"{ours.last_line} |"
    )


HEAD = """# What judging a table costs

Made by

```
python -m benchmarks.any_table
```

Processor seconds of `polychotomy judge table.csv --target y --jobs 1`, all questions and the page \
included, beside five folds each of histogram gradient boosting, logistic regression and a random \
forest, as scikit-learn has them, on the same table in the same run; one thread each. MB: the \
largest process, with the libraries and the data that it shares with others. The tables but wine \
are generated. Where the three are marked with ×, one fold of each was measured and counted five \
times.

| table | judge, s | the three, s | ratio | judge, MB | the three, MB | verdict |
| --- | --- | --- | --- | --- | --- | --- |
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.any_table",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--table", choices=list(TABLES), help="measure only this one anew")
    asked = parser.parse_args().table
    page = RESULTS / "any_table.md"
    known = {line.split(" | ")[0][2:]: line for line in page.read_text().splitlines()[1:]
             if line.startswith("| ")}  # fmt: skip
    for name in TABLES if asked is None else [asked]:
        known[name] = row(name)
        print(known[name], flush=True)
        rows = [known[one] for one in TABLES if one in known]
        page.write_text(HEAD + "".join(f"{one}\n" for one in rows))


if __name__ == "__main__":
    main()
