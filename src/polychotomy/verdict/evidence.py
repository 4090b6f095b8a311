"""What a ledger says of one study: losses in every fold, who failed, how much a fit saw."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special
from scipy.stats import rankdata

from polychotomy.comparison import (
    Criterion,
    PairedTest,
    case_t_test,
    corrected_t_test,
    mcnemar_test,
    order_by_cost,
)
from polychotomy.comparison.inputs import Alternative
from polychotomy.comparison.pairs import fold_ratio
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.core.predictions import OutOfFold
from polychotomy.study import HoldOut, Ledger, RepeatedFolds
from polychotomy.study.design.folds import assign_folds, cut_blocks
from polychotomy.study.design.plan import ImportedFolds, Rung
from polychotomy.tables.column_notes import Note
from polychotomy.verdict.case import Case
from polychotomy.verdict.findings import Candidate, Contradiction, Failure, Price, Stopped
from polychotomy.verdict.question import Question

# In NumPy's words, which learners pass on, and in scikit-learn's.
_NO_NUMBERS = {"could not convert string to float": "text", "contains NaN": "gaps"}

_FOR_TABLES = (
    "The table has {}, and this learner takes numbers: polychotomy.for_tables(learner) makes "
    "numbers of any table for it."
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """A study's predictions and losses, its candidates in order of preference.

    Parameters
    ----------
    predictions : OutOfFold
    losses, errors : (m, runs, repetitions, folds) floats
        Of the criterion, and of wrong labels.
    sound : (m,) bools
        Which candidates have a prediction for every fold.
    trials : list of dict
        The ledger's rows of this study.
    sizes : {name: int}
        Bytes of a pickled fit, of the candidates for which that is known.
    stopped : {name: Stopped}
        Those that a race did not run to the end.
    cases : (m, runs × repetitions, rows) floats, or None
        Losses of every row, scaled so that folds count alike as they do in the means. None where
        the criterion is no mean over rows, and where a repetition does not predict all of them.
    groups : (rows,) values or None
        Rows of one are not independent: those given, else in order of time stretches of it.
    splits : (runs, repetitions, rows) ints
        The fold in which each row was predicted, −1 for none. What ``predictions`` has as folds are
        parts of it where there was a single test set.
    ratio : float or None
        Test cases for each training case where folds do not part the data; None where they do.
    can_be_redrawn : bool
        Whether other folds could have been drawn: not of rows in order of time, or given.
    as_given : bool
        Whether models are compared as they are, on one test set: how they were fitted is not known.
    only_right : bool
        Whether it is known only who was right, and not what the answers were.
    training_share : float
    contradictions : {name: Contradiction}
        Candidates whose labels and probabilities contradict each other; ``predictions`` has their
        labels only.
    notes : tuple of str
        What could not be read.
    """

    predictions: OutOfFold
    losses: Floats
    errors: Floats
    sound: Bools
    trials: list[dict[str, Any]]
    sizes: dict[str, int]
    stopped: dict[str, Stopped]
    cases: Floats | None
    groups: Any
    splits: Ints
    ratio: float | None
    can_be_redrawn: bool
    as_given: bool
    only_right: bool
    training_share: float
    contradictions: dict[str, Contradiction]
    notes: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """Names of the sound candidates, in order of preference."""
        return [n for n, ok in zip(self.predictions.names, self.sound, strict=True) if ok]

    @cached_property
    def tested(self) -> OutOfFold:
        """The predictions without the rows that nobody predicts."""
        rows = np.flatnonzero((self.predictions.folds >= 0).any(axis=(0, 1)))
        if len(rows) == len(self.predictions.y):
            return self.predictions
        return self.predictions.part(rows=rows)

    @property
    def tables(self) -> Floats:
        """(sound m, runs × repetitions, folds): the sound candidates' losses."""
        losses = self.losses[self.sound]
        return losses.reshape(len(losses), -1, losses.shape[-1])

    def compare(
        self, first: str, second: str, alternative: Alternative = "two-sided"
    ) -> PairedTest:
        """Test the difference of two sound candidates: over rows where they can be, else folds."""
        a, b = (self.predictions.names.index(name) for name in (first, second))
        if self.cases is not None:
            return case_t_test(
                self.cases[a],
                self.cases[b],
                groups=self.groups,
                as_given=self.as_given,
                alternative=alternative,
            )
        return self.test_folds(self.losses[a], self.losses[b], alternative)

    def test_folds(
        self, first: Floats, second: Floats, alternative: Alternative = "two-sided"
    ) -> PairedTest:
        """Test the difference of losses in all folds, (runs, repetitions, folds)."""
        return corrected_t_test(
            first.ravel(),
            second.ravel(),
            test_train_ratio=self.ratio or fold_ratio(first.shape[-1]),
            alternative=alternative,
        )

    @property
    def seconds(self) -> float:
        """What the comparison took, in seconds of fitting and predicting."""
        return sum(trial["fit_seconds"] + trial["predict_seconds"] for trial in self.trials)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Every trial that failed."""
        return tuple(
            Failure(**{name: trial[name] for name in Failure._fields})
            for trial in self.trials
            if trial["status"] != "ok"
        )


def read_evidence(
    case: Case, ledger: Ledger, question: Question, *, notes: Sequence[str] = ()
) -> Evidence:
    """Read the evidence of a case from its ledger; raise where every candidate failed somewhere.

    ``notes`` on the table are told with the error: they may name the column at fault.
    """
    trials = [
        trial
        for trial in ledger.trials(dataset=case.dataset, plan=case.plan.name)
        if trial["candidate"] in case.names
        and trial["run"] < case.plan.runs
        and trial["repetition"] < case.plan.repetitions
    ]
    sizes, lost = _sizes(case, ledger)
    names = _preferred(list(case.names), trials, sizes, question)
    predictions = ledger.out_of_fold(
        names, dataset=case.dataset, plan=case.plan.name, runs=case.plan.runs
    )
    if case.plan.repetitions < predictions.folds.shape[1]:  # of a study that was stopped
        predictions = predictions.part(repetitions=case.plan.repetitions)
    predictions = replace(predictions, weights=case.weights)
    splits = predictions.folds
    predictions = in_parts(predictions, case.groups, case.times)
    share, ratio = _shares(case, splits, predictions.folds)
    contradictions = find_contradictions(predictions)
    predictions = labels_only(predictions, contradictions)
    losses, errors = question.criterion.fold_losses(predictions), predictions.fold_errors()
    as_given = isinstance(case.plan, ImportedFolds) and not splits.any()
    if as_given:  # parts of one test set count by their size: a mean is that of all cases
        shares = np.bincount(predictions.folds[0, 0]) / predictions.folds.shape[-1]
        errors = errors * (shares * len(shares))
        losses = losses * (shares * len(shares)) if question.criterion.is_mean else losses
    sound = np.asarray(~np.isnan(losses).any(axis=(1, 2, 3)))
    cases, groups = _cases(case, predictions, question.criterion, sound, as_given=as_given)
    evidence = Evidence(
        predictions=predictions, losses=losses, errors=errors, sound=sound, trials=trials,
        sizes=sizes, stopped=_stopped(case, ledger), cases=cases, groups=groups, splits=splits,
        ratio=ratio, can_be_redrawn=isinstance(case.plan, RepeatedFolds | HoldOut),
        as_given=as_given,
        only_right=isinstance(case.plan, ImportedFolds) and case.plan.only_right,
        training_share=share, contradictions=contradictions,
        notes=(*lost, *_counted(case, ledger, splits, as_given=as_given)),
    )  # fmt: skip
    if not evidence.sound.any():
        first = evidence.failures[0]
        said = (
            f"every candidate failed somewhere, so there is nothing to compare; {first.candidate!r}"
            f" for one, in repetition {first.repetition}, fold {first.fold}: {first.cause}"
        )
        found = [what for words, what in _NO_NUMBERS.items() if words in first.cause]
        hint = _FOR_TABLES.format(found[0]) if found else ""
        told = f"Notes on the table: {'; '.join(notes)}." if notes else ""
        raise LearnerError(" ".join(filter(None, [f"{said.rstrip('.')}.", hint, told])))
    return evidence


_TIE = 1e-4  # of probabilities: ledgers keep them in single precision

_FEW, _NEARLY_ALL = 0.05, 0.95  # shares of rows in which labels and probabilities differ

_FAR = 0.2  # by which the most probable class is ahead of the predicted one, on average

_UNRELATED = 0.6  # order of the probabilities of a class, of which one half is that of chance


def find_contradictions(predictions: OutOfFold) -> dict[str, Contradiction]:
    """Find candidates whose labels are not the classes that they call most probable.

    Ties are no difference. Nor is a rule of its own by which a candidate decides: a threshold,
    costs of errors, the machines of an SVC, whose probabilities are fitted apart. By any such rule
    the rows that get a class are still those in which it is more probable than in others. So a
    contradiction is a class of which that is not so. An SVC of noise does that too, but is near
    even in all of its probabilities; what is not near even, or differs in nearly every row, is an
    error. Why not by how often each of the two errs: costs make labels err more often, too.

    The cut-offs are between what ``benchmarks/contradictions.py`` tries on either side.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.arange(40) % 2
    >>> p = np.where(y[:, None] == np.arange(2), 0.9, 0.1)
    >>> one = OutOfFold(
    ...     names=("reversed",), classes=("no", "yes"), y=y, predicted=y[None, None, None],
    ...     folds=(np.arange(40) // 8)[None, None], probabilities=p[None, None, None, :, ::-1],
    ...     hard=np.array([False]))
    >>> find_contradictions(one)["reversed"].share
    1.0
    """
    found = {}
    for m, name in enumerate(predictions.names):
        p, said = predictions.probabilities[m], predictions.predicted[m]
        top = reduce(np.maximum, np.moveaxis(p, -1, 0))  # NaN where one is; p.max is slower
        made = (said >= 0) & ~np.isnan(top)
        if predictions.hard[m] or not made.any():
            continue
        ahead = top - np.take_along_axis(p, np.maximum(said, 0)[..., np.newaxis], axis=-1)[..., 0]
        differs = made & (ahead > _TIE)
        share = float(differs.sum() / made.sum())
        if share <= _FEW or not (share > _NEARLY_ALL or ahead[differs].mean() > _FAR):
            continue
        if _worst_order(predictions, m, made) >= _UNRELATED:
            continue
        likely = np.where(differs, np.argmax(np.nan_to_num(p), axis=-1), said)
        first = made[0, 0]
        wrong, likely_wrong = (one[0, 0][first] != predictions.y[first] for one in (said, likely))
        pvalue = float(mcnemar_test(likely_wrong, wrong, exact=True).pvalue)
        error, argmax_error = (float((one != predictions.y)[made].mean()) for one in (said, likely))
        found[name] = Contradiction(name, share, error, argmax_error, pvalue)
    return found


def _worst_order(predictions: OutOfFold, m: int, made: Bools) -> float:
    """How often a row that gets a class has it more probable than one that does not, at least.

    Pairs of rows are of one fit, as thresholds may be fitted too; the class is the one of which
    that is least often so, of those that are not very rare. 1 where no fit has such pairs.
    """
    p, said = predictions.probabilities[m].round(4), predictions.predicted[m]
    above, pairs = np.zeros((2, len(predictions.classes)))
    for at in np.ndindex(*made.shape[:2]):
        for fold in range(int(predictions.folds.max()) + 1):
            rows = made[at] & (predictions.folds[at] == fold)
            ranks = rankdata(p[at][rows], axis=0)
            chosen = said[at][rows, np.newaxis] == np.arange(len(predictions.classes))
            n = chosen.sum(axis=0)
            above += np.where(chosen, ranks, 0.0).sum(axis=0) - n * (n + 1) / 2
            pairs += n * (rows.sum() - n)
    common = pairs > _FEW * pairs.max()
    return float(np.min(above[common] / pairs[common], initial=1.0))


def labels_only(predictions: OutOfFold, names: Collection[str]) -> OutOfFold:
    """Return the predictions with the labels alone of these candidates, as of one without any."""
    if not names:
        return predictions
    rows = [predictions.names.index(name) for name in names]
    probabilities, hard = np.array(predictions.probabilities), np.array(predictions.hard)
    said = predictions.predicted[rows]
    votes = np.eye(len(predictions.classes))[said]
    votes[said < 0] = np.nan
    probabilities[rows], hard[rows] = votes, True
    return replace(predictions, probabilities=probabilities, hard=hard)


def _counted(case: Case, ledger: Ledger, splits: Ints, *, as_given: bool) -> Iterator[str]:
    """Say of predictions made elsewhere how they were read, and what counts as one case."""
    for told in ledger.fact("provenance").get("notes", ()):
        yield Note(**told) if isinstance(told, dict) else told
    runs, repetitions, n = splits.shape
    if case.groups is not None and not case.can_fit:
        yield f"cases of one group count together: {n} cases in {len(set(case.groups))} groups"
    if case.weights is not None:
        yield (
            "cases count by their weights in means, tests and intervals; what is said of "
            "probabilities, of combining and of confusions counts them alike"
        )
    if as_given and runs * repetitions > 1:
        often, nested = runs * repetitions, case.groups is not None
        drawn = "; tests and intervals draw whole groups of them" * nested
        yield f"each of the {n} cases has {often} answers: their mean counts, once{drawn}"


def _sizes(case: Case, ledger: Ledger) -> tuple[dict[str, int], tuple[str, ...]]:
    """Read the sizes of models; they only decorate, so that a mistake in them costs no verdict."""
    try:
        return ledger.model_bytes(case.dataset), ()
    except Exception as error:
        return {}, (f"the sizes of models could not be read: {type(error).__name__}: {error}",)


def _stopped(case: Case, ledger: Ledger) -> dict[str, Stopped]:
    found = {}
    for one in ledger.stopped():
        after, own = one["repetitions"], (one["dataset"], one["plan"])
        early = after < case.plan.runs * case.plan.repetitions
        if early and own == (case.dataset, case.plan.name) and one["candidate"] in case.names:
            known = {key: one[key] for key in Stopped._fields if key != "after"}
            found[one["candidate"]] = Stopped(after=after, **known)
    return found


def _preferred(
    names: list[str], trials: list[dict[str, Any]], sizes: dict[str, int], question: Question
) -> list[str]:
    """Names in order of preference: as listed, or the cheapest first, those without a cost last."""
    if question.prefer == "listed":
        return names
    ok = [trial for trial in trials if trial["status"] == "ok"]
    costs = mean_seconds(ok) if question.prefer == "time" else sizes
    known = [name for name in names if name in costs]
    if not any(costs[name] for name in known):
        what = "times" if question.prefer == "time" else "sizes of models"
        raise InvalidInput(
            f"asked to prefer {question.prefer!r}, but no {what} are recorded; expected to prefer "
            "candidates as listed."
        )
    ordered = [known[i] for i in order_by_cost([costs[name] for name in known])]
    return ordered + [name for name in names if name not in costs]


def mean_seconds(trials: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Mean seconds to fit and predict, of every candidate with a trial."""
    spent: dict[str, list[float]] = {}
    for trial in trials:
        seconds = trial["fit_seconds"] + trial["predict_seconds"]
        spent.setdefault(trial["candidate"], []).append(seconds)
    return {name: float(np.mean(seconds)) for name, seconds in spent.items()}


def _shares(case: Case, splits: Ints, folds: Ints) -> tuple[float, float | None]:
    """Mean share of the rows that a fit sees, and the test cases for each training case.

    ``splits`` are as the fits had them, ``folds`` as they are compared.
    """
    row, n_folds = splits[0, 0].astype(np.int16), int(splits.max()) + 1
    if n_folds > 1 and not case.in_time:
        return (n_folds - 1) / n_folds, None
    if isinstance(case.plan, Rung):
        return case.plan.train / len(row), float(
            np.bincount(folds[folds >= 0]).mean() / case.plan.train
        )
    if isinstance(case.plan, ImportedFolds):  # what its models were trained on is not told
        return 1.0, _NO_TRAINING
    parts = [case.plan.rows(row, fold) for fold in range(n_folds)]
    seen = np.array([len(train) for train, _ in parts])
    compared = folds[0, 0][folds[0, 0] >= 0]
    sizes = np.bincount(compared)
    return float(seen.mean() / len(row)), float((sizes / seen).mean())


_NO_TRAINING = 1e-9  # test cases for each training case: models as they are have no such luck

STRETCHES = 20  # of time, whose rows count together: neighbours are not independent

PARTS = 5  # parts into which the rows of a single test set are dealt


def in_parts(predictions: OutOfFold, groups: Any, times: Any = None) -> OutOfFold:
    """Return predictions of a single fold in several parts, folds held out by turns as folds.

    Rows with times are parted in their order. What is fitted to predictions, as a map that
    recalibrates them is, can so be tried on others.

    Examples
    --------
    >>> import numpy as np
    >>> one = OutOfFold(names=("a",), classes=("no", "yes"), y=np.arange(20) % 2,
    ...     folds=np.repeat([0, -1], 10)[None, None], predicted=np.zeros((1, 1, 1, 20), int),
    ...     probabilities=np.full((1, 1, 1, 20, 2), 0.5), hard=np.array([False]))
    >>> np.bincount(in_parts(one, None).folds[0, 0] + 1).tolist()
    [10, 2, 2, 2, 2, 2]
    """
    if not predictions.folds.any():  # all rows, however often they were answered
        dealt = _deal(predictions.y, groups, np.arange(len(predictions.y)))
        return replace(predictions, folds=np.broadcast_to(dealt, predictions.folds.shape))
    if predictions.folds.max() > 0 or predictions.folds.shape[1] > 1:
        return predictions
    runs, _, n = predictions.folds.shape
    tested = predictions.folds[:, 0] == 0
    if (tested.sum(axis=0) > 1).any():  # the same rows, again and again
        return predictions
    rows, at = np.flatnonzero(tested.any(axis=0)), tested.argmax(axis=0)
    folds = np.full(n, -1)
    folds[rows] = at[rows] if runs > 1 else _deal(predictions.y[rows], groups, rows, times)
    every = np.arange(n)
    return replace(
        predictions,
        folds=folds[np.newaxis, np.newaxis],
        predicted=predictions.predicted[:, at, 0, every][:, np.newaxis, np.newaxis],
        probabilities=predictions.probabilities[:, at, 0, every][:, np.newaxis, np.newaxis],
    )


def _deal(codes: Ints, groups: Any, rows: Ints, times: Any = None) -> Ints:
    """Deal rows into parts, groups whole where there are enough of them; by time if they have it.

    Dealt at random, all parts would share what a time has done to its rows.
    """
    ranks = None if times is None else np.unique(np.asarray(times)[rows], return_inverse=True)[1]
    if ranks is not None and ranks.max() + 1 >= PARTS:
        return cut_blocks(ranks, PARTS)
    own = None if groups is None else np.unique(np.asarray(groups)[rows], return_inverse=True)[1]
    if own is not None and own.max() < 2 * PARTS:
        own = None
    return assign_folds(codes, min(PARTS, len(rows)), groups=own, stratified=True, seed=0)


def _cases(
    case: Case, predictions: OutOfFold, criterion: Criterion, sound: Bools, *, as_given: bool
) -> tuple[Floats | None, Any]:
    """Return the losses of every row, and the rows' groups, where rows can be compared."""
    if not criterion.is_mean or not sound.any():
        return None, None
    n = len(predictions.y)
    losses = criterion.sample_losses(predictions).reshape(len(sound), -1, n)
    folds = predictions.folds.reshape(-1, n)
    judged = (folds >= 0).any(axis=0)
    groups = _together(case, judged)
    uneven = (folds[:, judged] < 0).any()  # some rows are predicted more often than others
    # Of groups in order of time, neither the ones nor the others are all that rows depend on.
    if uneven or (case.in_time and (groups is None or case.groups is not None)):
        return None, None
    for repetition, parts in enumerate(folds if not as_given else ()):
        sizes = np.bincount(parts[judged])
        losses[:, repetition, judged] *= (judged.sum() / len(sizes) / sizes)[parts[judged]]
    return losses[..., judged], groups


def _together(case: Case, rows: Any) -> Any:
    """Return what rows are not independent by: their groups, or stretches of time.

    Why not the folds: five are few, and how far guessing is behind may differ from each to each.
    """
    if case.groups is not None or case.times is None:
        return None if case.groups is None else np.asarray(case.groups)[rows]
    ranks = np.unique(case.times[rows], return_inverse=True)[1]
    return cut_blocks(ranks, STRETCHES) if ranks.max() + 1 >= STRETCHES else None


def summarise(evidence: Evidence) -> tuple[Candidate, ...]:
    """Return one row for each candidate, in order of preference."""
    m = len(evidence.predictions.names)
    errors, losses = evidence.errors.reshape(m, -1), evidence.losses.reshape(m, -1)
    own = [[t for t in evidence.trials if t["candidate"] == n] for n in evidence.predictions.names]

    def seconds(trials: list[dict[str, Any]], clock: str) -> float:
        known = [trial[clock] for trial in trials if trial["status"] == "ok"]
        return float(np.mean(known)) if known else 0.0

    return tuple(
        Candidate(
            name=name,
            error=float(error.mean()),
            sd=float(loss.std(ddof=1)),
            loss=float(loss.mean()),
            fit_seconds=seconds(trials, "fit_seconds"),
            predict_seconds=seconds(trials, "predict_seconds"),
            n_failed=sum(trial["status"] != "ok" for trial in trials),
            model_bytes=evidence.sizes.get(name),
            stopped=evidence.stopped.get(name),
        )
        for name, error, loss, trials in zip(
            evidence.predictions.names, errors, losses, own, strict=True
        )
    )


def price_candidates(candidates: tuple[Candidate, ...], evidence: Evidence, words: str) -> Price:
    """Set the losses of the sound candidates beside their times."""
    sound = [c for c in candidates if c.name in evidence.names]
    splits = evidence.splits
    tested = (splits >= 0).sum() / (splits[..., 0].size * (int(splits.max()) + 1))
    return Price(
        names=tuple(c.name for c in sound),
        loss=np.array([c.loss for c in sound]),
        fit_seconds=np.array([c.fit_seconds for c in sound]),
        predict_seconds=np.array([c.predict_seconds for c in sound]) / float(tested),
        model_bytes=np.array([np.nan if c.model_bytes is None else c.model_bytes for c in sound]),
        words=words,
    )


_LEVEL = 0.05


class Drift(NamedTuple):
    """An error that grows from fold to fold: that of the first and the last, and the p-value.

    Examples
    --------
    >>> from polychotomy.verdict.evidence import Drift
    >>> Drift(first=0.23, last=0.74, pvalue=0.001).last
    0.74
    """

    first: float
    last: float
    pvalue: float


def find_drift(evidence: Evidence, best: str, *, grouped: bool) -> Drift | None:
    """Find out whether the best one's share of wrong labels grows over folds in order of time.

    Where it falls, more rows to learn from may be why. Rows of one group are not independent, so
    that of them it is not asked.
    """
    folds = evidence.predictions.folds[0, 0]
    shares = evidence.errors[evidence.predictions.names.index(best), 0, 0]
    sizes = np.bincount(folds[folds >= 0], minlength=len(shares))
    p = trend(shares, sizes)
    if grouped or p >= _LEVEL or shares[-1] <= shares[0]:
        return None
    return Drift(float(shares[0]), float(shares[-1]), p)


def trend(shares: ArrayLike, sizes: ArrayLike) -> float:
    """Return the two-sided p-value of a rise of shares over folds; 1 where they do not rise.

    The test of Cochran and Armitage: fold numbers are the scores, and rows are independent.

    Parameters
    ----------
    shares : (folds,) array-like
        Of wrong rows, in order of time.
    sizes : (folds,) array-like
        Rows in each.

    Examples
    --------
    >>> round(trend([0.2, 0.3, 0.4], [50, 50, 50]), 3), trend([0.4, 0.3, 0.2], [50, 50, 50])
    (0.029, 1.0)
    """
    found, rows = np.asarray(shares, dtype=float), np.asarray(sizes, dtype=float)
    overall = float((rows * found).sum() / rows.sum())
    scores = np.arange(len(rows)) - (rows * np.arange(len(rows))).sum() / rows.sum()
    spread = overall * (1 - overall) * float((rows * scores**2).sum())
    rise = float((rows * found * scores).sum())
    if spread <= 0 or rise <= 0:
        return 1.0
    return float(2 * special.ndtr(-rise / np.sqrt(spread)))
