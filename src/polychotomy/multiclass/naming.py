"""Dichotomies called by their classes, for errors that say which one failed."""

from __future__ import annotations

from typing import Any

import numpy as np

from polychotomy.arrays import Code
from polychotomy.exceptions import LearnerError

_SHOWN = 5


class LearnerValueError(LearnerError, ValueError):
    """A learner raised a ValueError, so this is one too."""


class LearnerTypeError(LearnerError, TypeError):
    """A learner raised a TypeError, so this is one too."""


def name_dichotomy(index: int, row: Code, classes: np.ndarray[Any, Any]) -> str:
    """Name a dichotomy by its number and the classes on its two sides.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.naming import name_dichotomy
    >>> name_dichotomy(2, np.array([0, 1, -1]), np.array(["ant", "bee", "cat"]))
    "dichotomy 2 (class 'bee' against class 'cat')"
    """
    return f"dichotomy {index} ({_side(classes[row > 0])} against {_side(classes[row < 0])})"


def _side(members: np.ndarray[Any, Any]) -> str:
    names = [repr(member) for member in members[:_SHOWN].tolist()]
    if members.size > _SHOWN:
        names.append(f"… {members.size} in all")
    return f"{'class' if members.size == 1 else 'classes'} {', '.join(names)}"


def learner_error(estimator: Any, where: str, cause: Exception) -> LearnerError:
    """Make the error for a learner that failed; also a ValueError or TypeError if that was one."""
    kind = LearnerError
    if isinstance(cause, ValueError):
        kind = LearnerValueError
    elif isinstance(cause, TypeError):
        kind = LearnerTypeError
    said = f"{type(cause).__name__}: {cause}".rstrip()
    end = "" if said.endswith((".", "!", "?")) else "."
    return kind(
        f"{type(estimator).__name__} failed on {where}: {said}{end} Fit the learner on these "
        "classes alone to look into it."
    )
