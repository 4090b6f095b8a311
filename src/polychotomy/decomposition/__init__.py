"""What limits the error, and would bagging help? (T96)."""

from polychotomy.decomposition.bagging_advice import BaggingAdvice, would_bagging_help
from polychotomy.decomposition.error_decomposition import (
    ErrorDecomposition,
    draw_error_budget,
    draw_sample_variance,
)
from polychotomy.decomposition.from_estimator import BootstrapErrorDecomposition, decompose_error
from polychotomy.decomposition.from_predictions import cover_hart_bound, decompose_predictions
from polychotomy.decomposition.learning_curve import LearningCurveForecast, learning_curve_forecast
from polychotomy.decomposition.losses import (
    Deviance,
    Loss,
    Misclassification,
    ScoredLoss,
    Squared,
    check_loss,
)

__all__ = [
    "BaggingAdvice", "BootstrapErrorDecomposition", "Deviance", "ErrorDecomposition",
    "LearningCurveForecast", "Loss", "Misclassification", "ScoredLoss", "Squared", "check_loss",
    "cover_hart_bound", "decompose_error", "decompose_predictions", "draw_error_budget",
    "draw_sample_variance", "learning_curve_forecast", "would_bagging_help",
]  # fmt: skip
