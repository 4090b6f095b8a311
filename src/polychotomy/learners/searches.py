"""Searches of settings: what one costs, and what is to be known of what it found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Real
from typing import Any

from polychotomy.core.exceptions import PolychotomyWarning


class SearchWarning(PolychotomyWarning):
    """What a search of settings found, which a verdict notes where it is so in most fits."""


def count_inner_fits(candidate: Any, rows: int) -> int:
    """Return how many fits one of a candidate that searches its settings takes; 0 without any.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.svm import SVC
    >>> count_inner_fits(GridSearchCV(SVC(), {"C": [1, 10]}, cv=4), 100), count_inner_fits(SVC(), 9)
    (9, 0)
    """
    if hasattr(candidate, "fits_in_one"):  # of `tuned`
        return int(candidate.fits_in_one(rows))
    grid, drawn = getattr(candidate, "param_grid", None), getattr(candidate, "n_iter", None)
    if grid is None and not (drawn and hasattr(candidate, "param_distributions")):
        return 0
    from sklearn.model_selection import ParameterGrid, check_cv

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
    yield from edges(grid, best)


def edges(grid: Mapping[str, Any], best: Mapping[str, Any]) -> Iterator[str]:
    """Yield which of the best values are the smallest or the largest tried."""
    for name, tried in grid.items():
        # Of two values, each is at an edge.
        if not hasattr(tried, "__len__") or len(tried) < 3:
            continue
        if all(isinstance(v, Real) and not isinstance(v, bool) for v in tried):
            for end, which in ((min(tried), "smallest"), (max(tried), "largest")):
                if best[name] == end:
                    yield f"the best {name}, {end:g}, is the {which} of the values tried"
