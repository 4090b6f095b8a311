"""Shared preparation: equal first steps of several pipelines are fitted once a training set.

A step is shared only where that cannot be noticed: it has the same class, parameters and place in
at least two candidates, its seed does not depend on the candidate, and every candidate gets a copy
of what comes out. A step's time is counted in full for every candidate that uses it.
"""

from __future__ import annotations

import copy
import time
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import Pipeline

from polychotomy.core.seeds import seed_of
from polychotomy.study.fitting.fit import seeded_step, unseeded

Beginning = tuple[Hashable, ...]
"""Keys of the first steps of a pipeline."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """A training and a test set after some steps, and what these have cost and said."""

    train: Any
    test: Any
    fit_seconds: float = 0.0
    transform_seconds: float = 0.0
    warnings: tuple[warnings.WarningMessage, ...] = ()
    steps: tuple[Any, ...] = ()  # as fitted

    @cached_property
    def is_finite(self) -> bool:
        """Whether both are plain numbers without gaps."""
        return is_finite(self.train) and is_finite(self.test)

    def train_copy(self) -> Any:
        """Return training data that may be written on."""
        return _copy(self.train)

    def test_copy(self) -> Any:
        """Return test data that may be written on."""
        return _copy(self.test)


class Preparations:
    """What has been prepared of the training set at hand; forgets it when another one comes."""

    def __init__(self) -> None:
        self._place: Hashable = None
        self._prepared: dict[Beginning, Prepared] = {}

    def prepare(
        self,
        place: Hashable,
        beginning: Beginning,
        make_step: Callable[[int], Any],
        make_raw: Callable[[], Prepared],
        y: Any,
    ) -> Prepared:
        """Return the data after the steps, fitting those that have not been fitted here yet.

        They are for several candidates: each takes copies. ``make_step`` returns the step at a
        position, to be fitted; ``make_raw`` the data before all steps.
        """
        if place != self._place:
            self._place, self._prepared = place, {}
        before = self._prepared.get(())
        if before is None:
            before = self._prepared[()] = make_raw()
        for end in range(1, len(beginning) + 1):
            found = self._prepared.get(beginning[:end])
            if found is None:
                found = self._prepared[beginning[:end]] = _fit_step(make_step(end - 1), before, y)
            before = found
        return before


def _fit_step(transformer: Any, before: Prepared, y: Any) -> Prepared:
    """Fit one step on a copy of what the step before it gave."""
    raw = before.train_copy()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        start = time.perf_counter()
        if hasattr(transformer, "fit_transform"):
            train = transformer.fit_transform(raw, y)
        else:
            train = transformer.fit(raw, y).transform(raw)
        fitted = time.perf_counter()
        test = transformer.transform(before.test_copy())
        finished = time.perf_counter()
    return Prepared(
        train,
        test,
        before.fit_seconds + fitted - start,
        before.transform_seconds + finished - fitted,
        (*before.warnings, *caught),
        (*before.steps, transformer),
    )


def is_finite(data: Any) -> bool:
    """Say whether data are an array of floats, all finite.

    Examples
    --------
    >>> is_finite(np.ones((2, 2))), is_finite(np.array([[1.0, np.nan]])), is_finite([[1.0]])
    (True, False, False)
    """
    return isinstance(data, np.ndarray) and data.dtype.kind == "f" and bool(np.isfinite(data).all())


def _copy(data: Any) -> Any:
    """Copy data; an array keeps its order in memory, on which the last digits may depend."""
    if isinstance(data, np.ndarray):
        return data.copy(order="K")
    return data.copy() if hasattr(data, "copy") else copy.deepcopy(data)


def shared_beginnings(candidates: Mapping[str, Any]) -> dict[str, Beginning]:
    """Return the first steps that each candidate has in common with another one.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import MinMaxScaler, StandardScaler
    >>> found = shared_beginnings({
    ...     "a": make_pipeline(StandardScaler(), GaussianNB()),
    ...     "b": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    ...     "c": make_pipeline(MinMaxScaler(), GaussianNB()),
    ... })
    >>> {name: len(beginning) for name, beginning in found.items()}
    {'a': 1, 'b': 1}
    """
    beginnings = {name: _beginning_of(candidate) for name, candidate in candidates.items()}
    uses = Counter(
        beginning[:end] for beginning in beginnings.values() for end in range(1, len(beginning) + 1)
    )
    shared = {
        name: beginning[: sum(uses[beginning[:end]] > 1 for end in range(1, len(beginning) + 1))]
        for name, beginning in beginnings.items()
    }
    return {name: beginning for name, beginning in shared.items() if beginning}


def _beginning_of(candidate: Any) -> Beginning:
    """Return the keys of a plain pipeline's first steps, up to one that is no transformer."""
    if type(candidate) is not Pipeline or candidate.memory is not None:
        return ()
    if getattr(candidate, "transform_input", None) is not None:
        return ()
    steps = [step for _, step in candidate.steps[:-1]]
    return tuple(content_key(step) for step in takewhile(_transforms, steps))


def _transforms(step: Any) -> bool:
    return hasattr(step, "transform") and hasattr(step, "get_params")


def content_key(value: Any) -> Hashable:
    """Return a key that two values share only if they are the same in all that counts.

    Plain values count by content, estimators by class and parameters, anything else (a function,
    an object of unknown kind) only as the very same object.

    Examples
    --------
    >>> from sklearn.preprocessing import StandardScaler
    >>> content_key(StandardScaler()) == content_key(StandardScaler())
    True
    >>> content_key(StandardScaler()) == content_key(StandardScaler(with_mean=False))
    False
    >>> content_key(1) == content_key(True), content_key(0.0) == content_key(-0.0)
    (False, False)
    """
    kind = type(value)
    if value is None or kind in (bool, int, float, complex, str, bytes):
        return kind, repr(value)
    if kind in (list, tuple):
        return kind, tuple(content_key(item) for item in value)
    if kind is dict:
        return kind, tuple((content_key(k), content_key(v)) for k, v in value.items())
    if kind is np.ndarray and value.dtype != object:
        return kind, value.dtype.str, value.shape, value.tobytes()
    if hasattr(value, "get_params") and not isinstance(value, type):
        # Beside its parameters, what a transformer returns depends on set_output and on routing.
        settings = [
            getattr(value, name, None) for name in ("_sklearn_output_config", "_metadata_request")
        ]
        parameters = sorted(value.get_params(deep=False).items())
        return kind, content_key(settings), tuple((k, content_key(v)) for k, v in parameters)
    return kind, id(value)


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

    The same as :func:`polychotomy.study.fitting.fit.seeded` gives to the whole candidate.
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
