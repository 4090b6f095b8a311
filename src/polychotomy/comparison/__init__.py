"""Which learner, in what order? (YA06)."""

from polychotomy.comparison.auc import AUCTest, delong_test
from polychotomy.comparison.bayesian_t import DifferencePosterior, bayesian_t_test
from polychotomy.comparison.combined_f import FTest5x2, f_test_5x2
from polychotomy.comparison.corrected_t import calibrated_t_test, corrected_t_test
from polychotomy.comparison.corrections import bonferroni, holm
from polychotomy.comparison.drawing import draw_ordering
from polychotomy.comparison.five_by_two import t_test_5x2
from polychotomy.comparison.graph import order_by_removal
from polychotomy.comparison.mcnemar import McNemarTest, mcnemar_test
from polychotomy.comparison.multitest import multitest
from polychotomy.comparison.ordering import MarginOrdering, Ordering
from polychotomy.comparison.paired_t import paired_t_test
from polychotomy.comparison.paired_test import PairedTest
from polychotomy.comparison.signed_rank import SignedRankTest, wilcoxon_test

__all__ = [
    "AUCTest",
    "DifferencePosterior",
    "FTest5x2",
    "MarginOrdering",
    "McNemarTest",
    "Ordering",
    "PairedTest",
    "SignedRankTest",
    "bayesian_t_test",
    "bonferroni",
    "calibrated_t_test",
    "corrected_t_test",
    "delong_test",
    "draw_ordering",
    "f_test_5x2",
    "holm",
    "mcnemar_test",
    "multitest",
    "order_by_removal",
    "paired_t_test",
    "t_test_5x2",
    "wilcoxon_test",
]
