"""Numbers in sentences are rounded to what they can bear."""

import pytest

from polychotomy.verdict.sentences import join, percent, pvalue


@pytest.mark.parametrize(("share", "text"), [(0.0, "0.0 %"), (0.02345, "2.3 %"), (1.0, "100.0 %")])
def test_percent(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.05, "p = 0.05"), (0.00009, "p < 0.0001"), (1.0, "p = 1"), (0.0, "p < 0.0001")],
)
def test_pvalue(p, text):
    assert pvalue(p) == text


@pytest.mark.parametrize(
    ("words", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_join(words, text):
    assert join(words) == text
