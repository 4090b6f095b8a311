"""Weights for several classifiers, learned for ranking (MST09)."""

from polychotomy.combination.auc import auc, auc_covariance, aucs
from polychotomy.combination.margin_fit import HardMarginFit, RankMarginFit, SoftMarginFit
from polychotomy.combination.margin_weights import rank_margin_weights
from polychotomy.combination.modest_adaboost import ModestAdaBoostClassifier
from polychotomy.combination.rank_boost_classifier import RankBoostClassifier
from polychotomy.combination.rank_margin import rank_margin

__all__ = [
    "HardMarginFit",
    "ModestAdaBoostClassifier",
    "RankBoostClassifier",
    "RankMarginFit",
    "SoftMarginFit",
    "auc",
    "auc_covariance",
    "aucs",
    "rank_margin",
    "rank_margin_weights",
]
