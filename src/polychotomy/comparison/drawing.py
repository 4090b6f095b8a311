"""Drawings of arrays: the graph of YA06 Fig. 2 to 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from polychotomy.arrays import Bools, Floats, Ints

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, ORANGE, GREY = "#2166ac", "#d6604d", "#8c8c8c"


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
        The errors are drawn on it, the graph on a strip to its right.
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
    m = len(names)
    draw_error_rows(ax, names, errors, best=int(order[0]))
    graph = ax.inset_axes((1.02, 0.0, 0.2 + 0.03 * min(m, 10), 1.0))
    _draw_nodes_and_arrows(graph, edges, order)
    graph.set_ylim(ax.get_ylim())
    return ax


def draw_error_rows(ax: Axes, names: Sequence[str], errors: Floats, *, best: int) -> None:
    """Draw a row a learner, the first on top: a dot a fold, a bar at the mean."""
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
    ax.set_xlabel("error")
    ax.grid(axis="x", color="0.92")
    ax.set_axisbelow(True)
    ax.spines[["left", "right", "top"]].set_visible(False)


def shortened(name: str, length: int = 32) -> str:
    """Return the name on one line, its middle left out if longer than ``length``.

    Examples
    --------
    >>> shortened("a" * 20 + "b" * 20, 9)
    'aaaa…bbbb'
    """
    line = " ".join(name.split()).replace("$", r"\$")
    half = (length - 1) // 2
    return line if len(line) <= length else f"{line[:half]}…{line[len(line) - half :]}"


def _draw_nodes_and_arrows(ax: Axes, edges: Bools, order: Ints) -> None:
    m = len(order)
    size = float(np.clip(320 - 14 * m, 120, 300))
    place = np.empty(m, dtype=int)
    place[order] = np.arange(1, m + 1)
    beaten = np.asarray(edges.any(axis=1))
    for i in range(m):
        shade = ORANGE if place[i] == 1 else "white"
        width = 1.0 if beaten[i] else 2.2
        ax.scatter(0, i, s=size, color=shade, edgecolor="0.2", linewidth=width, zorder=3)
        ink = "white" if place[i] == 1 else "0.2"
        ax.text(0, i, str(place[i]), ha="center", va="center", fontsize=8, color=ink, zorder=4)
    for i, j in np.argwhere(edges):
        _draw_arrow(ax, int(i), int(j), m, size, strong=place[j] == 1)
    ax.set_xlim(-0.12, 1.0)
    ax.axis("off")


def _draw_arrow(ax: Axes, i: int, j: int, m: int, size: float, *, strong: bool) -> None:
    reach = 0.9 * (j - i) / max(m - 1, 1)
    path = [(0.0, i), (1.33 * reach, i), (1.33 * reach, j), (0.0, j)]
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    curve = Path(path, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
    ax.add_patch(
        FancyArrowPatch(
            path=curve,
            arrowstyle="-|>",
            mutation_scale=9,
            color=ORANGE if strong else GREY,
            linewidth=1.4 if strong else 0.9,
            shrinkB=float(np.sqrt(size) / 2),
            shrinkA=float(np.sqrt(size) / 2),
            zorder=2 if strong else 1,
        )
    )
