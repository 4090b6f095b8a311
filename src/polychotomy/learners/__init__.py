"""The learners of YA06 that scikit-learn lacks."""

from polychotomy.learners.pruned_tree import PrunedTreeClassifier

__all__ = ["PrunedTreeClassifier"]
