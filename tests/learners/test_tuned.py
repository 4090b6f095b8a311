"""Tuned candidates: searched on the training part alone, judged nested, told of."""

import json
import warnings
from collections import Counter

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from polychotomy import judge, load_model, tuned
from polychotomy.core.exceptions import InvalidInput
from polychotomy.verdict.notes import note_warnings

X, Y = load_iris(return_X_y=True)
GRID = {"n_neighbors": [5, 1, 100]}


def test_it_is_scikit_learns_search():
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    expected = GridSearchCV(KNeighborsClassifier(), GRID, cv=cv, scoring="neg_log_loss").fit(X, Y)
    mine = clone(tuned(KNeighborsClassifier(), GRID, scoring="neg_log_loss", folds=4)).fit(X, Y)
    assert (mine.best_params_, mine.best_score_) == (expected.best_params_, expected.best_score_)
    np.testing.assert_array_equal(mine.predict_proba(X), expected.predict_proba(X))
    assert mine.classes_.tolist() == [0, 1, 2]


def test_a_verdict_is_that_of_the_search_in_every_fold():
    """No held-out row has a part in the choice: labels of noise are not learned by choosing."""
    noise = np.random.default_rng(0).integers(0, 2, 80)
    columns = np.random.default_rng(1).normal(size=(80, 40))
    many = tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5, 9, 15, 25]})
    verdict = judge({"tuned": many}, columns, noise, anatomy=False)
    assert verdict.candidate("tuned").error > 0.35
    assert "tuned in every fit, on its training part alone: tuned (16 fits in one)" in verdict.notes


def test_the_edge_of_the_grid_is_told_once_it_is_so_in_most_fits():
    edge = tuned(KNeighborsClassifier(), {"n_neighbors": [100, 80, 60]})
    with pytest.warns(UserWarning, match="the best n_neighbors, 60, is the smallest of the values"):
        edge.fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tuned(KNeighborsClassifier(), {"n_neighbors": [1, 60]}).fit(X, Y)  # two have no inside
        tuned(KNeighborsClassifier(), {"weights": ["uniform", "distance"]}).fit(X, Y)
    verdict = judge({"few": edge}, X, Y, anatomy=False)
    assert any("is the smallest of the values tried (few in " in note for note in verdict.notes)
    text = "SearchWarning: the best C, 9, is the largest of the values tried"
    trials = [{"candidate": "a", "warnings": [text] * (i < 3)} for i in range(6)]
    assert note_warnings(trials) == []
    own = [
        {"candidate": "a", "warnings": ["UserWarning: 3 of the values tried"] * (i < 1)}
        for i in range(6)
    ]
    assert len(note_warnings(own)) == 1  # a learner's own words are not taken for a search's
    assert note_warnings(trials[:5]) == [f"{text} (a in 3 fits)"]


def test_what_a_plain_search_found_is_told_too():
    """Its cost before, its edge and its untouched default after; who was not tuned, beside it."""
    own = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [5, 150, 100]}, cv=4)
    drawn = RandomizedSearchCV(KNeighborsClassifier(), {"n_neighbors": [90, 80, 60]}, n_iter=3)
    candidates = {"own": own, "drawn": drawn, "tree": DecisionTreeClassifier()}
    notes = judge(candidates, X, Y, anatomy=False, plan="1x5").notes
    told = "alone: own (13 fits in one), drawn (16 fits in one); not tuned: tree"
    assert any(note.endswith(told) for note in notes)
    same = "the best of the values tried are those that it has untuned (own in 5 fits)"
    assert any(note.endswith(same) for note in notes)
    assert any("60, is the smallest of the values tried (drawn in " in note for note in notes)


def test_halving_compares_settings_on_few_rows_first():
    rows, labels = make_classification(3000, 5, random_state=0)
    grid, sizes = {"n_neighbors": [2 * i + 1 for i in range(9)]}, Counter()

    class Counted(KNeighborsClassifier):
        def fit(self, X, y):
            sizes[len(X) // 100] += 1
            return super().fit(X, y)

    halved = tuned(Counted(), grid, halving=True).fit(rows, labels)
    # Nine settings on a ninth of the rows, three on a third, one on all; each by three folds.
    assert sizes == {2: 27, 6: 9, 20: 3, 30: 1}
    assert halved.fits_in_one(3000) == 10
    assert not hasattr(halved, "_left")
    few = tuned(KNeighborsClassifier(), GRID, halving=True)  # of few rows a part tells nothing
    assert few.fit(X, Y).best_params_ == tuned(KNeighborsClassifier(), GRID).fit(X, Y).best_params_
    assert few.fits_in_one(len(X)) == 10


def test_halving_has_the_weights_of_its_rows():
    rows, labels = make_classification(1200, 4, random_state=0)
    search = tuned(LogisticRegression(), {"C": [1.0, 0.01, 0.1]}, halving=True)
    weighed = search.fit(rows, labels, sample_weight=np.where(labels == 1, 1.0, 1e-9))
    assert (weighed.predict(rows) == 1).all()


def test_names_are_those_of_the_last_step():
    found = tuned(make_pipeline(StandardScaler(), SVC()), {"C": [1], "standardscaler": [None]})
    assert found.param_grid == {"svc__C": [1], "standardscaler": [None]}


@pytest.mark.parametrize("grid", [{}, {"C": []}, {"c": [1]}])
def test_a_grid_of_nothing_is_refused(grid):
    with pytest.raises(InvalidInput, match=r"expected \{name: values\} with settings of SVC"):
        tuned(SVC(), grid)


@pytest.mark.long
def test_the_default_list_tuned(run, tmp_path):
    load_iris(as_frame=True).frame.to_csv(tmp_path / "plants.csv", index=False)
    asked = ["judge", "plants.csv", "--target", "target", "--tune", "--no-anatomy", "--jobs", "1"]
    some = ["--candidates", "MAX,logistic,1-NN"]
    result = run(*asked, *some, "--prefer", "listed", "--model", "m.skops", "--json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "alone: logistic (16 fits in one)" in result.stderr
    verdict = json.loads(result.stdout)
    assert "TunedClassifier" in verdict["provenance"]["candidates"]["logistic"]
    assert verdict["best"] == "logistic"
    model = load_model(tmp_path / "m.skops")
    frame = load_iris(as_frame=True).data
    assert (model.predict(frame).astype(int) == Y).mean() > 0.9
    (tmp_path / "c.py").write_text("candidates = {}")
    refused = run(*asked, "--candidates", "c.py", cwd=tmp_path)
    assert refused.returncode == 2
