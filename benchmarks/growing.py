"""A plan that grows: what it costs in fits and in true error, and whether its intervals hold.

::

    python -m benchmarks.growing --data DIR --minutes 20

writes docs/results/growing.md. Two parts. *Regret*: small samples of the truth lab's populations,
eight learners, five repetitions of five folds; the choice after as many repetitions as
`polychotomy.verdict.growing` asks for beside the choice after all five, judged by the error on the
cases left out. The threshold was set on generated tables; these populations only report.
*Levels*: the certificate's pairs of equal learners (`benchmarks.truth.nulls`), tested over rows
after one repetition, after five, and at the first of five looks that calls them different.
"""

from __future__ import annotations

import argparse
import time
import zlib
from pathlib import Path

import numpy as np
from benchmarks.stamps import stamps
from benchmarks.truth import nulls
from benchmarks.truth.draws import LEFT_OUT, assign_folds, errors_on, standardise
from benchmarks.truth.learners import LEARNERS
from benchmarks.truth.pages import RESULTS
from benchmarks.truth.populations import POPULATIONS, Population, load

from polychotomy.comparison import case_t_test
from polychotomy.verdict.conclusions import chooser
from polychotomy.verdict.growing import STEADY, steadiness
from polychotomy.verdict.question import Question

SIZES = (100, 300)
NULLS: tuple[tuple[nulls.Family, int, int], ...] = (
    ("linear", 50, 4000),
    ("linear", 200, 3000),
    ("linear", 1000, 1000),
    ("1-NN", 50, 2000),
    ("1-NN", 200, 1500),
    ("1-NN", 1000, 500),
    ("tree", 50, 200),
)
CASES_AT_ONCE = 100_000


def wrong_answers(X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Whether every learner errs on every case in each of five repetitions, (m, 5, n)."""
    wrong = np.zeros((len(LEARNERS), 5, len(y)))
    for repetition in range(5):
        folds = assign_folds(y, 5, rng)
        for fold in range(5):
            out, seed = folds == fold, int(rng.integers(2**31))
            inside, outside = standardise(X[~out], X[out])
            for row, make in enumerate(LEARNERS.values()):
                predicted = make(seed).fit(inside, y[~out]).predict(outside)
                wrong[row, repetition, out] = predicted != y[out]
    return wrong


def regrets(population: Population, n: int, number: int) -> tuple[int, float, float, float]:
    """Repetitions taken; true error, above the least, of the growing, the full and one's choice."""
    rng = np.random.default_rng([zlib.crc32(population.name.encode()), n, number, 7])
    order = rng.permutation(len(population.y))
    small, rest = order[:n], order[n : n + LEFT_OUT]
    X, y = population.X[small], population.y[small]
    wrong = wrong_answers(X, y, rng)
    truth = errors_on(X, y, population.X[rest], population.y[rest], int(rng.integers(2**31)))
    choose = chooser(Question())

    def table(repetitions: int) -> np.ndarray:
        # The rule compares means alone, so that any parts of one size do for folds.
        return wrong[:, :repetitions].reshape(len(wrong), repetitions, 5, -1).mean(axis=-1)

    taken = next(
        r for r in range(1, 6) if r == 5 or steadiness(table(r), wrong[:, :r], choose) >= STEADY
    )
    chosen = [int(choose(table(r)[None])[0]) for r in (taken, 5, 1)]
    grown, full, one = (float(truth[row] - truth.min()) for row in chosen)
    return taken, grown, full, one


def levels(family: nulls.Family, n: int, tables: int) -> tuple[float, float, float]:
    """Share of equal pairs called different at 5 %: after one repetition, after five, at any."""
    rng = np.random.default_rng([zlib.crc32(family.encode()), n])
    found = []
    for start in range(0, tables, max(CASES_AT_ONCE // n, 1)):
        r = min(max(CASES_AT_ONCE // n, 1), tables - start)
        views, y = nulls.draw_cases(rng, r, n, handicap=False)
        pair = [nulls._LEARNERS[family](X, y) for X in views]
        d = np.zeros((r, 5, n))
        for repetition in range(5):
            order = nulls.draw_order(rng, r, n)
            a, b = (one(order, 5).reshape(r, n).astype(float) for one in pair)
            np.put_along_axis(d[:, repetition], order, a - b, axis=1)
        looks = [case_t_test(d[:, :seen], 0 * d[:, :seen]).pvalue for seen in range(1, 6)]
        found.append(np.transpose(looks) < 0.05)
    called = np.concatenate(found)
    return called[:, 0].mean(), called[:, 4].mean(), called.any(axis=1).mean()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.growing",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--minutes", type=float, default=20, help="CPU minutes for the regrets")
    arguments = parser.parse_args()
    populations = [load(arguments.data, name) for name in POPULATIONS]
    start, rows, number = time.process_time(), [], 0
    while time.process_time() - start < 60 * arguments.minutes:
        rows += [(n, *regrets(one, n, number)) for one in populations for n in SIZES]
        number += 1
    (RESULTS / "growing.md").write_text(page(np.array(rows), arguments.minutes))


def page(rows: np.ndarray, minutes: float) -> str:
    """Write both tables down."""
    lines = [
        stamps(["comparison/paired_t.py"]),
        "",
        "# A plan that grows",
        "",
        "How many fits does a choice need, and do its intervals hold for having looked? Made by",
        "",
        "```",
        f"python -m benchmarks.growing --data DIR --minutes {minutes:g}",
        "```",
        "",
        "## What it costs",
        "",
        f"Samples of {len(POPULATIONS)} large data sets, eight learners, the rule with a margin of "
        "one point. Repetitions of five folds are made until the choice would stay with a "
        f"probability of {STEADY:g}, five at most. Regret: points of true error, on up to "
        f"{LEFT_OUT} cases left out, above the best of the eight; ± one standard error. The "
        "threshold was set on other, generated tables.",
        "",
        "| rows | samples | fits, of five repetitions | regret, grown | five repetitions | "
        "difference | one repetition |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for n in (*SIZES, None):
        own = rows if n is None else rows[rows[:, 0] == n]
        grown, full, one = 100 * own[:, 2:].T
        gap = grown - full
        lines.append(
            f"| {'all' if n is None else n} | {len(own)} | {20 * own[:, 1].mean():.0f} % | "
            f"{grown.mean():.2f} | {full.mean():.2f} | {gap.mean():+.2f} ± "
            f"{gap.std() / len(own) ** 0.5:.2f} | {one.mean():.2f} |"
        )
    lines += [
        "",
        "## Whether its intervals hold",
        "",
        "Two learners that are equal by construction, those of the "
        "[certificate of honesty](honesty.md): per cent of samples in which the t test over rows, "
        "at 5 %, calls them different. *At any look*: after at least one of the five repetitions; "
        "that is the most which somebody can do who stops whenever it suits, and more than the "
        "growing plan does, which does not look at the test.",
        "",
        "| learners and n | samples | after one repetition | after five | at any look |",
        "| --- | --- | --- | --- | --- |",
    ]
    for family, n, tables in NULLS:
        first, last, ever = (100 * share for share in levels(family, n, tables))
        lines.append(f"| {family} {n} | {tables} | {first:.1f} | {last:.1f} | {ever:.1f} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
