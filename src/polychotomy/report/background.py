"""The sections behind the answers: what failed, how this was computed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from polychotomy.core.numbers import count, counted, gap, short
from polychotomy.report.section import Cell, Fact, Fold, Section, Table, as_sentence
from polychotomy.verdict import Verdict

_MOST_CLASSES = 60

_LONGEST_TRACEBACK = 6000

_MOST_TRACEBACKS = 20

_LONGEST_RECORD = 40_000

_LONGEST_NOTE = 1000


def failed_section(verdict: Verdict) -> Section:
    """Show what failed: one line for each cause, the traceback folded."""
    question, failures = "What failed?", verdict.failures
    remarks = [as_sentence(note, _LONGEST_NOTE) for note in verdict.remarks]
    if not failures:
        return Section(
            "failed", question, "nothing", "good", remarks=remarks,
            notes=["Nothing: every fit gave predictions."],
        )  # fmt: skip
    groups: dict[tuple[str, str], list[Any]] = {}
    for failure in failures:
        groups.setdefault((failure.candidate, failure.cause), []).append(failure)
    rows = [
        (name, Cell(str(len(group)), len(group)), _where(group), cause)
        for (name, cause), group in groups.items()
    ]
    names = list(dict.fromkeys(failure.candidate for failure in failures))
    table = Table(
        "Fits that gave no predictions", ("candidate", "#fits", "where", "cause"), rows,
        ["failed"] * len(rows),
    )  # fmt: skip
    folds = [
        Fold(f"{short(name, 60)}: {short(cause, 120)}", texts=[_cut(group[0].details)])
        for (name, cause), group in list(groups.items())[:_MOST_TRACEBACKS]
    ]
    return Section(
        "failed", question, f"{counted(len(failures), 'fit')} of {short(', '.join(names), 50)}",
        "bad", tables=[table], folds=folds, remarks=remarks,
        notes=["A candidate with a failed fit is left out of the comparison."],
    )  # fmt: skip


def _where(group: Sequence[Any]) -> str:
    """Name the folds of a group, the first few of many."""
    several = len({failure.run for failure in group}) > 1
    places = [
        (f"run {failure.run + 1}, " if several else "")
        + f"repetition {failure.repetition + 1} fold {failure.fold + 1}"
        for failure in group
    ]
    if len(places) <= 3:
        return "; ".join(places)
    return f"{places[0]}; {places[1]} and {len(places) - 2} more"


def _cut(words: str) -> str:
    """Keep the end of a long traceback: that is where the cause stands."""
    if len(words) <= _LONGEST_TRACEBACK:
        return words
    return f"… {count(len(words) - _LONGEST_TRACEBACK)} characters …\n{words[-_LONGEST_TRACEBACK:]}"


def computed_section(verdict: Verdict) -> Section:
    """Show how this was computed, so that a statistician can sign it."""
    plan = verdict.plan_words
    seed = verdict.provenance.get("seed")
    said = [(one.text, one.basis) for one in verdict.sentences() if one.basis]
    bases = Table("Test, numbers and assumption", ("sentence", "basis"), said)
    return Section(
        "computed", "How was this computed?", f"{plan}, seed {seed}", "plain",
        facts=_facts(verdict, plan),
        folds=[
            Fold("What each sentence rests on", [bases]),
            record_fold(verdict.provenance),
        ],
    )  # fmt: skip


_RULES = {
    "margin": "the most preferred candidate within the margin of every less preferred one",
    "paper": "MultiTest (YA06): the most preferred candidate not shown to be worse than another",
}


def _facts(verdict: Verdict, plan: str) -> list[Fact]:
    provenance, dataset = verdict.provenance, verdict.dataset
    facts = [
        Fact("Resampling", f"{plan}, {counted(int(verdict.plan.get('runs', 1)), 'run')}"),
        Fact("Rule", _RULES[verdict.rule]),
        *_other_rule(verdict),
        Fact("Criterion", f"{verdict.criterion.words}; differences below "
             f"{gap(verdict.margin, verdict.criterion)} do not matter"),
        Fact("Classes", _classes(dataset["classes"]) if verdict.knows_labels else "not known: the "
             f"table says {'what was scored' if verdict.plan.get('better') else 'who was right'}, "
             "not what was answered"),
        Fact("Seed", str(provenance.get("seed"))),
        *repeating_facts(provenance),
    ]  # fmt: skip
    if dataset.get("sha256"):
        facts.append(Fact("Data (SHA-256)", str(dataset["sha256"]), is_code=True))
    facts.append(Fact("Study", str(provenance.get("fingerprint")), is_code=True))
    return facts


def _other_rule(verdict: Verdict) -> list[Fact]:
    other = verdict.other_rule
    if other is None:
        return []
    name = other.name.rstrip(",")
    said = f"{short(other.best, 60)}. {other.why}"
    return [Fact(f"{name[:1].upper()}{name[1:]}", said)]


def _classes(classes: Sequence[str]) -> str:
    """Name the classes, each kept apart from letters that run the other way."""
    shown = [f"\u2068{short(name, 30)}\u2069" for name in classes[:_MOST_CLASSES]]
    hidden = len(classes) - len(shown)
    return ", ".join(shown) + (f" and {hidden} more" if hidden > 0 else "")


def repeating_facts(provenance: dict[str, Any]) -> list[Fact]:
    """Say what it takes to repeat this: the command, the versions, the machine."""
    facts = []
    if provenance.get("command"):
        facts.append(Fact("To repeat it", str(provenance["command"]), is_code=True))
    versions = {
        "polychotomy": provenance.get("polychotomy"),
        "Python": provenance.get("python"),
        **provenance.get("versions", {}),
    }
    said = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    if said:
        facts.append(Fact("Versions", said))
    if provenance.get("platform"):
        facts.append(Fact("Machine", str(provenance["platform"])))
    return facts


def record_fold(provenance: dict[str, Any]) -> Fold:
    """Return everything recorded about where the numbers come from, folded."""
    record = json.dumps(provenance, indent=2, ensure_ascii=False, default=str)
    shown = record if len(record) <= _LONGEST_RECORD else f"{record[:_LONGEST_RECORD]}\n…"
    heading = "Candidates as they were fitted, and the whole record"
    return Fold(heading, texts=[shown], on_paper=False)
