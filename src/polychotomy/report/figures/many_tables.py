"""Many tables: what each candidate costs over the lowest on every table, and which was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from polychotomy.comparison import Criterion, Nemenyi
from polychotomy.core.numbers import amount, counted, mean_words, short
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import Figure, Scale

_ROW, _TOP, _MIDDLE = 40.0, 8.0, 27.0


class TableRow(NamedTuple):
    """One table: its name, the mean loss of every candidate that never failed, the one chosen."""

    name: str
    losses: Mapping[str, float]
    chosen: str


def draw_tables(rows: Sequence[TableRow], *, criterion: Criterion) -> Figure:
    """Draw one row for each table: how far each candidate is above the lowest mean.

    Examples
    --------
    >>> rows = [TableRow("iris", {"tree": 0.06, "bayes": 0.05}, "bayes")]
    >>> draw_tables(rows, criterion=Criterion(name="error")).message
    'The candidate chosen on each table: bayes on iris.'
    """
    height = _TOP + _ROW * len(rows)
    scale = _scale(rows)
    difference = "points" if criterion.is_rate else criterion.words
    way, best = "below" if criterion.higher_better else "above", criterion.best_word
    name = f"{difference} {way} the {best} {mean_words(criterion)} of the table"
    unit = 100 if criterion.is_rate else 1
    axis = svg.bottom_axis(scale, lambda v: f"{unit * v:g}", name=name, top=_TOP, bottom=height)
    marks = [_marks(row, i, scale, criterion) for i, row in enumerate(rows)]
    labels = [
        svg.row_label(row.name, short(row.chosen, 18), top=_TOP + _ROW * i - 3, state="chosen")
        for i, row in enumerate(rows)
    ]
    told = ", ".join(f"{short(row.chosen, 40)} on {short(row.name, 40)}" for row in rows[:30])
    numbers = [
        (row.name, name, float(loss), name == row.chosen)
        for row in rows
        for name, loss in row.losses.items()
    ]
    return Figure(
        "tables",
        svg.labelled_rows(
            [axis, *marks], labels, height=height + 40, class_="rows plain wide-values"
        ),
        f"The candidate chosen on each table: {told}{'' if len(rows) <= 30 else ' and so on'}.",
        "Rows are tables, dots candidates: the further right, the more it errs beyond the "
        f"{best} mean there. The coloured dot is the one chosen, named at the right; it is not "
        f"always the {best}, since a simpler one within the margin is preferred. Candidates beyond "
        "the scale are counted at its end.",
        ("table", "candidate", criterion.words, "chosen"),
        numbers,
    )


def _scale(rows: Sequence[TableRow]) -> Scale:
    """Show three quarters of all candidates, and every chosen one."""
    above = sorted(loss - min(row.losses.values()) for row in rows for loss in row.losses.values())
    chosen = max(row.losses[row.chosen] - min(row.losses.values()) for row in rows)
    high = max(above[int(0.75 * (len(above) - 1))], 2 * chosen) or above[-1] or 0.01
    return Scale(0, 1.04 * high, first=1.5, last=95)


def _marks(row: TableRow, i: int, scale: Scale, criterion: Criterion) -> Markup:
    y = _TOP + _ROW * i + _MIDDLE
    lowest = min(row.losses.values())
    parts = [svg.line(0, 100, y, y, class_="lane")]
    near = [name for name, loss in row.losses.items() if not loss - lowest > scale.high]
    for name in sorted(near, key=lambda name: name == row.chosen):
        x = scale(row.losses[name] - lowest)
        told = f"{short(name, 60)}: {amount(row.losses[name], criterion)}"
        state, radius = ("best", 6.5) if name == row.chosen else ("other", 4.5)
        parts.append(svg.dot(x, y, radius=radius, class_=f"mean {state}", title=told))
    beyond = len(row.losses) - len(near)
    if beyond:
        parts.append(svg.text(f"+{beyond} ›", 100, y + 4, anchor="end", class_="small"))
    return Markup("").join(parts)


def draw_wins(wins: Mapping[str, int], *, n_tables: int) -> Figure:
    """Draw on how many tables each candidate was chosen.

    Examples
    --------
    >>> draw_wins({"MAX": 0, "tree": 2}, n_tables=3).message
    'Chosen: MAX on 0, tree on 2 of 3 tables.'
    """
    row = 34.0
    height = 6 + row * len(wins)
    scale = Scale(0, max(max(wins.values()), 1), first=0.5, last=96)
    most = max(wins.values())
    bars = [
        svg.box(scale(0), 6 + row * i + 19, width=scale(count) - scale(0), height=9,
            class_="bar best" if count == most else "bar other")
        for i, count in enumerate(wins.values())
    ]  # fmt: skip
    labels = [
        svg.row_label(name, str(count), top=4 + row * i, state="best" if count == most else "")
        for i, (name, count) in enumerate(wins.items())
    ]
    told = ", ".join(f"{short(name, 40)} on {count}" for name, count in wins.items())
    drawing = svg.labelled_rows(bars, labels, height=height, class_="rows plain stacked")
    message = f"Chosen: {told} of {counted(n_tables, 'table')}."
    reading = "On how many tables each candidate was chosen, the simplest at the top."
    return Figure("wins", drawing, message, reading, ("candidate", "tables"), list(wins.items()))


_RANK_ROW, _RANK_TOP, _RANK_MIDDLE = 42.0, 8.0, 28.0


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
    height = _RANK_TOP + _RANK_ROW * len(order)
    scale = Scale(1, len(order), first=4, last=96)
    reach = scale.clipped(float(nemenyi.mean_ranks[order[0]]) + nemenyi.critical_difference / 2)
    axis = svg.bottom_axis(
        scale,
        "{:g}".format,
        name="mean rank over the tables, 1 is best",
        top=_RANK_TOP,
        bottom=height,
    )
    band = svg.box(0, _RANK_TOP, width=reach, height=height - _RANK_TOP, class_="band")
    marks = [_rank_marks(nemenyi, i, order[0], scale, row) for row, i in enumerate(order)]
    ranks = [(nemenyi.names[i], float(nemenyi.mean_ranks[i])) for i in order]
    labels = [
        svg.row_label(name, f"{rank:.2f}", top=_RANK_TOP + _RANK_ROW * i, state="" if i else "best")
        for i, (name, rank) in enumerate(ranks)
    ]
    told = ", ".join(f"{short(name, 40)} {rank:.2f}" for name, rank in ranks)
    return Figure(
        "ranks",
        svg.labelled_rows([band, axis, *marks], labels, height=height + 40),
        f"Mean ranks over {counted(nemenyi.n_data_sets, 'table')}: {told}; they are told apart "
        f"from {nemenyi.critical_difference:.2f} on.",
        "On every table the candidates are ranked by their mean; the dot is the mean of those "
        "ranks. Two whose bars overlap are not told apart by Nemenyi's test at level "
        f"{nemenyi.alpha:g}; the shaded zone ends where the first one's bar does.",
        ("candidate", "mean_rank", "critical_difference"),
        [(*rank, nemenyi.critical_difference) for rank in ranks],
    )


def _rank_marks(nemenyi: Nemenyi, i: int, first: int, scale: Scale, row: int) -> Markup:
    """Return a dot with half the critical difference on either side."""
    rank, y = float(nemenyi.mean_ranks[i]), _RANK_TOP + _RANK_ROW * row + _RANK_MIDDLE
    half = nemenyi.critical_difference / 2
    apart = abs(rank - nemenyi.mean_ranks[first]) >= nemenyi.critical_difference
    state = "best" if i == first else "other" if apart else "efficient"
    ends = max(scale(rank - half), 0.0), min(scale(rank + half), 100.0)
    bar = svg.line(*ends, y, y, class_=f"whisker wide {state}")
    return bar + svg.dot(scale(rank), y, radius=6, class_=f"mean {state}")
