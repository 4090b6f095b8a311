"""The loss to expect of who is chosen, by log loss and by Brier score: does its interval hold?

    python benchmarks/other_losses.py

writes docs/results/other_losses.md. Tables come from the generators that :mod:`headline` reports
on, and the truth is the loss of the chosen one refitted on all rows, over fresh cases whose
probabilities are known.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from headline_fits import REPORTED, Generator
from polychotomy.comparison import selected_error
from polychotomy.verdict.choosing import first_within
from simulated_pages import table_lines
from stamps import stamps

PAGE = Path(__file__).parents[1] / "docs" / "results" / "other_losses.md"
SIZES, TABLES, FRESH = (100, 300), 40, 4000
MARGIN = 0.01
LEARNERS = {
    "naive Bayes": GaussianNB(),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
}
LOSSES = ("log loss", "Brier score")


def losses_of(truth: np.ndarray, said: np.ndarray) -> np.ndarray:
    """Both losses of each case, (2, n), expected by its true probabilities (n, k)."""
    log_loss = -(truth * np.log(np.clip(said, np.finfo(np.float32).eps, 1.0))).sum(axis=1)
    brier = (said**2).sum(axis=1) - 2 * (truth * said).sum(axis=1) + 1
    return np.stack([log_loss, brier])


def choose(of_folds: np.ndarray) -> np.ndarray:
    """Who is chosen by losses of folds, (draws, learners, repetitions, folds)."""
    return first_within(of_folds.reshape(*of_folds.shape[:2], -1).mean(axis=-1), MARGIN)


def try_table(
    name: str, generator: Generator, n: int, number: int
) -> list[tuple[float, float, float, float, float]]:
    """For each loss, its interval, what was said and what was seen of the chosen one, the truth."""
    rng = np.random.default_rng([zlib.crc32(name.encode()), n, number, 1])
    while True:
        X, p = generator(rng, n)
        y = (p.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)
        if np.bincount(y, minlength=p.shape[1]).min() >= 5:
            break
    split = StratifiedKFold(5, shuffle=True, random_state=number)
    hot, folds = np.eye(p.shape[1]), np.zeros((1, n), dtype=int)
    losses = np.zeros((2, len(LEARNERS), 1, n))
    for fold, (train, test) in enumerate(split.split(X, y)):
        folds[0, test] = fold
        for i, learner in enumerate(LEARNERS.values()):
            said = clone(learner).fit(X[train], y[train]).predict_proba(X[test])
            losses[:, i, 0, test] = losses_of(hot[y[test]], said)
    fresh, truth = generator(rng, FRESH)
    found = []
    for which, own in enumerate(losses):
        one = selected_error(own, folds, choose=choose)
        model = clone(list(LEARNERS.values())[one.best]).fit(X, y)
        true = losses_of(truth, model.predict_proba(fresh))[which].mean()
        found.append((one.low, one.high, one.expected, one.plain, float(true)))
    return found


def page() -> str:
    rows = []
    every: list[np.ndarray] = []
    for name, generator in REPORTED.items():
        for n in SIZES:
            table = np.array([try_table(name, generator, n, i) for i in range(TABLES)])
            every.append(table)
            rows.append([name, str(n), *cells(table)])
            print(rows[-1], flush=True)
    rows.append(["all", "", *cells(np.concatenate(every))])
    head = ["population", "n"]
    for loss in LOSSES:
        head += [f"{loss}: interval holds", "bias as said", "as seen"]
    return TEXT.format(
        stamps=stamps(("comparison/selected_error.py",)), tables=TABLES,
        rows=table_lines(head, rows),
    )  # fmt: skip


def cells(table: np.ndarray) -> list[str]:
    """Share held and both biases, for each loss, of (tables, losses, 5)."""
    found = []
    for low, high, said, seen, true in table.transpose(1, 2, 0):
        held = ((low <= true) & (true <= high)).mean()
        found += [f"{held:.0%}", *(f"{(one - true).mean():+.3f}" for one in (said, seen))]
    return found


TEXT = """{stamps}

# The loss to expect, by other losses than the error

By `--loss log-loss` and `--loss brier` the verdict says what loss to expect of the chosen one, with
a 95 % interval. {tables} tables of each kind, from the generators of [the headline](headline.md);
naive Bayes, logistic regression and 15 neighbours on five folds, drawn once, chosen from with a
margin of 0.01. The truth is the loss of the chosen one refitted on all rows. Shares of tables whose
true loss the interval holds, and by how much what was said and what was seen were off:

{rows}

```
python benchmarks/other_losses.py
```
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
