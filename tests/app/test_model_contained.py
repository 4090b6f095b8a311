"""``judge --model`` fits the winner once more, as contained as any other fit."""

import numpy as np
import pandas as pd
import pytest

from polychotomy.model import load_model

N = 60

OWN = """
import ctypes, os, time
import numpy as np
from sklearn.naive_bayes import GaussianNB

def crash():
    ctypes.string_at(0)

def hang():
    time.sleep(600)

def eat():
    np.ones(3 * 2**30 // 8)

def fail():
    raise ValueError("not on all of them")

class Own(GaussianNB):
    def fit(self, X, y):
        if len(X) == {n}:
            {deed}()
        return super().fit(X, y)

candidates = {{"own": Own()}}
"""

REVERSED = """
from sklearn.naive_bayes import GaussianNB

class Reversed(GaussianNB):
    def predict(self, X):
        return self.classes_[super().predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X):
        return super().predict_proba(X)[:, ::-1]

candidates = {"own": Reversed()}
"""


@pytest.fixture
def judge(run, tmp_path):
    rng = np.random.default_rng(0)
    codes = np.arange(N) % 2
    table = pd.DataFrame(
        {"size": codes + rng.normal(size=N) / 4, "kind": np.array(["a", "b"])[codes]}
    )
    table.to_csv(tmp_path / "t.csv", index=False)

    def judge_with(candidates, *options):
        (tmp_path / "own.py").write_text(candidates)
        return run(
            "judge", "t.csv", "--target", "kind", "--candidates", "own.py", "--no-anatomy",
            "--model", "m.skops", "--output", "page.html", *options, cwd=tmp_path,
        )  # fmt: skip

    return judge_with


@pytest.mark.parametrize(
    ("deed", "options", "sentence"),
    [
        ("crash", (), "its process was ended by SIGSEGV"),
        ("fail", (), "ValueError: not on all of them"),
        pytest.param("hang", ("--time-limit", 3), "within the time limit of 3 seconds",
                     marks=pytest.mark.long),
        pytest.param("eat", ("--memory-limit", 0.5), "MemoryError: Unable to allocate 3.00 GiB",
                     marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_what_the_last_fit_does_is_a_sentence_and_the_page_is_there(
    deed, options, sentence, judge, tmp_path
):
    found = judge(OWN.format(n=N, deed=deed), *options)
    assert found.returncode == 1
    start = "error: the candidate 'own' cannot be fitted on all data: "
    (said,) = (line for line in found.stderr.splitlines() if line.startswith("error: "))
    assert said.startswith(start)
    assert sentence in said
    assert found.stdout.startswith("Use own.")
    assert (tmp_path / "page.html").exists()
    assert not (tmp_path / "m.skops").exists()
    assert not list(tmp_path.glob(".m.skops*"))


def test_a_winner_that_contradicts_itself_gives_no_model_but_a_page(judge, tmp_path):
    found = judge(REVERSED)
    assert found.returncode == 1
    assert "error: no model was made: the probabilities of 'own' contradict its labels" in (
        found.stderr
    )
    assert "contradicts itself" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not (tmp_path / "m.skops").exists()


@pytest.mark.long
def test_a_class_of_the_users_own_file_is_kept_under_its_name(judge, tmp_path):
    found = judge(OWN.format(n=-1, deed="fail"))
    assert found.returncode == 0, found.stderr
    assert (tmp_path / "m.skops").exists()
    with pytest.raises(ValueError, match=r"types that are not trusted: polychotomy_user_.*Own"):
        load_model(tmp_path / "m.skops")
