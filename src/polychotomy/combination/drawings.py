"""Drawings of weights, margins and ROC curves: arrays in, axes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from polychotomy._result import new_axes
from polychotomy.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_weights(
    weights: Floats, *, names: Sequence[str] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw a bar a classifier, with uniform weights as a dashed line.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.drawings import draw_weights
    >>> draw_weights(np.array([0.7, 0.3]), names=["tree", "forest"]).get_xlabel()
    'weight'
    """
    labels = [str(j) for j in range(len(weights))] if names is None else list(names)
    ax = new_axes(ax, height=max(1.6, 0.32 * len(weights) + 0.8))
    places = np.arange(len(weights))
    ax.barh(places, weights, color="#4477aa", height=0.7)
    ax.axvline(1 / len(weights), color="#555555", linestyle="--", linewidth=1)
    ax.annotate(
        "uniform", (1 / len(weights), 1.0), xycoords=("data", "axes fraction"),
        xytext=(0, 3), textcoords="offset points", ha="center", fontsize="small", color="#555555",
    )  # fmt: skip
    ax.set_yticks(places, labels)
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.set_xlabel("weight")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
