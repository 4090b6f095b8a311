"""What is shown about the choice: who is worse, and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polychotomy.verdict.sentence import Sentence
from polychotomy.verdict.wording import join, measured, pvalue, some

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict


def say_shown(verdict: Verdict) -> list[Sentence]:
    """Say whom the best candidate is shown to be better than, and by how much than the nearest."""
    pairs, criterion = verdict.differences, verdict.criterion
    best = pairs.names.index(verdict.best)
    worse = [j for j, answer in enumerate(pairs.answers[best]) if answer == "better"]
    if not worse:
        return []
    nearest = min(worse, key=lambda j: float(pairs.estimate[j, best]))
    value, inside = measured(
        float(pairs.estimate[nearest, best]),
        float(pairs.low[nearest, best]),
        float(pairs.high[nearest, best]),
        criterion,
        clear_of=(0.0,),
    )
    by = f"by {value}{' points' if criterion.is_rate else ''}"
    numbers = f"{100 * pairs.level:.0f} % interval {inside}, {pvalue(pairs.pvalues[best, nearest])}"
    whom = join(some([pairs.names[j] for j in worse]))
    of_them = ""
    if len(worse) > 1:
        of_them = f" than {pairs.names[nearest]}, the nearest of them,"
    claim = f"shown to be better than {whom}"
    text = f"{verdict.best} is {claim}{';' if of_them else ','}{of_them} {by} ({numbers})."
    basis = (
        f"{100 * pairs.level:.0f} % intervals of the corrected resampled t test (Nadeau and Bengio "
        "2003) on one side of zero, each for itself: not corrected for their number. Assumed: the "
        "folds' differences are normal, and correlated as the correction takes them to be."
    )
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]
