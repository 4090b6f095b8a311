"""A classifier whose settings are searched on its training part alone."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, log
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import GridSearchCV, ParameterGrid, StratifiedKFold, check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_method_params

from polychotomy.core.arguments import unexpected
from polychotomy.core.exceptions import PolychotomyWarning

_FEWEST = 300  # rows that settings are compared on first: of fewer, folds of it hardly tell


class SearchWarning(PolychotomyWarning):
    """What a search of settings found, which a verdict notes where it is so in most fits."""


def tuned(
    estimator: Any,
    grid: Mapping[str, Sequence[Any]],
    *,
    scoring: Any = None,
    folds: int = 3,
    halving: bool = False,
) -> GridSearchCV:
    """Return a classifier that searches its settings in every fit, on what it is fitted to.

    As a candidate it is judged nested: each fold chooses its own settings, so that no held-out row
    has a part in the choice. One fit takes the settings times the folds, and one more. Where the
    best value is the largest or the smallest tried, the fit warns; a verdict notes that, and where
    the best are those that the estimator has anyway, if it is so in most fits.

    Parameters
    ----------
    estimator : classifier
    grid : {name: values}
        What to try, in all combinations; of equals the first is taken, so begin with the simplest.
        Names are those of ``estimator.set_params``; of a pipeline's last step, its own.
    scoring : str or callable, optional
        As in scikit-learn; by default the accuracy.
    folds : int
        Stratified folds of the training part.
    halving : bool
        Successive halving: compare all settings on a third of the training part, or a ninth, of
        300 rows at least, then the best third of them on three times as many, up to all.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> candidate = tuned(make_pipeline(StandardScaler(), SVC()), {"C": [1, 0.1, 10, 100]})
    >>> candidate.fit(*load_iris(return_X_y=True)).best_params_
    {'svc__C': 10}
    """
    known = estimator.get_params()
    last = f"{estimator.steps[-1][0]}__" if isinstance(estimator, Pipeline) else ""
    named = {name if name in known else f"{last}{name}": [*tried] for name, tried in grid.items()}
    if not named or not named.keys() <= known.keys() or not all(named.values()):
        expected = f"{{name: values}} with settings of {type(estimator).__name__}, a value each"
        raise unexpected("grid", dict(grid), expected)
    # Shuffled, as tables are often sorted by something; the same drawing for every setting.
    cv = StratifiedKFold(folds, shuffle=True, random_state=0)
    return TunedClassifier(estimator, named, scoring=scoring, cv=cv, halving=halving)


class TunedClassifier(GridSearchCV):
    """What :func:`tuned` returns: scikit-learn's search, which may halve, and warns."""

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        scoring: Any = None,
        cv: Any = None,
        halving: bool = False,
    ) -> None:
        super().__init__(estimator, param_grid, scoring=scoring, cv=cv)
        self.halving = halving

    def fit(self, X: ArrayLike, y: ArrayLike | None = None, **params: Any) -> Self:
        """Search the settings, and fit the best to all of it."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The least populated class")
            self._left = self._halve(X, np.asarray(y), params)
            super().fit(X, y, **params)
        # Kept by every model else, and no part of it.
        del self.cv_results_, self._left
        for text in _edges(self.param_grid, self.best_params_):
            warnings.warn(text, SearchWarning, stacklevel=2)
        return self

    def _run_search(self, evaluate_candidates: Callable[[Any], Any]) -> None:
        """Compare the settings that are left on all rows; scikit-learn's hook for this."""
        evaluate_candidates(self._left)

    # Not scikit-learn's HalvingGridSearchCV, which is experimental, begins with as few rows as
    # the folds take, and has settings that the first rounds left behind among its results.
    def _halve(self, X: Any, y: Any, params: dict[str, Any]) -> list[dict[str, Any]]:
        left, parts = list(ParameterGrid(self.param_grid)), [np.arange(len(y))]
        for _ in range(self._rounds(len(y))):
            rows = parts[-1]
            thirds = StratifiedKFold(3, shuffle=True, random_state=0).split(rows, y[rows])
            parts.append(rows[next(thirds)[1]])
        for rows in parts[:0:-1]:
            grid = [{name: [value] for name, value in one.items()} for one in left]
            search = GridSearchCV(
                self.estimator, grid, scoring=self.scoring, cv=self.cv, refit=False
            )
            part = _safe_indexing(X, rows), y[rows]
            search.fit(*part, **_check_method_params(y, params, rows))
            score = np.nan_to_num(search.cv_results_["mean_test_score"], nan=-np.inf)
            best = np.argsort(-score, kind="stable")[: ceil(len(left) / 3)]
            left = [left[i] for i in np.sort(best)]  # of equals the first, as without
        return left

    def _rounds(self, rows: int) -> int:
        """How often settings are compared on a part of the rows before all."""
        settings = len(ParameterGrid(self.param_grid))
        if not self.halving or settings < 3 or rows < 3 * _FEWEST:
            return 0
        return int(min(log(settings, 3), log(rows / _FEWEST, 3)) + 1e-9)

    def fits_in_one(self, rows: int) -> int:
        """How many fits to all of its rows one of it is worth."""
        settings, rounds = len(ParameterGrid(self.param_grid)), self._rounds(rows)
        worth = 0.0
        for back in range(rounds, -1, -1):
            worth += settings / 3**back
            settings = ceil(settings / 3)
        return ceil(worth * int(self.cv.get_n_splits())) + 1


def count_inner_fits(candidate: Any, rows: int) -> int:
    """Return how many fits one of a candidate that searches its settings takes; 0 without any.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> count_inner_fits(GridSearchCV(SVC(), {"C": [1, 10]}, cv=4), 100), count_inner_fits(SVC(), 9)
    (9, 0)
    """
    if isinstance(candidate, TunedClassifier):
        return candidate.fits_in_one(rows)
    grid, drawn = getattr(candidate, "param_grid", None), getattr(candidate, "n_iter", None)
    if grid is None and not (drawn and hasattr(candidate, "param_distributions")):
        return 0
    settings = len(ParameterGrid(grid)) if grid is not None else int(drawn or 0)
    return settings * int(check_cv(candidate.cv).get_n_splits()) + 1


def search_warnings(search: Any) -> Iterator[str]:
    """Yield what is to be known of a search that was made: the edge of its grid, or no change.

    Of scikit-learn's own searches too.
    """
    best = search.best_params_
    grid = getattr(search, "param_grid", getattr(search, "param_distributions", None))
    if not isinstance(grid, Mapping):
        return
    given = search.estimator.get_params()
    if all(isinstance(v, Real | str) and given.get(name) == v for name, v in best.items()):
        yield "the best of the values tried are those that it has untuned"
    yield from _edges(grid, best)


def _edges(grid: Mapping[str, Any], best: Mapping[str, Any]) -> Iterator[str]:
    for name, tried in grid.items():
        # Of two values, each is at an edge.
        if not hasattr(tried, "__len__") or len(tried) < 3:
            continue
        if all(isinstance(v, Real) and not isinstance(v, bool) for v in tried):
            for end, which in ((min(tried), "smallest"), (max(tried), "largest")):
                if best[name] == end:
                    yield f"the best {name}, {end:g}, is the {which} of the values tried"
