"""Text formatting: plurals, durations, tables."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any


class Quantity(str):
    """A number with its noun, as in "1,200 nodes"."""

    __slots__ = ("noun", "number")

    number: int
    noun: str


class Message(str):
    """A text for people, with its `template` and `values`.

    The web app translates the template; for others it is a plain string.
    """

    __slots__ = ("template", "values")

    template: str
    values: dict[str, object]


def message(template: str, **values: object) -> Message:
    """Return a text with its values filled in, whole numbers with separators.

    >>> message("there is no tile %(tile)s", tile=9), message("%(count)s nodes", count=1200)
    ('there is no tile 9', '1,200 nodes')
    """
    shown = {name: f"{one:,}" if isinstance(one, int) else one for name, one in values.items()}
    text = Message(template % shown)
    text.template, text.values = template, values
    return text


def replaced(text: str, old: str, new: str) -> str:
    """Replace a part of a text, also in the values of a message.

    >>> replaced(message("%(why)s: 3 boards", why=message("stopped")), "stopped", "timed out")
    'timed out: 3 boards'
    """
    if not isinstance(text, Message):
        return text.replace(old, new) if type(text) is str else text  # a `Quantity` is a str too
    if text == old:
        return new
    values = {
        name: replaced(one, old, new) if isinstance(one, str) else one
        for name, one in text.values.items()
    }
    return message(text.template, **values)


def in_data(value: Any, change: Callable[[str], str]) -> Any:
    """Return data for JSON with its texts changed, but not its keys.

    >>> in_data({"a": ["b", 1]}, str.upper)
    {'a': ['B', 1]}
    """
    if isinstance(value, Mapping):
        return {name: in_data(one, change) for name, one in value.items()}
    if isinstance(value, list):
        return [in_data(one, change) for one in value]
    return change(value) if isinstance(value, str) else value


def noop(template: str) -> str:
    """Mark the template of a message."""
    return template


def listed(items: Sequence[object]) -> str:
    """Join items by commas and "and".

    >>> listed([1, 2, 3])
    '1, 2 and 3'
    """
    *others, last = items
    if not others:
        return last if isinstance(last, str) else str(last)
    return message("%(items)s and %(last)s", items=with_commas(others), last=last)


def either(items: Sequence[object]) -> str:
    """Join items by commas and "or".

    >>> either(["2x6", "3x4", "4x3"])
    '2x6, 3x4 or 4x3'
    """
    *others, last = items
    if not others:
        return last if isinstance(last, str) else str(last)
    return message("%(items)s or %(last)s", items=with_commas(others), last=last)


def with_commas(items: Sequence[object]) -> object:
    """Join items by commas."""
    return reduce(lambda one, other: message("%(one)s, %(other)s", one=one, other=other), items)


def plural(count: int, noun: str) -> Quantity:
    """Format a number with its noun.

    >>> plural(1, "move"), plural(1200, "node"), plural(2, "search")
    ('1 move', '1,200 nodes', '2 searches')
    """
    ending = "" if count == 1 else "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    text = Quantity(f"{count:,} {noun}{ending}")
    text.number, text.noun = count, noun
    return text


def sentence(text: str) -> str:
    """Capitalise an error message and end it with a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def duration(seconds: float) -> str:
    """Format a time in ms or s.

    >>> duration(0.0123), duration(12.34)
    ('12.3 ms', '12.3 s')
    """
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def long_time(seconds: float) -> str:
    """Format a time in s, min, h or days.

    >>> long_time(8), long_time(200), long_time(9000), long_time(500_000)
    ('8 s', '3 min', '2.5 h', '5.8 days')
    """
    for unit, name, below in ((1, "s", 120), (60, "min", 7200), (3600, "h", 172_800)):
        if seconds < below:
            return f"{seconds / unit:.{1 if name == 'h' else 0}f} {name}"
    return f"{seconds / 86_400:,.1f} days"


def html_table(caption: str, titles: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return an HTML table of strings with a header row.

    >>> html_table("<1>", ["a"], [["b"]])
    '<table><caption>&lt;1&gt;</caption><tr><th>a</th></tr><tr><td>b</td></tr></table>'
    """
    from html import escape  # which Pyodide does not have

    lines = [_html_row("th", map(escape, titles))]
    lines += (_html_row("td", map(escape, row)) for row in rows)
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"


def text_table(
    titles: Iterable[str],
    rows: Iterable[Iterable[str]],
    right: frozenset[int] = frozenset(),
    *,
    rule: bool = True,
) -> str:
    """Return a plain-text table. The columns `right`, numbered from 0, are right-aligned.

    `rule` adds a line below the titles.

    >>> print(text_table(["name", "moves"], [["astar", "26"]], frozenset({1})))
    name   moves
    -----  -----
    astar     26
    """
    table = [list(titles), *(list(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    if rule:
        table.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    )


def _html_row(tag: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"
