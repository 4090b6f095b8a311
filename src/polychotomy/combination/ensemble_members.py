"""The named members of an ensemble, checked."""

from __future__ import annotations

from collections.abc import Sequence

from sklearn.base import BaseEstimator, is_classifier

from polychotomy.exceptions import InvalidInput

Member = tuple[str, BaseEstimator]


def used_members(
    estimators: Sequence[tuple[str, BaseEstimator | str]], reserved: set[str]
) -> list[Member]:
    """Return the members that are not dropped, or say what is wrong with them.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from polychotomy.combination.ensemble_members import used_members
    >>> used_members([("tree", DecisionTreeClassifier()), ("none", "drop")], set())
    [('tree', DecisionTreeClassifier())]
    """
    if not isinstance(estimators, (list, tuple)) or not all(_is_pair(one) for one in estimators):
        raise InvalidInput(
            f"estimators is {estimators!r}; expected a list of (name, classifier) pairs."
        )
    _check_names([name for name, _ in estimators], reserved)
    for name, one in estimators:
        if not _is_usable(one):
            raise InvalidInput(
                f"the estimator {name!r} is {one!r}; expected a classifier, or 'drop'."
            )
    used = [(name, one) for name, one in estimators if not isinstance(one, str)]
    if not used:
        raise InvalidInput("all estimators are dropped or none was given; expected at least one.")
    return used


def _is_pair(one: object) -> bool:
    return isinstance(one, (list, tuple)) and len(one) == 2 and isinstance(one[0], str)


def _is_usable(one: object) -> bool:
    if isinstance(one, str):
        return one == "drop"
    return hasattr(one, "__sklearn_tags__") and bool(is_classifier(one))


def _check_names(names: list[str], reserved: set[str]) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InvalidInput(f"two estimators are called {name!r}; expected different names.")
        if "__" in name or name in reserved:
            raise InvalidInput(
                f"an estimator is called {name!r}; expected a name without '__' that is no "
                "parameter of the ensemble, since its parameters are set as name__parameter."
            )
