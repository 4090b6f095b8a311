"""Whatever a table may hold, as a user meets it: the installed command on real files."""

import gzip
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from command_line import CommandLine

N = 60
CODES = np.arange(N) % 3


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    command = CommandLine(tmp_path_factory.mktemp("outputs"))
    yield command
    command.close()


def frame(**changes):
    """Three classes that a column tells apart; changed as asked."""
    random = np.random.default_rng(0)
    columns = {
        "size": (CODES + random.normal(scale=0.3, size=N)).round(3),
        "weight": random.normal(size=N).round(3),
        "kind": np.array(["ash", "beech", "cedar"])[CODES],
    }
    return pd.DataFrame(columns).assign(**changes)


def csv(**changes):
    return frame(**changes).to_csv(index=False).encode()


BOMB = b"size,kind\n" + b"0" * (80 * 2**20)
REFUSED = {
    "misspelt target": (csv(), "Kinds", "has no column 'Kinds'. Did you mean 'kind'?"),
    "no such target": (csv(), "leaf", "has no column 'leaf'. Its columns are: size, weight, kind"),
    "empty": (b"", "kind", "'t.csv' is empty"),
    "blank lines": (b"\n\n\n", "kind", "'t.csv' is empty"),
    "header only": (b"size,kind\n", "kind", "has a header but no rows"),
    "target only": (b"kind\na\nb\n", "kind", "has the column 'kind' only"),
    "one class": (csv(kind="ash"), "kind", "has the one class 'ash'; expected at least two"),
    "tiny classes": (
        csv(kind=["oak", "elm", *["ash", "beech"] * 29]),
        "kind",
        "too few members in 2 of the 4 classes of 'kind': 'elm' has 1, 'oak' has 1",
    ),
    "missing labels": (
        csv(kind=[None, "ash", None, *["ash", "beech", "cedar"] * 19]),
        "kind",
        "missing in 2 of 60 rows (data row 1, 3); expected a label in every row. Fill them in, or "
        "leave these rows out by --drop-unlabelled.",
    ),
    "continuous": (csv(), "weight", "'weight' looks continuous: 60 distinct values in 60 rows"),
    "identifier": (
        csv(kind=[f"tree {i}" for i in range(N)]),
        "kind",
        "60 different labels in 60 rows, 'tree 0' and 'tree 1' among them, like an identifier; "
        "pairs of classes alone would mean 1770 fits in every fold",
    ),
    "whole numbers that number the rows": (
        csv(kind=range(N)), "kind", "like an identifier",
    ),
    "wrong encoding": (
        csv(kind=["ash"] * 59 + ["Bäume"]).decode().encode("latin-1"),
        "kind",
        "'t.csv' is not UTF-8 text: byte 0xe4 in line 61",
    ),
    "another encoding": (csv().decode().encode("utf-16"), "kind", "'t.csv' is UTF-16 text"),
    "zero bytes": (b"size,kind\n1,a\n2,\0\n", "kind", "holds a zero byte in line 3"),
    "a long row": (
        b"size,kind\n1,a\n2,b,c\n",
        "kind",
        "line 3 of 't.csv' has 3 fields and the header has 2",
    ),
    "a short row": (
        b"a,size,kind\n1,2,x\n\n3\n",
        "kind",
        "line 4 of 't.csv' has 1 field and the header has 3",
    ),
    "all rows longer than the header": (
        b"size,kind\n1,2,a\n1,2,b\n",
        "kind",
        "line 2 of 't.csv' has 3 fields and the header has 2",
    ),
    "a quote never closed": (
        b'size,kind\n1,a\n1,"a\n2,b\n',
        "kind",
        "a quotation mark in line 3 is never closed",
    ),
    "other separators": (b"size;kind\n1;a\n", "kind", "looks separated by semicolons"),
    "duplicate names": (b"size,size,kind\n1,2,a\n", "kind", "2 columns are called 'size'"),
}  # fmt: skip


def check_refused(found, folder, words, *, left):
    """One message, exit code 2, and nothing was run or written."""
    assert found.returncode == 2, found.text
    assert found.stdout == ""
    assert found.stderr.startswith("error: ")
    assert len(found.stderr.splitlines()) == 1
    assert words in found.stderr
    assert sorted(os.listdir(folder)) == left


@pytest.mark.parametrize("case", REFUSED)
def test_refused_before_anything_is_run(case, run, tmp_path):
    data, target, words = REFUSED[case]
    (tmp_path / "t.csv").write_bytes(data)
    found = run("judge", "t.csv", "--target", target, "--study", "s", cwd=tmp_path)
    check_refused(found, tmp_path, words, left=["t.csv"])


def test_a_gzip_bomb_is_not_unpacked(run, tmp_path):
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(BOMB, 9))
    found = run("judge", "t.csv.gz", "--target", "kind", cwd=tmp_path)
    check_refused(found, tmp_path, "holds more than 64 MiB unpacked", left=["t.csv.gz"])


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("https://example.org/t.csv", "is an address, and nothing is fetched from the net"),
        ("s3://bucket/t.parquet", "is an address"),
        ("/dev/zero", "'/dev/zero' is a device, not a file"),
        ("zero.csv", "'zero.csv' is a device, not a file"),
        ("pipe.csv", "'pipe.csv' is a pipe, not a file"),
        ("t.xlsx", "is of no kind known here"),
        ("other.csv", "there is no file 'other.csv'"),
    ],
)
def test_places_that_are_no_tables(place, words, run, tmp_path):
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "t.xlsx").write_bytes(b"PK")
    found = run("judge", place, "--target", "kind", cwd=tmp_path)
    check_refused(found, tmp_path, words, left=["pipe.csv", "t.xlsx", "zero.csv"])


def test_a_file_that_changes_while_it_is_read(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"size,kind\n" + b"1.5,ash\n" * 1_500_000)
    stop = threading.Event()

    def append():
        with path.open("ab", buffering=0) as file:
            while not stop.is_set():
                file.write(b"1.5,ash\n")
                time.sleep(0.0005)

    writer = threading.Thread(target=append)
    writer.start()
    try:
        found = run("judge", "t.csv", "--target", "kind", cwd=tmp_path)
    finally:
        stop.set()
        writer.join()
    check_refused(found, tmp_path, "'t.csv' changed while it was read", left=["t.csv"])


MAX = ("--candidates", "MAX", "--no-anatomy")


@pytest.mark.parametrize("option", ["--output", "--model"])
@pytest.mark.parametrize(
    ("place", "words"),
    [
        pytest.param(
            "/proc/out{suffix}",
            "the folder '/proc' cannot be written",
            marks=pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc here"),
        ),
        ("no/out{suffix}", "there is no folder 'no'"),
        ("taken{suffix}", "exists and was left as it is"),
    ],
)
def test_outputs_are_checked_first(option, place, words, run, tmp_path):
    suffix = {"--output": ".html", "--model": ".skops"}[option]
    (tmp_path / "t.csv").write_bytes(csv())
    (tmp_path / f"taken{suffix}").write_text("precious")
    where = place.format(suffix=suffix)
    found = run("judge", "t.csv", "--target", "kind", *MAX, option, where, cwd=tmp_path)
    check_refused(found, tmp_path, words, left=["t.csv", f"taken{suffix}"])
    assert (tmp_path / f"taken{suffix}").read_text() == "precious"


def test_columns_worth_a_remark(run, tmp_path):
    table = frame(
        same=1, gap=np.nan, copy=frame()["size"], code=[f"k{i}" for i in range(N)],
        genus=np.array(["Fraxinus", "Fagus", "Cedrus"])[CODES],
    )  # fmt: skip
    table.to_csv(tmp_path / "t.csv", index=False)
    found = run("judge", "t.csv", "--target", "kind", *MAX, cwd=tmp_path)
    assert found.returncode == 0, found.text
    for words in (
        "note: 1 column has no values: 'gap'",
        "note: 1 column has one value only: 'same'",
        "note: 1 column equals another: 'copy' ('size')",
        "which can only be learned by heart (leave it out by --drop code): 'code'",
        "gives 'kind' away, each of its values going with one class",
    ):
        assert words in found.text


def test_infinite_values_fail_only_those_who_cannot_take_them(run, tmp_path):
    weight = frame()["weight"].where(np.arange(N) != 7, np.inf)
    (tmp_path / "t.csv").write_bytes(csv(weight=weight))
    found = run(
        "judge", "t.csv", "--target", "kind", "--candidates", "MAX,nearest mean", "--no-anatomy",
        cwd=tmp_path,
    )  # fmt: skip
    assert found.returncode == 1
    assert "note: 'weight' is infinite in 1 row (first in data row 8)" in found.text
    assert "failed: nearest mean (25 fits" in found.text
    assert "MAX 1 66.7 %" in found.text


def test_labels_of_mixed_types_are_texts(run, tmp_path):
    (tmp_path / "t.csv").write_bytes(csv(kind=np.array(["1", "two", "True"])[CODES]))
    found = run("judge", "t.csv", "--target", "kind", *MAX, cwd=tmp_path)
    assert found.returncode == 0, found.text
    assert "mix words and numbers, such as 'two' and '1': all are taken as texts" in found.text


@pytest.fixture(scope="module")
def lacking(run, tmp_path_factory):
    """All rows of a class are in one group, so it is never in training and test at once."""
    folder = tmp_path_factory.mktemp("lacking")
    group = np.arange(N) // 6
    kind = np.where(group == 0, "oak", frame()["kind"])
    (folder / "t.csv").write_bytes(csv(kind=kind, group=group))
    found = run(
        "judge", "t.csv", "--target", "kind", "--group", "group", *MAX, "--study", "s", cwd=folder
    )
    assert found.returncode == 0, found.text
    return folder, found


def test_a_class_that_training_folds_lack_is_flagged(lacking):
    _, found = lacking
    assert "'oak'" in found.text.partition("note:")[2]


def test_columns_stay_aligned_where_training_folds_lack_a_class(lacking, run):
    folder, _ = lacking
    run("export", "s", cwd=folder)
    table = pd.read_csv(folder / "s-predictions.csv")
    columns = ["p:ash", "p:beech", "p:cedar", "p:oak"]
    np.testing.assert_allclose(table[columns].sum(axis=1), 1, atol=1e-6)
    assert (table.loc[table.truth == "oak", "p:oak"] == 0).all()
    assert (table.loc[table.truth == "ash", "p:oak"] > 0).any()


LABELS = {
    "truth": np.array([False, True]),
    "negative": np.array([-3, -1, 0], dtype=np.int8),
    "category": pd.Categorical(list("ACB"), categories=list("ABCD"), ordered=True),
    "odd texts": np.array(
        ["", "x" * 10_000, "مرحبا שלום", "🌱🏽", "naïve <b>", "=1+1"], dtype=object
    ),
}
NAIVE_BAYES = """
from sklearn.naive_bayes import GaussianNB
raw_candidates = {"naive Bayes": GaussianNB()}
"""


@pytest.mark.parametrize("case", LABELS)
def test_labels_come_back_in_their_type(case, run, tmp_path):
    codes = np.arange(N) % len(LABELS[case])
    labels = LABELS[case].take(codes)
    table = frame(kind=labels, size=codes + frame()["weight"] / 10)
    table.to_parquet(tmp_path / "t.parquet")
    (tmp_path / "own.py").write_text(NAIVE_BAYES)
    judged = run(
        "judge", "t.parquet", "--target", "kind", "--candidates", "own.py", "--no-anatomy",
        "--model", "m.skops", cwd=tmp_path,
    )  # fmt: skip
    assert judged.returncode == 0, judged.text
    found = run("predict", "m.skops", "t.parquet", "-o", "out.parquet", cwd=tmp_path)
    assert found.returncode == 0, found.text
    assert "note: the table has the target 'kind' too; it was not looked at" in found.text
    predicted = pd.read_parquet(tmp_path / "out.parquet")["predicted"]
    assert predicted.dtype == pd.read_parquet(tmp_path / "t.parquet")["kind"].dtype
    assert predicted.astype(object).tolist() == pd.Series(labels).astype(object).tolist()
    assert run("predict", "m.skops", "t.parquet", cwd=tmp_path).returncode == 0  # and as CSV


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


def test_predict_reordered_extra_and_new_values(trained, run, tmp_path):
    new = "extra,colour,weight,size\n1,mauve,0.1,0.0\n2,red,,2.0\n"
    (tmp_path / "new.csv").write_text(new)
    found = run("predict", trained, "new.csv", cwd=tmp_path)
    assert found.returncode == 0, found.text
    for words in (
        "note: 1 column that the model does not use was left out: 'extra'",
        "note: 'weight' is missing in 1 row; it never was in the training data",
        "note: 'colour' has a value in 1 row that was not in the training data: 'mauve'",
        "2 rows predicted",
        "written to new-predictions.csv",
    ):
        assert words in found.text
    table = pd.read_csv(tmp_path / "new-predictions.csv")
    assert list(table.columns) == ["predicted", "p:ash", "p:beech", "p:cedar"]
    np.testing.assert_allclose(table.iloc[:, 1:].sum(axis=1), 1)
    assert table["predicted"].tolist() == table.iloc[:, 1:].idxmax(axis=1).str[2:].tolist()


HEAD = "size,weight,colour\n"


@pytest.mark.parametrize(
    ("new", "arguments", "words"),
    [
        (
            "weight,color\n1,red\n",
            (),
            "2 of the 3 columns that the model needs are missing: 'size', 'colour' (is it 'color'",
        ),
        (f"{HEAD}1,heavy,red\n", (), "the column 'weight' holds 'heavy'; expected a number"),
        (f"{HEAD}1,2\n", (), "line 2 of 'new.csv' has 2 fields"),
        (HEAD, (), "has a header but no rows"),
        (f"{HEAD}1,2,red\n", ("-o", "taken.csv"), "exists and was left as it is"),
        (f"{HEAD}1,2,red\n", ("-o", "new.csv", "--force"), "is the table itself"),
        (f"{HEAD}1,2,red\n", ("-o", "/proc/out.csv"), "the folder '/proc' cannot be written"),
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


def test_the_script_itself_says_the_same(run, tmp_path):
    """The quick way of these tests against the real one."""
    (tmp_path / "t.csv").write_bytes(csv())
    arguments = ["judge", "t.csv", "--target", "Kinds"]
    script = shutil.which("polychotomy", path=str(Path(sys.executable).parent))
    real = subprocess.run([script, *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert (real.returncode, real.stdout, real.stderr) == run(*arguments, cwd=tmp_path)
