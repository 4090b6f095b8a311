"""Candidates from a file: dicts, bare variables, and what is refused."""

import pytest
from sklearn.pipeline import Pipeline

from polychotomy.app.inputs import read_candidates
from polychotomy.core.exceptions import InvalidInput

BAYES = "from sklearn.naive_bayes import GaussianNB\n"


def read(tmp_path, text):
    path = tmp_path / "own.py"
    path.write_text(BAYES + text)
    return read_candidates(path)


def test_candidates_get_numbers_and_raw_ones_the_table(tmp_path):
    found = read(tmp_path, "candidates = {'a': GaussianNB()}\nraw_candidates = {'b': GaussianNB()}")
    assert list(found) == ["a", "b"]
    assert isinstance(found["a"], Pipeline)
    assert type(found["b"]).__name__ == "GaussianNB"


def test_what_is_made_for_a_table_gets_the_table(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(
        "from skrub import tabular_pipeline\n"
        "from sklearn.pipeline import make_pipeline\n"
        "from sklearn.preprocessing import FunctionTransformer\n"
        "from sklearn.ensemble import HistGradientBoostingClassifier as Boosted\n"
        "candidates = {'skrub': tabular_pipeline(Boosted()),\n"
        "    'named': Boosted(categorical_features=['town']), 'other': Boosted(),\n"
        "    'picked': make_pipeline(FunctionTransformer(lambda X: X['age']), Boosted()),\n"
        "    'halved': make_pipeline(FunctionTransformer(lambda X: X / 2), Boosted())}\n"
    )
    found = read_candidates(path, ["age", "town"])
    steps = {name: next(iter(getattr(one, "named_steps", [""]))) for name, one in found.items()}
    numbers = dict.fromkeys(["other", "halved"], "tablenumbers")
    own = {"skrub": "tablevectorizer", "named": "", "picked": "functiontransformer"}
    assert steps == own | numbers


def test_variables_are_candidates_where_there_is_no_dict(tmp_path):
    assert list(read(tmp_path, "simple = GaussianNB()\nsmooth = GaussianNB(var_smoothing=1)")) == [
        "simple",
        "smooth",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no candidates"),
        ("candidates = [GaussianNB()]", r"candidates in 'own\.py' are \[GaussianNB\(\)\]"),
        ("candidates = raw_candidates = {'a': GaussianNB()}", "names 'a' twice"),
        (
            "from sklearn.pipeline import Pipeline\ncandidates = {'a': Pipeline([GaussianNB()])}",
            r"has the step GaussianNB\(\); expected a pair \(name",
        ),
    ],
)
def test_refused(tmp_path, text, message):
    with pytest.raises(InvalidInput, match=message):
        read(tmp_path, text)
