"""What `polychotomy judge` can be asked for, as a user would, in a process of its own."""

import json
import os

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine

QUICK = ["--no-anatomy", "--jobs", "1"]


@pytest.fixture
def plants(tmp_path):
    data = load_iris(as_frame=True)
    frame = data.data.copy()
    frame["species"] = np.array(["a", "b", "c"])[data.target]
    frame.to_csv(tmp_path / "plants.csv", index=False)
    return tmp_path


OLD_AND_NEW = """
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
candidates = {"old": GaussianNB(), "new": DummyClassifier()}
"""


@pytest.mark.long
def test_a_gate_that_is_not_passed_is_exit_code_1(run, plants):
    (plants / "both.py").write_text(OLD_AND_NEW)
    asked = ["judge", "plants.csv", "--target", "species", "--candidates", "both.py", *QUICK]
    result = run(*asked, "--against", "old", "--json", cwd=plants)
    assert result.returncode == 1, result.stderr
    assert result.stderr.splitlines()[-1] == "exit code 1: new is shown to be worse than old"
    gate = json.loads(result.stdout)["gate"]
    assert (gate["challenger"], gate["against"], gate["passed"]) == ("new", "old", False)
    passed = run(*asked, "--against", "new", "--force", cwd=plants)
    assert passed.returncode == 0
    assert "The gate is passed: it is not shown to be worse than guessing" in passed.stdout


STOPPED = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be inherited as ignored
signal.raise_signal(signal.SIGINT)
candidates = {}
"""


def test_ctrl_c_before_the_first_fit_promises_nothing(run, plants):
    (plants / "mine.py").write_text(STOPPED)
    asked = ["judge", "plants.csv", "--target", "species", "--candidates", "mine.py"]
    result = run(*asked, "--study", "early.polychotomy", cwd=plants)
    assert result.returncode == 130
    assert "stopped before the first fit; nothing was kept." in result.stderr
    assert "early.polychotomy" not in result.stderr
    assert not (plants / "early.polychotomy").exists()


@pytest.mark.long
def test_predictions_come_back_by_another_door(run, plants):
    asked = ["judge", "plants.csv", "--target", "species", "--candidates", "MAX,nearest mean"]
    first = run(*asked, *QUICK, "--study", "s", "--json", cwd=plants)
    assert run("export", "s", "--output", "p.csv", cwd=plants).returncode == 0
    again = run("judge", "--predictions", "p.csv", "--json", cwd=plants)
    assert again.returncode == 0, again.stderr
    first, again = json.loads(first.stdout), json.loads(again.stdout)
    assert again["ordering"] == first["ordering"]
    assert again["candidates"] == first["candidates"]


@pytest.mark.long
def test_a_folder_of_tables(run, tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    for name, load in (("iris", load_iris), ("wine", load_wine)):
        frame = load(as_frame=True).frame.iloc[::2, -5:]
        frame.to_csv(folder / f"{name}.csv", index=False)
    (folder / "bad.csv").write_text("x\n1\n")
    asked = ["--target", "target", "--candidates", "MAX,nearest mean", *QUICK, "--study", "s"]
    result = run("judge", "tables", *asked, "--json", cwd=tmp_path)
    assert result.returncode == 1, "one table could not be judged"
    document = json.loads(result.stdout)
    assert list(document["tables"]) == ["iris", "wine"]
    assert document["problems"][0]["table"] == "bad.csv"
    assert sorted(os.listdir(tmp_path)) == ["s", "tables", "tables-verdict.html"]
    page = (tmp_path / "tables-verdict.html").read_bytes()
    again = run("judge", "tables", *asked, cwd=tmp_path)  # its own page may be written again
    assert again.returncode == 1, again.stderr
    assert (tmp_path / "tables-verdict.html").read_bytes() == page
    assert run("judge", "tables", *asked, "--margin", 0.02, cwd=tmp_path).returncode == 1
    assert (tmp_path / "tables-verdict.html").read_bytes() == page
    assert (tmp_path / "tables-verdict-2.html").exists()


def test_a_model_to_take_away(run, plants):
    asked = ["judge", "plants.csv", "--target", "species", "--candidates", "MAX,nearest mean"]
    result = run(*asked, *QUICK, "--model", "m.skops", "-o", "page.html", cwd=plants)
    assert result.returncode == 0, result.stderr
    assert (plants / "page.html").exists()
    assert "Next: predict new rows with m.skops." in result.stdout  # not: fit it by --model
    predicted = run("predict", "m.skops", "plants.csv", "--output", "out.csv", cwd=plants)
    assert predicted.returncode == 0, predicted.stderr
    assert set(pd.read_csv(plants / "out.csv")["predicted"]) <= {"a", "b", "c"}
