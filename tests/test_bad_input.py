"""Whatever a table may hold, as a user meets it: the installed command on real files."""

import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from plain_tables import CODES, MAX, N, check_refused, csv, frame
from polychotomy.app.inputs import read_request
from polychotomy.app.request import Request
from polychotomy.core.exceptions import InvalidTable
from polychotomy.tables.files import read_blocks
from polychotomy.tables.streaming import open_stream

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
        csv(kind=["Bäume"] * 59 + ["ash"]) + b"1,2,3,4,5,\xe4\n",
        "kind",
        "'t.csv' is not UTF-8 text: byte 0xe4 in line 62",
    ),
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
    "a long row among semicolons": (
        b"size;kind\n1,5;a\n2;b;c\n", "kind", "in every row, separated by semicolons",
    ),
    "a header twice": (
        csv() + csv(),
        "kind",
        "line 62 of 't.csv' repeats the header; expected it once. If files were joined, delete",
    ),
    "commas at the ends of rows": (
        b"size,kind\n1,a,\n2,b,\n", "kind", "line 2 of 't.csv' has 3 fields",
    ),
    "a target with blanks": (b"size, kind \n1,a\n", "kind", "Did you mean ' kind '?"),
    "no header": (b"1.5,ash\n2.5,oak\n", "kind", "Is the first line data? Expected the names"),
    "a web page": (b"<!DOCTYPE html>\n<p>404</p>\n", "kind", "is a web page, not a table"),
    "a single row of a class": (
        csv(kind=["oak"] + ["ash", "beech"] * 29 + ["ash"]),
        "kind",
        "too few members in 1 of the 3 classes of 'kind': 'oak' has 1; the folds need at least 5 "
        "each. Collect more, or leave them out by --drop-rare.",
    ),
    "a thousand classes": (
        pd.DataFrame({"x": range(3000), "kind": np.arange(3000) % 1000}).to_csv().encode(),
        "kind",
        "too few members in 1000 of the 1000 classes",
    ),
    "duplicate names": (b"size,size,kind\n1,2,a\n", "kind", "2 columns are called 'size'"),
}  # fmt: skip


@pytest.mark.long
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
        ("/dev/zero", "'/dev/zero' is a device or a pipe, not a file"),
        ("zero.csv", "'zero.csv' is a device or a pipe, not a file"),
        ("pipe.csv", "'pipe.csv' is a device or a pipe, not a file"),
        ("t.xlsx", "'t.xlsx' cannot be read as sheets: "),
        ("other.csv", "there is no file 'other.csv'"),
    ],
)
def test_places_that_are_no_tables(place, words, run, tmp_path):
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "t.xlsx").write_bytes(b"PK")
    found = run("judge", place, "--target", "kind", cwd=tmp_path)
    check_refused(found, tmp_path, words, left=["pipe.csv", "t.xlsx", "zero.csv"])


def test_a_file_that_changes_while_it_is_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"size,kind\n" + b"1.5,ash\n" * 2 * N)
    blocks = read_blocks(path, size=16)
    assert next(blocks) == b"size,kind\n1.5,as"
    with path.open("ab") as file:
        file.write(b"1.5,ash\n")
    with pytest.raises(InvalidTable, match=r"'t\.csv' changed while it was read \(\d+ bytes, now"):
        list(blocks)


def test_parquet_columns_that_are_no_values(run, tmp_path):
    frame(list=[[1, 2]] * N).to_parquet(tmp_path / "t.parquet")
    found = run("judge", "t.parquet", "--target", "kind", cwd=tmp_path)
    check_refused(found, tmp_path, "'list' of 't.parquet' holds values of the", left=["t.parquet"])


def test_parquet_columns_that_are_no_values_can_be_left_out(tmp_path):
    frame(list=[[1, 2]] * N).to_parquet(tmp_path / "t.parquet")
    left = read_request(Request(table=tmp_path / "t.parquet", target="kind", drop=("list",)))
    assert "list" not in left.table.X
    stream = open_stream(tmp_path / "t.parquet")
    assert [list(part) for part in stream.parts(["kind"], ())] == [["kind"]]
    with pytest.raises(InvalidTable, match=r"'list' of .* or leave it out \(judge has --drop"):
        list(stream.parts(["kind", "list"], ()))


def test_files_that_are_not_what_they_are_called(run, tmp_path):
    (tmp_path / "t.csv.gz").write_bytes(csv())
    found = run("judge", "t.csv.gz", "--target", "kind", cwd=tmp_path)
    check_refused(found, tmp_path, "If it is not packed, call it .csv", left=["t.csv.gz"])
    (tmp_path / "t.csv.gz").rename(tmp_path / "t.parquet")
    found = run("judge", "t.parquet", "--target", "kind", cwd=tmp_path)
    check_refused(found, tmp_path, "cannot be read as Parquet", left=["t.parquet"])


GRACES = {
    "a byte order mark": (b"\xef\xbb\xbf" + csv(), None),
    "Windows line ends": (csv().replace(b"\n", b"\r\n"), None),
    "old line ends": (csv().replace(b"\n", b"\r"), None),
    "empty lines": (b"\n" + csv().replace(b"\n", b"\n\n"), None),
    "line breaks in fields": (csv(remark=["a\nb", 'c"d'] * 30), None),
    "a comma after every row": (csv().replace(b"\n", b",\n"), "has no values: 'Unnamed: 3'"),
    "decimal commas": (
        csv(size=frame()["size"].astype(str).str.replace(".", ",")),
        "1 column holds numbers that are taken as text, as some have commas, signs or words",
    ),
    "labels that differ in case": (
        csv(kind=np.array(["ash", "Ash", "oak"])[CODES]),
        "the labels 'Ash' and 'ash' of 'kind' differ in case or blanks only: taken as 2 classes",
    ),
    "labels that differ in blanks": (
        csv(kind=np.array(["ash", "ash ", "oak"])[CODES]), "differ in case or blanks only",
    ),
    "numbers in two spellings": (
        csv(kind=np.array(["01", "1", "2"])[CODES]),
        "the labels '01' and '1' of 'kind' are one number written differently: taken as 2 classes",
    ),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("case", GRACES)
def test_taken_with_good_grace(case, run, tmp_path):
    data, words = GRACES[case]
    (tmp_path / "t.csv").write_bytes(data)
    found = run("judge", "t.csv", "--target", "kind", *MAX, cwd=tmp_path)
    assert found.returncode == 0, found.text
    assert (words or "66.7 %") in found.text
    remarked = any(word in found.stderr for word in ("note:", "warning:", "Warning:"))
    assert remarked == (words is not None)


@pytest.mark.long
def test_nullable_and_categorical_columns(run, tmp_path):
    gaps = [None if i % 7 == 0 else i for i in range(N)]
    table = frame(
        kind=pd.array(CODES, dtype="Int64"),
        weight=pd.array(gaps, dtype="Int64"),
        wet=pd.array([None if i % 5 == 0 else bool(i % 2) for i in range(N)], dtype="boolean"),
        colour=pd.Categorical(np.array(["red", "blue"])[CODES % 2]),
    )
    table.to_parquet(tmp_path / "t.parquet")
    found = run(
        "judge", "t.parquet", "--target", "kind", "--candidates", "MAX,nearest mean",
        "--no-anatomy", cwd=tmp_path,
    )  # fmt: skip
    assert found.returncode == 0, found.text


def test_rows_without_a_label_are_left_out_on_request(run, tmp_path):
    (tmp_path / "t.csv").write_bytes(csv(kind=[None, *frame()["kind"][1:]]))
    asked = ("judge", "t.csv", "--target", "kind", *MAX)
    check_refused(run(*asked, cwd=tmp_path), tmp_path, "by --drop-unlabelled", left=["t.csv"])
    found = run(*asked, "--drop-unlabelled", cwd=tmp_path)
    assert found.returncode == 0, found.text
    assert "note: 1 of 60 rows left out: 'kind' is missing there" in found.text
    assert "1 of 60 rows left out" in (tmp_path / "t-verdict.html").read_text(encoding="utf-8")


@pytest.mark.long
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
        "which says nothing of new rows (leave it out by --drop code): 'code'",
        "gives 'kind' away, with values for each class in most rows or all",
    ):
        assert words in found.text


def test_infinite_values_are_gaps_and_fail_only_those_who_cannot_take_them(run, tmp_path):
    weight = frame()["weight"].where(np.arange(N) != 7, np.inf)
    (tmp_path / "t.csv").write_bytes(csv(weight=weight))
    (tmp_path / "bare.py").write_text(
        "from sklearn.compose import make_column_transformer\n"
        "from sklearn.naive_bayes import GaussianNB\n"
        "from sklearn.pipeline import make_pipeline\n"
        "from polychotomy.study import choose\n"
        "weight = make_column_transformer(('passthrough', ['weight']))\n"
        "bare = {'bare': make_pipeline(weight, GaussianNB())}\n"
        "candidates = choose(['MAX', 'nearest mean']) | bare\n"
    )
    found = run(
        "judge", "t.csv", "--target", "kind", "--candidates", "bare.py", "--no-anatomy",
        cwd=tmp_path,
    )  # fmt: skip
    assert found.returncode == 1
    assert (
        "note: 'weight' is infinite (or beyond 3e38) in 1 row (first in data row 8)" in found.text
    )
    assert "failed: bare (5 fits" in found.text
    assert "Use nearest mean" in found.text


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
    assert "'oak'" in found.stdout.partition("Notes")[2]


def test_columns_stay_aligned_where_training_folds_lack_a_class(lacking, run):
    folder, _ = lacking
    run("export", "s", cwd=folder)
    table = pd.read_csv(folder / "s-out-of-fold.csv")
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


@pytest.mark.long
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
    assert "note: 1 column that the model does not use left out: 'kind'" in found.text
    predicted = pd.read_parquet(tmp_path / "out.parquet")["predicted"]
    assert predicted.dtype == pd.read_parquet(tmp_path / "t.parquet")["kind"].dtype
    assert predicted.astype(object).tolist() == pd.Series(labels).astype(object).tolist()
    assert run("predict", "m.skops", "t.parquet", cwd=tmp_path).returncode == 0  # and as CSV


def test_the_script_itself_says_the_same(run, tmp_path):
    """The quick way of these tests against the real one."""
    (tmp_path / "t.csv").write_bytes(csv())
    arguments = ["judge", "t.csv", "--target", "Kinds"]
    script = shutil.which("polychotomy", path=str(Path(sys.executable).parent))
    real = subprocess.run([script, *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert (real.returncode, real.stdout, real.stderr) == run(*arguments, cwd=tmp_path)
