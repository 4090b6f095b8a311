from .coded_classifier import CodedClassifier as CodedClassifier
from .dichotomies import Dichotomy as Dichotomy
from .merged import MergedMachines as MergedMachines
from .merged import merge_machines as merge_machines
from .thresholds import optimal_threshold as optimal_threshold
