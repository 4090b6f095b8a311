"""Which learners take sample weights."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any

from sklearn.utils.validation import has_fit_parameter


def takes_sample_weight(estimator: Any) -> bool:
    """Tell whether ``fit`` takes ``sample_weight`` without scikit-learn's metadata routing.

    An ensemble of named members, such as a VotingClassifier, passes on what it gets: it takes
    weights where all of its members do.

    Examples
    --------
    >>> from sklearn.ensemble import VotingClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from polychotomy.learners.sample_weights import takes_sample_weight
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


def _passes_on(estimator: Any) -> bool:
    parameters = signature(estimator.fit).parameters.values()
    return any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters)
