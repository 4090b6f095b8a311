"""The drawings of the page."""
