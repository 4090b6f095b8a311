"""Which columns matter to the winner: refits whose held-out rows get values of other rows.

Permutation importance [Breiman 2001] and partial dependence [Friedman 2001] ask the same of a
fit: what it says of rows in which some columns have the values of other rows. So both are trials
like any other, on a longer table: its own rows to train on, and copies of held-out rows, altered,
to predict. They run where every fit runs, in workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product
from operator import getitem
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from polychotomy.comparison import Criterion, corrected_t_test
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput, PolychotomyError
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

# Fits that are asked, twice each: first which columns matter, then how the first of them do.
FITS = 5


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

    columns = [column for _, column in pd.DataFrame(X).iloc[:5000].items()]
    if len(columns) < 2:
        return [[0]] * len(columns)
    numbers = [j for j, one in enumerate(columns) if _is_number(one)]
    alike = np.eye(len(columns))
    ranks = pd.DataFrame({j: columns[j].astype("float64").rank() for j in numbers})
    alike[np.ix_(numbers, numbers)] = ranks.corr().abs().fillna(0.0)
    codes = {j: pd.factorize(one)[0] for j, one in enumerate(columns) if j not in numbers}
    for i, j in combinations(codes, 2):
        table = pd.crosstab(codes[i], codes[j])
        few = min(table.shape) > 1 and max(table.shape) <= _FEW_LEVELS
        same = bool((codes[i] == codes[j]).all())
        alike[i, j] = alike[j, i] = association(table) if few and not same else same
    np.fill_diagonal(alike, 1.0)
    tree = linkage(squareform(1 - np.clip(alike, 0, 1), checks=False), "average")
    label = fcluster(tree, 1 - _TOGETHER, "distance")
    return sorted(np.flatnonzero(label == one).tolist() for one in np.unique(label))


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
    **running: Any,
) -> None:
    """Ask which columns matter to the best candidate, and write the answer down in the ledger.

    Parameters
    ----------
    within : float, optional
        Seconds of computing that it may take: fewer permutations, then fewer rows, then none.
    """
    kept = ledger.fact("columns") or {}
    of_this = kept.get(study.dataset) or {}
    how = {"loss": criterion.to_dict(), "plan": study.plan.name}
    if best in of_this and how.items() <= of_this[best].items():
        return
    try:
        found = _Refits(study, best, ledger, within, progress, running).importance(criterion)
    except _Unasked as why:
        found = {"why": str(why)}
    except PolychotomyError:  # of the ledger or the workers, as anywhere
        raise
    except Exception as error:  # it only adds to the choice
        found = {"why": f"it failed: {type(error).__name__}: {error}"}
    ledger.write_facts({"columns": {**kept, study.dataset: {**of_this, best: found | how}}})


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
        running: dict[str, Any],
    ) -> None:
        data, plan = study.data, study.plan
        if hasattr(data.X, "tocsr") or data.X.shape[1] > 10 * _MOST_COLUMNS:
            raise _Unasked(f"it is not asked of a sparse table or of {data.X.shape[1]} columns")
        self.groups = group_columns(data.X)
        if not 2 <= len(self.groups) <= _MOST_COLUMNS:
            raise _Unasked(f"there are {len(self.groups)} groups of columns to tell apart")
        self.names = [str(one) for one in getattr(data.X, "columns", ())]
        self.names = self.names or [f"x{j}" for j in range(data.X.shape[1])]  # as scikit-learn has
        self.study, self.best, self.show = study, best, progress
        self.running = {"n_jobs": 1, "cluster": None, "limits": Limits()} | running
        self.before, self.outcomes = len(ledger.trials(dataset=study.dataset)), list[Outcome]()
        splits = split_data(plan, data, study.random_state)
        fits = [*product(range(plan.runs), range(plan.repetitions), range(plan.n_folds))][:FITS]
        self.sides = [plan.rows(splits[run, again], fold) for run, again, fold in fits]
        self._choose_rows(ledger, within)

    def _choose_rows(self, ledger: Ledger, within: float | None) -> None:
        """Choose how many rows of each fold are permuted, and how often."""
        trials = ledger.trials(dataset=self.study.dataset, plan=self.study.plan.name)
        own = [one for one in trials if one["candidate"] == self.best]
        held_out = [len(test) for _, test in self.sides]
        most = _MOST_CELLS / self.study.data.X.shape[1]
        if within is not None:
            fit, predict = (
                np.mean([one[f"{n}_seconds"] for one in own]) for n in ("fit", "predict")
            )
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
        data, every = self.study.data, np.arange(self.study.data.n)
        rows, donors, groups = zip((every, every, np.full(data.n, -1)), *altered, strict=True)
        ends = np.cumsum([len(part) for part in rows])
        sides = {
            fold: (train, np.arange(*ends[fold : fold + 2]))
            for fold, (train, _) in enumerate(self.sides)
        }
        base, plan, name = np.concatenate(rows), "columns", self.study.dataset
        longer = Dataset(
            _alter(data.X, self.groups, base, np.concatenate(donors), np.concatenate(groups)),
            replace(data.target, codes=data.target.codes[base]),
        )
        work = Work(
            candidates={self.best: self.study.candidates[self.best]}, datasets={name: longer},
            # A split row holds the sides themselves: a class of ours would have every worker
            # import this room.
            plans={plan: cast("Plan", SimpleNamespace(rows=getitem))},
            splits={(name, plan): cast("Any", {(0, 0): sides})}, seed=self.study.random_state,
        )  # fmt: skip
        keys = [TrialKey(name, self.best, plan, 0, 0, fold) for fold in sides]
        for outcome in run_trials(work, keys, **self.running):
            self.outcomes.append(outcome)
            self._tell()
        made = sorted(self.outcomes[-len(sides) :], key=lambda one: one.fold)
        for one in made:
            if one.status != "ok":
                raise _Unasked(f"fits that ask it failed: {one.cause}")
        return made

    def _tell(self) -> None:
        if self.show is not None:
            done, planned = (self.before + n for n in (len(self.outcomes), 2 * len(self.sides)))
            spent = sum(one.seconds for one in self.outcomes)
            self.show(Progress(done=done, planned=planned, resumed=self.before, seconds=spent))

    def importance(self, criterion: Criterion) -> dict[str, Any]:
        """Return the loss of each fit, before and after each group of columns was permuted."""
        altered, times = [], len(self.groups) * self.repeats
        for number, rows in enumerate(self.rows):
            rng = self.generator(number, "permuted")
            donors = [rows, *(rng.permutation(rows) for _ in range(times))]
            which = np.r_[-1, np.repeat(np.arange(len(self.groups)), self.repeats)]
            groups = np.repeat(which, len(rows))
            altered.append((np.tile(rows, times + 1), np.concatenate(donors), groups))
        try:
            losses = [
                _losses(criterion, outcome, self.study.data, rows)
                for outcome, rows in zip(self.ask(altered), self.rows, strict=True)
            ]
        except InvalidInput as error:  # an AUC in a fold of one class
            raise _Unasked(str(error)) from error
        before, after = np.array(losses)[:, 0], np.array(losses)[:, 1:]
        after = after.reshape(len(losses), len(self.groups), self.repeats).mean(axis=2)
        first = np.argsort(-(after - before[:, np.newaxis]).mean(axis=0), kind="stable")
        curves = self.dependence(first[:_DRAWN].tolist())
        train, test = (sum(map(len, sides)) for sides in zip(*self.sides, strict=True))
        return {
            "groups": [[self.names[j] for j in self.groups[g]] for g in first],
            "before": before.tolist(), "after": after[:, first].T.tolist(),
            "rows": sum(map(len, self.rows)), "repeats": self.repeats,
            "ratio": test / train, "curves": curves, "fits": len(self.outcomes),
            "seconds": sum(one.seconds for one in self.outcomes),
        }  # fmt: skip

    def dependence(self, groups: Sequence[int]) -> list[dict[str, Any]]:
        """Return the mean probabilities where columns have values of a tenth of the rows."""
        data = self.study.data
        tenths = [_tenths(data.X, self.groups[g][0]) for g in groups]
        wanted = [
            (g, pool) for g, (_, values) in zip(groups, tenths, strict=True) for _, pool in values
        ]
        altered = []
        for number, rows in enumerate(self.rows):
            rng, some = self.generator(number, "dependence"), rows[:_CASES]
            if len(rows) > _CASES:
                some = np.sort(rng.permutation(rows)[:_CASES])
            donors = [rng.choice(pool, len(some)) for _, pool in wanted]
            which = np.repeat([g for g, _ in wanted], len(some))
            altered.append((np.tile(some, len(wanted)), np.concatenate(donors), which))
        shape = len(wanted), -1, len(data.target.classes)
        means = [one.probabilities.reshape(shape).mean(axis=1) for one in self.ask(altered)]
        ends = np.cumsum([len(values) for _, values in tenths])[:-1]
        shares = np.split(np.mean(means, axis=0).round(6), ends)
        return [
            {
                "columns": [self.names[j] for j in self.groups[g]],
                "values": [value for value, _ in values],
                "is_number": is_number,
                "shares": own.tolist(),
            }
            for g, (is_number, values), own in zip(groups, tenths, shares, strict=True)
        ]


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
        names=(outcome.candidate,), classes=data.target.names, y=data.target.codes[rows],
        folds=np.zeros((predicted.shape[1], 1, len(rows)), dtype=np.intp),
        predicted=predicted, hard=np.array([bool(outcome.hard)]),
        probabilities=outcome.probabilities.reshape(*shape, outcome.n_classes),
    )  # fmt: skip
    return criterion.fold_losses(found)[0, :, 0, 0]


def _tenths(X: Any, column: int) -> tuple[bool, list[tuple[float | str, NDArray[np.intp]]]]:
    """Return whether a column holds numbers; its values, or the means of tenths, and their rows."""
    import pandas as pd

    values = pd.DataFrame(X).iloc[:, column]
    is_number, levels = _is_number(values), values.value_counts()
    if is_number and len(levels) > _VALUES:
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
        order = np.argsort(numbers, kind="stable")[: values.count()]  # gaps come last
        return True, [
            (float(numbers[pool].mean()), pool) for pool in np.array_split(order, _VALUES)
        ]
    read = float if is_number else str
    some = sorted(levels.index[:_VALUES], key=read)
    return is_number, [(read(one), np.flatnonzero((values == one).to_numpy(bool))) for one in some]


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
    curves = [
        Dependence(
            tuple(one["columns"]), tuple(one["values"]), one["is_number"], np.array(one["shares"])
        )
        for one in found["curves"]
    ]
    return Columns(
        groups=tuple(tuple(names) for names in found["groups"]),
        rise=rise, low=rise - half, high=rise + half, before=float(before.mean()),
        rows=found["rows"], folds=len(before), repeats=found["repeats"], curves=tuple(curves),
    )  # fmt: skip
