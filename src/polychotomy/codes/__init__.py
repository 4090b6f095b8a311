"""Which dichotomies? Coding matrices for many classes (M24 §3)."""
