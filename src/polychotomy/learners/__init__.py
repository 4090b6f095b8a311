"""The learners of YA06 that scikit-learn lacks."""

from polychotomy.learners.nearest_mean import NearestMeanClassifier
from polychotomy.learners.pruned_tree import PrunedTreeClassifier

__all__ = ["NearestMeanClassifier", "PrunedTreeClassifier"]
