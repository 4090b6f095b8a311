"""Is it real? A triangle of paired differences: better, equivalent, undecided or worse."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from polychotomy.arrays import Floats
from polychotomy.report.figure import Figure, label
from polychotomy.report.marks import box, dot, element, line, number, plot, text
from polychotomy.report.scales import Scale
from polychotomy.report.words import Unit, join, some

_ROW = 50.0
_SIGNS = {"better": "▼", "equivalent": "=", "undecided": "?", "worse": "▲"}
_WORDS = {
    "better": "shown to be better",
    "equivalent": "equivalent",
    "undecided": "undecided",
    "worse": "shown to be worse",
}


def draw_pairs(
    names: Sequence[str],
    estimate: Floats,
    low: Floats,
    high: Floats,
    answers: Sequence[Sequence[str]],
    *,
    best: str,
    margin: float,
    level: float,
    unit: Unit,
) -> Figure:
    """Draw each difference, row minus column, with its interval and the margin.

    Parameters
    ----------
    names : (m,) str
    estimate, low, high : (m, m) floats
        ``[i, j]``: loss of i minus loss of j, and its interval.
    answers : (m, m) str
        "better", "equivalent", "undecided" or "worse": what i is to j.
    best : str
    margin, level : float
        Of equivalence; of the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> d = np.array([[0.0, 0.2], [-0.2, 0.0]])
    >>> answers = [["", "worse"], ["better", ""]]
    >>> draw_pairs(["a", "b"], d, d - 0.01, d + 0.01, answers, best="b", margin=0.01, level=0.95,
    ...            unit=Unit("error", True)).message
    'b against the others: shown to be better than a.'
    """
    m = len(names)
    width = 100.0 / (m + _room(m))
    reach = _reach(estimate, low, high, margin)
    cells = [
        _cell(i, j, width, reach, estimate, low, high, answers, margin, names, unit)
        for i in range(m)
        for j in range(i)
    ]
    on_diagonal = [
        label(
            name,
            class_="pair-name best" if name == best else "pair-name",
            style=f"left:calc({number(i * width)}% + 8px);top:{number(_ROW * i)}px",
        )
        for i, name in enumerate(names)
    ]
    drawing = element(
        "div", plot(*cells, height=_ROW * m), *on_diagonal, _key(answers), class_="triangle"
    )
    rows = [
        (names[i], names[j], float(estimate[i, j]), float(low[i, j]), float(high[i, j]),
         answers[i][j])
        for i in range(m)
        for j in range(i)
    ]  # fmt: skip
    return Figure(
        "differences", drawing, _message(names, answers, best),
        _reading(unit, margin, level),
        ("candidate", "minus", "difference", "low", "high", "answer"), rows,
    )  # fmt: skip


def _room(m: int) -> float:
    """Columns left free at the right for the last name."""
    return max(1.0, 0.35 * m)


def _reach(estimate: Floats, low: Floats, high: Floats, margin: float) -> float:
    """Half the width of a cell: far differences are cut, near ones can be told apart."""
    ends = np.abs(np.concatenate([low.ravel(), high.ravel()]))
    wide = np.sort(ends[np.isfinite(ends)])
    middle = float(wide[int(0.6 * (wide.size - 1))]) if wide.size else 0.0
    return max(3 * margin, min(middle, 8 * margin) if margin else middle) or 0.01


def _cell(
    i: int,
    j: int,
    width: float,
    reach: float,
    estimate: Floats,
    low: Floats,
    high: Floats,
    answers: Sequence[Sequence[str]],
    margin: float,
    names: Sequence[str],
    unit: Unit,
) -> Markup:
    answer = answers[i][j]
    x, y = j * width, i * _ROW
    scale = Scale(-reach, reach, first=x + 0.08 * width, last=x + 0.92 * width)
    told = (
        f"{names[i][:60]} minus {names[j][:60]}: {unit.difference(estimate[i, j])} "
        f"({unit.difference(low[i, j])} to {unit.difference(high[i, j])}), "
        f"{_WORDS.get(answer, '')}"
    )
    middle, axis = x + width / 2, y + 35
    left, right = scale.clipped(-margin), scale.clipped(margin)
    parts = [
        box(x + 0.03 * width, y + 2, width=0.94 * width, height=_ROW - 4,
            class_=f"cell {answer}", title=told),
        box(left, axis - 5, width=right - left, height=10, class_="cell-margin"),
        line(middle, middle, axis - 6, axis + 6, class_="cell-zero"),
        line(scale.clipped(low[i, j]), scale.clipped(high[i, j]), axis, axis,
             class_=f"cell-line {answer}"),
        _estimate(float(estimate[i, j]), scale, axis, answer),
        text(_SIGNS.get(answer, ""), middle, y + 21, class_=f"cell-sign {answer}"),
        text(unit.difference(estimate[i, j]), middle, y + 21, class_="cell-number"),
    ]  # fmt: skip
    return Markup("").join(parts)


def _estimate(value: float, scale: Scale, y: float, answer: str) -> Markup:
    """Return a dot, or, where the value is beyond the cell, an arrow towards it."""
    if scale.low <= value <= scale.high:
        return dot(scale(value), y, radius=3, class_=f"cell-dot {answer}")
    words, anchor = ("◂", "start") if value < scale.low else ("▸", "end")
    return text(words, scale.clipped(value), y + 4, anchor=anchor, class_=f"cell-arrow {answer}")


def _key(answers: Sequence[Sequence[str]]) -> Markup:
    """Name the colours that occur; the signs say the same without colour."""
    seen = {answers[i][j] for i in range(len(answers)) for j in range(i)}
    items = [
        element(
            "span", element("span", _SIGNS[answer], class_=f"chip {answer}"), f" {words}",
            class_="key-item",
        )
        for answer, words in _WORDS.items()
        if answer in seen
    ]  # fmt: skip
    return element("div", *items, class_="key-line")


def _message(names: Sequence[str], answers: Sequence[Sequence[str]], best: str) -> str:
    chosen = list(names).index(best)
    groups: dict[str, list[str]] = {}
    for j, name in enumerate(names):
        if j != chosen:
            groups.setdefault(answers[chosen][j], []).append(name[:60])
    verbs = {"better": "than", "worse": "than", "equivalent": "to", "undecided": "against"}
    parts = [
        f"{_WORDS[answer]} {verbs[answer]} {join(groups[answer])}"
        for answer in _WORDS
        if answer in groups
    ]
    if not parts:
        return f"{some(len(names), 'candidate')}: nothing to compare."
    return f"{best[:60]} against the others: {'; '.join(parts)}."


def _reading(unit: Unit, margin: float, level: float) -> str:
    what = "points" if unit.is_rate else unit.words
    return (
        f"Each cell is a pair: the {unit.words} of the candidate named at the end of its row minus "
        f"that of the one at the head of its column, in {what}. Below the number, the "
        f"{100 * level:g} % interval against zero and the margin of {unit.size(margin)} on either "
        "side (shaded). Inside the margin the two are equivalent; clear of zero one is better; an "
        "interval that is neither leaves it undecided. Long intervals are cut at the cell."
    )
