"""The sections on the one chosen: trust, limits, combining, errors."""

from __future__ import annotations

from polychotomy.report._verdict_like import VerdictLike
from polychotomy.report.figures.combining import draw_gain, draw_weights
from polychotomy.report.figures.confusion import draw_confusion
from polychotomy.report.figures.error_budget import bound_holds, draw_bagging, draw_budget
from polychotomy.report.figures.learning_curve import draw_curve
from polychotomy.report.figures.trust import draw_reliability, draw_trace
from polychotomy.report.section import Fold, Section, Sign
from polychotomy.report.tables import Cell, Table
from polychotomy.report.words import count, percent, plain, points, pvalue, short
from polychotomy.validation import Trust

_TRUST: dict[str, tuple[str, Sign]] = {
    "no sign against them": ("nothing speaks against them", "good"),
    "too sure": ("too sure", "bad"),
    "too cautious": ("too cautious", "bad"),
    "uneven": ("uneven", "bad"),
    "labels only": ("labels only, no probabilities", "plain"),
}


def trust_section(verdict: VerdictLike) -> Section:
    """Show whether the probabilities can be trusted."""
    trust, question = verdict.trust, "Can I trust the probabilities?"
    answer, sign = _TRUST[trust.finding]
    if trust.hard:
        return Section("trust", question, answer, sign)
    mended = trust.recalibration.chosen
    if mended != "none":
        answer += f"; {mended} recalibration mends them"
    said = trust.trace.probabilities.max(axis=1)
    return Section(
        "trust", question, answer, sign,
        figures=[[draw_trace(trust), draw_reliability(trust.reliability, said)]],
        folds=[
            Fold("Scores", [_scores_table(trust)]),
            Fold("What recalibration would gain", [_recalibration_table(trust)]),
        ],
    )  # fmt: skip


def _scores_table(trust: Trust) -> Table:
    scores = trust.scores
    rows = [
        ("slope of the trace", trust.null.observed_slope, "1 if they mean what they say"),
        ("mean probability of the predicted class", trust.confidence, "how sure it was"),
        ("accuracy", trust.accuracy, "how often it was right"),
        ("log loss", scores.log_loss, "smaller is better"),
        ("Brier score", scores.brier, "smaller is better"),
        ("of it, calibration", scores.calibration, "what recalibration could remove"),
        ("smooth calibration error", scores.smooth_calibration_error, "0 if they mean what they "
         "say"),
        ("uncertainty coefficient", trust.uncertainty_coefficient, "share of the doubt about the "
         "class that its labels remove"),
    ]  # fmt: skip
    lines = [(name, Cell(plain(value), value), meaning) for name, value, meaning in rows]
    return Table("Out-of-fold scores of its probabilities", ("score", "#value", "meaning"), lines)


def _recalibration_table(trust: Trust) -> Table:
    found = trust.recalibration
    rows = [
        (
            row.method, Cell(plain(row.log_loss_before), row.log_loss_before),
            Cell(plain(row.log_loss), row.log_loss), Cell(plain(row.gain, sign=True), row.gain),
            Cell(plain(row.lower, sign=True), row.lower),
            Cell(plain(row.upper, sign=True), row.upper), Cell(pvalue(row.pvalue), row.pvalue),
            "yes" if row.chosen else "no",
        )
        for row in found.to_frame().itertuples(index=False)
    ]  # fmt: skip
    header = ("method", "#log loss now", "#after", "#gain", "#from", "#to", "#p-value", "advised")
    return Table("Cross-fitted: no case meets a map that saw its class", header, rows)


_HELP: dict[str, Sign] = {"yes": "good", "no": "plain", "cannot tell": "open"}


def limits_section(verdict: VerdictLike) -> Section:
    """Show what limits the error: data, instability, or neither."""
    anatomy, question = verdict.anatomy, "What limits it?"
    if anatomy is None:
        return Section("limits", question, "not asked", "plain", notes=_why_not(verdict, "limits"))
    answers, signs = [], []
    figures = []
    if anatomy.forecast is not None:
        figures.append([draw_curve(anatomy.forecast, name=verdict.best)])
        answers.append(f"twice the data: {_helps(anatomy.forecast.answers[0])}")
        signs.append(_HELP[anatomy.forecast.answers[0]])
    lower = [draw_budget(anatomy.budgets, best=verdict.best)] if anatomy.budgets else []
    if anatomy.bagging is not None:
        lower.append(draw_bagging(anatomy.bagging))
        answers.append(f"bagging: {_helps(anatomy.bagging.answer)}")
        signs.append(_HELP[anatomy.bagging.answer])
    figures += [lower] if lower else []
    sign: Sign = "good" if "good" in signs else "open" if "open" in signs else "plain"
    return Section(
        "limits", question, "; ".join(answers), sign, figures=figures,
        folds=[Fold("The error budget in numbers", [_budget_table(verdict)])],
    )  # fmt: skip


def _helps(answer: str) -> str:
    return {"yes": "helps", "no": "no help", "cannot tell": "cannot tell"}[answer]


def _budget_table(verdict: VerdictLike) -> Table:
    assert verdict.anatomy is not None
    rows = []
    for name, budget in verdict.anatomy.budgets.items():
        bound = percent(budget.bayes_bound)
        if not bound_holds(budget):
            bound = "not given" if budget.bayes_bound == 0 else f"{bound} (does not hold)"
        rows.append(
            (
                name, Cell(percent(budget.error), budget.error),
                Cell(f"{points(float(budget.lows[0, 0]), sign=False)} to "
                     f"{points(float(budget.highs[0, 0]), sign=False)}", float(budget.lows[0, 0])),
                Cell(percent(budget.aggregated_error), budget.aggregated_error),
                Cell(points(budget.aggregation_effect), budget.aggregation_effect),
                Cell(percent(budget.variance), budget.variance), Cell(bound, budget.bayes_bound),
            )
        )  # fmt: skip
    header = ("candidate", "#error", "#95 % interval", "#averaged", "#taken off", "#variance",
              "#Cover–Hart limit")  # fmt: skip
    return Table("Fits to bootstrap samples, judged on the cases each left out (T96)", header, rows)


_COMBINING: dict[str, tuple[str, Sign]] = {
    "helps": ("yes, it would", "good"),
    "harms": ("no, it would do harm", "plain"),
    "makes no difference": ("no difference that matters", "plain"),
    "undecided": ("the data cannot tell", "open"),
}


def combining_section(verdict: VerdictLike) -> Section:
    """Show whether combining would help."""
    advice, question = verdict.combination, "Would combining help?"
    if advice is None:
        return Section(
            "combining", question, "not asked", "plain", notes=_why_not(verdict, "combining")
        )
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
        "combining", question, answer, sign, figures=[[draw_gain(advice)], [draw_weights(advice)]],
        folds=[Fold("Weights and areas", [table])],
    )  # fmt: skip


def _why_not(verdict: VerdictLike, topic: str) -> list[str]:
    """Find the notes that say why a question was not asked."""
    words = {"combining": ("combining",), "limits": ("limit", "bootstrap", "bagging", "anatomy")}
    found = [note for note in verdict.notes if any(word in note for word in words[topic])]
    return [f"{note[:1].upper()}{short(note[1:].rstrip('.'), 300)}." for note in found] or [
        "Not asked."
    ]


def errors_section(verdict: VerdictLike) -> Section:
    """Show which classes are taken for which."""
    confusion, question = verdict.confusion, "Where does it err?"
    worst = confusion.worst
    figure = draw_confusion(
        confusion.classes, confusion.counts, confusion.order,
        [(pair.truth, pair.predicted) for pair in worst], name=confusion.name,
    )  # fmt: skip
    answer = "nowhere: no error"
    if worst:
        answer = f"{short(worst[0].truth, 30)} taken for {short(worst[0].predicted, 30)}"
    rows = [
        (
            pair.truth, pair.predicted, Cell(_cases(pair.samples), pair.samples),
            Cell(percent(pair.share), pair.share),
        )
        for pair in worst
    ]  # fmt: skip
    header = ("truth", "taken for", "#cases", "#share of the class")
    tables = [Table("The most frequent errors", header, rows)] if rows else []
    return Section("errors", question, answer, "plain", figures=[[figure]], tables=tables)


def _cases(value: float) -> str:
    return count(value) if value >= 20 else f"{value:.1f}"
