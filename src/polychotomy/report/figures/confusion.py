"""Where does it err? Truth against prediction, confusable classes side by side."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt

import numpy as np
from markupsafe import Markup

from polychotomy.arrays import Floats, Ints
from polychotomy.report.figure import Figure, label
from polychotomy.report.marks import box, element, number, plot, text
from polychotomy.report.words import count, short

_LEFT = 26.0  # per cent across for the names
_SHADES = 6
_FULL_NAMES = 34  # classes: more than this leave no room for a name a row
_NUMBERS = 12  # classes: up to this, a number fits into a cell
_MOST_TOLD = 150  # cells that say their numbers when a pointer rests on them


def draw_confusion(
    classes: Sequence[str],
    counts: Floats,
    order: Ints,
    worst: Sequence[tuple[str, str]],
    *,
    name: str,
) -> Figure:
    """Draw the confusion matrix of one candidate.

    Parameters
    ----------
    classes : (k,) str
    counts : (k, k) floats
        Row: the truth; column: the prediction.
    order : (k,) ints
        Classes in the order to show them in.
    worst : sequence of (truth, predicted)
        Pairs to name where not every class can be.
    name : str
        The candidate.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[9.0, 1.0], [0.0, 10.0]])
    >>> draw_confusion(["a", "b"], counts, np.arange(2), [("a", "b")], name="tree").message
    'tree: of 20 cases, 19 are predicted right. The most frequent error: a taken for b.'
    """
    k = len(classes)
    table = counts[np.ix_(order, order)]
    names = [classes[i] for i in order]
    row = _row_height(k)
    top = 26.0
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1e-12)
    parts = [
        _frame(k, row, top),
        *_cells(shares, row, top),
        *(_numbers(table, shares, row, top) if k <= _NUMBERS else []),
        *_told(table, names, row, top),
        text("predicted →", _LEFT, 14, anchor="start", class_="axis-name"),
        text("↓ truth", 0, 14, anchor="start", class_="axis-name"),
    ]
    drawing = element(
        "div", plot(*parts, height=top + row * k + 6), *_row_names(names, worst, row, top),
        *_column_names(names, row, top), class_="matrix",
    )  # fmt: skip
    rows = [(names[i], *table[i].tolist()) for i in range(k)]
    return Figure(
        "confusion", drawing, _message(table, worst, name), _reading(k), ("truth", *names), rows
    )


def _row_height(k: int) -> float:
    return 44.0 if k <= _NUMBERS else 17.0 if k <= _FULL_NAMES else max(4.0, 560.0 / k)


def _frame(k: int, row: float, top: float) -> Markup:
    return box(_LEFT, top, width=100 - _LEFT, height=row * k, class_="matrix-field")


def _cells(shares: Floats, row: float, top: float) -> list[Markup]:
    """One path a shade, so that a hundred classes stay small: errors and hits apart."""
    k = len(shares)
    width = 100.0 / k
    paths: dict[str, list[str]] = {}
    for i, j in np.argwhere(shares > 0):
        shade = ceil(_SHADES * sqrt(shares[i, j]) - 1e-9)
        kind = "hit" if i == j else "miss"
        x, y = number(j * width), number(i * row)
        path = f"M{x} {y}h{number(width)}v{number(row)}h{number(-width)}z"
        paths.setdefault(f"{kind} shade{shade}", []).append(path)
    drawn = [element("path", class_=name, d="".join(paths[name])) for name in sorted(paths)]
    inner = element(
        "svg", *drawn, x=f"{number(_LEFT)}%", y=number(top), width=f"{number(100 - _LEFT)}%",
        height=number(row * k), viewBox=f"0 0 100 {number(row * k)}", preserveAspectRatio="none",
    )  # fmt: skip
    return [inner]


def _place(j: int, k: int) -> float:
    return _LEFT + (100 - _LEFT) * j / k


def _numbers(table: Floats, shares: Floats, row: float, top: float) -> list[Markup]:
    k = len(table)
    return [
        text(
            _short_count(table[i, j]),
            (_place(j, k) + _place(j + 1, k)) / 2,
            top + row * (i + 0.5) + 4,
            class_="cell-count strong" if shares[i, j] > 0.45 else "cell-count",
        )
        for i, j in np.argwhere(table > 0)
    ]


def _short_count(value: float) -> str:
    """Means over repetitions need one digit behind the point while they are small."""
    return count(value) if value >= 20 or abs(value - round(value)) < 0.05 else f"{value:.1f}"


def _told(table: Floats, names: Sequence[str], row: float, top: float) -> list[Markup]:
    """Boxes that cannot be seen, over the most frequent errors, to say their numbers."""
    k = len(table)
    missed = table * (1 - np.eye(k))
    found = np.argsort(-missed, axis=None, kind="stable")[:_MOST_TOLD]
    parts = []
    for i, j in zip(*np.unravel_index(found, missed.shape), strict=True):
        if missed[i, j] > 0:
            words = f"{short(names[i], 40)} taken for {short(names[j], 40)}: "
            words += f"{_short_count(table[i, j])} of {_short_count(table[i].sum())}"
            parts.append(box(_place(int(j), k), top + row * int(i), width=(100 - _LEFT) / k,
                             height=row, class_="told", title=words))  # fmt: skip
    return parts


def _row_names(
    names: Sequence[str], worst: Sequence[tuple[str, str]], row: float, top: float
) -> list[Markup]:
    """Name every row, or, where there is no room, those of the worst pairs that keep apart."""
    if len(names) <= _FULL_NAMES:
        shown = list(range(len(names)))
    else:
        wanted = [names.index(one) for pair in worst for one in pair]
        shown = []
        for i in wanted:
            if all(abs(i - other) * row >= 14 for other in shown):
                shown.append(i)
    return [
        label(
            names[i],
            class_="matrix-name",
            style=f"top:{number(top + row * (i + 0.5) - 9)}px;width:calc({number(_LEFT)}% - 10px)",
        )
        for i in sorted(shown)
    ]


def _column_names(names: Sequence[str], row: float, top: float) -> list[Markup]:
    """Name the columns below the field where they are few."""
    k = len(names)
    if k > 8:
        return []
    return [
        label(
            name,
            class_="matrix-foot",
            style=f"left:{number(_place(j, k))}%;width:{number((100 - _LEFT) / k)}%",
        )
        for j, name in enumerate(names)
    ]


def _message(table: Floats, worst: Sequence[tuple[str, str]], name: str) -> str:
    words = (
        f"{short(name, 60)}: of {count(table.sum())} cases, {count(np.trace(table))} are predicted "
        "right."
    )
    if not worst:
        return f"{words} No class is taken for another."
    truth, predicted = worst[0]
    return f"{words} The most frequent error: {short(truth, 60)} taken for {short(predicted, 60)}."


def _reading(k: int) -> str:
    words = (
        "A row is what the cases are, a column what they were taken for, in the same order; "
        "classes that are often confused are neighbours. Grey on the diagonal is right, colour is "
        "wrong, the darker the larger the share of its row. "
    )
    if k <= _NUMBERS:
        return words + "Numbers are cases, the mean over the repetitions."
    if k <= _FULL_NAMES:
        return words
    return words + "With so many classes only those of the worst pairs are named."
