"""Would combining, bagging or more data help? In words that the intervals support."""

from __future__ import annotations

from polychotomy.combination import CombinationAdvice
from polychotomy.combination.advice import NEGLIGIBLE
from polychotomy.comparison import Criterion
from polychotomy.core.advice import Answer
from polychotomy.core.numbers import measured, minus, percent, rough, signed, threshold
from polychotomy.decomposition import LearningCurveForecast
from polychotomy.telling.trust import assume_independence
from polychotomy.telling.uncertainty import within_reach
from polychotomy.verdict import Sentence, Verdict

_ERROR = Criterion(name="error")


def say_combining(verdict: Verdict) -> list[Sentence]:
    """Say whether a combination would rank better than the best candidate."""
    advice = verdict.combination
    if advice is None:
        return []
    if verdict.guesses:
        claim, text = _beyond_guessing(advice)
    elif advice.auc_over == 1:
        claim = "nothing to gain"
        text = f"Combining the candidates: {claim}, for {advice.over} ranks these rows faultlessly."
    else:
        claim, more = _worth_combining(verdict, advice)
        text = f"Combining the candidates, compared with {advice.over} alone: {claim}, "
        text += f"{_auc_gain(advice)}{more}."
    basis = (
        f"{minus(str(advice))} {_which_auc(verdict)} {assume_independence(verdict)} Where the "
        'truth is known, "a gain" and "no gain" were right in nine of ten, such intervals held in '
        "three of four, and in one of thirty tables the plain average was better by over a point."
    )
    return [Sentence(text=text, basis=basis, section="combining", emphasis=claim)]


def _which_auc(verdict: Verdict) -> str:
    """Say what the AUC of combining is."""
    pairs = ", those of each two classes by the odds between these two, and the pairs averaged"
    return f"AUC: rows are ranked within their folds{pairs * (len(verdict.confusion.classes) > 2)}."


def _auc_gain(advice: CombinationAdvice) -> str:
    bounds = (-NEGLIGIBLE, 0.0, NEGLIGIBLE)
    value, *ends = measured(advice.difference, *advice.interval, _ERROR, clear_of=bounds)
    return (
        f"{signed(value)} points of AUC ({100 * advice.level:.0f} % interval {' to '.join(ends)})"
    )


def _beyond_guessing(advice: CombinationAdvice) -> tuple[str, str]:
    """Say whether all together tell the classes apart, where nobody has fewer errors."""
    low, high = (min(max(advice.auc_over + end, 0.0), 1.0) for end in advice.interval)
    numbers = (
        f"(AUC {advice.auc:.2f}, {100 * advice.level:.0f} % interval {low:.2f} to {high:.2f}; "
        f"guessing {advice.auc_over:.2f})."
    )
    if advice.conclusion != "helps":
        claim = "not shown to beat guessing either"
        return claim, f"Combined, the candidates are {claim} {numbers}"
    claim = "the features do tell the classes apart"
    return claim, f"Yet {claim}: combined, the candidates rank better than chance {numbers}"


def _worth_combining(verdict: Verdict, advice: CombinationAdvice) -> tuple[str, str]:
    """Return the claim, and what is to be added to the numbers."""
    helps = threshold(NEGLIGIBLE)
    if advice.conclusion == "undecided":
        rows = "ten times these rows may not"
        if within_reach(verdict, advice.samples_to_decide - verdict.dataset["rows"]):
            rows = f"about {rough(advice.samples_to_decide)} rows in all may"
        return "the data cannot tell", f"; {rows} tell whether it gains {helps}"
    shown = f", all of the interval beyond {helps}"
    perhaps = f", though perhaps of less than {helps}"
    return {
        "helps": ("a gain", shown if advice.low >= NEGLIGIBLE else perhaps),
        "helps little": ("no gain that matters", f", less than {helps}"),
        "makes no difference": ("no gain that matters", f", less than {helps} either way"),
        "does not help": ("no gain that matters", f", less than {helps} at best"),
        "harms": ("no gain that matters", ", and perhaps a loss"),  # true of three in five
    }[advice.conclusion]


def say_bagging(verdict: Verdict) -> list[Sentence]:
    """Say whether bagging the best candidate would help."""
    if verdict.anatomy is None or verdict.guesses or verdict.candidate(verdict.best).error == 0:
        return []
    advice = verdict.anatomy.bagging
    # "worth it" would say too much: in the lab this answer is right in fewer than nine of ten.
    claim, why = _worth(advice.answer, advice.gain, yes="worth trying", no="not worth it")
    gains = (advice.low, advice.expected, advice.high)
    effect = say_effect(gains, words=_error(verdict), level=advice.interval_level, gain=advice.gain)
    basis = (
        f"{minus(str(advice))} Out-of-bag error of "
        f"{verdict.anatomy.budgets[verdict.best].n_bootstraps} bootstrap fits against the "
        f"cross-validated one, paired over rows (Tibshirani 1996; confidence {advice.confidence:g} "
        'on each side). Where the truth is known, "no" was right in nine of ten, "yes" in three of '
        f"five, and such intervals held in seven of ten. {assume_independence(verdict)}"
    )
    again = "; it averages many fits already, and more (n_estimators), not tried, may do as well"
    again *= advice.answer != "no" and verdict.anatomy.averages
    text = f"Bagging {effect}: {claim}{why}{again}."
    return [Sentence(text=text, basis=basis, section="limits", emphasis=claim)]


def say_more_data(verdict: Verdict) -> list[Sentence]:
    """Say what twice the data would do."""
    forecast = None if verdict.anatomy is None else verdict.anatomy.forecast
    plain = verdict.candidate(verdict.best).error
    if forecast is None or verdict.guesses or plain == 0:
        return []
    row = forecast.to_frame().iloc[0]
    yes, no = "worth it if rows are cheap", "hardly worth it"
    claim, why = _worth(row["answer"], forecast.gain, yes=yes, no=no)
    if answer_more_data(forecast) == "probably":
        claim, why = f"probably {yes}", ""
    gains, level = (row["gain_low"], row["gain"], row["gain_high"]), 2 * forecast.confidence - 1
    effect = say_effect(gains, words=_error(verdict), level=100 * level, gain=forecast.gain)
    times = "Twice" if row["factor"] == 2 else f"{row.factor:g} times"
    basis = (
        f"{minus(str(forecast))} The curve's value is that of a fit to all {forecast.n} rows; "
        f"cross-validated fits see {100 * verdict.training_share:.0f} % of them (mean "
        f"{_error(verdict)} {percent(plain)}). A power law with a floor fitted to errors at sizes "
        f"{', '.join(f'{size:g}' for size in forecast.sizes)}; confidence {forecast.confidence:g} "
        "on each side. Where the truth is known, more than half a point was gained in nearly all "
        "cases called worth it and nine of ten called probably so (as it is in nine of ten without "
        "asking), and in three of eight called hardly. Assumed: more of the same kind of rows."
    )
    text = f"{times} the data {effect}: {claim}{why}."
    return [Sentence(text=text, basis=basis, section="limits", emphasis=claim)]


def answer_more_data(forecast: LearningCurveForecast) -> str:
    """Answer whether twice the data would help: "probably" where it is expected, and not shown."""
    expected = forecast.answers[0] == "cannot tell" and forecast.expected >= forecast.gain
    return "probably" if expected else forecast.answers[0]


def _worth(answer: Answer, gain: float, *, yes: str, no: str) -> tuple[str, str]:
    """Return the claim, and the threshold that it is about."""
    helps = threshold(gain)
    if answer == "cannot tell":
        return "the data cannot tell", f" whether it gains {helps} or more"
    if answer == "yes":
        return yes, f", for all of the interval exceeds {helps}"
    return no, f", for all of the interval is below {helps}"


def _error(verdict: Verdict) -> str:
    """Return what the share of wrong labels is called beside the verdict's criterion."""
    if verdict.decides_by_cost:
        return "share of wrong most probable labels"
    return "error" if verdict.criterion.name == "error" else "share of wrong labels"


def say_effect(gains: tuple[float, float, float], *, words: str, level: float, gain: float) -> str:
    """Say by how much an error is expected to fall or rise, from low, middle and high of its fall.

    Examples
    --------
    >>> say_effect((-0.0235, 0.003, 0.0047), words="error", level=80, gain=0.005)[:48]
    'is expected to lower its error by about 0.30 poi'
    >>> say_effect((0.006, 0.013, 0.02), words="error", level=80, gain=0.005)
    'is expected to lower its error by about 1.3 points (80 % interval 0.6 to 2.0)'
    """
    low, middle, high = gains
    across, falls = low < 0 < high, middle >= 0
    if not (across or falls):
        low, high = -high, -low  # an interval of the rise
    decisive = (gain, 0.0) if across else (gain,) if falls else ()
    value, first, last = measured(abs(middle), low, high, _ERROR, clear_of=decisive)
    inside = f"{first} to {last}"
    if across:
        inside = f"from {first.removeprefix('−')} points higher to {last} lower"
    interval = f"{level:.0f} % interval {inside}"
    if abs(middle) < gain / 10:
        side = "" if across else f" points {'lower' if falls else 'higher'}"
        return f"is expected to leave its {words} about as it is ({interval}{side})"
    verb = "lower" if falls else "raise"
    return f"is expected to {verb} its {words} by about {value} points ({interval})"
