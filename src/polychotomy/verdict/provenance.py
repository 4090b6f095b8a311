"""Where a verdict's numbers come from: all that it takes to compute them again."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from polychotomy.comparison import SelectedError
from polychotomy.study import Ledger
from polychotomy.study.specification import Specification, fingerprint
from polychotomy.validation import Trust
from polychotomy.validation.trust import CONFIDENCE_DRAWS
from polychotomy.verdict.case import Case
from polychotomy.verdict.question import Question


def provenance_of(
    case: Case,
    ledger: Ledger,
    question: Question,
    *,
    trust: Trust,
    selected: SelectedError | None,
    command: str | None = None,
    mark: str | None = None,
) -> dict[str, Any]:
    """Return what is recorded of a verdict: versions, seed, candidates, question, draws, hash.

    Every draw starts from the seed: the traces of true probabilities, the number of right ones
    among few (``confidence``), the rows drawn anew (``choice``).
    """
    specification = case.specification
    draws = {"trace": int(trust.null.slope.size), "confidence": CONFIDENCE_DRAWS}
    return {
        **ledger.fact("provenance"),
        "seed": specification["seed"],
        "draws": draws | ({} if selected is None else {"choice": selected.n_replicates}),
        "keep": specification["keep"],
        "versions": specification["versions"],
        "candidates": specification["candidates"],
        "question": question.to_dict(),
        "fingerprint": mark or fingerprint(specification),
        **({} if command is None else {"command": command}),
    }


def mark_of(specification: Specification, question: Question) -> str:
    """Return what tells a page of this study and question from others.

    Examples
    --------
    >>> mark_of({"seed": 0}, Question()) == mark_of({"seed": 1}, Question())
    False
    """
    text = json.dumps([fingerprint(specification), question.to_dict()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
