"""A seed for every random part of an estimator that has none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sklearn.pipeline import Pipeline

from polychotomy.core.seeds import seed_of


def seeded(
    estimator: Any,
    seed: int,
    *,
    preparation_seed: int | None = None,
    names: Iterable[str] | None = None,
) -> Any:
    """Give every random part of an estimator that has no seed one of its own.

    Parameters
    ----------
    seed : int
        The trial's.
    preparation_seed : int, optional
        The training set's, for all steps of a pipeline but the last, by their position: candidates
        that prepare the data in the same way then compare their learners on the same prepared data.
    names : iterable of str, optional
        What :func:`unset` has found in an estimator of which this is a clone: to ask for all
        parameters takes as long as a small fit.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(DecisionTreeClassifier(), 1).random_state is None
    False
    >>> seeded(DecisionTreeClassifier(random_state=3), 1).random_state
    3
    """
    first: dict[str, int] = {}
    if preparation_seed is not None and type(estimator) is Pipeline:
        steps = enumerate(estimator.steps[:-1])
        first = {name: seed_of(preparation_seed, "step", position) for position, (name, _) in steps}
    seeds = {}
    for name in unset(estimator, "random_state") if names is None else names:
        step, _, inner = name.partition("__")
        seeds[name] = seed_of(first[step], inner) if step in first else seed_of(seed, name)
    return estimator.set_params(**seeds)


def unset(estimator: Any, parameter: str) -> list[str]:
    """Return the names under which a parameter, of any part of an estimator, is None.

    Examples
    --------
    >>> from sklearn.ensemble import BaggingClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> unset(BaggingClassifier(DecisionTreeClassifier(), random_state=0), "random_state")
    ['estimator__random_state']
    """
    parts = estimator.get_params(deep=True).items()
    return [name for name, value in parts if value is None and name.split("__")[-1] == parameter]


def with_one_job(estimator: Any) -> Any:
    """Set every ``n_jobs`` that is None to 1; scikit-learn's own take it for that.

    LightGBM takes it for all processors, whatever the threads that its process may have. These wait
    for one another: beside other workers it is ten times as slow, and other numbers of threads give
    other trees.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> class Mine(KNeighborsClassifier): ...
    >>> with_one_job(KNeighborsClassifier()).n_jobs, with_one_job(Mine()).n_jobs
    (None, 1)
    """
    parts = {"": estimator, **estimator.get_params(deep=True)}
    owners = {name: parts[name.rpartition("__")[0]] for name in unset(estimator, "n_jobs")}
    names = [n for n, one in owners.items() if type(one).__module__.split(".")[0] != "sklearn"]
    return estimator.set_params(**dict.fromkeys(names, 1))
