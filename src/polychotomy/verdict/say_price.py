"""What the best candidate costs beside others, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polychotomy.verdict.say_doubt import equals
from polychotomy.verdict.sentence import Sentence
from polychotomy.verdict.wording import gap, times

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict

_MUCH_CHEAPER = 2.0
_BASIS = (
    "Mean wall-clock seconds of the same fits, one thread each; times vary with the machine and "
    "what else it does."
)


def say_price(verdict: Verdict) -> list[Sentence]:
    """Say what is as good and much cheaper, else what it costs beside its nearest rival."""
    price = verdict.price
    if verdict.guesses or not (price.fit_seconds > 0).all():  # predictions may have no clocks
        return []
    cheaper = _cheaper_equal(verdict)
    if cheaper is not None:
        name, ratio, shown = cheaper
        equal = "is practically equal" if shown else "did as well in every fold"
        claim = f"{name} {equal} and {'' if shown else 'is '}{times(ratio)} cheaper"
        within = f" (within {gap(verdict.margin, verdict.criterion)})" if shown else ""
        text = f"{claim}, fitting and predicting together{within}."
        return [Sentence(text=text, basis=_BASIS, section="price", emphasis=claim)]
    i = price.names.index(verdict.best)
    rivals = [int(j) for j in np.argsort(price.loss, kind="stable")[:3] if j != i]
    rivals = [j for j in rivals if price.names[j] not in verdict.yardsticks]
    if not rivals:
        return []
    j = rivals[0]
    fit = _compare(float(price.fit_seconds[j] / price.fit_seconds[i]), "fit")
    ask = _compare(float(price.predict_seconds[j] / price.predict_seconds[i]), "predict")
    both = f"{fit} and {ask}"
    if fit.startswith("takes") and ask.startswith("takes"):
        same = fit.startswith("takes about") and ask.startswith("takes about")
        both = f"{fit} and {'to predict' if same else ask.removeprefix('takes ')}"
    text = f"Compared with {price.names[j]}, it {both}."
    return [Sentence(text=text, basis=_BASIS, section="price")]


def _cheaper_equal(verdict: Verdict) -> tuple[str, float, bool] | None:
    """Return the cheapest candidate as good as the best, how many times, and whether shown."""
    shown, alike = equals(verdict)
    spent = {
        c.name: c.fit_seconds + c.predict_seconds
        for c in map(verdict.candidate, verdict.price.names)
    }
    if not shown and not alike:
        return None
    cheapest = min([*shown, *alike], key=lambda name: spent[name])
    ratio = spent[verdict.best] / spent[cheapest]
    return (cheapest, ratio, cheapest in shown) if ratio >= _MUCH_CHEAPER else None


def _compare(ratio: float, verb: str) -> str:
    """Say how fast the best is, the other taking ``ratio`` times as long."""
    if ratio >= 1.5:
        return f"{verb}s {times(ratio)} as fast"
    if ratio <= 1 / 1.5:
        return f"takes {times(1 / ratio)} as long to {verb}"
    return f"takes about as long to {verb}"
