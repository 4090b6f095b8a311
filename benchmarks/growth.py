"""How the time of each kernel grows with its size, with the fitted exponent.

    python benchmarks/growth.py [--quick] [--output docs/results]

Writes growth.csv, .md and .svg: rows and samples to 10⁶, classes to 1000, pairs to 10¹², and
trials to 10⁶ as study_scale.py has measured them. One thread; the median of three runs for each
point. The exponent is the slope of log time on log size over the points that take longer than a
millisecond, below which the calls themselves are measured. Where one is larger than documented, the
script says so and ends with exit code 1.
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
LEEWAY = 0.25  # what logarithms and caches may add to an exponent


@dataclass(frozen=True)
class Curve:
    """``make(size)`` gives the work; its time is documented to grow as ``size ** exponent``.

    ``units(size)`` says how many times the work is done, where that differs with the size.
    """

    name: str
    size: str
    sizes: tuple[int, ...]
    make: Callable[[int], Callable[[], object]]
    exponent: float  # as documented, at most
    words: str = ""  # why
    units: Callable[[int], int] = lambda size: 1


THOUSANDS = (1_000, 10_000, 100_000, 1_000_000)
SQUARES = (10**6, 10**8, 10**10, 10**12)  # n/2 positives against n/2 negatives
CLASSES = (10, 30, 100, 300, 1000)


def curves() -> list[Curve]:
    return [*_by_rows(), *_by_samples(), *_by_classes()]


def _by_rows() -> list[Curve]:
    pairs, rows = one_vs_one(10), ("rows", THOUSANDS)
    return [
        Curve("pairwise least squares, k = 10", *rows,
              workloads.decoding(pairs, "least-squares"), 1),
        Curve("Bradley–Terry, k = 10", *rows, workloads.decoding(pairs, "bradley-terry"), 1),
        Curve("simplex projection, k = 10", *rows, workloads.projection, 1),
    ]  # fmt: skip


def _by_samples() -> list[Curve]:
    samples, fewer = ("samples", THOUSANDS), ("samples", THOUSANDS[:3])
    return [
        Curve("rank margin of given weights, m = 20", *samples, workloads.margin_of_weights, 1),
        Curve("hard rank margin, m = 20", *samples, workloads.hard_margin, 1),
        Curve("AUC", *samples, workloads.area, 1, "n log n"),
        Curve("distribution of pair margins", "pairs", SQUARES,
              lambda pairs: workloads.margins_of_pairs(2 * int(np.sqrt(pairs))), 0.5,
              "√pairs log pairs"),
        Curve("RankBoost, 20 features, 10 rounds", *fewer, workloads.boosting, 1),
        Curve("error budget, b = 50, k = 3", *fewer, workloads.error_budget, 1),
        Curve("probability trace, k = 5", *samples, workloads.trace, 1, "n log n"),
        Curve("MultiTest of 5 learners", "runs", THOUSANDS[:3], workloads.orders, 1),
    ]  # fmt: skip


def _by_classes() -> list[Curve]:
    def rows(k: int) -> int:
        return max(2, 2_000_000 // k**2)

    made = []
    for code, decoder, exponent, words in (
        ("one-vs-one", "least-squares", 3, "k² numbers, systems of k unknowns"),
        ("one-vs-one", "bradley-terry", 3, "the same, some six times"),
        ("orthogonal", "least-squares", 2, "a product, or k log k a fast transform"),
        ("orthogonal", "bradley-terry", 3, "l k² products a step"),
    ):
        make = workloads.decoding_of_classes(code, decoder, rows)
        name = f"a row of {code}, {decoder}"
        made.append(Curve(name, "classes", CLASSES, make, exponent, words, rows))
    return made


def measure(curve: Curve, sizes: tuple[int, ...]) -> list[dict[str, object]]:
    points: list[dict[str, object]] = []
    for size in sizes:
        work = curve.make(size)
        work()  # imports and tables of the first call
        seconds = median(_seconds(work) for _ in range(3))
        points.append(
            {"work": curve.name, "by": curve.size, "size": size, "units": curve.units(size),
             "seconds": seconds}
        )  # fmt: skip
    return points


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def exponent(points: pd.DataFrame) -> float:
    """The slope of log seconds on log size, NaN where fewer than two points are long enough.

    >>> points = {"size": [10, 100, 1000], "seconds": [0.01, 1.0, 100.0], "units": [1, 1, 1]}
    >>> exponent(pd.DataFrame(points))
    2.0
    """
    long = points[points["seconds"] >= LEAST_SECONDS]
    if len(long) < 2:
        return float("nan")
    slope = np.polyfit(np.log(long["size"]), np.log(long["seconds"] / long["units"]), 1)[0]
    return round(float(slope), 2)


def measure_all(quick: bool = False) -> pd.DataFrame:
    """Measure every curve, saying so; the two smallest sizes of each where it is to be quick."""
    found = []
    for curve in curves():
        points = measure(curve, curve.sizes[:2] if quick else curve.sizes)
        found += points
        fitted = exponent(pd.DataFrame(points))
        print(f"  {curve.name}: {curve.size}^{fitted} (documented: {curve.exponent})", flush=True)
    return pd.DataFrame(found)


def too_steep(table: pd.DataFrame) -> list[str]:
    """Say which curves grow faster than documented."""
    fitted = {curve: exponent(table[table["work"] == curve.name]) for curve in curves()}
    return [
        f"{curve.name}: {curve.size}^{found}, documented {curve.exponent:g}"
        for curve, found in fitted.items()
        if found > curve.exponent + LEEWAY
    ]


def write(table: pd.DataFrame, folder: Path | None) -> None:
    """Write the pages into the folder, if one is given, and raise where a curve is too steep."""
    if folder:
        table.to_csv(folder / "growth.csv", index=False, float_format="%.4g")
        draw(table, folder / "growth.svg")
        scale = folder / "study_scale.csv"
        trials = pd.read_csv(scale) if scale.exists() else None
        (folder / "growth.md").write_text(page(table, trials))
    steep = too_steep(table)
    if steep:
        raise RuntimeError("faster growth than documented:\n" + "\n".join(steep))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the two smallest sizes of each curve")
    parser.add_argument("--output", type=Path, help="write growth.csv, .md and .svg here")
    arguments = parser.parse_args()
    table = measure_all(arguments.quick)
    if not arguments.quick:  # two small sizes say nothing of exponents
        write(table, arguments.output)


def draw(table: pd.DataFrame, path: Path) -> None:
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "growth"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        1, 3, figsize=(13, 4.5), layout="constrained", width_ratios=(3, 2, 1)
    )
    places = {"classes": axes[1], "pairs": axes[2]}
    markers = iter("osv^D<>pPX*hH8d")
    for name, points in table.groupby("work", sort=False):
        here = places.get(points["by"].iloc[0], axes[0])
        seconds = points["seconds"] / points["units"]
        here.loglog(points["size"], seconds, f"{next(markers)}-", label=name)
    axes[0].set(xlabel="rows, samples or runs", ylabel="seconds, one thread")
    axes[1].set(xlabel="classes", ylabel="seconds per row")
    axes[2].set(xlabel="pairs", ylabel="seconds")
    figure.legend(loc="outside right upper", fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def page(table: pd.DataFrame, trials: pd.DataFrame | None) -> str:
    lines = ["| work | grows with | seconds at the sizes | exponent | documented, at most |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for curve in curves():
        points = table[table["work"] == curve.name]
        found = exponent(points)
        shown = "too fast to tell" if np.isnan(found) else f"{found:.2f}"
        documented = f"{curve.exponent:g}" + (f" ({curve.words})" if curve.words else "")
        times = _times(points["size"], points["seconds"] / points["units"])
        lines.append(f"| {curve.name} | {curve.size} | {times} | {shown} | {documented} |")
    for question, points in trials.groupby("question", sort=False) if trials is not None else ():
        points = points.assign(size=points["trials"], units=1)
        found = exponent(points)
        shown = "too fast to tell" if np.isnan(found) else f"{found:.2f}"
        times = _times(points["trials"], points["seconds"])
        lines.append(f"| a ledger: {question} | trials | {times} | {shown} | 1 |")
    return (
        "# How the kernels grow\n\n"
        "![Seconds against size, both logarithmic: straight lines of slope one, two to three for\n"
        "classes, and one half for pairs](growth.svg)\n\n"
        "The exponent is the slope of log time on log size over the points of a millisecond or\n"
        "more; it may exceed what is documented by a quarter, for logarithms and caches, or the\n"
        "benchmark fails. It is smaller where fixed costs are still seen. Pairs of a positive and\n"
        "a negative are never formed: 10¹² pairs are 10⁶ samples on each side, sorted. By classes\n"
        "the seconds are those of one row of many. The ledgers: {doc}`study_scale`.\n\n"
        + "\n".join(lines)
        + f"\n\nMeasured on {machine()}, one thread, the median of three runs for each point.\n\n"
        "To repeat: `python benchmarks/growth.py --output docs/results`.\n"
    )


def _times(sizes: pd.Series, seconds: pd.Series) -> str:
    return ", ".join(f"{size:.0e}: {each:.2g}" for size, each in zip(sizes, seconds, strict=True))


if __name__ == "__main__":
    main()
