"""Texts of the scripts in each language, generated from the translators' files.

The build of a wheel runs this module on its own, as a file.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCES = {
    "": r"static/js/",
    "exercises-": r"slidewise/course/judge/(?!printed/)|slidewise/text\.py"
    r"|slidewise/puzzle/(board|notation|reading)\.py|\w+/course/write/in_browser\.py",
}
"""Places of the messages of each file, by the prefix of its name."""

HEAD = """\
// Made from translations/{code}/*.po
export const plural = (n) => Number({plural});
export const texts = {{
  __proto__: null,
"""

_FIELD = re.compile(r'^(msg\w+(?:\[\d\])?) (".*"(?:\n".*")*)', re.MULTILINE)
_PLACES = re.compile(r"^#: (.*)", re.MULTILINE)
_PLURAL = re.compile(r"\bplural=([^;]+)")


class Translation(NamedTuple):
    """A message of a .po file: its English form, its places, a translation per plural form."""

    message: str
    places: list[str]
    forms: list[str]


def script_texts(package: Path) -> dict[str, str]:
    """Return the scripts made from the translations in `package`, by their names in `static`."""
    scripts = {}
    files = po_files(package)
    for code in sorted({path.parent.name for path in files}):
        found = [one for path in files if path.parent.name == code for one in read_po(path)]
        for prefix, places in SOURCES.items():
            scripts[f"js/texts/{prefix}{code}.js"] = _script(code, found, places)
    return scripts


def po_files(package: Path) -> list[Path]:
    """Return the translators' files of the web app and of its parts."""
    places = "translations/*/*.po", "*/translations/*/*.po"
    return [path for place in places for path in sorted(package.glob(place))]


def _script(code: str, found: list[Translation], places: str) -> str:
    plural = next(rule[1] for one in found if (rule := _PLURAL.search(one.forms[0])))
    lines = [
        f"  {json.dumps(one.message)}: {_value(one.forms)},\n"
        for one in found
        if all(one.forms) and any(re.match(places, place) for place in one.places)
    ]
    return "".join([HEAD.format(code=code, plural=plural), *lines, "};\n"])


def _value(forms: list[str]) -> str:
    return json.dumps(forms if len(forms) > 1 else forms[0], ensure_ascii=False)


def read_po(path: Path) -> Iterator[Translation]:
    """Yield the messages of a .po file; the first is its head.

    Babel's reader is no alternative, as the build of a wheel has no packages.
    """
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = _FIELD.findall(block)
        fields = {name: json.loads(text.replace('"\n"', "")) for name, text in lines}
        if fields:
            places = " ".join(_PLACES.findall(block)).split()
            forms = [text for name, text in fields.items() if name.startswith("msgstr")]
            yield Translation(fields["msgid"], places, forms)
