"""How near the time that ``judge`` expects comes to the time that it takes.

::

    python -m benchmarks.estimates

judges tables of several sizes and kinds with one repetition of five folds, without what limits the
winner, by the command that users give; reads what it expects from its first lines, and takes the
time from there to the last fit by the clock. The machine may be busy, as those of users are. The
page is docs/results/estimates.md.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_moons,
)

RESULTS = Path(__file__).parent.parent / "docs" / "results"

_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}


def generated(rows: int, columns: int, classes: int) -> pd.DataFrame:
    X, y = make_classification(
        rows, columns, n_informative=min(columns, 8), n_redundant=0, n_classes=classes,
        n_clusters_per_class=1, random_state=0,
    )  # fmt: skip
    return pd.DataFrame(X.round(3)).add_prefix("x").assign(y=y)


def mixed(rows: int) -> pd.DataFrame:
    """Numbers with gaps, categories and dates."""
    rng = np.random.default_rng(0)
    table = generated(rows, 8, 2)
    table["x0"] = table["x0"].where(rng.random(rows) > 0.1)
    table["colour"] = rng.choice(["red", "blue", "green", "tan"], rows)
    table["town"] = rng.choice([f"town {i}" for i in range(60)], rows)
    table["day"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, rows), "D")
    return table


def loaded(load: Callable[..., object]) -> Callable[[], pd.DataFrame]:
    def read() -> pd.DataFrame:
        return load(as_frame=True).frame.rename(columns={"target": "y"})  # type: ignore[attr-defined]

    return read


def moons() -> pd.DataFrame:
    X, y = make_moons(2_000, noise=0.3, random_state=0)
    return pd.DataFrame(X, columns=["a", "b"]).assign(y=y)


TABLES: dict[str, Callable[[], pd.DataFrame]] = {
    "iris": loaded(load_iris),
    "wine": loaded(load_wine),
    "breast cancer": loaded(load_breast_cancer),
    "digits": loaded(load_digits),
    "moons, 2,000 × 2": moons,
    "1,000 × 25, 3 classes": lambda: generated(1_000, 25, 3),
    "3,000 × 10, 6 classes": lambda: generated(3_000, 10, 6),
    "5,000 × 11, mixed": lambda: mixed(5_000),
    "500 × 200": lambda: generated(500, 200, 2),
    "12,000 × 20": lambda: generated(12_000, 20, 4),
    "30,000 × 10": lambda: generated(30_000, 10, 3),
}


def seconds_in(text: str) -> float:
    """The seconds that a text such as "2 min" names."""
    number, unit = text.split()
    return float(number) * _UNITS[unit]


def compare(table: pd.DataFrame) -> tuple[float, float]:
    """What was expected, and what it took."""
    with tempfile.TemporaryDirectory() as folder:
        table.to_csv(Path(folder, "table.csv"), index=False)
        command = [sys.executable, "-m", "polychotomy", "judge", "table.csv", "--target", "y"]
        command += ["--plan", "1x5", "--no-anatomy", "--jobs", "1"]
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)  # fmt: skip
        expected = began = took = 0.0
        assert process.stderr is not None
        for line in process.stderr:
            found = re.search(r"about ([\d.]+ \w+) with one worker", line)
            if found:
                expected, began = seconds_in(found[1]), time.monotonic()
            if line.startswith("fitting"):
                took = time.monotonic() - began
        if process.wait():
            raise SystemExit(f"judge ended with {process.returncode}")
    return expected, took


def main() -> None:
    lines = [
        "# How near the time that judge expects comes to what it takes",
        "",
        "Made by",
        "",
        "```",
        "python -m benchmarks.estimates",
        "```",
        "",
        "Seconds by the clock, of one worker, for one repetition of five folds of all built-in "
        "candidates that the table allows, from the line that says what is expected to the last "
        "fit. The tries behind the estimate are not counted in either; of small tables they are "
        "the first fits themselves, which need not be made again and which it does not count. "
        "Other work ran on the machine.",
        "",
        "| table | expected, s | took, s | took / expected |",
        "| --- | --- | --- | --- |",
    ]
    ratios = []
    for name, make in TABLES.items():
        expected, took = compare(make())
        ratios.append(took / expected)
        lines.append(f"| {name} | {expected:.3g} | {took:.3g} | {ratios[-1]:.2f} |")
        print(lines[-1], flush=True)
    near = sum(0.5 <= one <= 2 for one in ratios)
    far = max(max(one, 1 / one) for one in ratios)
    lines += ["", f"Within a factor of 2: {near} of {len(ratios)}; at most {far:.1f} off.", ""]
    (RESULTS / "estimates.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
