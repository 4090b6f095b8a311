"""T96 eqs. (24)–(30) on arrays of other libraries, where they are: written on the Array API.

The same averages as in :mod:`polychotomy.decomposition.accumulation`, with classes first and
samples last, a block of samples at a time. Per-sample results stay on the device; what comes to the
host are the means over samples and classes, and the verdicts of the checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from polychotomy.core.arrays import Floats, to_host
from polychotomy.decomposition.accumulation import (
    ROUNDING,
    WEIGHTS_SEED,
    Summary,
    choose_resamples,
    draw_weights,
    interval_of_moments,
    monte_carlo,
)
from polychotomy.decomposition.losses import Loss, Misclassification, Squared

_BLOCK = 2**24  # predictions worked on at a time: 128 MB in double precision


@dataclass(frozen=True, eq=False)
class _Part:
    """What a block of samples contributes; arrays of the library, samples last."""

    aggregated: Any  # (k, c)
    votes: Any  # (k, c)
    counts: Any  # (c,)
    values: Any  # (5, c)
    errors: Any  # (5, c)
    sums: Floats  # (5, 1 + resamples, k), on the host


class OddPredictions(Exception):
    """Predictions that are no probabilities: the caller finds the words."""


def summarise_elsewhere(predictions: Any, in_bag: Any, y: Any, loss: Loss) -> Summary:
    """Return the fields of an ErrorDecomposition, samples' arrays in the library given.

    Examples
    --------
    >>> import array_api_strict as xp
    >>> from polychotomy.decomposition import Squared
    >>> p = xp.asarray([[[1.0, 0.0]], [[0.0, 1.0]]])
    >>> y = xp.asarray([0])
    >>> found = summarise_elsewhere(p, xp.zeros((2, 1), dtype=xp.int64), y, Squared())
    >>> found["estimates"][0].tolist()
    [1.0, 0.5, 0.5, 0.5, 0.5]
    """
    xp = array_namespace(predictions)
    k = predictions.shape[2]
    parts = list(_parts(xp, predictions, in_bag, y, loss))
    counts = xp.concat([part.counts for part in parts])
    values = xp.concat([part.values for part in parts], axis=1)
    sums = np.sum([part.sums for part in parts], axis=0)
    sums = np.concatenate([sums.sum(axis=2, keepdims=True), sums], axis=2)
    scopes = [counts > 0, *((counts > 0) & (y == code) for code in range(k))]
    sizes = np.array([int(xp.sum(xp.astype(scope, xp.int64))) for scope in scopes])
    fits = np.array([float(_mean(xp, counts, s, n)) for s, n in zip(scopes, sizes, strict=True)])
    means = np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)
    errors, biases = monte_carlo(means, fits)
    ends = np.array(
        [
            [
                _interval(xp, loss, q, values[q, :], scope, n, float(means[q, 0, s]))
                for q in range(5)
            ]
            for s, (scope, n) in enumerate(zip(scopes, sizes.tolist(), strict=True))
        ]
    )
    return Summary(
        y=y,
        n_out_of_bag=counts,
        aggregated=xp.concat([part.aggregated for part in parts], axis=1).T,
        votes=xp.concat([part.votes for part in parts], axis=1).T,
        estimates=means[:, 0].T,
        monte_carlo_errors=errors.T,
        monte_carlo_biases=biases.T,
        lows=ends[..., 0],
        highs=ends[..., 1],
        sample_estimates=values.T,
        sample_monte_carlo_errors=xp.concat([part.errors for part in parts], axis=1).T,
    )


def _interval(
    xp: ModuleType, loss: Loss, quantity: int, values: Any, scope: Any, n: int, mean: float
) -> tuple[float, float]:
    variance = _variance(xp, values, scope, n, mean)
    return interval_of_moments(loss, quantity, n, mean, variance)


def _parts(xp: ModuleType, predictions: Any, in_bag: Any, y: Any, loss: Loss) -> Iterator[_Part]:
    b, n, k = predictions.shape
    size = max(64, _BLOCK // (b * k))
    weights = draw_weights(np.random.default_rng(WEIGHTS_SEED), b, choose_resamples(64, k))
    placed = xp.asarray(weights.tolist(), dtype=xp.float64, device=device(predictions))
    rounding = 1e-6 if xp.finfo(predictions.dtype).eps < 1e-12 else 1e-3
    for start in range(0, n, size):
        stop = min(n, start + size)
        planes = xp.permute_dims(predictions[:, start:stop, :], (2, 0, 1))
        planes = xp.astype(planes, xp.float64)
        mask = in_bag[:, start:stop] == 0
        planes = _if(xp, mask[None, ...], planes, 1.0 / k)
        off = xp.abs(xp.sum(planes, axis=0) - 1.0)
        if not bool(xp.all(off <= rounding) & (xp.min(planes) >= -rounding)):
            raise OddPredictions
        planes = _if(xp, planes > 0, planes, 0.0)
        if (
            rounding > 1e-6
        ):  # single precision sums to 1 to seven digits, and variances have fifteen
            planes = planes / xp.sum(planes, axis=0)
        yield _block(xp, planes, mask, y[start:stop], placed, loss)


def _block(xp: ModuleType, planes: Any, mask: Any, y: Any, weights: Any, loss: Loss) -> _Part:
    k = planes.shape[0]
    chosen = xp.astype(mask, xp.float64)  # (b, c)
    scores = _scores(xp, planes, loss)
    infinite = xp.any(xp.isinf(scores) & mask[None, ...], axis=1)  # (k, c)
    scores = _if(xp, xp.isinf(scores), 0.0, scores) * chosen
    totals, counts = weights @ chosen, xp.sum(xp.astype(mask, xp.int64), axis=0)
    seen = counts > 0
    totals = _if(xp, seen, totals, 1.0)  # (rows, c)
    aggregated = _if(xp, seen, (weights @ (planes * chosen)) / totals, 1.0 / k)  # (k, rows, c)
    mean_scores = (weights @ scores) / totals
    mean_scores = _if(xp, infinite[:, None, :], xp.inf, mean_scores)
    dispersions = (weights @ (_dispersion(xp, planes, loss) * chosen)) / totals
    tolerance = loss.tie_tolerance if isinstance(loss, Misclassification) else 1e-9
    votes = xp.sum(_votes(xp, planes, tolerance) * chosen, axis=1) / totals[0, :]
    codes = xp.arange(k, dtype=y.dtype, device=device(y))
    members = y[None, :] == codes[:, None]  # (k, c)
    values = _quantities(xp, aggregated, mean_scores, dispersions, members, loss)
    values = _if(xp, seen, values, xp.nan)  # (5, rows, c)
    return _Part(
        aggregated=_if(xp, seen, aggregated[:, 0, :], xp.nan),
        votes=_if(xp, seen, votes, xp.nan),
        counts=counts,
        values=values[:, 0, :],
        errors=_sample_errors(xp, values, counts),
        sums=_class_sums(xp, values, members & seen[None, :]),
    )


def _quantities(
    xp: ModuleType, aggregated: Any, scores: Any, dispersions: Any, members: Any, loss: Loss
) -> Any:
    """Compute the five quantities of each sample, (5, rows, c); see ``sample_quantities``."""
    own = _scores(xp, aggregated, loss)
    true = members[:, None, :]
    error = xp.sum(_if(xp, true, scores, 0.0), axis=0)
    aggregated_error = xp.sum(_if(xp, true, own, 0.0), axis=0)
    used = aggregated > 0
    expected = [xp.sum(_if(xp, used, aggregated * _if(xp, used, s, 0.0), 0.0), axis=0)
                for s in (own, scores)]  # fmt: skip
    variance = expected[0] - dispersions
    reverse = expected[1] - _dispersion(xp, aggregated, loss)
    both = xp.isinf(error) & xp.isinf(aggregated_error)
    effect = _if(xp, both, 0.0, error) - _if(xp, both, 0.0, aggregated_error)
    variance = _if(xp, variance < ROUNDING, 0.0, variance)
    reverse = _if(xp, reverse < ROUNDING, 0.0, reverse)
    return xp.stack([error, aggregated_error, effect, variance, reverse])


def _votes(xp: ModuleType, planes: Any, tolerance: float) -> Any:
    marks = xp.astype(planes >= xp.max(planes, axis=0) - tolerance, planes.dtype)
    return marks / xp.sum(marks, axis=0)


def _scores(xp: ModuleType, planes: Any, loss: Loss) -> Any:
    """Losses s_k(c) of each class, classes first."""
    if isinstance(loss, Misclassification):
        return 1.0 - _votes(xp, planes, loss.tie_tolerance)
    if isinstance(loss, Squared):
        return 1.0 - 2.0 * planes + xp.sum(planes * planes, axis=0)
    positive = planes > 0
    return _if(xp, positive, 0.0 - 2.0 * xp.log(_if(xp, positive, planes, 1.0)), xp.inf)


def _dispersion(xp: ModuleType, planes: Any, loss: Loss) -> Any:
    if isinstance(loss, Misclassification):
        return 1.0 - xp.max(planes, axis=0)
    if isinstance(loss, Squared):
        return 1.0 - xp.sum(planes * planes, axis=0)
    return 0.0 - 2.0 * xp.sum(planes * xp.log(_if(xp, planes > 0, planes, 1.0)), axis=0)


def _sample_errors(xp: ModuleType, values: Any, counts: Any) -> Any:
    """Monte-Carlo error of each sample, (5, c): see ``monte_carlo``."""
    fits = xp.astype(counts, values.dtype)
    inflation = _if(xp, fits > 1, (fits + 1) / _if(xp, fits > 1, fits - 1, 1.0), xp.nan)
    infinite = xp.isinf(values[:, 0, :])
    finite = _if(xp, infinite[:, None, :], 0.0, values)
    spread = xp.std(finite[:, 1:, :], axis=1, correction=1)
    return _if(xp, infinite, xp.inf, spread * xp.sqrt(inflation))


def _class_sums(xp: ModuleType, values: Any, members: Any) -> Floats:
    indicators = xp.astype(members, values.dtype).T  # (c, k)
    infinite = xp.isinf(values)
    finite = _if(xp, infinite | xp.isnan(values), 0.0, values)
    sums = finite @ indicators
    if bool(xp.any(infinite)):
        hit = xp.astype(infinite, values.dtype) @ indicators
        sums = _if(xp, hit > 0, xp.inf, sums)
    return to_host(sums)


def _mean(xp: ModuleType, values: Any, scope: Any, n: int) -> float:
    return float(xp.sum(_if(xp, scope, values, 0))) / max(n, 1)


def _variance(xp: ModuleType, values: Any, scope: Any, n: int, mean: float) -> float:
    """Variance of the values in a scope about their mean; 0 where that is not finite."""
    if n < 2 or not np.isfinite(mean):
        return 0.0
    away = _if(xp, scope, values, mean) - mean
    return float(xp.sum(away * away)) / (n - 1)


def _if(xp: ModuleType, condition: Any, yes: Any, no: Any) -> Any:
    """Do as ``where``, which older versions of the standard do not give numbers."""
    kind = yes if hasattr(yes, "dtype") else no
    both = (
        one if hasattr(one, "dtype") else xp.asarray(one, dtype=kind.dtype, device=device(kind))
        for one in (yes, no)
    )
    return xp.where(condition, *both)
