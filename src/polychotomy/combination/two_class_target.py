"""The target of a two-class estimator: labels to 0 and 1, and what to do with three classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from polychotomy.arrays import Bools, Floats
from polychotomy.exceptions import InvalidInput


def split_two_classes(
    y: NDArray[Any], estimator: BaseEstimator, *, counts: Floats
) -> tuple[NDArray[Any], Bools]:
    """Return the two labels, sorted, and the mask of the second, which is the positive class.

    ``counts`` are the sample weights: a class whose samples all weigh nothing is missing.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination import RankBoostClassifier
    >>> from polychotomy.combination.two_class_target import split_two_classes
    >>> classes, positive = split_two_classes(
    ...     np.array(["b", "a", "b"]), RankBoostClassifier(), counts=np.ones(3)
    ... )
    >>> classes.tolist(), positive.tolist()
    (['a', 'b'], [True, False, True])
    """
    check_classification_targets(y)
    name = type(estimator).__name__
    classes = np.unique(y)
    if len(classes) > 2:
        raise InvalidInput(
            f"Only binary classification is supported. The type of the target is "
            f"{type_of_target(y)}: it holds {len(classes)} classes, {_list(classes)}. For more "
            f"than two classes use CodedClassifier({name}(…))."
        )
    present = np.unique(y[counts > 0])
    if len(present) < 2:
        held = f"one class only, {present.tolist()[0]!r}" if len(present) else "no class"
        raise InvalidInput(
            f"y holds {held}, among samples of positive sample_weight; {name} ranks one class "
            "above another and needs samples of both."
        )
    return classes, np.asarray(y == classes[1], dtype=bool)


def _list(classes: NDArray[Any]) -> str:
    shown = ", ".join(repr(label) for label in classes[:5].tolist())
    return shown if len(classes) <= 5 else f"{shown}, …"
