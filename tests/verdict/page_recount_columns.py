"""Which columns matter, computed again: fits of scikit-learn's own, rows shuffled by NumPy."""

import hashlib
import json
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.base import clone
from sklearn.metrics import roc_auc_score


def drawn(seed, *key):
    """The generator that docs/study_file.md names."""
    text = json.dumps([seed, *key]).encode()
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text).digest()[:4], "little"))


class ColumnsAgain:
    """Errors before and after each column is shuffled among the held-out rows of five folds."""

    def __init__(self, study, best, folds, loss):
        self.loss = loss
        self.X = pd.DataFrame(study.X).reset_index(drop=True)
        self.names = [f"x{j}" if isinstance(j, int) else j for j in self.X.columns]
        self.y, self.model = np.asarray(study.y), study.candidates[best]
        self.in_time, self.folds = study.time is not None, folds
        self.array = not hasattr(study.X, "iloc")

    @cached_property
    def fits(self):
        made = []
        for f in range(min(self.folds.max() + 1, 5)):
            held_out = np.flatnonzero(self.folds == f)
            earlier = self.folds < f if self.in_time else self.folds != f
            model = clone(self.model).fit(self.given(self.X[earlier]), self.y[earlier])
            made.append((model, earlier.sum(), held_out))
        return made

    def given(self, rows):
        return rows.to_numpy() if self.array else rows

    def lost(self, model, X, y):
        if self.loss == "auc":
            return 1 - roc_auc_score(y, model.predict_proba(self.given(X))[:, 1])
        return (model.predict(self.given(X)) != y).mean()

    @cached_property
    def rises(self):
        """(folds, columns), the mean over five shuffles."""
        found = []
        for f, (model, _, rows) in enumerate(self.fits):
            rng, X, y = drawn(0, "columns", f, "permuted"), self.X.iloc[rows], self.y[rows]
            before = self.lost(model, X, y)
            after = []
            for j in range(self.X.shape[1]):
                for _ in range(5):
                    other = X.copy()
                    other.isetitem(j, self.X.iloc[rng.permutation(rows), j].to_numpy())
                    after.append(self.lost(model, other, y))
            found.append(np.reshape(after, (-1, 5)).mean(axis=1) - before)
        return np.array(found)

    def dependence(self, j):
        """The values of a column, or the means of tenths, and the mean probabilities there."""
        whole, first = self.X.iloc[:, j], self.order[:3].tolist()
        found, levels = [], sorted(set(whole))
        pools = {}
        for i in first:
            own = self.X.iloc[:, i].to_numpy()
            if own.dtype.kind == "f" and len(set(own)) > 10:
                pools[i] = np.array_split(np.argsort(own, kind="stable"), 10)
            else:
                pools[i] = [np.flatnonzero(own == one) for one in sorted(set(own))]
        for f, (model, _, rows) in enumerate(self.fits):
            rng, cases = drawn(0, "columns", f, "dependence"), rows
            if len(rows) > 50:
                cases = np.sort(rng.permutation(rows)[:50])
            for i in first:
                for pool in pools[i]:
                    other = self.X.iloc[cases].copy()
                    other.isetitem(i, self.X.iloc[rng.choice(pool, len(cases)), i].to_numpy())
                    if i == j:
                        found.append(model.predict_proba(self.given(other)).mean(axis=0))
        shares = np.reshape(found, (len(self.fits), len(pools[j]), -1)).mean(axis=0)
        tenths = [float(whole.iloc[pool].mean()) for pool in pools[j]]
        return (levels if len(levels) <= 10 else tenths), shares

    def interval(self, j):
        """Nadeau and Bengio's, over folds."""
        d, ratio = self.rises[:, j], sum(len(r) for *_, r in self.fits)
        ratio /= sum(n for _, n, _ in self.fits)
        half = stats.t.ppf(0.975, len(d) - 1) * d.std(ddof=1) * np.sqrt(1 / len(d) + ratio)
        return d.mean(), d.mean() - half, d.mean() + half

    @property
    def order(self):
        return np.argsort(-self.rises.mean(axis=0), kind="stable")


# --- the sentence -------------------------------------------------------------------------------


def columns(w, text):
    """The first column and its interval, then the next two as far as they are shown to matter."""
    c = w.columns_again
    first, *rest = c.order[:3]
    rise, low, high = c.interval(first)
    assert (f"Of the columns, {c.names[first]} matters most" in text) == (low > 0)
    then = [j for j in rest if c.interval(j)[1] > 0]
    assert all(f"{c.names[j]} (" in text for j in then)
    return [100 * rise, 95, 100 * low, 100 * high, *(100 * c.interval(j)[0] for j in then)]


def columns_basis(w, basis):
    c = w.columns_again
    return [len(c.fits), sum(len(r) for *_, r in c.fits), 5, 0.8, len(c.names)]
