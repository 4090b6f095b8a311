"""A plan that grows: what it costs in fits and in true error, and whether its intervals hold.

::

    python -m benchmarks.growing --data DIR --minutes 20

writes docs/results/growing.md; ``--parts levels ladder`` writes these sections anew and keeps the
others. Three parts. *Regret*: small samples of the truth lab's populations,
eight learners, five repetitions of five folds; the choice after as many repetitions as
`polychotomy.verdict.choosing` asks for beside the choice after all five, judged by the error on the
cases left out. The threshold was set on generated tables; these populations only report.
*Levels*: the certificate's pairs of equal learners (`benchmarks.truth.nulls`), tested over rows
after one repetition, after five, and at the first of five looks that calls them different.
*Ladder*: tables made so that learning curves cross, the sizes of `polychotomy.verdict.rungs` a
twentieth of what they are; who is left behind, and what that costs on all rows.
"""

from __future__ import annotations

import argparse
import time
import zlib
from pathlib import Path

import numpy as np
from benchmarks.stamps import choice_stamp, stamps
from benchmarks.truth import nulls
from benchmarks.truth.draws import LEFT_OUT, assign_folds, errors_on, standardise
from benchmarks.truth.learners import LEARNERS
from benchmarks.truth.pages import RESULTS
from benchmarks.truth.populations import POPULATIONS, Population, load
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from polychotomy.comparison import case_t_test
from polychotomy.verdict.choosing import STEADY, chooser, steadiness
from polychotomy.verdict.question import Question
from polychotomy.verdict.rungs import least_behind

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


def levels(family: nulls.Family, n: int, tables: int) -> tuple[float, ...]:
    """Share of equal pairs called different at 5 %: after one repetition, after five, at any.

    Then the variance of the mean difference, beside what the test takes it to be, after one and
    five.
    """
    rng = np.random.default_rng([zlib.crc32(family.encode()), n])
    found, seen, expected = [], [], []
    for start in range(0, tables, max(CASES_AT_ONCE // n, 1)):
        r = min(max(CASES_AT_ONCE // n, 1), tables - start)
        views, y = nulls.draw_cases(rng, r, n, handicap=False)
        pair = [nulls._LEARNERS[family](X, y) for X in views]
        d = np.zeros((r, 5, n))
        for repetition in range(5):
            order = nulls.draw_order(rng, r, n)
            a, b = (one(order, 5).reshape(r, n).astype(float) for one in pair)
            np.put_along_axis(d[:, repetition], order, a - b, axis=1)
        looks = [case_t_test(d[:, :r], 0 * d[:, :r]) for r in range(1, 6)]
        found.append(np.transpose([one.pvalue for one in looks]) < 0.05)
        seen.append(np.transpose([one.mean_difference for one in looks]))
        expected.append(np.square(np.transpose([one.standard_error for one in looks])))
    called = np.concatenate(found)
    ratio = np.concatenate(seen).var(axis=0) / np.concatenate(expected).mean(axis=0)
    shares = called[:, 0].mean(), called[:, 4].mean(), called.any(axis=1).mean()
    return *(100 * share for share in shares), ratio[0], ratio[4]


RUNGS, ALL_ROWS = (500, 2000), 8000
TESTED, TRUTH, DRAWS = 10_000, 30_000, 40
CLIMBERS = {
    "naive Bayes": lambda seed: GaussianNB(),
    "linear": lambda seed: LinearDiscriminantAnalysis(),
    "tree": lambda seed: DecisionTreeClassifier(min_samples_leaf=5, random_state=seed),
    "15-NN": lambda seed: KNeighborsClassifier(15),
    "forest": lambda seed: RandomForestClassifier(30, min_samples_leaf=2, random_state=seed),
    "boosted trees": lambda seed: HistGradientBoostingClassifier(max_iter=40, random_state=seed),
}


def draw_crossing(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw a table with a linear part, which few rows tell, and steps, which take many."""
    d, steps = int(rng.integers(4, 13)), int(rng.integers(1, 4))
    X = rng.normal(size=(n, d))
    linear = X @ rng.normal(size=d) / np.sqrt(d)
    signs = np.sign(X[:, rng.permutation(d)[:2]]).prod(axis=1)
    fine = np.sign(np.sin(steps * X[:, rng.integers(d)] * np.pi))
    score = linear + rng.uniform(0, 0.6) * signs + rng.uniform(0, 0.6) * fine
    return X, (score + rng.logistic(scale=0.25, size=n) > 0).astype(int)


def climb_once(number: int) -> tuple[bool, int, bool, float]:
    """Whether curves cross, how many are left behind, whether the best is; regret, in points."""
    rng = np.random.default_rng([20, number])
    X, y = draw_crossing(rng, ALL_ROWS + TRUTH)
    test, truth = slice(ALL_ROWS, ALL_ROWS + TESTED), slice(ALL_ROWS, None)
    alive, before, first = list(CLIMBERS), {}, ""
    for place, rows in enumerate(RUNGS):
        losses = {}
        for name in alive:
            fitted = CLIMBERS[name](number).fit(X[:rows], y[:rows])
            losses[name] = (fitted.predict(X[test]) != y[test]).astype(float)
        leader = min(losses, key=lambda name: losses[name].mean())
        first = first or leader
        for name in [one for one in alive if one in before and one != leader]:
            tables = losses[name], losses[leader], before[name]
            if least_behind(*tables, steps=len(RUNGS) - place) > Question().smallest_difference:
                alive.remove(name)
        before = losses
    errors = {}
    for name, make in CLIMBERS.items():
        fitted = make(number).fit(X[:ALL_ROWS], y[:ALL_ROWS])
        errors[name] = (fitted.predict(X[truth]) != y[truth]).mean()
    best = min(errors, key=errors.__getitem__)
    regret = min(errors[name] for name in alive) - errors[best]
    return first != best, len(CLIMBERS) - len(alive), best not in alive, 100 * regret


def say_ladder() -> list[str]:
    """Write down how often the ladder leaves the best behind, and what that costs."""
    found = [climb_once(number) for number in range(DRAWS)]
    lines = [
        f"{DRAWS} generated tables of {ALL_ROWS} rows to train on, with a linear part, which few "
        "rows tell, and steps, which take many, so that learning curves cross; six learners. "
        f"They are fitted on {' and '.join(map(str, RUNGS))} rows first, tested on {TESTED} "
        f"(in use: from 10,000 rows on, tested on 20,000). Errors on all rows: of {TRUTH} rows. "
        "Regret: points of error of the best that is not left behind, above the best of all.",
        "",
        "| tables | number | left behind, of six | best left behind | mean regret | largest |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for words, own in (
        ("curves cross: another is first on few rows", [one for one in found if one[0]]),
        ("the same is first on few and on all", [one for one in found if not one[0]]),
    ):
        if own:
            _, gone, lost, regret = np.array(own, dtype=float).T
            lines.append(
                f"| {words} | {len(own)} | {gone.mean():.1f} | {int(lost.sum())} | "
                f"{regret.mean():.2f} | {regret.max():.2f} |"
            )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.growing",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, help="folder of the data sets, for the regrets")
    parser.add_argument("--minutes", type=float, default=20, help="CPU minutes for the regrets")
    parser.add_argument("--parts", nargs="*", choices=SECTIONS, default=list(SECTIONS))
    arguments = parser.parse_args()
    page = RESULTS / "growing.md"
    before, *kept = page.read_text().split("\n## ")
    # The levels are of the test as it is; the other parts hardly depend on it.
    anew = "levels" in arguments.parts
    stamp = before.partition("\n\n")[0]
    if anew:
        rules = ["comparison/paired_t.py", "verdict/rungs.py"]
        stamp = f"{stamps(rules)}\n{choice_stamp()}"
    sections = dict(one.split("\n", 1) for one in kept)
    make = {
        "regret": lambda: say_regret(arguments.data, arguments.minutes),
        "levels": say_levels,
        "ladder": say_ladder,
    }
    for part in arguments.parts:
        sections[SECTIONS[part]] = "\n".join(["", *make[part](), ""])
    begin = (
        f"{stamp}\n\n# A plan that grows\n\nHow many fits does a choice need, do its intervals "
        "hold for having looked, and does a ladder lose the best? Made by\n\n```\n"
        "python -m benchmarks.growing --data DIR --minutes 6\n```\n"
    )
    told = [f"## {name}\n{sections[name]}" for name in SECTIONS.values()]
    page.write_text("\n".join([begin, *told]))


SECTIONS = {
    "regret": "What it costs",
    "levels": "Whether its intervals hold",
    "ladder": "Whether a ladder of sizes loses the best",
}


def say_regret(data: Path, minutes: float) -> list[str]:
    """Write down what the growing plan takes and costs."""
    populations = [load(data, name) for name in POPULATIONS]
    start, found, number = time.process_time(), [], 0
    while time.process_time() - start < 60 * minutes:
        found += [(n, *regrets(one, n, number)) for one in populations for n in SIZES]
        number += 1
    rows = np.array(found)
    lines = [
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
    return lines


def say_levels() -> list[str]:
    """Write down how often equals are called different, and why some more often than others."""
    lines = [
        "Two learners that are equal by construction, those of the "
        "[certificate of honesty](honesty.md): per cent of samples in which the t test over rows, "
        "at 5 %, calls them different. *At any look*: after at least one of the five repetitions; "
        "that is the most which somebody can do who stops whenever it suits, and more than the "
        "growing plan does, which does not look at the test. *Variance*: of the mean difference, "
        "divided by what the test takes it to be, after one repetition and after five. With the "
        "nearest neighbour, each of whose predictions hangs on a single training row, the luck of "
        "the table, which all splits of it share, is more than the one number that stands for all "
        "learners; the more rows, the more. Repetitions do not average it out, and no table "
        "tells how much of it there is without bias (Bengio and Grandvalet 2004).",
        "",
        "| learners and n | samples | after one repetition | after five | at any look | variance |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for family, n, tables in NULLS:
        first, last, ever, least, most = levels(family, n, tables)
        lines.append(
            f"| {family} {n} | {tables} | {first:.1f} | {last:.1f} | {ever:.1f} | "
            f"{least:.2f}, {most:.2f} |"
        )
    return lines


if __name__ == "__main__":
    main()
