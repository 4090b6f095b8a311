"""Weights for several classifiers, learned for ranking (MST09)."""

from polychotomy.combination.advice import CombinationAdvice, would_combining_help
from polychotomy.combination.margin_weights import (
    HardMarginFit,
    RankMarginFit,
    SoftMarginFit,
    rank_margin_weights,
)
from polychotomy.combination.modest_adaboost import ModestAdaBoostClassifier
from polychotomy.combination.pair_margins import PairMargins, auc, aucs, pair_margins, rank_margin
from polychotomy.combination.rank_boost import RankBoostClassifier
from polychotomy.combination.rank_margin_classifier import RankMarginClassifier
from polychotomy.combination.tuned_margin import TunedMarginFit, tuned_margin_weights

__all__ = [
    "CombinationAdvice", "HardMarginFit", "ModestAdaBoostClassifier", "PairMargins",
    "RankBoostClassifier", "RankMarginClassifier", "RankMarginFit", "SoftMarginFit",
    "TunedMarginFit", "auc", "aucs", "pair_margins", "rank_margin", "rank_margin_weights",
    "tuned_margin_weights", "would_combining_help",
]  # fmt: skip
