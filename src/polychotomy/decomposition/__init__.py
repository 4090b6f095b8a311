"""What limits the error, and would bagging help? (T96)."""
