"""A small HTML parser for tests, which refuses tags that do not match."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}
RAW = {"script", "style"}

ATTRIBUTE = re.compile(r"""\s+([^\s"'<>/=]+)(?:="([^"]*)"|='([^']*)')?""")
TOKEN = re.compile(
    r"""([^<]+)|</([a-z][\w-]*)>"""
    r"""|<([a-z][\w-]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*"|='[^']*')?)*)\s*(/?)>"""
    "|<!--.*?-->|<!doctype[^>]*>",
    re.DOTALL | re.IGNORECASE,
)
"""The syntax of the pages.

The parser of the standard library took a quarter of the time of these tests.
"""


@dataclass(eq=False, slots=True)
class Element:
    """An element of a page, or the page itself, whose tag is empty."""

    tag: str
    attrs: dict[str, str]
    parent: Element | None = None
    content: list[Element | str] = field(default_factory=list)

    def __getitem__(self, name):
        return self.attrs[name]

    def get(self, name, default=None):
        return self.attrs.get(name, default)

    @property
    def classes(self):
        return set(self.get("class", "").split())

    @property
    def text(self):
        """Return all text in the element with single spaces."""
        parts = [part if isinstance(part, str) else f" {part.text} " for part in self.content]
        return " ".join("".join(parts).split())

    @property
    def inside(self):
        """Yield the elements inside in document order, except those in templates."""
        parts = self.content[::-1]
        while parts:
            part = parts.pop()
            if isinstance(part, Element) and part.tag != "template":
                yield part
                parts.extend(part.content[::-1])

    @property
    def ancestors(self):
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    def all(self, tag=None, **attrs):
        """Return the elements with this tag and these attributes (`data_go` means `data-go`)."""
        wanted = {name.strip("_").replace("_", "-"): value for name, value in attrs.items()}
        return [
            element
            for element in self.inside
            if tag in (None, element.tag)
            and all(element.get(name) == value for name, value in wanted.items())
        ]

    def one(self, tag=None, **attrs):
        """Return the only matching element."""
        found = self.all(tag, **attrs)
        assert len(found) == 1, f"expected one {tag} {attrs}, found {len(found)}"
        return found[0]

    def ids(self):
        return [element["id"] for element in self.inside if "id" in element.attrs]

    def same_as(self):
        """Return the element in a form to compare, without differences of white space."""
        content = [
            part.same_as() if isinstance(part, Element) else " ".join(part.split())
            for part in self.content
        ]
        return self.tag, self.attrs, [part for part in content if part]


def read(html):
    """Parse a page or a fragment from a string or a response."""
    return _parsed(html if isinstance(html, str) else html.get_data(as_text=True))


@lru_cache(maxsize=32)
def _parsed(html):
    """Parse HTML. A cached page is returned again."""
    here = page = Element("", {})
    at = 0
    while at < len(html):
        token = TOKEN.match(html, at)
        assert token, f"neither text nor a tag: {html[at : at + 100]}"
        at = token.end()
        text, closes, opens, attributes, is_empty = token.groups()
        if text:
            here.content.append(unescape(text) if "&" in text else text)
        elif closes:
            assert closes == here.tag, f"</{closes}> closes <{here.tag}> {here.attrs}"
            here = here.parent
        elif opens:
            element = Element(opens, _attributes(attributes), here)
            here.content.append(element)
            if opens in RAW:
                at = _take_raw(element, html, at)
            elif not is_empty and opens not in VOID:
                here = element
    assert here is page, f"<{here.tag}> is not closed"
    return page


def _attributes(written):
    found = ATTRIBUTE.findall(written)
    attributes = {
        name.lower(): unescape(one or other) if "&" in written else one or other
        for name, one, other in found
    }
    assert len(attributes) == len(found), f"an attribute twice:{written}"
    return attributes


def _take_raw(element, html, at):
    """Add the content of a script or a style, and return the position after its end."""
    end = f"</{element.tag}>"
    until = html.index(end, at)
    if until > at:
        element.content.append(html[at:until])
    return until + len(end)


def board_of(page):
    """Return the board to play on a page or in a fragment."""
    return page.one(id="play")["data-board"]


def moves_of(page):
    """Return the number of moves on a page or in a fragment."""
    return int(page.one(id="move-count").text.replace(",", ""))
