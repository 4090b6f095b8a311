"""A verdict in sentences."""
