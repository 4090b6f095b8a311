"""Drawings of the error budget, of T96's figure 1, and of the samples that carry the variance."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from polychotomy._result import new_axes
from polychotomy.arrays import Floats
from polychotomy.codes.arguments import shown
from polychotomy.decomposition.error_decomposition import ErrorDecomposition
from polychotomy.exceptions import InvalidInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, told apart by colour-blind readers too.
_GREY, _BLUE, _ORANGE, _GREEN = "#999999", "#0072B2", "#E69F00", "#009E73"


def _is_budget(value: object) -> TypeGuard[ErrorDecomposition]:
    return isinstance(value, ErrorDecomposition)


def draw_error_budget(
    decompositions: Mapping[str, ErrorDecomposition], ax: Axes | None = None
) -> Axes:
    """Draw each learner's error as one stacked bar: Bayes bound, bias bound, aggregation effect.

    A negative aggregation effect is hatched and taken off the end of the bar. The black mark is
    the error, with its interval over samples. The first two parts are the paper's bounds
    (eqs. 32, 33), labelled as such: the first may exceed the true Bayes error at finite n. Where
    it exceeds the error of the bagged learner it cannot be believed: then it is no part of the
    bar but a dotted mark.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import decompose_predictions, draw_error_budget
    >>> votes = np.eye(2)[[[0], [1], [1]]]
    >>> budget = decompose_predictions(votes, np.zeros((3, 1)), [1], nearest_neighbour_error=0.1)
    >>> draw_error_budget({"votes": budget}).get_xlabel()
    'misclassification error'
    """
    if not isinstance(decompositions, Mapping) or not all(map(_is_budget, decompositions.values())):
        raise InvalidInput(
            f"decompositions is {shown(decompositions)}; expected {{learner: what decompose_error "
            "found}}."
        )
    if not decompositions:
        raise InvalidInput("decompositions is empty; expected at least one learner's.")
    ax = new_axes(ax, width=7.0, height=2.2 + 0.5 * len(decompositions))
    for row, budget in enumerate(decompositions.values()):
        _draw_bar(ax, row, budget)
    ax.set_yticks(
        range(len(decompositions)), ["\n".join(wrap(name, 24)) for name in decompositions]
    )
    ax.invert_yaxis()
    ax.set_xlim(left=0)
    ax.set_xlabel(f"{next(iter(decompositions.values())).loss} error")
    _legend_above(ax)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def _legend_above(ax: Axes) -> None:
    handles, labels = ax.get_legend_handles_labels()
    once = dict(zip(labels, handles, strict=True))  # a part of several bars is named once
    ax.legend(
        once.values(), once.keys(), loc="lower left", bbox_to_anchor=(0, 1.0), fontsize="small",
        frameon=False,
    )  # fmt: skip


def _draw_bar(ax: Axes, row: int, budget: ErrorDecomposition) -> None:
    finite = np.nan_to_num(budget.estimates[0], posinf=0.0)
    aggregated, effect = float(finite[1]), float(finite[2])
    refuted = budget.bayes_bound > aggregated
    bound = 0.0 if refuted else budget.bayes_bound
    parts = [
        (0.0, bound, _GREY, "", "Cover–Hart Bayes limit (asymptotic, may be false)"),
        (bound, aggregated - bound, _BLUE, "", "bias, at most (eq. 33)"),
    ]
    if effect >= 0:
        parts.append((aggregated, effect, _ORANGE, "", "aggregation effect"))
    else:
        parts.append((aggregated + effect, -effect, "none", "////", "negative aggregation effect"))
    for left, width, colour, hatch, name in parts:
        if width > 0:
            edge = "black" if hatch else "white"
            ax.barh(row, width, 0.6, left=left, color=colour, hatch=hatch, ec=edge, label=name)
    if refuted:
        ends = (row - 0.38, row + 0.38)
        text = "Cover–Hart limit, above the bagged error: not believed"
        ax.plot([budget.bayes_bound] * 2, ends, color="black", ls=":", label=text)
    error, low, high = budget.error, budget.lows[0, 0], budget.highs[0, 0]
    if np.isfinite(error):
        reach = [[error - low], [high - error]]
        text = "error, 95 % interval over samples"
        ax.errorbar(error, row, xerr=reach, fmt="|", color="black", ms=14, capsize=3, label=text)
    else:
        ax.annotate("infinite", (aggregated, row), xytext=(4, 0), textcoords="offset points")


def draw_variance_curves(ax: Axes | None = None) -> Axes:
    """Draw T96's figure 1, with the variance as eq. (11) has it beside what eq. (21) prints.

    For votes of two classes with share p̄: eq. (11) gives min(p̄, 1 − p̄). The curve of eq. (21),
    the figure's right panel, is the reversed variance PE(C_A, C).

    Examples
    --------
    >>> from polychotomy.decomposition import draw_variance_curves
    >>> len(draw_variance_curves().lines)
    3
    """
    ax = new_axes(ax)
    p = np.linspace(0, 1, 401)
    ax.plot(p, np.abs(2 * p - 1), color=_GREY, label="|2p − 1| (left panel)")
    ax.plot(p, np.minimum(p, 1 - p), color=_BLUE, label="variance by eq. (11): min(p̄, 1 − p̄)")
    printed = np.abs(p - 0.5) * (1 - np.abs(2 * p - 1))
    text = "eq. (21), right panel: the reversed variance"
    ax.plot(p, printed, color=_ORANGE, ls="--", label=text)
    ax.set_xlabel("p, or share p̄ of votes for the second class")
    ax.set_ylabel("under misclassification loss")
    ax.legend(frameon=False, loc="upper center")
    return ax


def draw_sample_variance(decomposition: ErrorDecomposition, ax: Axes | None = None) -> Axes:
    """Draw which samples carry the variance: largest first, coloured by the bagged prediction.

    Samples that bagging gets right despite their variance are where it gains; those it gets
    wrong are where aggregation can hurt.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import decompose_predictions, draw_sample_variance
    >>> votes = np.eye(2)[[[0, 1], [1, 1], [1, 1]]]
    >>> budget = decompose_predictions(votes, np.zeros((3, 2)), [1, 1])
    >>> draw_sample_variance(budget).get_title()
    'Half of the variance lies in 1 of 2 samples'
    """
    if not _is_budget(decomposition):
        raise InvalidInput(
            f"decomposition is {shown(decomposition)}; expected what decompose_error found."
        )
    ax = new_axes(ax)
    decomposition = decomposition.on_host()
    seen = decomposition.n_out_of_bag > 0
    variance = decomposition.sample_estimates[seen, 3]
    wrong = decomposition.votes[seen].argmax(axis=1) != decomposition.y[seen]
    order = np.argsort(-variance, kind="stable")
    variance, wrong = variance[order], wrong[order]
    ranks = np.arange(1, len(variance) + 1)
    for marks, colour, name in ((~wrong, _BLUE, "right"), (wrong, _ORANGE, "wrong")):
        heights = np.where(marks, variance, 0.0)
        ax.bar(ranks, heights, 1.0, color=colour, label=f"most fits are {name} ({marks.sum()})")
    ax.set_xlabel("samples, largest variance first")
    ax.set_ylabel("variance PE(C, C_A) of the sample")
    ax.set_title(_half_of_variance(variance))
    ax.legend(frameon=False)
    return ax


def _half_of_variance(variance: Floats) -> str:
    total = variance.sum()
    if not total > 0:
        return "All fits agree on every sample: no variance"
    half = int(np.searchsorted(np.cumsum(variance), total / 2 - 1e-12)) + 1
    return f"Half of the variance lies in {half} of {len(variance)} samples"
