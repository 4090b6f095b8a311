"""Speed of the combination package beside peers: one thread, interleaved, as ratios.

    python benchmarks/speed_combination.py [--quick]

The peers: MST09's program with a row for each crucial pair in scipy's HiGHS; matrix–vector
products; the textbook's RankBoost, which keeps a weight for each pair. Below the table: how many
evaluations the soft margin takes on families easy and hard, and RankBoost's time as the samples
double.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from scipy.optimize import linprog

from polychotomy.combination import rank_margin_weights
from polychotomy.combination.rank_boost import boost_rankers
from side_by_side import Row, machine, markdown, measure


def draw(n: int, m: int, seed: int, family: str = "good and bad"):
    """Scores (n, m) and labels 0, 1 in equal numbers, in random order."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 2)
    signs, noise = y[:, None] - 0.5, rng.normal(size=(n, m))
    families = {
        "good and bad": lambda: np.tanh(0.5 * noise + np.linspace(-1, 3, m) * signs),
        "equals": lambda: np.tanh(0.5 * noise + signs),
        "near duplicates": lambda: np.tanh(noise[:, :1] + 1e-6 * noise + signs),
        "heavy ties": lambda: np.round(5 * np.tanh(0.5 * noise + signs)) / 5,
        "outliers": lambda: np.clip(rng.standard_t(1, (n, m)), -1e3, 1e3) / 1e3 + 0.1 * signs,
        "sphere": lambda: noise / np.linalg.norm(noise, axis=1, keepdims=True) + 0.1 * signs,
        "sorted": lambda: np.sort(noise, axis=0) * 0.3,
    }
    return families[family](), y


def pairwise_program(scores, y) -> float:
    """MST09 section 3 as it stands there, with Σw = 1."""
    pairs = (scores[y == 1][:, None] - scores[y == 0]).reshape(-1, scores.shape[1])
    m = scores.shape[1]
    solution = linprog(
        np.append(np.zeros(m), -1.0),
        A_ub=np.column_stack([-pairs, np.ones(len(pairs))]),
        b_ub=np.zeros(len(pairs)),
        A_eq=np.append(np.ones(m), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
        method="highs",
    )
    return float(-solution.fun)


def textbook_rank_boost(X, positive, rounds: int):
    """Freund et al. (2003), figure 1: the same rankers, chosen with a weight for every pair."""
    high, low = X[positive], X[~positive]
    orders = [np.unique(column) for column in X.T]
    D = np.full((len(high), len(low)), 1 / (len(high) * len(low)))
    for _ in range(rounds):
        rows, columns = D.sum(axis=1), D.sum(axis=0)
        best, chosen = 0.0, (0, 0.0)
        for j, values in enumerate(orders):
            up = np.bincount(np.searchsorted(values, high[:, j]), rows, minlength=len(values))
            down = np.bincount(np.searchsorted(values, low[:, j]), columns, minlength=len(values))
            r = -np.cumsum(up - down)[:-1]
            at = int(np.abs(r).argmax())
            if abs(r[at]) > abs(best):
                best, chosen = float(r[at]), (j, (values[at] + values[at + 1]) / 2)
        j, cut = chosen
        alpha = np.arctanh(np.clip(best, -1 + 1e-9, 1 - 1e-9))
        D *= np.exp(alpha * ((low[:, j] > cut)[None] - (high[:, j] > cut)[:, None].astype(float)))
        D /= D.sum()
    return D


def _hard_rows(quick: bool) -> list[Row]:
    rows = []
    for n, m, target in ((200 if quick else 2000, 5, 500), (200 if quick else 600, 50, 100)):
        scores, y = draw(n, m, seed=0)
        rows.append(
            Row(
                f"hard margin, {n // 2} + {n // 2} samples, {m} classifiers",
                "N⁺N⁻ program, scipy HiGHS",
                lambda s=scores, y=y: rank_margin_weights(s, y),
                lambda s=scores, y=y: pairwise_program(s, y),
                None if quick else target,
            )
        )
    return rows


def _large_rows(quick: bool) -> list[Row]:
    n, rows = 100_000 if quick else 1_000_000, []
    for family in ("good and bad", "near duplicates", "heavy ties", "outliers", "sorted"):
        scores, y = draw(n, 20, seed=1, family=family)
        weights = np.full(20, 1 / 20)
        rows.append(
            Row(
                f"hard margin, {n} samples, 20 classifiers ({family})",
                "15 products scores @ w",
                lambda s=scores, y=y: rank_margin_weights(s, y),
                lambda s=scores, w=weights: [s @ w for _ in range(15)],
                None if quick else 1,
            )
        )
    return rows


def _rank_boost_row(quick: bool) -> Row:
    n, rounds = 2000, 5 if quick else 100
    rng = np.random.default_rng(2)
    positive = np.arange(n) % 2 == 1
    X = rng.normal(size=(n, 20)) + 0.3 * positive[:, None]
    return Row(
        f"RankBoost, {n} samples × 20 features, T = {rounds}",
        "textbook, a weight for each pair",
        lambda: boost_rankers(X, positive, rounds=rounds, counts=np.ones(n)),
        lambda: textbook_rank_boost(X, positive, rounds),
        None,
    )


def rows(quick: bool) -> list[Row]:
    """The comparisons; ``quick`` does a tenth of the work."""
    return [*_hard_rows(quick), *_large_rows(quick), _rank_boost_row(quick)]


def soft_margin_table(quick: bool) -> str:
    """Evaluations of O(N log N) until the certified gap is 1e-6."""
    n = 10_000 if quick else 100_000
    lines = [
        f"Soft margin, {n} samples, 20 classifiers: evaluations (gap reached); target under 300",
        "",
        "| family | C = 1.5 | C = 20 | C = 10⁴ |",
        "| --- | --- | --- | --- |",
    ]
    for family in ("good and bad", "equals", "near duplicates", "heavy ties", "outliers", "sphere"):
        scores, y = draw(n, 20, seed=3, family=family)
        fits = [rank_margin_weights(scores, y, slack=slack) for slack in (1.5, 20.0, 1e4)]
        cells = [f"{fit.iterations} ({fit.gap:.1e})" for fit in fits]
        lines.append(f"| {family} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def rank_boost_curve(quick: bool) -> str:
    """Seconds as the samples double: linear in N."""
    lines = [
        "RankBoost, 20 features, T = 100: time after the sort grows with the samples",
        "",
        "| samples | seconds | microseconds a sample |",
        "| --- | --- | --- |",
    ]
    rng = np.random.default_rng(4)
    for n in (5_000, 10_000) if quick else (12_500, 25_000, 50_000, 100_000):
        positive = np.arange(n) % 2 == 1
        X = rng.normal(size=(n, 20)) + 0.3 * positive[:, None]
        start = time.perf_counter()
        boost_rankers(X, positive, rounds=100, counts=np.ones(n))
        seconds = time.perf_counter() - start
        lines.append(f"| {n} | {seconds:.2f} | {1e6 * seconds / n:.1f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    quick = parser.parse_args().quick
    print(machine(), end="\n\n")
    print(markdown(measure(row, repetitions=3) for row in rows(quick)))
    print(soft_margin_table(quick))
    print(rank_boost_curve(quick))


if __name__ == "__main__":
    main()
