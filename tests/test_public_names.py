"""Public names: few at the top, all in their packages, each sorted, documented and with an example.

The doctests run the examples.
"""

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import polychotomy
from polychotomy.calibration import Calibrator
from polychotomy.reproduction.truth import Problem
from polychotomy.study.design.plan import Plan

ROOT = Path(__file__).parents[1]
STUB = ast.parse(Path(polychotomy.__file__).with_suffix(".pyi").read_text())
HOMES = {
    alias.name: node.module
    for node in STUB.body
    if isinstance(node, ast.ImportFrom) and node.module
    for alias in node.names
}
PACKAGES = sorted(
    path.parent.name
    for path in Path(polychotomy.__file__).parent.glob("*/__init__.py")
    if path.parent.name != "cli"  # the command line is no library
)
VERBS = {
    "fit",
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
}  # scikit-learn's, and known
CONTRACTS = (Plan, Problem, Calibrator)  # written down once, in the protocol
ENGINE = {
    "StudySpec.record_pilots",  # called by what runs or reads a study for its user
    "Ledger.begin",
    "Ledger.bootstrap_predictions",
    "Ledger.done",
    "Ledger.fact",
    "Ledger.lock",
    "Ledger.prediction_columns",
    "Ledger.record",
    "Ledger.resume_candidates",
    "Ledger.size_errors",
    "Ledger.stop_candidates",
    "Ledger.write_facts",
    "RepeatedFolds.split_row",
    "Study.work",
    "StudySpec.begin",
    "StudySpec.work",
    "Target.refuse_rare",
}


def public_things():
    """Functions and classes that packages and the top level export, each once, by full name."""
    packages = [*PACKAGES, "reproduction.data"]
    homes = [polychotomy, *(import_module(f"polychotomy.{name}") for name in packages)]
    found = [getattr(home, name) for home in homes for name in getattr(home, "__all__", [])]
    return {
        f"{thing.__module__}.{thing.__qualname__}": thing
        for thing in found
        if inspect.isclass(thing) or inspect.isfunction(thing)
    }


def own_methods(cls):
    """Public methods of a class that no base class and no contract describes already."""
    described = {name for base in cls.__mro__[1:] for name in vars(base)} | VERBS
    for contract in CONTRACTS:
        names = {name for name in vars(contract) if not name.startswith("_")}
        if cls is not contract and names <= set(dir(cls)):
            described |= names
    for name, value in vars(cls).items():
        function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if not name.startswith("_") and name not in described and inspect.isfunction(function):
            yield name, function


def examples(thing):
    return inspect.cleandoc(thing.__doc__ or "").partition("Examples\n--------\n")[2]


THINGS = public_things()


def test_the_search_finds_what_is_there():
    for name in ("judge", "Verdict", "CodedClassifier", "Ledger", "PlaneMixtures", "Calibrator"):
        assert any(full.endswith(f".{name}") for full in THINGS), name


def test_the_top_level_can_be_learned():
    """Some forty names for users; the others are public in their packages."""
    assert 30 <= len(HOMES) <= 50
    assert set(HOMES) <= set(dir(polychotomy))
    with pytest.raises(AttributeError, match="nonsense"):
        _ = polychotomy.nonsense


def test_names_at_the_top_are_those_of_their_packages():
    for name, package in HOMES.items():
        home = import_module(f"polychotomy.{package}")
        assert getattr(polychotomy, name) is getattr(home, name), name
        assert package.startswith("core.") or name in home.__all__, name


def test_packages_are_listed_sorted_and_on_the_api_page():
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    on_the_page = set(re.findall(r"^ {3}polychotomy\.(\w+)$", page, flags=re.MULTILINE))
    for package in PACKAGES:
        module = import_module(f"polychotomy.{package}")
        names = list(getattr(module, "__all__", []))
        assert getattr(polychotomy, package) is module
        assert module.__doc__, f"say in one sentence what polychotomy.{package} is for"
        assert names == sorted(names), package
        assert all(hasattr(module, name) for name in names), package
        assert not names or package in on_the_page, (
            f"add '   polychotomy.{package}' to an autosummary of docs/api.md"
        )
    assert on_the_page <= set(PACKAGES)


def test_everything_public_has_an_example():
    lacking = [name for name, thing in THINGS.items() if ">>> " not in examples(thing)]
    assert not lacking


def test_every_method_has_an_example_or_is_in_that_of_its_class():
    lacking = [
        f"{cls.__name__}.{method}"
        for cls in THINGS.values()
        if inspect.isclass(cls)
        for method, function in own_methods(cls)
        if f"{cls.__name__}.{method}" not in ENGINE
        and ">>> " not in examples(function)
        and f".{method}(" not in examples(cls)
    ]
    assert not lacking


def test_the_exceptions_are_there():
    methods = {f"{cls.__name__}.{name}" for cls in THINGS.values() for name in dir(cls)}
    assert methods >= ENGINE


def test_arithmetic_packages_do_without_scikit_learn():
    code = (
        "import sys, polychotomy.codes, polychotomy.decoding, polychotomy.comparison; "
        "print(sorted({'sklearn', 'pandas', 'matplotlib'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.strip() == "[]", result.stderr
