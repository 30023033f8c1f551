"""Templates, those of answers compiled with translated messages and included files in them.

Jinja's own code for a message looks it up each time the template runs, and for an `include` copies
the context. In the answer to a click these took as long as the rest of its templates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from flask import templating
from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator
from jinja2.visitor import NodeTransformer

from .language import Language, current

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from jinja2.compiler import Frame


class _Folding(NodeTransformer):
    """Puts translated messages and included files into a template."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    def visit_Call(self, call: nodes.Call) -> nodes.Node:  # noqa: N802  # jinja's name
        """Replace `_("…", name=value)` by a formatted constant."""
        self.generic_visit(call)
        match call:
            case nodes.Call(
                node=nodes.Name(name="_" | "gettext"),
                args=[nodes.Const(value=str(message))],
                dyn_args=None,
                dyn_kwargs=None,
            ):
                values = [nodes.Pair(nodes.Const(one.key), one.value) for one in call.kwargs]
                text = current().translations.gettext(message)
                markup = nodes.MarkSafeIfAutoescape(nodes.Const(text))
                formatted = nodes.Mod(markup, nodes.Dict(values), lineno=call.lineno)
                return formatted.set_environment(self._environment)
        return call

    def visit_Include(self, include: nodes.Include) -> nodes.Node:  # noqa: N802
        """Replace `{% include "…" %}` by the content of the file.

        Tracebacks name the line of the `include`. While an app reloads changed templates it stays,
        as they are looked for in the outer file alone.
        """
        environment = self._environment
        match include:
            case nodes.Include(template=nodes.Const(value=str(name)), with_context=True):
                if environment.loader and not environment.auto_reload:
                    source, path, _ = environment.loader.get_source(environment, name)
                    content = environment.parse(source, name, path)
                    content.set_lineno(include.lineno, override=True)
                    return nodes.Scope(self.visit(content).body, lineno=include.lineno)
        return include


class _Code(CodeGenerator):
    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802
        if cast("Templates", self.environment).folded:
            node = _Folding(self.environment).visit(node)
        super().visit_Template(node, frame)


class Templates(templating.Environment):
    """Templates of an app."""

    code_generator_class = _Code

    folded = False
    """Whether they are compiled for each language, which takes longer: for answers to clicks."""

    @property
    def cache(self) -> MutableMapping[Any, Any]:
        """The compiled templates."""
        return self._compiled.setdefault(current() if self.folded else None, {})

    @cache.setter
    def cache(self, _: object) -> None:
        self._compiled: dict[Language | None, dict[Any, Any]] = {}

    def for_answers(self) -> Templates:
        """Return the same templates, to be compiled for each language.

        The keys of a bytecode cache would need the language.
        """
        templates: Templates = self.overlay()
        templates.folded = True
        return templates
