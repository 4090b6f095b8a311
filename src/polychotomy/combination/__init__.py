"""Weights for several classifiers, learned for ranking (MST09)."""

from polychotomy.combination.auc import auc, auc_covariance, aucs
from polychotomy.combination.margin_fit import HardMarginFit, RankMarginFit, SoftMarginFit
from polychotomy.combination.margin_weights import rank_margin_weights
from polychotomy.combination.modest_adaboost import ModestAdaBoostClassifier
from polychotomy.combination.pair_margins import PairMargins, pair_margins
from polychotomy.combination.rank_boost_classifier import RankBoostClassifier
from polychotomy.combination.rank_margin import rank_margin
from polychotomy.combination.roc_curves import RocCurves, roc_curves

__all__ = [
    "HardMarginFit",
    "ModestAdaBoostClassifier",
    "PairMargins",
    "RankBoostClassifier",
    "RankMarginFit",
    "RocCurves",
    "SoftMarginFit",
    "auc",
    "auc_covariance",
    "aucs",
    "pair_margins",
    "rank_margin",
    "rank_margin_weights",
    "roc_curves",
]
