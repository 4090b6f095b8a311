"""Each tutorial begins with the picture that it ends with: a reader sees what it is about."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging


def show_first(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the last picture that a tutorial has drawn below its title."""
    folder, _, name = docname.rpartition("/")
    if folder != "auto_tutorials" or not name.startswith("plot_"):
        return
    drawn = sorted(Path(app.srcdir, folder, "images").glob(f"sphx_glr_{name}_[0-9]*.png"))
    if not drawn:
        logging.getLogger(__name__).warning("%s draws no picture to begin with", docname)
        return
    lines = source[0].splitlines()
    under = next(i for i, line in enumerate(lines) if line and set(line) == {"="})
    picture = ["", f".. image:: images/{drawn[-1].name}", "   :class: picture",
               "   :alt: The picture that this page ends with", ""]  # fmt: skip
    source[0] = "\n".join([*lines[: under + 1], *picture, *lines[under + 1 :], ""])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", show_first)
    return {"parallel_read_safe": True}
