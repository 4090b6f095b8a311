"""The study file and what it holds."""
