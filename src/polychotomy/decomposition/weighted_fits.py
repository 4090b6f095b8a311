"""Which learners fit a bootstrap sample exactly, and faster, as weights on its unique rows.

A bootstrap sample holds 63 % of the rows, some several times. A learner whose objective is a sum
over rows is the same with counts as weights. That is not so where rows are counted (leaf sizes,
neighbours), drawn again (forests), split (Platt scaling), binned or used to scale.
"""

from __future__ import annotations

from sklearn.base import BaseEstimator


def fits_weights_exactly(estimator: BaseEstimator) -> bool:
    """Tell whether fitting unique rows with counts as weights is known to be exact, and faster.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from polychotomy.decomposition.weighted_fits import fits_weights_exactly
    >>> fits_weights_exactly(DecisionTreeClassifier()), fits_weights_exactly(KNeighborsClassifier())
    (True, False)
    >>> fits_weights_exactly(DecisionTreeClassifier(min_samples_leaf=5))
    False
    """
    kind = type(estimator)
    if not kind.__module__.startswith("sklearn."):
        return False
    needed = _NEEDED.get(kind.__name__)
    parameters = estimator.get_params(deep=False)
    return needed is not None and all(parameters.get(key) in ok for key, ok in needed.items())


# Class weights "balanced" count rows, so they must be off.
_NEEDED: dict[str, dict[str, tuple[object, ...]]] = {
    "DecisionTreeClassifier": {
        "class_weight": (None,),
        "min_samples_split": (2,),
        "min_samples_leaf": (1,),
    },
    "LogisticRegression": {
        "class_weight": (None,),
        "solver": ("lbfgs", "newton-cg", "newton-cholesky"),
    },
}
