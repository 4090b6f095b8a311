"""Sentences of single kinds of page, with the numbers that they must have.

On a choice that recalibration would change, a race that stopped nobody, candidates that were not
tried, labels only, and a loss of about nothing.
"""

import re

import numpy as np
from page_recount_recalibration import Recalibration
from scipy import stats


def assumed(w, basis):
    """What is said of the rows, by what is known of them."""
    assert "Assumed: rows are independent of each other" in basis
    grouped, timed = w.groups is not None, w.r.in_time
    assert ("which those of one group are not" in basis) == grouped
    assert ("which rows close in time may not be" in basis) == (timed and not grouped)


# --- a loss of about nothing --------------------------------------------------------------------


def labels_said(w, text):
    """The share of wrong labels where the criterion is another; none wrong: the rule of three."""
    if w.r.loss == "error":
        return []
    wrong, rows = w.percent_wrong, w.r.judged.sum()
    assert ("None of its labels was wrong" in text) == (wrong == 0)
    return [wrong] if wrong else [rows, 100 * 3 / rows]


def tiny(w, text):
    assert w.selected.high < 0.001
    return [0.001]


def tiny_basis(w, basis):
    return [w.folds, w.r.means[w.r.best]]


# --- labels only --------------------------------------------------------------------------------


def labels_only(w, text):
    assert w.name in w.hard
    assert ("Inside polychotomy's CodedClassifier" in text) == (not w.imported)
    return []


def labels_only_basis(w, basis):
    assert ("no predict_proba" in basis) == (not w.imported)
    return [0, 1] if w.imported else []


# --- who would be chosen after recalibration ----------------------------------------------------


class Recalibrated:
    """All candidates recalibrated where that is shown to gain, and the rule asked again."""

    def __init__(self, w):
        r, after = w.r, w.r.exported.copy()
        self.methods = {}
        for i, name in enumerate(r.names):
            if name not in w.hard:
                p, y, cases, repetitions, folds = w.forecasts_of(i)
                found = Recalibration(p, y, cases, repetitions, folds)
                self.methods[name] = found.chosen
                after[i, repetitions, np.nonzero(r.folds >= 0)[1]] = found.after
        self.table = r.in_folds(self.losses(w, after))
        self.means = self.table.mean(axis=(1, 2))
        self.best = r.order_of(self.table)[0]
        self.name = r.names[self.best]

    @staticmethod
    def losses(w, p):
        if isinstance(w.r.loss, str):
            return w.r.losses_of(p)
        costs = np.asarray(w.r.loss, dtype=float)
        expected = p @ costs
        own = np.take_along_axis(expected, w.r.labels[..., None], axis=-1)[..., 0]
        keep = own <= expected.min(axis=-1) + 1e-9 * np.abs(costs).max()
        return costs[w.r.y, np.where(keep, w.r.labels, expected.argmin(axis=-1))]

    @property
    def method(self):
        return self.methods.get(self.name, "none")

    def changes(self, w):
        """Whether another would be chosen, and for having been recalibrated."""
        return self.best != w.r.best and self.method != "none"


def recalibrated(w, text):
    again = w.recalibrated
    assert again.changes(w)
    now, then = again.means[w.r.best], again.means[again.best]
    d = (again.table[w.r.best] - again.table[again.best]).ravel()
    low, high = stats.t.interval(0.95, d.size - 1, loc=d.mean(), scale=w.r.spread(d))
    if w.guesses:
        does = "would" if low > 0 else "may"
        assert text.startswith(f"But recalibrated, {again.name} {does} beat guessing: ")
        assert "where guessing has" in text
    else:
        assert text.startswith(f"But recalibrated, {again.name} would be chosen")
        assert f"where {w.name}, recalibrated where that gains, has" in text
    assert f": {again.method} recalibration takes its" in text
    worse = then > now and not w.guesses
    assert (f", being {w.sides[0]} and within the margin of" in text) == worse
    return [*([w.margin] if worse else []), w.r.means[again.best], then, now, 95, low, high]


def recalibrated_basis(w, basis):
    again = w.recalibrated
    return [again.means[w.r.best] - again.means[again.best]]


# --- a race in which all reached the end --------------------------------------------------------


def look_levels(w):
    """Repetitions so far: what a p-value is held to, little at first (O'Brien and Fleming)."""
    pairs = w.r.m * (w.r.m - 1) / 2
    t = np.arange(w.r.R + 1) / w.r.R
    spent = np.append(0, 2 * stats.norm.sf(stats.norm.isf(0.025) / np.sqrt(t[1:])))
    each = np.diff(spent)[:-1]  # after the last there is nothing left to save
    return {after: level / pairs for after, level in enumerate(each, start=1)
            if after * w.r.F >= 4}  # fmt: skip


def looks(w):
    """How many times its level each p-value is."""
    found = []
    for after, level in look_levels(w).items():
        for i in range(w.r.m):
            for j in range(i + 1, w.r.m):  # j is less preferred
                d = (w.r.table[j, :after] - w.r.table[i, :after]).ravel()
                if d.var() > 1e-12:
                    p = stats.t.sf(d.mean() / w.r.spread(d), d.size - 1)
                    found.append(p / level)
    return found


def nobody(w, text):
    assert w.race
    assert w.left == []
    if w.r.m == 1:
        assert text == "The race stopped nobody: there is one candidate only."
        return []
    assert min(looks(w)) > 1
    return [w.r.R]


def nobody_basis(w, basis):
    assert f"here {w.r.names[0]}," in basis
    return [0.05]


# --- candidates that were not tried -------------------------------------------------------------

LADDER = ["MAX", "nearest mean", "logistic", "pruned tree", "1-NN", "k-NN", "SVM pairwise",
          "SVM orthogonal", "random forest", "boosted trees"]  # fmt: skip
MOST = {"SVM pairwise": (5000, 15), "SVM orthogonal": (2000, 15), "boosted trees": (np.inf, 30)}
"""Rows and classes up to which a built-in candidate is tried, as documented."""


def too_dear(w):
    """Name: (what there is, more than what)."""
    found = {}
    for name, (rows, classes) in MOST.items():
        if w.r.n > rows:
            found[name] = (w.r.n, rows)
        elif w.r.k > classes:
            found[name] = (w.r.k, classes)
    return found


def remedy(w, *names):
    """The option that has the named ones tried, in the order of the built-in list."""
    return f'--candidates "{",".join(name for name in LADDER if name in names)}"'


def not_tried(w, text):
    dear = too_dear(w)
    assert dear
    assert not dear.keys() & set(w.r.names)
    assert text.endswith(f"name it: {remedy(w, w.name, list(dear)[-1])}.")
    causes = {}
    for name, cause in dear.items():
        causes.setdefault(cause, []).append(name)
    for names in causes.values():
        assert " and ".join(names) + " (" in text
    return [x for cause in causes for x in cause]


def not_tried_basis(w, basis):
    dear = too_dear(w)
    assert re.findall(r"(?:\. |; )([^:;.]+): \d", basis) == list(dear)
    return [x for cause in dear.values() for x in cause]


def left_out(w, text):
    assert w.r.k == 2
    assert "SVM orthogonal" not in w.r.names
    assert text == "Not tried: SVM orthogonal (with two classes it is the same as SVM pairwise)."
    return []


# --- the price of the one chosen ------------------------------------------------------------------


def price(w, text):
    """Ratios of mean times, as far as they are said."""
    if "cheaper" in text:
        other = next(n for n in w.r.names if text.startswith(n))
        spent = [
            w.seconds(n, "fit_seconds") + w.seconds(n, "predict_seconds") for n in (w.name, other)
        ]
        return [rounded_times(spent[0] / spent[1]), *([w.margin] if "within" in text else [])]
    (other,) = re.findall("Compared with (.*), it", text)
    lowest = [w.r.names[j] for j in np.argsort(w.r.means, kind="stable")[:3]]
    assert other == next(n for n in lowest if n != w.name and n not in w.guessing)
    found = []
    words = text.partition(", it ")[2].split(" and ")
    for column, said in zip(("fit_seconds", "predict_seconds"), words, strict=True):
        ratio = w.seconds(other, column) / w.seconds(w.name, column)
        if "times" in said:
            found.append(rounded_times(ratio if "fast" in said else 1 / ratio))
            assert ("fast" in said) == (ratio > 1)
        else:
            assert 1 / 1.5 < ratio < 1.5
    return found


def rounded_times(ratio):
    if ratio >= 100:
        return float(f"{ratio:.2g}")
    return round(ratio) if ratio >= 10 else round(ratio, 1)
