"""The public names: what is exported exists, is documented by an example, and loads lazily."""

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import polychotomy

STUB = ast.parse(Path(polychotomy.__file__).with_suffix(".pyi").read_text())
HOMES = {
    alias.name: node.module
    for node in STUB.body
    if isinstance(node, ast.ImportFrom) and node.module
    for alias in node.names
}
PACKAGES = [
    alias.name
    for node in STUB.body
    if isinstance(node, ast.ImportFrom) and not node.module
    for alias in node.names
]


def test_every_package_is_listed():
    folder = Path(polychotomy.__file__).parent
    found = {path.parent.name for path in folder.glob("*/__init__.py")}
    assert found - {"cli"} <= set(PACKAGES)  # the command line is no library


@pytest.mark.parametrize("name", HOMES)
def test_name_is_that_of_its_package(name):
    home = import_module(f"polychotomy.{HOMES[name]}")
    assert getattr(polychotomy, name) is getattr(home, name)
    assert name in home.__all__


@pytest.mark.parametrize("name", HOMES)
def test_name_has_an_example_that_runs(name):
    documented = getattr(polychotomy, name)
    if callable(documented):
        assert ">>> " in (inspect.getdoc(documented) or ""), f"{name} has no example"


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_export_sorted_names_that_exist(package):
    module = import_module(f"polychotomy.{package}")
    names = getattr(module, "__all__", [])
    assert list(names) == sorted(names)
    assert all(hasattr(module, name) for name in names)


def test_dir_lists_the_names():
    assert set(HOMES) <= set(dir(polychotomy))


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        _ = polychotomy.nonsense


def test_arithmetic_packages_do_without_scikit_learn():
    code = (
        "import sys, polychotomy.codes, polychotomy.decoding, polychotomy.comparison; "
        "print(sorted({'sklearn', 'pandas', 'matplotlib'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.strip() == "[]", result.stderr
