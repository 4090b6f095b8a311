"""The list of trusted types: each of ours exists, none is a way to run anything."""

import importlib

import pytest

from polychotomy.model.trusted_types import TRUSTED


@pytest.mark.parametrize(
    "name", sorted(name for name in TRUSTED if name.startswith("polychotomy."))
)
def test_our_own_types_exist(name):
    module, _, attribute = name.rpartition(".")
    assert isinstance(getattr(importlib.import_module(module), attribute), type)


def test_only_packages_that_were_looked_at():
    assert {name.split(".")[0] for name in TRUSTED} == {
        "_loss", "numpy", "polychotomy", "sklearn", "skrub",
    }  # fmt: skip
    assert not any(word in name for name in TRUSTED for word in ("eval", "exec", "system", "open"))
