"""Many tables: mean ranks, each with half the critical difference on either side."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from polychotomy.comparison import Nemenyi
from polychotomy.report.figure import Figure, label
from polychotomy.report.figures.axes import bottom_axis
from polychotomy.report.marks import box, dot, element, line, number, plot
from polychotomy.report.scales import Scale
from polychotomy.report.words import short, some

_ROW, _TOP, _MIDDLE = 42.0, 8.0, 28.0


def draw_ranks(nemenyi: Nemenyi) -> Figure:
    """Draw the candidates by mean rank; bars that overlap are not told apart.

    Examples
    --------
    >>> from polychotomy.comparison import nemenyi_test
    >>> found = nemenyi_test([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]], names=["A", "B", "C"])
    >>> draw_ranks(found).message
    'Mean ranks over 4 tables: A 1.25, B 2.00, C 2.75; they are told apart from 1.66 on.'
    """
    order = np.argsort(nemenyi.mean_ranks, kind="stable").tolist()
    height = _TOP + _ROW * len(order)
    scale = Scale(1, len(order), first=4, last=96)
    half = nemenyi.critical_difference / 2
    reach = scale.clipped(float(nemenyi.mean_ranks[order[0]]) + half)
    axis = bottom_axis(
        scale, "{:g}".format, name="mean rank over the tables, 1 is best", top=_TOP, bottom=height
    )
    band = box(0, _TOP, width=reach, height=height - _TOP, class_="band")
    marks = [_marks(nemenyi, i, order[0], scale, row) for row, i in enumerate(order)]
    labels = [_label(nemenyi, i, order[0], row) for row, i in enumerate(order)]
    field = element("div", plot(band, axis, *marks, height=height + 40), class_="field")
    ranks = [(nemenyi.names[i], float(nemenyi.mean_ranks[i])) for i in order]
    told = ", ".join(f"{short(name, 40)} {rank:.2f}" for name, rank in ranks)
    return Figure(
        "ranks",
        element("div", field, *labels, class_="rows plain"),
        f"Mean ranks over {some(nemenyi.n_data_sets, 'table')}: {told}; they are told apart from "
        f"{nemenyi.critical_difference:.2f} on.",
        "On every table the candidates are ranked by their mean; the dot is the mean of those "
        "ranks. Two whose bars overlap are not told apart by Nemenyi's test at level "
        f"{nemenyi.alpha:g}; the shaded zone ends where the first one's bar does.",
        ("candidate", "mean_rank", "critical_difference"),
        [(*rank, nemenyi.critical_difference) for rank in ranks],
    )


def _marks(nemenyi: Nemenyi, i: int, first: int, scale: Scale, row: int) -> Markup:
    """Return a dot with half the critical difference on either side."""
    rank, y = float(nemenyi.mean_ranks[i]), _TOP + _ROW * row + _MIDDLE
    half = nemenyi.critical_difference / 2
    apart = abs(rank - nemenyi.mean_ranks[first]) >= nemenyi.critical_difference
    state = "best" if i == first else "other" if apart else "efficient"
    ends = max(scale(rank - half), 0.0), min(scale(rank + half), 100.0)
    bar = line(*ends, y, y, class_=f"whisker wide {state}")
    return bar + dot(scale(rank), y, radius=6, class_=f"mean {state}")


def _label(nemenyi: Nemenyi, i: int, first: int, row: int) -> Markup:
    return element(
        "div",
        label(nemenyi.names[i]),
        element("span", f"{nemenyi.mean_ranks[i]:.2f}", class_="value"),
        class_="row-label best" if i == first else "row-label",
        style=f"--top:{number(_TOP + _ROW * row)}px",
    )
