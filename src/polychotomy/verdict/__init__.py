"""Every question asked of one ledger."""

from polychotomy.verdict.candidates import (
    LeftOut,
    affordable_ladder,
    choose,
    for_tables,
    for_trees,
    ladder,
)
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
    "LeftOut",
    "ManyVerdicts",
    "OtherRule",
    "Price",
    "Problem",
    "Question",
    "Sentence",
    "Timings",
    "Undecided",
    "Verdict",
    "affordable_ladder",
    "choose",
    "conclude",
    "for_tables",
    "for_trees",
    "judge",
    "ladder",
    "order_by_rule",
    "unite_verdicts",
]
