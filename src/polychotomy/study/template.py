"""A candidate taken apart once: shared steps, the rest, and where seeds go."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import Pipeline

from polychotomy.study.seeding import seeded_step, unseeded
from polychotomy.study.seeds import seed_of

_OWN = ("sklearn.", "polychotomy.")
_ATOMS = (type(None), bool, int, float, str)
_COPIES = ("__new__", "__deepcopy__", "__copy__", "__getstate__", "__setstate__", "__reduce_ex__")


class Template:
    """Fresh models of one candidate, each equal to a seeded clone, at a fraction of its time.

    Parameters
    ----------
    candidate : classifier
    n_shared : int
        First steps of a pipeline that are fitted elsewhere; models are made of the rest.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> template = Template(make_pipeline(StandardScaler(), DecisionTreeClassifier()), 1)
    >>> template.make(seed=lambda: 1, preparation_seed=lambda: 2).random_state is None
    False
    >>> template.make_step(0, preparation_seed=2)
    StandardScaler()
    """

    def __init__(self, candidate: Any, n_shared: int) -> None:
        pristine = clone(candidate)
        self._pristine = pristine
        self._shared = [step for _, step in pristine.steps[:n_shared]] if n_shared else []
        self._rest = _rest_of(pristine, n_shared)
        self._seeds = _seeds_of(self._rest, pristine, n_shared)
        self.is_plain = _is_plain(self._rest)
        self._is_flat = _is_flat(self._rest)

    def make(self, *, seed: Callable[[], int], preparation_seed: Callable[[], int]) -> Any:
        """Return a model that has not been fitted, its random parts seeded.

        Seeds are asked for only where there is something to seed.
        """
        model = self._copy_rest()
        if not self._seeds:
            return model
        values = {
            local: seed_of(seed(), name)
            if position is None
            else seed_of(seed_of(preparation_seed(), "step", position), name)
            for local, position, name in self._seeds
        }
        if values.keys() == {"random_state"} and type(model).set_params is BaseEstimator.set_params:
            model.random_state = values["random_state"]  # all that set_params does, and it is slow
        else:
            model.set_params(**values)
        return model

    def _copy_rest(self) -> Any:
        if not self._is_flat:
            return copy.deepcopy(self._rest)
        model = object.__new__(type(self._rest))
        vars(model).update(vars(self._rest))
        return model

    def make_step(self, position: int, *, preparation_seed: int) -> Any:
        """Return a shared step that has not been fitted, its random parts seeded."""
        return seeded_step(copy.deepcopy(self._shared[position]), position, preparation_seed)

    def join(self, shared: Sequence[Any], model: Any) -> Any:
        """Return the whole candidate, fitted: shared steps and a model of the rest."""
        rest = model.steps if isinstance(self._rest, Pipeline) else [(None, model)]
        parts = [*shared, *(step for _, step in rest)]
        whole = copy.copy(self._pristine)
        whole.steps = [(name, part) for (name, _), part in zip(whole.steps, parts, strict=True)]
        return whole


def _rest_of(pristine: Any, n_shared: int) -> Any:
    if not n_shared:
        return pristine
    rest = pristine.steps[n_shared:]
    return rest[0][1] if len(rest) == 1 else Pipeline(rest)


def _seeds_of(rest: Any, pristine: Any, n_shared: int) -> list[tuple[str, int | None, str]]:
    """List the parameters to seed: name in the rest, position if in a step, name for the seed.

    The same as :func:`polychotomy.study.seeding.seeded` gives to the whole candidate.
    """
    if type(pristine) is not Pipeline:
        return [(name, None, name) for name in unseeded(rest)]
    found: list[tuple[str, int | None, str]] = []
    for position, (name, step) in enumerate(pristine.steps[:-1]):
        if position >= n_shared and hasattr(step, "get_params"):
            found += [(f"{name}__{inner}", position, inner) for inner in unseeded(step)]
    name, last = pristine.steps[-1]
    prefix = "" if rest is last else f"{name}__"
    return found + [(prefix + inner, None, f"{name}__{inner}") for inner in unseeded(last)]


def _is_flat(estimator: Any) -> bool:
    """Say whether copying an estimator's attributes is all that copying it is.

    All are plain values, and its class says nothing else about copying.
    """
    kind = type(estimator)
    return (
        isinstance(estimator, BaseEstimator)
        and all(getattr(kind, name, None) is getattr(BaseEstimator, name, None) for name in _COPIES)
        and not any("__slots__" in vars(one) for one in kind.__mro__[:-1])
        and all(type(value) in _ATOMS for value in vars(estimator).values())
    )


def _is_plain(estimator: Any) -> bool:
    """Say whether an estimator checks nothing but its own parameters and its data.

    Those of scikit-learn and ours do, if they are not made of others.
    """
    inner = estimator.get_params(deep=True).values()
    return type(estimator).__module__.startswith(_OWN) and not any(
        hasattr(value, "get_params") for value in inner
    )
