"""The installed command on real files, each time in a process of its own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris


@pytest.fixture(scope="module")
def iris():
    data = load_iris(as_frame=True)
    frame = data.data.copy()
    frame["colour <b>"] = np.where(np.arange(150) % 2, "red", "blue")
    frame["species"] = np.array(["setosa", "versicolor", "<script>"])[data.target]
    return frame


@pytest.fixture
def table(iris, tmp_path):
    path = tmp_path / "plants.csv"
    iris.to_csv(path, index=False)
    return path


QUICK = ["--candidates", "MAX,nearest mean", "--no-anatomy", "--jobs", "1"]


def test_judge_a_table_of_ones_own(run, table, tmp_path):
    quick = ["--candidates", "MAX,nearest mean", "--jobs", "1"]
    result = run("judge", table, "--target", "species", *quick, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("Use ")
    words = "expected: 10 fits, up to 50 while that may change the choice, then up to 80 on what"
    assert f"{words} limits the best and which columns matter; about " in result.stderr
    assert "comparing: 10 of 10" in result.stderr
    page = (tmp_path / "plants-verdict.html").read_text()
    assert "&lt;script&gt;" in page
    assert "<script>setosa" not in page
    assert sorted(os.listdir(tmp_path)) == ["plants-verdict.html", "plants.csv"]


@pytest.mark.long
def test_same_study_no_fit_same_bytes(run, table, tmp_path):
    command = ["judge", table, "--target", "species", "--study", "s.polychotomy", *QUICK]
    first = run(*command, cwd=tmp_path)
    page = (tmp_path / "plants-verdict.html").read_bytes()
    again = run(*command, cwd=tmp_path)
    assert (first.returncode, again.returncode) == (0, 0), again.stderr
    assert again.stderr.splitlines() == ["comparing: 10 of 10"]
    assert again.stdout == first.stdout
    assert (tmp_path / "plants-verdict.html").read_bytes() == page


def test_json_is_one_document(run, table, tmp_path):
    result = run(
        "judge", table, "--target", "species", "--candidates", "MAX, logistic", "--json",
        "--no-anatomy", "--rule", "paper", cwd=tmp_path,
    )  # fmt: skip
    document = json.loads(result.stdout)
    assert document["best"] == "logistic"
    assert document["ordering"]["order"] == ["logistic", "MAX"]
    assert document["ordering"]["names"] == ["MAX", "logistic"]
    assert document["ordering"]["edges"] == [[False, True], [False, False]]
    assert document["ordering"]["pvalues"][1] == [None, None]
    assert document["ordering"]["level"] == 0.05
    assert [c["name"] for c in document["candidates"]] == ["MAX", "logistic"]
    assert document["failures"] == []


@pytest.mark.long
def test_two_workers_say_the_same(run, table, tmp_path):
    quick = ["judge", table, "--target", "species", "--candidates", "MAX,pruned tree"]
    quick += ["--no-anatomy"]
    one = run(*quick, "--output", "one.html", "--json", "--jobs", 1, cwd=tmp_path)
    two = run(*quick, "--output", "two.html", "--json", "--jobs", 2, cwd=tmp_path)
    one, two = json.loads(one.stdout), json.loads(two.stdout)
    assert one["candidates"] == two["candidates"]
    assert one["ordering"] == two["ordering"]


def bad(frame, name, **changes):
    def write(folder):
        changed = frame.copy()
        for column, value in changes.items():
            changed[column] = value
        changed.to_csv(folder / name, index=False)

    return write


CASES = {
    "misspelt target": (None, "Species_", ["Did you mean 'species'", "columns are: sepal"]),
    "empty file": (lambda folder: (folder / "t.csv").write_text(""), "y", ["is empty"]),
    "header only": (
        lambda folder: (folder / "t.csv").write_text("x,y\n"),
        "y",
        ["header but no rows"],
    ),
    "one class": ({"species": "a"}, "species", ["one class 'a'", "at least two"]),
    "continuous": ({}, "sepal length (cm)", ["looks continuous", "expected class labels"]),
    "rare class": (
        {"species": ["lonely", *["a"] * 70, *["b"] * 79]},
        "species",
        ["'lonely' has 1", "--drop-rare"],
    ),
    "missing labels": (
        {"species": [None, *["a"] * 70, None, *["b"] * 78]},
        "species",
        ["missing in 2 of 150 rows", "data row 1, 72"],
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_exit_code_2_one_message_and_nothing_written(case, run, iris, tmp_path):
    change, target, expected = CASES[case]
    if callable(change):
        change(tmp_path)
    else:
        bad(iris, "t.csv", **(change or {}))(tmp_path)
    result = run("judge", "t.csv", "--target", target, "--study", "s.polychotomy", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) == 1
    for words in expected:
        assert words in result.stderr
    assert os.listdir(tmp_path) == ["t.csv"]


@pytest.mark.long
def test_drop_rare_judges_the_rest_and_says_so(run, iris, tmp_path):
    bad(iris, "t.csv", species=["lonely", *["a"] * 70, *["b"] * 79])(tmp_path)
    result = run(
        "judge", "t.csv", "--target", "species", "--drop-rare", *QUICK, cwd=tmp_path
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "1 row of classes with fewer than 5 members left out: 'lonely' (1)" in (
        " ".join(result.stdout.split())
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["t.csv"], "expected --target COLUMN"),
        (["nothing.csv", "--target", "y"], "there is no file 'nothing.csv'"),
        (["t.csv", "--target", "species", "--candidates", "logistik"], "Did you mean 'logistic'"),
        (["t.csv", "--target", "species", "--output", "no/where.html"], "there is no folder 'no'"),
        (
            ["t.csv", "--target", "species", "--output", "t.csv"],
            "--output 't.csv' is the table itself",
        ),
        (["t.csv", "--target", "species", "--study", "t.csv"], "not a polychotomy study"),
        (["t.csv", "--target", "species", "--runs", "0"], "--runs"),
        (["t.csv", "--nonsense"], "--nonsense"),
    ],
)
def test_wrong_requests_run_nothing(arguments, words, run, iris, tmp_path):
    iris.to_csv(tmp_path / "t.csv", index=False)
    before = (tmp_path / "t.csv").read_bytes()
    result = run("judge", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert words in result.stderr
    assert "comparing" not in result.stderr
    assert os.listdir(tmp_path) == ["t.csv"]
    assert (tmp_path / "t.csv").read_bytes() == before


@pytest.mark.long
@pytest.mark.parametrize("output", ["plants.csv", "../{folder}/plants.csv", "s.polychotomy"])
def test_what_is_read_is_never_overwritten(output, run, table, tmp_path):
    before = table.read_bytes()
    result = run(
        "judge", "plants.csv", "--target", "species", "--study", "s.polychotomy", "--force",
        "--output", output.format(folder=tmp_path.name), cwd=tmp_path,
    )  # fmt: skip
    assert result.returncode == 2
    assert "itself; choose another name" in result.stderr
    assert table.read_bytes() == before


@pytest.mark.long
def test_a_page_of_another_study_needs_force(run, table, tmp_path):
    quick = ["judge", table, "--target", "species", "--candidates", "MAX", "--jobs", "1"]
    quick += ["-o", "page.html"]
    assert run(*quick, "--study", "s", cwd=tmp_path).returncode == 0
    other = run(*quick, "--study", "s2", "--seed", 1, cwd=tmp_path)
    assert other.returncode == 2
    assert "overwrite it by --force" in other.stderr
    assert not (tmp_path / "s2").exists()
    assert run(*quick, "--study", "s2", "--seed", 1, "--force", cwd=tmp_path).returncode == 0


@pytest.mark.long
def test_study_made_with_another_seed_is_refused_in_words(run, table, tmp_path):
    quick = [
        "judge",
        table,
        "--target",
        "species",
        "--candidates",
        "MAX",
        "--study",
        "s",
        "--jobs",
        "1",
    ]
    run(*quick, cwd=tmp_path)
    result = run(*quick, "--seed", 5, "--force", cwd=tmp_path)
    assert result.returncode == 2
    assert "the seed was 0, now 5" in result.stderr


def test_a_renamed_table_goes_on(run, tmp_path):
    """The study keeps its fits, under its own name for the data; nothing is fitted again."""
    rows = "".join(f"{i % 7},{i % 3},{'ab'[i % 2]}\n" for i in range(40))
    (tmp_path / "old.csv").write_text(f"x,z,kind\n{rows}")
    quick = ["--target", "kind", "--candidates", "MAX", "--study", "s", "--jobs", "1"]
    assert run("judge", "old.csv", *quick, cwd=tmp_path).returncode == 0
    before = run("status", "s", cwd=tmp_path).stdout
    (tmp_path / "old.csv").rename(tmp_path / "new.csv")
    again = run("judge", "new.csv", *quick, cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "new-verdict.html").exists()
    assert run("status", "s", cwd=tmp_path).stdout == before


def test_help_names_every_option(run):
    result = run("judge", "--help", cwd=Path.cwd())
    assert result.returncode == 0
    for option in ("--target", "--output", "--study", "--candidates", "--json", "--force",
                   "--margin", "--loss", "--group", "--time", "--against", "--predictions",
                   "--model", "--cluster", "--plan", "--budget", "--time-limit"):  # fmt: skip
        assert option in result.stdout


@pytest.mark.parametrize("command", ["judge", "predict", "status", "export", "reproduce"])
def test_help_has_examples(command, run):
    text = run(command, "--help", cwd=Path.cwd()).stdout
    assert f"\n    polychotomy {command} " in text.split("Example", 1)[1]


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("polychotomy ", ["judge", "status", "compare", "predict", "export", "reproduce"]),
        ("polychotomy judge --drop-", ["--drop-rare", "--drop-unlabelled"]),
        ("polychotomy judge --prefer ", ["listed", "time", "memory"]),
        ("polychotomy judge --rule ", ["margin", "paper"]),
        ("polychotomy judge --loss b", ["brier", "balanced-error"]),
        ("polychotomy reproduce m", ["m24", "mst09"]),
    ],
)
def test_the_shell_completes(line, completed, run):
    words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    asked = {**os.environ, "_POLYCHOTOMY_COMPLETE": "complete_bash", **words}
    script = shutil.which("polychotomy", path=str(Path(sys.executable).parent))
    result = subprocess.run([script], env=asked, capture_output=True, text=True)
    assert result.stdout.split() == completed, result.stderr


def test_version(run):
    from polychotomy import __version__

    assert run("--version", cwd=Path.cwd()).stdout == f"polychotomy {__version__}\n"


@pytest.mark.parametrize("code", ["import polychotomy", "import polychotomy.cli"])
def test_imports_stay_light(code, run):
    heavy = "{'sklearn', 'pandas', 'matplotlib', 'scipy', 'numpy'}"
    check = f"import sys; {code}; found = sorted({heavy} & set(sys.modules)); print(found)"
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert result.stdout.strip() == "[]", result.stderr


def test_the_command_is_installed(run):
    command = shutil.which("polychotomy", path=str(Path(sys.executable).parent))
    assert command, "the package is not installed: pip install -e ."
    result = subprocess.run([command, "--help"], capture_output=True, text=True)
    assert "judge" in result.stdout


@pytest.mark.long
def test_parquet(run, iris, tmp_path):
    pd.DataFrame(iris).to_parquet(tmp_path / "t.parquet")
    result = run("judge", "t.parquet", "--target", "species", "--candidates", "MAX", "--jobs", 1,
                 cwd=tmp_path)  # fmt: skip
    assert result.returncode == 0, result.stderr


def in_its_own_interpreter(*arguments, cwd):
    command = [sys.executable, "-m", "polychotomy", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


@pytest.mark.long
def test_every_command_in_an_interpreter_of_its_own(table, tmp_path):
    """The other tests fork; this one starts each command as a user's shell does."""
    run = in_its_own_interpreter
    judged = run("judge", table, "--target", "species", "--candidates", "nearest mean", "--jobs", 1,
                 "--no-anatomy", "--study", "plants.polychotomy", "--model", "m.skops",
                 cwd=tmp_path)  # fmt: skip
    assert "The model: m.skops, with" in " ".join(judged.stdout.split())  # or without recalibration
    predicted = run("predict", "m.skops", table, cwd=tmp_path)
    assert "labels are the most probable ones, probabilities are with" in predicted.stdout
    exported = run("export", "plants.polychotomy", cwd=tmp_path)
    assert exported.returncode == 0, exported.stderr
    assert (tmp_path / "plants-predictions.csv").exists()  # not the name that export takes
    assert "5 of 5 fits recorded" in run("status", "plants.polychotomy", cwd=tmp_path).stdout
    refused = run("reproduce", "ht99", cwd=tmp_path)
    assert refused.returncode == 2
    assert "there is no paper 'ht99'" in refused.stderr


def test_status_and_export(run, table, tmp_path):
    quick = ["--target", "species", "--candidates", "MAX,1-NN", "--study", "s.polychotomy"]
    quick += ["--rule", "paper", "--no-anatomy", "--jobs", "1"]
    run("judge", table, *quick, cwd=tmp_path)
    status = run("status", "s.polychotomy", cwd=tmp_path)
    assert "20 of 20 fits recorded" in status.stdout
    assert "  MAX: 10 of 10\n  1-NN: 10 of 10\n" in status.stdout
    exported = run("export", "s.polychotomy", cwd=tmp_path)
    assert exported.stdout == "1500 predictions written to s-out-of-fold.csv\n"
    assert len(pd.read_csv(tmp_path / "s-out-of-fold.csv")) == 1500
    again = run("export", "s.polychotomy", cwd=tmp_path)
    assert again.returncode == 2
    assert "exists and was left as it is" in again.stderr


@pytest.mark.long
@pytest.mark.parametrize("command", ["status", "export"])
def test_no_such_study(command, run, tmp_path):
    result = run(command, "nothing", cwd=tmp_path)
    assert result.returncode == 2
    assert "there is no study 'nothing'" in result.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.long
@pytest.mark.parametrize("command", ["status", "export"])
def test_a_folder_is_no_study(command, run, tmp_path):
    (tmp_path / "studies").mkdir()
    result = run(command, "studies", cwd=tmp_path)
    assert result.returncode == 2
    assert "'studies' is a folder, not a study; expected the name of a study file" in result.stderr


@pytest.mark.long
def test_jobs_of_minus_one_are_one_a_processor_and_of_none_refused(run, table, tmp_path):
    quick = ["--candidates", "MAX,nearest mean", "--no-anatomy", "--force"]
    judged = run("judge", table, "--target", "species", *quick, "--jobs", "-1", cwd=tmp_path)
    assert judged.returncode == 0, judged.stderr
    refused = run("judge", table, "--target", "species", *quick, "--jobs", "0", cwd=tmp_path)
    assert refused.returncode == 2
    assert "--jobs is 0; expected a whole number of processes" in refused.stderr


OWN = """
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
import os
import numpy as np

print("this file prints")

class ByColour(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        print("as do its classes", flush=True)
        os.write(1, b"and libraries")
        assert X["colour <b>"].isin(["red", "blue"]).all()  # the table as it is
        self.classes_ = np.unique(y)
        return self
    def predict(self, X):
        return np.full(len(X), self.classes_[0])

candidates = {"MAX": DummyClassifier(), "naive <i>Bayes</i>": GaussianNB()}
raw_candidates = {"by colour": ByColour()}
"""


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.long)])
def test_candidates_from_a_file(jobs, run, table, tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    command = ["judge", table, "--target", "species", "--candidates", "own.py", "--no-anatomy"]
    result = run(
        *command, "--rule", "paper", "--jobs", jobs, "--json", "--against", "baseline", cwd=tmp_path
    )
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)  # what candidates print is on standard error
    assert "this file prints" in result.stderr
    assert document["gate"]["against"] == "MAX"
    assert document["best"] == "naive <i>Bayes</i>"
    assert document["ordering"]["names"] == ["MAX", "naive <i>Bayes</i>", "by colour"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 / 0", "'own.py' cannot be run: ZeroDivisionError: division by zero"),
        ("x = 3", "names no candidates"),
        ("candidates = 3", "candidates in 'own.py' are 3; expected a dict"),
        ("candidates = {'../x': __import__('sklearn.dummy').dummy.DummyClassifier()}", "'../x'"),
    ],
)
def test_bad_candidate_files_run_nothing(text, words, run, table, tmp_path):
    (tmp_path / "own.py").write_text(text)
    result = run("judge", table, "--target", "species", "--candidates", "own.py", cwd=tmp_path)
    assert result.returncode == 2
    assert words in result.stderr
    assert sorted(os.listdir(tmp_path)) in (
        ["own.py", "plants.csv"],
        ["__pycache__", "own.py", "plants.csv"],
    )
