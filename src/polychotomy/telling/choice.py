"""Which one to use, why, and what error to expect, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from polychotomy.comparison import MarginOrdering, Ordering, SelectedError, corrected_t_test
from polychotomy.core.numbers import (
    RULE_OF_THREE,
    TINY,
    amount,
    few,
    fixed,
    gap,
    gap_beside,
    join,
    mean_words,
    measured,
    percent,
    pvalue,
)
from polychotomy.verdict import Sentence, Verdict


def say_drift(verdict: Verdict) -> str:
    """Say that the best one's error grows through time; nothing where it is not shown to."""
    found = verdict.drift
    if found is None:
        return ""
    return (
        f"Its error grows through time: {percent(found.first)} in the first fold, "
        f"{percent(found.last)} in the last ({pvalue(found.pvalue)}); expect the last rather than "
        "the mean."
    )


def explain_drift(verdict: Verdict) -> str:
    """Say what is assumed of new rows, and by what test a growth is shown."""
    assumed = "Assumed: new rows come from where these did"
    if not verdict.in_time:
        return f"{assumed}."
    assumed += "; the interval holds for rows like these, and not for a drift through time."
    if verdict.drift is None:
        return assumed
    return (
        f"{assumed} The growth: test of Cochran and Armitage for a trend over folds in order of "
        "time, two-sided, which takes rows to be independent."
    )


def call(verdict: Verdict, name: str) -> str:
    """Call a candidate by its name, and one that ignores the features what it does."""
    if name not in verdict.baselines:
        return name
    alone = len(verdict.baselines) == 1
    return "guessing" if alone else f"guessing ({name})"


_NEW_ROWS = "Assumed: new rows come from where these did."

_STEADY = 0.5  # share of other tables on which the same candidate is chosen

_NOTICED = 0.01  # of the margin: below, nobody is called better


def say_headline(verdict: Verdict) -> list[Sentence]:
    """Say what to use; a candidate that only guesses is no answer."""
    text = f"Use {verdict.best}{if_known(verdict.leaks)}."
    if verdict.guesses:
        pairs = verdict.differences
        shown = "worse" in pairs.answers[pairs.names.index(verdict.best)]
        text = "Nothing is shown to beat guessing."
        if shown and verdict.rule == "margin":  # somebody does, by less than the margin
            text = f"Nothing beats guessing by {gap(pairs.margin, verdict.criterion)}."
    elif verdict.unbeaten_guess is not None:
        text = f"Nothing is shown to beat guessing; if anything, use {verdict.best}."
    return [Sentence(text=text, basis=_describe_rule(verdict), section="which", emphasis=text[:-1])]


def if_known(leaks: tuple[str, ...]) -> str:
    """Say on what the choice depends: that a column like the target is known in time."""
    if not leaks:
        return ""
    known = "is known" if len(leaks) == 1 else "are known"
    return f", if {join(few([repr(name) for name in leaks]))} {known} when you predict"


def say_warnings(verdict: Verdict) -> list[Sentence]:
    """Say what in the table may make all that follows misleading."""
    basis = "Found in the table before anything was fitted."
    return [
        Sentence(text=f"Warning: {note}.", basis=basis, section="which", emphasis="Warning")
        for note in verdict.warnings
    ]


def _describe_rule(verdict: Verdict) -> str:
    ordering = verdict.ordering
    order = f"Order of preference: {', '.join(ordering.names)}."
    if isinstance(ordering, MarginOrdering):
        return (
            "The most preferred candidate whose mean is within the margin of every less preferred "
            f"one's ({gap(ordering.margin, verdict.criterion)}): MultiTest with a margin, which "
            f"compares the means over {verdict.folds_words} as they stand; where no margin was "
            "asked for, one that is shown to be worse gives way all the same. A best guess, "
            "not a proof: of all rules tried on small samples of large tables, whose other rows "
            "show the true error (see the documentation), the one with the simplest picks among "
            f"those that cost next to nothing. Assumed: new rows come from where these did. {order}"
        )
    return (
        "The most preferred candidate that is not shown to be worse than another: MultiTest "
        f"(Yildiz and Alpaydin 2006), by the one-sided {ordering.test}, together at level "
        f"{ordering.alpha:g} (Bonferroni). Assumed: {ordering.assumption}. {order}"
    )


def say_error(verdict: Verdict) -> list[Sentence]:
    """Say what error to expect, corrected for the choice; a guess was not chosen for its error."""
    selected = verdict.selected
    if selected is None:
        return [_say_plain(verdict)]
    if verdict.criterion.name == "error" and selected.expected == 0:
        return [_say_no_error(verdict, selected)]
    criterion = verdict.criterion
    high = max(selected.high, selected.expected)
    if verdict.is_lossless:
        return [_say_tiny(verdict)]
    low, high = sorted((criterion.sign * selected.low, criterion.sign * high))
    value, *ends = measured(criterion.sign * selected.expected, low, high, criterion)
    expected = f"{value} %" if criterion.is_rate else value
    article = "an" if criterion.words[0] in "aeiou" else "a"
    text = (
        f"Expect {article} {criterion.words} of {expected} ({100 * selected.level:.0f} % interval "
        f"{' to '.join(ends)}){_against_guessing(verdict)}."
    )
    basis = (
        f"{_plain_mean(verdict)} {_how_corrected(verdict, selected)} {_sees(verdict)} "
        f"{explain_drift(verdict)}"
    )
    return [Sentence(text=text, basis=basis, section="which", emphasis=expected)]


def guessing_loss(verdict: Verdict) -> float | None:
    """Return the lowest mean loss of those that guess; None where it is not known, or the answer.

    Without such a candidate it is the error of naming the most frequent class.
    """
    if verdict.guesses:
        return None
    losses = [verdict.candidate(name).loss for name in verdict.baselines]
    losses = [loss for loss in losses if np.isfinite(loss)]
    if not losses and verdict.criterion.name == "error" and verdict.guessing is not None:
        losses = [verdict.guessing.error]
    return min(losses, default=None)


def _against_guessing(verdict: Verdict) -> str:
    loss, criterion = guessing_loss(verdict), verdict.criterion
    if loss is None:
        return ", by guessing" if verdict.guesses else ""
    area = criterion.name == "auc"
    return f"; guessing has {fixed(1.0 - loss, 3) if area else amount(loss, criterion)}"


def say_seen(verdict: Verdict) -> list[Sentence]:
    """Say what was seen where another number is to be expected, and how steady the choice is."""
    selected, criterion = verdict.selected, verdict.criterion
    said, how = [], []
    scored = criterion.name == "score"  # of which 0 is no special value
    if selected is not None and (scored or selected.expected > 0) and not verdict.is_lossless:
        if not verdict.guesses and len(verdict.ordering.names) > 1:
            seen = amount(verdict.candidate(verdict.best).loss, criterion)
            said.append(
                f"As seen its {criterion.words} was {seen}; what is to be expected is corrected "
                "for its having been chosen."
            )
        said += [_unsteady(selected), _say_luck(verdict, selected)]
        how.append(_how_corrected(verdict, selected))
    said += [_labels(verdict), say_drift(verdict)]
    text = " ".join(part for part in said if part)
    basis = " ".join([_plain_mean(verdict), *how, explain_drift(verdict)])
    return [Sentence(text=text, basis=basis, section="which")] if text else []


def _how_corrected(verdict: Verdict, selected: SelectedError) -> str:
    """Say where the interval comes from, and the correction where there was a choice."""
    drawn = f"{selected.n_replicates} bootstrap replicates{of_the_run(verdict)}"
    if verdict.guesses or len(selected.names) == 1:
        why = "There was nothing to choose"
        if verdict.guesses:
            why = "It is not for its loss that guessing is left"
        return f"{_where_from(verdict, selected)} {why}, so that nothing is corrected."
    truth = "Where the truth is known that was rather too much, by a point with a hundred rows. "
    return (
        f"Choosing flatters what is chosen: corrected by what the candidates chosen in {drawn} "
        "lose more on all rows than on those drawn, scaled up for the replicates' own noise, and "
        f"never {'above' if verdict.criterion.higher_better else 'below'} what was seen. "
        f"{truth * (verdict.criterion.name == 'error')}{_where_from(verdict, selected)}"
    )


def _where_from(verdict: Verdict, selected: SelectedError) -> str:
    kind = "Wilson's, by" if verdict.criterion.name == "error" else "by"
    fits = " and by what folds differ beyond it, from fit to fit" if selected.luck > 0 else ""
    return f"The {100 * selected.level:.0f} % interval is {kind} the chance of the rows{fits}."


def of_the_run(verdict: Verdict) -> str:
    """Say which of several runs of the paper's rule is meant: each has a choice of its own."""
    several = verdict.rule == "paper" and int(verdict.plan.get("runs", 1)) > 1
    return " of the first run that gave this order" if several else ""


def _unsteady(selected: SelectedError) -> str:
    """Say that the choice depends on the rows."""
    share = float(selected.shares[selected.best])
    if share >= _STEADY:
        return ""
    return (
        "The choice is unsteady, for on another table of the same kind the rule would take another "
        f"candidate in {100 * (1 - share):.0f} % of cases."
    )


def _say_luck(verdict: Verdict, selected: SelectedError) -> str:
    """Say that the error depends on which rows happened to be trained on."""
    if not selected.depends_on_luck:
        return ""
    return (
        "The error depends on the luck of the training sample: from fit to fit it varies by a "
        f"standard deviation of {gap(selected.luck, verdict.criterion)}."
    )


def _say_tiny(verdict: Verdict) -> Sentence:
    """Say a loss of about nothing, which a few rows with an error would change."""
    claim = f"less than {TINY:g}"
    text = f"Its {verdict.criterion.words} was {claim} on these rows."
    basis = (
        f"{_plain_mean(verdict)} No interval is given: rows without an error say little of what "
        f"one would cost. {_NEW_ROWS}"
    )
    return Sentence(text=text, basis=basis, section="which", emphasis=claim)


def _say_plain(verdict: Verdict) -> Sentence:
    """Say the loss as it was seen: the AUC, or folds too small to be drawn from again."""
    best, criterion = verdict.candidate(verdict.best), verdict.criterion
    words, value = criterion.words, amount(best.loss, criterion)
    spread = _fold_interval(verdict)
    if criterion.name == "auc":
        words, value = "AUC", f"{1.0 - best.loss:.3f}"
        spread = None if spread is None else (1.0 - spread[1], 1.0 - spread[0])
    inside, how = "", _which_auc(verdict) if criterion.name == "auc" else ""
    if spread is not None:
        inside = f" (95 % interval {fixed(spread[0], 3)} to {fixed(spread[1], 3)})"
        how += " Interval: corrected resampled t test over folds (Nadeau and Bengio 2003)."
    else:
        why = "the same in every fold, it shows nothing of its spread"
        if verdict.in_time:
            why = "folds in time order do not vary by chance alone"
        how += f" No interval is given: {why}."
    if len(verdict.ordering.names) > 1:
        how += " Not corrected for its having been chosen."
    text = f"Its mean {words.removeprefix('mean ')} is {value}{inside}{_against_guessing(verdict)}."
    basis = f"{_plain_mean(verdict)}{how} {_sees(verdict)} {_NEW_ROWS}"
    return Sentence(text=text, basis=basis, section="which", emphasis=value)


def _which_auc(verdict: Verdict) -> str:
    """Say what the criterion's AUC is, and that combining is judged by another."""
    several = len(verdict.confusion.classes) > 2
    how = " AUC: that of each fold"
    if several:
        how += (
            ", the mean over pairs of classes, ranked by the probability of one of the two (Hand "
            "and Till 2001)"
        )
    if verdict.combination is None:
        return f"{how}."
    other = "by the odds between the two, and averaged over rows" if several else "over rows"
    return f"{how}; combining is judged by another, {other}."


def _fold_interval(verdict: Verdict) -> tuple[float, float] | None:
    """Return the 95 % interval of the best's mean loss over folds; None where none can be had.

    It is that of the corrected resampled t test against 0. Folds in time order do not
    vary by chance alone, and losses that are the same in all folds say nothing of their spread.
    """
    losses = verdict.ordering.errors[verdict.ordering.best].ravel()
    if verdict.in_time or np.ptp(losses) == 0:
        return None
    ratio = max(1.0 / verdict.training_share - 1.0, 1e-9)  # of models as they are there is none
    test = corrected_t_test(losses, np.zeros(losses.size), test_train_ratio=ratio)
    low, high = test.confidence_interval(0.95)
    costs = verdict.criterion.costs
    least = 0.0 if costs is None else float(costs.min())  # of a cost that is a gain, below 0
    least = -np.inf if verdict.criterion.name == "score" else least
    most = 1.0 if verdict.criterion.is_rate else np.inf
    return max(float(low), least), min(float(high), most)


def _say_no_error(verdict: Verdict, selected: SelectedError) -> Sentence:
    """Say what no error at all means: not that there are none."""
    claim = f"less than {percent(selected.high)}"
    text = (
        f"It made no error on these {verdict.judged_rows} rows; on others expect {claim} "
        f"({100 * selected.level:.0f} % interval){_against_guessing(verdict)}."
    )
    basis = (
        f"{_plain_mean(verdict)} None seen does not mean that there are none: the upper end of "
        "Wilson's interval of a share, about 4 in as many independent rows; of Clopper and "
        f"Pearson's over the groups where rows are grouped. {_NEW_ROWS}"
    )
    return Sentence(text=text, basis=basis, section="which", emphasis=claim)


def _labels(verdict: Verdict) -> str:
    """Say the share of wrong labels where another loss is the criterion."""
    if verdict.criterion.name in ("error", "score"):
        return ""
    error = verdict.candidate(verdict.best).error
    if verdict.decides_by_cost:
        counts = verdict.confusion.counts
        error = float(1 - counts.trace() / counts.sum())
    if error == 0:
        rows = verdict.judged_rows
        few = f"{percent(min(RULE_OF_THREE / rows, 1.0))} may be (rule of three)"
        if verdict.dataset.get("groups"):
            few += ", or more, for rows of one group are alike"
        return f"None of its labels was wrong on these {rows} rows; of others up to {few}."
    which = ", those of least expected cost," if verdict.decides_by_cost else ""
    return f"Of its labels{which} {percent(error)} were wrong."


def _plain_mean(verdict: Verdict) -> str:
    best, criterion = verdict.candidate(verdict.best), verdict.criterion
    return (
        f"The plain {mean_words(criterion)} over {verdict.folds_words} "
        f"({verdict.plan_words}) is {amount(best.loss, criterion)}."
    )


def _sees(verdict: Verdict) -> str:
    if verdict.training_share == 1.0:  # that of predictions made elsewhere is not known
        return ""
    return (
        f"Fits see {100 * verdict.training_share:.0f} % of the rows, so one on all of them may do "
        "a little better."
    )


def say_choice(verdict: Verdict) -> list[Sentence]:
    """Say why nothing preferred to it was taken, and nothing less preferred."""
    if len(verdict.ordering.names) == 1:
        return []
    if isinstance(verdict.ordering, MarginOrdering):
        return [_say_margin(verdict, verdict.ordering)]
    return _say_paper(verdict, verdict.ordering)


class Degrees(NamedTuple):
    """The order of preference in words, and what a more and a less preferred candidate is.

    Examples
    --------
    >>> Degrees().of("more", "one"), _DEGREES["listed"].of("more", "one")
    ('simpler one', 'one listed earlier')
    """

    order: str = "simplest first"
    more: str = "simpler"
    less: str = "more complex"
    follows: bool = False  # the noun, and does not precede it

    def of(self, degree: Literal["more", "less"], noun: str) -> str:
        """Say it of a noun."""
        word = getattr(self, degree)
        return f"{noun} {word}" if self.follows else f"{word} {noun}"


_DEGREES = {
    "time": Degrees("fastest first", "faster", "slower"),
    "memory": Degrees("smallest first", "smaller", "larger"),
    "listed": Degrees("as listed", "listed earlier", "listed later", follows=True),
}


def degrees_of(verdict: Verdict) -> Degrees:
    """Say by what candidates are ordered: nobody knows who is simple of answers made elsewhere."""
    asked = verdict.provenance.get("question", {}).get("prefer", "listed")
    if asked == "listed" and not verdict.provenance.get("imported"):
        return Degrees()
    return _DEGREES[asked]


def _say_margin(verdict: Verdict, ordering: MarginOrdering) -> Sentence:
    criterion, names, means = verdict.criterion, ordering.names, ordering.mean_errors
    parts = [*_say_simpler(verdict, ordering), *_say_complex(verdict, ordering)]
    return Sentence(
        text=f"{'; '.join([parts[0][:1].upper() + parts[0][1:], *parts[1:]])}.",
        basis=f"{_describe_rule(verdict)} Means over the same folds, most preferred first: "
        + ", ".join(f"{name} {amount(x, criterion)}" for name, x in zip(names, means, strict=True))
        + ".",
        section="which",
    )


def _say_simpler(verdict: Verdict, ordering: MarginOrdering) -> list[str]:
    best, means = ordering.best, ordering.mean_errors
    if best == 0:
        return []
    nearest = int(np.argmin(means[:best]))
    if all(name in verdict.baselines for name in ordering.names[:best]):
        worse = gap(means[nearest] - means[best], verdict.criterion)
        return [f"{call(verdict, ordering.names[nearest])} is {worse} worse"]
    behind = means[nearest] - means[best:].min()
    off = gap_beside(behind, ordering.margin, verdict.criterion)
    within = gap(ordering.margin, verdict.criterion)
    # The default margin keeps nobody who is shown to be worse, however little.
    shown = " without being shown to be worse" if behind < ordering.margin else ""
    return [
        f"nothing {degrees_of(verdict).more} comes within {within} of the best{shown} "
        f"({call(verdict, ordering.names[nearest])} comes closest, {off} off)"
    ]


def _say_complex(verdict: Verdict, ordering: MarginOrdering) -> list[str]:
    best, means = ordering.best, ordering.mean_errors
    rest = _less_preferred(verdict, ordering.names, best)
    if not rest:
        return [] if best or len(ordering.names) == 1 else [_say_guessing(verdict, ordering)]
    lowest = min([best, *rest], key=means.__getitem__)
    others = "else" if verdict.guesses else degrees_of(verdict).less
    if means[best] - means[lowest] < _NOTICED * ordering.margin:
        return [f"nothing {others} does better"]
    lead = gap_beside(means[best] - means[lowest], ordering.margin, verdict.criterion)
    whom = f"nothing {others} does better than {ordering.names[lowest]}"
    return [f"{whom}, which is only {lead} better: less than the margin of "
            f"{gap(ordering.margin, verdict.criterion)}"]  # fmt: skip


def _less_preferred(verdict: Verdict, names: Sequence[str], best: int) -> list[int]:
    """Return who is less preferred than the best; one that guesses is not more complex."""
    rest = range(best + 1, len(names))
    return [i for i in rest if verdict.guesses or names[i] not in verdict.baselines]


def _say_guessing(verdict: Verdict, ordering: MarginOrdering) -> str:
    """Compare the most preferred candidate with those that guess, if there are no others."""
    lowest = 1 + int(np.argmin(ordering.mean_errors[1:]))
    off = float(ordering.mean_errors[lowest] - ordering.mean_errors[0])
    guessing = call(verdict, ordering.names[lowest])
    if off >= 0:
        return f"{guessing} is {gap(off, verdict.criterion)} worse"
    margin = gap(ordering.margin, verdict.criterion)
    return f"{guessing} is {gap(-off, verdict.criterion)} better, less than the margin of {margin}"


def _say_paper(verdict: Verdict, ordering: Ordering) -> list[Sentence]:
    best, names = ordering.best, ordering.names
    degrees = degrees_of(verdict)
    level = float(np.min(np.broadcast_to(np.asarray(ordering.level), ordering.edges.shape)[0, -1]))
    basis = (
        f"One-sided {ordering.test}{of_the_run(verdict)}, each held to level {level:.3g} "
        f"({ordering.alpha:g} shared out over {len(names) * (len(names) - 1) // 2} pairs). "
        f"Assumed: {ordering.assumption}."
    )
    said = []
    if best:
        shown = join([_shown_worse(verdict, ordering, i) for i in range(best)])
        every = degrees.of("more", "one")
        said.append(f"Every {every} is shown to be worse than another: {shown}.")
    rest = _less_preferred(verdict, names, best)
    if rest:
        smallest = pvalue(min(ordering.pvalues[best, j] for j in rest))
        said.append(
            f"No {degrees.of('less', 'one')} is shown to be better ({len(rest)} tried, smallest "
            f"{smallest}, held to {level:.2g})."
        )
    elif not best:
        smallest = pvalue(min(ordering.pvalues[0, 1:]))
        said.append(f"Guessing is not shown to be better ({smallest}, held to {level:.2g}).")
    return [Sentence(text=text, basis=basis, section="which") for text in said]


def _shown_worse(verdict: Verdict, ordering: Ordering, i: int) -> str:
    rivals = np.flatnonzero(ordering.edges[i])
    strongest = rivals[np.argmin(ordering.pvalues[i, rivals])]
    found = pvalue(ordering.pvalues[i, strongest])
    against = call(verdict, ordering.names[strongest])
    return f"{call(verdict, ordering.names[i])} ({found} against {against})"
