"""The other questions in words: trust, combining, confusion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polychotomy.combination import CombinationAdvice
from polychotomy.combination.advice import NEGLIGIBLE
from polychotomy.comparison import Criterion
from polychotomy.core.numbers import (
    fixed,
    from_to,
    independence,
    join,
    measured,
    minus,
    pvalue,
    quoted,
    rough,
    threshold,
)
from polychotomy.validation import Trust
from polychotomy.verdict.sentence import Sentence

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict


_ERROR = Criterion(name="error")

_CERTAIN = 0.9995  # mean probability of the predicted class: 100.0 %

_WRONG = {
    "too sure": "are too sure of themselves",
    "too cautious": "are too cautious",
    "uneven": "are uneven",
}


def say_trust(verdict: Verdict) -> list[Sentence]:
    """Say whether the probabilities can be trusted, and what mends them."""
    trust = verdict.trust
    if verdict.guesses:
        return []
    if trust.hard:
        text = "It gives labels only: there are no probabilities to trust."
        basis = "The candidate has no predict_proba."
        if verdict.provenance.get("imported"):
            basis = "Its predictions came as labels, or as probabilities of 0 and 1 alone."
        return [Sentence(text=text, basis=basis, section="trust")]
    trace, confidence = trust.adjusted_pvalues
    basis = (
        "Trace of the out-of-fold probabilities (Mills 2024 §4) against its distribution under "
        f"true ones: {pvalue(trace)}. Mean confidence {trust.confidence:.3f}, accuracy "
        f"{trust.accuracy:.3f} ({pvalue(confidence)}). Both p-values are corrected for two "
        "questions asked (Holm). Of the recalibrations whose gain has an interval above 0, for the "
        "three ways tried together, the simplest within a standard error of the best is advised."
        f"{_floor(trust)} {assume_independence(verdict)}"
    )
    if trust.finding == "no sign against them":
        claim = "can be trusted"
        said = _slope(trust) if _inside(trust) else f"their trace {_like(trust)}"
        text = f"Its probabilities {claim}, as far as this data can tell: {said}."
        if trust.accuracy == 1 and trust.confidence > _CERTAIN:
            text = (
                f"Its probabilities {claim}, as far as this data can tell: it was sure, and right."
            )
    elif min(trace, confidence) > trust.recalibration.alpha:  # only mending them tells
        claim = _WRONG[trust.finding]
        text = f"Its probabilities {claim}: {_remedy(trust)}, though their trace is as expected."
    else:
        claim = _WRONG[trust.finding]
        text = f"Its probabilities {claim}: {_said(trust)}; {_remedy(trust)}."
    return [Sentence(text=text, basis=basis, section="trust", emphasis=claim)]


def assume_independence(verdict: Verdict) -> str:
    """Say what tests over rows assume, and whether groups or time speak against it."""
    timed = "time" in verdict.plan_words
    return independence(bool(verdict.dataset.get("groups")), timed=timed)


def _said(trust: Trust) -> str:
    """Say what carries the claim: confidence against accuracy, or the trace where these agree."""
    if trust.finding in ("too sure", "too cautious"):
        return (
            f"it is {100 * trust.confidence:.1f} % sure on average and right in "
            f"{100 * trust.accuracy:.1f} % of cases"
        )
    return f"their trace {_like(trust)}" if _inside(trust) else _slope(trust)


def _inside(trust: Trust) -> bool:
    """Whether the slope of the trace is as expected; then only its shape can speak against it."""
    band = _band(trust)
    return band["lower"] <= band["observed"] <= band["upper"]


def _like(trust: Trust) -> str:
    trace, _ = trust.adjusted_pvalues
    alike = trace > trust.recalibration.alpha
    return f"is {'like' if alike else 'unlike'} that of true ones ({pvalue(trace)})"


def _band(trust: Trust) -> dict[str, float]:
    """Return the slope of the trace, and the ends of the band of true probabilities."""
    band = trust.null.to_frame().set_index("statistic").loc["slope"]
    return {name: float(band[name]) for name in ("observed", "lower", "upper")}


def _slope(trust: Trust) -> str:
    """Say the slope of the trace, to as many digits as its band needs, or as its ends do."""
    band = _band(trust)
    width = band["upper"] - band["lower"]
    digits = 2 if width >= 0.02 else 3 if width >= 0.002 else 4
    slope, low, high = (fixed(one, digits) for one in band.values())
    if slope in (low, high):
        slope, low, high = (fixed(one, digits + 1) for one in band.values())
    return (
        f"slope {slope}, where {low} to {high} is expected of true ones "
        f"({100 * trust.null.level:.0f} %)"
    )


def _remedy(trust: Trust) -> str:
    mend = trust.recalibration
    if mend.chosen == "none":
        return "no recalibration is shown to mend them"
    after = mend.log_loss[mend.methods.index(mend.chosen)]
    fall = from_to(mend.log_loss_before, float(after))
    return f"{mend.chosen} recalibration mends them (log loss {fall})"


def _floor(trust: Trust) -> str:
    """Say what the log losses of the remedy count a zero as, where they are said."""
    if trust.recalibration.chosen == "none":
        return ""
    return (
        " For its log losses probabilities below one in a million, zeros above all, are taken as "
        "that."
    )


def say_combining(verdict: Verdict) -> list[Sentence]:
    """Say whether a combination would rank better than the best candidate."""
    advice = verdict.combination
    if advice is None:
        return []
    if verdict.guesses:
        claim, text = _beyond_guessing(verdict, advice)
    elif advice.auc_over == 1:
        claim = "nothing to gain"
        text = f"Combining the candidates: {claim}, for {advice.over} ranks these rows faultlessly."
    else:
        claim, more = _worth_combining(advice)
        text = f"Combining the candidates, compared with {advice.over} alone: {claim}, "
        text += f"{_auc_gain(advice)}{more}.{_best_single(verdict, advice)}"
    basis = f"{_in_numbers(advice)} {_which_auc(verdict, advice)} {assume_independence(verdict)}"
    return [Sentence(text=text, basis=basis, section="combining", emphasis=claim)]


def _in_numbers(advice: CombinationAdvice) -> str:
    """Return the advice in its own words, the rows that would decide rounded as in the sentence."""
    text = minus(str(advice))
    if advice.conclusion != "undecided":
        return text
    exact, written = advice.samples_to_decide, rough(advice.samples_to_decide)
    return text.replace(f"About {exact} samples", f"About {written} rows in all")


def _which_auc(verdict: Verdict, advice: CombinationAdvice) -> str:
    """Say what the AUC of combining is, and how it differs from that of the criterion."""
    several = len(verdict.confusion.classes) > 2
    own = "AUC: rows are ranked within their folds"
    if several:
        own = (
            "AUC: rows of each two classes are ranked within their folds by the odds between these "
            "two, and the pairs averaged"
        )
    if verdict.criterion.name != "auc":
        return f"{own}."
    by = "by the probability of one class (Hand and Till 2001), " if several else ""
    loss = verdict.candidate(advice.over).loss
    return (
        f"{own}; the AUC that the candidates were compared by ({1.0 - loss:.3f} for {advice.over}) "
        f"is another: {by}the mean over folds, not over rows."
    )


def _auc_gain(advice: CombinationAdvice) -> str:
    low, high = advice.interval
    value, inside = measured(
        advice.difference, low, high, _ERROR, clear_of=(-NEGLIGIBLE, 0.0, NEGLIGIBLE)
    )
    plus = "+" if value.strip("0.") and not value.startswith("−") else ""
    return f"{plus}{value} points of AUC ({100 * advice.level:.0f} % interval {inside})"


def _best_single(verdict: Verdict, advice: CombinationAdvice) -> str:
    """Name the candidate that ranks best alone, where it is not the one to use."""
    top = int(advice.aucs.argmax())
    if round(float(advice.aucs[top]), 3) <= round(advice.auc_over, 3):  # as they are written
        return ""
    labels = ", labels only," if verdict.trust.hard else ""
    return (
        f" Of the single ones {advice.names[top]} ranks best (AUC {advice.aucs[top]:.3f}; "
        f"{advice.over}{labels} {advice.auc_over:.3f})."
    )


def _beyond_guessing(verdict: Verdict, advice: CombinationAdvice) -> tuple[str, str]:
    """Say whether all together tell the classes apart, where nobody has fewer errors."""
    low, high = (advice.auc_over + end for end in advice.interval)
    numbers = f"AUC {advice.auc:.2f}, {100 * advice.level:.0f} % interval {low:.2f} to {high:.2f}"
    if advice.conclusion == "helps":
        claim = "the features do tell the classes apart"
        text = (
            f"Yet {claim}: combined, the candidates rank better than chance ({numbers}; guessing "
            f"{advice.auc_over:.2f})."
        )
        if verdict.criterion.name == "error":
            text += " If not all errors weigh the same, judge by --loss auc, log-loss or costs."
        return claim, text
    claim = "not shown to beat guessing either"
    return (
        claim,
        f"Combined, the candidates are {claim} ({numbers}; guessing {advice.auc_over:.2f}).",
    )


def _worth_combining(advice: CombinationAdvice) -> tuple[str, str]:
    """Return the claim, and what is to be added to the numbers."""
    low, high = advice.interval
    helps = threshold(NEGLIGIBLE)
    if advice.conclusion == "helps" and low >= NEGLIGIBLE:
        return "a gain", f", shown to be at least {helps}"
    if advice.conclusion == "undecided":
        rows = rough(advice.samples_to_decide)
        needed = f"about {rows} rows in all would decide whether it gains {helps}"
        return "the data cannot tell", f"; {needed}"
    if advice.conclusion == "harms":
        return "a loss", f", shown to be at least {helps}" if high <= -NEGLIGIBLE else ""
    return {
        "helps": ("a gain", f", though perhaps of less than {helps}"),
        "helps little": ("a real but small gain", f", less than {helps}"),
        "makes no difference": ("no gain that matters", f", less than {helps} either way"),
        "does not help": ("no gain that matters", f", less than {helps} at best"),
    }[advice.conclusion]


def say_confusion(verdict: Verdict) -> list[Sentence]:
    """Say which classes are taken for which."""
    worst = verdict.confusion.worst
    if not worst or verdict.guesses:
        return []
    words = [
        f"{quoted(pair.truth)} for {quoted(pair.predicted)} ({_percent(pair.share)} of "
        f"{quoted(pair.truth)})"
        for pair in worst[:2]
    ]
    text = f"It errs most by taking {join(words)}."
    made = "Out-of-fold predictions"
    if verdict.decides_by_cost:
        text = f"Deciding by least expected cost, it errs most by taking {join(words)}."
        made += ", each the label of least expected cost by its probabilities as they come"
    basis = (
        f"{made}, means over repetitions: {verdict.confusion} No test: the order of close pairs "
        "may change with other rows."
    )
    return [Sentence(text=text, basis=basis, section="errors")]


def _percent(share: float) -> str:
    return "less than 1 %" if share < 0.005 else f"{fixed(100 * share, 0)} %"
