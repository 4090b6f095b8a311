"""The card: what it must say, and that nothing from the data is markup in it."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier

from polychotomy.model import fit_model
from polychotomy.model.fitting import escape
from polychotomy.validation import recalibrate


def small(columns=("size",), labels=("a", "b"), **options):
    X = pd.DataFrame({name: np.arange(6.0) for name in columns})
    return fit_model(DummyClassifier(), X, list(labels) * 3, **options).card


def test_says_what_a_reader_needs():
    p = np.tile([[0.99, 0.01], [0.01, 0.99]], (200, 1))
    y = (np.arange(400) + (np.arange(400) % 5 == 0)) % 2
    card = small(
        candidate="MAX", dataset="plants", target="kind", recalibration=recalibrate(p, y),
        sentences=["Use MAX.", "Its error is 12 %."], random_state=7,
    )  # fmt: skip
    assert card.startswith("# MAX on plants\n\nPredicts kind, one of 2 classes, from 1 column.")
    for words in (
        "Use MAX.\n\nIts error is 12 %.",
        "Recalibrate by temperature: log loss 0.9291 becomes 0.5058",
        "| a | 3 |",
        "| size | number | no |",
        "Seed 7.",
        "scikit-learn",
        "DummyClassifier(random_state=",
        "polychotomy predict",
    ):
        assert words in card


def test_says_that_probabilities_were_left_alone_or_not_asked_about():
    assert "whether they can be trusted was not asked" in small()
    card = small(recalibration=recalibrate(np.full((40, 2), 0.5), np.arange(40) % 2))
    assert "They are the learner's own. Leave the probabilities as they are" in card


def test_says_what_the_fit_warned_about():
    from sklearn.linear_model import LogisticRegression

    X = pd.DataFrame({"a": [1e9, 2.0, 3e9, 4.0], "b": [3.0, 1e9, 2.0, 2e9]})
    card = fit_model(LogisticRegression(max_iter=1), X, [0, 1, 0, 1]).card
    assert "Warned when it was fitted: ConvergenceWarning: lbfgs failed to converge" in card


def test_names_from_the_data_stay_text():
    evil = "<img src=x onerror=alert(1)>|`x`\n# head [a](javascript:b) $$"
    card = small(columns=[evil], labels=[evil, "b"], candidate=evil, dataset=evil, target=evil)
    assert "<img" not in card.replace("\\<img", "")
    assert "\n# head" not in card
    assert "](" not in card.replace("\\](", "")


def test_many_columns_are_counted_not_listed():
    card = small(columns=[f"c{i}" for i in range(250)])
    assert "| c199 |" in card
    assert "| c200 |" not in card
    assert "and 50 more" in card


@given(st.text())
def test_escaped_text_is_one_short_line_without_markup(text):
    found = escape(text)
    assert len(found.splitlines()) <= 1
    assert len(found) <= 2 * 60 + 1
    assert not found.startswith(("#", "+", "-", "="))
    for mark in "<>|`*":
        assert found.count(mark) == found.count("\\" + mark)
