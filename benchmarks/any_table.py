"""What judging a table costs, beside a plain cross-validation of three models.

::

    python -m benchmarks.any_table

judges tables of several sizes by the command that users give, and cross-validates histogram
gradient boosting, logistic regression and a random forest of scikit-learn by five folds on the same
table, one after the other, each in a process of its own. Processor seconds of the process and of
all that it started, and their ratio, are written to docs/results/any_table.md. ``--table NAME``
measures one of them anew and leaves the other rows as they were; ``--memory`` takes down, step by
step, what the memory of a worker at a million rows consists of.
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


STEPS = """
import os, sys
import numpy as np, pandas as pd
import polychotomy.study.workers.server, sklearn.ensemble, skrub
from polychotomy.study.design.candidates import ladder

def say(what):
    found = dict(line.split(":") for line in open("/proc/self/status"))
    now, peak = (int(found[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
    print(f"| {what} | {now:.0f} | {peak:.0f} |", flush=True)
    open("/proc/self/clear_refs", "w").write("5")  # the peak starts anew

say("libraries, as every process has them")
table = pd.DataFrame(np.random.default_rng(0).normal(size=(1_000_000, 25)))
labels = np.digitize(table[0] + table[1], [-0.7, 0.7])
say("the table, which workers share with the process that they are copies of")
if os.fork():
    os.wait()
    raise SystemExit
np.save(sys.argv[1], np.asarray(table, dtype=np.float32))
prepared = np.load(sys.argv[1], mmap_mode="r")
prepared.sum()
say("prepared in single precision, in a file that workers share")
rows = np.flatnonzero(np.arange(len(table)) % 5)
taken = prepared.take(rows, axis=0)
say("the rows to train on, which are the fit's own")
ladder()["boosted trees"][-1].fit(taken, labels[rows])
say("scikit-learn's fit, at its peak")
"""

STEPS_HEAD = """
## Where the memory of a worker goes

```
python -m benchmarks.any_table --memory
```

Memory in MB of a process that does step by step what a worker does with a million rows and 25 \
columns (0.2 GB) before and in a fit of boosted trees, with all that came before. Asked were three \
times the table, 0.6 GB, in all. Libraries, the table and what was prepared take most of that \
before any fit, and are there once however many workers share them. Of what a fit takes for itself \
nearly all is scikit-learn's: it turns what it is given into double precision, and parts that, \
copied once more, into rows to learn from and rows to stop by.

| step | after it | at its peak |
| --- | ---: | ---: |
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
    parser.add_argument("--memory", action="store_true", help="measure only a worker's memory")
    arguments = parser.parse_args()
    asked = arguments.table
    page = RESULTS / "any_table.md"
    table, mark, steps = page.read_text().partition("\n## Where")
    if arguments.memory:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-W", "ignore", "-c", STEPS, f"{folder}/prepared.npy"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        page.write_text(table + STEPS_HEAD + done.stdout)
        return
    known = {line.split(" | ")[0][2:]: line for line in table.splitlines()[1:]
             if line.startswith("| ")}  # fmt: skip
    for name in TABLES if asked is None else [asked]:
        known[name] = row(name)
        print(known[name], flush=True)
        rows = [known[one] for one in TABLES if one in known]
        page.write_text(HEAD + "".join(f"{one}\n" for one in rows) + mark + steps)


if __name__ == "__main__":
    main()
