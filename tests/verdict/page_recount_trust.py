"""Trust in probabilities computed again: the trace and what it is if they are true, by NumPy."""

from functools import cache, cached_property

import numpy as np
from page_recount import wilson
from scipy import optimize, stats
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import mutual_info_score

TIED = 1e-12  # probabilities closer than this, in proportion, are equal


class Traced:
    """One candidate's trace (M24 §4), straight over equal probabilities, and its simulation.

    ``p`` (rows, k) as the ledger keeps them, ``y`` the true classes, ``cases`` the case of a row.
    With the seed on the page the draws are those of the page.
    """

    def __init__(self, p, y, cases, *, draws=999, seed=0):
        self.p, self.y, self.cases = p, y, cases
        self.k = p.shape[1]
        self.sorting = np.argsort(p.ravel(), kind="stable")
        values = p.ravel()[self.sorting]
        self.start = int((values < 1 / self.k).sum())
        self.steps = np.arange(values.size + 1) - self.start
        below = np.arange(values.size) < self.start
        self.rise_hit = np.where(below, 0, 1 / np.maximum(values, 1e-300))
        self.rise_miss = np.where(below, 1 / np.maximum(1 - values, 1e-300), 0)
        news = [i for i in range(1, values.size)
                if values[i] > values[i - 1] * (1 + TIED) or i == self.start]  # fmt: skip
        self.groups = np.array([0, *news])
        self.sizes = np.diff([*self.groups, values.size])
        self.kept = np.unique(np.linspace(0, values.size, min(values.size + 1, 400)).round())
        self.kept = self.kept.astype(int)
        self.observed = self.trace(y[None])[0]
        self.draws, self.seed = draws, seed

    def trace(self, y):
        """(b, steps): from 0 at 1/k outwards, for classes (b, rows)."""
        hits = (y[..., None] == np.arange(self.k)).reshape(len(y), -1)[:, self.sorting]
        rises = np.where(hits, self.rise_hit, self.rise_miss)
        rises = np.repeat(np.add.reduceat(rises, self.groups, axis=1) / self.sizes, self.sizes, 1)
        up = rises[:, self.start :].cumsum(axis=1)
        down = -rises[:, : self.start][:, ::-1].cumsum(axis=1)[:, ::-1]
        return np.hstack([down, np.zeros((len(y), 1)), up])

    def drawn_classes(self, rng, draws):
        """(draws, rows): a case's rows share the number that draws their class."""
        u = rng.random((draws, int(self.cases.max()) + 1))[:, self.cases]
        return (u[..., None] >= self.p.cumsum(axis=1)[:, :-1]).sum(axis=-1)

    def line(self, traces):
        """Slope on the steps and correlation with them."""
        x = self.steps - self.steps.mean()
        centred = traces - traces.mean(axis=1, keepdims=True)
        xy, yy = centred @ x, (centred**2).sum(axis=1)
        r = np.divide(xy, np.sqrt((x @ x) * yy), out=np.zeros_like(xy), where=yy > 0)
        return xy / (x @ x), r

    @property
    def off(self):
        """The line drawn: the trace less its steps, at the steps that are shown."""
        return (self.observed - self.steps)[self.kept]

    @property
    def slope(self):
        return float(self.line(self.observed[None])[0][0])

    @property
    def r(self):
        return float(self.line(self.observed[None])[1][0])

    @cached_property
    def simulated(self):
        """Slopes, correlations and deviations at the steps shown, of classes drawn anew."""
        rng, blocks = np.random.default_rng(self.seed), []
        for first in range(0, self.draws, 100):
            traces = self.trace(self.drawn_classes(rng, min(100, self.draws - first)))
            blocks.append((*self.line(traces), (traces - self.steps)[:, self.kept]))
        return [np.concatenate(part) for part in zip(*blocks, strict=True)]

    @property
    def slopes(self):
        return self.simulated[0]

    @property
    def slope_band(self):
        return np.quantile(self.slopes, [0.025, 0.975])

    @cached_property
    def band(self):
        """Low and high at the steps shown: what holds 95 % of the traces drawn, all along."""
        deviations = self.simulated[2]
        down, up = sides(deviations)
        width = np.quantile(farthest(deviations, down, up), 0.95)
        return -width * down, width * up

    @cached_property
    def pvalue(self):
        """Each trace has a p-value by each statistic; counted are those whose least is as small."""
        slopes, rs, deviations = self.simulated
        everyone = np.vstack([self.off, deviations])
        extremes = [
            -np.append(self.r, rs),
            np.abs(np.append(self.slope, slopes) - 1),
            farthest(everyone, *sides(everyone)),
        ]
        as_far = [[(row >= one - 1e-12).sum() for one in row] for row in extremes]
        smallest = np.min(as_far, axis=0)
        return float((smallest <= smallest[0]).mean())

    # --- how sure it was, and how often right ------------------------------------------------

    @property
    def confidence(self):
        return self.p.max(axis=1).mean()

    @property
    def accuracy(self):
        return (self.p.argmax(axis=1) == self.y).mean()

    def confidence_pvalue(self, *, draws=1999, seed=0):
        """Two-sided, over cases; drawn where the number of right ones varies by less than 25."""
        best, top = self.p.argmax(axis=1), self.p.max(axis=1)
        weight = 1 / np.bincount(self.cases)[self.cases]
        off = weight @ ((best == self.y) - top)
        variance = weight @ (top * (1 - top))
        if abs(off) < 1e-12:
            return 1.0
        if variance == 0:
            return 0.0
        if variance >= 25:
            return 2 * stats.norm.sf(abs(off) / np.sqrt(variance))
        rng, as_far = np.random.default_rng(seed), 1
        for _ in range(draws):
            drawn = self.drawn_classes(rng, 1)[0]
            as_far += abs(weight @ ((drawn == best) - top)) >= abs(off) - 1e-12
        return as_far / (1 + draws)

    @property
    def resolution(self):
        """How far confidence may be from accuracy: what is seen, and chance over cases √2 times."""
        best, top = self.p.argmax(axis=1), self.p.max(axis=1)
        each = np.bincount(self.cases)  # rows of one case
        off = (np.bincount(self.cases, (best == self.y) - top) / each)[each > 0]
        by_chance = (np.bincount(self.cases, top * (1 - top)) / each)[each > 0].mean()
        chance = np.sqrt(2 * max(off.var(ddof=1), by_chance) / off.size)
        return abs(off.mean()) + stats.norm.isf(0.025) * chance

    @cached_property
    def holm(self):
        """P-values of the trace and of confidence against accuracy, for two questions asked."""
        trace, sure = self.pvalue, self.confidence_pvalue()
        least = min(1.0, 2 * min(trace, sure))
        return max(least, trace), max(least, sure)

    def finding(self, chosen):
        """What is found, the recalibration chosen being known."""
        trace, sure = self.holm
        if min(trace, sure) > 0.05 and chosen == "none":
            return "no sign against them"
        if sure > 0.05:
            return "uneven"
        return "too cautious" if self.accuracy > self.confidence else "too sure"

    # --- scores and groups -------------------------------------------------------------------

    @cached_property
    def scores(self):
        """The table of scores, by what its rows are called."""
        p, y, top = self.p, self.y, self.p.argmax(axis=1)
        true = (np.arange(self.k) == y[:, None]).astype(float)
        recalibrated = np.column_stack([
            IsotonicRegression().fit(p[:, c], true[:, c]).predict(p[:, c]) for c in range(self.k)
        ])  # fmt: skip
        brier = ((p - true) ** 2).sum(axis=1).mean()
        known = p[np.arange(y.size), y]
        entropy = stats.entropy(np.bincount(y) / y.size)
        return {
            "slope of the trace": self.slope,
            "mean probability of the predicted class": self.confidence,
            "accuracy": self.accuracy,
            "log loss": -np.log(known).mean() if known.all() else np.inf,
            "Brier score": brier,
            "of it, calibration": brier - ((recalibrated - true) ** 2).sum(axis=1).mean(),
            "smooth calibration error": smooth_error(p.max(axis=1), top == y),
            "uncertainty coefficient": mutual_info_score(y, top) / entropy,
        }

    def reliability(self):
        """Rows of forecast, observed, low, high, cases, a tenth of the rows each, ties kept."""
        sure, right = self.p.max(axis=1), self.p.argmax(axis=1) == self.y
        weight = 1 / np.bincount(self.cases)[self.cases]
        ordered = np.sort(sure)
        ends = sorted({ordered[i * sure.size // 10 - 1] for i in range(1, 10)} | {1.0})
        found, low = [], -1.0
        for end in ends:
            group = (sure > low) & (sure <= end)
            low = end
            if group.any():
                cases = weight[group].sum()
                share = right[group].mean()
                found.append([sure[group].mean(), share, *wilson(share, cases), cases])
        return np.array(found)


def sides(deviations):
    """Root mean square of the downward and of the upward deviations at each step."""
    return [np.sqrt((np.maximum(s * deviations, 0) ** 2).mean(axis=0)) for s in (-1, 1)]


def farthest(deviations, down, up):
    """How far each trace goes in units of its side; what has not left the line does not count."""
    scale = np.where(deviations < 0, down, up)
    away = np.abs(deviations)
    units = np.where(scale > 1e-9, away / np.maximum(scale, 1e-300), np.inf)
    return np.where(away > 1e-9, units, 0).max(axis=1)


def smooth_error(f, happened):
    """smECE: a Gaussian reflected at 0 and 1, by its cosine series, at the width it equals."""
    off = happened - f
    places, at = np.unique(f, return_inverse=True)
    sums = np.bincount(at, off) / f.size
    if np.abs(sums).sum() < 1e-12:
        return 0.0
    orders, waves = cosines()
    parts = np.cos(np.pi * np.outer(orders, places)) @ sums

    def error(width):
        damped = parts * np.exp(-((np.pi * orders * width) ** 2) / 2)
        many = int((np.pi * orders * width < 9).sum())
        return np.abs(sums.sum() + waves[:, :many] @ damped[:many]).mean()

    return optimize.brentq(lambda width: error(width) - width, 2e-3, 1.0, xtol=1e-10)


@cache
def cosines():
    """Orders, and twice the cosine of each at the places where errors are averaged."""
    orders, grid = np.arange(1, 700), (np.arange(2048) + 0.5) / 2048
    return orders, 2 * np.cos(np.pi * np.outer(grid, orders))
