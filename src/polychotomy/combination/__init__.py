"""Weights for several classifiers, learned for ranking (MST09)."""

from polychotomy.combination.auc import auc, auc_covariance, aucs
from polychotomy.combination.baselines import (
    average_weights,
    best_single_weights,
    greedy_selection_weights,
    stacked_logistic_weights,
)
from polychotomy.combination.combination_advice import CombinationAdvice
from polychotomy.combination.margin_fit import HardMarginFit, RankMarginFit, SoftMarginFit
from polychotomy.combination.margin_weights import rank_margin_weights
from polychotomy.combination.modest_adaboost import ModestAdaBoostClassifier
from polychotomy.combination.pair_margins import PairMargins, pair_margins
from polychotomy.combination.rank_boost_classifier import RankBoostClassifier
from polychotomy.combination.rank_margin import rank_margin
from polychotomy.combination.rank_margin_classifier import RankMarginClassifier
from polychotomy.combination.roc_curves import RocCurves, roc_curves
from polychotomy.combination.tuned_margin import TunedMarginFit, tuned_margin_weights
from polychotomy.combination.would_combining_help import would_combining_help

__all__ = [
    "CombinationAdvice",
    "HardMarginFit",
    "ModestAdaBoostClassifier",
    "PairMargins",
    "RankBoostClassifier",
    "RankMarginClassifier",
    "RankMarginFit",
    "RocCurves",
    "SoftMarginFit",
    "TunedMarginFit",
    "auc",
    "auc_covariance",
    "aucs",
    "average_weights",
    "best_single_weights",
    "greedy_selection_weights",
    "pair_margins",
    "rank_margin",
    "rank_margin_weights",
    "roc_curves",
    "stacked_logistic_weights",
    "tuned_margin_weights",
    "would_combining_help",
]
