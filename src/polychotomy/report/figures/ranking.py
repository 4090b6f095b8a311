"""How well are the classes told apart? ROC and precision–recall curves, each in its band."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markupsafe import Markup

from polychotomy.core.arrays import Floats
from polychotomy.core.numbers import quoted, short
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import BOTTOM, TOP, Figure, Scale, write_percent
from polychotomy.validation import RankingCurve

_X, _Y = Scale(0, 1, first=2, last=98), Scale(0, 1, first=BOTTOM, last=TOP)

_STATES = ("best", "rival")


def draw_roc(curves: Sequence[RankingCurve]) -> Figure:
    """Draw the share of a class found against the share of the others taken for it.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import ranking_curve
    >>> y = np.array([True, True, False, False])
    >>> one = ranking_curve(np.array([0.9, 0.3, 0.5, 0.1]), y, name="tree", label="yes")
    >>> draw_roc([one]).message
    "ROC curve of 'yes' against the others: AUC 0.750 for tree."
    """
    label, level = quoted(curves[0].label, 30), curves[0].level
    parts = ("false_positives", "true_positives")
    areas = ", ".join(f"{one.auc:.3f} for {short(one.name, 80)}" for one in curves)
    drawing, rows = _draw(
        curves, RankingCurve.roc_band, parts, (0, 1),
        up=f"share of {label} found", across="share of the others taken for it",
    )  # fmt: skip
    reading = (
        f"At each threshold, the share of {label} found against the share of the others taken for "
        "it. Shaded is where the point of a threshold may lie in truth, each with "
        f"{100 * level:g} % confidence, for these fits and independent rows; the dashed line "
        "is guessing."
    )
    message = f"ROC curve of {label} against the others: AUC {areas}."
    return Figure("roc", drawing, message, reading, ("candidate", *parts), rows)


def draw_precision(curves: Sequence[RankingCurve]) -> Figure:
    """Draw the share of right ones among those found against the share found.

    Examples
    --------
    See :func:`draw_roc`.
    """
    base, label = curves[0].prevalence, quoted(curves[0].label, 30)
    areas = ", ".join(f"{one.average_precision:.3f} for {short(one.name, 80)}" for one in curves)
    drawing, rows = _draw(
        curves, RankingCurve.precision_band, ("true_positives", "precision"), (base, base),
        up="share that is right (precision)", across=f"share of {label} found (recall)",
    )  # fmt: skip
    reading = (
        f"Of the rows called {label}, how many are, against the share of {label} found. The dashed "
        f"line is guessing, {100 * base:.3g} %. The band is that of the ROC curve."
    )
    message = f"Precision against recall of {label}: average precision {areas}."
    header = ("candidate", "recall", "precision")
    return Figure("precision-recall", drawing, message, reading, header, rows)


_Band = tuple[tuple[Floats, Floats], tuple[Floats, Floats]]


def _draw(
    curves: Sequence[RankingCurve],
    band_of: Callable[[RankingCurve], _Band],
    parts: tuple[str, str],
    guessing: tuple[float, float],
    *,
    up: str,
    across: str,
) -> tuple[Markup, list[tuple[object, ...]]]:
    """Return the bands below, the lines above, the best one's on top; and the numbers drawn.

    ``guessing`` is at which heights its line begins and ends.
    """
    bands, lines, names, rows = [], [], [], []
    for i, (one, state) in enumerate(zip(curves, _STATES, strict=False)):
        low, high = (svg.places(_X, _Y, *side) for side in band_of(one))
        along = [getattr(one, part).tolist() for part in parts]
        bands.append(svg.area(low, high, class_=f"band {state}"))
        lines.append(svg.curve(svg.places(_X, _Y, *along), class_=state))
        names.append(svg.text(short(one.name, 24), 97, BOTTOM - 12 - 16 * i, anchor="end",
                              class_=f"point-name {state}"))  # fmt: skip
        rows += [(one.name, *place) for place in zip(*along, strict=True)]
    drawing = svg.panel(
        svg.left_axis(_Y, write_percent, name=up, left=_X.first),
        svg.bottom_axis(_X, write_percent, name=across, top=TOP, bottom=BOTTOM),
        svg.line(_X(0), _X(1), *map(_Y, guessing), class_="diagonal"),
        svg.stretched(*bands[::-1], *lines[::-1], height=BOTTOM), *names,
        height=BOTTOM + 40,
    )  # fmt: skip
    return drawing, rows
