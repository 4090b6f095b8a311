"""Candidates and names at the door: what could not be fitted or written is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from polychotomy.exceptions import InvalidInput


def check_candidates(candidates: Any) -> dict[str, Any]:
    """Return candidates as a dict, or say what is wrong with them.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> list(check_candidates({"MAX": DummyClassifier()}))
    ['MAX']
    """
    if not isinstance(candidates, Mapping):
        raise InvalidInput(
            f"candidates is a {type(candidates).__name__}; expected {{name: classifier}}, "
            "in order of preference."
        )
    if not candidates:
        raise InvalidInput("candidates is empty; expected {name: classifier} with at least one.")
    for name, candidate in candidates.items():
        check_name(name, "candidate")
        _check_candidate(name, candidate)
    return dict(candidates)


def check_name(name: Any, kind: str) -> None:
    """Refuse names that are no text, could be a path upwards, or hide something.

    Examples
    --------
    >>> check_name("1-NN", "candidate")
    """
    if not isinstance(name, str) or not name.strip():
        raise InvalidInput(f"a {kind} is named {name!r}; expected text that is not empty.")
    if ".." in name.replace("\\", "/").split("/") or not name.isprintable():
        raise InvalidInput(
            f"a {kind} is named {name!r}; expected a name without control characters and "
            "without '..' as a part of a path."
        )


def _check_candidate(name: str, candidate: Any) -> None:
    if isinstance(candidate, type) or not all(
        hasattr(candidate, method) for method in ("fit", "predict", "get_params")
    ):
        hint = f" Did you mean {candidate.__name__}()?" if isinstance(candidate, type) else ""
        raise InvalidInput(
            f"the candidate {name!r} is {candidate!r}; expected a scikit-learn classifier "
            f"(fit, predict, get_params).{hint}"
        )
