"""HT98, figures 1 and 2: decision regions in the plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.multiclass import CodedClassifier
from polychotomy.reproduction.data.mixtures import PlaneMixtures

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_COLOURS = ("#4477aa", "#ccbb44", "#ee6677")

_EDGE = 5.0

_STEPS = 64


def draw_regions(problem: PlaneMixtures, *, with_qda: bool) -> Figure:
    """Draw a panel for each rule: regions in colour, the region of indecision hatched, some cases.

    Examples
    --------
    >>> len(draw_regions(PlaneMixtures(2), with_qda=True).axes)
    4
    """
    import matplotlib.pyplot as plt

    X, y = problem.sample(600, random_state=0)
    rules = _fit_rules(X, y, with_qda=with_qda)
    figure, axes = plt.subplots(
        1, len(rules), figsize=(2.6 * len(rules), 2.9), sharey=True, layout="constrained"
    )
    for ax, (name, (regions, tied)) in zip(axes, rules.items(), strict=True):
        _draw_panel(ax, regions, tied, X[:120], y[:120])
        ax.set_title(name, fontsize="medium")
    return figure


def _fit_rules(X: Floats, y: Ints, *, with_qda: bool) -> dict[str, tuple[Ints, Bools | None]]:
    from sklearn.discriminant_analysis import (
        LinearDiscriminantAnalysis,
        QuadraticDiscriminantAnalysis,
    )

    steps = np.linspace(-_EDGE, _EDGE, _STEPS)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    lda = LinearDiscriminantAnalysis()
    votes = CodedClassifier(lda, decoder="votes").fit(X, y)
    rules: dict[str, tuple[Ints, Bools | None]] = {
        "pairwise LDA, max-wins": (votes.predict(grid), votes.tied(grid)),
        "pairwise LDA, coupled": (
            CodedClassifier(lda, decoder="bradley-terry").fit(X, y).predict(grid),
            None,
        ),
        "LDA": (lda.fit(X, y).predict(grid), None),
    }
    if with_qda:
        rules["QDA"] = (QuadraticDiscriminantAnalysis().fit(X, y).predict(grid), None)
    return rules


def _draw_panel(ax: Any, regions: Ints, tied: Bools | None, X: Floats, y: Ints) -> None:
    steps = np.linspace(-_EDGE, _EDGE, _STEPS)
    levels = [-0.5, 0.5, 1.5, 2.5]
    ax.contourf(steps, steps, _square(regions), levels=levels, colors=_COLOURS, alpha=0.25)
    if tied is not None and tied.any():
        share = _square(tied.astype(float))
        ax.contourf(steps, steps, share, levels=[0.5, 1.5], colors="none", hatches=["////"])
    for label, colour in enumerate(_COLOURS):
        ax.plot(*X[y == label].T, ".", ms=3, color=colour)
    ax.set(xticks=[], yticks=[], xlim=(-_EDGE, _EDGE), ylim=(-_EDGE, _EDGE), aspect="equal")


def _square(values: Any) -> Any:
    return np.asarray(values).reshape(_STEPS, _STEPS)
