"""Every question asked of one ledger."""

from polychotomy.verdict.by_group import ErrorsByGroup, WeakSlice, errors_by_group, find_weak_slice
from polychotomy.verdict.choosing import Frequency, order_by_rule
from polychotomy.verdict.conclusions import conclude
from polychotomy.verdict.decisions import TunedDecisions
from polychotomy.verdict.findings import (
    Anatomy,
    Candidate,
    Contradiction,
    Failure,
    Gate,
    Guessing,
    OtherRule,
    Price,
    Sentence,
    Timings,
    Undecided,
)
from polychotomy.verdict.judge import judge
from polychotomy.verdict.many import ManyVerdicts, Problem, unite_verdicts
from polychotomy.verdict.question import Question
from polychotomy.verdict.verdict import Verdict

__all__ = [
    "Anatomy", "Candidate", "Contradiction", "ErrorsByGroup", "Failure", "Frequency", "Gate",
    "Guessing", "ManyVerdicts", "OtherRule", "Price", "Problem", "Question", "Sentence",
    "Timings", "TunedDecisions", "Undecided", "Verdict", "WeakSlice", "conclude", "errors_by_group",
    "find_weak_slice", "judge", "order_by_rule", "unite_verdicts",
]  # fmt: skip
