"""A study file that was damaged or edited: no answer differs silently, and nothing but sentences.

Each case is a real file, asked for all that it has: status and export by a reader, then the same
study run on it. Either all is as it was, or what is wrong is said, in words.
"""

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import tempfile
import warnings
from pathlib import Path

import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier
from typer.testing import CliRunner

from polychotomy.cli import app
from polychotomy.core.exceptions import PolychotomyError, StudyError
from polychotomy.study import Ledger, Study
from polychotomy.study.ledger.export import predictions_frame
from polychotomy.study.ledger.rows import DamagedRecords

CANDIDATES = {"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}
STUDY = Study(CANDIDATES, *load_iris(return_X_y=True), dataset="iris")
CLOCKS = ["fit_seconds", "predict_seconds"]
LONGEST = 60  # seconds that a question may take


@pytest.fixture
def tmp_path(tmp_path):
    """In memory where there is such a place: every commit of thousands waits for the disk."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "s"
    STUDY.run(path).close()
    with Ledger(path, read_only=True) as ledger:
        return path, predictions_frame(ledger), ledger.say_status()


@pytest.fixture
def copy(finished, tmp_path):
    return shutil.copy(finished[0], tmp_path / "s")


@contextlib.contextmanager
def no_hang():
    def stop(*_):
        raise TimeoutError(f"no answer in {LONGEST} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def ask(path, finished):
    """Return what is said of a file; nothing only where every answer is as before."""
    _, frame, status = finished
    try:
        with no_hang(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DamagedRecords)
            with Ledger(path, read_only=True) as ledger:
                found, said = predictions_frame(ledger), ledger.say_status()
                damage = ledger.damage()
    except PolychotomyError as error:
        return str(error)
    if not damage:
        assert found.equals(frame)
        assert said == status
        return ""
    assert all(sentence in said for sentence in damage)
    # What is left is as it was; the size of a model is lost with the fit on which it was measured.
    frame, found = (table.drop(columns="model_bytes") for table in (frame, found))
    assert len(frame.merge(found, how="inner")) == len(found) <= len(frame)
    return "; ".join(damage)


def judge(path, finished):
    """Run the same study on a file; return what was said if it cannot be, else all is as before."""
    content = path.read_bytes()
    try:
        with no_hang(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DamagedRecords)
            with STUDY.run(path) as ledger:
                found = predictions_frame(ledger)
                assert ledger.damage() == []
    except PolychotomyError as error:
        assert path.read_bytes() == content
        return str(error)
    assert found.drop(columns=CLOCKS).equals(finished[1].drop(columns=CLOCKS))
    return ""


@pytest.mark.parametrize(
    ("n", "seed"), [(16, 0), pytest.param(1000, 1, marks=pytest.mark.long)], ids=["some", "many"]
)
def test_flipped_bits(finished, tmp_path, n, seed):
    whole, path, rng = finished[0].read_bytes(), tmp_path / "s", random.Random(seed)
    said = []
    for _ in range(n):
        bit = rng.randrange(8 * len(whole))
        content = bytearray(whole)
        content[bit // 8] ^= 1 << bit % 8
        path.write_bytes(content)
        said.append(ask(path, finished))
        judge(path, finished)
        assert os.listdir(tmp_path) == ["s"]
    assert sum("damaged" in one for one in said) > n / 5  # else nothing was tried


@pytest.mark.parametrize("seed", range(3))
def test_the_end_is_cut_off(finished, tmp_path, seed):
    whole, path, rng = finished[0].read_bytes(), tmp_path / "s", random.Random(seed)
    for _ in range(8):
        path.write_bytes(whole[: rng.randrange(1, len(whole))])
        assert ask(path, finished)
        assert judge(path, finished)


TABLES = {
    "facts": ["name", "copy", "value", "digest"],
    "samples": ["dataset", "truth", "print", "ids", "digest"],
    "splits": ["dataset", "plan", "run", "repetition", "split", "digest"],
    "counts": ["dataset", "plan", "trials", "total", "digest"],
    "trials": ["dataset", "candidate", "plan", "run", "repetition", "fold", "status", "hard",
               "predicted", "digest", *CLOCKS, "model_bytes", "cause", "details", "warnings",
               "probabilities", "rest"],
}  # fmt: skip
VALUES = [
    "NULL", "''", "'x'", "0", "-1", "9223372036854775807", "1e999", "-1e999", "0.5", "x''",
    "x'00'", "x'ff'", "CAST(x'ff' AS TEXT)", "zeroblob(3000000)", "'[]'", "'{{}}'", "'null'",
    "CAST({c} AS BLOB)", "CAST({c} AS TEXT)", "{c} || 'x'", "substr({c}, 2)", "-{c}", "upper({c})",
    "(SELECT {c} FROM {t} ORDER BY random() LIMIT 1)",
]  # fmt: skip


def edits(rng):
    """Yield edits without end, as statements."""
    while True:
        table = rng.choice(list(TABLES))
        column, value = rng.choice(TABLES[table]), rng.choice(VALUES)
        some = rng.choice(["", " WHERE rowid % 3 = 1", " WHERE rowid = 2"])
        yield rng.choice(
            [
                f"UPDATE OR IGNORE {table} SET {column} = {value.format(c=column, t=table)}{some}",
                f"UPDATE OR IGNORE {table} SET {column} = {value.format(c=column, t=table)}{some}",
                f"DELETE FROM {table}{some}",
                f"INSERT OR IGNORE INTO {table} SELECT * FROM {table}{some}",
            ]
        )


def edit(path, statement):
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(statement)


@pytest.mark.parametrize(
    ("n", "seed"), [(16, 0), pytest.param(500, 1, marks=pytest.mark.long)], ids=["some", "many"]
)
def test_edits(finished, tmp_path, n, seed):
    statements = edits(random.Random(seed))
    for _, statement in zip(range(n), statements, strict=False):
        path = shutil.copy(finished[0], tmp_path / "s")
        edit(path, statement)
        ask(path, finished)
        judge(path, finished)


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
STRUCTURE = {
    "an endless view": "ALTER TABLE trials RENAME TO t; CREATE VIEW trials AS "
    f"{ENDLESS} SELECT i AS dataset FROM n",
    "an endless view of facts": f"DROP TABLE facts; CREATE VIEW facts AS {ENDLESS} SELECT i FROM n",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON trials BEGIN DELETE FROM trials; END",
    "a table more": "CREATE TABLE notes (text)",
    "a table less": "DROP TABLE splits",
    "a column more": "ALTER TABLE trials ADD COLUMN note TEXT",
    "a column less": "ALTER TABLE trials DROP COLUMN rest",
    "another index": "CREATE INDEX i ON trials (fold)",
    "no index": "DROP INDEX trial_keys",
}


@pytest.mark.parametrize("statement", STRUCTURE.values(), ids=STRUCTURE)
def test_another_structure_is_refused_before_it_is_asked(copy, finished, statement):
    edit(copy, statement)
    before = copy.read_bytes()
    assert "not as we made it" in ask(copy, finished)
    assert "not as we made it" in judge(copy, finished)
    assert copy.read_bytes() == before


def test_statistics_of_sqlite_are_no_damage(copy, finished):
    edit(copy, "ANALYZE")
    assert ask(copy, finished) == judge(copy, finished) == ""


ONE = "WHERE candidate = '1-NN' AND repetition = 2 AND fold = 1"


@pytest.mark.parametrize(
    "change",
    ["predicted = zeroblob(75)", "probabilities = zeroblob(900)", "fit_seconds = 0", "fold = 7",
     "status = 'failed'", "model_bytes = 1", "cause = 'a'", "candidate = CAST(x'ff' AS TEXT)"],
)  # fmt: skip
def test_a_damaged_record_is_named_left_out_and_fitted_again(copy, finished, change):
    edit(copy, f"UPDATE trials SET {change} {ONE}")
    said = ask(copy, finished)
    assert said.startswith("1 record is damaged and left out: ")
    assert "on iris, 5x2 folds, run 0, repetition 2, fold" in said
    with pytest.warns(DamagedRecords, match=r"1 record is damaged .*is fitted again"):
        STUDY.run(copy).close()
    with Ledger(copy, read_only=True) as ledger:
        assert ledger.damage() == []
        again = predictions_frame(ledger)
    assert again.drop(columns=CLOCKS).equals(finished[1].drop(columns=CLOCKS))


def test_a_record_that_is_gone_is_missed_and_fitted_again(copy, finished):
    edit(copy, f"DELETE FROM trials {ONE}")
    assert ask(copy, finished) == "1 record is missing"
    with pytest.warns(DamagedRecords, match="1 record is missing"):
        STUDY.run(copy).close()
    assert judge(copy, finished) == ""


def test_every_answer_warns(copy):
    edit(copy, f"UPDATE trials SET predicted = x'00' {ONE}")
    with Ledger(copy, read_only=True) as ledger, pytest.warns(DamagedRecords, match="left out"):
        ledger.fold_errors()


def test_folds_and_labels_are_written_anew(copy, finished):
    edit(copy, "UPDATE splits SET split = zeroblob(300) WHERE repetition = 1")
    assert "the folds of 1 repetitions" in ask(copy, finished)
    assert judge(copy, finished) == ""
    edit(copy, "UPDATE samples SET truth = zeroblob(600)")
    assert "the labels of the data set 'iris' are damaged" in ask(copy, finished)
    assert judge(copy, finished) == ""


def test_one_copy_of_a_fact_is_enough(copy, finished):
    edit(copy, "UPDATE facts SET value = 'x' WHERE copy = 0")
    assert ask(copy, finished) == judge(copy, finished) == ""
    edit(copy, "UPDATE facts SET value = 'x' WHERE copy = 0")
    edit(copy, "UPDATE facts SET value = 'x' WHERE copy = 1 AND name = 'planned'")
    assert "in both copies" in ask(copy, finished)
    assert "in both copies" in judge(copy, finished)


def test_the_command_line_says_it(copy, monkeypatch):
    monkeypatch.chdir(copy.parent)
    edit(copy, f"UPDATE trials SET predicted = x'00' {ONE}")
    status = CliRunner().invoke(app, ["status", "s"])
    assert status.exit_code == 0
    assert "19 of 20 fits recorded" in status.output
    assert "1 record is damaged and left out: 1-NN on iris" in status.output
    export = CliRunner().invoke(app, ["export", "s"])
    assert export.exit_code == 1
    assert "1425 predictions written" in export.output
    assert "1 record is damaged and left out: 1-NN on iris" in export.output
    assert "DamagedRecords" not in export.output


def test_an_older_format_is_one_sentence(copy):
    edit(copy, "PRAGMA user_version = 3")
    with pytest.raises(StudyError, match="has study format 3; this version reads format 4"):
        Ledger(copy, read_only=True)
