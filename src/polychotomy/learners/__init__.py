"""The learners of YA06 that scikit-learn lacks, and one that chooses its own k."""

from polychotomy.learners.chosen_neighbours import ChosenNeighboursClassifier
from polychotomy.learners.nearest_mean import NearestMeanClassifier
from polychotomy.learners.pruned_tree import PrunedTreeClassifier

__all__ = ["ChosenNeighboursClassifier", "NearestMeanClassifier", "PrunedTreeClassifier"]
