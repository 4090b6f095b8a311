"""Speed of `polychotomy.comparison` beside its peers, on the same numbers.

python benchmarks/speed_comparison.py [--quick]
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy import stats

from polychotomy.comparison import delong_test, multitest_many, paired_t_test, t_test_5x2
from side_by_side import Row, machine, markdown, measure


def mlxtend_t(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """What mlxtend.evaluate.paired_ttest_5x2cv computes once it has fitted its ten models."""
    variance_sum, first = 0.0, 0.0
    for replication in range(5):
        one = a[replication, 0] - b[replication, 0]
        two = a[replication, 1] - b[replication, 1]
        mean = (one + two) / 2.0
        variance_sum += (one - mean) ** 2 + (two - mean) ** 2
        if replication == 0:
            first = one
    t = first / np.sqrt(1 / 5.0 * variance_sum)
    return t, stats.t.sf(np.abs(t), 5) * 2.0


def loop_over_pairs(errors: np.ndarray) -> int:
    """MultiTest's tests one by one, without the ordering."""
    edges = 0
    for table in errors.reshape(-1, *errors.shape[-3:]):
        for i in range(len(table)):
            for j in range(i + 1, len(table)):
                t, p = mlxtend_t(table[i], table[j])
                edges += t > 0 and p / 2 <= 0.05 / 10
    return edges


def quadratic_delong(y: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """DeLong's test by its definition: all pairs of a positive and a negative case."""
    parts = []
    for scores in (a, b):
        kernel = np.sign(scores[y == 1][:, None] - scores[y == 0][None, :]) / 2 + 0.5
        parts.append((kernel.mean(axis=1), kernel.mean(axis=0)))
    (a1, a0), (b1, b0) = parts
    variance = np.var(a1 - b1, ddof=1) / len(a1) + np.var(a0 - b0, ddof=1) / len(a0)
    return float((a1.mean() - b1.mean()) / np.sqrt(variance))


def rows(quick: bool) -> list[Row]:
    rng = np.random.default_rng(0)
    sets, runs = (3, 20) if quick else (30, 1000)
    share = 1 if quick else 100  # the loop runs on one in a hundred of the tables
    errors = rng.uniform(0.1, 0.4, (sets, runs, 5, 5, 2))
    few = errors.reshape(-1, 5, 5, 2)[::share]
    a, b = rng.uniform(0.1, 0.4, (2, 1000, 10))
    y = np.arange(400 if quick else 4000) % 2
    score_a, score_b = y + rng.normal(size=(2, len(y)))
    return [
        Row(
            work=f"MultiTest, {sets} data sets × {runs} runs × 5 learners "
            f"({sets * runs * 10:,} tests, orders too)",
            peer="loop over mlxtend's 5×2cv t formula",
            ours=lambda: multitest_many(errors),
            theirs=lambda: loop_over_pairs(few),
            target=50,
            scale=share,
        ),
        Row(
            work="one 5×2cv t test",
            peer="mlxtend's formula",
            ours=lambda: t_test_5x2(errors[0, 0, 0], errors[0, 0, 1]),
            theirs=lambda: mlxtend_t(errors[0, 0, 0], errors[0, 0, 1]),
            target=None,
        ),
        Row(
            work="1,000 paired t tests of 10 folds",
            peer="scipy.stats.ttest_rel, one by one",
            ours=lambda: paired_t_test(a, b),
            theirs=lambda: [stats.ttest_rel(one, two) for one, two in zip(a, b, strict=True)],
            target=50,
        ),
        Row(
            work=f"DeLong's test on {len(y):,} cases",
            peer="its definition over all pairs, NumPy",
            ours=lambda: delong_test(y, score_a, score_b),
            theirs=lambda: quadratic_delong(y, score_a, score_b),
            target=None if quick else 10,
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small inputs, to see that it runs")
    quick = parser.parse_args().quick
    print(machine(), end="\n\n")
    print(markdown(measure(row, repetitions=2 if quick else 5) for row in rows(quick)))


if __name__ == "__main__":
    main()
