"""Weights for several classifiers, learned for ranking (MST09)."""

from polychotomy.combination.margin_fit import HardMarginFit, RankMarginFit, SoftMarginFit
from polychotomy.combination.margin_weights import rank_margin_weights
from polychotomy.combination.rank_margin import rank_margin

__all__ = [
    "HardMarginFit",
    "RankMarginFit",
    "SoftMarginFit",
    "rank_margin",
    "rank_margin_weights",
]
