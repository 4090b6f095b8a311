"""What is to be fitted: data, candidates, plans, specification."""
