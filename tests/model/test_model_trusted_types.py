"""The list of trusted types: each of ours exists, none is a way to run anything."""

import importlib
import pkgutil

from polychotomy.model.trusted_types import TRUSTED


def test_our_own_types_exist():
    for name in sorted(name for name in TRUSTED if name.startswith("polychotomy.")):
        _, room, wanted = name.split(".")
        package = importlib.import_module(f"polychotomy.{room}")
        modules = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        found = [vars(importlib.import_module(module.name)).get(wanted) for module in modules]
        assert any(isinstance(one, type) for one in found), name


def test_only_packages_that_were_looked_at():
    assert {name.split(".")[0] for name in TRUSTED} == {
        "_loss", "numpy", "polychotomy", "sklearn", "skrub",
    }  # fmt: skip
    assert not any(word in name for name in TRUSTED for word in ("eval", "exec", "system", "open"))
