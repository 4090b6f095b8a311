"""How the time of decoding grows with the number of classes and of rows.

    python benchmarks/decoding_growth.py [--output docs/results]

Writes decoding_growth.csv, .md and .svg. One thread; the median of three runs a point.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import matplotlib as mpl  # noqa: E402 - after the threads
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

from polychotomy.codes import one_vs_one, orthogonal  # noqa: E402
from polychotomy.decoding import couple, decode  # noqa: E402
from side_by_side import machine  # noqa: E402

CLASSES = (3, 5, 10, 20, 30, 40, 60, 100, 200, 500, 1000)
ROWS = (100, 1_000, 10_000, 100_000)
NUMBERS = 10_000_000  # outputs held at a time
SECONDS = 1.0  # of work aimed at for each point


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("docs/results"))
    folder = parser.parse_args().output
    by_classes = pd.DataFrame(measure_classes())
    by_rows = pd.DataFrame(measure_rows())
    pd.concat([by_classes, by_rows]).to_csv(folder / "decoding_growth.csv", index=False)
    draw(by_classes, by_rows, folder / "decoding_growth.svg")
    (folder / "decoding_growth.md").write_text(page(by_classes, by_rows))


def measure_classes() -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for k in CLASSES:
        for code in ("one-vs-one", "orthogonal"):
            for decoder in ("least-squares", "bradley-terry"):
                make = _coupling(k, decoder) if code == "one-vs-one" else _orthogonal(k, decoder)
                n, seconds = _time(make, k)
                print(f"{code}, {decoder}, k = {k}: {seconds / n * 1e6:.3g} µs a row", flush=True)
                found.append(_point(code, decoder, k, n, seconds))
    return found


def measure_rows() -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for decoder in ("least-squares", "bradley-terry"):
        code, outputs = one_vs_one(10), _outputs(ROWS[-1], 45)
        for n in ROWS:
            work = partial(decode, code, outputs[:n], decoder=decoder)
            runs = [_seconds(work) for _ in range(3)]
            found.append(_point("one-vs-one", decoder, 10, n, median(runs)))
    return found


def _coupling(k: int, decoder: str) -> Callable[[int], Callable[[], object]]:
    """Tables of pairs: the matrix of one_vs_one(1000) alone is half a gigabyte."""

    def make(n: int) -> Callable[[], object]:
        upper = np.triu(_outputs(n, k * k).reshape(n, k, k), 1)
        tables = upper + np.tril(1 - np.swapaxes(upper, 1, 2), -1)
        return lambda: couple(tables, decoder=decoder)

    return make


def _orthogonal(k: int, decoder: str) -> Callable[[int], Callable[[], object]]:
    code = orthogonal(k)

    def make(n: int) -> Callable[[], object]:
        outputs = _outputs(n, len(code))
        return lambda: decode(code, outputs, decoder=decoder)

    return make


def _outputs(n: int, columns: int) -> np.ndarray:
    return np.random.default_rng(0).uniform(0.05, 0.95, size=(n, columns))


def _time(make: Callable[[int], Callable[[], object]], k: int) -> tuple[int, float]:
    """Rows and seconds, with as many rows as a second and the memory allow."""
    few = 2 if k > 100 else 500
    work = make(few)
    if k <= 100:
        work()  # imports and tables of the first call
    n = int(max(few, min(NUMBERS / k**2, 50_000, few * SECONDS / _seconds(work))))
    work = make(n)
    return n, median(_seconds(work) for _ in range(3))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _point(code: str, decoder: str, k: int, n: int, seconds: float) -> dict[str, object]:
    return {
        "code": code,
        "decoder": decoder,
        "classes": k,
        "rows": n,
        "microseconds_a_row": seconds / n * 1e6,
    }


def draw(by_classes: pd.DataFrame, by_rows: pd.DataFrame, path: Path) -> None:
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for (code, decoder), points in by_classes.groupby(["code", "decoder"]):
        left.loglog(
            points["classes"], points["microseconds_a_row"], "o-", label=f"{code}, {decoder}"
        )
    for decoder, points in by_rows.groupby("decoder"):
        seconds = points["rows"] * points["microseconds_a_row"] / 1e6
        right.loglog(points["rows"], seconds, "o-", label=f"one-vs-one, {decoder}")
    left.set(xlabel="classes", ylabel="µs a row")
    right.set(xlabel="rows, ten classes", ylabel="seconds")
    left.legend()
    right.legend()
    figure.savefig(path, metadata={"Date": None})


def page(by_classes: pd.DataFrame, by_rows: pd.DataFrame) -> str:
    table = by_classes.pivot_table(
        index="classes", columns=["code", "decoder"], values="microseconds_a_row"
    )
    rows = by_rows.pivot_table(index="rows", columns="decoder", values="microseconds_a_row")
    return (
        "# How decoding grows with classes and rows\n\n"
        "![Time of decoding by classes and by rows](decoding_growth.svg)\n\n"
        "Microseconds a row, one thread, random outputs. One-vs-one builds k(k−1)/2 numbers a row\n"
        "and solves systems of k unknowns, so its time grows as k² for few classes and as k³ for\n"
        "many; Bradley–Terry solves four to ten of them. Least squares on an orthogonal code is a\n"
        "product or, for Sylvester's, a fast transform, and a sort: k² or k log k. Bradley–Terry\n"
        "there makes a matrix of l k² products a step: k³. At 500 and 1,000 classes a point has\n"
        "few rows only, and most of its time is the fixed cost of a call (checking the code is\n"
        "a part), which more rows would share.\n\n"
        f"{_markdown(table)}\n\nWith rows it grows linearly (ten classes, one-vs-one):\n\n"
        f"{_markdown(rows)}\n\n"
        f"Measured on {machine()}.\n\nTo repeat: `python benchmarks/decoding_growth.py`.\n"
    )


def _markdown(table: pd.DataFrame) -> str:
    names = [", ".join(c) if isinstance(c, tuple) else str(c) for c in table.columns]
    lines = [f"| {table.index.name} | {' | '.join(names)} |", "| --- " * (len(names) + 1) + "|"]
    lines += [
        f"| {index:,} | {' | '.join(f'{value:.3g}' for value in row)} |"
        for index, row in zip(table.index, table.to_numpy(), strict=True)
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
