"""The learners of YA06 that scikit-learn lacks, one that chooses its own k, and a search."""

from polychotomy.learners.chosen_neighbours import ChosenNeighboursClassifier
from polychotomy.learners.nearest_mean import NearestMeanClassifier
from polychotomy.learners.pruned_tree import PrunedTreeClassifier
from polychotomy.learners.tuned import tuned

__all__ = ["ChosenNeighboursClassifier", "NearestMeanClassifier", "PrunedTreeClassifier", "tuned"]
