"""What limits it? What bagging would gain, beside what would count as help."""

import numpy as np

from polychotomy.decomposition import would_bagging_help
from polychotomy.report.figures.limits import draw_bagging


def test_bagging_is_drawn_with_what_counts_as_help():
    single = np.eye(2)[(np.arange(400) % 4 == 0).astype(int)]
    bagged = np.eye(2)[(np.arange(400) % 8 == 0).astype(int)]
    figure = draw_bagging(would_bagging_help(single, bagged, np.zeros(400, dtype=int)))
    assert "this would be help" in figure.drawing
    assert figure.message.startswith("Bagging would change the error by −")
