"""Recalibration computed again: the maps by SciPy's optimisers and scikit-learn, cross-fitted."""

from functools import cached_property

import numpy as np
from scipy import optimize, special, stats
from sklearn.isotonic import IsotonicRegression

FLOOR = 1e-6  # below it a probability counts as this when recalibrating
METHODS = ["temperature", "sigmoid", "isotonic"]


class Recalibration:
    """What each way of recalibrating gains on cases that it was not fitted to, and which is chosen.

    Rows are predictions: probabilities, true class, case, repetition, fold.
    """

    def __init__(self, p, y, cases, repetitions, folds):
        self.p, self.y, self.cases = p, y, cases
        self.fitted = {m: cross_fitted(m, p, y, repetitions, folds) for m in METHODS}

    def case_losses(self, p):
        losses = -np.log(np.maximum(p[np.arange(self.y.size), self.y], FLOOR))
        return np.bincount(self.cases, losses) / np.bincount(self.cases)

    @cached_property
    def rows(self):
        """Method: log loss now, after, gain, its interval, the p-value; three were tried."""
        found = {}
        for method, recalibrated in self.fitted.items():
            before, after = self.case_losses(self.p), self.case_losses(recalibrated)
            gain = before - after
            reach = stats.t.isf(0.05 / 6, gain.size - 1) * stats.sem(gain)
            guarded = max(reach, np.log(3 / 0.05) / gain.size)
            p = stats.ttest_1samp(gain, 0).pvalue if np.ptp(gain) > 1e-13 else 0.0
            p = min(3 * max(p, min(np.exp(-gain.sum()), 1.0)), 1.0)
            mean = gain.mean()
            found[method] = [before.mean(), after.mean(), mean, mean - guarded, mean + reach, p]
        return found

    @cached_property
    def chosen(self):
        """Of those with a real gain the simplest within a standard error of the best."""
        real = [m for m, row in self.rows.items() if row[-1] <= 0.05 and row[2] > 0]
        if not real:
            return "none"
        best = min(real, key=lambda m: self.rows[m][1])
        for method in real:
            excess = self.case_losses(self.fitted[method]) - self.case_losses(self.fitted[best])
            if method == best or excess.mean() <= stats.sem(excess):
                return method
        raise AssertionError

    @property
    def after(self):
        """Probabilities after the way chosen."""
        return self.fitted.get(self.chosen, self.p)


def cross_fitted(method, p, y, repetitions, folds):
    """Recalibrate each fold by a map fitted to the other folds of its repetition."""
    recalibrated = np.empty_like(p)
    for repetition in np.unique(repetitions):
        for fold in np.unique(folds):
            out = (repetitions == repetition) & (folds == fold)
            others = (repetitions == repetition) & ~out
            if out.any():
                recalibrated[out] = FITS[method](p[others], y[others])(p[out])
    return recalibrated


def temperature(p, y):
    """Fit the exponent where the posterior's slope, by its logarithm, is zero; return the map."""
    logs = np.log(np.maximum(p, FLOOR))
    known = logs[np.arange(y.size), y].sum()

    def slope(t):
        expected = (special.softmax(np.exp(t) * logs, axis=1) * logs).sum()
        return t - np.exp(t) * (known - expected)

    exponent = np.exp(optimize.brentq(slope, -5, 5, xtol=1e-13))
    return lambda q: special.softmax(exponent * np.log(np.maximum(q, FLOOR)), axis=1)


def sigmoid(p, y):
    """Fit a line of log-odds to each class, pulled to slope 1 and intercept 0; return the map."""
    found = []
    for c in range(p.shape[1]):
        design = np.column_stack([special.logit(p[:, c].clip(FLOOR, 1 - FLOOR)), np.ones(y.size)])

        def cost(w, design=design, c=c):
            right = special.log_expit(np.where(y == c, 1, -1) * (design @ w))
            return ((w - [1, 0]) ** 2).sum() / 2 - right.sum()

        def gradient(w, design=design, c=c):
            return w - [1, 0] + (special.expit(design @ w) - (y == c)) @ design

        def curvature(w, design=design):
            q = special.expit(design @ w)
            return np.eye(2) + (design * (q * (1 - q))[:, None]).T @ design

        start = np.array([1.0, 0.0])
        best = optimize.minimize(cost, start, method="trust-exact", jac=gradient, hess=curvature,
                                 options={"gtol": 1e-6}).x  # fmt: skip
        found.append(optimize.root(gradient, best, jac=curvature, tol=1e-13).x)
    slope, intercept = np.array(found).T

    def apply(q):
        scores = special.expit(slope * special.logit(q.clip(FLOOR, 1 - FLOOR)) + intercept)
        return scores / scores.sum(axis=1, keepdims=True)

    return apply


def isotonic(p, y):
    """Fit a rising curve to each class, kept off 0 and 1; return the map."""
    margin = 1 / (y.size + 2)
    curves = [IsotonicRegression().fit(p[:, c], (y == c).astype(float)) for c in range(p.shape[1])]

    def apply(q):
        scores = np.column_stack([
            np.interp(q[:, c], curve.X_thresholds_, curve.y_thresholds_.clip(margin, 1 - margin))
            for c, curve in enumerate(curves)
        ])  # fmt: skip
        return scores / scores.sum(axis=1, keepdims=True)

    return apply


FITS = {"temperature": temperature, "sigmoid": sigmoid, "isotonic": isotonic}
