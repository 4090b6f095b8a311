"""Speed of ``polychotomy.validation`` beside what users would write or call instead.

    python benchmarks/speed_validation.py [--quick]

Single-threaded: set OMP_NUM_THREADS=1. The first row has a limit of its own: 2 s of clock time.
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from polychotomy.calibration import fit_sigmoid
from polychotomy.validation import probability_trace
from polychotomy.validation.scores import brier_parts
from side_by_side import Row, machine, markdown, measure

TRACE_LIMIT = 2.0  # seconds for ten million probabilities


def rows(quick: bool) -> list[Row]:
    size = 10**5 if quick else 10**7
    return [
        *_trace_rows(size, 2),
        *_trace_rows(size, 10),
        _null_row(300 if quick else 2000),
        _split_row(1000 if quick else 20_000),
        _sigmoid_row(1000 if quick else 20_000),
    ]


def _forecasts(n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(k), size=n)
    return p, (rng.random((n, 1)) > p.cumsum(axis=1)[:, :-1]).sum(axis=1)


def _trace_rows(size: int, k: int) -> list[Row]:
    p, y = _forecasts(size // k, k)
    part = 100  # the loop does 1/part of the work
    head = size // k // part
    work = f"trace of {size:.0e} probabilities, k = {k}"
    return [
        Row(work, "NumPy, argsort and cumsum", lambda: probability_trace(p, y),
            lambda: _plain_trace(p, y), None),
        Row(work, "Python loop of the formulas", lambda: probability_trace(p, y),
            lambda: _looped_trace(p[:head], y[:head]), None, scale=part),
    ]  # fmt: skip


def _plain_trace(p: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    values = p.ravel()
    order = np.argsort(values, kind="stable")
    values = values[order]
    hits = (y[:, None] == np.arange(p.shape[1])).ravel()[order]
    winning = values >= 1 / p.shape[1]
    rise = np.where(
        winning, hits / np.where(winning, values, 1), (1 - hits) / (1 - values * ~winning)
    )
    trace = np.concatenate([[0], np.cumsum(rise)])
    steps = np.arange(trace.size)
    return np.corrcoef(steps, trace)[0, 1], np.polyfit(steps, trace, 1)[0]


def _looped_trace(p: np.ndarray, y: np.ndarray) -> list[float]:
    items = sorted((p[s, c], s, c) for s in range(p.shape[0]) for c in range(p.shape[1]))
    trace = [0.0]
    for q, s, c in items:
        hit = c == y[s]
        trace.append(trace[-1] + (hit / q if q >= 1 / p.shape[1] else (1 - hit) / (1 - q)))
    return trace


def _null_row(n: int) -> Row:
    p, y = _forecasts(n, 5)
    trace = probability_trace(p, y)

    def again() -> None:
        rng = np.random.default_rng(0)
        for _ in range(20):
            drawn = (rng.random((n, 1)) > p.cumsum(axis=1)[:, :-1]).sum(axis=1)
            _plain_trace(p, drawn)

    return Row(
        f"band of 200 simulations, n = {n}, k = 5",
        "the NumPy trace again and again",
        lambda: trace.null_band(200, random_state=0),
        again,
        None,
        scale=10,
    )


def _split_row(n: int) -> Row:
    p, y = _forecasts(n, 5)

    def theirs() -> None:
        for c in range(5):
            IsotonicRegression().fit_transform(p[:, c], y == c)

    return Row(
        f"Brier split, n = {n}, k = 5",
        "scikit-learn IsotonicRegression a class",
        lambda: brier_parts(p, y),
        theirs,
        None,
    )


def _sigmoid_row(n: int) -> Row:
    p, y = _forecasts(n, 5)
    odds = np.log(p / (1 - p))

    def theirs() -> None:
        for c in range(5):
            LogisticRegression().fit(odds[:, [c]], y == c)

    return Row(
        f"sigmoid recalibration, n = {n}, k = 5",
        "scikit-learn LogisticRegression a class",
        lambda: fit_sigmoid(p, y),
        theirs,
        None,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    measured = [measure(row) for row in rows(arguments.quick)]
    print(machine(), "\n", markdown(measured), sep="\n")
    if not arguments.quick:
        slowest = max(min(one.ours) for one in measured[:6])
        print(f"Trace of 10⁷ probabilities: {slowest:.2f} s, limit {TRACE_LIMIT:g} s.")


if __name__ == "__main__":
    main()
