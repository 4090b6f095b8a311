"""What limits the winner: further fits into the same ledger, and what they say."""

from __future__ import annotations

from typing import Any

from polychotomy.study import Ledger, Study
from polychotomy.verdict.evidence import Evidence
from polychotomy.verdict.findings import Anatomy

N_FITS = 50 + 20
"""Fits that the anatomy of one candidate takes."""


def fit_anatomy(study: Study, ledger: Ledger, name: str, **running: Any) -> None:
    """Fit the bootstrap replicates and training sizes of one candidate, as far as not recorded."""


def read_anatomy(
    study: Study, ledger: Ledger, evidence: Evidence, name: str
) -> tuple[Anatomy | None, tuple[str, ...]]:
    """Read what limits a candidate from the ledger, or say why that is not known."""
    return None, ("what limits the error was not asked",)
