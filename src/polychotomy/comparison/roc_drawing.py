"""Drawing of ROC curves and their convex hull."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from polychotomy.arrays import Bools, Floats
from polychotomy.comparison.ordering_drawing import ORANGE, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_roc_hull(
    ax: Axes,
    names: Sequence[str],
    curves: Sequence[Floats],
    fpr: Floats,
    tpr: Floats,
    optimal: Bools,
    *,
    slopes: Sequence[float] = (0.25, 1.0, 4.0),
) -> Axes:
    """Draw ROC curves, their convex hull, and lines of equal cost that touch it.

    The slope of such a line is (1 − prevalence) · cost of a false positive / (prevalence · cost of
    a false negative); 1 for equal costs and as many positives as negatives. Classifiers that are
    never best are grey.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from polychotomy.comparison import draw_roc_hull
    >>> curve, ax = np.array([[0, 0.2, 1], [0, 0.7, 1]]), plt.figure().add_subplot()
    >>> _ = draw_roc_hull(ax, ["A"], [curve], *curve, np.array([True]))
    """
    colours = iter(f"C{i}" for i in range(len(names)))
    for name, (across, up), best in zip(names, curves, optimal, strict=True):
        colour, style = (next(colours), "-") if best else ("0.75", ":")
        label = shortened(name) if best else f"{shortened(name)} (never best)"
        ax.plot(across, up, color=colour, linestyle=style, linewidth=1.5, label=label)
    ax.fill_between(fpr, tpr, color="0.95", zorder=0)
    ax.plot(fpr, tpr, "o-", color="0.2", linewidth=1, markersize=3, label="convex hull")
    for slope in slopes:
        start = float((tpr - slope * fpr).max())  # where the highest such line meets the left side
        ends = np.array([0.0, min(1.0, (1.0 - start) / slope)])
        ax.plot(ends, start + slope * ends, color=ORANGE, linestyle="--", linewidth=0.9)
    ax.plot([], [], color=ORANGE, linestyle="--", linewidth=0.9, label="equal cost")
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    ax.set_xlabel("false positive rate")
    ax.set_ylabel("true positive rate")
    ax.legend(loc="lower right", frameon=False, fontsize="small")
    return ax
