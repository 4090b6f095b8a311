"""A study file knows the code of the user's own that its candidates are made of."""

import os
import subprocess
import sys
from functools import lru_cache, partial, wraps
from importlib import import_module
from types import ModuleType

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from polychotomy import Ledger
from polychotomy.core.exceptions import StudyError
from polychotomy.study import Study
from polychotomy.study.design.description import code_of

X, y = load_iris(return_X_y=True)

HELPER = """
def nearest(table, means):
    return ((table[:, None] - means) ** 2).sum(2).argmin(1)
"""
OWN = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.svm import SVC
import helper

SHIFT = 0.0
KNOWN = {"b", "c", "a"}


def farther(table):
    return table + SHIFT


class Base:
    def means(self, X, y):
        return np.array([X[y == c].mean(axis=0) for c in self.classes_])


class Mine(Base, ClassifierMixin, BaseEstimator):
    \"\"\"Nearest mean.\"\"\"

    power = 2

    def __init__(self, method=None):
        self.method = method

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = self.means(farther(X), y)
        return self

    def predict(self, X):
        try:
            assert "a" in {"a", "b", "c"} and "a" in KNOWN
        finally:
            found = [c for c in helper.nearest(farther(X), self.means_)]
        return self.classes_[found]


def unrelated():
    return 1
"""
CHANGES = [
    ("self.classes_[found]", "np.repeat(self.classes_[0], len(X))"),
    ("table + SHIFT", "table - SHIFT"),  # called by a method
    ("SHIFT = 0.0", "SHIFT = 1.0"),  # named by what is called
    ('KNOWN = {"b"', 'KNOWN = {"d"'),
    ("X[y == c].mean(axis=0)", "X[y == c].mean(axis=1)"),  # inherited
    ("ClassifierMixin, BaseEstimator)", "BaseEstimator)"),
    ("power = 2", "power = 3"),
    ("def predict(self, X):", "def predict(self, X, y=1):"),
    ("[c for c in", "[0 * c for c in"),  # in code within code
]
SAME = [
    ("Nearest mean.", "The nearest mean, as in a book.\n"),
    ("        try:", "        # tries\n\n        try:"),
    ("return 1", "return 2"),
    ('"""Nearest mean."""', ""),
]


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Return what imports a module of this text, as a new process would."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def imported(text, helper=HELPER):
        for name, source in (("helper", helper), ("mine", text)):
            (tmp_path / f"{name}.py").write_text(source)
            monkeypatch.delitem(sys.modules, name, raising=False)
        return import_module("mine")

    yield imported
    for name in ("helper", "mine"):
        sys.modules.pop(name, None)


def run(candidates, path):
    Study(candidates, X, y).run(path).close()


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_changed_code_is_known(load, old, new):
    assert old in OWN
    before = code_of(load(OWN).Mine())
    assert list(before) == ["Python", "class Mine"]
    assert before != code_of(load(OWN.replace(old, new)).Mine())


@pytest.mark.parametrize(("old", "new"), SAME)
def test_comments_docstrings_and_what_it_does_not_use_do_not_count(load, old, new):
    assert old in OWN
    before = code_of(load(OWN).Mine())
    assert before == code_of(load(OWN.replace(old, new)).Mine())


def test_a_study_is_not_resumed_with_other_code(tmp_path, load):
    path = tmp_path / "s"
    run({"m": load(OWN).Mine(), "NB": GaussianNB()}, path)
    run({"m": load("# moved\n\n" + OWN).Mine(), "NB": GaussianNB()}, path)
    words = "of the candidate 'm' the code of class Mine has changed"
    for changed in (OWN.replace("found]", "found[::-1]]"), OWN):
        other = HELPER.replace("argmin", "argmax") if changed == OWN else HELPER
        with pytest.raises(StudyError, match=words):
            run({"m": load(changed, other).Mine()}, path)
    run({"other": load(OWN, other).Mine()}, path)  # by another name


def test_so_is_a_function_that_a_candidate_calls(tmp_path, load):
    def piped(text):
        module = load(text)
        return {"m": make_pipeline(FunctionTransformer(module.farther), GaussianNB())}

    run(piped(OWN), tmp_path / "s")
    with pytest.raises(StudyError, match="'m' the code of function farther has changed"):
        run(piped(OWN.replace("SHIFT = 0.0", "SHIFT = 3.0")), tmp_path / "s")


def test_another_python_is_said(tmp_path, load):
    run({"m": load(OWN).Mine()}, tmp_path / "s")
    with Ledger(tmp_path / "s") as ledger:
        stored = ledger.fact("specification")
        stored["code"]["m"]["Python"] = "3.1"
        ledger.write_facts({"specification": stored})
    with pytest.raises(StudyError, match=r"Python was 3\.1, now 3"):
        run({"m": load(OWN).Mine()}, tmp_path / "s")


def test_a_study_of_before_code_was_kept_goes_on(tmp_path, load):
    run({"m": load(OWN).Mine()}, tmp_path / "s")
    with Ledger(tmp_path / "s") as ledger:
        stored = ledger.fact("specification")
        del stored["code"]
        ledger.write_facts({"specification": stored})
    run({"m": load(OWN).Mine()}, tmp_path / "s")
    with pytest.raises(StudyError, match="the code of class Mine has changed"):
        run({"m": load(OWN.replace("power = 2", "power = 3")).Mine()}, tmp_path / "s")


@pytest.mark.parametrize("wrap", ["partial(f, k=1)", "logged(f)", "lru_cache(f)", "[f, 1]",
                                  "{'a': f}", "Rule(f)", "Rule(1).apply", "f"])  # fmt: skip
def test_however_a_function_is_given(wrap):
    text = f"""
def f(X, k=0): return X + 1
class Rule:
    def __init__(self, how): self.how = how
    def apply(self, X): return f(X)
given = {wrap}
"""

    def logged(f):
        @wraps(f)
        def call(*args):
            return f(*args)

        return call

    def given(text):
        module = ModuleType("mine")
        vars(module).update(partial=partial, lru_cache=lru_cache, logged=logged)
        exec(text, vars(module))
        return FunctionTransformer(module.given, kw_args={"now": print})

    before = code_of(given(text))
    assert before
    assert before == code_of(given(text))
    if wrap != "Rule(f)":  # what an object of a class without parameters holds, nobody knows
        assert before != code_of(given(text.replace("X + 1", "X - 1")))


def test_what_is_installed_has_a_version_and_no_hash():
    study = Study({"NB": make_pipeline(FunctionTransformer(abs), GaussianNB())}, X, y)
    assert "code" not in study.specification


def test_the_same_in_every_process_and_folder(tmp_path):
    """With other hashes, from another folder, and compiled or read."""
    found = set()
    for number in ("1", "2", "3"):
        folder = tmp_path / ("first" if number != "3" else "second")
        folder.mkdir(exist_ok=True)
        here = "import os, sys\nHERE = os.path.dirname(os.path.abspath(__file__))\n"
        (folder / "helper.py").write_text(HELPER)
        (folder / "own.py").write_text(here + OWN.replace("table + SHIFT", "table + len(HERE)"))
        (folder / "script.py").write_text(
            "from own import Mine\n"
            "class Sub(Mine):\n    pass\n"
            "from polychotomy.study.design.description import code_of\nprint(code_of(Sub()))\n"
        )
        script = [sys.executable, "script.py" if number == "1" else str(folder / "script.py")]
        env = os.environ | {"PYTHONHASHSEED": number}
        said = subprocess.run(script, cwd=folder, env=env, capture_output=True, text=True)
        assert "class Sub" in said.stdout, said.stderr
        found.add(said.stdout)
    assert len(found) == 1
