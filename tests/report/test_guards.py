"""What only decorates a verdict cannot fail it: it is left out, and that is said."""

import sys

import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy import judge, unite_verdicts
from polychotomy.report import answers, background, many_page, page, sections
from polychotomy.study import Ledger
from polychotomy.verdict import notes as verdict_notes


def broken(*args, **kwargs):
    raise TypeError("'NoneType' is no number")


FIGURES = [
    (sections, "draw_candidates"), (sections, "draw_pairs"), (sections, "draw_price"),
    (answers, "draw_trace"), (answers, "draw_reliability"), (answers, "draw_gain"),
    (answers, "draw_weights"), (answers, "draw_confusion"), (answers, "draw_curve"),
    (answers, "draw_budget"), (answers, "draw_bagging"), (page, "draw_icon_array"),
]  # fmt: skip


@pytest.mark.parametrize(("module", "name"), FIGURES, ids=[name for _, name in FIGURES])
def test_a_figure_that_fails_is_left_out(ordinary, monkeypatch, module, name):
    whole = ordinary.to_html()
    monkeypatch.setattr(module, name, broken)
    shown = ordinary.to_html()
    assert shown.count("could not be drawn: TypeError: &#39;NoneType&#39; is no number.") >= 1
    assert whole.count("<figure>") == shown.count("<figure>")
    assert "could not be drawn" not in whole
    assert all(f'id="{anchor}"' in shown for anchor in ("which", "trust", "computed"))


@pytest.mark.parametrize("name", ["real", "price", "trust", "limits", "failed"])
def test_a_section_that_fails_is_left_out(ordinary, monkeypatch, name):
    (module,) = [m for m in (answers, background, sections) if hasattr(m, f"{name}_section")]
    monkeypatch.setattr(module, f"{name}_section", broken)
    shown = ordinary.to_html()
    assert shown.count("This section could not be made: TypeError") == 1
    assert "could not be shown" in shown
    assert f'<section id="{name}"' in shown


def test_the_page_over_many_tables_goes_on_too(ordinary, monkeypatch):
    monkeypatch.setattr(many_page, "draw_wins", broken)
    monkeypatch.setattr(many_page, "_real", broken)
    shown = unite_verdicts([ordinary]).to_html()
    assert "could not be drawn: TypeError" in shown
    assert "This section could not be made: TypeError" in shown


def candidates():
    return {"MAX": DummyClassifier(), "Bayes": GaussianNB()}


def test_a_note_that_fails_is_left_out(monkeypatch):
    monkeypatch.setattr(sys.modules["polychotomy.verdict.judge"], "note_table", broken)
    for name in ("note_tuned", "note_untrained_classes", "note_warnings"):
        monkeypatch.setattr(verdict_notes, name, broken)
    verdict = judge(candidates(), *load_iris(return_X_y=True), anatomy=False)
    said = [note for note in verdict.notes if note.startswith("a note could not be made: TypeErr")]
    assert len(said) == 4
    assert said[0] in str(verdict).replace("\n  ", " ")


def test_provenance_that_fails_is_left_out(monkeypatch):
    monkeypatch.setattr(verdict_notes, "_record", broken)
    verdict = judge(candidates(), *load_iris(return_X_y=True), anatomy=False, random_state=3)
    assert verdict.best == "Bayes"
    assert any("could not be recorded: TypeError" in note for note in verdict.notes)
    assert verdict.provenance["seed"] == 3
    assert "could not be recorded" in verdict.to_html()


def test_sizes_that_fail_are_left_out(monkeypatch):
    monkeypatch.setattr(Ledger, "model_bytes", broken)
    verdict = judge(candidates(), *load_iris(return_X_y=True), anatomy=False)
    assert all(one.model_bytes is None for one in verdict.candidates)
    assert any("sizes of models" in note for note in verdict.notes)
