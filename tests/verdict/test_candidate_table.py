"""The table of candidates in text and Markdown: the loss asked for, its deviation, the error."""

import functools

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression

from polychotomy import judge

COSTS = ((0.0, 1.0), (5.0, 0.0))


class Broken(LogisticRegression):
    """Cannot be fitted."""

    def fit(self, X, y):
        raise ValueError("never")


@functools.cache
def table_of(loss):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 1))
    y = np.where(X[:, 0] + rng.normal(size=120) > 0.8, "yes", "no")
    both = {"MAX": DummyClassifier(), "logistic": LogisticRegression(), "broken": Broken()}
    return judge(both, X, y, loss=loss, anatomy=False)


@pytest.mark.long
@pytest.mark.parametrize(
    ("loss", "headings"),
    [
        ("error", ["mean error", "sd"]),
        ("log-loss", ["mean log loss", "sd", "error"]),
        ("auc", ["mean 1 − AUC", "sd", "error"]),
        (COSTS, ["mean cost", "sd", "error of most probable"]),
    ],
)
def test_the_deviation_is_that_of_the_loss_asked_for(loss, headings):
    verdict = table_of(loss)
    found, rows = verdict.text_table()
    assert found == ["candidate", "place", *headings, "time per fold"]
    best = verdict.candidate("logistic")
    folds = verdict.ordering.errors[verdict.ordering.names.index("logistic")]
    assert best.sd == pytest.approx(folds.std(ddof=1))
    shown = dict(zip(found, rows[1][1], strict=True))
    scale = 100 if loss in ("error", "auc") else 1
    for heading, value in ((headings[0], best.loss), ("sd", best.sd)):
        assert float(shown[heading].removesuffix(" %")) == pytest.approx(scale * value, rel=0.02)
    if loss != "error":
        assert shown[headings[2]] == f"{100 * best.error:.1f} %"
    assert rows[2][1][:3] == ["broken", "–", "left out: 5 fits failed"]
    assert {len(cells) for _, cells in rows} == {len(found)}
    assert f"| {' | '.join(found)} |" in verdict.to_markdown()


@pytest.mark.long
def test_a_notebook_names_the_loss():
    assert "<th>mean log loss</th>" in table_of("log-loss")._repr_html_()
    assert "loss</th>" not in table_of("error")._repr_html_()
