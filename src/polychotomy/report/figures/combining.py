"""Would combining help? What each candidate weighs, and the gain in AUC with its interval."""

from __future__ import annotations

from functools import partial

from polychotomy.combination import CombinationAdvice
from polychotomy.combination.advice import NEGLIGIBLE
from polychotomy.core.numbers import fixed, short, signed
from polychotomy.report import drawing as svg
from polychotomy.report.drawing import Figure, Scale, write_points

_HEAD, _ROW = 20.0, 40.0


def draw_weights(advice: CombinationAdvice, *, best: str = "") -> Figure:
    """Draw the weight of each candidate in the combination; ``best`` is the one chosen.

    Examples
    --------
    See :func:`polychotomy.report.render_page`.
    """
    x = Scale(0, max(float(advice.weights.max()), 0.01), first=0.5, last=97)
    rows = advice.to_frame()[["ranker", "weight", "auc"]].values.tolist()
    bars, names = [], []
    for i, (name, weight, auc) in enumerate(rows[: len(advice.names)]):
        told = f"{name[:80]}: weight {weight:.2f}, AUC alone {auc:.4f}"
        kind, y = f"bar {'best' if name == best else 'other'}", _HEAD + _ROW * i + 20
        bars.append(svg.bar(x, 0, weight, y, class_=kind, title=told))
        names.append((name, f"{auc:.4f}", "best" if name == best else ""))
    head = svg.element("span", "AUC alone", class_="head")
    drawing = svg.labelled_rows(
        bars, names, row=_ROW, head=_HEAD,
        axis=partial(svg.bottom_axis, x, "{:g}".format, name="weight in the combination", top=4,
                     about=4),
        before=svg.element("div", svg.element("span"), head, class_="row-label",
                           style="--top:-6px"),
    )  # fmt: skip
    most = int(advice.weights.argmax())
    message = (
        f"In the combination {short(advice.names[most], 60)} weighs most, "
        f"{advice.weights[most]:.2f} of 1."
    )
    reading = (
        "The bars are the weights that make the members of a class score as far above the others "
        "as can be (the rank margin of Marrocco, Simeone and Tortorella 2009), the mean over folds "
        "and pairs of classes; the number at the right is the AUC of the candidate alone."
    )
    return Figure("weights", drawing, message, reading, ("ranker", "weight", "auc"), rows)


def draw_gain(advice: CombinationAdvice) -> Figure:
    """Draw the gain in AUC with its interval.

    Examples
    --------
    See :func:`polychotomy.report.render_page`.
    """
    low, high = advice.interval
    gain, *ends = (signed(fixed(100 * one, 2)) for one in (advice.difference, low, high))
    states = {"helps": "better", "harms": "worse", "undecided": "undecided"}
    drawing = svg.draw_interval(
        advice.difference, low, high, help_from=NEGLIGIBLE,
        state=states.get(advice.conclusion, "equivalent"),
        name=f"points of AUC gained over {short(advice.over, 30)} alone",
        write=lambda value: signed(write_points(value)),
    )  # fmt: skip
    message = (
        f"Combining, beside {short(advice.over, 60)} alone, changes the AUC by "
        f"{gain} points ({ends[0]} to {ends[1]}): {advice.conclusion.replace('harms', 'may harm')}."
    )
    reading = (
        "AUC is the chance that of two cases, one of each of two classes, the right one is ranked "
        "first; with more classes, the mean over their pairs. The line is the "
        f"{100 * advice.level:g} % interval of the gain; in the shaded zone it would matter."
    )
    row = (advice.difference, low, high, advice.pvalue, advice.conclusion)
    header = ("gain", "low", "high", "pvalue", "conclusion")
    return Figure("gain", drawing, message, reading, header, [row])
