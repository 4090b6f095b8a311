"""Which dichotomies? Coding matrices for many classes (M24 §3)."""

from polychotomy.codes.classic_codes import exhaustive, one_vs_one, one_vs_rest
from polychotomy.codes.code import check_code
from polychotomy.codes.letters import balanced, check_letters, letters_as_dichotomies
from polychotomy.codes.orthogonal import orthogonal, orthogonal_greedy, orthogonal_harmonic
from polychotomy.codes.quality import CodeQuality, code_quality, draw_code
from polychotomy.codes.random_codes import nested, random_dense, random_sparse

__all__ = [
    "CodeQuality", "balanced", "check_code", "check_letters", "code_quality", "draw_code",
    "exhaustive", "letters_as_dichotomies", "nested", "one_vs_one", "one_vs_rest", "orthogonal",
    "orthogonal_greedy", "orthogonal_harmonic", "random_dense", "random_sparse",
]  # fmt: skip
