"""Sentence: one statement of a verdict, with what stands behind it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

Section: TypeAlias = Literal[
    "which", "real", "price", "trust", "limits", "combining", "errors", "failed", "computed"
]
"""The page's sections, each of which answers one question."""


QUESTIONS: dict[Section, str] = {
    "which": "Which one?",
    "real": "Is it real?",
    "price": "At what price?",
    "trust": "Can I trust the probabilities?",
    "limits": "What limits it?",
    "combining": "Would combining help?",
    "errors": "Where does it err?",
    "failed": "What failed?",
    "computed": "How was this computed?",
}
"""Those questions, as the page asks them."""


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """What is said, in plain words, and why it may be said.

    Parameters
    ----------
    text : str
        For whoever has to act on it.
    basis : str
        The test, its numbers and what it takes for granted, for whoever has to sign it.
    section : str
        Where the page shows more.
    emphasis : str
        The part of ``text`` that carries the claim; empty if none does.

    Examples
    --------
    >>> said = Sentence(text="Use logistic.", basis="…", section="which", emphasis="Use logistic")
    >>> print(said)
    Use logistic.
    >>> said.to_dict()["section"]
    'which'
    """

    text: str
    basis: str
    section: Section
    emphasis: str = ""

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, str]:
        """Return the parts as plain values."""
        return {name: str(value) for name, value in asdict(self).items()}
