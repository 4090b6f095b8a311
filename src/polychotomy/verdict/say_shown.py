"""What is shown about the choice: who is worse, by how much, and against whom it stays open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polychotomy.verdict.doubt import same_losses
from polychotomy.verdict.sentence import Sentence
from polychotomy.verdict.wording import gap, join, measured, pvalue, some

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict


def say_shown(verdict: Verdict) -> list[Sentence]:
    """Say whom the best candidate is shown to be better than, and by how much than the nearest."""
    pairs = verdict.differences
    best = pairs.names.index(verdict.best)
    worse = [j for j, answer in enumerate(pairs.answers[best]) if answer == "better"]
    if not worse:
        return []
    nearest = min(worse, key=lambda j: float(pairs.estimate[j, best]))
    value, numbers = _lead(verdict, nearest, best)
    whom = join(some([pairs.names[j] for j in worse]))
    of_them = ""
    if len(worse) > 1:
        of_them = f" than {pairs.names[nearest]}, the nearest of them,"
    claim = f"shown to be better than {whom}"
    text = f"{verdict.best} is {claim}{';' if of_them else ','}{of_them} by {value} ({numbers})."
    basis = (
        f"{100 * pairs.level:.0f} % intervals of the corrected resampled t test (Nadeau and Bengio "
        "2003) on one side of zero, each for itself: not corrected for their number. Assumed: the "
        "folds' differences are normal, and correlated as the correction takes them to be."
    )
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


def say_open(verdict: Verdict) -> list[Sentence]:
    """Say which others the data do not tell from the best, of those named nowhere else."""
    pairs = verdict.differences
    best = pairs.names.index(verdict.best)
    rivals = _open(verdict, best)
    if not rivals:
        return []
    first = min(rivals, key=lambda j: float(pairs.estimate[j, best]))
    ahead = bool(pairs.estimate[first, best] < 0)
    value, numbers = _lead(verdict, *((best, first) if ahead else (first, best)))
    named = {j: _named(verdict, pairs.names[j]) for j in rivals}
    whom = join(some(list(named.values())))
    claim = f"Against {whom} the data cannot decide"
    if verdict.guesses:
        any_of = "any of " if len(rivals) > 1 else ""
        claim = f"Whether {any_of}{whom} beats guessing, the data cannot decide"
    who = ": it" if len(rivals) == 1 else f"; {named[first]}, the best of them,"
    text = f"{claim}{who} is {value} {'better' if ahead else 'worse'} here ({numbers})."
    basis = (
        f"{100 * pairs.level:.0f} % intervals of the corrected resampled t test (Nadeau and Bengio "
        f"2003) with zero inside and not all within {gap(pairs.margin, verdict.criterion)} of it, "
        "each for itself: not corrected for their number. Assumed: the folds' differences are "
        "normal, and correlated as the correction takes them to be."
    )
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


def _open(verdict: Verdict, best: int) -> list[int]:
    """Return who is undecided against the best and named by no other sentence.

    The rival that matters most has a sentence of its own, and so have those that did the same in
    every fold; whom the paper's rule passed over for the best is shown to be worse by its test.
    """
    pairs, ordering, found = verdict.differences, verdict.ordering, verdict.undecided
    by_test = verdict.rule == "paper"
    return [
        j
        for j, (name, answer) in enumerate(zip(pairs.names, pairs.answers[best], strict=True))
        if answer == "undecided"
        and not same_losses(pairs, best, j)
        and not (found is not None and found.rival == name)
        and not (by_test and j < best and ordering.edges[j, best])
        and not (verdict.guesses and name in verdict.yardsticks)
    ]


def _named(verdict: Verdict, name: str) -> str:
    return f"guessing ({name})" if name in verdict.yardsticks else name


def _lead(verdict: Verdict, behind: int, ahead: int) -> tuple[str, str]:
    """Write by how much one is worse than another, and the interval with its p-value."""
    pairs, criterion = verdict.differences, verdict.criterion
    value, inside = measured(
        float(pairs.estimate[behind, ahead]),
        float(pairs.low[behind, ahead]),
        float(pairs.high[behind, ahead]),
        criterion,
        clear_of=(0.0,),
    )
    numbers = f"{100 * pairs.level:.0f} % interval {inside}, {pvalue(pairs.pvalues[ahead, behind])}"
    return f"{value}{' points' if criterion.is_rate else ''}", numbers
