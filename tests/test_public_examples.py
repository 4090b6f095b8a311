"""Everything public shows by an example how it is used; the doctests run them all."""

import inspect
from importlib import import_module
from pathlib import Path

import pytest

import polychotomy
from polychotomy.decomposition.problems import Problem
from polychotomy.study.design.plan import Plan
from polychotomy.validation import Calibrator

PACKAGES = [
    path.parent.name
    for path in Path(polychotomy.__file__).parent.glob("*/__init__.py")
    if path.parent.name != "cli"  # the command line is no library
]
VERBS = {"fit", "predict", "predict_proba", "decision_function"}  # scikit-learn's, and known
CONTRACTS = (Plan, Problem, Calibrator)  # written down once, in the protocol
ENGINE = {  # called by what runs or reads a study for its user
    "Ledger.begin",
    "Ledger.bootstrap_predictions",
    "Ledger.done",
    "Ledger.fact",
    "Ledger.hold",
    "Ledger.prediction_columns",
    "Ledger.record",
    "Ledger.resume_candidates",
    "Ledger.size_errors",
    "Ledger.stop_candidates",
    "Misclassification.write_lost",
    "RepeatedFolds.split_row",
    "Study.work",
    "StudySpec.begin",
    "StudySpec.work",
    "Target.refuse_rare",
}


def public_things():
    """Functions and classes that packages and the top level export, each once, by full name."""
    homes = [polychotomy, *(import_module(f"polychotomy.{name}") for name in PACKAGES)]
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


@pytest.mark.parametrize("name", THINGS)
def test_everything_public_has_an_example(name):
    assert ">>> " in examples(THINGS[name])


@pytest.mark.parametrize("name", [name for name, it in THINGS.items() if inspect.isclass(it)])
def test_every_method_has_an_example_or_is_in_that_of_its_class(name):
    cls = THINGS[name]
    lacking = [
        method
        for method, function in own_methods(cls)
        if f"{cls.__name__}.{method}" not in ENGINE
        and ">>> " not in examples(function)
        and f".{method}(" not in examples(cls)
    ]
    assert not lacking, f"no example of {', '.join(lacking)}"


def test_the_exceptions_are_there():
    methods = {f"{cls.__name__}.{name}" for cls in THINGS.values() for name in dir(cls)}
    assert methods >= ENGINE
