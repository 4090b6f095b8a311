"""Can the probabilities be trusted, and where does it err? In words."""

from __future__ import annotations

import numpy as np

from polychotomy.core.numbers import (
    amount,
    few,
    fixed,
    from_to,
    join,
    percent,
    pvalue,
    quoted,
    span,
)
from polychotomy.validation import Trust
from polychotomy.verdict import Sentence, Verdict

_SHORT = 24  # characters of a class label that is shown whole

_LABEL = 16  # characters that are shown of a longer one

_SOME = 5  # rows of a class that are too many to be missed by chance

_FOUND = 0.1  # of the rows of a class: up to that nearly all are missed

_CERTAIN = 0.9995  # mean probability of the predicted class: 100.0 %

WRONG = {
    "too sure": "are too sure of themselves",
    "too cautious": "are too cautious",
    "uneven": "are right on average only",
}


def say_trust(verdict: Verdict) -> list[Sentence]:
    """Say whether the probabilities can be trusted, and what improves them."""
    trust = verdict.trust
    if verdict.guesses or verdict.contradicts:  # of a contradiction the first sentences tell
        return []
    if trust.hard:
        return [_say_no_probabilities(verdict)]
    trace, confidence = trust.adjusted_pvalues
    basis = (
        "Trace of the out-of-fold probabilities (Mills 2024 §4) against its distribution under "
        f"true ones: {pvalue(trace)}. Mean confidence {trust.confidence:.3f}, accuracy "
        f"{trust.accuracy:.3f} ({pvalue(confidence)}). Both p-values are corrected for two "
        f"questions asked (Holm).{_FLOOR * (trust.recalibration.chosen != 'none')} "
        f"{assume_independence(verdict)}"
    )
    claim = WRONG.get(trust.finding, "can be trusted")
    if trust.finding not in WRONG:
        said = "it was sure, and right"
        if trust.accuracy < 1 or trust.confidence <= _CERTAIN:
            said = _trace(trust, like=True)
            claim += f" to within {100 * trust.resolution:.1f} points on average"
        claimed = f"{claim}, as far as this data can tell"
    elif min(trace, confidence) > trust.recalibration.alpha:  # only recalibrating them tells
        claimed, said = claim, f"{_remedy(trust)}, though their trace is as expected"
    else:
        claimed, said = claim, f"{_said(trust)}; {_remedy(trust)}"
    text = f"Its probabilities {claimed}: {said}."
    return [Sentence(text=text, basis=basis, section="trust", emphasis=claim)]


_FLOOR = (
    " For its log losses probabilities below one in a million, zeros above all, are taken as that. "
    "Where the truth is known, the recalibration advised lowered the log loss in nine of ten cases."
)


def _say_no_probabilities(verdict: Verdict) -> Sentence:
    text = "It gives labels only: there are no probabilities to trust."
    basis = "Its predictions came as labels, or as probabilities of 0 and 1 alone."
    if not verdict.knows_labels:
        what = "Scores" if verdict.criterion.name == "score" else "Right and wrong"
        text = f"{what} came without probabilities: there are none to trust."
        basis = "The table has that of each answer, and nothing else of it."
    elif not verdict.provenance.get("imported"):
        text += " Inside polychotomy's CodedClassifier it would give some."
        basis = "The candidate has no predict_proba."
    return Sentence(text=text, basis=basis, section="trust")


def say_contradictions(verdict: Verdict) -> list[Sentence]:
    """Warn of candidates whose labels are not the classes that they call most probable."""
    said = []
    for one in verdict.contradictions:
        claim = f"{one.name} contradicts itself"
        share, error, most = map(percent, (one.share, one.error, one.argmax_error))
        text = (
            f"{claim}: in {share} of cases it predicts another class than the one it calls most "
            f"probable. Its labels err in {error} of cases, its most probable classes in {most}. "
            "Only its labels are used here."
        )
        basis = (
            "predict against the largest of predict_proba, out of fold, ties left out (exact "
            f"McNemar test over rows that the two err equally often: {pvalue(one.pvalue)}; "
            f"{assume_independence(verdict)[:-1].lower()}). Often the columns of predict_proba are "
            "not in the order of classes_."
        )
        said.append(Sentence(text=text, basis=basis, section="trust", emphasis=claim))
    return said


def assume_independence(verdict: Verdict) -> str:
    """Say what tests over rows assume, and whether groups or time speak against it."""
    beyond = ""
    if verdict.dataset.get("groups"):
        beyond = ", which those of one group are not, so that less is certain than it seems"
    elif verdict.in_time:
        beyond = ", which rows close in time may not be: then intervals are too narrow"
    return f"Assumed: rows are independent of each other{beyond}."


def _said(trust: Trust) -> str:
    """Say what carries the claim: confidence against accuracy, or the trace where these agree."""
    if trust.finding == "uneven":
        return _trace(trust, like=False)
    sure, right = percent(trust.confidence), percent(trust.accuracy)
    return f"it is {sure} sure on average and right in {right} of cases"


def _trace(trust: Trust, *, like: bool) -> str:
    """Say the slope of the trace if it is as is said of the whole, else what its shape is like.

    The slope has as many digits as the band of true probabilities needs, or as its ends do.
    """
    band = trust.null.to_frame().set_index("statistic").loc["slope"]
    slope, low, high = (float(band[name]) for name in ("observed", "lower", "upper"))
    if (low <= slope <= high) != like:
        pvalue_of_trace, _ = trust.adjusted_pvalues
        alike = pvalue_of_trace > trust.recalibration.alpha
        words = f"{'like' if alike else 'unlike'} that of true ones"
        return f"their trace is {words} ({pvalue(pvalue_of_trace)})"
    digits = 2 if high - low >= 0.02 else 3 if high - low >= 0.002 else 4
    while digits < 6 and fixed(slope, digits) in (fixed(low, digits), fixed(high, digits)):
        digits += 1
    written, *ends = (fixed(one, digits) for one in (slope, low, high))
    return (
        f"slope {written}, where {' to '.join(ends)} is expected of true ones "
        f"({100 * trust.null.level:.0f} %)"
    )


def _remedy(trust: Trust) -> str:
    found = trust.recalibration
    if found.chosen == "none":
        return "no recalibration is shown to correct them"
    after = found.log_loss[found.methods.index(found.chosen)]
    fall = from_to(found.log_loss_before, float(after))
    return f"{found.chosen} recalibration improves them (log loss {fall})"


def say_by(verdict: Verdict) -> list[Sentence]:
    """Say for whom it errs: in the groups asked for, and where in the columns that is shown."""
    found, by, weak = [], verdict.by, verdict.weak
    if by is not None:
        test, what = ("Fisher's exact", "rows") if by.exact else ("t", "clusters of rows")
        basis = (
            f"Shares of wrong labels, means over repetitions; {test} test of each group against "
            f"all other rows, for {len(by.names)} groups (Holm). Assumed: {what} are independent."
        )
        found.append(Sentence(text=str(by), basis=basis, section="errors"))
    if weak is not None:
        basis = (
            f"The slice, by one or two columns, in which the error is highest for its size, of "
            f"{weak.searched} of 5 to 50 % of the rows each. So high is the highest of all in "
            f"{percent(weak.pvalue)} of 200 tables whose errors are dealt at random; for having "
            "been searched for it is rather too high."
        )
        found.append(Sentence(text=str(weak), basis=basis, section="errors"))
    return found


def say_sets(verdict: Verdict) -> list[Sentence]:
    """Say what is gained by leaving cases to a human, and how large sets of classes must be."""
    sets = verdict.sets
    if sets is None or verdict.guesses or verdict.contradicts or not sets.errors[0]:
        return []
    if verdict.decides_by_cost:  # these are errors of the most probable class
        return []
    claim = f"{percent(sets.errors[2])} of the others are wrong"
    own = 1 - verdict.confusion.counts.trace() / verdict.confusion.counts.sum()
    again = ", by the most probable class" * bool(abs(sets.errors[0] - own) > 1e-9)
    again = again if verdict.trust.recalibration.chosen == "none" else ", recalibrated"
    text = (
        f"Leaving the 10 % of cases that it is least sure of to a human, {claim} (of all "
        f"{percent(sets.errors[0])}{again}). Sets that hold the true class in "
        f"{100 * sets.coverage:g} % of cases have {sets.mean_size:.2f} classes on average, one "
        f"alone in {percent(sets.sizes[0])}."
    )
    if always := np.sum(sets.thresholds[round(100 * sets.coverage) - 1] == 0):
        text += f" In every set, being rare or often ruled out: {always} of the classes."
    basis = (
        "By the highest probability, recalibrated where that is advised. Sets: conformal, each "
        f"class by itself, thresholds of other folds; {percent(float(np.nanmin(sets.covered)))} of "
        "the class held least often. predict --coverage writes them."
    )
    return [Sentence(text=text, basis=basis, section="errors", emphasis=claim)]


def say_confusion(verdict: Verdict) -> list[Sentence]:
    """Say which classes are taken for which."""
    worst = verdict.confusion.worst
    if not worst or verdict.guesses or not verdict.knows_labels:
        return []
    pair, lost = worst[0], [name for name, _, found in missed(verdict) if not found]
    never = f"; it never finds {join(few(lost, 2))}" if lost else ""
    share = "less than 1 %" if pair.share < 0.005 else f"{fixed(100 * pair.share, 0)} %"
    both = (pair.truth, pair.predicted)
    truth, predicted = (quoted(one, _cut(one)) for one in both)
    if truth == predicted:  # alike to where they were cut
        truth, predicted = (quoted(f"…{one[1 - _LABEL :]}", _LABEL) for one in both)
    of_these = f" of {truth}" * (_cut(pair.truth) > _LABEL)
    claim, made, how = "Worst confusion", "Out-of-fold predictions", ""
    if verdict.decides_by_cost:
        how = " by least expected cost"
        made += ", each the label of least expected cost by its probabilities as they come"
    taken = f"{truth} taken for {predicted} ({share}{of_these})"
    text = f"{claim}{how}: {taken}{never}."
    basis = (
        f"{made}, means over repetitions: {verdict.confusion} The worst first, by the lower end of "
        "the 95 % interval of the share (Wilson). No test: the order of close pairs may change "
        "with other rows."
    )
    return [Sentence(text=text, basis=basis, section="errors", emphasis=claim)]


def _cut(label: str) -> int:
    """Return how many characters of a label are shown: all, or few."""
    return _SHORT if len(label) <= _SHORT else _LABEL


def missed(verdict: Verdict) -> list[tuple[str, int, float]]:
    """Quote classes of which all or nearly all of some rows are missed; their rows, those found."""
    counts, classes = verdict.confusion.counts, verdict.confusion.classes
    rows, found = counts.sum(axis=1).round(), counts.diagonal()
    lost = np.flatnonzero((found <= _FOUND * rows) & (rows >= _SOME))
    return [(quoted(classes[c], _cut(classes[c])), int(rows[c]), float(found[c])) for c in lost]


def say_decisions(verdict: Verdict) -> list[Sentence]:
    """Say by which weights of the classes its labels do better, where that is shown."""
    found, criterion = verdict.decisions, verdict.criterion
    if found is None:
        return []
    weighed = zip(verdict.confusion.classes, found.weights, strict=True)
    words = [f"{quoted(name)} × {weight:.2g}" for name, weight in weighed]
    listed = join(few(words, 6))
    claim = f"from {amount(found.before, criterion)} to {amount(found.after, criterion)}"
    text = (
        f"Deciding by weighed probabilities ({listed}) in place of its own labels takes its "
        f"{criterion.words} {claim} ({100 * found.level:.0f} % interval of the gain "
        f"{span(found.low, found.high, criterion)}); a model made of it decides so."
    )
    basis = (
        "The label is the class whose weight times probability is largest. The weights for each "
        "fold were tuned on the others, those given on all rows; paired t test over rows, first "
        "repetition."
    )
    return [Sentence(text=text, basis=basis, section="errors", emphasis=claim)]
