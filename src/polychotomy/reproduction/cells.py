"""A printed number beside ours, and the verdict on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scipy.special import stdtrit

Verdict = Literal["agrees", "differs", "cannot"]
VERDICTS: tuple[Verdict, ...] = ("agrees", "differs", "cannot")
WORDS: dict[Verdict, str] = {
    "agrees": "agrees within its error",
    "differs": "differs",
    "cannot": "cannot be reproduced",
}
_TAIL = 0.0227501319  # beyond two standard errors of a normal variable, on one side


class Place(NamedTuple):
    """Where the paper prints a cell."""

    table: str
    row: str
    column: str


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One printed number or name, ours, and the verdict.

    Parameters
    ----------
    table, row, column : str
        Where the paper prints it.
    printed, ours : float or str
        Names are text. Ours is NaN where there is none.
    printed_error, ours_error : float
        Standard errors; NaN where there is none.
    z : float
        Ours minus printed in standard errors of both, less what rounding explains; NaN for names.
    verdict : {"agrees", "differs", "cannot"}
    why : str
        Why it differs, or what is missing; empty where there is nothing to say.
    decimals : int
        Digits after the point that the paper prints.
    """

    table: str
    row: str
    column: str
    printed: float | str
    ours: float | str
    printed_error: float = math.nan
    ours_error: float = math.nan
    z: float = math.nan
    verdict: Verdict
    why: str = ""
    decimals: int = 3

    @property
    def printed_text(self) -> str:
        """The printed side with its error, for people."""
        return _text(self.printed, self.printed_error, self.decimals)

    @property
    def ours_text(self) -> str:
        """Our side with its error, for people."""
        return _text(self.ours, self.ours_error, self.decimals)

    @property
    def verdict_text(self) -> str:
        """The verdict and its reason, for people."""
        return f"{WORDS[self.verdict]}: {self.why}" if self.why else WORDS[self.verdict]


def _text(value: float | str, error: float, decimals: int) -> str:
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return "–"
    text = f"{value:.{decimals}f}"
    return text if math.isnan(error) else f"{text} ± {_error_text(error, decimals)}"


def _error_text(error: float, decimals: int) -> str:
    """Two digits where the usual number of decimals would show nothing."""
    return f"{error:.{decimals}f}" if error >= 0.5 * 10.0**-decimals else f"{error:.1g}"


def compare_numbers(
    place: Place,
    *,
    printed: float,
    printed_error: float,
    ours: float,
    ours_error: float,
    decimals: int,
    spread: float = math.nan,
    runs: int | None = None,
    why: str = "",
    note: str = "",
) -> Cell:
    """Compare two means: they agree within two standard errors of both and the print's rounding.

    With few runs of ours, whose error is then itself uncertain, by Student's t within more.

    Parameters
    ----------
    spread : float
        Deviation of one run as printed: what a single run of ours, whose error is not known, is
        held to.
    runs : int, optional
        Of ours, where they are few and their error is most of it.
    why : str
        What to say where they differ.
    note : str
        What to say in any case.
    printed_error : float
        NaN where the printed number is exact but for rounding.

    Examples
    --------
    >>> place = Place("Table 1", "iris", "NN")
    >>> printed = {"printed": 6.51, "printed_error": 0.02, "decimals": 2}
    >>> compare_numbers(place, **printed, ours=6.40, ours_error=0.05).verdict
    'agrees'
    >>> compare_numbers(place, **printed, ours=4.4, ours_error=0.1, why="other inputs").verdict_text
    'differs: other inputs'
    """
    errors = (printed_error, spread if math.isnan(ours_error) else ours_error)
    error = math.hypot(*(part for part in errors if not math.isnan(part)))
    z = standardise(ours - printed, error, decimals)
    agrees = abs(z) <= limit_of(runs)
    said = [note] if agrees else [note, why or "no cause known"]
    return Cell(
        **place._asdict(),
        printed=printed,
        printed_error=printed_error,
        ours=ours,
        ours_error=ours_error,
        z=z,
        verdict="agrees" if agrees else "differs",
        why="; ".join(text for text in said if text),
        decimals=decimals,
    )


def limit_of(runs: int | None) -> float:
    """Return the standard errors up to which two means agree: 2, or more with few runs.

    Examples
    --------
    >>> [round(limit_of(runs), 2) for runs in (None, 100, 10, 3)]
    [2.0, 2.03, 2.32, 4.53]
    """
    return 2.0 if runs is None or runs < 2 else float(stdtrit(runs - 1, 1 - _TAIL))


def standardise(difference: float, error: float, decimals: int) -> float:
    """Return a difference in standard errors, less the half unit that rounding may have moved.

    Examples
    --------
    >>> standardise(0.004, 0.001, 2), standardise(-0.025, 0.01, 2)
    (0.0, -2.0)
    """
    beyond = max(abs(difference) - 0.5 * 10.0**-decimals, 0.0)
    if beyond < 1e-12:
        return 0.0
    return math.copysign(round(beyond / error, 10) if error > 0 else math.inf, difference)


def missing_data(place: Place, *, printed: float | str, name: str, decimals: int = 3) -> Cell:
    """Return the cell of a data set that the folder lacks.

    Examples
    --------
    >>> place = Place("Table 1", "iris", "NN")
    >>> missing_data(place, printed=6.51, name="iris").verdict_text
    'cannot be reproduced: iris.csv.gz is not in the data folder'
    """
    return _without_ours(place, printed, f"{name}.csv.gz is not in the data folder", decimals)


def not_run(place: Place, *, printed: float | str, decimals: int = 3) -> Cell:
    """Return the cell of what no run has come to yet.

    Examples
    --------
    >>> not_run(Place("Table 1", "usps", "r"), printed=0.999999).verdict
    'cannot'
    """
    why = "the budget was spent before a run of it; a later call goes on"
    return _without_ours(place, printed, why, decimals)


def _without_ours(place: Place, printed: float | str, why: str, decimals: int) -> Cell:
    return Cell(
        **place._asdict(),
        printed=printed,
        ours=math.nan,
        verdict="cannot",
        why=why,
        decimals=decimals,
    )
