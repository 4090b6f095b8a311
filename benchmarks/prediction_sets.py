"""How often sets of classes hold the true one on cases never seen, beside MAPIE's.

::

    pip install mapie
    python -m benchmarks.prediction_sets

writes docs/results/prediction_sets.md in about five minutes on one core. Tables are drawn from
populations of which 5,000 further cases are the truth. The thresholds are those of a saved model:
from out-of-fold probabilities of five folds, used on the probabilities of a fit to all rows.
MAPIE's cross-conformal sets ("lac", five folds, scores averaged) are made of the same learner and
rows; they promise coverage of all cases together, not of each class.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from polychotomy.validation.sets import class_thresholds, sets_by

PAGE = Path(__file__).parents[1] / "docs/results/prediction_sets.md"
COVERAGE, TABLES, FRESH = 0.9, 30, 5000
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
}
SIZES = (200, 1000)


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
    """MAPIE's cross-conformal sets."""
    from mapie.classification import CrossConformalClassifier

    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    found = CrossConformalClassifier(learner, confidence_level=COVERAGE, cv=folds)
    return np.asarray(found.fit_conformalize(X, y).predict_set(fresh)[1][:, :, 0])


MAKERS = {"ours": held_by_us, "MAPIE": held_by_mapie}


def measure(population: str, n: int, learner: str, count: int) -> dict[str, np.ndarray]:
    """Mean over tables of: coverage of all, of the class held least often, size of the sets."""
    found: dict[str, list[list[float]]] = {name: [] for name in MAKERS}
    for X, y, fresh, truth in tables(population, n, count):
        for name, make in MAKERS.items():
            held = make(LEARNERS[learner], X, y, fresh)
            right = held[np.arange(len(truth)), truth]
            least = min(right[truth == c].mean() for c in np.unique(truth))
            found[name].append([right.mean(), least, held.sum(axis=1).mean()])
    return {name: np.mean(rows, axis=0) for name, rows in found.items()}


TEXT = """\
# Sets of classes: how often they hold the true one

`judge` says how large sets of classes must be that hold the true one in 90 % of the cases *of every
class*, and `predict --coverage 0.9` writes them. Here they are tried on {fresh:,} fresh cases for
each of {tables} tables of every kind: the share of cases whose set holds their class, of all and of
the class held least often, and the mean number of classes in a set. Beside it MAPIE's
cross-conformal sets (“lac”) of the same learner and rows, which promise coverage of all cases
together.

{rows}

Where classes are equally frequent the two are alike. Where one is rare, sets that promise 90 % of
all cases hold hardly a third of it, which is why ours promise it of every class, at the price of
larger sets. Ours hold at least what is asked of all cases; a class that is predicted better than
that is held more often, since no set is empty. “Least” is the mean over tables of the lowest class:
with 20 rows of a class (200 rows, 90 : 10) the threshold itself varies from table to table.

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
        "| population | rows | learner | ours: all | least | size | MAPIE: all | least | size |",
        "| --- " * 9 + "|",
    ]
    for population in POPULATIONS:
        for n in SIZES:
            for learner in LEARNERS:
                found = measure(population, n, learner, count)
                cells = [
                    f"{100 * every:.1f} % | {100 * least:.1f} % | {size:.2f}"
                    for every, least, size in found.values()
                ]
                lines.append(f"| {population} | {n:,} | {learner} | {' | '.join(cells)} |")
    text = TEXT.format(fresh=FRESH, tables=count, rows="\n".join(lines))
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
