"""How well are the classes told apart? ROC and precision–recall curves, each in its band."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from markupsafe import Markup

from polychotomy.core.arrays import Floats
from polychotomy.core.numbers import quoted, short
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import BOTTOM, TOP, Figure, Scale
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
    first = curves[0]
    label = quoted(first.label, 30)
    parts = [
        svg.line(_X(0), _X(1), _Y(0), _Y(1), class_="diagonal"),
        *_drawn(curves, RankingCurve.roc_band,
                lambda one: (one.false_positives, one.true_positives)),
    ]  # fmt: skip
    areas = ", ".join(f"{one.auc:.3f} for {short(one.name, 80)}" for one in curves)
    reading = (
        f"At each threshold, the share of {label} found against the share of the others taken for "
        "it. Shaded is where the point of a threshold may lie in truth, each with "
        f"{100 * first.level:g} % confidence, for these fits and independent rows; the dashed line "
        "is guessing."
    )
    return Figure(
        "roc",
        _panel(parts, curves, f"share of {label} found", "share of the others taken for it"),
        f"ROC curve of {label} against the others: AUC {areas}.",
        reading,
        ("candidate", "false_positives", "true_positives"),
        _rows(curves, lambda one: (one.false_positives, one.true_positives)),
    )


def draw_precision(curves: Sequence[RankingCurve]) -> Figure:
    """Draw the share of right ones among those found against the share found.

    Examples
    --------
    See :func:`draw_roc`.
    """
    first = curves[0]
    label, base = quoted(first.label, 30), _Y(first.prevalence)
    parts = [
        svg.line(_X(0), _X(1), base, base, class_="diagonal"),
        *_drawn(curves, RankingCurve.precision_band,
                lambda one: (one.true_positives, one.precision)),
    ]  # fmt: skip
    areas = ", ".join(f"{one.average_precision:.3f} for {short(one.name, 80)}" for one in curves)
    reading = (
        f"Of the rows called {label}, how many are, against the share of {label} found. The dashed "
        f"line is guessing, {100 * first.prevalence:.3g} %. The band is that of the ROC curve."
    )
    return Figure(
        "precision-recall",
        _panel(
            parts, curves, "share that is right (precision)", f"share of {label} found (recall)"
        ),
        f"Precision against recall of {label}: average precision {areas}.",
        reading,
        ("candidate", "recall", "precision"),
        _rows(curves, lambda one: (one.true_positives, one.precision)),
    )


_Line = Callable[[RankingCurve], tuple[Floats, Floats]]


def _drawn(
    curves: Sequence[RankingCurve],
    band_of: Callable[[RankingCurve], tuple[tuple[Floats, Floats], tuple[Floats, Floats]]],
    line_of: _Line,
) -> list[Markup]:
    """Return the bands below, the lines above, the best one's on top."""
    bands, lines = [], []
    for one, state in reversed(list(zip(curves, _STATES, strict=False))):
        low, high = band_of(one)
        bands.append(svg.area(_along(*low), _along(*high), class_=f"band {state}"))
        lines.append(svg.curve(_along(*line_of(one)), class_=state))
    return [svg.stretched(*bands, *lines, height=BOTTOM)]


def _along(xs: Floats, ys: Floats) -> list[svg.Place]:
    return [(_X(a), _Y(b)) for a, b in zip(xs.tolist(), ys.tolist(), strict=True)]


def _panel(parts: list[Markup], curves: Sequence[RankingCurve], up: str, across: str) -> Markup:
    names = [
        svg.text(short(one.name, 24), 97, BOTTOM - 12 - 16 * i, anchor="end",
                 class_=f"point-name {state}")
        for i, (one, state) in enumerate(zip(curves, _STATES, strict=False))
    ]  # fmt: skip
    axes = [
        svg.left_axis(_Y, _percent, left=_X.first),
        svg.bottom_axis(_X, _percent, name=across, top=TOP, bottom=BOTTOM),
        svg.text(up, _X.first, 11, anchor="start", class_="axis-name"),
    ]
    return svg.panel(*axes, *parts, *names, height=BOTTOM + 40)


def _rows(curves: Sequence[RankingCurve], line_of: _Line) -> list[tuple[object, ...]]:
    return list(
        chain.from_iterable(
            ((one.name, a, b) for a, b in zip(*(x.tolist() for x in line_of(one)), strict=True))
            for one in curves
        )
    )


def _percent(value: float) -> str:
    return f"{100 * value:g} %"
