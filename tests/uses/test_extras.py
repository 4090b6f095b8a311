"""What only decorates a verdict, such as the size of a model, is left out where it cannot be had.

It never fails a fit, and never takes a candidate from the comparison.
"""

import html
import json

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fits_here import fits_here
from polychotomy import for_tables, judge
from polychotomy.model import fit_model

X, y = load_iris(return_X_y=True, as_frame=True)
X, y = X.iloc[::2], y.iloc[::2]


class Unpicklable(GaussianNB):
    """Cannot be pickled once it is fitted, and so has no size."""

    def __getstate__(self):
        if hasattr(self, "classes_"):
            raise RuntimeError("a fitted model of mine stays where it is")
        return super().__getstate__()


class Unprintable(GaussianNB):
    """Cannot be written down, as a record of the run would."""

    def __repr__(self):
        raise RuntimeError("no words for it")


class Talkative(GaussianNB):
    """Warns and prints on every occasion."""

    def fit(self, X, y):
        print("fitting")
        np.log(np.array([-1.0]))  # a RuntimeWarning of the learner's own
        return super().fit(X, y)


KINDS = {"usual": GaussianNB, "size": Unpicklable, "record": Unprintable, "print": Talkative}
WAYS = {
    "bare": lambda classifier: classifier,
    "pipeline": lambda classifier: make_pipeline(StandardScaler(), classifier),
    "for_tables": lambda classifier: for_tables(make_pipeline(StandardScaler(), classifier)),
}


@pytest.mark.parametrize(
    "way", [pytest.param("bare", marks=pytest.mark.long), "pipeline", "for_tables"]
)
def test_what_only_decorates_fails_nothing(way, tmp_path):
    tried = {name: WAYS[way](kind()) for name, kind in KINDS.items()}
    verdict = judge(tried, X, y, plan="1x5", anatomy=False)
    verdict.to_html(tmp_path / "page.html")
    assert not verdict.failures
    found = {one["name"]: one for one in verdict.to_dict()["candidates"]}
    assert {one["error"] for one in found.values()} == {found["usual"]["error"]}
    assert [name for name, one in found.items() if one["model_bytes"] is None] == ["size"]


def test_who_has_no_size_is_last_in_an_order_by_size():
    tried = {"size": Unpicklable(), "usual": GaussianNB()}
    verdict = judge(tried, X, y, plan="1x5", anatomy=False, prefer="memory")
    assert not verdict.failures
    assert verdict.to_dict()["ordering"]["names"] == ["usual", "size"]


EXTRAS = {
    "study.fitting.fit.pickled_bytes": "the model cannot be pickled, so its size is left out",
    "tables.row_notes.note_columns": "a note could not be made: RuntimeError: broken",
    "verdict.notes._record": "where the numbers come from could not be recorded: RuntimeError",
    "verdict.columns._Refits": "which columns matter was not asked: it failed: RuntimeError",
    "verdict.conclusions.read_anatomy": "what limits the error is not known: RuntimeError: broken",
    "verdict.conclusions.would_combining_help": "combining was not asked about: broken",
    "verdict.conclusions.ask_recalibrated": "all recalibrated is not known: RuntimeError: broken",
    "verdict.conclusions.rank_rows": "the ranking is not known: RuntimeError: broken",
    "verdict.conclusions.assess_sets": "how large sets of classes are is not known: RuntimeError",
    "verdict.conclusions.find_weak_slice": "where it errs most is not known: RuntimeError: broken",
    "verdict.verdict.errors_by_group": "errors by 'group' were left out: broken",
    "telling.choice._say_luck": "What there is to say of 'seen' could not be put in",
    "telling.trust._trace": "What there is to say of 'trust' could not be put in",
    "report.sections.draw_candidates": "could not be drawn: RuntimeError: broken",
    "report.background.computed_section": "could not be made: RuntimeError: broken",
}


def test_a_mistake_in_an_extra_costs_that_extra_alone(tmp_path, monkeypatch):
    """All are broken at once; who is chosen and the errors are as before, and each is named."""

    def broken(*args, **kwargs):
        raise RuntimeError("broken")

    def ask():
        tried = {"bayes": GaussianNB(), "logistic": make_pipeline(StandardScaler(), GaussianNB())}
        with fits_here():
            return judge(tried, X, y, plan="1x5", anatomy=True, by=np.arange(75) % 2)

    sound = ask()
    for place in EXTRAS:
        monkeypatch.setattr(f"polychotomy.{place}", broken)
    verdict = ask()
    verdict.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    said = "\n".join([*verdict.notes, html.unescape(page)])
    assert [words for words in EXTRAS.values() if words not in said] == []
    for part in ("best", "failures"):
        assert getattr(verdict, part) == getattr(sound, part)
    assert [one.error for one in verdict.candidates] == [one.error for one in sound.candidates]
    assert str(verdict).startswith(sound.sentences()[0].text)


@pytest.mark.parametrize(
    ("place", "lost"),
    [
        ("choosing.ask_other_rule", "what the other rule chooses"),
        ("conclusions._share_wrong", "which rows it gets wrong"),
        ("conclusions.find_drift", "whether it drifts"),
        ("conclusions.tune_decisions", "what tuning gains"),
    ],
)
def test_a_mistake_in_one_answer_leaves_the_others(place, lost, tmp_path, monkeypatch):
    monkeypatch.setattr(f"polychotomy.verdict.{place}", lambda *given, **options: 1 / 0)
    tried = {"MAX": DummyClassifier(), "bayes": GaussianNB()}
    how = {"plan": "1x5"}
    if "drift" in place:
        how = {"time": np.random.default_rng(0).permutation(75)}
    with fits_here():
        verdict = judge(tried, X, y, anatomy=False, **how)
    said = f"{lost} is not known: ZeroDivisionError: division by zero"
    assert said in verdict.notes
    assert said in verdict.to_dict()["not_asked"].values()
    verdict.to_html(tmp_path / "page.html")
    assert str(verdict).startswith("Use bayes.")


def test_a_mistake_in_the_further_fits_costs_no_verdict(monkeypatch):
    """What limits the best candidate takes fits of its own, made once the others are."""

    def broken(*args, **kwargs):
        raise RuntimeError("broken")

    tried = {"MAX": DummyClassifier(), "bayes": GaussianNB()}
    with fits_here():
        sound = judge(tried, X, y, plan="1x5", anatomy=False)
        monkeypatch.setattr("polychotomy.verdict.anatomy.fit_anatomy", broken)
        verdict = judge(tried, X, y, plan="1x5", anatomy=True)
    assert verdict.anatomy is None
    assert (
        verdict.not_asked["anatomy"] == "what limits the error is not known: RuntimeError: broken"
    )
    assert verdict.best == sound.best
    assert [one.error for one in verdict.candidates] == [one.error for one in sound.candidates]


@pytest.mark.parametrize("kind", ["usual", "record", "size"])
def test_a_model_is_had_without_its_card(kind, monkeypatch):
    """Where no words can be found for a learner, or for anything on the card."""
    usual = fit_model(GaussianNB(), X, y)
    if kind == "usual":
        monkeypatch.setattr("polychotomy.model.fitting.write_card", lambda *given: 1 / 0)
    model = fit_model(KINDS[kind](), X, y)
    np.testing.assert_array_equal(model.predict(X), usual.predict(X))
    lost = {"usual": "ZeroDivisionError: division by zero", "record": "RuntimeError: no words"}
    told = f"The card could not be written: {lost[kind]}" if kind in lost else "# "
    assert model.card.startswith(told)
    assert "Seed 0" in usual.card


def test_the_command_to_repeat_it_by_is_left_out(run, tmp_path, monkeypatch):
    X.assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    monkeypatch.setattr("polychotomy.app.judging.repeat_command", lambda *given: 1 / 0)
    with fits_here():
        done = run("judge", "t.csv", "--target", "y", "--candidates", "MAX,nearest mean",
                   "--plan", "1x5", "--no-anatomy", "--json", cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    lost = "where the numbers come from could not be recorded: ZeroDivisionError: division by zero"
    assert lost in json.loads(done.stdout)["notes"]


def test_a_display_that_fails_ends_nothing(monkeypatch):
    """A terminal that is gone, say. What a user's own function raises does end the run."""
    monkeypatch.setattr("sys.stderr", None)
    monkeypatch.setattr("builtins.print", lambda *args, **kwargs: 1 / 0)
    with fits_here(), pytest.warns(UserWarning, match="progress not shown: ZeroDivision"):
        assert not judge(
            {"usual": GaussianNB()}, X, y, plan="1x5", anatomy=False, progress=True
        ).failures
