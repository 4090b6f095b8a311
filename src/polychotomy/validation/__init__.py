"""Can the probabilities be trusted? (M24 §4)."""

from polychotomy.core.predictions import Forecasts, check_forecasts, out_of_fold_forecasts
from polychotomy.validation.confusion import Confusion, confusion_of, uncertainty_coefficient
from polychotomy.validation.ranking import RankingCurve, ranking_curve
from polychotomy.validation.recalibration import Recalibration, recalibrate
from polychotomy.validation.reliability import ReliabilityDiagram, reliability_diagram
from polychotomy.validation.scores import (
    ProbabilityScores,
    score_probabilities,
    smooth_calibration_error,
)
from polychotomy.validation.sets import PredictionSets, prediction_sets
from polychotomy.validation.trace import ProbabilityTrace, TraceNull, probability_trace
from polychotomy.validation.trust import Trust, assess_trust

__all__ = [
    "Confusion", "Forecasts", "PredictionSets", "ProbabilityScores",
    "ProbabilityTrace", "RankingCurve", "Recalibration", "ReliabilityDiagram",
    "TraceNull", "Trust", "assess_trust", "check_forecasts",
    "confusion_of", "out_of_fold_forecasts",
    "prediction_sets", "probability_trace", "ranking_curve", "recalibrate", "reliability_diagram",
    "score_probabilities", "smooth_calibration_error", "uncertainty_coefficient",
]  # fmt: skip
