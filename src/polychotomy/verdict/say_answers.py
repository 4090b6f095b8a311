"""The other questions in words: trust, bagging, more data, combining, confusion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polychotomy.comparison import Criterion
from polychotomy.validation import Trust
from polychotomy.verdict.sentence import Sentence
from polychotomy.verdict.wording import gap, join, number, pvalue, rough, shorten, span

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict

_ERROR = Criterion(name="error")
_WRONG = {
    "too sure": "are too sure of themselves",
    "too cautious": "are too cautious",
    "uneven": "are uneven",
}


def say_trust(verdict: Verdict) -> list[Sentence]:
    """Say whether the probabilities can be trusted, and what mends them."""
    trust = verdict.trust
    if trust.hard:
        text = "It gives labels only: there are no probabilities to trust."
        return [Sentence(text=text, basis="The candidate has no predict_proba.", section="trust")]
    basis = (
        "Trace of the out-of-fold probabilities (Mills 2024 §4) against its distribution under "
        f"true ones: {pvalue(trust.null.pvalue)}. Mean confidence {trust.confidence:.3f}, "
        f"accuracy {trust.accuracy:.3f} ({pvalue(trust.confidence_pvalue)}). Assumed: rows are "
        "independent of each other."
    )
    if trust.finding == "no sign against them":
        claim = "can be trusted"
        text = f"Its probabilities {claim}, as far as this data can tell: {_slope(trust)}."
    elif trust.null.pvalue > trust.recalibration.alpha:  # only mending them tells
        claim = _WRONG[trust.finding]
        text = f"Its probabilities {claim}: {_remedy(trust)}, though their trace is as expected."
    else:
        claim = _WRONG[trust.finding]
        text = f"Its probabilities {claim}: {_said(trust)}; {_remedy(trust)}."
    return [Sentence(text=text, basis=basis, section="trust", emphasis=claim)]


def _said(trust: Trust) -> str:
    """Say what carries the claim: confidence against accuracy, or the trace where these agree."""
    if trust.finding in ("too sure", "too cautious"):
        return (
            f"it is {100 * trust.confidence:.1f} % sure on average and right in "
            f"{100 * trust.accuracy:.1f} % of cases"
        )
    return _slope(trust)


def _slope(trust: Trust) -> str:
    """Say the slope of the trace, to as many digits as its band needs."""
    band = trust.null.to_frame().set_index("statistic").loc["slope"]
    width = float(band["upper"] - band["lower"])
    digits = 2 if width >= 0.02 else 3 if width >= 0.002 else 4
    return (
        f"slope {band['observed']:.{digits}f}, where {band['lower']:.{digits}f} to "
        f"{band['upper']:.{digits}f} is expected of true ones"
    )


def _remedy(trust: Trust) -> str:
    mend = trust.recalibration
    if mend.chosen == "none":
        return "no recalibration is shown to mend them"
    after = mend.log_loss[mend.methods.index(mend.chosen)]
    return (
        f"{mend.chosen} recalibration mends them (log loss {mend.log_loss_before:.3g} to "
        f"{after:.3g})"
    )


def say_bagging(verdict: Verdict) -> list[Sentence]:
    """Say whether bagging the best candidate would help."""
    if verdict.anatomy is None:
        return []
    advice = verdict.anatomy.bagging
    claim = {
        "yes": "worth it",
        "no": "not worth it",
        "cannot tell": "the data cannot tell whether it is worth it",
    }[advice.answer]
    change = f"{_plus(-advice.expected)}{gap(-advice.expected, _ERROR)}"
    inside = span(-advice.high, -advice.low, _ERROR)
    text = f"Bagging would change its error by {change} ({inside}): {claim}."
    basis = (
        f"{advice} Out-of-bag error of {verdict.anatomy.budgets[verdict.best].n_bootstraps} "
        "bootstrap fits against the cross-validated one, paired over rows (Tibshirani 1996; "
        f"confidence {advice.confidence:g} a side)."
    )
    return [Sentence(text=text, basis=basis, section="limits", emphasis=claim)]


def _plus(value: float) -> str:
    return "+" if round(100 * value, 2) > 0 else ""


def say_more_data(verdict: Verdict) -> list[Sentence]:
    """Say what twice the data would do."""
    forecast = None if verdict.anatomy is None else verdict.anatomy.forecast
    if forecast is None:
        return []
    row = forecast.to_frame().iloc[0]
    claim = {
        "yes": "worth it if rows are cheap",
        "no": "hardly worth it",
        "cannot tell": "the data cannot tell whether that is worth it",
    }[row["answer"]]
    inside = span(row["gain_low"], row["gain_high"], _ERROR)
    text = (
        f"{'Twice' if row['factor'] == 2 else f'{row.factor:g} times'} the data would take off "
        f"about {gap(row['gain'], _ERROR)} ({inside}): {claim}."
    )
    basis = (
        f"{forecast} A power law with a floor fitted to out-of-fold errors at training sizes "
        f"{', '.join(f'{size:g}' for size in forecast.sizes)}; confidence {forecast.confidence:g} "
        "a side. Assumed: more of the same kind of rows."
    )
    return [Sentence(text=text, basis=basis, section="limits", emphasis=claim)]


def say_combining(verdict: Verdict) -> list[Sentence]:
    """Say whether a combination would rank better."""
    advice = verdict.combination
    if advice is None:
        return []
    low, high = advice.interval
    change = f"{_plus(advice.difference)}{number(100 * advice.difference)}"
    numbers = f"{change} points of AUC ({number(100 * low)} to {number(100 * high)})"
    claim = {
        "helps": "a gain",
        "harms": "a loss",
        "makes no difference": "no gain",
        "undecided": "the data cannot tell",
    }[advice.conclusion]
    more = ""
    if advice.conclusion == "undecided":
        more = f"; about {rough(advice.samples_to_decide)} rows would decide"
    text = f"Combining the candidates: {claim}, {numbers} over {advice.best} alone{more}."
    return [Sentence(text=text, basis=str(advice), section="combining", emphasis=claim)]


def say_confusion(verdict: Verdict) -> list[Sentence]:
    """Say which classes are taken for which."""
    worst = verdict.confusion.worst
    if not worst or verdict.guesses:
        return []
    words = [
        f"{shorten(pair.truth)} taken for {shorten(pair.predicted)} "
        f"({100 * pair.share:.0f} % of its cases)"
        for pair in worst[:2]
    ]
    text = f"It errs most on {join(words)}."
    basis = (
        f"Out-of-fold predictions, means over repetitions: {verdict.confusion} No test: the order "
        "of close pairs may change with other rows."
    )
    return [Sentence(text=text, basis=basis, section="errors")]
