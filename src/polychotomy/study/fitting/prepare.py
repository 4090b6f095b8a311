"""Shared preparation: equal first steps of several pipelines are fitted once for each training set.

Vectorising a table costs more than most learners: a study of the built-in candidates takes 2.8 to
3.0 times as long without this. A step is shared only where that cannot be noticed: it has the same
class, parameters and place in at least two candidates, its seed does not depend on the candidate,
and every candidate gets a copy of what comes out. A step's time is counted in full for every
candidate that uses it.

The steps are fitted in a process of their own, which writes the tables to a file; every fit reads
them anew.
"""

from __future__ import annotations

import copy
import pickle
import time
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import joblib
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from polychotomy.core.seeds import seed_of
from polychotomy.study.fitting.causes import recorded_warnings, say_warnings
from polychotomy.study.fitting.model_size import pickled_bytes
from polychotomy.study.fitting.seeding import seeded

# Keys of the first steps of a pipeline.
Beginning = tuple[Hashable, ...]


@dataclass(frozen=True, eq=False)
class Prepared:
    """A training and a test set after some steps, and what these have cost and said."""

    train: Any
    test: Any
    fit_seconds: float = 0.0
    transform_seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    size: int | None = 0  # bytes of the fitted steps; None where they were not weighed


class Preparation(NamedTuple):
    """Some first steps that several candidates share."""

    steps: tuple[Any, ...]  # not fitted
    start: int  # how many steps come before, prepared by another one
    parent: int | None  # which one, in the list of all


def fit_steps(
    preparation: Preparation, before: Prepared, y: Any, *, seed: int, weigh: bool
) -> Prepared:
    """Fit steps in turn on what the steps before gave, on which they may write.

    Parameters
    ----------
    seed : int
        Of the training set.
    weigh : bool
        Say how large the fitted steps are.
    """
    made = before
    for position, step in enumerate(preparation.steps, preparation.start):
        transformer = seeded(clone(step), seed_of(seed, "step", position))
        with recorded_warnings() as caught:
            start = time.perf_counter()
            if hasattr(transformer, "fit_transform"):
                train = transformer.fit_transform(made.train, y)
            else:
                train = transformer.fit(made.train, y).transform(made.train)
            fitted = time.perf_counter()
            test = transformer.transform(made.test)
            finished = time.perf_counter()
        size = pickled_bytes(transformer) if weigh else None
        made = Prepared(
            train, test, made.fit_seconds + fitted - start,
            made.transform_seconds + finished - fitted, (*made.warnings, *say_warnings(caught)),
            None if size is None or made.size is None else made.size + size,
        )  # fmt: skip
    return made


def without_steps(candidate: Any, n_shared: int) -> Any:
    """Return a pipeline that passes its data through where others prepare them for it.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> without_steps(make_pipeline(StandardScaler(), GaussianNB()), 1)[0]
    'passthrough'
    """
    if not n_shared:
        return candidate
    rest = copy.copy(candidate)
    passed = [(name, "passthrough") for name, _ in candidate.steps[:n_shared]]
    rest.steps = [*passed, *candidate.steps[n_shared:]]
    return rest


def write_prepared(path: Path, prepared: Prepared) -> int:
    """Write prepared data to a file; return its size in bytes."""
    with path.open("wb") as file:
        # Unlike pickle, cloudpickle also takes what is of a class that cannot be imported.
        import_module("cloudpickle").dump(prepared, file, protocol=5)
        return file.tell()


def read_prepared(path: Path) -> Prepared:
    """Return prepared data, a copy for whoever reads them, to write on at will.

    Why not map the file into memory: a candidate may write on what it is given, and so would need
    a copy all the same.
    """
    with path.open("rb") as file:
        prepared: Prepared = pickle.load(file)
    return prepared


def plan_preparations(
    candidates: Mapping[str, Any],
) -> tuple[list[Preparation], dict[str, int], dict[str, int]]:
    """Say what to prepare for whom.

    Returns
    -------
    preparations : list of Preparation
        Each after the one it builds on.
    chosen : {candidate: int}
        The last preparation of each candidate that shares any.
    n_shared : {candidate: int}
        How many of its steps these are.
    """
    shared = shared_beginnings(candidates)
    places: dict[Beginning, int] = {}
    preparations = []
    for name, beginning in sorted(shared.items(), key=lambda item: len(item[1])):
        if beginning in places:
            continue
        start = max((n for n in range(1, len(beginning)) if beginning[:n] in places), default=0)
        steps = tuple(step for _, step in candidates[name].steps[start : len(beginning)])
        preparations.append(Preparation(steps, start, places.get(beginning[:start])))
        places[beginning] = len(preparations) - 1
    chosen = {name: places[beginning] for name, beginning in shared.items()}
    return preparations, chosen, {name: len(shared[name]) for name in shared}


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
    plain = type(candidate) is Pipeline and candidate.memory is None
    if not plain or candidate.transform_input is not None:
        return ()
    steps = [step for _, step in candidate.steps[:-1]]
    able = takewhile(lambda one: hasattr(one, "transform") and hasattr(one, "get_params"), steps)
    return tuple(map(_key_of, able))


def _key_of(step: Any) -> Hashable:
    """Return a key that two steps share only if they are the same in all that counts.

    That is the content of their pickle. What cannot be pickled, such as a function without a name,
    is the same as nothing else.
    """
    try:
        return joblib.hash(step)
    except Exception:  # whatever the step's own methods raise
        return id(step)
