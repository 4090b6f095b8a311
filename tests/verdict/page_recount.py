"""What a page says, computed again from the exported predictions: by numpy and scipy alone."""

from functools import cached_property
from itertools import combinations

import numpy as np
from scipy import optimize, stats

from polychotomy.study.design.folds import cut_blocks

SMALLEST = float(np.finfo(np.float32).eps)  # of a probability in a ledger


def paired_error(each):
    """Standard error of a mean of paired differences (repetitions, units), as pairs have it."""
    each = np.asarray(each, dtype=float)
    repetitions, n = each.shape
    apart = np.where(np.abs(each) > 1e-12, each, 0.0)
    added = 2 * (apart**2).sum() / max((apart != 0).sum(), 1) / n
    seen = np.mean([one.var(ddof=1) for one in each]) + added
    return np.sqrt((1.1 + 0.5 / repetitions) * seen / n)


class Recount:
    """The out-of-fold predictions of one study, and what follows from them.

    Arrays are (candidates, repetitions, rows[, classes]), the repetitions of all runs in a row.
    A row that was never predicted, as the first ones in order of time, has the fold and label −1.
    """

    def __init__(self, table, names, *, loss="error", rule="margin", margin=None, runs=1,
                 rows=None, time=None, groups=None):  # fmt: skip
        self.names, self.loss, self.rule, self.margin = list(names), loss, rule, margin
        self.runs, self.time, self.groups = runs, time, groups
        self.in_time = time is not None
        self.classes = classes_of(table)
        at = (table["run"] * 1000 + table["repetition"]).rank(method="dense").astype(int) - 1
        table = table.assign(at=at, sample=numbered(table["sample"]))
        self.m, self.R, self.k = len(self.names), int(at.max()) + 1, len(self.classes)
        self.n = rows or int(table["sample"].max()) + 1
        self.y, self.folds = np.full(self.n, -1), np.full((self.R, self.n), -1)
        self.labels = np.full((self.m, self.R, self.n), -1)
        p = np.full((self.m, self.R, self.n, self.k), np.nan)
        code = {name: i for i, name in enumerate(self.classes)}
        for i, name in enumerate(self.names):
            own = table[table["candidate"] == name]
            where = own["at"].to_numpy(), own["sample"].to_numpy()
            self.y[where[1]] = own["truth"].astype(str).map(code)
            self.folds[where] = own["fold"]
            self.labels[i][where] = own["predicted"].astype(str).map(code)
            p[i][where] = shares_of(own, self.classes)
        self.F = int(self.folds.max()) + 1
        if margin is None:
            self.margin = 0.01 * (np.max(loss) if isinstance(loss, list) else 1)
        self.default = margin is None and rule == "margin"
        if self.default and self.guessing > 0:
            self.margin = min(self.margin, self.guessing / 20)
        self.exported = p.astype(np.float32).astype(float)  # as kept: ties are ties here only
        self.p = p / p.sum(axis=-1, keepdims=True)

    @property
    def seen(self):
        """How many rows the fit of every fold was made from, (F,); in order of time, those before.

        Folds that part the rows are taken to be of one size.
        """
        if not self.in_time:
            return np.full(self.F, self.n * (self.F - 1) / self.F)
        tested = np.bincount(self.folds[0] + 1, minlength=self.F + 1)
        return tested.cumsum()[:-1]

    @property
    def ratio(self):
        """Rows tested for one that a fit was made from, the mean over folds."""
        if not self.in_time:
            return 1 / (self.F - 1)
        return (np.bincount(self.folds[0] + 1, minlength=self.F + 1)[1:] / self.seen).mean()

    @property
    def judged(self):
        """Which rows were ever predicted, (n,)."""
        return (self.folds >= 0).any(axis=0)

    @property
    def guessing(self):
        """What the best answer that is the same for all rows costs."""
        rows = np.eye(self.k)[self.y[self.y >= 0]].mean(axis=0)
        if isinstance(self.loss, list):
            return min(rows @ np.array(self.loss))
        by = {"error": 1 - max(rows), "log-loss": stats.entropy(rows), "auc": 0.5,
              "brier": rows @ (1 - rows)}  # fmt: skip
        return by[self.loss]

    @cached_property
    def beaten(self):
        """(m, m): who is shown to be worse than whom, which the default margin does not excuse."""
        return np.array([[self.default and i != j and self.answer(i, j) == "worse"
                          for j in range(self.m)] for i in range(self.m)])  # fmt: skip

    # --- losses, means, the rule -------------------------------------------------------------

    @cached_property
    def decisions(self):
        """Labels that are scored: by costs those expected to cost least, of equals the predicted.

        Probabilities are kept in single precision: costs closer than 1e-6 are equal.
        """
        if isinstance(self.loss, str):
            return self.labels
        expected = self.p @ np.asarray(self.loss)
        own = np.take_along_axis(expected, self.labels[..., None], axis=-1)[..., 0]
        least = expected.min(axis=-1)
        return np.where(own <= least + 1e-6, self.labels, expected.argmin(axis=-1))

    @cached_property
    def losses(self):
        """Loss of every row, (m, R, n); 0 of those that were never predicted."""
        if not isinstance(self.loss, str):
            return np.asarray(self.loss, dtype=float)[self.y, self.decisions]
        if self.loss in ("log-loss", "brier"):
            return np.where(self.folds >= 0, self.losses_of(self.exported), 0.0)
        return (self.labels != self.y).astype(float)

    def losses_of(self, p):
        """Log loss or Brier score of probabilities (…, n, k)."""
        if self.loss == "log-loss":
            return -np.log(np.maximum(p[..., np.arange(self.n), self.y], SMALLEST))
        return ((p - np.eye(self.k)[self.y]) ** 2).sum(axis=-1)

    @cached_property
    def wrong(self):
        return (self.labels != self.y).astype(float)

    def in_folds(self, losses, weights=None):
        """(…, R, F): weighted means in the folds."""
        weights = np.ones(self.n) if weights is None else weights
        out = np.empty((*losses.shape[:-1], self.F))
        for r in range(self.R):
            for f in range(self.F):
                rows = self.folds[r] == f
                out[..., r, f] = losses[..., r, rows] @ weights[rows] / weights[rows].sum()
        return out

    @cached_property
    def table(self):
        """Loss in every fold, (m, R, F)."""
        if self.loss != "auc":
            return self.in_folds(self.losses)
        out = np.empty((self.m, self.R, self.F))
        for r, f in np.ndindex(self.R, self.F):
            rows = self.folds[r] == f
            out[:, r, f] = [1 - hand_and_till(p[r, rows], self.y[rows]) for p in self.exported]
        return out

    @cached_property
    def means(self):
        return self.table.mean(axis=(1, 2))

    def edges_of(self, table):
        """(m, m): whether the data override the preference of the first over the second."""
        if self.rule == "margin":
            means = table.mean(axis=(1, 2))
            over = means[:, None] >= means + np.where(self.beaten, 0, self.margin)
        else:
            level = 0.05 / (self.m * (self.m - 1) / 2)
            over = np.array([[five_by_two(a, b) <= level for b in table] for a in table])
        return over & np.triu(np.ones_like(over), 1)

    def order_of(self, table):
        """Best first: the most preferred that nobody left overrides, again and again."""
        edges, left, order = self.edges_of(table), list(range(self.m)), []
        while left:
            order.append(next(i for i in left if not edges[i, left].any()))
            left.remove(order[-1])
        return tuple(order)

    @cached_property
    def orders(self):
        """The order of every run (all in one for the margin), in the order of the runs."""
        per_run = self.R // self.runs if self.rule == "paper" else self.R
        return [self.order_of(self.table[:, r : r + per_run]) for r in range(0, self.R, per_run)]

    @cached_property
    def shown_run(self):
        """The first run with the most frequent order, of equals the one found first."""
        return max(range(len(self.orders)), key=lambda r: (self.orders.count(self.orders[r]), -r))

    @property
    def order(self):
        return self.orders[self.shown_run]

    @property
    def best(self):
        return self.order[0]

    @property
    def run_slice(self):
        per_run = self.R // len(self.orders)
        return slice(self.shown_run * per_run, (self.shown_run + 1) * per_run)

    # --- pairs ------------------------------------------------------------------------------

    def spread(self, d):
        """Standard error of a mean of differences over folds (Nadeau and Bengio 2003)."""
        return d.std(ddof=1) * np.sqrt(1 / d.size + self.ratio)

    @property
    def by_rows(self):
        """Whether pairs are compared row by row: a mean over rows, all predicted as often.

        In order of time by twenty stretches, where no groups are given beside it.
        """
        whole = (self.folds[:, self.judged] >= 0).all()
        ordered = self.in_time and (self.groups is not None or self.together is None)
        return self.loss != "auc" and not ordered and bool(whole)

    @property
    def together(self):
        """Which of the rows judged count together, None where each stands for itself."""
        if self.groups is not None:
            return np.asarray(self.groups)[self.judged]
        if not self.in_time:
            return None
        ranks = np.unique(np.asarray(self.time)[self.judged], return_inverse=True)[1]
        return cut_blocks(ranks, 20) if ranks.max() >= 19 else None

    def unit_differences(self, i, j):
        """Differences that are taken to be independent, and the standard error of their mean.

        Rows, or sums over groups, of every repetition, two that differ being added; 1.1 + 0.5/R
        for the training sets. Else folds. A fold counts like any other, however many rows it has.
        """
        if not self.by_rows:
            d = (self.table[i] - self.table[j]).ravel()
            return d, self.spread(d)
        n, each = self.judged.sum(), []
        for r in range(self.R):
            sizes = np.bincount(self.folds[r][self.judged])[self.folds[r]]
            d = ((self.losses[i, r] - self.losses[j, r]) * n / self.F / sizes)[self.judged]
            if (own := self.together) is not None:
                names = np.unique(own)
                sums = np.array([(d[own == name] - d.mean()).sum() for name in names])
                d = d.mean() + sums * len(names) / n
            each.append(d)
        return np.mean(each, axis=0), paired_error(each)

    def difference(self, i, j, level=0.95):
        """Mean, low, high and two-sided p-value of candidate i minus j."""
        d, scale = self.unit_differences(i, j)
        if scale < 1e-12 and abs(d.mean()) < 1e-12:
            return 0.0, 0.0, 0.0, 1.0
        low, high = stats.t.interval(level, d.size - 1, loc=d.mean(), scale=scale)
        return d.mean(), low, high, 2 * stats.t.sf(abs(d.mean()) / scale, d.size - 1)

    def answer(self, i, j):
        _, low, high, _ = self.difference(i, j)
        smallest = self.margin if self.loss in ("error", "auc") else 0.01
        if low == high == 0 and self.n * smallest < 3:  # rule of three: so few rows show nothing
            return "undecided"
        if low > -self.margin and high < self.margin:
            return "equivalent"
        return "better" if high < 0 else "worse" if low > 0 else "undecided"

    def data_factor(self, i, j, *, level, counted_from=0.0, power=0.8):
        """How many times the data would show, one-sided, what is seen of i − j."""
        if self.rule == "paper":
            d = (self.table[i] - self.table[j]).ravel()
            scale = self.spread(d)
        else:
            d, scale = self.unit_differences(i, j)
        critical = stats.t.isf(level, d.size - 1)
        shift = optimize.brentq(
            lambda s: stats.nct.sf(critical, d.size - 1, s) - power, 0, critical + 6
        )
        return (shift * scale / abs(d.mean() - counted_from)) ** 2

    # --- the winner's loss, corrected for the choice ------------------------------------------

    def draws(self, *, seed=0, size=None, groups=None):
        """Normal numbers for the candidates' fits, (b, m), and for rows or groups, (b, n)."""
        code = np.arange(self.n) if groups is None else np.unique(groups, return_inverse=True)[1]
        count = code.max() + 1
        usual = 250 if self.rule == "paper" else min(max(10**6 // count, 1000), 10_000)
        rng = np.random.default_rng(seed)
        fits = rng.standard_normal((size or usual, self.m))
        return fits, rng.standard_normal((len(fits), count))[:, code]

    def choices(self, tables):
        """Who is chosen in each of many tables, (b, m, R, F)."""
        if self.rule == "paper":
            return np.array([self.order_of(table)[0] for table in tables])
        means = tables.mean(axis=(2, 3))
        later = np.triu(np.ones((self.m, self.m)), 1) > 0
        over = means[:, :, None] >= means[:, None] + np.where(self.beaten, 0, self.margin)
        return (over & later).any(axis=2).argmin(axis=1)

    def redrawn(self):
        """Share of drawings of the folds that would change the choice (`how_steady` has why)."""
        rows = self.table.reshape(self.m, 1, -1) if self.loss == "auc" else self.losses
        if self.R == 1 or self.loss == "auc":
            spread = 0.4 * np.cov(rows[:, 0]) / rows.shape[-1]
        else:
            around = rows - rows.mean(axis=1, keepdims=True)
            spread = 1.25 / (self.R - 1) * np.einsum("irn,jrn->ij", around, around)
            spread /= rows.shape[-1] ** 2 * self.R
        draws = np.random.default_rng(7).multivariate_normal(np.zeros(self.m), spread, 4000)
        return (self.choices(self.table + draws[:, :, None, None]) != self.best).mean()

    def variances(self, losses, rows, groups):
        """Of the mean loss of some rows, those of one group counted together."""
        own = np.arange(self.n) if groups is None else np.unique(groups, return_inverse=True)[1]
        off = losses[..., rows] - losses[..., rows].mean(axis=-1, keepdims=True)
        sums = [off[..., own[rows] == u].sum(axis=-1) for u in np.unique(own[rows])]
        return np.var(sums, axis=0, ddof=1) * len(sums) / rows.sum() ** 2

    def selected(self, draws, *, guesses=False, groups=None):
        """Corrected loss, its interval, the shares chosen, for normal numbers as from `draws`.

        One that guesses was not chosen for its loss, which is as seen.
        """
        fits, weights = draws
        part = self.run_slice
        losses, folds, table = self.losses[:, part], self.folds[part], self.table[:, part]
        cells = {at: folds[at[0]] == at[1] for at in np.ndindex(*table.shape[1:])}
        apart = np.zeros((len(weights), *table.shape))
        chance = np.zeros(self.m)
        for (r, f), rows in cells.items():
            off = losses[:, r, rows] - table[:, r, [f]]
            apart[..., r, f] = weights[:, rows] @ off.T / rows.sum()
            chance += self.variances(losses[:, r], rows, groups) / len(cells)
        between = table.var(axis=2, ddof=1).mean(axis=1)
        luck = np.maximum(between - chance, 0)
        each, judged = losses.mean(axis=1), self.judged  # (m, n), (n,)
        n, mean = judged.sum(), each[:, judged].mean(axis=1)
        off = weights[:, judged] @ (each[:, judged] - mean[:, None]).T / n
        optimism, again = [], np.zeros(self.m)
        for sign in (1, -1):
            picks = self.choices(table + sign * apart)
            optimism.append(sign * (off[:, self.best] - off[range(len(off)), picks]))
            other = np.sqrt(2) * (apart + (np.sqrt(luck) * fits)[:, :, None, None])
            again += np.bincount(self.choices(table + sign * other), minlength=self.m)
        optimism = np.mean(optimism, axis=0)
        best = self.best
        corrected = mean[best] + (0 if guesses else optimism.mean())
        within = np.mean([losses[best, r, judged].var(ddof=1) for r in range(len(folds))]) / n
        copies = 1.0
        if groups is not None and each[best, judged].var() > 0:
            copies = self.variances(each[best], judged, groups)
            copies = max(1.0, copies / (each[best, judged].var() / (n - 1)))
        rate = np.isin(losses[..., judged], (0, 1)).all()
        if rate:
            corrected = min(max(corrected, 0.0), 1.0)
            within = corrected * (1 - corrected) / n
        total = within * copies + luck[best]
        df = (total / luck[best]) ** 2 * table[0].shape[0] * (self.F - 1) if luck[best] else np.inf
        z = stats.t.isf(0.025, df)
        low, high = corrected - z * np.sqrt(total), corrected + z * np.sqrt(total)
        low = max(low, 0.0) if np.nanmin(losses) >= 0 else low
        if rate:
            worth = corrected * (1 - corrected) / total if total else n
            low, high = wilson(corrected, worth, z)
        if not guesses:  # who errs just where the best one does is no other choice
            same = [np.array_equal(one, losses[best], equal_nan=True) for one in losses]
            again = np.where(np.arange(self.m) == best, again[same].sum(), again * ~np.array(same))
        found = Selected(mean[best], corrected, low, high, again / again.sum(), optimism)
        found.luck, found.between, found.chance = np.sqrt(luck[best]), between[best], chance[best]
        return found


class Selected:
    def __init__(self, plain, corrected, low, high, shares, optimism):
        self.plain, self.corrected, self.low, self.high = plain, corrected, low, high
        self.shares, self.optimism = shares, optimism
        self.expected = max(plain, corrected)


def five_by_two(a, b):
    """One-sided p-value of "a is no worse than b" by Dietterich's 5×2cv t test."""
    d = a - b  # (5, 2)
    variance = d.var(axis=1, ddof=1).mean()
    if variance == 0:
        return 1.0 if d[0, 0] <= 0 else 0.0
    return stats.t.sf(d[0, 0] / np.sqrt(variance), 5)


def hand_and_till(p, y):
    """Mean over ordered pairs of classes of the AUC (Hand and Till 2001)."""
    areas = []
    for i, j in combinations(np.unique(y), 2):
        for one, other in ((i, j), (j, i)):
            areas.append(pair_wins(p[y == one, one], p[y == other, one]).mean())
    return np.mean(areas)


def pair_wins(high, low, near=0.0):
    """(high, low): 1 where the first is above the second, ½ where they are equal, or as near."""
    with np.errstate(invalid="ignore"):  # of two infinities
        more = high[:, None] - low
    return (more > near) + 0.5 * ((abs(more) <= near) | (high[:, None] == low))


def wilson(share, n, z=1.959963984540054):
    """Where a share is as far from p as chance takes it: found, not by a formula."""

    def far(p):
        return abs(share - p) - z * np.sqrt(p * (1 - p) / n)

    low = 0.0 if share <= 0 else optimize.brentq(far, 1e-12, min(share, 1 - 1e-9))
    return low, 1.0 if share >= 1 else optimize.brentq(far, max(share, 1e-9), 1 - 1e-12)


# --- what a table of predictions holds ----------------------------------------------------------


def classes_of(table):
    """Names of the classes, in the order of their probabilities, else in that of their letters."""
    shares = [c.removeprefix("p:") for c in table.columns if c.startswith("p:")]
    return shares or sorted({*table["truth"].astype(str), *table["predicted"].astype(str)})


def numbered(samples):
    """Rows by number; named ones in the order in which they come."""
    if samples.dtype.kind in "iu":
        return samples
    return samples.astype(str).factorize()[0]


def shares_of(table, classes):
    """Probabilities (rows, k); where there are labels only, of the label all."""
    if f"p:{classes[0]}" in table:
        return table[[f"p:{c}" for c in classes]].to_numpy()
    return np.array([table["predicted"].astype(str) == c for c in classes], dtype=float).T
