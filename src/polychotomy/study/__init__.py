"""Specification, trials, ledger: every fit is done once and kept."""
