"""Specification, trials, ledger: every fit is done once and kept."""

from polychotomy.study.ledger import Ledger
from polychotomy.study.plan import RepeatedFolds
from polychotomy.study.study import Study
from polychotomy.study.target import Target

__all__ = ["Ledger", "RepeatedFolds", "Study", "Target"]
