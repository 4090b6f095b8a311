"""The sections on the one chosen: trust, combining, errors."""

from __future__ import annotations

from math import isfinite, isnan

from polychotomy.comparison import Criterion
from polychotomy.core.numbers import (
    bare_pvalue,
    difference,
    fixed,
    in_points,
    join,
    percent,
    plain,
    quoted,
    short,
    signed,
)
from polychotomy.report.figures.columns import draw_columns, draw_dependence, name_group
from polychotomy.report.figures.combining import draw_gain, draw_weights
from polychotomy.report.figures.confusion import draw_confusion, short_count
from polychotomy.report.figures.limits import bound_holds, draw_bagging, draw_budget, draw_curve
from polychotomy.report.figures.ranking import draw_precision, draw_roc
from polychotomy.report.figures.trust import draw_reliability, draw_trace
from polychotomy.report.section import Cell, Fold, Section, Sign, Table, as_sentence, drawn
from polychotomy.telling.choice import degrees_of
from polychotomy.telling.improving import answer_more_data
from polychotomy.validation import Trust
from polychotomy.verdict import Anatomy, Verdict
from polychotomy.verdict.findings import Columns

_TRUST: dict[str, tuple[str, Sign]] = {
    "no sign against them": ("nothing speaks against them", "good"),
    "too sure": ("too sure", "bad"),
    "too cautious": ("too cautious", "bad"),
    "uneven": ("right on average only", "bad"),
    "contradiction": ("no: they contradict its labels", "bad"),
    "labels only": ("labels only, no probabilities", "plain"),
}


def trust_section(verdict: Verdict) -> Section:
    """Show whether the probabilities can be trusted."""
    trust = verdict.trust
    answer, sign = _TRUST["contradiction" if verdict.contradicts else trust.finding]
    if trust.hard:
        known = "scores" if verdict.criterion.name == "score" else "right and wrong"
        return Section(answer if verdict.knows_labels else f"{known} only, no probabilities", sign)
    if trust.recalibration.chosen != "none":
        answer += f"; {trust.recalibration.chosen} recalibration improves them"
    folds = [
        Fold("Scores", [_scores_table(trust)]),
        Fold("What recalibration would gain", [_recalibration_table(trust)]),
    ]
    figures = [[drawn(draw_trace, trust), drawn(draw_reliability, trust)]]
    return Section(answer, sign, figures, folds=folds)


def _scores_table(trust: Trust) -> Table:
    scores = trust.scores
    why = "" if isfinite(scores.log_loss) else "; ∞ as a class that came had been given 0"
    rows = [
        ("slope of the trace", trust.null.observed_slope, "1 if they mean what they say"),
        ("mean probability of the predicted class", trust.confidence, "how sure it was"),
        ("accuracy", trust.accuracy, "how often it was right"),
        ("log loss", scores.log_loss, f"smaller is better{why}"),
        ("Brier score", scores.brier, "smaller is better"),
        ("of it, calibration", scores.calibration, "what recalibration could remove"),
        ("smooth calibration error", scores.smooth_calibration_error, "0 if they are right"),
        ("uncertainty coefficient", trust.uncertainty_coefficient, "uncertainty that it removes"),
    ]  # fmt: skip
    lines = [(name, Cell(_score(value), value), meaning) for name, value, meaning in rows]
    return Table("Out-of-fold scores of its probabilities", ("score", "#value", "meaning"), lines)


def _score(value: float) -> str:
    """Write a score to as many decimals as the others of its table."""
    return fixed(value, 3) if isfinite(value) else plain(value)


def _recalibration_table(trust: Trust) -> Table:
    found, rows = trust.recalibration, []
    for row in found.to_frame().itertuples(index=False):
        losses = [Cell(_score(one), one) for one in (row.log_loss_before, row.log_loss)]
        gains = [Cell(signed(_score(one)), one) for one in (row.gain, row.lower, row.upper)]
        pvalue = Cell(bare_pvalue(row.pvalue), row.pvalue)
        rows.append((row.method, *losses, *gains, pvalue, "yes" if row.chosen else "no"))
    header = ("method", "#log loss now", "#after", "#gain", "#from", "#to", "#p-value", "advised")
    title = (
        f"Cross-fitted, intervals ({100 * (1 - found.alpha):.0f} %) and p-values corrected for "
        "three ways tried. Advised: of those whose gain has an interval above 0, the simplest "
        "within a standard error of the best. Probabilities below one in a million, zeros above "
        "all, are taken as that."
    )
    return Table(title, header, rows)


_COMBINING: dict[str, tuple[str, Sign]] = {
    "helps": ("yes, it would", "good"),
    "helps little": ("a little, not enough to matter", "plain"),
    "does not help": ("no, nothing that matters", "plain"),
    "harms": ("no, it may do harm", "plain"),
    "makes no difference": ("no difference that matters", "plain"),
    "undecided": ("the data cannot tell", "open"),
}


def _not_asked(verdict: Verdict, name: str) -> Section:
    why = as_sentence(verdict.not_asked.get(name, "not asked"))
    return Section("not asked", "plain", notes=[why])


def combining_section(verdict: Verdict) -> Section:
    """Show whether combining would help."""
    advice = verdict.combination
    if advice is None:
        return _not_asked(verdict, "combination")
    rows = [
        (name, Cell("–" if isnan(weight) else f"{weight:.2f}", weight), Cell(f"{auc:.4f}", auc))
        for name, weight, auc in advice.to_frame()[["ranker", "weight", "auc"]].values.tolist()
    ]
    table = Table("Area under the ROC curve, out of fold", ("ranker", "#weight", "#AUC"), rows)
    figures = [[drawn(draw_gain, advice)], [drawn(draw_weights, advice, best=verdict.best)]]
    folds = [Fold("Weights and areas", [table])]
    return Section(*_COMBINING[advice.conclusion], figures, folds=folds)


def errors_section(verdict: Verdict) -> Section:
    """Show which classes are taken for which."""
    confusion = verdict.confusion
    if not verdict.knows_labels:
        told = "what was scored" if verdict.criterion.name == "score" else "who was right"
        answer = f"not known: the table tells {told}, not what the answers were"
        return Section(answer, "plain")
    figures = [[drawn(draw_confusion, confusion)]]
    if verdict.ranking:
        figures.append([drawn(draw_roc, verdict.ranking), drawn(draw_precision, verdict.ranking)])
    rows = [
        (
            pair.truth, pair.predicted, Cell(short_count(pair.samples), pair.samples),
            Cell(percent(pair.share), pair.share),
        )
        for pair in confusion.worst
    ]  # fmt: skip
    answer, tables = "nowhere: no error", []
    if rows:
        answer = f"{quoted(rows[0][0], 30)} taken for {quoted(rows[0][1], 30)}"
        header = ("truth", "taken for", "#cases", "#share of the class")
        tables = [Table("The worst confusions, by the lower end of the share", header, rows)]
    notes = ["Labels here are those of least expected cost, which were scored, not the most "
             "probable ones."] * verdict.decides_by_cost  # fmt: skip
    return Section(answer, "plain", figures, tables, notes=notes)


def columns_section(verdict: Verdict) -> Section:
    """Show which columns matter, and how the first of them do."""
    found, classes = verdict.columns, verdict.confusion.classes
    if found is None:
        return _not_asked(verdict, "columns")
    curves = [
        drawn(draw_dependence, one, classes, place=i) for i, one in enumerate(found.curves, 1)
    ]
    figures = [[drawn(draw_columns, found, criterion=verdict.criterion)], curves]
    shown = [
        name_group(one, 30) for one, low in zip(found.groups, found.low, strict=True) if low > 0
    ]
    folds = [Fold("All columns in numbers", [_columns_table(found, verdict.criterion)])]
    return Section(", ".join(shown[:3]) or "none is shown to", "plain", figures, folds=folds)


def _columns_table(found: Columns, criterion: Criterion) -> Table:
    rows: list[tuple[Cell | str, ...]] = [
        (", ".join(group), *(Cell(difference(one, criterion), one) for one in numbers))
        for group, *numbers in zip(
            found.groups, *(x.tolist() for x in (found.rise, found.low, found.high)), strict=True
        )
    ]
    points = ", points" if criterion.is_rate else ""
    caption = f"Rise of the {criterion.words} of held-out rows in which columns are permuted"
    return Table(caption, ("columns", f"#rise{points}", "#from", "#to"), rows)


_HELP: dict[str, tuple[str, Sign]] = {
    "yes": ("helps", "good"), "no": ("no help", "plain"), "cannot tell": ("cannot tell", "open"),
    "probably": ("probably helps", "good"),
}  # fmt: skip


def limits_section(verdict: Verdict) -> Section:
    """Show what limits the error: data, instability, or neither."""
    anatomy = verdict.anatomy
    if anatomy is None:
        return _not_asked(verdict, "anatomy")
    found, figures = [], []
    if anatomy.forecast is not None:
        figures.append([drawn(draw_curve, anatomy.forecast, name=verdict.best)])
        found.append(("twice the data", *_HELP[answer_more_data(anatomy.forecast)]))
    if anatomy.budgets:
        figures.append([drawn(draw_budget, anatomy.budgets, best=verdict.best)])
    if anatomy.bagging is not None:
        figures.append([drawn(draw_bagging, anatomy.bagging)])
        found.append(("bagging", *_HELP[anatomy.bagging.answer]))
    answer = "; ".join(f"{what}: {helps}" for what, helps, _ in found)
    signs = [sign for *_, sign in found]
    sign: Sign = "good" if "good" in signs else "open" if "open" in signs else "plain"
    if verdict.candidate(verdict.best).error == 0:
        answer, sign = "no error to take off", "plain"
    labels = ["Errors here are those of the most probable labels, not of the cheapest ones: what "
              "bagging or more rows do to the cost was not asked."]  # fmt: skip
    notes = [*labels * verdict.decides_by_cost, *_whose_budgets(verdict, anatomy)]
    folds = [Fold("The error budgets in numbers", [_budget_table(anatomy)])]
    return Section(answer, sign, figures, folds=folds, notes=notes)


def _whose_budgets(verdict: Verdict, anatomy: Anatomy) -> list[str]:
    """Say whose error budgets there are, and why not everyone's."""
    order, degrees = [one.name for one in verdict.candidates], degrees_of(verdict)
    at, others = order.index(verdict.best), []
    for name in anatomy.budgets:
        if name != verdict.best:
            whom = degrees.of("less" if order.index(name) > at else "more", "ones")
            others.append(f"{short(name, 40)}, the lowest mean among {whom}")
    said = [as_sentence(why) for why in anatomy.without_budget.values()]
    if others:
        said.insert(0, f"Error budgets are of the one chosen and of {join(others)}: each takes 25 "
                    "fits or more, so the others have none.")  # fmt: skip
    return said


def _budget_table(anatomy: Anatomy) -> Table:
    rows: list[tuple[Cell | str, ...]] = []
    for name, budget in anatomy.budgets.items():
        holds, bound = bound_holds(budget), percent(budget.bayes_bound)
        if not holds:
            bound = "not given" if budget.bayes_bound == 0 else f"{bound} (does not hold)"
        bias = budget.bias_bound if holds else float("nan")
        fits = Cell(str(budget.n_bootstraps), budget.n_bootstraps)
        limits = Cell(bound, budget.bayes_bound), Cell(percent(bias), bias)
        parts = zip(*(x[0, :4] for x in (budget.estimates, budget.lows, budget.highs)), strict=True)
        intervals = [
            Cell(f"{in_points(value)} ({in_points(low)} to {in_points(high)})", value)
            for value, low, high in parts
        ]
        rows.append((name, fits, *intervals, *limits))
    header = ("candidate", "#fits", "#error, %", "#averaged, %", "#taken off, points",
              "#variance, %", "#Cover–Hart limit", "#bias at most")  # fmt: skip
    caption = (
        "Fits to bootstrap samples, judged on the cases each left out (Tibshirani 1996), with 95 % "
        "intervals"
    )
    return Table(caption, header, rows)
