"""Candidates of xgboost, which take the labels 0, 1, … only, are judged with labels of any kind.

A stand-in of that name, as strict, is put on the path, since xgboost need not be installed.
"""

import json
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from typer.testing import CliRunner

from polychotomy import Study, judge
from polychotomy.cli import app
from polychotomy.core.exceptions import InvalidInput
from polychotomy.learners.numbered_labels import NumberedLabelsClassifier
from polychotomy.model import fit_model, load_model
from polychotomy.study import TimeFolds
from polychotomy.study.fitting.user_module import PREFIX

STRICT = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
class XGBClassifier(ClassifierMixin, BaseEstimator):
    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        expected = np.arange(len(self.classes_))
        if not np.array_equal(self.classes_, expected):
            raise ValueError(f"Invalid classes inferred. Expected: {expected}, got {self.classes_}")
        self.bayes_ = GaussianNB().fit(X, y, sample_weight)
        return self
    def predict(self, X):
        return self.bayes_.predict(X)
    def predict_proba(self, X):
        return self.bayes_.predict_proba(X)
"""
NAMES = np.array(["setosa", "versicolor", "virginica"])


@pytest.fixture(autouse=True)
def strict(tmp_path, monkeypatch):
    """An instance of the stand-in's class."""
    package = tmp_path / "path" / "xgboost"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from xgboost.sklearn import XGBClassifier\n")
    (package / "sklearn.py").write_text(STRICT)
    for name in [name for name in sys.modules if name.split(".")[0] == "xgboost"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(package.parent)
    import xgboost

    yield xgboost.XGBClassifier()
    # Files of candidates that import the stand-in: later tests' workers would load them too.
    files = [name for name in sys.modules if name.startswith(PREFIX)]
    for name in ("xgboost", "xgboost.sklearn", *files):
        sys.modules.pop(name, None)


def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X, NAMES[y]


def test_judged_from_python_as_the_learner_inside_it(strict):
    X, y = iris()
    piped = make_pipeline(StandardScaler(), strict)
    given = {"alone": strict, "piped": piped, "bayes": GaussianNB()}
    verdict = judge(given, X, y, anatomy=False)
    assert [one.loss for one in verdict.candidates] == [verdict.candidates[2].loss] * 3
    assert given["alone"] is strict
    assert piped.steps[-1][1] is strict
    wrapper = "polychotomy.learners.numbered_labels.NumberedLabelsClassifier("
    recorded = verdict.provenance["candidates"]
    assert recorded["alone"] == f"{wrapper}estimator=xgboost.sklearn.XGBClassifier())"
    assert wrapper in recorded["piped"]
    assert wrapper not in recorded["bayes"]


def test_a_class_that_a_training_fold_lacks(strict):
    X, y = iris()
    time = np.tile(np.arange(50), 3) + np.where(y == "versicolor", 50, 0)  # the middle class last
    given = {"strict": strict, "bayes": GaussianNB()}
    study = Study(given, X, y, time=time, plan=TimeFolds(folds=3))
    with study.run() as ledger:
        found = study.gather(ledger)
    assert not np.isnan(found.fold_errors()).any()
    strict_errors, bayes_errors = found.fold_errors()
    assert strict_errors.tolist() == bayes_errors.tolist()


def test_the_wrapped_candidate_can_be_sent_to_workers(strict):
    X, y = iris()
    study = Study({"strict": strict}, X, y)
    assert isinstance(study.candidates["strict"], NumberedLabelsClassifier)
    with study.run(n_jobs=2) as ledger, study.run() as here:
        there = study.gather(ledger).fold_errors()
        assert there.tolist() == study.gather(here).fold_errors().tolist()
        assert not np.isnan(there).any()


def test_a_model_is_taken_away_and_used(strict, tmp_path):
    X, y = iris()
    model = fit_model(make_pipeline(StandardScaler(), strict), X, y)
    model.save(tmp_path / "m.skops")
    name = "xgboost.sklearn.XGBClassifier"
    with pytest.raises(
        InvalidInput, match=rf"not trusted: {name}; nothing .* --trust {name} --trust CAND"
    ):
        load_model(tmp_path / "m.skops")
    found = load_model(tmp_path / "m.skops", trusted=[name]).predict_table(X).frame
    expected = GaussianNB().fit(X, y).predict(X)
    assert found["predicted"].tolist() == expected.tolist()


def run(*arguments):
    return CliRunner().invoke(app, arguments)


@pytest.mark.long
def test_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, y = iris()
    X.to_csv("new.csv", index=False)
    X.assign(species=y).to_csv("iris.csv", index=False)
    (tmp_path / "mine.py").write_text(
        "from xgboost import XGBClassifier\ncandidates = {'strict': XGBClassifier()}\n"
    )
    judged = run(
        *("judge", "iris.csv", "--target", "species", "--candidates", "mine.py", "--json"),
        *("--no-anatomy", "--jobs", "1", "--model", "m.skops"),
    )
    assert judged.exit_code == 0, judged.output
    assert json.loads(judged.stdout)["candidates"][0]["loss"] < 0.1
    assert "NumberedLabelsClassifier" in (tmp_path / "iris-verdict.html").read_text()
    refused = run("predict", "m.skops", "new.csv")
    assert refused.exit_code == 2
    assert "--trust xgboost.sklearn.XGBClassifier" in refused.stderr
    done = run("predict", "m.skops", "new.csv", "--trust", "xgboost.sklearn.XGBClassifier")
    assert done.exit_code == 0, done.output
    predicted = pd.read_csv("new-predictions.csv")["predicted"]
    assert (predicted == y).mean() > 0.9
