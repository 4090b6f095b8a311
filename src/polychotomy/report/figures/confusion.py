"""Where does it err? Truth against prediction, confusable classes side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.numbers import count, quoted, short
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import Figure, number, share
from polychotomy.validation import Confusion

_SHORT_NAME = 3  # letters: so short a name fits below a column

_ROOMS = {5: 16.0, 7: 20.0}  # letters, and the part of the width that names no longer need

_TOP = 26.0

_SHADES = 6

_FULL_NAMES = 60  # classes: more than this leave no room for a name in each row

_ROOMY = 34  # classes: up to this, names have their usual size

_NUMBERS = 12  # classes: up to this, a number fits into a cell

_MOST_TOLD = 150  # cells that say their numbers when a pointer rests on them


def draw_confusion(confusion: Confusion) -> Figure:
    """Draw the confusion matrix of one candidate.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[9.0, 1.0], [0.0, 10.0]])
    >>> found = Confusion(name="tree", classes=("a", "b"), counts=counts, order=np.arange(2))
    >>> draw_confusion(found).message
    "tree: of 20 cases, 19 are predicted right. The worst: 'a' taken for 'b'."
    """
    k, at = len(confusion.classes), np.ix_(confusion.order, confusion.order)
    table, shares = confusion.counts[at], confusion.shares[at]
    names = [confusion.classes[i] for i in confusion.order]
    most = float((shares * (1 - np.eye(k))).max(initial=0.0))
    field = _Field(k, row=_row_height(k), left=_room(names if k <= _FULL_NAMES else [""]))
    parted = np.sqrt(shares / np.where(np.eye(k) == 1, 1.0, most or 1.0))
    shades = np.ceil(_SHADES * parted - 1e-9).astype(int)
    width, height = 100 - field.left, field.row * k
    parts = [
        svg.box(field.left, _TOP, width=width, height=height, class_="matrix-field"),
        _cells(shades, field),
        *(_numbers(table, shades, field) if k <= _NUMBERS else []),
        *_told(table, names, field),
        svg.text("predicted →", field.left, 14, anchor="start", class_="axis-name"),
        svg.text("truth ↓", field.left, 14, anchor="end", dx=-10, class_="axis-name"),
    ]
    drawing = svg.element(
        "div", svg.plot(*parts, height=_TOP + height + 6), *_row_names(names, field),
        *_column_names(names, field), class_="matrix",
    )  # fmt: skip
    rows = [(names[i], *table[i].tolist()) for i in range(k)]
    message, reading = _message(confusion), _reading(k, most)
    return Figure("confusion", drawing, message, reading, ("truth", *names), rows)


def _row_height(k: int) -> float:
    if k <= _FULL_NAMES:
        return 44.0 if k <= _NUMBERS else 17.0 if k <= _ROOMY else 14.0
    return max(4.0, 560.0 / k)


class _Field(NamedTuple):
    """Where the cells are: ``left`` in per cent, a ``row`` in pixels."""

    k: int
    row: float
    left: float

    def across(self, column: float) -> float:
        """Place of a column's left side, in per cent."""
        return self.left + (100 - self.left) * column / self.k

    def down(self, row: float) -> float:
        """Place of a row's upper side, in pixels."""
        return _TOP + self.row * row


def _room(names: Sequence[str]) -> float:
    """Return the part of the width that names of rows take, in per cent: a phone has 330 pixels."""
    longest = max(map(len, names))
    return next((room for letters, room in _ROOMS.items() if longest <= letters), 26.0)


def _cells(shades: Ints, field: _Field) -> Markup:
    """Return one path for each shade of errors and of hits: a hundred classes stay small."""
    k, row, width = field.k, field.row, 100.0 / field.k
    paths: dict[str, str] = {}
    for i, j in np.argwhere(shades > 0):
        path = f"M{number(j * width)} {number(i * row)}h{number(width)}v{number(row)}"
        shade = f"{'hit' if i == j else 'miss'} shade{shades[i, j]}"
        paths[shade] = f"{paths.get(shade, '')}{path}h{number(-width)}z"
    drawn = [svg.element("path", class_=name, d=paths[name]) for name in sorted(paths)]
    return svg.element(
        "svg", *drawn, x=share(field.left), y=_TOP, width=share(100 - field.left), height=row * k,
        viewBox=f"0 0 100 {number(row * k)}", preserveAspectRatio="none",
    )  # fmt: skip


def _numbers(table: Floats, shades: Ints, field: _Field) -> list[Markup]:
    """Return the cases of each cell: hits are bold, what stands on a dark cell is light."""
    parts = []
    for i, j in np.argwhere(table > 0):
        over = "light" if shades[i, j] >= 5 else "dark"
        x, y = field.across(j + 0.5), field.down(i + 0.5) + 4
        class_ = f"cell-count {'strong' if i == j else over}"
        parts.append(svg.text(short_count(table[i, j]), x, y, class_=class_))
    return parts


def short_count(value: float) -> str:
    """Means over repetitions need one digit behind the point while they are small."""
    return count(value) if value >= 20 or abs(value - round(value)) < 0.05 else f"{value:.1f}"


def _told(table: Floats, names: Sequence[str], field: _Field) -> list[Markup]:
    """Boxes that cannot be seen, over the most frequent errors, to say their numbers."""
    missed = table * (1 - np.eye(field.k))
    found = np.argsort(-missed, axis=None, kind="stable")[:_MOST_TOLD]
    parts, width = [], (100 - field.left) / field.k
    for i, j in zip(*np.unravel_index(found, missed.shape), strict=True):
        if missed[i, j] > 0:
            words = f"{quoted(names[i], 40)} taken for {quoted(names[j], 40)}: "
            words += f"{short_count(table[i, j])} of {short_count(table[i].sum())}"
            x, y = field.across(int(j)), field.down(int(i))
            parts.append(svg.box(x, y, width=width, height=field.row, class_="told", title=words))
    return parts


def _row_names(names: Sequence[str], field: _Field) -> list[Markup]:
    """Name the rows where there is room."""
    if field.k > _FULL_NAMES:
        return []
    room = f"width:calc({share(field.left)} - 10px)"
    class_ = "matrix-name tight" if field.k > _ROOMY else "matrix-name"
    tops = (number(field.down(i + 0.5) - 9) for i in range(field.k))
    return [
        svg.label(name, class_=class_, style=f"top:{top}px;{room}")
        for name, top in zip(names, tops, strict=True)
    ]


def _column_names(names: Sequence[str], field: _Field) -> list[Markup]:
    """Name the columns below the field where they are few, or their names short."""
    if field.k > 8 and (max(map(len, names)) > _SHORT_NAME or field.k > _ROOMY):
        return []
    wide = f"width:{share((100 - field.left) / field.k)}"
    return [
        svg.label(name, class_="matrix-foot", style=f"left:{share(field.across(j))};{wide}")
        for j, name in enumerate(names)
    ]


def _message(confusion: Confusion) -> str:
    cases, right = count(confusion.counts.sum()), count(np.trace(confusion.counts))
    words = f"{short(confusion.name, 60)}: of {cases} cases, {right} are predicted right."
    if not confusion.worst:
        return f"{words} No class is taken for another."
    worst = confusion.worst[0]
    taken = f"{quoted(worst.truth)} taken for {quoted(worst.predicted)}"
    return f"{words} The worst: {taken}."


def _reading(k: int, most: float) -> str:
    words = "Rows are true classes, columns predicted classes, in the same order. "
    if not most:
        return words + "Everything lies on the diagonal: no case was taken for another class."
    # Halves alike however they came to be.
    strongest = f"{round(100 * most, 6):.0f} %" if most >= 0.005 else "less than 1 %"
    words += (
        "Classes that are often confused are neighbours. Grey on the diagonal is right, colour is "
        f"wrong: the strongest is {strongest} of its row. "
    )
    if k <= _NUMBERS:
        words += "Numbers are cases, the mean over the repetitions."
    elif k > _FULL_NAMES:
        words += "There is no room for the names of so many classes: the numbers have them."
    return words
