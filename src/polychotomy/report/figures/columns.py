"""Which columns matter? Bars of permutation importance, and how the first three do."""

from __future__ import annotations

import numpy as np

from polychotomy.comparison import Criterion
from polychotomy.core.numbers import difference, percent, plain, quoted, short
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import BOTTOM, TOP, Figure, Scale
from polychotomy.verdict.findings import Columns, Dependence

_HEAD, _ROW = 20.0, 40.0

_MOST = 20  # groups that are drawn

_OF_SEVERAL = " Of the classes, the one whose mean probability changes most."


def name_group(columns: tuple[str, ...], most: int = 60) -> str:
    """Name columns that were permuted together: two of them, and how many more.

    Examples
    --------
    >>> name_group(("a", "b", "c", "d")), name_group(("a",))
    ('a, b and 2 more', 'a')
    """
    named = [short(name, most) for name in columns[:2]]
    rest = len(columns) - 2
    return ", ".join(named) + (f" and {rest} more" if rest > 0 else "")


def draw_columns(found: Columns, *, criterion: Criterion) -> Figure:
    """Draw by how much the loss rises where each group of columns is permuted.

    Examples
    --------
    >>> found = Columns(groups=(("age",), ("sex",)), rise=np.array([0.1, 0.0]),
    ...     low=np.array([0.05, -0.01]), high=np.array([0.15, 0.01]), before=0.2, rows=100,
    ...     folds=5, repeats=5)
    >>> draw_columns(found, criterion=Criterion(name="error")).message
    'Permuted, age raises the error by 10.0 points.'
    """
    groups = found.groups[:_MOST]
    low, high = (np.where(np.isnan(e), found.rise, e)[:_MOST] for e in (found.low, found.high))
    points = " in points" if criterion.is_rate else ""
    x = Scale(min(float(low.min()), 0.0), max(float(high.max()), 1e-4), first=0.5, last=97)
    height = _HEAD + _ROW * len(groups)
    axis = svg.bottom_axis(
        x, lambda value: f"{100 * value if points else value:g}".replace("-", "−"),
        name=f"rise of the {criterion.words}{points}", top=4, bottom=height, about=4,
    )  # fmt: skip
    parts, labels = [axis], []
    for i, group in enumerate(groups):
        rise, y = float(found.rise[i]), _HEAD + _ROW * i + 20
        state = "best" if low[i] > 0 else "other"
        told = "together: " + ", ".join(short(name, 60) for name in group[:20])
        left, right = sorted((x(0), x(rise)))
        parts += [
            # Of zero only what is beside the bar: on a phone, names stand above the bars.
            svg.line(x(0), x(0), y - 2, y + 14, class_="axis"),
            svg.box(
                left,
                y,
                width=right - left,
                height=12,
                class_=f"bar {state}",
                title=told if len(group) > 1 else "",
            ),
            svg.line(x(float(low[i])), x(float(high[i])), y + 6, y + 6, class_="whisker ink"),
        ]
        value = difference(rise, criterion)
        labels.append(svg.row_label(name_group(group), value, top=_HEAD - 2 + _ROW * i))
    rows = [
        (" + ".join(group), float(found.rise[i]), float(found.low[i]), float(found.high[i]))
        for i, group in enumerate(found.groups)
    ]
    more = len(found.groups) - len(groups)
    reading = (
        f"A bar is how much the {criterion.words} of held-out rows rises when the values of a "
        f"column are shuffled among them, so that they say nothing ({found.repeats} times in each "
        f"of {found.folds} folds, {found.rows} rows in all); the line is its 95 % interval over "
        "folds. Indigo: the interval lies above zero. Columns with a correlation of 0.8 and more "
        "are shuffled together, as one could stand in for the other. It is about this candidate, "
        "not about causes." + f" {more} more are in the numbers." * (more > 0)
    )
    message = (
        f"Permuted, {name_group(groups[0])} raise{'s' * (len(groups[0]) == 1)} the "
        f"{criterion.words} by {difference(float(found.rise[0]), criterion).lstrip('+')}"
        f"{' points' * criterion.is_rate}."
    )
    drawing = svg.labelled_rows(parts, labels, height=height + 40)
    return Figure("columns", drawing, message, reading, ("columns", "rise", "low", "high"), rows)


def draw_dependence(found: Dependence, classes: tuple[str, ...], *, place: int = 1) -> Figure:
    """Draw the mean probability of the class that depends most on a column, at its values.

    Examples
    --------
    >>> found = Dependence(("age",), (20.0, 40.0), True, np.array([[0.2, 0.8], [0.6, 0.4]]))
    >>> draw_dependence(found, ("ill", "well")).message
    "age from 20.0 to 40.0: mean probability of 'well' from 80.0 % to 40.0 %."
    """
    # Both of two classes change alike: the second is scikit-learn's positive one.
    which = 1 if len(classes) == 2 else int(np.ptp(found.shares, axis=0).round(4).argmax())
    shares = found.shares[:, which].tolist()
    written = [plain(one) if isinstance(one, float) else short(one, 30) for one in found.values]
    # As long as a phone is wide: whatever else goes with the column, the sentence says.
    title = f"{short(found.columns[0], 20)}: probability of {quoted(classes[which], 12)}"
    if found.is_number:
        numbers = [float(one) for one in found.values]
        x = Scale(min(numbers), max(numbers), first=12, last=96)
        y = Scale(0, max(*shares, 0.01) * 1.1, first=BOTTOM, last=TOP)
        places = [(x(a), y(b)) for a, b in zip(numbers, shares, strict=True)]
        drawing = svg.panel(
            svg.left_axis(y, lambda v: f"{100 * v:g} %", left=0),
            svg.bottom_axis(x, "{:g}".format, name=short(found.columns[0], 40), top=BOTTOM,
                            bottom=BOTTOM, about=4),
            svg.text(title, 0, 11, anchor="start", class_="axis-name"),
            svg.stretched(svg.curve(places, class_="best"), height=BOTTOM),
            *(svg.dot(*place, radius=4, class_="mean best", title=f"at {value}: {percent(share)}")
              for place, value, share in zip(places, written, shares, strict=True)),
            height=BOTTOM + 40,
        )  # fmt: skip
    else:
        x, height = Scale(0, max(*shares, 0.01) * 1.1, first=0.5, last=97), _ROW * len(shares) + 20
        axis = svg.bottom_axis(x, lambda v: f"{100 * v:g} %", name=title, top=4, bottom=height,
                               about=4)  # fmt: skip
        dots = [svg.dot(x(share), _ROW * i + 30, class_="mean best")
                for i, share in enumerate(shares)]  # fmt: skip
        labels = [
            svg.row_label(value, percent(share), top=_ROW * i)
            for i, (value, share) in enumerate(zip(written, shares, strict=True))
        ]
        drawing = svg.labelled_rows([axis, *dots], labels, height=height + 40)
    message = (
        f"{name_group(found.columns)} from {written[0]} to {written[-1]}: mean probability of "
        f"{quoted(classes[which])} from {percent(shares[0])} to {percent(shares[-1])}."
    )
    tenths = "the mean of a tenth of the rows" if found.is_number else "a value"
    reading = (
        f"A dot is {tenths}: held-out rows were given {short(found.columns[0], 40)} of rows with "
        f"it{', and the columns that go with it' * (len(found.columns) > 1)}, all else left as it "
        f"was (partial dependence).{_OF_SEVERAL * (len(classes) > 2)}"
    )
    header = ("value", *(f"p:{name}" for name in classes))
    rows = [(value, *row) for value, row in zip(found.values, found.shares.tolist(), strict=True)]
    return Figure(f"dependence-{place}", drawing, message, reading, header, rows)
