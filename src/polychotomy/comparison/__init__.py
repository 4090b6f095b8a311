"""Which learner, in what order? (YA06)."""

from polychotomy.comparison.corrected_t import corrected_t_test
from polychotomy.comparison.corrections import bonferroni, holm
from polychotomy.comparison.drawing import draw_ordering
from polychotomy.comparison.five_by_two import t_test_5x2
from polychotomy.comparison.graph import order_by_removal
from polychotomy.comparison.multitest import multitest
from polychotomy.comparison.ordering import MarginOrdering, Ordering
from polychotomy.comparison.paired_t import paired_t_test
from polychotomy.comparison.paired_test import PairedTest

__all__ = [
    "MarginOrdering",
    "Ordering",
    "PairedTest",
    "bonferroni",
    "corrected_t_test",
    "draw_ordering",
    "holm",
    "multitest",
    "order_by_removal",
    "paired_t_test",
    "t_test_5x2",
]
