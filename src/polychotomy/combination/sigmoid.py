"""Platt's sigmoid: scores to log-odds, never turning the order round."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from polychotomy.arrays import Bools, Floats

_STEPS = 100  # Newton takes about ten


def fit_sigmoid(scores: Floats, positive: Bools) -> tuple[float, float]:
    """Slope and intercept of the log-odds in the score, by maximum likelihood.

    Platt (1999): the targets are drawn in from 0 and 1, (N⁺ + 1)/(N⁺ + 2) and 1/(N⁻ + 2), so that
    the fit is finite where the classes are separated. The slope is kept above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.sigmoid import fit_sigmoid
    >>> slope, intercept = fit_sigmoid(np.array([-1.0, 1.0]), np.array([False, True]))
    >>> round(slope, 4), abs(round(intercept, 4))  # log-odds ±ln 2 at ±1
    (0.6931, 0.0)
    """
    n_high, n_low = int(positive.sum()), int((~positive).sum())
    targets = np.where(positive, (n_high + 1) / (n_high + 2), 1 / (n_low + 2))
    centre, spread = float(scores.mean()), float(scores.std()) or 1.0
    design = np.stack([(scores - centre) / spread, np.ones(len(scores))], axis=1)
    slope, intercept = _newton(design, targets)
    # Scores that rank worse than chance: flat, but still in their own order.
    slope = max(slope, 1e-6)
    return float(slope / spread), float(intercept - slope * centre / spread)


def _newton(design: Floats, targets: Floats) -> Floats:
    """Maximise the likelihood of a logistic model, halving steps that lose."""
    beta = np.zeros(design.shape[1])
    loss = _loss(design @ beta, targets)
    for _ in range(_STEPS):
        fitted = expit(design @ beta)
        gradient = design.T @ (fitted - targets)
        curvature = (design * (fitted * (1 - fitted))[:, None]).T @ design
        step = np.linalg.lstsq(curvature, gradient, rcond=1e-12)[0]
        while (trial := _loss(design @ (beta - step), targets)) > loss and np.abs(
            step
        ).max() > 1e-12:
            step = step / 2
        beta = beta - step
        if loss - trial <= 1e-13 * abs(loss):
            break
        loss = trial
    return beta


def _loss(log_odds: Floats, targets: Floats) -> float:
    return float((np.logaddexp(0.0, log_odds) - targets * log_odds).sum())
