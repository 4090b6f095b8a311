"""How the time of each kernel grows with its size, with the fitted exponent.

    python benchmarks/growth.py [--quick] [--output docs/results]

Writes growth.csv, .md and .svg. One thread; the median of three runs a point. The exponent is the
slope of log time on log size over the points that take longer than a millisecond, below which the
calls themselves are measured. decoding_growth.py draws the decoders by classes, study_scale.py a
ledger by trials.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import matplotlib as mpl  # noqa: E402 - after the threads
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

import workloads  # noqa: E402
from polychotomy.codes import one_vs_one  # noqa: E402
from side_by_side import machine  # noqa: E402

LEAST_SECONDS = 1e-3  # below, a point says more of Python's calls than of the kernel


@dataclass(frozen=True)
class Curve:
    """``make(size)`` gives the work; its time is documented to grow as ``size ** exponent``."""

    name: str
    size: str
    sizes: tuple[int, ...]
    make: Callable[[int], Callable[[], object]]
    exponent: str  # as documented


def curves() -> list[Curve]:
    thousands = (1_000, 10_000, 100_000, 1_000_000)
    return [
        Curve(
            "pairwise least squares, k = 10",
            "rows",
            thousands,
            workloads.decoding(one_vs_one(10), "least-squares"),
            "1",
        ),
        Curve(
            "Bradley–Terry, k = 10",
            "rows",
            thousands,
            workloads.decoding(one_vs_one(10), "bradley-terry"),
            "1",
        ),
        Curve("simplex projection, k = 10", "rows", thousands, workloads.projection, "1"),
        Curve(
            "rank margin of given weights, m = 20",
            "samples",
            thousands,
            workloads.margin_of_weights,
            "1",
        ),
        Curve("hard rank margin, m = 20", "samples", thousands, workloads.hard_margin, "1"),
        Curve("AUC", "samples", thousands, workloads.area, "1 (n log n)"),
        Curve("distribution of pair margins", "pairs", _SQUARES, _pairs, "½ (√pairs log pairs)"),
        Curve(
            "RankBoost, 20 features, 10 rounds", "samples", thousands[:3], workloads.boosting, "1"
        ),
        Curve("error budget, b = 50, k = 3", "samples", thousands[:3], workloads.error_budget, "1"),
        Curve("probability trace, k = 5", "samples", thousands, workloads.trace, "1 (n log n)"),
        Curve("MultiTest of 5 learners", "runs", thousands[:3], workloads.orders, "1"),
    ]


_SQUARES = (10**6, 10**8, 10**10, 10**12)  # n/2 positives against n/2 negatives


def _pairs(pairs: int) -> Callable[[], object]:
    return workloads.margins_of_pairs(2 * int(np.sqrt(pairs)))


def measure(curve: Curve, sizes: tuple[int, ...]) -> list[dict[str, object]]:
    points: list[dict[str, object]] = []
    for size in sizes:
        work = curve.make(size)
        work()  # imports and tables of the first call
        seconds = median(_seconds(work) for _ in range(3))
        points.append({"work": curve.name, "by": curve.size, "size": size, "seconds": seconds})
    return points


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def exponent(points: pd.DataFrame) -> float:
    """The slope of log seconds on log size, NaN where fewer than two points are long enough.

    >>> exponent(pd.DataFrame({"size": [10, 100, 1000], "seconds": [0.01, 1.0, 100.0]}))
    2.0
    """
    long = points[points["seconds"] >= LEAST_SECONDS]
    if len(long) < 2:
        return float("nan")
    slope = np.polyfit(np.log(long["size"]), np.log(long["seconds"]), 1)[0]
    return round(float(slope), 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the two smallest sizes of each curve")
    parser.add_argument("--output", type=Path, help="write growth.csv, .md and .svg here")
    arguments = parser.parse_args()
    found = []
    for curve in curves():
        points = measure(curve, curve.sizes[:2] if arguments.quick else curve.sizes)
        found += points
        fitted = exponent(pd.DataFrame(points))
        print(f"{curve.name}: size^{fitted} (documented: {curve.exponent})", flush=True)
    if arguments.output:
        table = pd.DataFrame(found)
        table.to_csv(arguments.output / "growth.csv", index=False, float_format="%.4g")
        draw(table, arguments.output / "growth.svg")
        (arguments.output / "growth.md").write_text(page(table))


def draw(table: pd.DataFrame, path: Path) -> None:
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "growth"
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(
        1, 2, figsize=(11, 4.5), layout="constrained", width_ratios=(3, 1)
    )
    markers = iter("osv^D<>pPX*")
    for name, points in table.groupby("work", sort=False):
        axes = right if points["by"].iloc[0] == "pairs" else left
        axes.loglog(points["size"], points["seconds"], f"{next(markers)}-", label=name)
    left.set(xlabel="rows, samples or runs", ylabel="seconds, one thread")
    right.set(xlabel="pairs")
    figure.legend(loc="outside right upper", fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def page(table: pd.DataFrame) -> str:
    lines = ["| work | grows with | seconds at the sizes | exponent | documented |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for curve in curves():
        points = table[table["work"] == curve.name]
        times = ", ".join(
            f"{size:.0e}: {seconds:.2g}"
            for size, seconds in zip(points["size"], points["seconds"], strict=True)
        )
        found = exponent(points)
        shown = "too fast to tell" if np.isnan(found) else f"{found:.2f}"
        lines.append(f"| {curve.name} | {curve.size} | {times} | {shown} | {curve.exponent} |")
    return (
        "# How the kernels grow\n\n"
        "![Seconds against size, both logarithmic: straight lines of slope one, and one half for\n"
        "pairs](growth.svg)\n\n"
        "The exponent is the slope of log time on log size over the points of a millisecond or\n"
        "more. Pairs of a positive and a negative are never formed: 10¹² pairs are 10⁶ samples on\n"
        "each side, sorted. The decoders by classes: {doc}`decoding_growth`; a ledger by\n"
        "number of trials: {doc}`study_scale`.\n\n" + "\n".join(lines) + "\n\n"
        f"Measured on {machine()}.\n\nTo repeat: `python benchmarks/growth.py --output "
        "docs/results`.\n"
    )


if __name__ == "__main__":
    main()
