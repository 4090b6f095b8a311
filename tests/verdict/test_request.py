"""Requests as the command line makes them: read, checked, judged, written."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from polychotomy.exceptions import InvalidInput, InvalidTable
from polychotomy.verdict.asking import judge_request
from polychotomy.verdict.command import repeat_command
from polychotomy.verdict.cost_file import read_costs
from polychotomy.verdict.output_checks import check_page, spare_inputs
from polychotomy.verdict.request import Request, judge_table, limits_of, prepare
from polychotomy.verdict.table_request import read_request


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
    found = read_request(plants, "species", group="site", time="day")
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
        ({"group": "species"}, "--group names the target 'species' itself"),
        ({"group": "site", "time": "site"}, "both name 'site'"),
        ({"time": "day", "rule": "paper"}, "the paper's rule together with time"),
        ({"loss": "f1"}, "the loss is 'f1'; expected one of error"),
        ({"margin": -1.0}, "margin is -1.0"),
        ({"prefer": "size"}, "prefer is 'size'"),
        ({"against": "forest"}, "--against 'forest' is none of the candidates: MAX, nearest mean"),
        ({"loss": "none.csv"}, "the cost matrix 'none.csv' cannot be read"),
        ({"model": Path("m.pickle")}, "skops"),
        ({"model": Path("plants.csv")}, "plants.csv"),
    ],
)
def test_wrong_requests_fit_nothing(plants, options, words):
    def fitted(now):
        raise AssertionError("something was fitted")

    with pytest.raises(InvalidInput, match=words):
        judge_request(request(plants, **options), progress=fitted)


def test_text_that_is_no_time(plants):
    frame = pd.read_csv(plants)
    frame["day"] = "someday"
    frame.to_csv(plants, index=False)
    with pytest.raises(InvalidTable, match="'day' cannot be read as time"):
        read_request(plants, "species", group=None, time="day")


def test_missing_groups_are_named_by_row(plants):
    frame = pd.read_csv(plants)
    frame.loc[2, "site"] = None
    frame.to_csv(plants, index=False)
    with pytest.raises(InvalidTable, match=r"'site' is missing in 1 of 150 rows \(data row 3\)"):
        read_request(plants, "species", group="site", time=None)


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


def test_a_finished_study_needs_no_estimate(plants):
    asked = request(plants, study=Path("s"))
    first = judge_request(asked)
    again = judge_request(asked, confirm=lambda estimate: pytest.fail("there is nothing to do"))
    assert again.verdict.to_dict() == first.verdict.to_dict()


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
        ("t,a,b\na,0,much\nb,1,0\n", "has the entry 'much'"),
    ],
)
def test_bad_costs(tmp_path, text, words):
    (tmp_path / "c.csv").write_text(text)
    with pytest.raises(InvalidInput, match=words):
        read_costs(tmp_path / "c.csv", ["a", "b"])


def test_the_command_repeats_the_verdict(plants):
    asked = request(plants, margin=0.02, against="MAX", drop_rare=True, seed=3)
    assert repeat_command(asked) == (
        "polychotomy judge plants.csv --target species --candidates 'MAX,nearest mean' "
        "--rule paper --margin 0.02 --against MAX --no-anatomy --seed 3 --drop-rare"
    )


def test_a_page_of_another_question_is_not_overwritten(plants):
    judge_request(request(plants, study=Path("s")))
    with pytest.raises(InvalidInput, match="exists and was left as it is"):
        judge_request(request(plants, study=Path("s"), margin=0.05))


def test_outputs(tmp_path):
    with pytest.raises(InvalidInput, match="is a folder; expected the name of a page"):
        check_page(tmp_path, None, "mark", force=True)
    with pytest.raises(InvalidInput, match="there is no folder"):
        check_page(tmp_path / "no" / "page.html", None, "mark", force=True)
    with pytest.raises(InvalidInput, match="--model 'a' is the file of --output itself"):
        spare_inputs({"--output": Path("a"), "--model": Path("a")}, {})


def test_the_model_is_written_and_named_on_the_page(plants):
    verdict, page = judge_request(request(plants, model=Path("m.skops")))
    assert verdict.model == "m.skops"
    assert Path("m.skops").stat().st_size > 0
    assert "m.skops" in page.read_text()


def test_limits_are_seconds_and_gigabytes():
    limits = limits_of(Request(time_limit=2.5, memory_limit=0.5))
    assert (limits.seconds, limits.memory) == (2.5, 2**29)
    assert not limits_of(Request())
