"""A seed for every random part of an estimator that has none."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline

from polychotomy.core.seeds import seed_of


def seeded(estimator: Any, seed: int, *, preparation_seed: int | None = None) -> Any:
    """Give every random part of an estimator that has no seed one of its own.

    Parameters
    ----------
    seed : int
        The trial's.
    preparation_seed : int, optional
        The training set's, for all steps of a pipeline but the last: candidates that prepare the
        data in the same way then compare their learners on the same prepared data.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(DecisionTreeClassifier(), 1).random_state is None
    False
    >>> seeded(DecisionTreeClassifier(random_state=3), 1).random_state
    3
    """
    if preparation_seed is not None and type(estimator) is Pipeline:
        for position, (_, step) in enumerate(estimator.steps[:-1]):
            seeded_step(step, position, preparation_seed)
    return _set_seeds(estimator, seed)


def seeded_step(step: Any, position: int, preparation_seed: int) -> Any:
    """Seed a step of a pipeline by its position, whatever its name and the other steps are."""
    if not hasattr(step, "get_params"):  # "passthrough"
        return step
    return _set_seeds(step, seed_of(preparation_seed, "step", position))


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


def _set_seeds(estimator: Any, seed: int) -> Any:
    names = unseeded(estimator)
    return estimator.set_params(**{name: seed_of(seed, name) for name in names})
