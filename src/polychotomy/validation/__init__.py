"""Can the probabilities be trusted? (M24 §4)."""

from polychotomy.validation.brier_split import BrierSplit, split_brier
from polychotomy.validation.calibrator_fits import fit_isotonic, fit_sigmoid, fit_temperature
from polychotomy.validation.calibrators import (
    Calibrator,
    Isotonic,
    Sigmoid,
    Temperature,
    Unchanged,
)
from polychotomy.validation.confusion import Confusion, confusion_of
from polychotomy.validation.forecasts import Forecasts, check_forecasts, out_of_fold_forecasts
from polychotomy.validation.recalibration import Recalibration, recalibrate
from polychotomy.validation.reliability import ReliabilityDiagram, reliability_diagram
from polychotomy.validation.scores import ProbabilityScores, score_probabilities
from polychotomy.validation.smooth_calibration import smooth_calibration_error
from polychotomy.validation.trace import ProbabilityTrace, probability_trace
from polychotomy.validation.trace_null import TraceNull
from polychotomy.validation.trust import Trust, assess_trust
from polychotomy.validation.uncertainty import uncertainty_coefficient

__all__ = [
    "BrierSplit",
    "Calibrator",
    "Confusion",
    "Forecasts",
    "Isotonic",
    "ProbabilityScores",
    "ProbabilityTrace",
    "Recalibration",
    "ReliabilityDiagram",
    "Sigmoid",
    "Temperature",
    "TraceNull",
    "Trust",
    "Unchanged",
    "assess_trust",
    "check_forecasts",
    "confusion_of",
    "fit_isotonic",
    "fit_sigmoid",
    "fit_temperature",
    "out_of_fold_forecasts",
    "probability_trace",
    "recalibrate",
    "reliability_diagram",
    "score_probabilities",
    "smooth_calibration_error",
    "split_brier",
    "uncertainty_coefficient",
]
