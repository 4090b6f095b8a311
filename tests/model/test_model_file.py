"""Models in files: every built-in candidate comes back whole; strangers' types do not."""

import json
import subprocess
import sys
import warnings
import zipfile

import numpy as np
import pandas as pd
import pytest
import skops.io
from messy_tables import messy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.model import RecalibratedClassifier, check_model_path, fit_model, load_model
from polychotomy.study.design.candidates import ladder
from polychotomy.study.fitting.user_module import load_module
from polychotomy.validation import recalibrate

QUICK = ("pruned tree", "logistic", "boosted trees")  # of different kinds of file


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long]) for name in ladder()
])  # fmt: skip
def test_every_built_in_candidate_comes_back(name, tmp_path):
    X, y = messy(60)
    check_comes_back(name, X[["size", "colour", "gaps", "shelf"]], y, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("name", list(ladder()))
def test_two_classes_dates_and_free_text(name, tmp_path):
    check_comes_back(name, *messy(60, classes=2), tmp_path)


def check_comes_back(name, X, y, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the learners' own
        model = fit_model(ladder()[name], X, y, candidate=name)
        path = tmp_path / "m.skops"
        model.save(path)
        again = load_model(path)
        found, expected = again.predict_table(X), model.predict_table(X)
    pd.testing.assert_frame_equal(found.frame, expected.frame, check_exact=True)
    assert found.notes == ()
    assert again.schema.to_dict() == model.schema.to_dict()
    assert (again.name, again.card, again.versions) == (name, model.card, model.versions)
    assert path.stat().st_size < 2e6


def over_sure(method, k=3, n=300):
    """A recalibration by the method asked for, of probabilities that are too sure."""
    random = np.random.default_rng(0)
    y = random.integers(k, size=n)
    said = np.where(random.random(n) < 0.7, y, random.integers(k, size=n))
    p = np.full((n, k), 0.01 / (k - 1))
    p[np.arange(n), said] = 0.99
    found = recalibrate(p, y)
    if method == "temperature":
        assert found.chosen == "temperature"
        return found
    from dataclasses import replace

    from polychotomy.calibration import fit_isotonic, fit_sigmoid

    fit = {"sigmoid": fit_sigmoid, "isotonic": fit_isotonic}[method]
    return replace(found, chosen=method, calibrator=fit(p, y))


@pytest.mark.parametrize("method", ["temperature", "sigmoid", "isotonic"])
def test_the_recalibration_comes_back_and_is_on_top_of_the_model(method, tmp_path):
    X, y = messy()
    X = X[["size", "count"]]
    recalibration = over_sure(method)
    model = fit_model(GaussianNB(), X, y, recalibration=recalibration)
    model.save(tmp_path / "m.skops")
    found = load_model(tmp_path / "m.skops").predict_table(X).frame
    by_hand = recalibration.calibrator.apply(GaussianNB().fit(X, y).predict_proba(X))
    np.testing.assert_array_equal(found[["p:ash", "p:beech", "p:cedar"]], by_hand)
    assert found["predicted"].tolist() == np.unique(y)[by_hand.argmax(axis=1)].tolist()


def test_skops_alone_gives_the_classifier(tmp_path):
    X, y = messy()
    fit_model(GaussianNB(), X[["size"]], y).save(tmp_path / "m.skops")
    types = skops.io.get_untrusted_types(file=tmp_path / "m.skops")
    found = skops.io.load(tmp_path / "m.skops", trusted=types)
    assert isinstance(found, RecalibratedClassifier)
    assert found.predict(X[["size"]].head(3)).tolist() == ["ash", "beech", "cedar"]


def test_card_and_schema_can_be_read_by_any_program(tmp_path):
    X, y = messy()
    fit_model(GaussianNB(), X[["size"]], y, candidate="nb").save(tmp_path / "m.skops")
    with zipfile.ZipFile(tmp_path / "m.skops") as archive:
        assert archive.read("README.md").startswith(b"# nb on data")
        facts = json.loads(archive.read("polychotomy.json"))
    assert facts["schema"]["labels"] == ["ash", "beech", "cedar"]
    assert facts["schema"]["columns"][0]["name"] == "size"


class Mine(ClassifierMixin, BaseEstimator):
    made = 0

    def __setstate__(self, state):
        type(self).made += 1
        super().__setstate__(state)

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_types_not_on_the_list_are_refused_by_name_and_nothing_is_made(tmp_path):
    X, y = messy()
    path = tmp_path / "m.skops"
    fit_model(Mine(), X, y).save(path)
    name = f"{Mine.__module__}.Mine"
    before = Mine.made
    with pytest.raises(InvalidInput, match=rf"not trusted: {name}; nothing .* --trust {name}"):
        load_model(path)
    assert Mine.made == before
    with pytest.raises(InvalidInput, match="not trusted"):
        load_model(path, trusted=["other.Mine"])
    found = load_model(path, trusted=[name]).predict_table(X)
    assert set(found.frame["predicted"]) == {"ash"}
    assert found.frame["p:ash"].tolist() == [1.0] * len(X)  # labels only: ones and zeros
    assert load_model(path, trusted=[f"{Mine.__module__}.*"]).name == "model"


OWN_FILE = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

class Own(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])
"""


def test_a_class_of_a_candidates_file_is_found_again_by_its_file(tmp_path):
    X, y = messy()
    mine, path = tmp_path / "mine.py", tmp_path / "m.skops"
    mine.write_text(OWN_FILE)
    fit_model(load_module(mine).Own(), X, y).save(path)
    with pytest.raises(InvalidInput, match=r"trusted=\['CANDIDATES.py'\] in Python, --trust CAND"):
        load_model(path)
    for trusted in ([str(mine)], str(mine), [mine]):
        assert set(load_model(path, trusted=trusted).predict(X)) == {"ash"}
    mine.write_text(OWN_FILE + "# of today\n")
    other = "'m.skops' was judged with another file than .*mine.py, or with this one before it was"
    with pytest.raises(InvalidInput, match=other):
        load_model(path, trusted=[str(mine)])


def test_what_exists_is_kept_and_both_ways_to_overwrite_it_are_named(tmp_path):
    model = fit_model(GaussianNB(), [[0.0], [1.0]], [0, 1])
    model.save(tmp_path / "m.skops")
    with pytest.raises(InvalidInput, match=r"overwrite it by --force \(in Python by force=True\)"):
        model.save(tmp_path / "m.skops")
    model.save(tmp_path / "m.skops", force=True)


def test_what_skops_cannot_save_is_said(tmp_path):
    X, y = messy()
    model = fit_model(Mine(), X, y)
    model.classifier.estimator_.stream = (one for one in ())
    with pytest.raises(LearnerError, match="'model' cannot be saved by skops"):
        model.save(tmp_path / "m.skops")
    assert list(tmp_path.iterdir()) == []


def rewritten(path, target, **changes):
    """Copy an archive with some members replaced."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            new.writestr(name, changes.get(name.replace(".", "_"), old.read(name)))
    return target


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    X, y = messy()
    path = tmp_path_factory.mktemp("models") / "m.skops"
    fit_model(GaussianNB(), X[["size"]], y).save(path)
    return path


def test_files_that_are_no_models(saved, tmp_path):
    (tmp_path / "text.skops").write_text("x,y\n1,a\n")
    (tmp_path / "cut.skops").write_bytes(saved.read_bytes()[:400])
    skops.io.dump(LogisticRegression(), tmp_path / "plain.skops")
    newer = json.dumps({"format": "polychotomy model 9"})
    rewritten(saved, tmp_path / "newer.skops", polychotomy_json=newer)
    for name, message in {
        "text": "not a model saved by polychotomy: File is not a zip file",
        "cut": "not a model saved by polychotomy",
        "plain": "no item named .*polychotomy.json",
        "newer": "its format is 'polychotomy model 9'",
        "none": "cannot read .*none.skops': No such file or directory; expected a model",
    }.items():
        with pytest.raises(InvalidInput, match=message):
            load_model(tmp_path / f"{name}.skops")
    with pytest.raises(InvalidInput, match="Is a directory; expected a model"):
        load_model(tmp_path)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_byte_that_has_changed(saved, tmp_path, share):
    data = bytearray(saved.read_bytes())
    data[int(share * len(data))] ^= 255
    (tmp_path / "m.skops").write_bytes(data)
    with pytest.raises(InvalidInput, match=r"is damaged|not a model saved by polychotomy"):
        load_model(tmp_path / "m.skops")


def test_a_schema_made_by_hand(saved, tmp_path):
    rewritten(saved, tmp_path / "m.skops", schema_json="{")
    with pytest.raises(InvalidInput, match="not a model saved by polychotomy: JSONDecodeError"):
        load_model(tmp_path / "m.skops")


def test_a_file_that_disagrees_with_itself(saved, tmp_path):
    with zipfile.ZipFile(saved) as archive:
        facts = json.loads(archive.read("polychotomy.json"))
    facts["schema"]["labels"] = ["ash"]
    rewritten(saved, tmp_path / "a.skops", polychotomy_json=json.dumps(facts))
    with pytest.raises(InvalidInput, match="do not agree"):
        load_model(tmp_path / "a.skops")
    del facts["schema"]["target"]
    rewritten(saved, tmp_path / "b.skops", polychotomy_json=json.dumps(facts))
    with pytest.raises(InvalidInput, match=r"its schema lacks, or has besides, .'target'"):
        load_model(tmp_path / "b.skops")


def test_a_bomb_is_not_unpacked(saved, tmp_path, monkeypatch):
    monkeypatch.setattr("polychotomy.model.model._LIMIT", 1000)
    with pytest.raises(InvalidInput, match=r"holds \d+ bytes unpacked; expected at most 1000"):
        load_model(saved)


def test_nothing_is_overwritten_without_force(tmp_path):
    X, y = messy()
    model = fit_model(GaussianNB(), X[["size"]], y)
    path = tmp_path / "m.skops"
    path.write_text("precious")
    with pytest.raises(InvalidInput, match="exists and was left as it is"):
        model.save(path)
    assert path.read_text() == "precious"
    model.save(path, force=True)
    assert load_model(path).name == "model"
    assert [one.name for one in tmp_path.iterdir()] == ["m.skops"]


def test_a_pickles_suffix_is_refused():
    with pytest.raises(InvalidInput, match=r"'m.pkl'; expected a name that ends in \.skops"):
        check_model_path("m.pkl")


def test_a_model_is_read_without_importing_torch(tmp_path):
    fit_model(GaussianNB(), [[0.0], [0.2], [0.8], [1.0]], ["a", "a", "b", "b"]).save(
        tmp_path / "m.skops"
    )
    (tmp_path / "torch.py").write_text("print('torch')")
    tell = "load_model('m.skops').predict([[0.1]]); print('predicted'); import torch"
    done = subprocess.run(
        [sys.executable, "-c", f"from polychotomy.model import load_model; {tell}"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["predicted", "torch"]
