"""The API pages are complete, and every public name shows how it is used."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

import polychotomy

ROOT = Path(__file__).parents[1]


def public_names():
    """(package, name) of what ``polychotomy`` exports, read from its stub."""
    tree = ast.parse((ROOT / "src/polychotomy/__init__.pyi").read_text(encoding="utf-8"))
    return [
        (node.module, alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    ]


def packages_on_the_api_page():
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    return set(re.findall(r"^ {3}polychotomy\.(\w+)$", page, flags=re.MULTILINE))


@pytest.mark.parametrize(("package", "name"), public_names(), ids=lambda value: value)
def test_public_name_is_documented(package, name):
    """A package's page lists its ``__all__``; so a name is on it if it is there."""
    module = importlib.import_module(f"polychotomy.{package}")
    assert package in packages_on_the_api_page(), (
        f"add '   polychotomy.{package}' to an autosummary of docs/api.md"
    )
    assert name in module.__all__, f"add {name!r} to __all__ of polychotomy.{package}"
    assert getattr(polychotomy, name) is getattr(module, name)
    docstring = inspect.getdoc(getattr(module, name)) or ""
    assert re.search(r"^Examples\n-{8}$", docstring, flags=re.MULTILINE), (
        f"the docstring of polychotomy.{name} needs a section Examples that runs"
    )


@pytest.mark.parametrize("package", sorted(packages_on_the_api_page()))
def test_names_of_a_package_are_sorted_and_exist(package):
    module = importlib.import_module(f"polychotomy.{package}")
    assert module.__all__ == sorted(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
    assert module.__doc__, f"say in one sentence what polychotomy.{package} is for"


@pytest.mark.parametrize(
    "tutorial", sorted((ROOT / "docs/tutorials").glob("plot_*.py")), ids=lambda path: path.stem
)
def test_tutorial_has_a_title_and_a_place(tutorial):
    title, underline = (
        ast.get_docstring(ast.parse(tutorial.read_text(encoding="utf-8"))) or ""
    ).split("\n")[:2]
    assert set(underline) == {"="}
    assert len(underline) == len(title)
    order = (ROOT / "docs/_extensions/tutorial_order.py").read_text(encoding="utf-8")
    assert f'"{tutorial.stem}"' in order, f"give {tutorial.stem} its place in tutorial_order.py"


def test_pages_of_classes_show_all_that_is_ours(monkeypatch):
    """Inherited methods too, but not those of scikit-learn or Python."""
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(ROOT / "docs/_extensions")
    is_foreign = importlib.import_module("own_members").is_foreign
    template = (ROOT / "docs/_templates/autosummary/class.rst").read_text(encoding="utf-8")
    assert ":inherited-members:" in template
    model, ordering = polychotomy.CodedClassifier, polychotomy.Ordering
    for owner, name in ((model, "predict_proba"), (model, "fit"), (ordering, "to_frame")):
        assert not is_foreign(name, inspect.getattr_static(owner, name)), name
    for owner, name in ((model, "get_params"), (tuple, "count"), (ValueError, "add_note")):
        assert is_foreign(name, inspect.getattr_static(owner, name)), name


def test_names_in_the_text_lead_to_the_api(monkeypatch):
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(ROOT / "docs/_extensions")
    find_name = importlib.import_module("name_links").find_name
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
