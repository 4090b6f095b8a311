"""Leave out what scikit-learn adds to every estimator: its own pages document it."""

from __future__ import annotations

import re

from sphinx.application import Sphinx

ROUTING = re.compile(r"set_\w+_request")


def _skip(
    app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object
) -> bool | None:
    return True if ROUTING.fullmatch(name) else None


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
