"""Requests that cannot be met, as a user meets it: the installed command on real files."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from plain_tables import CODES, MAX, check_refused, csv


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--target", "size"), "--target was given 2 times: kind, size; expected one."),
        (("--output", "t.csv", "--force"), "--output 't.csv' is the table itself; choose another"),
        (("--output", "page.txt"), "expected a name that ends in .html or .htm."),
        (("--output", "folder.html"), "is a folder"),
        (("--study", "t.csv"), "'t.csv' is not a polychotomy study; expected a study file"),
        (("--study", "folder.html"), "'folder.html' is a folder, not a study"),
        (("--study", "no/s"), "there is no folder 'no' to write 's' into"),
        (("--loss", "logloss"), "the loss is 'logloss'. Did you mean 'log-loss'?"),
        (("--loss", "none.csv"), "there is no file 'none.csv'"),
        (("--loss", "auc", "--margin", "5"), "margin is 5.0; expected a positive difference"),
        (("--margin", "nan"), "margin is nan"),
        (("--drop", "sise"), "--drop: 't' has no column 'sise'. Did you mean 'size'?"),
        (("--drop", "kind"), "--drop names the target 'kind'"),
        (("--drop", "size", "--drop", "weight"), "nothing is left of 't' to predict 'kind' from"),
        (("--candidates", ""), "there is no built-in candidate ''"),
        (("--candidates", "three.py"), "'three.py' are 3; expected a dict"),
        (("--candidates", "no.py"), "the candidate 'a' of 'no.py' is 3; expected a scikit-learn"),
        (("--candidates", "class.py"), "Write GaussianNB()."),
        (("--candidates", "exit.py"), "'exit.py' ends the program"),
        (("--prefer", "size"), "prefer is 'size'; expected 'listed', 'time' or 'memory'"),
    ],
)
def test_wrong_requests(options, words, run, tmp_path):
    (tmp_path / "t.csv").write_bytes(csv())
    (tmp_path / "folder.html").mkdir()
    (tmp_path / "three.py").write_text("candidates = 3")
    (tmp_path / "no.py").write_text("candidates = {'a': 3}")
    (tmp_path / "class.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\ncandidates = {'nb': GaussianNB}"
    )
    (tmp_path / "exit.py").write_text("raise SystemExit(0)")
    left = sorted(os.listdir(tmp_path))
    found = run("judge", "t.csv", "--target", "kind", *MAX, *options, cwd=tmp_path)
    check_refused(found, tmp_path, words, left=left)
    assert (tmp_path / "t.csv").read_bytes() == csv()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--seed", "-1"), "Invalid value for '--seed': "),
        (("--runs", "0"), "Invalid value for '--runs': "),
        (("--runs", "1.5"), "Invalid value for '--runs': "),
        (
            ("--jobs", "-2"),
            "--jobs is -2; expected a whole number of processes (−1: one for each processor), at",
        ),
        (("--margin", "5%"), "Invalid value for '--margin': "),
        (("--time-limit", "-1"), "--time-limit is -1.0; expected a number above 0"),
        (("--time-limit", "inf"), "--time-limit is inf; expected a number above 0"),
        (("--memory-limit", "0"), "--memory-limit is 0.0; expected a number above 0"),
        (("--memory-limit", "nan"), "--memory-limit is nan; expected a number above 0"),
    ],
)
def test_wrong_numbers_are_refused(options, words, run, tmp_path):
    (tmp_path / "t.csv").write_bytes(csv())
    found = run("judge", "t.csv", "--target", "kind", *MAX, *options, cwd=tmp_path)
    assert (found.returncode, found.stdout) == (2, "")
    assert words in found.stderr
    assert os.listdir(tmp_path) == ["t.csv"]


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("a =", "the plan 'p.toml' cannot be read as TOML"),
        ("tables = 3", "the tables of 'p.toml' are 3; expected [[tables]]"),
        ("tables = ['t.csv']", "are ['t.csv']; expected [[tables]], each with a path"),
        ("[[tables]]\npath = 't.csv'\ndrop = 'x'", "'drop' in 'p.toml' is 'x'; expected tuple"),
        ("[[tables]]\npath = 't.csv'\nruns = 'x'", "expected int"),
        (
            "[[tables]]\npath = 't.csv'\n[[tables]]\npath = 'u.csv'",
            "the same data: 't' and 'u'; expected each once.",
        ),
    ],
)
def test_wrong_plans(plan, words, run, tmp_path):
    (tmp_path / "p.toml").write_text(plan)
    for name in ("t.csv", "u.csv"):
        (tmp_path / name).write_bytes(csv())
    found = run("judge", "p.toml", "--target", "kind", cwd=tmp_path)
    check_refused(found, tmp_path, words, left=["p.toml", "t.csv", "u.csv"])


def test_a_folder_without_tables(run, tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "notes.txt").write_text("nothing")
    found = run("judge", "tables", "--target", "kind", cwd=tmp_path)
    check_refused(found, tmp_path, "the folder 'tables' has no tables", left=["tables"])


@pytest.mark.parametrize("command", ["status", "export"])
def test_a_table_is_no_study(command, run, tmp_path):
    (tmp_path / "t.csv").write_bytes(csv())
    found = run(command, "t.csv", cwd=tmp_path)
    words = "'t.csv' is not a polychotomy study; expected a study file, as judge --study keeps one."
    check_refused(found, tmp_path, words, left=["t.csv"])


@pytest.fixture(scope="module")
def trained(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    colour = np.array(["red", "green", "blue"])[CODES]
    (folder / "t.csv").write_bytes(csv(colour=colour))
    judged = run(
        "judge", "t.csv", "--target", "kind", "--candidates", "nearest mean", "--no-anatomy",
        "--model", "m.skops", cwd=folder,
    )  # fmt: skip
    assert judged.returncode == 0, judged.text
    return folder / "m.skops"


@pytest.mark.long
def test_predict_reordered_extra_and_new_values(trained, run, tmp_path):
    new = "extra,colour,weight,size\n1,mauve,0.1,0.0\n2,red,,2.0\n"
    (tmp_path / "new.csv").write_text(new)
    found = run("predict", trained, "new.csv", cwd=tmp_path)
    assert found.returncode == 0, found.text
    for words in (
        "note: 1 column that the model does not use left out: 'extra'",
        "note: 'weight' is missing in 1 row; it never was in the training data",
        "note: 'colour' has values in 1 row never seen in training: 'mauve'",
        "2 rows predicted",
        "written to new-predictions.csv",
    ):
        assert words in found.text
    table = pd.read_csv(tmp_path / "new-predictions.csv")
    assert list(table.columns) == ["row", "predicted", "p:ash", "p:beech", "p:cedar"]
    assert table["row"].tolist() == [1, 2]
    np.testing.assert_allclose(table.iloc[:, 2:].sum(axis=1), 1)
    assert table["predicted"].tolist() == table.iloc[:, 2:].idxmax(axis=1).str[2:].tolist()


def test_predict_keeps_columns_in_the_order_of_the_rows(trained, run, tmp_path):
    (tmp_path / "new.csv").write_text(
        'plot,colour,weight,size,number\n=1+1,red,0.1,0.0,-3\n"b,\nc",red,1,2.0,007\n'
    )
    asked = ("predict", trained, "new.csv", "--keep", "number", "--keep", "plot")
    found = run(*asked, "--keep", "colour", cwd=tmp_path)
    assert found.returncode == 0, found.text
    assert "--keep" not in found.text
    table = pd.read_csv(tmp_path / "new-predictions.csv", dtype=str)
    assert list(table.columns[:4]) == ["number", "plot", "colour", "predicted"]
    assert table["plot"].tolist() == ["'=1+1", "b,\nc"]  # no spreadsheet computes it
    assert table["number"].tolist() == ["-3", "007"]
    assert run(*asked, "-o", "out.parquet", cwd=tmp_path).returncode == 0
    assert pd.read_parquet(tmp_path / "out.parquet")["plot"].tolist() == ["=1+1", "b,\nc"]


HEAD = "size,weight,colour\n"


@pytest.mark.parametrize(
    ("new", "arguments", "words"),
    [
        (
            "weight,color\n1,red\n",
            (),
            "of the 3 columns that the model needs these are missing: 'size', 'colour'; the table",
        ),
        (f"{HEAD}1,heavy,red\n", (), "the column 'weight' holds 'heavy'; expected a number"),
        (f"{HEAD}1,2\n", (), "line 2 of 'new.csv' has 2 fields"),
        (HEAD, (), "has a header but no rows"),
        (f"{HEAD}1,2,red\n", ("-o", "taken.csv"), "exists and was left as it is"),
        (f"{HEAD}1,2,red\n", ("-o", "new.csv", "--force"), "is the table itself"),
        (f"{HEAD}1,2,red\n", ("-o", "/proc/out.csv"), "the folder '/proc' cannot be written"),
        (
            f"{HEAD}1,2,red\n",
            ("--keep", "color"),
            "--keep: the table has no column 'color'. Did you mean 'colour'?",
        ),
        (
            "size,weight,colour,predicted\n1,2,red,ash\n",
            ("--keep", "predicted"),
            "a column of the predictions is called so",
        ),
        (f"{HEAD}1,2,red\n", ("-o", "out.doc"), "expected a name that ends in .csv or .parquet"),
    ],
)
def test_predict_refuses(new, arguments, words, trained, run, tmp_path):
    if "/proc/out.csv" in arguments and not Path("/proc/self").exists():
        pytest.skip("no /proc here")
    (tmp_path / "new.csv").write_text(new)
    (tmp_path / "taken.csv").write_text("precious")
    found = run("predict", trained, "new.csv", *arguments, cwd=tmp_path)
    check_refused(found, tmp_path, words, left=["new.csv", "taken.csv"])
    assert (tmp_path / "new.csv").read_text() == new
    assert (tmp_path / "taken.csv").read_text() == "precious"


def test_predict_refuses_what_is_no_model(run, tmp_path):
    (tmp_path / "m.skops").write_bytes(b"no zip archive")
    (tmp_path / "new.csv").write_text("size\n1\n")
    found = run("predict", "m.skops", "new.csv", cwd=tmp_path)
    check_refused(
        found, tmp_path, "is not a model saved by polychotomy", left=["m.skops", "new.csv"]
    )
