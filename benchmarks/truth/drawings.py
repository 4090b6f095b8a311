"""The two figures: regret against simplicity, and type I error beside power."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, GREY, BLUE, ORANGE, GREEN = "#222222", "#8c8c8c", "#2166ac", "#d6604d", "#3a7d44"


def save(figure: Figure, path: Path) -> None:
    """Write the figure; the same figure gives the same bytes."""
    with mpl.rc_context({"svg.hashsalt": path.name}):
        figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def draw_truth(
    table: pd.DataFrame, margins: dict[str, tuple[float, float]], *, chosen: str, allowed: float
) -> Figure:
    """Regret against simplicity: every rule on the left, the corner that matters on the right.

    ``margins``: rule → (points, level).
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5.2), layout="constrained")
    table = table.set_index("rule").assign(x=lambda t: 100 * t["simple"])
    _draw_rules(left, table, chosen)
    _draw_corner(right, table, margins, chosen, allowed)
    for ax in (left, right):
        ax.set_xlabel("picks that are logistic regression or simpler, %")
        ax.grid(color="0.93")
        ax.set_axisbelow(True)
        ax.spines[["right", "top"]].set_visible(False)
    return figure


# Where each label goes: offset in points of print from its dot, and the side it is anchored on.
_LABELS: dict[str, tuple[float, float, str]] = {
    "lowest mean": (-9, -1, "right"),
    "one standard error": (-9, 5, "right"),
    "MultiTest (the paper's)": (-9, 4, "right"),
    "MultiTest, Holm": (-9, -7, "right"),
    "corrected t, Bonferroni": (-9, 5, "right"),
    "corrected t, Holm": (-9, -6, "right"),
    "corrected t, each at 5 %": (-9, 3, "right"),
    "corrected t, each at 20 %": (-9, 4, "right"),
    "Newman–Keuls": (-9, -1, "right"),
    "Bayesian ROPE 1, 95 %": (-9, 3, "right"),
    "oracle, within 1": (9, 0, "left"),
}


def _draw_rules(ax: Axes, table: pd.DataFrame, chosen: str) -> None:
    for rule, (dx, dy, side) in (_LABELS | {chosen: (9, -3, "left")}).items():
        row = table.loc[rule]
        colour = _colour(rule, chosen)
        ax.errorbar(row["x"], row["regret"], row["regret_se"], color=colour, linewidth=1, zorder=2)
        ax.plot(row["x"], row["regret"], "o", color=colour, markersize=6, zorder=3)
        ax.annotate(
            rule,
            (row["x"], row["regret"]),
            (dx, dy),
            textcoords="offset points",
            ha=side,
            va="center",
            color=colour,
            fontsize=8.5,
            fontweight="bold" if colour in (INK, ORANGE) else "normal",
        )
    silent = [f"{rule} ({table.loc[rule, 'undecided']:.0%})" for rule in ("Anova", "TestFirst")]
    ax.text(
        0, 0.11, f"not drawn, as mostly undecided:\n{', '.join(silent)}", color=GREY, fontsize=8.5
    )
    ax.set_yscale("log")
    ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10]
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.set_xlim(-3, 103)
    ax.set_ylabel("regret on cases left out, points (± standard error over data sets)")
    ax.set_title("Every rule", loc="left")


def _colour(rule: str, chosen: str) -> str:
    if rule == chosen:
        return ORANGE
    if rule.startswith("oracle"):
        return GREEN
    return INK if rule == "lowest mean" else BLUE


def _draw_corner(
    ax: Axes,
    table: pd.DataFrame,
    margins: dict[str, tuple[float, float]],
    chosen: str,
    allowed: float,
) -> None:
    ax.axhspan(-1, allowed, color=ORANGE, alpha=0.08, linewidth=0)
    target = f"target: at most {allowed:g}"
    ax.text(84.5, allowed - 0.012, target, ha="right", va="top", color=ORANGE)
    points = sorted({points for points, _ in margins.values()})
    shades = mpl.colormaps["Blues"](np.linspace(0.4, 0.95, len(points)))
    for margin, shade in zip(points, shades, strict=True):
        _draw_margin(ax, table, margins, margin, shade)
    corner = {"lowest mean": (4, -13), "one standard error": (-78, 26), chosen: (9, -9)}
    for rule, offset in corner.items():
        row, colour = table.loc[rule], ORANGE if rule == chosen else INK
        ax.errorbar(row["x"], row["excess"], row["excess_se"], color=colour, linewidth=1, zorder=3)
        ax.plot(row["x"], row["excess"], "o", color=colour, markersize=7, zorder=4)
        ax.annotate(
            rule,
            (row["x"], row["excess"]),
            offset,
            textcoords="offset points",
            color=colour,
            fontsize=9,
            fontweight="bold",
        )
    ax.set_ylim(-0.25, 0.85)
    ax.set_xlim(-3, 85)
    ax.set_ylabel("regret beyond that of the lowest mean, points")
    ax.set_title("Margins (lines) and levels (dots: 0.05, 0.1, 0.2, 0.3, 0.5)", loc="left")


def _draw_margin(
    ax: Axes,
    table: pd.DataFrame,
    margins: dict[str, tuple[float, float]],
    margin: float,
    shade: np.ndarray,
) -> None:
    rules = sorted((level, rule) for rule, (points, level) in margins.items() if points == margin)
    line = table.loc[[rule for _, rule in rules]]
    ax.plot(line["x"], line["excess"], "-o", color=shade, linewidth=1.3, markersize=4, zorder=2)
    ax.annotate(
        f"margin {margin:g}",
        (line["x"].iloc[0], line["excess"].iloc[0]),
        (5, 15) if margin < 1 else (5, 3),
        textcoords="offset points",
        color=shade,
        fontsize=9,
    )


def draw_certificate(table: pd.DataFrame, *, level: float) -> Figure:
    """One row a way of comparing: how often it errs (left), how often it sees (right)."""
    ways = list(table["way"].unique())[::-1]
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(9.4, 0.44 * len(ways) + 1.9), sharey=True, layout="constrained"
    )
    null, power = table[table["true_difference"] == 0], table[table["true_difference"] != 0]
    sizes = sorted(table["n"].unique())
    colours = dict(
        zip(sizes, mpl.colormaps["viridis"](np.linspace(0.0, 0.87, len(sizes))), strict=True)
    )
    for ax, rows in ((left, null), (right, power)):
        _draw_dots(ax, rows, ways, colours)
    left.axvline(100 * level, color=ORANGE, linewidth=1.2, zorder=1)
    left.set_xscale("log")
    ticks = [1, 2, 5, 10, 20, 50]
    left.set_xticks(ticks, [f"{tick}" for tick in ticks])
    left.minorticks_off()
    left.set_xlabel("says “different” of equal learners, %   (honest: 5)")
    right.set_xlabel(f"sees a true difference of {power['true_difference'].mean():.1f} points, %")
    right.set_xlim(0, 102)
    left.set_yticks(range(len(ways)), ways)
    left.set_ylim(-0.6, len(ways) - 0.4)
    _key(figure, colours, [name for name in _SHIFT if name in set(table["learners"])])
    return figure


_SHIFT = {"linear": 0.22, "1-NN": 0.0, "tree": -0.22}
_MARKER = {"linear": "o", "1-NN": "D", "tree": "^"}


def _draw_dots(
    ax: Axes, rows: pd.DataFrame, ways: list[str], colours: dict[int, np.ndarray]
) -> None:
    for place in range(0, len(ways), 2):
        ax.axhspan(place - 0.5, place + 0.5, color="0.965", linewidth=0)
    for row in rows.itertuples():
        height = ways.index(row.way) + _SHIFT[row.learners]
        ax.plot(
            100 * row.different,
            height,
            _MARKER[row.learners],
            color=colours[row.n],
            markersize=5,
            markeredgewidth=0,
            zorder=3,
        )
    ax.spines[["left", "right", "top"]].set_visible(False)
    ax.tick_params(axis="y", length=0)


def _key(figure: Figure, colours: dict[int, np.ndarray], learners: list[str]) -> None:
    def dot(colour: object, marker: str, label: str) -> mpl.lines.Line2D:
        return mpl.lines.Line2D([], [], linestyle="", color=colour, marker=marker, label=label)

    dots = [dot(colour, "o", f"n = {n}") for n, colour in colours.items()]
    dots += [dot(GREY, _MARKER[name], name) for name in learners]
    figure.legend(
        handles=dots,
        loc="outside upper center",
        ncols=len(dots),
        frameon=False,
        fontsize=8,
        handletextpad=0.1,
        columnspacing=1.0,
    )
