"""Every question asked of one ledger."""
