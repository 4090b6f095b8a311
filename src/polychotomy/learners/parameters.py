"""Parameters of an estimator, held to its constraints in the library's own words."""

from __future__ import annotations

from typing import Protocol

from sklearn.utils._param_validation import InvalidParameterError

from polychotomy.exceptions import InvalidInput


class Constrained(Protocol):
    """An estimator with ``_parameter_constraints``, scikit-learn's way to say what is allowed."""

    def _validate_params(self) -> None: ...


def check_parameters(estimator: Constrained) -> None:
    """Raise for the first parameter that its constraints do not allow.

    scikit-learn says which parameter, what is allowed and what it got; its error is no
    ``PolychotomyError``, so it is raised again as one.

    Examples
    --------
    >>> from polychotomy.learners import PrunedTreeClassifier
    >>> from polychotomy.learners.parameters import check_parameters
    >>> check_parameters(PrunedTreeClassifier(min_samples_leaf=0))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    polychotomy.exceptions.InvalidInput: The 'min_samples_leaf' parameter of ... Got 0 instead.
    """
    try:
        estimator._validate_params()
    except InvalidParameterError as error:
        raise InvalidInput(str(error)) from None
