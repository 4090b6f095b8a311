"""What scikit-learn says of an estimator: allowed parameters, whether it takes sample weights."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any

import numpy as np
from sklearn.utils._param_validation import InvalidParameterError
from sklearn.utils.validation import has_fit_parameter

from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput


def check_parameters(estimator: Any) -> None:
    """Raise for the first parameter that its constraints do not allow.

    scikit-learn says which parameter, what is allowed and what it got; its error is no
    ``PolychotomyError``, so it is raised again as one.

    Examples
    --------
    >>> from polychotomy.learners import PrunedTreeClassifier
    >>> from polychotomy.core.estimators import check_parameters
    >>> check_parameters(PrunedTreeClassifier(min_samples_leaf=0))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    polychotomy.core.exceptions.InvalidInput: The 'min_samples_leaf' parameter of ... Got 0 instead.
    """
    try:
        estimator._validate_params()
    except InvalidParameterError as error:
        raise InvalidInput(str(error)) from None


def takes_sample_weight(estimator: Any) -> bool:
    """Tell whether ``fit`` takes ``sample_weight`` without scikit-learn's metadata routing.

    An ensemble of named members, such as a VotingClassifier, passes on what it gets: it takes
    weights where all of its members do.

    Examples
    --------
    >>> from sklearn.ensemble import VotingClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from polychotomy.core.estimators import takes_sample_weight
    >>> takes_sample_weight(VotingClassifier([("bayes", GaussianNB())]))
    True
    >>> takes_sample_weight(VotingClassifier([("neighbours", KNeighborsClassifier())]))
    False
    """
    if has_fit_parameter(estimator, "sample_weight"):
        return True
    members = getattr(estimator, "estimators", None)
    if not isinstance(members, list | tuple) or not members or not _passes_on(estimator):
        return False
    return all(isinstance(member, str) or takes_sample_weight(member) for _name, member in members)


MOST_COPIES = 20

_MOVED = 0.05  # share of all weight: the chance of the rows does more


def counts_for(weights: Floats) -> Ints | None:
    """Return how often each row counts, where weights are multiples of one number; else None.

    Of the largest such number, so that their scale is no matter; 20 times on average at most.

    Examples
    --------
    >>> from polychotomy.core.estimators import counts_for
    >>> counts_for(np.array([0.5, 0.75, 0.0, 1.5])), counts_for(np.array([0.5, 0.7071]))
    (array([2, 3, 0, 6]), None)
    """
    least = weights[weights > 0].min()
    for unit in least / np.arange(1, MOST_COPIES + 1):
        counts = np.round(weights / unit)
        if np.allclose(counts * unit, weights, rtol=1e-6, atol=0) and counts.mean() <= MOST_COPIES:
            return counts.astype(np.intp)
    return None


def counts_near(weights: Floats) -> tuple[Ints, float] | None:
    """Return how often each row counts, by any weights, and the share of these that rounding moves.

    It is the least of 1 to 20 times on average by which at most 5 % of all weight are moved; None
    where 20 times do not do.

    Examples
    --------
    >>> from polychotomy.core.estimators import counts_near
    >>> counts, moved = counts_near(np.array([0.5, 0.7071, 3.1, 0.9]))
    >>> counts.tolist(), round(moved, 3)
    ([2, 3, 12, 3], 0.046)
    >>> counts_near(np.array([1e-9] * 60 + [0.7, 1.1]))
    """
    for copies in range(1, MOST_COPIES + 1):
        unit = weights.mean() / copies
        counts = np.maximum(np.round(weights / unit), weights > 0)  # no row, nor class, is lost
        moved = float(np.abs(counts * unit - weights).sum() / weights.sum())
        if moved <= _MOVED and counts.mean() <= MOST_COPIES:
            return counts.astype(np.intp), moved
    return None


def _passes_on(estimator: Any) -> bool:
    parameters = signature(estimator.fit).parameters.values()
    return any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters)
