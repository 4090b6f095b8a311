"""Which one? Every candidate with its folds, their mean, the margin, and who overrides whom."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from polychotomy.comparison import Criterion
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.numbers import amount, counted, gap, tick
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import Figure, Scale, number
from polychotomy.telling.choice import Degrees, degrees_of
from polychotomy.verdict import Verdict

_ROW = 46.0  # pixels for each candidate

_MIDDLE = 29.0  # of its marks; the room above is for the name on a narrow screen

_TOP = 20.0

_ARCS = 58.0

_MOST_ARCS = 150  # more could not be followed: then only those to the chosen one


class Row(NamedTuple):
    """One candidate as the figure shows it; ``folds`` is empty where it failed."""

    name: str
    mean: float
    folds: Floats
    place: int | None
    note: str = ""


def draw_candidates(verdict: Verdict, rows: Sequence[Row], edges: Bools) -> Figure:
    """Draw the candidates of a verdict, the most preferred first.

    Parameters
    ----------
    verdict : Verdict
        With a margin, a band of its width starts at the lowest mean; by the paper's rule the
        folds are those of one run.
    rows : sequence of Row
        In order of preference.
    edges : (rows, rows) bools
        ``edges[i, j]``: j overrides i.

    Examples
    --------
    See :func:`polychotomy.report.render_page`.
    """
    best, criterion = verdict.best, verdict.criterion
    margin = verdict.margin if verdict.rule == "margin" else None
    runs = 1 if margin else int(verdict.plan.get("runs", 1))
    height, scale = _TOP + _ROW * len(rows), _scale(rows, margin or 0.0)
    mean = "their mean" if runs == 1 else f"the mean of {runs} runs"
    name = f"{criterion.words}: a tick is one fold, the dot {mean}"
    drawing = svg.labelled_rows(
        [_marks(row, i, scale, row.name == best, criterion) for i, row in enumerate(rows)],
        [_label(row, row.name == best, criterion) for row in rows],
        row=_ROW, head=_TOP, lift=0, class_="rows",
        axis=partial(svg.bottom_axis, scale, partial(tick, criterion=criterion), name=name,
                     top=_TOP),
        under=_band(rows, margin, scale, height, criterion),
        before=_arcs(edges, [row.name == best for row in rows], height),
    )  # fmt: skip
    reading = _reading(rows, margin, criterion, mean, degrees_of(verdict))
    header = ("candidate", "fold", criterion.words)
    folds = [(row.name, i, one) for row in rows for i, one in enumerate(row.folds.tolist(), 1)]
    message = _message(rows, best, criterion)
    return Figure("candidates", drawing, message, reading, header, folds)


def _scale(rows: Sequence[Row], margin: float) -> Scale:
    """Show those near the lowest in full; who is far off is named at the edge.

    Far is far from zero, or, where costs are gains, from the lowest fold.
    """
    sound = [row for row in rows if row.folds.size]
    lowest = min(row.mean for row in sound)
    low = min(float(row.folds.min()) for row in sound)
    start = min(0.0, low)
    middle = float(np.median([row.mean for row in sound]))
    limit = max(2 * lowest - start, lowest + 6 * margin, middle)
    near = [row.folds for row in sound if row.mean <= limit]
    high = max(max(float(folds.max()) for folds in near), lowest + 2 * margin)
    everything = max(float(row.folds.max()) for row in sound)
    high = everything if everything - start <= 1.6 * (high - start) else high
    low = 0.0 if 0 <= low < 0.5 * high else low
    reach = (high - low) or max(abs(high), 0.01)
    return Scale(low if low == 0 else low - 0.04 * reach, high + 0.04 * reach, first=1, last=99)


def _band(
    rows: Sequence[Row], margin: float | None, scale: Scale, height: float, criterion: Criterion
) -> Markup:
    if not margin:
        return Markup("")
    lowest = min(row.mean for row in rows if row.folds.size)
    left, right = scale(lowest), scale.clipped(lowest + margin)
    where, anchor = (left, "start") if left < 40 else (right, "end")
    words = f"within {gap(margin, criterion)} of the {criterion.best_word}"
    band = svg.box(left, _TOP - 4, width=right - left, height=height - _TOP + 4, class_="band")
    return band + svg.text(words, where, 11, anchor=anchor, class_="small key")


def _marks(row: Row, i: int, scale: Scale, chosen: bool, criterion: Criterion) -> Markup:
    y = _TOP + _ROW * i + _MIDDLE
    state = "best" if chosen else "other"
    if not row.folds.size:
        return svg.text(row.note, 1, y + 4, anchor="start", class_="small warn")
    parts = [svg.line(scale.first, scale.last, y, y, class_="lane")]
    if row.mean > scale.high:
        return parts[0] + svg.text("beyond the scale →", 99, y + 4, anchor="end", class_="small")
    places = [scale(fold) for fold in np.sort(row.folds) if scale.low <= fold <= scale.high]
    parts += [svg.line(x, x, y - 6.0, y + 6.0, class_=f"fold {state}") for x in places]
    told = f"{row.name[:80]}: {amount(row.mean, criterion)}"
    parts.append(svg.dot(scale(row.mean), y, radius=6.5, class_=f"mean {state}", title=told))
    return Markup("").join(parts)


def _label(row: Row, chosen: bool, criterion: Criterion) -> tuple[str, str, str]:
    value = amount(row.mean, criterion) if row.folds.size else ""
    name = f"{row.name} {row.note}".strip() if row.folds.size else row.name
    return name, value, "best" if chosen else "" if value else "failed"


def _arcs(edges: Bools, chosen: Sequence[bool], height: float) -> Markup:
    """Arrows from a candidate to those that override it; those to the chosen one on top."""
    m, right = len(edges), _ARCS - 9
    arcs = sorted(((chosen[j], int(i), int(j)) for i, j in np.argwhere(edges)))
    if len(arcs) > _MOST_ARCS:
        arcs = [arc for arc in arcs if arc[0]]
    paths = []
    for winner, i, j in arcs:
        y1, y2 = (number(_TOP + _ROW * row + _MIDDLE) for row in (i, j))
        bend = number(right - (14 + (right - 16) * abs(j - i) / max(m - 1, 1)) * 1.3)
        state, end = "best" if winner else "other", number(right)
        d = f"M{end} {y1}C{bend} {y1} {bend} {y2} {end} {y2}"
        head = f"M{end} {number(_TOP + _ROW * j + _MIDDLE - 4)}l7 4l-7 4z"
        paths.append(svg.element("path", class_=f"arc {state}", d=d))
        paths.append(svg.element("path", class_=f"arc-head {state}", d=head))
    return svg.element(
        "svg", *paths, class_="arcs", width=_ARCS, height=height + 40, aria_hidden="true"
    )


def _message(rows: Sequence[Row], best: str, criterion: Criterion) -> str:
    sound = sorted((row for row in rows if row.folds.size), key=lambda row: row.mean)
    mean = {row.name: amount(row.mean, criterion) for row in sound}
    others = [f"{name[:80]} {value}" for name, value in mean.items() if name != best]
    return (
        f"Mean {criterion.words} of {counted(len(rows), 'candidate')}: {best[:80]}, the one "
        f"chosen, {mean[best]}{'; ' * bool(others)}{', '.join(others)}."
    )


def _reading(
    rows: Sequence[Row], margin: float | None, criterion: Criterion, mean: str, degrees: Degrees
) -> str:
    ticks = f"A tick is the {criterion.words} in one fold"
    if mean != "their mean":
        ticks += " of the first run that gave this order"
    words = f"In order of preference, {degrees.order}. {ticks}, the dot {mean}. "
    if margin:
        words += (
            f"The band is {gap(margin, criterion)} wide and starts at the {criterion.best_word} "
            f"mean: inside it a {degrees.of('more', 'candidate')} is good enough. "
        )
    arrow = "An arrow leads from a candidate to one that overrides it. The one chosen is the first "
    return f"{words}{arrow}from above that no arrow leaves."


_ACROSS, _DOWN = 40, 25


def draw_icon_array(error: float, low: float, high: float) -> Figure:
    """Draw 1000 dots: wrong for sure, wrong as estimated, perhaps wrong, right.

    Examples
    --------
    >>> draw_icon_array(0.024, 0.011, 0.042).message
    'Of 1000 new cases about 24 will be wrong (11 to 42).'
    """
    surely, about, perhaps = (round(1000 * min(max(v, 0.0), 1.0)) for v in (low, error, high))
    spans = [("sure", 0, surely), ("about", surely, about), ("perhaps", about, perhaps),
             ("right", perhaps, 1000)]  # fmt: skip
    dots = [_dots(name, first, last) for name, first, last in spans if last > first]
    drawing = svg.element(
        "svg", *dots, class_="icon-array", viewBox=f"0 0 {10 * _ACROSS} {10 * _DOWN}",
        aria_hidden="true",
    )  # fmt: skip
    wrong = f"about {about}" if about else "fewer than one"
    message = f"Of 1000 new cases {wrong} will be wrong ({surely} to {perhaps})."
    least = f"At most {perhaps}" if perhaps else "Fewer than one"
    pale = "; pale: perhaps" * (0 < about < perhaps)
    reading = f"{about or least} of 1000 wrong{pale}."
    return Figure("new-cases", drawing, message, reading, ("wrong", "low", "high"),
                  [(about, surely, perhaps)])  # fmt: skip


def _dots(name: str, first: int, last: int) -> Markup:
    """Dots fill columns, top to bottom, left to right; a round-capped line of no length is one."""
    path = "".join(f"M{10 * (i // _DOWN) + 5} {10 * (i % _DOWN) + 5}h0" for i in range(first, last))
    return svg.element("path", class_=f"dots {name}", d=path)
