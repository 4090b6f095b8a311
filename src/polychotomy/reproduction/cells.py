"""A printed number beside ours, and the verdict on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scipy.special import stdtrit

from polychotomy.core.numbers import counted

Verdict = Literal["agrees", "differs", "few", "cannot"]

VERDICTS: tuple[Verdict, ...] = ("agrees", "differs", "few", "cannot")

WORDS: dict[Verdict, str] = {
    "agrees": "agrees within its error",
    "differs": "differs",
    "few": "too few runs to tell",
    "cannot": "cannot be reproduced",
}

Cause = Literal["inputs", "learner", "design", "data", "paper", "follows", "unknown"]

CAUSES: dict[Cause, str] = {
    "inputs": "coding or scaling of inputs is not printed",
    "learner": "details of the learner are not printed",
    "design": "sizes of the parts are not printed",
    "data": "another version of the data set",
    "paper": "the printed number is wrong",
    "follows": "follows from other cells that differ",
    "unknown": "unexplained",
}
"""Why cells differ, in groups."""

Basis = Literal["shown", "guess", "none"]

BASES: dict[Basis, str] = {
    "shown": "shown by another reading",
    "guess": "a guess",
    "none": "none known",
}
"""What a reason rests on."""

FEWEST_RUNS = 5

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
    verdict : {"agrees", "differs", "few", "cannot"}
    cause : {"inputs", "learner", "design", "data", "paper", "follows", "unknown"}, optional
        The kind of reason for which it differs; every cell that differs has one.
    basis : {"shown", "guess", "none"}, optional
        What that reason rests on: a run of another reading that gives the printed number within
        its error, a guess, or nothing.
    why : str
        Why it differs, or what is missing; empty where there is nothing to say.
    scale : float
        Up to this difference the two are the same in practice; NaN where none is set.
    decimals : int
        Digits after the point that the paper prints.

    Examples
    --------
    >>> from polychotomy.reproduction import Cell
    >>> cell = Cell(
    ...     table="Table 1", row="iris", column="NN", printed=6.51, ours=6.4, verdict="agrees"
    ... )
    >>> cell.printed_text, cell.verdict_text
    ('6.510', 'agrees within its error')
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
    cause: Cause | None = None
    basis: Basis | None = None
    why: str = ""
    scale: float = math.nan
    decimals: int = 3

    def __post_init__(self) -> None:
        is_different = self.verdict == "differs"
        if is_different != (self.cause is not None) or is_different != (self.basis is not None):
            raise ValueError(
                f"verdict={self.verdict!r}, cause={self.cause!r}, basis={self.basis!r}; expected a "
                "cause and its basis exactly where a cell differs."
            )

    @property
    def practical(self) -> str:
        """The second scale: "same" or "differs" in practice; empty where it cannot be said.

        Names are the same where the first of both sides is, whatever share stands behind it.
        """
        if self.verdict == "cannot":
            return ""
        if isinstance(self.printed, str) and isinstance(self.ours, str):
            same = self.printed.partition(" (")[0] == self.ours.partition(" (")[0]
        elif isinstance(self.printed, str) or isinstance(self.ours, str) or math.isnan(self.scale):
            return ""
        else:
            away = abs(standardise(self.ours - self.printed, 1.0, self.decimals))
            same = away <= self.scale
        return "same" if same else "differs"

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
    runs: int,
    largest_error: float = 0.0,
    scale: float = math.nan,
    cause: Cause = "unknown",
    basis: Basis = "none",
    why: str = "",
    note: str = "",
) -> Cell:
    """Compare two means: they agree within two standard errors of both and the print's rounding.

    With few runs of ours, whose error is then itself uncertain, by Student's t within more. That
    they agree is said only after five runs or more and with a small error of ours: a large one
    agrees with everything.

    Parameters
    ----------
    runs : int
        Of ours.
    largest_error : float
        Standard error of ours up to which agreement is said; half a unit of the print is always
        small enough.
    scale : float
        Up to this difference they are the same in practice.
    cause, basis, why : str
        What to say where they differ: the kind of reason, what it rests on, and the reason.
    note : str
        What to say in any case.

    Examples
    --------
    >>> place = Place("Table 1", "iris", "NN")
    >>> printed = {"printed": 6.51, "printed_error": 0.02, "decimals": 2, "largest_error": 1.2}
    >>> compare_numbers(place, **printed, ours=6.40, ours_error=0.05, runs=20).verdict
    'agrees'
    >>> cell = compare_numbers(
    ...     place, **printed, ours=4.4, ours_error=0.1, runs=20, cause="inputs", why="other inputs"
    ... )
    >>> cell.verdict_text
    'differs: other inputs'
    >>> compare_numbers(place, **printed, ours=6.40, ours_error=0.05, runs=2).verdict_text
    'too few runs to tell: 2 runs of ours'
    """
    known = [error for error in (printed_error, ours_error) if not math.isnan(error)]
    z = standardise(ours - printed, math.hypot(*known), decimals)
    beyond = runs > 1 and abs(z) > limit_of(runs)
    enough = runs >= FEWEST_RUNS and ours_error <= max(largest_error, 0.5 * 10.0**-decimals)
    verdict: Verdict = "differs" if beyond else "agrees" if enough else "few"
    reasons: dict[Verdict, str] = {
        "differs": why or CAUSES[cause],
        "few": f"{counted(runs, 'run')} of ours"
        if runs < FEWEST_RUNS
        else f"our error is {ours_error:.2g}",
    }
    return Cell(
        **place._asdict(),
        printed=printed,
        printed_error=printed_error,
        ours=ours,
        ours_error=ours_error,
        z=z if runs > 1 else math.nan,
        verdict=verdict,
        cause=cause if beyond else None,
        basis=basis if beyond else None,
        why="; ".join(text for text in (note, reasons.get(verdict, "")) if text),
        scale=scale,
        decimals=decimals,
    )


def compare_exact(
    place: Place,
    *,
    printed: float,
    ours: float,
    decimals: int,
    scale: float = math.nan,
    cause: Cause = "unknown",
    basis: Basis = "none",
    why: str = "",
) -> Cell:
    """Compare two numbers without error: they agree if ours, rounded, is the printed one.

    Examples
    --------
    >>> place = Place("Example (1)", "r", "p1")
    >>> compare_exact(place, printed=0.47, ours=0.4746, decimals=2).verdict
    'agrees'
    >>> compare_exact(place, printed=0.47, ours=0.4811, decimals=2, cause="paper").verdict_text
    'differs: the printed number is wrong'
    """
    same = standardise(ours - printed, math.nan, decimals) == 0
    return Cell(
        **place._asdict(),
        printed=printed,
        ours=ours,
        verdict="agrees" if same else "differs",
        cause=None if same else cause,
        basis=None if same else basis,
        why="" if same else why or CAUSES[cause],
        scale=scale,
        decimals=decimals,
    )


def explains(other: Cell, ours: Cell) -> bool:
    """Whether another reading shows why ours differs: it agrees, and surely differs from ours.

    A reading of few runs that gives what ours gives may agree for its large error alone.

    Examples
    --------
    >>> place = Place("Table 1", "pima", "LGC")
    >>> printed = {"printed": 23.35, "printed_error": 0.02, "decimals": 2, "largest_error": 1.2}
    >>> ours = compare_numbers(place, **printed, ours=23.20, ours_error=0.02, runs=458)
    >>> other = compare_numbers(place, **printed, ours=23.23, ours_error=0.15, runs=10)
    >>> ours.verdict, other.verdict, explains(other, ours)
    ('differs', 'agrees', False)
    """
    away = abs(float(other.ours) - float(ours.ours))
    return other.verdict == "agrees" and away > 2 * math.hypot(other.ours_error, ours.ours_error)


def limit_of(runs: int) -> float:
    """Return the standard errors up to which two means agree: 2, or more with few runs.

    Examples
    --------
    >>> [round(limit_of(runs), 2) for runs in (1000, 100, 10, 3)]
    [2.0, 2.03, 2.32, 4.53]
    """
    return float(stdtrit(runs - 1, 1 - _TAIL))


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


def without_ours(place: Place, *, printed: float | str, lacks: str = "", decimals: int = 3) -> Cell:
    """Return the cell that lacks data, and says which, or to which no run has come yet.

    Examples
    --------
    >>> place = Place("Table 1", "iris", "NN")
    >>> without_ours(place, printed=6.51, lacks="iris").verdict_text
    'cannot be reproduced: the data folder lacks iris'
    >>> without_ours(place, printed=6.51).verdict
    'few'
    """
    spent = "the budget was spent before a run of it; a later call goes on"
    return Cell(
        **place._asdict(),
        printed=printed,
        ours=math.nan,
        verdict="cannot" if lacks else "few",
        why=f"the data folder lacks {lacks}" if lacks else spent,
        decimals=decimals,
    )
