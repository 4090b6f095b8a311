"""Answers that were scored, by any number; samples that count by weights; columns for learners."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.api import OLS, WLS

from polychotomy import import_predictions, judge
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.study import Ledger
from polychotomy.study.ledger.export import export_predictions
from polychotomy.verdict import unite_verdicts


def ratings(n=120, seed=0):
    """Ratings of three assistants, who find the same questions hard; the last two are alike."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=n)
    wide = {"poor": 6.0, "good": 7.0, "also good": 7.02}
    return pd.DataFrame({name: mean + hard + rng.normal(size=n) for name, mean in wide.items()})


def long(wide, **columns):
    about = pd.DataFrame({"sample": [f"q{i}" for i in range(len(wide))], **columns})
    joined = pd.concat([about, wide], axis=1)
    return joined.melt(list(about), list(wide), var_name="learner", value_name="score")


def judged(frame, *, higher_better=True, loss="error", margin=None, **options):
    with import_predictions(frame, higher_better=higher_better, **options) as ledger:
        return judge(ledger, loss=loss, margin=margin)


def test_means_tests_and_intervals_are_those_of_the_scores(tmp_path):
    wide = ratings()
    long(wide).to_csv(tmp_path / "ratings.csv", index=False)
    verdict = judged(tmp_path / "ratings.csv")
    assert verdict.best in ("good", "also good")
    document = verdict.to_dict()
    scores = {one["name"]: one["score"] for one in document["candidates"]}
    assert scores == pytest.approx(wide.mean().to_dict(), abs=1e-12)
    assert all(one["error"] is None for one in document["candidates"])
    assert document["loss"]["higher_better"]
    assert document["trust"] is None
    for pair in document["differences"]:
        test = stats.ttest_rel(wide[pair["second"]], wide[pair["first"]])  # what is lost by first
        low, high = test.confidence_interval(0.95)
        assert pair["pvalue"] == pytest.approx(test.pvalue, abs=1e-12)
        assert (pair["low"], pair["high"]) == pytest.approx((low, high), abs=1e-12)
    low, high = -document["selected"]["high"], -document["selected"]["low"]
    half = stats.norm.ppf(0.975) * wide[verdict.best].std() / np.sqrt(len(wide))
    assert (high - low) / 2 == pytest.approx(half)
    (said,) = [s.text for s in verdict.sentences() if s.text.startswith("Expect a score of")]
    expected, *ends = map(float, re.findall(r"\d+\.\d+", said))
    assert ends == pytest.approx([low, high], abs=0.006)
    assert expected == pytest.approx((low + high) / 2, abs=0.006)
    assert expected <= wide[verdict.best].mean()  # never flattered by the choice


def test_what_scores_do_not_tell_says_why_not(tmp_path):
    verdict = judged(long(ratings()))
    text = " ".join(str(verdict).split())
    assert "there are none to trust" in text
    assert "what was scored is known, not what the answers were" in text
    assert not any(word in text for word in ("% wrong", "labels", "taken for"))
    verdict.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "not known: the table tells what was scored" in page
    assert "score of the second minus that of the first" in page
    assert "within 0.05 of the highest" in page  # 1 % of how far apart nine tenths are
    json.dumps(verdict.to_dict(), allow_nan=False)


def test_lower_is_better_of_what_is_negated():
    wide = ratings()
    high, low = judged(long(wide)), judged(long(-wide), higher_better=False)
    assert low.best == high.best
    np.testing.assert_array_equal(low.differences.low, high.differences.low)
    assert low.candidate("poor").loss == high.candidate("poor").loss
    assert "mean score" in str(low)
    assert "−7" in str(low).split("Expect a score of ")[1][:4]


def test_a_frame_a_file_and_a_wide_table_are_judged_alike(tmp_path):
    wide = ratings()
    table = long(wide)
    table.to_csv(tmp_path / "t.csv", index=False, sep=";", decimal=",")
    wide.assign(note="a remark").to_parquet(tmp_path / "wide.parquet")
    found = [
        judged(table),
        judged(tmp_path / "t.csv"),
        judged(wide),
        judged(tmp_path / "wide.parquet", learners=list(wide)),
    ]
    for one in found[1:]:
        np.testing.assert_allclose(one.differences.low, found[0].differences.low, atol=1e-12)
        assert one.differences.names == tuple(wide)


def test_tables_whose_scores_have_unlike_scales_are_judged_each_by_its_own(tmp_path):
    tables = {"small": ratings(seed=1) / 100, "large": ratings(seed=2) * 100}
    joined = pd.concat([long(one, dataset=name) for name, one in tables.items()])
    with import_predictions(joined, higher_better=True, into=tmp_path / "kept.polychotomy") as made:
        found = [judge(made, dataset=name) for name in tables]
    alone = [judged(long(one)) for one in tables.values()]
    for one, same in zip(found, alone, strict=True):
        assert one.margin == same.margin
        assert one.differences.low == pytest.approx(same.differences.low)
    many = unite_verdicts(found)
    assert many.leads[0].name in ("good", "also good")
    assert many.ranks.last[many.candidates.index("poor")] == 3
    with import_predictions(joined, higher_better=True, into=tmp_path / "kept.polychotomy") as made:
        assert judge(made, dataset="large").margin == alone[1].margin


def test_one_score_for_each_data_set_makes_data_sets_the_cases():
    wide = ratings(n=30).assign(dataset=[f"d{i}" for i in range(30)])
    found = judged(wide)
    assert found.dataset["rows"] == 30
    assert any("data sets are the cases" in note for note in found.notes)
    again = judged(wide.melt("dataset", var_name="method", value_name="score"))
    np.testing.assert_array_equal(found.differences.low, again.differences.low)


def test_a_single_case_shows_nothing():
    with pytest.raises(InvalidInput, match="of one sample; expected two or more"):
        judged(long(ratings(n=1)))


def test_large_differences_are_written_without_an_exponent():
    assert "e+" not in str(judged(long(5000 * ratings())))


def test_questions_of_one_document_count_together():
    wide, document = ratings(), np.arange(120) // 5
    verdict = judged(long(wide, document=document), group="document")
    difference = wide["poor"] - wide["good"]
    fit = OLS(difference, np.ones(120)).fit(
        cov_type="cluster", cov_kwds={"groups": document, "df_correction": False}
    )
    i, j = (verdict.differences.names.index(name) for name in ("good", "poor"))
    middle = fit.params.iloc[0]
    half = stats.t.ppf(0.975, 23) * fit.bse.iloc[0]
    assert verdict.differences.low[i, j] == pytest.approx(middle - half, abs=1e-10)
    assert verdict.differences.high[i, j] == pytest.approx(middle + half, abs=1e-10)
    assert any("120 cases in 24 groups" in note for note in verdict.notes)


def test_several_answers_to_one_question_are_averaged():
    runs = [ratings(seed=seed) for seed in range(3)]
    table = pd.concat([long(one, run=k) for k, one in enumerate(runs)])
    verdict = judged(table)
    again = judged(sum(runs) / 3)
    np.testing.assert_allclose(verdict.differences.low, again.differences.low, atol=1e-12)
    assert any("each of the 120 cases has 3 answers" in note for note in verdict.notes)
    groups = {"document": [f"d{i // 5}" for i in range(120)]}
    nested = pd.concat([long(one, run=k, **groups) for k, one in enumerate(runs)])
    verdict = judged(nested, group="document")
    alone = judged(long(sum(runs) / 3, **groups), group="document")
    np.testing.assert_allclose(verdict.differences.low, alone.differences.low, atol=1e-12)
    assert any("tests and intervals draw whole groups" in note for note in verdict.notes)


@pytest.mark.parametrize("scored", [True, False])
def test_weighted_means_and_their_tests_are_those_of_survey_statistics(scored):
    wide = ratings()
    table = long(wide, weight=np.random.default_rng(5).gamma(1.5, size=120))
    if not scored:
        table["correct"] = (table.pop("score") > 6.5).astype(int)
    verdict = judged(table, higher_better=True if scored else None)
    weight = table["weight"].to_numpy()[:120]
    values = {
        name: -own["score"].to_numpy() if scored else 1.0 - own["correct"].to_numpy()
        for name, own in table.groupby("learner")
    }
    for one in verdict.candidates:
        assert one.loss == pytest.approx(np.average(values[one.name], weights=weight), abs=1e-12)
        assert scored or one.error == pytest.approx(one.loss, abs=1e-12)
    names = verdict.differences.names
    for i, j in ((0, 1), (0, 2), (1, 2)):
        difference = values[names[i]] - values[names[j]]
        fit = WLS(difference, np.ones(120), weight).fit(cov_type="HC1", use_t=True)
        assert verdict.differences.estimate[i, j] == pytest.approx(fit.params[0], abs=1e-12)
        assert verdict.differences.pvalues[i, j] == pytest.approx(fit.pvalues[0], abs=1e-9)
        low, high = fit.conf_int()[0]
        assert verdict.differences.low[i, j] == pytest.approx(low, abs=1e-9)
        assert verdict.differences.high[i, j] == pytest.approx(high, abs=1e-9)
    assert any("count by their weights" in note for note in verdict.notes)


def test_equal_weights_change_nothing():
    wide = ratings()
    plain, weighted = judged(long(wide)), judged(long(wide, weight=2.5))
    np.testing.assert_allclose(weighted.differences.low, plain.differences.low, atol=1e-12)
    assert weighted.selected.low == pytest.approx(plain.selected.low, abs=1e-9)


def test_a_ledger_file_keeps_scores_and_weights(tmp_path):
    table = long(ratings(), weight=np.arange(1, 121))
    kept = tmp_path / "kept.polychotomy"
    now = judged(table, into=kept)
    with Ledger(kept, read_only=True) as ledger:
        again = judge(ledger)
        export_predictions(ledger, tmp_path / "again.csv")
    np.testing.assert_array_equal(now.differences.low, again.differences.low)
    found = pd.read_csv(tmp_path / "again.csv")
    np.testing.assert_allclose(found["score"], table["score"], rtol=1e-13)
    assert not {"truth", "predicted"} & set(found)


def test_answers_are_compared_unless_scores_are_asked_for():
    table = long(ratings()).assign(correct=1)
    assert judged(table, higher_better=None).criterion.name == "error"
    assert judged(table).criterion.name == "score"


def test_a_margin_may_be_of_any_size():
    assert judged(long(ratings()), margin=5.0).best == "poor"
    assert judged(long(1000 * ratings())).margin == pytest.approx(50)


def test_all_scores_equal_or_one_learner_alone():
    equal = judged(pd.DataFrame({"a": [1.0] * 30, "b": [1.0] * 30}))
    assert equal.best == "a"
    alone = judged(pd.DataFrame({"a": np.arange(30.0)}))
    assert alone.best == "a"
    assert "14.5" in str(alone)


BAD = [
    (lambda t: t, [], "nothing says which are better; expected --higher-better or --lower-better"),
    (lambda t: t.assign(score="good"), ["--higher-better"], "score is 'good' in row 1; expected a"),
    (lambda t: t.assign(score=""), ["--lower-better"], "score is '' in row 1; expected a number"),
    (lambda t: t.assign(score=np.inf), ["--lower-better"], "score is 'inf' in row 1"),
    (lambda t: t.assign(weight=-1), ["--higher-better"], "weight is '-1' in row 1; expected a"),
    (lambda t: t.assign(weight=range(1, len(t) + 1)), ["--higher-better"],
     "weight is '121' in row 121, but the sample 'q0' had '1' before; expected one weight"),
    (lambda t: t.drop(index=7), ["--higher-better"],
     "missing: 1 of 'poor', such as that of 'poor' to the sample 'q7'"),
    (lambda t: pd.concat([t, t[:1]]), ["--higher-better"], "'poor' has 2 rows of the sample 'q0'"),
    (lambda t: t.rename(columns={"score": "rating"}).assign(length=1), ["--higher-better"],
     "--lower-better are for scores, but the table has no column 'score'"),
    (lambda t: t, ["--higher-better", "--loss", "brier"], "the table has scores, not answers"),
    (lambda t: t, ["--higher-better", "--learners", "poor"], "a row for each prediction"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "options", "message"), BAD)
def test_what_cannot_be_judged_is_one_sentence(run, tmp_path, change, options, message):
    path = tmp_path / "t.csv"
    change(long(ratings())).to_csv(path, index=False)
    found = run("judge", "--predictions", path, *options, cwd=tmp_path)
    assert found.returncode == 2
    assert message in " ".join(found.stderr.split())
    assert len(found.stderr.strip().splitlines()) == 1 or "error:" in found.stderr


@pytest.mark.parametrize(
    ("learners", "message"),
    [
        ("poor,goood", "--learners: the table has no column 'goood'. Did you mean 'good'?"),
        ("poor,note", "note is 'a remark' in row 1"),
    ],
)
def test_columns_of_learners_that_are_none(tmp_path, learners, message):
    ratings().assign(note="a remark").to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(InvalidTable, match=re.escape(message)):
        judged(tmp_path / "t.csv", learners=learners.split(","))


def test_scores_without_a_direction_are_told_the_options(tmp_path):
    ratings().to_csv(tmp_path / "t.csv", index=False)
    words = "of scores --higher-better or --lower-better says which are better"
    with pytest.raises(InvalidTable, match=f"--learners names them, and {words}"):
        import_predictions(tmp_path / "t.csv")
    with pytest.raises(InvalidTable, match=f"poor is '.*' in row 1; expected 1 or 0, .*; {words}"):
        import_predictions(tmp_path / "t.csv", learners=["poor", "good"])


def test_the_command_names_its_options_and_can_be_repeated(run, tmp_path):
    ratings().assign(note="a remark").to_csv(tmp_path / "t.csv", index=False)
    asked = "judge", "--predictions", "t.csv", "--lower-better", "--learners", "poor, good"
    found = run(*asked, "--json", cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    document = json.loads(found.stdout)
    assert document["best"] == "poor"
    assert document["ordering"]["names"] == ["poor", "good"]
    command = document["provenance"]["command"]
    assert command == "polychotomy judge --predictions t.csv --learners 'poor, good' --lower-better"
    assert run("judge", "--higher-better", cwd=tmp_path).returncode == 2


def test_weights_are_for_means(tmp_path):
    table = pd.DataFrame({"learner": "a", "sample": range(40), "truth": ["x", "y"] * 20,
                          "p:x": 0.4, "p:y": 0.6, "weight": 1.0})  # fmt: skip
    for loss in ("auc", "macro-f1"):
        with pytest.raises(InvalidInput, match="expected one that is a mean over samples"):
            judged(table, higher_better=None, loss=loss)
    assert judged(table, higher_better=None, loss="log-loss").best == "a"


def test_tiny_scores_are_not_written_as_none():
    """As of errors of simulations, in metres or seconds."""
    tiny = judged(long(ratings() * 1e-7))
    said = re.search(r"a score of (\S+) \(95 % interval (\S+)\s+to (\S+)\)", str(tiny)).groups()
    found = tiny.selected
    whole = -np.array([found.corrected, found.high, found.low])
    np.testing.assert_allclose(np.array(said, dtype=float), whole, rtol=0.02)


def test_scores_that_are_all_alike_have_no_number_that_is_none():
    rows = [{"learner": m, "sample": i, "score": float(i % 5)} for m in "ABC" for i in range(50)]
    verdict = judge(import_predictions(pd.DataFrame(rows), higher_better=True))
    assert not any(re.search(r"\b(inf|nan)\b", s.text + s.basis) for s in verdict.sentences())
