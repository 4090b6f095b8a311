"""Requests as the command line makes them: read, checked, judged, written."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from polychotomy.app import judge_request
from polychotomy.app.inputs import read_costs, read_request
from polychotomy.app.judging import judge_table, prepare
from polychotomy.app.request import Request, choose_page, repeat_command
from polychotomy.comparison import Criterion
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.core.files import spare_inputs


@pytest.fixture
def plants(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = load_iris(as_frame=True)
    frame = data.data.copy()
    frame["site"] = np.arange(150) // 3
    frame["species"] = np.array(["a", "b", "c"])[data.target]
    frame = frame.sample(frac=1, random_state=0)
    frame.insert(4, "day", pd.date_range("2020-01-01", periods=150).astype(str))
    frame.to_csv("plants.csv", index=False)
    return Path("plants.csv")


def request(table, **options):
    quick = {"candidates": "MAX,nearest mean", "anatomy": False, "jobs": 1, "target": "species",
             "rule": "paper"}  # fmt: skip
    return Request(table=table, **{**quick, **options})


def test_groups_and_times_leave_the_features(plants):
    found = read_request(request(plants, group="site", time="day"))
    assert list(found.table.X.columns) == load_iris().feature_names
    assert found.groups.shape == (150,)
    assert found.time.dtype.kind == "M"
    assert "'site' is not among the features: rows are kept together by it" in found.table.notes


def test_groups_and_times_are_obeyed(plants):
    by_group = prepare(request(plants, group="site")).study
    assert by_group.groups is not None
    by_time = judge_table(request(plants, time="day", rule="margin")).verdict
    assert by_time.plan["name"] == "5 time folds"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"group": "sites"}, "--group: 'plants' has no column 'sites'. Did you mean 'site'"),
        ({"group": "species"}, "--group names the target 'species'"),
        ({"time": "day", "rule": "paper"}, "the rule 'paper', .* together with time"),
        ({"loss": "f1"}, "the loss is 'f1'. Did you mean 'macro-f1'. Expected error, log-loss"),
        ({"loss": "logloss"}, "Did you mean 'log-loss'"),
        ({"loss": "auc", "margin": 5.0}, "margin is 5.0; expected a positive difference below 1"),
        ({"loss": "brier", "margin": 1}, "such as 0.01"),
        ({"output": Path("page.txt")}, "expected a name that ends in .html"),
        ({"drop": ("sites",)}, "--drop: 'plants' has no column 'sites'. Did you mean 'site'"),
        ({"drop": ("species",)}, "--drop names the target 'species'"),
        ({"margin": -1.0}, "margin is -1.0"),
        ({"prefer": "size"}, "prefer is 'size'"),
        ({"against": "forest"}, "against 'forest' is none of the candidates: MAX, nearest mean"),
        ({"loss": "none.csv"}, "there is no file 'none.csv'"),
        ({"model": Path("m.pickle")}, "skops"),
        ({"model": Path("plants.csv")}, "plants.csv"),
    ],
)
def test_wrong_requests_fit_nothing(plants, options, words):
    def fitted(now):
        raise AssertionError("something was fitted")

    with pytest.raises(InvalidInput, match=words):
        judge_request(request(plants, **options), progress=fitted)


@pytest.mark.long
def test_rows_without_label_are_left_out_on_request(plants):
    frame = pd.read_csv(plants)
    frame.loc[[3, 7, 20], "species"] = None
    frame.to_csv(plants, index=False)
    with pytest.raises(InvalidInput, match=r"missing in 3 of .* rows \(data row 4, 8, 21\)"):
        judge_request(request(plants))
    verdict = judge_request(request(plants, drop_unlabelled=True)).verdict
    assert f"3 of {len(frame)} rows left out: 'species' is missing there" in verdict.notes
    assert verdict.dataset["rows"] == len(frame) - 3
    assert "--drop-unlabelled" in verdict.provenance["command"]


@pytest.mark.long
def test_columns_are_left_out_on_request(plants):
    whole = judge_request(request(plants)).verdict
    verdict = judge_request(request(plants, drop=("site", "day"), force=True)).verdict
    assert verdict.dataset["columns"] == whole.dataset["columns"] - 2
    assert "left out by --drop: 'site', 'day'" in verdict.notes
    assert verdict.provenance["command"].count("--drop ") == 2


@pytest.mark.long
def test_the_time_column_is_not_remarked_on_twice(plants):
    frame = pd.read_csv(plants)
    frame["stamp"] = [f"2026-01-01T{i // 60:02}:{i % 60:02}:00" for i in range(len(frame))]
    frame["serial_id"] = range(len(frame))
    frame.to_csv(plants, index=False)
    for column in ("stamp", "serial_id"):
        verdict = judge_request(request(plants, time=column, force=True, rule="margin")).verdict
        assert sum(column in note for note in verdict.notes) == 1


def test_groups_that_go_on_through_time(plants):
    frame = pd.read_csv(plants)
    frame["site"] = np.arange(len(frame)) % 4
    frame["day"] = range(len(frame))
    frame.to_csv(plants, index=False)
    with pytest.raises(
        InvalidInput, match=r"no sample of a group that is new; .* leave groups or time out"
    ):
        judge_request(request(plants, group="site", time="day", rule="margin"))


def test_few_times(plants):
    frame = pd.read_csv(plants)
    frame["day"] = np.arange(len(frame)) % 3
    frame.to_csv(plants, index=False)
    with pytest.raises(InvalidInput, match="there are 3 distinct times; expected at least 6"):
        judge_request(request(plants, time="day", rule="margin"))


@pytest.mark.long
def test_rare_values_are_told_in_words(plants):
    frame = pd.read_csv(plants)
    frame["colour"] = np.where(np.arange(len(frame)) == 5, "mauve", "red")
    frame.to_csv(plants, index=False)
    verdict = judge_request(request(plants, candidates="MAX,nearest mean")).verdict
    (note,) = (
        note for note in verdict.notes if "a value so rare that a fit had not seen it" in note
    )
    assert "(nearest mean in " in note
    assert not any("UserWarning" in note for note in verdict.notes)


def test_text_that_is_no_time(plants):
    frame = pd.read_csv(plants)
    frame["day"] = "someday"
    frame.to_csv(plants, index=False)
    with pytest.raises(InvalidTable, match="'day' cannot be read as time"):
        read_request(request(plants, time="day"))


def test_missing_groups_are_named_by_row(plants):
    frame = pd.read_csv(plants)
    frame.loc[2, "site"] = None
    frame.to_csv(plants, index=False)
    with pytest.raises(InvalidTable, match=r"'site' is missing in 1 of 150 rows \(data row 3\)"):
        read_request(request(plants, group="site"))


def test_an_estimate_is_shown_before_the_first_fit(plants):
    shown = []

    class Stop(Exception):
        pass

    def stop(estimate):
        shown.append(estimate)
        raise Stop

    with pytest.raises(Stop):
        judge_request(request(plants), confirm=stop, progress=shown.append)
    (estimate,) = shown
    assert estimate.n_fits == 20
    assert set(estimate.fit_seconds) == {"MAX", "nearest mean"}


def test_what_no_worker_could_receive_is_refused_before_the_first_fit(plants):
    Path("mine.py").write_text(
        "import threading\n"
        "from sklearn.naive_bayes import GaussianNB\n"
        "class Locked(GaussianNB):\n"
        "    def __init__(self, lock=threading.Lock()):\n"
        "        self.lock = lock\n"
        "        super().__init__()\n"
        "candidates = {'locked': Locked()}\n"
    )
    with pytest.raises(InvalidInput, match="'locked' cannot be sent to a worker process: cannot"):
        judge_request(request(plants, candidates="mine.py"))


@pytest.mark.long
def test_a_finished_study_needs_no_estimate(plants):
    asked = request(plants, study=Path("s"))
    first = judge_request(asked)
    again = judge_request(asked, confirm=lambda estimate: pytest.fail("there is nothing to do"))
    assert again.verdict.to_dict() == first.verdict.to_dict()


@pytest.mark.long
def test_costs_by_name(plants, tmp_path):
    Path("costs.csv").write_text("truth,c,a,b\na,1,0,1\nb,0,1,0\nc,0,1,0\n")
    verdict = judge_table(request(plants, loss="costs.csv")).verdict
    assert verdict.criterion.name == "cost"
    assert verdict.candidate("nearest mean").loss < verdict.candidate("nearest mean").error


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("t,a,b\na,0,1\n", "has the rows a; expected one for each class: a, b"),
        ("t,a,x\na,0,1\nb,1,0\n", "has the columns a, x"),
        (
            "t,a,b\na,0,much\nb,1,0\n",
            r"is \[\[0\.0, nan\], \[1\.0, 0\.0\]\]; expected a square one of finite",
        ),
        ("t,a,b\na,0,nan\nb,1,0\n", "nan.*; expected a square one of finite numbers"),
        ("t,a,b\na,0\nb,1,0\n", "line 2 of .* has 2 fields"),
        ("0,1\n5,0\n", "needs a header with the names of the predicted classes, and the true one"),
        ("a,0,1\nb,5,0\n", "has the rows b; .* needs a header with the names of the predicted"),
    ],
)
def test_bad_costs(tmp_path, text, words):
    (tmp_path / "c.csv").write_text(text)
    with pytest.raises(InvalidInput, match=words):
        Criterion(name="cost", costs=read_costs(tmp_path / "c.csv", ["a", "b"]))


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbft,b,a\nb,0,2.5\na,1,0\n", b"t;a;b\na;0;1\nb;2,5;0\n"],
    ids=["byte order mark", "semicolons"],
)
def test_costs_are_separated_as_tables_are(tmp_path, data):
    (tmp_path / "c.csv").write_bytes(data)
    assert read_costs(tmp_path / "c.csv", ["a", "b"]).tolist() == [[0, 1], [2.5, 0]]


def test_costs_in_another_encoding(tmp_path):
    (tmp_path / "c.csv").write_bytes("t,é\né,0\n".encode("latin-1"))
    assert read_costs(tmp_path / "c.csv", ["é"]).tolist() == [[0]]


def test_the_command_repeats_the_verdict(plants):
    asked = request(plants, margin=0.02, against="MAX", drop_rare=True, seed=3)
    assert repeat_command(asked) == (
        "polychotomy judge plants.csv --target species --candidates 'MAX,nearest mean' "
        "--rule paper --margin 0.02 --against MAX --no-anatomy --seed 3 --drop-rare"
    )


@pytest.mark.long
def test_a_page_of_another_question_is_not_overwritten(plants):
    first = judge_request(request(plants, study=Path("s")))
    other = judge_request(request(plants, study=Path("s"), margin=0.05))
    assert [first.page.name, other.page.name] == ["plants-verdict.html", "plants-verdict-2.html"]
    with pytest.raises(InvalidInput, match="exists and was left as it is"):
        judge_request(request(plants, study=Path("s"), margin=0.03, output=first.page))


def test_outputs(tmp_path):
    with pytest.raises(InvalidInput, match="is a folder; expected the name of a file"):
        choose_page(Request(output=tmp_path, force=True), "t", None, "mark")
    page = tmp_path / "no" / "page.html"
    with pytest.raises(InvalidInput, match="there is no folder"):
        choose_page(Request(output=page, force=True), "t", None, "mark")
    page = tmp_path / "PAGE.HTML"
    assert choose_page(Request(output=page), "t", None, "mark") == page
    with pytest.raises(InvalidInput, match="expected a name that ends in"):
        choose_page(Request(output=tmp_path / "page.txt"), "t", None, "mark")
    with pytest.raises(InvalidInput, match="--model 'a' is the file of --output itself"):
        spare_inputs({"--output": Path("a"), "--model": Path("a")}, {})


@pytest.mark.long
def test_the_model_is_written_and_named_on_the_page(plants):
    verdict, page, *_ = judge_request(request(plants, model=Path("m.skops")))
    assert verdict.model == "m.skops"
    assert Path("m.skops").stat().st_size > 0
    assert "m.skops" in page.read_text()


def test_limits_are_seconds_and_gigabytes():
    limits = Request(time_limit=2.5, memory_limit=0.5).limits
    assert (limits.seconds, limits.memory) == (2.5, 2**29)
    assert not Request().limits


def test_without_a_target_the_sheets_of_a_workbook_are_named(tmp_path):
    path = tmp_path / "t.xlsx"
    with pd.ExcelWriter(path) as writer:
        for name in ("info", "trees"):
            pd.DataFrame({"a": [1]}).to_excel(writer, sheet_name=name)
    with pytest.raises(InvalidInput, match=r"no target was named.*Its sheets are: 'info', 'trees'"):
        read_request(Request(table=path))
    with pytest.raises(InvalidInput, match=r"the classes\.$"):
        read_request(Request(table=tmp_path / "none.csv"))
