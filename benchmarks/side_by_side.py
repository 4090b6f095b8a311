"""Time ours and a peer's on the same work in one process: interleaved, as ratios of medians."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np


@dataclass(frozen=True)
class Row:
    """One comparison.

    ``scale``: the peer did only 1/scale of the work, being too slow for all. ``ideal``: seconds
    that the work takes by itself, whoever organises it; only what is beyond them is compared.
    """

    work: str
    peer: str
    ours: Callable[[], object]
    theirs: Callable[[], object]
    target: float | None  # times faster than the peer; None: no promise
    scale: float = 1.0
    ideal: float = 0.0


@dataclass(frozen=True)
class Measured:
    row: Row
    ours: list[float]
    theirs: list[float]

    @property
    def speedup(self) -> float:
        return median(self.theirs) / median(self.ours)

    @property
    def spread(self) -> tuple[float, float]:
        ratios = np.divide(self.theirs, self.ours)
        return float(ratios.min()), float(ratios.max())


def measure(row: Row, *, repetitions: int = 5) -> Measured:
    """Interleave the two, after one unmeasured call of ours (imports, caches)."""
    row.ours()
    ours, theirs = [], []
    for _ in range(repetitions):
        ours.append(_seconds(row.ours) - row.ideal)
        theirs.append(_seconds(row.theirs) * row.scale - row.ideal)
    return Measured(row, ours, theirs)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def markdown(measured: Iterable[Measured]) -> str:
    lines = [
        "| work | peer | ours | peer's | times faster (spread) | target | |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one in measured:
        low, high = one.spread
        target = one.row.target
        promise = "– | " if target is None else f"{target:g}× | {_reached(one.speedup, target)} "
        ratio = f"{one.speedup:.3g} ({low:.3g} to {high:.3g})"
        times = f"{show_time(one.ours)} | {show_time(one.theirs)}"
        peer = one.row.peer + _slice(one.row.scale)
        lines.append(f"| {one.row.work} | {peer} | {times} | {ratio} | {promise}|")
    return "\n".join(lines) + "\n"


def _slice(scale: float) -> str:
    """Words for a peer that did a slice of the work only.

    >>> _slice(20_000), _slice(1.0)
    ('; timed on 1/20,000 of the work', '')
    """
    return "" if scale == 1.0 else f"; timed on 1/{scale:,.0f} of the work"


def _reached(speedup: float, target: float) -> str:
    return "reached" if speedup >= target else "**missed**"


def show_time(runs: list[float]) -> str:
    """The median of some runs, in a unit that reads well.

    >>> show_time([0.001, 0.002, 0.5])
    '2 ms'
    """
    seconds = median(runs)
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def machine() -> str:
    """The machine in one line: processor, cores, Python and library versions; no host name."""
    import scipy
    import sklearn

    return (
        f"{_processor()}, {os.cpu_count()} cores; Python {platform.python_version()}, "
        f"NumPy {np.__version__}, SciPy {scipy.__version__}, scikit-learn {sklearn.__version__}"
    )


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
