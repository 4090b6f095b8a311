"""Samples in arrays of other libraries than NumPy, on a graphics card perhaps, predicted there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from array_api_compat import (
    array_namespace,
    device,
    is_array_api_obj,
    is_dask_array,
    is_jax_array,
    is_numpy_array,
    is_pydata_sparse_array,
)

from polychotomy.arrays import Floats, Outputs, to_host
from polychotomy.decoding.arguments import as_floats, first, like
from polychotomy.exceptions import InvalidInput
from polychotomy.multiclass.calibration import LogisticLink, Sigmoid
from polychotomy.multiclass.dichotomies import Dichotomy
from polychotomy.multiclass.merged import MergedMachines


def is_elsewhere(X: Any) -> bool:
    """Whether X is an array of PyTorch, CuPy or the like: dense, computed at once, writable.

    Examples
    --------
    >>> import numpy as np
    >>> is_elsewhere(np.ones(2)), is_elsewhere([1.0])
    (False, False)
    """
    others = (is_numpy_array, is_dask_array, is_jax_array, is_pydata_sparse_array)
    return is_array_api_obj(X) and not any(is_other(X) for is_other in others)


def stays_elsewhere(
    X: Any, merged: MergedMachines | None, dichotomies: Sequence[Dichotomy]
) -> bool:
    """Whether X is elsewhere and can be predicted there; an error where it must be and cannot.

    Merged machines with sigmoid calibration, or with none, can: the rest of scikit-learn works
    in NumPy. Arrays of other libraries in the processor's own memory are then read by NumPy.
    """
    if not is_elsewhere(X):
        return False
    links = LogisticLink | Sigmoid | None
    if merged is not None and all(isinstance(d.calibrator, links) for d in dichotomies):
        return True
    if "cpu" in str(device(X)).lower():
        return False
    raise InvalidInput(
        f"X is on {device(X)}, where only merged machines predict (see merge_machines): SVCs with "
        "one kernel, or linear classifiers, with sigmoid calibration or none. Pass X as a NumPy "
        "array."
    )


def check_elsewhere(X: Any, n_features: int) -> Floats:
    """Return X as floats, or raise where it has the wrong shape or numbers that are not finite."""
    xp, samples = as_floats("X", X)
    if samples.ndim != 2 or samples.shape[1] != n_features:
        raise InvalidInput(
            f"X has shape {tuple(samples.shape)}; the merged machines were fitted on "
            f"{n_features} features, so (n, {n_features}) is expected."
        )
    finite = xp.isfinite(samples)
    if not bool(xp.all(finite)):
        row, column = first(xp, ~finite)
        raise InvalidInput(
            f"X[{row}, {column}] is {samples[row, column]}; expected finite numbers."
        )
    return samples


def outputs_elsewhere(scores: Floats, dichotomies: Sequence[Dichotomy]) -> Outputs:
    """Return probabilities of the + sides, (n, t), from decision values of merged machines.

    The logit is slope · value + intercept − threshold of each dichotomy, ([HT98]_ §3).
    """
    xp = array_namespace(scores)
    lines = [
        (d.calibrator.slope, d.calibrator.intercept - d.threshold)
        if isinstance(d.calibrator, Sigmoid)
        else (1.0, -d.threshold)
        for d in dichotomies
    ]
    slopes_and_shifts = like(xp, np.array(lines).T, scores)
    logits = scores * slopes_and_shifts[0, :] + slopes_and_shifts[1, :]
    small = xp.exp(-xp.abs(logits))  # does not overflow
    outputs: Outputs = xp.where(logits >= 0, 1.0 / (1.0 + small), small / (1.0 + small))
    return outputs


def labels_elsewhere(probabilities: Floats, classes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the most probable labels: numbers where the probabilities are, text in NumPy."""
    xp = array_namespace(probabilities)
    winner = xp.argmax(probabilities, axis=1)
    if classes.dtype.kind in "biuf":
        labels: np.ndarray[Any, Any] = xp.take(
            xp.asarray(classes, device=device(probabilities)), winner
        )
        return labels
    text: np.ndarray[Any, Any] = classes[to_host(winner)]
    return text
