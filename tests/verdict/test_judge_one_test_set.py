"""One test set that several models have answered: judged without folds, and without fitting."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from polychotomy import import_predictions, judge
from polychotomy.app import Request, judge_request
from polychotomy.comparison import compare_cases, mcnemar_test, multitest_many
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.report.text import verdict_to_text
from polychotomy.study import Ledger
from polychotomy.verdict.choosing import first_within
from polychotomy.verdict.many import unite_verdicts


def answers(n=300, seed=0):
    """Labels, and the answers of three models of which the last two are much alike."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(["cat", "dog", "fox"], n)
    hard = rng.random(n)
    models = {}
    for name, share in (("poor", 0.4), ("good", 0.15), ("also good", 0.14)):
        right = rng.random(n) > share * 2 * hard
        models[name] = np.where(right, truth, rng.choice(["cat", "dog", "fox"], n))
    return truth, models


def written(folder, frame):
    frame.to_csv(folder / "answers.csv", index=False)
    return folder / "answers.csv"


def long_table(truth, models, **columns):
    return pd.concat(
        pd.DataFrame({"learner": name, "sample": np.arange(len(truth)), "truth": truth,
                      "predicted": said, **columns})
        for name, said in models.items()
    )  # fmt: skip


def judged(path, **options):
    with import_predictions(path) as ledger:
        return judge(ledger, **options)


def test_no_fold_is_one_test_set(tmp_path):
    truth, models = answers()
    verdict = judged(written(tmp_path, long_table(truth, models)))
    assert verdict.best in ("good", "also good")
    errors = {name: np.mean(said != truth) for name, said in models.items()}
    assert {c.name: c.error for c in verdict.candidates} == pytest.approx(errors, abs=1e-12)
    assert verdict.other_rule is None
    assert verdict.combination is not None
    document = verdict.to_dict()
    pairs = {(one["first"], one["second"]): one["difference"] for one in document["differences"]}
    assert pairs["poor", "good"] == pytest.approx(errors["poor"] - errors["good"])
    assert [(one["name"], one["low"], one["high"]) for one in document["ranks"]] == [
        ("poor", 3, 3),
        ("good", 1, 2),
        ("also good", 1, 2),
    ]
    assert any("Worst confusion" in one.text for one in verdict.sentences())


def test_the_pairs_are_compared_by_mcnemars_test(tmp_path):
    truth, models = answers()
    verdict = judged(written(tmp_path, long_table(truth, models)))
    names = verdict.differences.names
    for i, j in ((0, 1), (0, 2), (1, 2)):
        wrong = [models[names[k]] != truth for k in (i, j)]
        found = mcnemar_test(*wrong, exact="mid-p")
        assert verdict.differences.pvalues[i, j] == pytest.approx(found.pvalue, abs=1e-12)
        low, high = found.confidence_interval()
        assert verdict.differences.low[i, j] == pytest.approx(low, abs=1e-12)
        assert verdict.differences.high[i, j] == pytest.approx(high, abs=1e-12)
    said = " ".join(one.basis for one in verdict.sentences())
    assert "McNemar's test in its mid-p form" in said
    assert "these models as they are" in said


@pytest.mark.parametrize(
    "counts", [(10, 1), (1, 10), (4, 4), (0, 3), (7, 6), (0, 0), (60, 41), (3388, 3208)]
)
def test_mid_p_is_half_of_what_was_seen_less_than_exact(counts):
    """Fagerland, Lydersen and Laake (2013), eq. for the mid-p McNemar test."""
    b, c = counts
    first = np.r_[np.ones(b), np.zeros(c + 5)].astype(bool)
    second = np.r_[np.zeros(b), np.ones(c), np.zeros(5)].astype(bool)
    exact = mcnemar([[5, b], [c, 0]], exact=True).pvalue
    seen = stats.binom.pmf(b, b + c, 0.5) if b + c else 0.0
    expected = exact - seen / (2 if b == c else 1)
    assert mcnemar_test(first, second, exact=True).pvalue == pytest.approx(exact, abs=1e-12)
    assert mcnemar_test(first, second, exact="mid-p").pvalue == pytest.approx(expected, abs=1e-12)
    greater = mcnemar_test(first, second, exact="mid-p", alternative="greater").pvalue
    tail = stats.binom.sf(b - 1, b + c, 0.5) if b + c else 1.0
    assert greater == pytest.approx(tail - seen / 2, abs=1e-12)


def test_equal_models_are_told_apart_about_as_often_as_promised():
    rng = np.random.default_rng(3)
    told = []
    for _ in range(400):
        hard = rng.random(200)
        wrong = (rng.random((2, 1, 200)) < 0.5 * hard).astype(float)
        told.append(compare_cases(wrong, margin=0.0001, as_given=True).pvalues[0, 1] < 0.05)
    assert 0.02 < np.mean(told) < 0.08


@pytest.mark.parametrize("group", [None, "document"])
def test_who_is_better_is_told_for_all_pairs_together_as_ranks_are(group):
    """Ten models, of which nine are alike: by itself, one of 45 pairs in twenty would be apart."""
    shown = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        right = rng.random((200, 10)) > 0.6 * rng.random((200, 1)) + 0.1 * (np.arange(10) == 9)
        table = pd.DataFrame(right, columns=list("abcdefghij")).assign(document=np.arange(200) // 2)
        if group is None:
            table = table.drop(columns="document")
        verdict = judge(import_predictions(table, group=group))
        answers, ranks = np.array(verdict.differences.answers, dtype=object), verdict.ranks
        assert (ranks.first == 1 + (answers == "worse").sum(axis=1)).all()
        assert (ranks.last == 10 - (answers == "better").sum(axis=1)).all()
        shown += bool((answers[:9, :9] == "better").any())
        best = verdict.differences.names.index(verdict.best)
        open_ = verdict.differences.low[best] > 0, verdict.differences.high[best] < 0
        alone = (open_[0] | open_[1]) & (answers[best] == "undecided")
        (told,) = [s.text for s in verdict.sentences() if s.text.startswith("Against ")] or [""]
        if alone.sum() == (answers[best] == "undecided").sum() > 0:
            assert "by itself, not with all pairs counted" in told
    assert shown <= 3


def test_who_is_shown_to_be_worse_gives_way_and_that_is_said(tmp_path):
    """By 0.9 points, with an interval beyond the margin of one: within it, but worse."""
    rng = np.random.default_rng(0)
    wrong = rng.random((2, 20_000)) < 0.2
    first = np.flatnonzero(~wrong[0])[: 180 + int(wrong[1].sum()) - int(wrong[0].sum())]
    wrong[0, first] = True
    table = pd.DataFrame((~wrong).T.astype(int), columns=["simple", "complex"])
    table.insert(0, "sample", np.arange(20_000))
    path = written(tmp_path, table)
    verdict = judged(path)
    assert verdict.best == "complex"
    (said,) = [one.text for one in verdict.sentences() if "comes closest" in one.text]
    assert "comes within 1 point of the best without being shown to be worse (simple" in said
    kept = judged(path, margin=0.01)
    assert kept.best == "simple"


def test_who_may_do_no_better_than_guessing_is_not_simply_used():
    rng = np.random.default_rng(0)
    truth = (rng.random(200) < 0.3).astype(int)
    said = {name: truth ^ (rng.random(200) < 0.3).astype(int) for name in ("a", "b")}
    first = [one.text for one in judge(import_predictions(pd.DataFrame({"truth": truth, **said})))
             .sentences()]  # fmt: skip
    assert "Caveat: it is not shown to beat guessing." in first
    assert "Next: judge more rows, or other models." in first
    good = {name: truth ^ (rng.random(200) < 0.1).astype(int) for name in ("a", "b")}
    found = judge(import_predictions(pd.DataFrame({"truth": truth, **good})))
    assert not any("beat guessing" in one.text for one in found.sentences())


def test_weights_count_for_guessing_too():
    truth = np.repeat(["a", "b"], [60, 40])
    weight = np.where(truth == "b", 3.0, 1.0)
    table = long_table(truth, {"one": truth, "two": truth}, weight=np.tile(weight, 1))
    assert judge(import_predictions(table)).guessing.error == pytest.approx(60 / 180)


def test_right_and_wrong_are_enough(tmp_path):
    truth, models = answers()
    table = long_table(truth, models)
    table["correct"] = (table["predicted"] == table["truth"]).astype(int)
    labels = judged(written(tmp_path, table.drop(columns="correct")))
    right = judged(written(tmp_path, table.drop(columns=["truth", "predicted"])))
    assert right.best == labels.best
    np.testing.assert_allclose(right.differences.pvalues, labels.differences.pvalues)
    assert [c.error for c in right.candidates] == [c.error for c in labels.candidates]
    said = " ".join(one.text for one in right.sentences())
    assert "taking" not in said
    assert "not what the answers were" in " ".join(right.notes)
    right.to_html(tmp_path / "page.html")
    assert "tells who was right" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("known", ["labels", "right or wrong"])
def test_a_column_for_each_model(tmp_path, known):
    truth, models = answers()
    expected = judged(written(tmp_path, long_table(truth, models)))
    if known == "labels":
        wide = pd.DataFrame({"truth": truth, **models})
    else:
        wide = pd.DataFrame({name: said == truth for name, said in models.items()})
    found = judged(written(tmp_path, wide))
    assert found.best == expected.best
    np.testing.assert_allclose(found.differences.low, expected.differences.low)


def test_a_column_that_is_no_models_answers_is_named(tmp_path):
    truth, models = answers()
    questions = [f"what is {i}?" for i in range(len(truth))]
    # Of the first column the cases are called; what has no class in it is no model; a few are.
    wide = pd.DataFrame({"remark": questions, "truth": truth, **models, "length": len("what is")})
    found = judged(written(tmp_path, wide))
    assert {c.name for c in found.candidates} == {*models}
    assert "read 'remark' as sample" in found.notes
    assert "columns not used: 'length' (--group or --by may name one)" in found.notes
    wide["length"] = np.where(np.arange(len(truth)) < 5, truth, "short")
    with pytest.raises(InvalidTable, match=r"'length' is '[a-z]+' in row 1; expected a class"):
        judged(written(tmp_path, wide))


@pytest.mark.parametrize(
    "write",
    [
        lambda said: said.astype(float),
        lambda said: said == 1,
        lambda said: (said == 1).astype("boolean"),
        lambda said: said.astype(str) + ".0",
        lambda said: np.where(said == 1, "TRUE", "FALSE"),
    ],
)
@pytest.mark.parametrize("shape", ["long", "wide", "file"])
def test_a_class_is_the_same_however_a_program_writes_it(tmp_path, write, shape):
    rng = np.random.default_rng(0)
    truth = pd.Series(rng.integers(0, 2, 80))
    flips = {"a": rng.random(80) < 0.2, "b": rng.random(80) < 0.3}
    models = {name: (truth ^ flip).astype(int) for name, flip in flips.items()}
    errors = {name: np.mean(said != truth) for name, said in models.items()}
    wide = pd.DataFrame({"truth": truth, "a": write(models["a"]), "b": models["b"]})
    if shape == "long":
        wide = wide.reset_index(names="sample").melt(
            ["sample", "truth"], ["a", "b"], "learner", "predicted"
        )
    found = judged(written(tmp_path, wide) if shape == "file" else wide)
    assert {c.name: c.error for c in found.candidates} == pytest.approx(errors)
    assert len(found.confusion.classes) == 2


def test_words_that_are_no_class_are_named():
    truth, models = answers(n=40)
    table = long_table(truth, {name: np.char.add(said, "?!") for name, said in models.items()})
    with pytest.raises(
        InvalidTable, match=r"no class that is predicted, such as '[a-z]{3}\?!', is"
    ):
        judged(table)


@pytest.mark.parametrize("words", [("1.0", "0.0"), ("Yes", "No"), ("correct", "incorrect")])
def test_right_and_wrong_in_other_words(tmp_path, words):
    right = np.random.default_rng(0).random((60, 2)) < (0.6, 0.8)
    wide = pd.DataFrame(right, columns=["a", "b"]).reset_index(names="sample")
    table = wide.melt("sample", ["a", "b"], "learner", "correct")
    table["correct"] = np.where(table["correct"], *words)
    found = judged(written(tmp_path, table))
    assert [c.error for c in found.candidates] == pytest.approx(1 - right.mean(axis=0))


def test_an_answer_that_is_missing_is_named_where_the_table_has_it(tmp_path):
    truth, models = answers(n=30)
    wide = pd.DataFrame({"truth": truth, **models})
    wide.loc[7, "good"] = None
    with pytest.raises(InvalidTable, match=r"good is empty in row 8; .* leave the sample out"):
        judged(written(tmp_path, wide))
    table = long_table(truth, models).astype("string")
    table.iloc[7, 3] = pd.NA
    with pytest.raises(InvalidTable, match=r"predicted is empty in row 8;"):
        judged(table)
    right = wide.drop(columns="truth").notna().astype(float).where(wide.notna())
    with pytest.raises(InvalidTable, match=r"good is empty in row 8;"):
        judged(written(tmp_path, right[["poor", "good"]]))


def test_what_is_neither_right_nor_wrong_is_named(tmp_path):
    table = pd.DataFrame({"learner": ["a", "a"], "sample": [0, 1], "correct": ["1", "perhaps"]})
    with pytest.raises(InvalidTable, match=r"correct is 'perhaps' in row 2; expected 1 or 0"):
        judged(written(tmp_path, table))


def test_many_systems_at_once():
    """All pairs of 134 systems are compared as each two are."""
    rng = np.random.default_rng(0)
    wrong = (rng.random((134, 1, 500)) < rng.random((134, 1, 1))).astype(float)
    pairs = compare_cases(wrong, margin=0.01, as_given=True)
    one = mcnemar_test(wrong[7, 0].astype(bool), wrong[99, 0].astype(bool), exact="mid-p")
    assert pairs.pvalues[7, 99] == pytest.approx(one.pvalue, abs=1e-12)
    assert pairs.estimate[7, 99] == pytest.approx(wrong[7].mean() - wrong[99].mean(), abs=1e-12)


def test_many_candidates_are_chosen_from_as_few_are():
    rng = np.random.default_rng(1)
    errors = rng.random((200, 12, 3, 5)) * 0.05
    options = {"test": "corrected-t", "margin": 0.01, "alpha": 0.5, "correction": None}
    expected = multitest_many(errors[np.newaxis], **options).best[0]
    np.testing.assert_array_equal(first_within(errors.mean(axis=(-2, -1)), 0.01), expected)


@pytest.mark.long
def test_the_page_on_a_hundred_systems_is_small(tmp_path):
    rng = np.random.default_rng(0)
    right = rng.random((500, 134)) < 0.3 + 0.003 * np.arange(134)
    table = pd.DataFrame(right, columns=[f"system {i}" for i in range(134)])
    verdict = judged(written(tmp_path, table))
    verdict.to_html(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert len(text) < 1_000_000
    assert "Drawn are those with the lowest mean" in text


def test_a_size_that_cannot_be_dealt_evenly_is_judged_alike(tmp_path):
    truth, models = answers(n=303)
    verdict = judged(written(tmp_path, long_table(truth, models)))
    wrong = {name: said != truth for name, said in models.items()}
    for candidate in verdict.candidates:
        assert candidate.error == pytest.approx(wrong[candidate.name].mean(), abs=1e-12)
    first, second = verdict.differences.names[:2]
    expected = mcnemar_test(wrong[first], wrong[second], exact="mid-p").pvalue
    assert verdict.differences.pvalues[0, 1] == pytest.approx(expected, abs=1e-12)


def test_cases_of_one_group_count_together(tmp_path):
    truth, models = answers(n=60)
    five = {name: np.repeat(said, 5) for name, said in models.items()}
    wide = pd.DataFrame({"truth": np.repeat(truth, 5), **five})
    wide["document"] = [f"d{i // 5}" for i in range(300)]
    with import_predictions(written(tmp_path, wide), group="document") as ledger:
        verdict = judge(ledger)
    wrong = {name: (said != truth)[np.newaxis] for name, said in models.items()}
    names = verdict.differences.names
    each = compare_cases(np.array([wrong[name] for name in names]), margin=0.01, as_given=True,
                         groups=np.arange(60))  # fmt: skip
    np.testing.assert_allclose(verdict.differences.low, each.low, atol=1e-12)
    np.testing.assert_allclose(verdict.differences.pvalues, each.pvalues, atol=1e-12)
    assert any("300 cases in 60 groups" in note for note in verdict.notes)


def test_a_ledger_file_keeps_the_groups(tmp_path):
    truth, models = answers(n=60)
    table = long_table(truth, models, patient=np.arange(60) // 3)[::-1]
    path, kept = written(tmp_path, table), tmp_path / "kept.polychotomy"
    with import_predictions(path, group="patient", into=kept) as ledger:
        now = judge(ledger)
    with Ledger(kept, read_only=True) as ledger:
        again = judge(ledger)
        assert ledger.fact("groups") == {"answers": [str(i // 3) for i in range(60)]}
    np.testing.assert_array_equal(now.differences.low, again.differences.low)
    with pytest.raises(InvalidTable, match="and no group and no weight"):
        import_predictions(path, group="patient", into=kept)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (
            lambda t: t.rename(columns={"patient": "p"}),
            "no column 'patient', but learner, ",
        ),
        (lambda t: t.assign(patient="x"), "'patient' is 'x' everywhere"),
        (lambda t: t.assign(patient=np.arange(len(t))), "expected one patient for each sample"),
    ],
)
def test_groups_that_cannot_be_are_named(tmp_path, change, match):
    truth, models = answers(n=20)
    table = change(long_table(truth, models, patient=np.arange(20) // 2))
    with pytest.raises(InvalidTable, match=match):
        import_predictions(written(tmp_path, table), group="patient")


def test_several_answers_are_no_further_cases(tmp_path):
    tables, wrong = [], []
    for seed in range(3):
        truth, models = answers()
        rng = np.random.default_rng(seed)
        models = {k: np.where(rng.random(300) < 0.1, "cat", said) for k, said in models.items()}
        tables.append(long_table(truth, models))
        wrong.append([said != truth for said in models.values()])
    verdict = judged(written(tmp_path, pd.concat(tables)))
    losses = np.moveaxis(np.array(wrong, dtype=float), 0, 1)  # (models, answers, cases)
    expected = compare_cases(losses, margin=0.01, as_given=True)
    order = [list(models).index(name) for name in verdict.differences.names]
    found = verdict.differences.low
    np.testing.assert_allclose(found, expected.low[np.ix_(order, order)], atol=1e-12)
    assert any("each of the 300 cases has 3 answers" in note for note in verdict.notes)


def test_answers_that_are_not_equally_many_are_named(tmp_path):
    truth, models = answers(n=20)
    table = long_table(truth, models)
    with pytest.raises(InvalidTable, match=r"'poor' has 2 rows of the sample '0' and 'poor' has 1"):
        judged(written(tmp_path, pd.concat([table, table[:1]])))


def test_several_data_sets_are_judged_on_one_page(tmp_path):
    tables = []
    for seed in range(2):
        truth, models = answers(n=60, seed=seed)
        tables.append(long_table(truth, models, dataset=f"task {seed}"))
    page = tmp_path / "page.html"
    path = written(tmp_path, pd.concat(tables))
    judged_all = judge_request(Request(predictions=path, output=page))
    assert judged_all.verdict.tables == ("task 0", "task 1")
    assert set(judged_all.verdict.candidates) == {"poor", "good", "also good"}
    assert page.exists()
    assert judge_request(Request(predictions=path, output=page)).page == page  # its own page


def test_json_lines_have_the_columns_of_a_table(tmp_path):
    truth, models = answers(n=60)
    table = long_table(truth, models)
    table["correct"] = table["predicted"] == table["truth"]
    table = table.drop(columns=["truth", "predicted"])
    expected = judged(written(tmp_path, table))
    table.to_json(tmp_path / "answers.jsonl", orient="records", lines=True)
    found = judged(tmp_path / "answers.jsonl")
    assert [c.error for c in found.candidates] == [c.error for c in expected.candidates]
    (tmp_path / "broken.jsonl").write_text('{"learner"\n')
    with pytest.raises(InvalidTable, match=r"'broken.jsonl' cannot be read as JSON lines"):
        judged(tmp_path / "broken.jsonl")


def test_errors_of_answers_are_told_apart_by_a_column_of_theirs(tmp_path):
    truth, models = answers(n=300)
    language = np.array(["de", "en", "fr"])[np.arange(300) % 3]
    for said in models.values():  # all of them err in French
        said[2::6] = np.where(truth[2::6] == "cat", "dog", "cat")
    shuffled = long_table(truth, models, language=language).sample(frac=1.0, random_state=0)
    path = written(tmp_path, shuffled)
    verdict = judge_request(
        Request(predictions=path, by="language", output=tmp_path / "page.html")
    ).verdict
    wrong = pd.Series(models[verdict.best] != truth).groupby(language).mean()
    found = verdict.by.to_frame().set_index("names")["errors"]
    assert found.to_dict() == pytest.approx(wrong.to_dict())
    assert "errs more in 'fr'" in str(verdict.by)
    wide = pd.DataFrame({"truth": truth, **models, "language": language})
    with import_predictions(wide, by="language") as ledger:
        assert judge(ledger).by.errors.tolist() == pytest.approx(verdict.by.errors.tolist())
    with pytest.raises(InvalidTable, match="there is no column 'tongue'"):
        import_predictions(wide, by="tongue")
    scores = shuffled.assign(score=np.arange(900.0) % 7)[["learner", "sample", "score", "language"]]
    with import_predictions(scores, by="language", higher_better=True) as ledger:
        assert any("errors by 'language' were left out" in note for note in judge(ledger).notes)


@pytest.mark.parametrize("loss", ["auc", "recall-at-precision"])
def test_what_ranks_is_compared_on_one_test_set(loss):
    rng = np.random.default_rng(0)
    y = (rng.random(400) < 0.3).astype(int)
    parts = []
    for name, gap in (("weak", 1.0), ("strong", 4.0)):
        p = 1 / (1 + np.exp(-gap * (2 * y - 1) - rng.normal(size=400)))
        parts.append(pd.DataFrame({"learner": name, "sample": np.arange(400), "truth": y}))
        parts[-1][["p:0", "p:1"]] = np.column_stack([1 - p, p])
    verdict = judge(import_predictions(pd.concat(parts)), loss=loss)
    assert verdict.best == "strong"
    assert verdict.differences.answers[1][0] == "better"
    words = "AUC" if loss == "auc" else "1 − recall at 90 % precision"
    assert f"Its mean {words} is" in verdict.sentences()[1].text
    assert verdict.to_html()


def test_an_interval_of_a_recall_ends_at_one():
    rng = np.random.default_rng(0)
    y = (rng.random(200) < 0.3).astype(int)
    wide = pd.DataFrame({"truth": y, **{n: rng.random(200) * 0.9 + 0.1 * y for n in ("a", "b")}})
    said = judge(import_predictions(wide), loss="recall-at-precision").sentences()[1].text
    assert "1 − recall at 90 % precision is 0.865 (95 % interval 0.726 to 1.000)" in said


def right_and_wrong(*shares, n=120, seed=0):
    """Whether each of so many models was right on each case."""
    right = np.random.default_rng(seed).random((n, len(shares))) < shares
    return pd.DataFrame(right.astype(int), columns=list("pqrs")[: len(shares)])


def test_of_right_and_wrong_nothing_is_said_of_labels():
    verdict = judge(import_predictions(right_and_wrong(0.8, 0.7)))
    (said,) = [one for one in verdict.sentences() if one.section == "trust"]
    assert "label" not in said.text + said.basis
    assert "none to trust" in said.text
    page = verdict.to_html()
    assert "labels only" not in page[: page.index('id="which"')]


def test_models_that_did_the_same_are_not_said_to_be_worse():
    verdict = judge(import_predictions(right_and_wrong(1.0, 1.0)))
    (said,) = [one for one in verdict.sentences() if "cannot decide" in one.text]
    assert "equal here" in said.text
    assert not any("worse here" in one.text for one in verdict.sentences())


def test_a_league_of_answers_says_nothing_that_it_does_not_know():
    """No time, no columns, no other rule, and of answers made elsewhere nobody is simple."""
    found = [
        judge(import_predictions(right_and_wrong(0.6, 0.8, 0.7, seed=i), dataset=name))
        for i, name in enumerate("abc")
    ]
    _, (row, *_) = unite_verdicts(found).text_table()
    assert row[1][:4] == ["a", "120", "–", "–"]  # neither columns nor classes
    page = unite_verdicts(found).to_html()
    assert "of computing" not in page
    assert "MultiTest</th>" not in page
    assert not any("simpl" in one for one in re.findall("<figcaption>.*", page))
    assert 'data-v="0">0</td>' not in page  # columns
    assert not re.search(r">-\d", page), "a minus is not a hyphen"


@pytest.mark.parametrize("loss", ["macro-f1", "mcc", "auc", "log-loss", "balanced-error"])
def test_right_and_wrong_are_no_classes_of_another_loss(loss):
    right = pd.DataFrame(np.random.default_rng(0).random((50, 2)) < (0.5, 0.8), columns=["a", "b"])
    with import_predictions(right) as ledger, pytest.raises(InvalidInput, match="right and wrong"):
        judge(ledger, loss=loss)


@pytest.mark.parametrize("loss", ["log-loss", "brier", "auc", "recall-at-precision"])
def test_labels_that_stand_for_probabilities_are_warned_of(loss):
    truth, models = answers(n=90)
    with import_predictions(long_table(truth, models)) as ledger:
        found = judge(ledger, loss=loss)
        assert not judge(ledger, loss="macro-f1").warnings
    (warning,) = found.warnings
    assert warning.endswith("gave labels, which count as probabilities of 0 and 1; judge by error")
    assert warning.line.endswith("gave labels; judge by error")


def test_cases_may_be_groups_by_themselves():
    right = pd.DataFrame({"sample": list("pqrstu"), "a": [1, 0] * 3, "b": 1})
    with import_predictions(right, group="sample") as ledger:
        assert "6 cases in 6 groups" in " ".join(judge(ledger).notes)


def test_no_difference_of_errors_is_above_all_of_them():
    truth = np.arange(40) % 2
    with import_predictions(pd.DataFrame({"truth": truth, "a": truth, "b": 1 - truth})) as ledger:
        found = judge(ledger).differences
    assert found.estimate[1, 0] == found.high[1, 0] == 1


def test_a_leaderboard_on_a_terminal_has_its_head():
    rng = np.random.default_rng(0)
    right = rng.random((200, 40)) < np.linspace(0.3, 0.9, 40)
    with import_predictions(pd.DataFrame(right).add_prefix("m")) as ledger:
        verdict = judge(ledger)
    lines = verdict_to_text(verdict).splitlines()
    table = [line for line in lines if line[2:].startswith("m") and line.endswith("%")]
    assert [line[2:].split()[0] for line in table] == [*verdict.ordering.ordered_names[:25]]
    assert "  … and 15 more, on the page and in the JSON" in lines
