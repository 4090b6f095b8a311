"""Many tables: one verdict each, and what holds over all."""

import json
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from all_sentences import all_sentences
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from polychotomy import import_predictions, judge
from polychotomy.app import judge_request
from polychotomy.app.request import Request
from polychotomy.comparison import holm
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.core.numbers import fixed
from polychotomy.telling.many import smallest_pvalue
from polychotomy.verdict.many import unite_verdicts

NAMES = ["MAX", "nearest mean", "1-NN"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("tables")
    for name, load in (("iris", load_iris), ("wine", load_wine), ("breast", load_breast_cancer)):
        data = load(as_frame=True)
        frame = data.data.iloc[::3, :3].copy()
        frame["class"] = [f"c{i}" for i in data.target[::3]]
        frame.to_csv(place / f"{name}.csv", index=False)
    (place / "broken.csv").write_text("x,y\n1,2\n")
    (place / "README.md").write_text("no table")
    return place


def asked(table, **options):
    quick = {"target": "class", "candidates": ",".join(NAMES), "anatomy": False, "jobs": 1,
             "rule": "paper"}  # fmt: skip
    return Request(table=table, **{**quick, **options})


@pytest.fixture(scope="module")
def many(folder):
    page = folder.parent / "page.html"
    return judge_request(asked(folder, output=page, force=True)).verdict


def test_one_table_that_cannot_be_judged_does_not_stop_the_others(many):
    assert many.tables == ("breast", "iris", "wine")
    (problem,) = many.problems
    assert problem.table == "broken.csv"
    assert "no column 'class'" in problem.cause
    assert not many.is_clean
    assert "1 table could not be judged: broken.csv" in all_sentences(many)


def test_losses_are_those_of_the_verdicts(many):
    for row, verdict in zip(many.losses, many.verdicts, strict=True):
        assert row.tolist() == [verdict.candidate(name).error for name in NAMES]


def test_ranks_and_friedman_are_scipys(many):
    theirs = stats.friedmanchisquare(*many.losses.T)
    assert many.control.friedman.statistic == pytest.approx(theirs.statistic)
    ranks = stats.rankdata(many.losses, axis=1).mean(axis=0)
    np.testing.assert_allclose(many.nemenyi.mean_ranks, ranks)
    assert many.control.control == int(np.argmin(ranks))


def test_the_most_selected_is_counted(many):
    counts = pd.Series([verdict.best for verdict in many.verdicts]).value_counts()
    assert many.wins == {name: int(counts.get(name, 0)) for name in NAMES}
    assert f"on {counts.max()} of 3 tables" in many.sentences()[0].text


@pytest.mark.parametrize(("tables", "candidates"), [(2, 2), (2, 3), (3, 3), (2, 4)])
def test_the_smallest_pvalue_by_counting_all_rankings(tables, candidates):
    rankings = list(permutations(range(candidates)))
    # The first table's ranking may be any; the statistic is the spread of the sums of ranks.
    spreads = [
        np.var(np.sum([rankings[0], *rest], axis=0))
        for rest in product(rankings, repeat=tables - 1)
    ]
    share = np.mean(np.isclose(spreads, max(spreads)))
    assert smallest_pvalue(tables, candidates) == pytest.approx(share)


def test_two_tables_cannot_show_a_difference(many):
    two = unite_verdicts(many.verdicts[:2])
    assert "with 2 tables and 3 candidates, the smallest p that could be found is 0.17" in str(two)
    (said,) = [one for one in two.sentences() if one.section == "real"]
    assert said.emphasis == "no candidate can be shown to be better than another"


def test_shown(many):
    json.dumps(many.to_dict(), allow_nan=False)
    assert set(many.to_dict()["tables"]) == {"breast", "iris", "wine"}
    assert len(many.to_frame()) == 3
    assert many.to_markdown().startswith("# ")
    for sentence in many.sentences():
        assert sentence.emphasis in sentence.text
        assert len(sentence.basis) > 20


@pytest.mark.long
def test_a_plan_names_tables_and_options(folder, tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(
        f"""
        target = "class"
        candidates = "MAX,nearest mean"
        [[tables]]
        path = "{folder / "iris.csv"}"
        [[tables]]
        path = "{folder / "wine.csv"}"
        margin = 0.05
        """
    )
    quick = Request(table=plan, anatomy=False, jobs=1, rule="paper", output=tmp_path / "p.html")
    found = judge_request(quick).verdict
    assert found.tables == ("iris", "wine")
    assert [verdict.margin for verdict in found.verdicts] == [0.01, 0.05]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("target = 1 +", "cannot be read as TOML"),
        ("target = 'x'", "tables of 'plan.toml' are"),
        ("[[tables]]\ntarget = 'x'", "each with a path"),
        ("[[tables]]\npath = 'x.csv'\nmodel = 'm'", "'model' in 'plan.toml' is no option there"),
        (
            "[[tables]]\npath = 'x.csv'\nmargin = 'a'",
            "'margin' in 'plan.toml' is 'a'; expected float",
        ),
        ("[[tables]]\npath = 'x.csv'\nruns = true", "'runs' in 'plan.toml' is True; expected int"),
    ],
)
def test_bad_plans(tmp_path, text, words):
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(InvalidInput, match=words):
        judge_request(Request(table=tmp_path / "plan.toml"))


@pytest.mark.long
def test_a_study_file_holds_all_tables_and_resumes(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    quick = asked(folder, study=Path("s"), candidates="MAX,nearest mean")
    first = judge_request(quick).verdict
    again = judge_request(quick, confirm=lambda estimate: pytest.fail("nothing is to do"))
    assert again.verdict.to_dict() == first.to_dict()


def test_folders_without_tables_or_with_bad_ones_only(tmp_path):
    with pytest.raises(InvalidInput, match="has no tables"):
        judge_request(asked(tmp_path))
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    with pytest.raises(InvalidTable, match=r"of 1 table none can be judged; "):
        judge_request(asked(tmp_path))


def test_ranks_and_strengths_over_the_tables(many):
    rows = many.to_dict()["ranks"]
    assert [row["name"] for row in rows] == NAMES
    assert [row["strength"] for row in rows] == many.strengths.strengths.tolist()
    assert all(1 <= row["low"] <= row["high"] <= 3 for row in rows)
    assert [row["mean"] for row in rows] == many.control.friedman.mean_ranks.tolist()
    page = many.to_html()
    assert "strengths by who beats whom" in page
    assert f'{fixed(rows[0]["strength"], 2)} <span class="range">(' in page  # its interval


def test_who_leads_a_table_of_equals_is_seldom_shown_and_a_better_one_is():
    """Answers of four models on six sets of cases: alike, or one much better."""
    rng = np.random.default_rng(0)

    def league(gap):
        found = []
        for name in "abcdef":
            right = rng.random((300, 4)) < [0.7, 0.7, 0.7, 0.7 + gap]
            frame = pd.DataFrame(right.astype(int), columns=["p", "q", "r", "s"])
            found.append(judge(import_predictions(frame, dataset=name)))
        return unite_verdicts(found)

    alike, apart = league(0.0), league(0.2)
    assert sum(one.shown for one in alike.leads) == 0
    assert [(one.name, one.shown) for one in apart.leads] == [("s", True)] * 6
    said = "Of 6 tables, the lowest mean is shown to be better than all others on "
    assert said + "none." in all_sentences(alike)
    assert said + "6: s on a, s on b, s on c, s on d and 2 more." in all_sentences(apart)
    assert apart.to_dict()["leads"][0] == {"table": "a", "name": "s", "open": [], "shown": True}


def test_who_leads_is_told_apart_from_others_as_in_the_verdict_on_that_table():
    """Three models on one test set: all pairs together, by the same test that ranks them there."""
    rng, found = np.random.default_rng(4), []
    for i, name in enumerate("abcdefghijkl"):
        right = rng.random((80, 3)) < [0.6, 0.72 + 0.01 * i, 0.58]
        frame = pd.DataFrame(right.astype(int), columns=["p", "q", "r"])
        found.append(judge(import_predictions(frame, dataset=name)))
    many = unite_verdicts(found)
    by_pairs = 0  # told apart were every pair asked by itself and corrected by Holm
    for lead, one in zip(many.leads, many.verdicts, strict=True):
        pairs, first = one.differences, one.differences.names.index(lead.name)
        better = {name for name, answer in zip(pairs.names, pairs.answers[first], strict=True)
                  if answer == "better"}  # fmt: skip
        assert set(lead.open) == {*pairs.names} - better - {lead.name}
        i, j = np.triu_indices(3, 1)
        held = holm(pairs.pvalues[i, j])[(i == first) | (j == first)]
        by_pairs += int((held > 0.05).sum()) != len(lead.open)
    assert by_pairs, "the two ways differ here"
    said = next(one for one in many.sentences() if "better than all others" in one.text)
    assert "Holm" not in said.basis
