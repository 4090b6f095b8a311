"""What is asked of a ledger: by which loss, rule and preference, and against whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from polychotomy.comparison import Criterion
from polychotomy.exceptions import InvalidInput

Rule: TypeAlias = Literal["margin", "paper"]
Preference: TypeAlias = Literal["listed", "time", "memory"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """How to choose among the candidates of a ledger.

    Parameters
    ----------
    rule : {"margin", "paper"}
        See :func:`judge`.
    margin : float, optional
        Difference that is of no practical meaning; by default one point of error, or 0.01 of
        another loss.
    criterion : Criterion
        By what candidates are compared.
    prefer : {"listed", "time", "memory"}
        Which candidates are preferred: as listed, or the cheaper by measured time, or those whose
        fitted models are smaller.
    against : str, optional
        A candidate that the winner must not be worse than.

    Examples
    --------
    >>> Question(margin=0.02).smallest_difference, Question().smallest_difference
    (0.02, 0.01)
    """

    rule: Rule = "margin"
    margin: float | None = None
    criterion: Criterion = field(default_factory=lambda: Criterion(name="error"))
    prefer: Preference = "listed"
    against: str | None = None

    def __post_init__(self) -> None:
        for name, allowed in (("rule", Rule), ("prefer", Preference)):
            value = getattr(self, name)
            if value not in get_args(allowed):
                *first, last = (repr(one) for one in get_args(allowed))
                words = f"{', '.join(first)} or {last}"
                raise InvalidInput(f"{name} is {value!r}; expected {words}.")
        number = isinstance(self.margin, int | float) and not isinstance(self.margin, bool)
        if self.margin is not None and not (number and 0.0 < self.margin < float("inf")):
            raise InvalidInput(
                f"margin is {self.margin!r}; expected a positive difference of losses, such as "
                "0.01 for one point of error."
            )

    @property
    def smallest_difference(self) -> float:
        """The margin asked for, or the criterion's own."""
        return self.criterion.margin if self.margin is None else float(self.margin)

    def to_dict(self) -> dict[str, Any]:
        """Return the question as plain values."""
        return {
            "rule": self.rule,
            "margin": self.smallest_difference,
            "loss": self.criterion.to_dict(),
            "prefer": self.prefer,
            "against": self.against,
        }
