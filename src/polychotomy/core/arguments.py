"""Arguments of a wrong kind, refused at the door: by name, with what was found and expected.

Every public function of every room checks its arguments with these few functions, so that one
mistake gets one message. What only one room knows (a coding matrix, a 5 × 2 table of errors) is
checked in that room.
"""

from __future__ import annotations

import math
import operator
import re
import reprlib
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.core.arrays import Bools, Floats, Ints, to_host
from polychotomy.core.exceptions import InvalidInput

MOST = 2**31 - 1  # of anything counted: what is above was not meant, and would fill the memory

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60


def shown(value: object) -> str:
    """Show a value in a few words, in one line.

    Examples
    --------
    >>> import numpy as np
    >>> shown("both"), shown(np.zeros((2, 3)))
    ("'both'", 'an array of shape (2, 3)')
    """
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of shape {value.shape}"
    return " ".join(_SHORT.repr(value).split())


def unexpected(name: str, value: object, expected: str) -> InvalidInput:
    """Return the error that says what an argument is, and what it should be.

    Examples
    --------
    >>> print(unexpected("rope", -1, "a number of 0 or more"))
    rope is -1; expected a number of 0 or more.
    """
    return InvalidInput(f"{name} is {shown(value)}; expected {expected}.")


def wrong_shape(name: str, array: NDArray[Any], expected: str) -> InvalidInput:
    """Return the error that says what shape an array has, and what it should have.

    Examples
    --------
    >>> import numpy as np
    >>> print(wrong_shape("votes", np.zeros(3), "(n, k)"))
    votes has shape (3,); expected (n, k).
    """
    return InvalidInput(f"{name} has shape {array.shape}; expected {expected}.")


def is_number(value: object) -> bool:
    """Whether that is one real number: no truth value, no text, not NaN.

    Examples
    --------
    >>> is_number(0.5), is_number("0.5"), is_number(True), is_number(float("nan"))
    (True, False, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool) and not math.isnan(value)


def is_index(value: object, count: int) -> bool:
    """Whether that is a whole number from 0, below ``count``.

    Examples
    --------
    >>> is_index(1, 2), is_index(2, 2), is_index([0], 2), is_index(True, 2)
    (True, False, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool) and 0 <= int(value) < count


def check_position(name: str, value: str | int, names: tuple[str, ...]) -> int:
    """Return the position of what is given by its name or its position.

    Examples
    --------
    >>> check_position("learner", "tree", ("mean", "tree")), check_position("learner", 0, ("mean",))
    (1, 0)
    """
    if isinstance(value, str) and value in names:
        return names.index(value)
    if is_index(value, len(names)):
        return int(value)
    listed = ", ".join(map(repr, names))
    raise unexpected(name, value, f"one of {listed} or a position from 0 to {len(names) - 1}")


def check_choice(name: str, value: object, choices: Sequence[str | None]) -> None:
    """Refuse what is none of the choices.

    Examples
    --------
    >>> check_choice("better", "up", ("lower", "higher", None))
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: better is 'up'; expected 'lower', 'higher' or None.
    """
    if not isinstance(value, str | None) or value not in choices:
        *most, last = map(repr, choices)
        raise unexpected(name, value, f"{', '.join(most)} or {last}")


def check_share(name: str, value: float, *, such_as: float) -> float:
    """Return a number between 0 and 1, ends excluded: a level, a confidence, a share.

    Examples
    --------
    >>> check_share("level", None, such_as=0.95)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: level is None; expected a number between 0 and 1, \
such as 0.95.
    """
    if not is_number(value) or not 0 < value < 1:
        raise unexpected(name, value, f"a number between 0 and 1, such as {such_as:g}")
    return float(value)


def check_count(name: str, value: SupportsIndex, *, least: int = 1, unit: str | None = None) -> int:
    """Return ``value`` as an int of at least ``least``; numbers such as 3.0 are not counts.

    Examples
    --------
    >>> check_count("length", 4, unit="dichotomies")
    4
    >>> check_count("length", 4.0, unit="dichotomies")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: length is 4.0; expected a whole number of \
dichotomies, at least 1.
    >>> check_count("n_bins", "ten")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: n_bins is 'ten'; expected an int of at least 1.
    """
    try:
        count = operator.index(value)
    except TypeError:
        count = least - 1
    if count < least or isinstance(value, bool | np.bool_):
        what = f"a whole number of {unit}, at least" if unit else "an int of at least"
        raise unexpected(name, value, f"{what} {least}")
    if count > MOST:
        most = f"{MOST} {unit}" if unit else str(MOST)
        raise unexpected(name, count, f"at most {most}")
    return count


def check_jobs(n_jobs: int | None) -> None:
    """Raise where that is no number of processes, as joblib counts them.

    Examples
    --------
    >>> check_jobs(0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: n_jobs is 0; expected None, 1 or more, or −1 ...
    """
    try:
        fine = n_jobs is None or operator.index(n_jobs) != 0
    except TypeError:
        fine = False
    if not fine or isinstance(n_jobs, bool):
        raise unexpected("n_jobs", n_jobs, "None, 1 or more, or −1 for all processors")


def check_classes(k: SupportsIndex, *, least: int = 2) -> int:
    """Return the number of classes as an int of at least ``least``.

    Examples
    --------
    >>> check_classes(1)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: k is 1; expected a whole number of classes, at \
least 2.
    """
    return check_count("k", k, least=least, unit="classes")


def check_names(
    name: str, values: Iterable[str] | None, *, count: int, prefix: str = ""
) -> tuple[str, ...]:
    """Return ``count`` distinct names; positions after ``prefix`` where none are given.

    Examples
    --------
    >>> check_names("names", None, count=2, prefix="learner ")
    ('learner 0', 'learner 1')
    >>> check_names("names", ["one"], count=2)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: names is ['one']; expected 2 distinct names.
    """
    if values is None:
        return tuple(f"{prefix}{position}" for position in range(count))
    found = list(map(str, values)) if isinstance(values, Iterable) else []
    if isinstance(values, str | bytes) or len(found) != count or len(set(found)) < count:
        raise unexpected(name, values, f"{count} distinct names")
    return tuple(found)


def as_array(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return an array of any library, or lists of equal length, as NumPy's.

    Examples
    --------
    >>> as_array("scores", [[1, 2], [3]])
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: scores is [[1, 2], [3]], which is no array; expected \
numbers, as many in each row.
    """
    try:
        return to_host(values)
    except (TypeError, ValueError):
        raise InvalidInput(
            f"{name} is {shown(values)}, which is no array; expected numbers, as many in each row."
        ) from None


def as_floats(name: str, values: ArrayLike) -> Floats:
    """Return an array of real numbers as float64; a masked entry becomes NaN.

    The array may be the user's own: it is not to be written to.

    Examples
    --------
    >>> as_floats("outcomes", "abc")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: outcomes is 'abc'; expected an array of real numbers.
    """
    try:
        if isinstance(values, np.ma.MaskedArray):
            return np.asarray(np.ma.filled(values.astype(np.float64), np.nan))
        array = as_array(name, values)
        if array.dtype.kind in "biufO":
            return array.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InvalidInput):
            raise
    raise unexpected(name, values, "an array of real numbers")


def check_finite(name: str, array: Floats, *, advice: str = "") -> None:
    """Refuse NaN and infinity, naming the first entry that is one.

    Examples
    --------
    >>> import numpy as np
    >>> check_finite("errors", np.array([[0.1, np.nan]]), advice="Fit that fold again.")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: errors[0, 1] is nan; expected finite numbers. Fit \
that fold again.
    """
    check_entries(name, array, np.isfinite(array), f"finite numbers. {advice}".rstrip(". "))


def check_entries(name: str, array: NDArray[Any], fine: Bools, expected: str) -> None:
    """Refuse an array with entries that are not fine, naming the first of them.

    Examples
    --------
    >>> import numpy as np
    >>> p = np.array([0.5, 1.5])
    >>> check_entries("pvalues", p, (p >= 0) & (p <= 1), "numbers from 0 to 1")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: pvalues[1] is 1.5; expected numbers from 0 to 1.
    """
    if not fine.all():
        where = tuple(int(i) for i in np.argwhere(~fine)[0])
        place = f"{name}[{', '.join(map(str, where))}]" if where else name
        raise InvalidInput(f"{place} is {array[where]:g}; expected {expected}.")


def check_codes(y: ArrayLike, *, n: int, k: int) -> Ints:
    """Return class codes from 0 to ``k`` − 1, one for each of ``n`` rows.

    Texts are labels: code i stands for the i-th in sorted order, as in scikit-learn's
    ``classes_``. Numbers are codes already, for nobody could tell the labels 1 and 2 of a problem
    of three classes from codes.

    Examples
    --------
    >>> check_codes([0, 1.0], n=2, k=2).tolist()
    [0, 1]
    >>> check_codes(["yes", "no"], n=2, k=2).tolist()
    [1, 0]
    >>> check_codes([0, 2], n=2, k=2)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: y[1] is 2; expected a class code from 0 to 1, or \
labels as texts. For other labels pass np.unique(labels, return_inverse=True)[1].
    """
    labels = as_array("y", y)
    if labels.shape != (n,):
        raise wrong_shape("y", labels, f"({n},), one class code or label for each row")
    if labels.dtype.kind in "fiub":
        fine = (labels >= 0) & (labels < k) & (labels % 1 == 0)
    else:
        listed = labels.tolist()
        if listed and all(isinstance(label, str) for label in listed):
            return _codes_of_texts(labels, k)
        codes = (isinstance(label, int | float) and label in range(k) for label in listed)
        fine = np.fromiter(codes, dtype=np.bool_)
    if not fine.all():
        row = int(fine.argmin())
        raise InvalidInput(
            f"y[{row}] is {labels.tolist()[row]!r}; expected a class code from 0 to {k - 1}, or "
            "labels as texts. For other labels pass np.unique(labels, return_inverse=True)[1]."
        )
    return labels.astype(np.intp)


def _codes_of_texts(labels: NDArray[Any], k: int) -> Ints:
    classes, codes = np.unique(labels.astype(str), return_inverse=True)
    if len(classes) != k:
        raise InvalidInput(
            f"y holds {len(classes)} different labels, {shown(classes.tolist())}, and there are "
            f"{k} classes; expected every class among the labels. Where one does not occur, pass "
            "class codes: [classes.index(label) for label in labels]."
        )
    return np.asarray(codes, dtype=np.intp)


_UNITS = {"": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600}


def read_duration(given: object) -> float:
    """Return the seconds that a number, or a text such as 10min, 90s or 2h, names.

    Examples
    --------
    >>> read_duration("10min"), read_duration(90), read_duration("1.5 h")
    (600.0, 90.0, 5400.0)
    """
    text = str(given).lower() if not isinstance(given, bool) else ""
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([a-z]*)\s*", text)
    if found is None or found[2] not in _UNITS or float(found[1]) == 0:
        raise InvalidInput(f"the budget is {given!r}; expected a time, such as 10min, 90s or 2h.")
    return float(found[1]) * _UNITS[found[2]]


def will_have(estimator: Any, method: str) -> bool:
    """Tell whether an estimator has a method, or will have it once it is fitted.

    A ``StackingClassifier`` without a final estimator takes a logistic regression, and until then
    says that it cannot predict; so does a pipeline that ends in one.

    Examples
    --------
    >>> from sklearn.ensemble import StackingClassifier
    >>> from sklearn.svm import LinearSVC
    >>> stack = StackingClassifier([("svc", LinearSVC())])
    >>> hasattr(stack, "predict_proba"), will_have(stack, "predict_proba")
    (False, True)
    >>> will_have(LinearSVC(), "predict_proba")
    False
    """
    own = innermost(estimator)
    stacked = getattr(own, "final_estimator", own) is None and hasattr(type(own), method)
    return hasattr(estimator, method) or stacked


def innermost(estimator: Any) -> Any:
    """Return the last step of a pipeline, or of one in it; else the estimator itself.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> innermost(make_pipeline("passthrough", make_pipeline("drop")))
    'drop'
    """
    # Learners that are no pipelines may have a number of steps.
    while hasattr(type(estimator), "named_steps") and estimator.steps:
        if not isinstance(last := estimator.steps[-1], tuple | list):
            raise InvalidInput(f"a pipeline has the step {last!r}; expected a pair (name, step).")
        estimator = last[1]
    return estimator
