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
        What :func:`unseeded` has found in an estimator of which this is a clone: to ask for all
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
    for name in unseeded(estimator) if names is None else names:
        step, _, inner = name.partition("__")
        seeds[name] = seed_of(first[step], inner) if step in first else seed_of(seed, name)
    return estimator.set_params(**seeds)


def unseeded(estimator: Any) -> list[str]:
    """Return the names of the parameters that wait for a seed.

    Examples
    --------
    >>> from sklearn.ensemble import BaggingClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> unseeded(BaggingClassifier(DecisionTreeClassifier(), random_state=0))
    ['estimator__random_state']
    """
    return [
        name
        for name, value in estimator.get_params(deep=True).items()
        if (name == "random_state" or name.endswith("__random_state")) and value is None
    ]
