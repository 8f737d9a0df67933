"""Sphinx's settings for the site, which scripts/site builds from a copy of docs/ (it says where, and the version)."""

import os
import sys

project = "Sverdrup"
author = copyright = "the Sverdrup developers"
release = os.environ.get("SV_RELEASE", "")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
highlight_language = "text"  # of blocks that name none: commands and their output
autodoc_mock_imports = ["mpi4py", "sverdrup._core"]
autodoc_typehints = "description"
sys.path.insert(0, os.environ.get("SV_PYTHON", "."))
exclude_patterns = ["site"]
html_theme = "furo"
html_title = f"Sverdrup {release}"
html_favicon = "favicon.svg"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
# Pages that stand in no menu are reached from others; a namelist with comments of both kinds is no Fortran;
# classes stand in their own module and where others name them.
suppress_warnings = ["toc.not_included", "misc.highlighting_failure", "ref.python"]
