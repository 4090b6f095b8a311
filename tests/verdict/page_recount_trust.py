"""The trace of probabilities and what it is if they are true: classes drawn again, by NumPy."""

import numpy as np
from scipy import optimize, special, stats
from sklearn.isotonic import IsotonicRegression

FLOOR = 1e-6  # below it a probability counts as this when recalibrating


class Traced:
    """One candidate's trace (M24 §4), straight over equal probabilities, and its simulation."""

    def __init__(self, p, y, cases, *, draws=999, seed=11):
        self.p, self.y, self.cases = p, y, cases
        self.k = p.shape[1]
        flat = p.ravel()
        self.sorting = np.argsort(flat, kind="stable")
        values = flat[self.sorting]
        self.start = int((values < 1 / self.k).sum())
        self.steps = np.arange(values.size + 1) - self.start
        below = np.arange(values.size) < self.start
        self.rise_hit = np.where(below, 0, 1 / np.maximum(values, 1e-300))
        self.rise_miss = np.where(below, 1 / np.maximum(1 - values, 1e-300), 0)
        self.groups = np.unique(values, return_index=True)[1]
        self.sizes = np.diff([*self.groups, values.size])
        self.observed = self.trace(y[None])[0]
        rng = np.random.default_rng(seed)
        ends = p.cumsum(axis=1)
        blocks = []
        for _ in range(-(-draws // 100)):  # a case's rows share the number that draws their class
            u = rng.random((min(100, draws), int(cases.max()) + 1))[:, cases]
            drawn = (u[..., None] > ends).sum(axis=-1).clip(max=self.k - 1)
            blocks.append(self._statistics(self.trace(drawn)))
        slopes, rs, deviations = (np.concatenate(part) for part in zip(*blocks, strict=True))
        self.slopes = slopes
        slope, r, deviation = self._statistics(self.observed[None])
        self.slope = float(slope[0])
        everyone = np.vstack([deviation, deviations])
        up, down = (np.sqrt((np.maximum(s * everyone, 0) ** 2).mean(axis=0)) for s in (1, -1))
        scale = np.where(everyone < 0, down, up)
        far = np.where(np.abs(everyone) > 1e-9, np.abs(everyone) / np.maximum(scale, 1e-300), 0)
        extremes = np.stack(
            [-np.concatenate([r, rs]), np.abs(np.concatenate([slope, slopes]) - 1), far.max(axis=1)]
        )
        # Each trace has a p-value by each statistic; counted are those whose smallest is as small.
        ranks = np.array([stats.rankdata(-one.round(12), method="max") for one in extremes])
        smallest = ranks.min(axis=0)
        self.pvalue = float((smallest <= smallest[0]).mean())
        self.low, self.high = np.quantile(slopes, [0.025, 0.975])

    def trace(self, y):
        """(b, steps): from 0 at 1/k outwards, for classes (b, rows)."""
        hits = (y[..., None] == np.arange(self.k)).reshape(len(y), -1)[:, self.sorting]
        rises = np.where(hits, self.rise_hit, self.rise_miss)
        rises = np.repeat(np.add.reduceat(rises, self.groups, axis=1) / self.sizes, self.sizes, 1)
        up = rises[:, self.start :].cumsum(axis=1)
        down = -rises[:, : self.start][:, ::-1].cumsum(axis=1)[:, ::-1]
        return np.hstack([down, np.zeros((len(y), 1)), up])

    def _statistics(self, traces):
        x = self.steps - self.steps.mean()
        centred = traces - traces.mean(axis=1, keepdims=True)
        xy, yy = centred @ x, (centred**2).sum(axis=1)
        r = np.divide(xy, np.sqrt((x @ x) * yy), out=np.zeros_like(xy), where=yy > 0)
        kept = np.linspace(0, x.size - 1, 400).round().astype(int)
        return xy / (x @ x), r, (traces - self.steps)[:, kept]

    @property
    def confidence(self):
        return self.p.max(axis=1).mean()

    @property
    def accuracy(self):
        return (self.p.argmax(axis=1) == self.y).mean()

    def confidence_pvalue(self, draws=2000):
        """Two-sided, over cases; drawn where the number of right ones varies by less than 25."""
        top = self.p.max(axis=1)
        weight = 1 / np.bincount(self.cases)[self.cases]
        off = weight @ ((self.p.argmax(axis=1) == self.y) - top)
        variance = weight @ (top * (1 - top))
        if abs(off) < 1e-12:
            return 1.0
        if variance == 0:
            return 0.0
        if variance >= 25:
            return 2 * stats.norm.sf(abs(off) / np.sqrt(variance))
        rng, found = np.random.default_rng(2), np.empty(draws)
        ends, best = self.p.cumsum(axis=1), self.p.argmax(axis=1)
        for b in range(draws):
            u = rng.random(int(self.cases.max()) + 1)[self.cases]
            drawn = (u[:, None] > ends).sum(axis=1).clip(max=self.k - 1)
            found[b] = weight @ ((drawn == best) - top)
        return (1 + (np.abs(found) >= abs(off) - 1e-12).sum()) / (1 + draws)

    def holm(self):
        """P-values of the trace and of confidence against accuracy, for two questions asked."""
        trace, sure = self.pvalue, self.confidence_pvalue()
        least = min(1.0, 2 * min(trace, sure))
        return max(least, trace), max(least, sure)


def recalibrated(method, p, y):
    """Fit a map to (p, y); return it as a function."""
    rows = np.arange(y.size)
    if method == "temperature":

        def cost(log_exponent):
            logs = np.exp(log_exponent) * np.log(np.maximum(p, FLOOR))
            return log_exponent**2 / 2 - special.log_softmax(logs, axis=1)[rows, y].sum()

        exponent = np.exp(optimize.minimize_scalar(cost, bracket=(-1, 1)).x)
        return lambda q: special.softmax(exponent * np.log(np.maximum(q, FLOOR)), axis=1)
    if method == "sigmoid":
        odds = special.logit(p.clip(FLOOR, 1 - FLOOR))
        found = []
        for c in range(p.shape[1]):
            sign = np.where(y == c, 1, -1)

            def cost(ab, c=c, sign=sign):
                fit = special.log_expit(sign * (ab[0] * odds[:, c] + ab[1])).sum()
                return ((ab[0] - 1) ** 2 + ab[1] ** 2) / 2 - fit

            found.append(optimize.minimize(cost, [1.0, 0.0], method="BFGS").x)
        slope, intercept = np.array(found).T

        def apply(q):
            scores = special.expit(slope * special.logit(q.clip(FLOOR, 1 - FLOOR)) + intercept)
            return scores / scores.sum(axis=1, keepdims=True)

        return apply
    margin = 1 / (y.size + 2)
    curves = [
        IsotonicRegression(out_of_bounds="clip").fit(p[:, c], (y == c).astype(float))
        for c in range(p.shape[1])
    ]

    def step(q):
        scores = np.column_stack(
            [curve.predict(q[:, c]).clip(margin, 1 - margin) for c, curve in enumerate(curves)]
        )
        return scores / scores.sum(axis=1, keepdims=True)

    return step


def cross_fitted(method, p, y, repetitions, folds):
    """Probabilities mended in each fold by a map fitted to the other folds of its repetition."""
    mended = np.empty_like(p)
    for repetition in np.unique(repetitions):
        for fold in np.unique(folds):
            out = (repetitions == repetition) & (folds == fold)
            others = (repetitions == repetition) & ~out
            mended[out] = recalibrated(method, p[others], y[others])(p[out])
    return mended
