"""Weights for several classifiers, learned for ranking (MST09)."""

from polychotomy.combination.margin_fit import HardMarginFit, RankMarginFit
from polychotomy.combination.rank_margin import rank_margin
from polychotomy.combination.margin_weights import rank_margin_weights

__all__ = [
    "HardMarginFit",
    "RankMarginFit",
    "rank_margin",
    "rank_margin_weights",
]
