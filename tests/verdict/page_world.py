"""A study with its page: what its ledger holds, and all that follows from that."""

from functools import cached_property

import numpy as np
from page_reading import Page
from page_recount import bootstrap
from page_recount_answers import Bagging, Combining, Forecast, parts_of, votes_of
from page_recount_mended import Mended
from page_recount_trust import Traced
from sklearn.metrics import confusion_matrix


class World:
    """One study: its page, what its ledger holds, and what follows from that."""

    def __init__(self, verdict, recount, table, trials, *, bags=None, sizes=None, left=()):
        self.verdict, self.page, self.said = verdict.to_dict(), Page(verdict.to_html()), verdict
        self.r, self.table, self.trials = recount, table, trials
        self.bags, self.sizes, self.left = bags, sizes, left
        self.rate = recount.loss in ("error", "auc")
        self.scale = 100 if self.rate else 1

    @cached_property
    def selected(self):
        found = self.r.selected(bootstrap(self.r.n))
        if self.r.m == 1:  # nothing was chosen
            found.low, found.high = min(found.low, found.plain), max(found.high, found.plain)
            found.expected = found.plain
        return found

    @cached_property
    def combining(self):
        asked = min(5, max(1, 400 // (self.r.k * (self.r.k - 1) // 2 * self.r.F)))
        return Combining(self.r, self.r.best, asked)

    @cached_property
    def bagging(self):
        votes = votes_of(self.r.p[self.r.best])[:, np.arange(self.r.n), self.r.y]
        bagged = parts_of(*self.bags[self.name], self.r.y)[:, 1]
        return Bagging(1 - votes.mean(axis=0), bagged)

    @cached_property
    def forecast(self):
        return Forecast(*self.sizes, self.r.n)

    @property
    def forecasts(self):
        """The chosen one's probabilities as kept, true classes, cases, repetitions and folds."""
        r = self.r
        p = r.exported[r.best].reshape(-1, r.k)
        cases, repetitions = np.tile(np.arange(r.n), r.R), np.repeat(np.arange(r.R), r.n)
        return p, np.tile(r.y, r.R), cases, repetitions, r.folds.ravel()

    @cached_property
    def trust(self):
        return Traced(*self.forecasts[:3], seed=self.verdict["provenance"]["seed"])

    @cached_property
    def mended(self):
        return Mended(*self.forecasts)

    def stopped_errors(self, name, after):
        """Error in the folds of the first repetitions, (after, folds): of who may not have all."""
        own = self.table[(self.table["candidate"] == name) & (self.table["repetition"] < after)]
        wrong = own.assign(wrong=own["truth"] != own["predicted"])
        return wrong.groupby(["repetition", "fold"])["wrong"].mean().to_numpy().reshape(after, -1)

    @cached_property
    def confusion(self):
        labels = self.r.decisions[self.r.best]
        return np.mean([confusion_matrix(self.r.y, one) for one in labels], axis=0)

    @property
    def worst(self):
        """Pairs of classes by their errors, most frequent first, at most five."""
        wrong = self.confusion - np.diag(np.diag(self.confusion))
        cells = np.argsort(-wrong, axis=None, kind="stable")[:5]
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
        labels = self.r.decisions if not isinstance(self.r.loss, str) else self.r.labels
        return 100 * (labels[self.r.best] != self.r.y).mean()

    @property
    def margin(self):
        return self.scale * self.r.margin

    def seconds(self, name, column):
        own = self.trials[(self.trials["candidate"] == name) & (self.trials["plan"] == self.plan)]
        return own[own["status"] == "ok"][column].mean()

    @property
    def plan(self):
        return self.verdict["plan"]["name"]
