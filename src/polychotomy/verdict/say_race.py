"""A race in words: who was stopped, or why nobody was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polychotomy.study import Race
from polychotomy.study.race import closest_call, pair_levels
from polychotomy.verdict.sentence import Sentence
from polychotomy.verdict.wording import join, percent, pvalue

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict


def say_race(verdict: Verdict) -> list[Sentence]:
    """Say who was not run to the end of a race, and why; or why everybody was."""
    stopped = [(c.name, c.stopped) for c in verdict.candidates if c.stopped is not None]
    if not stopped:
        raced = verdict.provenance.get("question", {}).get("race", False)
        return [_say_nobody(verdict)] if raced else []
    cases = [
        f"{name} after {why.after} of {why.of} repetitions, worse than {why.better} (error "
        f"{percent(why.error)} against {percent(why.better_error)}, {pvalue(why.pvalue)})"
        for name, why in stopped
    ]
    text = f"Stopped early and left out of the comparison: {join(cases)}."
    basis = f"{_rule(stopped[0][1].alpha)} Without a race all candidates are run to the end."
    return [Sentence(text=text, basis=f"{basis} {_ASSUMED}", section="which")]


_ASSUMED = (
    "Assumed: the folds' differences are normal, and correlated as the correction takes them to be."
)


def _rule(alpha: float) -> str:
    return (
        "A race: after every repetition but the last, each candidate is held against every more "
        "preferred one by one-sided corrected resampled t tests over all folds so far. The levels "
        "of the looks are spent as by O'Brien and Fleming and divided among the pairs, so that any "
        "candidate that is not worse than a more preferred one is stopped with a probability of at "
        f"most {alpha:g} on a data set."
    )


def _say_nobody(verdict: Verdict) -> Sentence:
    alpha = Race().alpha
    looks = int(verdict.plan["runs"]) * int(verdict.plan["repetitions"])
    folds, count = int(verdict.plan["folds"]), len(verdict.candidates)
    levels = pair_levels(alpha, looks=looks, folds=folds, candidates=count)
    claim = "The race stopped nobody"
    basis = (
        f"{_rule(alpha)} {_strictness(levels, count)}Never stopped are the most preferred "
        f"candidate, here {verdict.candidates[0].name}, and those that only less preferred ones "
        f"beat: a race needs a good candidate early in the list. {_ASSUMED}"
    )
    if count == 1:
        why = "there is one candidate only"
    elif not levels:
        why = f"{looks} repetitions of {folds} folds are too few to look before the end"
    else:
        why = (
            f"before the last of {looks} repetitions none was shown to be worse than a more "
            f"preferred one at the level of a look{_closest(verdict, levels)}"
        )
    return Sentence(text=f"{claim}: {why}.", basis=basis, section="which", emphasis=claim)


def _strictness(levels: dict[int, float], count: int) -> str:
    """Say what p-values were held to: little is spent on early looks, and every pair has a part."""
    if not levels:
        return ""
    (first, lowest), *_, (last, highest) = [*levels.items()] * 2
    return (
        f"For each of {count * (count - 1) // 2} pairs that is p ≤ {_small(lowest)} after "
        f"{first} and {_small(highest)} after {last} repetitions: early looks are strict, so that "
        "all together keep the level; after the last repetition nothing is left to save. "
    )


def _closest(verdict: Verdict, levels: dict[int, float]) -> str:
    """Say who came closest to being stopped, where all repetitions are in the ordering."""
    errors, names = verdict.ordering.errors, verdict.ordering.names
    if errors.ndim != 3 or errors.shape[1] <= max(levels):
        return ""
    found = closest_call(errors, levels, test_train_ratio=1 / (errors.shape[2] - 1))
    if found is None or found[1].pvalue > Race().alpha:
        return ""
    after, call = found
    digits = 2 if _small(call.pvalue) != _small(call.level) else 4
    return (
        f"; {names[call.candidate]} came closest, worse than {names[call.better]} after {after} "
        f"with p = {_small(call.pvalue, digits)} where {_small(call.level, digits)} was needed"
    )


def _small(value: float, digits: int = 2) -> str:
    """Write a small number without an exponent.

    Examples
    --------
    >>> _small(1.1726e-06), _small(0.0020244)
    ('0.0000012', '0.002')
    """
    return str(np.format_float_positional(value, precision=digits, fractional=False, trim="-"))
