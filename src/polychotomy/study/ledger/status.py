"""How far a study is, counted and said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from polychotomy.study.design.specification import Specification, plan_from_dict

Planned = dict[str, dict[str, dict[str, int]]]
"""{plan: {data set: {candidate: repetitions of all runs}}}"""


def unite_planned(stored: Planned, asked: Planned) -> Planned:
    """Join two tables of what is planned: the larger number of repetitions counts.

    Examples
    --------
    >>> unite_planned({"p": {"d": {"a": 5}}}, {"p": {"d": {"a": 2, "b": 2}}})
    {'p': {'d': {'a': 5, 'b': 2}}}
    """
    united: Planned = {}
    for one in (stored, asked):
        for plan, datasets in one.items():
            for dataset, candidates in datasets.items():
                known = united.setdefault(plan, {}).setdefault(dataset, {})
                for candidate, repetitions in candidates.items():
                    known[candidate] = max(repetitions, known.get(candidate, 0))
    return united


def count_planned(
    specification: Specification, planned: Planned, stopped: Iterable[Mapping[str, Any]]
) -> dict[tuple[str, str, str], int]:
    """Return how many trials each (data set, plan, candidate) has in all.

    A candidate that racing stopped has only the repetitions before that.
    """
    halted = {(s["dataset"], s["plan"], s["candidate"]): s["repetitions"] for s in stopped}
    counts = {}
    for plan, datasets in planned.items():
        folds = plan_from_dict(specification["plans"][plan]).n_folds
        for dataset, candidates in datasets.items():
            for candidate, repetitions in candidates.items():
                names = (dataset, plan, candidate)
                counts[names] = folds * min(repetitions, halted.get(names, repetitions))
    return counts


def say_status(
    specification: Specification,
    planned: Planned,
    summary: Sequence[Mapping[str, Any]],
    stopped: Sequence[Mapping[str, Any]],
) -> str:
    """Say how many trials of each candidate are recorded, failed and still to come."""
    counts = count_planned(specification, planned, stopped)
    lines = [f"{sum(row['trials'] for row in summary)} of {sum(counts.values())} fits recorded"]
    pairs = list(dict.fromkeys((dataset, plan) for dataset, plan, _ in counts))
    for dataset, plan in pairs:
        indent = "  "
        if len(pairs) > 1:
            lines.append(f"  {dataset}, {plan}:")
            indent = "    "
        own = {r["candidate"]: r for r in summary if (r["dataset"], r["plan"]) == (dataset, plan)}
        for (one, other, candidate), n in counts.items():
            if (one, other) == (dataset, plan):
                lines.append(f"{indent}{candidate}: {_say_counts(own.get(candidate), n)}")
    lines += [
        f"  {s['candidate']} was stopped on {s['dataset']} after {s['repetitions']} repetitions: "
        f"{s['reason']}"
        for s in stopped
    ]
    return "\n".join(lines)


def _say_counts(row: Mapping[str, Any] | None, planned: int) -> str:
    if row is None:
        return f"0 of {planned}"
    return f"{row['trials']} of {planned}" + (f", {row['failed']} failed" if row["failed"] else "")
