"""The pages of the documentation: tutorials have a place, results a command, names a page."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import polychotomy

ROOT = Path(__file__).parents[1]


def test_tutorials_have_a_title_and_a_place():
    order = (ROOT / "docs/_extensions/tutorial_order.py").read_text(encoding="utf-8")
    for tutorial in (ROOT / "docs/tutorials").glob("plot_*.py"):
        text = ast.get_docstring(ast.parse(tutorial.read_text(encoding="utf-8"))) or ""
        title, underline = text.split("\n")[:2]
        assert underline == "=" * len(title), tutorial.stem
        assert f'"{tutorial.stem}"' in order, f"give {tutorial.stem} its place in tutorial_order.py"


def test_pages_of_classes_show_all_that_is_ours(monkeypatch):
    """Inherited methods too, but not those of scikit-learn or Python."""
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(ROOT / "docs/_extensions")
    is_foreign = importlib.import_module("own_members").is_foreign
    template = (ROOT / "docs/_templates/autosummary/class.rst").read_text(encoding="utf-8")
    assert ":inherited-members:" in template
    model, ordering = polychotomy.CodedClassifier, polychotomy.comparison.Ordering
    for owner, name in ((model, "predict_proba"), (model, "fit"), (ordering, "to_frame")):
        assert not is_foreign(name, inspect.getattr_static(owner, name)), name
    for owner, name in ((model, "get_params"), (tuple, "count"), (ValueError, "add_note")):
        assert is_foreign(name, inspect.getattr_static(owner, name)), name


def test_names_in_the_text_lead_to_the_api(monkeypatch):
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(ROOT / "docs/_extensions")
    find_name = importlib.import_module("name_links").find_name
    assert find_name("Nemenyi") == "Nemenyi"  # public in its package only
    assert find_name("judge") == find_name("judge(ledger)") == "judge"
    assert find_name("CodedClassifier(SVC(), code=…)") == "CodedClassifier"
    for text in ("predict", "--judge", "judge --json", "polychotomy judge", "verdict.best", ""):
        assert find_name(text) is None, text


def test_results_say_how_they_are_repeated():
    for page in (ROOT / "docs/results").glob("*.md"):
        assert "python " in page.read_text(encoding="utf-8"), (
            f"{page.name}: which command repeats it?"
        )


def test_every_result_is_listed_where_it_belongs():
    page = (ROOT / "docs/results.md").read_text(encoding="utf-8")
    for result in (ROOT / "docs/results").glob("*.md"):
        named = f"`results/{result.stem}`" in page or f"(results/{result.name})" in page
        assert named, f"docs/results.md: say what results/{result.name} is about"
