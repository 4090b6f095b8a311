"""After the last fit, and files of any length: verdicts, predictions, exports and reading.

::

    python -m benchmarks.streams

Processor seconds and the largest memory, each in a process of its own with one thread, beside what
pandas and scikit-learn alone take for the same in the same run; written to docs/results/streams.md.
``--part`` measures one of the four anew and leaves the others as they were. Tables are generated.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

PAGE = Path(__file__).parent.parent / "docs" / "results" / "streams.md"

LEARNERS = 5

FORECASTS = ((20_000, 3), (100_000, 3), (1_000_000, 3), (10_000, 200))
"""Rows that each of five learners has predicted, and classes."""

ANSWER = """
import sys, time
from polychotomy import import_predictions, judge
ledger = import_predictions(sys.argv[1])
start = time.process_time()
judge(ledger).to_html("page.html")
print(time.process_time() - start)
"""

KEEP = """
import sys
from polychotomy import import_predictions
import_predictions(sys.argv[1], into="study.polychotomy").close()
"""

PLAIN = """
import sys, joblib, pandas as pd
model, X = joblib.load(sys.argv[1]), pd.read_csv(sys.argv[2]).drop(columns="y")
found = model.predict_proba(X)
out = pd.DataFrame(found, columns=[f"p:{label}" for label in model.classes_])
out.insert(0, "predicted", model.classes_[found.argmax(axis=1)])
out.insert(0, "row", range(1, len(out) + 1))
out.to_csv(sys.argv[3], index=False)
"""

READ = """
import sys, time
import pandas as pd
from pathlib import Path
from polychotomy.app.inputs import read_request
from polychotomy.app.request import Request
path = Path(sys.argv[1])
least = {}
for _ in range(6):  # the first one imports
    for who, read in (
        ("plain", lambda: pd.read_csv(path)),
        ("ours", lambda: read_request(Request(table=path, target="y"))),
    ):
        start = time.process_time()
        read()
        taken = time.process_time() - start
        least[who] = min(least.get(who, taken), taken)
print(least["ours"], least["plain"])
"""


class Cost(NamedTuple):
    """Processor seconds and the largest memory, in MB, of a process, and what it printed."""

    seconds: float
    megabytes: float
    printed: str


def measure(folder: Path, *arguments: str) -> Cost:
    """Run Python with these arguments and take down what it costs."""
    script = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True, check=True)\n"
        "own = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(own.ru_utime + own.ru_stime, own.ru_maxrss / 1024, done.stdout)\n"
    )
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script, sys.executable, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment,
        check=True,
    )
    seconds, megabytes, printed = done.stdout.split(" ", 2)
    return Cost(float(seconds), float(megabytes), printed.strip())


def forecasts(rows: int, classes: int) -> pd.DataFrame:
    """Predictions of five learners, each a little better than the one before."""
    random = np.random.default_rng(0)
    truth = random.integers(0, classes, rows)
    parts = []
    for learner in range(LEARNERS):
        logits = random.normal(size=(rows, classes))
        logits[np.arange(rows), truth] += 1.5 + 0.15 * learner
        shares = np.exp(logits)
        shares /= shares.sum(axis=1, keepdims=True)
        about = {"learner": f"m{learner}", "sample": np.arange(rows), "fold": np.arange(rows) % 5}
        named = pd.DataFrame(shares).add_prefix("p:")
        parts.append(pd.concat([pd.DataFrame(about | {"truth": truth}), named], axis=1))
    return pd.concat(parts)


def table(rows: int, texts: int) -> pd.DataFrame:
    """25 columns, ``texts`` of them words, and three classes."""
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(rows, 25 - texts)).round(4)).add_prefix("x")
    for number, count in zip(range(texts), (3, 10, 50, 200, 5), strict=False):
        words = np.array([f"word{one}" for one in range(count)])
        X[f"c{number}"] = words[random.integers(0, count, rows)]
    noisy = X["x0"] + X["x1"] + random.normal(size=rows) / 2
    return X.assign(y=np.array(["ash", "elm", "oak"])[np.digitize(noisy, [-0.7, 0.7])])


TABLES = {"25 numbers": 0, "20 numbers, 5 texts": 5}


def answers(folder: Path) -> Iterator[str]:
    """From the last fit to the page."""
    yield "| rows | classes | forecasts | probabilities | seconds | MB |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: |"
    for rows, classes in FORECASTS:
        forecasts(rows, classes).to_parquet(folder / "all.parquet", index=False)
        cost = measure(folder, "-c", ANSWER, "all.parquet")
        n = rows * LEARNERS
        yield (
            f"| {rows:,} | {classes} | {n:,} | {n * classes:,} | {float(cost.printed):.1f} | "
            f"{cost.megabytes:.0f} |"
        )


def predictions(folder: Path) -> Iterator[str]:
    """A table in a file, predicted into another."""
    from polychotomy.model import fit_model

    learners: dict[str, ClassifierMixin] = {
        "logistic regression": LogisticRegression(max_iter=1000),
        "boosted trees": HistGradientBoostingClassifier(max_iter=30),
    }
    yield "| table | rows | model | ours, s | plain, s | ratio | ours, MB | plain, MB |"
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |"
    for kind, texts in TABLES.items():
        for rows in (1_000_000, 2_000_000) if not texts else (1_000_000,):
            table(rows, texts).to_csv(folder / "new.csv", index=False)
            for name, learner in learners.items() if rows == 1_000_000 else [*learners.items()][:1]:
                some = table(20_000, texts)
                codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
                words = make_column_selector(dtype_exclude="number")
                first = make_column_transformer((codes, words), remainder=StandardScaler())
                X, y = some.drop(columns="y"), some["y"]
                model = make_pipeline(first, learner).fit(X, y)
                fit_model(model, X, y).save(folder / "model.skops", force=True)
                pd.to_pickle(model, folder / "model.joblib")
                command = ("-m", "polychotomy", "predict", "model.skops", "new.csv")
                ours = measure(folder, *command, "--output", "ours.csv", "--force")
                plain = measure(folder, "-c", PLAIN, "model.joblib", "new.csv", "plain.csv")
                yield (
                    f"| {kind} | {rows:,} | {name} | {ours.seconds:.1f} | {plain.seconds:.1f} | "
                    f"{ours.seconds / plain.seconds:.2f} | {ours.megabytes:.0f} | "
                    f"{plain.megabytes:.0f} |"
                )


def exports(folder: Path) -> Iterator[str]:
    """A study's predictions in a file."""
    yield "| predictions | study, MB | to | seconds | file, MB | memory, MB |"
    yield "| ---: | ---: | --- | ---: | ---: | ---: |"
    for rows in (20_000, 1_000_000):
        study = folder / "study.polychotomy"
        study.unlink(missing_ok=True)
        forecasts(rows, 3).to_parquet(folder / "all.parquet", index=False)
        measure(folder, "-c", KEEP, "all.parquet")
        for to in ("out.csv", "out.parquet"):
            command = ("-m", "polychotomy", "export", study.name, "--output", to, "--force")
            cost = measure(folder, *command)
            sizes = [one.stat().st_size / 1e6 for one in (study, folder / to)]
            yield (
                f"| {rows * LEARNERS:,} | {sizes[0]:.0f} | {to[4:]} | {cost.seconds:.1f} | "
                f"{sizes[1]:.0f} | {cost.megabytes:.0f} |"
            )


def readings(folder: Path) -> Iterator[str]:
    """A table in a file, in memory with all notes on its columns and rows."""
    yield "| table | rows | ours, s | pandas, s | ratio |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for kind, texts in TABLES.items():
        table(100_000, texts).to_csv(folder / "new.csv", index=False)
        ours, plain = map(float, measure(folder, "-c", READ, "new.csv").printed.split())
        yield f"| {kind} | 100,000 | {ours:.3f} | {plain:.3f} | {ours / plain:.2f} |"


HEAD = """# After the last fit, and files of any length

Made by

```
python -m benchmarks.streams
```

Processor seconds and the largest memory of a process, its libraries included (some 200 MB), one \
thread, beside pandas and scikit-learn alone for the same in the same run. The tables are generated.
"""

PARTS: dict[str, tuple[str, Callable[[Path], Iterator[str]]]] = {
    "answers": (
        "Every answer and the page, from the predictions of five learners that a ledger holds "
        "(`judge(ledger).to_html(…)`). Asked were 2 s at 100,000 forecasts and 20 s at 5,000,000.",
        answers,
    ),
    "predictions": (
        "`polychotomy predict` beside `read_csv`, `predict_proba` and `to_csv` of the same columns "
        "by the same pipeline, all programs from their start to their end. Asked were 1.2 times at "
        "a million rows, and memory that does not grow with them.",
        predictions,
    ),
    "exports": (
        "`polychotomy export`, which reads some of the fits and writes some of the rows at a time. "
        "Asked was memory that does not grow with the study.",
        exports,
    ),
    "readings": (
        "A CSV file of 26 columns read as `judge` reads it, every row checked and all notes made, "
        "beside `read_csv`; the least of six. Asked were 2 times at 100,000 rows: missed "
        "where there are texts. What comes on top of the parse is nearly all a look at each column "
        "for its notes, texts more than numbers. Where the last column has gaps, every row's "
        "fields are counted, too: a third of the parse's time.",
        readings,
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.streams",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--part", choices=list(PARTS), help="measure only this one anew")
    asked = parser.parse_args().part
    known: dict[str, str] = {}
    for section in PAGE.read_text().split("\n## ")[1:] if PAGE.exists() else []:
        name, _, rest = section.partition("\n")
        known[name.lower()] = rest.strip()
    for name in PARTS if asked is None else [asked]:
        words, rows = PARTS[name]
        lines = [words, ""]
        with tempfile.TemporaryDirectory() as text:
            for line in rows(Path(text)):
                print(line, flush=True)
                lines.append(line)
        known[name] = "\n".join(lines)
        sections = (f"\n## {one.capitalize()}\n\n{known[one]}\n" for one in PARTS if one in known)
        PAGE.write_text(HEAD + "".join(sections))


if __name__ == "__main__":
    main()
