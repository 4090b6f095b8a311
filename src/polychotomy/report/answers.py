"""The sections on the one chosen: trust, combining, errors."""

from __future__ import annotations

from math import isfinite

from polychotomy.core.numbers import (
    bare_pvalue,
    count,
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
from polychotomy.decomposition import ErrorDecomposition
from polychotomy.report.drawing import Figure
from polychotomy.report.figures.columns import draw_columns, draw_dependence, name_group
from polychotomy.report.figures.combining import draw_gain, draw_weights
from polychotomy.report.figures.confusion import draw_confusion
from polychotomy.report.figures.limits import bound_holds, draw_bagging, draw_budget, draw_curve
from polychotomy.report.figures.ranking import draw_precision, draw_roc
from polychotomy.report.figures.trust import draw_reliability, draw_trace
from polychotomy.report.section import Cell, Fold, Section, Sign, Table, as_sentence, drawn
from polychotomy.telling.choice import degrees_of
from polychotomy.validation import Trust, reliability_diagram
from polychotomy.verdict import Verdict

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
    trust, question = verdict.trust, "Can I trust the probabilities?"
    answer, sign = _TRUST["contradiction" if verdict.contradicts else trust.finding]
    if trust.hard:
        answer = "scores only, no probabilities" if verdict.criterion.name == "score" else answer
        return Section("trust", question, answer, sign)
    recalibrated = trust.recalibration.chosen
    if recalibrated != "none":
        answer += f"; {recalibrated} recalibration corrects them"
    return Section(
        "trust", question, answer, sign,
        figures=[
            [drawn(draw_trace, trust), drawn(_draw_reliability, trust)],
        ],
        folds=[
            Fold("Scores", [_scores_table(trust)]),
            Fold("What recalibration would gain", [_recalibration_table(trust)]),
        ],
    )  # fmt: skip


def _draw_reliability(trust: Trust) -> Figure:
    """Draw how often it was right, and after recalibration where that is advised."""
    after, recalibrated = trust.recalibration.after, None
    if trust.recalibration.chosen != "none":
        recalibrated = reliability_diagram(after.probabilities, after.y, samples=after.samples)
    said = trust.trace.probabilities.max(axis=1)
    return draw_reliability(trust.reliability, said, recalibrated)


def _scores_table(trust: Trust) -> Table:
    scores = trust.scores
    rows = [
        ("slope of the trace", trust.null.observed_slope, "1 if they mean what they say"),
        ("mean probability of the predicted class", trust.confidence, "how sure it was"),
        ("accuracy", trust.accuracy, "how often it was right"),
        ("log loss", scores.log_loss, _about_log_loss(trust)),
        ("Brier score", scores.brier, "smaller is better"),
        ("of it, calibration", scores.calibration, "what recalibration could remove"),
        ("smooth calibration error", scores.smooth_calibration_error, "0 if they mean what they "
         "say"),
        ("uncertainty coefficient", trust.uncertainty_coefficient, "share of the uncertainty about "
         "the class that its labels remove"),
    ]  # fmt: skip
    lines = [(name, Cell(_score(value), value), meaning) for name, value, meaning in rows]
    return Table("Out-of-fold scores of its probabilities", ("score", "#value", "meaning"), lines)


def _score(value: float) -> str:
    """Write a score to as many decimals as the others of its table."""
    return fixed(value, 3) if isfinite(value) else plain(value)


def _about_log_loss(trust: Trust) -> str:
    """Say how the log loss is meant, and why the one before recalibration may differ from it."""
    value, before = trust.scores.log_loss, trust.recalibration.log_loss_before
    if value == float("inf"):
        return "smaller is better; ∞ as a class that came had been given 0"
    if _score(value) == _score(before):
        return "smaller is better"
    return f"smaller is better; {_score(before)} if none counts as less than one in a million"


def _recalibration_table(trust: Trust) -> Table:
    found = trust.recalibration
    rows = [
        (
            row.method, Cell(_score(row.log_loss_before), row.log_loss_before),
            Cell(_score(row.log_loss), row.log_loss), Cell(signed(fixed(row.gain, 3)), row.gain),
            Cell(signed(fixed(row.lower, 3)), row.lower),
            Cell(signed(fixed(row.upper, 3)), row.upper), Cell(bare_pvalue(row.pvalue), row.pvalue),
            "yes" if row.chosen else "no",
        )
        for row in found.to_frame().itertuples(index=False)
    ]  # fmt: skip
    header = ("method", "#log loss now", "#after", "#gain", "#from", "#to", "#p-value", "advised")
    title = (
        f"Cross-fitted: no case meets a map that saw its class. Intervals ({1 - found.alpha:.0%}) "
        "and p-values are of one test, corrected for three ways tried. Advised: of those whose "
        "gain has an interval above 0, the simplest within a standard error of the best. "
        "Probabilities below one in a million, zeros above all, are taken as that."
    )
    return Table(title.replace("%", " %"), header, rows)


_COMBINING: dict[str, tuple[str, Sign]] = {
    "helps": ("yes, it would", "good"),
    "helps little": ("a little, not enough to matter", "plain"),
    "does not help": ("no, nothing that matters", "plain"),
    "harms": ("no, it would do harm", "plain"),
    "makes no difference": ("no difference that matters", "plain"),
    "undecided": ("the data cannot tell", "open"),
}


def _not_asked(verdict: Verdict, name: str, anchor: str, question: str) -> Section:
    why = as_sentence(verdict.not_asked.get(name, "not asked"))
    return Section(anchor, question, "not asked", "plain", notes=[why])


def combining_section(verdict: Verdict) -> Section:
    """Show whether combining would help."""
    advice, question = verdict.combination, "Would combining help?"
    if advice is None:
        return _not_asked(verdict, "combination", "combining", question)
    rows = [
        (
            row.ranker, Cell("–" if row.weight != row.weight else f"{row.weight:.2f}", row.weight),
            Cell(f"{row.auc:.4f}", row.auc),
        )
        for row in advice.to_frame().itertuples(index=False)
    ]  # fmt: skip
    answer, sign = _COMBINING[advice.conclusion]
    table = Table("Area under the ROC curve, out of fold", ("ranker", "#weight", "#AUC"), rows)
    return Section(
        "combining", question, answer, sign,
        figures=[[drawn(draw_gain, advice)], [drawn(draw_weights, advice, best=verdict.best)]],
        folds=[Fold("Weights and areas", [table])],
    )  # fmt: skip


def errors_section(verdict: Verdict) -> Section:
    """Show which classes are taken for which."""
    confusion, question = verdict.confusion, "Where does it err?"
    if not verdict.knows_labels:
        told = "what was scored" if verdict.criterion.name == "score" else "who was right"
        answer = f"not known: the table tells {told}, not what the answers were"
        return Section("errors", question, answer, "plain")
    worst = confusion.worst
    figure = drawn(
        draw_confusion,
        confusion.classes, confusion.counts, confusion.order,
        [(pair.truth, pair.predicted) for pair in worst], name=confusion.name,
    )  # fmt: skip
    answer = "nowhere: no error"
    if worst:
        answer = f"{quoted(worst[0].truth, 30)} taken for {quoted(worst[0].predicted, 30)}"
    rows = [
        (
            pair.truth, pair.predicted, Cell(_cases(pair.samples), pair.samples),
            Cell(percent(pair.share), pair.share),
        )
        for pair in worst
    ]  # fmt: skip
    header = ("truth", "taken for", "#cases", "#share of the class")
    tables = [Table("The most frequent errors", header, rows)] if rows else []
    notes = ["Labels here are those of least expected cost, which were scored, not the most "
             "probable ones."] * verdict.decides_by_cost  # fmt: skip
    figures = [[figure]]
    if verdict.ranking:
        figures.append([drawn(draw_roc, verdict.ranking), drawn(draw_precision, verdict.ranking)])
    return Section("errors", question, answer, "plain", figures, tables, notes=notes)


def columns_section(verdict: Verdict) -> Section:
    """Show which columns matter, and how the first of them do."""
    found, question = verdict.columns, "Which columns matter?"
    if found is None:
        return _not_asked(verdict, "columns", "columns", question)
    figures = [[drawn(draw_columns, found, criterion=verdict.criterion)]]
    classes = verdict.confusion.classes
    figures.append(
        [drawn(draw_dependence, one, classes, place=i) for i, one in enumerate(found.curves, 1)]
    )
    shown = [
        name_group(one, 30) for one, low in zip(found.groups, found.low, strict=True) if low > 0
    ]
    return Section(
        "columns", question, ", ".join(shown[:3]) or "none is shown to", "plain", figures=figures,
        folds=[Fold("All columns in numbers", [_columns_table(verdict)])],
    )  # fmt: skip


def _columns_table(verdict: Verdict) -> Table:
    found, criterion = verdict.columns, verdict.criterion
    assert found is not None
    rows: list[tuple[Cell | str, ...]] = [
        (
            ", ".join(group),
            *(Cell(difference(float(one), criterion), float(one)) for one in numbers),
        )
        for group, *numbers in zip(found.groups, found.rise, found.low, found.high, strict=True)
    ]
    points = ", points" if criterion.is_rate else ""
    caption = f"Rise of the {criterion.words} of held-out rows in which columns are permuted"
    return Table(caption, ("columns", f"#rise{points}", "#from", "#to"), rows)


def _cases(value: float) -> str:
    return count(value) if value >= 20 else f"{value:.1f}"


_HELP: dict[str, tuple[str, Sign]] = {
    "yes": ("helps", "good"), "no": ("no help", "plain"), "cannot tell": ("cannot tell", "open"),
}  # fmt: skip


def limits_section(verdict: Verdict) -> Section:
    """Show what limits the error: data, instability, or neither."""
    anatomy, question = verdict.anatomy, "What limits it?"
    if anatomy is None:
        return _not_asked(verdict, "anatomy", "limits", question)
    answers, signs, figures = [], [], []
    if anatomy.forecast is not None:
        figures.append([drawn(draw_curve, anatomy.forecast, name=verdict.best)])
        helps, sign = _HELP[anatomy.forecast.answers[0]]
        answers.append(f"twice the data: {helps}")
        signs.append(sign)
    if anatomy.budgets:
        figures.append([drawn(draw_budget, anatomy.budgets, best=verdict.best)])
    if anatomy.bagging is not None:
        figures.append([drawn(draw_bagging, anatomy.bagging)])
        helps, sign = _HELP[anatomy.bagging.answer]
        answers.append(f"bagging: {helps}")
        signs.append(sign)
    sign = "good" if "good" in signs else "open" if "open" in signs else "plain"
    if verdict.candidate(verdict.best).error == 0:
        answers, sign = ["no error to take off"], "plain"
    labels = ["Errors here are those of the most probable labels, not of the cheapest ones: what "
              "bagging or more rows do to the cost was not asked."]  # fmt: skip
    return Section(
        "limits", question, "; ".join(answers), sign, figures=figures,
        folds=[Fold("The error budgets in numbers", [_budget_table(verdict)])],
        notes=[*labels * verdict.decides_by_cost, *_whose_budgets(verdict)],
    )  # fmt: skip


def _whose_budgets(verdict: Verdict) -> list[str]:
    """Say whose error budgets there are, and why not everyone's."""
    assert verdict.anatomy is not None
    order, degrees = [one.name for one in verdict.candidates], degrees_of(verdict)
    at = order.index(verdict.best)
    others = [
        f"{short(name, 40)}, the lowest mean among "
        f"{degrees.of('less' if order.index(name) > at else 'more', 'ones')}"
        for name in verdict.anatomy.budgets
        if name != verdict.best
    ]
    said = [as_sentence(why) for why in verdict.anatomy.without_budget.values()]
    if others:
        said.insert(0, f"Error budgets are of the one chosen and of {join(others)}: each takes 25 "
                    "fits or more, so the others have none.")  # fmt: skip
    return said


def _budget_table(verdict: Verdict) -> Table:
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
    ends = " to ".join(in_points(end) for end in (low, high))
    return Cell(f"{in_points(value)} ({ends})", value)
