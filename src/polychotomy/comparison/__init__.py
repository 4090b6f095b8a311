"""Which learner, in what order? (YA06)."""
