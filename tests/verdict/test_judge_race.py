"""A raced verdict: who was stopped, when and why; the choice itself does not change."""

from dataclasses import replace

import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from polychotomy import judge
from polychotomy.app.judging import Told, judge_table
from polychotomy.app.request import Request
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Ledger
from polychotomy.telling.tried import say_race

X, y = load_iris(return_X_y=True)
CANDIDATES = {"NB": GaussianNB(), "MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("race")
    raced = judge(CANDIDATES, X, y, race=True, anatomy=False, study=folder / "raced")
    full = judge(CANDIDATES, X, y, anatomy=False, plan="5x5", study=folder / "full")
    return raced, full, folder / "raced"


def test_the_choice_is_that_of_the_whole_study(verdicts):
    raced, full, _ = verdicts
    assert raced.best == full.best
    assert [n for n in full.ordering.ordered_names if n != "MAX"] == list(
        raced.ordering.ordered_names
    )
    assert raced.timings.n_fits < full.timings.n_fits == 75


def test_who_was_stopped_when_and_why_is_said(verdicts):
    raced, full, _ = verdicts
    stopped = raced.candidate("MAX").stopped
    assert stopped.better == "NB"
    assert stopped.after < stopped.of == 5
    assert stopped.pvalue <= stopped.level < stopped.alpha == 0.05
    assert stopped.error > stopped.better_error
    (sentence,) = (s for s in raced.sentences() if s.text.startswith("Stopped early"))
    assert f"MAX after {stopped.after} of 5 repetitions, worse than NB (error " in sentence.text
    assert "at most 0.05 on a data set" in sentence.basis
    assert not any(s.text.startswith("Stopped early") for s in full.sentences())
    assert raced.is_clean


def test_that_nobody_was_stopped_is_said():
    listed = {name: CANDIDATES[name] for name in ("MAX", "NB", "1-NN")}
    verdict = judge(listed, X, y, race=True, anatomy=False)
    (sentence,) = (s for s in verdict.sentences() if s.text.startswith("The race stopped nobody"))
    assert sentence.text.endswith(
        # MAX is the most preferred, and worse than less preferred ones only
        "none was shown to be worse before the last of 5 repetitions."
    )
    assert "the most preferred candidate, here MAX," in sentence.basis
    assert "The race stopped nobody" in verdict.to_html()


@pytest.mark.parametrize(
    ("candidates", "plan", "words"),
    [
        (3, {"repetitions": 2, "folds": 2}, "2 repetitions of 2 folds are too few to look before"),
        (1, {}, "there is one candidate only."),
        (3, {"runs": 2}, "none was shown to be worse before the last of 10 repetitions."),
    ],
)  # fmt: skip
def test_why_nobody_could_be_stopped(verdicts, candidates, plan, words):
    _, full, _ = verdicts
    asked = full.provenance["question"] | {"race": True}
    raced = replace(
        full,
        candidates=full.candidates[:candidates],
        plan=full.plan | plan,
        provenance=full.provenance | {"question": asked},
    )
    (sentence,) = say_race(raced)
    assert sentence.text.startswith(f"The race stopped nobody: {words}")
    assert say_race(full) == []


def test_tables_and_page_show_it(verdicts):
    raced, full, _ = verdicts
    words = f"stopped after {raced.candidate('MAX').stopped.after} of 5 repetitions"
    assert words in raced.to_markdown()
    assert words in raced.to_html()
    assert str(raced.to_frame().set_index("candidate").loc["MAX", "stopped"]) == words
    assert raced.to_dict()["candidates"][1]["stopped"]["of"] == 5
    assert "stopped" not in full.to_frame().columns
    assert "stopped" not in full.to_dict()["candidates"][1]
    assert raced.to_dict()["provenance"]["question"]["race"] is True


def test_without_a_race_the_same_study_runs_the_rest(verdicts, tmp_path):
    raced, full, path = verdicts
    copy = tmp_path / "copy"
    copy.write_bytes(path.read_bytes())
    again = judge(CANDIDATES, X, y, anatomy=False, study=copy)
    assert again.candidate("MAX").stopped is None
    assert again.candidate("MAX").error == full.candidate("MAX").error
    with Ledger(path, read_only=True) as ledger:
        assert len(ledger.finished()) == raced.timings.n_fits


def test_combining_and_the_rest_do_without_the_stopped_one(verdicts):
    raced, _, _ = verdicts
    assert raced.price.names == ("NB", "1-NN")
    assert "MAX" not in raced.ordering.names


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"prefer": "time"}, "^a race .* prefer 'time'; .* candidates as 'listed'"),
        ({"loss": "log-loss"}, "^a race by the loss 'log-loss', .* expected the loss 'error'"),
        ({"time": list(range(150))}, "cannot be raced; expected RepeatedFolds"),
    ],
)
def test_what_cannot_be_raced_is_refused(asked, words):
    with pytest.raises(InvalidInput, match=words):
        judge(CANDIDATES, X, y, race=True, **asked)


@pytest.mark.long
def test_a_request_races_too_and_resumes_to_the_same_page(tmp_path):
    asked = Request(
        output=tmp_path / "page.html",
        study=tmp_path / "study",
        candidates="logistic,MAX",
        race=True,
        anatomy=False,
    )
    verdict, page, *_ = judge_table(asked)
    before = page.read_bytes()
    assert verdict.candidate("MAX").stopped.better == "logistic"
    assert verdict.provenance["command"].endswith("--race --no-anatomy")
    fits = []
    judge_table(asked, Told(confirm=fits.append, progress=lambda now: fits.append(now.done)))
    assert fits == [30]  # 25 and 5 fits are there: no estimate, and none is made
    assert page.read_bytes() == before
