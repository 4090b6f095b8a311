"""Weights for several classifiers, learned for ranking (MST09)."""
