"""A verdict in words: each sentence names the test, the numbers and the assumption behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polychotomy.comparison import MarginOrdering, Ordering, plan_comparison
from polychotomy.validation import Trust

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict


def say_verdict(verdict: Verdict) -> tuple[str, ...]:
    """Return the sentences of a verdict, the conclusion first."""
    sentences = [
        say_headline(verdict),
        _say_error(verdict),
        *_say_choice(verdict),
        _say_trust(verdict.trust),
        *([] if verdict.combination is None else [str(verdict.combination)]),
        *_say_frequency(verdict),
        *_say_failures(verdict),
    ]
    return tuple(sentences)


def say_headline(verdict: Verdict) -> str:
    """Say what to use; a candidate that only guesses is no answer."""
    if verdict.guesses:
        return f"Nothing is shown to beat guessing ({verdict.best})."
    return f"Use {verdict.best}."


def _say_choice(verdict: Verdict) -> list[str]:
    ordering = verdict.ordering
    if isinstance(ordering, MarginOrdering):
        return [_say_margin(ordering)]
    return [*_say_why(ordering), *_say_open(ordering, verdict.dataset["rows"])]


def _say_margin(ordering: MarginOrdering) -> str:
    """Why this one, by the rule with a margin."""
    means, best = ordering.mean_errors, ordering.best
    lowest = int(np.argmin(means))
    points = f"{100 * ordering.margin:g} point{'s' if ordering.margin != 0.01 else ''}"
    sentence = (
        f"It is the most preferred candidate whose mean error is within {points} of every less "
        "preferred one's (of all rules tried in the truth lab, see the documentation, the one with "
        "the simplest picks among those that cost next to nothing)"
    )
    if lowest == best:
        return f"{sentence}; no other has a lower mean."
    lead = 100 * (means[best] - means[lowest])
    return f"{sentence}; the lowest mean, {lead:.1f} points lower, is {ordering.names[lowest]}'s."


def percent(share: float) -> str:
    """Write an error rate in percent, as far as folds can bear.

    Examples
    --------
    >>> percent(0.02345)
    '2.3 %'
    """
    return f"{100 * share:.1f} %"


def pvalue(p: float) -> str:
    """Write a p-value.

    Examples
    --------
    >>> pvalue(0.0312), pvalue(0.000012)
    ('p = 0.031', 'p < 0.0001')
    """
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}"


def join(words: list[str]) -> str:
    """Join words with commas and a last "and".

    Examples
    --------
    >>> join(["a", "b", "c"])
    'a, b and c'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _say_error(verdict: Verdict) -> str:
    best = verdict.candidate(verdict.best)
    plan = verdict.plan
    folds = plan["runs"] * plan["repetitions"] * plan["folds"]
    return (
        f"Its error is {percent(best.error)}, the mean over {folds} folds of "
        f"{plan['repetitions']}×{plan['folds']} cross-validation (standard deviation "
        f"{percent(best.sd)}); fits see {_training_share(plan['folds'])} of the rows, so a fit on "
        "all of them may err a little less."
    )


def _training_share(folds: int) -> str:
    return "half" if folds == 2 else percent((folds - 1) / folds)


def _say_why(ordering: Ordering) -> list[str]:
    """Why nothing simpler was taken, and nothing more complex."""
    best, names = ordering.best, ordering.names
    level = np.broadcast_to(np.asarray(ordering.level), ordering.edges.shape)
    sentences = []
    simpler = []
    for i in range(best):
        rivals = np.flatnonzero(ordering.edges[i])
        strongest = rivals[np.argmin(ordering.pvalues[i, rivals])]
        simpler.append(
            f"{names[i]} ({pvalue(ordering.pvalues[i, strongest])} against {names[strongest]})"
        )
    if simpler:
        pairs = len(names) * (len(names) - 1) // 2
        sentences.append(
            f"Whatever is preferred to it is shown to be worse than another: {join(simpler)}, by "
            f"the one-sided {ordering.test}, each held to level {level[0, -1]:.3g} "
            f"({ordering.alpha:g} shared out over {pairs} pairs)."
        )
    complex_ = range(best + 1, len(names))
    if complex_:
        smallest = min(ordering.pvalues[best, j] for j in complex_)
        sentences.append(
            f"No less preferred one is shown to be better ({len(complex_)} tried, smallest "
            f"{pvalue(smallest)})."
        )
    return sentences


def _say_open(ordering: Ordering, rows: int) -> list[str]:
    """Say where the data cannot tell: a lower mean that the test does not show."""
    best, means = ordering.best, ordering.mean_errors
    rival = int(np.argmin(means))
    if means[rival] >= means[best]:
        return []
    kept, lower = ordering.names[best], ordering.names[rival]
    return [
        f"The data cannot tell {kept} from {lower}, whose mean error is "
        f"{100 * (means[best] - means[rival]):.1f} points lower{_say_more(ordering, rival, rows)}. "
        f"The paper's rule then keeps the preferred one. Without a reason of your own to prefer "
        f"{kept}, ask by the rule “margin”, which was measured to choose better on little data."
    ]


def _say_more(ordering: Ordering, rival: int, rows: int) -> str:
    """How much more data would decide, if the difference seen is the true one."""
    plan = plan_comparison(
        ordering.errors[ordering.best], ordering.errors[rival], alternative="greater"
    )
    more = rows * (plan.data_factor - 1)
    if not 0 < more < np.inf:
        return ""
    return (
        f"; if that is the true difference, about {_round_up(more)} more rows would show it "
        f"(corrected t test at level {plan.alpha:g}, power {plan.power:g})"
    )


def _round_up(number: float) -> str:
    """Write a count to two digits: it is a guess.

    Examples
    --------
    >>> _round_up(1234.5)
    '1300'
    """
    unit = 10 ** max(int(np.floor(np.log10(number))) - 1, 0)
    return str(int(np.ceil(number / unit) * unit))


def _say_trust(trust: Trust) -> str:
    """Say whether the probabilities can be trusted, and what mends them."""
    if trust.hard:
        return "It gives labels only: there are no probabilities to trust."
    band = trust.null.to_frame().set_index("statistic").loc["slope"]
    evidence = (
        f"the slope of their trace is {band['observed']:.3f}, where {band['lower']:.3f} to "
        f"{band['upper']:.3f} is expected of true ones ({pvalue(trust.null.pvalue)})"
    )
    if trust.finding == "no sign against them":
        return f"Nothing speaks against its probabilities: {evidence}."
    mend = trust.recalibration
    if mend.chosen == "none":
        remedy = "no recalibration is shown to mend them"
    else:
        after = mend.log_loss[mend.methods.index(mend.chosen)]
        remedy = (
            f"{mend.chosen} recalibration takes their log loss from {mend.log_loss_before:.3f} to "
            f"{after:.3f}"
        )
    return f"Its probabilities are {trust.finding}: {evidence}; {remedy}."


def _say_frequency(verdict: Verdict) -> list[str]:
    runs = verdict.plan["runs"]
    if runs == 1 or isinstance(verdict.ordering, MarginOrdering):
        return []
    top = verdict.frequencies[0]
    return [
        f"This order was found in {top.runs} of {runs} runs, more often than any other "
        f"({len(verdict.frequencies)} different orders in all)."
    ]


def _say_failures(verdict: Verdict) -> list[str]:
    failed = [c for c in verdict.candidates if c.n_failed]
    if not failed:
        return []
    causes = {failure.candidate: failure.cause for failure in reversed(verdict.failures)}
    names = "; ".join(
        f"{c.name} ({c.n_failed} {'fit' if c.n_failed == 1 else 'fits'}, "
        f"{causes[c.name].splitlines()[0][:160]})"
        for c in failed
    )
    return [f"Left out of the comparison because fits failed: {names}."]
