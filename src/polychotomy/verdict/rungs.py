"""Large tables: candidates are fitted on few rows first, and only the promising on all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polychotomy.comparison import case_t_test
from polychotomy.core.arrays import Floats
from polychotomy.core.numbers import amount, gap
from polychotomy.study import Ledger, Study
from polychotomy.study.design.candidates import LeftOut
from polychotomy.study.design.plan import Rung
from polychotomy.study.progress import ShowProgress
from polychotomy.verdict.case import is_baseline
from polychotomy.verdict.question import Question, rungs_of

_SURE = 3.0  # standard errors


def run_rungs(
    study: Study,
    question: Question,
    ledger: Ledger,
    *,
    tell: Callable[[str], None] | None = None,
    progress: ShowProgress | None = None,
    **running: Any,
) -> Study:
    """Fit the candidates rung by rung; return the study of those that reach the end."""
    alive = dict(study.candidates)
    for rung in rungs_of(study, question):
        study.changed(plan=rung, candidates=alive).run(ledger, progress=progress, **running)
        behind = left_behind(study, question, ledger)
        alive = {name: one for name, one in study.candidates.items() if name not in behind}
        if tell is not None:
            losses, _ = _losses(study, question, ledger, rung, list(study.candidates))
            means = sorted((float(own.mean()), name) for name, own in losses.items())
            shown = [
                f"{name} {amount(mean, question.criterion)}{' (left behind)' * (name in behind)}"
                for mean, name in means
            ]
            tell(f"so far, on {rung.train} rows: {', '.join(shown)}")
    return study.changed(candidates=alive)


def left_behind(study: Study, question: Question, ledger: Ledger) -> dict[str, LeftOut]:
    """Return who was left behind at a rung, and why: a function of what the ledger has."""
    alive = list(study.candidates)
    found: dict[str, LeftOut] = {}
    before: dict[str, Floats] = {}
    rungs = rungs_of(study, question)
    guesses = [name for name, one in study.candidates.items() if is_baseline(one)]  # cost nothing
    for number, rung in enumerate(rungs):
        losses, groups = _losses(study, question, ledger, rung, alive)
        if len(losses) < 2:
            continue
        leader = min(losses, key=lambda name: losses[name].mean())
        for name in [one for one in losses if one in before and one not in (leader, *guesses)]:
            tables = losses[name], losses[leader], before[name]
            behind = least_behind(*tables, steps=len(rungs) - number, groups=groups)
            if behind > question.smallest_difference:
                alive.remove(name)
                apart = gap(float((losses[name] - losses[leader]).mean()), question.criterion)
                why = f"on {rung.train} rows {apart} behind {leader}, more than it can gain from "
                found[name] = LeftOut(name, f"{why}more rows", rows=rung.train)
        before = losses
    return found


def least_behind(
    own: Floats, leader: Floats, before: Floats, *, steps: int, groups: Any = None
) -> float:
    """Return by how much a candidate is still behind at the end, at the very least.

    It may gain, at each step that is left, what it gained by the last one, while the leader gains
    nothing: learning curves flatten, so that curves which cross later are allowed for. All means
    are taken three standard errors in its favour.

    Parameters
    ----------
    own, leader : (rows,) losses
        At this rung.
    before : (rows,) losses
        Its own at the rung before, of the same rows.
    steps : int
        Rungs still to come.
    groups : (rows,) values, optional
        Rows of one group are not independent.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> good, poor, poorer = (rng.random(40_000) < p for p in (0.1, 0.3, 0.31))
    >>> 0.1 < least_behind(poor, good, poorer, steps=2) < 0.2
    True
    """
    behind = case_t_test(own[np.newaxis], leader[np.newaxis], groups=groups)
    gain = case_t_test(before[np.newaxis], own[np.newaxis], groups=groups)
    least = behind.mean_difference - _SURE * behind.standard_error
    most = max(gain.mean_difference, 0.0) + _SURE * gain.standard_error
    return float(least - steps * most)


def _losses(
    study: Study, question: Question, ledger: Ledger, rung: Rung, names: list[str]
) -> tuple[dict[str, Floats], Any]:
    """Return the losses of the rows tested at a rung, by who has all of them; and their groups."""
    done = ledger.done()
    names = [name for name in names if (study.dataset, name, rung.name) in done
             and done[study.dataset, name, rung.name].all()]  # fmt: skip
    if not names:
        return {}, None
    found = ledger.out_of_fold(names, dataset=study.dataset, plan=rung.name)
    tested = found.folds[0, 0] >= 0
    losses = question.criterion.sample_losses(found)[:, 0, 0, tested]
    groups = None if study.groups is None else np.asarray(study.groups)[tested]
    kept = {n: row for n, row in zip(names, losses, strict=True) if not np.isnan(row).any()}
    return kept, groups
