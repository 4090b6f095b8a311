"""One fit: prepare, fit, predict, within limits."""
