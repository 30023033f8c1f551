"""Reading HTML in tests: a small tree that complains about tags that do not match."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}


@dataclass(eq=False)
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
        """Return all text in the element, white space made single."""
        parts = [part if isinstance(part, str) else f" {part.text} " for part in self.content]
        return " ".join("".join(parts).split())

    @property
    def inside(self):
        """Yield all elements in this one, in the order of the page."""
        for part in self.content:
            if isinstance(part, Element):
                yield part
                yield from part.inside

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
        """Return the only such element."""
        found = self.all(tag, **attrs)
        assert len(found) == 1, f"expected one {tag} {attrs}, found {len(found)}"
        return found[0]

    def ids(self):
        return [element["id"] for element in self.inside if "id" in element.attrs]

    def same_as(self):
        """Return the element in a form to compare, apart from white space."""
        content = [
            part.same_as() if isinstance(part, Element) else " ".join(part.split())
            for part in self.content
        ]
        return self.tag, self.attrs, [part for part in content if part]


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.here = self.page = Element("", {})

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"an attribute twice in <{tag}>: {names}"
        element = self._add(tag, attrs)
        if tag not in VOID:
            self.here = element

    def handle_startendtag(self, tag, attrs):
        self._add(tag, attrs)

    def handle_endtag(self, tag):
        assert tag == self.here.tag, f"</{tag}> closes <{self.here.tag}> {self.here.attrs}"
        self.here = self.here.parent

    def handle_data(self, data):
        self.here.content.append(data)

    def _add(self, tag, attrs):
        element = Element(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.content.append(element)
        return element


def read(html):
    """Return the page, or the fragment, that `html` writes; a response will do too."""
    reader = _Reader()
    reader.feed(html if isinstance(html, str) else html.get_data(as_text=True))
    reader.close()
    assert reader.here is reader.page, f"<{reader.here.tag}> is not closed"
    return reader.page


def board_of(page):
    """Return the board that can be played on a page or in a fragment."""
    return page.one(id="play")["data-board"]


def moves_of(page):
    """Return the number of moves that a page or a fragment shows."""
    return int(page.one(id="figures").all("b")[0].text.replace(",", ""))
