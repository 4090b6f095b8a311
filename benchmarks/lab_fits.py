"""The lab's cache: tables whose truth is known, with every fit that a verdict on them takes.

    python benchmarks/lab_fits.py --data DIR --cache CACHE [--minutes 60]

A table is made once, by a seed that depends on its key alone, and kept; what ``lab.py`` scores are
functions of it. Populations are generators (those of ``headline_fits`` and others whose family and
parameters are drawn at random) and data sets large enough to have cases left out. They are split
for good into those that rules may be tuned on and those that are only reported: generators by
name, the rest by a hash of theirs.

For each table, all candidates are cross-validated (twice five folds) and refitted; two picks are
looked into further: the one of all candidates, and the one of those that are simple; where rules
are tuned, one more candidate. Of each there are bootstrap fits and a learning curve, as a verdict
has them, and the truth: its error and that of the bagged one, and errors of fits to other tables
of this size and twice as large.
"""

from __future__ import annotations

import argparse
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from headline_fits import (
    REPORTED,
    TUNED,
    Generator,
    categories,
    clouds,
    interaction,
    linear,
    rare,
    rings,
)
from polychotomy.learners import ChosenNeighboursClassifier, PrunedTreeClassifier
from polychotomy.multiclass import CodedClassifier
from polychotomy.study import NestedSizes
from polychotomy.study.design.folds import assign_folds
from polychotomy.verdict.choosing import first_within
from truth.populations import POPULATIONS, load

REPETITIONS, FOLDS, BAGS, TRUE_CASES, OTHER_TABLES = 2, 5, 50, 3000, 5
AVERAGED = 8  # other tables, of the smaller size, for the errors of all candidates
SIZES, DRAWS = (100, 300), 3
CURVE = NestedSizes(folds=5, sizes=(0.2, 0.35, 0.6, 1.0))  # as in a verdict

# In order of preference. Forest and boosted trees are smaller than the built-in ones, for time.
LEARNERS: dict[str, Callable[[], object]] = {
    "naive Bayes": lambda: GaussianNB(var_smoothing=1e-3),
    "logistic": lambda: LogisticRegression(max_iter=200),
    "pruned tree": PrunedTreeClassifier,
    "k-NN": ChosenNeighboursClassifier,
    "SVM": lambda: CodedClassifier(SVC(), code="one-vs-one"),
    "forest": lambda: RandomForestClassifier(n_estimators=50),
    "boosted trees": lambda: HistGradientBoostingClassifier(
        l2_regularization=1.0, max_iter=40, learning_rate=0.2, max_leaf_nodes=8
    ),
}
SIMPLE = 4  # the first so many
MOST_CLASSES = {"SVM": 10, "boosted trees": 10}


def teacher(features: int, depth: int, flip: float, seed: int) -> Generator:
    """Class by a random tree: at each node a random feature is cut near its middle."""
    fixed = np.random.default_rng(seed)
    feature = fixed.integers(features, size=2**depth)
    cut = 0.5 * fixed.standard_normal(2**depth)
    leaves = fixed.permutation(np.arange(2**depth) % 2)

    def make(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        X = rng.standard_normal((n, features))
        node = np.ones(n, dtype=int)
        for _ in range(depth):
            node = 2 * node + (X[np.arange(n), feature[node]] > cut[node])
        p = np.where(leaves[node - 2**depth] == 1, 1 - flip, flip)
        return X, np.stack([1 - p, p], axis=1)

    return make


def network(features: int, k: int, strength: float, seed: int) -> Generator:
    """Class by a random network of one hidden layer."""
    fixed = np.random.default_rng(seed)
    first = fixed.standard_normal((features, 6)) / np.sqrt(features)
    second = strength * fixed.standard_normal((6, k))

    def make(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        X = rng.standard_normal((n, features))
        score = np.tanh(2 * X @ first) @ second
        odds = np.exp(score - score.max(axis=1, keepdims=True))
        return X, odds / odds.sum(axis=1, keepdims=True)

    return make


def at_random(seed: int) -> Generator:
    """A family in turn, its parameters at random."""
    rng = np.random.default_rng([2026, seed])
    p, own = int(rng.integers(4, 21)), int(rng.integers(2**31))
    weights = (rng.standard_normal(p) * (rng.random(p) < 0.5) * rng.uniform(0.3, 1.5)).tolist()
    makers: tuple[Callable[[], Generator], ...] = (
        lambda: linear(weights, shared=rng.uniform(0, 0.6), offset=rng.uniform(-1.5, 1.5)),
        lambda: teacher(p, int(rng.integers(3, 6)), rng.uniform(0.02, 0.25), own),
        lambda: clouds(int(rng.integers(3, 11)), max(3, p // 2), rng.uniform(0.5, 1.3), own),
        lambda: network(p, int(rng.integers(2, 7)), rng.uniform(0.8, 3.0), own),
        lambda: categories(int(rng.integers(2, 6)), max(3, p // 2), rng.uniform(0.8, 2.5), own),
        lambda: interaction(max(3, p // 2), rng.uniform(0.02, 0.25), cut=rng.uniform(0, 0.8),
                            slope=rng.uniform(0, 1)),
        lambda: rings(max(2, p // 2), rng.uniform(0.1, 0.8)),
        lambda: rare(rng.uniform(0.04, 0.2), rng.uniform(0.8, 1.6), max(3, p)),
    )  # fmt: skip
    return makers[seed % len(makers)]()


DRAWN = {f"drawn {seed}": seed for seed in range(48)}


def is_tuned(name: str) -> bool:
    """Whether rules may be tuned on this population; the others are only reported."""
    if name in TUNED or name in REPORTED:
        return name in TUNED
    return zlib.crc32(name.encode()) % 2 == 0


def populations() -> list[str]:
    return [*TUNED, *REPORTED, *DRAWN, *POPULATIONS]


@dataclass(frozen=True)
class Table:
    """One table, its fits and its truth; ``m`` candidates, ``q`` picks.

    ``own`` (m, repetitions, n, k) are out-of-fold probabilities, ``new`` (m, cases, k) those of
    refits on cases never seen, of which ``truth`` (cases, k) has the class probabilities (or the
    class). Of each of ``picks``, ``bagged`` (q, n, k) is out of bag, ``bagged_new`` (q, cases, k)
    the same fits on new cases, ``sizes`` and ``sized`` (q, s, n) the learning curve, and ``other``
    (q, tables, 2) the errors of fits to other tables, of this size and twice as large.
    """

    names: np.ndarray
    y: np.ndarray
    folds: np.ndarray
    own: np.ndarray
    new: np.ndarray
    truth: np.ndarray
    picks: np.ndarray
    bagged: np.ndarray
    bagged_new: np.ndarray
    sizes: np.ndarray
    sized: np.ndarray
    other: np.ndarray

    def wrong(self, p: np.ndarray) -> np.ndarray:
        """Errors of probabilities (..., cases, k) on the new cases, expected case by case."""
        said = p.argmax(axis=-1)
        return 1 - np.take_along_axis(
            np.broadcast_to(self.truth, p.shape), said[..., None], axis=-1
        ).squeeze(-1)


Draw = Callable[[int], tuple[np.ndarray, np.ndarray]]
"""So many other rows: features, and the class or its probabilities."""


def draw_table(name: str, n: int, data: Path, rng: np.random.Generator) -> tuple:
    """Rows and classes, new cases and their truth, and what draws other rows."""
    if name in POPULATIONS:
        whole = _load(data, name)
        k, order = int(whole.y.max()) + 1, rng.permutation(len(whole.y))
        cases = min(TRUE_CASES, (len(order) - n) // 2)
        own, new, pool = np.split(order, [n, n + cases])

        def draw(count: int) -> tuple[np.ndarray, np.ndarray]:
            rows = rng.choice(pool, count, replace=False)
            return whole.X[rows], whole.y[rows]

        least = len(pool)
        return (whole.X[own], whole.y[own], whole.X[new], np.eye(k)[whole.y[new]],
                draw if least >= 2 * n else None)  # fmt: skip
    made = ({**TUNED, **REPORTED}).get(name) or at_random(DRAWN[name])

    def draw(count: int) -> tuple[np.ndarray, np.ndarray]:
        X, p = made(rng, count)
        return X, (rng.random((count, 1)) > p.cumsum(axis=1)[:, :-1]).sum(axis=1)

    return (*draw(n), *made(rng, TRUE_CASES), draw)


@cache
def _load(data: Path, name: str):
    return load(data, name)


def predict(
    learner: str, k: int, X: np.ndarray, y: np.ndarray, *new: np.ndarray, seed: int
) -> list[np.ndarray]:
    """Probabilities (cases, k) of a fit; classes that it has not seen have none."""
    seen = np.unique(y)
    if len(seen) == 1:
        return [np.eye(k)[np.full(len(one), y[0])] for one in new]
    varies = X.std(axis=0) > 1e-12
    scale = StandardScaler().fit(X[:, varies])
    model = clone(LEARNERS[learner]())
    if "random_state" in model.get_params():
        model.set_params(random_state=seed)
    model.fit(scale.transform(X[:, varies]), y)
    found = []
    for one in new:
        p = np.zeros((len(one), k))
        p[:, seen] = model.predict_proba(scale.transform(one[:, varies]))
        found.append(p)
    return found


def make_table(name: str, n: int, number: int, data: Path) -> Table:
    """Draw rows and fit; the key decides the seed."""
    rng = np.random.default_rng([zlib.crc32(name.encode()), n, number, 21])
    while True:
        X, y, new, truth, draw = draw_table(name, n, data, rng)
        if (np.bincount(y) >= 5).sum() >= 2:
            break
    k = truth.shape[1]
    seed = lambda: int(rng.integers(2**31))  # noqa: E731
    names = [one for one in LEARNERS if k <= MOST_CLASSES.get(one, k)]
    folds = np.stack(
        [assign_folds(y, FOLDS, stratified=True, seed=seed()) for _ in range(REPETITIONS)]
    )
    own = np.zeros((len(names), REPETITIONS, n, k), dtype=np.float32)
    for at, r, fold in np.ndindex(len(names), REPETITIONS, FOLDS):
        out = folds[r] == fold
        (own[at, r, out],) = predict(names[at], k, X[~out], y[~out], X[out], seed=seed())
    refits = np.stack([predict(one, k, X, y, new, seed=seed())[0] for one in names])
    errors = (own.argmax(axis=-1) != y).mean(axis=(1, 2))
    guessing = 1 - np.bincount(y).max() / n
    margin = min(0.01, 0.05 * guessing)
    picks = {int(first_within(some[None], margin)[0]) for some in (errors, errors[:SIMPLE])}
    if is_tuned(name):  # priors by kind take more than winners: one more, in turn
        kinds = [one for one in ("pruned tree", "SVM", "forest", "boosted trees") if one in names]
        picks |= {names.index(kinds[(zlib.crc32(name.encode()) // 2 + number) % len(kinds)])}
    picks = sorted(picks)
    parts = [look_into(names[at], k, X, y, new, truth, draw, seed) for at in picks]
    bagged, bagged_new, sizes, sized, other = (np.stack(some) for some in zip(*parts, strict=True))
    return Table(
        np.array(names), y, folds, own, refits.astype(np.float32), truth.astype(np.float32),
        np.array(picks), bagged, bagged_new, sizes[0], sized, other,
    )  # fmt: skip


def look_into(
    learner: str, k: int, X: np.ndarray, y: np.ndarray, new: np.ndarray, truth: np.ndarray,
    draw: Draw | None, seed: Callable[[], int],
) -> tuple[np.ndarray, ...]:  # fmt: skip
    """Bootstrap fits, learning curve, and fits to other tables, of one pick."""
    n = len(y)
    rng = np.random.default_rng(seed())
    sums, counts, on_new = np.zeros((n, k)), np.zeros(n), np.zeros((len(new), k))
    for _ in range(BAGS):
        bag = rng.integers(n, size=n)
        out = np.bincount(bag, minlength=n) == 0
        inside, outside = predict(learner, k, X[bag], y[bag], X[out], new, seed=seed())
        sums[out] += inside
        counts[out] += 1
        on_new += outside / BAGS
    aggregated = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], np.nan)
    row = CURVE.split(y, seed=seed())[0, 0]
    steps = len(CURVE.sizes)
    sizes, sized = np.zeros(steps), np.full((steps, n), -1, dtype=np.int8)
    for at, fold in np.ndindex(steps, CURVE.folds):
        train, test = CURVE.rows(row, at * CURVE.folds + fold)[:2]
        (p,) = predict(learner, k, X[train], y[train], X[test], seed=seed())
        sized[at, test] = p.argmax(axis=1) != y[test]
        sizes[at] += len(train) / CURVE.folds
    other = np.full((OTHER_TABLES, 2), np.nan)
    for at in range(OTHER_TABLES if draw else 0):
        rows, labels = draw(2 * n)
        half = [
            _error(predict(learner, k, rows[part], labels[part], new, seed=seed())[0], truth)
            for part in (slice(None, n), slice(n, None))
        ]
        whole = _error(predict(learner, k, rows, labels, new, seed=seed())[0], truth)
        other[at] = np.mean(half), whole
    return aggregated.astype(np.float32), on_new.astype(np.float32), sizes, sized, other


def _error(p: np.ndarray, truth: np.ndarray) -> float:
    return float(1 - truth[np.arange(len(p)), p.argmax(axis=1)].mean())


def average_errors(name: str, n: int, data: Path) -> dict[str, np.ndarray]:
    """Errors (tables, m, 2) of all candidates fitted to other tables of n rows, and 80 % of them.

    What learners do on average, which a cross-validation is a better estimate of than of what these
    very rows make of them.
    """
    rng = np.random.default_rng([zlib.crc32(name.encode()), n, 22])
    found = []
    for _ in range(AVERAGED):
        X, y, new, truth, _ = draw_table(name, n, data, rng)
        k = truth.shape[1]
        names = [one for one in LEARNERS if k <= MOST_CLASSES.get(one, k)]
        parts = (slice(None), slice(None, round((1 - 1 / FOLDS) * n)))
        seeds = rng.integers(2**31, size=2 * len(names)).tolist()
        found.append(
            [[_error(predict(one, k, X[part], y[part], new, seed=seeds.pop())[0], truth)
              for part in parts] for one in names]
        )  # fmt: skip
    return {"names": np.array(names), "errors": np.array(found)}


def keys() -> Iterator[tuple[str, int, int | str]]:
    """What is made, a whole round before the next: a cache that was stopped has some of everything.

    Averages are for the report alone.
    """
    for number in range(DRAWS):
        for n in SIZES:
            yield from ((name, n, number) for name in populations())
    yield from ((name, SIZES[0], "average") for name in populations() if not is_tuned(name))


def path_of(cache: Path, name: str, n: int, number: int | str) -> Path:
    return cache / f"{name.replace(' ', '_')}-{n}-{number}.npz"


def read_table(path: Path) -> Table:
    with np.load(path) as kept:
        return Table(**{key: kept[key] for key in Table.__dataclass_fields__})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of <name>.csv.gz tables")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60, help="CPU minutes after which to stop")
    asked = parser.parse_args()
    asked.cache.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for name, n, number in keys():
            path = path_of(asked.cache, name, n, number)
            if path.exists():
                continue
            if time.process_time() > 60 * asked.minutes:
                break
            if number == "average":
                made = average_errors(name, n, asked.data)
            else:
                made = make_table(name, n, number, asked.data).__dict__
            partial = path.with_suffix(".part")
            with partial.open("wb") as file:
                np.savez_compressed(file, **made)
            partial.rename(path)
            print(f"{time.process_time():.0f} s", name, n, number, flush=True)


if __name__ == "__main__":
    main()
