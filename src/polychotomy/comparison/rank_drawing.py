"""Drawings of what is not told apart: underlines, and the critical-difference diagram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from polychotomy.arrays import Floats
from polychotomy.comparison.ordering_drawing import BLUE, ORANGE, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_underlines(
    ax: Axes, labels: Sequence[str], values: Floats, groups: Sequence[Sequence[int]]
) -> Axes:
    """Put labels at their values on a line, and a bar under each group that is not told apart.

    Parameters
    ----------
    ax : Axes
    labels : sequence of str
    values : (m,) floats
    groups : sequence of sequences of rows

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from polychotomy.comparison import draw_underlines
    >>> ax = draw_underlines(plt.figure().add_subplot(), "AB", np.array([1.0, 2.0]), [(0, 1)])
    >>> len(ax.texts)
    2
    """
    ax.axhline(0.0, color="0.3", linewidth=1)
    ax.plot(values, np.zeros(len(values)), "o", color=BLUE)
    for row, label in enumerate(labels):
        ax.annotate(
            shortened(label),
            (values[row], 0),
            (0, 6),
            textcoords="offset points",
            rotation=45,
            ha="left",
            va="bottom",
            rotation_mode="anchor",
        )
    reach = 0.006 * (float(np.ptp(values)) or 1.0)
    for depth, group in enumerate(groups, start=1):
        ends = values[list(group)].min() - reach, values[list(group)].max() + reach
        ax.plot(ends, [-depth, -depth], color=ORANGE, linewidth=4, solid_capstyle="round")
    ax.set_ylim(-len(groups) - 0.8, 3.0)
    ax.set_yticks([])
    ax.spines[["left", "right", "top"]].set_visible(False)
    return ax


def draw_critical_difference(
    ax: Axes,
    names: Sequence[str],
    mean_ranks: Floats,
    groups: Sequence[Sequence[int]],
    critical_difference: float,
) -> Axes:
    """Draw mean ranks on a line, best left; bars join learners that are not told apart.

    Demšar (2006) Fig. 1. The better half is named on the left, the other on the right; the bar
    above the line is as long as the critical difference.

    Parameters
    ----------
    ax : Axes
    names : sequence of str
    mean_ranks : (m,) floats
    groups : sequence of sequences of rows
    critical_difference : float

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from polychotomy.comparison import draw_critical_difference
    >>> ax = plt.figure().add_subplot()
    >>> _ = draw_critical_difference(ax, "AB", np.array([1.2, 1.8]), [(0, 1)], 0.7)
    """
    m = len(names)
    order = np.argsort(mean_ranks, kind="stable")
    half = (m + 1) // 2
    top = len(groups) + 1.0
    for place, row in enumerate(order.tolist()):
        left = place < half
        depth = top + (place if left else m - 1 - place)
        side = 1 - 0.06 * (m - 1) if left else m + 0.06 * (m - 1)
        rank = float(mean_ranks[row])
        ax.plot([rank, rank, side], [0, depth, depth], color="0.45", linewidth=1)
        ax.plot(rank, 0, "o", color=ORANGE if place == 0 else BLUE, markersize=5)
        label = (
            f"{shortened(names[row])} {rank:.2f}" if left else f"{rank:.2f} {shortened(names[row])}"
        )
        ax.text(side, depth, f" {label} ", ha="right" if left else "left", va="center")
    for depth, group in enumerate(groups, start=1):
        ends = mean_ranks[list(group)].min() - 0.03, mean_ranks[list(group)].max() + 0.03
        ax.plot(ends, [depth, depth], color=ORANGE, linewidth=4, solid_capstyle="round")
    ax.plot([1, 1 + critical_difference], [-1.6, -1.6], "|-", color="0.2", linewidth=1.5)
    ax.text(
        1 + critical_difference,
        -1.6,
        f"  critical difference {critical_difference:.3g}",
        va="center",
    )
    _rank_axis(ax, m, top + half)
    return ax


def _rank_axis(ax: Axes, m: int, bottom: float) -> None:
    ax.set_xlim(1 - 0.1 * (m - 1), m + 0.1 * (m - 1))
    ax.set_ylim(bottom, -2.4)
    ax.hlines(0, 1, m, color="0.2", linewidth=1)
    for rank in range(1, m + 1):
        ax.plot([rank, rank], [0, -0.25], color="0.2", linewidth=1)
        ax.text(rank, -0.35, str(rank), ha="center", va="bottom", fontsize="small")
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
