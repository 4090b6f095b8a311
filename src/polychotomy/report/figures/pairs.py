"""Is it real? A triangle of paired differences: better, equivalent, undecided or worse."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from markupsafe import Markup

from polychotomy.comparison import Criterion, PairAnswers
from polychotomy.core.numbers import difference, gap, join, short
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import Figure, Scale, number

_ROW = 50.0

_DETAILED = 16  # candidates: with more, a cell has room for a sign only

_SIGNS = {"better": "▼", "equivalent": "=", "undecided": "?", "worse": "▲"}

_WORDS = {
    "better": "shown to be better",
    "equivalent": "equivalent",
    "undecided": "undecided",
    "worse": "shown to be worse",
}


def draw_pairs(pairs: PairAnswers, *, best: str, criterion: Criterion) -> Figure:
    """Draw each difference, row minus column, with its interval and the margin.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.comparison import compare_pairs
    >>> noise = 0.001 * np.random.default_rng(0).standard_normal((2, 5, 5))
    >>> pairs = compare_pairs([[[0.3]], [[0.1]]] + noise, names=["a", "b"], margin=0.01)
    >>> draw_pairs(pairs, best="b", criterion=Criterion(name="error")).message
    'b against the others: shown to be better than a.'
    """
    names, m = pairs.names, len(pairs.names)
    width = 100.0 / (m + max(1.0, 0.35 * m))  # columns left free at the right for the last name
    below = [(i, j) for i in range(m) for j in range(i)]
    reach = _reach(pairs)
    cells = [_cell(pairs, i, j, width, reach, criterion) for i, j in below]
    on_diagonal = [
        svg.label(
            name,
            class_="pair-name best" if name == best else "pair-name",
            style=f"left:calc({number(i * width)}% + 8px);top:{number(_ROW * i)}px",
        )
        for i, name in enumerate(names)
    ]
    key = _key({pairs.answers[i][j] for i, j in below})
    flipped = criterion.higher_better  # a loss is what is missing from the score
    rows = [
        (names[j if flipped else i], names[i if flipped else j],
         float(pairs.estimate[i, j]), float(pairs.low[i, j]),
         float(pairs.high[i, j]), pairs.answers[i][j])
        for i, j in below
    ]  # fmt: skip
    return Figure(
        "differences",
        svg.element("div", svg.plot(*cells, height=_ROW * m), *on_diagonal, key, class_="triangle"),
        _message(pairs, best), _reading(pairs, criterion),
        ("candidate", "minus", "difference", "low", "high", "answer"), rows,
    )  # fmt: skip


def _reach(pairs: PairAnswers) -> float:
    """Half the width of a cell: far differences are cut, near ones can be told apart."""
    ends = np.abs(np.concatenate([pairs.low.ravel(), pairs.high.ravel()]))
    wide = np.sort(ends[np.isfinite(ends)])
    middle = float(wide[int(0.6 * (wide.size - 1))]) if wide.size else 0.0
    margin = pairs.margin
    return max(3 * margin, min(middle, 8 * margin) if margin else middle) or 0.01


def _cell(
    pairs: PairAnswers, i: int, j: int, width: float, reach: float, criterion: Criterion
) -> Markup:
    answer = pairs.answers[i][j]
    estimate, low, high = (float(a[i, j]) for a in (pairs.estimate, pairs.low, pairs.high))
    x, y = j * width, i * _ROW
    scale = Scale(-reach, reach, first=x + 0.08 * width, last=x + 0.92 * width)
    written, *ends = (difference(one, criterion) for one in (estimate, low, high))
    ways = (j, i) if criterion.higher_better else (i, j)
    told = (
        f"{' minus '.join(short(pairs.names[one], 60) for one in ways)}: "
        f"{written} ({ends[0]} to {ends[1]}), {_WORDS[answer]}"
    )
    middle, axis = x + width / 2, y + 35
    field = svg.box(
        x + 0.03 * width, y + 2, width=0.94 * width, height=_ROW - 4, class_=f"cell {answer}",
        title=told,
    )  # fmt: skip
    if len(pairs.names) > _DETAILED:
        return field + svg.text(_SIGNS[answer], middle, y + 29, class_=f"cell-only {answer}")
    left, right = scale.clipped(-pairs.margin), scale.clipped(pairs.margin)
    parts = [
        field,
        svg.box(left, axis - 5, width=right - left, height=10, class_="cell-margin"),
        svg.line(middle, middle, axis - 6, axis + 6, class_="cell-zero"),
        svg.line(scale.clipped(low), scale.clipped(high), axis, axis, class_=f"cell-line {answer}"),
        _estimate(estimate, scale, axis, answer),
        svg.text(_SIGNS[answer], middle, y + 21, class_=f"cell-sign {answer}"),
        svg.text(written, middle, y + 21, class_="cell-number"),
    ]
    return Markup("").join(parts)


def _estimate(value: float, scale: Scale, y: float, answer: str) -> Markup:
    """Return a dot, or, where the value is beyond the cell, an arrow towards it."""
    if scale.low <= value <= scale.high:
        return svg.dot(scale(value), y, radius=3, class_=f"cell-dot {answer}")
    words, anchor = ("◂", "start") if value < scale.low else ("▸", "end")
    return svg.text(
        words, scale.clipped(value), y + 4, anchor=anchor, class_=f"cell-arrow {answer}"
    )


def _key(seen: Collection[str]) -> Markup:
    """Name the colours that occur; the signs say the same without colour."""
    return svg.key_line(
        (svg.element("span", _SIGNS[answer], class_=f"chip {answer}"), words)
        for answer, words in _WORDS.items()
        if answer in seen
    )


def _message(pairs: PairAnswers, best: str) -> str:
    chosen = pairs.names.index(best)
    groups: dict[str, list[str]] = {}
    for j, name in enumerate(pairs.names):
        if j != chosen:
            groups.setdefault(pairs.answers[chosen][j], []).append(short(name, 60))
    verbs = {"better": "than", "worse": "than", "equivalent": "to", "undecided": "against"}
    found = [answer for answer in _WORDS if answer in groups]
    parts = [f"{_WORDS[answer]} {verbs[answer]} {join(groups[answer])}" for answer in found]
    return f"{short(best, 60)} against the others: {'; '.join(parts)}."


def _reading(pairs: PairAnswers, criterion: Criterion) -> str:
    what = "points" if criterion.is_rate else criterion.words
    margin = gap(pairs.margin, criterion)
    ways = ["named at the end of its row", "at the head of its column"]
    ways = ways[::-1] if criterion.higher_better else ways
    words = (
        f"Each cell is a pair: the {criterion.words} of the candidate {ways[0]} minus that of the "
        f"one {ways[1]}, in {what}. "
    )
    if len(pairs.names) <= _DETAILED:
        words += (
            f"Below the number, the {100 * pairs.level:g} % interval against zero and the margin "
            f"of {margin} on either side (shaded); long ones are cut at the cell. "
        )
    words += (
        f"Within {margin} of each other two are equivalent; clear of zero one is "
        "better; an interval that is neither leaves it undecided."
    )
    return words + _never_apart(pairs)


def _never_apart(pairs: PairAnswers) -> str:
    """Say why an interval without width does not show two to be equivalent on few rows."""
    i, j = np.tril_indices(len(pairs.names), -1)
    alike = (pairs.low[i, j] == 0) & (pairs.high[i, j] == 0)
    open_ = np.array([pairs.answers[a][b] == "undecided" for a, b in zip(i, j, strict=True)])
    if not (alike & open_).any():
        return ""
    return (
        " Two that erred equally in every fold are undecided where the rows are so few that a "
        "difference beyond the margin may not have shown yet."
    )
