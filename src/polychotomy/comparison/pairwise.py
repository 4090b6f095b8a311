"""One-sided p-values of every pair of learners, by a test of any kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

import numpy as np

from polychotomy.comparison.five_by_two import t_test_5x2
from polychotomy.comparison.inputs import as_floats, require_5x2
from polychotomy.comparison.paired_t import calibrated_t_test, corrected_t_test, paired_t_test
from polychotomy.comparison.signed_rank import wilcoxon_test
from polychotomy.core.arguments import shown
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput


class WithPValue(Protocol):
    """A result with a p-value."""

    @property
    def pvalue(self) -> float | Floats:
        """The p-value."""


OneSidedTest: TypeAlias = Callable[[Floats, Floats], "float | WithPValue"]
"""(a, b), errors on the same folds → p-value of H0: mean of a ≤ mean of b, or a result with one."""


TestName: TypeAlias = Literal["5x2cv-t", "paired-t", "corrected-t", "calibrated-t", "wilcoxon"]


def pairwise_pvalues(
    errors: Floats,
    *,
    test: TestName | OneSidedTest,
    margin: float | None = None,
    test_train_ratio: float | None = None,
) -> Floats:
    """One-sided p-values of the pairs i < j, in the order of ``np.triu_indices(m, 1)``.

    Parameters
    ----------
    errors : (..., m, repetitions, folds)
        Finite errors. Leading axes are a batch, except for a callable test.
    test
        A name, or a function of two arrays (repetitions, folds).
    margin
        None: H0 is μ_i ≤ μ_j. Else H0 is μ_i ≥ μ_j + margin, whose rejection shows that i is within
        the margin of j: the same test of (errors of j + margin) against (errors of i).
    test_train_ratio
        For "corrected-t".

    Returns
    -------
    (..., m (m − 1) / 2) floats

    Examples
    --------
    >>> import numpy as np
    >>> errors = np.array([[[0.3, 0.2], [0.4, 0.2]], [[0.1, 0.1], [0.2, 0.1]]])
    >>> pairwise_pvalues(errors, test="paired-t").round(4)
    array([0.0069])
    """
    if not isinstance(test, str) and not callable(test):
        raise InvalidInput(
            f"test is {shown(test)}; expected the name of a test, {', '.join(map(repr, _NAMED))}, "
            "or a function of two arrays of errors."
        )
    if isinstance(test, str) and test == "5x2cv-t":
        require_5x2(errors, "errors")
    i, j = np.triu_indices(errors.shape[-3], 1)
    a, b = np.take(errors, i, axis=-3), np.take(errors, j, axis=-3)
    if margin is not None:
        a, b = b + margin, a
    if callable(test):
        return _called(test, a, b)
    return _NAMED[_known(test)](a, b, test_train_ratio)


def _known(test: str) -> TestName:
    for name in _NAMED:
        if test == name:
            return name
    if test in {"5x2cv-f", "f_test_5x2"}:
        raise InvalidInput(
            "the combined 5×2cv F test squares the differences, so it is two-sided only and "
            f"cannot order learners; choose one of {tuple(_NAMED)}."
        )
    raise InvalidInput(
        f"test is {test!r}; expected one of {tuple(_NAMED)} or a function (a, b) → one-sided "
        "p-value."
    )


def _five_by_two(a: Floats, b: Floats, _: float | None) -> Floats:
    return np.asarray(t_test_5x2(a, b, alternative="greater").pvalue)


def _paired(a: Floats, b: Floats, _: float | None) -> Floats:
    result = paired_t_test(_in_a_row(a), _in_a_row(b), alternative="greater")
    return np.asarray(result.pvalue)


def _corrected(a: Floats, b: Floats, ratio: float | None) -> Floats:
    if ratio is None:
        ratio = fold_ratio(a.shape[-1])
    result = corrected_t_test(
        _in_a_row(a), _in_a_row(b), test_train_ratio=ratio, alternative="greater"
    )
    return np.asarray(result.pvalue)


def _calibrated(a: Floats, b: Floats, _: float | None) -> Floats:
    return np.asarray(calibrated_t_test(_in_a_row(a), _in_a_row(b), alternative="greater").pvalue)


def _wilcoxon(a: Floats, b: Floats, _: float | None) -> Floats:
    first, second = _in_a_row(a), _in_a_row(b)
    pvalues = np.empty(first.shape[:-1])
    for pair in np.ndindex(pvalues.shape):
        pvalues[pair] = wilcoxon_test(first[pair], second[pair], alternative="greater").pvalue
    return pvalues


def fold_ratio(folds: int) -> float:
    """Test cases a training case where ``folds`` folds part the data: 1/(folds − 1).

    Examples
    --------
    >>> fold_ratio(5)
    0.25
    """
    if folds < 2:
        raise InvalidInput(
            f"the last axis has {folds} fold, so the share of test data is not known; pass "
            "test_train_ratio=, or errors of shape (learners, repetitions, folds)."
        )
    return 1.0 / (folds - 1)


def _in_a_row(errors: Floats) -> Floats:
    return errors.reshape(*errors.shape[:-2], errors.shape[-2] * errors.shape[-1])


_NAMED: dict[TestName, Callable[[Floats, Floats, float | None], Floats]] = {
    "5x2cv-t": _five_by_two,
    "paired-t": _paired,
    "corrected-t": _corrected,
    "calibrated-t": _calibrated,
    "wilcoxon": _wilcoxon,
}


def _called(test: OneSidedTest, a: Floats, b: Floats) -> Floats:
    if a.ndim != 3:
        raise InvalidInput("a function as test takes one pair at a time; expected one table.")
    return np.array([_one_pvalue(test, a[pair], b[pair]) for pair in range(len(a))], dtype=float)


def _one_pvalue(test: OneSidedTest, a: Floats, b: Floats) -> float:
    answer = test(a, b)
    found = answer.pvalue if hasattr(answer, "pvalue") else answer
    pvalue = as_floats(found, "the p-value of the test function")
    if pvalue.size != 1 or not 0.0 <= pvalue.item() <= 1.0:
        raise InvalidInput(
            f"the test function returned {answer!r}; expected one p-value from 0 to 1, of H0: mean "
            "error of the first ≤ that of the second."
        )
    return float(pvalue.item())
