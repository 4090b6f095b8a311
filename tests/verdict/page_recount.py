"""What a page says, computed again from the exported predictions: by numpy and scipy alone."""

from functools import cached_property
from itertools import combinations

import numpy as np
from scipy import optimize, stats

SMALLEST = float(np.finfo(np.float32).eps)  # of a probability in a ledger


class Recount:
    """The out-of-fold predictions of one study, and what follows from them.

    Arrays are (candidates, repetitions, rows[, classes]), the repetitions of all runs in a row.
    """

    def __init__(self, table, names, *, loss="error", rule="margin", margin=0.01, runs=1):
        self.names, self.loss, self.rule, self.margin = list(names), loss, rule, margin
        self.runs = runs
        classes = [c.removeprefix("p:") for c in table.columns if c.startswith("p:")]
        table = table.assign(at=table["run"] * 1000 + table["repetition"])
        first = table[table["candidate"] == self.names[0]].sort_values(["at", "sample"])
        self.m, self.R, self.k = len(self.names), first["at"].nunique(), len(classes)
        self.n = len(first) // self.R
        code = {name: i for i, name in enumerate(classes)}
        self.y = first["truth"].astype(str).map(code).to_numpy()[: self.n]
        self.folds = first["fold"].to_numpy().reshape(self.R, self.n)
        self.F = int(self.folds.max()) + 1
        own = [
            table[table["candidate"] == name].sort_values(["at", "sample"]) for name in self.names
        ]
        self.labels = np.array(
            [t["predicted"].astype(str).map(code).to_numpy().reshape(self.R, self.n) for t in own]
        )
        p = np.array(
            [t[[f"p:{c}" for c in classes]].to_numpy().reshape(self.R, self.n, -1) for t in own]
        )
        self.exported = p.astype(np.float32).astype(float)  # as kept: ties are ties here only
        self.p = p / p.sum(axis=-1, keepdims=True)

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
        """Loss of every row, (m, R, n)."""
        if not isinstance(self.loss, str):
            return np.asarray(self.loss, dtype=float)[self.y, self.decisions]
        true = self.p[..., np.arange(self.n), self.y]
        if self.loss == "log-loss":
            return -np.log(np.maximum(true, SMALLEST))
        if self.loss == "brier":
            return ((self.p - np.eye(self.k)[self.y]) ** 2).sum(axis=-1)
        return (self.labels != self.y).astype(float)

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
            over = means[:, None] >= means + self.margin
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
        return d.std(ddof=1) * np.sqrt(1 / d.size + 1 / (self.F - 1))

    def difference(self, i, j, level=0.95):
        """Mean, low, high and two-sided p-value of candidate i minus j."""
        d = (self.table[i] - self.table[j]).ravel()
        if np.ptp(d) == 0 and d[0] == 0:
            return 0.0, 0.0, 0.0, 1.0
        low, high = stats.t.interval(level, d.size - 1, loc=d.mean(), scale=self.spread(d))
        return d.mean(), low, high, 2 * stats.t.sf(abs(d.mean()) / self.spread(d), d.size - 1)

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
        d = (self.table[i] - self.table[j]).ravel() - counted_from
        critical = stats.t.isf(level, d.size - 1)
        shift = optimize.brentq(
            lambda s: stats.nct.sf(critical, d.size - 1, s) - power, 0, critical + 6
        )
        return (shift * self.spread(d) / abs(d.mean())) ** 2

    # --- the winner's loss, corrected for the choice ------------------------------------------

    def selected(self, draws):
        """Corrected loss, its interval, the shares chosen: for (b, n) bootstrap counts."""
        part = self.run_slice
        losses, folds = self.losses[:, part], self.folds[part]
        sub = Recount.__new__(Recount)
        sub.__dict__ |= {"m": self.m, "R": losses.shape[1], "n": self.n, "F": self.F,
                         "folds": folds, "rule": self.rule, "margin": self.margin}  # fmt: skip
        each = losses.mean(axis=1)  # (m, n)
        flattery, chosen = [], np.zeros(self.m)
        for drawn in draws.astype(float):
            table = sub.in_folds(losses, drawn)
            if not np.isfinite(table).all() or (drawn > 0).all():
                continue
            pick = sub.order_of(table)[0]
            chosen[pick] += 1
            flattery.append(each[pick, drawn == 0].mean() - each[pick].mean())
        flattery = np.array(flattery)
        plain = each[self.best].mean()
        corrected = plain + np.sqrt(2) * flattery.mean()
        around = corrected - flattery.mean()
        low, high = np.quantile(flattery, [0.025, 0.975]) + around
        if np.isin(losses, (0, 1)).all():
            corrected = min(max(corrected, 0.0), 1.0)
            least, most = wilson(corrected, self.n)
            low, high = max(min(low, least), 0.0), min(max(high, most), 1.0)
        return Selected(plain, corrected, low, high, chosen / len(flattery), flattery)


class Selected:
    def __init__(self, plain, corrected, low, high, shares, flattery):
        self.plain, self.corrected, self.low, self.high = plain, corrected, low, high
        self.shares, self.flattery = shares, flattery
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


def wilson(share, n, level=0.95):
    """Where a share is as far from p as chance takes it: found, not by a formula."""
    z = stats.norm.isf((1 - level) / 2)

    def far(p):
        return abs(share - p) - z * np.sqrt(p * (1 - p) / n)

    low = 0.0 if share <= 0 else optimize.brentq(far, 1e-12, min(share, 1 - 1e-9))
    return low, 1.0 if share >= 1 else optimize.brentq(far, max(share, 1e-9), 1 - 1e-12)


def bootstrap(n, *, size=500, seed=0):
    """How often each row is drawn, (size, n)."""
    return np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=size)
