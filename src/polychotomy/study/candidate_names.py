"""Candidates and names at the door: what could not be fitted or written is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from polychotomy.exceptions import InvalidInput
from polychotomy.learners.numbered_labels import with_numbered_labels


def check_candidates(candidates: Any) -> dict[str, Any]:
    """Return candidates as a dict, ready for labels of any kind, or say what is wrong with them.

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
    return {name: with_numbered_labels(one) for name, one in candidates.items()}


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
    if isinstance(candidate, type):
        raise InvalidInput(
            f"the candidate {name!r} is the class {candidate.__name__}; expected an instance of a "
            f"scikit-learn classifier. Did you mean {candidate.__name__}()?"
        )
    missing = [one for one in ("fit", "predict", "get_params") if not hasattr(candidate, one)]
    if missing:
        own = _innermost(candidate)
        lacking = [one for one in missing if not hasattr(own, one)] or missing
        raise InvalidInput(
            f"the candidate {name!r} is {_short(own)}, which has no {' and no '.join(lacking)}; "
            "expected a scikit-learn classifier (fit, predict, get_params)."
        )
    kind = _kind(candidate)
    if kind not in (None, "classifier"):
        raise InvalidInput(
            f"the candidate {name!r} is {_short(_innermost(candidate))}, a {kind}; expected a "
            "classifier, since classes are to be predicted."
        )


def _innermost(candidate: Any) -> Any:
    """Return what the user wrote, without the pipelines around it."""
    steps = getattr(candidate, "steps", None)
    while steps:
        candidate = steps[-1][1]
        steps = getattr(candidate, "steps", None)
    return candidate


def _short(candidate: Any) -> str:
    """Return a candidate in one line."""
    text = " ".join(repr(candidate).split())
    return text if len(text) <= 80 else f"a {type(candidate).__name__}"


def _kind(candidate: Any) -> str | None:
    """Return what an estimator says it is: a classifier, a regressor …; None if it does not."""
    from sklearn.utils import get_tags

    try:
        kind: str | None = get_tags(candidate).estimator_type
    except Exception:  # a class of the user's own may say nothing, or raise anything
        return None
    return kind.replace("_", " ") if kind else None
