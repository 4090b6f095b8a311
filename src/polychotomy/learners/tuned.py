"""A classifier whose settings are searched on its training part alone."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any, Self

from numpy.typing import ArrayLike
from sklearn.model_selection import GridSearchCV, ParameterGrid, StratifiedKFold

from polychotomy.core.exceptions import InvalidInput

AT_THE_EDGE = "of the values tried"


def tuned(
    estimator: Any, grid: Mapping[str, Sequence[Any]], *, scoring: Any = None, folds: int = 3
) -> GridSearchCV:
    """Return a classifier that searches its settings in every fit, on what it is fitted to.

    As a candidate it is judged nested: each fold chooses its own settings, so that no held-out row
    has a part in the choice. One fit takes the settings times the folds, and one more. Where the
    best value is the largest or the smallest tried, the fit warns, and a verdict notes it if that
    is so in most fits.

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
    known, steps = estimator.get_params(), getattr(estimator, "steps", None)
    last = f"{steps[-1][0]}__" if steps else ""
    named = {name if name in known else f"{last}{name}": [*tried] for name, tried in grid.items()}
    unknown = [name for name in named if name not in known]
    if unknown or not named or not all(named.values()):
        raise InvalidInput(
            f"the grid is {dict(grid)!r}; expected {{name: values}} with settings of "
            f"{type(estimator).__name__}, each with a value at least"
            + (f": it has no {unknown[0].removeprefix(last)!r}." if unknown else ".")
        )
    # Shuffled, as tables are often sorted by something; the same drawing for every setting.
    cv = StratifiedKFold(folds, shuffle=True, random_state=0)
    return TunedClassifier(estimator, named, scoring=scoring, cv=cv)


class TunedClassifier(GridSearchCV):
    """What :func:`tuned` returns: scikit-learn's search, which warns at the edge of its grid."""

    def __init__(
        self, estimator: Any, param_grid: Any, *, scoring: Any = None, cv: Any = None
    ) -> None:
        super().__init__(estimator, param_grid, scoring=scoring, cv=cv)

    @property
    def inner_fits(self) -> int:
        """How many fits one of it takes."""
        return len(ParameterGrid(self.param_grid)) * int(self.cv.get_n_splits()) + 1

    def fit(self, X: ArrayLike, y: ArrayLike | None = None, **params: Any) -> Self:
        """Search the settings, and fit the best to all of it."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The least populated class")
            super().fit(X, y, **params)
        # Kept by every model else, and no part of it.
        del self.cv_results_
        for text in self._at_the_edge():
            warnings.warn(text, stacklevel=2)
        return self

    def _at_the_edge(self) -> Iterator[str]:
        for name, tried in self.param_grid.items():
            # Of two values, each is at an edge.
            if len(tried) > 2 and all(
                isinstance(v, Real) and not isinstance(v, bool) for v in tried
            ):
                for end, which in ((min(tried), "smallest"), (max(tried), "largest")):
                    if self.best_params_[name] == end:
                        yield f"the best {name}, {end:g}, is the {which} {AT_THE_EDGE}"
