"""A verdict as a page; templates and drawings, no computing."""
