"""Outputs of dichotomies to class probabilities (HT98 §2, M24 §2)."""
