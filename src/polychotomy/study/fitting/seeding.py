"""A seed for every random part of an estimator that has none."""

from __future__ import annotations

from typing import Any, NamedTuple

from sklearn.pipeline import Pipeline

from polychotomy.core.seeds import seed_of


class RandomParts(NamedTuple):
    """Names of an estimator's parameters that wait for a seed."""

    steps: dict[int, list[str]]  # by position, of those that are seeded by the training set
    rest: list[str]


def random_parts(estimator: Any, *, prepares: bool) -> RandomParts:
    """Find what waits for a seed; to ask for all parameters takes as long as a small fit.

    Parameters
    ----------
    prepares : bool
        Whether all steps of a pipeline but the last are seeded by the training set.
    """
    names = unseeded(estimator)
    if not prepares or type(estimator) is not Pipeline:
        return RandomParts({}, names)
    steps, first = {}, set()
    for position, (name, step) in enumerate(estimator.steps[:-1]):
        if hasattr(step, "get_params"):  # else "passthrough"
            steps[position] = unseeded(step)
            first |= {f"{name}__{one}" for one in steps[position]}
    return RandomParts(steps, [name for name in names if name not in first])


def seeded(
    estimator: Any,
    seed: int,
    *,
    preparation_seed: int | None = None,
    parts: RandomParts | None = None,
) -> Any:
    """Give every random part of an estimator that has no seed one of its own.

    Parameters
    ----------
    seed : int
        The trial's.
    preparation_seed : int, optional
        The training set's, for all steps of a pipeline but the last: candidates that prepare the
        data in the same way then compare their learners on the same prepared data.
    parts : RandomParts, optional
        What was found in an estimator of which this is a clone.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(DecisionTreeClassifier(), 1).random_state is None
    False
    >>> seeded(DecisionTreeClassifier(random_state=3), 1).random_state
    3
    """
    prepares = preparation_seed is not None
    found = random_parts(estimator, prepares=prepares) if parts is None else parts
    for position, names in found.steps.items():
        own = seed_of(preparation_seed or 0, "step", position)
        _set_seeds(estimator.steps[position][1], own, names)
    return _set_seeds(estimator, seed, found.rest)


def seeded_step(step: Any, position: int, preparation_seed: int) -> Any:
    """Seed a step of a pipeline by its position, whatever its name and the other steps are."""
    if not hasattr(step, "get_params"):  # "passthrough"
        return step
    return _set_seeds(step, seed_of(preparation_seed, "step", position), unseeded(step))


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


def _set_seeds(estimator: Any, seed: int, names: list[str]) -> Any:
    return estimator.set_params(**{name: seed_of(seed, name) for name in names})
