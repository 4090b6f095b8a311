"""How often sets of classes hold the true one on cases never seen, beside MAPIE's.

::

    pip install mapie
    python -m benchmarks.prediction_sets

writes docs/results/prediction_sets.md in about seven minutes on one core. Tables are drawn from
populations of which 5,000 further cases are the truth. The thresholds are those of a saved model:
from out-of-fold probabilities of five folds, used on the probabilities of a fit to all rows.
MAPIE's cross-conformal sets ("lac", five folds, scores averaged) are made of the same learner and
rows; they promise coverage of all cases together, not of each class. So that sizes can be compared
they are made at many levels, and the size is read off where as many cases are held as by ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.stamps import stamps
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from polychotomy.validation.sets import class_thresholds, sets_by

PAGE = Path(__file__).parents[1] / "docs/results/prediction_sets.md"
RULES = ("validation/sets.py",)
COVERAGE, TABLES, FRESH = 0.9, 10, 5000
POPULATIONS: dict[str, dict[str, Any]] = {
    "two classes, 50 : 50": {"n_classes": 2},
    "two classes, 90 : 10": {"n_classes": 2, "weights": [0.9]},
    "four classes": {"n_classes": 4},
    "three classes, 70 : 20 : 10": {"n_classes": 3, "weights": [0.7, 0.2]},
}
LEARNERS: dict[str, Any] = {
    "logistic": LogisticRegression(),
    "naive Bayes": GaussianNB(),
    "forest": RandomForestClassifier(50, random_state=0),
    "forest of 250": RandomForestClassifier(250, random_state=0),
}
THEIRS = {"forest of 250": LEARNERS["forest"]}  # whose five fits are averaged: 250 trees, too
SIZES = (200, 1000)
LEVELS = np.round([*np.arange(0.7, 0.98, 0.02), *np.arange(0.98, 0.994, 0.003)], 3)


def tables(population: str, n: int, count: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Draw tables of ``n`` rows with as many fresh cases each."""
    for seed in range(count):
        X, y = make_classification(
            n + FRESH, 10, n_informative=6, flip_y=0.05, class_sep=0.9, random_state=seed,
            **POPULATIONS[population],
        )  # fmt: skip
        yield X[:n], y[:n], X[n:], y[n:]


def held_by_us(learner: Any, X: np.ndarray, y: np.ndarray, fresh: np.ndarray) -> np.ndarray:
    """Sets as a saved model gives them."""
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    p = cross_val_predict(learner, X, y, cv=folds, method="predict_proba")
    thresholds = class_thresholds(p, y, np.array([COVERAGE]))[0]
    return sets_by(clone(learner).fit(X, y).predict_proba(fresh), thresholds)


def held_by_mapie(learner: Any, X: np.ndarray, y: np.ndarray, fresh: np.ndarray) -> np.ndarray:
    """MAPIE's cross-conformal sets, (cases, classes, levels), the first at the level asked for."""
    from mapie.classification import CrossConformalClassifier

    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    levels = [COVERAGE, *LEVELS]
    found = CrossConformalClassifier(learner, confidence_level=levels, cv=folds)
    return np.asarray(found.fit_conformalize(X, y).predict_set(fresh)[1])


def describe(held: np.ndarray, truth: np.ndarray) -> list[float]:
    """Coverage of all, size of the sets, coverage of every class."""
    right = held[np.arange(len(truth)), truth]
    each = [right[truth == c].mean() for c in np.unique(truth)]
    return [right.mean(), held.sum(axis=1).mean(), *each]


def measure(population: str, n: int, learner: str, count: int) -> tuple[np.ndarray, ...]:
    """Coverage of all, of the class held least often, size: means over tables, (…, 3).

    Of ours, and of MAPIE's at all levels.
    """
    ours, theirs = [], []
    for X, y, fresh, truth in tables(population, n, count):
        ours.append(describe(held_by_us(LEARNERS[learner], X, y, fresh), truth))
        sets = held_by_mapie(THEIRS.get(learner, LEARNERS[learner]), X, y, fresh)
        theirs.append([describe(one, truth) for one in np.moveaxis(sets, -1, 0)])
    means = np.mean(ours, axis=0), np.mean(theirs, axis=0)
    return tuple(
        np.stack([one[..., 0], one[..., 2:].min(axis=-1), one[..., 1]], axis=-1) for one in means
    )


def size_at(share: float, shares: np.ndarray, sizes: np.ndarray) -> float:
    """The size at which a share is held, read off between two levels."""
    return float(np.interp(share, shares, sizes, left=np.nan, right=np.nan))


TEXT = """\
{stamps}

# Sets of classes: how often they hold the true one

`judge` says how large sets of classes must be that hold the true one in 90 % of the cases *of every
class*, and `predict --coverage 0.9` writes them. Here they are tried on {fresh:,} fresh cases for
each of {tables} tables of every kind: the share of cases whose set holds their class, of all and of
the class held least often, and the mean number of classes in a set. Beside it MAPIE's
cross-conformal sets (“lac”) of the same learner and rows, which promise coverage of all cases
together.

{rows}

Sizes are compared at equal coverage: “at our all” is the size of MAPIE's sets at the level at which
they hold as many of all cases as ours do, “at our least” that at which they hold as many of the
class held least often (– where no level that it takes does). MAPIE averages the five fits of
the folds, where ours predicts with one fit to all rows, as `predict` does: so a forest of 50 trees
is one of 250 there, and “forest of 250” are ours of 250 trees beside the same sets of MAPIE's.

Where one class is rare, sets that promise 90 % of all cases hold hardly a third of it, which is why
ours promise it of every class. At equal coverage of every class ours are no larger in 27 of the 32
rows and 5 % smaller on average; they are up to 8 % larger with four classes and 200 rows. At equal
coverage of all cases one threshold for all classes, as MAPIE has, gives smaller sets: with equally
frequent classes ours are at most 1 % larger, but of forests of 50 trees beside the averaged ones 3
to 6 %, and 8 to 29 % with a rare class, the price of holding it. Ours hold at least what is asked
of all cases; a class that is predicted better than
that is held more often, since no set is empty. “Least” is the class that is held least often, on
average over the tables.

The thresholds of a class are those of crepes' conformal classifier calibrated on its cases, of the
same out-of-fold probabilities (`tests/validation/test_sets.py`), but that no set of ours is empty.

```console
$ pip install mapie
$ python -m benchmarks.prediction_sets
```
"""


def write(count: int = TABLES) -> None:
    """Write the page."""
    lines = [
        "| population | rows | learner | ours: all | least | size | MAPIE: all | least | size "
        "| at our all | at our least |",
        "| --- " * 11 + "|",
    ]
    for population in POPULATIONS:
        for n in SIZES:
            for learner in LEARNERS:
                ours, theirs = measure(population, n, learner, count)
                cells = [
                    f"{100 * every:.1f} % | {100 * least:.1f} % | {size:.2f}"
                    for every, least, size in (ours, theirs[0])
                ]
                sizes = theirs[1:, 2]
                equal = [size_at(ours[part], theirs[1:, part], sizes) for part in (0, 1)]
                cells += ["–" if np.isnan(one) else f"{one:.2f}" for one in equal]
                print(population, n, learner, cells, flush=True)
                lines.append(f"| {population} | {n:,} | {learner} | {' | '.join(cells)} |")
    text = TEXT.format(stamps=stamps(RULES), fresh=FRESH, tables=count, rows="\n".join(lines))
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
