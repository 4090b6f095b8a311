"""How far a study is, counted and said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from polychotomy.study.design.specification import Planned, Specification, plan_from_dict


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
    found = {(row["dataset"], row["plan"], row["candidate"]): row for row in summary}
    lines = [f"{sum(row['trials'] for row in summary)} of {sum(counts.values())} fits recorded"]
    parts = list(dict.fromkeys((dataset, plan) for dataset, plan, _ in counts))
    for dataset, plan in parts:
        if len(parts) > 1:
            lines.append(f"  {dataset}, {plan}:")
        indent = "    " if len(parts) > 1 else "  "
        for names, n in counts.items():
            if names[:2] == (dataset, plan):
                row = found.get(names, {"trials": 0, "failed": 0})
                failed = f", {row['failed']} failed" if row["failed"] else ""
                lines.append(f"{indent}{names[2]}: {row['trials']} of {n}{failed}")
    lines += [
        f"  {s['candidate']} was stopped on {s['dataset']} after {s['repetitions']} repetitions: "
        f"{s['reason']}"
        for s in stopped
    ]
    return "\n".join(lines)
