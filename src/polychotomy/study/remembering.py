"""Answers of a model remembered while it predicts, since labels and probabilities share them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

_SHARED = ("decision_function", "predict_proba", "kneighbors")
"""What ``predict`` and ``predict_proba`` of scikit-learn's classifiers ask of themselves."""


@contextmanager
def remembering(model: Any) -> Iterator[None]:
    """Let a model answer the same question about the same data once.

    For scikit-learn's own classifiers and ours: what they answer depends on the data alone.

    Examples
    --------
    >>> from polychotomy.learners import NearestMeanClassifier
    >>> rows = np.array([[0.0], [2.0]])
    >>> model = NearestMeanClassifier().fit(rows, [0, 1])
    >>> with remembering(model):
    ...     labels, shares = model.predict(rows), model.predict_proba(rows)  # distances once
    >>> labels.tolist(), "predict_proba" in vars(model)
    ([0, 1], False)
    """
    methods = [name for name in _SHARED if hasattr(model, name)]
    for name in methods:
        vars(model)[name] = _remembered(getattr(model, name))
    try:
        yield
    finally:
        for name in methods:
            del vars(model)[name]


def can_remember(model: Any) -> bool:
    """Say whether a model answers twice in the same way: a generator as seed moves on.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> can_remember(DummyClassifier(random_state=0))
    True
    >>> can_remember(DummyClassifier(random_state=np.random.RandomState(0)))
    False
    """
    seed = getattr(model, "random_state", None)
    return seed is None or isinstance(seed, int | np.integer)


def _remembered(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method; every caller gets a copy, since some write on what they get."""
    known: dict[tuple[Any, ...], tuple[Any, Any]] = {}

    def answer(X: Any = None, *more: Any, **named: Any) -> Any:
        question = (id(X), more, tuple(named.items()))
        if question not in known:
            known[question] = X, method(X, *more, **named)
        return copy.deepcopy(known[question][1])

    return answer
