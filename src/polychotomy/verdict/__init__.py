"""Every question asked of one ledger."""

from polychotomy.verdict.candidates import choose, for_tables, ladder
from polychotomy.verdict.judge import conclude, judge
from polychotomy.verdict.rules import Frequency, order_by_rule
from polychotomy.verdict.verdict import Candidate, Failure, Verdict

__all__ = [
    "Candidate",
    "Failure",
    "Frequency",
    "Verdict",
    "choose",
    "conclude",
    "for_tables",
    "judge",
    "ladder",
    "order_by_rule",
]
