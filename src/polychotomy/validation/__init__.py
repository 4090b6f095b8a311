"""Can the probabilities be trusted? (M24 §4)."""
