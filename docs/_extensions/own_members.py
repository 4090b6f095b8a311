"""Show what a class has from this package, wherever in it; what others add is on their pages."""

from __future__ import annotations

import re

from sphinx.application import Sphinx

ROUTING = re.compile(r"set_\w+_request")  # scikit-learn writes these for every estimator


def is_foreign(name: str, member: object) -> bool:
    """Say whether a member of a class comes from outside polychotomy."""
    function = getattr(member, "fget", None) or getattr(member, "func", None) or member
    owner = getattr(function, "__objclass__", None)  # of methods written in C
    module = getattr(function, "__module__", None) or getattr(owner, "__module__", None)
    is_ours = module is None or module.startswith("polychotomy")
    return bool(ROUTING.fullmatch(name)) or not is_ours


def _skip(
    app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object
) -> bool | None:
    return True if what == "class" and is_foreign(name, obj) else None


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
