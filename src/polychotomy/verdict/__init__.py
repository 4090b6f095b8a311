"""Every question asked of one ledger."""

from polychotomy.verdict.concluding import conclude
from polychotomy.verdict.findings import (
    Anatomy,
    Candidate,
    Failure,
    Gate,
    OtherRule,
    Price,
    Timings,
    Undecided,
)
from polychotomy.verdict.judge import judge
from polychotomy.verdict.many import ManyVerdicts, Problem, unite_verdicts
from polychotomy.verdict.question import Question
from polychotomy.verdict.rules import Frequency, order_by_rule
from polychotomy.verdict.sentence import Sentence
from polychotomy.verdict.verdict import Verdict

__all__ = [
    "Anatomy",
    "Candidate",
    "Failure",
    "Frequency",
    "Gate",
    "ManyVerdicts",
    "OtherRule",
    "Price",
    "Problem",
    "Question",
    "Sentence",
    "Timings",
    "Undecided",
    "Verdict",
    "conclude",
    "judge",
    "order_by_rule",
    "unite_verdicts",
]
