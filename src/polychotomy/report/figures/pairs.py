"""Is it real? A triangle of paired differences: better, equivalent, undecided or worse."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup

from polychotomy.comparison import Criterion, PairAnswers
from polychotomy.core.numbers import difference, gap, join, short
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import Figure, Scale, number, share

_ROW = 50.0

_DETAILED = 16  # candidates: with more, a cell has room for a sign only

_SIGNS = {"better": "▼", "equivalent": "=", "undecided": "?", "worse": "▲"}

_WORDS = {"better": "shown to be better", "equivalent": "equivalent", "undecided": "undecided",
          "worse": "shown to be worse"}  # fmt: skip


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
            style=f"left:calc({share(i * width)} + 8px);top:{number(_ROW * i)}px",
        )
        for i, name in enumerate(names)
    ]
    seen = {pairs.answers[i][j] for i, j in below}
    key = svg.key_line(  # the colours that occur; the signs say the same without colour
        (svg.element("span", _SIGNS[answer], class_=f"chip {answer}"), words)
        for answer, words in _WORDS.items()
        if answer in seen
    )
    rows = []
    for i, j in below:
        ways = _ways(i, j, criterion)
        numbers = (float(one[i, j]) for one in (pairs.estimate, pairs.low, pairs.high))
        rows.append((*(names[one] for one in ways), *numbers, pairs.answers[i][j]))
    drawing = svg.element(
        "div", svg.plot(*cells, height=_ROW * m), *on_diagonal, key, class_="triangle"
    )
    message, reading = _message(pairs, best), _reading(pairs, criterion)
    header = ("candidate", "minus", "difference", "low", "high", "answer")
    return Figure("differences", drawing, message, reading, header, rows)


def _ways(i: int, j: int, criterion: Criterion) -> tuple[int, int]:
    """Return of whom whose is subtracted: a loss is what is missing from a score."""
    return (j, i) if criterion.higher_better else (i, j)


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
    whose = " minus ".join(short(pairs.names[one], 60) for one in _ways(i, j, criterion))
    told = f"{whose}: {written} ({' to '.join(ends)}), {_WORDS[answer]}"
    middle, axis = x + width / 2, y + 35
    field = svg.box(
        x + 0.03 * width, y + 2, width=0.94 * width, height=_ROW - 4, class_=f"cell {answer}",
        title=told,
    )  # fmt: skip
    if len(pairs.names) > _DETAILED:
        return field + svg.text(_SIGNS[answer], middle, y + 29, class_=f"cell-only {answer}")
    left, right = scale.clipped(-pairs.margin), scale.clipped(pairs.margin)
    if abs(estimate) <= reach:
        mark = svg.dot(scale(estimate), axis, radius=3, class_=f"cell-dot {answer}")
    else:  # an arrow towards what is beyond the cell
        words, anchor = ("◂", "start") if estimate < 0 else ("▸", "end")
        place = scale.clipped(estimate)
        mark = svg.text(words, place, axis + 4, anchor=anchor, class_=f"cell-arrow {answer}")
    parts = [
        field,
        svg.box(left, axis - 5, width=right - left, height=10, class_="cell-margin"),
        svg.upright(middle, axis - 6, axis + 6, class_="cell-zero"),
        svg.line(scale.clipped(low), scale.clipped(high), axis, axis, class_=f"cell-line {answer}"),
        mark,
        svg.text(_SIGNS[answer], middle, y + 21, class_=f"cell-sign {answer}"),
        svg.text(written, middle, y + 21, class_="cell-number"),
    ]
    return Markup("").join(parts)


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
    ways = ("named at the end of its row", "at the head of its column")
    first, second = (ways[one] for one in _ways(0, 1, criterion))
    words = (
        f"Each cell is a pair: the {criterion.words} of the candidate {first} minus that of the "
        f"one {second}, in {what}. "
    )
    if len(pairs.names) <= _DETAILED:
        words += (
            f"Below the number, the {100 * pairs.level:g} % interval against zero and the margin "
            f"of {margin} on either side (shaded); long ones are cut at the cell. "
        )
    return (
        f"{words}Within {margin} of each other two are equivalent; clear of zero one is better; an "
        "interval that is neither leaves it undecided. Of several models on one test set better is "
        "who is so with all pairs counted."
    )
