"""A study with its page: what its ledger holds, and all that follows from that."""

from functools import cached_property

import numpy as np
from page_reading import Page
from page_recount_answers import Bagging, Combining, Forecast, parts_of, votes_of
from page_recount_columns import ColumnsAgain
from page_recount_recalibration import Recalibration
from page_recount_trust import Traced
from page_words_kinds import Recalibrated
from scipy import stats
from sklearn.metrics import confusion_matrix

LEARNER_KINDS = {
    "LDA": "linear", "ridge": "linear", "nearest mean": "linear", "logistic": "linear",
    "tree": "tree", "stump": "tree", "pruned tree": "tree", "NB": "naive Bayes",
    "naive Bayes": "naive Bayes", "sure": "naive Bayes", "1-NN": "neighbours", "k-NN": "neighbours",
    "9-NN": "neighbours", "SVM pairwise": "kernel", "SVM orthogonal": "kernel",
    "forest": "forest", "random forest": "forest", "boosted trees": "boosting",
}  # fmt: skip


class World:
    """One study: its page, what its ledger holds, and what follows from that."""

    def __init__(self, verdict, recount, table, trials, *, bags=None, sizes=None, left=(),
                 groups=None, prefer="listed", race=False, guessing=(), hard=(), times=None,
                 columns=5, study=None, more=(0, 0.0)):  # fmt: skip
        self.verdict, self.html, self.said = verdict.to_dict(), verdict.to_html(), verdict
        self.page = Page(self.html)
        self.r, self.table, self.trials = recount, table, trials
        self.bags, self.sizes, self.left = bags, sizes, left
        self.groups, self.prefer, self.race = groups, prefer, race
        self.guessing, self.hard, self.times, self.columns = guessing, hard, times, columns
        self.study, self.more = study, more  # fits and seconds of asking which columns matter
        self.rate = recount.loss in ("error", "auc")
        self.scale = 100 if self.rate else 1

    @cached_property
    def selected(self):
        draws = self.r.draws(groups=self.groups)
        found = self.r.selected(draws, guesses=self.guesses, groups=self.groups)
        if self.groups is not None and found.expected == 0:  # Clopper and Pearson, of the groups
            found.high = max(found.high, stats.beta.ppf(0.975, 1, len(set(self.groups))))
        return found

    @cached_property
    def combining(self):
        asked = min(self.r.R, 5, max(1, 400 // (self.r.k * (self.r.k - 1) // 2 * self.r.F)))
        return Combining(self.r, self.r.best, asked, 0.95 if self.guesses else 0.8)

    @cached_property
    def bagging(self):
        votes = votes_of(self.r.p[self.r.best])[:, np.arange(self.r.n), self.r.y]
        bagged = parts_of(*self.bags[self.name], self.r.y)[:, 1]
        return Bagging(1 - votes.mean(axis=0), bagged, LEARNER_KINDS.get(self.name))

    @cached_property
    def columns_again(self):
        return ColumnsAgain(self.study, self.name, self.r.folds[0], self.r.loss)

    @property
    def column_names(self):
        return self.columns_again.names if self.verdict["columns"] else []

    @cached_property
    def forecast(self):
        return Forecast(*self.sizes, self.r.n)

    @property
    def forecasts(self):
        """The chosen one's probabilities as kept, true classes, cases, repetitions and folds."""
        return self.forecasts_of(self.r.best)

    def forecasts_of(self, candidate):
        """The same of any candidate; rows that were never predicted are left out."""
        r = self.r
        repetitions, rows = np.nonzero(r.folds >= 0)
        cases = np.unique(rows, return_inverse=True)[1]
        p = r.exported[candidate, repetitions, rows]
        return p, r.y[rows], cases, repetitions, r.folds[repetitions, rows]

    @cached_property
    def trust(self):
        return Traced(*self.forecasts[:3], seed=self.verdict["provenance"]["seed"])

    @cached_property
    def recalibration(self):
        return Recalibration(*self.forecasts)

    @cached_property
    def recalibrated(self):
        """All candidates recalibrated where that gains."""
        return Recalibrated(self)

    @property
    def imported(self):
        """Whether the predictions were made elsewhere."""
        return self.plan.startswith("imported ")

    @property
    def asked_combining(self):
        """Two candidates or more."""
        return self.r.m > 1

    def stopped_errors(self, name, after):
        """Error in the folds of the first repetitions, (after, folds): of who may not have all."""
        own = self.table[(self.table["candidate"] == name) & (self.table["repetition"] < after)]
        wrong = own.assign(wrong=own["truth"] != own["predicted"])
        return wrong.groupby(["repetition", "fold"])["wrong"].mean().to_numpy().reshape(after, -1)

    @cached_property
    def confusion(self):
        labels, rows = self.r.decisions[self.r.best][:, self.r.judged], self.r.judged
        codes = np.arange(self.r.k)
        return np.mean(
            [confusion_matrix(self.r.y[rows], one, labels=codes) for one in labels], axis=0
        )

    @property
    def worst(self):
        """Pairs of classes by the lower end of their share's interval, at most five."""
        wrong = self.confusion - np.diag(np.diag(self.confusion))
        size = np.maximum(self.confusion.sum(axis=1, keepdims=True), 1e-12)
        p, z2 = wrong / size, stats.norm.ppf(0.975) ** 2
        ends = [  # (p - x)² = z² x(1 - x) / n
            np.roots([1 + z2 / n, -2 * q - z2 / n, q * q]).real.min()
            for q, n in zip(p.flat, np.broadcast_to(size, p.shape).flat, strict=True)
        ]
        cells = np.argsort(-np.round(ends, 12), kind="stable")[:5]
        return [divmod(int(c), self.r.k) for c in cells if wrong.flat[c] > 0]

    @property
    def name(self):
        return self.r.names[self.r.best]

    @property
    def folds(self):
        return self.r.R * self.r.F

    @property
    def shown(self):
        """The table of the run whose order is shown, (m, repetitions, folds)."""
        return self.r.table[:, self.r.run_slice]

    @property
    def percent_wrong(self):
        """Of the labels scored; by costs over rows, else the mean over folds."""
        if not isinstance(self.r.loss, str) and self.name not in self.hard:
            return 100 * (1 - np.trace(self.confusion) / self.confusion.sum())
        return 100 * self.r.in_folds(self.r.wrong)[self.r.best].mean()

    @property
    def sides(self):
        """What the preferred ones and the others are called."""
        words = {"time": ("faster", "slower"), "memory": ("smaller", "larger")}
        listed = (
            ("listed earlier", "listed later") if self.imported else ("simpler", "more complex")
        )
        return words.get(self.prefer, listed)

    def side(self, less, noun):
        """One of these with a noun, which comes first where it is said how they were listed."""
        words = (self.sides[less], noun)
        return " ".join(words[::-1] if "listed" in words[0] else words)

    @property
    def degrees(self):
        """The order of preference in words."""
        words = {"time": "fastest first", "memory": "smallest first"}
        return words.get(self.prefer, "as listed" if self.imported else "simplest first")

    @property
    def tested(self):
        """Rows predicted in a fold, the mean."""
        return self.r.judged.sum() / self.r.F

    @property
    def timed(self):
        """Whether every candidate has clocks of fitting and of predicting."""
        clocks = ("fit_seconds", "predict_seconds")
        return all(self.seconds(name, one) > 0 for name in self.r.names for one in clocks)

    @property
    def guesses(self):
        return self.name in self.guessing

    @property
    def margin(self):
        return self.scale * self.r.margin

    def seconds(self, name, column):
        own = self.trials[(self.trials["candidate"] == name) & (self.trials["plan"] == self.plan)]
        return own[own["status"] == "ok"][column].mean()

    @property
    def plan(self):
        return self.verdict["plan"]["name"]
