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
    _share_x_axis(ax, errors)
    ax.set_xlabel("error", x=_SHARE / 2)
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
    nodes: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "clip_on": False}
    shades, rims = np.where(place == 1, ORANGE, "white"), np.where(beaten, 0.8, 2.0)
    ax.scatter(np.full(m, _NODES), range(m), size, shades, ec="0.2", lw=rims, zorder=5, **nodes)
    for row, at in enumerate(place.tolist()):
        nodes |= {"color": "white" if at == 1 else "0.2", "ha": "center", "va": "center_baseline"}
        ax.text(_NODES, row, str(at), fontsize=8, zorder=6, **nodes)
    bend = f"arc3,rad={-min(0.4, 4 / m):.2f}"  # as much as there is room for
    curved: dict[str, Any] = {"arrowstyle": "-|>", "connectionstyle": bend}
    curved |= dict.fromkeys(("shrinkA", "shrinkB"), np.sqrt(size) / 2)  # to the rims of the nodes
    for i, j in np.argwhere(edges):
        colour, width, layer = (ORANGE, 1.5, 4) if place[j] == 1 else (GREY, 0.9, 3)
        arrow = {**curved, "color": colour, "linewidth": width}
        ends = (_NODES, j), (_NODES, i)
        ax.annotate("", *ends, nodes["transform"], arrowprops=arrow, zorder=layer)
    where = (_NODES, 0), (0, -6), "axes fraction", "offset points"
    ax.annotate("place", *where, ha="center", va="top", fontsize="small")


def draw_underlines(
    ax: Axes, labels: Sequence[str], values: Floats, groups: Sequence[Sequence[int]]
) -> Axes:
    """Put labels at their values on a line, and a bar under each group that is not told apart.

    The lines under Newman and Keuls's means, and Demšar's (2006) Fig. 1 of mean ranks.

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
    ax.plot(values, np.zeros(len(values)), "o-", color=BLUE)
    slanted: dict[str, Any] = {"rotation": 45, "rotation_mode": "anchor", "va": "bottom"}
    for value, label in zip(values.tolist(), labels, strict=True):
        ax.annotate(shortened(label), (value, 0), (0, 6), "data", "offset points", **slanted)
    for depth, group in enumerate(groups, start=1):
        ends = values[list(group)].min(), values[list(group)].max()
        ax.plot(ends, [-depth, -depth], color=ORANGE, linewidth=4, solid_capstyle="round")
    ax.set(ylim=(-len(groups) - 0.8, 3.0), yticks=[])
    ax.spines[["left", "right", "top"]].set_visible(False)
    return ax
