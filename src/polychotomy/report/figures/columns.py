"""Which columns matter? Bars of permutation importance, and how the first three do."""

from __future__ import annotations

from functools import partial

import numpy as np

from polychotomy.comparison import Criterion
from polychotomy.core.numbers import difference, few, join, minus, percent, plain, quoted, short
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import BOTTOM, TOP, Figure, Scale, write_percent, write_points
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
    return join(few([short(name, most) for name in columns], 2))


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
    points = " in points" * criterion.is_rate
    x = Scale(min(float(low.min()), 0.0), max(float(high.max()), 1e-4), first=0.5, last=97)
    parts, names = [], []
    for i, group in enumerate(groups):
        rise, y = float(found.rise[i]), _HEAD + _ROW * i + 20
        together = ", ".join(short(name, 60) for name in group[:20])
        parts += [
            # Of zero only what is beside the bar: on a phone, names stand above the bars.
            svg.upright(x(0), y - 2, y + 14, class_="axis"),
            svg.bar(x, 0, rise, y, class_=f"bar {'best' if low[i] > 0 else 'other'}",
                    title=f"together: {together}" * (len(group) > 1)),
            svg.line(x(float(low[i])), x(float(high[i])), y + 6, y + 6, class_="whisker ink"),
        ]  # fmt: skip
        names.append((name_group(group), difference(rise, criterion), ""))
    drawing = svg.labelled_rows(
        parts, names, row=_ROW, head=_HEAD,
        axis=partial(
            svg.bottom_axis, x, write_points if points else lambda value: minus(f"{value:g}"),
            name=f"rise of the {criterion.words}{points}", top=4, about=4,
        ),
    )  # fmt: skip
    numbers = (one.tolist() for one in (found.rise, found.low, found.high))
    rows = list(zip(map(" + ".join, found.groups), *numbers, strict=True))
    more = len(found.groups) - len(groups)
    hidden = f" {more} more are in the numbers." * (more > 0)
    sure = "the line is its 95 % interval over folds. Indigo: the interval lies above zero"
    sure = sure if found.folds > 1 else "of one fold there is no interval"
    reading = (
        f"A bar is how much the {criterion.words} of held-out rows rises when the values of a "
        f"column are shuffled among them ({found.repeats} times in each of {found.folds} folds, "
        f"{found.rows} rows in all); {sure}. Columns with a correlation of 0.8 and more are "
        f"shuffled together. It is about this candidate, not about causes.{hidden}"
    )
    message = (
        f"Permuted, {name_group(groups[0])} raise{'s' * (len(groups[0]) == 1)} the "
        f"{criterion.words} by {difference(float(found.rise[0]), criterion).lstrip('+')}"
        f"{' points' * criterion.is_rate}."
    )
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
    top = max(*shares, 0.01) * 1.1
    if found.is_number:
        numbers = [float(one) for one in found.values]
        x = Scale(min(numbers), max(numbers), first=12, last=96)
        along = svg.places(x, Scale(0, top, first=BOTTOM, last=TOP), numbers, shares)
        dots = [svg.dot(*place, radius=4, class_="mean best", title=f"at {value}: {percent(share)}")
                for place, value, share in zip(along, written, shares, strict=True)]  # fmt: skip
        drawing = svg.panel(
            svg.left_axis(Scale(0, top, first=BOTTOM, last=TOP), write_percent, name=title),
            svg.bottom_axis(x, "{:g}".format, name=short(found.columns[0], 40), top=BOTTOM,
                            bottom=BOTTOM, about=4),
            svg.stretched(svg.curve(along, class_="best"), height=BOTTOM), *dots,
            height=BOTTOM + 40,
        )  # fmt: skip
    else:
        x = Scale(0, top, first=0.5, last=97)
        dots = [svg.dot(x(one), _ROW * i + 30, class_="mean best") for i, one in enumerate(shares)]
        names = [(value, percent(share), "") for value, share in zip(written, shares, strict=True)]
        axis = partial(svg.bottom_axis, x, write_percent, name=title, top=4, about=4)
        drawing = svg.labelled_rows(dots, names, row=_ROW, head=_HEAD, lift=_HEAD, axis=axis)
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
