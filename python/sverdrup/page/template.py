"""Renders the pages of all commands. They share the head and the look (templates/base.html), parts
(templates/parts.html), and the filters that write numbers."""

import functools
from collections.abc import Callable
from pathlib import Path

import jinja2
from markupsafe import Markup

from . import units

HERE = Path(__file__).parent


def style(*names: str) -> str:
    """The style sheets of those names."""
    return "".join((HERE / f"{name}.css").read_text(encoding="utf-8") for name in names)


def _filter(function: Callable) -> Callable:
    """A missing member of a document is like null."""
    return lambda value, *rest: function(None if isinstance(value, jinja2.Undefined) else value, *rest)


@functools.cache
def _environment(folder: Path, complete: bool) -> jinja2.Environment:
    """It compiles a template once."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([folder, HERE / "templates"]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined if complete else jinja2.ChainableUndefined,
    )
    for name in ("seconds", "span", "size", "rate", "share", "count", "shorten", "base", "plural"):
        environment.filters[name] = _filter(getattr(units, name))
    return environment


def rendered(template: Path, complete: bool = True, **values: object) -> str:
    """HTML of a template that extends base.html: it needs no network. complete: it is an error when the template wants
    what `values` leave out; otherwise that is like null."""
    values["look"] = Markup(style("colours", "page", "charts"))
    return _environment(template.parent, complete).get_template(template.name).render(**values)
