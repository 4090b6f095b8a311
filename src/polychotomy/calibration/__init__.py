"""From scores to probabilities: one sigmoid, one temperature, one isotonic map for all rooms."""
