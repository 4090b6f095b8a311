"""Drawings of arrays: the graph of YA06 Fig. 2 to 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.result import Axes, shortened

# Shares of the width: the errors end at the first, the nodes stand at the second.
_SHARE, _NODES = 0.68, 0.74

BLUE, ORANGE, GREY = "#2166ac", "#d6604d", "#9a9a9a"


def draw_ordering(
    ax: Axes, names: Sequence[str], errors: Floats, edges: Bools, order: Ints
) -> Axes:
    """Learners in order of preference, their errors, and an arrow where the data overrides it.

    YA06 Fig. 2 to 4. Each learner has a row, the most preferred on top: its name, its errors (a
    dot a fold, a bar at the mean), and its node, which shows its place in the order found. A node
    with a thick rim is beaten by nobody; the shaded one is the best. An arrow leads from a
    preferred learner to the one that overrides it.

    Parameters
    ----------
    ax : Axes
        The errors take its left two thirds, the graph the rest.
    names : sequence of str
        In order of preference.
    errors : (m, L) floats
    edges : (m, m) bools
    order : (m,) ints
        Row indices, best first.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from polychotomy.comparison import draw_ordering
    >>> errors = np.array([[0.3, 0.4], [0.1, 0.2]])
    >>> edges = np.array([[False, True], [False, False]])
    >>> ax = draw_ordering(plt.figure().add_subplot(), ["A", "B"], errors, edges, np.array([1, 0]))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['A', 'B']
    """
    _draw_error_rows(ax, names, errors, best=int(order[0]))
    _draw_graph(ax, edges, order)
    return ax


def _draw_error_rows(ax: Axes, names: Sequence[str], errors: Floats, *, best: int) -> None:
    """Draw a row for each learner, the first on top: a dot for each fold, a bar at the mean."""
    m, rows = len(names), np.arange(len(names))
    colours = [ORANGE if i == best else BLUE for i in range(m)]
    # The dots of a row are spread by their place in it, so that equal errors stay visible.
    spread = np.linspace(-0.22, 0.22, errors.shape[1]) if errors.shape[1] > 1 else np.zeros(1)
    for i in range(m):
        ax.plot(errors[i], i + spread, "o", color=colours[i], alpha=0.45, markersize=4, mew=0)
    ax.vlines(errors.mean(axis=1), rows - 0.34, rows + 0.34, colors=colours, linewidth=2.5)
    ax.set_yticks(rows, [shortened(name) for name in names])
    ax.set_ylim(m - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    _share_x_axis(ax, errors)
    ax.set_xlabel("error", x=_SHARE / 2)
    ax.grid(axis="x", color="0.92")
    ax.set_axisbelow(True)
    ax.spines[["left", "right", "top"]].set_visible(False)


def _share_x_axis(ax: Axes, values: Floats) -> None:
    """Let the values take their share of the x axis, from the left, ticks and line with them."""
    from matplotlib.ticker import MaxNLocator

    low, high = float(values.min()), float(values.max())
    pad = 0.05 * ((high - low) or abs(high) or 1.0)
    low, high = low - pad, high + pad
    ticks = MaxNLocator(5).tick_values(low, high)
    ax.set_xlim(low, low + (high - low) / _SHARE)
    ax.set_xticks([tick for tick in ticks if low <= tick <= high])
    ax.spines["bottom"].set_bounds(low, high)


def _draw_graph(ax: Axes, edges: Bools, order: Ints) -> None:
    m = len(order)
    size = float(np.clip(300 - 12 * m, 130, 260))
    place = np.argsort(order) + 1
    beaten = np.asarray(edges.any(axis=1))
    for i in range(m):
        _draw_node(ax, i, int(place[i]), size, rim=0.8 if beaten[i] else 2.0)
    for i, j in np.argwhere(edges):
        _draw_arrow(ax, int(i), int(j), m, size, strong=bool(place[j] == 1))
    where = (_NODES, 0), (0, -6), "axes fraction", "offset points"
    ax.annotate("place", *where, ha="center", va="top", fontsize="small")


def _draw_node(ax: Axes, row: int, place: int, size: float, *, rim: float) -> None:
    shade, ink = (ORANGE, "white") if place == 1 else ("white", "0.2")
    on_row: dict[str, Any] = {"transform": ax.get_yaxis_transform()}  # x in shares of the axes
    centred = {"ha": "center", "va": "center_baseline", "fontsize": 8, "color": ink, **on_row}
    ax.scatter(_NODES, row, size, shade, ec="0.2", lw=rim, zorder=5, clip_on=False, **on_row)
    ax.text(_NODES, row, str(place), zorder=6, **centred)


def _draw_arrow(ax: Axes, i: int, j: int, m: int, size: float, *, strong: bool) -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path
    from matplotlib.transforms import ScaledTranslation

    # A cubic with both handles at x reaches 3/4 of the way there.
    x = _NODES + (4 / 3) * (0.96 - _NODES) * (0.25 + 0.75 * (j - i) / max(m - 1, 1))
    curve = Path(
        [(_NODES, i), (x, i), (x, j), (_NODES, j)],
        [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4],
    )
    # Whatever the size of the axes, the curve starts and ends at the right rim of its nodes.
    rim = ScaledTranslation(np.sqrt(size) / 2 / 72, 0, ax.figure.dpi_scale_trans)
    colour, width, layer = (ORANGE, 1.5, 4) if strong else (GREY, 0.9, 3)
    arrow = FancyArrowPatch(path=curve, arrowstyle="-|>,head_length=5,head_width=2.2")
    arrow.set(color=colour, linewidth=width, zorder=layer, clip_on=False)
    arrow.set_transform(ax.get_yaxis_transform() + rim)
    ax.add_artist(arrow)


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
    >>> from polychotomy.comparison.drawings import draw_underlines
    >>> ax = draw_underlines(plt.figure().add_subplot(), "AB", np.array([1.0, 2.0]), [(0, 1)])
    >>> len(ax.texts)
    2
    """
    ax.axhline(0.0, color="0.3", linewidth=1)
    ax.plot(values, np.zeros(len(values)), "o", color=BLUE)
    slanted: dict[str, Any] = {"rotation": 45, "rotation_mode": "anchor", "va": "bottom"}
    for row, label in enumerate(labels):
        place = (values[row], 0), (0, 6), "data", "offset points"
        ax.annotate(shortened(label), *place, ha="left", **slanted)
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
    >>> from polychotomy.comparison.drawings import draw_critical_difference
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
    label = f"  critical difference {critical_difference:.3g}"
    ax.text(1 + critical_difference, -1.6, label, va="center")
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


def draw_roc_hull(
    ax: Axes,
    names: Sequence[str],
    curves: Sequence[Floats],
    fpr: Floats,
    tpr: Floats,
    optimal: Bools,
) -> Axes:
    """Draw ROC curves, their convex hull, and lines of equal cost that touch it.

    The slope of such a line is (1 − prevalence) · cost of a false positive / (prevalence · cost of
    a false negative); 1 for equal costs and as many positives as negatives. Classifiers that are
    never best are grey.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from polychotomy.comparison.drawings import draw_roc_hull
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
    for slope in (0.25, 1.0, 4.0):
        start = float((tpr - slope * fpr).max())  # where the highest such line meets the left side
        ends = np.array([0.0, min(1.0, (1.0 - start) / slope)])
        ax.plot(ends, start + slope * ends, color=ORANGE, linestyle="--", linewidth=0.9)
    ax.plot([], [], color=ORANGE, linestyle="--", linewidth=0.9, label="equal cost")
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    ax.set(xlabel="false positive rate", ylabel="true positive rate")
    ax.legend(loc="lower right", frameon=False, fontsize="small")
    return ax
