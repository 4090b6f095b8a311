"""Where a verdict's numbers come from: all that it takes to compute them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from polychotomy.comparison import Criterion, SelectedError, compare_pairs
from polychotomy.core.arguments import shown
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold
from polychotomy.study import Ledger, Study, TimeFolds
from polychotomy.study.design.candidates import LeftOut
from polychotomy.study.design.specification import fingerprint
from polychotomy.validation import Confusion, Trust, assess_trust, confusion_of
from polychotomy.validation.trust import CONFIDENCE_DRAWS
from polychotomy.verdict.anatomy import read_anatomy
from polychotomy.verdict.case import Case, case_of_study
from polychotomy.verdict.conclusions import (
    ask_other_rule,
    combine,
    correct_for_choice,
    hold_gate,
    price_candidates,
)
from polychotomy.verdict.evidence import find_drift, read_evidence, summarise
from polychotomy.verdict.findings import Timings
from polychotomy.verdict.notes import note_unseen_values, note_untrained_classes, note_warnings
from polychotomy.verdict.question import Question, note_costs
from polychotomy.verdict.recalibrated_choice import ask_mended
from polychotomy.verdict.rules import order_by_rule
from polychotomy.verdict.uncertainty import find_undecided
from polychotomy.verdict.verdict import Verdict


def provenance_of(
    case: Case,
    ledger: Ledger,
    question: Question,
    *,
    trust: Trust,
    selected: SelectedError | None,
    command: str | None = None,
    mark: str | None = None,
) -> dict[str, Any]:
    """Return what is recorded of a verdict: versions, seed, candidates, question, draws, hash.

    Every draw starts from the seed: the traces of true probabilities, the number of right ones
    among few (``confidence``), the rows drawn anew (``choice``).
    """
    specification = case.specification
    draws = {"trace": int(trust.null.slope.size), "confidence": CONFIDENCE_DRAWS}
    return {
        **ledger.fact("provenance"),
        "seed": specification["seed"],
        "draws": draws | ({} if selected is None else {"choice": selected.n_replicates}),
        "keep": specification["keep"],
        "versions": specification["versions"],
        "candidates": specification["candidates"],
        "question": question.to_dict(),
        "fingerprint": mark or fingerprint(specification),
        **({} if command is None else {"command": command}),
    }


def conclude(
    study: Study,
    ledger: Ledger,
    question: Question | None = None,
    *,
    anatomy: bool = True,
    notes: Sequence[str] = (),
    left_out: Sequence[LeftOut] = (),
    command: str | None = None,
    mark: str | None = None,
) -> Verdict:
    """Draw the verdict from a ledger; nothing is fitted.

    Without ``anatomy``, what the ledger has on what limits the best candidate is not read.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.study import Study
    >>> X, y = load_iris(return_X_y=True)
    >>> study = Study({"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}, X, y)
    >>> with study.run() as ledger:
    ...     conclude(study, ledger).best
    'naive Bayes'
    """
    for name, given, kind in (
        ("study", study, Study),
        ("ledger", ledger, Ledger),
        ("question", question or Question(), Question),
    ):
        if not isinstance(given, kind):
            raise InvalidInput(
                f"{name} is {shown(given)}; expected a {kind.__name__}: conclude(study, ledger) "
                "with ledger = study.run(), or judge(candidates, X, y) for all in one."
            )
    return conclude_case(
        case_of_study(study),
        ledger,
        question or Question(),
        anatomy=anatomy,
        notes=(*notes, *note_unseen_values(study, ledger)),
        left_out=left_out,
        command=command,
        mark=mark,
    )


def conclude_case(
    case: Case,
    ledger: Ledger,
    question: Question,
    *,
    anatomy: bool = True,
    notes: Sequence[str] = (),
    left_out: Sequence[LeftOut] = (),
    command: str | None = None,
    mark: str | None = None,
) -> Verdict:
    """Draw the verdict on one case of a ledger, wherever its fits were made."""
    evidence = read_evidence(case, ledger, question, notes=notes)
    names = evidence.names
    frequencies, ordering = order_by_rule(
        question, evidence.losses[evidence.sound], names, ratio=evidence.ratio
    )
    best = ordering.names[ordering.best]
    pairs = compare_pairs(
        evidence.tables,
        names=names,
        margin=question.smallest_difference,
        test_train_ratio=evidence.ratio,
        samples=int((evidence.predictions.folds >= 0).any(axis=(0, 1)).sum()),
    )
    candidates = summarise(evidence)
    limits, unlimited = read_anatomy(case, ledger, evidence, best, asked=anatomy)
    combination, uncombined = combine(evidence, best)
    mended, unmended = ask_mended(question, evidence, best)
    selected = correct_for_choice(
        question,
        evidence,
        case.groups,
        guess=best if best in case.yardsticks else None,
        seed=case.seed,
    )
    trust = assess_trust(evidence.predictions, best, random_state=case.seed)
    by_time = isinstance(case.plan, TimeFolds) and question.criterion.name == "error"
    return Verdict(
        best=best,
        ordering=ordering,
        rule=question.rule,
        margin=question.smallest_difference,
        criterion=question.criterion,
        other_rule=ask_other_rule(question, evidence),
        frequencies=frequencies,
        differences=pairs,
        selected=selected,
        mended=mended,
        undecided=find_undecided(question, evidence, ordering, pairs, case.yardsticks),
        price=price_candidates(candidates, evidence, question.criterion.words),
        trust=trust,
        anatomy=limits,
        combination=combination,
        confusion=_confusion(question.criterion, evidence.predictions, best),
        gate=hold_gate(question, evidence, ordering, case.yardsticks),
        candidates=candidates,
        failures=evidence.failures,
        left_out=tuple(left_out),
        dataset={"name": case.dataset, **case.specification["datasets"][case.dataset]},
        plan={"name": case.plan.name, **case.plan.to_dict()},
        training_share=evidence.training_share,
        yardsticks=case.yardsticks,
        timings=_timings(ledger, case.dataset),
        model=None,
        provenance=provenance_of(
            case, ledger, question, trust=trust, selected=selected, command=command, mark=mark
        ),
        notes=(
            *notes,
            *note_costs(question.criterion, evidence.predictions.classes),
            *note_untrained_classes(case.plan, evidence.predictions),
            *unlimited,
            *uncombined,
            *unmended,
            *note_warnings(evidence.trials),
        ),
        drift=find_drift(evidence, best, grouped=case.groups is not None) if by_time else None,
    )


def _confusion(criterion: Criterion, predictions: OutOfFold, best: str) -> Confusion:
    """Count the labels that were scored: by costs not the most probable, but the cheapest."""
    return confusion_of(replace(predictions, predicted=criterion.decisions(predictions)), best)


def _timings(ledger: Ledger, dataset: str) -> Timings:
    own = [trial for trial in ledger.trials() if trial["dataset"] == dataset]
    return Timings(len(own), sum(t["fit_seconds"] + t["predict_seconds"] for t in own))
