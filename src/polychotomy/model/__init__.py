"""A model to take away: the winner on all data, recalibrated, with its schema, in one file."""

from polychotomy.model.fitting import fit_model
from polychotomy.model.model import Model, Predictions, check_model_path, load_model
from polychotomy.model.predicting import FilePrediction, predict_file
from polychotomy.model.recalibrated import RecalibratedClassifier
from polychotomy.model.schema import Column, Schema

__all__ = [
    "Column", "FilePrediction", "Model", "Predictions", "RecalibratedClassifier", "Schema",
    "check_model_path", "fit_model", "load_model", "predict_file",
]  # fmt: skip
