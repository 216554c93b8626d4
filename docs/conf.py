"""How the pages become a site: `make docs` builds it in build/site from the Markdown that is read in the repository."""

project = "gm"
author = "the developers of gm"
extensions = ["myst_parser"]

root_doc = "docs/index"
include_patterns = ["docs/*.md", "docs/*/*.md", "deploy/README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
myst_heading_anchors = 3
highlight_language = "none"

html_theme = "furo"
toc_object_entries = False
html_title = "gm"
html_copy_source = False
html_show_sphinx = False
html_extra_path = ["site"]
