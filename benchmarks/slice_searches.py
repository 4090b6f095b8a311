"""Would another search find more weak slices? Ways that were tried beside ``find_weak_slice``.

    python -m benchmarks.slice_searches [--tables 400]

The tables, and what counts as found, are those of ``one_test_set``; the seeds are not. z or the
signed root of the likelihood ratio; slices of two columns held back by some standard deviations, or
each depth tested at a level of its own, together 5 %. Each is held to 199 deals of the errors.
"""

from __future__ import annotations

import argparse

import numpy as np
from benchmarks.one_test_set import slice_table
from scipy.special import xlogy

from polychotomy.verdict.by_group import _slices

BASES = (0.02, 0.05, 0.1, 0.2)
HELD_BACK = (0.25, 0.5, 1.0)
LEVELS = ((0.025, 0.025), (0.04, 0.01))


def statistics(inside: np.ndarray, wrong: np.ndarray, *, ratio: bool) -> np.ndarray:
    """How much more each slice errs, (deals, slices), of errors (deals, n)."""
    n, size = inside.shape[0], inside.sum(axis=0)
    every, own = wrong.sum(axis=1, keepdims=True), wrong @ inside
    share, here, there = every / n, own / size, (every - own) / (n - size)
    if not ratio:
        return (here - share) * size / np.sqrt(share * (1 - share) * size * (1 - size / n))

    def logs(count: np.ndarray, of: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.asarray(xlogy(count, p) + xlogy(of - count, 1 - p))

    gain = logs(own, size, here) + logs(every - own, n - size, there) - logs(every, n, share)
    return np.sign(here - there) * np.sqrt(2 * np.maximum(gain, 0))


def pvalue(values: np.ndarray) -> float:
    """Share of deals whose best slice is as good as that of the first, the errors as they are."""
    best = values.max(axis=1)
    return float((best >= best[0] - 1e-9).mean())


def searches(values: np.ndarray, deep: np.ndarray) -> dict[str, int | None]:
    """The slice that each way names."""
    found: dict[str, int | None] = {}
    for least in HELD_BACK:
        held = values - least * deep
        found[f"{least:g} s.d."] = int(held[0].argmax()) if pvalue(held) <= 0.05 else None
    for levels in LEVELS:
        named = []
        for depth, level in enumerate(levels):
            at = np.flatnonzero(deep == depth)
            p = pvalue(values[:, at])
            named += [(p / level, int(at[values[0, at].argmax()]))] if p <= level else []
        label = f"{100 * levels[0]:g} and {100 * levels[1]:g} %"
        found[label] = min(named)[1] if named else None
    return found


def main() -> None:
    """Print the shares of tables in which each way names the slice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=400)
    tables = parser.parse_args().tables
    hits: dict[tuple[str, float, str], int] = {}
    for base in BASES:
        for seed in range(tables):
            rng = np.random.default_rng(500 + seed)
            X, draw = slice_table(rng, 1000), rng.random(1000)
            told, inside = _slices(X, np.arange(1000), rng)
            size = inside.sum(axis=0)
            fit = np.flatnonzero((size >= 50) & (size <= 500))
            inside, deep = inside[:, fit].astype(float), np.array([len(told[i]) - 1 for i in fit])
            right = np.array([any(c.startswith("a >") for c in told[i]) for i in fit])
            planted = {
                "none": np.zeros(1000, dtype=bool),
                "one column": (X["a"] > 1.2816).to_numpy(),
                "two columns": ((X["a"] > 0.5244) & (X["g"] == "x")).to_numpy(),
            }
            for what, rows in planted.items():
                wrong = (draw < base + 0.1 * rows).astype(float)
                dealt = np.vstack([wrong, rng.permuted(np.tile(wrong, (199, 1)), axis=1)])
                for ratio in (False, True):
                    values = statistics(inside, dealt, ratio=ratio)
                    for name, at in searches(values, deep).items():
                        way = f"{'likelihood ratio' if ratio else 'z'}, {name}"
                        hit = at is not None and (what == "none" or bool(right[at]))
                        hits[way, base, what] = hits.get((way, base, what), 0) + hit
    heads = [f"{what}, {100 * base:g} %" for what in planted for base in BASES]
    print("| " + " | ".join(["search", *heads]) + " |", "| --- " * (1 + len(heads)) + "|", sep="\n")
    for way in dict.fromkeys(way for way, _, _ in hits):
        shares = [100 * hits[way, base, what] / tables for what in planted for base in BASES]
        print("| " + " | ".join([way, *(f"{share:.0f} %" for share in shares)]) + " |")


if __name__ == "__main__":
    main()
