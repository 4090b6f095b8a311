"""Would bagging or more data help? In words that the interval supports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polychotomy.comparison import Criterion
from polychotomy.core.advice import Answer
from polychotomy.core.numbers import independence, measured, minus, percent, threshold
from polychotomy.decomposition import LearningCurveForecast
from polychotomy.verdict.sentence import Sentence

if TYPE_CHECKING:
    from polychotomy.verdict.verdict import Verdict


_ERROR = Criterion(name="error")


def say_bagging(verdict: Verdict) -> list[Sentence]:
    """Say whether bagging the best candidate would help."""
    if verdict.anatomy is None or verdict.guesses:
        return []
    advice = verdict.anatomy.bagging
    if verdict.candidate(verdict.best).error == 0:
        return [_say_nothing_to_gain(verdict)]
    claim, why = _worth(advice.answer, advice.gain, yes="worth it", no="not worth it")
    effect = say_effect(
        (advice.low, advice.expected, advice.high),
        words=_error(verdict),
        level=advice.interval_level,
        gain=advice.gain,
    )
    basis = (
        f"{minus(str(advice))} Out-of-bag error of "
        f"{verdict.anatomy.budgets[verdict.best].n_bootstraps} bootstrap fits against the "
        "cross-validated one, paired over rows (Tibshirani 1996; "
        f"confidence {advice.confidence:g} a side). "
        f"{independence(bool(verdict.dataset.get('groups')))}"
    )
    again = ""
    if advice.answer == "yes" and verdict.anatomy.averages:
        again = (
            "; it averages many fits already, and more of them (n_estimators) may do the same, "
            "which was not tried"
        )
    text = f"Bagging {effect}: {claim}{why}{again}."
    return [Sentence(text=text, basis=basis, section="limits", emphasis=claim)]


def _say_nothing_to_gain(verdict: Verdict) -> Sentence:
    claim = "nothing to gain can be seen"
    text = f"From bagging or more data {claim}: it made no error on these rows."
    basis = (
        f"Cross-validated error 0 over {verdict.ordering_folds} folds; other rows may well show "
        f"errors, and then ask again. {independence(bool(verdict.dataset.get('groups')))}"
    )
    return Sentence(text=text, basis=basis, section="limits", emphasis=claim)


def say_more_data(verdict: Verdict) -> list[Sentence]:
    """Say what twice the data would do."""
    forecast = None if verdict.anatomy is None else verdict.anatomy.forecast
    if forecast is None or verdict.guesses or verdict.candidate(verdict.best).error == 0:
        return []
    row = forecast.to_frame().iloc[0]
    claim, why = _worth(
        row["answer"], forecast.gain, yes="worth it if rows are cheap", no="hardly worth it"
    )
    effect = say_effect(
        (row["gain_low"], row["gain"], row["gain_high"]),
        words=_error(verdict),
        level=100 * (2 * forecast.confidence - 1),
        gain=forecast.gain,
    )
    times = "Twice" if row["factor"] == 2 else f"{row.factor:g} times"
    basis = (
        f"{minus(str(forecast))} {_which_error_now(verdict, forecast)} A power law with a floor "
        f"fitted to out-of-fold errors at training sizes "
        f"{', '.join(f'{size:g}' for size in forecast.sizes)}; confidence "
        f"{forecast.confidence:g} a side. Assumed: more of the same kind of rows."
    )
    text = f"{times} the data {effect}: {claim}{why}."
    return [Sentence(text=text, basis=basis, section="limits", emphasis=claim)]


def _which_error_now(verdict: Verdict, forecast: LearningCurveForecast) -> str:
    """Say why the curve's error now is not the cross-validated one."""
    plain = percent(verdict.candidate(verdict.best).error)
    return (
        f"The curve's value is that of a fit to all {forecast.n} rows; cross-validated fits see "
        f"{100 * verdict.training_share:.0f} % of them (mean {_error(verdict)} {plain}, before any "
        "correction for the choice)."
    )


def _worth(answer: Answer, gain: float, *, yes: str, no: str) -> tuple[str, str]:
    """Return the claim, and the threshold that it is about."""
    helps = threshold(gain)
    if answer == "cannot tell":
        return "the data cannot tell", f" whether it gains {helps} or more"
    if answer == "yes":
        return yes, f", for all of the interval exceeds {helps}"
    return no, f", for the interval rules out a gain of {helps}"


def _error(verdict: Verdict) -> str:
    """Return what the share of wrong labels is called beside the verdict's criterion."""
    if verdict.decides_by_cost:
        return "share of wrong most probable labels"
    return "error" if verdict.criterion.name == "error" else "share of wrong labels"


def say_effect(gains: tuple[float, float, float], *, words: str, level: float, gain: float) -> str:
    """Say by how much an error falls or rises, from low, middle and high of its fall.

    "Would" is said only where the interval lies on one side of zero.

    Examples
    --------
    >>> say_effect((-0.0235, 0.003, 0.0047), words="error", level=80, gain=0.005)[:48]
    'is expected to lower its error by about 0.30 poi'
    >>> say_effect((0.006, 0.013, 0.02), words="error", level=80, gain=0.005)
    'would lower its error by about 1.3 points (80 % interval 0.6 to 2.0)'
    """
    low, middle, high = gains
    across, falls = low < 0 < high, middle >= 0
    if not (across or falls):
        low, high = -high, -low  # an interval of the rise
    decisive = (gain, 0.0) if across else (gain,) if falls else ()
    value, inside = measured(abs(middle), low, high, _ERROR, clear_of=decisive)
    interval = f"{level:.0f} % interval {_from_to(inside) if across else inside}"
    modal = "is expected to" if across else "would"
    if abs(middle) < gain / 10:
        side = "" if across else f" points {'lower' if falls else 'higher'}"
        return f"{modal} leave its {words} about as it is ({interval}{side})"
    verb = "lower" if falls else "raise"
    return f"{modal} {verb} its {words} by about {value} points ({interval})"


def _from_to(inside: str) -> str:
    """Write an interval of gains across zero without minus signs."""
    low, high = inside.split(" to ")
    return f"from {low.removeprefix('−')} points higher to {high} lower"
