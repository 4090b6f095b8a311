"""M24 eqs. 16–18 on arrays of other libraries, where they are: written on the Array API.

One stable sort and two running sums. What comes to the host are the sizes of the two halves, the
three numbers of the line, and the verdict of the checks.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from array_api_compat import array_namespace, device, is_array_api_obj, is_numpy_array

from polychotomy.core.arrays import to_host
from polychotomy.core.forecasts import SUM_TOLERANCE, check_forecasts


class TraceElsewhere(NamedTuple):
    """A trace and its line; arrays of the library given."""

    probabilities: Any  # (n, k), double precision
    y: Any  # (n,)
    samples: Any  # (n,)
    threshold: float
    steps: Any  # (nk + 1,)
    trace: Any
    line: tuple[float, float, float]  # r, slope, slope through the origin


def trace_elsewhere(probabilities: Any, y: Any, samples: Any = None) -> TraceElsewhere:
    """Trace class probabilities (n, k) that are an array of another library than NumPy.

    Examples
    --------
    >>> import array_api_strict as xp
    >>> found = trace_elsewhere(xp.asarray([[0.8, 0.2], [0.6, 0.4]]), [0, 1])
    >>> found.trace
    Array([-1.25,  0.  ,  0.  ,  0.  ,  1.25], dtype=array_api_strict.float64)
    >>> found.line[1]
    0.5
    """
    xp, place = array_namespace(probabilities), device(probabilities)
    codes = _beside(xp, y, place)
    _check(xp, probabilities, codes, samples)
    n, k = probabilities.shape
    p = xp.astype(probabilities, xp.float64)
    p = xp.clip(p, 0.0, 1.0)
    flat = xp.reshape(p, (-1,))
    order = xp.argsort(flat)
    values = xp.take(flat, order)
    columns = xp.arange(k, dtype=codes.dtype, device=place)
    hits = xp.take(xp.reshape(codes[:, None] == columns, (-1,)), order)
    threshold = _threshold(xp, probabilities, k)
    start = int(xp.sum(xp.astype(values < threshold, xp.int64)))
    trace = _accumulate(xp, values, xp.astype(hits, xp.float64), start)
    return TraceElsewhere(
        probabilities=p,
        y=codes,
        samples=xp.arange(n, device=place)
        if samples is None
        else xp.unique_inverse(_beside(xp, samples, place)).inverse_indices,
        threshold=threshold,
        steps=xp.arange(-start, n * k - start + 1, device=place),
        trace=trace,
        line=_line(xp, trace, start),
    )


def _beside(xp: ModuleType, values: Any, place: Any) -> Any:
    """Bring a number a row to where the probabilities are, unless it is there."""
    if is_array_api_obj(values) and not is_numpy_array(values):
        return values
    listed = to_host(values)
    return xp.asarray(listed.tolist(), device=place) if listed.dtype.kind in "iubf" else listed


def _check(xp: ModuleType, p: Any, codes: Any, samples: Any) -> None:
    """Look whether all is well; where it is not, the host finds the words."""
    fine = p.ndim == 2 and p.shape[0] > 0 and p.shape[1] > 1 and codes.shape == p.shape[:1]
    fine = fine and samples is None and not is_numpy_array(codes)
    fine = fine and xp.isdtype(p.dtype, "real floating") and xp.isdtype(codes.dtype, "integral")
    if fine:
        k = p.shape[1]
        tolerance = max(SUM_TOLERANCE, 4 * float(xp.finfo(p.dtype).eps)) * max(1.0, k / 100)
        sums = xp.sum(xp.astype(p, xp.float64), axis=1)
        fine = bool(
            (xp.min(p) >= -SUM_TOLERANCE)
            & (xp.max(p) <= 1 + SUM_TOLERANCE)
            & xp.all(xp.abs(sums - 1.0) <= tolerance)
            & xp.all((codes >= 0) & (codes < k))
        )
    if not fine:
        words = None if samples is None else to_host(samples)
        check_forecasts(to_host(p), to_host(codes), samples=words)  # raises, or all is well


def _threshold(xp: ModuleType, p: Any, k: int) -> float:
    """1/k as the precision of the probabilities has it."""
    single = xp.isdtype(p.dtype, "real floating") and xp.finfo(p.dtype).eps > 1e-12
    return min(float(np.float32(1 / k)) if single else 1 / k, 1.0)


def _accumulate(xp: ModuleType, values: Any, hits: Any, start: int) -> Any:
    """Sum the rises from ``start`` outwards, both ways; 0 at ``start``."""
    below = xp.flip((1.0 - hits[:start]) / (1.0 - values[:start]))
    above = hits[start:] / values[start:]
    zero = xp.zeros((1,), dtype=values.dtype, device=device(values))
    down = xp.flip(0.0 - xp.cumulative_sum(below)) if start else below
    up = xp.cumulative_sum(above) if start < values.shape[0] else above
    return xp.concat([down, zero, up])


def _line(xp: ModuleType, trace: Any, start: int) -> tuple[float, float, float]:
    """Pearson r, slope with intercept and through the origin: see ``fit_line``."""
    size = trace.shape[0]
    offset = (size - 1) / 2 - start  # mean of the steps
    steps = xp.arange(size, dtype=trace.dtype, device=device(trace)) - (size - 1) / 2
    mean = float(xp.mean(trace))
    centred = trace - mean
    xx = size * (size * size - 1) / 12
    xy, yy = float(xp.sum(steps * centred)), float(xp.sum(centred * centred))
    origin = (xy + size * offset * mean) / (xx + size * offset * offset)
    r = min(1.0, max(-1.0, xy / (xx * yy) ** 0.5)) if yy > 0 else 0.0
    return r, xy / xx, origin
