"""The sections behind the answers: what failed, how this was computed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from polychotomy.core.numbers import counted, few, gap, short
from polychotomy.report.section import Cell, Fact, Fold, Section, Table, as_sentence
from polychotomy.verdict import Failure, Verdict

_MOST_CLASSES = 60

_LONGEST_TRACEBACK = 6000  # characters, the last: that is where the cause stands

_MOST_TRACEBACKS = 20

_LONGEST_RECORD = 40_000

_LONGEST_NOTE = 1000


def failed_section(verdict: Verdict) -> Section:
    """Show what failed: one line for each cause, the traceback folded."""
    remarks = [as_sentence(note, _LONGEST_NOTE) for note in verdict.remarks]
    if not verdict.failures:
        notes = ["Nothing: every fit gave predictions."]
        return Section("nothing", "good", notes=notes, remarks=remarks)
    groups: dict[tuple[str, str], list[Failure]] = {}
    for failure in verdict.failures:
        groups.setdefault((failure.candidate, failure.cause), []).append(failure)
    rows = [
        (name, Cell(str(len(group)), len(group)), _where(group), cause)
        for (name, cause), group in groups.items()
    ]
    header = ("candidate", "#fits", "where", "cause")
    table = Table("Fits that gave no predictions", header, rows, ["failed"] * len(rows))
    folds = [
        Fold(
            f"{short(name, 60)}: {short(cause, 120)}",
            texts=[group[0].details[-_LONGEST_TRACEBACK:]],
        )
        for (name, cause), group in list(groups.items())[:_MOST_TRACEBACKS]
    ]
    names = ", ".join(dict.fromkeys(name for name, _ in groups))
    return Section(
        f"{counted(len(verdict.failures), 'fit')} of {short(names, 50)}", "bad", tables=[table],
        folds=folds, remarks=remarks,
        notes=["A candidate with a failed fit is left out of the comparison."],
    )  # fmt: skip


def _where(group: Sequence[Failure]) -> str:
    """Name the folds of a group, the first few of many."""
    several = len({failure.run for failure in group}) > 1
    places = [
        f"{f'run {failure.run + 1}, ' * several}repetition {failure.repetition + 1} "
        f"fold {failure.fold + 1}"
        for failure in group
    ]
    return "; ".join(few(places, 2))


def computed_section(verdict: Verdict) -> Section:
    """Show how this was computed, so that a statistician can sign it."""
    said = [(one.text, one.basis) for one in verdict.sentences() if one.basis]
    bases = Table("Test, numbers and assumption", ("sentence", "basis"), said)
    folds = [Fold("What each sentence rests on", [bases]), record_fold(verdict.provenance)]
    answer = f"{verdict.plan_words}, seed {verdict.provenance.get('seed')}"
    return Section(answer, "plain", facts=_facts(verdict), folds=folds)


_RULES = {
    "margin": "the most preferred candidate within the margin of every less preferred one",
    "paper": "MultiTest (YA06): the most preferred candidate not shown to be worse than another",
}


def _facts(verdict: Verdict) -> list[Fact]:
    provenance, dataset, other = verdict.provenance, verdict.dataset, verdict.other_rule
    classes = _classes(dataset["classes"])
    if not verdict.knows_labels:
        told = "what was scored" if verdict.plan.get("better") else "who was right"
        classes = f"not known: the table says {told}, not what was answered"
    facts = [
        Fact("Resampling", verdict.plan_words),
        Fact("Rule", _RULES[verdict.rule]),
        Fact("Criterion", f"{verdict.criterion.words}; differences below "
             f"{gap(verdict.margin, verdict.criterion)} do not matter"),
        Fact("Classes", classes),
        Fact("Seed", str(provenance.get("seed"))),
        *repeating_facts(provenance),
    ]  # fmt: skip
    if other is not None:
        told = f"{short(other.best, 60)}. {other.why}"
        facts.insert(2, Fact(f"{other.name}, on these folds", told))
    if dataset.get("sha256"):
        facts.append(Fact("Data (SHA-256)", str(dataset["sha256"]), is_code=True))
    return [*facts, Fact("Study", str(provenance.get("fingerprint")), is_code=True)]


def _classes(classes: Sequence[str]) -> str:
    """Name the classes, each kept apart from letters that run the other way."""
    shown = [f"\u2068{short(name, 30)}\u2069" for name in classes[:_MOST_CLASSES]]
    hidden = len(classes) - len(shown)
    return ", ".join(shown) + (f" and {hidden} more" if hidden > 0 else "")


def repeating_facts(provenance: dict[str, Any]) -> list[Fact]:
    """Say what it takes to repeat this: the command, the versions, the machine."""
    versions = {
        "polychotomy": provenance.get("polychotomy"),
        "Python": provenance.get("python"),
        **provenance.get("versions", {}),
    }
    said = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    facts = [
        Fact("To repeat it", str(provenance.get("command") or ""), is_code=True),
        Fact("Versions", said),
        Fact("Machine", str(provenance.get("platform") or "")),
    ]
    return [fact for fact in facts if fact.words]


def record_fold(provenance: dict[str, Any]) -> Fold:
    """Return everything recorded about where the numbers come from, folded."""
    record = json.dumps(provenance, indent=2, ensure_ascii=False, default=str)
    shown = record if len(record) <= _LONGEST_RECORD else f"{record[:_LONGEST_RECORD]}\n…"
    heading = "Candidates as they were fitted, and the whole record"
    return Fold(heading, texts=[shown], on_paper=False)
