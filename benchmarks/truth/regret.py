"""From picks to regret, with standard errors that respect the data sets.

Draws of one data set are alike, so a data set is one observation: the standard error of a mean is
that of its means over data sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
from benchmarks.truth.draws import Draw
from benchmarks.truth.learners import SIMPLE

Rule = Callable[[Draw], int | None]
BASELINE = "lowest mean"


def apply_rules(
    draws: Iterable[Draw], rules: Mapping[str, Rule], *, simple: int = SIMPLE
) -> pd.DataFrame:
    """One row a draw and rule: the pick, its regret in points and how simple it is.

    A pick is simple up to row ``simple``. Where a rule cannot decide, the pick is that of the
    lowest mean, as a person would do it.
    """
    rows = []
    for draw in draws:
        fallback = lowest_mean(draw)
        for name, rule in rules.items():
            choice = rule(draw)
            pick = fallback if choice is None else choice
            regret = 100 * (draw.truth[pick] - draw.truth.min())
            rows.append((draw.population, draw.n, draw.number, name, choice is None, pick, regret))
    columns = ["population", "n", "draw", "rule", "undecided", "pick", "regret"]
    picks = pd.DataFrame(rows, columns=columns)
    return picks.assign(simple=picks["pick"] <= simple, excess=excess(picks))


def restrict(draw: Draw, rows: list[int]) -> Draw:
    """The same draw with some of the learners only."""
    return replace(draw, halves=draw.halves[rows], fifths=draw.fifths[rows], truth=draw.truth[rows])


def lowest_mean(draw: Draw) -> int:
    """The learner of lowest mean error over 5 × 5 folds; the simpler one of a tie."""
    return int(draw.fifths.mean(axis=(1, 2)).round(12).argmin())


def excess(picks: pd.DataFrame) -> np.ndarray:
    """Regret beyond that of the lowest mean on the same draw, in points."""
    key = ["population", "n", "draw"]
    base = picks.loc[picks["rule"] == BASELINE].set_index(key)["regret"]
    return picks["regret"].to_numpy() - base.loc[pd.MultiIndex.from_frame(picks[key])].to_numpy()


def summarise(picks: pd.DataFrame) -> pd.DataFrame:
    """One row a rule: means over data sets of the means over draws, and their standard errors."""
    groups = picks.groupby(["rule", "population"], sort=False)
    means = groups[["regret", "excess", "simple", "pick", "undecided"]].mean()
    rules = means.groupby("rule", sort=False)
    table = rules.mean().rename(columns={"pick": "position"})
    errors = rules[["regret", "excess"]].sem().add_suffix("_se")
    decided = picks[~picks["undecided"]].groupby("rule")["regret"].mean()
    return table.join(errors).assign(decided_regret=decided).reset_index()


def choose_left_out(picks: pd.DataFrame, candidates: Iterable[str], allowed: float) -> pd.DataFrame:
    """Choose a rule for each data set on all the others; return its rows of the one left out.

    Of the candidates whose mean excess on the other data sets is at most ``allowed``, the one of
    lowest mean position is taken; if there is none, the one of least excess. ``chosen`` names it.
    """
    family = picks[picks["rule"].isin(list(candidates))]
    parts = []
    for population in family["population"].unique():
        others = summarise(family[family["population"] != population])
        good = others[others["excess"] <= allowed]
        best = (
            good.loc[good["position"].idxmin()]
            if len(good)
            else others.loc[others["excess"].idxmin()]
        )
        rows = family["population"].eq(population) & family["rule"].eq(best["rule"])
        parts.append(family[rows].assign(chosen=best["rule"]))
    return pd.concat(parts)
