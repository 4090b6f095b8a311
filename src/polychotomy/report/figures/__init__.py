"""One drawing a question, each a pure function of the numbers it shows."""
