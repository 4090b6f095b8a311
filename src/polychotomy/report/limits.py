"""The section on what limits the one chosen: data, instability, or neither."""

from __future__ import annotations

from polychotomy.decomposition import ErrorDecomposition
from polychotomy.report._verdict_like import VerdictLike
from polychotomy.report.figures.bagging import draw_bagging
from polychotomy.report.figures.error_budget import bound_holds, draw_budget
from polychotomy.report.figures.learning_curve import draw_curve
from polychotomy.report.preference import degrees_of
from polychotomy.report.section import Fold, Section, Sign, as_sentence, why_not
from polychotomy.report.tables import Cell, Table
from polychotomy.report.words import join, percent, points, short

_HELP: dict[str, Sign] = {"yes": "good", "no": "plain", "cannot tell": "open"}


def limits_section(verdict: VerdictLike) -> Section:
    """Show what limits the error: data, instability, or neither."""
    anatomy, question = verdict.anatomy, "What limits it?"
    if anatomy is None:
        return Section(
            "limits",
            question,
            "not asked",
            "plain",
            notes=why_not(verdict.notes, ("limit", "bootstrap", "bagging", "anatomy")),
        )
    answers, signs = [], []
    figures = []
    if anatomy.forecast is not None:
        figures.append([draw_curve(anatomy.forecast, name=verdict.best)])
        answers.append(f"twice the data: {_helps(anatomy.forecast.answers[0])}")
        signs.append(_HELP[anatomy.forecast.answers[0]])
    if anatomy.budgets:
        figures.append([draw_budget(anatomy.budgets, best=verdict.best)])
    if anatomy.bagging is not None:
        figures.append([draw_bagging(anatomy.bagging)])
        answers.append(f"bagging: {_helps(anatomy.bagging.answer)}")
        signs.append(_HELP[anatomy.bagging.answer])
    sign: Sign = "good" if "good" in signs else "open" if "open" in signs else "plain"
    if next(one.error for one in verdict.candidates if one.name == verdict.best) == 0:
        answers, sign = ["no error to take off"], "plain"
    return Section(
        "limits", question, "; ".join(answers), sign, figures=figures,
        folds=[Fold("The error budgets in numbers", [_budget_table(verdict)])],
        notes=[*_which_labels(verdict), *_whose_budgets(verdict)],
    )  # fmt: skip


def _which_labels(verdict: VerdictLike) -> list[str]:
    """Say that labels here are not those that costs decide on."""
    if not verdict.decides_by_cost:
        return []
    return ["Errors here are those of the most probable labels, not of the cheapest ones: what "
            "bagging or more rows do to the cost was not asked."]  # fmt: skip


def _whose_budgets(verdict: VerdictLike) -> list[str]:
    """Say whose error budgets there are, and why not everyone's."""
    assert verdict.anatomy is not None
    order, degrees = [one.name for one in verdict.candidates], degrees_of(verdict)
    at = order.index(verdict.best)
    others = [
        f"{short(name, 40)}, the best of the "
        f"{degrees.less if order.index(name) > at else degrees.more} ones"
        for name in verdict.anatomy.budgets
        if name != verdict.best
    ]
    said = [as_sentence(note) for note in verdict.notes if note.startswith("the error budget of ")]
    if others:
        said.insert(0, f"Error budgets are of the one chosen and of {join(others)}: each takes 25 "
                    "fits or more, so the others have none.")  # fmt: skip
    return said


def _helps(answer: str) -> str:
    return {"yes": "helps", "no": "no help", "cannot tell": "cannot tell"}[answer]


def _budget_table(verdict: VerdictLike) -> Table:
    assert verdict.anatomy is not None
    rows: list[tuple[Cell | str, ...]] = []
    for name, budget in verdict.anatomy.budgets.items():
        holds = bound_holds(budget)
        bound = percent(budget.bayes_bound)
        if not holds:
            bound = "not given" if budget.bayes_bound == 0 else f"{bound} (does not hold)"
        bias = budget.bias_bound if holds else float("nan")
        rows.append(
            (
                name, Cell(str(budget.n_bootstraps), budget.n_bootstraps),
                *(_part(budget, i) for i in (_ERROR, _AVERAGED, _TAKEN_OFF, _VARIANCE)),
                Cell(bound, budget.bayes_bound), Cell(percent(bias), bias),
            )
        )  # fmt: skip
    header = ("candidate", "#fits", "#error, %", "#averaged, %", "#taken off, points",
              "#variance, %", "#Cover–Hart limit", "#bias at most")  # fmt: skip
    return Table(
        "Fits to bootstrap samples, judged on the cases each left out (Tibshirani 1996), with 95 % "
        "intervals",
        header, rows,
    )  # fmt: skip


_ERROR, _AVERAGED, _TAKEN_OFF, _VARIANCE = range(4)  # columns of a budget


def _part(budget: ErrorDecomposition, column: int) -> Cell:
    """Write one part of a budget with its interval, in points."""
    value, low, high = (
        float(numbers[0, column]) for numbers in (budget.estimates, budget.lows, budget.highs)
    )
    ends = " to ".join(points(end, sign=False) for end in (low, high))
    return Cell(f"{points(value, sign=False)} ({ends})", value)
