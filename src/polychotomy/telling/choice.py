"""Which one to use, why, what error to expect and which columns matter to it, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from polychotomy.comparison import MarginOrdering, Ordering, SelectedError, corrected_t_test
from polychotomy.core.numbers import (
    RULE_OF_THREE,
    TINY,
    amount,
    counted,
    few,
    fixed,
    gap,
    gap_beside,
    join,
    mean_words,
    measured,
    percent,
    pvalue,
    short,
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


_NEW_ROWS = "Assumed: new rows come from where these did"


def explain_drift(verdict: Verdict) -> str:
    """Say what is assumed of new rows, and by what test a growth is shown."""
    if not verdict.in_time:
        return f"{_NEW_ROWS}."
    assumed = f"{_NEW_ROWS}; the interval holds for rows like these, not for a drift through time."
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
    return "guessing" if len(verdict.baselines) == 1 else f"guessing ({name})"


LONGEST_NAME = 20  # characters of others on the first screen; tables and bases have all of it

_STEADY = 0.5  # share of other tables on which the same candidate is chosen

_NOTICED = 0.01  # of the margin: below, nobody is called better


def say_headline(verdict: Verdict) -> list[Sentence]:
    """Say what to use; a candidate that only guesses is no answer."""
    name = short(verdict.best, 30)
    text = f"Use {name}{if_known(verdict.leaks)}."
    if verdict.guesses:
        pairs = verdict.differences
        shown = "worse" in pairs.answers[pairs.names.index(verdict.best)]
        text = "Nothing is shown to beat guessing."
        if shown and verdict.rule == "margin":  # somebody does, by less than the margin
            text = f"Nothing beats guessing by {gap(pairs.margin, verdict.criterion)}."
    elif verdict.unbeaten_guess is not None:
        found, guess = verdict.selected, verdict.candidate(verdict.unbeaten_guess).loss
        own = "if anything, use" if found is None or found.expected < guess else "closest is"
        text = f"Nothing is shown to beat guessing; {own} {name}."
    return [Sentence(text=text, basis=_describe_rule(verdict), section="which", emphasis=text[:-1])]


def if_known(leaks: tuple[str, ...]) -> str:
    """Say on what the choice depends: that a column like the target is known in time."""
    if not leaks:
        return ""
    known = "is known" if len(leaks) == 1 else "are known"
    return (
        f", if {join(few([repr(short(name, 30)) for name in leaks], 2))} {known} when you predict"
    )


def _describe_rule(verdict: Verdict) -> str:
    ordering = verdict.ordering
    order = f"Order of preference: {', '.join(ordering.names)}."
    if isinstance(ordering, MarginOrdering):
        return (
            "MultiTest with a margin: the most preferred candidate whose mean is within the margin "
            f"({gap(ordering.margin, verdict.criterion)}) of every less preferred one's, over "
            f"{verdict.folds_words}; unless a margin was asked for, one that is shown to be worse "
            "gives way all the same. A best guess, not a proof, and of the rules tried the one "
            f"with the simplest picks at next to no cost. {_NEW_ROWS}. {order}"
        )
    return (
        "The most preferred candidate that is not shown to be worse than another: MultiTest "
        f"(Yildiz and Alpaydin 2006), by the one-sided {ordering.test}, together at level "
        f"{ordering.alpha:g} (Bonferroni). Assumed: {ordering.assumption}. {order}"
    )


def say_error(verdict: Verdict) -> list[Sentence]:
    """Say what error to expect, corrected for the choice; a guess was not chosen for its error."""
    selected, criterion = verdict.selected, verdict.criterion
    if selected is None:
        return [_say_plain(verdict)]
    level = f"{100 * selected.level:.0f} % interval"
    if criterion.name == "error" and selected.expected == 0:
        claim = f"less than {percent(selected.high)}"
        text = (
            f"It made no error on these {verdict.judged_rows} rows; on others expect {claim} "
            f"({level}){_against_guessing(verdict)}."
        )
        how = (
            "None seen does not mean none: the upper end of Wilson's interval, about 4 in as many "
            "independent rows; of Clopper and Pearson's over groups where rows have some. "
            f"{_NEW_ROWS}."
        )
    elif verdict.is_lossless:
        claim = f"less than {TINY:g}"
        text = f"Its {criterion.words} was {claim} on these rows."
        how = f"No interval: rows without an error do not say what one would cost. {_NEW_ROWS}."
    else:
        ends = selected.low, max(selected.high, selected.expected)
        low, high = sorted(criterion.sign * end for end in ends)
        value, *inside = measured(criterion.sign * selected.expected, low, high, criterion)
        claim = f"{value} %" if criterion.is_rate else value
        article = "an" if criterion.words[0] in "aeiou" else "a"
        text = (
            f"Expect {article} {criterion.words} of {claim} ({level} {' to '.join(inside)})"
            f"{_against_guessing(verdict)}."
        )
        how = f"{_how_corrected(verdict, selected)}{_sees(verdict)} {explain_drift(verdict)}"
    return [_on_the_mean(verdict, text, how, claim)]


def _on_the_mean(verdict: Verdict, text: str, how: str, claim: str = "") -> Sentence:
    """Return a sentence that rests on the plain mean, and on what is said of how."""
    best, criterion = verdict.candidate(verdict.best), verdict.criterion
    basis = (
        f"The plain {mean_words(criterion)} over {verdict.folds_words} "
        f"({verdict.plan_words}) is {amount(best.loss, criterion)}. {how}"
    )
    return Sentence(text=text, basis=basis, section="which", emphasis=claim)


def _against_guessing(verdict: Verdict) -> str:
    """Say the lowest mean loss of those that guess, if it is known and not the answer itself.

    Without such a candidate it is the error of naming the most frequent class.
    """
    criterion = verdict.criterion
    if verdict.guesses:
        return ", by guessing"
    losses = [verdict.candidate(name).loss for name in verdict.baselines]
    loss = min((one for one in losses if np.isfinite(one)), default=None)
    if loss is None and criterion.name == "error" and verdict.guessing is not None:
        loss = verdict.guessing.error
    if loss is None:
        return ""
    area = criterion.name == "auc"
    return f"; guessing has {fixed(1.0 - loss, 3) if area else amount(loss, criterion)}"


def say_seen(verdict: Verdict) -> list[Sentence]:
    """Say what was seen where another number is to be expected, and how steady the choice is."""
    selected, criterion = verdict.selected, verdict.criterion
    said, how = [], []
    scored = criterion.name == "score"  # of which 0 is no special value
    if selected is not None and (scored or selected.expected > 0) and not verdict.is_lossless:
        seen = amount(verdict.candidate(verdict.best).loss, criterion)
        if not verdict.guesses and seen != amount(selected.expected, criterion):
            said.append(
                f"As seen its {criterion.words} was {seen}; what is to be expected is corrected "
                "for its having been chosen."
            )
        said += _say_luck(verdict, selected)
        how.append(_how_corrected(verdict, selected))
    said += [_labels(verdict)] * bool(_labels(verdict))
    how.append(explain_drift(verdict))
    return [_on_the_mean(verdict, " ".join(said), " ".join(how))] if said else []


def _say_luck(verdict: Verdict, selected: SelectedError) -> list[str]:
    """Say that the choice depends on the rows, and the error on which of them are trained on."""
    said = []
    share = float(selected.shares[selected.best])
    if share < _STEADY:
        tenths = round(10 * (1 - share))
        often = f"about {10 * tenths} % of" if tenths < 10 else "more than nine of ten"
        said.append(
            "The choice is unsteady, for on another table of the same kind the rule would take "
            f"another candidate in {often} cases."
        )
    if selected.depends_on_luck and not verdict.in_time:  # else folds differ by when they are
        more = "; more drawings of the folds (--plan) tell it better" if verdict.steady else ""
        said.append(
            "The error depends on the luck of the training sample: from fit to fit it varies by a "
            f"standard deviation of {gap(selected.luck, verdict.criterion)}{more}."
        )
    return said


def _how_corrected(verdict: Verdict, selected: SelectedError) -> str:
    """Say where the interval comes from, and the correction where there was a choice."""
    by_error = verdict.criterion.name == "error"
    fits = " and by what folds differ beyond it, from fit to fit" if selected.luck > 0 else ""
    interval = (
        f"The {100 * selected.level:.0f} % interval is {'Wilson’s, ' * by_error}by the chance of "
        f"the rows{fits}."
    )
    if verdict.guesses:
        return f"{interval} It is not for its loss that guessing is left: nothing is corrected."
    if len(selected.names) == 1:
        return f"{interval} There was nothing to choose: nothing is corrected."
    truth = {
        "error": "it was right on average, off by up to three points in some kinds of tables, and "
        "nineteen of twenty such intervals held, in the worst kind six of seven",
        "log-loss": "seven of eight such intervals held, fewer where few rows are of a class",
        "brier": "nine of ten such intervals held",
    }.get(verdict.criterion.name, "")
    known = f"Where the truth is known {truth}. " if truth else ""
    return (
        "Choosing flatters what is chosen: corrected by what the candidates chosen in "
        f"{selected.n_replicates} bootstrap replicates{of_the_run(verdict)} lose more on all rows "
        "than on those drawn (more where nothing is refitted), and never "
        f"{'above' if verdict.criterion.higher_better else 'below'} what was seen. "
        f"{known}{interval}"
    )


def of_the_run(verdict: Verdict) -> str:
    """Say which of several runs of the paper's rule is meant: each has a choice of its own."""
    several = verdict.rule == "paper" and int(verdict.plan.get("runs", 1)) > 1
    return " of the first run that gave this order" if several else ""


def _say_plain(verdict: Verdict) -> Sentence:
    """Say the loss as it was seen: the AUC, or the recall, which are no means over rows."""
    best, criterion = verdict.candidate(verdict.best), verdict.criterion
    words, value = criterion.words.removeprefix("mean "), amount(best.loss, criterion)
    spread, how, inside = _fold_interval(verdict), "", ""
    if criterion.name == "auc":
        words, value, how = "AUC", f"{1.0 - best.loss:.3f}", f"{_which_auc(verdict)} "
        spread = None if spread is None else (1.0 - spread[1], 1.0 - spread[0])
    if spread is not None:
        inside = f" (95 % interval {fixed(spread[0], 3)} to {fixed(spread[1], 3)})"
        how += "Interval: corrected resampled t test over folds (Nadeau and Bengio 2003)."
    elif verdict.in_time:
        how += "No interval is given: folds in time order do not vary by chance alone."
    else:
        how += "No interval is given: it is the same in every fold."
    if len(verdict.ordering.names) > 1:
        how += " Not corrected for its having been chosen."
    text = f"Its mean {words} is {value}{inside}{_against_guessing(verdict)}."
    return _on_the_mean(verdict, text, f"{how}{_sees(verdict)} {_NEW_ROWS}.", value)


def _which_auc(verdict: Verdict) -> str:
    """Say what the criterion's AUC is, and that combining is judged by another."""
    several = len(verdict.confusion.classes) > 2
    pairs = ", the mean over pairs of classes (Hand and Till 2001)" * several
    other = "; combining is judged by another, over rows" * (verdict.combination is not None)
    return f"AUC: that of each fold{pairs}{other}."


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
    least = -np.inf if (losses < 0).any() else 0.0  # scores and costs may be gains
    a_share = verdict.criterion.is_rate or not verdict.criterion.is_mean  # areas and recalls
    return max(float(low), least), min(float(high), 1.0 if a_share else np.inf)


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
        grouped = ", or more, for rows of one group are alike" * bool(verdict.dataset.get("groups"))
        return (
            f"None of its labels was wrong on these {rows} rows; of others up to "
            f"{percent(min(RULE_OF_THREE / rows, 1.0))} may be (rule of three){grouped}."
        )
    which = ", those of least expected cost," if verdict.decides_by_cost else ""
    return f"Of its labels{which} {percent(error)} were wrong."


def _sees(verdict: Verdict) -> str:
    if verdict.training_share == 1.0:  # that of predictions made elsewhere is not known
        return ""
    return f" Fits see {100 * verdict.training_share:.0f} % of the rows; one on all may do better."


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

    def of(self, degree: Literal["more", "less"], noun: str) -> str:
        """Say it of a noun."""
        word = getattr(self, degree)
        return f"{noun} {word}" if word.startswith("listed") else f"{word} {noun}"


_DEGREES = {
    "time": Degrees("fastest first", "faster", "slower"),
    "memory": Degrees("smallest first", "smaller", "larger"),
    "listed": Degrees("as listed", "listed earlier", "listed later"),
}


def degrees_of(verdict: Verdict) -> Degrees:
    """Say by what candidates are ordered: nobody knows who is simple of answers made elsewhere."""
    asked = verdict.provenance.get("question", {}).get("prefer", "listed")
    if asked == "listed" and not verdict.provenance.get("imported"):
        return Degrees()
    return _DEGREES[asked]


def say_choice(verdict: Verdict) -> list[Sentence]:
    """Say why nothing preferred to it was taken, and nothing less preferred."""
    ordering, criterion = verdict.ordering, verdict.criterion
    if len(ordering.names) == 1:
        return []
    if not isinstance(ordering, MarginOrdering):
        return _say_paper(verdict, ordering)
    text = "; ".join([*_say_simpler(verdict, ordering), *_say_complex(verdict, ordering)])
    means = zip(ordering.names, ordering.mean_errors, strict=True)
    basis = (
        f"{_describe_rule(verdict)} Means over the same folds, most preferred first: "
        f"{', '.join(f'{name} {amount(mean, criterion)}' for name, mean in means)}."
    )
    return [Sentence(text=f"{text[:1].upper()}{text[1:]}.", basis=basis, section="which")]


def _say_simpler(verdict: Verdict, ordering: MarginOrdering) -> list[str]:
    best, means, criterion = ordering.best, ordering.mean_errors, verdict.criterion
    if best == 0:
        return []
    nearest = int(np.argmin(means[:best]))
    name = call(verdict, ordering.names[nearest])
    if all(one in verdict.baselines for one in ordering.names[:best]):
        return [f"{name} is {gap(means[nearest] - means[best], criterion)} worse"]
    behind = means[nearest] - means[best:].min()
    # The default margin keeps nobody who is shown to be worse, however little.
    shown = " without being shown to be worse" if behind < ordering.margin else ""
    return [
        f"nothing {degrees_of(verdict).more} comes within {gap(ordering.margin, criterion)} of the "
        f"best{shown} ({name} comes closest, {gap_beside(behind, ordering.margin, criterion)} off)"
    ]


def _say_complex(verdict: Verdict, ordering: MarginOrdering) -> list[str]:
    best, means, criterion = ordering.best, ordering.mean_errors, verdict.criterion
    margin = gap(ordering.margin, criterion)
    rest = _less_preferred(verdict, ordering.names)
    if not rest and best:
        return []
    lowest = min(rest or range(1, len(means)), key=means.__getitem__)
    lead = means[best] - means[lowest]
    name = call(verdict, ordering.names[lowest])
    if not rest:  # all others guess
        if lead <= 0:
            return [f"{name} is {gap(-lead, criterion)} worse"]
        return [f"{name} is {gap(lead, criterion)} better, less than the margin of {margin}"]
    others = f"nothing {'else' if verdict.guesses else degrees_of(verdict).less} does better"
    if lead < _NOTICED * ordering.margin:
        return [others]
    lead_words = gap_beside(lead, ordering.margin, criterion)
    return [
        f"{others} than {name}, which is only {lead_words} better: less than the margin of {margin}"
    ]


def _less_preferred(verdict: Verdict, names: Sequence[str]) -> list[int]:
    """Return who is less preferred than the best; one that guesses is not more complex."""
    rest = range(verdict.ordering.best + 1, len(names))
    return [i for i in rest if verdict.guesses or names[i] not in verdict.baselines]


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
        said.append(
            f"Every {degrees.of('more', 'one')} is shown to be worse than another: {shown}."
        )
    rest = _less_preferred(verdict, names)
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


_ONE_FOLD = "of one fold there is no interval to tell whether that is chance"


def say_columns(verdict: Verdict) -> list[Sentence]:
    """Say which columns matter most to the best candidate."""
    found, criterion = verdict.columns, verdict.criterion
    if found is None:
        return []
    first = found.groups[0]
    name = join(few([short(one, 40) for one in first], 2))
    s = "s" if len(first) == 1 else ""
    rise, low, high = (float(part[0]) for part in (found.rise, found.low, found.high))
    size = gap(rise, criterion)
    if low == low:
        written, *ends = measured(rise, low, high, criterion, clear_of=(0.0,))
        unit = " points" * criterion.is_rate
        size = f"{written}{unit} (95 % interval {' to '.join(ends)})"
    lost = criterion.words.removeprefix("1 − ")  # of what is better larger
    verb = "raise" if lost == criterion.words else "lower"
    words = f"shuffled, {'it' if s else 'they'} {verb}{s} the {lost} by {size}"
    claim, text = "no column is shown to matter by itself", f"; {name} came first: {words}."
    how = "Interval over folds: corrected resampled t test, not corrected for naming the"
    if found.folds == 1:
        how = "There is no interval; it is named for being the"
        claim, text = f"{name} came first", f": {words}; {_ONE_FOLD}."
    elif low > 0:
        then = [
            f"{short(group[0], 40)}{f' with {len(group) - 1} more' * (len(group) > 1)} "
            f"({gap(float(found.rise[i]), criterion)})"
            for i, group in enumerate(found.groups[:3])
            if i and found.low[i] > 0
        ]
        claim = f"{name} matter{s} most"
        text = f": {words}{f'; then {join(then)}' if then else ''}."
    basis = (
        f"Permutation importance of {verdict.best}, refitted for {counted(found.folds, 'fold')}: "
        f"the rise on {counted(found.rows, 'held-out row')} when columns are shuffled "
        f"{counted(found.repeats, 'time')} in each, those with a correlation of 0.8 or more "
        f"together. {how} first of {len(found.groups)}. It tells what this candidate uses, not "
        "causes."
    )
    text = f"Of the columns, {claim}{text}"
    return [Sentence(text=text, basis=basis, section="columns", emphasis=claim)]
