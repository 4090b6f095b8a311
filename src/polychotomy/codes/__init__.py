"""Which dichotomies? Coding matrices for many classes (M24 §3)."""

from polychotomy.codes.checks import check_code
from polychotomy.codes.one_vs import one_vs_one, one_vs_rest
from polychotomy.codes.orthogonal import orthogonal

__all__ = ["check_code", "one_vs_one", "one_vs_rest", "orthogonal"]
