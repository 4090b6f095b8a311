"""The figures of docs/science: ``python benchmarks/papers/figures.py`` writes all, in seconds.

Each is drawn by the package's own code where it has it; names of some write those alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from polychotomy.reproduction.blocks import picture

FOLDER = Path(__file__).parents[2] / "docs" / "science" / "figures"
COLOURS = ("#4477aa", "#ccbb44", "#ee6677")  # of classes, as in docs/results/ht98_figure1.svg


def coupling_regions() -> Any:
    """Who wins for every pair of answers r₁₂, r₁₃ where r₂₃ = .7: votes and two decoders."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap

    from polychotomy import couple

    steps = np.linspace(0.0025, 0.9975, 200)
    r12, r13 = np.meshgrid(steps, steps)
    table = np.zeros((*r12.shape, 3, 3))
    for (i, j), r in (((0, 1), r12), ((0, 2), r13), ((1, 2), 0.7)):
        table[..., i, j], table[..., j, i] = r, 1 - r
    votes = (table > 0.5).sum(axis=-1)
    tied = (votes == votes.max(axis=-1, keepdims=True)).sum(axis=-1) > 1
    panels = {
        "max-wins": np.where(tied, 3, votes.argmax(axis=-1)),
        "coupling (Bradley–Terry)": couple(table).argmax(axis=-1),
        "least squares": couple(table, decoder="least-squares").argmax(axis=-1),
    }
    figure, axes = plt.subplots(1, 3, figsize=(7.4, 2.8), sharey=True, layout="constrained")
    for ax, (name, winner) in zip(axes, panels.items(), strict=True):
        ax.imshow(
            winner, origin="lower", extent=(0, 1, 0, 1), cmap=ListedColormap([*COLOURS, "#ffffff"]),
            vmin=0, vmax=3, interpolation="nearest", alpha=0.75,
        )  # fmt: skip
        ax.plot(0.9, 0.4, "k*", markersize=9)
        ax.set_title(name, fontsize="medium")
        ax.set(xlabel="$r_{12}$", xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
        for k in range(3):
            rows, columns = np.nonzero(winner == k)
            if not len(rows):
                continue
            place = steps[int(np.median(columns))], steps[int(np.median(rows))]
            ax.text(*place, f"class {k + 1}", ha="center", va="center", fontsize="small")
    axes[0].contourf(r12, r13, tied, levels=[0.5, 1.5], hatches=["////"], colors="none")
    axes[0].text(0.75, 0.2, "nobody", ha="center", bbox={"fc": "white", "ec": "none", "pad": 2})
    axes[0].set_ylabel("$r_{13}$")
    return figure


def trace_band() -> Any:
    """Draw traces of true and of too certain probabilities, with the band of true ones."""
    import matplotlib.pyplot as plt

    from polychotomy import probability_trace

    rng = np.random.default_rng(3)
    p = rng.dirichlet(np.ones(3), 300)
    y = (p.cumsum(axis=1) < rng.random((300, 1))).sum(axis=1)
    sure = p**1.6 / (p**1.6).sum(axis=1, keepdims=True)
    figure, axes = plt.subplots(1, 2, figsize=(7.4, 3.0), sharey=True, layout="constrained")
    for ax, (name, said) in zip(axes, {"true": p, "too certain": sure}.items(), strict=True):
        probability_trace(said, y).null_band(random_state=0).plot(ax)
        ax.axhline(0, color="0.4", linewidth=0.8)
        ax.locator_params(axis="x", nbins=5)
        ax.set_title(f"probabilities that are {name}", fontsize="medium")
    axes[1].set_ylabel("")
    return figure


def multitest_graph() -> Any:
    """Draw four learners, in order of preference, and which preferences the data override."""
    import matplotlib.pyplot as plt

    from polychotomy import multitest
    from polychotomy.comparison import draw_ordering

    names = ["class prior", "nearest mean", "logistic", "forest"]
    rng = np.random.default_rng(1)
    errors = np.array([0.42, 0.24, 0.14, 0.13])[:, None, None] + rng.normal(0, 0.012, (4, 5, 2))
    order = multitest(errors, names=names)
    _, ax = plt.subplots(figsize=(6.2, 2.8), layout="constrained")
    return draw_ordering(ax, names, errors.reshape(4, 10), order.edges, order.order).figure


def pair_margin_curves() -> Any:
    """Draw which pairs the average, the hard and the soft margin rank how far apart."""
    import matplotlib.pyplot as plt

    from polychotomy import rank_margin_weights
    from polychotomy.combination import pair_margins

    rng = np.random.default_rng(0)  # the example at the end of the page
    y = np.arange(200) % 2
    scores = np.tanh(rng.normal(size=(200, 3)) + np.outer(2 * y - 1, [2.0, 1.0, 0.0]))
    weights = {
        "plain average": np.full(3, 1 / 3),
        "hard margin": rank_margin_weights(scores, y).weights,
        "soft margin, C = 20": rank_margin_weights(scores, y, slack=20).weights,
    }
    combined = np.column_stack([scores @ w for w in weights.values()])
    _, ax = plt.subplots(figsize=(6.2, 3.2), layout="constrained")
    return pair_margins(combined, y, names=list(weights), points=60).plot(ax).figure


def error_budget() -> Any:
    """Draw three learners' error on breast cancer data as bars of its parts."""
    import matplotlib.pyplot as plt
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    from polychotomy.decomposition import decompose_error, draw_error_budget

    X, y = load_breast_cancer(return_X_y=True)
    learners = {
        "tree": DecisionTreeClassifier(random_state=0),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "5 neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
    }
    found = {
        name: decompose_error(learner, X, y, n_bootstraps=50, random_state=0)
        for name, learner in learners.items()
    }
    _, ax = plt.subplots(figsize=(6.6, 3.4), layout="constrained")
    return draw_error_budget(found, ax).figure


def two_variances() -> Any:
    """Draw eq. 11 against eq. 21 for votes of two classes."""
    import matplotlib.pyplot as plt

    from polychotomy.reproduction.t96 import draw_variance_curves

    _, ax = plt.subplots(figsize=(6.2, 3.0), layout="constrained")
    return draw_variance_curves(ax).figure


FIGURES: dict[str, Callable[[], Any]] = {
    draw.__name__: draw
    for draw in (
        coupling_regions,
        trace_band,
        multitest_graph,
        pair_margin_curves,
        error_budget,
        two_variances,
    )
}


def main() -> None:
    """Write the figures asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="all, if none is named")
    FOLDER.mkdir(exist_ok=True)
    for name in parser.parse_args().names or FIGURES:
        svg = picture(name, "", FIGURES[name]).svg
        lines = [line.rstrip() for line in svg.splitlines()]
        (FOLDER / f"{name}.svg").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{name}.svg: {len(svg) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
