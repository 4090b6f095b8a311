"""Which columns matter to the winner: refits whose held-out rows get values of other rows.

Permutation importance [Breiman 2001] and partial dependence [Friedman 2001] ask the same of a
fit: what it says of rows in which some columns have the values of other rows. So both are trials
like any other, on a longer table: its own rows to train on, and copies of held-out rows, altered,
to predict. They run where every fit runs, in workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from operator import getitem
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from polychotomy.comparison import Criterion, corrected_t_test
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold
from polychotomy.core.seeds import seed_of
from polychotomy.study import Ledger, Study
from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.plan import Plan
from polychotomy.study.design.trials import Outcome, TrialKey
from polychotomy.study.fitting.limits import Limits
from polychotomy.study.fitting.work import Work, split_data
from polychotomy.study.progress import Progress, ShowProgress
from polychotomy.study.workers.runner import run_trials
from polychotomy.verdict.findings import Columns, Dependence, NotAsked

FITS = 5
"""Fits that are asked, twice each: first which columns matter, then how the first of them do."""


_TOGETHER = 0.8  # correlation from which columns are permuted as one: either could stand in

_REPEATS = 5  # permutations of each column in each fold, where there is time for them

_MOST_COLUMNS = 200  # groups of columns: a bar each

_MOST_CELLS = 2e7  # of altered rows

_FEWEST_ROWS = 30  # in each fold, or all of its rows

_DRAWN = 3  # groups whose partial dependence is asked

_VALUES, _CASES = 10, 50  # at which it is asked, and rows of each fold that it is a mean over

_FEW_LEVELS = 20  # of a category: the association of more is chance on few rows


def group_columns(X: Any) -> list[list[int]]:
    """Group columns that say nearly the same, by average linkage at a correlation of 0.8.

    Numbers by Spearman's rank correlation, categories by Cramér's V; a number and a category
    stand alone.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).standard_normal((2, 100))
    >>> group_columns(np.column_stack([a, b, -a]))
    [[0, 2], [1]]
    """
    import pandas as pd
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform
    from scipy.stats.contingency import association

    frame = pd.DataFrame(X).iloc[:5000]
    p = frame.shape[1]
    if p < 2:
        return [[0]] * p
    columns = [frame.iloc[:, j] for j in range(p)]
    numbers = [j for j, one in enumerate(columns) if _is_number(one)]
    alike = np.eye(p)
    ranks = pd.DataFrame({j: columns[j].astype("float64").rank() for j in numbers})
    alike[np.ix_(numbers, numbers)] = ranks.corr().abs().fillna(0.0)
    codes = {j: pd.factorize(columns[j])[0] for j in range(p) if j not in numbers}
    for i, j in product(codes, codes):
        if i < j:
            same = bool((codes[i] == codes[j]).all())
            table = pd.crosstab(codes[i], codes[j])
            few = min(table.shape) > 1 and max(table.shape) <= _FEW_LEVELS
            alike[i, j] = alike[j, i] = association(table) if few and not same else same
    np.fill_diagonal(alike, 1.0)
    tree = linkage(squareform(1 - np.clip(alike, 0, 1), checks=False), "average")
    label = fcluster(tree, 1 - _TOGETHER, "distance")
    groups = [np.flatnonzero(label == one).tolist() for one in dict.fromkeys(label.tolist())]
    return sorted(groups)


def _is_number(column: Any) -> bool:
    return column.dtype.kind in "biuf"


def fit_columns(
    study: Study,
    ledger: Ledger,
    criterion: Criterion,
    best: str,
    *,
    within: float | None,
    progress: ShowProgress | None = None,
    n_jobs: int = 1,
    cluster: Any = None,
    limits: Limits | None = None,
) -> None:
    """Ask which columns matter to the best candidate, and write the answer down in the ledger.

    Parameters
    ----------
    within : float, optional
        Seconds of computing that it may take: fewer permutations, then fewer rows, then none.
    """
    kept = ledger.fact("columns") or {}
    own = (kept.get(study.dataset) or {}).get(best)
    if own is not None and own["loss"] == criterion.to_dict() and own["plan"] == study.plan.name:
        return
    how = {"n_jobs": n_jobs, "cluster": cluster, "limits": limits or Limits()}
    try:
        asked = _Refits(study, best, ledger, within, progress, how)
        found = asked.importance(criterion)
    except _Unasked as why:
        found = {"why": str(why)}
    found |= {"loss": criterion.to_dict(), "plan": study.plan.name}
    of_this = {**(kept.get(study.dataset) or {}), best: found}
    ledger.write_facts({"columns": {**kept, study.dataset: of_this}})


class _Unasked(Exception):
    """Why it cannot be asked which columns matter."""


class _Refits:
    """The first fits of a study, made again to be asked about altered rows."""

    def __init__(
        self,
        study: Study,
        best: str,
        ledger: Ledger,
        within: float | None,
        progress: ShowProgress | None,
        how: dict[str, Any],
    ) -> None:
        data, plan = study.data, study.plan
        if hasattr(data.X, "tocsr") or data.X.shape[1] > 10 * _MOST_COLUMNS:
            raise _Unasked(f"it is not asked of a sparse table or of {data.X.shape[1]} columns")
        self.groups = group_columns(data.X)
        if not 2 <= len(self.groups) <= _MOST_COLUMNS:
            raise _Unasked(f"there are {len(self.groups)} groups of columns to tell apart")
        self.study, self.best, self.how = study, best, how
        self.show, self.done, self.seconds = progress, 0, 0.0
        self.before = len(ledger.trials(dataset=study.dataset))
        splits = split_data(plan, data, study.random_state)
        fits = [*product(range(plan.runs), range(plan.repetitions), range(plan.n_folds))][:FITS]
        self.sides = [plan.rows(splits[run, again], fold) for run, again, fold in fits]
        self._choose_rows(ledger, within)

    def _choose_rows(self, ledger: Ledger, within: float | None) -> None:
        """Choose how many rows of each fold are permuted, and how often."""
        trials = ledger.trials(dataset=self.study.dataset, plan=self.study.plan.name)
        own = [one for one in trials if one["candidate"] == self.best]
        fit, predict = (float(np.mean([one[f"{n}_seconds"] for one in own])) for n in _CLOCKS)
        held_out = [len(test) for _, test in self.sides]
        most = _MOST_CELLS / self.study.data.X.shape[1]
        if within is not None:
            left = within - 2 * len(self.sides) * fit
            most = min(most, left / (predict / np.mean(held_out) or 1e-9))
        each = int(most) // (len(self.sides) * len(self.groups))  # altered rows
        if each < min(_FEWEST_ROWS, *held_out):
            raise _Unasked("it would take too long; --anatomy, or judge(…, anatomy=True), asks it")
        self.repeats = int(np.clip(each // max(held_out), 1, _REPEATS))
        self.rows = []
        for number, (_, test) in enumerate(self.sides):
            some = self.generator(number).permutation(test)[: max(each // self.repeats, 1)]
            self.rows.append(np.sort(some))

    def generator(self, number: int, *of: str) -> np.random.Generator:
        """Return the random numbers of one of the fits."""
        return np.random.default_rng(seed_of(self.study.random_state, "columns", number, *of))

    def ask(self, altered: Sequence[tuple[Ints, Ints, Ints]]) -> list[Outcome]:
        """Fit again, and predict rows that have the values of others in a group of columns.

        ``altered`` has for each fit the rows, whose values they get, and the group that gets them,
        −1 for none.
        """
        data, n = self.study.data, self.study.data.n
        base, donor, group = (
            np.concatenate([first, *parts])
            for first, parts in zip(
                (np.arange(n), np.arange(n), np.full(n, -1)), zip(*altered, strict=True),
                strict=True,
            )
        )  # fmt: skip
        ends = n + np.cumsum([len(rows) for rows, *_ in altered])
        sides = [
            (train, np.arange(end - len(rows), end))
            for (train, _), (rows, *_), end in zip(self.sides, altered, ends, strict=True)
        ]
        name, plan = self.study.dataset, "columns"
        longer = Dataset(
            _alter(data.X, self.groups, base, donor, group),
            replace(data.target, codes=data.target.codes[base]),
        )
        work = Work(
            candidates={self.best: self.study.candidates[self.best]},
            datasets={name: longer},
            # A split row is the list of sides itself: a class of ours would have every worker
            # import this room.
            plans={plan: cast("Plan", SimpleNamespace(rows=getitem))},
            splits={(name, plan): cast("Any", {(0, 0): sides})},
            seed=self.study.random_state,
        )
        keys = [TrialKey(name, self.best, plan, 0, 0, fold) for fold in range(len(sides))]
        outcomes = []
        for outcome in run_trials(work, keys, **self.how):
            outcomes.append(outcome)
            self.seconds, self.done = self.seconds + outcome.seconds, self.done + 1
            if self.show is not None:
                planned = self.before + 2 * len(self.sides)
                self.show(Progress(done=self.before + self.done, planned=planned, failed=0,
                                   resumed=self.before, seconds=self.seconds))  # fmt: skip
        failed = [one for one in outcomes if one.status != "ok"]
        if failed:
            raise _Unasked(f"fits that ask it failed: {failed[0].cause}")
        return sorted(outcomes, key=lambda one: one.fold)

    def importance(self, criterion: Criterion) -> dict[str, Any]:
        """Return the loss of each fit, before and after each group of columns was permuted."""
        altered = []
        for number, rows in enumerate(self.rows):
            rng, times = self.generator(number, "permuted"), len(self.groups) * self.repeats
            donors = [rng.permutation(rows) for _ in range(times)]
            which = np.repeat(np.arange(len(self.groups)), self.repeats * len(rows))
            altered.append(
                (
                    np.tile(rows, times + 1),
                    np.concatenate([rows, *donors]),
                    np.r_[np.full(len(rows), -1), which],
                )
            )
        outcomes = self.ask(altered)
        try:
            losses = [
                _losses(criterion, outcome, self.study.data, rows)
                for outcome, rows in zip(outcomes, self.rows, strict=True)
            ]
        except InvalidInput as error:  # an AUC in a fold of one class
            raise _Unasked(str(error)) from error
        before, after = np.array(losses)[:, 0], np.array(losses)[:, 1:]
        after = after.reshape(len(losses), len(self.groups), self.repeats).mean(axis=2)
        first = np.argsort(-(after - before[:, np.newaxis]).mean(axis=0), kind="stable")
        names = _names(self.study.data.X)
        curves = self.dependence(first[:_DRAWN].tolist())
        train, test = (sum(len(side[i]) for side in self.sides) for i in (0, 1))
        return {
            "groups": [[names[j] for j in self.groups[g]] for g in first],
            "before": before.tolist(),
            "after": after[:, first].T.tolist(),
            "rows": sum(map(len, self.rows)),
            "repeats": self.repeats,
            "ratio": test / train,
            "curves": curves,
            "fits": self.done,
            "seconds": self.seconds,
        }

    def dependence(self, groups: Sequence[int]) -> list[dict[str, Any]]:
        """Return the mean probabilities where columns have values of a tenth of the rows."""
        data = self.study.data
        tenths = {g: _tenths(data.X, self.groups[g][0]) for g in groups}
        wanted = [(g, pool) for g in groups for _, pool in tenths[g][1]]
        altered = []
        for number, rows in enumerate(self.rows):
            rng, some = self.generator(number, "dependence"), rows[:_CASES]
            if len(rows) > _CASES:
                some = np.sort(rng.permutation(rows)[:_CASES])
            donors = [rng.choice(pool, len(some)) for _, pool in wanted]
            which = np.repeat([g for g, _ in wanted], len(some))
            altered.append((np.tile(some, len(wanted)), np.concatenate(donors), which))
        k = len(data.target.classes)
        shares = np.mean(
            [one.probabilities.reshape(len(wanted), -1, k).mean(axis=1)
             for one in self.ask(altered)], axis=0,
        )  # fmt: skip
        found, names = [], _names(data.X)
        for g in groups:
            at = [i for i, (own, _) in enumerate(wanted) if own == g]
            is_number, values = tenths[g]
            found.append(
                {
                    "columns": [names[j] for j in self.groups[g]],
                    "values": [value for value, _ in values],
                    "is_number": is_number,
                    "shares": shares[at].round(6).tolist(),
                }
            )
        return found


_CLOCKS = ("fit", "predict")


def _names(X: Any) -> list[str]:
    """Return the names of the columns; those of an array as scikit-learn calls them."""
    return [str(one) for one in getattr(X, "columns", [f"x{j}" for j in range(X.shape[1])])]


def _alter(X: Any, groups: Sequence[Sequence[int]], base: Ints, donor: Ints, group: Ints) -> Any:
    """Return rows of a table that have the values of others in one group of columns each."""
    taken: list[Ints] = [base] * X.shape[1]
    for g, members in enumerate(groups):
        for j in members:
            taken[j] = np.where(group == g, donor, base)
    if not hasattr(X, "iloc"):
        return np.column_stack([X[rows, j] for j, rows in enumerate(taken)])
    import pandas as pd

    parts = [X.iloc[rows, [j]].reset_index(drop=True) for j, rows in enumerate(taken)]
    return pd.concat(parts, axis=1)


def _losses(criterion: Criterion, outcome: Outcome, data: Dataset, rows: Ints) -> Floats:
    """Return the loss of each copy of the rows, (copies,)."""
    shape = (1, -1, 1, len(rows))
    predicted = outcome.predicted.astype(np.intp).reshape(shape)
    found = OutOfFold(
        names=(outcome.candidate,),
        classes=data.target.names,
        y=data.target.codes[rows],
        folds=np.zeros((predicted.shape[1], 1, len(rows)), dtype=np.intp),
        predicted=predicted,
        probabilities=outcome.probabilities.reshape(*shape, outcome.n_classes),
        hard=np.array([bool(outcome.hard)]),
    )
    return criterion.fold_losses(found)[0, :, 0, 0]


def _tenths(X: Any, column: int) -> tuple[bool, list[tuple[float | str, NDArray[np.intp]]]]:
    """Return whether a column holds numbers; its values, or the means of tenths, and their rows."""
    import pandas as pd

    values = pd.DataFrame(X).iloc[:, column]
    is_number = _is_number(values)
    levels = values.value_counts()
    known = np.flatnonzero(values.notna())
    if is_number and len(levels) > _VALUES:
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
        order = known[np.argsort(numbers[known], kind="stable")]
        pools = np.array_split(order, _VALUES)
        return True, [(float(numbers[pool].mean()), pool) for pool in pools if len(pool)]
    some = sorted(levels.index[:_VALUES], key=None if is_number else str)
    return is_number, [
        (float(one) if is_number else str(one), np.flatnonzero((values == one).to_numpy(bool)))
        for one in some
    ]


def read_columns(found: dict[str, Any]) -> Columns | NotAsked:
    """Return what was written down: the rise of the loss with its interval, and dependence."""
    if found.get("why"):
        return NotAsked(f"which columns matter was not asked: {found['why']}")
    from scipy import stats

    before, after = np.array(found["before"]), np.array(found["after"])
    rise = (after - before).mean(axis=1)
    half = np.full(len(rise), np.nan)
    if len(before) > 1:
        test = corrected_t_test(
            after, np.broadcast_to(before, after.shape), test_train_ratio=found["ratio"]
        )
        half = np.asarray(stats.t.ppf(0.975, len(before) - 1) * test.standard_error)
    return Columns(
        groups=tuple(tuple(names) for names in found["groups"]),
        rise=rise,
        low=rise - half,
        high=rise + half,
        before=float(before.mean()),
        rows=found["rows"],
        folds=len(before),
        repeats=found["repeats"],
        curves=tuple(
            Dependence(
                columns=tuple(one["columns"]), values=tuple(one["values"]),
                is_number=one["is_number"], shares=np.array(one["shares"]),
            )
            for one in found["curves"]
        ),
    )  # fmt: skip
