"""What is kept of a failed fit's traceback: the author's frames, no folders of an install."""

from pathlib import Path

import numpy as np
import pytest
import sklearn
from sklearn.svm import SVC

import polychotomy
from polychotomy.study import Ledger, Study
from polychotomy.study.fitting.causes import describe, say


class Broken(SVC):
    def fit(self, X, y):
        try:
            super().fit(X[:1], y[:1])  # one class: scikit-learn raises
        except ValueError as error:
            raise RuntimeError("no such luck") from error


@pytest.fixture(scope="module")
def details(tmp_path_factory):
    path = tmp_path_factory.mktemp("broken") / "broken.study"
    rng = np.random.default_rng(0)
    study = Study({"broken": Broken()}, rng.normal(size=(20, 2)), np.arange(20) % 2)
    study.run(path)
    with Ledger(path) as ledger:
        return ledger.trials()[0]["details"]


def test_it_holds_the_authors_frames_and_the_causes(details):
    assert __file__ in details
    assert 'raise RuntimeError("no such luck") from error' in details
    assert "The above exception was the direct cause" in details
    assert details.rstrip().endswith("RuntimeError: no such luck")


def test_it_names_installed_files_from_their_package_on(details):
    assert 'File "sklearn/svm/_base.py"' in details
    for module in (polychotomy, sklearn):
        assert str(Path(module.__file__).parent) not in details
    assert "polychotomy/study" not in details


def test_chains_are_kept_whole():
    def nested(depth):
        try:
            return nested(depth - 1) if depth else 1 / 0
        except (ZeroDivisionError, KeyError) as error:
            raise KeyError(depth) from (error if depth % 2 else None)

    with pytest.raises(KeyError) as caught:
        nested(3)
    assert describe(caught.value).count("KeyError") >= 2


def test_a_message_that_begins_by_a_line_break_is_told_by_its_first_words():
    """As a search of scikit-learn's writes that all of its fits failed."""
    assert say(ValueError, "\nAll the 4 fits failed.\nIt").splitlines()[0] == (
        "ValueError: All the 4 fits failed."
    )
