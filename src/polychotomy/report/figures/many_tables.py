"""Many tables: what each candidate costs over the lowest on every table, and which was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from polychotomy.comparison import Criterion, Nemenyi
from polychotomy.core.numbers import amount, counted, mean_words, short
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import Figure, Scale, write_points

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
    scale, best = _scale(rows), criterion.best_word
    way = "below" if criterion.higher_better else "above"
    name = f"{'points' if criterion.is_rate else criterion.words} {way} the {best} "
    name += f"{mean_words(criterion)} of the table"
    write = write_points if criterion.is_rate else "{:g}".format
    drawing = svg.labelled_rows(
        [_marks(row, i, scale, criterion) for i, row in enumerate(rows)],
        [(row.name, short(row.chosen, 18), "chosen") for row in rows],
        row=_ROW, head=_TOP, lift=3, class_="rows plain wide-values",
        axis=partial(svg.bottom_axis, scale, write, name=name, top=_TOP),
    )  # fmt: skip
    told = ", ".join(f"{short(row.chosen, 40)} on {short(row.name, 40)}" for row in rows[:30])
    message = f"The candidate chosen on each table: {told}{' and so on' * (len(rows) > 30)}."
    reading = (
        f"Rows are tables, dots candidates: the further right, the farther from the {best} mean "
        "there. The coloured dot is the one chosen by the rule, named at the right. Those beyond "
        "the scale are counted at its end."
    )
    numbers = [
        (row.name, name, float(loss), name == row.chosen)
        for row in rows
        for name, loss in row.losses.items()
    ]
    header = ("table", "candidate", criterion.words, "chosen")
    return Figure("tables", drawing, message, reading, header, numbers)


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
    row, most = 34.0, max(wins.values())
    scale = Scale(0, max(most, 1), first=0.5, last=96)
    found = [(name, won, "best" if won == most else "") for name, won in wins.items()]
    bars = [
        svg.bar(scale, 0, won, 25 + row * i, height=9, class_=f"bar {state or 'other'}")
        for i, (_, won, state) in enumerate(found)
    ]
    names = [(name, str(won), state) for name, won, state in found]
    drawing = svg.labelled_rows(bars, names, row=row, head=6, class_="rows plain stacked")
    told = ", ".join(f"{short(name, 40)} on {count}" for name, count in wins.items())
    message = f"Chosen: {told} of {counted(n_tables, 'table')}."
    reading = "On how many tables each candidate was chosen, the most preferred at the top."
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
    ranks = [(nemenyi.names[i], float(nemenyi.mean_ranks[i])) for i in order]
    first, reach = ranks[0][1], nemenyi.critical_difference
    scale = Scale(1, len(order), first=4, last=96)
    width, height = scale.clipped(first + reach / 2), _RANK_ROW * len(order)
    marks = []
    for i, (_, rank) in enumerate(ranks):
        y = _RANK_TOP + _RANK_ROW * i + _RANK_MIDDLE
        state = "best" if i == 0 else "other" if rank - first >= reach else "efficient"
        ends = max(scale(rank - reach / 2), 0.0), min(scale(rank + reach / 2), 100.0)
        marks.append(svg.line(*ends, y, y, class_=f"whisker wide {state}"))
        marks.append(svg.dot(scale(rank), y, radius=6, class_=f"mean {state}"))
    name = "mean rank over the tables, 1 is best"
    drawing = svg.labelled_rows(
        marks,
        [(one, f"{rank:.2f}", "" if i else "best") for i, (one, rank) in enumerate(ranks)],
        row=_RANK_ROW, head=_RANK_TOP, lift=0,
        axis=partial(svg.bottom_axis, scale, "{:g}".format, name=name, top=_RANK_TOP),
        under=svg.box(0, _RANK_TOP, width=width, height=height, class_="band"),
    )  # fmt: skip
    told = ", ".join(f"{short(name, 40)} {rank:.2f}" for name, rank in ranks)
    message = (
        f"Mean ranks over {counted(nemenyi.n_data_sets, 'table')}: {told}; they are told apart "
        f"from {reach:.2f} on."
    )
    reading = (
        "On every table the candidates are ranked by their mean; the dot is the mean of those "
        "ranks. Two whose bars overlap are not told apart by Nemenyi's test at level "
        f"{nemenyi.alpha:g}; the shaded zone ends where the first one's bar does."
    )
    header = ("candidate", "mean_rank", "critical_difference")
    return Figure("ranks", drawing, message, reading, header, [(*one, reach) for one in ranks])
