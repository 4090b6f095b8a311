"""Any two-class learner made a many-class one."""

from polychotomy.multiclass.coded_classifier import CodedClassifier
from polychotomy.multiclass.dichotomies import Dichotomy
from polychotomy.multiclass.merged import MergedMachines, merge_machines
from polychotomy.multiclass.thresholds import optimal_threshold

__all__ = ["CodedClassifier", "Dichotomy", "MergedMachines", "merge_machines", "optimal_threshold"]
