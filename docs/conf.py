"""Sphinx settings. Build with ``sphinx-build -W --keep-going docs docs/_build/html``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# Tutorials run one after another; threads of the linear algebra would only disturb each other.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

from polychotomy import __version__  # noqa: E402 - after the settings

project = "polychotomy"
author = "The polychotomy developers"
copyright = "the polychotomy developers"
version = release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "dark_code",
    "first_picture",
    "formulas",
    "name_links",
    "own_members",
    "wide_tables",
]
exclude_patterns = ["_build", "tutorials", "_templates", "**/sg_execution_times.rst"]
templates_path = ["_templates"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
default_role = "py:obj"
suppress_warnings = ["ref.citation"]  # the list of references may hold more than docstrings cite

myst_enable_extensions = ["attrs_inline", "colon_fence", "dollarmath"]
myst_heading_anchors = 3

# A package's page lists exactly its __all__, so the API pages are complete by construction.
autosummary_generate = True
autosummary_imported_members = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"  # the docstrings say types and shapes
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

sphinx_gallery_conf = {
    "examples_dirs": "tutorials",
    "gallery_dirs": "auto_tutorials",
    "filename_pattern": r"plot_",
    "within_subsection_order": "tutorial_order.position",
    "download_all_examples": False,
    "ignore_repr_types": r"matplotlib\.",
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "plot_gallery": "True",
    "thumbnail_size": (400, 280),
}

html_math_renderer = "mathml"
html_theme = "alabaster"
html_title = f"polychotomy {release}"
html_static_path = ["_static"]
html_css_files = ["polychotomy.css"]
html_show_sourcelink = False
html_show_copyright = False
html_copy_source = False
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_theme_options = {
    "description": "Which classifier, by statistics instead of a leaderboard",
    "fixed_sidebar": True,
    "page_width": "1120px",
    "sidebar_width": "240px",
    "show_powered_by": False,
    "show_relbars": False,
    "sidebar_collapse": True,
    "font_family": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
    "head_font_family": "inherit",
    "code_font_family": "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
}
pygments_style = "friendly"
