"""Many tables: mean ranks, each with half the critical difference on either side."""

from __future__ import annotations

import numpy as np

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
    m, half = len(order), nemenyi.critical_difference / 2
    height = _TOP + _ROW * m
    scale = Scale(1, m, first=4, last=96)
    first = order[0]
    reach = scale.clipped(float(nemenyi.mean_ranks[first]) + half)
    parts = [
        box(0, _TOP, width=reach, height=height - _TOP, class_="band"),
        bottom_axis(scale, "{:g}".format, name="mean rank over the tables, 1 is best", top=_TOP,
                    bottom=height),
    ]  # fmt: skip
    labels = []
    for row, i in enumerate(order):
        rank, y = float(nemenyi.mean_ranks[i]), _TOP + _ROW * row + _MIDDLE
        apart = abs(rank - nemenyi.mean_ranks[first]) >= nemenyi.critical_difference
        state = "best" if i == first else "other" if apart else "efficient"
        ends = max(scale(rank - half), 0.0), min(scale(rank + half), 100.0)
        parts.append(line(*ends, y, y, class_=f"whisker wide {state}"))
        parts.append(dot(scale(rank), y, radius=6, class_=f"mean {state}"))
        labels.append(
            element(
                "div", label(nemenyi.names[i]), element("span", f"{rank:.2f}", class_="value"),
                class_="row-label best" if i == first else "row-label",
                style=f"--top:{number(_TOP + _ROW * row)}px",
            )
        )  # fmt: skip
    field = element("div", plot(*parts, height=height + 40), class_="field")
    ranks = ", ".join(f"{short(nemenyi.names[i], 40)} {nemenyi.mean_ranks[i]:.2f}" for i in order)
    message = (
        f"Mean ranks over {some(nemenyi.n_data_sets, 'table')}: {ranks}; they are told apart from "
        f"{nemenyi.critical_difference:.2f} on."
    )
    reading = (
        "On every table the candidates are ranked by their mean; the dot is the mean of those "
        "ranks. Two whose bars overlap are not told apart by Nemenyi's test at level "
        f"{nemenyi.alpha:g}; the shaded zone ends where the first one's bar does."
    )
    return Figure(
        "ranks", element("div", field, *labels, class_="rows plain"), message, reading,
        ("candidate", "mean_rank", "critical_difference"),
        [(nemenyi.names[i], float(nemenyi.mean_ranks[i]), nemenyi.critical_difference)
         for i in order],
    )  # fmt: skip
